"""The parts of Daphne, autobahn and Twisted that `daphne_server.py` depends on. Fails when upstream changes them."""

import inspect
import time
from typing import Any

from autobahn.twisted import websocket as adapted
from autobahn.websocket import protocol as autobahn
from autobahn.websocket.compress_deflate import (
    PerMessageDeflate,
    PerMessageDeflateOffer,
    PerMessageDeflateOfferAccept,
)
from daphne import http_protocol, server, ws_protocol
from twisted.internet import abstract, tcp
from twisted.web import http

from project.server.daphne_server import BoundedSocket, DrainingServer
from project.server.message_deflate import Inflation
from project.server.request_bodies import BoundedRequest
from tests.offenders import check_each
from tests.upstream import calls_of, digest_of

WebRequest = BoundedRequest.__base__  # daphne_server.py replaces it in Daphne's module

# Digests of upstream's code. If one differs: read the change, adapt daphne_server.py if needed, and renew the digest.
READ = {
    (ws_protocol.WebSocketProtocol, "onConnect"): "c940f1fe",
    (ws_protocol.WebSocketProtocol, "onOpen"): "2a186094",
    (ws_protocol.WebSocketProtocol, "onMessage"): "8ca189f4",
    (ws_protocol.WebSocketProtocol, "onClose"): "f4dcebd3",
    (ws_protocol.WebSocketProtocol, "serverSend"): "824b91b6",
    (ws_protocol.WebSocketProtocol, "check_timeouts"): "2f0deba5",
    (server.Server, "run"): "a9c52a93",
    (server.Server, "listen_success"): "5456482b",
    (server.Server, "create_application"): "fab4e1f9",
    (server.Server, "handle_reply"): "37e90556",
    (server.Server, "kill_all_applications"): "ced9dfae",
    (server.Server, "timeout_checker"): "ef57c499",
    (server.Server, "protocol_disconnected"): "a8b53d83",
    (WebRequest, "process"): "e0c2da83",
    (http.Request, "__init__"): "1cf1ca28",
    (http.Request, "gotLength"): "410a2b46",
    (http.Request, "handleContentChunk"): "3c5d20ac",
    (http.Request, "requestReceived"): "dfe2fbbb",
    (autobahn.WebSocketProtocol, "onMessageFrameEnd"): "32e3c6d2",
    (autobahn.WebSocketProtocol, "onFrameEnd"): "08c07260",
    (autobahn.WebSocketProtocol, "processControlFrame"): "37dca91b",
    (autobahn.WebSocketProtocol, "onPing"): "aac2130e",
    (autobahn.WebSocketProtocol, "onPong"): "86ba5ffc",
    (autobahn.WebSocketProtocol, "onFrameData"): "268029ec",
    (autobahn.WebSocketProtocol, "sendMessage"): "df03fa01",
    (autobahn.WebSocketServerProtocol, "succeedHandshake"): "0c8bbf50",
    (PerMessageDeflate, "create_from_offer_accept"): "5272d9ec",
    (PerMessageDeflate, "start_decompress_message"): "36dee984",
    (PerMessageDeflate, "decompress_message_data"): "b6116ea8",
    (PerMessageDeflate, "end_decompress_message"): "7c88c7d6",
    (PerMessageDeflateOffer, "parse"): "e75bce42",
    (PerMessageDeflateOfferAccept, "get_extension_string"): "b588a00f",
    (autobahn.WebSocketProtocol, "sendCloseFrame"): "252928cc",
    (autobahn.WebSocketProtocol, "_sendAutoPing"): "d02bc3dd",
    (autobahn.WebSocketProtocol, "_connectionLost"): "5d304cdf",
    (adapted.WebSocketAdapterProtocol, "connectionLost"): "f4ae1755",
    (http.HTTPChannel, "requestDone"): "e3292a5b",
    (http._GenericHTTPChannelProtocol, "dataReceived"): "7ea67517",
    (abstract.FileDescriptor, "write"): "0e2655fe",
    (abstract.FileDescriptor, "doWrite"): "7ab9af89",
    (tcp.Connection, "writeSomeData"): "8dcd2366",
}
OWN: dict[type, set[str]] = {
    BoundedSocket: {"waiting_bytes", "send_prepared", "send_latest", "restart"},
    DrainingServer: {"sockets", "applications", "is_busy"},
    BoundedRequest: set(),
    Inflation: set(),
}  # all other methods override one of upstream


def test_upstream_code_is_unchanged() -> None:
    check_each(READ, lambda key: digest_of(vars(key[0])[key[1]]) == READ[key])


def test_overridden_methods_are_known() -> None:
    def check(owner: type) -> None:
        methods = {name for name, value in vars(owner).items() if inspect.isfunction(value)}
        public = {name for name in methods if not name.startswith("_")}
        assert public - OWN[owner] <= {name for upstream, name in READ if issubclass(owner, upstream)}

    check_each(OWN, check)


def test_daphne_reads_the_time_by_the_replaced_name() -> None:
    def check(module: Any) -> None:
        assert module.time.time is time.monotonic
        calls = {call for call in calls_of(module) if "time" in call.split(".") or "monotonic" in call}
        assert calls == {"time.time"}

    check_each([server, ws_protocol, http_protocol], check)
