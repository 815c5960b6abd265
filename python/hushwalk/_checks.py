"""What an argument may be. A mistake is an error of ours that names the parameter and says what it takes."""
from __future__ import annotations

import importlib
import numbers
import os
from collections.abc import Callable, Iterable, Mapping
from typing import Any

import numpy as np

from ._errors import Failed, UsageError, WrongType

_MOST = 2**64 - 1


def shown(value: object) -> str:
    """A value in a message: short, and its type where that is what is wrong."""
    try:
        text = repr(value)
    except Exception:  # it is somebody else's
        text = "something"
    return f"{text if len(text) <= 40 else text[:39] + '…'} ({type(value).__name__})"


def number(name: str, value: Any) -> float:
    """A real number as a float; the library says which ones make sense."""
    if isinstance(value, bool) or not isinstance(value, numbers.Real):
        raise WrongType(f"`{name}` is a number, not {shown(value)}")
    try:
        return float(value)
    except OverflowError:
        raise UsageError(f"`{name}` is too large for a number") from None


def numbers_in(name: str, values: Any) -> list[float]:
    """One number, or several."""
    if isinstance(values, numbers.Real):
        return [number(name, values)]
    return [number(name, value) for value in listed(name, values)]


def whole(name: str, value: Any, least: int = 0, most: int = _MOST) -> int:
    """A whole number within bounds."""
    if isinstance(value, bool) or not isinstance(value, numbers.Integral):
        raise WrongType(f"`{name}` is a whole number, not {shown(value)}")
    count = int(value)
    if not least <= count <= most:
        bound = f"at least {least}" if count < least else f"at most {most}"
        raise UsageError(f"`{name}` must be {bound}, not {count}")
    return count


def flag(name: str, value: Any) -> bool:
    if not isinstance(value, (bool, np.bool_)):
        raise WrongType(f"`{name}` is True or False, not {shown(value)}")
    return bool(value)


def text(name: str, value: Any) -> str:
    """A text that is not empty: as on the command line, a script that left a value out must not be taken for nobody."""
    if not isinstance(value, str):
        raise WrongType(f"`{name}` is a text, not {shown(value)}")
    if value == "":
        raise UsageError(f"`{name}` is empty; give it a value, or leave it out")
    return encodable(name, value)


def texts_in(name: str, values: Any) -> list[str]:
    """One text, or several."""
    return [text(name, values)] if isinstance(values, str) else [text(name, value) for value in listed(name, values)]


def encodable(name: str, value: str) -> str:
    try:
        value.encode()
    except UnicodeEncodeError:
        raise UsageError(f"`{name}` holds half of a character that UTF-8 cannot write: {value!r}") from None
    return value


def path(name: str, value: Any) -> str:
    """The name of a file."""
    if not isinstance(value, (str, os.PathLike)):
        raise WrongType(f"`{name}` is the name of a file, not {shown(value)}")
    file = os.fspath(value)
    if not isinstance(file, str):
        raise WrongType(f"`{name}` is the name of a file as text, not {shown(file)}")
    if file == "":
        raise UsageError(f"`{name}` is empty; give it a value, or leave it out")
    try:
        unusable = b"\0" in os.fsencode(file)
    except UnicodeEncodeError:
        unusable = True
    if unusable:
        raise UsageError(f"`{name}` cannot be the name of a file: {file!r}")
    return file


def listed(name: str, values: Any) -> list[Any]:
    """The elements of whatever can be iterated over; a text is one thing, not its letters."""
    if isinstance(values, (str, bytes)) or not isinstance(values, Iterable) or getattr(values, "ndim", 1) == 0:
        raise WrongType(f"`{name}` is a list, not {shown(values)}")
    return list(values)


def function(name: str, value: Any) -> Callable[..., Any]:
    if not callable(value):
        raise WrongType(f"`{name}` is a function, not {shown(value)}")
    return value  # type: ignore[no-any-return]


def weights(name: str, values: Any) -> list[tuple[Any, float]]:
    """Nodes with weights, from a dictionary; equal ones from a list."""
    if isinstance(values, Mapping):
        return [(node, number(name, weight)) for node, weight in values.items()]
    return [(node, 1.0) for node in listed(name, values)]


def library(name: str, what: str) -> Any:
    """A library that a call needs and that need not be here. Asked for before any work is done."""
    try:
        return importlib.import_module(name)
    except ImportError as error:
        package = name.split(".")[0]
        raise Failed(f"{what} needs {package}, which is not here ({error}); install python3-{package}, or pip install {package}") from None


def optional(check: Callable[..., Any], name: str, value: Any, *more: Any) -> Any:
    """None, or what the check makes of it."""
    return None if value is None else check(name, value, *more)


def from_environment(name: str, value: Any, variable: str) -> Any:
    """What was given, or else what the environment says, as on the command line."""
    if value is not None:
        return value
    found = os.environ.get(variable)
    if found == "":
        raise UsageError(f"{variable} is empty; give it a value, or leave it out")
    return found
