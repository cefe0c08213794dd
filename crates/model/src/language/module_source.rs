//! Source addresses of modules: which ones the loader accepts, without accessing what they refer to.
//!
//! A source is one of these, in this order (terraform.md, section 5.8, verified with 360 unusual texts, which are the
//! table of the test):
//! 1. a local path: begins with `./`, `../`, `.\` or `..\`;
//! 2. a registry address: `[HOST/]NAMESPACE/NAME/TARGET`, then `//SUB`;
//! 3. something to download: a URL with a scheme, a forced kind (`git::…`), `git@HOST:PATH`, an absolute path, or one
//!    of the short forms for github.com, bitbucket.org and two object stores.
//!
//! If there is also a version, the source must be a registry address.

use crate::language::hostname;
use overfold_base::named;

named! {
    /// Kinds of module sources.
    #[schema(as = CallKind)]
    pub enum SourceKind {
        /// A directory relative to the module.
        Local = "local",
        /// A module in a registry.
        Registry = "registry",
        /// A source that has to be downloaded.
        Remote = "remote",
    }
}

/// Parses a source address.
///
/// # Errors
/// A sentence about what is wrong with it.
pub fn parse(source: &str) -> Result<SourceKind, String> {
    if is_local(source) {
        Ok(SourceKind::Local)
    } else if parse_registry(source).is_ok() {
        Ok(SourceKind::Registry)
    } else {
        parse_remote(source).map(|()| SourceKind::Remote)
    }
}

/// Parses a source address that is used with a version.
///
/// # Errors
/// A sentence about what is wrong with it.
pub fn parse_registry(source: &str) -> Result<(), String> {
    if is_local(source) {
        return Err("A local module has no versions, so its source must not be combined with a version constraint."
            .to_owned());
    }
    let (package, sub) = split_sub_folder(source);
    check_inside_package(&sub)?;
    let parts: Vec<&str> = package.split('/').collect();
    let (host, namespace, name, target) = match *parts.as_slice() {
        [namespace, name, target] => (None, namespace, name, target),
        [host, namespace, name, target] => (Some(host), namespace, name, target),
        _ => {
            return Err(
                "A registry address has the form NAMESPACE/NAME/TARGET, optionally with HOST/ before it.".to_owned()
            );
        }
    };
    if let Some(host) = host {
        let host =
            hostname::normalized(host).ok_or_else(|| format!("{host:?} is not a valid registry host name."))?;
        if !host.contains('.') {
            return Err(format!("The registry host name {host:?} must contain a dot."));
        }
        if matches!(host.as_str(), "github.com" | "bitbucket.org") {
            return Err(format!(
                "{host} is not a module registry; modules are downloaded from it directly. Remove the version, and select a revision in the source instead."
            ));
        }
    }
    if package.contains('?') {
        return Err(
            "A registry address cannot have a query string. Remove the part from the question mark on.".to_owned()
        );
    }
    for part in [namespace, name] {
        if !is_registry_name(part) {
            return Err(format!(
                "{part:?} is not a valid part of a registry address. Use only letters, digits, dashes and underscores."
            ));
        }
    }
    let fits =
        (1..=64).contains(&target.len()) && target.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit());
    if fits {
        Ok(())
    } else {
        Err(format!("{target:?} is not a valid target system: only lower-case letters and digits are allowed."))
    }
}

/// Where a module is that is not local: a package, and a folder inside it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PackageAddress {
    /// The package, in one form for all texts that mean the same: that of a registry with its host.
    pub package: String,
    /// The folder, `""` for the top of the package.
    pub sub: String,
}

impl PackageAddress {
    /// Reads a source. `registry` is the host of registry addresses that name none. `None` if the source is local, or not
    /// a source at all.
    ///
    /// A registry address has its host in lower case. Of something to download, only what short forms leave out is left
    /// out: the forced kind, the scheme, the user `git`, and a last `.git` (terraform.md, section 5.8).
    pub fn parse(source: &str, registry: &str) -> Option<Self> {
        let kind = parse(source).ok()?;
        let (package, sub) = split_sub_folder(source);
        let package = match kind {
            SourceKind::Local => return None,
            SourceKind::Registry => match package.split('/').collect::<Vec<_>>().as_slice() {
                [host, rest @ ..] if rest.len() == 3 => format!("{}/{}", hostname::normalized(host)?, rest.join("/")),
                _ => format!("{registry}/{package}"),
            },
            SourceKind::Remote => plain_address(&package),
        };
        Some(Self { package, sub })
    }
}

