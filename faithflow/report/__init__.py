"""The report: one page of HTML that needs nothing else, and the same tables as Markdown."""
