"""One `Comparison`, three forms: a table on the terminal, JSON for scripts, HTML for people."""

from hil.report.document import prepare_file, write_error, write_json
from hil.report.page import write_html
from hil.report.table import line
from hil.report.terminal import print_comparison

__all__ = [
    "line",
    "prepare_file",
    "print_comparison",
    "write_error",
    "write_html",
    "write_json",
]
