"""The architectures by their keys. All share one way from what was gathered to the answer."""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass

from faithflow.corpus.document import Question
from faithflow.llm.model import CallError
from faithflow.pipelines import graph_terms, graphrag, multi_tool, vanilla, web
from faithflow.pipelines.adaptive import choose_pipeline
from faithflow.pipelines.agentic import Loop
from faithflow.pipelines.generate import generate
from faithflow.pipelines.model import Outcome, PipelineKey, Tools
from faithflow.pipelines.prompt import GROUNDED, IN_SECTIONS, Prompt
from faithflow.pipelines.retrieve import GRAPH_LOOKUP, SEARCH_DOCUMENTS
from faithflow.pipelines.trajectory import Trajectory

Gather = Callable[[Trajectory], Awaitable[list[int]]]
"""How an architecture comes to its evidence: the places of the passages, in the order for the generator."""


@dataclass(frozen=True, slots=True)
class Architecture:
    """A pipeline: how it gathers evidence, and the prompt of its answer."""

    key: PipelineKey
    gather: Gather
    prompt: Prompt = GROUNDED

    async def answer(self, question: Question, tools: Tools, repeat: int) -> Outcome:
        """What comes of a question; a failed call makes a failed outcome. Raises StoreError where a store fails."""
        trajectory = Trajectory(question, self.key, tools, repeat)
        try:
            places = await self.gather(trajectory)
        except CallError as error:
            return trajectory.outcome("", "failed", error.reason)
        return await generate(trajectory, places, self.prompt)


async def _adaptive(trajectory: Trajectory) -> list[int]:
    choice = choose_pipeline(trajectory.question.question)
    detail = {"pipeline": choice.pipeline, "rule": choice.rule, "features": choice.features}
    trajectory.step("adaptive", trajectory.question.question, detail)
    return await ARCHITECTURES[choice.pipeline].gather(trajectory)


ARCHITECTURES: Mapping[PipelineKey, Architecture] = {
    architecture.key: architecture
    for architecture in (
        Architecture("vanilla", vanilla.gather),
        Architecture("graph_terms", graph_terms.gather),
        Architecture("graphrag", graphrag.gather),
        Architecture("web", web.gather),
        Architecture("multi_tool", multi_tool.gather, IN_SECTIONS),
        Architecture("agentic", Loop((SEARCH_DOCUMENTS,))),
        Architecture("agentic_graph", Loop((SEARCH_DOCUMENTS, GRAPH_LOOKUP))),
        Architecture("adaptive_v1", _adaptive),
    )
}
"""Every pipeline of `faithflow.pipelines.model.PIPELINES`."""
