"""A privacy budget as people and scripts see it."""
import csv
import io
import json
import math
import os
import pathlib
import shutil
import stat

import pytest

HERE = pathlib.Path(__file__).parent


@pytest.fixture(autouse=True)
def no_default_ledger(monkeypatch):
    for name in ("HUSHWALK_LEDGER", "HUSHWALK_KEY", "HUSHWALK_SIGNING_KEY"):
        monkeypatch.delenv(name, raising=False)


@pytest.fixture
def graph(hushwalk, tmp_path):
    hushwalk("generate", "karate", "-o", tmp_path / "k.hwg")
    return tmp_path / "k.hwg"


@pytest.fixture
def ledger(hushwalk, graph):
    return init(hushwalk, graph)


def init(hushwalk, graph, *flags, epsilon="1", name="k.ledger"):
    path = graph.parent / name
    hushwalk("ledger", "init", "--graph", graph, "--epsilon", epsilon, *flags, "-o", path)
    return path


def rank(hushwalk, graph, ledger, seed, epsilon="0.1", *flags, code=0):
    return hushwalk("rank", graph, "--ledger", ledger, "--seed", seed, "--epsilon", epsilon, *flags, code=code)


def show(hushwalk, ledger):
    return hushwalk.json("ledger", "show", ledger)


def noise_free(text):
    return " ".join(text.split())


# --- the story -------------------------------------------------------------------------------------------------


def test_ten_answers_of_a_tenth_fill_a_budget_of_one_and_stay_available(hushwalk, graph, ledger):
    first = {}
    for seed in range(1, 11):
        for form in ("table", "csv", "json"):
            first[seed, form] = rank(hushwalk, graph, ledger, seed, "0.1", "--format", form).stdout
    assert show(hushwalk, ledger)["spent"] == 1
    refused = rank(hushwalk, graph, ledger, 11, code=3)
    assert refused.stdout == ""
    words = noise_free(refused.stderr)
    for part in ("would cost 0.1", "the total budget is epsilon = 1", "1 is spent", "0 is left", "Nothing more fits"):
        assert part in words
    for (seed, form), stdout in first.items():
        assert rank(hushwalk, graph, ledger, seed, "0.1", "--format", form).stdout == stdout
    assert hushwalk.json("ledger", "verify", ledger)["valid"] is True


def test_another_length_or_leaving_out_neighbours_costs_nothing(hushwalk, graph, ledger):
    def released(top):  # a range of ranks is one among the nodes that are listed
        return [(row["node"], row["score"], row["noise_sd"]) for row in top]

    three = json.loads(rank(hushwalk, graph, ledger, 1, "1", "--top", "3", "--json").stdout)["rankings"][0]["top"]
    done = rank(hushwalk, graph, ledger, 1, "1", "--full", "--json")
    assert "nothing charged" in done.stderr
    full = json.loads(done.stdout)["rankings"][0]["top"]
    assert full[:3] == three and len(full) == 33
    few = json.loads(rank(hushwalk, graph, ledger, 1, "1", "--exclude-neighbors", "--full", "--json").stdout)
    rest = released(few["rankings"][0]["top"])
    assert [row for row in released(full) if row in rest] == rest and len(rest) == 33 - 16
    candidates = graph.parent / "c.txt"
    candidates.write_text("2\n3\n")
    some = json.loads(rank(hushwalk, graph, ledger, 1, "1", "--candidates", candidates, "--json").stdout)
    assert {row["node"] for row in some["rankings"][0]["top"]} == {2, 3}
    assert some["certificate"]["public_candidates"] is True
    assert show(hushwalk, ledger)["releases"] == 1


def test_a_second_look_is_made_again_as_it_was(hushwalk, graph, ledger):
    ask = [hushwalk, graph, ledger, 1, "0.8", "--mechanism", "frontier", "--format", "json"]
    first = rank(*ask).stdout
    assert rank(*ask).stdout == rank(*ask, "--threads", "1").stdout == first
    assert show(hushwalk, ledger)["spent"] == 0.8
    assert "second look" in json.loads(first)["certificate"]["noise"][4]["on"]


def test_what_a_refusal_says_would_fit_fits(hushwalk, graph, ledger):
    rank(hushwalk, graph, ledger, 1, "0.7")
    refused = rank(hushwalk, graph, ledger, 2, "0.5", code=3)
    assert "--epsilon 0.3 would fit" in refused.stderr
    rank(hushwalk, graph, ledger, 2, "0.3")
    assert show(hushwalk, ledger)["left"] == 0


def test_several_seeds_are_charged_together_or_not_at_all(hushwalk, graph, ledger):
    both = ["rank", graph, "--ledger", ledger, "--seed", 1, "--seed", 2, "--json"]
    refused = hushwalk(*both, "--epsilon", "0.6", code=3)
    assert "1.2 for 2 new releases" in refused.stderr and "--epsilon 0.5 for each would fit" in refused.stderr
    assert show(hushwalk, ledger)["spent"] == 0
    document = hushwalk.json(*both[:-1], "--epsilon", "0.5")
    assert document["certificate"]["total_epsilon"] == 1
    assert hushwalk(*both, "--epsilon", "0.5").stdout == hushwalk(*both, "--epsilon", "0.5").stdout
    alone = hushwalk.json("rank", graph, "--ledger", ledger, "--seed", 2, "--epsilon", "0.5")
    assert alone["rankings"][0] == document["rankings"][1]


# --- who gets what ---------------------------------------------------------------------------------------------


