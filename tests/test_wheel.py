"""The built wheel does the whole job away from the checkout."""

import json
import os
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]

JUDGE = "import sys; sys.argv[0] = 'faithflow'; from faithflow.cli import main; main()"


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel's content, unpacked where the checkout is not."""
    dist = tmp_path_factory.mktemp("dist")
    command = [sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", str(dist), str(ROOT)]
    subprocess.run(command, check=True, capture_output=True, text=True)
    (wheel,) = dist.glob("*.whl")
    target = tmp_path_factory.mktemp("site")
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(target)
    return target


def run(installed: Path, folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "PYTHONPATH": str(installed)}
    command = [sys.executable, "-c", JUDGE, *arguments]
    return subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)


@pytest.mark.slow
def test_the_wheel_judges_from_any_folder(installed: Path, tmp_path: Path) -> None:
    trace = {
        "question": "When?",
        "answer": "The fund opened in March 2026.",
        "contexts": ["The fund opened in March 2026."],
    }
    (tmp_path / "mine.jsonl").write_text(json.dumps(trace) + "\n", encoding="utf-8")
    done = run(installed, tmp_path, "judge", "mine.jsonl", "--out", "out", "--judge", "lexical")
    assert done.returncode == 0, done.stderr
    summary = json.loads((tmp_path / "out" / "summary.json").read_text(encoding="utf-8"))
    assert summary["judges"]["lexical"]["supported"] == 1
    assert (tmp_path / "out" / "report.html").stat().st_size > 10_000


@pytest.mark.slow
def test_the_wheel_holds_all_four_packages_and_what_they_read(installed: Path) -> None:
    for name in (
        "faithflow/study/study.yaml",
        "faithflow/sample/traces.jsonl",
        "sql/__init__.py",
        "assets/__init__.py",
    ):
        assert (installed / name).is_file(), name
    assert not (installed / "tests").exists()
    found = run(installed, installed, "--version")
    assert found.returncode == 0, found.stderr
