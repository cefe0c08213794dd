//! Plans of trees in which secrets travel: through locals, modules, resources, conditions, imports and other states.

use std::fmt::Write as _;

use serde_json::{Value, json};

use super::bundle::{Bundle, Random, make};
use super::{Hunt, Service, logs, rounds};

/// What uses the secrets, each by itself harmless; `S` stands for an expression that contains one.
const USERS: [&str; 32] = [
    "resource \"terraform_data\" \"uN\" {\n  input = S\n}\n",
    "resource \"terraform_data\" \"uN\" {\n  triggers_replace = { a = S }\n}\n",
    "resource \"terraform_data\" \"uN\" {\n  input = { (S) = 1, b = [S] }\n}\n",
    "resource \"terraform_data\" \"uN\" {\n  for_each = { a = S }\n  input = each.value\n}\n",
    "resource \"terraform_data\" \"uN\" {\n  for_each = toset([S])\n}\n",
    "resource \"terraform_data\" \"uN\" {\n  count = S\n}\n",
    "resource \"terraform_data\" \"uN\" {\n  input = S\n  lifecycle {\n    precondition {\n      condition = S == 1\n      error_message = \"It is ${S}.\"\n    }\n    postcondition {\n      condition = self.input == 1\n      error_message = \"It is ${self.input}.\"\n    }\n  }\n}\n",
    "resource \"a_b\" \"uN\" {\n  x = S\n  y {\n    z = [S]\n  }\n  dynamic \"w\" {\n    for_each = [S]\n    content {\n      v = w.value\n    }\n  }\n}\n",
    "resource \"a_b\" \"uN\" {\n  dynamic \"w\" {\n    for_each = { (S) = 1 }\n    labels = [w.key]\n    content {\n      v = w.key\n    }\n  }\n}\n",
    "data \"a_b\" \"uN\" {\n  q = S\n}\noutput \"uN\" {\n  value = data.a_b.uN\n  sensitive = true\n}\n",
    "output \"uN\" {\n  value = S\n}\n",
    "output \"uN\" {\n  value = { a = S }\n  sensitive = true\n}\n",
    "output \"uN\" {\n  value = terraform_data.all\n  sensitive = true\n}\n",
    "output \"uN\" {\n  value = 1\n  precondition {\n    condition = S == 1\n    error_message = S\n  }\n}\n",
    "check \"uN\" {\n  assert {\n    condition = S == 1\n    error_message = \"It is ${jsonencode(S)}.\"\n  }\n}\n",
    "module \"uN\" {\n  source = \"./used\"\n  v = S\n  w = { a = S }\n}\noutput \"uN\" {\n  value = module.uN\n  sensitive = true\n}\n",
    "module \"uN\" {\n  source = \"./used\"\n  for_each = { a = S }\n  v = each.value\n}\n",
    "module \"uN\" {\n  source = \"./used\"\n  count = S\n}\n",
    "module \"uN\" {\n  source = \"no/such/module\"\n  v = S\n}\n",
    "provider \"a\" {\n  alias = \"uN\"\n  x = S\n}\nresource \"a_b\" \"uN\" {\n  provider = a.uN\n}\n",
    "resource \"a_b\" \"uN\" {\n}\nimport {\n  to = a_b.uN\n  id = S\n}\n",
    "resource \"terraform_data\" \"uN\" {\n}\nimport {\n  to = terraform_data.uN\n  id = \"${S}-x\"\n}\n",
    "data \"terraform_remote_state\" \"uN\" {\n  backend = \"local\"\n  config = {\n    path = \"other.tfstate\"\n  }\n}\noutput \"uN\" {\n  value = data.terraform_remote_state.uN.outputs.p\n}\nresource \"terraform_data\" \"uN\" {\n  input = data.terraform_remote_state.uN.outputs\n}\n",
    "data \"terraform_remote_state\" \"uN\" {\n  backend = \"local\"\n  config = {\n    path = \"other.tfstate\"\n  }\n}\nlocals {\n  uN = data.terraform_remote_state.uN.outputs.p\n}\nresource \"terraform_data\" \"uN\" {\n  input = file(\"/${local.uN}\")\n  triggers_replace = try(file(local.uN), fileexists(\"~/${local.uN}\"))\n}\n",
    "data \"terraform_remote_state\" \"uN\" {\n  backend = \"local\"\n  config = {\n    path = \"other.tfstate\"\n  }\n}\nresource \"terraform_data\" \"uN\" {\n  input = file(data.terraform_remote_state.uN.outputs.p)\n}\n",
    "data \"terraform_remote_state\" \"uN\" {\n  backend = \"local\"\n  config = {\n    path = S\n  }\n}\n",
    "data \"terraform_remote_state\" \"uN\" {\n  backend = \"local\"\n  defaults = { a = S }\n  config = {\n    path = \"other.tfstate\"\n  }\n}\noutput \"uN\" {\n  sensitive = true\n  value = data.terraform_remote_state.uN.outputs\n}\n",
    "ephemeral \"a_b\" \"uN\" {\n  x = S\n}\n",
    "locals {\n  uN = [for x in [S] : { (x) = x }]\n}\noutput \"uN\" {\n  value = local.uN\n}\n",
    "locals {\n  uN = { a = 1 }[S]\n}\noutput \"uN\" {\n  value = local.uN\n}\n",
    "resource \"terraform_data\" \"uN\" {\n  input = provider::terraform::encode_expr(S)\n}\n",
    "resource \"terraform_data\" \"uN\" {\n  input = S\n  provisioner \"local-exec\" {\n    command = \"echo ${S}\"\n  }\n}\n",
];

