"""What goes wrong: one family, with the codes of the command line."""
from __future__ import annotations

import re

_WITH_VALUE = re.compile(r"`([a-z_]+) ([A-Z]+|[0-9.]+)`")  # a parameter, as the library names it, and what it takes


class Error(Exception):
    """The base of all errors of Hushwalk.

    ``str(error)`` is for whoever asked. ``for_custodian`` holds what only the custodian of the graph may see (how many edges
    there are, what others have spent): never forward it to a recipient. ``code`` is the exit code of the command line.

    >>> import hushwalk
    >>> try:
    ...     hushwalk.rank(hushwalk.generate("karate"), 99, epsilon=1)
    ... except hushwalk.Error as error:
    ...     print(error.code, error)
    2 the graph has no node 99
    """

    code = 1

    def __init__(self, message: str, for_custodian: str = "") -> None:
        super().__init__(_WITH_VALUE.sub(r"`\1=\2`", message))
        self.for_custodian = for_custodian

    def __reduce__(self) -> tuple[type[Error], tuple[str, str]]:
        return type(self), (str(self), self.for_custodian)


class Failed(Error):
    """The work could not be done: a bad file, a full disk.

    >>> import hushwalk
    >>> try:
    ...     hushwalk.Graph.open("no such file")
    ... except hushwalk.Failed as error:
    ...     print(error.code)
    1
    """


class UsageError(Error, ValueError):
    """The request makes no sense: an unknown node, a parameter out of range.

    >>> import hushwalk
    >>> try:
    ...     hushwalk.plan(nodes=10, epsilon=-1)
    ... except hushwalk.UsageError as error:
    ...     print(error.code, isinstance(error, ValueError))
    2 True
    """

    code = 2


class WrongType(UsageError, TypeError):
    """An argument is of a kind that the parameter does not take.

    >>> import hushwalk
    >>> try:
    ...     hushwalk.generate(3)
    ... except TypeError as error:
    ...     print(error)
    `kind` is a text, not 3 (int)
    """


class Refused(Error):
    """Doing it would break a privacy guarantee.

    >>> import hushwalk
    >>> try:
    ...     hushwalk.plan(nodes=10, epsilon=1, mechanism="twohop", scope="edge")
    ... except hushwalk.Refused as error:
    ...     print(error.code)
    3
    """

    code = 3


class BudgetExceeded(Refused):
    """The answer would cost more than a ledger has left.

    >>> import hushwalk
    >>> graph = hushwalk.generate("karate")
    >>> graph.save("spent.hwg")
    >>> with hushwalk.Ledger.create("spent.ledger", graph, epsilon=0.1) as ledger:
    ...     try:
    ...         ledger.rank(graph, 1, epsilon=1)
    ...     except hushwalk.BudgetExceeded as error:
    ...         print(error.code, bool(error.for_custodian))
    3 True
    """


class LedgerNotice(UserWarning):
    """What the custodian should hear of a ledger: that it is a second one, or that notes could not be written.

    >>> import hushwalk, warnings
    >>> with warnings.catch_warnings():
    ...     warnings.simplefilter("error", hushwalk.LedgerNotice)  # for a script that must stop
    ...     hushwalk.generate("karate").save("alone.hwg")
    """


class ImportNotice(UserWarning):
    """What was left out when a graph was read: weights, columns, a header.

    >>> import hushwalk, warnings
    >>> with warnings.catch_warnings(record=True) as heard:
    ...     warnings.simplefilter("always")
    ...     _ = hushwalk.Graph.from_edges([("ann", "bob", 0.5)])
    >>> [str(warning.message) for warning in heard if warning.category is hushwalk.ImportNotice]
    ['ignored the weights: a graph here has none']
    """
