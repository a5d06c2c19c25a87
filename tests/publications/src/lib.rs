//! A builder of publications for tests: entries of the Swiss Official Gazette of Commerce (SHAB) about
//! invented companies, as JSON in the format of the gazette's portal.
//!
//! ```
//! use publications::Publication;
//!
//! let publication = Publication::mutation("CHE-600.000.012", "Muster AG")
//!     .on("2026-06-15")
//!     .in_canton("BE")
//!     .text("Statutenänderung: 01.06.2026.")
//!     .json();
//! assert_eq!(publication["meta"]["subRubric"], "HR02");
//! ```

use serde_json::{Value, json};

/// A publication about one company.
///
/// Unless a test says otherwise: number 1, published on 2026-01-05 in German, about a company limited by
/// shares in Bern.
#[derive(Clone, Debug)]
pub struct Publication {
    sub_rubric: SubRubric,
    number: u64,
    date: String,
    cancelled: bool,
    canton: String,
    company: Block,
    /// The company after the mutation, where it differs.
    changed: Option<Block>,
    head_office: Option<Value>,
    text: String,
}

/// What the gazette states about a company before or after the entry.
#[derive(Clone, Debug)]
struct Block {
    uid: String,
    name: String,
    seat: String,
    purpose: Option<String>,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum SubRubric {
    Registration,
    Mutation,
    Deletion,
}

impl SubRubric {
    fn code(self) -> &'static str {
        match self {
            Self::Registration => "HR01",
            Self::Mutation => "HR02",
            Self::Deletion => "HR03",
        }
    }
}

impl Publication {
    /// A new company is entered in the register (`HR01`).
    pub fn registration(uid: &str, name: &str) -> Self {
        Self::new(SubRubric::Registration, uid, name)
    }

    /// The entry of a company changes (`HR02`).
    pub fn mutation(uid: &str, name: &str) -> Self {
        Self::new(SubRubric::Mutation, uid, name)
    }

    /// A company is removed from the register (`HR03`).
    pub fn deletion(uid: &str, name: &str) -> Self {
        Self::new(SubRubric::Deletion, uid, name)
    }

    fn new(sub_rubric: SubRubric, uid: &str, name: &str) -> Self {
        Self {
            sub_rubric,
            number: 1,
            date: "2026-01-05".to_owned(),
            cancelled: false,
            canton: "BE".to_owned(),
            company: Block {
                uid: uid.to_owned(),
                name: name.to_owned(),
                seat: "Bern".to_owned(),
                purpose: None,
            },
            changed: None,
            head_office: None,
            text: String::new(),
        }
    }

    /// The number by which the gazette identifies the publication. Its id and its journal number are
    /// derived from it.
    pub fn number(mut self, number: u64) -> Self {
        self.number = number;
        self
    }

    /// The date of publication, as `YYYY-MM-DD`.
    pub fn on(mut self, date: &str) -> Self {
        date.clone_into(&mut self.date);
        self
    }

    /// The canton of the register, as its two-letter code.
    pub fn in_canton(mut self, canton: &str) -> Self {
        canton.clone_into(&mut self.canton);
        self
    }

    /// The seat of the company (before the mutation, if it moves).
    pub fn seat(mut self, seat: &str) -> Self {
        seat.clone_into(&mut self.company.seat);
        self
    }

    /// Appends a sentence to the text of the publication. The text starts with name, seat, number and
    /// legal form of the company.
    pub fn text(mut self, sentence: &str) -> Self {
        if !sentence.is_empty() {
            self.text.push(' ');
            self.text.push_str(sentence);
        }
        self
    }

    /// Appends the sentence that lists persons and firms who take office or change it, separated by `; `.
    pub fn persons_entered(self, persons: &str) -> Self {
        self.text(&format!("Eingetragene Personen neu oder mutierend: {persons}."))
    }

    /// Appends the sentence that lists persons and firms who leave office, separated by `; `.
    pub fn persons_left(self, persons: &str) -> Self {
        self.text(&format!("Ausgeschiedene Personen und erloschene Unterschriften: {persons}."))
    }

    /// The mutation changes the company's name.
    pub fn new_name(mut self, name: &str) -> Self {
        name.clone_into(&mut self.changed_block().name);
        self
    }

    /// The mutation moves the company's seat.
    pub fn new_seat(mut self, seat: &str) -> Self {
        seat.clone_into(&mut self.changed_block().seat);
        self
    }

    /// The mutation changes the company's purpose.
    pub fn new_purpose(mut self, before: &str, after: &str) -> Self {
        self.company.purpose = Some(before.to_owned());
        self.changed_block().purpose = Some(after.to_owned());
        self
    }

    fn changed_block(&mut self) -> &mut Block {
        self.changed.get_or_insert_with(|| self.company.clone())
    }

    /// The company is a branch of this head office in Switzerland.
    pub fn head_office(mut self, uid: &str, name: &str) -> Self {
        self.head_office = Some(json!({ "name": name, "uid": uid, "country": "CH" }));
        self
    }

    /// The gazette cancelled the publication after it appeared.
    pub fn cancelled(mut self) -> Self {
        self.cancelled = true;
        self
    }

    /// The whole text of the publication.
    pub fn full_text(&self) -> String {
        let Block { uid, name, seat, .. } = &self.company;
        format!("{name}, in {seat}, {uid}, Aktiengesellschaft.{}", self.text)
    }

    /// The publication as the portal returns it.
    pub fn json(&self) -> Value {
        let midnight = format!("{}T00:00:00.000Z", self.date);
        let before = self.block(&self.company);
        let after = self.block(self.changed.as_ref().unwrap_or(&self.company));
        let (before, after) = match self.sub_rubric {
            SubRubric::Registration => (Value::Null, after),
            SubRubric::Mutation => (before, after),
            SubRubric::Deletion => (before, Value::Null),
        };
        let code = self.sub_rubric.code();
        json!({
            "meta": {
                "id": format!("00000000-0000-4000-8000-{:012}", self.number),
                "rubric": "HR",
                "subRubric": code,
                "language": "de",
                "publicationNumber": format!("{code}-{:010}", self.number),
                "publicationState": if self.cancelled { "CANCELLED" } else { "PUBLISHED" },
                "publicationDate": midnight,
                "cantons": [self.canton],
                "title": { "de": self.company.name },
            },
            "content": {
                "publicationText": self.full_text(),
                "journalNumber": self.number % 10_000,
                "journalDate": midnight,
                "commonsActual": before,
                "commonsNew": after,
            },
        })
    }

    fn block(&self, Block { uid, name, seat, purpose }: &Block) -> Value {
        let mut block =
            json!({ "company": { "name": name, "uid": uid, "seat": seat, "legalForm": "0106" } });
        if let Some(purpose) = purpose {
            block["purpose"] = purpose.clone().into();
        }
        if let Some(head_office) = &self.head_office {
            block["headOffice"] = head_office.clone();
        }
        block
    }
}
