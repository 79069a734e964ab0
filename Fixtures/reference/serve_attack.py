"""Attacks and loads `tally serve`, and says what does not hold.

    python3 Fixtures/reference/serve_attack.py --tally .build/release/tally
    python3 Fixtures/reference/serve_attack.py --tally .build/release/tally --only races,signals
    python3 Fixtures/reference/serve_attack.py --tally .build/release/tally --long
    python3 Fixtures/reference/serve_attack.py --tally .build/release/tally --bench 40

It starts servers on free ports of this machine, with a temporary folder for their data, and prints a line PASS or FAIL
for each check, with what was found. After each check the server must be alive and count 24 coins in coins.png. The exit
code is 1 if a check fails. Checks: load, memory, slow clients, clients that leave, hostile requests, hostile photos,
options, corrections, races, access, signals, and folders that cannot be written to.

It takes about five minutes. `--long` takes five more, and also waits for the server's limit of 300 s for a request.
`--bench N` checks nothing: it prints the time of N photos through a server beside that of one `tally count`.

Needs only Python 3.11, and Linux for the figures of memory. CI does not run it.
"""

import argparse
import collections
import concurrent.futures
import functools
import json
import os
import pathlib
import random
import re
import resource
import signal
import socket
import struct
import subprocess
import sys
import tempfile
import threading
import time
import urllib.parse
import zlib

IMAGES = pathlib.Path(__file__).resolve().parent.parent / "Images"
COINS = 24
CHECKS = []

# MARK: Clients


class Response:
    """One response: status, headers with small names, body, and the bytes after it."""

    def __init__(self, data, is_head=False):
        head, _, rest = data.partition(b"\r\n\r\n")
        lines = head.decode("latin-1").split("\r\n")
        match = re.fullmatch(r"HTTP/1\.[01] (\d{3}) .*", lines[0])
        if not match or b"\r\n\r\n" not in data:
            raise ValueError(f"not a response: {data[:80]!r}")
        self.status = int(match[1])
        self.fields = [tuple(part.strip() for part in line.partition(":")[::2]) for line in lines[1:]]
        self.headers = {name.lower(): value for name, value in self.fields}
        length = 0 if is_head or self.status in (100, 204, 304) else int(self.headers.get("content-length", len(rest)))
        self.body, self.rest, self.is_whole = rest[:length], rest[length:], len(rest) >= length

    @property
    def json(self):
        return json.loads(self.body)

    @property
    def error(self):
        """The sentence of an error; an empty text if there is none."""
        try:
            return str(self.json.get("error", ""))
        except (ValueError, AttributeError):
            return ""

    def __repr__(self):
        return f"{self.status} {self.body[:160]!r}"


def responses(data):
    """All responses in what a connection sent; raises ValueError if something is not one.

    libmicrohttpd 0.9.75 sends the head of its own refusals twice. The second is left out.
    """
    found = []
    while data:
        start, end, rest = data.partition(b"\r\n\r\n")
        if rest.startswith(start + end):
            data = rest
        found.append(Response(data))
        if not found[-1].is_whole:
            raise ValueError(f"cut off: {data[-60:]!r}")
        data = found[-1].rest
    return found


def received(connection, until=None):
    """What a connection sends until it ends, is silent for its time, or `until` says that it is enough."""
    parts = bytearray()
    try:
        while piece := connection.recv(1 << 16):
            parts += piece
            if until and until(parts):
                break
    except OSError:
        pass
    return bytes(parts)


def is_whole(data, is_head=False):
    """Whether a whole response has come, which is not 100."""
    try:
        while True:
            response = Response(bytes(data), is_head)
            if response.status != 100:
                return response.is_whole
            data = response.rest
    except ValueError:
        return False


def head(method, path, fields=(), host="127.0.0.1", version="HTTP/1.1"):
    lines = [f"{method} {path} {version}", f"Host: {host}", *(f"{name}: {value}" for name, value in fields)]
    return "\r\n".join(lines).encode() + b"\r\n\r\n"


class Server:
    """A server that this script started."""

    def __init__(self, tally, *options, data, **popen):
        self.data = pathlib.Path(data)
        environment = {**os.environ, "XDG_DATA_HOME": str(data), "XDG_CONFIG_HOME": str(data)}
        environment.pop("TALLY_TEMPLATES", None)
        self.log = tempfile.TemporaryFile()
        self.process = subprocess.Popen([tally, "serve", "--port", "0", *options], stdout=subprocess.PIPE,
                                        stderr=self.log, text=True, env=environment, **popen)
        self.lines = [self.process.stdout.readline().strip()]
        match = re.match(r"serving on http://([\d.]+):(\d+)/", self.lines[0])
        if not match:
            raise SystemExit(f"the server did not start: {self.lines[0]!r} {self.errors()}")
        self.port = int(match[2])
        self.address = match[1]

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self.process.poll() is None:
            self.process.terminate()
            try:
                self.process.wait(10)
            except subprocess.TimeoutExpired:
                self.process.kill()
                self.process.wait()
        self.process.stdout.close()
        self.log.close()

    def errors(self):
        self.log.seek(0)
        return self.log.read().decode("utf-8", "replace")

    def connect(self, timeout=30, address=None):
        connection = socket.create_connection((address or self.address, self.port), timeout=timeout)
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        return connection

    def raw(self, data, timeout=10, address=None):
        """What comes back for bytes, until the end of the connection or for a time of silence."""
        with self.connect(timeout, address) as connection:
            try:
                connection.sendall(data)
            except OSError:
                pass
            return received(connection)

    def ask(self, method, path, body=None, fields=(), timeout=90, host="127.0.0.1", address=None):
        """The response to one request on its own connection; raises OSError or ValueError if there is none."""
        fields = [*fields, ("Connection", "close")]
        if body is not None:
            fields.append(("Content-Length", len(body)))
        with self.connect(timeout, address) as connection:
            try:
                connection.sendall(head(method, path, fields, host))
                if body:
                    connection.sendall(body)
            except OSError:
                pass  # A refusal may have come before all was sent.
            data = received(connection)
        response = Response(data, is_head=method == "HEAD")
        while response.status == 100:
            response = Response(response.rest)
        if not response.is_whole:
            raise ValueError(f"cut off: {response!r}")
        return response

    def count(self, photo, query="", **options):
        return self.ask("POST", f"/count{query}", photo, **options)

    def memory(self):
        """The resident megabytes: now, and at most since `forget_peak`; None if they are not known."""
        try:
            text = pathlib.Path(f"/proc/{self.process.pid}/status").read_text()
        except OSError:
            return None
        return tuple(int(re.search(rf"{name}:\s+(\d+)", text)[1]) // 1024 for name in ("VmRSS", "VmHWM"))

    def forget_peak(self):
        try:
            pathlib.Path(f"/proc/{self.process.pid}/clear_refs").write_text("5")
        except OSError:
            pass

    def is_well(self):
        """None if the server is alive and counts right, else what is wrong."""
        if (code := self.process.poll()) is not None:
            return f"the server ended with {code}: {self.errors()[-300:]}"
        try:
            response = self.count(photo("coins.png"), timeout=60)
            return None if response.status == 201 and response.json["count"] == COINS else f"then coins: {response!r}"
        except (OSError, ValueError) as error:
            return f"then coins: {error!r}"


class Found:
    """What a check found: problems, and remarks that are none."""

    def __init__(self):
        self.problems = []
        self.remarks = []

    def expect(self, is_right, text):
        if not is_right:
            self.problems.append(str(text))
        return is_right

    def note(self, text):
        self.remarks.append(text)


def check(name, *options):
    """Makes a function a check with its own server, which is started with `options`."""

    def add(function):
        CHECKS.append((name, options, function))
        return function

    return add


def at_once(calls, most=200):
    """The results, or the errors, of functions that are called at the same time."""
    barrier = threading.Barrier(len(calls)) if len(calls) <= most else None

    def call(function):
        if barrier:
            barrier.wait()
        try:
            return function()
        except Exception as error:  # noqa: BLE001: it is a result
            return error

    with concurrent.futures.ThreadPoolExecutor(min(len(calls), most)) as pool:
        return list(pool.map(call, calls))


def each(function, items, threads=8):
    """The results, or the errors, of a function of many items."""

    def call(item):
        try:
            return function(item)
        except Exception as error:  # noqa: BLE001: it is a result
            return error

    with concurrent.futures.ThreadPoolExecutor(threads) as pool:
        return list(pool.map(call, items))


# MARK: Photos


def photo(name):
    return (IMAGES / name).read_bytes()


def png(width, height, data, depth=8, kind=0, claimed=None):
    """A PNG file of filtered rows; `claimed` are other sides to claim."""

    def chunk(name, content):
        return struct.pack(">I", len(content)) + name + content + struct.pack(">I", zlib.crc32(name + content))

    sides = claimed or (width, height)
    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", *sides, depth, kind, 0, 0, 0))
            + chunk(b"IDAT", data) + chunk(b"IEND", b""))


