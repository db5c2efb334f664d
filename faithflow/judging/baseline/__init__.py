"""The offline judges `lexical` and `semantic`: deterministic baselines, and the panel's stationary control."""
