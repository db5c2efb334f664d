// Facts of which an end is named by a term; n is the end that matched, and both ends may.
MATCH (n:FaithflowNode)-[e:FAITHFLOW_EDGE]-(m:FaithflowNode)
WHERE n.build = $build AND n.kind = 'entity' AND m.kind = 'entity'
  AND any(term IN $terms WHERE n.words CONTAINS term)
  AND e.access IN $access AND e.valid_from <= $day AND $day < e.valid_to
UNWIND $terms AS term
WITH e, n, m, term
WHERE n.words CONTAINS term OR m.words CONTAINS term OR e.words CONTAINS term
WITH e,
  CASE WHEN e.source_id = n.id THEN n.name ELSE m.name END AS source,
  CASE WHEN e.source_id = n.id THEN m.name ELSE n.name END AS target,
  count(DISTINCT term) AS matches
RETURN e.source_id AS source_id, e.relation AS relation, e.target_id AS target_id, e.access AS access,
  e.valid_from AS valid_from, e.valid_to AS valid_to, e.passage_id AS passage_id, e.fact AS fact, source, target
ORDER BY matches DESC, source, relation, target, source_id, target_id, passage_id, fact
LIMIT $limit
