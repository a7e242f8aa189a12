"""Lines of a pasted program beside the pieces that they become, with the fields that decide them."""

from collections.abc import Iterable

from apps.competition.enums import Category
from apps.competition.limits import PIECE_LENGTH
from apps.core.texts import Texts, texts
from apps.imports.enums import LineStatus
from apps.imports.program_lines.catalogue import CataloguePiece
from apps.imports.program_lines.matching import Why
from apps.imports.program_lines.results import ProgramLine, SlottedPiece
from apps.imports.program_lines.starts import sets_in
from components.pages.admin.programs.offers import titled
from components.runtime import Markup, VdomDict, cached_markup, html
from components.ui.blocks import link, visually_hidden
from components.ui.pieces import CATEGORY, video_second, work, work_text

PIECES = "catalogue-pieces"  # the id of the datalist of piece names
LOOKS = {
    LineStatus.MATCHED: "is-matched",
    LineStatus.EXPANDED: "is-expanded",
    LineStatus.AMBIGUOUS: "is-ask",
    LineStatus.CONTRADICTORY: "is-ask",
    LineStatus.UNKNOWN: "is-unknown",
    LineStatus.NOISE: "is-noise",
}


@cached_markup
def line_row(line: ProgramLine, takes_sets: bool, language: str) -> VdomDict:  # noqa: FBT001 - of its program
    """Return a line beside the pieces that it becomes; `takes_sets` is whether its sets are items by default."""
    t = texts(language)
    return html.li(
        {"key": f"line-{line.mark}", "class": look_of(line)},
        html.span({"class": "nr"}, str(line.number)),
        html.p({"class": "read__text"}, line.text),
        html.div(
            {"class": "read__into"},
            html.p({"class": "read__kind"}, kind_words(line, t), *begins_at(line, t)),
            *_into(line, takes_sets, language),
        ),
    )


def look_of(line: ProgramLine) -> str:
    """Return the classes of a line; one that is left out is struck through."""
    is_part = line.status is LineStatus.NOISE and not line.is_left_out
    return "read__line" if is_part else f"read__line {LOOKS[line.status]}"


def kind_words(line: ProgramLine, t: Texts) -> str:
    """Return the status of a line as text."""
    match line.status:
        case LineStatus.MATCHED:
            return t("Matched")
        case LineStatus.EXPANDED:
            return t.plural("%(n)d piece", "%(n)d pieces", len(line.pieces))
        case LineStatus.AMBIGUOUS:
            question = t.plural("%(n)d fits. Is it this one?", "%(n)d fit. Which one?", len(line.choices))
            if line.is_several:
                question = t.plural("%(n)d fits. Is it this one?", "%(n)d fit. Which ones?", len(line.choices))
            return " ".join(filter(None, (_doubt(line, t), question)))
        case LineStatus.CONTRADICTORY:
            return t("Contradictory: {why}").format(why=_contradiction(line, t))
        case LineStatus.UNKNOWN:
            return _unknown(line, t)
        case _:
            return _left_out(line, t)


def _left_out(line: ProgramLine, t: Texts) -> str:
    if line.same_as:
        words = t("Left out: it stands on line {n}") if line.is_left_out else t("It stands on line {n}")
        return words.format(n=line.same_as)
    if line.why == Why.MOVEMENT:
        return t("Left out: a movement") if line.second is None else t("A movement")
    if line.pieces_below:
        return t.plural("Heading of %(n)d piece", "Heading of %(n)d pieces", len(line.pieces_below))
    return t("Left out: a heading") if line.why == Why.HEADING else t("Left out")


def _doubt(line: ProgramLine, t: Texts) -> str:
    match line.why:
        case Why.OTHER_COMPOSER:
            return t("Perhaps another composer’s.")
        case Why.LEFT_OVER:
            return t("Not all of this line is understood.")
        case Why.DAMAGED:
            return t("This line is damaged.")
        case Why.HEADING:
            return t("Perhaps only a heading.")
        case _:
            return ""


