"""Graphs from arrays, frames and other libraries are the graphs they were."""
import gzip
import os
import re
import tracemalloc
import warnings

import hushwalk
import igraph
import networkx as nx
import numpy as np
import pandas as pd
import pytest
import scipy.sparse
from hushwalk import Graph
from hypothesis import given, settings
from hypothesis import strategies as st

settings.register_profile("tests", max_examples=40, deadline=None, derandomize=True)
settings.load_profile("tests")

SMALL_GRAPHS = st.lists(st.tuples(st.integers(0, 12), st.integers(0, 12)), min_size=1, max_size=40)


def edges_of(graph):
    return {frozenset((u, v)) for u in graph.nodes for v in graph.neighbors(u)}


def edge_set(pairs):
    return {frozenset(pair) for pair in pairs if pair[0] != pair[1]}


@given(SMALL_GRAPHS)
def test_every_way_in_gives_the_same_graph(pairs):
    expected = edge_set(pairs)
    undirected = nx.Graph(pairs)
    matrix = nx.to_scipy_sparse_array(undirected, nodelist=range(13), weight=None) if set(undirected) >= set(range(13)) else None
    frame = pd.DataFrame(pairs, columns=["source", "target"])
    graphs = [
        Graph.from_edges(pairs),
        Graph.from_edges(iter(pairs)),
        Graph.from_edges(np.array(pairs)),
        Graph.from_edges(np.array(pairs, dtype=np.uint8)),
        Graph.from_edges(frame),
        Graph.from_edges(frame.rename(columns={"source": "a", "target": "b"}), source="a", target="b"),
        Graph.from_networkx(undirected),
        Graph.from_igraph(igraph.Graph(n=13, edges=pairs)),
    ]
    if matrix is not None:
        graphs.append(Graph.from_scipy(matrix))
    for graph in graphs:
        assert edges_of(graph) == expected
        assert not graph.nodes_declared


@given(SMALL_GRAPHS)
def test_what_is_dropped_is_counted(pairs):
    graph = Graph.from_edges(pairs)
    assert graph.secret_edges + graph.self_loops + graph.duplicates == len(pairs)
    assert graph.secret_edges == len(edge_set(pairs))


@given(st.lists(st.tuples(st.text("aäz€😀 -", min_size=1), st.text("aäz€😀 -", min_size=1)), min_size=1, max_size=20))
def test_labels_are_kept_and_sorted_as_the_library_sorts_them(pairs):
    graph = Graph.from_edges(pairs)
    assert graph.nodes == sorted({node for pair in pairs for node in pair})
    assert edges_of(graph) == edge_set(pairs)


@given(st.lists(st.tuples(*[st.integers(-(2**63), 2**63 - 1)] * 2), min_size=1, max_size=20))
def test_integers_of_any_size_are_kept(pairs):
    graph = Graph.from_edges(pairs)
    assert graph.nodes == sorted({node for pair in pairs for node in pair})
    assert edges_of(graph) == edge_set(pairs)


def bytes_for_an_edge(ends, nodes):
    """What Python and NumPy need at most while a graph is made, beside what was there before."""
    frame = pd.DataFrame({"source": ends[0], "target": ends[1]})
    tracemalloc.start()
    Graph.from_edges(frame, nodes=nodes)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return peak / len(frame)


@pytest.mark.parametrize("declared", [True, False])
@pytest.mark.parametrize("kind, first, most", [("uint32", 0, 1.5), ("int64", 0, 9.5), ("int64", 7, 9.5), ("uint32", 7, 9.5)])
def test_arrays_of_ids_without_gaps_are_not_copied_but_to_the_numbers_that_the_library_takes(kind, first, most, declared):
    """uint32 from 0 on are those numbers, so that nothing is copied; others need four bytes for each of two ends."""
    ends = np.random.default_rng(1).integers(first, first + 1000, (2, 400_000)).astype(kind)
    assert bytes_for_an_edge(ends, np.arange(first, first + 1000) if declared else None) < most


