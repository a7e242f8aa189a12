"""The attributes of command forms and command buttons."""

from components.runtime.commands import command_button, command_form
from components.runtime.markup import html
from tests.rendering import to_html


def test_command_button_has_only_the_given_attributes() -> None:
    posted = {"type": "submit", "form": "do"}
    assert command_button("recommendation_set", "17:up") == posted | {
        "formAction": "/do/recommendation_set?argument=17%3Aup",
        "data-command": "recommendation_set",
        "data-argument": "17:up",
    }
    button = command_button("comment_delete", 7, busy="Deleting...", confirm="Delete it?", words="Gone.", yes="Delete")
    assert button == posted | {
        "formAction": "/do/comment_delete?argument=7",
        "data-command": "comment_delete",
        "data-argument": "7",
        "data-busy": "Deleting...",
        "data-confirm": "Delete it?",
        "data-confirm-words": "Gone.",
        "data-confirm-yes": "Delete",
    }


def test_command_form_is_posted_without_scripts() -> None:
    html_of_form = to_html(html.form(command_form("comment_add", 7, draft="comment:7")))
    assert html_of_form == (
        '<form data-once="" data-command="comment_add" data-argument="7" data-draft="comment:7"'
        ' action="/do/comment_add?argument=7" method="post"></form>'
    )
    assert "data-draft" not in command_form("comment_add", 7)
