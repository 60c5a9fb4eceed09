//! Reads expressions: variables, and trees of at most [`DEEPEST`] levels.
//!
//! Unfinished lists wait on a list, not on the stack. The members of a certificate come in any order, so a
//! name gets a number where it first appears, and the place of its variable once all variables are known.

use std::collections::BTreeMap;

use super::tree::{Expression, Relation, Term};
use super::{Pair, Partial, Variable};
use crate::json::{Read, Reader, short};
use crate::number::{Divisor, Integer};

/// The most levels a tree may have.
const DEEPEST: usize = 400;

const TREE: &str = "an integer, a variable, or a list such as [\"+\",\"i\",1]";
const VALUE: &str = "[\"+\", …], [\"*\", number, value], [\"//\", value, number], \
    [\"%\", value, number], [\"min\", …], [\"max\", …] or [\"where\", condition, value, value]";
const CONDITION: &str = "[\"<\", value, value], <=, >, >=, ==, !=, [\"and\", …], [\"or\", …] \
    or [\"not\", condition]";
pub(crate) const NAME: &str = "a name: letters of ASCII, digits, _ and $, no digit first, \
    none of and, or, not, if, else, min, max, True, False";

/// Whether a word cannot be confused with anything else that is printed.
pub(crate) fn is_name(word: &str) -> bool {
    let is_letter = |c: char| c.is_ascii_alphabetic() || c == '_' || c == '$';
    word.starts_with(is_letter)
        && word.chars().all(|c| is_letter(c) || c.is_ascii_digit())
        && !["and", "or", "not", "if", "else", "min", "max", "True", "False"].contains(&word)
}

/// The parts of a certificate about expressions that have been read so far.
#[derive(Default)]
pub(crate) struct HalfRead {
    /// The names in expressions, and where each first appears; its number is that of the entry.
    names: BTreeMap<String, usize>,
    places: Vec<usize>,
    variables: Option<Vec<Variable>>,
    one: Option<Partial>,
    two: Option<Partial>,
}

impl HalfRead {
    /// Reads a member: one of `variables`, `one`, `two`.
    pub(crate) fn member(&mut self, name: &str, reader: &mut Reader<'_>) -> Read<()> {
        match name {
            "variables" => self.variables = Some(variables(reader)?),
            "one" => self.one = Some(self.partial(reader)?),
            _ => self.two = Some(self.partial(reader)?),
        }
        Ok(())
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.variables.is_none() && self.one.is_none() && self.two.is_none()
    }

    /// The two expressions, if all members are present.
    pub(crate) fn pair(self, reader: &Reader<'_>) -> Read<Option<Pair>> {
        let (Some(variables), Some(mut one), Some(mut two)) = (self.variables, self.one, self.two)
        else {
            return Ok(None);
        };
        let known: BTreeMap<&str, usize> =
            variables.iter().enumerate().map(|(place, v)| (v.name.as_str(), place)).collect();
        let mut place_of = vec![0; self.places.len()];
        for (name, number) in &self.names {
            place_of[*number] = *known.get(name.as_str()).ok_or_else(|| {
                let found = format!("{:?}", short(name));
                let at = self.places[*number];
                reader.malformed(at, "expression", found, "a variable or a number")
            })?;
        }
        for expression in [&mut one, &mut two] {
            for term in expression.parts_mut().flat_map(|part| &mut part.terms) {
                if let Term::Variable(variable) = term {
                    *variable = place_of[*variable];
                }
            }
        }
        Ok(Some(Pair { variables, one, two }))
    }

    /// Reads a value and where it is defined.
    fn partial(&mut self, reader: &mut Reader<'_>) -> Read<Partial> {
        let mut object = reader.open("expression", &["value", "valid"])?;
        let (mut value, mut valid) = (None, None);
        while let Some(name) = reader.next(&mut object)? {
            match name {
                "value" => value = Some(self.tree(false, reader)?),
                _ if reader.null() => valid = Some(None),
                _ => valid = Some(Some(self.tree(true, reader)?)),
            }
        }
        match (value, valid) {
            (Some(value), Some(valid)) => Ok(Partial { value, valid }),
            _ => Err(reader.incomplete(&object, "value and valid")),
        }
    }

