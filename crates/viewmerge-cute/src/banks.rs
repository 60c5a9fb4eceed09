//! Bank conflicts, counted exactly: how many cycles a banked memory takes for what threads read.
//!
//! **The model.** Memory consists of words of `width` bytes; word w lies in bank w mod `banks`. Thread t
//! has values v = 0, 1, …; value v of thread t is element L(P(t, v)), where L is the layout of the memory,
//! swizzled or not, and P the pattern; it occupies the bytes from there on. An *access* reads `vector`
//! values of every thread. It is served in *transactions* of `lanes` threads; by default, as many as
//! `banks · width` bytes can serve. Lanes of a transaction that read the same word receive it together
//! (broadcast). A bank delivers one word per cycle: the **degree** of a transaction is the largest number
//! of distinct words in one bank, and its conflicts are the degree minus 1.
//!
//! Running example: a 32 by 32 matrix of floats in rows of 32, read down a column, is `(32,32):(32,1)` with
//! the threads along mode 0. All 32 words are 0 mod 32: degree 32. With rows of 33 the degree is 1, and so
//! it is with `Sw<5,0,5>`.
//!
//! **How.** The words are a chain of views, ⌊·/width⌋ over L over P. Where the chain splits (see
//! `ViewChain::split`), a word is a sum of digits, some of the lane and some of the transaction. We count
//! *fibres*: how many distinct words a transaction has in each class modulo the banks (with a swizzle,
//! modulo the bits that it mixes). They are counted digit by digit, so sizes do not matter (`fibres.rs`). A
//! swizzle of whole words takes distinct words to distinct words, and the class determines the bank.
//!
//! Cost: some microseconds plus the number of classes. Patterns that do not split, have digits that
//! collide, or are swizzled within words are walked, up to 2^20 words; beyond that they are undecided.

mod fibres;
mod walk;

use std::fmt;
use std::str::FromStr;
use std::sync::atomic::AtomicU64;

use viewmerge::{Limit, Split, View};

use crate::error::Error;
use crate::layout::{Layout, Mode, value_at, view_of};
use crate::swizzle::Swizzle;
use crate::swizzled::Swizzled;

const OP: &str = "banks";
/// The largest number allowed in the description of a memory.
const MOST: i64 = 1 << 20;

/// The layout of a memory: plain or swizzled.
///
/// ```
/// use viewmerge_cute::Memory;
///
/// assert_eq!("(8,8):(8,1)".parse::<Memory>()?.at(1)?, 8);
/// assert_eq!("Sw<3,0,3> o 0 o (8,8):(8,1)".parse::<Memory>()?.at(1)?, 9);
/// # Ok::<(), viewmerge_cute::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Memory {
    /// A layout.
    Plain(Layout),
    /// A swizzled one.
    Swizzled(Swizzled),
}

impl Memory {
    /// The layout, before the swizzle if there is one.
    ///
    /// ```
    /// let memory: viewmerge_cute::Memory = "Sw<3,0,3> o 0 o (8,8):(8,1)".parse()?;
    /// assert_eq!(memory.layout().to_string(), "(8,8):(8,1)");
    /// # Ok::<(), viewmerge_cute::Error>(())
    /// ```
    pub fn layout(&self) -> &Layout {
        match self {
            Memory::Plain(layout) => layout,
            Memory::Swizzled(swizzled) => swizzled.layout(),
        }
    }

    /// The element at a position.
    ///
    /// # Errors
    ///
    /// For a position outside the layout.
    ///
    /// ```
    /// let memory: viewmerge_cute::Memory = "4:3".parse()?;
    /// assert_eq!(memory.at(2)?, 6);
    /// # Ok::<(), viewmerge_cute::Error>(())
    /// ```
    pub fn at(&self, position: i64) -> Result<i64, Error> {
        match self {
            Memory::Plain(layout) => layout.at(position),
            Memory::Swizzled(swizzled) => swizzled.at(position),
        }
    }

    fn swizzle(&self) -> Option<Swizzle> {
        match self {
            Memory::Plain(_) => None,
            Memory::Swizzled(swizzled) => Some(swizzled.swizzle()).filter(|one| one.bits() > 0),
        }
    }

