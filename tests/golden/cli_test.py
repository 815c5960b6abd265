"""The command line as scripts and people see it."""
import gzip
import json
import lzma
import pathlib
import re
import shutil
import subprocess

import pytest

GOLDEN = pathlib.Path(__file__).parent / "cli"


@pytest.fixture(scope="module")
def karate(hushwalk, tmp_path_factory):
    path = tmp_path_factory.mktemp("karate") / "karate.hwg"
    assert hushwalk.json("generate", "karate", "-o", path)["edges"] == 78
    return path


@pytest.fixture
def text(tmp_path):
    def write(content, name="g.txt"):
        path = tmp_path / name
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return path

    return write


# --- golden output ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "name, arguments",
    [
        ("rank.txt", ["rank", "KARATE", "--seed", "1", "--seed", "34", "--exact", "--top", "3"]),
        ("rank.csv", ["rank", "KARATE", "--seed", "1", "--exact", "--top", "3", "--format", "csv"]),
        ("rank.json", ["rank", "KARATE", "--seed", "1", "--exact", "--top", "3", "--json"]),
        ("heat.csv", ["rank", "KARATE", "--seed", "12", "--exact", "--diffusion", "heat", "--time", "2", "--steps", "8",
                      "--format", "csv", "--full", "--exclude-neighbors"]),
        ("help.txt", ["--help"]),
        ("rank-help.txt", ["rank", "--help"]),
        ("import-help.txt", ["import", "--help"]),
    ],
)
def test_output_is_as_recorded(hushwalk, karate, name, arguments):
    done = hushwalk(*[str(karate) if a == "KARATE" else a for a in arguments])
    assert done.stdout == (GOLDEN / name).read_text()


def test_info_of_karate(hushwalk, karate):
    info = hushwalk.json("info", karate)
    assert (info["nodes"], info["edges"], info["max_degree"], info["components"]) == (34, 78, 17, 1)
    # networkx.average_clustering is 0.5706384782 over 34 nodes, of which node 12 has degree 1 and counts as zero.
    assert info["clustering"] == pytest.approx(0.5706384782 * 34 / 33, abs=1e-9)
    assert info["transitivity"] == pytest.approx(0.2556818182, abs=1e-9)
    assert info["private"] is False
    assert "not private" in hushwalk("info", karate).stdout


def test_version(hushwalk):
    assert re.fullmatch(r"hushwalk \d+\.\d+\.\d+\n", hushwalk("--version").stdout)


# --- every verb has help with an example, and refuses nonsense ---------------------------------------------------


@pytest.mark.parametrize("verb", ["demo", "generate", "import", "info", "rank", "plan", "share", "verify-certificate",
                                  "evaluate", "tune", "audit", "calibrate", "account"])
def test_help_has_an_example(hushwalk, verb):
    assert f"hushwalk {verb}" in hushwalk(verb, "--help").stdout.split("Example:")[1]


