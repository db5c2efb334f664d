"""One model call, from ledger key to stored reply: replay, limit, deadline, retries, budget."""

import asyncio
import datetime as dt
import random
import time
import uuid
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import cast

from faithflow.errors import LateRunError
from faithflow.identity import Json, canonical_json
from faithflow.llm.budget import BudgetSpentError, Spending
from faithflow.llm.limiter import AdaptiveLimiter
from faithflow.llm.model import Call, CallError, Ledger, Provider, Reply, Request
from faithflow.llm.tokens import estimate_prompt, estimate_tokens

# The purpose of a call that takes an answer's claims out of it: every judge of the answer waits for it.
EXTRACT = "extract"

_BACKOFF_S = 0.5
_MAX_BACKOFF_S = 30.0

# An endpoint that asks to wait for longer than this is left for the next run, which takes up where this one stopped.
_LONGEST_WAIT_S = 300.0

# So many calls in a row that cannot even reach the endpoint, with none answered before: it is not there.
_UNREACHABLE_AFTER = 8

# How a provider says, at the head of an error's detail, which parameter the endpoint refused; the second one stands
# for the bounds of arrays and strings in the reply's schema (places of an array among them), which not every endpoint
# knows.
REFUSED_PARAMETER = "refused parameter: "
SCHEMA_BOUNDS = "schema bounds"
_BOUNDS = frozenset({"minItems", "maxItems", "minLength", "maxLength"})


@dataclass(frozen=True, slots=True)
class Rate:
    """Prices of a million tokens."""

    input: float
    output: float

    def cost(self, prompt_tokens: int, completion_tokens: int) -> float:
        return (prompt_tokens * self.input + completion_tokens * self.output) / 1_000_000


@dataclass(frozen=True, slots=True)
class Answered:
    """A stored reply; `replayed` says that it came from the ledger and cost nothing now."""

    call: Call
    replayed: bool


