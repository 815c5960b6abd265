"""Nothing leaks beside the answer: on adjacent graphs with the same noise, status, headers, errors and sizes are functions of the
released answer and of public numbers."""
import json
import os
import re
import shutil

import pytest

from conftest import Server, write_config
from roles_test import wait_until
from hang import HANG

# Star and path, with and without the edge 5-6; the public node list and the bound on edges are the same.
NODES = range(1, 13)
EDGES = [(1, node) for node in range(2, 8)] + [(2, 3), (8, 9), (9, 10), (4, 5)]
QUESTIONS = [
    ("rank", {"seed": 1, "epsilon": 0.5, "top": 5}), ("rank", {"seed": 1, "epsilon": 0.5, "mechanism": "output", "eta": 0.01}),
    ("rank", {"seed": 1, "epsilon": 0.25, "exclude_neighbors": True, "full": True}), ("rank", {"seed": 1, "epsilon": 1e6}),
    ("rank", {"seed": 1, "epsilon": 0.1, "mechanism": "edgeflip"}), ("rank", {"seed": 12, "epsilon": 0.1}), ("rank", {"seed": 1, "epsilon": 1e-12}),
    ("rank", {"seed": 1, "epsilon": 0.1, "mechanism": "paper", "eta": 1e-90}), ("cost", {"seed": 1, "epsilon": 0.5}), ("cost", {"seed": 1, "epsilon": 50}),
    ("plan", {"seed": 1, "epsilon": 0.5}), ("rank", {"seeds": [1], "epsilon": 0.125}), ("rank", {"seed": 99, "epsilon": 1}),
]


def serve(hushwalk, folder, edges):
    folder.mkdir()
    (folder / "nodes").write_text("".join(f"{node}\n" for node in NODES))
    (folder / "g.txt").write_text("".join(f"{a} {b}\n" for a, b in edges))
    hushwalk("import", folder / "g.txt", "--nodes", folder / "nodes", "-o", folder / "g.hwg")
    hushwalk("ledger", "init", "--graph", folder / "g.hwg", "--epsilon", 5, "--per-recipient", 4, "-o", folder / "g.ledger")
    server = Server(folder, write_config(folder, [{"name": "g", "graph": "g.hwg", "ledger": "g.ledger"}]))
    key = server.new_key("--name", "x", "--role", "owner", "--graph", "g", "--seed", 1)["key"]
    return server.start(), key


# What differs for other reasons: random ids, salts, hashes, times; and the released numbers themselves, with their order.
def public_shape(body):
    text = re.sub(rb'"[0-9a-f]{32,128}"', b'"H"', body)
    text = re.sub(rb"[0-9a-f]{32,64}", b"H", text)
    text = re.sub(rb"\d{4}-\d\d-\d\dT[0-9:.]+Z", b"T", text)
    text = re.sub(rb'"top":\[.*?\](,"rank_probability":0.9)?(,"salt")', b'"top":N\\2', text)
    return text


def test_adjacent_graphs_get_the_same_status_headers_and_shape(hushwalk, tmp_path):
    replies = []
    for name, edges in (("without", EDGES), ("with", EDGES + [(5, 6)])):
        server, key = serve(hushwalk, tmp_path / name, edges)
        got = []
        for what, question in QUESTIONS:
            answer = server.post(f"/v1/graphs/g/{what}", question, key)
            listed = len(answer.json["rankings"][0]["top"]) if what == "rank" and answer.status == 200 and "seed" in question else None
            headers = {field: value for field, value in answer.headers.items() if field != "Content-Length"}
            got.append((what, question, answer.status, headers, listed, public_shape(answer.body)))
        replies.append(got)
        assert server.stop() == 0
    for one, other in zip(*replies):
        assert one == other
    assert {reply[2] for reply in replies[0]} == {200, 400, 403}


def twin(hushwalk, folder, of, edges):
    """A world with other edges and everything else copied: the keys, the ledger with its key, the id of the graph."""
    from crafted_graph import with_checksums
    shutil.copytree(of, folder)
    (folder / "twin.txt").write_text("".join(f"{a} {b}\n" for a, b in edges))
    hushwalk("import", folder / "twin.txt", "--nodes", folder / "nodes", "-o", folder / "twin.hwg")
    data = bytearray((folder / "twin.hwg").read_bytes())
    data[40:56] = (folder / "g.hwg").read_bytes()[40:56]  # docs/formats.md
    (folder / "g.hwg").write_bytes(with_checksums(data))
    return Server(folder, write_config(folder, [{"name": "g", "graph": "g.hwg", "ledger": "g.ledger"}])).start()


