"""The sample corpus: rebuilt byte for byte, whole in itself, and with gold that says what its texts say."""

import datetime as dt
import re
from collections import Counter
from collections.abc import Mapping
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from faithflow.corpus.document import PUBLIC, CorpusContent, Document, Question
from faithflow.corpus.scope import Scope, end_day, first_day
from faithflow.sample import sample_content, sample_corpus, sample_web_pages
from faithflow.sample.corpus_build import built, pages
from faithflow.sample.requirements import drawn, requirement_set, taxonomy

TOPICS = {"clean_docks", "investment", "tariffs", "energy"}
INTERNAL = "NH/26/0160"
NAME = re.compile(r"\b[A-ZÅØ]\w{4,}")
NUMBER = re.compile(r"\d+(?:[.,]\d+)*")


@pytest.fixture(scope="module")
def content() -> CorpusContent:
    return sample_content()


@pytest.fixture(scope="module")
def documents(content: CorpusContent) -> dict[str, Document]:
    return {document.reference: document for document in content.documents}


@pytest.fixture(scope="module")
def press(content: CorpusContent) -> list[Document]:
    return [document for document in content.documents if document.kind == "press_release"]


@pytest.fixture(scope="module")
def parents(content: CorpusContent) -> dict[str, str]:
    return {link.source: link.target for link in content.links if link.relation == "derives_from"}


def numbers(text: str) -> set[str]:
    return set(NUMBER.findall(text))


def gold_text(question: Question, documents: Mapping[str, Document]) -> str:
    parts = []
    for gold in question.gold or ():
        document = documents[gold.reference]
        parts.append(gold.quote or f"{document.reference} {document.text}")
    return " ".join(parts)


@pytest.mark.parametrize("name", sorted(built()))
def test_building_it_again_gives_the_bytes_that_ship(name: str):
    shipped = (sample_corpus() / name).read_bytes()
    assert built()[name] == shipped, "run: python -m faithflow.sample.corpus_build"


def test_no_reference_and_no_id_occurs_twice(content: CorpusContent, documents: dict[str, Document]):
    assert len(documents) == len(content.documents)
    assert len({document.document_id for document in content.documents}) == len(content.documents)
    assert len({question.question_id for question in content.questions}) == len(content.questions)
    assert len(set(content.links)) == len(content.links)
    assert len(set(content.gold_triples)) == len(content.gold_triples)


def test_press_releases_lie_on_four_topics_and_four_of_them_on_two(press: list[Document]):
    assert len(press) >= 36
    assert {topic for document in press for topic in document.topics} == TOPICS
    assert Counter(len(document.topics) for document in press) == {1: len(press) - 4, 2: 4}
    assert min(Counter(topic for document in press for topic in document.topics).values()) >= 9


def test_press_releases_have_paragraphs_dates_and_addresses(press: list[Document]):
    for document in press:
        assert 120 <= len(document.text.split()) <= 350, document.reference
        assert document.text.count("\n\n") >= 3, document.reference
        assert "  " not in document.text
        assert document.date is not None
        assert dt.date(2025, 1, 1) <= document.date <= dt.date(2026, 12, 31)
        assert f"/{document.date:%y}/" in document.reference
        assert (document.source_url or "").startswith("https://press.example.org/")
        assert document.language == "en"
        assert document.licence


def test_references_of_the_commission_are_numbered_in_the_order_of_their_dates(press: list[Document]):
    dated = sorted((d.reference, d.date) for d in press if d.reference.startswith("NH/") and d.date)
    assert all(earlier <= later for (_, earlier), (_, later) in pairwise(dated))


def test_a_newer_version_names_the_older_one_and_changes_a_figure(content: CorpusContent):
    (newer,) = [document for document in content.documents if document.supersedes]
    (older,) = [document for document in content.documents if document.document_id == newer.supersedes]
    assert older.valid_to == newer.valid_from == newer.date
    assert older.reference in newer.text
    assert "EUR 92 million" in newer.text
    assert "EUR 92 million" not in older.text


def test_a_reprint_says_the_same_as_the_release_and_is_not_marked(documents: dict[str, Document]):
    reprint, original = documents["SK/25/0009"], documents["NH/25/0263"]
    assert reprint.text != original.text
    assert reprint.text == original.text.replace("The Harbour Commission has", "The Commission has", 1)
    assert reprint.duplicate_of is None