def test_only_the_owner_of_a_seed_gets_its_answers(hushwalk, graph, ledger):
    rank(hushwalk, graph, ledger, 1, "0.1", "--recipient", "ann")
    rank(hushwalk, graph, ledger, 1, "0.1")
    refused = rank(hushwalk, graph, ledger, 1, "0.1", "--recipient", "eve", code=3)
    assert refused.stdout == "" and "belong to 'ann'" in refused.stderr
    assert show(hushwalk, ledger)["recipients"][0]["recipient"] == "ann"


def test_in_edge_scope_a_second_recipient_gets_the_same_bytes(hushwalk, graph):
    ledger = init(hushwalk, graph, "--per-recipient", "0.5")
    ask = ["rank", graph, "--ledger", ledger, "--seed", 1, "--epsilon", "0.5", "--scope", "edge"]
    assert "--recipient NAME" in hushwalk(*ask, code=2).stderr
    ann, bob = (hushwalk.json(*ask, "--recipient", name) for name in ("ann", "bob"))
    assert ann["rankings"] == bob["rankings"]
    for name, answer in (("ann", ann), ("bob", bob)):
        assert answer["certificate"]["audience_named"] == {"recipient": name}
        assert f"'{name}'" in answer["certificate"]["words"]["audience"]
    state = show(hushwalk, ledger)
    assert state["spent"] == 0.5
    assert [(row["recipient"], row["spent"], row["left"]) for row in state["recipients"]] == [("ann", 0.5, 0),
                                                                                            ("bob", 0.5, 0)]


def test_what_is_published_counts_for_everybody(hushwalk, graph):
    ledger = init(hushwalk, graph, "--per-recipient", "0.5")
    output = graph.parent / "s"
    refused = share(hushwalk, graph, output, "--ledger", ledger, epsilon="0.25", code=2)
    assert "--recipient NAME; or --publish" in refused.stderr and not output.exists()
    done = share(hushwalk, graph, output, "--ledger", ledger, "--publish", epsilon="0.25")
    assert "and 0.25 to everybody's own" in done.stderr
    assert "published, and counts on the budget of every recipient" in noise_free(done.stdout)
    certificate = json.loads(output.read_bytes().split(b"\n")[0])["certificate"]
    assert certificate["audience_named"] == {"published": True}
    assert hushwalk.json("verify-certificate", output)["valid"] is True
    assert "0.25 is left" in rank(hushwalk, graph, ledger, 1, "0.5", code=3).stderr
    rank(hushwalk, graph, ledger, 1, "0.25", "--recipient", "ann")
    state = show(hushwalk, ledger)
    assert state["published"] == {"epsilon": 0.5, "spent": 0.25, "left": 0.25, "releases": 1}
    assert [(row["recipient"], row["spent"]) for row in state["recipients"]] == [("ann", 0.5)]
    assert "(everybody)" in hushwalk("ledger", "show", ledger).stdout
    edge = ["ledger", "cost", graph, "--ledger", ledger, "--seed", 3, "--scope", "edge", "--publish"]
    assert hushwalk.json(*edge, "--epsilon", "0.1")["reason"].startswith("the budget of a recipient does not hold this")
    assert "everybody" in hushwalk("ledger", "export", ledger, "--format", "csv").stdout
    assert hushwalk.json("ledger", "verify", ledger)["valid"] is True


def test_publishing_needs_a_ledger_edge_scope_and_no_recipient(hushwalk, graph, ledger):
    ask = ["rank", graph, "--seed", 1, "--epsilon", "0.1", "--publish"]
    assert "--publish goes with --ledger" in hushwalk(*ask, code=2).stderr
    assert "cannot be published" in hushwalk(*ask, "--ledger", ledger, code=3).stderr
    hushwalk(*ask, "--ledger", ledger, "--scope", "edge", "--recipient", "ann", code=2)
    document = hushwalk.json(*ask, "--ledger", ledger, "--scope", "edge")
    assert document["certificate"]["audience_named"] == {"published": True}


def test_a_seed_set_needs_a_recipient_who_owns_all(hushwalk, graph, ledger):
    seeds = graph.parent / "set.txt"
    seeds.write_text("1\n2\n")
    ask = ["rank", graph, "--ledger", ledger, "--seed-set", seeds, "--epsilon", "0.1"]
    assert "--recipient" in hushwalk(*ask, code=2).stderr
    rank(hushwalk, graph, ledger, 2)
    assert "belong to '2'" in hushwalk(*ask, "--recipient", "ann", code=3).stderr
    hushwalk(*ask, "--recipient", "2")


# --- what is refused, and how the ledger is chosen ----------------------------------------------------------------


def test_without_a_ledger_a_release_says_that_nobody_counts(hushwalk, graph):
    done = hushwalk("rank", graph, "--seed", 1, "--epsilon", 1)
    assert "no ledger: nobody is keeping count" in done.stderr and "no ledger charged it" in done.stdout
    assert "nobody is keeping count" in hushwalk("share", graph, "--epsilon", 1, "-o", graph.parent / "s").stderr
    assert "--ledger" in hushwalk("rank", graph, "--seed", 1, "--epsilon", 1, "--recipient", "a", code=2).stderr


