"""Second factors: asked after the password, and looked after by their owner."""
