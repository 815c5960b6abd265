"""The mutations of tests/mutations.toml fit the code, and scripts/mutate says so when one does not. Builds nothing."""
import importlib.machinery
import importlib.util
import os
import pathlib
import re
import subprocess
import tomllib

import pytest

SOURCE = pathlib.Path(os.environ["HUSHWALK_SOURCE"])
SCRIPT = SOURCE / "scripts/mutate"


@pytest.fixture(scope="module")
def mutate():
    loader = importlib.machinery.SourceFileLoader("mutate", str(SCRIPT))
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader("mutate", loader))
    loader.exec_module(module)
    return module


def listed(*options):
    done = subprocess.run([SCRIPT, "--list", *options], capture_output=True, text=True)
    return done.returncode, done.stdout.splitlines(), done.stderr


@pytest.fixture
def patterns(tmp_path):
    def write(text):
        path = tmp_path / "mutations.toml"
        path.write_text('[tests]\n"src/noise" = ["unit_tests"]\n' + text)
        return "--patterns", path
    return write


def by_hand(find):
    return f"[[mutation]]\nfile = 'src/noise/geometric.h'\nfind = '{find}'\nreplace = ''\nbreaks = 'It all.'\n"


def test_every_mutation_fits_the_code():
    code, names, errors = listed()
    assert (code, errors) == (0, "")
    assert len(set(names)) == len(names)


def test_every_room_of_noise_and_proof_is_mutated_by_hand():
    document = tomllib.loads((SOURCE / "tests/mutations.toml").read_text())
    files = [entry["file"] for entry in document["mutation"]]
    assert len(files) >= 80
    rooms = {name for name in document["tests"] if not name.endswith(".h")}
    for room in rooms - {"src/answer"}:  # which asks and verifies, and draws and prices nothing
        assert sum(file.startswith(room + "/") for file in files) >= 15, room


def test_every_file_of_tests_that_is_named_is_there():
    document = tomllib.loads((SOURCE / "tests/mutations.toml").read_text())
    stages = [stage for some in document["tests"].values() for stage in some] + [
        stage for entry in document["mutation"] for stage in entry.get("tests", ())]
    for stage in stages:
        for name in stage.split()[1:]:
            assert list(SOURCE.glob(name)), stage


def test_every_file_that_rounds_a_price_up_has_its_operators_turned_round():
    document = tomllib.loads((SOURCE / "tests/mutations.toml").read_text())
    covered = {rule["file"] for rule in document["operators"]}
    for room in ("accounting", "plan"):
        for path in (SOURCE / "src" / room).glob("*.cpp"):
            if re.search(r"\b(add|mul|div)_up\(", path.read_text()):
                assert str(path.relative_to(SOURCE)) in covered


@pytest.mark.parametrize("find, times", [("not there", 0), ("refill()", 2), ("draw >= 0", 1)])
def test_a_pattern_must_match_exactly_once(patterns, find, times):
    code, names, errors = listed(*patterns(by_hand(find)))
    if times == 1:
        assert (code, names) == (0, ["src/noise/geometric.h: It all."])
    else:
        assert code == 1 and f"there {times} times, not once" in errors


OPERATORS = "[[operators]]\nfile = 'src/noise/geometric.h'\nlines = 'drawn_.resize'\n"


def test_operators_of_chosen_lines_are_turned_round(patterns):
    _, names, _ = listed(*patterns(OPERATORS))
    line = "drawn_.resize(drawn_.empty() ? nodes_per_group : std::min<std::size_t>(2 * drawn_.size(), 1 << 14));"
    for before, after in [("std::min", "std::max"), ("2 *", "2 /"), ("2 *", "3 *"), ("1 <<", "2 <<")]:
        assert "src/noise/geometric.h: " + line.replace(before, after, 1) in names


def test_lines_that_match_no_more_and_explanations_of_nothing_fail(patterns):
    code, _, errors = listed(*patterns(OPERATORS.replace("resize", "shrink")))
    assert code == 1 and "no line matches" in errors
    lost = "[[survivor]]\nfile = 'src/noise/geometric.h'\nbecomes = 'nothing'\nsurvives = 'It is gone.'\n"
    code, _, errors = listed(*patterns(OPERATORS + lost))
    assert code == 1 and "no such mutation" in errors


def test_those_written_by_hand_can_be_tried_alone(patterns):
    both = patterns(OPERATORS + by_hand("draw >= 0"))
    assert listed("--by-hand", *both)[1] == ["src/noise/geometric.h: It all."]
    assert len(listed(*both)[1]) > 1


def test_a_sample_is_the_same_every_time():
    assert listed("--sample", "5")[1] == listed("--sample", "5")[1]
    assert listed("--sample", "5")[1] != listed("--sample", "5", "--random-seed", "2")[1]
    assert len(listed("--sample", "5")[1]) == 5


@pytest.mark.parametrize("verdict, explanation, fine", [
    ("killed", "", True), ("survived", "", False), ("survived", "It means the same.", True),
    ("does not compile", "", False), ("the same code", "", False)])
