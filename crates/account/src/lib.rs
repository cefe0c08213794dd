//! The account of a request: what its work may cost, in time and in memory.
//!
//! Code that answers a request [`open`]s an account on the thread that does the work. Every stage charges what it is
//! about to do, in proportion and in advance: [`work`] for time-like effort, [`grow`] for memory-like growth. Work that
//! exceeds a limit, or continues after the request was [cancelled](Cancel), stops there: the stack unwinds to [`open`]
//! (or to [`evaluation`], which ends only expressions), everything on it is freed, and the caller gets a [`Stop`] that
//! names the limit.
//!
//! Under the charges lies a net: the allocator counts what the threads of the request really hold ([`Cancel::held`]). Every
//! charge of memory looks at that count first, and so does work every few microseconds, so what was not charged ends the
//! request soon; and somebody outside can read it while the work does not charge at all.
//!
//! The account is ambient rather than a parameter: comparing, ordering and printing values is work too, and the traits
//! that do it take no extra parameter. An account belongs to one thread and one request, is read nowhere but here, and
//! controls nothing but the stop, so the same request still produces the same bytes. Where no account is open (in a
//! unit test, or when overfold is used as a library), nothing is limited.
//!
//! Few places have to charge by hand. What grows with the input is a type that charges where it grows, and a loop over
//! something iterates in a way that charges for each item: [`List`], [`Worklist`], [`Text`],
//! [`ChargedIterator`], [`ChargedSort`], [`ChargedText`].
//!
//! The stop unwinds without a panic (`std::panic::resume_unwind`): no hook runs and nothing is logged. Otherwise every
//! deeply recursive function that cannot fail would have to return it.

#![deny(clippy::disallowed_methods, clippy::disallowed_types)]

mod cancel;
mod iterator;
#[cfg(debug_assertions)]
pub mod gaps;
pub mod echo;
mod list;
pub mod stack;
mod text;
#[cfg(not(feature = "allocator"))]
#[path = "uncounted.rs"]
mod heap;

pub use cancel::Cancel;
pub use iterator::{ChargedItems, ChargedIterator, ChargedSort, PricedItems};
pub use list::{List, Worklist};
#[cfg(feature = "allocator")]
pub use overfold_heap::{Allocator, give_back};
pub use text::{ChargedText, Text};

use std::cell::{Cell, RefCell};
use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};

#[cfg(feature = "allocator")]
use overfold_heap as heap;
use smallvec::{Array, SmallVec};

/// Bytes of text that cost one unit to copy, compare or scan.
pub const BYTES_PER_UNIT: u64 = 64;

/// What one request may cost.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Limits {
    /// Units of work, see [`work`]. Half of them may be spent on expressions.
    pub work: u64,
    /// Bytes of memory that the request may hold at any one time, and also the total that it may charge with [`grow`];
    /// of what [`raise`] adds, several times as much may be charged.
    pub memory: u64,
}

impl Limits {
    /// No limits.
    pub const NONE: Self = Self { work: u64::MAX, memory: u64::MAX };
    /// The defaults of the service: at most two seconds of one processor, and 128 MiB.
    pub const DEFAULT: Self = Self { work: 20_000_000, memory: 128 << 20 };

    /// Returns the limits for loading modules from this many bytes of files: 64 bytes of memory more for each, as far
    /// as [`Self::most_memory`] holds both.
    #[must_use]
    pub fn for_files(self, bytes: u64) -> Self {
        let max = self.most_memory().saturating_sub(bytes).max(self.memory);
        Self { memory: self.memory.saturating_add(bytes.saturating_mul(64)).min(max), ..self }
    }

    /// Returns the limits for a tree of modules in this many bytes of files: from one megabyte on, a unit more for each,
    /// up to twice as many.
    #[must_use]
    pub fn for_tree(self, bytes: u64) -> Self {
        let more = bytes.saturating_sub(1 << 20).min(self.work);
        Self { work: self.work.saturating_add(more), ..self.for_files(bytes) }
    }

    /// Returns the limits for a plan of this many bytes of files: whatever their number, half as much memory more, files
    /// included, since a short text can stand for many instances.
    #[must_use]
    pub fn for_plan(self, bytes: u64) -> Self {
        let own = self.for_tree(bytes);
        let memory = self.memory.saturating_add(self.memory / 2).saturating_sub(bytes).max(own.memory);
        Self { memory, ..own }
    }

