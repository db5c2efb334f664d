// One batch of a build's nodes; none where another build has taken the graph over. SET locks the pointer, then it is read.
MATCH (g:FaithflowGraph {graph: $graph})
SET g.written_by = $build
WITH g
WHERE g.building = $build
UNWIND $rows AS row
CREATE (n:FaithflowNode)
SET n = row
RETURN count(n) AS loaded
