"""Limits of following."""

FOLLOWS_MOST = 500  # performers that one member follows
SECRET_BYTES = 32  # random ones in the address of a private calendar
SECRET_LENGTH = 43  # characters that write them
