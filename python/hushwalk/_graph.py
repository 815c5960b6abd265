"""Graphs whose edges are secret, from files, arrays and other libraries."""
from __future__ import annotations

import numbers
import os
import warnings
from collections.abc import Callable, Hashable, Iterable, Sequence
from typing import Any, Union

import numpy as np

from . import _checks, _core
from ._document import Document
from ._errors import ImportNotice, LedgerNotice, UsageError, WrongType

Progress = Callable[[str, float], object]
Node = Union[int, str]

_WEIGHTS = "ignored the weights: a graph here has none"
_MISSING = "a node id is missing; ids must be all integers or all strings: for a frame, frame.dropna(subset=[source, target])"


def _notice(text: str) -> None:
    warnings.warn(text, ImportNotice, stacklevel=3)


# --- ids ------------------------------------------------------------------------------------------------------------


def _whole(values: np.ndarray) -> np.ndarray:
    """Whole numbers of any type as integers that 64 bits with a sign hold; where they are such already, the array itself."""
    if values.dtype.kind == "i" or (values.dtype.kind == "u" and values.dtype.itemsize < 8):
        return values
    with np.errstate(invalid="ignore"):
        as_integers = values.astype(np.int64)
    if values.dtype.kind == "f" and np.isnan(values).any():
        raise WrongType(_MISSING)
    if values.size and not (as_integers == values).all():
        raise UsageError("a node id is not a whole number below 2^63; ids are integers or strings")
    return as_integers


def _is_missing(node: Any) -> bool:
    """As pandas has it, which need not be here."""
    return type(node).__name__ in ("NoneType", "NAType", "NaTType") or (isinstance(node, float) and node != node)


def _ids(values: Any) -> np.ndarray | list[str]:
    """Node ids as an array of integers or a list of strings: never a mixture, which has no order of its own."""
    if isinstance(values, np.ndarray) and values.ndim == 1 and values.dtype.kind in "iuf":
        return _whole(values)
    if isinstance(values, range) and (not values or max(abs(values[0]), abs(values[-1])) < 2**63):
        return np.asarray(values, dtype=np.int64)
    ids = values.tolist() if isinstance(values, np.ndarray) and values.ndim == 1 else _checks.listed("nodes", values)
    kinds = set(map(type, ids))
    if all(issubclass(kind, str) for kind in kinds):
        return [_checks.encodable("nodes", str(node)) for node in ids] if ids else np.empty(0, dtype=np.int64)
    if all(issubclass(kind, (int, np.integer)) and kind is not bool for kind in kinds):
        try:
            return np.fromiter(map(int, ids), dtype=np.int64, count=len(ids))
        except OverflowError:
            raise UsageError("a node id is beyond 64 bits; use strings") from None
    if any(_is_missing(node) for node in ids):
        raise WrongType(_MISSING)
    names = ", ".join(sorted(kind.__name__ for kind in kinds))
    raise WrongType(f"node ids must be all integers or all strings, not {names}; with networkx, nx.relabel_nodes(G, str)")


def _collected(first: Any, second: Any) -> Any:
    """All ids that edges have, each once."""
    if isinstance(first, list):
        return sorted({*first, *second})
    if len(first) == 0:
        raise UsageError("there are no edges to take ids from: give the public list `nodes`")
    both = (first, second)
    low, high = min(int(ends.min()) for ends in both), max(int(ends.max()) for ends in both)
    if low >= 0 and high < 8 * len(first) + 1024:  # a table is faster than sorting
        present = np.zeros(high + 1, dtype=bool)
        for ends in both:
            present[ends] = True
        return np.flatnonzero(present)
    return np.unique(np.concatenate(both)).astype(np.int64, copy=False)


