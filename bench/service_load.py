"""The service under load, on loopback: repeats beside a constant of the same size, the overhead of first answers beside the same questions
asked of the library, idle connections, and memory over many requests; each with its target, and whether it is met. With --times
instead: what shows of how long answers take, to whoever asks, asks meanwhile, or asks behind a question of their own.

    PYTHONPATH=build/release/python python3 bench/service_load.py build/release/hushwalk [--mixed REQUESTS | --times SEEDS]

Without the Python module the overhead is not measured, and that is said.

Requests are pipelined over a few connections, so that the client waits for the server and not the other way round. Rounds of both
contestants take turns, and the best of each counts.
"""
import argparse
import json
import os
import pathlib
import re
import socket
import struct
import subprocess
import tempfile
import threading
import time

BATCH, ROUNDS = 2000, 7


def verdict(text, target, met):
    print(f"{text} (target: {target}: {'met' if met else 'MISSED'})")


class Server:
    def __init__(self, program, bucket=10, workers=0, seeds=lambda folder: [17]):
        self.folder = tempfile.TemporaryDirectory()
        self.program, folder = program, pathlib.Path(self.folder.name)
        run = lambda *words: subprocess.run([program, *map(str, words)], check=True, capture_output=True, text=True, cwd=folder).stdout
        run("generate", "blogcatalog-like", "-o", "g.hwg")
        run("ledger", "init", "--graph", "g.hwg", "--epsilon", 100000, "-o", "g.ledger")
        (folder / "serve.toml").write_text('address = "127.0.0.1:0"\naccess_log = "off"\nmetrics_address = "off"\n'
                                           f'workers = {workers}\n'
                                           '[limits]\nconnections = 5000\n'
                                           f'bucket_ms = {bucket}\n[[graphs]]\nname = "g"\ngraph = "g.hwg"\nledger = "g.ledger"\n')
        self.seeds = seeds(folder)
        self.key = json.loads(run("serve", "keys", "new", "--config", "serve.toml", "--name", "b", "--role", "owner", "--graph", "g", "--recipient", "b",
                                  *[word for seed in self.seeds for word in ("--seed", seed)], "--per-minute", 1000000, "--json"))["key"]
        self.process = subprocess.Popen([program, "serve", "--config", "serve.toml"], stdout=subprocess.PIPE, text=True, cwd=folder)
        self.port = int(re.search(r":(\d+)$", self.process.stdout.readline().strip())[1])

    def connect(self):
        return socket.create_connection(("127.0.0.1", self.port), timeout=120)

    def processor_seconds(self):
        return sum(int(task.read_text().split()[0]) for task in pathlib.Path(f"/proc/{self.process.pid}/task").glob("*/schedstat")) / 1e9

    def memory(self):
        return int(re.search(r"VmRSS:\s+(\d+)", pathlib.Path(f"/proc/{self.process.pid}/status").read_text())[1]) / 1024

    def request(self, method, path, body=None):
        text = json.dumps(body).encode() if body else b""
        head = [f"{method} {path} HTTP/1.1", "Host: x", f"Authorization: Bearer {self.key}"]
        if body:
            head += ["Content-Type: application/json", f"Content-Length: {len(text)}"]
        return "\r\n".join(head).encode() + b"\r\n\r\n" + text

    def answer(self, request, connection=None):
        own = connection or self.connect()
        own.sendall(request)
        said = b""
        while b"\r\n\r\n" not in said:
            said += own.recv(1 << 16)
        head, body = said.split(b"\r\n\r\n", 1)
        length = int(re.search(rb"Content-Length: (\d+)", head)[1])
        while len(body) < length:
            body += own.recv(1 << 16)
        return int(head.split()[1]), head, body

    def batch(self, request, size, count=BATCH, window=50):
        """Seconds, and seconds of the server's processor, for so many requests over one connection."""
        own, begun, processor, left, unread = self.connect(), time.perf_counter(), self.processor_seconds(), count, 0
        buffer = bytearray(1 << 20)
        while left > 0:
            some = min(window, left)
            own.sendall(request * some)
            unread = some * size
            while unread > 0:
                unread -= own.recv_into(buffer, min(unread, len(buffer)))
            left -= some
        own.close()
        return time.perf_counter() - begun, self.processor_seconds() - processor


def matching_question(server, size):
    """A question whose answer is about as long as the constant, by trying how many nodes to list."""
    low, high = 1, 5000
    while low < high:
        middle = (low + high) // 2
        status, head, body = server.answer(server.request("POST", "/v1/graphs/g/rank", {"seed": 17, "epsilon": 0.5, "top": middle}))
        assert status == 200, body
        low, high = (middle + 1, high) if len(head) + len(body) < size else (low, middle)
    return server.request("POST", "/v1/graphs/g/rank", {"seed": 17, "epsilon": 0.5, "top": low})


