"""Graph files as scripts and custodians meet them: both versions, notes beside them, a reader written from the docs."""
import json
import pathlib
import shutil
import stat
import struct

import pytest
import xxhash

import graph_file_reader

GOLDEN = pathlib.Path(__file__).parent


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


def with_checksums(data):
    """A file whose neighbours were altered, with everything that only counts bytes put right."""
    flags, nodes, edges, max_edges = struct.unpack_from("<I3Q", data, 12)
    table = [struct.unpack_from("<3Q", data, 64 + 24 * i) for i in range(6)]
    sections = [data[offset:offset + length] for offset, length, _ in table]
    data[208:240] = graph_file_reader.content_digest(flags, nodes, edges, max_edges, sections)
    pieces = [section[at:at + graph_file_reader.PIECE] for section in sections for at in range(0, len(section), graph_file_reader.PIECE)]
    for number, piece in enumerate(pieces):
        struct.pack_into("<Q", data, 256 + 8 * number, xxhash.xxh3_64_intdigest(bytes(piece)))
    struct.pack_into("<Q", data, 248, xxhash.xxh3_64_intdigest(bytes(data[:248])))
    return data


def test_a_crafted_file_whose_links_have_one_end_is_refused_by_every_verb_that_releases(hushwalk, tmp_path):
    graph, shared, ledger = tmp_path / "g.hwg", tmp_path / "g.share", tmp_path / "L"
    hushwalk("generate", "karate", "-o", graph)
    hushwalk("share", graph, "--epsilon", "1", "-o", shared)
    hushwalk("ledger", "init", "--graph", graph, "--epsilon", "1", "-o", ledger)
    data = bytearray(graph.read_bytes())
    assert with_checksums(bytearray(data)) == data
    offsets, neighbours = (struct.unpack_from("<Q", data, 64 + 24 * i)[0] for i in (0, 1))
    end = struct.unpack_from("<Q", data, offsets + 8)[0]  # of the first row
    last = neighbours + 4 * (end - 1)
    before = struct.unpack_from("<I", data, last)[0]
    struct.pack_into("<I", data, last, before + 1 if before < 33 else before - 1)
    graph.write_bytes(with_checksums(data))
    for command in (["rank", graph, "--seed", "1", "--epsilon", "1"], ["share", graph, "--epsilon", "1", "-o", tmp_path / "x"],
                    ["rank", graph, "--seed", "1", "--shared", shared],
                    ["rank", graph, "--seed", "1", "--epsilon", "1", "--ledger", ledger],
                    ["share", graph, "--epsilon", "1", "--ledger", ledger, "-o", tmp_path / "x"], ["info", graph]):
        refused = hushwalk(*command, code=1)
        assert "not symmetric" in refused.stderr and not refused.stdout and not (tmp_path / "x").exists()


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
