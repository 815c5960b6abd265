"""Hostile clients, on loopback and within bounds. None of this depends on how fast anything is: where the service must end
something by itself, the test waits for that end."""
import json
import os
import re
import socket
import threading
import time

import pytest

from conftest import Server, make_graph, write_config
from hang import HANG

UNTIL_THE_END = HANG * 1000  # a bucket in which no answer leaves, and no place comes free


def first_line(said):
    return said.split(b"\r\n")[0].decode()


def status(said):
    return int(first_line(said).split()[1])


def alive(server):
    return server.get("/healthz").status == 200


def request(lines, body=b""):
    return "\r\n".join(lines).encode() + b"\r\n\r\n" + body


SMUGGLING = {
    "both lengths": (["POST / HTTP/1.1", "Host: x", "Content-Length: 4", "Transfer-Encoding: chunked"], b"0\r\n\r\nGET /healthz HTTP/1.1\r\nHost: x\r\n\r\n"),
    "chunked": (["POST /v1/graphs HTTP/1.1", "Host: x", "Transfer-Encoding: chunked"], b"0\r\n\r\nGET /healthz HTTP/1.1\r\nHost: x\r\n\r\n"),
    "chunked in disguise": (["POST / HTTP/1.1", "Host: x", "Transfer-Encoding: xchunked"], b"0\r\n\r\nGET /healthz HTTP/1.1\r\nHost: x\r\n\r\n"),
    "two lengths": (["POST / HTTP/1.1", "Host: x", "Content-Length: 0", "Content-Length: 40"], b"GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n"),
    "a list of lengths": (["POST / HTTP/1.1", "Host: x", "Content-Length: 0, 40"], b"GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n"),
    "a negative length": (["POST / HTTP/1.1", "Host: x", "Content-Length: -1"], b""),
    "a length with a sign": (["POST / HTTP/1.1", "Host: x", "Content-Length: +5"], b"abcde"),
    "a blank before the colon": (["POST / HTTP/1.1", "Host: x", "Content-Length : 5"], b"abcde"),
    "a folded header": (["GET / HTTP/1.1", "Host: x", "X-A: b", "\tTransfer-Encoding: chunked"], b""),
    "two hosts": (["GET /healthz HTTP/1.1", "Host: x", "Host: y"], b""),
    "no host": (["GET /healthz HTTP/1.1"], b""),
    "two keys": (["GET /v1/graphs HTTP/1.1", "Host: x", "Authorization: Bearer a", "Authorization: Bearer b"], b""),
    "an upgrade": (["GET / HTTP/1.1", "Host: x", "Upgrade: h2c", "Connection: Upgrade"], b""),
    "an old version": (["GET /healthz HTTP/1.0", "Host: x"], b""),
    "a bare line feed": (["GET /healthz HTTP/1.1\nHost: x"], b""),
    "an absolute target": (["GET http://elsewhere/ HTTP/1.1", "Host: x"], b""),
    "a target of an asterisk": (["OPTIONS * HTTP/1.1", "Host: x"], b""),
    "a control character in the target": (["GET /\x01 HTTP/1.1", "Host: x"], b""),
    "expect": (["POST / HTTP/1.1", "Host: x", "Content-Length: 5", "Expect: 100-continue"], b"abcde"),
    "not http": (["\x16\x03\x01\x02"], b""),
}


@pytest.mark.parametrize("name", [name for name in SMUGGLING if name != "a folded header"])
def test_a_request_in_disguise_is_refused_and_nothing_follows_it(house, name):
    said = house.server.raw(request(*SMUGGLING[name]))
    assert 400 <= status(said) < 600, said[:200]
    assert len(re.findall(rb"^HTTP/1.1 ", said, re.M)) == 1, "what it hid is not taken for a request"
    assert alive(house.server)


def test_a_folded_header_hides_nothing(house):
    said = house.server.raw(request(*SMUGGLING["a folded header"]), shut=True)
    assert said.count(b"HTTP/1.1 ") == 1