    /// Reads a value or a condition.
    fn tree(&mut self, is_condition: bool, reader: &mut Reader<'_>) -> Read<Expression> {
        let member = reader.member;
        let mut terms = Vec::new();
        let mut open: Vec<Open> = Vec::new();
        'parts: loop {
            reader.member = member;
            let at = reader.place();
            if open.len() > DEEPEST {
                let accepted = format!("{DEEPEST} levels at most");
                return Err(reader.malformed(at, member, "more", accepted));
            }
            reader.budget.spend(256)?;
            let mut whole = match reader.peek() {
                Some(b'[') => {
                    open.push(Open::begin(at, reader)?);
                    None
                }
                Some(b'"') => Some(self.word(at, reader)?),
                _ => Some(Part { at, what: What::Number(reader.integer()?) }),
            };
            // A complete part belongs to the innermost open list, and may complete it.
            while let Some(list) = open.last_mut() {
                if let Some(part) = whole.take() {
                    reader.budget.entry::<Part>()?;
                    list.parts.push(part);
                }
                if reader.take(b',') {
                    continue 'parts;
                }
                reader.sign(b']', "`,` or `]`")?;
                whole = open.pop().map(|list| list.end(&mut terms, reader)).transpose()?;
            }
            if let Some(whole) = whole {
                whole.place(is_condition, &mut terms, reader)?;
                return Ok(Expression { terms });
            }
        }
    }

    /// Reads a name, or a number in quotes.
    fn word(&mut self, at: usize, reader: &mut Reader<'_>) -> Read<Part> {
        let word = reader.string(TREE)?;
        if let Some(number) = reader.budget.read(&word)? {
            return Ok(Part { at, what: What::Number(number) });
        }
        if !is_name(&word) {
            let found = format!("{:?}", short(&word));
            return Err(reader.malformed(at, "expression", found, "a variable or a number"));
        }
        let number = match self.names.get(&word) {
            Some(number) => *number,
            None => {
                reader.budget.hold(3 * word.len() as u64)?;
                reader.budget.entry::<(String, usize, usize)>()?;
                self.places.push(at);
                self.names.insert(word, self.places.len() - 1);
                self.places.len() - 1
            }
        };
        Ok(Part { at, what: What::Term(Term::Variable(number)) })
    }
}

/// A complete part of a list that is not in the tree yet.
struct Part {
    /// Where it is in the text.
    at: usize,
    what: What,
}

enum What {
    /// A number, which may become a factor or a divisor.
    Number(Integer),
    Term(Term),
}

impl Part {
    /// Puts it into the tree as a value or a condition.
    fn place(self, is_condition: bool, terms: &mut Vec<Term>, reader: &Reader<'_>) -> Read<usize> {
        let accepted = if is_condition { CONDITION } else { VALUE };
        let term = match self.what {
            What::Number(number) => Term::Number(number),
            What::Term(term) => term,
        };
        if term.is_condition() != is_condition {
            let found = match &term {
                Term::Number(number) => number.to_string(),
                Term::Variable(_) => "a variable".into(),
                _ if is_condition => "a value".into(),
                _ => "a condition".into(),
            };
            return Err(reader.malformed(self.at, "expression", found, accepted));
        }
        reader.budget.entry::<Term>()?;
        terms.push(term);
        Ok(terms.len() - 1)
    }
}

/// An unfinished list.
struct Open {
    at: usize,
    sign: String,
    parts: Vec<Part>,
}

impl Open {
    fn begin(at: usize, reader: &mut Reader<'_>) -> Read<Open> {
        reader.sign(b'[', TREE)?;
        if reader.take(b']') {
            return Err(reader.malformed(at, reader.member, "[]", TREE));
        }
        let sign = reader.string("a sign such as \"+\" in quotes")?;
        Ok(Open { at, sign, parts: Vec::new() })
    }

