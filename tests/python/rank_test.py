"""Rankings: exact ones as networkx and SciPy compute them, private ones with what they promise."""
import json
import math
import re

import hushwalk
import networkx as nx
import numpy as np
import pytest
import scipy.sparse
import scipy.sparse.linalg
from hypothesis import given, settings
from hypothesis import strategies as st

settings.register_profile("tests", max_examples=25, deadline=None, derandomize=True)
settings.load_profile("tests")

KARATE = nx.karate_club_graph()
CLUB = hushwalk.Graph.from_edges(list(KARATE.edges()), nodes=range(34))


def scores_of(ranking):
    return dict(zip(ranking.nodes, ranking.scores))


@st.composite
def connected_graphs(draw):
    size = draw(st.integers(3, 20))
    graph = nx.path_graph(size)
    graph.add_edges_from(draw(st.lists(st.tuples(*[st.integers(0, size - 1)] * 2).filter(lambda e: e[0] != e[1]), max_size=30)))
    return graph


@given(connected_graphs(), st.floats(0.1, 0.9), st.data())
def test_exact_pagerank_is_that_of_networkx(graph, alpha, data):
    weights = data.draw(st.dictionaries(st.sampled_from(sorted(graph)), st.floats(0.1, 10), min_size=1, max_size=3))
    expected = nx.pagerank(graph, alpha=alpha, personalization=weights, tol=1e-12, max_iter=1000)
    found = hushwalk.exact_rank(hushwalk.Graph.from_networkx(graph), seed_set=weights, diffusion="pagerank", beta=alpha,
                                steps=400, top=None)
    assert set(found.nodes) == set(graph) - set(weights)
    for node, score in scores_of(found).items():
        assert score == pytest.approx(expected[node], abs=1e-8)


@given(connected_graphs(), st.floats(0.5, 8))
def test_heat_is_the_matrix_exponential_of_scipy(graph, time):
    adjacency = nx.to_scipy_sparse_array(graph, nodelist=sorted(graph), format="csc")
    walk = adjacency @ scipy.sparse.diags(1 / adjacency.sum(axis=0))
    start = np.zeros(len(graph))
    start[0] = 1
    expected = scipy.sparse.linalg.expm_multiply(-time * (scipy.sparse.identity(len(graph)) - walk), start)
    steps = 20000
    found = hushwalk.exact_rank(hushwalk.Graph.from_networkx(graph), 0, diffusion="heat", time=time, steps=steps, top=None)
    assert sum(abs(score - expected[node]) for node, score in scores_of(found).items()) <= 2 * time**2 / steps


def test_custom_coefficients_in_three_spellings_are_lazy_pagerank(tmp_path):
    rows = [(0.4, 0.4, 0.2)] * 100
    lists = dict(zip(("gamma1", "gamma2", "gamma3"), map(list, zip(*rows))))
    (tmp_path / "c.json").write_text(json.dumps(lists))
    expected = hushwalk.exact_rank(CLUB, 0, top=None)
    for coefficients in (rows, lists, tmp_path / "c.json"):
        found = hushwalk.exact_rank(CLUB, 0, diffusion="custom", coefficients=coefficients, top=None)
        assert found.nodes == expected.nodes
        np.testing.assert_allclose(found.scores, expected.scores, rtol=1e-12)


def test_an_exact_answer_is_that_of_the_command_line_and_says_that_it_is_not_private(command_line, tmp_path):
    CLUB.save(tmp_path / "club.hwg")
    theirs = command_line.json("rank", tmp_path / "club.hwg", "--seed", 5, "--exact", "--diffusion", "heat", "--top", 7)
    found = hushwalk.exact_rank(CLUB, 5, diffusion="heat", top=7)
    assert [(row.node, row.score) for row in found] == [(row["node"], row["score"]) for row in theirs["rankings"][0]["top"]]
    assert not found.private and "NOT private" in repr(found) and "custodian" in found._repr_html_()
    with pytest.raises(AttributeError, match="not private"):
        found.certificate


def test_a_private_ranking_has_what_data_scientists_expect():
    result = hushwalk.rank(CLUB, 0, epsilon=1.0, top=12)
    assert len(result) == 12 and 0 not in result.nodes
    assert [row.node for row in result] == result.nodes and result[0].score == result.scores[0]
    assert list(result.scores) == sorted(result.scores, reverse=True)
    assert result[-1].node == result.nodes[-1] and len(result[2:5]) == 3
    assert result.noise_sd.shape == (12,) and (result.noise_sd > 0).all()
    frame = result.to_pandas()
    assert list(frame.columns) == ["node", "score", "noise_sd"] and frame.index[0] == 1
    assert "epsilon 1" in repr(result) and "±" in repr(result)


