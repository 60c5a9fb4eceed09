//! Simplifying values and conditions, and telling whether conditions can hold.
//!
//! A value is lowered with what holds and rewritten with the fewest floors
//! ([`crate::form::fewest`]). Conditions that all must hold are said with the fewest
//! floors and guards together. Of conditions one of which must hold, each is simplified by itself; one that
//! cannot hold, or that the others cover, is left out; if none can fail to hold, nothing is left to say.
//!
//! Whether conditions can hold together is asked by cases: every `or` and every choice splits in
//! two, at most [`MOST_CASES`] times in all.
//!
//! Cost: that of the searches; a condition with n alternatives asks n + 1 questions.

use alloc::boxed::Box;
use alloc::vec;
use alloc::vec::Vec;

use super::lower::{Lowering, choices, choices_in};
use super::normal::{self, compare, join};
use super::tree::{Condition, Relation, Value};
use super::write;
use crate::error::Error;
use crate::form::fewest::{Fewest, Problem, Stuck, fewest};
use crate::form::{FloorTerm, Guard, Linear};
use crate::limit::Meter;
use crate::system::{Encode, Row, System};

/// How many cases an `or` or a choice may make of a question.
const MOST_CASES: usize = 64;

/// How deep choices are simplified inside of others.
const DEEPEST: usize = 12;

/// How many cases are looked at when relations are proved.
const MOST_RELATED: usize = 8;

/// Variables with ranges, and what may be spent.
pub(super) struct Task<'a, 'm, 'l> {
    ranges: &'a [(i64, i64)],
    meter: &'m mut Meter<'l>,
    /// The choices whose parts are being simplified.
    open: Vec<Value>,
}

/// A value and when it counts.
pub(super) struct Answer {
    pub value: Value,
    pub valid: Condition,
}

/// What a result is made of.
struct Used {
    choices: Vec<bool>,
    /// More than once.
    floors: Vec<bool>,
}

type Compared<'c> = (&'c Value, Relation, &'c Value);

/// The comparisons among conditions, and the others.
fn sorted(all: &[Condition]) -> (Vec<Compared<'_>>, Vec<&Condition>) {
    let (mut comparisons, mut others) = (Vec::new(), Vec::new());
    for one in all {
        match one {
            Condition::Compare(a, relation, b) => comparisons.push((&**a, *relation, &**b)),
            Condition::All(inner) => {
                let (more, rest) = sorted(inner);
                comparisons.extend(more);
                others.extend(rest);
            }
            Condition::Always(true) => {}
            other => others.push(other),
        }
    }
    (comparisons, others)
}

/// Lists of comparisons, one of which holds wherever all conditions do; `None` if they are many.
fn cases<'c>(conditions: &[&'c Condition], most: usize) -> Option<Vec<Vec<Compared<'c>>>> {
    let mut lists: Vec<Vec<Compared<'c>>> = vec![vec![]];
    for condition in conditions {
        let alternatives: Vec<Vec<Compared<'c>>> = match condition {
            Condition::Always(true) => continue,
            Condition::Always(false) => vec![],
            Condition::Compare(a, relation, b) => vec![vec![(&**a, *relation, &**b)]],
            Condition::All(inner) => cases(&inner.iter().collect::<Vec<_>>(), most)?,
            Condition::Any(inner) => {
                let mut all = Vec::new();
                for one in inner {
                    all.extend(cases(&[one], most)?);
                }
                all
            }
            Condition::Not(_) => return None,
        };
        if lists.len() * alternatives.len() > most {
            return None;
        }
        let with = |list: &Vec<Compared<'c>>| {
            let list = list.clone();
            alternatives.iter().map(move |more| [list.clone(), more.clone()].concat())
        };
        lists = lists.iter().flat_map(with).collect();
    }
    Some(lists)
}

fn stuck(stuck: Stuck) -> Error {
    match stuck {
        Stuck::Exhausted(exhausted) => exhausted.undecided(),
        Stuck::Overflow => Error::ExpressionRange { number: i128::MAX },
    }
}

