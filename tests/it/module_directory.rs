//! Which directory is read, over HTTP: an empty one, and one behind links.

use serde_json::{Value, json};

use crate::http::post;

async fn merged(request: Value) -> Value {
    let answer = post("application/json", request.to_string()).await;
    assert_eq!(answer.status, 200, "{}", String::from_utf8_lossy(&answer.body));
    answer.json()
}

fn reported(answer: &Value) -> Vec<(&str, &str, &str)> {
    answer["diagnostics"]
        .as_array()
        .unwrap()
        .iter()
        .map(|one| {
            let field = |name: &str| one[name].as_str().unwrap();
            (field("severity"), field("code"), field("detail"))
        })
        .collect()
}

#[tokio::test]
async fn a_directory_without_configuration_is_reported_with_alternatives() {
    for (dialect, name) in [
        ("terraform", "main.tf"),
        ("terraform", "x_override.tf.json"),
        ("opentofu", "main.tofu"),
        ("tflint", "main.tf"),
        ("sentinel", "sentinel.hcl"),
        ("terraform-0.11", "main.tf"),
    ] {
        let files = json!({format!("envs/prod/{name}"): "", "envs/readme.md": "", "docs/main.txt": ""});
        let answer = merged(json!({"files": files, "dialect": dialect})).await;
        assert_eq!(answer["valid"], true);
        let [("warning", "load/no-configuration", detail)] = reported(&answer)[..] else {
            panic!("{dialect}: {}", answer["diagnostics"]);
        };
        assert!(detail.contains("\"envs/prod\"") && !detail.contains("docs"), "{detail}");
        let answer = merged(json!({"files": files, "dialect": dialect, "root": "envs/prod"})).await;
        assert!(reported(&answer).iter().all(|one| one.1 != "load/no-configuration"), "{answer}");
    }
    let answer = merged(json!({"files": {}})).await;
    assert_eq!(reported(&answer).len(), 1);
}

#[tokio::test]
async fn the_list_of_directories_is_bounded() {
    let files: serde_json::Map<_, _> = (0..30).map(|n| (format!("m{n:03}/main.tf"), json!(""))).collect();
    let answer = merged(json!({"files": files})).await;
    let (_, _, detail) = reported(&answer)[0];
    assert!(detail.contains("\"m009\" and others") && !detail.contains("m010"), "{detail}");
}

/// Builds a tar with files and symbolic links.
fn tar(files: &[(&str, &str)], links: &[(&str, &str)]) -> Vec<u8> {
    let mut builder = tar::Builder::new(Vec::new());
    for (path, text) in files {
        let mut header = tar::Header::new_gnu();
        header.set_size(text.len() as u64);
        header.set_mode(0o644);
        builder.append_data(&mut header, path, text.as_bytes()).unwrap();
    }
    for (path, target) in links {
        let mut header = tar::Header::new_gnu();
        header.set_entry_type(tar::EntryType::Symlink);
        header.set_size(0);
        builder.append_link(&mut header, path, target).unwrap();
    }
    builder.into_inner().unwrap()
}

#[tokio::test]
async fn configuration_is_read_through_links_that_stay_in_the_archive() {
    let archive = tar(
        &[
            ("repo/common/versions.tf", "locals {\n  a = 1\n}\n"),
            ("repo/envs/prod/main.tf", "locals {\n  b = file(\"${path.module}/../net/x.txt\")\n}\n"),
            ("repo/modules/net/main.tf", "variable \"v\" {\n  default = 1\n}\n"),
            ("repo/modules/net/x.txt", "x"),
        ],
        &[
            ("repo/envs/prod/versions.tf", "../../common/versions.tf"),
            ("repo/envs/net", "../modules/net"),
            ("repo/envs/prod/outside.txt", "../../../x"),
            ("repo/dead", "/etc"),
            ("repo/envs/bad/main.tf", "../../../x.tf"),
        ],
    );
    let ask = async |root: &str| {
        let query = format!("/v1/merge?include=config,objects,files&root={root}");
        crate::http::post_to(&query, "application/x-tar", archive.clone()).await
    };
    let answer = ask("envs/prod").await.json();
    assert_eq!(answer["module"]["config"]["locals"][0]["a"], 1, "{answer}");
    let declared = &answer["module"]["objects"]["local.a"]["header"];
    assert_eq!(declared["filename"], "versions.tf", "{answer}");
    assert!(reported(&answer).iter().any(|one| one.2.contains("outside.txt")), "{answer}");
    let answer = ask("envs/net").await.json();
    assert!(answer["module"]["config"]["variable"]["v"].is_array(), "{answer}");
    let problem = ask("dead/x").await;
    assert_eq!((problem.status.as_u16(), problem.json()["code"].as_str()), (422, Some("root-not-found")));
    assert!(problem.json()["detail"].as_str().unwrap().contains("\"dead\""), "{}", problem.json());
    let problem = ask("envs/bad").await;
    assert_eq!((problem.status.as_u16(), problem.json()["code"].as_str()), (400, Some("unsupported-entry")));
}
