"""Unknown sizes, and expressions of them.

An expression is a polynomial with integer coefficients over parameters and quotients of expressions, in
canonical form: equal polynomials are equal objects.
"""

from __future__ import annotations

from math import prod
from typing import Any, Dict, List, Mapping, NamedTuple, Optional, SupportsIndex, Tuple, Union

from ._error import Error

Declared = Tuple[Optional[int], Optional[int], int]
"""The least value, the greatest value, and what it is a multiple of."""


class _Quotient(NamedTuple):
    """A quotient rounded down, an exact one, or a remainder; the smaller or the larger of two, or a comparison, 1 or 0."""

    sign: str
    a: Sym
    b: Sym

    def __str__(self) -> str:
        if self.sign in ("min", "max"):
            return f"{self.sign}({self.a}, {self.b})"
        if self.sign in (">=", "=="):
            return f"({self.a} {self.sign} {self.b})"
        return f"{_factor(self.a)}{self.sign}{_factor(self.b)}"

    def at(self, values: Mapping[str, int]) -> int:
        a, b = self.a.at(values), self.b.at(values)
        if self.sign in ("min", "max", ">=", "=="):
            return {"min": min(a, b), "max": max(a, b), ">=": int(a >= b), "==": int(a == b)}[self.sign]
        if b == 0 or self.sign == "/" and a % b:
            problem = f"is {a} by {b}"
            raise Error(f"{self} {problem}", "bad_point", {"name": str(self), "problem": problem})
        return a % b if self.sign == "%" else a // b


_Atom = Union[str, _Quotient]
_Terms = Tuple[Tuple[Tuple[_Atom, ...], int], ...]


