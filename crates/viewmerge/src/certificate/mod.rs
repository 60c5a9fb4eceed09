//! An answer with a proof that anybody can check.
//!
//! A certificate that a chain is the view w consists of the chain, w, and a
//! proof for each of the systems that must have no point: no index outside w's
//! box is valid, none inside is padding, and nowhere is the position more or
//! less than w's. A certificate of *no* is the witness. docs/certificates.md
//! describes the format so that a checker can be written from it alone; the
//! crate `viewmerge-verify` is one, and proofs/theories/Certificate.v another.
//!
//! The proofs are the search trees of [`lattice_point`], written down.
//!
//! Running example: that `(2,3)` seen through `(6)` is `(6)` has two claims,
//! *above* and *below*, each of which one row alone contradicts.
//!
//! Cost: that of deciding with the system, some hundred bytes to a few kilobytes.

pub(crate) mod json;
mod rows;

use alloc::vec::Vec;

use crate::chain::ViewChain;
use crate::difference::{Difference, Pair};
use crate::dims::Index;
use crate::encoding::{Question, Reach};
use crate::equivalence::{Equivalence, compare};
use crate::error::Error;
use crate::limit::{Exhausted, Limit, Meter};
use crate::merge::{Verdict, Witness, check_chain, decide_chain};
use crate::path::Path;
use crate::view::View;
use lattice_point::{Encode, Proof, Side};
use rows::{Rows, masked_axis};

/// An answer about one chain, or about two, and why it is true.
///
/// It is written as JSON by `Display`, in the format of docs/certificates.md.
///
/// ```
/// use viewmerge::{Limit, View, certify};
///
/// let chain: [View; 2] = ["(2,2)".parse()?, "(4)".parse()?];
/// let certificate = certify(&chain, &Limit::none())?;
/// assert!(certificate.to_string().contains(r#"{"claim":"above","proof":{"absurd":"#));
/// # Ok::<(), viewmerge::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Certificate {
    views: Vec<View>,
    other: Option<Vec<View>>,
    answer: Answer,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash)]
enum Answer {
    /// One view, and a proof of every claim.
    Merged(View, Vec<Proven>),
    Witness(Witness),
    Same(Vec<Proven>),
    Differ(Option<Index>),
    /// A view, and its index that points outside the view below.
    Apart(usize, Vec<i64>),
    /// Two indices with the same position.
    Collision([Index; 2]),
}

/// A claim, and its proof in the rows and variables of the format.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
struct Proven {
    statement: Statement,
    proof: Proof,
    /// How many rows there are; splits are numbered from there on.
    rows: usize,
}

/// What a claim says, in the words of the format, with those members that it has.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default)]
struct Statement {
    claim: &'static str,
    chain: Option<usize>,
    view: Option<usize>,
    axis: Option<usize>,
    side: Option<Side>,
}

impl Certificate {
    /// An answer about one chain.
    fn about(views: &[View], answer: Answer) -> Certificate {
        Certificate { views: views.to_vec(), other: None, answer }
    }

    /// Whether the answer is yes: one view, or the same function.
    ///
    /// ```
    /// use viewmerge::{Limit, ViewChain};
    ///
    /// let chain: ViewChain = "(2,3) | permute(1,0) | reshape(6)".parse()?;
    /// assert!(!chain.certify(&Limit::none())?.is_yes());
    /// # Ok::<(), viewmerge::Error>(())
    /// ```
    #[must_use]
    pub fn is_yes(&self) -> bool {
        matches!(self.answer, Answer::Merged(..) | Answer::Same(_))
    }

    /// The number of nodes of all its proofs.
    ///
    /// ```
    /// use viewmerge::{Limit, ViewChain};
    ///
    /// let chain: ViewChain = "(2,3) | (6)".parse()?;
    /// assert_eq!(chain.certify(&Limit::none())?.nodes(), 2);
    /// # Ok::<(), viewmerge::Error>(())
    /// ```
    #[must_use]
    pub fn nodes(&self) -> usize {
        match &self.answer {
            Answer::Merged(_, proofs) | Answer::Same(proofs) => {
                proofs.iter().map(|proven| proven.proof.nodes()).sum()
            }
            Answer::Witness(_) | Answer::Differ(_) | Answer::Apart(..) | Answer::Collision(_) => 0,
        }
    }
}

/// Decides whether a chain is one view, and writes down why.
///
/// # Errors
///
/// Those of [`merge`](crate::merge()).
///
/// ```
/// use viewmerge::{Limit, View, certify};
///
/// let chain: [View; 2] = ["(2,2):(1,2)".parse()?, "(4)".parse()?];
/// let certificate = certify(&chain, &Limit::none())?;
/// assert!(certificate.to_string().contains(r#""witness":{"kind":"step","axis":0"#));
/// # Ok::<(), viewmerge::Error>(())
/// ```
pub fn certify(
    chain: &(impl AsRef<[View]> + ?Sized),
    limit: &Limit<'_>,
) -> Result<Certificate, Error> {
    let chain = chain.as_ref();
    check_chain(chain)?;
    let mut meter = limit.meter();
    let answer = match decide_chain(chain, &mut meter)? {
        Verdict::NotMergeable(witness) => Answer::Witness(witness),
        Verdict::Merged(view) => {
            let proofs = prove_same([chain, core::slice::from_ref(&view)], false, &mut meter)?;
            Answer::Merged(view, proofs)
        }
    };
    Ok(Certificate::about(chain, answer))
}

