"""One test for each hole that an attack on the ledger by keys and on signed answers has found."""
import json
import shutil
import subprocess

import pytest

from conftest import SOURCE

GOLDEN = SOURCE / "tests" / "golden" / "ledger"


@pytest.fixture
def folder(hushwalk, tmp_path):
    hushwalk("generate", "karate", "-o", "k.hwg", cwd=tmp_path)
    return tmp_path


def ledger(hushwalk, folder, *more):
    hushwalk("ledger", "init", "--graph", "k.hwg", "--epsilon", 1, "-o", "L", *more, cwd=folder)


def rank(hushwalk, folder, seed, *more, epsilon="0.5", code=0):
    return hushwalk("rank", "k.hwg", "--seed", seed, "--epsilon", epsilon, "--ledger", "L", *more, code=code, cwd=folder)


@pytest.fixture
def signed(hushwalk, folder):
    hushwalk("keys", "new", "-o", "K", cwd=folder)
    (folder / "P").write_text(hushwalk("keys", "public", "K", cwd=folder).stdout)
    return folder


def holds(hushwalk, folder, file, *more):
    return hushwalk("verify-certificate", file, *more, "--json", code=None, cwd=folder).returncode == 0


def test_an_old_ledger_that_is_put_back_after_its_upgrade_gets_no_fresh_noise(hushwalk, tmp_path):
    shutil.copy(GOLDEN / "k.hwg", tmp_path)
    shutil.copy(GOLDEN / "v1.ledger", tmp_path / "L")
    first = rank(hushwalk, tmp_path, 6, epsilon="0.125")
    for left in tmp_path.glob("L-*"):
        left.unlink()
    shutil.copy(GOLDEN / "v1.ledger", tmp_path / "L")
    again = rank(hushwalk, tmp_path, 6, epsilon="0.125", code=None)
    assert again.returncode != 0 or again.stdout == first.stdout


def test_a_head_that_was_not_written_is_written_before_anything_is_shown(hushwalk, folder):
    ledger(hushwalk, folder)
    for name in ("L", "L.key.head"):
        shutil.copy(folder / name, folder / f"{name}.old")
    rank(hushwalk, folder, 1)
    shutil.copy(folder / "L.key.head.old", folder / "L.key.head")  # as if the process had died before it
    rank(hushwalk, folder, 1)  # a repeat
    for left in folder.glob("L-*"):
        left.unlink()
    shutil.copy(folder / "L.old", folder / "L")
    assert "older than it was" in rank(hushwalk, folder, 2, code=3).stderr


def test_a_cut_head_is_damaged(hushwalk, folder):
    ledger(hushwalk, folder)
    rank(hushwalk, folder, 1)
    head = (folder / "L.key.head").read_bytes()
    (folder / "L.key.head").write_bytes(head[:600])
    assert "damaged" in rank(hushwalk, folder, 1, code=1).stderr


def test_an_older_ledger_is_accepted_only_after_it_was_verified(hushwalk, folder):
    ledger(hushwalk, folder)
    shutil.copy(folder / "L", folder / "L.old")
    rank(hushwalk, folder, 1)
    noted = json.loads(hushwalk("ledger", "show", "L", "--json", cwd=folder).stdout)["head"]
    for left in folder.glob("L-*"):
        left.unlink()
    shutil.copy(folder / "L.old", folder / "L")
    before = (folder / "L.key.head").read_bytes()
    hushwalk("ledger", "verify", "L", "--accept-head", "--head", noted, code=1, cwd=folder)
    assert (folder / "L.key.head").read_bytes() == before
    assert "older than it was" in rank(hushwalk, folder, 1, code=3).stderr


def test_a_head_is_accepted_for_its_own_key_only(hushwalk, folder):
    ledger(hushwalk, folder)
    hushwalk("ledger", "init", "--graph", "k.hwg", "--epsilon", 1, "-o", "M", "--force", cwd=folder)
    before = (folder / "L.key.head").read_bytes()
    hushwalk("ledger", "verify", "M", "--key", "L.key", "--accept-head", code=None, cwd=folder)
    assert (folder / "L.key.head").read_bytes() == before


