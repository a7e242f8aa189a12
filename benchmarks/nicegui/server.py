"""The session page in NiceGUI; runs in its own environment, independent of the site.

`python server.py PORT PLACES PIECES` serves the page at / and changes the performer at /perform.
"""

import resource
import sys

from fastapi.responses import PlainTextResponse
from nicegui import app, binding, ui

PORT, APPEARANCES, PIECES = map(int, sys.argv[1:4])


@binding.bindable_dataclass
class Stage:
    """The current performer; bound labels follow at once."""

    performer: str = "Player Number 01"
    appearance: int = 0


stage = Stage()


@ui.page("/")
def session() -> None:
    """The current performance above the running order."""
    for to in ("Home", "Participants", "Sessions", "Community", "Log in", "Register"):
        ui.link(to, f"/{to.lower()}")
    ui.label("LIVE NOW")
    ui.html("<h1>Stage II, evening session</h1>", sanitize=False)
    ui.label("12 October 2027, 17:00")
    ui.label("Now Performing")
    ui.label().bind_text_from(stage, "performer")
    for appearance in range(APPEARANCES):
        with ui.expansion(f"{appearance + 1} Player Number {appearance + 1:02d}, Poland"):
            playing = ui.badge("Now Performing")
            playing.bind_visibility_from(stage, "place", backward=lambda now, appearance=appearance: now == appearance)
            for piece in range(PIECES):
                with ui.row():
                    ui.label(f"Etude in C-sharp minor, Op. 10 No. {piece + 1}")
                    ui.button("Watch", on_click=lambda: None)
            ui.link(f"More about Player Number {appearance + 1:02d}", f"/participants/{appearance + 1}")
    for to in ("Participants", "Sessions", "News", "Community", "Contact", "Privacy"):
        ui.link(to, f"/{to.lower()}")


@app.post("/perform")
async def perform(marker: str) -> PlainTextResponse:
    """Change to the next performer."""
    stage.performer, stage.appearance = marker, (stage.appearance + 1) % APPEARANCES
    return PlainTextResponse("ok")


if __name__ == "__main__":
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    ui.run(host="127.0.0.1", port=PORT, reload=False, show=False, title="Session", show_welcome_message=False)
