"""hushwalk-mpi import makes the graph file that one machine makes of all texts one after the other, byte for byte but for the
random graph id, with the same counts, notices and errors."""
import gzip
import json
import lzma
import os
import random
import shutil
import signal
import subprocess

import pytest

from hang import HANG
from ranks import ENVIRONMENT, MANY, Interrupted, command, mpi


def bytes_of(path):
    """A graph file without its id, and without the checksum of the header, which covers the id."""
    content = bytearray(path.read_bytes())
    content[40:56] = bytes(16)
    content[248:256] = bytes(8)
    return bytes(content)


def lines_of(pairs):
    return "".join(f"{u} {v}\n" for u, v in pairs).encode()


def random_pairs(count, ids, seed):
    draw = random.Random(seed)
    return [(draw.choice(ids), draw.choice(ids)) for _ in range(count)]


def zstd(text):
    return subprocess.run(["zstd", "-q", "-c"], input=text, capture_output=True, check=True).stdout


SMALL = range(1, 400)
HUGE = [(-1) ** i * (2**62 - 7**i) for i in range(20)]
NAMES = ["Zoë", "李雷", "ann", "Ann", "ñandú", "007", "7"] + [f"n{i}é" for i in range(200)]

# Texts, and flags.
CASES = {
    "integers": ([lines_of(random_pairs(3000, SMALL, part)) for part in range(4)], []),
    "more rows than a piece of the file": ([lines_of(random_pairs(9000, range(20000), part)) for part in range(3)], []),
    "huge integers": ([lines_of(random_pairs(2000, HUGE, part)) for part in range(3)], []),
    "names": ([lines_of(random_pairs(2000, NAMES, part)) for part in range(3)], []),
    "integers in one text and names in another": ([lines_of(random_pairs(500, SMALL, 1)), lines_of(random_pairs(500, NAMES, 2))], []),
    "integers taken as text": ([lines_of(random_pairs(500, SMALL, part)) for part in range(2)], ["--string-ids"]),
    "repeats and self-loops": ([b"1 2\n3 3\n2 1\n", b"2 1\n1 2\n4 4\n3 3\n", b"1 2\n5 1\n"], []),
    "an empty text": ([b"", b"# nothing\n\n", b"1 2\n", b"", b"2 3\n"], []),
    "one text": ([lines_of(random_pairs(800, SMALL, 7))], []),
    "no line end": ([b"1 2\n2 3", b"3 4", b"4 5"], []),
    "a declared list": ([b"1 2\n", b"2 7\n"], ["--nodes", "list.txt"]),
    "a declared list of names": ([b"ann bob\n", b"bob 9\n"], ["--nodes", "names.txt"]),
    "a declared list without edges": ([b"# none\n", b""], ["--nodes", "list.txt"]),
    "a bound": ([b"1 2\n", b"2 3\n"], ["--max-edges", 3]),
    "bad lines": ([b"1 2\nx\n", b"2 3\n\xff y\n", b"nobody\n3 4\n"], ["--skip-bad-lines", 3]),
    "a header": ([b"from to\n1 2\n", b"2 3\n"], ["--header"]),
    "a header that shows": ([b"from to\n1 2\n", b"2 3\n"], []),
    "a first line that is an edge": ([b"source target\nann bob\n", b"bob eve\n"], []),
    "columns": ([b"id;from;to\n1;5;6\n2;6;7\n", b"3;7;8\n"], ["--columns", "from,to", "--delimiter", "semicolon"]),
    "weights": ([b"1 2 0.5\n", b"2 3 0.25\n3 4\n"], []),
}


def write_texts(folder, texts):
    for number, text in enumerate(texts):
        (folder / f"part-{number}.txt").write_bytes(text)
    (folder / "all.txt").write_bytes(b"".join(text if text.endswith(b"\n") or not text else text + b"\n" for text in texts))
    (folder / "list.txt").write_text("".join(f"{i}\n" for i in range(1, 10)))
    (folder / "names.txt").write_text("ann\nbob\neve\nÖ\n9\n")