def _contradiction(line: ProgramLine, t: Texts) -> str:
    piece = line.choices[0].piece
    about = line.about
    if line.why == Why.OTHER_KEY and about and about.opus == piece.opus:
        return t("{piece} is in {key}").format(piece=_number(piece), key=piece.key)
    return t("its parts name different pieces")


def _unknown(line: ProgramLine, t: Texts) -> str:
    about = line.about
    if line.why == Why.OTHER_COMPOSER:
        return t("Another composer’s")
    if line.why in {Why.DAMAGED, Why.LEFT_OVER}:
        return _doubt(line, t)
    if line.why == Why.BAD_LINK:
        return t("The video or the moment in its link cannot be read")
    if line.why == Why.NO_SUCH_NUMBER and about:
        number = about.number if about.number is not None else about.series
        return t("Not in the catalogue: op. {opus} has no no. {number}").format(opus=about.opus, number=number)
    if line.why == Why.NO_SUCH_OPUS and about:
        return t("Not in the catalogue: op. {opus}").format(opus=about.opus)
    return t("Not in the catalogue")


def _number(piece: CataloguePiece) -> str:
    opus = f"op. {piece.opus}" if piece.opus[:1].isdigit() else piece.opus
    return f"{opus} no. {piece.number}" if piece.number else opus


def _into(line: ProgramLine, takes_sets: bool, language: str) -> list[Markup]:  # noqa: FBT001 - as above
    t = texts(language)
    match line.status:
        case LineStatus.MATCHED:
            (only,) = line.pieces
            at = html.span({"class": "read__at"}, _from(line.second or 0, t)) if line.second is not None else None
            title = (piece_title(only, language), " ", at)
            slot = None if takes_sets else _slot(line, only, language)
            return [html.p({"class": "read__piece"}, *title), slot, line_other(line, t)]
        case LineStatus.EXPANDED:
            boxes = (_taken(line, each, takes_sets, language) for each in line.pieces)
            return [_several(line), html.div({"class": "read__two"}, *boxes), *_set(line, takes_sets, t)]
        case LineStatus.AMBIGUOUS | LineStatus.CONTRADICTORY:
            return [line_picks(line, language), line_other(line, t)]
        case LineStatus.UNKNOWN:
            return [
                html.p({"class": "small muted"}, t("It stays in the text. "), add_piece_link(t)),
                line_other(line, t),
            ]
        case _:
            return _set(line, takes_sets, t)


def begins_at(line: ProgramLine, t: Texts) -> tuple[str, ...]:
    """Return where in the recording the part on a line begins, as words behind its kind."""
    is_part = line.status is LineStatus.NOISE and not line.is_left_out and line.second is not None
    return (", ", _from(line.second or 0, t)) if is_part else ()


def _from(second: int, t: Texts) -> str:
    return t("from {time}").format(time=video_second(second))


def add_piece_link(t: Texts) -> VdomDict:
    """Return the link that leads to the catalogue."""
    return link("/admin/pieces", t("Add a piece"))


def piece_title(each: SlottedPiece, language: str) -> VdomDict:
    """Return a piece of a line as it is shown."""
    return work(titled(each.piece), language=language)


def _taken(line: ProgramLine, each: SlottedPiece, takes_sets: bool, language: str) -> VdomDict:  # noqa: FBT001 - as above
    own = f"take-{line.mark}-{each.piece.id}"
    box = {"id": own, "type": "checkbox", "name": f"take-{line.mark}", "value": str(each.piece.id)}
    title = piece_title(each, language)
    name = html.label({"class": "check", "htmlFor": own}, html.input(box | {"defaultChecked": True}), title)
    piece = html.p({"class": "read__piece"}, name)
    return html.div({"key": f"piece-{each.piece.id}"}, piece, None if takes_sets else _slot(line, each, language))


