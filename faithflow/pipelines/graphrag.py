"""`graphrag`: a walk along typed edges from the passages nearest to the question (seed 004, section 3.1)."""

from faithflow.pipelines.retrieve import look_up_references, search_documents, walk_from
from faithflow.pipelines.trajectory import Trajectory


async def gather(trajectory: Trajectory) -> list[int]:
    """The first `caps.walk_context` passages in the order of the walk, which begins with its seeds: the passages of
    the documents that the question names, then the `caps.seeds` nearest ones.

    Nothing is reranked: what the walk floods the context with is what is measured.
    """
    caps, question = trajectory.tools.caps, trajectory.question.question
    named = await look_up_references(trajectory, question)
    seeds = trajectory.distinct([*named, *await search_documents(trajectory, question, caps.seeds)])
    walked = await walk_from(trajectory, question, seeds)
    places = [*seeds, *trajectory.distinct(walked, beside=seeds)]
    trajectory.cut(places[caps.walk_context :], "cap")
    return places[: caps.walk_context]