def test_the_environment_names_a_default(hushwalk, graph, ledger):
    environment = dict(os.environ, HUSHWALK_LEDGER=str(ledger))
    done = hushwalk("rank", graph, "--seed", 1, "--epsilon", "0.25", env=environment)
    assert "charged 0.25" in done.stderr and show(hushwalk, ledger)["spent"] == 0.25
    assert hushwalk("rank", graph, "--seed", 1, "--exact", code=3, env=environment).stdout == ""
    missing = dict(os.environ, HUSHWALK_LEDGER=str(ledger) + "x")
    done = hushwalk("rank", graph, "--seed", 1, "--epsilon", 1, code=1, env=missing)
    assert "there is no ledger" in done.stderr and "Check the path, and that its disk is mounted" in done.stderr


def test_a_text_graph_and_the_exact_answer_are_refused(hushwalk, graph, ledger):
    text = graph.parent / "g.txt"
    text.write_text("1 2\n2 3\n")
    assert "import it into a graph file" in rank(hushwalk, text, ledger, 1, code=3).stderr
    hushwalk("ledger", "init", "--graph", text, "--epsilon", 1, "-o", graph.parent / "x.ledger", code=3)
    assert not (graph.parent / "x.ledger").exists()
    exact = hushwalk("rank", graph, "--ledger", ledger, "--seed", 1, "--exact", code=3)
    assert exact.stdout == "" and "not private" in exact.stderr


def test_a_ledger_is_made_for_its_owner_only_and_never_replaced(hushwalk, graph):
    path = graph.parent / "new.ledger"
    document = hushwalk.json("ledger", "init", "--graph", graph, "--epsilon", "2", "--delta", "1e-6", "-o", path)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert document["epsilon"] == 2 and document["delta"] == 1e-6 and len(document["head"]) == 64
    before = path.read_bytes()
    assert "never replaced" in hushwalk("ledger", "init", "--graph", graph, "--epsilon", 9, "-o", path, code=1).stderr
    assert path.read_bytes() == before
    for epsilon in ("0", "-1", "nan", "inf"):
        hushwalk("ledger", "init", "--graph", graph, "--epsilon", epsilon, "-o", graph.parent / "y", code=2)


# --- show, cost, verify, export, lineage ----------------------------------------------------------------------------


def test_show_says_what_is_spent_and_by_whom(hushwalk, graph):
    ledger = init(hushwalk, graph, "--delta", "1e-6", "--per-recipient", "0.5")
    rank(hushwalk, graph, ledger, 3, "0.25", "--recipient", "ann")
    state = show(hushwalk, ledger)
    assert set(state) == {"ledger_id", "graph_ids", "graph_count", "epsilon", "spent", "left", "releases", "delta", "order",
                          "recipients", "published", "stored_answers", "unfinished", "entries", "updated", "head"}
    assert (state["epsilon"], state["spent"], state["left"], state["releases"]) == (1, 0.25, 0.75, 1)
    assert state["recipients"] == [{"recipient": "ann", "epsilon": 0.5, "spent": 0.25, "left": 0.25, "releases": 1}]
    assert (state["stored_answers"], state["unfinished"]) == (1, 0)
    text = hushwalk("ledger", "show", ledger).stdout
    assert "ann" in text and "Rényi" in text and state["head"] in text and "25 %" in text


def test_cost_takes_the_flags_of_rank_and_charges_nothing(hushwalk, graph, ledger):
    rank(hushwalk, graph, ledger, 1, "0.25")
    head = show(hushwalk, ledger)["head"]
    ask = ["ledger", "cost", graph, "--ledger", ledger, "--epsilon", "0.25"]
    quote = hushwalk.json(*ask, "--seed", 1, "--seed", 2, "--seed", 3)
    assert quote == {"rankings": 3, "new_releases": 2, "cost": 0.5, "spent": 0.25, "spent_after": 0.75, "epsilon": 1,
                     "recipients": [{"recipient": "2", "cost": 0.25}, {"recipient": "3", "cost": 0.25}],
                     "fits": True, "reason": ""}
    assert hushwalk.json(*ask, "--seed", 1)["cost"] == 0
    everyone = hushwalk.json(*ask, "--all", "--mechanism", "twohop")
    assert everyone["fits"] is False and "for 33 new releases" in everyone["reason"]
    assert "0.25 would be charged" in hushwalk(*ask, "--seed", 2).stdout
    assert "It does not fit" in hushwalk("ledger", "cost", graph, "--ledger", ledger, "--epsilon", 1, "--seed", 2).stdout
    hushwalk("ledger", "cost", graph, "--epsilon", 1, "--seed", 2, code=2)
    assert show(hushwalk, ledger)["head"] == head


def test_verify_finds_an_altered_entry_and_an_older_copy(hushwalk, graph, ledger):
    import sqlite3
    rank(hushwalk, graph, ledger, 1)
    older = graph.parent / "older"
    shutil.copy(ledger, older)
    rank(hushwalk, graph, ledger, 2)
    head = show(hushwalk, ledger)["head"]
    assert "intact" in hushwalk("ledger", "verify", ledger, "--head", head).stdout
    assert hushwalk.json("ledger", "verify", older)["valid"] is True
    check = hushwalk.json("ledger", "verify", older, "--head", head, code=1)
    assert check["valid"] is False and "older copy" in check["reason"]
    with sqlite3.connect(ledger) as database:
        database.execute("UPDATE entry SET body = replace(body, '100000000', '1') WHERE sequence = 4")
    database.close()
    check = hushwalk.json("ledger", "verify", ledger, code=1)
    assert check["valid"] is False and "entry 4" in check["reason"]
    assert hushwalk("ledger", "verify", ledger, code=1).stdout == ""


