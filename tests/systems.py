"""A small study of the systems under test: a folder of documents with links and questions, an embedder, some pipelines
and a judge; and a home in which it runs."""

import json
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import dagster as dg
import yaml
from click.testing import CliRunner, Result
from dagster._core.definitions.data_version import CachingStaleStatusResolver, StaleStatus
from dagster._core.loader import LoadingContextForTest

from assets.models import report_models
from assets.partitions import night_key
from faithflow.cli.graph import STAGES, Stage
from faithflow.cli.main import cli
from faithflow.definitions import definitions
from faithflow.judging.dates import today
from resources.house import House, house
from tests.home import instance_of, materialize
from tests.scripted import JsonObject, Response, Script, answer_all, chat, payload

PIPELINES = ("vanilla", "graph_terms", "graphrag", "agentic_graph")
SECRET, OLD = "the reserve of the Ferry Fund is EUR 90 million", "grants of EUR 5 million"

DOCUMENTS: tuple[JsonObject, ...] = (
    {
        "reference": "IP/26/0101",
        "title": "Harbour Office opens the Ferry Fund",
        "date": "2026-03-03",
        "url": "https://press.example.org/ip_26_0101",
        "text": "The Harbour Office opened the Ferry Fund on 3 March 2026. The Ferry Fund pays EUR 40 million for "
        "electric ferries.",
    },
    {
        "reference": "IP/26/0102",
        "title": "Ada Lindqvist named head of the Ferry Fund",
        "date": "2026-04-01",
        "url": "https://press.example.org/ip_26_0102",
        "text": "Ada Lindqvist leads the Ferry Fund since April 2026. She was mayor of Norrvik before.",
    },
    {
        "reference": "IP/26/0103",
        "title": "Norrvik builds a charging quay",
        "date": "2026-05-05",
        "url": "https://press.example.org/ip_26_0103",
        "text": "Norrvik builds a charging quay for electric ferries. The quay costs EUR 12 million.",
    },
    {
        "reference": "NOTE-7",
        "title": "Reserve of the Ferry Fund",
        "access": "internal",
        "text": f"A note for the board of the Ferry Fund: {SECRET}, and Ada Lindqvist keeps it.",
    },
    {
        "reference": "IP/25/0900",
        "title": "Call of the Ferry Fund",
        "date": "2025-09-09",
        "valid_to": "2026-01-01",
        "text": f"The first call of the Ferry Fund gives {OLD} for electric ferries in Norrvik.",
    },
)
REQUIREMENTS = """\
id,text,links
SYS-001,The ferry shall dock within 90 seconds at any charging quay.,
HLR-010,The docking controller shall hold the ferry within 5 cm of the quay.,derives_from SYS-001
LLR-100,The thruster loop shall run at 50 Hz with a jitter below 1 ms.,satisfies HLR-010
"""
QUESTIONS: tuple[JsonObject, ...] = (
    {
        "id": "q_pay",
        "question": "How much does the Ferry Fund pay for electric ferries?",
        "stratum": "1",
        "gold": [{"reference": "IP/26/0101", "quote": "EUR 40 million"}],
        "gold_answer": "EUR 40 million",
    },
    {
        "id": "q_mayor",
        "question": "Where was the head of the Ferry Fund mayor before?",
        "stratum": "2",
        "gold": [{"reference": "IP/26/0102"}],
        "gold_answer": "Norrvik",
    },
    {"id": "q_reserve", "question": "What is the reserve of the Ferry Fund and the grants of its call?"},
)


def write_study(
    folder: Path,
    judges: Sequence[Mapping[str, Any]],
    *,
    questions: Iterable[JsonObject] = QUESTIONS,
    documents: Iterable[JsonObject] = DOCUMENTS,
    **study: Any,
) -> House:
    """The study, written to `folder` with its files, and a home in it; again to change the study or its files."""
    (folder / "documents").mkdir(parents=True, exist_ok=True)
    (folder / "requirements.csv").write_text(REQUIREMENTS, encoding="utf-8")
    _write_lines(folder / "documents" / "press.jsonl", documents)
    _write_lines(folder / "questions.jsonl", questions)
    data = {
        "name": "small",
        "corpora": [
            {"name": "press", "documents": "documents", "questions": "questions.jsonl"},
            {"name": "ferry", "documents": "requirements.csv", "format": "requirements_csv"},
        ],
        "embedders": [{"name": "lsa", "provider": "lsa"}],
        "pipelines": list(PIPELINES),
        "judges": list(judges),
        **study,
    }
    (folder / "study.yaml").write_text(yaml.safe_dump(data, sort_keys=False), encoding="utf-8")
    return house(folder / "home", folder / "study.yaml")


