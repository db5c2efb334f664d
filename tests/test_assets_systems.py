"""Documents to report: a small study run as users run it, twice and once more with another question, and its answers
held to who may read what, and to the trajectory that is stored of them."""

import json
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import dagster as dg
import polars as pl
import pytest
from click.testing import Result

from faithflow.pipelines.model import PIPELINES
from faithflow.tables.registry import TABLES
from resources.dagster_instance import open_instance
from resources.home import Home
from resources.house import House
from resources.systems import graph_name
from resources.warehouse import Warehouse
from tests.conftest import remove_graph
from tests.endpoint import ScriptedEndpoint
from tests.home import failures, judge, materialize
from tests.scripted import JsonObject
from tests.systems import OLD, QUESTIONS, SECRET, make, model, run, serve, task_of, write_study

LEXICAL = {"name": "lexical", "provider": "baseline"}
EMBEDDERS = [{"name": "lsa", "provider": "lsa"}, {"name": "small", "provider": "lsa", "dimensions": 4}]
NEW = {"id": "q_quay", "question": "What does the charging quay of Norrvik cost?"}
EMPTY = {"traces", "labels", "gold_triples", "triple_verdicts", "stability"}
"""The tables that a study without answers brought along, gold triples and repeats leaves empty."""


@dataclass(frozen=True)
class Made:
    """What one run wrote, and how many requests of each task it made."""

    tables: Mapping[str, pl.DataFrame]
    asked: Mapping[str, int]
    versions: Mapping[tuple[str, str | None], str] = field(default_factory=dict[tuple[str, str | None], str])
    result: Result | None = None


@dataclass(frozen=True)
class Small:
    """A home that was run twice, `again` with nothing changed, and made with one `more` question up to the verdicts;
    `checks` passed in the runs, as asset and check."""

    home: Home
    first: Made
    again: Made
    more: Made
    checks: set[tuple[str, str]]


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Small]:
    folder = tmp_path_factory.mktemp("small")
    with ScriptedEndpoint(serve()) as endpoint:

        def written(*questions: JsonObject) -> House:
            return write_study(
                folder,
                [judge("a", endpoint.base_url), LEXICAL],
                questions=[*QUESTIONS, *questions],
                embedders=EMBEDDERS,
                generator=model(endpoint.base_url),
            )

        def asked(since: int) -> Mapping[str, int]:
            return Counter(task_of(request.json) for request in endpoint.requests[since:])

        def once() -> Made:
            place, before = written(), endpoint.count
            result = run(place)
            return Made(tables(place), asked(before), versions(place), result)

        first, again, before = once(), once(), endpoint.count
        place = written(NEW)
        make(place, "verdicts")
        home = place.open_home()
        yield Small(home, first, again, Made(tables(place), asked(before)), passed_checks(home))


def tables(place: House) -> Mapping[str, pl.DataFrame]:
    warehouse = place.open_home().warehouse
    return {name: warehouse.read(name) for name in TABLES}


def versions(place: House) -> dict[tuple[str, str | None], str]:
    """The newest data version of each asset and partition."""
    found: dict[tuple[str, str | None], str] = {}
    with open_instance(place.open_home()) as instance:
        for key in instance.all_asset_keys():
            for record in reversed(instance.fetch_materializations(key, limit=1000).records):
                made = record.asset_materialization
                assert made
                found[key.to_user_string(), made.partition] = (made.tags or {})["dagster/data_version"]
    return found


def passed_checks(home: Home) -> set[tuple[str, str]]:
    with open_instance(home) as instance:
        runs = instance.get_runs()
        evaluated = [
            event.asset_check_evaluation_data
            for each in runs
            for event in (entry.dagster_event for entry in instance.all_logs(each.run_id))
            if event and event.event_type is dg.DagsterEventType.ASSET_CHECK_EVALUATION
        ]
    return {(each.asset_key.to_user_string(), each.check_name) for each in evaluated if each.passed}