def test_export_has_every_entry_and_the_curves_of_what_was_charged(hushwalk, graph):
    ledger = init(hushwalk, graph, "--delta", "1e-6")
    for seed in (1, 2, 3):
        rank(hushwalk, graph, ledger, seed, "0.1", "--recipient", 'a, "b"')
    lines = [json.loads(line) for line in hushwalk("ledger", "export", ledger).stdout.splitlines()]
    state = show(hushwalk, ledger)
    assert [line["sequence"] for line in lines] == list(range(1, state["entries"] + 1))
    assert lines[0]["kind"] == "init" and lines[-1]["hash"] == state["head"]
    charges = [line for line in lines if "epsilon" in line]
    assert [line["epsilon"] for line in charges] == [0.1] * 3
    at_order = [p["rdp"] for line in charges for p in line["curve"] if p["order"] == state["order"]]
    total = sum(at_order) + math.log1p(-1 / state["order"]) - math.log(1e-6 * state["order"]) / (state["order"] - 1)
    assert state["spent"] == pytest.approx(min(0.3, total), rel=1e-6)
    assert charges[0]["curve"][-1] == {"order": "inf", "rdp": pytest.approx(0.1)}

    output = graph.parent / "entries.csv"
    hushwalk("ledger", "export", ledger, "--format", "csv", "-o", output)
    rows = list(csv.DictReader(io.StringIO(output.read_text())))
    assert [row["hash"] for row in rows] == [line["hash"] for line in lines]
    charged = [row for row in rows if row["epsilon"]]
    assert {row["recipient"] for row in charged} == {'a, "b"'} and {row["mechanism"] for row in charged} == {"twohop"}
    assert float(charged[0]["rdp_inf"]) == charges[0]["curve"][-1]["rdp"]
    hushwalk("ledger", "export", ledger, "-o", ledger, code=2)
    assert hushwalk.json("ledger", "verify", ledger)["valid"]


def test_a_new_snapshot_carries_budgets_over(hushwalk, graph, ledger):
    rank(hushwalk, graph, ledger, 1, "0.75")
    later = graph.parent / "later.hwg"
    hushwalk("generate", "karate", "-o", later)
    assert "lineage" in rank(hushwalk, later, ledger, 1, "0.25", code=3).stderr
    assert len(hushwalk.json("ledger", "lineage", ledger, "--graph", later)["graph_ids"]) == 2
    hushwalk("ledger", "lineage", ledger, "--graph", later, code=2)
    assert "0.25 is left" in rank(hushwalk, later, ledger, 1, "0.75", code=3).stderr
    rank(hushwalk, later, ledger, 1, "0.25")
    assert show(hushwalk, ledger)["spent"] == 1


def test_a_second_ledger_for_a_graph_is_refused_and_says_what_it_would_forget(hushwalk, graph, ledger):
    other = graph.parent / "other.ledger"
    refused = hushwalk("ledger", "init", "--graph", graph, "--epsilon", 1, "-o", other, code=3)
    assert show(hushwalk, ledger)["ledger_id"] in refused.stderr and "fresh noise" in refused.stderr
    assert not other.exists()
    hushwalk("ledger", "init", "--graph", graph, "--epsilon", 1, "-o", other, "--force")
    assert other.exists()


def test_the_key_may_be_elsewhere_and_is_needed(hushwalk, graph):
    key, path = graph.parent / "keys" / "k", graph.parent / "k.ledger"
    key.parent.mkdir()
    hushwalk("ledger", "init", "--graph", graph, "--epsilon", 1, "-o", path, "--key", key)
    assert stat.S_IMODE(key.stat().st_mode) == 0o600 and not (graph.parent / "k.ledger.key").exists()
    assert rank(hushwalk, graph, path, 1, code=1).stdout == ""
    first = rank(hushwalk, graph, path, 1, "0.1", "--key", key, "--json").stdout
    environment = dict(os.environ, HUSHWALK_KEY=str(key))
    again = hushwalk("rank", graph, "--ledger", path, "--seed", 1, "--epsilon", "0.1", "--json", env=environment)
    assert again.stdout == first and "nothing charged" in again.stderr
    before = key.read_bytes()
    hushwalk("rank", graph, "--seed", 1, "--epsilon", 1, "--json", "-o", key, code=2)
    hushwalk("rank", graph, "--seed", 1, "--epsilon", 1, "--json", "-o", str(key) + ".head", code=2)
    assert key.read_bytes() == before


def test_an_older_ledger_that_is_put_back_is_refused(hushwalk, graph, ledger):
    rank(hushwalk, graph, ledger, 1)
    older = ledger.read_bytes()
    rank(hushwalk, graph, ledger, 2)
    ledger.write_bytes(older)
    refused = rank(hushwalk, graph, ledger, 3, code=3)
    assert refused.stdout == "" and "older than it was" in refused.stderr and "epsilon = 0.2 spent" in refused.stderr
    assert rank(hushwalk, graph, ledger, 1, code=3).stdout == ""
    assert hushwalk.json("ledger", "verify", ledger, code=1)["valid"] is False
    hushwalk("ledger", "verify", ledger, "--accept-head")
    rank(hushwalk, graph, ledger, 3)


