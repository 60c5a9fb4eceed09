//! Index expressions as trees: one type for numbers and conditions.
//!
//! Running example: `(4*i + j) // 8 if i < 3 else 0` is
//! `Where([Compare([i, 3], Less), Divide([Sum(..), 8], ..), Number(0)])`.
//!
//! Walks are written with [`Expr::children`], [`Expr::map_children`] and [`Expr::fold`]; only what
//! treats kinds of nodes differently matches on them.
//!
//! Overflow policy: values are `i128` and every step is checked; an expression has no value where one
//! of its parts does not fit.

use alloc::boxed::Box;
use alloc::vec::Vec;
use core::slice;

use viewmerge::Error;

pub(crate) use crate::form::known::Part;

/// A number or a condition.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) enum Expr {
    Number(i64),
    /// A variable, by its position among the names.
    Variable(usize),
    Sum(Vec<Expr>),
    Multiply(Box<[Expr; 2]>, Place),
    /// A quotient or a remainder: dividend, divisor.
    Divide(Box<[Expr; 2]>, Rounding, Part, Place),
    /// The least of some values, or with `false` the greatest.
    Extreme(Vec<Expr>, bool),
    /// Condition, value where it holds, value elsewhere.
    Where(Box<[Expr; 3]>),
    Always(bool),
    Compare(Box<[Expr; 2]>, Relation),
    /// All of some conditions, or with `false` any of them.
    Join(Vec<Expr>, bool),
    Not(Box<Expr>),
}

/// Where an operator stands in the text, in characters from the start.
#[derive(Debug, Clone, Copy, Eq, Default)]
pub(crate) struct Place(pub usize);

/// Equal trees may come from different places.
impl PartialEq for Place {
    fn eq(&self, _: &Place) -> bool {
        true
    }
}

impl core::hash::Hash for Place {
    fn hash<H: core::hash::Hasher>(&self, _: &mut H) {}
}

/// How a quotient is rounded.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Rounding {
    Down,
    Up,
    TowardsZero,
    /// The remainder is never negative.
    Euclid,
}

/// A smallest and a largest value, where there are any.
pub(crate) type Ends = (Option<i128>, Option<i128>);

/// How two values are compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Relation {
    Less,
    AtMost,
    Greater,
    AtLeast,
    Equal,
    Unequal,
}

impl Relation {
    pub(crate) fn holds(self, a: i128, b: i128) -> bool {
        match self {
            Relation::Less => a < b,
            Relation::AtMost => a <= b,
            Relation::Greater => a > b,
            Relation::AtLeast => a >= b,
            Relation::Equal => a == b,
            Relation::Unequal => a != b,
        }
    }

    /// In the order of the relations: the sign, the name that sympy gives it, the relation that holds where
    /// this one does not, and the bounds that a − b must keep; `Unequal` is two comparisons.
    const TABLE: [(&'static str, &'static str, Relation, Ends); 6] = [
        ("<", "Lt", Relation::AtLeast, (None, Some(-1))),
        ("<=", "Le", Relation::Greater, (None, Some(0))),
        (">", "Gt", Relation::AtMost, (Some(1), None)),
        (">=", "Ge", Relation::Less, (Some(0), None)),
        ("==", "Eq", Relation::Unequal, (Some(0), Some(0))),
        ("!=", "Ne", Relation::Equal, (Some(0), Some(0))),
    ];

    /// The relation that holds where this one does not.
    pub(crate) fn opposite(self) -> Relation {
        Relation::TABLE[self as usize].2
    }

    pub(crate) fn sign(self) -> &'static str {
        Relation::TABLE[self as usize].0
    }

    /// The bounds that a − b must keep; `Unequal` is two comparisons.
    pub(crate) fn bounds(self) -> Ends {
        Relation::TABLE[self as usize].3
    }

    /// The relation with a sign or a name; mathematicians write `=` for equality.
    pub(crate) fn read(text: &str) -> Option<Relation> {
        let text = if text == "=" { "==" } else { text };
        let mut rows = Relation::TABLE.into_iter();
        let found = rows.find(|(sign, name, ..)| *sign == text || *name == text);
        found.map(|(.., opposite, _)| opposite.opposite())
    }
}

/// The divisions and what they are called: first as people read them, then signs, words and functions of
/// other notations.
const DIVISIONS: [(Rounding, Part, &[&str]); 7] = [
    (
        Rounding::Down,
        Part::Quotient,
        &["//", "floordiv", "FloorDiv", "floor_div", "floord", "CleanDiv", "idiv"],
    ),
    (Rounding::Down, Part::Remainder, &["%", "mod", "Mod", "PythonMod", "floormod", "remainder"]),
    (Rounding::Up, Part::Quotient, &["ceildiv", "CeilDiv", "cdiv", "ceild"]),
    (Rounding::TowardsZero, Part::Quotient, &["truncdiv", "TruncDiv", "trunc_div", "cdivtrunc"]),
    (Rounding::TowardsZero, Part::Remainder, &["truncmod", "trunc_mod", "fmod", "rem"]),
    (Rounding::Euclid, Part::Quotient, &["div_euclid"]),
    (Rounding::Euclid, Part::Remainder, &["rem_euclid"]),
];

