// Which build of a graph is the one to read.
MATCH (g:FaithflowGraph {graph: $graph})
WHERE g.build IS NOT NULL
RETURN g.build AS build, g.fingerprint AS fingerprint, g.relations AS relations
