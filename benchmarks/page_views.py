"""Measure the CPU of page views from a separate process; `python -m benchmarks.page_views '{"port": 8220}'`."""

import asyncio
import json
import re
import sys

from benchmarks.clocks import cpu

TIMES, TOGETHER = 300, 4
MOST_OF_IT = 15_000  # the least size of the template, which contains every row, mark and comment


async def ask(port: int, path: str, headers: str, times: int) -> tuple[str, int, str]:
    """Send `times` requests in sequence on one connection. Returns the last status line, length and ETag."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port, limit=1 << 22)
    answer, size = b"", 0
    for _ in range(times):
        head = f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nAccept-Encoding: gzip\r\n{headers}\r\n"
        writer.write(head.encode())
        answer = await reader.readuntil(b"\r\n\r\n")
        found = re.search(rb"content-length: (\d+)", answer, re.IGNORECASE)
        size = int(found[1]) if found else 0
        await reader.readexactly(size)
    writer.close()
    etag = re.search(rb"etag: (\S+)", answer, re.IGNORECASE)
    return answer.split(b"\r\n")[0].decode(), size, etag[1].decode() if etag else ""


async def run(port: int, pid: int, session: int, cookie: str) -> dict[str, dict[str, object]]:
    """Measure each kind of page view with the same client.

    Returns the milliseconds of CPU and the bytes of each by name. Exits on an unexpected status or size.
    """
    page = f"/sessions/{session}"
    signed = f"Cookie: {cookie}\r\n"
    template = f"/bench/template?session={session}"
    views = {
        "plain": ("/bench/plain", ""),
        "template": (template, ""),
        "template_signed_in": (template, signed),
        "anonymous": (page, ""),
        "not_modified": (page, "If-None-Match: {etag}\r\n"),
        "signed_in": (page, signed),
    }
    out: dict[str, dict[str, object]] = {}
    for name, (path, request_headers) in views.items():
        _, _, etag = await ask(port, path, request_headers, 20)
        headers = request_headers.format(etag=etag)  # parts of the page change over time, and the ETag with them
        start = cpu(pid)
        answers = await asyncio.gather(*(ask(port, path, headers, TIMES // TOGETHER) for _ in range(TOGETHER)))
        status, size, _ = answers[0]
        expected = "304" if name == "not_modified" else "200"
        if expected not in status:
            raise SystemExit(f"{path}: {status}")
        if path == template and size < MOST_OF_IT:
            raise SystemExit(f"{path}: {size} bytes do not hold what the page shows")
        out[name] = {"ms": (cpu(pid) - start) / TIMES * 1e3, "bytes": size}
    return out


if __name__ == "__main__":
    print(json.dumps(asyncio.run(run(**json.loads(sys.argv[1])))))
