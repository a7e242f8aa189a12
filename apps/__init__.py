"""What the site knows and does, free of the web."""