def test_scores_pasted_into_a_signed_answer_from_an_artefact_are_noticed(hushwalk, signed):
    hushwalk("share", "k.hwg", "--epsilon", 1, "-o", "S", cwd=signed)
    hushwalk("rank", "k.hwg", "--shared", "S", "--seed", 1, "--signing-key", "K", "--json", "-o", "a.json", cwd=signed)
    assert holds(hushwalk, signed, "a.json", "--public-key", "P")
    answer = json.loads((signed / "a.json").read_text())
    answer["rankings"][0]["top"][0]["score"] = 0.5
    (signed / "b.json").write_text(json.dumps(answer))
    assert not holds(hushwalk, signed, "b.json", "--public-key", "P")


def test_rankings_that_are_no_list_are_noticed(hushwalk, signed):
    hushwalk("rank", "k.hwg", "--epsilon", 1, "--seed", 1, "--signing-key", "K", "--json", "-o", "a.json", cwd=signed)
    answer = json.loads((signed / "a.json").read_text())
    answer["rankings"] = {"a note that nobody signed": answer["rankings"][0]}
    (signed / "b.json").write_text(json.dumps(answer))
    assert not holds(hushwalk, signed, "b.json", "--public-key", "P")


def test_an_altered_csv_without_its_salt_does_not_verify(hushwalk, signed):
    hushwalk("rank", "k.hwg", "--epsilon", 1, "--seed", 1, "--signing-key", "K", "--format", "csv", "-o", "a.csv", cwd=signed)
    assert holds(hushwalk, signed, "a.csv", "--public-key", "P")
    (signed / "a.csv.salt").unlink()
    assert not holds(hushwalk, signed, "a.csv", "--public-key", "P")


def test_an_artefact_is_not_taken_as_signed(hushwalk, signed):
    hushwalk("share", "k.hwg", "--epsilon", 1, "-o", "S", cwd=signed)
    assert holds(hushwalk, signed, "S") and not holds(hushwalk, signed, "S", "--public-key", "P")


def test_months_are_promised_as_they_can_be_kept(hushwalk, folder):
    hushwalk("ledger", "init", "--graph", "k.hwg", "--per-period", "0.5", "--period", "month", "-o", "L", cwd=folder)
    words = json.loads(rank(hushwalk, folder, 1, "--json").stdout)["certificate"]["words"]["counted"]
    assert "k times 28 days" in words and "may raise them" in words


def test_a_snapshot_knows_its_ledger(hushwalk, folder):
    ledger(hushwalk, folder)
    hushwalk("generate", "karate", "-o", "n.hwg", cwd=folder)
    hushwalk("ledger", "lineage", "L", "--graph", "n.hwg", cwd=folder)
    hushwalk("ledger", "init", "--graph", "n.hwg", "--epsilon", 1, "-o", "M", code=3, cwd=folder)


def test_a_graph_is_not_declared_to_a_second_ledger_unawares(hushwalk, folder):
    ledger(hushwalk, folder)
    hushwalk("generate", "karate", "-o", "n.hwg", cwd=folder)
    hushwalk("ledger", "init", "--graph", "n.hwg", "--epsilon", 1, "-o", "M", cwd=folder)
    first = hushwalk.json("ledger", "show", "L", cwd=folder)["ledger_id"]
    lineage = ("ledger", "lineage", "M", "--graph", "k.hwg")
    assert first in hushwalk(*lineage, code=3, cwd=folder).stderr
    rank_by_second = ("rank", "k.hwg", "--seed", 1, "--epsilon", "0.5", "--ledger", "M")
    hushwalk(*rank_by_second, code=3, cwd=folder)
    assert first in hushwalk(*lineage, "--force", cwd=folder).stderr
    hushwalk(*rank_by_second, cwd=folder)


def test_a_graph_that_is_imported_again_does_not_forget_its_ledger(hushwalk, folder):
    ledger(hushwalk, folder)
    first = hushwalk.json("ledger", "show", "L", cwd=folder)["ledger_id"]
    (folder / "e.txt").write_text("1 2\n2 3\n")
    for remove in (False, True):  # the file alone is not what remembers
        if remove:
            (folder / "k.hwg").unlink()
        said = hushwalk("import", "e.txt", "-o", "k.hwg", cwd=folder).stderr
        assert first in said and "declare this one in its lineage" in said
        hushwalk("ledger", "init", "--graph", "k.hwg", "--epsilon", 1, "-o", "M", code=3, cwd=folder)
        hushwalk("ledger", "lineage", "L", "--graph", "k.hwg", cwd=folder)


