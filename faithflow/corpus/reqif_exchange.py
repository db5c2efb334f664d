"""Requirement sets in the Requirements Interchange Format (OMG ReqIF 1.2)."""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from faithflow.corpus.document import CorpusContent, Document, Link
from faithflow.corpus.requirements import relation_slug, requirement, requirement_set
from faithflow.corpus.source import SourceFile
from faithflow.errors import CorpusError
from faithflow.text.html import text_of_fragment

# The attribute names that the ReqIF implementation guide gives (section 4.1), first choice first; lower case.
_IDS = ("reqif.foreignid", "id", "identifier", "object identifier")
_TITLES = ("reqif.name", "reqif.chaptername", "title", "name", "object heading", "heading")
_TEXTS = ("reqif.text", "reqif.description", "text", "description", "object text", "statement")

PART_OF = "part_of"

_DOCTYPE = re.compile(r"<!(?:DOCTYPE|ENTITY)", re.IGNORECASE)


def read_reqif(files: Sequence[SourceFile]) -> CorpusContent:
    """The objects of ReqIF files with their relations (a relation's type names it), and part_of from each object to the
    one above it in a specification.

    An object is named by its ReqIF.ForeignID, or else by its identifier. Its topic is the name of its type.
    Raises CorpusError where a file is no ReqIF, or declares a document type (whose entities could be a bomb).
    """
    items: list[Document] = []
    links: list[Link] = []
    for file in files:
        content = _content(file)
        types = {str(kind.identifier): kind for kind in content.spec_types or ()}
        names: dict[str, str] = {}
        for entry in content.spec_objects or ():
            item = _item(entry, types)
            names[str(entry.identifier)] = item.reference
            items.append(item)
        for relation in content.spec_relations or ():
            kind = types.get(str(relation.relation_type_ref))
            slug = relation_slug(str(getattr(kind, "long_name", None) or "traces_to"), file.name)
            links.append(Link(_name(names, relation.source), slug, _name(names, relation.target)))
        for specification in content.specifications or ():
            links += _parts(specification.children or (), names)
    return requirement_set(", ".join(file.name for file in files), items, links)


def _content(file: SourceFile) -> Any:
    from reqif.parser import ReqIFParser

    text = file.text
    if _DOCTYPE.search(text):
        raise CorpusError(f"{file.name}: a ReqIF file needs no document type or entities; take them out")
    try:
        bundle = ReqIFParser.parse_from_string(re.sub(r"^\s*<\?xml[^>]*\?>", "", text))
    except Exception as error:  # the library raises assertions and key errors where a file breaks the schema
        words = " ".join(str(error).split())
        # its assertions say no more than which element they met
        reason = type(error).__name__ if not words or words.startswith("<Element") else words[:200]
        raise CorpusError(
            f"{file.name}: not to be read as ReqIF ({reason}): a part that the schema asks for is missing or not where "
            "it belongs; export it anew"
        ) from error
    content = bundle.core_content.req_if_content if bundle.core_content else None
    if content is None or not content.spec_objects:
        raise CorpusError(f"{file.name}: the ReqIF file holds no objects")
    return content


def _name(names: Mapping[str, str], identifier: object) -> str:
    return names.get(str(identifier), str(identifier))


def _item(entry: Any, types: Mapping[str, Any]) -> Document:
    kind = types.get(str(entry.spec_object_type))
    values = dict(_values(entry, kind))
    reference = _first(values, _IDS) or str(entry.identifier)
    title = _first(values, _TITLES) or str(entry.long_name or "")
    text = _first(values, _TEXTS) or str(entry.description or "")
    return requirement(reference, title, text, (str(getattr(kind, "long_name", None) or ""),))


def _values(entry: Any, kind: Any) -> Iterator[tuple[str, str]]:
    """The object's attributes under their definitions' names in lower case, as plain text."""
    definitions: Mapping[str, Any] = getattr(kind, "attribute_map", {})
    for attribute in entry.attributes:
        definition = definitions.get(attribute.definition_ref)
        name = str(getattr(definition, "long_name", None) or attribute.definition_ref).lower()
        value = attribute.value_stripped_xhtml or attribute.value
        if isinstance(value, str):
            is_markup = str(attribute.attribute_type).upper().endswith("XHTML")
            yield name, text_of_fragment(value) if is_markup else value.strip()


def _first(values: Mapping[str, str], names: Sequence[str]) -> str:
    return next((values[name] for name in names if values.get(name)), "")


def _parts(children: Sequence[Any], names: Mapping[str, str]) -> Iterator[Link]:
    """part_of links from each object of a hierarchy to the one above it, without recursion."""
    waiting = [(child, "") for child in reversed(children)]
    while waiting:
        node, above = waiting.pop()
        own = _name(names, node.spec_object)
        if above:
            yield Link(own, PART_OF, above)
        waiting += [(child, own) for child in reversed(node.children or ())]