    /// The elements before the swizzle, moved by whole rounds of banks so that none is negative.
    fn before(&self, round: i64) -> Result<View, Error> {
        let offset = match self {
            Memory::Swizzled(swizzled) => swizzled.offset,
            Memory::Plain(layout) => {
                let least = layout.view()?.position_range().map_or(0, |(least, _)| least);
                ((-least).max(0) + round - 1) / round * round
            }
        };
        let (shape, strides): (Vec<i64>, Vec<i64>) =
            self.layout().leaves().into_iter().rev().unzip();
        Ok(View::strided(&shape, &strides, offset)?)
    }
}

impl FromStr for Memory {
    type Err = Error;

    fn from_str(text: &str) -> Result<Memory, Error> {
        Ok(if text.trim_start().starts_with("Sw") {
            Memory::Swizzled(text.parse()?)
        } else {
            Memory::Plain(text.parse()?)
        })
    }
}

impl From<Layout> for Memory {
    fn from(layout: Layout) -> Memory {
        Memory::Plain(layout)
    }
}

impl fmt::Display for Memory {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Memory::Plain(layout) => write!(f, "{layout}"),
            Memory::Swizzled(swizzled) => write!(f, "{swizzled}"),
        }
    }
}

/// A memory with banks.
///
/// ```
/// use viewmerge_cute::Banks;
///
/// let shared = Banks::default();
/// assert_eq!((shared.banks, shared.width, shared.lanes), (32, 4, None));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Banks {
    /// How many banks there are.
    pub banks: i64,
    /// The bytes of a word; a bank delivers one word per cycle.
    pub width: i64,
    /// The threads of a transaction; by default as many as `banks · width` bytes can serve.
    pub lanes: Option<i64>,
}

impl Default for Banks {
    /// 32 banks of 4 bytes, as in the shared memory of NVIDIA GPUs.
    fn default() -> Banks {
        Banks { banks: 32, width: 4, lanes: None }
    }
}

impl Banks {
    /// One bank with words of 32 bytes, read by 32 threads at once: the degree is the number of *sectors*
    /// of global memory that a warp touches.
    ///
    /// ```
    /// use viewmerge_cute::{Access, Banks, Limit};
    ///
    /// // 32 threads read a float each, two floats apart: 256 bytes, 8 sectors.
    /// let access = Access { memory: "32:2".parse()?, pattern: None, bytes: 4, vector: 1 };
    /// assert_eq!(access.conflicts(&Banks::sectors(), &Limit::none())?.degree, 8);
    /// # Ok::<(), viewmerge_cute::Error>(())
    /// ```
    pub fn sectors() -> Banks {
        Banks { banks: 1, width: 32, lanes: Some(32) }
    }
}

/// The reads of the threads.
///
/// ```
/// use viewmerge_cute::{Access, Banks, Limit};
///
/// // A column of a 32 by 32 matrix of floats.
/// let column = |memory: &str| -> Result<i64, viewmerge_cute::Error> {
///     let (memory, pattern) = (memory.parse()?, Some("32:1".parse()?));
///     let access = Access { memory, pattern, bytes: 4, vector: 1 };
///     Ok(access.conflicts(&Banks::default(), &Limit::none())?.degree)
/// };
/// assert_eq!(column("(32,32):(32,1)")?, 32);
/// assert_eq!(column("(32,32):(33,1)")?, 1);
/// assert_eq!(column("Sw<5,0,5> o 0 o (32,32):(32,1)")?, 1);
/// # Ok::<(), viewmerge_cute::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Access {
    /// Where the elements of the memory are.
    pub memory: Memory,
    /// Takes (thread, value) to positions of the memory's layout; if missing, that layout is itself the
    /// pattern, with the threads along mode 0.
    pub pattern: Option<Layout>,
    /// The bytes of an element.
    pub bytes: i64,
    /// How many values a thread reads at once.
    pub vector: i64,
}

