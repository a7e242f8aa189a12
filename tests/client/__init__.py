"""Tests of the browser's half, run by node; what they ask of the server's own code is here."""
