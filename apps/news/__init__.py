"""News articles that administrators write."""
