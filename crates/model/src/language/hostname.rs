//! Host names in addresses of providers and modules.

use idna::uts46::{AsciiDenyList, Hyphens, Uts46};

/// Returns the form in which host names are compared: lower case, normalised, with the port unless it is 443. Returns
/// `None` for what is not a host name: if there is an empty label, a label in punycode (names must contain the letters
/// themselves), a character that is not allowed in host names, or an invalid port.
pub(crate) fn normalized(given: &str) -> Option<String> {
    let (name, port) = match given.split_once(':') {
        Some((name, port)) => (name, Some(port)),
        None => (given, None),
    };
    let port = match port {
        None => String::new(),
        Some(text) => match text.parse::<i64>() {
            Ok(443) => String::new(),
            Ok(number) if number <= 65_535 => format!(":{number}"),
            _ => return None,
        },
    };
    if name.is_empty()
        || name.split('.').any(|label| label.get(..4).is_some_and(|start| start.eq_ignore_ascii_case("xn--")))
    {
        return None;
    }
    let (normal, outcome) = Uts46::new().to_unicode(name.as_bytes(), AsciiDenyList::STD3, Hyphens::Check);
    outcome.ok()?;
    let labels = normal.strip_suffix('.').unwrap_or(&normal);
    if normal.is_empty() || (labels.split('.').any(str::is_empty) && normal != ".") {
        return None;
    }
    Some(format!("{normal}{port}"))
}
