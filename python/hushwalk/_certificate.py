"""Certificates: what a release promises, for machines and for people."""
from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING, Any, NamedTuple, Union

from . import _checks, _core
from ._document import Document, _numbers
from ._errors import Failed, WrongType

if TYPE_CHECKING:
    from ._ranking import Ranking, Rankings

    Checkable = Union["Certificate", Ranking, Rankings, str, os.PathLike[str], dict[str, Any]]


class Verification(NamedTuple):
    """Whether something holds, and why not or what was found. True where it holds.

    Of a certificate, ``checked`` says which parts were looked at and hold: ``promise`` (it follows from the parameters),
    ``answer`` (the one at hand is the one that was certified), ``signature`` (somebody signed it) and ``issuer`` (with the
    key that was given). ``never_checked`` is what no verification can tell.

    >>> import hushwalk
    >>> found = hushwalk.verify(hushwalk.plan(nodes=10, epsilon=1).certificate)
    >>> bool(found), found.checked.promise, found.checked.answer
    (True, True, False)
    """

    valid: bool
    reason: str
    checked: Document | None = None
    never_checked: str = ""

    def __bool__(self) -> bool:
        return self.valid

    @classmethod
    def _read(cls, found: str) -> Verification:
        document = Document(found)
        return cls(document.valid, document.reason, Document(document.checked), document.never_checked)


class SigningKey:
    """A key that signs certificates, in a file that its owner alone may read. It has nothing to do with a ledger's key.

    >>> import hushwalk
    >>> key = hushwalk.SigningKey.make("signing.key", issuer="Friends, Inc.")
    >>> result = hushwalk.rank(hushwalk.generate("karate"), 1, epsilon=1, signing_key=key)
    >>> hushwalk.verify(result, public_key=key.public_key).checked.issuer
    True
    """

    def __init__(self, core: _core.SigningKey) -> None:
        if not isinstance(core, _core.SigningKey):
            raise WrongType("a signing key is made by SigningKey.make, or read by SigningKey.open")
        self._core = core

    @classmethod
    def make(cls, path: str | os.PathLike[str], *, issuer: str = "the custodian") -> SigningKey:
        """A new key in a new file; certificates will name the issuer.

        >>> import hushwalk
        >>> hushwalk.SigningKey.make("new.key", issuer="Friends, Inc.").issuer
        'Friends, Inc.'
        """
        key = _core.SigningKey.make(_checks.text("issuer", issuer))
        key.save(_checks.path("path", path))
        return cls(key)

    @classmethod
    def open(cls, path: str | os.PathLike[str]) -> SigningKey:
        """The key in a file.

        >>> import hushwalk
        >>> made = hushwalk.SigningKey.make("kept.key")
        >>> hushwalk.SigningKey.open("kept.key").public_key == made.public_key
        True
        """
        return cls(_core.SigningKey.open(_checks.path("path", path)))

    @property
    def issuer(self) -> str:
        """Who signs, as certificates name them."""
        return self._core.issuer

    @property
    def public_key(self) -> str:
        """The public part (PEM), by which others check certificates."""
        return self._core.public_key

    def __repr__(self) -> str:
        return f"<SigningKey of {self.issuer!r}>"

    def __reduce__(self) -> Any:
        raise WrongType("a signing key is secret and is not pickled: open() its file")


def signing_key_of(key: SigningKey | str | os.PathLike[str] | None) -> _core.SigningKey | None:
    """The key that signs, by default the one that the environment names, as on the command line."""
    key = _checks.from_environment("signing_key", key, "HUSHWALK_SIGNING_KEY")
    if key is None or isinstance(key, SigningKey):
        return None if key is None else key._core
    return SigningKey.open(_checks.path("signing_key", key))._core


def _public_key_of(key: str | os.PathLike[str] | None) -> str | None:
    if key is None or (isinstance(key, str) and key.startswith("-----BEGIN")):
        return None if key is None else _checks.text("public_key", key)
    file = _checks.path("public_key", key)
    try:
        with open(file, encoding="ascii", errors="replace") as content:
            return content.read()
    except OSError as error:
        raise Failed(f"cannot read '{file}': {error.strerror}") from None


