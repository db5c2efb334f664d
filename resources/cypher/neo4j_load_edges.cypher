// One batch of a build's edges; none where another build has taken the graph over. SET locks the pointer, then it is read.
MATCH (g:FaithflowGraph {graph: $graph})
SET g.written_by = $build
WITH g
WHERE g.building = $build
UNWIND $rows AS row
MATCH (a:FaithflowNode {key: row.source}), (b:FaithflowNode {key: row.target})
CREATE (a)-[e:FAITHFLOW_EDGE]->(b)
SET e = row.edge
RETURN count(e) AS loaded
