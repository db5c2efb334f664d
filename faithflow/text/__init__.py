"""Text: sentences, spans, tokens, numbers, languages."""
