"""The sample corpus as it ships, read from the files of `corpus/`.

Everything in it is invented: the Union of Northern Harbours, its Commission, its press releases (NH/...), firms,
people, places and figures, and the Harbour Operations Platform whose requirements it holds. Licence: Apache-2.0.

- 42 press releases of 2025 and 2026 on four topics, four of them on two; among them one that replaces an older one
  with another figure, a port's reprint, a suspension that ended, and a note with the access label `internal`
- 181 requirements and tests of one platform (SYS, HLR, LLR, TST) with 256 typed links
- 14 web pages, ten of which contradict a release
- 120 questions of one, two, and three or more hops with gold passages and answers; six have no answer here
- 213 gold triples of 25 releases: the facts that a reader would note first, not all that could be said
"""

from collections.abc import Iterator
from dataclasses import replace
from importlib.resources import files
from pathlib import Path
from typing import TypeVar

from pydantic import TypeAdapter

from faithflow.corpus.document import CorpusContent, Document, GoldTriple, Link, Question
from faithflow.retrieval.model import WebPage

_Record = TypeVar("_Record")


def sample_corpus() -> Path:
    """The folder of the sample corpus: the sources (YAML) and what is built from them (JSON Lines)."""
    return Path(str(files("faithflow.sample") / "corpus"))


def sample_content() -> CorpusContent:
    """The sample corpus. Its duplicate is not marked as one: to find it is the work of ingestion."""
    documents = _resolved([*_records("press.jsonl", Document), *_records("requirements.jsonl", Document)])
    return CorpusContent(
        documents=tuple(documents),
        links=tuple(_records("links.jsonl", Link)),
        questions=tuple(_records("questions.jsonl", Question)),
        gold_triples=tuple(_records("gold_triples.jsonl", GoldTriple)),
    )


def sample_web_pages() -> list[WebPage]:
    """The pages that stand for the web where none is to be had."""
    return list(_records("web.jsonl", WebPage))


def _records(name: str, kind: type[_Record]) -> Iterator[_Record]:
    adapter = TypeAdapter(kind)
    with (sample_corpus() / name).open(encoding="utf-8") as lines:
        for line in lines:
            yield adapter.validate_json(line)


def _resolved(documents: list[Document]) -> Iterator[Document]:
    """The files name a replaced document by its reference; the record wants its id."""
    ids = {document.reference: document.document_id for document in documents}
    for document in documents:
        older = document.supersedes
        yield document if older is None else replace(document, supersedes=ids[older])
