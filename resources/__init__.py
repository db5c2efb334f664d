"""The outside world: stores, model endpoints, the web. Each stands behind a small protocol that faithflow defines."""
