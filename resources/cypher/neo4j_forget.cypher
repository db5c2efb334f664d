MATCH (g:FaithflowGraph {graph: $graph})
SET g.builds = [other IN g.builds WHERE other <> $build]
