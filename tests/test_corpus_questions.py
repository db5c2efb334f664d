"""Questions files."""

import json
from typing import Any

import pytest

from faithflow.corpus.document import Gold, Question
from faithflow.corpus.question_file import questions_of
from faithflow.corpus.source import SourceFile
from faithflow.errors import CorpusError


def lines(*records: Any) -> SourceFile:
    return SourceFile("q.jsonl", "\n".join(json.dumps(record) for record in records).encode())


def test_all_fields_are_read() -> None:
    record = {
        "id": 7,
        "question": "What  does it\ncost?",
        "topic": "Funding",
        "stratum": 2,
        "gold": [{"reference": "IP/26/1", "quote": "It costs  5."}, {"reference": "IP/26/2"}],
        "gold_answer": "5",
        "_note": "mine",
    }
    assert questions_of(lines(record)) == (
        Question("What does it cost?", "Funding", "2", (Gold("IP/26/1", "It costs  5."), Gold("IP/26/2")), "5", "7"),
    )


def test_a_question_alone_will_do() -> None:
    (question,) = questions_of(lines({"question": "Why?"}))
    assert (question.gold, question.gold_answer, question.stratum, question.id) == (None, None, "all", None)
    assert question.question_id.startswith("q_")


def test_an_empty_gold_answer_says_that_the_corpus_lacks_it() -> None:
    assert questions_of(lines({"question": "Why?", "gold": [], "gold_answer": ""}))[0].gold_answer == ""
    assert questions_of(lines({"question": "Why?", "gold": [], "gold_answer": ""}))[0].gold == ()


def test_csv_holds_references_parted_by_semicolons() -> None:
    file = SourceFile("q.csv", b"id,question,gold\n1,Why?,IP/26/1; IP/26/2\n2,How?,\n")
    first, second = questions_of(file)
    assert first.gold == (Gold("IP/26/1"), Gold("IP/26/2"))
    assert second.gold is None


@pytest.mark.parametrize(
    ("record", "reason"),
    [
        ({"question": ""}, '"question" is missing'),
        ({"question": 5}, '"question" must be text'),
        ({"question": "Q?", "straum": "1"}, 'did you mean "stratum"'),
        ({"question": "Q?", "stratum": "*"}, "stands for all"),
        ({"question": "Q?", "gold": 3}, '"gold" must be a list'),
        ({"question": "Q?", "gold": [{"quote": "x"}]}, '"reference" is missing'),
        ({"question": "Q?", "gold": [{"reference": "A", "quote": " "}]}, '"quote" must be text'),
        ({"question": "Q?", "gold": [{"reference": "A", "passage": 1}]}, "an object with"),
        ({"question": "Q?", "gold_answer": 5}, '"gold_answer" must be text'),
        ({"question": "One?"}, r"stands in q\.jsonl, line 1 already"),
        ([1], "object was expected"),
    ],
)
def test_a_bad_line_is_named_with_what_is_wrong(record: Any, reason: str) -> None:
    with pytest.raises(CorpusError, match=rf"q\.jsonl, line 2.*{reason}"):
        questions_of(lines({"question": "One?"}, record))


def test_a_file_without_questions_is_refused() -> None:
    with pytest.raises(CorpusError, match="empty"):
        questions_of(SourceFile("q.jsonl", b" \n"))