impl<'a, 'm, 'l> Task<'a, 'm, 'l> {
    pub(super) fn new(ranges: &'a [(i64, i64)], meter: &'m mut Meter<'l>) -> Task<'a, 'm, 'l> {
        Task { ranges, meter, open: Vec::new() }
    }
}

impl Task<'_, '_, '_> {
    /// A value where conditions hold, and these conditions, if they are to be said.
    pub(super) fn value(
        &mut self,
        value: &Value,
        holds: &[Condition],
        say: bool,
    ) -> Result<Answer, Error> {
        let nothing = || Answer { value: Value::Number(0), valid: Condition::Always(false) };
        if holds.contains(&Condition::Always(false)) {
            return Ok(nothing());
        }
        let (comparisons, others) = sorted(holds);
        let room = choices(value) + holds.iter().map(choices_in).sum::<usize>();
        let mut lowering = Lowering::new(self.ranges, room);
        lowering.require(comparisons.iter().copied())?;
        if lowering.builder.nothing {
            return Ok(nothing());
        }
        let settled = if room == 0 { None } else { Some(self.settled(value, holds)?) };
        let position = lowering.linear(settled.as_ref().unwrap_or(value))?;
        let related = self.related(&mut lowering, &others)?;
        let Lowering { builder, choices: chosen, .. } = lowering;
        let said = if say { builder.guards.clone() } else { vec![] };
        let assumed = if say { vec![] } else { builder.guards.clone() };
        let found = if builder.floors.is_empty()
            && said.is_empty()
            && self.plain(&builder.known.axes)
        {
            Fewest { guards: vec![], position: Some(position), two_valued: vec![], nothing: false }
        } else {
            let problem = Problem {
                axes: &builder.known.axes,
                inputs: self.ranges.len(),
                floors: &builder.floors,
                assumed: &assumed,
                cases: &related,
                guards: said,
                position: Some(position.clone()),
                shared: false,
                fill: &|index| fill(index, self.ranges.len(), &chosen),
            };
            let mut found = fewest(&problem, self.meter).map_err(stuck)?;
            // Fewer in all may be more in the value; as it was is as right.
            let count = |function: &Linear| needed(function, &builder.floors);
            if found.position.as_ref().is_some_and(|new| count(new) > count(&position)) {
                found.position = Some(position);
            }
            found
        };
        if found.nothing {
            return Ok(nothing());
        }
        let used = self.used(&found, &builder.floors, chosen.len());
        let trees = self.choices(&chosen, &used.choices, holds)?;
        let mut writer = write::Writer {
            variables: self.ranges.len(),
            choices: &trees,
            floors: &builder.floors,
            two_valued: &found.two_valued,
            shared: &used.floors,
        };
        let Some(position) = &found.position else { return Ok(nothing()) };
        let value = writer.value(position)?;
        // A condition may not be said in terms of itself.
        let trees = if say { self.choices(&chosen, &used.choices, &[])? } else { vec![] };
        writer.choices = &trees;
        let mut all = Vec::new();
        if say {
            writer.ranges(self.ranges, &builder.known.axes, &mut all);
            found.guards.iter().try_for_each(|guard| writer.guard(guard, &mut all))?;
            let plain = all.clone();
            for other in others {
                all.push(self.condition(other, &plain)?);
            }
        }
        Ok(Answer { value, valid: normal::condition(&Condition::All(all), false, self.ranges)? })
    }

    /// Whether the ranges are as they were given.
    fn plain(&self, axes: &[(i64, i64)]) -> bool {
        axes == self.ranges
    }

    /// Alternatives as guards, if they are few.
    fn related(
        &mut self,
        lowering: &mut Lowering,
        others: &[&Condition],
    ) -> Result<Vec<Vec<Guard>>, Error> {
        if others.is_empty() {
            return Ok(vec![]);
        }
        let Some(lists) = cases(others, MOST_RELATED) else { return Ok(vec![]) };
        let mut related = Vec::with_capacity(lists.len());
        for list in lists {
            let mut guards = Vec::with_capacity(list.len());
            for (a, relation, b) in list {
                guards.push(lowering.compared(a, relation, b)?);
            }
            related.push(guards);
        }
        Ok(related)
    }

