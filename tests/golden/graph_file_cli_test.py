"""Graph files as scripts and custodians meet them: both versions, notes beside them, a reader written from the docs."""
import json
import pathlib
import shutil
import stat
import struct

import pytest

import graph_file_reader
from crafted_graph import give_a_link_one_end, give_all_nodes_one_row

GOLDEN = pathlib.Path(__file__).parent
MECHANISMS = "twohop", "frontier", "shared", "circles", "paper", "output", "pushflow", "pushflow+own", "edgeflip", "edgeflip+own"


@pytest.fixture
def graph(hushwalk, tmp_path):
    path = tmp_path / "g.hwg"
    hushwalk.json("generate", "er", "--nodes", "3000", "--edges", "20000", "-o", path)
    return path


def notes_of(path):
    return path.with_name(path.name + ".meta")


# --- versions --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name, seed", [("karate", "1"), ("names", "bob")])
def test_files_of_version_1_are_read_and_converted(hushwalk, tmp_path, name, seed):
    old, new = GOLDEN / f"{name}-version-1.hwg", tmp_path / "new.hwg"
    report = hushwalk.json("import", old, "-o", new)
    before, after = hushwalk.json("info", old), hushwalk.json("info", new)
    assert report["edges"] == before["edges"] and before["graph_id"] == after["graph_id"]
    different = {key for key in before if before[key] != after[key]}
    assert different == {"file_size", "notes"}
    ranked = [hushwalk("rank", path, "--seed", seed, "--exact", "--full", "--json").stdout for path in (old, new)]
    assert ranked[0] == ranked[1]
    refused = hushwalk("import", new, "-o", tmp_path / "again.hwg", code=2)
    assert "current version already" in refused.stderr
    assert "`max_edges`" not in hushwalk("import", old, "--max-edges", "500", "-o", new, code=2).stderr


def test_under_one_ledger_both_versions_of_a_file_have_the_same_private_answers(hushwalk, tmp_path):
    old, new = tmp_path / "old.hwg", tmp_path / "new.hwg"
    shutil.copy(GOLDEN / "karate-version-1.hwg", old)
    hushwalk.json("import", old, "-o", new)
    for first, then in ((old, new), (new, old)):
        ledger = tmp_path / f"{first.stem}.ledger"
        hushwalk("ledger", "init", "--graph", first, "--epsilon", "9", "--force", "-o", ledger)
        for flags in (["--mechanism", "twohop"], ["--mechanism", "frontier"], ["--mechanism", "output"], ["--mechanism", "shared"],
                      ["--mechanism", "circles"], ["--mechanism", "output", "--scope", "edge"]):
            ask = ["--ledger", ledger, "--seed", "1", "--seed", "3", "--epsilon", "0.5", "--full", "--json", *flags]
            released = hushwalk("rank", first, *ask)
            again = hushwalk("rank", then, *ask)
            assert again.stdout == released.stdout and "nothing charged" in again.stderr, flags


def test_the_digest_of_the_content_is_never_shown(hushwalk, tmp_path):
    """It would tell whether a guess of the whole graph is right."""
    graph, ledger = tmp_path / "g.hwg", tmp_path / "L"
    hushwalk("generate", "karate", "-o", graph)
    digest = graph.read_bytes()[208:240]
    assert any(digest)
    said = [hushwalk("ledger", "init", "--graph", graph, "--epsilon", "9", "-o", ledger)]
    ask = ["rank", graph, "--seed", "1", "--epsilon", "0.5"]
    hushwalk("keys", "new", "-o", tmp_path / "K")
    for format in ("table", "csv", "json", "jsonl"):
        said.append(hushwalk(*ask, "--format", format))
        said.append(hushwalk(*ask, "--ledger", ledger, "--format", format, "--signing-key", tmp_path / "K", "-o", tmp_path / f"answer.{format}"))
    said.append(hushwalk("share", graph, "--epsilon", "0.5", "--ledger", ledger, "-o", tmp_path / "S"))
    for flags in ([], ["--json"]):
        said += [hushwalk(*command, *flags) for command in (["info", graph], ["ledger", "show", ledger], ["ledger", "verify", ledger], ["ledger", "export", ledger])]
    said.append(hushwalk("ledger", "export", ledger, "--format", "csv"))
    other = tmp_path / "other.hwg"
    hushwalk("generate", "karate", "-o", other)
    said.append(hushwalk("rank", other, "--ledger", ledger, "--seed", "1", "--epsilon", "0.5", code=3))
    whole = graph.read_bytes()
    for place in (12, 208, 248, 4096, len(whole) - 8):  # of the head, the digest itself, a checksum, the rows, the last bytes
        graph.write_bytes(whole[:place] + bytes([whole[place] ^ 1]) + whole[place + 1:])
        said.append(hushwalk(*ask, code=None))
        said.append(hushwalk("info", graph, "--verbose", code=None))
    graph.write_bytes(whole)
    shown = [one.stdout.encode() + one.stderr.encode() for one in said]
    files = [path.read_bytes() for path in tmp_path.iterdir() if path.suffix != ".hwg"]
    assert len(files) > 8
    import base64
    for form in (digest, digest.hex().encode(), digest.hex().upper().encode(), base64.b64encode(digest)[:40], digest.hex()[:16].encode()):
        assert not any(form in text for text in shown + files)