/// A module that uses what it is given everywhere.
const USED: &str = r#"variable "v" {
  default = null
  validation {
    condition     = var.v == 1
    error_message = "It is ${jsonencode(var.v)}."
  }
}
variable "w" {
  type    = map(number)
  default = {}
}
resource "terraform_data" "r" {
  input = [var.v, var.w]
}
output "o" {
  value = "${jsonencode(var.v)}!"
}
output "r" {
  value = terraform_data.r
}
"#;

/// Expressions that contain a secret.
const SECRETS: [&str; 9] = [
    "var.pass",
    "local.copy",
    "[var.pass, 1]",
    "{ a = var.pass }",
    "upper(var.pass)",
    "\"a ${var.pass}\"",
    "terraform_data.all.output",
    "try(var.pass.x, var.pass)",
    "jsonencode([var.pass])",
];

/// Expressions that contain an ephemeral value.
const EPHEMERAL: [&str; 3] = ["var.token", "\"a ${var.token}\"", "[var.token]"];

/// Creates a new secret word.
fn word(random: &mut Random) -> String {
    std::iter::once('Q').chain((0..16).map(|_| char::from(b"BCDFGHJKMNPQRSTVWXZ"[random.below(19)]))).collect()
}

/// Creates a request without mistakes, so that there is a plan.
fn sound(random: &mut Random, reveal: bool) -> Bundle {
    let (pass, token) = (word(random), word(random));
    let (mut files, mut env) = (serde_json::Map::new(), serde_json::Map::new());
    let mut variables = String::new();
    for (name, flag, value) in [("pass", "sensitive", &pass), ("token", "ephemeral", &token)] {
        let default = if random.one_in(2) { format!("  default = \"{value}\"\n") } else { String::new() };
        let _ = write!(variables, "variable \"{name}\" {{\n  type = string\n  {flag} = true\n{default}}}\n");
        if default.is_empty() {
            env.insert(format!("TF_VAR_{name}"), json!(value));
        }
    }
    variables.push_str("locals {\n  copy = var.pass\n}\n");
    files.insert("main.tf".to_owned(), json!(variables));
    let request = json!({
        "files": files, "dialect": "terraform", "version": "1.11", "reveal_sensitive": reveal, "variables": {"env": env},
    });
    // The default of an ephemeral variable is part of the configuration, and counts as sensitive.
    match request["variables"]["env"]["TF_VAR_token"] {
        Value::Null => Bundle { request, sensitive: vec![pass, token], ephemeral: Vec::new() },
        _ => Bundle { request, sensitive: vec![pass], ephemeral: vec![token] },
    }
}

