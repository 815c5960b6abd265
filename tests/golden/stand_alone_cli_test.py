"""What leaves the custodian's machine stands alone: answers, single rankings, artefacts and pages; and what `ledger` says
of copies, heads and limits."""
import json
import os
import random
import shutil

import pytest

from conftest import SOURCE

GOLDEN = SOURCE / "tests" / "golden" / "ledger"


@pytest.fixture
def folder(hushwalk, tmp_path, monkeypatch):
    for name in ("HUSHWALK_LEDGER", "HUSHWALK_KEY", "HUSHWALK_SIGNING_KEY"):
        monkeypatch.delenv(name, raising=False)
    hushwalk("generate", "karate", "-o", "k.hwg", cwd=tmp_path)
    hushwalk("keys", "new", "-o", "K", "--issuer", "Friends, Inc.", cwd=tmp_path)
    hushwalk("keys", "new", "-o", "E", "--issuer", "Friends, Inc.", cwd=tmp_path)
    for key, public in (("K", "P"), ("E", "Q")):
        hushwalk("keys", "public", key, "-o", public, cwd=tmp_path)
    hushwalk("ledger", "init", "--graph", "k.hwg", "--epsilon", 2, "-o", "L", cwd=tmp_path)
    return tmp_path


def rank(hushwalk, folder, *flags, epsilon="0.25", code=0):
    return hushwalk("rank", "k.hwg", "--epsilon", epsilon, "--ledger", "L", *flags, code=code, cwd=folder)


def check(hushwalk, folder, file, *flags, code=0):
    return hushwalk.json("verify-certificate", file, *flags, cwd=folder, code=code)


# --- one ranking out of many --------------------------------------------------------------------------------------


def taken_out(folder, name, keep):
    answer = json.loads((folder / "all.json").read_text())
    answer["rankings"] = [answer["rankings"][i] for i in keep]
    (folder / name).write_text(json.dumps(answer))
    return answer


def test_a_stranger_can_check_a_single_ranking_of_a_signed_file(hushwalk, folder):
    rank(hushwalk, folder, "--seed", 1, "--seed", 2, "--seed", 3, "--json", "--signing-key", "K", "-o", "all.json")
    taken_out(folder, "one.json", [1])
    found = check(hushwalk, folder, "one.json", "--public-key", "P")
    assert found["checked"] == {"promise": True, "answer": True, "signature": True, "issuer": True}
    assert "this ranking is one of 3 certified" in found["reason"]
    taken_out(folder, "two.json", [0, 2])
    assert "these 2 rankings are among 3 certified" in check(hushwalk, folder, "two.json")["reason"]
    assert "one of" not in check(hushwalk, folder, "all.json")["reason"]
    for name, keep in (("none.json", []), ("twice.json", [1, 1]), ("moved.json", [2, 0]), ("many.json", [0, 1, 2, 2])):
        taken_out(folder, name, keep)
        check(hushwalk, folder, name, code=1)
    altered = taken_out(folder, "one.json", [1])
    altered["rankings"][0]["top"][0]["score"] = 0.5
    (folder / "one.json").write_text(json.dumps(altered))
    assert "not the one that was certified" in check(hushwalk, folder, "one.json", code=1)["reason"]


def test_a_table_does_not_say_that_it_is_signed(hushwalk, folder):
    done = rank(hushwalk, folder, "--seed", 1, "--signing-key", "K")
    assert "signed by" not in done.stdout and "a table is not signed" in done.stderr


