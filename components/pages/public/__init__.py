"""Public pages and their forms for signed-in viewers."""