/// Creates a plan request for a seed. Every other one contains mistakes beside those of what uses the secrets.
fn planned(seed: u64, reveal: bool) -> Bundle {
    let mut random = Random::new(seed ^ 0x5eed);
    let mut bundle = if seed.is_multiple_of(2) { make(seed, reveal) } else { sound(&mut random, reveal) };
    let of_state = word(&mut random);
    let mut text = "resource \"terraform_data\" \"all\" {\n  input = var.pass\n}\n".to_owned();
    for number in 0..=random.below(4) {
        let user = USERS[random.below(USERS.len())];
        let secret = if random.one_in(8) {
            EPHEMERAL[random.below(EPHEMERAL.len())]
        } else {
            SECRETS[random.below(SECRETS.len())]
        };
        // `S` is a word of its own wherever it stands for an expression.
        let user = user.replace("uN", &format!("u{number}"));
        let mut made = String::new();
        for part in user.split_inclusive(|letter: char| !letter.is_ascii_alphanumeric() && letter != '_') {
            let word = part.trim_end_matches(|letter: char| !letter.is_ascii_alphanumeric() && letter != '_');
            made.push_str(&if word == "S" { part.replacen('S', secret, 1) } else { part.to_owned() });
        }
        text.push_str(&made);
    }
    let state = json!({
        "version": 4, "terraform_version": "1.11.4", "serial": 1, "lineage": "a", "resources": [],
        "outputs": {"p": {"value": of_state, "type": "string", "sensitive": true}, "q": {"value": 1, "type": "number"}},
    });
    bundle.sensitive.push(of_state);
    let request = &mut bundle.request;
    request["files"]["planned.tf"] = json!(text);
    request["files"]["used/main.tf"] = json!(USED);
    request["files"]["other.tfstate"] = json!(state.to_string());
    request["include"] = json!(["plan", "instances"]);
    request["unset_variables"] = json!(if random.one_in(2) { "unknown" } else { "error" });
    if random.one_in(3) {
        request["assume"] = json!({"terraform_data.all": {"output": "known"}, "data.a_b.u0": {"id": "i"}});
    }
    if random.one_in(2) {
        bundle.sensitive.extend(with_literals(&mut random, &mut request["files"]));
    }
    if random.one_in(2) && has_plans(request) {
        bundle.sensitive.extend(with_schema(&mut random, request));
    }
    bundle
}

/// Adds literals that are secret because of where they are written: for an output that is declared sensitive, for a
/// sensitive variable of a called module, in either syntax, in an override file. Returns them.
fn with_literals(random: &mut Random, files: &mut Value) -> Vec<String> {
    let mut words = Vec::new();
    let mut literal = |random: &mut Random| {
        let word = word(random);
        let text = match random.below(7) {
            0 => format!("[\"{word}\"]"),
            1 => format!("{{ a = [\"{word}\", 1] }}"),
            2 => format!("base64encode(\"{word}\")"),
            3 => format!("\"${{terraform.workspace}}-{word}\""),
            4 => format!("true ? \"{word}\" : null"),
            5 => format!("<<EOT\n{word}\nEOT"),
            _ => format!("\"{word}\""),
        };
        words.push(word);
        text
    };
    let secret = "variable \"secret\" {\n  sensitive = true\n  default = null\n}\n";
    let said = format!("output \"said\" {{\n  value = {}\n  sensitive = true\n}}\n", literal(random));
    let held = "resource \"terraform_data\" \"held\" {\n  input = var.secret\n}\noutput \"held\" {\n  value = var.secret\n}\n";
    files["kept/main.tf"] = json!(format!("{secret}{said}{held}"));
    files["holds.tf"] = json!(format!(
        "module \"kept\" {{\n  source = \"./kept\"\n  secret = {}\n}}\nresource \"terraform_data\" \"kept\" {{\n  input = [module.kept.said, jsonencode(module.kept)]\n}}\noutput \"mine\" {{\n  value = {}\n  sensitive = true\n}}\n",
        literal(random),
        literal(random)
    ));
    if random.one_in(2) {
        files["holds_override.tf"] = json!(format!(
            "module \"kept\" {{\n  secret = {}\n}}\noutput \"mine\" {{\n  value = {}\n}}\n",
            literal(random),
            literal(random)
        ));
    }
    let (first, second, third) = (word(random), word(random), word(random));
    files["json.tf.json"] = json!(
        json!({
            "module": {"json": {"source": "./kept", "secret": {"a": [first, "${terraform.workspace}"]}}},
            "output": {"json": [{"value": format!("${{terraform.workspace}}-{second}"), "sensitive": true}],
                       "other": {"value": [format!("${{upper(\"{third}\")}}")], "sensitive": true}},
        })
        .to_string()
    );
    words.extend([first, second, third]);
    words
}

