CREATE CONSTRAINT faithflow_graph IF NOT EXISTS FOR (g:FaithflowGraph) REQUIRE g.graph IS UNIQUE