@pytest.mark.parametrize(
    "arguments, message",
    [
        ([], "say what to do"),
        (["nonsense"], "nonsense"),
        (["rank"], "graph"),
        (["rank", "KARATE", "--exact"], "--seed"),
        (["rank", "KARATE", "--seed", "1"], "NOT private"),
        (["rank", "KARATE", "--seed", "35", "--exact"], "no node '35'"),
        (["rank", "KARATE", "--seed", "x", "--exact"], "no node 'x'"),
        (["rank", "KARATE", "--seed", "1", "--all", "--exact"], "only one of"),
        (["rank", "KARATE", "--seed", "1", "--exact", "--top", "0"], "at least 1"),
        (["rank", "KARATE", "--seed", "1", "--exact", "--top", "-1"], "--top"),
        (["rank", "KARATE", "--seed", "1", "--exact", "--top", "3", "--full"], "not both"),
        (["rank", "KARATE", "--seed", "1", "--exact", "--json", "--format", "csv"], "contradicts"),
        (["rank", "KARATE", "--seed", "1", "--exact", "--beta", "1"], "beta"),
        (["rank", "KARATE", "--seed", "1", "--exact", "--beta", "nan"], "beta"),
        (["rank", "KARATE", "--seed", "1", "--exact", "--steps", "0"], "steps"),
        (["rank", "KARATE", "--seed", "1", "--exact", "--time", "1"], "--time"),
        (["rank", "KARATE", "--seed", "1", "--exact", "--diffusion", "heat", "--beta", "0.5"], "--beta"),
        (["rank", "KARATE", "--seed", "1", "--exact", "--diffusion", "heat", "--time", "101"], "time"),
        (["rank", "KARATE", "--seed", "1", "--exact", "--diffusion", "custom"], "--coefficients"),
        (["rank", "KARATE", "--seed", "1", "--exact", "--threads", "0"], "threads"),
        (["rank", "KARATE", "--seed", "1", "--exact", "--steps", "010"], "whole number"),
        (["rank", "KARATE", "--seed", "1", "--exact", "--threads", "0x2"], "whole number"),
        (["rank", "KARATE", "--seed", "1", "--exact", "--top", "99999999999999999999"], "whole number"),
        (["rank", "KARATE", "--seed", "007", "--exact"], "no node '007'"),
        (["rank", "KARATE", "--seed", "1", "--exact", "-o", "KARATE"], "would replace"),
        (["rank", "-", "--seeds-file", "-", "--exact"], "only once"),
        (["import", "KARATE", "-o", "OUT", "--format", "2"], "--format"),
        (["generate", "nonsense", "-o", "OUT"], "chung-lu"),
        (["generate", "er", "-o", "OUT", "--nodes", "0"], "at least 1"),
        (["generate", "er", "-o", "OUT", "--nodes", "3", "--edges", "4"], "3"),
        (["generate", "er"], "--output"),
    ],
)
def test_wrong_usage_exits_2_and_says_why(hushwalk, karate, tmp_path, arguments, message):
    names = {"KARATE": str(karate), "OUT": str(tmp_path / "out.hwg")}
    done = hushwalk(*[names.get(a, a) for a in arguments], code=2)
    assert message in done.stderr
    assert done.stdout == ""
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    "content, message",
    [
        ("", "no edge"),
        ("1 2\n3\n", "g.txt':2:"),
        ("1 1\n", "no edge"),
        ("1 99999999999999999999\n", "64 bits"),
        (b"1 2\n\xff\xfe 4\n", "UTF-8"),
        (b"\xff\xfe1\x00 \x002\x00", "UTF-16"),
        (gzip.compress(b"1 2\n" * 1000)[:-20], "truncated"),
        (lzma.compress(b"1 2\n" * 1000)[:-20], "truncated"),
        (b"\x1f\x8b" + b"nonsense", "damaged"),
    ],
)
def test_bad_text_exits_1_and_leaves_no_file(hushwalk, text, tmp_path, content, message):
    output = tmp_path / "out" / "g.hwg"
    output.parent.mkdir()
    done = hushwalk("import", text(content), "-o", output, code=1)
    assert message in done.stderr and done.stdout == ""
    assert not list(output.parent.iterdir())


def test_missing_files(hushwalk, tmp_path):
    for arguments in (["info", "missing"], ["import", "missing", "-o", "x.hwg"], ["rank", "missing", "--seed", "1", "--exact"]):
        assert "missing" in hushwalk(*arguments, code=1, cwd=tmp_path).stderr
    assert "No such file" in hushwalk("generate", "karate", "-o", "no/such/folder/g.hwg", code=1, cwd=tmp_path).stderr
    assert "regular file" in hushwalk("generate", "karate", "-o", "/dev/null", code=1).stderr


# --- import ----------------------------------------------------------------------------------------------------


def zstd(content):
    return subprocess.run(["zstd", "-q"], input=content, capture_output=True, check=True).stdout


LIST = b"1 2\n2 3\n3 1\n"


@pytest.mark.parametrize(
    "content",
    [LIST, gzip.compress(LIST), gzip.compress(LIST[:5]) + gzip.compress(LIST[5:]), lzma.compress(LIST),
     lzma.compress(LIST[:4]) + lzma.compress(LIST[4:]), zstd(LIST), zstd(LIST[:7]) + zstd(LIST[7:])],
    ids=["plain", "gzip", "gzip twice", "xz", "xz twice", "zstd", "zstd twice"],
)
def test_compression_is_detected_by_content(hushwalk, text, tmp_path, content):
    from_file = hushwalk.json("import", text(content, "misleading.txt"), "-o", tmp_path / "a.hwg")
    from_pipe = json.loads(hushwalk("import", "-", "-o", tmp_path / "b.hwg", "--json", input=content).stdout)
    for report in (from_file, from_pipe):
        assert (report["nodes"], report["edges"], report["self_loops"], report["duplicates"]) == (3, 3, 0, 0)


