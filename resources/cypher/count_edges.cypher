MATCH (a:FaithflowNode)-[e:FAITHFLOW_EDGE]->(:FaithflowNode)
WHERE a.build = $build
RETURN e.relation AS name, count(e) AS number
ORDER BY name
