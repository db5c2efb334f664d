"""The retrieval acts that pipelines share: the dense search, the walk, and the choice of what goes on."""

import asyncio
from collections.abc import Sequence

from faithflow.graph.walk import walk
from faithflow.identity import Json
from faithflow.pipelines.trajectory import Found, Trajectory
from faithflow.retrieval.context import choose
from faithflow.retrieval.model import Hit, IndexedPassage

SEARCH_DOCUMENTS = "search_documents"
GRAPH_LOOKUP = "graph_lookup"


async def search_documents(trajectory: Trajectory, query: str, k: int) -> list[int]:
    """The k passages nearest to a query by the embedder's vectors."""
    tools = trajectory.tools
    vectors = await asyncio.to_thread(tools.embedder.queries, [query])
    hits = await asyncio.to_thread(tools.vectors.dense, vectors[0], k, tools.scope)
    step = trajectory.step(SEARCH_DOCUMENTS, query, {"k": k, "found": len(hits)})
    return trajectory.see(step, "embedding", (Found(hit.passage, hit.score) for hit in hits))


async def walk_from(trajectory: Trajectory, query: str, seeds: Sequence[str]) -> list[int]:
    """The passages that a walk from seed passages comes to, the seeds themselves left out, in its order.

    The seeds, the nodes visited in their order and the edges walked stand in the step. Of the passages beyond the
    walk's cap as many as the cap are recorded, cut.
    """
    tools, caps = trajectory.tools, trajectory.tools.caps
    walked = await asyncio.to_thread(walk, tools.graph, seeds, tools.scope, caps.hops, caps.walk)
    beyond = walked.cut[: caps.walk]
    paths = {visit.node.id: visit.path for visit in walked.passages}
    passages = await indexed(trajectory, [*paths, *beyond])
    known = {passage.passage_id for passage in passages}
    detail: dict[str, Json] = {
        "seeds": list(seeds),
        "visited": [visit.node.id for visit in walked.visits],
        "edges": [[edge.source_id, edge.relation, edge.target_id] for edge in walked.edges],
        "cap": caps.walk,
        "beyond_cap": len(walked.cut),
        "not_indexed": [passage_id for passage_id in paths if passage_id not in known],
    }
    step = trajectory.step(GRAPH_LOOKUP, query, detail)
    found = (Found(passage, None, paths.get(passage.passage_id, ())) for passage in passages)
    seen = trajectory.see(step, "graph", found)
    trajectory.cut((place for place in seen if not trajectory.retrieved[place].path), "walk")
    return [place for place in seen if trajectory.retrieved[place].path]


async def indexed(trajectory: Trajectory, passage_ids: Sequence[str]) -> list[IndexedPassage]:
    """The passages of these ids that the scope allows, in the order of the ids."""
    tools = trajectory.tools
    if not passage_ids:
        return []
    found = await asyncio.to_thread(tools.vectors.passages, passage_ids, tools.scope)
    return [found[each] for each in passage_ids if each in found]


async def best(
    trajectory: Trajectory, query: str, places: Sequence[int], k: int, beside: Sequence[int] = ()
) -> list[int]:
    """The k passages that go on, best first: by the reranker where there is one, else in the order found.

    The others are cut, and so is what stands `beside` already.
    """
    reranker = trajectory.tools.reranker
    fresh = trajectory.distinct(places, beside)
    hits = [Hit(trajectory.retrieved[place].passage, trajectory.retrieved[place].score or 0.0) for place in fresh]
    choices = await asyncio.to_thread(choose, query, hits, k, reranker)
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
