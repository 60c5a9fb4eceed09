//! The hot paths on views of real programs: one round is one pass over all of them.
//!
//! `cargo bench -p viewmerge`; `bench/run` measures beside other libraries.

use std::hint::black_box;

use criterion::{Criterion, Throughput};
use viewmerge::strides::reshape_strides;
use viewmerge::{Limit, Validity, View, ViewChain, merge};
use viewmerge_index::IndexChain;
use viewmerge_testkit::cases::{self, Question};

const NONE: &Limit<'static> = &Limit::none();

/// The pairs that are one view, and those that are not.
fn pairs() -> [Vec<Vec<View>>; 2] {
    let views = |case: cases::Case| case.question.views().expect("composes");
    let pairs = cases::read("pairs.jsonl").into_iter().map(views);
    let (one, not): (Vec<_>, Vec<_>) = pairs
        .partition(|views: &Vec<View>| merge(views, NONE).is_ok_and(|verdict| verdict.is_merged()));
    [one, not]
}

fn reshapes() -> Vec<(View, Vec<i64>)> {
    let reshape = |case: cases::Case| match case.question {
        Question::Reshape { view, new_shape } => Some((View::try_from(view).ok()?, new_shape)),
        _ => None,
    };
    cases::read("reshapes.jsonl").into_iter().filter_map(reshape).collect()
}

/// A shape, strides and a new shape, as array libraries keep them.
type Layouts = (Vec<usize>, Vec<isize>, Vec<usize>);

/// The reshapes without padding, of at most six axes, and those of a contiguous view.
fn layouts() -> [Vec<Layouts>; 2] {
    let sizes = |list: &[i64]| list.iter().map(|&size| size as usize).collect();
    let strided = reshapes().into_iter().filter(|(view, new_shape)| {
        view.validity() == &Validity::All && view.rank().max(new_shape.len()) <= 6
    });
    let (contiguous, others): (Vec<_>, Vec<_>) = strided.partition(|(view, _)| {
        View::contiguous(view.shape()).is_ok_and(|plain| plain.strides() == view.strides())
    });
    let plain = |(view, new_shape): &(View, Vec<i64>)| -> Layouts {
        let strides = view.strides().iter().map(|&stride| stride as isize).collect();
        (sizes(view.shape()), strides, sizes(new_shape))
    };
    let all = contiguous.iter().chain(&others).map(plain).collect();
    [all, contiguous.iter().map(plain).collect()]
}

/// Chains of two to four views, nearly none of which is one view.
fn chains() -> Vec<ViewChain> {
    let chain = |line: &str| {
        let line: serde_json::Value = serde_json::from_str(line).expect("JSON");
        let views: Vec<View> = serde_json::from_value(line["views"].clone()).expect("views");
        ViewChain::from_views(&views).expect("composes")
    };
    cases::text("trackers.jsonl").lines().map(chain).collect()
}

/// Measures passes over some inputs.
fn pass<I, O>(criterion: &mut Criterion, name: &str, inputs: &[I], call: impl Fn(&I) -> O) {
    let mut group = criterion.benchmark_group("decisions");
    group.throughput(Throughput::Elements(inputs.len() as u64));
    group.bench_function(name, |bencher| {
        bencher.iter(|| {
            for input in inputs {
                black_box(call(black_box(input)));
            }
        });
    });
    group.finish();
}

fn decisions(criterion: &mut Criterion) {
    let [one, not] = pairs();
    pass(criterion, "merge, one view", &one, |views| merge(views, NONE));
    pass(criterion, "merge, not one view", &not, |views| merge(views, NONE));
    pass(criterion, "reshape", &reshapes(), |(view, shape)| view.reshape(shape));
    let [all, contiguous] = layouts();
    let reshaped = |(shape, strides, new_shape): &Layouts| {
        let mut out = [0; 6];
        let answer = reshape_strides(shape, strides, new_shape, &mut out[..new_shape.len()]);
        (answer, out)
    };
    pass(criterion, "reshape_strides", &all, reshaped);
    pass(criterion, "reshape_strides, contiguous", &contiguous, reshaped);
    let chains = chains();
    pass(criterion, "simplify", &chains, |chain| chain.simplify(NONE));
    pass(criterion, "form", &chains, |chain| chain.form(NONE));
    pass(criterion, "explain", &chains, |chain| chain.explain(NONE));
}

fn main() {
    let mut criterion = Criterion::default().sample_size(20).configure_from_args();
    decisions(&mut criterion);
    criterion.final_summary();
}
