"""Attributes of forms and buttons that change something, by the command's name: docs/howto/add-a-command.md.

    html.button(command_button("recommendation_set", "17:up"), t("Yes"))
    html.form(command_form("comment_add", 7, draft="comment:7"), ...)

They work anywhere on a page, also in shared parts. Without scripts the browser posts them; the token and other inputs
are written into the forms with the page (`components/rendering/posting.py`).
"""

from urllib.parse import urlencode

POSTED = "/do/"  # begins the address of every command
BUTTONS = "do"  # the id of the page's form that buttons outside of forms belong to


def command_button(
    name: str, argument: str | int = "", *, busy: str = "", confirm: str = "", words: str = "", yes: str = ""
) -> dict[str, str]:
    """Return the attributes of a button of the command `name` with this argument.

    `busy` is its label meanwhile, `confirm` a question that is asked first, `words` its explanation, `yes` the label of
    the dialog's button.
    """
    more = {"data-busy": busy, "data-confirm": confirm, "data-confirm-words": words, "data-confirm-yes": yes}
    return posted_button(name, argument) | _command(name, argument) | {key: text for key, text in more.items() if text}


def command_form(name: str, argument: str | int = "", *, draft: str = "", long: str = "") -> dict[str, str]:
    """Return the attributes of a form whose fields go to the command `name`.

    What is typed is stored in the browser as `draft` until it is answered. `long` is the page's token (`use_token`);
    with it texts too long for a frame are posted before the command.
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
