"""The demo: an invented competition for a fresh clone; its texts are the JSON files here."""
