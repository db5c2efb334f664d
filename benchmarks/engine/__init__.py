"""What the engine costs: calls, tokens, processor time, wall time and memory, against a local endpoint."""
