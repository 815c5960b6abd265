"""Who may ask what, and what nobody is told."""
import json
import os
import subprocess
import time

import pytest

from hang import HANG

SMALL = {"seed": 1, "epsilon": 0.0625, "top": 2}


def shown(answer):
    return answer.status, sorted(answer.headers.items()), answer.body


def test_a_wrong_key_an_unknown_graph_and_a_forbidden_one_are_told_apart_to_nobody(house):
    server, replies = house.server, []
    for path, key in [("/v1/graphs/karate/nodes", None), ("/v1/graphs/karate/nodes", "hw_" + "0" * 64), ("/v1/graphs/karate/nodes", "nonsense"),
                      ("/v1/graphs/unknown/nodes", house.owner), ("/v1/graphs/names/nodes", house.owner), ("/v1/graphs/unknown/nodes", house.admin),
                      ("/v1/graphs/unknown/nodes", None), ("/v1/keys", house.owner), ("/v1/graphs/karate/ledger/entries", house.analyst),
                      ("/v1/graphs/KARATE/nodes", house.owner), ("/v1/graphs//nodes", house.owner), ("/v1/graphs/%6barate/nodes", house.owner)]:
        replies.append(shown(server.get(path, key)))
    assert len({repr(reply) for reply in replies}) == 1 and replies[0][0] == 401


def test_questions_about_a_graph_that_is_not_theirs_get_that_answer_too(house):
    replies = [shown(house.server.post(f"/v1/graphs/{graph}/{what}", SMALL, key)) for what in ("rank", "cost", "plan")
               for graph, key in (("names", house.owner), ("unknown", house.owner), ("karate", "hw_" + "1" * 64))]
    assert len({repr(reply) for reply in replies}) == 1


def test_an_owner_gets_personalized_answers_for_their_own_seeds_and_nothing_else(house):
    post = lambda body: house.server.post("/v1/graphs/karate/rank", body, house.owner)
    assert post(SMALL).status == 200
    assert post({**SMALL, "seed": 2}).status == 403
    assert post({**SMALL, "scope": "edge"}).status == 403
    assert post({"seeds": [1, 2], "epsilon": 0.1}).status == 403
    assert post({"seed_set": [1, 2], "epsilon": 0.1}).status == 403
    assert post({"seed_set": [{"node": 1, "weight": 1}, 34], "epsilon": 0.1}).status == 403


def test_an_analyst_gets_answers_that_protect_every_edge(house):
    post = lambda body: house.server.post("/v1/graphs/karate/rank", body, house.analyst)
    answer = post({"seed": 7, "epsilon": 0.01})
    assert answer.status == 200 and answer.json["certificate"]["scope"] == "edge"
    assert post({"seed": 7, "epsilon": 0.01, "scope": "personalized"}).status == 403
    assert post({"seed": 7, "epsilon": 0.01, "exclude_neighbors": True}).status == 403


@pytest.mark.parametrize("question", [{"seed": "ann"}, {"seed_set": ["ann", "bob", "eve"]}, {"seeds": ["ann", "bob", "ann"]},
                                      {"seed": "ann", "exclude_neighbors": True}])
def test_a_plan_from_the_artefact_is_that_of_its_answer(house, question):
    planned, answer = (house.server.post(f"/v1/graphs/names/{what}", {**question, "shared": True}, house.reader) for what in ("plan", "rank"))
    assert planned.status == answer.status == (403 if "exclude_neighbors" in question else 200)
    if answer.status == 200:
        whole = json.loads(answer.body.splitlines()[-1] if "seeds" in question else answer.body)
        assert planned.json["certificate"]["parameters"] == whole["certificate"]["parameters"]
        assert "the artefact" in planned.json["why"] and "depends on the graph" in planned.json["expects"]


def test_an_admin_asks_nothing(house):
    assert house.server.post("/v1/graphs/karate/rank", SMALL, house.admin).status == 403
    assert house.server.post("/v1/graphs/karate/cost", SMALL, house.admin).status == 403
    assert house.server.get("/v1/graphs/karate/ledger", house.admin).json["recipients"]


def test_no_key_gets_an_exact_answer(house):
    for key in (house.owner, house.analyst, house.admin):
        assert house.server.post("/v1/graphs/karate/rank", {"seed": 1, "exact": True}, key).status == 400


def test_nobody_sees_what_others_have_spent(house):
    server = house.server
    server.post("/v1/graphs/karate/rank", {"seed": 9, "epsilon": 0.03}, house.analyst)
    own = server.get("/v1/graphs/karate/ledger", house.owner).json
    assert set(own) == {"recipient", "epsilon", "spent", "left", "releases"} and own["recipient"] == "1"
    cost = server.post("/v1/graphs/karate/cost", {"seed": 9, "epsilon": 0.03}, house.analyst).json
    assert cost["cost"] == 0 and set(cost) == {"rankings", "cost", "fits", "refusal", "account"}
    refused = server.post("/v1/graphs/karate/rank", {"seed": 1, "epsilon": 1000}, house.owner)
    assert refused.status == 403 and "ana" not in refused.body.decode()


