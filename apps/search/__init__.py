"""The search of the site: one table of everything that can be found, and the words that find it."""
