//! What a request states about the subject to screen.

use domain::{
    GivenUid, Lei, Uid,
    characters::check_line,
    lists::ListSource,
    lists::{List, PartialDate},
};
use matching::THRESHOLD;
use serde::Deserialize;
use teams::screening::{
    DEFAULT_HITS, MAX_HITS, QueryIdentifier, ScreeningQuery, SubjectName, SubjectType,
};
use utoipa::ToSchema;

/// Maximum number of identifiers.
const MAX_IDENTIFIERS: usize = 10;

/// ISO 3166-1 alpha-2 code.
#[derive(Clone, Debug, Deserialize)]
#[serde(try_from = "String")]
pub struct Country(String);

impl Country {
    /// The code in capitals.
    pub fn into_code(self) -> String {
        self.0
    }
}

impl TryFrom<String> for Country {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        let code = text.trim();
        let is_code = code.len() == 2 && code.bytes().all(|it| it.is_ascii_alphabetic());
        match is_code {
            true => Ok(Self(code.to_ascii_uppercase())),
            false => {
                Err(format!("must be a country code of two letters such as `CH`; got `{text}`"))
            }
        }
    }
}

/// Kind of a number: `passport`, `national-id` (identity card, or another national number of a person), `uid` (Swiss
/// company number), `lei` (legal entity identifier), `registration` (number in a register of companies, vessels or
/// aircraft), `tax` (number of a taxpayer), `imo` (number of a vessel or its owner at the International Maritime
/// Organization), `bic` (identifier of a bank, ISO 9362), `isin` (identifier of a security, ISO 6166) or `wallet`
/// (address of a wallet for crypto-assets). Numbers of different kinds are not compared.
#[derive(Clone, Copy, Debug, Deserialize, ToSchema)]
#[serde(rename_all = "kebab-case")]
enum Scheme {
    /// Number of a passport.
    Passport,
    /// Number of an identity card, or another national number of a person.
    NationalId,
    /// Swiss company number.
    Uid,
    /// Legal entity identifier.
    Lei,
    /// Number in a register of companies, vessels or aircraft.
    Registration,
    /// Number of a taxpayer.
    Tax,
    /// Number of a vessel or its owner at the International Maritime Organization.
    Imo,
    /// Identifier of a bank (ISO 9362).
    Bic,
    /// Identifier of a security (ISO 6166).
    Isin,
    /// Address of a wallet for crypto-assets.
    Wallet,
}

impl Scheme {
    fn name(self) -> &'static str {
        match self {
            Self::Passport => "passport",
            Self::NationalId => "national-id",
            Self::Uid => "uid",
            Self::Lei => "lei",
            Self::Registration => "registration",
            Self::Tax => "tax",
            Self::Imo => "imo",
            Self::Bic => "bic",
            Self::Isin => "isin",
            Self::Wallet => "wallet",
        }
    }
}

/// The value of a number.
#[derive(Clone, Debug, Deserialize)]
#[serde(try_from = "String")]
struct IdentifierValue(String);

impl TryFrom<String> for IdentifierValue {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        let value = text.trim();
        let length = value.chars().count();
        if !(1..=100).contains(&length) {
            Err(format!("must have 1 to 100 characters; got {length}"))
        } else if let Err(unsuitable) = check_line(value) {
            Err(unsuitable.to_string())
        } else if !value.chars().any(char::is_alphanumeric) {
            Err("must contain a letter or a digit".to_owned())
        } else {
            Ok(Self(value.to_owned()))
        }
    }
}

/// A number that an authority gave to the subject.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct GivenIdentifier {
    /// What the number is.
    scheme: Scheme,
    /// The number. Only its letters and digits are compared. A company number may have each form that `uid` may have.
    #[schema(value_type = String, min_length = 1, max_length = 100, example = "506700GE1G29325QX363")]
    value: IdentifierValue,
}

/// The lowest score of a hit.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(try_from = "f64")]
pub struct Threshold(f64);

impl Default for Threshold {
    fn default() -> Self {
        Self(THRESHOLD)
    }
}

impl Threshold {
    pub fn get(self) -> f64 {
        self.0
    }
}

impl TryFrom<f64> for Threshold {
    type Error = String;

    fn try_from(given: f64) -> Result<Self, String> {
        match (0.5..=1.0).contains(&given) {
            true => Ok(Self(given)),
            false => Err(format!("must be between 0.5 and 1; got `{given}`")),
        }
    }
}

/// The maximum number of hits.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(try_from = "u8")]
pub struct HitLimit(u8);

impl HitLimit {
    pub fn get(self) -> usize {
        usize::from(self.0)
    }
}

impl TryFrom<u8> for HitLimit {
    type Error = String;

    fn try_from(given: u8) -> Result<Self, String> {
        match (1..=MAX_HITS).contains(&usize::from(given)) {
            true => Ok(Self(given)),
            false => Err(format!("must be between 1 and {MAX_HITS}; got `{given}`")),
        }
    }
}

/// Numbers of a subject.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(try_from = "Vec<GivenIdentifier>")]
pub struct Identifiers(Vec<QueryIdentifier>);

impl Identifiers {
    /// The numbers as a query states them. Company numbers and LEIs are in their standard form, as those of the lists.
    pub fn into_query(self) -> Vec<QueryIdentifier> {
        self.0
    }
}

