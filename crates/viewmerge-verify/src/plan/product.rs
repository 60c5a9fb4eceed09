//! MatMul: with a constant as weights, or of two activations `A[P,M,K] · B[P,K,N]`.

use super::Refused;
use super::layout::Digit;
use super::ops::{Site, Visit};
use super::weights::{Form, Side, Weighted};

pub(super) fn visit(site: &Site<'_>, visit: &mut Visit<'_>) -> Result<(), Refused> {
    let ends = (site.input(0), site.input(1), site.op.outputs.first().copied().flatten());
    let (Some(a), Some(b), Some(c)) = ends else { return Ok(()) };
    let (left, right, result) = (site.shape(a), site.shape(b), site.shape(c));
    if left.len() < 2 || right.len() < 2 || result.len() < 2 {
        return Ok(());
    }
    let single = |shape: &[i64]| shape[..shape.len() - 2].iter().all(|&size| size == 1);
    let weighted = |own: usize, from: &[i64]| {
        let side =
            |shape: &[i64]| Side { shape: shape.to_vec(), names: (0..shape.len()).collect() };
        let forms = vec![(Form::Rows, "rows"), (Form::Around, "left")];
        Weighted { family: "linear", forms, sides: [side(from), side(result)], own, image: false }
    };
    match (site.constant(a), site.constant(b)) {
        (false, true) if single(right) && left.len() == result.len() => {
            weighted(left.len() - 1, left).visit(site, visit)
        }
        (true, false) if single(left) && right.len() == result.len() => {
            weighted(right.len() - 2, right).visit(site, visit)
        }
        (false, false) if left.len() <= result.len() && right.len() <= result.len() => {
            two(site, [left, right, result], visit)
        }
        _ => Ok(()),
    }
}

/// The blocks of the product: batch, rows, summed, columns.
const LETTERS: [char; 4] = ['P', 'M', 'K', 'N'];

fn two(site: &Site<'_>, shapes: [&[i64]; 3], visit: &mut Visit<'_>) -> Result<(), Refused> {
    if site.slots.len() != 3 {
        return Ok(());
    }
    let rank = shapes[2].len();
    let batch = rank - 2;
    let size = |shape: &[i64], axis: usize| {
        let missing = rank - shape.len();
        if axis < missing { 1 } else { shape[axis - missing] }
    };
    // The axes of the product by number: the batch, then M, K, N.
    let letter = |axis: usize| match axis.checked_sub(batch) {
        Some(which) => LETTERS[which + 1],
        None => match (size(shapes[0], axis) > 1, size(shapes[1], axis) > 1) {
            (true, false) => 'M',
            (false, true) => 'N',
            _ => 'P',
        },
    };
    let lasts = [[0, 1], [1, 2], [0, 2]];
    // For every end and candidate, the digits by number of the product's axis.
    let digits: Vec<Vec<Option<Vec<Digit>>>> = (0..3)
        .map(|end| {
            let shape = shapes[end];
            let own = shape.len() - 2;
            let name = |axis: usize| match axis.checked_sub(own) {
                Some(which) => batch + lasts[end][which],
                None => batch - own + axis,
            };
            let named = |digits: Vec<Digit>| {
                digits.into_iter().map(|(axis, place, size)| (name(axis), place, size)).collect()
            };
            site.digits(end, shape).into_iter().map(|digits| digits.map(named)).collect()
        })
        .collect();
    let bytes = |end: usize| site.graph.tensors[site.slots[end]].bytes;
    // The blocks in memory of an operand with these rows and columns.
    let ways = |rows: char, columns: char| -> [([char; 3], bool, bool); 4] {
        [
            (['P', rows, columns], false, false),
            (['P', columns, rows], true, false),
            ([rows, 'P', columns], false, true),
            ([columns, 'P', rows], true, true),
        ]
    };
    for swapped in [false, true] {
        let Some(base) =
            site.table.cost("matmul", if swapped { "swapped" } else { "plain" }, bytes(2))
        else {
            continue;
        };
        let operand = |side: usize, trans: bool, inside: bool| -> Option<i64> {
            let logical = if swapped { 1 - side } else { side };
            let name = ["a", "b"][side];
            let mut cost = 0;
            if trans {
                cost += site.table.cost("matmul", &format!("trans_{name}"), bytes(logical))?;
            }
            if inside {
                cost += site.table.cost("matmul", &format!("batch_{name}"), bytes(logical))?;
            }
            Some(cost)
        };
        let (first, second, result) = if swapped {
            (ways('N', 'K'), ways('K', 'M'), ['P', 'N', 'M'])
        } else {
            (ways('M', 'K'), ways('K', 'N'), ['P', 'M', 'N'])
        };
        let results = blocks(&digits[2], result, &letter);
        for (one, trans, inside) in first {
            let Some(left) = operand(0, trans, inside) else { continue };
            for (other, trans, inside) in second {
                let Some(right) = operand(1, trans, inside) else { continue };
                let patterns = if swapped { [other, one] } else { [one, other] };
                let operands = [0, 1].map(|end| blocks(&digits[end], patterns[end], &letter));
                for (a, of_a) in operands[0].iter().enumerate() {
                    let Some(of_a) = of_a else { continue };
                    for (b, of_b) in operands[1].iter().enumerate() {
                        let Some(of_b) = of_b else { continue };
                        if of_a[0] != of_b[0] || of_a[2] != of_b[2] {
                            continue;
                        }
                        for (c, of_c) in results.iter().enumerate() {
                            let Some(of_c) = of_c else { continue };
                            if of_c[0] == of_a[0] && of_c[1] == of_a[1] && of_c[3] == of_b[3] {
                                visit(&[a, b, c], base + left + right)?;
                            }
                        }
                    }
                }
            }
        }
    }
    Ok(())
}

/// For every candidate, its digits by block P, M, K, N, if the blocks are arranged as the pattern says.
fn blocks(
    candidates: &[Option<Vec<Digit>>],
    pattern: [char; 3],
    letter: &dyn Fn(usize) -> char,
) -> Vec<Option<[Vec<Digit>; 4]>> {
    let sorted = |digits: &Vec<Digit>| {
        let ranks: Option<Vec<usize>> = digits
            .iter()
            .map(|digit| pattern.iter().position(|&block| block == letter(digit.0)))
            .collect();
        let ranks = ranks?;
        ranks.windows(2).all(|pair| pair[0] <= pair[1]).then(|| {
            LETTERS.map(|block| {
                digits.iter().copied().filter(|digit| letter(digit.0) == block).collect()
            })
        })
    };
    candidates.iter().map(|digits| digits.as_ref().and_then(sorted)).collect()
}