/// How long a memory takes for an access pattern.
///
/// ```
/// use viewmerge_cute::{Access, Banks, Limit};
///
/// let access = Access { memory: "(64,2):(2,1)".parse()?, pattern: None, bytes: 4, vector: 1 };
/// let conflicts = access.conflicts(&Banks::default(), &Limit::none())?;
/// assert_eq!((conflicts.lanes, conflicts.transactions, conflicts.degree, conflicts.cycles), (32, 4, 2, 8));
/// assert_eq!(conflicts.degrees, [(2, 4)]);
/// assert_eq!(
///     conflicts.to_string(),
///     "2-way conflicts: threads 0 and 16 read words 0 and 32, both in bank 0\n\
///      4 transactions of 32 threads take 8 cycles, 4 without conflicts",
/// );
/// # Ok::<(), viewmerge_cute::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct Conflicts {
    /// The largest degree; 1 if there are no conflicts.
    pub degree: i64,
    /// The threads of a transaction; the last transaction of an access may have fewer.
    pub lanes: i64,
    /// The number of transactions.
    pub transactions: i64,
    /// The sum of their degrees.
    pub cycles: i128,
    /// How many transactions have each degree, the largest degree first.
    pub degrees: Vec<(i64, i64)>,
    /// A transaction of the largest degree; `None` if it is too large to list.
    pub worst: Option<Worst>,
}

/// A transaction, and the bank that must deliver the most words in it.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct Worst {
    /// Which access, numbered from 0.
    pub access: i64,
    /// The first thread of the transaction.
    pub thread: i64,
    /// The bank.
    pub bank: i64,
    /// For each distinct word, a thread that reads it and the word.
    pub reads: Vec<(i64, i64)>,
}

/// The fetches of a pattern from global memory, which delivers whole *sectors* of 32 bytes to warps of
/// 32 threads.
///
/// ```
/// use viewmerge_cute::{Access, Limit};
///
/// let access = Access { memory: "64:2".parse()?, pattern: None, bytes: 4, vector: 1 };
/// let sectors = access.sectors(&Limit::none())?;
/// assert_eq!((sectors.most, sectors.warps, sectors.sectors, sectors.bytes), (8, 2, 16, 256));
/// assert_eq!(
///     sectors.to_string(),
///     "8 sectors of 32 bytes a warp: 256 of 512 bytes fetched are read, 50 %",
/// );
/// # Ok::<(), viewmerge_cute::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct Sectors {
    /// The most sectors that a warp touches in one access.
    pub most: i64,
    /// The number of warps, counted once for every access.
    pub warps: i64,
    /// The number of sectors over all warps.
    pub sectors: i128,
    /// The number of distinct bytes they read.
    pub bytes: i128,
}

impl fmt::Display for Sectors {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let fetched = self.sectors * 32;
        let (s, most) = (if self.most == 1 { "" } else { "s" }, self.most);
        let up_to =
            if i128::from(most) * i128::from(self.warps) == self.sectors { "" } else { "up to " };
        let share = (self.bytes * 100 + fetched / 2) / fetched.max(1);
        write!(
            f,
            "{up_to}{most} sector{s} of 32 bytes a warp: {} of {fetched} bytes fetched are read, {share} %",
            self.bytes,
        )
    }
}

/// Transactions with equally many lanes: `accesses · count` of them, the first at thread `first`.
#[derive(Debug, Clone, Copy)]
struct Part {
    accesses: i64,
    first: i64,
    count: i64,
    lanes: i64,
}