/// Decides whether two chains are the same function, and writes down why.
///
/// # Errors
///
/// Those of [`equivalent`](crate::equivalent()).
///
/// ```
/// use viewmerge::{Limit, ViewChain, certify_equivalence};
///
/// let rows: ViewChain = "(2,3) | reshape(6)".parse()?;
/// let columns: ViewChain = "(2,3) | permute(1,0) | reshape(6)".parse()?;
/// let certificate = certify_equivalence(&rows, &columns, &Limit::none())?;
/// assert!(certificate.to_string().contains(r#""differ":["#));
/// # Ok::<(), viewmerge::Error>(())
/// ```
pub fn certify_equivalence(
    a: &(impl AsRef<[View]> + ?Sized),
    b: &(impl AsRef<[View]> + ?Sized),
    limit: &Limit<'_>,
) -> Result<Certificate, Error> {
    let (a, b) = (a.as_ref(), b.as_ref());
    let mut meter = limit.meter();
    let (first, second) = (ViewChain::from_views(a)?, ViewChain::from_views(b)?);
    let answer = match compare(&first, &second, &mut meter)? {
        Equivalence::Shapes => Answer::Differ(None),
        Equivalence::Differ(index) => Answer::Differ(Some(index)),
        Equivalence::Same => Answer::Same(prove_same([a, b], true, &mut meter)?),
    };
    Ok(Certificate { other: Some(b.to_vec()), ..Certificate::about(a, answer) })
}

/// Certifies that views do not compose, by an index that points outside; `None` if they do compose.
///
/// ```
/// use viewmerge::{View, certify_apart};
///
/// let views: [View; 2] = ["(3):(2)".parse()?, "(4)".parse()?];
/// let certificate = certify_apart(&views).expect("index 3 is outside");
/// assert!(certificate.to_string().ends_with(r#""apart":{"view":1,"index":[3]}}"#));
/// assert!(certify_apart(&views[..1]).is_none());
/// # Ok::<(), viewmerge::Error>(())
/// ```
#[must_use]
pub fn certify_apart(views: &[View]) -> Option<Certificate> {
    match check_chain(views) {
        Err(Error::NotComposable { view, index, .. }) => {
            Some(Certificate::about(views, Answer::Apart(view, index)))
        }
        _ => None,
    }
}

/// Certifies that a view is not injective, by two indices at one position; `None` if it is injective.
///
/// # Errors
///
/// [`Error::Undecided`] if the limit is reached first.
///
/// ```
/// use viewmerge::{Limit, View, certify_collision};
///
/// let windows: View = "(4,3):(1,1)".parse()?;
/// let certificate = certify_collision(&windows, &Limit::none())?.expect("windows overlap");
/// assert!(certificate.to_string().contains(r#""collision":[["#));
/// # Ok::<(), viewmerge::Error>(())
/// ```
pub fn certify_collision(view: &View, limit: &Limit<'_>) -> Result<Option<Certificate>, Error> {
    let answer = view.collision(limit)?.map(Answer::Collision);
    Ok(answer.map(|answer| Certificate::about(core::slice::from_ref(view), answer)))
}