def test_pipelined_requests_are_answered_in_order(house):
    said = house.server.raw(request(["GET /healthz HTTP/1.1", "Host: x"]) + request(["GET /readyz HTTP/1.1", "Host: x", "Connection: close"]))
    assert said.count(b"HTTP/1.1 200") == 2 and said.index(b'"ok"') < said.index(b'"ready"')


@pytest.mark.parametrize("path", ["/../etc/passwd", "/..%2f..%2fetc/passwd", "/v1/../keys.db", "//etc/passwd", "/v1//graphs", "/v1/graphs/", "/v1/./graphs",
                                  "/v1/graphs/karate/../names/nodes", "/v1/graphs/karate/nodes/", "/V1/graphs", "/v1/graphs/karate/rank/extra", "/%00",
                                  "/v1/graphs%00", "/v1%2fgraphs", "/v1/graphs;x=1", "/v1/graphs/karate%2fnodes", "/keys.db", "/serve.toml"])
def test_a_path_leads_where_it_says_or_nowhere(house, path):
    answer = house.server.get(path, house.owner)
    assert answer.status in (401, 404) and b"root:" not in answer.body


def test_bodies_are_bounded(house):
    post = house.server.raw
    head = ["POST /v1/graphs/karate/rank HTTP/1.1", "Host: x", f"Authorization: Bearer {house.owner}", "Content-Type: application/json"]
    before = house.server.memory("VmHWM")
    assert status(post(request(head + ["Content-Length: 100000000"]))) == 413
    assert status(post(request(head + ["Content-Length: 65537"], b"x" * 65537))) == 413
    assert status(post(request(head + ["Content-Length: 99999999999999999999"]))) in (400, 413)
    assert status(post(request(head + ["Content-Length: 65536", "Connection: close"], b" " * 65536))) == 400, "as much as is allowed, and no JSON"
    assert house.server.memory("VmHWM") - before < 30 << 20


def test_headers_are_bounded(house):
    lines = ["GET /healthz HTTP/1.1", "Host: x"]
    before = house.server.memory("VmHWM")
    assert status(house.server.raw(request(lines + [f"X-{i}: {'v' * 1000}" for i in range(100)]))) == 431
    assert status(house.server.raw(request(["GET /" + "a" * 100000 + " HTTP/1.1", "Host: x"]))) in (400, 431)
    assert status(house.server.raw(request(lines + ["X: " + "v" * 1_000_000]))) == 431
    assert house.server.memory("VmHWM") - before < 30 << 20


@pytest.mark.parametrize("body", [b"", b"null", b"[]", b"{", b"{}", b"[" * 60000, b'{"a":' * 10000, b"\xff\xfe", b'{"seed": 1e999, "epsilon": 1}', b'{"seed": 1, "epsilon": 1e999}',
                                  b'{"seed": 1, "epsilon": -1}', b'{"seed": 1, "epsilon": 0}', b'{"seed": 1, "epsilon": "1"}', b'{"seed": 1, "epsilon": true}',
                                  b'{"seed": 1.5, "epsilon": 1}', b'{"seed": -1, "epsilon": 1}', b'{"seed": 18446744073709551615, "epsilon": 1}',
                                  b'{"seed": null, "epsilon": 1}', b'{"seed": {"a": 1}, "epsilon": 1}', b'{"seeds": [], "epsilon": 1}', b'{"seed": 1, "seeds": [1], "epsilon": 1}',
                                  b'{"seed": 1, "epsilon": 1, "top": 0}', b'{"seed": 1, "epsilon": 1, "top": -1}', b'{"seed": 1, "epsilon": 1, "top": 1e9}',
                                  b'{"seed": 1, "epsilon": 1, "steps": 1000000000}', b'{"seed": 1, "epsilon": 1, "diffusion": "custom", "coefficients": {"gamma1": [1]}}',
                                  b'{"seed": 1, "epsilon": 1, "diffusion": "custom", "coefficients": 7}', b'{"seed": 1, "epsilon": 1, "mechanism": "\\u0000"}',
                                  b'{"seed": 1, "epsilon": 1, "scope": 1}', b'{"seed": 1, "epsilon": 1, "delta": 2}', b'{"seed_set": [[1]], "epsilon": 1}',
                                  b'{"seed_set": [{"node": 1, "weight": "x"}], "epsilon": 1}', b'{"seed": 1, "epsilon": 1, "recipient": "ana"}', b'{"seed": 1, "epsilon": 1, "publish": true}',
                                  b'{"seed": 1, "epsilon": 1, "candidates": [99999]}'])
