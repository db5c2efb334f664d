"""The scripts of examples/: converters, a judge of one's own, a study of language models."""

import importlib.util
import json
import subprocess
import sys
import threading
import urllib.request
from collections.abc import Iterator
from http.server import ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from faithflow.claims.claim import ClaimKind
from faithflow.corpus.traces import read_traces
from faithflow.judging.prompt import AskedClaim, Exhibit, messages_for
from faithflow.study.load import load_study

EXAMPLES = Path(__file__).parents[1] / "examples"

RAGTRUTH = {
    "id": "11",
    "source_id": "7",
    "task_type": "QA",
    "model": "model-a",
    "question": "Who pays?",
    "passages": "passage 1:The city pays.\n\npassage 2:See passage 3: none.\n\n",
    "response": "The city pays. It is cheap.",
    "labels": [{"start": 15, "end": 27, "text": "It is cheap.", "label_type": "Evident Baseless Info", "meta": ""}],
}
EURLEX = {
    "run_id": "run-1",
    "samples": [
        {
            "_id": "s0",
            "_category": "lookup",
            "_scores": {"faithfulness": 1.0},
            "user_input": "What?",
            "retrieved_contexts": ["A.", "B."],
            "response": "A.",
            "reference": "G",
        }
    ],
}


def convert(script: str, *arguments: str | Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, str(EXAMPLES / script), *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)


def test_ragtruth_becomes_traces_with_passages_models_and_spans(tmp_path: Path):
    source, target = tmp_path / "in.jsonl", tmp_path / "out.jsonl"
    other_task = {**RAGTRUTH, "id": "12", "task_type": "Summary"}
    source.write_text(json.dumps(RAGTRUTH) + "\n" + json.dumps(other_task) + "\n")
    done = convert("convert_ragtruth.py", source, target)
    assert done.returncode == 0, done.stderr
    assert "1 traces written" in done.stderr
    (trace,) = read_traces(target)
    assert (trace.id, trace.pipeline, trace.question) == ("11", "model-a", "Who pays?")
    assert [(c.id, c.text) for c in trace.contexts] == [("7-1", "The city pays."), ("7-2", "See passage 3: none.")]
    assert trace.labels is not None
    assert [(label.verdict, label.start, label.end) for label in trace.labels] == [("not_in_evidence", 15, 27)]


@pytest.mark.parametrize(
    ("line", "error"),
    [
        ("{", "line 1: not JSON"),
        ("[]", "line 1: not an object"),
        (json.dumps({**RAGTRUTH, "passages": "no heading"}), 'line 1: "passages" does not begin'),
        (json.dumps({"id": "1", "response": "x"}), "line 1: no source_id, model"),
    ],
)
def test_a_wrong_ragtruth_line_is_named_and_leaves_no_traces(tmp_path: Path, line: str, error: str):
    source, target = tmp_path / "in.jsonl", tmp_path / "out.jsonl"
    source.write_text(line + "\n")
    done = convert("convert_ragtruth.py", source, target)
    assert done.returncode == 2
    assert error in done.stderr
    assert not target.exists()


def test_eurlex_runs_become_traces_by_run_and_category(tmp_path: Path):
    source, target = tmp_path / "run.json", tmp_path / "out.jsonl"
    source.write_text(json.dumps(EURLEX))
    done = convert("convert_eurlex_rag.py", source, "-o", target)
    assert done.returncode == 0, done.stderr
    (trace,) = read_traces(target)
    assert (trace.id, trace.pipeline, trace.stratum, trace.labels) == ("run-1/s0", "run-1", "lookup", None)
    assert [context.text for context in trace.contexts] == ["A.", "B."]
    assert trace.gold == {"answer": "G"}


