//! Asking for a plan.

use overfold_engine::options::{ModuleSource, PlanOptions, UnsetVariables};
use overfold_engine::{UseCase as _, plan};
use overfold_source::{Disk, FolderLinks};
use serde_json::Value as Json;

use crate::options::common_options;
use crate::run::{FolderRules, Setup, file_names, name_from_folder};
use crate::{Error, ErrorKind, PlanReport, Source};

/// Asks what a plan of a root module would be before anything exists: without state, providers and credentials.
///
/// ```
/// use overfold::{Plan, Source, Value};
///
/// let source = Source::from_files([(
///     "main.tf",
///     "resource \"terraform_data\" \"web\" {\n  count = 2\n  input = \"web-${count.index}\"\n}\n",
/// )])?;
/// let plan = Plan::new().run(&source)?;
/// let second = plan.resource("terraform_data.web[1]").ok_or("no such instance")?;
/// assert_eq!(second.values.get("input"), Some(&Value::String("web-1".to_owned())));
/// assert_eq!(second.values.get("id"), Some(&Value::Unknown));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Default, Debug)]
pub struct Plan {
    options: PlanOptions,
    setup: Setup,
}

impl Plan {
    /// Creates the question with its defaults: the rules of the newest Terraform.
    pub fn new() -> Self {
        Self::default()
    }

    common_options!();

    /// Takes variables without a value as unknown values of their types. Otherwise they are errors, as for the tool.
    #[must_use]
    pub fn unset_variables_are_unknown(mut self) -> Self {
        self.options.unset_variables = Some(UnsetVariables::Unknown);
        self
    }

    /// Follows calls of a module that is not local, such as `terraform-aws-modules/vpc/aws`, to this directory: one of the
    /// source, or for a folder any directory, relative to it or absolute.
    #[must_use]
    pub fn module_source(mut self, source: impl Into<String>, directory: impl Into<String>) -> Self {
        let module = ModuleSource { source: source.into(), version: None, path: directory.into() };
        self.options.module_sources.get_or_insert_default().push(module);
        self
    }

    /// Takes attributes of a resource or data source as known, such as `{"id": "ami-1"}` of `data.aws_ami.base`: an object,
    /// which replaces that of an earlier call about this address.
    ///
    /// # Errors
    /// Fails if it is no JSON object. An address that no object has is a diagnostic.
    pub fn assume(mut self, address: impl Into<String>, attributes: impl Into<Json>) -> Result<Self, Error> {
        let attributes: Json = attributes.into();
        let raw = attributes.is_object().then(|| serde_json::value::to_raw_value(&attributes).ok()).flatten();
        let raw =
            raw.ok_or_else(|| Error::new(ErrorKind::Options, "what is assumed must be an object of attributes"))?;
        self.options.assume.get_or_insert_default().0.insert(address.into(), raw);
        Ok(self)
    }

    /// Selects a workspace, which is otherwise that of the environment or `default`.
    #[must_use]
    pub fn workspace(mut self, name: impl Into<String>) -> Self {
        self.options.workspace = Some(name.into());
        self
    }

    /// Names the directory in which the tool would run, as `path.cwd` has it. The default is the directory of the root module
    /// if the source is a folder.
    #[must_use]
    pub fn working_directory(mut self, path: impl Into<String>) -> Self {
        self.options.cwd = Some(path.into());
        self
    }

    /// Plans at a time (RFC 3339), such as `2026-01-31T12:00:00Z`, so that the functions of time have known values.
    #[must_use]
    pub fn timestamp(mut self, time: impl Into<String>) -> Self {
        self.options.timestamp = Some(time.into());
        self
    }

    /// Plans the root module of a source.
    ///
    /// # Errors
    /// Fails if an option is not valid, files cannot be read, or a limit is exceeded. A configuration of which the tool
    /// makes no plan is no error: the report says what is wrong with it.
    pub fn run(&self, source: &Source) -> Result<PlanReport, Error> {
        let mut options = self.options.clone();
        options.cwd = options.cwd.or_else(|| source.real_path(options.root.as_deref().unwrap_or_default()));
        let rules = FolderRules {
            dialect: options.dialect,
            named: file_names(self.options.variables.as_ref(), None),
            // A module is where it lies, whatever links lead there.
            links: FolderLinks::Named,
        };
        let prepare = |limits: &_, disk: Option<&Disk>| {
            name_from_folder(options.variables.as_mut(), disk);
            if let Some(disk) = disk {
                for module in options.module_sources.iter_mut().flatten() {
                    let folder = source.directory(&module.path);
                    module.path = disk.name_of(&folder).map_err(|error| Error::from_reading(&error))?;
                }
            }
            overfold_engine::Plan::prepare(options, limits).map_err(Error::from_refusal)
        };
        self.setup.ask::<overfold_engine::Plan, _>(source, rules, plan::Form::Answer, prepare, PlanReport::new)
    }
}
