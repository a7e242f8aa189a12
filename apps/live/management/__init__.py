"""Commands for whoever looks after the audience."""
