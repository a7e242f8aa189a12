"""What the environment says, checked before the site serves."""
