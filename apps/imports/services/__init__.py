"""Writes of imports: participant files, their saving and undo, and pasted programs."""
