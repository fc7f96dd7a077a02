"""Runs an instance with pyref and with TFLM."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from tests.property.compare import Outcome, Verdict, compare
from tests.property.witness import PATTERNS, Witness

if TYPE_CHECKING:
    from tests.property.instance import Instance, Stored
    from tests.tflm import Result

#: What the Python package says of tensors that it cannot carry; not TFLM's words.
UNFED = re.compile(r"Cannot set tensor|Unknown tensor type|Invalid tensor size|Null tensor")


class Checker:
    """Holds pyref against TFLM; a second worker is asked only where they differ."""

    def __init__(self) -> None:
        self.witness = Witness()
        self._second = Witness(PATTERNS[1])

    def check(self, instance: Instance | Stored) -> Verdict:
        """Runs both."""
        return self.judge(instance, self.witness.run(instance))

    def judge(self, instance: Instance | Stored, expected: Result) -> Verdict:
        """Compares pyref with TFLM's answer."""
        refusal = expected.refusal or ""
        if refusal.startswith("crashed"):
            return Verdict(Outcome.CRASHED, refusal)
        if UNFED.match(refusal):
            return Verdict(Outcome.UNFED, refusal)
        verdict = compare(instance, expected)
        if verdict.outcome is not Outcome.DIFFERENT:
            return verdict
        again = self._second.run(instance)
        if (again.refusal or "").startswith("crashed"):
            return Verdict(Outcome.CRASHED, again.refusal or "")
        return compare(instance, expected, again)

    def close(self) -> None:
        """Ends the workers."""
        self.witness.close()
        self._second.close()
