"""An installed hushwalk serves a CMake project and a pkg-config user."""
import os
import pathlib
import re
import subprocess

import pytest

SOURCE = pathlib.Path(os.environ["HUSHWALK_SOURCE"])
BUILD = pathlib.Path(os.environ["HUSHWALK"]).parent
CONSUMER = SOURCE / "tests/golden/consumer"


def run(*command, **options):
    done = subprocess.run(command, capture_output=True, text=True, **options)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def compiler():
    """That of the build, and with its sanitizers, whose libraries a program needs as a whole."""
    cache = (BUILD / "CMakeCache.txt").read_text()
    values = dict(re.findall(r"^(\w+):\w+=(.*)$", cache, re.M))
    sanitize = values.get("HUSHWALK_SANITIZE")
    return values["CMAKE_CXX_COMPILER"], [f"-fsanitize={sanitize}"] if sanitize else []


@pytest.fixture(scope="module")
def prefix(tmp_path_factory):
    folder = tmp_path_factory.mktemp("installed")
    run("cmake", "--install", str(BUILD), "--prefix", str(folder))
    return folder


def check(output):
    *ranking, code = output.split("\n")[:-1]
    names = [line.split()[0] for line in ranking]
    scores = [float(line.split()[1]) for line in ranking]
    assert names == ["bob", "eve"]
    # p = 0.2 s + 0.4 p + 0.4 P p gives 3a = 1 + b, 3b = 2a + 2e, 3e = b, hence a = 7/15, b = 2/5, e = 2/15.
    assert scores == [0.4, 0.133]
    assert code == "1"


def test_cmake_package(prefix, tmp_path):
    program, flags = compiler()
    run("cmake", "-S", str(CONSUMER), "-B", str(tmp_path), f"-DCMAKE_PREFIX_PATH={prefix}", f"-DCMAKE_CXX_COMPILER={program}",
        f"-DCMAKE_CXX_FLAGS={' '.join(flags)}")
    example = re.search(r"```cpp\n(.*?)```", (SOURCE / "docs/extending.md").read_text(), re.S)[1]
    (tmp_path / "extending_example.h").write_text(example)
    run("cmake", "--build", str(tmp_path))
    check(run(str(tmp_path / "consumer")))
    assert run(str(tmp_path / "extender")) == "best 34\ncertificate holds\naudit consistent\nevaluated yes\n"


def test_every_page_that_a_certificate_or_a_message_names_is_installed(prefix):
    named = {name for room in ("src", "cli", "service") for path in (SOURCE / room).rglob("*.cpp")
             for name in re.findall(r"docs/[\w/-]+\.md", "".join(re.findall(r'"[^"\n]*"', path.read_text())))}
    assert len(named) > 15 and [name for name in named if not (prefix / "share/doc/hushwalk" / name).exists()] == []


def test_pkg_config(prefix, tmp_path):
    folder = next(prefix.rglob("hushwalk.pc")).parent  # installed elsewhere than configured
    flags = run("pkg-config", "--static", "--cflags", "--libs", "hushwalk",
                env=os.environ | {"PKG_CONFIG_PATH": str(folder)}).split()
    program = tmp_path / "consumer"
    used, more = compiler()
    run(used, "-std=c++20", str(CONSUMER / "consumer.cpp"), "-o", str(program), *flags, *more)
    check(run(str(program)))


def test_installed_program_runs(prefix):
    assert run(str(prefix / "bin/hushwalk"), "--version").startswith("hushwalk ")