def compare(server):
    constant = server.request("GET", "/v1/openapi.json")
    whole = lambda request: sum(map(len, server.answer(request)[1:])) + 4
    repeat = matching_question(server, whole(constant) - 4)
    sizes = {"constant": whole(constant), "repeat": whole(repeat)}
    best = {}
    for _ in range(ROUNDS):
        for name, request in (("constant", constant), ("repeat", repeat)):
            server.answer(repeat)  # still in memory
            seconds, processor = server.batch(request, sizes[name])
            best[name] = min(best.get(name, (9e9, 9e9)), (seconds, processor))
    for name, (seconds, processor) in best.items():
        print(f"{name:10} {sizes[name]:7} bytes  {BATCH / seconds:9.0f} requests/s  {processor / BATCH * 1e6:7.1f} us of processor each")
    ratio = best["constant"][0] / best["repeat"][0]
    verdict(f"repeats: {ratio:.2f} of the requests per second of a constant of the same size", "at least 0.5", ratio >= 0.5)


def overhead(server, rounds=20, each=5):
    """Processor time of first answers beside that of the same questions to the library, in one process, under a ledger of its own; in turns."""
    try:
        import hushwalk
    except ImportError:
        return print("first answers: not compared with the library, whose Python module is not in PYTHONPATH")
    folder = pathlib.Path(server.folder.name)
    subprocess.run([server.program, "generate", "blogcatalog-like", "-o", "library.hwg"], check=True, capture_output=True, cwd=folder)
    subprocess.run([server.program, "ledger", "init", "--graph", "library.hwg", "--epsilon", "100000", "-o", "library.ledger"], check=True, capture_output=True, cwd=folder)
    graph, ledger, own = hushwalk.Graph.open(folder / "library.hwg"), hushwalk.Ledger(folder / "library.ledger"), server.connect()

    def of_service(epsilon):
        assert server.answer(server.request("POST", "/v1/graphs/g/rank", {"seed": 17, "epsilon": epsilon, "top": 10}), own)[0] == 200

    def of_library(epsilon):
        hushwalk.rank(graph, 17, epsilon=epsilon, top=10, ledger=ledger, recipient="b")

    spent = {of_service: [], of_library: []}
    for number in range(-1, rounds):  # the first one reads the graph
        for ask, clock in ((of_service, server.processor_seconds), (of_library, time.process_time)):
            before = clock()
            for question in range(each):
                ask(round(0.1 + 0.001 * (number * each + question + each), 3))
            spent[ask].append((clock() - before) / each * 1e3)
    served, asked = (sorted(spent[ask][1:])[rounds // 2] for ask in (of_service, of_library))
    verdict(f"first answers: {served:.2f} ms of processor each (median of {rounds} rounds), of the library {asked:.2f} ms: {served - asked:.2f} ms more", "at most 1 ms more", served - asked <= 1)


def idle(server, count=1000):
    before, own = server.memory(), [server.connect() for _ in range(count)]
    server.answer(server.request("GET", "/healthz"))
    verdict(f"{count} idle connections: {server.memory():.0f} MB in all, {server.memory() - before:.1f} MB for them", "under 200 MB", server.memory() < 200)
    for one in own:
        one.close()


def mixed(server, count):
    requests = [server.request("GET", path) for path in ("/healthz", "/v1/graphs", "/v1/graphs/g/nodes?prefix=1", "/nowhere", "/")]
    own, levels = server.connect(), []
    for number in range(count):
        request = requests[number % 5] if number % 20 else server.request("POST", "/v1/graphs/g/rank", {"seed": 17, "epsilon": 0.5, "top": 1 + number // 20 % 500})
        server.answer(request, own)
        if number % (count // 10) == count // 10 - 1:
            levels.append(server.memory())
    growth = levels[-1] - levels[4]
    verdict(f"memory over {count} mixed requests, MB after each tenth: " + " ".join(f"{level:.0f}" for level in levels), "flat: under 5 MB more in the second half", growth < 5)


def extremes(count):
    """The nodes with the most links, and those with the fewest, in turn: rows are in the order of degrees (docs/formats.md)."""
    def read(folder):
        data = (folder / "g.hwg").read_bytes()
        offset, length, _ = struct.unpack_from("<3Q", data, 64 + 24 * 2)
        rows = [node + 1 for node in struct.unpack_from(f"<{length // 4}I", data, offset)]  # generated nodes are 1..n
        return [node for pair in zip(rows[:count], rows[::-1]) for node in pair]
    return read


def told_apart(times):
    """How often a hub takes longer than a leaf, of all pairs: 0.5 is chance, 1 always."""
    hubs, leaves = times[::2], times[1::2]
    return sum((hub > leaf) + (hub == leaf) / 2 for hub in hubs for leaf in leaves) / len(hubs) / len(leaves)


def first_answer(server, seed, own, beside):
    """Seconds until the answer, and the longest that a plan took meanwhile."""
    rank = server.request("POST", "/v1/graphs/g/rank", {"seed": seed, "epsilon": 0.5, "mechanism": "twohop", "top": 10})
    plan = server.request("POST", "/v1/graphs/g/plan", {"seed": seed, "epsilon": 0.5, "mechanism": "twohop"})
    waited, seconds = [], []

    def ask():
        begun = time.perf_counter()
        assert server.answer(rank, own)[0] == 200
        seconds.append(time.perf_counter() - begun)

    asker = threading.Thread(target=ask)
    asker.start()
    for _ in range(8):
        begun = time.perf_counter()
        server.answer(plan, beside)
        waited.append(time.perf_counter() - begun)
    asker.join()
    return seconds[0], max(waited)


def behind(server, question, filler, number, own, beside):
    """Buckets that an answer takes behind a filler of so many rankings, both repeats in other words that cost nothing; counted from where the filler ends."""
    def worded(body):
        text = json.dumps(body).encode() + b" " * number
        return "\r\n".join(["POST /v1/graphs/g/rank HTTP/1.1", "Host: x", f"Authorization: Bearer {server.key}", "Content-Type: application/json", f"Content-Length: {len(text)}"]).encode() + b"\r\n\r\n" + text

    beside.sendall(worded({"seeds": server.seeds[:filler], "epsilon": 0.5, "mechanism": "twohop", "top": 10}))
    ended = []

    def read():
        said = b""
        while not said.endswith(b"\r\n0\r\n\r\n"):
            said += beside.recv(1 << 16)
        ended.append(time.perf_counter())

    reader = threading.Thread(target=read)
    reader.start()
    time.sleep(0.02)
    assert server.answer(worded({"seed": question, "epsilon": 0.5, "mechanism": "twohop", "top": 10}), own)[0] == 200
    answered = time.perf_counter()
    reader.join()
    return answered - ended[0]


def fillers(program, bucket, repeats=6):
    """With one worker: whether the length of a filler moves the end of the answer behind it against the buckets."""
    server = Server(program, bucket, workers=1, seeds=extremes(20))
    try:
        own, beside, number = server.connect(), server.connect(), 0
        for filler in (1, 1, 2, 4, 8, 16, 32):  # the first one warms up
            seen = []
            for _ in range(repeats):
                number += 1
                seen.append(behind(server, server.seeds[0], filler, number, own, beside) / (bucket / 1000))
            print(f"behind a filler of {filler:2} rankings, in buckets of {bucket} ms after its end: " + " ".join(f"{one:.2f}" for one in sorted(seen)))
    finally:
        server.process.terminate()
        server.process.wait()


def times(program, count, bucket, unhidden=None):
    """Prints what shows with buckets of so many milliseconds, beside the median time of an answer where there are none to speak of."""
    server = Server(program, bucket, workers=1, seeds=extremes(count))
    try:
        own, beside = server.connect(), server.connect()
        first_answer(server, server.seeds[0], own, beside)  # reads the graph
        seen = [first_answer(server, seed, own, beside) for seed in server.seeds[2:]]
    finally:
        server.process.terminate()
        server.process.wait()
    answers, plans = [list(column) for column in zip(*seen)]
    hub, leaf = (sorted(answers[k::2])[len(answers) // 4] for k in (0, 1))
    late = sum(seconds >= 2 * bucket / 1000 for seconds in answers) / len(answers)
    median = sorted(answers)[len(answers) // 2]
    print(f"buckets of {bucket} ms, {bucket / 1000 / (unhidden or median):.2f} of the time of an answer: to a hub it takes {hub / leaf:.3f} of that to a leaf (medians), and longer in "
          f"{told_apart(answers):.2f} of all pairs; a plan that is asked meanwhile, in {told_apart(plans):.2f}; {late:.3f} leave after the first bucket")
    return median


parser = argparse.ArgumentParser()
parser.add_argument("program")
parser.add_argument("--mixed", type=int, default=100_000)
parser.add_argument("--times", type=int, default=0)
options = parser.parse_args()
if options.times:
    unhidden = times(os.path.abspath(options.program), options.times, 1)
    for bucket in (250, 1000):
        times(os.path.abspath(options.program), options.times, bucket, unhidden)
    fillers(os.path.abspath(options.program), 250)
    raise SystemExit
server = Server(os.path.abspath(options.program))
try:
    compare(server)
    overhead(server)
    idle(server)
    mixed(server, options.mixed)
finally:
    server.process.terminate()
    server.process.wait()
