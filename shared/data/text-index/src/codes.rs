//! Codes: values of records as numbers for columns, and back. 0 means "not known".

use std::ops::Range;

use domain::{
    Amount, AuditorCategory, Canton, ChangeKind, Status,
    changes::LegalEvent,
    company::StatusReason,
    legal_forms::{LEGAL_FORMS, LegalForm},
    noga::{self, Division},
};
use jiff::{Timestamp, civil::Date};
use uuid::Uuid;

pub(crate) fn status(status: Status) -> u64 {
    match status {
        Status::Active => 1,
        Status::BeingCancelled => 2,
        Status::Cancelled => 3,
    }
}

pub(crate) fn status_of(code: u64) -> Option<Status> {
    Status::ALL.into_iter().find(|it| status(*it) == code)
}

pub(crate) fn status_reason(reason: StatusReason) -> u64 {
    code_at(StatusReason::ALL.iter().position(|it| *it == reason))
}

/// Position of a status in the order of relevance.
pub(crate) fn relevance_rank(status: u64) -> u64 {
    match status_of(status) {
        Some(Status::Active) => 0,
        Some(Status::BeingCancelled) => 1,
        None => 2,
        Some(Status::Cancelled) => 3,
    }
}

/// In alphabetical order of the canton codes, so that sorting by code sorts alphabetically.
pub(crate) fn canton(canton: Canton) -> u64 {
    1 + Canton::ALL.iter().filter(|it| it.code() < canton.code()).count() as u64
}

pub(crate) fn canton_of(code: u64) -> Option<Canton> {
    Canton::ALL.into_iter().find(|it| canton(*it) == code)
}

pub(crate) fn legal_form(code: &str) -> u64 {
    code_at(LEGAL_FORMS.iter().position(|it| it.code == code))
}

pub(crate) fn legal_form_of(code: u64) -> Option<&'static LegalForm> {
    LEGAL_FORMS.get(usize::try_from(code).ok()?.checked_sub(1)?)
}

pub(crate) fn auditor(category: AuditorCategory) -> u64 {
    code_at(AuditorCategory::ALL.iter().position(|it| *it == category))
}

pub(crate) fn auditor_of(code: u64) -> Option<AuditorCategory> {
    AuditorCategory::ALL.get(usize::try_from(code).ok()?.checked_sub(1)?).copied()
}

pub(crate) fn change(kind: ChangeKind) -> u64 {
    code_at(ChangeKind::ALL.iter().position(|it| *it == kind))
}

pub(crate) fn legal_event(event: LegalEvent) -> u64 {
    code_at(LegalEvent::ALL.iter().position(|it| *it == event))
}

/// The first six bytes of an id. A few ids may share them, so lookups must compare the whole id.
pub(crate) fn id(id: Uuid) -> u64 {
    (id.as_u128() >> 80) as u64
}

/// The currencies of `domain::search::CURRENCIES`, each with a fixed approximate rate in francs, used for sorting companies by size.
pub(crate) const CURRENCIES: [(&str, f64); 5] =
    [("CHF", 1.0), ("EUR", 0.95), ("USD", 0.85), ("GBP", 1.1), ("JPY", 0.006)];

/// The code of any other currency. Such amounts cannot be compared.
pub(crate) const OTHER_CURRENCY: u64 = CURRENCIES.len() as u64 + 1;

pub(crate) fn currency(code: &str) -> u64 {
    match CURRENCIES.iter().position(|(known, _)| *known == code) {
        Some(at) => code_at(Some(at)),
        None => OTHER_CURRENCY,
    }
}

pub(crate) fn currency_of(code: u64) -> Option<&'static str> {
    CURRENCIES.get(usize::try_from(code).ok()?.checked_sub(1)?).map(|(known, _)| *known)
}

/// Ten-thousandths plus one unit. Whole amounts stay multiples of one unit, which the column factors out.
/// Negative amounts count as 0.
pub(crate) fn capital(amount: Amount) -> u64 {
    let non_negative = amount.max(Amount::default());
    non_negative.ten_thousandths().saturating_add(UNIT).unsigned_abs()
}

