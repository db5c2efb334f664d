"""A partition's answers: every question by every pipeline, some at a time, into the tables' rows.

What the ledger holds is not asked again, so a run that was interrupted goes on where it was when it is run again.
"""

import asyncio
import time
from collections.abc import Callable, Iterator, Sequence
from itertools import product

import polars as pl

from faithflow.corpus.document import Question
from faithflow.pipelines.frames import Answered, AnswerFrames, answer_frames
from faithflow.pipelines.model import PipelineKey, Tools
from faithflow.pipelines.registry import ARCHITECTURES
from resources.pace import Pace

Say = Callable[[str], None]

# The pipelines that begin with a search by the question's vector.
_SEARCHING = frozenset[PipelineKey](["vanilla", "graphrag", "multi_tool", "adaptive_v1"])
# Outcomes hold the text of every passage seen; as frames they take a fraction of that.
_ANSWERS_A_FRAME = 200


async def answer_partition(
    questions: Sequence[Question],
    pipelines: Sequence[PipelineKey],
    tools: Tools,
    repeats: int,
    say: Say,
    workers: int,
) -> AnswerFrames:
    """The rows of `answers`, `steps` and `retrievals` of one embedder, sorted by their keys.

    Each question is answered `repeats` times by each pipeline, `workers` answers open at once; the questions' vectors
    are asked for together first, for embedders that keep them. `say` hears how far it is every few seconds, and at the
    end. An answer whose call fails is a row like the others. Raises StoreError where a store fails: what was answered
    until then is in the ledger.
    """
    keeper = _Keeper(tools, len(questions) * len(pipelines) * repeats, say)
    todo: Iterator[tuple[Question, PipelineKey, int]] = product(questions, pipelines, range(repeats))

    if _SEARCHING.intersection(pipelines):
        await asyncio.to_thread(tools.embedder.queries, [question.question for question in questions])

    async def work() -> None:
        for question, pipeline, repeat in todo:
            outcome = await ARCHITECTURES[pipeline].answer(question, tools, repeat)
            keeper.keep(Answered(question.question_id, pipeline, repeat, outcome))

    try:
        async with asyncio.TaskGroup() as group:
            for _ in range(workers):
                group.create_task(work())
    except BaseExceptionGroup as failures:
        raise failures.exceptions[0] from None
    return keeper.frames()


class _Keeper:
    """Collects outcomes as frames, in whatever order they come, and says now and then how far it is."""

    def __init__(self, tools: Tools, total: int, say: Say) -> None:
        self._tools, self._total, self._say = tools, total, say
        self._held: list[Answered] = []
        self._parts: list[AnswerFrames] = []
        self._done = self._inconclusive = self._failed = 0
        self._started = time.monotonic()
        self._pace = Pace()

    def keep(self, answered: Answered) -> None:
        self._held.append(answered)
        self._done += 1
        self._failed += answered.outcome.status == "failed"
        self._inconclusive += answered.outcome.status == "inconclusive"
        if len(self._held) == _ANSWERS_A_FRAME:
            self._flush()
        if self._pace.is_due(at_end=self._done == self._total):
            spending = self._tools.generator.caller.spending
            cost = f"{spending.cost:.2f}" if spending.cost_is_known else "unknown"
            rate = self._done / max(time.monotonic() - self._started, 1e-9)
            state = f"{rate:.1f}/s · {self._inconclusive} inconclusive · {self._failed} failed · cost {cost}"
            self._say(f"answered {self._done} of {self._total} · {state}")

    def frames(self) -> AnswerFrames:
        self._flush()
        return AnswerFrames(
            pl.concat(part.answers for part in self._parts).sort("question_id", "pipeline", "repeat"),
            pl.concat(part.steps for part in self._parts).sort("answer_id", "step"),
            pl.concat(part.retrievals for part in self._parts).sort("answer_id", "step", "rank"),
        )

    def _flush(self) -> None:
        tools = self._tools
        self._parts.append(answer_frames(self._held, tools.embedder.name, tools.generator.name, tools.scope.as_of))
        self._held = []
