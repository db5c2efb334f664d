COPY FaithflowNode FROM $rows
