"""Any OpenAI-compatible chat endpoint, over the openai SDK. One client an endpoint, reused for every call."""

import datetime as dt
import json
from collections.abc import Mapping
from email.utils import parsedate_to_datetime
from typing import TYPE_CHECKING, Any, cast

from faithflow.llm.caller import REFUSED_PARAMETER, SCHEMA_BOUNDS
from faithflow.llm.model import CallError, Reply, Request

if TYPE_CHECKING:
    from openai import APIStatusError, AsyncOpenAI

OPENAI = "https://api.openai.com/v1"

_RETRYABLE = frozenset({408, 409, 425, 500, 502, 503, 504, 529})

_TOO_LONG = ("context length", "context_length", "maximum context", "context window", "context size", "too long")
_FILTERED = ("content_filter", "content management policy", "content policy")
_BOUNDS = ("maxlength", "minlength", "maxitems", "minitems")


class OpenAIEndpoint:
    """A `faithflow.llm.model.Provider`. The key is held by the client alone and cut out of every error text."""

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
        except APITimeoutError as error:
            raise CallError("timeout", f"no reply within {timeout_s:g} s", retryable=True) from error
        except APIConnectionError as error:
            detail = self._safe(f"cannot be reached: {error.__cause__ or error}")
            raise CallError("provider_error", detail, retryable=True, status=-1) from error
        except APIStatusError as error:
            raise self._status_error(error, request) from error
        except (APIError, json.JSONDecodeError, UnicodeDecodeError) as error:
            detail = self._safe(f"no readable reply: {error}")
            raise CallError("provider_error", detail, retryable=True) from error
        return _reply(raw)

    async def close(self) -> None:
        if self._client is not None:
            await self._client.close()
            self._client = None

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
        return self._client

    def _safe(self, text: str) -> str:
        return text.replace(self._api_key, "[key]") if self._api_key else text

    def _status_error(self, error: "APIStatusError", request: Request) -> CallError:
        status = error.status_code
        body: Mapping[str, Any] = cast("dict[str, Any]", error.body) if isinstance(error.body, dict) else {}
        message = self._safe(str(body.get("message") or error.message))
        code = str(body.get("code") or body.get("type") or "")
        words = f"{code} {message}".casefold()
        detail = f"HTTP {status}: {message}"
        if status == 429:
            exhausted = "insufficient_quota" in words
            wait = _retry_after(error.response.headers)
            return CallError("rate_limited", detail, retryable=not exhausted, retry_after=wait, status=status)
        if status in (400, 413, 422):
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
            retry_after=_retry_after(error.response.headers),
            status=status,
        )


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


def _retry_after(headers: Mapping[str, str]) -> float | None:
    """`Retry-After` in seconds, given as a number or as a date; None where absent or unreadable."""
    if (milliseconds := headers.get("retry-after-ms")) is not None:
        try:
            return max(0.0, float(milliseconds) / 1000)
        except ValueError:
            return None
    value = headers.get("retry-after")
    if value is None:
        return None
    try:
        return max(0.0, float(value))
    except ValueError:
        pass
    try:
        return max(0.0, (parsedate_to_datetime(value) - dt.datetime.now(dt.UTC)).total_seconds())
    except (ValueError, TypeError):
        return None


def _reply(raw: object) -> Reply:
    try:
        data = cast("dict[str, Any]", raw)
        choice = data["choices"][0]
        message: Mapping[str, Any] = choice["message"]
    except (KeyError, IndexError, TypeError) as error:
        raise CallError("provider_error", f"a reply without choices: {str(raw)[:300]}", retryable=True) from error
    usage: Mapping[str, Any] = data.get("usage") or {}
    prompt, completion = usage.get("prompt_tokens"), usage.get("completion_tokens")
    counted = isinstance(prompt, int) and isinstance(completion, int)
    return Reply(
        text=_text(message.get("content")),
        finish_reason=choice.get("finish_reason"),
        served_model=data.get("model"),
        prompt_tokens=prompt if isinstance(prompt, int) and counted else 0,
        completion_tokens=completion if isinstance(completion, int) and counted else 0,
        estimated=not counted,
        refusal=message.get("refusal") or None,
    )


def _text(content: object) -> str:
    """The content as text; some servers send a list of typed parts."""
    if isinstance(content, list):
        parts = cast("list[dict[str, Any]]", content)
        return "".join(str(part.get("text") or "") for part in parts)
    return content if isinstance(content, str) else ""
