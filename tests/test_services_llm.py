import asyncio
import json
from typing import Any

import aiohttp
import pytest

from tests.small_llm import SmallLlm

pytestmark = [pytest.mark.llm, pytest.mark.slow]

VERDICT = {
    "type": "object",
    "properties": {"verdict": {"type": "string", "enum": ["supported", "not_in_evidence"]}},
    "required": ["verdict"],
    "additionalProperties": False,
}


def complete(llm: SmallLlm, **more: Any) -> Any:
    async def work() -> Any:
        messages = [{"role": "user", "content": "Evidence: Paris lies in France. Claim: Paris lies in France."}]
        body = {"model": llm.model, "messages": messages, "temperature": 0, "max_tokens": 40, **more}
        async with (
            aiohttp.ClientSession() as session,
            session.post(f"{llm.base_url}/chat/completions", json=body) as http,
        ):
            assert http.status == 200, await http.text()
            return await http.json()

    return asyncio.run(work())


def test_the_small_model_answers_and_counts_its_tokens(small_llm: SmallLlm) -> None:
    reply = complete(small_llm)
    assert reply["choices"][0]["message"]["content"]
    assert reply["model"] == small_llm.model
    assert 0 < reply["usage"]["completion_tokens"] <= 40


def test_the_small_model_keeps_to_a_json_schema(small_llm: SmallLlm) -> None:
    form = {"type": "json_schema", "json_schema": {"name": "reply", "strict": True, "schema": VERDICT}}
    reply = complete(small_llm, response_format=form)
    assert json.loads(reply["choices"][0]["message"]["content"])["verdict"] in ("supported", "not_in_evidence")


def test_the_small_model_says_when_it_was_cut_off(small_llm: SmallLlm) -> None:
    assert complete(small_llm, max_tokens=3)["choices"][0]["finish_reason"] == "length"
