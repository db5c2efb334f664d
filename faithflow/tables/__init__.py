"""The tables: every schema, key, partition column, reference and rule in one place, and what holds a frame to them."""
