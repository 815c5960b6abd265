"""evaluate and tune as scripts and people see them."""
import csv
import io
import json
import signal
import subprocess
import time

import pytest

from hang import HANG

KEYS = ["mechanism", "resolved", "epsilon", "eta", "ndcg", "ndcg_ci", "recall", "recall_ci", "new_ndcg", "new_ndcg_ci",
        "new_recall", "new_recall_ci", "l1", "l1_ci", "kendall", "kendall_ci", "gain", "gain_ci", "rank_coverage",
        "rank_coverage_ci", "rank_width", "rank_width_ci", "rank_share", "rank_share_ci", "versus", "seconds", "refused"]


@pytest.fixture(scope="module")
def karate(hushwalk, tmp_path_factory):
    path = tmp_path_factory.mktemp("graphs") / "karate.hwg"
    hushwalk("generate", "karate", "-o", path)
    return path


@pytest.fixture(scope="module")
def graph(hushwalk, tmp_path_factory):
    path = tmp_path_factory.mktemp("graphs") / "g.hwg"
    hushwalk("generate", "chung-lu", "--nodes", "400", "--edges", "4000", "-o", path)
    return path


def test_rows_and_keys(hushwalk, graph):
    document = hushwalk.json("evaluate", graph, "--mechanism", "exact,free,auto,twohop,paper", "--epsilon", "0.1,1",
                             "--eta", "1e-4,1e-3", "--seeds", "12")
    assert document["private"] is False and "not private" in document["note"]
    assert document["graph"] == {"nodes": 400, "edges": 4000}
    rows = document["rows"]
    assert [(r["mechanism"], r["epsilon"], r["eta"]) for r in rows] == [("exact", None, None), ("free", None, None)] + [
        cell for e in (0.1, 1.0) for cell in [("auto", e, None), ("twohop", e, None), ("paper", e, 1e-4), ("paper", e, 1e-3)]]
    for row in rows:
        assert list(row) == KEYS
        assert row["refused"] is None and row["seconds"] >= 0
        for key in ("ndcg", "recall", "new_ndcg", "new_recall"):
            assert 0 <= row[key] <= 1 and row[key + "_ci"] >= 0
        assert -1 <= row["kendall"] <= 1
    exact, free, auto = rows[:3]
    assert exact["rank_coverage"] is None and rows[5]["rank_share"] == 0  # neither says anything of ranks
    assert 0.5 < auto["rank_coverage"] <= 1 and 0 < auto["rank_share"] <= 1 <= auto["rank_width"] <= 200
    assert (exact["ndcg"], exact["recall"], exact["new_ndcg"], exact["l1"], exact["kendall"]) == (1, 1, 1, 0, 1)
    assert free["gain"] == 0 and free["ndcg"] < 1
    assert auto["resolved"] == "twohop" and auto["gain"] == pytest.approx(auto["ndcg"] - free["ndcg"])
    assert list(rows[5]["versus"]) == ["auto", "twohop", "paper@0.0001"]
    assert rows[5]["versus"]["twohop"]["ndcg"] == pytest.approx(rows[5]["ndcg"] - rows[3]["ndcg"])


def test_it_says_that_it_is_not_private(hushwalk, karate):
    done = hushwalk("evaluate", karate, "--seeds", "5")
    assert "not private: an evaluation reads every edge" in done.stderr
    head, *rows = done.stdout.splitlines()
    assert head.split() == ["mechanism", "epsilon", "eta", "ndcg", "recall", "new_ndcg", "new_recall", "l1", "kendall",
                            "gain", "rank_coverage", "rank_width", "rank_share", "seconds"]
    assert rows[0].startswith("free ") and rows[1].startswith("auto: twohop ") and "±" in rows[1]


def test_seeds_are_the_same_for_all_and_repeat(hushwalk, graph):
    def free(*arguments):
        rows = hushwalk.json("evaluate", graph, "--seeds", "7", *arguments)["rows"]
        return next({k: v for k, v in row.items() if k != "seconds"} for row in rows if row["mechanism"] == "free")

    assert free("--mechanism", "free") == free("--mechanism", "twohop,free", "--threads", "1")
    assert free("--mechanism", "free", "--random-seed", "2") != free("--mechanism", "free")


