"""The page "Import": participants and their programs from a file."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from urllib.parse import urlencode

from apps.competition.enums import Category
from apps.competition.limits import EXCERPT_LENGTH
from apps.competition.piano_names import by_key, piano_read
from apps.competition.selectors.admin.pianos import pianos_admin
from apps.core.database.fields import venue_zone
from apps.core.texts import Texts, texts
from apps.imports.enums import PIECE_PROBLEMS, ImportState, RowProblem, RowStatus
from apps.imports.limits import ROWS_SHOWN
from apps.imports.participant_files.plan import FilePiece
from apps.imports.participant_files.summary import rows_words, summary_words
from apps.imports.selectors.participant_files import (
    ImportCounts,
    ImportRow,
    ImportShown,
    SavedImport,
    import_get,
    import_pending,
    import_refused,
    import_rows,
    imports_saved,
    imports_waiting,
)
from components.pages.admin.imports.participant_file import columns, file_error, file_form, reading_forms
from components.pages.admin.imports.row_changes import changes_choice, row_changes
from components.pages.admin.imports.tabs import PARTICIPANTS, import_tabs
from components.parts.participants import first_characters
from components.runtime import (
    Markup,
    Page,
    PageRequest,
    VdomDict,
    command_button,
    command_form,
    component,
    html,
    number_of,
    use_token,
)
from components.ui.blocks import link
from components.ui.empty_states import empty
from components.ui.frames import answer_line, backstage, section
from components.ui.pieces import CATEGORY
from components.ui.venue_time import day

PATH = "/admin/import"
REFUSED = "refused"  # in place of a file's id: the uploaded file was not kept


def rows_at(file: int, after: int = 0) -> str:
    """Return the address of a file's rows after the position `after`."""
    return f"{PATH}?{urlencode({'file': file} | ({'after': after} if after > 0 else {}))}"


def before(after: int) -> int:
    """Return the start position of the previous page of rows."""
    return max(0, after - ROWS_SHOWN)


def earlier_imports(saved: Sequence[SavedImport], language: str) -> VdomDict:
    """Return the list of saved imports, newest first, each with its undo button."""
    t = texts(language)
    if not saved:
        return html.div({"class": "body"}, html.p({"class": "muted"}, t("Nothing was imported yet.")))
    lines = (html.li({"key": f"import-{each.id}"}, *_line(each, language)) for each in saved)
    return html.div({"class": "body", "data-answers": ""}, answer_line(), html.ul({"class": "lines"}, *lines))


def _line(saved: SavedImport, language: str) -> tuple[Markup, ...]:
    t = texts(language)
    by = t("by {name},").format(name=saved.username or t("the terminal"))
    people = t.plural("%(n)d new participant", "%(n)d new participants", saved.summary.new_participants)
    new = f"{people}, {t.plural('%(n)d new piece', '%(n)d new pieces', saved.summary.new_pieces)}"
    left = "" if saved.state == ImportState.UNDONE else f"; {rows_words(saved.counts, t)}"
    about = html.span(
        {"class": "work__key"}, by, " ", day(saved.saved_at, zone=venue_zone(), language=language), ": ", new, left
    )
    return (
        html.span({"class": "work"}, html.b(link(rows_at(saved.id), saved.file_name)), " ", about),
        html.span({"class": "dots"}),
        _way_back(saved, t),
    )


def _way_back(saved: SavedImport, t: Texts) -> VdomDict:
    if not saved.can_be_undone:
        words = t("taken back") if saved.state == ImportState.UNDONE else t("nothing new")
        return html.span({"class": "small muted"}, words)
    undo = command_button(
        "import_undo",
        saved.id,
        confirm=t("Take back all that {file} made?").format(file=saved.file_name),
        words=t("It stays as it is while anything hangs on what it made."),
        yes=t("Take back"),
    )
    label = {"aria-label": t("Take back: {file}").format(file=saved.file_name)}
    return html.button({"class": "link"} | undo | label, t("Take back"))


_LOOKS = {
    RowStatus.NEW: "",
    RowStatus.EXISTING: "is-old",
    RowStatus.UNDECIDED: "is-ask",
    RowStatus.BAD: "is-bad",
    RowStatus.SHORT: "is-short",
}


