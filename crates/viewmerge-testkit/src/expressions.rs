//! Random index expressions, evaluated here at every point of their ranges.
//!
//! The trees, their values and the ways to write them are defined in this file alone: what the
//! library parses, computes and simplifies is compared with them.

pub mod open;

use viewmerge::Limit;
use viewmerge_index::{Dialect, Domain, Expression, Same};

use crate::choices::Choices;

type Outcome = Result<(), String>;

/// A number.
#[derive(Debug, Clone)]
pub enum Number {
    /// A constant.
    Constant(i64),
    /// A variable, by its number.
    Variable(usize),
    /// A sum.
    Plus(Box<Number>, Box<Number>),
    /// A difference.
    Minus(Box<Number>, Box<Number>),
    /// A multiple.
    Times(i64, Box<Number>),
    /// A quotient or a remainder by a number other than 0.
    Division(Division, Box<Number>, i64),
    /// The smaller one.
    Least(Box<Number>, Box<Number>),
    /// The larger one.
    Greatest(Box<Number>, Box<Number>),
    /// One or the other.
    Choice(Box<Truth>, Box<Number>, Box<Number>),
}

/// How to divide.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Division {
    /// Rounded down.
    Floor,
    /// The remainder of that.
    FloorRest,
    /// Rounded up.
    Ceiling,
    /// Rounded towards 0.
    Truncated,
    /// The remainder of that.
    TruncatedRest,
    /// Rounded so that the remainder is not negative.
    Euclid,
    /// The remainder of that.
    EuclidRest,
}

/// A condition.
#[derive(Debug, Clone)]
pub enum Truth {
    /// Two numbers compared.
    Compare(Box<Number>, &'static str, Box<Number>),
    /// Both hold.
    And(Box<Truth>, Box<Truth>),
    /// At least one holds.
    Or(Box<Truth>, Box<Truth>),
    /// It does not hold.
    Not(Box<Truth>),
}

fn floor(a: i128, b: i128) -> i128 {
    (a - (a % b + b) % b) / b
}

impl Number {
    /// The value at a point.
    pub fn at(&self, point: &[i64]) -> i128 {
        match self {
            Number::Constant(c) => i128::from(*c),
            Number::Variable(v) => i128::from(point[*v]),
            Number::Plus(a, b) => a.at(point) + b.at(point),
            Number::Minus(a, b) => a.at(point) - b.at(point),
            Number::Times(c, a) => i128::from(*c) * a.at(point),
            Number::Division(how, a, by) => {
                let (a, b) = (a.at(point), i128::from(*by));
                match how {
                    Division::Floor => floor(a, b),
                    Division::FloorRest => a - b * floor(a, b),
                    Division::Ceiling => -floor(-a, b),
                    Division::Truncated => a / b,
                    Division::TruncatedRest => a % b,
                    Division::Euclid => {
                        let rest = (a % b + b.abs()) % b.abs();
                        (a - rest) / b
                    }
                    Division::EuclidRest => (a % b + b.abs()) % b.abs(),
                }
            }
            Number::Least(a, b) => a.at(point).min(b.at(point)),
            Number::Greatest(a, b) => a.at(point).max(b.at(point)),
            Number::Choice(when, a, b) => {
                if when.at(point) {
                    a.at(point)
                } else {
                    b.at(point)
                }
            }
        }
    }

    /// The expression in the notation of Python, tinygrad, sympy or C.
    fn write(&self, names: &[&str], dialect: Dialect) -> String {
        let inner = |one: &Number| one.write(names, dialect);
        match self {
            Number::Constant(c) => c.to_string(),
            Number::Variable(v) => names[*v].into(),
            Number::Plus(a, b) => format!("({} + {})", inner(a), inner(b)),
            Number::Minus(a, b) => format!("({} - {})", inner(a), inner(b)),
            Number::Times(c, a) => format!("{}*{c}", inner(a)),
            Number::Division(how, a, by) => {
                let a = inner(a);
                match (how, dialect) {
                    (Division::Floor, Dialect::C) => format!("FloorDiv({a}, {by})"),
                    (Division::FloorRest, Dialect::C) => format!("Mod({a}, {by})"),
                    (Division::Floor, _) => format!("({a} // {by})"),
                    (Division::FloorRest, _) => format!("({a} % {by})"),
                    (Division::Ceiling, _) => format!("(({a}) ceildiv ({by}))"),
                    (Division::Truncated, Dialect::C) => format!("({a} / ({by}))"),
                    (Division::TruncatedRest, Dialect::C) => format!("({a} % ({by}))"),
                    (Division::Truncated, _) => format!("truncdiv({a}, {by})"),
                    (Division::TruncatedRest, _) => format!("truncmod({a}, {by})"),
                    (Division::Euclid, _) => format!("div_euclid({a}, {by})"),
                    (Division::EuclidRest, _) => format!("rem_euclid({a}, {by})"),
                }
            }
            Number::Least(a, b) => format!("min({}, {})", inner(a), inner(b)),
            Number::Greatest(a, b) => format!("Max({}, {})", inner(a), inner(b)),
            Number::Choice(when, a, b) => {
                let (when, a, b) = (when.write(names, dialect), inner(a), inner(b));
                match dialect {
                    Dialect::C => format!("({when} ? {a} : {b})"),
                    _ => format!("({a} if {when} else {b})"),
                }
            }
        }
    }

