"""Answers with proofs, and a checker that trusts nobody."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple, Optional, Union

from . import _core
from ._types import ChainLike


@dataclass(frozen=True)
class Certificate:
    """An answer with its proof; ``str`` is the JSON that any checker reads.

    >>> certificate = certify("(2,3) | permute(1,0) | reshape(6)")
    >>> certificate.is_yes, certificate.nodes
    (False, 0)
    """

    text: str
    """The certificate as JSON."""
    is_yes: bool
    """Whether the answer is yes: one view, or the same function."""
    nodes: int
    """The number of nodes of all its proofs."""

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        answer = "yes" if self.is_yes else "no"
        return f"<Certificate: {answer}, {len(self.text)} characters>"


class Shown(NamedTuple):
    """What a certificate that holds shows."""

    kind: str
    """"is_view", "nothing_valid", "not_one_view", "equal" or "different"."""
    text: str

    def __str__(self) -> str:
        return self.text


def certify(chain: ChainLike, *, equal: Optional[ChainLike] = None) -> Certificate:
    """Decides whether a chain is one view, or the same function as another, with a proof.

    >>> print(verify(certify("(10,3,3):(8,1,2) | (4):(4)")))
    (10,3,3):(8,1,2) | (4):(4) is (4):(3)
    >>> verify(certify("(2,3) | (6)", equal="(6)")).kind
    'equal'
    """
    return Certificate(*_core.certificate(chain, equal))


def verify(certificate: Union[Certificate, str]) -> Shown:
    """Checks a certificate without the solver, and returns what it shows.

    One that does not hold raises an ``Error`` of kind "does_not_hold", any other text one of
    kind "not_a_certificate".

    >>> text = str(merge("(10,3,3):(8,1,2)", "(6):(4)").certificate())
    >>> verify(text).kind
    'not_one_view'
    >>> try:
    ...     verify(text.replace('"step":3', '"step":4'))
    ... except Error as error:
    ...     print(error.kind)
    does_not_hold
    """
    text: Any = certificate.text if isinstance(certificate, Certificate) else certificate
    return Shown(*_core.shown(text))


for _public in (Certificate, Shown, certify, verify):
    _public.__module__ = "viewmerge"
