"""Empty values are errors, and noise is drawn by one process at a time."""
import os
import re
import shutil
import subprocess

import pytest

from conftest import CommandLine

# A command of every verb that works, so that an empty value is all that is wrong with it.
WORKING = {
    "demo": ["demo", "--json"],
    "generate": ["generate", "karate", "-o", "new"],
    "import": ["import", "g.txt", "-o", "new"],
    "info": ["info", "g.hwg"],
    "rank": ["rank", "g.hwg", "--seed", "1", "--epsilon", "1"],
    "plan": ["plan", "--nodes", "10", "--epsilon", "1"],
    "share": ["share", "g.hwg", "--epsilon", "1", "-o", "new"],
    "ledger init": ["ledger", "init", "--graph", "g.hwg", "--epsilon", "1", "-o", "new", "--force"],
    "ledger show": ["ledger", "show", "L"],
    "ledger cost": ["ledger", "cost", "g.hwg", "--ledger", "L", "--seed", "1", "--epsilon", "1"],
    "ledger verify": ["ledger", "verify", "L"],
    "ledger export": ["ledger", "export", "L"],
    "ledger lineage": ["ledger", "lineage", "L", "--graph", "h.hwg"],
    "ledger extend": ["ledger", "extend", "L", "--epsilon", "+1", "--reason", "why"],
    "ledger backup": ["ledger", "backup", "L", "-o", "new"],
    "ledger compact": ["ledger", "compact", "L"],
    "ledger forget": ["ledger", "forget", "L", "--before", "2020-01-01T00:00:00Z"],
    "keys new": ["keys", "new", "-o", "new"],
    "keys public": ["keys", "public", "K"],
    "serve": ["serve", "--demo"],
    "serve keys new": ["serve", "keys", "new", "--config", "serve.toml", "--name", "n", "--role", "admin"],
    "serve keys list": ["serve", "keys", "list", "--config", "serve.toml"],
    "serve keys revoke": ["serve", "keys", "revoke", "0123456789abcdef", "--config", "serve.toml"],
    "certificate": ["certificate", "s", "-o", "new"],
    "verify-certificate": ["verify-certificate", "s"],
    "evaluate": ["evaluate", "g.hwg", "--mechanism", "free", "--seeds", "1"],
    "tune": ["tune", "--nodes", "10", "--edges", "20", "--epsilon", "1", "--seeds", "1"],
    "reproduce": ["reproduce", "--quick", "-o", "new"],
    "audit": ["audit", "--trials", "100"],
    "calibrate": ["calibrate", "--epsilon", "1"],
    "account": ["account", "--laplace-scale", "1"],
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    hushwalk, path = CommandLine(), tmp_path_factory.mktemp("values")
    (path / "g.txt").write_text("1 2\n2 3\n3 1\n")
    for name in ("g.hwg", "h.hwg"):
        hushwalk("import", "g.txt", "-o", name, cwd=path)
    hushwalk("share", "g.hwg", "--epsilon", 1, "-o", "s", cwd=path)
    hushwalk("ledger", "init", "--graph", "g.hwg", "--epsilon", 1, "-o", "L", cwd=path)
    hushwalk("keys", "new", "-o", "K", cwd=path)
    (path / "serve.toml").write_text('[[graphs]]\nname = "g"\ngraph = "g.hwg"\nledger = "L"\n')
    return path


def verbs(hushwalk, *above):
    listed = hushwalk(*above, "--help").stdout.partition("Subcommands:\n")[2].split("\n\n")[0]
    for verb in re.findall(r"^  ([a-z-]+) ", listed, re.M):
        below = list(verbs(hushwalk, *above, verb))
        yield from below if below and verb != "serve" else [" ".join([*above, verb]), *below]


def options(hushwalk, verb):
    """The names of all options that take a value, and of the positional arguments."""
    text = hushwalk(*verb.split(), "--help").stdout
    named = re.findall(r"^  (?:-\w,)?(--[a-z-]+) [A-Z]", text, re.M)
    return named, re.findall(r"^  ([a-z]+) [A-Z]", text.split("Options:")[0], re.M)


def without(command, option):
    """The command without the option and its value."""
    spelled = {"--output": "-o"}.get(option, option)
    return [a for i, a in enumerate(command) if a != spelled and (i == 0 or command[i - 1] != spelled)]


def test_every_verb_is_here(hushwalk):
    assert set(verbs(hushwalk)) == set(WORKING)


@pytest.mark.parametrize("verb", WORKING)
def test_an_empty_value_is_an_error_that_names_its_flag(hushwalk, folder, verb):
    before = {path: path.stat().st_mtime_ns for path in folder.iterdir()}
    named, positional = options(hushwalk, verb)
    assert "--threads" in named
    for option in named:
        for value in ([option, ""], [option + "="]):
            done = hushwalk(*without(WORKING[verb], option), *value, code=2, cwd=folder)
            assert option in done.stderr.splitlines()[0] and done.stdout == "", (option, done.stderr)
    for name in positional:
        words, rest = len(verb.split()), len(verb.split()) + (verb not in ("plan", "reproduce"))  # these need none
        done = hushwalk(*WORKING[verb][:words], "", *WORKING[verb][rest:], code=2, cwd=folder)
        assert f"{name} is empty" in done.stderr and done.stdout == ""
    assert {path: path.stat().st_mtime_ns for path in folder.iterdir()} == before


def test_a_list_of_nothing_is_empty(hushwalk, folder):
    for option in ("--mechanism", "--epsilon", "--eta"):
        assert option in hushwalk(*without(WORKING["evaluate"], option), option, ",", code=2, cwd=folder).stderr


def test_an_empty_variable_is_not_no_ledger(hushwalk, folder):
    environment = os.environ | {"HUSHWALK_LEDGER": ""}
    for command in (WORKING["rank"], WORKING["share"], ["rank", "g.hwg", "--exact", "--seed", "1"]):
        done = hushwalk(*command, code=2, cwd=folder, env=environment)
        assert "HUSHWALK_LEDGER is empty" in done.stderr and done.stdout == ""
    hushwalk(*WORKING["ledger cost"], cwd=folder, env=environment)  # names its ledger
    hushwalk("info", "g.hwg", cwd=folder, env=environment)          # has none


# --- several processes -----------------------------------------------------------------------------------------

NOISY = {name: WORKING[name] for name in ("demo", "rank", "share", "evaluate", "tune", "reproduce", "audit", "serve")} | {
    "rank --shared": ["rank", "g.hwg", "--seed", "1", "--shared", "s"],
    "rank --ledger": WORKING["rank"] + ["--ledger", "L"],
}


@pytest.mark.parametrize("name", NOISY)
@pytest.mark.parametrize("variable, value", [("OMPI_COMM_WORLD_SIZE", "2"), ("PMI_SIZE", "16"), ("SLURM_STEP_NUM_TASKS", "4"),
                                             ("PMI_SIZE", "many"), ("PMI_SIZE", ""), ("OMPI_COMM_WORLD_SIZE", "-1")])
def test_several_processes_draw_no_noise(hushwalk, folder, name, variable, value):
    before = set(folder.iterdir())
    done = hushwalk(*NOISY[name], code=3, cwd=folder, env=os.environ | {variable: value})
    assert f"{variable} is '{value}'" in done.stderr and "-n 1" in done.stderr
    assert done.stdout == "" and set(folder.iterdir()) == before
    assert hushwalk.json("ledger", "show", "L", cwd=folder)["spent"] == 0


def test_one_process_and_exact_answers_are_fine(hushwalk, folder):
    one = os.environ | {"OMPI_COMM_WORLD_SIZE": "1", "PMI_SIZE": "1", "SLURM_STEP_NUM_TASKS": "1"}
    hushwalk(*WORKING["rank"], cwd=folder, env=one)
    many = os.environ | {"OMPI_COMM_WORLD_SIZE": "2"}
    for command in (WORKING["info"], WORKING["plan"], WORKING["calibrate"], WORKING["ledger show"],
                    ["rank", "g.hwg", "--exact", "--seed", "1"]):
        hushwalk(*command, cwd=folder, env=many)


def test_mpirun_gives_no_second_answer(hushwalk, folder):
    if shutil.which("mpirun") is None:
        pytest.skip("no mpirun here")
    environment = os.environ | {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"}
    done = subprocess.run(["mpirun", "--oversubscribe", "-n", "2", hushwalk.program, *WORKING["rank"]], cwd=folder,
                          env=environment, capture_output=True, text=True)
    assert done.returncode == 3 and "OMPI_COMM_WORLD_SIZE" in done.stderr
    assert "seed" not in done.stdout