impl Access {
    /// Counts the conflicts.
    ///
    /// # Errors
    ///
    /// For numbers out of range; for a pattern that leaves the memory's layout, or whose values do not form
    /// whole accesses; if the limit is reached first, or there is too much to walk.
    pub fn conflicts(&self, banks: &Banks, limit: &Limit<'_>) -> Result<Conflicts, Error> {
        let spent = AtomicU64::new(0);
        let limit = &limit.sharing(&spent);
        let refuse = |why| Err(Error::Operand { op: OP, why });
        let numbers = [self.bytes, self.vector, banks.banks, banks.width, banks.lanes.unwrap_or(1)];
        if numbers.iter().any(|number| !(1..=MOST).contains(number)) {
            return refuse("takes banks, bytes, values and lanes from 1 to 1048576");
        }
        let (threads, values) = self.sizes()?;
        if values % self.vector != 0 {
            return refuse("takes a number of values at once that divides the values of a thread");
        }
        let served = banks.banks * banks.width / (self.vector * self.bytes);
        let lanes = banks.lanes.unwrap_or(served.max(1)).min(threads);
        let accesses = values / self.vector;
        let whole = threads / lanes;
        let rest = threads % lanes;
        let all = Part { accesses, first: 0, count: whole, lanes };
        let last = Part { accesses, first: whole * lanes, count: 1, lanes: rest };
        let mut degrees: Vec<(i64, i64)> = Vec::new();
        let mut place = None;
        for part in [Some(all), (rest > 0).then_some(last)].into_iter().flatten() {
            let counted = match fibres::count(self, banks, part, limit)? {
                Some(counted) => counted,
                None => walk::count(self, banks, part, limit)?,
            };
            for (degree, count, at) in counted {
                if degrees.iter().all(|known| known.0 < degree) {
                    place = Some((at, part.lanes));
                }
                match degrees.iter_mut().find(|known| known.0 == degree) {
                    Some(known) => known.1 += count,
                    None => degrees.push((degree, count)),
                }
            }
        }
        degrees.sort_unstable_by_key(|&(degree, _)| std::cmp::Reverse(degree));
        let worst = match place {
            Some(((access, thread), lanes)) => {
                walk::worst(self, banks, access, thread, lanes, limit)?
            }
            None => None,
        };
        Ok(Conflicts {
            degree: degrees.first().map_or(1, |known| known.0),
            lanes,
            transactions: degrees.iter().map(|known| known.1).sum(),
            cycles: degrees.iter().map(|known| i128::from(known.0) * i128::from(known.1)).sum(),
            degrees,
            worst,
        })
    }

    /// Counts the sectors of a global memory: the distinct words of [`Banks::sectors`].
    ///
    /// # Errors
    ///
    /// As [`Access::conflicts`].
    pub fn sectors(&self, limit: &Limit<'_>) -> Result<Sectors, Error> {
        let spent = AtomicU64::new(0);
        let limit = &limit.sharing(&spent);
        let sectors = self.conflicts(&Banks::sectors(), limit)?;
        let bytes = self.conflicts(&Banks { width: 1, ..Banks::sectors() }, limit)?;
        Ok(Sectors {
            most: sectors.degree,
            warps: sectors.transactions,
            sectors: sectors.cycles,
            bytes: bytes.cycles,
        })
    }

    /// The positions of the memory's layout that some threads read in one access, and which thread reads
    /// each.
    ///
    /// ```
    /// use viewmerge_cute::Access;
    ///
    /// let access = Access { memory: "(4,2)".parse()?, pattern: None, bytes: 4, vector: 2 };
    /// assert_eq!(access.reads(0, 1, 2).collect::<Vec<_>>(), [(1, 1), (5, 1), (2, 2), (6, 2)]);
    /// # Ok::<(), viewmerge_cute::Error>(())
    /// ```
    pub fn reads(&self, access: i64, first: i64, lanes: i64) -> impl Iterator<Item = (i64, i64)> {
        let layout = self.pattern.as_ref().unwrap_or_else(|| self.memory.layout());
        let (all, threads) = (layout.size(), first_size(layout));
        let leaves = self.pattern.as_ref().map(Layout::leaves);
        let vector = self.vector;
        (first..first + lanes).flat_map(move |thread| {
            let leaves = leaves.clone();
            (access * vector..(access + 1) * vector)
                .map(move |value| thread + threads * value)
                .filter(move |at| (0..all).contains(at))
                .map(move |at| (leaves.as_ref().map_or(at, |leaves| value_at(leaves, at)), thread))
        })
    }

    /// The number of threads, and of values of each thread.
    fn sizes(&self) -> Result<(i64, i64), Error> {
        let layout = self.pattern.as_ref().unwrap_or_else(|| self.memory.layout());
        let threads = first_size(layout);
        if let Some(pattern) = &self.pattern {
            let (least, most) = pattern.view()?.position_range().unwrap_or((0, 0));
            let size = self.memory.layout().size();
            if least < 0 || most >= size {
                let position = if least < 0 { least } else { most };
                let end = |&(size, stride): &(i64, i64)| {
                    if (stride < 0) == (least < 0) { size - 1 } else { 0 }
                };
                let coordinate = pattern.leaves().iter().map(end).collect();
                return Err(Error::Domain { coordinate, position, size });
            }
        }
        Ok((threads, layout.size() / threads))
    }

