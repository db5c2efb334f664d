"""The bare loop: what one would write by hand over the same SDK. `python -m benchmarks.engine.bare URL TRACES N`.

Per answer an extraction call and then a judge call, with the words and the schema that faithflow sends; replies are
read by json.loads, nothing is stored, nothing is retried beyond what the SDK does by itself. Prints one JSON object.
"""

import argparse
import asyncio
import importlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from benchmarks.engine.measure import Phase, Stopwatch
from faithflow.claims.claim import ClaimKind
from faithflow.claims.llm import EXTRACTION_SCHEMA, extraction_messages
from faithflow.corpus.trace import Trace
from faithflow.corpus.traces import TraceFile, read_traces
from faithflow.identity import Json
from faithflow.judging.prompt import AskedClaim, Exhibit, messages_for, reply_schema
from faithflow.llm.model import Message


async def loop(base_url: str, traces: TraceFile, concurrency: int) -> tuple[int, Phase]:
    """Verdicts received, and what the loop took."""
    from openai import AsyncOpenAI

    importlib.import_module("openai.resources.chat")  # loaded before the clock starts, as in judged.py

    watch = Stopwatch()
    client = AsyncOpenAI(base_url=base_url, api_key="none")
    gate = asyncio.Semaphore(concurrency)

    async def complete(messages: Sequence[Message], schema: Mapping[str, Json]) -> Any:
        sent: Any = [{"role": message.role, "content": message.content} for message in messages]
        wanted: Any = {"type": "json_schema", "json_schema": {"name": "reply", "strict": True, "schema": schema}}
        async with gate:
            reply = await client.chat.completions.create(model="m", messages=sent, response_format=wanted)
        return json.loads(reply.choices[0].message.content or "")

    async def judge(trace: Trace) -> int:
        found = await complete(extraction_messages(trace), EXTRACTION_SCHEMA)
        claims = [AskedClaim(f"c{n}", item["text"], ClaimKind.STATEMENT) for n, item in enumerate(found["claims"], 1)]
        exhibits = [Exhibit(f"e{n}", context.source, context.text) for n, context in enumerate(trace.evidence, 1)]
        judged = await complete(messages_for(trace.question, exhibits, claims), reply_schema(claims, exhibits))
        return len({entry["id"]: entry["verdict"] for entry in judged["verdicts"]})

    verdicts = sum(await asyncio.gather(*(judge(trace) for trace in traces)))
    took = watch.phase()
    await client.close()
    return verdicts, took


def main() -> None:
    parser = argparse.ArgumentParser(description="The bare loop over the openai SDK.")
    parser.add_argument("base_url")
    parser.add_argument("traces", type=Path)
    parser.add_argument("concurrency", type=int)
    given = parser.parse_args()
    verdicts, took = asyncio.run(loop(given.base_url, read_traces(given.traces), given.concurrency))
    print(json.dumps({"rows": verdicts, "phases": {"judging": asdict(took)}}))


if __name__ == "__main__":
    main()
