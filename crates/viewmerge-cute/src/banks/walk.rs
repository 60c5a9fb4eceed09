//! Walks words one by one: where fibres do not apply, and to list who reads what in a single transaction.

use viewmerge::Limit;

use super::fibres::Counted;
use super::{Access, Banks, OP, Part, Worst};
use crate::error::Error;

/// The most words to walk.
const MOST_WALKED: i128 = 1 << 20;
/// The most words of a transaction that can be listed.
const MOST_LISTED: i128 = 1 << 14;

/// Counts the transactions of each degree.
pub(super) fn count(
    access: &Access,
    banks: &Banks,
    part: Part,
    limit: &Limit<'_>,
) -> Result<Counted, Error> {
    if part.words(access, banks) * i128::from(part.count) * i128::from(part.accesses) > MOST_WALKED
    {
        let why = "its words are not sums of digits, and there are more than 1048576 of them";
        return Err(Error::Undecided { op: OP, why });
    }
    let mut counted: Counted = Vec::new();
    for number in 0..part.accesses {
        for transaction in 0..part.count {
            let first = part.first + transaction * part.lanes;
            let reads = listed(access, banks, number, first, part.lanes, limit)?;
            let degree = busiest(&reads, banks).len() as i64;
            match counted.iter_mut().find(|known| known.0 == degree) {
                Some(known) => known.1 += 1,
                None => counted.push((degree, 1, (number, first))),
            }
        }
    }
    Ok(counted)
}

/// The bank that must deliver the most words in a transaction, and who reads them; `None` if there are too
/// many words.
pub(super) fn worst(
    access: &Access,
    banks: &Banks,
    number: i64,
    first: i64,
    lanes: i64,
    limit: &Limit<'_>,
) -> Result<Option<Worst>, Error> {
    let part = Part { accesses: 1, first, count: 1, lanes };
    if part.words(access, banks) > MOST_LISTED {
        return Ok(None);
    }
    let reads = listed(access, banks, number, first, lanes, limit)?;
    let busiest = busiest(&reads, banks);
    let bank = busiest.first().map_or(0, |read| read.0.rem_euclid(banks.banks));
    let reads = busiest.into_iter().map(|(word, thread)| (thread, word)).collect();
    Ok(Some(Worst { access: number, thread: first, bank, reads }))
}

impl Part {
    /// The most words that a transaction can have.
    fn words(self, access: &Access, banks: &Banks) -> i128 {
        let of_one = access.bytes / banks.width + 2;
        i128::from(self.lanes) * i128::from(access.vector) * i128::from(of_one)
    }
}

/// The words of a transaction in order, each with the first thread that reads it.
fn listed(
    access: &Access,
    banks: &Banks,
    number: i64,
    first: i64,
    lanes: i64,
    limit: &Limit<'_>,
) -> Result<Vec<(i64, i64)>, Error> {
    let mut reads = Vec::new();
    limit.spend((lanes * access.vector).unsigned_abs())?;
    for (position, thread) in access.reads(number, first, lanes) {
        let byte = i128::from(access.memory.at(position)?) * i128::from(access.bytes);
        let word = |byte: i128| {
            let word = byte.div_euclid(i128::from(banks.width));
            let why = "takes a memory of less than 2^63 words";
            i64::try_from(word).map_err(|_| Error::Operand { op: OP, why })
        };
        for word in word(byte)?..=word(byte + i128::from(access.bytes) - 1)? {
            reads.push((word, thread));
        }
    }
    reads.sort_unstable();
    reads.dedup_by_key(|read| read.0);
    Ok(reads)
}

/// The reads of the bank that has the most of them, the first such bank.
fn busiest(reads: &[(i64, i64)], banks: &Banks) -> Vec<(i64, i64)> {
    let bank = |read: &(i64, i64)| read.0.rem_euclid(banks.banks);
    let mut sorted = reads.to_vec();
    sorted.sort_by_key(bank);
    let mut best: &[(i64, i64)] = &[];
    for run in sorted.chunk_by(|one, other| bank(one) == bank(other)) {
        if run.len() > best.len() {
            best = run;
        }
    }
    best.to_vec()
}
