"""Private answers as scripts and people see them: rank, plan, share, verify-certificate."""
import json
import math
import os
import pathlib
import re
import subprocess

import pytest

PROGRAM = os.environ["HUSHWALK"]


@pytest.fixture(scope="module")
def karate(hushwalk, tmp_path_factory):
    path = tmp_path_factory.mktemp("karate") / "karate.hwg"
    hushwalk.json("generate", "karate", "-o", path)
    return path


MECHANISMS = ["twohop", "frontier", "shared", "circles", "paper", "output", "edgeflip", "edgeflip+own"]
LAZY_ONLY = ["pushflow", "pushflow+own"]


def write(path, document):
    path.write_text(json.dumps(document))
    return path


def refused(hushwalk, *arguments, code=3):
    done = hushwalk(*arguments, code=code)
    assert done.stdout == ""
    return done.stderr


# --- rank ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("mechanism", ["auto", *MECHANISMS, *LAZY_ONLY])
def test_a_private_ranking_and_its_certificate(hushwalk, karate, tmp_path, mechanism):
    document = hushwalk.json("rank", karate, "--seed", "1", "--epsilon", "0.5", "--mechanism", mechanism, "--top", "5")
    assert document["private"] is True
    certificate = document["certificate"]
    assert certificate["epsilon"] == certificate["total_epsilon"] == 0.5
    assert certificate["delta"] == 0 and certificate["scope"] == "personalized"
    assert certificate["mechanism"] == ("twohop" if mechanism == "auto" else mechanism)
    [ranking] = document["rankings"]
    assert ranking["seed"] == 1 and len(ranking["top"]) == 5
    nodes = [row["node"] for row in ranking["top"]]
    assert 1 not in nodes and len(set(nodes)) == 5
    scores = [row["score"] for row in ranking["top"]]
    assert scores == sorted(scores, reverse=True) and len(scores) == 5
    if mechanism.startswith("edgeflip") or mechanism == "circles":
        assert all("noise_sd" not in row for row in ranking["top"])
    else:
        assert all(row["noise_sd"] == row["error"] > 0 for row in ranking["top"])
    assert hushwalk.json("verify-certificate", write(tmp_path / "a.json", document))["valid"] is True


def test_every_ranking_spends_epsilon_but_one_artefact_spends_it_once(hushwalk, karate):
    two = ["rank", karate, "--seed", "1", "--seed", "2", "--seed", "1", "--epsilon", "1", "--mechanism"]
    document = hushwalk.json(*two, "twohop")
    assert [r["seed"] for r in document["rankings"]] == [1, 2]  # a seed given twice is released once
    assert document["certificate"]["total_epsilon"] == 2
    assert hushwalk.json(*two, "shared")["certificate"]["total_epsilon"] == 1
    everyone = hushwalk.json("rank", karate, "--all", "--epsilon", "1")
    assert everyone["certificate"]["mechanism"] == "circles" and everyone["certificate"]["total_epsilon"] == 1
    assert len(everyone["rankings"]) == 34


def test_the_table_says_in_words_what_is_protected(hushwalk, karate):
    done = hushwalk("rank", karate, "--seed", "1", "--epsilon", "1")
    assert "seed 1 (private)" in done.stdout and "±" in done.stdout
    assert "every single edge that does not touch the seed" in done.stdout
    assert "the owner of the seed only" in " ".join(done.stdout.split())
    assert "nobody is keeping count" in done.stderr
    edge = hushwalk("rank", karate, "--seed", "1", "--epsilon", "1", "--scope", "edge")
    assert "every single edge of the graph" in edge.stdout and "may be published" in edge.stdout


def test_csv_has_an_error_column_and_says_the_rest_on_standard_error(hushwalk, karate):
    done = hushwalk("rank", karate, "--seed", "1", "--epsilon", "1", "--format", "csv", "--top", "2")
    lines = done.stdout.splitlines()
    assert lines[0] == "seed,rank,node,score,error,noise_sd,rank_low,rank_high" and len(lines) == 3
    assert "Protected:" in done.stderr