/// A claim about paths, and the proof that the question has no point.
fn prove(
    paths: &[&Path<'_>],
    statement: Statement,
    question: &Question<'_>,
    meter: &mut Meter<'_>,
) -> Result<Proven, Exhausted> {
    let Ok(proof) = question.refute(meter)? else { unreachable!("{statement:?} was decided") };
    let rows = Rows::new(paths, question);
    let proof = rows.translate(&proof, &mut Vec::new());
    Ok(Proven { statement, proof, rows: rows.count() })
}

/// The claim that two chains do not differ in this way; `named` if it says which chain it is about.
fn statement(paths: [&Path<'_>; 2], named: bool, difference: &Difference) -> Statement {
    let says = |claim| Statement { claim, ..Statement::default() };
    let name = |chain: usize| named.then_some(chain);
    match *difference {
        Difference::Outside { chain, axis, side } => {
            let path = paths[chain];
            let (axis, side) = (Some(path.axes[axis]), Some(side));
            match name(chain) {
                None => Statement { axis, side, ..says("outside") },
                chain => {
                    Statement { chain, view: Some(path.stages.len()), axis, side, claim: "hole" }
                }
            }
        }
        Difference::Missed { chain, reach: Reach::Missed { stage, slab, side } } => {
            let (path, chain) = (paths[chain], name(chain));
            let (view, axis) = (path.view_number(stage), masked_axis(path, stage, slab));
            Statement { chain, view: Some(view), axis: Some(axis), side: Some(side), claim: "hole" }
        }
        Difference::Missed { chain, .. } => empty(name(chain)),
        Difference::Position { side: Side::High } => says("above"),
        Difference::Position { side: Side::Low } => says("below"),
    }
}

/// The claim that a chain has no valid index.
fn empty(chain: Option<usize>) -> Statement {
    Statement { claim: "empty", chain, ..Statement::default() }
}

/// Whether a view of the chain is padding everywhere.
fn has_nothing(views: &[View]) -> bool {
    views.iter().any(|view| !view.is_empty() && !view.has_valid_index())
}

/// Proves every claim that two chains of one shape are the same function. If the second one is the
/// view that the first one merges to, the claims do not name chains.
fn prove_same(
    chains: [&[View]; 2],
    named: bool,
    meter: &mut Meter<'_>,
) -> Result<Vec<Proven>, Exhausted> {
    let [Some((first, below)), Some((second, beneath))] = chains.map(<[View]>::split_last) else {
        return Ok(Vec::new());
    };
    let paths = [Path::literal(below, first), Path::literal(beneath, second)];
    match chains.map(has_nothing) {
        _ if first.is_empty() => return Ok(Vec::new()),
        [true, true] => return Ok(Vec::new()),
        [false, false] => {}
        [nothing, _] => {
            let chain = usize::from(nothing);
            let path = &paths[chain];
            let bounds = path.domain().bounds();
            let question = Question::about(&bounds, [path.route(Reach::Valid)]);
            let statement = empty(named.then_some(chain));
            return Ok(vec![prove(&[path], statement, &question, meter)?]);
        }
    }
    let both = [&paths[0], &paths[1]];
    let pair = Pair::new(both);
    let mut differences = pair.differences();
    if named {
        // In the order of the format: those about the first chain, then about the second.
        differences.sort_by_key(|difference| match difference {
            Difference::Outside { chain, .. } | Difference::Missed { chain, .. } => *chain,
            Difference::Position { .. } => 2,
        });
    } else {
        differences.retain(|difference| pair.is_open(difference));
    }
    let proofs = differences.iter().map(|difference| {
        let mut question = pair.question(difference);
        // Routes in the order of the chains.
        question.paths.sort_by_key(|route| route.chain);
        prove(&both, statement(both, named, difference), &question, meter)
    });
    proofs.collect()
}

#[cfg(test)]
mod tests {
    use alloc::string::String;

    use super::*;

    /// The claims of a certificate, in its order.
    fn claims(certificate: &Certificate) -> String {
        let (Answer::Merged(_, proofs) | Answer::Same(proofs)) = &certificate.answer else {
            return format!("{:?}", certificate.answer);
        };
        let words = proofs.iter().map(|proven| {
            let Statement { claim, chain, view, axis, side } = &proven.statement;
            let mut words = String::from(*claim);
            for (name, number) in [("chain", chain), ("view", view), ("axis", axis)] {
                words += &number.map_or(String::new(), |number| format!(" {name} {number}"));
            }
            words + &side.map_or(String::new(), |side| format!(" {side:?}"))
        });
        words.collect::<Vec<String>>().join(", ")
    }

    fn chain(text: &str) -> ViewChain {
        text.parse().expect(text)
    }

    #[test]
    fn what_must_be_proved_of_one_view() {
        // (chain, the claims)
        let rows = [
            ("(2,3) | (6)", "above, below"),
            ("(2,3) [0:2,0:2] | (3)", "outside axis 0 High, hole view 0 axis 1 High, above, below"),
            ("(6):(1)-1 [1:5] | (2):(5)", "empty"),
            // Nothing is valid in a view: there is nothing to prove.
            ("(6) nothing | (2):(5)", ""),
            ("(0,3) | (3,0)", ""),
        ];
        for (text, expected) in rows {
            let certificate = certify(&chain(text), &Limit::none()).expect(text);
            assert_eq!(claims(&certificate), expected, "{text}");
        }
    }

    #[test]
    fn what_must_be_proved_of_two_chains() {
        let rows = [
            ("(2,3) | (6)", "(6)", "above, below"),
            ("(6) [1:6] | (2,3)", "(2,3) [0:2,1:3] | (2,3)", "Differ(Some([1, 0]))"),
            (
                "(6) [3:6] | (2,3)",
                "(2,3) [1:2,0:3]",
                "hole chain 0 view 0 axis 0 Low, hole chain 1 view 0 axis 0 Low, above, below",
            ),
            ("(6) nothing", "(6) nothing", ""),
            ("(6):(1)-1 [1:5] | (2):(5)", "(2) nothing", "empty chain 0"),
        ];
        for (a, b, expected) in rows {
            let certificate = certify_equivalence(&chain(a), &chain(b), &Limit::none());
            assert_eq!(claims(&certificate.expect(a)), expected, "{a} and {b}");
        }
    }
}
