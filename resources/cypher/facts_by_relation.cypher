// Facts of which the relation is among those that a term names.
MATCH (a:FaithflowNode)-[e:FAITHFLOW_EDGE]->(b:FaithflowNode)
WHERE e.relation IN $relations
  AND a.build = $build AND a.kind = 'entity' AND b.kind = 'entity'
  AND e.access IN $access AND e.valid_from <= $day AND $day < e.valid_to
UNWIND $terms AS term
WITH e, a, b, term
WHERE a.words CONTAINS term OR b.words CONTAINS term OR e.words CONTAINS term
WITH e, a.name AS source, b.name AS target, count(DISTINCT term) AS matches
RETURN e.source_id AS source_id, e.relation AS relation, e.target_id AS target_id, e.access AS access,
  e.valid_from AS valid_from, e.valid_to AS valid_to, e.passage_id AS passage_id, e.fact AS fact, source, target
ORDER BY matches DESC, source, relation, target, source_id, target_id, passage_id, fact
LIMIT $limit
