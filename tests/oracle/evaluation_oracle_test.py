"""The numbers of `evaluate` against NumPy and SciPy, on all nodes of the karate club."""
import numpy as np
import pytest
from scipy.stats import kendalltau

MASK = (1 << 64) - 1
GOLDEN = 0x9E3779B97F4A7C15


def mix(x):
    x &= MASK
    x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9 & MASK
    x = (x ^ (x >> 27)) * 0x94D049BB133111EB & MASK
    return x ^ (x >> 31)


def random_word(seed, stream, index, part):
    """CounterRandom of src/graph/generate/counter_random.h."""
    key = mix(mix(seed + GOLDEN) ^ (stream * GOLDEN & MASK))
    return mix(mix(mix(key + index * GOLDEN) ^ key) + (part + 1) * GOLDEN)


def karate_edges(hushwalk, path):
    """From the exact scores of one step of the simple walk: neighbours are who have one."""
    rankings = hushwalk.json("rank", path, "--all", "--exact", "--diffusion", "pagerank", "--beta", "0.5", "--steps", "1", "--full")
    adjacency = np.zeros((34, 34))
    for ranking in rankings["rankings"]:
        for entry in ranking["top"]:
            adjacency[ranking["seed"] - 1, entry["node"] - 1] = entry["score"] > 0
    return adjacency


def best(scores, count, left_out):
    order = sorted((v for v in range(len(scores)) if v not in left_out), key=lambda v: (-scores[v], v))
    return order[:count]


def dcg(relevance, order):
    return sum(relevance[v] / np.log2(i + 2) for i, v in enumerate(order))


def ndcg_and_recall(exact, answer, top, left_out):
    truth, given = best(exact, top, left_out), best(answer, top, left_out)
    return dcg(exact, given) / dcg(exact, truth), len(set(truth) & set(given)) / len(truth)


@pytest.mark.parametrize("top", [5, 10, 100])
def test_free(hushwalk, tmp_path, top):
    path = tmp_path / "karate.hwg"
    hushwalk("generate", "karate", "-o", path)
    row = hushwalk.json("evaluate", path, "--mechanism", "free", "--seeds", "34", "--top", top, "--random-seed", "5")["rows"][0]
    adjacency = karate_edges(hushwalk, path)
    assert adjacency.sum() == 2 * 78 and (adjacency == adjacency.T).all()
    step = 0.4 * adjacency / adjacency.sum(axis=0) + 0.4 * np.eye(34)
    theta_0, theta_1 = 1.0, 0.0  # of the lazy walk as a series in P
    for _ in range(100):
        theta_0, theta_1 = 0.4 * theta_0 + 0.2, 0.4 * theta_1 + 0.4 * theta_0
    columns = {name: [] for name in ("ndcg", "recall", "new_ndcg", "new_recall", "l1", "kendall")}
    for seed in range(34):
        exact = np.eye(34)[seed]
        for _ in range(100):
            exact = step @ exact + 0.2 * np.eye(34)[seed]
        even = (1 - theta_0 - theta_1) / 34
        answer = np.array([even - even * 2.0**-20 * (random_word(5, 10, seed, v) >> 11) * 2.0**-53 for v in range(34)])
        near = np.flatnonzero(adjacency[seed])
        answer[near] += theta_1 / len(near)
        r = min(top, 33)
        for prefix, left_out in (("", {seed}), ("new_", {seed, *near})):
            ndcg, recall = ndcg_and_recall(exact, answer, r, left_out)
            columns[prefix + "ndcg"].append(ndcg)
            columns[prefix + "recall"].append(recall)
        others = [v for v in range(34) if v != seed]
        columns["l1"].append(np.abs(answer - exact)[others].sum())
        truth = best(exact, r, {seed})
        columns["kendall"].append(kendalltau(np.round(exact[truth], 13), answer[truth])[0])  # NaN when all tie
    for name, values in columns.items():
        values = np.array(values)[~np.isnan(values)]
        # The scores of twins (15 and 16, …) are equal but for rounding, which may turn a pair round.
        near = 0.02 if name in ("kendall", "recall", "new_recall") else 1e-9
        assert row[name] == pytest.approx(values.mean(), abs=near), name
        if near < 1e-3:
            assert row[name + "_ci"] == pytest.approx(1.96 * values.std(ddof=1) / np.sqrt(len(values)), abs=1e-9), name
