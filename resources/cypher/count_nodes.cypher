MATCH (n:FaithflowNode)
WHERE n.build = $build
RETURN n.kind AS name, count(n) AS number
ORDER BY name
