"""Noticing text in an answer or a passage that speaks to the judge instead of to the reader.

Such text is data all the same: it changes no verdict here. The flag lets a person look.
"""

import re

_PATTERNS = re.compile(
    r"""
      \[\s*/?\s*(?:end|begin|start)\s+(?:of\s+)?(?:data|context|evidence|answer|document|prompt|instructions?)\s*\]
    | <\s*/?\s*(?:system|assistant|instructions?|evidence|data)\s*>
    | <\|(?:im_start|im_end|endoftext|system|user|assistant)\|>
    | \b(?:ignore|disregard|forget|override)\b.{0,40}\b(?:previous|prior|above|earlier|all|your)\b.{0,40}
      \b(?:instructions?|rules?|prompts?|rubric|evidence)\b
    | \b(?:all|every|each)\b.{0,30}\b(?:claims?|statements?)?\s*(?:are|is|as)?\s*supported\b.{0,20}\bscore\b
    | \b(?:mark|label|rate|score|judge|treat|consider)\b.{0,30}\b(?:all|every|each|this|these|the)\b.{0,30}
      \b(?:claims?|statements?|answers?)\b.{0,30}\b(?:supported|faithful|correct|true|1)\b
    | \byou\s+are\s+(?:now\s+)?(?:a|an|the)\s+(?:judge|evaluator|grader|assistant|language\s+model)\b
    | "verdict"\s*:\s*"
    """,
    re.IGNORECASE | re.VERBOSE,
)

# Each pattern needs one of these: to look for them first takes a tenth of the time. They leave out the letter i, whose
# dotted capital and dotless forms the patterns read as i and case folding does not.
_HINTS = ("[", "<", "gnore", "regard", "forget", "overr", "supported", "cla", "statement", "answer", "you", "verd")


def suspects_injection(text: str) -> bool:
    """Whether a text holds words of the kind that try to steer a judge."""
    folded = text.casefold()
    return any(hint in folded for hint in _HINTS) and _PATTERNS.search(text) is not None