    /// A value without the choices whose condition is settled where conditions hold.
    fn settled(&mut self, value: &Value, holds: &[Condition]) -> Result<Value, Error> {
        Ok(match value {
            Value::Number(_) | Value::Variable(_) => value.clone(),
            Value::Sum(all) => Value::Sum(self.settled_all(all, holds)?),
            Value::Negate(a) => Value::Negate(Box::new(self.settled(a, holds)?)),
            Value::Multiply(a, b, place) => {
                Value::Multiply(Box::new(self.settled(a, holds)?), b.clone(), *place)
            }
            Value::Divide(a, b, rounding, part, place) => {
                let a = Box::new(self.settled(a, holds)?);
                Value::Divide(a, b.clone(), *rounding, *part, *place)
            }
            Value::Least(all) | Value::Greatest(all) => {
                let least = matches!(value, Value::Least(_));
                let mut left = self.settled_all(all, holds)?;
                let mut k = 0;
                while left.len() > 1 && k < left.len() {
                    // Not needed if it cannot be ahead of another one.
                    let relation = if least { Relation::Less } else { Relation::Greater };
                    let mut needed = true;
                    for (j, other) in left.iter().enumerate() {
                        if j == k {
                            continue;
                        }
                        let mut ahead = holds.to_vec();
                        ahead.push(compare(left[k].clone(), relation, other.clone()));
                        needed = needed && self.possible(&ahead)?.is_some();
                    }
                    if needed {
                        k += 1;
                    } else {
                        left.remove(k);
                    }
                }
                match left.len() {
                    1 => left.remove(0),
                    _ if least => Value::Least(left),
                    _ => Value::Greatest(left),
                }
            }
            Value::Where(when, a, b) => match self.condition(when, holds)? {
                Condition::Always(true) => self.settled(a, holds)?,
                Condition::Always(false) => self.settled(b, holds)?,
                when => {
                    let (a, b) = (self.settled(a, holds)?, self.settled(b, holds)?);
                    Value::Where(Box::new(when), Box::new(a), Box::new(b))
                }
            },
        })
    }

    fn settled_all(&mut self, all: &[Value], holds: &[Condition]) -> Result<Vec<Value>, Error> {
        all.iter().map(|one| self.settled(one, holds)).collect()
    }

    /// Which choices are part of what was found, and which floors more than once.
    fn used(&self, found: &Fewest, floors: &[FloorTerm], choices: usize) -> Used {
        let mut used = vec![false; choices];
        let mut needed = vec![0usize; floors.len()];
        let mut mark = |function: &Linear, needed: &mut [usize]| {
            for (used, &c) in used.iter_mut().zip(&function.axes[self.ranges.len()..]) {
                *used |= c != 0;
            }
            for (needed, &c) in needed.iter_mut().zip(&function.floors) {
                *needed += usize::from(c != 0);
            }
        };
        found.guards.iter().for_each(|guard| mark(&guard.function, &mut needed));
        found.position.iter().for_each(|position| mark(position, &mut needed));
        for number in (0..floors.len()).rev() {
            if needed[number] > 0 {
                mark(&floors[number].operand, &mut needed);
            }
        }
        Used { choices: used, floors: needed.iter().map(|&times| times > 1).collect() }
    }

    /// Choices that stay, their parts simplified. Those that are not used are left as they
    /// are, and those that are being simplified: what holds may have choices of its own, and what
    /// holds may say that a part is one of them, and they would be simplified for ever.
    fn choices(
        &mut self,
        chosen: &[Value],
        used: &[bool],
        holds: &[Condition],
    ) -> Result<Vec<Value>, Error> {
        let mut trees = Vec::with_capacity(chosen.len());
        for (choice, used) in chosen.iter().zip(used) {
            if !used || self.open.len() >= DEEPEST || self.open.contains(choice) {
                trees.push(choice.clone());
                continue;
            }
            self.open.push(choice.clone());
            trees.push(match choice {
                Value::Least(all) | Value::Greatest(all) => {
                    let mut parts = Vec::with_capacity(all.len());
                    for one in all {
                        parts.push(self.value(one, holds, false)?.value);
                    }
                    let least = matches!(choice, Value::Least(_));
                    if least { Value::Least(parts) } else { Value::Greatest(parts) }
                }
                Value::Where(when, a, b) => {
                    let mut yes = holds.to_vec();
                    yes.push((**when).clone());
                    let mut no = holds.to_vec();
                    no.push(normal::condition(when, true, self.ranges)?);
                    let a = self.value(a, &yes, false)?.value;
                    let b = self.value(b, &no, false)?.value;
                    Value::Where(when.clone(), Box::new(a), Box::new(b))
                }
                other => other.clone(),
            });
            self.open.pop();
        }
        Ok(trees)
    }

