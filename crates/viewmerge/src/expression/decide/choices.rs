//! `min`, `max` and choices inside of values: those that conditions settle go, of the others the
//! parts are simplified.
//!
//! Running example: `min(i, j)` where `i < j` is `i`.

use alloc::boxed::Box;
use alloc::vec::Vec;

use super::Task;
use crate::error::Error;
use crate::expression::normal::{self, compare};
use crate::expression::tree::{Condition, Relation, Value};

/// How deep choices are simplified inside of others.
const DEEPEST: usize = 12;

impl Task<'_, '_, '_> {
    /// A value without the choices whose condition is settled where conditions hold.
    pub(super) fn settled(&mut self, value: &Value, holds: &[Condition]) -> Result<Value, Error> {
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

    /// Choices that stay, their parts simplified. Those that are not used are left as they
    /// are, and those that are being simplified: what holds may have choices of its own, and what
    /// holds may say that a part is one of them, and they would be simplified for ever.
    pub(super) fn choices(
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
}
