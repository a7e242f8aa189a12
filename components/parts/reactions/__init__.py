"""What the audience taps: the bar of reactions, and their curve along a performance."""
