"""A ledger among real processes that race, are killed, and meet disks and files that are not what they should be."""
import concurrent.futures
import hashlib
import json
import os
import pathlib
import random
import resource
import shutil
import sqlite3
import subprocess
import tempfile
import time

import pytest


@pytest.fixture(autouse=True)
def no_default_ledger(monkeypatch):
    for name in ("HUSHWALK_LEDGER", "HUSHWALK_KEY", "HUSHWALK_SIGNING_KEY"):
        monkeypatch.delenv(name, raising=False)


@pytest.fixture(scope="module")
def graph(hushwalk, tmp_path_factory):
    path = tmp_path_factory.mktemp("graph") / "g.hwg"
    hushwalk("generate", "chung-lu", "--nodes", 20_000, "--edges", 100_000, "--random-seed", 1, "-o", path)
    return path


@pytest.fixture
def ledger(hushwalk, graph, tmp_path):
    path = tmp_path / "l"
    hushwalk("ledger", "init", "--graph", graph, "--epsilon", "1", "-o", path, "--force")
    return path


def ask(graph, ledger, seed, epsilon="0.1"):
    return ["rank", graph, "--ledger", ledger, "--seed", seed, "--epsilon", epsilon, "--mechanism", "twohop", "--json"]


def show(hushwalk, ledger):
    return hushwalk.json("ledger", "show", ledger)


def together(hushwalk, commands):
    """Runs all commands at once."""
    with concurrent.futures.ThreadPoolExecutor(len(commands)) as pool:
        return list(pool.map(lambda command: hushwalk(*command, code=None), commands))


def expect_intact(hushwalk, ledger):
    assert hushwalk.json("ledger", "verify", ledger)["valid"] is True


# --- races -----------------------------------------------------------------------------------------------------


def test_twenty_processes_race_for_the_last_of_a_budget(hushwalk, graph, ledger):
    hushwalk(*ask(graph, ledger, 100, "0.3"))
    done = together(hushwalk, [ask(graph, ledger, seed) for seed in range(1, 21)])
    assert sorted(process.returncode for process in done) == [0] * 7 + [3] * 13
    assert all((process.stdout == "") == (process.returncode == 3) for process in done)
    state = show(hushwalk, ledger)
    assert state["spent"] == 1 and state["releases"] == 8 and state["unfinished"] == 0
    expect_intact(hushwalk, ledger)


def test_twenty_processes_with_one_question_get_one_answer_and_one_charge(hushwalk, graph, ledger):
    done = together(hushwalk, [ask(graph, ledger, 1)] * 20)
    assert [process.returncode for process in done] == [0] * 20, [process.stderr for process in done]
    assert len({process.stdout for process in done}) == 1
    state = show(hushwalk, ledger)
    assert state["spent"] == 0.1 and state["releases"] == 1 and state["stored_answers"] == 1
    expect_intact(hushwalk, ledger)


def test_of_many_that_make_a_ledger_one_makes_it(hushwalk, graph, tmp_path):
    init = ["ledger", "init", "--graph", graph, "--epsilon", "1", "-o", tmp_path / "new", "--force"]
    done = together(hushwalk, [init] * 8)
    assert sorted(process.returncode for process in done) == [0] + [1] * 7
    assert sorted(path.name for path in tmp_path.iterdir()) == ["new", "new.key", "new.key.head"]
    hushwalk(*ask(graph, tmp_path / "new", 1))
    expect_intact(hushwalk, tmp_path / "new")


# --- kill -9 -----------------------------------------------------------------------------------------------------


