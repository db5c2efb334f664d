"""The tables of the corpus from what each corpus brings: documents, passages, questions, and the corpus' own edges."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from faithflow.corpus.chunking import passages_of
from faithflow.corpus.document import CorpusContent, Document, GoldTriple, Passage, Question
from faithflow.corpus.gold import GoldFinder
from faithflow.corpus.link_edges import link_edges, next_edges
from faithflow.corpus.versions import resolve
from faithflow.errors import CorpusError
from faithflow.tables.corpus import DOCUMENTS, PASSAGES, QUESTIONS
from faithflow.tables.graph import EDGES
from faithflow.tables.records import frame_of

if TYPE_CHECKING:
    import polars as pl


@dataclass(frozen=True, slots=True)
class Frames:
    """The tables `documents`, `passages` and `questions`, the rows of `edges` that the corpora state, and their gold
    triples with the ids of the documents that hold them."""

    documents: "pl.DataFrame"
    passages: "pl.DataFrame"
    questions: "pl.DataFrame"
    link_edges: "pl.DataFrame"
    gold_triples: tuple[tuple[str, GoldTriple], ...]


def corpus_frames(contents: Mapping[str, CorpusContent], max_chars: int = 1000, overlap: int = 0) -> Frames:
    """The frames of corpora by name; versions and duplicates are resolved among all of them.

    A duplicate has its row in `documents` and no passages; an older version has both. A document that two corpora
    bring is one row, under the first corpus' name, with the topics of both. Everything is in the corpora's order.
    Raises CorpusError where two documents have the same reference, language and date but not the same text, where a
    document's access or validity differs between corpora, where gold does not stand in the corpus (the message names
    the question), or where two questions share an id.
    """
    corpora, merged = _merged(contents)
    links = [link for content in contents.values() for link in content.links]
    documents = resolve(merged, links)
    by_id = {document.document_id: document for document in documents}
    kept = {own: by_id[document.duplicate_of] if document.duplicate_of else document for own, document in by_id.items()}
    passages = {
        document.document_id: passages_of(document, max_chars, overlap)
        for document in documents
        if document.duplicate_of is None
    }
    edges = [*link_edges(links, documents, kept, passages), *next_edges(passages)]
    return Frames(
        frame_of(DOCUMENTS, (_document_row(document, corpora[document.document_id]) for document in documents)),
        frame_of(PASSAGES, (_passage_row(passage) for own in passages.values() for passage in own)),
        _questions(contents, by_id, kept, passages),
        frame_of(EDGES, edges),
        _gold_triples(contents, by_id, kept),
    )


def _merged(contents: Mapping[str, CorpusContent]) -> tuple[dict[str, str], list[Document]]:
    """Each document's corpus, and the documents, each once."""
    corpora: dict[str, str] = {}
    merged: dict[str, Document] = {}
    named: dict[tuple[object, ...], str] = {}
    for corpus, content in contents.items():
        for document in content.documents:
            own = document.document_id
            key = (document.reference, document.language, document.date)
            if named.setdefault(key, own) != own:
                other = corpora[named[key]]
                where = f"corpus {corpus}" if corpus == other else f"the corpora {other} and {corpus}"
                day = f" of {document.date}" if document.date else ""
                raise CorpusError(
                    f"{where}: two documents{day} are named {document.reference!r} ({document.language}) and differ; "
                    "give each a reference, or its versions their dates"
                )
            merged[own] = _one(merged.get(own), document, corpora.setdefault(own, corpus), corpus)
    return corpora, list(merged.values())


def _one(first: Document | None, second: Document, corpus: str, other: str) -> Document:
    if first is None:
        return second
    for name in ("access", "valid_from", "valid_to"):
        if getattr(first, name) != getattr(second, name):
            raise CorpusError(
                f"the document {first.reference!r} has {name} {getattr(first, name)} in corpus {corpus} and "
                f"{getattr(second, name)} in corpus {other}; make them equal"
            )
    return replace(
        first,
        source_url=first.source_url or second.source_url,
        licence=first.licence or second.licence,
        topics=tuple(dict.fromkeys((*first.topics, *second.topics))),
    )


def _document_row(document: Document, corpus: str) -> dict[str, object]:
    return {
        "document_id": document.document_id,
        "reference": document.reference,
        "kind": document.kind,
        "title": document.title,
        "date": document.date,
        "language": document.language,
        "source_url": document.source_url,
        "licence": document.licence,
        "access": document.access,
        "valid_from": document.valid_from,
        "valid_to": document.valid_to,
        "supersedes": document.supersedes,
        "duplicate_of": document.duplicate_of,
        "topics": list(document.topics),
        "corpus": corpus,
        "text": document.text,
    }


def _passage_row(passage: Passage) -> dict[str, object]:
    return {
        "passage_id": passage.passage_id,
        "document_id": passage.document_id,
        "position": passage.position,
        "char_start": passage.char_start,
        "char_end": passage.char_end,
        "text": passage.text,
    }


def _questions(
    contents: Mapping[str, CorpusContent],
    by_id: Mapping[str, Document],
    kept: Mapping[str, Document],
    passages: Mapping[str, Sequence[Passage]],
) -> "pl.DataFrame":
    rows: dict[str, dict[str, object]] = {}
    asked: dict[str, Question] = {}
    for corpus, content in contents.items():
        finder = GoldFinder(corpus, _own(content, by_id), kept, passages)
        for question in content.questions:
            own = question.question_id
            if asked.setdefault(own, question) != question:
                raise CorpusError(f"corpus {corpus}: two questions have the id {own}; give each an id of its own")
            gold = finder.passage_ids(question)
            row: dict[str, object] = {
                "question_id": own,
                "question": question.question,
                "topic": question.topic,
                "stratum": question.stratum,
                "gold_passage_ids": gold,
                "gold_answer": question.gold_answer,
                "corpus": corpus,
            }
            rows.setdefault(own, row)
    return frame_of(QUESTIONS, rows.values())


def _own(content: CorpusContent, by_id: Mapping[str, Document]) -> list[Document]:
    """A corpus' documents as they were resolved."""
    return [by_id[own] for own in dict.fromkeys(document.document_id for document in content.documents)]


def _gold_triples(
    contents: Mapping[str, CorpusContent], by_id: Mapping[str, Document], kept: Mapping[str, Document]
) -> tuple[tuple[str, GoldTriple], ...]:
    found: dict[tuple[str, GoldTriple], None] = {}
    for corpus, content in contents.items():
        holders: dict[str, str] = {}
        for document in _own(content, by_id):
            holders[document.reference] = kept[document.document_id].document_id
        for triple in content.gold_triples:
            if triple.reference not in holders:
                raise CorpusError(f"corpus {corpus}: a gold triple names {triple.reference!r}, which no document has")
            found[holders[triple.reference], triple] = None
    return tuple(found)
