"""Tests of rendering: from markup to the frames on the wire."""
