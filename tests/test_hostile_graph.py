"""Names that look like anything but names, and graphs at the edge of being one."""

import datetime as dt
from itertools import islice, pairwise, product
from string import ascii_uppercase

import pytest

from faithflow.corpus.scope import Scope
from faithflow.errors import TableError
from faithflow.graph.entities import resolve
from faithflow.graph.extraction import Source
from faithflow.graph.model import Edge, GraphStore, Node
from faithflow.graph.patterns import extract
from faithflow.graph.terms import search_terms
from faithflow.graph.triple_gold import date_of, same_end
from faithflow.graph.walk import walk
from tests.triples import triple

SCOPE = Scope(dt.date(2026, 9, 1))
NAMES = (
    "MATCH (n) DETACH DELETE n",
    ".*",
    "[a-z]+$",
    "x" * 10_000,
    "שלום עולם",
    "\u202etxet",
    "🏳️\u200d🌈",
    "`; RETURN 1",
    "\\",
    "$terms",
    "İstanbul",
    "ﬁne",
    "a\nb",
)
RESERVED = (
    "MATCH",
    "RETURN",
    "DELETE",
    "NODE",
    "REL",
    "TABLE",
    "NULL",
    "id",
    "from",
    "to",
    "label",
    "type",
    "key",
    "in",
)


def nodes(names: tuple[str, ...] = NAMES) -> list[Node]:
    return [Node(f"e{number}", "entity", name, "Thing") for number, name in enumerate(names)]


def fact(source: int, relation: str, target: int) -> Edge:
    return Edge(f"e{source}", relation, f"e{target}", "public", passage_id="", fact=f"{source} {relation} {target}")


def test_a_fact_is_found_by_the_name_of_its_ends_whatever_that_looks_like(graph_store: GraphStore) -> None:
    graph_store.rebuild(nodes(), [fact(a, "R", b) for a, b in pairwise(range(len(NAMES)))], "1")
    for number, name in enumerate(NAMES):
        found = graph_store.facts([name.lower()], SCOPE)
        assert {number} <= {int(end[1:]) for each in found for end in (each.edge.source_id, each.edge.target_id)}
        assert all(name in (each.source, each.target) for each in found)


def test_a_relation_may_be_named_like_a_word_of_the_query_language(graph_store: GraphStore) -> None:
    names = tuple(f"n{number}" for number in range(len(RESERVED) + 1))
    edges = [fact(number, relation, number + 1) for number, relation in enumerate(RESERVED)]
    counts = graph_store.rebuild(nodes(names), edges, "1")
    assert {relation: counts[relation] for relation in RESERVED} == dict.fromkeys(RESERVED, 1)
    for number, relation in enumerate(RESERVED):
        (found,) = graph_store.neighbours([f"e{number}"], SCOPE, [relation])
        assert found.node.id == f"e{number + 1}"


@pytest.mark.parametrize("relation", ["x`y", "é", "A\n", "", "1A", "A-B", "A" * 65, "entity"])
def test_what_cannot_name_a_relation_is_refused(graph_store: GraphStore, relation: str) -> None:
    with pytest.raises(TableError, match="cannot name a relation"):
        graph_store.rebuild(nodes(), [fact(0, relation, 1)], "1")


def test_a_walk_in_a_graph_of_one_node_or_none_goes_nowhere(graph_store: GraphStore) -> None:
    for number, graph in enumerate(([], [Node("p1", "passage", "A", "")])):
        graph_store.rebuild(graph, [], str(number))
        found = walk(graph_store, ["p1", "p1", "", "' OR 1=1 //"], SCOPE)
        assert (found.visits, found.cut) == ((), ())
        assert graph_store.facts(["a"], SCOPE) == []


@pytest.mark.parametrize(("hops", "cap"), [(0, 5), (3, 0)])
def test_a_walk_without_room_visits_no_passage(graph_store: GraphStore, hops: int, cap: int) -> None:
    graph = [Node(f"p{number}", "passage", "A", "") for number in range(3)]
    graph_store.rebuild(
        graph, [Edge("p0", "derives_from", "p1", "public"), Edge("p1", "derives_from", "p2", "public")], "1"
    )
    assert walk(graph_store, ["p0"], SCOPE, hops, cap).passages == ()


@pytest.mark.parametrize(
    ("a", "b"), [("C", "C#"), ("C", "C++"), ("C#", "C++"), ("5", "½"), ("5%", "5"), ("שלום", "שלוש")]
)
def test_signs_that_tell_names_apart_do_so(a: str, b: str) -> None:
    assert len(resolve([triple(a, "RIVALS", b)]).entities) == 2


@pytest.mark.parametrize("name", ["", " ", "\u200b", "'s", "the the", "🏳️\u200d🌈", *NAMES])
def test_every_name_has_its_entity(name: str) -> None:
    assert name in resolve([triple(name, "R", "Harbour Agency")]).by_surface


def test_thousands_of_abbreviations_each_find_their_name() -> None:
    letters = list(islice(product(ascii_uppercase, repeat=3), 4_000))
    triples = [
        triple(" ".join(f"{letter}ab" for letter in three), "ABBREVIATED_AS", "".join(three)) for three in letters
    ]
    entities = resolve(triples).entities
    assert len(entities) == len(letters)
    assert all(len(entity.surfaces) == 2 for entity in entities)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "The " * 5_000,
        "A, " * 5_000,
        "(" * 20_000,
        "“" * 20_000,
        "of the " * 5_000,
        "-" * 20_000,
        "| a | b |\n" * 2_000,
    ],
)
def test_text_without_a_fact_has_no_triples_and_few_terms(text: str) -> None:
    assert extract(Source("d", "p", 0, text)) == ()
    assert len(search_terms(text)) <= 24


@pytest.mark.parametrize("text", ["31 February 2026", "2026-13-45", "99-99-9999", "0000-00-00", "1 2 3 " * 500])
def test_a_day_that_no_calendar_has_is_no_date(text: str) -> None:
    assert date_of(text) is None
    assert not same_end(text, "1 March 2026")
