//! What companies do.

use std::{collections::HashMap, sync::LazyLock};

use crate::{data, forms, random::Random};

/// What a company does.
pub(crate) struct Trade {
    /// NOGA 2008, six digits.
    pub(crate) code: &'static str,
    /// How common the trade is among companies; 0 for what only associations and the like do.
    weight: u32,
    /// What a name calls the trade, in the order of [`Language`](crate::language::Language).
    pub(crate) words: [Vec<&'static str>; 4],
    /// A noun phrase with its article for the purpose, in the same order; none in English.
    pub(crate) activity: [&'static str; 3],
}

/// In the order of the codes.
pub(crate) static TRADES: LazyLock<Vec<Trade>> = LazyLock::new(|| {
    let rows = data::rows::<9>(include_str!("../data/trades.csv"));
    let trade = |[code, weight, words @ .., german, french, italian]: [_; 9]| Trade {
        code,
        weight: data::number(weight),
        words: <[&str; 4]>::map(words, |it| data::values(it).collect()),
        activity: [german, french, italian],
    };
    rows.map(trade).collect()
});

/// What the legal forms of few trades do, with the weight of each trade.
static TRADES_BY_FORM: LazyLock<HashMap<&str, Vec<(u32, &Trade)>>> = LazyLock::new(|| {
    let mut by_form: HashMap<&str, Vec<(u32, &Trade)>> = HashMap::new();
    for [form, weight, code] in data::rows(include_str!("../data/trades_by_legal_form.csv")) {
        by_form.entry(form).or_default().push((data::number(weight), Trade::by_code(code)));
    }
    by_form
});

/// Trades to draw from, each with its weight.
type Weighted = Vec<(u32, &'static Trade)>;

/// The trades of one kind of company. The first trade of the table is drawn if none has a weight.
fn weighted(is_included: impl Fn(&Trade) -> bool) -> Weighted {
    let first = (0, &TRADES[0]);
    let included = TRADES.iter().filter(|it| is_included(it)).map(|it| (it.weight, it));
    [first].into_iter().chain(included).collect()
}

// Made once: a register draws two million times.
static OF_CORPORATIONS: LazyLock<Weighted> = LazyLock::new(|| weighted(|_| true));
static OF_COMPANIES: LazyLock<Weighted> = LazyLock::new(|| weighted(|it| !it.is_bank_or_insurer()));
static OF_PERSONS: LazyLock<Weighted> = LazyLock::new(|| {
    weighted(|it| !CORPORATE_DIVISIONS.contains(&it.division()) && !it.is_bank_or_insurer())
});
static BY_DIVISION: LazyLock<HashMap<&str, Weighted>> = LazyLock::new(|| {
    let divisions = TRADES.iter().map(Trade::division);
    divisions.map(|of| (of, weighted(|it| it.division() == of))).collect()
});

/// Divisions that sole traders and partnerships are not in.
const CORPORATE_DIVISIONS: [&str; 15] =
    ["08", "12", "19", "21", "24", "29", "35", "36", "51", "60", "61", "64", "65", "68", "70"];

/// Divisions of companies that need an office and little else, and so may share an address with dozens of others.
const LETTERBOX_DIVISIONS: [&str; 6] = ["46", "64", "66", "68", "70", "77"];

impl Trade {
    /// The trade with this code, which has to be in the table.
    pub(crate) fn by_code(code: &str) -> &'static Self {
        let trade = TRADES.iter().find(|it| it.code == code);
        trade.unwrap_or_else(|| panic!("`{code}` is not in the table of trades"))
    }

    /// The trade of a company of this legal form.
    pub(crate) fn draw(random: &mut Random, form: &str) -> &'static Self {
        if let Some(trades) = TRADES_BY_FORM.get(form) {
            return random.one_of(trades);
        }
        random.one_of(match form {
            forms::SOLE_TRADER | forms::GENERAL_PARTNERSHIP | forms::LIMITED_PARTNERSHIP => {
                &OF_PERSONS
            }
            forms::CORPORATION => &OF_CORPORATIONS,
            _ => &OF_COMPANIES,
        })
    }

    /// Any trade of commercial companies.
    pub(crate) fn any(random: &mut Random) -> &'static Self {
        random.one_of(&OF_CORPORATIONS)
    }

    /// A trade of the same division; it may be the same one.
    pub(crate) fn similar(&self, random: &mut Random) -> &'static Self {
        random.one_of(&BY_DIVISION[self.division()])
    }

    /// The NOGA division: two digits.
    pub(crate) fn division(&self) -> &'static str {
        &self.code[..2]
    }

    pub(crate) fn is_pension_fund(&self) -> bool {
        self.division() == "65" && self.code.starts_with("653")
    }

    /// Banks and insurers need a licence and are corporations.
    pub(crate) fn is_bank_or_insurer(&self) -> bool {
        self.code.starts_with("6419") || (self.division() == "65" && !self.is_pension_fund())
    }

    /// Finance and insurance. Pension funds have supervisors of their own.
    pub(crate) fn is_financial(&self) -> bool {
        matches!(self.division(), "64" | "65" | "66") && !self.is_pension_fund()
    }

    /// Whether companies of this trade may have nothing but an address.
    pub(crate) fn fits_letterbox(&self) -> bool {
        LETTERBOX_DIVISIONS.contains(&self.division()) && !self.is_bank_or_insurer()
    }
}

#[cfg(test)]
mod tests {
    use domain::noga;

    use super::*;

    #[test]
    fn trades_are_in_order_and_have_words_in_every_language() {
        assert!(TRADES.is_sorted_by(|a, b| a.code < b.code));
        for trade in TRADES.iter() {
            assert!(
                trade.code.len() == 6 && noga::division(trade.code).is_some(),
                "{}",
                trade.code
            );
            for words in &trade.words {
                assert!(words.iter().all(|it| !it.is_empty()), "{}", trade.code);
            }
            assert!(trade.activity.iter().all(|it| !it.is_empty()), "{}", trade.code);
            let articles = ["die ", "das ", "den "];
            assert!(articles.iter().any(|it| trade.activity[0].starts_with(it)), "{}", trade.code);
        }
        assert_eq!(TRADES_BY_FORM.len(), 4);
    }

    #[test]
    fn banks_and_insurers_are_corporations() {
        let mut random = Random::for_company(1);
        for form in [forms::SOLE_TRADER, forms::LIMITED_LIABILITY, forms::LIMITED_PARTNERSHIP] {
            assert!((0..5_000).all(|_| !Trade::draw(&mut random, form).is_bank_or_insurer()));
        }
        let drawn = |_| Trade::draw(&mut random, forms::CORPORATION).is_bank_or_insurer();
        assert!((0..5_000).any(drawn));
    }
}
