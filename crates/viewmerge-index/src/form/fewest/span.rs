//! Relations that are known, and whether another follows from them.

use alloc::vec::Vec;

use super::bound::Form;
use lattice_point::Number;

/// Relations, and all that follow from them by sums and multiples.
#[derive(Default)]
pub(super) struct Span {
    /// Each with a column that no later one has.
    rows: Vec<(usize, Form)>,
}

impl Span {
    pub(super) fn rank(&self) -> usize {
        self.rows.len()
    }

    /// What is left of a form, up to a factor; `None` if the numbers grow too large.
    pub(super) fn rest(&self, form: &[i128]) -> Option<Form> {
        let mut form = form.to_vec();
        for (column, row) in &self.rows {
            let (own, other) = (form[*column], row[*column]);
            if own == 0 {
                continue;
            }
            let common = own.gcd(&other).ok()?;
            let (own, other) = (own / common, other / common);
            for (to, by) in form.iter_mut().zip(row) {
                *to = to.checked_mul(other)?.checked_sub(by.checked_mul(own)?)?;
            }
        }
        Some(form)
    }

    /// Whether a form is known to be 0.
    pub(super) fn has(&self, form: &[i128]) -> bool {
        self.rest(form).is_some_and(|rest| rest.iter().all(|&c| c == 0))
    }

    pub(super) fn add(&mut self, form: Form) {
        let Some(rest) = self.rest(&form) else { return };
        if let Some(column) = (1..rest.len()).find(|&column| rest[column] != 0) {
            self.rows.push((column, rest));
        }
    }
}
