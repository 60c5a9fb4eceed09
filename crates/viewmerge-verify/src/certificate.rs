//! A certificate, parsed but not yet believed.
//!
//! Only the form is checked here: the members, the kinds of values, and that views are views.

mod indices;
mod tree;

use crate::budget::Budget;
use crate::claim::{Claim, Question, Side};
use crate::expression::{HalfRead, Pair};
use crate::json::{Read, Reader, Source};
use crate::number::Integer;
use crate::proof::ProofNode;
use crate::proofs::Proved;
use crate::sizes::Proof;
use crate::view::{Mask, View};

pub(crate) struct Certificate {
    /// Empty if the certificate is about expressions.
    pub(crate) views: Vec<View>,
    pub(crate) content: Content,
    /// The nodes of all proofs.
    pub(crate) nodes: Vec<ProofNode>,
}

pub(crate) enum Content {
    Merged { merged: View, proofs: Vec<Proved> },
    Witness(Witness),
    Equal { other: Vec<View>, proofs: Vec<Proved> },
    Differ { other: Vec<View>, differ: Option<Vec<Integer>> },
    EqualExpressions { pair: Box<Pair>, proofs: Vec<Proved> },
    DifferentExpressions { pair: Box<Pair>, differ: Vec<Integer> },
    Apart { view: Integer, index: Vec<Integer> },
    Collision([Vec<Integer>; 2]),
    Always(Box<Proof>),
}

/// Why a chain is not one view.
///
/// ```
/// use viewmerge_verify::{Shown, Witness, verify};
///
/// // A 2×2 transpose, read in order: 0, 2, 1, 3.
/// let text = r#"{"views":[{"shape":[2,2],"strides":[1,2],"offset":0,"mask":null},
///     {"shape":[4],"strides":[1],"offset":0,"mask":null}],
///     "witness":{"kind":"step","axis":0,"at":[0],"step":2,"other":[1],"other_step":-1}}"#;
/// let Ok(Shown::NotOneView { witness, .. }) = verify(text) else { panic!("was refused") };
/// assert!(matches!(&witness, Witness::Step { axis, .. } if *axis == 0.into()));
/// assert_eq!(witness.to_string(), "the step along axis 0 is +2 at (0), but −1 at (1)");
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Witness {
    /// Two steps along an axis move by different amounts.
    Step {
        /// The axis.
        axis: Integer,
        /// Where the first step begins.
        at: Vec<Integer>,
        /// How far it moves.
        step: Integer,
        /// Where the other step begins.
        other: Vec<Integer>,
        /// How far it moves.
        other_step: Integer,
    },
    /// An invalid index lies between two valid ones.
    Hole {
        /// The two valid indices.
        valid: [Vec<Integer>; 2],
        /// The index between them.
        invalid: Vec<Integer>,
    },
}

const CERTIFICATE: &str = "views and either merged, proofs; witness; other, proofs; other, differ; apart; or collision; or variables, one, two and either proofs or differ; or always";
const VIEW: &str = "shape, strides, offset and mask";
const WITNESS: &str =
    "kind \"step\", axis, at, step, other, other_step; or kind \"hole\", valid, invalid";
const CLAIM: &str = "proof and claim \"empty\"; \"outside\", axis, side; \"hole\", view, axis, side; \
    \"above\"; or \"below\"; and where there is other, chain with \"empty\" and \"hole\"; \
    of expressions \"above\", \"below\", \"lost\" or \"gained\", case";

/// The name, chain, view, axis and side of a claim.
type Parts<'n> = (Option<&'n str>, Option<Integer>, Option<Integer>, Option<Integer>, Option<Side>);

