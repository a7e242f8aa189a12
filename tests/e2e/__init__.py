"""Browser journeys on a real server process."""
