"""Tests of administrators' pages."""
