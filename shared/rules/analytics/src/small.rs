//! Values of columns: small, and with room for "unknown", so that an `Option` of one needs no more memory.

use std::num::{NonZeroU16, NonZeroU32, NonZeroU64};

use domain::{Amount, legal_forms::LegalForm};
use jiff::civil::Date;
use serde::{Deserialize, Serialize};

use crate::InvalidRequest;

/// A day, as the number of days since 1 January 1970; in JSON the date.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(from = "Date", into = "Date")]
pub struct Day(NonZeroU32);

const SIGN: u32 = 1 << 31;
const EPOCH: Date = jiff::civil::date(1970, 1, 1);

impl Day {
    /// The day so many days after 1 January 1970.
    pub const fn new(days: i32) -> Self {
        // The sign bit is flipped, which keeps the order. The smallest number is the next one.
        match NonZeroU32::new(days.cast_unsigned() ^ SIGN) {
            Some(it) => Self(it),
            None => Self(NonZeroU32::MIN),
        }
    }

    /// The number of days since 1 January 1970.
    pub const fn number(self) -> i32 {
        (self.0.get() ^ SIGN).cast_signed()
    }

    /// The day as a date: the nearest one, if the calendar does not have it.
    pub fn date(self) -> Date {
        let nearest = if self.number() < 0 { Date::MIN } else { Date::MAX };
        let days = jiff::Span::new().try_days(self.number());
        days.and_then(|it| EPOCH.checked_add(it)).unwrap_or(nearest)
    }

    /// The day so many days later, or earlier if the number is negative.
    #[must_use]
    pub const fn plus(self, days: i32) -> Self {
        Self::new(self.number().saturating_add(days))
    }

    /// Number of days from an earlier day to this one: negative if that is later.
    pub const fn since(self, earlier: Self) -> i32 {
        self.number().saturating_sub(earlier.number())
    }

    /// Number of years from an earlier day to this one, of 365.25 days.
    pub fn years_since(self, earlier: Self) -> f64 {
        f64::from(self.since(earlier)) / DAYS_A_YEAR
    }
}

/// Mean length of a year.
pub(crate) const DAYS_A_YEAR: f64 = 365.25;

impl From<Date> for Day {
    fn from(date: Date) -> Self {
        Self::new((date - EPOCH).get_days())
    }
}

impl From<Day> for Date {
    fn from(day: Day) -> Self {
        day.date()
    }
}

impl std::fmt::Debug for Day {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}", self.date())
    }
}

/// The days from `since` to `until`, both included.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Window {
    /// First day.
    pub since: Day,
    /// Last day.
    pub until: Day,
}

impl Window {
    /// The last days up to `today`, which is one of them.
    pub fn last(days: u16, today: Day) -> Self {
        Self { since: today.plus(1 - i32::from(days)), until: today }
    }

    /// The same window, unless it ends before it begins.
    pub fn checked(self) -> Result<Self, InvalidRequest> {
        let Self { since, until } = self;
        let error = || InvalidRequest::Window { since: since.date(), until: until.date() };
        (since <= until).then_some(self).ok_or_else(error)
    }

    /// Whether a day is one of them.
    pub fn contains(self, day: Day) -> bool {
        self.since <= day && day <= self.until
    }
}

/// A number of things. The largest number counts as the one below.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Count(NonZeroU32);

impl Count {
    /// So many things.
    pub const fn new(count: u32) -> Self {
        Self(NonZeroU32::MIN.saturating_add(count))
    }

    /// How many.
    pub const fn get(self) -> u32 {
        self.0.get() - 1
    }
}

impl std::fmt::Debug for Count {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}", self.get())
    }
}

/// An amount of money. Its currency is in another column.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Money(NonZeroU64);

const SIGN_64: u64 = 1 << 63;

impl From<Amount> for Money {
    fn from(amount: Amount) -> Self {
        let ordered = amount.ten_thousandths().cast_unsigned() ^ SIGN_64;
        Self(NonZeroU64::new(ordered).unwrap_or(NonZeroU64::MIN))
    }
}

