"""`faithflow judge` killed in the middle and started again: which calls are made, and whether the verdicts agree."""

import json
import subprocess
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import polars as pl

from benchmarks.engine.judged import study_for
from benchmarks.engine.server import ROOT, served, serving

_PATIENCE_S = 120.0


@dataclass(frozen=True, slots=True)
class Killed:
    """Calls that the endpoint saw up to the kill and in all, and whether the verdicts are those of a run in peace."""

    calls_at_kill: int
    calls: int
    same_verdicts: bool


def killed_and_resumed(folder: Path, traces: Path, calls: int, latency_s: float, concurrency: int) -> Killed:
    """Kill the command when half of its `calls` have been seen, run it again, and run it once undisturbed."""
    with serving(latency_s) as url:
        command = judge_command(folder / "killed", traces, url, concurrency)
        with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
            deadline = time.monotonic() + _PATIENCE_S
            while served(url).requests < calls // 2 and process.poll() is None and time.monotonic() < deadline:
                time.sleep(0.005)
            process.kill()
        at_kill = served(url).requests
        _finish(command)
        seen = served(url).requests
    with serving(latency_s) as url:
        _finish(judge_command(folder / "peace", traces, url, concurrency))
    same = _verdicts(folder / "killed").equals(_verdicts(folder / "peace"))
    return Killed(at_kill, seen, same)


def judge_command(out: Path, traces: Path, base_url: str, concurrency: int) -> Sequence[str]:
    """The command line that judges `traces` into `out`, with its study beside that folder."""
    study = out.parent / f"{out.name}.yaml"
    study.write_text(json.dumps(study_for(base_url, concurrency)))  # JSON is YAML
    program = Path(sys.executable).with_name("faithflow")
    return [str(program), "judge", str(traces), "--study", str(study), "--out", str(out)]


def _finish(command: Sequence[str]) -> None:
    ended = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    if ended.returncode:
        raise RuntimeError(f"faithflow judge ended with {ended.returncode}:\n{ended.stderr}")


def _verdicts(out: Path) -> pl.DataFrame:
    """All verdicts but for when they were asked for and by which call."""
    return pl.read_parquet(out / "verdicts.parquet").drop("judged_at", "call_id").sort(pl.all().exclude(pl.List))
