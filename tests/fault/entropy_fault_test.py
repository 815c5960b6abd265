"""Without randomness from the operating system nothing is released, made or trusted, and the message says why."""
import os
import subprocess

import pytest

NO_RANDOMNESS = r"""
#include <cerrno>
#include <cstddef>
extern "C" int getentropy(void*, size_t) { return errno = ENOSYS, -1; }
extern "C" long getrandom(void*, size_t, unsigned) { return errno = ENOSYS, -1; }
"""


@pytest.fixture(scope="module")
def environment(tmp_path_factory):
    folder = tmp_path_factory.mktemp("shim")
    (folder / "shim.cpp").write_text(NO_RANDOMNESS)
    subprocess.run(["g++", "-shared", "-fPIC", folder / "shim.cpp", "-o", folder / "shim.so"], check=True)
    return os.environ | {"LD_PRELOAD": str(folder / "shim.so")}


def test_nothing_goes_on_without_randomness(hushwalk, environment, tmp_path):
    if "san" in hushwalk.program:
        pytest.skip("sanitizers do not go with a preloaded library")
    (tmp_path / "g.txt").write_text("1 2\n2 3\n")
    hushwalk("import", "g.txt", "-o", "g.hwg", cwd=tmp_path)
    before = set(tmp_path.iterdir())
    for harmless in (["--help"], ["plan", "--nodes", 10, "--epsilon", 1]):
        hushwalk(*harmless, cwd=tmp_path, env=environment)
    for arguments in (["generate", "karate", "-o", "k.hwg"], ["import", "g.txt", "-o", "h.hwg"], ["info", "g.hwg"],
                      ["rank", "g.hwg", "--seed", 1, "--epsilon", 1], ["rank", "g.hwg", "--seed", 1, "--exact"],
                      ["rank", "g.txt", "--seed", 1, "--epsilon", 1], ["share", "g.hwg", "--epsilon", 1, "-o", "s"],
                      ["ledger", "init", "--graph", "g.hwg", "--epsilon", 1, "-o", "L"], ["demo", "--json"],
                      ["audit", "--trials", 100], ["evaluate", "g.hwg", "--seeds", 1]):
        done = hushwalk(*arguments, code=1, cwd=tmp_path, env=environment)
        assert done.stdout == "" and "the operating system" in done.stderr and "unexpected" not in done.stderr, (arguments, done.stderr)
        assert "getrandom" in done.stderr or arguments[0] == "ledger"
    assert set(tmp_path.iterdir()) == before
