//! Asking for the merged configuration.

use overfold_engine::UseCase as _;
use overfold_engine::merge::Form;
use overfold_engine::options::{ConfigFormat, MergeOptions, Part};
use overfold_module::pipeline::ToolStage;
use overfold_source::FolderLinks;

use crate::options::common_options;
use crate::run::{FolderRules, Setup, file_names, name_from_folder};
use crate::{Error, Report, Source};

/// Asks what a configuration is once its override files are merged.
///
/// ```
/// use overfold::{Merge, Source};
///
/// let source = Source::from_files([("main.tf", "variable \"size\" {\n  type = number\n}\n")])?;
/// let report = Merge::new().version("1.5.7").variable("size", 3).run(&source)?;
/// assert_eq!(report.version(), "1.5.7");
/// assert_eq!(report.variables()["size"].value, Some(serde_json::json!(3).into()));
/// # Ok::<(), overfold::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Merge {
    pub(crate) options: MergeOptions,
    pub(crate) setup: Setup,
}

impl Default for Merge {
    fn default() -> Self {
        let include = vec![Part::Config, Part::Objects, Part::Variables, Part::Overrides];
        let options = MergeOptions { include: Some(include), ..MergeOptions::default() };
        Self { options, setup: Setup::default() }
    }
}

impl Merge {
    /// Creates the question with its defaults: the rules of the newest Terraform, and no values of variables.
    pub fn new() -> Self {
        Self::default()
    }

    common_options!();

    /// Resolves the values of input variables, even if no other option sets one: as for a root module that is run.
    #[must_use]
    pub fn values(mut self) -> Self {
        self.options.variables.get_or_insert_default();
        self
    }

    /// Looks for problems only so far. The default is [`Validate`](crate::Stage::Validate) for Terraform and OpenTofu.
    #[must_use]
    pub fn stage(mut self, stage: ToolStage) -> Self {
        self.options.stage = Some(stage);
        self
    }

    /// Replaces expressions in the configuration by their values, as far as these are known and not sensitive.
    #[must_use]
    pub fn resolve(mut self) -> Self {
        self.options.resolve = true;
        self.values()
    }

    /// Evaluates `count`, `for_each` and `dynamic` before overriding, for [`TfLint`](crate::Dialect::TfLint) alone.
    #[must_use]
    pub fn expand(mut self) -> Self {
        self.options.expand = true;
        self
    }

    /// Reads only this file, relative to the module directory, for [`Sentinel`](crate::Dialect::Sentinel) alone.
    #[must_use]
    pub fn config_file(mut self, path: impl Into<String>) -> Self {
        self.options.config_file = Some(path.into());
        self
    }

    /// Merges the files of a source.
    ///
    /// # Errors
    /// Fails if an option is not valid, files cannot be read, or a limit is exceeded. A configuration that is wrong is no
    /// error: the report says what is wrong with it.
    pub fn run(&self, source: &Source) -> Result<Report, Error> {
        self.ask(source, Form::Answer, ConfigFormat::TfJson, |answer| Report::new(answer, self, source))
    }

    /// Returns the merged configuration in native syntax, as one text.
    pub(crate) fn native_text(&self, source: &Source) -> Result<String, Error> {
        self.ask(source, Form::Config, ConfigFormat::Hcl, Ok)
    }

    fn ask<T>(
        &self,
        source: &Source,
        form: Form,
        config_format: ConfigFormat,
        read: impl FnOnce(String) -> Result<T, Error>,
    ) -> Result<T, Error> {
        let mut options = MergeOptions { config_format, ..self.options.clone() };
        let rules = FolderRules {
            dialect: options.dialect,
            named: file_names(self.options.variables.as_ref(), self.options.config_file.as_deref()),
            links: FolderLinks::InPlace,
        };
        let prepare = |limits: &_, disk: Option<&_>| {
            name_from_folder(options.variables.as_mut(), disk);
            overfold_engine::Merge::prepare(options, limits).map_err(Error::from_refusal)
        };
        self.setup.ask::<overfold_engine::Merge, _>(source, rules, form, prepare, read)
    }
}