def file_rows(
    file: ImportShown, rows: Sequence[ImportRow], after: int, pianos: Collection[str], language: str
) -> VdomDict:
    """Return the counts by status, one page of rows, and the buttons that save or discard the file.

    `pianos` are the keys of those in the list.
    """
    t = texts(language)
    headings = (t("Line"), t("Name"), t("Country"), t("Program"), t("What happens"))
    shown = t("{first} to {last} of {total}").format(
        first=after + 1 if rows else 0, last=after + len(rows), total=file.counts.total
    )
    caption = html.caption({"class": "visually-hidden"}, t("Rows {shown}").format(shown=shown))
    head = html.tr(*(html.th({"key": words, "scope": "col"}, words) for words in headings))
    body = html.tbody(*(_row(file, row, pianos, t) for row in rows))
    return html.div(
        {"key": f"file-{file.id}-{after}"},
        _sum(file, t),
        changes_choice(file, t) if is_open(file) else None,
        html.table({"class": "file"}, caption, html.thead(head), body) if rows else None,
        _ways(file, after, len(rows), shown, t),
        None if file.state == ImportState.PREVIEW else _state(file, t),
        _buttons(file, t) if is_open(file) else None,
    )


def is_open(file: ImportShown) -> bool:
    """Return whether rows of the file can still be decided or saved."""
    left = file.counts.unsaved or file.counts.undecided or file.counts.bad
    return file.state == ImportState.PREVIEW or bool(file.state == ImportState.SAVED and left)


def _sum(file: ImportShown, t: Texts) -> VdomDict:
    counts = (
        ("", file.counts.new, t("new")),
        ("", file.counts.existing, t("existing")),
        ("is-due", file.counts.undecided, t("to decide")),
        ("", file.counts.bad, t("bad")),
        ("muted", file.counts.short, t("short, skipped")),
    )
    parts: list[Markup] = []
    for look, count, words in counts:
        if count or not look:
            parts += [html.span({"class": look, "key": words}, html.b(str(count)), f" {words}"), " "]
    return html.p({"class": "read__sum", "role": "status"}, *parts)


def _row(file: ImportShown, row: ImportRow, pianos: Collection[str], t: Texts) -> VdomDict:
    look, start = _LOOKS[row.status], str(row.start_number or "")
    programs: list[Markup] = []
    for number, piece in enumerate(row.pieces):
        programs += [" · " if number else None, _piece(number, piece)]
    return html.tr(
        {"key": f"row-{row.position}"} | ({"class": look} if look else {}),
        html.td({"class": "num"}, str(row.line)),
        html.th({"scope": "row"}, " ".join(filter(None, (start, row.first_name, row.last_name)))),
        html.td(row.country),
        html.td({"class": "file__prog"}, *programs, *_extras(row, pianos, t)),
        html.td({"class": "file__what"}, *_what(file, row, t)),
    )


def _piece(number: int, piece: FilePiece) -> VdomDict:
    """Return a piece by opus and number, with its full name as tooltip; a piece with a problem by its full name."""
    if piece.problem:
        return html.b({"key": f"piece-{number}"}, piece.name)
    return html.span({"key": f"piece-{number}", "title": piece.name}, _short(piece))


def _extras(row: ImportRow, pianos: Collection[str], t: Texts) -> list[Markup]:
    """Return the other name, birth year, piano, picture and the begin of the biography of a row, each a line."""
    written = (
        row.name_local,
        t("born {year}").format(year=row.birth_year) if row.birth_year else "",
        _piano(row, pianos, t),
        row.avatar_url,
        first_characters(row.biography[: EXCERPT_LENGTH + 1]),
    )
    return [html.div({"key": f"extra-{n}", "class": "small muted"}, words) for n, words in enumerate(written) if words]


def _piano(row: ImportRow, pianos: Collection[str], t: Texts) -> str:
    """Return the piano of a row, and whether a save adds it to the list; empty without one."""
    if not row.piano:
        return ""
    name = piano_read(row.piano)
    if name.key in pianos or row.is_saved:
        return t("piano {name}").format(name=row.piano)
    new = t("piano {name}, new in the list: maker {maker}, model {model}")
    return new.format(name=row.piano, maker=name.maker, model=name.model or "–")


def _short(piece: FilePiece) -> str:
    if not piece.opus[:1].isdigit():
        return piece.name
    opus = f"{piece.opus}/{piece.number}" if piece.number else f"op. {piece.opus}"
    return opus if piece.category else f"{piece.title} {opus}"


