"""The competition: stages, sessions, participants, appearances, programs."""