def test_a_csv_file_has_its_certificate_beside_it(hushwalk, karate, tmp_path):
    out = tmp_path / "a.csv"
    hushwalk("rank", karate, "--seed", "1", "--epsilon", "1", "--format", "csv", "-o", out)
    assert out.read_text().startswith("seed,rank,node,score,error,noise_sd,rank_low,rank_high\n")
    assert hushwalk.json("verify-certificate", f"{out}.certificate.json")["valid"] is True


def test_a_closed_standard_output_is_noticed(karate):
    done = subprocess.run(f"{PROGRAM} rank {karate} --seed 1 --epsilon 1 >&-", shell=True, capture_output=True, text=True)
    assert done.returncode == 1 and "standard output is closed" in done.stderr


def test_a_seed_set_is_one_ranking(hushwalk, karate, tmp_path):
    (tmp_path / "set.txt").write_text("33\n34 2\n")
    document = hushwalk.json("rank", karate, "--seed-set", tmp_path / "set.txt", "--epsilon", "1")
    assert document["certificate"]["parameters"]["seeds_per_ranking"] == 2
    assert not {33, 34} & {row["node"] for row in document["rankings"][0]["top"]}
    assert "touches no seed" in document["certificate"]["words"]["protects"]


def test_candidates_are_named_in_the_certificate(hushwalk, karate, tmp_path):
    (tmp_path / "c.txt").write_text("2\n3\n4\n")
    document = hushwalk.json("rank", karate, "--seed", "1", "--epsilon", "1", "--candidates", tmp_path / "c.txt")
    assert document["certificate"]["public_candidates"] is True
    assert any("candidates" in text for text in document["certificate"]["words"]["assumptions"])
    assert {row["node"] for row in document["rankings"][0]["top"]} == {2, 3, 4}


def test_a_plan_names_candidates_in_words_and_in_json(hushwalk, karate, tmp_path):
    (tmp_path / "c.txt").write_text("2\n3\n4\n")
    asked = ["plan", karate, "--seed", "1", "--epsilon", "1"]
    listed = [*asked, "--candidates", tmp_path / "c.txt"]
    assert hushwalk.json(*listed)["certificate"]["public_candidates"] is True
    assert "candidates" in hushwalk(*listed).stdout and "candidates" not in hushwalk(*asked).stdout


@pytest.mark.parametrize(
    "diffusion",
    [["--diffusion", "pagerank", "--beta", "0.5"], ["--diffusion", "heat", "--time", "2", "--steps", "20"], ["--steps", "7"]],
)
@pytest.mark.parametrize("mechanism", MECHANISMS)
def test_all_diffusions(hushwalk, karate, tmp_path, mechanism, diffusion):
    document = hushwalk.json("rank", karate, "--seed", "1", "--epsilon", "1", "--mechanism", mechanism, *diffusion)
    assert hushwalk.json("verify-certificate", write(tmp_path / "a.json", document))["valid"] is True


def test_wild_coefficients_are_planned_for_or_refused_but_never_fail_on_a_graph(hushwalk, karate, tmp_path):
    coefficients = write(tmp_path / "c.json", {"gamma1": [-2, 3], "gamma2": [1, -4], "gamma3": [2, 2]})
    for mechanism in MECHANISMS:
        document = hushwalk.json("rank", karate, "--seed", "1", "--epsilon", "1", "--mechanism", mechanism,
                                 "--diffusion", "custom", "--coefficients", coefficients)
        assert all(math.isfinite(row["score"]) for row in document["rankings"][0]["top"])


# --- what is refused -------------------------------------------------------------------------------------------


