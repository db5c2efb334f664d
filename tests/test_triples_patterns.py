"""The pattern extractor: which facts of a sentence become triples, and which do not."""

import asyncio
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from benchmarks.triples import counts, halves, ontology
from faithflow.graph.extraction import Source
from faithflow.graph.names import RELATION
from faithflow.graph.patterns import NOT_ENGLISH, PatternExtractor, extract


def facts(text: str, **more: str) -> set[tuple[str, str, str]]:
    return {(t.head, t.relation, t.tail) for t in extract(Source("d", "p", 0, text, **more))}


def types(text: str) -> dict[str, str]:
    triples = extract(Source("d", "p", 0, text))
    return {t.head: t.head_type for t in triples} | {t.tail: t.tail_type for t in triples}


@pytest.mark.parametrize(
    ("sentence", "triple"),
    [
        ("The Ports Agency was founded by Ada Lund.", ("Ports Agency", "FOUNDED_BY", "Ada Lund")),
        ("The Ports Agency was founded in 1998.", ("Ports Agency", "FOUNDED_IN", "1998")),
        ("The Ports Agency, founded in 1998, runs two ferries.", ("Ports Agency", "FOUNDED_IN", "1998")),
        ("The Ports Agency, founded in 1998, runs two ferries.", ("Ports Agency", "RUNS", "two ferries")),
        ("The Ports Agency is located in Valletta, Malta.", ("Ports Agency", "LOCATED_IN", "Malta")),
        ("The Ports Agency is located in Valletta.", ("Ports Agency", "LOCATED_IN", "Valletta")),
        ("The Ports Agency in Valletta employs 85 people.", ("Ports Agency", "LOCATED_IN", "Valletta")),
        ("The Ports Agency in Valletta employs 85 people.", ("Ports Agency", "EMPLOYS", "85 people")),
        ("Ursula Berg, President of the Council, spoke.", ("Ursula Berg", "PRESIDENT_OF", "Council")),
        (
            "Ursula Berg, President of the Council, spoke.",
            ("Ursula Berg", "HOLDS_POSITION", "President of the Council"),
        ),
        ("Ursula Berg was the third President of Nauru.", ("Ursula Berg", "HOLDS_POSITION", "President of Nauru")),
        ("Ursula Berg is a former President of Nauru.", ("Ursula Berg", "HELD_POSITION", "President of Nauru")),
        ("Ursula Berg served as mayor of Skarvik until 2019.", ("Ursula Berg", "MAYOR_OF", "Skarvik")),
        ("We met Commissioner Maria Vella, who likes ships.", ("Maria Vella", "HOLDS_POSITION", "Commissioner")),
        ("The director of the Ports Agency is Ada Lund.", ("Ports Agency", "DIRECTOR", "Ada Lund")),
        ("Trane, whose home port is Malta, grew.", ("Trane", "HOME_PORT", "Malta")),
        ("The Ports Agency has an annual budget of EUR 5 million.", ("Ports Agency", "BUDGET", "EUR 5 million")),
        ("There are 85 staff at the Ports Agency.", ("Ports Agency", "HAS", "85 staff")),
        ("Malta and Greece signed the Coast Charter.", ("Greece", "SIGNED", "Coast Charter")),
        ("Malta signed the Coast Charter and joined the Ports Union.", ("Malta", "JOINED", "Ports Union")),
        ("The Fund supports ferries, ports and yards.", ("Fund", "SUPPORTS", "yards")),
        ("The software shall record each failed login.", ("software", "SHALL_RECORD", "failed login")),
        ("The software shall not store passwords.", ("software", "SHALL_NOT_STORE", "passwords")),
        ("Operators must submit a plan by 30 June 2026.", ("Operators", "MUST_SUBMIT_BY", "30 June 2026")),
        ("The Agency does not pay fines.", ("Agency", "DOES_NOT_PAY", "fines")),
        ("Authorities impose no fines.", ("Authorities", "IMPOSE_NO", "fines")),
        ("The Act entered into force on 16 January 2023.", ("Act", "ENTERED_INTO_FORCE_ON", "16 January 2023")),
        ("Fines reach up to EUR 15 million.", ("Fines", "REACH", "up to EUR 15 million")),
        ("In 2001, the Agency adopted the Coast Charter.", ("Agency", "ADOPTED_IN", "2001")),
        ("Ada Lund (born 6 July 1940) is a Maltese engineer.", ("Ada Lund", "BORN_ON", "6 July 1940")),
        ("Ada Lund (3 May 1940 - 9 May 2001) built ships.", ("Ada Lund", "DIED_ON", "9 May 2001")),
        ("Yards that close a dock must repay the aid.", ("Yards", "MUST_REPAY", "aid")),
        ("Malta paid for two ferries that will cross the Sound.", ("two ferries", "WILL_CROSS", "Sound")),
        ("The yard would have been built by Ada Lund.", ("yard", "WOULD_HAVE_BEEN_BUILT_BY", "Ada Lund")),
        ("The gate shall queue ships and refuse trucks.", ("gate", "SHALL_REFUSE", "trucks")),
        ("The gate shall not open doors or raise alarms.", ("gate", "SHALL_NOT_RAISE", "alarms")),
        ("Operators must have a plan.", ("Operators", "MUST_HAVE", "plan")),
        ("Chinabank is a bank with 5594 employees that was founded in 1920.", ("Chinabank", "FOUNDED_IN", "1920")),
    ],
)
def test_a_pattern_gives_its_triple(sentence: str, triple: tuple[str, str, str]) -> None:
    assert triple in facts(sentence)


