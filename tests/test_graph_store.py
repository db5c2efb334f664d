"""What both graph stores promise: one suite, run on Ladybug and on a real Neo4j."""

import datetime as dt
import threading
from collections import Counter
from collections.abc import Iterator, Sequence

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from faithflow.corpus.scope import LAST_DAY, Scope
from faithflow.errors import StoreError, TableError
from faithflow.graph.model import MENTIONS, NEXT, Edge, Fact, GraphStore, Node
from faithflow.graph.terms import matched_terms

SCOPE = Scope(dt.date(2025, 6, 1))

INJECTIONS = (
    "' OR 1=1 //",
    "\\' }) DETACH DELETE n //",
    '"}) MATCH (n) DETACH DELETE n',
    "$build",
    "{0} %s ${x}",
    "`;DROP",
    "*/ RETURN 1 /*",
    "nul\x00byte",
    "line\nbreak\ttab",
    "日本語 😀 e\u0301",
)


def passage(node_id: str, access: str = "public", valid_from: int = 0, valid_to: int = LAST_DAY) -> Node:
    return Node(node_id, "passage", f"doc {node_id}", "", access, valid_from, valid_to)


def entity(node_id: str, name: str | None = None) -> Node:
    return Node(node_id, "entity", name or node_id, "Thing")


def link(source: str, relation: str, target: str, access: str = "public", start: int = 0, end: int = LAST_DAY) -> Edge:
    return Edge(source, relation, target, access, start, end)


def mention(source: str, target: str) -> Edge:
    return Edge(source, MENTIONS, target, "public", passage_id=source)


def fact(source: str, relation: str, target: str, stated_in: str, access: str = "public") -> Edge:
    return Edge(source, relation, target, access, passage_id=stated_in, fact=f"{source} {relation} {target}")


def ends(store: GraphStore, frontier: Sequence[str], scope: Scope = SCOPE, **options: object) -> list[tuple[str, str]]:
    return [(found.start, found.node.id) for found in store.neighbours(frontier, scope, **options)]  # type: ignore[arg-type]


SMALL = (
    [passage("p1"), passage("p2"), passage("p3"), entity("e1", "European Commission"), entity("e2", "Meta")],
    [
        link("p1", "derives_from", "p2"),
        link("p2", NEXT, "p3"),
        mention("p1", "e1"),
        mention("p3", "e1"),
        fact("e1", "FINED", "e2", "p1"),
        fact("e1", "FINED", "e2", "p3"),
    ],
)


def test_a_rebuilt_graph_counts_nodes_by_kind_and_edges_by_relation(graph_store: GraphStore) -> None:
    expected = {"passage": 3, "entity": 2, "derives_from": 1, NEXT: 1, MENTIONS: 2, "FINED": 2}
    assert graph_store.rebuild(*SMALL, "v1") == expected
    assert graph_store.counts() == expected


def test_a_store_without_a_graph_says_so_and_has_no_fingerprint(graph_store: GraphStore) -> None:
    assert graph_store.fingerprint() is None
    for ask in (
        lambda: graph_store.neighbours(["p1"], SCOPE),
        lambda: graph_store.facts(["meta"], SCOPE),
        lambda: graph_store.degrees(["p1"], SCOPE),
        graph_store.counts,
    ):
        with pytest.raises(StoreError, match=r"no graph .*materialize graph_store first"):
            ask()


def test_an_empty_graph_is_a_graph(graph_store: GraphStore) -> None:
    assert graph_store.rebuild([], [], "empty") == {}
    assert graph_store.fingerprint() == "empty"
    assert graph_store.counts() == {}
    assert graph_store.neighbours(["p1"], SCOPE) == []
    assert graph_store.facts(["meta"], SCOPE) == []


def test_neighbours_come_with_their_edge_as_stored_in_either_direction_and_sorted(graph_store: GraphStore) -> None:
    graph_store.rebuild(*SMALL, "v1")
    found = graph_store.neighbours(["p2", "p1"], SCOPE)
    nodes, edges = SMALL
    by_id = {node.id: node for node in nodes}
    assert [(n.start, n.edge, n.node) for n in found] == [
        ("p1", edges[0], by_id["p2"]),
        ("p1", edges[2], by_id["e1"]),
        ("p2", edges[0], by_id["p1"]),
        ("p2", edges[1], by_id["p3"]),
    ]


def test_relations_narrow_the_hop_and_none_of_them_is_nothing(graph_store: GraphStore) -> None:
    graph_store.rebuild(*SMALL, "v1")
    assert ends(graph_store, ["p2"], relations=["derives_from"]) == [("p2", "p1")]
    assert ends(graph_store, ["p2"], relations=["unknown"]) == []
    assert ends(graph_store, ["p2"], relations=[]) == []
    assert ends(graph_store, ["p2"]) == [("p2", "p1"), ("p2", "p3")]