def test_refusals_for_privacy_have_exit_code_3(hushwalk, karate):
    rank = ["rank", karate, "--seed", "1", "--epsilon", "1"]
    assert "use --mechanism shared" in refused(hushwalk, *rank, "--mechanism", "twohop", "--scope", "edge")
    assert "neighbours" in refused(hushwalk, *rank, "--scope", "edge", "--exclude-neighbors")
    assert "background" in refused(hushwalk, *rank, "--background", "1.5")
    assert "rounding" in refused(hushwalk, *rank, "--mechanism", "paper", "--eta", "1e-17")


@pytest.mark.parametrize(
    "flags, message",
    [
        ([], "--epsilon"),
        (["--epsilon", "0"], "epsilon"),
        (["--epsilon", "-1"], "epsilon"),
        (["--epsilon", "nan"], "epsilon"),
        (["--epsilon", "inf"], "epsilon"),
        (["--epsilon", "1", "--exact"], "--exact"),
        (["--epsilon", "1", "--mechanism", "magic"], "there is no mechanism 'magic'"),
        (["--epsilon", "1", "--mechanism", "twohop", "--eta", "1e-6"], "eta"),
        (["--epsilon", "1", "--taper", "0"], "taper"),
        (["--epsilon", "1", "--taper", "many"], "taper"),
        (["--epsilon", "1", "--delta", "2"], "delta"),
        (["--epsilon", "1", "--random-seed", "3"], "--random-seed"),  # a release has no seeded noise
    ],
)
def test_wrong_usage_has_exit_code_2(hushwalk, karate, flags, message):
    assert message in refused(hushwalk, "rank", karate, "--seed", "1", *flags, code=2)


def test_the_same_errors_for_any_edges(hushwalk, tmp_path):
    """What is refused, and how, depends on public facts only."""
    (tmp_path / "nodes.txt").write_text("\n".join(str(i) for i in range(1, 9)))
    messages = []
    for edges in ["1 2\n", "1 2\n1 3\n1 4\n5 6\n7 8\n"]:
        (tmp_path / "g.txt").write_text(edges)
        graph = tmp_path / "g.hwg"
        hushwalk("import", tmp_path / "g.txt", "--nodes", tmp_path / "nodes.txt", "-o", graph)
        done = [hushwalk("rank", graph, "--seed", "1", "--epsilon", "1", *flags, code=None)
                for flags in (["--mechanism", "paper", "--eta", "1e-17"], ["--background", "2"], ["--mechanism", "output"])]
        messages.append([(d.returncode, d.stderr) for d in done])
    assert messages[0] == messages[1]


# For every parameter of the library: flags, and what its field of the plan and of the certificate becomes.
FLAGS = {
    "mechanism": (["--mechanism", "paper"], "paper"), "scope": (["--scope", "edge"], "edge"),
    "epsilon": (["--epsilon", "0.25"], 0.25), "delta": (["--delta", "1e-7"], 1e-7),
    "diffusion": (["--diffusion", "heat", "--time", "3", "--steps", "7"], {"name": "heat", "time": 3.0, "steps": 7}),
    "eta": (["--mechanism", "paper", "--eta", "0.001"], 0.001), "background": (["--background", "0.5"], 0.5),
    "taper": (["--taper", "7"], 7.0), "rankings": (["--rankings", "3"], 3),
    "seeds_per_ranking": (["--seeds-per-ranking", "2"], 2),
}


def test_every_parameter_of_the_library_has_a_flag(hushwalk):
    header = pathlib.Path(os.environ["HUSHWALK_SOURCE"]) / "include/hushwalk/parameters.h"
    assert re.findall(r'visit\("(\w+)"', header.read_text()) == list(FLAGS)
    for name, (flags, expected) in FLAGS.items():
        planned = hushwalk.json("plan", "--nodes", "1000", *([] if name == "epsilon" else ["--epsilon", "1"]), *flags)
        for said in planned["plan"], planned["certificate"]:
            assert {**said, **said["parameters"]}[name] == expected, name


# --- plan ------------------------------------------------------------------------------------------------------


