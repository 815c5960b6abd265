"""Everything that a release prints or writes, on two graphs that differ in one edge: equal but for the noise."""
import contextlib
import json
import re
import sqlite3

import pytest

# Node 1 is the seed. The edge 5 6 is there or not; without it node 6 would be isolated.
EDGES = [(1, 2), (1, 3), (2, 4), (3, 5), (4, 5)]
EDGE = (5, 6)


def write(path, edges):
    path.write_text("".join(f"{u} {v}\n" for u, v in edges))
    return path


@pytest.fixture(scope="module")
def worlds(hushwalk, tmp_path_factory):
    """Two graph files with one public node list."""
    folder = tmp_path_factory.mktemp("worlds")
    nodes = folder / "nodes.txt"
    nodes.write_text("\n".join(map(str, range(1, 8))) + "\n")
    made = []
    for name, edges in (("without", EDGES), ("with", [*EDGES, EDGE])):
        (folder / name).mkdir()
        hushwalk("import", write(folder / f"{name}.txt", edges), "--nodes", nodes, "-o", folder / name / "g.hwg")
        made.append(folder / name)
    return made


NUMBER = re.compile(r"-?\d+\.?\d*(e[-+]?\d+)?")
ID = re.compile(r"\b[0-9a-f]{32}\b")  # of a graph, an artefact or a ledger: random
# Which nodes have a range of exact ranks follows from released numbers: src/audit compares it for equal ones.
RANGE = re.compile(r"^  exact rank: .*\n|      exact rank$| +\d+-\d+$", re.M)


def words(text):
    """Line by line, without numbers; the lines of a paragraph depend on the digits of an id."""
    return [NUMBER.sub("#", line).split() for line in " ".join(ID.sub("ID", RANGE.sub("", text)).split("\n            ")).splitlines()]


def without_noise(document):
    """A ranking without its noisy numbers and the order they give; ids and digests of the graph are random."""
    for ranking in document.get("rankings", []):
        for entry in ranking["top"]:
            assert {"node", "score"} <= entry.keys()
        keys = sorted({key for entry in ranking["top"] for key in entry} - {"rank_low", "rank_high"})
        ranking.pop("rank_probability", None)
        ranking["top"] = [sorted(entry["node"] for entry in ranking["top"]), keys]
    return scrub(document)


def scrub(value):
    if isinstance(value, dict):
        return {k: "random" if k in ("graph_id", "digest", "plan_digest", "salt", "sha256") else scrub(v) for k, v in value.items()}
    if isinstance(value, str):
        return ID.sub("ID", value)
    return [scrub(v) for v in value] if isinstance(value, list) else value


PRIVATE = [
    ["rank", "--seed", "1", "--epsilon", "1", "--full"],
    ["rank", "--seed", "1", "--epsilon", "1", "--full", "--mechanism", "shared"],
    ["rank", "--seed", "1", "--epsilon", "1", "--full", "--mechanism", "shared", "--scope", "edge"],
    ["rank", "--seed", "1", "--epsilon", "1", "--full", "--mechanism", "output", "--eta", "0.01"],
    ["rank", "--seed", "1", "--epsilon", "1", "--full", "--mechanism", "output", "--eta", "0.01", "--scope", "edge"],
    ["rank", "--seed", "1", "--epsilon", "1", "--full", "--mechanism", "paper", "--eta", "0.01", "--delta", "1e-6"],
    ["rank", "--seed", "1", "--epsilon", "1", "--full", "--mechanism", "paper", "--eta", "0.01", "--scope", "edge"],
    ["rank", "--seed", "1", "--epsilon", "1", "--full", "--mechanism", "pushflow", "--eta", "0.01"],
    ["rank", "--seed", "1", "--epsilon", "1", "--full", "--mechanism", "pushflow", "--eta", "0.01", "--scope", "edge"],
    ["rank", "--seed", "1", "--epsilon", "1", "--full", "--mechanism", "pushflow+own", "--eta", "0.01"],
    ["rank", "--seed", "1", "--epsilon", "1", "--full", "--mechanism", "edgeflip"],
    ["rank", "--seed", "1", "--epsilon", "1", "--full", "--mechanism", "edgeflip", "--scope", "edge"],
    ["rank", "--seed", "1", "--seed", "2", "--epsilon", "1", "--full", "--mechanism", "edgeflip+own"],
    ["rank", "--seed", "7", "--epsilon", "1", "--full"],
    ["rank", "--seed", "1", "--epsilon", "1", "--full", "--exclude-neighbors"],
    ["plan", "--epsilon", "1"],
    ["plan", "--epsilon", "1", "--mechanism", "paper", "--eta", "0.01"],
    ["plan", "--epsilon", "1", "--mechanism", "pushflow", "--eta", "0.01"],
    ["plan", "--epsilon", "1", "--mechanism", "edgeflip"],
]
REFUSED = [
    (["rank", "--seed", "1", "--epsilon", "1", "--mechanism", "paper", "--eta", "1e-30"], 3),
    (["rank", "--seed", "1", "--epsilon", "1", "--mechanism", "twohop", "--scope", "edge"], 3),
    (["rank", "--seed", "1", "--epsilon", "1", "--mechanism", "pushflow", "--diffusion", "heat"], 3),
    (["rank", "--seed", "1", "--epsilon", "1", "--mechanism", "edgeflip+own", "--scope", "edge"], 3),
    (["rank", "--seed", "99", "--epsilon", "1"], 2),
    (["rank", "--seed", "1", "--epsilon", "1e-9"], 3),
]


