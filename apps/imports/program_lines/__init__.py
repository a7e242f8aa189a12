"""Reads lines of a program as people paste them, and finds the pieces of the catalogue that they name."""
