"""The blocks of plain or Markdown text: headings, list items, table rows, code, rules and paragraphs."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum

from faithflow.text.abbreviations import MONTHS
from faithflow.text.scripts import trim


class BlockKind(StrEnum):
    """What a block is. A paragraph may still be a title in its own words: that is the claims' business."""

    PARAGRAPH = "paragraph"
    ITEM = "item"
    HEADING = "heading"
    TABLE_HEADER = "table_header"
    TABLE_ROW = "table_row"
    CODE = "code"
    RULE = "rule"


@dataclass(frozen=True, slots=True)
class Block:
    """A block's characters `start` to `end`, its own marker included.

    `body` is where the content begins behind the marker (bullet, number, `#`, `>`); `indent` counts the blanks before
    the block on its line.
    """

    kind: BlockKind
    start: int
    body: int
    end: int
    indent: int = 0


@dataclass(frozen=True, slots=True)
class _Line:
    start: int
    body: int
    end: int
    indent: int
    hard_break: bool


_QUOTE = re.compile(r"(?:>[ \t]?){1,20}")
_HEADING = re.compile(r"#(?:#{0,5}[ \t]+|#{1,5}(?=[^#\s]))")
_FENCE = re.compile(r"(`{3,}|~{3,})[ \t]*([^\s`]*)[^`]*$")
_PROSE_FENCES = frozenset({"markdown", "md", "text", "txt", "plaintext", "plain"})
_MARKER = re.compile(
    r"(?:[-*+•◦▪▫‣⁃●○■□∙·–—➢➤►▶✓✔✗✘❌✅]"
    r"|\(?(?:\d{1,3}|[A-Za-z]|[ivxIVX]{1,5}|[α-ω]|[а-я])[.)]"
    r"|\d{1,2}(?:\.\d{1,2}){1,3}\.?)[ \t\u00a0\u3000]+(?:\[[ xX]\][ \t]+)?"
    r"|\d{1,2}[.)](?=[^\W\d_]{2})"
    r"|(?:[0-9０-９]{1,3}[、．]|[一二三四五六七八九十]{1,3}、|[（(][一二三四五六七八九十]{1,3}[)）]|[①-⓿・])"
    r"[ \t\u3000]*"
)
_DATE_MARKER = re.compile(r"\d{1,2}\.[ \t\u00a0]*([^\W\d_]+)")
_BOLD_MARKER = re.compile(r"\*\*\(?(?:\d{1,3}|[A-Za-z]|[ivx]{1,5})[.)]\*\*[ \t]+")
_WORD = re.compile(r"[^\s]+")
_LOWER = re.compile(r"[\"'“‘«(\[*_]{0,4}[^\W\d_]")
_ENDED = re.compile(r"[.!?…。！？।۔؟։;；:：][\"'”’»)\]*_]*$")


def blocks_of(text: str) -> list[Block]:
    """The blocks of `text` in order, disjoint, trimmed of blanks; every character that is no blank lies in one.

    A code fence is one block when it is closed and not labelled as prose (an open one would swallow the rest); the
    lines of a paragraph are one block only where they are wrapped lines of one running text.
    """
    lines = _lines(text)
    return list(_blocks(text, lines, _closings(text, lines)))


def _lines(text: str) -> list[_Line | None]:
    """The lines of the text; None stands for a blank one."""
    found: list[_Line | None] = []
    position = 0
    for raw in text.splitlines(keepends=True):
        start, end = trim(text, position, position + len(raw))
        if start >= end:
            found.append(None)
        else:
            quote = _QUOTE.match(text, start, end)
            body = quote.end() if quote and quote.end() < end else start
            hard = text[end : end + 2] == "  " or text[end - 1] == "\\"
            found.append(_Line(start, body, end, start - position, hard))
        position += len(raw)
    return found


def _closings(text: str, lines: list[_Line | None]) -> list[tuple[int, int]]:
    """For each line: the longest closing fence of backticks and of tildes on a later line (0: none)."""
    closings = [(0, 0)] * len(lines)
    ticks = tildes = 0
    for i in range(len(lines) - 1, -1, -1):
        closings[i] = (ticks, tildes)
        line = lines[i]
        if line is None or text[line.body] not in "`~":
            continue
        content = text[line.body : line.end]
        if len(content) >= 3 and not content.strip(content[0]):
            ticks = max(ticks, len(content)) if content[0] == "`" else ticks
            tildes = max(tildes, len(content)) if content[0] == "~" else tildes
    return closings


