"""The progress of a graph run: a line for each table that was made, and the words of the step that is at work."""

import sys
import time
from types import TracebackType

from rich.console import Console
from rich.status import Status

from faithflow.cli.graph import Made

# A log that is no terminal gets the words of a long step now and then.
_LOG_EVERY_S = 15.0


class StageLines:
    """Lines on standard error; on a terminal with a live line below them."""

    def __init__(self) -> None:
        self._console = Console(stderr=True, highlight=False, soft_wrap=True)
        self._status: Status | None = self._console.status("starting") if sys.stderr.isatty() else None
        self._said = time.monotonic()

    def __enter__(self) -> "StageLines":
        if self._status:
            self._status.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        if self._status:
            self._status.stop()

    def message(self, step: str, words: str) -> None:
        """What a step says while it works."""
        now = time.monotonic()
        if self._status:
            self._status.update(f"{step}: {words}")
        elif now - self._said > _LOG_EVERY_S:
            self._console.print(f"  {step}: {words}", markup=False)
            self._said = now

    def made(self, made: Made) -> None:
        """An asset that is there now."""
        rows = "" if made.rows is None else f"{made.rows:,} rows"
        self._console.print(f"{made.asset:<16}{rows:>14}{made.seconds:8.1f} s", markup=False)

    def warning(self, words: str) -> None:
        """What a check found that a person should look at."""
        self._console.print(f"! {words}", markup=False)