def test_the_suspension_holds_for_ninety_days_and_then_no_more(documents: dict[str, Document]):
    suspension = documents["NH/25/0233"]
    start, end = first_day(suspension.valid_from), end_day(suspension.valid_to)
    assert suspension.valid_from is not None
    last = suspension.valid_from + dt.timedelta(days=89)
    assert Scope(last).allows(suspension.access, start, end)
    assert not Scope(last + dt.timedelta(days=1)).allows(suspension.access, start, end)


def test_one_document_is_internal_and_only_it_names_the_watched_borrowers(content: CorpusContent):
    assert [document.reference for document in content.documents if document.access != PUBLIC] == [INTERNAL]
    (asked,) = [question for question in content.questions if "watch list" in question.question]
    assert asked.gold == ()
    assert [document.reference for document in content.documents if "Polarfin" in document.text] == [INTERNAL]


def test_validity_ends_after_it_begins(content: CorpusContent):
    for document in content.documents:
        assert first_day(document.valid_from) < end_day(document.valid_to), document.reference


def test_entities_recur_under_full_names_and_abbreviations(press: list[Document]):
    texts = [document.text for document in press]
    for full, short in [
        ("Harbour Investment Facility", "HIF"),
        ("Northern Development Bank", "NDB"),
        ("Southern Trade League", "STL"),
        ("Clean Docks Deal", "CDD"),
        ("Maritime Safety Bureau", "MSB"),
    ]:
        assert any(f"{full} ({short})" in text for text in texts)
        assert any(full in text and short not in text for text in texts)
        assert any(short in text and full not in text for text in texts), short


def test_requirements_stand_on_three_levels(content: CorpusContent, parents: dict[str, str]):
    levels = Counter(d.reference[:3] for d in content.documents if d.kind == "requirement")
    assert set(levels) == {"SYS", "HLR", "LLR", "TST"}
    assert sum(levels.values()) - levels["TST"] >= 150
    assert {f"{child[:3]}>{parent[:3]}" for child, parent in parents.items()} == {"HLR>SYS", "LLR>HLR"}
    assert set(parents) == {d.reference for d in content.documents if d.reference[:3] in ("HLR", "LLR")}


def test_every_requirement_is_a_sentence_of_its_own_with_nothing_left_to_fill(content: CorpusContent):
    requirements = [document for document in content.documents if document.kind == "requirement"]
    assert len({document.text for document in requirements}) == len(requirements)
    for document in requirements:
        assert not set("{}") & set(document.text), document.reference
        assert document.text[0].isupper() or document.text[0].isdigit(), document.reference
        assert document.text.endswith("."), document.reference
        if document.reference[:3] != "TST":
            assert " shall " in document.text, document.reference
        if document.reference[:3] in ("LLR", "TST"):
            assert numbers(document.text), document.reference


def test_links_point_to_existing_items_and_use_four_relations(content: CorpusContent, documents: dict[str, Document]):
    assert {end for link in content.links for end in (link.source, link.target)} <= set(documents)
    assert set(Counter(link.relation for link in content.links)) == {
        "derives_from",
        "satisfies",
        "traces_to",
        "references",
    }


def test_derivation_has_no_cycle(parents: dict[str, str]):
    for reference in parents:
        seen = {reference}
        while reference in parents:
            reference = parents[reference]
            assert reference not in seen
            seen.add(reference)


def test_some_references_cross_modules_and_the_text_names_them(content: CorpusContent, documents: dict[str, Document]):
    references = [link for link in content.links if link.relation == "references"]
    assert all(link.target in documents[link.source].text for link in references)
    crossing = [
        link
        for link in references
        if documents[link.source].title.partition(":")[0] != documents[link.target].title.partition(":")[0]
    ]
    assert len(crossing) >= 8


def test_values_of_low_level_requirements_add_up_to_the_parents(
    documents: dict[str, Document], parents: dict[str, str]
):
    added = 0
    for reference, document in documents.items():
        if reference.startswith("HLR") and document.title.endswith("response time"):
            low = [documents[child].text for child, parent in parents.items() if parent == reference]
            parts = [float(value) for text in low for value in re.findall(r"([\d.]+) s\b", text)]
            (total,) = re.findall(r"([\d.]+) s\b", document.text)
            assert sum(parts) == float(total), reference
            added += 1
    assert added >= 5


def test_another_seed_draws_other_requirements_and_the_same_seed_the_same():
    source = taxonomy()
    other = requirement_set(source.model_copy(update={"seed": source.seed + 1}))
    assert requirement_set(source) == requirement_set(taxonomy())
    assert {document.text for document in other.documents} != {d.text for d in requirement_set(source).documents}
    assert len(other.documents) == len(requirement_set(source).documents)


