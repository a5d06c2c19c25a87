//! The identifiers of invented companies. None of them can belong to a real one.

use domain::{Lei, Uid, statements::demo::LEI_PREFIX};

use crate::{CAPACITY, forms};

/// The number with these nine digits.
pub(crate) fn uid_of(number: u32) -> Uid {
    Uid::from_number(number).expect("a number of nine digits")
}

/// The number of the invented company with this index. Its first seven digits are a permutation of the index, so no two
/// companies have the same ones.
pub(crate) fn uid(index: usize) -> Uid {
    // Odd and divisible by neither 3 nor 5: coprime to the capacity. Neighbours get numbers far apart.
    const STRIDE: usize = 1_854_101;
    let seven = 6_000_000 + index * STRIDE % CAPACITY;
    let eighths = (0..10).map(|step| (index + step) % 10);
    let seven = u32::try_from(seven).expect("seven digits");
    uid_of(checked(seven, eighths))
}

/// The number of an invented audit firm, outside the range of the register's companies: `seven` begins with 9.
pub(crate) fn audit_firm_uid(seven: u32) -> Option<Uid> {
    Uid::from_number(checked(seven, 0..10))
}

/// Seven digits, the first of these eighth digits that has a check digit, and the check digit.
fn checked(seven: u32, eighths: impl Iterator<Item = usize>) -> u32 {
    // Of ten neighbours, at most one has no check digit (eCH-0108).
    let mut numbers = eighths.filter_map(|eighth| {
        let eight = seven * 10 + eighth as u32;
        Some(eight * 10 + Uid::check_digit(eight)?)
    });
    numbers.next().expect("nine of ten neighbours have a check digit")
}

/// The register number in the form used before 2014: office, kind, serial number, a last digit.
pub(crate) fn chid(index: usize, office: u32, form: &str) -> String {
    let kind = match form {
        forms::SOLE_TRADER => 1,
        forms::GENERAL_PARTNERSHIP | forms::LIMITED_PARTNERSHIP => 2,
        forms::CORPORATION => 3,
        forms::LIMITED_LIABILITY => 4,
        forms::COOPERATIVE => 5,
        forms::ASSOCIATION => 6,
        forms::FOUNDATION => 7,
        _ => 9,
    };
    format!("CH-{office:03}.{kind}.{:03}.{:03}-{}", index / 1_000 % 1_000, index % 1_000, index % 7)
}

/// A legal entity identifier with a prefix that no issuer has, and the check digits of ISO 17442.
pub(crate) fn lei(uid: Uid) -> Lei {
    lei_of(&format!("{LEI_PREFIX}CHE{:09}", uid.number()))
}

/// The same for a company abroad.
pub(crate) fn foreign_lei(number: usize) -> Lei {
    lei_of(&format!("{LEI_PREFIX}EXT{number:09}"))
}

fn lei_of(first_18: &str) -> Lei {
    Lei::with_check_digits(first_18).expect("18 letters and digits")
}
