"""The process under measurement: the site as `project.launcher.launch` serves it, with the peers mounted beside it."""

import resource

from project.config import environment_read
from project.launcher import checks, serve
from project.launcher.launch import prepare

_install_reactor = serve._install_reactor  # noqa: SLF001 - the next steps must directly follow it


def _install_and_mount() -> None:
    """Mount the peers in front of the site's application, which can only be imported after the reactor is installed."""
    _install_reactor()
    from benchmarks import crowded, peers, tapping
    from project import asgi

    crowded.add()
    site, sockets = asgi.application, peers.SOCKETS | tapping.SOCKETS

    def application(scope, receive, send):  # not a coroutine function, which would add to the cost of every socket
        if scope["type"] == "http":
            chosen = asgi.django if scope["path"].startswith("/bench/") else site
        else:
            chosen = sockets.get(scope["path"], site)
        return chosen(scope, receive, send)

    asgi.application = application


def main() -> None:
    """Serve until stopped."""
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    environment = environment_read()
    checks.settings_require()
    prepare(environment)
    serve._install_reactor = _install_and_mount  # noqa: SLF001
    serve.serve(port=environment.port, interface=environment.interface)


if __name__ == "__main__":
    main()
