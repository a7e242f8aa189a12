"""Building blocks: plain functions from values to markup, without hooks, handlers or the database."""
