"""Bring your own diffusion, and your own mechanism."""
import math

import hushwalk
import numpy as np

graph = hushwalk.generate("ba", nodes=500, edges=3000)

# --- a diffusion: coefficients of every step ----------------------------------------------------------------------------
# x_k = (gamma1 P + gamma2 I) x_{k-1} + gamma3 s: a walk that restarts less and less.
steps = [(0.9 - restart, 0.1, restart) for restart in (0.5 / k for k in range(1, 31))]
print(hushwalk.rank(graph, 17, epsilon=1, diffusion="custom", coefficients=steps, top=3))


# --- a mechanism: you say what an edge moves, the library prices it, adds the noise and certifies ---------------------
def released(facts, parameters):
    """One number for each node. An edge touches two nodes, and each of their numbers moves by at most log(2)."""
    return [("logarithm of one plus the links of every node", 1.0)], [("any edge", [2 * math.log(2)])]


def count(graph, seed, parameters):
    """Whole numbers in units of 1/UNIT, before noise. Rounding down keeps differences within log(2) and a unit, so that the
    logarithms are taken a little smaller."""
    links = np.array([graph.degree(node) for node in graph.nodes])
    return [np.floor(np.log1p(links) * (1 - 1e-6) * hushwalk.UNIT).astype(np.int64)]


def score(columns, seed):
    """From noisy numbers to scores: free of charge."""
    return np.expm1(np.clip(columns[0], 0, 20))


hushwalk.register_mechanism("log_degree", proof="log(1 + d) moves by at most log 2 when d does by one", released=released,
                            count=count, score=score)
result = hushwalk.rank(graph, 17, epsilon=2, mechanism="log_degree", scope="edge", top=3)
print(result)
print(result.certificate.words["protects"], "by epsilon", result.certificate.epsilon)

# An audit tries to break your word. It can catch a mistake; it never proves that there is none.
print("audit:", hushwalk.audit(mechanism="log_degree", scope="edge", trials=1000).verdict)
