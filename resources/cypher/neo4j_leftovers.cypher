// Builds that were never finished or never removed, where none is under way.
MATCH (g:FaithflowGraph {graph: $graph})
WHERE g.building IS NULL
RETURN [other IN g.builds WHERE other <> g.build] AS leftovers
