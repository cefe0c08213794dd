use std::sync::Arc;

use bytes::Bytes;
use tikv_jemalloc_ctl::thread::allocatedp;

use super::*;
use crate::pipeline::{VariableArg, VariableInputs};
use overfold_base::files::SourceFile;

fn files(directories: usize) -> FileSet {
    let file = |n| SourceFile { path: ModulePath::parse(&format!("d{n}/main.tf")).unwrap(), bytes: Bytes::new() };
    FileSet::new((0..directories).map(file).collect(), Vec::new())
}

fn request(variables: VariableInputs, paths: &[&str]) -> Request {
    let module = pipeline::Request { variables: Some(Arc::new(variables)), ..pipeline::Request::new("terraform") };
    let paths: Arc<[String]> = paths.iter().map(|&path| path.to_owned()).collect();
    let paths = Some(paths).filter(|paths| !paths.is_empty());
    Request { module, paths, top: String::new(), prefix: String::new() }
}

/// Returns how many bytes `job` allocates on this thread.
fn allocated(job: impl FnOnce()) -> u64 {
    let counter = allocatedp::read().unwrap();
    let before = counter.get();
    job();
    counter.get() - before
}

/// The variables of a request are shared by all directories, whether they are texts or many.
#[test]
fn variables_are_not_copied_for_each_directory() {
    const LENGTH: usize = 1 << 20;
    let long = VariableInputs { env: vec![("TF_VAR_x".to_owned(), "x".repeat(LENGTH))], args: Vec::new() };
    let value = VariableArg::Value { name: "x".to_owned(), json: "1".into() };
    let many = VariableInputs { env: Vec::new(), args: vec![value; LENGTH / 32] };
    let limits = SyntaxLimits::default();
    for variables in [long, many] {
        for paths in [&[][..], &["d1/main.tf", "d2/main.tf"]] {
            let request = request(variables.clone(), paths);
            let cost = |directories: usize| {
                let files = files(directories);
                let alone = allocated(|| drop(run(&files, &request, limits, &mut |_| {}, &mut |_| {}).unwrap()));
                let sides = [(&files, &request), (&files, &request)];
                let pairs = allocated(|| drop(run_pairs(sides, limits, &mut |_| {}, &mut |_| {}).unwrap()));
                (alone, pairs)
            };
            let (few, more) = (cost(10), cost(50));
            assert!(more.0 - few.0 < 10 * LENGTH as u64, "{few:?} {more:?}");
            assert!(more.1 - few.1 < 20 * LENGTH as u64, "{few:?} {more:?}");
        }
    }
}

/// A directory costs something even if there is nothing in it.
#[test]
fn each_directory_is_charged() {
    let spent = |directories: usize| {
        let (files, request) = (files(directories), request(VariableInputs::default(), &[]));
        account::open(account::Limits::NONE, &account::Cancel::new(), || {
            drop(run(&files, &request, SyntaxLimits::default(), &mut |_| {}, &mut |_| {}).unwrap());
            account::spent().work
        })
        .unwrap()
    };
    assert!(spent(200) - spent(100) >= 100 * DIRECTORY);
}
