CREATE (:FaithflowGraph {graph: $graph, build: $build, fingerprint: $fingerprint, relations: $relations})
