"""Pages: for each a `load` and a component."""
