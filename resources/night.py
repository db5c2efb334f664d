"""One judging date of a home: its answers put to the study's judges, and that date's tables `verdicts` and `calls`.

Await it from any event loop.
"""

import asyncio
import datetime as dt
import time
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass

import polars as pl

from faithflow.claims.claim import ClaimKind
from faithflow.claims.extraction import Extraction
from faithflow.claims.extractor import Extracted
from faithflow.corpus.trace import Trace
from faithflow.errors import LateRunError, UserError
from faithflow.judging.anchors import answers_of_night
from faithflow.judging.dates import fresh_calls_allowed, today
from faithflow.judging.frames import extractions_of, traces_of, verdict_frame
from faithflow.judging.run import JudgedAnswer, Panelist, judge_answers
from faithflow.judging.verdict import Reason, Status
from faithflow.llm.budget import Spending
from faithflow.study.model import Study
from faithflow.tables.registry import table
from resources.home import Home
from resources.ledger import SqlLedger, open_ledger
from resources.ledger_url import ledger_url
from resources.pace import Pace
from resources.panel import open_panel
from resources.parquet import Written
from resources.warehouse import Partition

Say = Callable[[str], None]

# Rows are turned into frames by so many answers: a frame takes a tenth of the memory of the records.
_ANSWERS_A_FRAME = 500


@dataclass(frozen=True, slots=True)
class Night:
    """What judging a date wrote. `answers` were judged; `left_out` were not asked about on that (past) date;
    `dropped` rows were on claims that are no more."""

    verdicts: Written
    calls: Written
    answers: int
    left_out: int
    dropped: int


@dataclass(frozen=True, slots=True)
class StoredClaims:
    """The extractor of a night: claims are frozen inputs, read from the table `claims` as they stand there.

    `failures` gives, for the answers whose claims could not be extracted, the reason.
    """

    extractions: Mapping[str, Extraction]
    failures: Mapping[str, str]

    async def extract(self, trace: Trace) -> Extracted:
        extraction = self.extractions.get(trace.id, Extraction((), 1.0))
        if any(claim.kind is ClaimKind.UNEXTRACTED for claim in extraction.claims):
            return Extracted(extraction, self.failures.get(trace.id, Reason.PARSE.value))
        return Extracted(extraction)


async def judge_night(home: Home, study: Study, embedder: str, date: dt.date, *, late: bool, say: Say) -> Night:
    """Judge the answers of a date and merge the rows into its partition.

    What the ledger holds is not asked again. `say` hears how far it is, every few seconds. Raises LateRunError where a
    past date would need fresh calls and `late` is not set, and UserError where there is nothing to judge, a key is not
    set, or a past date had answers that are no more.
    """
    fresh = fresh_calls_allowed(date, late=late)
    warehouse = home.warehouse
    partition = {"embedder": embedder, "judging_date": date.isoformat()}
    answers = await asyncio.to_thread(warehouse.read, "judged_answers", {"embedder": embedder})
    claims = await asyncio.to_thread(warehouse.read, "claims", {"embedder": embedder})
    if answers.is_empty() or claims.is_empty():
        raise UserError(
            f"there are no answers to judge under {embedder!r}: materialize judged_answers and claims first, or use "
            "`faithflow run`"
        )
    if date != today():
        _refuse_lost_answers(home, partition, answers)
    judges = [judge.name for judge in study.judges]
    url = ledger_url(study, home.ledger)
    ledger = open_ledger(url)
    try:
        extractor = StoredClaims(extractions_of(claims), await asyncio.to_thread(_failures, ledger, claims))
        chosen = answers_of_night(answers, _earlier_verdicts(home, embedder, claims), judges, date, study.anchors)
        picked = answers.filter(pl.col("trace_id").is_in(chosen))
        left_out = 0
        async with open_panel(study, study.judges, ledger, url, date, fresh_calls=fresh) as panel:
            if not fresh:
                asked = await asyncio.to_thread(_asked, ledger, judges, date)
                picked, left_out = _of_that_date(picked, extractor, panel.judges, asked, date)
            keeper = _Keeper(embedder, picked.height, panel.spending, say)
            await judge_answers(traces_of(picked), extractor, panel.judges, study.repeats, keeper.keep)
        rows = keeper.rows()
        verdicts, dropped = await asyncio.to_thread(_merge, home, partition, rows, claims)
        calls = await asyncio.to_thread(_write_calls, home, ledger, answers, partition, date)
    finally:
        await ledger.close()
    return Night(verdicts, calls, picked.height, left_out, dropped)