def report_of(done):
    report = json.loads(done.stdout)
    del report["graph_id"]
    return report, done.stderr


@pytest.mark.parametrize("processes", MANY)
@pytest.mark.parametrize("name", CASES)
def test_the_file_is_that_of_one_machine(hushwalk, tmp_path, name, processes):
    texts, flags = CASES[name]
    write_texts(tmp_path, texts)
    one = hushwalk("import", "part-*.txt", "-o", "one.hwg", *flags, "--json", cwd=tmp_path)
    many = mpi(processes, "import", "part-*.txt", "-o", "many.hwg", *flags, "--json", cwd=tmp_path)
    hushwalk("import", "all.txt", "-o", "all.hwg", *flags, cwd=tmp_path)
    assert bytes_of(tmp_path / "many.hwg") == bytes_of(tmp_path / "one.hwg") == bytes_of(tmp_path / "all.hwg")
    assert report_of(many) == report_of(one)
    assert hushwalk.json("info", "many.hwg", cwd=tmp_path)["nodes"] == json.loads(one.stdout)["nodes"]


@pytest.mark.parametrize("processes", [6])
@pytest.mark.parametrize("name", ["names", "repeats and self-loops", "a declared list without edges"])
def test_more_processes_than_texts_are_no_trouble(hushwalk, tmp_path, name, processes):
    test_the_file_is_that_of_one_machine(hushwalk, tmp_path, name, processes)


def test_texts_may_be_compressed(hushwalk, tmp_path):
    texts = [lines_of(random_pairs(4000, SMALL, part)) for part in range(4)]
    write_texts(tmp_path, texts)
    (tmp_path / "c0").write_bytes(gzip.compress(texts[0]))
    (tmp_path / "c1").write_bytes(lzma.compress(texts[1]))
    (tmp_path / "c2").write_bytes(zstd(texts[2]))
    (tmp_path / "c3").write_bytes(texts[3])
    mpi(2, "import", "c[0-3]", "-o", "many.hwg", cwd=tmp_path)
    mpi(2, "import", "c3", "c1", "c0", "c2", "-o", "other.hwg", cwd=tmp_path)
    hushwalk("import", "all.txt", "-o", "one.hwg", cwd=tmp_path)
    assert bytes_of(tmp_path / "many.hwg") == bytes_of(tmp_path / "one.hwg") == bytes_of(tmp_path / "other.hwg")


def test_a_header_in_every_text_is_skipped_in_every_text(hushwalk, tmp_path):
    write_texts(tmp_path, [b"from to\n1 2\n", b"# part 1\nfrom to\n2 3\n", b"3 4\n"])
    for flags in ([], ["--header"], ["--columns", "from,to"]):
        one = hushwalk.json("import", "part-*.txt", "-o", "one.hwg", *flags, cwd=tmp_path)
        assert (one["nodes"], one["edges"], one["lines"]) == (4, 3, 3)
        mpi(2, "import", "part-*.txt", "-o", "many.hwg", *flags, cwd=tmp_path)
        assert bytes_of(tmp_path / "many.hwg") == bytes_of(tmp_path / "one.hwg")


def test_a_line_that_starts_every_text_of_names_is_one_edge(hushwalk, tmp_path):
    write_texts(tmp_path, [b"ann bob\nbob eve\n", b"ann bob\neve joe\n"])
    one, many = (report_of(done)[0] for done in (hushwalk("import", "part-*.txt", "-o", "one.hwg", "--json", cwd=tmp_path),
                                                 mpi(2, "import", "part-*.txt", "-o", "many.hwg", "--json", cwd=tmp_path)))
    assert one == many and (one["edges"], one["duplicates"], one["lines"]) == (3, 1, 4)
    assert bytes_of(tmp_path / "many.hwg") == bytes_of(tmp_path / "one.hwg")


