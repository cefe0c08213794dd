//! Identities against the real process: which tokens are accepted, what a stranger and the log learn of the others, and
//! how keys are replaced.

use std::fs;
use std::io::Write as _;
use std::net::{SocketAddr, TcpStream};
use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use jsonwebtoken::Algorithm;
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::cli::{overfold, run};
use crate::issuer::{
    AUDIENCE, ISSUER, Signer, base64url, changed, claims, flags, from_base64url, jwks, now, with_secret,
};
use crate::service::{PATIENCE, Reply, Service};

fn file(keys: &[Value]) -> (TempDir, String) {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("jwks.json");
    fs::write(&file, jwks(keys)).unwrap();
    let path = file.to_str().unwrap().to_owned();
    (folder, path)
}

fn ask(service: &Service, token: &str) -> Reply {
    ask_at(service.address, token)
}

fn ask_at(address: SocketAddr, token: &str) -> Reply {
    let head = "GET /v1/dialects/terraform HTTP/1.1\r\nHost: localhost\r\nConnection: close";
    let mut stream = TcpStream::connect(address).unwrap();
    stream.set_read_timeout(Some(PATIENCE)).unwrap();
    stream.write_all(format!("{head}\r\nAuthorization: Bearer {token}\r\n\r\n").as_bytes()).unwrap();
    Reply::all(&mut stream)
}

#[test]
fn identities_of_every_kind_of_key_are_accepted() {
    let signers = [
        Signer::of("rsa", Algorithm::RS256),
        Signer::of("rsa", Algorithm::RS512),
        Signer::of("rsa", Algorithm::PS256),
        Signer::of("rsa", Algorithm::PS384),
        Signer::of("p256", Algorithm::ES256),
        Signer::of("p384", Algorithm::ES384),
        Signer::usual(),
    ];
    let mut keys: Vec<Value> = signers.iter().map(Signer::jwk).collect();
    // What else issuers publish: keys for something else, of unknown types and curves, unknown members.
    let mut encryption = Signer::of("rsa", Algorithm::RS256).jwk();
    encryption["use"] = json!("enc");
    encryption["alg"] = json!("RSA-OAEP");
    keys.push(encryption);
    keys.push(json!({"kty": "EC", "crv": "P-521", "alg": "ES512", "x": "AA", "y": "AA"}));
    keys.push(json!({"kty": "AKP", "alg": "ML-DSA-44", "pub": "AA"}));
    keys[0]["x5c"] = json!(["MII"]);
    // Without a name, an algorithm is the usual one of the type.
    let unnamed = Signer::of("rsa", Algorithm::RS256).named("unnamed");
    let mut key = unnamed.jwk();
    key.as_object_mut().unwrap().retain(|name, _| name != "alg" && name != "use");
    keys.push(key);

    let (_folder, path) = file(&keys);
    let service = Service::start(&flags(&path));
    for signer in signers.iter().chain([&unnamed]) {
        let reply = ask(&service, &signer.token(&claims("overfold:merge")));
        assert_eq!(reply.status(), 200, "{}", signer.id);
    }
    let good = Signer::usual();
    let mut extra = good.header();
    extra["typ"] = json!("at+jwt");
    extra["jku"] = json!("http://127.0.0.1:1/keys");
    extra["x5u"] = json!("http://127.0.0.1:1/cert");
    extra["jwk"] = Signer::of("ed25519-next", Algorithm::EdDSA).jwk();
    extra["x5c"] = json!(["not a certificate"]);
    let times = |offset: i64| i64::try_from(now()).unwrap() + offset;
    for token in [
        good.sign(&extra, &claims("overfold:merge")),
        good.token(&changed(&json!({"aud": ["other", AUDIENCE]}))),
        good.token(&changed(&json!({"exp": times(-30)}))),
        good.token(&changed(&json!({"exp": 4_102_444_800.5}))),
        good.token(&changed(&json!({"nbf": times(30)}))),
        good.token(&changed(&json!({"scope": ["overfold:merge", "other"]}))),
        good.token(&changed(&json!({"scope": null, "scp": ["other", "overfold:merge"]}))),
        good.token(&changed(&json!({"scope": "other", "scp": "email overfold:merge"}))),
        // Whatever else the issuer says is passed over, however it is nested.
        good.sign_text(
            &good.header().to_string(),
            &claims("overfold:merge").to_string().replacen(
                '{',
                &format!("{{\"x\":{}1{},", "[".repeat(3000), "]".repeat(3000)),
                1,
            ),
        ),
    ] {
        let reply = ask(&service, &token);
        assert_eq!(reply.status(), 200, "{}", String::from_utf8_lossy(&reply.body));
    }
}

