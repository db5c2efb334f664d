"""A corpus of eight passages with its graph, its web pages and questions, and the tools of a pipeline on it.

As a program it answers the questions by every pipeline against an endpoint, so that a test can kill it in the middle:
`python -m tests.pipeline_corpus FOLDER BASE_URL`.
"""

import asyncio
import datetime as dt
import json
import sys
from collections.abc import AsyncGenerator, Mapping
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

from faithflow.corpus.citation_vocabulary import Citable, Vocabulary
from faithflow.corpus.document import Document, Question
from faithflow.corpus.scope import Scope, end_day, first_day
from faithflow.graph.model import MENTIONS, Edge, Node
from faithflow.llm.budget import Spending
from faithflow.llm.caller import Caller, Rate
from faithflow.llm.limiter import AdaptiveLimiter
from faithflow.llm.model import Provider
from faithflow.pipelines.extractive.provider import MODEL, ExtractiveProvider
from faithflow.pipelines.model import PIPELINES, Caps, Generator, Outcome, PipelineKey, Tools
from faithflow.pipelines.registry import ARCHITECTURES
from faithflow.retrieval.model import IndexedPassage, Reranker, Web, WebPage
from resources.answer_run import answer_partition
from resources.ledger import open_ledger
from resources.openai_endpoint import OpenAIEndpoint
from tests.pipeline_tools import MemoryGraph, MemoryVectors, MemoryWeb, WordEmbedder

TODAY = dt.date(2026, 6, 1)


def _document(reference: str, title: str, text: str, **more: Any) -> Document:
    return Document(reference=reference, kind="press_release", title=title, text=text, **more)


DOCUMENTS = (
    _document(
        "IP/26/0101",
        "Harbour Commission opens the Ferry Fund",
        "The Harbour Commission opened the Ferry Fund on 3 March 2026. The Ferry Fund pays EUR 40 million for electric "
        "ferries. Applications close on 30 September 2026.",
        date=dt.date(2026, 3, 3),
        source_url="https://press.example.org/ip_26_0101?lang=en",
    ),
    _document(
        "IP/26/0102",
        "Ada Lindqvist named head of the Ferry Fund",
        "Ada Lindqvist leads the Ferry Fund since April 2026. She was mayor of Norrvik before.",
        date=dt.date(2026, 4, 1),
        source_url="https://press.example.org/ip_26_0102",
    ),
    _document(
        "IP/26/0103",
        "Norrvik builds a charging quay",
        "Norrvik builds a charging quay for electric ferries. The quay costs EUR 12 million and opens in 2027.",
        date=dt.date(2026, 5, 5),
        source_url="https://press.example.org/ip_26_0103",
    ),
    _document(
        "IP/25/0900",
        "Commission plans a tariff on steel",
        "The Harbour Commission plans a tariff of 12% on imported steel. The tariff begins in January 2026.",
        date=dt.date(2025, 9, 9),
        source_url="https://press.example.org/ip_25_0900",
        valid_to=dt.date(2026, 1, 1),
    ),
    _document(
        "MEMO-SECRET",
        "Draft of the Ferry Fund's second call",
        "The second call of the Ferry Fund will pay EUR 90 million.",
        access="staff",
    ),
    _document("SYS-001", "SYS-001: docking", "The ferry shall dock within 90 seconds at any charging quay."),
    _document("HLR-010", "HLR-010: holding", "The docking controller shall hold the ferry within 5 cm of the quay."),
    _document("LLR-100", "LLR-100: thrust", "The thruster loop shall run at 50 Hz with a jitter below 1 ms."),
)
LINKS = (("HLR-010", "derives_from", "SYS-001"), ("LLR-100", "satisfies", "HLR-010"))
ENTITIES = {
    "e_fund": ("Ferry Fund", "IP/26/0101 IP/26/0102 MEMO-SECRET"),
    "e_ada": ("Ada Lindqvist", "IP/26/0102"),
    "e_norrvik": ("Norrvik", "IP/26/0102 IP/26/0103"),
    "e_commission": ("Harbour Commission", "IP/26/0101 IP/25/0900"),
}
FACTS = (
    ("e_commission", "OPENED", "e_fund", "IP/26/0101"),
    ("e_ada", "LEADS", "e_fund", "IP/26/0102"),
    ("e_ada", "WAS_MAYOR_OF", "e_norrvik", "IP/26/0102"),
)
PAGES = (
    WebPage(
        "https://news.example.net/ferry-fund",
        "Ferry fund in short",
        "The Ferry Fund pays EUR 55 million for electric ferries.\n\nIslanders wait for the first ferry.",
        "2026-03-10",
    ),
    WebPage("https://news.example.net/gone", "The Ferry Fund page that is gone", ""),
    WebPage(
        "https://news.example.net/later",
        "Ferry Fund a year on",
        "The Ferry Fund paid for 11 electric ferries.",
        "2027-03-01",
    ),
    WebPage("https://blog.example.net/cats", "Cats of Norrvik", "Cats sleep on the quay of Norrvik all day long.", ""),
)
QUESTIONS = (
    Question("How much does the Ferry Fund pay for electric ferries?", id="q_pay"),
    Question("Who leads the Ferry Fund?", id="q_head"),
    Question("Where was the head of the Ferry Fund mayor before?", stratum="2", id="q_mayor"),
    Question("Which requirement derives from SYS-001?", stratum="2", id="q_parent"),
    Question("What colour is the flag of Zanzibar?", gold_answer="", id="q_none"),
)


