"""What ends a command before it begins."""


class Refusal(Exception):
    """Something that the person at the terminal has to put right; the message is a sentence that says what."""