def test_an_empty_or_unknown_frontier_has_no_neighbours(graph_store: GraphStore) -> None:
    graph_store.rebuild(*SMALL, "v1")
    assert graph_store.neighbours([], SCOPE) == []
    assert graph_store.neighbours(["nobody"], SCOPE) == []
    assert graph_store.degrees([], SCOPE) == {}


def test_the_limit_keeps_the_first_in_the_order(graph_store: GraphStore) -> None:
    nodes = [passage(f"p{i}") for i in range(10)]
    edges = [link("p0", "references", f"p{i}") for i in range(1, 10)] + [link("p1", "references", "p9")]
    graph_store.rebuild(nodes, edges, "v1")
    everything = ends(graph_store, ["p1", "p0"])
    assert everything == [("p0", f"p{i}") for i in range(1, 10)] + [("p1", "p0"), ("p1", "p9")]
    for limit in range(1, 12):
        assert ends(graph_store, ["p1", "p0"], limit=limit) == everything[:limit]


def test_an_edge_from_a_node_to_itself_is_left_out(graph_store: GraphStore) -> None:
    edges = [link("p1", "references", "p1"), link("p1", "references", "p2")]
    assert graph_store.rebuild([passage("p1"), passage("p2")], edges, "v1") == {"passage": 2, "references": 1}
    assert ends(graph_store, ["p1"]) == [("p1", "p2")]
    assert graph_store.degrees(["p1", "p2"], SCOPE) == {"p1": 1, "p2": 1}


def test_an_edge_given_twice_is_one_and_two_statements_of_one_fact_are_two(graph_store: GraphStore) -> None:
    nodes, edges = SMALL
    counts = graph_store.rebuild([*nodes, *nodes], [*edges, *edges], "v1")
    assert counts["FINED"] == 2
    assert counts["passage"] == 3
    assert [n.edge.passage_id for n in graph_store.neighbours(["e2"], SCOPE)] == ["p1", "p3"]


@pytest.mark.parametrize(
    ("day", "access", "seen"),
    [
        (dt.date(2025, 1, 1), ("public",), ["now"]),
        (dt.date(2025, 1, 1), ("public", "secret"), ["hidden", "now"]),
        (dt.date(2025, 1, 1), (), []),
        (dt.date(2024, 12, 31), ("public",), ["past"]),
        (dt.date(2026, 1, 1), ("public",), ["future"]),
    ],
)
def test_the_scope_decides_by_the_edge_and_by_the_passages_at_its_ends(
    graph_store: GraphStore, day: dt.date, access: tuple[str, ...], seen: list[str]
) -> None:
    nodes = [
        entity("e"),
        passage("now", valid_from=20250101, valid_to=20260101),
        passage("past", valid_to=20250101),
        passage("future", valid_from=20260101),
        passage("hidden", access="secret", valid_from=20250101, valid_to=20260101),
    ]
    edges = [Edge(n.id, MENTIONS, "e", n.access, n.valid_from, n.valid_to, n.id) for n in nodes[1:]]
    graph_store.rebuild(nodes, edges, "v1")
    scope = Scope(day, access)
    assert sorted(found for _, found in ends(graph_store, ["e"], scope)) == seen
    assert graph_store.degrees(["e"], scope) == {"e": len(seen)}
    for hidden in {n.id for n in nodes[1:]} - set(seen):
        assert ends(graph_store, [hidden], scope) == []


def test_an_open_edge_does_not_lead_to_a_passage_that_the_scope_forbids(graph_store: GraphStore) -> None:
    graph_store.rebuild([passage("p1"), passage("p2", access="secret")], [link("p1", "references", "p2")], "v1")
    assert ends(graph_store, ["p1"]) == []
    assert ends(graph_store, ["p2"]) == []
    assert graph_store.degrees(["p1", "p2"], SCOPE) == {"p1": 0, "p2": 0}


def test_a_forbidden_edge_does_not_lead_to_an_open_passage(graph_store: GraphStore) -> None:
    graph_store.rebuild([passage("p1"), passage("p2")], [link("p1", "references", "p2", access="secret")], "v1")
    assert ends(graph_store, ["p1"]) == []
    assert ends(graph_store, ["p1"], Scope(SCOPE.as_of, ("public", "secret"))) == [("p1", "p2")]


FACTS = (
    [
        passage("p1"), passage("p2"),
        entity("e1", "European Commission"), entity("e2", "Meta Platforms"), entity("e3", "Apple"),
        entity("e4", "Éire"),
    ],
    [
        mention("p1", "e1"),
        fact("e1", "FINED", "e2", "p1"),
        fact("e1", "FINED", "e3", "p2"),
        fact("e3", "BASED_IN", "e4", "p2", access="secret"),
        link("p1", "references", "p2"),
    ],
)  # fmt: skip


