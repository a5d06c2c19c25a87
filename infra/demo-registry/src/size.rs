//! How large companies are, and the capital and number of employees that fit legal form, trade and size.

use crate::{data, forms, random::Random, trades::Trade};

/// The size of a company by the number of its employees, as official statistics group them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Size {
    /// Up to 3.
    Tiny,
    /// Up to 9.
    Micro,
    /// Up to 49.
    Small,
    /// Up to 249.
    Medium,
    /// 250 and more.
    Large,
}

/// What trades need to run: how many people and how much capital.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Scale {
    /// Holdings and real estate: much capital, hardly anybody employed.
    Assets,
    /// Shops, restaurants, crafts, practices, consulting.
    Local,
    /// Industry, energy, construction, transport, hospitals.
    Industrial,
    /// Banks and insurers.
    Licensed,
}

impl Scale {
    fn of(trade: &Trade) -> Self {
        match data::number(trade.division()) {
            _ if trade.is_bank_or_insurer() => Self::Licensed,
            64 | 65 | 68 => Self::Assets,
            70 if trade.code.starts_with("7010") => Self::Assets,
            8 | 19..=30 | 35 | 41 | 42 | 49 | 51 | 61 | 86 | 87 => Self::Industrial,
            _ => Self::Local,
        }
    }
}

/// The legal minimum of a corporation's share capital, in francs (Code of Obligations, Art. 621).
pub(crate) const MIN_SHARE_CAPITAL: i64 = 100_000;
/// The legal minimum of a limited liability company's capital, in francs (Code of Obligations, Art. 773).
pub(crate) const MIN_QUOTA_CAPITAL: i64 = 20_000;

/// What a bank or an insurer of any class needs, in francs: a bank 10 million (Banking Ordinance, Art. 15), an insurer 3 to 20
/// million by its classes (Insurance Supervision Act, Art. 8).
const MIN_LICENSED_CAPITAL: i64 = 20_000_000;

impl Size {
    pub(crate) fn draw(random: &mut Random, form: &str, trade: &Trade) -> Self {
        let weights: [u32; 5] = match (form, Scale::of(trade)) {
            (forms::SOLE_TRADER | forms::GENERAL_PARTNERSHIP | forms::LIMITED_PARTNERSHIP, _) => {
                [850, 150, 0, 0, 0]
            }
            (_, Scale::Licensed) => [0, 0, 250, 500, 250],
            (_, Scale::Assets) => [880, 90, 25, 5, 0],
            (forms::LIMITED_LIABILITY, Scale::Local) => [640, 270, 88, 2, 0],
            (forms::LIMITED_LIABILITY, Scale::Industrial) => [480, 320, 190, 10, 0],
            (_, Scale::Local) => [470, 300, 190, 36, 4],
            (_, Scale::Industrial) => [300, 280, 310, 90, 20],
        };
        const SIZES: [Size; 5] = [Size::Tiny, Size::Micro, Size::Small, Size::Medium, Size::Large];
        *random.weighted(&SIZES, |it| weights[*it as usize])
    }

    pub(crate) fn employees(self, random: &mut Random) -> u32 {
        let (low, high) = match self {
            Self::Tiny => (1, 3),
            Self::Micro => (4, 9),
            Self::Small => (10, 49),
            Self::Medium => (50, 249),
            // Most large companies have a few hundred employees.
            Self::Large => {
                random.one_of(&[(80, (250, 900)), (17, (901, 3_000)), (3, (3_001, 12_000))])
            }
        };
        random.between(low, high).unsigned_abs()
    }

    /// The nominal capital in whole francs; `None` for legal forms without one.
    pub(crate) fn capital(self, random: &mut Random, form: &str, trade: &Trade) -> Option<i64> {
        #[rustfmt::skip]
        let steps: &[(u32, i64)] = match (form, Scale::of(trade), self) {
            (forms::CORPORATION, Scale::Licensed, _) => {
                &[(70, MIN_LICENSED_CAPITAL), (20, 50_000_000), (10, 100_000_000)]
            }
            (forms::CORPORATION, Scale::Assets, Self::Tiny | Self::Micro) => {
                &[(62, 100_000), (10, 200_000), (8, 250_000), (8, 500_000), (7, 1_000_000), (3, 5_000_000), (2, 10_000_000)]
            }
            (forms::CORPORATION, _, Self::Tiny | Self::Micro) => {
                &[(82, 100_000), (6, 150_000), (8, 200_000), (2, 250_000), (2, 300_000)]
            }
            (forms::CORPORATION, _, Self::Small) => {
                &[(55, 100_000), (12, 200_000), (10, 250_000), (8, 300_000), (10, 500_000), (5, 1_000_000)]
            }
            (forms::CORPORATION, _, Self::Medium) => {
                &[(15, 100_000), (15, 250_000), (25, 500_000), (25, 1_000_000), (15, 2_000_000), (5, 5_000_000)]
            }
            (forms::CORPORATION, _, Self::Large) => {
                &[(25, 1_000_000), (25, 2_000_000), (25, 5_000_000), (15, 10_000_000), (8, 25_000_000), (2, 100_000_000)]
            }
            (forms::LIMITED_LIABILITY, _, Self::Tiny | Self::Micro) => {
                &[(88, 20_000), (2, 25_000), (4, 30_000), (3, 40_000), (3, 50_000)]
            }
            (forms::LIMITED_LIABILITY, _, Self::Small) => {
                &[(62, 20_000), (8, 30_000), (10, 50_000), (15, 100_000), (5, 200_000)]
            }
            (forms::LIMITED_LIABILITY, _, Self::Medium | Self::Large) => {
                &[(20, 20_000), (20, 50_000), (30, 100_000), (20, 200_000), (10, 1_000_000)]
            }
            _ => return None,
        };
        let step = random.one_of(steps);
        Some(match step {
            // Large amounts are not round: up to nine times the step, by thousands.
            10_000_000.. => step + i64::from(random.between(0, 80_000)) * (step / 10_000),
            _ => step,
        })
    }
}

/// The legal minimum of the capital, in francs; `None` for legal forms without a capital.
pub(crate) fn least_capital(form: &str, trade: &Trade) -> Option<i64> {
    match form {
        forms::CORPORATION if trade.is_bank_or_insurer() => Some(MIN_LICENSED_CAPITAL),
        forms::CORPORATION => Some(MIN_SHARE_CAPITAL),
        forms::LIMITED_LIABILITY => Some(MIN_QUOTA_CAPITAL),
        _ => None,
    }
}

/// The same amount in a foreign currency, rounded up to thousands. The minimum is an amount in francs, and a foreign one
/// has to be worth as much; a third more is enough at any rate of the last years.
pub(crate) fn in_foreign_currency(francs: i64) -> i64 {
    (francs * 4 / 3 + 999) / 1_000 * 1_000
}
