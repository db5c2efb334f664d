"""Markdown and HTML marks taken off a sentence; its words stay as they are."""

import re

from faithflow.text.scripts import ZERO_WIDTH

# Markers that point to a retrieved source. A reference in words, "(GDPR, Article 33(1))", is content and stays.
SOURCE_MARKER = re.compile(
    r"[ \t\u00a0]{0,4}(?:"
    r"\[(?:\^?\d|(?:[^\W\d_]{1,14}[-_]){0,4}[^\W\d_]{1,14}[ ._#-]?\d)[^\[\]\n]{0,60}\](?:\([^()\s]{1,500}\))?"
    r"|【\d[^】\n]{0,40}】|(?<=[^\W\d_.!?])[¹²³⁰⁴-⁹]{1,4}(?!\w)|(?<=[.!?])[¹²³⁰⁴-⁹]{1,4}|<sup>[^<>]{1,20}</sup>"
    r"|\((?:see |cf\.? )?(?:passages?|contexts?|sources?|docs?|documents?|chunks?|evidence|refs?|snippets?)"
    r"[ #:]{0,3}\[?\d[^()\n]{0,80}\)"
    r"|\(?\[(?:sources?|refs?|references?|links?|quelle|fuente|fonte|источник|来源)[^\[\]\n]{0,80}\]\([^()\s]{1,500}\)\)?"
    r")",
    re.IGNORECASE,
)
_LINK = re.compile(r"!?\[([^\[\]\n]{0,500})\]\((?:[^()\s]|\([^()\s]{0,100}\)){0,1000}(?:[ \t]+\"[^\"\n]{0,200}\")?\)")
_TAG = re.compile(
    r"</?(?:a|b|i|u|s|em|strong|br|p|ul|ol|li|sup|sub|span|div|code|small|mark|h[1-6]|table|thead|tbody|tr|td|th)"
    r"\b[^<>]{0,1000}>",
    re.IGNORECASE,
)
_STARS = re.compile(r"(?<!\d)\*\*\*?|\*\*\*?(?!\d)|(?<![\w*])\*(?=[^\s*])|(?<=[^\s*])\*(?![\w*])|`")
_UNDERLINES = re.compile(r"(?<!\w)(_{1,2})(?=\S)([^_\n]{1,300})\1(?!\w)")
_QUOTED_LINE = re.compile(r"\n[ \t]*(?:>[ \t]?)+")
# Joiners stay: inside a word they shape the letters of Arabic and Indian scripts.
_UNSEEN = re.compile(f"[{ZERO_WIDTH.replace(chr(0x200C), '').replace(chr(0x200D), '')}]")


def plain_text(marked: str) -> str:
    """A sentence without emphasis, link targets, source markers and tags, its white space folded to single blanks."""
    text = _QUOTED_LINE.sub(" ", marked) if "\n" in marked else marked
    text = SOURCE_MARKER.sub("", text)
    text = _LINK.sub(r"\1", text)
    text = _TAG.sub(" ", text) if "<" in text else text
    text = _STARS.sub("", text)
    text = _UNDERLINES.sub(r"\2", text) if "_" in text else text
    return " ".join(_UNSEEN.sub("", text).split())


def plain_row(row: str) -> str:
    """A table row's cells, each as `plain_text`, between upright bars."""
    cells = [plain_text(cell) for cell in row.strip().strip("|").split("|")]
    return " | ".join(cell for cell in cells if cell)