/// Returns the host and path of something to download, and its query.
fn plain_address(package: &str) -> String {
    let address = forced_kind(package).map_or(package, |(_, rest)| rest);
    let (address, query) = match address.find('?') {
        Some(at) => address.split_at_checked(at).unwrap_or((address, "")),
        None => (address, ""),
    };
    let address = match address.split_once("://") {
        Some((_, rest)) => rest.to_owned(),
        None if is_git_over_ssh(address) => address.replacen(':', "/", 1),
        None => address.to_owned(),
    };
    let address = address.strip_prefix("git@").unwrap_or(&address);
    format!("{}{query}", address.strip_suffix(".git").unwrap_or(address))
}

fn is_local(source: &str) -> bool {
    ["./", "../", ".\\", "..\\"].iter().any(|start| source.starts_with(start))
}

/// Whether a part has 1 to 64 letters, digits, dashes and underscores, with neither of the latter two at the beginning
/// or the end.
fn is_registry_name(part: &str) -> bool {
    let bytes = part.as_bytes();
    let outer = |byte: Option<&u8>| byte.is_some_and(u8::is_ascii_alphanumeric);
    (1..=64).contains(&bytes.len())
        && outer(bytes.first())
        && outer(bytes.last())
        && bytes.iter().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'_'))
}

/// Splits an address into the package and the folder inside it, which follows a `//` that is not part of a scheme. A
/// query remains with the package. `.` and inner `..` are removed from the folder.
fn split_sub_folder(source: &str) -> (String, String) {
    let stop = source.find('?').unwrap_or(source.len());
    let (address, query) = source.split_at_checked(stop).unwrap_or((source, ""));
    let offset = address.find("://").map_or(0, |at| at + 3);
    let Some(at) = address.get(offset..).and_then(|rest| rest.find("//")) else {
        return (source.to_owned(), String::new());
    };
    let (package, sub) = address.split_at(at + offset);
    let (_, sub) = sub.split_at(2);
    (format!("{package}{query}"), clean(sub))
}

/// Returns a path without `.` segments, in which each `..` has removed the segment before it.
fn clean(path: &str) -> String {
    let rooted = path.starts_with('/');
    let mut kept: Vec<&str> = Vec::new();
    for segment in path.split('/') {
        match segment {
            "" | "." => {}
            ".." => match kept.last() {
                Some(&last) if last != ".." => {
                    kept.pop();
                }
                _ if rooted => {}
                _ => kept.push(".."),
            },
            _ => kept.push(segment),
        }
    }
    format!("{}{}", if rooted { "/" } else { "" }, kept.join("/"))
}

fn check_inside_package(sub: &str) -> Result<(), String> {
    if sub.starts_with("../") {
        Err("The subdirectory after // leads out of the package. Remove the .. from it.".to_owned())
    } else {
        Ok(())
    }
}

fn parse_remote(source: &str) -> Result<(), String> {
    let (package, sub) = split_sub_folder(source);
    check_inside_package(&sub)?;
    // The detection receives only the package.
    let address = forced_kind(&package).map_or(package.as_str(), |(_, rest)| rest);
    let (address, _) = split_sub_folder(address);
    if url_scheme(&address) == Some(true) {
        return Ok(());
    }
    detect(&address)
}

/// Splits `KIND::REST`.
fn forced_kind(source: &str) -> Option<(&str, &str)> {
    let (kind, rest) = source.split_once("::")?;
    let fits = !kind.is_empty() && kind.bytes().all(|b| b.is_ascii_alphanumeric());
    (fits && !rest.is_empty() && !rest.starts_with('\n')).then_some((kind, rest))
}

/// Returns a URL, or what follows its scheme, without the query.
fn without_query(url: &str) -> &str {
    url.split_once('?').map_or(url, |(path, _)| path)
}