def indexed_passages() -> list[IndexedPassage]:
    """One passage a document."""
    return [
        IndexedPassage(
            passage_id=f"p_{document.reference}",
            document_id=document.document_id,
            reference=document.reference,
            title=document.title,
            date=document.date.isoformat() if document.date else "",
            source_url=document.source_url or "",
            text=document.text,
            access=document.access,
            valid_from=first_day(document.valid_from),
            valid_to=end_day(document.valid_to),
        )
        for document in DOCUMENTS
    ]


def memory_stores() -> tuple[MemoryVectors, MemoryGraph]:
    """The corpus in both stores."""
    passages = {passage.reference: passage for passage in indexed_passages()}
    vectors, graph, embedder = MemoryVectors(), MemoryGraph(), WordEmbedder()
    vectors.rebuild(passages.values(), embedder.passages([p.indexed_text for p in passages.values()]), "1")
    nodes = [
        Node(p.passage_id, "passage", p.reference, "", p.access, p.valid_from, p.valid_to) for p in passages.values()
    ]
    nodes += [Node(identity, "entity", name) for identity, (name, _) in ENTITIES.items()]

    def edge(source: str, relation: str, target: str, stated_by: IndexedPassage, fact: str = "") -> Edge:
        days = stated_by.valid_from, stated_by.valid_to
        return Edge(source, relation, target, stated_by.access, *days, passage_id=stated_by.passage_id, fact=fact)

    edges = [
        edge(passages[reference].passage_id, MENTIONS, identity, passages[reference])
        for identity, (_, references) in ENTITIES.items()
        for reference in references.split()
    ]
    edges += [replace(edge(f"p_{a}", relation, f"p_{b}", passages[a]), passage_id="") for a, relation, b in LINKS]
    edges += [
        edge(a, relation, b, passages[reference], f"{ENTITIES[a][0]} {relation} {ENTITIES[b][0]}")
        for a, relation, b, reference in FACTS
    ]
    graph.rebuild(nodes, edges, "1")
    return vectors, graph


# ---- tools


@asynccontextmanager
async def opened_tools(
    folder: Path,
    provider: Provider | None = None,
    *,
    reranker: Reranker | None = None,
    web: Web | None = None,
    scope: Scope | None = None,
    caps: Caps | None = None,
    params: Mapping[str, Any] | None = None,
    price: Rate | None = None,
    max_attempts: int = 1,
    concurrency: int = 8,
) -> AsyncGenerator[Tools]:
    """Tools on the corpus with a ledger in a folder; the generator is the extractive one unless another is given."""
    ledger = open_ledger(str(folder / "ledger.sqlite"))
    way = provider or ExtractiveProvider()
    caller = Caller(
        name="generator",
        provider=way,
        ledger=ledger,
        limiter=AdaptiveLimiter(concurrency),
        spending=Spending(),
        rate=price or Rate(0.0, 0.0),
        timeout_s=20.0,
        max_attempts=max_attempts,
        judging_date=TODAY,
    )
    vectors, graph = memory_stores()
    within = scope or Scope(TODAY)
    try:
        yield Tools(
            embedder=WordEmbedder(),
            vectors=vectors,
            graph=graph,
            vocabulary=Vocabulary(
                Citable(p.reference, p.title, p.source_url, p.passage_id)
                for p in indexed_passages()
                if within.allows(p.access, p.valid_from, p.valid_to)
            ),
            reranker=reranker,
            web=web,
            generator=Generator("generator", caller, "openai", "http://model", MODEL, params or {}),
            scope=within,
            caps=caps or Caps(),
        )
    finally:
        await caller.cancel()
        await way.close()
        await ledger.close()


def answer(folder: Path, pipeline: PipelineKey, question: Question | str, repeat: int = 0, **options: Any) -> Outcome:
    """One question (or the one of this id) by one pipeline, with tools opened as the options say."""
    asked = next(q for q in QUESTIONS if q.id == question) if isinstance(question, str) else question

    async def run() -> Outcome:
        async with opened_tools(folder, **options) as tools:
            return await ARCHITECTURES[pipeline].answer(asked, tools, repeat)

    return asyncio.run(run())


async def answer_all(folder: Path, base_url: str) -> None:
    """Every question by every pipeline against an endpoint; the rows go to the folder as Parquet."""
    web = MemoryWeb(PAGES)
    async with opened_tools(folder, OpenAIEndpoint(base_url, None), web=web, params={"temperature": 0}) as tools:
        frames = await answer_partition(QUESTIONS, PIPELINES, tools, 2, lambda line: print(line, flush=True), 8)
    for name in ("answers", "steps", "retrievals"):
        getattr(frames, name).write_parquet(folder / f"{name}.parquet")


def reply_to(material: Mapping[str, Any]) -> str:
    """What a scripted model answers: a first piece cited, a search first and then the links, all kept at last."""
    match material["task"]:
        case "route":
            tools, asked = material["tools"], material["asked"]
            return json.dumps(
                {"tool": tools[min(len(asked), len(tools) - 1)], "query": f"{material['question']} {len(asked)}"}
            )
        case "critic":
            keep = [piece["id"] for piece in material["evidence"]]
            return json.dumps({"keep": keep, "sufficient": len(material["asked"]) > 1, "query": "more on it"})
        case _:
            first = material["evidence"][0]
            return f"It says {first['text'][:40]} {first['cite_as']}."


if __name__ == "__main__":
    asyncio.run(answer_all(Path(sys.argv[1]), sys.argv[2]))
