"""Man pages, completions and the reference are made from --help: every verb and flag is in them, and shells complete."""
import fnmatch
import gzip
import json
import os
import pathlib
import re
import subprocess
import sys

import pytest

from hang import HANG

SOURCE = pathlib.Path(os.environ["HUSHWALK_SOURCE"])
sys.path.insert(0, str(SOURCE / "packaging"))
import command_line
import man_pages
import reference


@pytest.fixture(scope="module")
def program(hushwalk):
    return command_line.read(hushwalk.program)


@pytest.fixture(scope="module")
def manual(hushwalk, tmp_path_factory):
    folder = tmp_path_factory.mktemp("share")
    subprocess.run([SOURCE / "packaging/make-manual", hushwalk.program, folder], check=True)
    return folder


def page(manual, verb):
    text = gzip.decompress((manual / f"man/man1/{verb.name.replace(' ', '-')}.1.gz").read_bytes()).decode()
    return text.replace("\\-", "-").replace("\\fB", "").replace("\\fR", "")


def raw_flags(hushwalk, path):
    """Counted in the text itself, not by the reader that is tested."""
    return set(re.findall(r"^  (?:-\w,)?(--[a-z-]+)", hushwalk(*path, "--help").stdout, re.M))


def test_the_reader_sees_every_verb_and_flag(hushwalk, program):
    verbs = list(program.all())
    assert len(verbs) > 25 and ("ledger", "show") in [verb.path for verb in verbs]
    for verb in verbs:
        assert {flag.names[-1] for flag in verb.flags} == raw_flags(hushwalk, verb.path)
        for argument in [*verb.flags, *verb.positionals]:
            assert argument.words and not re.search(r"REQUIRED|Env:|Needs:|\.\.\.", argument.value), argument


def test_the_reader_understands_a_flag():
    flag = command_line.argument("-o,--output FILE REQUIRED", "Where to")
    assert (flag.names, flag.value, flag.required, flag.takes_file) == (["-o", "--output"], "FILE", True, True)
    flag = command_line.argument("--ledger L (Env:HUSHWALK_LEDGER)", "Charge it")
    assert (flag.value, flag.variable) == ("L", "HUSHWALK_LEDGER")
    flag = command_line.argument("--mode OCTAL Needs: --output", "Permissions")
    assert (flag.value, flag.goes_with) == ("OCTAL", "--output")
    assert command_line.argument("--seed V ...", "Whose").repeated


def test_a_program_of_another_name_points_to_the_pages_of_its_verbs():
    text = "Graph diffusions\nUsage: hushwalk-mpi [OPTIONS] SUBCOMMAND\n\nSubcommands:\n  rank                        Rank the nodes\n"
    program, names = command_line.parse(text, ())
    program.verbs = [command_line.parse("Rank the nodes\nUsage: hushwalk-mpi rank [OPTIONS] graph\n", (name,))[0] for name in names]
    page = man_pages.man_page(program, "1.0").replace("\\-", "-")
    assert program.name == "hushwalk-mpi" and ".TH HUSHWALK-MPI 1" in page and page.endswith(".BR hushwalk (1)\n.BR hushwalk-rank (1)\n")


@pytest.mark.parametrize("words, found", [
    ("One of auto, twohop, pushflow+own (default: auto)", ["auto", "twohop", "pushflow+own"]),
    ("ppr (lazy walk, the default), pagerank (simple walk), heat or custom", ["ppr", "pagerank", "heat", "custom"]),
    ("personalized: for the owner; edge: for anyone", ["personalized", "edge"]),
    ("best, shift, or all (default: best)", ["best", "shift", "all"]),
    ("Any of auto, free (own neighbours, the rest at random) and exact (default: auto,free)", ["auto", "free", "exact"]),
    ("Under a ledger: who gets the answer", []),
    ("a file, or those that it names", []),
])
def test_the_reader_finds_what_may_be_chosen(words, found):
    assert command_line.choices(words) == found


def test_every_verb_has_a_man_page_with_every_flag(manual, program):
    for verb in program.all():
        text = page(manual, verb)
        assert all(f"\n{', '.join(flag.names)}" in text for flag in verb.flags), verb.name
        assert verb.words.rstrip(".").replace("`", "") in text