def test_the_cost_is_what_is_charged(house):
    server, question = house.server, {"seed": 1, "epsilon": 0.375, "top": 1}
    before = server.post("/v1/graphs/karate/cost", question, house.owner).json
    assert before["cost"] == 0.375 and before["fits"]
    assert server.post("/v1/graphs/karate/rank", question, house.owner).status == 200
    after = server.get("/v1/graphs/karate/ledger", house.owner).json
    assert abs(before["account"]["left"] - after["left"] - 0.375) < 1e-9
    assert server.post("/v1/graphs/karate/cost", question, house.owner).json["cost"] == 0


def test_the_same_question_is_the_same_answer_and_costs_nothing(house):
    server, question = house.server, {"seed": 1, "epsilon": 0.5, "top": 4}
    first = server.post("/v1/graphs/karate/rank", question, house.owner)
    spent = server.get("/v1/graphs/karate/ledger", house.owner).json
    again = [server.post("/v1/graphs/karate/rank", question, house.owner) for _ in range(3)]
    otherwise = server.post("/v1/graphs/karate/rank", '{"top": 4,  "epsilon": 0.5, "seed": "1"}', house.owner)
    assert {answer.body for answer in again} == {first.body} == {otherwise.body}
    assert server.get("/v1/graphs/karate/ledger", house.owner).json == spent


def test_a_revoked_key_opens_nothing_and_a_new_one_does_without_a_restart(start):
    server = start()
    key = server.new_key("--name", "a", "--role", "analyst", "--graph", "karate")
    wait_until(lambda: server.get("/v1/graphs", key["key"]).status == 200)
    subprocess.run([os.environ["HUSHWALK"], "serve", "keys", "revoke", "--config", server.config, key["id"]], check=True)
    wait_until(lambda: server.get("/v1/graphs", key["key"]).status == 401)


def test_a_key_that_has_ended_opens_nothing(start, folder):
    server = start()
    key = server.new_key("--name", "a", "--role", "admin")
    wait_until(lambda: server.get("/v1/graphs", key["key"]).status == 200)
    import sqlite3
    with sqlite3.connect(folder / "keys.db") as keys:
        keys.execute("UPDATE access_key SET expires = '2020-01-01T00:00:00Z'")
    wait_until(lambda: server.get("/v1/graphs", key["key"]).status == 401)


def test_a_key_has_a_rate(start):
    server = start()
    key = server.new_key("--name", "a", "--role", "admin", "--per-minute", 5)["key"]
    begun = time.monotonic()
    wait_until(lambda: server.get("/v1/graphs", key).status == 200)
    replies = [server.get("/v1/graphs", key)]
    while replies[-1].status == 200 and time.monotonic() < begun + HANG:
        replies.append(server.get("/v1/graphs", key))
    minutes = (time.monotonic() - begun) / 60
    assert replies[-1].status == 429 and len(replies) - 1 <= 5 * (2 + minutes), "however slow the machine is"
    assert int(replies[-1].headers["Retry-After"]) >= 1


def test_keys_are_stored_as_hashes_for_their_owner_only(house):
    import sqlite3
    file = house.folder / "keys.db"
    assert file.stat().st_mode & 0o077 == 0
    content = file.read_bytes()
    for key in (house.admin, house.analyst, house.owner):
        assert key.encode() not in content and bytes.fromhex(key[3:]) not in content
    import hashlib
    with sqlite3.connect(file) as keys:
        stored = {row[0] for row in keys.execute("SELECT sha256 FROM access_key")}
    assert hashlib.sha256(house.admin.encode()).digest() in stored


@pytest.mark.parametrize("flags, words", [
    (["--role", "owner", "--graph", "karate"], "the seeds in it that are theirs"),
    (["--role", "owner", "--graph", "karate", "--seed", 1, "--seed", 2], "needs a name"),
    (["--role", "owner", "--seed", 1], "needs one graph"),
    (["--role", "analyst"], "needs the graphs"),
    (["--role", "admin", "--graph", "karate"], "give it no graph"),
    (["--role", "analyst", "--graph", "elsewhere"], "no graph 'elsewhere'"),
    (["--role", "analyst", "--graph", "karate", "--days", 0], "--days must be"),
])
def test_keys_that_make_no_sense_are_not_made(hushwalk, house, flags, words):
    done = hushwalk("serve", "keys", "new", "--config", house.server.config, "--name", "x", *flags, code=2)
    assert words in done.stderr


def wait_until(true):
    """The service looks for changed keys once a second; nothing here measures how long it takes."""
    begun = time.monotonic()
    while time.monotonic() < begun + HANG:
        if true():
            return
        time.sleep(0.05)
    raise AssertionError("it never came true")


def test_a_key_is_made_for_graphs_that_are_there(house):
    made = house.server.post("/v1/keys", {"name": "x", "role": "analyst", "graphs": ["karate", "nowhere"]}, house.admin)
    assert made.status == 400 and "there is no graph 'nowhere'" in made.json["detail"]
    assert "nowhere" not in house.server.get("/v1/keys", house.admin).body.decode()


@pytest.mark.parametrize("member", ["name", "recipient"])
def test_a_name_with_the_end_of_a_line_in_it_is_not_taken(house, member):
    made = house.server.post("/v1/keys", {"name": "x", "role": "analyst", "graphs": ["karate"], member: "a\r\nSet-Cookie: b"}, house.admin)
    assert made.status == 400 and "printable" in made.json["detail"] and "Set-Cookie" not in made.headers