class Certificate:
    """What is protected, from whom, how well and by which theorem. Anybody can compute it again.

    >>> import hushwalk
    >>> certificate = hushwalk.rank(hushwalk.generate("karate"), 1, epsilon=1).certificate
    >>> certificate.epsilon, certificate.scope
    (1.0, 'personalized')
    >>> certificate.verify().valid
    True
    """

    def __init__(self, json_text: str, text: str) -> None:
        if not isinstance(json_text, str) or not isinstance(text, str):
            raise WrongType("a certificate is a JSON text, and its words as a text")
        #: the document as it was issued: fields are in docs/certificate.md
        self.json = json_text
        #: the same for people
        self.text = text

    def to_dict(self) -> dict[str, Any]:
        """All fields; infinities are numbers.

        >>> import hushwalk
        >>> hushwalk.plan(nodes=10, epsilon=1).certificate.to_dict()["epsilon"]
        1.0
        """
        fields: dict[str, Any] = _numbers(json.loads(self.json))
        return fields

    def __getitem__(self, field: str) -> Any:
        return self.to_dict()[field]

    @property
    def epsilon(self) -> float:
        """What each ranking spends."""
        return float(self["epsilon"])

    @property
    def total_epsilon(self) -> float:
        """What this call spent in all."""
        return float(self["total_epsilon"])

    @property
    def delta(self) -> float:
        """The delta of what each ranking promises; 0 when the guarantee is pure."""
        return float(self["delta"])

    @property
    def scope(self) -> str:
        """Whether the answer is for the owner of the seed (``personalized``) or for anybody (``edge``)."""
        return str(self["scope"])

    @property
    def mechanism(self) -> str:
        """How the noise was added."""
        return str(self["mechanism"])

    @property
    def words(self) -> dict[str, str]:
        """The promise in sentences, by their names."""
        sentences: dict[str, str] = self["words"]
        return sentences

    @property
    def machine_checked(self) -> list[str] | None:
        """The theorems of ``proofs/`` that cover it; None: it is proven on paper only."""
        names: list[str] | None = self["machine_checked"]
        return names

    def verify(self, *, public_key: str | os.PathLike[str] | None = None) -> Verification:
        """Recomputes everything in it from its parameters. With ``public_key`` it must be signed by that one.

        >>> import hushwalk
        >>> hushwalk.plan(nodes=10, epsilon=1).certificate.verify().valid
        True
        """
        return _verified(self.json, public_key)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes the JSON document, readable by its owner only; whole or not at all.

        >>> import hushwalk
        >>> hushwalk.plan(nodes=10, epsilon=1).certificate.save("promise.json")
        >>> hushwalk.verify("promise.json").valid
        True
        """
        _core.write_text(_checks.path("path", path), self.json + "\n")

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Certificate) and json.loads(self.json) == json.loads(other.json)

    def __hash__(self) -> int:
        return hash(self["digest"])

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        return f"<Certificate: {self.mechanism}, epsilon {self.epsilon:g}, {self.scope} scope; print it for its words>"


def _verified(document: str, public_key: Any) -> Verification:
    return Verification._read(_core.verify_certificate(_checks.encodable("certificate", document), _public_key_of(public_key)))


def verify(certificate: Checkable, *, public_key: str | os.PathLike[str] | None = None) -> Verification:
    """Recomputes a certificate: one of a ranking, a ranking itself, a file (of a certificate, of an answer that holds one,
    of a CSV answer with one beside it, or a shared artefact), or a dictionary. ``public_key``, a file or the PEM text, must be the one
    that signed it.

    >>> import hushwalk
    >>> result = hushwalk.rank(hushwalk.generate("karate"), 1, epsilon=1)
    >>> bool(hushwalk.verify(result.certificate))
    True
    >>> forged = result.certificate.to_dict() | {"epsilon": 0.5}
    >>> bool(hushwalk.verify(forged))
    False
    """
    from ._ranking import Ranking, Rankings

    if isinstance(certificate, Certificate):
        return certificate.verify(public_key=public_key)
    if isinstance(certificate, dict):
        return _verified(_encoded(certificate), public_key)
    if isinstance(certificate, (Ranking, Rankings)):
        return _verified(certificate.json, public_key)
    if not isinstance(certificate, (str, os.PathLike)):
        raise WrongType(f"a certificate, a ranking, a dictionary or the name of a file can be verified, not a {type(certificate).__name__}")
    file = _checks.path("certificate", certificate)
    return Verification._read(_core.verify_certificate_file(file, _public_key_of(public_key)))


def _encoded(fields: dict[str, Any]) -> str:
    def infinities(value: Any) -> Any:
        if isinstance(value, dict):
            return {key: infinities(item) for key, item in value.items()}
        if isinstance(value, list):
            return [infinities(item) for item in value]
        return "inf" if isinstance(value, float) and value == float("inf") else value

    try:
        return json.dumps(infinities(fields))
    except (TypeError, ValueError, RecursionError) as error:
        raise WrongType(f"a certificate is a dictionary of texts, numbers, lists and dictionaries: {error}") from None
