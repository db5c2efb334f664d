"""One run of one variant: a fresh endpoint, a fresh process, its figures, and whether its rows are right."""

import json
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path

import polars as pl

from benchmarks.engine.corpus import verdict_of
from benchmarks.engine.measure import Phase
from benchmarks.engine.server import ROOT, Served, served, serving


@dataclass(frozen=True, slots=True)
class Load:
    """What is judged and how: `answers` of `claims` claims each, two calls an answer."""

    traces: Path
    answers: int
    claims: int
    latency_s: float
    concurrency: int
    rate_limited: float = 0.0
    cut: float = 0.0

    @property
    def calls(self) -> int:
        return 2 * self.answers

    @property
    def ideal_s(self) -> float:
        return self.calls * self.latency_s / self.concurrency


@dataclass(frozen=True, slots=True)
class Run:
    """What a run did: rows, what the endpoint served, its phases, and the wall time of the whole process."""

    load: Load
    rows: int
    served: Served
    phases: dict[str, Phase]
    total_s: float

    @property
    def cpu_ms_per_call(self) -> float:
        return 1000 * self.phases["judging"].cpu_s / self.served.requests

    @property
    def ideal_to_wall(self) -> float:
        return self.load.ideal_s / self.served.wall_s


def run_bare(load: Load) -> Run:
    """The bare loop. Raises RuntimeError where it fails or misses a verdict."""
    run = _run("bare", load, [])
    if run.rows != load.answers * load.claims:
        raise RuntimeError(f"the bare loop got {run.rows} verdicts for {load.answers * load.claims} claims")
    return run


def run_judged(load: Load, out: Path) -> Run:
    """faithflow into `out`. Raises RuntimeError where it fails, or where a row is lost, wrong or unscored."""
    run = _run("judged", load, [str(out)])
    check(out, load.answers * load.claims)
    return run


def check(out: Path, claims: int) -> None:
    """Raise RuntimeError unless the folder holds the right verdict on every one of `claims` claims."""
    rows = pl.read_parquet(out / "verdicts.parquet", columns=["claim", "status", "reason", "verdict"])
    if rows.height != claims:
        raise RuntimeError(f"{out}: {rows.height} rows for {claims} claims")
    unscored = rows.filter(pl.col("status") != "scored")
    if unscored.height:
        raise RuntimeError(f"{out}: unscored rows: {unscored['reason'].value_counts().rows()}")
    wrong = [claim for claim, _, _, verdict in rows.iter_rows() if verdict != verdict_of(claim)]
    if wrong:
        raise RuntimeError(f"{out}: {len(wrong)} wrong verdicts, the first on {wrong[0]!r}")


def _run(module: str, load: Load, more: list[str]) -> Run:
    with serving(load.latency_s, load.rate_limited, load.cut) as url:
        command = [sys.executable, "-m", f"benchmarks.engine.{module}", url, str(load.traces), *more]
        start = time.perf_counter()
        ended = subprocess.run([*command, str(load.concurrency)], cwd=ROOT, capture_output=True, text=True, check=False)
        total_s = time.perf_counter() - start
        if ended.returncode:
            raise RuntimeError(f"{module} failed:\n{ended.stderr}")
        found = json.loads(ended.stdout)
        phases = {name: Phase(**phase) for name, phase in found["phases"].items()}
        return Run(load, found["rows"], served(url), phases, total_s)
