//! What an identity may do, and what a route needs.

/// A right that the issuer of an identity grants. A token of the token file has all of them.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Scope {
    /// Everything about modules but plans.
    Merge,
    /// Plans.
    Plan,
    /// The state of the service itself.
    Metrics,
}

impl Scope {
    /// Every scope.
    pub(crate) const ALL: [Self; 3] = [Self::Merge, Self::Plan, Self::Metrics];

    /// Returns the name, as it appears in a token.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Merge => "overfold:merge",
            Self::Plan => "overfold:plan",
            Self::Metrics => "overfold:metrics",
        }
    }

    const fn bit(self) -> u8 {
        match self {
            Self::Merge => 1,
            Self::Plan => 2,
            Self::Metrics => 4,
        }
    }
}

/// A set of scopes.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Scopes(u8);

impl Scopes {
    /// Every scope.
    pub const ALL: Self = Self(Scope::Merge.bit() | Scope::Plan.bit() | Scope::Metrics.bit());

    /// Adds the scope with this name. Names of other services' scopes add nothing.
    pub(super) fn add(&mut self, name: &str) {
        if let Some(scope) = Scope::ALL.into_iter().find(|scope| scope.name() == name) {
            self.0 |= scope.bit();
        }
    }

    /// Whether a scope is among them.
    pub const fn has(self, scope: Scope) -> bool {
        self.0 & scope.bit() != 0
    }

    /// Returns the names, separated by spaces.
    pub(super) fn names(self) -> String {
        let names: Vec<_> = Scope::ALL.into_iter().filter(|scope| self.has(*scope)).map(Scope::name).collect();
        names.join(" ")
    }
}

/// What a route needs of its caller.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Need {
    /// Nothing: the route is open to everyone.
    Nothing,
    /// This scope, if callers have identities.
    Scope(Scope),
}

/// The needs of all routes, each with its path as written in the router. A route that is not listed needs a scope that
/// nobody has.
pub type Needs = &'static [(&'static str, Need)];

/// Returns what the route with this path needs; `None` if it is not listed.
pub(crate) fn need_of(needs: Needs, route: &str) -> Option<Need> {
    needs.iter().find(|(path, _)| *path == route).map(|(_, need)| *need)
}
