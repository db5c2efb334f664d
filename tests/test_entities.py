"""Entity resolution: which names become one entity, which never do, and that every merge can be seen and undone."""

import itertools
from random import Random

import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from faithflow.errors import StudyError
from faithflow.graph.entities import ABBREVIATED_AS, Resolution, resolve
from faithflow.graph.model import Triple
from tests.triples import triple


def naming(*names: str, document: str = "d", **more: str) -> list[Triple]:
    """A triple a name; the other ends are all different values."""
    ends = [f"{number} things of {document}" for number in range(len(names))]
    return [triple(name, "HAS", end, document_id=document, **more) for name, end in zip(names, ends, strict=True)]


def groups(resolution: Resolution) -> set[frozenset[str]]:
    found = {frozenset(entity.surfaces) for entity in resolution.entities}
    return {group for group in found if not any("things of" in name for name in group)}


def rule(resolution: Resolution, surface: str) -> str:
    return resolution.frame.filter(surface=surface)["rule"][0]


@pytest.mark.parametrize(
    ("a", "b", "name", "why"),
    [
        ("european commission", "European Commission", "European Commission", "case"),
        ("The European Commission", "European Commission", "European Commission", "article"),
        ("Orsund Pörts", "Orsund Ports", "Orsund Ports", "accents"),
        ("European Commission's", "European Commission", "European Commission", "possessive"),
        ("Member States'", "Member States", "Member States", "possessive"),
        ("Bosnia-Herzegovina", "Bosnia Herzegovina", "Bosnia Herzegovina", "punctuation"),
        ("E.C.", "European Commission", "European Commission", "abbreviation"),
        ("the EC", "European Commission", "European Commission", "abbreviation"),
        ("DoT", "Department of Trade", "Department of Trade", "abbreviation"),
    ],
)
def test_two_spellings_of_one_name_are_one_entity_under_the_fullest(a: str, b: str, name: str, why: str) -> None:
    resolution = resolve(naming(a, b))
    assert groups(resolution) == {frozenset({a, b})}
    assert resolution.entity(a).name == name
    other = b if name == a else a
    assert rule(resolution, other) == why
    assert rule(resolution, name) == "itself"


@pytest.mark.parametrize(
    ("a", "b"),
    [
        ("EUR 1.5 million", "EUR 15 million"),
        ("5%", "5"),
        ("2001", "2002"),
        ("3 May 2026", "3 June 2026"),
        ("Regulation 2022/2554", "Regulation 2022-2554"),
        ("Article 5(1)", "Article 51"),
        ("-5", "5"),
        ("Commission", "European Commission"),
        ("European Commission", "European Council"),
        ("EC", "European Parliament"),
    ],
)
def test_what_may_be_two_things_stays_two(a: str, b: str) -> None:
    assert groups(resolve(naming(a, b))) == {frozenset({a}), frozenset({b})}


def test_an_abbreviation_with_two_full_names_in_its_documents_is_merged_with_none() -> None:
    assert len(groups(resolve(naming("EC", "European Commission", "European Council")))) == 3


def test_a_definition_decides_between_two_full_names() -> None:
    defined = triple("European Council", ABBREVIATED_AS, "EC", document_id="d")
    resolution = resolve([defined, *naming("EC", "European Commission", "European Council")])
    assert resolution.entity("EC").name == "European Council"


def test_an_abbreviation_that_is_defined_in_two_ways_is_merged_with_none() -> None:
    defined = [
        triple("European Council", ABBREVIATED_AS, "EC", document_id="d"),
        triple("European Commission", ABBREVIATED_AS, "EC", document_id="e"),
    ]
    assert len(groups(resolve(defined))) == 3


def test_initials_count_only_within_the_documents_that_use_them() -> None:
    apart = [*naming("EC", document="d"), *naming("European Commission", document="e")]
    assert len(groups(resolve(apart))) == 2


def test_the_initials_of_a_person_or_a_value_are_no_abbreviation() -> None:
    assert len(groups(resolve([*naming("AL"), *naming("Ada Lund", head_type="PERSON")]))) == 2


