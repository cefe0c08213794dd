//! Processes one line and produces the line that answers it.

use std::panic::AssertUnwindSafe;
use std::time::Instant;

use axum::body::Bytes;
use futures_util::FutureExt as _;
use serde_json::value::RawValue;
use tokio::time::timeout_at;
use tokio_util::sync::CancellationToken;

use super::lines::Line;
use crate::api::routes::answer::{Answer, WorkContext, work_context};
use crate::api::routes::respond;
use crate::api::wire::kind;
use crate::api::wire::upload::Payload;
use crate::api::wire::v1::{BatchAnswer, LineHead, Operation};
use crate::state::AppState;
use overfold_engine::{Diff, Merge, Plan, PlanDiff, Upgrade, merge, plan};
use overfold_output::DifferenceForm;
use overfold_server::accept::Coding;
use overfold_server::auth::{Scope, Scopes, insufficient_scope};
use overfold_server::class::{SizeClass, Weight};
use overfold_server::error::ApiError;
use overfold_server::gate::Share;
use overfold_server::problem::Problem;
use overfold_server::quota::Quota;
use overfold_server::traces::Trace;
use overfold_server::watch::Watch;
use overfold_server::work;

/// Who sent the batch.
#[derive(Clone)]
pub(super) struct Sender {
    /// What the sender may do.
    pub(super) scopes: Scopes,
    /// What the sender may take, if that is limited.
    pub(super) quota: Option<Quota>,
    /// The trace of the batch.
    pub(super) trace: Trace,
}

/// A line of the answer.
pub(super) struct Answered {
    pub(super) status: u16,
    pub(super) is_problem: bool,
    /// The line with its line feed.
    pub(super) text: Bytes,
}

/// The problem with a line, and the line's own id if it is known.
type Refused = Box<(Option<Box<RawValue>>, ApiError)>;

/// Answers a line. The work is cancelled when `stop` says that the service no longer waits, or when this is dropped.
/// `instance` is the id of the request that contains the line, `reader` its connection, `sender` who sent it.
pub(super) async fn answer(
    line: Line,
    state: AppState,
    stop: CancellationToken,
    instance: String,
    reader: Option<Watch>,
    sender: Sender,
) -> Answered {
    let (_span, trace) = sender.trace.begin_within("line");
    let sender = Sender { trace, ..sender };
    let Line { number, text } = line;
    let answered = match text {
        Ok((text, share)) => AssertUnwindSafe(run_line(text, share, number, &state, stop, reader, sender))
            .catch_unwind()
            .await
            .unwrap_or_else(|_panicked| Err(Box::new((None, ApiError::internal())))),
        Err(problem) => Err(Box::new((None, problem))),
    };
    answered.unwrap_or_else(|refused| {
        let (id, problem) = *refused;
        if problem.kind == kind::INTERNAL {
            tracing::error!(request_id = instance, line = number, "a line of a batch failed with an internal error");
        }
        refusal(id.as_deref(), number, &problem, &instance)
    })
}

/// Returns the answer to a line, given its turn and its time limit.
async fn run_line(
    text: Bytes,
    share: Share,
    number: u64,
    state: &AppState,
    stop: CancellationToken,
    reader: Option<Watch>,
    sender: Sender,
) -> Result<Answered, Refused> {
    let limit = state.settings().work.timeout();
    let run = async {
        if let Some(quota) = &sender.quota {
            // The time limit is for the work and what others keep busy, not for what the sender has asked for too soon.
            quota.count_bulk().await;
        }
        let deadline = Instant::now() + limit;
        let run = run_in_turn(text.clone(), share, number, state, deadline, reader, &sender);
        timeout_at(deadline.into(), run).await
    };
    let problem = tokio::select! {
        answered = run => match answered {
            Ok(Ok(answered)) => return Ok(answered),
            Ok(Err(refused)) if refused.0.is_some() => return Err(refused),
            Ok(Err(refused)) => refused.1,
            Err(_) => {
                let detail = format!("no answer within {} seconds, the time limit for a line", limit.as_secs_f64());
                ApiError::new(kind::TIMEOUT, detail)
            }
        },
        () = stop.cancelled() => draining(),
    };
    // The line has not been parsed yet. That takes long if it is large.
    let class = Weight::from_size(text.len() as u64, false).class;
    let id = work::run(class.min(SizeClass::Medium), move || own_id(LineHead::of(&text), number)).await;
    Err(Box::new((id.ok(), problem)))
}

/// Returns the problem for work in progress when the service stops.
pub(super) fn draining() -> ApiError {
    ApiError::new(
        kind::DRAINING,
        "the service is stopping and no longer waits for this line; send it to another instance",
    )
}

