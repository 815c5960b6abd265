"""A graph file in several parts, a folder, is to every verb what the file is."""
import json
import os
import random
import resource
import shutil
import stat

import pytest


def mode(path):
    return stat.S_IMODE(path.stat().st_mode)


def whole(folder):
    return b"".join((folder / f"part-{number}").read_bytes() for number in range(len(os.listdir(folder))))


def without_id(content):
    """Without the random id of the graph, and the checksum of the header, which covers it."""
    content = bytearray(content)
    content[40:56] = bytes(16)
    content[248:256] = bytes(8)
    return bytes(content)


@pytest.fixture(scope="module")
def made(hushwalk, tmp_path_factory):
    """A text, its graph file, and the same in four parts."""
    folder = tmp_path_factory.mktemp("parts")
    draw = random.Random(4)
    (folder / "g.txt").write_text("".join(f"{draw.randrange(9000)} {draw.randrange(9000)}\n" for _ in range(60_000)))
    hushwalk("import", "g.txt", "-o", "file.hwg", cwd=folder)
    hushwalk("import", "g.txt", "-o", "g.hwg", "--files", 4, cwd=folder)
    return folder


@pytest.fixture
def graph(made, tmp_path):
    return shutil.copytree(made, tmp_path / "here") / "g.hwg"


def test_the_parts_are_the_file(graph):
    assert sorted(os.listdir(graph)) == ["part-0", "part-1", "part-2", "part-3"]
    assert without_id(whole(graph)) == without_id((graph.parent / "file.hwg").read_bytes())
    sizes = [(graph / f"part-{number}").stat().st_size for number in range(4)]
    assert sizes[0] == sizes[1] == sizes[2] >= sizes[3] > 0 and sizes[0] % 65536 == 0


def test_exact_answers_and_statistics_are_those_of_the_file(hushwalk, graph):
    file = graph.parent / "file.hwg"
    ask = "--seed", 5, "--exact", "--full", "--json"
    assert hushwalk("rank", graph, *ask).stdout == hushwalk("rank", file, *ask).stdout
    infos = [hushwalk.json("info", path) for path in (graph, file)]
    assert {key for key in infos[0] if infos[0][key] != infos[1][key]} <= {"graph_id", "notes"}
    assert infos[0]["notes"]["source"] == "imported: g.txt"
    plans = [hushwalk.json("plan", path, "--seed", 5, "--epsilon", 1)["plan"] | {"graph_id": ""} for path in (graph, file)]
    assert plans[0] == plans[1]


def test_under_one_ledger_the_file_of_all_parts_has_the_same_private_answers(hushwalk, graph):
    one, ledger = graph.parent / "one.hwg", graph.parent / "L"
    one.write_bytes(whole(graph))
    hushwalk("ledger", "init", "--graph", graph, "--epsilon", 9, "-o", ledger)
    notes = json.loads((graph.parent / "g.hwg.meta").read_text())
    assert notes["ledger"] == hushwalk.json("ledger", "show", ledger)["ledger_id"]
    for flags in (["--mechanism", "twohop"], ["--mechanism", "output"], ["--mechanism", "circles"]):
        ask = ["--ledger", ledger, "--seed", 5, "--epsilon", "0.5", "--full", "--json", *flags]
        released, again = hushwalk("rank", graph, *ask), hushwalk("rank", one, *ask)
        assert again.stdout == released.stdout and "nothing charged" in again.stderr
    hushwalk("share", graph, "--epsilon", 1, "--ledger", ledger, "-o", graph.parent / "s.share")


