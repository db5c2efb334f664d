"""The frozen inputs of a home: the tables `traces`, `claims` and `labels`, from the study's corpora."""

import asyncio
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

import polars as pl

from faithflow import __version__
from faithflow.claims.claim import ClaimKind
from faithflow.claims.extraction import Extraction
from faithflow.claims.extractor import Extracted, Extractor
from faithflow.claims.llm import PROMPT_VERSION
from faithflow.corpus.trace import TRACES_EMBEDDER, Trace
from faithflow.corpus.traces import TraceFile, read_traces
from faithflow.errors import TraceError, UserError
from faithflow.identity import content_id
from faithflow.judging.dates import today
from faithflow.judging.frames import claim_frame, extractions_of, label_frame, trace_frame, traces_of
from faithflow.sample import sample_traces
from faithflow.study.corpora import BUNDLED, Corpus
from faithflow.study.model import LlmClaims, Study
from faithflow.tables.registry import table
from resources.home import Home
from resources.ledger import open_ledger
from resources.ledger_url import ledger_url
from resources.pace import Pace
from resources.panel import open_panel
from resources.parquet import Written

Say = Callable[[str], None]

_NAMED = 5


def ingest(home: Home, study: Study, say: Say) -> Written:
    """Write the table `traces` from the study's corpora.

    Raises TraceError where a file is not valid or two corpora share an id, and UserError where an id that is there
    already comes with another question, answer or contexts: one id, one content.
    """
    files: list[tuple[Corpus, TraceFile]] = []
    for corpus in study.corpora:
        if corpus.traces is None:
            continue
        file = read_traces(sample_traces() if corpus.traces == BUNDLED else Path(corpus.traces))
        for warning in file.warnings:
            say(f"{file.path}: warning: {warning}")
        files.append((corpus, file))
    frames = [trace_frame(file, corpus.name) for corpus, file in files]
    frame = pl.concat([table("traces").empty(), *frames])
    _refuse_shared_ids(frame)
    with home.deriving("traces"):
        _refuse_changed(home, frame)
        return home.warehouse.write("traces", frame)


def extract_claims(home: Home, study: Study, embedder: str, stored_version: str | None, say: Say) -> Written:
    """Write the table `claims` of one embedder by the study's extractor.

    A model's claims stay as they are stored where `stored_version`, the `extractor_version` that made them, is still
    the study's; answers whose claims could not be extracted are tried again. Sentences are the same whenever they are
    taken. Raises UserError where the extractor's key is not set.
    """
    keeps = isinstance(study.claims, LlmClaims) and stored_version == extractor_version(study)
    with home.deriving("claims"):
        answers = home.warehouse.read("judged_answers", {"embedder": embedder})
        stored = extractions_of(home.warehouse.read("claims", {"embedder": embedder})) if keeps else {}
        extracted = asyncio.run(_extract(home, study, answers, stored, say))
        return home.warehouse.write("claims", claim_frame(extracted, embedder), {"embedder": embedder})


def write_labels(home: Home) -> Written:
    """Write the table `labels`: what people said of the claims of the answers that were brought along."""
    with home.deriving("labels"):
        extractions = extractions_of(home.warehouse.read("claims", {"embedder": TRACES_EMBEDDER}))
        traces = traces_of(home.warehouse.read("traces"))
        pairs = ((trace, extractions[trace.id]) for trace in traces if trace.id in extractions)
        return home.warehouse.write("labels", label_frame(pairs))


def extractor_version(study: Study) -> str:
    """The id of all that decides what claims an answer has: the extractor, its model, parameters and prompt.

    Sentences depend on the code alone, which goes by faithflow's version.
    """
    claims = study.claims
    if not isinstance(claims, LlmClaims):
        return content_id("x", ["sentences", __version__])
    return content_id("x", [claims.provider, claims.base_url, claims.model, claims.params, PROMPT_VERSION])


async def _extract(
    home: Home, study: Study, answers: pl.DataFrame, stored: dict[str, Extraction], say: Say
) -> list[tuple[Trace, Extraction]]:
    url = ledger_url(study, home.ledger)
    ledger = open_ledger(url)
    try:
        async with open_panel(study, (), ledger, url, today(), fresh_calls=True) as panel:
            workers = study.claims.max_concurrency if isinstance(study.claims, LlmClaims) else 1
            return await _extract_all(traces_of(answers), answers.height, panel.extractor, stored, workers, say)
    finally:
        await ledger.close()


async def _extract_all(
    traces: Iterable[Trace],
    total: int,
    extractor: Extractor,
    stored: dict[str, Extraction],
    workers: int,
    say: Say,
) -> list[tuple[Trace, Extraction]]:
    """The claims of each trace, in the traces' order, by so many workers at once."""
    found: list[tuple[int, Trace, Extraction]] = []
    source: Iterator[tuple[int, Trace]] = iter(enumerate(traces))
    pace = Pace()

    async def work() -> None:
        for place, trace in source:
            kept = _kept(trace, stored)
            extracted = Extracted(kept) if kept else await extractor.extract(trace)
            found.append((place, trace, extracted.extraction))
            if pace.is_due(at_end=len(found) == total):
                say(f"claims of {len(found)} of {total} answers")

    try:
        async with asyncio.TaskGroup() as group:
            for _ in range(workers):
                group.create_task(work())
    except BaseExceptionGroup as error:
        raise error.exceptions[0] from None
    return [(trace, extraction) for _, trace, extraction in sorted(found, key=lambda item: item[0])]


def _kept(trace: Trace, stored: dict[str, Extraction]) -> Extraction | None:
    """The stored claims of an answer, if they are to stay: the user's own claims are always read anew."""
    extraction = stored.get(trace.id)
    if extraction is None or trace.claims is not None:
        return None
    failed = any(claim.kind is ClaimKind.UNEXTRACTED for claim in extraction.claims)
    return None if failed else extraction


def _refuse_shared_ids(frame: pl.DataFrame) -> None:
    corpora = frame.group_by("trace_id").agg(pl.col("corpus").unique().sort()).filter(pl.col("corpus").list.len() > 1)
    if corpora.height:
        trace_id, names = corpora.sort("trace_id").row(0)
        raise TraceError(
            f"corpora {', '.join(map(repr, names))}: {corpora.height} trace ids stand in more than one of them, the "
            f"first is {trace_id!r}; ids must be unique over all corpora of a study"
        )


def _refuse_changed(home: Home, frame: pl.DataFrame) -> None:
    stored = home.warehouse.read("traces").select("trace_id", "content_hash")
    both = frame.join(stored, on="trace_id", suffix="_stored")
    changed = both.filter(pl.col("content_hash") != pl.col("content_hash_stored")).sort("trace_id")
    if changed.height:
        named = ", ".join(map(repr, changed["trace_id"].head(_NAMED)))
        raise UserError(
            f"{changed.height} traces are in this home with another question, answer or contexts: {named}; give the "
            "changed answers new ids (or none: then the content is the id), or use another --home"
        )
