"""The corpus of a home: the tables of documents, passages, questions, links and gold, from the study's corpora."""

import asyncio
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

import polars as pl

from faithflow.corpus.corpus_frames import corpus_frames
from faithflow.corpus.document import PUBLIC, CorpusContent, Document
from faithflow.errors import UserError
from faithflow.sample.content import sample_content
from faithflow.study.corpora import BUNDLED, Corpus
from faithflow.study.model import Study
from faithflow.tables.corpus import GOLD_TRIPLES, LINKS
from faithflow.tables.records import frame_of
from resources.document_files import read_documents, read_questions
from resources.home import Home
from resources.parquet import Written
from resources.press_corner import PressCorner
from resources.web_fetch import WebFetcher

Say = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class Ingested:
    """The tables that were written, by name, and what a person should know of what they were made from."""

    written: Mapping[str, Written]
    warnings: tuple[str, ...]


def ingest_documents(home: Home, study: Study, say: Say) -> Ingested:
    """Write the tables `documents`, `passages`, `questions`, `links` and `gold_triples`.

    Raises CorpusError where a file is not valid or corpora do not fit together, UserError where there is nothing to
    ask the study's pipelines: then nothing is written.
    """
    with home.deriving("documents"):
        contents = {corpus.name: _content(home, corpus, say) for corpus in study.corpora if corpus.has_documents}
        frames = corpus_frames(contents, study.chunks.max_chars, study.chunks.overlap)
        if study.pipelines and frames.questions.is_empty():
            raise UserError(
                "there are no questions to answer: give a corpus the key `questions`, a file of questions on its "
                "documents"
            )
        gold = [
            {"document_id": document_id, "head": triple.head, "relation": triple.relation, "tail": triple.tail}
            for document_id, triple in frames.gold_triples
        ]
        tables: dict[str, pl.DataFrame] = {
            "documents": frames.documents,
            "passages": frames.passages,
            "questions": frames.questions,
            "links": frames.link_edges.select(LINKS.schema.names()).unique(LINKS.key, maintain_order=True),
            "gold_triples": frame_of(GOLD_TRIPLES, gold).unique(GOLD_TRIPLES.key, maintain_order=True),
        }
        written = {name: home.warehouse.write(name, frame) for name, frame in tables.items()}
    warnings = [f"{name}: {warning}" for name, content in contents.items() for warning in content.warnings]
    return Ingested(written, tuple(warnings))


def _content(home: Home, corpus: Corpus, say: Say) -> CorpusContent:
    say(f"reading corpus {corpus.name}")
    if corpus.documents == BUNDLED:
        content = sample_content()
    elif corpus.documents is not None:
        content = read_documents(
            Path(corpus.documents),
            corpus.format,
            language=corpus.language,
            access=corpus.access,
            licence=corpus.licence,
            distractor_edges=corpus.distractor_edges,
        )
    else:
        content = asyncio.run(_fetched(home, corpus, say))
        content = replace(content, documents=tuple(_as_the_study_says(corpus, each) for each in content.documents))
    if corpus.questions is not None:
        questions = read_questions(Path(corpus.questions))
        content = replace(content, questions=(*content.questions, *questions))
    return content


def _as_the_study_says(corpus: Corpus, document: Document) -> Document:
    """What is fetched is public and has its publisher's licence, unless it, or the study, says otherwise."""
    access = corpus.access if document.access == PUBLIC else document.access
    return replace(document, access=access, licence=document.licence or corpus.licence)


async def _fetched(home: Home, corpus: Corpus, say: Say) -> CorpusContent:
    client, fetcher = PressCorner(cache=home.fetched), WebFetcher(home.fetched)
    try:
        if corpus.rss is not None:
            return await client.from_feed(corpus.rss, fetcher, corpus.language, say)
        search = corpus.press_corner
        assert search is not None  # a corpus has one source
        return await client.collect(
            search.topics, search.since, search.until, search.language, search.limit_per_topic, say=say
        )
    finally:
        await client.close()
        await fetcher.close()
