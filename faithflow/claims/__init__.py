"""From an answer to its claims: statements anchored to the span of the answer that they come from."""
