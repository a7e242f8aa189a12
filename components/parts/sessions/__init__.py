"""Parts of the lists of sessions, and of a session's page with interval, reactions and summary."""
