//! Conditions with the fewest floors and comparisons, where others hold.
//!
//! Running example: `i // 10 == 5 and 7 <= i % 10` is `57 <= i < 60`.

use alloc::vec::Vec;

use super::Task;
use crate::expression::normal;
use crate::expression::tree::Expr;
use viewmerge::Error;

impl Task<'_, '_, '_> {
    /// A condition, simplified where others hold.
    pub(crate) fn condition(&mut self, condition: &Expr, holds: &[Expr]) -> Result<Expr, Error> {
        match condition {
            Expr::Compare(..) | Expr::Join(_, true) => {
                Ok(self.rewritten(None, core::slice::from_ref(condition), holds)?.1)
            }
            Expr::Join(list, false) => self.any_of(list, holds),
            _ => Ok(condition.clone()),
        }
    }

    fn any_of(&mut self, list: &[Expr], holds: &[Expr]) -> Result<Expr, Error> {
        let mut left: Vec<Expr> = Vec::with_capacity(list.len());
        for one in list {
            match self.condition(one, holds)? {
                Expr::Always(true) => return Ok(Expr::Always(true)),
                Expr::Always(false) => {}
                Expr::Join(inner, false) => left.extend(inner),
                other => left.push(other),
            }
        }
        if left.len() > 1 {
            let opposites = left.iter().map(|one| normal::condition(one, true, &self.ranges));
            let mut opposites = opposites.collect::<Result<Vec<_>, _>>()?;
            if self.is_never(&[holds, &opposites].concat())? {
                return Ok(Expr::Always(true));
            }
            // One that the others cover; the last ones first.
            for k in (0..left.len()).rev() {
                let (before, after) = (&opposites[..k], &opposites[k + 1..]);
                let alone = [holds, &left[k..=k], before, after].concat();
                if left.len() > 1 && self.is_never(&alone)? {
                    left.remove(k);
                    opposites.remove(k);
                }
            }
        }
        Ok(Expr::join(left, false))
    }
}
