"""Names and defaults are those of the command line: every flag of `--help` is a parameter, every default is the same."""
import inspect
import json
import re

import hushwalk
import pytest

# Flags of the command line that are something else here.
PROGRAM = {"help", "json", "threads", "quiet", "verbose", "timings", "output", "mode", "format"}
ELSEWHERE = {"exact", "seeds_file", "full", "resume", "attack", "graph", "recipients", "files",
             "output_dir", "certificate"}  # a Ranking is saved, and has its certificate; a graph is saved as one file
OF_COST = {"ledger", "signing_key"}  # a ledger's own cost; what is not signed yet
# Parameters here that are arguments without a flag there, or have no place on a command line.
HERE = {"self", "path", "graph", "kind", "figures", "certificate", "seeds", "progress", "unknown",
        "mechanisms"}  # of Python's own, which the command line cannot have

VERBS = {
    "rank": hushwalk.rank, "plan": hushwalk.plan, "share": hushwalk.share, "evaluate": hushwalk.evaluate, "tune": hushwalk.tune,
    "audit": hushwalk.audit, "generate": hushwalk.generate, "calibrate": hushwalk.calibrate, "account": hushwalk.account,
    "reproduce": hushwalk.reproduce, "verify-certificate": hushwalk.verify, "keys new": hushwalk.SigningKey.make,
    "ledger cost": hushwalk.Ledger.cost, "ledger init": hushwalk.Ledger.create, "ledger verify": hushwalk.Ledger.verify, "ledger extend": hushwalk.Ledger.extend,
    "ledger forget": hushwalk.Ledger.forget, "ledger show": hushwalk.Ledger.recipients, "ledger backup": hushwalk.Ledger.backup,
    "ledger lineage": hushwalk.Ledger.add_snapshot, "import": hushwalk.Graph.open,
}
# What None comes to, where a number would stand for a choice that depends on another parameter.
COMES_TO = {"beta": {}, "time": {"diffusion": "heat"}, "steps": {}, "eta": {"mechanism": "output"}, "rankings": {}, "seeds_per_ranking": {}}


def flags(command_line, verb):
    """Every flag with its description, of all groups, which are "Options:" and "Expert options:"."""
    groups = re.findall(r"^(?:Expert o|O)ptions:\n((?:  .*\n)+)", command_line(*verb.split(), "--help").stdout, re.M)
    found = {}
    for line in "".join(groups).splitlines():
        if flag := re.match(r"  (?:-\w,)?--([\w-]+)(.*)", line):
            name = flag[1].replace("-", "_")
            found[name] = flag[2]
        else:
            found[name] += " " + line.strip()
    return found


def test_both_groups_of_flags_are_read(command_line):
    assert {"epsilon", "top", "steps", "signing_key"} <= set(flags(command_line, "rank"))


def test_every_parameter_of_a_plan_has_a_flag(command_line):
    """A parameter that the library gets is in its plans by itself, and would be missing in every door."""
    plan = json.loads(command_line("plan", "--nodes", "100", "--epsilon", "1", "--json").stdout)["plan"]
    parameters = {"mechanism", "scope", "epsilon"} | set(plan["parameters"])
    flags_of_diffusion = {"coefficients"}  # of which a plan shows the steps
    assert {"delta", "diffusion", "eta"} <= parameters
    for verb in "rank", "plan", "ledger cost":
        assert parameters - set(flags(command_line, verb)) <= {"seeds_per_ranking"}, verb
    assert flags_of_diffusion <= set(flags(command_line, "rank"))
    assert parameters <= set(flags(command_line, "plan"))  # without seeds their number is asked for, too


def default_of(description):
    """As the help says it; None where there is none."""
    if said := re.search(r"\(default: ([^;)]+?)(?:, which [^)]*)?[;)]", description):
        return said[1]
    for way in (r"(\w+): [^;]*\(the default\)", r"(\w+) \((?:[^()]*, )?the default\)"):
        if said := re.search(way, description):
            return said[1]
    return None


OF_OTHERS = ("none", "from epsilon", "the ", "$", "paper 2", "30d", "L.key", "all", "owner", "n(n-1", "a tab", "1,2")  # no value of their own; tested below where they have one


