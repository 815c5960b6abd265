"""Which nodes matter most to this node? Personalized PageRank and other diffusions on graphs whose edges are secret, with a
proven bound on what any single edge can leak.

>>> import hushwalk
>>> graph = hushwalk.generate("karate")
>>> result = hushwalk.rank(graph, 1, epsilon=1.0, top=5)
>>> result.certificate.verify().valid
True
"""
from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from . import _checks, _core
from ._ask import Plan, Shared, account, calibrate, exact_rank, plan, rank, share
from ._certificate import Certificate, SigningKey, Verification, verify
from ._document import Document
from ._errors import BudgetExceeded, Error, Failed, ImportNotice, LedgerNotice, Refused, UsageError, WrongType
from ._graph import Graph, generate
from ._lab import UNIT, attack, audit, evaluate, register_mechanism, reproduce, tune
from ._ledger import Ledger
from ._progress import show_in
from ._ranking import RankedNode, Ranking, Rankings

__version__ = _core.version()


def graph_kinds() -> list[str]:
    """The models that :func:`generate` knows.

    >>> import hushwalk
    >>> "karate" in hushwalk.graph_kinds()
    True
    """
    return _core.graph_kinds()


def mechanism_names() -> list[str]:
    """The mechanisms that :func:`rank` knows, besides ``auto``.

    >>> import hushwalk
    >>> "twohop" in hushwalk.mechanism_names()
    True
    """
    return _core.mechanism_names()


@contextmanager
def threads(count: int) -> Iterator[None]:
    """Within it at most so many threads run. Results never depend on it.

    >>> import hushwalk
    >>> with hushwalk.threads(1):
    ...     result = hushwalk.rank(hushwalk.generate("karate"), 1, epsilon=1)
    """
    limit = _core.ThreadLimit(_checks.whole("count", count, 1, 2**31 - 1))
    try:
        yield
    finally:
        del limit


__all__ = [
    "UNIT", "BudgetExceeded", "Certificate", "Document", "Error", "Failed", "Graph", "ImportNotice", "Ledger", "LedgerNotice", "Plan",
    "RankedNode", "Ranking", "Rankings", "Refused", "Shared", "SigningKey", "UsageError", "Verification", "WrongType", "account", "attack",
    "audit", "calibrate", "evaluate", "exact_rank", "generate", "graph_kinds", "mechanism_names", "plan", "rank", "register_mechanism",
    "reproduce", "share", "show_in", "threads", "tune", "verify",
]
