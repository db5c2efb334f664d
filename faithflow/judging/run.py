"""Judging many answers by a panel: a bounded number of answers open at once, each claim a row for each judge."""

import asyncio
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from faithflow.claims.claim import Claim, ClaimKind
from faithflow.claims.extraction import Extraction
from faithflow.claims.extractor import Extracted, Extractor
from faithflow.corpus.trace import Trace
from faithflow.identity import Json
from faithflow.judging.ask import Asker, Finding
from faithflow.judging.prompt import AskedClaim
from faithflow.judging.rows import Rows, Seat
from faithflow.judging.verdict import Reason, Verdict
from faithflow.llm.caller import Caller


@dataclass(frozen=True, slots=True)
class Panelist:
    """A judge of the panel. `judges_abstentions` is False for a judge that cannot say whether one is justified.

    `twin` is how many judges before it in the study send the very same (provider, endpoint, model, parameters).
    """

    name: str
    caller: Caller
    provider: str
    endpoint: str
    model: str
    params: Mapping[str, Json]
    context_window: int | None = None
    judges_abstentions: bool = True
    twin: int = 0

    def asker(self, repeat: int) -> Asker:
        return Asker(
            self.caller,
            self.provider,
            self.endpoint,
            self.model,
            self.params,
            self.context_window,
            repeat,
            self.twin,
        )


@dataclass(frozen=True, slots=True)
class JudgedAnswer:
    """One answer with its claims and the rows of all judges and repeats on them."""

    trace: Trace
    extraction: Extraction
    verdicts: tuple[Verdict, ...]


async def judge_answers(
    traces: Iterable[Trace],
    extractor: Extractor,
    panel: Sequence[Panelist],
    repeats: int,
    on_answer: Callable[[JudgedAnswer], None],
) -> None:
    """Judge each trace by each judge `repeats` times and hand each finished answer to `on_answer`, in no set order.

    Memory is bounded by the answers that are open, not by their number. Raises what a sink raises, and LateRunError
    where a past judging date cannot be rebuilt from the ledger.
    """
    source = iter(traces)

    async def work() -> None:
        for trace in source:
            on_answer(await _judge_answer(trace, extractor, panel, repeats))

    try:
        async with asyncio.TaskGroup() as workers:
            for _ in range(_open_answers(panel, repeats)):
                workers.create_task(work())
    except BaseExceptionGroup as group:
        raise group.exceptions[0] from None


def _open_answers(panel: Sequence[Panelist], repeats: int) -> int:
    """Enough open answers to keep the widest judge busy, and few enough to leave little half done at a kill."""
    widest = max(panelist.caller.limiter.max_concurrency for panelist in panel)
    return max(2, -(-2 * widest // repeats))


async def _judge_answer(trace: Trace, extractor: Extractor, panel: Sequence[Panelist], repeats: int) -> JudgedAnswer:
    extracted = await extractor.extract(trace)
    rows = Rows(trace)
    parts = await asyncio.gather(
        *(_judge_once(rows, extracted, panelist, repeat) for panelist in panel for repeat in range(repeats))
    )
    return JudgedAnswer(trace, extracted.extraction, tuple(row for part in parts for row in part))


async def _judge_once(rows: Rows, extracted: Extracted, panelist: Panelist, repeat: int) -> list[Verdict]:
    seat = Seat(panelist.name, repeat, panelist.caller.judging_date)
    if extracted.failure is not None:
        failed = Finding(None, Reason(extracted.failure), None)
        return [rows.found(seat, claim, failed) for claim in extracted.extraction.claims]
    done: dict[str, Verdict] = {}
    asked: dict[str, Claim] = {}
    for number, claim in enumerate((claim for claim in extracted.extraction.claims if claim.is_judged), start=1):
        local_id = f"c{number}"
        if claim.kind is ClaimKind.ABSTENTION and not panelist.judges_abstentions:
            done[local_id] = rows.not_applicable(seat, claim)
        elif not rows.exhibits:
            done[local_id] = rows.without_evidence(seat, claim)
        else:
            asked[local_id] = claim
    if asked:
        local = [AskedClaim(local_id, claim.text, claim.kind) for local_id, claim in asked.items()]
        findings = await panelist.asker(repeat).ask(rows.trace.id, rows.trace.question, rows.exhibits, local)
        done |= {local_id: rows.found(seat, claim, findings[local_id]) for local_id, claim in asked.items()}
    return [done[local_id] for local_id in sorted(done, key=lambda name: int(name[1:]))]
