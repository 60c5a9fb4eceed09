//! Reads certificates for all sizes.
//!
//! The members come in any order, so polynomials are kept with their names until all names are known.

use std::collections::BTreeMap;

use super::polynomial::Polynomial;
use super::{Always, Clip, Floor, PolynomialView, Proof, Range, Sum};

use crate::expression::{NAME, is_name, variables};
use crate::json::{Read, Reader, short};
use crate::number::Integer;

const ALWAYS: &str =
    "variables, parameters, given, views, merged, sizes, composes, clips and floors, each once";
const POLYNOMIAL: &str = "an integer, or a list of terms such as [[2,\"N\",\"M\"],[-1]]";

/// A polynomial with names, and where it is in the text.
struct Written {
    at: usize,
    terms: Vec<(Integer, Vec<String>)>,
}

struct WrittenView {
    at: usize,
    shape: Vec<Written>,
    strides: Vec<Written>,
    offset: Written,
    mask: Option<Vec<(Written, Written)>>,
}

struct WrittenFloor {
    axis: Integer,
    quotient: Written,
    steps: Vec<Written>,
    range: Range,
}

/// What the names stand for.
type Names = BTreeMap<String, Polynomial>;

impl Reader<'_> {
    /// Reads the claim for all sizes, and its proof.
    pub(crate) fn always(&mut self) -> Read<Proof> {
        let mut object = self.open(
            "always",
            &[
                "variables",
                "parameters",
                "given",
                "views",
                "merged",
                "sizes",
                "composes",
                "clips",
                "floors",
            ],
        )?;
        let (mut declared, mut parameters, mut given) = (None, None, None);
        let (mut views, mut merged) = (None, None);
        let (mut sizes, mut composes, mut clips, mut floors) = (None, None, None, None);
        while let Some(name) = self.next(&mut object)? {
            match name {
                "variables" => declared = Some(variables(self)?),
                "parameters" => {
                    parameters =
                        Some(self.list("a list of [name, polynomial]", Reader::parameter)?);
                }
                "given" => given = Some(self.list("a list of polynomials", Reader::polynomial)?),
                "views" => views = Some(self.list("a list of views", Reader::written_view)?),
                "merged" => merged = Some(self.written_view()?),
                "sizes" => sizes = Some(self.list("a list of sums", Reader::sum)?),
                "composes" => composes = Some(self.list("a list of ranges", Reader::range)?),
                "clips" => clips = Some(self.list("a list of clips", Reader::clip)?),
                _ => floors = Some(self.floors()?),
            }
        }
        let (
            Some(variables),
            Some(parameters),
            Some(given),
            Some(views),
            Some(merged),
            Some(sizes),
            Some(composes),
            Some(clips),
            Some(floors),
        ) = (declared, parameters, given, views, merged, sizes, composes, clips, floors)
        else {
            return Err(self.incomplete(&object, ALWAYS));
        };
        if views.is_empty() {
            return Err(self.malformed(object.at, "views", "no view", "one view or more"));
        }
        let mut names = Names::new();
        for (place, variable) in variables.iter().enumerate() {
            let meaning = Polynomial::term(Integer::ONE, vec![place]);
            self.budget.hold(256 + variable.name.len() as u64)?;
            names.insert(variable.name.clone(), meaning);
        }
        // Parameters are defined by variables alone.
        let mut meant = Vec::new();
        for (name, meaning) in parameters {
            meant.push((meaning.at, name, self.resolved(&names, &meaning)?));
        }
        let mut defined = Vec::new();
        for (at, name, meaning) in meant {
            self.budget.hold(256 + name.len() as u64)?;
            if names.insert(name.clone(), meaning.clone()).is_some() {
                let found = format!("the name {:?} again", short(&name));
                return Err(self.malformed(at, "parameters", found, "every name once"));
            }
            defined.push((name, meaning));
        }
        let given = self.all_resolved(&names, &given)?;
        let mut made = Vec::new();
        for view in &views {
            made.push(self.resolved_view(&names, view)?);
        }
        let merged = self.resolved_view(&names, &merged)?;
        let floor = |WrittenFloor { axis, quotient, steps, range }: WrittenFloor| {
            let quotient = self.resolved(&names, &quotient)?;
            Ok(Floor { axis, quotient, steps: self.all_resolved(&names, &steps)?, range })
        };
        let resolved = |floors: Vec<Vec<WrittenFloor>>| {
            let lists = floors.into_iter().map(|list| list.into_iter().map(floor).collect());
            lists.collect::<Read<Vec<Vec<Floor>>>>()
        };
        let mut cut = Vec::new();
        for (clip, written, floors) in clips {
            let floors = resolved(floors)?;
            cut.push(Clip { cut: self.resolved(&names, &written)?, floors, ..clip });
        }
        let (clips, floors) = (cut, resolved(floors)?);
        let always = Always { variables, parameters: defined, given, views: made, merged };
        Ok(Proof { always, sizes, composes, clips, floors })
    }

    fn name(&mut self) -> Read<String> {
        let at = self.place();
        let name = self.string(NAME)?;
        self.budget.hold(name.len() as u64)?;
        if is_name(&name) {
            return Ok(name);
        }
        Err(self.malformed(at, self.member, format!("{:?}", short(&name)), NAME))
    }

    fn parameter(&mut self) -> Read<(String, Written)> {
        self.sign(b'[', "a parameter, [name, polynomial]")?;
        let name = self.name()?;
        self.sign(b',', "`,`, as in [name, polynomial]")?;
        let meaning = self.polynomial()?;
        self.sign(b']', "`]`, as in [name, polynomial]")?;
        Ok((name, meaning))
    }

    /// Reads entries up to the end of a list that was begun.
    fn rest<T>(&mut self, mut entry: impl FnMut(&mut Self) -> Read<T>) -> Read<Vec<T>> {
        let mut entries = Vec::new();
        while self.take(b',') {
            self.budget.entry::<T>()?;
            entries.push(entry(self)?);
        }
        self.sign(b']', "`,` or `]`")?;
        Ok(entries)
    }

    fn polynomial(&mut self) -> Read<Written> {
        let at = self.place();
        if self.peek() != Some(b'[') {
            return Ok(Written { at, terms: vec![(self.integer()?, Vec::new())] });
        }
        let terms = self.list(POLYNOMIAL, |reader| {
            reader.sign(b'[', "a term, [number, name, …]")?;
            Ok((reader.integer()?, reader.rest(|reader| reader.name())?))
        })?;
        Ok(Written { at, terms })
    }

    fn written_view(&mut self) -> Read<WrittenView> {
        let mut object = self.open("view", &["shape", "strides", "offset", "mask"])?;
        let (mut shape, mut strides, mut offset, mut mask) = (None, None, None, None);
        while let Some(name) = self.next(&mut object)? {
            match name {
                "shape" => shape = Some(self.list(POLYNOMIAL, Reader::polynomial)?),
                "strides" => strides = Some(self.list(POLYNOMIAL, Reader::polynomial)?),
                "offset" => offset = Some(self.polynomial()?),
                _ if self.null() => mask = Some(None),
                _ => {
                    mask = Some(Some(self.list("null or a list of [lo, hi]", |reader| {
                        reader.sign(b'[', "an interval [lo, hi]")?;
                        let lo = reader.polynomial()?;
                        reader.sign(b',', "`,`, as in [lo, hi]")?;
                        let hi = reader.polynomial()?;
                        reader.sign(b']', "`]`, as in [lo, hi]")?;
                        Ok((lo, hi))
                    })?));
                }
            }
        }
        match (shape, strides, offset, mask) {
            (Some(shape), Some(strides), Some(offset), Some(mask)) => {
                Ok(WrittenView { at: object.at, shape, strides, offset, mask })
            }
            _ => Err(self.incomplete(&object, "shape, strides, offset and mask")),
        }
    }

    fn sum(&mut self) -> Read<Sum> {
        self.sign(b'[', "a sum, [times, [multiplier, factor, …], …]")?;
        let times = self.integer()?;
        let terms = self.rest(|reader| {
            reader.sign(b'[', "a term, [multiplier, factor, …]")?;
            Ok((reader.integer()?, reader.rest(|reader| reader.integer())?))
        })?;
        Ok(Sum { times, terms })
    }

    fn range(&mut self) -> Read<Range> {
        let mut object = self.open("range", &["down", "proofs"])?;
        let (mut down, mut proofs) = (None, None);
        while let Some(name) = self.next(&mut object)? {
            match name {
                "down" => down = Some(self.integers()?),
                _ => proofs = Some(self.list("a list of sums", Reader::sum)?),
            }
        }
        match (down, proofs) {
            (Some(down), Some(proofs)) => Ok(Range { down, proofs }),
            _ => Err(self.incomplete(&object, "down and proofs")),
        }
    }

    fn floor(&mut self) -> Read<WrittenFloor> {
        let mut object = self.open("floor", &["axis", "quotient", "steps", "down", "proofs"])?;
        let (mut axis, mut quotient, mut steps) = (None, None, None);
        let (mut down, mut proofs) = (None, None);
        while let Some(name) = self.next(&mut object)? {
            match name {
                "axis" => axis = Some(self.integer()?),
                "quotient" => quotient = Some(self.polynomial()?),
                "steps" => steps = Some(self.list("a list of polynomials", Reader::polynomial)?),
                "down" => down = Some(self.integers()?),
                _ => proofs = Some(self.list("a list of sums", Reader::sum)?),
            }
        }
        match (axis, quotient, steps, down, proofs) {
            (Some(axis), Some(quotient), Some(steps), Some(down), Some(proofs)) => {
                Ok(WrittenFloor { axis, quotient, steps, range: Range { down, proofs } })
            }
            _ => Err(self.incomplete(&object, "axis, quotient, steps, down and proofs")),
        }
    }

    fn floors(&mut self) -> Read<Vec<Vec<WrittenFloor>>> {
        self.list("a list of lists of floors", |reader| {
            reader.list("a list of floors", Reader::floor)
        })
    }

    /// Reads a clip; its parts that contain names are returned separately.
    fn clip(&mut self) -> Read<(Clip, Written, Vec<Vec<WrittenFloor>>)> {
        let names = &["view", "axis", "side", "along", "from", "cut", "proof", "floors"];
        let mut object = self.open("clip", names)?;
        let (mut view, mut axis, mut side, mut along) = (None, None, None, None);
        let (mut from, mut cut, mut proof, mut floors) = (None, None, None, None);
        while let Some(name) = self.next(&mut object)? {
            match name {
                "view" => view = Some(self.integer()?),
                "axis" => axis = Some(self.integer()?),
                "side" => side = Some(self.side()?),
                "along" => along = Some(self.integer()?),
                "from" => from = Some(self.side()?),
                "cut" => cut = Some(self.polynomial()?),
                "proof" => proof = Some(self.sum()?),
                _ => floors = Some(self.floors()?),
            }
        }
        match (view, axis, side, along, from, cut, proof, floors) {
            (
                Some(view),
                Some(axis),
                Some(side),
                Some(along),
                Some(from),
                Some(written),
                Some(proof),
                Some(floors),
            ) => {
                let (cut, own) = (Polynomial::default(), Vec::new());
                let clip = Clip { view, axis, side, along, from, cut, proof, floors: own };
                Ok((clip, written, floors))
            }
            _ => Err(self.incomplete(
                &object,
                "view, axis, side, along, from, cut, proof and floors, each once",
            )),
        }
    }

    fn resolved(&self, names: &Names, written: &Written) -> Read<Polynomial> {
        let mut sum = Polynomial::default();
        for (coefficient, factors) in &written.terms {
            let mut product = Polynomial::number(Integer::ONE);
            for name in factors {
                let Some(meaning) = names.get(name) else {
                    let found = format!("{:?}", short(name));
                    let accepted = "a variable or a parameter";
                    return Err(self.malformed(written.at, "polynomial", found, accepted));
                };
                product = product.times(meaning, self.budget)?;
            }
            sum.add(coefficient, &Polynomial::number(Integer::ONE), &product, self.budget)?;
        }
        Ok(sum)
    }

    fn all_resolved(&self, names: &Names, list: &[Written]) -> Read<Vec<Polynomial>> {
        list.iter().map(|written| self.resolved(names, written)).collect()
    }

    fn resolved_view(&self, names: &Names, written: &WrittenView) -> Read<PolynomialView> {
        let WrittenView { at, shape, strides, offset, mask } = written;
        let rank = shape.len();
        if strides.len() != rank || mask.as_ref().is_some_and(|mask| mask.len() != rank) {
            let found = format!("lists whose lengths differ from the {rank} sizes");
            return Err(self.malformed(
                *at,
                "view",
                found,
                "as many strides and intervals as sizes",
            ));
        }
        let interval =
            |(lo, hi): &(_, _)| Ok((self.resolved(names, lo)?, self.resolved(names, hi)?));
        let mask = match mask {
            None => None,
            Some(mask) => Some(mask.iter().map(interval).collect::<Read<Vec<_>>>()?),
        };
        Ok(PolynomialView {
            shape: self.all_resolved(names, shape)?,
            strides: self.all_resolved(names, strides)?,
            offset: self.resolved(names, offset)?,
            mask,
        })
    }
}