@dataclass(slots=True)
class Caller:
    """A judge's (or an extractor's) way to its model. One an event loop.

    `fresh_calls` is False where a past judging date is rebuilt: a call that the ledger lacks raises LateRunError.
    `last_failure` is what the newest attempt that failed said, for the person who has to mend it.
    """

    name: str
    provider: Provider
    ledger: Ledger
    limiter: AdaptiveLimiter
    spending: Spending
    rate: Rate | None
    timeout_s: float
    max_attempts: int
    judging_date: dt.date
    fresh_calls: bool = True
    last_failure: str | None = None
    _refused: set[str] = field(default_factory=set[str])
    _fatal: CallError | None = None
    _answered_any: bool = False
    _unreachable: int = 0
    _is_measured: bool = False
    _longest_reply: int = 0
    _first: asyncio.Lock = field(default_factory=asyncio.Lock)
    _in_flight: dict[str, asyncio.Task[Answered]] = field(default_factory=dict[str, asyncio.Task[Answered]])

    async def call(self, request: Request, purpose: str, trace_id: str, expected_tokens: int = 0) -> Answered:
        """The reply to a request: from the ledger, else from the endpoint, stored before it is returned.

        Parameters that the endpoint has refused are left out, and the key is that of what is really sent. Raises
        CallError where no reply can be had, LateRunError where fresh calls are not allowed.
        """
        while True:
            sent = self._without_refused(request)
            try:
                return await self._once(sent, purpose, trace_id, expected_tokens)
            except CallError as error:
                refused = _refused_parameter(error.detail)
                if refused is None or not _holds(sent, refused):
                    raise
                self._refused.add(refused)

    async def cancel(self) -> None:
        """End the calls that nobody waits for any more, because the run was interrupted."""
        left = list(self._in_flight.values())
        for task in left:
            task.cancel()
        await asyncio.gather(*left, return_exceptions=True)

    async def _once(self, request: Request, purpose: str, trace_id: str, expected_tokens: int) -> Answered:
        """Two traces with the same words share one call, also while it is under way."""
        key = request.key()
        task = self._in_flight.get(key)
        if task is None:
            task = asyncio.create_task(self._find_or_send(key, request, purpose, trace_id, expected_tokens))
            self._in_flight[key] = task
            task.add_done_callback(lambda _: self._in_flight.pop(key, None))
        return await asyncio.shield(task)

    async def _find_or_send(
        self, key: str, request: Request, purpose: str, trace_id: str, expected_tokens: int
    ) -> Answered:
        stored = await self.ledger.answered(key)
        if stored is not None:
            return Answered(stored, replayed=True)
        if not self.fresh_calls:
            failure = await self.ledger.last_failure(key)
            if failure is None:
                raise LateRunError(
                    f"judge {self.name!r}: {self.judging_date} is not today and the ledger holds no call of that date "
                    f"for answer {trace_id!r}; judge today's date, or allow a late run (it is marked as late)"
                )
            raise CallError(failure.reason or "provider_error", failure.detail or "")
        if not self.spending.is_limited:
            return Answered(await self._send(key, request, purpose, trace_id), replayed=False)
        if not self._is_measured:
            # how much a model writes is not known before its first reply: against a budget that one goes alone
            async with self._first:
                if not self._is_measured:
                    try:
                        return await self._send_within_budget(key, request, purpose, trace_id, expected_tokens)
                    finally:
                        self._is_measured = True
        return await self._send_within_budget(key, request, purpose, trace_id, expected_tokens)

    async def _send_within_budget(
        self, key: str, request: Request, purpose: str, trace_id: str, expected_tokens: int
    ) -> Answered:
        """Send what still fits, a reply taken to be as long as expected, or as the longest one so far."""
        prompt, reply = estimate_prompt(request.messages), max(expected_tokens, self._longest_reply)
        limit = request.params.get("max_tokens", request.params.get("max_completion_tokens"))
        reply = min(reply, limit) if isinstance(limit, int) else reply
        try:
            async with self.spending.hold(prompt + reply, self.rate.cost(prompt, reply) if self.rate else 0.0):
                call = await self._send(key, request, purpose, trace_id)
        except BudgetSpentError:
            raise CallError("budget", "the budget of this run is spent") from None
        self._longest_reply = max(self._longest_reply, call.completion_tokens)
        return Answered(call, replayed=False)

    async def _send(self, key: str, request: Request, purpose: str, trace_id: str) -> Call:
        for attempt in range(self.max_attempts):
            async with self.limiter.slot(ahead=purpose == EXTRACT) as sent_at:
                if self._fatal is not None:
                    raise self._fatal
                blank = self._blank_call(key, request, purpose, trace_id)
                reply, error = None, None
                try:
                    async with asyncio.timeout(self.timeout_s):
                        reply = await self.provider.complete(request, self.timeout_s)
                except TimeoutError:
                    error = CallError("timeout", f"no reply within {self.timeout_s:g} s", retryable=True)
                except CallError as caught:
                    error = caught
                latency_s = time.monotonic() - sent_at
                if error is None:
                    self.limiter.succeeded()
                else:
                    self._note_failure(error)
                    if error.reason == "rate_limited":
                        self.limiter.limited(sent_at, 0.0 if self._fatal else error.retry_after or 0.0)
                if reply is not None:
                    call = self._received(replace(blank, latency_s=latency_s), request, reply)
                else:
                    assert error is not None
                    call = replace(
                        blank, latency_s=latency_s, status="failed", reason=error.reason, detail=error.detail[:2000]
                    )
                # within the slot, so that a kill loses no more calls than may be open
                durable = await self.ledger.keep(call)
            await durable
            if error is None:
                return self._paid(call)
            if attempt + 1 == self.max_attempts or self._fatal or not _worth_another(error, attempt):
                raise error
            if error.reason != "rate_limited" or error.retry_after is None:
                await asyncio.sleep(max(_backoff(attempt), error.retry_after or 0.0))
        raise AssertionError("max_attempts is at least 1")

    def _received(self, blank: Call, request: Request, reply: Reply) -> Call:
        self._answered_any = True
        prompt, completion, estimated = reply.prompt_tokens, reply.completion_tokens, reply.estimated
        if estimated:
            prompt, completion = estimate_prompt(request.messages), estimate_tokens(reply.text)
        cost = self.rate.cost(prompt, completion) if self.rate else None
        # a reply that its provider withheld brings no verdict, and asking again may: it is kept as a failure
        reason = _withheld(reply)
        return replace(
            blank,
            status="answered" if reason is None else "failed",
            reason=reason,
            detail=reply.refusal,
            reply=reply.text,
            finish_reason=reply.finish_reason,
            served_model=reply.served_model,
            prompt_tokens=prompt,
            completion_tokens=completion,
            estimated=estimated,
            cost=cost,
        )

    def _paid(self, call: Call) -> Call:
        self.spending.spend(call.prompt_tokens + call.completion_tokens, call.cost)
        if call.reason is not None:
            raise CallError(call.reason, call.detail or (call.reply or "")[:500])
        return call

    def _blank_call(self, key: str, request: Request, purpose: str, trace_id: str) -> Call:
        return Call(
            call_id=uuid.uuid4().hex,
            key=key,
            purpose=purpose,
            judge=self.name,
            trace_id=trace_id,
            provider=request.provider,
            endpoint=request.endpoint,
            model=request.model,
            served_model=None,
            params=canonical_json(request.params),
            prompt_version=request.prompt_version,
            repeat=request.repeat,
            ask=request.ask,
            judging_date=self.judging_date,
            sent_at=dt.datetime.now(dt.UTC),
            latency_s=0.0,
            status="answered",
            reason=None,
            detail=None,
            reply=None,
            finish_reason=None,
            prompt_tokens=0,
            completion_tokens=0,
            estimated=False,
            cost=None,
        )

    def _note_failure(self, error: CallError) -> None:
        """After a failure that every later call would meet too, no later call is sent."""
        self.last_failure = error.detail
        too_long_a_wait = error.retry_after is not None and error.retry_after > _LONGEST_WAIT_S
        not_for_us = error.status in (401, 402, 403, 404) and error.reason == "provider_error"
        out_of_quota = error.reason == "rate_limited" and not error.retryable
        if not_for_us or out_of_quota or too_long_a_wait:
            self._fatal = CallError(error.reason, f"not asked any more after: {error.detail}", status=error.status)
        if error.status == -1 and not self._answered_any:
            self._unreachable += 1
            if self._unreachable >= _UNREACHABLE_AFTER:
                detail = f"not asked any more, the endpoint is not there: {error.detail}"
                self._fatal = CallError(error.reason, detail, status=error.status)

    def _without_refused(self, request: Request) -> Request:
        if not self._refused:
            return request
        params: Mapping[str, Json] = {k: v for k, v in request.params.items() if k not in self._refused}
        schema = None if "response_format" in self._refused else request.schema
        if schema is not None and SCHEMA_BOUNDS in self._refused:
            schema = cast("Mapping[str, Json]", _without_bounds(schema))
        return replace(request, params=params, schema=schema)