def replies_of(server, key, questions):
    replies = []
    for what, question in questions:
        answer = server.post(f"/v1/graphs/g/{what}", question, key)
        assert int(answer.headers.get("Content-Length", len(answer.body))) == len(answer.body)
        replies.append((what, question, answer))
    replies.append(("ledger", None, server.get("/v1/graphs/g/ledger", key)))
    assert server.stop() == 0
    return replies


# When it was charged, and hashes of the ledger and of the certificate, which have that time in them: always of one length.
CLOCK = re.compile(rb'(?<="at": ")[0-9TZ:-]{20}(?=")|(?<="head": ")[0-9a-f]{64}(?=")|(?<="digest": ")[0-9a-f]{64}(?=")'
                   rb'|(?<="at":")[0-9TZ:-]{20}(?=")|(?<="head":")[0-9a-f]{64}(?=")|(?<="digest":")[0-9a-f]{64}(?=")')
# A list of nodes with what is estimated of them, and its hash; the random name of the numbers that it was made of.
ANSWER = re.compile(rb'"top":\[.*?\](,"rank_probability":0\.9)?(?=,"salt")|(?<="sha256":\[")[0-9a-f",]*(?="\])|(?<="sha256": \[)[0-9a-f", \n]*(?=\])'
                    rb'|(?<="artefact": ")[0-9a-f]{32}(?=")|(?<="artefact":")[0-9a-f]{32}(?=")|(?<=the artefact )[0-9a-f]{32}(?= )')


def shown(answer):
    return answer.status, answer.headers, CLOCK.sub(b"", answer.body)


def beside_the_answer(answer):
    headers = {name: value for name, value in answer.headers.items() if name != "Content-Length"}
    return answer.status, headers, ANSWER.sub(b"", CLOCK.sub(b"", answer.body))


OF_OWNERS = QUESTIONS + [("rank", {"seed_set": [1], "epsilon": 0.0625, "full": True}), ("rank", {"seed": 1, "epsilon": 0.5, "top": 5}), ("cost", {"seed": 1, "epsilon": 3})]
OF_ANALYSTS = [(what, {name: value for name, value in question.items() if name != "exclude_neighbors"}) for what, question in QUESTIONS] + [
    ("rank", {"seeds": list(NODES), "epsilon": 0.01, "top": 3}), ("rank", {"seed": 12, "epsilon": 0.1, "mechanism": "shared", "full": True})]


# Adjacent by an edge among the seed's neighbours, one away from it, one that leaves a node without any; where every edge is protected, also one at the seed.
@pytest.mark.parametrize("role, edge", [("owner", (5, 6)), ("owner", (9, 10)), ("owner", (8, 9)), ("analyst", (5, 6)), ("analyst", (1, 12)), ("analyst", (1, 2))])
def test_under_the_same_keys_an_edge_shows_in_the_answer_and_nowhere_else(hushwalk, tmp_path, monkeypatch, role, edge):
    """The same content gets the same noise, and the same bytes all over. Noise is derived from the content, too: an adjacent graph gets other noise, and
    everything beside the released answer is the same, byte for byte."""
    monkeypatch.syspath_prepend(os.path.join(os.environ["HUSHWALK_SOURCE"], "tests", "golden"))
    adjacent = sorted(set(EDGES) ^ {edge})
    first, key = serve(hushwalk, tmp_path / "one", EDGES)
    if role == "analyst":
        key = first.new_key("--name", "a", "--role", "analyst", "--graph", "g", "--per-minute", 1000)["key"]
    assert first.stop() == 0
    questions = OF_OWNERS if role == "owner" else OF_ANALYSTS
    same, other = (replies_of(twin(hushwalk, tmp_path / name, tmp_path / "one", edges), key, questions)
                   for name, edges in (("same", EDGES), ("other", adjacent)))
    one = replies_of(Server(tmp_path / "one", tmp_path / "one" / "serve.toml").start(), key, questions)
    for (what, question, answer), (_, _, again), (_, _, beyond) in zip(one, same, other):
        assert shown(answer) == shown(again), (what, question)
        assert beside_the_answer(answer) == beside_the_answer(beyond), (what, question)
    assert any(shown(answer) != shown(beyond) for (_, _, answer), (_, _, beyond) in zip(one, other)), "an edge shows in some answer, or nothing was compared"
    assert {answer.status for _, _, answer in one} == {200, 400, 403}


def test_no_reply_names_the_custodians_part_of_an_error(hushwalk, tmp_path):
    server, key = serve(hushwalk, tmp_path / "g", EDGES)
    for what, question in QUESTIONS:
        text = server.post(f"/v1/graphs/g/{what}", question, key).body.decode()
        assert "for_custodian" not in text and str(tmp_path) not in text
    server.stop()


