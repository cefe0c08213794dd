//! An issuer of identities: signs tokens with test keys, in every right and wrong form.

use std::time::{SystemTime, UNIX_EPOCH};

use base64::Engine as _;
use base64::prelude::{BASE64_STANDARD, BASE64_URL_SAFE_NO_PAD};
use jsonwebtoken::crypto::sign;
use jsonwebtoken::jwk::Jwk;
use jsonwebtoken::{Algorithm, EncodingKey};
use serde_json::{Value, json};

pub(crate) const ISSUER: &str = "https://issuer.test/";
pub(crate) const AUDIENCE: &str = "overfold-test";

/// The flags of a service that accepts identities of this issuer with keys in this file.
pub(crate) fn flags(jwks: &str) -> Vec<&str> {
    vec!["--jwks", jwks, "--jwt-issuer", ISSUER, "--jwt-audience", AUDIENCE]
}

/// A key of the issuer.
pub(crate) struct Signer {
    pub(crate) id: String,
    algorithm: Algorithm,
    key: EncodingKey,
}

impl Signer {
    /// Returns a key of `tests/data/identities/keys.json`, for this algorithm.
    pub(crate) fn of(name: &str, algorithm: Algorithm) -> Self {
        let all: Value = serde_json::from_str(include_str!("../data/identities/keys.json")).unwrap();
        let der = BASE64_STANDARD.decode(all["keys"][name].as_str().unwrap()).unwrap();
        let key = match algorithm {
            Algorithm::ES256 | Algorithm::ES384 => EncodingKey::from_ec_der(&der),
            Algorithm::EdDSA => EncodingKey::from_ed_der(&der),
            _ => EncodingKey::from_rsa_der(&der),
        };
        Self { id: format!("{name}-{algorithm:?}"), algorithm, key }
    }

    /// Returns the same key with another id.
    pub(crate) fn named(self, id: &str) -> Self {
        Self { id: id.to_owned(), ..self }
    }

    /// Returns the key that most tests use.
    pub(crate) fn usual() -> Self {
        Self::of("ed25519", Algorithm::EdDSA)
    }

    /// Returns the public key as it is in a JWKS.
    pub(crate) fn jwk(&self) -> Value {
        let mut jwk = serde_json::to_value(Jwk::from_encoding_key(&self.key, self.algorithm).unwrap()).unwrap();
        jwk["kid"] = json!(self.id);
        jwk["use"] = json!("sig");
        jwk
    }

    pub(crate) fn header(&self) -> Value {
        json!({"typ": "JWT", "alg": format!("{:?}", self.algorithm), "kid": self.id})
    }

    /// Returns a token with this header and these claims.
    pub(crate) fn sign(&self, header: &Value, claims: &Value) -> String {
        self.sign_text(&header.to_string(), &claims.to_string())
    }

    /// The same with any bytes in the place of JSON.
    pub(crate) fn sign_text(&self, header: &str, claims: &str) -> String {
        let message = format!("{}.{}", base64url(header), base64url(claims));
        let signature = sign(message.as_bytes(), &self.key, self.algorithm).unwrap();
        format!("{message}.{signature}")
    }

    /// Returns a good token with these claims.
    pub(crate) fn token(&self, claims: &Value) -> String {
        self.sign(&self.header(), claims)
    }
}

/// Returns a token that a secret signs, with the algorithm HS256.
pub(crate) fn with_secret(secret: &[u8], header: &Value, claims: &Value) -> String {
    let message = format!("{}.{}", base64url(header.to_string()), base64url(claims.to_string()));
    let signature = sign(message.as_bytes(), &EncodingKey::from_secret(secret), Algorithm::HS256).unwrap();
    format!("{message}.{signature}")
}

pub(crate) fn base64url(bytes: impl AsRef<[u8]>) -> String {
    BASE64_URL_SAFE_NO_PAD.encode(bytes)
}

pub(crate) fn from_base64url(text: &str) -> Vec<u8> {
    BASE64_URL_SAFE_NO_PAD.decode(text).unwrap()
}

pub(crate) fn now() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).unwrap().as_secs()
}

/// Returns the claims of a good token with these scopes.
pub(crate) fn claims(scope: &str) -> Value {
    json!({"iss": ISSUER, "aud": AUDIENCE, "sub": "team-a", "exp": now() + 300, "iat": now(), "scope": scope})
}

/// Returns the claims of a good token, with some set to other values; `null` leaves one out.
pub(crate) fn changed(changes: &Value) -> Value {
    let mut all = claims("overfold:merge");
    for (name, value) in changes.as_object().unwrap() {
        if value.is_null() {
            all.as_object_mut().unwrap().remove(name);
        } else {
            all[name] = value.clone();
        }
    }
    all
}

/// Returns a JWKS of these keys.
pub(crate) fn jwks(keys: &[Value]) -> String {
    json!({"keys": keys}).to_string()
}