def run(hushwalk, world, arguments, code=0):
    return hushwalk(arguments[0], "g.hwg", *arguments[1:], code=code, cwd=world)


@pytest.mark.parametrize("arguments", PRIVATE, ids=" ".join)
def test_json_differs_in_noise_only(hushwalk, worlds, arguments):
    one, other = (run(hushwalk, world, [*arguments, "--json"]) for world in worlds)
    assert one.stderr == other.stderr
    assert without_noise(json.loads(one.stdout)) == without_noise(json.loads(other.stdout))


@pytest.mark.parametrize("arguments", PRIVATE, ids=" ".join)
def test_text_differs_in_numbers_only(hushwalk, worlds, arguments):
    one, other = (run(hushwalk, world, arguments) for world in worlds)
    assert one.stderr == other.stderr
    assert words(one.stdout) == words(other.stdout)


@pytest.mark.parametrize("arguments, code", REFUSED, ids=lambda value: " ".join(value) if isinstance(value, list) else "")
def test_errors_are_the_same(hushwalk, worlds, arguments, code):
    one, other = (run(hushwalk, world, arguments, code=code) for world in worlds)
    assert (one.stdout, one.stderr) == (other.stdout, other.stderr)


# How many numbers `circles` has, and how many bytes they take, its own noise decides.
@pytest.mark.parametrize("mechanism", ["shared", "circles"])
def test_a_shared_artefact_differs_in_noise_only(hushwalk, worlds, mechanism):
    heads = []
    for world in worlds:
        run(hushwalk, world, ["share", "--epsilon", "1", "--mechanism", mechanism, "-o", "s"])
        head, values = (world / "s").read_bytes().split(b"\n", 1)
        head = json.loads(head)
        assert head.pop("checksum")
        if mechanism == "circles":
            assert head.pop("values") > 0
        heads.append((scrub(head), len(values) if mechanism == "shared" else 0))
        hushwalk("verify-certificate", world / "s")
    assert heads[0] == heads[1]


def test_plans_of_both_are_equal(hushwalk, worlds):
    one, other = (scrub(hushwalk.json("plan", world / "g.hwg", "--epsilon", "1")) for world in worlds)
    assert one == other


UNDER_A_LEDGER = [
    (["rank", "--seed", "1", "--epsilon", "0.25", "--full"], 0),
    (["rank", "--seed", "1", "--epsilon", "0.25", "--full"], 0),  # a repeat
    (["rank", "--seed", "7", "--epsilon", "0.25", "--full", "--scope", "edge", "--recipient", "ann"], 0),
    (["rank", "--seed", "1", "--epsilon", "0.25", "--recipient", "eve"], 3),
    (["share", "--epsilon", "0.25", "-o", "s"], 0),
    (["rank", "--seed", "2", "--epsilon", "0.75"], 3),
]
RANDOM = {"ledger_id", "graph_id", "graph_ids", "source", "request", "answer", "hash", "head", "sha256", "document", "at",
          "updated", "salt", "commitment", "content", "digest"}


