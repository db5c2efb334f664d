"""The typed-edge walk: from seed passages to those that links, or entities in common, join to them.

Breadth-first, one hop at a time, so that every store gives the same walk and the way to each passage is known. The
defaults are those of the GraphRAG pipeline of seed 004, section 3.1: two hops, at most 30 passages.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from faithflow.corpus.scope import Scope
from faithflow.graph.model import MENTIONS, NEXT, Edge, GraphStore, Neighbour, Node

# About so many edges are asked for at once: places of few edges go together, a hub goes alone.
_PAGE = 2_000


@dataclass(frozen=True, slots=True)
class Visit:
    """A node that the walk came to: `hop` counts from 1, `seed` is where its path begins, `edge` the last one walked.

    `path` is node, relation, node, …, from the seed to the node itself.
    """

    node: Node
    hop: int
    seed: str
    edge: Edge
    path: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Walk:
    """The nodes visited, in their order, without the seeds. `cut`: the passages that were seen beyond the cap."""

    visits: tuple[Visit, ...]
    cut: tuple[str, ...] = ()

    @property
    def edges(self) -> tuple[Edge, ...]:
        """The edges walked: for each visit the one that led to it."""
        return tuple(visit.edge for visit in self.visits)

    @property
    def passages(self) -> tuple[Visit, ...]:
        """The visits to passages, in their order, without the seeds."""
        return tuple(visit for visit in self.visits if visit.node.kind == "passage")


@dataclass(frozen=True, slots=True)
class _Place:
    """A node that a hop starts from; `rank` is its seed's, from 1."""

    id: str
    seed: str
    rank: int
    path: tuple[str, ...]
    is_entity: bool = False


def walk(
    store: GraphStore,
    seeds: Sequence[str],
    scope: Scope,
    hops: int = 2,
    cap: int = 30,
    relations: Sequence[str] | None = None,
) -> Walk:
    """Walk from `seeds` (passage ids, best first) along edges of these relations (None: all), in either direction.

    `cap` counts the passages visited beyond the seeds. An entity is the way to a passage and takes none of its places
    (passage, entity, passage are two hops); the entities that the last hop reaches lead nowhere and are not visited.

    The order of visits is: by hop; then by the node that the hop starts from, which is for the first hop the seeds as
    they are ranked, and later the passages as they were visited, then the entities by the number of their edges times
    the rank of their seed; then corpus links before `next` before mentions and facts; then by id. So a name that
    stands everywhere is followed last, and only where nothing rarer has filled the cap. Raises StoreError like the
    store.
    """
    ranks = {seed: rank for rank, seed in enumerate(dict.fromkeys(seeds), start=1)}
    places = [_Place(seed, seed, rank, (seed,)) for seed, rank in ranks.items()]
    seen = {place.id for place in places}
    visits: list[Visit] = []
    cut: list[str] = []
    room = cap
    for hop in range(1, hops + 1):
        arrived: list[Visit] = []
        for page in _pages(places, store.degrees([place.id for place in places], scope)):
            for place, neighbour in _neighbours(store, page, scope, relations):
                node, edge = neighbour.node, neighbour.edge
                if node.id in seen or (node.kind == "entity" and hop == hops):
                    continue
                seen.add(node.id)
                if node.kind == "passage" and room == 0:
                    cut.append(node.id)
                    continue
                room -= node.kind == "passage"
                arrived.append(Visit(node, hop, place.seed, edge, (*place.path, edge.relation, node.id)))
            if room == 0:
                break
        visits += arrived
        places = [_Place(v.node.id, v.seed, ranks[v.seed], v.path, v.node.kind == "entity") for v in arrived]
        if room == 0 or not places:
            break
    return Walk(tuple(visits), tuple(cut))


def _pages(places: Sequence[_Place], degrees: Mapping[str, int]) -> Iterator[list[_Place]]:
    """The places in the order in which they are gone on from, in portions of about `_PAGE` edges."""

    def weight(place: _Place) -> tuple[bool, int]:
        return place.is_entity, degrees.get(place.id, 0) * place.rank if place.is_entity else 0

    ordered = sorted(places, key=weight)  # stable: passages stay as they were visited
    page: list[_Place] = []
    edges = 0
    for place in ordered:
        degree = degrees.get(place.id, 0)
        if page and edges + degree > _PAGE:
            yield page
            page, edges = [], 0
        page.append(place)
        edges += degree
    if page:
        yield page


def _neighbours(
    store: GraphStore, page: Sequence[_Place], scope: Scope, relations: Sequence[str] | None
) -> Iterator[tuple[_Place, Neighbour]]:
    """Each place of the page with its neighbours, in the order of the walk."""
    found: dict[str, list[Neighbour]] = {}
    for neighbour in store.neighbours([place.id for place in page], scope, relations):
        found.setdefault(neighbour.start, []).append(neighbour)
    for place in page:
        for neighbour in sorted(found.get(place.id, ()), key=_nearness):
            yield place, neighbour


def _nearness(neighbour: Neighbour) -> tuple[int, str, str, str, str]:
    edge = neighbour.edge
    kind = 2 if edge.relation == MENTIONS or edge.fact else 1 if edge.relation == NEXT else 0
    return kind, neighbour.node.id, edge.relation, edge.passage_id, edge.fact
