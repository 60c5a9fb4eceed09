//! Limits: within one the answer is the same as without, or *undecided*.

use std::fmt::Debug;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use viewmerge::{
    Error, Exhausted, Limit, OpenChain, StridePattern, View, ViewChain, common_split,
    conditions_by_case, merge, merge_many,
};
use viewmerge_index::IndexChain;
use viewmerge_testkit::{accidental, generate, run};

/// Asks without a limit, with more and more steps, and with the flag raised.
fn check<T: PartialEq + Debug>(
    what: &str,
    ask: impl Fn(&Limit<'_>) -> Result<T, Error>,
) -> Result<(), String> {
    let expected = ask(&Limit::none());
    let mut decided = false;
    for steps in [0, 1, 2, 3, 5, 10, 30, 100, 1_000, 10_000, 1_000_000] {
        let found = ask(&Limit::steps(steps));
        match &found {
            Err(Error::Undecided(Exhausted { steps: spent, stopped: false })) => {
                if decided || *spent > steps {
                    return Err(format!("{what}: {spent} of {steps} steps, but undecided"));
                }
            }
            _ if found == expected => decided = true,
            _ => return Err(format!("{what}: {found:?} with {steps} steps, not {expected:?}")),
        }
        if steps == 0 && decided {
            return Err(format!("{what}: decided without a step"));
        }
    }
    if !decided {
        return Err(format!("{what}: a million steps are not enough"));
    }
    let found = ask(&Limit::none().stopped_by(&AtomicBool::new(true)));
    match found {
        Err(Error::Undecided(Exhausted { steps: 0, stopped: true })) => Ok(()),
        _ => Err(format!("{what}: goes on when it is stopped: {found:?}")),
    }
}

#[test]
fn every_question_keeps_to_its_limit() {
    run(300, |choices| {
        let views = match choices.one_in(2) {
            true => accidental::chain(choices),
            false => generate::chain(choices),
        };
        let chain = ViewChain::from_views(&views).map_err(|e| e.to_string())?;
        let what = |question: &str| format!("{question} {chain}");
        check(&what("merge"), |limit| merge(&views, limit))?;
        check(&what("merge"), |limit| merge(&chain, limit))?;
        check(&what("merge"), |limit| chain.merge_within(limit))?;
        check(&what("merge"), |limit| merge_many(&[&views], limit).remove(0))?;
        check(&what("decide"), |limit| chain.decide(limit))?;
        check(&what("certify"), |limit| chain.certify(limit))?;
        check(&what("split"), |limit| chain.split(limit))?;
        check(&what("padded"), |limit| chain.padded_split(limit))?;
        check(&what("guarded split"), |limit| chain.guarded_split(limit))?;
        check(&what("tiling"), |limit| chain.tiling(limit))?;
        check(&what("common split"), |limit| common_split(&[chain.clone(), chain.clone()], limit))?;
        check(&what("simplify"), |limit| chain.simplify(limit))?;
        check(&what("explain"), |limit| chain.explain(limit))?;
        check(&what("copy"), |limit| chain.cheapest_copy(limit))?;
        check(&what("form"), |limit| chain.form(limit))?;
        check(&what("guarded"), |limit| chain.guarded(limit))?;
        check(&what("strides"), |limit| chain.real_strides(limit))?;
        check(&what("size"), |limit| chain.real_size(limit))?;
        check(&what("invert"), |limit| chain.invert(&[chain.count()], limit))?;
        let twice = chain.reshape(&[-1]).and_then(|flat| flat.reshape(chain.shape()));
        let twice = twice.unwrap_or_else(|_| chain.clone());
        check(&what("equivalent"), |limit| chain.equivalent(&twice, limit))?;
        check(&what("certify"), |limit| chain.certify_equivalence(&twice, limit))?;
        if !chain.shape().is_empty() {
            check(&what("longest"), |limit| chain.longest_mergeable(0, limit))?;
        }
        check(&what("injective"), |limit| chain.last().is_injective(limit))?;
        check(&what("collision"), |limit| chain.last().collision(limit))?;
        if let [below, above] = chain.views() {
            let open = vec![None; below.rank()];
            let pattern = StridePattern::masked(below.shape(), &open, below.validity().clone());
            let pattern = pattern.map_err(|e| e.to_string())?;
            let open = OpenChain::new(pattern.clone(), std::slice::from_ref(above));
            let open = open.map_err(|e| e.to_string())?;
            check(&what("conditions"), |limit| open.conditions(limit))?;
            check(&what("table"), |limit| open.overflow_table(50, limit))?;
            let above = StridePattern::of(above).map_err(|e| e.to_string())?;
            check(&what("cases"), |limit| conditions_by_case(&pattern, &above, 100, limit))?;
        }
        Ok(())
    });
}

/// Elements shuffled through many views: one view, but the system is large.
fn long() -> Vec<View> {
    vec![View::strided(&[1 << 15, 2], &[1, 1 << 15], 0).expect("small"); 48]
}

/// Forty numbers of which no subset has a given sum: many steps, even if they meet in the middle.
fn hard() -> [View; 2] {
    let numbers: Vec<i64> = (1..=40).map(|i| 2 * (i * i * 7_919 % 10_007)).collect();
    let target = (numbers.iter().sum::<i64>() / 2) | 1;
    accidental::subset_sum(&numbers, target, 1)
}

#[test]
fn a_raised_flag_ends_a_long_search() {
    let start = Instant::now();
    assert_eq!(merge(&long(), &Limit::none()).map(|verdict| verdict.is_merged()), Ok(true));
    // A program that is not optimised is slow at both.
    let whole = start.elapsed();
    let most = if cfg!(debug_assertions) { whole / 10 } else { Duration::from_millis(1) };
    stops_soon(&long(), most);
    stops_soon(&hard(), most);
}

/// Stops a search in the middle of a step that takes long: it does not go on to the end of it.
fn stops_soon(views: &[View], most: Duration) {
    // One of some: a loaded machine wakes threads late.
    let mut late = (0..100).map(|_| {
        let (flag, spent) = (AtomicBool::new(false), AtomicU64::new(0));
        let (found, end) = thread::scope(|scope| {
            let limit = Limit::none().sharing(&spent).stopped_by(&flag);
            let search = scope.spawn(move || (merge(views, &limit), Instant::now()));
            while spent.load(Ordering::Relaxed) < 2 {
                thread::yield_now();
            }
            let raised = Instant::now();
            flag.store(true, Ordering::Relaxed);
            let (found, end) = search.join().expect("no panic");
            (found, end.saturating_duration_since(raised))
        });
        assert!(
            matches!(found, Err(Error::Undecided(Exhausted { stopped: true, .. }))),
            "{found:?}"
        );
        end
    });
    assert!(late.any(|end| end < most), "never within {most:?}");
}

#[test]
fn ops_on_chains_do_not_search_long() {
    let [below, above] = hard();
    let start = Instant::now();
    let chain = ViewChain::from(below.clone());
    let chain = chain.as_strided(above.shape(), above.strides(), above.offset()).expect("fits");
    assert_eq!(chain.views(), [below, above]);
    assert!(start.elapsed() < Duration::from_secs(10), "{:?}", start.elapsed());
}
