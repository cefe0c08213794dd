//! `overfold submit`: fills a queue with requests.

use std::collections::HashSet;
use std::fs;
use std::io::{self, BufRead as _, IsTerminal as _};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use clap::Args;
use clap::builder::NonEmptyStringValueParser;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};
use serde::Deserialize;

use super::{Failure, Outcome, archive, complain, print, queue_runtime};
use crate::api::JobRoute;
use crate::queue::{Queue, Source, Submission, Submitted};
use crate::settings::{LimitSettings, QueueSettings, run_name};

/// What to submit.
#[derive(Args, Debug)]
pub(super) struct SubmitArgs {
    /// Name of the run, by which `overfold collect` finds the answers; use the same name again to resume a run
    #[arg(long, env = "OVERFOLD_RUN", value_name = "NAME", value_parser = run_name)]
    run: String,
    /// Folders and archive files (tar, tar.gz, tar.zst, zip), a module directory each
    paths: Vec<PathBuf>,
    /// A file with more of them, `-` for standard input: on each line a path, or a JSON object with `path` and perhaps `id` and
    /// `repository`; for `plan-diff` also with `before`, what `path` is compared with
    #[arg(long, env = "OVERFOLD_LIST", value_name = "FILE")]
    list: Option<PathBuf>,
    /// Which route answers
    #[arg(long, env = "OVERFOLD_ROUTE", value_enum, default_value_t = JobRoute::Merge, value_name = "ROUTE")]
    route: JobRoute,
    /// An option of the request, as in the query string of the route, such as `stage=load`; may be repeated
    #[arg(long, env = "OVERFOLD_OPTION", value_name = "NAME=VALUE", value_parser = NonEmptyStringValueParser::new())]
    option: Vec<String>,
    #[command(flatten)]
    queue: QueueSettings,
    #[command(flatten)]
    limits: LimitSettings,
}

/// A line of the list.
#[derive(Deserialize, Debug)]
#[serde(deny_unknown_fields)]
struct ListLine {
    path: PathBuf,
    /// The other side of a comparison.
    before: Option<PathBuf>,
    id: Option<String>,
    repository: Option<String>,
}

impl From<PathBuf> for ListLine {
    fn from(path: PathBuf) -> Self {
        Self { path, before: None, id: None, repository: None }
    }
}

/// Submits the requests, and prints how many there are.
///
/// # Errors
/// Fails if an option is not valid, the list cannot be read, or the server does not answer.
pub(super) fn run(args: SubmitArgs) -> Result<Outcome, Failure> {
    let query = query_of(&args.option)?;
    args.route.check(&query, &args.limits).map_err(|why| Failure::Message(format!("--option: {why}")))?;
    let mut listed: Vec<ListLine> = args.paths.into_iter().map(ListLine::from).collect();
    if let Some(file) = &args.list {
        read_list(file, &mut listed)?;
    }
    if listed.is_empty() {
        return Err(Failure::Message(
            "nothing to submit: name folders or archive files, or a --list of them".to_owned(),
        ));
    }
    let limits = args.limits.source();
    let mut ids = HashSet::new();
    let mut sources = Vec::with_capacity(listed.len());
    let two = args.route.has_two_sides();
    let options = if two { JobRoute::options_in_body(&query) } else { Ok(String::new()) };
    let options: Arc<str> = options.map_err(|why| Failure::Message(format!("--option: {why}")))?.into();
    for ListLine { path, before, id, repository } in listed {
        let id = id.unwrap_or_else(|| path.to_string_lossy().trim_end_matches('/').to_owned());
        if !ids.insert(id.clone()) {
            return Err(Failure::Message(format!(
                "{id:?} is submitted twice; an id must be unique within a run, and --list can give another one"
            )));
        }
        let repository = repository.or_else(|| repository_of(&path)).unwrap_or_else(|| id.clone());
        if before.is_some() != two {
            let need = if two { "needs `before` in --list" } else { "takes no `before`" };
            return Err(Failure::Message(format!("{id:?}: this route {need}")));
        }
        let options = Arc::clone(&options);
        let read = move || {
            let packed = match before {
                Some(before) => archive::pair(&before, &path, &options, &limits),
                None => archive::pack(&path, &limits).map(|(media_type, bytes)| (media_type.to_owned(), bytes)),
            };
            packed.map_err(|error| error.to_string())
        };
        sources.push(Source { id, repository, read });
    }
    let bar = bar(sources.len());
    let query = if two { String::new() } else { query };
    let submission = Submission { run: args.run, route: args.route, query };
    let submitted = queue_runtime()?.block_on(async {
        let queue = Queue::open(&args.queue, None).await?;
        queue.submit(&submission, sources.into_iter(), || bar.inc(1)).await
    });
    bar.finish_and_clear();
    let submitted = submitted.map_err(|error| Failure::Message(error.to_string()))?;
    for (id, why) in &submitted.failed {
        complain(&format!("overfold: {id}: {why}"));
    }
    let Submitted { new, answered, known, failed } = submitted;
    let failed = failed.len();
    print(
        format!("{new} submitted, {answered} already answered, {known} already submitted, {failed} unreadable\n")
            .as_bytes(),
    )?;
    Ok(if failed == 0 { Outcome::Fine } else { Outcome::Errors })
}

/// Returns a progress bar on standard error, which shows nothing unless that is a terminal.
pub(super) fn bar(length: usize) -> ProgressBar {
    let target = if io::stderr().is_terminal() { ProgressDrawTarget::stderr() } else { ProgressDrawTarget::hidden() };
    let bar = ProgressBar::with_draw_target(Some(length as u64), target);
    // The template is a constant; the default one would do as well.
    match ProgressStyle::with_template("{wide_bar} {pos}/{len} {per_sec} {eta}") {
        Ok(style) => bar.with_style(style),
        Err(_) => bar,
    }
}

/// Returns the query string with these options.
fn query_of(options: &[String]) -> Result<String, Failure> {
    let mut query = String::new();
    for option in options {
        let Some((name, value)) = option.split_once('=') else {
            return Err(Failure::Message(format!("--option {option}: it must be NAME=VALUE, such as stage=load")));
        };
        query.push_str(if query.is_empty() { "" } else { "&" });
        query.extend(utf8_percent_encode(name, NON_ALPHANUMERIC));
        query.push('=');
        query.extend(utf8_percent_encode(value, NON_ALPHANUMERIC));
    }
    Ok(query)
}

/// Reads a list of paths.
fn read_list(file: &Path, into: &mut Vec<ListLine>) -> Result<(), Failure> {
    let failure = |error| Failure::Io { what: file.display().to_string(), error };
    let lines: Box<dyn io::BufRead> = if file.as_os_str() == "-" {
        Box::new(io::stdin().lock())
    } else {
        Box::new(io::BufReader::new(fs::File::open(file).map_err(failure)?))
    };
    for (number, line) in lines.lines().enumerate() {
        let line = line.map_err(failure)?;
        let text = line.trim();
        if text.is_empty() {
            continue;
        }
        into.push(if text.starts_with('{') {
            let wrong = |error| Failure::Message(format!("{}:{}: {error}", file.display(), number + 1));
            serde_json::from_str(text).map_err(wrong)?
        } else {
            ListLine::from(PathBuf::from(text))
        });
    }
    Ok(())
}

/// Returns the name of the folder at or above this path that is a working tree of Git.
fn repository_of(path: &Path) -> Option<String> {
    let place = fs::canonicalize(path).ok()?;
    let top = place.ancestors().find(|folder| folder.join(".git").exists())?;
    Some(top.file_name()?.to_string_lossy().into_owned())
}
