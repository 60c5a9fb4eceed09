//! How forms are written in serde formats:
//! `{"shape":..,"mask":..,"floors":[..],"guards":[..],"position":{..}}`.
//!
//! A form that is read is checked for what keeps it from being evaluated: its lists
//! must fit the shape, a floor may use earlier ones only, and every sum must fit 64 bits
//! at every index. That the ranges of its floors are right is taken on trust.

use alloc::string::{String, ToString};
use alloc::vec::Vec;

use serde::{Deserialize, Serialize};

use super::program::Program;
use super::{FloorTerm, Guard, IndexForm, Linear};
use viewmerge::{Validity, View};

/// A form as it is written.
#[derive(Serialize, Deserialize)]
pub(super) struct Parts {
    shape: Vec<i64>,
    #[serde(default, rename = "mask")]
    validity: Validity,
    floors: Vec<FloorTerm>,
    guards: Vec<Guard>,
    position: Linear,
}

impl From<IndexForm> for Parts {
    fn from(form: IndexForm) -> Parts {
        let Program { floors, guards, value: position, .. } = form.program;
        Parts { shape: form.shape.to_vec(), validity: form.validity, floors, guards, position }
    }
}

impl TryFrom<Parts> for IndexForm {
    type Error = String;

    fn try_from(parts: Parts) -> Result<IndexForm, String> {
        let Parts { shape, validity, floors, guards, position } = parts;
        let frame = View::new(&shape, &vec![0; shape.len()], 0, validity)
            .map_err(|error| error.to_string())?;
        let fits = |name: &str, function: &Linear, floors: usize| match function {
            _ if function.axes().len() != shape.len() => Err(format!(
                "{name} has coefficients for {} axes, the shape has {}",
                function.axes().len(),
                shape.len()
            )),
            _ if function.floors().len() > floors => Err(format!(
                "{name} uses floor {}, it can use {floors}",
                function.floors().len() - 1
            )),
            _ => Ok(()),
        };
        for (number, floor) in floors.iter().enumerate() {
            let FloorTerm { operand, divisor, range: (low, high) } = floor;
            fits(&format!("floor {number}"), operand, number)?;
            if *divisor < 2 {
                return Err(format!("floor {number} has divisor {divisor}, it must be 2 or more"));
            }
            if low > high {
                return Err(format!(
                    "floor {number} has range {low} to {high}, the wrong way round"
                ));
            }
        }
        for (number, guard) in guards.iter().enumerate() {
            fits(&format!("guard {number}"), &guard.function, floors.len())?;
            if guard.function.constant != 0 {
                let constant = guard.function.constant;
                return Err(format!("guard {number} has constant {constant}, it must be 0"));
            }
        }
        fits("the position", &position, floors.len())?;
        let program = Program { floors, guards, value: position, ..Program::of_view(&frame) };
        IndexForm::new(&shape, frame.validity().clone(), program).map_err(|error| error.to_string())
    }
}

/// A linear function as it is written.
#[derive(Serialize, Deserialize)]
pub(super) struct LinearParts {
    constant: i64,
    axes: Vec<i64>,
    #[serde(default)]
    floors: Vec<i64>,
}

impl From<LinearParts> for Linear {
    fn from(parts: LinearParts) -> Linear {
        let LinearParts { constant, axes, floors } = parts;
        Linear::new(constant, axes.len(), axes.into_iter().chain(floors))
    }
}

impl From<Linear> for LinearParts {
    fn from(function: Linear) -> LinearParts {
        let (axes, floors) = (function.axes().to_vec(), function.floors().to_vec());
        LinearParts { constant: function.constant, axes, floors }
    }
}
