"""The RAG architectures under test: each turns a question into an answer and its whole trajectory."""
