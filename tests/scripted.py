"""What a scripted endpoint answers: contents, responses with every fault that users met, and scripts of them."""

import json
import re
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from email.utils import formatdate
from typing import Any, Literal

JsonObject = dict[str, Any]


@dataclass(frozen=True)
class Response:
    """What the endpoint does with one request.

    `body` is sent as JSON unless it is text. `seconds` go by before anything is sent. `fault`: `reset` aborts the
    connection in the middle of the body, `hang` never answers.
    """

    body: JsonObject | str = field(default_factory=dict)
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)
    seconds: float = 0.0
    fault: Literal["reset", "hang"] | None = None


Script = Callable[[JsonObject, int], Response]
"""From a request's JSON and its number (0, 1, … in order of arrival) to a response."""

Step = Response | Script


# ---- what a request holds


def payload(request: JsonObject) -> JsonObject:
    """The JSON object that ends the newest user message which ends in one (DESIGN 3.5). Raises ValueError without."""
    for message in reversed(request["messages"]):
        if message["role"] == "user":
            content = message["content"]
            for match in re.finditer(r"\{", content):
                try:
                    found = json.loads(content[match.start() :])
                except ValueError:
                    continue
                if isinstance(found, dict):
                    return found
    raise ValueError("no user message ends in a JSON object")


def claim_ids(request: JsonObject) -> list[str]:
    """The ids of the claims that a judge is asked about."""
    return [claim["id"] for claim in payload(request)["claims"]]


# ---- contents of replies


def verdicts(request: JsonObject, label: str = "supported", only: Sequence[str] | None = None, **more: Any) -> str:
    """The content of a judge's reply: one verdict for each claim asked (or `only` these), `more` in each."""
    asked = payload(request)
    evidence = [exhibit["id"] for exhibit in asked["evidence"][:1]]
    ids = [claim["id"] for claim in asked["claims"]] if only is None else only
    return json.dumps(
        {
            "verdicts": [
                {"id": each, "verdict": label, "evidence": evidence, "justification": f"Read for {each}.", **more}
                for each in ids
            ]
        }
    )


def claims(request: JsonObject) -> str:
    """The content of a claim extractor's reply: one claim for each sentence of the answer, quoted."""
    sentences = [part.strip() for part in re.split(r"(?<=[.!?])\s+|\n+", payload(request)["answer"])]
    return json.dumps({"claims": [{"text": sentence, "quote": sentence} for sentence in sentences if sentence]})


# ---- responses


def chat(
    request: JsonObject,
    content: str | None,
    *,
    finish_reason: str = "stop",
    refusal: str | None = None,
    served_model: str | None = None,
) -> Response:
    """A well-formed chat completion. Its usage counts a token for every four characters."""
    prompt = sum(len(message["content"]) for message in request["messages"]) // 4
    completion = len(content or "") // 4
    return Response(
        {
            "id": "chatcmpl-scripted",
            "object": "chat.completion",
            "created": 1_700_000_000,
            "model": served_model or request["model"],
            "choices": [
                {
                    "index": 0,
                    "message": {"role": "assistant", "content": content, "refusal": refusal},
                    "finish_reason": finish_reason,
                }
            ],
            "usage": {
                "prompt_tokens": prompt,
                "completion_tokens": completion,
                "total_tokens": prompt + completion,
            },
        }
    )


def error(status: int, message: str, *, code: str | None = None, param: str | None = None, **headers: str) -> Response:
    """An error body as OpenAI's API sends it."""
    kind = "invalid_request_error" if status < 500 else "server_error"
    body = {"error": {"message": message, "type": kind, "param": param, "code": code}}
    return Response(
        body, status=status, headers={name.replace("_", "-").title(): value for name, value in headers.items()}
    )


def rate_limited(retry_after: float | None = None, *, as_date: bool = False) -> Response:
    """A 429. `retry_after` seconds from now, as a number or as an HTTP date (whole seconds, rounded up)."""
    if retry_after is None:
        return error(429, "Rate limit reached", code="rate_limit_exceeded")
    wish = formatdate(time.time() + retry_after + 0.999, usegmt=True) if as_date else f"{retry_after:g}"
    return error(429, "Rate limit reached", code="rate_limit_exceeded", retry_after=wish)


def server_error(status: int = 500) -> Response:
    return error(status, "The server had an error while processing your request")


def refuses_parameter(name: str) -> Response:
    """A 400 for a parameter that the model does not take: `temperature`, `response_format` and their kin."""
    message = f"Unsupported parameter: '{name}' is not supported with this model."
    return error(400, message, code="unsupported_parameter", param=name)


def too_long() -> Response:
    message = "This model's maximum context length is 8192 tokens. Your messages resulted in 9000 tokens."
    return error(400, message, code="context_length_exceeded", param="messages")


def reset() -> Response:
    return Response(fault="reset")


def never() -> Response:
    return Response(fault="hang")


def not_json() -> Response:
    return Response("<html>Bad gateway</html>", headers={"Content-Type": "application/json"})


def slow(response: Response, seconds: float) -> Response:
    return replace(response, seconds=seconds)


def without(response: Response, name: str) -> Response:
    """A response that lacks one of its fields: `usage`, `model`, `choices`."""
    assert isinstance(response.body, dict)
    return replace(response, body={key: value for key, value in response.body.items() if key != name})


def no_choices(request: JsonObject, _number: int = 0) -> Response:
    body = chat(request, "").body
    assert isinstance(body, dict)
    return Response({**body, "choices": []})


# ---- scripts


def answer_all(label: str = "supported", **more: Any) -> Script:
    """Answer as asked: every claim gets `label`; an extraction request gets one claim a sentence."""

    def script(request: JsonObject, _number: int) -> Response:
        asked = payload(request)
        return chat(request, claims(request) if "answer" in asked else verdicts(request, label, **more))

    return script


def answer_with(choose: Callable[[str], str]) -> Script:
    """Give each claim the label that `choose` takes from its text."""

    def script(request: JsonObject, _number: int) -> Response:
        asked = payload(request)["claims"]
        entries = [
            {"id": claim["id"], "verdict": choose(claim["text"]), "evidence": [], "justification": "Chosen."}
            for claim in asked
        ]
        return chat(request, json.dumps({"verdicts": entries}))

    return script


def say(content: str, *, finish_reason: str = "stop") -> Script:
    """Always the same words, whatever was asked."""
    return lambda request, _number: chat(request, content, finish_reason=finish_reason)


def refuse(words: str = "I'm sorry, but I can't help with that.") -> Script:
    """A refusal in the field that the API has for it."""
    return lambda request, _number: chat(request, None, refusal=words)


def filtered() -> Script:
    """A completion that the endpoint's content filter stopped."""
    return lambda request, _number: chat(request, "", finish_reason="content_filter")


def cut(characters: int, label: str = "supported") -> Script:
    """A right reply cut off after some characters, as max_tokens does it."""
    return lambda request, _number: chat(request, verdicts(request, label)[:characters], finish_reason="length")


def sequence(*steps: Step, then: Step | None = None) -> Script:
    """The first request gets the first step, and so on; after the last one `then`, else the last step again."""

    def script(request: JsonObject, number: int) -> Response:
        step = steps[number] if number < len(steps) else then or steps[-1]
        return step(request, number) if callable(step) else step

    return script


def always(response: Response) -> Script:
    return lambda _request, _number: response