/// Tokens that are not accepted, each with what the log says.
fn attacks() -> Vec<(&'static str, String)> {
    let (good, rsa) = (Signer::usual(), Signer::of("rsa", Algorithm::RS256));
    let stranger = Signer::of("ed25519-next", Algorithm::EdDSA).named(&good.id);
    let fine = claims("overfold:merge");
    let with = |changes: Value| good.token(&changed(&changes));
    let header = |changes: Value| {
        let mut header = good.header();
        for (name, value) in changes.as_object().unwrap() {
            header[name] = value.clone();
        }
        header
    };
    let token = good.token(&fine);
    let parts: Vec<&str> = token.split('.').collect();
    let [head, body, signature] = parts.as_slice() else { unreachable!("three parts") };
    let past = now() - 61;

    let mut attacks = vec![
        // Form
        ("not a JSON Web Token", ".".to_owned()),
        ("not a JSON Web Token", "..".to_owned()),
        ("not a JSON Web Token", format!("{head}.{body}")),
        ("not a JSON Web Token", format!("{token}.")),
        ("not a JSON Web Token", format!("{token}.AA.AA")),
        ("not a JSON Web Token", format!("{}.{body}.{signature}", base64url("[]"))),
        ("not a JSON Web Token", format!("{head}=.{body}.{signature}")),
        ("not a JSON Web Token", format!("é.{body}.{signature}")),
        ("not a JSON Web Token", good.sign_text("{\"alg\":\"EdDSA\",\"alg\":\"none\"}", &fine.to_string())),
        ("not a JSON Web Token", good.sign_text(&"[".repeat(9000), "")),
        ("not a JSON Web Token", good.sign_text(&format!("{{\"alg\":{}", "{\"alg\":".repeat(1000)), "")),
        ("the token is too long", with(json!({"x": "x".repeat(16 << 10)}))),
        ("the token is not known", "hush-hush".to_owned()),
        // Algorithms
        (
            "the algorithm is not that of the key",
            format!("{}.{body}.", base64url(header(json!({"alg": "none"})).to_string())),
        ),
        (
            "the algorithm is not that of the key",
            format!("{}.{body}.", base64url(header(json!({"alg": "None"})).to_string())),
        ),
        ("the signature is wrong", format!("{head}.{body}.")),
        ("not a JSON Web Token", good.sign_text("{\"kid\":\"ed25519-EdDSA\"}", &fine.to_string())),
        // A key is for one algorithm, even if it could do others.
        ("the algorithm is not that of the key", Signer::of("rsa", Algorithm::PS256).named(&rsa.id).token(&fine)),
        ("the algorithm is not that of the key", Signer::of("rsa", Algorithm::RS384).named(&rsa.id).token(&fine)),
        ("the algorithm is not that of the key", good.sign(&header(json!({"kid": rsa.id})), &fine)),
        // Keys
        ("the token does not name its key (kid)", good.sign(&json!({"alg": "EdDSA"}), &fine)),
        ("the key of the token is not known", good.sign(&header(json!({"kid": "other"})), &fine)),
        ("the key of the token is not known", good.sign(&header(json!({"kid": "../../jwks.json"})), &fine)),
        ("the key of the token is not known", good.sign(&header(json!({"kid": ""})), &fine)),
        ("the signature is wrong", stranger.token(&fine)),
        ("the signature is wrong", stranger.sign(&header(json!({"jwk": stranger.jwk()})), &fine)),
        (
            "the signature is wrong",
            stranger.sign(&header(json!({"jku": "http://127.0.0.1:1/", "x5c": ["MII"]})), &fine),
        ),
        ("the token asks for an extension (crit)", good.sign(&header(json!({"crit": ["exp"], "exp": 1})), &fine)),
        ("the token asks for an extension (crit)", good.sign(&header(json!({"crit": ["b64"], "b64": false})), &fine)),
        ("the token asks for an extension (crit)", good.sign(&header(json!({"crit": []})), &fine)),
        // Changed after signing
        (
            "the signature is wrong",
            format!("{head}.{}.{signature}", base64url(claims("overfold:metrics").to_string())),
        ),
        ("the signature is wrong", format!("{head}.{body}.{}", signature.chars().rev().collect::<String>())),
        ("the signature is wrong", format!("{head}.{body}.{signature}AAAA")),
        ("the signature is wrong", format!("{head}.{body}.!")),
        // Claims
        ("the token has no issuer (iss)", with(json!({"iss": null}))),
        ("the issuer is another one", with(json!({"iss": "https://issuer.test"}))),
        ("the claims cannot be read", with(json!({"iss": [ISSUER]}))),
        ("the token has no audience (aud)", with(json!({"aud": null}))),
        ("the token is for another audience", with(json!({"aud": "other"}))),
        ("the token is for another audience", with(json!({"aud": ["other", "overfold"]}))),
        ("the token is for another audience", with(json!({"aud": []}))),
        ("the claims cannot be read", with(json!({"aud": [AUDIENCE, 1]}))),
        ("the claims cannot be read", with(json!({"aud": {AUDIENCE: AUDIENCE}}))),
        ("the token has no expiry (exp)", with(json!({"exp": null}))),
        ("the token has expired", with(json!({"exp": past}))),
        ("the token has expired", with(json!({"exp": -1}))),
        ("the claims cannot be read", with(json!({"exp": (now() + 300).to_string()}))),
        (
            "the claims cannot be read",
            good.sign_text(
                &good.header().to_string(),
                &fine.to_string().replacen("\"exp\":", "\"exp\":1e999,\"y\":", 1),
            ),
        ),
        (
            "the claims cannot be read",
            good.sign_text(&good.header().to_string(), &fine.to_string().replacen('{', "{\"exp\":9999999999,", 1)),
        ),
        ("the token is not valid yet", with(json!({"nbf": now() + 300}))),
        ("the token has no subject (sub)", with(json!({"sub": null}))),
        ("the token has no subject (sub)", with(json!({"sub": ""}))),
        ("the claims cannot be read", with(json!({"scope": 1}))),
        ("the claims cannot be read", good.sign_text(&good.header().to_string(), "[]")),
        ("the claims cannot be read", good.sign_text(&good.header().to_string(), "")),
        ("the claims cannot be read", good.sign_text(&good.header().to_string(), &"[".repeat(9000))),
        (
            "the claims cannot be read",
            good.sign_text(&good.header().to_string(), &format!("{{\"aud\":{}", "[".repeat(9000))),
        ),
    ];
    // The public key as a secret, in every form in which one may have it.
    let jwk = rsa.jwk();
    let (modulus, exponent) = (jwk["n"].as_str().unwrap(), jwk["e"].as_str().unwrap());
    let der = pkcs1(&from_base64url(modulus), &from_base64url(exponent));
    let pem = format!("-----BEGIN RSA PUBLIC KEY-----\n{}\n-----END RSA PUBLIC KEY-----\n", base64url(&der));
    let secrets = [
        modulus.as_bytes().to_vec(),
        from_base64url(modulus),
        der,
        pem.into_bytes(),
        jwk.to_string().into_bytes(),
        Vec::new(),
    ];
    for secret in secrets {
        let header = json!({"alg": "HS256", "kid": rsa.id});
        attacks.push(("the algorithm is not that of the key", with_secret(&secret, &header, &fine)));
    }
    attacks
}

