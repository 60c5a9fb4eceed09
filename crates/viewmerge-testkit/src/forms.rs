//! Index expressions against the naive `reference`.

use viewmerge::reference::{Spec, Table};
use viewmerge::{Limit, View, ViewChain};
use viewmerge_index::{IndexChain, IndexForm, Language, Linear, Render};

type Outcome = Result<(), String>;

/// The forms of a chain, computed with and without first deciding whether it is one view.
///
/// # Errors
///
/// A description of the disagreement.
pub fn check(views: &[View]) -> Outcome {
    let chain = ViewChain::from_views(views).map_err(|e| format!("{views:?}: {e}"))?;
    let specs: Vec<Spec> = views.iter().map(Spec::from).collect();
    let table = Table::of_chain(&specs).ok_or_else(|| format!("{chain}: has no table"))?;
    let form = chain.form(&Limit::none()).map_err(|e| format!("{chain}: {e}"))?;
    let one = table.single_view().is_some();
    let single = form.single_view().map_err(|e| format!("{chain}: {e}"))?;
    if one != single.is_some() {
        return Err(format!("{chain}: {form}, but it is one view: {one}"));
    }
    let quick = IndexForm::of_views(&chain).map_err(|e| format!("{chain}: {e}"))?;
    for form in [form, quick] {
        same(&form, &table).map_err(|what| format!("{chain}: {form}: {what}"))?;
    }
    Ok(())
}

/// The form of a chain that is too large to walk, at the corners of its shape and halfway between
/// them; a refusal because numbers do not fit is accepted.
///
/// # Errors
///
/// A description of the disagreement.
pub fn at_corners(chain: &ViewChain) -> Outcome {
    let decided = match chain.form(&Limit::steps(1_000)) {
        Err(viewmerge::Error::Undecided { .. }) => IndexForm::of_views(chain),
        decided => decided,
    };
    let form = match decided {
        Ok(form) => form,
        Err(viewmerge::Error::ExpressionRange { .. }) => return Ok(()),
        Err(error) => return Err(format!("{chain}: {error}")),
    };
    if chain.count() == 0 {
        return Ok(());
    }
    for part in [0, 1, 2] {
        let index: Vec<i64> = chain.shape().iter().map(|&size| (size - 1) / 2 * part).collect();
        let expected = chain.index(&index);
        if form.index(&index) != expected {
            return Err(format!("{chain}: {form} at {index:?}, not {expected:?}"));
        }
    }
    Ok(())
}

/// One form against a table.
fn same(form: &IndexForm, table: &Table) -> Outcome {
    let guarded = form.guarded().map_err(|e| e.to_string())?;
    if guarded.is_some() != form.floors().is_empty() {
        return Err("a form without floors is a guarded view".into());
    }
    let fail = |index: &[i64], what: &str| Err(format!("at {index:?}: {what}"));
    for (index, &cell) in viewmerge::reference::indices(table.shape()).zip(table.cells()) {
        let position = form.index(&index).map_err(|e| e.to_string())?.map(i128::from);
        if position != cell {
            return fail(&index, &format!("{position:?}, not {cell:?}"));
        }
        if let Some(guarded) = &guarded {
            let position = guarded.index(&index).map_err(|e| e.to_string())?.map(i128::from);
            if position != cell {
                return fail(&index, &format!("{position:?} in {guarded}, not {cell:?}"));
            }
        }
        let mut floors: Vec<i128> = Vec::new();
        for floor in form.floors() {
            let operand = sum(&floor.operand, &index, &floors);
            let value = operand.0 / i128::from(floor.divisor);
            let (least, most) = (i128::from(floor.range.0), i128::from(floor.range.1));
            if cell.is_some() && (operand.0 < 0 || value < least || value > most) {
                return fail(&index, &format!("{operand:?} is divided, giving {value}"));
            }
            floors.push(value);
            reached(form, operand.1)?;
        }
        reached(form, sum(form.position(), &index, &floors).1)?;
        for guard in form.guards() {
            reached(form, sum(&guard.function, &index, &floors).1)?;
        }
    }
    for language in Language::all().iter().copied() {
        match form.render(&Render::new(language)) {
            Ok(text) if text.ends_with('\n') => {}
            Err(_) if language == Language::Tinygrad || language == Language::Wgsl => {}
            other => return Err(format!("{language}: {other:?}")),
        }
    }
    Ok(())
}

fn reached(form: &IndexForm, most: i128) -> Outcome {
    if most <= form.max_magnitude().into() { Ok(()) } else { Err(format!("a sum reaches {most}")) }
}

/// A sum, and the sum of the magnitudes of its terms.
fn sum(function: &Linear, index: &[i64], floors: &[i128]) -> (i128, i128) {
    let axes = function.axes().iter().zip(index).map(|(&c, &i)| i128::from(c) * i128::from(i));
    let floors = function.floors().iter().zip(floors).map(|(&c, &f)| i128::from(c) * f);
    let constant = i128::from(function.constant());
    axes.chain(floors)
        .fold((constant, constant.abs()), |(sum, most), term| (sum + term, most + term.abs()))
}