def test_the_page_of_a_ranking_shows_bars_and_the_guarantee_and_no_markup_of_labels():
    graph = hushwalk.Graph.from_edges([("a", "<b>&"), ("<b>&", "c"), ("a", "c")])
    page = hushwalk.rank(graph, "a", epsilon=1)._repr_html_()
    assert "&lt;b&gt;&amp;" in page and "<b>&<" not in page
    assert "<table>" in page and "background" in page and "every single edge that does not touch the seed" in page


def test_a_plot_in_one_line():
    import matplotlib
    matplotlib.use("Agg")
    axes = hushwalk.rank(CLUB, 0, epsilon=1, top=6).plot()
    assert len(axes.patches) == 6 and "epsilon 1" in axes.get_title()
    assert len(hushwalk.exact_rank(CLUB, 0, top=3).plot().patches) == 3


def test_noise_is_fresh_in_every_call():
    first, second = (hushwalk.rank(CLUB, 0, epsilon=0.5, top=None) for _ in range(2))
    assert scores_of(first) != scores_of(second)


def test_many_seeds_share_one_certificate():
    results = hushwalk.rank(CLUB, seeds=[0, 5, 0], epsilon=0.25, top=3)
    assert [ranking.seed for ranking in results] == [0, 5], "one given twice is released once"
    assert results.certificate.total_epsilon == 0.5
    assert list(results.to_pandas().columns) == ["seed", "rank", "node", "score", "noise_sd"]
    everybody = hushwalk.rank(CLUB, all=True, epsilon=0.1, top=2)
    assert len(everybody) == 34 and "34 rankings" in repr(everybody)


def test_a_seed_set_has_weights():
    result = hushwalk.rank(CLUB, seed_set={0: 3, 33: 1}, epsilon=1)
    assert result.seed == {0: 0.75, 33: 0.25}
    assert hushwalk.rank(CLUB, seed_set=[0, 33], epsilon=1).seed == {0: 0.5, 33: 0.5}


def test_neighbours_can_be_left_out_and_candidates_chosen():
    assert not set(hushwalk.rank(CLUB, 0, epsilon=1, exclude_neighbors=True, top=None).nodes) & set(KARATE[0])
    result = hushwalk.rank(CLUB, 0, epsilon=1, candidates=[5, 6, 7])
    assert set(result.nodes) == {5, 6, 7} and "candidates" in result.certificate.text
    with pytest.raises(hushwalk.Refused, match="exclude_neighbors"):
        hushwalk.rank(CLUB, 0, epsilon=1, scope="edge", exclude_neighbors=True)


@pytest.mark.parametrize("options", [
    {}, {"mechanism": "twohop"}, {"mechanism": "paper", "delta": 1e-6, "eta": 1e-3}, {"mechanism": "output"},
    {"mechanism": "twohop", "background": 0.1, "taper": math.inf}, {"scope": "edge"}, {"mechanism": "pushflow"},
    {"diffusion": "heat", "time": 3}, {"diffusion": "pagerank", "beta": 0.6, "steps": 20},
])
def test_every_certificate_verifies_here_and_by_the_command_line(options, command_line, tmp_path):
    certificate = hushwalk.rank(CLUB, 0, epsilon=0.7, **options).certificate
    assert certificate.verify() and hushwalk.verify(certificate.to_dict())
    certificate.save(tmp_path / "c.json")
    assert hushwalk.verify(tmp_path / "c.json")
    assert command_line.json("verify-certificate", tmp_path / "c.json")["valid"] is True
    assert (tmp_path / "c.json").stat().st_mode & 0o777 == 0o600


def test_a_forged_certificate_does_not_hold():
    certificate = hushwalk.rank(CLUB, 0, epsilon=0.7).certificate
    found = hushwalk.verify(certificate.to_dict() | {"epsilon": 0.1})
    assert not found and found.reason


def test_a_plan_promises_what_the_answer_certifies():
    plan = hushwalk.plan(CLUB, epsilon=0.7)
    certificate = hushwalk.rank(CLUB, 0, epsilon=0.7).certificate
    assert plan.noise == certificate["noise"] and plan.certificate.epsilon == 0.7
    assert "nothing was released" in repr(plan)
    assert hushwalk.plan(nodes=10**6, epsilon=1, rankings=10).total_epsilon == 10


def test_one_artefact_serves_everybody(tmp_path):
    shared = hushwalk.share(CLUB, epsilon=1)
    shared.save(tmp_path / "club.share")
    again = hushwalk.Shared.open(tmp_path / "club.share")
    first, second = (artefact.rank(CLUB, 0, top=None) for artefact in (shared, again))
    assert first.nodes == second.nodes and first.certificate == second.certificate
    assert shared.rank(CLUB, all=True).certificate.total_epsilon == 1
    assert hushwalk.verify(tmp_path / "club.share")
    with pytest.raises(hushwalk.UsageError, match="privacy is fixed"):
        shared.rank(CLUB, 0, epsilon=1)
    with pytest.raises(hushwalk.Refused, match="graph"):
        shared.rank(hushwalk.generate("karate"), 1)


