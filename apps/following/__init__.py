"""Following: the performers that a member follows."""