    /// A condition, simplified where others hold.
    pub(super) fn condition(
        &mut self,
        condition: &Condition,
        holds: &[Condition],
    ) -> Result<Condition, Error> {
        match condition {
            Condition::Always(_) => Ok(condition.clone()),
            Condition::Compare(..) => self.all_of(core::slice::from_ref(condition), holds),
            Condition::All(list) => self.all_of(list, holds),
            Condition::Any(list) => self.any_of(list, holds),
            Condition::Not(inner) => {
                let opposite = normal::condition(inner, true, self.ranges)?;
                self.condition(&opposite, holds)
            }
        }
    }

    fn all_of(&mut self, list: &[Condition], holds: &[Condition]) -> Result<Condition, Error> {
        let (comparisons, others) = sorted(list);
        if others.contains(&&Condition::Always(false)) {
            return Ok(Condition::Always(false));
        }
        let (given, beside) = sorted(holds);
        let count = |all: &[Condition]| all.iter().map(choices_in).sum::<usize>();
        let mut lowering = Lowering::new(self.ranges, count(list) + count(holds));
        lowering.require(given.iter().copied())?;
        if lowering.builder.nothing {
            // Nothing holds to begin with.
            return Ok(Condition::Always(true));
        }
        let related = self.related(&mut lowering, &beside)?;
        let mut before = lowering.builder.known.axes.to_vec();
        let assumed = lowering.builder.guards.clone();
        lowering.builder.guards.clear();
        lowering.require(comparisons.iter().copied())?;
        if lowering.builder.nothing {
            return Ok(Condition::Always(false));
        }
        let Lowering { builder, choices: chosen, .. } = lowering;
        // Choices of these conditions have a range only now.
        let variables = self.ranges.len();
        before[variables..].copy_from_slice(&builder.known.axes[variables..]);
        let mut all = Vec::new();
        let guards = self.boxed(&before, &builder.known.axes, builder.guards.clone());
        if !guards.is_empty() {
            let problem = Problem {
                axes: &before,
                inputs: self.ranges.len(),
                floors: &builder.floors,
                assumed: &assumed,
                cases: &related,
                guards,
                position: None,
                shared: false,
                fill: &|index| fill(index, self.ranges.len(), &chosen),
            };
            let found = fewest(&problem, self.meter).map_err(stuck)?;
            if found.nothing {
                return Ok(Condition::Always(false));
            }
            let used = self.used(&found, &builder.floors, chosen.len());
            let trees = self.choices(&chosen, &used.choices, holds)?;
            let writer = write::Writer {
                variables: self.ranges.len(),
                choices: &trees,
                floors: &builder.floors,
                two_valued: &found.two_valued,
                shared: &used.floors,
            };
            found.guards.iter().try_for_each(|guard| writer.guard(guard, &mut all))?;
        }
        let mut inside = holds.to_vec();
        inside.extend(all.iter().cloned());
        for other in others {
            match self.condition(other, &inside)? {
                Condition::Always(true) => {}
                Condition::Always(false) => return Ok(Condition::Always(false)),
                other => all.push(other),
            }
        }
        Ok(join(all, true))
    }

    /// Narrower ranges of axes as guards before the others.
    fn boxed(&self, before: &[(i64, i64)], after: &[(i64, i64)], guards: Vec<Guard>) -> Vec<Guard> {
        let mut all = Vec::new();
        for axis in 0..self.ranges.len() {
            let ((low, high), (first, last)) = (before[axis], after[axis]);
            if (low, high) != (first, last) {
                all.push(Guard::on_axis(
                    axis,
                    before.len(),
                    (first > low).then_some(first),
                    (last < high).then_some(last),
                ));
            }
        }
        all.extend(guards);
        all
    }

