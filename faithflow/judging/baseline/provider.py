"""A baseline behind the interface of a model's endpoint: asked, answered and recorded like any judge."""

import asyncio
import json
from collections.abc import Mapping
from typing import Any

from faithflow.errors import StudyError
from faithflow.identity import Json
from faithflow.judging.baseline.model import BASELINES, THRESHOLD, load_model
from faithflow.judging.baseline.scorer import Judgement, Piece, Scorer
from faithflow.judging.verdict import Label, Reason
from faithflow.llm.model import CallError, Reply, Request

PARAMETERS = ("threshold", "unsure_margin")
"""What `judge.params` of a study may set for a baseline; each a number from 0 to 1."""


def model_name(name: str) -> str:
    """A baseline's name with the first eight digits of its weights' hash: another model is another name.

    Raises StudyError if no baseline has the name.
    """
    if name not in BASELINES:
        raise StudyError(f"no baseline is called {name!r}: use {' or '.join(BASELINES)}")
    return f"{name}-{load_model(name).hash[:8]}"


class BaselineProvider:
    """Answers a judge's request with a scorer's judgements as JSON in the wire format; costs no tokens.

    `params` may set `threshold` and `unsure_margin`; without them THRESHOLD and the model's own margin hold.
    Raises StudyError if one is unknown or no number from 0 to 1.
    """

    def __init__(self, scorer: Scorer, params: Mapping[str, Json]) -> None:
        self._scorer = scorer
        self._threshold = _fraction(params, "threshold", THRESHOLD)
        self._margin = _fraction(params, "unsure_margin", scorer.model.unsure_margin)
        unknown = sorted(set(params) - set(PARAMETERS))
        if unknown:
            raise StudyError(f"a baseline takes {' and '.join(PARAMETERS)} as params, not {unknown[0]!r}")

    async def complete(self, request: Request, timeout_s: float) -> Reply:
        """Judge the claims in the last line of the last message. Raises CallError after `timeout_s` or if that line
        is no JSON object of the protocol."""
        material = _material(request)
        try:
            text = await asyncio.wait_for(asyncio.to_thread(self._answer, material), timeout_s)
        except TimeoutError as error:
            raise CallError(Reason.TIMEOUT, f"no verdicts within {timeout_s:g} s") from error
        model = self._scorer.model
        return Reply(text, "stop", f"{model.name}-{model.hash[:8]}", 0, 0)

    async def close(self) -> None:
        """Nothing is held open."""

    def _answer(self, material: Mapping[str, Any]) -> str:
        evidence = [Piece(str(item["id"]), str(item["text"])) for item in material["evidence"]]
        claims = [Piece(str(item["id"]), str(item["text"])) for item in material["claims"]]
        judgements = self._scorer.score(str(material["question"]), evidence, claims)
        return json.dumps({"verdicts": [self._verdict(judgement) for judgement in judgements]}, ensure_ascii=False)

    def _verdict(self, judgement: Judgement) -> dict[str, Json]:
        return {
            "id": judgement.claim_id,
            "verdict": self._label(judgement),
            "evidence": list(judgement.evidence_ids),
            "justification": judgement.reason,
            "confidence": round(judgement.probability, 6),
        }

    def _label(self, judgement: Judgement) -> str:
        if judgement.undecidable:
            return Reason.UNSURE.value
        # the rounded number is what the table shows, so it is also what decides
        distance = round(judgement.probability, 6) - self._threshold
        if abs(distance) < self._margin:
            return Reason.UNSURE.value
        if distance >= 0:
            return Label.SUPPORTED.value
        return Label.CONTRADICTED.value if judgement.contradicted else Label.NOT_IN_EVIDENCE.value


def _fraction(params: Mapping[str, Json], key: str, default: float) -> float:
    value = params.get(key, default)
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= 1:
        raise StudyError(f"params.{key} of a baseline must be a number from 0 to 1, not {value!r}")
    return float(value)


def _material(request: Request) -> Mapping[str, Any]:
    line = request.messages[-1].content.rstrip().rsplit("\n", 1)[-1] if request.messages else ""
    try:
        material = json.loads(line[line.index("{") :])
        if all(isinstance(material[key], list) for key in ("evidence", "claims")) and "question" in material:
            return material
    except (ValueError, KeyError, TypeError):
        pass
    raise CallError(
        Reason.PROVIDER_ERROR, "the last line of the last message is no JSON object with evidence and claims"
    )
