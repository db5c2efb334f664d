"""One model call whose reply must be a JSON object: asked, repaired once where it cannot be read, or given up."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from faithflow.identity import Json
from faithflow.llm.caller import Answered, Caller
from faithflow.llm.json_reader import has_object, read_object
from faithflow.llm.model import Call, CallError, Message, Request
from faithflow.llm.refusal import is_refusal
from faithflow.text.unicode import without_surrogates

# How often a reply that was cut off is asked for again in one run.
_MAX_REASKS = 2


@dataclass(frozen=True, slots=True)
class Model:
    """A model to be asked, as the study names it. `context_window` in tokens; None: no limit is known."""

    caller: Caller
    provider: str
    endpoint: str
    model: str
    params: Mapping[str, Json]
    context_window: int | None = None

    def request(
        self, messages: tuple[Message, ...], schema: Mapping[str, Json], prompt_version: str, ask: int = 0
    ) -> Request:
        """A request without a judging date: what it brings is made once for all dates."""
        return Request(
            provider=self.provider,
            endpoint=self.endpoint,
            model=self.model,
            params=self.params,
            messages=messages,
            schema=schema,
            prompt_version=prompt_version,
            repeat=0,
            judging_date=None,
            ask=ask,
        )


@dataclass(frozen=True, slots=True)
class Asked:
    """What came of an ask: the object that was read, or the reason why there is none; the calls that it took.

    `failed` says that the reason is that of a call that brought no reply.
    """

    found: dict[str, Any] | None
    reason: str | None
    calls: tuple[Call, ...]
    replayed: bool = False
    failed: bool = False


@dataclass(frozen=True, slots=True)
class Question:
    """An ask: `is_valid` accepts the object that is wanted, `wish` says in words what that is, `shown` are texts that
    the model may have copied an object from, `purpose` and `trace_id` go to the ledger, `expected_tokens` to the
    budget."""

    messages: tuple[Message, ...]
    schema: Mapping[str, Json]
    prompt_version: str
    is_valid: Callable[[dict[str, Any]], bool]
    wish: str
    shown: tuple[str, ...]
    purpose: str
    trace_id: str
    expected_tokens: int


async def ask_once(model: Model, question: Question, ask: int) -> Asked:
    """Ask, and follow up once where the reply is whole and cannot be read. A failing call is a reason, not an error."""
    calls: list[Call] = []
    request = model.request(question.messages, question.schema, question.prompt_version, ask)
    try:
        answered = await _call(model, question, request, calls)
        found = _read(answered, question)
        if found is None and answered.call.finish_reason != "length":
            request = replace(request, messages=(*question.messages, *_repair(answered.call.reply or "", question)))
            answered = await _call(model, question, request, calls)
            found = _read(answered, question)
    except CallError as error:
        return Asked(None, error.reason, tuple(calls), failed=True)
    return Asked(found, None if found is not None else _problem(answered.call), tuple(calls), answered.replayed)


async def ask_until_read(model: Model, question: Question) -> Asked:
    """Ask until a reply can be read. What could not be read in an earlier run is asked anew, a reply that was cut off
    twice more in this run; what was read once is never asked again."""
    calls: tuple[Call, ...] = ()
    ask, fresh_reasks = 0, 0
    while True:
        asked = await ask_once(model, question, ask)
        calls = (*calls, *asked.calls)
        asked = replace(asked, calls=calls)
        if (
            asked.found is not None
            or not asked.calls
            or asked.reason not in ("parse", "schema", "refusal", "truncated")
        ):
            return asked
        if not asked.replayed:
            if asked.reason != "truncated" or fresh_reasks == _MAX_REASKS:
                return asked
            fresh_reasks += 1
        ask += 1


async def _call(model: Model, question: Question, request: Request, calls: list[Call]) -> Answered:
    answered = await model.caller.call(request, question.purpose, question.trace_id, question.expected_tokens)
    calls.append(answered.call)
    return answered


def _read(answered: Answered, question: Question) -> dict[str, Any] | None:
    return read_object(answered.call.reply or "", question.is_valid, question.shown)


def _problem(call: Call) -> str:
    if call.finish_reason == "length":
        return "truncated"
    reply = call.reply or ""
    if is_refusal(reply):
        return "refusal"
    return "schema" if has_object(reply) else "parse"


def _repair(reply: str, question: Question) -> tuple[Message, Message]:
    wish = f"Your reply could not be read: it holds no {question.wish}. Reply with that object alone."
    return Message("assistant", without_surrogates(reply) or "(empty)"), Message("user", wish)