pub(crate) fn capital_of(code: u64) -> Option<Amount> {
    let ten_thousandths = i64::try_from(code).ok()?.checked_sub(UNIT)?;
    (ten_thousandths >= 0).then_some(Amount::from_ten_thousandths(ten_thousandths))
}

const UNIT: i64 = Amount::units(1).ten_thousandths();

/// Dates before 0001-01-01 have the code of that date.
pub(crate) fn day(date: Date) -> u64 {
    let first = Date::constant(1, 1, 1);
    let days = date.duration_since(first).as_hours() / 24;
    u64::try_from(days).unwrap_or(0) + 1
}

/// In seconds since 1970, plus 1. Earlier times have the code of 1970.
pub(crate) fn moment(moment: Timestamp) -> u64 {
    u64::try_from(moment.as_second()).unwrap_or(0) + 1
}

pub(crate) fn quality(share: f64) -> u64 {
    (share.clamp(0.0, 1.0) * 10_000.0).round() as u64 + 100
}

/// Number of digits of a NOGA code that are stored.
const NOGA_DIGITS: u32 = 6;

/// Values of a position: ten digits, or no digit.
const NOGA_BASE: u64 = 11;

/// The first six digits. Codes with the same prefix form a range.
pub(crate) fn noga(code: &str) -> u64 {
    let digits = code.bytes().filter(u8::is_ascii_digit).map(|it| u64::from(it - b'0') + 1);
    let places = digits.chain(std::iter::repeat(0)).take(NOGA_DIGITS as usize);
    places.fold(0, |code, digit| code * NOGA_BASE + digit)
}

/// The range of codes that start with these digits.
pub(crate) fn nogas_beginning(digits: &str) -> Range<u64> {
    let known = (digits.len() as u32).min(NOGA_DIGITS);
    let first = noga(digits);
    first..first + NOGA_BASE.pow(NOGA_DIGITS - known)
}

pub(crate) fn division_of(code: u64) -> Option<&'static Division> {
    let division = code / NOGA_BASE.pow(NOGA_DIGITS - 2);
    let (tens, ones) =
        ((division / NOGA_BASE).checked_sub(1)?, (division % NOGA_BASE).checked_sub(1)?);
    noga::division(&format!("{tens}{ones}"))
}

/// Upper bound of the division numbers.
pub(crate) const DIVISIONS: usize = NOGA_BASE.pow(2) as usize;

/// The number of the division of a NOGA code; 0 if not known.
pub(crate) fn division_number(code: u64) -> u64 {
    code / NOGA_BASE.pow(NOGA_DIGITS - 2)
}

/// The division with this number.
pub(crate) fn division_with_number(number: u64) -> Option<&'static Division> {
    division_of(number * NOGA_BASE.pow(NOGA_DIGITS - 2))
}

/// Degrees in millionths (about 0.1 m), plus an offset. `None` if out of range.
pub(crate) fn latitude(degrees: f64) -> Option<u64> {
    (-90.0..=90.0).contains(&degrees).then(|| millionths(degrees + 90.0))
}

/// Degrees in millionths (about 0.1 m), plus an offset. `None` if out of range.
pub(crate) fn longitude(degrees: f64) -> Option<u64> {
    (-180.0..=180.0).contains(&degrees).then(|| millionths(degrees + 180.0))
}

pub(crate) fn latitude_of(code: u64) -> Option<f64> {
    Some((code.checked_sub(1)? as f64 - 90e6) / 1e6)
}

pub(crate) fn longitude_of(code: u64) -> Option<f64> {
    Some((code.checked_sub(1)? as f64 - 180e6) / 1e6)
}

fn millionths(degrees: f64) -> u64 {
    (degrees * 1e6).round() as u64 + 1
}

/// A set of codes of a short list, such as the cantons. One bit per code, so that looking one up takes the
/// same time for any number of wanted values.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Codes(u128);

/// Greater than every code of a short list.
const CODES: u64 = u128::BITS as u64;

const _: () = assert!(
    Canton::ALL.len() < CODES as usize
        && LEGAL_FORMS.len() < CODES as usize
        && ChangeKind::ALL.len() < CODES as usize
        && AuditorCategory::ALL.len() < CODES as usize
        && StatusReason::ALL.len() < CODES as usize
        && LegalEvent::ALL.len() < CODES as usize,
    "a set of codes has one bit for every code",
);

