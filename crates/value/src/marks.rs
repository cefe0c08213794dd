//! What a value carries in addition to its data: whether it is secret, and whether it is exact.

use overfold_base::diag::Secrecy;

/// The marks of a value.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Marks(u8);

impl Marks {
    /// No marks.
    pub const NONE: Self = Self(0);
    /// Must not be shown.
    pub const SENSITIVE: Self = Self(1);
    /// Must not be stored.
    pub const EPHEMERAL: Self = Self(2);
    /// An object of which only some attributes are known: it may have others.
    pub const OPEN: Self = Self(4);
    /// Computed from something that was not given, so that it may not be what it seems.
    pub const INEXACT: Self = Self(8);

    /// Is shown only where sensitive values are, although the tool does not count it as sensitive: the outputs of another
    /// state that are sensitive there, and what they are passed on to.
    pub const CONFIDENTIAL: Self = Self(16);

    /// Comes from something that is declared as deprecated.
    pub const DEPRECATED: Self = Self(64);

    /// Is never shown, although the tool does not count it as ephemeral: what was made of an ephemeral value.
    pub const WITHHELD: Self = Self(32);

    /// Returns the union of both.
    #[must_use]
    pub const fn and(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// Returns these marks without those of `other`.
    #[must_use]
    pub const fn without(self, other: Self) -> Self {
        Self(self.0 & !other.0)
    }

    /// Returns whether there are no marks.
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Returns the marks that correspond to a level of secrecy.
    pub const fn from_secrecy(secrecy: Secrecy) -> Self {
        match secrecy {
            Secrecy::Open => Self::NONE,
            Secrecy::Sensitive => Self::SENSITIVE,
            Secrecy::Ephemeral => Self::EPHEMERAL,
        }
    }

    /// Returns the marks that the result of a logical operation or a negation keeps if an operand is unknown: in the tool,
    /// none.
    #[must_use]
    pub const fn of_unknown_logic(self) -> Self {
        self.without(Self::SENSITIVE.and(Self::EPHEMERAL))
    }

    /// Returns these marks as the tool keeps them in what it makes of a value without passing on whether it is secret; here
    /// that is remembered.
    #[must_use]
    pub const fn forgotten(self) -> Self {
        self.without(Self::SENSITIVE.and(Self::EPHEMERAL)).and(self.confidential())
    }

    /// Returns the marks of a value that the tool no longer counts as secret, though it was made of one with these marks.
    #[must_use]
    pub const fn confidential(self) -> Self {
        match self.secrecy() {
            Secrecy::Open => Self::NONE,
            Secrecy::Sensitive => Self::CONFIDENTIAL,
            Secrecy::Ephemeral => Self::WITHHELD,
        }
    }

    /// Returns the level of secrecy that corresponds to these marks.
    pub const fn secrecy(self) -> Secrecy {
        if self.is_ephemeral() || self.0 & Self::WITHHELD.0 != 0 {
            Secrecy::Ephemeral
        } else if self.is_sensitive() || self.is_confidential() {
            Secrecy::Sensitive
        } else {
            Secrecy::Open
        }
    }

    /// Returns whether the value may not be what it seems: [`Self::OPEN`] or [`Self::INEXACT`] is set.
    pub const fn is_inexact(self) -> bool {
        self.0 & (Self::OPEN.0 | Self::INEXACT.0) != 0
    }

    /// Returns the mark of what is computed from a value with these marks: [`Self::INEXACT`], if the value may not be what
    /// it seems.
    #[must_use]
    pub const fn doubt(self) -> Self {
        if self.is_inexact() { Self::INEXACT } else { Self::NONE }
    }

    /// Returns the marks of what is computed from a value with these marks, which is no object of which only some attributes
    /// are known any more: [`Self::INEXACT`] in place of [`Self::OPEN`].
    #[must_use]
    pub const fn of_result(self) -> Self {
        self.without(Self::OPEN).and(self.doubt())
    }

    /// Returns these marks without those that say that the value may not be what it seems.
    #[must_use]
    pub const fn without_doubt(self) -> Self {
        self.without(Self::OPEN.and(Self::INEXACT))
    }

    /// Returns whether it comes from something that is declared as deprecated.
    pub const fn is_deprecated(self) -> bool {
        self.0 & Self::DEPRECATED.0 != 0
    }

    /// Returns whether it is an object of which only some attributes are known.
    pub const fn is_open(self) -> bool {
        self.0 & (Self::OPEN.0 | Self::INEXACT.0) == Self::OPEN.0
    }

    /// Returns whether the sensitive mark is set.
    pub const fn is_sensitive(self) -> bool {
        self.0 & 1 != 0
    }

    /// Returns whether [`Self::CONFIDENTIAL`] or [`Self::WITHHELD`] is set.
    pub const fn is_confidential(self) -> bool {
        self.0 & (Self::CONFIDENTIAL.0 | Self::WITHHELD.0) != 0
    }

    /// Returns whether the ephemeral mark is set.
    pub const fn is_ephemeral(self) -> bool {
        self.0 & 2 != 0
    }
}
