//! A digest of everything that determines an answer, from which its `ETag` is made.

use crate::input::{Input, PreparedRequest, RootOptions, Target, TreeOptions};
use crate::use_case::{AnswerForm as _, UseCase};
use overfold_base::account;
use overfold_base::diag::Severity;
use overfold_base::files::{FileSet, SourceFile, SpecialEntry, SpecialKind};
use overfold_eval::MissingFile;
use overfold_module::pipeline::{self, VariableArg, VariableInputs};
use overfold_module::plan::{ModuleSource, PlanOptions};
use overfold_output::{AnswerOptions, Include, LinkBase, PlanAnswerOptions, ReportOptions};
use overfold_syntax::SyntaxLimits;

/// Returns a digest, in hexadecimal, of everything that determines an answer: two requests with the same fingerprint
/// get the same bytes, whatever the order of their members, the form of their upload and the defaults that they spell
/// out.
pub fn of<U: UseCase<SIDES>, const SIDES: usize>(
    sides: [Input<'_>; SIDES],
    form: U::Form,
    limits: SyntaxLimits,
    account: account::Limits,
) -> String {
    let mut fingerprint = Fingerprint(blake3::Hasher::new());
    fingerprint.text(env!("CARGO_PKG_VERSION"));
    fingerprint.text(U::NAME);
    fingerprint.text(form.name());
    fingerprint.limits(limits, account);
    for Input { files, prepared, root: _ } in sides {
        fingerprint.prepared(prepared);
        fingerprint.files(files);
    }
    fingerprint.0.finalize().to_hex().as_str().to_owned()
}

/// A digest in the making. Every text is preceded by its length, every list by its number of entries, and every choice
/// by the number of the alternative, so no two sequences of fields are the same bytes.
///
/// Each structure is taken apart by name, so that a new field does not compile until it is part of the digest.
struct Fingerprint(blake3::Hasher);

impl Fingerprint {
    fn number(&mut self, number: u64) {
        self.0.update(&number.to_be_bytes());
    }

    fn flags<const N: usize>(&mut self, flags: [bool; N]) {
        account::work(1);
        self.0.update(&flags.map(u8::from));
    }

    fn bytes(&mut self, bytes: &[u8]) {
        account::touch(bytes.len());
        self.number(bytes.len() as u64);
        self.0.update(bytes);
    }

    fn text(&mut self, text: &str) {
        self.bytes(text.as_bytes());
    }

    fn optional_text(&mut self, text: Option<&str>) {
        self.flags([text.is_some()]);
        if let Some(text) = text {
            self.text(text);
        }
    }

    fn severity(&mut self, severity: Option<Severity>) {
        self.optional_text(severity.map(Severity::name));
    }

    fn list<T>(&mut self, items: &[T], mut add: impl FnMut(&mut Self, &T)) {
        self.number(items.len() as u64);
        for item in items {
            add(self, item);
        }
    }

    /// Adds the limits that show in answers: in findings about what they cut short.
    fn limits(&mut self, limits: SyntaxLimits, account: account::Limits) {
        let SyntaxLimits { depth, tokens, name_bytes } = limits;
        let account::Limits { work, memory } = account;
        for number in [depth.into(), tokens.into(), name_bytes.into(), work, memory] {
            self.number(number);
        }
    }

    fn prepared(&mut self, prepared: &PreparedRequest) {
        // What is removed from the paths shows in the files.
        let PreparedRequest {
            request,
            answer,
            plan,
            reports,
            link_base,
            fail_on,
            tree,
            upgrade,
            strip_components: _,
        } = prepared;
        self.request(request);
        let PlanAnswerOptions { plan, instances } = *plan;
        self.flags([plan, instances]);
        let AnswerOptions { include, config_format } = *answer;
        let Include { config, objects, variables, files, overrides } = include;
        self.flags([config, objects, variables, files, overrides]);
        self.text(config_format.name());
        // Whether something is said beside an answer is not part of it.
        let ReportOptions { path_prefix, fails_from, unchecked_is_said: _ } = reports;
        self.text(path_prefix);
        self.severity(Some(*fails_from));
        self.severity(*fail_on);
        self.text(link_base.as_ref().map_or("", LinkBase::as_str));
        self.flags([tree.is_some(), upgrade.is_some()]);
        if let Some(Target { dialect, version }) = upgrade {
            self.text(dialect);
            self.optional_text(version.as_deref());
        }
        if let Some(TreeOptions { paths, calls, roots }) = tree {
            self.flags([*calls, paths.is_some(), roots.is_some()]);
            self.list(paths.as_deref().unwrap_or_default(), |own, path| own.text(path));
            self.list(roots.as_deref().unwrap_or_default(), |own, RootOptions { path, variables, workspace }| {
                own.text(path);
                own.flags([variables.is_some()]);
                own.variables(variables.as_deref());
                own.optional_text(workspace.as_deref());
            });
        }
    }

    fn request(&mut self, request: &pipeline::Request) {
        let pipeline::Request {
            dialect,
            version,
            // Found in the files, or given on the command line alone.
            version_from: _,
            version_files: _,
            root,
            config_file,
            variables,
            expand,
            reveal_sensitive,
            severities,
            stage,
            provider_schemas,
            stored_schemas,
            provider_checks,
            plan,
            resolve,
            // Not an option of a request.
            called_with: _,
        } = request;
        self.text(dialect);
        self.optional_text(version.as_deref());
        self.text(root);
        self.optional_text(config_file.as_deref());
        self.list(&severities.iter().collect::<Vec<_>>(), |own, (code, severity)| {
            own.text(code);
            own.severity(*severity);
        });
        self.text(stage.name());
        self.optional_text(provider_schemas.as_ref().map(|schemas| schemas.text()));
        self.optional_text(stored_schemas.as_ref().map(|stored| &*stored.listing().generation));
        self.text(provider_checks.name());
        self.plan(plan.as_deref());
        self.plan(resolve.as_deref());
        self.flags([*expand, *reveal_sensitive, variables.is_some()]);
        self.variables(variables.as_deref());
    }

    fn variables(&mut self, variables: Option<&VariableInputs>) {
        let Some(VariableInputs { env, args }) = variables else { return };
        self.list(env, |own, (name, text)| {
            own.text(name);
            own.text(text);
        });
        self.list(args, |own, arg| match arg {
            VariableArg::Var(text) => {
                own.number(0);
                own.text(text);
            }
            VariableArg::VarFile(path) => {
                own.number(1);
                own.text(path);
            }
            VariableArg::Value { name, json } => {
                own.number(2);
                own.text(name);
                own.text(json);
            }
        });
    }

    fn plan(&mut self, plan: Option<&PlanOptions>) {
        self.flags([plan.is_some()]);
        let Some(plan) = plan else { return };
        let PlanOptions {
            unset_is_unknown,
            missing_file,
            provider_defaults,
            module_sources,
            assumed,
            emulated,
            workspace,
            timestamp,
            cwd,
            max_instances,
            max_depth,
            with_arguments,
            with_needs,
            with_origins,
        } = plan;
        let reads_unknown = *missing_file == MissingFile::Unknown;
        self.flags([*unset_is_unknown, *with_arguments, *with_needs, *with_origins, reads_unknown]);
        self.text(provider_defaults.name());
        self.list(module_sources, |own, ModuleSource { source, version, path }| {
            own.text(source);
            own.optional_text(version.as_deref());
            own.text(path);
        });
        self.list(assumed, |own, (address, attributes)| {
            own.text(address);
            own.text(&attributes.to_json().unwrap_or_default());
        });
        self.list(emulated, |own, emulated| own.text(emulated.name()));
        self.optional_text(workspace.as_deref());
        self.optional_text(timestamp.as_deref());
        self.optional_text(cwd.as_deref());
        self.number(*max_instances as u64);
        self.number(*max_depth as u64);
    }

    fn files(&mut self, files: &FileSet) {
        self.list(files.files(), |own, SourceFile { path, bytes }| {
            own.text(path.as_str());
            own.bytes(bytes);
        });
        self.list(files.special(), |own, SpecialEntry { path, kind, target, problem }| {
            own.text(path.as_str());
            own.optional_text(target.as_deref());
            own.optional_text(problem.as_deref());
            own.number(match kind {
                SpecialKind::Folder => 0,
                SpecialKind::Link => 1,
                SpecialKind::Device => 2,
            });
        });
        for (link, folder) in files.linked_folders() {
            self.text(link);
            self.text(folder);
        }
    }
}
