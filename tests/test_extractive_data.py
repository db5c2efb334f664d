"""The extractive model on MuSiQue: how often it answers, finds the answer, abstains (docs/pipelines.md says it too)."""

import gzip
import json
import random
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from faithflow.pipelines.evidence import evidence_of
from faithflow.pipelines.extractive.reading import pieces_of
from faithflow.pipelines.extractive.write import plain_answer
from faithflow.pipelines.model import INCONCLUSIVE
from faithflow.retrieval.model import IndexedPassage

pytestmark = [pytest.mark.data, pytest.mark.slow]


def answer(question: str, paragraphs: Sequence[dict[str, Any]]) -> str:
    passages = [
        IndexedPassage(str(n), str(n), f"p{n}", each["title"], "", "", each["paragraph_text"], "public")
        for n, each in enumerate(paragraphs)
    ]
    evidence = evidence_of([(passage, "embedding") for passage in passages])
    return plain_answer(question, pieces_of({"evidence": [piece.as_json() for piece in evidence]}))


@pytest.fixture
def questions(data: Path) -> list[dict[str, Any]]:
    with gzip.open(data / "multihop" / "musique_200.jsonl.gz", "rt", encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


def split(question: dict[str, Any]) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """Its supporting paragraphs, and the others in an order drawn by its id."""
    supporting = [each for each in question["paragraphs"] if each["is_supporting"]]
    others = [each for each in question["paragraphs"] if not each["is_supporting"]]
    random.Random(question["id"]).shuffle(others)
    return supporting, others


def test_it_answers_where_the_evidence_is_there_and_more_often_abstains_where_it_is_not(
    questions: list[dict[str, Any]],
) -> None:
    answered = {"with": 0, "without": 0}
    for question in questions:
        supporting, others = split(question)
        five = [*supporting, *others[: 5 - len(supporting)]]
        answered["with"] += answer(question["question"], five) != INCONCLUSIVE
        answered["without"] += answer(question["question"], others[:5]) != INCONCLUSIVE
    shares = {name: n / len(questions) for name, n in answered.items()}
    assert shares["with"] >= 0.85, shares
    assert shares["without"] <= 0.35, shares


def test_it_quotes_the_answer_of_most_questions_from_their_supporting_paragraphs(
    questions: list[dict[str, Any]],
) -> None:
    found = 0
    for question in questions:
        quoted = answer(question["question"], split(question)[0]).lower()
        found += any(each.lower() in quoted for each in (question["answer"], *question["answer_aliases"]))
    assert found / len(questions) >= 0.5, found
