"""Whatever is given to a public function, a mistake is an error of Hushwalk's own: never one of the binding, never a crash."""
import decimal
import fractions
import inspect
import itertools
import math
import sys

import hushwalk
import igraph
import networkx as nx
import numpy as np
import pandas as pd
import pytest
import scipy.sparse
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

settings.register_profile("tests", max_examples=40, deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("tests")


class Unspeakable:
    def __repr__(self):
        raise RuntimeError("no words")


JUNK = [
    None, True, False, -1, 0, 1.5, math.nan, math.inf, -math.inf, 2**63, 2**70, -(2**70), 10**400, "", "x", "\ud800", "a\0b", "-----BEGIN",
    b"x", [], [1], [None], [[1, 2], [3]], {}, {"x": 1}, {1: "x"}, {1: math.nan}, (1, 2, 3, 4), object(), Unspeakable(), 1j, set(), range(3),
    iter([]), np.array(1.0), np.array([1.0, math.nan]), np.array([[1, 2]]), np.array(["x"]), np.float64(-1), np.int64(-1), np.bool_(True),
    decimal.Decimal(1), fractions.Fraction(1, 2), pd.DataFrame(), pd.Series([1, "a"]), nx.DiGraph([(1, 2)]),
]


@pytest.fixture(scope="module", autouse=True)
def calls(tmp_path_factory):
    """A call that works of everything public, as a function and its arguments."""
    folder = tmp_path_factory.mktemp("mistakes")
    patch = pytest.MonkeyPatch()
    patch.chdir(folder)
    graph = hushwalk.generate("karate")
    graph.save("g.hwg")
    (folder / "t.txt").write_text("a b\n1 2\n2 3\n")
    ledger = hushwalk.Ledger.create("l", graph, epsilon=1000)
    shared = hushwalk.share(graph, epsilon=1)
    result = hushwalk.rank(graph, 1, epsilon=1)
    names = (f"f{i}" for i in itertools.count())
    walk = {"steps": 3, "beta": 0.5}
    asked = {"seed": 1, "seeds": None, "epsilon": 0.001}
    noise = {"mechanism": "output", "steps": 3}

    def within(count):
        with hushwalk.threads(count):
            pass

    yield {
        "rank": (hushwalk.rank, {"graph": graph, **asked}),
        "exact_rank": (hushwalk.exact_rank, {"graph": graph, "seed": 1, **walk}),
        "plan": (hushwalk.plan, {"graph": graph, "epsilon": 1}),
        "plan without a graph": (hushwalk.plan, {"nodes": 100, "epsilon": 1}),
        "share": (hushwalk.share, {"graph": graph, "epsilon": 1}),
        "calibrate": (hushwalk.calibrate, {"epsilon": 1, **noise}),
        "account": (hushwalk.account, {"laplace_scale": 1, **noise}),
        "evaluate": (hushwalk.evaluate, {"graph": graph, "seeds": 1, **walk}),
        "tune": (hushwalk.tune, {"proxy": graph, "target_ndcg": 0.1, "seeds": 1, **walk}),
        "audit": (hushwalk.audit, {"mechanism": "none", "trials": 10}),  # one that is there takes seconds
        "attack": (hushwalk.attack, {"graph": graph, "edge": (3, 10), "seed": 1, "trials": 10}),
        "reproduce": (hushwalk.reproduce, {"output": "r", "figures": ["no such figure"]}),
        "generate": (hushwalk.generate, {"kind": "er", "nodes": 10, "edges": 10}),
        "verify": (hushwalk.verify, {"certificate": result}),
        "threads": (within, {"count": 1}),
        "register_mechanism": (
            lambda name=None, proof="p", released=len, count=len, score=len: hushwalk.register_mechanism(
                next(names) if name is None or (isinstance(name, str) and name == "x") else name,  # "x" stays a mechanism that there is not
                proof=proof, released=released, count=count, score=score), {}),
        "Graph": (hushwalk.Graph, {"core": graph._core}),
        "Graph.open": (hushwalk.Graph.open, {"path": "g.hwg"}),
        "Graph.open of a text": (hushwalk.Graph.open, {"path": "t.txt"}),
        "Graph.from_edges": (hushwalk.Graph.from_edges, {"edges": [(1, 2)]}),
        "Graph.from_networkx": (hushwalk.Graph.from_networkx, {"graph": nx.path_graph(3)}),
        "Graph.from_igraph": (hushwalk.Graph.from_igraph, {"graph": igraph.Graph.Ring(3)}),
        "Graph.from_scipy": (hushwalk.Graph.from_scipy, {"matrix": scipy.sparse.eye(3)}),
        "Graph.save": (graph.save, {"path": "g.hwg"}),
        "Graph.degree": (graph.degree, {"node": 1}),
        "Graph.neighbors": (graph.neighbors, {"node": 1}),
        "Graph.__contains__": (lambda node: node in graph, {"node": 1}),
        "Ledger": (hushwalk.Ledger, {"path": "l"}),
        "Ledger.create": (lambda path=None, **more: hushwalk.Ledger.create(next(names) if path is None else path, **more),
                          {"graph": graph, "epsilon": 1, "force": True}),
        "Ledger.rank": (ledger.rank, {"graph": graph, "seed": 1, "epsilon": 0.001}),
        "Ledger.cost": (ledger.cost, {"graph": graph, **asked}),
        "Ledger.share": (lambda graph, epsilon: ledger.share(graph, epsilon=epsilon), {"graph": graph, "epsilon": 0.001}),
        "Ledger.extend": (ledger.extend, {"epsilon": 1, "reason": "why not"}),
        "Ledger.backup": (lambda output=None: ledger.backup(next(names) if output is None else output), {}),
        "Ledger.forget": (ledger.forget, {"older_than": 100}),
        "Ledger.recipients": (ledger.recipients, {"top": 3}),
        "Ledger.verify": (ledger.verify, {}),
        "Ledger.add_snapshot": (ledger.add_snapshot, {"graph": graph}),
        "Shared": (hushwalk.Shared, {"core": shared._core}),
        "Shared.open": (hushwalk.Shared.open, {"path": "s"}),
        "Shared.save": (shared.save, {"path": "s"}),
        "Shared.rank": (shared.rank, {"graph": graph, "seed": 1}),
        "SigningKey": (hushwalk.SigningKey, {"core": hushwalk.SigningKey.make("k")._core}),
        "SigningKey.make": (hushwalk.SigningKey.make, {"path": "k"}),
        "SigningKey.open": (hushwalk.SigningKey.open, {"path": "k"}),
        "Certificate": (hushwalk.Certificate, {"json_text": "{}", "text": ""}),
        "Certificate.save": (result.certificate.save, {"path": "c"}),
        "Certificate.verify": (result.certificate.verify, {}),
        "Ranking.save": (result.save, {"path": "a"}),
        "Ranking.plot": (result.plot, {"ax": None, "top": 3}),
    }
    patch.undo()


OTHERS = {"Document", "Plan", "RankedNode", "Ranking", "Rankings", "Verification", "UNIT", "show_in", "graph_kinds", "mechanism_names"}  # results


def test_every_public_name_is_tried(calls):
    errors = {name for name in hushwalk.__all__ if inspect.isclass(getattr(hushwalk, name)) and issubclass(getattr(hushwalk, name), Exception)}
    assert {name.split(".")[0] for name in calls} - {"plan without a graph"} | OTHERS | errors == set(hushwalk.__all__)


def parameters(name, call):
    function, working = call
    named = [p.name for p in inspect.signature(function).parameters.values() if p.kind not in (p.VAR_KEYWORD, p.VAR_POSITIONAL)]
    skipped = {"figures"} if name == "reproduce" else {"ax", "file", "self_loops", "duplicates", "charged"}  # no figures are all of them: minutes
    return sorted({*named, *working} - skipped)


def outcome(function, arguments):
    """The error, if it is one of ours."""
    try:
        function(**arguments)
    except hushwalk.Error as error:
        assert str(error) and "incompatible function arguments" not in str(error) and "pybind" not in str(error)
        return error
    return None


@pytest.mark.filterwarnings("ignore")
@given(st.data())
@settings(max_examples=1500)
def test_junk_is_refused_in_our_words(calls, data):
    name = data.draw(st.sampled_from(sorted(calls)))
    function, working = calls[name]
    wrong = data.draw(st.lists(st.sampled_from(parameters(name, calls[name])), min_size=1, max_size=2, unique=True))
    places = {one: data.draw(st.integers(0, len(JUNK) - 1)) for one in wrong}
    outcome(function, working | {one: JUNK[place] for one, place in places.items()})


@pytest.mark.filterwarnings("ignore")
def test_every_parameter_takes_or_refuses_every_piece_of_junk(calls):
    """One at a time; and each refuses something, so that nothing passes unseen."""
    for name, call in calls.items():
        for parameter in parameters(name, call):
            found = [outcome(call[0], call[1] | {parameter: piece}) for piece in JUNK]
            assert any(found) or name == "Graph.__contains__", f"{name} takes anything for {parameter}"


@pytest.mark.parametrize("arguments, message", [
    ({"top": -1}, "`top` must be at least 0, not -1"), ({"top": 1.5}, "`top` is a whole number, not 1.5"), ({"epsilon": "x"}, "`epsilon` is a number, not 'x'"),
    ({"epsilon": math.nan}, "epsilon"), ({"seed": 1.5}, "a node is an integer or a string"), ({"seed": [1]}, "`seed` is one node"), ({"seed": None, "seeds": "ann"}, "`seeds` is a list, not 'ann'"),
    ({"steps": 2**40}, "`steps` must be at most"), ({"publish": "yes"}, "`publish` is True or False"), ({"progress": 3}, "`progress` is a function"),
    ({"ledger": 3}, "`ledger` is the name of a file"), ({"shared": ""}, "`shared` is empty"), ({"candidates": 3}, "`candidates` is a list"),
])
def test_the_message_names_the_parameter_and_what_it_takes(arguments, message):
    if "shared" in arguments:
        arguments = arguments | {"epsilon": None}
    with pytest.raises(hushwalk.UsageError, match=message):
        hushwalk.rank(hushwalk.generate("karate"), **({"seed": 1, "epsilon": 1} | arguments))


def test_a_cost_refuses_a_word_it_does_not_know_in_our_words(calls):
    cost, working = calls["Ledger.cost"]
    for word in ("epslion", "exact", "progress", "ledger"):
        with pytest.raises(hushwalk.WrongType, match=f"`{word}`"):
            cost(**working, **{word: 1})


@pytest.mark.parametrize("library, call", [
    ("pandas", lambda graph, progress: hushwalk.evaluate(graph, progress=progress)),
    ("pandas", lambda graph, progress: hushwalk.attack(graph, (3, 10), 1, progress=progress)),
    ("pandas", lambda graph, progress: hushwalk.exact_rank(graph, 1).to_pandas()),
    ("pandas", lambda graph, progress: hushwalk.exact_rank(graph, all=True).to_pandas()),
    ("matplotlib.pyplot", lambda graph, progress: hushwalk.exact_rank(graph, 1).plot()),
])
def test_a_library_that_is_not_here_is_named_with_the_remedy_before_any_work(monkeypatch, library, call):
    monkeypatch.setitem(sys.modules, library, None)
    worked = []
    with pytest.raises(hushwalk.Failed, match=f"needs {library.split('.')[0]}.*install python3-"):
        call(hushwalk.generate("karate"), lambda stage, fraction: worked.append(stage))
    assert not worked


def test_a_wrong_type_is_a_type_error_too():
    with pytest.raises(TypeError):
        hushwalk.generate(3)
    assert issubclass(hushwalk.WrongType, ValueError) and hushwalk.WrongType.code == 2


@pytest.mark.parametrize("edges", [[], (), iter([]), np.empty((0, 2), dtype=int), pd.DataFrame({"source": [], "target": []})])
def test_no_edges_need_a_node_list(edges):
    with pytest.raises(hushwalk.UsageError, match="`nodes`"):
        hushwalk.Graph.from_edges(edges)
    assert len(hushwalk.Graph.from_edges([], nodes=[1, 2])) == 2


def test_a_remedy_is_spelt_as_python_spells_it(tmp_path):
    with pytest.raises(hushwalk.UsageError, match="`epsilon=E`, for example `epsilon=1`; or `shared`"):
        hushwalk.rank(hushwalk.generate("karate"), 1)
    graph = hushwalk.generate("karate")
    graph.save(tmp_path / "g.hwg")
    ledger = hushwalk.Ledger.create(tmp_path / "L", graph, epsilon=1, per_recipient=0.5)
    with pytest.raises(hushwalk.Error, match="`recipient=NAME`"):
        ledger.rank(graph, seed_set=[1, 2], epsilon=0.1)
