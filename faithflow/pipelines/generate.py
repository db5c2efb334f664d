"""The last act of every pipeline: one call of the generator over the evidence that was kept."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace

from faithflow.identity import Json
from faithflow.llm.model import Call, CallError, Request
from faithflow.pipelines.evidence import Evidence
from faithflow.pipelines.model import INCONCLUSIVE, Generator, Outcome
from faithflow.pipelines.prompt import IN_SECTIONS, SECTIONS, Prompt
from faithflow.pipelines.trajectory import Trajectory

GENERATE = "generate"
"""The tool's name in the step of the last call."""

# What an answer takes, for the budget: some sentences with their citations.
_EXPECTED_TOKENS = 400


def answer_request(
    question: str,
    evidence: Sequence[Evidence],
    prompt: Prompt,
    generator: Generator,
    params: Mapping[str, Json],
    repeat: int,
    ask: int,
) -> Request:
    """The request for an answer. All that decides it stands in the tables (replay.py builds it from them)."""
    material: dict[str, Json] = {"question": question}
    if prompt is IN_SECTIONS:
        material["sections"] = list(SECTIONS)
    material["evidence"] = [piece.as_json() for piece in evidence]
    return Request(
        provider=generator.provider,
        endpoint=generator.endpoint,
        model=generator.model,
        params=params,
        messages=prompt.messages(material),
        schema=None,
        prompt_version=prompt.version,
        repeat=repeat,
        judging_date=None,
        ask=ask,
    )


async def generate(trajectory: Trajectory, places: Sequence[int], prompt: Prompt) -> Outcome:
    """Answer from the passages at these places, in their order.

    Without any evidence the answer is inconclusive and nobody is asked. A reply that was cut off or is empty makes a
    failed outcome (`truncated`, `parse`), as does a call that brings none; a later run asks anew.
    """
    if not places:
        trajectory.step(GENERATE, trajectory.question.question, {"evidence": 0})
        return trajectory.outcome(INCONCLUSIVE, "inconclusive")
    evidence = trajectory.keep(places)
    generator = trajectory.tools.generator
    ask = 0
    while True:
        request = answer_request(
            trajectory.question.question, evidence, prompt, generator, generator.params, trajectory.repeat, ask
        )
        try:
            answered = await generator.caller.call(request, prompt.task, trajectory.trace_id, _EXPECTED_TOKENS)
        except CallError as error:
            _record(trajectory, request, prompt, len(evidence))
            return trajectory.outcome("", "failed", error.reason, request)
        fault = _fault(answered.call)
        if fault is None or not answered.replayed:
            break
        # what an earlier run could not use is asked anew; what could be used is never asked again
        ask += 1
    trajectory.calls.append(answered.call)
    # without the parameters that the endpoint refused
    sent = replace(request, params=json.loads(answered.call.params))
    _record(trajectory, sent, prompt, len(evidence))
    if fault is not None:
        return trajectory.outcome("", "failed", fault, sent)
    answer = (answered.call.reply or "").strip()
    return trajectory.outcome(answer, "inconclusive" if _is_inconclusive(answer) else "answered", None, sent)


def _record(trajectory: Trajectory, request: Request, prompt: Prompt, pieces: int) -> None:
    detail: dict[str, Json] = {
        "evidence": pieces,
        "prompt": prompt.name,
        "prompt_version": prompt.version,
        "params": request.params,
        "ask": request.ask,
    }
    trajectory.step(GENERATE, trajectory.question.question, detail, request.key())


def _fault(call: Call) -> str | None:
    if call.finish_reason == "length":
        return "truncated"
    return None if (call.reply or "").strip() else "parse"


def _is_inconclusive(answer: str) -> bool:
    """Whether an answer is the agreed line, give or take its emphasis, its case and a full stop."""
    return answer.strip("*_`\"' .\n").casefold() == INCONCLUSIVE.casefold()
