"""Pages for signing in and for the viewer's own account."""
