"""Passages as a generator is shown them: in order, under local labels, each with the citation to write for it."""

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from urllib.parse import quote

from faithflow.identity import Json
from faithflow.retrieval.model import IndexedPassage, Source

# An id such as requirements have: SRD-012, REQ-TRAQ-SWH-3, DD_7.2. A file's name or a title is none.
_REQUIREMENT_ID = re.compile(r"[^\W\d_][^\W_]*(?:[-_][^\W_]+)*[-_]\d+(?:\.\d+)*[a-z]?")
_WEB_ADDRESS = re.compile(r"https?://[^\s/]", re.IGNORECASE)
# Beyond it no reader of citations takes a bracket for a link.
_LONGEST_ADDRESS = 480


@dataclass(frozen=True, slots=True)
class Evidence:
    """One piece of evidence in a request; `label` is its id there, `links` what the corpus states of how it is linked
    to other documents."""

    label: str
    cite_as: str
    source: Source
    title: str
    date: str
    reference: str
    text: str
    links: tuple[str, ...] = ()

    def as_json(self) -> Json:
        """The piece as it stands in the request's JSON object, its keys in this order; "links" where there are any."""
        links: dict[str, Json] = {"links": list(self.links)} if self.links else {}
        return {
            "id": self.label,
            "source": self.source,
            "title": self.title,
            "date": self.date,
            "reference": self.reference,
            "text": self.text,
            **links,
            "cite_as": self.cite_as,
        }


def evidence_of(
    passages: Sequence[tuple[IndexedPassage, Source]], links: Mapping[str, tuple[str, ...]] | None = None
) -> tuple[Evidence, ...]:
    """The pieces of a request, labelled E1, E2, … in the order given, each with the `links` under its passage's id.

    A passage with a web address is cited by a link, `[E3](https://…)`; one without, whose reference is an id as
    requirements have and belongs to no other piece, by that id, `[SRD-012]`; any other by its label, `[E3]`.
    """
    references = Counter(passage.reference for passage, _ in passages)
    pieces: list[Evidence] = []
    for number, (passage, source) in enumerate(passages, start=1):
        label = f"E{number}"
        cite_as = _citation(label, passage, is_alone=references[passage.reference] == 1)
        stated = links.get(passage.passage_id, ()) if links else ()
        pieces.append(
            Evidence(label, cite_as, source, passage.title, passage.date, passage.reference, passage.text, stated)
        )
    return tuple(pieces)


def _citation(label: str, passage: IndexedPassage, *, is_alone: bool) -> str:
    if _WEB_ADDRESS.match(passage.source_url):
        # what would end a Markdown link early is escaped as RFC 3986 has it
        address = quote(passage.source_url, safe="%:/?#[]@!$&'*+,;=~-._", encoding="utf-8", errors="replace")
        if len(address) <= _LONGEST_ADDRESS:
            return f"[{label}]({address})"
    elif is_alone and _REQUIREMENT_ID.fullmatch(passage.reference):
        return f"[{passage.reference}]"
    return f"[{label}]"
