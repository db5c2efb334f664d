"""The two decisions of the agentic loop, each a call of the generator's model: which tool next, and what to keep."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, cast

from faithflow.identity import Json
from faithflow.llm.json_reader import read_object
from faithflow.llm.model import Request
from faithflow.pipelines.evidence import Evidence
from faithflow.pipelines.prompt import CRITIC, ROUTER, Prompt, critic_schema, route_schema
from faithflow.pipelines.trajectory import Trajectory

_EXPECTED_TOKENS = 80
_LONGEST_QUERY = 300


@dataclass(frozen=True, slots=True)
class Route:
    """The router's choice: a tool and what it is asked."""

    tool: str
    query: str

    def as_json(self) -> Json:
        return {"tool": self.tool, "query": self.query}


@dataclass(frozen=True, slots=True)
class Critique:
    """The critic's finding: the places to keep, whether they are enough, and what to look for next."""

    keep: tuple[int, ...]
    sufficient: bool
    query: str


async def route(
    trajectory: Trajectory, tools: Sequence[str], asked: Sequence[Route], evidence: Sequence[Evidence], wanted: str
) -> Route:
    """Ask the router. A reply that cannot be read, or repeats an ask word for word, stands for the first tool and what
    is wanted, or the question.

    Raises CallError.
    """
    question = trajectory.question.question
    material: dict[str, Json] = {
        "question": question,
        "tools": list(tools),
        "asked": [each.as_json() for each in asked],
        "evidence": [piece.as_json() for piece in evidence],
        "wanted": wanted,
    }

    def is_route(value: Mapping[str, Any]) -> bool:
        return value.get("tool") in tools and isinstance(value.get("query"), str)

    reply, key = await _ask(trajectory, ROUTER, route_schema(tools), material, is_route)
    query = _query(reply) or wanted or question
    chosen = Route(tools[0] if reply is None else reply["tool"], query)
    detail: dict[str, Json] = {"tools": list(tools), "tool": chosen.tool, "query": query, "read": reply is not None}
    trajectory.step("router", wanted or question, detail, key)
    return chosen


async def criticise(trajectory: Trajectory, asked: Sequence[Route], places: Sequence[int]) -> Critique:
    """Ask the critic about the passages at these places. A reply that cannot be read keeps all and ends the search.

    Ids that were not shown are passed over. Raises CallError.
    """
    question = trajectory.question.question
    evidence = trajectory.evidence(places)
    labels = [piece.label for piece in evidence]
    material: dict[str, Json] = {
        "question": question,
        "asked": [each.as_json() for each in asked],
        "evidence": [piece.as_json() for piece in evidence],
    }
    reply, key = await _ask(trajectory, CRITIC, critic_schema(labels), material, _is_critique)
    named = labels if reply is None else reply["keep"]
    keep = tuple(place for label, place in zip(labels, places, strict=True) if label in named)
    critique = Critique(keep, reply is None or bool(reply["sufficient"]), _query(reply))
    detail: dict[str, Json] = {
        "shown": [trajectory.retrieved[place].passage.passage_id for place in places],
        "keep": [trajectory.retrieved[place].passage.passage_id for place in keep],
        "sufficient": critique.sufficient,
        "query": critique.query,
        "read": reply is not None,
    }
    trajectory.step("critic", question, detail, key)
    return critique


async def _ask(
    trajectory: Trajectory,
    prompt: Prompt,
    schema: Mapping[str, Json],
    material: Mapping[str, Json],
    is_valid: Callable[[dict[str, Any]], bool],
) -> tuple[dict[str, Any] | None, str]:
    """The decision, None where it cannot be read, and the ledger key of its call."""
    generator = trajectory.tools.generator
    request = Request(
        provider=generator.provider,
        endpoint=generator.endpoint,
        model=generator.model,
        params=generator.params,
        messages=prompt.messages(material),
        schema=schema,
        prompt_version=prompt.version,
        repeat=trajectory.repeat,
        judging_date=None,
    )
    answered = await generator.caller.call(request, prompt.task, trajectory.trace_id, _EXPECTED_TOKENS)
    trajectory.calls.append(answered.call)
    shown = [message.content for message in request.messages]
    return read_object(answered.call.reply or "", is_valid, shown), answered.call.key


def _is_critique(value: dict[str, Any]) -> bool:
    keep = value.get("keep")
    return (
        isinstance(keep, list)
        and all(isinstance(label, str) for label in cast("list[object]", keep))
        and isinstance(value.get("sufficient"), bool)
        and isinstance(value.get("query"), str)
    )


def _query(reply: Mapping[str, Any] | None) -> str:
    return "" if reply is None else str(reply["query"]).strip()[:_LONGEST_QUERY]
