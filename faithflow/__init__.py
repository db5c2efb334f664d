"""faithflow: is each statement of an answer faithful to its evidence, and how far can the verdict be trusted?"""

__version__ = "0.1.0"
