"""`adaptive_v1`: rules on the question's words choose one of four architectures (seed 004, section 3.1).

The seed names the features (ids, keywords, length: section 3.4) and leaves the rules open; these are ours, made for
the structure of the questions and fitted to no data.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass

from faithflow.identity import Json
from faithflow.pipelines.model import PipelineKey

_ID = re.compile(
    r"\b[A-Z][A-Z0-9]{1,9}(?:[-_][A-Z0-9]{1,9})*[-_]\d{1,6}(?:\.\d{1,4})*\b|\b[A-Z]{2,10}/\d{2,4}/\d{1,6}\b"
)
_LINK = re.compile(
    r"\b(?:deriv|satisf|trac|verif|implement|allocat|refin|refer|link|depend|parent|child|upstream|downstream)\w*",
    re.IGNORECASE,
)
_CHAIN = re.compile(
    r"\b(?:chains?|in turn|transitive\w*|indirect\w*|ultimately|end to end|end-to-end|all the way|through which"
    r"|via|across (?:all )?levels|(?:top|system|high)[- ]level)\b",
    re.IGNORECASE,
)
_SEVERAL = re.compile(
    r"\b(?:both|compar\w+|differ\w*|versus|vs|respectively|as well as|each of|which of|more than|less than|also)\b",
    re.IGNORECASE,
)
_NESTED = re.compile(
    r"\b(?:of|by|in|from|at|with) the \w+(?: \w+){0,3} (?:that|who|which|whose|where)\b|\bwhose\b"
    r"|\bof the \w+(?: \w+){0,2} of\b|['’]s \w+(?: \w+)?['’]s\b",
    re.IGNORECASE,
)
# Questions longer than this hold more than one thing to find.
_LONG = 22


@dataclass(frozen=True, slots=True)
class Choice:
    """The architecture for a question, the rule that chose it and what the rule looked at."""

    pipeline: PipelineKey
    rule: str
    features: Mapping[str, Json]


def choose_pipeline(question: str) -> Choice:
    """Choose by the first rule that holds.

    Ids with words of a chain, or two ids: typed links over several hops (`agentic_graph`). One id with a word of a
    link: its neighbours (`graphrag`). An id alone: the passage itself (`vanilla`). Without an id: a nested relation
    is a short chain (`graphrag`); several things asked, or many words, want several searches (`agentic`); else
    `vanilla`.
    """
    features: dict[str, Json] = {
        "ids": len(set(_ID.findall(question))),
        "link": _LINK.search(question) is not None,
        "chain": _CHAIN.search(question) is not None,
        "several": _SEVERAL.search(question) is not None,
        "nested": _NESTED.search(question) is not None,
        "words": len(question.split()),
    }
    ids, words = len(set(_ID.findall(question))), len(question.split())
    if ids > 1 or (ids and features["chain"]):
        return Choice("agentic_graph", "ids in a chain", features)
    if ids and features["link"]:
        return Choice("graphrag", "an id and its links", features)
    if ids:
        return Choice("vanilla", "an id alone", features)
    if features["nested"]:
        return Choice("graphrag", "a nested relation", features)
    if features["several"] or words > _LONG:
        return Choice("agentic", "several things asked", features)
    return Choice("vanilla", "one thing asked", features)
