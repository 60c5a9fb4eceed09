//! The questions that are asked of random chains, each with its comparison with the concrete library: how much
//! stays open, and whether the rest is right.

use viewmerge::{Equivalence, Limit, ViewChain};
use viewmerge_index::IndexChain;
use viewmerge_symbolic::{
    Answer, At, SymbolicChain, SymbolicEquivalence, SymbolicExplanation, SymbolicForm,
};

use super::{Draw, Question, Tally, ask, limit, splits};

/// One kind of question.
pub trait Asked {
    /// Asks it and keeps the answer; false if the chain is never legal.
    fn ask(&mut self, question: &Question) -> bool;
    /// Compares the last answer with the concrete library at all points with values up to `most`.
    fn compare(&mut self, question: &Question, most: i64);
    /// The last answer, if it is open in part.
    fn open(&self) -> Option<String>;
    fn wrong(&self) -> &[String];
    fn report(&mut self, title: &str) -> String;
}

/// A kind of question by its name.
pub fn named(name: &str) -> Box<dyn Asked> {
    match name {
        "merge" => Box::new(Merge::default()),
        "split" => Box::new(Split::default()),
        "equal" => Box::new(Equal::default()),
        "expr" => Box::new(Form::default()),
        "explain" => Box::new(Explain::default()),
        _ => unreachable!("expected merge, split, equal, expr or explain, got {name}"),
    }
}

fn shown_if_open(answer: &Answer) -> Option<String> {
    (!answer.open.is_never()).then(|| answer.to_string())
}

#[derive(Default)]
struct Merge {
    tally: Tally,
    last: Option<(SymbolicChain, Answer)>,
}

impl Asked for Merge {
    fn ask(&mut self, question: &Question) -> bool {
        self.last = ask(question);
        self.last.is_some()
    }

    fn compare(&mut self, question: &Question, most: i64) {
        let (chain, answer) = self.last.as_ref().expect("an answer");
        self.tally.compare(question, chain, answer, most);
    }

    fn open(&self) -> Option<String> {
        shown_if_open(&self.last.as_ref()?.1)
    }

    fn wrong(&self) -> &[String] {
        &self.tally.wrong
    }

    fn report(&mut self, title: &str) -> String {
        self.tally.report(title)
    }
}

#[derive(Default)]
struct Split {
    tally: splits::Tally,
    last: Option<Answer>,
}

impl Asked for Split {
    fn ask(&mut self, question: &Question) -> bool {
        self.last = splits::ask(question);
        self.last.is_some()
    }

    fn compare(&mut self, question: &Question, most: i64) {
        self.tally.compare(question, self.last.as_ref().expect("an answer"), most);
    }

    fn open(&self) -> Option<String> {
        shown_if_open(self.last.as_ref()?)
    }

    fn wrong(&self) -> &[String] {
        &self.tally.wrong
    }

    fn report(&mut self, title: &str) -> String {
        self.tally.report(title)
    }
}

/// Another chain that is the same, or nearly.
pub fn variant(draw: &mut Draw, question: &Question) -> Option<Question> {
    let params = question.declared();
    let parse =
        |text: &str| SymbolicChain::parse(&params, &text.replace('{', "(").replace('}', ")")).ok();
    let items: Vec<&str> = question.text.split(" | ").collect();
    // What is added comes after some of the ops.
    let place = 1 + draw.below(items.len());
    let prefix = items[..place].join(" | ");
    let braced = |text: String| text.replace('(', "{").replace(')', "}");
    let shape: Vec<String> =
        parse(&prefix)?.shape().iter().map(|size| braced(size.to_string())).collect();
    let flat: Vec<String> = shape.iter().map(|size| format!("{{{size}}}")).collect();
    let there = format!("reshape({}) | reshape({})", flat.join("*"), shape.join(","));
    let axis = draw.below(shape.len().max(1));
    let bounds: Vec<String> = shape.iter().map(|size| format!("(0,{size})")).collect();
    let whole = format!("shrink({})", bounds.join(","));
    let added = match draw.below(7) {
        0 | 1 if !shape.is_empty() => there,
        2 if !shape.is_empty() => format!("flip({axis}) | flip({axis})"),
        3 if !shape.is_empty() => format!("flip({axis})"),
        4 => whole,
        5 if shape.len() == 2 => "permute(1,0) | permute(1,0)".to_owned(),
        _ if !shape.is_empty() => {
            let zeros: Vec<&str> = shape.iter().map(|_| "(0,0)").collect();
            let mut grown = zeros.clone();
            grown[axis] = "(1,0)";
            let mut kept = bounds.clone();
            kept[axis] = format!("(1,{}+1)", shape[axis]);
            format!("pad({}) | shrink({})", grown.join(","), kept.join(","))
        }
        _ => return None,
    };
    let mut all: Vec<&str> = items[..place].to_vec();
    all.push(&added);
    all.extend_from_slice(&items[place..]);
    Some(Question { params: question.params.clone(), text: all.join(" | ") })
}