/// Adds resources whose secrets only the schema of their provider knows: returns them.
fn with_schema(random: &mut Random, request: &mut Value) -> Vec<String> {
    let words: Vec<String> = (0..6).map(|_| word(random)).collect();
    let attribute = |more: Value| {
        let mut own = json!({"type": "string", "optional": true});
        own.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        own
    };
    let pass = || attribute(json!({"sensitive": true}));
    let nesting = ["list", "set", "single", "map"][random.below(4)];
    request["provider_schemas"] = json!({"format_version": "1.0", "provider_schemas": {"registry.terraform.io/hashicorp/aa": {
        "resource_schemas": {"aa_x": {"version": 0, "block": {
            "attributes": {
                "pass": pass(), "once": attribute(json!({"write_only": true})), "name": attribute(json!({})),
                "made": {"type": "string", "computed": true, "sensitive": true},
                "deep": {"optional": true, "nested_type": {"nesting_mode": "list", "attributes": {"pass": pass()}}},
            },
            "block_types": {"part": {"nesting_mode": nesting, "block": {"attributes": {"pass": pass()}}}},
        }}},
        "data_source_schemas": {"aa_x": {"version": 0, "block": {"attributes": {
            "made": {"type": "string", "computed": true, "sensitive": true}}}}},
    }}});
    let label = if nesting == "map" { " \"l\"" } else { "" };
    request["files"]["schema.tf"] = json!(format!(
        "resource \"aa_x\" \"r\" {{\n  name = \"plain\"\n  pass = \"{}\"\n  once = \"{}\"\n  deep = [{{ pass = \"{}\" }}]\n  part{label} {{\n    pass = \"{}\"\n  }}\n}}\n\
         data \"aa_x\" \"d\" {{\n}}\n\
         resource \"terraform_data\" \"used\" {{\n  input = [aa_x.r.pass, aa_x.r.once, aa_x.r.made, aa_x.r.deep, aa_x.r.part, data.aa_x.d.made]\n}}\n\
         output \"used\" {{\n  value = aa_x.r\n  sensitive = true\n}}\noutput \"unflagged\" {{\n  value = \"${{aa_x.r.pass}}!\"\n}}\n",
        words[0], words[1], words[2], words[3]
    ));
    let assumed = json!({"aa_x.r": {"made": words[4]}, "data.aa_x.d": {"made": words[5]}});
    match request["assume"].as_object_mut() {
        Some(assume) => assume.extend(assumed.as_object().unwrap().clone()),
        None => request["assume"] = assumed,
    }
    words
}

/// Whether a dialect has plans.
fn has_plans(request: &Value) -> bool {
    ["terraform", "opentofu"].iter().any(|dialect| request["dialect"] == json!(dialect))
}

#[test]
fn no_plan_contains_part_of_a_secret() {
    logs::keep();
    let service = Service::new();
    let mut failures = Vec::new();
    let (mut planned_ones, mut words) = (0, Vec::new());
    for seed in 0..rounds() {
        let mut bundle = planned(seed, false);
        if !has_plans(&bundle.request) {
            continue;
        }
        let secrets = [bundle.sensitive.clone(), bundle.ephemeral.clone()].concat();
        let hunt = Hunt::of(&secrets);
        words.extend(secrets.into_iter().filter(|secret| !secret.bytes().all(|byte| byte.is_ascii_digit())));
        let mut look = |route: &str, request: &Value| {
            let (status, seen) = service.post(route, request);
            assert!([200, 400, 422].contains(&status), "seed {seed}: {}", String::from_utf8_lossy(&seen));
            if let Some(found) = hunt.find(&seen) {
                failures.push(format!("seed {seed}, {route}: …{found}…\n{}", request["files"]));
            }
            String::from_utf8_lossy(&seen).contains("\"resource_changes\"")
        };
        planned_ones += u64::from(look("/v1/plan", &bundle.request));
        bundle.request.as_object_mut().unwrap().remove("include");
        for format in ["document", "text", "sarif", "markdown"] {
            look(&format!("/v1/plan/report?format={format}"), &bundle.request);
        }
    }
    assert!(
        failures.is_empty(),
        "{} of {} requests\n{}",
        failures.len(),
        rounds(),
        failures[..failures.len().min(5)].join("\n\n")
    );
    assert!(planned_ones * 6 > rounds(), "only {planned_ones} of {} are planned", rounds());
    assert_eq!(Hunt::of(&words).find(&logs::kept()), None);
}

/// Sensitive values are found where they may be shown, which proves that the search above can fail; ephemeral ones
/// never are.
#[test]
fn plans_show_requested_secrets_unless_ephemeral() {
    let service = Service::new();
    let (mut asked, mut shown) = (0, 0);
    for seed in 0..rounds() / 3 {
        // Those without mistakes.
        let bundle = planned(2 * seed + 1, true);
        let (_, seen) = service.post("/v1/plan", &bundle.request);
        if let Some(found) = Hunt::of(&bundle.ephemeral).find(&seen) {
            panic!("seed {seed}: …{found}…\n{}", bundle.request["files"]);
        }
        asked += 1;
        shown += u64::from(Hunt::of(&bundle.sensitive).find(&seen).is_some());
    }
    assert!(shown * 3 > asked, "{shown} of {asked}");
}