def test_what_is_published_at_once_counts_once_for_who_had_paid(hushwalk, graph):
    """It was charged twice, and the ledger was not intact for ever after."""
    ledger = graph.parent / "p.ledger"
    hushwalk("ledger", "init", "--graph", graph, "--epsilon", 9, "--per-recipient", 0.5, "-o", ledger)
    edge = ["--scope", "edge", "--mechanism", "output", "--eta", "0.01"]
    rank(hushwalk, graph, ledger, 1, "0.5", *edge, "--recipient", "ann")
    rank(hushwalk, graph, ledger, 1, "0.5", *edge, "--publish")
    assert {row["recipient"]: row["spent"] for row in show(hushwalk, ledger)["recipients"]} == {"ann": 0.5}
    assert hushwalk.json("ledger", "verify", ledger)["valid"] is True


def test_the_way_on_after_key_and_head_were_lost_is_told_step_by_step(hushwalk, graph, ledger):
    rank(hushwalk, graph, ledger, 1)
    for end in (".key", ".key.head"):
        pathlib.Path(f"{ledger}{end}").unlink()
    assert "--new-epoch" in rank(hushwalk, graph, ledger, 1, code=1).stderr
    assert "--accept-head" in hushwalk("ledger", "forget", ledger, "--new-epoch", code=1).stderr
    hushwalk("ledger", "forget", ledger, "--before", "2999-01-01T00:00:00Z", "--accept-head", code=2)
    done = hushwalk("ledger", "forget", ledger, "--new-epoch", "--accept-head")
    assert "whether it is the newest was NOT checked" in done.stderr
    rank(hushwalk, graph, ledger, 1)
    assert show(hushwalk, ledger)["spent"] == 0.2 and hushwalk.json("ledger", "verify", ledger)["valid"] is True


def test_under_carry_nothing_is_promised_for_one_period(hushwalk, graph):
    path = graph.parent / "c.ledger"
    hushwalk("ledger", "init", "--graph", graph, "--per-period", "0.5", "--period", "30d", "--carry", "-o", path)
    answer = json.loads(rank(hushwalk, graph, path, 1, "0.5", "--json").stdout)
    for promise in (answer["certificate"]["words"]["counted"], show(hushwalk, path)["promise"]):
        assert "at most p times epsilon = 0.5 in all" in promise and "in each period" not in promise and "k + 1" not in promise
    file = graph.parent / "a.json"
    file.write_text(json.dumps(answer))
    assert hushwalk.json("verify-certificate", file)["valid"] is True


def test_a_budget_for_each_period_and_none_in_all(hushwalk, graph):
    path = graph.parent / "p.ledger"
    document = hushwalk.json("ledger", "init", "--graph", graph, "--per-period", "0.5", "--period", "30d", "-o", path)
    assert document["epsilon"] == "inf"
    answer = json.loads(rank(hushwalk, graph, path, 1, "0.5", "--json").stdout)
    budget = answer["certificate"]["budget"]
    assert budget == {"epsilon": None, "delta": None, "per_period": 0.5, "period": "30d", "carry": False}
    assert "there is no limit in all" in answer["certificate"]["words"]["counted"]
    refused = rank(hushwalk, graph, path, 2, "0.1", code=3)
    assert "the budget of this period" in refused.stderr and "The next period begins on" in refused.stderr
    state = show(hushwalk, path)
    assert state["epsilon"] == "inf" and state["left"] == "inf" and state["spent"] == 0.5
    period = state["period"]
    assert (period["index"], period["epsilon"], period["spent"], period["left"]) == (0, 0.5, 0.5, 0)
    assert "k + 1 times" in state["promise"] and "k + 1 times" in noise_free(hushwalk("ledger", "show", path).stdout)
    hushwalk("ledger", "extend", path, "--per-period", "+0.1", "--reason", "a test")
    rank(hushwalk, graph, path, 2, "0.1")
    assert hushwalk.json("ledger", "verify", path)["valid"] is True
    for flags in ([], ["--epsilon", 1, "--carry"], ["--per-period", "1", "--period", "soon"], ["--per-period", "1", "--period", "0d"]):
        hushwalk("ledger", "init", "--graph", graph, *flags, "-o", graph.parent / "x", "--force", code=2)


def test_a_limit_is_raised_for_a_reason(hushwalk, graph, ledger):
    rank(hushwalk, graph, ledger, 1, "1")
    rank(hushwalk, graph, ledger, 2, "0.5", code=3)
    hushwalk("ledger", "extend", ledger, "--epsilon", "+0.5", code=2)
    assert hushwalk.json("ledger", "extend", ledger, "--epsilon", "+0.5", "--reason", "approved")["epsilon"] == 1.5
    rank(hushwalk, graph, ledger, 2, "0.5")
    assert any('"approved"' in line for line in hushwalk("ledger", "export", ledger).stdout.splitlines())


def test_a_backup_is_whole_and_what_is_forgotten_is_refused(hushwalk, graph, ledger):
    first = rank(hushwalk, graph, ledger, 1, "0.25", "--json").stdout
    copy = graph.parent / "copy"
    assert hushwalk.json("ledger", "backup", ledger, "-o", copy)["valid"] is True
    assert stat.S_IMODE(copy.stat().st_mode) == 0o600
    hushwalk("ledger", "backup", ledger, "-o", copy, code=1)
    assert rank(hushwalk, graph, copy, 2, code=1).stdout == ""  # it has no key beside it
    hushwalk("ledger", "forget", ledger, "--older-than", 30)
    assert rank(hushwalk, graph, ledger, 1, "0.25", "--json").stdout == first
    hushwalk("ledger", "forget", ledger, "--before", "2999-01-01T00:00:00Z")
    assert "forgotten" in rank(hushwalk, graph, ledger, 1, "0.25", code=3).stderr
    hushwalk("ledger", "compact", ledger)
    hushwalk("ledger", "forget", ledger, "--new-epoch")
    assert json.loads(rank(hushwalk, graph, ledger, 1, "0.25", "--json").stdout)["rankings"] != json.loads(first)["rankings"]
    state = show(hushwalk, ledger)
    assert state["spent"] == 0.5 and hushwalk.json("ledger", "verify", ledger)["valid"] is True
    hushwalk("ledger", "forget", ledger, code=2)


