"""The progress of a judging run: answers done, rate, cost so far, unscored rows. Nothing where nobody looks."""

import sys
import time
from types import TracebackType

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TaskProgressColumn, TextColumn, TimeRemainingColumn

from faithflow.judging.run import JudgedAnswer
from faithflow.judging.verdict import Status
from faithflow.llm.budget import Spending

# A log that is no terminal gets a line now and then instead of a bar.
_LOG_EVERY_S = 15.0


class JudgingProgress:
    """A bar on standard error; in a log, a line every few seconds."""

    def __init__(self, answers: int) -> None:
        self._total = answers
        self._done = 0
        self._rows = 0
        self._unscored = 0
        self._started = self._logged = time.monotonic()
        self._bar = Progress(
            TextColumn("judging"),
            BarColumn(bar_width=30),
            MofNCompleteColumn(),
            TaskProgressColumn(),
            TextColumn("{task.fields[state]}"),
            TimeRemainingColumn(),
            console=Console(stderr=True),
            disable=not sys.stderr.isatty(),
        )
        self._task = self._bar.add_task("judging", total=answers, state="")

    def __enter__(self) -> "JudgingProgress":
        self._bar.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self._bar.stop()

    def answered(self, answer: JudgedAnswer, spending: Spending) -> None:
        """Count a finished answer."""
        self._done += 1
        self._rows += len(answer.verdicts)
        self._unscored += sum(row.status == Status.UNSCORED.value for row in answer.verdicts)
        cost = f"{spending.cost:.2f}" if spending.cost_is_known else "unknown"
        now = time.monotonic()
        rate = self._done / max(now - self._started, 1e-9)
        state = f"{rate:.1f}/s · {self._rows} rows · {self._unscored} unscored · cost {cost}"
        self._bar.update(self._task, advance=1, state=state)
        if self._bar.disable and (now - self._logged > _LOG_EVERY_S or self._done == self._total):
            self._logged = now
            print(f"judged {self._done} of {self._total} answers · {state}", file=sys.stderr, flush=True)  # noqa: T201