    /// Returns the memory that a request with a long input may hold at most, its files included.
    pub const fn most_memory(self) -> u64 {
        self.memory.saturating_add(self.memory / 4 * 3)
    }
}

/// Why work was stopped.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Stop {
    /// The request was cancelled: the answer is no longer wanted.
    Cancelled,
    /// The work exceeded this many units.
    Work(u64),
    /// The memory exceeded this many bytes.
    Memory(u64),
}

impl Stop {
    /// Returns the name and value of the exceeded setting; `None` if the work was cancelled.
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

/// Units between two checks of the cancellation and of the allocator: some ten microseconds of work.
const CHECK_EVERY: u64 = 256;

/// Bytes up to which a copy may be made before the memory is checked.
const LONG: usize = 64 << 10;

/// How many times what [`raise`] adds to the memory may be charged with [`grow`].
const RAISED_GROWTH: u64 = 4;

/// Suggestions may spend one of this many parts of the work: two milliseconds by default.
const SUGGESTIONS_SHARE: u64 = 512;

/// The account that is open on this thread.
struct Account {
    /// The limits with which the account was opened.
    opened_with: Cell<Limits>,
    /// The limits in force, see [`raise`].
    limits: Cell<Limits>,
    /// The units of work that are left beyond those of `until_check`.
    work_left: Cell<u64>,
    /// The part of the work that expressions may still spend.
    evaluation_left: Cell<u64>,
    /// The part of the work that suggestions may still spend.
    suggestions_left: Cell<u64>,
    memory_left: Cell<u64>,
    /// The units of work that may be spent before anything is checked, so that a charge is a single subtraction.
    until_check: Cell<u64>,
    /// Whether the thread is inside [`evaluation`].
    evaluating: Cell<bool>,
    /// The request's count of bytes when the account was opened.
    held_at_open: Cell<i64>,
    /// The count of bytes over which the request stops.
    most_held: Cell<i64>,
}

impl Account {
    /// Returns the units of work that are left.
    const fn left(&self) -> u64 {
        self.work_left.get().saturating_add(self.until_check.get())
    }

    /// Sets the units of work that are left, of which at most `until_check` may be spent before anything is checked.
    fn set_left(&self, left: u64, until_check: u64) {
        let until_check = left.min(until_check);
        self.until_check.set(until_check);
        self.work_left.set(left - until_check);
    }

