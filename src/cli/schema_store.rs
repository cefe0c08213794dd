//! `overfold schemas`: fills a folder with the schemas of providers, and says what it holds.

use std::fmt::Write as _;
use std::fs;
use std::io::{Read as _, stdin};
use std::path::{Path, PathBuf};

use clap::{Args, Subcommand};
use serde_json::{Map, Value};

use super::{Failure, Outcome, complain, print};
use overfold_base::versions::Version;
use overfold_model::language::references::ResourceMode;
use overfold_model::language::required_providers::addresses_in_other_registries;
use overfold_model::schema::{ProviderSchemas, SchemaStore};
use overfold_module::provider_schemas::{LOCK_FILE, read_lock_file};
use overfold_source::{MAX_DOCUMENT_BYTES, SchemaFolder};

/// What is done with the folder.
#[derive(Args, Debug)]
pub(super) struct SchemasArgs {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand, Debug)]
enum Command {
    /// Add what `terraform providers schema -json` prints to a folder of schemas, without descriptions
    Add(AddArgs),
    /// Print which schemas a folder holds
    List(ListArgs),
}

#[derive(Args, Debug)]
struct AddArgs {
    /// Files with what `terraform providers schema -json` or `tofu providers schema -json` prints; `-` is standard input
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// The folder, which is created if need be
    #[arg(long, env = "OVERFOLD_PROVIDER_SCHEMAS", value_name = "DIR")]
    provider_schemas: PathBuf,
    /// The version of a provider, which the document lacks; otherwise it is taken from the file .terraform.lock.hcl beside
    /// FILE; may be repeated
    #[arg(long, value_name = "ADDRESS=VERSION", value_parser = named_version)]
    version: Vec<(String, String)>,
}

#[derive(Args, Debug)]
struct ListArgs {
    /// The folder
    #[arg(long, env = "OVERFOLD_PROVIDER_SCHEMAS", value_name = "DIR")]
    provider_schemas: PathBuf,
}

/// The properties that hold texts for people.
const TEXTS: [&str; 5] = ["description", "description_kind", "summary", "deprecation_message", "deprecated_message"];

/// How hard a document is compressed: it is written once and read often.
const LEVEL: i32 = 19;

fn named_version(text: &str) -> Result<(String, String), String> {
    let wrong = || "it must be ADDRESS=VERSION, such as registry.terraform.io/hashicorp/aws=6.47.0".to_owned();
    let (address, version) = text.split_once('=').ok_or_else(wrong)?;
    if !is_address(address) || Version::parse(version).is_none() {
        return Err(wrong());
    }
    Ok((address.to_owned(), version.to_owned()))
}

/// Whether a text is the full address of a provider, all of whose parts can be names of folders.
fn is_address(text: &str) -> bool {
    let is_part = |part: &str| {
        let mut bytes = part.bytes();
        bytes.next().is_some_and(|first| first.is_ascii_alphanumeric())
            && bytes.all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'.' | b':'))
    };
    text.split('/').count() == 3 && text.split('/').all(is_part)
}

/// Does what is asked.
///
/// # Errors
/// Fails if a file cannot be read or written, or is not a document of schemas.
pub(super) fn run(args: SchemasArgs) -> Result<Outcome, Failure> {
    match args.command {
        Command::Add(args) => add(&args),
        Command::List(args) => list(&args),
    }
}

/// A document that is to be written.
struct NewDocument {
    address: String,
    version: String,
    schemas: Value,
}

fn add(args: &AddArgs) -> Result<Outcome, Failure> {
    let mut documents = Vec::new();
    for file in &args.files {
        documents.extend(read(file, &args.version)?);
    }
    let mut out = String::new();
    for document in documents {
        let path = write(&args.provider_schemas, document)?;
        let _ = writeln!(out, "{}", path.display());
    }
    print(out.as_bytes())?;
    Ok(Outcome::Fine)
}

/// Reads the schemas in a file, with the versions of their providers.
fn read(file: &Path, named: &[(String, String)]) -> Result<Vec<NewDocument>, Failure> {
    let failure = |error| Failure::Io { what: file.display().to_string(), error };
    let message = |why: String| Failure::Message(format!("{}: {why}", file.display()));
    let mut text = Vec::new();
    let is_standard_input = file.as_os_str() == "-";
    let most = MAX_DOCUMENT_BYTES * 4;
    if is_standard_input {
        stdin().lock().take(most + 1).read_to_end(&mut text).map_err(failure)?;
    } else {
        fs::File::open(file).map_err(failure)?.take(most + 1).read_to_end(&mut text).map_err(failure)?;
    }
    if text.len() as u64 > most {
        return Err(message(format!("the document is over the limit of {most} bytes")));
    }
    let document: Value =
        serde_json::from_slice(&text).map_err(|error| message(format!("not valid JSON: {error}")))?;
    let lock = if is_standard_input { PathBuf::from(LOCK_FILE) } else { file.with_file_name(LOCK_FILE) };
    let locked = fs::read(lock).map(|text| read_lock_file(text.into())).unwrap_or_default();
    let Value::Object(mut document) = document else {
        return Err(message("not what `terraform providers schema -json` prints".to_owned()));
    };
    let Some(Value::Object(providers)) = document.remove("provider_schemas") else {
        return Err(message("there is no property \"provider_schemas\" with the schemas of a provider".to_owned()));
    };
    let mut found = Vec::new();
    for (address, mut schemas) in providers {
        if address.starts_with("terraform.io/builtin/") {
            continue;
        }
        if !is_address(&address) {
            return Err(message(format!("{address:?} is not the full address of a provider")));
        }
        let addresses = || std::iter::once(address.clone()).chain(addresses_in_other_registries(&address));
        let version = named
            .iter()
            .find(|(named, _)| *named == address)
            .map(|(_, version)| version.clone())
            .or_else(|| addresses().find_map(|address| locked.get(&*address)).map(ToString::to_string))
            .filter(|version| Version::parse(version).is_some());
        let Some(version) = version else {
            return Err(message(format!(
                "the version of {address} is not known: there is no {LOCK_FILE} beside the file that names it; give --version {address}=VERSION"
            )));
        };
        remove_texts(&mut schemas);
        found.push(NewDocument { address, version, schemas });
    }
    Ok(found)
}

