//! `uuidv5` and `rsadecrypt` (expressions.md, section 8).

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use rsa::pkcs1::DecodeRsaPrivateKey as _;
use rsa::pkcs8::DecodePrivateKey as _;
use rsa::traits::{PrivateKeyParts as _, PublicKeyParts as _};
use rsa::{Pkcs1v15Encrypt, RsaPrivateKey};
use uuid::Uuid;

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
    Ok(Value::text(Uuid::new_v5(&namespace, argument(args, 1).as_bytes()).to_string()))
}

fn decrypt(args: &[Value], _: &Type, _: &mut CallContext<'_, '_>) -> Outcome {
    /// More than the PEM text of an 8192-bit key.
    const PEM_LENGTH: usize = 8 * 1024;
    /// The cost of one private-key operation with a common 2048-bit key; it grows with the cube of the key length.
    const COST: u64 = 100_000;
    account::work(COST);
    let sealed =
        STANDARD.decode(argument(args, 0)).map_err(|_| FunctionError::argument(0, "it is not valid Base64"))?;
    let pem = argument(args, 1);
    if pem.len() > PEM_LENGTH {
        return Err(FunctionError::argument(1, "the key is too long"));
    }
    let mut key = RsaPrivateKey::from_pkcs1_pem(pem)
        .or_else(|_| RsaPrivateKey::from_pkcs8_pem(pem))
        .map_err(|_| FunctionError::argument(1, "it is not an RSA private key in PEM format without a password"))?;
    let bits = key.n().bits() as u64;
    let size = bits.div_ceil(2048);
    account::work(COST * size * size * size);
    if let [first, second, ..] = key.primes()
        && first.bits() + 8 < second.bits()
    {
        // The shortcut through the two primes takes as many steps as the first goes into the second, so with such a key
        // it would never end. Without it the private exponent determines the cost, so it must not be longer than
        // necessary.
        if key.d().bits() > key.n().bits() {
            return Err(FunctionError::argument(1, "its private exponent is larger than its modulus"));
        }
        key.clear_precomputed();
        account::work(COST * size * size * size * 4);
    }
    let plain = key
        .decrypt(Pkcs1v15Encrypt, &sealed)
        .map_err(|_| FunctionError::new("the ciphertext was not encrypted for this key"))?;
    Ok(Value::text(String::from_utf8_lossy(&plain)))
}