@pytest.mark.parametrize("verb", VERBS)
def test_every_flag_is_a_parameter_and_every_parameter_a_flag(command_line, verb):
    here = set(inspect.signature(VERBS[verb]).parameters)
    everything = set(flags(command_line, verb))
    there = everything - PROGRAM
    key_of_the_object = {"key"} if verb.startswith("ledger") and verb != "ledger init" else set()  # it was opened with it
    if verb == "ledger cost":
        key_of_the_object |= OF_COST
    assert there - ELSEWHERE - key_of_the_object <= here
    positional = {"output"}  # where it is what is made
    assert here - HERE - positional <= everything | {"seeds"}, "no parameter is missing there"


@pytest.mark.parametrize("verb", VERBS)
def test_every_default_is_that_of_the_help(command_line, verb):
    checked = 0
    for name, description in flags(command_line, verb).items():
        parameter = inspect.signature(VERBS[verb]).parameters.get(name)
        said = default_of(description)
        if parameter is None or said is None or said.startswith(OF_OTHERS):
            continue
        checked += 1
        wanted = said if re.match(r"[a-z]", said) else eval(said)  # 1 - 1e-6
        if parameter.default is None:
            given = {"nodes": 50, "epsilon": 1} | COMES_TO[name]
            assert hushwalk.plan(**given) == hushwalk.plan(**given, **{name: wanted}), name
        elif isinstance(wanted, str) and "," in wanted:
            assert list(parameter.default) == wanted.split(","), name
        elif name == "eta" and parameter.default == ():
            assert wanted == 1e-6
        else:
            assert parameter.default == wanted, name
    assert checked >= {"rank": 8, "ledger cost": 8, "plan": 9, "evaluate": 10, "tune": 7, "audit": 5, "calibrate": 6, "account": 7, "generate": 1, "share": 1,
                       "keys new": 0}.get(verb, 0), f"{verb}: the help is not read"


def defaults(function):
    return {name: parameter.default for name, parameter in inspect.signature(function).parameters.items() if name != "self"}


@pytest.mark.parametrize("function", [hushwalk.exact_rank, hushwalk.Ledger.cost])
def test_what_is_asked_as_in_rank_has_the_defaults_of_rank(function):
    ours = {name: default for name, default in defaults(function).items() if name != "unknown"}
    assert ours.items() <= defaults(hushwalk.rank).items() and {"seed", "steps", "top", "candidates"} <= set(ours)


def test_exact_rank_takes_what_rank_takes_but_for_privacy():
    private = {"epsilon", "delta", "scope", "mechanism", "eta", "background", "taper", "shared", "ledger", "key", "recipient", "publish", "signing_key"}
    assert set(defaults(hushwalk.rank)) - private == set(defaults(hushwalk.exact_rank))


def test_an_attack_has_the_defaults_of_audit_where_they_mean_the_same():
    ours, theirs = defaults(hushwalk.attack), defaults(hushwalk.audit)
    assert {name: ours[name] for name in ("mechanism", "scope", "progress")} == {name: theirs[name] for name in ("mechanism", "scope", "progress")}


def test_no_parameter_that_changes_a_promise_has_a_default_of_its_own(command_line):
    """What a call promises without any parameter but epsilon is what the command line promises."""
    for more in ({}, {"scope": "edge"}, {"mechanism": "paper", "delta": 1e-6}, {"mechanism": "output"}, {"mechanism": "twohop", "background": 0.1},
                 {"mechanism": "circles", "scope": "edge"}, {"diffusion": "heat"}, {"rankings": 20}):
        theirs = command_line.json("plan", "--nodes", 1000, "--epsilon", 0.7, *(part for name, value in more.items() for part in (f"--{name}", value)))
        ours = hushwalk.plan(nodes=1000, epsilon=0.7, **more)
        assert ours.certificate.to_dict() == hushwalk.Certificate(__import__("json").dumps(theirs["certificate"]), "").to_dict(), more


@pytest.mark.parametrize("mechanism, draws", [("paper", 2), ("output", 1)])
def test_draws_are_those_of_the_help(command_line, mechanism, draws):
    assert f"{mechanism} {draws}" in flags(command_line, "calibrate")["draws"]
    assert hushwalk.calibrate(epsilon=1, mechanism=mechanism) == hushwalk.calibrate(epsilon=1, mechanism=mechanism, draws=draws)


def test_a_period_is_that_of_the_help(command_line, tmp_path):
    assert default_of(flags(command_line, "ledger init")["period"]) == "30d"
    graph = hushwalk.generate("karate")
    graph.save(tmp_path / "g.hwg")
    assert hushwalk.Ledger.create(tmp_path / "l", graph, per_period=1).show().period["length"] == "30d"
