"""`faithflow calibrate`: a threshold from a user's own labels."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from faithflow.cli.calibrate import command
from faithflow.errors import UserError
from faithflow.sample import sample_traces
from tests.judging import trace, write_traces


def calibrated(*arguments: str) -> str:
    done = CliRunner().invoke(command, list(arguments), catch_exceptions=False)
    assert done.exit_code == 0, done.output
    return done.stdout


def test_the_sample_gives_a_threshold_with_an_accuracy_that_did_not_see_its_answers() -> None:
    found = json.loads(calibrated(str(sample_traces()), "--json"))
    low, high = found["interval"]
    assert 0 < found["threshold"] < 1
    assert low <= found["balanced_accuracy"] <= high
    assert found["clusters"] > 100


def test_the_text_says_what_to_write_into_the_study() -> None:
    assert "provider: baseline, params: {threshold: " in calibrated(str(sample_traces()))


def test_labels_of_one_kind_are_refused(tmp_path: Path) -> None:
    labels = [{"claim_id": f"k{n}", "verdict": "supported"} for n in (1, 2, 3)]
    path = write_traces(tmp_path / "t.jsonl", [trace(labels=labels)])
    with pytest.raises(UserError, match="needs labels of both kinds"):
        calibrated(str(path))


def test_a_judge_that_is_no_baseline_has_no_threshold(tmp_path: Path) -> None:
    study = tmp_path / "study.yaml"
    study.write_text("judges: [{name: lexical, provider: openai, model: m}]", encoding="utf-8")
    with pytest.raises(UserError, match="no baseline"):
        calibrated(str(sample_traces()), "--study", str(study))