def test_a_graph_file_that_is_converted_does_not_forget_its_ledger(hushwalk, folder):
    shutil.copy(GOLDEN.parent / "karate-version-1.hwg", folder / "k.hwg")
    (folder / "k.hwg.meta").write_text("{}")
    assert "k.hwg.meta' is not what its name says" in hushwalk("import", "k.hwg", "-o", "new.hwg", code=1, cwd=folder).stderr
    (folder / "k.hwg.meta").unlink()
    ledger(hushwalk, folder)
    first = hushwalk.json("ledger", "show", "L", cwd=folder)["ledger_id"]
    hushwalk("import", "k.hwg", "-o", "new.hwg", cwd=folder)
    notes, old = (json.loads((folder / f"{name}.hwg.meta").read_text()) for name in ("new", "k"))
    assert notes["ledger"] == first and notes["ledger_path"] == old["ledger_path"]
    assert first in hushwalk("ledger", "init", "--graph", "new.hwg", "--epsilon", 1, "-o", "M", code=3, cwd=folder).stderr


def test_of_many_who_make_a_ledger_at_once_one_does(hushwalk, folder):
    for turn in range(3):
        hushwalk("generate", "karate", "-o", f"{turn}.hwg", cwd=folder)
        made = [subprocess.Popen([hushwalk.program, "ledger", "init", "--graph", f"{turn}.hwg", "--epsilon", "1", "-o", f"L{turn}-of-{name}"],
                                 cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) for name in "abcdef"]
        assert sorted(one.wait() for one in made) == [0, 3, 3, 3, 3, 3]


def test_an_artefact_is_charged_once_with_and_without_a_delta(hushwalk, folder):
    ledger(hushwalk, folder)
    rank(hushwalk, folder, 1, "--mechanism", "circles")
    rank(hushwalk, folder, 2, "--mechanism", "circles", "--delta", "1e-6")
    assert hushwalk.json("ledger", "show", "L", cwd=folder)["spent"] == 0.5


def test_a_key_is_never_read_as_a_graph(hushwalk, signed):
    ledger(hushwalk, signed)
    for key in ("K", "L.key"):
        done = hushwalk("import", key, "-o", "x.hwg", code=2, cwd=signed)
        secret = max((signed / key).read_text().split(), key=len)  # its digits
        assert "is a key, not a graph" in done.stderr and len(secret) > 40 and secret not in done.stderr


def test_csv_on_standard_output_leaves_no_file(hushwalk, folder):
    before = sorted(folder.iterdir())
    hushwalk("rank", "k.hwg", "--epsilon", 1, "--seed", 1, "--format", "csv", "-o", "-", cwd=folder)
    assert sorted(folder.iterdir()) == before


def test_a_period_without_a_budget_for_it_is_not_ignored(hushwalk, folder):
    hushwalk("ledger", "init", "--graph", "k.hwg", "--epsilon", 1, "--period", "5d", "-o", "L", code=2, cwd=folder)
    assert not (folder / "L").exists()


def test_a_key_elsewhere_is_named_in_the_advice(hushwalk, folder):
    done = hushwalk("ledger", "init", "--graph", "k.hwg", "--epsilon", 1, "--key", "keys", "-o", "L", cwd=folder)
    assert "--key keys" in done.stdout
    assert "is not there" in rank(hushwalk, folder, 1, code=1).stderr and "--accept-head" not in rank(hushwalk, folder, 1, code=1).stderr


def first_line_of(path):
    line, body = path.read_bytes().split(b"\n", 1)
    return json.loads(line), body


def test_the_salt_of_an_artefact_takes_over_none_of_its_numbers(hushwalk, signed):
    """Salt, line end and numbers are hashed together: a salt that holds a line end would fit other numbers."""
    hushwalk("share", "k.hwg", "--epsilon", 1, "--mechanism", "shared", "--signing-key", "K", "-o", "S", cwd=signed)
    assert holds(hushwalk, signed, "S", "--public-key", "P")
    header, body = first_line_of(signed / "S")
    for salt in (header["salt"] + "\n", header["salt"].upper() + "0", header["salt"][:-1]):
        (signed / "T").write_bytes(json.dumps({**header, "salt": salt}, separators=(",", ":")).encode() + b"\n" + body)
        said = hushwalk("verify-certificate", "T", code=1, cwd=signed)
        assert "32 hex digits" in said.stdout + said.stderr


