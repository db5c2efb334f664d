"""MuSiQue's questions and their pool of paragraphs."""

import json
from typing import Any

import pytest

from faithflow.corpus.document import CorpusContent, Gold, Link
from faithflow.corpus.musique import read_musique
from faithflow.corpus.source import SourceFile
from faithflow.errors import CorpusError


def paragraph(title: str, text: str, *, supporting: bool = False) -> dict[str, Any]:
    return {"title": title, "paragraph_text": text, "is_supporting": supporting}


def question(own: str, paragraphs: list[dict[str, Any]], hops: list[int], **more: Any) -> dict[str, Any]:
    steps = [{"id": i, "question": "?", "answer": "", "paragraph_support_idx": at} for i, at in enumerate(hops)]
    base = {"id": own, "question": f"Where is {own}?", "answer": "Here", "answerable": True}
    return {**base, "paragraphs": paragraphs, "question_decomposition": steps, **more}


TWO = question(
    "2hop__1",
    [
        paragraph("Lake", "The lake is deep.", supporting=True),
        paragraph("Hill", "The hill is high."),
        paragraph("Lake", "Another lake is flat."),
        paragraph("Fjord", "The fjord has a lake.", supporting=True),
        paragraph("Tree", "The tree is old."),
    ],
    [3, 0],
)
THREE = question(
    "3hop1__2",
    [
        paragraph("Lake", "The lake is deep.", supporting=True),
        paragraph("Lake (2)", "A title of its own.", supporting=True),
        paragraph("Lake", "Another lake is flat.", supporting=True),
    ],
    [0, 1, 2],
)


def read(*questions: dict[str, Any], distractor_edges: bool = False) -> CorpusContent:
    text = "\n".join(map(json.dumps, questions))
    return read_musique([SourceFile("m.jsonl", text.encode())], distractor_edges=distractor_edges)


def test_paragraphs_are_pooled_and_told_apart_where_a_title_recurs() -> None:
    assert [(document.reference, document.text) for document in read(TWO, THREE).documents] == [
        ("Lake", "The lake is deep."),
        ("Hill", "The hill is high."),
        ("Lake (3)", "Another lake is flat."),
        ("Fjord", "The fjord has a lake."),
        ("Tree", "The tree is old."),
        ("Lake (2)", "A title of its own."),
    ]


def test_links_follow_the_hops_between_supporting_paragraphs_alone() -> None:
    assert read(TWO).links == (Link("Fjord", "references", "Lake"),)


def test_the_control_links_consecutive_distractors_too() -> None:
    assert read(TWO, distractor_edges=True).links == (
        Link("Fjord", "references", "Lake"),
        Link("Hill", "references", "Lake (2)"),
        Link("Lake (2)", "references", "Tree"),
    )


def test_questions_have_strata_gold_and_answers() -> None:
    two, three = read(TWO, THREE).questions
    assert (two.question_id, two.stratum, two.gold_answer) == ("2hop__1", "1", "Here")
    assert two.gold == (Gold("Fjord"), Gold("Lake"))
    assert three.stratum == "2"
    four = read(question("4hop1__3", TWO["paragraphs"], [3, 0, 1, 2])).questions[0]
    assert four.stratum == "3+"


def test_what_cannot_be_answered_has_an_empty_gold_answer() -> None:
    assert read({**TWO, "answerable": False}).questions[0].gold_answer == ""


@pytest.mark.parametrize(
    "broken", [{"paragraphs": None}, {"paragraphs": [{"title": "a"}]}, {"question_decomposition": 3}, {"answer": None}]
)
def test_what_is_no_musique_question_is_refused_with_its_line(broken: dict[str, Any]) -> None:
    with pytest.raises(CorpusError, match=r"m\.jsonl, line 2"):
        read(TWO, {**THREE, **broken})
