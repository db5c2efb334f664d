"""Judging triples: labels by id, re-asks, windows, missed facts, and failures that are never scores."""

import asyncio
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from faithflow.graph.model import Triple
from faithflow.graph.triple_judge import JudgedDocument, TripleJudge
from faithflow.graph.triple_rows import Row
from faithflow.graph.triple_windows import MOST_TRIPLES, parts_of
from faithflow.llm.tokens import estimate_tokens
from faithflow.tables.graph import TRIPLE_VERDICTS
from faithflow.tables.records import frame_of
from tests.endpoint import ScriptedEndpoint
from tests.scripted import JsonObject, Response, chat, payload, say, sequence
from tests.triples import judged, labels, model, triple

TRIPLES = (triple("Agency", "FOUNDED_IN", "1998"), triple("Agency", "EMPLOYS", "85 people"))
DOCUMENT = JudgedDocument("d", "A title", "The Agency was founded in 1998. It employs 85 people.")


def judge(
    endpoint: ScriptedEndpoint,
    folder: Path,
    triples: Sequence[Triple] = TRIPLES,
    document: JudgedDocument = DOCUMENT,
    **more: Any,
) -> list[Row]:
    async def run() -> list[Row]:
        async with model(endpoint, folder, **more) as opened:
            return await TripleJudge(opened).judge(document, triples)

    rows = asyncio.run(run())
    frame_of(TRIPLE_VERDICTS, rows)
    return rows


def by_tail(rows: list[Row]) -> dict[str, tuple[str | None, str | None]]:
    return {row["tail"]: (row["label"], row["reason"]) for row in rows}


def test_one_call_labels_all_triples_of_a_document_and_lists_what_was_missed(tmp_path: Path) -> None:
    missed = {"head": "Agency", "relation": "located in", "tail": "Malta"}
    with ScriptedEndpoint(judged("correct", [missed])) as endpoint:
        rows = judge(endpoint, tmp_path)
        assert endpoint.count == 1
    assert by_tail(rows) == {"1998": ("correct", None), "85 people": ("correct", None), "Malta": ("missed", None)}
    assert rows[2]["relation"] == "LOCATED_IN"
    assert rows[0]["explanation"] == "Read for t1."
    assert {row["judge"] for row in rows} == {"m"}
    assert all(row["prompt_tokens"] > 0 and row["latency_s"] > 0 for row in rows)


def test_labels_go_by_id_whatever_their_order(tmp_path: Path) -> None:
    def script(request: JsonObject, _number: int) -> Response:
        results = [
            {"id": "t2", "label": "hallucinated", "explanation": "Not so."},
            {"id": "t1", "label": "Correct", "explanation": "So."},
            {"id": "t9", "label": "correct", "explanation": "Nobody asked."},
        ]
        return chat(request, json.dumps({"results": results, "missed_triples": []}))

    with ScriptedEndpoint(script) as endpoint:
        rows = judge(endpoint, tmp_path)
    assert by_tail(rows) == {"1998": ("correct", None), "85 people": ("hallucinated", None)}


def test_what_is_missing_is_asked_again_alone_and_what_that_ask_misses_is_no_news(tmp_path: Path) -> None:
    missed = [{"head": "X", "relation": "R", "tail": "Y"}]
    first = lambda request, _: chat(request, labels(request, only=["t1"]))  # noqa: E731
    with ScriptedEndpoint(sequence(first, then=judged("hallucinated", missed))) as endpoint:
        rows = judge(endpoint, tmp_path)
        asked = [[each["id"] for each in payload(received.json)["triples"]] for received in endpoint.requests]
    assert asked == [["t1", "t2"], ["t2"]]
    assert by_tail(rows) == {"1998": ("correct", None), "85 people": ("hallucinated", None)}


@pytest.mark.parametrize(
    ("entries", "reason"),
    [
        ([], "missing_verdict"),
        ([{"id": "t2", "label": "correct"}, {"id": "t2", "label": "hallucinated"}], "duplicate_verdict"),
        ([{"id": "t2", "label": "maybe"}], "unknown_label"),
        ([{"id": 2, "label": "correct"}], "missing_verdict"),
    ],
)
def test_a_triple_that_gets_no_label_is_unscored_after_three_asks(
    tmp_path: Path, entries: list[Any], reason: str
) -> None:
    def script(request: JsonObject, _number: int) -> Response:
        known = [{"id": "t1", "label": "correct"}] if "t1" in str(payload(request)["triples"]) else []
        return chat(request, json.dumps({"results": [*known, *entries], "missed_triples": []}))

    with ScriptedEndpoint(script) as endpoint:
        rows = judge(endpoint, tmp_path)
        assert endpoint.count == 3
    assert by_tail(rows) == {"1998": ("correct", None), "85 people": (None, reason)}
    assert rows[1]["status"] == "unscored"