def _what(file: ImportShown, row: ImportRow, t: Texts) -> list[Markup]:
    """Return the effect of a row, and for a saved file whether the row was not saved."""
    effect = [*_decided(file, row, t), *row_changes(file, row, t, is_open=is_open(file) and not row.is_saved)]
    is_decided = row.problem in {RowProblem.SAME, RowProblem.ANOTHER} and row.detail
    if row.problem is RowProblem.NO_SESSION or is_decided:
        label = t(str(RowProblem.NO_SESSION.label))
        effect.append(html.div({"key": "no-session", "class": "small muted"}, f"{label}: {row.detail}"))
    if file.state != ImportState.SAVED or row.is_saved or row.status is RowStatus.SHORT:
        return effect
    return [html.b({"key": "not-saved"}, t("Not saved.")), " ", *effect]


def _decided(file: ImportShown, row: ImportRow, t: Texts) -> list[Markup]:
    kept = t("Existing") if row.before else t("Existing, kept as it is")
    kind = kept if row.is_known or row.before else t("New")
    match row.status:
        case RowStatus.BAD:
            ways = [_piece_choice(file, row, t), _leave_out(file, row, t)] if is_open(file) else []
            return [html.b({"key": "why"}, t(str(row.problem.label))), _detail(row.detail), *ways]
        case RowStatus.SHORT:
            columns, _, all_columns = row.detail.partition("/")
            words = t("Skipped: {n} of {all} columns").format(n=columns, all=all_columns)
            return [html.span({"key": "why"}, words)]
        case RowStatus.UNDECIDED:
            undecided = [(n, each) for n, each in enumerate(row.pieces, start=1) if not each.category]
            forms = [_category(file, row, n, each, t) for n, each in undecided] if is_open(file) else []
            asks = row.problem is RowProblem.PERHAPS and is_open(file)
            return [_person(file, row, t) if asks else html.span({"key": "kind"}, kind), *forms]
        case _ if row.problem is RowProblem.REPEATED:
            return [html.span({"key": "kind"}, t("The same as line {n}").format(n=row.detail))]
        case _ if row.problem in {RowProblem.PIECE_TWICE, RowProblem.SPELLED}:
            words = f"{kind}. {t(str(row.problem.label))}"
            return [html.span({"key": "kind"}, words), " ", _detail(row.detail)]
        case _:
            return [html.span({"key": "kind"}, kind)]


def _piece_choice(file: ImportShown, row: ImportRow, t: Texts) -> Markup:
    """Return the form that chooses what the first uncertain piece of a row means; None without candidates."""
    number = next((n for n, piece in enumerate(row.pieces, start=1) if piece.problem), 0)
    piece = row.pieces[number - 1].name if number else ""
    if row.problem not in PIECE_PROBLEMS or not row.candidates.get(piece):
        return None
    name = f"piece-{row.position}-{number}"
    options = (html.option({"key": f"choice-{each}", "value": each}, each) for each in row.candidates[piece])
    named = t("Choose: {piece}, line {n}").format(piece=piece, n=row.line)
    look = {"class": "button button--plain button--small", "type": "submit", "aria-label": named}
    return html.form(
        command_form("import_piece_choose", f"{file.id}:{row.position}:{number}") | {"key": name},
        html.label({"class": "small", "htmlFor": name}, t("Which piece?")),
        html.div(
            {"class": "row"},
            html.select(
                {"class": "input file__cat", "id": name, "name": "piece", "required": True},
                html.option({"key": "choice-", "value": ""}, t("choose")),
                *options,
            ),
            html.button(look, t("Choose")),
        ),
    )


def _leave_out(file: ImportShown, row: ImportRow, t: Texts) -> Markup:
    """Return the button that saves a row without its invalid piece; None if the problem is not a piece."""
    number = next((n for n, piece in enumerate(row.pieces, start=1) if piece.problem), None)
    if row.problem not in PIECE_PROBLEMS or number is None:
        return None
    leaves = command_button("import_piece_leave_out", f"{file.id}:{row.position}:{number}")
    label = t("Leave the piece out: {piece}, line {n}").format(piece=row.pieces[number - 1].name, n=row.line)
    look = {"key": "leave-out", "class": "button button--plain button--small", "aria-label": label}
    return html.button(look | leaves, t("Leave the piece out"))