@pytest.mark.parametrize("kind", [np.int8, np.uint8, np.int32, np.uint32, np.int64, ">i4", ">i8"])
@pytest.mark.parametrize("first", [0, 100])
def test_integers_of_every_type_are_taken_as_they_are(kind, first):
    column = np.array([first, first + 1, first + 27], dtype=kind)
    assert np.shares_memory(hushwalk._graph._ids(column), column)
    pairs = np.stack([column[[0, 1, 0]], column[[1, 2, 2]]], axis=1)
    for nodes in (None, range(first, first + 28), np.array([first + 27, first, first + 1], dtype=kind)):
        assert edges_of(Graph.from_edges(pairs, nodes=nodes)) == edge_set(pairs.tolist())


@given(st.integers(-(2**63), 2**63 - 30), st.lists(st.tuples(*[st.integers(-3, 22)] * 2), min_size=1, max_size=9))
def test_ids_without_gaps_need_not_begin_with_0_and_know_what_is_outside(first, pairs):
    ends = [(first + a, first + b) for a, b in pairs if -(2**63) <= first + min(a, b)]
    outside = [end for pair in ends for end in pair if not first <= end < first + 20]
    if not outside:
        assert edges_of(Graph.from_edges(ends, nodes=range(first, first + 20))) == edge_set(ends)
        return
    with pytest.raises(hushwalk.UsageError, match="not in `nodes`") as wrong:
        Graph.from_edges(ends, nodes=range(first, first + 20))
    assert any(str(end) in str(wrong.value) for end in outside)


def test_networkx_keeps_isolated_nodes_and_numpy_labels():
    graph = nx.Graph([(np.int64(1), np.int64(2))])
    graph.add_node(7)
    made = Graph.from_networkx(graph)
    assert made.nodes == [1, 2, 7] and made.degree(7) == 0
    assert Graph.from_networkx(nx.MultiGraph([(1, 2), (1, 2)])).secret_edges == 1


def test_igraph_takes_names_where_there_are_some():
    graph = igraph.Graph.TupleList([("eve", "ann"), ("ann", "bob")])
    assert edges_of(Graph.from_igraph(graph)) == edge_set([("eve", "ann"), ("ann", "bob")])


def test_rows_of_a_matrix_are_named_in_their_order():
    matrix = scipy.sparse.csr_matrix([[0, 1, 0], [1, 0, 0], [0, 0, 0]])
    graph = Graph.from_scipy(matrix, nodes=["zoe", "ann", "bob"])
    assert graph.nodes == ["ann", "bob", "zoe"] and graph.nodes_declared
    assert graph.neighbors("zoe") == ["ann"]


def test_a_public_node_list_is_declared_and_certificates_know():
    pairs = [(1, 2), (2, 3)]
    declared, collected = Graph.from_edges(pairs, nodes=range(1, 6)), Graph.from_edges(pairs)
    assert len(declared) == 5 and declared.nodes_declared and not collected.nodes_declared
    words = [hushwalk.rank(graph, 1, epsilon=1).certificate.text for graph in (declared, collected)]
    assert "as declared" in words[0] and "as declared" not in words[1]


def test_an_end_outside_the_public_list_is_an_error_that_names_it():
    with pytest.raises(hushwalk.UsageError, match="'bob'.*`nodes`"):
        Graph.from_edges([("ann", "bob")], nodes=["ann", "eve"])
    with pytest.raises(hushwalk.UsageError, match="9.*`nodes`"):
        Graph.from_edges([(1, 9)], nodes=[1, 2])
    with pytest.raises(hushwalk.UsageError, match="twice"):
        Graph.from_edges([(1, 2)], nodes=[1, 2, 2])


def test_the_public_bound_on_edges_holds_and_its_breach_tells_the_count_to_the_custodian_only():
    assert Graph.from_edges([(1, 2), (2, 3)], max_edges=2).max_edges == 2
    with pytest.raises(hushwalk.Refused, match="max_edges") as refused:
        Graph.from_edges([(i, i + 1) for i in range(1, 8)], max_edges=2)
    assert "7" in refused.value.for_custodian and "7" not in str(refused.value)