def without_chance(value):
    if isinstance(value, dict):
        return {key: "random" if key in RANDOM else without_chance(part) for key, part in value.items()}
    return [without_chance(part) for part in value] if isinstance(value, list) else value


def test_a_ledger_differs_in_noise_only(hushwalk, worlds):
    """What is said, charged, refused and stored; tags of answers only in how long they are."""
    seen = []
    for world in worlds:
        hushwalk("ledger", "init", "--graph", "g.hwg", "--epsilon", "1", "-o", "l", cwd=world)
        said = [run(hushwalk, world, [*arguments, "--ledger", "l"], code) for arguments, code in UNDER_A_LEDGER]
        assert said[0].stdout == said[1].stdout
        entries = hushwalk("ledger", "export", "l", cwd=world).stdout.splitlines()
        with contextlib.closing(sqlite3.connect(world / "l")) as database:
            sizes = sorted(database.execute("SELECT length(tag) FROM released"))
        seen.append(([done.stderr for done in said],
                     [words(done.stdout) for done in said],
                     [without_chance(json.loads(entry)) for entry in entries], sizes,
                     without_chance(hushwalk.json("ledger", "show", "l", cwd=world))))
    assert seen[0] == seen[1]
    assert len(seen[0][3]) == 1, "of the answer with noise of its own; the other is from an artefact"


# --- controls ---------------------------------------------------------------------------------------------------


def test_an_n_that_comes_from_the_edges_is_caught(hushwalk, tmp_path):
    """Without a node list the edge decides whether node 6 exists; the certificate says what it assumes."""
    documents = []
    for name, edges in (("without", EDGES), ("with", [*EDGES, EDGE])):
        graph = tmp_path / f"{name}.hwg"
        hushwalk("import", write(tmp_path / f"{name}.txt", edges), "-o", graph)
        documents.append(hushwalk.json("rank", graph, "--seed", "1", "--epsilon", "1", "--full"))
    for document in documents:
        assert document["certificate"]["public"]["nodes_declared"] is False
        assert any("collected from the edges" in text for text in document["certificate"]["words"]["assumptions"])
    assert without_noise(documents[0]) != without_noise(documents[1])


def test_an_exact_answer_is_caught(hushwalk, worlds):
    one, other = (run(hushwalk, world, ["rank", "--seed", "1", "--exact", "--full", "--json"]) for world in worlds)
    assert one.stdout != other.stdout


# --- the verb ---------------------------------------------------------------------------------------------------


def test_the_audit_prints_a_verdict(hushwalk):
    found = hushwalk.json("audit", "--mechanism", "twohop", "--epsilon", "1", "--trials", "2000")
    assert found["verdict"] == "consistent"
    assert found["claimed_epsilon"] == 1
    assert 0 < found["epsilon_lower_bound"] < 1
    assert found["worst_sensitivity_ratio"] == pytest.approx(1, abs=0.001)
    assert (found["confidence"], found["trials"]) == (0.999999, 2000)
    assert "no attack" in found["meaning"] and found["findings"] == []
    text = hushwalk("audit", "--trials", "100").stdout
    assert text.splitlines()[-1].startswith("consistent: ")


def test_the_audit_has_help_with_an_example(hushwalk):
    assert "hushwalk audit" in hushwalk("audit", "--help").stdout.split("Example:")[1]


def test_the_audit_refuses_nonsense(hushwalk):
    hushwalk("audit", "--mechanism", "nonsense", code=2)
    hushwalk("audit", "--confidence", "1", code=2)
    hushwalk("audit", "--mechanism", "twohop", "--scope", "edge", code=3)


def test_the_attack_succeeds_without_noise(hushwalk):
    rows = hushwalk.json("audit", "--attack", "--mechanism", "twohop", "--trials", "2000")["attack"]
    assert rows[0]["epsilon"] == "inf" and rows[0]["success"] == 1
    assert all(row["success"] <= row["ceiling"] + 3 * row["success_ci"] + 0.01 for row in rows)