/// Removes what only people read. Objects that stand for names hold objects, so a text with such a name is none of them;
/// types, in which names stand for texts, are in arrays.
fn remove_texts(schemas: &mut Value) {
    let Value::Object(properties) = schemas else { return };
    properties.retain(|name, value| !(value.is_string() && TEXTS.contains(&name.as_str())));
    for (name, value) in properties {
        match value {
            Value::Array(items) if name == "parameters" => items.iter_mut().for_each(remove_texts),
            value => remove_texts(value),
        }
    }
}

/// Writes a document to its place, at once: nobody reads a part of it.
fn write(folder: &Path, document: NewDocument) -> Result<PathBuf, Failure> {
    let NewDocument { address, version, schemas } = document;
    let place = folder.join(&address);
    let path = place.join(format!("{version}.json.zst"));
    let failure = |error| Failure::Io { what: path.display().to_string(), error };
    let whole = Map::from_iter([
        ("format_version".to_owned(), Value::from("1.0")),
        ("provider_schemas".to_owned(), Value::Object(Map::from_iter([(address, schemas)]))),
    ]);
    let text = serde_json::to_string(&whole).map_err(|error| failure(error.into()))?;
    if text.len() as u64 > MAX_DOCUMENT_BYTES {
        let why = format!("the document is over the limit of {MAX_DOCUMENT_BYTES} bytes");
        return Err(Failure::Message(format!("{}: {why}", path.display())));
    }
    let packed = zstd::encode_all(text.as_bytes(), LEVEL).map_err(failure)?;
    fs::create_dir_all(&place).map_err(failure)?;
    let new = place.join(format!(".{version}.json.zst.new"));
    fs::write(&new, packed).and_then(|()| fs::rename(&new, &path)).map_err(failure)?;
    Ok(path)
}

fn list(args: &ListArgs) -> Result<Outcome, Failure> {
    let place = &args.provider_schemas;
    SchemaFolder::check(place).map_err(|error| Failure::Io { what: place.display().to_string(), error })?;
    let stored = SchemaStore::new(SchemaFolder::new(place.clone())).now();
    let mut problems = stored.listing().problems.clone();
    let mut out = String::new();
    let row = |out: &mut String, address: &str, version: &str, document: &ProviderSchemas| -> Option<()> {
        let provider = document.provider(address)?;
        let count = |mode| provider.type_names(mode).count();
        let (resources, data) = (count(ResourceMode::Managed), count(ResourceMode::Data));
        let _ = writeln!(out, "{address} {version}: {resources} resource types, {data} data sources");
        Some(())
    };
    let documents = stored.listing().providers.iter();
    for (address, file) in documents.flat_map(|(address, files)| files.iter().map(move |file| (address, file))) {
        match stored.read(file) {
            Ok(document) => {
                if row(&mut out, address, &file.version, &document).is_none() {
                    problems.push(format!("{}: there are no schemas of {address} in the document", file.path));
                }
            }
            Err(error) => problems.push(format!("{}: {error}", file.path)),
        }
    }
    if let Some(file) = &stored.listing().document {
        match stored.read(file) {
            Ok(document) => {
                for address in document.addresses() {
                    row(&mut out, address, "of an unknown version", &document);
                }
            }
            Err(error) => problems.push(error.to_string()),
        }
    }
    print(out.as_bytes())?;
    for problem in &problems {
        complain(&format!("overfold: {problem}"));
    }
    Ok(if problems.is_empty() { Outcome::Fine } else { Outcome::Errors })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_texts_for_people_are_removed() {
        let mut schemas = serde_json::json!({
            "resource_schemas": {"a_b": {"version": 1, "block": {
                "description": "a block", "description_kind": "plain",
                "attributes": {
                    "description": {"type": "string", "description": "an attribute", "optional": true},
                    "rules": {"type": ["list", ["object", {"description": "string"}]], "description_kind": "plain"},
                    "type": {"type": "string", "description": "a type"},
                },
                "block_types": {"summary": {"nesting_mode": "list", "block": {"description": "x"}}},
            }}},
            "functions": {"f": {"summary": "s", "return_type": "string",
                "parameters": [{"name": "p", "description": "d", "type": "string"}]}},
        });
        remove_texts(&mut schemas);
        let expected = serde_json::json!({
            "resource_schemas": {"a_b": {"version": 1, "block": {
                "attributes": {
                    "description": {"type": "string", "optional": true},
                    "rules": {"type": ["list", ["object", {"description": "string"}]]},
                    "type": {"type": "string"},
                },
                "block_types": {"summary": {"nesting_mode": "list", "block": {}}},
            }}},
            "functions": {"f": {"return_type": "string", "parameters": [{"name": "p", "type": "string"}]}},
        });
        assert_eq!(schemas, expected);
    }

    #[test]
    fn an_address_is_a_path_of_three_plain_names() {
        assert!(is_address("registry.terraform.io/hashicorp/aws"));
        for wrong in ["hashicorp/aws", "a/b/c/d", "../b/c", "a//c", ".a/b/c", "a/b/c d"] {
            assert!(!is_address(wrong), "{wrong}");
        }
    }
}
