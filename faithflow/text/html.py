"""HTML to plain text: what a reader sees, block by block.

The parser hands over tags and text as they come and builds no tree, so that a page nested a hundred thousand deep
costs what its length costs.
"""

import html
import re
from typing import Literal

from faithflow.text.unicode import without_surrogates

_UNSEEN_TAGS = frozenset(
    [
        "audio",
        "canvas",
        "iframe",
        "noscript",
        "object",
        "script",
        "select",
        "style",
        "svg",
        "template",
        "title",
        "video",
    ]
)
_SECTIONS = ("address", "article", "aside", "body", "div", "footer", "header", "main", "nav", "section")
_FORMS = ("details", "dialog", "fieldset", "form", "legend", "summary")
_PARAGRAPHS = ("blockquote", "center", "figcaption", "figure", "hr", "p", "pre")
_HEADINGS = ("h1", "h2", "h3", "h4", "h5", "h6")
_LISTS = ("dd", "dl", "dt", "li", "ol", "ul")
_TABLES = ("caption", "table", "tbody", "td", "tfoot", "th", "thead", "tr")
_BLOCK_TAGS = frozenset((*_SECTIONS, *_FORMS, *_PARAGRAPHS, *_HEADINGS, *_LISTS, *_TABLES))
# Cells within cells deeper than this (pages laid out by tables, or hostile ones) are blocks like any other.
_MOST_NESTED_CELLS = 20

_ENTITY = re.compile(r"&(?:#\d{1,7}|#[xX][0-9a-fA-F]{1,6}|[A-Za-z][A-Za-z0-9]{1,31});")
_BREAK = re.compile(r"\n[^\S\n]*\n\s*")
# Characters that nobody sees and that would part words for a search: controls, soft hyphens, signs without width.
_UNSEEN_CHARACTERS = dict.fromkeys([*range(0x09), *range(0x0E, 0x20), *range(0x7F, 0xA0), 0xAD, 0x200B, 0x2060, 0xFEFF])

_Kind = Literal["block", "item", "row"]
_Block = tuple[_Kind, str]


def text_of_fragment(html: str) -> str:
    """The text of an HTML fragment or page, "" where it shows none.

    Blocks (paragraphs, headings, …) are parted by blank lines; list items are lines "- …", table rows lines with
    " | " between their cells, and neighbours of one kind follow each other without a blank line. A `br` is a line
    break, two of them part blocks. Entities are decoded, those escaped twice too; scripts, styles and comments are
    left out; white space is collapsed, no-break spaces included. Never raises, however broken the markup is.
    """
    page = _read(html)
    lines: list[str] = []
    before: _Kind = "block"
    for kind, text in page.blocks:
        if lines:
            lines.append("\n" if kind == before != "block" else "\n\n")
        lines.append(text)
        before = kind
    return "".join(lines)


def title_of(html: str) -> str:
    """The title of a page: its `title`, else its first `h1`; "" where it has neither. Never raises."""
    page = _read(html)
    return page.title or page.heading


def _read(markup: str) -> "_Page":
    from lxml.etree import HTMLParser, LxmlError

    page = _Page()
    parser = HTMLParser(target=page, huge_tree=True)
    try:
        parser.feed(without_surrogates(markup))
        parser.close()
    except LxmlError:
        # markup without any element: what was read until then counts
        page.close()
    return page


class _Page:
    """Receives the parser's tags and text, and keeps the blocks that a reader sees."""

    def __init__(self) -> None:
        self.blocks: list[_Block] = []
        self.title = ""
        self.heading = ""
        self._pieces: list[str] = []
        self._unseen: list[str] = []
        self._preformatted = 0
        self._marker = False
        # of each open row the cells so far, and of each open cell the blocks around it
        self._rows: list[list[list[_Block]]] = []
        self._around: list[list[_Block]] = []
        self._rows_too_deep = 0

    def start(self, tag: str, attributes: object) -> None:
        if self._unseen or tag in _UNSEEN_TAGS:
            if tag in _UNSEEN_TAGS:
                self._unseen.append(tag)
            if tag == "title" and len(self._unseen) == 1:
                self._flush()
            return
        if tag == "br":
            self._pieces.append("\n")
        elif tag in _BLOCK_TAGS:
            self._flush()
            if tag == "pre":
                self._preformatted += 1
            elif tag == "li":
                self._marker = True
            elif tag == "tr":
                self._start_row()
            elif tag in ("td", "th") and len(self._around) < len(self._rows):
                self._around.append(self.blocks)
                self.blocks = []

    def end(self, tag: str) -> None:
        if self._unseen:
            if tag == self._unseen[-1]:
                self._unseen.pop()
                if tag == "title" and not self._unseen:
                    title = " ".join(" ".join(self._take()).split())
                    self.title = self.title or title
            return
        if tag not in _BLOCK_TAGS:
            return
        heading = self._flush()
        if tag == "h1" and not self.heading:
            self.heading = heading
        elif tag == "pre":
            self._preformatted = max(0, self._preformatted - 1)
        elif tag == "li":
            self._marker = False
        elif tag in ("td", "th"):
            self._end_cell()
        elif tag == "tr":
            self._end_row()

    def data(self, data: str) -> None:
        if self._unseen and self._unseen != ["title"]:
            return
        self._pieces.append(data if self._preformatted else re.sub(r"\s+", " ", data))

    def comment(self, text: str) -> None:
        """Comments are not shown."""

    def close(self) -> None:
        """The end of the page, where open rows and cells end too."""
        self._flush()
        self._rows_too_deep = 0
        while self._rows:
            self._end_cell()
            self._end_row()

    def _start_row(self) -> None:
        if len(self._rows) == _MOST_NESTED_CELLS == len(self._around):
            self._rows_too_deep += 1
            return
        self._end_row()
        self._rows.append([])

    def _end_row(self) -> None:
        if self._rows_too_deep:
            self._rows_too_deep -= 1
        elif len(self._around) < len(self._rows):
            self.blocks.extend(_row(self._rows.pop()))

    def _end_cell(self) -> None:
        if self._around and len(self._around) == len(self._rows) and not self._rows_too_deep:
            self._rows[-1].append(self.blocks)
            self.blocks = self._around.pop()

    def _take(self) -> list[str]:
        """The blocks of the text since the last boundary, each trimmed and with its white space collapsed."""
        text = "".join(self._pieces)
        self._pieces = []
        if not text.strip():
            return []
        text = _ENTITY.sub(_decoded, text).translate(_UNSEEN_CHARACTERS)
        blocks = (
            "\n".join(filter(None, (" ".join(line.split()) for line in part.split("\n"))))
            for part in _BREAK.split(text)
        )
        return [block for block in blocks if block]

    def _flush(self) -> str:
        """Close the block that is open; gives its text."""
        taken = self._take()
        for text in taken:
            self.blocks.append(("item", f"- {text}") if self._marker else ("block", text))
            self._marker = False
        return "\n".join(taken)


def _row(cells: list[list[_Block]]) -> list[_Block]:
    """A table row as one line; a row of one cell, which lays out a page more often than it tabulates, as its blocks."""
    filled = [cell for cell in cells if cell]
    if len(filled) < 2:
        return [block for cell in filled for block in cell]
    texts = (" ".join(text for _, text in cell).replace("\n", " ") for cell in filled)
    return [("row", " | ".join(texts))]


def _decoded(entity: re.Match[str]) -> str:
    return html.unescape(entity[0])
