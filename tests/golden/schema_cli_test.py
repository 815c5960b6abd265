"""Every verb's --json is as its schema in docs/schema says, and so are errors."""
import copy
import json
import os
import pathlib

import jsonschema
import pytest

FOLDER = pathlib.Path(os.environ["HUSHWALK_SOURCE"]) / "docs" / "schema"
SCHEMAS = {path.name: json.loads(path.read_text()) for path in FOLDER.glob("*.json")}
USED = set()


def faults(name, document):
    schema = SCHEMAS[name + ".json"]
    resolver = jsonschema.RefResolver("", schema, store=SCHEMAS)
    return [error.message for error in jsonschema.Draft202012Validator(schema, resolver=resolver).iter_errors(document)]


def check(name, document):
    USED.add(name)
    assert faults(name, document) == [], name
    return document


@pytest.fixture(scope="module")
def folder(hushwalk, tmp_path_factory):
    folder = tmp_path_factory.mktemp("schema")
    check("generate", hushwalk.json("generate", "karate", "-o", "k.hwg", cwd=folder))
    (folder / "t.txt").write_text("ann bob\nbob eve\n")
    check("import", hushwalk.json("import", "t.txt", "-o", "t.hwg", cwd=folder))
    check("keys", hushwalk.json("keys", "new", "-o", "signing.key", cwd=folder))
    check("keys", hushwalk.json("keys", "public", "signing.key", cwd=folder))
    check("ledger-init", hushwalk.json("ledger", "init", "--graph", "k.hwg", "--epsilon", 5, "--per-recipient", 2,
                                       "--per-period", 3, "-o", "L", cwd=folder))
    return folder


ANSWERS = {
    "private": ["k.hwg", "--seed", 1, "--epsilon", 1],
    "names": ["t.hwg", "--seed", "ann", "--epsilon", 1],
    "exact": ["k.hwg", "--seed", 1, "--exact", "--diffusion", "heat"],
    "paper with delta": ["k.hwg", "--seed", 1, "--epsilon", 1, "--mechanism", "paper", "--eta", 0.01, "--delta", 1e-6],
    "edge flips": ["k.hwg", "--seed", 1, "--epsilon", 1, "--mechanism", "edgeflip"],
    "many": ["k.hwg", "--all", "--epsilon", 1],
    "signed": ["k.hwg", "--seed", 1, "--epsilon", 1, "--signing-key", "signing.key"],
    "ledger": ["k.hwg", "--seed", 1, "--epsilon", 0.1, "--ledger", "L"],
    "named": ["k.hwg", "--seed", 1, "--epsilon", 0.1, "--ledger", "L", "--scope", "edge", "--recipient", "ann"],
    "published": ["k.hwg", "--seed", 1, "--epsilon", 0.1, "--ledger", "L", "--scope", "edge", "--publish"],
}


@pytest.mark.parametrize("name", ANSWERS)
def test_rankings(hushwalk, folder, name):
    answer = check("rank", hushwalk.json("rank", *ANSWERS[name], cwd=folder))
    broken = copy.deepcopy(answer)
    broken["surprise"] = 1
    assert faults("rank", broken), "a key that is not in the schema is noticed"
    del broken["surprise"], broken["rankings"][0]["top"][0]["score"]
    assert faults("rank", broken), "and so is one that is missing"


def test_lines_files_and_sets(hushwalk, folder):
    *lines, last = hushwalk("rank", "k.hwg", "--seed", 1, "--seed", 2, "--epsilon", 1, "--format", "jsonl", cwd=folder).stdout.splitlines()
    assert len(lines) == 2
    for line in lines:
        check("ranking", json.loads(line))
    check("rank-last-line", json.loads(last))
    files = check("rank-output-dir", hushwalk.json("rank", "k.hwg", "--seed", 1, "--epsilon", 1, "--output-dir", "D", cwd=folder))
    check("rank", json.loads((folder / files["files"][0]["file"]).read_text()))
    (folder / "set").write_text("1\n2\n")
    check("rank", hushwalk.json("rank", "k.hwg", "--seed-set", "set", "--epsilon", 1, cwd=folder))


def test_plans_and_artefacts(hushwalk, folder):
    check("plan", hushwalk.json("plan", "k.hwg", "--epsilon", 1, cwd=folder))
    assert check("plan", hushwalk.json("plan", "--nodes", 1000, "--rankings", 20, "--epsilon", 1))["alternative"]["total_epsilon"] == 20
    assert check("plan", hushwalk.json("plan", "k.hwg", "--scope", "edge", "--epsilon", 1, cwd=folder))["alternative"] is None
    without = hushwalk.json("plan", "k.hwg", "--epsilon", 1, cwd=folder)
    del without["why"]
    assert faults("plan", without)
    check("share", hushwalk.json("share", "k.hwg", "--epsilon", 1, "-o", "S", cwd=folder))
    signed = check("share", hushwalk.json("share", "k.hwg", "--epsilon", 1, "--signing-key", "signing.key", "-o", "S2", cwd=folder))
    assert signed["certificate"]["answer"]["encoding"] == "artefact"
    check("rank", hushwalk.json("rank", "k.hwg", "--shared", "S2", "--seed", 1, "--signing-key", "signing.key", cwd=folder))
    check("info", hushwalk.json("info", "k.hwg", cwd=folder))
    check("info", hushwalk.json("info", "t.txt", cwd=folder))
    check("rank", hushwalk.json("demo", cwd=folder))


