"""The process that is measured: the site as `project.launcher.launch` serves it, with the peers mounted beside it."""

import resource

from project.config import environment_read
from project.launcher import checks, serve
from project.launcher.launch import prepare

_install_reactor = serve._install_reactor  # noqa: SLF001 - what follows has to come right after it


def _install_and_mount() -> None:
    """Put the peers before the site's application: importing it is only possible once the reactor is there."""
    _install_reactor()
    from benchmarks import crowded, peers, tapping
    from project import asgi

    crowded.add()
    site, sockets = asgi.application, peers.SOCKETS | tapping.SOCKETS

    def application(scope, receive, send):  # not a coroutine function: it must add nothing to any socket's cost
        if scope["type"] == "http":
            chosen = asgi.django if scope["path"].startswith("/bench/") else site
        else:
            chosen = sockets.get(scope["path"], site)
        return chosen(scope, receive, send)

    asgi.application = application


def main() -> None:
    """Serve until told to stop."""
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    environment = environment_read()
    checks.settings_require()
    prepare(environment)
    serve._install_reactor = _install_and_mount  # noqa: SLF001
    serve.serve(port=environment.port, interface=environment.interface)


if __name__ == "__main__":
    main()
