"""The knowledge graph: triples, entities, typed edges and the walks over them."""