# --- artefacts -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("mechanism", ["shared", "circles"])
@pytest.mark.parametrize("under", [[], ["--ledger", "L"], ["--ledger", "L", "--publish"]])
def test_an_artefact_is_signed_and_bound_to_its_numbers(hushwalk, folder, mechanism, under):
    share = ["share", "k.hwg", "--epsilon", 1, "--mechanism", mechanism, *under]
    printed = hushwalk.json(*share, "--signing-key", "K", "-o", "S", cwd=folder)["certificate"]
    content = (folder / "S").read_bytes()
    header = json.loads(content[:content.index(b"\n")])
    assert printed == header["certificate"] and printed["issuer"] == "Friends, Inc."
    assert header["salt"] not in json.dumps(printed)
    found = check(hushwalk, folder, "S", "--public-key", "P")
    assert found["checked"] == {"promise": True, "answer": True, "signature": True, "issuer": True}
    assert "its numbers are those that were certified" in found["reason"] and "Friends, Inc." in found["reason"]
    check(hushwalk, folder, "S", "--public-key", "Q", code=1)
    ask = ["rank", "k.hwg", "--shared", "S", "--seed", 1, "--json", *under[:2], "-o", "a.json"]
    hushwalk(*ask, cwd=folder)
    assert check(hushwalk, folder, "a.json")["checked"]["signature"] is False  # a signature is of one document
    if under:
        hushwalk(*share, "--signing-key", "K", "-o", "again", cwd=folder)
        assert (folder / "again").read_bytes() == content
    rng = random.Random(1)
    for at in rng.sample(range(len(content)), 40):
        damaged = bytearray(content)
        damaged[at] ^= 1 << rng.randrange(8)
        (folder / "S").write_bytes(damaged)
        assert hushwalk("verify-certificate", "S", "--public-key", "P", code=None, cwd=folder).returncode != 0, at


def test_other_numbers_under_a_signed_certificate_are_noticed(hushwalk, folder):
    """With a checksum that fits, as whoever pastes exact numbers into a genuine file would make it."""
    for name in ("S", "T"):
        hushwalk("share", "k.hwg", "--epsilon", 1, "--mechanism", "shared", "--signing-key", "K", "-o", name, cwd=folder)
    parts = {name: (folder / name).read_bytes().split(b"\n", 1) for name in ("S", "T")}
    header = json.loads(parts["S"][0])
    header["checksum"] = json.loads(parts["T"][0])["checksum"]
    (folder / "U").write_bytes(json.dumps(header, separators=(",", ":")).encode() + b"\n" + parts["T"][1])
    assert "not those that were certified" in check(hushwalk, folder, "U", code=1)["reason"]
    header = json.loads(parts["S"][0]) | {"note": "nobody signed this"}
    (folder / "U").write_bytes(json.dumps(header, separators=(",", ":")).encode() + b"\n" + parts["S"][1])
    check(hushwalk, folder, "U", code=1)


# --- the page ------------------------------------------------------------------------------------------------------


def test_the_page_for_those_who_sign_off_is_small_and_can_say_the_budget_so_far(hushwalk, folder):
    rank(hushwalk, folder, "--seed", 1, "--json", "-o", "a.json")
    rank(hushwalk, folder, "--seed", 2, "--json", "-o", "b.json")
    hushwalk("certificate", "a.json", "-o", "p.html", cwd=folder)
    page = (folder / "p.html").read_text()
    assert len(page) < 60_000 and "<script" not in page and "known to the custodian" in page
    hushwalk("certificate", "a.json", "--ledger", "L", "-o", "q.html", cwd=folder)
    assert "epsilon = 0.5 of 2 is spent, by 2 releases" in (folder / "q.html").read_text()
    hushwalk("ledger", "init", "--graph", "k.hwg", "--epsilon", 1, "-o", "M", "--force", cwd=folder)
    assert "not the one that charged this" in hushwalk("certificate", "a.json", "--ledger", "M", "-o", "r.html", code=1, cwd=folder).stderr
    assert not (folder / "r.html").exists()


# --- what the ledger says ------------------------------------------------------------------------------------------


def test_a_certificate_names_the_recipients_own_entry(hushwalk, folder):
    ask = ["--seed", 1, "--scope", "edge", "--mechanism", "output", "--json", "--recipient"]
    first = json.loads(rank(hushwalk, folder, *ask, "ann").stdout)
    rank(hushwalk, folder, "--seed", 9)
    second = json.loads(rank(hushwalk, folder, *ask, "bob").stdout)
    assert first["rankings"] == second["rankings"]
    entries = {one["certificate"]["charged"]["entry"] for one in (first, second)}
    assert len(entries) == 2
    lines = [json.loads(line) for line in hushwalk("ledger", "export", "L", cwd=folder).stdout.splitlines()]
    for one, name in ((first, "ann"), (second, "bob")):
        charged = one["certificate"]["charged"]
        entry = lines[charged["entry"] - 1]
        assert entry["event"]["recipient"] == name and entry["hash"] == charged["head"] and entry["at"] == charged["at"]
    assert json.loads(rank(hushwalk, folder, *ask, "ann").stdout) == first