/// The division that a sign, a word or a function stands for.
pub(super) fn division(name: &str) -> Option<(Rounding, Part)> {
    let mut rows = DIVISIONS.into_iter();
    rows.find(|(.., names)| names.contains(&name)).map(|(rounding, part, _)| (rounding, part))
}

/// What a division is called; the remainder of one that rounds up has no name.
pub(crate) fn division_name(rounding: Rounding, part: Part) -> Option<&'static str> {
    let mut rows = DIVISIONS.into_iter();
    rows.find(|row| (row.0, row.1) == (rounding, part)).map(|(.., names)| names[0])
}

/// ⌊a / b⌋ for b ≠ 0.
fn floor(a: i128, b: i128) -> Option<i128> {
    let (q, r) = (a.checked_div(b)?, a.checked_rem(b)?);
    Some(if r != 0 && (r < 0) != (b < 0) { q - 1 } else { q })
}

/// A rounded quotient; `None` for a divisor of 0.
fn quotient(a: i128, b: i128, rounding: Rounding) -> Option<i128> {
    match rounding {
        Rounding::Down => floor(a, b),
        Rounding::Up => floor(a.checked_neg()?, b)?.checked_neg(),
        Rounding::TowardsZero => a.checked_div(b),
        Rounding::Euclid => a.checked_div_euclid(b),
    }
}

/// Building nodes.
impl Expr {
    pub(crate) fn compare(a: Expr, relation: Relation, b: Expr) -> Expr {
        Expr::Compare(Box::new([a, b]), relation)
    }

    pub(crate) fn divide(a: Expr, b: Expr, rounding: Rounding, part: Part, place: Place) -> Expr {
        Expr::Divide(Box::new([a, b]), rounding, part, place)
    }

    pub(crate) fn multiply(a: Expr, b: Expr, place: Place) -> Expr {
        Expr::Multiply(Box::new([a, b]), place)
    }

    /// −1 times a value.
    pub(crate) fn negate(self) -> Expr {
        Expr::multiply(self, Expr::Number(-1), Place::default())
    }

    pub(crate) fn choose(when: Expr, yes: Expr, no: Expr) -> Expr {
        Expr::Where(Box::new([when, yes, no]))
    }

    /// 1 where a condition holds, 0 elsewhere; a number as it is.
    pub(crate) fn into_value(self) -> Expr {
        match self.is_condition() {
            true => Expr::choose(self, Expr::Number(1), Expr::Number(0)),
            false => self,
        }
    }

    /// A number holds where it is not 0; a condition as it is.
    pub(crate) fn into_condition(self) -> Expr {
        match self {
            condition if condition.is_condition() => condition,
            Expr::Number(number) => Expr::Always(number != 0),
            value => Expr::compare(value, Relation::Unequal, Expr::Number(0)),
        }
    }

    /// All of some conditions, or any of them; long lists are flat.
    pub(crate) fn join(conditions: impl IntoIterator<Item = Expr>, all: bool) -> Expr {
        let mut flat = Vec::new();
        for one in conditions {
            match one {
                Expr::Join(list, same) if same == all => flat.extend(list),
                other => flat.push(other),
            }
        }
        match flat.len() {
            0 => Expr::Always(all),
            1 => flat.remove(0),
            _ => Expr::Join(flat, all),
        }
    }

    /// The opposite of a condition.
    pub(crate) fn not(self) -> Expr {
        match self {
            Expr::Not(inner) => *inner,
            Expr::Always(holds) => Expr::Always(!holds),
            other => Expr::Not(Box::new(other)),
        }
    }

    /// One condition where another holds, and a third elsewhere.
    pub(crate) fn either(when: Expr, yes: Expr, no: Expr) -> Expr {
        let otherwise = Expr::join([when.clone().not(), no], true);
        Expr::join([Expr::join([when, yes], true), otherwise], false)
    }

    /// That exactly one of two conditions holds.
    pub(crate) fn unequal(a: Expr, b: Expr) -> Expr {
        match (a, b) {
            (Expr::Always(true), other) | (other, Expr::Always(true)) => other.not(),
            (Expr::Always(false), other) | (other, Expr::Always(false)) => other,
            (a, b) => Expr::either(a, b.clone().not(), b),
        }
    }
}

/// Walking.
impl Expr {
    pub(crate) fn is_condition(&self) -> bool {
        matches!(self, Expr::Always(_) | Expr::Compare(..) | Expr::Join(..) | Expr::Not(_))
    }

