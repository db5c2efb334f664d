"""Requirement sets: items with an id of their own, and typed links between them."""

import graphlib
import re
from collections.abc import Iterable, Sequence

from faithflow.corpus.document import CorpusContent, Document, Link
from faithflow.errors import CorpusError

KIND = "requirement"
DERIVES_FROM = "derives_from"

# Links of these lead from the lower to the higher level; going round in a circle is a fault of the set.
_UPWARD = (DERIVES_FROM, "satisfies", "refines", "part_of")

_CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")
_OTHER = re.compile(r"[^a-z0-9]+")


def requirement(reference: str, title: str, text: str, topics: Iterable[str] = ()) -> Document:
    """One item as a document. One without a text has its title as text, so that it can be found and cited."""
    return Document(reference, KIND, title, text.strip() or title or reference, topics=tuple(filter(None, topics)))


def relation_slug(name: str, place: str) -> str:
    """A relation's name in lower case with underscores: "Derives from" and "derivesFrom" give derives_from.

    Raises CorpusError, with `place`, where no letter stands at its start.
    """
    slug = _OTHER.sub("_", _CAMEL.sub("_", name).lower()).strip("_")[:64]
    if not slug[:1].isalpha():
        raise CorpusError(f'{place}: "{name[:40]}" is no name of a relation; write one such as derives_from')
    return slug


def requirement_set(name: str, items: Sequence[Document], links: Iterable[Link]) -> CorpusContent:
    """The items and the links among them, each once; a link to an id that no item has is left out with a warning that
    names both ends, and a circle of upward links is warned of.

    Raises CorpusError where an id stands twice.
    """
    known: set[str] = set()
    for item in items:
        if item.reference in known:
            raise CorpusError(f"{name}: the id {item.reference} stands twice; ids must be unique")
        known.add(item.reference)
    kept: list[Link] = []
    warnings: list[str] = []
    for link in dict.fromkeys(links):
        missing = [end for end in (link.source, link.target) if end not in known]
        if missing:
            lacking = " and ".join(missing)
            warnings.append(
                f"{name}: {link.source} {link.relation} {link.target}: no item has the id {lacking}; link left out"
            )
        else:
            kept.append(link)
    warnings += [f"{name}: {circle}" for circle in _circles(kept)]
    return CorpusContent(tuple(items), tuple(kept), warnings=tuple(warnings))


def _circles(links: Sequence[Link]) -> Iterable[str]:
    """One circle of each upward relation that has any."""
    for relation in _UPWARD:
        order: graphlib.TopologicalSorter[str] = graphlib.TopologicalSorter()
        for link in links:
            if link.relation == relation:
                order.add(link.source, link.target)
        try:
            order.prepare()
        except graphlib.CycleError as error:
            # the library names each node after the one that it depends on: the links read backwards
            circle = list(reversed(error.args[1]))
            yield f"{relation} goes in a circle: {' → '.join(circle)}"
