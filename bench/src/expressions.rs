//! How many divisions the index expressions have.

use std::fmt::Write;
use std::path::Path;

use viewmerge::{Limit, ViewChain};
use viewmerge_index::{FloorTerm, IndexChain, IndexForm};

use crate::Result;
use crate::clock::{self, Summary, grouped, show, times};
use crate::peers;
use crate::sets::Set;

/// Whether a floor is a division; one with two values is a comparison.
fn is_division(floor: &&FloorTerm) -> bool {
    floor.range != (0, 1)
}

/// The divisions of an expression.
pub(crate) fn divisions(form: &IndexForm) -> usize {
    form.floors().iter().filter(is_division).count()
}

/// The section of the report, on the chains of real programs.
pub(crate) fn section(folder: &Path, set: &Set) -> Result<String> {
    let chains: Vec<ViewChain> = set
        .questions
        .iter()
        .map(|question| ViewChain::from_views(&question.chain))
        .collect::<Result<_, _>>()?;
    let form = |chain: &ViewChain| chain.form(&Limit::none());
    let forms: Vec<IndexForm> = chains.iter().map(form).collect::<Result<_, _>>()?;
    let theirs = peers::expressions(folder, set.name)?;
    if theirs.len() != chains.len() {
        return Err("tinygrad's expressions are not those of the chains".into());
    }

    let floors: usize = forms.iter().map(|form| form.floors().len()).sum();
    let left: usize = forms.iter().map(divisions).sum();
    let free = forms.iter().filter(|form| divisions(form) == 0).count();
    let ours = Summary::of(clock::each(&chains, 9, form));
    let usual = Summary::of(theirs.iter().map(|line| line.ns));
    let fullest = Summary::of(theirs.iter().map(|line| line.fewest_ns));

    let mut text = format!(
        "## Index expressions\n\n\
         The {} chains of `trackers.jsonl`, position and validity together.\n\n\
         | | divisions and modulos left | chains without any | mean time a chain | median | mean, against viewmerge |\n\
         |---|---|---|---|---|---|\n",
        chains.len()
    );
    let mut line = |name: &str, left: usize, free: usize, time: Summary| {
        let ratio = times(time.mean / ours.mean);
        let (left, mean) = (grouped(left as f64), show(time.mean));
        writeln!(text, "| {name} | {left} | {free} | {mean} | {} | {ratio} |", show(time.median))
    };
    line("viewmerge `ViewChain::form`", left, free, ours)?;
    let count = |number: fn(&peers::Expression) -> usize| {
        let all: usize = theirs.iter().map(number).sum();
        (all, theirs.iter().filter(|line| number(line) == 0).count())
    };
    let (all, none) = count(|line| line.divisions);
    line("tinygrad `simplify`, `to_indexed_uops`", all, none, usual)?;
    let (all, none) = count(|line| line.fewest_divisions);
    line("the same, and simplified where it is valid", all, none, fullest)?;
    writeln!(
        text,
        "
viewmerge's expressions have {floors} floors; {} of them take only two values and are written as comparisons, so they
are not counted as divisions. In tinygrad's, a division that is used twice is counted once. The third row is everything that
tinygrad does to find real strides (`simplify_valid`, `uop_given_valid`).",
        floors - left
    )?;
    Ok(text)
}
