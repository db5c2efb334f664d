"""The offline model: it answers, routes and criticises by shared words alone, and writes only what the evidence says.

A baseline, deterministic and free: it quotes the sentences that fit a question best and abstains where none does. It
is no language model, and what it scores says nothing of one.
"""
