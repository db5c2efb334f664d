"""Options that several commands share."""

from pathlib import Path

import click

home_option = click.option(
    "--home",
    "home",
    type=click.Path(path_type=Path, file_okay=False),
    envvar="FAITHFLOW_HOME",
    default=Path("home"),
    show_default="FAITHFLOW_HOME, else ./home",
    help="Folder of everything that a run makes.",
)

study_option = click.option(
    "--study",
    "study_file",
    type=click.Path(path_type=Path),
    envvar="FAITHFLOW_STUDY",
    show_default="FAITHFLOW_STUDY, else the bundled one",
    help="Study file.",
)
