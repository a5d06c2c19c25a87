//! What was asked: the subject of a screening, and how it is compared.

use domain::{
    Company, Lei, Uid,
    characters::{UnsuitableText, check_line},
    lists::{List, PartialDate},
    names::{OfficerName, ParentName, RegisteredNames},
};
use matching::{Identifier, Kind, Name, Subject, THRESHOLD};
use serde::{Deserialize, Serialize};
use serde_with::skip_serializing_none;
use sha2::{Digest, Sha256};
use utoipa::ToSchema;
use uuid::Uuid;

/// Number of hits of an answer by default.
pub const DEFAULT_HITS: usize = 10;
/// Maximum number of hits of an answer, and of the evidence, so that it fits in one item of the table.
pub const MAX_HITS: usize = 25;
/// Maximum length of the name of a subject in characters. More is not compared.
const MAX_NAME: usize = 250;

/// What a screened subject is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum SubjectType {
    /// A natural person.
    Person,
    /// A company or another organisation.
    Company,
    /// A ship.
    Vessel,
}

/// The name of a subject: 1–250 characters, with a letter or a digit, and without control or format characters. Line breaks, tabs and
/// repeated blanks, as in copied text, become one blank.
#[derive(Clone, Debug, Deserialize)]
#[serde(try_from = "String")]
pub struct SubjectName(pub String);

/// The text cannot be the name of a subject.
#[derive(Debug, thiserror::Error)]
pub enum InvalidName {
    #[error("must have 1 to {MAX_NAME} characters; got {0}")]
    Length(usize),
    #[error(transparent)]
    Characters(#[from] UnsuitableText),
    #[error("must contain a letter or a digit; got `{0}`")]
    NothingToCompare(String),
}

impl TryFrom<String> for SubjectName {
    type Error = InvalidName;

    fn try_from(text: String) -> Result<Self, InvalidName> {
        let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
        match text.chars().count() {
            1..=MAX_NAME => {}
            length => return Err(InvalidName::Length(length)),
        }
        check_line(&text)?;
        if !text.chars().any(char::is_alphanumeric) {
            return Err(InvalidName::NothingToCompare(text));
        }
        Ok(Self(text))
    }
}

/// A number that an authority gave to a screened subject.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct QueryIdentifier {
    pub scheme: String,
    pub value: String,
}

/// What was asked: the subject, and how it is compared.
#[skip_serializing_none]
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ScreeningQuery {
    pub name: String,
    /// Other names of the subject, such as translations of a company's name.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub other_names: Vec<String>,
    pub uid: Option<Uid>,
    /// Id of the person, if the subject is an officer of a company: several have one name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub person: Option<Uuid>,
    /// `None`: names are read both as names of persons and of organisations.
    #[serde(rename = "type")]
    pub subject_type: Option<SubjectType>,
    pub birth_date: Option<PartialDate>,
    /// ISO 3166-1 alpha-2 code.
    pub country: Option<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub identifiers: Vec<QueryIdentifier>,
    /// The lowest score of a hit, 0–1.
    pub threshold: f64,
    /// Maximum number of hits in an answer. The evidence contains up to [`MAX_HITS`].
    pub limit: usize,
    /// The lists that were asked for.
    pub lists: Vec<List>,
}

impl ScreeningQuery {
    /// A query about a subject of which only the name is known, with the default threshold.
    pub fn of(name: String, lists: Vec<List>) -> Self {
        Self {
            name,
            other_names: Vec::new(),
            uid: None,
            person: None,
            subject_type: None,
            birth_date: None,
            country: None,
            identifiers: Vec::new(),
            threshold: THRESHOLD,
            limit: DEFAULT_HITS,
            lists,
        }
    }

    /// A query about a company of the register: its present and former names, its names in other languages, and its numbers.
    /// Not its country: a seat in Switzerland does not contradict another country on a list.
    pub fn of_company(company: &Company, lists: Vec<List>) -> Self {
        Self::of_names(&RegisteredNames::of(company), lists)
    }

