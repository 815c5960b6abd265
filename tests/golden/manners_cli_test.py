"""Wrong usage in plain words, errors for machines, quiet ends."""
import json
import os
import re
import subprocess
import termios
import threading

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
    late = hushwalk("rank", karate, "--seed", "1", "--epsilon", 12, "--json", "-o", "no folder/x.json", code=1)
    assert json.loads(late.stderr.splitlines()[-1])["error"]["code"] == 1
    refused = hushwalk("rank", karate, "--seed", "1", "--nonsense", "--json", code=2)
    assert json.loads(refused.stderr)["error"]["remedy"] == "try: hushwalk rank --help"


def test_quiet_says_nothing_but_errors(hushwalk, karate):
    arguments = ["rank", karate, "--seed", "1", "--exact"]
    assert "NOT private" in hushwalk(*arguments).stderr
    assert hushwalk(*arguments, "--quiet").stderr == ""
    assert "no node" in hushwalk("rank", karate, "--seed", "99", "--exact", "--quiet", code=2).stderr
    assert "MB of memory" in hushwalk(*arguments, "--verbose").stderr
    timed = hushwalk(*arguments, "--timings")
    assert "NOT private" in timed.stderr and "sweeping over links" in timed.stderr
    assert timed.stdout == hushwalk(*arguments).stdout


def test_flags_of_every_verb_may_stand_before_it(hushwalk, karate, tmp_path):
    arguments = [karate, "--seed", "1", "--exact"]
    asked = hushwalk("rank", *arguments)
    early = hushwalk("--quiet", "--threads", 1, "rank", *arguments)
    assert early.stdout == asked.stdout and early.stderr == "" != asked.stderr
    hushwalk("ledger", "init", "--graph", karate, "--epsilon", 1, "-o", tmp_path / "L", "--force")
    assert json.loads(hushwalk("--json", "ledger", "show", tmp_path / "L").stdout)["spent"] == 0
    assert "say what to do" in hushwalk("--quiet", code=2).stderr
    assert "there is no verb 'rnak'" in hushwalk("--quiet", "rnak", code=2).stderr


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


def test_json_lines_are_verified(hushwalk, karate, tmp_path):
    lines = tmp_path / "answers.jsonl"
    hushwalk("rank", karate, "--seed", 1, "--seed", 2, "--epsilon", 1, "--format", "jsonl", "-o", lines)
    found = hushwalk.json("verify-certificate", lines)
    assert found["valid"] and found["checked"]["answer"]
    text = lines.read_text()
    first, second, last = text.splitlines(keepends=True)
    for altered in (second + first + last, first + last + second, text.replace('"score":0.', '"score":1.', 1),
                    first + '{"a":1}],"b":[' + second + last, first + "{" + second + last, first + second + second + last, text.replace("},{", "}\n{", 1)):
        lines.write_text(altered)
        assert hushwalk.json("verify-certificate", lines, code=1)["valid"] is False, altered[-300:]
    lines.write_text(first + last)
    assert "one of 2" in hushwalk.json("verify-certificate", lines)["reason"]
    lines.write_text(text)
    hushwalk("certificate", lines, "-o", tmp_path / "page.html")
    assert "What is protected" in (tmp_path / "page.html").read_text()


