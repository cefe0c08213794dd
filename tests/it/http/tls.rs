//! TLS and HTTP/2, with real sockets: handshakes, certificates of both sides, and many requests on one connection.

use std::fs;
use std::future::poll_fn;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use axum::body::Bytes;
use axum::http::{Request, Response};
use h2::client::SendRequest;
use h2::{Reason, RecvStream};
use rcgen::{
    BasicConstraints, CertificateParams, CertifiedIssuer, DnType, ExtendedKeyUsagePurpose, IsCa, KeyPair,
    KeyUsagePurpose, date_time_ymd,
};
use rustls::pki_types::pem::PemObject as _;
use rustls::pki_types::{CertificateDer, PrivateKeyDer, ServerName};
use rustls::{ClientConfig, RootCertStore, crypto};
use serde_json::Value;
use tempfile::TempDir;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;
use tokio::time::{sleep, timeout};
use tokio_rustls::TlsConnector;
use tokio_rustls::client::TlsStream;

use crate::issuer::{Signer, claims, flags, jwks};
use crate::service::{LARGE, PATIENCE, Service, UNLIMITED, is_closed, slow};

/// A folder with the certificates of a test.
struct Certificates {
    folder: TempDir,
    authority: CertifiedIssuer<'static, KeyPair>,
}

impl Certificates {
    /// Creates an authority, and a certificate for the service that it has signed.
    fn new() -> Self {
        let mut params = CertificateParams::new(Vec::new()).unwrap();
        params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
        params.key_usages = vec![KeyUsagePurpose::KeyCertSign];
        params.distinguished_name.push(DnType::CommonName, "Test authority");
        let authority = CertifiedIssuer::self_signed(params, KeyPair::generate().unwrap()).unwrap();
        let made = Self { folder: tempfile::tempdir().unwrap(), authority };
        fs::write(made.path("ca.pem"), made.authority.pem()).unwrap();
        made.sign("service", "localhost", ExtendedKeyUsagePurpose::ServerAuth);
        made
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn text(&self, name: &str) -> String {
        self.path(name).display().to_string()
    }

    /// Writes `NAME.pem` and `NAME.key` with a certificate of this subject.
    fn sign(&self, name: &str, subject: &str, purpose: ExtendedKeyUsagePurpose) {
        self.sign_for(name, subject, purpose, [Duration::ZERO, Duration::from_hours(24 * 365 * 200)]);
    }

    /// Like [`Self::sign`], for a certificate that is valid from and until these times since 1970.
    fn sign_for(&self, name: &str, subject: &str, purpose: ExtendedKeyUsagePurpose, valid: [Duration; 2]) {
        let mut params = CertificateParams::new(vec![subject.to_owned()]).unwrap();
        params.distinguished_name.push(DnType::CommonName, subject);
        params.extended_key_usages = vec![purpose];
        [params.not_before, params.not_after] = valid.map(|since| date_time_ymd(1970, 1, 1) + since);
        let key = KeyPair::generate().unwrap();
        let signed = params.signed_by(&key, &self.authority).unwrap();
        fs::write(self.path(&format!("{name}.key")), key.serialize_pem()).unwrap();
        fs::write(self.path(&format!("{name}.pem")), signed.pem()).unwrap();
    }

    /// Starts a service with its certificate and these settings.
    fn serve(&self, more: &[&str]) -> Service {
        let (certificate, key) = (self.text("service.pem"), self.text("service.key"));
        Service::start(&[&["--tls-certificate", &certificate, "--tls-key", &key], more].concat())
    }

    /// Connects, speaking this protocol, with the certificate of this name if one is given.
    async fn connect(
        &self,
        service: &Service,
        protocol: &str,
        own: Option<&str>,
    ) -> std::io::Result<TlsStream<TcpStream>> {
        let mut roots = RootCertStore::empty();
        roots.add(CertificateDer::from_pem_file(self.path("ca.pem")).unwrap()).unwrap();
        let builder = ClientConfig::builder_with_provider(Arc::new(crypto::ring::default_provider()))
            .with_safe_default_protocol_versions()
            .unwrap()
            .with_root_certificates(roots);
        let mut config = match own {
            None => builder.with_no_client_auth(),
            Some(name) => {
                let certificate = CertificateDer::from_pem_file(self.path(&format!("{name}.pem"))).unwrap();
                let key = PrivateKeyDer::from_pem_file(self.path(&format!("{name}.key"))).unwrap();
                builder.with_client_auth_cert(vec![certificate], key).unwrap()
            }
        };
        config.alpn_protocols = vec![protocol.as_bytes().to_vec()];
        let stream = TcpStream::connect(service.address).await?;
        TlsConnector::from(Arc::new(config)).connect(ServerName::try_from("localhost").unwrap(), stream).await
    }

    /// Sends one request with HTTP/1.1 on a connection of its own, and returns the whole answer; empty if the service ends
    /// the connection.
    async fn get(&self, service: &Service, path: &str, own: Option<&str>) -> String {
        let Ok(mut stream) = self.connect(service, "http/1.1", own).await else { return String::new() };
        let request = format!("GET {path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");
        stream.write_all(request.as_bytes()).await.unwrap();
        let mut answer = Vec::new();
        let _ = timeout(PATIENCE, stream.read_to_end(&mut answer)).await.unwrap();
        String::from_utf8_lossy(&answer).into_owned()
    }

    /// Begins a connection with HTTP/2.
    async fn http2(&self, service: &Service) -> Client {
        let stream = self.connect(service, "h2", None).await.unwrap();
        Client::over(stream).await
    }
}

/// A connection with HTTP/2.
#[derive(Clone)]
struct Client {
    requests: SendRequest<Bytes>,
    ended: Arc<tokio::sync::Notify>,
}

/// An answer of which the head has arrived.
type Begun = Result<Response<RecvStream>, h2::Error>;

impl Client {
    async fn over(stream: TlsStream<TcpStream>) -> Self {
        // A window so small that an answer is not simply swallowed.
        let mut builder = h2::client::Builder::new();
        builder.initial_window_size(16 << 10);
        let (requests, connection) = builder.handshake(stream).await.unwrap();
        let ended = Arc::new(tokio::sync::Notify::new());
        let told = Arc::clone(&ended);
        tokio::spawn(async move {
            let _ = connection.await;
            told.notify_one();
        });
        Self { requests, ended }
    }

