"""The generator's last request of an answer, built again from the tables alone."""

import json
from collections.abc import Iterable, Mapping
from typing import Any

from faithflow.errors import UserError
from faithflow.llm.model import Request
from faithflow.pipelines.evidence import Evidence
from faithflow.pipelines.generate import GENERATE, answer_request
from faithflow.pipelines.model import Generator
from faithflow.pipelines.prompt import ANSWER_PROMPTS


class ReplayError(UserError):
    """An answer's request cannot be built again; the message says why."""


def request_of(
    question: str,
    answer: Mapping[str, Any],
    steps: Iterable[Mapping[str, Any]],
    retrievals: Iterable[Mapping[str, Any]],
    generator: Generator,
) -> Request:
    """The request that wrote an answer, byte for byte: its key is the row's `request_key`.

    `answer` is a row of `answers`, `steps` and `retrievals` are that answer's rows of these tables (others are passed
    over). Raises ReplayError where the answer took no call, or was written under another prompt, model or evidence
    than the rows and the generator give.
    """
    identity = answer["answer_id"]
    if answer["request_key"] is None:
        raise ReplayError(
            f"answer {identity}: no model was asked for it ({answer['status']}), so nothing can be replayed"
        )
    detail = next(
        (
            json.loads(step["detail"])
            for step in steps
            if step["answer_id"] == identity
            and step["request_key"] == answer["request_key"]
            and step["tool"] == GENERATE
        ),
        None,
    )
    if detail is None:
        raise ReplayError(f"answer {identity}: the table steps lacks its generation; materialize answers again")
    prompt = ANSWER_PROMPTS.get(detail["prompt"])
    if prompt is None or prompt.version != detail["prompt_version"]:
        raise ReplayError(
            f"answer {identity} was written under prompt {detail['prompt_version']}, which this version of faithflow "
            "no longer has; materialize answers again"
        )
    kept = [row for row in retrievals if row["answer_id"] == identity and row["position"] is not None]
    evidence = [_piece(row) for row in sorted(kept, key=lambda row: row["position"])]
    request = answer_request(question, evidence, prompt, generator, detail["params"], answer["repeat"], detail["ask"])
    if request.key() != answer["request_key"]:
        raise ReplayError(
            f"answer {identity}: its rows give another request than the one that wrote it; the question, the "
            f"generator ({generator.provider}, {generator.model}) or the rows are not those of that day"
        )
    return request


def _piece(row: Mapping[str, Any]) -> Evidence:
    return Evidence(
        label=row["label"],
        cite_as=row["cite_as"],
        source=row["source"],
        title=row["title"],
        date=row["date"],
        reference=row["reference"],
        text=row["text"],
        links=tuple(row["links"]),
    )
