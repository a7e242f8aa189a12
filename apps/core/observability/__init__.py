"""The error log, the security log, and the context of the current request."""
