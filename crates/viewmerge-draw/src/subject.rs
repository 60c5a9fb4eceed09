//! The subject of a picture, and its panels.
//!
//! A view is one panel; a chain has one for the whole and one for each view; a tiling has
//! the chain with its cuts and the view over them.

use viewmerge::{Error, Limit, Verdict, View, ViewChain};
use viewmerge_index::{GuardedView, Tiling};

use crate::function::Function;
use crate::layout::Room;
use crate::modes::Modes;
use crate::panel::{Arrows, Panel};
use crate::scene::Kind;

/// Of a longer chain, the views next to memory and the last ones are drawn.
const MOST_VIEWS: usize = 8;
/// Steps of search before a picture says *undecided*; a fraction of a second.
const SEARCH: u64 = 500_000;

/// The subject of a picture.
#[derive(Debug, Clone)]
pub(crate) enum Subject {
    View(ViewChain),
    Guarded(Box<GuardedView>),
    Chain(ViewChain),
    Merge(ViewChain),
    Tiling(ViewChain, Box<Tiling>),
    Modes(Box<Modes>),
}

/// How much to show, and on how wide a page.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Page {
    pub room: Room,
    pub width: f64,
}

impl Page {
    fn panel(self, heading: String, function: Function<'_>) -> Panel {
        Panel::new(heading, function, self.room, self.width, Arrows::No, None)
    }

    fn view(self, view: &View) -> Panel {
        self.panel(view.to_string(), Function::Chain(&view.clone().into()))
    }
}

impl Subject {
    /// A description in words.
    pub(crate) fn name(&self) -> String {
        match self {
            Subject::View(chain)
            | Subject::Chain(chain)
            | Subject::Merge(chain)
            | Subject::Tiling(chain, _) => chain.to_string(),
            Subject::Guarded(guarded) => guarded.view().to_string(),
            Subject::Modes(modes) => modes.heading.clone(),
        }
    }

    /// The panels, from the top.
    pub(crate) fn panels(&self, page: Page) -> Vec<Panel> {
        match self {
            Subject::Guarded(guarded) => {
                vec![page.panel(guarded.to_string(), Function::Guarded(guarded))]
            }
            Subject::View(chain) => vec![page.panel(chain.to_string(), Function::Chain(chain))],
            Subject::Chain(chain) => chain_panels(chain, page),
            Subject::Merge(chain) => vec![merge_panel(chain, page)],
            Subject::Tiling(chain, tiling) => tiling_panels(chain, tiling, page),
            Subject::Modes(modes) => {
                let panel = page.panel(modes.heading.clone(), Function::Modes(modes));
                let remarks = modes.remarks.iter().rev();
                vec![remarks.fold(panel, |panel, words| panel.remark(words.clone(), Kind::Usual))]
            }
        }
    }
}

fn chain_panels(chain: &ViewChain, page: Page) -> Vec<Panel> {
    let views = chain.views();
    let mut panels = vec![page.panel(format!("all together: {chain}"), Function::Chain(chain))];
    let left_out = 1..1 + views.len().saturating_sub(MOST_VIEWS);
    for (number, view) in views.iter().enumerate().rev() {
        if left_out.contains(&number) {
            continue;
        }
        let role = if number == 0 { ", next to memory" } else { "" };
        let chain = view.clone().into();
        let heading = format!("view {number}{role}: {view}");
        let mut panel = page.panel(heading, Function::Chain(&chain));
        if number == left_out.end && !left_out.is_empty() {
            let words = format!("{} views below this one are not drawn", left_out.len());
            panel = panel.remark(words, Kind::Usual);
        }
        panels.push(panel);
    }
    panels
}

fn merge_panel(chain: &ViewChain, page: Page) -> Panel {
    let (words, witness) = match chain.merge_within(&Limit::steps(SEARCH)) {
        Ok(Verdict::Merged(view)) => (format!("one view: {view}"), None),
        Ok(Verdict::NotMergeable(witness)) => (format!("not one view: {witness}"), Some(witness)),
        Err(Error::Undecided { .. }) => ("undecided: the search was too long".to_owned(), None),
        Err(error) => (format!("refused: {error}"), None),
    };
    let kind = if witness.is_some() { Kind::Odd } else { Kind::Usual };
    let function = Function::Chain(chain);
    Panel::new(chain.to_string(), function, page.room, page.width, Arrows::Yes, witness)
        .remark(words, kind)
}

fn tiling_panels(chain: &ViewChain, tiling: &Tiling, page: Page) -> Vec<Panel> {
    let Some((split, pads)) = tiling.split() else {
        let panel = page.panel(chain.to_string(), Function::Chain(chain));
        return vec![panel.remark(tiling.to_string(), Kind::Odd)];
    };
    let padded = if pads.is_empty() { None } else { chain.pad(pads).ok() };
    let chain = padded.as_ref().unwrap_or(chain);
    let cuts: Vec<Vec<i64>> = (0..chain.shape().len()).map(|axis| split.places(axis)).collect();
    let whole = page.panel(chain.to_string(), Function::Cut(chain, &cuts));
    let below = match tiling {
        Tiling::Split(found) | Tiling::Padded { padded: found, .. } => page.view(&found.view),
        Tiling::Guarded { guarded, .. } => {
            page.panel(guarded.guarded.to_string(), Function::Guarded(&guarded.guarded))
        }
        Tiling::NotFound { .. } => return vec![whole],
    };
    vec![whole.remark(tiling.to_string(), Kind::Usual), below]
}
