use super::*;

const SMALL: Limits = Limits { work: 1000, memory: 1 << 20 };

#[test]
fn work_within_the_limits_is_done() {
    assert_eq!(open(SMALL, &Cancel::new(), || work(1000)), Ok(()));
}

#[test]
fn work_over_the_limit_stops_before_it_is_done() {
    let mut done = 0;
    let stopped = open(SMALL, &Cancel::new(), || {
        for _ in 0..2000 {
            work(1);
            done += 1;
        }
    });
    assert_eq!((stopped, done), (Err(Stop::Work(1000)), 1000));
}

#[test]
fn memory_over_the_limit_stops() {
    assert_eq!(open(SMALL, &Cancel::new(), || grow(1 << 21)), Err(Stop::Memory(1 << 20)));
}

/// The allocator's counters reveal uncharged memory at the next check.
#[test]
fn uncharged_memory_is_detected() {
    let limits = Limits { work: u64::MAX, memory: 1 << 20 };
    let stopped = open(limits, &Cancel::new(), || {
        let mut held = Vec::new();
        for _ in 0..100_000 {
            held.push(vec![1_u8; 4096]);
            work(100);
        }
        held.len()
    });
    assert_eq!(stopped, Err(Stop::Memory(1 << 20)));
}

#[test]
fn a_cancelled_job_stops_at_its_next_check() {
    let cancel = Cancel::new();
    let mut turns = 0_u64;
    let stopped = open(Limits::NONE, &cancel, || {
        loop {
            turns += 1;
            if turns == 10_000 {
                cancel.cancel();
            }
            work(1);
        }
    });
    assert_eq!(stopped.map(|(): ()| ()), Err(Stop::Cancelled));
    assert!(turns < 10_000 + 2 * CHECK_EVERY, "{turns}");
}

#[test]
fn expressions_end_without_ending_the_request() {
    let whole = open(SMALL, &Cancel::new(), || {
        assert_eq!(evaluation(|| work(400)), Ok(()));
        assert_eq!(evaluation(|| evaluation(|| work(200))), Err(Stop::Work(1000)));
        assert!(evaluation_is_over());
        assert_eq!(evaluation(|| work(1)), Err(Stop::Work(1000)));
        work(500);
    });
    assert_eq!(whole, Ok(()));
}

#[test]
fn cancellation_passes_through_expressions() {
    let cancel = Cancel::new();
    cancel.cancel();
    assert_eq!(open(SMALL, &cancel, || evaluation(|| work(1)).is_ok()), Err(Stop::Cancelled));
}

#[test]
fn an_account_inside_another_leaves_it_as_it_was() {
    let outer = open(SMALL, &Cancel::new(), || {
        work(900);
        assert_eq!(open(SMALL, &Cancel::new(), || work(1001)), Err(Stop::Work(1000)));
        work(100);
        open(SMALL, &Cancel::new(), || work(1))
    });
    assert_eq!(outer, Ok(Ok(())));
}

#[test]
fn without_an_account_nothing_is_limited() {
    work(u64::MAX);
    grow(u64::MAX / 2);
    work(u64::MAX);
}

#[test]
fn a_panic_is_propagated() {
    let caught = std::panic::catch_unwind(|| open(SMALL, &Cancel::new(), || panic!("ours")));
    assert_eq!(caught.unwrap_err().downcast_ref::<&str>(), Some(&"ours"));
}

/// Limits grow with the input, up to a bound, and once for all of it.
#[test]
fn limits_are_raised_for_long_inputs() {
    let limits = Limits { work: 4 << 20, memory: 1 << 20 };
    let short = limits.for_files(1 << 10);
    assert_eq!(short, Limits { memory: (1 << 20) + (64 << 10), ..limits });
    assert_eq!(limits.for_files(500 << 10).memory, (1 << 20) * 7 / 4 - (500 << 10), "both together are bounded");
    assert_eq!(limits.for_files(64 << 20), limits, "and nothing falls");
    assert_eq!(limits.for_tree(1 << 20).work, limits.work);
    assert_eq!(limits.for_tree((1 << 20) + 7).work, limits.work + 7);
    assert_eq!(limits.for_tree(64 << 20).work, 2 * limits.work);
    assert_eq!(Limits::NONE.for_tree(64 << 20), Limits::NONE);
    let plan = limits.for_plan(1 << 10);
    assert_eq!(plan, Limits { memory: (1 << 20) * 3 / 2 - (1 << 10), ..limits }, "files are part of the memory");
    assert_eq!(limits.for_plan(64 << 20), Limits { work: 2 * limits.work, ..limits });
    assert_eq!(Limits::NONE.for_plan(64 << 20), Limits::NONE);
    let stopped = open(SMALL, &Cancel::new(), || {
        for _ in 0..2 {
            raise(|limits| Limits { work: limits.work + 500, memory: limits.memory + 1000 });
        }
        grow((1 << 20) + 4000);
        assert_eq!(spent().memory, (1 << 20) + 4000);
        raise(|limits| limits);
        work(1500);
        assert_eq!(spent().work, 1500);
        work(1);
    });
    assert_eq!(stopped, Err(Stop::Work(1500)));
    assert_eq!(
        open(SMALL, &Cancel::new(), || work(1001)),
        Err(Stop::Work(1000)),
        "another account has its own limits"
    );
}
