//! What the crate promises: every public item, in `public-items.txt`. A line that changes or goes is a breaking change, and one
//! that comes is a promise; `OVERFOLD_GOLDEN=write cargo test -p overfold` accepts it.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on says so by panicking")]

use std::collections::BTreeSet;
use std::path::Path;
use std::{env, fs};

use quote::{ToTokens, quote};
use syn::parse::{Parse, ParseStream};
use syn::{Fields, ImplItem, Item, ItemImpl, Visibility};

/// The methods in the body of a macro.
struct Methods(Vec<ImplItem>);

impl Parse for Methods {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        let mut methods = Vec::new();
        while !input.is_empty() {
            methods.push(input.parse()?);
        }
        Ok(Self(methods))
    }
}

/// Writes code on one line, with spaces where people have them.
fn line(code: &impl ToTokens) -> String {
    let mut text = code.to_token_stream().to_string();
    for (from, to) in [
        (" :: ", "::"),
        (":: ", "::"),
        (" < ", "<"),
        (" > ", "> "),
        ("< ", "<"),
        (" >", ">"),
        (" (", "("),
        ("( ", "("),
        (" )", ")"),
        (" ,", ","),
        (" :", ":"),
        (" ;", ";"),
        ("& ", "&"),
        ("-> ", " -> "),
        ("  ", " "),
    ] {
        text = text.replace(from, to);
    }
    text.replace("->", " -> ").replace("  ", " ").replace("# [", "#[").replace(" =(", " = (").replace(",)", ")")
}

const fn is_public(visibility: &Visibility) -> bool {
    matches!(visibility, Visibility::Public(_))
}

fn derives(attributes: &[syn::Attribute]) -> String {
    let lists = attributes.iter().filter(|attribute| {
        ["derive", "non_exhaustive", "must_use"].iter().any(|name| attribute.path().is_ident(name))
    });
    lists.map(|list| line(list) + " ").collect()
}

/// Adds the public methods and the traits of a type.
fn add_impl(block: &ItemImpl, methods: &[ImplItem], found: &mut BTreeSet<String>) {
    let own = line(&block.self_ty);
    if let Some((name, _)) = &block.trait_ {
        let generics = &block.generics;
        found.insert(format!("impl {} for {own}", line(&quote!(#generics #name)).trim()));
        return;
    }
    for item in block.items.iter().chain(methods) {
        match item {
            ImplItem::Fn(method) if is_public(&method.vis) => {
                found.insert(format!("{own}: {}{}", derives(&method.attrs), line(&method.sig)));
            }
            ImplItem::Const(constant) if is_public(&constant.vis) => {
                found.insert(format!("{own}: const {}: {}", constant.ident, line(&constant.ty)));
            }
            _ => {}
        }
    }
}

fn add(item: &Item, public: &BTreeSet<String>, methods: &[ImplItem], found: &mut BTreeSet<String>) {
    match item {
        Item::Struct(item) if public.contains(&item.ident.to_string()) => {
            found.insert(format!("{}struct {}", derives(&item.attrs), item.ident));
            if let Fields::Named(fields) = &item.fields {
                for field in fields.named.iter().filter(|field| is_public(&field.vis)) {
                    let name = field.ident.as_ref().unwrap();
                    found.insert(format!("{}: field {name}: {}", item.ident, line(&field.ty)));
                }
            }
        }
        Item::Enum(item) if public.contains(&item.ident.to_string()) => {
            found.insert(format!("{}enum {}", derives(&item.attrs), item.ident));
            for variant in &item.variants {
                let fields: Vec<String> = variant.fields.iter().map(|field| line(&field.ty)).collect();
                let fields = if fields.is_empty() { String::new() } else { format!("({})", fields.join(", ")) };
                found.insert(format!("{}: variant {}{fields}", item.ident, variant.ident));
            }
        }
        Item::Impl(block) if public.contains(&line(&block.self_ty)) => {
            let uses_macro = block.items.iter().any(|item| matches!(item, ImplItem::Macro(_)));
            add_impl(block, if uses_macro { methods } else { &[] }, found);
        }
        _ => {}
    }
}

#[test]
fn public_items_are_those_that_were_promised() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut paths: Vec<_> = fs::read_dir(folder.join("src")).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    let texts: Vec<String> = paths.iter().map(|path| fs::read_to_string(path).unwrap()).collect();
    let files: Vec<syn::File> = texts.iter().map(|text| syn::parse_file(text).unwrap()).collect();
    // What `lib.rs` names, there alone.
    let mut found = BTreeSet::new();
    let mut public = BTreeSet::new();
    for (path, file) in paths.iter().zip(&files) {
        for item in &file.items {
            if let Item::Use(item) = item
                && is_public(&item.vis)
                && path.ends_with("lib.rs")
            {
                let text = line(&item.tree);
                let names = text.rsplit("::").next().unwrap().trim_matches(['{', '}', ' ']).to_owned();
                public.extend(names.split(',').map(|name| name.trim().to_owned()).filter(|name| !name.is_empty()));
                found.insert(format!("use {text}"));
            }
        }
    }
    let shared =
        texts.iter().find_map(|text| text.split_once("macro_rules! common_options {\n    () => {")).unwrap().1;
    let shared = shared.split_once("\n    };\n}").unwrap().0.replace("$crate", "crate");
    let Methods(methods) = syn::parse_str(&shared).unwrap();
    assert!(methods.len() > 5 && public.len() > 15);
    for item in files.iter().flat_map(|file| &file.items) {
        add(item, &public, &methods, &mut found);
    }
    let found: String = found.into_iter().map(|item| item + "\n").collect();
    let golden = folder.join("public-items.txt");
    if env::var("OVERFOLD_GOLDEN").is_ok_and(|what| what == "write") {
        fs::write(&golden, &found).unwrap();
    }
    assert_eq!(found, fs::read_to_string(&golden).unwrap_or_default(), "OVERFOLD_GOLDEN=write accepts the new items");
}