def test_only_explained_survivors_are_fine(mutate, tmp_path, capsys, verdict, explanation, fine):
    one = mutate.Mutation("src/noise/geometric.h", 0, 1, "", "It all.", (), explanation)
    tried = mutate.Tried(tmp_path / "tried.csv")
    tried.keep(one, verdict, "")
    assert mutate.report([one], tried) == fine
    assert ("geometric.h" in capsys.readouterr().out) == (verdict != "killed")


FILE = """#include "a.h"

namespace {
constexpr int one = 1;  // a number
// A function.
int f(int a,
      int b) {
  const int c = a + b;

  return c * one;
}
int g() { return 1; }
int h() {
  return 2;
}
}  // namespace
"""


@pytest.mark.parametrize("what, around", [
    ("= 1;", "constexpr int one = 1;"), ("a + b", "int f(int a, int b) { const int c = a + b; return c * one; }"),
    ("c * one", "int f(int a, int b) { const int c = a + b; return c * one; }"), ("return 1", "int g() { return 1; }"),
    ("return 2", "int h() { return 2; }"), ("b) {", "int f(int a, int b) { const int c = a + b; return c * one; }")])
def test_around_a_mutation_is_its_function_without_comments(mutate, what, around):
    begin = FILE.index(what)
    assert mutate.around(FILE, begin, begin + len(what)) == around


def test_what_became_of_a_mutation_is_kept_until_its_function_changes(mutate, tmp_path, monkeypatch):
    (tmp_path / "src/noise").mkdir(parents=True)
    (tmp_path / "src/noise/a.cpp").write_text("as it was")
    monkeypatch.setattr(mutate, "HOME", tmp_path)
    one, other = (mutate.Mutation("src/noise/a.cpp", 0, 2, "not as", breaks, ()) for breaks in ("It, all.", "Nothing."))
    tried = mutate.Tried(tmp_path / "tried.csv")
    tried.keep(one, "killed", "Some.Test")
    tried.keep(other, "survived", "")
    tried.write([one])  # the other is no longer made
    assert mutate.Tried(tmp_path / "tried.csv").verdict(one) == "killed"
    assert mutate.Tried(tmp_path / "tried.csv").verdict(other) is None
    (tmp_path / "src/noise/a.cpp").write_text("as  it was  // in other words\n\nint another_function() { return 1; }\n")
    assert mutate.Tried(tmp_path / "tried.csv").verdict(one) == "killed"
    (tmp_path / "src/noise/a.cpp").write_text("as it is")
    assert mutate.Tried(tmp_path / "tried.csv").verdict(one) is None


def test_what_noticed_others_of_a_file_runs_first_and_then_those_of_its_room(mutate, tmp_path):
    tried = mutate.Tried(tmp_path / "tried.csv")
    for number, (file, verdict, by) in enumerate([
            ("noise/a.cpp", "killed", "unit_tests Once.Seen"), ("noise/a.cpp", "killed", "oracle_tests Often.Seen/0"),
            ("noise/a.cpp", "killed", "oracle_tests Often.Seen/0"), ("noise/a.cpp", "killed", "unit_tests (hangs)"), ("noise/a.cpp", "survived", ""),
            ("noise/b.cpp", "killed", "unit_tests Another.File"), ("plan/c.cpp", "killed", "unit_tests Another.Room"), ("noise/a.cpp", "killed", "pytest tests/golden/x_test.py::test_y")]):
        tried.rows[f"src/{file}: {number}"] = {"verdict": verdict, "by": by}
    one = mutate.Mutation("src/noise/a.cpp", 0, 2, "not as", "It all.", ())
    assert tried.likely(one) == ["oracle_tests =Often.Seen/0", "unit_tests =Once.Seen:Another.File"]
    assert mutate.Tree(0).command("unit_tests =Once.Seen:B.C")[-1] == "--gtest_filter=Once.Seen:B.C"


def test_quick_tests_of_a_program_run_before_slow_ones(mutate):
    document = {"testsuites": [{"name": "A", "testsuite": [{"name": "slow", "time": "2s"}, {"name": "quick", "time": "0.001s"}]},
                               {"name": "B", "testsuite": [{"name": "slower", "time": "3s"}]}]}
    assert mutate.quick_and_slow("unit_tests", document) == {"unit_tests =A.quick": 0.001, "unit_tests =A.slow:B.slower": 5}
    assert mutate.quick_and_slow("unit_tests", {"testsuites": document["testsuites"][1:]}) == {"unit_tests =B.slower": 3}


def test_a_mutant_that_hangs_is_stopped(mutate):
    assert mutate.run(["sleep", "1000"], seconds=0.1) == ("", None)


def test_the_code_is_put_back_whatever_happens(mutate, tmp_path):
    class Broken:
        root = tmp_path

        def object_digest(self, file):
            return None

        def make(self, target, quick):
            raise KeyboardInterrupt

    (tmp_path / "src/noise").mkdir(parents=True)
    (tmp_path / "src/noise/a.cpp").write_text("as it was")
    one = mutate.Mutation("src/noise/a.cpp", 0, 2, "not as", "It all.", ())
    with pytest.raises(KeyboardInterrupt):
        mutate.Jury(Broken(), {"src/noise": ["unit_tests"]}, {"unit_tests": 1}, {"unit_tests": ["unit_tests"]}, [one], mutate.Tried(tmp_path / "tried.csv")).verdict(one)
    assert (tmp_path / "src/noise/a.cpp").read_text() == "as it was"