/// Pairs of chains that were compared.
#[derive(Default)]
pub struct Equal {
    last: Option<(Question, SymbolicEquivalence)>,
    pub pairs: usize,
    pub same: usize,
    pub differ: usize,
    pub open: usize,
    pub points: usize,
    pub open_points: usize,
    pub wrong: Vec<String>,
}

impl Equal {
    /// Compares a chain with another one; false if one of them is never legal, or their shapes cannot be compared.
    pub fn ask_of(&mut self, question: &Question, other: Question) -> bool {
        let params = question.declared();
        let parse = |question: &Question| SymbolicChain::parse(&params, &question.written()).ok();
        let answer = parse(question)
            .zip(parse(&other))
            .and_then(|(one, other)| one.equivalent(&other, &limit()).ok());
        self.last = answer.map(|answer| (other, answer));
        self.last.is_some()
    }

    /// What is wrong with an answer at some point.
    fn mistake(&mut self, question: &Question, most: i64) -> Option<String> {
        let (other, answer) = self.last.as_ref()?;
        let concrete = |point: &[(&str, i64)]| {
            let parse = |question: &Question| question.text_at(point).parse::<ViewChain>().ok();
            let (x, y) = (parse(question)?, parse(other)?);
            Some((x.equivalent(&y, &Limit::steps(100_000)).expect("decided"), x, y))
        };
        if let Some(found) = &answer.difference {
            let point: Vec<(&str, i64)> =
                found.point.iter().map(|(name, value)| (name.as_str(), *value)).collect();
            let differ = concrete(&point).is_some_and(|(_, x, y)| match &found.index {
                None => x.shape() != y.shape(),
                Some(index) => x.index(index) != y.index(index),
            });
            if !differ {
                return Some(format!("no difference at {point:?}"));
            }
        }
        for point in question.points(most) {
            self.points += 1;
            let said = answer.at(&point).expect("a point");
            match (said, concrete(&point)) {
                (At::Refused, None) | (At::Yes(()), Some((Equivalence::Same, ..))) => {}
                (At::No, Some((found, ..))) if found != Equivalence::Same => {}
                (At::Open, _) => self.open_points += 1,
                (said, is) => return Some(format!("at {point:?}: said {said:?}, is {is:?}")),
            }
        }
        None
    }
}

impl Asked for Equal {
    fn ask(&mut self, question: &Question) -> bool {
        // The same other chain each time it is asked.
        let other = variant(&mut Draw(self.pairs as u64), question);
        other.is_some_and(|other| self.ask_of(question, other))
    }

    fn compare(&mut self, question: &Question, most: i64) {
        let (other, answer) = self.last.as_ref().expect("an answer");
        self.pairs += 1;
        match &answer.difference {
            _ if answer.is_same() => self.same += 1,
            Some(_) => self.differ += 1,
            None => self.open += 1,
        }
        let about = format!("{} and {}: {answer}", question.written(), other.written());
        let mistake = self.mistake(question, most);
        self.wrong.extend(mistake.map(|mistake| format!("{about}: {mistake}")));
    }

    fn open(&self) -> Option<String> {
        let (other, answer) = self.last.as_ref()?;
        (!answer.open.is_never()).then(|| format!("{}: {answer}", other.written()))
    }

    fn wrong(&self) -> &[String] {
        &self.wrong
    }

    fn report(&mut self, title: &str) -> String {
        format!(
            "{title}: {} pairs: {} the same, {} differ, {} neither shown; {} points, {} open; {} wrong",
            self.pairs,
            self.same,
            self.differ,
            self.open,
            self.points,
            self.open_points,
            self.wrong.len()
        )
    }
}