def test_too_few_nodes_are_all_taken(hushwalk, karate):
    done = hushwalk("evaluate", karate, "--seeds", "1000", "--mechanism", "free")
    assert "only 34 nodes" in done.stderr


def test_a_refused_cell_is_a_row(hushwalk, karate):
    rows = hushwalk.json("evaluate", karate, "--mechanism", "twohop,shared", "--scope", "edge", "--seeds", "5")["rows"]
    assert "edge scope" in rows[0]["refused"] and rows[0]["ndcg"] is None and list(rows[0]) == KEYS
    assert rows[1]["refused"] is None and rows[1]["ndcg"] > 0
    table = hushwalk("evaluate", karate, "--mechanism", "twohop", "--scope", "edge", "--seeds", "5").stdout
    assert "refused: " in table


def test_csv(hushwalk, karate):
    text = hushwalk("evaluate", karate, "--mechanism", "twohop,free", "--scope", "edge", "--seeds", "5", "--format", "csv").stdout
    rows = list(csv.DictReader(io.StringIO(text)))
    assert list(rows[0]) == [key for key in KEYS if key != "versus"]
    assert rows[0]["mechanism"] == "free" and rows[0]["epsilon"] == ""
    assert "secret; use" in rows[1]["refused"] and rows[1]["ndcg"] == ""


def test_an_infinite_taper(hushwalk, karate):
    document = hushwalk.json("evaluate", karate, "--mechanism", "twohop", "--taper", "inf", "--seeds", "5")
    assert document["taper"] == "inf" and document["rows"][0]["refused"] is None


def test_json_lines(hushwalk, karate, tmp_path):
    out = tmp_path / "rows.jsonl"
    hushwalk("evaluate", karate, "--mechanism", "free,twohop", "--seeds", "5", "--format", "jsonl", "-o", out)
    assert [list(json.loads(line)) for line in out.read_text().splitlines()] == [KEYS, KEYS]


# --- resuming ----------------------------------------------------------------------------------------------------

WORK = ["--mechanism", "free,twohop,shared", "--epsilon", "0.5,1", "--seeds", "6", "--format", "jsonl", "--resume"]


def test_resume_keeps_rows_and_does_the_rest(hushwalk, karate, tmp_path):
    out = tmp_path / "rows.jsonl"
    hushwalk("evaluate", karate, *WORK, "-o", out)
    lines = out.read_text().splitlines(keepends=True)
    assert len(lines) == 6 and json.loads(lines[0])["evaluation"]["seeds"] == 6
    out.write_text("".join(lines[:3]) + lines[3][:40])  # killed while writing
    done = hushwalk("evaluate", karate, *WORK, "-o", out)
    assert "2 rows are there already" in done.stderr
    again = out.read_text().splitlines(keepends=True)
    assert len(again) == 6 and again[:3] == lines[:3]
    kept, new = json.loads(again[2]), json.loads(again[3])
    assert new["versus"]["twohop"]["ndcg"] == pytest.approx(new["ndcg"] - kept["ndcg"])
    assert new["gain"] == pytest.approx(new["ndcg"] - json.loads(again[1])["ndcg"])
    hushwalk("evaluate", karate, *WORK, "-o", out)
    assert out.read_text().splitlines(keepends=True) == again


def test_resume_of_other_work_is_an_error(hushwalk, karate, graph, tmp_path):
    out = tmp_path / "rows.jsonl"
    hushwalk("evaluate", karate, *WORK, "-o", out)
    before = out.read_bytes()
    for arguments in ([karate, *WORK, "--random-seed", "2"], [graph, *WORK], [karate, *WORK, "--steps", "99"]):
        assert "other work" in hushwalk("evaluate", *arguments, "-o", out, code=2).stderr
    assert out.read_bytes() == before
    for content in ("something else\n", "no line"):
        out.write_text(content)
        hushwalk("evaluate", karate, *WORK, "-o", out, code=2)
        assert out.read_text() == content
    out.write_bytes(before + b"not a row\n")
    assert "damaged" in hushwalk("evaluate", karate, *WORK, "-o", out, code=1).stderr
    out.write_bytes(before + b"{}\n")
    assert "damaged" in hushwalk("evaluate", karate, *WORK, "-o", out, code=1).stderr


