"""Parts with the jury's marks and the official result of a stage."""
