"""The way to an answer while it is made: its steps, the passages seen and what became of each, and its model calls."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal

from faithflow.corpus.document import Question
from faithflow.identity import Json, content_id
from faithflow.llm.model import Call, Request
from faithflow.pipelines.evidence import Evidence, evidence_of
from faithflow.pipelines.model import Outcome, PipelineKey, Retrieved, Step, Tools
from faithflow.retrieval.model import IndexedPassage, Source


@dataclass(frozen=True, slots=True)
class Found:
    """A passage as a step found it: with the step's score, and how a walk came to it (see `Retrieved`)."""

    passage: IndexedPassage
    score: float | None = None
    path: tuple[str, ...] = ()
    via: str = ""


@dataclass(slots=True)
class Trajectory:
    """What a pipeline did so far for one question. Passages seen are named by their places in `retrieved`.

    `links` are the corpus' links that were asked for, in words, by the ids of the two passages that they join.
    """

    question: Question
    pipeline: PipelineKey
    tools: Tools
    repeat: int
    steps: list[Step] = field(default_factory=list[Step])
    retrieved: list[Retrieved] = field(default_factory=list[Retrieved])
    links: dict[tuple[str, str], tuple[str, ...]] = field(default_factory=dict[tuple[str, str], tuple[str, ...]])
    calls: list[Call] = field(default_factory=list[Call])

    @property
    def trace_id(self) -> str:
        """The id under which the ledger keeps this answer's calls."""
        embedder = self.tools.embedder.name
        return content_id("r", [self.question.question_id, self.pipeline, embedder, self.repeat])

    def step(self, tool: str, query: str, detail: Mapping[str, Json], request_key: str | None = None) -> Step:
        """Record an act."""
        step = Step(len(self.steps), tool, query, detail, request_key)
        self.steps.append(step)
        return step

    def see(self, step: Step, source: Source, found: Iterable[Found]) -> list[int]:
        """Record the passages that a step found, best first; their places."""
        first = len(self.retrieved)
        for rank, one in enumerate(found, start=1):
            self.retrieved.append(
                Retrieved(
                    step=step.number,
                    tool=step.tool,
                    query=step.query,
                    rank=rank,
                    score=one.score,
                    source=source,
                    passage=one.passage,
                    path=one.path,
                    via=one.via,
                )
            )
        return list(range(first, len(self.retrieved)))

    def cut(self, places: Iterable[int], reason: str) -> None:
        """Say why these passages go no further."""
        for place in places:
            self.retrieved[place] = replace(self.retrieved[place], cut=reason)

    def distinct(self, places: Sequence[int], beside: Sequence[int] = ()) -> list[int]:
        """The first sighting of each passage that is not `beside` already; the others are cut as duplicates."""
        known = {self.retrieved[place].passage.passage_id for place in beside}
        kept: list[int] = []
        for place in places:
            passage_id = self.retrieved[place].passage.passage_id
            if passage_id in known:
                self.cut((place,), "duplicate")
            else:
                known.add(passage_id)
                kept.append(place)
        return kept

    def evidence(self, places: Sequence[int]) -> tuple[Evidence, ...]:
        """The pieces that a model is shown of these passages, in their order."""
        seen = [self.retrieved[place] for place in places]
        links: dict[str, tuple[str, ...]] = {}
        for ends, words in self.links.items():
            for end in ends:
                links[end] = (*links.get(end, ()), *words)
        return evidence_of([(one.passage, one.source) for one in seen], links)

    def keep(self, places: Sequence[int]) -> tuple[Evidence, ...]:
        """Mark what the generator is given, in this order; the pieces as it is shown them."""
        pieces = self.evidence(places)
        for position, (place, piece) in enumerate(zip(places, pieces, strict=True)):
            self.retrieved[place] = replace(
                self.retrieved[place],
                kept=True,
                position=position,
                label=piece.label,
                cite_as=piece.cite_as,
                links=piece.links,
            )
        return pieces

    def part(self) -> "Trajectory":
        """An empty trajectory for a tool that runs beside others; `join` takes its steps in."""
        return Trajectory(self.question, self.pipeline, self.tools, self.repeat)

    def join(self, part: "Trajectory", places: Sequence[int]) -> list[int]:
        """Take in the steps of a part behind the own ones; the places of its passages here."""
        steps, passages = len(self.steps), len(self.retrieved)
        self.steps += [replace(step, number=step.number + steps) for step in part.steps]
        self.retrieved += [replace(seen, step=seen.step + steps) for seen in part.retrieved]
        self.links |= part.links
        self.calls += part.calls
        return [place + passages for place in places]

    def outcome(
        self,
        answer: str,
        status: Literal["answered", "inconclusive", "failed"],
        reason: str | None = None,
        request: Request | None = None,
    ) -> Outcome:
        """The end of the trajectory: what came of it and what its calls took, replayed ones too."""
        costs = [call.cost for call in self.calls if call.cost is not None]
        return Outcome(
            answer=answer,
            status=status,
            reason=reason,
            steps=tuple(self.steps),
            retrieved=tuple(self.retrieved),
            request=request,
            calls=len(self.calls),
            prompt_tokens=sum(call.prompt_tokens for call in self.calls),
            completion_tokens=sum(call.completion_tokens for call in self.calls),
            cost=sum(costs) if len(costs) == len(self.calls) else None,
            latency_s=sum(call.latency_s for call in self.calls),
        )
