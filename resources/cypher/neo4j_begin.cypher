// Begins a build, registered before its first node is, and takes the graph over from any other that is under way.
MERGE (g:FaithflowGraph {graph: $graph})
SET g.building = $build, g.builds = coalesce(g.builds, []) + $build
RETURN [other IN g.builds WHERE other <> $build AND (g.build IS NULL OR other <> g.build)] AS leftovers
