"""Triples of many passages, and their verdicts, with a bounded number of them open at once. What a model has answered
comes from the ledger, so that a run that was stopped goes on where it was."""

import asyncio
from collections import Counter, defaultdict
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar

import polars as pl

from faithflow.graph.extraction import ExtractedTriples, TripleExtractor, sources_of
from faithflow.graph.model import Triple
from faithflow.graph.triple_gold import Fact
from faithflow.graph.triple_judge import JudgedDocument, TripleJudge
from faithflow.graph.triple_rows import Row, gold_rows
from faithflow.tables.graph import TRIPLE_VERDICTS, TRIPLES
from faithflow.tables.records import frame_of

Item = TypeVar("Item")
Result = TypeVar("Result")


@dataclass(frozen=True, slots=True)
class TripleRun:
    """The table `triples`, and why each passage that was not read was not (passage_id to reason)."""

    triples: pl.DataFrame
    failed: Mapping[str, str]

    @property
    def reasons(self) -> dict[str, int]:
        """Failed passages by reason."""
        return dict(sorted(Counter(self.failed.values()).items()))


async def extract_triples(
    passages: pl.DataFrame,
    documents: pl.DataFrame,
    extractor: TripleExtractor,
    max_open: int,
    on_passage: Callable[[ExtractedTriples], None] = lambda _: None,
) -> TripleRun:
    """The triples of all passages (tables `passages`, `documents`), sorted by document, place and id.

    `on_passage` hears of each finished passage, in no set order. A passage that a model did not bring is in `failed`
    and asked for again by the next run. Raises LateRunError where calls are not allowed and the ledger lacks one.
    """
    sources = sources_of(passages, documents)
    extracted = await _all(sources, extractor.extract, max_open, on_passage)
    triples: dict[str, Triple] = {}
    for each in extracted:
        for triple in each.triples:
            triples.setdefault(triple.triple_id, triple)
    failed = {each.source.passage_id: each.failure for each in extracted if each.failure is not None}
    return TripleRun(frame_of(TRIPLES, map(_triple_row, triples.values())), failed)


async def judge_triples(
    documents: pl.DataFrame,
    triples: pl.DataFrame,
    judge: TripleJudge,
    max_open: int,
    on_document: Callable[[list[Row]], None] = lambda _: None,
) -> pl.DataFrame:
    """The table `triple_verdicts` of one judge: every document of `documents`, with or without triples, by id.

    `on_document` hears of each finished document's rows, in no set order.
    """
    by_document = _by_document(triples)

    async def judged(document: JudgedDocument) -> list[Row]:
        return await judge.judge(document, by_document[document.document_id])

    columns = documents.select("document_id", "title", "text").sort("document_id")
    rows = await _all([JudgedDocument(*row) for row in columns.iter_rows()], judged, max_open, on_document)
    return frame_of(TRIPLE_VERDICTS, (row for part in rows for row in part))


def gold_verdicts(documents: pl.DataFrame, triples: pl.DataFrame, gold: Iterable[tuple[str, Fact]]) -> pl.DataFrame:
    """The table `triple_verdicts` of the judge `gold`: the documents that have gold triples (`gold` pairs a document's
    id with one), and of others nothing, since without gold nothing is known."""
    by_document = _by_document(triples)
    known: defaultdict[str, list[Fact]] = defaultdict(list)
    for document_id, fact in gold:
        known[document_id].append(fact)
    ids = [each for each in documents["document_id"].sort() if each in known]
    rows = (row for each in ids for row in gold_rows(each, by_document[each], known[each]))
    return frame_of(TRIPLE_VERDICTS, rows)


def triples_of(frame: pl.DataFrame) -> list[Triple]:
    """The records of a `triples` table, in its order."""
    columns = [column for column in frame.columns if column != "triple_id"]
    return [Triple(**row) for row in frame.select(columns).iter_rows(named=True)]


def _by_document(triples: pl.DataFrame) -> defaultdict[str, list[Triple]]:
    by_document: defaultdict[str, list[Triple]] = defaultdict(list)
    for triple in triples_of(triples):
        by_document[triple.document_id].append(triple)
    return by_document


def _triple_row(triple: Triple) -> Row:
    return {
        "triple_id": triple.triple_id,
        "head": triple.head,
        "head_type": triple.head_type,
        "relation": triple.relation,
        "tail": triple.tail,
        "tail_type": triple.tail_type,
        "document_id": triple.document_id,
        "passage_id": triple.passage_id,
        "char_start": triple.char_start,
        "char_end": triple.char_end,
        "extractor": triple.extractor,
    }


async def _all(
    items: Sequence[Item],
    work: Callable[[Item], Awaitable[Result]],
    max_open: int,
    on_done: Callable[[Result], None],
) -> list[Result]:
    """The results in the items' order, at most `max_open` open at once; the first error ends them all."""
    results: dict[int, Result] = {}
    waiting = iter(enumerate(items))

    async def worker() -> None:
        for number, item in waiting:
            results[number] = await work(item)
            on_done(results[number])
            # an extractor that never waits must leave the loop to others
            await asyncio.sleep(0)

    try:
        async with asyncio.TaskGroup() as workers:
            for _ in range(max(1, max_open)):
                workers.create_task(worker())
    except BaseExceptionGroup as group:
        raise group.exceptions[0] from None
    return [results[number] for number in range(len(items))]
