"""Generated answers whose right verdicts are known: each is a function of its claim's text."""

import hashlib
import json
import random
from pathlib import Path

from faithflow.judging.verdict import STATEMENT_LABELS

_BODIES = ("agency", "council", "committee", "board", "inspectorate", "register")
_ACTS = ("published", "reviewed", "approved", "amended", "withdrew", "extended")
_THINGS = ("a plan", "a scheme", "a notice", "a standard", "a programme", "an inventory")
_FIELDS = ("harbours", "railways", "forests", "bridges", "orchards", "reservoirs", "quarries", "ferries")
_WHERE = ("under", "in", "with")
_PLACES = ("northern", "coastal", "alpine", "insular", "eastern", "rural")


def verdict_of(claim: str) -> str:
    """The verdict that the endpoint gives, and that must therefore stand in the table."""
    return STATEMENT_LABELS[hashlib.sha256(claim.encode()).digest()[0] % len(STATEMENT_LABELS)].value


def write_traces(path: Path, answers: int, claims: int = 6) -> Path:
    """A traces file of `answers` answers, `claims` sentences each, with about 1,500 characters of evidence."""
    with path.open("w", encoding="utf-8") as file:
        for number in range(answers):
            dice = random.Random(number)
            answer = " ".join(_sentence(dice, number, part) for part in range(claims))
            contexts = [{"id": f"d{number}-{n}", "text": _passage(dice, number, n)} for n in range(3)]
            trace = {
                "id": f"a{number:06d}",
                "question": f"What did the bodies of district {number} do about {dice.choice(_FIELDS)}?",
                "answer": answer,
                "contexts": contexts,
            }
            file.write(json.dumps(trace) + "\n")
    return path


def _sentence(dice: random.Random, number: int, part: int) -> str:
    who = f"the {dice.choice(_PLACES)} {dice.choice(_BODIES)} of district {number}"
    what = f"{dice.choice(_ACTS)} {dice.choice(_THINGS)} for {dice.choice(_FIELDS)}"
    return f"In {dice.randint(1990, 2024)} {who} {what} {dice.choice(_WHERE)} file {part}/{dice.randint(1, 999)}."


def _passage(dice: random.Random, number: int, context: int) -> str:
    text = ""
    while len(text) < 500:
        text += _sentence(dice, number, 10 + context) + " "
    return text[:500]