    /// Sets the count of bytes over which the request stops, also for those who look from outside.
    fn limit_memory(&self) {
        let limit = self.limits.get().memory;
        let max = i64::try_from(limit).unwrap_or(i64::MAX).saturating_add(self.held_at_open.get().max(0));
        self.most_held.set(max);
        CANCEL.with_borrow(|cancel| cancel.iter().for_each(|cancel| cancel.limit_memory(limit, max)));
    }
}

thread_local! {
    /// Separate from `ACCOUNT`, which needs no destructor and is therefore cheap to access.
    static CANCEL: RefCell<Option<Cancel>> = const { RefCell::new(None) };
    static ACCOUNT: Account = const {
        Account {
            opened_with: Cell::new(Limits::NONE),
            limits: Cell::new(Limits::NONE),
            work_left: Cell::new(0),
            evaluation_left: Cell::new(u64::MAX),
            suggestions_left: Cell::new(u64::MAX),
            memory_left: Cell::new(u64::MAX),
            until_check: Cell::new(u64::MAX),
            evaluating: Cell::new(false),
            held_at_open: Cell::new(0),
            most_held: Cell::new(i64::MAX),
        }
    };
}

/// Runs `job` with a new account on this thread; the previous account is restored afterwards.
///
/// # Errors
/// Returns [`Stop`] if the job exceeded a limit or was cancelled. A panic is passed on.
pub fn open<T>(limits: Limits, cancel: &Cancel, job: impl FnOnce() -> T) -> Result<T, Stop> {
    let _restored = Restore::new(limits, cancel);
    let _counted = cancel.count().enter();
    catch_stop(job)
}

/// Restores the previous account when dropped, even while the stack unwinds.
struct Restore {
    opened_with: Limits,
    limits: Limits,
    work_left: u64,
    evaluation_left: u64,
    suggestions_left: u64,
    memory_left: u64,
    until_check: u64,
    evaluating: bool,
    cancel: Option<Cancel>,
    held_at_open: i64,
    most_held: i64,
}

impl Restore {
    fn new(limits: Limits, cancel: &Cancel) -> Self {
        ACCOUNT.with(|account| {
            let before = Self {
                opened_with: account.opened_with.replace(limits),
                limits: account.limits.replace(limits),
                work_left: account.work_left.replace(limits.work),
                evaluation_left: account.evaluation_left.replace(limits.work.div_ceil(2)),
                suggestions_left: account.suggestions_left.replace(limits.work / SUGGESTIONS_SHARE),
                memory_left: account.memory_left.replace(limits.memory),
                until_check: account.until_check.replace(0),
                evaluating: account.evaluating.replace(false),
                cancel: CANCEL.replace(Some(cancel.clone())),
                held_at_open: account.held_at_open.replace(cancel.count().bytes()),
                most_held: account.most_held.get(),
            };
            account.limit_memory();
            before
        })
    }
}

impl Drop for Restore {
    fn drop(&mut self) {
        ACCOUNT.with(|account| {
            account.opened_with.set(self.opened_with);
            account.limits.set(self.limits);
            account.work_left.set(self.work_left);
            account.evaluation_left.set(self.evaluation_left);
            account.suggestions_left.set(self.suggestions_left);
            account.memory_left.set(self.memory_left);
            account.until_check.set(self.until_check);
            account.evaluating.set(self.evaluating);
            if let Some(closed) = CANCEL.replace(self.cancel.take()) {
                closed.limit_memory(u64::MAX, i64::MAX);
            }
            account.held_at_open.set(self.held_at_open);
            account.most_held.set(self.most_held);
        });
    }
}

fn catch_stop<T>(job: impl FnOnce() -> T) -> Result<T, Stop> {
    // What the job leaves half done is either dropped with it or append-only: trees, texts and findings.
    catch_unwind(AssertUnwindSafe(job)).map_err(|payload| match payload.downcast::<Stop>() {
        Ok(stop) => *stop,
        Err(panic) => resume_unwind(panic),
    })
}

/// Runs `job`, the evaluation of an expression, on the share of the account that all expressions have in common. When
/// that share or the memory is used up, only the job stops, not the request: the work that follows is still done. From
/// then on, every evaluation stops at once.
///
/// # Errors
/// Returns [`Stop`] if the share or the memory of the account is used up; never [`Stop::Cancelled`], which ends the
/// request.
pub fn evaluation<T>(job: impl FnOnce() -> T) -> Result<T, Stop> {
    let Some(share) = ACCOUNT.with(Share::begin) else { return Ok(job()) };
    if evaluation_is_over() {
        // Unwinding once for each of many expressions would take long.
        return Err(Stop::Work(work_limit()));
    }
    let result = catch_stop(job);
    drop(share);
    if let Err(stop) = result {
        // Whoever cancels, for whatever reason, means the request.
        if CANCEL.with_borrow(|cancel| cancel.as_ref().is_some_and(Cancel::is_cancelled)) {
            resume_unwind(Box::new(stop));
        }
        // If nothing is limited, a job refused for another reason says nothing about the next expression.
        if work_limit() != u64::MAX {
            ACCOUNT.with(|account| account.evaluation_left.set(0));
        }
    }
    result
}

/// What has been charged to an account.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Usage {
    /// Units of work.
    pub work: u64,
    /// Bytes of memory, whether freed since or not.
    pub memory: u64,
}

/// Returns what has been charged to the open account so far. Call it only outside of [`evaluation`].
pub fn spent() -> Usage {
    ACCOUNT.with(|account| {
        let (opened_with, limits) = (account.opened_with.get(), account.limits.get());
        let raised = (limits.memory - opened_with.memory).saturating_mul(RAISED_GROWTH);
        let memory = opened_with.memory.saturating_add(raised) - account.memory_left.get();
        Usage { work: limits.work - account.left(), memory }
    })
}

