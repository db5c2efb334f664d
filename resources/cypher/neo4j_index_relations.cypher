CREATE INDEX faithflow_relation IF NOT EXISTS FOR ()-[e:FAITHFLOW_EDGE]-() ON (e.relation)
