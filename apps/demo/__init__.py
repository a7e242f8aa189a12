"""A competition that never was, so that a fresh clone has something to show; its texts are the JSON files here."""