def test_ctrl_c_leaves_rows_to_go_on_from(hushwalk, graph, tmp_path):
    out = tmp_path / "rows.jsonl"
    work = ["evaluate", str(graph), "--mechanism", "free,paper", "--eta", ",".join(f"{i}e-4" for i in range(1, 200)),
            "--seeds", "300", "--format", "jsonl", "--resume", "-o", str(out)]
    running = subprocess.Popen([hushwalk.program, *work], stderr=subprocess.DEVNULL)
    try:
        limit = time.monotonic() + HANG
        while not (out.exists() and out.read_bytes().count(b"\n") >= 3) and time.monotonic() < limit:
            time.sleep(0.1)
        running.send_signal(signal.SIGINT)
        assert running.wait(timeout=HANG) != 0
    finally:
        running.kill()
    lines = out.read_text().splitlines()
    assert len(lines) >= 3
    for line in lines[1:-1]:
        assert json.loads(line)["ndcg"] > 0


@pytest.mark.parametrize(
    "arguments, message",
    [
        (["--mechanism", "nonsense"], "there is no mechanism 'nonsense'; choose from: auto"),
        (["--mechanism", "twohop,nonsense"], "exact"),
        (["--epsilon", "0"], "epsilon"),
        (["--epsilon", "1,x"], "--epsilon"),
        (["--epsilon", "nan"], "epsilon"),
        (["--mechanism", "twohop", "--eta", "1e-3"], "--eta goes with paper, output, pushflow"),
        (["--mechanism", "paper", "--eta", "-1"], "eta"),
        (["--mechanism", "shared", "--background", "0.5"], "background"),
        (["--mechanism", "paper", "--taper", "10"], "taper"),
        (["--taper", "1.5"], "taper"),
        (["--seeds", "0"], "at least 1"),
        (["--seeds", "-1"], "--seeds"),
        (["--top", "0"], "at least 1"),
        (["--json", "--format", "csv"], "contradicts"),
        (["--format", "xml"], "--format"),
        (["--resume"], "--resume needs"),
        (["--resume", "-o", "OUT"], "--resume needs"),
        (["--resume", "--format", "jsonl"], "--resume needs"),
        (["--scope", "nobody"], "--scope"),
        (["--beta", "0.5", "--diffusion", "heat"], "--beta"),
    ],
)
def test_errors(hushwalk, karate, tmp_path, arguments, message):
    out = tmp_path / "out"
    done = hushwalk("evaluate", karate, *[str(out) if a == "OUT" else a for a in arguments], code=2)
    assert message in done.stderr and done.stdout == "" and not out.exists()


# --- tune --------------------------------------------------------------------------------------------------------

SIZE = ["--nodes", "300", "--edges", "3000", "--seeds", "8"]


def test_tune_for_an_epsilon(hushwalk):
    result = hushwalk.json("tune", *SIZE, "--epsilon", "1")
    assert list(result)[:6] == ["mechanism", "epsilon", "eta", "background", "taper", "expected_ndcg"]
    assert result["epsilon"] == 1 and 0 < result["free_ndcg"] < 1
    assert result["expected_ndcg"] >= max(plan["expected_ndcg"] for plan in result["tried"]) - 0.02
    assert any(plan["taper"] == "inf" for plan in result["tried"])
    assert {"frontier", "circles"} <= {plan["mechanism"] for plan in result["tried"]}
    assert all((plan["eta"] is None) == (plan["mechanism"] in ("twohop", "frontier", "shared", "circles")) for plan in result["tried"])
    assert "users" not in result and {plan["epsilon"] for plan in result["tried"]} == {1} == {result["total_epsilon"]}


def test_tune_shows_new_ndcg_beside_ndcg(hushwalk):
    result = hushwalk.json("tune", *SIZE, "--epsilon", "1")
    assert 0 < result["free_new_ndcg"] < result["free_ndcg"]  # own neighbours are not new
    assert all(0 < plan["expected_new_ndcg"] <= 1 and plan["expected_new_ndcg_ci"] > 0 for plan in [result, *result["tried"]])
    chosen = next(plan for plan in result["tried"] if plan["expected_ndcg"] == result["expected_ndcg"])
    assert chosen["expected_new_ndcg"] == result["expected_new_ndcg"]
    table = dict(line.split(maxsplit=1) for line in hushwalk("tune", *SIZE, "--epsilon", "1").stdout.splitlines())
    assert "±" in table["new_ndcg"] and "±" in table["free_new_ndcg"] and "total_epsilon" not in table
    nothing = hushwalk.json("tune", *SIZE, "--target-ndcg", "0.1")
    assert nothing["tried"] == [] and nothing["expected_new_ndcg"] == nothing["free_new_ndcg"] > 0


