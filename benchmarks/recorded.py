"""The site with a recorder: `python -m benchmarks.recorded TABLE` serves the recorded spans at /bench/recorded."""

import gc
import json
import sys

from benchmarks.recorder import Recorder
from project.config import environment_read
from project.launcher import checks, serve
from project.launcher.launch import prepare


def mounted(recorder: Recorder) -> None:
    """Serve the recorded spans in front of the site's application."""
    from project import asgi

    site = asgi.application

    async def application(scope, receive, send):
        if scope["path"] != "/bench/recorded":
            await site(scope, receive, send)
            return
        spans = [
            {"files": list(span.files), "climbs": list(span.climbs.items()), "path": span.path}
            for span in recorder.spans
            if span.files
        ]
        recorder.spans[:] = recorder.spans[-1:]
        await send({"type": "http.response.start", "status": 200, "headers": []})
        await send({"type": "http.response.body", "body": json.dumps(spans).encode()})

    asgi.application = application


def main() -> None:
    """Serve until stopped."""
    environment = environment_read()
    checks.settings_require()
    prepare(environment)
    recorder, install = Recorder(sys.argv[1]), serve._install_reactor  # noqa: SLF001 - `project.asgi` needs the reactor

    def install_and_mount() -> None:
        install()
        mounted(recorder)
        recorder.install()
        gc.disable()  # garbage collection calls its callbacks at any point

    serve._install_reactor = install_and_mount  # noqa: SLF001
    serve.serve(port=environment.port, interface=environment.interface)


if __name__ == "__main__":
    main()
