"""The study file: what is judged, by whom, with which limits."""
