"""Entity resolution: which names of the triples stand for one thing. Nothing is guessed from meaning: names are merged
for their spelling and their abbreviations alone, each merge has a row with its rule, and any can be forbidden."""

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import polars as pl

from faithflow.errors import StudyError
from faithflow.graph.model import Triple
from faithflow.graph.names import (
    acronym_letters,
    folded,
    initials,
    is_acronym,
    name_key,
    tidy,
    without_article,
    without_possessive,
)
from faithflow.identity import content_id
from faithflow.tables.graph import ENTITIES
from faithflow.tables.records import frame_of

ABBREVIATED_AS = "ABBREVIATED_AS"
"""The relation from a full name to the abbreviation that a text introduces for it."""

ENTITY = "ENTITY"
"""The type of what has none; it never outvotes another."""

# Values: their names are never initials of anything.
_VALUES = frozenset({"AMOUNT", "DATE", "PERCENTAGE", "NUMBER", "MONEY"})


@dataclass(frozen=True, slots=True)
class Entity:
    """One thing: its fullest name, its commonest type, and the names that stand for it, sorted."""

    entity_id: str
    name: str
    type: str
    surfaces: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Resolution:
    """The entities, and the rows of the table `entities`, sorted by surface and type."""

    entities: tuple[Entity, ...]
    frame: pl.DataFrame
    by_surface: Mapping[str, Entity]

    def entity(self, name: str) -> Entity:
        """The entity that a head or tail stands for. Raises KeyError for a name that was not among the triples."""
        return self.by_surface[name]


def resolve(triples: Iterable[Triple], keep_apart: Iterable[tuple[str, str]] = ()) -> Resolution:
    """One entity for all names that differ in case, accents, articles, possessives and punctuation only, and for a
    name and its abbreviation.

    An abbreviation is merged with the one full name that a triple ABBREVIATED_AS gives for it anywhere; where none
    does, with the one full name of its initials in the documents that use it. Where there are two such names it stays
    an entity of its own. Names with digits merge only when case, articles and spaces are all that differs. Each pair
    of `keep_apart` are names (as the triples have them) that stay in two entities. The order of the triples counts
    for nothing. Raises StudyError on a pair of twice the same name.
    """
    names = _Names.of(triples)
    apart = _apart(keep_apart)
    groups = _spelling_groups(sorted(names.counts), apart)
    groups = _with_abbreviations(groups, names, apart)
    entities: list[Entity] = []
    rows: list[dict[str, Any]] = []
    for group in groups:
        name = min(group, key=lambda surface: _rank(surface, names.counts[surface]))
        types: Counter[str] = Counter()
        for surface in group:
            types.update(names.types[surface])
        kind = _majority(types)
        entity = Entity(content_id("e", name), name, kind, tuple(sorted(group)))
        entities.append(entity)
        rows += [
            {
                "surface": surface,
                "surface_type": surface_type,
                "entity_id": entity.entity_id,
                "name": name,
                "type": kind,
                "rule": _rule(surface, name),
                "merged": surface != name,
                "triples": count,
            }
            for surface in group
            for surface_type, count in names.types[surface].items()
        ]
    entities.sort(key=lambda entity: entity.entity_id)
    frame = frame_of(ENTITIES, rows).sort("surface", "surface_type")
    return Resolution(tuple(entities), frame, {s: entity for entity in entities for s in entity.surfaces})


@dataclass(frozen=True, slots=True)
class _Names:
    """What the triples say of each name: how often it stands there, with which types, in which documents, and which
    abbreviations are defined for it."""

    counts: Counter[str]
    types: Mapping[str, Counter[str]]
    documents: Mapping[str, set[str]]
    defined: Mapping[str, set[str]]

    @staticmethod
    def of(triples: Iterable[Triple]) -> "_Names":
        counts: Counter[str] = Counter()
        types: defaultdict[str, Counter[str]] = defaultdict(Counter)
        documents: defaultdict[str, set[str]] = defaultdict(set)
        defined: defaultdict[str, set[str]] = defaultdict(set)
        for triple in triples:
            for name, kind in {(triple.head, triple.head_type), (triple.tail, triple.tail_type)}:
                types[name][kind] += 1
                documents[name].add(triple.document_id)
            counts.update({triple.head, triple.tail})
            if triple.relation == ABBREVIATED_AS and is_acronym(triple.tail):
                defined[triple.tail].add(triple.head)
        return _Names(counts, types, documents, defined)


