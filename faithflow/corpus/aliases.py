"""The names of a trace's fields, and the names that other tools give to the same things."""

import difflib
from collections.abc import Iterable, Mapping

from faithflow.corpus.jsonl import LineError
from faithflow.identity import Json

FIELDS = (
    "id",
    "question",
    "answer",
    "contexts",
    "pipeline",
    "stratum",
    "repeat",
    "citations",
    "claims",
    "gold",
    "labels",
)

ALIASES = {
    # ragas
    "user_input": "question",
    "response": "answer",
    "retrieved_contexts": "contexts",
    # DeepEval
    "input": "question",
    "actual_output": "answer",
    "retrieval_context": "contexts",
}

GOLD_ALIASES = {
    "reference": "answer",
    "reference_contexts": "contexts",
    "ground_truth": "answer",
    "expected_output": "answer",
}


def settle(record: Mapping[str, Json]) -> tuple[dict[str, Json], list[str]]:
    """A record under faithflow's own field names, and the keys that are not known.

    Keys that begin with "_" are the user's own and are passed over. Names under GOLD_ALIASES become keys of `gold`.
    Raises LineError where a field and its alias both stand and differ.
    """
    fields: dict[str, Json] = {}
    gold: dict[str, Json] = {}
    source: dict[str, str] = {}
    unknown: list[str] = []
    for key, value in record.items():
        if key in FIELDS or key in ALIASES:
            _put(fields, source, ALIASES.get(key, key), key, value)
        elif key in GOLD_ALIASES:
            if value is not None:
                _put(gold, source, f"gold.{GOLD_ALIASES[key]}", key, value)
        elif not key.startswith("_"):
            unknown.append(key)
    if gold:
        fields["gold"] = _with_gold(fields.get("gold"), gold, source)
    return fields, unknown


def near(key: str, known: Iterable[str] = (*FIELDS, *ALIASES, *GOLD_ALIASES)) -> str | None:
    """The known name that a mistyped key most looks like, or None."""
    matches = difflib.get_close_matches(key.casefold().replace("-", "_"), list(known), n=1, cutoff=0.75)
    return matches[0] if matches else None


def _put(target: dict[str, Json], source: dict[str, str], name: str, key: str, value: Json) -> None:
    slot = name.removeprefix("gold.")
    other = target.get(slot)
    if other is not None:
        if value is not None and value != other:
            raise LineError(f'"{source[name]}" and "{key}" name the same field and differ; keep one')
        return
    source[name] = key
    target[slot] = value


def _with_gold(given: Json, aliased: Mapping[str, Json], source: Mapping[str, str]) -> Json:
    if given is None:
        return dict(aliased)
    if not isinstance(given, dict):
        return given
    for slot, value in aliased.items():
        if slot in given and given[slot] != value:
            raise LineError(f'"gold.{slot}" and "{source[f"gold.{slot}"]}" name the same field and differ; keep one')
    return {**given, **aliased}
