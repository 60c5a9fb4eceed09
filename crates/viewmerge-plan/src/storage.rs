//! The layouts in which a choice stores every class.

use crate::closure::{Choice, Who};
use crate::work::Work;

/// The layouts of every class that are used, the producer's first.
pub(crate) fn stored(work: &Work, chosen: &[usize]) -> Vec<Vec<usize>> {
    let mut used: Vec<Vec<usize>> = vec![Vec::new(); work.classes.classes.len()];
    let rank = |choice: &Choice| match choice.who {
        Who::Input(_) => 0,
        Who::Op(_) => 1,
        Who::Output(_) => 2,
    };
    for now in 0..3 {
        for (choice, &option) in work.closure.choices.iter().zip(chosen) {
            if rank(choice) != now {
                continue;
            }
            for (slot, &(class, layout)) in choice.options[option].uses.iter().enumerate() {
                if used[class].contains(&layout) {
                    continue;
                }
                // Operations are in running order, so the producer of a class comes before its
                // users.
                if choice.makes(slot) {
                    used[class].insert(0, layout);
                } else {
                    used[class].push(layout);
                }
            }
        }
    }
    used
}
