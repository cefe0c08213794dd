//! Who may call: the checks that every request passes before any of it is read.
//!
//! In order: a usable `Host`; one of our own names, where a web page could otherwise have its own name resolve to this
//! machine; no page of another origin; a bearer token, if tokens are configured.

mod hosts;
mod origin;
mod tokens;

use std::io;
use std::sync::{Arc, OnceLock};

use axum::extract::{Request, State};
use axum::http::header::WWW_AUTHENTICATE;
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

use self::hosts::OwnNames;
use self::tokens::{TokenProblem, Tokens};
use crate::api::http::error::{ApiError, Kind};
use crate::api::http::paths::{is_open, is_probe};
use crate::api::http::tls::ClientSubject;
use crate::settings::Settings;

pub use self::tokens::{NewToken, TokenFileError, is_token_name};

/// Who may call a service with given settings.
#[derive(Debug)]
pub(crate) struct Access {
    /// The accepted tokens; `None` lets everyone call.
    tokens: Option<Arc<Tokens>>,
    /// The names that requests may be addressed to; `None` accepts any name.
    names: Option<OwnNames>,
    /// Whether a client certificate lets its owner call.
    certificates: bool,
}

impl Access {
    /// Creates the access rules from the settings. With a token file, nobody may call until [`Self::load`] has read it.
    pub(crate) fn new(settings: &Settings) -> Self {
        let access = &settings.access;
        let tokens = access.token_file.clone().map(|file| Arc::new(Tokens::unloaded(file)));
        // Anyone on this machine may call its loopback address, and so may every page in a browser here, if the page
        // can choose a name that resolves to it.
        let certificates = settings.tls.client_ca.is_some();
        let private = tokens.is_none() && !certificates && settings.listen.listen.ip().to_canonical().is_loopback();
        let names = (private || !access.allowed_host.is_empty()).then(|| OwnNames::new(&access.allowed_host));
        Self { tokens, names, certificates }
    }

    /// Reads the token file, if one is configured. Must be called once before requests are answered.
    ///
    /// # Errors
    /// Fails if the file cannot be read or contains no token.
    pub(crate) fn load(&self) -> io::Result<()> {
        self.tokens.as_ref().map_or(Ok(()), |tokens| tokens.load().map_err(io::Error::other))
    }

    /// Watches the token file indefinitely: changes take effect within seconds.
    pub(crate) async fn watch(&self) {
        match &self.tokens {
            Some(tokens) => tokens.watch().await,
            None => std::future::pending().await,
        }
    }
}

/// Holds the name of the token that a request came with, so that it can be logged even if the request gets no answer.
/// The code that writes the log line puts an empty one into the request's extensions.
#[derive(Clone, Debug, Default)]
pub(crate) struct Caller(Arc<OnceLock<Arc<str>>>);

impl Caller {
    /// Returns the name, if there is one and it is already known.
    pub(crate) fn name(&self) -> Option<&str> {
        self.0.get().map(|name| &**name)
    }
}

/// The layer that refuses callers without permission.
pub(crate) async fn guard(State(access): State<Arc<Access>>, request: Request, next: Next) -> Response {
    match access.check(&request) {
        Ok(()) => next.run(request).await,
        Err(refused) => *refused,
    }
}

impl Access {
    fn check(&self, request: &Request) -> Result<(), Box<Response>> {
        let refused = |problem: ApiError| Box::new(problem.into_response());
        let path = request.uri().path();
        let own = hosts::addressed(request).map_err(refused)?;
        if let Some(names) = &self.names
            && !is_probe(path)
        {
            names.check(own.as_ref()).map_err(refused)?;
        }
        origin::check(request, own.as_ref()).map_err(refused)?;
        if is_open(path) {
            return Ok(());
        }
        if let Some(name) = self.identify(request)?
            && let Some(caller) = request.extensions().get::<Caller>()
        {
            // Nothing else sets it.
            let _ = caller.0.set(name);
        }
        Ok(())
    }

    /// Returns the name of the caller, by its certificate or its token; `None` where everyone may call.
    fn identify(&self, request: &Request) -> Result<Option<Arc<str>>, Box<Response>> {
        let subject = request.extensions().get::<ClientSubject>().filter(|_| self.certificates);
        if let Some(subject) = subject {
            return Ok(Some(subject.name()));
        }
        match &self.tokens {
            Some(tokens) => {
                let known = tokens.check(request.headers());
                known.map(Some).map_err(|presented| Box::new(unauthenticated(presented)))
            }
            None if self.certificates => {
                let detail = "this service requires a client certificate, and the connection has none";
                Err(Box::new(ApiError::new(Kind::CertificateNeeded, detail).into_response()))
            }
            None => Ok(None),
        }
    }
}

/// Returns the refusal of a request without a valid token (RFC 6750, 3).
fn unauthenticated(presented: TokenProblem) -> Response {
    let (kind, detail, challenge) = match presented {
        TokenProblem::Nothing => (
            Kind::TokenNeeded,
            "this service requires a token: `Authorization: Bearer …`",
            "Bearer realm=\"overfold\"",
        ),
        TokenProblem::Unknown => (
            Kind::InvalidToken,
            "the token is unknown to this service, or no longer valid",
            "Bearer realm=\"overfold\", error=\"invalid_token\"",
        ),
        TokenProblem::Several => (
            Kind::BadRequest,
            "the request has more than one Authorization header",
            "Bearer realm=\"overfold\", error=\"invalid_request\"",
        ),
    };
    ([(WWW_AUTHENTICATE, challenge)], ApiError::new(kind, detail)).into_response()
}
