//! Merging that one pass settles allocates nothing, for up to eight axes.

use viewmerge::{Limit, Verdict, View, merge};
use viewmerge_testkit::cases::read;

#[test]
fn one_pass_does_not_touch_the_heap() {
    let questions: Vec<Vec<View>> =
        read("pairs.jsonl").iter().map(|case| case.question.views().expect("composes")).collect();
    let (mut merged, mut holes) = (0, 0);
    for views in &questions {
        let mut answer = None;
        let used = allocation_counter::measure(|| answer = Some(merge(views, &Limit::none())));
        let free = used.count_total == 0;
        match answer {
            Some(Ok(Verdict::Merged(_))) => {
                assert!(free, "{views:?}: {used:?}");
                merged += 1;
            }
            // A search may allocate, a hole found at once does not.
            Some(Ok(Verdict::NotMergeable(_))) => holes += u32::from(free),
            other => unreachable!("{other:?}"),
        }
    }
    assert_eq!(merged, 5_211);
    assert!(holes > 700, "{holes}");
}
