//! `uuidv5` and `rsadecrypt` (expressions.md, section 8).

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use dashu_base::BitTest as _;
use dashu_int::UBig;
use dashu_int::fast_div::ConstDivisor;
use der::asn1::{AnyRef, OctetStringRef, UintRef};
use der::{Decode as _, Reader as _, SliceReader, Tag, Tagged as _};
use sha1::{Digest as _, Sha1};
use uuid::{Builder, Uuid};

use super::{CallContext, Function, FunctionError, Outcome, Returns, argument, param};
use overfold_base::account;
use overfold_value::{Type, Value, excerpt};

pub(super) fn rows() -> Vec<Function> {
    let text = |name| param(name, Type::String);
    vec![
        Function::new("uuidv5", [text("namespace"), text("name")], Returns::Fixed(Type::String), uuid_v5),
        Function::new("rsadecrypt", [text("ciphertext"), text("privatekey")], Returns::Fixed(Type::String), decrypt),
    ]
}

fn uuid_v5(args: &[Value], _: &Type, _: &mut CallContext<'_, '_>) -> Outcome {
    account::work(argument(args, 1).len() as u64 / 32);
    let namespace = match argument(args, 0) {
        "dns" => Uuid::NAMESPACE_DNS,
        "url" => Uuid::NAMESPACE_URL,
        "oid" => Uuid::NAMESPACE_OID,
        "x500" => Uuid::NAMESPACE_X500,
        // Thirty-eight characters are a UUID in any kind of brackets.
        other => Uuid::parse_str(other)
            .or_else(|error| match other.get(1..37) {
                Some(inner) if other.len() == 38 => inner.parse(),
                _ => Err(error),
            })
            .map_err(|_| {
                FunctionError::new(format!(
                    "the namespace {:?} is none of dns, url, oid and x500, and not a UUID",
                    excerpt(other)
                ))
            })?,
    };
    let digest = Sha1::new().chain_update(namespace).chain_update(argument(args, 1)).finalize();
    let start = digest.first_chunk().copied().unwrap_or_default();
    Ok(Value::text(Builder::from_sha1_bytes(start).into_uuid().to_string()))
}

fn decrypt(args: &[Value], _: &Type, _: &mut CallContext<'_, '_>) -> Outcome {
    /// More than the PEM text of an 8192-bit key.
    const PEM_LENGTH: usize = 8 * 1024;
    /// The cost of one operation with a common 2048-bit key; it grows with the cube of the key length.
    const COST: u64 = 100_000;
    let sealed =
        STANDARD.decode(argument(args, 0)).map_err(|_| FunctionError::argument(0, "it is not valid Base64"))?;
    let pem = argument(args, 1);
    if pem.len() > PEM_LENGTH {
        return Err(FunctionError::argument(1, "the key is too long"));
    }
    account::work(COST / 64);
    let key = RsaKey::read(pem)
        .ok_or_else(|| FunctionError::argument(1, "it is not an RSA private key in PEM format without a password"))?;
    let size = (key.modulus.bit_len() as u64).div_ceil(2048);
    account::work(COST * size * size * size);
    let plain =
        key.open(&sealed).ok_or_else(|| FunctionError::new("the ciphertext was not encrypted for this key"))?;
    Ok(Value::text(String::from_utf8_lossy(&plain)))
}

/// What of an RSA private key decrypts. Nobody can measure how long that takes but the one whose key it is, so the
/// arithmetic is that of any large number.
struct RsaKey {
    modulus: UBig,
    exponent: UBig,
}

impl RsaKey {
    /// Reads a key in PEM format (RFC 8017, appendix A.1.2; RFC 5958). `None` if it is none, or its parts do not fit. What
    /// stands before and after it does not matter.
    fn read(text: &str) -> Option<Self> {
        let start = if text.starts_with("-----BEGIN ") { 0 } else { text.find("\n-----BEGIN ")? + 1 };
        let (_, key) = text.split_at_checked(start)?;
        let footer = key.find("\n-----END ")? + 1;
        let length = key.get(footer..)?.find('\n').map_or(key.len(), |end| footer + end);
        let (label, document) = pem_rfc7468::decode_vec(key.get(..length)?.as_bytes()).ok()?;
        match label {
            "RSA PRIVATE KEY" => Self::from_pkcs1(&document),
            "PRIVATE KEY" => Self::from_pkcs1(pkcs8_content(&document).ok()?),
            _ => None,
        }
    }

