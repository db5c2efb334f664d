"""Names of things as they are compared: what differs only in spelling is one name, what differs in a number is not."""

import re
import unicodedata
from functools import lru_cache

from faithflow.text.languages import word_set
from faithflow.text.tokens import fold

_ARTICLE = re.compile(r"^(?:the|an?)\s+(?=\S)", re.IGNORECASE)
_POSSESSIVE = re.compile(r"(?<=\w)(?:['’]s|(?<=s)['’])$", re.IGNORECASE)
_OUTER = ' \t\n"“”„«»‘`,;:'
_QUOTED = re.compile(r"['‘](.+)['’]")
_DIGIT = re.compile(r"\d")
_PUNCTUATION = re.compile(r"[^\w&+#]+|_+")
_WORD = re.compile(r"[^\W_]+")
_LINKING = word_set("of the and for in on to a an de des du la le les et für der die das und y e")
_ACRONYM = re.compile(r"(?=(?:[^A-Z]*[A-Z]){2})[A-Z][A-Za-z&]{1,9}(?:\.?)")
_DOTTED = re.compile(r"(?:[A-Z]\.){2,}")
_NOT_WORD = re.compile(r"[^A-Za-z0-9]+")
_CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")

RELATION = re.compile(r"[A-Za-z][A-Za-z0-9_]{0,63}")
"""What a relation of the graph looks like."""

UNNAMED = "RELATED_TO"
"""The relation where the words that name it hold no letter of the Latin alphabet."""


def tidy(name: str) -> str:
    """A name with single blanks and without the quotes and marks around it; as it was where nothing would stay."""
    spaced = " ".join(name.split())
    quoted = _QUOTED.fullmatch(spaced)
    spaced = quoted[1] if quoted else spaced
    return spaced.strip(_OUTER) or spaced


def without_article(name: str) -> str:
    """A name without the English article before it."""
    return _ARTICLE.sub("", name, count=1)


def without_possessive(name: str) -> str:
    """A name without the 's (or the apostrophe after an s) at its end."""
    return _POSSESSIVE.sub("", name)


def folded(name: str) -> str:
    """A name without what case, accents, compatibility forms and white space add to it."""
    return fold(" ".join(name.split()))


@lru_cache(maxsize=65536)
def name_key(name: str) -> str:
    """What two spellings of one name share: case, accents, articles, possessives and punctuation are set aside.

    A name with a digit keeps all marks inside it ("1.5" is not "15", "5%" is not "5"), so that no two numbers, dates
    or references have one key.
    """
    bare = without_possessive(without_article(tidy(name)))
    text = folded(bare)
    if _DIGIT.search(text):
        return text
    return " ".join(_PUNCTUATION.sub(" ", text).split()) or text


def is_acronym(name: str) -> bool:
    """Whether a name is written as an abbreviation of initials: two capitals or more, no blank, no digit."""
    bare = without_article(tidy(name))
    return bool(_DOTTED.fullmatch(bare) or (_ACRONYM.fullmatch(bare) and not bare[1:].islower()))


def acronym_letters(name: str) -> str:
    """The letters of an acronym in lower case: "the E.C." gives "ec"."""
    return folded(without_article(tidy(name)).replace(".", "").replace("&", ""))


@lru_cache(maxsize=65536)
def initials(name: str) -> frozenset[str]:
    """The abbreviations that a name of several words may have: initials of all its words, and of all but the linking
    ones ("of", "the", "and" …). Empty for a name of one word, of more than ten, or with a digit."""
    words = _WORD.findall(folded(without_possessive(without_article(tidy(name)))))
    if not 2 <= len(words) <= 10 or _DIGIT.search(name):
        return frozenset()
    content = "".join(word[0] for word in words if word not in _LINKING)
    return frozenset(letters for letters in ("".join(word[0] for word in words), content) if len(letters) > 1)


def relation_name(words: str) -> str:
    """UPPER_SNAKE_CASE of a relation's words, as RELATION allows it: "was founded by" gives WAS_FOUNDED_BY."""
    parts = _NOT_WORD.split(_CAMEL.sub(" ", without_accents(words)))
    slug = "_".join(part.upper() for part in parts if part).lstrip("0123456789_")[:64].rstrip("_")
    return slug or UNNAMED


def without_accents(words: str) -> str:
    """Words in ASCII letters where they are Latin with accents, their case kept."""
    return "".join(c for c in unicodedata.normalize("NFKD", words) if not unicodedata.combining(c))


def relation_words(relation: str) -> str:
    """A relation in words: FOUNDED_BY gives "founded by"."""
    return relation.replace("_", " ").lower()
