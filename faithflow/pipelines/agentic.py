"""`agentic` and `agentic_graph`: a loop of router, retriever and critic, then one answer (seed 004, section 3.1)."""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass

from faithflow.pipelines.decide import Route, criticise, route
from faithflow.pipelines.retrieve import (
    GRAPH_LOOKUP,
    SEARCH_DOCUMENTS,
    best,
    look_up_references,
    search_documents,
    walk_from,
)
from faithflow.pipelines.trajectory import Trajectory

Tool = Callable[[Trajectory, str, list[int]], Awaitable[list[int]]]
"""From a query and the places of the evidence kept so far to the places of what the tool brings besides."""


async def _search(trajectory: Trajectory, query: str, kept: list[int]) -> list[int]:
    caps = trajectory.tools.caps
    found = await search_documents(trajectory, query, caps.dense)
    return await best(trajectory, query, found, caps.context, beside=kept)


async def _lookup(trajectory: Trajectory, query: str, kept: list[int]) -> list[int]:
    """The linked passages that fit the query best: linked to the evidence kept so far, or, where there is none yet,
    to the passages nearest to the query, which then come along, as do those of the documents that the query names."""
    caps = trajectory.tools.caps
    found = await look_up_references(trajectory, query)
    if not kept:
        found += await search_documents(trajectory, query, caps.context)
    found = trajectory.distinct(found, beside=kept)
    starts = [*kept, *found]
    walked = await walk_from(trajectory, query, starts)
    linked = await best(trajectory, query, walked, caps.context, beside=starts)
    return [*found, *linked]


_TOOLS: Mapping[str, Tool] = {SEARCH_DOCUMENTS: _search, GRAPH_LOOKUP: _lookup}


@dataclass(frozen=True, slots=True)
class Loop:
    """The loop over some tools. Called on a trajectory it gives the places of what the critic kept."""

    tools: tuple[str, ...]

    async def __call__(self, trajectory: Trajectory) -> list[int]:
        """At most `caps.iterations` rounds. It ends when the critic has enough, names nothing more to look for, or a
        round brings nothing new. Raises CallError."""
        kept: list[int] = []
        asked: list[Route] = []
        wanted = ""
        for _ in range(trajectory.tools.caps.iterations):
            chosen = await route(trajectory, self.tools, asked, trajectory.evidence(kept), wanted)
            if chosen in asked:
                break
            asked.append(chosen)
            found = await _TOOLS[chosen.tool](trajectory, chosen.query, kept)
            if not found:
                break
            critique = await criticise(trajectory, asked, [*kept, *found])
            trajectory.cut((place for place in (*kept, *found) if place not in critique.keep), "critic")
            kept = list(critique.keep)
            wanted = critique.query
            if critique.sufficient or not wanted:
                break
        return kept
