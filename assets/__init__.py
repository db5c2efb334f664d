"""Dagster assets, thin: one module a stage, in the order in which data flows."""