def test_standard_input_is_read_by_the_first_process(hushwalk, tmp_path):
    done = subprocess.run(command(2, "import", "-", "-o", "many.hwg"), cwd=tmp_path, input=b"1 2\n2 3\n", capture_output=True,
                          env=ENVIRONMENT, timeout=HANG)
    assert done.returncode == 0, done.stderr
    assert hushwalk.json("info", "many.hwg", cwd=tmp_path)["edges"] == 2


def test_notes_stand_beside_the_file(hushwalk, tmp_path):
    write_texts(tmp_path, [b"1 2\n", b"2 3\n"])
    mpi(2, "import", "part-*.txt", "-o", "g.hwg", "--mode", "640", cwd=tmp_path)
    notes = json.loads((tmp_path / "g.hwg.meta").read_text())
    assert notes["source"] == "imported: part-*.txt" and notes["written"] == notes["checked"]
    assert notes["graph_id"] == hushwalk.json("info", "g.hwg", cwd=tmp_path)["graph_id"]
    assert (tmp_path / "g.hwg").stat().st_mode & 0o777 == 0o640


def test_what_was_imported_answers_as_any_graph(hushwalk, tmp_path):
    write_texts(tmp_path, CASES["names"][0])
    mpi(2, "import", "part-*.txt", "-o", "g.hwg", cwd=tmp_path)
    question = ["rank", "g.hwg", "--seed", "Zoë", "--exact", "--full", "--json"]
    assert mpi(2, *question, cwd=tmp_path).stdout == hushwalk(*question, cwd=tmp_path).stdout


# --- in parts --------------------------------------------------------------------------------------------------


def whole(folder):
    return b"".join((folder / f"part-{number}").read_bytes() for number in range(len(os.listdir(folder))))


@pytest.fixture(scope="module")
def in_parts(tmp_path_factory):
    """Texts of a graph whose file has more than a megabyte."""
    made = tmp_path_factory.mktemp("parts")
    write_texts(made, [lines_of(random_pairs(20_000, range(30_000), part)) for part in range(3)])
    return made


@pytest.mark.parametrize("processes", MANY)
@pytest.mark.parametrize("files", [2, 5, 16])
def test_the_parts_of_a_file_are_the_file(hushwalk, in_parts, tmp_path, processes, files):
    here = shutil.copytree(in_parts, tmp_path / "here")
    hushwalk("import", "part-*.txt", "-o", "one.hwg", cwd=here)
    hushwalk("import", "part-*.txt", "-o", "parts.hwg", "--files", files, cwd=here)
    mpi(processes, "import", "part-*.txt", "-o", "many.hwg", "--files", files, cwd=here)
    assert len(os.listdir(here / "many.hwg")) == len(os.listdir(here / "parts.hwg")) in range(2, files + 1)
    (here / "all.hwg").write_bytes(whole(here / "many.hwg"))
    assert bytes_of(here / "all.hwg") == bytes_of(here / "one.hwg")
    for part in set(os.listdir(here / "many.hwg")) - {"part-0"}:
        assert (here / "many.hwg" / part).read_bytes() == (here / "parts.hwg" / part).read_bytes()
    assert (here / "many.hwg").stat().st_mode & 0o777 == 0o700
    assert {part.stat().st_mode & 0o777 for part in (here / "many.hwg").iterdir()} == {0o600}
    assert json.loads((here / "many.hwg.meta").read_text())["graph_id"] == hushwalk.json("info", "many.hwg", cwd=here)["graph_id"]


@pytest.mark.parametrize("processes", MANY)
def test_parts_answer_as_the_file_does(hushwalk, in_parts, tmp_path, processes):
    """Under copies of one ledger, so that the noise is the same."""
    here = shutil.copytree(in_parts, tmp_path / "here")
    mpi(processes, "import", "part-*.txt", "-o", "g.hwg", "--files", 4, cwd=here)
    hushwalk("ledger", "init", "--graph", "g.hwg", "--epsilon", 9, "-o", "L", cwd=here)
    copy = shutil.copytree(here, tmp_path / "copy")
    content = whole(copy / "g.hwg")
    shutil.rmtree(copy / "g.hwg")
    (copy / "g.hwg").write_bytes(content)
    for flags in (["--mechanism", "output"], ["--mechanism", "twohop"]):
        question = ["rank", "g.hwg", "--seed", 5, "--full", "--ledger", "L", "--format", "json", "--epsilon", 1, *flags]
        parts, file = mpi(processes, *question, cwd=here), hushwalk(*question, cwd=copy)
        assert json.loads(parts.stdout)["rankings"] == json.loads(file.stdout)["rankings"]


