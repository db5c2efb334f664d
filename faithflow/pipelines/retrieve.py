"""The retrieval acts that pipelines share: search, look-up by reference, walk, and the choice of what goes on."""

from collections.abc import Mapping, Sequence

from faithflow.graph.model import Edge
from faithflow.graph.walk import walk
from faithflow.identity import Json
from faithflow.pipelines.links import is_corpus_link, link_words, path_words
from faithflow.pipelines.trajectory import Found, Trajectory
from faithflow.retrieval.context import choose
from faithflow.retrieval.model import Hit, IndexedPassage

SEARCH_DOCUMENTS = "search_documents"
GRAPH_LOOKUP = "graph_lookup"
REFERENCE_LOOKUP = "reference_lookup"


async def search_documents(trajectory: Trajectory, query: str, k: int) -> list[int]:
    """The k passages nearest to a query by the embedder's vectors."""
    tools, caps = trajectory.tools, trajectory.tools.caps
    # asked for the most that any pipeline wants, so that all share one search: the k best of more are the k best
    most = max(k, caps.dense, caps.seeds, caps.context)

    def search() -> list[Hit]:
        return tools.vectors.dense(tools.embedder.queries([query])[0], most, tools.scope)

    hits = (await tools.memo.of(("dense", query, most), search))[:k]
    step = trajectory.step(SEARCH_DOCUMENTS, query, {"k": k, "found": len(hits)})
    return trajectory.see(step, "embedding", (Found(hit.passage, hit.score) for hit in hits))


async def look_up_references(trajectory: Trajectory, query: str) -> list[int]:
    """The first passages of the documents whose references stand in a query, at most `caps.seeds` of them.

    Where none does nothing is recorded.
    """
    tools = trajectory.tools
    named = (named.reference for named in tools.vocabulary.ids_in(query))
    found = {reference: tools.vocabulary.passage_of(reference) for reference in named if reference is not None}
    references = list(found)[: tools.caps.seeds]
    passages = await indexed(trajectory, [passage_id for passage_id in map(found.get, references) if passage_id])
    if not passages:
        return []
    step = trajectory.step(REFERENCE_LOOKUP, query, {"references": list[Json](references)})
    return trajectory.see(step, "graph", (Found(passage) for passage in passages))


async def walk_from(trajectory: Trajectory, query: str, seeds: Sequence[int]) -> list[int]:
    """The passages that a walk from the passages at these places comes to, these themselves left out, in its order.

    The seeds, the nodes visited in their order and the edges walked stand in the step. Of the passages beyond the
    walk's cap as many as the cap are recorded, cut. From now on models are shown the corpus' links among the seeds and
    the passages that the walk came to, each with the passages that it joins.
    """
    tools, caps = trajectory.tools, trajectory.tools.caps
    names = {seed.passage_id: seed.reference for seed in (trajectory.retrieved[place].passage for place in seeds)}
    ids = tuple(names)
    walked = await tools.memo.of(("walk", ids), lambda: walk(tools.graph, ids, tools.scope, caps.hops, caps.walk))
    beyond = walked.cut[: caps.walk]
    visits = {visit.node.id: visit for visit in walked.visits}
    names |= {visit.node.id: visit.node.name for visit in walked.visits}
    walked_to = [visit.node.id for visit in walked.passages]
    await _note_links(trajectory, {each: names[each] for each in (*ids, *walked_to)})
    passages = await indexed(trajectory, [*walked_to, *beyond])
    known = {passage.passage_id for passage in passages}
    detail: dict[str, Json] = {
        "seeds": list[Json](ids),
        "visited": [visit.node.id for visit in walked.visits],
        "edges": [[edge.source_id, edge.relation, edge.target_id] for edge in walked.edges],
        "cap": caps.walk,
        "beyond_cap": len(walked.cut),
        "not_indexed": [passage_id for passage_id in walked_to if passage_id not in known],
    }
    step = trajectory.step(GRAPH_LOOKUP, query, detail)

    def found(passage: IndexedPassage) -> Found:
        visit = visits.get(passage.passage_id)
        if visit is None:
            return Found(passage)
        edges = [visits[node_id].edge for node_id in visit.path[2::2]]
        return Found(passage, None, visit.path, path_words(edges, names))

    seen = trajectory.see(step, "graph", map(found, passages))
    trajectory.cut((place for place in seen if not trajectory.retrieved[place].path), "walk")
    return [place for place in seen if trajectory.retrieved[place].path]


async def _note_links(trajectory: Trajectory, names: Mapping[str, str]) -> None:
    """Ask the graph for the corpus' links among passages, given with their references by their ids."""
    tools = trajectory.tools

    def ask(ids: Sequence[str]) -> dict[str, list[Edge]]:
        links: dict[str, list[Edge]] = {}
        for neighbour in tools.graph.neighbours(ids, tools.scope):
            if is_corpus_link(neighbour.edge):
                links.setdefault(neighbour.start, []).append(neighbour.edge)
        return links

    links = await tools.memo.each("links", sorted(names), ask)
    for edge in dict.fromkeys(edge for own in links.values() for edge in own):
        ends = edge.source_id, edge.target_id
        if names.keys() >= {*ends}:
            words = dict.fromkeys((*trajectory.links.get(ends, ()), link_words(edge, names)))
            trajectory.links[ends] = tuple(words)


async def indexed(trajectory: Trajectory, passage_ids: Sequence[str]) -> list[IndexedPassage]:
    """The passages of these ids that the scope allows, in the order of the ids."""
    tools = trajectory.tools
    found = await tools.memo.each("passages", passage_ids, lambda ids: tools.vectors.passages(ids, tools.scope))
    return list(found.values())


async def best(
    trajectory: Trajectory, query: str, places: Sequence[int], k: int, beside: Sequence[int] = ()
) -> list[int]:
    """The k passages that go on, best first: by the reranker where there is one, else in the order found.

    The others are cut, and so is what stands `beside` already.
    """
    reranker = trajectory.tools.reranker
    fresh = trajectory.distinct(places, beside)
    hits = [Hit(trajectory.retrieved[place].passage, trajectory.retrieved[place].score or 0.0) for place in fresh]
    ids = tuple(hit.passage.passage_id for hit in hits)
    choices = await trajectory.tools.memo.of(("best", query, ids, k), lambda: choose(query, hits, k, reranker))
    if reranker is not None and hits:
        relevance: list[Json] = [[c.hit.passage.passage_id, c.relevance] for c in choices]
        trajectory.step("rerank", query, {"reranker": reranker.name, "k": k, "relevance": relevance})
    kept: list[int] = []
    for choice in choices:
        place = fresh[choice.rank - 1]
        if choice.cut is None:
            kept.append(place)
        else:
            trajectory.cut((place,), choice.cut)
    return kept
