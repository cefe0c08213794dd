//! Estimates how much work a request is, from the size and format of its body alone.

/// A request's size class, and the number of bytes that determined it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Weight {
    /// The class, in whose line the request waits.
    pub class: SizeClass,
    /// The number of bytes that probably have to be processed.
    pub(super) bytes: u64,
}

impl Weight {
    /// Returns the weight of a body of `bytes` bytes without Content-Encoding; `packed` says that it is a compressed
    /// archive.
    pub const fn from_size(bytes: u64, packed: bool) -> Self {
        let bytes = if packed { bytes.saturating_mul(PACKED) } else { bytes };
        let class = match bytes {
            0..=0x8000 => SizeClass::Small,
            0x8001..=0x10_0000 => SizeClass::Medium,
            _ => SizeClass::Large,
        };
        Self { class, bytes }
    }

    /// Returns the weight of this body together with `more` bytes that are not compressed.
    #[must_use]
    pub const fn and(self, more: u64) -> Self {
        Self::from_size(self.bytes.saturating_add(more), false)
    }
}

/// Size classes. Requests of one class wait in one line; a class never waits for the work of a larger one to finish as
/// long as there is a place that the larger one may not take.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum SizeClass {
    /// Up to 32 KiB: a typical module.
    Small,
    /// Up to 1 MiB.
    Medium,
    /// Everything above.
    Large,
}

/// A compressed archive unpacks to about this many times its size. This is only an estimate: its actual content is
/// limited and counted where it is unpacked.
const PACKED: u64 = 4;

impl SizeClass {
    /// Every class, smallest first.
    pub(crate) const ALL: [Self; 3] = [Self::Small, Self::Medium, Self::Large];

    /// Returns the name in metrics and log lines.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Small => "small",
            Self::Medium => "medium",
            Self::Large => "large",
        }
    }
}

/// One value for each class.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct PerClass<T> {
    small: T,
    medium: T,
    large: T,
}

impl<T> PerClass<T> {
    /// Creates a value for each class with `make`.
    pub(crate) fn from_fn(mut make: impl FnMut(SizeClass) -> T) -> Self {
        Self { small: make(SizeClass::Small), medium: make(SizeClass::Medium), large: make(SizeClass::Large) }
    }

    /// Returns the value for a class.
    pub(crate) const fn get(&self, class: SizeClass) -> &T {
        match class {
            SizeClass::Small => &self.small,
            SizeClass::Medium => &self.medium,
            SizeClass::Large => &self.large,
        }
    }

    /// Returns the value for a class mutably.
    pub(crate) const fn get_mut(&mut self, class: SizeClass) -> &mut T {
        match class {
            SizeClass::Small => &mut self.small,
            SizeClass::Medium => &mut self.medium,
            SizeClass::Large => &mut self.large,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_packed_archive_counts_for_what_it_is_likely_to_hold() {
        assert_eq!(Weight::from_size(32 << 10, false).class, SizeClass::Small);
        assert_eq!(Weight::from_size(32 << 10, true), Weight { class: SizeClass::Medium, bytes: 128 << 10 });
        assert_eq!(Weight::from_size(1 << 20, false).class, SizeClass::Medium);
        assert_eq!(Weight::from_size(u64::MAX, true).class, SizeClass::Large);
    }
}