/// Returns an RSA public key as DER (RFC 8017, A.1.1).
fn pkcs1(modulus: &[u8], exponent: &[u8]) -> Vec<u8> {
    let field = |tag: u8, bytes: &[u8]| {
        let length = u16::try_from(bytes.len()).unwrap().to_be_bytes();
        [&[tag, 0x82], &length[..], bytes].concat()
    };
    field(0x30, &[field(2, &[&[0], modulus].concat()), field(2, exponent)].concat())
}

#[test]
fn a_stranger_learns_nothing_and_the_log_the_reason() {
    let (_folder, path) = file(&[Signer::usual().jwk(), Signer::of("rsa", Algorithm::RS256).jwk()]);
    let service = Service::start(&flags(&path));
    let answer = |reply: &Reply| {
        let mut problem = reply.problem(401, "invalid-token");
        problem["instance"].take();
        (problem, reply.header("www-authenticate").unwrap().to_owned())
    };
    let usual = answer(&ask(&service, "unknown"));
    assert_eq!(usual.1, "Bearer realm=\"overfold\", error=\"invalid_token\"");
    service.line("request");
    for (reason, token) in attacks() {
        let reply = ask(&service, &token);
        assert_eq!(answer(&reply), usual, "{reason}: {token}");
        let line = service.line("request");
        assert_eq!(line["token_refused"], reason, "{token}");
        assert_eq!((&line["status"], &line["code"]), (&json!(401), &json!("invalid-token")));
        assert!(line["caller"].is_null() && line["scope"].is_null(), "{line}");
        for part in token.split('.').filter(|part| part.len() > 8) {
            assert!(!line.to_string().contains(part), "{line}");
        }
    }
    assert_eq!(ask(&service, &Signer::usual().token(&claims("overfold:merge"))).status(), 200);
    let line = service.line("request");
    assert_eq!((&line["caller"], &line["scope"]), (&json!("team-a"), &json!("overfold:merge")));
    assert!(line["token_refused"].is_null(), "{line}");
    // A name that would write its own line is harmless.
    let forged = changed(&json!({"sub": "a\n\u{1b}[2Jcaller=admin", "scope": "overfold:plan overfold:merge other"}));
    assert_eq!(ask(&service, &Signer::usual().token(&forged)).status(), 200);
    let line = service.line("request");
    assert!(line["caller"].as_str().unwrap().starts_with("a???2Jcaller=admin#"), "{line}");
    assert_eq!(line["scope"], "overfold:merge overfold:plan");
    let bare = service.get("/v1/dialects");
    bare.problem(401, "token-needed");
    assert!(service.line("request")["token_refused"].is_null());
}