def test_ledgers(hushwalk, folder):
    hushwalk("rank", "k.hwg", "--seed", 3, "--epsilon", 0.1, "--ledger", "L", cwd=folder)
    check("ledger-cost", hushwalk.json("ledger", "cost", "k.hwg", "--seed", 2, "--epsilon", 0.1, "--ledger", "L", cwd=folder))
    check("ledger", hushwalk.json("ledger", "show", "L", cwd=folder))
    check("verdict", hushwalk.json("ledger", "verify", "L", cwd=folder))
    entries = check("ledger-export", hushwalk.json("ledger", "export", "L", cwd=folder))["entries"]
    lines = hushwalk("ledger", "export", "L", cwd=folder).stdout.splitlines()
    assert [json.loads(line) for line in lines] == entries and len(entries) > 2
    USED.add("ledger-entry")
    check("ledger", hushwalk.json("ledger", "extend", "L", "--epsilon", "+1", "--reason", "a test", cwd=folder))
    check("verdict", hushwalk.json("ledger", "backup", "L", "-o", "copy", cwd=folder))
    hushwalk("generate", "karate", "-o", "k2.hwg", cwd=folder)
    check("ledger", hushwalk.json("ledger", "lineage", "L", "--graph", "k2.hwg", cwd=folder))
    check("ledger", hushwalk.json("ledger", "forget", "L", "--older-than", 1, cwd=folder))
    check("ledger-compact", hushwalk.json("ledger", "compact", "L", cwd=folder))


def test_certificates(hushwalk, folder):
    (folder / "a.json").write_text(hushwalk("rank", "k.hwg", "--seed", 1, "--epsilon", 1, "--json", cwd=folder).stdout)
    check("certificate", json.loads((folder / "a.json").read_text())["certificate"])
    check("verify-certificate", hushwalk.json("verify-certificate", "a.json", cwd=folder))
    check("certificate-page", hushwalk.json("certificate", "a.json", "-o", "page.html", cwd=folder))


def test_keys_of_the_service(hushwalk, folder):
    (folder / "serve.toml").write_text('[[graphs]]\nname = "k"\ngraph = "k.hwg"\nledger = "L"\n')
    made = check("serve-key", hushwalk.json("serve", "keys", "new", "--config", "serve.toml", "--name", "Ann", "--role", "owner", "--graph", "k", "--seed", 1, cwd=folder))
    check("serve-keys-revoke", hushwalk.json("serve", "keys", "revoke", "--config", "serve.toml", made["id"], cwd=folder))
    assert check("serve-keys", hushwalk.json("serve", "keys", "list", "--config", "serve.toml", cwd=folder))["keys"][0]["revoked"]


def test_the_lab(hushwalk, folder):
    small = ["--seeds", 2, "--top", 5]
    check("evaluate", hushwalk.json("evaluate", "k.hwg", "--mechanism", "auto,free,paper,exact", "--users", 3, *small, cwd=folder))
    for line in hushwalk("evaluate", "k.hwg", "--format", "jsonl", *small, cwd=folder).stdout.splitlines():
        check("evaluation-row", json.loads(line))
    for users in (1, 30):
        check("tune", hushwalk.json("tune", "--proxy", "k.hwg", "--epsilon", 1, "--users", users, *small, cwd=folder))
    check("tune", hushwalk.json("tune", "--proxy", "k.hwg", "--target-ndcg", 0.1, *small, cwd=folder))
    check("audit", hushwalk.json("audit", "--trials", 200))
    check("attack", hushwalk.json("audit", "--attack", "--trials", 20))
    check("reproduce", hushwalk.json("reproduce", "distortion", "--quick", "-o", "out", cwd=folder))
    check("calibrate", hushwalk.json("calibrate", "--epsilon", 1))
    check("account", hushwalk.json("account", "--laplace-scale", 8e-6, "--accountant", "all"))
    check("account", hushwalk.json("account", "--laplace-scale", 8e-6, "--delta", 1e-6))


def test_errors(hushwalk, folder):
    for arguments in (["rank", "k.hwg"], ["info", "missing"], ["rnak"], ["rank", "k.hwg", "--seed", 1, "--epsilon", "x"],
                      ["rank", "k.hwg", "--exact", "--seed", 1, "--ledger", "L"], ["share", "k.hwg", "--epsilon", 99, "--ledger", "L", "-o", "S9"]):
        done = hushwalk(*arguments, "--json", "--quiet", code=None, cwd=folder)
        assert done.stdout == "" and check("error", json.loads(done.stderr))["error"]["code"] == done.returncode != 0


def test_every_schema_was_checked():
    assert {name + ".json" for name in USED} | {"diffusion.json"} == set(SCHEMAS)
