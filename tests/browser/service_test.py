"""The page of the service in Chromium: from the key to the answer, for people with any eyes, hands and screens."""
import csv
import gzip
import json
import os
import pathlib
import re
import subprocess
import urllib.request

import pytest

HERE = pathlib.Path(__file__).parent
SEED = "<img src=x onerror=alert(1)>"
HOSTILE = [SEED, '<b onclick="x">Ann & Bob</b>', "</script><script>alert(2)</script>", "{{7*7}}", "a name that is much longer than its place beside a bar"]
NAMES = HOSTILE + [f"member {i}" for i in range(20)]
MOST = 60_000  # bytes of the page, compressed


class Served:
    """A service that runs until the test is over; what it says first, by name."""
    def __init__(self, program, *arguments, lines):
        self.process = subprocess.Popen([program, "serve", *map(str, arguments)], stdout=subprocess.PIPE, text=True)
        self.said = [self.process.stdout.readline().strip() for _ in range(lines)]
        self.address = re.search(r"https?://[^/ ]+", self.said[0])[0] + "/"

    def __enter__(self):
        return self

    def __exit__(self, *error):
        self.process.terminate()
        self.process.wait(60)


def make_service(hushwalk, folder):
    """Names that would be markup, edges in a ring with chords, and a key for each role."""
    with open(folder / "friends.csv", "w", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(["from", "to"])
        for i, name in enumerate(NAMES):
            for step in (1, 2, 5):
                writer.writerow([name, NAMES[(i + step) % len(NAMES)]])
    hushwalk("import", folder / "friends.csv", "--header", "-o", folder / "friends.hwg")
    hushwalk("ledger", "init", "--graph", folder / "friends.hwg", "--epsilon", 20, "--per-recipient", 5, "-o", folder / "friends.ledger")
    (folder / "serve.toml").write_text("""
address = "127.0.0.1:0"
metrics_address = "off"
access_log = "off"
failures_per_minute = 10000
[[graphs]]
name = "friends"
title = "Friends <i>& co</i>"
graph = "friends.hwg"
ledger = "friends.ledger"
[graphs.shared]
epsilon = 0.5
""")
    new = lambda *flags: hushwalk.json("serve", "keys", "new", "--config", folder / "serve.toml", "--per-minute", 100_000, *flags)["key"]
    return {"seed": SEED, "admin": new("--name", "Ada", "--role", "admin"),
            "owner": new("--name", "<u>Olga</u>", "--role", "owner", "--graph", "friends", "--seed", SEED),
            "analyst": new("--name", "Ann", "--role", "analyst", "--graph", "friends", "--recipient", "Ann & Co")}


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("served")


@pytest.fixture(scope="module")
def seen(hushwalk, folder):
    keys = make_service(hushwalk, folder)
    with Served(hushwalk.program, "--config", folder / "serve.toml", lines=1) as served, \
         Served(hushwalk.program, "--demo", "--address", "127.0.0.1:0", lines=2) as demo:
        demo_key = demo.said[1].removeprefix("key: ")
        (folder / "served.json").write_text(json.dumps(keys | {"address": served.address, "demo": {"address": demo.address, "key": demo_key}}))
        done = subprocess.run([os.environ["NODE"], HERE / "service.cjs", folder / "served.json", folder], capture_output=True, text=True, timeout=1800)
        assert done.returncode == 0, done.stderr
        return json.loads(done.stdout) | {"files": page_files(served.address), "keys": keys}


def page_files(address):
    """Every file of the page as it is sent, and the headers of the first."""
    def fetch(name):
        with urllib.request.urlopen(urllib.request.Request(address + name, headers={"Accept-Encoding": "gzip"})) as response:
            return response.read(), dict(response.headers)
    page, headers = fetch("")
    names = re.findall(r'(?:href|src)="([^"]+)"', gzip.decompress(page).decode()) + ["theorems.json"]
    return {"sizes": {"": len(page)} | {name: len(fetch(name)[0]) for name in names if not name.startswith("v1/")}, "headers": headers}


def test_a_demo_gives_a_ranking_to_whoever_has_its_key(seen):
    first = seen["first"]
    assert "1" in first["found"] and "17" in first["found"]
    assert first["button"] == ["Ask for ε 0.5"] and len(first["rows"]) == 10
    assert first["meter"]["words"] == "0.5 of 10 spent, 9.5 left"


def test_a_wrong_key_is_told_and_forgotten(seen):
    wrong = seen["wrongKey"]
    assert "opens nothing here" in wrong["alert"][0] and wrong["focused"] == "key"
    assert wrong["stored"]["session"] == wrong["stored"]["local"] == {}


def test_the_key_is_kept_in_the_tab_and_nowhere_else(seen):
    stored = seen["journey"]["stored"]
    assert stored["session"]["hushwalk.key"] == seen["keys"]["owner"]
    assert stored["local"] == {} and stored["cookies"] == "" and seen["keys"]["owner"] not in stored["address"]
    assert seen["journey"]["left"]["session"] == {}


def test_nodes_are_found_by_the_beginning_of_their_names(seen):
    assert seen["journey"]["found"] == [SEED]
    assert seen["anybody"]["found"] == ["member 7"]


def test_the_cost_is_shown_before_anything_is_asked(seen):
    before = seen["journey"]["before"]
    assert before["price"] == ["Costs ε 0.5"] and before["button"] == ["Ask for ε 0.5"] and before["asked"] == 0
    assert before["meter"]["max"] == 5 and "0.5 for this question" in before["meter"]["words"]


def test_an_answer_is_a_list_with_bars_and_noise(seen):
    rows = seen["journey"]["rows"]
    assert len(rows) == 10 and {row["name"] for row in rows} <= set(NAMES) - {SEED}
    assert any(row["bar"] > 20 for row in rows) and all(row["noise"] > 0 for row in rows)
    assert all(re.fullmatch(r"score -?[\d.e-]+ ±noise [\d.e-]+", row["number"]) for row in rows)
    assert seen["journey"]["focused"] == "answer" and seen["journey"]["asked"] == 1


def test_what_was_asked_is_spent_once(seen):
    before, after = seen["journey"]["before"]["meter"], seen["journey"]["after"]
    assert after["price"][0].startswith("Free") and after["meter"]["now"] == pytest.approx(before["now"])
    assert seen["journey"]["reloaded"]["meter"] == after["meter"]


def test_a_reload_brings_the_same_answer(seen):
    assert seen["journey"]["reloaded"]["rows"] == seen["journey"]["rows"]


def test_the_picture_shows_the_list_and_no_link(seen):
    picture = seen["journey"]["picture"]
    assert picture["nodes"] == len(seen["journey"]["rows"]) and picture["lines"] == 0 and "The list has the same" in picture["label"]


def test_the_certificate_is_in_plain_words(seen):
    journey = seen["journey"]
    assert journey["promises"][:4] == ["Protected", "How well", "For whom", "If people pool answers"] and journey["promises"][-1] == "What must be true"
    assert journey["words"][0] == "Every single edge that does not touch the seed."
    assert seen["anybody"]["protects"] == "Every single edge of the graph."


def test_why_goes_down_to_the_theorem(seen):
    journey = seen["journey"]
    assert journey["steps"] == ["One link can only do so much", "Noise hides that much", "So two worlds look alike", "That is a theorem", "Who has checked the proof"]
    assert "the release is ε-DP for every change with Σ_v |Δy_v|/b_v ≤ ε" in " ".join(journey["theorem"])
    assert journey["machine"][0].startswith("Theorem ") and "In words" in journey["machine"][1]


def test_the_certificate_holds_here_and_elsewhere(seen, hushwalk, folder):
    assert seen["journey"]["seal"] == ["✓ It holds"]
    assert hushwalk.json("verify-certificate", folder / seen["journey"]["saved"])["valid"]


def test_what_does_not_fit_cannot_be_asked(seen):
    too_much = seen["journey"]["tooMuch"]
    assert "refused" in too_much["words"][0] and too_much["disabled"]
    assert too_much["asked"] == 2  # the answer, and its repetition after the reload


def test_the_shared_artefact_costs_nothing_more(seen):
    shared = seen["anybody"]["shared"]
    assert shared["button"] == ["Show the answer, free"] and len(shared["rows"]) == 10


def test_names_are_never_markup(seen):
    listed = {row["name"] for row in seen["journey"]["rows"] + seen["anybody"]["rows"]}
    assert listed & set(HOSTILE), "no hostile name was shown"
    assert any("Somebody <i>new</i>" in row and SEED in row for row in seen["administration"]["more"])


def test_admins_see_the_ledger(seen):
    admin = seen["administration"]
    assert admin["figures"] == ["Spent", "Left", "The budget ends", "Recipients"]
    assert re.match(r"1\.5of 20", admin["numbers"][0]) and "a day" in admin["numbers"][2]
    assert "1.5 in 3 charges" in admin["chart"]["label"] and admin["chart"]["spent"] > 10
    assert set(admin["recipients"]) == {SEED, "Ann & Co"}


def test_admins_make_and_revoke_keys(seen):
    admin = seen["administration"]
    assert len(admin["keys"]) == 3 and len(admin["more"]) == 4
    assert admin["opened"] == ["Somebody <i>new</i>"] and "opens nothing here" in admin["closed"][0]


def test_a_service_that_is_away_is_said_so(seen):
    assert "does not answer" in seen["away"]["said"][0] and seen["away"]["price"]


def test_everything_fits_every_screen(seen):
    for view in seen["views"]:
        assert {name: look["overflow"] for name, look in view["views"].items() if look["overflow"] > 0} == {}, view["width"]


def test_everybody_can_read_it(seen):
    """axe-core finds nothing, in any view, narrow and wide, light and dark."""
    assert {(view["width"], view["colorScheme"]) for view in seen["views"]} >= {(390, "light"), (390, "dark"), (1280, "light"), (1920, "dark")}
    for view in seen["views"]:
        assert set(view["views"]) == {"sign in", "search", "cost", "answer", "ledger", "keys"}
        assert {name: look["violations"] for name, look in view["views"].items() if look["violations"]} == {}, view["width"]
    assert seen["wrongKey"]["violations"] == []


def test_light_and_dark_follow_the_system_and_the_button(seen):
    light, dark = "rgb(253, 253, 251)", "rgb(22, 24, 27)"
    assert all(view["background"] == {"light": light, "dark": dark}[view["colorScheme"]] for view in seen["views"])
    assert [seen["themed"][when] for when in ("before", "after", "reloaded")] == [light, dark, dark]


def test_nothing_is_fetched_from_elsewhere_and_nothing_complains(seen):
    parts = [seen[name] for name in ("first", "wrongKey", "anybody", "journey", "administration", "themed")] + seen["views"]
    assert [fault for part in parts for fault in part["faults"]] == []


def test_the_policy_stops_a_script_that_came_in(seen):
    assert seen["intruder"]["ran"] is None and any("Content Security Policy" in fault for fault in seen["intruder"]["faults"])
    policy = seen["files"]["headers"]["Content-Security-Policy"]
    assert "default-src 'none'" in policy and "unsafe" not in policy and "http" not in policy and "frame-ancestors 'none'" in policy


def test_the_page_is_small(seen):
    sizes = seen["files"]["sizes"]
    assert set(sizes) == {"", "page.js", "page.css", "icon.svg", "theorems.json"}
    assert sum(sizes.values()) <= MOST, sizes
