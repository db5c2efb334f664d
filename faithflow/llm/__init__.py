"""Calls to language models: request, ledger key, reply, limits, budget. No transport of its own (see resources)."""
