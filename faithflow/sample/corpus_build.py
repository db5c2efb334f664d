"""Build the sample corpus: `python -m faithflow.sample.corpus_build` writes the JSON Lines files from the YAML ones.

`press/TOPIC.yaml` holds the releases of a topic, `questions/NAME.yaml` questions, `web.yaml` the pages, `taxonomy.yaml`
what the requirements are made from. Nothing depends on chance or on the clock: equal sources give equal bytes.
"""

import datetime as dt
import json
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TypeVar

import yaml
from pydantic import BaseModel, ConfigDict, TypeAdapter

from faithflow.corpus.document import PUBLIC, Document, Gold, GoldTriple, Link, Question
from faithflow.retrieval.model import WebPage
from faithflow.sample.content import sample_corpus
from faithflow.sample.requirements import LICENCE, requirement_set, taxonomy

KIND = "press_release"

_Record = TypeVar("_Record")
_Model = TypeVar("_Model", bound=BaseModel)


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class Release(_Strict):
    """A press release as it is written down; `also` names further topics, `triples` are gold."""

    reference: str
    title: str
    date: dt.date
    text: str
    also: list[str] = []
    access: str = PUBLIC
    valid_from: dt.date | None = None
    valid_to: dt.date | None = None
    supersedes: str | None = None
    triples: list[tuple[str, str, str]] = []


class Asked(_Strict):
    """A question as it is written down: `gold` names documents, or quotes from them (`{reference: quote}`)."""

    question: str
    topic: str
    stratum: str
    gold: list[str | dict[str, str]]
    answer: str


class Page(_Strict):
    """A web page as it is written down; `contradicts` names the releases that say otherwise."""

    url: str
    title: str
    date: dt.date
    contradicts: list[str]
    text: str


def releases() -> Iterator[tuple[str, Release]]:
    """Every release with its first topic."""
    for source in sorted((sample_corpus() / "press").glob("*.yaml")):
        for release in _listed(source, Release):
            yield source.stem, release


def asked() -> Iterator[Asked]:
    for source in sorted((sample_corpus() / "questions").glob("*.yaml")):
        yield from _listed(source, Asked)


def pages() -> list[Page]:
    return _listed(sample_corpus() / "web.yaml", Page)


def built() -> dict[str, bytes]:
    """The content of every file that is built, by name."""
    requirements = requirement_set(taxonomy())
    triples = [GoldTriple(release.reference, *triple) for _, release in releases() for triple in release.triples]
    return {
        "press.jsonl": _lines([_document(topic, release) for topic, release in releases()], Document),
        "requirements.jsonl": _lines(requirements.documents, Document),
        "links.jsonl": _lines(requirements.links, Link),
        "questions.jsonl": _lines([_question(question) for question in asked()], Question),
        "gold_triples.jsonl": _lines(triples, GoldTriple),
        "web.jsonl": _lines([_page(page) for page in pages()], WebPage),
    }


def _document(topic: str, release: Release) -> Document:
    return Document(
        reference=release.reference,
        kind=KIND,
        title=release.title,
        text=_blocks(release.text),
        date=release.date,
        source_url=f"https://press.example.org/{release.reference.lower()}",
        licence=LICENCE,
        access=release.access,
        valid_from=release.valid_from,
        valid_to=release.valid_to,
        topics=(topic, *release.also),
        supersedes=release.supersedes,
    )


def _question(written: Asked) -> Question:
    gold = tuple(golden for item in written.gold for golden in _gold(item))
    return Question(written.question, written.topic, written.stratum, gold, written.answer)


def _gold(item: str | dict[str, str]) -> list[Gold]:
    return [Gold(item)] if isinstance(item, str) else [Gold(reference, quote) for reference, quote in item.items()]


def _page(page: Page) -> WebPage:
    return WebPage(page.url, page.title, _blocks(page.text), page.date.isoformat())


def _blocks(text: str) -> str:
    # a folded YAML scalar turns the blank line between paragraphs into one line end
    return text.strip().replace("\n", "\n\n")


def _listed(source: Path, kind: type[_Model]) -> list[_Model]:
    return [kind.model_validate(item) for item in yaml.safe_load(source.read_text(encoding="utf-8"))]


def _lines(records: Iterable[_Record], kind: type[_Record]) -> bytes:
    adapter = TypeAdapter(kind)
    rows = (adapter.dump_python(record, mode="json", exclude_defaults=True) for record in records)
    return "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows).encode()


if __name__ == "__main__":
    for name, content in built().items():
        (sample_corpus() / name).write_bytes(content)
