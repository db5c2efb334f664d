"""The tables of the corpus: passages, gold, links, and what indexes and graphs hold of them."""

import datetime as dt
from dataclasses import replace
from typing import Any

import polars as pl
import pytest

from faithflow.corpus.corpus_frames import Frames, corpus_frames
from faithflow.corpus.document import CorpusContent, Document, Gold, GoldTriple, Link, Question
from faithflow.corpus.indexed import indexed_passages, passage_nodes
from faithflow.corpus.scope import FIRST_DAY, LAST_DAY
from faithflow.errors import CorpusError

LONG = "Alpha stands in the first paragraph here.\n\nBeta stands in the second paragraph.\n\nGamma closes the text."
COPY = "Alpha stands in the first paragraph here. Beta stands in the second paragraph. Gamma closes the text."


def doc(reference: str, text: str, kind: str = "press_release", **more: Any) -> Document:
    return Document(reference, kind, f"Title of {reference}", text, **more)


def frames(*documents: Document, max_chars: int = 50, overlap: int = 0, **more: Any) -> Frames:
    return corpus_frames({"main": CorpusContent(documents, **more)}, max_chars, overlap)


def gold_texts(made: Frames) -> list[list[str] | None]:
    text = dict(made.passages.select("passage_id", "text").iter_rows())
    return [None if ids is None else [text[own] for own in ids] for ids in made.questions["gold_passage_ids"].to_list()]


def ask(*gold: Gold, question: str = "Where is it?") -> tuple[Question, ...]:
    return (Question(question, gold=gold),)


def test_passages_are_slices_of_their_documents() -> None:
    made = frames(doc("A", LONG), doc("B", "Short."))
    text = dict(made.documents.select("document_id", "text").iter_rows())
    assert made.passages.height == 4
    for row in made.passages.iter_rows(named=True):
        assert row["text"] == text[row["document_id"]][row["char_start"] : row["char_end"]]


def test_gold_is_the_passage_that_holds_the_quote_whatever_blanks_part_its_words() -> None:
    assert gold_texts(frames(doc("A", LONG), questions=ask(Gold("A", "Beta  stands\nin")))) == [
        ["Beta stands in the second paragraph."]
    ]


def test_a_quote_across_two_passages_has_both_as_gold() -> None:
    quote = "first paragraph here.\n\nBeta stands"
    assert [len(own or ()) for own in gold_texts(frames(doc("A", LONG), questions=ask(Gold("A", quote))))] == [2]


def test_gold_without_a_quote_is_every_passage_of_the_document() -> None:
    assert [len(own or ()) for own in gold_texts(frames(doc("A", LONG), questions=ask(Gold("A"))))] == [3]


def test_a_question_of_which_nobody_said_where_the_answer_stands_has_null() -> None:
    assert frames(doc("A", LONG), questions=(Question("Where?"),)).questions["gold_passage_ids"].to_list() == [None]
    assert gold_texts(frames(doc("A", LONG), questions=ask())) == [[]]


@pytest.mark.parametrize(("gold", "reason"), [(Gold("Z"), "no document 'Z'"), (Gold("A", "Delta"), "no such words")])
def test_gold_that_stands_nowhere_is_an_error_that_names_the_question(gold: Gold, reason: str) -> None:
    with pytest.raises(CorpusError, match=rf"question q_.*Where is it.*{reason}"):
        frames(doc("A", LONG), questions=ask(gold))


def test_gold_in_a_duplicate_is_that_of_the_document_that_is_kept() -> None:
    original = doc("A", LONG, source_url="https://ec.europa.eu/a")
    made = frames(original, doc("B", COPY), questions=ask(Gold("B", "Beta stands")))
    assert made.documents["duplicate_of"].to_list() == [None, original.document_id]
    assert set(made.passages["document_id"]) == {original.document_id}
    assert gold_texts(made) == [["Beta stands in the second paragraph."]]


def test_a_quote_that_only_the_duplicate_has_goes_to_the_passage_nearest_to_it() -> None:
    words = " ".join(f"w{chr(97 + i % 26)}{chr(97 + i // 26)}" for i in range(120))
    original = doc("A", f"{words}.\n\nBeta stands in the last paragraph.", source_url="https://ec.europa.eu/a")
    made = frames(
        original,
        doc("B", f"{words}. Beta is in the last paragraph."),
        max_chars=500,
        questions=ask(Gold("B", "Beta is in the last")),
    )
    assert made.documents["duplicate_of"].to_list() == [None, original.document_id]
    assert gold_texts(made) == [[made.passages["text"][-1]]]


def test_gold_is_the_newest_version_that_holds_the_quote() -> None:
    old = doc("A", "It costs 5 euro. It is blue.", date=dt.date(2026, 1, 1))
    new = doc("A", "It costs 6 euro. It is blue.", date=dt.date(2026, 2, 1))
    both = Gold("A", "It is blue")
    assert gold_texts(frames(old, new, questions=ask(both))) == [[new.text]]
    assert gold_texts(frames(old, new, questions=ask(Gold("A", "5 euro")))) == [[old.text]]
    assert gold_texts(frames(old, new, questions=ask(Gold("A")))) == [[new.text]]


def test_gold_is_in_the_language_of_the_question() -> None:
    english, german = doc("A", "The price is five."), doc("A", "Der Preis ist fünf.", language="de")
    made = frames(english, german, questions=ask(Gold("A"), question="Was ist der Preis von dem hier?"))
    assert gold_texts(made) == [[german.text]]


