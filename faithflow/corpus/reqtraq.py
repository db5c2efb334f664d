"""Requirement documents as reqtraq writes them: Markdown whose headings carry the ids, with a list of attributes."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from faithflow.corpus.document import CorpusContent, Document, Link
from faithflow.corpus.requirements import DERIVES_FROM, requirement, requirement_set
from faithflow.corpus.source import SourceFile
from faithflow.errors import CorpusError

_HEADING = re.compile(r"(#{1,6})[ \t]+(.*?)[ \t]*#*$")
_ID = re.compile(r"(REQ(?:-[A-Za-z0-9]+)+-(\d+))\b[:.]?[ \t]*(.*)")
_DELETED = re.compile(r"DELETED-(\d+)\b[:.]?[ \t]*(.*)")
_REFERENCE = re.compile(r"REQ(?:-[A-Za-z0-9]+)+-\d+")
_ATTRIBUTES = re.compile(r"Attributes:?", re.IGNORECASE)
_ATTRIBUTE = re.compile(r"[-*+][ \t]+([A-Za-z][A-Za-z ]{0,40}):[ \t]*(.*)")
_FENCE = re.compile(r"[ \t]*(```|~~~)")
_TAG = re.compile(r"</?abbr\b[^<>]{0,200}>")


@dataclass(slots=True)
class _Section:
    """A heading that carries an id, the lines below it and its attributes, in the order in which they stand."""

    reference: str
    title: str
    depth: int
    deleted: bool
    body: list[str] = field(default_factory=list[str])
    attributes: dict[str, str] = field(default_factory=dict[str, str])

    @property
    def text(self) -> str:
        body = re.sub(r"\n{3,}", "\n\n", _TAG.sub("", "\n".join(self.body))).strip()
        rationale = " ".join(self.attributes.get("Rationale", "").split())
        return f"{body}\n\nRationale: {rationale}" if body and rationale else body or rationale


def read_reqtraq(files: Sequence[SourceFile]) -> CorpusContent:
    """The requirements of a set of documents, each heading with an id REQ-… one, and derives_from links to their
    parents.

    What a deleted requirement said stands in reqtraq's documents under a heading "DELETED-<number>": its words and
    parents go to the item whose heading says DELETED. A requirement's topic is the level that its id names
    (REQ-TRAQ-SWH-3: SWH). Raises CorpusError where no heading carries an id, or an id stands twice.
    """
    items: list[Document] = []
    links: list[Link] = []
    for file in files:
        for section in _with_deleted(_sections(file)):
            items.append(_item(section))
            parents = dict.fromkeys(_REFERENCE.findall(section.attributes.get("Parents", "")))
            links += [Link(section.reference, DERIVES_FROM, parent) for parent in parents]
    name = ", ".join(file.name for file in files)
    if not items:
        raise CorpusError(f"{name}: no heading carries an id such as REQ-SYS-1; is it a document of reqtraq's kind?")
    return requirement_set(name, items, links)


def _item(section: _Section) -> Document:
    level = section.reference.split("-")[-2]
    title = f"Deleted: {section.title}" if section.deleted else section.title
    return requirement(section.reference, title.removesuffix(": DELETED"), section.text, (level,))


def _sections(file: SourceFile) -> list[_Section]:
    sections: list[_Section] = []
    section: _Section | None = None
    in_attributes = in_code = False
    attribute = ""
    for line in file.text.split("\n"):
        if _FENCE.match(line):
            in_code = not in_code
        heading = None if in_code else _HEADING.match(line)
        if heading:
            depth = len(heading[1])
            opened = _opened(heading[2], depth)
            if opened:
                section = opened
                sections.append(section)
                in_attributes = False
                continue
            if section and depth > section.depth and _ATTRIBUTES.fullmatch(heading[2]):
                in_attributes, attribute = True, ""
                continue
            if section and depth <= section.depth:
                section = None
        if section is None:
            continue
        if not in_attributes:
            section.body.append(line)
        elif stated := _ATTRIBUTE.match(line):
            attribute = "Parents" if stated[1] == "Parent" else stated[1]
            section.attributes[attribute] = stated[2]
        elif attribute and line.strip():
            section.attributes[attribute] += f" {line.strip()}"
    return sections


def _opened(words: str, depth: int) -> _Section | None:
    if found := _ID.match(words):
        return _Section(found[1], found[3], depth, deleted=found[3].upper().startswith("DELETED"))
    if found := _DELETED.match(words):
        return _Section(f"DELETED-{found[1]}", found[2], depth, deleted=True)
    return None


def _with_deleted(sections: Sequence[_Section]) -> list[_Section]:
    """The requirements; those marked as deleted with the words that stand under DELETED-<number> in their file."""
    former = {section.reference.split("-")[1]: section for section in sections if section.reference[:8] == "DELETED-"}
    kept: list[_Section] = []
    for section in sections:
        if section.reference.startswith("DELETED-"):
            continue
        words = former.get(section.reference.rsplit("-", 1)[1]) if section.deleted else None
        if words:
            section.title, section.body, section.attributes = words.title, words.body, words.attributes
        kept.append(section)
    return kept
