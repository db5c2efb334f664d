"""A chat completion's JSON as a `Reply`. Servers differ in all that is optional: nothing odd in it stops a run."""

import json
from collections.abc import Mapping
from typing import Any, cast

from faithflow.llm.model import CallError, Reply

# No reply has so many tokens; what claims to is counted here instead.
_MOST_TOKENS = 2**40

# What some servers say in place of the two words of the protocol that matter here.
_FINISH = {
    "max_tokens": "length",
    "model_length": "length",
    "max_output_tokens": "length",
    "safety": "content_filter",
    "prohibited_content": "content_filter",
    "blocklist": "content_filter",
    "recitation": "content_filter",
}


def read_completion(raw: object) -> Reply:
    """What an endpoint answered. Raises CallError where it holds no message."""
    data = _object(raw)
    choices = data.get("choices")
    choice = _object(cast("list[object]", choices)[0]) if isinstance(choices, list) and choices else {}
    message = choice.get("message")
    if not isinstance(message, Mapping):
        raise CallError("provider_error", f"a reply without a message: {str(raw)[:300]}", retryable=True)
    said = cast("Mapping[str, Any]", message)
    usage = _object(data.get("usage"))
    prompt, completion = _tokens(usage.get("prompt_tokens")), _tokens(usage.get("completion_tokens"))
    estimated = prompt is None or completion is None
    return Reply(
        text=_text(said.get("content")),
        finish_reason=_finish(_word(choice.get("finish_reason"))),
        served_model=_word(data.get("model")),
        prompt_tokens=0 if estimated else prompt or 0,
        completion_tokens=0 if estimated else completion or 0,
        estimated=estimated,
        refusal=_word(said.get("refusal")),
    )


def _object(value: object) -> Mapping[str, Any]:
    """A JSON object, also one that was sent as text (under another content type); empty where it is none."""
    if isinstance(value, str):
        try:
            value = json.loads(value)
        except (ValueError, RecursionError):
            return {}
    return cast("Mapping[str, Any]", value) if isinstance(value, Mapping) else {}


def _word(value: object) -> str | None:
    return value or None if isinstance(value, str) else None


def _finish(word: str | None) -> str | None:
    return word and _FINISH.get(word.casefold(), word)


def _tokens(value: object) -> int | None:
    if isinstance(value, bool) or not isinstance(value, int):
        return None
    return value if 0 <= value < _MOST_TOKENS else None


def _text(content: object) -> str:
    """The content as text; some servers send a list of typed parts."""
    if isinstance(content, list):
        parts = cast("list[object]", content)
        return "".join(part if isinstance(part, str) else str(_object(part).get("text") or "") for part in parts)
    return content if isinstance(content, str) else ""
