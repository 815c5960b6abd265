"""Everybody's answers, overnight: runs that are stopped anywhere go on with --resume, draw nothing twice, and end in the same bytes."""
import json
import resource
import signal
import subprocess

import pytest

NODES, TOP = 1500, 80


@pytest.fixture(scope="module")
def folder(hushwalk, tmp_path_factory):
    folder = tmp_path_factory.mktemp("overnight")
    hushwalk("generate", "ba", "--nodes", NODES, "--edges", 6000, "-o", "g.hwg", cwd=folder)
    for mechanism in ("shared", "circles"):
        hushwalk("share", "g.hwg", "--epsilon", 1, "--mechanism", mechanism, "-o", mechanism, cwd=folder)
    return folder


def everybody(*more):
    return ["rank", "g.hwg", "--all", "--top", TOP, *more]


def stopped_at(hushwalk, size, arguments, folder):
    """Runs it until a file would be larger than that, which kills it."""
    done = subprocess.run([hushwalk.program, *map(str, arguments)], capture_output=True, cwd=folder, stdin=subprocess.DEVNULL,
                          preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (size, size)))
    assert done.returncode == -signal.SIGXFSZ, done


def stopped_in_a_folder(hushwalk, arguments, folder, name):
    """Runs it until some files are there, and kills it; returns the list that it left."""
    run = subprocess.Popen([hushwalk.program, *map(str, arguments)], cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    log = folder / name / ".hushwalk-unfinished"
    while run.poll() is None and not (log.exists() and log.read_bytes().count(b"\n") > 20):
        pass
    run.kill()
    run.wait()
    assert log.exists()
    return log


@pytest.mark.parametrize("style", ("jsonl", "csv"))
@pytest.mark.parametrize("artefact", ("shared", "circles"))
def test_a_run_from_an_artefact_that_was_killed_ends_in_the_same_bytes(hushwalk, folder, artefact, style):
    asked = everybody("--shared", artefact, "--format", style, "-o")
    hushwalk(*asked, f"whole.{style}", cwd=folder)
    stopped = folder / f"{artefact}.{style}"
    unfinished = folder / f"{artefact}.{style}.unfinished"
    stopped_at(hushwalk, 2_500_000, [*asked, stopped.name], folder)
    assert not stopped.exists() and unfinished.stat().st_size > 1_000_000
    assert "--resume" in hushwalk(*asked, stopped.name, code=1, cwd=folder).stderr  # hours of work are not thrown away
    done = hushwalk(*asked, stopped.name, "--resume", cwd=folder)
    assert "going on after" in done.stderr
    assert stopped.read_bytes() == (folder / f"whole.{style}").read_bytes()
    assert not list(folder.glob("*.unfinished*"))
    if style == "jsonl":
        hushwalk("verify-certificate", stopped.name, cwd=folder)


@pytest.mark.parametrize("style", ("jsonl", "csv"))
def test_a_run_under_a_ledger_that_was_killed_charges_once_and_can_be_verified(hushwalk, folder, style):
    ledger = f"L{style}"
    hushwalk("ledger", "init", "--graph", "g.hwg", "--epsilon", 0.1 * NODES, "--force", "-o", ledger, cwd=folder)
    asked = everybody("--epsilon", 0.1, "--mechanism", "twohop", "--ledger", ledger, "--format", style, "-o", f"by-{style}")
    stopped_at(hushwalk, 7_000_000, asked, folder)
    spent = hushwalk.json("ledger", "show", ledger, cwd=folder)["spent"]
    assert "going on after" in hushwalk(*asked, "--resume", cwd=folder).stderr
    assert hushwalk.json("ledger", "show", ledger, cwd=folder)["spent"] == spent
    first = (folder / f"by-{style}").read_bytes()
    hushwalk(*asked, cwd=folder)  # at one go
    assert (folder / f"by-{style}").read_bytes() == first
    hushwalk("verify-certificate", f"by-{style}", cwd=folder)


@pytest.mark.parametrize("torn", (b'{"seed": 1', b"\0" * 5000, b'{"seed":999999,"top":[]}\n'))
def test_what_a_power_cut_leaves_is_cut_off(hushwalk, folder, torn):
    asked = everybody("--shared", "shared", "--format", "jsonl", "-o")
    hushwalk(*asked, "whole.jsonl", cwd=folder)
    stopped_at(hushwalk, 2_500_000, [*asked, "torn.jsonl"], folder)
    with (folder / "torn.jsonl.unfinished").open("r+b") as file:
        file.seek(1_234_567)  # the middle of some line
        file.truncate()
        file.seek(0, 2)
        file.write(torn)
    hushwalk(*asked, "torn.jsonl", "--resume", cwd=folder)
    assert (folder / "torn.jsonl").read_bytes() == (folder / "whole.jsonl").read_bytes()


def test_a_folder_of_answers_goes_on_after_those_that_are_there(hushwalk, folder):
    asked = everybody("--shared", "shared", "--output-dir")
    hushwalk(*asked, "whole", cwd=folder)
    log = stopped_in_a_folder(hushwalk, [*asked, "stopped"], folder, "stopped")
    with log.open("a") as file:
        file.write("12.js")  # a line that was cut
    assert "--resume" in hushwalk(*asked, "stopped", code=1, cwd=folder).stderr
    assert "going on after" in hushwalk(*asked, "stopped", "--resume", cwd=folder).stderr
    names = {path.name for path in (folder / "whole").iterdir()}
    assert names == {path.name for path in (folder / "stopped").iterdir()} and len(names) == NODES
    assert all((folder / "whole" / name).read_bytes() == (folder / "stopped" / name).read_bytes() for name in names)


def signed_run(hushwalk, folder, name, style, *source):
    """A signed run that was stopped: its command, and what it left."""
    if not (folder / "signing.key").exists():
        hushwalk("keys", "new", "--issuer", "Registry", "-o", "signing.key", cwd=folder)
    asked = everybody(*source, "--signing-key", "signing.key", "--format", style, "-o", f"{name}.{style}")
    stopped_at(hushwalk, 7_000_000 if "--ledger" in source else 2_500_000, asked, folder)
    return asked, folder / f"{name}.{style}.unfinished"


@pytest.fixture(scope="module")
def ledger(hushwalk, folder):
    hushwalk("ledger", "init", "--graph", "g.hwg", "--epsilon", 0.1 * NODES, "--force", "-o", "forged", cwd=folder)
    return "forged"


@pytest.mark.parametrize("style", ("jsonl", "csv"))
@pytest.mark.parametrize("source", ("ledger", "artefact"))
def test_what_somebody_else_put_into_an_unfinished_file_is_never_signed(hushwalk, folder, ledger, source, style):
    """Once another node and score in the first line were signed, and verified."""
    wanted = ["--ledger", ledger, "--epsilon", 0.1, "--mechanism", "twohop"] if source == "ledger" else ["--shared", "shared"]
    asked, unfinished = signed_run(hushwalk, folder, f"forged-{source}", style, *wanted)
    lines = unfinished.read_bytes().split(b"\n")
    if style == "jsonl":
        first = json.loads(lines[0])
        first["top"][0].update(node=NODES, score=0.75)
        lines[0] = json.dumps(first, separators=(",", ":")).encode()
    else:
        seed, rank, _, _, *rest = lines[1].decode().split(",")
        lines[1] = ",".join([seed, rank, str(NODES), "0.75", *rest]).encode()
    forged = b"\n".join(lines)
    unfinished.write_bytes(forged)
    done = hushwalk(*asked, "--resume", cwd=folder)
    assert "not what was written there" in done.stderr and "going on after" not in done.stderr
    name = f"forged-{source}.{style}"
    assert lines[0 if style == "jsonl" else 1] not in (folder / name).read_bytes()
    hushwalk("verify-certificate", name, cwd=folder)


def test_a_salt_that_was_exchanged_is_noticed(hushwalk, folder, ledger):
    asked, unfinished = signed_run(hushwalk, folder, "salted", "csv", "--ledger", ledger, "--epsilon", 0.1, "--mechanism", "twohop")
    note = unfinished.with_name(unfinished.name + ".json")
    head, *rest = note.read_text().split("\n")
    said = json.loads(head)
    said["salt"] = "00" * 16
    note.write_text("\n".join([json.dumps(said), *rest]))
    assert "not what was written there" in hushwalk(*asked, "--resume", cwd=folder).stderr
    assert "00" * 16 not in (folder / "salted.csv.salt").read_text()
    hushwalk("verify-certificate", "salted.csv", cwd=folder)


def test_what_a_new_epoch_forgot_is_not_shown_by_going_on(hushwalk, folder):
    """Once the answers of before the epoch stood in the finished file."""
    hushwalk("ledger", "init", "--graph", "g.hwg", "--epsilon", 0.2 * NODES, "--force", "-o", "epochs", cwd=folder)
    for output in (["--format", "jsonl", "-o", "epochs.jsonl"], ["--output-dir", "epochs-folder"]):
        asked = everybody("--ledger", "epochs", "--epsilon", 0.1, "--mechanism", "twohop", *output)
        if output[0] == "--format":
            stopped_at(hushwalk, 7_000_000, asked, folder)
        else:
            stopped_in_a_folder(hushwalk, asked, folder, "epochs-folder")
        hushwalk("ledger", "forget", "epochs", "--new-epoch", cwd=folder)
        assert "another request" in hushwalk(*asked, "--resume", code=1, cwd=folder).stderr


def test_a_folder_whose_files_are_gone_is_filled_again(hushwalk, folder):
    asked = everybody("--shared", "shared", "--output-dir")
    hushwalk(*asked, "all-there", cwd=folder)
    stopped_in_a_folder(hushwalk, [*asked, "gone"], folder, "gone")
    log = (folder / "gone" / ".hushwalk-unfinished").read_text().splitlines()
    (folder / "gone" / log[5]).unlink()
    (folder / "gone" / log[9]).unlink()
    (folder / "gone" / log[9]).symlink_to("../victim-of-the-folder")
    hushwalk(*asked, "gone", "--resume", code=1, cwd=folder)  # a link is never written through
    (folder / "gone" / log[9]).unlink()
    assert "going on after 4 of" in hushwalk(*asked, "gone", "--resume", cwd=folder).stderr
    for path in (folder / "all-there").iterdir():
        assert path.read_bytes() == (folder / "gone" / path.name).read_bytes()


def test_another_request_is_not_mixed_into_an_unfinished_one(hushwalk, folder):
    asked = everybody("--shared", "shared", "--format", "jsonl", "-o", "mixed")
    stopped_at(hushwalk, 2_500_000, asked, folder)
    before = (folder / "mixed.unfinished").read_bytes()
    for other in (["--beta", 0.5], ["--exclude-neighbors"], ["--scope", "edge"]):
        assert "another request" in hushwalk(*asked, *other, "--resume", code=1, cwd=folder).stderr
    assert "another request" in hushwalk(*[part if part != "shared" else "circles" for part in asked], "--resume", code=1, cwd=folder).stderr
    assert (folder / "mixed.unfinished").read_bytes() == before
    hushwalk(*asked, "--resume", cwd=folder)


def test_without_ledger_and_artefact_nothing_is_taken_up_again(hushwalk, folder):
    for asked in (["--epsilon", 0.1], ["--exact"]):
        done = hushwalk("rank", "g.hwg", "--seed", 1, "--seed", 2, *asked, "--format", "jsonl", "-o", "new", "--resume", code=3, cwd=folder)
        assert "--ledger or --shared" in done.stderr
    assert not (folder / "new").exists()
    for wrong in (["--format", "json", "-o", "new"], ["--format", "jsonl"], ["--format", "jsonl", "-o", "-"]):
        assert "--resume goes with" in hushwalk("rank", "g.hwg", "--all", "--shared", "shared", "--resume", *wrong, code=2, cwd=folder).stderr


def test_nobody_follows_a_link_in_the_place_of_an_unfinished_file(hushwalk, folder):
    (folder / "victim").write_text("mine\n")
    (folder / "linked.unfinished").symlink_to("victim")
    asked = everybody("--shared", "shared", "--format", "jsonl", "-o", "linked")
    for more in ([], ["--resume"]):
        hushwalk(*asked, *more, code=1, cwd=folder)
    assert (folder / "victim").read_text() == "mine\n"


def test_memory_does_not_grow_with_the_number_of_answers(hushwalk, folder):
    """All scores of all answers would be 18 MB more, and all text 8 MB."""
    if "san" in hushwalk.program:
        pytest.skip("sanitizers take memory of their own")

    def peak(*seeds):
        script = "import resource, subprocess, sys; subprocess.run(sys.argv[1:], check=True); print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)"
        asked = [hushwalk.program, "rank", "g.hwg", "--shared", "shared", *seeds, "--top", str(TOP), "--format", "csv", "-o", "peak.csv"]
        return int(subprocess.run(["/usr/bin/python3", "-c", script, *asked], cwd=folder, check=True, capture_output=True, text=True).stdout)

    assert peak("--all") < peak("--seed", "1") + 12_000
