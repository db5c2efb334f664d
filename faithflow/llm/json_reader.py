"""Reading JSON that a language model wrote: strictly first, then tolerantly, never by guessing a value.

Tolerated: code fences, `<think>` blocks, text around the object, raw control characters inside strings. The last
object outside a `<think>` block that passes the caller's check wins. Nothing is ever evaluated as code.
"""

import json
from collections.abc import Callable, Iterator
from typing import Any, cast

# `strict=False` lets raw newlines and tabs stand inside strings
_DECODER = json.JSONDecoder(strict=False)
_OPEN, _CLOSE = "<think>", "</think>"

# Each failing start costs one scan of the rest, so a hostile reply of opening braces is bounded here.
_MAX_FAILED_STARTS = 500


def read_object(text: str, is_valid: Callable[[dict[str, Any]], bool]) -> dict[str, Any] | None:
    """The last JSON object in `text` that `is_valid` accepts; None where there is none."""
    found = [value for _, _, value in _final_objects(text) if is_valid(value)]
    return found[-1] if found else None


def has_object(text: str) -> bool:
    """Whether any JSON object at all can be read: tells a wrong schema from no JSON."""
    return any(True for _ in _final_objects(text))


def read_items(text: str, is_valid: Callable[[dict[str, Any]], bool]) -> list[dict[str, Any]]:
    """The objects that stand whole in a text whose outer object is cut or broken, in order.

    A reply that ran into its token limit after the sixth of twelve items still holds six whole items.
    """
    return [value for _, _, value in _final_objects(text) if is_valid(value)]


def _final_objects(text: str) -> list[tuple[int, int, dict[str, Any]]]:
    """Each outermost readable object with its span, drafts inside `<think>` left out."""
    spans = list(_objects(text))
    thought_until = 0
    at = text.find(_CLOSE)
    while at != -1:
        # the tag inside a string of an object is data, not a tag
        if not any(start < at < end for start, end, _ in spans):
            thought_until = at + len(_CLOSE)
        at = text.find(_CLOSE, at + 1)
    if thought_until == 0 and text.lstrip().startswith(_OPEN):
        return []
    return [span for span in spans if span[0] >= thought_until]


def _objects(text: str) -> Iterator[tuple[int, int, dict[str, Any]]]:
    at, failed = text.find("{"), 0
    while at != -1 and failed < _MAX_FAILED_STARTS:
        try:
            value, end = _DECODER.raw_decode(text, at)
        except (ValueError, RecursionError):
            failed += 1
            end = at + 1
        else:
            yield at, end, cast("dict[str, Any]", value)
        at = text.find("{", end)