def test_an_answer_is_bound_to_its_certificate_and_signed(hushwalk, graph, ledger):
    folder = graph.parent
    hushwalk("keys", "new", "-o", folder / "k.key", "--issuer", "Friends, Inc.")
    hushwalk("keys", "new", "-o", folder / "k.key", code=1)
    hushwalk("keys", "new", "-o", folder / "eve.key", "--issuer", "Friends, Inc.")
    for name in ("k", "eve"):
        hushwalk("keys", "public", folder / f"{name}.key", "-o", folder / f"{name}.pem")
    sign = ["--signing-key", folder / "k.key"]
    answer = folder / "a.json"
    rank(hushwalk, graph, ledger, 1, "0.1", "--json", *sign, "-o", answer)
    again = rank(hushwalk, graph, ledger, 1, "0.1", "--json", *sign).stdout
    assert again == answer.read_text()
    certificate = json.loads(again)["certificate"]
    assert certificate["issuer"] == "Friends, Inc." and certificate["charged"]["entry"] == 4
    assert list(json.loads(again)) == ["private", "rankings", "certificate"]
    found = hushwalk.json("verify-certificate", answer, "--public-key", folder / "k.pem")
    assert found["valid"] and found["checked"] == {"promise": True, "answer": True, "signature": True, "issuer": True}
    assert "custodian ran this program" in found["never_checked"]
    hushwalk("verify-certificate", answer, "--public-key", folder / "eve.pem", code=1)
    exact = json.loads(again)
    exact["rankings"][0]["top"][0]["score"] = 0.5
    answer.write_text(json.dumps(exact))
    assert "not the one that was certified" in hushwalk.json("verify-certificate", answer, code=1)["reason"]
    table = folder / "a.csv"
    rank(hushwalk, graph, ledger, 1, "0.1", "--format", "csv", *sign, "-o", table)
    for name in ("a.csv", "a.csv.certificate.json"):
        assert hushwalk.json("verify-certificate", folder / name)["checked"]["answer"] is True
    salt = (folder / "a.csv.salt").read_text().strip()
    assert len(salt) == 32 and salt not in (folder / "a.csv.certificate.json").read_text()
    table.write_text(table.read_text().replace("1,1,", "1,2,", 1))
    hushwalk("verify-certificate", table, code=1)
    plain = folder / "plain.json"
    rank(hushwalk, graph, ledger, 1, "0.1", "--json", "-o", plain)
    found = hushwalk.json("verify-certificate", plain)
    assert found["checked"]["answer"] and not found["checked"]["signature"] and "not signed" in found["reason"]


def test_a_certificate_is_a_page_for_people(hushwalk, graph, ledger):
    answer, page = graph.parent / "a.json", graph.parent / "page.html"
    rank(hushwalk, graph, ledger, 1, "0.1", "--json", "-o", answer)
    hushwalk("certificate", answer, "--for", "legal", "-o", page)
    text = page.read_text()
    for part in ("What is protected, and what is not", "as likely as not", "NIST SP 800-226", "Who may see it", "52.5 %"):
        assert part in text, part
    hushwalk("certificate", answer, "--for", "fun", "-o", page, code=2)
    answer.write_text(answer.read_text().replace("0.1", "0.2"))
    hushwalk("certificate", answer, "--for", "legal", "-o", graph.parent / "no.html", code=1)
    assert not (graph.parent / "no.html").exists()


# --- shared artefacts -------------------------------------------------------------------------------------------


def share(hushwalk, graph, output, *flags, epsilon="0.5", code=0):
    return hushwalk("share", graph, "--epsilon", epsilon, "-o", output, *flags, code=code)


def test_an_artefact_is_charged_once_and_is_the_same_file_again(hushwalk, graph, ledger):
    one, two = graph.parent / "1.share", graph.parent / "2.share"
    assert "charged 0.5" in share(hushwalk, graph, one, "--ledger", ledger).stderr
    assert "nothing charged" in share(hushwalk, graph, two, "--ledger", ledger).stderr
    assert one.read_bytes() == two.read_bytes()
    answer = hushwalk("rank", graph, "--ledger", ledger, "--shared", one, "--seed", 1)
    assert hushwalk("rank", graph, "--ledger", ledger, "--shared", two, "--seed", 1).stdout == answer.stdout
    state = show(hushwalk, ledger)
    assert state["spent"] == 0.5 and [row["spent"] for row in state["recipients"]] == [0.5]
    refused = share(hushwalk, graph, graph.parent / "3.share", "--ledger", ledger, epsilon="0.6", code=3)
    assert "0.5 is left" in refused.stderr and not (graph.parent / "3.share").exists()