    /// The term for the finished list, with its parts put into the tree.
    fn end(self, terms: &mut Vec<Term>, reader: &Reader<'_>) -> Read<Part> {
        let Open { at, sign, parts } = self;
        let count = parts.len();
        let wrong = |found: String, accepted: &str| {
            Err(reader.malformed(at, "expression", found, accepted))
        };
        let mut all = |parts: Vec<Part>, is_condition: bool| -> Read<Vec<usize>> {
            parts.into_iter().map(|part| part.place(is_condition, terms, reader)).collect()
        };
        let term = match (sign.as_str(), count) {
            ("+", _) => Term::Sum(all(parts, false)?),
            ("min", 1..) => Term::Least(all(parts, false)?),
            ("max", 1..) => Term::Greatest(all(parts, false)?),
            ("and", _) => Term::All(all(parts, true)?),
            ("or", _) => Term::Any(all(parts, true)?),
            _ => {
                let mut parts = parts.into_iter();
                let (first, second, third) = (parts.next(), parts.next(), parts.next());
                let one = |part: Part, terms: &mut Vec<Term>| part.place(false, terms, reader);
                match (sign.as_str(), count, first, second, third) {
                    ("not", 1, Some(a), ..) => Term::Not(a.place(true, terms, reader)?),
                    ("where", 3, Some(when), Some(a), Some(b)) => {
                        let when = when.place(true, terms, reader)?;
                        Term::Where(when, one(a, terms)?, one(b, terms)?)
                    }
                    ("*", 2, Some(by), Some(a), _) => match by.what {
                        What::Number(by) => Term::Times(by, one(a, terms)?),
                        What::Term(_) => {
                            return wrong("a factor that is not a number".into(), VALUE);
                        }
                    },
                    ("//" | "%", 2, Some(a), Some(by), _) => {
                        let by = match by.what {
                            What::Number(by) => Divisor::new(by),
                            What::Term(_) => None,
                        };
                        let Some(by) = by else {
                            return wrong("another divisor".into(), "a number above 0");
                        };
                        let a = one(a, terms)?;
                        if sign == "//" { Term::Quotient(a, by) } else { Term::Rest(a, by) }
                    }
                    (sign, 2, Some(a), Some(b), _) if Relation::of_sign(sign).is_some() => {
                        let Some(relation) = Relation::of_sign(sign) else {
                            return wrong(format!("{sign:?}"), CONDITION);
                        };
                        Term::Compare(one(a, terms)?, relation, one(b, terms)?)
                    }
                    (sign, count, ..) => {
                        let accepted = match sign {
                            "*" | "//" | "%" | "min" | "max" | "where" => VALUE.into(),
                            "not" | "<" | "<=" | ">" | ">=" | "==" | "!=" => CONDITION.into(),
                            _ => format!("{VALUE}; {CONDITION}"),
                        };
                        return wrong(format!("{:?} with {count}", short(sign)), &accepted);
                    }
                }
            }
        };
        Ok(Part { at, what: What::Term(term) })
    }
}

/// Reads variables with their ranges.
pub(crate) fn variables(reader: &mut Reader<'_>) -> Read<Vec<Variable>> {
    const VARIABLE: &str = "[name, first, last]";
    let mut names = std::collections::BTreeSet::new();
    reader.list("a list of [name, first, last]", |reader| {
        reader.sign(b'[', VARIABLE)?;
        let at = reader.place();
        let name = reader.string("a name in quotes")?;
        if !is_name(&name) {
            let found = format!("{:?}", short(&name));
            return Err(reader.malformed(at, "variables", found, NAME));
        }
        reader.budget.hold(6 * name.len() as u64)?;
        reader.budget.entry::<[String; 2]>()?;
        if !names.insert(name.clone()) {
            let found = format!("{:?} again", short(&name));
            return Err(reader.malformed(at, "variables", found, "a name of its own for each"));
        }
        reader.sign(b',', VARIABLE)?;
        let first = end_or_null(reader)?;
        reader.sign(b',', VARIABLE)?;
        let last = end_or_null(reader)?;
        reader.sign(b']', VARIABLE)?;
        Ok(Variable { name, first, last })
    })
}

fn end_or_null(reader: &mut Reader<'_>) -> Read<Option<Integer>> {
    if reader.null() { Ok(None) } else { reader.integer().map(Some) }
}
