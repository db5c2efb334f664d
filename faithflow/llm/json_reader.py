"""Reading JSON that a language model wrote: strictly first, then tolerantly, never by guessing a value.

Tolerated: code fences, blocks of thought, text around the object, raw control characters inside strings. The last
object outside a thought that passes the caller's check wins. An object that holds one key twice with two values says
nothing, and one that the model only copied from what it was shown is not its own. Nothing is ever evaluated as code.
"""

import json
import re
from bisect import bisect_right
from collections.abc import Callable, Iterator, Sequence
from typing import Any, cast

# Each failing start costs one scan of the rest, so a hostile reply of opening braces is bounded here.
_MAX_FAILED_STARTS = 500

# How reasoning models set their thoughts apart from the reply, as tags or as a channel of its own.
_TAG = r"\s*(?:think|thinking|thought|reasoning)\s*>"
_OPEN = re.compile(rf"\s*(?:<{_TAG}|(?:<\|start\|>assistant)?<\|channel\|>analysis)", re.IGNORECASE)
_CLOSE = re.compile(rf"</{_TAG}|<\|channel\|>final\s*<\|message\|>", re.IGNORECASE)


def read_object(
    text: str, is_valid: Callable[[dict[str, Any]], bool], shown: Sequence[str] = ()
) -> dict[str, Any] | None:
    """The last JSON object in `text` that `is_valid` accepts; None where there is none.

    `shown` are the texts that the model was given: an object that stands in one of them word for word is a quotation.
    """
    found = read_items(text, is_valid, shown)
    return found[-1] if found else None


def has_object(text: str) -> bool:
    """Whether any JSON object at all can be read: tells a wrong schema from no JSON."""
    return bool(_final_objects(text))


def read_items(
    text: str, is_valid: Callable[[dict[str, Any]], bool], shown: Sequence[str] = ()
) -> list[dict[str, Any]]:
    """The objects that stand whole in a text, also where an outer object around them is cut or broken, in order.

    A reply that ran into its token limit after the sixth of twelve items still holds six whole items.
    """
    return [
        value
        for start, end, value in _final_objects(text)
        if is_valid(value) and not any(text[start:end] in given for given in shown)
    ]


def without_thoughts(text: str) -> str:
    """What a model said after its thoughts; nothing where it never came to an end of them."""
    return text[_thought_until(text, list(_objects(text))) :]


def _final_objects(text: str) -> list[tuple[int, int, dict[str, Any]]]:
    """Each outermost readable object with its span, drafts in thoughts left out."""
    spans = list(_objects(text))
    until = _thought_until(text, spans)
    return [span for span in spans if span[0] >= until]


def _thought_until(text: str, spans: Sequence[tuple[int, int, dict[str, Any]]]) -> int:
    """Where the thoughts at the head of a reply end: 0 where there are none."""
    starts = [start for start, _, _ in spans]
    until = 0
    for tag in _CLOSE.finditer(text):
        # the tag inside a string of an object is data, not a tag
        before = bisect_right(starts, tag.start()) - 1
        if before < 0 or spans[before][1] <= tag.start():
            until = tag.end()
    return len(text) if until == 0 and _OPEN.match(text) else until


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


def _settled(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """An object of its pairs. Raises ValueError where a key has two values: which one is meant cannot be known."""
    value = dict(pairs)
    if len(value) < len(pairs) and any(value[key] != other for key, other in pairs):
        raise ValueError("a key with two values")
    return value


# `strict=False` lets raw newlines and tabs stand inside strings
_DECODER = json.JSONDecoder(strict=False, object_pairs_hook=_settled)
