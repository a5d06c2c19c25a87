//! How register offices write notices: lists of persons in German, French and Italian, and the whole French sentences of
//! Geneva, Vaud and Neuchâtel.

mod numbers;
mod persons;
mod phrases;

use domain::{Uid, legal_forms::LegalForm};
use jiff::civil::Date;

use self::{
    numbers::{grouped, money},
    phrases::{fill, subject},
};
use crate::{
    forms,
    localities::{Locality, Style},
    notice::{Address, Notice, State, Topic},
    random::Random,
};

/// What the text of a notice is written from.
pub(crate) struct Writer<'a> {
    pub(crate) form: &'static str,
    pub(crate) place: &'static Locality,
    pub(crate) uid: Uid,
    pub(crate) notice: &'a Notice,
    /// When the company decided what is published.
    pub(crate) decided: Date,
    pub(crate) previous: Previous,
}

/// The previous notice, as a text refers to it.
pub(crate) struct Previous {
    pub(crate) day: Date,
    /// The number of the gazette's issue in the year.
    pub(crate) issue: i32,
    /// The number of the publication. Notices before 2001 have none.
    pub(crate) number: Option<u64>,
}

/// The register office that keeps the companies of a place, without its canton.
pub(crate) fn register_office(style: Style) -> &'static str {
    phrases::phrase("register office", style)
}

