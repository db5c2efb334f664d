"""The progress of a graph run: a line for each table that was made, and the words of the step that is at work."""

import os
import sys
import time
from contextlib import ExitStack
from types import TracebackType

from rich.console import Console
from rich.status import Status

from faithflow.cli.graph import Made

# A log that is no terminal gets the words of a long step now and then.
_LOG_EVERY_S = 15.0


class StageLines:
    """Lines on standard error; on a terminal with a live line below them."""

    def __init__(self) -> None:
        self._open = ExitStack()
        terminal = None
        if sys.stderr.isatty():
            # Dagster turns the standard streams into files while a step runs; a live line needs the terminal itself
            terminal = self._open.enter_context(os.fdopen(os.dup(sys.stderr.fileno()), "w", encoding="utf-8"))
        self._console = Console(file=terminal, stderr=True, highlight=False, soft_wrap=True)
        self._status: Status | None = self._console.status("starting") if terminal else None
        self._said = time.monotonic()

    def __enter__(self) -> "StageLines":
        if self._status:
            self._status.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        if self._status:
            self._status.stop()
        self._open.close()

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
        embedder = (made.partition or "").rpartition("|")[2]
        self._console.print(f"{made.asset:<16} {embedder:<12}{rows:>13}{made.seconds:8.1f} s", markup=False)

    def warning(self, words: str) -> None:
        """What a check found that a person should look at."""
        self._console.print(f"! {words}", markup=False)
