"""Button for signing in with Google."""

from apps.core.texts import Texts
from components.runtime import Form, VdomDict
from components.ui.frames import either
from components.ui.posted_forms import plain_form, submit


def google(form: Form, words: str, t: Texts) -> list[VdomDict]:
    """Return the button with the label `words` and a separator "or"; empty if Google is not configured."""
    to = form.extra.get("google", "")
    return [plain_form(form, submit(words, "plain"), action=to), either(t("or"))] if to else []
