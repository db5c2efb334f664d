CREATE NODE TABLE FaithflowGraph(graph STRING PRIMARY KEY, build STRING, fingerprint STRING, relations STRING[])