def test_killed_at_any_time_nothing_is_under_counted_and_nothing_changes(hushwalk, graph, ledger):
    began = time.monotonic()
    hushwalk(*ask(graph, ledger, 1000, "0.001"))
    duration = time.monotonic() - began
    rng = random.Random(os.environ.get("HUSHWALK_SEED", 1))
    seen, killed = {}, 0
    for attempt in range(30):
        seed = 1 + attempt // 3  # a charge that was not finished is met again
        process = subprocess.Popen([hushwalk.program, *map(str, ask(graph, ledger, seed, "0.01"))],
                                   stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        if attempt % 6:  # the others are killed before they can be done, however fast the machine is
            time.sleep(rng.uniform(0, 1.2 * duration))
        process.kill()
        stdout = process.communicate()[0]
        killed += process.returncode != 0
        if stdout:
            seen.setdefault(seed, stdout)
        state = show(hushwalk, ledger)
        assert state["spent"] >= 0.001 + 0.01 * len(seen) - 1e-12
    assert killed > 3, "nothing was interrupted"
    expect_intact(hushwalk, ledger)
    for seed in range(1, 11):
        stdout = hushwalk(*ask(graph, ledger, seed, "0.01")).stdout.encode()
        assert stdout.startswith(seen.get(seed, b""))
    state = show(hushwalk, ledger)
    assert state["spent"] == pytest.approx(0.101, abs=1e-12) and state["unfinished"] == 0


def test_a_killed_backup_leaves_the_ledger_whole_and_no_half_copy(hushwalk, graph, ledger, tmp_path):
    hushwalk(*ask(graph, ledger, 1))
    rng = random.Random(2)
    for attempt in range(15):
        copy = tmp_path / f"copy{attempt}"
        process = subprocess.Popen([hushwalk.program, "ledger", "backup", ledger, "-o", copy],
                                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        time.sleep(rng.uniform(0, 0.05))
        process.kill()
        process.wait()
        if copy.exists():
            expect_intact(hushwalk, copy)
    expect_intact(hushwalk, ledger)


def test_twenty_processes_race_for_the_budget_of_a_period(hushwalk, graph, tmp_path):
    path = tmp_path / "p"
    hushwalk("ledger", "init", "--graph", graph, "--per-period", "0.5", "--period", "1d", "-o", path, "--force")
    done = together(hushwalk, [ask(graph, path, seed) for seed in range(1, 21)])
    assert sorted(process.returncode for process in done) == [0] * 5 + [3] * 15
    assert show(hushwalk, path)["period"]["spent"] == 0.5
    expect_intact(hushwalk, path)


# --- disks -----------------------------------------------------------------------------------------------------


def with_small_files(hushwalk, limit, command):
    """Runs it where no file may grow beyond so many bytes."""
    code = "import signal, sys, os; signal.signal(signal.SIGXFSZ, signal.SIG_IGN); os.execv(sys.argv[1], sys.argv[1:])"
    return subprocess.run(["/usr/bin/python3", "-c", code, hushwalk.program, *map(str, command)],
                          preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit)),
                          capture_output=True, text=True, timeout=1800)


def test_a_full_disk_is_an_error_and_asking_again_costs_nothing(hushwalk, graph, ledger):
    """No file may grow beyond so many bytes: enough for the charge, for the tag, or not even for the first page."""
    failed = 0
    for seed, limit in enumerate((300, 1_000, 5_000, 9_000, 17_000, 25_000, 33_000, 50_000), 1):
        done = with_small_files(hushwalk, limit, ask(graph, ledger, seed))
        assert done.returncode in (0, 1) and (done.stdout == "") == (done.returncode == 1), (limit, done)
        failed += done.returncode
        before = show(hushwalk, ledger)
        again = hushwalk(*ask(graph, ledger, seed)).stdout
        assert again.startswith(done.stdout)
        after = show(hushwalk, ledger)
        assert after["spent"] == pytest.approx(0.1 * seed) and after["unfinished"] == 0
        assert before["spent"] in (pytest.approx(0.1 * seed), pytest.approx(0.1 * (seed - 1)))
    assert failed >= 3
    expect_intact(hushwalk, ledger)


def test_a_ledger_that_could_not_be_made_is_made_when_there_is_room(hushwalk, graph, tmp_path):
    """The key, too, which has a name of its own: one that was never used stands in nobody's way."""
    path, key = tmp_path / "new", tmp_path / "elsewhere.key"
    command = ["ledger", "init", "--graph", graph, "--epsilon", 1, "-o", path, "--key", key, "--force"]
    for limit in (50, 150, 300, 1_000, 20_000):
        assert with_small_files(hushwalk, limit, command).returncode == 1 and not path.exists()
    hushwalk(*command)
    hushwalk("ledger", "verify", path, "--key", key)


@pytest.fixture
def read_only(ledger):
    """The folder of the ledger, mounted so that nobody can write: permissions do not bind root."""
    folder = ledger.parent
    mount = ["mount", "--bind", "-o", "ro", folder, folder]
    if subprocess.run(mount, capture_output=True).returncode != 0:
        pytest.skip("mounting is not allowed here")
    yield ledger
    subprocess.run(["umount", folder], check=True)


