"""What a swap of models asks for: which embedders' answers are to be made anew, and whether to judge again."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass

from faithflow.identity import digest
from faithflow.study.model import Study
from faithflow.study.systems import systems_fingerprint


def answering_fingerprint(study: Study) -> str:
    """The hash of all that decides the answers, but for the embedder."""
    parts = systems_fingerprint(study.generator, study.reranker, study.web, study.scope, study.ask, study.pipelines)
    return digest([parts, study.answer_repeats])


@dataclass(frozen=True, slots=True)
class Models:
    """The fingerprints of the models that a study names."""

    embedders: Mapping[str, str]
    generator: str
    judges: str

    @staticmethod
    def of(study: Study) -> "Models":
        return Models(
            {embedder.name: embedder.fingerprint for embedder in study.embedders},
            answering_fingerprint(study),
            systems_fingerprint(*study.judges),
        )

    def swapped_since(self, before: "Models") -> tuple[str, ...]:
        """The embedders whose answers another model would give now: all of them after a swap of the generator."""
        everything = self.generator != before.generator
        return tuple(n for n, model in self.embedders.items() if everything or before.embedders.get(n) != model)

    @property
    def id(self) -> str:
        return digest([dict(self.embedders), self.generator, self.judges])[:16]


@dataclass(frozen=True, slots=True)
class Watch:
    """What the sensor remembers from tick to tick: the models that it saw last, the id of the last swap, the embedders
    whose answers were asked for under that id, and the partitions that are to be judged once these are there."""

    models: Models
    swap: str
    answering: tuple[str, ...] = ()
    judging: tuple[str, ...] = ()

    def after(self, models: Models, partitions: Sequence[str]) -> "Watch":
        """What is to be done where the study names these models now, and has these partitions.

        The id of a swap holds all swaps before it: a model that comes back is asked anew. What an earlier swap asked
        for and is still waited for stays; where only judges were swapped, so does its id.
        """
        swapped = models.swapped_since(self.models)
        rejudged = partitions if models.judges != self.models.judges else swapped
        waiting = bool(self.answering) and not swapped
        return Watch(
            models,
            self.swap if waiting else digest([self.swap, models.id])[:16],
            tuple(name for name in partitions if name in self.answering or name in swapped),
            tuple(name for name in partitions if name in self.judging or name in rejudged),
        )

    def to_json(self) -> str:
        return json.dumps(asdict(self))

    @staticmethod
    def from_json(text: str) -> "Watch":
        said = json.loads(text)
        return Watch(Models(**said["models"]), said["swap"], tuple(said["answering"]), tuple(said["judging"]))