def test_a_plan_needs_no_graph_and_agrees_with_the_release(hushwalk, karate):
    for mechanism in ["auto", *MECHANISMS, *LAZY_ONLY]:
        flags = ["--epsilon", "0.7", "--mechanism", mechanism]
        without = hushwalk.json("plan", "--nodes", "34", *flags)
        planned = hushwalk.json("plan", karate, *flags)
        released = hushwalk.json("rank", karate, "--seed", "1", *flags)["certificate"]
        assert planned["certificate"]["released"] is False and released["released"] is True
        assert planned["certificate"]["plan_digest"] == released["plan_digest"]
        assert without["plan"]["noise"] == planned["plan"]["noise"]


def test_a_plan_is_printed_for_people(hushwalk):
    done = hushwalk("plan", "--nodes", "10000", "--epsilon", "0.5", "--mechanism", "output")
    assert "Plan:" in done.stdout and "Noise:" in done.stdout and "rounding" in done.stdout


def test_a_plan_takes_the_flags_of_rank(hushwalk, karate, tmp_path):
    (tmp_path / "set.txt").write_text("1\n2\n3\n")
    plan = hushwalk.json("plan", karate, "--seed-set", tmp_path / "set.txt", "--epsilon", "1")["plan"]
    assert plan["parameters"]["seeds_per_ranking"] == 3 and plan["rankings"] == 1
    plan = hushwalk.json("plan", karate, "--all", "--epsilon", "1", "--mechanism", "twohop", "--top", "5")["plan"]
    assert plan["rankings"] == 34 and plan["total_epsilon"] == 34 and plan["seconds_for_noise"] > 0
    refused(hushwalk, "plan", karate, "--seed", "1", "--epsilon", "1", "--scope", "edge", "--exclude-neighbors")
    assert hushwalk.json("plan", "--nodes", "50", "--seed", "1", "--seed", "2", "--epsilon", "1")["plan"]["rankings"] == 2


def test_one_step_has_nothing_to_hide(hushwalk, karate):
    assert "twohop" in refused(hushwalk, "rank", karate, "--seed", "1", "--epsilon", "1", "--mechanism", "paper", "--steps", "1")


def test_contradictory_plans_are_usage_errors(hushwalk, karate):
    refused(hushwalk, "plan", "--epsilon", "1", code=2)
    refused(hushwalk, "plan", karate, "--nodes", "34", "--epsilon", "1", code=2)
    refused(hushwalk, "plan", "--nodes", "0", "--epsilon", "1", code=2)
    refused(hushwalk, "plan", "--nodes", "10", "--max-edges", "46", "--epsilon", "1", code=2)


# --- share -----------------------------------------------------------------------------------------------------


def test_one_artefact_serves_every_seed(hushwalk, karate, tmp_path):
    made = hushwalk.json("share", karate, "--epsilon", "0.3", "-o", tmp_path / "s")
    assert made["certificate"]["scope"] == "edge" and made["certificate"]["total_epsilon"] == 0.3
    assert hushwalk.json("verify-certificate", tmp_path / "s")["valid"] is True
    answers = [hushwalk("rank", karate, "--shared", tmp_path / "s", "--seed", "5", "--json").stdout for _ in range(2)]
    assert answers[0] == answers[1]  # no noise of its own
    document = json.loads(answers[0])
    assert document["certificate"]["scope"] == "personalized" and document["certificate"]["total_epsilon"] == 0.3
    assert hushwalk.json("verify-certificate", write(tmp_path / "a.json", document))["valid"] is True
    published = hushwalk.json("rank", karate, "--shared", tmp_path / "s", "--all", "--scope", "edge")
    assert published["certificate"]["scope"] == "edge"
    best = [r["top"][0]["node"] for r in published["rankings"]]
    assert len(set(best)) <= 2  # nobody's neighbours show: the same order for all, but for the seed itself