def test_a_large_compressed_file_survives_the_buffers(hushwalk, text, tmp_path):
    lines = b"".join(b"%d %d\n" % (i, i + 1) for i in range(200_000))
    for content in (gzip.compress(lines), lzma.compress(lines, preset=0), zstd(lines)):
        assert hushwalk.json("import", text(content), "-o", tmp_path / "g.hwg")["edges"] == 200_000


def test_import_reports_and_notices(hushwalk, text, tmp_path):
    done = hushwalk("import", text("from,to,weight\n1,2,0.5\n2,1,0.5\n4,4,1\n"), "-o", tmp_path / "g.hwg", "--json")
    report = json.loads(done.stdout)
    assert report["lines"] == report["edges"] + report["self_loops"] + report["duplicates"] == 3
    assert "header" in done.stderr and "ignored" in done.stderr


def test_the_public_node_list_and_bound(hushwalk, text, tmp_path):
    nodes = text("1\n2\n3\n9\n", "nodes.txt")
    out = tmp_path / "g.hwg"
    assert hushwalk.json("import", text("1 2\n"), "--nodes", nodes, "--max-edges", 4, "-o", out)["nodes"] == 4
    info = hushwalk.json("info", out)
    assert info["nodes_declared"] and info["max_edges"] == 4 and info["isolated"] == 2
    assert "g.txt':2:" in hushwalk("import", text("1 2\n2 7\n"), "--nodes", nodes, "-o", out, code=1).stderr
    assert hushwalk("import", text("1 2\n2 3\n"), "--max-edges", 1, "-o", out, code=3).stdout == ""
    assert hushwalk.json("info", out)["edges"] == 1, "a refused import leaves the old file alone"


def test_replaced_files_keep_permissions_and_links(hushwalk, tmp_path):
    secret, link = tmp_path / "secret.hwg", tmp_path / "link.hwg"
    hushwalk("generate", "double-star", "-o", secret)
    secret.chmod(0o640)
    link.symlink_to(secret)
    hushwalk("generate", "karate", "-o", link)
    assert link.is_symlink() and secret.stat().st_mode & 0o777 == 0o640
    assert hushwalk.json("info", secret)["edges"] == 78
    assert "cannot write" in hushwalk("generate", "karate", "-o", "x" * 300, code=1, cwd=tmp_path).stderr


def test_messages_never_end_up_in_files(hushwalk, karate, tmp_path):
    command = f"{hushwalk.program} rank {karate} --seed 1 --exact --format csv -o {tmp_path}/out.csv 2>&- 1>&- 0<&-"
    subprocess.run(["bash", "-c", command], check=True)
    assert (tmp_path / "out.csv").read_text().startswith("seed,rank,node,score\n")
    subprocess.run(["bash", "-c", f"{hushwalk.program} info {karate} 2>/dev/full"], check=True, capture_output=True)


def test_a_text_given_directly_has_its_notices(hushwalk, text):
    assert "header" in hushwalk("info", text("a,b,w\n1,2,3\n")).stderr


def test_nothing_is_printed_before_there_is_an_answer(hushwalk, karate, text):
    wild = text(json.dumps({"gamma1": [1e308, 1e308], "gamma2": [-1e308, -1e308], "gamma3": [1, 1]}), "wild.json")
    done = hushwalk("rank", karate, "--exact", "--seed", "1", "--diffusion", "custom", "--coefficients", wild, "--json", code=2)
    assert done.stdout == "" and "grows beyond" in done.stderr


def test_graph_files_are_not_imported_again(hushwalk, karate, tmp_path):
    assert "already" in hushwalk("import", karate, "-o", tmp_path / "x.hwg", code=2).stderr


def test_formats_by_name(hushwalk, text, tmp_path):
    out = tmp_path / "g.hwg"
    assert hushwalk.json("import", text("3 2\n2\n1 3\n2\n", "g.graph"), "-o", out)["edges"] == 2
    assert hushwalk.json("import", text("3 2\n2\n1 3\n2\n"), "--format", "metis", "-o", out)["edges"] == 2
    matrix = "%%MatrixMarket matrix coordinate pattern symmetric\n3 3 2\n2 1\n3 2\n"
    assert hushwalk.json("import", text(matrix), "-o", out)["edges"] == 2


