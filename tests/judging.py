"""Judging a few traces into a folder, as `faithflow judge` does, against a scripted endpoint."""

import asyncio
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import polars as pl

from faithflow.corpus.traces import read_traces
from faithflow.judging.dates import today
from faithflow.study.model import Study
from resources.judge_dir import JudgeDir
from resources.judge_run import Outcome, judge_into
from tests.endpoint import ScriptedEndpoint

EVIDENCE = ("The fund opened in March 2026.", "It pays for ferries and trains.")


def trace(trace_id: str = "t1", claims: int = 3, **more: Any) -> dict[str, Any]:
    """A trace whose claims are given, so that a test names them: k1, k2, …"""
    texts = [f"Claim number {n} of {trace_id}." for n in range(1, claims + 1)]
    return {
        "id": trace_id,
        "question": "What does the fund do?",
        "answer": " ".join(texts),
        "contexts": list(EVIDENCE),
        "claims": [{"id": f"k{n}", "text": text} for n, text in enumerate(texts, start=1)],
        **more,
    }


def study(endpoint: ScriptedEndpoint | str, *, claims: Mapping[str, Any] | None = None, **judge: Any) -> Study:
    """A study of one judge, `j`, on an endpoint; study-wide keys may be among the judge's."""
    base_url = endpoint if isinstance(endpoint, str) else endpoint.base_url
    top = {name: judge.pop(name) for name in ("budget", "repeats", "stores") if name in judge}
    settings = {"name": "j", "provider": "openai", "model": "m", "base_url": base_url, "timeout_s": 10, **judge}
    if claims is not None:
        top["claims"] = {"extractor": "llm", "provider": "openai", "model": "m", "base_url": base_url, **claims}
    return Study.model_validate({"judges": [settings], **top})


@dataclass(frozen=True)
class Judged:
    """What a run left in its folder."""

    folder: Path
    outcome: Outcome

    def table(self, name: str) -> pl.DataFrame:
        return pl.read_parquet(self.folder / f"{name}.parquet")

    @property
    def verdicts(self) -> pl.DataFrame:
        return self.table("verdicts").sort("trace_id", "claim_id", "judge", "repeat")

    def by_claim(self, column: str = "verdict", trace_id: str = "t1") -> dict[str, Any]:
        rows = self.verdicts.filter(trace_id=trace_id)
        return dict(zip(rows["claim_id"], rows[column], strict=True))

    @property
    def summary(self) -> dict[str, Any]:
        return json.loads((self.folder / "summary.json").read_text(encoding="utf-8"))


def write_traces(path: Path, traces: Sequence[Mapping[str, Any]]) -> Path:
    path.write_text("".join(json.dumps(trace, ensure_ascii=False) + "\n" for trace in traces), encoding="utf-8")
    return path


def judge(folder: Path, study: Study, *traces: Mapping[str, Any], **options: Any) -> Judged:
    """Judge traces into `folder`/out; again into the same folder to extend it."""
    return asyncio.run(judge_async(folder, study, *traces, **options))


async def judge_async(folder: Path, study: Study, *traces: Mapping[str, Any], **options: Any) -> Judged:
    """As `judge`, from a running event loop."""
    file = read_traces(write_traces(folder / "traces.jsonl", traces or [trace()]))
    date = options.pop("date", today())
    out = JudgeDir(folder / "out", corpus="test")
    return Judged(out.path, await judge_into(out, file, study, study.judges, date, **options))
