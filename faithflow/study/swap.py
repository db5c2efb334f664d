"""What a swap of models asks for: which embedders' answers are to be made anew, and whether to judge again."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field

from faithflow.identity import digest
from faithflow.study.model import Study
from faithflow.study.systems import systems_fingerprint


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
            systems_fingerprint(study.generator, study.reranker, study.web, study.scope, study.pipelines),
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
    """What the sensor remembers from tick to tick: the models that it saw last, and the partitions that are to be
    judged once their answers, asked for under the id `swap`, are there."""

    models: Models
    swap: str = ""
    answering: tuple[str, ...] = ()
    judging: tuple[str, ...] = field(default=())

    def to_json(self) -> str:
        models = {"embedders": dict(self.models.embedders), "generator": self.models.generator}
        return json.dumps(
            {
                "models": {**models, "judges": self.models.judges},
                "swap": self.swap,
                "answering": self.answering,
                "judging": self.judging,
            }
        )

    @staticmethod
    def from_json(text: str) -> "Watch":
        said = json.loads(text)
        return Watch(Models(**said["models"]), said["swap"], tuple(said["answering"]), tuple(said["judging"]))