    /// As [`ScreeningQuery::of_company`]. Without the officers.
    pub fn of_names(names: &RegisteredNames, lists: Vec<List>) -> Self {
        let mut query = Self {
            other_names: names.other_names.clone(),
            uid: Some(names.uid),
            subject_type: Some(SubjectType::Company),
            ..Self::of(names.name.clone(), lists)
        };
        if let Some(lei) = names.lei {
            query.add_lei(lei);
        }
        query
    }

    /// A query about an officer: name and kind, and the number of a registered firm. Not the nationality: with a place of origin
    /// in Switzerland, a person may have another one that a list states.
    pub fn of_officer(officer: &OfficerName, lists: Vec<List>) -> Self {
        let kind = if officer.is_entity { SubjectType::Company } else { SubjectType::Person };
        let (uid, person) = (officer.uid, Some(officer.id));
        Self { uid, person, subject_type: Some(kind), ..Self::of(officer.name.clone(), lists) }
    }

    /// A query about a parent abroad: name and identifier.
    pub fn of_parent(parent: &ParentName, lists: Vec<List>) -> Self {
        let kind = Some(SubjectType::Company);
        let mut query = Self { subject_type: kind, ..Self::of(parent.name.clone(), lists) };
        query.add_lei(parent.lei);
        query
    }

    /// Adds a legal entity identifier of the subject.
    pub fn add_lei(&mut self, lei: Lei) {
        let (scheme, value) = ("lei".to_owned(), lei.to_string());
        self.identifiers.push(QueryIdentifier { scheme, value });
    }

    /// The subject together with the entry of a hit, as the key of a decision: a hash, because it may contain any character.
    pub fn pair(&self, hit_id: &str) -> String {
        hex::encode(Sha256::digest(format!("{hit_id}\n{}", self.decided())))
    }

    /// Whom a decision concerns: a company regardless of its present names and other numbers, an officer, or else the subject as it
    /// was stated.
    fn decided(&self) -> String {
        match (self.uid, self.person, self.subject_type) {
            (Some(uid), _, None | Some(SubjectType::Company)) => uid.to_string(),
            (_, Some(person), _) => person.to_string(),
            _ => self.identity(),
        }
    }

    /// What is compared with the lists.
    pub fn subject(&self) -> Subject {
        let kind = match self.subject_type {
            Some(SubjectType::Person) => Kind::Person,
            Some(SubjectType::Company) => Kind::Organisation,
            Some(SubjectType::Vessel) => Kind::Vessel,
            None if self.uid.is_some() => Kind::Organisation,
            None => Kind::Other,
        };
        let number = |it: Option<i8>| it.and_then(|it| u8::try_from(it).ok());
        let date = |it: PartialDate| matching::PartialDate {
            year: it.year(),
            month: number(it.month()),
            day: number(it.day()),
        };
        let mut identifiers: Vec<Identifier> = self
            .identifiers
            .iter()
            .map(|it| Identifier { scheme: it.scheme.clone(), value: it.value.clone() })
            .collect();
        identifiers.extend(
            self.uid.map(|it| Identifier { scheme: "uid".to_owned(), value: it.to_string() }),
        );
        let names = std::iter::once(&self.name).chain(&self.other_names);
        Subject {
            kind,
            names: names.filter(|it| !it.is_empty()).map(Name::new).collect(),
            birth_dates: self.birth_date.map(date).into_iter().collect(),
            countries: self.country.iter().cloned().collect(),
            identifiers,
        }
    }

    /// A hash of the subject: the same for questions about the same subject.
    pub fn identity_hash(&self) -> String {
        hex::encode(Sha256::digest(self.identity()))
    }

