"""Tests of the benchmarks' calculations and simulations."""