def test_tune_for_many_users(hushwalk):
    ask = ["tune", *SIZE, "--users", "100"]
    result = hushwalk.json(*ask, "--epsilon", "1")
    artefacts = {"shared", "circles"}
    # A hundredth of epsilon for each is noise on 300 nodes.
    assert result["mechanism"] in artefacts and (result["epsilon"], result["total_epsilon"], result["users"]) == (1, 1, 100)
    assert {"twohop", "frontier", "paper"} | artefacts <= {plan["mechanism"] for plan in result["tried"]}
    for plan in result["tried"]:
        assert plan["epsilon"] == (1 if plan["mechanism"] in artefacts else 0.01) and plan["total_epsilon"] == 1
    assert "total_epsilon" in hushwalk(*ask, "--epsilon", "1").stdout
    target = hushwalk.json(*ask, "--target-ndcg", "0.9")
    assert {plan["mechanism"] for plan in target["tried"]} <= artefacts and target["epsilon"] == target["total_epsilon"]


def test_tune_for_a_target(hushwalk):
    result = hushwalk.json("tune", *SIZE, "--target-ndcg", "0.9")
    assert result["expected_ndcg"] >= 0.9 and 0.001 < result["epsilon"] < 10
    assert "below 1" in hushwalk("tune", *SIZE, "--target-ndcg", "1", code=1).stderr


def test_tune_on_a_proxy_says_that_it_is_public(hushwalk, graph):
    done = hushwalk("tune", "--proxy", graph, "--epsilon", "0.01", "--seeds", "4", "--scope", "edge")
    assert "taken as public" in done.stderr and "expected_ndcg" in done.stdout


@pytest.mark.parametrize(
    "arguments, message",
    [
        (["GRAPH", "--epsilon", "1"], "GRAPH"),  # the secret graph has no place here
        (["--epsilon", "1"], "--proxy"),
        (["--nodes", "10", "--epsilon", "1"], "--edges"),
        (["--proxy", "GRAPH", "--nodes", "10", "--edges", "10", "--epsilon", "1"], "not both"),
        ([*SIZE], "--target-ndcg"),
        ([*SIZE, "--epsilon", "1", "--target-ndcg", "0.5"], "--target-ndcg"),
        ([*SIZE, "--target-ndcg", "2"], "--target-ndcg is 2; it must be above 0"),
        ([*SIZE, "--epsilon", "-1"], "epsilon"),
        ([*SIZE, "--epsilon", "1", "--users", "0"], "at least one recipient"),
        ([*SIZE, "--epsilon", "1", "--users", "1.5"], "--users"),
    ],
)
def test_tune_errors(hushwalk, arguments, message):
    done = hushwalk("tune", *arguments, code=2)
    assert message in done.stderr and done.stdout == ""


def test_help_has_an_example(hushwalk):
    for verb in ("evaluate", "tune"):
        assert f"hushwalk {verb}" in hushwalk(verb, "--help").stdout.split("Example:")[1]
    example = hushwalk("tune", "--help").stdout.split("Example:")[1].split()
    assert "expected_ndcg" in hushwalk(*example[1:]).stdout


def test_users_share_epsilon(hushwalk, karate):
    ask = ["evaluate", karate, "--mechanism", "auto,twohop,shared,circles", "--epsilon", "1", "--seeds", "5"]
    one, many = hushwalk.json(*ask), hushwalk.json(*ask, "--users", "1000")
    assert "users" not in one and many["users"] == 1000
    assert [row["resolved"] for row in one["rows"]] == ["twohop", "twohop", "shared", "circles"]
    assert [row["resolved"] for row in many["rows"]] == ["circles", "twohop", "shared", "circles"]
    assert {row["epsilon"] for row in many["rows"]} == {1}
    # A thousandth of epsilon for each is noise; what is shared is as good as before.
    assert many["rows"][1]["l1"] > one["rows"][1]["l1"]
    assert hushwalk(*ask, "--users", "0", code=2).stderr