def test_man_finds_no_fault(manual):
    for path in sorted(manual.glob("man/man1/*")):
        done = subprocess.run(["man", "--warnings", "-E", "UTF-8", "-l", "-Tutf8", "-Z", path], capture_output=True, text=True,
                              env=os.environ | {"MANWIDTH": "80", "LC_ALL": "C.UTF-8"})
        assert done.returncode == 0 and done.stderr == "", (path.name, done.stderr)


def test_every_verb_and_flag_is_in_the_reference(program):
    text = reference.reference(program)
    for verb in program.all():
        if verb.path:
            assert f"# `{verb.name}`\n" in text
    assert all(f"`{', '.join(flag.names)}" in text for verb in program.all() if verb.path for flag in verb.flags)


def test_every_verb_and_flag_is_completed_in_zsh_and_fish(manual, program):
    zsh = (manual / "zsh/vendor-completions/_hushwalk").read_text()
    fish = (manual / "fish/vendor_completions.d/hushwalk.fish").read_text().splitlines()
    for verb in program.all():
        function = "_".join(("_hushwalk", *verb.path)).replace("-", "_")
        body = re.search(rf"^{function}\(\) {{\n(.*?)^}}", zsh, re.M | re.S)[1]
        condition = f"__hushwalk_verb \\'{' '.join(verb.path)}\\'"
        lines = [line for line in fish if condition in line]
        for flag in verb.flags:
            assert all(f"{name}[" in body for name in flag.names)
            assert any(f" -l {flag.names[-1][2:]} " in line for line in lines), (verb.name, flag.names)
        for below in verb.verbs:
            assert f"'{below.path[-1]}:" in body and any(f" -a {below.path[-1]} " in line for line in lines)


def bash(manual, folder, *words):
    script = (f'source {manual}/bash-completion/completions/hushwalk; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _hushwalk; '
              'printf "%s\\n" "${COMPREPLY[@]}"')
    done = subprocess.run(["bash", "-uc", script, "-", "hushwalk", *words], cwd=folder, capture_output=True, text=True)
    assert done.stderr == ""
    return done.stdout.split()


def fish(manual, folder, *words):
    script = f"source {manual}/fish/vendor_completions.d/hushwalk.fish; complete -C $argv[1]"
    done = subprocess.run(["fish", "--no-config", "-c", script, " ".join(["hushwalk", *words])], cwd=folder, capture_output=True,
                          text=True, env=os.environ | {"HOME": str(folder)})
    assert done.stderr == ""
    return [line.split("\t")[0] for line in done.stdout.splitlines()]


def zsh(manual, folder, *words):
    """A terminal of its own, in which the tab key is pressed: all that is offered."""
    done = subprocess.run(["zsh", "-f", SOURCE / "tests/support/press_tab.zsh", manual / "zsh/vendor-completions",
                           " ".join(["hushwalk", *words])], cwd=folder, capture_output=True, text=True, timeout=HANG)
    assert done.returncode == 0, done.stderr
    return done.stdout.split("\n")


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "friends.hwg").touch()
    return tmp_path


def test_bash_completes_every_verb_and_flag(manual, program, folder):
    for verb in program.all():
        offered = bash(manual, folder, *verb.path, "")
        assert {below.path[-1] for below in verb.verbs} <= set(offered)
        assert {name for flag in verb.flags for name in flag.names if name.startswith("--")} == set(bash(manual, folder, *verb.path, "--"))


SHELLS = [bash, fish, zsh]


@pytest.mark.parametrize("shell", SHELLS)
@pytest.mark.parametrize("words, offered", [
    (["led"], "ledger"), (["ledger", "sh"], "show"), (["rank", "--sco"], "--scope"), (["rank", "--scope", "ed"], "edge"),
    (["rank", "fri"], "friends.hwg"), (["rank", "friends.hwg", "--scope", "edge", "--candidates", "fri"], "friends.hwg"),
    (["generate", "kar"], "karate"), (["serve", "keys", "new", "--role", "an"], "analyst"), (["certificate", "--for", "l"], "legal"),
    (["ledger", "init", "--period", "m"], "month"), (["evaluate", "--mechanism", "front"], "frontier"),
    (["evaluate", "--mechanism", "auto,exact,twoh"], "auto,exact,twohop"),
])
def test_shells_complete(shell, manual, folder, words, offered):
    assert [word.rstrip(",") for word in shell(manual, folder, *words) if word] == [offered], "zsh invites to go on after a list"


