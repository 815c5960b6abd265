"""Rankings: exact ones as networkx and SciPy compute them, private ones with what they promise."""
import ctypes
import json
import math
import pickle
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


def forged(content, change):
    """An artefact with other numbers, whose checksum and certificate are right."""
    line, body = content.split(b"\n", 1)
    checksum = ctypes.CDLL("libxxhash.so.0").XXH3_64bits
    checksum.argtypes, checksum.restype = (ctypes.c_char_p, ctypes.c_size_t), ctypes.c_uint64
    header = json.loads(line)
    assert header["checksum"] == f"{checksum(body, len(body)):016x}"
    body = change(body)
    return line.replace(header["checksum"].encode(), f"{checksum(body, len(body)):016x}".encode()) + b"\n" + body


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


@given(connected_graphs())
def test_exact_pagerank_is_that_of_igraph(graph):
    """The row of igraph in docs/python.md, as it stands there, but for the noise."""
    igraph = pytest.importorskip("igraph")
    g, a = igraph.Graph(n=len(graph), edges=list(graph.edges)), 1
    expected = g.personalized_pagerank(reset_vertices=a, damping=0.85)
    found = hushwalk.exact_rank(hushwalk.Graph.from_igraph(g), a, diffusion="pagerank", beta=0.85, steps=400, top=None)
    assert len(found) == len(graph) - 1
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
    assert list(frame.columns) == ["node", "score", "noise_sd", "rank_low", "rank_high"] and frame.index[0] == 1
    assert "epsilon 1" in repr(result).splitlines()[0]


def test_where_little_noise_hides_it_a_ranking_says_between_which_ranks_a_node_is():
    result = hushwalk.rank(CLUB, 0, epsilon=100, top=12)
    ranges = [(row.rank_low, row.rank_high) for row in result if row.rank_low is not None]
    assert ranges and all(isinstance(low, int) and 1 <= low <= high <= 33 for low, high in ranges)
    assert len(ranges) == np.isfinite(result.rank_low).sum() == np.isfinite(result.rank_high).sum()
    _, heads, *lines = repr(result).splitlines()
    assert heads.split() == ["rank", "node", "score", "noise", "exact", "rank"]
    place = next(i for i, row in enumerate(result) if row.rank_low is not None)  # noise may put one without a range first
    rank, node, _, sign, _, ranks = lines[place].split()
    assert (rank, node, sign, ranks) == (str(place + 1), str(result.nodes[place]), "±", f"{result[place].rank_low}-{result[place].rank_high}")
    assert "90 times of 100" in repr(result) and "90 times of 100" in result._repr_html_()
    assert not any(word in repr(hushwalk.exact_rank(CLUB, 0)) for word in ("noise", "90 times"))


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
    assert list(results.to_pandas().columns) == ["seed", "rank", "node", "score", "noise_sd", "rank_low", "rank_high"]
    everybody = hushwalk.rank(CLUB, all=True, epsilon=0.1, top=2)
    assert len(everybody) == 34 and "34 rankings" in repr(everybody)
    page = everybody._repr_html_()
    assert page.count("<tr>") == 21 and "14 more" in page and "every single edge that does not touch the seed" in page
    assert "NOT private" in hushwalk.exact_rank(CLUB, seeds=[0, 1])._repr_html_()


def test_a_seed_set_has_weights():
    result = hushwalk.rank(CLUB, seed_set={0: 3, 33: 1}, epsilon=1)
    assert result.seed == {0: 0.75, 33: 0.25}
    assert hushwalk.rank(CLUB, seed_set=[0, 33], epsilon=1).seed == {0: 0.5, 33: 0.5}


def test_a_seed_set_of_one_node_is_a_set_with_the_text_of_the_command_line(command_line, tmp_path):
    club = hushwalk.generate("karate")
    club.save(tmp_path / "club.hwg")
    (tmp_path / "set").write_text("1\n")
    found = hushwalk.exact_rank(club, seed_set=[1], top=3)
    assert found.seed == {1: 1.0}
    there = command_line("rank", tmp_path / "club.hwg", "--exact", "--seed-set", tmp_path / "set", "--top", 3, "--json").stdout
    assert found.json.strip() == there.strip()
    assert hushwalk.exact_rank(club, 1).seed == 1


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


def test_a_certificate_names_the_theorems_that_a_machine_has_checked():
    assert hushwalk.rank(CLUB, 0, epsilon=0.1).certificate.machine_checked == ["onescore.onescore_coded", "final.onescore_private"]
    certificate = hushwalk.rank(CLUB, 0, epsilon=1, mechanism="paper").certificate
    assert certificate.machine_checked is None
    assert not hushwalk.verify(certificate.to_dict() | {"machine_checked": ["final.twohop_private"]})


