//! GPU matrix instructions, and which thread holds which element of their operands.
//!
//! An operand of an M×N×K product is a tile: A has M by K elements, B has N by K, C has M by N. A
//! thread-value layout takes (thread, value) to a position of the tile, in column-major order: in
//! `SM80_16x8x16_F32F16F16F32_TN` the layout of C is `((4,8),(2,2)):((32,1),(16,8))`, so value 1 of thread
//! 5 is at 32 + 1 + 16 = 49, which is row 1 and column 3. Matrix copies have a source and a destination
//! instead.
//!
//! The facts are in `table.rs`; each family says where they are documented. The tests check every layout
//! against its tile, and those of NVIDIA's instructions against the formulas in their documentation.
//!
//! Cost: only the patterns that start like the requested name are expanded to find it.

mod table;
mod tiling;

use crate::error::Error;
use crate::layout::Layout;
use table::{FAMILIES, Kind, Row};
pub use tiling::tiled_copy;

/// A group of similar instructions.
///
/// ```
/// use viewmerge_cute::AtomFamily;
///
/// let family = AtomFamily::all().find(|family| family.name() == "NVIDIA Ampere (SM80)").unwrap();
/// assert!(family.patterns().any(|names| names.starts_with("SM80_16x8x16_{F16F16F16F16,")));
/// assert_eq!(family.source(), "CUTLASS, include/cute/atom/mma_traits_sm80.hpp; PTX ISA, mma.sync");
/// ```
#[derive(Debug, Clone, Copy)]
pub struct AtomFamily(&'static table::Family);

impl AtomFamily {
    /// All families, by vendor and age.
    ///
    /// ```
    /// assert!(viewmerge_cute::AtomFamily::all().count() > 10);
    /// ```
    pub fn all() -> impl Iterator<Item = AtomFamily> {
        FAMILIES.iter().map(AtomFamily)
    }

    /// Its name.
    ///
    /// ```
    /// assert!(viewmerge_cute::AtomFamily::all().any(|family| family.name().contains("SM90")));
    /// ```
    pub fn name(self) -> &'static str {
        self.0.name
    }

    /// Where its layouts are documented.
    ///
    /// ```
    /// assert!(viewmerge_cute::AtomFamily::all().all(|family| !family.source().is_empty()));
    /// ```
    pub fn source(self) -> &'static str {
        self.0.source
    }

    /// The names of its instructions, grouped by layout: `{F16,F32}` stands for either, and `xNx` for all
    /// of [`sizes`](AtomFamily::sizes).
    ///
    /// ```
    /// use viewmerge_cute::AtomFamily;
    ///
    /// let count: usize = AtomFamily::all().map(|family| family.patterns().count()).sum();
    /// assert!(count > 60);
    /// ```
    pub fn patterns(self) -> impl Iterator<Item = &'static str> {
        self.0.rows.iter().map(|row| row.names)
    }

    /// Its instructions: for every pattern its names, and the values of N if it is variable.
    ///
    /// ```
    /// use viewmerge_cute::AtomFamily;
    ///
    /// let family = AtomFamily::all().find(|family| family.name().contains("wgmma")).unwrap();
    /// let (names, sizes) = family.sizes().next().unwrap();
    /// assert_eq!((names[0].as_str(), sizes.len()), ("SM90_64xNx16_F16F16F16_RS", 32));
    /// ```
    pub fn sizes(self) -> impl Iterator<Item = (Vec<String>, &'static [i64])> {
        self.0.rows.iter().map(|row| (expanded(row.names), row.columns))
    }
}

/// An operand of an instruction.
///
/// ```
/// use viewmerge_cute::Atom;
///
/// let atom = Atom::named("SM80_16x8x16_F32F16F16F32_TN")?;
/// let [a, b, c] = atom.operands() else { unreachable!() };
/// assert_eq!((a.name, a.tile), ("A", [16, 16]));
/// assert_eq!(c.layout.as_ref().map(ToString::to_string).as_deref(), Some("((4,8),(2,2)):((32,1),(16,8))"));
/// # Ok::<(), viewmerge_cute::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
#[non_exhaustive]
pub struct AtomOperand {
    /// A, B or C; the source or the destination of a copy.
    pub name: &'static str,
    /// Its rows and columns.
    pub tile: [i64; 2],
    /// (thread, value) → position; `None` if the operand is held in memory and not by threads.
    pub layout: Option<Layout>,
}

/// A matrix instruction or a matrix copy.
///
/// ```
/// use viewmerge_cute::Atom;
///
/// let atom = Atom::named("SM90_64x128x16_F32F16F16_SS")?;
/// assert_eq!((atom.shape(), atom.threads()), (Some([64, 128, 16]), 128));
/// assert!(atom.operands()[1].layout.is_none(), "B is in shared memory");
/// assert!(Atom::named("SM80_1x2x3").is_err());
/// # Ok::<(), viewmerge_cute::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct Atom {
    name: String,
    family: &'static str,
    shape: Option<[i64; 3]>,
    threads: i64,
    #[serde(skip_serializing_if = "Option::is_none")]
    note: Option<&'static str>,
    source: &'static str,
    operands: Vec<AtomOperand>,
}

