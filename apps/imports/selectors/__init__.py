"""Reads of imports: participant files, pasted programs, and the jury's files; frozen results."""
