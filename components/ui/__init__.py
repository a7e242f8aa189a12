"""Building blocks of markup: plain functions, no hooks, no domain."""
