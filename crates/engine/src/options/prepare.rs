//! Converts options to a request for the pipeline: fills in defaults, and checks values.

use std::sync::Arc;

use crate::json;
use crate::limits::RequestLimits;
use crate::options::{ConfigFormat, Dialect, MergeOptions, Part, SchemaText, VariableArg, Variables, severities};
use crate::refusal::{Refusal, RefusalKind};
use crate::workspace::is_workspace_name;
use crate::{PreparedRequest, TreeOptions};
use overfold_base::account;
use overfold_base::echo::short;
use overfold_base::files::ModulePath;
use overfold_dialect as dialect;
use overfold_model::schema::ProviderSchemas;
use overfold_module::pipeline::{self, ToolStage};
use overfold_module::plan::PlanOptions;
use overfold_module::plan::ProviderDefaults;
use overfold_output::{AnswerOptions, Include, LinkBase, PlanAnswerOptions, ReportOptions};

/// Checks the options of a request.
///
/// # Errors
/// Refuses a value that is not valid, options that contradict each other, and schemas that cannot be read.
pub(crate) fn prepare(options: MergeOptions, limits: &RequestLimits) -> Result<PreparedRequest, Refusal> {
    refuse_impossible(&options)?;
    let tree = tree(&options, limits)?;
    let dialect = options.dialect.unwrap_or(Dialect::Terraform);
    let stage = stage(options.stage, dialect)?;
    let resolve = resolve(&options, dialect, limits)?.map(Arc::new);
    // Taken apart by name, so that a new option does not compile until it is read.
    let MergeOptions {
        version,
        root,
        variables,
        include,
        config_format,
        expand,
        config_file,
        provider_schemas,
        provider_checks,
        reveal_sensitive,
        path_prefix,
        link_base,
        fail_on,
        severities,
        strip_components,
        // Read above.
        dialect: _,
        recursive: _,
        paths: _,
        resolve: _,
        workspace: _,
        stage: _,
    } = options;
    let variables = variables.map(|given| self::variables(given, limits)).transpose()?.map(Arc::new);
    let parsed = |text: Option<String>, parse: fn(&str, &RequestLimits) -> Result<String, Refusal>| {
        text.map(|text| parse(&text, limits)).transpose()
    };
    Ok(PreparedRequest {
        request: pipeline::Request {
            dialect: dialect.name().to_owned(),
            version,
            version_from: None,
            version_files: Arc::from([]),
            root: parsed(root, self::root)?.unwrap_or_default(),
            config_file: parsed(config_file, self::config_file)?,
            variables,
            expand,
            reveal_sensitive,
            severities: self::severities(severities.as_deref().unwrap_or_default())?,
            stage,
            provider_schemas: provider_schemas.map(self::provider_schemas).transpose()?,
            stored_schemas: None,
            provider_checks: provider_checks.unwrap_or_default(),
            plan: None,
            resolve,
            called_with: None,
        },
        answer: AnswerOptions {
            include: self::include(include.as_deref().unwrap_or(&[Part::Config])),
            config_format,
        },
        plan: PlanAnswerOptions::default(),
        reports: ReportOptions {
            path_prefix: parsed(path_prefix, prefix)?.unwrap_or_default(),
            fails_from: fail_on.unwrap_or_default(),
            unchecked_is_said: false,
        },
        link_base: link_base.as_deref().map(self::link_base).transpose()?,
        fail_on,
        tree,
        upgrade: None,
        strip_components,
    })
}

/// Returns how far problems are looked for.
///
/// # Errors
/// Refuses a stage that the dialect does not have.
fn stage(asked: Option<ToolStage>, dialect: Dialect) -> Result<ToolStage, Refusal> {
    let has_validate = dialect::rows(dialect.name()).is_some_and(|spec| spec.validate.is_some());
    let furthest = if has_validate { ToolStage::Validate } else { ToolStage::Load };
    match asked {
        Some(ToolStage::Validate) if furthest == ToolStage::Load => {
            let (asked, known) = (ToolStage::Validate.name(), ToolStage::Load.name());
            let why = format!("stage is {asked:?}, but the dialect {} has only the stage {known:?}", dialect.name());
            Err(Refusal::new(RefusalKind::BadOption, why).at("/stage"))
        }
        asked => Ok(asked.unwrap_or(furthest)),
    }
}