def test_an_artefact_of_another_graph_or_damaged_is_not_used(hushwalk, karate, tmp_path):
    hushwalk.json("share", karate, "--epsilon", "1", "-o", tmp_path / "s")
    other = tmp_path / "other.hwg"
    hushwalk.json("generate", "karate", "-o", other)
    assert "another graph" in refused(hushwalk, "rank", other, "--shared", tmp_path / "s", "--seed", "1")
    damaged = bytearray((tmp_path / "s").read_bytes())
    damaged[-1] ^= 1
    (tmp_path / "d").write_bytes(damaged)
    assert "damaged" in refused(hushwalk, "rank", karate, "--shared", tmp_path / "d", "--seed", "1", code=1)
    assert "not a shared artefact" in refused(hushwalk, "rank", karate, "--shared", karate, "--seed", "1", code=1)
    refused(hushwalk, "rank", karate, "--shared", tmp_path / "s", "--seed", "1", "--epsilon", "1", code=2)


def test_a_text_has_no_lasting_id_to_share(hushwalk, tmp_path):
    (tmp_path / "g.txt").write_text("1 2\n")
    assert "import" in refused(hushwalk, "share", tmp_path / "g.txt", "--epsilon", "1", "-o", tmp_path / "s")


def test_deltas_add_up(hushwalk, karate):
    certificate = hushwalk.json("rank", karate, "--seed", "1", "--seed", "2", "--seed", "3", "--epsilon", "0.5", "--delta",
                                "0.01", "--mechanism", "paper", "--diffusion", "heat")["certificate"]
    assert (certificate["total_epsilon"], certificate["delta"]) == (1.5, 0.01)
    assert certificate["total_delta"] == pytest.approx(0.03)


def test_a_graph_without_edges_gets_an_ordinary_answer(hushwalk, tmp_path):
    (tmp_path / "nodes.txt").write_text("1\n2\n3\n")
    (tmp_path / "g.txt").write_text("")
    hushwalk("import", tmp_path / "g.txt", "--nodes", tmp_path / "nodes.txt", "-o", tmp_path / "g.hwg")
    for mechanism in MECHANISMS:
        top = hushwalk.json("rank", tmp_path / "g.hwg", "--seed", "1", "--epsilon", "1", "--mechanism", mechanism)
        assert {row["node"] for row in top["rankings"][0]["top"]} == {2, 3}


# --- verify-certificate ----------------------------------------------------------------------------------------


def leaves(value, path=()):
    if isinstance(value, dict):
        for key, part in value.items():
            yield from leaves(part, (*path, key))
    elif isinstance(value, list):
        for i, part in enumerate(value):
            yield from leaves(part, (*path, i))
    else:
        yield path, value


def altered(value):
    if isinstance(value, bool):
        return not value
    if isinstance(value, int):
        return value + 1
    if isinstance(value, float):
        return value * (1 + 4e-16) if value else 1e-9
    return (value or "") + "x"


def test_every_single_alteration_fails(hushwalk, karate, tmp_path):
    document = hushwalk.json("rank", karate, "--seed", "1", "--epsilon", "1")
    count = 0
    for path, value in leaves(document["certificate"]):
        changed = json.loads(json.dumps(document))
        at = changed["certificate"]
        for key in path[:-1]:
            at = at[key]
        at[path[-1]] = altered(value)
        done = hushwalk("verify-certificate", write(tmp_path / "c.json", changed), "--json", code=1)
        assert json.loads(done.stdout)["valid"] is False, path
        count += 1
    assert count > 40


@pytest.mark.parametrize(
    "change",
    [
        lambda text: text.replace('"epsilon"', '"epsilon": 0.001, "epsilon"', 1),
        lambda text: text[:-1] + ', "certificate": {}}',
        lambda text: text + "\n{}",
        lambda text: text.replace('"private": true', '"private": false'),
        lambda text: text.replace('"rankings": [', '"rankings": [{}, '),
    ],
)
def test_what_surrounds_a_certificate_cannot_contradict_it(hushwalk, karate, tmp_path, change):
    text = json.dumps(hushwalk.json("rank", karate, "--seed", "1", "--epsilon", "1"))
    (tmp_path / "good.json").write_text(text)
    assert hushwalk.json("verify-certificate", tmp_path / "good.json")["valid"] is True
    assert hushwalk("verify-certificate", "-", input=text).stdout.startswith("the certificate holds")
    assert change(text) != text
    (tmp_path / "bad.json").write_text(change(text))
    hushwalk("verify-certificate", tmp_path / "bad.json", code=1)