@pytest.mark.parametrize("options, message", [
    ({"seed": 0}, "how private"), ({"epsilon": 1}, "whose ranking"), ({"seed": 0, "seeds": [1], "epsilon": 1}, "one of"),
    ({"seed": 99, "epsilon": 1}, "no node 99"), ({"seed": 0, "epsilon": 0}, "epsilon"), ({"seed": 0, "epsilon": -1}, "epsilon"),
    ({"seed": 0, "epsilon": math.nan}, "epsilon"), ({"seed": 0, "epsilon": math.inf}, "epsilon"),
    ({"seed": 0, "epsilon": 1, "scope": "all"}, "scope"), ({"seed": 0, "epsilon": 1, "mechanism": "magic"}, "magic"),
    ({"seed": 0, "epsilon": 1, "diffusion": "warp"}, "diffusion"), ({"seed": 0, "epsilon": 1, "time": 3}, "heat"),
    ({"seed": 0, "epsilon": 1, "beta": 0.5, "diffusion": "heat"}, "beta"), ({"seed": 0, "epsilon": 1, "top": 0}, "top"),
    ({"seed": 0, "epsilon": 1, "diffusion": "custom"}, "coefficients"), ({"seed": 0, "epsilon": 1, "steps": 0}, "steps"),
    ({"seed": 0, "epsilon": 1, "recipient": "ann"}, "ledger"), ({"seed": 0, "epsilon": 1, "recipient": ""}, "empty"),
    ({"seed_set": {0: -1}, "epsilon": 1}, "weight"), ({"seed": 0, "epsilon": 1, "background": 2}, "background"),
])
def test_requests_that_make_no_sense_are_usage_errors(options, message):
    with pytest.raises(hushwalk.Error, match=message) as error:
        hushwalk.rank(CLUB, **options)
    assert error.value.code in (2, 3)


@pytest.mark.parametrize("options", [{"epsilon": "1"}, {"epsilon": 1, "top": "x"}, {"epsilon": 1, "seed": 1.5}, {"epsilon": 1, "steps": 2.5},
                                     {"epsilon": 1, "unknown": 3}, {"epsilon": [1]}])
def test_wrong_types_are_type_errors_and_spend_nothing(options):
    if options.get("epsilon") == "1":
        assert hushwalk.rank(CLUB, 0, epsilon="1").certificate.epsilon == 1  # as float() reads it
        return
    with pytest.raises(TypeError):
        hushwalk.rank(CLUB, **({"seed": 0} | options))


def test_a_networkx_graph_itself_is_a_mistake_with_a_remedy():
    with pytest.raises(TypeError, match="from_networkx"):
        hushwalk.rank(KARATE, 0, epsilon=1)


def test_accounting_is_that_of_the_command_line(command_line):
    theirs = command_line.json("calibrate", "--epsilon", 0.5, "--delta", "1e-6", "--mechanism", "paper", "--scope", "edge")
    ours = hushwalk.calibrate(epsilon=0.5, delta=1e-6, mechanism="paper", scope="edge")
    assert ours.laplace_scale == theirs["laplace_scale"] and ours.guarantee == theirs["guarantee"]
    found = hushwalk.account(laplace_scale=ours.laplace_scale, delta=1e-6, scope="edge", accountant="all")
    assert found.epsilon == pytest.approx(0.5, rel=1e-8) and len(found.accountants) == 4
    with pytest.raises(hushwalk.UsageError, match="accountant"):
        hushwalk.account(laplace_scale=1, accountant="mine")


def test_the_lab_measures_attacks_and_reproduces(command_line, tmp_path):
    frame = hushwalk.evaluate(CLUB, mechanism=["free", "exact", "twohop"], epsilon=[0.5, 5], seeds=8)
    assert frame[frame.mechanism == "exact"].ndcg.item() == pytest.approx(1)
    assert list(frame[frame.mechanism == "twohop"].epsilon) == [0.5, 5]
    tuned = hushwalk.tune(nodes=150, edges=600, target_ndcg=0.5, seeds=2)
    assert tuned.expected_ndcg > 0
    with pytest.raises(hushwalk.UsageError):
        hushwalk.tune(nodes=150, epsilon=1)
    assert hushwalk.audit(mechanism="twohop", trials=2000).verdict == "consistent"
    attack = hushwalk.attack(CLUB, (2, 9), 0, epsilon=[0.5], trials=200)
    assert attack.epsilon[0] == math.inf and attack.success[0] == 1 and attack.success[1] < attack.ceiling[1] + 0.15
    files = hushwalk.reproduce(tmp_path / "out", figures(command_line)[:1], quick=True)
    assert (tmp_path / "out/report.html").exists() and len(files.figures) == 1


def figures(command_line):
    return re.findall(r"^  ([a-z0-9-]+) {2,}", command_line("reproduce", "--help").stdout.split("Figures:")[1], re.M)
