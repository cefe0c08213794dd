//! Converts the options of a plan: fills in defaults, and checks values.

use std::sync::Arc;

use crate::input::{PreparedRequest, RootOptions};
use crate::json;
use crate::limits::RequestLimits;
use crate::options::prepare::{self, check_length, check_name, prepare, workspace};
use crate::options::{
    Assumed, Dialect, MergeOptions, MissingFiles, ModuleSource, PlanOptions, PlanPart, RootModule, UnsetVariables,
};
use crate::refusal::{Refusal, RefusalKind};
use overfold_base::account;
use overfold_base::echo::short;
use overfold_base::files::ModulePath;
use overfold_base::versions::Version;
use overfold_dialect as dialect;
use overfold_eval::{self as eval, MissingFile, functions};
use overfold_model::language::addresses;
use overfold_model::language::module_source::{self, SourceKind};
use overfold_model::language::references::ResourceMode;
use overfold_module::plan;
use overfold_output::PlanAnswerOptions;
use overfold_value::Value;

/// Checks the options of a plan.
///
/// # Errors
/// Refuses a value that is not valid, a dialect without plans, what is not implemented yet, and schemas that cannot be
/// read.
pub(crate) fn prepare_plan(options: PlanOptions, limits: &RequestLimits) -> Result<PreparedRequest, Refusal> {
    let dialect = options.dialect.unwrap_or(Dialect::Terraform);
    check_has_plans(dialect.name()).map_err(|refusal| refusal.at("/dialect"))?;
    // Taken apart by name, so that a new option does not compile until it is read.
    let PlanOptions {
        version,
        root,
        variables,
        unset_variables,
        missing_files,
        module_sources,
        provider_schemas,
        provider_checks,
        provider_defaults,
        assume,
        emulate,
        workspace,
        timestamp,
        cwd,
        include,
        reveal_sensitive,
        path_prefix,
        link_base,
        fail_on,
        severities,
        strip_components,
        // Read above.
        dialect: _,
        // What follows is about a tree.
        recursive,
        roots,
        paths,
    } = options;
    let parts = include.as_deref().unwrap_or(&[PlanPart::Plan]);
    let answer =
        PlanAnswerOptions { plan: parts.contains(&PlanPart::Plan), instances: parts.contains(&PlanPart::Instances) };
    let made = plan::PlanOptions {
        unset_is_unknown: unset_variables == Some(UnsetVariables::Unknown),
        missing_file: match missing_files.unwrap_or_default() {
            MissingFiles::Error => MissingFile::Error,
            MissingFiles::Unknown => MissingFile::Unknown,
        },
        provider_defaults: provider_defaults.unwrap_or_default(),
        module_sources: self::module_sources(module_sources.unwrap_or_default(), limits)?,
        assumed: assumed(assume.unwrap_or_default(), limits)?,
        emulated: emulate.unwrap_or_default(),
        workspace: workspace.as_deref().map(|text| self::workspace(text, limits)).transpose()?,
        timestamp: timestamp.as_deref().map(self::timestamp).transpose()?,
        cwd: cwd.as_deref().map(|text| self::cwd(text, limits)).transpose()?,
        max_instances: limits.max_instances,
        max_depth: limits.max_module_depth,
        with_arguments: answer.instances,
        with_needs: answer.instances,
        with_origins: false,
    };
    let common = MergeOptions {
        dialect: Some(dialect),
        version,
        root,
        variables: Some(variables.unwrap_or_default()),
        provider_schemas,
        provider_checks,
        reveal_sensitive,
        path_prefix,
        link_base,
        fail_on,
        severities,
        strip_components,
        recursive,
        paths,
        ..MergeOptions::default()
    };
    if roots.is_some() && !recursive {
        return Err(Refusal::new(RefusalKind::BadOption, "roots: can be used only with recursive").at("/roots"));
    }
    let roots = roots.map(|roots| root_modules(roots, limits)).transpose()?;
    let mut prepared = prepare(common, limits)?;
    if let Some(tree) = &mut prepared.tree {
        tree.roots = roots;
    }
    prepared.request.plan = Some(Arc::new(made));
    prepared.plan = answer;
    Ok(prepared)
}