def test_what_is_no_certificate_fails_clearly(hushwalk, karate, tmp_path):
    exact = hushwalk.json("rank", karate, "--seed", "1", "--exact")
    done = hushwalk("verify-certificate", write(tmp_path / "e.json", exact), code=1)
    assert "exact" in done.stderr
    (tmp_path / "n.txt").write_text("hello")
    assert "not JSON" in hushwalk("verify-certificate", tmp_path / "n.txt", code=1).stderr
    assert "missing.json" in hushwalk("verify-certificate", tmp_path / "missing.json", code=1).stderr


# --- demo ------------------------------------------------------------------------------------------------------


def test_demo_shows_the_private_ranking_beside_the_exact_one(hushwalk, tmp_path):
    document = hushwalk.json("demo", cwd=tmp_path)
    assert document["private"] is True and document["certificate"]["epsilon"] == 1
    assert not list(tmp_path.iterdir())
    done = hushwalk("demo", cwd=tmp_path)
    assert "private" in done.stdout and "exact (not private)" in done.stdout and "Protected:" in done.stdout
    assert "hushwalk-demo.html" in done.stderr
    page = (tmp_path / "hushwalk-demo.html").read_text()
    first = re.search(r"^ +1 +(\d+) +(0\.\d+)", done.stdout, re.M)  # the page is of the same answer
    same = re.search(r'<td class="number">1</td><td>(\d+)</td><td class="number">([\d.]+)</td>', page)
    assert same[1] == first[1] and float(same[2]) == pytest.approx(float(first[2]), abs=6e-5)
    assert "<td>Protected</td><td class=\"long\">every single edge that does not touch the seed</td>" in page


def test_demo_writes_its_page_whole_or_not_at_all(hushwalk, tmp_path):
    document = hushwalk.json("demo", "-o", tmp_path / "page.html")
    assert document["rankings"] and (tmp_path / "page.html").read_text().endswith("</html>\n")
    done = hushwalk("demo", "-o", tmp_path / "no" / "page.html", code=1)
    assert "page.html" in done.stderr and [path.name for path in tmp_path.iterdir()] == ["page.html"]


# --- artefacts and who keeps count -------------------------------------------------------------------------------


@pytest.mark.parametrize("mechanism", ["shared", "circles", "edgeflip"])
def test_every_command_draws_an_artefact_of_its_own_and_names_it(hushwalk, karate, mechanism):
    ask = ["rank", karate, "--seed", "1", "--epsilon", "0.29", "--mechanism", mechanism]
    one, other = (hushwalk.json(*ask)["certificate"] for _ in range(2))
    assert re.fullmatch("[0-9a-f]{32}", one["artefact"]) and one["artefact"] != other["artefact"]
    for certificate in (one, other):
        assert certificate["artefact"] in certificate["words"]["pooling"]
        assert "other artefacts add up" in certificate["words"]["pooling"]
    plan = hushwalk.json("plan", karate, "--epsilon", "0.29", "--mechanism", mechanism)["certificate"]
    assert plan["artefact"] is None and "the answers of this command" in plan["words"]["pooling"]


@pytest.mark.parametrize("mechanism, written", [("shared", 2), ("circles", 3)])
def test_answers_from_one_artefact_name_the_same_one(hushwalk, karate, tmp_path, mechanism, written):
    artefact = tmp_path / "s"
    made = hushwalk.json("share", karate, "--epsilon", "1", "--mechanism", mechanism, "-o", artefact)["certificate"]["artefact"]
    head = json.loads(artefact.read_bytes().split(b"\n")[0])
    assert head["artefact"] == made and head["format"] == written
    for seed in "1", "2":
        answer = hushwalk.json("rank", karate, "--shared", artefact, "--seed", seed)
        assert answer["certificate"]["artefact"] == made
    assert hushwalk.json("rank", karate, "--seed", "1", "--epsilon", "1")["certificate"]["artefact"] is None


