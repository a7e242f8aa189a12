"""Seeded faults: 40 faults of the product, one at a time, and whether the tests find them (`make soak`).

`written.toml` has one fault for each kind of promise, written by hand. `drawn.toml` has 20 that `draw.py` drew by
chance. `run.py` makes each fault in a copy of the tree and runs the tests of its package. `run.py --write FILE` stores
the results; where they are stored as `results.toml`, a later run fails for a fault that was found then and is not now.
"""
