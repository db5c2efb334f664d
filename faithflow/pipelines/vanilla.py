"""`vanilla`: the passages nearest to the question, reranked where there is a reranker, and one call (seed 004, 3.1)."""

from faithflow.pipelines.retrieve import best, search_documents
from faithflow.pipelines.trajectory import Trajectory


async def gather(trajectory: Trajectory) -> list[int]:
    """The best `caps.context` of the `caps.dense` nearest passages."""
    caps, question = trajectory.tools.caps, trajectory.question.question
    found = await search_documents(trajectory, question, caps.dense)
    return await best(trajectory, question, found, caps.context)
