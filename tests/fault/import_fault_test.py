"""Interrupted and failing work leaves no broken file behind, and says what went wrong."""
import os
import random
import resource
import signal
import subprocess
import sys
import time

import pytest


@pytest.fixture(scope="module")
def text(tmp_path_factory):
    path = tmp_path_factory.mktemp("text") / "g.txt"
    rng = random.Random(1)
    path.write_text("".join(f"{rng.randrange(200_000)} {rng.randrange(200_000)}\n" for _ in range(1_000_000)))
    return path


def start(hushwalk, *arguments, **options):
    return subprocess.Popen([hushwalk.program, *map(str, arguments)], stdout=subprocess.DEVNULL,
                            stderr=subprocess.DEVNULL, **options)


@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGINT, signal.SIGTERM])
def test_killed_while_reading_leaves_nothing(hushwalk, tmp_path, text, how):
    process = start(hushwalk, "import", "-", "-o", tmp_path / "g.hwg", stdin=subprocess.PIPE)
    process.stdin.write(text.read_bytes()[:5_000_000])
    process.stdin.flush()
    time.sleep(0.1)
    process.send_signal(how)
    assert process.wait(1800) == -how
    assert not list(tmp_path.iterdir())


def size_of(path):
    return sum(part.stat().st_size for part in path.iterdir()) if path.is_dir() else path.stat().st_size


@pytest.mark.parametrize("flags", [[], ["--files", 5]])
def test_killed_at_any_time_leaves_nothing_or_a_whole_file(hushwalk, tmp_path, text, flags):
    began = time.monotonic()
    hushwalk("import", text, "-o", tmp_path / "whole.hwg", *flags)
    whole = size_of(tmp_path / "whole.hwg")
    duration = time.monotonic() - began
    outcomes = {"nothing": 0, "whole": 0}
    for i in range(20):
        output = tmp_path / f"out{i}" / "g.hwg"
        output.parent.mkdir()
        process = start(hushwalk, "import", text, "-o", output, *flags)
        time.sleep(duration * i / 18)
        process.kill()
        process.wait()
        left = list(output.parent.iterdir())
        if output.exists():
            assert size_of(output) == whole
            hushwalk("info", output)
            left.remove(output)
            outcomes["whole"] += 1
        else:
            outcomes["nothing"] += 1
        # Between naming a finished file and renaming it there is a moment in which it has another name; parts get theirs one by one.
        for path in left:
            notes = path.is_file() and '"graph_id"' in path.read_text(errors="replace")
            assert path.name == "g.hwg.meta" and notes or path.name.endswith(".tmp") and (notes or flags or size_of(path) == whole)
    assert outcomes["nothing"] > 0, "no attempt was interrupted"


def small_files_only():
    """For preexec_fn: writing beyond a megabyte fails, as on a full disk."""
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (1_000_000, 1_000_000))


def test_a_full_disk_keeps_the_old_file(hushwalk, tmp_path, text):
    output = tmp_path / "g.hwg"
    hushwalk("generate", "karate", "-o", output)
    before = output.read_bytes()

    done = hushwalk("import", text, "-o", output, code=1, preexec_fn=small_files_only)
    assert "cannot write" in done.stderr and "File too large" in done.stderr
    assert output.read_bytes() == before
    assert sorted(path.name for path in tmp_path.iterdir()) == ["g.hwg", "g.hwg.meta"]
    assert "generated" in hushwalk("info", output).stdout, "its notes are back"
    done = hushwalk("import", text, "-o", output, "--files", 2, code=1, preexec_fn=small_files_only)
    assert "cannot write" in done.stderr and "g.hwg/part-0': File too large" in done.stderr
    assert output.read_bytes() == before
    assert sorted(path.name for path in tmp_path.iterdir()) == ["g.hwg", "g.hwg.meta"]


def killed_by_a_large_file():
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    resource.setrlimit(resource.RLIMIT_FSIZE, (1_000_000, 1_000_000))


def test_killed_while_writing_keeps_the_name_of_the_ledger(hushwalk, tmp_path, text):
    output = tmp_path / "g.hwg"
    hushwalk("generate", "karate", "-o", output)
    hushwalk("ledger", "init", "--graph", output, "--epsilon", "1", "-o", tmp_path / "L")
    ledger = hushwalk.json("info", output)["notes"]["ledger"]
    process = start(hushwalk, "import", text, "-o", output, preexec_fn=killed_by_a_large_file)
    assert process.wait(1800) == -signal.SIGXFSZ
    assert ledger and hushwalk.json("info", output)["notes"]["ledger"] == ledger

    notes = (tmp_path / "g.hwg.meta").read_bytes()  # as when it is killed between the graph and its notes
    hushwalk("import", text, "-o", output)
    (tmp_path / "g.hwg.meta").write_bytes(notes)
    assert "Import again" in hushwalk("rank", output, "--seed", "1", "--epsilon", "1", code=1).stderr
    hushwalk("import", text, "-o", output)
    assert hushwalk.json("info", output)["notes"]["ledger"] == ledger


NO_TMPFILE = r"""
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
static int refuse_or(const char* symbol, const char* path, int flags, unsigned mode) {
  if ((flags & O_TMPFILE) == O_TMPFILE) return errno = EOPNOTSUPP, -1;
  return reinterpret_cast<int (*)(const char*, int, ...)>(dlsym(RTLD_NEXT, symbol))(path, flags, mode);
}
static unsigned mode_of(va_list arguments) { return va_arg(arguments, unsigned); }
#define SHIM(name) extern "C" int name(const char* path, int flags, ...) { \
  va_list arguments; va_start(arguments, flags); \
  const unsigned mode = (flags & (O_CREAT | O_TMPFILE)) != 0 ? mode_of(arguments) : 0; \
  va_end(arguments); return refuse_or(#name, path, flags, mode); }
SHIM(open)
SHIM(open64)
extern "C" int renameat2(int, const char*, int, const char*, unsigned) { return errno = EINVAL, -1; }
"""


