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

use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::fmt;

use crate::chain::ViewChain;
use crate::difference::{Difference, Pair};
use crate::encoding::{Miss, Question, Reach};
use crate::equivalence::{Equivalence, compare};
use crate::error::Error;
use crate::limit::{Exhausted, Limit, Meter};
use crate::merge::{Verdict, check_chain, decide_chain};
use crate::path::Path;
use crate::staircase::Staircase;
use crate::view::View;
use json::{listed, numbers};
use lattice_point::{Encode, Side};
use rows::{Rows, masked_axis};

/// An answer about one chain, or about two, and why it is true.
///
/// It is written as JSON by `Display`, in the format of docs/certificates.md.
///
/// ```
/// use viewmerge::{Limit, ViewChain};
///
/// let chain: ViewChain = "(2,2) | (4)".parse()?;
/// let certificate = chain.certify(&Limit::none())?;
/// assert!(certificate.to_string().contains(r#"{"claim":"above","proof":{"absurd":"#));
/// # Ok::<(), viewmerge::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Certificate {
    json: String,
    is_yes: bool,
    nodes: usize,
}

impl fmt::Display for Certificate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.json)
    }
}

/// A claim with its proof as JSON, and the number of nodes of the proof.
pub type Proven = (String, usize);

/// An answer: a *yes* if it is proved. `json` is without the proofs, and open.
#[must_use]
pub fn certificate(mut json: String, proofs: Option<Vec<Proven>>) -> Certificate {
    let is_yes = proofs.is_some();
    let mut nodes = 0;
    if let Some(proofs) = proofs {
        json += &format!(r#","proofs":{}"#, listed(proofs.iter().map(|(claim, _)| claim)));
        nodes = proofs.iter().map(|(_, nodes)| nodes).sum();
    }
    json.push('}');
    Certificate { json, is_yes, nodes }
}

impl Certificate {
    /// An answer about some views: a *yes* if it is proved.
    fn about(views: &[View], answer: &str, proofs: Option<Vec<Proven>>) -> Certificate {
        let views = listed(views.iter().map(json::view));
        certificate(format!(r#"{{"views":{views}{answer}"#), proofs)
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
        self.is_yes
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
        self.nodes
    }
}

/// # Questions: answers with a proof
impl ViewChain {
    /// Decides whether the chain is one view, and writes down why.
    ///
    /// # Errors
    ///
    /// As for [`ViewChain::merge_within`].
    ///
    /// ```
    /// use viewmerge::{Limit, ViewChain};
    ///
    /// let chain: ViewChain = "(2,2):(1,2) | (4)".parse()?;
    /// let certificate = chain.certify(&Limit::none())?;
    /// assert!(certificate.to_string().contains(r#""witness":{"kind":"step","axis":0"#));
    /// # Ok::<(), viewmerge::Error>(())
    /// ```
    pub fn certify(&self, limit: &Limit<'_>) -> Result<Certificate, Error> {
        let (views, mut meter) = (self.views(), limit.meter());
        Ok(match decide_chain(views, &mut meter)? {
            Verdict::NotMergeable(witness) => {
                let answer = format!(r#","witness":{}"#, json::witness(&witness));
                Certificate::about(views, &answer, None)
            }
            Verdict::Merged(view) => {
                let proofs = prove_same([views, core::slice::from_ref(&view)], false, &mut meter)?;
                let answer = format!(r#","merged":{}"#, json::view(&view));
                Certificate::about(views, &answer, Some(proofs))
            }
        })
    }

    /// Decides whether two chains are the same function, and writes down why.
    ///
    /// # Errors
    ///
    /// As for [`ViewChain::equivalent`].
    ///
    /// ```
    /// use viewmerge::{Limit, ViewChain};
    ///
    /// let rows: ViewChain = "(2,3) | reshape(6)".parse()?;
    /// let columns: ViewChain = "(2,3) | permute(1,0) | reshape(6)".parse()?;
    /// let certificate = rows.certify_equivalence(&columns, &Limit::none())?;
    /// assert!(certificate.to_string().contains(r#""differ":["#));
    /// # Ok::<(), viewmerge::Error>(())
    /// ```
    pub fn certify_equivalence(
        &self,
        other: &ViewChain,
        limit: &Limit<'_>,
    ) -> Result<Certificate, Error> {
        let (chains, mut meter) = ([self.views(), other.views()], limit.meter());
        let (differ, proofs) = match compare(self, other, &mut meter)? {
            Equivalence::Shapes => (r#","differ":null"#.to_string(), None),
            Equivalence::Differ(index) => (format!(r#","differ":{}"#, numbers(&index)), None),
            Equivalence::Same => (String::new(), Some(prove_same(chains, true, &mut meter)?)),
        };
        let answer = format!(r#","other":{}{differ}"#, listed(chains[1].iter().map(json::view)));
        Ok(Certificate::about(chains[0], &answer, proofs))
    }
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
            let index = numbers(&index);
            let answer = format!(r#","apart":{{"view":{view},"index":{index}}}"#);
            Some(Certificate::about(views, &answer, None))
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
    Ok(view.collision(limit)?.map(|indices| {
        let indices = listed(indices.iter().map(|index| numbers(index)));
        let answer = format!(r#","collision":{indices}"#);
        Certificate::about(core::slice::from_ref(view), &answer, None)
    }))
}

/// A claim about paths, and the proof that the question has no point.
fn prove(
    paths: &[&Path<'_>],
    claim: &str,
    question: &Question<'_>,
    meter: &mut Meter<'_>,
) -> Result<Proven, Exhausted> {
    let Ok(proof) = question.refute(meter)? else { unreachable!("{claim} was decided") };
    let rows = Rows::new(paths, question);
    let proof = rows.translate(&proof, &mut Vec::new());
    let tree = json::tree(&proof, rows.count());
    Ok((format!(r#"{{"claim":{claim},"proof":{tree}}}"#), proof.nodes()))
}

/// The claim that two chains do not differ in this way; `named` if it says which chain it is about.
fn claim(paths: [&Path<'_>; 2], named: bool, difference: &Difference) -> String {
    let hole = |chain: usize, view: usize, axis: usize, side: Side| {
        let (chain, side) = (named_chain(named, chain), json::side(side));
        format!(r#""hole"{chain},"view":{view},"axis":{axis},"side":{side}"#)
    };
    match *difference {
        Difference::Outside { chain, axis, side } => {
            let (path, axis) = (paths[chain], paths[chain].axes[axis]);
            match named {
                true => hole(chain, path.stages.len(), axis, side),
                false => format!(r#""outside","axis":{axis},"side":{}"#, json::side(side)),
            }
        }
        Difference::Missed { chain, miss: Miss { stage, slab, side } } => {
            let path = paths[chain];
            hole(chain, path.view_number(stage), masked_axis(path, stage, slab), side)
        }
        Difference::Position { side: Side::High } => r#""above""#.into(),
        Difference::Position { side: Side::Low } => r#""below""#.into(),
    }
}

/// Which chain a claim is about, if it says so.
fn named_chain(named: bool, chain: usize) -> String {
    if named { format!(r#","chain":{chain}"#) } else { String::new() }
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
    let whole = |below, top| Path::whole(below, top, Staircase::literal);
    let paths = [whole(below, first), whole(beneath, second)];
    // Whether a view of the chain is padding everywhere.
    let has_nothing = |view: &View| !view.is_empty() && !view.has_valid_index();
    match chains.map(|views| views.iter().any(has_nothing)) {
        _ if first.is_empty() => return Ok(Vec::new()),
        [true, true] => return Ok(Vec::new()),
        [false, false] => {}
        [nothing, _] => {
            let chain = usize::from(nothing);
            let path = &paths[chain];
            let bounds = path.domain().bounds();
            let question = Question::about(&bounds, [path.route(Reach::Valid)]);
            let claim = format!(r#""empty"{}"#, named_chain(named, chain));
            return Ok(vec![prove(&[path], &claim, &question, meter)?]);
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
        prove(&both, &claim(both, named, difference), &question, meter)
    });
    proofs.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The claims of a certificate, in its order; what it says of a *no*.
    fn claims(certificate: &Certificate) -> String {
        let json = certificate.to_string();
        let claims = json.split(r#"{"claim":"#).skip(1);
        let words = claims.filter_map(|text| Some(text.split_once(r#","proof":"#)?.0));
        let words = words.collect::<Vec<_>>().join(", ").replace('"', "").replace(',', " ");
        let words = words.replace("  ", ", ").replace(':', " ");
        json.split_once(r#","differ":"#).map_or(words, |(_, index)| format!("differ {index}"))
    }

    fn chain(text: &str) -> ViewChain {
        text.parse().expect(text)
    }

    #[test]
    fn what_must_be_proved_of_one_view() {
        // (chain, the claims)
        let rows = [
            ("(2,3) | (6)", "above, below"),
            (
                "(2,3) [0:2,0:2] | (3)",
                "outside axis 0 side high, hole view 0 axis 1 side high, above, below",
            ),
            ("(6):(1)-1 [1:5] | (2):(5)", "empty"),
            // Nothing is valid in a view: there is nothing to prove.
            ("(6) nothing | (2):(5)", ""),
            ("(0,3) | (3,0)", ""),
        ];
        for (text, expected) in rows {
            let certificate = chain(text).certify(&Limit::none()).expect(text);
            assert_eq!(claims(&certificate), expected, "{text}");
        }
    }

    #[test]
    fn what_must_be_proved_of_two_chains() {
        let rows = [
            ("(2,3) | (6)", "(6)", "above, below"),
            ("(6) [1:6] | (2,3)", "(2,3) [0:2,1:3] | (2,3)", "differ [1,0]}"),
            (
                "(6) [3:6] | (2,3)",
                "(2,3) [1:2,0:3]",
                "hole chain 0 view 0 axis 0 side low, hole chain 1 view 0 axis 0 side low, above, below",
            ),
            ("(6) nothing", "(6) nothing", ""),
            ("(6):(1)-1 [1:5] | (2):(5)", "(2) nothing", "empty chain 0"),
        ];
        for (a, b, expected) in rows {
            let certificate = chain(a).certify_equivalence(&chain(b), &Limit::none());
            assert_eq!(claims(&certificate.expect(a)), expected, "{a} and {b}");
        }
    }
}