impl Codes {
    pub(crate) fn is_empty(self) -> bool {
        self.0 == 0
    }

    pub(crate) fn contains(self, code: u64) -> bool {
        code < CODES && (self.0 >> code) & 1 == 1
    }
}

impl FromIterator<u64> for Codes {
    fn from_iter<I: IntoIterator<Item = u64>>(codes: I) -> Self {
        let bits = codes.into_iter().filter(|it| *it < CODES).map(|it| 1 << it);
        Self(bits.fold(0, |all, it| all | it))
    }
}

/// Position from 1, because 0 means "not known".
fn code_at(index: Option<usize>) -> u64 {
    index.map_or(0, |it| it as u64 + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_convert_back_to_values() {
        for it in Status::ALL {
            assert_eq!(status_of(status(it)), Some(it));
        }
        for it in Canton::ALL {
            assert_eq!(canton_of(canton(it)), Some(it));
        }
        for it in &LEGAL_FORMS {
            assert_eq!(legal_form_of(legal_form(it.code)), Some(it));
        }
        for it in AuditorCategory::ALL {
            assert_eq!(auditor_of(auditor(it)), Some(it));
        }
        assert!(ChangeKind::ALL.map(change).into_iter().eq(1..=ChangeKind::ALL.len() as u64));
        for (it, _) in CURRENCIES {
            assert_eq!(currency_of(currency(it)), Some(it));
        }
        let permitted = domain::search::CURRENCIES;
        assert!(permitted.iter().all(|it| currency(it) != OTHER_CURRENCY));
        assert_eq!(permitted.len(), CURRENCIES.len());
        for it in &noga::DIVISIONS {
            assert_eq!(division_of(noga(it.code)), Some(it));
            assert_eq!(division_of(noga(&format!("{}9", it.code))), Some(it));
        }
        for it in [Amount::default(), Amount::units(100_000), Amount::from_ten_thousandths(1)] {
            assert_eq!(capital_of(capital(it)), Some(it));
        }
        assert_eq!(latitude(47.376888).and_then(latitude_of), Some(47.376888));
        assert_eq!(longitude(-8.541694).and_then(longitude_of), Some(-8.541694));
    }

    #[test]
    fn nothing_known_is_read_back_as_nothing() {
        assert_eq!(status_of(0), None);
        assert_eq!(canton_of(0), None);
        assert_eq!(legal_form_of(0), None);
        assert_eq!(auditor_of(0), None);
        assert_eq!(currency_of(0), None);
        assert_eq!(division_of(0), None);
        assert_eq!(capital_of(0), None);
        assert_eq!(latitude_of(0), None);
    }

    #[test]
    fn a_set_contains_its_codes_only() {
        let codes: Codes = [0, 3, 127, 3].into_iter().collect();
        assert!([0, 3, 127].into_iter().all(|it| codes.contains(it)));
        assert!(![1, 2, 63, 126, 128, 131, u64::MAX].into_iter().any(|it| codes.contains(it)));
        assert!(Codes::default().is_empty() && !codes.is_empty());
    }

    #[test]
    fn a_shorter_noga_code_includes_the_longer() {
        for code in ["62", "620", "6201", "62010", "620100", "6209"] {
            assert!(nogas_beginning("62").contains(&noga(code)), "{code}");
        }
        for code in ["", "6", "61", "63", "0620"] {
            assert!(!nogas_beginning("62").contains(&noga(code)), "{code}");
        }
        assert!(!nogas_beginning("6201").contains(&noga("62")));
        assert_eq!(noga("62.01.00"), noga("620100"));
    }

    #[test]
    fn days_and_moments_keep_their_order() {
        let days = [(1, 1, 1), (1291, 8, 1), (1999, 12, 31), (2000, 1, 1), (9999, 12, 31)];
        let codes = days.map(|(year, month, of)| day(Date::constant(year, month, of)));
        assert!(codes.is_sorted() && codes[0] == 1 && codes[3] - codes[2] == 1);
        assert_eq!(day(Date::constant(-5, 1, 1)), 1);
        assert_eq!(moment(Timestamp::MIN), 1);
    }
}