def test_types_are_reconciled_by_majority_and_entity_outvotes_nothing() -> None:
    many = [*naming("Fund", head_type="ENTITY"), *naming("fund", "The Fund", head_type="PROGRAMME")]
    resolution = resolve([*many, *naming("fund", head_type="PLACE", document="e")])
    assert {resolution.entity(name).type for name in ("Fund", "fund", "The Fund")} == {"PROGRAMME"}
    assert resolve(naming("Fund")).entity("Fund").type == "ENTITY"


def test_every_name_has_a_row_a_type_and_a_count() -> None:
    resolution = resolve([*naming("Fund", "fund", head_type="A"), *naming("Fund", head_type="B", document="e")])
    rows = resolution.frame.filter(pl.col("surface").str.to_lowercase() == "fund").sort("surface", "surface_type")
    assert rows.select("surface", "surface_type", "merged", "triples").rows() == [
        ("Fund", "A", False, 1),
        ("Fund", "B", False, 1),
        ("fund", "A", True, 1),
    ]
    assert rows["entity_id"].n_unique() == 1


def test_a_merge_is_undone_by_keeping_its_names_apart() -> None:
    triples = naming("the EC", "EC", "European Commission", "european commission")
    assert len(groups(resolve(triples))) == 1
    spelling = resolve(triples, [("european commission", "European Commission")])
    assert spelling.entity("european commission") is not spelling.entity("European Commission")
    short = resolve(triples, [("EC", "European Commission"), ("the EC", "European Commission")])
    assert groups(short) == {frozenset({"EC", "the EC"}), frozenset({"European Commission", "european commission"})}


def test_a_name_kept_apart_from_itself_is_an_error_that_names_the_key() -> None:
    with pytest.raises(StudyError, match=r"triples\.keep_apart"):
        resolve(naming("EC"), [("EC", "EC")])


_SURFACES = st.sampled_from(
    [
        *("EC", "E.C.", "the EC", "European Commission", "european commission", "The European Commission's"),
        *("European Council", "5%", "5", "1.5", "15", "Fund", "the fund", "Fünd"),
        *("DoT", "Department of Trade", "Dept. of Trade"),
    ]
)
_TRIPLES = st.lists(
    st.builds(
        triple,
        _SURFACES,
        st.sampled_from(["HAS", ABBREVIATED_AS]),
        _SURFACES,
        document_id=st.sampled_from(["d", "e"]),
        head_type=st.sampled_from(["ENTITY", "ORGANIZATION", "PERSON"]),
    ),
    max_size=12,
)
_APART = st.lists(st.tuples(_SURFACES, _SURFACES).filter(lambda pair: pair[0] != pair[1]), max_size=4)


@settings(deadline=None)
@given(_TRIPLES, _APART, st.randoms())
def test_the_order_of_triples_and_pairs_counts_for_nothing(
    triples: list[Triple], apart: list[tuple[str, str]], random: Random
) -> None:
    shuffled, turned = list(triples), [pair[::-1] for pair in apart]
    random.shuffle(shuffled)
    random.shuffle(turned)
    one, other = resolve(triples, apart), resolve(shuffled, turned)
    assert one.frame.equals(other.frame)
    assert one.entities == other.entities


@settings(deadline=None)
@given(_TRIPLES, _APART)
def test_names_kept_apart_are_never_together_and_every_name_stands_for_one_entity(
    triples: list[Triple], apart: list[tuple[str, str]]
) -> None:
    resolution = resolve(triples, apart)
    for entity in resolution.entities:
        assert entity.name in entity.surfaces
        for pair in itertools.permutations(entity.surfaces, 2):
            assert pair not in apart
    names = {name for each in triples for name in (each.head, each.tail)}
    assert {name for entity in resolution.entities for name in entity.surfaces} == names == set(resolution.by_surface)
    assert len({entity.entity_id for entity in resolution.entities}) == len(resolution.entities)
    assert not resolution.frame.select("surface", "surface_type").is_duplicated().any()


@settings(deadline=None)
@given(_TRIPLES)
def test_numbers_that_differ_are_never_one_entity(triples: list[Triple]) -> None:
    for entity in resolve(triples).entities:
        values = {name for name in entity.surfaces if name[0].isdigit()}
        assert len(values) <= 1