def test_an_artefact_that_was_not_charged_or_of_another_graph_is_refused(hushwalk, graph, ledger):
    uncharged, other = graph.parent / "u.share", graph.parent / "o.share"
    share(hushwalk, graph, uncharged)
    ask = ["rank", graph, "--ledger", ledger, "--seed", 1, "--shared"]
    assert "did not charge" in hushwalk(*ask, uncharged, code=3).stderr
    share(hushwalk, graph, graph.parent / "s", "--ledger", ledger)
    assert "did not charge" in hushwalk(*ask, uncharged, code=3).stderr  # other noise
    later = graph.parent / "later.hwg"
    hushwalk("generate", "karate", "-o", later)
    hushwalk("ledger", "lineage", ledger, "--graph", later)
    share(hushwalk, later, other, "--ledger", ledger)
    assert "another graph" in hushwalk(*ask, other, code=3).stderr
    assert "another graph" in hushwalk("ledger", "cost", *ask[1:], other, code=3).stderr
    assert show(hushwalk, ledger)["spent"] == 1


# --- a ledger of the first version --------------------------------------------------------------------------------


@pytest.fixture
def first_version(tmp_path):
    """Every later version opens what the first one wrote."""
    for name in ("v1.ledger", "k.hwg"):
        shutil.copy(HERE / "ledger" / name, tmp_path)
    return tmp_path


def test_a_ledger_of_version_1_opens_and_replays_its_answers(hushwalk, first_version):
    ledger, graph = first_version / "v1.ledger", first_version / "k.hwg"
    assert hushwalk.json("ledger", "verify", ledger)["valid"] is True
    ask = ["rank", graph, "--ledger", ledger, "--epsilon", "0.25"]
    for name, flags in {"seed-1.json": ["--seed", 1, "--json"], "seed-1.csv": ["--seed", 1, "--format", "csv"],
                        "seeds-2-3.txt": ["--seed", 2, "--seed", 3, "--recipient", "ann"],
                        "edge.txt": ["--seed", 4, "--scope", "edge", "--recipient", "bob"]}.items():
        assert hushwalk(*ask, *flags).stdout == (HERE / "ledger" / name).read_text()
    output = first_version / "s"
    share(hushwalk, graph, output, "--ledger", ledger, "--publish", "--mechanism", "shared", epsilon="0.5")
    assert output.read_bytes() == (HERE / "ledger" / "v1.share").read_bytes()


def test_a_ledger_of_version_1_can_be_charged_further(hushwalk, first_version):
    ledger, graph = first_version / "v1.ledger", first_version / "k.hwg"
    before = show(hushwalk, ledger)
    rank(hushwalk, graph, ledger, 7, "0.25")
    after = show(hushwalk, ledger)
    assert after["releases"] == before["releases"] + 1 and after["spent"] > before["spent"]
    assert hushwalk.json("ledger", "verify", ledger, "--head", before["head"])["valid"] is True
    assert rank(hushwalk, graph, ledger, 8, "9", code=3).stdout == ""


def test_what_version_1_certified_for_anyone_counts_for_everybody(hushwalk, first_version):
    """Its artefact of 0.5 was made for nobody in particular; bob's answer of 0.25 in edge scope "may be published"."""
    ledger, graph = first_version / "v1.ledger", first_version / "k.hwg"
    state = show(hushwalk, ledger)
    assert state["published"]["spent"] == 0.75
    assert {row["recipient"]: row["spent"] for row in state["recipients"]} == {"1": 1, "6": 0.875, "ann": 1.25, "bob": 0.75}
    answer = json.loads(rank(hushwalk, graph, ledger, 4, "0.25", "--scope", "edge", "--recipient", "carol", "--json").stdout)
    assert "anyone" in answer["certificate"]["words"]["audience"]
    assert show(hushwalk, ledger)["head"] == state["head"]
    assert hushwalk.json("ledger", "verify", ledger)["valid"] is True


def test_a_damaged_ledger_of_version_1_is_not_brought_up_to_date(hushwalk, first_version):
    import sqlite3
    ledger = first_version / "v1.ledger"
    with sqlite3.connect(ledger) as database:
        database.execute("UPDATE entry SET body = replace(body, '250000000', '25000000') WHERE sequence = 5")
    database.close()
    assert "entry 5 was altered" in hushwalk.json("ledger", "verify", ledger, code=1)["reason"]
    assert rank(hushwalk, first_version / "k.hwg", ledger, 1, "0.25", code=1).stdout == ""
    with sqlite3.connect(ledger) as database:
        assert database.execute("PRAGMA user_version").fetchone() == (1,)
    database.close()


def test_an_unfinished_charge_of_version_1_is_completed_at_no_cost(hushwalk, first_version):
    ledger, graph = first_version / "v1.ledger", first_version / "k.hwg"
    before = show(hushwalk, ledger)
    assert before["unfinished"] == 1
    done = rank(hushwalk, graph, ledger, 6, "0.125")
    assert "nothing charged" in done.stderr
    after = show(hushwalk, ledger)
    assert after["unfinished"] == 0 and after["spent"] == before["spent"]


# --- one of the third, with a limit for each recipient, members, and what some had paid for before it was published ---


@pytest.fixture
def third_version(tmp_path):
    for name in ("v3.ledger", "v3.ledger.key", "v3.ledger.key.head", "k.hwg"):
        shutil.copy(HERE / "ledger" / name, tmp_path)
        (tmp_path / name).chmod(0o600)
    return tmp_path


