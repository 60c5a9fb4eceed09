//! Expressions, forms and guarded views as one readable line.
//!
//! `4*i0 - 11*f0 if 2 <= i0 + i1 < 17 where f0 = i0 / 3`: axes are `i0`, `i1` …,
//! floors `f0`, `f1` …

use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::fmt;

use super::program::conditions;
use super::write::Writer;
use super::{Language, Render};
use crate::expression::Expression;
use crate::expression::tree::Expr;
use crate::expression::write::tree;
use crate::form::{Guard, GuardedView, IndexForm, Linear};

/// A tree as Python writes it, which has a way to write every node.
fn python(expr: &Expr, names: &[String]) -> String {
    let how = Render::new(Language::Python);
    let writer = Writer { how: &how, names, ranges: &[], bits: 64 };
    writer.text(expr).unwrap_or_default()
}

/// As Python writes it.
impl fmt::Display for Expression {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&python(&self.body, self.names()))
    }
}

impl fmt::Display for Linear {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let named = |letter: char, list: &[i64]| -> Vec<String> {
            (0..list.len()).map(|number| format!("{letter}{number}")).collect()
        };
        let (axes, floors) = (named('i', self.axes()), named('f', self.floors()));
        let tree = tree(self).map_err(|_| fmt::Error)?;
        f.write_str(&python(&tree, &[axes, floors].concat()))
    }
}

impl fmt::Display for Guard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(lower) = self.lower {
            write!(f, "{lower} <= ")?;
        }
        write!(f, "{}", self.function)?;
        match self.upper {
            Some(upper) => write!(f, " < {upper}"),
            None => Ok(()),
        }
    }
}

impl fmt::Display for IndexForm {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Some(conditions) = conditions(self) else { return f.write_str("nothing") };
        write!(f, "{}", self.position())?;
        let of_box = conditions.len() - self.guards().len();
        for (number, guard) in conditions.iter().enumerate() {
            f.write_str(if number == 0 { " if " } else { " and " })?;
            let axis = guard.function.only_axis().filter(|_| number < of_box);
            match axis.map(|axis| (axis, self.ranges()[axis])) {
                Some((axis, (first, last))) if first == last => write!(f, "i{axis} = {first}")?,
                _ => write!(f, "{guard}")?,
            }
        }
        for (number, floor) in self.floors().iter().enumerate() {
            let word = if number == 0 { " where" } else { "," };
            let operand = floor.operand.to_string();
            let operand = if operand.contains(' ') { format!("({operand})") } else { operand };
            write!(f, "{word} f{number} = {operand} / {}", floor.divisor)?;
        }
        Ok(())
    }
}

impl fmt::Display for GuardedView {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.view())?;
        for (number, guard) in self.guards().iter().enumerate() {
            write!(f, "{} {guard}", if number == 0 { " if" } else { " and" })?;
        }
        Ok(())
    }
}