/// Accepts the short forms that need no scheme.
fn detect(address: &str) -> Result<(), String> {
    let unknown = || format!("{address:?} is not a supported module source. A local path must start with ./ or ../.");
    if address.is_empty() {
        return Err("The source of a module must not be empty.".to_owned());
    }
    if let Some(rest) = address.strip_prefix("github.com/") {
        if !without_query(rest).contains('/') {
            return Err(
                "A github.com address needs an owner and a repository: github.com/OWNER/REPOSITORY.".to_owned()
            );
        }
        return if is_url(&format!("https://{address}")) { Ok(()) } else { Err(unknown()) };
    }
    if is_git_over_ssh(address) {
        return Ok(());
    }
    if address.starts_with("bitbucket.org/") {
        return if is_url(&format!("https://{address}")) { Ok(()) } else { Err(unknown()) };
    }
    let parts: Vec<&str> = address.split('/').collect();
    if address.contains("googleapis.com/") {
        return match parts.as_slice() {
            [_, _, version, bucket, object @ ..] if !object.is_empty() => {
                let object = object.join("/");
                let url = format!("https://www.googleapis.com/storage/{version}/{bucket}/{object}");
                if is_url(&url) { Ok(()) } else { Err(unknown()) }
            }
            _ => Err("The address of an object store needs a bucket and an object.".to_owned()),
        };
    }
    if address.contains(".amazonaws.com/") {
        let (host, path) = parts.split_first().map_or(("", &[][..]), |(host, path)| (*host, path));
        let host: Vec<&str> = host.split('.').collect();
        let url = match (host.as_slice(), path) {
            ([region, _, _], [bucket, key @ ..]) | ([bucket, region, _, _], key) => {
                format!("https://{region}.amazonaws.com/{bucket}/{}", key.join("/"))
            }
            ([bucket, "s3", region, _, _], key) => {
                format!("https://s3.{region}.amazonaws.com/{bucket}/{}", key.join("/"))
            }
            _ => return Err("This is not a valid address of an object store.".to_owned()),
        };
        return if is_url(&url) { Ok(()) } else { Err(unknown()) };
    }
    if address.starts_with('/') { Ok(()) } else { Err(unknown()) }
}

/// Whether an address has the form `git@HOST:PATH`.
fn is_git_over_ssh(address: &str) -> bool {
    let Some((host, path)) = address.strip_prefix("git@").and_then(|rest| rest.split_once(':')) else { return false };
    !host.is_empty() && !path.is_empty() && !path.starts_with('\n')
}

/// Whether a URL has a scheme. `None` if the text is not a URL at all.
fn url_scheme(text: &str) -> Option<bool> {
    if text.bytes().any(|b| b < 0x20 || b == 0x7f) {
        return None;
    }
    let (text, fragment) = text.split_once('#').unwrap_or((text, ""));
    if !has_valid_escapes(fragment) {
        return None;
    }
    let (scheme, rest) = scheme(text)?;
    let rest = without_query(rest);
    if !rest.starts_with('/') {
        if scheme {
            return Some(true);
        }
        // A colon in the first segment would be read as the end of a scheme.
        return (!rest.split_once('/').map_or(rest, |(first, _)| first).contains(':'))
            .then_some(false)
            .filter(|_| has_valid_escapes(rest));
    }
    let path = match rest.strip_prefix("//") {
        Some(rest) if scheme || !rest.starts_with('/') => {
            let at = rest.find('/').unwrap_or(rest.len());
            let (authority, path) = rest.split_at_checked(at)?;
            if !is_authority(authority) {
                return None;
            }
            path
        }
        _ => rest,
    };
    has_valid_escapes(path).then_some(scheme)
}

fn is_url(text: &str) -> bool {
    url_scheme(text).is_some()
}

/// Returns whether there is a scheme, and what follows it. `None` if the text begins with a colon.
fn scheme(text: &str) -> Option<(bool, &str)> {
    for (at, c) in text.char_indices() {
        match c {
            'a'..='z' | 'A'..='Z' => {}
            '0'..='9' | '+' | '-' | '.' if at > 0 => {}
            ':' if at == 0 => return None,
            ':' => return Some((true, text.split_at(at + 1).1)),
            _ => break,
        }
    }
    Some((false, text))
}