def test_a_body_that_makes_no_sense_is_a_problem_of_the_asker_and_costs_nothing(house, body):
    spent = house.server.get("/v1/graphs/karate/ledger", house.owner).json
    for what in ("rank", "cost", "plan"):
        answer = house.server.post(f"/v1/graphs/karate/{what}", body, house.owner)
        assert answer.status in (400, 403), (what, answer.status, answer.body)
        assert answer.json["status"] == answer.status
    assert house.server.get("/v1/graphs/karate/ledger", house.owner).json == spent
    assert house.server.post("/v1/certificates/verify", body, house.owner).status == 200


def test_a_form_of_another_site_asks_nothing(house):
    """A browser can be made to send forms and plain text anywhere, but no key, which no cookie holds, and no JSON."""
    for kind in ("application/x-www-form-urlencoded", "text/plain", "multipart/form-data; boundary=x"):
        answer = house.server.post("/v1/graphs/karate/rank", json.dumps({"seed": 1, "epsilon": 0.1}), house.owner, headers={"Content-Type": kind})
        assert answer.status == 415
    answer = house.server.get("/v1/graphs", house.owner, headers={"Origin": "https://elsewhere.example"})
    assert not [name for name in answer.headers if name.lower().startswith(("access-control", "set-cookie"))]
    assert house.server.ask("OPTIONS", "/v1/graphs", headers={"Origin": "https://elsewhere.example", "Access-Control-Request-Method": "POST"}).status >= 400


def test_names_of_nodes_are_data_wherever_they_are_shown(hushwalk, start, folder):
    names = ["<script>alert(1)</script>", "a\"b", "x</title>", "é", "line: Set-Cookie"]
    (folder / "n.csv").write_text("".join(f'"{a.replace(chr(34), chr(34) * 2)}"\t"{b.replace(chr(34), chr(34) * 2)}"\n' for a in names for b in names if a < b))
    hushwalk("import", folder / "n.csv", "-o", folder / "n.hwg")
    hushwalk("ledger", "init", "--graph", folder / "n.hwg", "--epsilon", 5, "-o", folder / "n.ledger")
    server = start([{"name": "n", "graph": "n.hwg", "ledger": "n.ledger"}])
    key = server.new_key("--name", "<i>ana</i>", "--role", "analyst", "--graph", "n")["key"]
    from roles_test import wait_until
    wait_until(lambda: server.get("/v1/graphs", key).status == 200)
    listed = server.get("/v1/graphs/n/nodes", key)
    assert len(listed.json["nodes"]) == len(names) and listed.headers["X-Content-Type-Options"] == "nosniff"
    answer = server.post("/v1/graphs/n/rank", {"seed": listed.json["nodes"][0], "epsilon": 1}, key)
    assert answer.status == 200 and answer.headers["Content-Type"] == "application/json"
    for reply in (listed, answer):
        assert "Set-Cookie" not in reply.headers and "default-src 'none'" in reply.headers["Content-Security-Policy"]
    assert server.get("/v1/graphs/n/nodes?prefix=%3Cscript%3E%0d%0aSet-Cookie:%20a=b", key).json == {"nodes": []}


