"""`faithflow judge` without its command line: a traces file judged into a folder. Await it from any event loop."""

import asyncio
import datetime as dt
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from faithflow.corpus.traces import TraceFile
from faithflow.judging.dates import fresh_calls_allowed
from faithflow.judging.run import JudgedAnswer, judge_answers
from faithflow.judging.verdict import Status
from faithflow.llm.budget import Spending
from faithflow.study.model import Judge, Study
from resources.dry_run import CountedExtractor, Counters, Estimate, UntouchedLedger
from resources.judge_dir import JudgeDir
from resources.ledger import open_ledger
from resources.ledger_url import ledger_url
from resources.panel import open_panel

OnAnswer = Callable[[JudgedAnswer, Spending], None]


@dataclass(slots=True)
class Outcome:
    """What a run judged: `rows` of this run, of which `unscored` by reason, and the summary of the whole folder.

    `failures` is what the newest failed call of each judge (or of the claim extractor) said.
    """

    answers: int
    rows: int
    unscored: dict[str, int]
    summary: Mapping[str, object]
    failures: dict[str, str]
    dropped: int = 0


async def judge_into(
    out: JudgeDir,
    traces: TraceFile,
    study: Study,
    judges: Sequence[Judge],
    judging_date: dt.date,
    *,
    late: bool = False,
    on_answer: OnAnswer = lambda _answer, _spending: None,
) -> Outcome:
    """Judge every trace by every judge, merge the rows into the folder and write its summary and report.

    What is answered already comes from the ledger; a run that was stopped goes on where it was. `on_answer` hears of
    each finished answer. Raises UserError (nothing called), and LateRunError where a past date would need fresh calls.
    """
    fresh = fresh_calls_allowed(judging_date, late=late)
    await asyncio.to_thread(out.prepare)
    await asyncio.to_thread(out.refuse_changed, traces)
    outcome = Outcome(0, 0, {}, {}, {})
    url = ledger_url(study, out.ledger)
    ledger = open_ledger(url)
    try:
        with out.spill() as spill:
            async with open_panel(study, judges, ledger, url, judging_date, fresh_calls=fresh) as panel:

                def keep(answer: JudgedAnswer) -> None:
                    spill.add(answer)
                    outcome.answers += 1
                    outcome.rows += len(answer.verdicts)
                    for row in answer.verdicts:
                        if row.status == Status.UNSCORED.value and row.reason:
                            outcome.unscored[row.reason] = outcome.unscored.get(row.reason, 0) + 1
                    on_answer(answer, panel.spending)

                await judge_answers(traces, panel.extractor, panel.judges, study.repeats, keep)
                outcome.failures = {c.name: c.last_failure for c in panel.callers if c.last_failure is not None}
            outcome.dropped = await asyncio.to_thread(out.merge, spill)
        await asyncio.to_thread(out.write_calls, ledger)
    finally:
        await ledger.close()
    title = f"Faithfulness of {traces.path.name}"
    outcome.summary = await asyncio.to_thread(out.write_summary, judging_date, study.name, title)
    return outcome


async def estimate(
    out: JudgeDir,
    traces: TraceFile,
    study: Study,
    judges: Sequence[Judge],
    judging_date: dt.date,
    *,
    late: bool = False,
) -> dict[str, Estimate]:
    """What `judge_into` would ask, by judge; nobody is called and nothing is written. Refuses what it refuses."""
    fresh = fresh_calls_allowed(judging_date, late=late)
    await asyncio.to_thread(out.refuse_changed, traces)
    url = ledger_url(study, out.ledger)
    exists = study.stores.ledger_url_env is not None or out.ledger.exists()
    ledger = open_ledger(url) if exists else None
    try:
        untouched = UntouchedLedger(ledger)
        counters = Counters()
        async with open_panel(
            study, judges, untouched, url, judging_date, fresh_calls=fresh, connect=counters.connect
        ) as panel:
            extractor = CountedExtractor(panel.extractor)
            await judge_answers(traces, extractor, panel.judges, study.repeats, lambda _answer: None)
        return {name: provider.estimate for name, provider in counters.by_name.items()}
    finally:
        if ledger is not None:
            await ledger.close()
