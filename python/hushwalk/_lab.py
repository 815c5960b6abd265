"""How good and how private answers are: for public graphs, or for the custodian. Nothing here is private."""
from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Union

import numpy as np

from . import _core
from ._ask import AnyGraph, Coefficients, _number, diffusion_of, release_of
from ._document import Document, _numbers
from ._errors import Failed, UsageError
from ._graph import Graph, Node, Progress, as_graph, generate

#: a count of one, for what :func:`register_mechanism` counts
UNIT = 2**32


def _frame(rows: Sequence[Mapping[str, Any]]) -> Any:
    import pandas

    return pandas.DataFrame.from_records([_numbers(dict(row)) for row in rows])


def _list(values: Any) -> list[Any]:
    return [values] if isinstance(values, (int, float, str)) else list(values)


def evaluate(
    graph: AnyGraph,
    *,
    mechanism: Union[str, Iterable[str]] = ("auto", "free"),
    epsilon: Union[float, Iterable[float]] = 1.0,
    eta: Union[float, Iterable[float]] = (),
    delta: float | None = None,
    scope: str = "personalized",
    background: float | None = None,
    taper: float | None = None,
    diffusion: str = "ppr",
    beta: float | None = None,
    time: float | None = None,
    steps: int | None = None,
    coefficients: Coefficients | None = None,
    seeds: int = 100,
    random_seed: int = 1,
    top: int = 100,
    progress: Progress | None = None,
) -> Any:
    """How good private rankings are against exact ones, as a pandas frame with a row for each mechanism and epsilon.

    NOT private: it reads every edge. ``free`` is what costs no budget; a method that does not beat it has spent for nothing.

    >>> import hushwalk
    >>> frame = hushwalk.evaluate(hushwalk.generate("karate"), epsilon=[0.1, 1], seeds=5)
    >>> frame[["mechanism", "epsilon"]].values.tolist()
    [['free', nan], ['auto', 0.1], ['auto', 1.0]]
    """
    release = release_of(
        diffusion=diffusion_of(diffusion, beta, time, steps, coefficients), scope=scope, delta=delta, background=background,
        taper=taper,
    )
    text = _core.evaluate(
        as_graph(graph)._core, _list(mechanism), list(map(float, _list(epsilon))), list(map(float, _list(eta))), release,
        seeds, random_seed, top, progress,
    )
    return _frame(json.loads(text)["rows"])


def tune(
    proxy: AnyGraph | None = None,
    *,
    nodes: int | None = None,
    edges: int | None = None,
    epsilon: float | None = None,
    target_ndcg: float | None = None,
    scope: str = "personalized",
    diffusion: str = "ppr",
    beta: float | None = None,
    time: float | None = None,
    steps: int | None = None,
    coefficients: Coefficients | None = None,
    seeds: int = 30,
    random_seed: int = 1,
    top: int = 100,
    progress: Progress | None = None,
) -> Document:
    """The best parameters for an ``epsilon``, or the epsilon that ``target_ndcg`` needs, by simulation on a PUBLIC graph: a
    ``proxy``, never the graph that is to be protected, or one generated with about so many ``nodes`` and ``edges``.

    >>> import hushwalk
    >>> hushwalk.tune(nodes=200, edges=800, epsilon=3, seeds=2).epsilon
    3.0
    """
    if (proxy is None) != (nodes is not None and edges is not None) or (proxy is not None and (nodes or edges)):
        raise UsageError("tune needs a public graph: `proxy`, or `nodes` and `edges` for one to be generated")
    if (epsilon is None) == (target_ndcg is None):
        raise UsageError("give `epsilon` for the best parameters, or `target_ndcg` for the epsilon it needs")
    public = generate("chung-lu", nodes=nodes, edges=edges, random_seed=random_seed) if proxy is None else as_graph(proxy)
    release = release_of(diffusion=diffusion_of(diffusion, beta, time, steps, coefficients), scope=scope)
    return Document(
        _core.tune(public._core, _number(epsilon), _number(target_ndcg), release, seeds, random_seed, top, progress)
    )


def audit(
    *,
    mechanism: str = "auto",
    epsilon: float = 1.0,
    scope: str = "personalized",
    trials: int = 100_000,
    confidence: float = 1 - 1e-6,
    sensitivity: bool = False,
    progress: Progress | None = None,
) -> Document:
    """Attacks a mechanism and says what was found: ``verdict`` is ``consistent`` or ``violated``.

    >>> import hushwalk
    >>> hushwalk.audit(mechanism="shared", scope="edge", trials=1000).verdict
    'consistent'
    """
    release = release_of(diffusion=_core.Diffusion.ppr(0.8, 100), mechanism=mechanism, epsilon=epsilon, scope=scope)
    return Document(_core.audit(release, trials, confidence, sensitivity, progress))