def test_a_read_only_folder_is_an_error_and_nothing_is_released(hushwalk, graph, read_only):
    done = hushwalk(*ask(graph, read_only, 1), code=1)
    assert done.stdout == "" and "writable" in done.stderr
    hushwalk("ledger", "init", "--graph", graph, "--epsilon", 1, "-o", read_only.parent / "x", "--force", code=1)


# --- files that are not what they should be ------------------------------------------------------------------------


def expect_failed(hushwalk, graph, ledger, words, code=1):
    done = hushwalk(*ask(graph, ledger, 1), code=code)
    assert done.stdout == "" and words in done.stderr, done.stderr


def test_a_missing_or_foreign_file_a_link_or_a_folder_is_no_ledger(hushwalk, graph, ledger, tmp_path):
    (tmp_path / "text").write_text("1 2\n" * 1000)
    (tmp_path / "empty").write_text("")
    (tmp_path / "link").symlink_to(ledger)
    with sqlite3.connect(tmp_path / "other") as database:
        database.execute("CREATE TABLE t(a)")
    database.close()
    expect_failed(hushwalk, graph, tmp_path / "missing", "there is no ledger")
    expect_failed(hushwalk, graph, tmp_path / "text", "not a database")
    expect_failed(hushwalk, graph, tmp_path / "empty", "is not a ledger")
    expect_failed(hushwalk, graph, tmp_path / "other", "is not a ledger")
    expect_failed(hushwalk, graph, tmp_path / "link", "symbolic link")
    (tmp_path / "hard").hardlink_to(ledger)
    expect_failed(hushwalk, graph, tmp_path / "hard", "hard link")
    expect_failed(hushwalk, graph, ledger, "hard link")
    (tmp_path / "hard").unlink()
    expect_failed(hushwalk, graph, tmp_path, "not a regular file")
    expect_failed(hushwalk, graph, graph, "is a graph file, not a ledger")


MOUNTED_FILE = """
set -e
mount --bind "$1" "$2"
shift 2
"$@"
"""


@pytest.fixture
def mounted(ledger, tmp_path):
    """Runs a command where the ledger has a second name: a mount of the file itself, as containers make."""
    other = tmp_path / "other"
    other.mkdir()
    (other / "l").touch()

    def run(*command):
        shell = ["unshare", "-m", "bash", "-c", MOUNTED_FILE, "bash", ledger, other / "l"]
        return subprocess.run([*map(str, shell), *map(str, command)], capture_output=True, text=True, timeout=1800)

    if run("true").returncode != 0:
        pytest.skip("mounting is not allowed here")
    return run, other / "l"


def test_a_ledger_that_is_mounted_by_itself_is_refused(hushwalk, graph, ledger, mounted):
    run, other = mounted
    hushwalk(*ask(graph, ledger, 1, "0.6"))
    done = run(hushwalk.program, *ask(graph, other, 2, "0.6"))
    assert done.returncode == 1 and done.stdout == "" and "mount its whole folder instead" in done.stderr, done
    assert run(hushwalk.program, "ledger", "show", other).returncode == 1
    again = run(hushwalk.program, *ask(graph, ledger, 1, "0.6"))  # by the name that it always had
    assert again.returncode == 0 and "nothing charged" in again.stderr


def test_a_mounted_folder_is_the_same_ledger(hushwalk, graph, ledger, tmp_path):
    other = tmp_path.parent / (tmp_path.name + "-other")
    other.mkdir()
    shell = ["unshare", "-m", "bash", "-c", MOUNTED_FILE, "bash", tmp_path, other]
    run = lambda *command: subprocess.run([*map(str, shell), *map(str, command)], capture_output=True, text=True, timeout=1800)
    if run("true").returncode != 0:
        pytest.skip("mounting is not allowed here")
    assert run(hushwalk.program, *ask(graph, other / "l", 1, "0.6")).returncode == 0
    assert hushwalk(*ask(graph, ledger, 2, "0.6"), code=3).stdout == ""


def test_a_ledger_is_not_made_beside_what_is_left_of_another(hushwalk, graph, tmp_path):
    for end in ("-wal", "-shm", "-journal"):
        left = tmp_path / ("new" + end)
        left.touch()
        done = hushwalk("ledger", "init", "--graph", graph, "--epsilon", 1, "-o", tmp_path / "new", "--force", code=1)
        assert str(left) in done.stderr and not (tmp_path / "new").exists()
        left.unlink()


