"""Extracting and judging many passages: order, failures, progress, and no call twice."""

import asyncio
import json
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from faithflow.graph.extraction import ExtractedTriples
from faithflow.graph.patterns import PatternExtractor
from faithflow.graph.triple_gold import Fact
from faithflow.graph.triple_judge import TripleJudge
from faithflow.graph.triple_llm import LlmTripleExtractor
from faithflow.tables.checks import checks
from faithflow.tables.graph import TRIPLE_VERDICTS, TRIPLES
from faithflow.tables.schema import Table
from resources.triple_run import TripleRun, extract_triples, gold_verdicts, judge_triples, triples_of
from tests.endpoint import ScriptedEndpoint
from tests.scripted import JsonObject, Response, chat, payload, rate_limited, sequence
from tests.triples import (
    document,
    documents_frame,
    judged,
    labels,
    model,
    passage,
    passages_frame,
)

TEXTS = [f"The Port {n} Agency was founded in {1990 + n}. It employs {n}5 people." for n in range(8)]
DOCUMENTS = [document(f"D{n}", text) for n, text in enumerate(TEXTS)]
FRAME = documents_frame(*DOCUMENTS)
PASSAGES = passages_frame(*(passage(each) for each in DOCUMENTS))


def one_each(request: JsonObject, _number: int) -> Response:
    words = payload(request)["text"].split()
    triple = {"head": words[2], "head_type": "X", "relation": "R", "tail": words[7], "tail_type": "DATE"}
    return chat(request, json.dumps({"triples": [triple]}))


def run_llm(endpoint: ScriptedEndpoint, folder: Path, **more: Any) -> TripleRun:
    async def run() -> TripleRun:
        async with model(endpoint, folder) as opened:
            return await extract_triples(PASSAGES, FRAME, LlmTripleExtractor(opened), 3, **more)

    return asyncio.run(run())


def broken(table: Table, frame: pl.DataFrame) -> list[str]:
    return [result.name for result in checks(table, frame) if not result.passed]


def test_patterns_give_a_table_sorted_by_document_with_spans_into_the_document() -> None:
    heard: list[ExtractedTriples] = []
    found = asyncio.run(extract_triples(PASSAGES, FRAME, PatternExtractor(), 4, heard.append))
    assert len(heard) == len(DOCUMENTS)
    assert found.failed == {}
    assert found.triples["document_id"].is_sorted()
    texts = {each.document_id: each.text for each in DOCUMENTS}
    for row in found.triples.filter(relation="FOUNDED_IN").iter_rows(named=True):
        assert texts[row["document_id"]][row["char_start"] : row["char_end"]].endswith(row["tail"])
    assert len(triples_of(found.triples)) == found.triples.height
    assert [each.triple_id for each in triples_of(found.triples)] == found.triples["triple_id"].to_list()


def test_the_order_of_the_replies_changes_no_byte(tmp_path: Path) -> None:
    with ScriptedEndpoint(one_each) as endpoint:
        found = run_llm(endpoint, tmp_path)
        assert endpoint.most_at_once <= 3
    slow_first = lambda request, number: Response(  # noqa: E731
        body=one_each(request, number).body, seconds=0.2 if number == 0 else 0.0
    )
    with ScriptedEndpoint(slow_first) as endpoint:
        other = run_llm(endpoint, tmp_path / "other")
    assert found.triples.equals(other.triples)
    assert found.triples.height == 8


def test_a_passage_that_failed_is_reported_and_asked_for_again(tmp_path: Path) -> None:
    def script(request: JsonObject, number: int) -> Response:
        return chat(request, "?") if "Port 3 " in payload(request)["text"] else one_each(request, number)

    with ScriptedEndpoint(script) as endpoint:
        found = run_llm(endpoint, tmp_path)
        failed = PASSAGES.filter(document_id=DOCUMENTS[3].document_id)["passage_id"][0]
        assert (found.failed, found.reasons, found.triples.height) == ({failed: "parse"}, {"parse": 1}, 7)
        asked = endpoint.count
        endpoint.script = one_each
        again = run_llm(endpoint, tmp_path)
        assert (again.failed, again.triples.height) == ({}, 8)
        assert endpoint.count == asked + 1


def test_a_run_that_was_interrupted_repeats_no_call(tmp_path: Path) -> None:
    class StoppedError(Exception):
        pass

    def stop_after_five(_: ExtractedTriples) -> None:
        nonlocal heard
        heard += 1
        if heard == 5:
            raise StoppedError

    heard = 0
    with ScriptedEndpoint(one_each) as endpoint:
        with pytest.raises(StoppedError):
            run_llm(endpoint, tmp_path, on_passage=stop_after_five)
        assert 5 <= endpoint.count < 8
        assert run_llm(endpoint, tmp_path).triples.height == 8
        texts = [payload(received.json)["text"] for received in endpoint.requests]
        answered_twice = len(texts) - len(set(texts))
        run_llm(endpoint, tmp_path)
        assert endpoint.count == len(texts)
    # a call that was under way when the run stopped was not stored yet
    assert answered_twice <= 2


def judge_all(endpoint: ScriptedEndpoint, folder: Path) -> pl.DataFrame:
    async def run() -> pl.DataFrame:
        extracted = await extract_triples(PASSAGES, FRAME, PatternExtractor(), 1)
        async with model(endpoint, folder) as opened:
            return await judge_triples(FRAME, extracted.triples, TripleJudge(opened), 3)

    return asyncio.run(run())


def test_every_document_is_judged_once_and_a_rerun_asks_nothing(tmp_path: Path) -> None:
    with ScriptedEndpoint(judged()) as endpoint:
        verdicts = judge_all(endpoint, tmp_path)
        assert endpoint.count == len(DOCUMENTS)
        assert verdicts.equals(judge_all(endpoint, tmp_path))
        assert endpoint.count == len(DOCUMENTS)
    assert set(verdicts["document_id"]) == set(FRAME["document_id"])
    assert set(verdicts["label"]) == {"correct"}
    assert verdicts.columns == [column.name for column in TRIPLE_VERDICTS.columns]


def test_rate_limits_cost_calls_and_no_rows(tmp_path: Path) -> None:
    steps = [rate_limited(0.05), judged(), rate_limited(0.05)]
    with ScriptedEndpoint(sequence(*steps, then=judged())) as endpoint:
        verdicts = judge_all(endpoint, tmp_path)
    assert set(verdicts["status"]) == {"scored"}


def test_gold_judges_only_the_documents_that_have_gold() -> None:
    triples = asyncio.run(extract_triples(PASSAGES, FRAME, PatternExtractor(), 1)).triples
    gold = [(DOCUMENTS[0].document_id, Fact("Port 0 Agency", "founded", "1990"))]
    verdicts = gold_verdicts(FRAME, triples, gold)
    assert set(verdicts["document_id"]) == {DOCUMENTS[0].document_id}
    assert verdicts.filter(relation="FOUNDED_IN")["label"].to_list() == ["correct"]


def test_the_tables_keep_their_contracts(tmp_path: Path) -> None:
    with ScriptedEndpoint(lambda request, _: chat(request, labels(request, only=[]))) as endpoint:
        verdicts = judge_all(endpoint, tmp_path)
    triples = asyncio.run(extract_triples(PASSAGES, FRAME, PatternExtractor(), 1)).triples
    assert broken(TRIPLES, triples) == []
    assert broken(TRIPLE_VERDICTS, verdicts) == []
