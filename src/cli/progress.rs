//! Progress on long work: a line on standard error, which is there only if that is a terminal and the work takes longer than a
//! moment, and of which nothing stays.

use std::io::{self, IsTerminal as _};
use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use overfold_engine::Observer;

/// How long nothing is shown.
const PATIENCE: Duration = Duration::from_millis(500);
/// How often the line is drawn although nothing has happened.
const TICK: Duration = Duration::from_millis(100);
/// The line about work of which it is not known how much there is, and about work of which it is.
const OPEN: &str = "{spinner} {msg} {elapsed}";
const COUNTED: &str = "{wide_bar} {pos}/{len} {msg} {eta}";

/// The line about one piece of work. It is gone when this is dropped.
pub(super) struct Progress {
    bar: ProgressBar,
    /// What is counted, in the plural.
    parts: &'static str,
    /// What waits until the line may be shown.
    waiting: Option<(Sender<()>, JoinHandle<()>)>,
}

impl Progress {
    /// Begins work that consists of `parts`, such as `modules`.
    pub(super) fn new(parts: &'static str) -> Self {
        let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::hidden()).with_style(style(OPEN));
        let waiting = io::stderr().is_terminal().then(|| {
            let (sender, receiver) = mpsc::channel();
            let bar = bar.clone();
            let wait = move || {
                if receiver.recv_timeout(PATIENCE) == Err(RecvTimeoutError::Timeout) {
                    bar.set_draw_target(ProgressDrawTarget::stderr());
                    bar.enable_steady_tick(TICK);
                }
            };
            (sender, thread::spawn(wait))
        });
        Self { bar, parts, waiting }
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        if let Some((sender, thread)) = self.waiting.take() {
            drop(sender);
            // It does not panic, and the line is no reason to fail.
            let _ = thread.join();
        }
        self.bar.finish_and_clear();
    }
}

impl Observer for Progress {
    fn progress(&mut self, done: usize, total: Option<usize>) {
        if self.waiting.is_none() {
            return;
        }
        match total {
            // There is nothing to count.
            Some(0 | 1) => {}
            Some(total) => {
                if self.bar.length() != Some(total as u64) {
                    self.bar.set_length(total as u64);
                    self.bar.set_style(style(COUNTED));
                    self.bar.set_message(self.parts);
                }
                self.bar.set_position(done as u64);
            }
            None => self.bar.set_message(format!("{done} {}", self.parts)),
        }
    }
}

/// Returns the style with a template, which is one of the constants.
fn style(template: &str) -> ProgressStyle {
    ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar())
}