impl Money {
    /// The amount.
    pub const fn amount(self) -> Amount {
        Amount::from_ten_thousandths((self.0.get() ^ SIGN_64).cast_signed())
    }

    /// The amount as a float, for statistics.
    pub fn approximate(self) -> f64 {
        self.amount().approximate()
    }
}

impl std::fmt::Debug for Money {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}", self.amount())
    }
}

/// A currency: an ISO 4217 code.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Currency([u8; 3]);

impl Currency {
    /// The currency with this code of three capital letters.
    pub fn new(code: &str) -> Option<Self> {
        let letters: [u8; 3] = code.as_bytes().try_into().ok()?;
        letters.iter().all(u8::is_ascii_uppercase).then_some(Self(letters))
    }

    /// The code.
    pub fn code(&self) -> &str {
        std::str::from_utf8(&self.0).unwrap_or_default()
    }

    /// Whether it is the Swiss franc.
    pub fn is_franc(self) -> bool {
        self.0 == *b"CHF"
    }
}

impl std::fmt::Debug for Currency {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.code())
    }
}

/// The code of a legal form in eCH-0097.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct LegalFormCode(NonZeroU16);

impl LegalFormCode {
    /// The code with these four digits.
    pub fn new(code: &str) -> Option<Self> {
        let is_code = code.len() == 4 && code.bytes().all(|it| it.is_ascii_digit());
        let number = code.parse().ok().filter(|_| is_code)?;
        NonZeroU16::new(number).map(Self)
    }

    /// The form whose code is this number.
    pub fn from_number(number: u16) -> Option<Self> {
        NonZeroU16::new(number).filter(|it| it.get() <= 9_999).map(Self)
    }

    /// The code as a number.
    pub const fn number(self) -> u16 {
        self.0.get()
    }

    /// The four digits.
    pub fn code(self) -> String {
        format!("{:04}", self.0)
    }

    /// The German name, or the code of a form that this service has no name for.
    pub fn name(self) -> String {
        let code = self.code();
        LegalForm::by_code(&code).map_or_else(|| code.clone(), |it| it.name().to_owned())
    }
}

impl std::fmt::Debug for LegalFormCode {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.code())
    }
}

/// A NOGA 2008 code with as many digits as are known: two to six.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Noga(
    /// The digits after a 1, so that zeros at the beginning stay.
    NonZeroU32,
);

impl Noga {
    /// The code with these digits.
    pub fn new(code: &str) -> Option<Self> {
        let is_code = (2..=6).contains(&code.len()) && code.bytes().all(|it| it.is_ascii_digit());
        let number = format!("1{code}").parse().ok().filter(|_| is_code)?;
        NonZeroU32::new(number).map(Self)
    }

    /// The code of which these are the digits after a 1.
    pub fn from_number(number: u32) -> Option<Self> {
        let digits = NonZeroU32::new(number)?.ilog10();
        let is_code = (2..=6).contains(&digits) && number / 10_u32.pow(digits) == 1;
        NonZeroU32::new(number).filter(|_| is_code).map(Self)
    }

    /// The digits after a 1, as a number.
    pub const fn number(self) -> u32 {
        self.0.get()
    }

    /// The digits.
    pub fn code(self) -> String {
        self.0.to_string().split_off(1)
    }

    /// The first digits of the code: two for its division, three for its group, four for its class. `None` if fewer are known.
    pub fn first(self, digits: u32) -> Option<Self> {
        let known = self.0.ilog10();
        let shorter = self.0.get() / 10_u32.pow(known.checked_sub(digits)?);
        NonZeroU32::new(shorter).map(Self)
    }

    /// The division.
    pub fn division(self) -> Self {
        self.first(2).unwrap_or(self)
    }
}

impl std::fmt::Debug for Noga {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.code())
    }
}

/// An audit firm: its position in [`Firms`](crate::columns::Firms).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FirmId(NonZeroU32);

impl FirmId {
    /// The firm at this position, from 0.
    pub fn at(position: usize) -> Self {
        let position = u32::try_from(position).unwrap_or(u32::MAX);
        Self(NonZeroU32::MIN.saturating_add(position))
    }