    fn any_of(&mut self, list: &[Condition], holds: &[Condition]) -> Result<Condition, Error> {
        let mut left: Vec<Condition> = Vec::with_capacity(list.len());
        for one in list {
            match self.condition(one, holds)? {
                Condition::Always(true) => return Ok(Condition::Always(true)),
                Condition::Always(false) => {}
                Condition::Any(inner) => left.extend(inner),
                other => left.push(other),
            }
        }
        if left.len() > 1 {
            let opposites: Vec<Condition> = left
                .iter()
                .map(|one| normal::condition(one, true, self.ranges))
                .collect::<Result<_, _>>()?;
            let mut none = holds.to_vec();
            none.extend(opposites.iter().cloned());
            if self.possible_if_few(&none)? == Some(None) {
                return Ok(Condition::Always(true));
            }
            // One that the others cover; the last ones first.
            let mut opposites = opposites;
            for k in (0..left.len()).rev() {
                if left.len() == 1 {
                    break;
                }
                let mut alone = holds.to_vec();
                alone.push(left[k].clone());
                let others = opposites.iter().enumerate().filter(|(j, _)| *j != k);
                alone.extend(others.map(|(_, opposite)| opposite.clone()));
                if self.possible_if_few(&alone)? == Some(None) {
                    left.remove(k);
                    opposites.remove(k);
                }
            }
        }
        Ok(join(left, false))
    }

    /// A point where conditions hold together, if there is one.
    pub(super) fn possible(&mut self, holds: &[Condition]) -> Result<Option<Vec<i128>>, Error> {
        match self.possible_if_few(holds)? {
            Some(point) => Ok(point),
            None => {
                Err(Error::TooManyCases { cases: MOST_CASES as u128 + 1, most: MOST_CASES as u64 })
            }
        }
    }

    /// The same, or that there are too many cases to ask.
    fn possible_if_few(&mut self, holds: &[Condition]) -> Result<Option<Option<Vec<i128>>>, Error> {
        let Some(split) = split_choices(holds, self.ranges)? else { return Ok(None) };
        let mut lists = Vec::new();
        for conditions in &split {
            let conditions: Vec<&Condition> = conditions.iter().collect();
            let Some(more) = cases(&conditions, MOST_CASES) else { return Ok(None) };
            lists.extend(more);
        }
        if lists.len() > MOST_CASES {
            return Ok(None);
        }
        for list in lists {
            if let Some(point) = self.point(&list)? {
                return Ok(Some(Some(point)));
            }
        }
        Ok(Some(None))
    }