/// Reads a certificate from a text.
pub(crate) fn read(source: Source<'_>, budget: &Budget) -> Read<Certificate> {
    let mut reader = Reader::new(source, budget)?;
    let mut nodes = Vec::new();
    let mut object = reader.open(
        "certificate",
        &[
            "views",
            "merged",
            "proofs",
            "witness",
            "other",
            "differ",
            "apart",
            "collision",
            "variables",
            "one",
            "two",
            "always",
        ],
    )?;
    let mut expressions = HalfRead::default();
    let (mut views, mut merged, mut proofs) = (None, None, None);
    let (mut witness, mut other, mut differ) = (None, None, None);
    // Content that consists of indices only, with no other members.
    let mut shown_by: Option<Content> = None;
    let mut always = None;
    while let Some(name) = reader.next(&mut object)? {
        match name {
            "views" => views = Some(reader.views()?),
            "merged" => merged = Some(reader.view()?),
            "proofs" => {
                proofs = Some(reader.list("a list of claims", |reader| reader.proved(&mut nodes))?);
            }
            "always" => always = Some(reader.always()?),
            "witness" => witness = Some(reader.witness()?),
            "other" => other = Some(reader.views()?),
            "variables" | "one" | "two" => expressions.member(name, &mut reader)?,
            "apart" | "collision" if shown_by.is_some() => {
                return Err(reader.incomplete(&object, CERTIFICATE));
            }
            "apart" => shown_by = Some(reader.apart()?),
            "collision" => shown_by = Some(Content::Collision(reader.two_indices()?)),
            _ if reader.null() => differ = Some(None),
            _ => differ = Some(Some(reader.list("null or an index", Reader::integer)?)),
        }
    }
    reader.end()?;
    if let Some(proof) = always {
        if !object.is_single() {
            return Err(reader.incomplete(&object, CERTIFICATE));
        }
        return Ok(Certificate {
            views: Vec::new(),
            content: Content::Always(Box::new(proof)),
            nodes,
        });
    }
    if let Some(content) = shown_by {
        let alone = expressions.is_empty() && merged.is_none() && proofs.is_none();
        return match (views, witness, other, differ) {
            (Some(views), None, None, None) if alone => Ok(Certificate { views, content, nodes }),
            _ => Err(reader.incomplete(&object, CERTIFICATE)),
        };
    }
    if !expressions.is_empty() {
        let pair = expressions.pair(&reader)?.map(Box::new);
        let content = match (pair, proofs, differ, (views, merged, witness, other)) {
            (Some(pair), Some(proofs), None, (None, None, None, None)) => {
                Content::EqualExpressions { pair, proofs: reader.of_cases(proofs)? }
            }
            (Some(pair), None, Some(Some(differ)), (None, None, None, None)) => {
                Content::DifferentExpressions { pair, differ }
            }
            _ => return Err(reader.incomplete(&object, CERTIFICATE)),
        };
        return Ok(Certificate { views: Vec::new(), content, nodes });
    }
    let content = match (merged, proofs, witness, other, differ) {
        (Some(merged), Some(proofs), None, None, None) => {
            Content::Merged { merged, proofs: reader.of_chains(proofs, false)? }
        }
        (None, None, Some(witness), None, None) => Content::Witness(witness),
        (None, Some(proofs), None, Some(other), None) => {
            Content::Equal { other, proofs: reader.of_chains(proofs, true)? }
        }
        (None, None, None, Some(other), Some(differ)) => Content::Differ { other, differ },
        _ => return Err(reader.incomplete(&object, CERTIFICATE)),
    };
    let views = views.ok_or_else(|| reader.incomplete(&object, CERTIFICATE))?;
    Ok(Certificate { views, content, nodes })
}