@pytest.mark.parametrize("directed, make", [
    (nx.DiGraph([(1, 2)]), Graph.from_networkx),
    (igraph.Graph(n=2, edges=[(0, 1)], directed=True), Graph.from_igraph),
    (scipy.sparse.csr_matrix([[0, 1], [0, 0]]), Graph.from_scipy),
])
def test_directed_graphs_are_refused_with_the_remedy(directed, make):
    with pytest.raises(hushwalk.UsageError, match=r"directed.*(to_undirected|as_undirected|A \+ A\.T)"):
        make(directed)


@pytest.mark.parametrize("weighted, make", [
    ([(1, 2, 0.5)], Graph.from_edges),
    (np.array([[1, 2, 0.5]]), Graph.from_edges),
    (pd.DataFrame({"source": [1], "target": [2], "weight": [0.5]}), Graph.from_edges),
    (pd.DataFrame([(1, 2, 0.5)]), Graph.from_edges),
    (nx.Graph([(1, 2, {"weight": 0.5})]), Graph.from_networkx),
    (igraph.Graph(n=2, edges=[(0, 1)], edge_attrs={"weight": [0.5]}), Graph.from_igraph),
    (scipy.sparse.csr_matrix([[0, 0.5], [0.5, 0]]), Graph.from_scipy),
])
def test_weights_are_ignored_with_a_warning(weighted, make):
    with pytest.warns(hushwalk.ImportNotice, match="weights"):
        graph = make(weighted)
    assert graph.secret_edges == 1


def test_columns_that_were_guessed_are_named_with_those_that_were_ignored():
    calls = pd.DataFrame({"id": [1, 2], "day": [3, 3], "caller": [5, 6], "callee": [6, 7]})
    with pytest.warns(hushwalk.ImportNotice, match="'id' and 'day'.*ignored 'caller', 'callee'.*`source` and `target`") as heard:
        assert Graph.from_edges(calls).nodes == [1, 2, 3]
    assert heard[0].filename == __file__, "it points to the caller"
    with pytest.warns(hushwalk.ImportNotice, match="'caller' and 'day'"):
        Graph.from_edges(calls, source="caller")
    with pytest.warns(hushwalk.ImportNotice) as heard:
        Graph.from_edges(calls.rename(columns={"caller": "weight"}))
    assert [re.search("weights|columns", str(one.message))[0] for one in heard] == ["weights", "columns"]


def test_columns_that_were_named_are_no_news():
    calls = pd.DataFrame({"id": [1, 2], "day": [3, 3], "caller": [5, 6], "callee": [6, 7]})
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert Graph.from_edges(calls, source="caller", target="callee").nodes == [5, 6, 7]
        assert Graph.from_edges(calls.rename(columns={"caller": "source", "callee": "target"})).nodes == [5, 6, 7]
        Graph.from_edges(calls[["caller", "callee"]])


@pytest.mark.parametrize("pairs", [[(1, "a")], [((0, 0), (0, 1))], [(1.5, 2)], [(None, 2)], [(True, False)]])
def test_ids_that_have_no_common_order_are_refused(pairs):
    with pytest.raises(TypeError, match="all integers or all strings"):
        Graph.from_edges(pairs)


@pytest.mark.parametrize("ends", [["ann", None], ["ann", np.nan], [1, np.nan], pd.array([1, None], dtype="Int64"), pd.array(["ann", None], dtype="string")])
def test_a_missing_id_is_named_with_the_remedy(ends):
    with pytest.raises(hushwalk.WrongType, match="missing.*dropna"):
        Graph.from_edges(pd.DataFrame({"source": ends, "target": ends}))


