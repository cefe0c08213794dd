//! The account of a request: what its work may cost, in time and in memory.
//!
//! Whoever answers a request [`open`]s an account for the thread that does the work. Every stage charges what it is
//! about to do, in proportion and before it does it: [`work`] for time-like effort, [`grow`] for memory-like growth.
//! Whatever passes a limit, or goes on after the request was [cancelled](Cancel), stops there: the stack unwinds to
//! [`open`] (or to [`evaluation`], which only expressions end at), everything on it is freed, and the caller gets a
//! [`Stop`] that names the limit.
//!
//! The account is ambient, not a parameter: comparing, ordering and printing values is work too, and the traits that
//! do it take no parameter. It belongs to one thread and one request, is looked at nowhere but here, and steers
//! nothing but the stop, so the same request still gives the same bytes. Where no account is open (a unit test, a
//! use of the library) nothing is limited.
//!
//! The stop is an unwinding without a panic (`std::panic::resume_unwind`): no hook runs and nothing is logged. Deep
//! recursions of functions that cannot fail would otherwise each have to carry it.

#![deny(clippy::disallowed_methods, clippy::disallowed_types)]

mod allocated;

pub use allocated::Allocator;

use std::cell::{Cell, RefCell};
use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use smallvec::{Array, SmallVec};

/// Bytes of text that cost one unit to copy, compare or scan.
pub const BYTES_PER_UNIT: u64 = 64;

/// What one request may cost.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Limits {
    /// Units of work, see [`work`]. Half of them may go to expressions.
    pub work: u64,
    /// Bytes of memory that the request may hold at a time, and that it may put together in all, see [`grow`].
    pub memory: u64,
}

impl Limits {
    /// No limits.
    pub const NONE: Self = Self { work: u64::MAX, memory: u64::MAX };
    /// The service's defaults: at most two seconds of one processor, and 128 MiB.
    pub const DEFAULT: Self = Self { work: 20_000_000, memory: 128 << 20 };
}

/// A request to stop work: set by a deadline, by a client that left, by the end of the service. Clones share it.
#[derive(Clone, Default, Debug)]
pub struct Cancel(Arc<AtomicBool>);

impl Cancel {
    /// Not cancelled yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// From now on the work stops at its next charge that looks: within milliseconds.
    pub fn cancel(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// Whether the work is to stop.
    pub fn is_cancelled(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

/// Why work was stopped.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Stop {
    /// Nobody waits for the answer any more.
    Cancelled,
    /// More than so many units of work.
    Work(u64),
    /// More than so many bytes of memory.
    Memory(u64),
}

impl Stop {
    /// The setting that was passed and its value; `None` when the work was cancelled.
    pub const fn limit(self) -> Option<(&'static str, u64)> {
        match self {
            Self::Cancelled => None,
            Self::Work(value) => Some(("max-work-units", value)),
            Self::Memory(value) => Some(("max-memory-bytes", value)),
        }
    }
}

impl fmt::Display for Stop {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Cancelled => f.write_str("the work was cancelled"),
            Self::Work(value) => write!(f, "the work is over the limit max-work-units of {value}"),
            Self::Memory(value) => write!(f, "the memory in use is over the limit max-memory-bytes of {value} bytes"),
        }
    }
}

impl std::error::Error for Stop {}

/// Units between two looks at the cancellation and at the allocator: well under a millisecond of work.
const LOOK_EVERY: u64 = 4096;

/// The account that is open on this thread.
struct Account {
    limits: Cell<Limits>,
    work_left: Cell<u64>,
    /// Of the work, what is left for expressions.
    evaluation_left: Cell<u64>,
    memory_left: Cell<u64>,
    until_look: Cell<u64>,
    /// Inside [`evaluation`].
    evaluating: Cell<bool>,
    /// What the thread held when the account was opened.
    held_before: Cell<u64>,
}

thread_local! {
    /// Apart from the rest, which needs no destructor and is therefore cheap to get at.
    static CANCEL: RefCell<Option<Cancel>> = const { RefCell::new(None) };
    static ACCOUNT: Account = const {
        Account {
            limits: Cell::new(Limits::NONE),
            work_left: Cell::new(u64::MAX),
            evaluation_left: Cell::new(u64::MAX),
            memory_left: Cell::new(u64::MAX),
            until_look: Cell::new(u64::MAX),
            evaluating: Cell::new(false),
            held_before: Cell::new(0),
        }
    };
}

