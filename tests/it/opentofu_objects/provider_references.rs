//! References to provider configurations (opentofu.md, section 7).

use super::{SERIES, ask, expression, of_json, of_main, reported};

#[tokio::test]
async fn provider_references_by_version() {
    let reference = |text: &str| format!("resource \"a_b\" \"x\" {{\n  provider = {text}\n}}\n");
    // The position of the mistake up to 1.8 and since 1.9; "ok" for none.
    for (text, old, new) in [
        ("aws", "ok", "ok"),
        ("aws.west", "ok", "ok"),
        ("aws.west[\"a\"]", "14-27", "ok"),
        ("aws.west[0]", "14-25", "ok"),
        ("aws.west[each.key]", "14-32", "ok"),
        ("aws.west[\"a-${each.key}\"]", "14-39", "ok"),
        ("aws.west[true]", "14-28", "ok"),
        ("aws[\"a\"]", "17-22", "17-22"),
        ("aws[each.key]", "14-27", "14-17"),
        ("aws.west.more", "14-27", "22-27"),
        ("aws.west.more.yet", "14-31", "14-31"),
        ("aws.west[\"a\"].b", "14-29", "14-29"),
        ("aws.west.more[each.key]", "14-37", "14-27"),
        ("aws.west[each.key][0]", "14-35", "14-35"),
        ("aws.west[each.key][each.key]", "14-42", "14-32"),
        ("1", "14-15", "14-15"),
        ("null", "ok", "ok"),
    ] {
        for version in SERIES {
            let at = if ["1.6", "1.7", "1.8"].contains(&version) { old } else { new };
            let wanted = match at {
                "ok" => Vec::new(),
                _ => vec![format!("main.tf:2:{at} Invalid provider configuration reference")],
            };
            assert_eq!(of_main(version, &reference(text)).await, wanted, "{version} {text}");
        }
    }
    // Quoted references cause a warning, and may contain a key too.
    assert_eq!(
        of_main("1.9", &reference("\"aws.west[0]\"")).await,
        ["main.tf:2:14-27 warning: Quoted references are deprecated"]
    );
}

#[tokio::test]
async fn provider_references_in_json_are_expressions_since_1_11() {
    let reference = |text: &str| format!("{{\"resource\": {{\"a_b\": {{\"x\": {{\"provider\": {text}}}}}}}}}");
    for (text, up_to_1_8, up_to_1_10, later) in [
        ("\"aws.west\"", "ok", "ok", "ok"),
        ("\"aws.west[0]\"", "41-54 R", "ok", "ok"),
        ("\"aws.west[each.key]\"", "41-61 R", "41-61 R", "ok"),
        ("5", "41-42 R", "41-42 R", "41-42 Expected string expression"),
        ("null", "41-45 R", "41-45 R", "41-45 Expected string expression"),
        ("[\"aws\"]", "41-48 R", "41-48 R", "41-48 Expected string expression"),
        ("\"aws west\"", "41-51 R", "41-51 R", "45-49 Extra characters after expression"),
    ] {
        for version in SERIES {
            let minor: u32 = version.split('.').nth(1).unwrap().parse().unwrap();
            let wanted = if minor < 9 {
                up_to_1_8
            } else if minor < 11 {
                up_to_1_10
            } else {
                later
            };
            let wanted = match wanted {
                "ok" => Vec::new(),
                _ => vec![format!(
                    "main.tf.json:1:{}",
                    wanted.replace(" R", " Invalid provider configuration reference")
                )],
            };
            assert_eq!(of_json(version, &reference(text)).await, wanted, "{version} {text}");
        }
    }
}

#[tokio::test]
async fn provider_references_are_replaced_whole_and_kept_behind_a_mistake() {
    let main = "resource \"a_b\" \"x\" {\n  provider = aws.west[\"a\"]\n}\nmodule \"m\" {\n  source = \"./m\"\n  providers = {\n    aws = aws.west[each.key]\n    b = b.c.d\n    aws = aws.east\n  }\n}\n";
    let over = "resource \"a_b\" \"x\" {\n  provider = aws.east.more\n}\n";
    let answer = ask("1.12", &[("main.tf", main), ("override.tf", over)]).await;
    assert_eq!(
        reported(&answer),
        [
            "main.tf:8:12-14 Invalid provider configuration reference",
            "main.tf:9:11-19 Duplicate provider address",
            "override.tf:2:22-27 Invalid provider configuration reference",
        ]
    );
    assert_eq!(expression(&answer, "a_b.x", "provider"), "aws.east.more");
    // The providers named by a module have no keys that would need evaluation, except in JSON.
    let main =
        "module \"m\" {\n  source = \"./m\"\n  providers = {\n    a.b[each.key] = a\n    a.c[\"k\"] = a\n  }\n}\n";
    assert_eq!(of_main("1.12", main).await, ["main.tf:4:5-18 Invalid provider configuration reference"]);
    let json = "{\"module\": {\"m\": {\"source\": \"./m\", \"providers\": {\"a.b[each.key]\": \"a\"}}}}";
    assert_eq!(of_json("1.12", json).await, ["main.tf.json:1:67-68 warning: Reference to undefined provider"]);
    // Up to 1.8 such a reference is dropped, so that of the base stays.
    let main = "resource \"a_b\" \"x\" {\n  provider = aws.west\n}\n";
    let answer = ask("1.8", &[("main.tf", main), ("override.tf", over)]).await;
    assert_eq!(reported(&answer), ["override.tf:2:14-27 Invalid provider configuration reference"]);
    assert_eq!(expression(&answer, "a_b.x", "provider"), "aws.west");
}
