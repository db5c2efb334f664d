"""Any OpenAI-compatible chat endpoint, over the openai SDK. One client an endpoint, reused for every call."""

import gc
import json
from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any, cast

from faithflow.llm.caller import REFUSED_PARAMETER, SCHEMA_BOUNDS
from faithflow.llm.model import CallError, Reply, Request
from resources.openai_reply import read_completion
from resources.retry_after import retry_after

if TYPE_CHECKING:
    from openai import APIStatusError, AsyncOpenAI

OPENAI = "https://api.openai.com/v1"

_RETRYABLE = frozenset({408, 409, 425, 500, 502, 503, 504, 529})

_TOO_LONG = ("context length", "context_length", "maximum context", "context window", "context size", "too long")
_FILTERED = ("content_filter", "content management policy", "content policy", "moderation", "was flagged")
# What stands in a key's place for servers that want none ("EMPTY", "none") is no secret, and a word of some replies.
_SHORTEST_SECRET = 6

_BOUNDS = ("maxlength", "minlength", "maxitems", "minitems", "prefixitems")


class OpenAIEndpoint:
    """A `faithflow.llm.model.Provider`. The key is held by the client alone and cut out of all that comes back."""

    def __init__(self, base_url: str, api_key: str | None) -> None:
        self._base_url = base_url
        self._api_key = api_key
        self._client: AsyncOpenAI | None = None

    async def complete(self, request: Request, timeout_s: float) -> Reply:
        """One chat completion. Raises CallError with the reason that the failure has in a verdict row."""
        from openai import APIConnectionError, APIError, APIStatusError, APITimeoutError

        try:
            # The typed method builds a validated object tree of the reply, at twice the processor time of the call.
            raw = await self._connect().post(
                "/chat/completions", cast_to=object, body=_body(request), options={"timeout": timeout_s}
            )
        except APIConnectionError as error:
            if isinstance(error, APITimeoutError) and _ran_out_of_time(error):
                raise CallError("timeout", f"no reply within {timeout_s:g} s", retryable=True) from error
            detail = self._safe(f"cannot be reached: {error.__cause__ or error}")
            raise CallError("provider_error", detail, retryable=True, status=-1) from error
        except APIStatusError as error:
            raise self._status_error(error, request) from error
        except (APIError, ValueError, RecursionError) as error:
            detail = self._safe(f"no readable reply: {error}")
            raise CallError("provider_error", detail, retryable=True) from error
        try:
            reply = read_completion(raw)
        except CallError as error:
            error.detail = self._safe(error.detail)
            raise
        return replace(
            reply,
            text=self._safe(reply.text),
            refusal=reply.refusal and self._safe(reply.refusal),
            served_model=reply.served_model and self._safe(reply.served_model),
            finish_reason=reply.finish_reason and self._safe(reply.finish_reason),
        )

    async def close(self) -> None:
        if self._client is not None:
            await self._client.close()
            self._client = None
            gc.unfreeze()

    def _connect(self) -> "AsyncOpenAI":
        if self._client is None:
            from openai import AsyncOpenAI, DefaultAioHttpClient

            # A server of one's own needs no key, and the SDK insists on one.
            self._client = AsyncOpenAI(
                api_key=self._api_key or "none",
                base_url=self._base_url,
                max_retries=0,
                http_client=DefaultAioHttpClient(),
            )
            # The modules loaded by now stay: a full garbage collection that looks at them all stops every call for a
            # tenth of a second, once in some hundreds of calls.
            gc.freeze()
        return self._client

    def _safe(self, text: str) -> str:
        secret = self._api_key
        return text.replace(secret, "[key]") if secret and len(secret) >= _SHORTEST_SECRET else text

    def _status_error(self, error: "APIStatusError", request: Request) -> CallError:
        status = error.status_code
        body: Mapping[str, Any] = cast("dict[str, Any]", error.body) if isinstance(error.body, dict) else {}
        message = self._safe(_message(error.body) or error.message)
        code = str(body.get("code") or body.get("type") or "")
        words = f"{code} {message}".casefold()
        detail = f"HTTP {status}: {message}"
        if status == 429:
            exhausted = "insufficient_quota" in words
            wait = retry_after(error.response.headers)
            return CallError("rate_limited", detail, retryable=not exhausted, retry_after=wait, status=status)
        if status in (400, 403, 413, 422):
            if any(word in words for word in _TOO_LONG) or status == 413:
                return CallError("too_long", detail, status=status)
            if any(word in words for word in _FILTERED):
                return CallError("content_filter", detail, status=status)
            refused = _refused(body.get("param"), words, request)
            if refused is not None:
                return CallError("provider_error", f"{REFUSED_PARAMETER}{refused}: {detail}", status=status)
        return CallError(
            "provider_error",
            detail,
            retryable=status in _RETRYABLE,
            retry_after=retry_after(error.response.headers),
            status=status,
        )


def _ran_out_of_time(error: BaseException) -> bool:
    """Whether time ran out; the SDK also calls it so where nobody listens, or where the name is unknown."""
    cause: BaseException | None = error
    while cause is not None and not isinstance(cause, TimeoutError):
        cause = cause.__cause__ or cause.__context__
    return cause is not None


def _message(body: object) -> str:
    """What an error's body says: its message where it has one, else all of it."""
    message = cast("dict[str, Any]", body).get("message") if isinstance(body, dict) else None
    if isinstance(message, str) and message:
        return message
    return body if isinstance(body, str) else json.dumps(body, ensure_ascii=False) if body else ""


def _body(request: Request) -> dict[str, Any]:
    body: dict[str, Any] = {
        "model": request.model,
        "messages": [{"role": message.role, "content": message.content} for message in request.messages],
        **request.params,
    }
    if request.schema is not None:
        named = {"name": "reply", "strict": True, "schema": request.schema}
        body["response_format"] = {"type": "json_schema", "json_schema": named}
    return body


def _refused(param: object, words: str, request: Request) -> str | None:
    """Which sent parameter a 400 complains of; None where it is about something else."""
    if request.schema is not None:
        if any(word in words for word in _BOUNDS):
            return SCHEMA_BOUNDS
        if str(param or "").startswith("response_format") or "response_format" in words or "json_schema" in words:
            return "response_format"
    if isinstance(param, str) and param in request.params:
        return param
    return next((name for name in request.params if f"'{name}'" in words or f'"{name}"' in words), None)