/// Raises the limits of the open account to what `to` makes of those with which it was opened, where that is more than
/// what is in force: for long inputs. Call it only outside of [`evaluation`].
pub fn raise(to: impl FnOnce(Limits) -> Limits) {
    ACCOUNT.with(|account| {
        let (now, wanted) = (account.limits.get(), to(account.opened_with.get()));
        let work = wanted.work.saturating_sub(now.work);
        let memory = wanted.memory.saturating_sub(now.memory);
        account.limits.set(Limits { work: now.work + work, memory: now.memory + memory });
        account.limit_memory();
        account.work_left.set(account.work_left.get() + work);
        // What expressions have used up stays used up: every later evaluation stops at once.
        let share = account.evaluation_left.get();
        account.evaluation_left.set(if share == 0 { 0 } else { share.saturating_add(work / 2) });
        // A long input is copied more often than a short one; what is held at any one time is checked besides.
        account.memory_left.set(account.memory_left.get().saturating_add(memory.saturating_mul(RAISED_GROWTH)));
    });
}

/// Returns the limit of the open account, in units of work.
pub fn work_limit() -> u64 {
    ACCOUNT.with(|account| account.limits.get().work)
}

/// Whether the open account can afford this much more, also if it is all spent on expressions: for work that is optional.
/// The answer is the same every time the same request is repeated. Call it only outside of [`evaluation`].
pub fn can_afford(more: Usage) -> bool {
    ACCOUNT.with(|account| {
        account.left() >= more.work
            && account.evaluation_left.get() >= more.work
            && account.memory_left.get() >= more.memory
    })
}

/// Charges work for a suggestion, which is an optional extra. Returns whether the share of the account that all
/// suggestions have in common can afford it; if not, nothing is charged. The answer is the same every time the same
/// request is repeated.
pub fn work_on_suggestion(units: u64) -> bool {
    let affordable = ACCOUNT.with(|account| {
        let left = account.suggestions_left.get().checked_sub(units);
        account.suggestions_left.set(left.unwrap_or(0));
        left.is_some()
    });
    if affordable {
        work(units);
    }
    affordable
}

/// Whether expressions have used up their share of the account.
pub fn evaluation_is_over() -> bool {
    ACCOUNT.with(|account| account.evaluation_left.get() == 0)
}

/// Ends the share of expressions: the expression being evaluated, and every later one, is refused.
pub fn end_evaluation() -> ! {
    stop(Stop::Work(work_limit()))
}

/// While this exists, the work that is left is that of expressions.
struct Share {
    /// Units reserved for the rest of the request.
    kept: u64,
}

impl Share {
    /// Returns `None` inside another share.
    fn begin(account: &Account) -> Option<Self> {
        if account.evaluating.replace(true) {
            return None;
        }
        let left = account.left();
        let share = account.evaluation_left.get().min(left);
        account.set_left(share, account.until_check.get());
        Some(Self { kept: left - share })
    }
}

impl Drop for Share {
    fn drop(&mut self) {
        ACCOUNT.with(|account| {
            let left = account.left();
            account.evaluation_left.set(left);
            account.set_left(left.saturating_add(self.kept), account.until_check.get());
            account.evaluating.set(false);
        });
    }
}

/// Charges work before it is done. A unit is some 50 nanoseconds: one node visited, one element compared or moved, or
/// [`BYTES_PER_UNIT`] bytes of text touched. Returns if the account can afford it; otherwise the request stops (see
/// [`open`]).
#[inline]
#[cfg_attr(debug_assertions, track_caller)]
pub fn work(units: u64) {
    #[cfg(debug_assertions)]
    gaps::charged(units.saturating_mul(gaps::BYTES_OF_UNIT));
    ACCOUNT.with(|account| match account.until_check.get().checked_sub(units) {
        Some(left) => account.until_check.set(left),
        None => charge_and_check(account, units),
    });
}

/// Charges the work of touching `bytes` bytes of text: one unit for every [`BYTES_PER_UNIT`], and at least one.
#[inline]
#[cfg_attr(debug_assertions, track_caller)]
pub fn touch(bytes: usize) {
    work(bytes as u64 / BYTES_PER_UNIT + 1);
}

/// Charges the copy of `bytes` bytes of text before it is made: what [`touch`] charges, and [`room`] for the copy.
#[inline]
#[cfg_attr(debug_assertions, track_caller)]
pub fn copy(bytes: usize) {
    touch(bytes);
    room(bytes);
}