# --- rank ------------------------------------------------------------------------------------------------------


def ranking(hushwalk, graph, *arguments):
    result = hushwalk.json("rank", graph, "--exact", *arguments)
    assert result["private"] is False and result["certificate"] is None
    return [[(e["node"], e["score"]) for e in r["top"]] for r in result["rankings"]]


def test_a_text_is_as_good_as_a_graph_file(hushwalk, text, tmp_path):
    source = text("ann bob\nbob eve\n")
    hushwalk("import", source, "-o", tmp_path / "g.hwg")
    assert ranking(hushwalk, source, "--seed", "ann") == ranking(hushwalk, tmp_path / "g.hwg", "--seed", "ann")
    assert hushwalk.json("info", source)["nodes"] == 3


def test_a_pipe_is_as_good_as_a_file(hushwalk):
    command = f"{hushwalk.program} info --json <(echo 1 2)"
    done = subprocess.run(["bash", "-c", command], capture_output=True, text=True, check=True)
    assert json.loads(done.stdout)["edges"] == 1
    assert json.loads(hushwalk("info", "-", "--json", input="1 2\n2 3\n").stdout)["edges"] == 2


def test_negative_and_odd_names(hushwalk, text):
    assert [n for n, _ in ranking(hushwalk, text("-5 -7\n-7 3\n"), "--seed", "-5")[0]] == [-7, 3]
    assert [n for n, _ in ranking(hushwalk, text("Ada Lovelace\tZoë, B.\n"), "--seed", "Ada Lovelace")[0]] == ["Zoë, B."]
    odd = text('a "b"\tc,d\ne\tc,d\n')
    assert '"c,d"' in hushwalk("rank", odd, "--seed", "e", "--exact", "--format", "csv").stdout


def test_ties_follow_the_ids(hushwalk, text):
    star = text("".join(f"hub leaf{i}\n" for i in (3, 1, 2, 10)))
    assert [n for n, _ in ranking(hushwalk, star, "--seed", "hub")[0]] == ["leaf1", "leaf10", "leaf2", "leaf3"]
    star = text("".join(f"5 {i}\n" for i in (30, 1, 2, 10)))
    assert [n for n, _ in ranking(hushwalk, star, "--seed", "5")[0]] == [1, 2, 10, 30]


def test_an_isolated_seed_gets_an_ordinary_answer(hushwalk, text):
    assert ranking(hushwalk, text("1 2\n3 3\n"), "--seed", "3") == [[(1, 0.0), (2, 0.0)]]


def test_k_beyond_n_full_candidates_and_neighbors(hushwalk, karate, text):
    assert len(ranking(hushwalk, karate, "--seed", "1", "--top", "1000")[0]) == 33
    full = ranking(hushwalk, karate, "--seed", "1", "--full")[0]
    assert len(full) == 33 and sum(score for _, score in full) < 1
    candidates = text("34\n2\n1\n12\n", "c.txt")
    chosen = ranking(hushwalk, karate, "--seed", "1", "--candidates", candidates)[0]
    assert chosen == [entry for entry in full if entry[0] in (34, 2, 12)]
    new = ranking(hushwalk, karate, "--seed", "12", "--full", "--exclude-neighbors")[0]
    assert 1 not in dict(new) and len(new) == 32
    assert "c.txt':1:" in hushwalk("rank", karate, "--exact", "--seed", "1", "--candidates", text("77\n", "c.txt"), code=1).stderr


def test_many_seeds_are_the_same_as_each_alone(hushwalk, karate, text):
    together = hushwalk.json("rank", karate, "--exact", "--all", "--top", "5")["rankings"]
    assert [r["seed"] for r in together] == list(range(1, 35))
    assert together[16]["top"] == hushwalk.json("rank", karate, "--exact", "--seed", "17", "--top", "5")["rankings"][0]["top"]
    listed = hushwalk.json("rank", karate, "--exact", "--seeds-file", text("17\n3\n17\n"))["rankings"]
    assert [r["seed"] for r in listed] == [17, 3]
    assert len(ranking(hushwalk, karate, "--seed", "3", "--seed", "3")) == 1


