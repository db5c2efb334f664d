"""The answers of a home under one embedder, how they came about, what they cite, and how well."""

import asyncio
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import polars as pl

from faithflow.corpus.asking import asked
from faithflow.corpus.citation_vocabulary import vocabulary_of
from faithflow.corpus.document import Question
from faithflow.corpus.trace import TRACES_EMBEDDER
from faithflow.errors import UserError
from faithflow.judging.dates import today
from faithflow.metrics.citation_scores import citation_scores, citations_frame
from faithflow.pipelines.frames import AnswerFrames
from faithflow.pipelines.model import Generator
from faithflow.pipelines.replay import ReplayError, request_of
from faithflow.study.model import Study
from faithflow.tables.registry import table
from resources.answer_run import answer_partition
from resources.home import Home
from resources.parquet import Written
from resources.systems import open_generator, opened_callers, opened_tools

Say = Callable[[str], None]

# The offline generator is bound by the processor: more at once only wait for one another.
_OFFLINE_WORKERS = 4


def answer_questions(home: Home, study: Study, embedder: str, say: Say) -> Mapping[str, Written]:
    """Write one embedder's partitions of `answers`, `steps` and `retrievals`; what the ledger holds is not asked again.

    The partition of the users' answers has none. Raises UserError where there is nothing to ask or a key is not set,
    StoreError where a store fails: the same command goes on once it is back.
    """
    partition = {"embedder": embedder}
    with home.deriving(f"answers-{embedder}"):
        if embedder == TRACES_EMBEDDER:
            frames = AnswerFrames(*(table(name).empty() for name in ("answers", "steps", "retrievals")))
        else:
            frames = asyncio.run(_answer(home, study, embedder, say))
        return {
            "answers": home.warehouse.write("answers", frames.answers, partition),
            "steps": home.warehouse.write("steps", frames.steps, partition),
            "retrievals": home.warehouse.write("retrievals", frames.retrievals, partition),
        }


def cite(home: Home, embedder: str) -> Written:
    """Write one embedder's partition of `citations`."""
    partition = {"embedder": embedder}
    with home.deriving(f"citations-{embedder}"):
        warehouse = home.warehouse
        vocabulary = vocabulary_of(warehouse.read("documents"), warehouse.read("passages"))
        answers, retrievals = warehouse.read("answers", partition), warehouse.read("retrievals", partition)
        return warehouse.write("citations", citations_frame(answers, retrievals, vocabulary, embedder), partition)


def score_citations(home: Home, embedder: str) -> Written:
    """Write one embedder's partition of `citation_scores`."""
    partition = {"embedder": embedder}
    with home.deriving(f"citation_scores-{embedder}"):
        warehouse = home.warehouse
        answers, citations, retrievals = (
            warehouse.read(name, partition) for name in ("answers", "citations", "retrievals")
        )
        scores = citation_scores(answers, citations, retrievals, warehouse.read("questions"), embedder)
        return warehouse.write("citation_scores", scores, partition)


@dataclass(frozen=True, slots=True)
class Replayed:
    """How many of an embedder's answers took a call, and why the requests of some cannot be built again."""

    requests: int
    faults: tuple[str, ...]


def replay_answers(home: Home, study: Study, embedder: str) -> Replayed:
    """Build the last request of every answer again from the tables `answers`, `steps` and `retrievals`.

    Raises UserError where the generator's key is not set.
    """
    partition = {"embedder": embedder}
    answers, steps, retrievals = (home.warehouse.read(name, partition) for name in ("answers", "steps", "retrievals"))
    asked = answers.drop_nulls("request_key")
    if asked.is_empty():
        return Replayed(0, ())
    texts = dict(home.warehouse.read("questions").select("question_id", "question").iter_rows())
    generator = asyncio.run(_generator(home, study))
    acts, seen = (_by_answer(frame) for frame in (steps, retrievals.drop_nulls("position")))
    faults: list[str] = []
    for answer in asked.sort("answer_id").iter_rows(named=True):
        own, identity = texts[answer["question_id"]], answer["answer_id"]
        try:
            request_of(own, answer, acts.get(identity, ()), seen.get(identity, ()), generator)
        except ReplayError as error:
            faults.append(str(error))
    return Replayed(asked.height, tuple(faults))


def _by_answer(frame: pl.DataFrame) -> Mapping[str, list[dict[str, Any]]]:
    groups = frame.group_by("answer_id", maintain_order=True)
    return {str(key[0]): rows.to_dicts() for key, rows in groups}


async def _answer(home: Home, study: Study, embedder: str, say: Say) -> AnswerFrames:
    rows = await asyncio.to_thread(home.warehouse.read, "questions")
    rows = asked(rows, study.ask)
    if rows.is_empty():
        raise UserError("there are no questions here yet: materialize `questions` first")
    questions = [
        Question(row["question"], row["topic"], row["stratum"], id=row["question_id"])
        for row in rows.sort("question_id").iter_rows(named=True)
    ]
    async with opened_callers(home, study) as callers:
        as_of = study.scope.as_of or today()
        async with opened_tools(home, study, embedder, callers, as_of) as tools:
            offline = study.generator.provider == "baseline"
            workers = _OFFLINE_WORKERS if offline else study.generator.max_concurrency
            return await answer_partition(questions, study.pipelines, tools, study.answer_repeats, say, workers)


async def _generator(home: Home, study: Study) -> Generator:
    async with opened_callers(home, study) as callers:
        return open_generator(study, callers)
