"""Nothing that a release links can reach the random source that repeats itself."""
import os
import pathlib
import re
import subprocess

SOURCE = pathlib.Path(os.environ["HUSHWALK_SOURCE"])
PROGRAM = pathlib.Path(os.environ["HUSHWALK"])
LIBRARY = pathlib.Path(os.environ["HUSHWALK_LIBRARY"])
TESTS = PROGRAM.parent / "tests/statistical_tests"
SEEDED = re.compile(r"seeded_?source|seeded_?stream|hushwalk_seeded", re.IGNORECASE)


def symbols(binary):
    done = subprocess.run(["nm", "--demangle", binary], capture_output=True, text=True, check=True)
    return done.stdout


def mentions(*roots):
    files = [p for root in roots for p in ([root] if root.is_file() else root.rglob("*")) if p.is_file()]
    assert files
    return [str(p) for p in files if SEEDED.search(p.read_text(errors="ignore"))]


def test_the_library_and_the_program_do_not_contain_it():
    assert "hushwalk::EntropySource::stream" in symbols(LIBRARY)
    assert "main" in symbols(PROGRAM)
    assert not SEEDED.search(symbols(LIBRARY))
    assert not SEEDED.search(symbols(PROGRAM))


def test_the_tests_contain_it_and_would_be_noticed():
    assert "hushwalk::testing::SeededSource::stream" in symbols(TESTS)
    assert SEEDED.search(symbols(TESTS))
    assert mentions(SOURCE / "tests/support")


def test_no_source_of_a_release_speaks_of_it():
    roots = [SOURCE / name for name in ("src", "cli", "python", "include", "bench", "examples", "cmake", "CMakeLists.txt", "setup.py")]
    assert mentions(*roots) == []
