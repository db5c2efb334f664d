"""The scripted endpoint does over real HTTP what its script says."""

import asyncio
import datetime as dt
import json
import time
from email.utils import parsedate_to_datetime
from typing import Any

import aiohttp
import pytest

from tests import scripted
from tests.endpoint import ScriptedEndpoint, endpoint_process

CLAIMS = [{"id": "c1", "text": "A is B."}, {"id": "c2", "text": "C is D."}]
EVIDENCE = [{"id": "e1", "source": "graph", "text": "A is B, {and} more."}]


def ask(material: dict[str, Any] | None = None) -> dict[str, Any]:
    material = material or {"question": "What {is} A?", "evidence": EVIDENCE, "claims": CLAIMS}
    content = "Judge {these} claims.\n" + json.dumps(material)
    return {"model": "m", "messages": [{"role": "system", "content": "s"}, {"role": "user", "content": content}]}


def post(endpoint: ScriptedEndpoint, request: dict[str, Any] | None = None, timeout: float = 10) -> Any:
    async def work() -> Any:
        limit = aiohttp.ClientTimeout(total=timeout)
        async with (
            aiohttp.ClientSession(timeout=limit) as session,
            session.post(f"{endpoint.base_url}/chat/completions", json=request or ask()) as response,
        ):
            return response.status, dict(response.headers), await response.text()

    return asyncio.run(work())


def content_of(body: str) -> Any:
    return json.loads(body)["choices"][0]["message"]["content"]


def test_by_default_every_claim_asked_gets_a_verdict() -> None:
    with ScriptedEndpoint() as endpoint:
        status, _, body = post(endpoint)
    reply = json.loads(content_of(body))
    assert status == 200
    assert [(entry["id"], entry["verdict"]) for entry in reply["verdicts"]] == [
        ("c1", "supported"),
        ("c2", "supported"),
    ]
    assert json.loads(body)["usage"]["prompt_tokens"] > 20


def test_an_extraction_request_gets_one_quoted_claim_a_sentence() -> None:
    with ScriptedEndpoint() as endpoint:
        _, _, body = post(endpoint, ask({"question": "q", "answer": "A is B. C is\nD!"}))
    quotes = [claim["quote"] for claim in json.loads(content_of(body))["claims"]]
    assert quotes == ["A is B.", "C is", "D!"]


def test_the_payload_is_found_behind_braces_and_before_a_repair() -> None:
    request = ask()
    request["messages"] += [{"role": "assistant", "content": "{}"}, {"role": "user", "content": "Reply again."}]
    assert scripted.payload(request)["claims"] == CLAIMS


def test_a_message_without_json_is_said_to_have_none() -> None:
    with pytest.raises(ValueError, match="no user message ends in a JSON object"):
        scripted.payload({"messages": [{"role": "user", "content": "hello {"}]})


def test_a_sequence_goes_on_with_its_last_part() -> None:
    with ScriptedEndpoint(
        scripted.sequence(scripted.server_error(), scripted.rate_limited(), then=scripted.say("x"))
    ) as endpoint:
        assert [post(endpoint)[0] for _ in range(4)] == [500, 429, 200, 200]


def test_retry_after_is_sent_as_seconds_or_as_a_date() -> None:
    with ScriptedEndpoint(
        scripted.sequence(scripted.rate_limited(1.5), scripted.rate_limited(5, as_date=True))
    ) as endpoint:
        assert post(endpoint)[1]["Retry-After"] == "1.5"
        wait = parsedate_to_datetime(post(endpoint)[1]["Retry-After"]) - dt.datetime.now(dt.UTC)
        assert 4 < wait.total_seconds() <= 6


def test_a_reset_breaks_the_connection_in_the_middle_of_the_body() -> None:
    with (
        ScriptedEndpoint(scripted.always(scripted.reset())) as endpoint,
        pytest.raises((aiohttp.ClientPayloadError, aiohttp.ClientConnectionError)),
    ):
        post(endpoint)


