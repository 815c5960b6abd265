"""A privacy officer is sent an answer and asks: what does it promise, to whom, does it hold, and what else was given out?"""
import json

import pytest


@pytest.fixture(scope="module")
def folder(hushwalk, tmp_path_factory):
    folder = tmp_path_factory.mktemp("journey")
    run = lambda *arguments: hushwalk(*arguments, cwd=folder)
    run("generate", "karate", "-o", "g.hwg")
    run("ledger", "init", "--graph", "g.hwg", "--epsilon", 2, "-o", "L")
    run("keys", "new", "-o", "signing.key", "--issuer", "Friends, Inc.")
    run("keys", "public", "signing.key", "-o", "issuer.pem")
    run("rank", "g.hwg", "--ledger", "L", "--seed", 1, "--epsilon", 0.5, "--signing-key", "signing.key", "--json", "-o", "answer.json")
    return folder


def test_what_people_see_is_three_lines(hushwalk, folder):
    done = hushwalk("rank", "g.hwg", "--ledger", "L", "--seed", 1, "--epsilon", 0.5, cwd=folder)
    lines = done.stdout.split("\n\n")[-1].splitlines()
    assert lines[0] == "Protected:  every single edge that does not touch the seed."
    assert lines[1] == "Privacy:    epsilon = 0.5 (pure): an answer changes the odds of one such edge by a factor of at most 1.649."
    assert lines[2].startswith("For whom:   the owner of the seed only") and "--certificate" in lines[3]
    whole = hushwalk("rank", "g.hwg", "--ledger", "L", "--seed", 1, "--epsilon", 0.5, "--certificate", cwd=folder).stdout
    assert "Assumed:" in whole and "Counted:" in whole
    assert "nothing charged" in done.stderr and hushwalk.json("ledger", "show", "L", cwd=folder)["spent"] == 0.5


def test_whether_it_holds(hushwalk, folder):
    done = hushwalk("verify-certificate", "answer.json", "--public-key", "issuer.pem", cwd=folder)
    assert "Friends, Inc." in done.stdout and "not checked" not in done.stdout and "never checked" in done.stdout
    forged = json.loads((folder / "answer.json").read_text())
    forged["certificate"]["epsilon"] = 0.1
    (folder / "forged.json").write_text(json.dumps(forged))
    assert "altered" in hushwalk("verify-certificate", "forged.json", code=1, cwd=folder).stderr


def test_the_wrong_file_is_named(hushwalk, folder):
    assert "it is a graph file" in hushwalk("verify-certificate", "g.hwg", code=1, cwd=folder).stderr
    assert "it is a ledger" in hushwalk("verify-certificate", "L", code=1, cwd=folder).stderr
    assert "a ledger" in hushwalk("info", "L", code=None, cwd=folder).stderr


def test_a_page_to_sign(hushwalk, folder):
    hushwalk("certificate", "answer.json", "--for", "legal", "-o", "page.html", cwd=folder)
    page = (folder / "page.html").read_text()
    assert "What is protected, and what is not" in page and "NIST SP 800-226" in page and "62.3 %" in page


def test_weak_wishes_are_called_weak(hushwalk, folder):
    assert "next to nothing" in hushwalk("plan", "g.hwg", "--epsilon", 15, cwd=folder).stderr
    assert "no effect" in hushwalk("plan", "g.hwg", "--epsilon", 1, "--delta", 1e-6, cwd=folder).stderr
    many = " ".join(hushwalk("plan", "g.hwg", "--epsilon", 0.5, "--all", cwd=folder).stdout.split())
    assert "Otherwise:" in many and "17 in all" in many and "not linked to the seed yet" in many


def test_what_else_was_given_out(hushwalk, folder):
    shown = hushwalk("ledger", "show", "L", cwd=folder).stdout
    assert "epsilon = 2" in shown and "[" in shown and "%" in shown
    assert hushwalk("ledger", "verify", "L", cwd=folder).stdout.startswith("intact")
    (charge,) = [entry for entry in hushwalk.json("ledger", "export", "L", cwd=folder)["entries"] if entry["kind"] == "charge"]
    assert charge["epsilon"] == 0.5
