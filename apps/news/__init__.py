"""News that administrators write."""
