use super::*;

#[global_allocator]
static ALLOCATOR: Allocator = Allocator;

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

/// A charge of memory looks at what is held whatever its size, and work every `CHECK_EVERY` units.
#[test]
fn charges_end_what_holds_too_much() {
    let limits = Limits { work: u64::MAX, memory: 1 << 20 };
    let (mut work_done, mut growth_done) = (0, 0);
    let stopped = open(limits, &Cancel::new(), || {
        let mut held = Vec::new();
        for _ in 0..1000 {
            held.push(vec![1_u8; 100_000]);
            work_done = held.len();
            work(CHECK_EVERY / 2);
        }
    });
    assert_eq!(stopped, Err(Stop::Memory(1 << 20)));
    assert!((11..=13).contains(&work_done), "{work_done}");
    let stopped = open(limits, &Cancel::new(), || {
        let mut held = Vec::new();
        for _ in 0..1000 {
            held.push(vec![1_u8; 100_000]);
            growth_done = held.len();
            grow(1);
        }
    });
    assert_eq!((stopped, growth_done), (Err(Stop::Memory(1 << 20)), 11));
}

/// What is announced has to fit beside what is held.
#[test]
fn a_single_allocation_is_refused_before_it_is_made() {
    for announce in [|| grow(600_000), || room(600_000), || copy(600_000)] as [fn(); 3] {
        let stopped = open(Limits { work: u64::MAX, memory: 1 << 20 }, &Cancel::new(), || {
            let held = vec![1_u8; 600_000];
            announce();
            held
        });
        assert_eq!(stopped, Err(Stop::Memory(1 << 20)));
    }
}

/// Work that does not charge is seen from outside, and ends at its next charge with a reason.
#[test]
fn another_thread_sees_what_is_held_and_ends_it() {
    let cancel = Cancel::new();
    let work = {
        let cancel = cancel.clone();
        std::thread::spawn(move || {
            open(Limits { work: u64::MAX, memory: 1 << 20 }, &cancel, || {
                let mut held = Vec::new();
                while !cancel.is_cancelled() {
                    held.push(vec![1_u8; 4096]);
                    std::thread::sleep(std::time::Duration::from_micros(10));
                }
                drop(held);
                for _ in 0..CHECK_EVERY {
                    work(1);
                }
            })
        })
    };
    while cancel.excess().is_none_or(|excess| excess < 1 << 20) {
        std::thread::yield_now();
    }
    assert!(cancel.held() >= 2 << 20, "{}", cancel.held());
    cancel.cancel_for_memory();
    cancel.cancel();
    assert_eq!(work.join().unwrap(), Err(Stop::Memory(1 << 20)));
    assert_eq!(cancel.excess(), None, "nothing is left that could be too large");
}

/// An expression that is too large ends alone; a request that is cancelled for its memory ends whole.
#[test]
fn cancellation_for_memory_passes_through_expressions() {
    let cancel = Cancel::new();
    cancel.cancel_for_memory();
    assert_eq!(open(SMALL, &cancel, || evaluation(|| work(1)).is_ok()), Err(Stop::Memory(1 << 20)));
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
/// Files that are read meanwhile raise the limits again and again; expressions that had their share get no more of it.
#[test]
fn what_expressions_have_used_up_stays_used_up() {
    let more = |by: u64| raise(|limits| Limits { work: limits.work + by, ..limits });
    let outcome = open(SMALL, &Cancel::new(), || {
        more(200);
        assert_eq!(evaluation(|| work(600)), Ok(()));
        assert!(evaluation(|| work(1)).is_err());
        more(400);
        assert!(evaluation(|| work(1)).is_err());
        work(700);
    });
    assert_eq!(outcome, Ok(()));
}

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
        (0..4).for_each(|_| grow((1 << 18) + 1000));
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

/// Runs a job that stops nothing, and returns the units of work that it charged.
fn units_of(job: impl FnOnce()) -> u64 {
    let limits = Limits { work: 1 << 30, memory: 1 << 30 };
    open(limits, &Cancel::new(), || {
        job();
        spent().work
    })
    .unwrap()
}

#[test]
fn a_charged_loop_pays_for_the_items_that_it_reaches() {
    let items = [1, 2, 3, 4];
    assert_eq!(units_of(|| assert!(items.iter().charged(3).any(|&item| item == 2))), 6);
    assert_eq!(units_of(|| assert_eq!(items.into_iter().charged(3).sum::<u64>(), 10)), 12);
    assert_eq!(units_of(|| assert_eq!(items.iter().charged(3).next_back(), Some(&4))), 3);
    assert_eq!(units_of(|| assert_eq!(items.iter().charged_by(|item| **item).count(), 4)), 10);
    assert_eq!(items.iter().charged(1).size_hint(), (4, Some(4)));
}

#[test]
fn a_pass_is_paid_for_at_once() {
    let items = [0; 32];
    assert_eq!(units_of(|| assert_eq!(items.iter().charged_at_once(2).next(), Some(&0))), 64);
    assert_eq!(units_of(|| assert_eq!(items.iter().skimmed(16).next(), Some(&0))), 2);
    let mut list = [3, 1, 2];
    assert_eq!(units_of(|| list.charged_sort_by_key(8, |item| *item)), 24);
    assert_eq!(list, [1, 2, 3]);
    assert_eq!(units_of(|| list.charged_sort_by(8, |a, b| b.cmp(a))), 24);
    assert_eq!(list, [3, 2, 1]);
}

#[test]
fn a_list_grows_only_as_far_as_the_account_can_afford() {
    let mut list = List::new();
    let stopped = open(SMALL, &Cancel::new(), || {
        for at in 0..1 << 20 {
            list.push([at; 8]);
        }
    });
    assert_eq!(stopped, Err(Stop::Memory(1 << 20)));
    assert!(list.len() <= (1 << 20) / 64 && list.len() > (1 << 10));
    let stopped = open(SMALL, &Cancel::new(), || (0..1_u64 << 20).collect::<List<u64>>().len());
    assert_eq!(stopped, Err(Stop::Memory(1 << 20)));
}

#[test]
fn what_is_taken_from_a_worklist_is_paid_for() {
    let mut taken = Vec::new();
    let units = units_of(|| {
        let mut left = Worklist::new(4, [3]);
        while let Some(item) = left.pop() {
            taken.push(item);
            left.extend((0..item).take(1));
        }
    });
    assert_eq!((units, taken), (8, vec![3, 0]));
}