class Sym:
    """An unknown size, or an expression of some: made by ``sym`` and by arithmetic.

    ``+ - *`` make polynomials, ``//`` and ``%`` quotients rounded down and their remainders, ``/`` an exact
    quotient.

    >>> N, M = sym("N"), sym("M", multiple=4)
    >>> (N + 1) * 3 - N
    Sym('2*N + 3')
    >>> N * M == M * N, M // 4 * N
    (True, Sym('(M//4)*N'))
    >>> (N * M).at(N=2, M=8)
    16
    """

    __slots__ = ("_terms", "_params")

    def __init__(self, terms: _Terms, params: Mapping[str, Declared]) -> None:
        self._terms = terms
        self._params = dict(params)

    @property
    def params(self) -> Dict[str, Declared]:
        """Name, least and greatest value and multiple of every parameter in it.

        >>> sym("N", min=2).params
        {'N': (2, None, 1)}
        """
        return dict(self._params)

    def at(self, values: Optional[Mapping[Any, int]] = None, **named: int) -> int:
        """The value at these values of the parameters.

        >>> (sym("N") // 2).at(N=5)
        2
        """
        known = by_name(values, named)

        def one(atom: _Atom) -> int:
            if isinstance(atom, _Quotient):
                return atom.at(known)
            if atom not in known:
                raise Error(f"{atom} has no value", "bad_point", {"name": atom, "problem": "has no value"})
            return known[atom]

        return sum(coefficient * prod(map(one, atoms)) for atoms, coefficient in self._terms)

    def _constant(self) -> Optional[int]:
        if not self._terms:
            return 0
        ((atoms, coefficient),) = self._terms if len(self._terms) == 1 else (((None,), 0),)
        return coefficient if not atoms else None

    def __add__(self, other: Any) -> Sym:
        given = as_sym(other)
        if given is None:
            return NotImplemented
        return _collected([*self._terms, *given._terms], joined(self._params, given._params))

    def __neg__(self) -> Sym:
        return Sym(tuple((atoms, -coefficient) for atoms, coefficient in self._terms), self._params)

    def __pos__(self) -> Sym:
        return self

    def __sub__(self, other: Any) -> Sym:
        given = as_sym(other)
        return NotImplemented if given is None else self + -given

    def __rsub__(self, other: Any) -> Sym:
        given = as_sym(other)
        return NotImplemented if given is None else given - self

    def __mul__(self, other: Any) -> Sym:
        given = as_sym(other)
        if given is None:
            return NotImplemented
        terms = [
            (tuple(sorted((*a, *b), key=str)), m * n) for a, m in self._terms for b, n in given._terms
        ]
        return _collected(terms, joined(self._params, given._params))

    __radd__, __rmul__ = __add__, __mul__

    def __pow__(self, exponent: int) -> Sym:
        if not hasattr(exponent, "__index__") or not 0 <= exponent.__index__() <= 16:
            raise TypeError(f"a power of unknown sizes is one by 0 to 16, not {exponent!r}")
        found = as_sym(1)
        assert found is not None
        for _ in range(exponent.__index__()):
            found = found * self
        return found

    def _divides(self, number: int, term: Tuple[Tuple[_Atom, ...], int]) -> bool:
        """Whether a term is known to be a multiple of a number."""
        known = [self._params[atom][2] for atom in term[0] if isinstance(atom, str)]
        return bool(term[1] * prod(known) % number == 0)

    def _quotient(self, sign: str, other: Sym) -> Sym:
        number = other._constant()
        if number == 0:
            raise ZeroDivisionError(f"{self} by 0")
        if sign == "%" and number is not None and all(self._divides(number, term) for term in self._terms):
            return Sym((), self._params)
        if number is not None and all(coefficient % number == 0 for _, coefficient in self._terms):
            return Sym(tuple((atoms, c // number) for atoms, c in self._terms), self._params)
        own = self._constant()
        if number is not None and own is not None and sign != "/":
            return Sym((((), own // number if sign == "//" else own % number),), self._params)
        return Sym((((_Quotient(sign, self, other),), 1),), joined(self._params, other._params))

    def __floordiv__(self, other: Any) -> Sym:
        given = as_sym(other)
        return NotImplemented if given is None else self._quotient("//", given)

    def __mod__(self, other: Any) -> Sym:
        given = as_sym(other)
        return NotImplemented if given is None else self._quotient("%", given)

    def __truediv__(self, other: Any) -> Sym:
        given = as_sym(other)
        return NotImplemented if given is None else self._quotient("/", given)

    def __rfloordiv__(self, other: Any) -> Sym:
        given = as_sym(other)
        return NotImplemented if given is None else given // self

    def __rmod__(self, other: Any) -> Sym:
        given = as_sym(other)
        return NotImplemented if given is None else given % self

    def __rtruediv__(self, other: Any) -> Sym:
        given = as_sym(other)
        return NotImplemented if given is None else given / self

    def __index__(self) -> int:
        number = self._constant()
        if number is None:
            raise TypeError(f"{self} is not known: unknown sizes go into SymbolicChain")
        return number

    def __eq__(self, other: object) -> bool:
        given = as_sym(other)
        return given is not None and self._terms == given._terms

    def __hash__(self) -> int:
        number = self._constant()
        return hash(self._terms) if number is None else hash(number)

    def __str__(self) -> str:
        text = ""
        for atoms, coefficient in self._terms:
            factors = [f"({atom})" if isinstance(atom, _Quotient) and len(atoms) > 1 else str(atom) for atom in atoms]
            if len(factors) == 1 and isinstance(atoms[0], _Quotient) and abs(coefficient) != 1:
                factors = [f"({factors[0]})"]
            size = abs(coefficient)
            shown = "*".join(([str(size)] if size != 1 or not factors else []) + factors)
            sign = "-" if coefficient < 0 else "+"
            if coefficient < 0 and len(atoms) == 1 and isinstance(atoms[0], _Quotient) and size == 1:
                shown = f"({shown})"
            text += (f" {sign} " if text else "-" if coefficient < 0 else "") + shown
        return text or "0"

    def __repr__(self) -> str:
        return f"Sym({str(self)!r})"


def of_two(sign: str, a: Any, b: Any) -> Sym:
    """The smaller or the larger of two expressions, or a comparison."""
    one, other = as_sym(a), as_sym(b)
    assert one is not None and other is not None
    return Sym((((_Quotient(sign, one, other),), 1),), joined(one._params, other._params))


def _factor(value: Sym) -> str:
    """An expression as part of a quotient."""
    text = str(value)
    simple = text.isidentifier() or text.isdigit()
    return text if simple else f"({text})"


def _collected(terms: List[Tuple[Tuple[_Atom, ...], int]], params: Mapping[str, Declared]) -> Sym:
    """A polynomial with like terms collected."""
    found: Dict[Tuple[_Atom, ...], int] = {}
    for atoms, coefficient in terms:
        atoms, coefficient = _whole(atoms, coefficient, params)
        found[atoms] = found.get(atoms, 0) + coefficient
    kept = [(atoms, coefficient) for atoms, coefficient in found.items() if coefficient]
    kept.sort(key=lambda term: (-len(term[0]), [str(atom) for atom in term[0]]))
    return Sym(tuple(kept), params)


def _whole(
    atoms: Tuple[_Atom, ...], coefficient: int, params: Mapping[str, Declared]
) -> Tuple[Tuple[_Atom, ...], int]:
    """4*(M//4) is M for a multiple of 4."""
    for place, atom in enumerate(atoms):
        if isinstance(atom, _Quotient) and atom.sign == "//":
            name, by = str(atom.a), atom.b._constant()
            if by and coefficient % by == 0 and name in params and params[name][2] % by == 0:
                rest = (*atoms[:place], name, *atoms[place + 1 :])
                return _whole(tuple(sorted(rest, key=str)), coefficient // by, params)
    return atoms, coefficient


def joined(a: Mapping[str, Declared], b: Mapping[str, Declared]) -> Dict[str, Declared]:
    """The parameters of two expressions; a name must mean the same in both."""
    for name in a.keys() & b.keys():
        if a[name] != b[name]:
            message = f"{name} is declared twice, as {spoken(name, a[name])} and as {spoken(name, b[name])}"
            raise Error(message, "redeclared", {"name": name})
    return {**a, **b}


def spoken(name: str, declared: Declared) -> str:
    """A declaration in words."""
    least, greatest, multiple = declared
    told = name if least is None else f"{least} <= {name}"
    told += "" if greatest is None else f" <= {greatest}"
    return told + ("" if multiple == 1 else f", a multiple of {multiple}")


def as_sym(value: Any) -> Optional[Sym]:
    """An expression or a number as an expression; None for anything else."""
    if isinstance(value, Sym):
        return value
    if isinstance(value, int):
        return Sym((((), value),) if value else (), {})
    return None


def by_name(values: Optional[Mapping[Any, int]], named: Mapping[str, int]) -> Dict[str, int]:
    """Values of parameters, given by name, as objects, or both."""
    found = {str(getattr(key, "name", key)): value for key, value in (values or {}).items()}
    return {**found, **named}


def sym(
    name: str,
    min: Optional[SupportsIndex] = 1,
    max: Optional[SupportsIndex] = None,
    multiple: SupportsIndex = 1,
) -> Sym:
    """An unknown size: at least ``min``, at most ``max`` (None for no bound), a multiple of ``multiple``.

    >>> N = sym("N")
    >>> answer = SymbolicChain.contiguous(2, N, 3).permute(1, 0, 2).reshape(2 * N, 3).merge()
    >>> answer.verdict, answer.cases[0].when
    ('when', 'N == 1')
    """
    if not isinstance(name, str) or not name.isidentifier():
        raise Error(f"{name!r} is no name, a name is letters, digits and underscores", "bad_name", {"name": str(name)})
    bounds = tuple(None if bound is None else bound.__index__() for bound in (min, max))
    return Sym((((name,), 1),), {name: (bounds[0], bounds[1], multiple.__index__())})


Sym.__module__ = sym.__module__ = "viewmerge"
