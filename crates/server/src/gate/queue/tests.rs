use super::*;

const SECOND: Duration = Duration::from_secs(1);

fn capacity(places: usize) -> Capacity {
    Capacity { places, queue: 100, patience: 1000.0, work_bytes: 100, answer_bytes: 100 }
}

/// A queue whose requests are woken by name; the clock is an argument.
fn queue(places: usize) -> (Queue<&'static str>, Instant) {
    (Queue::new(capacity(places)), Instant::now())
}

fn start_all(queue: &mut Queue<&'static str>, now: Instant) -> Vec<&'static str> {
    std::iter::from_fn(|| start(queue, now).map(|(wake, _)| wake)).collect()
}

const SMALL: Weight = Weight { class: SizeClass::Small, bytes: 1 << 10 };
const MEDIUM: Weight = Weight { class: SizeClass::Medium, bytes: 100 << 10 };
const LARGE: Weight = Weight { class: SizeClass::Large, bytes: 2 << 20 };

fn start(queue: &mut Queue<&'static str>, now: Instant) -> Option<(&'static str, Weight)> {
    queue.next(now).map(|next| match next {
        WaitOutcome::Start { wake, weight, .. } => (wake, weight),
        WaitOutcome::Late { wake, .. } => panic!("{wake} is turned away"),
    })
}

#[test]
fn a_place_is_reserved_for_small_requests() {
    for places in [1, 2, 4] {
        let (mut queue, now) = queue(places);
        for _ in 0..10 {
            queue.push(MEDIUM, "medium", now);
            queue.push(LARGE, "large", now);
        }
        assert_eq!(start_all(&mut queue, now).len(), places);
        queue.push(SMALL, "small", now);
        assert_eq!(start_all(&mut queue, now), ["small"], "{places} places");
    }
}

#[test]
fn large_requests_leave_one_of_two_places_to_medium_ones() {
    let (mut queue, now) = queue(2);
    for _ in 0..5 {
        queue.push(LARGE, "large", now);
    }
    assert_eq!(start_all(&mut queue, now), ["large"]);
    queue.push(MEDIUM, "medium", now);
    assert_eq!(start_all(&mut queue, now), ["medium"]);
}

#[test]
fn a_large_request_ages_and_is_not_overtaken_for_ever() {
    let (mut queue, mut now) = queue(1);
    queue.push(LARGE, "large", now);
    queue.push(MEDIUM, "medium", now);
    let mut turns = Vec::new();
    for _ in 0..200 {
        queue.push(MEDIUM, "medium", now);
        now += SECOND / 20;
        if let Some((wake, weight)) = start(&mut queue, now) {
            turns.push(wake);
            queue.finish(weight, Some(SECOND / 20), 0);
        }
    }
    let turn = turns.iter().position(|wake| *wake == "large");
    assert!(turn.is_some_and(|turn| (1..100).contains(&turn)), "{turn:?}");
}

#[test]
fn requests_that_would_wait_too_long_are_turned_away_at_once() {
    let mut queue = Queue::new(Capacity { patience: 4.0, ..capacity(1) });
    let mut now = Instant::now();
    // Each takes a second of work.
    for _ in 0..200 {
        queue.push(MEDIUM, "medium", now);
        assert!(start(&mut queue, now).is_some());
        now += SECOND;
        queue.finish(MEDIUM, Some(SECOND), 0);
    }
    assert_eq!(queue.admits(SizeClass::Medium, SECOND * 60, now), Ok(()));
    queue.push(MEDIUM, "at work", now);
    assert!(start(&mut queue, now).is_some());
    let fill = |queue: &mut Queue<&'static str>, now| {
        let mut in_line = 0;
        while in_line < 50 && queue.admits(SizeClass::Medium, SECOND * 60, now).is_ok() {
            queue.push(MEDIUM, "in line", now);
            in_line += 1;
        }
        in_line
    };
    assert_eq!(fill(&mut queue, now), 50, "a burst is none too many");
    for ticket in 200..=251 {
        queue.leave(SizeClass::Medium, ticket);
    }
    now += BURST;
    assert_eq!(queue.admits(SizeClass::Medium, SECOND * 60, now), Ok(()));
    let in_line = fill(&mut queue, now);
    assert!((2..=5).contains(&in_line), "{in_line}");
    let (why, wait) = queue.admits(SizeClass::Medium, SECOND * 60, now).unwrap_err();
    assert_eq!(why, Shed::TooLate);
    assert!(wait > SECOND * 2 && wait < SECOND * 8, "{wait:?}");
    assert_eq!(queue.saturated(now), None, "small requests are served all the same");
    // After a calm period this is a burst again; but a request without time to wait is turned away at once.
    for ticket in 200..300 {
        queue.leave(SizeClass::Medium, ticket);
    }
    now += CALM_PERIOD;
    assert_eq!(queue.admits(SizeClass::Medium, SECOND * 60, now), Ok(()));
    assert!(queue.admits(SizeClass::Medium, SECOND, now).is_err());
}

