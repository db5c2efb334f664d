// The build becomes the one to read, unless another has taken the graph over; then no row.
MATCH (g:FaithflowGraph {graph: $graph})
SET g.written_by = $build
WITH g
WHERE g.building = $build
SET g.build = $build, g.fingerprint = $fingerprint, g.relations = $relations, g.building = null
RETURN [other IN g.builds WHERE other <> $build] AS leftovers
