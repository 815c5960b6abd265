"""Exact diffusions on real graphs against networkx, SciPy and igraph."""
import lzma

import igraph
import networkx
import numpy
import pytest
import scipy.sparse
import scipy.sparse.linalg

BETA = 0.8
SIMPLE_BETA = (BETA / 2) / (1 - BETA / 2)  # simple-walk PageRank with the same limit as the lazy walk


class Peer:
    """A real graph, in Python and as a graph file."""

    def __init__(self, source, file):
        with lzma.open(source, "rt") as lines:
            pairs = numpy.array([line.split()[:2] for line in lines], dtype=numpy.int64)
        pairs.sort(axis=1)
        self.ids = numpy.unique(pairs)
        edges = numpy.unique(numpy.searchsorted(self.ids, pairs), axis=0)
        self.edges = edges[edges[:, 0] != edges[:, 1]]
        self.file = file

    def walk(self):
        """P = A D^-1 as a sparse matrix; an isolated node's column is zero."""
        n = len(self.ids)
        ones = numpy.ones(len(self.edges))
        upper = scipy.sparse.coo_matrix((ones, (self.edges[:, 0], self.edges[:, 1])), shape=(n, n))
        adjacency = (upper + upper.T).tocsc()
        degree = numpy.asarray(adjacency.sum(axis=0)).ravel()
        return adjacency @ scipy.sparse.diags(1 / numpy.maximum(degree, 1))

    def seed_vector(self, seed):
        vector = numpy.zeros(len(self.ids))
        vector[numpy.searchsorted(self.ids, seed)] = 1
        return vector


@pytest.fixture(scope="module", params=["blogcatalog", "ego-facebook", "ca-astroph", "email-enron"])
def peer(request, data, hushwalk, tmp_path_factory):
    source = data(request.param + ".txt.xz")
    file = tmp_path_factory.mktemp("graphs") / (request.param + ".hwg")
    report = hushwalk.json("import", source, "-o", file)
    peer = Peer(source, file)
    assert (report["nodes"], report["edges"]) == (len(peer.ids), len(peer.edges))
    return peer


def ours(hushwalk, peer, seed, *flags):
    """Scores of all nodes but the seed, in the order of the ids; the seed's own is NaN."""
    scores = numpy.full(len(peer.ids), numpy.nan)
    for entry in hushwalk.json("rank", peer.file, "--exact", "--seed", seed, "--full", *flags)["rankings"][0]["top"]:
        scores[numpy.searchsorted(peer.ids, entry["node"])] = entry["score"]
    assert numpy.isnan(scores).sum() == 1
    return scores


def assert_close(scores, expected, tolerance):
    difference = numpy.abs(scores - expected)
    assert numpy.nanmax(difference) <= tolerance


def test_lazy_walk_is_networkx_pagerank(hushwalk, peer):
    graph = networkx.Graph()
    graph.add_nodes_from(range(len(peer.ids)))
    graph.add_edges_from(map(tuple, peer.edges.tolist()))
    start = int(numpy.searchsorted(peer.ids, peer.ids[0]))
    expected = networkx.pagerank(graph, alpha=SIMPLE_BETA, personalization={start: 1}, tol=1e-15, max_iter=1000)
    assert_close(ours(hushwalk, peer, peer.ids[0]), numpy.array([expected[v] for v in range(len(peer.ids))]), 1e-9)


def test_lazy_walk_is_igraph_pagerank(hushwalk, peer):
    graph = igraph.Graph(n=len(peer.ids), edges=peer.edges.tolist())
    seed = peer.ids[len(peer.ids) // 2]
    expected = graph.personalized_pagerank(damping=SIMPLE_BETA, reset_vertices=[len(peer.ids) // 2])
    assert_close(ours(hushwalk, peer, seed), numpy.array(expected), 1e-9)


def test_pagerank_solves_the_linear_system(hushwalk, peer):
    walk, seed = peer.walk(), peer.ids[-1]
    start = peer.seed_vector(seed)
    system = scipy.sparse.identity(len(peer.ids)) - 0.85 * walk
    expected, failed = scipy.sparse.linalg.gmres(system, 0.15 * start, tol=1e-13, atol=0, restart=100)
    assert failed == 0
    assert_close(ours(hushwalk, peer, seed, "--diffusion", "pagerank", "--beta", "0.85", "--steps", "200"), expected, 1e-9)


def test_heat_is_close_to_the_matrix_exponential(hushwalk, peer):
    time, steps = 3, 300
    walk, seed = peer.walk(), peer.ids[1]
    generator = (walk - scipy.sparse.identity(len(peer.ids))).tocsc()
    expected = scipy.sparse.linalg.expm_multiply(time * generator, peer.seed_vector(seed))
    scores = ours(hushwalk, peer, seed, "--diffusion", "heat", "--time", time, "--steps", steps)
    assert numpy.nansum(numpy.abs(scores - expected)) <= 2 * time**2 / steps


def test_every_real_graph_has_its_published_size(hushwalk, data, tmp_path):
    sizes = {"flickr-asu-8000": (7909, 532135, 1193), "pos-wikipedia": (4777, 92295, 3644),
             "ego-twitter": (81306, 1342296, 3383), "com-dblp": (317080, 1049866, 343)}
    for name, (nodes, edges, max_degree) in sizes.items():
        hushwalk("import", data(name + ".txt.xz"), "-o", tmp_path / "g.hwg")
        info = hushwalk.json("info", tmp_path / "g.hwg")
        assert (info["nodes"], info["edges"], info["max_degree"]) == (nodes, edges, max_degree), name
