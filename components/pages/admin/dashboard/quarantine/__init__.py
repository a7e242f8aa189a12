"""The tab "Quarantine": accounts that rules keep out of a stage's ranking, and released accounts."""
