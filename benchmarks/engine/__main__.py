"""`python -m benchmarks.engine`: the engine beside a bare loop over the same SDK, and under faults, load and a kill."""

import argparse
import os
import statistics
import tempfile
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

from benchmarks.engine.corpus import write_traces
from benchmarks.engine.kill import killed_and_resumed
from benchmarks.engine.run import Load, Run, run_bare, run_judged

_CLAIMS = 6
_RATE_LIMITED, _CUT = 0.05, 0.02
_PHASES = ("judging", "tables", "calls", "report")


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.engine", description=__doc__)
    parser.add_argument("--answers", type=int, default=200, help="answers of six claims each")
    parser.add_argument("--latency", type=float, nargs="+", default=[0.05, 0.5], help="seconds a call takes")
    parser.add_argument("--concurrency", type=int, default=16)
    parser.add_argument("--rounds", type=int, default=3, help="runs of each variant, in turn; medians are shown")
    parser.add_argument("--memory", type=int, nargs="*", default=[200, 2_000, 20_000], help="answers of these runs")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch)
        traces = write_traces(folder / "traces.jsonl", given.answers, _CLAIMS)
        loads = [Load(traces, given.answers, _CLAIMS, latency, given.concurrency) for latency in given.latency]
        print(f"{given.answers} answers of {_CLAIMS} claims, concurrency {given.concurrency}, {os.cpu_count()} cores\n")
        _beside_the_loop(folder, loads, given.rounds)
        _under_faults(folder, loads[0])
        _killed(folder, loads[0])
        _memory(folder, given.memory, given.concurrency)


def _beside_the_loop(folder: Path, loads: Iterable[Load], rounds: int) -> None:
    rows: list[list[str]] = []
    for load in loads:
        bare, ours = [], []
        for number in range(rounds):
            bare.append(run_bare(load))
            ours.append(run_judged(load, folder / f"out-{load.latency_s}-{number}"))
        two_calls = bare[0].served.tokens
        for name, runs in (("bare loop", bare), ("faithflow", ours)):
            rows.append([f"{1000 * load.latency_s:g} ms", name, *_compared(runs, two_calls)])
    head = ["latency", "variant", "calls", "tokens", "of two calls", "CPU ms/call", "ideal s", "wall s", "ideal/wall"]
    _table("Beside a bare loop over the same SDK", [*head, "tables, report s", "total s", "load"], rows)


def _compared(runs: Sequence[Run], two_calls: int) -> list[str]:
    def median(figure: Callable[[Run], float]) -> float:
        return statistics.median(figure(run) for run in runs)

    after = [name for name in _PHASES[1:] if name in runs[0].phases]
    tokens = runs[0].served.tokens
    return [
        f"{runs[0].served.requests}",
        f"{tokens:,}",
        f"{tokens / two_calls:.3f}",
        f"{median(lambda run: run.cpu_ms_per_call):.2f}",
        f"{runs[0].load.ideal_s:.2f}",
        f"{median(lambda run: run.served.wall_s):.2f}",
        f"{median(lambda run: run.ideal_to_wall):.2f}",
        f"{median(lambda run: sum(run.phases[name].wall_s for name in after)):.1f}" if after else "",
        f"{median(lambda run: run.total_s):.1f}",
        f"{os.getloadavg()[0]:.1f}",
    ]


def _under_faults(folder: Path, load: Load) -> None:
    faulty = Load(
        load.traces, load.answers, load.claims, load.latency_s, load.concurrency, rate_limited=_RATE_LIMITED, cut=_CUT
    )
    run = run_judged(faulty, folder / "faults")
    figures = [run.served.requests, run.served.rate_limited, run.served.answered, f"{run.served.tokens:,}", run.rows]
    _table(
        f"With {_RATE_LIMITED:.0%} of 429s and {_CUT:.0%} of replies cut in half",
        ["calls", "of them 429", "answered", "tokens", "rows", "lost", "wrong", "unscored", "wall s"],
        # run_judged raises where one is lost, wrong or unscored
        [[*map(str, figures), "0", "0", "0", f"{run.served.wall_s:.2f}"]],
    )


def _killed(folder: Path, load: Load) -> None:
    found = killed_and_resumed(folder, load.traces, load.calls, load.latency_s, load.concurrency)
    again = found.calls - load.calls
    if not found.same_verdicts or again > load.concurrency:
        raise RuntimeError(f"a killed run went wrong: {found}")
    _table(
        "Killed in the middle (kill -9) and started again",
        ["calls needed", "seen at the kill", "seen in all", "made again", "verdicts"],
        [[str(load.calls), str(found.calls_at_kill), str(found.calls), str(again), "equal to those of a run in peace"]],
    )


def _memory(folder: Path, sizes: Sequence[int], concurrency: int) -> None:
    rows: list[list[str]] = []
    for answers in sizes:
        traces = write_traces(folder / f"traces-{answers}.jsonl", answers, _CLAIMS)
        run = run_judged(Load(traces, answers, _CLAIMS, 0.0, concurrency), folder / f"memory-{answers}")
        peaks = [f"{run.phases[name].peak_mib:.0f}" for name in _PHASES]
        walls = [f"{run.phases[name].wall_s:.1f}" for name in _PHASES]
        rows.append([f"{answers:,}", *(f"{peak} ({wall})" for peak, wall in zip(peaks, walls, strict=True))])
    if rows:
        _table("Peak memory in MiB (and seconds) by phase, latency 0", ["answers", *_PHASES], rows)


def _table(title: str, head: Sequence[str], rows: Iterable[Sequence[str]]) -> None:
    print(f"### {title}\n")
    for cells in (head, ["---"] * len(head), *rows):
        print(f"| {' | '.join(cells)} |")
    print(flush=True)


if __name__ == "__main__":
    main()
