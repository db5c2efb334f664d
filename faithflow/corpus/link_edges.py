"""The corpus' own edges between passages: links between documents, and each passage's next one."""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise

from faithflow.corpus.document import Document, Link, Passage
from faithflow.graph.model import NEXT
from faithflow.identity import Json


def next_edges(passages: Mapping[str, Sequence[Passage]]) -> Iterator[dict[str, Json]]:
    """The rows of `edges` from each passage to the one after it in its document."""
    for document_id, own in passages.items():
        for before, after in pairwise(own):
            yield _row(before.passage_id, NEXT, after.passage_id, document_id)


def link_edges(
    links: Sequence[Link],
    documents: Sequence[Document],
    kept: Mapping[str, Document],
    passages: Mapping[str, Sequence[Passage]],
) -> Iterator[dict[str, Json]]:
    """The rows of `edges` of the links between documents, each once.

    A link joins the first passages of its two documents: with `next` edges a walk gets there from their other passages,
    and a node's degree stays the number of links that the corpus states. Versions of a document are linked each to
    each in their own language, else in any; a duplicate's links are those of the document kept in its place. A link
    of a document without passages, or to itself, has no edge.
    """
    by_reference: defaultdict[str, dict[str, Document]] = defaultdict(dict)
    for document in documents:
        keep = kept[document.document_id]
        if passages.get(keep.document_id):
            by_reference[document.reference][keep.document_id] = keep
    seen: set[tuple[str, str, str]] = set()
    for link in links:
        targets = list(by_reference[link.target].values())
        for source in by_reference[link.source].values():
            same = [target for target in targets if target.language == source.language]
            for target in same or targets:
                first, second = (passages[end.document_id][0].passage_id for end in (source, target))
                if first != second and (first, link.relation, second) not in seen:
                    seen.add((first, link.relation, second))
                    yield _row(first, link.relation, second, source.document_id)


def _row(source_id: str, relation: str, target_id: str, document_id: str) -> dict[str, Json]:
    return {
        "source_id": source_id,
        "relation": relation,
        "target_id": target_id,
        "source_kind": "passage",
        "target_kind": "passage",
        "document_id": document_id,
        "passage_id": "",
        "fact": "",
    }