def test_an_answer_without_a_ledger_says_so_wherever_it_is_read(hushwalk, karate, tmp_path):
    ask = ["rank", karate, "--seed", "1", "--epsilon", "1"]
    certificate = hushwalk.json(*ask)["certificate"]
    assert certificate["ledger"] is None and "no ledger charged it" in certificate["words"]["counted"]
    assert "no ledger charged it" in hushwalk(*ask).stdout
    hushwalk(*ask, "--format", "csv", "-o", tmp_path / "a.csv")
    beside = json.loads((tmp_path / "a.csv.certificate.json").read_text())
    assert "no ledger charged it" in beside["words"]["counted"]
    ledger = tmp_path / "l"
    hushwalk("ledger", "init", "--graph", karate, "--epsilon", "3", "-o", ledger, "--force")
    name = hushwalk.json("ledger", "show", ledger)["ledger_id"]
    for mechanism in "twohop", "shared", "circles":
        counted = hushwalk.json(*ask, "--ledger", ledger, "--mechanism", mechanism)["certificate"]
        assert counted["ledger"] == name and name in counted["words"]["counted"]
        assert (counted["artefact"] is None) == (mechanism == "twohop")


def test_certificates_say_that_the_guarantee_is_computational(hushwalk, karate):
    assert "computational" in hushwalk("rank", karate, "--seed", "1", "--epsilon", "1", "--certificate").stdout
    assert "computational" in hushwalk.json("plan", "--nodes", "9", "--epsilon", "1")["certificate"]["randomness"]


def test_twenty_answers_of_a_twentieth_are_one(hushwalk, karate, tmp_path):
    plan = hushwalk.json("plan", karate, "--epsilon", "0.05", "--rankings", "20", "--mechanism", "twohop")
    assert plan["certificate"]["total_epsilon"] == plan["plan"]["total_epsilon"] == 1
    ledger = tmp_path / "L"
    hushwalk("ledger", "init", "--graph", karate, "--epsilon", "1", "-o", ledger, "--force")
    seeds = [word for seed in range(1, 21) for word in ("--seed", seed)]
    ask = "rank", karate, *seeds, "--epsilon", "0.05", "--mechanism", "twohop", "--ledger", ledger, "--json"
    charged = hushwalk(*ask)
    assert "charged 1 to the total for 20 new releases and to 20 recipients' own, epsilon = 1 of 1 is spent" in charged.stderr
    assert json.loads(charged.stdout)["certificate"]["total_epsilon"] == 1
    shown = hushwalk.json("ledger", "show", ledger)
    assert shown["spent"] == 1 and shown["left"] == 0
    assert re.search(r"^total +1 +0 +20", hushwalk("ledger", "show", ledger).stdout, re.M)


def test_no_unit_that_was_spent_is_rounded_away(hushwalk, karate, tmp_path):
    ledger = tmp_path / "L"
    hushwalk("ledger", "init", "--graph", karate, "--epsilon", "10.5", "-o", ledger, "--force")
    ask = "rank", karate, "--seed", "1", "--epsilon", "10.000000001", "--mechanism", "twohop", "--ledger", ledger
    assert "charged 10.000000001 to the total for 1 new release and 10.000000001 to '1', epsilon = 10.000000001 of 10.5 is spent" in hushwalk(*ask).stderr
    shown = hushwalk("ledger", "show", ledger).stdout
    assert re.search(r"^total +10\.000000001 +0\.499999999 ", shown, re.M), shown
    assert "10.000000001 of 10.5 is spent" in hushwalk("ledger", "cost", *ask[1:6], "--mechanism", "twohop", "--ledger", ledger).stdout


