// How many edges each of many nodes has. Neo4j looks each key up in its index; Ladybug scans all nodes once.
MATCH (a:FaithflowNode)-[e:FAITHFLOW_EDGE]-(b:FaithflowNode)
WHERE a.key IN $frontier
  AND e.access IN $access AND e.valid_from <= $day AND $day < e.valid_to
  AND (a.kind = 'entity' OR (a.access IN $access AND a.valid_from <= $day AND $day < a.valid_to))
  AND (b.kind = 'entity' OR (b.access IN $access AND b.valid_from <= $day AND $day < b.valid_to))
RETURN a.id AS id, count(e) AS degree
