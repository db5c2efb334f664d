"""When long work says how far it is: every few seconds, and at its end."""

import time

_SAY_EVERY_S = 5.0


class Pace:
    """Keeps the time since something was last said."""

    def __init__(self) -> None:
        self._said = time.monotonic()

    def is_due(self, *, at_end: bool = False) -> bool:
        """Whether to say something now; the time counts anew from a yes."""
        now = time.monotonic()
        if not at_end and now - self._said <= _SAY_EVERY_S:
            return False
        self._said = now
        return True