@pytest.mark.parametrize("mechanism", ["twohop", "shared"])
def test_each_file_of_a_folder_names_its_own_entry(hushwalk, folder, mechanism):
    rank(hushwalk, folder, "--seed", 2, "--mechanism", mechanism)
    rank(hushwalk, folder, "--seed", 1, "--seed", 2, "--seed", 3, "--mechanism", mechanism, "--output-dir", "D", "--signing-key", "K")
    lines = [json.loads(line) for line in hushwalk("ledger", "export", "L", cwd=folder).stdout.splitlines()]
    for seed in ("1", "2", "3"):
        check(hushwalk, folder, f"D/{seed}.json", "--public-key", "P")
        charged = json.loads((folder / "D" / f"{seed}.json").read_text())["certificate"]["charged"]
        entry = lines[charged["entry"] - 1]
        payers = [row[0] for row in entry["event"].get("members", [])] + [entry["event"].get("recipient")]
        assert seed in payers and entry["hash"] == charged["head"] and entry["at"] == charged["at"]


def put_back(folder):
    for left in folder.glob("L-*"):
        left.unlink()
    shutil.copy(folder / "copy", folder / "L")


def test_an_older_copy_is_not_shown_in_silence_and_accepting_it_says_what_is_forgotten(hushwalk, folder):
    rank(hushwalk, folder, "--seed", 1)
    hushwalk("ledger", "backup", "L", "-o", "copy", cwd=folder)
    assert "older copy" not in hushwalk("ledger", "show", "L", cwd=folder).stderr
    rank(hushwalk, folder, "--seed", 2)
    put_back(folder)
    done = hushwalk("ledger", "show", "L", cwd=folder)
    assert "older copy" in done.stderr and "epsilon = 0.5 was spent" in done.stderr
    assert "older copy" in hushwalk.json("ledger", "show", "L", cwd=folder)["warning"]
    done = hushwalk("ledger", "verify", "L", "--accept-head", cwd=folder)
    assert "forgotten by accepting" in done.stdout and "epsilon = 0.5 was spent, and this ledger counts 0.25" in done.stdout
    shown = hushwalk.json("ledger", "show", "L", cwd=folder)
    assert "warning" not in shown and shown["spent"] == 0.5
    assert '"lost ' in hushwalk("ledger", "export", "L", cwd=folder).stdout
    assert "forgotten" not in hushwalk("ledger", "verify", "L", "--accept-head", cwd=folder).stdout


def test_a_limit_is_raised_by_so_much_and_not_to_it(hushwalk, folder):
    done = hushwalk("ledger", "extend", "L", "--epsilon", 1, "--reason", "r", code=2, cwd=folder)
    assert "--epsilon +1" in done.stderr
    hushwalk("ledger", "extend", "L", "--epsilon", "+1", "--reason", "r", cwd=folder)
    assert hushwalk.json("ledger", "show", "L", cwd=folder)["epsilon"] == 3


def test_a_ledger_with_periods_only_does_not_speak_of_infinity(hushwalk, folder):
    hushwalk("generate", "karate", "-o", "new.hwg", cwd=folder)
    hushwalk("ledger", "init", "--graph", "k.hwg", "--per-period", 1, "-o", "M", "--force", cwd=folder)
    for command in (["lineage", "M", "--graph", "new.hwg"], ["cost", "k.hwg", "--ledger", "M", "--seed", 1, "--epsilon", 1]):
        words = hushwalk("ledger", *command, cwd=folder).stdout
        assert "no limit in all" in words and "inf" not in words, words


@pytest.mark.parametrize("verb", [["show"], ["export"], ["backup", "-o", "copy"]])
def test_the_key_of_a_ledger_of_version_1_is_made_where_it_is_wanted(hushwalk, tmp_path, verb):
    shutil.copy(GOLDEN / "v1.ledger", tmp_path / "L")
    hushwalk("ledger", verb[0], "L", *verb[1:], cwd=tmp_path, env=os.environ | {"HUSHWALK_KEY": str(tmp_path / "elsewhere")})
    assert (tmp_path / "elsewhere").exists() and not (tmp_path / "L.key").exists()
