//! Numbers and dates of a text, however they are written.

mod number_words;
mod tokens;

use std::collections::BTreeSet;

use auth::Language;
use domain::text;
use jiff::civil::Date;

use self::{
    number_words::number_words,
    tokens::{
        PERCENT, announces_year, canonical, day_of_month, forms, month, numeric_date, tokens, unit,
        year,
    },
};
use crate::row::Row;

/// A day, a month or a year, as far as it is stated.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Day {
    year: Option<i16>,
    month: Option<i8>,
    day: Option<i8>,
}

impl Day {
    /// Whether this date says no more than the other, and nothing different.
    fn is_part_of(self, other: Self) -> bool {
        fn agrees<T: PartialEq>(one: Option<T>, other: Option<T>) -> bool {
            one.is_none() || one == other
        }
        agrees(self.year, other.year)
            && agrees(self.month, other.month)
            && agrees(self.day, other.day)
    }
}

/// A number with what it counts.
#[derive(Clone, Debug)]
struct Number {
    /// What it may mean: `1,250` is 1250 or 1.25.
    forms: Vec<String>,
    unit: Option<&'static str>,
}

impl Number {
    fn is(&self, other: &Self) -> bool {
        self.unit == other.unit && self.forms.iter().any(|it| other.forms.contains(it))
    }
}

/// Numbers, identifiers and dates of a text.
#[derive(Clone, Debug, Default)]
pub(super) struct Figures {
    days: BTreeSet<Day>,
    numbers: Vec<Number>,
    /// Words with digits, such as numbers of companies.
    identifiers: BTreeSet<String>,
    /// Words that are numbers.
    words: BTreeSet<String>,
}

impl Figures {
    pub(super) fn of(said: &str, language: Language) -> Self {
        let tokens = tokens(said);
        let mut figures = Self::default();
        let mut at = 0;
        while at < tokens.len() {
            let taken = figures.add_date(&tokens[at..], language);
            if taken > 0 {
                at += taken;
                continue;
            }
            let before = at.checked_sub(1).map(|it| tokens[it].as_str());
            at += figures.add_token(before, &tokens[at..]);
        }
        figures.words = number_words(said);
        figures
    }

    /// Those of the rows, with the dates of their sources.
    pub(super) fn of_rows(rows: &[&Row], language: Language) -> Self {
        let mut all = Self::default();
        for row in rows {
            let of_row = Self::of(&row.text, language);
            all.days.extend(of_row.days);
            all.numbers.extend(of_row.numbers);
            all.identifiers.extend(of_row.identifiers);
            all.words.extend(of_row.words);
            all.days.extend(Self::of_days(row.source.date).days);
        }
        all
    }

    /// Whether all of these are among the others.
    pub(super) fn are_in(&self, others: &Self) -> bool {
        let has_number = |number: &Number| others.numbers.iter().any(|it| it.is(number));
        self.have_days_in(others)
            && self.numbers.iter().all(has_number)
            && self.identifiers.is_subset(&others.identifiers)
            && self.words.is_subset(&others.words)
    }

    /// These days.
    pub(super) fn of_days(days: impl IntoIterator<Item = Date>) -> Self {
        let day =
            |it: Date| Day { year: Some(it.year()), month: Some(it.month()), day: Some(it.day()) };
        Self { days: days.into_iter().map(day).collect(), ..Self::default() }
    }

    /// Whether all days of these are among the others.
    pub(super) fn have_days_in(&self, others: &Self) -> bool {
        self.days.iter().all(|it| others.days.iter().any(|other| it.is_part_of(*other)))
    }

    /// Adds the date with which the tokens begin. Returns the number of its tokens.
    fn add_date(&mut self, tokens: &[String], language: Language) -> usize {
        let first = tokens[0].as_str();
        if let Some(day) = numeric_date(first) {
            self.days.insert(day);
            return 1;
        }
        let month_at = |at: usize| tokens.get(at).and_then(|it| month(it, language));
        let year_at = |at: usize| tokens.get(at).and_then(|it| year(it));
        let day_at = |at: usize| tokens.get(at).and_then(|it| day_of_month(it));
        // 3. Mai 2001
        if let (Some(day), Some(month)) = (day_at(0), month_at(1)) {
            let year = year_at(2);
            self.days.insert(Day { year, month: Some(month), day: Some(day) });
            return if year.is_some() { 3 } else { 2 };
        }
        let Some(month) = month_at(0) else { return 0 };
        // May 3, 2001
        if let Some(day) = day_at(1) {
            let year = year_at(2);
            self.days.insert(Day { year, month: Some(month), day: Some(day) });
            return if year.is_some() { 3 } else { 2 };
        }
        let year = year_at(1);
        self.days.insert(Day { year, month: Some(month), day: None });
        if year.is_some() { 2 } else { 1 }
    }

