//! Merging that one pass settles allocates nothing, for up to eight axes; a mask of
//! more than four has a place on the heap.

use viewmerge::{Limit, Validity, Verdict, View, merge};
use viewmerge_testkit::cases::read;

#[test]
fn one_pass_does_not_touch_the_heap() {
    let questions: Vec<Vec<View>> =
        read("pairs.jsonl").iter().map(|case| case.question.views().expect("composes")).collect();
    let (mut merged, mut allocating, mut holes) = (0, 0, 0);
    for views in &questions {
        let mut answer = None;
        let used = allocation_counter::measure(|| answer = Some(merge(views, &Limit::none())));
        let free = used.count_total == 0;
        match answer {
            Some(Ok(Verdict::Merged(view))) => {
                let long_mask = view.rank() > 4 && view.validity() != &Validity::All;
                assert!(used.count_total <= u64::from(long_mask), "{views:?}: {used:?}");
                merged += 1;
                allocating += u32::from(!free);
            }
            // A search may allocate, a hole found at once does not.
            Some(Ok(Verdict::NotMergeable(_))) => holes += u32::from(free),
            other => unreachable!("{other:?}"),
        }
    }
    assert_eq!(merged, 5_211);
    assert!(allocating < 300, "{allocating}");
    assert!(holes > 700, "{holes}");
}