def test_a_file_for_each_recipient(hushwalk, tmp_path):
    names = ["ann", "../up", ".hidden", "a/b", "Zoë", "x" * 250, "con:"]
    (tmp_path / "g.csv").write_text("".join(f'"{name}",hub\n' for name in names))
    hushwalk("import", "g.csv", "-o", "g.hwg", cwd=tmp_path)
    done = hushwalk("rank", "g.hwg", "--all", "--epsilon", 0.5, "--mechanism", "twohop", "--output-dir", "D", cwd=tmp_path, umask=0)
    assert "8 files in 'D'" in done.stdout
    files = {json.loads(path.read_text())["rankings"][0]["seed"]: path for path in (tmp_path / "D").iterdir()}
    assert set(files) == {*names, "hub"} and sorted(os.listdir(tmp_path)) == ["D", "g.csv", "g.hwg", "g.hwg.meta"]
    assert files["../up"].name == "%2E.%2Fup.json" and files[".hidden"].name == "%2Ehidden.json" and files["Zoë"].name == "Zo%C3%AB.json"
    assert (tmp_path / "D").stat().st_mode & 0o777 == 0o700
    for path in files.values():
        assert path.stat().st_mode & 0o777 == 0o600
        found = hushwalk.json("verify-certificate", path)
        assert found["valid"] and found["checked"]["answer"] and "one of 8" in found["reason"]
    # Neither an answer of somebody else, nor two, pass under it.
    document, other = (json.loads(files[name].read_text()) for name in ("ann", "hub"))
    (tmp_path / "mixed.json").write_text(json.dumps(document | {"rankings": other["rankings"]}))
    hushwalk("verify-certificate", tmp_path / "mixed.json", code=1)
    (tmp_path / "mixed.json").write_text(json.dumps(document | {"rankings": document["rankings"] + other["rankings"]}))
    hushwalk("verify-certificate", tmp_path / "mixed.json", code=1)


def test_files_under_a_ledger_and_signed(hushwalk, karate, tmp_path):
    hushwalk("ledger", "init", "--graph", karate, "--epsilon", 5, "-o", tmp_path / "L", "--force")
    hushwalk("keys", "new", "-o", tmp_path / "k")
    (tmp_path / "p").write_text(hushwalk("keys", "public", tmp_path / "k").stdout)
    hushwalk("rank", karate, "--seed", 1, "--seed", 2, "--epsilon", 0.5, "--ledger", tmp_path / "L", "--signing-key", tmp_path / "k",
             "--output-dir", tmp_path / "D")
    for name in "12":
        assert hushwalk.json("verify-certificate", tmp_path / "D" / f"{name}.json", "--public-key", tmp_path / "p")["checked"]["issuer"]
    ledger = tmp_path / "D" / "3.json"
    ledger.write_bytes((tmp_path / "L").read_bytes())
    assert "would replace" in hushwalk("rank", karate, "--seed", 3, "--epsilon", 0.5, "--ledger", tmp_path / "L", "--output-dir", tmp_path / "D", code=2).stderr
    assert hushwalk.json("ledger", "show", tmp_path / "L")["spent"] == 1, "nothing is charged for what cannot be written"
    for wrong in (["-o", "x"], ["--format", "csv"], ["--format", "table"]):
        assert "--output-dir" in hushwalk("rank", karate, "--seed", 1, "--epsilon", 1, "--output-dir", tmp_path / "E", *wrong, code=2).stderr


def test_the_certificate_in_three_lines(hushwalk, karate, tmp_path):
    ask = ["rank", karate, "--seed", 1, "--epsilon", 1, "--top", 3]
    short = hushwalk(*ask).stdout.split("\n\n")[1].splitlines()
    assert [line.split(":")[0] for line in short] == ["Protected", "Privacy", "For whom", "The rest"]
    assert "factor of at most 2.719" in short[1] and short[2].endswith("who already knows the seed's own edges.")
    command = short[3].removeprefix("The rest:").removesuffix("(spends nothing)").split()
    assert command[:2] == ["hushwalk", "plan"]
    promised = hushwalk(*command[1:]).stdout
    whole = hushwalk(*ask, "--certificate").stdout
    assert "Pooling:" in promised and "Pooling:" in whole and "Pooling:" not in "".join(short)
    assert all(line in whole for line in short[:1])
    hushwalk("ledger", "init", "--graph", karate, "--epsilon", 5, "-o", tmp_path / "L", "--force")
    assert "--certificate, at no cost" in hushwalk(*ask, "--ledger", tmp_path / "L").stdout
    assert "Pooling:" in hushwalk(*ask, "--ledger", tmp_path / "L", "--certificate").stdout
    assert hushwalk.json("ledger", "show", tmp_path / "L")["spent"] == 1