def test_a_function_that_uses_an_unknown_one_is_refused():
    source = taxonomy()
    module = source.modules["BER"]
    wrong = module.functions["PLAN"].model_copy(update={"uses": "BER/NOWHERE"})
    changed = module.model_copy(update={"functions": {**module.functions, "PLAN": wrong}})
    with pytest.raises(KeyError, match="BER/NOWHERE"):
        requirement_set(source.model_copy(update={"modules": {**source.modules, "BER": changed}}))


@given(st.lists(st.integers(), max_size=20), st.integers(), st.text(max_size=10))
def test_a_draw_keeps_every_option_once_and_repeats_itself(options: list[int], seed: int, path: str):
    assert sorted(drawn(options, seed, path)) == sorted(options)
    assert drawn(options, seed, path) == drawn(options, seed, path)


def test_questions_cover_strata_topics_and_kinds(content: CorpusContent):
    assert len(content.questions) == 120
    strata = Counter(question.stratum for question in content.questions)
    assert set(strata) == {"1", "2", "3+"}
    assert all(abs(count - 40) <= 2 for count in strata.values())
    assert {question.topic for question in content.questions} == TOPICS | {"requirements"}
    assert 5 <= sum(question.gold == () for question in content.questions) <= 8
    for question in content.questions:
        assert (question.gold == ()) == (question.gold_answer == ""), question.question


def test_every_gold_quote_stands_once_in_its_document(content: CorpusContent, documents: dict[str, Document]):
    for question in content.questions:
        for gold in question.gold or ():
            document = documents[gold.reference]
            if document.kind == "press_release":
                assert gold.quote, question.question
                assert document.text.count(gold.quote) == 1, gold.quote
                assert "\n" not in gold.quote
            else:
                assert gold.quote is None


def test_gold_is_public_and_still_holds(content: CorpusContent, documents: dict[str, Document]):
    later = Scope(dt.date(2026, 6, 1))
    for question in content.questions:
        for gold in question.gold or ():
            document = documents[gold.reference]
            assert later.allows(document.access, first_day(document.valid_from), end_day(document.valid_to)), question


def test_hops_are_documents(content: CorpusContent):
    for question in content.questions:
        if question.gold:
            hops = len({gold.reference for gold in question.gold})
            assert {"1": hops == 1, "2": hops == 2, "3+": hops >= 3}[question.stratum], question.question


def test_every_number_of_a_gold_answer_stands_in_its_gold(content: CorpusContent, documents: dict[str, Document]):
    for question in content.questions:
        found = numbers(gold_text(question, documents)) | numbers(question.question)
        assert numbers(question.gold_answer or "") <= found, question.question


def test_every_hop_of_a_requirement_question_is_linked_to_another(content: CorpusContent):
    neighbours = {(link.source, link.target) for link in content.links}
    for question in content.questions:
        references = [gold.reference for gold in question.gold or ()]
        if question.topic != "requirements" or len(references) < 2:
            continue
        for reference in references:
            assert any((reference, other) in neighbours or (other, reference) in neighbours for other in references)


def test_gold_triples_take_their_words_from_their_document(content: CorpusContent, documents: dict[str, Document]):
    counts = Counter(triple.reference for triple in content.gold_triples)
    assert len(counts) >= 12
    assert all(5 <= count <= 12 for count in counts.values())
    for triple in content.gold_triples:
        text = f"{documents[triple.reference].title} {documents[triple.reference].text}".casefold()
        assert re.fullmatch(r"[A-Z][A-Z_]*", triple.relation), triple
        for word in re.findall(r"\w+", f"{triple.head} {triple.tail}".casefold()):
            assert word in text, triple


def test_web_pages_are_dated_and_unlike_any_release(press: list[Document]):
    web = sample_web_pages()
    assert len(web) >= 12
    assert len({page.url for page in web}) == len(web)
    for page in web:
        assert dt.date.fromisoformat(page.date)
        assert page.url.partition("/")[2].split("/")[1].endswith(".example")
        assert page.text not in {document.text for document in press}


def test_pages_that_contradict_a_release_have_figures_that_it_lacks(documents: dict[str, Document]):
    contradicting = [page for page in pages() if page.contradicts]
    assert len(contradicting) >= 6
    for page in contradicting:
        for reference in page.contradicts:
            assert numbers(page.text) - numbers(documents[reference].text), page.url
            assert len(set(NAME.findall(page.text)) & set(NAME.findall(documents[reference].text))) >= 2, page.url