@pytest.mark.parametrize(
    "sentence",
    [
        "We have decided to act today.",
        "No Member State has asked for an extension.",
        "What did the Commission adopt?",
        "Moreover, quickly and without delay.",
        "",
        "§ 12 – (a) … ;",
    ],
)
def test_what_states_no_fact_about_a_named_thing_gives_no_triple(sentence: str) -> None:
    assert facts(sentence) == set()


def test_an_abbreviation_is_recorded_once_and_its_later_uses_are_written_out() -> None:
    found = facts("The Harbour Fund (HF) opened in 2026. The HF pays for ferries.")
    assert ("Harbour Fund", "ABBREVIATED_AS", "HF") in found
    assert ("Harbour Fund", "PAYS_FOR", "ferries") in found
    assert not any("HF" in head for head, _, _ in found)


def test_pronouns_stand_for_the_subject_before_them() -> None:
    text = "The Harbour Agency was founded in 1998. It employs 85 people. Its director is Ada Lund. She leads a team."
    found = facts(text)
    assert ("Harbour Agency", "EMPLOYS", "85 people") in found
    assert ("Harbour Agency", "DIRECTOR", "Ada Lund") in found
    assert not any(head.lower() in ("it", "its", "she") for head, _, _ in found)


def test_a_short_form_stands_for_the_full_name_before_it() -> None:
    found = facts("The European Commission proposed the Coast Act. The Commission presented the act in Malta.")
    assert ("European Commission", "PRESENTED_IN", "Malta") in found


def test_the_title_tells_what_the_first_pronoun_means() -> None:
    assert ("Coast Act", "ENTERED_INTO_FORCE_ON", "3 May 2026") in facts(
        "It entered into force on 3 May 2026.", title="Coast Act published"
    )


def test_today_is_the_date_of_the_document() -> None:
    sentence = "The Commission has today adopted the Coast Act."
    assert ("Commission", "ADOPTED_ON", "2026-03-03") in facts(sentence, date="2026-03-03")
    assert not any("ON" in relation.split("_") for _, relation, _ in facts(sentence))


def test_what_is_only_said_to_be_so_is_no_fact() -> None:
    assert not any(relation == "SAID" for _, relation, _ in facts("Ada Lund said that the Fund supports ferries."))


def test_names_have_types() -> None:
    text = (
        "President Ada Lund of the Ports Agency signed the Coast Treaty in Malta on 3 May 2026. "
        "The Coast Programme pays EUR 5 million and covers 12% of the cost."
    )
    found = types(text)
    assert found["Ada Lund"] == "PERSON" or found["Ada Lund of the Ports Agency"] == "PERSON"
    assert (found["Coast Treaty"], found["Malta"], found["3 May 2026"]) == ("DOCUMENT", "PLACE", "DATE")
    assert (found["Coast Programme"], found["EUR 5 million"]) == ("PROGRAMME", "AMOUNT")


def test_the_span_is_the_stating_characters_of_the_document() -> None:
    text = "An introduction. The Ports Agency was founded in 1998. More follows."
    source = Source("d", "p", 40, text)
    (triple,) = [t for t in extract(source) if t.relation == "FOUNDED_IN"]
    assert triple.char_start is not None
    assert triple.char_end is not None
    assert text[triple.char_start - 40 : triple.char_end - 40] == "Ports Agency was founded in 1998"


def test_a_passage_in_another_language_has_failed_and_is_no_empty_success() -> None:
    extractor = PatternExtractor()
    german = asyncio.run(extractor.extract(Source("d", "p", 0, "Die Agentur wurde 1998 gegründet.", language="de")))
    assert (german.triples, german.failure) == ((), NOT_ENGLISH)
    english = asyncio.run(extractor.extract(Source("d", "p", 0, "Well.", language="en")))
    assert (english.triples, english.failure) == ((), None)


_VOCABULARY = """
The the Agency Malta (EC) was is founded by in of , . and which whose that its to not 1998 EUR 5% said has will
President Ada Lund “ ” " ' 's ( ) for on every no it It There 3 May 2026 with as – ; : é shall Dr. all each two
"""
_WORDS = st.sampled_from([*_VOCABULARY.split(), "\u00a0", "\n", "\n\n"])


@settings(deadline=None)
@given(st.lists(_WORDS, max_size=40).map(" ".join))
def test_any_text_gives_well_formed_triples_and_the_same_ones_each_time(text: str) -> None:
    source = Source("d", "p", 7, text)
    triples = extract(source)
    assert triples == extract(source)
    for triple in triples:
        assert triple.head.strip()
        assert triple.tail.strip()
        assert RELATION.fullmatch(triple.relation)
        assert triple.relation.isupper()
        assert triple.char_start is not None
        assert triple.char_end is not None
        assert 7 <= triple.char_start < triple.char_end <= 7 + len(text)


@settings(deadline=None)
@given(st.text(max_size=300))
def test_no_text_breaks_the_extractor(text: str) -> None:
    assert all(triple.head and triple.tail for triple in extract(Source("d", "p", 0, text)))


@pytest.mark.data
@pytest.mark.parametrize(
    ("name", "precision", "recall"),
    [("1_university", 0.28, 0.31), ("7_company", 0.47, 0.43), ("8_politics", 0.09, 0.2)],
)
def test_the_halves_that_nothing_was_written_on_keep_their_figures(
    data: Path, name: str, precision: float, recall: float
) -> None:
    """Bounds a little below the figures of docs/graph.md; gold is not complete, so precision is a lower bound."""
    found = counts(halves(ontology(name, data))["second"], relations=False)
    assert found.correct / found.triples > precision
    assert found.found / found.gold > recall