    /// The same for questions about the same subject, as it was stated. Upper and lower case and blanks of names do not matter,
    /// nor do the case and the separators of numbers.
    fn identity(&self) -> String {
        let folded = |it: &String| {
            it.split_whitespace().map(str::to_lowercase).collect::<Vec<_>>().join(" ")
        };
        let mut others: Vec<String> = self.other_names.iter().map(folded).collect();
        others.sort_unstable();
        let number = |it: &QueryIdentifier| {
            let QueryIdentifier { scheme, value } = it.clone();
            let Identifier { scheme, value } = Identifier { scheme, value }.normalised();
            format!("{scheme} {value}")
        };
        let mut numbers: Vec<String> = self.identifiers.iter().map(number).collect();
        numbers.sort_unstable();
        let stated = (folded(&self.name), others, self.uid, self.subject_type);
        let supporting = (self.birth_date, &self.country, numbers);
        #[expect(clippy::expect_used, reason = "texts always serialise")]
        serde_json::to_string(&(stated, supporting)).expect("plain data")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_copied_text_are_one_line() {
        let name = |it: &str| SubjectName::try_from(it.to_owned()).map(|it| it.0).ok();
        assert_eq!(name("  Anna\r\n\tMuster\u{a0}Meier "), Some("Anna Muster Meier".to_owned()));
        for wrong in ["", "\n", "?!", "Anna\u{0}Muster", &"a".repeat(MAX_NAME + 1)] {
            assert_eq!(name(wrong), None, "{wrong:?}");
        }
    }

    fn query(name: &str) -> ScreeningQuery {
        ScreeningQuery::of(name.to_owned(), vec![List::Seco])
    }

    fn pair(query: ScreeningQuery) -> String {
        query.pair("seco:1")
    }
    #[test]
    fn decision_holds_for_a_company_by_number_and_for_an_officer_by_person() {
        let company = |name: &str, number: u32| ScreeningQuery {
            uid: Uid::from_number(number),
            subject_type: Some(SubjectType::Company),
            ..query(name)
        };
        assert_eq!(pair(company("Muster AG", 7)), pair(company("Beispiel AG", 7)));
        assert_ne!(pair(company("Muster AG", 7)), pair(company("Muster AG", 8)));
        let officer = |id: u128| OfficerName {
            id: Uuid::from_u128(id),
            name: "Peter Müller".to_owned(),
            is_entity: false,
            uid: None,
        };
        let officer = |id| pair(ScreeningQuery::of_officer(&officer(id), vec![List::Seco]));
        assert_eq!(officer(1), officer(1));
        assert_ne!(officer(1), officer(2), "two persons have one name");
    }

    #[test]
    fn decision_holds_for_the_same_subject_only() {
        let one = pair(query("Anna  Muster"));
        assert_eq!(pair(query("anna muster")), one);
        let stricter = ScreeningQuery { threshold: 0.9, limit: 5, ..query("Anna Muster") };
        assert_eq!(pair(stricter), one);
        let born = ScreeningQuery { birth_date: "1980".parse().ok(), ..query("Anna Muster") };
        let person =
            ScreeningQuery { subject_type: Some(SubjectType::Person), ..query("Anna Muster") };
        let swiss = ScreeningQuery { country: Some("CH".into()), ..query("Anna Muster") };
        let passport = QueryIdentifier { scheme: "passport".to_owned(), value: "X1".to_owned() };
        let numbered = ScreeningQuery { identifiers: vec![passport], ..query("Anna Muster") };
        for other in [query("Anna Mustern"), born, person, swiss, numbered] {
            assert_ne!(pair(other), one);
        }
    }

    #[test]
    fn uid_is_compared_as_an_identifier_of_an_organisation() {
        let uid = "CHE-107.787.577".parse().ok();
        let subject = ScreeningQuery { uid, ..query("Muster AG") }.subject();
        assert_eq!(subject.kind, Kind::Organisation);
        let identifier =
            Identifier { scheme: "uid".to_owned(), value: "CHE-107.787.577".to_owned() };
        assert_eq!(subject.identifiers, [identifier]);
    }
}