def test_a_ledger_of_version_3_goes_on_and_publishes_in_one_entry(hushwalk, third_version):
    ledger, graph = third_version / "v3.ledger", third_version / "k.hwg"
    ask = ["rank", graph, "--ledger", ledger, "--json"]
    edge = ["--epsilon", "0.25", "--scope", "edge", "--mechanism", "output", "--eta", "0.01", "--seed"]
    spent = lambda: {one["recipient"]: one["spent"] for one in show(hushwalk, ledger)["recipients"]}
    assert spent() == {"ann": 0.5, "bob": 0.25, "5": 0.375, "6": 0.375, "7": 0.375}
    answers = lambda name: json.loads((HERE / "ledger" / name).read_text())["rankings"]
    again = hushwalk.json(*ask[:-1], *edge, 2, "--recipient", "ann")["rankings"]
    assert [ranking.pop("estimated_anew") for ranking in again] == [True] and again == answers("v3-ann.json")
    members = ["--mechanism", "shared", "--epsilon", "0.125", "--seed", 5, "--seed", 6]
    for now, then in zip(hushwalk.json(*ask[:-1], *members)["rankings"], answers("v3-members.json"), strict=True):
        assert [row["node"] for row in now["top"]] == [row["node"] for row in then["top"]]
        # an estimate from the same released numbers, whose last bits another version may compute otherwise
        assert [row["score"] for row in now["top"]] == pytest.approx([row["score"] for row in then["top"]], rel=1e-13)
    entries = show(hushwalk, ledger)["entries"]
    hushwalk(*ask, *edge, 2, "--publish")
    assert show(hushwalk, ledger)["entries"] == entries + 1
    hushwalk("share", graph, "--ledger", ledger, "--epsilon", "0.125", "--mechanism", "shared", "--publish", "-o", third_version / "s")
    assert spent() == {"ann": 0.625, "bob": 0.625, "5": 0.625, "6": 0.625, "7": 0.75}
    hushwalk(*ask, *edge, 3, "--recipient", "ann")
    assert spent()["ann"] == 0.875
    assert "the budget of 'ann'" in hushwalk(*ask, *edge, 4, "--publish", code=3).stderr
    assert hushwalk.json("ledger", "verify", ledger)["valid"] is True


def test_what_is_left_is_exact_where_epsilons_are_added(hushwalk, graph, ledger):
    for seed in (1, 2, 3):
        rank(hushwalk, graph, ledger, seed, "0.3")
    assert show(hushwalk, ledger)["left"] == 0.1


def test_what_is_no_ledger_is_named_once(hushwalk, graph):
    done = hushwalk("ledger", "verify", graph, code=1)
    assert done.stderr.count("k.hwg") == 1 and "not a ledger" in done.stderr


OPENING = {"show": [], "verify": [], "export": [], "lineage": ["--graph", "k.hwg"], "extend": ["--epsilon", "+1", "--reason", "a test"],
           "backup": ["-o", "copy"], "compact": [], "forget": ["--new-epoch"]}


@pytest.mark.parametrize("verb", OPENING)
def test_every_verb_says_what_stands_in_the_place_of_its_ledger(hushwalk, graph, verb):
    folder = graph.parent
    (folder / "folder").mkdir()
    (folder / "loop").symlink_to("loop")
    for name, said in (("missing", "there is no ledger 'missing'"), ("missing/L", "there is no ledger"),
                       ("folder", "folder' is not a ledger"), ("loop", "loop' is a symbolic link")):
        done = hushwalk("ledger", verb, name, *OPENING[verb], code=1, cwd=folder)
        assert said in done.stderr and "unexpected" not in done.stderr and done.stdout == ""


def test_a_key_that_cannot_be_looked_at_is_not_taken_for_lost(hushwalk, graph, ledger):
    rank(hushwalk, graph, ledger, 1)
    folder, before = graph.parent, ledger.read_bytes()
    (folder / "loop").symlink_to("loop")
    (folder / "named").symlink_to("named")
    shutil.copy(f"{ledger}.key.head", folder / "named.head")
    for key in ("loop", "named"):
        for verb in (["forget", ledger, "--new-epoch"], ["forget", ledger, "--new-epoch", "--accept-head"]):
            done = hushwalk("ledger", *verb, "--key", key, code=1, cwd=folder)
            assert f"cannot look at the key '{key}'" in done.stderr and "unexpected" not in done.stderr
        assert (folder / key).is_symlink()
    assert "cannot look at the key 'named'" in hushwalk("rank", graph, "--ledger", ledger, "--seed", 1, "--epsilon", 0.1, "--key", "named", code=1, cwd=folder).stderr
    (folder / "k.ledger.key").rename(folder / "kept")
    (folder / "k.ledger.key").symlink_to("k.ledger.key")  # in the place of the usual one
    done = hushwalk("ledger", "forget", ledger, "--new-epoch", "--accept-head", "--key", "elsewhere", code=1, cwd=folder)
    assert "cannot look at the key" in done.stderr and not (folder / "elsewhere").exists()
    assert ledger.read_bytes() == before


def test_a_new_key_whose_name_is_too_long_is_refused_by_its_name(hushwalk, graph, ledger):
    for end in (".key", ".key.head"):
        pathlib.Path(f"{ledger}{end}").unlink()
    long = "k" * 248  # with ".head" it fits, with ".unfinished" not
    done = hushwalk("ledger", "forget", ledger, "--new-epoch", "--accept-head", "--key", long, code=1, cwd=graph.parent)
    assert "unexpected" not in done.stderr and f"cannot write '{long}.unfinished': File name too long" in done.stderr


def test_a_wrong_verb_is_answered_with_the_right_ones(hushwalk):
    assert "choose from: init show cost" in hushwalk("ledger", "pay", code=2).stderr
    assert "hushwalk ledger VERB --help" in hushwalk("ledger", "--help").stdout