@pytest.mark.parametrize("arguments, words", [
    (["--epsilon", 12], "epsilon = 12 promises next to nothing"),
    (["--epsilon", 3, "--rankings", 4], "together spend epsilon = 12"),
    (["--epsilon", 1, "--delta", 1e-6], "delta = 1e-06 has no effect: twohop"),
    (["--epsilon", 1, "--delta", 1e-4, "--mechanism", "paper", "--max-edges", 5000], "delta = 0.0001 is a large chance of failure"),
    (["--epsilon", 1, "--delta", 2e-6, "--mechanism", "paper", "--diffusion", "heat", "--steps", 20, "--eta", 0.01, "--nodes", 1000000,
      "--max-edges", 5000], "stay below 1e-06"),
    (["--epsilon", 1, "--delta", 0.3, "--mechanism", "paper", "--rankings", 9, "--max-edges", 5000], "no total is promised"),
])
def test_weak_promises_are_said(hushwalk, arguments, words):
    nodes = [] if "--nodes" in arguments else ["--nodes", 1000]
    assert words in hushwalk("plan", *nodes, *arguments).stderr
    assert any(words in point for point in hushwalk.json("plan", *nodes, *arguments)["weak_points"])


def test_weak_promises_are_said_where_a_custodian_asks_first(hushwalk, karate, tmp_path):
    hushwalk("ledger", "init", "--graph", karate, "--epsilon", 50, "-o", tmp_path / "L", "--force")
    hushwalk("share", karate, "--epsilon", 12, "-o", tmp_path / "S")
    for arguments in (["ledger", "cost", karate, "--ledger", tmp_path / "L", "--epsilon", 12], ["rank", karate, "--shared", tmp_path / "S"]):
        assert "epsilon = 12 promises next to nothing" in hushwalk(*arguments, "--seed", 1).stderr


def test_good_promises_are_not_called_weak(hushwalk, karate):
    assert hushwalk.json("plan", "--nodes", 1000, "--epsilon", 1)["weak_points"] == []
    assert "weak" not in hushwalk("rank", karate, "--seed", 1, "--epsilon", 1).stderr
    assert "next to nothing" in hushwalk("rank", karate, "--seed", 1, "--epsilon", 11).stderr


def test_no_bound_above_one_is_shown_as_a_probability(hushwalk):
    text = hushwalk("plan", "--nodes", 1000, "--epsilon", 1, "--delta", 0.5, "--mechanism", "paper", "--max-edges", 5000).stdout
    assert "plus 0.5 (delta)" in text and "for two edges nothing is promised" in " ".join(text.split()) and "1.86" not in text


def test_auto_says_when_it_changes_for_many(hushwalk, karate):
    assert hushwalk.json("plan", "--nodes", 1000, "--epsilon", 1, "--rankings", 11, "--mechanism", "circles")["alternative"] is None
    other = hushwalk.json("plan", "--nodes", 1000, "--epsilon", 1, "--rankings", 11)["alternative"]
    assert (other["mechanism"], other["total_epsilon"]) == ("twohop", 11) and "not linked to the seed yet" in other["why"]
    assert "auto takes circles" in hushwalk("plan", "--nodes", 1000, "--epsilon", 1, "--rankings", 11).stdout
    assert "auto takes shared" in hushwalk("rank", karate, "--all", "--epsilon", 0.1).stderr
    assert "auto takes" not in hushwalk("rank", karate, "--seed", 1, "--epsilon", 0.1).stderr


def test_only_plan_names_what_else_there_is_where_auto_keeps_to_its_choice(hushwalk, karate):
    for seeds in (["--seed", 1], ["--seed", 1, "--seed", 2], ["--seed", 1, "--mechanism", "shared"]):
        assert hushwalk.json("plan", karate, *seeds, "--epsilon", 1)["alternative"]
        assert "is the other way" not in hushwalk("rank", karate, *seeds, "--epsilon", 1).stderr


