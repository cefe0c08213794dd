//! What paths lead to, as far as the layers treat them differently. The program above says which path is what.

/// What a path leads to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PathRole {
    /// A probe: it answers only yes or no, and its callers have no token and call by address.
    Probe,
    /// The state of the service, which is answered even on connections beyond the cap.
    State,
    /// A document that is the same everywhere, and needs no token.
    Document,
    /// A page for people, which a browser requests without being able to send a token.
    Page {
        /// What the page may load and run: the value of `Content-Security-Policy`.
        policy: &'static str,
    },
    /// Everything else.
    Route,
}

/// Says what a path leads to.
pub type PathRoles = fn(&str) -> PathRole;

impl PathRole {
    /// Whether nobody needs a token for it.
    pub const fn is_open(self) -> bool {
        matches!(self, Self::Probe | Self::Document | Self::Page { .. })
    }

    /// Whether it is answered on connections beyond the cap.
    pub(crate) const fn is_reserved_for(self) -> bool {
        matches!(self, Self::Probe | Self::State)
    }
}