def attack(
    graph: AnyGraph,
    edge: tuple[Node, Node],
    seed: Node,
    *,
    epsilon: Union[float, Iterable[float]] = (0.1, 1.0, 3.0),
    mechanism: str = "auto",
    scope: str = "personalized",
    trials: int = 1000,
    progress: Progress | None = None,
) -> Any:
    """Somebody who knows every edge but one sees an answer for ``seed`` and guesses whether that one is there: how often they
    are right, as a pandas frame. The first row (epsilon inf) is the exact answer; nobody can exceed the ``ceiling``.

    >>> import hushwalk
    >>> frame = hushwalk.attack(hushwalk.generate("karate"), (3, 10), 1, epsilon=0.1, trials=100)
    >>> float(frame.success[0])
    1.0
    """
    over = as_graph(graph)
    release = release_of(diffusion=_core.Diffusion.ppr(0.8, 100), mechanism=mechanism, scope=scope)
    ends = over._find(edge[0]), over._find(edge[1])
    text = _core.link_attack(
        over._core, ends, over._find(seed), release, list(map(float, _list(epsilon))), trials, progress
    )
    return _frame(json.loads(text)["attack"])


def reproduce(
    output: str | os.PathLike[str],
    figures: Iterable[str] = (),
    *,
    quick: bool = False,
    graphs: Iterable[str] = (),
    mechanisms: Iterable[str] = (),
    data: str | os.PathLike[str] | None = None,
    progress: Progress | None = None,
) -> Document:
    """Every figure of the paper, and ours, as CSV files and one page in the folder ``output``.

    ``graphs`` are names of the paper's, or files with graphs of your own; ``mechanisms`` are measured beside ours, such as
    those of :func:`register_mechanism`.
    """
    if data is not None and not os.path.isdir(data):
        raise Failed(f"there is no folder '{os.fspath(data)}' with graphs")
    os.makedirs(output, exist_ok=True)
    command = f"hushwalk.reproduce({os.fspath(output)!r}{', quick=True' if quick else ''})"
    *tables, page = _core.reproduce(_list(figures), _list(graphs), _list(mechanisms), quick, data or "", command, output, progress)
    return Document({"report": page, "figures": tables})


def register_mechanism(
    name: str,
    *,
    proof: str,
    released: Callable[[dict[str, int], dict[str, Any]], tuple[list[tuple[str, float]], list[tuple[str, list[float]]]]],
    count: Callable[[Graph, dict[int, float], dict[str, Any]], Sequence[Any]],
    score: Callable[[list[np.ndarray], dict[int, float]], Any],
) -> None:
    """Adds a mechanism of your own to this process: ``rank``, ``plan``, ``evaluate`` and ``audit`` then know its name.

    ``released(facts, parameters)`` says from public numbers what is released, as columns ``(words, part of the noise)``, and
    what one edge moves in them, as effects ``(kind of edge, [l1 in each column])``. ``count(graph, seed, parameters)``
    returns the columns before noise, whole numbers in units of 1/``UNIT``. ``score(columns, seed)`` makes the score of every
    node from the columns after noise. In columns, scores and the seed (weights by node) a node is its position in
    ``graph.nodes``. The library prices it, adds the noise, and certifies on your word: ``proof`` says where you argue for it.

    >>> import hushwalk
    >>> hushwalk.register_mechanism(
    ...     "degree_of_doctest",
    ...     proof="two ends of an edge, one link each",
    ...     released=lambda facts, parameters: ([("links of every node", 1)], [("any edge", [2])]),
    ...     count=lambda graph, seed, parameters: [[graph.degree(v) << 32 for v in graph.nodes]],
    ...     score=lambda columns, seed: columns[0],
    ... )
    >>> hushwalk.rank(hushwalk.generate("karate"), 1, epsilon=1, mechanism="degree_of_doctest").certificate.mechanism
    'degree_of_doctest'
    """

    def counted(core: _core.Graph, seed: list[tuple[int, float]], parameters: dict[str, Any]) -> Any:
        columns = count(Graph(core), dict(seed), parameters)
        return [np.asarray(column, dtype=np.int64).tolist() for column in columns]

    def scored(columns: list[np.ndarray], seed: list[tuple[int, float]]) -> Any:
        return np.asarray(score(columns, dict(seed)), dtype=float).tolist()

    _core.register_mechanism(name, proof, released, counted, scored)