@pytest.mark.slow
def test_a_run_goes_from_documents_to_the_report_and_makes_every_table(small: Small) -> None:
    assert small.first.result
    assert small.first.result.exception is None
    assert small.first.result.return_value == 0
    assert {name for name, frame in small.first.tables.items() if frame.is_empty()} == EMPTY
    assert {path.name for path in small.home.report.iterdir()} >= {"index.html", "report.md", "summary.json"}
    assert small.home.published.exists()


@pytest.mark.slow
@pytest.mark.parametrize(
    "name", [name for name in TABLES if "embedder" in TABLES[name].partition and name not in EMPTY]
)
def test_both_embedders_have_a_partition_of_every_table(small: Small, name: str) -> None:
    assert set(small.first.tables[name]["embedder"]) == {"lsa", "small"}


@pytest.mark.slow
def test_every_pipeline_answers_every_question_under_both_embedders(small: Small) -> None:
    answers = small.first.tables["answers"]
    cells = answers.group_by("embedder", "pipeline", "question_id").len()
    assert cells.height == 2 * 4 * len(QUESTIONS)
    assert set(cells["len"]) == {1}
    assert set(answers["status"]) <= {"answered", "inconclusive"}


@pytest.mark.slow
def test_the_answers_are_judged_under_both_embedders_by_both_judges(small: Small) -> None:
    verdicts = small.first.tables["verdicts"]
    answered = small.first.tables["answers"].filter(status="answered")
    assert set(verdicts["trace_id"]) >= set(answered["answer_id"])
    assert set(verdicts.select("embedder", "judge").iter_rows()) == {
        (embedder, name) for embedder in ("lsa", "small") for name in ("a", "lexical")
    }


@pytest.mark.slow
def test_the_report_shows_what_was_retrieved_and_cited_by_each_system(small: Small) -> None:
    page = (small.home.report / "index.html").read_text(encoding="utf-8")
    for words in ("vanilla · lsa", "graphrag · small", "Retrieved and cited"):
        assert words in page
    assert json.loads((small.home.report / "summary.json").read_text(encoding="utf-8"))["judges"]["a"]["scored"] > 0


@pytest.mark.slow
def test_a_second_run_makes_no_call_and_leaves_every_data_version_as_it_was(small: Small) -> None:
    assert small.again.result
    assert small.again.result.return_value == 0
    assert small.again.asked == {}
    assert small.again.versions == small.first.versions
    assert set(small.first.versions) >= {("answers", "lsa"), ("answers", "small"), ("graph_store", None)}


@pytest.mark.slow
def test_another_question_asks_for_its_own_answers_alone(small: Small) -> None:
    before, after = (each.tables["answers"] for each in (small.first, small.more))
    new = after.join(before, on="answer_id", how="anti")
    assert set(new["question_id"]) == {NEW["id"]}
    assert new.height == 2 * 4
    assert after.height == before.height + new.height
    # one answer of each pipeline, but for those that two embedders bring the same evidence for
    assert 4 <= small.more.asked["answer"] <= new.height
    assert small.more.asked["judge"] <= new.height


@pytest.mark.slow
def test_every_answer_was_held_to_its_replay(small: Small) -> None:
    assert {("answers", "replayable"), ("answers", "contract"), ("verdicts", "contract")} <= small.checks
    assert small.first.tables["answers"]["request_key"].null_count() == 0


# ---- who may read what


def texts(warehouse: Warehouse, *names: str) -> str:
    return "\n".join(json.dumps(warehouse.read(name).to_dicts(), default=str) for name in names)


def answer_under(place: House) -> Warehouse:
    make(place, "answers")
    return place.open_home().warehouse