def test_parts_replace_a_graph_and_nothing_else(hushwalk, graph):
    here, text = graph.parent, graph.parent / "g.txt"
    before = sorted(os.listdir(here))
    old = hushwalk.json("info", graph)["graph_id"]
    hushwalk("import", text, "-o", graph, "--files", 2)
    assert sorted(os.listdir(graph)) == ["part-0", "part-1"] and hushwalk.json("info", graph)["graph_id"] != old
    hushwalk("import", text, "-o", graph)
    assert graph.is_file()
    hushwalk("import", text, "-o", graph, "--files", 3, "--mode", 640)
    assert mode(graph) == 0o750 and {mode(part) for part in graph.iterdir()} == {0o640}
    assert sorted(os.listdir(here)) == before, "nothing is left"
    hushwalk("ledger", "init", "--graph", graph, "--epsilon", 9, "-o", here / "L")
    assert "would replace a ledger" in hushwalk("import", text, "-o", here / "L", "--files", 2, code=2).stderr
    (here / "mine").mkdir()
    (here / "mine" / "part-0").write_text("mine")
    for parts in ([], ["--files", 2]):
        assert "would replace a text" in hushwalk("import", text, "-o", here / "mine", *parts, code=2).stderr
    assert "among the parts" in hushwalk("rank", graph, "--seed", 5, "--exact", "-o", graph / "answer", code=2).stderr
    assert "among the parts" in hushwalk("rank", graph, "--seed", 5, "--exact", "--output-dir", graph, code=None).stderr
    assert "would replace the input" in hushwalk("rank", graph, "--seed", 5, "--exact", "-o", graph, code=2).stderr
    assert "not a regular file" in hushwalk("rank", here / "file.hwg", "--seed", 5, "--exact", "-o", graph, code=1).stderr
    assert "would replace the input" in hushwalk("import", graph, "-o", graph, code=2).stderr
    assert sorted(os.listdir(graph)) == ["part-0", "part-1", "part-2"]


def test_new_parts_are_for_their_owner_only(graph):
    # Those of the fixture: they were copied with their permissions.
    assert mode(graph) == 0o700 and {mode(part) for part in graph.iterdir()} == {0o600}


def test_an_old_folder_opens_no_part_to_more_than_could_read_it(hushwalk, graph):
    graph.chmod(0o755)
    hushwalk("import", graph.parent / "g.txt", "-o", graph, "--files", 2)
    assert mode(graph) == 0o700 and {mode(part) for part in graph.iterdir()} == {0o600}


def contents(folder):
    return {path.name: path.read_bytes() for path in folder.iterdir()}


@pytest.mark.parametrize("files", [{"part-0": b"", "part-1": b"mine"}, {"part-0": None, "part-1": b"SQLite format 3\0"},
                                   {"part-0": None, "part-3": b"hushwalk ledger key"}, {"part-0": b"PK\3\4"}])
def test_folders_that_are_no_graph_stay_as_they_are(hushwalk, graph, files):
    mine = graph.parent / "mine"
    mine.mkdir()
    for name, content in files.items():
        (mine / name).write_bytes((graph / "part-0").read_bytes() if content is None else content)
    before = contents(mine)
    for parts in ([], ["--files", 2]):
        hushwalk("import", graph.parent / "g.txt", "-o", mine, *parts, code=1 if files["part-0"] == b"" else 2)
        assert contents(mine) == before


def test_a_text_in_the_folder_is_not_replaced_by_what_is_made_of_it(hushwalk, graph):
    (graph / "part-4").write_text("1 2\n")
    assert "would replace the input" in hushwalk("import", graph / "part-4", "-o", graph, code=2).stderr
    assert (graph / "part-4").read_text() == "1 2\n"


def test_ledgers_and_keys_are_not_made_among_parts(hushwalk, graph):
    file, elsewhere = graph.parent / "file.hwg", graph.parent / "L"
    make = "ledger", "init", "--graph", file, "--epsilon", 9
    assert "among the parts" in hushwalk(*make, "-o", graph / "L", code=2).stderr
    assert "among the parts" in hushwalk(*make, "-o", elsewhere, "--key", graph / "K", code=2).stderr
    assert "among the parts" in hushwalk("keys", "new", "--issuer", "Me", "-o", graph / "S", code=2).stderr
    assert not elsewhere.exists() and len(os.listdir(graph)) == 4