# As over a network, where names cannot be exchanged either.
def test_a_file_system_without_nameless_files(hushwalk, tmp_path, text):
    if "san" in hushwalk.program:
        pytest.skip("sanitizers do not go with a preloaded library")
    source, shim, folder = tmp_path / "shim.cpp", tmp_path / "shim.so", tmp_path / "out"
    folder.mkdir()
    source.write_text(NO_TMPFILE)
    subprocess.run(["g++", "-shared", "-fPIC", source, "-o", shim, "-ldl"], check=True)
    environment = os.environ | {"LD_PRELOAD": str(shim)}
    hushwalk("generate", "karate", "-o", folder / "g.hwg", env=environment)
    assert hushwalk.json("info", folder / "g.hwg")["edges"] == 78
    hushwalk("import", text, "-o", folder / "h.hwg", code=1, env=environment, preexec_fn=small_files_only)
    assert sorted(path.name for path in folder.iterdir()) == ["g.hwg", "g.hwg.meta"]
    hushwalk("import", text, "-o", folder / "h.hwg", "--files", 3, code=1, env=environment, preexec_fn=small_files_only)
    assert sorted(path.name for path in folder.iterdir()) == ["g.hwg", "g.hwg.meta"]
    for files in (3, 200, 2):
        hushwalk("import", text, "-o", folder / "g.hwg", "--files", files, env=environment)
        assert len(list((folder / "g.hwg").iterdir())) in range(2, files + 1)
        assert hushwalk.json("info", folder / "g.hwg")["nodes"] > 1000
    hushwalk("generate", "karate", "-o", folder / "g.hwg", env=environment)
    assert sorted(path.name for path in folder.iterdir()) == ["g.hwg", "g.hwg.meta"]


def test_standard_output_that_cannot_be_written(hushwalk, tmp_path):
    with open("/dev/full", "w") as full:
        process = subprocess.run([hushwalk.program, "demo"], cwd=tmp_path, stdout=full, stderr=subprocess.PIPE, text=True)
    assert process.returncode == 1 and "No space left" in process.stderr
    reader, writer = os.pipe()
    os.close(reader)
    process = subprocess.run([hushwalk.program, "demo"], cwd=tmp_path, stdout=writer, stderr=subprocess.PIPE, text=True)
    os.close(writer)
    assert process.returncode == 141 and process.stderr == "", "nobody reads: nothing to say"
    assert not list(tmp_path.iterdir())


def test_a_graph_file_cut_short_is_refused(hushwalk, tmp_path, text):
    output = tmp_path / "g.hwg"
    hushwalk("import", text, "-o", output)
    size = output.stat().st_size
    for part in (0, 7, 100, 255, 256, size // 2, size - 1):
        cut = tmp_path / "cut.hwg"
        cut.write_bytes(output.read_bytes()[:part])
        done = hushwalk("rank", cut, "--seed", "1", "--exact", code=1)
        assert done.stdout == "" and "cut.hwg" in done.stderr


# A process starts with the peak of the one that started it, so a small one in between does the measuring.
PEAK = """import resource, subprocess, sys
subprocess.run(sys.argv[1:], check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss * 1024)"""


def peak_of(hushwalk, source, output):
    """The memory an import takes at most, in bytes."""
    command = [sys.executable, "-c", PEAK, hushwalk.program, "import", str(source), "-o", str(output)]
    return int(subprocess.run(command, capture_output=True, text=True, check=True).stdout)


@pytest.mark.parametrize("name, both_directions", [("{}", False), ("{}", True), ("user-{:07}", True)])
def test_memory_stays_near_the_graph(hushwalk, tmp_path, name, both_directions):
    """At most two and a half times the graph with its names, plus what any process takes."""
    if "san" in hushwalk.program:
        pytest.skip("sanitizers take memory of their own")
    rng = random.Random(2)
    names = [name.format(i) for i in range(100_000)]
    pairs = [(rng.choice(names), rng.choice(names)) for _ in range(2_000_000)]
    source, output = tmp_path / "g.txt", tmp_path / "g.hwg"
    source.write_text("".join(f"{u} {v}\n" + f"{v} {u}\n" * both_directions for u, v in pairs))
    peak = peak_of(hushwalk, source, output)
    assert peak < 2.5 * output.stat().st_size + (30 << 20)


def test_repeated_lines_take_no_memory(hushwalk, tmp_path):
    """Forty million lines of which three are distinct: 320 MB if each were kept."""
    if "san" in hushwalk.program:
        pytest.skip("sanitizers take memory of their own")
    source, output = tmp_path / "g.txt.zst", tmp_path / "g.hwg"
    with subprocess.Popen(["zstd", "-q", "-o", str(source)], stdin=subprocess.PIPE) as packer:
        for _ in range(40):
            packer.stdin.write(b"1 2\n2 1\n3 3\n2 3\n" * 250_000)
    assert source.stat().st_size < 100_000
    peak = peak_of(hushwalk, source, output)
    assert peak < 200 << 20
    report = hushwalk.json("import", source, "-o", output)
    assert (report["lines"], report["edges"], report["self_loops"], report["duplicates"]) == (40_000_000, 2, 10_000_000, 29_999_998)