def test_a_name_with_the_end_of_a_line_in_it_is_no_header_and_no_line_of_the_log(hushwalk, start, folder):
    (folder / "n.csv").write_bytes(b'"a\r\nSet-Cookie: b=c",d\nd,e\n')
    assert "cannot hold a line end" in hushwalk("import", folder / "n.csv", "-o", folder / "n.hwg", code=None).stderr
    server = start(log_nodes=True)
    key = server.new_key("--name", "a", "--role", "owner", "--graph", "karate", "--seed", "1\r\nSet-Cookie: b=c", "--recipient", "a")["key"]
    from roles_test import wait_until
    wait_until(lambda: server.get("/v1/graphs", key).status == 200)
    for seed in ("1\r\nSet-Cookie: b=c", "\r\n\r\nHTTP/1.1 200 OK\r\n\r\n"):
        reply = server.post("/v1/graphs/karate/rank", {"seed": seed, "epsilon": 0.125}, key)
        assert reply.status in (400, 403) and "Set-Cookie" not in reply.headers and reply.json["status"] == reply.status
    assert all(json.loads(line)["at"] for line in (folder / "access.log").read_text().splitlines())


def test_slow_clients_hold_no_worker_and_are_ended(start):
    server = start(limits={"bucket_ms": 20, "header_ms": 700, "body_ms": 700, "idle_ms": 10**9}, workers=1)
    slow = []
    for number in range(63):
        one = socket.create_connection(("127.0.0.1", server.port), timeout=HANG)
        one.sendall([b"G", b"GET / HTTP/1.1\r\nHost: x\r\nX", b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n\r\nabc"][number % 3])
        slow.append(one)
    assert alive(server), "an honest client is served while they wait"
    for one in slow:
        while True:  # until the server ends it
            try:
                if not one.recv(1000):
                    break
            except ConnectionError:
                break
        one.close()
    assert alive(server)


def test_who_says_nothing_is_let_go(start):
    server = start(limits={"idle_ms": 200, "header_ms": 10**9})
    with socket.create_connection(("127.0.0.1", server.port), timeout=HANG) as silent:
        assert silent.recv(1) == b""


def test_a_client_that_does_not_read_its_answer_holds_no_worker(start):
    server = start(limits={"bucket_ms": 20, "idle_ms": 10**9, "header_ms": 10**9, "write_ms": 10**9}, workers=1)
    lazy = []
    for _ in range(20):
        one = socket.create_connection(("127.0.0.1", server.port), timeout=HANG)
        one.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 2048)
        one.sendall(request(["GET /v1/openapi.json HTTP/1.1", "Host: x"]) * 40)
        lazy.append(one)
    assert alive(server)
    for one in lazy:
        one.close()
    assert alive(server)


def test_who_does_not_take_an_answer_in_time_is_let_go(start):
    from life_test import metrics
    from roles_test import wait_until
    server = start(limits={"bucket_ms": 20, "write_ms": 200, "idle_ms": 10**9, "header_ms": 10**9})
    with socket.create_connection(("127.0.0.1", server.port), timeout=HANG) as lazy:
        lazy.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 2048)
        threading.Thread(target=lambda: [lazy.send(request(["GET /v1/openapi.json HTTP/1.1", "Host: x"])) for _ in range(500)], daemon=True).start()
        wait_until(lambda: 'status="200"' in metrics(server))
        wait_until(lambda: 'hushwalk_level{of="connections"} 1\n' in metrics(server))  # that is the one which asks


def ask_one_after_another(server, key, times):
    """The connections, none of which has been listened to."""
    from roles_test import wait_until
    own = [server.connect() for _ in range(times)]
    for seed, one in enumerate(own, start=1):
        one.request("POST", "/v1/graphs/karate/rank", json.dumps({"seeds": [seed], "epsilon": 0.01}),
                    {"Authorization": "Bearer " + key, "Content-Type": "application/json"})
        wait_until(lambda: server.get("/healthz").status == 200)
    return own


