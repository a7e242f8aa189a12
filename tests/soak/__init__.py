"""Longer versions of what `make test` proves: minutes, hundreds of viewers. `make soak` runs them."""