def _detail(words: str) -> Markup:
    return html.span({"key": "detail", "class": "small muted"}, words) if words else None


def _person(file: ImportShown, row: ImportRow, t: Texts) -> VdomDict:
    """Return the existing participant with a similar name, with two answer buttons while the file is a preview."""
    name = f"{row.first_name} {row.last_name}"
    answers = (
        (RowProblem.SAME, t("The same person"), t("The same person: {name}, line {n}")),
        (RowProblem.ANOTHER, t("Another person"), t("Another person: {name}, line {n}")),
    )
    look = {"class": "button button--plain button--small"}
    buttons = (
        html.button(
            look
            | command_button("import_person_set", f"{file.id}:{row.position}:{answer}")
            | {"key": f"person-{row.position}-{answer}", "aria-label": label.format(name=name, n=row.line)},
            words,
        )
        for answer, words, label in answers
    )
    return html.div(
        {"key": "person", "class": "stack"},
        html.span(t("Perhaps the same person: {name}").format(name=row.detail)),
        html.div({"class": "row"}, *buttons) if file.state == ImportState.PREVIEW else None,
    )


def _category(file: ImportShown, row: ImportRow, number: int, piece: FilePiece, t: Texts) -> VdomDict:
    """Return the form that chooses the category of a piece that is missing in the catalogue."""
    name = f"category-{row.position}-{number}"
    first = html.option({"key": "choice-", "value": ""}, t("choose"))
    options = (
        html.option({"key": f"choice-{each}", "value": each.value} | CATEGORY, str(each.label)) for each in Category
    )
    label = t("category of {piece}").format(piece=_short(piece))
    chooses = {"class": "button button--plain button--small", "type": "submit"}
    named = t("Choose: category of {piece}, line {n}").format(piece=_short(piece), n=row.line)
    select = {"class": "input file__cat", "id": name, "name": "category", "required": True}
    return html.form(
        command_form("import_category_set", f"{file.id}:{row.position}:{number}") | {"key": name},
        html.label({"class": "small", "htmlFor": name}, label),
        html.div(
            {"class": "row"},
            html.select(select, first, *options),
            html.button(chooses | {"aria-label": named}, t("Choose")),
        ),
    )


def _ways(file: ImportShown, after: int, count: int, shown: str, t: Texts) -> Markup:
    """Return the links to the previous and next rows; None if all rows are on one page."""
    if file.counts.total <= ROWS_SHOWN and not after:
        return None
    left = file.counts.total - after - count
    back = html.a({"class": "link", "rel": "prev", "href": rows_at(file.id, before(after))}, t("Previous"))
    on = t("Next {n}").format(n=min(left, ROWS_SHOWN))
    next_rows = html.a({"class": "link", "rel": "next", "href": rows_at(file.id, after + count)}, on)
    return html.nav(
        {"class": "row row--apart read__go", "aria-label": t("Rows")},
        html.span({"class": "small muted"}, shown),
        html.span({"class": "row"}, back if after else None, next_rows if left > 0 and count else None),
    )


def _buttons(file: ImportShown, t: Texts) -> VdomDict:
    saves = command_button("import_save", file.id, busy=t("Saving..."))
    is_empty = not file.counts.unsaved
    clears = html.button({"class": "button button--plain"} | command_button("import_clear", file.id), t("Clear"))
    return html.div(
        {"class": "row read__go"},
        html.button(
            {"class": "button", "disabled": is_empty or not file.is_encoding_sure} | saves, t("Save Participants")
        ),
        clears if file.state == ImportState.PREVIEW else None,
        html.p({"class": "small muted"}, _saving_words(file.counts, t))
        if file.is_encoding_sure
        else html.p({"class": "small"}, link("#encoding", t("Confirm first how the file is written."))),
    )


def _saving_words(counts: ImportCounts, t: Texts) -> str:
    """Return what a save does, and how many rows wait for a decision or are left out."""
    bad, short = counts.bad, counts.short
    saved = t("Nothing is saved unless all good rows can be saved. Existing ones keep what they have.")
    sentences = (
        saved if counts.unsaved else t("Nothing to save."),
        t("Rows still to decide: {n}.").format(n=counts.undecided) if counts.undecided else "",
        t.plural("%(n)d bad row stays here.", "%(n)d bad rows stay here.", bad) if bad else "",
        t.plural("%(n)d short row stays here.", "%(n)d short rows stay here.", short) if short else "",
    )
    return " ".join(filter(None, sentences))


