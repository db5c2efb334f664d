"""The lines of a run: what was made, and on a terminal what is at work."""

import os
import pty
import select
import sys
from pathlib import Path

import pytest

from faithflow.cli.graph import Made
from faithflow.cli.stages import StageLines


def test_a_line_names_the_embedder_and_not_the_date(capsys: pytest.CaptureFixture[str]) -> None:
    with StageLines() as lines:
        lines.made(Made("verdicts", "2026-03-02|lsa", 1234, 5.04))
        lines.made(Made("documents", None, 3, 0.1))
    verdicts, documents = capsys.readouterr().err.splitlines()
    assert verdicts.split() == ["verdicts", "lsa", "1,234", "rows", "5.0", "s"]
    assert documents.split() == ["documents", "3", "rows", "0.1", "s"]


def test_the_words_of_a_step_reach_the_terminal_while_the_standard_streams_are_files(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ours, theirs = pty.openpty()
    with os.fdopen(theirs, "w") as terminal, (tmp_path / "captured").open("w") as captured:
        monkeypatch.setattr(sys, "stderr", terminal)
        monkeypatch.setenv("TERM", "xterm")
        with StageLines() as lines:
            # as Dagster does it while a step runs
            os.dup2(captured.fileno(), theirs)
            lines.message("answering", "answered 7 of 9")
            shown = b""
            while b"answering: answered 7 of 9" not in shown and select.select([ours], [], [], 30)[0]:
                shown += os.read(ours, 65536)
    os.close(ours)
    assert b"answering: answered 7 of 9" in shown
    assert (tmp_path / "captured").read_text() == ""
