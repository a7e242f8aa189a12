"""What the bench counts out, and what it is made of."""