    /// The dividend and divisor of every quotient in it, inner ones first.
    fn quotients<'n>(&'n self, found: &mut Vec<(&'n Number, i64)>) {
        match self {
            Number::Constant(_) | Number::Variable(_) => {}
            Number::Plus(a, b)
            | Number::Minus(a, b)
            | Number::Least(a, b)
            | Number::Greatest(a, b)
            | Number::Choice(_, a, b) => {
                a.quotients(found);
                b.quotients(found);
            }
            Number::Times(_, a) => a.quotients(found),
            Number::Division(_, a, by) => {
                a.quotients(found);
                found.push((a, *by));
            }
        }
    }

    fn chooses(&self) -> bool {
        match self {
            Number::Constant(_) | Number::Variable(_) => false,
            Number::Plus(a, b) | Number::Minus(a, b) => a.chooses() || b.chooses(),
            Number::Times(_, a) => a.chooses(),
            // These divisions contain a choice by the sign.
            Number::Division(how, a, _) => {
                matches!(how, Division::Truncated | Division::TruncatedRest) || a.chooses()
            }
            _ => true,
        }
    }
}

impl Truth {
    /// Whether it holds at a point.
    pub fn at(&self, point: &[i64]) -> bool {
        match self {
            Truth::Compare(a, sign, b) => {
                let (a, b) = (a.at(point), b.at(point));
                match *sign {
                    "<" => a < b,
                    "<=" => a <= b,
                    ">" => a > b,
                    ">=" => a >= b,
                    "==" => a == b,
                    _ => a != b,
                }
            }
            Truth::And(a, b) => a.at(point) && b.at(point),
            Truth::Or(a, b) => a.at(point) || b.at(point),
            Truth::Not(a) => !a.at(point),
        }
    }

