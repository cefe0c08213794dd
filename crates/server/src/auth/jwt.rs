//! Judges identities: JSON Web Tokens (RFC 7519) that an issuer has signed (RFC 7515).
//!
//! A token names its key, and the key decides the algorithm; of the header nothing else is used, so keys and addresses of
//! keys in it mean nothing. Claims are read only once the signature is known to be right. Who is refused is not told why;
//! the log is.
//!
//! The claims are not left to the library: it reads numbers in a way that does not work in a build in which `serde_json`
//! keeps the exact digits of numbers, as this one does.

use base64::Engine as _;
use base64::prelude::BASE64_URL_SAFE_NO_PAD;
use serde::Deserialize;
use serde::de::IgnoredAny;

use super::jwks::Keys;
use super::scopes::Scopes;

/// The most bytes of a token.
const MOST_BYTES: usize = 16 << 10;
/// How far the clocks of the issuer and of this machine may differ, in seconds.
const LEEWAY: f64 = 60.0;

/// What an identity must say. If nothing is set, no identity is accepted.
#[derive(Debug)]
pub(super) struct ExpectedClaims {
    /// The issuer, exactly.
    pub(super) issuer: Option<String>,
    /// An audience that must be among those of the token.
    pub(super) audience: Option<String>,
}

/// Who calls, as the issuer says.
#[derive(PartialEq, Debug)]
pub(super) struct Identity {
    pub(super) subject: String,
    pub(super) scopes: Scopes,
    /// Until when the token is accepted, in seconds since 1970.
    pub(super) until: f64,
}

/// Why a token is refused. The text is for the log.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Reason(pub(super) &'static str);

#[derive(Deserialize)]
struct Header {
    alg: String,
    kid: Option<String>,
    crit: Option<IgnoredAny>,
}

#[derive(Deserialize)]
struct Claims {
    iss: Option<String>,
    aud: Option<Texts>,
    exp: Option<f64>,
    nbf: Option<f64>,
    sub: Option<String>,
    scope: Option<Texts>,
    scp: Option<Texts>,
}

/// A text, or a list of texts.
#[derive(Deserialize)]
#[serde(untagged)]
enum Texts {
    One(String),
    Many(Vec<String>),
}

impl Texts {
    fn iter(&self) -> impl Iterator<Item = &str> {
        let all = match self {
            Self::One(text) => std::slice::from_ref(text),
            Self::Many(texts) => texts,
        };
        all.iter().map(String::as_str)
    }
}

/// Whether a bearer token looks like an identity: parts with dots between them. Tokens of our own have none.
pub(super) fn is_likely(token: &[u8]) -> bool {
    token.contains(&b'.')
}

/// Returns who calls with this token. `now` is the time, in seconds since 1970.
///
/// # Errors
/// Returns why the token is not accepted.
pub(super) fn judge(token: &[u8], keys: &Keys, expected: &ExpectedClaims, now: f64) -> Result<Identity, Reason> {
    const FORM: Reason = Reason("not a JSON Web Token");
    if token.len() > MOST_BYTES {
        return Err(Reason("the token is too long"));
    }
    let token = std::str::from_utf8(token).map_err(|_| FORM)?;
    let (message, signature) = token.rsplit_once('.').ok_or(FORM)?;
    let (header, claims) = message.split_once('.').ok_or(FORM)?;
    if claims.contains('.') {
        return Err(FORM);
    }
    let header: Header = decoded(header).ok_or(FORM)?;
    if header.crit.is_some() {
        return Err(Reason("the token asks for an extension (crit)"));
    }
    let id = header.kid.ok_or(Reason("the token does not name its key (kid)"))?;
    let key = keys.find(&id).ok_or(Reason("the key of the token is not known"))?;
    if header.alg != key.name {
        return Err(Reason("the algorithm is not that of the key"));
    }
    if !key.signed(message, signature) {
        return Err(Reason("the signature is wrong"));
    }
    let claims: Claims = decoded(claims).ok_or(Reason("the claims cannot be read"))?;
    claims.check(expected, now)
}

fn decoded<T: for<'a> Deserialize<'a>>(part: &str) -> Option<T> {
    let bytes = BASE64_URL_SAFE_NO_PAD.decode(part).ok()?;
    // Nesting is bounded by the parser.
    serde_json::from_slice(&bytes).ok()
}

impl Claims {
    fn check(self, expected: &ExpectedClaims, now: f64) -> Result<Identity, Reason> {
        let issuer = self.iss.ok_or(Reason("the token has no issuer (iss)"))?;
        if expected.issuer.as_ref() != Some(&issuer) {
            return Err(Reason("the issuer is another one"));
        }
        let audience = self.aud.ok_or(Reason("the token has no audience (aud)"))?;
        if !audience.iter().any(|audience| expected.audience.as_deref() == Some(audience)) {
            return Err(Reason("the token is for another audience"));
        }
        let until = self.exp.ok_or(Reason("the token has no expiry (exp)"))? + LEEWAY;
        if now >= until {
            return Err(Reason("the token has expired"));
        }
        if self.nbf.is_some_and(|begin| now + LEEWAY < begin) {
            return Err(Reason("the token is not valid yet"));
        }
        let subject =
            self.sub.filter(|subject| !subject.is_empty()).ok_or(Reason("the token has no subject (sub)"))?;
        let mut scopes = Scopes::default();
        for text in [&self.scope, &self.scp].into_iter().flatten().flat_map(Texts::iter) {
            text.split(' ').for_each(|name| scopes.add(name));
        }
        Ok(Identity { subject, scopes, until })
    }
}
