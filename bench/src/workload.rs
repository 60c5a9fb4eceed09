//! Fixed amounts of work, so that their instructions can be counted.
//!
//! Everything is read and built before the first pass, so the difference between one pass
//! and two is exactly one pass.

use std::hint::black_box;

use viewmerge::{Limit, View, ViewChain, merge};
use viewmerge_index::IndexChain;
use viewmerge_testkit::cases;

use crate::{Result, families, random, sets};

/// Longer chains would dominate the counts.
const MOST_VIEWS: usize = 16;

/// How many accidental chains are searched.
const ACCIDENTAL: usize = 1000;

/// Does some passes over a workload.
pub(crate) fn run(name: &str, passes: &str) -> Result<()> {
    let passes: usize = passes.parse()?;
    let work: Box<dyn Fn()> = match name {
        "pairs" => merges(pairs()?),
        "forms" => forms(&sets::tracker_views()?)?,
        "searches" => merges(searches()),
        "splits" => tilings(|chain| chain.split(&Limit::none()).is_ok())?,
        "tilings" => tilings(|chain| chain.tiling(&Limit::none()).is_ok())?,
        _ => {
            return Err(format!("{name}: pairs, forms, searches, splits or tilings").into());
        }
    };
    (0..passes).for_each(|_| work());
    Ok(())
}

fn merges(chains: Vec<Vec<View>>) -> Box<dyn Fn()> {
    Box::new(move || {
        for views in &chains {
            let _ = black_box(merge(black_box(views), &Limit::none()));
        }
    })
}

/// The index expressions of chains that are not one view.
fn forms(chains: &[Vec<View>]) -> Result<Box<dyn Fn()>> {
    let chains = chains.iter().map(|views| ViewChain::from_views(views));
    let chains: Vec<ViewChain> = chains.collect::<Result<_, _>>()?;
    Ok(Box::new(move || {
        for chain in &chains {
            let _ = black_box(black_box(chain).form(&Limit::none()));
        }
    }))
}

/// How recorded chains that are not one view can be split.
fn tilings(ask: fn(&ViewChain) -> bool) -> Result<Box<dyn Fn()>> {
    let mut chains = Vec::new();
    for views in pairs()?.iter().chain(&sets::tracker_views()?) {
        let chain = ViewChain::from_views(views)?;
        if !chain.merge()?.is_merged() {
            chains.push(chain);
        }
    }
    Ok(Box::new(move || {
        for chain in &chains {
            black_box(ask(black_box(chain)));
        }
    }))
}

/// Merges from real programs.
fn pairs() -> Result<Vec<Vec<View>>> {
    cases::read("pairs.jsonl").iter().map(|case| Ok(case.question.views()?)).collect()
}

/// Merges that one pass does not settle: random accidental ones, and the families that grow.
fn searches() -> Vec<Vec<View>> {
    let mut chains = random::accidental_chains(ACCIDENTAL);
    let grown = families::all().into_iter().flat_map(|family| family.samples);
    chains.extend(grown.map(|sample| sample.views).filter(|views| views.len() <= MOST_VIEWS));
    chains
}