    /// Whether the node chooses among values.
    pub(crate) fn is_choice(&self) -> bool {
        matches!(self, Expr::Extreme(..) | Expr::Where(_))
    }

    /// The nodes right below this one, in the order in which they are written.
    pub(crate) fn children(&self) -> &[Expr] {
        match self {
            Expr::Number(_) | Expr::Variable(_) | Expr::Always(_) => &[],
            Expr::Sum(all) | Expr::Extreme(all, _) | Expr::Join(all, _) => all,
            Expr::Not(a) => slice::from_ref(a),
            Expr::Multiply(ab, _) | Expr::Divide(ab, ..) | Expr::Compare(ab, _) => &ab[..],
            Expr::Where(parts) => &parts[..],
        }
    }

    /// The same node over other children.
    pub(crate) fn map_children<E>(
        &self,
        mut map: impl FnMut(&Expr) -> Result<Expr, E>,
    ) -> Result<Expr, E> {
        let mut list = |all: &[Expr]| all.iter().map(&mut map).collect::<Result<Vec<_>, E>>();
        Ok(match self {
            Expr::Number(_) | Expr::Variable(_) | Expr::Always(_) => self.clone(),
            Expr::Sum(all) => Expr::Sum(list(all)?),
            Expr::Extreme(all, least) => Expr::Extreme(list(all)?, *least),
            Expr::Join(all, both) => Expr::Join(list(all)?, *both),
            Expr::Not(a) => Expr::Not(Box::new(map(a)?)),
            Expr::Multiply(ab, place) => Expr::multiply(map(&ab[0])?, map(&ab[1])?, *place),
            Expr::Divide(ab, rounding, part, place) => {
                Expr::divide(map(&ab[0])?, map(&ab[1])?, *rounding, *part, *place)
            }
            Expr::Compare(ab, relation) => Expr::compare(map(&ab[0])?, *relation, map(&ab[1])?),
            Expr::Where(parts) => {
                let [when, yes, no] = &**parts;
                Expr::choose(map(when)?, map(yes)?, map(no)?)
            }
        })
    }

    /// Visits this node and all below it, parents first.
    pub(crate) fn fold<'e, T>(&'e self, start: T, visit: &mut impl FnMut(T, &'e Expr) -> T) -> T {
        let here = visit(start, self);
        self.children().iter().fold(here, |so_far, child| child.fold(so_far, visit))
    }

    /// How many nodes, here and below, meet a condition.
    pub(crate) fn count(&self, mut meets: impl FnMut(&Expr) -> bool) -> usize {
        self.fold(0, &mut |count, node| count + usize::from(meets(node)))
    }

    /// How many choices there are, here and below.
    pub(crate) fn choices(&self) -> usize {
        self.count(Expr::is_choice)
    }

    /// A value as the sum of multiples of others that are neither sums nor products.
    pub(crate) fn terms(&self) -> Result<Vec<(i128, &Expr)>, Error> {
        let mut terms = Vec::new();
        self.collect(1, &mut terms)?;
        Ok(terms)
    }

    fn collect<'e>(&'e self, times: i128, into: &mut Vec<(i128, &'e Expr)>) -> Result<(), Error> {
        match self {
            Expr::Sum(all) => all.iter().try_for_each(|one| one.collect(times, into)),
            Expr::Multiply(..) => {
                let what = "a product of two expressions that both vary";
                let (inner, by) = self.scaled().ok_or(Error::NotLinear { what })?;
                let product = times.checked_mul(by.into());
                inner.collect(product.ok_or(Error::ExpressionRange { number: times })?, into)
            }
            other => {
                into.push((times, other));
                Ok(())
            }
        }
    }

    /// Whether it is a sum of numbers and of variables times numbers.
    pub(crate) fn is_linear(&self) -> bool {
        let is_simple = |one: &Expr| matches!(one, Expr::Number(_) | Expr::Variable(_));
        self.terms().is_ok_and(|terms| terms.iter().all(|(_, one)| is_simple(one)))
    }

    /// `inner` and `by` of a product `inner * by` or `by * inner` with a number.
    pub(crate) fn scaled(&self) -> Option<(&Expr, i64)> {
        let Expr::Multiply(ab, _) = self else { return None };
        match &**ab {
            [inner, Expr::Number(by)] | [Expr::Number(by), inner] => Some((inner, *by)),
            _ => None,
        }
    }

    /// The same tree with some nodes replaced; what takes their place stays as it is.
    fn with(&self, by: &impl Fn(&Expr) -> Option<Expr>) -> Expr {
        by(self).unwrap_or_else(|| {
            let mapped =
                self.map_children(|child| Ok::<_, core::convert::Infallible>(child.with(by)));
            mapped.unwrap_or_else(|never| match never {})
        })
    }

