"""The attributes of command forms and command buttons."""

from components.runtime.commands import command_button, command_form
from components.runtime.markup import html
from tests.rendering import to_html


def test_a_command_says_only_what_it_was_told() -> None:
    assert command_button("recommendation_set", "17:up") == {
        "type": "submit",
        "form": "do",
        "formAction": "/do/recommendation_set?argument=17%3Aup",
        "data-command": "recommendation_set",
        "data-argument": "17:up",
    }
    sure = command_button("comment_delete", 7, busy="Deleting...", confirm="Delete it?", words="Gone.", yes="Delete")
    assert sure == {
        "type": "submit",
        "form": "do",
        "formAction": "/do/comment_delete?argument=7",
        "data-command": "comment_delete",
        "data-argument": "7",
        "data-busy": "Deleting...",
        "data-confirm": "Delete it?",
        "data-confirm-words": "Gone.",
        "data-confirm-yes": "Delete",
    }


def test_a_form_of_a_command_is_posted_by_the_browser_where_no_client_takes_it() -> None:
    html_of_form = to_html(html.form(command_form("comment_add", 7, draft="comment:7")))
    assert html_of_form == (
        '<form data-once="" data-command="comment_add" data-argument="7" data-draft="comment:7"'
        ' action="/do/comment_add?argument=7" method="post"></form>'
    )
    assert "data-draft" not in command_form("comment_add", 7)
