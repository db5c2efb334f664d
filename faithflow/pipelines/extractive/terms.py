"""The terms of a text: stems, numbers and whole identifiers, and the terms that are written like names."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from faithflow.judging.baseline.evidence import keys_of
from faithflow.judging.baseline.signals import is_date_part
from faithflow.text.tokens import Kind, Token, tokenize

# SRD-012, IP/26/0101, REQ-TRAQ-SWH-3, COVID-19: one term each, so that SRD-012 is not found in SRD-120.
_IDENTIFIER = re.compile(r"\b[^\W\d_][^\W_]*(?:[-_/][^\W_]+)*[-_/]\d+(?:\.\d+)*(?![\w-])")
_CURRENCIES = frozenset(["EUR", "USD", "GBP", "CHF", "JPY", "CNY", "SEK", "NOK", "DKK", "PLN"])


@dataclass(frozen=True, slots=True)
class Terms:
    """What a text is compared by. `content` holds every term; `identifiers`, `names`, `numbers` and `dates` are those
    of its terms that are such. A number has a term for each way to read it."""

    content: frozenset[str]
    identifiers: frozenset[str] = frozenset()
    names: frozenset[str] = frozenset()
    numbers: frozenset[str] = frozenset()
    dates: frozenset[str] = frozenset()

    @property
    def entities(self) -> frozenset[str]:
        """What may link one text to another."""
        return self.identifiers | self.names


NO_TERMS = Terms(frozenset())


@lru_cache(maxsize=16_384)
def terms_of(text: str, language: str) -> Terms:
    """The terms of a text. A name has a capital, and if it opens the text so has the word behind it; or it is in
    capitals throughout, and no currency."""
    identifiers = frozenset(f"#{each.upper()}" for each in identifiers_in(text))
    content, names, numbers, dates = set[str](identifiers), set[str](), set[str](), set[str]()
    rest = _IDENTIFIER.sub(" ; ", text) if identifiers else text
    tokens = tokenize(rest, language)
    for place, token in enumerate(tokens):
        keys = keys_of(token)
        if is_date_part(token):
            dates |= keys
        elif token.kind is Kind.NUMBER:
            numbers |= keys
        elif _is_name(tokens, place):
            names |= keys
        if not token.function:
            content |= keys
    return Terms(frozenset(content), identifiers, frozenset(names), frozenset(numbers), frozenset(dates))


def identifiers_in(text: str) -> tuple[str, ...]:
    """The identifiers in a text as they are written, each once, in their order."""
    return tuple(dict.fromkeys(_IDENTIFIER.findall(text)))


def names_in(text: str, language: str) -> tuple[str, ...]:
    """The identifiers and the words of names in a text as they are written, each once, in their order."""
    found = dict.fromkeys(identifiers_in(text))
    tokens = tokenize(_IDENTIFIER.sub(" ; ", text), language)
    found |= dict.fromkeys(token.surface for place, token in enumerate(tokens) if _is_name(tokens, place))
    return tuple(found)


def _is_name(tokens: Sequence[Token], place: int) -> bool:
    token = tokens[place]
    if token.kind is not Kind.WORD or token.function or is_date_part(token) or token.surface in _CURRENCIES:
        return False
    if len(token.surface) > 1 and token.surface.isupper():
        return True
    return token.capital and (place > 0 or (len(tokens) > 1 and tokens[1].capital))