/// The most indices at which an expression is compared at a point.
const MOST_INDICES: usize = 200;

#[derive(Default)]
struct Form {
    last: Option<(SymbolicChain, SymbolicForm)>,
    chains: usize,
    /// Chains whose expression divides.
    dividing: usize,
    points: usize,
    /// Points at which the concrete expression has fewer divisions.
    more_points: usize,
    indices: usize,
    wrong: Vec<String>,
}

impl Asked for Form {
    fn ask(&mut self, question: &Question) -> bool {
        let chain = SymbolicChain::parse(&question.declared(), &question.written()).ok();
        self.last = chain.and_then(|chain| chain.form(&limit()).ok().map(|form| (chain, form)));
        self.last.is_some()
    }

    fn compare(&mut self, question: &Question, most: i64) {
        let (chain, form) = self.last.as_ref().expect("an answer");
        self.chains += 1;
        self.dividing += usize::from(form.divisions() > 0);
        for point in question.points(most) {
            let Ok(concrete) = chain.at(&point) else { continue };
            self.points += 1;
            let fewest =
                concrete.form(&Limit::steps(100_000)).map_or(0, |form| form.floors().len());
            self.more_points += usize::from(form.divisions() > fewest);
            for index in concrete.indices().take(MOST_INDICES) {
                self.indices += 1;
                let fits = match form.index(&point, &index) {
                    Ok(found) => concrete.index(&index) == Ok(found),
                    // Nothing is divided by 0 where all ops are allowed.
                    Err(_) => !form.requires.is_always(),
                };
                if !fits {
                    self.wrong.push(format!("{chain} at {point:?} {index:?}: {form}"));
                    return;
                }
            }
        }
    }

    fn open(&self) -> Option<String> {
        let (_, form) = self.last.as_ref()?;
        (form.divisions() > 0).then(|| form.to_string())
    }

    fn wrong(&self) -> &[String] {
        &self.wrong
    }

    fn report(&mut self, title: &str) -> String {
        format!(
            "{title}: {} chains, {} with divisions; {} points, at {} of them numbers need fewer; {} indices; {} wrong",
            self.chains,
            self.dividing,
            self.points,
            self.more_points,
            self.indices,
            self.wrong.len()
        )
    }
}

#[derive(Default)]
struct Explain {
    last: Option<SymbolicExplanation>,
    chains: usize,
    always: usize,
    open: usize,
    examples: usize,
    copies: usize,
    wrong: Vec<String>,
}

impl Asked for Explain {
    fn ask(&mut self, question: &Question) -> bool {
        let chain = SymbolicChain::parse(&question.declared(), &question.written()).ok();
        self.last = chain.map(|chain| chain.explain(&limit()));
        self.last.is_some()
    }

    fn compare(&mut self, question: &Question, _: i64) {
        let why = self.last.as_ref().expect("an answer");
        self.chains += 1;
        if why.answer.cases.iter().any(|case| case.guard.is_always()) {
            self.always += 1;
            return;
        }
        self.open += usize::from(!why.answer.open.is_never());
        self.copies += usize::from(!why.copies.is_empty());
        let Some(example) = &why.example else { return };
        self.examples += 1;
        let point: Vec<(&str, i64)> =
            example.point.iter().map(|(name, value)| (name.as_str(), *value)).collect();
        let merged = question
            .text_at(&point)
            .parse::<ViewChain>()
            .map(|chain| chain.merge_within(&Limit::steps(100_000)).expect("decided").into_view());
        if merged != Ok(None) {
            self.wrong.push(format!("{} at {point:?}: {merged:?}", question.written()));
        }
    }

    fn open(&self) -> Option<String> {
        shown_if_open(&self.last.as_ref()?.answer)
    }

    fn wrong(&self) -> &[String] {
        &self.wrong
    }

    fn report(&mut self, title: &str) -> String {
        format!(
            "{title}: {} chains, {} always one view; of the rest {} open in part, {} with an example, \
             {} with a copy that helps; {} wrong",
            self.chains,
            self.always,
            self.open,
            self.examples,
            self.copies,
            self.wrong.len()
        )
    }
}
