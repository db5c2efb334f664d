"""Processor time and memory of this process, threads included. Linux only, as it reads /proc."""

import resource
import time
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Phase:
    """What a part of a run took: wall and processor seconds, and the most memory that was resident meanwhile."""

    wall_s: float
    cpu_s: float
    peak_mib: float


class Stopwatch:
    """Cuts a run into phases. Each `phase` call ends the running one and gives what it took."""

    def __init__(self) -> None:
        self._start()

    def phase(self) -> Phase:
        now, cpu = time.perf_counter(), _cpu_s()
        ended = Phase(now - self._wall, cpu - self._cpu, _peak_mib())
        self._start()
        return ended

    def _start(self) -> None:
        # from here on the peak is that of the next phase
        Path("/proc/self/clear_refs").write_text("5")
        self._wall, self._cpu = time.perf_counter(), _cpu_s()


def _cpu_s() -> float:
    usage = resource.getrusage(resource.RUSAGE_SELF)
    return usage.ru_utime + usage.ru_stime


def _peak_mib() -> float:
    for line in Path("/proc/self/status").read_text().splitlines():
        if line.startswith("VmHWM:"):
            return int(line.split()[1]) / 1024
    raise RuntimeError("/proc/self/status has no VmHWM: this benchmark runs on Linux")
