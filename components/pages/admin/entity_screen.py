"""The screen of one kind of row, such as posts: its list, and the form of a new or a stored row, each at its address.

    def load(request: PageRequest) -> Page:
        t = request.t
        return entity_page(
            request,
            listing=lambda: Page(t("The prizes."), prize_list, data=prizes_admin(), topics=("prizes",)),
            read=lambda pk: prize_edit(prize_id=pk),
            form=lambda prize: _form(prize, t),
            missing=lambda _: not_found_page(t("Prize not found."), (PATH, t("All prizes")), "prizes"),
        )

`?mode=create` is the form of a new row, `?mode=edit&id=7` that of row 7, and any other address the list.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Generic, Protocol, TypeVar

from apps.core.texts import Texts
from components.pages.admin.picture_field import picture_field
from components.runtime import Component, Markup, Page, PageRequest, VdomDict, component, key, number_of, use_token
from components.ui import forms
from components.ui.frames import backstage, form_page

CREATE, EDIT = "create", "edit"  # the modes in an address


class _Stored(Protocol):
    @property
    def version(self) -> str:
        """Return the version of the values that the editor reads."""


Row = TypeVar("Row", bound=_Stored)


@dataclass(frozen=True, slots=True)
class RowForm(Generic[Row]):
    """The form of a stored row, or of a new one, and the fields that begin with its values.

    `fields` returns the fields, which it makes with `field`, `area`, `check`, `select` and `picture`, or by itself.
    """

    row: Row | None  # None is a new row
    t: Texts
    list_link: tuple[str, str]  # address and name of the list
    title: str
    description: str
    command: Mapping[str, str]  # the form's attributes (`command_form`), with a draft
    save: str  # the label of the button
    fields: Callable[["RowForm[Row]"], Sequence[Markup]]
    lengths: Mapping[str, int]  # the most characters of the fields, by name
    heading: str = ""  # if it differs from the title
    look: str = ""
    has_long_texts: bool = False  # a text may be too long for a frame (`command_form`)
    around: Callable[[VdomDict], VdomDict] = lambda form: form  # returns the form with the markup around it

    def value(self, name: str) -> Any:
        """Return the row's value of this name; an empty text for a new row and for None."""
        value = getattr(self.row, name) if self.row else None
        return "" if value is None else value

    def field(self, label: str, name: str, **attributes: Any) -> VdomDict:
        """Return a one-line field."""
        return forms.field(label, name, value=str(self.value(name)), **self._longest(name), **attributes)

    def area(self, label: str, name: str, **attributes: Any) -> VdomDict:
        """Return a field of many lines."""
        return forms.area(label, name, value=self.value(name), **self._longest(name), **attributes)

    def check(self, label: str, name: str, **attributes: Any) -> VdomDict:
        """Return a box to tick."""
        return forms.check(label, name, defaultChecked=bool(self.value(name)), **attributes)

    def select(self, label: str, name: str, choices: Sequence[tuple[str, str]], **more: Any) -> VdomDict:
        """Return a drop-down of (value, words)."""
        return forms.select(label, name, choices, self.value(name), **more)

    def picture(self, label: str, name: str, preview: Callable[[str], Markup]) -> Component:
        """Return a field for a picture's address, with its preview."""
        return key(name, picture_field(label, name, self.value(name), preview, self.t.language))

    def _longest(self, name: str) -> dict[str, Any]:
        return {"maxLength": self.lengths[name]} if name in self.lengths else {}


def entity_page(
    request: PageRequest,
    *,
    listing: Callable[[], Page],
    read: Callable[[int], Row | None],
    form: Callable[[Row | None], RowForm[Row]],
    missing: Callable[[int], Page],
    creates: bool = True,
) -> Page:
    """Return the page of the list, of the form of a new row (if the screen `creates` rows), or of a row's form.

    `missing` returns the page for an id without a row. The page of a form has no topics: saving merges concurrent
    changes, and no push replaces what the editor reads.
    """
    mode, row_id = request.query.get("mode", ""), number_of(request.query, "id", 0)
    if mode == CREATE and creates:
        return _form_page(form(None))
    if mode != EDIT or not row_id:
        return listing()
    row = read(row_id)
    return _form_page(form(row)) if row else missing(row_id)


def _form_page(form: RowForm[Any]) -> Page:
    return Page(form.description, row_form_page, title=form.title, data=form)


@component
def row_form_page(page: Page) -> Component:
    """Render the form; its key resets its state when the address changes to another row."""
    return key(page.data.command["data-draft"], row_form(page))


@component
def row_form(page: Page) -> VdomDict:
    """Render the heading, and the form with the row's values."""
    form: RowForm[Any] = page.data
    token = use_token() if form.has_long_texts else ""
    filled = form_page(
        {**form.command, "data-long-text-token": token} if token else form.command,
        *form.fields(form),
        save=form.save,
        cancel=form.list_link[0],
        version=form.row.version if form.row else "",
        look=form.look,
        language=page.language,
    )
    return backstage(form.heading or page.title, form.around(filled), page=page, trail=[form.list_link])


def create_at(path: str) -> str:
    """Return the address of the form for a new row."""
    return f"{path}?mode={CREATE}"


def edit_at(path: str, row_id: int) -> str:
    """Return the address of a row's form."""
    return f"{path}?mode={EDIT}&id={row_id}"