fn has_valid_escapes(text: &str) -> bool {
    text.split('%').skip(1).all(|after| {
        let mut digits = after.bytes();
        let hex = |b: Option<u8>| b.is_some_and(|b| b.is_ascii_hexdigit());
        hex(digits.next()) && hex(digits.next())
    })
}

/// Whether a text has the form `[USER@]HOST[:PORT]`.
fn is_authority(authority: &str) -> bool {
    let host = match authority.rsplit_once('@') {
        Some((user, host)) => {
            let fits = |c: char| c.is_ascii_alphanumeric() || "-._~!$&'()*+,;=:%@".contains(c);
            if !user.chars().all(fits) || !has_valid_escapes(user) {
                return false;
            }
            host
        }
        None => authority,
    };
    let port = if host.starts_with('[') {
        match host.rfind(']') {
            Some(end) => host.split_at(end + 1).1,
            None => return false,
        }
    } else {
        host.rfind(':').map_or("", |at| host.split_at(at).1)
    };
    let good_port = match port.strip_prefix(':') {
        Some(digits) => digits.bytes().all(|b| b.is_ascii_digit()),
        None => port.is_empty(),
    };
    let fits = |c: char| !c.is_ascii() || c.is_ascii_alphanumeric() || "-_.~!$&'()*+,;=:[]<>\"%".contains(c);
    good_port && host.chars().all(fits) && has_valid_host_escapes(host)
}

/// Whether all escapes in a host name are valid: only bytes outside ASCII may be escaped.
fn has_valid_host_escapes(host: &str) -> bool {
    has_valid_escapes(host)
        && host
            .split('%')
            .skip(1)
            .all(|after| matches!(after.as_bytes().first(), Some(b'8'..=b'9' | b'a'..=b'f' | b'A'..=b'F')))
}

#[cfg(test)]
mod tests {
    use super::{PackageAddress, parse, parse_registry};

    #[test]
    fn texts_that_mean_the_same_package_are_equal() {
        let of = |source: &str| {
            PackageAddress::parse(source, "registry.terraform.io").map(|found| (found.package, found.sub))
        };
        let pair = |package: &str, sub: &str| Some((package.to_owned(), sub.to_owned()));
        let vpc = "registry.terraform.io/terraform-aws-modules/vpc/aws";
        for (source, sub) in [("terraform-aws-modules/vpc/aws//modules/a", "modules/a"), (vpc, "")] {
            assert_eq!(of(source), pair(vpc, sub));
        }
        assert_eq!(of("Example.COM/a/b/c"), pair("example.com/a/b/c", ""));
        for source in [
            "github.com/o/r//m/n?ref=v1",
            "git::https://github.com/o/r.git//m/n?ref=v1",
            "git::ssh://git@github.com/o/r.git//m/n?ref=v1",
            "git@github.com:o/r.git//m/n?ref=v1",
        ] {
            assert_eq!(of(source), pair("github.com/o/r?ref=v1", "m/n"), "{source}");
        }
        assert_ne!(of("github.com/o/r?ref=v1"), of("github.com/o/r?ref=v2"));
        assert_eq!(of("./a"), None);
    }

    /// Each line contains whether the tool accepts the source without a version and with one (`1` or `0`), and the
    /// source between bars, with code points such as `\{1f}`.
    const TABLE: &str = include_str!("../../../../tests/data/module_sources.txt");

    fn decode(text: &str) -> String {
        let mut parts = text.split("\\{");
        let mut decoded = parts.next().unwrap().to_owned();
        for part in parts {
            let (code, rest) = part.split_once('}').unwrap();
            decoded.push(char::from_u32(u32::from_str_radix(code, 16).unwrap()).unwrap());
            decoded.push_str(rest);
        }
        decoded
    }

    #[test]
    fn agrees_with_the_tool() {
        let mut wrong = Vec::new();
        for line in TABLE.lines().filter(|line| !line.starts_with('#')) {
            let (verdicts, source) = line.split_once(' ').unwrap();
            let source = decode(source.strip_prefix('|').unwrap().strip_suffix('|').unwrap());
            let ours = format!("{}{}", u8::from(parse(&source).is_ok()), u8::from(parse_registry(&source).is_ok()));
            if ours != verdicts {
                wrong.push(format!("{source:?}: tool {verdicts}, ours {ours}"));
            }
        }
        assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    }
}