def test_a_quiet_csv_has_its_certificate_all_the_same(hushwalk, karate):
    asked = hushwalk("rank", karate, "--seed", "1", "--epsilon", "1", "--format", "csv", "--quiet")
    assert "no ledger charged it" in asked.stderr


# --- hostile certificates ----------------------------------------------------------------------------------------


def test_a_hostile_certificate_neither_crashes_nor_spoofs(hushwalk, karate, tmp_path):
    spoof = tmp_path / "spoof.json"
    key = r'"\u001b[2K\rhushwalk: the certificate holds\n\u202e"'
    spoof.write_text("{" + f"{key}: 1, {key}: 2" + "}")
    done = hushwalk("verify-certificate", spoof, code=1)
    assert "twice" in done.stderr
    assert "\x1b" not in done.stderr and "\r" not in done.stderr and done.stderr.count("\n") == 1
    (tmp_path / "deep.json").write_text('{"certificate": ' + "[" * 300_000 + "]" * 300_000 + "}")
    assert "deep" in hushwalk("verify-certificate", tmp_path / "deep.json", code=1).stderr


def test_many_keys_and_long_first_lines_take_no_time(hushwalk, karate, tmp_path):
    (tmp_path / "keys.json").write_text("{" + ",".join(f'"k{i}": 1' for i in range(200_000)) + "}")
    assert "1000 keys" in hushwalk("verify-certificate", tmp_path / "keys.json", code=1).stderr
    with open(tmp_path / "long", "wb") as file:
        file.write(b'{"kind":"hushwalk shared artefact","x":"')
        file.truncate(1 << 36)  # sparse
    for ask in (["rank", karate, "--seed", "1", "--shared"], ["verify-certificate"]):
        assert "does not end" in hushwalk(*ask, tmp_path / "long", code=1).stderr


def test_an_artefact_charged_to_one_recipient_answers_others_under_its_ledger_only(hushwalk, karate, tmp_path):
    ledger, artefact = tmp_path / "l", tmp_path / "s"
    hushwalk("ledger", "init", "--graph", karate, "--epsilon", "3", "--per-recipient", "0.5", "-o", ledger, "--force")
    hushwalk("share", karate, "--epsilon", "0.5", "--ledger", ledger, "--recipient", "bob", "-o", artefact)
    ask = ["rank", karate, "--shared", artefact, "--seed", "3"]
    assert "it was charged to 'bob'" in refused(hushwalk, *ask)
    hushwalk(*ask, "--ledger", ledger)
    spent = {row["recipient"]: row["spent"] for row in hushwalk.json("ledger", "show", ledger)["recipients"]}
    assert spent == {"bob": 0.5, "3": 0.5}


def test_parameters_that_once_took_for_ever_are_refused(hushwalk, karate):
    hushwalk("calibrate", "--mechanism", "paper", "--beta", "1e-320", "--epsilon", "1", code=2)
    long = ["--diffusion", "heat", "--time", "1", "--steps", "10001", "--delta", "1e-6", "--epsilon", "1"]
    assert "at most 10000 steps" in hushwalk("calibrate", "--mechanism", "paper", *long, code=3).stderr
    long[long.index("10001")] = "1001"
    assert "at most 1000 steps" in hushwalk("plan", "--nodes", "34", "--mechanism", "paper", *long, code=3).stderr


def test_a_damaged_artefact_that_rank_refuses_does_not_verify(hushwalk, karate, tmp_path):
    artefact = tmp_path / "s"
    hushwalk("share", karate, "--epsilon", "1", "-o", artefact)
    assert hushwalk.json("verify-certificate", artefact)["valid"] is True
    damaged = bytearray(artefact.read_bytes())
    damaged[-3] ^= 1
    artefact.write_bytes(damaged)
    hushwalk("rank", karate, "--shared", artefact, "--seed", "1", code=1)
    assert "damaged" in hushwalk("verify-certificate", artefact, code=1).stderr
