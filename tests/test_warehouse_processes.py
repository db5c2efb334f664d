"""Many processes write one partition, are killed, or read meanwhile: nothing is lost and nothing half is seen."""

import multiprocessing
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import polars as pl

from faithflow.tables.registry import TABLES
from resources.parquet import scan_parquet, upsert_parquet, write_parquet
from tests.table_rows import frame, verdict_row

WRITERS, ROUNDS, CLAIMS = 4, 10, 25


def _judge(path: Path, writer: int) -> None:
    for round_ in range(ROUNDS):
        rows = [verdict_row(claim_id=f"c{i}", judge=f"judge-{writer}-{round_}") for i in range(CLAIMS)]
        upsert_parquet(path, "verdicts", frame("verdicts", rows))


def test_merges_from_several_processes_lose_nothing_and_readers_see_whole_merges(tmp_path: Path) -> None:
    path = tmp_path / "verdicts.parquet"
    write_parquet(path, "verdicts", TABLES["verdicts"].empty())
    spawn = multiprocessing.get_context("spawn")
    writers = [spawn.Process(target=_judge, args=(path, writer)) for writer in range(WRITERS)]
    for writer in writers:
        writer.start()
    seen = 0
    while any(writer.is_alive() for writer in writers):
        by_judge = scan_parquet(TABLES["verdicts"], [path]).group_by("judge").len().collect()
        assert set(by_judge["len"].to_list()) <= {CLAIMS}
        assert by_judge.height >= seen
        seen = by_judge.height
    assert [writer.exitcode for writer in writers] == [0] * WRITERS
    rows = scan_parquet(TABLES["verdicts"], [path]).collect()
    assert rows.height == WRITERS * ROUNDS * CLAIMS
    assert rows["judge"].n_unique() == WRITERS * ROUNDS
    assert rows.select(TABLES["verdicts"].key).is_unique().all()


_ENDLESS = """
import sys
from pathlib import Path
from resources.parquet import upsert_parquet
from tests.table_rows import frame, verdict_row
number = 0
while True:
    rows = [verdict_row(claim_id=f"c{i}", judge=f"judge-{number}") for i in range(200)]
    upsert_parquet(Path(sys.argv[1]), "verdicts", frame("verdicts", rows))
    number += 1
    print(number, flush=True)
"""


def test_a_writer_that_is_killed_leaves_whole_merges_and_no_lock(tmp_path: Path) -> None:
    path = tmp_path / "verdicts.parquet"
    root = Path(__file__).parent.parent
    for _ in range(3):
        writer = subprocess.Popen(
            [sys.executable, "-c", _ENDLESS, str(path)], cwd=root, stdout=subprocess.PIPE, text=True
        )
        assert writer.stdout is not None
        finished = max(int(writer.stdout.readline()) for _ in range(3))
        time.sleep(0.01)
        os.kill(writer.pid, signal.SIGKILL)
        finished = max([finished, *(int(line) for line in writer.stdout.read().split())])
        writer.wait()
        by_judge = scan_parquet(TABLES["verdicts"], [path]).group_by("judge").len().collect()
        assert set(by_judge["len"].to_list()) == {200}
        assert by_judge.height >= finished
    rows = frame("verdicts", [verdict_row(claim_id="c0", judge="after")])
    upsert_parquet(path, "verdicts", rows)
    assert scan_parquet(TABLES["verdicts"], [path]).filter(pl.col("judge") == "after").collect().equals(rows)
