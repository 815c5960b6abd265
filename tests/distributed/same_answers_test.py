"""hushwalk-mpi gives the answers of one machine, byte for byte. Noise comes from keys that a ledger derives, so that two copies
of one ledger have the same noise; what both compute is compared."""
import json
import os
import pathlib
import random
import re
import shutil
import subprocess
import time

import pytest

from hang import HANG
from ranks import ENVIRONMENT, MANY, PROGRAM, Interrupted, command, mpi

NOT_PRIVATE = "hushwalk: exact answer, NOT private: it depends on secret edges and is for the custodian only"


@pytest.fixture(scope="module")
def folder(hushwalk, tmp_path_factory):
    """A graph of 700 nodes, and a ledger with its key."""
    made = tmp_path_factory.mktemp("distributed")
    hushwalk("generate", "chung-lu", "--nodes", 700, "--edges", 4000, "-o", "g.hwg", cwd=made)
    hushwalk("ledger", "init", "--graph", "g.hwg", "--epsilon", 1000, "-o", "L", cwd=made)
    return made


def copy_of(folder, to):
    shutil.copytree(folder, to)
    return to


QUESTIONS = {
    "output": ["--mechanism", "output", "--epsilon", 1],
    "output, edge scope": ["--mechanism", "output", "--epsilon", 1, "--scope", "edge"],
    "paper": ["--mechanism", "paper", "--epsilon", 1, "--delta", 1e-6, "--steps", 8],
    "pushflow": ["--mechanism", "pushflow", "--epsilon", 1],
    "pushflow+own": ["--mechanism", "pushflow+own", "--epsilon", 1],
    "twohop, one score": ["--mechanism", "twohop", "--epsilon", 0.05],
    "twohop, separate": ["--mechanism", "twohop", "--epsilon", 1],
    "frontier": ["--mechanism", "frontier", "--epsilon", 4],
    "shared": ["--mechanism", "shared", "--epsilon", 0.5],
    "shared, edge scope": ["--mechanism", "shared", "--epsilon", 0.5, "--scope", "edge"],
    "circles": ["--mechanism", "circles", "--epsilon", 3],
    "circles, too sparse for rows": ["--mechanism", "circles", "--epsilon", 0.3],
    "circles, as shared": ["--mechanism", "circles", "--epsilon", 0.1],
    "auto": ["--epsilon", 0.3],
    "heat": ["--epsilon", 0.7, "--diffusion", "heat", "--time", 3],
}


@pytest.mark.parametrize("processes", MANY)
@pytest.mark.parametrize("name", QUESTIONS)
def test_a_release_is_that_of_one_machine(hushwalk, folder, tmp_path, name, processes):
    one, many = copy_of(folder, tmp_path / "one"), copy_of(folder, tmp_path / "many")
    question = ["rank", "g.hwg", "--seed", 5, "--seed", 690, "--full", "--ledger", "L", "--format", "json", *QUESTIONS[name]]
    expected = hushwalk(*question, cwd=one)
    found = mpi(processes, *question, cwd=many)
    rankings = [json.loads(text)["rankings"] for text in (found.stdout, expected.stdout)]
    assert rankings[0] == rankings[1]
    spent = [hushwalk.json("ledger", "show", "L", cwd=where)["spent"] for where in (one, many)]
    assert spent[0] == spent[1] > 0
    # Asked again on the other side: the tag of what was released holds, nothing is charged, and all bytes are those of the first time.
    assert hushwalk(*question, cwd=many).stdout == found.stdout
    assert mpi(processes, *question, cwd=one).stdout == expected.stdout
    assert [hushwalk.json("ledger", "show", "L", cwd=where)["spent"] for where in (one, many)] == spent


@pytest.mark.parametrize("processes", MANY)
@pytest.mark.parametrize("flags", [[], ["--diffusion", "heat"], ["--seed", 690], ["--exclude-neighbors", "--format", "csv"]])
def test_an_exact_answer_is_that_of_one_machine(hushwalk, folder, processes, flags):
    question = ["rank", "g.hwg", "--seed", 5, "--exact", "--full", *flags]
    assert mpi(processes, *question, cwd=folder).stdout == hushwalk(*question, cwd=folder).stdout


@pytest.mark.parametrize("processes", MANY)
@pytest.mark.parametrize("flags", [["--top", 1], ["--top", 40, "--exclude-neighbors"], ["--top", 5000], ["--top", 30, "--candidates", "some"]])
def test_the_best_of_an_exact_answer_are_those_of_one_machine(hushwalk, tmp_path, processes, flags):
    """Most scores are 0 after two steps, so that the order of ids decides, across processes."""
    hushwalk("generate", "er", "--nodes", 900, "--edges", 1200, "-o", "g.hwg", cwd=tmp_path)
    (tmp_path / "some").write_text("".join(f"{node}\n" for node in range(895, 3, -7)))
    question = ["rank", "g.hwg", "--seed", 5, "--seed", 450, "--exact", "--steps", 2, "--json", *flags]
    assert mpi(processes, *question, cwd=tmp_path).stdout == hushwalk(*question, cwd=tmp_path).stdout


