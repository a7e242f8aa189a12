"""The site as it is served, with a recorder: `python -m benchmarks.recorded TABLE`; what it saw is /bench/recorded."""

import gc
import json
import sys

from benchmarks.recorder import Recorder
from project.config import environment_read
from project.launcher import checks, serve
from project.launcher.launch import prepare


def mounted(recorder: Recorder) -> None:
    """Put the address of what was recorded before the site's application."""
    from project import asgi

    site = asgi.application

    async def application(scope, receive, send):
        if scope["path"] != "/bench/recorded":
            await site(scope, receive, send)
            return
        spans = [
            {"files": list(each.files), "climbs": list(each.climbs.items()), "path": each.path}
            for each in recorder.spans
            if each.files
        ]
        recorder.spans[:] = recorder.spans[-1:]
        await send({"type": "http.response.start", "status": 200, "headers": []})
        await send({"type": "http.response.body", "body": json.dumps(spans).encode()})

    asgi.application = application


def main() -> None:
    """Serve until told to stop."""
    environment = environment_read()
    checks.settings_require()
    prepare(environment)
    recorder, install = Recorder(sys.argv[1]), serve._install_reactor  # noqa: SLF001 - `project.asgi` needs the reactor

    def install_and_mount() -> None:
        install()
        mounted(recorder)
        recorder.install()
        gc.disable()  # the collector calls its listeners in the midst of anything

    serve._install_reactor = install_and_mount  # noqa: SLF001
    serve.serve(port=environment.port, interface=environment.interface)


if __name__ == "__main__":
    main()
