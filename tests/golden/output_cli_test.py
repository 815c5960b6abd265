"""What the command line writes: never over a ledger or a file of another kind, and for its owner only."""
import os
import shutil

import pytest


@pytest.fixture
def folder(hushwalk, tmp_path):
    """A graph, its text, an artefact, a ledger and a page in one folder."""
    (tmp_path / "g.txt").write_text("1 2\n2 3\n3 1\n3 4\n")
    hushwalk("import", "g.txt", "-o", "g.hwg", cwd=tmp_path)
    hushwalk("share", "g.hwg", "--epsilon", 1, "-o", "s", cwd=tmp_path)
    hushwalk("ledger", "init", "--graph", "g.hwg", "--epsilon", 1, "-o", "L", cwd=tmp_path)
    return tmp_path


# Every verb with an output, as far as the output; what kind of file it writes.
WRITERS = {
    "generate": ("graph", ["generate", "karate", "-o"]),
    "import": ("graph", ["import", "g.txt", "-o"]),
    "exact": ("text", ["rank", "g.hwg", "--exact", "--seed", 1, "--json", "-o"]),
    "rank": ("text", ["rank", "g.hwg", "--epsilon", 1, "--seed", 1, "--format", "csv", "-o"]),
    "rank under a ledger": ("text", ["rank", "g.hwg", "--ledger", "L", "--epsilon", 0.1, "--seed", 1, "-o"]),
    "share": ("artefact", ["share", "g.hwg", "--epsilon", 1, "-o"]),
    "share under a ledger": ("artefact", ["share", "g.hwg", "--ledger", "L", "--epsilon", 0.1, "-o"]),
    "demo": ("text", ["demo", "--json", "-o"]),
    "evaluate": ("text", ["evaluate", "g.hwg", "--mechanism", "free", "--seeds", 1, "-o"]),
    "evaluate, resumable": ("text", ["evaluate", "g.hwg", "--mechanism", "free", "--seeds", 1, "--format", "jsonl", "--resume", "-o"]),
    "export": ("text", ["ledger", "export", "L", "-o"]),
}


def files(folder):
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def spent(hushwalk, folder):
    hushwalk("ledger", "verify", "L", cwd=folder)
    return hushwalk.json("ledger", "show", "L", cwd=folder)["spent"]


@pytest.mark.parametrize("writer", WRITERS)
def test_no_verb_replaces_a_ledger_or_what_belongs_to_it(hushwalk, folder, writer):
    shutil.copy(folder / "L", folder / "other")
    os.link(folder / "other", folder / "hard")
    (folder / "soft").symlink_to("other")
    before = files(folder)
    for output in ("L", "L-wal", "L-shm", "L-journal", "./L-wal", folder / "L-wal", "other", "other-wal", "hard", "soft"):
        done = hushwalk(*WRITERS[writer][1], output, code=2, cwd=folder)
        assert "would replace" in done.stderr and done.stdout == ""
        assert files(folder) == before
    assert spent(hushwalk, folder) == 0


def test_no_ledger_is_made_under_a_name_that_belongs_to_another(hushwalk, folder):
    before = files(folder)
    for end in ("-wal", "-shm", "-journal"):
        done = hushwalk("ledger", "init", "--graph", "g.hwg", "--epsilon", 1, "-o", "L" + end, "--force", code=2, cwd=folder)
        assert "belongs to a ledger, 'L'" in done.stderr and files(folder) == before


def test_no_copy_and_no_key_has_a_name_that_belongs_to_a_ledger(hushwalk, folder):
    before = files(folder)
    for end in ("-wal", "-shm", "-journal"):
        for verb in (["ledger", "backup", "L", "-o"], ["keys", "new", "-o"],
                     ["ledger", "init", "--graph", "g.hwg", "--epsilon", 1, "--force", "-o", "M", "--key"]):
            done = hushwalk(*verb, "L" + end, code=2, cwd=folder)
            assert "belongs to a ledger, 'L'" in done.stderr and files(folder) == before
    (folder / "N-wal").write_bytes(b"the last charges of a ledger that was called N")
    before = files(folder)
    assert "left from another ledger" in hushwalk("ledger", "backup", "L", "-o", "N", code=1, cwd=folder).stderr
    assert files(folder) == before


