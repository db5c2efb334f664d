"""Newer versions and near-duplicates of documents."""

import datetime as dt
import random
from dataclasses import replace
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from faithflow.corpus.document import Document, Link
from faithflow.corpus.near_duplicates import Index, normalised
from faithflow.corpus.versions import resolve

RNG = random.Random(4)
WORDS = [f"{a}{b}{c}" for a in "bdfgklm" for b in "aeiou" for c in ("n", "r", "s", "t", "l")]
LONG = " ".join(RNG.choices(WORDS, k=300))


def doc(reference: str, text: str = LONG, day: int | None = 1, **more: Any) -> Document:
    date = dt.date(2026, 1, day) if day else None
    return Document(reference, more.pop("kind", "press_release"), "T", text, date, **more)


def test_a_later_text_of_the_same_reference_replaces_the_one_before_it() -> None:
    old, new = resolve([doc("IP/1", "Old words."), doc("IP/1", "New words.", 9)])
    assert new.supersedes == old.document_id
    assert old.valid_to == new.valid_from == dt.date(2026, 1, 9)
    assert new.valid_to is None


def test_versions_make_a_chain_in_the_order_of_their_dates() -> None:
    third, first, second = resolve([doc("R", "c", 20), doc("R", "a", 1), doc("R", "b", 10)])
    assert (third.supersedes, second.supersedes, first.supersedes) == (second.document_id, first.document_id, None)
    assert (first.valid_to, second.valid_to) == (dt.date(2026, 1, 10), dt.date(2026, 1, 20))


def test_a_stated_end_of_validity_stays() -> None:
    stated = dt.date(2026, 1, 5)
    old, _ = resolve([replace(doc("R", "a"), valid_to=stated), doc("R", "b", 9)])
    assert old.valid_to == stated


def test_a_version_that_was_to_hold_after_its_successor_never_holds() -> None:
    begins = dt.date(2026, 3, 1)
    old, _ = resolve([replace(doc("R", "a"), valid_from=begins), doc("R", "b", 9)])
    assert (old.valid_from, old.valid_to) == (begins, begins)


def test_a_translation_is_neither_a_version_nor_a_duplicate() -> None:
    documents = [doc("R", "Gleiche Worte.", language="de"), doc("R", "Same words.", 9)]
    assert resolve(documents) == documents
    assert resolve([doc("A", language="de"), doc("B", language="en")])[1].duplicate_of is None


def test_a_stated_link_makes_another_document_the_older_version() -> None:
    old, new = resolve([doc("OLD", "a"), doc("NEW", "b", 9)], [Link("NEW", "supersedes", "OLD")])
    assert new.supersedes == old.document_id
    assert old.valid_to == dt.date(2026, 1, 9)


def test_a_document_that_states_its_older_version_ends_that_one() -> None:
    old = doc("OLD", "a")
    resolved = resolve([old, replace(doc("NEW", "b", 9), supersedes=old.document_id)])
    assert resolved[0].valid_to == dt.date(2026, 1, 9)


def test_a_reissue_with_the_same_words_is_a_duplicate_and_no_new_version() -> None:
    first, again = resolve([doc("R", "The same words."), doc("R", "The  same words!", 9)])
    assert again.duplicate_of == first.document_id
    assert again.supersedes is None
    assert first.valid_to is None


def test_a_near_duplicate_is_kept_once() -> None:
    changed = LONG.split()
    changed[150] = "otherwise"
    first, second = resolve([doc("A"), doc("B", " ".join(changed), 2)])
    assert second.duplicate_of == first.document_id or first.duplicate_of == second.document_id
    assert (first.duplicate_of is None) != (second.duplicate_of is None)


def test_of_two_that_hold_since_their_dates_the_earlier_is_kept() -> None:
    early = replace(doc("A"), valid_from=dt.date(2026, 1, 1))
    late = replace(doc("B", f"{LONG} so", 2), valid_from=dt.date(2026, 1, 2))
    assert resolve([late, early])[0].duplicate_of == early.document_id


def test_texts_that_differ_in_a_figure_are_no_duplicates() -> None:
    first, second = resolve([doc("A", f"{LONG} worth 3 billion"), doc("B", f"{LONG} worth 4 billion")])
    assert first.duplicate_of is None
    assert second.duplicate_of is None


