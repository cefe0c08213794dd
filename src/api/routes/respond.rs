//! From a request whose body has arrived to its answer, for every use case: it gets its turn, an answer that was kept is
//! taken, or the use case runs.

use axum::http::StatusCode;
use axum::response::Response;

use crate::api::routes::answer::{Answer, WorkContext, work_context};
use crate::api::routes::cached::CacheKeyParts;
use crate::api::wire::endpoint::{Call, Endpoint, ReportCall, Reported};
use crate::api::wire::problems::refusal_problem;
use crate::api::wire::reading::Side;
use crate::api::wire::upload::{Payload, Received};
use crate::state::AppState;
use overfold_base::account;
use overfold_engine::{AnswerForm as _, Context, Observer, Outcome, fingerprint};
use overfold_module::pipeline::Report;
use overfold_server::accept::Coding;
use overfold_server::error::ApiError;
use overfold_server::metrics::Metrics;

/// Watches a use case for the metrics.
struct Watching<'w, F> {
    metrics: &'w Metrics,
    on_stage: F,
}

impl<F: FnMut(&'static str)> Observer for Watching<'_, F> {
    fn stage(&mut self, name: &'static str) {
        (self.on_stage)(name);
    }

    fn module(&mut self, _side: usize, report: &Report<'_>) {
        self.metrics.found(report.diagnostics.iter().map(|found| (found.code.id, found.severity.name())));
    }
}

/// Answers a request whose body has arrived, with an answer that was kept or by running its use case.
///
/// # Errors
/// Any problem with the request that only reading its body reveals; 422 if the form has nothing to say of the
/// configuration.
pub(crate) fn answer<U: Endpoint<SIDES>, const SIDES: usize>(
    payload: Payload<U::Upload>,
    form: U::Form,
    coding: Coding,
    work: &WorkContext,
) -> Result<Answer, ApiError> {
    let WorkContext { limits, schemas, metrics, .. } = work;
    let mut clock = metrics.stage_clock();
    clock.begin("transport");
    let mut sides = U::read(payload, limits)?;
    if let Some(schemas) = schemas {
        let stored = schemas.now();
        for side in &mut sides {
            side.prepared.use_stored_schemas(&stored);
        }
    }
    for side in &sides {
        metrics.read(side.files.files().len(), side.files.content_bytes());
    }
    let inputs = sides.each_ref().map(Side::input);
    let (syntax, account) = (limits.request.syntax(), limits.cost.account());
    let key = CacheKeyParts {
        fingerprint: &fingerprint::of::<U, SIDES>(inputs, form, syntax, account),
        content_type: &form.content_type(),
        coding,
        reveals: sides.iter().any(|side| side.prepared.request.reveal_sensitive),
    };
    work.answer(key, || {
        let mut observer = Watching { metrics, on_stage: |stage| clock.begin(stage) };
        let with_findings = U::ends_with_findings(form);
        let mut context = Context { limits: syntax, observer: &mut observer, is_complete: true, with_findings };
        let outcome = U::run(sides.each_ref().map(Side::input), form, &mut context).map_err(refusal_problem)?;
        let Outcome { answer, facts, fails, findings, .. } = outcome;
        let mut bytes = answer.map_err(refusal_problem)?;
        if !findings.is_empty() {
            bytes.push(b'\n');
            bytes.extend_from_slice(findings.as_bytes());
        }
        let status = if fails { StatusCode::UNPROCESSABLE_ENTITY } else { StatusCode::OK };
        // This frees their memory before the answer is compressed.
        drop(sides);
        Answer::of(bytes, coding, status, key.content_type.to_owned(), key.fingerprint.to_owned(), facts)
    })
}

/// Answers a request whose body has arrived: in its turn, on a thread for work, under one account, and cancelled when the
/// answer is no longer awaited.
///
/// # Errors
/// As [`answer`]; 413 if a limit of the account is exceeded; 503 if there is no turn.
pub(crate) async fn respond<U: Endpoint<SIDES>, const SIDES: usize>(
    state: &AppState,
    call: Call<U, SIDES>,
) -> Result<Response, ApiError> {
    run_work(state, call, |answer| answer).await
}

/// Like [`respond`], but for a route for reports.
///
/// # Errors
/// As [`respond`].
pub(crate) async fn respond_with_report<U: Reported<SIDES>, const SIDES: usize>(
    state: &AppState,
    ReportCall(call): ReportCall<U, SIDES>,
) -> Result<Response, ApiError> {
    run_work(state, call, Answer::into_report).await
}

async fn run_work<U: Endpoint<SIDES>, const SIDES: usize>(
    state: &AppState,
    call: Call<U, SIDES>,
    finish: fn(Answer) -> Answer,
) -> Result<Response, ApiError> {
    let Call { received: Received { weight, share, deadline, payload, reader, trace }, form, coding } = call;
    let waiting = trace.begin("queue");
    let turn = state.gate().turn(weight, share, deadline).await?;
    drop(waiting);
    let context = work_context(state, trace);
    let (limits, metrics) = (context.limits.cost.account(), context.metrics.clone());
    let job =
        move || answer::<U, SIDES>(payload, form, coding, &context).map(|made| (finish(made), account::spent()));
    let done = turn.run(limits, job, move |turn, outcome| match outcome {
        Ok(Ok((Answer { body, head }, spent))) => Ok((head, turn.finish(body, reader), spent)),
        Ok(Err(problem)) => {
            turn.fail();
            Err(problem)
        }
        Err(stop) => {
            metrics.stopped(stop);
            Err(stop.into())
        }
    });
    let (head, body, spent) = done.await??;
    let mut response = head.with(body.into_bytes());
    // For the log.
    response.extensions_mut().insert(spent);
    Ok(response)
}