def chunks(file):
    """The chunks of a PNG file: place, name, content."""
    place = 8
    while place < len(file):
        length = struct.unpack_from(">I", file, place)[0]
        yield place, file[place + 4:place + 8], file[place + 8:place + 8 + length]
        place += 12 + length


def large_photo():
    """coins.png at 4000 x 3000 pixels: each pixel many times, the middle."""
    file = photo("coins.png")
    width, height = struct.unpack_from(">II", file, 16)
    assert file[24] == 8 and file[25] == 0, "coins.png is grey"
    data = zlib.decompress(b"".join(content for _, name, content in chunks(file) if name == b"IDAT"))
    rows, above = [], bytearray(width)
    for y in range(height):
        kind, *row = data[y * (width + 1):(y + 1) * (width + 1)]
        for x in range(width):
            left, up, corner = row[x - 1] if x else 0, above[x], above[x - 1] if x else 0
            near = left + up - corner
            paeth = min((abs(near - left), 0, left), (abs(near - up), 1, up), (abs(near - corner), 2, corner))[2]
            row[x] = (row[x] + [0, left, up, (left + up) // 2, paeth][kind]) & 255
        above = row
        rows.append(bytes(row))
    scale = max(-(-4000 // width), 3000 // height)
    lines = []
    for row in rows:
        wide = b"".join(bytes([value]) * scale for value in row)
        lines += [b"\0" + wide[:4000].ljust(4000, b"\0")] * scale
    lines = (lines + [b"\0" * 4001] * 3000)[:3000]
    return png(4000, 3000, zlib.compress(b"".join(lines), 1))


def flipped(data, generator, bits=1):
    """The bytes with some bits changed."""
    copy = bytearray(data)
    for _ in range(bits):
        copy[generator.randrange(len(copy))] ^= 1 << generator.randrange(8)
    return bytes(copy)


def flipped_png(file, generator):
    """A PNG with one bit of a chunk changed, and its check sum right, so that the decoder goes on."""
    place, name, content = generator.choice([chunk for chunk in chunks(file) if chunk[2]])
    content = flipped(content, generator)
    return (file[:place + 8] + content + struct.pack(">I", zlib.crc32(name + content))
            + file[place + 12 + len(content):])


# MARK: Load


@check("load: 100 uploads at once")
def load(server, found):
    names = ["jar.jpg" if number % 10 == 0 else ("coins.png", "shelf.jpg")[number % 2] for number in range(100)]
    alone = {name: server.count(photo(name)).json["count"] for name in set(names)}
    start = time.monotonic()
    results = at_once([lambda name=name: server.count(photo(name)) for name in names])
    for name, result in zip(names, results):
        found.expect(not isinstance(result, Exception) and result.status == 201 and result.json["count"] == alone[name],
                     f"{name}: {result!r}")
    found.note(f"{time.monotonic() - start:.1f} s")


@check("load: 100 requests on 4 kept connections")
def keep_alive(server, found):
    body = photo("coins.png")

    def client(_):
        seen = []
        with server.connect() as connection:
            for number in range(25):
                request = (head("POST", "/count", [("Content-Length", len(body))]) + body if number
                           % 2 else head("GET", "/counts"))
                connection.sendall(request)
                seen.append(Response(received(connection, is_whole)))
        return seen

    results = each(client, range(4), 4)
    for result in results:
        if found.expect(not isinstance(result, Exception), repr(result)):
            for number, response in enumerate(result):
                is_right = (response.status == 201 and response.json["count"] == COINS if number
                            % 2 else response.status == 200 and "counts" in response.json)
                found.expect(is_right, repr(response))


@check("load: a short queue", "--max-waiting", "4")
def short_queue(server, found):
    body = photo("jar.jpg")
    alone = server.count(body).json["count"]
    refused = []

    def client():
        for _ in range(600):
            response = server.count(body)
            if response.status != 503:
                return response
            refused.append(response)
            time.sleep(0.2)
        return response

    results = at_once([client] * 30)
    for result in results:
        found.expect(not isinstance(result, Exception) and result.status == 201 and result.json["count"] == alone,
                     repr(result))
    found.expect(refused, "nothing was refused")
    found.expect(all(response.headers.get("retry-after", "").isdigit() and response.error for response in refused),
                 "a refusal without Retry-After or a sentence")
    found.note(f"{len(refused)} refusals")


# MARK: Memory


def limit(found, server, most, text):
    """Notes the memory, and says if it is too much."""
    memory = server.memory()
    if memory is None:
        found.note(f"{text}: not known")
        return
    found.note(f"{text}: {memory[0]} MB now, {memory[1]} MB at most")
    found.expect(memory[1] <= most, f"{text}: {memory[1]} MB; {most} MB is the most")


@check("memory: large photos")
def memory_of_photos(server, found):
    large = large_photo()
    found.note(f"photos of 12 megapixels and {len(large) / 1e6:.1f} MB")
    now = []
    for number in range(100):
        response = server.count(large + bytes([number]))
        found.expect(response.status == 201, repr(response))
        if number % 10 == 9 and server.memory():
            now.append(server.memory()[0])
    limit(found, server, 700 + 2 * len(large) // 10_000, "100 one after the other")
    found.note(f"each 10: {now} MB")
    server.forget_peak()
    results = at_once([lambda: server.count(large, timeout=120)] * 20)
    found.expect(all(not isinstance(result, Exception) and result.status == 201 for result in results),
                 [repr(result) for result in results if isinstance(result, Exception) or result.status != 201][:3])
    limit(found, server, 700 + 2 * len(large) // 10_000, "20 at once")


@check("memory: 100 uploads of 60 MB of rubbish")
def memory_of_rubbish(server, found):
    rubbish = random.Random(1).randbytes(1 << 20) * 60
    now = []
    for number in range(100):
        body = rubbish if number % 2 else b"\xff\xd8\xff\xe0" + rubbish[4:]
        response = server.count(body)
        found.expect(response.status in (415, 422), repr(response))
        if number % 10 == 9 and server.memory():
            now.append(server.memory()[0])
    limit(found, server, 400, "uploads")
    found.note(f"each 10: {now} MB")
    found.expect(not now or now[-1] <= now[1] + 100, f"it grows: {now}")


@check("memory: 20 uploads of 60 MB at once, none of them ends")
def memory_of_unfinished(server, found):
    piece = bytes(1 << 20)
    clients = []
    for _ in range(20):
        client = server.connect()
        client.settimeout(2)
        client.sendall(head("POST", "/count", [("Content-Length", 60 << 20)]))
        clients.append(client)

    def send(client):
        for _ in range(59):
            client.sendall(piece)

    each(send, clients, 20)
    limit(found, server, 1400, "held")
    for client in clients:
        client.close()
    time.sleep(1)
    if server.memory():
        found.expect(server.memory()[0] < 400, f"{server.memory()[0]} MB after they left")


@check("memory: 40 clients that ask for a photo of 60 MB and do not read")
def memory_of_responses(server, found):
    response = server.count(photo("coins.png") + bytes(60 << 20))
    if not found.expect(response.status == 201, repr(response)):
        return
    server.forget_peak()
    clients = []
    for _ in range(40):
        client = server.connect()
        client.sendall(head("GET", f"{response.json['page']}/photo"))
        clients.append(client)
    time.sleep(8)
    limit(found, server, 1000, "unread responses")
    for client in clients:
        client.close()


# MARK: Slow clients


def is_closed(connection):
    """Whether the server has closed a connection; nothing that it sent is taken for that."""
    try:
        connection.settimeout(0.01)
        return connection.recv(1 << 16) == b""
    except TimeoutError:
        return False
    except OSError:
        return True


@check("slow clients: 60 at once, then closed when they are silent")
def slow(server, found, seconds=45, is_long=False):
    body = photo("coins.png")
    page = server.count(body + bytes(20 << 20)).json["page"]
    request = head("POST", "/count", [("Content-Length", len(body))])
    kinds = {
        "a byte a second in the head": b"GET /" + b"a" * 500,
        "a byte a second in the body": request + body,
        "silent in the head": request[:30],
        "silent in the body": request + body[:1000],
        "silent from the start": b"",
        "reading nothing": head("GET", f"{page}/photo"),
        "reading slowly": head("GET", f"{page}/photo"),
    }
    clients = []
    for number, (kind, data) in enumerate(list(kinds.items()) * 9):
        client = server.connect()
        if kind.startswith("a byte"):
            place = len(request) if "body" in kind else 0
            client.sendall(data[:place])
        else:
            place = len(data)
            client.sendall(data)
        clients.append([kind, client, data, place, None])
    start = time.monotonic()
    slowest = 0.0
    turns = 0
    while (passed := time.monotonic() - start) < (330 if is_long else seconds):
        for client in clients:
            kind, connection, data, place, closed = client
            if closed is not None:
                continue
            try:
                if kind.startswith("a byte"):
                    connection.sendall(data[place % len(data):][:1] or b"a")
                    client[3] += 1
                    if is_closed(connection):
                        client[4] = passed
                elif kind == "reading slowly":
                    connection.settimeout(0.01)
                    if connection.recv(1) == b"":
                        client[4] = passed
                elif kind != "reading nothing" and is_closed(connection):
                    client[4] = passed
            except TimeoutError:
                pass
            except OSError:
                client[4] = passed
        turns += 1
        began = time.monotonic()
        response = server.count(body) if turns % 2 else server.ask("GET", "/counts")
        slowest = max(slowest, time.monotonic() - began)
        found.expect(response.status in (200, 201), repr(response))
        time.sleep(max(0.0, 1 - (time.monotonic() - began)))
    found.note(f"slowest of {turns} other requests: {slowest:.2f} s")
    found.expect(slowest < 10, f"another request took {slowest:.1f} s")
    for kind in kinds:
        own = [client for client in clients if client[0] == kind]
        if kind == "reading nothing":
            for client in own:
                client[1].settimeout(5)
                size = len(received(client[1]))
                client[4] = seconds if size < 20 << 20 else None
        times = [client[4] for client in own if client[4] is not None]
        if times:
            found.note(f"{kind}: {len(times)} of {len(own)} closed, after {min(times):.0f} to {max(times):.0f} s")
        must = kind.startswith(("silent", "reading nothing")) or is_long
        found.expect(not must or len(times) == len(own), f"{kind}: {len(own) - len(times)} still open")
        for client in own:
            client[1].close()


# MARK: Clients that leave


def reset(connection):
    """Closes a connection so that the other end sees an error."""
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    connection.close()


@check("leaving: half-way in 200 uploads")
def half_uploads(server, found):
    body = photo("jar.jpg")
    generator = random.Random(2)
    for number in range(200):
        client = server.connect()
        request = head("POST", "/count", [("Content-Length", len(body))]) + body
        client.sendall(request[:generator.randrange(len(request))])
        (reset if number % 2 else socket.socket.close)(client)
    found.expect(server.ask("GET", "/counts").json["counts"] == [], "there are counts of halves")


@check("leaving: 150 uploads that end at once, and the next request")
def broken_off(server, found):
    for data in b"POST /cou", head("POST", "/count", [("Content-Length", 9999)]) + b"x", b"":
        for _ in range(150):
            with server.connect() as client:
                client.sendall(data)
        try:
            answer = server.ask("GET", "/counts", timeout=5)
            found.expect(answer.status == 200, f"after {data[:20]!r}: {answer!r}")
        except (OSError, ValueError) as error:
            found.expect(False, f"after 150 connections with {data[:20]!r}: {error!r}")
            time.sleep(32)


def leave(server, found, end, behind=b"", most=10):
    """50 clients that leave while their photo is counted or waits: the next photo must not wait for theirs."""
    body = photo("jar.jpg")
    start = time.monotonic()
    server.count(body)
    alone = time.monotonic() - start
    clients = []
    for _ in range(50):
        client = server.connect()
        client.sendall(head("POST", "/count", [("Content-Length", len(body))]) + body + behind)
        clients.append(client)
    time.sleep(0.5)
    for client in clients:
        end(client)
    start = time.monotonic()
    response = server.count(body)
    later = time.monotonic() - start
    found.note(f"a photo takes {alone:.2f} s alone and {later:.2f} s after 50 that were left")
    found.expect(response.status == 201 and later < most * max(alone, 0.3) + 1,
                 f"the next photo took {later:.1f} s, alone {alone:.2f} s")
    kept = len(server.ask("GET", "/counts").json["counts"])
    found.note(f"{kept} counts are kept")


@check("leaving: 50 clients close while their photos are counted or wait")
def leaving(server, found):
    leave(server, found, socket.socket.close)


@check("leaving: 50 clients reset")
def resetting(server, found):
    leave(server, found, reset)


@check("leaving: 50 clients with a second request behind the first")
def leaving_with_more(server, found):
    leave(server, found, socket.socket.close, behind=head("GET", "/counts"))


@check("leaving: half-closed connections")
def half_closed(server, found):
    body = photo("coins.png")
    kinds = {
        "GET": head("GET", "/counts"), "POST": head("POST", "/count", [("Content-Length", len(body))]) + body,
        "half a head": b"GET /cou", "half a body": head("POST", "/count", [("Content-Length", 999)]) + b"x"
    }
    for kind, data in kinds.items():
        with server.connect(5) as client:
            client.sendall(data)
            client.shutdown(socket.SHUT_WR)
            start = time.monotonic()
            answer = received(client)
            found.note(f"{kind}: {answer[9:12].decode() or 'no answer'}")
            found.expect(time.monotonic() - start < 5, f"{kind}: not closed")


# MARK: Hostile requests


def judge(found, data, answer, allowed=None):
    """Says if the answer to some bytes is not HTTP, or a fault of the server."""
    try:
        statuses = [response.status for response in responses(answer)]
    except ValueError as error:
        found.expect(False, f"{data[:120]!r}: {error}")
        return []
    for status in statuses:
        is_right = status in allowed if allowed else status < 500 or status in (501, 503, 505)
        found.expect(is_right, f"{data[:120]!r}: {answer[:160]!r}")
    return statuses


@check("hostile: random bytes, prefixes and bit flips")
def fuzz(server, found):
    generator = random.Random(3)
    valid = (head("POST", "/count?name=a%20b&like=1,2,3,4", [("Content-Length", 4), ("Connection", "close"),
                                                             ("Accept", "text/html, */*;q=0.1"),
                                                             ("Cookie", "tally=abc; a=b"),
                                                             ("Authorization", "Bearer abc"),
                                                             ("Expect", "100-continue")]) + b"abcd")
    cases = [generator.randbytes(generator.randrange(1, 2000)) for _ in range(300)]
    cases += [valid[:end] for end in range(len(valid))]
    cases += [flipped(valid, generator, generator.choice((1, 1, 1, 2, 8))) for _ in range(3000)]
    for _ in range(500):
        start, end = sorted((generator.randrange(len(valid)), generator.randrange(len(valid))))
        cases.append(valid[:start] + valid[end:] if generator.random() < 0.5 else valid[:end] + valid[start:])
    counted = collections.Counter()

    def send(data):
        return server.raw(data, timeout=0.2)

    for data, answer in zip(cases, each(send, cases, 24)):
        if found.expect(not isinstance(answer, Exception), f"{data[:80]!r}: {answer!r}"):
            counted.update(judge(found, data, answer) or ["none"])
    found.note(f"{len(cases)} requests: {dict(counted.most_common())}")


@check("hostile: heads")
def heads(server, found):
    own = "Host: 127.0.0.1\r\nConnection: close\r\n"
    end = own + "\r\n"
    cases = {
        "one long header": f"GET / HTTP/1.1\r\nX: {'a' * 100_000}\r\n{end}",
        "a megabyte of one header": f"GET / HTTP/1.1\r\nX: {'a' * 1_000_000}\r\n{end}",
        "5000 headers": "GET / HTTP/1.1\r\n" + "".join(f"X{number}: 1\r\n" for number in range(5000)) + end,
        "20000 empty headers": "GET / HTTP/1.1\r\n" + "A:\r\n" * 20_000 + end,
        "a long path": f"GET /{'a' * 60_000} HTTP/1.1\r\n{end}",
        "a longer path": f"GET /{'a' * 200_000} HTTP/1.1\r\n{end}",
        "a long query": f"GET /counts?{'a=b&' * 15_000} HTTP/1.1\r\n{end}",
        "a long method": f"{'G' * 70_000} / HTTP/1.1\r\n{end}",
        "a long version": f"GET / HTTP/{'1' * 70_000}\r\n{end}",
        "bad percent codes": f"GET /%zz%1%?%=%&like=%f%%% HTTP/1.1\r\n{end}",
        # libmicrohttpd hands over a path as a text that ends there.
        "a zero byte": f"GET /\0 HTTP/1.1\r\n{end}",
        "a zero byte in percent": f"GET /counts%00x HTTP/1.1\r\n{end}",
        "a zero byte in a header": f"GET / HTTP/1.1\r\nX: a\0b\r\n{end}",
        "a folded header": f"GET / HTTP/1.1\r\nX: a\r\n b\r\n{end}",
        "a space before a colon": f"GET / HTTP/1.1\r\nX : a\r\n{end}",
        "no colon": f"GET / HTTP/1.1\r\nabc\r\n{end}",
        "no name": f"GET / HTTP/1.1\r\n: abc\r\n{end}",
        "bare line feeds": end.replace("\r\n", "\n").join(("GET / HTTP/1.1\n", "")),
        "bare carriage returns": end.replace("\r\n", "\r").join(("GET / HTTP/1.1\r", "")),
        "two hosts": f"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nHost: other.example\r\n{own}\r\n",
        "no host": "GET / HTTP/1.1\r\nConnection: close\r\n\r\n",
        "HTTP/0.9": "GET /\r\n",
        "HTTP/0.9 with more": "GET /\r\n\r\n",
        "HTTP/1.0": f"GET / HTTP/1.0\r\n{end}",
        "HTTP/1.0 without host": "GET / HTTP/1.0\r\n\r\n",
        "HTTP/1.2": f"GET / HTTP/1.2\r\n{end}",
        "HTTP/2.0": f"GET / HTTP/2.0\r\n{end}",
        "HTTP/9": f"GET / HTTP/9.9\r\n{end}",
        "the preface of HTTP/2": "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\4\0\0\0\0\0",
        "TLS": "\x16\3\1\2\0\1\0\1\xfc\3\3" + "a" * 500,
        "empty lines first": f"\r\n\r\n\r\nGET / HTTP/1.1\r\n{end}",
        "only empty lines": "\r\n" * 5000,
        "spaces": f"GET   /   HTTP/1.1\r\n{end}",
        "no path": f"GET  HTTP/1.1\r\n{end}",
        "a star": f"OPTIONS * HTTP/1.1\r\n{end}",
        "a whole address": f"GET http://127.0.0.1/counts HTTP/1.1\r\n{end}",
        "another address": f"GET http://a.b/ HTTP/1.1\r\n{end}",
    }
    must = {"HTTP/1.0": (200,), "two hosts": (400, 403), "no host": (400, 403)}
    for name, text in cases.items():
        data = text.encode("latin-1")
        statuses = judge(found, data, server.raw(data, timeout=1))
        found.expect(len(statuses) <= 1, f"{name}: {statuses}")
        found.expect(name not in must or set(statuses) <= set(must[name]), f"{name}: {statuses}")
    for name, data in {
            "path": b"GET /\xff\xfe HTTP/1.1\r\n",
            "percent": b"GET /%ff%fe HTTP/1.1\r\n",
            "query": b"GET /counts?a=%ff HTTP/1.1\r\n",
            "raw query": b"GET /counts?\xff=1 HTTP/1.1\r\n",
            "header": b"GET /counts HTTP/1.1\r\nX: \xff\r\n",
            "overlong": b"GET /%c0%ae%c0%ae/ HTTP/1.1\r\n",
            "surrogate": b"GET /%ed%a0%80 HTTP/1.1\r\n",
    }.items():
        statuses = judge(found, data, server.raw(data + end.encode(), timeout=3))
        found.expect(statuses == [400], f"not UTF-8 in {name}: {statuses}")


@check("hostile: bodies and their lengths")
def bodies(server, found):
    coins = photo("coins.png")
    end = b"Host: 127.0.0.1\r\nConnection: close\r\n"

    def send(name, fields, body, allowed, most=1, timeout=1, method=b"POST /count"):
        data = method + b" HTTP/1.1\r\n" + end + fields + b"\r\n" + body
        statuses = judge(found, data, server.raw(data, timeout), range(600))
        found.expect(len(statuses) <= most and set(statuses) <= set(allowed), f"{name}: {statuses}, expected {allowed}")

    for length in (b"-1", b"-9223372036854775808", b"+5", b"0x5", b"5 5", b"5,5", b"a", b"", b"1e3", b"5;", b"5.0",
                   b"18446744073709551616", b"18446744073709551621", b"99999999999999999999999999"):
        send(f"length {length}", b"Content-Length: " + length + b"\r\n", b"abcde", (400, 413))
    for length in (1 << 26) + 1, (1 << 31) - 1, (1 << 32) + 5, (1 << 63) - 1:
        send(f"length {length}", b"Content-Length: %d\r\n" % length, b"abcde", (413,))
    smuggled = b"GET /counts HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"
    send("two lengths", b"Content-Length: 0\r\nContent-Length: %d\r\n" % len(smuggled), smuggled, (400,))
    send("two equal lengths", b"Content-Length: 5\r\nContent-Length: 5\r\n", b"abcde", (400, 415, 422))
    send("length and chunks", b"Content-Length: 4\r\nTransfer-Encoding: chunked\r\n", b"0\r\n\r\n" + smuggled,
         (400, 415, 422))
    twice = b"chunked\r\nTransfer-Encoding: chunked"
    for coding in b"gzip", b"gzip, chunked", b"chunked, identity", b"xchunked", twice:
        send(f"coding {coding}", b"Transfer-Encoding: " + coding + b"\r\n", b"0\r\n\r\n", (400, 411, 415, 422, 501))
    chunked = b"Transfer-Encoding: chunked\r\n"
    for bad in (b"zz\r\nab\r\n0\r\n\r\n", b"-1\r\na\r\n", b"FFFFFFFFFFFFFFFFF\r\na", b"ffffffffffffffff\r\na",
                b"2\r\nabcd\r\n0\r\n\r\n", b"2 \r\nab\r\n0\r\n\r\n", b"0x2\r\nab\r\n0\r\n\r\n", b"\r\n\r\n", b"0\r\n"
                + b"A: b\r\n" * 20_000 + b"\r\n", b"+2\r\nab\r\n0\r\n\r\n",
                b"000000000000000000000002\r\nab\r\n0\r\n\r\n"):
        send(f"chunk {bad[:24]}", chunked, bad, (400, 413, 415, 422, 431))
    # libmicrohttpd 0.9.75 answers 500.
    send("a long chunk extension", chunked, b"2;" + b"a" * 100_000 + b"\r\nab\r\n0\r\n\r\n", (400, 413, 431, 500))
    whole = b"".join(b"%x;a=b\r\n%s\r\n" % (len(coins[at:at + 999]), coins[at:at + 999])
                     for at in range(0, len(coins), 999))
    send("chunks of a photo", chunked, whole + b"0\r\nA: b\r\n\r\n", (201,), timeout=20)
    ones = b"".join(b"1\r\n%c\r\n" % byte for byte in coins)
    send("chunks of one byte", chunked, ones + b"0\r\n\r\n", (201,), timeout=20)
    send("chunks above the limit", chunked, b"100000\r\n%s\r\n" % bytes(1 << 20) * 66 + b"0\r\n\r\n", (413,),
         timeout=30)
    for method in (b"GET /counts", b"DELETE /counts/x", b"GET /", b"POST /counts/x/history", b"OPTIONS /",
                   b"PATCH /nothing"):
        send(f"a body of {method}", b"Content-Length: 100000\r\n", bytes(100_000), (200, 404, 405, 413), method=method)
    # A client that waits for 100 before it sends a body.
    with server.connect(10) as client:
        client.sendall(head("POST", "/count", [("Content-Length", len(coins)), ("Expect", "100-continue")]))
        found.expect(received(client, lambda data: b"\r\n\r\n" in data).startswith(b"HTTP/1.1 100"), "no 100")
        client.sendall(coins)
        found.expect(Response(received(client, is_whole)).status == 201, "no count after 100")
    with server.connect(10) as client:
        client.sendall(head("POST", "/count", [("Content-Length", 1 << 30), ("Expect", "100-continue")]))
        found.expect(Response(received(client, is_whole)).status == 413, "100 for too large a body")
    # Requests one after the other without waiting.
    many = head("GET", "/counts") * 20 + head("POST", "/count", [("Content-Length", len(coins))]) + coins
    many += head("GET", "/templates", [("Connection", "close")])
    statuses = [response.status for response in responses(server.raw(many, timeout=20))]
    found.expect(statuses == [200] * 20 + [201, 200], f"pipelined: {statuses}")


@check("hostile: methods and paths")
def methods_and_paths(server, found):
    page = server.count(photo("coins.png")).json["page"]
    parts = ["photo", "thumbnail", "labels", "count", "correction", "history", "template"]
    gets = [
        "/", "/serve.js", "/serve.css", "/openapi.json", "/counts", "/templates", page,
        *(f"{page}/{part}" for part in parts[:3])
    ]
    posts = ["/count", "/detect", "/embed", "/spines", "/scan", "/text", "/barcode", f"{page}/count", f"{page}/history"]
    missing = [
        "/counts/x", "/counts/x/photo", "/counts/x/count", "/nothing", "/counts//x", f"{page}/nothing",
        f"{page}/photo/x"
    ]
    for path in gets + posts + missing + [f"{page}/correction", f"{page}/template"]:
        for method in ("OPTIONS", "TRACE", "CONNECT", "PATCH", "PROPFIND", "get", "Post", "M-SEARCH", "PUT", "GET",
                       "HEAD"):
            is_known = path in gets and method in ("GET", "HEAD") or path.endswith("correction") and method == "PUT"
            if path in posts and method == "POST":
                continue
            data = head(method, path, [("Connection", "close"), ("Content-Length", "0")])
            answer = server.raw(data, timeout=20)
            response = Response(answer, is_head=method == "HEAD")
            allowed = (200, 422) if is_known else (400, 404, 405, 501)
            found.expect(response.status in allowed, f"{method} {path}: {response!r}")
            found.expect(not any(name.startswith("access-control") for name in response.headers),
                         f"{method} {path}: CORS")
            if method == "HEAD":
                found.expect(response.rest == b"", f"HEAD {path}: it has a body")
                if is_known:
                    other = server.ask("GET", path)
                    same = other.headers["content-length"] == response.headers.get("content-length")
                    found.expect(same, f"HEAD {path}: {response.headers} is not {other.headers}")
    secrets = (b"root:", b"[boot", b"daemon:")
    for path in [
            "//", "///", "/..", "/../..", "/../../../../etc/passwd", "/%2e%2e/%2e%2e/etc/passwd",
            "/..%2f..%2fetc/passwd", "/%2fetc%2fpasswd", "//etc/passwd", "/counts/../serve.js",
            "/counts/%2e%2e/serve.js", "/./serve.js", "/serve.js/", "/serve.js/..", "/SERVE.JS", "/counts%2f",
            page.replace("/", "%2f"), "/counts/..%2f..%2fetc%2fpasswd/photo", "/file:///etc/passwd",
            "/..\\..\\etc\\passwd", "/counts/%2e", "/counts/*", "/counts/'--", "/~root", "/.git/config"
    ]:
        answer = server.ask("GET", path)
        found.expect(answer.status in (200, 400, 404), f"{path}: {answer!r}")
        found.expect(not any(secret in answer.body for secret in secrets), f"{path}: {answer!r}")
        if answer.status == 200 and path not in ("//", "///"):
            found.note(f"{path}: {answer.status}")
    for path in missing[:3]:
        for method in "DELETE", "PUT", "POST", "GET":
            response = server.ask(method, path, b"" if method != "GET" else None)
            found.expect(response.status in (404, 405), f"{method} {path}: {response!r}")


# MARK: Hostile photos

THIN = png(60_000, 1, zlib.compress(bytes(60_001)))


@functools.cache
def bomb():
    """A photo of 208 megapixels in 200 kB."""
    return png(20_000, 10_400, zlib.compress(bytes(20_001 * 10_400), 9))


def lacks_models(answer):
    """Whether a command was refused because its models are not on this machine, or were not named at the start."""
    reasons = ("the model ", "the server was started without --classifier")
    return answer.status in (404, 500, 501, 503) and answer.error.startswith(reasons)


COMMANDS = [
    "/count", "/detect", "/embed", "/classify", "/recognize", "/spines", "/scan", "/text", "/barcode"]


@check("photos: empty, text, paths of files, and images that are not")
def not_photos(server, found):
    secret = server.data / "secret-photo.png"
    secret.write_bytes(photo("coins.png"))
    before = sorted(server.data.rglob("*"))
    lists = [
        f"{secret}\n", f"{secret}\n{secret}\n", f"{secret}\0", f"@{secret}\n", f"file://{secret}\n", f"{secret}",
        "*.png\n", f"{server.data}/\n", "/etc/passwd\n", "-\n", f"data:image/png;name=17;base64,{'A' * 40}\n",
        f'{{"path": "{secret}"}}\n', f"{server.data}/*.png\n", "\n", " ", "<svg/>", "%PDF-1.4", "#!/bin/sh\n",
        "GIF89a\1\0\1\0\0\0\0;", "BM" + "\0" * 60
    ]
    magics = [
        b"\x89PNG\r\n\x1a\n", b"\xff\xd8\xff", b"\xff\xd8\xff\xe0\n", b"II*\0", b"MM\0*", b"RIFF\n\n\n\nWEBP",
        b"RIFF\n\n\n\nWEBPVP8 \n", b"\0\0\0\x18ftypheic", b"\0\0\0\x18ftypheic\n", b"\0\0\0\x18ftypmif1\n"
    ]
    cases = [b""] + [text.encode() for text in lists]
    cases += [magic + text.encode() for magic in magics for text in (lists[0], "\n" + lists[0])]
    cases += [photo("cover.jpg")[:length] for length in (2, 3, 20, 200, 600)]
    for body in cases:
        for command in COMMANDS:
            try:
                answer = server.ask("POST", command, body)
            except (OSError, ValueError) as error:
                found.expect(False, f"{command} {body[:60]!r}: {error!r}")
                continue
            found.expect(answer.status in (415, 422) and answer.error or lacks_models(answer),
                         f"{command} {body[:60]!r}: {answer!r}")
            found.expect(
                str(secret).encode() not in answer.body and b"root:" not in answer.body, f"{command}: {answer!r}")
    # A whole photo with paths behind it is a photo.
    for command in COMMANDS[:2]:
        answer = server.ask("POST", command, photo("coins.png") + lists[0].encode())
        found.expect(answer.status in (200, 201, 415, 422) and str(secret).encode() not in answer.body, f"{answer!r}")
    found.expect(sorted(server.data.rglob("*")) == before, "the files of the data folder are others")
    found.note(f"{len(cases) * len(COMMANDS)} requests")


@check("photos: damaged and immense ones")
def damaged(server, found):
    coins = photo("coins.png")
    jpeg = server.ask("GET", server.count(coins).json["page"] + "/thumbnail").body
    generator = random.Random(4)
    cases = [flipped(coins, generator) for _ in range(200)] + [flipped_png(coins, generator) for _ in range(300)]
    cases += [flipped(jpeg, generator)
              for _ in range(250)] + [flipped(jpeg[:700], generator, 2) + jpeg[700:] for _ in range(250)]
    cases += [jpeg[:length] for length in range(100, len(jpeg), len(jpeg) // 20)]
    cases += [coins[:length] for length in range(10, len(coins), len(coins) // 20)]
    counted = collections.Counter()
    server.forget_peak()
    for body, answer in zip(cases, each(lambda body: server.count(body, "?tiles=1"), cases, 4)):
        if found.expect(not isinstance(answer, Exception), repr(answer)):
            counted[answer.status] += 1
            found.expect(answer.status in (201, 415, 422) and (answer.status == 201 or answer.error), repr(answer))
    found.note(f"{len(cases)} photos: {dict(counted)}")
    limit(found, server, 700, "flips")
    server.forget_peak()
    row = zlib.compress(bytes(1000))
    for sides in (100_000, 100_000), (1 << 31, 1 << 31), (0, 0), (0, 5), ((1 << 31) - 1, 1), (1, (1 << 31)
                                                                                              - 1), (60_000, 60_000):
        for kind, depth in (0, 1), (2, 16), (6, 16):
            for command in COMMANDS:
                answer = server.ask("POST", command, png(1, 1, row, depth, kind, claimed=sides))
                found.expect(answer.status in (413, 415, 422) and answer.error or lacks_models(answer),
                             f"{sides}: {command}: {answer!r}")
    server.forget_peak()
    start = time.monotonic()
    answer = server.count(bomb())
    found.note(f"20000 x 10400 pixels in {len(bomb()) // 1024} kB: {answer.status} {answer.error[:100]}, "
               f"{time.monotonic() - start:.1f} s")
    found.expect(answer.status in (201, 413, 422), repr(answer))
    limit(found, server, 1024, "immense")
    for body in THIN, png(1, 1, zlib.compress(bytes(2))), png(1, 60_000, zlib.compress(bytes(120_000))):
        for command in COMMANDS[:-1]:
            answer = server.ask("POST", command, body)
            found.expect(answer.status < 500 or lacks_models(answer), f"{command} of a thin photo: {answer!r}")


@check("photos: the limit of seconds, whatever a photo makes a command do", "--max-seconds", "2")
def seconds(server, found):
    for command in COMMANDS:
        for name, body in (("60,000 x 1 pixels", THIN), ("20,000 x 10,400 pixels", bomb())):
            start = time.monotonic()
            try:
                answer = server.ask("POST", command, body, timeout=8)
                found.expect(answer.status in (200, 201, 413, 422, 504) or lacks_models(answer), repr(answer))
                if time.monotonic() - start > 1:
                    found.note(f"{command} of {name}: {answer.status} after {time.monotonic() - start:.1f} s")
            except (OSError, ValueError) as error:
                found.expect(False, f"{command} of {name}: nothing within 8 s: {error!r}")


# MARK: Options


@check("options: each with wrong values")
def wrong_options(server, found):
    body = photo("coins.png")
    page = server.count(body).json["page"]
    paths = server.ask("GET", "/openapi.json").json["paths"]
    before = {path: path.stat().st_mtime for path in server.data.rglob("*")}
    huge = "9" * 2000
    wrong = [
        "", "nan", "inf", "-inf", "1e999", huge, "-1e999", "../../etc/passwd", "/etc/passwd", "x", "\0", "1,2",
        "1,2,3,4,5", "nan,nan,nan,nan", "1e30,1e30,1e30,1e30", "-1,-1,-1,-1", "0,0,0,0", "inf:nan", "5:1",
        "--results=x", "-1", "é", "1\n2"
    ]
    total = collections.Counter()
    cases = []
    for path, described in paths.items():
        if "post" not in described or path.endswith(("/history", "/template")):
            continue
        names = [
            item for item in described["post"].get("parameters", []) if item["in"] == "query" and item["name"] != "name"
        ]
        target, photo_of_it = (f"{page}/count", b"") if "{id}" in path else (path, body)
        for item in names:
            is_flag = item["schema"].get("enum") == ["true"]
            for value in wrong:
                if not (is_flag and value == ""):
                    cases.append((target, [(item["name"], value)], photo_of_it, "wrong"))
            if item["schema"]["type"] != "array":
                value = "true" if is_flag else (item["schema"].get("enum") or ["0.5"])[0]
                cases.append((target, [(item["name"], value)] * 2, photo_of_it, "twice"))
        for name in ("detector", "embedder", "config", "settings", "save", "history", "templates", "overlay",
                     "overlays", "results", "report", "output", "crops", "annotations", "json", "format", "stream",
                     "recursive", "null", "jobs", "threads", "memory", "models", "help", "help-all", "version", "head",
                     "names", "-", "--", "h", "-h", "", "like ", "LIKE", "like[]", "confidence=1&--results", "\0", "é"):
            for value in "", "true", str(server.data / "written.csv"), "../../etc/passwd":
                cases.append((target, [(name, value)], photo_of_it, "unknown"))
    # With a way around the look at the first template only.
    for one, two in (("a", "../../etc/passwd"), ("", "/etc/passwd"), ("../x", ""), ("x.JSON", ""), ("", "--set=/../x")):
        cases.append(("/count", [("template", one), ("template", two)], body, "unknown"))

    def send(case):
        target, items, content, _ = case
        return server.ask("POST", f"{target}?{urllib.parse.urlencode(items)}", content)

    for case, answer in zip(cases, each(send, cases, 4)):
        target, items, _, kind = case
        text = f"{target} {[(name, value[:40]) for name, value in items]}: {answer!r}"
        if not found.expect(not isinstance(answer, Exception), text):
            continue
        total[answer.status] += 1
        name, value = items[0]
        if kind in ("unknown", "twice"):
            is_right = answer.status == 400 or kind == "twice" and (answer.status in (200, 201) or lacks_models(answer))
        elif name == "template":
            is_right = answer.status in (400, 404)
        elif target == "/classify" and kind == "wrong":
            is_right = answer.status == 400 or lacks_models(answer)
        else:
            is_right = answer.status == 400 or (answer.status in (200, 201, 422)
                                                and value in ("-1", "-1,-1,-1,-1", "1,2"))
        found.expect(is_right and (answer.status < 400 or len(answer.error) > 10), text)
        found.expect(b"root:" not in answer.body, text)
    found.note(f"{len(cases)} requests: {dict(total)}")
    for name, value in (("format", "../x"), ("format", ""), ("format", "COCO"), ("nothing", "1")):
        answer = server.ask("GET", f"{page}/labels?{urllib.parse.urlencode([(name, value)])}")
        found.expect(answer.status == 400 or name == "nothing", f"labels {name}={value}: {answer!r}")
    for name in ("", "/", "..", "../x", "a/b", "a" * 3000, "\0", "x.json", ".hidden", "a\nb", "a\\b", "/etc/x", "-",
                 "--x"):
        answer = server.ask("POST", f"{page}/template?{urllib.parse.urlencode([('name', name)])}", b"")
        found.note(f"template {name[:12]!r}: {answer.status}")
        found.expect(answer.status in (201, 400, 422), f"template {name[:40]!r}: {answer!r}")
    after = {path for path in server.data.rglob("*") if "templates" not in path.parts} - {server.data / "tally"}
    found.expect(after == set(before), f"new files: {after - set(before)}")
    outside = [path for path in server.data.parent.iterdir() if path.name in ("x", "x.json", "b")]
    found.expect(not outside, f"outside: {outside}")
    # A zero byte is refused in all queries.
    found.expect(server.count(body, "?name=a%00b").status == 400, "name a%00b")
    for name in ("a/b/c.png", "..\\x.png", "<script>alert(1)</script>", "a" * 5000, "\r\nX: y", "é\u202e", '"; x="'):
        answer = server.count(body, "?" + urllib.parse.urlencode([("name", name)]))
        if found.expect(answer.status == 201, f"name {name[:20]!r}: {answer!r}"):
            path = answer.json["page"]
            found.expect(b"<script>alert" not in server.ask("GET", path).body, f"name {name!r} is in the page as it is")
            for part in "photo", "labels?format=csv":
                fields = server.ask("GET", f"{path}/{part}")
                found.expect("x" not in fields.headers, f"name {name!r} makes a header")


@check("options: a server with its own folder of templates and files", "--templates", "templates", "--history",
       "h.sqlite", "--set", "adaptive", "--confidence", "0.3")
def own_options(server, found):
    response = server.count(photo("coins.png"))
    if not found.expect(response.status == 201, f"a count: {response!r}"):
        return
    page = response.json["page"]
    for path in f"{page}/template?name=coins", f"{page}/history":
        answer = server.ask("POST", path, b"")
        found.expect(answer.status == 201, f"{path}: {answer!r}")
    answer = server.count(photo("coins.png"), "?template=coins")
    found.expect(answer.status == 201 and answer.json["count"] == COINS, f"with the template: {answer!r}")
    answer = server.count(photo("coins.png"), "?confidence=0.2")
    found.expect(answer.status == 201, f"another confidence: {answer!r}")
    answer = server.ask("POST", f"{answer.json['page']}/count?confidence=0.25&template=coins", b"")
    found.expect(answer.status == 201, f"again: {answer!r}")


# MARK: Corrections


def correction(count, removed=(), added=(), moved=(), **others):
    """The correction of a count as its page makes it."""
    return {
        "tallyCorrection": 1, "width": count["width"], "height": count["height"], "count": count["count"], "removed":
        list(removed), "moved": list(moved), "added": list(added), **others
    }


@check("corrections: right, wrong, and of what is gone")
def corrections(server, found):
    count = server.count(photo("coins.png")).json
    other = server.count(photo("shelf.jpg")).json
    path = f"{count['page']}/correction"
    box = [10.0, 10.0, 40.0, 40.0]
    answer = server.ask("PUT", path, json.dumps(correction(count, added=[box])).encode())
    found.expect(answer.status == 200 and answer.json["count"] == COINS + 1, f"one more: {answer!r}")
    found.expect([item["count"] for item in server.ask("GET", "/counts").json["counts"]
                  if item["id"] == count["id"]] == [COINS + 1], "the list has another number")
    deep = b"[" * 200_000 + b"]" * 200_000
    start = json.dumps(correction(count))[:-1].encode()
    cases = {
        "of another photo": correction(other, added=[box]),
        "an unknown box": correction(count, removed=[box]),
        "an unknown move": correction(count, moved=[{"from": box, "to": box}]),
        "version 2": correction(count, tallyCorrection=2),
        "no object": [],
        "a number": 5,
        "nothing": None,
        "a text": "x",
        "empty": {},
        "texts": correction(count, added="x"),
        "a box of 3": correction(count, added=[[1, 2, 3]]),
        "a box of texts": correction(count, added=[["a"] * 4]),
        "a turned box": correction(count, added=[[5, 5, 1, 1]]),
        "a huge box": correction(count, added=[[-1e30, 0, 1e30, 1]]),
        "NaN": correction(count, added=[[float("nan")] * 4]),
        "infinite": correction(count, added=[[0, 0, float("inf"), 1]]),
        "a negative width": correction(count, width=-5),
        "too many": correction(count, added=[box] * 100_001),
        "a large number": correction(count, width=10**400),
        "deep": deep,
        "deep in it": start + b', "x": ' + deep + b"}",
        "deep objects": start + b', "x": ' + b'{"a":' * 100_000 + b"1" + b"}" * 100_001,
        "cut off": start,
        "not UTF-8": b"{\xff}",
        "zero bytes": bytes(1000),
        "no body": b"",
        "half a character": b'{"tallyCorrection": "\\ud800"}',
    }
    for name, value in cases.items():
        answer = server.ask("PUT", path, value if isinstance(value, bytes) else json.dumps(value).encode())
        found.expect(answer.status in (400, 413, 415, 422) and answer.error, f"{name}: {answer!r}")
    found.expect(server.ask("DELETE", count["page"]).status == 204, "not forgotten")
    for method, part in (("PUT", "correction"), ("GET", "photo"), ("GET", "labels"), ("POST", "history"),
                         ("POST", "count"), ("POST", "template?name=x"), ("GET", "thumbnail")):
        content = json.dumps(correction(count)).encode() if method == "PUT" else None
        answer = server.ask(method, f"{count['page']}/{part}", content)
        found.expect(answer.status == 404 and answer.error, f"{part} of what is gone: {answer!r}")


@check("corrections: large ones do not stop the others")
def large_corrections(server, found):
    count = server.count(photo("coins.png")).json
    path = f"{count['page']}/correction"
    boxes = b"[" + b",".join([b"[1,2,3,4]"] * 1_500_000) + b"]"
    body = json.dumps({**correction(count), "removed": None}).encode().replace(b"null", boxes)
    server.forget_peak()
    threads = [
        threading.Thread(target=lambda: each(lambda _: server.ask("PUT", path, body, timeout=60), [0]))
        for _ in range(3)
    ]
    for thread in threads:
        thread.start()
    time.sleep(1)
    began = time.monotonic()
    answer = server.count(photo("coins.png"))
    found.note(f"a photo beside 3 corrections of {len(body) / 1e6:.0f} MB: {time.monotonic() - began:.1f} s")
    found.expect(answer.status == 201 and time.monotonic() - began < 5,
                 f"a photo took {time.monotonic() - began:.1f} s")
    for thread in threads:
        thread.join()
    limit(found, server, 700, "corrections")
    many = correction(count, added=[[1 + number % 300, 1, 20 + number % 300, 30] for number in range(100_000)])
    answer = server.ask("PUT", path, json.dumps(many).encode())
    found.note(f"100,000 boxes: {answer.status}")
    if answer.status != 200:
        found.expect(answer.status in (413, 422) and answer.error, repr(answer))
        return
    for part in "", "/labels?format=coco":
        began = time.monotonic()
        page = server.ask("GET", count["page"] + part)
        found.note(f"then {part or 'the page'}: {page.status} after {time.monotonic() - began:.1f} s {page.error}")
        found.expect(page.status == 200, f"with 100,000 boxes {part or 'the page'}: {page!r}")
        found.expect(time.monotonic() - began < 5, f"{part or 'the page'} took {time.monotonic() - began:.1f} s")


# MARK: Races


@check("races: 50 clients that do everything at once for 30 s")
def races(server, found):
    body = photo("coins.png")
    known, lock = [], threading.Lock()
    counted, saved, odd = collections.Counter(), [], []
    end = time.monotonic() + 30

    def client(seed):
        generator = random.Random(seed)
        while time.monotonic() < end:
            with lock:
                page = generator.choice(known) if known else None
            kind = generator.choice([
                "count", "again", "correct", "history", "template", "forget", "list", "page", "labels", "thumbnail",
                "photo", "templates", "with"
            ])
            if page is None or kind == "count":
                kind, answer = "count", server.count(body)
            elif kind == "again":
                answer = server.ask("POST", f"{page['page']}/count?confidence=0.{generator.randrange(20, 50)}", b"")
            elif kind == "correct":
                boxes = [[x, 1, x + 20, 30] for x in range(generator.randrange(20))]
                answer = server.ask("PUT", f"{page['page']}/correction",
                                    json.dumps(correction(page, added=boxes)).encode())
            elif kind == "history":
                answer = server.ask("POST", f"{page['page']}/history", b"")
                if answer.status == 201:
                    saved.append(answer.json["id"])
            elif kind == "template":
                replaces = generator.choice(["", "&replace=true"])
                answer = server.ask("POST", f"{page['page']}/template?name=t{generator.randrange(4)}{replaces}", b"")
            elif kind == "with":
                answer = server.count(body, f"?template=t{generator.randrange(4)}")
            elif kind == "forget":
                answer = server.ask("DELETE", page["page"])
            else:
                answer = server.ask("GET", {"list": "/counts", "templates": "/templates", "page":
                                            page["page"]}.get(kind, f"{page['page']}/{kind}"))
            if answer.status == 201 and kind in ("count", "again", "with"):
                with lock:
                    known.append(answer.json)
                    del known[:-60]
            counted[answer.status] += 1
            allowed = {"list": (200,), "templates": (200,), "template": (201, 404, 409, 503), "forget": (204, 404)}
            if answer.status not in allowed.get(kind, (200, 201, 404, 503)):
                odd.append(f"{kind}: {answer!r}")

    results = each(client, range(50), 50)
    for error in filter(None, results):
        found.expect(False, f"a request without a response: {error!r}")
    for text in odd[:5]:
        found.expect(False, text)
    found.note(f"{sum(counted.values())} requests: {dict(counted)}, {len(odd)} of them odd, {len(saved)} saved")
    environment = {**os.environ, "XDG_DATA_HOME": str(server.data)}
    for words in ["history", "list", "--json"], ["template", "list", "--json"]:
        run = subprocess.run([server.process.args[0], *words], capture_output=True, text=True, env=environment)
        found.expect(run.returncode == 0, f"{words}: {run.returncode} {run.stderr[:200]}")
        if words[0] == "history":
            lost = [one for one in saved if one not in run.stdout]
            found.expect(not lost, f"{len(lost)} of {len(saved)} entries are not in the history")


# MARK: Access


@check("access: other names and sites")
def other_sites(server, found):
    body = photo("coins.png")
    port = server.port
    for host in ("evil.example", "evil.example:80", f"127.0.0.1.evil.example:{port}", "localhost.evil.example", "", "a"
                 * 3000, "127.0.0.1@evil.example", "evil.example#127.0.0.1", "[::1].evil.example", "[evil]", "0x7f.1",
                 "2130706433", "127.0.0.1:x", "localhost:80:80", "[", "[::1", "localhost/", "l\u00f6calhost",
                 "\u0660.1.1.1"):
        for path in "/", "/counts", "/nothing":
            answer = server.ask("GET", path, host=host)
            found.expect(answer.status in (400, 403), f"Host {host[:40]!r}: {answer!r}")
    for host in ("127.0.0.1", f"127.0.0.1:{port}", "localhost", f"LOCALHOST:{port}", "[::1]", f"[::1]:{port}"):
        found.expect(server.ask("GET", "/counts", host=host).status == 200, f"Host {host} is refused")
    for origin in ("http://evil.example", "null", "https://127.0.0.1", f"http://127.0.0.1:{port}", "http://localhost",
                   "", "*", "http://127.0.0.1.evil.example", "file://"):
        answer = server.ask("POST", "/count", body, [("Origin", origin)])
        found.expect(answer.status in (400, 403), f"Origin {origin}: {answer!r}")
    answer = server.ask("POST", "/count", body, [("Origin", "http://127.0.0.1")])
    found.expect(answer.status == 201, f"its own origin: {answer!r}")


@check("access: another machine's address, with and without the key", "--listen", "0.0.0.0", "-v")
def key(server, found):
    while "Connections are not encrypted" not in server.lines[-1]:
        server.lines.append(server.process.stdout.readline().strip())
    match = re.search(r"http://([\d.]+):\d+/\?key=(\S+)", "\n".join(server.lines))
    if not match:
        found.note("this machine has no other address; nothing was checked")
        return
    address, key = match[1], match[2]
    body = photo("coins.png")
    page = server.count(body).json["page"]

    def ask(method, path, content=None, fields=()):
        return server.ask(method, path, content, fields, host=f"{address}:{server.port}", address=address)

    paths = [
        "/", "/serve.js", "/serve.css", "/openapi.json", "/counts", "/count", "/templates", "/nothing", page, *COMMANDS
    ]
    paths += [
        f"{page}/{part}" for part in ("photo", "count", "history", "labels", "template", "correction", "thumbnail")
    ]
    wrong = [[], [("Authorization", "Bearer x")], [("Authorization", f"Bearer {key[:-1]}")],
             [("Authorization", f"Basic {key}")], [("Cookie", f"tally={key[:-1]}0")], [("Cookie", f"xtally={key}")],
             [("X-Forwarded-For", "127.0.0.1")], [("Cookie", "tally=")], [("Authorization", "Bearer ")],
             [("Authorization", f"Bearer {key}x")]]
    for path in paths:
        for method in "GET", "POST", "PUT", "DELETE", "HEAD", "OPTIONS", "PATCH":
            answer = ask(method, path, None if method in ("GET", "HEAD") else b"x", wrong[0])
            found.expect(answer.status == 401, f"{method} {path}: {answer!r}")
    for fields in wrong:
        for query in "", "?key=", "?key=x", f"?key={key[:-1]}", f"?KEY={key}", f"?key={key}x", f"?key=x&key={key}":
            answer = ask("GET", f"/counts{query}", None, fields)
            found.expect(answer.status == 401, f"{fields} {query}: {answer!r}")
    answer = ask("GET", "/", None, [("Accept", "text/html,*/*")])
    found.expect(answer.status == 401 and answer.headers["content-type"].startswith("text/html"),
                 f"a browser: {answer!r}")
    answer = ask("POST", "/count", bytes(5 << 20))
    found.expect(answer.status == 401, f"an upload: {answer!r}")
    answer = ask("GET", f"/?key={key}")
    cookie = answer.headers.get("set-cookie", "")
    found.expect(answer.status == 303 and answer.headers.get("location") == "/", f"the key: {answer!r}")
    found.expect("HttpOnly" in cookie and "SameSite=Strict" in cookie, f"the cookie: {cookie}")
    for fields in [("Cookie", f"a=b; {cookie.split(';')[0]}")], [("Authorization", f"Bearer {key}")
                                                                 ], [("authorization", f"bearer {key}")]:
        answer = ask("GET", "/counts", None, fields)
        found.expect(answer.status == 200, f"{fields[0][0]}: {answer!r}")
        answer = ask("POST", "/count", body, fields)
        found.expect(answer.status == 201 and answer.json["count"] == COINS, f"{fields[0][0]}: {answer!r}")
    answer = ask("POST", f"/count?key={key}", body)
    found.expect(answer.status == 201, f"an upload with the key in its query: {answer!r}")
    answer = server.ask("GET", f"/counts?key={key}")
    found.expect(answer.status in (200, 303), f"this machine with the key: {answer!r}")
    found.expect(key not in server.errors(), "the key is in the log")
    found.expect("/counts" in server.errors(), "the log has no requests")
    # Slow and unknown clients must not keep out those who know the key.
    clients = [server.connect(address=address) for _ in range(200)]
    answer = None
    try:
        answer = ask("GET", "/counts", None, [("Authorization", f"Bearer {key}")])
    except (OSError, ValueError) as error:
        found.note(f"with 200 silent connections from one address, another from there: {error!r}")
    try:
        found.expect(
            server.ask("GET", "/counts", timeout=5).status == 200, "200 silent connections keep this machine out")
    except (OSError, ValueError) as error:
        found.expect(False, f"200 silent connections of one address keep out others: {error!r}")
    for client in clients:
        client.close()


# MARK: The end, and what cannot be written


@check("ends: a port in use, signals while photos are counted")
def signals(server, found):
    tally = server.process.args[0]
    run = subprocess.run([tally, "serve", "--port", str(server.port)], capture_output=True, text=True, timeout=20)
    found.expect(
        run.returncode == 64 and len(run.stderr.strip().split("\n")) == 1 and run.stderr.startswith("tally: error: "),
        f"a port in use: {run.returncode} {run.stderr!r}")
    body = photo("jar.jpg")
    for name, sent in (("SIGTERM", 1), ("SIGINT", 1), ("SIGTERM twice", 2)):
        with tempfile.TemporaryDirectory() as folder, Server(tally, "--jobs", "20", data=folder) as own:
            number = getattr(signal, name.split()[0])
            answers = []
            threads = [
                threading.Thread(target=lambda: answers.extend(each(lambda _: own.count(body), [0]))) for _ in range(50)
            ]
            for thread in threads:
                thread.start()
            time.sleep(1)
            start = time.monotonic()
            own.process.send_signal(number)
            if sent == 2:
                time.sleep(0.02)
                own.process.send_signal(number)
            try:
                code = own.process.wait(20)
            except subprocess.TimeoutExpired:
                code = "no end"
            passed = time.monotonic() - start
            found.note(f"{name}: code {code} after {passed:.1f} s")
            found.expect(code == 0 if sent == 1 else code in (0, -number, 128 + number),
                         f"{name}: code {code}: {own.errors()}")
            found.expect(passed < (5 if sent == 1 else 2), f"{name}: {passed:.1f} s")
            for thread in threads:
                thread.join(10)
            found.expect(not any(thread.is_alive() for thread in threads), f"{name}: clients still wait")
            seen = collections.Counter(getattr(answer, "status", type(answer).__name__) for answer in answers)
            found.note(f"{name}: the clients got {dict(seen)}")
            found.expect(sent == 2 or seen[500] == 0, f"{name}: {seen[500]} clients got 500")
            found.expect(seen[201] < 20, f"{name}: {seen[201]} photos were counted before the signal")


@check("ends: disks that are full and folders that cannot be written to")
def unwritable(server, found):
    tally = server.process.args[0]

    def small_files():
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))

    with tempfile.TemporaryDirectory() as folder:
        file = pathlib.Path(folder, "file")
        file.write_text("a file, not a folder")
        full = pathlib.Path(folder, "full")
        full.mkdir()
        for name, data, options in (("a file in place of the folder", file, {}), ("no room for any byte", full, {
                "preexec_fn": small_files, "restore_signals": False
        })):
            with Server(tally, data=data, **options) as own:
                page = own.count(photo("coins.png")).json["page"]
                for path in f"{page}/history", f"{page}/template?name=x":
                    answer = own.ask("POST", path, b"")
                    found.note(f"{name}: {path.rsplit('/', 1)[-1]}: {answer.status} {answer.error[:110]}")
                    found.expect(answer.status == 500 and len(answer.error) > 20, f"{name}: {path}: {answer!r}")
                found.expect(own.is_well() is None, f"{name}: {own.is_well()}")


# MARK: All


def bench(tally, number):
    """Prints the time of photos through a server by two connections beside that of one process."""
    files = [IMAGES / ("jar.jpg", "coins.png")[place % 2] for place in range(number)]
    with tempfile.TemporaryDirectory() as folder, Server(tally, "--jobs", "2", data=folder) as server:
        server.count(photo("coins.png"))
        paths = []
        for place, file in enumerate(files):
            paths.append(pathlib.Path(folder, f"{place}{file.suffix}"))
            paths[-1].write_bytes(file.read_bytes())

        def served():
            start = time.monotonic()
            each(lambda path: server.count(path.read_bytes()), paths, 2)
            return (time.monotonic() - start) / number

        def alone():
            start = time.monotonic()
            subprocess.run([tally, "count", "-j", "2", *map(str, paths)], check=True, capture_output=True)
            return (time.monotonic() - start) / number

        for _ in range(3):
            one, two = served(), alone()
            print(f"{number} photos: {one:.3f} s each through a server, {two:.3f} s each by tally count: "
                  f"{one / two:.2f} times")


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--tally", required=True, help="the program")
    parser.add_argument("--only", default="", help="parts of the names of checks, with commas")
    parser.add_argument("--long", action="store_true", help="wait for the limit of 300 s too")
    parser.add_argument("--bench", type=int, metavar="N", help="only print the time of N photos")
    options = parser.parse_args()
    tally = str(pathlib.Path(options.tally).resolve())
    if options.bench:
        bench(tally, options.bench)
        return 0
    wanted = [part for part in options.only.split(",") if part]
    began, failed = time.monotonic(), 0
    for name, arguments, function in CHECKS:
        if wanted and not any(part in name for part in wanted):
            continue
        found, start = Found(), time.monotonic()
        with tempfile.TemporaryDirectory() as folder:
            data = pathlib.Path(folder, "data")
            data.mkdir()
            with Server(tally, *arguments, data=data, cwd=data) as server:
                try:
                    function(server, found, **({"is_long": True} if function is slow and options.long else {}))
                except Exception as error:  # noqa: BLE001: the check ends with it
                    place = error.__traceback__
                    while place.tb_next and place.tb_next.tb_frame.f_code.co_filename == __file__:
                        place = place.tb_next
                    found.problems.append(f"line {place.tb_lineno}: {error!r}")
                if problem := server.is_well():
                    found.problems.append(problem)
        failed += bool(found.problems)
        print(f"{'FAIL' if found.problems else 'PASS'} {name} ({time.monotonic() - start:.0f} s)")
        for text in found.remarks:
            print(f"     {text}")
        for text in found.problems[:8]:
            print(f"  !  {text[:400]}")
        if len(found.problems) > 8:
            print(f"  !  and {len(found.problems) - 8} more")
        sys.stdout.flush()
    print(f"{failed} failed, {time.monotonic() - began:.0f} s")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
