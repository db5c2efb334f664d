MATCH (n:FaithflowNode {build: $build})-[e:FAITHFLOW_EDGE]->()
CALL (e) { DELETE e } IN TRANSACTIONS OF 10000 ROWS
