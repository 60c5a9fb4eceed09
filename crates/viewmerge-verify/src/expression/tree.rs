//! Expressions as they stand in a certificate: read, evaluated, printed.
//!
//! `["+",["*",4,"i"],["//","j",3]]` is 4·i + ⌊j/3⌋. A tree has at most [`DEEPEST`] levels, so
//! that walking it does not depend on how long a text is.

use super::{Partial, Variable};
use crate::json::{Read, Reader};
use crate::number::Integer;

/// The most levels a tree may have.
const DEEPEST: usize = 400;

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Value {
    Number(Integer),
    Variable(usize),
    Sum(Vec<Value>),
    Times(Integer, Box<Value>),
    /// ⌊a/m⌋ for m > 0.
    Quotient(Box<Value>, Integer),
    /// a − m·⌊a/m⌋.
    Rest(Box<Value>, Integer),
    /// One or more.
    Least(Vec<Value>),
    Greatest(Vec<Value>),
    Where(Box<Condition>, Box<Value>, Box<Value>),
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Condition {
    Compare(Box<Value>, Relation, Box<Value>),
    All(Vec<Condition>),
    Any(Vec<Condition>),
    Not(Box<Condition>),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Relation {
    Less,
    AtMost,
    Greater,
    AtLeast,
    Equal,
    Unequal,
}

impl Relation {
    const SIGNS: [(&'static str, Relation); 6] = [
        ("<", Relation::Less),
        ("<=", Relation::AtMost),
        (">", Relation::Greater),
        (">=", Relation::AtLeast),
        ("==", Relation::Equal),
        ("!=", Relation::Unequal),
    ];

    pub(crate) fn opposite(self) -> Relation {
        match self {
            Relation::Less => Relation::AtLeast,
            Relation::AtMost => Relation::Greater,
            Relation::Greater => Relation::AtMost,
            Relation::AtLeast => Relation::Less,
            Relation::Equal => Relation::Unequal,
            Relation::Unequal => Relation::Equal,
        }
    }

    fn holds(self, a: &Integer, b: &Integer) -> bool {
        match self {
            Relation::Less => a < b,
            Relation::AtMost => a <= b,
            Relation::Greater => a > b,
            Relation::AtLeast => a >= b,
            Relation::Equal => a == b,
            Relation::Unequal => a != b,
        }
    }

    fn sign(self) -> &'static str {
        Relation::SIGNS.iter().find(|(_, known)| *known == self).map_or("", |(sign, _)| sign)
    }
}

impl Value {
    /// The value at a point, which has a number for every variable.
    pub(crate) fn at(&self, point: &[Integer]) -> Integer {
        // Divisors are positive, so there is a quotient.
        let divided = |a: &Value, by: &Integer| {
            a.at(point).divided(by).unwrap_or((Integer::ZERO, Integer::ZERO))
        };
        match self {
            Value::Number(number) => number.clone(),
            Value::Variable(variable) => point[*variable].clone(),
            Value::Sum(all) => all.iter().fold(Integer::ZERO, |sum, one| &sum + &one.at(point)),
            Value::Times(by, a) => by * &a.at(point),
            Value::Quotient(a, by) => divided(a, by).0,
            Value::Rest(a, by) => divided(a, by).1,
            Value::Least(all) => all.iter().map(|one| one.at(point)).min().unwrap_or(Integer::ZERO),
            Value::Greatest(all) => {
                all.iter().map(|one| one.at(point)).max().unwrap_or(Integer::ZERO)
            }
            Value::Where(when, a, b) => {
                if when.at(point) {
                    a.at(point)
                } else {
                    b.at(point)
                }
            }
        }
    }

    /// As Python writes it, every operation in brackets of its own.
    pub(crate) fn text(&self, variables: &[Variable]) -> String {
        let inner = |one: &Value| match one {
            Value::Number(_) | Value::Variable(_) | Value::Least(_) | Value::Greatest(_) => {
                one.text(variables)
            }
            other => format!("({})", other.text(variables)),
        };
        let joined = |all: &[Value], sign: &str, write: &dyn Fn(&Value) -> String| {
            all.iter().map(write).collect::<Vec<_>>().join(sign)
        };
        match self {
            Value::Number(number) => number.to_string(),
            Value::Variable(variable) => variables[*variable].name.clone(),
            Value::Sum(all) if all.is_empty() => "0".into(),
            Value::Sum(all) => joined(all, " + ", &|one| match one {
                Value::Times(..) => one.text(variables),
                one => inner(one),
            }),
            Value::Times(by, a) => format!("{by}*{}", inner(a)),
            Value::Quotient(a, by) => format!("{} // {by}", inner(a)),
            Value::Rest(a, by) => format!("{} % {by}", inner(a)),
            Value::Least(all) => format!("min({})", joined(all, ", ", &|a| a.text(variables))),
            Value::Greatest(all) => format!("max({})", joined(all, ", ", &|a| a.text(variables))),
            Value::Where(when, a, b) => {
                format!("{} if {} else {}", inner(a), when.text(variables), inner(b))
            }
        }
    }
}

impl Condition {
    pub(crate) fn at(&self, point: &[Integer]) -> bool {
        match self {
            Condition::Compare(a, relation, b) => relation.holds(&a.at(point), &b.at(point)),
            Condition::All(all) => all.iter().all(|one| one.at(point)),
            Condition::Any(all) => all.iter().any(|one| one.at(point)),
            Condition::Not(one) => !one.at(point),
        }
    }

    pub(crate) fn text(&self, variables: &[Variable]) -> String {
        let joined = |all: &[Condition], word: &str| {
            let parts: Vec<String> = all
                .iter()
                .map(|one| match one {
                    Condition::Compare(..) => one.text(variables),
                    other => format!("({})", other.text(variables)),
                })
                .collect();
            parts.join(word)
        };
        match self {
            Condition::Compare(a, relation, b) => {
                let [a, b] = [a, b].map(|one| match &**one {
                    one @ Value::Where(..) => format!("({})", one.text(variables)),
                    one => one.text(variables),
                });
                format!("{a} {} {b}", relation.sign())
            }
            Condition::All(all) if all.is_empty() => "True".into(),
            Condition::Any(all) if all.is_empty() => "False".into(),
            Condition::All(all) => joined(all, " and "),
            Condition::Any(all) => joined(all, " or "),
            Condition::Not(one) => format!("not ({})", one.text(variables)),
        }
    }
}

/// A tree whose names are not looked up yet.
enum Raw {
    /// Where it stands, and what it is.
    Number(usize, Integer),
    /// Where it stands, and what it says.
    Word(usize, String),
    /// Where it stands, its sign, and what follows.
    List(usize, String, Vec<Raw>),
}

const TREE: &str = "an integer, a variable, or a list such as [\"+\",\"i\",1]";

/// A value and a condition that are read, but not understood.
pub(crate) struct HalfPartial {
    value: Raw,
    valid: Option<Raw>,
}

impl HalfPartial {
    pub(crate) fn read(reader: &mut Reader<'_>) -> Read<HalfPartial> {
        let mut object = reader.open("expression", &["value", "valid"])?;
        let (mut value, mut valid) = (None, None);
        while let Some(name) = reader.next(&mut object)? {
            match name {
                "value" => value = Some(raw(reader, 0)?),
                _ if reader.null() => valid = Some(None),
                _ => valid = Some(Some(raw(reader, 0)?)),
            }
        }
        match (value, valid) {
            (Some(value), Some(valid)) => Ok(HalfPartial { value, valid }),
            _ => Err(reader.incomplete(&object, "value and valid")),
        }
    }

    /// The same with its variables found.
    pub(crate) fn named(self, variables: &[Variable], reader: &Reader<'_>) -> Read<Partial> {
        let naming = Naming { variables, reader };
        let valid = self.valid.map(|valid| naming.condition(valid)).transpose()?;
        Ok(Partial { value: naming.value(self.value)?, valid })
    }
}

fn raw(reader: &mut Reader<'_>, depth: usize) -> Read<Raw> {
    let at = reader.place();
    if depth > DEEPEST {
        let member = reader.member;
        return Err(reader.malformed(at, member, "more", format!("{DEEPEST} levels at most")));
    }
    match reader.peek() {
        Some(b'"') => Ok(Raw::Word(at, reader.string(TREE)?)),
        Some(b'[') => {
            let mut sign = None;
            let parts = reader.list(TREE, |reader| {
                if sign.is_none() {
                    sign = Some(reader.string("a sign such as \"+\" in quotes")?);
                    return Ok(None);
                }
                raw(reader, depth + 1).map(Some)
            })?;
            match sign {
                Some(sign) => Ok(Raw::List(at, sign, parts.into_iter().flatten().collect())),
                None => Err(reader.malformed(at, reader.member, "[]", TREE)),
            }
        }
        _ => Ok(Raw::Number(at, reader.integer()?)),
    }
}

struct Naming<'a> {
    variables: &'a [Variable],
    reader: &'a Reader<'a>,
}

impl Naming<'_> {
    fn wrong<T>(&self, at: usize, found: impl Into<String>, accepted: &str) -> Read<T> {
        Err(self.reader.malformed(at, "expression", found, accepted))
    }

    fn values(&self, parts: Vec<Raw>) -> Read<Vec<Value>> {
        parts.into_iter().map(|part| self.value(part)).collect()
    }

    fn value(&self, raw: Raw) -> Read<Value> {
        const SIGNS: &str = "[\"+\", …], [\"*\", number, value], [\"//\", value, number], \
            [\"%\", value, number], [\"min\", …], [\"max\", …] or [\"where\", condition, value, value]";
        let (at, sign, parts) = match raw {
            Raw::Number(_, number) => return Ok(Value::Number(number)),
            Raw::Word(at, word) => {
                let known = self.variables.iter().position(|variable| variable.name == word);
                return match (known, Integer::read(&word)) {
                    (Some(variable), _) => Ok(Value::Variable(variable)),
                    (None, Some(number)) => Ok(Value::Number(number)),
                    (None, None) => self.wrong(at, format!("{word:?}"), "a variable or a number"),
                };
            }
            Raw::List(at, sign, parts) => (at, sign, parts),
        };
        let count = parts.len();
        match (sign.as_str(), count) {
            ("+", _) => Ok(Value::Sum(self.values(parts)?)),
            ("min", 1..) => Ok(Value::Least(self.values(parts)?)),
            ("max", 1..) => Ok(Value::Greatest(self.values(parts)?)),
            ("where", 3) => {
                let mut parts = parts.into_iter();
                let (Some(when), Some(a), Some(b)) = (parts.next(), parts.next(), parts.next())
                else {
                    return self.wrong(at, "less", SIGNS);
                };
                let when = Box::new(self.condition(when)?);
                Ok(Value::Where(when, Box::new(self.value(a)?), Box::new(self.value(b)?)))
            }
            ("*" | "//" | "%", 2) => {
                let mut parts = self.values(parts)?.into_iter();
                let (first, second) = (parts.next(), parts.next());
                match (sign.as_str(), first, second) {
                    ("*", Some(Value::Number(by)), Some(a)) => Ok(Value::Times(by, Box::new(a))),
                    ("//", Some(a), Some(Value::Number(by))) if by > Integer::ZERO => {
                        Ok(Value::Quotient(Box::new(a), by))
                    }
                    ("%", Some(a), Some(Value::Number(by))) if by > Integer::ZERO => {
                        Ok(Value::Rest(Box::new(a), by))
                    }
                    ("*", ..) => self.wrong(at, "a factor that is no number", SIGNS),
                    _ => self.wrong(at, "another divisor", "a number above 0"),
                }
            }
            (sign, count) => self.wrong(at, format!("{sign:?} with {count}"), SIGNS),
        }
    }

    fn condition(&self, raw: Raw) -> Read<Condition> {
        const SIGNS: &str = "[\"<\", value, value], <=, >, >=, ==, !=, [\"and\", …], [\"or\", …] \
            or [\"not\", condition]";
        let (at, sign, mut parts) = match raw {
            Raw::Number(at, number) => return self.wrong(at, number.to_string(), SIGNS),
            Raw::Word(at, word) => return self.wrong(at, format!("{word:?}"), SIGNS),
            Raw::List(at, sign, parts) => (at, sign, parts),
        };
        let conditions = |parts: Vec<Raw>| -> Read<Vec<Condition>> {
            parts.into_iter().map(|part| self.condition(part)).collect()
        };
        match (sign.as_str(), parts.len()) {
            ("and", _) => Ok(Condition::All(conditions(parts)?)),
            ("or", _) => Ok(Condition::Any(conditions(parts)?)),
            ("not", 1) => Ok(Condition::Not(Box::new(self.condition(parts.remove(0))?))),
            (sign, count) => {
                let relation = Relation::SIGNS.iter().find(|(known, _)| *known == sign);
                match (relation, count) {
                    (Some((_, relation)), 2) => {
                        let a = self.value(parts.remove(0))?;
                        let b = self.value(parts.remove(0))?;
                        Ok(Condition::Compare(Box::new(a), *relation, Box::new(b)))
                    }
                    _ => self.wrong(at, format!("{sign:?} with {count}"), SIGNS),
                }
            }
        }
    }
}