def test_a_killed_init_leaves_a_whole_ledger_or_nothing(hushwalk, graph, tmp_path):
    command = [hushwalk.program, "ledger", "init", "--force", "--graph", str(graph), "--epsilon", "1", "-o"]
    began = time.monotonic()
    subprocess.run([*command, str(tmp_path / "first")], check=True, capture_output=True)
    duration = time.monotonic() - began
    rng = random.Random(1)
    for attempt in range(40):
        folder = tmp_path / str(attempt)
        folder.mkdir()
        process = subprocess.Popen([*command, str(folder / "l")], stdout=subprocess.DEVNULL)
        time.sleep(rng.uniform(0, 1.1 * duration))
        process.kill()
        process.wait()
        left = {path.name for path in folder.iterdir()}
        assert left <= {"l", "l-wal", "l-shm", "l-journal", "l.key", "l.key.head"}, left
        if "l" not in left:  # a key that no ledger has is replaced
            subprocess.run([*command, str(folder / "l")], check=True, capture_output=True)
        expect_intact(hushwalk, folder / "l")
        hushwalk(*ask(graph, folder / "l", 1))


def test_an_init_that_cannot_print_says_that_the_ledger_is_there(hushwalk, graph, tmp_path):
    with open("/dev/full", "w") as full:
        done = subprocess.run([hushwalk.program, "ledger", "init", "--force", "--graph", graph, "--epsilon", "1", "-o", tmp_path / "l"],
                              stdout=full, stderr=subprocess.PIPE, text=True)
    assert done.returncode == 1 and "was made, and is whole" in done.stderr
    expect_intact(hushwalk, tmp_path / "l")


@pytest.fixture
def readable_only(hushwalk, graph):
    """A ledger that somebody else may read, and not write."""
    if os.geteuid() != 0:
        pytest.skip("only root can become somebody else")
    with tempfile.TemporaryDirectory() as folder:
        os.chmod(folder, 0o777)
        path = pathlib.Path(folder) / "l"
        hushwalk("ledger", "init", "--graph", graph, "--epsilon", "1", "-o", path, "--force")
        if hushwalk("--version", code=None, user=65534).returncode != 0:
            pytest.skip("nobody else may run the program here")
        yield path


def test_who_may_only_read_a_ledger_leaves_nothing_beside_it(hushwalk, readable_only):
    for mode in (0o444, 0o644):
        readable_only.chmod(mode)
        done = hushwalk("ledger", "show", readable_only, code=1, user=65534)
        assert "must be writable by you" in done.stderr
        assert sorted(path.name for path in readable_only.parent.iterdir()) == ["l", "l.key", "l.key.head"]


def test_what_may_not_be_read_is_not_called_damaged(hushwalk, readable_only):
    readable_only.chmod(0o600)
    done = hushwalk("ledger", "verify", readable_only, "--json", code=1, user=65534)
    assert "not intact" not in done.stderr and "must be writable by you" in done.stderr and done.stdout == ""
    done = hushwalk("ledger", "verify", readable_only.parent / "missing", code=1)
    assert "not intact" not in done.stderr and "there is no ledger" in done.stderr


def test_a_damaged_ledger_is_never_an_unexpected_error(hushwalk, graph, ledger):
    """Entries whose hashes fit and whose content makes no sense, as only somebody who rewrites the chain can make."""
    hushwalk(*ask(graph, ledger, 1))
    for body in ("{}", '{"source":1}', '{"source":"s","recipient":"r"}', '{"total":{"units":"x"}}', '{"total":1,"cost":[]}',
                 '{"source":"s","recipient":"r","cost":{"units":1,"rdp":0,"recipient_rdp":0},"release":[]}'):
        with sqlite3.connect(ledger) as database:
            sequence, at, previous = database.execute(
                "SELECT sequence + 1, at, hash FROM entry ORDER BY sequence DESC LIMIT 1").fetchone()
            digest = hashlib.sha256(f"{previous}\n{sequence}\n{at}\ncharge\n{body}".encode()).hexdigest()
            database.execute("INSERT INTO entry VALUES(?, ?, 'charge', ?, ?)", (sequence, at, body, digest))
            database.execute("UPDATE head SET hash = ?", (digest,))
        database.close()
        for command in (["ledger", "export", ledger], ["ledger", "export", ledger, "--format", "csv"],
                        ["ledger", "show", ledger], ["ledger", "verify", ledger], ask(graph, ledger, 2)):
            done = hushwalk(*command, code=None)
            assert "unexpected" not in done.stderr and done.returncode in (0, 1), (body, command, done)
        assert hushwalk("ledger", "verify", ledger, code=1).stdout == ""
        assert hushwalk(*ask(graph, ledger, 2), code=1).stdout == ""


