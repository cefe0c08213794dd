//! What a value carries beside its data: that it is secret.

use crate::diag::Secrecy;

/// Marks beside a value: sensitive, ephemeral.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Marks(u8);

impl Marks {
    /// No marks.
    pub const NONE: Self = Self(0);
    /// Not to be shown.
    pub const SENSITIVE: Self = Self(1);
    /// Not to be stored.
    pub const EPHEMERAL: Self = Self(2);

    /// Marks of either.
    #[must_use]
    pub const fn and(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// These marks without those of `other`.
    #[must_use]
    pub const fn without(self, other: Self) -> Self {
        Self(self.0 & !other.0)
    }

    /// Whether there are none.
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// The marks of values that are this secret.
    pub const fn of(secrecy: Secrecy) -> Self {
        match secrecy {
            Secrecy::Open => Self::NONE,
            Secrecy::Sensitive => Self::SENSITIVE,
            Secrecy::Ephemeral => Self::EPHEMERAL,
        }
    }

    /// How secret a value with these marks is.
    pub const fn secrecy(self) -> Secrecy {
        if self.is_ephemeral() {
            Secrecy::Ephemeral
        } else if self.is_sensitive() {
            Secrecy::Sensitive
        } else {
            Secrecy::Open
        }
    }

    /// Whether the sensitive mark is there.
    pub const fn is_sensitive(self) -> bool {
        self.0 & 1 != 0
    }

    /// Whether the ephemeral mark is there.
    pub const fn is_ephemeral(self) -> bool {
        self.0 & 2 != 0
    }
}