/// Returns how the values are computed that replace expressions; `None` if nothing is replaced.
///
/// # Errors
/// Refuses it without variables, and for a dialect whose expressions are not evaluated.
fn resolve(options: &MergeOptions, dialect: Dialect, limits: &RequestLimits) -> Result<Option<PlanOptions>, Refusal> {
    let workspace = options.workspace.as_deref().map(|text| workspace(text, limits)).transpose()?;
    if !options.resolve {
        return Ok(None);
    }
    let refuse = |why: String| Err(Refusal::new(RefusalKind::BadOption, format!("resolve: {why}")).at("/resolve"));
    if dialect::find(dialect.name(), None).is_ok_and(|spec| spec.validate.is_none()) {
        return refuse(format!("the expressions of the dialect {} are not evaluated; leave it out", dialect.name()));
    }
    if options.variables.is_none() {
        return refuse(
            "expressions have values only if variables have; send variables, even as {} (on the command line: --values)"
                .to_owned(),
        );
    }
    let (max_instances, max_depth) = (limits.max_instances, limits.max_module_depth);
    // A value that replaces an expression must not rest on what a provider may fill in.
    let provider_defaults = ProviderDefaults::Unknown;
    Ok(Some(PlanOptions { workspace, provider_defaults, max_instances, max_depth, ..PlanOptions::default() }))
}

/// Checks the name of a workspace.
///
/// # Errors
/// Refuses a name that no workspace can have.
pub(crate) fn workspace(text: &str, limits: &RequestLimits) -> Result<Arc<str>, Refusal> {
    check_name(text, "workspace", "/workspace", limits)?;
    if is_workspace_name(text) {
        return Ok(Arc::from(text));
    }
    let why = format!(
        "workspace is {:?}, which is not a valid name: it must not be empty, and must not contain \
        characters that need escapes in a URL",
        short(text)
    );
    Err(Refusal::new(RefusalKind::BadOption, why).at("/workspace"))
}

/// Reads the schemas of providers.
///
/// # Errors
/// Refuses schemas that are not of the form that `terraform providers schema -json` prints.
fn provider_schemas(given: SchemaText) -> Result<Arc<ProviderSchemas>, Refusal> {
    let unreadable = |error| Refusal::new(RefusalKind::SchemaUnreadable, format!("provider_schemas: {error}"));
    given.read().map_err(|error| unreadable(error).at("/provider_schemas"))
}

/// Refuses combinations of options that contradict each other: an expansion produces blocks that are in no file.
fn refuse_impossible(options: &MergeOptions) -> Result<(), Refusal> {
    if options.expand && options.config_format == ConfigFormat::Files {
        let why = "config_format \"files\" folds override files into the files as they were sent, but expand creates blocks that are in none of them; use \"hcl\" or \"tf-json\", or leave expand out";
        return Err(Refusal::new(RefusalKind::FormImpossible, why).at("/config_format"));
    }
    Ok(())
}

/// Returns what `recursive` and its related options ask for.
fn tree(options: &MergeOptions, limits: &RequestLimits) -> Result<Option<TreeOptions>, Refusal> {
    let calls = options.include.as_ref().is_some_and(|parts| parts.contains(&Part::Calls));
    let refuse = |name: &str, why: &str| {
        Err(Refusal::new(RefusalKind::BadOption, format!("{name}: {why}")).at(format!("/{name}")))
    };
    if !options.recursive {
        return match (&options.paths, calls) {
            (Some(_), _) => refuse("paths", "can be used only with recursive"),
            (None, true) => refuse("include", "calls can be used only with recursive"),
            (None, false) => Ok(None),
        };
    }
    if options.config_file.is_some() {
        return refuse("config_file", "names a single file, but recursive reads directories");
    }
    let path = |(index, text): (usize, &String)| {
        let pointer = format!("/paths/{index}");
        check_length(text, "a path in paths", &pointer, limits)?;
        let path = ModulePath::parse(text.strip_prefix("./").unwrap_or(text));
        path.map(|path| path.as_str().to_owned()).map_err(|error| {
            Refusal::new(RefusalKind::BadPath, format!("paths contains {:?}: {error}", short(text))).at(pointer)
        })
    };
    // No more than these have been kept.
    let most = limits.max_entries.min(RequestLimits::HIGHEST_ENTRIES);
    if options.paths.as_ref().is_some_and(|paths| paths.len() as u64 > most) {
        return Err(Refusal::over_limit("the number of paths", "max-entries", most).at("/paths"));
    }
    let paths = options.paths.as_ref().map(|paths| paths.iter().enumerate().map(path).collect::<Result<_, _>>());
    Ok(Some(TreeOptions { paths: paths.transpose()?, calls, roots: None }))
}

fn include(parts: &[Part]) -> Include {
    let has = |part| parts.contains(&part);
    Include {
        config: has(Part::Config),
        objects: has(Part::Objects),
        variables: has(Part::Variables),
        files: has(Part::Files),
        overrides: has(Part::Overrides),
    }
}