def test_texts_that_differ_in_a_negation_are_no_duplicates() -> None:
    first, second = resolve([doc("A", f"It is agreed. {LONG}"), doc("B", f"It is not agreed. {LONG}")])
    assert (first.duplicate_of, second.duplicate_of) == (None, None)


def test_a_version_that_differs_by_a_word_is_a_version() -> None:
    old, new = resolve([doc("R"), doc("R", LONG.replace(LONG.split()[100], "otherwise"), 9)])
    assert new.supersedes == old.document_id
    assert (old.duplicate_of, new.duplicate_of) == (None, None)


def test_requirements_that_read_alike_are_still_two() -> None:
    first, second = resolve([doc("REQ-1", kind="requirement"), doc("REQ-2", kind="requirement")])
    assert (first.duplicate_of, second.duplicate_of) == (None, None)


def test_the_public_one_of_two_is_kept() -> None:
    secret, public = resolve([doc("A", access="internal"), doc("B", day=2)])
    assert secret.duplicate_of == public.document_id
    assert public.duplicate_of is None


def test_two_labels_that_are_not_public_hide_nothing_from_each_other() -> None:
    first, second = resolve([doc("A", access="team-a"), doc("B", access="team-b")])
    assert (first.duplicate_of, second.duplicate_of) == (None, None)


def test_the_official_source_is_kept() -> None:
    copy, official = resolve(
        [
            doc("A", source_url="https://europa.eu.example.org/x"),
            doc("B", source_url="https://ec.europa.eu/commission/presscorner/detail/en/ip_26_1"),
        ]
    )
    assert copy.duplicate_of == official.document_id


def test_a_copy_that_holds_longer_than_the_other_stays() -> None:
    first, second, _ = resolve([doc("R"), doc("COPY"), doc("R", "Other words now.", 9)])
    assert first.valid_to == dt.date(2026, 1, 9)
    assert second.duplicate_of is None


@given(st.lists(st.builds(doc, st.sampled_from("AB"), st.sampled_from(["a b", "a c", LONG]), st.integers(1, 3))))
@settings(max_examples=100, deadline=None)
def test_resolving_what_is_resolved_changes_nothing(documents: list[Document]) -> None:
    once = resolve(documents)
    assert resolve(once) == once
    by_id = {document.document_id: document for document in once}
    for document in once:
        if document.duplicate_of:
            assert by_id[document.duplicate_of].duplicate_of is None


def _exact(texts: list[str]) -> set[tuple[int, int]]:
    """By definition, every pair compared."""
    sets: list[set[tuple[str, ...]]] = []
    for text in texts:
        words = text.split(" ")
        width = min(5, len(words))
        sets.append({tuple(words[i : i + width]) for i in range(len(words) - width + 1)})
    return {
        (i, j)
        for i in range(len(texts))
        for j in range(i + 1, len(texts))
        if len(sets[i] & sets[j]) >= 0.9 * len(sets[i] | sets[j])
    }


@given(st.integers(0, 10_000))
@settings(max_examples=60, deadline=None)
def test_the_prefix_filter_misses_no_pair(seed: int) -> None:
    rng = random.Random(seed)
    texts: list[str] = []
    for _ in range(6):
        words = rng.choices(WORDS[:12], k=rng.randint(1, 90))
        texts.append(" ".join(words))
        for _ in range(rng.randint(0, 3)):
            words = list(words)
            words[rng.randrange(len(words))] = rng.choice(WORDS[:12])
            texts.append(" ".join(words[: rng.randint(max(1, len(words) - 3), len(words))]))
    texts = list(dict.fromkeys(texts))
    order = list(range(len(texts)))
    rng.shuffle(order)
    index = Index(texts)
    found: set[tuple[int, int]] = set()
    for j in order:
        found.update((min(i, j), max(i, j)) for i in index.like(j))
        index.add(j)
    assert found == _exact(texts)


def test_a_thousand_copies_cost_what_one_costs_each() -> None:
    changed = [LONG.replace(LONG.split()[7], word, 1) for word in WORDS]
    documents = [doc(f"D{i}", text, day=None) for i, text in enumerate(changed * 6)]
    kept = [document for document in resolve(documents) if document.duplicate_of is None]
    assert len(documents) > 1000
    assert len(kept) == 1


def test_words_of_scripts_without_blanks_are_their_characters() -> None:
    assert normalised("第三条。Article 3") == "第 三 条 article 3"
