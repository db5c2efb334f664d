"""From triples to the graph's edges, nodes and what a store is given."""

import datetime as dt
import re

import polars as pl

from faithflow.corpus.scope import FIRST_DAY, LAST_DAY
from faithflow.graph.edges import graph_edges, graph_nodes, stored_edges
from faithflow.graph.entities import ABBREVIATED_AS, resolve
from faithflow.graph.model import MENTIONS, NEXT
from faithflow.tables.graph import EDGES
from faithflow.tables.records import frame_of
from tests.triples import document, documents_frame, passage, passages_frame, triple

DOCUMENT = document(access="staff", valid_from=dt.date(2026, 1, 1), valid_to=dt.date(2027, 1, 1))
PASSAGE = passage(DOCUMENT)
OWN = {"document_id": DOCUMENT.document_id, "passage_id": PASSAGE.passage_id}
TRIPLES = [
    triple("Harbour Agency", ABBREVIATED_AS, "HA", **OWN),
    triple("The HA", "FOUNDED_IN", "1998", **OWN),
    triple("Harbour Agency", "employs 85 – or 86!", "people", **OWN),
    triple("Moon", "MADE_OF", "cheese", document_id="elsewhere", passage_id="x"),
]
RESOLUTION = resolve(TRIPLES)
LINK = {
    "source_id": PASSAGE.passage_id,
    "relation": NEXT,
    "target_id": "p2",
    "source_kind": "passage",
    "target_kind": "passage",
    "document_id": DOCUMENT.document_id,
    "passage_id": "",
    "fact": "",
}
LINKS = frame_of(EDGES, [LINK])


def edges(order: int = 1) -> pl.DataFrame:
    return graph_edges(TRIPLES[::order], RESOLUTION, LINKS, documents_frame(DOCUMENT))


def test_each_passage_mentions_each_entity_of_its_triples_once() -> None:
    mentions = edges().filter(relation=MENTIONS)
    names = {entity.entity_id: entity.name for entity in RESOLUTION.entities}
    assert sorted(names[each] for each in mentions["target_id"]) == ["1998", "Harbour Agency", "people"]
    assert set(mentions["source_id"]) == {PASSAGE.passage_id}


def test_a_fact_goes_from_entity_to_entity_in_words_and_an_abbreviation_makes_none() -> None:
    facts = edges().filter(pl.col("fact") != "")
    agency = RESOLUTION.entity("HA").entity_id
    assert facts.sort("fact").select("source_id", "relation", "fact").rows() == [
        (agency, "EMPLOYS_85_OR_86", "Harbour Agency employs 85 or 86 people"),
        (agency, "FOUNDED_IN", "The HA founded in 1998"),
    ]


def test_links_of_the_corpus_pass_through_and_the_order_of_triples_counts_for_nothing() -> None:
    assert edges().filter(relation=NEXT).rows(named=True) == [LINK]
    assert edges().equals(edges(-1))
    assert not edges().select(EDGES.key).is_duplicated().any()


def test_triples_of_unknown_documents_make_no_edge() -> None:
    assert set(edges()["document_id"]) == {DOCUMENT.document_id}


def test_a_passage_node_has_its_documents_reference_access_and_validity() -> None:
    nodes = list(graph_nodes(passages_frame(PASSAGE), documents_frame(DOCUMENT), RESOLUTION.frame))
    assert (nodes[0].id, nodes[0].kind, nodes[0].name) == (PASSAGE.passage_id, "passage", "D1")
    assert (nodes[0].access, nodes[0].valid_from, nodes[0].valid_to) == ("staff", 20260101, 20270101)
    entities = nodes[1:]
    assert [node.id for node in entities] == sorted(entity.entity_id for entity in RESOLUTION.entities)
    assert {(node.kind, node.valid_from, node.valid_to) for node in entities} == {("entity", FIRST_DAY, LAST_DAY)}


def test_a_stored_edge_may_be_seen_by_whom_and_when_its_document_may() -> None:
    stored = list(stored_edges(edges(), documents_frame(DOCUMENT)))
    assert len(stored) == edges().height
    assert {(edge.access, edge.valid_from, edge.valid_to) for edge in stored} == {("staff", 20260101, 20270101)}
    assert all(re.fullmatch(r"[A-Za-z][A-Za-z0-9_]{0,63}", edge.relation) for edge in stored)