    fn write(&self, names: &[&str], dialect: Dialect) -> String {
        let c = dialect == Dialect::C;
        let inner = |one: &Truth| one.write(names, dialect);
        match self {
            Truth::Compare(a, sign, b) => {
                format!("({} {sign} {})", a.write(names, dialect), b.write(names, dialect))
            }
            Truth::And(a, b) => {
                format!("({} {} {})", inner(a), if c { "&&" } else { "and" }, inner(b))
            }
            Truth::Or(a, b) => {
                format!("({} {} {})", inner(a), if c { "||" } else { "or" }, inner(b))
            }
            Truth::Not(a) => format!("{}{}", if c { "!" } else { "not " }, inner(a)),
        }
    }
}

fn number(choices: &mut Choices<'_>, variables: usize, depth: usize) -> Number {
    let kind = if depth == 0 { choices.below(3) } else { choices.below(20) };
    let inner =
        |choices: &mut Choices<'_>| Box::new(number(choices, variables, depth.saturating_sub(1)));
    match kind {
        0 => Number::Constant(choices.between(-9, 12)),
        1..=3 if variables > 0 => Number::Variable(choices.below(variables as i64) as usize),
        4 | 5 => Number::Plus(inner(choices), inner(choices)),
        6 => Number::Minus(inner(choices), inner(choices)),
        7 | 8 => Number::Times(choices.between(-6, 12), inner(choices)),
        9..=12 => Number::Division(Division::Floor, inner(choices), divisor(choices)),
        13..=16 => Number::Division(Division::FloorRest, inner(choices), divisor(choices)),
        17 => {
            let how = choices.pick(&[
                Division::Ceiling,
                Division::Euclid,
                Division::EuclidRest,
                Division::Truncated,
                Division::TruncatedRest,
            ]);
            Number::Division(how, inner(choices), divisor(choices))
        }
        18 => match choices.below(2) {
            0 => Number::Least(inner(choices), inner(choices)),
            _ => Number::Greatest(inner(choices), inner(choices)),
        },
        19 => {
            let when = Box::new(truth(choices, variables, depth.saturating_sub(1)));
            Number::Choice(when, inner(choices), inner(choices))
        }
        _ => Number::Constant(1),
    }
}

fn divisor(choices: &mut Choices<'_>) -> i64 {
    match choices.below(12) {
        0 => choices.pick(&[-2, -3, -5, 1, 16, 24]),
        _ => choices.between(2, 9),
    }
}

fn truth(choices: &mut Choices<'_>, variables: usize, depth: usize) -> Truth {
    let inner =
        |choices: &mut Choices<'_>| Box::new(truth(choices, variables, depth.saturating_sub(1)));
    match if depth == 0 { 0 } else { choices.below(10) } {
        6 | 7 => Truth::And(inner(choices), inner(choices)),
        8 => Truth::Or(inner(choices), inner(choices)),
        9 => Truth::Not(inner(choices)),
        _ => {
            let sign = choices.pick(&["<", "<=", ">", ">=", "==", "!="]);
            let a = Box::new(number(choices, variables, depth));
            let b = match choices.below(3) {
                0 => Box::new(number(choices, variables, depth.saturating_sub(1))),
                _ => Box::new(Number::Constant(choices.between(-6, 20))),
            };
            Truth::Compare(a, sign, b)
        }
    }
}

/// Variables whose ranges have few points in all, and a question about them.
#[derive(Debug, Clone)]
pub struct Asked {
    ranges: Vec<(i64, i64)>,
    value: Number,
    valid: Option<Truth>,
    dialect: Dialect,
}

const NAMES: [&str; 3] = ["i", "j", "k"];

impl Asked {
    /// The question in the library's types.
    ///
    /// # Errors
    ///
    /// If the library refuses it.
    pub fn question(&self) -> Result<(Domain, Expression), String> {
        let told = |error: viewmerge::Error| format!("{self:?}: {error}");
        let variables: Vec<(&str, i64, i64)> = NAMES
            .iter()
            .zip(&self.ranges)
            .map(|(&name, &(first, last))| (name, first, last))
            .collect();
        let mut domain = Domain::new(&variables).map_err(told)?;
        let read = |text: String| Expression::read(&text, self.dialect).map_err(told);
        if let Some(valid) = &self.valid {
            domain = domain.valid(&read(valid.write(&NAMES, self.dialect))?).map_err(told)?;
        }
        Ok((domain, read(self.value.write(&NAMES, self.dialect))?))
    }

    /// The value as an expression, if it uses only the variables of another question.
    pub fn value_for(&self, other: &Asked) -> Option<Expression> {
        let read = Expression::read(&self.value.write(&NAMES, self.dialect), self.dialect).ok()?;
        let known = &NAMES[..other.ranges.len()];
        read.names().iter().all(|name| known.contains(&name.as_str())).then_some(read)
    }

    /// The value at a point; `None` where it is not defined, or outside the ranges.
    pub fn counted(&self, point: &[i64]) -> Option<i128> {
        let within = |(x, (first, last)): (&i64, &(i64, i64))| first <= x && x <= last;
        let counts = point.iter().zip(&self.ranges).all(within)
            && self.valid.as_ref().is_none_or(|valid| valid.at(point));
        counts.then(|| self.value.at(point))
    }

    /// All indices, counted from the first values.
    pub fn indices(&self) -> Vec<Vec<i64>> {
        let sizes: Vec<(i64, i64)> =
            self.ranges.iter().map(|(first, last)| (0, last - first)).collect();
        points(&sizes)
    }

    /// The point of an index.
    pub fn point(&self, index: &[i64]) -> Vec<i64> {
        index.iter().zip(&self.ranges).map(|(x, (first, _))| x + first).collect()
    }

    /// Whether it has no choices, no condition, and only positive divisors.
    pub fn is_plain(&self) -> bool {
        let mut all = Vec::new();
        self.value.quotients(&mut all);
        self.valid.is_none() && !self.value.chooses() && all.iter().all(|(_, by)| *by > 0)
    }

    /// The values of all quotients at a point, inner ones first.
    pub fn floors_at(&self, point: &[i64]) -> Vec<i128> {
        let mut all = Vec::new();
        self.value.quotients(&mut all);
        all.iter().map(|(a, by)| floor(a.at(point), i128::from(*by))).collect()
    }