def _withheld(reply: Reply) -> str | None:
    if reply.finish_reason == "content_filter":
        return "content_filter"
    return "refusal" if reply.refusal else None


def _worth_another(error: CallError, attempt: int) -> bool:
    """Whether to try again: a second wait for a silent endpoint is worth it, a fifth is not."""
    return error.retryable and (error.reason != "timeout" or attempt == 0)


def _refused_parameter(detail: str) -> str | None:
    if not detail.startswith(REFUSED_PARAMETER):
        return None
    return detail.removeprefix(REFUSED_PARAMETER).split(":", 1)[0]


def _holds(request: Request, parameter: str) -> bool:
    if parameter == "response_format":
        return request.schema is not None
    if parameter == SCHEMA_BOUNDS:
        return request.schema is not None and request.schema != _without_bounds(request.schema)
    return parameter in request.params


def _without_bounds(schema: Json) -> Json:
    if isinstance(schema, Mapping):
        kept = {key: _without_bounds(value) for key, value in schema.items() if key not in _BOUNDS}
        places = kept.pop("prefixItems", None)
        return kept if places is None else {**kept, "items": {"anyOf": places}}
    if isinstance(schema, list):
        return [_without_bounds(item) for item in schema]
    return schema


def _backoff(attempt: int) -> float:
    return min(_MAX_BACKOFF_S, _BACKOFF_S * 2**attempt) * random.uniform(0.5, 1.0)