/// Charges memory before it is allocated: the bytes of values, texts, findings and answers being built. Freed memory is
/// not credited; the memory actually held is checked separately, as the allocator counts it: the request stops if it
/// cannot hold `bytes` more.
#[inline]
#[cfg_attr(debug_assertions, track_caller)]
pub fn grow(bytes: u64) {
    #[cfg(debug_assertions)]
    gaps::charged(bytes);
    ACCOUNT.with(|account| {
        let with = heap::held_here().saturating_add_unsigned(bytes);
        match account.memory_left.get().checked_sub(bytes) {
            Some(left) if with <= account.most_held.get() => account.memory_left.set(left),
            _ if account.limits.get().memory == u64::MAX || std::thread::panicking() => {}
            _ => stop(Stop::Memory(account.limits.get().memory)),
        }
    });
}

/// Charges what is about to be built: `units` of [`work`], and `bytes` of memory as [`grow`] does.
#[inline]
#[cfg_attr(debug_assertions, track_caller)]
pub fn build(units: u64, bytes: u64) {
    work(units);
    grow(bytes);
}

/// Charges a text of `bytes` bytes that is kept: the work of writing it, and the memory.
#[inline]
#[cfg_attr(debug_assertions, track_caller)]
pub fn text(bytes: usize) {
    touch(bytes);
    grow(bytes as u64);
}

/// Stops the request unless it can hold `bytes` more bytes than it holds now: to be called before a long text is copied.
#[inline]
#[cfg_attr(debug_assertions, track_caller)]
pub fn room(bytes: usize) {
    if bytes > LONG {
        check_memory(bytes);
    }
}

/// Appends to a list whose length the input decides. If the list has to be reallocated, the account must be able to
/// afford the new capacity before it is allocated: lists double, which the periodic check of the allocator would notice
/// too late.
#[inline]
#[cfg_attr(debug_assertions, track_caller)]
pub fn push<T>(list: &mut Vec<T>, item: T) {
    reserve(list, 1);
    list.push(item);
}

/// Makes room for `more` items at the end of a list, with the same check as [`push`].
#[inline]
#[cfg_attr(debug_assertions, track_caller)]
pub fn reserve<T>(list: &mut Vec<T>, more: usize) {
    if list.capacity() - list.len() < more {
        let items = (list.len() + more).max(2 * list.capacity());
        check_memory(items.saturating_mul(size_of::<T>()));
        list.reserve(more);
    }
}

/// Like [`push`], but for a list that stores its first items inline.
#[inline]
#[cfg_attr(debug_assertions, track_caller)]
pub fn push_few<A: Array>(list: &mut SmallVec<A>, item: A::Item) {
    if list.len() == list.capacity() {
        check_memory(2 * list.capacity() * size_of::<A::Item>());
    }
    list.push(item);
}

/// Stops the request if it cannot hold this many bytes in addition to those it holds now.
#[cold]
#[cfg_attr(debug_assertions, track_caller)]
fn check_memory(bytes: usize) {
    #[cfg(debug_assertions)]
    gaps::charged(bytes as u64);
    ACCOUNT.with(|account| {
        if heap::held_here().saturating_add_unsigned(bytes as u64) > account.most_held.get()
            && !std::thread::panicking()
        {
            stop(Stop::Memory(account.limits.get().memory));
        }
    });
}

#[cold]
fn charge_and_check(account: &Account, units: u64) {
    let (limits, left) = (account.limits.get(), account.left());
    // The stack is already unwinding: let it.
    if std::thread::panicking() {
        return;
    }
    let left = match left.checked_sub(units) {
        Some(left) => left,
        None if limits.work == u64::MAX => left,
        None => {
            account.set_left(0, 0);
            stop(Stop::Work(limits.work));
        }
    };
    account.set_left(left, CHECK_EVERY);
    if heap::held_here() > account.most_held.get() {
        stop(Stop::Memory(limits.memory));
    }
    if let Some(why) = CANCEL.with_borrow(|cancel| cancel.as_ref().and_then(|cancel| cancel.why(limits))) {
        stop(why);
    }
}

/// Unwinds to [`open`] or [`evaluation`].
fn stop(why: Stop) -> ! {
    resume_unwind(Box::new(why))
}

#[cfg(test)]
mod tests;
