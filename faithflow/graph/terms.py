"""What a question asks the graph for: its search terms, and the facts that they match, best first (seed 000, 3.2)."""

import math
import re
from collections import Counter
from collections.abc import Iterable, Sequence

from faithflow.graph.model import Fact
from faithflow.graph.names import relation_words, without_possessive
from faithflow.text.languages import guess_language, is_function_word
from faithflow.text.numbers import NUMBER_PATTERN
from faithflow.text.tokens import Kind, fold, tokenize

# More terms than any sensible question has; a pasted text is cut here, its longest terms kept.
_MOST_TERMS = 24
# A shorter word stands inside too many names ("eu" in "museum").
_SHORTEST = 3

_QUOTED = re.compile(r"[\"“„«]([^\"“”„«»]{2,120})[\"”“»]|(?<!\w)['‘]([^'‘’]{2,120})['’](?!\w)")
_CODE = re.compile(r"(?<![\w/])(?:\w+(?:[-/.()]+\w+)+\)?|[A-Z]+\d\w*|\d+[A-Z]+(?!\w))")
_DIGIT = re.compile(r"\d")
_LETTER = re.compile(r"[A-Za-z/]")
_UNIT = (
    r"%|‰|°[CF]|km/h(?!\w)|€|\$|£|(?:EUR|USD|GBP|percent|per cent|euros?|dollars?|pounds?|tonnes?|tons?|"
    r"kilomet(?:re|er)s?|met(?:re|er)s?|miles?|hectares?|years?|months?|weeks?|days?|hours?|minutes?|seconds?|"
    r"[kMGT]?W(?:h)?|[kmµn]?[mgsV]|[kMG]?Hz|[kMGT]i?B|ft|lbs?|kt)(?![\w/])"
)
_QUANTITY = re.compile(rf"(?<![\w/.,])[€$£]?{NUMBER_PATTERN}(?:[ \u00a0\u202f-]?(?:{_UNIT}))?")
_CAPITAL = r"[^\W\d_a-zà-öø-ÿ][\w’'&.-]*(?<![.'’-])"
_LINK = r"(?:of|for|and|on|the|de|des|du|del|della|di|da|la|le|von|van|der|den|und|für|et|y|e)"
_NAME = re.compile(rf"(?<!\w){_CAPITAL}(?:(?:\s+{_LINK}){{0,2}}\s+{_CAPITAL})*")
_JOINT = re.compile(r"\s+(?:and|und|et|y|e)\s+|(?<=\w)['’]s\s+")


def search_terms(question: str) -> tuple[str, ...]:
    """What to look up in the graph: quoted words, identifiers, numbers with their units, spans of capitalised words,
    and every word that carries content; in lower case, the longest first, at most 24.

    Terms are searched as substrings, so a word of fewer than three letters is a term only where there is no other.
    """
    language = guess_language([question])
    found = [quoted or single for quoted, single in _QUOTED.findall(question)]
    found += filter(_is_identifier, _CODE.findall(question))
    # the pieces of an identifier are no terms of their own
    rest = _CODE.sub(lambda code: " " if _is_identifier(code.group()) else code.group(), question)
    found += _QUANTITY.findall(rest)
    for name in filter(_begins_upper, _NAME.findall(rest)):
        found += (_bare(part, language) for part in (name, *_JOINT.split(name)))
    found += (t.surface for t in tokenize(rest, language) if not t.function and t.kind is not Kind.NUMBER)
    terms = dict.fromkeys(filter(None, (without_possessive(" ".join(term.split()).lower()) for term in found)))
    long = [term for term in terms if len(term) >= _SHORTEST or not term.isascii()]
    return tuple(sorted(long or terms, key=lambda term: (-len(term), term)))[:_MOST_TERMS]


def _is_identifier(code: str) -> bool:
    """IP/26/1900, SRD-012 or 2016/679, but no AND/OR and no 3.1.2."""
    return bool(_DIGIT.search(code) and _LETTER.search(code))


def _begins_upper(name: str) -> bool:
    """Not so in scripts without case, whose whole sentences would be one name."""
    return name[0].isupper()


def _bare(span: str, language: str) -> str:
    """A span of capitalised words without the "Which" or "The" that a sentence began with, or what trails it."""
    words = span.split()
    while words and is_function_word(fold(words[0]), language):
        del words[0]
    while words and is_function_word(fold(words[-1]), language):
        del words[-1]
    return " ".join(words)


def compared_relation(relation: str) -> str:
    """What terms are compared with in a relation: its name in lower case, and the same as words."""
    return f"{relation.lower()}\n{relation_words(relation)}"


def matched_terms(terms: Iterable[str], source: str, relation: str, target: str) -> tuple[str, ...]:
    """The terms (lower case) that stand in a fact's ends or in its relation."""
    texts = (source.lower(), compared_relation(relation), target.lower())
    return tuple(term for term in terms if any(term in text for text in texts))


def ranked_facts(facts: Sequence[Fact], terms: Sequence[str]) -> list[Fact]:
    """The facts in the order of what their terms say: each weighs the logarithm of how rare it is among these facts
    (inverse document frequency, Spärck Jones 1972), so that the name in every fact counts least. Equal ones stay in
    the order given."""
    weighed = frozenset(terms)
    frequency = Counter(term for fact in facts for term in fact.matched)
    weights = {term: math.log1p(len(facts) / count) for term, count in frequency.items() if term in weighed}
    return sorted(facts, key=lambda fact: -math.fsum(weights.get(term, 0.0) for term in fact.matched))