/// Refuses a dialect without plans.
pub(super) fn check_has_plans(dialect: &str) -> Result<(), Refusal> {
    let has_plans = |name: &str| dialect::find(name, None).is_ok_and(|spec| spec.validate.is_some());
    if has_plans(dialect) {
        return Ok(());
    }
    let known: Vec<&str> = dialect::names().filter(|name| has_plans(name)).collect();
    let why = format!("dialect {dialect} has no plans; plans are made for {}", known.join(" and "));
    Err(Refusal::new(RefusalKind::PlanNotForDialect, why))
}

/// Checks which root modules are planned. Whether the directories are there is only known once the files have been read.
fn root_modules(roots: Vec<RootModule>, limits: &RequestLimits) -> Result<Arc<[RootOptions]>, Refusal> {
    // No more than these have been kept.
    let most = limits.max_entries.min(RequestLimits::HIGHEST_ENTRIES);
    if roots.len() as u64 > most {
        return Err(Refusal::over_limit("the number of root modules", "max-entries", most).at("/roots"));
    }
    let mut known = std::collections::BTreeSet::new();
    let root = |(index, RootModule { path, variables, workspace }): (usize, RootModule)| {
        let within = |refusal: Refusal| refusal.below(&format!("/roots/{index}"));
        check_length(&path, "a path in roots", &format!("/roots/{index}/path"), limits)?;
        let parsed = ModulePath::parse_folder(&path).map_err(|error| {
            let why = format!("roots has the path {:?}: {error}", short(&path));
            Refusal::new(RefusalKind::BadPath, why).at(format!("/roots/{index}/path"))
        })?;
        let path: Arc<str> = Arc::from(parsed);
        if !known.insert(Arc::clone(&path)) {
            let why = format!("roots names the directory {:?} twice", short(&path));
            return Err(Refusal::new(RefusalKind::DuplicateKey, why).at(format!("/roots/{index}/path")));
        }
        let variables = variables.map(|given| prepare::variables(given, limits)).transpose().map_err(within)?;
        let workspace = workspace.as_deref().map(|text| self::workspace(text, limits)).transpose().map_err(within)?;
        account::grow((path.len() + size_of::<RootOptions>()) as u64);
        Ok(RootOptions { path, variables: variables.map(Arc::new), workspace })
    };
    roots.into_iter().enumerate().map(root).collect()
}

/// Checks where modules lead. Whether the directories are there is only known once the files have been read.
fn module_sources(sources: Vec<ModuleSource>, limits: &RequestLimits) -> Result<Vec<plan::ModuleSource>, Refusal> {
    // No more than these have been kept.
    let most = limits.max_entries.min(RequestLimits::HIGHEST_ENTRIES);
    if sources.len() as u64 > most {
        return Err(Refusal::over_limit("the number of module sources", "max-entries", most).at("/module_sources"));
    }
    sources.into_iter().enumerate().map(|(index, source)| module_source(index, &source, limits)).collect()
}

fn module_source(index: usize, given: &ModuleSource, limits: &RequestLimits) -> Result<plan::ModuleSource, Refusal> {
    let ModuleSource { source, version, path } = given;
    let pointer = |field: &str| format!("/module_sources/{index}/{field}");
    let wrong = |field: &str, why: String| Err(Refusal::new(RefusalKind::BadOption, why).at(pointer(field)));
    check_name(source, "a source in module_sources", &pointer("source"), limits)?;
    check_length(path, "a path in module_sources", &pointer("path"), limits)?;
    match module_source::parse(source) {
        Ok(SourceKind::Registry | SourceKind::Remote) => {}
        Ok(SourceKind::Local) => {
            let why = format!(
                "module_sources has the source {:?}, which is local: such calls lead where they say",
                short(source)
            );
            return wrong("source", why);
        }
        Err(why) => return wrong("source", format!("module_sources has the source {:?}: {why}", short(source))),
    }
    if let Some(version) = version {
        check_name(version, "a version in module_sources", &pointer("version"), limits)?;
        if Version::parse(version).is_none() {
            let why = format!("{:?} is not an exact version, such as 5.1.2", short(version));
            return wrong("version", format!("module_sources: {why}"));
        }
    }
    let path = ModulePath::parse_folder(path).map_err(|error| {
        Refusal::new(RefusalKind::BadPath, format!("module_sources has the path {:?}: {error}", short(path)))
            .at(pointer("path"))
    })?;
    account::grow((source.len() + path.len()) as u64);
    Ok(plan::ModuleSource {
        source: Arc::from(source.as_str()),
        version: version.as_deref().map(Arc::from),
        path: Arc::from(path),
    })
}

