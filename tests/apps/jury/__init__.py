"""Tests of the jury's marks and results."""
