"""What a viewer costs: measured beside what the same would cost done otherwise."""
