"""Management of imports."""