    fn from_pkcs1(document: &[u8]) -> Option<Self> {
        let [modulus, public, exponent, primes @ ..] = &*pkcs1_numbers(document).ok()? else { return None };
        let is_inverse = |prime: &UBig| *prime > UBig::ONE && ((public * exponent) % (prime - UBig::ONE)).is_one();
        let is_sound = exponent < modulus
            && (2..1 << 31).contains(&u64::try_from(public).ok()?)
            && primes.iter().product::<UBig>() == *modulus
            && primes.iter().all(is_inverse);
        is_sound.then(|| Self { modulus: modulus.clone(), exponent: exponent.clone() })
    }

    /// Decrypts what was padded to the length of the modulus (RFC 8017, section 7.2.2). `None` if it was not.
    fn open(&self, sealed: &[u8]) -> Option<Vec<u8>> {
        const SHORTEST_PADDING: usize = 8;
        let length = self.modulus.bit_len().div_ceil(8);
        let number = UBig::from_be_bytes(sealed);
        // The tool reads whole words of 64 bits.
        if sealed.len() > length.next_multiple_of(8) || number >= self.modulus {
            return None;
        }
        let ring = ConstDivisor::new(self.modulus.clone());
        let opened = ring.reduce(number).pow(&self.exponent).residue().to_be_bytes();
        // The first byte of what was padded is zero, and no byte of the number.
        let [2, padded @ ..] = &*opened else { return None };
        if opened.len() + 1 != length {
            return None;
        }
        let end = memchr::memchr(0, padded).filter(|&end| end >= SHORTEST_PADDING)?;
        padded.get(end + 1..).map(<[u8]>::to_vec)
    }
}

/// Returns the modulus, both exponents and the primes of a key (RFC 8017, appendix A.1.2).
fn pkcs1_numbers(document: &[u8]) -> der::Result<Vec<UBig>> {
    let number = |part: UintRef<'_>| UBig::from_be_bytes(part.as_bytes());
    let mut reader = SliceReader::new(document)?;
    reader.sequence(|key| {
        let _version = u8::decode(key)?;
        let mut numbers = Vec::new();
        for _ in 0..5 {
            numbers.push(number(UintRef::decode(key)?));
        }
        // What speeds up the decryption with each prime.
        for _ in 0..3 {
            UintRef::decode(key)?;
        }
        if !key.is_finished() {
            key.sequence(|others| {
                while !others.is_finished() {
                    numbers.push(number(others.sequence(|other| {
                        let prime = UintRef::decode(other)?;
                        UintRef::decode(other).and_then(|_| UintRef::decode(other))?;
                        Ok(prime)
                    })?));
                }
                Ok(())
            })?;
        }
        Ok(numbers)
    })
}

/// Returns the key in a document that says of which kind it is (RFC 5958), if that is RSA.
fn pkcs8_content(document: &[u8]) -> der::Result<&[u8]> {
    /// `rsaEncryption` (RFC 8017, appendix A.1), 1.2.840.113549.1.1.1, as DER.
    const RSA: &[u8] = b"\x2a\x86\x48\x86\xf7\x0d\x01\x01\x01";
    let mut reader = SliceReader::new(document)?;
    reader.sequence(|info| {
        let _version = u8::decode(info)?;
        info.sequence(|algorithm| {
            let name = AnyRef::decode(algorithm)?;
            while !algorithm.is_finished() {
                AnyRef::decode(algorithm)?;
            }
            if name.tag() == Tag::ObjectIdentifier && name.value() == RSA {
                Ok(())
            } else {
                Err(Tag::Integer.value_error())
            }
        })?;
        let key = OctetStringRef::decode(info)?;
        while !info.is_finished() {
            AnyRef::decode(info)?;
        }
        Ok(key.as_bytes())
    })
}
