//! Compares the memory that the service may need with the memory that it may use.

use std::fs;
use std::path::Path;

use crate::api::MemoryNeed;
use overfold_server::settings::Settings;

/// Logs the most memory that the service may need, and warns if that is more than its control group allows.
pub(super) fn report(settings: &Settings) {
    let need = MemoryNeed::from_settings(settings);
    tracing::info!("needs at most {need}");
    if !need.holds_largest_body(settings) {
        tracing::warn!(
            "the largest requests can never be admitted: three quarters of max-bodies-bytes are less than max-unpacked-bytes"
        );
    }
    if let Some(limit) = limit().filter(|limit| need.total() > *limit) {
        tracing::warn!(
            "the memory limit of this service is {} MiB, less than the {} MiB that it may need: lower concurrency, \
             max-memory-bytes, max-bodies-bytes or max-answers-bytes, or raise the limit",
            limit >> 20,
            need.total().div_ceil(1 << 20),
        );
    }
}

/// Returns the smallest memory limit of the control groups that this process is in, in bytes. `None` if there is no
/// limit, or if the system has no control groups.
fn limit() -> Option<u64> {
    let groups = fs::read_to_string("/proc/self/cgroup").ok()?;
    // Version 2 has one hierarchy, numbered 0.
    if let Some(own) = groups.lines().find_map(|line| line.strip_prefix("0::/")) {
        let root = Path::new("/sys/fs/cgroup");
        let limits = root.join(own);
        let limits = limits.ancestors().take_while(|folder| folder.starts_with(root));
        if let Some(smallest) = limits.filter_map(|folder| read(&folder.join("memory.max"))).min() {
            return Some(smallest);
        }
    }
    // Version 1 writes a number near the largest possible one for "no limit".
    read(Path::new("/sys/fs/cgroup/memory/memory.limit_in_bytes")).filter(|limit| *limit < 1 << 60)
}

fn read(file: &Path) -> Option<u64> {
    fs::read_to_string(file).ok()?.trim().parse().ok()
}
