//! Building blocks of axes: the same bytes in every run, with names in no order.

/// The files of a module: path and text.
pub(crate) type Files = Vec<(String, String)>;

/// A way for a module to grow: `make` creates a module of at least the given number of bytes.
pub(crate) struct Axis {
    /// The name used in tables and on the command line.
    pub(crate) name: &'static str,
    /// The dialect that reads it.
    pub(crate) dialect: &'static str,
    /// Creates the files for a size in bytes.
    pub(crate) make: fn(usize) -> Files,
}

/// Returns a name for a number: distinct names for distinct numbers, in no order (SplitMix64).
pub(crate) fn word(n: usize) -> String {
    let mut z = (n as u64).wrapping_add(0x9e37_79b9_7f4a_7c15).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    let letter = |shift: u32| char::from(b'a' + ((z >> shift) % 26) as u8);
    format!("{}{}{}{n}", letter(8), letter(20), letter(40))
}

/// Concatenates items, none of which may be empty, until the size is reached.
pub(crate) fn text(size: usize, item: impl Fn(usize) -> String) -> String {
    let mut text = String::with_capacity(size + 256);
    for n in 0.. {
        let one = item(n);
        assert!(!one.is_empty(), "text of empty items has no end");
        text.push_str(&one);
        if text.len() >= size {
            break;
        }
    }
    text
}

/// Returns one file with a head, items and a tail.
pub(crate) fn file(path: &str, size: usize, head: &str, item: impl Fn(usize) -> String, tail: &str) -> Files {
    vec![(path.to_owned(), format!("{head}{}{tail}", text(size, item)))]
}

/// Returns the file `main.tf` with the items.
pub(crate) fn main_tf(size: usize, item: impl Fn(usize) -> String) -> Files {
    file("main.tf", size, "", item, "")
}

/// Returns one resource with the items as its body.
pub(crate) fn resource(size: usize, item: impl Fn(usize) -> String) -> Files {
    file("main.tf", size, "resource \"a\" \"b\" {\n", item, "}\n")
}

/// Returns one expression built from the items.
pub(crate) fn expression(size: usize, head: &str, item: impl Fn(usize) -> String, tail: &str) -> Files {
    file("main.tf", size, &format!("locals {{\n  a = {head}"), item, &format!("{tail}\n}}\n"))
}

/// Returns many files with one item each.
pub(crate) fn files(size: usize, item: impl Fn(usize) -> (String, String)) -> Files {
    let mut bytes = 0;
    let mut files = Vec::new();
    for n in 0.. {
        let (path, text) = item(n);
        bytes += text.len() + path.len();
        files.push((path, text));
        if bytes >= size {
            break;
        }
    }
    files
}

/// Returns a base and an override file, each of half the size.
pub(crate) fn over(size: usize, base: impl Fn(usize) -> String, over: impl Fn(usize) -> String) -> Files {
    let mut files = main_tf(size / 2, base);
    files.extend(file("override.tf", size / 2, "", over, ""));
    files
}

/// Returns the nesting depth for a module of a size, where nesting is tested: proportional, up to what limits allow.
pub(crate) fn depth(size: usize) -> usize {
    (size / 64).clamp(1, 1_800)
}
