"""What everybody sees of a stage's ranking."""