@pytest.mark.parametrize("processes", MANY)
@pytest.mark.parametrize("mechanism", ["paper", "output", "twohop"])
def test_many_seeds_are_answered_as_by_one_machine(hushwalk, folder, tmp_path, mechanism, processes):
    """More than fit side by side, so that memory of the first serves the others."""
    one, many = copy_of(folder, tmp_path / "one"), copy_of(folder, tmp_path / "many")
    seeds = [word for seed in range(1, 700, 65) for word in ("--seed", seed)]
    question = ["rank", "g.hwg", *seeds, "--mechanism", mechanism, "--epsilon", 1, *(["--delta", 1e-6] if mechanism == "paper" else []), "--ledger", "L",
                "--top", 20, "--format", "json"]
    found, expected = (json.loads(done.stdout)["rankings"] for done in (mpi(processes, *question, cwd=many), hushwalk(*question, cwd=one)))
    assert found == expected and len(found) == 11


@pytest.mark.parametrize("processes", MANY)
def test_ghosts_are_as_many_as_the_bench_counts(folder, processes, monkeypatch):
    monkeypatch.syspath_prepend(pathlib.Path(os.environ["HUSHWALK_SOURCE"]) / "bench")
    import ghosts
    said = mpi(processes, "rank", "g.hwg", "--seed", 5, "--exact", "--steps", 3, "--timings", cwd=folder).stderr
    assert "NOT private" in said
    found = [[int(number) for number in re.findall(r"\d+", line)] for line in said.splitlines() if line.startswith("  process ")]
    others, links = ghosts.count(folder / "g.hwg", [processes])[2][processes]
    assert [line[0] for line in found] == list(range(processes))
    assert [line[1] for line in found] == list(links) and sum(links) == 8000
    assert [line[3] for line in found] == list(others)
    assert [line[4:6] for line in found] == [[3, 3 * 8 * count] for count in others]


@pytest.mark.parametrize("processes", MANY)
@pytest.mark.parametrize("mechanism, epsilon", [("shared", 0.5), ("circles", 3)])
def test_an_artefact_is_that_of_one_machine_and_serves_both(hushwalk, folder, tmp_path, processes, mechanism, epsilon):
    one, many = copy_of(folder, tmp_path / "one"), copy_of(folder, tmp_path / "many")
    question = ["share", "g.hwg", "--mechanism", mechanism, "--epsilon", epsilon, "--ledger", "L", "-o", "S"]
    hushwalk(*question, cwd=one)
    mpi(processes, *question, cwd=many)
    answer = ["rank", "g.hwg", "--shared", "S", "--seed", 5, "--full", "--format", "json"]
    answers = [hushwalk(*answer, cwd=one).stdout, hushwalk(*answer, cwd=many).stdout, mpi(processes, *answer, cwd=many).stdout]
    rankings = [json.loads(text)["rankings"] for text in answers]
    assert rankings[0] == rankings[1] == rankings[2]
    # The file, too, but for its random name.
    first, second = (hushwalk.json("verify-certificate", where / "S") for where in (one, many))
    assert first == second and first["valid"]


def test_without_a_ledger_a_release_is_fresh_and_certified(hushwalk, folder, tmp_path):
    question = ["rank", "g.hwg", "--seed", 5, "--epsilon", 1, "--json"]
    first, second = (mpi(2, *question, cwd=folder).stdout for _ in range(2))
    assert first != second
    (tmp_path / "answer.json").write_text(first)
    assert hushwalk.json("verify-certificate", tmp_path / "answer.json")["valid"]


def test_plan_and_info_say_what_one_machine_says(hushwalk, folder):
    for question in (["plan", "g.hwg", "--epsilon", 1, "--json"], ["info", "g.hwg", "--json"]):
        found, expected = (json.loads(text) for text in (mpi(2, *question, cwd=folder).stdout, hushwalk(*question, cwd=folder).stdout))
        for document in (found, expected):
            document.pop("notes", None), document.pop("checked", None)
        assert found == expected


# --- graphs that do not fill all processes ---------------------------------------------------------------------

