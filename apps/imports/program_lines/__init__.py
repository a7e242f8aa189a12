"""Parse the lines of a pasted program and match them with pieces of the catalogue."""
