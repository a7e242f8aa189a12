"""The health check of a container: exits with 0 when this machine's web process answers."""

import http.client
import sys

from project.config import environment_read


def healthy() -> bool:
    """Whether /healthz answers 200 within four seconds, requested with the public host name."""
    environment = environment_read()
    connection = http.client.HTTPConnection("127.0.0.1", environment.port, timeout=4)
    try:
        connection.request("GET", "/healthz", headers={"Host": environment.public.netloc})
        return connection.getresponse().status == http.HTTPStatus.OK
    except OSError:
        return False
    finally:
        connection.close()


if __name__ == "__main__":
    sys.exit(0 if healthy() else 1)
