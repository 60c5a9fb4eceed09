//! How many recorded chains that are not one view have a split, and what that saves.

use std::fmt::Write;

use viewmerge::{Limit, Splitting, Validity, View, ViewChain};
use viewmerge_index::{IndexChain, Tiling};

use crate::Result;
use crate::clock::{self, Summary, show};
use crate::expressions::divisions;
use crate::sets::Set;

/// How many chains have each kind of tiling.
#[derive(Default)]
struct Kinds {
    chains: usize,
    split: usize,
    padded: usize,
    guarded: usize,
    guarded_split: usize,
    left: usize,
}

impl Kinds {
    fn count(&mut self, tiling: &Tiling) {
        self.chains += 1;
        *match tiling {
            Tiling::Split { .. } => &mut self.split,
            Tiling::Padded { .. } => &mut self.padded,
            Tiling::Guarded { guarded, .. } if guarded.split.is_trivial() => &mut self.guarded,
            Tiling::Guarded { .. } => &mut self.guarded_split,
            Tiling::NotFound { .. } => &mut self.left,
        } += 1;
    }
}

/// The section of the report, on recorded pairs and on recorded chains.
pub(crate) fn section(pairs: &Set, trackers: &Set) -> Result<String> {
    let limit = Limit::none();
    let mut text = String::from(
        "## Splits\n\n\
         Recorded chains that are not one view. Some are one view over a split; others after padding the axes; \
         others are views with guards, with or without a split. Every chain is in the first column that fits.\n\n\
         | not one view | chains | split | padded split | guarded | guarded split | left |\n\
         |---|---|---|---|---|---|---|\n",
    );
    let mut asked = Vec::new();
    let mut counts = [0; 2];
    for (name, set) in [("pairs", pairs), ("chains", trackers)] {
        let mut kinds = [Kinds::default(), Kinds::default()];
        for question in &set.questions {
            let chain = ViewChain::from_views(&question.chain)?;
            let merged = chain.merge_within(&limit)?.is_merged();
            let tiling = chain.tiling(&limit)?;
            if name == "chains" {
                let form = chain.form(&limit)?;
                counts[0] += divisions(&form);
                counts[1] += tiling.form()?.as_ref().map_or(divisions(&form), divisions);
            }
            if !merged {
                let plain = |view: &View| view.validity() == &Validity::All;
                kinds[usize::from(!chain.views().iter().all(plain))].count(&tiling);
                asked.push(chain);
            }
        }
        for (kinds, masks) in kinds.iter().zip(["without padding", "with padding"]) {
            writeln!(
                text,
                "| {name} {masks} | {} | {} | {} | {} | {} | {} |",
                kinds.chains,
                kinds.split,
                kinds.padded,
                kinds.guarded,
                kinds.guarded_split,
                kinds.left
            )?;
        }
    }
    let split = |chain: &ViewChain| -> Option<Splitting> { chain.split(&limit).ok() };
    let time = Summary::of(clock::each(&asked, 5, split));
    let tiling = |chain: &ViewChain| -> Option<Tiling> { chain.tiling(&limit).ok() };
    let best = Summary::of(clock::each(&asked, 5, tiling));
    writeln!(
        text,
        "\nOver split loops the index expressions of the recorded chains have {} divisions, {} otherwise. \
         Deciding whether one of these chains splits takes {} at the median ({} on average, 99 % within {}); \
         finding the best tiling takes {} ({} on average).",
        counts[1],
        counts[0],
        show(time.median),
        show(time.mean),
        show(time.p99),
        show(best.median),
        show(best.mean)
    )?;
    Ok(text)
}