def test_an_endpoint_that_never_answers_still_stops_at_once() -> None:
    started = time.monotonic()
    with ScriptedEndpoint(scripted.always(scripted.never())) as endpoint, pytest.raises(asyncio.TimeoutError):
        post(endpoint, timeout=0.2)
    assert time.monotonic() - started < 5


def test_a_cut_reply_ends_early_and_says_length() -> None:
    with ScriptedEndpoint(scripted.cut(30)) as endpoint:
        choice = json.loads(post(endpoint)[2])["choices"][0]
    assert (len(choice["message"]["content"]), choice["finish_reason"]) == (30, "length")


def test_a_refusal_stands_in_its_own_field_and_a_filter_in_the_finish_reason() -> None:
    with ScriptedEndpoint(scripted.sequence(scripted.refuse("No."), scripted.filtered())) as endpoint:
        refused, stopped = (json.loads(post(endpoint)[2])["choices"][0] for _ in range(2))
    assert (refused["message"]["content"], refused["message"]["refusal"]) == (None, "No.")
    assert stopped["finish_reason"] == "content_filter"


def test_errors_name_the_parameter_or_the_length() -> None:
    with ScriptedEndpoint(
        scripted.sequence(scripted.refuses_parameter("temperature"), scripted.too_long())
    ) as endpoint:
        (first, _, refused), (second, _, long) = post(endpoint), post(endpoint)
    assert (first, json.loads(refused)["error"]["param"]) == (400, "temperature")
    assert (second, json.loads(long)["error"]["code"]) == (400, "context_length_exceeded")


def test_broken_bodies_are_sent_as_they_are() -> None:
    def without_usage(request: dict[str, Any], _number: int) -> scripted.Response:
        return scripted.without(scripted.chat(request, "x"), "usage")

    with ScriptedEndpoint(scripted.sequence(scripted.not_json(), scripted.no_choices, without_usage)) as endpoint:
        html, empty, uncounted = (post(endpoint)[2] for _ in range(3))
    assert html.startswith("<html>")
    assert json.loads(empty)["choices"] == []
    assert "usage" not in json.loads(uncounted)


def test_labels_can_depend_on_the_claim() -> None:
    script = scripted.answer_with(lambda text: "supported" if "A" in text else "contradicted")
    with ScriptedEndpoint(script) as endpoint:
        reply = json.loads(content_of(post(endpoint)[2]))
    assert [entry["verdict"] for entry in reply["verdicts"]] == ["supported", "contradicted"]


def test_requests_are_recorded_with_their_headers_and_the_most_at_once() -> None:
    async def work(endpoint: ScriptedEndpoint) -> None:
        headers = {"Authorization": "Bearer k"}
        async with aiohttp.ClientSession(headers=headers) as session:

            async def one() -> None:
                async with session.post(f"{endpoint.base_url}/chat/completions", json=ask()) as response:
                    await response.read()

            await asyncio.gather(*(one() for _ in range(8)))

    with ScriptedEndpoint(latency=0.2) as endpoint:
        asyncio.run(work(endpoint))
        assert endpoint.count == len(endpoint.requests) == endpoint.most_at_once == endpoint.connections == 8
        assert {request.headers["Authorization"] for request in endpoint.requests} == {"Bearer k"}
        assert scripted.claim_ids(endpoint.requests[0].json) == ["c1", "c2"]


def test_a_process_of_its_own_serves_with_the_faults_asked_for() -> None:
    async def work(base_url: str) -> Any:
        async with aiohttp.ClientSession() as session:
            statuses: list[int] = []
            for _ in range(60):
                async with session.post(f"{base_url}/chat/completions", json=ask()) as response:
                    statuses.append(response.status)
            async with session.get(f"{base_url}/stats") as response:
                return statuses, await response.json()

    with endpoint_process("--rate-limited", "0.3", "--cut", "0.1", "--latency", "0.001") as base_url:
        statuses, stats = asyncio.run(work(base_url))
    assert stats["requests"] == 60
    assert 5 < statuses.count(429) == stats["statuses"]["429"] < 40
