"""The competition: stages, sessions, participants, places, programs."""
