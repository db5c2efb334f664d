"""Statistics of verdicts: intervals, agreement between raters, and agreement of a rater with itself."""
