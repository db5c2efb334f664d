CREATE NODE TABLE FaithflowNode(
  key STRING PRIMARY KEY, build STRING, id STRING, kind STRING, name STRING, words STRING, type STRING, access STRING,
  valid_from INT64, valid_to INT64)
