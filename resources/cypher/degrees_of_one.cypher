// How many edges a node has: Ladybug looks a single key up in its index, and scans all nodes for a list of keys.
MATCH (a:FaithflowNode {key: $start})-[e:FAITHFLOW_EDGE]-(b:FaithflowNode)
WHERE e.access IN $access AND e.valid_from <= $day AND $day < e.valid_to
  AND (a.kind = 'entity' OR (a.access IN $access AND a.valid_from <= $day AND $day < a.valid_to))
  AND (b.kind = 'entity' OR (b.access IN $access AND b.valid_from <= $day AND $day < b.valid_to))
RETURN a.id AS id, count(e) AS degree
