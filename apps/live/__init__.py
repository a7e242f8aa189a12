"""Comments and live reactions during a session."""