async fn run_in_turn(
    text: Bytes,
    share: Share,
    number: u64,
    state: &AppState,
    deadline: Instant,
    reader: Option<Watch>,
    sender: &Sender,
) -> Result<Answered, Refused> {
    let weight = Weight::from_size(text.len() as u64, false);
    let waiting = sender.trace.begin("queue");
    let turn = state.gate().bulk_turn(weight, share, deadline).await.map_err(|shed| Box::new((None, shed)))?;
    drop(waiting);
    let (context, scopes) = (work_context(state, sender.trace.clone()), sender.scopes);
    let (limits, metrics) = (context.limits.cost.account(), context.metrics.clone());
    let head = text.clone();
    let job = move || {
        let head = LineHead::of(&text);
        let (id, operation) = (own_id(head, number), head.operation);
        let needed = scope_of(operation);
        if !scopes.has(needed) {
            return Err(insufficient_scope(Some(needed)));
        }
        let Answer { body, head } = run(operation, text, &context)?;
        let status = head.status().as_u16();
        Ok((status, wrap(body, &id, number, status)))
    };
    let done = turn.run(limits, job, move |turn, made| match made {
        Ok(Ok((status, line))) => {
            let text = turn.finish(line, reader).into_bytes();
            Ok(Answered { status, is_problem: false, text })
        }
        Ok(Err(problem)) => {
            turn.fail();
            Err(Box::new((Some(own_id(LineHead::of(&head), number)), problem)))
        }
        Err(stop) => {
            metrics.stopped(stop);
            Err(Box::new((Some(own_id(LineHead::of(&head), number)), stop.into())))
        }
    });
    done.await.map_err(|failed| Box::new((None, failed)))?
}

/// Returns the scope that an operation needs: that of the route that does the same.
const fn scope_of(operation: Operation) -> Scope {
    match operation {
        Operation::Merge | Operation::Diff => Scope::Merge,
        Operation::Plan | Operation::PlanDiff | Operation::Upgrade => Scope::Plan,
    }
}

/// Returns the id that a line gives itself or, if it has none that can be read, its number.
fn own_id(head: LineHead<'_>, number: u64) -> Box<RawValue> {
    let own = head.id.map_or_else(|| number.to_string(), |id| id.text().to_owned());
    raw(own)
}

/// Does the work for one line.
fn run(operation: Operation, text: Bytes, work: &WorkContext) -> Result<Answer, ApiError> {
    const CODING: Coding = Coding::Identity;
    match operation {
        Operation::Merge => respond::answer::<Merge, 1>(Payload::Line(text), merge::Form::Answer, CODING, work),
        Operation::Diff => respond::answer::<Diff, 2>(Payload::Line(text), DifferenceForm::Json, CODING, work),
        Operation::Plan => respond::answer::<Plan, 1>(Payload::Line(text), plan::Form::Answer, CODING, work),
        Operation::Upgrade => respond::answer::<Upgrade, 1>(Payload::Line(text), DifferenceForm::Json, CODING, work),
        Operation::PlanDiff => {
            respond::answer::<PlanDiff, 2>(Payload::Line(text), DifferenceForm::Json, CODING, work)
        }
    }
}

/// Wraps JSON text that the service itself produced.
fn raw(text: String) -> Box<RawValue> {
    RawValue::from_string(text).unwrap_or_else(|_| RawValue::NULL.to_owned())
}

/// Turns an answer into a line, in place because it may be large.
fn wrap(mut answer: Vec<u8>, id: &RawValue, number: u64, status: u16) -> Vec<u8> {
    const END: &[u8] = b"}\n";
    let begin = format!(r#"{{"id":{id},"line":{number},"status":{status},"answer":"#);
    answer.reserve_exact(begin.len() + END.len());
    answer.splice(..0, begin.into_bytes());
    answer.extend_from_slice(END);
    answer
}

/// Turns a problem into a line; without an id, the line's number is used.
fn refusal(id: Option<&RawValue>, number: u64, problem: &ApiError, instance: &str) -> Answered {
    let by_number = raw(number.to_string());
    let status = problem.kind.status().as_u16();
    let line = BatchAnswer {
        id: id.unwrap_or(&by_number),
        line: number,
        status,
        retry_after: problem.retry_after,
        answer: None,
        problem: Some(Problem::new(problem, status, instance)),
    };
    let mut text = serde_json::to_vec(&line).unwrap_or_default();
    text.push(b'\n');
    Answered { status, is_problem: true, text: text.into() }
}

/// Returns the last line of a batch that ends early; `number` is the first line without an answer.
pub(super) fn last(number: u64, problem: &ApiError, instance: &str) -> Bytes {
    refusal(Some(RawValue::NULL), number, problem, instance).text
}
