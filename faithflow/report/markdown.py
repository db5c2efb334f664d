"""Sections as GitHub Markdown."""

import re
from collections.abc import Sequence

from faithflow.report.tables import Cell, Section, Table

# what GitHub reads as markup; pipes would also end a cell
SPECIAL = re.compile(r"([\\`*_\[\]#|~$])")
BREAKS = re.compile(r"[\s  ]+")


def document(title: str, facts: Sequence[tuple[str, str]], lead: Sequence[str], sections: Sequence[Section]) -> str:
    """A whole document: title, facts, the answer in short, then the sections."""
    blocks = [f"# {escape(title)}", "\n".join(f"- {name}: {escape(value)}" for name, value in facts)]
    blocks += [escape(sentence) for sentence in lead]
    for section in sections:
        blocks.append(f"## {escape(section.title)}")
        blocks += [escape(sentence) for sentence in section.prose]
        blocks += [table_text(table) for table in section.tables]
        for detail in section.details:
            blocks.append(f"### {escape(detail.title)}")
            blocks += [escape(detail.prose), *(table_text(table) for table in detail.tables)]
    return "\n\n".join(blocks) + "\n"


def table_text(table: Table) -> str:
    """A table under its caption; drawn columns are left out."""
    kept = [index for index, column in enumerate(table.columns) if not column.drawn]
    head = [escape(table.columns[index].title) for index in kept]
    rule = ["---:" if table.columns[index].number else "---" for index in kept]
    rows = [[escape(_text(row[index])) for index in kept] for row in table.rows]
    lines = "\n".join(f"| {' | '.join(line)} |" for line in (head, rule, *rows))
    return f"**{escape(table.caption)}**\n\n{lines}"


def escape(text: str) -> str:
    """Text that GitHub shows as it stands, on one line."""
    flat = BREAKS.sub(" ", text).strip()
    marked = SPECIAL.sub(r"\\\1", flat.replace("&", "&amp;"))
    return marked.replace("<", "&lt;").replace(">", "&gt;")


def _text(cell: Cell) -> str:
    return cell.text