def test_one_key_does_not_take_all_the_places(start):
    server = start(workers=1, requests_per_key=3, limits={"bucket_ms": UNTIL_THE_END})
    from roles_test import wait_until
    keys = [server.new_key("--name", name, "--role", "analyst", "--graph", "karate", "--per-minute", 100000)["key"] for name in "ab"]
    wait_until(lambda: server.get("/v1/graphs", keys[1]).status == 200)
    own = ask_one_after_another(server, keys[0], 5)
    assert server.get("/v1/graphs", keys[1]).status == 200
    for turned_away in own[3:]:
        reply = turned_away.getresponse()
        assert reply.status == 429 and reply.getheader("Retry-After") == "1"
        reply.read()


def test_whoever_keeps_to_the_limits_is_answered_in_the_end(start):
    server = start(workers=1, requests_per_key=3, limits={"bucket_ms": 20, "queue": 3})
    key = server.new_key("--name", "a", "--role", "analyst", "--graph", "karate", "--per-minute", 100000)["key"]
    from roles_test import wait_until
    wait_until(lambda: server.get("/v1/graphs", key).status == 200)
    assert [one.getresponse().status for one in ask_one_after_another(server, key, 3)] == [200, 200, 200]
    wait_until(lambda: server.get("/v1/graphs", key).status == 200)  # its places come free


def test_when_all_places_are_taken_an_idle_one_is_given_to_a_newcomer(start):
    server = start(limits={"bucket_ms": 20, "connections": 20})
    idle = [socket.create_connection(("127.0.0.1", server.port), timeout=HANG) for _ in range(60)]
    assert all(alive(server) for _ in range(5))
    for one in idle:
        one.close()


def test_keys_are_not_guessed(start):
    server = start(failures_per_minute=10)
    key = server.new_key("--name", "a", "--role", "admin")["key"]
    from roles_test import wait_until
    wait_until(lambda: server.get("/v1/graphs", key).status == 200)
    begun = time.monotonic()
    replies = []
    while (len(replies) < 200 or 429 not in replies) and time.monotonic() < begun + HANG:
        replies.append(server.get("/v1/graphs", f"hw_{len(replies):064x}").status)
    minutes = (time.monotonic() - begun) / 60
    assert set(replies) <= {401, 429} and 429 in replies and replies.count(401) <= 10 * (1 + minutes) + 1
    assert server.get("/v1/graphs", key).status == 200, "who has a key is not in their way"


def test_beyond_its_queue_the_service_says_when_to_come_again(start):
    server = start(workers=1, limits={"bucket_ms": UNTIL_THE_END, "queue": 2})
    key = server.new_key("--name", "a", "--role", "analyst", "--graph", "karate", "--per-minute", 100000)["key"]
    from roles_test import wait_until
    wait_until(lambda: server.get("/v1/graphs", key).status == 200)
    own = ask_one_after_another(server, key, 3)
    reply = own[-1].getresponse()
    assert reply.status == 503 and reply.getheader("Retry-After") == "1"
    reply.read()
    assert alive(server)


def test_a_crafted_graph_whose_links_have_one_end_is_never_answered_from(hushwalk, folder, monkeypatch):
    monkeypatch.syspath_prepend(os.path.join(os.environ["HUSHWALK_SOURCE"], "tests", "golden"))
    from crafted_graph import give_a_link_one_end
    graph = make_graph(hushwalk, folder, "karate")
    give_a_link_one_end(folder / "karate.hwg")
    server = Server(folder, write_config(folder, [graph]))
    key = server.new_key("--name", "x", "--role", "owner", "--graph", "karate", "--seed", 1)["key"]
    reply = server.start().post("/v1/graphs/karate/rank", {"seed": 1, "epsilon": 0.5}, key)
    assert server.stop() == 0
    assert reply.status == 500 and b"rankings" not in reply.body
    assert "not symmetric" in (folder / "access.log").read_text()
    assert hushwalk.json("ledger", "show", folder / "karate.ledger")["spent"] == 0
