"""The Dagster UI in tests: a free port, its GraphQL, and a page of it in a real browser."""

import json
import shutil
import socket
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest

_FLAGS = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def ask(address: str, query: str) -> Any:
    """The answer of the UI's GraphQL."""
    request = urllib.request.Request(
        f"{address}/graphql", json.dumps({"query": query}).encode(), {"Content-Type": "application/json"}
    )
    with urllib.request.urlopen(request, timeout=60) as response:
        return json.load(response)["data"]


@contextmanager
def browser_page() -> Iterator[Any]:
    """A page in headless Chromium; the test is skipped where there is none."""
    path = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
    if path is None:
        pytest.skip("no Chromium on the path: install the package chromium")
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=list(_FLAGS))
        page = browser.new_page(viewport={"width": 1500, "height": 900})
        page.set_default_timeout(60_000)
        yield page
        browser.close()
