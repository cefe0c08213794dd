//! The public keys of an issuer of identities: a JSON Web Key Set (RFC 7517).
//!
//! A key is for one algorithm: the one that it names or, without a name, the one that its type usually has. A token does
//! not choose. Secrets are not accepted: a service that only checks signatures needs none.
//!
//! Keys for something else, such as encryption, and of types that are not known are passed over, as RFC 7517, 5 asks.

use std::borrow::Cow;
use std::collections::BTreeMap;

use base64::Engine as _;
use base64::prelude::BASE64_URL_SAFE_NO_PAD;
use jsonwebtoken::crypto::verify;
use jsonwebtoken::{Algorithm, DecodingKey};
use serde::Deserialize;
use serde::de::IgnoredAny;

use super::watched::{Content, Fault};

/// The sizes of an RSA modulus, in bits: less is not safe (RFC 7518, 3.3), and more takes long to check.
const RSA_BITS: std::ops::RangeInclusive<usize> = 2048..=4096;

/// The keys of a file.
#[derive(Debug, Default)]
pub(super) struct Keys {
    by_id: BTreeMap<String, Key>,
    /// How many keys of the file have been passed over.
    pub(super) ignored: usize,
}

/// A key that signatures are checked with.
#[derive(Debug)]
pub(super) struct Key {
    /// The name of its algorithm, as tokens must give it.
    pub(super) name: &'static str,
    algorithm: Algorithm,
    public: DecodingKey,
}

impl Key {
    /// Whether `signature`, in base64url, is that of `message`.
    pub(super) fn signed(&self, message: &str, signature: &str) -> bool {
        verify(signature, message.as_bytes(), &self.public, self.algorithm).unwrap_or(false)
    }
}

impl Keys {
    /// Returns the number of keys.
    pub(super) fn len(&self) -> usize {
        self.by_id.len()
    }

    pub(super) fn find(&self, id: &str) -> Option<&Key> {
        self.by_id.get(id)
    }
}

/// An algorithm for signatures.
struct Row {
    name: &'static str,
    algorithm: Algorithm,
    kind: Kind,
}

/// The type of a key, with its curve.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Rsa,
    P256,
    P384,
    Ed25519,
}

/// The algorithms, for each type the one first that a key of it has if it names none.
const ALGORITHMS: &[Row] = &[
    Row { name: "RS256", algorithm: Algorithm::RS256, kind: Kind::Rsa },
    Row { name: "RS384", algorithm: Algorithm::RS384, kind: Kind::Rsa },
    Row { name: "RS512", algorithm: Algorithm::RS512, kind: Kind::Rsa },
    Row { name: "PS256", algorithm: Algorithm::PS256, kind: Kind::Rsa },
    Row { name: "PS384", algorithm: Algorithm::PS384, kind: Kind::Rsa },
    Row { name: "PS512", algorithm: Algorithm::PS512, kind: Kind::Rsa },
    Row { name: "ES256", algorithm: Algorithm::ES256, kind: Kind::P256 },
    Row { name: "ES384", algorithm: Algorithm::ES384, kind: Kind::P384 },
    Row { name: "EdDSA", algorithm: Algorithm::EdDSA, kind: Kind::Ed25519 },
    // The name that RFC 9864 gives to the same.
    Row { name: "Ed25519", algorithm: Algorithm::EdDSA, kind: Kind::Ed25519 },
];

#[derive(Deserialize)]
struct Set {
    keys: Vec<Jwk>,
}

/// The members of a key that matter here. The others are not read.
#[derive(Deserialize)]
struct Jwk {
    kty: String,
    kid: Option<String>,
    #[serde(rename = "use")]
    purpose: Option<String>,
    key_ops: Option<Vec<String>>,
    alg: Option<String>,
    crv: Option<String>,
    n: Option<String>,
    e: Option<String>,
    x: Option<String>,
    y: Option<String>,
    /// The private part, or a secret.
    d: Option<IgnoredAny>,
    k: Option<IgnoredAny>,
}

impl Content for Keys {
    const SETTING: &'static str = "jwks";
    const FILE: &'static str = "JWKS file";
    const ITEM: &'static str = "key";
    const HINT: &'static str =
        "it needs a public key for signatures: RSA, EC with P-256 or P-384, or OKP with Ed25519";
    /// Several hundred keys.
    const MOST_BYTES: u64 = 256 << 10;

    fn parse(content: &[u8]) -> Result<Self, Fault> {
        let set: Set = serde_json::from_slice(content).map_err(|error| Fault {
            place: format!("line {}, column {}", error.line(), error.column()),
            // The message of the error may quote the file.
            problem: "not a JSON Web Key Set, an object with the list `keys` (RFC 7517)".into(),
        })?;
        let mut keys = Self::default();
        for (index, jwk) in set.keys.iter().enumerate() {
            let wrong = |problem| Fault { place: format!("key {}", index + 1), problem };
            let Some((id, key)) = jwk.usable().map_err(wrong)? else {
                keys.ignored += 1;
                continue;
            };
            if keys.by_id.insert(id.to_owned(), key).is_some() {
                return Err(wrong("its kid is already used by a key above".into()));
            }
        }
        Ok(keys)
    }