def _blocks(text: str, lines: list[_Line | None], closings: list[tuple[int, int]]) -> Iterator[Block]:
    i = 0
    in_table = False
    while i < len(lines):
        line = lines[i]
        if line is None:
            in_table = False
            i += 1
            continue
        after = lines[i + 1] if i + 1 < len(lines) else None
        fence = _FENCE.match(text, line.body, line.end) if text[line.body] in "`~" else None
        if fence is not None:
            closed = closings[i][0 if fence[1][0] == "`" else 1] >= len(fence[1])
            if closed and fence[2].lower() not in _PROSE_FENCES:
                last = _fence_end(text, lines, i, fence[1])
                closing = lines[last]
                yield Block(BlockKind.CODE, line.start, line.body, closing.end if closing else line.end, line.indent)
                i = last + 1
                continue
            yield Block(BlockKind.RULE, line.start, line.body, line.end, line.indent)
        elif after is not None and "|" in text[line.body : line.end] and _is_table_rule(text, after):
            yield Block(BlockKind.TABLE_HEADER, line.start, line.body, after.end, line.indent)
            in_table = True
            i += 2
            continue
        elif _is_rule(text, line):
            yield Block(BlockKind.RULE, line.start, line.body, line.end, line.indent)
        elif text[line.body] == "|" or (in_table and "|" in text[line.body : line.end]):
            yield Block(BlockKind.TABLE_ROW, line.start, line.body, line.end, line.indent)
        elif heading := _HEADING.match(text, line.body, line.end):
            yield Block(BlockKind.HEADING, line.start, heading.end(), line.end, line.indent)
        elif after is not None and _is_underline(text, after) and _is_title_like(text, line):
            yield Block(BlockKind.HEADING, line.start, line.body, after.end, line.indent)
            i += 2
            continue
        else:
            stop = _prose_end(text, lines, i)
            run = [prose for prose in lines[i:stop] if prose is not None]
            yield from _prose(text, run)
            in_table = False
            i = stop
            continue
        i += 1


def _fence_end(text: str, lines: list[_Line | None], opening: int, mark: str) -> int:
    """The index of the line that closes a fence; the caller knows that there is one."""
    for i in range(opening + 1, len(lines)):
        line = lines[i]
        if line is not None and text.startswith(mark, line.body):
            content = text[line.body : line.end]
            if not content.strip(mark[0]):
                return i
    return opening


def _is_rule(text: str, line: _Line) -> bool:
    content = text[line.body : line.end]
    return content[0] in "-*_=" and len(content) >= 3 and not content.replace(" ", "").strip(content[0])


def _is_underline(text: str, line: _Line) -> bool:
    content = text[line.body : line.end]
    return content[0] in "=-" and len(content) >= 3 and not content.strip(content[0])


def _is_table_rule(text: str, line: _Line) -> bool:
    content = text[line.body : line.end]
    return "-" in content and "|" in content and not content.strip("|-: \t")


def _is_title_like(text: str, line: _Line) -> bool:
    content = text[line.body : line.end]
    return len(content) <= 100 and not _ENDED.search(content[-8:]) and _marker_end(text, line) == line.body


def _marker_end(text: str, line: _Line) -> int:
    """Where a list item's content begins; the line's body where it is no item."""
    match = _MARKER.match(text, line.body, line.end) or _BOLD_MARKER.match(text, line.body, line.end)
    if match is None:
        return line.body
    date = _DATE_MARKER.match(text, line.body, line.end)
    return line.body if date and date[1].lower() in MONTHS else match.end()


def _prose_end(text: str, lines: list[_Line | None], first: int) -> int:
    """The index behind the last of the consecutive lines that are prose: no blank, heading, rule, fence or table."""
    i = first + 1
    while i < len(lines):
        line = lines[i]
        after = lines[i + 1] if i + 1 < len(lines) else None
        if line is None or text[line.body] in "|#" or _is_rule(text, line) or _FENCE.match(text, line.body, line.end):
            break
        if after is not None and "|" in text[line.body : line.end] and _is_table_rule(text, after):
            break
        if after is not None and _is_underline(text, after) and _is_title_like(text, line):
            break
        i += 1
    return i


def _prose(text: str, run: list[_Line]) -> Iterator[Block]:
    width = max(line.end - line.body for line in run)
    wrapped = len(run) > 1 and 40 <= width <= 130 and _ENDED.search(text[run[-1].end - 8 : run[-1].end]) is not None
    first = run[0]
    body = _marker_end(text, first)
    last = first
    for line in run[1:]:
        marker = _marker_end(text, line)
        if marker == line.body and _continues(text, last, line, width if wrapped else 0):
            last = line
            continue
        yield _prose_block(first, body, last.end)
        first, body, last = line, marker, line
    yield _prose_block(first, body, last.end)


def _prose_block(line: _Line, body: int, end: int) -> Block:
    kind = BlockKind.ITEM if body > line.body else BlockKind.PARAGRAPH
    return Block(kind, line.start, body, end, line.indent)


def _continues(text: str, above: _Line, line: _Line, width: int) -> bool:
    """Whether a line goes on with the sentence of the line above. `width`: of wrapped prose, else 0."""
    tail = text[max(above.body, above.end - 8) : above.end]
    if above.hard_break or text[line.body] in "*" or (_ENDED.search(tail) and not width):
        return False
    begin = _LOWER.match(text, line.body, line.end)
    if begin is not None and begin[0][-1].islower() and not _ENDED.search(tail):
        return True
    if tail.endswith((",", "،", "、", "，")):
        return True
    if width == 0 or " " not in text[above.body : above.end]:
        return False
    word = _WORD.match(text, line.body, line.end)
    filled = above.end - above.body + (0 if _ENDED.search(tail) else width // 4)
    return filled + 1 + (len(word[0]) if word else 0) > width
