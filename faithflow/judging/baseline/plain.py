"""A claim without what says nothing of the world: list markers, citations, and talk about the evidence itself."""

import re

from faithflow.text.languages import word_set
from faithflow.text.plain import plain_text

_MARKER = re.compile(r"^\s*(?:[-*•–—+>#]+|\(?(?:\d{1,2}|[a-zA-Z])[.)])\s+")
_MENTION = re.compile(
    r"\b(?:passages?|contexts?|sources?|documents?|excerpts?|references?|citations?)\s*(?:#\s*)?\d{1,3}\b"
    r"(?:\s*(?:,|&|and|or|–|-)\s*(?:(?:passages?|contexts?|sources?|documents?)\s*)?\d{1,3}\b)*",
    re.IGNORECASE,
)

_TALK = word_set(
    "accord answer base brief conclud conclus context correct describ detail document evid exampl excerpt "
    "explain follow given help highlight hope import includ indic inform instruct list mention note overal "
    "passag pleas point provid question reader refer relev respons say show sourc specif state suggest sum "
    "summari sure text therefor thank unabl worth addit generally general furthermor moreov final first second "
    "third firstly secondly lastly main key"
)
"""Stems of English words by which an answer talks about itself, its order or its evidence."""

_EVIDENCE_NOUN = re.compile(
    r"\b(?:passages?|contexts?|excerpts?|documents?|sources?|texts?|evidence|"
    r"(?:provided|given) (?:information|articles?))"
    r"\b",
    re.IGNORECASE,
)
_DENIAL = re.compile(r"\b(?:not|no|n't|without|unable|cannot|insufficient|lacks?|fails? to)\b|n['’]t\b", re.IGNORECASE)


def plain_claim(text: str) -> str:
    """The claim without its list marker, citations, link targets and emphasis marks."""
    return _MARKER.sub("", _MENTION.sub(" ", plain_text(text)))


def is_talk(key: str, language: str) -> bool:
    """Whether a stem is talk about the answer or its evidence rather than content (English alone has a list)."""
    return language == "en" and key in _TALK


def denies_evidence(text: str) -> bool:
    """Whether a claim says that the evidence does not say something: no overlap of words can tell if that is so."""
    return bool(_EVIDENCE_NOUN.search(text)) and bool(_DENIAL.search(text))
