//! Records the commit and the kind of build for `overfold --version`. Never fails: a build outside a checkout has no commit.

use std::env;
use std::process::Command;

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-env-changed=OVERFOLD_COMMIT");
    let profile = env::var("PROFILE").unwrap_or_default();
    let stated = env::var("OVERFOLD_COMMIT").ok().filter(|commit| !commit.is_empty());
    // In development builds, every commit would otherwise recompile the crate; only release builds name theirs.
    let found = || if profile == "release" { checked_out() } else { None };
    let commit = stated.or_else(found).filter(|commit| commit.chars().all(|c| c.is_ascii_alphanumeric()));
    println!("cargo::rustc-env=OVERFOLD_COMMIT={}", commit.as_deref().unwrap_or("unknown"));
    println!("cargo::rustc-env=OVERFOLD_BUILD={profile} {}", env::var("TARGET").unwrap_or_default());
}

/// Returns the commit that is checked out, if this is a git checkout.
fn checked_out() -> Option<String> {
    // Git appends to this file whenever another commit is checked out.
    if let Some(log) =
        git(&["rev-parse", "--git-path", "logs/HEAD"]).filter(|log| std::fs::exists(log).unwrap_or(false))
    {
        println!("cargo::rerun-if-changed={log}");
    }
    // In a checkout of another repository that contains this one, its commit says nothing about this code.
    if git(&["rev-parse", "--show-prefix"]).is_some() {
        return None;
    }
    git(&["rev-parse", "HEAD"])
}

fn git(arguments: &[&str]) -> Option<String> {
    let output = Command::new("git").args(arguments).output().ok().filter(|output| output.status.success())?;
    let text = String::from_utf8(output.stdout).ok()?;
    Some(text.trim().to_owned()).filter(|text| !text.is_empty())
}