impl TryFrom<GivenIdentifier> for QueryIdentifier {
    type Error = String;

    fn try_from(given: GivenIdentifier) -> Result<Self, String> {
        let GivenIdentifier { scheme, value: IdentifierValue(value) } = given;
        let value = match scheme {
            Scheme::Uid => value.parse::<Uid>().map_err(|it| it.to_string())?.to_string(),
            Scheme::Lei => {
                letters_and_digits(&value).parse::<Lei>().map_err(|it| it.to_string())?.to_string()
            }
            _ => value,
        };
        Ok(Self { scheme: scheme.name().to_owned(), value })
    }
}

fn letters_and_digits(text: &str) -> String {
    text.chars().filter(|it| it.is_alphanumeric()).collect()
}

impl TryFrom<Vec<GivenIdentifier>> for Identifiers {
    type Error = String;

    fn try_from(given: Vec<GivenIdentifier>) -> Result<Self, String> {
        match given.len() {
            0..=MAX_IDENTIFIERS => {
                given.into_iter().map(QueryIdentifier::try_from).collect::<Result<_, _>>().map(Self)
            }
            number => Err(format!("must be at most {MAX_IDENTIFIERS} identifiers; got {number}")),
        }
    }
}

/// The sources to search.
#[derive(Clone, Debug, Deserialize)]
#[serde(try_from = "Vec<ListSource>")]
pub struct WantedSources(pub Vec<ListSource>);

impl TryFrom<Vec<ListSource>> for WantedSources {
    type Error = &'static str;

    fn try_from(mut given: Vec<ListSource>) -> Result<Self, &'static str> {
        given.sort_unstable();
        given.dedup();
        if given.is_empty() { Err("must contain at least one source") } else { Ok(Self(given)) }
    }
}

/// A person or organisation to screen.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ScreeningRequest {
    /// Name of the person or organisation in any script, 1–250 characters. Transcriptions of Russian, Ukrainian, Belarusian, Bulgarian,
    /// Serbian, Macedonian, Greek, Arabic, Persian, Hebrew, Chinese (Mandarin) and Korean names are read as one name. Cantonese readings
    /// and the Western Armenian ones are not: screen such a name in both spellings.
    #[schema(value_type = String, min_length = 1, max_length = 250, example = "Mikalaj Dovreshenka")]
    name: SubjectName,
    /// Company number of the subject. It is compared with the numbers on the lists, and not looked up in the register.
    #[serde(default)]
    #[schema(value_type = Option<GivenUid>)]
    uid: Option<Uid>,
    /// Sources to search. Default: all that the service has.
    #[serde(default)]
    #[schema(value_type = Option<Vec<ListSource>>, min_items = 1)]
    pub sources: Option<WantedSources>,
    /// Type of the subject. Default: `company` if `uid` is given. Without both, the name is compared as that of a person and as
    /// that of an organisation.
    #[serde(default, rename = "type")]
    subject_type: Option<SubjectType>,
    /// Date of birth, or of foundation: a year, a month or a day.
    #[serde(default)]
    birth_date: Option<PartialDate>,
    /// Nationality, residence or seat: ISO 3166-1 alpha-2 code.
    #[serde(default)]
    #[schema(value_type = Option<String>, pattern = "^[A-Za-z]{2}$", example = "BY")]
    country: Option<Country>,
    /// Numbers of documents and registers, at most 10.
    #[serde(default)]
    #[schema(value_type = Vec<GivenIdentifier>, max_items = 10)]
    identifiers: Identifiers,
    /// Lowest score of a hit, 0.5–1. Default: 0.7. Below 0.7, only entries that share a rare part of a name with the
    /// subject are found.
    #[serde(default)]
    #[schema(value_type = Option<f64>, minimum = 0.5, maximum = 1.0)]
    threshold: Option<Threshold>,
    /// Maximum number of hits in the answer, 1–25. Default: 10.
    #[serde(default)]
    #[schema(value_type = Option<u8>, minimum = 1, maximum = 25)]
    limit: Option<HitLimit>,
    /// Whether the subject is screened again whenever one of the lists changes, and the team notified of new or changed hits.
    /// Needs the scope `write`. A subject with the same names, type, company number, date of birth, country and identifiers is
    /// monitored once; a further request sets `threshold`, `limit` and `sources`. Upper and lower case, repeated spaces in names,
    /// and separators in identifiers do not matter. A team can monitor 1,000 subjects (Free), 2,000 (Starter), 5,000
    /// (Professional) or 10,000 (Enterprise). Default: `false`.
    #[serde(default)]
    #[schema(example = true)]
    pub monitor: bool,
}

impl ScreeningRequest {
    /// The query against these lists.
    pub fn query(self, lists: Vec<List>) -> ScreeningQuery {
        ScreeningQuery {
            uid: self.uid,
            subject_type: self.subject_type,
            birth_date: self.birth_date,
            country: self.country.map(Country::into_code),
            identifiers: self.identifiers.into_query(),
            threshold: self.threshold.unwrap_or_default().get(),
            limit: self.limit.map_or(DEFAULT_HITS, HitLimit::get),
            ..ScreeningQuery::of(self.name.0, lists)
        }
    }
}
