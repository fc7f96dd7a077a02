"""One `Comparison`, three forms: a table on the terminal, JSON for scripts, HTML for people."""

from hil.report.document import write_json
from hil.report.page import write_html
from hil.report.terminal import print_comparison

__all__ = ["print_comparison", "write_html", "write_json"]
