"""Management commands of imports."""
