"""The walk, on small graphs in each store: its order, its caps, and what a hub does to it."""

import datetime as dt
import gzip
import json
import uuid
from collections.abc import Iterator
from pathlib import Path

import pytest

from faithflow.corpus.chunking import passages_of
from faithflow.corpus.document import CorpusContent
from faithflow.corpus.link_edges import link_edges, next_edges
from faithflow.corpus.scope import Scope
from faithflow.graph.model import MENTIONS, NEXT, Edge, GraphStore, Node
from faithflow.graph.walk import Walk, walk
from resources.graph_store import open_graph_store

SCOPE = Scope(dt.date(2025, 6, 1))


def nodes_of(passages: str, entities: str = "") -> list[Node]:
    return [
        *(Node(name, "passage", name, "", "public") for name in passages.split()),
        *(Node(name, "entity", name) for name in entities.split()),
    ]


def edges_of(text: str) -> list[Edge]:
    """One edge a line: source relation target; a mention and a fact (in capitals) with their passage or words."""
    edges: list[Edge] = []
    for line in text.strip().splitlines():
        source, relation, target = line.split()
        if relation == MENTIONS:
            edges.append(Edge(source, relation, target, "public", passage_id=source))
        elif relation.isupper():
            edges.append(Edge(source, relation, target, "public", fact=line.strip()))
        else:
            edges.append(Edge(source, relation, target, "public"))
    return edges


def order(walked: Walk) -> list[str]:
    return [visit.node.id for visit in walked.visits]


REQUIREMENTS = (
    nodes_of("high1 high2 low1 low2 low3 test1 far"),
    edges_of(
        """
        low1 derives_from high1
        low2 derives_from high1
        low3 derives_from high2
        test1 traces_to low1
        far references test1
        high1 next high2
        """
    ),
)


def test_the_walk_goes_along_links_in_either_direction_hop_by_hop(graph_store: GraphStore) -> None:
    graph_store.rebuild(*REQUIREMENTS, "v1")
    walked = walk(graph_store, ["low1"], SCOPE)
    assert [(v.node.id, v.hop, v.path) for v in walked.visits] == [
        ("high1", 1, ("low1", "derives_from", "high1")),
        ("test1", 1, ("low1", "traces_to", "test1")),
        ("low2", 2, ("low1", "derives_from", "high1", "derives_from", "low2")),
        ("high2", 2, ("low1", "derives_from", "high1", NEXT, "high2")),
        ("far", 2, ("low1", "traces_to", "test1", "references", "far")),
    ]
    assert [(e.source_id, e.relation, e.target_id) for e in walked.edges] == [
        ("low1", "derives_from", "high1"),
        ("test1", "traces_to", "low1"),
        ("low2", "derives_from", "high1"),
        ("high1", NEXT, "high2"),
        ("far", "references", "test1"),
    ]
    assert walked.cut == ()


def test_hops_bound_the_walk(graph_store: GraphStore) -> None:
    graph_store.rebuild(*REQUIREMENTS, "v1")
    assert order(walk(graph_store, ["far"], SCOPE, hops=0)) == []
    assert order(walk(graph_store, ["far"], SCOPE, hops=1)) == ["test1"]
    assert order(walk(graph_store, ["far"], SCOPE, hops=3)) == ["test1", "low1", "high1"]


def test_relations_that_are_not_named_are_not_walked(graph_store: GraphStore) -> None:
    graph_store.rebuild(*REQUIREMENTS, "v1")
    walked = walk(graph_store, ["low1"], SCOPE, relations=["derives_from"])
    assert order(walked) == ["high1", "low2"]


def test_the_seeds_rank_decides_and_no_node_is_visited_twice(graph_store: GraphStore) -> None:
    graph_store.rebuild(*REQUIREMENTS, "v1")
    assert order(walk(graph_store, ["low3", "low1"], SCOPE, hops=1)) == ["high2", "high1", "test1"]
    assert order(walk(graph_store, ["low1", "low3", "low1"], SCOPE, hops=1)) == ["high1", "test1", "high2"]
    assert walk(graph_store, ["low1", "high1"], SCOPE, hops=1).visits[0].node.id == "test1"


def test_unknown_seeds_and_no_seeds_lead_nowhere(graph_store: GraphStore) -> None:
    graph_store.rebuild(*REQUIREMENTS, "v1")
    assert walk(graph_store, ["nobody"], SCOPE) == Walk(())
    assert walk(graph_store, [], SCOPE) == Walk(())


NEWS = (
    nodes_of("s1 s2 rare noise1 noise2 noise3 noise4 linked", "Institution Rare"),
    edges_of(
        """
        s1 mentions Institution
        s2 mentions Institution
        s2 mentions Rare
        rare mentions Rare
        noise1 mentions Institution
        noise2 mentions Institution
        noise3 mentions Institution
        noise4 mentions Institution
        s1 references linked
        Institution KNOWS Rare
        """
    ),
)


