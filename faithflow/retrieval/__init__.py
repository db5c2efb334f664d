"""Retrieval: what finds passages for a question (dense, sparse, graph, web), and what reorders them."""