/// Runs `job` with an account of its own on this thread; what was open before is open again afterwards.
///
/// # Errors
/// [`Stop`] when the job passed a limit or was cancelled. A panic goes on as one.
pub fn open<T>(limits: Limits, cancel: &Cancel, job: impl FnOnce() -> T) -> Result<T, Stop> {
    let _restored = Restore::of(limits, cancel);
    caught(job)
}

/// Puts the account that was open before back, also when the stack unwinds.
struct Restore {
    limits: Limits,
    work_left: u64,
    evaluation_left: u64,
    memory_left: u64,
    until_look: u64,
    evaluating: bool,
    cancel: Option<Cancel>,
    held_before: u64,
}

impl Restore {
    fn of(limits: Limits, cancel: &Cancel) -> Self {
        ACCOUNT.with(|account| Self {
            limits: account.limits.replace(limits),
            work_left: account.work_left.replace(limits.work),
            evaluation_left: account.evaluation_left.replace(limits.work.div_ceil(2)),
            memory_left: account.memory_left.replace(limits.memory),
            until_look: account.until_look.replace(0),
            evaluating: account.evaluating.replace(false),
            cancel: CANCEL.replace(Some(cancel.clone())),
            held_before: account.held_before.replace(allocated::held()),
        })
    }
}

impl Drop for Restore {
    fn drop(&mut self) {
        ACCOUNT.with(|account| {
            account.limits.set(self.limits);
            account.work_left.set(self.work_left);
            account.evaluation_left.set(self.evaluation_left);
            account.memory_left.set(self.memory_left);
            account.until_look.set(self.until_look);
            account.evaluating.set(self.evaluating);
            CANCEL.replace(self.cancel.take());
            account.held_before.set(self.held_before);
        });
    }
}

fn caught<T>(job: impl FnOnce() -> T) -> Result<T, Stop> {
    // What the job leaves half done is dropped with it, or is append-only: trees, texts and findings.
    catch_unwind(AssertUnwindSafe(job)).map_err(|payload| match payload.downcast::<Stop>() {
        Ok(stop) => *stop,
        Err(panic) => resume_unwind(panic),
    })
}

/// Runs `job`, the evaluation of an expression, on the share of the account that expressions have together. When the
/// share is used up, or memory is, the job stops here and not the request: what follows it is still done. From then on
/// every evaluation stops at once.
///
/// # Errors
/// [`Stop`] when the share or the memory of the account is used up; never [`Stop::Cancelled`], which ends the request.
pub fn evaluation<T>(job: impl FnOnce() -> T) -> Result<T, Stop> {
    let Some(share) = ACCOUNT.with(Share::begin) else { return Ok(job()) };
    let result = caught(job);
    drop(share);
    if let Err(stop) = result {
        if stop == Stop::Cancelled {
            resume_unwind(Box::new(stop));
        }
        // Without limits, what was refused for another reason says nothing about the next expression.
        if work_limit() != u64::MAX {
            ACCOUNT.with(|account| account.evaluation_left.set(0));
        }
    }
    result
}

/// What has been charged to an account.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Spent {
    /// Units of work.
    pub work: u64,
    /// Bytes of memory, given back or not.
    pub memory: u64,
}

/// What has been charged to the open account so far. Outside of [`evaluation`] only.
pub fn spent() -> Spent {
    ACCOUNT.with(|account| {
        let limits = account.limits.get();
        Spent { work: limits.work - account.work_left.get(), memory: limits.memory - account.memory_left.get() }
    })
}

/// The limit of the open account in units of work.
pub fn work_limit() -> u64 {
    ACCOUNT.with(|account| account.limits.get().work)
}

/// Whether at least a quarter of the work is left: what is a mere courtesy is done only then. The same request finds the
/// same answer.
pub fn has_spare_work() -> bool {
    ACCOUNT.with(|account| account.work_left.get() >= account.limits.get().work / 4)
}

/// Whether expressions have used up their share of the account.
pub fn evaluation_is_over() -> bool {
    ACCOUNT.with(|account| account.evaluation_left.get() == 0)
}

/// Ends the share of expressions: what is being evaluated is refused, and everything after it.
pub fn end_evaluation() -> ! {
    stop(Stop::Work(work_limit()))
}

/// While it lives, `work_left` is what expressions have left.
struct Share {
    /// Units that the rest of the request keeps.
    kept: u64,
}

