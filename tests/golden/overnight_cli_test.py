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
    run = subprocess.Popen([hushwalk.program, *map(str, asked), "stopped"], cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    log = folder / "stopped" / ".hushwalk-unfinished"
    while run.poll() is None and not (log.exists() and log.read_bytes().count(b"\n") > 20):
        pass
    run.kill()
    run.wait()
    assert log.exists()
    with log.open("a") as file:
        file.write("12.js")  # a line that was cut
    assert "--resume" in hushwalk(*asked, "stopped", code=1, cwd=folder).stderr
    assert "going on after" in hushwalk(*asked, "stopped", "--resume", cwd=folder).stderr
    names = {path.name for path in (folder / "whole").iterdir()}
    assert names == {path.name for path in (folder / "stopped").iterdir()} and len(names) == NODES
    assert all((folder / "whole" / name).read_bytes() == (folder / "stopped" / name).read_bytes() for name in names)


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
    def peak(*seeds):
        script = "import resource, subprocess, sys; subprocess.run(sys.argv[1:], check=True); print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)"
        asked = [hushwalk.program, "rank", "g.hwg", "--shared", "shared", *seeds, "--top", str(TOP), "--format", "csv", "-o", "peak.csv"]
        return int(subprocess.run(["/usr/bin/python3", "-c", script, *asked], cwd=folder, check=True, capture_output=True, text=True).stdout)

    assert peak("--all") < peak("--seed", "1") + 12_000
