"""Parts of the list of stages, of a stage's page and of its ranking."""