def test_a_dense_matrix_is_sent_to_scipy():
    with pytest.raises(hushwalk.WrongType, match=r"scipy\.sparse\.csr_array"):
        Graph.from_scipy(np.eye(3))


@pytest.mark.parametrize("edges", [np.array([1, 2]), np.array([[1, 2, 3, 4]]), np.array([[1.5, 2]]), np.array([[1, 2**64 - 1]], dtype=np.uint64),
                                   [(1,)], [(1, 2**63)], pd.DataFrame({"a": [1], "b": [2]}).rename(columns={"b": "a"}).iloc[:, :0]])
def test_what_is_no_edge_list_is_a_usage_error(edges):
    with pytest.raises(hushwalk.UsageError):
        Graph.from_edges(edges)


def test_a_text_is_read_with_its_notices(tmp_path):
    path = tmp_path / "friends.txt.gz"
    path.write_bytes(gzip.compress(b"ann bob 3\nbob eve 1\n"))
    with pytest.warns(hushwalk.ImportNotice):
        graph = Graph.open(path)
    assert graph.nodes == ["ann", "bob", "eve"]
    with pytest.raises(hushwalk.Failed, match="missing"):
        Graph.open(tmp_path / "missing")


CALLS = "day;caller;callee\nmon;7;8\nmon;8;7\ntue;8;9\nwed;9;9\n"


@pytest.mark.parametrize("text, options, flags", [
    (CALLS, {"delimiter": "semicolon", "columns": ("caller", "callee")}, ["--delimiter", "semicolon", "--columns", "caller,callee"]),
    (CALLS, {"delimiter": ";", "columns": [2, np.int64(3)], "header": True}, ["--delimiter", ";", "--columns", "2,3", "--header"]),
    (CALLS, {"delimiter": ";", "columns": (2, 3), "header": True, "string_ids": True},
     ["--delimiter", ";", "--columns", "2,3", "--header", "--string-ids"]),
    ("who whom\n1 2\n", {"header": True}, ["--header"]),
    ("1 2\nalone\n2 3\n", {"skip_bad_lines": 1}, ["--skip-bad-lines", "1"]),
    ("1 2\n2 3\n", {"max_edges": 5}, ["--max-edges", "5"]),
    ("1 2\n2 3\n", {"nodes": "list.txt"}, ["--nodes", "list.txt"]),
    ("3 2\n2\n1 3\n2\n", {"format": "metis"}, ["--format", "metis"]),
])
def test_a_text_is_read_as_import_reads_it(command_line, tmp_path, monkeypatch, text, options, flags):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "t.txt").write_text(text)
    (tmp_path / "list.txt").write_text("1\n2\n3\n4\n")
    report = command_line.json("import", "t.txt", "-o", "t.hwg", *flags)
    there, here = Graph.open("t.hwg"), Graph.open("t.txt", **options)
    assert here.nodes == there.nodes and edges_of(here) == edges_of(there)
    assert (here.max_edges, here.nodes_declared) == (there.max_edges, there.nodes_declared)
    assert (here.self_loops, here.duplicates) == (report["self_loops"], report["duplicates"])


def test_the_public_list_of_a_text_is_a_list_or_a_file_and_edges_outside_it_are_an_error(tmp_path):
    text, names = tmp_path / "t.txt", tmp_path / "names.txt"
    text.write_text("ann bob\n")
    names.write_text("joe\nann\nbob\n")
    for nodes in (["joe", "ann", "bob"], iter(["ann", "bob", "joe"]), np.array(["ann", "bob", "joe"]), names, str(names)):
        graph = Graph.open(text, nodes=nodes)
        assert graph.nodes == ["ann", "bob", "joe"] and graph.nodes_declared
    with pytest.raises(hushwalk.Failed, match="bob"):
        Graph.open(text, nodes=["ann", "joe"])
    with pytest.raises(hushwalk.UsageError, match="twice"):
        Graph.open(text, nodes=["ann", "bob", "bob"])


