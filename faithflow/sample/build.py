"""Build the bundled sample: `python -m faithflow.sample.build` writes `traces.jsonl` from the files of `topics/`.

Nothing is drawn at random, so equal topics give equal bytes. A topic file holds `passages` (id to text) and
`questions`, each with the `answers` of several pipelines (`NAME`, or `NAME@REPEAT`). An answer names its evidence by
the tool that brought it and is written one statement a line, each behind a code that says what the author knows of it:

    +  supported by the evidence of this answer        x  contradicted by it
    ?  not in it                                       ~  supported only under a condition that the answer leaves out
    /  an abstention, and rightly so                   %  an abstention, though the evidence holds the answer
    #  no statement (a heading, a lead-in)

Lines of a paragraph are joined by the question's `joiner`; list items and headings stay on lines of their own.
"""

import json
import re
from collections.abc import Iterator, Mapping

import yaml
from pydantic import BaseModel, ConfigDict

from faithflow.identity import Json
from faithflow.judging.verdict import Label
from faithflow.sample import sample_traces

ANNOTATOR = "author"
_VERDICTS = {
    "+": Label.SUPPORTED,
    "x": Label.CONTRADICTED,
    "?": Label.NOT_IN_EVIDENCE,
    "~": Label.CONDITIONALLY_SUPPORTED,
    "/": Label.JUSTIFIED_ABSTENTION,
    "%": Label.UNJUSTIFIED_ABSTENTION,
    "#": None,
}
_OWN_LINE = re.compile(r"#+ |- |\d+\. ")


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class Answer(_Strict):
    evidence: dict[str, list[str]]
    answer: str


class Question(_Strict):
    id: str
    stratum: str
    question: str
    gold: str
    answers: dict[str, Answer]
    joiner: str = " "


class Topic(_Strict):
    passages: dict[str, str]
    questions: list[Question]


def topics() -> list[Topic]:
    """The topic files, by name. Raises pydantic's ValidationError where one has another shape."""
    sources = sorted((sample_traces().parent / "topics").glob("*.yaml"))
    return [Topic.model_validate(yaml.safe_load(source.read_text(encoding="utf-8"))) for source in sources]


def sample_records() -> Iterator[dict[str, Json]]:
    """The sample's traces, as the objects of its lines."""
    for topic in topics():
        for question in topic.questions:
            for name, answer in question.answers.items():
                yield _record(topic.passages, question, name, answer)


def marked_answer(marked: str, joiner: str) -> tuple[str, list[dict[str, Json]]]:
    """An answer's text and its labelled spans, from its lines with codes. Raises ValueError on a line without one."""
    text = ""
    labels: list[dict[str, Json]] = []
    gap = ""
    for line in marked.splitlines():
        if not line.strip():
            gap = "\n\n"
            continue
        code, _, statement = line.partition(" ")
        if code not in _VERDICTS or not statement:
            raise ValueError(f"no code before the statement: {line}")
        if text:
            text += gap or ("\n" if _OWN_LINE.match(statement) else joiner)
        start, text, gap = len(text), text + statement, ""
        verdict = _VERDICTS[code]
        if verdict is not None:
            labels.append({"start": start, "end": len(text), "verdict": verdict.value, "annotator": ANNOTATOR})
    return text, labels


def _record(passages: Mapping[str, str], question: Question, name: str, answer: Answer) -> dict[str, Json]:
    pipeline, _, repeat = name.partition("@")
    text, labels = marked_answer(answer.answer, question.joiner)
    return {
        "id": f"{question.id}/{name}",
        "question": question.question,
        "answer": text,
        "contexts": [
            {"id": passage, "text": passages[passage], "source": source} if passage else ""
            for source, found in answer.evidence.items()
            for passage in found
        ],
        "pipeline": pipeline,
        "stratum": question.stratum,
        "repeat": int(repeat or 0),
        "gold": {"answer": question.gold},
        "labels": labels,
    }


def sample_bytes() -> bytes:
    """The whole file: UTF-8, one trace a line."""
    return "".join(json.dumps(record, ensure_ascii=False) + "\n" for record in sample_records()).encode()


if __name__ == "__main__":
    sample_traces().write_bytes(sample_bytes())