impl Reader<'_> {
    fn views(&mut self) -> Read<Vec<View>> {
        let at = self.place();
        let views = self.list("a list of views", Reader::view)?;
        if views.is_empty() {
            return Err(self.malformed(at, self.member, "no view", "one view or more"));
        }
        Ok(views)
    }

    fn view(&mut self) -> Read<View> {
        let mut object = self.open("view", &["shape", "strides", "offset", "mask"])?;
        let (mut shape, mut strides, mut offset, mut mask) = (None, None, None, None);
        while let Some(name) = self.next(&mut object)? {
            match name {
                "shape" => shape = Some(self.integers()?),
                "strides" => strides = Some(self.integers()?),
                "offset" => offset = Some(self.integer()?),
                _ => mask = Some(self.mask()?),
            }
        }
        let (Some(shape), Some(strides), Some(offset), Some(mask)) = (shape, strides, offset, mask)
        else {
            return Err(self.incomplete(&object, VIEW));
        };
        let view = View { shape, strides, offset, mask };
        match faults(&view) {
            None => Ok(view),
            Some((found, accepted)) => Err(self.malformed(object.at, "view", found, accepted)),
        }
    }

    fn mask(&mut self) -> Read<Mask> {
        const ACCEPTED: &str = "null, \"nothing\" or a list of [lo, hi]";
        if self.null() {
            return Ok(Mask::All);
        }
        if self.peek() == Some(b'"') {
            self.word(ACCEPTED, |word| (word == "nothing").then_some(Mask::Nothing))
        } else {
            let pair = |reader: &mut Reader<'_>| {
                reader.sign(b'[', "an interval [lo, hi]")?;
                let lo = reader.integer()?;
                reader.sign(b',', "`,`, as in [lo, hi]")?;
                let hi = reader.integer()?;
                reader.sign(b']', "`]`, as in [lo, hi]")?;
                Ok((lo, hi))
            };
            Ok(Mask::Box(self.list(ACCEPTED, pair)?))
        }
    }

    pub(crate) fn side(&mut self) -> Read<Side> {
        self.word("\"low\" or \"high\"", |word| match word {
            "low" => Some(Side::Low),
            "high" => Some(Side::High),
            _ => None,
        })
    }

    /// Reads one of a few words.
    fn word<T>(&mut self, accepted: &'static str, known: impl Fn(&str) -> Option<T>) -> Read<T> {
        let mut ahead = self.clone();
        match known(&ahead.string(accepted)?) {
            Some(value) => {
                *self = ahead;
                Ok(value)
            }
            None => Err(self.unexpected(accepted)),
        }
    }

    fn witness(&mut self) -> Read<Witness> {
        let mut object = self.open(
            "witness",
            &["kind", "axis", "at", "step", "other", "other_step", "valid", "invalid"],
        )?;
        let (mut is_step, mut axis, mut at, mut step) = (None, None, None, None);
        let (mut other, mut other_step, mut valid, mut invalid) = (None, None, None, None);
        while let Some(name) = self.next(&mut object)? {
            match name {
                "kind" => {
                    is_step = Some(self.word("\"step\" or \"hole\"", |word| match word {
                        "step" => Some(true),
                        "hole" => Some(false),
                        _ => None,
                    })?);
                }
                "axis" => axis = Some(self.integer()?),
                "at" => at = Some(self.integers()?),
                "step" => step = Some(self.integer()?),
                "other" => other = Some(self.integers()?),
                "other_step" => other_step = Some(self.integer()?),
                "valid" => valid = Some(self.two_indices()?),
                _ => invalid = Some(self.integers()?),
            }
        }
        let step = (axis, at, step, other, other_step);
        match (is_step, step, valid, invalid) {
            (
                Some(true),
                (Some(axis), Some(at), Some(step), Some(other), Some(other_step)),
                None,
                None,
            ) => Ok(Witness::Step { axis, at, step, other, other_step }),
            (Some(false), (None, None, None, None, None), Some(valid), Some(invalid)) => {
                Ok(Witness::Hole { valid, invalid })
            }
            _ => Err(self.incomplete(&object, WITNESS)),
        }
    }

    /// Reads a claim with its proof.
    fn proved(&mut self, nodes: &mut Vec<ProofNode>) -> Read<Proved> {
        let mut object =
            self.open("claim", &["claim", "chain", "view", "axis", "side", "proof", "case"])?;
        let (mut name, mut chain, mut view) = (None, None, None);
        let (mut axis, mut side, mut root, mut case) = (None, None, None, None);
        while let Some(member) = self.next(&mut object)? {
            match member {
                "claim" => {
                    let names = ["empty", "outside", "hole", "above", "below", "lost", "gained"];
                    name = Some(self.word(
                        "\"empty\", \"outside\", \"hole\", \"above\", \"below\", \"lost\" or \"gained\"",
                        |word| names.into_iter().find(|name| *name == word),
                    )?);
                }
                "chain" => chain = Some(self.integer()?),
                "view" => view = Some(self.integer()?),
                "axis" => axis = Some(self.integer()?),
                "side" => side = Some(self.side()?),
                "case" => case = Some(self.integer()?),
                _ => root = Some(self.proof(nodes)?),
            }
        }
        let question = match name {
            Some("above") => Some(Question::Above),
            Some("below") => Some(Question::Below),
            Some("lost") => Some(Question::Lost),
            Some("gained") => Some(Question::Gained),
            _ => None,
        };
        let parts = (name, chain, view, axis, side);
        let claim = match (case, parts) {
            (Some(case), (_, None, None, None, None)) => {
                question.map(|question| Claim::Case { question, case })
            }
            (Some(_), _) => None,
            (None, parts) => Self::of_views(parts),
        };
        let (Some(claim), Some(root)) = (claim, root) else {
            return Err(self.incomplete(&object, CLAIM));
        };
        Ok(Proved { at: object.at, claim, root })
    }

    /// The claim about views with these members.
    fn of_views(parts: Parts<'_>) -> Option<Claim> {
        match parts {
            (Some("empty"), chain, None, None, None) => Some(Claim::Empty { chain }),
            (Some("outside"), None, None, Some(axis), Some(side)) => {
                Some(Claim::Outside { axis, side })
            }
            (Some("hole"), chain, Some(view), Some(axis), Some(side)) => {
                Some(Claim::Hole { chain, view, axis, side })
            }
            (Some("above"), None, None, None, None) => Some(Claim::Above),
            (Some("below"), None, None, None, None) => Some(Claim::Below),
            _ => None,
        }
    }

    /// Checks that the claims are about cases of expressions.
    fn of_cases(&self, proofs: Vec<Proved>) -> Read<Vec<Proved>> {
        match proofs.iter().find(|proved| !matches!(proved.claim, Claim::Case { .. })) {
            None => Ok(proofs),
            Some(proved) => {
                let found = format!("the claim {}", proved.claim);
                let accepted = "\"above\", \"below\", \"lost\" or \"gained\", with a case";
                Err(self.malformed(proved.at, "claim", found, accepted))
            }
        }
    }

    /// Checks that the claims name their chain exactly if there are two.
    fn of_chains(&self, proofs: Vec<Proved>, two: bool) -> Read<Vec<Proved>> {
        let fits = |proved: &Proved| match &proved.claim {
            Claim::Empty { chain } | Claim::Hole { chain, .. } => chain.is_some() == two,
            Claim::Outside { .. } | Claim::Above | Claim::Below => true,
            Claim::Case { .. } => false,
        };
        match proofs.iter().find(|proved| !fits(proved)) {
            None => Ok(proofs),
            Some(proved) => {
                let found = format!("the claim {}", proved.claim);
                let accepted = match (&proved.claim, two) {
                    (Claim::Case { .. }, _) => "without a case",
                    (_, true) => "with a chain",
                    (_, false) => "without a chain",
                };
                Err(self.malformed(proved.at, "claim", found, accepted))
            }
        }
    }
}

/// Why a view is invalid, and what is accepted.
fn faults(view: &View) -> Option<(String, String)> {
    let rank = view.shape.len();
    if view.strides.len() != rank {
        return Some((format!("{} strides", view.strides.len()), format!("{rank}, one an axis")));
    }
    let mut sizes = view.shape.iter().enumerate();
    if let Some((axis, size)) = sizes.find(|(_, size)| size.is_negative()) {
        return Some((format!("size {size} on axis {axis}"), "sizes of 0 or more".into()));
    }
    let Mask::Box(intervals) = &view.mask else { return None };
    if intervals.len() != rank {
        let found = format!("a mask of {} intervals", intervals.len());
        return Some((found, format!("{rank}, one an axis")));
    }
    if !view.has_elements() {
        return None;
    }
    let mut axes = intervals.iter().zip(&view.shape).enumerate();
    axes.find(|(_, ((lo, hi), size))| lo.is_negative() || lo >= hi || hi > size).map(
        |(axis, ((lo, hi), size))| {
            let found = format!("the mask [{lo}, {hi}) on axis {axis}");
            (found, format!("0 <= lo < hi <= {size}"))
        },
    )
}