def test_an_entity_leads_to_other_passages_and_the_last_hop_visits_passages_alone(graph_store: GraphStore) -> None:
    graph_store.rebuild(*NEWS, "v1")
    assert order(walk(graph_store, ["rare"], SCOPE, hops=1)) == []
    walked = walk(graph_store, ["rare"], SCOPE)
    assert [(v.node.id, v.path) for v in walked.visits] == [
        ("Rare", ("rare", MENTIONS, "Rare")),
        ("s2", ("rare", MENTIONS, "Rare", MENTIONS, "s2")),
    ]


def test_a_hub_is_followed_last_and_links_come_before_mentions(graph_store: GraphStore) -> None:
    graph_store.rebuild(*NEWS, "v1")
    walked = walk(graph_store, ["s1", "s2"], SCOPE)
    assert [v.node.id for v in walked.passages] == ["linked", "rare", "noise1", "noise2", "noise3", "noise4"]


def test_the_cap_counts_passages_beyond_the_seeds_and_the_cut_ones_are_named(graph_store: GraphStore) -> None:
    graph_store.rebuild(*NEWS, "v1")
    walked = walk(graph_store, ["s1", "s2"], SCOPE, cap=3)
    assert [v.node.id for v in walked.passages] == ["linked", "rare", "noise1"]
    assert walked.cut == ("noise2", "noise3", "noise4")
    assert order(walk(graph_store, ["s1", "s2"], SCOPE, cap=1)) == ["linked", "Institution", "Rare"]
    assert walk(graph_store, ["s1", "s2"], SCOPE, cap=0).passages == ()


def test_a_smaller_cap_is_the_beginning_of_a_larger_one(graph_store: GraphStore) -> None:
    graph_store.rebuild(*NEWS, "v1")
    whole = [v.node.id for v in walk(graph_store, ["s2", "s1"], SCOPE).passages]
    for cap in range(len(whole) + 1):
        assert [v.node.id for v in walk(graph_store, ["s2", "s1"], SCOPE, cap=cap).passages] == whole[:cap]


def test_the_walk_stays_within_the_scope(graph_store: GraphStore) -> None:
    nodes = [*nodes_of("p1 p2"), Node("secret", "passage", "secret", "", "secret"), Node("e", "entity", "e")]
    edges = [
        Edge("p1", MENTIONS, "e", "public"),
        Edge("secret", MENTIONS, "e", "secret"),
        Edge("p2", MENTIONS, "e", "public", valid_to=20250601),
        Edge("p1", "references", "secret", "public"),
    ]
    graph_store.rebuild(nodes, edges, "v1")
    assert walk(graph_store, ["p1"], SCOPE).passages == ()
    assert [v.node.id for v in walk(graph_store, ["p1"], Scope(dt.date(2025, 5, 31))).passages] == ["p2"]
    both = Scope(SCOPE.as_of, ("public", "secret"))
    assert [v.node.id for v in walk(graph_store, ["p1"], both).passages] == ["secret"]


@pytest.mark.slow
def test_a_hub_of_thousands_of_edges_does_not_hide_what_a_rare_name_leads_to(graph_store: GraphStore) -> None:
    crowd = [f"c{i:05d}" for i in range(12_000)]
    nodes = nodes_of(" ".join(["seed", "found", *crowd]), "A_hub Z_rare")
    edges = [Edge(name, MENTIONS, "A_hub", "public") for name in ["seed", *crowd]]
    edges += edges_of("seed mentions Z_rare\nfound mentions Z_rare")
    graph_store.rebuild(nodes, edges, "v1")
    walked = walk(graph_store, ["seed"], SCOPE)
    assert [v.node.id for v in walked.passages] == ["found", *crowd[:29]]


@pytest.fixture
def both_stores(tmp_path: Path, neo4j_server: dict[str, str], neo4j_graph: str) -> Iterator[list[GraphStore]]:
    stores = [
        open_graph_store(tmp_path / "graph.lbug"),
        open_graph_store(neo4j_server["url"], neo4j_server["user"], neo4j_server["password"], graph=neo4j_graph),
    ]
    yield stores
    for store in stores:
        store.close()


def requirement_graph(content: CorpusContent) -> tuple[list[Node], list[Edge]]:
    passages = {document.document_id: passages_of(document) for document in content.documents}
    nodes = [
        Node(passage.passage_id, "passage", document.reference, "", document.access)
        for document in content.documents
        for passage in passages[document.document_id]
    ]
    kept = {document.document_id: document for document in content.documents}
    rows = [*link_edges(content.links, content.documents, kept, passages), *next_edges(passages)]
    edges = [Edge(str(r["source_id"]), str(r["relation"]), str(r["target_id"]), "public") for r in rows]
    return nodes, edges


