"""Conflicts planted in supported claims: what share of them a baseline notices.

Labelled sets hold few plain contradictions. Here a supported claim has a number of its own changed, or a "not" set
after its first auxiliary verb; the claim as it was must stay without a conflict.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from benchmarks.baselines.data import Row

_NUMBER = re.compile(r"(?<![\d.,])\d{1,4}(?![\d.,]*\d)")
_AUXILIARY = re.compile(r"\b(?:is|are|was|were|can|will|may|must|shall|should|has|have)\b(?! not\b|n['’]t)")


@dataclass(frozen=True, slots=True)
class Planted:
    """Supported claims and the same claims with a conflict, side by side."""

    kind: str
    before: list[Row]
    after: list[Row]


def planted_numbers(rows: Sequence[Row]) -> Planted:
    """Each supported claim whose evidence holds one of its numbers, with that number raised by a third and one."""
    before: list[Row] = []
    after: list[Row] = []
    for row in rows:
        if not row.supported:
            continue
        evidence = " ".join(row.passages)
        for found in _NUMBER.finditer(row.claim):
            value = int(found.group())
            other = str(value + value // 3 + 1)
            if re.search(rf"(?<!\d){found.group()}(?!\d)", evidence) and other not in evidence:
                before.append(row)
                claim = row.claim[: found.start()] + other + row.claim[found.end() :]
                after.append(replace(row, claim=claim, supported=False))
                break
    return Planted("number", before, after)


def planted_negations(rows: Sequence[Row]) -> Planted:
    """Each supported claim with an auxiliary verb, with "not" after the first one."""
    before = [row for row in rows if row.supported and _AUXILIARY.search(row.claim)]
    after = [
        replace(row, claim=_AUXILIARY.sub(lambda found: f"{found.group()} not", row.claim, count=1), supported=False)
        for row in before
    ]
    return Planted("negation", before, after)