    /// The chain whose top view is indexed by access, transaction, lane, value and byte, and yields words
    /// before the swizzle.
    fn words(&self, banks: &Banks, part: Part) -> Result<Vec<View>, Error> {
        let elements = self.memory.before(banks.banks * banks.width)?;
        let memory = with_bytes(&elements, self.bytes)?;
        let last = memory.position_range().map_or(0, |(_, last)| last);
        let words = View::strided(&[last / banks.width + 1, banks.width], &[1, 0], 0)?;
        let (threads, _) = self.sizes()?;
        let shape = [part.accesses, part.count, part.lanes, self.vector, self.bytes];
        let strides = [threads * self.vector, part.lanes, 1, threads].map(|one| one * self.bytes);
        let [access, transaction, lane, value] = strides;
        let strides = [access, transaction, lane, value, 1];
        let top = View::strided(&shape, &strides, part.first * self.bytes)?;
        Ok(match &self.pattern {
            None => vec![words, memory, top],
            Some(pattern) => {
                let pattern = with_bytes(&view_of(&pattern.leaves())?, self.bytes)?;
                vec![words, memory, pattern, top]
            }
        })
    }
}

/// The size of the first mode.
fn first_size(layout: &Layout) -> i64 {
    let size = |mode: &Mode| mode.leaves().iter().map(|leaf| leaf.0).product();
    layout.modes().first().map_or(1, size)
}

/// The bytes of a view's elements: one more axis.
fn with_bytes(view: &View, bytes: i64) -> Result<View, Error> {
    let mut shape = view.shape().to_vec();
    shape.push(bytes);
    // A stride too large for 64 bits is too large for a view, which reports it.
    let mut strides: Vec<i64> =
        view.strides().iter().map(|&stride| stride.saturating_mul(bytes)).collect();
    strides.push(1);
    Ok(View::strided(&shape, &strides, view.offset().saturating_mul(bytes))?)
}

/// The axes of the chain of words that select the transaction; the others lie within it.
const OUTER: usize = 2;

/// The digits `(size, stride)` of some axes of a split, slowest first.
fn digits(split: &Split, view: &View, axes: std::ops::Range<usize>) -> Vec<(i64, i64)> {
    let before: usize = split.factors()[..axes.start].iter().map(Vec::len).sum();
    let count: usize = split.factors()[axes].iter().map(Vec::len).sum();
    let shape = split.shape();
    (before..before + count).map(|digit| (shape[digit], view.strides()[digit])).collect()
}

impl fmt::Display for Conflicts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.degree <= 1 {
            f.write_str("no conflicts")?;
        } else {
            write!(f, "{}-way conflicts", self.degree)?;
        }
        if let Some(Worst { bank, reads, .. }) = self.worst.as_ref().filter(|_| self.degree > 1) {
            let named = |part: fn(&(i64, i64)) -> i64| {
                let numbers: Vec<String> =
                    reads.iter().take(4).map(|read| part(read).to_string()).collect();
                match &numbers[..] {
                    [first, second] if reads.len() == 2 => format!("{first} and {second}"),
                    some if reads.len() > some.len() => format!("{}, …", some.join(", ")),
                    some => some.join(", "),
                }
            };
            let both = if reads.len() == 2 { "both" } else { "all" };
            let (threads, words) = (named(|read| read.0), named(|read| read.1));
            write!(f, ": threads {threads} read words {words}, {both} in bank {bank}")?;
        }
        let s = |count: i128| if count == 1 { "" } else { "s" };
        let (count, lanes, cycles) = (self.transactions, self.lanes, self.cycles);
        write!(
            f,
            "\n{count} transaction{} of {lanes} thread{} take{} {cycles} cycle{}",
            s(count.into()),
            s(lanes.into()),
            if count == 1 { "s" } else { "" },
            s(cycles),
        )?;
        if self.degree > 1 {
            write!(f, ", {count} without conflicts")?;
        }
        if self.degrees.len() > 1 {
            let parts: Vec<String> = self
                .degrees
                .iter()
                .map(|(degree, count)| format!("{count} take {degree}"))
                .collect();
            write!(f, " ({})", parts.join(", "))?;
        }
        Ok(())
    }
}
