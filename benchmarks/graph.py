"""What the two graph stores cost: `python -m benchmarks.graph [--edges 100000 1000000]`.

A synthetic graph of a corpus: a fifth as many passages and a tenth as many entities as edges; four in five edges are
mentions, whose entities follow a power law (the first is named everywhere), the others are facts and links. Seeded.

Baseline: the same edges as a Python dict of lists, built and walked in this process, which no store can beat. Each
line is a ratio to it. Neo4j is measured where FAITHFLOW_TEST_NEO4J is set (scripts/neo4j.sh start prints it).
"""

import argparse
import datetime as dt
import os
import random
import statistics
import tempfile
import time
import uuid
from collections import defaultdict
from collections.abc import Callable, Iterator
from pathlib import Path
from urllib.parse import unquote, urlsplit

from faithflow.corpus.scope import Scope
from faithflow.graph.model import MENTIONS, Edge, GraphStore, Node
from faithflow.graph.walk import walk
from resources.graph_store import open_graph_store

SCOPE = Scope(dt.date(2025, 6, 1))
WALKS = 30


def graph(edges: int) -> tuple[list[Node], list[Edge]]:
    rng = random.Random(edges)
    passages = [f"p_{number:020d}" for number in range(edges // 5)]
    entities = [f"e_{number:020d}" for number in range(edges // 10)]

    def named() -> str:
        return entities[int(len(entities) * rng.random() ** 4)]

    nodes = [Node(each, "passage", f"doc {each[-8:]}", "", "public") for each in passages]
    nodes += [Node(each, "entity", f"Entity number {each[-8:]}", "Thing") for each in entities]
    made: list[Edge] = []
    for number in range(edges):
        passage = rng.choice(passages)
        if number % 10 < 8:
            made.append(Edge(passage, MENTIONS, named(), "public", passage_id=passage))
        elif number % 10 == 8:
            words = f"fact {number} of the corpus"
            made.append(Edge(named(), f"RELATION_{number % 500}", named(), "public", passage_id=passage, fact=words))
        else:
            made.append(Edge(passage, "references", rng.choice(passages), "public"))
    return nodes, made


def plain_walk(adjacent: dict[str, list[str]], seeds: list[str], cap: int = 30) -> list[str]:
    """Two hops over a dict: rare names first, as the walk of the stores."""
    seen = set(seeds)
    reached = [other for seed in seeds for other in adjacent[seed]]
    found: list[str] = []
    for place in sorted(dict.fromkeys(reached), key=lambda each: len(adjacent[each])):
        for other in adjacent[place]:
            if other.startswith("p_") and other not in seen:
                seen.add(other)
                found.append(other)
                if len(found) == cap:
                    return found
    return found


def seconds(act: Callable[[], object]) -> float:
    start = time.perf_counter()
    act()
    return time.perf_counter() - start


def stores(folder: Path) -> Iterator[tuple[str, GraphStore]]:
    yield "Ladybug", open_graph_store(folder / "graph.lbug")
    server = os.environ.get("FAITHFLOW_TEST_NEO4J")
    if server:
        parts = urlsplit(server)
        url = f"{parts.scheme}://{parts.hostname}:{parts.port}"
        name = f"benchmark_{uuid.uuid4().hex}"
        yield "Neo4j", open_graph_store(url, unquote(parts.username or ""), unquote(parts.password or ""), graph=name)


def measure(edges: int) -> None:
    nodes, made = graph(edges)
    adjacent: dict[str, list[str]] = defaultdict(list)

    def build() -> None:
        for edge in made:
            adjacent[edge.source_id].append(edge.target_id)
            adjacent[edge.target_id].append(edge.source_id)

    rng = random.Random(1)
    passages = [node.id for node in nodes if node.kind == "passage"]
    seeds = [rng.sample(passages, 8) for _ in range(WALKS)]
    base_build = seconds(build)
    base_walk = statistics.median(seconds(lambda: plain_walk(adjacent, each)) for each in seeds)  # noqa: B023
    print(f"| {edges:,} | dict (baseline) | {base_build:.1f} | 1 | {1000 * base_walk:.2f} | 1 | |")
    with tempfile.TemporaryDirectory() as folder:
        for name, store in stores(Path(folder)):
            load = seconds(lambda: store.rebuild(nodes, made, "v1"))  # noqa: B023
            walk(store, seeds[0], SCOPE)
            one_walk = statistics.median(seconds(lambda: walk(store, each, SCOPE)) for each in seeds)  # noqa: B023
            facts = seconds(lambda: store.facts(["number 00000007", "relation 38"], SCOPE))  # noqa: B023
            print(
                f"| {edges:,} | {name} | {load:.1f} | {load / base_build:.0f} | {1000 * one_walk:.0f} | "
                f"{one_walk / base_walk:,.0f} | {1000 * facts:.0f} |",
                flush=True,
            )
            if name == "Neo4j":
                store.rebuild([], [], "empty")
            store.close()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--edges", type=int, nargs="+", default=[100_000, 1_000_000])
    print("| edges | store | load, s | times the dict | walk of 8 seeds and 2 hops, ms | times the dict | facts, ms |")
    print("| ---: | --- | ---: | ---: | ---: | ---: | ---: |", flush=True)
    for edges in parser.parse_args().edges:
        measure(edges)


if __name__ == "__main__":
    main()
