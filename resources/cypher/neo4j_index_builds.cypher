CREATE INDEX faithflow_build IF NOT EXISTS FOR (n:FaithflowNode) ON (n.build)
