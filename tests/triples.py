"""Small tables of documents, passages and triples, and a model behind a scripted endpoint, for the tests of triples."""

import datetime as dt
import json
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import polars as pl

from faithflow.corpus.document import Document, Passage
from faithflow.graph.model import Triple
from faithflow.llm.asking import Model
from faithflow.llm.budget import Spending
from faithflow.llm.caller import Caller
from faithflow.llm.limiter import AdaptiveLimiter
from faithflow.tables.corpus import DOCUMENTS, PASSAGES
from faithflow.tables.graph import TRIPLES
from faithflow.tables.records import frame_of
from resources.ledger import open_ledger
from resources.openai_endpoint import OpenAIEndpoint
from tests.endpoint import ScriptedEndpoint
from tests.scripted import JsonObject, Response, chat, payload

TEXT = "The Harbour Agency (HA) was founded in 1998. It employs 85 people."
DAY = dt.date(2026, 3, 1)


def document(reference: str = "D1", text: str = TEXT, **more: Any) -> Document:
    return Document(reference, "press_release", f"Title of {reference}", text, dt.date(2026, 2, 1), **more)


def documents_frame(*documents: Document) -> pl.DataFrame:
    names = [column.name for column in DOCUMENTS.columns if column.name not in ("document_id", "topics", "corpus")]
    rows = [
        {name: getattr(each, name) for name in names} | {"document_id": each.document_id, "topics": []}
        for each in documents
    ]
    return frame_of(DOCUMENTS, rows, corpus="c")


def passage(document: Document, start: int = 0, end: int | None = None) -> Passage:
    end = len(document.text) if end is None else end
    return Passage(document.document_id, start, start, end, document.text[start:end])


def passages_frame(*passages: Passage) -> pl.DataFrame:
    columns = [column.name for column in PASSAGES.columns]
    return frame_of(PASSAGES, [{name: getattr(each, name) for name in columns} for each in passages])


def triple(head: str, relation: str, tail: str, **more: Any) -> Triple:
    usual = {"head_type": "ENTITY", "tail_type": "ENTITY", "document_id": "d", "passage_id": "p", "extractor": "x"}
    return Triple(head=head, relation=relation, tail=tail, **(usual | more))


def triples_frame(*triples: Triple) -> pl.DataFrame:
    columns = [column.name for column in TRIPLES.columns]
    return frame_of(TRIPLES, [{name: getattr(each, name) for name in columns} for each in triples])


@asynccontextmanager
async def model(
    endpoint: ScriptedEndpoint, folder: Path, *, window: int | None = None, **params: Any
) -> AsyncIterator[Model]:
    """A model `m` on the endpoint, with a ledger in the folder."""
    ledger = open_ledger(str(folder / "ledger.sqlite"))
    provider = OpenAIEndpoint(endpoint.base_url, None)
    caller = Caller("m", provider, ledger, AdaptiveLimiter(8), Spending(), None, 10.0, 2, DAY)
    try:
        yield Model(caller, "openai", endpoint.base_url, "m", {"temperature": 0, **params}, window)
    finally:
        await provider.close()
        await ledger.close()


def labels(request: JsonObject, label: str = "correct", missed: Any = (), only: Any = None) -> str:
    """The content of a judge's reply: one label for each triple asked (or `only` these ids)."""
    ids = [each["id"] for each in payload(request)["triples"]] if only is None else only
    results = [{"id": each, "label": label, "explanation": f"Read for {each}."} for each in ids]
    return json.dumps({"results": results, "missed_triples": [*missed]})


def judged(label: str = "correct", missed: Any = ()) -> Any:
    """A script that labels every triple alike."""

    def script(request: JsonObject, _number: int) -> Response:
        return chat(request, labels(request, label, missed))

    return script


def extracted(*items: Mapping[str, str]) -> Any:
    """A script that gives these items for every passage."""

    def script(request: JsonObject, _number: int) -> Response:
        return chat(request, json.dumps({"triples": [*items]}))

    return script


def item(head: str, relation: str, tail: str) -> dict[str, str]:
    return {"head": head, "head_type": "ORGANIZATION", "relation": relation, "tail": tail, "tail_type": "DATE"}
