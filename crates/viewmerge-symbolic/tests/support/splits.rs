//! Answers about splits against concrete splits at all parameter points.

use viewmerge::{SplitView, ViewChain};
use viewmerge_symbolic::{Answer, At, Kind, Limit, SymbolicChain};

use super::{Question, limit};

/// What a comparison found.
#[derive(Debug, Default, Clone)]
pub struct Tally {
    pub chains: usize,
    pub always: usize,
    pub when: usize,
    pub never: usize,
    pub some_open: usize,
    pub cut: usize,
    pub points: usize,
    pub cut_points: usize,
    pub none_points: usize,
    pub open_points: usize,
    /// Open points at which there is a split.
    pub open_splits: usize,
    pub wrong: Vec<String>,
}

/// Asks a question; `None` if the chain is never legal.
pub fn ask(question: &Question) -> Option<Answer> {
    let chain = SymbolicChain::parse(&question.declared(), &question.written()).ok()?;
    Some(chain.split(&limit()))
}

impl Tally {
    /// Compares an answer with concrete splits at all points.
    pub fn compare(&mut self, question: &Question, answer: &Answer, most: i64) {
        self.chains += 1;
        self.cut += usize::from(answer.cases.iter().any(|case| !case.is_trivial()));
        match answer.kind {
            _ if !answer.open.is_never() => self.some_open += 1,
            Kind::Always => self.always += 1,
            Kind::Never => self.never += 1,
            _ => self.when += 1,
        }
        for point in question.points(most) {
            self.points += 1;
            let text = question.text_at(&point);
            let said = answer.split_at(&point).expect("a point");
            let concrete: Result<ViewChain, _> = text.parse();
            let splitting = concrete
                .as_ref()
                .map(|chain| chain.split(&Limit::steps(100_000)).expect("decided"));
            let fits = match (&said, &splitting) {
                (At::Refused, Err(_)) => true,
                (At::Yes((split, view)), Ok(Ok(SplitView { split: own, view: over, .. }))) => {
                    self.cut_points += usize::from(!split.is_trivial());
                    split == own && view == over
                }
                (At::No, Ok(Err(_))) => {
                    self.none_points += 1;
                    true
                }
                (At::Open, found) => {
                    self.open_points += 1;
                    self.open_splits += usize::from(matches!(found, Ok(Ok(_))));
                    true
                }
                _ => false,
            };
            if !fits {
                let found = splitting.map(|found| {
                    found.map_or_else(|none| none.to_string(), |found| found.to_string())
                });
                self.wrong.push(format!(
                    "{:?} {} at {point:?} = {text}: said {said:?}, is {found:?}\n  {answer}",
                    question.params,
                    question.written()
                ));
                return;
            }
        }
    }

    pub fn report(&self, title: &str) -> String {
        format!(
            "{title}: {} chains: {} always, {} when, {} never, {} open in part; {} cut somewhere; \
             {} points, {} cut, {} none, {} open, {} of them with a split; {} wrong",
            self.chains,
            self.always,
            self.when,
            self.never,
            self.some_open,
            self.cut,
            self.points,
            self.cut_points,
            self.none_points,
            self.open_points,
            self.open_splits,
            self.wrong.len()
        )
    }
}