def test_the_head_beside_a_new_key_replaces_nothing(hushwalk, folder):
    (folder / "L").rename(folder / "K.head")
    before = files(folder)
    done = hushwalk("ledger", "init", "--graph", "g.hwg", "--epsilon", 1, "--force", "-o", "M", "--key", "K", code=2, cwd=folder)
    assert "'K.head', where the head beside the key would be, is a ledger" in done.stderr and files(folder) == before


@pytest.mark.parametrize("writer", WRITERS)
def test_no_verb_replaces_a_file_of_another_kind(hushwalk, folder, writer):
    kind, command = WRITERS[writer]
    for other, content in {"text": b"a,b\n1,2\n", "graph": (folder / "g.hwg").read_bytes(),
                           "artefact": (folder / "s").read_bytes(), "zip": b"PK\x03\x04"}.items():
        (folder / "out").write_bytes(content)
        if other != kind:
            assert "would replace" in hushwalk(*command, "out", code=2, cwd=folder).stderr
            assert (folder / "out").read_bytes() == content
    if "--resume" not in command:  # a file to resume must be of the same work
        (folder / "out").write_bytes(b"")
        for _ in range(2):
            hushwalk(*command, "out", cwd=folder)


def test_no_answer_stands_in_the_place_of_the_notes_on_a_graph(hushwalk, folder):
    before = files(folder)
    done = hushwalk("rank", "g.hwg", "--epsilon", 0.1, "--seed", 1, "-o", "g.hwg.meta", code=2, cwd=folder)
    assert "notes on the graph file" in done.stderr and files(folder) == before


def test_a_page_replaces_none_of_the_files_it_is_made_of(hushwalk, folder):
    hushwalk("keys", "new", "-o", "K", cwd=folder)
    hushwalk("keys", "public", "K", "-o", "P", cwd=folder)
    hushwalk("rank", "g.hwg", "--epsilon", 0.1, "--seed", 1, "--signing-key", "K", "--json", "-o", "a.json", cwd=folder)
    before = files(folder)
    for output in ("P", "a.json", "L", "L.key"):
        done = hushwalk("certificate", "a.json", "--for", "legal", "--public-key", "P", "--ledger", "L", "--key", "L.key", "-o", output, code=2, cwd=folder)
        assert output in done.stderr and files(folder) == before


def test_the_certificate_beside_a_table_replaces_no_ledger(hushwalk, folder):
    shutil.copy(folder / "L", folder / "a.csv.certificate.json")
    before = files(folder)
    done = hushwalk("rank", "g.hwg", "--ledger", "L", "--epsilon", 0.1, "--seed", 1, "--format", "csv", "-o", "a.csv", code=2, cwd=folder)
    assert "would replace a ledger" in done.stderr and files(folder) == before


def test_a_report_replaces_no_ledger(hushwalk, folder):
    (folder / "out").mkdir()
    shutil.copy(folder / "L", folder / "out" / "report.html")
    assert "would replace a ledger" in hushwalk("reproduce", "--quick", "-o", "out", code=2, cwd=folder).stderr


def mode(path):
    return path.stat().st_mode & 0o777


PUBLISHABLE = {"share", "share under a ledger", "demo"}


@pytest.mark.parametrize("writer", WRITERS)
def test_files_are_for_their_owner_unless_they_may_be_published(hushwalk, folder, writer):
    command = WRITERS[writer][1]
    hushwalk(*command, "new", cwd=folder, umask=0o022)
    assert mode(folder / "new") == (0o644 if writer in PUBLISHABLE else 0o600)
    hushwalk(*command, "wider", "--mode", "664", cwd=folder, umask=0o022)
    assert mode(folder / "wider") == 0o664
    hushwalk(*command, "wider", "--mode", "640", cwd=folder)
    assert mode(folder / "wider") == 0o640
    hushwalk(*command, "wider", cwd=folder)
    assert mode(folder / "wider") == 0o640, "a file that is replaced passes on its permissions"
    if writer == "rank":
        assert mode(folder / "new.certificate.json") == 0o600
        assert mode(folder / "wider.certificate.json") == 0o640
    for nonsense in ("", "7", "888", "rw-", "044", "1777"):
        assert "--mode" in hushwalk(*command, "x", "--mode", nonsense, code=2, cwd=folder).stderr
    assert not (folder / "x").exists()