def _positions(ids: Any, ends: Any) -> np.ndarray:
    """Where each end of an edge stands in a sorted list of ids; where the ids are 0, 1, 2, … and the ends fit, the array itself."""
    if isinstance(ids, list):
        places = {node: place for place, node in enumerate(ids)}
        found = np.fromiter((places.get(end, -1) for end in ends), dtype=np.int64, count=len(ends))
        outside = found < 0
    elif len(ids) and int(ids[-1]) - int(ids[0]) == len(ids) - 1:  # no gaps, or an id twice, which the library refuses
        within = len(ends) == 0 or (ids[0] <= ends.min() and ends.max() <= ids[-1])
        outside = np.zeros(0, dtype=bool) if within else (ends < ids[0]) | (ends > ids[-1])
        found = ends if ids[0] == 0 else np.subtract(ends, ids[0], out=np.empty(len(ends), np.uint32), dtype=np.int64, casting="unsafe")
    else:
        found = np.searchsorted(ids, ends)
        outside = ids[np.minimum(found, len(ids) - 1)] != ends if len(ids) else np.ones(len(ends), dtype=bool)
    if outside.any():
        raise UsageError(f"an edge has the end {ends[int(np.argmax(outside))]!r}, which is not in `nodes`")
    return np.ascontiguousarray(found, dtype=np.uint32)


def _same_kind(ids: Any, first: Any, second: Any) -> None:
    kinds = {isinstance(part, list) for part in (ids, first, second) if len(part)}
    if len(kinds) > 1:
        raise WrongType("node ids must be all integers or all strings")


def _sorted(ids: Any) -> Any:
    return sorted(ids) if isinstance(ids, list) else np.sort(ids).astype(np.int64, copy=False)


def _public_nodes(nodes: Any) -> tuple[Any, str | None]:
    """The list that was given, or else the file that holds it."""
    if isinstance(nodes, (str, os.PathLike)):
        return None, _checks.path("nodes", nodes)
    return (None if nodes is None else _sorted(_ids(nodes))), None


def _column_pair(name: str, columns: Any) -> tuple[str, str]:
    """Two names, or two numbers, of columns."""
    given = _checks.listed(name, columns)
    if len(given) != 2:
        raise UsageError(f"`{name}` takes two, for example (\"source\", \"target\") or (2, 3)")
    first, second = (_checks.text(name, one) if isinstance(one, str) else str(_checks.whole(name, one, 1)) for one in given)
    return first, second


# --- graphs ---------------------------------------------------------------------------------------------------------


