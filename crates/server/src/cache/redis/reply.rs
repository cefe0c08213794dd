//! The answers of Redis, as far as the questions asked here have any: <https://redis.io/docs/latest/develop/reference/protocol-spec/>.

use std::io::{BufRead, Read as _};

use super::Failure;

/// The most bytes of a line: a status, a number, or what went wrong.
const MAX_LINE: u64 = 1024;
/// The most memory that is reserved because a server announces that much.
const AT_ONCE: usize = 64 << 10;

/// Reads an answer: a text, or a status or number, for which the text is empty, as it is for nothing.
///
/// # Errors
/// Fails if the answer is an error, is none of these, or is longer than `max` bytes.
pub(super) fn read(from: &mut impl BufRead, max: usize) -> Result<Vec<u8>, Failure> {
    let line = line(from)?;
    let (kind, rest) = line.split_first().ok_or(Failure::Unexpected)?;
    match kind {
        b'+' | b':' | b'_' => Ok(Vec::new()),
        b'-' => Err(Failure::Refused),
        b'$' if rest == b"-1" => Ok(Vec::new()),
        b'$' => {
            let length: u64 =
                std::str::from_utf8(rest).ok().and_then(|n| n.parse().ok()).ok_or(Failure::Unexpected)?;
            let length = usize::try_from(length).ok().filter(|length| *length <= max).ok_or(Failure::TooLong)?;
            let mut text = Vec::with_capacity(length.min(AT_ONCE));
            from.by_ref().take(length as u64).read_to_end(&mut text)?;
            let mut end = [0; 2];
            from.read_exact(&mut end)?;
            if text.len() == length && end == *b"\r\n" { Ok(text) } else { Err(Failure::Unexpected) }
        }
        _ => Err(Failure::Unexpected),
    }
}

/// Reads a line, without its end.
fn line(from: &mut impl BufRead) -> Result<Vec<u8>, Failure> {
    let mut line = Vec::new();
    from.by_ref().take(MAX_LINE).read_until(b'\n', &mut line)?;
    match line.strip_suffix(b"\r\n") {
        Some(text) => Ok(text.to_vec()),
        None if line.len() as u64 == MAX_LINE => Err(Failure::TooLong),
        None => Err(Failure::Io(std::io::ErrorKind::UnexpectedEof)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(text: &[u8]) -> Result<Vec<u8>, String> {
        let mut text = text;
        read(&mut text, 8).map_err(|failure| failure.to_string())
    }

    #[test]
    fn texts_statuses_and_numbers_are_answers() {
        assert_eq!(of(b"$3\r\na\r\n\r\n").unwrap(), b"a\r\n");
        for empty in [&b"$0\r\n\r\n"[..], b"$-1\r\n", b"_\r\n", b"+OK\r\n", b":12\r\n"] {
            assert_eq!(of(empty).unwrap(), b"");
        }
        assert_eq!(of(b"$8\r\n12345678\r\n").unwrap(), b"12345678");
    }

    #[test]
    fn whatever_else_comes_is_refused_unread() {
        let refused = of(b"-NOAUTH Authentication required.\r\n").unwrap_err();
        assert_eq!(refused, "the server refused the question");
        for long in [&b"$9\r\n123456789\r\n"[..], b"$1500000000\r\n", b"$18446744073709551615\r\n", &[b'+'; 2000]] {
            assert_eq!(of(long).unwrap_err(), "the answer is longer than an entry can be");
        }
        for odd in [&b"*1\r\n$1\r\na\r\n"[..], b"\r\n", b"$99999999999999999999\r\n", b"$x\r\n", b"$1\r\nab\r\n"] {
            assert_eq!(of(odd).unwrap_err(), "the answer is not one to the question");
        }
        for short in [&b""[..], b"+OK", b"$3\r\n", b"$3\r\nab"] {
            assert!(of(short).unwrap_err().contains("unexpected end of file"), "{short:?}");
        }
    }
}
