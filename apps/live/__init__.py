"""What the audience says and shows during a session: comments and live reactions."""
