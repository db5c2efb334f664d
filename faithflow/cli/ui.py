"""`faithflow ui`: the Dagster UI on a home."""

import signal
import time
from pathlib import Path
from types import FrameType

import click

from faithflow.cli.main import FAILED
from faithflow.cli.options import home_option, study_option
from faithflow.study.load import load_study

_START_S = 180.0


@click.command("ui", short_help="Open the Dagster UI on a home.")
@study_option
@home_option
@click.option("--port", type=click.IntRange(1, 65535), default=3000, show_default=True, help="Port of the pages.")
def command(study_file: Path | None, home: Path, port: int) -> int:
    """Serve the Dagster UI on a home, with the daemon that runs schedules, until Ctrl-C.

    The nightly schedule is off until it is turned on in the UI, under Automation.
    """
    from assets.models import report_models
    from resources.dagster_instance import open_instance
    from resources.dagster_processes import UiError, dagster_ui
    from resources.house import house

    study = load_study(study_file)
    place = house(home, study_file)
    signal.signal(signal.SIGTERM, _stop)
    try:
        # so that the pages show what a swap made stale, before anything is run
        with open_instance(place.open_home()) as instance:
            report_models(instance, study)
        with dagster_ui(place, port) as running:
            click.echo("Starting the Dagster UI ...", err=True)
            running.wait_until_up(_START_S)
            click.echo(f"Dagster UI: {running.url}   (Ctrl-C stops it)")
            click.echo(f"The nightly schedule is turned on and off at {running.url}/automation")
            while True:
                time.sleep(1)
                running.check()
    except KeyboardInterrupt:
        click.echo("Stopped.", err=True)
        return 0
    except UiError as error:
        click.echo(f"Failed: {error}", err=True)
        return FAILED


def _stop(_number: int, _frame: FrameType | None) -> None:
    raise KeyboardInterrupt