def test_a_bound_on_the_edges_of_a_text_is_checked(tmp_path):
    (tmp_path / "t.txt").write_text("1 2\n2 3\n")
    with pytest.raises(hushwalk.Refused, match="max_edges"):
        Graph.open(tmp_path / "t.txt", max_edges=1)


@pytest.mark.parametrize("options, message", [
    ({"delimiter": "x"}, "`delimiter` takes tab, comma"), ({"format": "xml"}, "`format` takes auto, edges"), ({"columns": (1,)}, "`columns` takes two"),
    ({"columns": "a,b"}, "`columns` is a list"), ({"columns": (0, 1)}, "`columns` must be at least 1"), ({"columns": (2, 2)}, "different"),
    ({"header": 1}, "`header` is True or False"), ({"skip_bad_lines": -1}, "`skip_bad_lines` must be at least 0"),
])
def test_a_mistake_in_how_to_read_a_text_names_its_parameter(tmp_path, options, message):
    (tmp_path / "t.txt").write_text("1 2\n2 3\n")
    with pytest.raises(hushwalk.UsageError, match=message):
        Graph.open(tmp_path / "t.txt", **options)


@pytest.mark.parametrize("option", [{"nodes": [1, 2]}, {"max_edges": 99}, {"header": True}, {"skip_bad_lines": 2}, {"format": "edges"}])
def test_a_graph_file_takes_no_options_of_texts(tmp_path, option):
    hushwalk.generate("karate").save(tmp_path / "g.hwg")
    with pytest.raises(hushwalk.UsageError, match="graph file"):
        Graph.open(tmp_path / "g.hwg", **option)


def test_a_saved_graph_is_the_same_to_the_command_line(command_line, tmp_path):
    graph = Graph.from_networkx(nx.karate_club_graph())
    graph.save(tmp_path / "club.hwg")
    found = command_line.json("info", tmp_path / "club.hwg")
    assert (found["nodes"], found["edges"], found["graph_id"]) == (34, 78, graph.graph_id)
    assert found["nodes_declared"] is False
    assert edges_of(Graph.open(tmp_path / "club.hwg")) == edges_of(graph)


def test_generated_graphs_are_those_of_the_command_line(command_line, tmp_path):
    command_line("generate", "ba", "--nodes", 200, "--edges", 800, "--random-seed", 3, "-o", tmp_path / "g.hwg")
    assert edges_of(Graph.open(tmp_path / "g.hwg")) == edges_of(hushwalk.generate("ba", nodes=200, edges=800, random_seed=3))


def test_membership_and_names_of_nodes():
    graph = Graph.from_edges([("ann", "bob")])
    assert "ann" in graph and "joe" not in graph and 3 not in graph and None not in graph
    assert np.int64(2) in Graph.from_edges([(1, 2)])
    with pytest.raises(hushwalk.UsageError, match="no node 'joe'"):
        graph.degree("joe")


def test_a_crafted_file_whose_links_have_one_end_is_refused_by_all_that_release(tmp_path, monkeypatch):
    monkeypatch.syspath_prepend(os.path.join(os.environ["HUSHWALK_SOURCE"], "tests", "golden"))
    from crafted_graph import give_a_link_one_end
    path = tmp_path / "g.hwg"
    whole = hushwalk.generate("karate")
    whole.save(path)
    artefact = hushwalk.share(whole, epsilon=1)
    ledger = hushwalk.Ledger.create(tmp_path / "L", whole, epsilon=1)
    give_a_link_one_end(path)
    crafted = Graph.open(path)
    for release in (lambda: hushwalk.rank(crafted, 1, epsilon=1), lambda: hushwalk.rank(crafted, 1, epsilon=1, mechanism="edgeflip"),
                    lambda: hushwalk.rank(crafted, 1, shared=artefact),
                    lambda: hushwalk.share(crafted, epsilon=1), lambda: ledger.rank(crafted, 1, epsilon=0.5)):
        with pytest.raises(hushwalk.Error, match="not symmetric"):
            release()
    assert ledger.spent == 0