/// Reads what is known of objects.
fn assumed(Assumed(given): Assumed, limits: &RequestLimits) -> Result<Vec<(Arc<str>, Value)>, Refusal> {
    let most = limits.max_instances as u64;
    if given.len() as u64 > most {
        return Err(Refusal::over_limit("the number of objects in assume", "max-instances", most).at("/assume"));
    }
    let mut assumed: Vec<(Arc<str>, Value)> = Vec::with_capacity(given.len());
    let mut known = std::collections::BTreeSet::new();
    for (written, attributes) in given {
        check_name(&written, "an address in assume", "/assume", limits)?;
        let mut pointer = "/assume".to_owned();
        json::push_key(&mut pointer, &written);
        let address = address(&written).ok_or_else(|| {
            let why = format!(
                "assume has {:?}, which is not the address of a resource or data source, such as \
                 module.a.aws_vpc.this[0]",
                short(&written)
            );
            Refusal::new(RefusalKind::BadAddress, why).at(pointer.clone())
        })?;
        if !known.insert(Arc::clone(&address)) {
            let why = format!("assume names the object {:?} twice", short(&address));
            return Err(Refusal::new(RefusalKind::DuplicateKey, why).at(pointer));
        }
        let text = attributes.get();
        json::check_value(text, limits.max_syntax_depth, &pointer)?;
        if !text.starts_with('{') {
            let why = format!("assume: the attributes of {:?} must be an object", short(&written));
            return Err(Refusal::new(RefusalKind::BadOption, why).at(pointer));
        }
        account::room(text.len());
        let value = eval::json_value(text)
            .map_err(|why| Refusal::new(RefusalKind::BadOption, format!("assume: {why}")).at(pointer))?;
        assumed.push((address, value));
    }
    Ok(assumed)
}

/// Returns the canonical form of the address of a resource or data source, with or without instance keys.
fn address(text: &str) -> Option<Arc<str>> {
    let target = addresses::of_text(text)?;
    let resource = target.resource.as_ref()?;
    matches!(resource.mode, ResourceMode::Managed | ResourceMode::Data).then(|| Arc::from(target.to_string()))
}

/// Checks the directory in which the tool would be run, and returns it as the tool shows it.
fn cwd(text: &str, limits: &RequestLimits) -> Result<Arc<str>, Refusal> {
    check_length(text, "cwd", "/cwd", limits)?;
    if functions::is_absolute(text) && !text.chars().any(char::is_control) {
        return Ok(Arc::from(functions::clean(text)));
    }
    let why = format!("cwd is {:?}, which is not an absolute path, such as /srv/infra/prod", short(text));
    Err(Refusal::new(RefusalKind::BadOption, why).at("/cwd"))
}

/// Checks the time of a plan.
fn timestamp(text: &str) -> Result<Arc<str>, Refusal> {
    if eval::is_timestamp(text) {
        return Ok(Arc::from(text));
    }
    let why =
        format!("timestamp is {:?}, which is not a time as in RFC 3339, such as 2025-03-06T12:00:00Z", short(text));
    Err(Refusal::new(RefusalKind::BadTimestamp, why).at("/timestamp"))
}