    /// Sends the head of a request; the body is sent with what is returned first.
    async fn begin(
        &self,
        method: &str,
        path: &str,
        over: bool,
    ) -> (h2::SendStream<Bytes>, h2::client::ResponseFuture) {
        let request = Request::builder().method(method).uri(format!("https://localhost{path}"));
        let request = request.header("content-type", "application/json").body(()).unwrap();
        let mut requests = self.requests.clone().ready().await.unwrap();
        let (response, body) = requests.send_request(request, over).unwrap();
        (body, response)
    }

    async fn get(&self, path: &str) -> (u16, Vec<u8>) {
        let (_, response) = self.begin("GET", path, true).await;
        whole(timeout(PATIENCE, response).await.unwrap()).await
    }

    async fn post(&self, path: &str, body: String) -> (u16, Vec<u8>) {
        let (mut sending, response) = self.begin("POST", path, false).await;
        sending.send_data(body.into(), true).unwrap();
        whole(timeout(PATIENCE, response).await.unwrap()).await
    }
}

/// Reads the rest of an answer.
async fn whole(begun: Begun) -> (u16, Vec<u8>) {
    let (head, mut body) = begun.unwrap().into_parts();
    let mut bytes = Vec::new();
    while let Some(data) = timeout(PATIENCE, body.data()).await.unwrap() {
        let data = data.unwrap();
        body.flow_control().release_capacity(data.len()).unwrap();
        bytes.extend_from_slice(&data);
    }
    (head.status.as_u16(), bytes)
}

fn merge(main: &str) -> String {
    serde_json::json!({"files": {"main.tf": main}}).to_string()
}

/// Returns the body of a request that keeps a worker busy for minutes.
fn endless() -> String {
    slow("x").split_once("\r\n\r\n").unwrap().1.to_owned()
}

#[tokio::test(flavor = "multi_thread")]
async fn both_protocols_give_the_same_answer() {
    let certificates = Certificates::new();
    let service = certificates.serve(&[]);
    let old = certificates.get(&service, "/v1/dialects", None).await;
    let client = certificates.http2(&service).await;
    let (status, body) = client.get("/v1/dialects").await;
    assert_eq!(status, 200);
    assert!(old.starts_with("HTTP/1.1 200 OK\r\n"), "{old}");
    assert_eq!(old.split_once("\r\n\r\n").unwrap().1.as_bytes(), body);
    let (status, body) = client.post("/v1/merge", merge("locals {\n  a = 1\n}\n")).await;
    assert_eq!(status, 200);
    let answer: Value = serde_json::from_slice(&body).unwrap();
    assert_eq!(answer["module"]["config"]["locals"][0]["a"], 1);
    assert_eq!(client.get("/nothing").await.0, 404);
    let (status, _) = client.get(LARGE).await;
    assert_eq!(status, 200);
    let line = service.line("request");
    assert_eq!(line["outcome"], "answered", "{line}");
}

/// Clients that are told to stop sending report a broken stream, and not the answer.
#[tokio::test(flavor = "multi_thread")]
async fn an_answer_before_the_end_of_the_body_breaks_no_stream() {
    let certificates = Certificates::new();
    let service = certificates.serve(&[]);
    let client = certificates.http2(&service).await;
    for path in ["/nothing", "/v1/plan?unset_variables=x"] {
        let (mut sending, response) = client.begin("POST", path, false).await;
        sending.send_data("{".into(), false).unwrap();
        let answer = timeout(PATIENCE, response).await.unwrap();
        assert!((400..500).contains(&whole(answer).await.0), "{path}");
        let reset = timeout(Duration::from_millis(300), poll_fn(|context| sending.poll_reset(context))).await;
        assert!(reset.is_err(), "{path}: {reset:?}");
        sending.send_data("}".into(), true).unwrap();
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn an_answer_has_the_fields_that_a_server_adds() {
    let certificates = Certificates::new();
    let service = certificates.serve(&[]);
    let client = certificates.http2(&service).await;
    let (_, response) = client.begin("GET", "/livez", true).await;
    let response = timeout(PATIENCE, response).await.unwrap().unwrap();
    let field = |name: &str| response.headers().get(name).map(|value| value.to_str().unwrap());
    assert_eq!(field("content-length"), Some("15"));
    assert!(field("date").is_some_and(|date| date.ends_with(" GMT")));
    assert_eq!(field("connection"), None);
    assert!(field("x-request-id").is_some());
}

#[test]
fn http_without_tls_is_told_so() {
    let certificates = Certificates::new();
    let service = certificates.serve(&[]);
    let problem = service.get("/livez").problem(400, "bad-request");
    assert!(problem["detail"].as_str().unwrap().contains("https"), "{problem}");
}

#[test]
fn a_handshake_that_does_not_end_holds_no_place_for_long() {
    let certificates = Certificates::new();
    let service = certificates.serve(&["--header-seconds", "1"]);
    let mut silent = service.connect();
    // The beginning of a client's first message.
    let mut half = service.send([22, 3, 1, 2, 0, 1, 0, 1, 252, 3, 3]);
    let start = Instant::now();
    assert!(is_closed(&mut silent));
    assert!(is_closed(&mut half));
    assert!(start.elapsed() < Duration::from_secs(20));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_client_certificate_names_the_caller() {
    let certificates = Certificates::new();
    certificates.sign("bot", "bot.example", ExtendedKeyUsagePurpose::ClientAuth);
    let strangers = Certificates::new();
    strangers.sign("bot", "bot.example", ExtendedKeyUsagePurpose::ClientAuth);
    for name in ["bot.pem", "bot.key"] {
        let renamed = format!("stranger.{}", name.rsplit_once('.').unwrap().1);
        fs::copy(strangers.path(name), certificates.path(&renamed)).unwrap();
    }
    let authority = certificates.text("ca.pem");
    let service = certificates.serve(&["--client-ca", &authority]);
    let without = certificates.get(&service, "/v1/dialects", None).await;
    assert!(without.starts_with("HTTP/1.1 403 ") && without.contains("certificate-needed"), "{without}");
    // A probe has no certificate.
    assert!(certificates.get(&service, "/livez", None).await.starts_with("HTTP/1.1 200 "));
    assert_eq!(certificates.get(&service, "/livez", Some("stranger")).await, "");
    assert!(certificates.get(&service, "/v1/dialects", Some("bot")).await.starts_with("HTTP/1.1 200 "));
    let callers: Vec<Value> = (0..3).map(|_| service.line("request")["caller"].clone()).collect();
    assert_eq!(callers, [Value::Null, Value::Null, "CN=bot.example".into()]);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_token_does_instead_of_a_certificate() {
    let certificates = Certificates::new();
    certificates.sign("bot", "bot.example", ExtendedKeyUsagePurpose::ClientAuth);
    let token = overfold_cli::api::NewToken::generate("ci").unwrap();
    fs::write(certificates.path("tokens"), &token.line).unwrap();
    let (authority, tokens) = (certificates.text("ca.pem"), certificates.text("tokens"));
    let service = certificates.serve(&["--client-ca", &authority, "--token-file", &tokens]);
    assert!(certificates.get(&service, "/v1/dialects", None).await.contains("token-needed"));
    assert!(certificates.get(&service, "/v1/dialects", Some("bot")).await.starts_with("HTTP/1.1 200 "));
    let mut stream = certificates.connect(&service, "http/1.1", None).await.unwrap();
    let request = format!(
        "GET /v1/dialects HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nAuthorization: Bearer {}\r\n\r\n",
        token.token
    );
    stream.write_all(request.as_bytes()).await.unwrap();
    let mut answer = String::new();
    let _ = stream.read_to_string(&mut answer).await;
    assert!(answer.starts_with("HTTP/1.1 200 "), "{answer}");
}

/// Otherwise whoever has a certificate, such as a proxy, could do for others what these may not.
#[tokio::test(flavor = "multi_thread")]
async fn an_identity_decides_beside_a_certificate_and_both_are_callers() {
    let certificates = Certificates::new();
    certificates.sign("bot", "bot.example", ExtendedKeyUsagePurpose::ClientAuth);
    let signer = Signer::usual();
    fs::write(certificates.path("jwks.json"), jwks(&[signer.jwk()])).unwrap();
    let (authority, keys) = (certificates.text("ca.pem"), certificates.text("jwks.json"));
    let mut args = vec!["--client-ca", &authority, "--caller-rate", "1", "--caller-burst", "3"];
    args.extend(flags(&keys));
    let service = certificates.serve(&args);
    let get = async |own: Option<&str>, token: Option<&str>| {
        let mut stream = certificates.connect(&service, "http/1.1", own).await.unwrap();
        let token = token.map(|token| format!("Authorization: Bearer {token}\r\n")).unwrap_or_default();
        let request = format!("GET /version HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n{token}\r\n");
        stream.write_all(request.as_bytes()).await.unwrap();
        let mut answer = String::new();
        let _ = stream.read_to_string(&mut answer).await;
        answer.split(' ').nth(1).unwrap_or_default().to_owned()
    };
    assert_eq!(get(None, Some(&signer.token(&claims("overfold:metrics")))).await, "200");
    assert_eq!(get(None, Some("no.such.token")).await, "401");
    assert_eq!(get(Some("bot"), Some(&signer.token(&claims("overfold:metrics")))).await, "200");
    assert_eq!(get(Some("bot"), Some(&signer.token(&claims("overfold:merge")))).await, "403");
    assert_eq!(get(Some("bot"), Some("no.such.token")).await, "401");
    let mut statuses = Vec::new();
    while statuses.len() < 50 && statuses.last().is_none_or(|last| last == "200") {
        statuses.push(get(Some("bot"), None).await);
    }
    assert_eq!(statuses.pop().unwrap(), "429", "{statuses:?}");
    assert!(statuses.len() >= 3, "the burst: {statuses:?}");
}

/// Returns the certificate that the service has now.
async fn shown(certificates: &Certificates, service: &Service) -> Option<Vec<u8>> {
    let stream = certificates.connect(service, "http/1.1", None).await.ok()?;
    stream.get_ref().1.peer_certificates()?.first().map(|certificate| certificate.to_vec())
}

#[tokio::test(flavor = "multi_thread")]
async fn a_new_certificate_is_used_without_dropping_a_connection() {
    let certificates = Certificates::new();
    let service = certificates.serve(&[]);
    let before = shown(&certificates, &service).await.unwrap();
    let client = certificates.http2(&service).await;
    assert_eq!(client.get("/livez").await.0, 200);
    // Something unusable changes nothing, and is reported once.
    let key = fs::read(certificates.path("service.key")).unwrap();
    fs::write(certificates.path("service.key"), "not a key").unwrap();
    service.line("the certificate cannot be read again; the previous one stays in use");
    assert_eq!(shown(&certificates, &service).await.unwrap(), before);
    fs::write(certificates.path("service.key"), key).unwrap();
    certificates.sign("service", "localhost", ExtendedKeyUsagePurpose::ServerAuth);
    service.line("the certificate has been read again");
    assert_eq!(client.get("/livez").await.0, 200, "the connection goes on");
    let end = Instant::now() + PATIENCE;
    while shown(&certificates, &service).await.unwrap() == before {
        assert!(Instant::now() < end, "the new certificate is not used");
        sleep(Duration::from_millis(200)).await;
    }
}

/// Returns the value of a series.
async fn metric(certificates: &Certificates, service: &Service, series: &str) -> Option<u64> {
    let text = certificates.get(service, "/metrics", None).await;
    text.lines().find_map(|line| line.strip_prefix(series)?.strip_prefix(' ')?.trim().parse().ok())
}

#[tokio::test(flavor = "multi_thread")]
async fn the_end_of_a_certificate_is_announced_at_the_start_and_when_it_is_replaced() {
    const DAY: i64 = 24 * 60 * 60;
    let certificates = Certificates::new();
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap().as_secs();
    let day = |number: i64| now.checked_add_signed(number * DAY).unwrap();
    let sign = |from, until| {
        let valid = [day(from), day(until)].map(Duration::from_secs);
        certificates.sign_for("service", "localhost", ExtendedKeyUsagePurpose::ServerAuth, valid);
    };
    sign(-80, 10);
    let service = certificates.serve(&[]);
    let first = service.before_listening("the certificate expires soon");
    assert_eq!(first["not_after"].as_str().unwrap().len(), "2026-01-01T00:00:00Z".len(), "{first}");
    assert_eq!(first["level"], "WARN", "{first}");
    let read = async |name: &str| metric(&certificates, &service, name).await.unwrap();
    assert_eq!(read("overfold_tls_certificate_not_before_seconds").await, day(-80));
    assert_eq!(read("overfold_tls_certificate_not_after_seconds").await, day(10));

    sign(-80, -1);
    assert_eq!(service.line("the certificate has expired, so clients refuse it")["level"], "WARN");
    sign(1, 80);
    assert_eq!(service.line("the certificate is not valid yet, so clients refuse it")["level"], "WARN");
    sign(-1, 80);
    service.line("the certificate has been read again");
    assert_eq!(read("overfold_tls_certificate_not_after_seconds").await, day(80));
}

#[tokio::test(flavor = "multi_thread")]
async fn files_that_cannot_be_read_again_are_counted_until_they_can() {
    let certificates = Certificates::new();
    let token = overfold_cli::api::NewToken::generate("ci").unwrap();
    fs::write(certificates.path("tokens"), &token.line).unwrap();
    certificates.sign("bot", "bot.example", ExtendedKeyUsagePurpose::ClientAuth);
    let (tokens, authority) = (certificates.text("tokens"), certificates.text("ca.pem"));
    let service = certificates.serve(&["--token-file", &tokens, "--client-ca", &authority]);
    let counts = async || {
        let text = certificates.get(&service, "/metrics", Some("bot")).await;
        let value = |series: &str| -> u64 {
            let found = text.lines().find_map(|line| line.strip_prefix(series)?.trim().parse().ok());
            found.ok_or_else(|| format!("{series}: {text}")).unwrap()
        };
        ["tls-certificate", "token-file"].map(|file| {
            (
                value(&format!("overfold_reload_successful{{file=\"{file}\"}}")),
                value(&format!("overfold_reload_failures_total{{file=\"{file}\"}}")),
            )
        })
    };
    assert_eq!(counts().await, [(1, 0), (1, 0)]);
    let key = fs::read(certificates.path("service.key")).unwrap();
    fs::write(certificates.path("service.key"), "not a key").unwrap();
    service.line("the certificate cannot be read again; the previous one stays in use");
    fs::write(certificates.path("tokens"), "not a token").unwrap();
    service.line("the token file cannot be read again; what it contained before stays valid");
    // Still, when they are looked at again.
    sleep(Duration::from_secs(5)).await;
    assert_eq!(counts().await, [(0, 1), (0, 1)]);
    fs::write(certificates.path("service.key"), key).unwrap();
    fs::write(certificates.path("tokens"), &token.line).unwrap();
    service.line("the certificate has been read again");
    let end = Instant::now() + PATIENCE;
    while counts().await != [(1, 1), (1, 1)] {
        assert!(Instant::now() < end, "{:?}", counts().await);
        sleep(Duration::from_millis(200)).await;
    }
}

#[test]
fn files_that_cannot_be_used_are_refused_at_the_start() {
    let certificates = Certificates::new();
    let others = Certificates::new();
    fs::write(certificates.path("empty.pem"), "").unwrap();
    let text = |name: &str| certificates.text(name);
    let start = |certificate: &str, key: &str, more: &[&str]| {
        let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_overfold"));
        command
            .args(["serve", "--listen", "127.0.0.1:0", "--tls-certificate", certificate, "--tls-key", key])
            .args(more);
        let ended = command.output().unwrap();
        assert!(!ended.status.success());
        String::from_utf8(ended.stderr).unwrap()
    };
    let foreign = others.text("service.key");
    let pem = |kind: &str, bytes: &str| format!("-----BEGIN {kind}-----\n{bytes}\n-----END {kind}-----\n");
    for (name, content) in [
        ("garbage.pem", pem("CERTIFICATE", "AAAA")),
        ("damaged.pem", pem("CERTIFICATE", "!!")),
        ("garbage.key", pem("PRIVATE KEY", "AAAA")),
        ("damaged.key", pem("PRIVATE KEY", "!!")),
        ("encrypted.key", pem("ENCRYPTED PRIVATE KEY", "AAAA")),
        ("garbage-ca.pem", fs::read_to_string(certificates.path("ca.pem")).unwrap() + &pem("CERTIFICATE", "AAAA")),
    ] {
        fs::write(certificates.path(name), content).unwrap();
    }
    for (certificate, key, expected) in [
        ("garbage.pem", "service.key", "garbage.pem: the first certificate in it is no valid X.509 certificate"),
        ("damaged.pem", "service.key", "damaged.pem: a part of it begins like PEM and is damaged"),
        ("service.pem", "garbage.key", "garbage.key: the private key is damaged"),
        ("service.pem", "damaged.key", "damaged.key: a part of it begins like PEM"),
        ("service.pem", "encrypted.key", "encrypted.key: the private key is encrypted with a passphrase"),
        ("ca.pem", "service.key", "service.key: not the key of the first certificate in"),
    ] {
        let said = start(&text(certificate), &text(key), &[]);
        assert!(said.contains(expected), "{expected}: {said}");
    }
    let said = start(&text("service.pem"), &text("service.key"), &["--client-ca", &text("garbage-ca.pem")]);
    assert!(said.contains("garbage-ca.pem: certificate 2 in it is no valid"), "{said}");
    for (certificate, key, more, expected) in [
        (text("missing.pem"), text("service.key"), vec![], "missing.pem"),
        (text("empty.pem"), text("service.key"), vec![], "contains no certificate"),
        (text("service.pem"), text("service.pem"), vec![], "contains no private key"),
        (text("service.pem"), foreign, vec![], "service.key: not the key of the first certificate in"),
        (
            text("service.pem"),
            text("service.key"),
            vec!["--client-ca".to_owned(), text("empty.pem")],
            "contains no certificate",
        ),
        (
            text("service.pem"),
            text("service.key"),
            vec!["--client-ca".to_owned(), text("ca.pem"), "--allow-anonymous".to_owned()],
            "--allow-anonymous",
        ),
    ] {
        let more: Vec<&str> = more.iter().map(String::as_str).collect();
        let said = start(&certificate, &key, &more);
        assert!(said.contains(expected), "{expected}: {said}");
        assert!(!said.contains("PRIVATE"), "{said}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn each_further_request_takes_a_place_of_its_own() {
    let certificates = Certificates::new();
    let service =
        certificates.serve(&[&UNLIMITED[..], &["--max-connections", "2", "--body-gap-seconds", "60"]].concat());
    let client = certificates.http2(&service).await;
    // Two have places, and further ones come into the reserve, which answers nothing but probes.
    let mut open = Vec::new();
    for _ in 0..2 {
        open.push(client.begin("POST", "/v1/merge", false).await);
    }
    let (status, body) = client.post("/v1/merge", merge("")).await;
    assert_eq!(status, 503, "{}", String::from_utf8_lossy(&body));
    assert_eq!(client.get("/livez").await.0, 200);
    drop(open);
    let end = Instant::now() + PATIENCE;
    while client.post("/v1/merge", merge("")).await.0 != 200 {
        assert!(Instant::now() < end, "the places are not given back");
        sleep(Duration::from_millis(50)).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn who_does_not_read_an_answer_loses_it_and_nothing_else() {
    let certificates = Certificates::new();
    let service = certificates.serve(&["--write-seconds", "1"]);
    let client = certificates.http2(&service).await;
    let (_, response) = client.begin("GET", LARGE, true).await;
    let mut unread = timeout(PATIENCE, response).await.unwrap().unwrap().into_body();
    let start = Instant::now();
    let reset = loop {
        assert_eq!(client.get("/livez").await.0, 200, "the others go on");
        sleep(Duration::from_millis(100)).await;
        assert!(start.elapsed() < PATIENCE);
        // What arrives is not released, so no more than the window does.
        let next = timeout(Duration::from_millis(10), unread.data()).await;
        if let Ok(Some(Err(error))) = next {
            break error;
        }
    };
    assert_eq!(reset.reason(), Some(Reason::CANCEL));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_stalled_body_is_a_408_and_the_others_go_on() {
    let certificates = Certificates::new();
    let service = certificates.serve(&["--body-gap-seconds", "1"]);
    let client = certificates.http2(&service).await;
    let (mut sending, response) = client.begin("POST", "/v1/merge", false).await;
    sending.send_data("{".into(), false).unwrap();
    assert_eq!(client.get("/livez").await.0, 200);
    let (status, body) = whole(timeout(PATIENCE, response).await.unwrap()).await;
    assert_eq!(status, 408, "{}", String::from_utf8_lossy(&body));
}

#[tokio::test(flavor = "multi_thread")]
async fn work_for_a_request_that_is_reset_is_cancelled() {
    let certificates = Certificates::new();
    let service = certificates.serve(&[&UNLIMITED[..], &["--concurrency", "1", "--timeout-seconds", "600"]].concat());
    let client = certificates.http2(&service).await;
    let (mut sending, response) = client.begin("POST", "/v1/merge", false).await;
    sending.send_data(endless().into(), true).unwrap();
    sleep(Duration::from_millis(500)).await;
    sending.send_reset(Reason::CANCEL);
    drop(response);
    let line = service.line("request");
    assert_eq!(line["outcome"], "aborted", "{line}");
    // The only place is free again.
    assert_eq!(client.post("/v1/merge", merge("")).await.0, 200);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_connection_that_is_idle_is_ended() {
    let certificates = Certificates::new();
    let service = certificates.serve(&["--idle-seconds", "1"]);
    let client = certificates.http2(&service).await;
    assert_eq!(client.get("/livez").await.0, 200);
    timeout(PATIENCE, client.ended.notified()).await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn requests_in_progress_are_answered_when_the_service_stops() {
    let certificates = Certificates::new();
    let mut service = certificates.serve(&["--grace-seconds", "20", "--body-gap-seconds", "60"]);
    let client = certificates.http2(&service).await;
    let (mut sending, response) = client.begin("POST", "/v1/merge", false).await;
    let body = merge("locals {\n}\n");
    let (first, rest) = body.split_at(5);
    sending.send_data(first.to_owned().into(), false).unwrap();
    assert_eq!(client.get("/livez").await.0, 200);
    service.signal("TERM");
    sleep(Duration::from_millis(300)).await;
    sending.send_data(rest.to_owned().into(), true).unwrap();
    assert_eq!(whole(timeout(PATIENCE, response).await.unwrap()).await.0, 200);
    timeout(PATIENCE, client.ended.notified()).await.unwrap();
    let (status, took) = service.end();
    assert!(status.success());
    assert!(took < Duration::from_secs(15), "{took:?}");
}

#[test]
fn a_health_check_works_with_tls() {
    let certificates = Certificates::new();
    let service = certificates.serve(&[]);
    let check = |certificate: Option<&Path>| {
        let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_overfold"));
        command.args(["healthcheck", "--listen", &service.address.to_string()]);
        if let Some(certificate) = certificate {
            command.arg("--tls-certificate").arg(certificate);
        }
        command.status().unwrap().success()
    };
    assert!(check(Some(&certificates.path("service.pem"))));
    assert!(!check(None), "without TLS, the answer is a 400");
}