def test_without_enough_open_files_nothing_is_left(hushwalk, graph):
    def few():
        resource.setrlimit(resource.RLIMIT_NOFILE, (64, 64))

    before = sorted(os.listdir(graph.parent))
    refused = hushwalk("import", graph.parent / "g.txt", "-o", graph.parent / "new.hwg", "--files", 200, code=1, preexec_fn=few)
    assert "use fewer" in refused.stderr and "ulimit -n" in refused.stderr
    assert sorted(os.listdir(graph.parent)) == before


def test_parts_are_imported_from_no_more_than_a_file_is(hushwalk, graph):
    assert "current version already" in hushwalk("import", graph, "-o", graph.parent / "new.hwg", code=2).stderr
    assert not (graph.parent / "new.hwg").exists()


@pytest.mark.parametrize("number", ["1", "0", "257", "-3", "two"])
def test_numbers_of_files_that_make_no_sense_are_wrong_usage(hushwalk, graph, number):
    hushwalk("import", graph.parent / "g.txt", "-o", graph.parent / "new.hwg", "--files", number, code=2)
    assert not (graph.parent / "new.hwg").exists()


def hostile(graph, what):
    """Spoils the folder; returns what must be said."""
    last = graph / "part-3"
    if what == "a part is missing":
        (graph / "part-1").unlink()
        return "part-1' is missing"
    if what == "the last is missing":
        last.unlink()
        return "part-3' is missing"
    if what == "the first is missing":
        (graph / "part-0").unlink()
        return "is a directory"
    if what == "one more":
        (graph / "part-4").write_bytes(b"x")
        return "part-3' are not of the sizes"
    if what == "something else":
        (graph / "README").write_bytes(b"x")
        return "README' is no part"
    if what == "cut":
        os.truncate(last, last.stat().st_size - 1)
        return "part-3' is truncated"
    if what == "cut in the middle":
        os.truncate(graph / "part-1", 70_000)
        return "part-1' are not of the sizes"
    if what == "longer":
        with last.open("ab") as file:
            file.write(b"x")
        return "is damaged"
    if what == "of another graph":
        part = graph / "part-2"
        part.write_bytes(bytes(part.stat().st_size))
        return "is damaged"
    last.unlink()
    if what == "a link":
        last.symlink_to("/etc/passwd")
    if what == "a folder":
        last.mkdir()
    if what == "a pipe":
        os.mkfifo(last)
    if what == "a socket or device":
        last.symlink_to("/dev/zero")
    return "part-3' is not a regular file"


HOSTILE = ("a part is missing", "the last is missing", "the first is missing", "one more", "something else", "cut", "cut in the middle",
           "longer", "of another graph", "a link", "a folder", "a pipe", "a socket or device")


UNEVEN = ("a part is missing", "one more", "cut in the middle", "a link", "a folder", "a pipe")


@pytest.mark.parametrize("what", HOSTILE)
def test_a_folder_that_is_not_whole_is_refused(hushwalk, graph, what):
    words = hostile(graph, what)
    for ask in (["rank", graph, "--seed", 5, "--exact"], ["info", graph], ["rank", graph, "--seed", 5, "--epsilon", 1]):
        refused = hushwalk(*ask, code=1)
        assert words in refused.stderr and refused.stdout == "", refused.stderr
        if what in UNEVEN:
            assert "copy the whole folder again, or import anew" in refused.stderr


def test_a_damaged_part_is_named_to_the_custodian(hushwalk, graph):
    hostile(graph, "of another graph")
    assert "part-2'" in hushwalk("info", graph, code=1).stderr


def test_folders_that_are_no_graph_are_refused(hushwalk, tmp_path):
    (tmp_path / "empty").mkdir()
    (tmp_path / "texts").mkdir()
    (tmp_path / "texts" / "part-0").write_text("1 2\n")
    assert "is a directory" in hushwalk("info", tmp_path / "empty", code=1).stderr
    assert "part-0' is not a hushwalk graph file" in hushwalk("info", tmp_path / "texts", code=1).stderr


def test_a_part_that_may_not_be_read_is_named(hushwalk, graph):
    (graph / "part-1").chmod(0)
    if os.geteuid() == 0:
        pytest.skip("root may read everything")
    assert "part-1': Permission denied" in hushwalk("info", graph, code=1).stderr