@pytest.mark.parametrize("processes", [2, 6])
def test_processes_without_rows_are_no_trouble(hushwalk, tmp_path, processes):
    one = tmp_path / "one"
    one.mkdir()
    (one / "t.txt").write_text("ann bob\nbob eve\nann eve\neve joe\n")
    hushwalk("import", "t.txt", "-o", "t.hwg", cwd=one)
    question = ["rank", "t.hwg", "--seed", "joe", "--exact", "--json"]
    assert mpi(processes, *question, cwd=one).stdout == hushwalk(*question, cwd=one).stdout
    hushwalk("ledger", "init", "--graph", "t.hwg", "--epsilon", 10, "-o", "L", cwd=one)
    many = copy_of(one, tmp_path / "many")
    question = ["rank", "t.hwg", "--seed", "joe", "--epsilon", 1, "--ledger", "L", "--json"]
    found, expected = (json.loads(done.stdout)["rankings"] for done in (mpi(processes, *question, cwd=many), hushwalk(*question, cwd=one)))
    assert found == expected


# --- what goes wrong -------------------------------------------------------------------------------------------

def test_what_needs_all_rows_in_one_place_is_refused(folder):
    done = mpi(2, "rank", "g.hwg", "--seed", 5, "--epsilon", 1, "--mechanism", "edgeflip", cwd=folder, code=2)
    assert "one place" in done.stderr and done.stdout == ""


@pytest.mark.parametrize("launcher", ["PMI_SIZE", "SLURM_STEP_NUM_TASKS"])
def test_processes_of_a_launcher_that_this_mpi_does_not_know_are_refused(folder, launcher, tmp_path):
    """Each would take itself for the only one, and draw noise of its own."""
    for question in (["rank", "g.hwg", "--seed", 5, "--epsilon", 1], ["share", "g.hwg", "--epsilon", 1, "-o", tmp_path / "S"]):
        done = subprocess.run([PROGRAM, *map(str, question)], capture_output=True, text=True, timeout=HANG, cwd=folder,
                              stdin=subprocess.DEVNULL, env=ENVIRONMENT | {launcher: "2"})
        assert (done.returncode, done.stdout) == (3, "") and launcher in done.stderr
        assert not (tmp_path / "S").exists()


def test_wrong_usage_is_said_once(folder):
    done = mpi(2, "rank", "g.hwg", "--seed", "nobody", "--epsilon", 1, cwd=folder, code=2)
    assert done.stderr.count("no node 'nobody'") == 1 and done.stdout == ""
    assert mpi(2, "rank", "missing.hwg", "--seed", 1, "--epsilon", 1, cwd=folder, code=1).stderr.count("missing.hwg") == 1
    assert "no verb 'demo'" in mpi(2, "demo", cwd=folder, code=2).stderr


@pytest.mark.parametrize("where", [0.15, 0.4, 0.7, 0.95])
def test_a_damaged_file_is_refused_in_the_words_of_one_machine(hushwalk, folder, tmp_path, where):
    bytes_ = bytearray((folder / "g.hwg").read_bytes())
    bytes_[int(len(bytes_) * where)] ^= 0xFF
    (tmp_path / "g.hwg").write_bytes(bytes_)
    question = ["rank", "g.hwg", "--seed", 5, "--exact"]
    expected, found = hushwalk(*question, cwd=tmp_path, code=None), mpi(3, *question, cwd=tmp_path, code=None)
    assert (found.returncode, found.stdout) == (expected.returncode, expected.stdout)
    if expected.returncode:
        assert set(expected.stderr.splitlines()) - set(found.stderr.splitlines()) <= {NOT_PRIVATE}


def test_a_crafted_file_whose_links_have_one_end_is_refused(hushwalk, tmp_path, monkeypatch):
    monkeypatch.syspath_prepend(pathlib.Path(os.environ["HUSHWALK_SOURCE"]) / "tests/golden")
    from crafted_graph import give_a_link_one_end
    hushwalk("generate", "karate", "-o", "k.hwg", cwd=tmp_path)
    give_a_link_one_end(tmp_path / "k.hwg")
    for question in (["rank", "k.hwg", "--seed", 5, "--epsilon", 1], ["share", "k.hwg", "--epsilon", 1, "-o", "s"]):
        done = mpi(2, *question, cwd=tmp_path, code=1)
        assert "not symmetric" in done.stderr and done.stdout == "" and not (tmp_path / "s").exists()


def test_notes_of_another_graph_are_refused(hushwalk, folder, tmp_path):
    hushwalk("generate", "karate", "-o", "k.hwg", cwd=tmp_path)
    (tmp_path / "k.hwg.meta").write_bytes((folder / "g.hwg.meta").read_bytes())
    question = ["rank", "k.hwg", "--seed", 5, "--epsilon", 1]
    expected, found = hushwalk(*question, cwd=tmp_path, code=None), mpi(2, *question, cwd=tmp_path, code=None)
    assert found.returncode == expected.returncode != 0 and found.stdout == ""
    assert expected.stderr.splitlines()[-1] in found.stderr