@pytest.mark.parametrize("arguments, why, expects, alternative", [
    ([], "links of the seed's neighbours", "by their links to the seed's neighbours", ("frontier", 1)),
    (["--rankings", 10], "up to 10 rankings", "by their links to the seed's neighbours", ("circles", 1)),
    (["--rankings", 11], "more than 10 rankings", "by the circles they belong to", ("twohop", 11)),
    (["--mechanism", "shared"], "as asked for", "by their number of links alone", ("twohop", 1)),
    (["--rankings", 3, "--mechanism", "shared"], "as asked for", "by their number of links alone", None),
    (["--rankings", 20, "--mechanism", "output"], "as asked for", "with noise at its end", ("circles", 1)),
    (["--scope", "edge"], "one edge decides", "the seed's neighbours too", None),
    (["--eta", 1e-6], "an eta is asked for", "by the diffusion", None),
    (["--background", 0.5, "--rankings", 4], "a background is asked for", "by their other links", None),
])
def test_a_plan_says_why_what_to_expect_and_what_else_there_is(hushwalk, arguments, why, expects, alternative):
    ask = ["plan", "--nodes", 1000, "--max-edges", 5000, "--epsilon", 1, *arguments]
    planned = hushwalk.json(*ask)
    assert why in planned["why"] and expects in planned["expects"] and "depends on the graph" in planned["expects"]
    other = planned["alternative"]
    assert (other and (other["mechanism"], other["total_epsilon"])) == alternative
    rows = hushwalk(*ask).stdout
    assert re.search(r"^Plan:.*\nWhy: ", rows) and "\nExpects: " in rows and ("\nOtherwise: " in rows) == (other is not None)
    text = " ".join(rows.split())
    assert planned["why"] in text and planned["expects"] in text and (other is None or other["why"] in text)


def test_tune_advises_to_spend_nothing_where_that_is_enough(hushwalk, karate, tmp_path):
    small = ["--proxy", karate, "--seeds", 3, "--top", 5]
    found = hushwalk.json("tune", "--target-ndcg", 0.3, *small)
    assert (found["mechanism"], found["epsilon"], found["free_is_enough"], found["tried"]) == ("free", 0, True, [])
    assert "spend nothing" in hushwalk("tune", "--target-ndcg", 0.3, *small).stdout
    # Twelve nodes linked to half of each other, twenty times: the other half is a guess without an edge, and certain with some.
    groups = tmp_path / "groups.txt"
    groups.write_text("".join(f"{12 * g + a} {12 * g + 6 + b}\n" for g in range(20) for a in range(6) for b in range(6)))
    found = hushwalk.json("tune", "--target-ndcg", 0.84, "--proxy", groups, "--seeds", 10, "--top", 11)
    assert found["free_is_enough"] is False and found["epsilon"] > 0 and found["tried"]


@pytest.mark.parametrize("arguments, message", [
    (["generate", "karat", "-o", "x.hwg"], "did you mean 'karate'?"),
    (["evaluate", "KARATE", "--mechanism", "fre"], "did you mean 'free'?"),
    (["reproduce", "ndgc", "-o", "x"], "did you mean 'ndcg'?"),
    (["reproduce", "--graphs", "flicker", "-o", "x"], "did you mean 'flickr'?"),
    (["share", "KARATE", "--epsilon", "1", "--mechanism", "circels", "-o", "x"], "did you mean 'circles'?"),
    (["audit", "--mechanism", "twohops"], "did you mean 'twohop'?"),
])
def test_names_that_do_not_exist(hushwalk, karate, tmp_path, arguments, message):
    done = hushwalk(*[str(karate) if a == "KARATE" else a for a in arguments], code=2, cwd=tmp_path)
    assert message in done.stderr and not list(tmp_path.iterdir())