def test_parts_that_are_not_whole_are_refused_as_on_one_machine(hushwalk, in_parts, tmp_path):
    here = shutil.copytree(in_parts, tmp_path / "here")
    mpi(2, "import", "part-*.txt", "-o", "g.hwg", "--files", 4, cwd=here)
    question = ["rank", "g.hwg", "--seed", 5, "--exact"]
    spoil = {"missing": lambda part: part.unlink(), "cut": lambda part: os.truncate(part, 70_000),
             "other": lambda part: part.write_bytes(bytes(part.stat().st_size)), "pipe": lambda part: (part.unlink(), os.mkfifo(part))}
    for what, how in spoil.items():
        spoiled = shutil.copytree(here, tmp_path / what)
        how(spoiled / "g.hwg" / "part-2")
        one, many = hushwalk(*question, cwd=spoiled, code=1), mpi(2, *question, cwd=spoiled, code=1)
        # Of several damaged sections each names the one that it looks at first.
        assert one.stderr.splitlines()[0] in many.stderr and "part-2'" in one.stderr and "part-2'" in many.stderr


# --- what is wrong ---------------------------------------------------------------------------------------------

GOOD = lines_of(random_pairs(100, SMALL, 1))

WRONG = {
    "a bad line": ([GOOD, b"1 2\nalone\n", b"alone, too\n"], [], 1, "'part-1.txt':2: "),
    "too many bad lines": ([b"1 2\na\n", b"2 3\nb\n", b"c\n"], ["--skip-bad-lines", 2], 1, "'part-0.txt':2: "),
    "an id outside of the list": ([b"1 2\n", b"1 3\n2 77\n", b"88 1\n"], ["--nodes", "list.txt"], 1, "'part-1.txt':2: "),
    "an id beyond 64 bits": ([GOOD, GOOD, b"1 99999999999999999999\n"], [], 1, "'part-2.txt':1: "),
    "more edges than the bound": ([b"1 2\n", b"2 3\n"], ["--max-edges", 1], 3, "public bound"),
    "no edge": ([b"# none\n", b"\n"], [], 1, "has no edge"),
    "self-loops only": ([b"1 1\n", b"2 2\n"], [], 1, "but self-loops"),
    "a damaged text": ([GOOD, gzip.compress(GOOD)[:-9], b"alone\n"], [], 1, "'part-1.txt' is truncated"),
    "Matrix Market": ([GOOD, b"%%MatrixMarket matrix coordinate pattern symmetric\n2 2 1\n2 1\n"], [], 2, "only edge lists"),
    "a header that is not in the list": ([b"from to\nann bob\n", b"bob eve\n"], ["--nodes", "names.txt"], 1, "'part-0.txt':1: "),
}


@pytest.mark.parametrize("processes", MANY)
@pytest.mark.parametrize("name", WRONG)
def test_errors_are_those_of_one_machine_and_leave_no_file(hushwalk, tmp_path, name, processes):
    texts, flags, code, words = WRONG[name]
    write_texts(tmp_path, texts)
    before = sorted(os.listdir(tmp_path))
    question = ["import", "part-*.txt", "-o", "g.hwg", *flags]
    one = hushwalk(*question, cwd=tmp_path, code=code)
    many = mpi(processes, *question, cwd=tmp_path, code=None)
    assert words in one.stderr and one.stderr in many.stderr
    assert many.returncode == code and many.stdout == ""
    assert sorted(os.listdir(tmp_path)) == before