def test_what_was_measured_on_graphs_of_ones_own_is_for_their_owner(hushwalk, folder):
    hushwalk("generate", "karate", "-o", "own.hwg", cwd=folder)
    reproduce = ["reproduce", "datasets", "--quick", "-o"]
    hushwalk(*reproduce, "public", cwd=folder, umask=0o022)
    hushwalk(*reproduce, "secret", "--graphs", "own.hwg", cwd=folder, umask=0o022)
    for file in ("report.html", "datasets.csv"):
        assert mode(folder / "public" / file) == 0o644 and mode(folder / "secret" / file) == 0o600


def test_what_is_for_one_recipient_or_tells_of_the_ledger_is_not_for_others_to_read(hushwalk, folder):
    share = ["share", "g.hwg", "--ledger", "L", "--epsilon", 0.1]
    hushwalk(*share, "--recipient", "bob", "-o", "bob's", cwd=folder, umask=0o022)
    assert mode(folder / "bob's") == 0o600
    hushwalk("rank", "g.hwg", "--ledger", "L", "--epsilon", 0.1, "--seed", 1, "--json", "-o", "a.json", cwd=folder)
    page = ["certificate", "a.json", "--for", "legal", "-o"]
    hushwalk(*page, "page.html", cwd=folder, umask=0o022)
    hushwalk(*page, "spent.html", "--ledger", "L", cwd=folder, umask=0o022)
    assert (mode(folder / "page.html"), mode(folder / "spent.html")) == (0o644, 0o600)


def test_no_unfinished_file_takes_the_place_of_another_file(hushwalk, folder):
    ask = ["rank", "g.hwg", "--ledger", "L", "--epsilon", 0.1, "--seed", 1, "--seed", 2, "--format", "csv", "--resume", "-o", "out"]
    shutil.copy(folder / "L", folder / "out.unfinished")
    before = files(folder)
    assert "a ledger" in hushwalk(*ask, code=2, cwd=folder).stderr
    assert files(folder) == before
    (folder / "out.unfinished").write_text("somebody's notes\n")
    before = files(folder)
    assert "another request" in hushwalk(*ask, code=1, cwd=folder).stderr
    assert files(folder)["out.unfinished"] == before["out.unfinished"]


# What is written into a file that is there before it is complete, and under which name.
GROWING = {
    "rank": (["rank", "g.hwg", "--ledger", "L", "--epsilon", 0.1, "--seed", 1, "--seed", 2, "--format", "csv", "-o", "out"], "out.unfinished"),
    "rank, resumed": (["rank", "g.hwg", "--ledger", "L", "--epsilon", 0.1, "--seed", 1, "--seed", 2, "--format", "csv", "--resume", "-o", "out"], "out.unfinished"),
    "evaluate, resumed": (["evaluate", "g.hwg", "--mechanism", "free", "--seeds", 1, "--format", "jsonl", "--resume", "-o", "out"], "out"),
}


@pytest.mark.parametrize("writer", GROWING)
def test_an_empty_file_that_others_may_read_is_closed_to_them_before_it_is_filled(hushwalk, folder, writer):
    """Once whoever may write in the folder could have everybody's answers readable by all."""
    command, unfinished = GROWING[writer]
    for more, wanted in (([], 0o600), (["--mode", "640"], 0o640)):
        (folder / unfinished).write_bytes(b"")
        (folder / unfinished).chmod(0o666)
        hushwalk(*command, *more, cwd=folder)
        assert mode(folder / "out") == wanted
        (folder / "out").unlink()


@pytest.fixture
def nobody(folder):
    """A function that gives a file of the folder to another user, with all permissions."""
    if os.geteuid() != 0:
        pytest.skip("only root can give files away")

    def give(name):
        os.chown(folder / name, 65534, -1)
        (folder / name).chmod(0o666)

    return give


