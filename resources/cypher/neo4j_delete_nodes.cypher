MATCH (n:FaithflowNode {build: $build})
CALL (n) { DETACH DELETE n } IN TRANSACTIONS OF 10000 ROWS