def test_a_reader_of_sixty_lines_written_from_the_docs(hushwalk, tmp_path, graph):
    karate = tmp_path / "karate.hwg"
    hushwalk.json("generate", "karate", "-o", karate)
    names, edges, graph_id = graph_file_reader.read_graph(karate)
    assert names == list(range(1, 35)) and len(edges) == 78 and (0, 1) in edges
    assert graph_id == hushwalk.json("info", karate)["graph_id"]
    text = tmp_path / "names.txt"
    text.write_text("Zoë ada\nada bob\nbob Zoë\nbob 李\n")
    hushwalk.json("import", text, "-o", tmp_path / "names.hwg")
    names, edges, _ = graph_file_reader.read_graph(tmp_path / "names.hwg")
    assert {frozenset((names[a], names[b])) for a, b in edges} == {
        frozenset(pair.split()) for pair in ("Zoë ada", "ada bob", "bob Zoë", "bob 李")}
    names, edges, _ = graph_file_reader.read_graph(graph)
    assert len(names) == 3000 and len(edges) == 20000


def test_a_damaged_file_is_refused_by_every_verb_that_releases(hushwalk, tmp_path, graph):
    shared = tmp_path / "g.share"
    hushwalk("share", graph, "--epsilon", "1", "-o", shared)
    notes_of(graph).unlink()
    data = bytearray(graph.read_bytes())
    data[struct.unpack_from("<Q", data, 64 + 24)[0] + 50_000] ^= 1  # of the neighbours
    graph.write_bytes(data)
    for command in (["rank", graph, "--seed", "1", "--epsilon", "1"], ["share", graph, "--epsilon", "1", "-o", tmp_path / "x"],
                    ["rank", graph, "--seed", "1", "--shared", shared], ["info", graph]):
        said = hushwalk(*command, code=1).stderr
        assert "is damaged" in said and "in piece" in said


@pytest.mark.parametrize("craft, fault", [(give_a_link_one_end, "not symmetric"), (give_all_nodes_one_row, "is damaged")])
def test_a_crafted_file_is_refused_by_every_verb_that_releases(hushwalk, tmp_path, craft, fault):
    graph, shared, ledger = tmp_path / "g.hwg", tmp_path / "g.share", tmp_path / "L"
    hushwalk("generate", "karate", "-o", graph)
    hushwalk("share", graph, "--epsilon", "1", "-o", shared)
    hushwalk("ledger", "init", "--graph", graph, "--epsilon", "1", "-o", ledger)
    craft(graph)
    for command in (*(["rank", graph, "--seed", "1", "--epsilon", "1", "--mechanism", name] for name in MECHANISMS),
                    ["rank", graph, "--seed", "1", "--epsilon", "1", "--mechanism", "edgeflip", "--scope", "edge"],
                    ["share", graph, "--epsilon", "1", "-o", tmp_path / "x"], ["rank", graph, "--seed", "1", "--shared", shared],
                    ["rank", graph, "--seed", "1", "--epsilon", "1", "--ledger", ledger],
                    ["share", graph, "--epsilon", "1", "--ledger", ledger, "-o", tmp_path / "x"], ["info", graph]):
        refused = hushwalk(*command, code=1)
        assert fault in refused.stderr and not refused.stdout and not (tmp_path / "x").exists()


# --- notes -----------------------------------------------------------------------------------------------------


def test_notes_say_where_a_graph_came_from(hushwalk, tmp_path):
    text, graph = tmp_path / "friends.txt", tmp_path / "g.hwg"
    text.write_text("1 2\n2 3\n")
    hushwalk.json("import", text, "-o", graph)
    assert stat.S_IMODE(notes_of(graph).stat().st_mode) == 0o600
    notes = hushwalk.json("info", graph)["notes"]
    assert notes["source"] == f"imported: {text}" and notes["ledger"] is None
    assert notes["written"] <= notes["checked"]
    hushwalk("ledger", "init", "--graph", graph, "--epsilon", "1", "-o", tmp_path / "L")
    ledger = hushwalk.json("ledger", "show", tmp_path / "L")["ledger_id"]
    assert hushwalk.json("info", graph)["notes"]["ledger"] == ledger
    assert ledger in hushwalk("ledger", "init", "--graph", graph, "--epsilon", "1", "-o", tmp_path / "M", code=3).stderr
    second = hushwalk("ledger", "init", "--graph", graph, "--epsilon", "1", "-o", tmp_path / "M", "--force").stderr
    assert ledger in second and hushwalk.json("info", graph)["notes"]["ledger"] == ledger


def test_notes_are_only_a_convenience_but_wrong_ones_are_refused(hushwalk, tmp_path, graph):
    other = tmp_path / "other.hwg"
    hushwalk.json("generate", "karate", "-o", other)
    shutil.copy(notes_of(other), notes_of(graph))
    assert "belongs to another graph" in hushwalk("rank", graph, "--seed", "1", "--epsilon", "1", code=1).stderr
    for content in ("", "{}", "[1]", "\xff", json.dumps({"kind": "notes on a hushwalk graph file"})):
        notes_of(graph).write_bytes(content.encode("latin-1"))
        assert "move it away" in hushwalk("info", graph, code=1).stderr
    notes_of(graph).unlink()
    assert hushwalk.json("info", graph)["notes"] is None
    hushwalk("rank", graph, "--seed", "1", "--epsilon", "1")


def test_a_graph_that_is_replaced_has_new_notes(hushwalk, tmp_path, graph):
    before = json.loads(notes_of(graph).read_text())
    hushwalk.json("generate", "karate", "-o", graph)
    after = json.loads(notes_of(graph).read_text())
    assert before["graph_id"] != after["graph_id"] and after["source"] == "generated: karate"