#[test]
fn tokens_of_the_file_count_as_well_and_have_all_rights() {
    let (folder, path) = file(&[Signer::usual().jwk()]);
    let (code, line, token) = run(&["token", "ci"]);
    assert_eq!(code, 0);
    let tokens = folder.path().join("tokens");
    fs::write(&tokens, line).unwrap();
    let mut args = flags(&path);
    args.extend(["--token-file", tokens.to_str().unwrap()]);
    let service = Service::start(&args);
    let get = |path: &str, token: &str| {
        service.ask(format!(
            "GET {path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nAuthorization: Bearer {token}\r\n\r\n"
        ))
    };
    for path in ["/metrics", "/version", "/v1/dialects"] {
        assert_eq!(get(path, token.trim()).status(), 200, "{path}");
        let line = service.line("request");
        assert_eq!(line["caller"], "ci");
        assert!(line["scope"].is_null(), "{line}");
    }
    assert_eq!(get("/v1/dialects", &Signer::usual().token(&claims("overfold:merge"))).status(), 200);
    let refused = get("/metrics", &Signer::usual().token(&claims("overfold:merge")));
    refused.problem(403, "insufficient-scope");
    assert_eq!(
        refused.header("www-authenticate"),
        Some("Bearer realm=\"overfold\", error=\"insufficient_scope\", scope=\"overfold:metrics\"")
    );
    assert_eq!(get("/livez", "nonsense.nonsense.nonsense").status(), 200);
}

