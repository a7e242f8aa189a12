"""Pictures and names of people, signs, and the drawing of a stage."""

from string import Formatter
from zlib import crc32

from components.runtime import Markup, Vdom, VdomDict, cached_markup, html

_GRADIENT, _STOP, _ELLIPSE = Vdom("radialGradient"), Vdom("stop"), Vdom("ellipse")
BRASS, INK = "#d3aa58", "#080504"
PIANO = (
    "M232 196h214c16 0 26 8 28 24l2 14H232z",
    "M240 196C300 176 404 130 452 96l5 4c-32 42-100 86-150 96z",
    "M246 234h10l-4 60h-8zM452 234h10l2 60h-8zM352 234h9l2 60h-9z",
    "M214 204h22v14h-22z",
    "M150 240h56v8h-56zM156 246h6l-4 48h-6zM194 246h6l4 48h-6z",
)
PIANIST = (
    ("M187 170l4-14", 9),
    ("M176 226c-5-20-3-36 8-48", 27),
    ("m186 180 12 28 36-2", 10),
    ("M178 236h38l5 50", 13),
    ("M222 290h14", 7),
)


def stage_drawing(light: str = "spot") -> VdomDict:
    """Return the drawing of a stage, shown where no video plays yet.

    `light` is the id of its gradient, for pages with several stages.
    """
    return html.svg(
        {"viewBox": "0 0 640 360", "preserveAspectRatio": "xMidYMid slice", "aria-hidden": "true"},
        Vdom("defs")(
            _GRADIENT(
                {"id": light, "cx": ".5", "cy": ".1", "r": ".9"},
                _STOP({"offset": "0", "stopColor": "#6b4a22"}),
                _STOP({"offset": ".42", "stopColor": "#2b1c12"}),
                _STOP({"offset": "1", "stopColor": "#0a0706"}),
            )
        ),
        _path("M0 0h640v360H0z", fill=f"url(#{light})"),
        _path("M300 0h50l170 292H150z", fill=BRASS, opacity=".10"),
        _ELLIPSE({"cx": "335", "cy": "292", "rx": "225", "ry": "26", "fill": BRASS, "opacity": ".20"}),
        _g({"fill": INK}, *(_path(shape) for shape in PIANO), *_head()),
        _g(
            {"fill": "none", "stroke": INK, "strokeLinecap": "round", "strokeLinejoin": "round"},
            *(_path(shape, strokeWidth=width) for shape, width in PIANIST),
        ),
        _path("M444 102 303 194M424 122 286 196", stroke=BRASS, strokeWidth=1, opacity=".5"),
    )


def _head() -> list[VdomDict]:
    face = {"cx": "192", "cy": "146", "rx": "12.5", "ry": "15.5", "transform": "rotate(14 192 146)"}
    return [_ELLIPSE(face), Vdom("circle")({"cx": "176", "cy": "146", "r": "8"})]


def _path(shape: str, **attributes: str | int) -> VdomDict:
    return Vdom("path")({"d": shape} | attributes)


def _g(attributes: dict[str, str], *children: VdomDict) -> VdomDict:
    return Vdom("g")(attributes, *children)


HEART = (
    "M12 20.5C5.2 15.6 3 12.3 3 8.9 3 6.2 5 4.3 7.5 4.3c1.8 0 3.4 1 4.5 2.9 1.1-1.9 2.7-2.9 4.5-2.9 2.5 0 4.5 1.9 "
    "4.5 4.6 0 3.4-2.2 6.7-9 11.6z"
)
THUMB = (
    "M7.5 11v9.5h-4V11zm0 0 4-7.5c1.8 0 2.5 1.5 2.1 3L12.7 10H19c1.4 0 2.2 1.2 1.9 2.5l-1.6 6.2c-.3 1.1-1.2 1.8-2.3 "
    "1.8H7.5"
)


def reaction_sign(kind: str) -> VdomDict:
    """Return the sign of a live reaction: "heart", "thumbsUp" or "thumbsDown"."""
    line = {"fill": "none", "stroke": "currentColor", "strokeWidth": "1.6", "strokeLinejoin": "round"}
    shapes = {
        "heart": _path(HEART, fill="currentColor"),
        "thumbsUp": _path(THUMB, **line),
        "thumbsDown": _path(THUMB, transform="rotate(180 12 12)", **line),
    }
    return html.svg({"viewBox": "0 0 24 24", "aria-hidden": "true"}, shapes[kind])


LINK = "M6.6 9.4l2.8-2.8M7.3 4.9l1.5-1.5a2.7 2.7 0 0 1 3.8 3.8l-1.5 1.5M8.7 11.1l-1.5 1.5a2.7 2.7 0 0 1-3.8-3.8l1.5-1.5"
CROSS = "M4 4l8 8M12 4l-8 8"
SIGNS = {"link": LINK, "remove": CROSS, "up": "M3.5 10 8 5.5l4.5 4.5", "down": "M3.5 6 8 10.5 12.5 6"}


@cached_markup
def sign(kind: str) -> VdomDict:
    """Return a small sign for a button that has a label: "link", "remove", "up" or "down"."""
    line = {"fill": "none", "stroke": "currentColor", "strokeWidth": "1.5", "strokeLinecap": "round"}
    shape = _path(SIGNS[kind], **line)
    return html.svg({"viewBox": "0 0 16 16", "aria-hidden": "true"}, shape)


PAPERS = 4


def paper(name: str) -> int:
    """Return the background (1 to 4) for a name, always the same one."""
    return crc32(name.encode()) % PAPERS + 1


def cameo(name: str, initials: str, picture: str = "", *, size: str = "") -> VdomDict:
    """Return a performer's oval: the picture, or the initials on a paper; `size` is "small", "large" or empty."""
    return _likeness("cameo", name, initials, picture, size)


def disc(name: str, initials: str, picture: str = "", *, size: str = "") -> VdomDict:
    """Return an audience member's disc: the picture, or the initials on a paper; `size` is "small" or empty."""
    return _likeness("disc", name, initials, picture, size)


def _likeness(shape: str, name: str, initials: str, picture: str, size: str) -> VdomDict:
    names = [shape, f"{shape}--{size}" if size else "", f"tint-{paper(name)}"]
    # the initials stay below the picture, for while it loads or fails
    image = (
        html.img({"src": picture, "alt": "", "loading": "lazy", "decoding": "async", "referrerPolicy": "no-referrer"})
        if picture
        else None
    )
    return html.span({"class": " ".join(filter(None, names)), "aria-hidden": "true"} | NAMED, initials, image)


NAMED = {"translate": "no"}  # attributes of names of people and accounts: translation programs leave them


def person_name(name: str) -> VdomDict:
    """Return the name of a person or account."""
    return html.span(NAMED, name)


def performer_link(participant_id: int, name: str, look: str = "") -> VdomDict:
    """Return the name as a link to the performer's page; `look` are its classes."""
    own = {"href": f"/participants/{participant_id}", "translate": "no"} | ({"class": look} if look else {})
    return html.a(own, name)


def with_names(words: str, **names: Markup) -> list[Markup]:
    """Return a sentence whose placeholders, such as `{name}`, are names (`person_name`) or other markup."""
    parts: list[Markup] = []
    for before, name, *_ in Formatter().parse(words):
        value = names[name] if name else None
        parts += [before, person_name(value) if isinstance(value, str) else value]
    return parts


def person(likeness: VdomDict, name: Markup, *below: Markup) -> VdomDict:
    """Return a person in a list: the likeness, the name (a link or a heading's content), lines below it."""
    return html.div({"class": "person"}, likeness, html.div(name, *below))
