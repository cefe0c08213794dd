//! Determines which directories of an upload are modules.

use std::collections::BTreeSet;

use super::roles::is_configuration;
use overfold_base::account::ChargedIterator;
use overfold_base::files::FileSet;
use overfold_dialect::DialectSpec;

/// Returns every directory at `root` (`""` is the top) or below it that contains a configuration file of the dialect,
/// sorted by bytes; paths are relative to the top of the files. As in the tools, folders whose names begin with a dot,
/// such as `.terraform`, are skipped; `root` itself may be one, or be inside one. Makes one pass over the files.
pub fn directories(files: &FileSet, root: &str, dialect: &'static DialectSpec) -> Vec<String> {
    let root = files.real_path(root);
    let mut found: BTreeSet<&str> = BTreeSet::new();
    let mut last = None;
    for file in files.below(&root, true).touched_by(|file| file.path.as_str().len()) {
        let folder = file.path.folder();
        // The files of one folder are mostly adjacent.
        if last == Some(folder) || !file.path.is_below(&root) {
            continue;
        }
        if is_configuration(file.path.name(), dialect) && !is_hidden(folder, &root) {
            found.insert(folder);
            last = Some(folder);
        }
    }
    found.into_iter().map(str::to_owned).collect()
}

/// Whether a folder below `root`, or one between it and `root`, is hidden.
fn is_hidden(folder: &str, root: &str) -> bool {
    let below = folder.strip_prefix(root).unwrap_or_default();
    below.split('/').any(|segment| segment.starts_with('.'))
}

#[cfg(test)]
mod tests {
    use super::directories;
    use overfold_base::files::{FileSet, ModulePath, SourceFile};
    use overfold_dialect::find;

    fn found(root: &str, names: &[&str]) -> Vec<String> {
        let file = |name: &&str| SourceFile { path: ModulePath::parse(name).unwrap(), bytes: bytes::Bytes::new() };
        let files = FileSet::new(names.iter().map(file).collect(), Vec::new());
        directories(&files, root, find("terraform", None).unwrap())
    }

    #[test]
    fn directories_with_configuration_are_modules() {
        let names = [
            "a-b/main.tf",
            "a/b/override.tf.json",
            "a/x.tf",
            "a/z.tf",
            "docs/readme.md",
            "tests/a.tftest.hcl",
            "values/terraform.tfvars",
            "versions.tf",
        ];
        assert_eq!(found("", &names), ["", "a", "a-b", "a/b"]);
        assert_eq!(found("a", &names), ["a", "a/b"]);
        assert_eq!(found("docs", &names), [] as [&str; 0]);
    }

    #[test]
    fn hidden_folders_are_left_out_unless_they_contain_the_root() {
        let names = [".terraform/modules/x/main.tf", "a/.b/c/main.tf", "a/.main.tf", "b/main.tf", "b/main.tf~"];
        assert_eq!(found("", &names), ["b"]);
        assert_eq!(found(".terraform/modules", &names), [".terraform/modules/x"]);
    }
}