@pytest.mark.parametrize(
    ("run", "error"),
    [
        ("[]", "not a run file"),
        (json.dumps({"run_id": "r", "samples": [{"_id": "s"}]}), "samples[0]: no _category, user_input"),
        ("{", "not JSON"),
    ],
)
def test_a_wrong_eurlex_run_is_named(tmp_path: Path, run: str, error: str):
    source = tmp_path / "run.json"
    source.write_text(run)
    done = convert("convert_eurlex_rag.py", source, "-o", tmp_path / "out.jsonl")
    assert done.returncode == 2
    assert error in done.stderr


@pytest.mark.data
def test_the_real_ragtruth_answers_convert_whole(tmp_path: Path, data: Path):
    target = tmp_path / "ragtruth.jsonl"
    done = convert("convert_ragtruth.py", data / "ragtruth_qa" / "responses.jsonl.gz", target)
    assert done.returncode == 0, done.stderr
    traces = read_traces(target)
    assert (traces.count, traces.warnings) == (437, ())
    all_traces = list(traces)
    assert {len(trace.contexts) for trace in all_traces} == {3}
    verdicts = [label.verdict for trace in all_traces for label in trace.labels or ()]
    assert (verdicts.count("not_in_evidence"), verdicts.count("contradicted")) == (93, 20)


@pytest.mark.data
def test_the_real_eurlex_runs_convert_whole(tmp_path: Path, data: Path):
    target = tmp_path / "eurlex.jsonl"
    runs = sorted((data / "eurlex_rag").glob("*__n*.json.gz"))
    done = convert("convert_eurlex_rag.py", *runs, "-o", target)
    assert done.returncode == 0, done.stderr
    traces = read_traces(target)
    assert (traces.count, traces.warnings) == (124, ())
    assert {trace.pipeline for trace in traces} == {run.name.removesuffix(".json.gz") for run in runs}


@pytest.fixture
def my_judge() -> Iterator[str]:
    spec = importlib.util.spec_from_file_location("my_judge", EXAMPLES / "my_judge.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    quiet = type("Quiet", (module.Judge,), {"log_message": lambda *_: None})
    server = ThreadingHTTPServer(("127.0.0.1", 0), quiet)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    yield f"http://127.0.0.1:{server.server_address[1]}/v1/chat/completions"
    server.shutdown()
    server.server_close()
    thread.join()


def test_the_judge_of_ones_own_understands_what_faithflow_asks(my_judge: str):
    evidence = [Exhibit("e1", "web", "Fees fall in 2027."), Exhibit("e2", None, "Caps {rise}\nby 5%.")]
    claims = [
        AskedClaim("c1", "Fees fall.", ClaimKind.STATEMENT),
        AskedClaim("c2", "Nurses were hired.", ClaimKind.STATEMENT),
    ]
    messages = [{"role": m.role, "content": m.content} for m in messages_for("What changes?", evidence, claims)]
    body = json.dumps({"model": "mine", "messages": messages}).encode()
    request = urllib.request.Request(my_judge, data=body, headers={"Content-Type": "application/json"})
    with urllib.request.urlopen(request, timeout=10) as response:
        reply: dict[str, Any] = json.load(response)
    verdicts = json.loads(reply["choices"][0]["message"]["content"])["verdicts"]
    assert [(v["id"], v["verdict"], v["evidence"]) for v in verdicts] == [
        ("c1", "supported", ["e1"]),
        ("c2", "not_in_evidence", []),
    ]


def test_the_study_of_language_models_is_valid():
    study = load_study(EXAMPLES / "study.openai.yaml")
    assert [judge.name for judge in study.judges] == ["gpt-4.1", "sonnet", "gemini", "local", "lexical"]
    assert all(judge.price is not None for judge in study.judges if judge.api_key_env)


def test_the_study_of_documents_is_valid_and_can_be_held_to_its_budget():
    study = load_study(EXAMPLES / "study.documents.yaml")
    assert study.partitions == ("openai-small", "lsa")
    assert study.generator.price is not None
    assert [corpus.name for corpus in study.corpora] == ["mine", "commission"]