def test_an_answer_is_bound_to_its_certificate_and_the_file_is_that_of_the_command_line(command_line, tmp_path):
    result = hushwalk.rank(CLUB, 0, epsilon=1, top=4)
    found = hushwalk.verify(result)
    assert found.checked.promise and found.checked.answer and not found.checked.signature and "custodian" in found.never_checked
    result.save(tmp_path / "answer.json")
    assert hushwalk.verify(tmp_path / "answer.json").checked.answer
    assert command_line.json("verify-certificate", tmp_path / "answer.json")["checked"]["answer"] is True
    rows = json.loads(result.json)["rankings"][0]["top"]
    assert [(row["node"], row["score"], row["noise_sd"], row.get("rank_low"), row.get("rank_high")) for row in rows] == [tuple(row) for row in result]
    (tmp_path / "answer.json").write_text(result.json.replace(str(rows[0]["score"]), str(rows[0]["score"] / 2)))
    assert not hushwalk.verify(tmp_path / "answer.json")
    assert not result.certificate.verify().checked.answer, "it is not at hand"


def test_the_document_of_many_rankings_is_one_and_an_exact_one_says_that_it_is_not_private(tmp_path):
    results = hushwalk.rank(CLUB, seeds=[0, 5], epsilon=1)
    assert hushwalk.verify(results).checked.answer
    with pytest.raises(hushwalk.UsageError, match="one of many"):
        results[0].save(tmp_path / "a")
    exact = hushwalk.exact_rank(CLUB, seed_set=[0, 5])
    assert json.loads(exact.json)["private"] is False and not hushwalk.verify(exact)


def test_a_signed_answer_is_checked_by_the_public_key_here_and_there(command_line, tmp_path, monkeypatch):
    key = hushwalk.SigningKey.make(tmp_path / "key", issuer="Friends, Inc.")
    other = hushwalk.SigningKey.make(tmp_path / "other")
    assert (other.issuer, hushwalk.SigningKey.open(tmp_path / "key").public_key) == ("the custodian", key.public_key)
    assert (tmp_path / "key").stat().st_mode & 0o777 == 0o600
    (tmp_path / "pem").write_text(key.public_key)
    monkeypatch.setenv("HUSHWALK_SIGNING_KEY", str(tmp_path / "key"))
    for result in (hushwalk.rank(CLUB, 0, epsilon=1, signing_key=key), hushwalk.rank(CLUB, 0, epsilon=1, signing_key=tmp_path / "key"),
                   hushwalk.rank(CLUB, 0, epsilon=1), hushwalk.share(CLUB, epsilon=1).rank(CLUB, seeds=[0, 1])):
        result.save(tmp_path / "answer.json")
        for pem in (key.public_key, tmp_path / "pem"):
            found = hushwalk.verify(result, public_key=pem)
            assert found.checked.issuer and found.checked.answer and "Friends, Inc." in found.reason
        assert result.certificate.verify(public_key=key.public_key).checked.issuer
        assert command_line.json("verify-certificate", tmp_path / "answer.json", "--public-key", tmp_path / "pem")["checked"]["issuer"] is True
        assert not hushwalk.verify(result, public_key=other.public_key)
    monkeypatch.delenv("HUSHWALK_SIGNING_KEY")
    assert not hushwalk.verify(hushwalk.rank(CLUB, 0, epsilon=1), public_key=key.public_key)
    with pytest.raises(TypeError, match="secret"):
        __import__("pickle").dumps(key)


def test_an_artefact_with_numbers_that_no_release_has_does_not_verify_here_nor_from_standard_input(command_line, tmp_path):
    hushwalk.share(CLUB, epsilon=1, mechanism="circles").save(tmp_path / "s")
    content = (tmp_path / "s").read_bytes()
    assert hushwalk.verify(tmp_path / "s") and command_line("verify-certificate", "-", input=content).returncode == 0
    other_branch = forged(content, lambda body: bytes([body[0] ^ 2]) + body[1:])
    (tmp_path / "forged").write_bytes(other_branch)
    found = hushwalk.verify(tmp_path / "forged")
    assert not found and "checksum" not in found.reason and "undamaged" not in found.reason
    command_line("verify-certificate", tmp_path / "forged", code=1)
    command_line("verify-certificate", "-", input=other_branch, code=1)


def test_a_plan_promises_what_the_answer_certifies():
    plan = hushwalk.plan(CLUB, epsilon=0.7)
    certificate = hushwalk.rank(CLUB, 0, epsilon=0.7).certificate
    assert plan.noise == certificate["noise"] and plan.certificate.epsilon == 0.7
    assert "nothing was released" in repr(plan)
    assert hushwalk.plan(nodes=10**6, epsilon=1, rankings=10).total_epsilon == 10