class Graph:
    """A graph whose node list is public and whose edges are secret: undirected, without weights, self-loops or repeats.

    Made by :meth:`open`, :meth:`from_edges`, :meth:`from_networkx`, :meth:`from_igraph`, :meth:`from_scipy` or
    :func:`generate`. It cannot be changed, and any number of threads may use one.

    >>> import hushwalk
    >>> graph = hushwalk.Graph.from_edges([("ann", "bob"), ("bob", "eve"), ("ann", "eve"), ("eve", "joe")])
    >>> len(graph), graph.nodes
    (4, ['ann', 'bob', 'eve', 'joe'])
    """

    def __init__(self, core: _core.Graph, *, file: str | None = None, self_loops: int = 0, duplicates: int = 0) -> None:
        if not isinstance(core, _core.Graph):
            raise WrongType("a graph is made by Graph.open, Graph.from_edges, Graph.from_networkx, … or generate")
        self._core = core
        self._file = file  # the graph file that it is in, whose id lasts; None: in memory only
        #: how many edges were dropped, when it was made from edges
        self.self_loops, self.duplicates = self_loops, duplicates

    @classmethod
    def open(
        cls,
        path: str | os.PathLike[str],
        *,
        nodes: Iterable[Node] | str | os.PathLike[str] | None = None,
        max_edges: int | None = None,
        format: str = "auto",
        header: bool = False,
        delimiter: str | None = None,
        columns: Sequence[int | str] | None = None,
        string_ids: bool = False,
        skip_bad_lines: int = 0,
        progress: Progress | None = None,
    ) -> Graph:
        """A graph file, or a text (edge list, Matrix Market, METIS; also compressed), as of the command line.

        The parameters say how to read a text, as the flags of ``hushwalk import``: ``nodes`` is the public node list or a file
        with one id on each line, ``max_edges`` a public bound, ``format`` auto, edges, mtx or metis; of an edge list, ``header``
        skips its first line, ``delimiter`` is tab, comma, semicolon, bar, blank or a mark such as ``":"``, ``columns`` names or
        numbers (from 1 on) the two that hold ids, ``string_ids`` takes ids as text even when all are integers, and
        ``skip_bad_lines`` passes over so many malformed lines. A graph file has all this in itself, and takes none of them.

        >>> import hushwalk
        >>> hushwalk.generate("karate").save("karate.hwg")
        >>> hushwalk.Graph.open("karate.hwg")
        <Graph of 34 nodes; its edges are secret>
        >>> with open("calls.csv", "w") as file:
        ...     _ = file.write("day;caller;callee\\nmon;ann;bob\\ntue;bob;eve\\n")
        >>> hushwalk.Graph.open("calls.csv", delimiter="semicolon", columns=("caller", "callee"), nodes=["ann", "bob", "eve", "joe"])
        <Graph of 4 nodes; its edges are secret>
        """
        file = _checks.path("path", path)
        public = _public_nodes(nodes)
        asked = (
            *public,
            _checks.optional(_checks.whole, "max_edges", max_edges),
            _checks.text("format", format),
            _checks.flag("header", header),
            _checks.optional(_checks.text, "delimiter", delimiter),
            _checks.optional(_column_pair, "columns", columns),
            _checks.flag("string_ids", string_ids),
            _checks.whole("skip_bad_lines", skip_bad_lines),
        )
        watch = _checks.optional(_checks.function, "progress", progress)
        plain = all(part is None for part in public) and asked[2:] == (None, "auto", False, None, None, False, 0)
        core, lasting, notices, self_loops, duplicates = (
            _core.open_graph(file, watch) if plain else _core.import_graph(file, *asked, watch)
        )
        for text in notices:
            _notice(text)
        return cls(core, file=os.path.abspath(file) if lasting else None, self_loops=self_loops, duplicates=duplicates)

    @classmethod
    def from_edges(
        cls,
        edges: Any,
        *,
        source: Hashable = None,
        target: Hashable = None,
        nodes: Iterable[Node] | None = None,
        max_edges: int | None = None,
        progress: Progress | None = None,
    ) -> Graph:
        """From an array of two columns, pairs in a list or an iterator, or a pandas frame.

        ``source`` and ``target`` name the columns of a frame (default: ``source`` and ``target`` where there are such, else
        the first two; of more than two it warns which ones it took). ``nodes`` is the public node list; without it the ids of the
        edges are taken, and certificates say so. ``max_edges`` is a public bound on the number of edges. A third column of weights
        is ignored with a warning.

        >>> import hushwalk, numpy as np
        >>> graph = hushwalk.Graph.from_edges(np.array([[1, 2], [2, 3], [3, 2]]), nodes=range(1, 6))
        >>> len(graph), graph.duplicates
        (5, 1)
        """
        first, second, notices = _ends(edges, source, target)
        for text in notices:
            _notice(text)
        return cls._made(_ids(first), _ids(second), None if nodes is None else _ids(nodes), nodes is not None, max_edges,
                         progress)

    @classmethod
    def from_networkx(
        cls, graph: Any, *, nodes: Iterable[Node] | None = None, max_edges: int | None = None, progress: Progress | None = None
    ) -> Graph:
        """From an undirected networkx graph. Its nodes must be all integers or all strings.

        >>> import hushwalk, networkx as nx
        >>> hushwalk.Graph.from_networkx(nx.path_graph(4))
        <Graph of 4 nodes; its edges are secret>
        """
        _check_maker("networkx", graph, "is_directed", "edges", "nodes")
        if graph.is_directed():
            raise UsageError("the graph is directed; links here go both ways: give G.to_undirected()")
        pairs = list(graph.edges())
        if any("weight" in attributes for _, _, attributes in graph.edges(data=True)):
            _notice(_WEIGHTS)
        first, second = [pair[0] for pair in pairs], [pair[1] for pair in pairs]
        public = graph.nodes if nodes is None else nodes
        return cls._made(_ids(first), _ids(second), _ids(public), nodes is not None, max_edges, progress)

    @classmethod
    def from_igraph(
        cls, graph: Any, *, nodes: Iterable[Node] | None = None, max_edges: int | None = None, progress: Progress | None = None
    ) -> Graph:
        """From an undirected igraph graph. Ids are the vertex attribute ``name`` where there is one, else vertex numbers.

        >>> import hushwalk, igraph
        >>> hushwalk.Graph.from_igraph(igraph.Graph.Ring(5))
        <Graph of 5 nodes; its edges are secret>
        """
        _check_maker("igraph", graph, "is_directed", "get_edgelist", "vs")
        if graph.is_directed():
            raise UsageError("the graph is directed; links here go both ways: give graph.as_undirected()")
        if graph.is_weighted():
            _notice(_WEIGHTS)
        pairs = np.array(graph.get_edgelist(), dtype=np.int64).reshape(-1, 2)
        named = "name" in graph.vs.attributes()
        own = _ids(graph.vs["name"]) if named else np.arange(graph.vcount(), dtype=np.int64)
        ends = [[own[i] for i in column] if isinstance(own, list) else own[column] for column in pairs.T]
        return cls._made(ends[0], ends[1], own if nodes is None else _ids(nodes), nodes is not None, max_edges, progress)

    @classmethod
    def from_scipy(
        cls, matrix: Any, *, nodes: Sequence[Node] | None = None, max_edges: int | None = None, progress: Progress | None = None
    ) -> Graph:
        """From a symmetric sparse adjacency matrix. Ids are the numbers of the rows, or those of ``nodes``, in their order.

        >>> import hushwalk, scipy.sparse
        >>> hushwalk.Graph.from_scipy(scipy.sparse.csr_array([[0, 1], [1, 0]]), nodes=["ann", "bob"])
        <Graph of 2 nodes; its edges are secret>
        """
        _check_maker("scipy", matrix, "tocoo")
        entries = matrix.tocoo()
        if entries.shape[0] != entries.shape[1]:
            raise UsageError(f"an adjacency matrix is square, not {entries.shape[0]} by {entries.shape[1]}")
        rows, columns = (part[entries.data != 0].astype(np.int64) for part in (entries.row, entries.col))
        if not np.array_equal(*(np.unique(a * entries.shape[0] + b) for a, b in ((rows, columns), (columns, rows)))):
            raise UsageError("the matrix is not symmetric, so the graph is directed; links here go both ways: give A + A.T")
        if not (entries.data[entries.data != 0] == 1).all():
            _notice(_WEIGHTS)
        own = np.arange(entries.shape[0], dtype=np.int64) if nodes is None else _ids(nodes)
        if len(own) != entries.shape[0]:
            raise UsageError(f"`nodes` names {len(own)} rows of {entries.shape[0]}")
        upper = rows <= columns  # the other half says the same
        ends = [[own[i] for i in part] if isinstance(own, list) else own[part] for part in (rows[upper], columns[upper])]
        return cls._made(ends[0], ends[1], own, nodes is not None, max_edges, progress)

    @classmethod
    def _made(cls, first: Any, second: Any, nodes: Any, declared: bool, max_edges: int | None, progress: Any) -> Graph:
        _same_kind(() if nodes is None else nodes, first, second)
        ids = _collected(first, second) if nodes is None else _sorted(nodes)
        bound = _checks.optional(_checks.whole, "max_edges", max_edges)
        core, self_loops, duplicates = _core.import_edges(
            ids, _positions(ids, first), _positions(ids, second), declared, bound,
            _checks.optional(_checks.function, "progress", progress),
        )
        return cls(core, self_loops=self_loops, duplicates=duplicates)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes a graph file, readable by its owner only; whole or not at all. Ledgers need one.

        The notes beside it name the ledger of the file that the graph was opened from. Over another graph that has a ledger it warns: declare this one to it, with :meth:`Ledger.add_snapshot`.

        >>> import hushwalk
        >>> hushwalk.generate("karate").save("kept.hwg")
        >>> len(hushwalk.Graph.open("kept.hwg"))
        34
        """
        file = _checks.path("path", path)
        if notice := self._core.save(file, "Python", self._file or ""):
            warnings.warn(notice, LedgerNotice, stacklevel=2)
        self._file = os.path.abspath(file)

    @property
    def nodes(self) -> list[int] | list[str]:
        """The public node list, in order."""
        ids = self._core.ids()
        return ids if isinstance(ids, list) else ids.tolist()

    @property
    def graph_id(self) -> str:
        """A random id, which certificates name."""
        return self._core.graph_id

    @property
    def max_edges(self) -> int:
        """The public bound on the number of edges."""
        return self._core.max_edges

    @property
    def nodes_declared(self) -> bool:
        """Whether the node list was given; else it was collected from the edges."""
        return self._core.nodes_declared

    @property
    def secret_edges(self) -> int:
        """How many edges there are. For the custodian only."""
        return self._core.secret_edges

    def degree(self, node: Node) -> int:
        """How many neighbours a node has. For the custodian only.

        >>> import hushwalk
        >>> hushwalk.generate("karate").degree(1)
        16
        """
        return self._core.degree(self._find(node))

    def neighbors(self, node: Node) -> list[Node]:
        """The neighbours of a node. For the custodian only.

        >>> import hushwalk
        >>> hushwalk.generate("karate").neighbors(12)
        [1]
        """
        return self._core.labels(self._core.neighbors(self._find(node)))

    def info(self) -> Document:
        """Counts and the histogram of degrees: exact, so for the custodian only.

        >>> import hushwalk
        >>> hushwalk.generate("karate").info().max_degree
        17
        """
        return Document(self._core.statistics())

    def _position(self, node: Any) -> int | None:
        if isinstance(node, str):
            return self._core.find(_checks.encodable("node", node))
        if isinstance(node, bool) or not isinstance(node, numbers.Integral):
            raise WrongType(f"a node is an integer or a string, as in the graph, not {_checks.shown(node)}")
        position = int(node)
        return self._core.find(position) if -(2**63) <= position < 2**63 else None

    def _find(self, node: Any) -> int:
        found = self._position(node)
        if found is None:
            raise UsageError(f"the graph has no node {node!r}")
        return found

    def _find_all(self, name: str, nodes: Any) -> list[int]:
        return [self._find(node) for node in _checks.listed(name, nodes)]

    def __len__(self) -> int:
        return self._core.nodes

    def __contains__(self, node: object) -> bool:
        try:
            return self._position(node) is not None
        except UsageError:
            return False

    def __repr__(self) -> str:
        return f"<Graph of {len(self)} nodes; its edges are secret>"

    def __reduce__(self) -> Any:
        raise WrongType("a graph is secret and is not pickled: save() it to a file, and open() that")


def _check_maker(library: str, graph: Any, *needed: str) -> None:
    if not all(hasattr(graph, name) for name in needed):
        if library == "scipy" and isinstance(graph, np.ndarray):
            raise WrongType("the matrix is not sparse; give scipy.sparse.csr_array(A)")
        raise WrongType(f"a {type(graph).__name__} is no graph of {library}; Graph.from_edges takes pairs, arrays and frames")


def _width(row: Any) -> int:
    return len(row) if hasattr(row, "__len__") and not isinstance(row, (str, bytes)) else 0


def _ends_in_frame(frame: Any, source: Hashable, target: Hashable) -> tuple[Any, Any, list[str]]:
    names = list(frame.columns)
    if len(names) < 2:
        raise UsageError("a frame of edges has two columns, and perhaps weights")
    named = "source" in names and "target" in names
    guessed = not named and (source is None or target is None)
    usual = ("source", "target") if named else names[:2]
    source, target = usual[0] if source is None else source, usual[1] if target is None else target
    for name in (source, target):
        if name not in names:
            raise UsageError(f"the frame has no column {name!r}")
    unnamed = len(names) == 3 and all(isinstance(name, numbers.Integral) for name in names)  # as in an array
    notices = [_WEIGHTS] if unnamed or "weight" in names or "weights" in names else []
    ignored = [repr(name) for name in names if name not in (source, target)]
    if guessed and ignored and not unnamed:
        notices.append(f"took the columns {source!r} and {target!r} for the ends of edges and ignored {', '.join(ignored)};"
                       " `source` and `target` name others")
    return frame[source].to_numpy(), frame[target].to_numpy(), notices


def _ends(edges: Any, source: Hashable, target: Hashable) -> tuple[Any, Any, list[str]]:
    """The first and the second ends of edges, and what to tell."""
    if not isinstance(source, Hashable) or not isinstance(target, Hashable):
        raise WrongType("`source` and `target` name columns of a frame")
    if hasattr(edges, "columns") and hasattr(edges, "loc"):
        return _ends_in_frame(edges, source, target)
    if source is not None or target is not None:
        raise UsageError("`source` and `target` name columns of a frame")
    if isinstance(edges, np.ndarray):
        if edges.ndim != 2 or edges.shape[1] not in (2, 3):
            raise UsageError(f"an array of edges has two columns, and perhaps weights, not the shape {edges.shape}")
        return edges[:, 0], edges[:, 1], [_WEIGHTS] if edges.shape[1] == 3 else []
    rows = [row if isinstance(row, (tuple, list)) else tuple(row) if _width(row) else () for row in _checks.listed("edges", edges)]
    widths = set(map(len, rows))
    if not widths <= {2, 3}:
        raise UsageError("an edge is a pair of nodes, or a pair and a weight")
    return [row[0] for row in rows], [row[1] for row in rows], [_WEIGHTS] if 3 in widths else []


def generate(
    kind: str, *, nodes: int | None = None, edges: int | None = None, random_seed: int = 1, progress: Progress | None = None
) -> Graph:
    """A graph from a model: one of ``graph_kinds()``. Nodes are the integers 1..n.

    >>> import hushwalk
    >>> hushwalk.generate("er", nodes=100, edges=300)
    <Graph of 100 nodes; its edges are secret>
    """
    counts = [0 if count is None else _checks.whole(name, count, 1) for name, count in (("nodes", nodes), ("edges", edges))]
    return Graph(
        _core.generate(_checks.text("kind", kind), counts[0], counts[1], _checks.whole("random_seed", random_seed),
                       _checks.optional(_checks.function, "progress", progress))
    )


def as_graph(graph: Any) -> Graph:
    """A graph, or the file of one; anything else is a mistake with a remedy."""
    if isinstance(graph, Graph):
        return graph
    if isinstance(graph, (str, os.PathLike)):
        return Graph.open(graph)
    module = type(graph).__module__.split(".")[0]
    makers = {"networkx": "networkx", "igraph": "igraph", "scipy": "scipy"}
    maker = f"from_{makers[module]}" if module in makers else "from_edges"
    raise WrongType(f"a {type(graph).__name__} is no hushwalk.Graph: make one, once, with hushwalk.Graph.{maker}(…)")
