"""A real small language model as a judge, over real answers, through the whole of `faithflow judge`."""

import asyncio
import json
import subprocess
import sys
from pathlib import Path

import pytest

from faithflow.corpus.traces import read_traces
from faithflow.judging.dates import today
from faithflow.study.model import Study
from resources.judge_dir import JudgeDir
from resources.judge_run import judge_into
from tests.judging import write_traces
from tests.small_llm import CONTEXT_TOKENS, SmallLlm

ROOT = Path(__file__).parents[1]


@pytest.fixture
def twenty_answers(data: Path, tmp_path: Path) -> Path:
    """The ten shortest of RAGTruth's answers in which people found a fault and the ten shortest without one.

    Short ones, because the model takes seconds for a claim here.
    """
    source = data / "ragtruth_qa" / "responses.jsonl.gz"
    if not source.is_file():
        pytest.skip(f"no RAGTruth answers at {source}")
    whole = tmp_path / "all.jsonl"
    converter = [sys.executable, str(ROOT / "examples" / "convert_ragtruth.py"), str(source), str(whole)]
    subprocess.run(converter, check=True, capture_output=True)
    traces = [json.loads(line) for line in whole.read_text(encoding="utf-8").splitlines()]
    traces.sort(key=lambda trace: (len(trace["answer"]), trace["id"]))
    faulty = [trace for trace in traces if trace["labels"]]
    faithful = [trace for trace in traces if not trace["labels"]]
    return write_traces(tmp_path / "twenty.jsonl", faulty[:10] + faithful[:10])


@pytest.mark.llm
@pytest.mark.data
@pytest.mark.slow
@pytest.mark.timeout(1500)
def test_a_small_model_judges_twenty_real_answers(
    small_llm: SmallLlm, twenty_answers: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    study = Study.model_validate(
        {
            "judges": [
                {
                    "name": "smollm2",
                    "provider": "openai",
                    "model": small_llm.model,
                    "base_url": small_llm.base_url,
                    "params": {"temperature": 0, "seed": 1},
                    "context_window": CONTEXT_TOKENS,
                    "max_concurrency": 1,
                    "timeout_s": 300,
                }
            ]
        }
    )
    traces = read_traces(twenty_answers)
    out = JudgeDir(tmp_path / "out", corpus="ragtruth")
    outcome = asyncio.run(judge_into(out, traces, study, study.judges, today()))
    summary = json.loads((out.path / "summary.json").read_text(encoding="utf-8"))
    numbers, against = summary["judges"]["smollm2"], summary["labels"][0]
    with capsys.disabled():
        print(
            f"\nSmolLM2-135M on 20 RAGTruth answers: {numbers['claims']} claims, {numbers['scored']} scored, "
            f"{numbers['supported']} supported, unscored {numbers['unscored']}, {numbers['calls']} calls; against the "
            f"human labels: n {against['n']}, raw {against['raw']}, kappa {against['kappa']} "
            f"{against['kappa_interval']}, AC1 {against['ac1']} {against['ac1_interval']}, table {against['table']}"
        )
    assert outcome.answers == 20
    assert (
        numbers["scored"] + sum(numbers["unscored"].values()) + sum(numbers["not_applicable"].values()) == outcome.rows
    )
    assert numbers["scored"] > outcome.rows / 2
    assert numbers["prompt_tokens"] > 0
    assert against["n"] > 0
