"""The configuration from the environment, checked before the site serves."""
