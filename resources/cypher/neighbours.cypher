// The nodes one hop from any of many. Neo4j looks each key up in its index; Ladybug scans all nodes once.
MATCH (a:FaithflowNode)-[e:FAITHFLOW_EDGE]-(b:FaithflowNode)
WHERE a.key IN $frontier
  AND (size($relations) = 0 OR e.relation IN $relations)
  AND e.access IN $access AND e.valid_from <= $day AND $day < e.valid_to
  AND (a.kind = 'entity' OR (a.access IN $access AND a.valid_from <= $day AND $day < a.valid_to))
  AND (b.kind = 'entity' OR (b.access IN $access AND b.valid_from <= $day AND $day < b.valid_to))
RETURN a.id AS start,
  e.source_id AS source_id, e.relation AS relation, e.target_id AS target_id, e.access AS access,
  e.valid_from AS valid_from, e.valid_to AS valid_to, e.passage_id AS passage_id, e.fact AS fact,
  b.id AS node_id, b.kind AS node_kind, b.name AS node_name, b.type AS node_type, b.access AS node_access,
  b.valid_from AS node_valid_from, b.valid_to AS node_valid_to
ORDER BY start, relation, source_id, target_id, passage_id, fact
LIMIT $limit