impl Share {
    /// `None` inside another share.
    fn begin(account: &Account) -> Option<Self> {
        if account.evaluating.replace(true) {
            return None;
        }
        let share = account.evaluation_left.get().min(account.work_left.get());
        let kept = account.work_left.replace(share) - share;
        Some(Self { kept })
    }
}

impl Drop for Share {
    fn drop(&mut self) {
        ACCOUNT.with(|account| {
            let left = account.work_left.get();
            account.evaluation_left.set(left);
            account.work_left.set(left.saturating_add(self.kept));
            account.evaluating.set(false);
        });
    }
}

/// Charges work before it is done. A unit is some 50 nanoseconds: a node visited, an element compared or moved,
/// [`BYTES_PER_UNIT`] bytes of text touched. Returns when the account can bear it; otherwise the request stops (see
/// [`open`]).
#[inline]
pub fn work(units: u64) {
    ACCOUNT.with(|account| {
        let left = account.work_left.get();
        let until_look = account.until_look.get();
        if units <= left && units < until_look {
            account.work_left.set(left - units);
            account.until_look.set(until_look - units);
        } else {
            charge_and_look(account, units);
        }
    });
}

/// Charges the work of touching so many bytes of text: one unit for each [`BYTES_PER_UNIT`], at least one.
#[inline]
pub fn touch(bytes: usize) {
    work(bytes as u64 / BYTES_PER_UNIT + 1);
}

/// Charges memory before it is taken: bytes of values, texts, findings and answers that are put together. What is
/// given back is not counted back; what is really held is looked at besides, by the allocator's own count.
#[inline]
pub fn grow(bytes: u64) {
    ACCOUNT.with(|account| match account.memory_left.get().checked_sub(bytes) {
        Some(left) => account.memory_left.set(left),
        None if account.limits.get().memory == u64::MAX || std::thread::panicking() => {}
        None => stop(Stop::Memory(account.limits.get().memory)),
    });
}

/// Appends to a list whose length the input decides. Where the list has to move to more room, the account must bear
/// that room before it is taken: lists double, which no look at what is held would see in time.
#[inline]
pub fn push<T>(list: &mut Vec<T>, item: T) {
    make_room(list, 1);
    list.push(item);
}

/// Makes room for `more` items at the end of a list, as [`push`] does for one.
#[inline]
pub fn make_room<T>(list: &mut Vec<T>, more: usize) {
    if list.capacity() - list.len() < more {
        let items = (list.len() + more).max(2 * list.capacity());
        fits(items.saturating_mul(size_of::<T>()));
        list.reserve(more);
    }
}

/// [`push`] for a list whose first items need no memory of their own.
#[inline]
pub fn push_few<A: Array>(list: &mut SmallVec<A>, item: A::Item) {
    if list.len() == list.capacity() {
        fits(2 * list.capacity() * size_of::<A::Item>());
    }
    list.push(item);
}

/// Stops the request when so many bytes more than it holds now are too many.
#[cold]
fn fits(bytes: usize) {
    ACCOUNT.with(|account| {
        let limit = account.limits.get().memory;
        if held(account).saturating_add(bytes as u64) > limit && !std::thread::panicking() {
            stop(Stop::Memory(limit));
        }
    });
}

/// Bytes that the thread holds beyond what it held when the account was opened.
fn held(account: &Account) -> u64 {
    // What came from other threads and was freed here makes the difference negative.
    u64::try_from(allocated::held().wrapping_sub(account.held_before.get()).cast_signed()).unwrap_or(0)
}

#[cold]
fn charge_and_look(account: &Account, units: u64) {
    let limits = account.limits.get();
    account.until_look.set(LOOK_EVERY);
    // A stack that unwinds already goes on doing so.
    if std::thread::panicking() {
        return;
    }
    match account.work_left.get().checked_sub(units) {
        Some(left) => account.work_left.set(left),
        None if limits.work == u64::MAX => {}
        None => {
            account.work_left.set(0);
            stop(Stop::Work(limits.work));
        }
    }
    if CANCEL.with_borrow(|cancel| cancel.as_ref().is_some_and(Cancel::is_cancelled)) {
        stop(Stop::Cancelled);
    }
    if held(account) > limits.memory {
        stop(Stop::Memory(limits.memory));
    }
}

/// Unwinds to [`open`] or [`evaluation`].
fn stop(why: Stop) -> ! {
    resume_unwind(Box::new(why))
}

#[cfg(test)]
mod tests;