impl Atom {
    /// The instruction with this name.
    ///
    /// # Errors
    ///
    /// [`Error::UnknownAtom`] if none has this name.
    ///
    /// ```
    /// use viewmerge_cute::Atom;
    ///
    /// let atom = Atom::named("v_mfma_f32_32x32x8_f16")?;
    /// assert_eq!(atom.threads(), 64);
    /// # Ok::<(), viewmerge_cute::Error>(())
    /// ```
    pub fn named(name: &str) -> Result<Atom, Error> {
        for family in FAMILIES {
            for row in family.rows.iter().filter(|row| row.may_be(name)) {
                let names = expanded(row.names);
                if row.columns.is_empty() && names.iter().any(|own| own == name) {
                    return row.atom(family, name, row.shape[1]);
                }
                for &n in row.columns {
                    let size = format!("x{n}x");
                    if names.iter().any(|own| own.replace("xNx", &size) == name) {
                        return row.atom(family, name, n);
                    }
                }
            }
        }
        Err(Error::UnknownAtom { name: name.to_string() })
    }

    /// Its name.
    ///
    /// ```
    /// # use viewmerge_cute::Atom;
    /// assert_eq!(Atom::named("SM75_U32x4_LDSM_N")?.name(), "SM75_U32x4_LDSM_N");
    /// # Ok::<(), viewmerge_cute::Error>(())
    /// ```
    pub fn name(&self) -> &str {
        &self.name
    }

    /// M, N and K; `None` for a copy.
    ///
    /// ```
    /// # use viewmerge_cute::Atom;
    /// assert_eq!(Atom::named("SM75_U32x4_LDSM_N")?.shape(), None);
    /// # Ok::<(), viewmerge_cute::Error>(())
    /// ```
    pub fn shape(&self) -> Option<[i64; 3]> {
        self.shape
    }

    /// How many threads take part.
    ///
    /// ```
    /// # use viewmerge_cute::Atom;
    /// assert_eq!(Atom::named("SM70_8x8x4_F32F16F16F32_NT")?.threads(), 8);
    /// # Ok::<(), viewmerge_cute::Error>(())
    /// ```
    pub fn threads(&self) -> i64 {
        self.threads
    }

    /// A remark about it, if there is one.
    ///
    /// ```
    /// # use viewmerge_cute::Atom;
    /// assert!(Atom::named("SM70_8x8x4_F32F16F16F32_NT")?.note().is_some());
    /// # Ok::<(), viewmerge_cute::Error>(())
    /// ```
    pub fn note(&self) -> Option<&'static str> {
        self.note
    }

    /// Its operands.
    ///
    /// ```
    /// # use viewmerge_cute::Atom;
    /// assert_eq!(Atom::named("SM75_U32x4_LDSM_N")?.operands().len(), 2);
    /// # Ok::<(), viewmerge_cute::Error>(())
    /// ```
    pub fn operands(&self) -> &[AtomOperand] {
        &self.operands
    }
}

impl Row {
    /// Whether a name starts like this pattern, as far as its literal prefix shows.
    fn may_be(&self, name: &str) -> bool {
        let end = self.names.find(['{', 'N']).unwrap_or(self.names.len());
        name.starts_with(&self.names[..end])
    }

    fn atom(&self, family: &table::Family, name: &str, n: i64) -> Result<Atom, Error> {
        let [m, _, k] = self.shape;
        let blocks = self.blocks;
        let tiles = match family.kind {
            Kind::Product => {
                vec![("A", [m * blocks, k]), ("B", [n * blocks, k]), ("C", [m * blocks, n])]
            }
            Kind::Copy => vec![("source", [m, n]), ("destination", [m, n])],
        };
        let operand = |((name, tile), text): ((&'static str, [i64; 2]), &&str)| {
            let text = text.replace("N/8", &(n / 8).to_string()).replace('N', &n.to_string());
            let layout = if text.is_empty() { None } else { Some(text.parse()?) };
            Ok(AtomOperand { name, tile, layout })
        };
        Ok(Atom {
            name: name.to_string(),
            family: family.name,
            shape: matches!(family.kind, Kind::Product).then_some([m, n, k]),
            threads: family.threads,
            note: family.note,
            source: family.source,
            operands: tiles
                .into_iter()
                .zip(&self.layouts)
                .map(operand)
                .collect::<Result<_, Error>>()?,
        })
    }
}

/// All texts that a pattern stands for: `a{b,c}d` is `abd` and `acd`.
fn expanded(pattern: &str) -> Vec<String> {
    let Some((before, rest)) = pattern.split_once('{') else { return vec![pattern.to_string()] };
    let Some((choices, after)) = rest.split_once('}') else { return vec![pattern.to_string()] };
    let tails = expanded(after);
    let texts = choices
        .split(',')
        .flat_map(|choice| tails.iter().map(move |tail| format!("{before}{choice}{tail}")));
    texts.collect()
}