#[test]
fn the_expected_wait_follows_how_fast_the_line_really_moves() {
    let (mut queue, mut now) = queue(1);
    let busy = |queue: &mut Queue<&'static str>, now: &mut Instant, gap: Duration| {
        for _ in 0..50 {
            queue.push(MEDIUM, "next", *now);
            if let Some((_, weight)) = start(queue, *now) {
                *now += gap;
                // The work itself is short; other requests hold the place most of the time.
                queue.finish(weight, Some(SECOND / 100), 0);
            }
        }
    };
    queue.push(MEDIUM, "first", now);
    busy(&mut queue, &mut now, SECOND);
    queue.lines.get_mut(SizeClass::Medium).at_work = 1;
    let slow = queue.expected_wait(SizeClass::Medium, now);
    assert!(slow > SECOND, "{slow:?}");
}

#[test]
fn departed_requests_are_not_waited_for() {
    let (mut queue, now) = queue(1);
    let gone = queue.push(SMALL, "gone", now);
    queue.push(SMALL, "there", now);
    queue.leave(SizeClass::Small, gone);
    assert_eq!(queue.waiting(), 1);
    assert_eq!(start_all(&mut queue, now), ["there"]);
}

#[test]
fn answers_that_are_not_read_close_places() {
    let (mut queue, now) = queue(2);
    // There is room for all places and 100 bytes more; each place takes 100 bytes.
    queue.unsent = 200;
    for _ in 0..3 {
        queue.push(SMALL, "small", now);
        queue.push(MEDIUM, "medium", now);
    }
    assert_eq!(start_all(&mut queue, now).len(), 2);
    queue.sent(200, false);
    assert_eq!(start_all(&mut queue, now).len(), 1);
}

#[test]
fn larger_requests_are_turned_away_before_small_ones() {
    for places in [1, 2, 3, 8] {
        let (mut queue, now) = queue(places);
        // All places but the one for small requests are closed.
        queue.unsent = 100 + 100 * (places as u64 - 1) + 1;
        assert_eq!(queue.excess(SizeClass::Small), 0);
        assert_eq!((queue.excess(SizeClass::Medium), queue.excess(SizeClass::Large)), (1, 1));
        for class in [SizeClass::Medium, SizeClass::Large] {
            assert!(matches!(queue.admits(class, SECOND, now), Err((Shed::Answers, _))));
        }
        assert_eq!((queue.admits(SizeClass::Small, SECOND, now), queue.saturated(now)), (Ok(()), None));
        queue.push(MEDIUM, "medium", now);
        queue.push(LARGE, "large", now);
        queue.push(SMALL, "small", now);
        assert_eq!(start_all(&mut queue, now), ["small"], "{places} places");
    }
}