    /// Replaces every occurrence of a node.
    pub(crate) fn replaced(&self, node: &Expr, by: &Expr) -> Expr {
        self.with(&|here| (here == node).then(|| by.clone()))
    }

    /// Puts an expression in the place of every variable.
    pub(crate) fn of(&self, variables: &[Expr]) -> Expr {
        self.with(&|here| match here {
            Expr::Variable(variable) => Some(variables[*variable].clone()),
            _ => None,
        })
    }

    /// How many different quotients and remainders there are.
    pub(crate) fn divisions(&self) -> usize {
        let found = self.fold(Vec::new(), &mut |mut found: Vec<&Expr>, node| {
            if matches!(node, Expr::Divide(..)) && !found.contains(&node) {
                found.push(node);
            }
            found
        });
        found.len()
    }
}

/// Evaluating.
impl Expr {
    /// The value at a point, 1 or 0 for a condition; `None` if a number on the way does not fit or a
    /// divisor is 0. `and`, `or` and choices look only at what decides.
    pub(crate) fn at(&self, point: &[i64]) -> Option<i128> {
        let values = || self.children().iter().map(|one| one.at(point));
        match self {
            Expr::Number(number) => Some(i128::from(*number)),
            Expr::Variable(variable) => point.get(*variable).map(|&x| x.into()),
            Expr::Sum(_) => values().try_fold(0i128, |sum, one| sum.checked_add(one?)),
            Expr::Multiply(ab, _) => ab[0].at(point)?.checked_mul(ab[1].at(point)?),
            Expr::Divide(ab, rounding, part, _) => {
                let (a, b) = (ab[0].at(point)?, ab[1].at(point)?);
                let quotient = quotient(a, b, *rounding)?;
                match part {
                    Part::Quotient => Some(quotient),
                    Part::Remainder => a.checked_sub(b.checked_mul(quotient)?),
                }
            }
            Expr::Extreme(_, least) => {
                let values = values().collect::<Option<Vec<_>>>()?.into_iter();
                if *least { values.min() } else { values.max() }
            }
            Expr::Where(parts) => {
                let [when, yes, no] = &**parts;
                if when.at(point)? != 0 { yes.at(point) } else { no.at(point) }
            }
            Expr::Always(holds) => Some((*holds).into()),
            Expr::Compare(ab, relation) => {
                Some(relation.holds(ab[0].at(point)?, ab[1].at(point)?).into())
            }
            Expr::Join(_, all) => {
                let whole = i128::from(*all);
                let deciding = values().find(|one| *one != Some(whole));
                deciding.unwrap_or(Some(whole))
            }
            Expr::Not(one) => Some(1 - one.at(point)?),
        }
    }

    /// Whether a condition holds at a point; not where it has no value.
    pub(crate) fn holds(&self, point: &[i64]) -> bool {
        self.at(point) == Some(1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::expression::Expression;

    fn read(text: &str) -> Expr {
        text.parse::<Expression>().expect(text).body
    }

    #[test]
    fn values() {
        // (expression of one variable, the variable, its value)
        let rows = [
            ("-i // 4", 7, Some(-2)),
            ("-i % 4", 7, Some(1)),
            ("ceildiv(-i, 4)", 7, Some(-1)),
            ("truncmod(-i, 4)", 7, Some(-3)),
            ("rem_euclid(-i, -4)", 7, Some(1)),
            ("min(i, 3, 5) + max(i, 3)", 7, Some(10)),
            ("i if i < 3 else 2*i", 7, Some(14)),
            ("i // (i - 7)", 7, None),
            // The first part decides, so the second needs no value.
            ("i == 7 or i // (i - 7) == 0", 7, Some(1)),
            ("i != 7 and i // (i - 7) == 0", 7, Some(0)),
            ("not i == 7", 7, Some(0)),
        ];
        for (text, i, expected) in rows {
            assert_eq!(read(text).at(&[i]), expected, "{text}");
        }
    }

    #[test]
    fn walks() {
        let expr = read("min(i, j // 3) + (j // 3 if i < j % 5 else 2*i)");
        assert_eq!((expr.choices(), expr.divisions()), (2, 2));
        assert_eq!(expr.count(|node| matches!(node, Expr::Variable(_))), 6);
        let other = expr.replaced(&Expr::Variable(1), &Expr::Number(9));
        assert_eq!(other, read("min(i, 9 // 3) + (9 // 3 if i < 9 % 5 else 2*i)"));
        let swapped = expr.of(&[Expr::Variable(1), Expr::Variable(0)]);
        assert_eq!(swapped.at(&[8, 2]), expr.at(&[2, 8]));
        assert!(read("3*i - (j + 4)").is_linear() && !expr.is_linear() && !read("i*j").is_linear());
    }
}
