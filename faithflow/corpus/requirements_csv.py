"""Requirement sets as CSV: a table of items, and their links in a table of their own or in a column."""

from collections.abc import Sequence

from faithflow.corpus.document import CorpusContent, Document, Link
from faithflow.corpus.requirements import DERIVES_FROM, relation_slug, requirement, requirement_set
from faithflow.corpus.source import Record, SourceFile, csv_records
from faithflow.errors import CorpusError

_LINK_COLUMNS = ("source", "relation", "target")


def read_requirements_csv(files: Sequence[SourceFile]) -> CorpusContent:
    """Items from tables with the columns id, text and, where they are, title, level, module and links; links from
    tables with source, relation, target.

    A cell of `links` holds "relation target" pairs parted by ";" ("derives_from SYS-1; satisfies SYS-2"); a target
    alone is derived from. Level and module become the item's topics.
    Raises CorpusError with the line of what is missing.
    """
    items: list[Document] = []
    links: list[Link] = []
    for file in files:
        for record in csv_records(file):
            if all(name in record.fields for name in _LINK_COLUMNS):
                links.append(_link(record))
            elif "id" in record.fields:
                items.append(_item(record))
                links += _links(record)
            else:
                raise CorpusError(
                    f"{record.place}: neither an item (id, text, …) nor a link ({', '.join(_LINK_COLUMNS)}); "
                    f"it has: {list(record.fields)}"
                )
    name = ", ".join(file.name for file in files)
    if not items:
        raise CorpusError(f"{name}: no items; a table with the columns id and text is needed")
    return requirement_set(name, items, links)


def _cell(record: Record, name: str) -> str:
    return str(record.fields.get(name, "")).strip()


def _item(record: Record) -> Document:
    title, text = _cell(record, "title"), _cell(record, "text")
    if not title and not text:
        raise CorpusError(f"{record.place}: the item {_cell(record, 'id')} has neither a title nor a text")
    return requirement(_cell(record, "id"), title, text, (_cell(record, "level"), _cell(record, "module")))


def _link(record: Record) -> Link:
    source, relation, target = (_cell(record, name) for name in _LINK_COLUMNS)
    return Link(source, relation_slug(relation, record.place), target)


def _links(record: Record) -> list[Link]:
    links: list[Link] = []
    for pair in _cell(record, "links").split(";"):
        words = pair.replace(":", " ").split(None, 1)
        if len(words) == 2:
            links.append(Link(_cell(record, "id"), relation_slug(words[0], record.place), words[1].strip()))
        elif words:
            links.append(Link(_cell(record, "id"), DERIVES_FROM, words[0]))
    return links
