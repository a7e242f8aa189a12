"""The screens of signing in, registering and coming back with a mailed link."""
