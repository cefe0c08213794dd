//! Rules as documents, in the folders of `tests/rules`. Each heading with an answer, or with a table of answers, is a test.
//!
//! - A fenced block with a path behind its language is a file; `before: PATH` and `after: PATH` are those of the sides of
//!   a comparison. Files and options hold for the headings below, too, where they can be replaced (a `null` removes an
//!   option).
//! - `json options` are the members of the request, and three of the test: `route`; `at`, a list of `DIALECT VERSION`,
//!   with each of which the answer must be the same; and `show`, the parts of the answer that are compared in addition
//!   to the findings (see [`Shown`]).
//! - `text answer` is the answer, as [`render`] puts it. `OVERFOLD_GOLDEN=write` writes those that differ.
//! - In a table, each row is a request. A cell replaces `{{COLUMN}}` in files and options; without that, it is the file or
//!   the option that its column names, unless it is empty. `⏎` ends a line. The last column is the answer.

mod document;
mod render;

use std::fmt::Write as _;
use std::path::Path;
use std::sync::{Mutex, PoisonError};

use axum::body::Body;
use axum::http::{
    Request, StatusCode,
    header::{CONTENT_TYPE, HOST},
};
use http_body_util::BodyExt as _;
use libtest_mimic::Failed;
use overfold_cli::api::{AppState, router};
use overfold_cli::settings::Settings;
use serde_json::{Map, Value, json};
use tower::ServiceExt as _;

use document::{Case, Document};
use render::{Shown, render};

use super::runner::Trial;

/// Held while a document is written.
static WRITING: Mutex<()> = Mutex::new(());

/// Adds a trial for each case of each document.
pub(crate) fn add(trials: &mut Vec<Trial>) {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/rules");
    let mut paths = Vec::new();
    for subject in std::fs::read_dir(&root).expect("tests/rules is there") {
        let subject = subject.expect("a folder can be read").path();
        if subject.is_dir() {
            let files = std::fs::read_dir(&subject).expect("a folder can be read");
            paths.extend(files.map(|file| file.expect("a folder can be read").path()));
        }
    }
    paths.retain(|path| path.extension().is_some_and(|end| end == "md"));
    paths.sort();
    for path in paths {
        let name = path.strip_prefix(&root).expect("below the root").with_extension("").display().to_string();
        let document = Document::parse(&std::fs::read_to_string(&path).expect("a document can be read"));
        let document = document.unwrap_or_else(|why| panic!("{}: {why}", path.display()));
        for (at, case) in document.cases().into_iter().enumerate() {
            let path = path.clone();
            trials.push(Trial::test(format!("rules/{name}/{}", case.name), move || check(&path, at, &case)));
        }
    }
}

fn check(path: &Path, at: usize, case: &Case) -> Result<(), Failed> {
    let mut answers = Vec::new();
    for row in &case.rows {
        answers.push(answer(&row.options, case.is_table)?);
    }
    let differing: Vec<usize> = (0..answers.len()).filter(|&row| answers[row] != case.rows[row].answer).collect();
    if differing.is_empty() {
        return Ok(());
    }
    if std::env::var("OVERFOLD_GOLDEN").is_ok_and(|word| word == "write") {
        let _held = WRITING.lock().unwrap_or_else(PoisonError::into_inner);
        let text = std::fs::read_to_string(path)?;
        let document = Document::parse(&text)?;
        std::fs::write(path, document.with_answers(at, &answers))?;
        return Ok(());
    }
    let mut message = String::new();
    for row in differing {
        let (expected, found) = (&case.rows[row].answer, &answers[row]);
        let name = &case.rows[row].name;
        write!(message, "{name}\nexpected:\n{expected}\nanswer:\n{found}\n\n")
            .expect("writing to a string never fails");
    }
    Err(message.into())
}

/// Returns the answer to a request, which must be the same at each version.
fn answer(options: &Value, in_table: bool) -> Result<String, Failed> {
    let mut body = options.clone();
    let members = body.as_object_mut().ok_or("the options are an object")?;
    let shown = Shown::of(members.remove("show").as_ref());
    let route = members.remove("route").unwrap_or(json!("/v1/merge"));
    let route = route.as_str().ok_or("a route is a text")?;
    if route.starts_with("/v1/merge") && !members.contains_key("include") {
        members.insert("include".to_owned(), json!(shown.included()));
    }
    let at = members.remove("at");
    let all = at.as_ref().and_then(Value::as_array).map_or(&[][..], Vec::as_slice);
    let mut answers = Vec::new();
    if all.is_empty() {
        answers.push((String::new(), ask(route, &body, &shown, in_table)?));
    }
    for one in all {
        let one = one.as_str().ok_or("`at` is a list of texts")?;
        let (dialect, version) = match one.split_once(' ') {
            Some((dialect, version)) => (Some(dialect), Some(version)),
            None if one.starts_with(|c: char| c.is_ascii_digit()) => (None, Some(one)),
            None => (Some(one), None),
        };
        set(&mut body, "dialect", dialect);
        set(&mut body, "version", version);
        answers.push((one.to_owned(), ask(route, &body, &shown, in_table)?));
    }
    let (_, first) = answers[0].clone();
    match answers.iter().find(|(_, other)| *other != first) {
        None => Ok(first),
        Some((one, other)) => {
            Err(format!("the answer at {one} is another one:\n{other}\ninstead of:\n{first}").into())
        }
    }
}

/// Sets a member of the request, or of both sides of a comparison.
fn set(body: &mut Value, name: &str, value: Option<&str>) {
    let Some(value) = value else { return };
    if body.get("before").is_some() && body.get("after").is_some() {
        body["before"][name] = json!(value);
        body["after"][name] = json!(value);
    } else {
        body[name] = json!(value);
    }
}

fn ask(route: &str, body: &Value, shown: &Shown, in_table: bool) -> Result<String, Failed> {
    let request = Request::post(route)
        .header(HOST, "localhost")
        .header(CONTENT_TYPE, "application/json")
        .body(Body::from(body.to_string()))
        .expect("a request");
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let (status, bytes) = runtime.block_on(async {
        let response = router(&AppState::new(Settings::for_testing())).oneshot(request).await.expect("an answer");
        let status = response.status();
        (status, response.into_body().collect().await.expect("a body").to_bytes())
    });
    let lines = match serde_json::from_slice::<Map<String, Value>>(&bytes) {
        Ok(answer) => render(status.as_u16(), &Value::Object(answer), shown, in_table),
        Err(_) if status == StatusCode::OK => vec![std::str::from_utf8(&bytes)?.trim_end().to_owned()],
        Err(_) => return Err(format!("status {status}").into()),
    };
    Ok(lines.join(if in_table { " ⏎ " } else { "\n" }))
}
