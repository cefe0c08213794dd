//! Addresses of places in files.

use std::fmt::Write as _;

use overfold_base::account;

/// The beginning of the addresses of files, such as `https://code.example.org/o/r/blob/1a2b3c/`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LinkBase(Box<str>);

impl LinkBase {
    /// The maximum number of bytes.
    pub const MAX: usize = 1_000;

    /// Checks an address. A slash is added if it ends with none.
    ///
    /// # Errors
    /// Says what is wrong with an address that is not of the schemes `http` and `https`, is too long, or has characters that
    /// an address must not have or that would end it in Markdown.
    pub fn parse(text: &str) -> Result<Self, &'static str> {
        let Some(rest) = text.strip_prefix("https://").or_else(|| text.strip_prefix("http://")) else {
            return Err("it must begin with https:// or http://");
        };
        if text.len() > Self::MAX {
            return Err("it is longer than 1000 bytes");
        }
        let is_allowed = |c: char| c.is_ascii_alphanumeric() || "-._~:/?#@!$&'*+,;=%".contains(c);
        if rest.is_empty() || rest.starts_with('/') || !rest.chars().all(is_allowed) {
            return Err(
                "it must be a host and a path without blanks, brackets and quotes, percent-encoded where needed",
            );
        }
        let slash = if text.ends_with('/') { "" } else { "/" };
        Ok(Self(format!("{text}{slash}").into()))
    }

    /// Returns the address as checked.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Returns the address of a line of a file; `None` for a file outside of what the base is the address of.
    pub(super) fn to(&self, file: &str, line: usize) -> Option<String> {
        let mut segments: Vec<&str> = Vec::new();
        account::touch(3 * file.len());
        for segment in file.split('/') {
            match segment {
                "" | "." => {}
                ".." => {
                    segments.pop()?;
                }
                segment => segments.push(segment),
            }
        }
        if file.is_empty() || file.starts_with('/') {
            return None;
        }
        let mut address = self.0.to_string();
        for (at, segment) in segments.iter().enumerate() {
            address.push_str(if at == 0 { "" } else { "/" });
            for byte in segment.bytes() {
                if byte.is_ascii_alphanumeric() || b"-._~".contains(&byte) {
                    address.push(char::from(byte));
                } else {
                    // Writing to a string never fails.
                    let _ = write!(address, "%{byte:02X}");
                }
            }
        }
        // Writing to a string never fails.
        let _ = write!(address, "#L{line}");
        Some(address)
    }
}

#[cfg(test)]
mod tests {
    use super::LinkBase;

    #[test]
    fn only_addresses_are_taken() {
        for good in
            ["https://example.org/o/r/blob/1a2b3c/", "http://localhost:8080", "https://a.example/x%20y/-/blob/main"]
        {
            assert_eq!(LinkBase::parse(good).unwrap().as_str(), format!("{}/", good.trim_end_matches('/')));
        }
        for bad in [
            "",
            "https://",
            "https:///x",
            "javascript:alert(1)",
            "https://a b",
            "https://a)b",
            "https://a\nb",
            "https://a<b",
            "https://a\"b",
            "https://ä",
            "ftp://a",
            "/x",
        ] {
            assert!(LinkBase::parse(bad).is_err(), "{bad}");
        }
        assert!(LinkBase::parse(&format!("https://{}", "x".repeat(LinkBase::MAX))).is_err());
    }

    #[test]
    fn what_is_outside_has_no_address() {
        let base = LinkBase::parse("https://example.org/b").unwrap();
        let to = |file: &str| base.to(file, 7);
        assert_eq!(to("a/../m/./main.tf").as_deref(), Some("https://example.org/b/m/main.tf#L7"));
        for file in ["../main.tf", "a/../../main.tf", "/etc/main.tf", ""] {
            assert_eq!(to(file), None, "{file}");
        }
    }
}
