"""From bytes to a verified `Model`: one file for each kind of thing in the container."""

from pyref.loader.load import OFFLINE_PLAN, load

__all__ = ["OFFLINE_PLAN", "load"]
