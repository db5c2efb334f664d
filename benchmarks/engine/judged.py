"""faithflow on the same answers: `python -m benchmarks.engine.judged URL TRACES OUT N` prints one JSON object.

The whole way of `faithflow judge`: ledger, retries, verdict rows, tables, summary, report; each phase by itself.
"""

import argparse
import asyncio
import contextlib
import datetime as dt
import importlib
import json
from collections.abc import Generator, Mapping
from dataclasses import asdict
from pathlib import Path

from benchmarks.engine.measure import Phase, Stopwatch
from faithflow.corpus.traces import read_traces
from faithflow.judging.dates import today
from faithflow.study.model import Study
from resources.judge_dir import JudgeDir, Spill
from resources.judge_run import judge_into
from resources.ledger import SqlLedger


def study_for(base_url: str, concurrency: int) -> dict[str, object]:
    """A study of one judge and a claim extractor on one endpoint, as its file would hold it."""
    model = {"provider": "openai", "model": "m", "base_url": base_url, "max_concurrency": concurrency}
    return {"claims": {"extractor": "llm", **model}, "judges": [{"name": "j", **model}]}


class TimedDir(JudgeDir):
    """The output folder, with a stopwatch at the seams of a run."""

    def __init__(self, path: Path) -> None:
        super().__init__(path, "benchmark")
        self.phases: dict[str, Phase] = {}
        self._watch = Stopwatch()

    @contextlib.contextmanager
    def spill(self) -> Generator[Spill]:
        with super().spill() as spill:
            self._watch.phase()
            yield spill

    def merge(self, spill: Spill) -> int:
        self.phases["judging"] = self._watch.phase()
        dropped = super().merge(spill)
        self.phases["tables"] = self._watch.phase()
        return dropped

    def write_calls(self, ledger: SqlLedger) -> None:
        super().write_calls(ledger)
        self.phases["calls"] = self._watch.phase()

    def write_summary(self, judging_date: dt.date, study: str, title: str) -> Mapping[str, object]:
        summary = super().write_summary(judging_date, study, title)
        self.phases["report"] = self._watch.phase()
        return summary


def main() -> None:
    # what a process loads once is in the total, not in the phases
    for name in ("aiohttp", "openai", "sqlalchemy", "faithflow.claims.abstention"):
        importlib.import_module(name)
    parser = argparse.ArgumentParser(description="faithflow as the benchmark runs it.")
    parser.add_argument("base_url")
    parser.add_argument("traces", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("concurrency", type=int)
    given = parser.parse_args()
    study = Study.model_validate(study_for(given.base_url, given.concurrency))
    out = TimedDir(given.out)
    outcome = asyncio.run(judge_into(out, read_traces(given.traces), study, study.judges, today()))
    phases = {name: asdict(phase) for name, phase in out.phases.items()}
    print(json.dumps({"rows": outcome.rows, "unscored": outcome.unscored, "phases": phases}))


if __name__ == "__main__":
    main()
