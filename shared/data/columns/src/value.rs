//! How the values of columns are stored: as integers.

use analytics::{Count, Currency, Day, FirmId, LegalFormCode, Money, Noga, columns::Leading};
use domain::{
    Amount, AuditorCategory, Canton, ChangeKind, Status, Uid, changes::LegalEvent,
    company::StatusReason,
};
use obligations::{Basis, RegimeKind};

/// A column in a file.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Column {
    pub(crate) name: &'static str,
    pub(crate) kind: Kind,
    pub(crate) is_optional: bool,
}

/// What the integers of a column mean.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Kind {
    /// A number from 0 to 2³² − 1.
    Number,
    /// Days since 1 January 1970.
    Day,
    /// Ten-thousandths of an amount.
    Amount,
    /// The position of a firm in the table of firms.
    Firm,
    /// UTF-8.
    Text,
    /// The position in a list of names, which are stored beside the column.
    Name(fn() -> Vec<&'static str>),
}

/// A value of a column.
pub(crate) trait Value: Copy {
    const KIND: Kind;

    fn encode(self) -> i64;

    /// The value with this code. `None` if there is none.
    fn decode(code: i64) -> Option<Self>;
}

/// What a row has in a column: a value, or, in many columns, nothing.
pub(crate) trait Field: Copy {
    const KIND: Kind;
    const IS_OPTIONAL: bool;

    fn to_code(self) -> Option<i64>;

    /// `Err`: no value has this code, or one is missing.
    fn from_code(code: Option<i64>) -> Result<Self, ()>;
}

impl<V: Value> Field for V {
    const KIND: Kind = V::KIND;
    const IS_OPTIONAL: bool = false;

    fn to_code(self) -> Option<i64> {
        Some(Value::encode(self))
    }

    fn from_code(code: Option<i64>) -> Result<Self, ()> {
        code.and_then(V::decode).ok_or(())
    }
}

impl<V: Value> Field for Option<V> {
    const KIND: Kind = V::KIND;
    const IS_OPTIONAL: bool = true;

    fn to_code(self) -> Option<i64> {
        self.map(Value::encode)
    }

    fn from_code(code: Option<i64>) -> Result<Self, ()> {
        code.map(|it| V::decode(it).ok_or(())).transpose()
    }
}

macro_rules! values {
    ($($kind:ident $value:ty: $code:expr, $of:expr;)+) => {
        $(impl Value for $value {
            const KIND: Kind = Kind::$kind;

            fn encode(self) -> i64 {
                i64::from($code(self))
            }

            fn decode(code: i64) -> Option<Self> {
                code.try_into().ok().and_then($of)
            }
        })+
    };
}

values! {
    Number Uid: Uid::number, Uid::from_number;
    Number Count: Count::get, |it| Some(Self::new(it));
    Number LegalFormCode: Self::number, Self::from_number;
    Number Noga: Self::number, Self::from_number;
    Number Currency: letters, currency;
    Number u32: u32::from, Some;
    Number u8: u8::from, Some;
    Day Day: Self::number, |it| Some(Self::new(it));
    Amount Money: |it: Self| it.amount().ten_thousandths(), amount;
    Firm FirmId: position, |it: u32| Some(Self::at(it as usize));
}

/// The letters of a currency as one number.
fn letters(currency: Currency) -> u32 {
    currency.code().bytes().fold(0, |number, it| number << 8 | u32::from(it))
}

fn currency(letters: u32) -> Option<Currency> {
    let [0, code @ ..] = letters.to_be_bytes() else { return None };
    Currency::new(std::str::from_utf8(&code).ok()?)
}

fn amount(ten_thousandths: i64) -> Option<Money> {
    Some(Amount::from_ten_thousandths(ten_thousandths).into())
}

fn position(firm: FirmId) -> u32 {
    u32::try_from(firm.position()).unwrap_or(u32::MAX)
}

macro_rules! named {
    ($($value:ty: $all:expr, $name:expr;)+) => {
        $(impl Value for $value {
            const KIND: Kind = Kind::Name(|| $all.iter().map(|it| $name(*it)).collect());

            fn encode(self) -> i64 {
                $all.iter().zip(0..).find(|(it, _)| **it == self).map_or(-1, |(_, at)| at)
            }

            fn decode(code: i64) -> Option<Self> {
                $all.get(usize::try_from(code).ok()?).copied()
            }
        })+
    };
}

named! {
    Status: Status::ALL, Status::name;
    StatusReason: StatusReason::ALL, StatusReason::code;
    Canton: Canton::ALL, Canton::code;
    AuditorCategory: AuditorCategory::ALL, AuditorCategory::name;
    ChangeKind: ChangeKind::ALL, ChangeKind::code;
    LegalEvent: LegalEvent::ALL, LegalEvent::code;
    RegimeKind: REGIMES, regime;
    Basis: BASES, basis;
    Leading: [Leading::Entered, Leading::Left], leading;
    bool: [false, true], yes_or_no;
}

/// The kinds of audit, without the unknown one: an unknown value has no code.
const REGIMES: [RegimeKind; 4] =
    [RegimeKind::Ordinary, RegimeKind::Limited, RegimeKind::OptingOut, RegimeKind::None];
const BASES: [Basis; 4] = [Basis::Stated, Basis::Assumed, Basis::Unknown, Basis::General];

fn regime(kind: RegimeKind) -> &'static str {
    match kind {
        RegimeKind::Ordinary => "ordinary",
        RegimeKind::Limited => "limited",
        RegimeKind::OptingOut => "opting_out",
        RegimeKind::None => "none",
        RegimeKind::Unknown => "unknown",
    }
}

fn basis(basis: Basis) -> &'static str {
    match basis {
        Basis::Stated => "stated",
        Basis::Assumed => "assumed",
        Basis::Unknown => "unknown",
        Basis::General => "general",
    }
}

fn leading(it: Leading) -> &'static str {
    match it {
        Leading::Entered => "entered",
        Leading::Left => "left",
    }
}

fn yes_or_no(it: bool) -> &'static str {
    if it { "true" } else { "false" }
}