    fn count(&self) -> usize {
        self.len()
    }
}

impl Jwk {
    /// Returns the id and the key; `None` if it is for something else or not of a known type.
    ///
    /// # Errors
    /// Says why there should be no such key in the file.
    fn usable(&self) -> Result<Option<(&str, Key)>, Cow<'static, str>> {
        if self.kty == "oct" || self.k.is_some() {
            return Err("it is a shared secret (`oct`), with which whoever can check a token can make one; only public keys are accepted".into());
        }
        if self.d.is_some() {
            return Err("it contains the private part of a key; leave that out".into());
        }
        if let Some(alg) = self.alg.as_deref()
            && (alg.eq_ignore_ascii_case("none") || matches!(alg, "HS256" | "HS384" | "HS512"))
        {
            return Err("its alg is `none` or one for shared secrets; only public keys are accepted".into());
        }
        let kind = match (&*self.kty, self.crv.as_deref()) {
            ("RSA", _) => Kind::Rsa,
            ("EC", Some("P-256")) => Kind::P256,
            ("EC", Some("P-384")) => Kind::P384,
            ("OKP", Some("Ed25519")) => Kind::Ed25519,
            _ => return Ok(None),
        };
        let for_signatures = self.purpose.as_deref().is_none_or(|purpose| purpose == "sig")
            && self.key_ops.as_ref().is_none_or(|ops| ops.iter().any(|op| op == "verify"));
        if !for_signatures {
            return Ok(None);
        }
        let row = match self.alg.as_deref() {
            Some(alg) => ALGORITHMS.iter().find(|row| row.name == alg),
            None => ALGORITHMS.iter().find(|row| row.kind == kind),
        };
        let Some(row) = row else { return Ok(None) };
        if row.kind != kind {
            return Err("its alg does not fit its type".into());
        }
        let id = self.kid.as_deref().filter(|id| !id.is_empty());
        let id = id.ok_or("it has no kid, by which a token names its key")?;
        let public = self.public(kind)?;
        // This tells nothing of the signature but whether a point is on its curve.
        if verify("", b"", &public, row.algorithm).is_err() {
            return Err("it is not a valid public key".into());
        }
        Ok(Some((id, Key { name: row.name, algorithm: row.algorithm, public })))
    }

    /// Returns the public key, as far as it can be checked without calculating.
    fn public(&self, kind: Kind) -> Result<DecodingKey, Cow<'static, str>> {
        let key = match kind {
            Kind::Rsa => {
                let (modulus, exponent) = (bytes(self.n.as_deref())?, bytes(self.e.as_deref())?);
                let odd = |number: &[u8]| number.last().is_some_and(|byte| byte % 2 == 1);
                if !RSA_BITS.contains(&bits(&modulus)) {
                    let (min, max) = (RSA_BITS.start(), RSA_BITS.end());
                    return Err(format!("its modulus must have {min} to {max} bits").into());
                }
                if !odd(&modulus) || !odd(&exponent) || !(2..=33).contains(&bits(&exponent)) {
                    return Err("it is not a valid public key".into());
                }
                return Ok(DecodingKey::from_rsa_raw_components(&modulus, &exponent));
            }
            Kind::P256 | Kind::P384 => {
                let length = if kind == Kind::P256 { 32 } else { 48 };
                let (x, y) = (bytes(self.x.as_deref())?, bytes(self.y.as_deref())?);
                if x.len() != length || y.len() != length {
                    return Err("its coordinates do not have the length that its curve asks for".into());
                }
                [&[4], &*x, &*y].concat()
            }
            Kind::Ed25519 => {
                let x = bytes(self.x.as_deref())?;
                if x.len() != 32 {
                    return Err("it does not have the length that its curve asks for".into());
                }
                return Ok(DecodingKey::from_ed_der(&x));
            }
        };
        Ok(DecodingKey::from_ec_der(&key))
    }
}

/// Decodes a member in base64url.
fn bytes(member: Option<&str>) -> Result<Vec<u8>, Cow<'static, str>> {
    let text = member.ok_or("a member that its type asks for is missing")?;
    BASE64_URL_SAFE_NO_PAD.decode(text).map_err(|_| "a member is not valid base64url".into())
}

/// Returns the number of bits of a number in big-endian bytes.
fn bits(number: &[u8]) -> usize {
    let first = number.iter().position(|byte| *byte != 0);
    let Some((first, byte)) = first.and_then(|at| Some((at, number.get(at)?))) else { return 0 };
    8 * (number.len() - first) - byte.leading_zeros() as usize
}