def test_a_text_is_refused(folder, tmp_path):
    (tmp_path / "t.txt").write_text("1 2\n")
    assert "not a hushwalk graph file" in mpi(2, "rank", "t.txt", "--seed", 1, "--epsilon", 1, cwd=tmp_path, code=1).stderr


def test_a_growing_diffusion_ends_in_all_processes(hushwalk, folder, tmp_path):
    (tmp_path / "wild.json").write_text(json.dumps({"gamma1": [1e200] * 4, "gamma2": [-1e200] * 4, "gamma3": [1.0] * 4}))
    question = ["rank", folder / "g.hwg", "--seed", 5, "--exact", "--diffusion", "custom", "--coefficients", tmp_path / "wild.json"]
    done = mpi(2, *question, cwd=tmp_path, code=None)
    assert done.returncode == hushwalk(*question, cwd=tmp_path, code=None).returncode != 0


def test_petsc_takes_no_options_from_around_it(folder, tmp_path):
    (tmp_path / ".petscrc").write_text("-log_view\n-help\n")
    done = subprocess.run(command(2, "rank", folder / "g.hwg", "--seed", 5, "--exact", "--json"), cwd=tmp_path, text=True,
                          capture_output=True, env=ENVIRONMENT | {"PETSC_OPTIONS": "-help -log_view", "HOME": str(tmp_path)})
    assert done.returncode == 0
    json.loads(done.stdout)
    assert "PETSc" not in done.stdout + done.stderr


# --- what the README shows -------------------------------------------------------------------------------------

def test_the_command_of_the_readme_gives_the_answer_of_one_machine(hushwalk, tmp_path):
    readme = (pathlib.Path(os.environ["HUSHWALK_SOURCE"]) / "README.md").read_text()
    block = next(block for block in readme.split("```")[1::2] if "mpirun" in block)
    hushwalk("generate", "blogcatalog-like", "-o", "blog.hwg", cwd=tmp_path)
    hushwalk("ledger", "init", "--graph", "blog.hwg", "--epsilon", 1, "-o", "blog.ledger", cwd=tmp_path)
    places = os.pathsep.join([str(pathlib.Path(os.environ["HUSHWALK"]).parent), os.environ["PATH"]])
    many, one = [subprocess.run(line.replace("build/release/hushwalk-mpi", PROGRAM), shell=True, cwd=tmp_path, env=ENVIRONMENT | {"PATH": places}, stdin=subprocess.DEVNULL,
                                capture_output=True, text=True, timeout=HANG, check=True) for line in block.strip().splitlines()]
    assert many.stdout == one.stdout and "epsilon" in one.stdout


# --- a process that dies ---------------------------------------------------------------------------------------

KILLS = [(random.Random(at).uniform(0.1, 3), at) for at in range(12 if "HUSHWALK_ALL_RANKS" in os.environ else 2)]


@pytest.mark.parametrize("after, which", KILLS)
def test_a_process_that_dies_ends_the_job_and_the_charge_is_counted_once(hushwalk, folder, tmp_path, after, which):
    question = ["rank", "g.hwg", "--seed", 5, "--mechanism", "paper", "--epsilon", 1, "--delta", 1e-6, "--steps", 200,
                "--ledger", "L", "--format", "json", "-o", "answer.json"]
    ended = Interrupted(question, 3, after, which, lambda number: copy_of(folder, tmp_path / f"here-{number}"))
    here = ended.folder
    assert ended.output == "" and "signal 9" in ended.errors
    assert (here / "answer.json").exists() or not list(here.glob("answer.json*"))
    mpi(2, *question, cwd=here)
    assert hushwalk.json("ledger", "show", "L", cwd=here)["spent"] <= 1.01
    assert hushwalk.json("ledger", "verify", "L", cwd=here)["valid"]
    assert hushwalk.json("verify-certificate", here / "answer.json")["valid"]


def test_unequal_versions_are_refused(folder):
    other = os.environ["HUSHWALK_OTHER_VERSION"]
    words = ["rank", str(folder / "g.hwg"), "--seed", "5", "--exact"]
    said = []
    for _ in range(10):  # mpirun ends the first process when the second one has failed, now and then before it has said why
        done = subprocess.run(["mpirun", "--oversubscribe", "-n", "1", PROGRAM, *words, ":", "-n", "1", other, *words],
                              capture_output=True, text=True, env=ENVIRONMENT, timeout=HANG)
        assert done.returncode != 0 and done.stdout == ""
        said.append(done.stderr)
        if "start the same program everywhere" in said[-1]:
            break
    assert "start the same program everywhere" in said[-1], said
