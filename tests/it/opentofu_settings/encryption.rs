//! Encryption blocks: merging, losses, repeated addresses, labels (opentofu.md, section 4).

use std::fmt::Write as _;

use serde_json::{Value, json};

use super::{answer, object, outline, reported};
use crate::http::post;

/// Returns the merged encryption of a module with a base file and override files, in order, and what the tool reports.
async fn encryption(version: &str, base: &str, over: &[&str]) -> (String, String) {
    let (answer, _) = encryption_answer(version, base, over).await;
    let object = object(&answer, "terraform.encryption");
    (if object.is_null() { "none".to_owned() } else { outline(object) }, reported(&answer, "tool"))
}

async fn encryption_answer(version: &str, base: &str, over: &[&str]) -> (Value, String) {
    let mut files = json!({"main.tf": format!("terraform {{\nencryption {{\n{base}\n}}\n}}\n")});
    for (at, text) in over.iter().enumerate() {
        files[format!("{at}_override.tf")] = json!(format!("terraform {{\nencryption {{\n{text}\n}}\n}}\n"));
    }
    let answer = answer(version, files).await;
    let ours = reported(&answer, "overfold");
    (answer, ours)
}

#[tokio::test]
async fn key_providers_and_methods_merge_like_bodies() {
    let base = "key_provider \"a\" \"k\" {\n one = 1\n two = 2\n login {\n  x = 1\n }\n other {\n }\n}\n\
                method \"m\" \"k\" {\n keys = 1\n}";
    let over = "key_provider \"b\" \"k\" {\n}\nkey_provider \"a\" \"k\" {\n two = null\n three = 3\n dynamic \"login\" {\n \
                 for_each = []\n  content {\n  }\n }\n}\nmethod \"m\" \"l\" {\n keys = 2\n}";
    let (merged, reported) = encryption("1.12", base, &[over]).await;
    assert_eq!(reported, "");
    assert_eq!(
        merged,
        "; key_provider a k {one = 1; three = 3; two = null; other {}; dynamic login {for_each = []; content {}}}; \
         key_provider b k {}; method m k {keys = 1}; method m l {keys = 2}"
            .trim_start_matches("; ")
    );
}

#[tokio::test]
async fn several_overrides_fold_one_after_the_other() {
    let base = "key_provider \"a\" \"k\" {\n v = 0\n}\nstate {\n method = method.m.a\n enforced = true\n}";
    let first = "key_provider \"a\" \"k\" {\n v = 1\n}\nkey_provider \"a\" \"new\" {\n v = 1\n}\nstate {\n enforced = false\n}";
    let second = "key_provider \"a\" \"new\" {\n v = 2\n}\nkey_provider \"a\" \"k\" {\n v = 2\n}\nstate {\n method = method.m.c\n fallback {\n }\n}";
    let (answer, ours) = encryption_answer("1.12", base, &[first, second]).await;
    let merged = object(&answer, "terraform.encryption");
    assert_eq!(
        outline(merged),
        "key_provider a k {v = 2}; key_provider a new {v = 2}; \
         state {enforced = true; method = method.m.c; fallback {}}"
    );
    let previous = |block: usize, name: &str| -> Vec<&str> {
        let list = merged["blocks"][block]["attributes"][name]["previous"].as_array().unwrap();
        list.iter().map(|earlier| earlier["expression"].as_str().unwrap()).collect()
    };
    assert_eq!(previous(0, "v"), ["0", "1"]);
    assert_eq!(previous(1, "v"), ["1"]);
    // The second override restored what the first had removed.
    assert_eq!(previous(2, "method"), ["method.m.a"]);
    assert_eq!(ours, "0_override.tf:9:1 Override removes an argument\n0_override.tf:10:2 Override has no effect\n");
    assert_eq!(merged["overridden_by"].as_array().unwrap().len(), 2);
    let config = answer["module"]["config"]["terraform"].to_string();
    for part in ["\"v\":2", "\"enforced\":true", "\"method.m.c\""] {
        assert!(config.contains(part), "{config}");
    }
}