    /// Adds the number with which the tokens begin, if it is one. Returns the number of its tokens.
    fn add_token(&mut self, before: Option<&str>, tokens: &[String]) -> usize {
        let token = tokens[0].as_str();
        if !token.chars().any(char::is_numeric) {
            return 1;
        }
        if let Some(year) = year(token).filter(|_| before.is_some_and(announces_year)) {
            self.days.insert(Day { year: Some(year), month: None, day: None });
            return 1;
        }
        let unit_after = |at: usize| {
            let after = tokens.get(at).and_then(|it| unit(it));
            after.or_else(|| before.and_then(unit).filter(|it| *it != PERCENT))
        };
        // 100 000
        let is_group = |it: &String| it.len() == 3 && it.bytes().all(|it| it.is_ascii_digit());
        if token.len() <= 3 && token.bytes().all(|it| it.is_ascii_digit()) {
            let groups = tokens[1..].iter().take_while(|it| is_group(it)).count();
            if groups > 0 {
                let forms = vec![canonical(&tokens[..=groups].concat(), "")];
                self.numbers.push(Number { forms, unit: unit_after(groups + 1) });
                return groups + 1;
            }
        }
        match forms(token) {
            Some(forms) => self.numbers.push(Number { forms, unit: unit_after(1) }),
            None => {
                self.identifiers.insert(text::fold(token));
            }
        }
        1
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn is_in(said: &str, row: &str, language: Language) -> bool {
        Figures::of(said, language).are_in(&Figures::of(row, language))
    }

    #[test]
    fn a_date_is_the_same_in_every_form() {
        let row = "Die Eintragung datiert vom 3. Mai 2001";
        for said in
            ["am 3. Mai 2001", "am 2001-05-03", "am 03.05.2001", "im Mai 2001", "im Jahr 2001"]
        {
            assert!(is_in(said, row, Language::De), "{said}");
        }
        for said in [
            "am 4. Mai 2001",
            "im Juni 2001",
            "am 3. Mai 2002",
            "am 3. Mai und 5. Mai 2001",
            "im August",
        ] {
            assert!(!is_in(said, row, Language::De), "{said}");
        }
        assert!(is_in("on May 3, 2001", "of 3 May 2001", Language::En));
        assert!(is_in("le 1er mai 2001", "du 1er mai 2001", Language::Fr));
    }

    #[test]
    fn numbers_are_equal_whatever_separates_their_digits() {
        let row = "CHF 1'250'000.50 und 12.5 %";
        for said in ["CHF 1,250,000.5", "1 250 000.50 x", "12.50 %", "12,5%"] {
            let expected = !said.contains("250 000.50");
            assert_eq!(is_in(said, row, Language::De), expected, "{said}");
        }
        for said in
            ["CHF 1'250'001", "1'250'000.50", "CHF 12.5", "125 %", "12", "1.25", "CHE-101.049.653"]
        {
            assert!(!is_in(said, row, Language::De), "{said}");
        }
        assert!(is_in("100 000", "100'000", Language::Fr));
        assert!(is_in("30 percent", "30%", Language::En));
        assert!(is_in("30 Franken", "CHF 30", Language::De));
    }

    #[test]
    fn a_year_is_no_quantity() {
        let row = "The first entry is of 3 May 2019";
        assert!(is_in("there is an entry since 2019", row, Language::En));
        assert!(!is_in("the company has 2019 employees", row, Language::En));
        assert!(is_in("l'entrée existe depuis l'an 2019", "du 3 mai 2019", Language::Fr));
    }

    #[test]
    fn numbers_in_words_must_be_in_the_row() {
        assert!(!is_in("fünfhundert Angestellte", "500 Angestellte", Language::De));
        assert!(is_in("neun Faktoren", "Methode mit neun Faktoren", Language::De));
        assert!(!is_in("half of the capital", "the capital", Language::En));
        assert!(!is_in("deux administrateurs", "des administrateurs", Language::Fr));
    }
}
