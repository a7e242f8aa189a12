"""Forms and buttons that name a command."""

from components.markup import html
from components.rendering.serializer import to_html
from components.ui.commands import command_button, command_form


def test_a_command_says_only_what_it_was_told() -> None:
    assert command_button("recommendation_set", "17:up") == {
        "type": "button",
        "data-command": "recommendation_set",
        "data-argument": "17:up",
    }
    sure = command_button("comment_delete", 7, busy="Deleting...", confirm="Delete it?", words="Gone.", yes="Delete")
    assert sure == {
        "type": "button",
        "data-command": "comment_delete",
        "data-argument": "7",
        "data-busy": "Deleting...",
        "data-confirm": "Delete it?",
        "data-confirm-words": "Gone.",
        "data-confirm-yes": "Delete",
    }


def test_a_form_of_a_command_does_nothing_without_the_client() -> None:
    text_clean = to_html(html.form(command_form("comment_add", 7, draft="comment:7")))
    assert text_clean == (
        '<form method="dialog" data-command="comment_add" data-argument="7" data-draft="comment:7"></form>'
    )
    assert "data-draft" not in command_form("comment_add", 7)
