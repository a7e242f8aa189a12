"""What `daphne_server.py` relies on inside Daphne, autobahn and Twisted: fails when upstream changes it."""

import hashlib
import inspect
import time
from typing import Any

import pytest
from autobahn.twisted import websocket as adapted
from autobahn.websocket import protocol as autobahn
from daphne import http_protocol, server, ws_protocol
from twisted.internet import abstract, tcp
from twisted.web import http

from project.server.daphne_server import BoundedSocket, DrainingServer

# Digests of upstream's text. One of these fails: read what changed there, then mend ours or renew the digest.
READ = {
    (ws_protocol.WebSocketProtocol, "onConnect"): "b1ce2efc",
    (ws_protocol.WebSocketProtocol, "onOpen"): "6be06658",
    (ws_protocol.WebSocketProtocol, "onMessage"): "826cc86d",
    (ws_protocol.WebSocketProtocol, "onClose"): "4d3b4d7c",
    (ws_protocol.WebSocketProtocol, "serverSend"): "345f2133",
    (ws_protocol.WebSocketProtocol, "check_timeouts"): "0e2ee681",
    (server.Server, "run"): "447c6bd4",
    (server.Server, "listen_success"): "0aa2ef7d",
    (server.Server, "create_application"): "f1e300b4",
    (server.Server, "handle_reply"): "9d9dbaea",
    (server.Server, "kill_all_applications"): "4e1618c6",
    (server.Server, "timeout_checker"): "6b70373a",
    (server.Server, "protocol_disconnected"): "c1f5fe8c",
    (http_protocol.WebRequest, "process"): "e9babd1c",
    (autobahn.WebSocketProtocol, "_dataReceived"): "b6616694",
    (autobahn.WebSocketProtocol, "onMessageFrameEnd"): "00c94dd2",
    (autobahn.WebSocketProtocol, "onFrameEnd"): "c45a45b9",
    (autobahn.WebSocketProtocol, "processControlFrame"): "e308aea9",
    (autobahn.WebSocketProtocol, "onPing"): "d283f6eb",
    (autobahn.WebSocketProtocol, "onPong"): "e75245df",
    (autobahn.WebSocketProtocol, "sendCloseFrame"): "a511406d",
    (autobahn.WebSocketProtocol, "_sendAutoPing"): "34405894",
    (autobahn.WebSocketProtocol, "_connectionLost"): "8d53cb80",
    (adapted.WebSocketAdapterProtocol, "connectionLost"): "cf4d8aab",
    (adapted.WebSocketAdapterProtocol, "dataReceived"): "7997f762",
    (http.HTTPChannel, "requestDone"): "a75a186c",
    (http._GenericHTTPChannelProtocol, "dataReceived"): "78cfa9e5",
    (abstract.FileDescriptor, "write"): "3e46c97f",
    (abstract.FileDescriptor, "doWrite"): "a986d7b1",
    (tcp.Connection, "writeSomeData"): "2dd0d420",
}
OURS: dict[type, set[str]] = {
    BoundedSocket: {"buffered", "send_prepared", "send_latest", "restart"},
    DrainingServer: {"sockets", "applications", "is_busy"},
}  # all other methods override one


@pytest.mark.parametrize(("owner", "name"), READ)
def test_upstreams_text_is_the_one_that_was_read(owner: type, name: str) -> None:
    text = inspect.getsource(vars(owner)[name])
    assert hashlib.sha256(text.encode()).hexdigest()[:8] == READ[owner, name]


@pytest.mark.parametrize("owner", OURS)
def test_what_overrides_overrides_something_that_was_read(owner: type) -> None:
    methods = {name for name, value in vars(owner).items() if inspect.isfunction(value) and not name.startswith("_")}
    read = {name for stock, name in READ if issubclass(owner, stock)}
    assert methods - OURS[owner] <= read


@pytest.mark.parametrize("module", [server, ws_protocol, http_protocol])
def test_daphne_asks_for_the_time_by_the_name_that_is_replaced(module: Any) -> None:
    assert module.time.time is time.monotonic
    text = inspect.getsource(module)
    assert "time.time()" in text
    assert "from time import" not in text