def test_what_several_processes_do_not_read_is_refused(hushwalk, tmp_path):
    (tmp_path / "g.mtx").write_text("%%MatrixMarket matrix coordinate pattern symmetric\n2 2 1\n2 1\n")
    (tmp_path / "g.graph").write_text("2 1\n2\n1\n")
    hushwalk("import", "g.mtx", "-o", "g.hwg", cwd=tmp_path)
    for file in ("g.mtx", "g.graph", "g.hwg"):
        assert "only edge lists" in mpi(2, "import", file, "-o", "new.hwg", cwd=tmp_path, code=2).stderr
    assert "read alone" in mpi(2, "import", "g.mtx", "-", "-o", "new.hwg", cwd=tmp_path, code=2).stderr
    assert "no file matches 'none-*'" in mpi(2, "import", "none-*", "-o", "new.hwg", cwd=tmp_path, code=1).stderr
    assert "cannot open" in mpi(2, "import", "g.mtx", "none", "-o", "new.hwg", cwd=tmp_path, code=1).stderr
    assert not list(tmp_path.glob("*new.hwg*"))


def test_a_failed_import_leaves_the_old_graph(hushwalk, tmp_path):
    write_texts(tmp_path, [b"1 2\n", b"2 3\n"])
    mpi(2, "import", "part-*.txt", "-o", "g.hwg", cwd=tmp_path)
    old = (tmp_path / "g.hwg").read_bytes(), (tmp_path / "g.hwg.meta").read_bytes()
    (tmp_path / "part-1.txt").write_text("alone\n")
    mpi(2, "import", "part-*.txt", "-o", "g.hwg", cwd=tmp_path, code=1)
    assert old == ((tmp_path / "g.hwg").read_bytes(), (tmp_path / "g.hwg.meta").read_bytes())


# --- what ends early -------------------------------------------------------------------------------------------

@pytest.fixture(scope="module")
def large(tmp_path_factory):
    made = tmp_path_factory.mktemp("large")
    for part in range(2):
        (made / f"part-{part}.txt").write_bytes(lines_of(random_pairs(300_000, range(50_000), part)))
    return made


ENDS = [(random.Random(at).uniform(0.3, 2.5), at) for at in range(10 if "HUSHWALK_ALL_RANKS" in os.environ else 2)]


@pytest.mark.parametrize("flags", [[], ["--files", "3"]])
@pytest.mark.parametrize("after, which", ENDS)
def test_a_process_that_dies_leaves_a_whole_file_or_none(hushwalk, large, tmp_path, after, which, flags):
    ended = Interrupted(["import", "part-*.txt", "-o", "g.hwg", *flags], 2, after, which,
                        lambda number: shutil.copytree(large, tmp_path / f"here-{number}"), [signal.SIGKILL, signal.SIGKILL, signal.SIGINT])
    here = ended.folder
    left = set(os.listdir(here)) - set(os.listdir(large))
    assert left <= {"g.hwg", "g.hwg.meta"}
    if "g.hwg" in left:
        hushwalk("rank", "g.hwg", "--exact", "--seed", 5, cwd=here)


@pytest.mark.parametrize("flags", [[], ["--files", "3"]])
def test_a_full_disk_is_one_message_and_leaves_nothing(large, tmp_path, flags):
    small = tmp_path / "small"
    small.mkdir()
    if subprocess.run(["mount", "-t", "tmpfs", "-o", "size=2m", "none", small], capture_output=True).returncode != 0:
        pytest.skip("no small disk can be made here: mounting one takes root")
    try:
        done = mpi(2, "import", "part-*.txt", "-o", small / "g.hwg", *flags, cwd=large, code=None)
        assert done.returncode != 0 and done.stdout == ""
        assert done.stderr.count("No space left on device") == 1 and f"cannot write '{small}/g.hwg" in done.stderr
        assert not os.listdir(small)
    finally:
        subprocess.run(["umount", small], check=True)
