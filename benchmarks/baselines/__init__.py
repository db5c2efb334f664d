"""Training and measurement of the offline baselines on labelled data sets that lie beside the repository."""
