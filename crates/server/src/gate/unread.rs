//! Answers that have not been read completely, and which of them goes first when their memory is needed.
//!
//! Answers hold the memory of places for work. Clients that do not read theirs must not shut out everybody until a timeout
//! notices them, so when a request needs a place that answers have closed, the connection of the least-read answer is
//! ended. Which answer that is says nothing about its client's request, only about how it reads.

use std::time::{Duration, Instant};

use crate::watch::Watch;

/// The time that a client has before its answer may be dropped so that a medium or large request finds a place.
pub(super) const LEAST_TIME: Duration = Duration::from_secs(2);

/// The reader of an answer.
pub(crate) trait Reader {
    /// Returns the number of bytes that the reader has taken on its connection, of this answer or of others.
    fn taken(&self) -> u64;

    /// Ends the connection. The answer is freed soon after.
    fn end(&self);
}

impl Reader for Watch {
    fn taken(&self) -> u64 {
        self.bytes_sent()
    }

    fn end(&self) {
        self.evict();
    }
}

/// An answer that has not been read completely.
#[derive(Debug)]
struct Answer<R> {
    number: u64,
    held: u64,
    since: Instant,
    /// The reader, and how much it had taken before; `None` if the answer is not sent over a connection of ours.
    reader: Option<(R, u64)>,
    /// Whether its connection has been told to end.
    leaving: bool,
}

/// All answers that have not been read completely.
#[derive(Debug)]
pub(super) struct UnreadAnswers<R> {
    answers: Vec<Answer<R>>,
    next: u64,
}

impl<R: Reader> UnreadAnswers<R> {
    pub(super) const fn new() -> Self {
        Self { answers: Vec::new(), next: 0 }
    }

    /// Adds an answer that holds `held` bytes, and returns its number.
    pub(super) fn add(&mut self, held: u64, reader: Option<R>, now: Instant) -> u64 {
        let number = self.next;
        self.next += 1;
        let reader = reader.map(|reader| {
            let before = reader.taken();
            (reader, before)
        });
        self.answers.push(Answer { number, held, since: now, reader, leaving: false });
        number
    }

    /// Removes an answer that has been read, or whose connection is gone. Returns the bytes that it held, and whether it had
    /// been told to leave.
    pub(super) fn remove(&mut self, number: u64) -> (u64, bool) {
        let at = self.answers.iter().position(|answer| answer.number == number);
        at.map_or((0, false), |at| {
            let Answer { held, leaving, .. } = self.answers.swap_remove(at);
            (held, leaving)
        })
    }

    /// Ends the connections of the least-read answers until those hold at least `bytes` bytes, as far as there are answers
    /// that are at least `age` old. Returns the bytes that they hold; answers on one connection leave together.
    pub(super) fn drop_least_read(&mut self, bytes: u64, age: Duration, now: Instant) -> u64 {
        let mut leaving = 0;
        while leaving < bytes {
            let candidates = self.answers.iter_mut().filter(|answer| {
                !answer.leaving && answer.reader.is_some() && now.saturating_duration_since(answer.since) >= age
            });
            let Some(least) = candidates.min_by(|a, b| a.share_read().total_cmp(&b.share_read())) else { break };
            least.leaving = true;
            leaving += least.held;
            if let Some((reader, _)) = &least.reader {
                reader.end();
            }
        }
        leaving
    }
}

impl<R: Reader> Answer<R> {
    /// Returns the part of the answer that has been read, from 0 on.
    fn share_read(&self) -> f64 {
        let taken = self.reader.as_ref().map_or(0, |(reader, before)| reader.taken().saturating_sub(*before));
        #[expect(clippy::cast_precision_loss, reason = "sizes in bytes, for a comparison")]
        let (taken, held) = (taken as f64, self.held.max(1) as f64);
        taken / held
    }
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;
    use std::rc::Rc;

    use super::*;

    #[derive(Default, Clone)]
    struct Fake(Rc<(Cell<u64>, Cell<bool>)>);

    impl Reader for Fake {
        fn taken(&self) -> u64 {
            self.0.0.get()
        }

        fn end(&self) {
            self.0.1.set(true);
        }
    }

    #[test]
    fn the_least_read_answer_goes_first() {
        let (mut unread, now) = (UnreadAnswers::new(), Instant::now());
        let readers: Vec<Fake> = (0..4).map(|_| Fake::default()).collect();
        // What was taken before the answer does not count.
        readers[0].0.0.set(1_000_000);
        let numbers: Vec<u64> = readers.iter().map(|reader| unread.add(100, Some(reader.clone()), now)).collect();
        for (reader, taken) in readers.iter().zip([1_000_001, 90, 2, 50]) {
            reader.0.0.set(taken);
        }
        let later = now + LEAST_TIME;
        let gone = |at: usize| readers[at].0.1.get();
        assert_eq!(unread.drop_least_read(0, LEAST_TIME, later), 0);
        assert_eq!(unread.drop_least_read(1, LEAST_TIME, now), 0, "everybody has some time");
        assert_eq!(unread.drop_least_read(150, LEAST_TIME, later), 200);
        assert!(gone(0) && gone(2) && !gone(1) && !gone(3));
        assert_eq!(unread.remove(numbers[0]), (100, true));
        assert_eq!(unread.drop_least_read(1, LEAST_TIME, later), 100, "the same is not dropped twice");
        assert!(gone(3) && !gone(1));
        assert_eq!(unread.remove(numbers[1]), (100, false));
        assert_eq!(unread.remove(numbers[1]), (0, false));
        assert_eq!(unread.drop_least_read(1, Duration::ZERO, later), 0, "nobody is left");
    }

    #[test]
    fn an_answer_without_a_connection_stays() {
        let (mut unread, now) = (UnreadAnswers::<Fake>::new(), Instant::now());
        unread.add(100, None, now);
        assert_eq!(unread.drop_least_read(1, Duration::ZERO, now), 0);
    }
}
