"""A real service on ports of loopback that the system chooses, with keys of every role."""
import http.client
import json
import os
import pathlib
import re
import signal
import socket
import subprocess

import pytest

from hang import HANG

PROGRAM = os.environ["HUSHWALK"]
FAST = {"bucket_ms": 20}  # so that tests need not wait; one has its own


class Answer:
    def __init__(self, response):
        self.status, self.headers, self.body = response.status, dict(response.getheaders()), response.read()

    @property
    def json(self):
        return json.loads(self.body)

    @property
    def lines(self):
        return [json.loads(line) for line in self.body.splitlines()]


class Server:
    """A process, and requests to it."""

    def __init__(self, folder, config):
        self.folder, self.config = pathlib.Path(folder), config
        self.process = None

    def start(self, **process):
        self.process = subprocess.Popen([PROGRAM, "serve", "--config", str(self.config)], stdout=subprocess.PIPE,
                                        stderr=open(self.folder / "stderr", "ab"), text=True, **process)
        self.port = self.port_in("listening on")
        self.metrics_port = self.port_in("metrics on")
        return self

    def port_in(self, words):
        line = self.process.stdout.readline()
        assert line.startswith(words), (line, (self.folder / "stderr").read_text())
        return int(re.search(r":(\d+)(/metrics)?$", line.strip())[1])

    def stop(self, signal_number=signal.SIGTERM):
        self.process.send_signal(signal_number)
        code = self.process.wait(HANG)
        self.process.stdout.close()
        return code

    def connect(self):
        return http.client.HTTPConnection("127.0.0.1", self.port, timeout=HANG)

    def ask(self, method, path, body=None, key=None, headers=None, connection=None):
        own = connection or self.connect()
        headers = dict(headers or {})
        if key:
            headers["Authorization"] = "Bearer " + key
        if body is not None:
            headers.setdefault("Content-Type", "application/json")
            body = body if isinstance(body, (bytes, str)) else json.dumps(body)
        own.request(method, path, body, headers)
        answer = Answer(own.getresponse())
        if not connection:
            own.close()
        return answer

    def get(self, path, key=None, **more):
        return self.ask("GET", path, key=key, **more)

    def post(self, path, body, key=None, **more):
        return self.ask("POST", path, body, key=key, **more)

    def raw(self, data, shut=False):
        """What the server says to these very bytes, until it closes."""
        with socket.create_connection(("127.0.0.1", self.port), timeout=HANG) as own:
            try:
                own.sendall(data)
                if shut:
                    own.shutdown(socket.SHUT_WR)
            except OSError:
                pass
            said = b""
            try:
                while chunk := own.recv(65536):
                    said += chunk
            except OSError:
                pass
            return said

    def memory(self, what="VmRSS"):
        return int(re.search(rf"{what}:\s+(\d+)", pathlib.Path(f"/proc/{self.process.pid}/status").read_text())[1]) * 1024

    def new_key(self, *flags):
        done = subprocess.run([PROGRAM, "serve", "keys", "new", "--config", str(self.config), "--json", *map(str, flags)],
                              capture_output=True, text=True, check=True)
        return json.loads(done.stdout)


def toml(settings):
    """A configuration: values, then tables, then graphs."""
    text = ""
    for key, value in settings.items():
        if not isinstance(value, (dict, list)):
            text += f"{key} = {json.dumps(value)}\n"
    for key, value in settings.items():
        if isinstance(value, dict):
            text += f"[{key}]\n" + "".join(f"{k} = {json.dumps(v)}\n" for k, v in value.items())
    for graph in settings.get("graphs", []):
        text += "[[graphs]]\n"
        for k, v in graph.items():
            text += f"{k} = " + ("{" + ", ".join(f"{a} = {json.dumps(b)}" for a, b in v.items()) + "}" if isinstance(v, dict) else json.dumps(v)) + "\n"
    return text


def make_graph(hushwalk, folder, name, text=None, epsilon=5, recipient=2):
    """A graph with its ledger, as a table of the configuration. Without a text: the karate club."""
    if text is None:
        hushwalk("generate", "karate", "-o", folder / f"{name}.hwg")
    else:
        (folder / f"{name}.txt").write_text(text)
        hushwalk("import", folder / f"{name}.txt", "-o", folder / f"{name}.hwg")
    hushwalk("ledger", "init", "--graph", folder / f"{name}.hwg", "--epsilon", epsilon, "--per-recipient", recipient,
             "-o", folder / f"{name}.ledger")
    return {"name": name, "graph": f"{name}.hwg", "ledger": f"{name}.ledger"}


def write_config(folder, graphs, **settings):
    settings = {"address": "127.0.0.1:0", "access_log": "access.log", "failures_per_minute": 100000, "limits": FAST, **settings}
    path = folder / "serve.toml"
    path.write_text(toml({**settings, "graphs": graphs}))
    return path


@pytest.fixture
def folder(tmp_path):
    return tmp_path


@pytest.fixture
def start(hushwalk, folder):
    """Starts servers in the test's folder; all end with it."""
    started = []

    def run(graphs=None, **settings):
        if graphs is None:
            graphs = [make_graph(hushwalk, folder, "karate")]
        server = Server(folder, write_config(folder, graphs, **settings)).start()
        started.append(server)
        return server

    yield run
    for server in started:
        if server.process.poll() is None:
            server.process.kill()
            server.process.wait()
        server.process.stdout.close()


class House:
    """One server for many tests that spend little: two graphs, a key of every role."""

    def __init__(self, hushwalk, folder):
        graphs = [make_graph(hushwalk, folder, "karate", epsilon=50, recipient=20),
                  {**make_graph(hushwalk, folder, "names", "ann bob\nbob eve\neve dan\n\"<b>x</b>\" ann\n", epsilon=50, recipient=20),
                   "shared": {"epsilon": 1}}]
        self.folder = folder
        self.server = Server(folder, write_config(folder, graphs))
        new = self.server.new_key
        self.admin = new("--name", "root", "--role", "admin", "--per-minute", 100000)["key"]
        self.analyst = new("--name", "ana", "--role", "analyst", "--graph", "karate", "--per-minute", 100000)["key"]
        self.owner = new("--name", "one", "--role", "owner", "--graph", "karate", "--seed", 1, "--per-minute", 100000)["key"]
        self.ann = new("--name", "Ann", "--role", "owner", "--graph", "names", "--seed", "ann", "--per-minute", 100000)["key"]
        self.reader = new("--name", "rea", "--role", "analyst", "--graph", "names", "--per-minute", 100000)["key"]
        self.server.start()


@pytest.fixture(scope="session")
def house(hushwalk, tmp_path_factory):
    house = House(hushwalk, tmp_path_factory.mktemp("house"))
    yield house
    assert house.server.stop() == 0, (house.folder / "stderr").read_text()