    /// A point where all of some comparisons hold.
    fn point(&mut self, list: &[Compared<'_>]) -> Result<Option<Vec<i128>>, Error> {
        let mut lowering = Lowering::new(self.ranges, 0);
        lowering.require(list.iter().copied())?;
        let builder = &lowering.builder;
        if builder.nothing {
            return Ok(None);
        }
        let variables = self.ranges.len() + builder.floors.len();
        let system = rows(&builder.known.axes, builder, variables);
        let point = system.point(self.meter).map_err(crate::limit::Exhausted::undecided)?;
        Ok(point.map(|mut point| {
            point.truncate(self.ranges.len());
            point
        }))
    }

    /// A point with the least or greatest value where conditions hold, and that value.
    pub(super) fn extreme(
        &mut self,
        value: &Value,
        holds: &[Condition],
        greatest: bool,
    ) -> Result<Option<(i128, Vec<i128>)>, Error> {
        // The value takes part in the splitting as one side of a comparison.
        let carrier = compare(value.clone(), Relation::Equal, Value::Number(0));
        let mut conditions = vec![carrier];
        conditions.extend(holds.iter().cloned());
        let too_many =
            || Error::TooManyCases { cases: MOST_CASES as u128 + 1, most: MOST_CASES as u64 };
        let split = split_choices(&conditions, self.ranges)?.ok_or_else(too_many)?;
        let mut best: Option<(i128, Vec<i128>)> = None;
        for conditions in &split {
            let Some((Condition::Compare(value, ..), rest)) = conditions.split_first() else {
                continue;
            };
            let rest: Vec<&Condition> = rest.iter().collect();
            for list in cases(&rest, MOST_CASES).ok_or_else(too_many)? {
                let mut lowering = Lowering::new(self.ranges, 0);
                lowering.require(list.iter().copied())?;
                if lowering.builder.nothing {
                    continue;
                }
                let function = lowering.linear(value)?;
                let builder = &lowering.builder;
                let variables = self.ranges.len() + builder.floors.len();
                let mut system = rows(&builder.known.axes, builder, variables);
                let sign = if greatest { 1 } else { -1 };
                let terms = function.axes.iter().chain(&function.floors);
                system.objective = terms.map(|&c| sign * i128::from(c)).collect();
                system.objective.resize(variables, 0);
                let found = system.largest(None, self.meter);
                let found = found.map_err(crate::limit::Exhausted::undecided)?;
                if let Some(mut point) = found {
                    point.truncate(self.ranges.len());
                    let Some(at) = value.at(&point) else { continue };
                    let better = |known: &i128| if greatest { at > *known } else { at < *known };
                    if best.as_ref().is_none_or(|(known, _)| better(known)) {
                        best = Some((at, point));
                    }
                }
            }
        }
        Ok(best)
    }
}

/// How many floors a function is made of, those inside of others included.
fn needed(function: &Linear, floors: &[FloorTerm]) -> usize {
    let mut needed = vec![false; floors.len()];
    let mark = |function: &Linear, needed: &mut [bool]| {
        for (needed, &c) in needed.iter_mut().zip(&function.floors) {
            *needed |= c != 0;
        }
    };
    mark(function, &mut needed);
    for number in (0..floors.len()).rev() {
        if needed[number] {
            mark(&floors[number].operand, &mut needed);
        }
    }
    needed.into_iter().filter(|needed| *needed).count()
}

/// The rows of ranges, floors and guards.
fn rows(
    axes: &[(i64, i64)],
    builder: &crate::form::build::Builder,
    variables: usize,
) -> System<i128> {
    let mut rows = Vec::with_capacity(variables + builder.guards.len());
    let form = |function: &crate::form::Linear| -> Vec<i128> {
        let terms = function.axes.iter().chain(&function.floors);
        let mut form: Vec<i128> = terms.map(|&c| i128::from(c)).collect();
        form.resize(variables, 0);
        form
    };
    for (axis, &(first, last)) in axes.iter().enumerate() {
        let mut form = vec![0; variables];
        form[axis] = 1;
        rows.push(Row { form, low: Some(first.into()), high: Some(last.into()) });
    }
    for (number, floor) in builder.floors.iter().enumerate() {
        let mut form = form(&floor.operand);
        form[axes.len() + number] -= i128::from(floor.divisor);
        let low = -i128::from(floor.operand.constant);
        let high = low + i128::from(floor.divisor) - 1;
        rows.push(Row { form, low: Some(low), high: Some(high) });
    }
    for guard in &builder.guards {
        let low = guard.lower.map(i128::from);
        let high = guard.upper.map(|upper| i128::from(upper) - 1);
        rows.push(Row { form: form(&guard.function), low, high });
    }
    System { variables, rows, objective: Vec::new() }
}

/// The values of choices at an index.
fn fill(index: &mut [i128], variables: usize, chosen: &[Value]) -> Option<()> {
    for (number, choice) in chosen.iter().enumerate() {
        index[variables + number] = choice.at(&index[..variables])?;
    }
    Some(())
}

/// Conditions without choices in their values, one list for every way the choices can go;
/// `None` if these are many.
fn split_choices(
    conditions: &[Condition],
    ranges: &[(i64, i64)],
) -> Result<Option<Vec<Vec<Condition>>>, Error> {
    let mut done: Vec<Vec<Condition>> = Vec::new();
    let mut open: Vec<Vec<Condition>> = vec![conditions.to_vec()];
    while let Some(mut list) = open.pop() {
        let found = list.iter().find_map(super::choose::first);
        let Some(choice) = found else {
            done.push(list);
            continue;
        };
        if done.len() + open.len() + 2 > MOST_CASES {
            return Ok(None);
        }
        for (when, value) in choice.ways(ranges)? {
            let mut other: Vec<Condition> =
                list.iter().map(|one| super::choose::replaced(one, &choice.node, &value)).collect();
            other.extend(when);
            open.push(other);
        }
        list.clear();
    }
    Ok(Some(done))
}
