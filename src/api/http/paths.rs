//! The paths that layers treat differently: probes, and pages for people.

/// Whether a path is a probe. Probes answer only yes or no, and their callers have no token and call by address.
pub(crate) fn is_probe(path: &str) -> bool {
    matches!(path, "/livez" | "/readyz")
}

/// Whether a path needs no token: the probes, and the pages and the document of the contract, which are the same
/// everywhere, and which a browser requests without being able to send a token.
pub(crate) fn is_open(path: &str) -> bool {
    is_probe(path) || path == "/openapi.json" || is_page(path)
}

/// Whether a path is one of the pages for people.
pub(crate) fn is_page(path: &str) -> bool {
    is_explorer(path) || path == "/docs" || path.starts_with("/docs/")
}

/// Whether a path is the explorer or one of its files.
pub(crate) fn is_explorer(path: &str) -> bool {
    path == "/" || path.starts_with("/explorer/")
}