#[test]
fn unusable_settings_and_key_files_are_reported_at_startup() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("jwks.json");
    let path = file.to_str().unwrap();
    let good = Signer::usual().jwk();
    let rsa = Signer::of("rsa", Algorithm::RS256).jwk();
    let p256 = Signer::of("p256", Algorithm::ES256).jwk();
    let with = |key: &Value, changes: Value| {
        let mut key = key.clone();
        for (name, value) in changes.as_object().unwrap() {
            key[name] = value.clone();
        }
        key
    };
    let without = |key: &Value, name: &str| {
        let mut key = key.clone();
        key.as_object_mut().unwrap().remove(name);
        key
    };
    let zeros = |bytes: usize| base64url(vec![0; bytes]);
    for (content, word) in [
        (String::new(), "line 1, column 0: not a JSON Web Key Set"),
        ("hush-hush".to_owned(), "not a JSON Web Key Set"),
        (good.to_string(), "not a JSON Web Key Set"),
        (r#"{"keys": ["hush"]}"#.to_owned(), "not a JSON Web Key Set"),
        ("[".repeat(100_000), "not a JSON Web Key Set"),
        (format!("{{\"keys\": [], \"x\": {}}}", "[".repeat(100_000)), "not a JSON Web Key Set"),
        (jwks(&[]), "contains no key"),
        (jwks(&[json!({"kty": "EC", "crv": "P-521"})]), "contains no key"),
        (format!("{{\"keys\": [], \"x\": \"{}\"}}", "x".repeat(10 << 20)), "262144 bytes"),
        (jwks(&[good.clone(), good.clone()]), "key 2: its kid is already used"),
        (jwks(&[good.clone(), without(&rsa, "kid")]), "key 2: it has no kid"),
        (jwks(&[with(&good, json!({"kid": ""}))]), "key 1: it has no kid"),
        (jwks(&[json!({"kty": "oct", "kid": "a", "k": "aHVzaA", "alg": "HS256"})]), "key 1: it is a shared secret"),
        (jwks(&[with(&rsa, json!({"alg": "HS256"}))]), "only public keys"),
        (jwks(&[with(&rsa, json!({"alg": "none"}))]), "only public keys"),
        (jwks(&[with(&good, json!({"d": "aHVzaA"}))]), "private part"),
        (jwks(&[with(&rsa, json!({"alg": "ES256"}))]), "does not fit"),
        (jwks(&[with(&good, json!({"alg": "RS256"}))]), "does not fit"),
        (jwks(&[Signer::of("rsa-short", Algorithm::RS256).jwk()]), "2048 to 4096 bits"),
        (jwks(&[with(&rsa, json!({"n": base64url(vec![255; 513])}))]), "2048 to 4096 bits"),
        (jwks(&[with(&rsa, json!({"n": base64url(vec![254; 256])}))]), "not a valid public key"),
        (jwks(&[with(&rsa, json!({"e": "AQ"}))]), "not a valid public key"),
        (jwks(&[with(&rsa, json!({"e": base64url(vec![255; 256])}))]), "not a valid public key"),
        (jwks(&[without(&rsa, "e")]), "missing"),
        (jwks(&[with(&rsa, json!({"n": "h+sh/"}))]), "base64url"),
        (jwks(&[with(&p256, json!({"x": zeros(32)}))]), "not a valid public key"),
        (jwks(&[with(&p256, json!({"x": zeros(31)}))]), "length"),
        (jwks(&[without(&p256, "y")]), "missing"),
        (jwks(&[with(&good, json!({"x": "AA"}))]), "length"),
        (jwks(&[with(&good, json!({"x": base64url([2; 32])}))]), "not a valid public key"),
    ] {
        fs::write(&file, &content).unwrap();
        let args = [&["serve", "--listen", "127.0.0.1:0"], &*flags(path)].concat();
        let (code, _, err) = run(&args);
        assert_eq!(code, 2, "{word}: {err}");
        assert!(
            err.contains(word) && err.contains(path) && !err.contains("hush") && !err.contains("aHVzaA"),
            "{word}: {err}"
        );
    }
    fs::write(&file, jwks(&[good])).unwrap();
    for (args, word) in [
        (vec!["--jwks", path], "--jwt-issuer and --jwt-audience"),
        (vec!["--jwks", path, "--jwt-issuer", "a"], "--jwt-issuer and --jwt-audience"),
        (vec!["--jwks", path, "--jwt-issuer", "", "--jwt-audience", "a"], "--jwt-issuer"),
        (vec!["--jwt-audience", "a"], "--jwks"),
        ([&*flags(path), &["--allow-anonymous"]].concat(), "one of them"),
        ([&*flags(path), &["--caller-share", "0"]].concat(), "--caller-share"),
    ] {
        let (code, _, err) = run(&[&["serve", "--listen", "127.0.0.1:0"], &*args].concat());
        assert!(code == 2 && err.contains(word), "{args:?}: {err}");
    }
    let missing = overfold().args(["serve", "--listen", "127.0.0.1:0"]).env("OVERFOLD_JWKS", path).output().unwrap();
    assert_eq!(missing.status.code(), Some(2));
    // With identities, every address is fine.
    let mut everywhere = overfold();
    everywhere.args(["serve", "--listen", "0.0.0.0:0"]).args(flags(path));
    Service::start_as(everywhere);
}