def assert_same_walks(stores: list[GraphStore], nodes: list[Node], edges: list[Edge], least: int) -> None:
    """From every fourth passage, with three more seeds: both stores walk alike, and somewhere."""
    fingerprint = uuid.uuid4().hex
    first, second = (store.rebuild(nodes, edges, fingerprint) for store in stores)
    assert first == second
    ids = [node.id for node in nodes if node.kind == "passage"]
    lengths: list[int] = []
    for start in range(0, len(ids), 4):
        seeds = [ids[(start + 7 * step) % len(ids)] for step in range(4)]
        ladybug, neo4j = (walk(store, seeds, SCOPE) for store in stores)
        assert ladybug == neo4j
        lengths.append(len(ladybug.passages))
    assert max(lengths) >= least


@pytest.mark.slow
@pytest.mark.neo4j
def test_both_stores_walk_alike_on_the_generated_requirement_set(both_stores: list[GraphStore]) -> None:
    from faithflow.sample.content import sample_content

    nodes, edges = requirement_graph(sample_content())
    assert {edge.relation for edge in edges} >= {"derives_from", "satisfies", "traces_to", "references"}
    assert_same_walks(both_stores, nodes, edges, least=20)


@pytest.mark.slow
@pytest.mark.neo4j
@pytest.mark.data
def test_both_stores_walk_alike_on_dronology(data: Path, both_stores: list[GraphStore]) -> None:
    from faithflow.corpus.dronology import read_dronology
    from faithflow.corpus.source import SourceFile

    raw = gzip.decompress((data / "traceability" / "dronologydataset01.json.gz").read_bytes())
    content = read_dronology([SourceFile("dronology.json", raw)])
    assert len(content.documents) == 398
    nodes, edges = requirement_graph(content)
    assert_same_walks(both_stores, nodes, edges, least=20)


@pytest.mark.slow
@pytest.mark.data
def test_a_walk_over_names_finds_more_of_the_gold_passages_than_the_nearest_passages_do(
    tmp_path: Path, data: Path
) -> None:
    """MuSiQue with the entities of HippoRAG's OpenIE triples, 100 questions over 1,890 passages, seeds by TF-IDF:
    the first 15 of 8 seeds and their walk against the 15 nearest."""
    from sklearn.feature_extraction.text import TfidfVectorizer

    def rows(name: str) -> list[dict[str, object]]:
        with gzip.open(data / "multihop" / f"{name}.jsonl.gz", "rt", encoding="utf-8") as lines:
            return [json.loads(line) for line in lines]

    corpus = [(str(row["title"]), str(row["text"])) for row in rows("musique_train_corpus_1890")]
    ids = {passage: f"p{number:04d}" for number, passage in enumerate(corpus)}
    names: list[set[str]] = []
    for (title, _), row in zip(corpus, rows("openie_musique_train_gpt35_1890"), strict=True):
        triples = [triple for triple in row["triples"] if len(triple) == 3]  # type: ignore[attr-defined]
        names.append({str(name).lower() for head, _, tail in triples for name in (head, tail)} | {title.lower()})
    nodes = [Node(each, "passage", title, "", "public") for (title, _), each in ids.items()]
    nodes += [Node(f"e {name}", "entity", name) for name in sorted(set().union(*names))]
    edges = [
        Edge(ids[passage], MENTIONS, f"e {name}", "public")
        for passage, own in zip(corpus, names, strict=True)
        for name in own
    ]
    store = open_graph_store(tmp_path / "graph.lbug")
    store.rebuild(nodes, edges, "musique")
    vectorizer = TfidfVectorizer(sublinear_tf=True, stop_words="english")
    matrix = vectorizer.fit_transform([f"{title} {text}" for title, text in corpus])
    order_of = list(ids.values())
    nearest_recall = walk_recall = 0.0
    questions = rows("musique_train_100")
    for question in questions:
        scores = (matrix @ vectorizer.transform([question["question"]]).T).toarray().ravel()
        ranked = [order_of[number] for number in (-scores).argsort(kind="stable")[:15]]
        walked = [visit.node.id for visit in walk(store, ranked[:8], SCOPE).passages]
        gold = {
            ids[paragraph["title"], paragraph["paragraph_text"]]
            for paragraph in question["paragraphs"]  # type: ignore[attr-defined]
            if paragraph["is_supporting"]
        }
        nearest_recall += len(gold & set(ranked)) / len(gold) / len(questions)
        walk_recall += len(gold & set([*ranked[:8], *walked][:15])) / len(gold) / len(questions)
    store.close()
    print(f"recall in 15 passages: nearest {nearest_recall:.3f}, walk {walk_recall:.3f}")
    assert walk_recall > nearest_recall + 0.05
