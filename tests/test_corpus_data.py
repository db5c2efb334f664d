"""The readers on real data sets: what is known to be in them is what is read."""

from collections import Counter
from pathlib import Path

import pytest

from faithflow.corpus.corpus_frames import corpus_frames
from faithflow.corpus.musique import read_musique
from resources.document_files import read_documents, source_file

pytestmark = pytest.mark.data


def test_reqtraq_has_111_requirements_and_91_parent_links(data: Path) -> None:
    content = read_documents(data / "traceability" / "reqtraq_do178c", "reqtraq")
    assert len(content.documents) == 111
    assert Counter(document.topics[0] for document in content.documents) == {"SYS": 4, "SWH": 20, "SWL": 87}
    assert Counter(link.relation for link in content.links) == {"derives_from": 91}
    assert not content.warnings
    made = corpus_frames({"reqtraq": content})
    assert (made.passages.height, made.link_edges.height) == (111, 91)


def test_dronology_has_398_artefacts_and_596_typed_links(data: Path) -> None:
    content = read_documents(data / "traceability" / "dronologydataset01.json.gz", "dronology")
    assert len(content.documents) == 398
    assert Counter(link.relation for link in content.links) == {
        "part_of": 310,
        "refines": 222,
        "subtask_of": 63,
        "implements": 1,
    }
    assert not content.warnings
    assert corpus_frames({"dronology": content}).documents["duplicate_of"].null_count() == 398


def test_musique_has_200_questions_and_3141_distinct_paragraphs(data: Path) -> None:
    path = data / "multihop" / "musique_200.jsonl.gz"
    content = read_documents(path, "musique")
    assert len(content.documents) == 3141
    assert len({document.reference for document in content.documents}) == 3141
    assert Counter(question.stratum for question in content.questions) == {"1": 145, "2": 32, "3+": 23}
    assert sum(len(question.gold or ()) - 1 for question in content.questions) == 278
    assert len(content.links) == len(set(content.links)) == 234  # some chains share a pair
    control = read_musique([source_file(path)], distractor_edges=True)
    assert set(content.links) < set(control.links)
    made = corpus_frames({"musique": content})
    assert made.documents["duplicate_of"].null_count() == 3141
    gold = made.questions["gold_passage_ids"].list.len()
    assert gold.min() == 2
    assert made.link_edges.filter(made.link_edges["relation"] == "references").height == 234


def test_dora_has_64_articles_and_106_recitals_and_links_among_its_own(data: Path) -> None:
    content = read_documents(data / "eurlex_rag" / "dora_units.jsonl.gz", "eurlex")
    assert Counter(document.kind for document in content.documents) == {"act": 1, "article": 64, "recital": 106}
    assert content.documents[0].reference == "32022R2554"
    named = {link.target for link in content.links if link.source == "32022R2554 Article 16"}
    assert named == {"32022R2554"} | {f"32022R2554 Article {n}" for n in (2, *range(5, 16))}
    assert not [link for link in content.links if link.relation == "references" and "Article 60" in link.source]
    made = corpus_frames({"dora": content})
    texts = made.documents.join(made.passages, on="document_id", suffix="_passage")
    assert all(
        text[start:end] == own
        for text, start, end, own in texts.select("text", "char_start", "char_end", "text_passage").iter_rows()
    )
