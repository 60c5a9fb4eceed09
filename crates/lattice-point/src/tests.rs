//! The search against walking, and its proofs against a checker written from the definition.

use alloc::vec::Vec;

use super::*;

/// A fixed stream of numbers.
pub(super) struct Stream(pub u64);

impl Stream {
    pub(super) fn draw(&mut self, low: i128, high: i128) -> i128 {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        low + i128::from(self.0 >> 33) % (high - low + 1)
    }
}

fn value(form: &[i128], point: &[i128]) -> i128 {
    form.iter().zip(point).map(|(a, z)| a * z).sum()
}

pub(super) fn holds(row: &Row<i128>, point: &[i128]) -> bool {
    let value = value(&row.form, point);
    row.low.is_none_or(|low| low <= value) && row.high.is_none_or(|high| value <= high)
}

/// All points, each variable between −reach and reach.
pub(super) fn points(variables: usize, reach: i128) -> Vec<Vec<i128>> {
    let mut all = vec![Vec::new()];
    for _ in 0..variables {
        all = all
            .into_iter()
            .flat_map(|point| {
                (-reach..=reach).map(move |z| {
                    let mut longer = point.clone();
                    longer.push(z);
                    longer
                })
            })
            .collect();
    }
    all
}

/// A random system in a box of the given reach.
pub(super) fn random(stream: &mut Stream, variables: usize, reach: i128) -> System<i128> {
    let mut rows: Vec<Row<i128>> = (0..variables)
        .map(|k| {
            let mut form = vec![0; variables];
            form[k] = 1;
            Row { form, low: Some(-reach), high: Some(reach) }
        })
        .collect();
    for _ in 0..stream.draw(1, 4) {
        let largest = if stream.draw(0, 3) == 0 { 30 } else { 6 };
        let form: Vec<i128> = (0..variables).map(|_| stream.draw(-largest, largest)).collect();
        let low = stream.draw(-20, 20);
        let high = low + stream.draw(-1, 5);
        let (low, high) = match stream.draw(0, 5) {
            0 => (Some(low), None),
            1 => (None, Some(high)),
            _ => (Some(low), Some(high)),
        };
        rows.push(Row { form, low, high });
    }
    let objective = (0..variables).map(|_| stream.draw(-5, 5)).collect();
    System { variables, rows, objective }
}

/// A name, a form, and its ends.
type Named = (RowRef, Vec<Big>, Option<Big>, Option<Big>);

/// Checks a proof by its definition.
fn check(system: &System<i128>, proof: &Proof) {
    fn descend(rows: &mut Vec<Named>, proof: &Proof) {
        match proof {
            Proof::Absurd(multiples) => {
                let mut constant = Big::ZERO;
                let mut form = vec![Big::ZERO; rows[0].1.len()];
                for (name, side, times) in multiples {
                    assert!(*times > Big::ZERO);
                    let (_, row, low, high) =
                        rows.iter().find(|row| row.0 == *name).expect("the row is there");
                    let sign = if *side == Side::Low { -Big::ONE } else { Big::ONE };
                    let end = if *side == Side::Low { low } else { high };
                    constant -= times * &sign * end.as_ref().expect("the end is there");
                    for (to, by) in form.iter_mut().zip(row) {
                        *to += times * &sign * by;
                    }
                }
                assert!(form.iter().all(|a| *a == Big::ZERO), "{multiples:?}");
                assert!(constant > Big::ZERO);
            }
            Proof::Split { number, form, at, low, high } => {
                let name = RowRef::Split(*number);
                rows.push((name, form.clone(), None, Some(at.clone())));
                descend(rows, low);
                rows.pop();
                rows.push((name, form.clone(), Some(at + Big::ONE), None));
                descend(rows, high);
                rows.pop();
            }
        }
    }
    let rows = system.rows.iter().enumerate();
    let mut rows = rows
        .map(|(number, row)| {
            let form = row.form.iter().copied().map(Big::from).collect();
            (RowRef::Given(number), form, row.low.map(Big::from), row.high.map(Big::from))
        })
        .collect();
    descend(&mut rows, proof);
}

#[test]
fn agrees_with_walking() {
    let mut stream = Stream(7);
    let mut seen = [0; 2];
    for round in 0..6000 {
        let variables = 1 + round % 4;
        let reach = [30, 9, 4, 3][variables - 1];
        let system = random(&mut stream, variables, reach);
        let all: Vec<Vec<i128>> = points(variables, reach)
            .into_iter()
            .filter(|point| system.rows.iter().all(|row| holds(row, point)))
            .collect();
        let meter = &mut Meter::unlimited();
        let point = system.point(meter).expect("no limit");
        assert_eq!(point.is_some(), !all.is_empty(), "{system:?}");
        if let Some(point) = &point {
            assert!(system.rows.iter().all(|row| holds(row, point)), "{system:?} {point:?}");
        }
        seen[usize::from(point.is_some())] += 1;
        match system.refute(meter).expect("no limit") {
            Ok(proof) => {
                assert!(point.is_none());
                check(&system, &proof);
            }
            Err(point) => assert!(system.rows.iter().all(|row| holds(row, &point))),
        }
        let form = &system.objective;
        let largest = system.largest(None, meter).expect("no limit");
        let expected = all.iter().map(|point| value(form, point)).max();
        assert_eq!(largest.as_ref().map(|point| value(form, point)), expected, "{system:?}");
        if let Some(point) = largest {
            assert!(system.rows.iter().all(|row| holds(row, &point)));
        }
    }
    assert!(seen[0] > 500 && seen[1] > 500, "{seen:?}");
}