@pytest.fixture
def friends(hushwalk, tmp_path, monkeypatch):
    (tmp_path / "friends.txt").write_text('ann,"bob smith"\n"bob smith",eve\neve,joe\n')
    hushwalk("import", tmp_path / "friends.txt", "--delimiter", "comma", "-o", tmp_path / "friends.hwg")
    monkeypatch.setenv("PATH", f"{pathlib.Path(hushwalk.program).parent}:{os.environ['PATH']}")
    return tmp_path


@pytest.mark.parametrize("shell", SHELLS)
@pytest.mark.parametrize("words, offered", [
    (["rank", "friends.hwg", "--seed", "jo"], "joe"), (["plan", "friends.hwg", "--epsilon", "1", "--seed", "joe", "--seed", "ev"], "eve"),
    (["ledger", "cost", "friends.hwg", "--seed", "a"], "ann"),
])
def test_shells_complete_nodes_of_a_graph_file(shell, manual, friends, words, offered):
    assert [word for word in shell(manual, friends, *words) if word] == [offered]


def test_a_name_with_a_blank_is_completed_as_one_word(manual, friends):
    assert bash(manual, friends, "rank", "friends.hwg", "--seed", "bo") == ["bob\\", "smith"]


@pytest.mark.parametrize("shell", SHELLS)
def test_shells_look_for_nodes_nowhere_but_in_a_graph_file(shell, manual, friends):
    for words in (["rank", "friends.txt", "--seed", "jo"], ["rank", "--seed", "jo"], ["rank", "other.hwg", "--seed", "jo"]):
        assert [word for word in shell(manual, friends, *words) if word not in ("", "jo")] == []


def test_names_are_those_with_the_beginning_at_most_fifty(hushwalk, friends):
    def names(*words):
        return hushwalk("names", *words).stdout.splitlines()

    graph = friends / "friends.hwg"
    assert names(graph) == ["ann", "bob smith", "eve", "joe"] and names(graph, "j") == ["joe"] and names(graph, "x") == []
    hushwalk("generate", "er", "--nodes", 2000, "--edges", 3000, "-o", friends / "numbers.hwg")
    assert names(friends / "numbers.hwg", 17) == ["17", *map(str, range(170, 180)), *map(str, range(1700, 1739))]
    assert names(friends / "numbers.hwg") == [str(node) for node in range(1, 51)]
    assert names(friends / "numbers.hwg", 2000) == ["2000"] and names(friends / "numbers.hwg", "017") == names(friends / "numbers.hwg", "x") == []
    assert hushwalk("names", friends / "friends.txt", code=1).stdout == ""


def test_the_verb_for_shells_is_not_in_the_help(hushwalk, program):
    assert "names" not in [verb.path[0] for verb in program.verbs]
    assert " names" not in hushwalk("nmes", code=2).stderr


def test_the_copyright_names_everything_that_is_compiled_or_bundled_into_the_programs():
    known = (SOURCE / "packaging/debian/copyright").read_text()
    packages = {name for room in ("src/report/web", "service/web") for name in json.loads((SOURCE / room / "package.json").read_text())["dependencies"]}
    assert {"preact", "d3-force", "marked", "vega-lite"} <= packages
    patterns = re.findall(r"node_modules/(\S+)", known)
    assert [name for name in packages - {"esbuild"} if not any(fnmatch.fnmatch(f"{name}/", pattern) for pattern in patterns)] == []
    files = [path for room in ("src", "cli", "service", "python", "include") for path in (SOURCE / room).rglob("*.[ch]*") if path.suffix in (".cpp", ".h")]
    headers = {name for path in files if "distributed" not in path.parts for name in re.findall(r"^#include <([\w+]+)/", path.read_text(), re.M)}
    linked = {"sys", "openssl", "systemd", "netinet", "arpa", "linux", "hushwalk", "sanitizer"}  # declarations only: what they declare is elsewhere
    assert "boost" in headers and [name for name in headers - linked if f"/usr/include/{name}/" not in known] == []


def test_packages_have_the_version_of_the_program(hushwalk):
    version = hushwalk("--version").stdout.split()[1]
    assert (SOURCE / "packaging/debian/changelog").read_text().startswith(f"hushwalk ({version})")