class _Keeper:
    """Collects rows as frames and says now and then how far it is."""

    def __init__(self, embedder: str, answers: int, spending: Spending, say: Say) -> None:
        self._embedder, self._answers, self._spending, self._say = embedder, answers, spending, say
        self._held: list[JudgedAnswer] = []
        self._frames: list[pl.DataFrame] = []
        self._done = self._unscored = 0
        self._started = time.monotonic()
        self._pace = Pace()

    def keep(self, answer: JudgedAnswer) -> None:
        self._held.append(answer)
        self._done += 1
        self._unscored += sum(row.status == Status.UNSCORED.value for row in answer.verdicts)
        if len(self._held) == _ANSWERS_A_FRAME:
            self._flush()
        if self._pace.is_due(at_end=self._done == self._answers):
            cost = f"{self._spending.cost:.2f}" if self._spending.cost_is_known else "unknown"
            rate = self._done / max(time.monotonic() - self._started, 1e-9)
            state = f"{rate:.1f}/s · {self._unscored} unscored · cost {cost}"
            self._say(f"judged {self._done} of {self._answers} answers · {state}")

    def rows(self) -> pl.DataFrame:
        """The rows of the table `verdicts` of all answers kept."""
        self._flush()
        return pl.concat(self._frames)

    def _flush(self) -> None:
        rows = [verdict for answer in self._held for verdict in answer.verdicts]
        self._frames.append(verdict_frame(rows, self._embedder))
        self._held = []


def _refuse_lost_answers(home: Home, partition: Partition, answers: pl.DataFrame) -> None:
    """A past date keeps the rows of answers that were replaced since: it is rebuilt only from the same answers."""
    stored = home.warehouse.scan("verdicts", partition).select("trace_id").unique()
    lost = stored.join(answers.lazy(), on="trace_id", how="anti").collect()
    if lost.height:
        raise UserError(
            f"{partition['judging_date']} was judged on {lost.height} answers that are in no corpus of the study any "
            "more, so it cannot be rebuilt; its tables stay as they are"
        )


def _failures(ledger: SqlLedger, claims: pl.DataFrame) -> dict[str, str]:
    """Why claims could not be extracted, by answer: the newest failed call's reason."""
    unextracted = claims.filter(kind=ClaimKind.UNEXTRACTED.value)["trace_id"].unique().to_list()
    if not unextracted:
        return {}
    calls = ledger.calls(trace_ids=unextracted).filter(pl.col("purpose") == "extract")
    last = calls.group_by("trace_id", maintain_order=True).last().drop_nulls("reason")
    return dict(last.select("trace_id", "reason").iter_rows())


def _earlier_verdicts(home: Home, embedder: str, claims: pl.DataFrame) -> pl.DataFrame:
    """The verdicts of all dates on claims that are still there."""
    verdicts = home.warehouse.scan("verdicts", {"embedder": embedder})
    there = verdicts.join(claims.lazy(), on=["trace_id", "claim_id"], how="semi")
    return there.select("trace_id", "judge", "judging_date", "status").unique().collect(engine="streaming")


def _asked(ledger: SqlLedger, judges: Collection[str], date: dt.date) -> set[str]:
    calls = ledger.calls(judges=judges, judging_date=date)
    return set(calls.filter(pl.col("purpose") == "judge")["trace_id"])


def _of_that_date(
    picked: pl.DataFrame, extractor: StoredClaims, panel: Sequence[Panelist], asked: set[str], date: dt.date
) -> tuple[pl.DataFrame, int]:
    """The answers that were asked about on a past date, or need no call; and how many others there are."""
    some_judge_abstentions = any(panelist.judges_abstentions for panelist in panel)
    unasked: list[str] = []
    for trace in traces_of(picked.filter(~pl.col("trace_id").is_in(asked))):
        claims = extractor.extractions.get(trace.id, Extraction((), 1.0)).claims
        askable = {ClaimKind.STATEMENT, ClaimKind.ABSTENTION} if some_judge_abstentions else {ClaimKind.STATEMENT}
        if trace.evidence and any(claim.kind in askable for claim in claims):
            unasked.append(trace.id)
    kept = picked.filter(~pl.col("trace_id").is_in(unasked))
    if unasked and not asked.intersection(picked["trace_id"]):
        raise LateRunError(
            f"{date} is not today and the ledger holds no call of that date: nobody judged on it. Judge today's date, "
            "or allow a late run (its rows are marked as late)"
        )
    return kept, len(unasked)


def _merge(home: Home, partition: Partition, rows: pl.DataFrame, claims: pl.DataFrame) -> tuple[Written, int]:
    """Merge the rows into the partition; rows on claims that are no more go (a changed corpus, another extractor)."""
    with home.deriving("verdicts"):
        stored = home.warehouse.read("verdicts", partition)
        orphaned = stored.join(claims, on=["trace_id", "claim_id"], how="anti")
        if orphaned.height:
            kept = stored.join(claims, on=["trace_id", "claim_id"], how="semi")
            home.warehouse.write("verdicts", kept, partition)
        written = home.warehouse.upsert("verdicts", rows, partition)
    return written, orphaned.height


def _write_calls(home: Home, ledger: SqlLedger, answers: pl.DataFrame, partition: Partition, date: dt.date) -> Written:
    """Every attempt of that date on the answers, as the ledger holds it."""
    calls = ledger.calls(trace_ids=answers["trace_id"].to_list(), judging_date=date)
    rows = calls.with_columns(embedder=pl.lit(partition["embedder"])).select(table("calls").schema.names())
    return home.warehouse.upsert("calls", rows, partition)
