"""The requirement set of the sample: drawn by a seed from a taxonomy of modules, functions and attributes.

A function has one system requirement (SYS), for each of its attributes a high-level one (HLR), and for each
of these two low-level ones (LLR) whose values fit the parent's. One test (TST) a function checks its first HLR. Links:
HLR and LLR `derives_from` their parent, an HLR `satisfies` the objective of its attribute, a test `traces_to` the HLR
and its LLRs, and a function's last HLR `references` the first one of the function that it uses.
"""

import datetime as dt
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar

import yaml
from pydantic import BaseModel, ConfigDict

from faithflow.corpus.document import Document, Link
from faithflow.identity import digest
from faithflow.sample.content import sample_corpus

KIND = "requirement"
TOPIC = "requirements"
LICENCE = "Apache-2.0"

_Option = TypeVar("_Option")


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class Objective(_Strict):
    """A quality of the whole platform: a system requirement without children, which HLRs satisfy."""

    title: str
    text: str
    reason: str


class Attribute(_Strict):
    """What can be required of any function: sentences in several wordings, and sets of values that agree."""

    name: str
    objective: str
    values: list[dict[str, int | float | str]]
    high: list[str]
    low: tuple[list[str], list[str]]
    test: str


class Function(_Strict):
    """What the platform does, with the words that fill the attributes' sentences."""

    name: str
    text: str
    reason: str
    component: str
    trigger: str
    result: str
    unit: str
    units: str
    quantity: str
    records: str
    role: str
    change: str
    failure: str
    supply: str
    uses: str


class Module(_Strict):
    name: str
    functions: dict[str, Function]


class Taxonomy(_Strict):
    seed: int
    date: dt.date
    attributes_each: int
    objectives: dict[str, Objective]
    attributes: dict[str, Attribute]
    modules: dict[str, Module]


@dataclass(frozen=True, slots=True)
class RequirementSet:
    documents: tuple[Document, ...]
    links: tuple[Link, ...]


def taxonomy() -> Taxonomy:
    """The shipped taxonomy. Raises pydantic's ValidationError where it has another shape."""
    source = sample_corpus() / "taxonomy.yaml"
    return Taxonomy.model_validate(yaml.safe_load(source.read_text(encoding="utf-8")))


def requirement_set(source: Taxonomy) -> RequirementSet:
    """All requirements, by level and number, and their links.

    Draws are hashes of the seed and of what is drawn for, so they hold on every version of Python, and another function
    in the taxonomy moves no other's attributes. Raises KeyError where `uses` or an objective names nothing.
    """
    return _Writer(source).written()


def drawn(options: Sequence[_Option], *path: str | int) -> list[_Option]:
    """The options in an order that the path decides."""
    order = sorted(range(len(options)), key=lambda index: digest([*path, index]))
    return [options[index] for index in order]


class _Writer:
    def __init__(self, source: Taxonomy) -> None:
        self._source = source
        self._functions = {
            f"{code}/{key}": (module, function)
            for code, module in source.modules.items()
            for key, function in module.functions.items()
        }
        self._drawn = {
            key: drawn(list(source.attributes), source.seed, key)[: source.attributes_each] for key in self._functions
        }
        self._objectives = {
            key: f"SYS-{number:03}" for number, key in enumerate(source.objectives, start=len(self._functions) + 1)
        }
        self._documents: dict[str, list[Document]] = {"SYS": [], "HLR": [], "LLR": [], "TST": []}
        self._links: list[Link] = []

    def written(self) -> RequirementSet:
        for number, (key, (module, function)) in enumerate(self._functions.items()):
            system = self._add("SYS", f"{module.name}: {function.name}", _reasoned(function.text, function.reason))
            for place, attribute in enumerate(self._drawn[key]):
                used = self._first_high(function.uses) if place == self._source.attributes_each - 1 else None
                self._write_high(key, attribute, system, number, place, used)
        for objective in self._source.objectives.values():
            self._add("SYS", objective.title, _reasoned(objective.text, objective.reason))
        documents = tuple(document for level in self._documents.values() for document in level)
        return RequirementSet(documents, tuple(self._links))

    def _write_high(self, key: str, name: str, system: str, number: int, place: int, used: str | None) -> None:
        module, function = self._functions[key]
        attribute = self._source.attributes[name]
        words = {**function.model_dump(), **self._values(key, name)}
        title = f"{module.name}: {function.name}, {attribute.name}"
        statement = _sentence(attribute.high, words, number)
        if used is not None:
            _, other = self._functions[function.uses]
            statement += f" It relies on the {other.component} as required in {used}."
        high = self._add("HLR", title, statement)
        self._links.append(Link(high, "derives_from", system))
        self._links.append(Link(high, "satisfies", self._objectives[attribute.objective]))
        if used is not None:
            self._links.append(Link(high, "references", used))
        lows = [
            self._add("LLR", f"{title} ({part})", _sentence(wordings, words, number + part))
            for part, wordings in enumerate(attribute.low, start=1)
        ]
        self._links += [Link(low, "derives_from", high) for low in lows]
        if place == 0:
            test = self._add("TST", f"Test of {high}: {title}", _sentence([attribute.test], words, 0))
            self._links += [Link(test, "traces_to", checked) for checked in (high, *lows)]

    def _values(self, key: str, name: str) -> Mapping[str, int | float | str]:
        """The functions that have an attribute take its sets of values in turn, from a drawn order."""
        sharers = [other for other in self._functions if name in self._drawn[other]]
        values = drawn(self._source.attributes[name].values, self._source.seed, name)
        return values[sharers.index(key) % len(values)]

    def _first_high(self, key: str) -> str:
        if key not in self._functions:
            raise KeyError(f"`uses` names {key}, which is no function of the taxonomy")
        return f"HLR-{list(self._functions).index(key) * self._source.attributes_each + 1:03}"

    def _add(self, level: str, title: str, text: str) -> str:
        reference = f"{level}-{len(self._documents[level]) + 1:03}"
        self._documents[level].append(
            Document(
                reference,
                KIND,
                title,
                text,
                date=self._source.date,
                source_url=f"https://requirements.example.org/hop/{reference.lower()}",
                licence=LICENCE,
                topics=(TOPIC,),
            )
        )
        return reference


def _reasoned(text: str, reason: str) -> str:
    return f"{text}\n\nRationale: {reason}"


def _sentence(wordings: Sequence[str], words: Mapping[str, str | int | float], number: int) -> str:
    filled = wordings[number % len(wordings)].format_map(words)
    return filled[0].upper() + filled[1:]