def has_set(line: ProgramLine) -> bool:
    """Whether the pieces of a line, or of those below a heading, may be one item of a program."""
    return any(len(group) > 1 for group in sets_in(line.pieces or line.pieces_below))


def is_set(line: ProgramLine, takes_sets: bool) -> bool:  # noqa: FBT001 - of its program
    """Whether the pieces of a line are one item by default: below a heading only all pieces of the opus."""
    return takes_sets and has_set(line) and (line.is_whole or not line.pieces_below)


def _set(line: ProgramLine, takes_sets: bool, t: Texts) -> list[Markup]:  # noqa: FBT001 - as above
    """Return the box that makes the pieces of a line one item, and the hidden field that says that it was shown."""
    if not has_set(line):
        return []
    own = {"id": f"set-{line.mark}", "name": f"set-{line.mark}", "type": "checkbox", "value": "1"}
    box = html.input(own | {"defaultChecked": is_set(line, takes_sets)})
    shown = html.input({"type": "hidden", "name": f"sets-{line.mark}", "value": "1"})
    return [html.label({"class": "check", "htmlFor": own["id"]}, box, t("One item of the program")), shown]


def _several(line: ProgramLine) -> VdomDict:
    """Return the hidden field that says that the ticked pieces of a line are meant, also if none is ticked."""
    return html.input({"type": "hidden", "name": f"several-{line.mark}", "value": "1"})


def _slot(line: ProgramLine, each: SlottedPiece, language: str) -> VdomDict:
    t = texts(language)
    name = f"slot-{line.mark}-{each.piece.id}"
    words = t("Slot of {piece}").format(piece=work_text(titled(each.piece), language=language))
    options = (html.option({"key": slot.value, "value": slot.value} | CATEGORY, str(slot.label)) for slot in Category)
    return html.label(
        {"class": "read__slot", "htmlFor": name},
        visually_hidden(words),
        html.select({"class": "input", "id": name, "name": name, "defaultValue": each.slot}, *options),
    )


def line_picks(line: ProgramLine, language: str) -> VdomDict:
    """Return the candidates of a line, of which one is chosen, or as many as the line names."""
    t = texts(language)
    choices = [_pick(line, str(each.piece.id), piece_title(each, language)) for each in line.choices]
    legend = html.legend({"class": "visually-hidden"}, t("Line {n}").format(n=line.number))
    if line.is_several:
        return html.fieldset({"class": "read__picks"}, legend, _several(line), *choices)
    none = _pick(line, "0", html.span({"class": "muted"}, t("None of these")))
    return html.fieldset({"class": "read__picks"}, legend, *choices, none)


def _pick(line: ProgramLine, value: str, words: Markup) -> VdomDict:
    kind, name = ("checkbox", f"take-{line.mark}") if line.is_several else ("radio", f"pick-{line.mark}")
    own = {"id": f"{name}-{value}", "type": kind, "name": name, "value": value}
    return html.label({"class": "read__pick", "key": f"pick-{value}", "htmlFor": own["id"]}, html.input(own), words)


def line_other(line: ProgramLine, t: Texts) -> VdomDict:
    """Return the folded field that names another piece."""
    name = f"name-{line.mark}"
    words = t("Another piece") if line.pieces or line.choices else t("Choose a piece")
    field = {"class": "input", "id": name, "name": name, "type": "text", "list": PIECES, "maxLength": PIECE_LENGTH}
    label = t("Piece of line {n}").format(n=line.number)
    return html.details(
        {"class": "read__other"},
        html.summary({"class": "link"}, words, visually_hidden(t(", line {n}").format(n=line.number))),
        html.label({"class": "visually-hidden", "htmlFor": name}, label),
        html.input(field | {"autoComplete": "off"}),
    )


def piece_names(pieces: Iterable[CataloguePiece]) -> VdomDict:
    """Return the datalist of piece names for the fields for another piece."""
    return html.datalist({"id": PIECES}, *(html.option({"key": str(each.id), "value": each.name}) for each in pieces))