/// Checks the length of a path, or of a name, which is called `what` in the message.
///
/// # Errors
/// Refuses one that is over the limit on paths.
pub(crate) fn check_length(text: &str, what: &str, pointer: &str, limits: &RequestLimits) -> Result<(), Refusal> {
    account::touch(text.len());
    // No more than this has been kept of a longer text.
    let most = limits.max_path_bytes.min(RequestLimits::HIGHEST_PATH_BYTES);
    if text.len() as u64 > most {
        return Err(Refusal::over_limit(what, "max-path-bytes", most).at(pointer));
    }
    Ok(())
}

/// Checks the length of a name, or of an address made of names, which is called `what` in the message.
///
/// # Errors
/// Refuses one that is over the limit on names.
pub(crate) fn check_name(text: &str, what: &str, pointer: &str, limits: &RequestLimits) -> Result<(), Refusal> {
    account::touch(text.len());
    // No more than this has been kept of a longer text.
    let most = u64::from(limits.max_name_bytes).min(RequestLimits::HIGHEST_NAME_BYTES);
    if text.len() as u64 > most {
        return Err(Refusal::over_limit(what, "max-name-bytes", most).at(pointer));
    }
    Ok(())
}

/// Parses the module directory; `""` is the top of the files.
fn root(text: &str, limits: &RequestLimits) -> Result<String, Refusal> {
    check_length(text, "root", "/root", limits)?;
    ModulePath::parse_folder(text).map_err(|error| {
        Refusal::new(RefusalKind::BadPath, format!("root is {:?}: {error}", short(text))).at("/root")
    })
}

/// Parses the prefix of file names; `""` for none.
fn prefix(text: &str, limits: &RequestLimits) -> Result<String, Refusal> {
    if text.is_empty() {
        return Ok(String::new());
    }
    check_length(text, "path_prefix", "/path_prefix", limits)?;
    ModulePath::parse_folder(text).map_err(|error| {
        Refusal::new(RefusalKind::BadPath, format!("path_prefix is {:?}: {error}", short(text))).at("/path_prefix")
    })
}

/// Parses the address of the files.
fn link_base(text: &str) -> Result<LinkBase, Refusal> {
    account::touch(text.len());
    LinkBase::parse(text).map_err(|why| {
        let why = format!("link_base is {:?}, which is not an address of files: {why}", short(text));
        Refusal::new(RefusalKind::BadOption, why).at("/link_base")
    })
}

/// Parses the path of the single file to read, relative to the module directory.
fn config_file(text: &str, limits: &RequestLimits) -> Result<String, Refusal> {
    check_length(text, "config_file", "/config_file", limits)?;
    match ModulePath::parse(text.strip_prefix("./").unwrap_or(text)) {
        Ok(path) => Ok(path.as_str().to_owned()),
        Err(error) => Err(Refusal::new(RefusalKind::BadPath, format!("config_file is {:?}: {error}", short(text)))
            .at("/config_file")),
    }
}

pub(crate) fn variables(variables: Variables, limits: &RequestLimits) -> Result<pipeline::VariableInputs, Refusal> {
    let most = limits.max_variables.min(RequestLimits::HIGHEST_VARIABLES);
    if (variables.env.0.len() + variables.args.len()) as u64 > most {
        return Err(Refusal::over_limit("the number of variables", "max-variables", most));
    }
    for name in variables.env.0.keys() {
        check_name(name, "the name of an environment variable", "/variables/env", limits)?;
    }
    let args = variables.args.into_iter().enumerate().map(|(index, arg)| argument(index, arg, limits));
    Ok(pipeline::VariableInputs { env: variables.env.0.into_iter().collect(), args: args.collect::<Result<_, _>>()? })
}

fn argument(index: usize, arg: VariableArg, limits: &RequestLimits) -> Result<pipeline::VariableArg, Refusal> {
    use pipeline::VariableArg as Arg;
    match arg {
        VariableArg { var: Some(text), var_file: None, name: None, value: None } => {
            let name = text.split_once('=').map_or(text.as_str(), |(name, _)| name);
            check_name(name, "the name of a variable", &format!("/variables/args/{index}/var"), limits)?;
            Ok(Arg::Var(text))
        }
        VariableArg { var: None, var_file: Some(path), name: None, value: None } => {
            check_length(&path, "var_file", &format!("/variables/args/{index}/var_file"), limits)?;
            Ok(Arg::VarFile(path))
        }
        VariableArg { var: None, var_file: None, name: Some(name), value: Some(value) } => {
            check_name(&name, "the name of a variable", &format!("/variables/args/{index}/name"), limits)?;
            json::check_value(value.get(), limits.max_syntax_depth, &format!("/variables/args/{index}/value"))?;
            account::room(value.get().len());
            Ok(Arg::Value { name, json: Box::<str>::from(value).into() })
        }
        _ => Err(Refusal::new(
            RefusalKind::BadOption,
            "an entry of args must contain exactly one of var, var_file, and name together with value",
        )
        .at(format!("/variables/args/{index}"))),
    }
}
