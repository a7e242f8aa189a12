"""What pages use of the rendering path."""