impl Writer<'_> {
    /// The text of the publication.
    pub(crate) fn text(&self, random: &mut Random) -> String {
        let mut text = String::with_capacity(1_000);
        if self.notice.has(Topic::Entry) {
            self.write_entry(&mut text, random);
        } else {
            self.write_change_opening(&mut text);
            if let Some(before) = &self.notice.before {
                self.write_end(&mut text, random);
                if let Some(after) = &self.notice.after {
                    self.write_changes(&mut text, before, after);
                }
            }
        }
        self.write_persons(&mut text);
        text
    }

    fn style(&self) -> Style {
        self.place.style()
    }

    fn is_prose(&self) -> bool {
        self.style() == Style::Prose
    }

    fn is_corporation(&self) -> bool {
        self.form == forms::CORPORATION
    }

    fn phrase(&self, key: &str) -> &'static str {
        phrases::phrase(key, self.style())
    }

    /// Appends a phrase with these words filled in.
    fn add(&self, text: &mut String, key: &str, words: &[(&str, &str)]) {
        add(text, &fill(self.phrase(key), words));
    }

    /// The name with its translations in brackets.
    fn name(state: &State) -> String {
        let mut name = state.name.clone();
        for translation in &state.translations {
            name.push_str(&format!(" ({translation})"));
        }
        name
    }

    /// The legal form as the language of the notice writes it: French and Italian in lower case.
    fn legal_form(&self) -> String {
        let name =
            LegalForm::by_code(self.form).map_or("", |it| it.names[self.place.language as usize]);
        match self.style() {
            Style::German => name.to_owned(),
            _ => name.to_lowercase(),
        }
    }

    fn write_entry(&self, text: &mut String, random: &mut Random) {
        let state = self.notice.state();
        let (uid, form) = (self.uid.to_string(), self.legal_form());
        let new = if form.starts_with("institut") { "Nouvel" } else { "Nouvelle" };
        let words = [
            ("name", &*Self::name(state)),
            ("seat", &state.seat),
            ("uid", &uid),
            ("address", &self.address(&state.address)),
            ("form", &form),
            ("new", new),
        ];
        self.add(text, "entry opening", &words);
        if forms::has_statutes(self.form) {
            self.add(text, "statutes", &[("day", &written(self.decided))]);
        }
        self.add(text, "purpose", &[("purpose", &ended(&state.purpose))]);
        if let Some((units, currency)) = &state.capital {
            let capital = money(*units, currency, self.style());
            if self.is_corporation() {
                let each = money(100, currency, self.style());
                let words =
                    [("money", &*capital), ("count", &grouped(units / 100)), ("each", &each)];
                self.add(text, "shares", &words);
            } else {
                self.add(text, "quotas", &[("money", &capital)]);
            }
            self.add(text, "publication organ", &[]);
            if random.chance(600) {
                self.add(text, "communications", &[]);
            }
        }
        if state.has_opted_out {
            self.add(text, "opting-out at entry", &[]);
        }
    }

    fn write_change_opening(&self, text: &mut String) {
        let state = self.notice.state();
        let Previous { day, issue, number } = self.previous;
        let words = [
            ("day", &*written(day)),
            ("issue", &issue.to_string()),
            // About as many pages as an issue has.
            ("page", &(issue * 31).to_string()),
            ("number", &number.unwrap_or_default().to_string()),
        ];
        let key = if number.is_some() { "previous notice" } else { "previous page" };
        let previous = fill(self.phrase(key), &words);
        let words = [
            ("name", &*Self::name(state)),
            ("seat", &state.seat),
            ("uid", &self.uid.to_string()),
            ("form", &self.legal_form()),
            ("previous", &previous),
        ];
        self.add(text, "change opening", &words);
    }

    fn write_changes(&self, text: &mut String, before: &State, after: &State) {
        let notice = self.notice;
        let decided = written(self.decided);
        let statutes = [Topic::Name, Topic::Seat, Topic::Purpose, Topic::Capital];
        let has_capital = matches!(self.form, forms::CORPORATION | forms::LIMITED_LIABILITY);
        if has_capital && statutes.iter().any(|it| notice.has(*it)) {
            self.add(text, "changed statutes", &[("day", &decided)]);
        }
        if notice.has(Topic::Name) {
            self.add(text, "new name", &[("name", &ended(&after.name))]);
        }
        if notice.has(Topic::Seat) {
            self.add(text, "new seat", &[("seat", &ended(&after.seat))]);
        }
        if notice.has(Topic::Seat) || notice.has(Topic::Address) {
            let address = ended(&self.address(&after.address));
            self.add(text, "new address", &[("address", &address)]);
        }
        if notice.has(Topic::Purpose) {
            self.add(text, "new purpose", &[("purpose", &ended(&after.purpose))]);
        }
        if notice.has(Topic::Capital)
            && let (Some((old, currency)), Some((new, _))) = (&before.capital, &after.capital)
        {
            let old = money(*old, currency, self.style());
            let new = money(*new, currency, self.style());
            let key = if self.is_corporation() { "new share capital" } else { "new quota capital" };
            self.add(text, key, &[("old", &old), ("new", &new)]);
        }
        if notice.has(Topic::OptingOut) {
            self.add(text, "opting-out", &[("day", &decided)]);
        }
        if notice.has(Topic::TakesOver) {
            self.write_merger(text, "takeover");
        }
    }

    /// Dissolution, bankruptcy and deletion.
    fn write_end(&self, text: &mut String, random: &mut Random) {
        let notice = self.notice;
        let decided = written(self.decided);
        let subject = subject(self.form, self.style());
        let words = [
            ("day", &*decided),
            ("subject", subject.text),
            ("inner subject", &lowered(subject.text)),
            ("ending", subject.ending),
        ];
        if notice.has(Topic::Dissolution) {
            self.add(text, "dissolution", &words);
        }
        if notice.has(Topic::Moratorium) {
            self.add(text, "moratorium", &words);
        }
        if notice.has(Topic::Bankruptcy) {
            let hour = format!("{:02}", random.between(8, 16));
            self.add(text, "bankruptcy", &[&words[..], &[("hour", &hour)]].concat());
        }
        if (notice.has(Topic::Dissolution) || notice.has(Topic::Bankruptcy))
            && let Some(after) = &notice.after
        {
            self.add(text, "name in liquidation", &[("name", &ended(&after.name))]);
        }
        if notice.has(Topic::TakenOver) {
            self.write_merger(text, "taken over");
        }
        for (topic, key) in [
            (Topic::Liquidated, "liquidated"),
            (Topic::BankruptcyClosed, "bankruptcy closed"),
            (Topic::Ceased, "business ceased"),
            (Topic::Inactive, "inactive"),
        ] {
            if notice.has(topic) {
                self.add(text, key, &words);
            }
        }
    }

    /// A takeover, from the side of either company.
    fn write_merger(&self, text: &mut String, key: &str) {
        let Some(other) = &self.notice.merger_party else { return };
        let subject = subject(self.form, self.style());
        let balance = written(self.decided.first_of_year().yesterday().unwrap_or(self.decided));
        let words = [
            ("other", other.name),
            ("seat", other.seat),
            ("uid", &other.uid.to_string()),
            ("day", &written(self.decided)),
            ("balance", &balance),
            ("subject", subject.text),
            ("ending", subject.ending),
        ];
        self.add(text, key, &words);
    }

    /// The address in one line.
    fn address(&self, address: &Address) -> String {
        let Address { care_of, street, house_number, po_box, zip_code, city } = address;
        let mut parts: Vec<String> = care_of.iter().cloned().collect();
        if let Some(street) = street {
            let number = house_number.as_deref().unwrap_or_default();
            parts.push(format!("{street} {number}").trim_end().to_owned());
        }
        parts.extend(po_box.as_ref().map(|it| format!("{} {it}", self.phrase("po box"))));
        parts.push(format!("{zip_code} {city}"));
        parts.join(", ")
    }
}

/// `02.03.2026`.
fn written(day: Date) -> String {
    format!("{:02}.{:02}.{}", day.day(), day.month(), day.year())
}

/// Appends a sentence.
fn add(text: &mut String, sentence: &str) {
    if !text.is_empty() {
        text.push(' ');
    }
    text.push_str(sentence);
}

/// The sentence with exactly one full stop at its end.
fn ended(sentence: &str) -> String {
    if sentence.ends_with('.') { sentence.to_owned() } else { format!("{sentence}.") }
}

fn capitalised(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |it| it.to_uppercase().chain(letters).collect())
}

fn lowered(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |it| it.to_lowercase().chain(letters).collect())
}