def told(facts: Sequence[Fact]) -> list[tuple[str, str, str, tuple[str, ...]]]:
    return [(f.source, f.edge.relation, f.target, f.matched) for f in facts]


def test_facts_match_by_names_of_their_ends_and_by_relation_best_first(graph_store: GraphStore) -> None:
    graph_store.rebuild(*FACTS, "v1")
    assert told(graph_store.facts(["meta", "fined"], SCOPE)) == [
        ("European Commission", "FINED", "Meta Platforms", ("meta", "fined")),
        ("European Commission", "FINED", "Apple", ("fined",)),
    ]
    assert told(graph_store.facts(["apple", "commission"], SCOPE)) == [
        ("European Commission", "FINED", "Apple", ("apple", "commission")),
        ("European Commission", "FINED", "Meta Platforms", ("commission",)),
    ]


def test_a_relation_is_found_as_words_and_as_it_is_written(graph_store: GraphStore) -> None:
    graph_store.rebuild(*FACTS, "v1")
    scope = Scope(SCOPE.as_of, ("public", "secret"))
    for term in ("based in", "based_in"):
        assert told(graph_store.facts([term], scope)) == [("Apple", "BASED_IN", "Éire", (term,))]


def test_facts_are_of_entities_alone_and_within_the_scope(graph_store: GraphStore) -> None:
    graph_store.rebuild(*FACTS, "v1")
    assert graph_store.facts(["references", "mentions", "doc"], SCOPE) == []
    assert graph_store.facts(["éire"], SCOPE) == []
    assert len(graph_store.facts(["éire"], Scope(SCOPE.as_of, ("secret",)))) == 1


def test_no_term_matches_nothing(graph_store: GraphStore) -> None:
    graph_store.rebuild(*FACTS, "v1")
    assert graph_store.facts([], SCOPE) == []
    assert graph_store.facts([""], SCOPE) == []


def test_the_limit_of_facts_keeps_those_of_most_terms(graph_store: GraphStore) -> None:
    graph_store.rebuild(*FACTS, "v1")
    everything = graph_store.facts(["commission", "meta"], SCOPE)
    assert told(graph_store.facts(["commission", "meta"], SCOPE, limit=1)) == told(everything[:1])
    assert everything[0].target == "Meta Platforms"


def test_the_same_fingerprint_leaves_the_graph_as_it_is(graph_store: GraphStore) -> None:
    counts = graph_store.rebuild(*SMALL, "v1")

    def unread() -> Iterator[Node]:
        pytest.fail("the nodes were read")
        yield passage("p1")

    assert graph_store.rebuild(unread(), [], "v1") == counts
    assert graph_store.fingerprint() == "v1"


def test_another_fingerprint_replaces_the_whole_graph(graph_store: GraphStore) -> None:
    graph_store.rebuild(*SMALL, "v1")
    assert graph_store.rebuild([passage("p9")], [], "v2") == {"passage": 1}
    assert graph_store.fingerprint() == "v2"
    assert graph_store.counts() == {"passage": 1}
    assert ends(graph_store, ["p1"]) == []


@pytest.mark.parametrize(
    ("nodes", "edges", "message"),
    [
        ([passage("p1")], [link("p1", "references", "p2")], "ends at no node"),
        ([passage("p1")], [link("p2", "references", "p1")], "ends at no node"),
        ([passage("p1"), entity("p1")], [], "two nodes that differ have the id 'p1'"),
        ([Node("x", "other", "x")], [], "of the kind 'other'"),  # type: ignore[arg-type]
        *(
            ([passage("p1"), passage("p2")], [link("p1", relation, "p2")], "cannot name a relation")
            for relation in ("", "9lives", "a b", "r`", "x" * 65, "é", "passage", "r\n", "R]->() DETACH DELETE n //")
        ),
    ],
)
def test_what_is_no_graph_is_refused_and_the_old_one_stays(
    graph_store: GraphStore, nodes: list[Node], edges: list[Edge], message: str
) -> None:
    graph_store.rebuild(*SMALL, "v1")
    with pytest.raises(TableError, match=message):
        graph_store.rebuild(nodes, edges, "v2")
    assert graph_store.fingerprint() == "v1"
    assert graph_store.counts()["passage"] == 3


@pytest.mark.parametrize("text", INJECTIONS)
def test_text_is_data_wherever_it_stands(graph_store: GraphStore, text: str) -> None:
    nodes = [Node(text, "passage", text, text, text), Node(f"{text} e", "entity", text), entity("e2")]
    told_in = Edge(f"{text} e", "KNOWS", "e2", text, passage_id=text, fact=text)
    graph_store.rebuild(nodes, [told_in, Edge(text, MENTIONS, f"{text} e", text)], text)
    scope = Scope(SCOPE.as_of, (text,))
    assert graph_store.fingerprint() == text
    assert graph_store.counts() == {"passage": 1, "entity": 2, "KNOWS": 1, MENTIONS: 1}
    assert [f.edge for f in graph_store.facts([text.lower()], scope)] == [told_in]
    assert [n.node for n in graph_store.neighbours([text], scope)] == [nodes[1]]
    assert graph_store.neighbours([text], scope, relations=[text]) == []
    assert graph_store.degrees([text], scope) == {text: 1}
    assert graph_store.counts()["passage"] == 1