@pytest.mark.slow
def test_no_pipeline_shows_a_public_asker_what_is_internal_or_over(tmp_path: Path) -> None:
    place = write_study(tmp_path, [LEXICAL], pipelines=list(PIPELINES), web={"provider": "snapshot"})
    warehouse = answer_under(place)
    assert SECRET in texts(warehouse, "documents", "passages")
    assert OLD in texts(warehouse, "documents", "passages")
    told = texts(warehouse, "answers", "retrievals", "steps")
    assert SECRET not in told
    assert OLD not in told
    hidden = warehouse.read("documents").filter(pl.col("reference").is_in(["NOTE-7", "IP/25/0900"]))["document_id"]
    assert len(hidden) == 2
    seen = warehouse.read("retrievals")
    assert set(seen["document_id"]).isdisjoint(hidden)
    assert set(warehouse.read("answers")["pipeline"]) == set(PIPELINES)
    assert set(seen.filter(source="embedding")["document_id"])
    # nor does a walk touch their passages on its way
    passages = warehouse.read("passages").filter(pl.col("document_id").is_in(hidden.implode()))["passage_id"]
    assert not [each for each in passages if each in told]


@pytest.mark.slow
def test_an_asker_with_the_label_at_a_day_when_it_held_is_told(tmp_path: Path) -> None:
    scope = {"access": ["public", "internal"], "as_of": "2025-10-01"}
    warehouse = answer_under(write_study(tmp_path, [LEXICAL], scope=scope))
    told = texts(warehouse, "retrievals")
    assert SECRET in told
    assert OLD in told
    assert {str(day) for day in warehouse.read("answers")["as_of"]} == {"2025-10-01"}


# ---- the trajectory


def test_a_trajectory_that_lacks_a_passage_stops_what_follows(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    place = write_study(tmp_path, [LEXICAL], pipelines=["vanilla"])
    make(place, "graph_store")
    materialize(place, ["embeddings", "vector_store"], "lsa")
    write = Warehouse.write

    def forgetful(self: Warehouse, name: str, frame: pl.DataFrame, *rest: Any) -> Any:
        kept = frame.filter(pl.col("position").ne_missing(0)) if name == "retrievals" else frame
        return write(self, name, kept, *rest)

    monkeypatch.setattr(Warehouse, "write", forgetful)
    stage = ["answers", "steps", "retrievals", "citations", "citation_scores"]
    result = materialize(place, stage, "lsa", raise_on_error=False)
    assert not result.success
    assert "answers: replayable" in failures(result)
    evaluated = {check.check_name: check.passed for check in result.get_asset_check_evaluations()}
    assert evaluated["replayable"] is False
    assert place.open_home().warehouse.read("citations").is_empty()
    monkeypatch.undo()
    assert materialize(place, stage, "lsa").success


# ---- the graph on a server


@pytest.mark.slow
@pytest.mark.neo4j
def test_the_answers_on_neo4j_are_those_on_ladybug(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, neo4j_server: Mapping[str, str]
) -> None:
    stores: dict[str, str] = {}
    for name, value in neo4j_server.items():
        monkeypatch.setenv(f"TEST_NEO4J_{name.upper()}", value)
        stores[f"neo4j_{name}_env"] = f"TEST_NEO4J_{name.upper()}"
    folders = {"ladybug": {}, "neo4j": stores}
    places = {name: write_study(tmp_path / name, [LEXICAL], stores=stores) for name, stores in folders.items()}
    ladybug, neo4j = places.values()
    try:
        found = [answer_under(place) for place in (ladybug, neo4j)]
        for table in ("answers", "steps", "retrievals"):
            expected, other = (each.read(table).drop("latency_s", strict=False) for each in found)
            assert expected.height > 0
            assert other.equals(expected)
        walked = found[1].read("retrievals").filter(source="graph")
        assert walked["path"].list.len().max() not in (None, 0)
        assert ladybug.open_home().graph.exists()
        assert not neo4j.open_home().graph.exists()
    finally:
        remove_graph(neo4j_server, graph_name(neo4j.open_home(), neo4j.load_study()))