    /// For every quotient, how many it contains, including itself.
    pub fn floor_sizes(&self) -> Vec<usize> {
        let mut all = Vec::new();
        self.value.quotients(&mut all);
        let size = |(a, _): &(&Number, i64)| {
            let mut inner = Vec::new();
            a.quotients(&mut inner);
            inner.len() + 1
        };
        all.iter().map(size).collect()
    }

    /// Whether another value is the same at every point where this one is defined.
    pub fn is_same(&self, other: &Asked) -> bool {
        points(&self.ranges).iter().all(|point| {
            let counts = self.valid.as_ref().is_none_or(|valid| valid.at(point));
            !counts || self.value.at(point) == other.value.at(point)
        })
    }
}

/// A random question.
pub fn generate(choices: &mut Choices<'_>) -> Asked {
    let variables = choices.between(1, 3) as usize;
    let longest = [60, 14, 6][variables - 1];
    let ranges = (0..variables)
        .map(|_| {
            let first = if choices.one_in(3) { choices.between(-12, 6) } else { 0 };
            (first, first + choices.below(longest))
        })
        .collect();
    let value = number(choices, variables, 3);
    let valid = choices.one_in(2).then(|| truth(choices, variables, 2));
    let dialect = if choices.one_in(4) { Dialect::C } else { Dialect::Python };
    Asked { ranges, value, valid, dialect }
}

/// All points in the ranges.
fn points(ranges: &[(i64, i64)]) -> Vec<Vec<i64>> {
    let mut all = vec![vec![]];
    for &(first, last) in ranges {
        let longer = |point: &Vec<i64>| {
            let point = point.clone();
            (first..=last).map(move |x| [point.clone(), vec![x]].concat())
        };
        all = all.iter().flat_map(longer).collect();
    }
    all
}

/// The value of an expression at a point of all variables.
fn value(expression: &Expression, point: &[i64]) -> Option<i128> {
    let place = |name: &String| NAMES.iter().position(|known| known == name);
    let at = |name: &String| point.get(place(name)?).copied();
    expression.value(&expression.names().iter().map(at).collect::<Option<Vec<i64>>>()?)
}

/// Checks parsing, simplification, equality, and the least and greatest value against all points.
///
/// # Errors
///
/// A description of the disagreement.
pub fn check(asked: &Asked, second: &Asked) -> Outcome {
    let Asked { ranges, value: tree, valid, dialect } = asked;
    let text = tree.write(&NAMES, *dialect);
    let valid_text = valid.as_ref().map(|valid| valid.write(&NAMES, *dialect));
    let shown = format!("{text} where {valid_text:?} for {ranges:?} ({dialect:?})");
    let fail = |what: String| Err(format!("{shown}: {what}"));
    let read = |text: &str| {
        Expression::read(text, *dialect).map_err(|error| format!("{shown}: {error} in {text}"))
    };
    let expression = read(&text)?;
    let variables: Vec<(&str, i64, i64)> =
        NAMES.iter().zip(ranges).map(|(&name, &(first, last))| (name, first, last)).collect();
    let domain = Domain::new(&variables).map_err(|e| e.to_string())?;
    let domain = match &valid_text {
        Some(valid) => domain.valid(&read(valid)?).map_err(|e| e.to_string())?,
        None => domain,
    };
    let found = domain.simplify(&expression, &Limit::steps(20_000)).map_err(|e| e.to_string())?;
    // The printed expression parses back to the same.
    let printed: Expression =
        found.to_string().parse().map_err(|e| format!("{shown}: {found}: {e}"))?;
    let holds = |point: &[i64]| valid.as_ref().is_none_or(|valid| valid.at(point));
    let all = points(ranges);
    let mut least: Option<i128> = None;
    let mut most: Option<i128> = None;
    for point in &all {
        let here = tree.at(point);
        if value(&expression, point) != Some(here) {
            return fail(format!("at {point:?} it is {here}, not {:?}", value(&expression, point)));
        }
        let counts = holds(point);
        let said = found.condition().is_none_or(|valid| value(valid, point) == Some(1));
        if counts != said {
            return fail(format!(
                "{found} if {:?} at {point:?}: valid {counts}",
                found.condition().map(ToString::to_string)
            ));
        }
        if !counts {
            continue;
        }
        least = Some(least.map_or(here, |known| known.min(here)));
        most = Some(most.map_or(here, |known| known.max(here)));
        for expression in [found.expression(), &printed] {
            if value(expression, point) != Some(here) {
                let there = value(expression, point);
                return fail(format!("{found} at {point:?} is {there:?}, not {here}"));
            }
        }
    }
    if !found.is_decided() {
        return Ok(());
    }
    if !tree.chooses() && found.expression().divisions() > expression.divisions() {
        return fail(format!("{found} has more divisions"));
    }
    let undecided = |error: &viewmerge::Error| {
        matches!(error, viewmerge::Error::TooManyCases { .. } | viewmerge::Error::Undecided { .. })
    };
    match domain.range(&expression, &Limit::steps(20_000)) {
        Ok(range) => {
            let ends = range.as_ref().map(|range| (range.least, range.greatest));
            if ends != least.zip(most).map(|(least, most)| (Some(least), Some(most))) {
                return fail(format!("from {least:?} to {most:?}, not {ends:?}"));
            }
            if let Some(range) = range {
                for (point, value) in
                    [(&range.least_at, range.least), (&range.greatest_at, range.greatest)]
                {
                    let taken = |point: &Vec<i64>| holds(point) && value == Some(tree.at(point));
                    if !point.as_ref().is_some_and(taken) {
                        return fail(format!("{value:?} is not taken at {point:?}"));
                    }
                }
            }
        }
        Err(error) if undecided(&error) => {}
        Err(error) => return fail(error.to_string()),
    }
    // Compare with the result, and with another expression, which may use too many variables.
    let other = Expression::read(&second.value.write(&NAMES, Dialect::Python), Dialect::Python)
        .map_err(|e| e.to_string())?;
    let fits = other.names().iter().all(|name| domain.names().contains(name));
    let mut others = vec![(found.expression().clone(), None)];
    if fits {
        others.push((other, Some(&second.value)));
    }
    for (other, tree_of_it) in others {
        let there = |point: &[i64]| match tree_of_it {
            Some(tree) => Some(tree.at(point)),
            None => value(&other, point),
        };
        match domain.equal(&expression, &other, &Limit::steps(20_000)) {
            Ok(Same::Yes) => {
                if let Some(point) =
                    all.iter().find(|point| holds(point) && there(point) != Some(tree.at(point)))
                {
                    return fail(format!("{other} differs at {point:?}"));
                }
            }
            Ok(Same::No { point, values }) => {
                let real = (Some(tree.at(&point)), there(&point));
                if !holds(&point) || real.0 == real.1 || values != real {
                    return fail(format!("{other} at {point:?}: {values:?}, not {real:?}"));
                }
            }
            Ok(_) => return fail("an answer of another kind".into()),
            Err(error) if undecided(&error) => {}
            Err(error) => return fail(error.to_string()),
        }
    }
    Ok(())
}

/// Checks a condition by itself, given that another one holds.
///
/// # Errors
///
/// A description of the disagreement.
pub fn check_condition(asked: &Asked, second: &Asked) -> Outcome {
    let Some(condition) = &second.valid else { return Ok(()) };
    let text = condition.write(&NAMES, Dialect::Python);
    let expression: Expression = text.parse().map_err(|e| format!("{text}: {e}"))?;
    let mut ranges = asked.ranges.clone();
    ranges.resize(NAMES.len(), (0, 3));
    let variables: Vec<(&str, i64, i64)> =
        NAMES.iter().zip(&ranges).map(|(&name, &(first, last))| (name, first, last)).collect();
    let mut domain = Domain::new(&variables).map_err(|e| e.to_string())?;
    let valid = asked.valid.as_ref().map(|valid| valid.write(&NAMES, Dialect::Python));
    if let Some(valid) = &valid {
        let read = valid.parse().map_err(|e: viewmerge::Error| e.to_string())?;
        domain = domain.valid(&read).map_err(|e| e.to_string())?;
    }
    let found = domain.simplify(&expression, &Limit::steps(20_000)).map_err(|e| e.to_string())?;
    for point in points(&ranges) {
        let fail = |what: &str| {
            let when = found.condition().map(ToString::to_string);
            Err(format!(
                "{text} where {valid:?}: {found} if {when:?} at {point:?}: {what} for {ranges:?}"
            ))
        };
        let counts = asked.valid.as_ref().is_none_or(|valid| valid.at(&point));
        if counts != found.condition().is_none_or(|valid| value(valid, &point) == Some(1)) {
            return fail("validity");
        }
        if counts && value(found.expression(), &point) != Some(condition.at(&point).into()) {
            return fail("value");
        }
    }
    Ok(())
}
