//! Many requests, each with secrets wherever a value is possible.

use super::bundle::make;
use super::{Hunt, Service, logs, rounds};

#[test]
fn no_answer_or_log_line_contains_part_of_a_secret() {
    logs::keep();
    let service = Service::new();
    let mut all = Vec::new();
    let mut failures = Vec::new();
    for seed in 0..rounds() {
        let bundle = make(seed, false);
        let secrets = [bundle.sensitive.clone(), bundle.ephemeral.clone()].concat();
        let (status, seen) = service.ask(&bundle.request);
        assert!(status == 200 || status == 422 || status == 400, "seed {seed}: {}", String::from_utf8_lossy(&seen));
        if let Some(found) = Hunt::of(&secrets).find(&seen) {
            failures.push(format!("seed {seed}: …{found}…\n{}", bundle.request["files"]));
        }
        all.extend(secrets);
    }
    assert!(
        failures.is_empty(),
        "{} of {} requests\n{}",
        failures.len(),
        rounds(),
        failures[..failures.len().min(5)].join("\n\n")
    );
    let log = logs::kept();
    assert!(log.windows(8).any(|piece| piece == b"answered"), "nothing is logged");
    // Six digits of a number may coincide with those of a time.
    let (numbers, words): (Vec<String>, Vec<String>) =
        all.into_iter().partition(|secret| secret.bytes().all(|byte| byte.is_ascii_digit()));
    let hunt = Hunt::of(&words);
    let metrics = service.metrics();
    assert_eq!((hunt.find(&log), hunt.find(&metrics)), (None, None));
    let reported = [String::from_utf8_lossy(&log), String::from_utf8_lossy(&metrics)].concat();
    assert_eq!(numbers.iter().find(|number| reported.contains(&***number)), None);
}

/// Sensitive values are found where they may be shown, which proves that the search above can fail; ephemeral ones
/// never are.
#[test]
fn requested_secrets_are_shown_unless_ephemeral() {
    let service = Service::new();
    let rounds = rounds() / 3;
    let mut shown = 0;
    for seed in 0..rounds {
        let bundle = make(seed, true);
        let (_, seen) = service.ask(&bundle.request);
        if let Some(found) = Hunt::of(&bundle.ephemeral).find(&seen) {
            panic!("seed {seed}: …{found}…\n{}", bundle.request["files"]);
        }
        shown += u64::from(Hunt::of(&bundle.sensitive).find(&seen).is_some());
    }
    assert!(shown * 3 > rounds * 2, "{shown} of {rounds}");
}
