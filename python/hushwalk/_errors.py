"""What goes wrong: one family, with the codes of the command line."""
from __future__ import annotations


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
        super().__init__(message)
        self.for_custodian = for_custodian

    def __reduce__(self) -> tuple[type[Error], tuple[str, str]]:
        return type(self), (str(self), self.for_custodian)


class Failed(Error):
    """The work could not be done: a bad file, a full disk."""


class UsageError(Error, ValueError):
    """The request makes no sense: an unknown node, a parameter out of range."""

    code = 2


class WrongType(UsageError, TypeError):
    """An argument is of a kind that the parameter does not take."""


class Refused(Error):
    """Doing it would break a privacy guarantee."""

    code = 3


class BudgetExceeded(Refused):
    """The answer would cost more than a ledger has left."""


class LedgerNotice(UserWarning):
    """What the custodian should hear of a ledger: that it is a second one, or that notes could not be written."""


class ImportNotice(UserWarning):
    """What was left out when a graph was read: weights, columns, a header."""
