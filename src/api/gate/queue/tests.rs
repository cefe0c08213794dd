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
        Next::Start { wake, weight, .. } => (wake, weight),
        Next::Late { wake, .. } => panic!("{wake} is turned away"),
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
    queue.unsent = 201;
    for _ in 0..3 {
        queue.push(SMALL, "small", now);
    }
    assert_eq!(start_all(&mut queue, now).len(), 1);
    queue.unsent = 401;
    assert!(matches!(queue.admits(SizeClass::Small, SECOND, now), Err((Shed::Answers, _))));
    queue.sent(401);
    assert_eq!(start_all(&mut queue, now).len(), 2);
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
        assert!(matches!(queue.next(now), Some(Next::Late { wake: "early", .. })));
    }
    assert_eq!(start_all(&mut queue, now), ["new"]);
}
