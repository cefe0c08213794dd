//! What the paths of this service lead to: probes, and pages for people.

use overfold_server::paths::PathRole;

/// The policy for the explorer: only files of this service, nothing inline. Its editors draw small images as `data:`.
const EXPLORER: &str = "default-src 'none'; script-src 'self'; worker-src 'self'; style-src 'self'; img-src 'self' data:; \
                        connect-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'";
/// The policy for the pages of the contract: only files of this service, no inline scripts. The one inline style is
/// that of the logo that the page's scripts draw; the images of its style sheet are `data:` URLs.
const PAGES: &str = "default-src 'none'; script-src 'self'; \
                     style-src 'self' 'sha256-RL3ie0nH+Lzz2YNqQN83mnU0J1ot4QL7b99vMdIX99w='; img-src 'self' data:; \
                     connect-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'";

/// Returns what a path leads to.
pub(crate) fn role(path: &str) -> PathRole {
    match path {
        "/livez" | "/readyz" => PathRole::Probe,
        "/metrics" => PathRole::State,
        // The contract is the same everywhere.
        "/openapi.json" => PathRole::Document,
        "/" => PathRole::Page { policy: EXPLORER },
        "/docs" => PathRole::Page { policy: PAGES },
        _ if path.starts_with("/explorer/") => PathRole::Page { policy: EXPLORER },
        _ if path.starts_with("/docs/") => PathRole::Page { policy: PAGES },
        _ => PathRole::Route,
    }
}
