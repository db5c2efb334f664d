"""Whether a sentence says that the answer is not known, or that the evidence does not hold it.

"The passages do not mention the fee" abstains; "The Regulation does not mention fees" is a statement about a law. What
also asserts a fact of its own counts as a statement: it must be judged.
"""

import re

from faithflow.claims import abstention_english as english
from faithflow.claims.abstention_languages import abstains_elsewhere

_READ_AT_MOST = 2000


def is_abstention(sentence: str, previous: str = "") -> bool:
    """Whether a plain sentence abstains from answering. `previous` is the sentence before it ("They do not say so.").

    Read are the first 2,000 characters. English is known by its grammar, some thirty other languages by usual phrases.
    """
    sentence = sentence[:_READ_AT_MOST].strip()
    if abstains_elsewhere(sentence):
        return True
    return english.DENIES.search(sentence) is not None and _abstains_in_english(sentence, previous[:_READ_AT_MOST])


def _abstains_in_english(sentence: str, previous: str) -> bool:
    preamble = english.PREAMBLE.match(sentence)
    core = sentence[preamble.end() :] if preamble else sentence
    if english.LABEL.match(sentence) or english.LABEL.match(core) or english.INCONCLUSIVE.search(sentence):
        return True
    if english.HYPOTHETICAL.match(sentence):
        return False
    if english.SILENT_PRONOUN.match(core) and english.NAMES_EVIDENCE.search(previous):
        return True
    found = _first(core)
    if found is not None:
        return not _asserts_before(core[: found.start()], found) and not _asserts_after(core[found.end() :])
    # "Based on the passages, the cause is not stated.": the evidence was named before the core.
    was_named = preamble is not None and english.NAMED_BEFORE.match(sentence) is not None
    return was_named and english.UNTOLD_THING.match(core) is not None


def _first(core: str) -> re.Match[str] | None:
    found = [match for match in (pattern.search(core) for pattern in english.ABOUT_EVIDENCE) if match]
    return min(found, key=lambda match: match.start(), default=None)


def _asserts_before(prefix: str, found: re.Match[str]) -> bool:
    """Whether a clause before the abstaining one makes a statement of its own."""
    if found.re is english.SILENT_LATER:
        return english.REPORTS.search(found[0]) is not None
    boundaries = list(english.CLAUSE.finditer(prefix))
    clause = prefix[: boundaries[-1].start()] if boundaries else ""
    if len(clause.split()) < 3:
        return False
    return english.REPORTS.search(clause) is not None or english.NAMES_EVIDENCE.search(clause) is None


def _asserts_after(suffix: str) -> bool:
    """Whether the sentence turns to a statement of its own ("…, but the fee is EUR 5")."""
    turn = english.TURN.search(suffix)
    if turn is None or len(turn[1].split()) < 4:
        return False
    return english.STAYS_ON_EVIDENCE.match(turn[1]) is None
