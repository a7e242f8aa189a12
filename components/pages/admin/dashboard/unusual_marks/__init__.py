"""The tab "Unusual marks": accounts that weigh less in a stage's ranking or are too new, and decisions about them."""