def test_half_characters_are_replaced(graph_store: GraphStore) -> None:
    nodes = [Node("e1", "entity", "a\ud800b"), entity("e2")]
    graph_store.rebuild(nodes, [Edge("e1", "KNOWS", "e2", "public", fact="x\udfffy")], "v1")
    (found,) = graph_store.facts(["a\ud800b"], SCOPE)
    assert (found.source, found.edge.fact) == ("a\ufffdb", "x\ufffdy")


def test_many_threads_read_while_the_graph_is_rebuilt_and_each_sees_one_whole_graph(graph_store: GraphStore) -> None:
    def graph(version: int) -> tuple[list[Node], list[Edge]]:
        nodes = [passage("hub"), *(passage(f"v{version}-{i}") for i in range(40))]
        return nodes, [link("hub", "references", node.id) for node in nodes[1:]]

    graph_store.rebuild(*graph(0), "0")
    seen: list[set[str]] = []
    failures: list[Exception] = []
    done = threading.Event()

    def read() -> None:
        try:
            while not done.is_set():
                found = graph_store.neighbours(["hub"], SCOPE)
                assert len(found) == 40
                seen.append({n.node.id.split("-")[0] for n in found})
        except Exception as error:
            failures.append(error)

    readers = [threading.Thread(target=read) for _ in range(4)]
    for reader in readers:
        reader.start()
    for version in range(1, 6):
        graph_store.rebuild(*graph(version), str(version))
    done.set()
    for reader in readers:
        reader.join()
    assert not failures
    assert Counter(len(versions) for versions in seen).keys() == {1}


@pytest.mark.slow
@settings(max_examples=15, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_any_graph_gives_what_a_plain_reading_of_its_edges_gives(graph_store: GraphStore, data: st.DataObject) -> None:
    names = data.draw(st.lists(st.text(max_size=8), min_size=1, max_size=8, unique=True), label="names")
    kinds = [data.draw(st.sampled_from(["passage", "entity"])) for _ in names]
    nodes = [
        Node(f"n{i}", kind, name, "", "public" if kind == "passage" else "")  # type: ignore[arg-type]
        for i, (kind, name) in enumerate(zip(kinds, names, strict=True))
    ]
    ids = st.sampled_from([node.id for node in nodes])
    edges = data.draw(
        st.lists(
            st.builds(
                Edge,
                ids,
                st.sampled_from(["KNOWS", "mentions", "next"]),
                ids,
                st.sampled_from(["public", "secret"]),
                st.sampled_from([0, 20250101]),
                st.sampled_from([20250601, LAST_DAY]),
                ids,
                st.text(max_size=4),
            ),
            max_size=20,
            unique_by=lambda e: (e.source_id, e.relation, e.target_id, e.passage_id, e.fact),
        ),
        label="edges",
    )
    scope = Scope(dt.date(2025, 3, 1))
    graph_store.rebuild(nodes, edges, data.draw(st.uuids().map(str)))
    by_id = {node.id: node for node in nodes}
    seen = [e for e in edges if e.source_id != e.target_id and scope.allows(e.access, e.valid_from, e.valid_to)]
    plain = {
        (start, e, by_id[other])
        for e in seen
        for start, other in ((e.source_id, e.target_id), (e.target_id, e.source_id))
    }
    found = graph_store.neighbours(list(by_id), scope)
    assert {(n.start, n.edge, n.node) for n in found} == {
        (start, Edge(*(getattr(e, slot) for slot in Edge.__slots__)), node) for start, e, node in plain
    }
    order = [(n.start, n.edge.relation, n.edge.source_id, n.edge.target_id) for n in found]
    assert order == sorted(order)
    degrees = Counter(start for start, _, _ in plain)
    assert graph_store.degrees(list(by_id), scope) == {node_id: degrees[node_id] for node_id in by_id}
    terms = data.draw(st.lists(st.text(min_size=1, max_size=3).map(str.lower), max_size=3, unique=True), label="terms")
    expected = {
        e: matched
        for e in seen
        if by_id[e.source_id].kind == by_id[e.target_id].kind == "entity"
        and (matched := matched_terms(terms, by_id[e.source_id].name, e.relation, by_id[e.target_id].name))
    }
    assert {f.edge: f.matched for f in graph_store.facts(terms, scope)} == expected
