"""Seeded faults: 40 faults of the product, one at a time, and whether the tests find them (`make soak`).

`written.toml` has one fault for each kind of promise, written by hand. `drawn.toml` has 20 that `draw.py` drew by
chance. `run.py` makes each fault in a copy of the tree and runs the tests of its package. `results.toml` has the last
result of each; a change of the tests must find each fault that was found before.
"""