@pytest.mark.parametrize(
    ("content", "finish", "reason"),
    [("Fine.", "stop", "parse"), ('{"results": []}', "stop", "schema"), ('{"results": [', "length", "truncated")],
)
def test_a_reply_that_cannot_be_read_scores_nothing_and_leaves_the_missed_unknown(
    tmp_path: Path, content: str, finish: str, reason: str
) -> None:
    with ScriptedEndpoint(say(content, finish_reason=finish)) as endpoint:
        rows = judge(endpoint, tmp_path)
    assert by_tail(rows) == {"1998": (None, reason), "85 people": (None, reason), "": (None, reason)}
    assert (rows[2]["head"], rows[2]["relation"]) == ("", "")


def test_a_document_without_triples_is_asked_what_was_missed(tmp_path: Path) -> None:
    missed = [{"head": "Agency", "relation": "EMPLOYS", "tail": "85"}, {"head": "", "relation": "R", "tail": "B"}]
    with ScriptedEndpoint(judged(missed=missed)) as endpoint:
        rows = judge(endpoint, tmp_path, [])
    assert by_tail(rows) == {"85": ("missed", None)}


def test_a_long_document_goes_in_parts_and_a_triple_is_right_where_one_part_bears_it_out(tmp_path: Path) -> None:
    text = " ".join(f"Sentence number {n} says nothing of interest." for n in range(300)) + " The Agency opened."

    def script(request: JsonObject, _number: int) -> Response:
        label = "correct" if "Agency opened" in payload(request)["text"] else "hallucinated"
        return chat(request, labels(request, label, [{"head": "Agency", "relation": "FOUNDED", "tail": "in Malta"}]))

    with ScriptedEndpoint(script) as endpoint:
        rows = judge(endpoint, tmp_path, document=JudgedDocument("d", "T", text), window=3000)
        shown = [payload(received.json)["text"] for received in endpoint.requests]
        assert all(estimate_tokens(json.dumps(received.json["messages"])) < 3000 for received in endpoint.requests)
    assert len(shown) > 1
    assert "".join(sorted(shown, key=text.index)) == text
    assert by_tail(rows) == {"1998": ("correct", None), "85 people": ("correct", None), "in Malta": ("missed", None)}


def test_a_part_that_was_not_judged_leaves_what_no_other_bears_out_unscored(tmp_path: Path) -> None:
    text = " ".join(f"Sentence number {n} says nothing of interest." for n in range(300))

    def script(request: JsonObject, _number: int) -> Response:
        if "number 0 " in payload(request)["text"]:
            return chat(request, "?")
        return chat(request, labels(request, "hallucinated"))

    with ScriptedEndpoint(script) as endpoint:
        rows = judge(endpoint, tmp_path, document=JudgedDocument("d", "T", text), window=3000)
    assert {row["reason"] for row in rows} == {"parse"}


def test_many_triples_go_in_several_asks_and_what_another_ask_holds_is_not_missed(tmp_path: Path) -> None:
    many = [triple(f"Agency {n}", "HAS", f"thing {n}") for n in range(MOST_TRIPLES + 5)]
    missed = [{"head": "agency 3", "relation": "OWNS", "tail": "Thing 3"}, {"head": "A", "relation": "R", "tail": "B"}]
    with ScriptedEndpoint(judged("correct", missed)) as endpoint:
        rows = judge(endpoint, tmp_path, many)
        assert endpoint.count == 2
    assert [row["tail"] for row in rows if row["label"] == "missed"] == ["B"]
    assert sum(row["label"] == "correct" for row in rows) == len(many)


def test_a_triple_that_leaves_no_room_for_text_is_too_long(tmp_path: Path) -> None:
    with ScriptedEndpoint(judged()) as endpoint:
        rows = judge(endpoint, tmp_path, [triple("word " * 900, "R", "b")], window=2500)
        assert endpoint.count == 0
    assert {row["reason"] for row in rows} == {"too_long"}


def test_an_unfinished_judging_is_taken_up_where_it_stopped(tmp_path: Path) -> None:
    partly = lambda request, _: chat(request, labels(request, only=["t1"]))  # noqa: E731
    nothing = lambda request, _: chat(request, labels(request, only=[]))  # noqa: E731
    with ScriptedEndpoint(sequence(partly, nothing, nothing, then=judged())) as endpoint:
        assert by_tail(judge(endpoint, tmp_path))["85 people"] == (None, "missing_verdict")
        assert by_tail(judge(endpoint, tmp_path)) == {"1998": ("correct", None), "85 people": ("correct", None)}
        assert endpoint.count == 4
        judge(endpoint, tmp_path)
        assert endpoint.count == 4


def test_parts_hold_every_character_within_their_room() -> None:
    text = "One sentence. " * 50 + "x" * 900 + "\n\n   \n" + "Next one."
    parts = parts_of(text, 60)
    assert "".join(parts) == text
    assert all(estimate_tokens(part) <= 60 for part in parts)
