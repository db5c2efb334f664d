"""The Dronology data set: Jira issues of a drone control system as requirements, and the links between them.

Cleland-Huang, Vierhauser, Bayley: Dronology: An Incubator for Cyber-Physical Systems Research (ICSE-NIER 2018).
"""

import re
from collections.abc import Mapping, Sequence

from faithflow.corpus.document import CorpusContent, Document, Link
from faithflow.corpus.requirements import relation_slug, requirement, requirement_set
from faithflow.corpus.source import Record, SourceFile, json_records
from faithflow.errors import CorpusError
from faithflow.identity import Json

# An entry lists its children by what it is to them; the link is stated by the child, the lower level, as in other sets.
_UPWARD = {"contains": "part_of", "refinedby": "refines", "subtasks": "subtask_of"}

_MONOSPACE = re.compile(r"\{\{(.*?)\}\}")
_EMPHASIS = re.compile(r"(?<![\w_])_([^_\n]+)_(?![\w_])")


def read_dronology(files: Sequence[SourceFile]) -> CorpusContent:
    """The artefacts and their typed links: part_of, refines and subtask_of from the child to its parent, others (such
    as implements) from the entry that names them. An artefact's topic is its issue type.

    Raises CorpusError where a file is not of this form.
    """
    items: list[Document] = []
    links: list[Link] = []
    for file in files:
        for record in json_records(file):
            entries = record.fields.get("entries")
            if not isinstance(entries, list):
                raise CorpusError(f'{record.place}: "entries" must be a list of issues')
            for number, entry in enumerate(entries, start=1):
                place = f"{record.place}, entry {number}"
                if not isinstance(entry, dict):
                    raise CorpusError(f"{place}: an object was expected")
                issue = Record(place, entry)
                items.append(_item(issue))
                links += _links(issue)
    return requirement_set(", ".join(file.name for file in files), items, links)


def _item(issue: Record) -> Document:
    attributes = issue.fields.get("attributes")
    if not isinstance(attributes, Mapping):
        raise CorpusError(f'{issue.place}: "attributes" must be an object')
    said = {key: " ".join(str(value).split()) for key, value in attributes.items() if isinstance(value, str)}
    description = _EMPHASIS.sub(r"\1", _MONOSPACE.sub(r"\1", said.get("description", ""))).strip().strip('"').strip()
    return requirement(_id(issue), said.get("summary", ""), description, (said.get("issuetype", ""),))


def _id(issue: Record) -> str:
    issue_id = issue.fields.get("issueid")
    if not isinstance(issue_id, str) or not issue_id.strip():
        raise CorpusError(f'{issue.place}: "issueid" is missing')
    return issue_id.strip()


def _links(issue: Record) -> list[Link]:
    own = _id(issue)
    children = issue.fields.get("children") or {}
    if not isinstance(children, Mapping):
        raise CorpusError(f'{issue.place}: "children" must be an object')
    links: list[Link] = []
    for relation, others in children.items():
        for other in _ids(others, f'{issue.place}, "{relation}"'):
            upward = _UPWARD.get(relation)
            links.append(Link(other, upward, own) if upward else Link(own, relation_slug(relation, issue.place), other))
    return links


def _ids(value: Json, place: str) -> list[str]:
    if isinstance(value, list) and all(isinstance(item, str) for item in value):
        return [str(item).strip() for item in value]
    raise CorpusError(f"{place}: a list of issue ids was expected")
