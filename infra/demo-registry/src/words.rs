//! The word lists that names are made of. All of them are written for this register; a name that a real company has is
//! a coincidence.

use std::sync::LazyLock;

use crate::{
    data::{self, ByLanguage},
    language::Language,
};

const FAMILY_NAME_FILE: &str = include_str!("../data/family_names.txt");
const FIRST_NAME_FILE: &str = include_str!("../data/first_names.txt");
const COINED_NAME_FILE: &str = include_str!("../data/coined_names.txt");
const PLACE_FILE: &str = include_str!("../data/places_in_names.txt");
const NAME_WORD_FILE: &str = include_str!("../data/name_words.txt");

type Words = LazyLock<Vec<&'static str>>;
type WordsByLanguage = LazyLock<ByLanguage>;

/// Family names by language of the place, the most common first.
pub(crate) static FAMILY_NAMES: WordsByLanguage =
    LazyLock::new(|| data::by_language(FAMILY_NAME_FILE, ""));
/// Family names that are common in the whole country.
pub(crate) static NATIONWIDE_FAMILY_NAMES: Words =
    LazyLock::new(|| data::list(FAMILY_NAME_FILE, "any"));
/// Family names that are given names too.
pub(crate) static AMBIGUOUS_FAMILY_NAMES: Words =
    LazyLock::new(|| data::list(FAMILY_NAME_FILE, "given"));

/// First names by language of the place, the most common first.
pub(crate) static FIRST_NAMES: WordsByLanguage =
    LazyLock::new(|| data::by_language(FIRST_NAME_FILE, ""));
/// First names that are common in the whole country.
pub(crate) static NATIONWIDE_FIRST_NAMES: Words =
    LazyLock::new(|| data::list(FIRST_NAME_FILE, "any"));
static WOMENS_NAMES: Words = LazyLock::new(|| data::list(FIRST_NAME_FILE, "women"));

/// First, middle and last syllables of coined names.
pub(crate) static SYLLABLES: LazyLock<[Vec<&'static str>; 3]> =
    LazyLock::new(|| ["first", "middle", "last"].map(|it| data::list(COINED_NAME_FILE, it)));
/// Initials that an existing organisation uses.
pub(crate) static TAKEN_INITIALS: Words = LazyLock::new(|| data::list(COINED_NAME_FILE, "taken"));

/// Regions in names such as `Menuiserie du Jorat`, with their preposition.
pub(crate) static REGIONS: WordsByLanguage =
    LazyLock::new(|| data::by_language(PLACE_FILE, "region"));
/// Names of houses and fields.
pub(crate) static HOUSES: WordsByLanguage =
    LazyLock::new(|| data::by_language(PLACE_FILE, "house"));
/// What associations and foundations are named after.
pub(crate) static CAUSES: WordsByLanguage =
    LazyLock::new(|| data::by_language(include_str!("../data/causes.txt"), ""));
/// Street names, the most common first.
pub(crate) static STREETS: WordsByLanguage =
    LazyLock::new(|| data::by_language(include_str!("../data/streets.txt"), ""));
/// Towns across the border, by language of the places on this side.
pub(crate) static FOREIGN_TOWNS: WordsByLanguage =
    LazyLock::new(|| data::by_language(include_str!("../data/foreign_towns.txt"), ""));

/// What invented audit firms are called after the family name.
pub(crate) static AUDIT_WORDS: WordsByLanguage =
    LazyLock::new(|| data::by_language(include_str!("../data/audit_words.txt"), ""));

/// Words of names for a kind of company.
pub(crate) struct NameWords {
    pub(crate) association: ByLanguage,
    pub(crate) foundation: ByLanguage,
    pub(crate) pension_fund: ByLanguage,
    pub(crate) cooperative: ByLanguage,
    pub(crate) housing_cooperative: ByLanguage,
    pub(crate) branch: ByLanguage,
    /// `& Co.`
    pub(crate) and_company: ByLanguage,
    pub(crate) in_liquidation: ByLanguage,
    /// `AG`
    pub(crate) corporation: ByLanguage,
    /// `GmbH`
    pub(crate) limited_liability: ByLanguage,
    pub(crate) fiduciary: ByLanguage,
}

pub(crate) static NAME_WORDS: LazyLock<NameWords> = LazyLock::new(|| {
    let words = |key| data::by_language(NAME_WORD_FILE, key);
    NameWords {
        association: words("association"),
        foundation: words("foundation"),
        pension_fund: words("pension fund"),
        cooperative: words("cooperative"),
        housing_cooperative: words("housing cooperative"),
        branch: words("branch"),
        and_company: words("and company"),
        in_liquidation: words("in liquidation"),
        corporation: words("corporation"),
        limited_liability: words("limited liability company"),
        fiduciary: words("fiduciary"),
    }
});

/// Whether a first name is a woman's. `Andrea` is a man's name in Italian.
pub(crate) fn is_womans_name(first_name: &str, language: Language) -> bool {
    let first = first_name.split([' ', '-']).next().unwrap_or_default();
    WOMENS_NAMES.contains(&first) && !(first == "Andrea" && language == Language::Italian)
}