def _state(file: ImportShown, t: Texts) -> VdomDict:
    """Return the result of a saved or undone import."""
    if file.state == ImportState.UNDONE:
        return html.p({"class": "message"}, t("This import was taken back."))
    return html.div(
        {"class": "message message--good"},
        html.p(t("Successfully loaded {n} participants").format(n=file.summary.new_participants)),
        html.p({"class": "small muted"}, summary_words(file.summary, t)),
        html.p({"class": "small muted"}, rows_words(file.counts, t)),
    )


@dataclass(frozen=True, slots=True)
class ParticipantFile:
    """The file in the address or the viewer's pending one, a page of its rows, and the saved imports."""

    file: ImportShown | None
    rows: tuple[ImportRow, ...]
    after: int  # the rows begin after this position
    saved: tuple[SavedImport, ...]
    pianos: frozenset[str]  # the keys of those in the list
    waiting: tuple[SavedImport, ...] = ()  # of other files, if the address names none
    before: int | None = None  # the pending file, if the last upload was refused
    why: str = ""  # why the last upload was not kept


def load(request: PageRequest) -> Page:
    """Return the page for the file in the address; without one, for the viewer's newest refused or pending file."""
    t, user_id = request.t, request.viewer.id or 0
    pending, refused = import_pending(user_id=user_id), import_refused(user_id=user_id)
    is_refused = request.query.get("file") == REFUSED
    newest = max(pending or 0, refused or 0)
    import_id = number_of(request.query, "file", 0) or (0 if is_refused else newest)
    file = import_get(import_id=import_id) if import_id else None
    is_refused = is_refused or (file is not None and file.state == ImportState.REFUSED)
    after = number_of(request.query, "after", 0)
    rows = import_rows(import_id=file.id, after=after) if file else ()
    waiting = () if "file" in request.query else imports_waiting(user_id=user_id)
    before, why = (pending, request.query.get("why", "")) if is_refused else (None, "")
    return Page(
        description=t("Participants and their pieces from a file."),
        component=participant_import_page,
        data=ParticipantFile(
            file, rows, after if rows else 0, imports_saved(), _piano_keys(rows), waiting, before, why
        ),
        topics=("imports",),
    )


def _piano_keys(rows: Sequence[ImportRow]) -> frozenset[str]:
    """Return the keys of the pianos in the list, nothing if no row has one. At most one query."""
    return frozenset(by_key(pianos_admin())) if any(row.piano for row in rows) else frozenset()


def _waiting(waiting: Sequence[SavedImport], t: Texts) -> list[VdomDict]:
    """Return a line with a link for each earlier file with rows that wait."""
    words = t("Rows that wait in {file}: {n}.")
    return [
        html.p(
            {"key": f"waiting-{each.id}"},
            link(rows_at(each.id), words.format(file=each.file_name, n=each.counts.undecided + each.counts.unsaved)),
        )
        for each in waiting
    ]


@component
def participant_import_page(page: Page) -> VdomDict:
    """Render the upload form, the effects of the rows, and earlier imports."""
    t, token, language, data = texts(page.language), use_token(), page.language, page.data
    file = data.file
    limits = html.p(t(".csv, .txt or .xlsx, to 5 MB"))
    error = file_error(file, data.why, t)
    forms = (file_form(file, error, token, t), reading_forms(file, data.rows, t) if file else None)
    waiting = link(rows_at(data.before), t("Go on with the file before")) if data.before else None
    no_file = html.div(empty(t("Each row will say here what it will do.")), waiting)
    is_read = file is not None and file.state != ImportState.REFUSED
    becomes = file_rows(file, data.rows, data.after, data.pianos, language) if file and is_read else no_file
    return backstage(
        t("Import"),
        import_tabs(PARTICIPANTS, t),
        below=(
            section(
                t("The file"),
                html.div({"class": "body stack"}, html.div({"class": "importing"}, *forms), columns(t)),
                aside=limits,
            ),
            section(
                t("What it becomes"),
                html.div({"class": "body", "data-answers": ""}, answer_line(), *_waiting(data.waiting, t), becomes),
                name="rows",
            ),
            section(t("Earlier imports"), earlier_imports(data.saved, language)),
        ),
        page=page,
    )
