"""Attributes of the forms and buttons that send commands, and that browsers without scripts post."""

from urllib.parse import urlencode

POSTED = "/do/"  # begins the address of every command
BUTTONS = "do"  # the id of the page's form that buttons outside of forms belong to


def command_button(
    name: str, argument: str | int = "", *, busy: str = "", confirm: str = "", words: str = "", yes: str = ""
) -> dict[str, str]:
    """Return the attributes of a button of the command `name` with this argument.

    `busy` is its label while the command runs, `confirm` a question to confirm first, `words` the explanation of the
    question, `yes` the label of the dialog's button.
    """
    more = {"data-busy": busy, "data-confirm": confirm, "data-confirm-words": words, "data-confirm-yes": yes}
    return posted_button(name, argument) | _command(name, argument) | {key: text for key, text in more.items() if text}


def command_form(name: str, argument: str | int = "", *, draft: str = "", long: str = "") -> dict[str, str]:
    """Return the attributes of a form that sends its fields to the command `name`.

    The browser stores the typed values as the draft `draft` until the server answers. `long` is the page's token
    (`use_token`); with it, texts that are too long for a frame are posted before the command.
    """
    more = {"data-draft": draft, "data-long-text-token": long}
    return posted_form(name, argument) | _command(name, argument) | {key: text for key, text in more.items() if text}


def posted_button(name: str, argument: str | int = "") -> dict[str, str]:
    """Return the attributes of a button that the browser posts, unless a script handles its click."""
    return {"type": "submit", "form": BUTTONS, "formAction": _address(name, argument)}


def posted_form(name: str, argument: str | int = "") -> dict[str, str]:
    """Return the attributes of a form that the browser posts, once at a time."""
    return {"method": "post", "action": _address(name, argument), "data-once": ""}


def _address(name: str, argument: str | int) -> str:
    return POSTED + name + (f"?{urlencode({'argument': argument})}" if argument != "" else "")


def _command(name: str, argument: str | int) -> dict[str, str]:
    return {"data-command": name, "data-argument": str(argument)}