def test_flags_of_import_are_called_that(hushwalk, tmp_path):
    (tmp_path / "a b.csv").write_bytes(b"ann;bob\r\nbob;eve\r\n")
    done = hushwalk("rank", "a b.csv", "--seed", "ann", "--exact", code=1, cwd=tmp_path)
    assert "--delimiter semicolon" in done.stderr and "hushwalk import 'a b.csv' -o G.hwg" in done.stderr
    assert "x0d" not in done.stderr
    assert "flag of import" not in hushwalk("import", "a b.csv", "-o", "x.hwg", code=1, cwd=tmp_path).stderr
    (tmp_path / "h.csv").write_text("source,target\nann,bob\n")
    assert "--header; that is a flag of import: hushwalk import h.csv" in hushwalk("info", "h.csv", cwd=tmp_path).stderr


def test_remedies_are_whole(hushwalk, karate, tmp_path):
    def remedy(*arguments, code):
        return json.loads(hushwalk(*arguments, "--json", "--quiet", code=code).stderr)["error"]["remedy"]

    assert remedy("rnak", code=2).startswith("choose from: demo") and remedy("rnak", code=2).endswith("did you mean 'rank'?")
    assert remedy("rank", karate, "--seed", "a; b", "--exact", code=2) == ""
    whole = remedy("rank", karate, "--seed", 1, "--epsilon", 1, "--scope", "edge", "--exclude-neighbors", code=3)
    assert whole == "leave it out, or use --scope personalized"
    hushwalk("ledger", "init", "--graph", karate, "--epsilon", 1, "-o", tmp_path / "L", "--force")
    again = remedy("ledger", "init", "--graph", karate, "--epsilon", 1, "-o", tmp_path / "M", code=3)
    assert again.startswith("Another one knows nothing") and again.endswith("Use that ledger; --force makes a second one")


def test_files_in_the_wrong_place_are_named(hushwalk, karate, tmp_path):
    ledger, artefact = tmp_path / "L", tmp_path / "S"
    hushwalk("ledger", "init", "--graph", karate, "--epsilon", 1, "-o", ledger, "--force")
    hushwalk("share", karate, "--epsilon", 1, "-o", artefact)
    ask = ["rank", karate, "--seed", 1]
    for given, kind in ((karate, "a graph file"), (ledger, "a ledger")):
        assert f"is {kind}, not a shared artefact" in hushwalk(*ask, "--shared", given, code=1).stderr
    for given, kind in ((karate, "a graph file"), (artefact, "a shared artefact")):
        assert f"is {kind}, not a ledger" in hushwalk(*ask, "--epsilon", 1, "--ledger", given, code=1).stderr
    answers = {}
    for form in ("json", "csv"):
        answers[form] = tmp_path / f"answer.{form}"
        hushwalk(*ask, "--epsilon", 1, "--format", form, "-o", answers[form])
    named = {ledger: "a ledger", answers["json"]: "an answer with its certificate", answers["csv"]: "an answer in CSV",
             f"{karate}.meta": "notes on a hushwalk graph file"}
    for given, kind in named.items():
        assert f"is {kind}, not a list of ids" in hushwalk(*ask, "--epsilon", 1, "--candidates", given, code=2).stderr
        if given != ledger:
            assert f"is {kind}, not a graph" in hushwalk("info", given, code=2).stderr
            assert f"is {kind}, not a ledger" in hushwalk("ledger", "show", given, code=1).stderr


def test_what_is_no_certificate_is_named(hushwalk, karate, tmp_path):
    (tmp_path / "a.csv").write_text("seed,rank,node,score\n")
    assert "no certificate stands beside it" in hushwalk("verify-certificate", tmp_path / "a.csv", code=1).stderr
    assert "it is a graph file" in hushwalk("verify-certificate", karate, code=1).stderr
    hushwalk("ledger", "init", "--graph", karate, "--epsilon", 1, "-o", tmp_path / "L", "--force")
    assert "it is a ledger" in hushwalk("verify-certificate", tmp_path / "L", code=1).stderr
    (tmp_path / "empty").write_text("")
    assert "it is empty" in hushwalk("verify-certificate", tmp_path / "empty", code=1).stderr