def test_a_broken_ledger_is_told_to_the_custodian_only(hushwalk, tmp_path):
    server, key = serve(hushwalk, tmp_path / "g", EDGES)
    (tmp_path / "g" / "g.ledger.key").unlink()
    (tmp_path / "g" / "g.ledger.key.head").write_text("damaged")
    answer = server.post("/v1/graphs/g/rank", {"seed": 1, "epsilon": 0.5}, key)
    assert answer.status in (403, 500) and str(tmp_path) not in answer.body.decode()
    assert "g.ledger" in (tmp_path / "g" / "access.log").read_text()
    server.stop()


def told_nothing(answer, folder):
    """A refusal without a path and without a number, but for its status and code: how much was asked is everybody's activity."""
    assert answer.status == 403
    text = re.sub(r'"(status|code)": \d+', "", answer.body.decode())
    assert str(folder) not in text and "/" not in text.replace("about:blank", "") and not re.search(r"\d", text), text


def test_after_a_new_epoch_the_artefact_is_refused_without_a_path(hushwalk, tmp_path):
    folder = tmp_path / "g"
    first, _ = serve(hushwalk, folder, EDGES)
    assert first.stop() == 0
    server = Server(folder, write_config(folder, [{"name": "g", "graph": "g.hwg", "ledger": "g.ledger", "shared": {"epsilon": 1}}]))
    key = server.new_key("--name", "a", "--role", "analyst", "--graph", "g")["key"]
    server.start()
    assert server.post("/v1/graphs/g/rank", {"seed": 1, "shared": True}, key).status == 200
    hushwalk("ledger", "forget", folder / "g.ledger", "--new-epoch")
    for question in ({"seed": 1, "shared": True, "top": 2}, {"seed": 1, "shared": True}):
        told_nothing(server.post("/v1/graphs/g/rank", question, key), tmp_path)
    assert str(folder / "g.ledger") in (folder / "access.log").read_text(), "the custodian is told"
    server.stop()


def test_an_older_copy_of_the_ledger_is_refused_without_a_path_or_a_number(hushwalk, tmp_path):
    import sqlite3
    server, key = serve(hushwalk, tmp_path / "g", EDGES)
    ledger = tmp_path / "g" / "g.ledger"
    older, used = sqlite3.connect(tmp_path / "older"), sqlite3.connect(ledger)
    assert server.post("/v1/graphs/g/rank", {"seed": 1, "epsilon": 0.25}, key).status == 200
    used.backup(older)
    assert server.post("/v1/graphs/g/rank", {"seed": 1, "epsilon": 0.5}, key).status == 200
    older.backup(used)
    older.close(), used.close()
    for what in ("rank", "cost"):
        answer = server.post(f"/v1/graphs/g/{what}", {"seed": 1, "epsilon": 0.125}, key)
        if what == "rank" or answer.status != 200:
            told_nothing(answer, tmp_path)
    assert str(ledger) in (tmp_path / "g" / "access.log").read_text(), "the custodian is told"
    server.stop()


def test_what_the_ledger_has_forgotten_is_not_repeated_from_memory(hushwalk, tmp_path):
    server, key = serve(hushwalk, tmp_path / "g", EDGES)
    question = {"seed": 1, "epsilon": 0.5}
    first = server.post("/v1/graphs/g/rank", question, key)
    assert first.status == 200 and server.post("/v1/graphs/g/rank", question, key).body == first.body
    hushwalk("ledger", "forget", tmp_path / "g" / "g.ledger", "--before", "2999-01-01T00:00:00Z")
    again = server.post("/v1/graphs/g/rank", question, key)
    assert again.status == 403 and "not answered any more" in again.body.decode()
    server.stop()


def test_answers_leave_in_buckets_and_repeats_do_not_wait(hushwalk, tmp_path):
    """By the count of buckets that the service itself keeps; no clock is read here."""
    server, key = serve(hushwalk, tmp_path / "g", EDGES)
    import http.client

    def buckets():
        own = http.client.HTTPConnection("127.0.0.1", server.metrics_port, timeout=HANG)
        own.request("GET", "/metrics")
        text = own.getresponse().read().decode()
        own.close()
        return int(re.search(r"^hushwalk_release_buckets_count (\d+)", text, re.M)[1]), int(float(re.search(r"^hushwalk_repeats_total (\S+)", text, re.M)[1]))

    question = {"seed": 1, "epsilon": 0.5}
    server.post("/v1/graphs/g/rank", question, key)
    assert buckets() == (1, 0)
    server.post("/v1/graphs/g/rank", question, key)
    assert buckets() == (1, 1), "a repeat touches no edge, and waits for nothing"
    server.post("/v1/graphs/g/rank", {"seed": 1, "epsilon": 50}, key)
    server.post("/v1/graphs/g/cost", question, key)
    assert buckets() == (3, 1), "a refusal waits as an answer does"
    server.stop()