def _apart(pairs: Iterable[tuple[str, str]]) -> Mapping[str, set[str]]:
    apart: defaultdict[str, set[str]] = defaultdict(set)
    for a, b in pairs:
        if a == b:
            raise StudyError(f"triples.keep_apart: {a!r} is paired with itself; name two different forms")
        apart[a].add(b)
        apart[b].add(a)
    return apart


def _may_join(a: Collection[str], b: Collection[str], apart: Mapping[str, set[str]]) -> bool:
    return not any(apart.get(name, set[str]()) & set(b) for name in a)


def _spelling_groups(surfaces: Sequence[str], apart: Mapping[str, set[str]]) -> list[list[str]]:
    """Names of one key together, those kept apart in as few groups as their order allows."""
    by_key: defaultdict[str, list[list[str]]] = defaultdict(list)
    for surface in surfaces:
        groups = by_key[name_key(surface)]
        group = next((group for group in groups if _may_join([surface], group, apart)), None)
        if group is None:
            groups.append([surface])
        else:
            group.append(surface)
    return [group for key in sorted(by_key) for group in by_key[key]]


def _with_abbreviations(groups: Sequence[list[str]], names: _Names, apart: Mapping[str, set[str]]) -> list[list[str]]:
    group_of = {surface: number for number, group in enumerate(groups) for surface in group}
    by_initials: defaultdict[str, set[int]] = defaultdict(set)
    for number, group in enumerate(groups):
        for surface in group:
            if not is_acronym(surface) and not names.types[surface].keys() & (_VALUES | {"PERSON"}):
                for letters in initials(surface):
                    by_initials[letters].add(number)
    # abbreviations of one spelling ("EC", "E.C.", "the EC") are one, whatever their groups
    acronyms: defaultdict[str, set[int]] = defaultdict(set)
    for surface, number in group_of.items():
        if is_acronym(surface):
            acronyms[acronym_letters(surface)].add(number)
    joined = {number: list(group) for number, group in enumerate(groups)}
    home = {number: number for number in joined}
    members = {number: [number] for number in joined}
    for letters in sorted(acronyms):
        short = sorted(acronyms[letters])
        surfaces = [surface for number in short for surface in groups[number]]
        targets = {group_of[full] for surface in surfaces for full in names.defined.get(surface, ())} - set(short)
        if not targets:
            used_in = set[str]().union(*(names.documents[surface] for surface in surfaces))
            targets = {
                number
                for number in by_initials[letters] - set(short)
                if any(names.documents[surface] & used_in for surface in groups[number])
            }
        if len(targets) > 1:
            continue
        target = home[targets.pop() if targets else short[0]]
        for number in short:
            own = home[number]
            if own != target and _may_join(joined[target], joined[own], apart):
                joined[target] += joined.pop(own)
                home |= dict.fromkeys(members[own], target)
                members[target] += members.pop(own)
    return list(joined.values())


def _rank(surface: str, count: int) -> tuple[object, ...]:
    """The fullest form first: written out, without article and possessive, longest, in mixed case, most frequent."""
    bare = without_possessive(without_article(tidy(surface)))
    shouts = surface.isupper() or surface.islower()
    return is_acronym(surface), bare != surface, -len(bare), shouts, -count, surface


def _majority(types: Counter[str]) -> str:
    told = {kind: count for kind, count in types.items() if kind != ENTITY} or {ENTITY: 1}
    return min(told, key=lambda kind: (-told[kind], kind))


def _rule(surface: str, name: str) -> str:
    """Why a name stands for the entity of another: the first difference, set aside, that makes them one."""
    if surface == name:
        return "itself"
    if " ".join(surface.split()).casefold() == " ".join(name.split()).casefold():
        return "case"
    if folded(surface) == folded(name):
        return "accents"
    bare, full = without_article(tidy(surface)), without_article(tidy(name))
    if folded(bare) == folded(full):
        return "article" if folded(tidy(surface)) != folded(tidy(name)) else "punctuation"
    if folded(without_possessive(bare)) == folded(without_possessive(full)):
        return "possessive"
    return "punctuation" if name_key(surface) == name_key(name) else "abbreviation"