def on_terminal(arguments, width, **environment):
    """What a person sees on a terminal of this width: standard output and standard error."""
    reading, terminal = os.openpty()
    termios.tcsetwinsize(terminal, (40, width))
    variables = {key: value for key, value in os.environ.items() if key != "NO_COLOR"} | environment
    process = subprocess.Popen([os.environ["HUSHWALK"], *map(str, arguments)], stdout=terminal, stderr=terminal,
                               stdin=subprocess.DEVNULL, env=variables)
    end, seen = b"<end>", bytearray()

    def read():  # to a mark of our own: what comes just before a terminal is closed may be lost
        while not seen.endswith(end):
            seen.extend(os.read(reading, 65536))

    reader = threading.Thread(target=read)
    reader.start()
    code = process.wait()
    os.write(terminal, end)
    reader.join()
    os.close(terminal)
    os.close(reading)
    assert code == 0, seen
    return seen.removesuffix(end).decode()


def plain_on_terminal(arguments, width, **environment):
    return re.sub(r"\x1b\[[0-9;]*[mK]|\r", "", on_terminal(arguments, width, **{"COLUMNS": ""} | environment))


def test_whoever_waits_is_told_what_for():
    """Every verb says after a second that it is busy; here with a certificate that does not come."""
    reading, terminal = os.openpty()
    process = subprocess.Popen([os.environ["HUSHWALK"], "verify-certificate", "-"], stdin=subprocess.PIPE, stdout=terminal, stderr=terminal)
    os.close(terminal)
    seen = b""
    while "verify-certificate … 1 s".encode() not in seen and "verify-certificate … 2 s".encode() not in seen:
        seen += os.read(reading, 65536)
    process.stdin.close()
    assert process.wait() == 1
    os.close(reading)


def test_colours_on_a_terminal_only(hushwalk, karate, tmp_path):
    ask = ["rank", karate, "--seed", 1, "--exact"]
    assert "\x1b[1m  rank  node" in on_terminal(ask, 80) and "\x1b[36mhushwalk:\x1b[0m" in on_terminal(ask, 80)
    plain = on_terminal(ask, 80, NO_COLOR="1")
    assert "\x1b[1m" not in plain and "\x1b[36m" not in plain
    assert "\x1b" not in hushwalk(*ask).stdout + hushwalk(*ask).stderr
    on_terminal([*ask, "-o", tmp_path / "a.txt"], 80)
    assert "\x1b" not in (tmp_path / "a.txt").read_text()


def test_tables_fit_the_terminal(hushwalk, karate, tmp_path):
    ask = ["evaluate", karate, "--mechanism", "free", "--seeds", 2, "--quiet"]
    for width, shown in ((220, 10), (80, 2), (20, 1)):
        text = plain_on_terminal(ask, width)
        head = next(line for line in text.splitlines() if line.startswith("mechanism"))
        assert len(head.split()) == 4 + shown and (width == 20 or len(head) <= width)
        assert ("No room for" in text) == (shown < 10)
    (tmp_path / "long.txt").write_text(f"ann {'x' * 300}\n")
    text = plain_on_terminal(["rank", tmp_path / "long.txt", "--seed", "ann", "--exact", "--quiet"], 80)
    assert "xxx…" in text and all(len(line) <= 80 for line in text.splitlines())


def words_of(text):
    """But for when it was: the next run is later."""
    return set(re.sub(r"\d{4}-\d\d-\d\dT[\d:]+Z\S*", "", text).split())


