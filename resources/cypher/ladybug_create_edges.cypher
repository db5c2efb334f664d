CREATE REL TABLE FAITHFLOW_EDGE(
  FROM FaithflowNode TO FaithflowNode,
  source_id STRING, relation STRING, target_id STRING, words STRING, access STRING, valid_from INT64, valid_to INT64,
  passage_id STRING, fact STRING)
