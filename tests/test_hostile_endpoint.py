"""Endpoints that answer with something else than the protocol says: no run ends on it, and no key gets out."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from faithflow.errors import UserError
from tests.endpoint import ScriptedEndpoint
from tests.judging import judge, study, trace
from tests.scripted import JsonObject, Response, Script, always, chat, error, reset, sequence, verdicts


def changed(where: str, value: Any) -> Script:
    """A right completion in which the field at the dotted path `where` holds `value`."""

    def script(request: JsonObject, _number: int) -> Response:
        body = chat(request, verdicts(request)).body
        *path, last = [int(part) if part.isdigit() else part for part in where.split(".")]
        place: Any = body
        for part in path:
            place = place[part]
        place[last] = value
        return Response(body)

    return script


@pytest.mark.parametrize(
    ("where", "value"),
    [
        ("choices.0.message", None),
        ("choices.0.message", "supported"),
        ("choices.0", "supported"),
        ("choices", {"0": {}}),
        ("choices", None),
    ],
)
def test_a_completion_without_a_message_is_a_providers_error(tmp_path: Path, where: str, value: Any) -> None:
    with ScriptedEndpoint(changed(where, value)) as endpoint:
        judged = judge(tmp_path, study(endpoint, max_attempts=1))
    assert set(judged.by_claim("reason").values()) == {"provider_error"}


@pytest.mark.parametrize("content", [["supported"], {"verdicts": []}, 5, None, [None, 3]])
def test_a_message_without_text_is_no_verdict(tmp_path: Path, content: Any) -> None:
    with ScriptedEndpoint(changed("choices.0.message.content", content)) as endpoint:
        judged = judge(tmp_path, study(endpoint))
    assert set(judged.by_claim("reason").values()) == {"parse"}


@pytest.mark.parametrize("field", ["reasoning_content", "reasoning", "tool_calls"])
def test_a_verdict_beside_the_content_is_no_verdict(tmp_path: Path, field: str) -> None:
    def script(request: JsonObject, number: int) -> Response:
        message = {"role": "assistant", "content": None, field: verdicts(request)}
        return changed("choices.0.message", message)(request, number)

    with ScriptedEndpoint(script) as endpoint:
        judged = judge(tmp_path, study(endpoint))
    assert set(judged.by_claim("reason").values()) == {"parse"}


@pytest.mark.parametrize(
    ("where", "value"),
    [
        ("choices.0.finish_reason", None),
        ("choices.0.finish_reason", 3),
        ("choices.0.finish_reason", {"type": "stop"}),
        ("choices.0.message.refusal", {}),
        ("choices.0.message.refusal", True),
        ("model", None),
        ("model", 7),
        ("model", {"name": "m"}),
    ],
)
def test_an_odd_field_beside_the_content_spoils_no_verdict(tmp_path: Path, where: str, value: Any) -> None:
    with ScriptedEndpoint(changed(where, value)) as endpoint:
        judged = judge(tmp_path, study(endpoint))
    assert set(judged.by_claim().values()) == {"supported"}


@pytest.mark.parametrize(
    "usage",
    [
        None,
        [1],
        "many",
        {"prompt_tokens": "12", "completion_tokens": "3"},
        {"prompt_tokens": -12, "completion_tokens": 3},
        {"prompt_tokens": 10**30, "completion_tokens": 3},
        {"prompt_tokens": True, "completion_tokens": False},
        {"prompt_tokens": 12.5, "completion_tokens": 3},
        {"prompt_tokens": 12},
        {"prompt_tokens": None, "completion_tokens": None},
    ],
)
def test_usage_that_is_no_count_is_counted_here_and_marked(tmp_path: Path, usage: Any) -> None:
    with ScriptedEndpoint(changed("usage", usage)) as endpoint:
        calls = judge(tmp_path, study(endpoint)).table("calls")
    assert calls["estimated"].to_list() == [True]
    assert calls["prompt_tokens"][0] > 100


@pytest.mark.parametrize(
    "text",
    ["", "null", "[]", '{"error": "busy"}', '{"choices": ' + "9" * 5000 + "}", "[" * 100_000],
    ids=["nothing", "null", "a list", "an error", "a number of 5000 digits", "a deep nest"],
)
def test_a_body_that_is_no_completion_is_a_providers_error(tmp_path: Path, text: str) -> None:
    with ScriptedEndpoint(always(Response(text))) as endpoint:
        judged = judge(tmp_path, study(endpoint, max_attempts=1))
    assert set(judged.by_claim("reason").values()) == {"provider_error"}


def test_a_completion_under_another_content_type_is_read(tmp_path: Path) -> None:
    def script(request: JsonObject, _number: int) -> Response:
        return Response(json.dumps(chat(request, verdicts(request)).body), headers={"Content-Type": "text/plain"})

    with ScriptedEndpoint(script) as endpoint:
        judged = judge(tmp_path, study(endpoint))
    assert set(judged.by_claim().values()) == {"supported"}


@pytest.mark.parametrize("wish", ["soon", "-5", "0", "nan", "Wed, 99 Oct 99999 07:28:00 GMT"])
def test_an_unreadable_wish_to_wait_is_passed_over(tmp_path: Path, wish: str) -> None:
    limited = error(429, "Slow down", retry_after=wish)
    with ScriptedEndpoint(sequence(limited, then=lambda r, _n: chat(r, verdicts(r)))) as endpoint:
        judged = judge(tmp_path, study(endpoint))
        assert endpoint.count == 2
    assert judged.outcome.unscored == {}


@pytest.mark.parametrize(
    ("body", "said"),
    [
        ("<html>Upstream is down</html>", "Upstream is down"),
        ({"detail": [{"loc": ["body", "top_k"], "msg": "not permitted"}]}, "not permitted"),
        ({"error": "out of memory"}, "out of memory"),
    ],
    ids=["HTML", "a list of details", "a word"],
)
def test_what_an_error_says_is_kept_in_whatever_shape(tmp_path: Path, body: str | JsonObject, said: str) -> None:
    with ScriptedEndpoint(always(Response(body, status=500))) as endpoint:
        judged = judge(tmp_path, study(endpoint, max_attempts=1))
    assert said in judged.table("calls")["detail"][0]


KEY = "sk-hostile-0123456789"


def echoes(shape: str) -> Script:
    """An endpoint that gives back the key that it was sent."""

    def script(request: JsonObject, number: int) -> Response:
        bodies: Mapping[str, Response] = {
            "error body": error(500, f"bad key {KEY}"),
            "error page": Response(f"<p>{KEY}</p>", status=500),
            "error in a reply": Response({"error": {"message": f"bad key {KEY}"}}),
            "no JSON": Response(f"key {KEY}"),
            "reply": chat(request, verdicts(request, justification=f"I was given {KEY}.")),
            "refusal": chat(request, None, refusal=f"Not for {KEY}."),
            "model": chat(request, verdicts(request), served_model=f"m-{KEY}"),
        }
        return bodies[shape]

    return script


@pytest.mark.parametrize(
    "shape", ["error body", "error page", "error in a reply", "no JSON", "reply", "refusal", "model"]
)
def test_a_key_that_an_endpoint_gives_back_reaches_no_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, shape: str
) -> None:
    monkeypatch.setenv("HOSTILE_KEY", KEY)
    with ScriptedEndpoint(echoes(shape)) as endpoint:
        judged = judge(tmp_path, study(endpoint, api_key_env="HOSTILE_KEY", max_attempts=1))
        assert endpoint.requests[0].headers["Authorization"] == f"Bearer {KEY}"
    for column in judged.table("calls"), judged.verdicts:
        assert KEY not in str(column.to_dicts())
    for file in judged.folder.iterdir():
        assert KEY.encode() not in file.read_bytes(), file.name


@pytest.mark.parametrize("address", ["http://127.0.0.1:9/v1", "http://no-such-host.invalid/v1"])
def test_an_endpoint_that_is_not_there_is_no_timeout(tmp_path: Path, address: str) -> None:
    judged = judge(tmp_path, study(address, max_attempts=1))
    assert set(judged.by_claim("reason").values()) == {"provider_error"}
    assert judged.outcome.failures["j"].startswith("cannot be reached")


def test_an_endpoint_that_was_never_there_is_given_up_soon(tmp_path: Path) -> None:
    judged = judge(tmp_path, study("http://127.0.0.1:9/v1", max_concurrency=1), *(trace(f"t{n}") for n in range(40)))
    assert judged.outcome.unscored == {"provider_error": 120}
    assert judged.table("calls").height < 40


def test_an_endpoint_that_goes_away_for_a_moment_loses_nothing(tmp_path: Path) -> None:
    gone = [reset()] * 12

    def script(request: JsonObject, number: int) -> Response:
        return gone.pop() if number > 5 and gone else chat(request, verdicts(request))

    with ScriptedEndpoint(script) as endpoint:
        judged = judge(tmp_path, study(endpoint, max_attempts=9), *(trace(f"t{n}") for n in range(20)))
    assert judged.outcome.unscored == {}


@pytest.mark.parametrize(
    "refusal",
    [error(402, "Insufficient balance"), error(429, "You exceeded your quota", code="insufficient_quota")],
    ids=["402", "quota"],
)
def test_an_empty_account_is_asked_once(tmp_path: Path, refusal: Response) -> None:
    with ScriptedEndpoint(always(refusal)) as endpoint:
        judged = judge(tmp_path, study(endpoint, max_concurrency=1), *(trace(f"t{n}") for n in range(5)))
        assert endpoint.count == 1
    assert judged.outcome.failures["j"].startswith(f"HTTP {refusal.status}")


def test_one_answer_that_is_moderated_away_does_not_stop_the_others(tmp_path: Path) -> None:
    flagged = error(403, "This model requires moderation and your input was flagged")
    with ScriptedEndpoint(sequence(flagged, then=lambda r, _n: chat(r, verdicts(r)))) as endpoint:
        judged = judge(tmp_path, study(endpoint, max_concurrency=1), trace("t1"), trace("t2"))
    assert set(judged.by_claim("reason", "t1").values()) == {"content_filter"}
    assert set(judged.by_claim("verdict", "t2").values()) == {"supported"}


def test_white_space_around_a_key_is_no_part_of_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOSTILE_KEY", f" {KEY}\n")
    with ScriptedEndpoint() as endpoint:
        judge(tmp_path, study(endpoint, api_key_env="HOSTILE_KEY"))
        assert endpoint.requests[0].headers["Authorization"] == f"Bearer {KEY}"


@pytest.mark.parametrize("key", [" ", "sk-one\nsk-two", "sk-schlüssel"])
def test_what_cannot_be_a_key_is_named_before_any_call(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, key: str
) -> None:
    monkeypatch.setenv("HOSTILE_KEY", key)
    with ScriptedEndpoint() as endpoint:
        with pytest.raises(UserError, match="HOSTILE_KEY") as refused:
            judge(tmp_path, study(endpoint, api_key_env="HOSTILE_KEY"))
        assert endpoint.count == 0
    assert "sk-" not in str(refused.value)


@pytest.mark.parametrize(
    ("word", "reason"),
    [("MAX_TOKENS", "truncated"), ("model_length", "truncated"), ("SAFETY", "content_filter"), ("stop", "parse")],
)
def test_another_word_for_how_a_reply_ended_is_understood(tmp_path: Path, word: str, reason: str) -> None:
    with ScriptedEndpoint(lambda r, _n: chat(r, '{"verdicts": [{"id": "c', finish_reason=word)) as endpoint:
        judged = judge(tmp_path, study(endpoint))
    assert set(judged.by_claim("reason").values()) == {reason}
