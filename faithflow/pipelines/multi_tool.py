"""`multi_tool`: three tools side by side, and one answer in sections that keeps them apart (seed 000, section 3.2)."""

import asyncio

from faithflow.pipelines import graph_terms, vanilla, web
from faithflow.pipelines.trajectory import Trajectory

_TOOLS = (vanilla.gather, graph_terms.gather, web.gather)


async def gather(trajectory: Trajectory) -> list[int]:
    """What the dense search, the facts and the web bring, in this order, each as in the pipeline of its own.

    A passage that two tools bring is given once, as the first one's.
    """
    parts = [trajectory.part() for _ in _TOOLS]
    found = await asyncio.gather(*(tool(part) for tool, part in zip(_TOOLS, parts, strict=True)))
    places: list[int] = []
    for part, of_part in zip(parts, found, strict=True):
        places += trajectory.distinct(trajectory.join(part, of_part), beside=places)
    return places
