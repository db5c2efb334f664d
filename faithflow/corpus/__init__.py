"""What is judged: documents, passages, questions, and traces (answers that a user's own RAG system gave)."""