    /// Its position, from 0.
    pub fn position(self) -> usize {
        self.0.get() as usize - 1
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unknown_values_need_no_memory() {
        assert_eq!(size_of::<Option<Day>>(), 4);
        assert_eq!(size_of::<Option<Count>>(), 4);
        assert_eq!(size_of::<Option<Money>>(), 8);
        assert_eq!(size_of::<Option<Currency>>(), 4);
        assert_eq!(size_of::<Option<LegalFormCode>>(), 2);
        assert_eq!(size_of::<Option<Noga>>(), 4);
        assert_eq!(size_of::<Option<FirmId>>(), 4);
    }

    #[test]
    fn days_keep_their_order_and_are_dates() {
        let texts = ["0001-01-01", "1969-12-31", "1970-01-01", "2026-11-30", "9999-12-31"];
        let days = texts.map(|it| Day::from(it.parse::<Date>().expect("a date")));
        assert!(days.is_sorted());
        assert_eq!(days.map(|it| it.date().to_string()), texts);
        assert_eq!(Day::new(i32::MIN).date(), Date::MIN);
        assert_eq!(days[1].plus(1).number(), 0);
        assert_eq!(days[0].since(days[4]), -days[4].since(days[0]));
    }

    #[test]
    fn a_window_of_a_year_has_365_days_with_today() {
        let year = Window::last(365, Day::new(364));
        assert_eq!((year.since, year.until), (Day::new(0), Day::new(364)));
        let contains = [-1, 0, 364, 365].map(|it| year.contains(Day::new(it)));
        assert_eq!(contains, [false, true, true, false]);
    }

    #[test]
    fn amounts_keep_their_order_and_value() {
        let amounts =
            [i64::MIN + 1, -1, 0, 1, 1_000_000_000, i64::MAX].map(Amount::from_ten_thousandths);
        let small = amounts.map(Money::from);
        assert!(small.is_sorted());
        assert_eq!(small.map(Money::amount), amounts);
    }

    #[test]
    fn counts_keep_their_value_except_the_largest() {
        assert_eq!([0, 1, u32::MAX].map(|it| Count::new(it).get()), [0, 1, u32::MAX - 1]);
    }

    #[test]
    fn codes_are_read_exactly_or_not_at_all() {
        assert_eq!(
            LegalFormCode::new("0106").map(LegalFormCode::name).as_deref(),
            Some("Aktiengesellschaft")
        );
        assert_eq!(LegalFormCode::new("9876").map(LegalFormCode::name).as_deref(), Some("9876"));
        for wrong in ["", "106", "+106", "01060", "0000", "abcd"] {
            assert_eq!(LegalFormCode::new(wrong), None, "{wrong}");
        }
        let noga = Noga::new("011100").expect("a code");
        assert_eq!(noga.code(), "011100");
        assert_eq!(
            [2, 3, 4, 6].map(|it| noga.first(it).map(Noga::code)).map(Option::unwrap_or_default),
            ["01", "011", "0111", "011100"]
        );
        assert_eq!(Noga::new("62").expect("a code").first(3), None);
        assert_eq!(Noga::from_number(noga.number()), Some(noga));
        for wrong in [0, 1, 19, 262, 10_000_000, u32::MAX] {
            assert_eq!(Noga::from_number(wrong), None, "{wrong}");
        }
        let form = LegalFormCode::new("0106").expect("a code");
        assert_eq!(LegalFormCode::from_number(form.number()), Some(form));
        for wrong in [0, 10_000] {
            assert_eq!(LegalFormCode::from_number(wrong), None, "{wrong}");
        }
        for wrong in ["", "6", "6201001", "+62", "6 2"] {
            assert_eq!(Noga::new(wrong), None, "{wrong}");
        }
        assert_eq!(Currency::new("CHF").map(Currency::is_franc), Some(true));
        assert_eq!(Currency::new("EUR").expect("a code").code(), "EUR");
        for wrong in ["", "chf", "CH", "CHFR", "CH\0"] {
            assert_eq!(Currency::new(wrong), None, "{wrong}");
        }
    }
}
