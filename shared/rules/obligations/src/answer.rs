//! An answer with three values: yes, no and unknown.

/// Answer of a condition.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Answer {
    /// It holds.
    Yes,
    /// It does not hold.
    No,
    /// The sources do not show whether it holds.
    Unknown,
}

impl Answer {
    pub(crate) fn of(known: Option<bool>) -> Self {
        match known {
            Some(true) => Self::Yes,
            Some(false) => Self::No,
            None => Self::Unknown,
        }
    }

    /// Whether both conditions hold: `No` if one of them is `No`, even if the other is `Unknown`.
    pub(crate) fn and(self, other: Self) -> Self {
        match (self, other) {
            (Self::No, _) | (_, Self::No) => Self::No,
            (Self::Yes, Self::Yes) => Self::Yes,
            _ => Self::Unknown,
        }
    }

    /// At least one.
    pub(crate) fn or(self, other: Self) -> Self {
        self.not().and(other.not()).not()
    }

    pub(crate) fn not(self) -> Self {
        match self {
            Self::Yes => Self::No,
            Self::No => Self::Yes,
            Self::Unknown => Self::Unknown,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_part_that_does_not_hold_decides_over_unknown_ones() {
        use Answer::{No, Unknown, Yes};
        assert_eq!([Yes.and(Unknown), No.and(Unknown), Yes.and(Yes)], [Unknown, No, Yes]);
        assert_eq!([Yes.or(Unknown), No.or(Unknown), No.or(No)], [Yes, Unknown, No]);
        assert_eq!(Unknown.not(), Unknown);
    }
}
