"""Files of participants: their bytes, their rows, the pieces in their cells, and how such a file is written."""
