"""The page "Pianos": the list with a form for a new piano, and the form of a piano."""

from apps.competition.limits import PIANO_TEXTS
from apps.competition.selectors.admin.pianos import PianoEdit, PianoRow, piano_edit, pianos_admin
from apps.core.texts import Texts, texts
from components.pages.admin.entity_screen import RowForm, edit_at, entity_page
from components.pages.public.not_found import not_found_page
from components.runtime import Page, PageRequest, VdomDict, command_form, component, html
from components.ui.empty_states import empty
from components.ui.frames import answered_list, backstage, delete_button, edit_link, row, rows, tools

PATH = "/admin/pianos"


def _form(piano: PianoEdit | None, t: Texts) -> RowForm[PianoEdit]:
    create = command_form("piano_add", draft="piano:new")
    return RowForm(
        piano,
        t,
        (PATH, t("Pianos")),
        title=t("Edit Piano"),
        description=t("The pianos that performers choose from."),
        command=command_form("piano_update", piano.id, draft=f"piano:{piano.id}") if piano else create,
        save=t("Update Piano") if piano else t("Add Piano"),
        fields=_fields,
        lengths=PIANO_TEXTS,
    )


def _fields(form: RowForm[PianoEdit]) -> list[VdomDict]:
    t = form.t
    return [
        form.field(t("Maker"), "maker", required=True, autoComplete="off"),
        form.field(t("Model"), "model", autoComplete="off"),
    ]


def load(request: PageRequest) -> Page:
    """Return the list of pianos, or the form of one (`mode=edit&id=2`)."""
    t = request.t
    about = t("The pianos that performers choose from.")
    return entity_page(
        request,
        listing=lambda: Page(about, piano_list, data=pianos_admin(), topics=("pianos", "sessions")),
        read=lambda pk: piano_edit(piano_id=pk),
        form=lambda piano: _form(piano, t),
        missing=lambda _: not_found_page(t("Piano not found."), (PATH, t("All pianos")), "pianos"),
        creates=False,  # the list has the form of a new piano
    )


@component
def piano_list(page: Page) -> VdomDict:
    """Render the form for a new piano, and the list."""
    t, pianos = texts(page.language), page.data
    about = t("Each performance can have one: choose it in the form of the session. Marks are never shown by piano.")
    listed = rows(*(_row(each, page.language) for each in pianos)) if pianos else empty(t("No pianos yet."))
    return backstage(
        page.title,
        tools(html.p({"class": "muted"}, about)),
        _adding(_form(None, t)),
        answered_list(listed),
        page=page,
    )


def _adding(form: RowForm[PianoEdit]) -> VdomDict:
    t = form.t
    return html.form(
        {**form.command, "class": "adding", "aria-label": t("Add a piano")},
        *form.fields(form),
        html.button({"class": "button", "type": "submit", "data-busy": t("Saving...")}, form.save),
        html.p({"class": "said adding__said", "data-answer": "", "role": "status"}),
    )


def _row(piano: PianoRow, language: str) -> VdomDict:
    t, count = texts(language), piano.performances
    played = t.plural("in %(n)d performance", "in %(n)d performances", count) if count else t("in no performance")
    delete = delete_button(
        "piano_delete",
        piano.id,
        named=piano.name,
        ask=t("Remove {name} from the list?").format(name=piano.name),
        words=t("No performance is on it."),
        language=language,
    )
    return row(
        f"piano-{piano.id}",
        html.p({"class": "shelf__piece"}, piano.maker, " ", html.b(piano.model)),
        html.p({"class": "entries__about"}, played),
        acts=[
            edit_link(edit_at(PATH, piano.id), piano.name, language=language),
            *([] if count else [delete]),
        ],
        look="entries__row--tight",
    )
