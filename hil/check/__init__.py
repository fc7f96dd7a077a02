"""Before flashing: would TFLM take the model, how much arena does it need, and where does it fit.

Each file answers one question with frozen dataclasses: `refusal` and `releases` (would TFLM take
it), `arena` (how much, and why), `placement` (which memories), `firmware`, `registrations` and
`elf_contents` (what an ELF says), `steps` (what happens when). `verdict` puts them together.
"""

from hil.check.arena import ArenaNeed
from hil.check.firmware import FirmwareFindings
from hil.check.placement import Placement
from hil.check.verdict import Verdict, check

__all__ = ["ArenaNeed", "FirmwareFindings", "Placement", "Verdict", "check"]