def test_what_every_verb_prints_fits_the_terminal(hushwalk, karate, tmp_path):
    """Lines are as long as the terminal is wide, but for single words and commands; nothing is lost, and columns stay apart."""
    ledger, share, key = tmp_path / "L", tmp_path / "S", tmp_path / "key.pem"
    hushwalk("ledger", "init", "--graph", karate, "--epsilon", 5, "--per-recipient", 2, "-o", ledger, "--force")
    for member in (1, 2, 33):
        hushwalk("rank", karate, "--seed", member, "--epsilon", "0.4", "--ledger", ledger, "--json")
    hushwalk("rank", karate, "--seed", 1, "--epsilon", "0.4", "--scope", "edge", "--ledger", ledger, "--recipient", "a newspaper of record with a long name", "--json")
    hushwalk("rank", karate, "--seed", 1, "--epsilon", 1, "--json", "-o", tmp_path / "a.json")
    noise = ["--steps", 100, "--eta", "1e-6", "--delta", "1e-6"]
    config = tmp_path / "serve.toml"
    hushwalk("keys", "new", "-o", key)
    config.write_text(f'address = "127.0.0.1:0"\nkeys = "{tmp_path}/keys.db"\n[[graphs]]\nname = "club"\ngraph = "{karate}"\nledger = "{ledger}"\n')
    hushwalk("serve", "keys", "new", "--config", config, "--name", "Ann of the long name", "--role", "admin")
    verbs = [["account", "--laplace-scale", "8e-6", *noise, "--accountant", "all"], ["calibrate", "--epsilon", 1, *noise],
             ["plan", karate, "--seed", 1, "--epsilon", 1], ["plan", "--nodes", 10000, "--rankings", 10000, "--epsilon", 1],
             ["rank", karate, "--seed", 1, "--epsilon", 1, "--certificate"], ["rank", karate, "--seed", 1, "--epsilon", 1],
             ["share", karate, "--epsilon", 1, "-o", share], ["info", karate], ["ledger", "show", ledger], ["ledger", "show", ledger, "--recipients"],
             ["ledger", "verify", ledger], ["ledger", "cost", karate, "--ledger", ledger, "--seed", 5, "--epsilon", 1], ["verify-certificate", tmp_path / "a.json"],
             ["evaluate", karate, "--mechanism", "free,twohop", "--seeds", 3], ["tune", "--nodes", 60, "--edges", 200, "--target-ndcg", "0.5", "--seeds", 3],
             ["audit", "--mechanism", "twohop", "--trials", 200], ["audit", "--attack", "--trials", 200], ["serve", "keys", "list", "--config", config],
             ["demo", "-o", tmp_path / "demo.html"]]
    for arguments in verbs:
        wide = words_of(plain_on_terminal([*arguments, "--quiet"], 400))
        for width in (80, 60):
            text = plain_on_terminal([*arguments, "--quiet"], width)
            for line in text.splitlines():
                assert len(line) <= width or " " not in line.strip() or "hushwalk " in line or len(line.split()[-1]) > 40, (arguments, line)
            if arguments[0] in ("account", "calibrate", "info") or arguments[:2] in (["ledger", "verify"], ["serve", "keys"]):
                assert wide <= words_of(text)


def test_columns_say_how_wide_a_terminal_is(karate):
    ask = ["plan", karate, "--seed", 1, "--epsilon", 1, "--quiet"]
    assert plain_on_terminal(ask, 200, COLUMNS="60") == plain_on_terminal(ask, 60, COLUMNS="") != plain_on_terminal(ask, 200, COLUMNS="x")


def test_expert_flags_stand_apart(hushwalk):
    everyday, expert = hushwalk("rank", "--help").stdout.split("Expert options:")
    assert all(flag in everyday for flag in ("--seed", "--epsilon", "--top", "--ledger", "--output-dir"))
    assert all(flag in expert and flag not in everyday for flag in ("--eta", "--background", "--coefficients", "--threads"))


def test_numbers_for_people(hushwalk):
    text = hushwalk("account", "--laplace-scale", "8e-6", "--delta", "1e-6").stdout
    assert "with epsilon = 1 and delta" in text and not re.search(r"[0-9]{9}", text)
    work = hushwalk("plan", "--nodes", 1000000, "--epsilon", 1, "--mechanism", "paper", "--max-edges", 5000).stdout.splitlines()[-1]
    assert work.startswith("Work:") and not re.search(r"e[+-][0-9]", work)
    assert re.search(r"and [0-9.]+ (min|h|days) for noise", hushwalk("plan", "--nodes", 100000000, "--max-edges", 5000, "--epsilon", 1, "--mechanism", "paper").stdout)
