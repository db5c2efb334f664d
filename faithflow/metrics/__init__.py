"""Metrics: from tables of verdicts to the numbers of a report. Pure functions over frames."""