/// Writes a file as tools do that replace it: another file takes its name.
fn replace(file: &Path, content: &str) {
    let next = file.with_extension("next");
    fs::write(&next, content).unwrap();
    fs::rename(&next, file).unwrap();
}

#[test]
fn keys_are_replaced_while_requests_run() {
    let (old, new) = (Signer::usual(), Signer::of("ed25519-next", Algorithm::EdDSA));
    let (folder, path) = file(&[old.jwk()]);
    let file = folder.path().join("jwks.json");
    let mut service = Service::start(&flags(&path));
    let (old_token, new_token) = (old.token(&claims("overfold:merge")), new.token(&claims("overfold:merge")));
    let until = |token: &str, status: u16| {
        let start = Instant::now();
        while ask(&service, token).status() != status {
            assert!(start.elapsed() < PATIENCE, "still not {status}");
            thread::sleep(Duration::from_millis(50));
        }
    };
    let address = service.address;
    let failed = AtomicUsize::new(0);
    let asked = AtomicUsize::new(0);
    // Asks with a token until told otherwise; every answer must be good.
    let ask_on = |token: &str, stop: &AtomicBool| {
        while !stop.load(Ordering::Relaxed) {
            let refused = ask_at(address, token).status() != 200;
            failed.fetch_add(refused.into(), Ordering::Relaxed);
            asked.fetch_add(1, Ordering::Relaxed);
        }
    };
    let (stop_old, stop_new) = (AtomicBool::new(false), AtomicBool::new(false));
    thread::scope(|scope| {
        scope.spawn(|| ask_on(&old_token, &stop_old));
        assert_eq!(ask(&service, &new_token).status(), 401);
        replace(&file, &jwks(&[old.jwk(), new.jwk()]));
        until(&new_token, 200);
        scope.spawn(|| ask_on(&new_token, &stop_new));
        // Broken, missing and huge files change nothing.
        replace(&file, "hush-hush");
        thread::sleep(Duration::from_secs(5));
        replace(&file, &jwks(&[json!({"kty": "oct", "kid": "a", "k": "aHVzaA"})]));
        thread::sleep(Duration::from_secs(3));
        fs::remove_file(&file).unwrap();
        thread::sleep(Duration::from_secs(3));
        replace(&file, &format!("{{\"keys\": [], \"x\": \"{}\"}}", "x".repeat(10 << 20)));
        thread::sleep(Duration::from_secs(3));
        replace(&file, &jwks(&[new.jwk(), old.jwk()]));
        stop_old.store(true, Ordering::Relaxed);
        replace(&file, &jwks(&[new.jwk()]));
        until(&old_token, 401);
        stop_new.store(true, Ordering::Relaxed);
    });
    assert_eq!(failed.into_inner(), 0, "of {asked:?}");
    assert!(asked.into_inner() > 20);
    // Without keys, nobody may call.
    replace(&file, &jwks(&[]));
    until(&new_token, 401);
    service.signal("TERM");
    assert!(service.end().0.success());
    let log = service.rest_of_log();
    let errors: Vec<&str> =
        log.iter().filter(|line| line["level"] == "ERROR").map(|line| line["error"].as_str().unwrap()).collect();
    assert_eq!(errors.len(), 4, "{errors:?}");
    assert!(errors[0].contains("not a JSON Web Key Set") && errors[1].contains("shared secret"), "{errors:?}");
    let text = log.iter().map(Value::to_string).collect::<String>();
    assert!(!text.contains("hush") && !text.contains("aHVzaA") && !text.contains(&old_token), "{text}");
    assert!(log.iter().any(
        |line| line["level"] == "WARN" && line["message"].as_str().unwrap().contains("no longer contains a key")
    ));
}
