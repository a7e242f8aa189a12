"""Parts of the pages of pieces: the catalogue, and the performances of one piece."""