def test_a_signed_artefact_has_no_second_id(hushwalk, signed):
    hushwalk("share", "k.hwg", "--epsilon", 1, "--mechanism", "shared", "--signing-key", "K", "-o", "S", cwd=signed)
    header, body = first_line_of(signed / "S")
    header.update({"format": 1, "artefact": "f" * 32})
    (signed / "T").write_bytes(json.dumps(header, separators=(",", ":")).encode() + b"\n" + body)
    assert not holds(hushwalk, signed, "T", "--public-key", "P")
    hushwalk("rank", "k.hwg", "--seed", 1, "--shared", "T", code=1, cwd=signed)


def test_the_page_for_people_is_of_the_certificate_that_was_checked(hushwalk, signed):
    hushwalk("rank", "k.hwg", "--epsilon", 1, "--seed", 1, "--signing-key", "K", "--format", "csv", "-o", "a.csv", cwd=signed)
    genuine = signed / "a.csv.certificate.json"
    forged = genuine.read_text().replace('"mechanism": "twohop"', '"mechanism": "forged"')
    assert "forged" in forged
    (signed / "a.csv.certificate.json.certificate.json").write_text(forged)
    hushwalk("certificate", genuine, "--for", "legal", "--public-key", "P", "-o", "p.html", cwd=signed)
    assert "forged" not in (signed / "p.html").read_text()


def test_a_key_that_wants_a_pass_phrase_asks_nobody(hushwalk, signed):
    hushwalk("rank", "k.hwg", "--epsilon", 1, "--seed", 1, "--signing-key", "K", "--json", "-o", "a.json", cwd=signed)
    (signed / "E").write_text("-----BEGIN PUBLIC KEY-----\nProc-Type: 4,ENCRYPTED\nDEK-Info: AES-256-CBC,"
                              + "0" * 32 + "\n\nMCowBQYDK2VwAyEAGb9ECWmEzf6FQbrBZ9w7lshQhqowtrbLDFw4rXAxZuE=\n-----END PUBLIC KEY-----\n")
    said = hushwalk("verify-certificate", "a.json", "--public-key", "E", code=1, cwd=signed)
    assert "pass phrase" not in said.stderr + said.stdout


def test_answers_in_a_folder_follow_no_link(hushwalk, folder):
    (folder / "D").mkdir()
    (folder / "elsewhere").write_text("mine")
    (folder / "D" / "1.json").symlink_to("../elsewhere")
    assert "is a link" in hushwalk("rank", "k.hwg", "--seed", 1, "--epsilon", 1, "--output-dir", "D", code=1, cwd=folder).stderr
    assert (folder / "elsewhere").read_text() == "mine"


def test_answers_in_a_folder_replace_nothing_that_they_are_made_of(hushwalk, folder):
    (folder / "D").mkdir()
    inputs = {"--candidates": "1\n2\n3\n", "--seeds-file": "1\n2\n"}
    for flag, text in inputs.items():
        (folder / "D" / "1.json").write_text(text)
        more = [] if flag == "--seeds-file" else ["--seed", 1]
        done = hushwalk("rank", "k.hwg", *more, "--epsilon", 1, flag, "D/1.json", "--output-dir", "D", code=2, cwd=folder)
        assert "would replace the input" in done.stderr
        assert (folder / "D" / "1.json").read_text() == text


def test_csv_on_standard_output_says_that_it_is_not_signed(hushwalk, signed):
    ask = ["rank", "k.hwg", "--seed", 1, "--epsilon", 1, "--signing-key", "K", "--format", "csv"]
    for more in ([], ["-o", "-"]):
        done = hushwalk(*ask, *more, cwd=signed)
        assert "not signed" in done.stderr and "signed by" not in done.stdout
    assert "not signed" not in hushwalk(*ask, "-o", "a.csv", cwd=signed).stderr
    assert holds(hushwalk, signed, "a.csv", "--public-key", "P")