def test_a_loop_of_links_is_an_ordinary_error(hushwalk, graph, tmp_path):
    (tmp_path / "a").symlink_to(tmp_path / "b")
    (tmp_path / "b").symlink_to(tmp_path / "a")
    for path in (tmp_path / "a", tmp_path / "a" / "l"):
        done = hushwalk("ledger", "show", path, code=1)
        assert "unexpected" not in done.stderr, done.stderr


def test_a_corrupt_ledger_releases_nothing_new_or_says_so(hushwalk, graph, ledger):
    answers = {seed: hushwalk(*ask(graph, ledger, seed, "0.01")).stdout for seed in (1, 2, 3)}
    whole, head = bytearray(ledger.read_bytes()), pathlib.Path(str(ledger) + ".key.head")
    noted, rng, found = head.read_bytes(), random.Random(1), 0
    for _ in range(24):
        damaged = bytearray(whole)
        at = rng.randrange(100, len(whole) - 600)
        damaged[at:at + 500] = rng.randbytes(500)
        ledger.write_bytes(damaged)
        head.write_bytes(noted)
        replays = {seed: hushwalk(*ask(graph, ledger, seed, "0.01"), code=None) for seed in answers}
        for seed, done in replays.items():
            assert done.stdout == (answers[seed] if done.returncode == 0 else "")
        if hushwalk("ledger", "verify", ledger, code=None).returncode == 1:
            found += 1
        else:  # only bytes that nothing uses were hit
            assert all(done.returncode == 0 for done in replays.values())
    assert found >= 4
    ledger.write_bytes(whole)
    head.write_bytes(noted)
    expect_intact(hushwalk, ledger)


def test_a_cut_off_ledger_is_not_trusted(hushwalk, graph, ledger):
    hushwalk(*ask(graph, ledger, 1))
    whole = ledger.read_bytes()
    for size in (0, 50, 4096, len(whole) // 2, len(whole) - 4096):
        ledger.write_bytes(whole[:size])
        hushwalk("ledger", "verify", ledger, code=1)


def test_a_ledger_of_another_graph_is_refused(hushwalk, ledger, tmp_path):
    other = tmp_path / "other.hwg"
    hushwalk("generate", "karate", "-o", other)
    expect_failed(hushwalk, other, ledger, "not of this graph", code=3)
    assert show(hushwalk, ledger)["spent"] == 0


def test_an_older_copy_put_back_is_noticed_by_the_noted_head(hushwalk, graph, ledger, tmp_path):
    shutil.copy(ledger, tmp_path / "copy")
    hushwalk(*ask(graph, ledger, 1))
    head = show(hushwalk, ledger)["head"]
    shutil.copy(tmp_path / "copy", ledger)
    assert "older copy" in hushwalk("ledger", "verify", ledger, "--head", head, code=1).stderr


def test_the_output_may_not_be_the_ledger(hushwalk, graph, ledger):
    before = ledger.read_bytes()
    hushwalk(*ask(graph, ledger, 1), "-o", ledger, code=2)
    hushwalk("share", graph, "--epsilon", 1, "--ledger", ledger, "-o", ledger, code=2)
    hushwalk("ledger", "init", "--graph", graph, "--epsilon", 1, "-o", graph, code=1)
    assert ledger.read_bytes() == before


def test_no_output_takes_the_place_of_a_file_of_the_ledger(hushwalk, graph, ledger):
    for end in ("", "-wal", "-shm", "-journal"):
        done = hushwalk(*ask(graph, ledger, 1), "-o", str(ledger) + end, code=2)
        assert "would replace" in done.stderr and done.stdout == ""
        hushwalk("ledger", "export", ledger, "-o", str(ledger) + end, code=2)
    assert hushwalk.json("ledger", "verify", ledger)["valid"] is True