#[test]
fn the_place_for_small_requests_stays_open_whatever_else_is_at_work() {
    let (mut queue, now) = queue(2);
    queue.push(MEDIUM, "medium", now);
    queue.push(MEDIUM, "medium", now);
    assert_eq!(start_all(&mut queue, now).len(), 2);
    // Answers for which there is no room while both work: 100 bytes are theirs, the rest is in the way.
    queue.unsent = 150;
    assert_eq!(queue.excess(SizeClass::Small), 50);
    queue.push(SMALL, "small", now);
    assert!(start(&mut queue, now).is_none());
    // Told to leave, they are no reason to turn a request away, but their memory is still in use.
    queue.leaves(60);
    assert_eq!((queue.excess(SizeClass::Small), queue.saturated(now)), (0, None));
    assert!(start(&mut queue, now).is_none());
    queue.sent(60, true);
    assert_eq!(start_all(&mut queue, now), ["small"]);
    assert_eq!(queue.leaving, 0);
}

/// However requests come and answers stay, answers and places never hold more than all places and the room for answers.
#[test]
fn answers_and_places_stay_within_their_memory() {
    for places in [1, 2, 5] {
        let (mut queue, mut now) = queue(places);
        let max = 100 + 100 * (places as u64 + 1);
        let mut working: Vec<Weight> = Vec::new();
        // A simple generator: the same sequence every time.
        let mut seed = 7_u64;
        let mut next = |below: u64| {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (seed >> 33) % below
        };
        for _ in 0..20_000 {
            now += SECOND / 100;
            let weight = [SMALL, MEDIUM, LARGE][next(3) as usize];
            match next(4) {
                0 if queue.waiting() < 20 => {
                    queue.push(weight, "x", now);
                }
                1 if !working.is_empty() => {
                    let done = working.swap_remove(next(working.len() as u64) as usize);
                    queue.finish(done, Some(SECOND / 100), next(101));
                }
                2 => {
                    let sent = next(queue.unsent + 1);
                    queue.sent(sent, false);
                }
                _ => {}
            }
            while let Some((_, weight)) = start(&mut queue, now) {
                working.push(weight);
            }
            let held = queue.unsent + 100 * working.len() as u64;
            assert!(held <= max, "{places} places: {held}");
        }
    }
}

#[test]
fn in_one_line_short_work_goes_first_and_long_work_ages() {
    let (mut queue, mut now) = queue(1);
    let long = Weight { bytes: 1 << 20, ..MEDIUM };
    queue.push(long, "long", now);
    queue.push(MEDIUM, "short", now);
    now += SECOND / 100;
    assert_eq!(start_all(&mut queue, now), ["short"]);
    now += SECOND;
    queue.push(MEDIUM, "short", now);
    now += SECOND / 100;
    queue.finish(MEDIUM, None, 0);
    assert_eq!(start_all(&mut queue, now), ["long"]);
}

#[test]
fn in_an_overload_requests_that_have_waited_too_long_are_turned_away() {
    let mut queue = Queue::new(Capacity { patience: 1.0, ..capacity(1) });
    let mut now = Instant::now();
    queue.push(MEDIUM, "at work", now);
    assert!(start(&mut queue, now).is_some());
    for _ in 0..20 {
        queue.push(MEDIUM, "early", now);
    }
    // A burst: all requests are served, however late.
    now += SECOND / 2;
    queue.finish(MEDIUM, None, 0);
    assert!(start(&mut queue, now).is_some());
    // Requests keep coming.
    for _ in 0..10 {
        now += BURST / 4;
        let _ = queue.admits(SizeClass::Medium, SECOND * 60, now);
    }
    queue.push(MEDIUM, "new", now);
    queue.finish(MEDIUM, None, 0);
    for _ in 0..19 {
        assert!(matches!(queue.next(now), Some(WaitOutcome::Late { wake: "early", .. })));
    }
    assert_eq!(start_all(&mut queue, now), ["new"]);
}
