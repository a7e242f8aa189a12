"""Long-running tests, for minutes and with hundreds of viewers. `make soak` runs them."""
