"""Wrong usage in plain words, errors for machines, quiet ends."""
import json
import os
import subprocess

import pytest


@pytest.fixture(scope="module")
def karate(hushwalk, tmp_path_factory):
    path = tmp_path_factory.mktemp("karate") / "karate.hwg"
    hushwalk("generate", "karate", "-o", path)
    return path


@pytest.mark.parametrize(
    "arguments, message",
    [
        (["rnak"], "did you mean 'rank'?"),
        (["ledger", "shwo"], "did you mean 'show'?"),
        (["rank", "KARATE", "--sede", "1"], "rank has no flag '--sede'; did you mean '--seed'?"),
        (["rank", "KARATE", "--seed", "1", "--epsilon", "1", "--scope", "egde"], "did you mean 'edge'?"),
        (["rank", "KARATE", "--seed", "1", "--epsilon", "1", "--mechanism", "twohpo"], "did you mean 'twohop'?"),
        (["rank", "KARATE", "--seed", "1", "--epsilon", "abc"], "--epsilon takes a number, not 'abc'"),
        (["rank", "KARATE", "--seed"], "--seed takes one value"),
        (["rank", "KARATE", "--seed", "1", "--exact", "--mode", "640"], "--mode goes with --output"),
        (["rank", "KARATE", "extra", "--seed", "1", "--exact"], "does not know what to do with 'extra'"),
        (["rank"], "rank needs graph: A graph file"),
        (["rank", "KARATE", "--seed", "1", "--exact", "--quiet", "--verbose"], "--verbose"),
        ([], "say what to do; the verbs are: demo"),
        (["import", "KARATE", "-o", "-"], "a file with a name"),
    ],
)
def test_wrong_usage_in_plain_words(hushwalk, karate, arguments, message):
    done = hushwalk(*[str(karate) if a == "KARATE" else a for a in arguments], code=2)
    assert message in done.stderr and done.stdout == ""


def test_help_is_a_verb(hushwalk):
    assert hushwalk("help").stdout == hushwalk("--help").stdout
    assert hushwalk("help", "rank").stdout == hushwalk("rank", "--help").stdout
    assert hushwalk("help", "ledger", "show").stdout == hushwalk("ledger", "show", "--help").stdout
    assert hushwalk("-V").stdout == hushwalk("--version").stdout


def test_with_json_an_error_is_json(hushwalk, karate):
    for arguments, code in [
        (["rank", karate, "--seed", "99", "--exact"], 2),
        (["rank", karate, "--seed", "1", "--epsilon", "1", "--scope", "edge", "--exclude-neighbors"], 3),
        (["info", "missing.hwg"], 1),
        (["rank", karate, "--nonsense"], 2),
    ]:
        done = hushwalk(*arguments, "--json", "--quiet", code=code)
        error = json.loads(done.stderr)["error"]
        assert error["code"] == code and error["message"] and "remedy" in error
        assert done.stdout == ""
    refused = hushwalk("rank", karate, "--seed", "1", "--nonsense", "--json", code=2)
    assert json.loads(refused.stderr)["error"]["remedy"] == "try: hushwalk rank --help"


def test_quiet_says_nothing_but_errors(hushwalk, karate):
    arguments = ["rank", karate, "--seed", "1", "--exact"]
    assert "NOT private" in hushwalk(*arguments).stderr
    assert hushwalk(*arguments, "--quiet").stderr == ""
    assert "no node" in hushwalk("rank", karate, "--seed", "99", "--exact", "--quiet", code=2).stderr
    assert "MB of memory" in hushwalk(*arguments, "--verbose").stderr


def test_a_dash_is_standard_output(hushwalk, karate, tmp_path):
    arguments = ["rank", karate, "--seed", "1", "--exact"]
    assert hushwalk(*arguments, "-o", "-", cwd=tmp_path).stdout == hushwalk(*arguments).stdout
    assert not list(tmp_path.iterdir())


def test_a_closed_pipe_ends_quietly(karate):
    reading, writing = os.pipe()
    os.close(reading)
    done = subprocess.run([os.environ["HUSHWALK"], "rank", karate, "--all", "--exact", "--quiet"], stdout=writing,
                          stderr=subprocess.PIPE, text=True)
    os.close(writing)
    assert done.stderr == "" and done.returncode == 141


def test_columns_do_not_run_together(hushwalk):
    done = hushwalk("account", "--laplace-scale", "8e-6", "--delta", "1e-6", "--accountant", "all")
    rows = [line.split() for line in done.stdout.splitlines() if line.startswith(("theorem", "shift", "composition"))]
    assert len(rows) == 3 and all(len(row) == 4 for row in rows)


def test_csv_of_a_spreadsheet(hushwalk, tmp_path):
    file = tmp_path / "friends.csv"
    file.write_bytes('id;who;friend\r\n1;"Smith; Ann";Bob\r\n2;Bob;"Lee ""Kid"""\r\n'.encode())
    report = hushwalk.json("import", file, "--delimiter", "semicolon", "--columns", "who,friend", "-o", tmp_path / "g.hwg")
    assert (report["nodes"], report["edges"]) == (3, 2)
    assert "did you mean 'Smith; Ann'?" in hushwalk("rank", tmp_path / "g.hwg", "--seed", "Smith Ann", "--exact", code=2).stderr
    assert "--columns who,friend" not in hushwalk("import", file, "-o", tmp_path / "h.hwg", code=1).stderr
    for wrong in ["--delimiter", "x"], ["--delimiter", ";;"], ["--columns", "1"], ["--columns", "1,2,3"]:
        hushwalk("import", file, *wrong, "-o", tmp_path / "h.hwg", code=2)
    assert not (tmp_path / "h.hwg").exists()
