"""Two processes run into one home at once."""

import os
import subprocess
import sys
from pathlib import Path

import polars as pl
import pytest
import yaml

from faithflow.tables.registry import TABLES
from resources.home import Home
from tests.endpoint import ScriptedEndpoint
from tests.home import judge, make_house
from tests.judging import trace

ROOT = Path(__file__).parent.parent
RUN = "import sys; from faithflow.cli import main; sys.argv[0] = 'faithflow'; main()"


@pytest.mark.slow
def test_two_runs_into_one_home_lose_nothing(tmp_path: Path) -> None:
    traces = [trace(f"t{n}", claims=2) for n in range(20)]
    with ScriptedEndpoint(latency=0.02) as endpoint:
        place = make_house(tmp_path, [judge("a", endpoint.base_url)], *traces)
        study = yaml.safe_load((tmp_path / "study.yaml").read_text(encoding="utf-8"))
        other = {**study, "judges": [judge("b", endpoint.base_url)]}
        (tmp_path / "other.yaml").write_text(yaml.safe_dump(other), encoding="utf-8")
        runs = [
            subprocess.Popen(
                [sys.executable, "-c", RUN, "run", "--study", str(tmp_path / name), "--home", place.home],
                cwd=ROOT,
                env={**os.environ, "PYTHONWARNINGS": "ignore"},
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                text=True,
            )
            for name in ("study.yaml", "other.yaml")
        ]
        outputs = [run.communicate(timeout=250)[0] for run in runs]
    assert [run.returncode for run in runs] == [0, 0], "\n".join(outputs)
    warehouse = Home(Path(place.home)).warehouse
    by_judge = dict(warehouse.read("verdicts").group_by("judge").len().iter_rows())
    assert by_judge == {"a": 40, "b": 40}
    assert warehouse.read("answer_verdicts").height == 40
    assert warehouse.read("calls").height == endpoint.count == 40
    assert set(warehouse.read("trends")["judge"]) == {"a", "b"}
    assert warehouse.read("agreement").filter(pl.col("a") == "a", pl.col("b") == "b").height > 0
    for name in TABLES:
        for path in warehouse.files(name):
            assert pl.read_parquet(path).schema == TABLES[name].schema