/// Values take the place of expressions in every form, but none that is secret, not even if secrets are requested.
#[test]
fn no_secret_takes_the_place_of_an_expression() {
    let service = Service::new();
    let mut failures = Vec::new();
    let (mut asked, mut replaced) = (0, 0);
    for seed in 0..rounds() {
        let reveal = seed % 4 == 3;
        let mut bundle = planned(seed, reveal);
        if !has_plans(&bundle.request) {
            continue;
        }
        let request = bundle.request.as_object_mut().unwrap();
        for option in ["assume", "unset_variables"] {
            request.remove(option);
        }
        let form = ["tf-json", "hcl2json", "hcl", "files"][(seed / 4 % 4) as usize];
        request.extend([
            ("resolve".to_owned(), json!(true)),
            ("config_format".to_owned(), json!(form)),
            ("include".to_owned(), json!(["config"])),
        ]);
        // Something that is known, also beside secrets.
        let known =
            "locals {\n  known = \"${terraform.workspace}-x\"\n  mixed = [local.known, var.pass, var.token]\n}\n";
        request["files"]["known.tf"] = json!(known);
        if request["variables"].is_null() {
            request.insert("variables".to_owned(), json!({}));
        }
        let (status, seen) = service.post("/v1/merge", &bundle.request);
        assert!([200, 400, 422].contains(&status), "seed {seed}: {}", String::from_utf8_lossy(&seen));
        let body = seen.splitn(2, |&byte| byte == b'\n').nth(1).unwrap();
        let answer: Value = serde_json::from_slice(body).unwrap();
        let list = &answer["module"]["replacements"];
        let values: Vec<&Value> = list.as_array().into_iter().flatten().map(|entry| &entry["after"]).collect();
        let hunt = Hunt::of(&[bundle.sensitive.clone(), bundle.ephemeral.clone()].concat());
        let mut found = hunt.find(json!(values).to_string().as_bytes());
        // What is requested may be shown where it is written, and so may what is shown without values.
        bundle.request["resolve"] = json!(false);
        if found.is_none() && !reveal && hunt.find(&service.post("/v1/merge", &bundle.request).1).is_none() {
            found = hunt.find(&seen);
        }
        if let Some(found) = found {
            failures.push(format!("seed {seed}, {form}: …{found}…\n{}", bundle.request["files"]));
        }
        asked += 1;
        replaced += u64::from(list.as_array().is_some_and(|list| !list.is_empty()));
    }
    assert!(failures.is_empty(), "{}\n{}", failures.len(), failures[..failures.len().min(3)].join("\n\n"));
    assert!(replaced * 8 > asked, "only {replaced} of {asked} have replacements");
}

/// What is literally written for a sensitive output, or passed to a sensitive variable, is in no merge and no difference,
/// in whatever form.
#[test]
fn no_merge_or_difference_shows_a_secret_literal() {
    let service = Service::new();
    let mut failures = Vec::new();
    for seed in 0..rounds() / 5 {
        let mut random = Random::new(seed ^ 0x11ed);
        let (mut before, mut after) = (json!({}), json!({}));
        let mut words = with_literals(&mut random, &mut before);
        words.extend(with_literals(&mut random, &mut after));
        let hunt = Hunt::of(&words);
        let form = ["tf-json", "hcl2json", "hcl", "files"][(seed % 4) as usize];
        let merge = json!({"files": before, "recursive": seed % 3 == 1, "config_format": form,
            "include": ["config", "objects", "variables", "files", "overrides"]});
        let mut look = |route: &str, request: &Value| {
            let (status, seen) = service.post(route, request);
            assert_eq!(status, 200, "seed {seed}: {}", String::from_utf8_lossy(&seen));
            if let Some(found) = hunt.find(&seen) {
                failures.push(format!("seed {seed}, {route}, {form}: …{found}…\n{}", request["files"]));
            }
        };
        look("/v1/merge", &merge);
        let sides = json!({"before": {"files": before}, "after": {"files": after}});
        look("/v1/diff", &sides);
        for format in ["markdown", "text"] {
            look(&format!("/v1/diff/report?format={format}"), &sides);
        }
        // They are what is asked for, which proves that the search can fail.
        let mut revealed = merge.clone();
        revealed["reveal_sensitive"] = json!(true);
        assert!(hunt.find(&service.post("/v1/merge", &revealed).1).is_some(), "seed {seed}");
    }
    assert!(failures.is_empty(), "{}\n{}", failures.len(), failures[..failures.len().min(3)].join("\n\n"));
}
