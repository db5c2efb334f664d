"""What the assets are given: the home that they write to, and the study that they run."""

import os
from pathlib import Path

import dagster as dg

from faithflow.study.load import load_study
from faithflow.study.model import Study
from resources.home import DEFAULT_HOME, Home, open_home

BUNDLED = "bundled"


class House(dg.ConfigurableResource):  # pyright: ignore[reportMissingTypeArgument]
    """A home and a study, by their paths; `study` is `bundled` for the one that comes with faithflow."""

    home: str
    study: str = BUNDLED

    def open_home(self) -> Home:
        """Raises UserError where the folder cannot be made."""
        return open_home(Path(self.home))

    def load_study(self) -> Study:
        """The study as its file says it now. Raises StudyError naming each wrong key."""
        return load_study(None if self.study == BUNDLED else Path(self.study))


def house(home: Path | None = None, study: Path | None = None) -> House:
    """The house of these paths, else of FAITHFLOW_HOME and FAITHFLOW_STUDY, else `./home` and the bundled study."""
    study = study or (Path(given) if (given := os.environ.get("FAITHFLOW_STUDY")) else None)
    home = home or Path(os.environ.get("FAITHFLOW_HOME") or DEFAULT_HOME)
    return House(home=str(home.resolve()), study=str(study.resolve()) if study else BUNDLED)