#[tokio::test]
async fn a_target_loses_its_method_when_both_sides_have_it() {
    let target = |inner: &str| format!("plan {{\n{inner}\n}}");
    for (base, over, wanted) in [
        ("method = a.b", "", "plan {}"),
        ("method = a.b", "method = null", "plan {method = null}"),
        ("method = a.b", "enforced = true", "plan {enforced = true}"),
        (
            "method = a.b\nfallback {\n method = c.d\n}",
            "method = x.y",
            "plan {method = x.y; fallback {method = c.d}}",
        ),
        ("enforced = true", "enforced = false", "plan {enforced = true}"),
        ("enforced = false", "enforced = true", "plan {enforced = true}"),
        ("enforced = \"true\"", "", "plan {enforced = \"true\"}"),
        (
            "method = a.b\nfallback {\n fallback {\n  method = q\n }\n}",
            "method = a.b\nfallback {\n method = r\n}",
            "plan {method = a.b; fallback {method = r}}",
        ),
        (
            "method = a.b",
            "method = a.b\nfallback {\n fallback {\n  fallback {\n   method = q\n  }\n }\n}",
            "plan {method = a.b; fallback {fallback {fallback {method = q}}}}",
        ),
    ] {
        let (merged, reported) = encryption("1.12", &target(base), &[&target(over)]).await;
        assert_eq!((merged.as_str(), reported.as_str()), (wanted, ""), "{base} / {over}");
    }
    // Only one side has the block: nothing is lost.
    let (merged, _) = encryption("1.12", "state {\n method = a.b\n}", &["plan {\n enforced = true\n}"]).await;
    assert_eq!(merged, "state {method = a.b}; plan {enforced = true}");
    // The same for the remote targets.
    let (merged, _) = encryption(
        "1.12",
        "remote_state_data_sources {\n default {\n  method = a.b\n }\n remote_state_data_source \"n\" {\n  method = a.b\n }\n}",
        &["remote_state_data_sources {\n default {\n }\n remote_state_data_source \"n\" {\n }\n}"],
    )
    .await;
    assert_eq!(merged, "remote_state_data_sources {default {}; remote_state_data_source n {}}");
}

#[tokio::test]
async fn losses_stay_recorded() {
    let (answer, ours) = encryption_answer("1.12", "state {\n method = a.b\n}", &["state {\n}"]).await;
    assert_eq!(ours, "0_override.tf:3:1 Override removes an argument\n");
    let state = &object(&answer, "terraform.encryption")["blocks"][0];
    assert_eq!(state["removed_blocks"][0]["range"]["start"]["line"], 3);
    assert_eq!(answer["module"]["config"]["terraform"][0]["encryption"][0]["state"], json!([{}]));
}

#[tokio::test]
async fn the_alias_of_a_key_provider_stays_since_1_9() {
    let base = "key_provider \"a\" \"k\" {\n}\nkey_provider \"a\" \"l\" {\n encrypted_metadata_alias = \"base\"\n}";
    let over = "key_provider \"a\" \"k\" {\n encrypted_metadata_alias = \"over\"\n}\nkey_provider \"a\" \"l\" {\n \
                encrypted_metadata_alias = \"over\"\n}\nkey_provider \"a\" \"new\" {\n encrypted_metadata_alias = \"over\"\n}";
    let (merged, _) = encryption("1.8", base, &[over]).await;
    assert_eq!(merged.matches("\"over\"").count(), 3);
    let (answer, ours) = encryption_answer("1.9", base, &[over]).await;
    assert_eq!(
        outline(object(&answer, "terraform.encryption")),
        "key_provider a k {}; key_provider a l {encrypted_metadata_alias = \"base\"}; \
         key_provider a new {encrypted_metadata_alias = \"over\"}"
    );
    assert_eq!(ours, "0_override.tf:4:2 Override has no effect\n0_override.tf:7:2 Override has no effect\n");
    // Since then it is a string that must be known immediately.
    let (merged, reported) =
        encryption("1.12", "key_provider \"a\" \"k\" {\n encrypted_metadata_alias = [1]\n}", &[]).await;
    assert_eq!((merged.as_str(), reported.as_str()), ("none", "main.tf:4:29 Unsuitable value type\n"));
    let (merged, reported) =
        encryption("1.8", "key_provider \"a\" \"k\" {\n encrypted_metadata_alias = [1]\n}", &[]).await;
    assert_eq!((merged.as_str(), reported.as_str()), ("key_provider a k {encrypted_metadata_alias = [1]}", ""));
}

