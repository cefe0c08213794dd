//! Who may call: the checks that every request passes before any of it is read.
//!
//! In order: a usable `Host`; one of our own names, where a web page could otherwise have its own name resolve to this
//! machine; no page of another origin; a client certificate or a bearer token, if they are configured: a token of our own,
//! or an identity that an issuer has signed; that the caller may have a further request; the scope that the route needs.

mod scopes;
mod caller;
mod hosts;
mod watched;
mod jwks;
mod token_cache;
mod jwt;
mod bearer;
mod origin;
mod tokens;

use std::io;
use std::sync::Arc;
use std::time::{SystemTime, UNIX_EPOCH};

use axum::extract::{MatchedPath, Request, State};
use axum::http::header::WWW_AUTHENTICATE;
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use sha2::{Digest as _, Sha256};

use self::bearer::{TokenProblem, bearer};
use self::caller::KnownCaller;
use self::hosts::OwnNames;
use self::jwks::Keys;
use self::jwt::{ExpectedClaims, Reason};
use self::scopes::need_of;
use self::token_cache::VerifiedTokenCache;
use self::tokens::Tokens;
use self::watched::WatchedFile;
use crate::error::{ApiError, kind};
use crate::metrics::Metrics;
use crate::paths::{PathRole, PathRoles};
use crate::quota::Quotas;
use crate::settings::Settings;
use crate::tls::ClientSubject;

pub(crate) use self::caller::Caller;
pub use self::scopes::{Need, Needs, Scope, Scopes};
pub use self::tokens::{NewToken, is_token_name};
pub use self::watched::AccessFileError;

/// Who may call a service with given settings.
#[derive(Debug)]
pub(crate) struct Access {
    /// Tokens of our own.
    tokens: Option<Arc<WatchedFile<Tokens>>>,
    /// Identities.
    identities: Option<Identities>,
    /// Whether a client certificate lets its owner call. Without it, tokens and identities, everyone may call.
    certificates: bool,
    /// The names that requests may be addressed to; `None` accepts any name.
    names: Option<OwnNames>,
    /// What each caller may take; `None` for anything.
    quotas: Option<Quotas>,
}

/// Which identities are accepted.
#[derive(Debug)]
struct Identities {
    keys: Arc<WatchedFile<Keys>>,
    expected: ExpectedClaims,
    verified: VerifiedTokenCache<Keys, KnownCaller>,
}

impl Identities {
    /// Returns who calls with a token.
    fn judge(&self, token: &[u8], now: f64) -> Result<KnownCaller, Reason> {
        let keys = self.keys.get();
        let digest = Sha256::digest(token).into();
        if let Some(known) = self.verified.find(&keys, &digest, now) {
            return Ok(known);
        }
        let identity = jwt::judge(token, &keys, &self.expected, now)?;
        let known = KnownCaller::identity(&identity.subject, identity.scopes);
        self.verified.insert(&keys, digest, identity.until, known.clone());
        Ok(known)
    }
}

impl Access {
    /// Creates the access rules from the settings. With tokens or identities, nobody may call until [`Self::load`] has
    /// read their files.
    pub(crate) fn new(settings: &Settings, quotas: Option<Quotas>, metrics: &Metrics) -> Self {
        let access = &settings.access;
        let tokens = access.token_file.clone().map(|file| Arc::new(WatchedFile::unloaded(file, metrics)));
        let expected = ExpectedClaims { issuer: access.jwt_issuer.clone(), audience: access.jwt_audience.clone() };
        let identities = access.jwks.clone().map(|file| {
            let keys = Arc::new(WatchedFile::unloaded(file, metrics));
            Identities { keys, expected, verified: VerifiedTokenCache::new() }
        });
        // Anyone on this machine may call its loopback address, and so may every page in a browser here, if the page
        // can choose a name that resolves to it.
        let certificates = settings.tls.client_ca.is_some();
        let guarded = tokens.is_some() || identities.is_some() || certificates;
        let private = !guarded && settings.listen.listen.ip().to_canonical().is_loopback();
        let names = (private || !access.allowed_host.is_empty()).then(|| OwnNames::new(&access.allowed_host));
        Self { tokens, identities, certificates, names, quotas }
    }

    /// Reads the files that say who may call, if any. Must be called once before requests are answered.
    ///
    /// # Errors
    /// Fails if a file cannot be read or contains nothing.
    pub(crate) fn load(&self) -> io::Result<()> {
        if let Some(tokens) = &self.tokens {
            tokens.load().map_err(io::Error::other)?;
        }
        if let Some(Identities { keys, .. }) = &self.identities {
            keys.load().map_err(io::Error::other)?;
            let keys = keys.get();
            tracing::info!(keys = keys.len(), passed_over = keys.ignored, "the JWKS file has been read");
        }
        Ok(())
    }

    /// Watches the files indefinitely: changes take effect within seconds.
    pub(crate) async fn watch(&self) {
        let tokens = async {
            if let Some(tokens) = &self.tokens {
                tokens.watch().await;
            }
        };
        let keys = async {
            if let Some(identities) = &self.identities {
                identities.keys.watch().await;
            }
        };
        tokio::join!(tokens, keys);
    }
}

/// The layer that refuses callers without permission. What routes need is in `needs`, what paths lead to in `role`.
pub(crate) async fn guard(
    State((access, needs, role)): State<(Arc<Access>, Needs, PathRoles)>,
    mut request: Request,
    next: Next,
) -> Response {
    match access.check(&mut request, needs, role) {
        Ok(()) => next.run(request).await,
        Err(refused) => *refused,
    }
}