def test_older_versions_keep_their_passages_and_their_end() -> None:
    old = doc("A", "Old words.", date=dt.date(2026, 1, 1))
    new = doc("A", "New words.", date=dt.date(2026, 2, 1))
    made = frames(old, new)
    passages = {passage.text: passage for passage in indexed_passages(made.documents, made.passages)}
    assert (passages["Old words."].valid_from, passages["Old words."].valid_to) == (FIRST_DAY, 20260201)
    assert (passages["New words."].valid_from, passages["New words."].valid_to) == (20260201, LAST_DAY)


def edges(made: Frames) -> set[tuple[str, str, str]]:
    text = dict(made.passages.select("passage_id", "text").iter_rows())
    rows = made.link_edges.select("source_id", "relation", "target_id").iter_rows()
    return {(text[source], relation, text[target]) for source, relation, target in rows}


def test_links_join_first_passages_and_next_joins_the_rest() -> None:
    made = frames(doc("A", LONG), doc("B", "Short."), links=(Link("B", "references", "A"), Link("A", "cites", "Z")))
    first, second, third = LONG.split("\n\n")
    assert edges(made) == {("Short.", "references", first), (first, "next", second), (second, "next", third)}
    assert set(made.link_edges["passage_id"]) == {""}


def test_links_of_a_duplicate_are_those_of_the_document_that_is_kept() -> None:
    made = frames(
        doc("A", LONG, source_url="https://ec.europa.eu/a"),
        doc("B", COPY),
        doc("C", "Short."),
        max_chars=1000,
        links=(Link("C", "references", "A"), Link("C", "references", "B"), Link("A", "same_as", "B")),
    )
    assert edges(made) == {("Short.", "references", LONG)}


def test_links_stay_within_a_language_where_it_has_both_ends() -> None:
    made = frames(
        doc("A", "One."),
        doc("A", "Eins.", language="de"),
        doc("B", "Two."),
        doc("B", "Zwei.", language="de"),
        doc("C", "Three."),
        links=(Link("A", "references", "B"), Link("A", "references", "C")),
    )
    assert edges(made) == {
        ("One.", "references", "Two."),
        ("Eins.", "references", "Zwei."),
        ("One.", "references", "Three."),
        ("Eins.", "references", "Three."),
    }


def test_a_document_of_two_corpora_is_one_row_with_the_topics_of_both() -> None:
    first, second = (CorpusContent((doc("A", LONG, topics=(topic,)),)) for topic in ("x", "y"))
    made = corpus_frames({"one": first, "two": second})
    assert made.documents.select("corpus", "topics").rows() == [("one", ["x", "y"])]


def test_one_name_for_two_texts_is_refused() -> None:
    one, two = CorpusContent((doc("A", "a"),)), CorpusContent((doc("A", "b"),))
    with pytest.raises(CorpusError, match=r"the corpora one and two: two documents are named 'A'"):
        corpus_frames({"one": one, "two": two})


def test_one_document_under_two_access_labels_is_refused() -> None:
    one = CorpusContent((doc("A", "a"),))
    two = CorpusContent((doc("A", "a", access="internal"),))
    with pytest.raises(CorpusError, match="access public in corpus one and internal in corpus two"):
        corpus_frames({"one": one, "two": two})


def test_two_questions_of_one_id_are_refused_and_one_asked_twice_is_one_row() -> None:
    same = CorpusContent((doc("A", "a"),), questions=(Question("Why?", id="1"),))
    assert corpus_frames({"one": same, "two": same}).questions.height == 1
    other = replace(same, questions=(Question("How?", id="1"),))
    with pytest.raises(CorpusError, match="two questions have the id 1"):
        corpus_frames({"one": same, "two": other})


def test_gold_triples_come_with_the_document_that_holds_them() -> None:
    triple = GoldTriple("A", "Alpha", "STANDS_IN", "paragraph")
    document = doc("A", LONG)
    assert frames(document, gold_triples=(triple,)).gold_triples == ((document.document_id, triple),)
    with pytest.raises(CorpusError, match="a gold triple names 'Z'"):
        frames(document, gold_triples=(replace(triple, reference="Z"),))


def test_nodes_have_their_documents_name_kind_and_access() -> None:
    made = frames(doc("A", "a", "requirement", access="internal", valid_to=dt.date(2026, 5, 4)))
    (node,) = passage_nodes(made.documents, made.passages)
    assert (node.id, node.kind) == (made.passages["passage_id"][0], "passage")
    assert (node.name, node.type, node.access, node.valid_to) == ("A", "requirement", "internal", 20260504)


def test_the_same_content_gives_the_same_frames() -> None:
    def made() -> Frames:
        links = (Link("A", "references", "B"),)
        return frames(doc("A", LONG), doc("B", COPY), doc("C", "c"), links=links, questions=ask(Gold("A")), overlap=20)

    for name in ("documents", "passages", "questions", "link_edges"):
        assert getattr(made(), name).equals(getattr(made(), name))


def test_an_empty_corpus_makes_empty_tables() -> None:
    made = corpus_frames({"none": CorpusContent()})
    assert [made.documents.height, made.passages.height, made.questions.height, made.link_edges.height] == [0, 0, 0, 0]
    assert made.documents.schema["date"] == pl.Date