def test_a_seed_set_is_the_weighted_average(hushwalk, karate, text):
    one, two = (dict(ranking(hushwalk, karate, "--seed", s, "--full")[0]) for s in ("1", "34"))
    result = hushwalk.json("rank", karate, "--exact", "--full", "--seed-set", text("1 3\n34 1\n"))["rankings"][0]
    assert result["seed"] is None and result["seed_set"] == [{"node": 1, "weight": 0.75}, {"node": 34, "weight": 0.25}]
    for entry in result["top"]:
        assert entry["node"] not in (1, 34)
        assert entry["score"] == pytest.approx(0.75 * one[entry["node"]] + 0.25 * two[entry["node"]], rel=1e-12)
    assert "weight" in hushwalk("rank", karate, "--exact", "--seed-set", text("1 nan\n"), code=1).stderr
    assert "g.txt':3:" in hushwalk("rank", karate, "--exact", "--seed-set", text("5\n6\n5\n"), code=1).stderr
    one = hushwalk.json("rank", karate, "--exact", "--seed-set", text("5\n"))["rankings"][0]
    assert one["seed"] is None and one["seed_set"] == [{"node": 5, "weight": 1.0}]


def test_custom_coefficients(hushwalk, karate, text):
    lazy = text(json.dumps({"gamma1": [0.4] * 100, "gamma2": [0.4] * 100, "gamma3": [0.2] * 100}), "lazy.json")
    custom = ranking(hushwalk, karate, "--seed", "1", "--diffusion", "custom", "--coefficients", lazy)[0]
    for (a, x), (b, y) in zip(custom, ranking(hushwalk, karate, "--seed", "1")[0]):
        assert a == b and x == pytest.approx(y, rel=1e-12)
    for odd in ("missing.json", karate.parent):
        hushwalk("rank", karate, "--exact", "--seed", "1", "--diffusion", "custom", "--coefficients", odd, code=1)
    broken = text('{"gamma1": [0.4', "broken.json")
    done = hushwalk("rank", karate, "--exact", "--seed", "1", "--diffusion", "custom", "--coefficients", broken, code=2)
    assert "broken.json" in done.stderr


def test_output_file_is_the_same_bytes(hushwalk, karate, tmp_path):
    arguments = ["rank", karate, "--exact", "--seed", "1", "--json"]
    assert hushwalk(*arguments, "-o", tmp_path / "r.json").stdout == ""
    assert (tmp_path / "r.json").read_text() == hushwalk(*arguments).stdout


def test_threads_do_not_change_a_byte(hushwalk, tmp_path):
    hushwalk("generate", "sbm", "--nodes", "3000", "--edges", "20000", "-o", tmp_path / "g.hwg")
    outputs = {hushwalk("rank", tmp_path / "g.hwg", "--exact", "--all", "--top", "3", "--json", "--threads", t).stdout for t in (1, 2)}
    assert len(outputs) == 1


def test_no_bar_where_there_is_no_terminal(hushwalk, tmp_path):
    assert "\r" not in hushwalk("generate", "blogcatalog-like", "-o", tmp_path / "b.hwg").stderr


def test_a_bar_on_a_terminal(hushwalk, text, tmp_path):
    if shutil.which("script") is None:
        pytest.skip("no script(1) to make a terminal")
    source = text("".join(f"{i} {i * 7 % 1000003}\n" for i in range(1, 1_500_000)))
    command = f"{hushwalk.program} rank {source} --seed 1 --exact --steps 300 --json > {tmp_path}/out"
    done = subprocess.run(["script", "-qec", command, "/dev/null"], capture_output=True, timeout=1800)
    assert b" %" in done.stdout and b"\r" in done.stdout
    json.loads((tmp_path / "out").read_text())


def test_a_bar_while_an_artefact_is_made(hushwalk, tmp_path):
    if shutil.which("script") is None:
        pytest.skip("no script(1) to make a terminal")
    hushwalk("generate", "er", "--nodes", 400_000, "--edges", 4_000_000, "-o", tmp_path / "g.hwg")
    command = f"{hushwalk.program} share {tmp_path}/g.hwg --epsilon 1 --mechanism circles -o {tmp_path}/s > {tmp_path}/out"
    done = subprocess.run(["script", "-qec", command, "/dev/null"], capture_output=True, timeout=1800)
    assert re.search(rb"releasing +\[=* *\] +\d+ %", done.stdout) and (tmp_path / "s").exists()