impl Access {
    fn check(&self, request: &mut Request, needs: Needs, role: PathRoles) -> Result<(), Box<Response>> {
        let refused = |problem: ApiError| Box::new(problem.into_response());
        let role = role(request.uri().path());
        let own = hosts::addressed(request).map_err(refused)?;
        if let Some(names) = &self.names
            && role != PathRole::Probe
        {
            names.check(own.as_ref()).map_err(refused)?;
        }
        origin::check(request, own.as_ref(), role).map_err(refused)?;
        if role.is_open() {
            return Ok(());
        }
        let notes = request.extensions().get::<Caller>().cloned().unwrap_or_default();
        let Some(known) = self.identify(request, &notes)? else { return Ok(()) };
        notes.set_identity(&known);
        if let Some(quotas) = &self.quotas {
            let quota = quotas.for_caller(&known.key);
            quota.count().map_err(refused)?;
            request.extensions_mut().insert(quota);
        }
        // Without a route there is no answer that needs a scope.
        if let Some(route) = request.extensions().get::<MatchedPath>() {
            let missing = match need_of(needs, route.as_str()) {
                Some(Need::Scope(scope)) if !known.scopes.has(scope) => Some(Some(scope)),
                None if known.scoped => Some(None),
                _ => None,
            };
            if let Some(needed) = missing {
                return Err(Box::new(insufficient(needed)));
            }
        }
        request.extensions_mut().insert(known.scopes);
        Ok(())
    }

    /// Returns who sent a request, by its certificate or its token; `None` where everyone may call. An identity counts even
    /// if there is a certificate: it says what its owner may not do.
    fn identify(&self, request: &Request, notes: &Caller) -> Result<Option<KnownCaller>, Box<Response>> {
        let token = bearer(request.headers());
        let subject = request.extensions().get::<ClientSubject>().filter(|_| self.certificates);
        if let Some(subject) = subject
            && !(self.identities.is_some() && token.is_ok_and(jwt::is_likely))
        {
            return Ok(Some(KnownCaller::certificate(subject.name())));
        }
        if self.tokens.is_none() && self.identities.is_none() {
            if self.certificates {
                let detail = "this service requires a client certificate, and the connection has none";
                return Err(Box::new(ApiError::new(kind::CERTIFICATE_NEEDED, detail).into_response()));
            }
            return Ok(None);
        }
        let known = token.and_then(|token| self.judge(token).map_err(TokenProblem::Refused));
        known.map(Some).map_err(|presented| {
            if let TokenProblem::Refused(Reason(reason)) = presented {
                notes.set_refusal(reason);
            }
            Box::new(unauthenticated(presented))
        })
    }

    /// Returns whose token this is.
    fn judge(&self, token: &[u8]) -> Result<KnownCaller, Reason> {
        if let Some(name) = self.tokens.as_ref().and_then(|tokens| tokens.get().find(token)) {
            return Ok(KnownCaller::token(name));
        }
        match &self.identities {
            Some(identities) if jwt::is_likely(token) => identities.judge(token, seconds_now()),
            _ => Err(Reason("the token is not known")),
        }
    }
}

/// Returns the time, in seconds since 1970. If the clock is wrong by that much, everything has expired.
fn seconds_now() -> f64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(f64::INFINITY, |passed| passed.as_secs_f64())
}

/// Returns the refusal of an identity whose scopes do not suffice (RFC 6750, 3.1).
fn insufficient(needed: Option<Scope>) -> Response {
    let problem = insufficient_scope(needed);
    let challenge = match needed {
        Some(scope) => format!("Bearer realm=\"overfold\", error=\"insufficient_scope\", scope=\"{}\"", scope.name()),
        None => "Bearer realm=\"overfold\", error=\"insufficient_scope\"".to_owned(),
    };
    ([(WWW_AUTHENTICATE, challenge)], problem).into_response()
}

/// Returns the problem of an identity without the scope that it needs; `None` if no scope suffices.
pub fn insufficient_scope(needed: Option<Scope>) -> ApiError {
    let detail = match needed {
        Some(scope) => format!("this needs a token with the scope {}", scope.name()),
        None => "no scope of a token allows this".to_owned(),
    };
    ApiError::new(kind::INSUFFICIENT_SCOPE, detail)
}

/// Returns the refusal of a request without a valid token (RFC 6750, 3).
fn unauthenticated(presented: TokenProblem) -> Response {
    let (kind, detail, challenge) = match presented {
        TokenProblem::Nothing => (
            kind::TOKEN_NEEDED,
            "this service requires a token: `Authorization: Bearer …`",
            "Bearer realm=\"overfold\"",
        ),
        // Whoever guesses learns nothing from the answer.
        TokenProblem::Refused(_) => (
            kind::INVALID_TOKEN,
            "the token is unknown to this service, or no longer valid",
            "Bearer realm=\"overfold\", error=\"invalid_token\"",
        ),
        TokenProblem::Several => (
            kind::BAD_REQUEST,
            "the request has more than one Authorization header",
            "Bearer realm=\"overfold\", error=\"invalid_request\"",
        ),
    };
    ([(WWW_AUTHENTICATE, challenge)], ApiError::new(kind, detail)).into_response()
}
