"""The offline model behind the interface of a model's endpoint: asked, answered and recorded like any generator."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from faithflow.identity import digest
from faithflow.llm.model import CallError, Reply, Request
from faithflow.pipelines.extractive.reading import pieces_of
from faithflow.pipelines.extractive.steer import criticise, route
from faithflow.pipelines.extractive.write import answer_in_sections, plain_answer


def _name() -> str:
    source = [path.read_text(encoding="utf-8") for path in sorted(Path(__file__).parent.glob("*.py"))]
    return f"extractive-{digest(source)[:8]}"


MODEL = _name()
"""`extractive-` and a hash of this package's source: to the ledger another program is another model."""


class ExtractiveProvider:
    """Answers the requests of the pipelines from the JSON object in their last line. Costs no tokens."""

    async def complete(self, request: Request, timeout_s: float) -> Reply:
        """See `Provider.complete`. Raises CallError where the last line is no object of the protocol.

        It takes milliseconds and waits for nothing, so no deadline is kept.
        """
        return Reply(_reply(request), "stop", MODEL, 0, 0)

    async def close(self) -> None:
        """Nothing is held open."""


def _reply(request: Request) -> str:
    line = request.messages[-1].content.rstrip().rsplit("\n", 1)[-1] if request.messages else ""
    try:
        material = json.loads(line)
        match material["task"]:
            case "answer":
                return _answer(material)
            case "route":
                return json.dumps(route(material), ensure_ascii=False)
            case "critic":
                return json.dumps(criticise(material), ensure_ascii=False)
            case task:
                detail = f"task {task!r} is none of answer, route, critic"
    except (ValueError, KeyError, TypeError) as error:
        detail = f"the last line of the last message is no object with a task and its material: {error!r}"
    raise CallError("provider_error", detail)


def _answer(material: Mapping[str, Any]) -> str:
    question, pieces = str(material["question"]), pieces_of(material)
    sections = [str(name) for name in material.get("sections", ())]
    return answer_in_sections(question, pieces, sections) if sections else plain_answer(question, pieces)