#[tokio::test]
async fn repeated_addresses_are_reported_once_a_copy_at_the_header() {
    let twice = |block: &str, count: usize| format!("{block} {{\n}}\n").repeat(count);
    for (base, wanted) in [
        (twice("key_provider \"a\" \"k\"", 2), "main.tf:2:1 Duplicate key_provider\n".repeat(2)),
        (twice("method \"a\" \"k\"", 3), "main.tf:2:1 Duplicate method\n".repeat(3)),
        (
            format!("remote_state_data_sources {{\n{}}}", twice("remote_state_data_source \"a\"", 2)),
            "main.tf:2:1 Duplicate remote_data_source\n".repeat(2),
        ),
        (
            twice("method \"a\" \"k\"", 2) + &twice("key_provider \"a\" \"k\"", 2),
            "main.tf:2:1 Duplicate key_provider\n".repeat(2) + &"main.tf:2:1 Duplicate method\n".repeat(2),
        ),
        // Another mistake comes first, and then these are not searched for.
        (twice("method \"a\" \"k\"", 2) + "colour = 1", "main.tf:7:1 Unsupported argument\n".to_owned()),
        // If there are several targets, none is read.
        (twice("state", 3), "main.tf:5:1 Duplicate state block\n".to_owned()),
        ("plan {\n x = 1\n}\nplan {\n y = 1\n}".to_owned(), "main.tf:6:1 Duplicate plan block\n".to_owned()),
        (format!("state {{\n{}}}", twice("fallback", 2)), "main.tf:6:1 Duplicate fallback block\n".to_owned()),
        (
            format!("state {{\nfallback {{\n{}}}\n}}", twice("fallback", 2)),
            "main.tf:7:1 Duplicate fallback block\n".to_owned(),
        ),
        (
            format!("remote_state_data_sources {{\n{}}}", twice("default", 2)),
            "main.tf:6:1 Duplicate default block\n".to_owned(),
        ),
        (twice("remote_state_data_sources", 2), "main.tf:5:1 Duplicate remote_state_data_sources block\n".to_owned()),
        ("state {\n enforced = var.x\n}".to_owned(), String::from("main.tf:4:13 Variables not allowed\n")),
        (
            "state {\n fallback {\n  enforced = true\n }\n}".to_owned(),
            "main.tf:5:3 Unsupported argument\n".to_owned(),
        ),
        (
            "state {\n fallback {\n  fallback {\n   x = 1\n  }\n }\n}".to_owned(),
            "main.tf:6:4 Unsupported argument\n".to_owned(),
        ),
        ("key_provider \"a\" {\n}".to_owned(), "main.tf:3:18 Missing name for key_provider\n".to_owned()),
    ] {
        let (merged, reported) = encryption("1.12", &base, &[]).await;
        assert_eq!((merged.as_str(), reported.as_str()), ("none", wanted.as_str()), "{base}");
        // In an override file the same block is dropped and the base's stays.
        let (merged, _) = encryption("1.12", "method \"base\" \"b\" {\n}", &[&base]).await;
        assert_eq!(merged, "method base b {}", "{base}");
    }
}

#[tokio::test]
async fn deep_fallbacks_and_long_chains_merge() {
    // Deeper than this test's JSON reader supports, so the bytes are checked.
    let depth = 900;
    let nested = "fallback {\n".repeat(depth) + &"}\n".repeat(depth);
    let text = format!("terraform {{\nencryption {{\nstate {{\n{nested}}}\n}}\n}}\n");
    let request = json!({"stage": "load", "files": {"main.tf": text, "override.tf": text}, "dialect": "opentofu", "include": ["config"]});
    let answer = post("application/json", request.to_string()).await;
    let text = String::from_utf8(answer.body.clone()).unwrap();
    assert!(answer.status == 200 && text.ends_with("\"diagnostics\":[]}"));
    assert_eq!(text.matches("\"fallback\"").count(), depth);

    let many = 900;
    let sources = |value: &str| {
        let mut text = String::from("remote_state_data_sources {\n");
        for at in 0..many {
            writeln!(text, "remote_state_data_source \"n{at}\" {{\n method = {value}\n}}").unwrap();
        }
        text + "}\n"
    };
    let one = "remote_state_data_sources {\nremote_state_data_source \"n7\" {\n method = last\n}\n}\n";
    let overs: Vec<&str> = std::iter::repeat_n(one, 90).collect();
    let (merged, reported) = encryption("1.12", &sources("x.y"), &overs).await;
    assert_eq!(reported, "");
    assert_eq!(merged.matches("method = last").count(), 1);
    assert_eq!(merged.matches("method = x.y").count(), many - 1);
}