@pytest.mark.parametrize("writer", GROWING)
def test_nothing_is_written_into_a_file_of_another_user(hushwalk, folder, nobody, writer):
    command, unfinished = GROWING[writer]
    (folder / unfinished).write_bytes(b"")
    nobody(unfinished)
    for more in ([], ["--mode", "640"]):
        done = hushwalk(*command, *more, code=1, cwd=folder)
        assert f"'{unfinished}': it belongs to another user" in done.stderr and "Remove it" in done.stderr
        assert (folder / unfinished).stat().st_size == 0 and mode(folder / unfinished) == 0o666
    assert spent(hushwalk, folder) == 0


def test_a_file_of_another_user_that_is_replaced_does_not_pass_on_its_permissions(hushwalk, folder, nobody):
    (folder / "out").write_text("node,score\n")
    nobody("out")
    hushwalk(*WRITERS["rank"][1], "out", cwd=folder)
    assert mode(folder / "out") == mode(folder / "out.certificate.json") == 0o600 and (folder / "out").stat().st_uid == 0
    parts = ["import", "g.txt", "--files", 2, "-o", "graph"]
    hushwalk(*parts, "--mode", "644", cwd=folder)
    os.chown(folder / "graph", 65534, -1)
    hushwalk(*parts, cwd=folder)
    assert mode(folder / "graph" / "part-0") == 0o600 and mode(folder / "graph") == 0o700


def test_a_circle_of_links_is_named_as_such(hushwalk, folder):
    (folder / "loop").symlink_to("loop")
    (folder / "loops").mkdir()
    (folder / "loops" / "blogcatalog.hwg").symlink_to("blogcatalog.hwg")
    exact = ["rank", "g.hwg", "--exact", "--seed", 1]
    for arguments in (["info", "loop"], ["import", "loop", "-o", "x.hwg"], ["generate", "karate", "-o", "loop"],
                      ["rank", "loop", "--exact", "--seed", 1], [*exact, "-o", "loop"], [*exact, "--candidates", "loop"],
                      ["rank", "g.hwg", "--exact", "--seeds-file", "loop"],
                      [*exact, "--diffusion", "custom", "--coefficients", "loop"], ["rank", "g.hwg", "--shared", "loop", "--seed", 1],
                      ["verify-certificate", "loop"], ["reproduce", "--data", "loop", "-o", "out"], ["reproduce", "-o", "loop"],
                      ["reproduce", "ndcg", "--quick", "--data", "loops", "-o", "out"],
                      ["rank", "g.hwg", "--ledger", "L", "--epsilon", 0.1, "--seed", 1, "-o", "loop"],
                      ["rank", "g.hwg", "--ledger", "L", "--epsilon", 0.1, "--seed", 1, "--key", "loop"],
                      ["ledger", "extend", "L", "--epsilon", "+1", "--reason", "a test", "--key", "loop"],
                      ["ledger", "forget", "L", "--new-epoch", "--key", "loop"], ["ledger", "compact", "L", "--key", "loop"],
                      ["ledger", "compact", "loop"]):
        done = hushwalk(*arguments, code=None, cwd=folder)
        assert done.returncode in (1, 2) and "loop" in done.stderr and "unexpected" not in done.stderr, (arguments, done.stderr)
        assert done.stdout == ""
    assert spent(hushwalk, folder) == 0


def test_formulas_and_turned_names(hushwalk, tmp_path):
    (tmp_path / "g.txt").write_text("=1+1\tann\n-5\tann\n'x\tann\n")
    table = hushwalk("rank", "g.txt", "--exact", "--seed", "ann", "--format", "csv", cwd=tmp_path).stdout
    assert sorted(line.split(",")[2] for line in table.splitlines()[1:]) == ["\"''x\"", "\"'=1+1\"", "-5"]
    (tmp_path / "turned.txt").write_text("ann bob\nann\u202ebob eve\n")
    done = hushwalk("import", "turned.txt", "-o", "t.hwg", code=1, cwd=tmp_path)
    assert "turned.txt':2:" in done.stderr and "\\xe2\\x80\\xae" in done.stderr and "\u202e" not in done.stderr
    name = "a\u202eb\x1b[2J"
    done = hushwalk("info", name, code=1, cwd=tmp_path)
    assert "\u202e" not in done.stderr and "\x1b" not in done.stderr