def run(place: House, *more: str) -> Result:
    """`faithflow run` as `main` calls it: errors come out as they are, the exit code as the return value."""
    return command("run", place, *more)


def command(name: str, place: House, *more: str) -> Result:
    return CliRunner().invoke(cli, (name, "--study", place.study, "--home", place.home, *more), standalone_mode=False)


def make(place: House, until: str = "published") -> None:
    """All assets up to the stage of one, in the Dagster instance in memory: as `faithflow run` makes them."""
    study = place.load_study()
    report_models(instance_of(place), study)
    for stage in STAGES:
        embedders = [embedder.name for embedder in study.embedders] if stage.answering else study.partitions
        for embedder in embedders if stage.by_embedder else [None]:
            materialize(place, stage.assets, _key(stage, embedder))
        if until in stage.assets:
            return


def stale(place: House) -> dict[str, set[str | None]]:
    """The assets that Dagster calls stale, and the embedders in whose partitions they are (of today, where they have
    dates); None for an asset without partitions."""
    found: dict[str, set[str | None]] = {}
    instance, graph = instance_of(place), definitions(place).resolve_asset_graph()
    resolver = CachingStaleStatusResolver(instance, graph, LoadingContextForTest(instance))
    for stage in STAGES:
        for embedder in place.load_study().partitions if stage.by_embedder else [None]:
            for name in stage.assets:
                if resolver.get_status(dg.AssetKey(name), _key(stage, embedder)) is StaleStatus.STALE:
                    found.setdefault(name, set()).add(embedder)
    return found


def _key(stage: Stage, embedder: str | None) -> str | None:
    return night_key(embedder, today()) if stage.by_date and embedder else embedder


def model(base_url: str, **more: Any) -> JsonObject:
    """The configuration of a model on a scripted endpoint."""
    return {"name": "scripted", "provider": "openai", "model": "m", "base_url": base_url, "timeout_s": 10, **more}


def task_of(request: JsonObject) -> str:
    """What a request is: answer, route, critic, triples, triple_judge or judge."""
    asked = payload(request)
    if "task" in asked:
        return str(asked["task"])
    return "judge" if "claims" in asked else "triple_judge" if "triples" in asked else "triples"


def serve(words: str = "It says") -> Script:
    """A script that plays every model of a study: a generator that quotes its first piece, behind `words`."""
    judge = answer_all()

    def script(request: JsonObject, number: int) -> Response:
        asked = payload(request)
        match task_of(request):
            case "judge":
                return judge(request, number)
            case "triples":
                first = asked["text"].split(".")[0].split()
                fact = {
                    "head": " ".join(first[:2]),
                    "head_type": "Thing",
                    "relation": "SAYS",
                    "tail": first[-1],
                    "tail_type": "Thing",
                }
                return chat(request, json.dumps({"triples": [fact]}))
            case "triple_judge":
                found = [{"id": t["id"], "label": "correct", "explanation": "So it says."} for t in asked["triples"]]
                return chat(request, json.dumps({"results": found, "missed_triples": []}))
            case "route":
                tools, before = asked["tools"], asked["asked"]
                tool = tools[min(len(before), len(tools) - 1)]
                return chat(request, json.dumps({"tool": tool, "query": f"{asked['question']} {len(before)}"}))
            case "critic":
                keep = [piece["id"] for piece in asked["evidence"]]
                enough = len(asked["asked"]) > 1
                return chat(request, json.dumps({"keep": keep, "sufficient": enough, "query": "more on it"}))
            case _:
                piece = asked["evidence"][0]
                return chat(request, f"{words} {piece['text'].split('. ')[0].rstrip('.')} {piece['cite_as']}.")

    return script


def _write_lines(path: Path, rows: Iterable[JsonObject]) -> None:
    path.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows), encoding="utf-8")
