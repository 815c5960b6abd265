"""The preset `blogcatalog-like` beside the real BlogCatalog, both described by `hushwalk info`."""

import pytest

# Generated value / real value must lie in [1/factor, factor]. Sampling moves the figures by 2 % at most; the
# rest is what a preset may differ from the network it is named after.
FACTORS = {
    "mean_degree": 1.001,
    "median_degree": 1.15,
    "p90_degree": 1.10,
    "p99_degree": 1.10,
    "max_degree": 1.15,
    "clustering": 1.10,
    "transitivity": 1.35,
}


@pytest.fixture(scope="module")
def graphs(hushwalk, data, tmp_path_factory):
    source, folder = data("blogcatalog.txt.xz"), tmp_path_factory.mktemp("blogcatalog")
    hushwalk("import", source, "-o", folder / "real.hwg")
    hushwalk("generate", "blogcatalog-like", "-o", folder / "like.hwg")
    return {name: hushwalk.json("info", folder / f"{name}.hwg") for name in ("real", "like")}


@pytest.mark.parametrize("key", ["nodes", "edges", "components"])
def test_counts_are_the_same(graphs, key):
    assert graphs["like"][key] == graphs["real"][key]


@pytest.mark.parametrize("key", FACTORS)
def test_shape_is_near(graphs, key):
    ratio = graphs["like"][key] / graphs["real"][key]
    assert 1 / FACTORS[key] <= ratio <= FACTORS[key], f"{key}: {graphs['like'][key]} beside {graphs['real'][key]}"


def test_real_figures_are_the_known_ones(graphs):
    """From an independent implementation (igraph)."""
    real = graphs["real"]
    assert (real["nodes"], real["edges"], real["max_degree"]) == (10312, 333983, 3992)
    assert real["clustering"] == pytest.approx(0.47565, abs=0.005)
    assert real["transitivity"] == pytest.approx(0.09139, abs=0.003)
