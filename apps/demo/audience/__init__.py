"""Comments, ratings and reactions of an invented audience; its texts are the JSON files here."""
