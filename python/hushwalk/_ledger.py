"""A privacy budget that outlives the process."""
from __future__ import annotations

import json
import os
from types import TracebackType
from typing import Any

from . import _core
from ._ask import AnyGraph, Shared, check_lasting, rank, request_of, share
from ._certificate import Verification
from ._document import Document
from ._errors import UsageError
from ._graph import Node, as_graph


class Ledger:
    """The budget of a graph, in a file. Answers are charged before they are computed; the same question gets the stored
    answer and costs nothing. Any number of threads may use one, and any number of processes one file.

    >>> import hushwalk
    >>> graph = hushwalk.generate("karate")
    >>> graph.save("club.hwg")
    >>> with hushwalk.Ledger.create("club.ledger", graph, epsilon=1) as ledger:
    ...     first = ledger.rank(graph, 1, epsilon=0.4)
    ...     again = ledger.rank(graph, 1, epsilon=0.4)
    ...     first.nodes == again.nodes, ledger.remaining
    (True, 0.6)
    """

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self.path = os.fspath(path)
        self._core: _core.Ledger | None = _core.Ledger(path)

    @classmethod
    def create(
        cls,
        path: str | os.PathLike[str],
        graph: AnyGraph,
        *,
        epsilon: float,
        delta: float | None = None,
        per_recipient: float | None = None,
    ) -> Ledger:
        """Gives a graph, which must be in a graph file, a budget of ``epsilon`` for all releases together, and perhaps a limit
        for what one recipient sees. ``delta`` allows many small releases to cost less than their sum."""
        over = as_graph(graph)
        check_lasting(over)
        terms = [None if value is None else float(value) for value in (delta, per_recipient)]
        _core.Ledger.create(path, over._core, float(epsilon), *terms)
        return cls(path)

    @property
    def remaining(self) -> float:
        """What is left of the total."""
        return float(self.show().left)

    @property
    def spent(self) -> float:
        """What is spent of the total."""
        return float(self.show().spent)

    def show(self) -> Document:
        """All accounts, as ``hushwalk ledger show``. For the custodian only."""
        return Document(self._open().state())

    def cost(self, graph: AnyGraph, seed: Node | None = None, **options: Any) -> Document:
        """What :meth:`rank` would charge, spending nothing. For the custodian only."""
        over = as_graph(graph)
        return Document(_core.quote(over._core, request_of(over, seed=seed, ledger=self, **options)))

    def rank(self, graph: AnyGraph, seed: Node | None = None, **options: Any) -> Any:
        """As :func:`hushwalk.rank`, on this budget. BudgetExceeded when it does not fit."""
        return rank(graph, seed, ledger=self, **options)

    def share(self, graph: AnyGraph, **options: Any) -> Shared:
        """As :func:`hushwalk.share`, on this budget."""
        return share(graph, ledger=self, **options)

    def entries(self) -> list[Document]:
        """Everything that was written into it, in order."""
        return [Document(json.loads(line)) for line in self._open().entries()]

    def verify(self, head: str | None = None) -> Verification:
        """Recomputes everything from the chain of entries; ``head`` is a hash noted earlier that must be among them."""
        return Verification(*self._open().verify(head))

    def add_snapshot(self, graph: AnyGraph) -> None:
        """A new snapshot of the same graph: it may be asked about too, and all budgets carry over."""
        over = as_graph(graph)
        check_lasting(over)
        self._open().add_snapshot(over._core)

    def close(self) -> None:
        """Gives the file back."""
        self._core = None

    def _open(self) -> _core.Ledger:
        if self._core is None:
            raise UsageError(f"the ledger '{self.path}' is closed")
        return self._core

    def __enter__(self) -> Ledger:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.close()

    def __repr__(self) -> str:
        state = "closed" if self._core is None else f"{self.remaining:g} left"
        return f"<Ledger '{self.path}', {state}>"
