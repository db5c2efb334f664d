"""The systems under test on real data: what they retrieve and cite against gold. docs/systems.md holds the results."""
