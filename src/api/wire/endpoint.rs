//! What a use case takes and gives as a route: which forms its answers have, and how its body is read. A request to any of
//! them arrives in the same way.

use axum::extract::{FromRequest, Request};
use axum::http::HeaderMap;

use crate::api::wire::formats::{self, negotiate_diff, negotiate_merge, negotiate_only};
use crate::api::wire::reading::{Side, read_one};
use crate::api::wire::sides::read_pair;
use crate::api::wire::upload::{One, Pair, Payload, Received, Upload, receive};
use crate::settings::LimitSettings;
use crate::state::AppState;
use overfold_engine::{Compatibility, Diff, Merge, Plan, PlanDiff, Upgrade, UseCase, compatibility, merge, plan};
use overfold_output::DifferenceForm;
use overfold_server::accept::Coding;
use overfold_server::error::ApiError;

/// A use case that has a route.
pub(crate) trait Endpoint<const SIDES: usize>: UseCase<SIDES> + 'static {
    /// What its route reads.
    type Upload: Upload;

    /// Returns the form that `Accept` chooses.
    ///
    /// # Errors
    /// 406 if no form is acceptable.
    fn accepted(headers: &HeaderMap) -> Result<Self::Form, ApiError>;

    /// Reads a body that has arrived.
    ///
    /// # Errors
    /// Any problem with the request that only reading its body reveals.
    fn read(payload: Payload<Self::Upload>, limits: &LimitSettings) -> Result<[Side; SIDES], ApiError>;

    /// Whether an answer in this form ends with the diagnostics as text.
    fn ends_with_findings(_form: Self::Form) -> bool {
        false
    }
}

/// A use case that has a route for reports, too.
pub(crate) trait Reported<const SIDES: usize>: Endpoint<SIDES> {
    /// Returns the form that a query names, and the other parameters as they were written.
    ///
    /// # Errors
    /// 400 if the parameter `format` is missing, repeated, or names no form of the route.
    fn named(query: Option<&str>) -> Result<(Self::Form, String), ApiError>;
}

impl Endpoint<1> for Merge {
    type Upload = One<Self::Options>;

    fn accepted(headers: &HeaderMap) -> Result<merge::Form, ApiError> {
        negotiate_merge(headers)
    }

    fn read(payload: Payload<Self::Upload>, limits: &LimitSettings) -> Result<[Side; 1], ApiError> {
        read_one::<Self>(payload, limits)
    }
}

impl Reported<1> for Merge {
    fn named(query: Option<&str>) -> Result<(merge::Form, String), ApiError> {
        formats::of_merge(query)
    }
}

impl Endpoint<1> for Plan {
    type Upload = One<Self::Options>;

    fn accepted(headers: &HeaderMap) -> Result<plan::Form, ApiError> {
        negotiate_only(headers, plan::Form::Answer)
    }

    fn read(payload: Payload<Self::Upload>, limits: &LimitSettings) -> Result<[Side; 1], ApiError> {
        read_one::<Self>(payload, limits)
    }

    fn ends_with_findings(form: plan::Form) -> bool {
        matches!(form, plan::Form::Text)
    }
}

impl Reported<1> for Plan {
    fn named(query: Option<&str>) -> Result<(plan::Form, String), ApiError> {
        formats::of_plan(query)
    }
}

impl Endpoint<1> for Compatibility {
    type Upload = One<Self::Options>;

    fn accepted(headers: &HeaderMap) -> Result<compatibility::Form, ApiError> {
        negotiate_only(headers, compatibility::Form::Json)
    }

    fn read(payload: Payload<Self::Upload>, limits: &LimitSettings) -> Result<[Side; 1], ApiError> {
        read_one::<Self>(payload, limits)
    }
}

impl Endpoint<2> for Diff {
    type Upload = Pair;

    fn accepted(headers: &HeaderMap) -> Result<DifferenceForm, ApiError> {
        negotiate_diff(headers)
    }

    fn read(payload: Payload<Self::Upload>, limits: &LimitSettings) -> Result<[Side; 2], ApiError> {
        read_pair::<Self>(payload, limits)
    }
}

impl Reported<2> for Diff {
    fn named(query: Option<&str>) -> Result<(DifferenceForm, String), ApiError> {
        formats::of_diff(query)
    }
}

impl Endpoint<2> for PlanDiff {
    type Upload = Pair;

    fn accepted(headers: &HeaderMap) -> Result<DifferenceForm, ApiError> {
        negotiate_only(headers, DifferenceForm::Json)
    }

    fn read(payload: Payload<Self::Upload>, limits: &LimitSettings) -> Result<[Side; 2], ApiError> {
        read_pair::<Self>(payload, limits)
    }
}

impl Reported<2> for PlanDiff {
    fn named(query: Option<&str>) -> Result<(DifferenceForm, String), ApiError> {
        formats::of_plan_diff(query)
    }
}

impl Endpoint<1> for Upgrade {
    type Upload = One<Self::Options>;

    fn accepted(headers: &HeaderMap) -> Result<DifferenceForm, ApiError> {
        negotiate_only(headers, DifferenceForm::Json)
    }

    fn read(payload: Payload<Self::Upload>, limits: &LimitSettings) -> Result<[Side; 1], ApiError> {
        read_one::<Self>(payload, limits)
    }
}

impl Reported<1> for Upgrade {
    fn named(query: Option<&str>) -> Result<(DifferenceForm, String), ApiError> {
        formats::of_upgrade(query)
    }
}

/// A request to the route of a use case, whose body has arrived.
pub(crate) struct Call<U: Endpoint<SIDES>, const SIDES: usize> {
    /// The body.
    pub(crate) received: Received<U::Upload>,
    /// The form of the answer.
    pub(crate) form: U::Form,
    /// How the answer is compressed.
    pub(crate) coding: Coding,
}

impl<U: Endpoint<SIDES>, const SIDES: usize> Call<U, SIDES> {
    async fn read(request: Request, state: &AppState, form: U::Form, beside: Option<&str>) -> Result<Self, ApiError> {
        let coding = Coding::negotiate(request.headers());
        Ok(Self { received: receive(request, state, beside).await?, form, coding })
    }
}

impl<U: Endpoint<SIDES>, const SIDES: usize> FromRequest<AppState> for Call<U, SIDES> {
    type Rejection = ApiError;

    async fn from_request(request: Request, state: &AppState) -> Result<Self, ApiError> {
        let form = U::accepted(request.headers())?;
        Self::read(request, state, form, None).await
    }
}

/// A request to the route for reports of a use case, whose body has arrived.
pub(crate) struct ReportCall<U: Endpoint<SIDES>, const SIDES: usize>(pub(crate) Call<U, SIDES>);

impl<U: Reported<SIDES>, const SIDES: usize> FromRequest<AppState> for ReportCall<U, SIDES> {
    type Rejection = ApiError;

    async fn from_request(request: Request, state: &AppState) -> Result<Self, ApiError> {
        let (form, others) = U::named(request.uri().query())?;
        Call::read(request, state, form, Some(&others)).await.map(Self)
    }
}