@pytest.mark.parametrize("mechanism, expected", [("auto", "circles"), ("circles", "circles"), ("shared", "shared")])
def test_an_artefact_is_made_by_the_mechanism_that_was_asked_for(mechanism, expected):
    assert hushwalk.share(CLUB, epsilon=1, mechanism=mechanism).certificate.mechanism == expected
    with pytest.raises(hushwalk.Refused, match="mechanism"):
        hushwalk.share(CLUB, epsilon=1, mechanism="twohop")


def test_a_plan_counts_the_seeds_it_is_given():
    assert hushwalk.plan(CLUB, seeds=[0, 5, 5], epsilon=0.5).total_epsilon == 1
    assert hushwalk.plan(CLUB, 0, epsilon=0.5, candidates=[1, 2]).certificate["public_candidates"] is True
    with pytest.raises(hushwalk.UsageError, match="rankings"):
        hushwalk.plan(CLUB, 0, epsilon=1, rankings=2)
    with pytest.raises(hushwalk.UsageError, match="without a graph"):
        hushwalk.plan(seed=0, nodes=10, epsilon=1)


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
    with pytest.raises(TypeError):
        hushwalk.rank(CLUB, **({"seed": 0} | options))


@pytest.mark.parametrize("seed, remedy", [({0: 1}, "`seed_set`"), ([0, 1], "`seeds`"), (np.array([0, 1]), "`seeds`")])
def test_several_seeds_in_the_place_of_one_are_told_where_they_belong(seed, remedy):
    for call in (hushwalk.exact_rank, lambda graph, seed: hushwalk.rank(graph, seed, epsilon=1)):
        with pytest.raises(hushwalk.WrongType, match=remedy):
            call(CLUB, seed)


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
    many = hushwalk.tune(nodes=150, edges=600, epsilon=1, users=100, seeds=8)
    parts = {plan["mechanism"]: plan["epsilon"] for plan in many.tried}
    assert (parts["twohop"], parts["circles"], parts["shared"]) == (0.01, 1, 1) and 0 < many.expected_new_ndcg <= 1
    assert (many.users, many.total_epsilon) == (100, 1) and many.mechanism in ("shared", "circles")
    with pytest.raises(hushwalk.UsageError):
        hushwalk.tune(nodes=150, epsilon=1)
    assert hushwalk.audit(mechanism="twohop", trials=2000).verdict == "consistent"
    attack = hushwalk.attack(CLUB, (2, 9), 0, epsilon=[0.5], trials=200)
    assert attack.epsilon[0] == math.inf and attack.success[0] == 1 and attack.success[1] < attack.ceiling[1] + 0.15
    files = hushwalk.reproduce(tmp_path / "out", figures(command_line)[:1], quick=True)
    assert (tmp_path / "out/report.html").exists() and len(files.figures) == 1


def figures(command_line):
    return re.findall(r"^  ([a-z0-9-]+) {2,}", command_line("reproduce", "--help").stdout.split("Figures:")[1], re.M)


def test_a_plan_says_where_it_is_weak_and_what_else_there_is(command_line):
    for more in ({"epsilon": 1}, {"epsilon": 1, "rankings": 5}, {"epsilon": 1, "rankings": 20}, {"epsilon": 50}):
        theirs = command_line.json("plan", "--nodes", 1000, *(part for name, value in more.items() for part in (f"--{name}", value)))
        ours = hushwalk.plan(nodes=1000, **more)
        for name in "weak_points", "why", "expects", "alternative":
            assert getattr(ours, name) == getattr(pickle.loads(pickle.dumps(ours)), name) == theirs[name]
    assert ours.weak_points and hushwalk.plan(nodes=1000, epsilon=1, rankings=20).alternative["total_epsilon"] == 20


def test_an_artefact_is_signed_over_its_numbers(monkeypatch, tmp_path):
    key = hushwalk.SigningKey.make(tmp_path / "key", issuer="Friends")
    signed = [hushwalk.share(CLUB, epsilon=1, signing_key=key)]
    monkeypatch.setenv("HUSHWALK_SIGNING_KEY", str(tmp_path / "key"))
    signed.append(hushwalk.share(CLUB, epsilon=1))
    for artefact in signed:
        artefact.save(tmp_path / "S")
        assert artefact.certificate["answer"]["encoding"] == "artefact" and artefact.certificate.verify(public_key=key.public_key)
        assert hushwalk.verify(tmp_path / "S", public_key=key.public_key).checked.signature
