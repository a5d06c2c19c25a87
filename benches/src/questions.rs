//! The queries of all benches. Each is derived from a company of the register, so that it finds something.

use demo_registry::Register;
use domain::{
    Amount, Canton, Company, Status, Uid,
    legal_forms::{LegalForm, WantedLegalForm},
    search::{Bound, CompanyQuery, NogaPrefix, SortBy, WantedStatus},
    text::fold,
};
use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};
use rand::{
    Rng, SeedableRng,
    rngs::StdRng,
    seq::{IndexedRandom, SliceRandom},
};
use text_index::companies::{Companies, Facet};

/// A kind of query: one row of the results.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Words,
    Beginning,
    OneTypo,
    TwoTypos,
    NameInCanton,
    List,
    ByCapital,
    Statistics,
    Nearby,
    One,
}

impl Kind {
    pub(crate) const ALL: [Self; 10] = [
        Self::Words,
        Self::Beginning,
        Self::OneTypo,
        Self::TwoTypos,
        Self::NameInCanton,
        Self::List,
        Self::ByCapital,
        Self::Statistics,
        Self::Nearby,
        Self::One,
    ];

    pub(crate) fn label(self) -> &'static str {
        match self {
            Self::Words => "name: exact words",
            Self::Beginning => "name: last word unfinished",
            Self::OneTypo => "name: one typo",
            Self::TwoTypos => "name: two typos in a word",
            Self::NameInCanton => "one word of a name, canton and legal form",
            Self::List => "filtered list with exact total",
            Self::ByCapital => "filtered list, sorted by capital",
            Self::Statistics => "statistics by status, canton and legal form",
            Self::Nearby => "companies nearby, within 1, 5 or 20 km",
            Self::One => "one record",
        }
    }
}

#[derive(Clone, Debug)]
pub(crate) enum Question {
    Name {
        text: String,
        /// Whether the last word is unfinished.
        unfinished: bool,
        filters: Vec<Filter>,
    },
    List {
        filters: Vec<Filter>,
        by_capital: bool,
    },
    Statistics,
    Nearby {
        latitude: f64,
        longitude: f64,
        radius_km: f64,
    },
    One(Uid),
}

/// A filter of a list.
#[derive(Clone, Debug)]
pub(crate) enum Filter {
    Canton(Canton),
    LegalForm(&'static LegalForm),
    Active,
    /// The first two digits of the NOGA code.
    Division(String),
    /// Minimum capital, in whole units.
    CapitalFrom(i64),
}

/// A query and the company that the user looks for. `None` where the query fits many companies.
#[derive(Clone, Debug)]
pub(crate) struct Search {
    pub(crate) question: Question,
    pub(crate) wanted: Option<Uid>,
}

/// Companies spread evenly over a register of this size, in random order.
pub(crate) fn companies(register: usize, wanted: usize) -> Vec<Company> {
    let every = (register / wanted).max(1);
    let mut companies: Vec<Company> =
        Register::default().companies(register).step_by(every).collect();
    companies.shuffle(&mut StdRng::seed_from_u64(1));
    companies
}

/// `count` queries of a kind about these companies.
pub(crate) fn questions(kind: Kind, companies: &[Company], count: usize) -> Vec<Search> {
    let mut random = StdRng::seed_from_u64(kind as u64);
    let mut searches = Vec::with_capacity(count);
    // A company whose name is too short for the kind of query is skipped.
    for company in companies.iter().cycle().take(100 * (count + companies.len())) {
        if searches.len() == count {
            break;
        }
        // Half of the queries contain the whole name, half one word of it.
        let whole = searches.len().is_multiple_of(2);
        if let Some(question) = question(kind, company, whole, &mut random) {
            let names_one =
                matches!(kind, Kind::Words | Kind::Beginning | Kind::OneTypo | Kind::TwoTypos);
            let wanted = (names_one && whole).then_some(company.uid);
            searches.push(Search { question, wanted });
        }
    }
    searches
}

fn question(kind: Kind, company: &Company, whole: bool, random: &mut StdRng) -> Option<Question> {
    let name = |edit: &dyn Fn(&mut Vec<String>, &mut StdRng) -> Option<()>, random: &mut StdRng| {
        let mut words = words(&company.name);
        if !whole {
            words = words.choose(random).cloned().into_iter().collect();
        }
        edit(&mut words, random)?;
        let unfinished = kind == Kind::Beginning;
        let text = words.join(" ");
        (!text.is_empty()).then_some(Question::Name { text, unfinished, filters: Vec::new() })
    };
    match kind {
        Kind::Words => name(&|_, _| Some(()), random),
        Kind::Beginning => name(&|words, _| unfinish(words), random),
        Kind::OneTypo => name(&|words, random| mistype(words, 1, random), random),
        Kind::TwoTypos => name(&|words, random| mistype(words, 2, random), random),
        Kind::NameInCanton => {
            let text = words(&company.name).choose(random)?.clone();
            let form = LegalForm::by_code(company.legal_form_code.as_deref()?)?;
            let filters = vec![Filter::Canton(company.canton?), Filter::LegalForm(form)];
            Some(Question::Name { text, unfinished: false, filters })
        }
        Kind::List => Some(Question::List { filters: filters(company, random), by_capital: false }),
        Kind::ByCapital => {
            Some(Question::List { filters: filters(company, random), by_capital: true })
        }
        Kind::Statistics => Some(Question::Statistics),
        Kind::Nearby => Some(Question::Nearby {
            latitude: company.latitude?,
            longitude: company.longitude?,
            radius_km: *[1.0, 5.0, 20.0].choose(random)?,
        }),
        Kind::One => Some(Question::One(company.uid)),
    }
}

/// One to three filters that match the company.
fn filters(company: &Company, random: &mut StdRng) -> Vec<Filter> {
    let form = company.legal_form_code.as_deref().and_then(LegalForm::by_code);
    let units = company.share_capital.map(|it| it.ten_thousandths() / 10_000);
    let mut filters: Vec<Filter> = [
        company.canton.map(Filter::Canton),
        form.map(Filter::LegalForm),
        (company.status == Some(Status::Active)).then_some(Filter::Active),
        company
            .noga_code
            .as_deref()
            .and_then(|it| it.get(..2))
            .map(|it| Filter::Division(it.into())),
        units.map(Filter::CapitalFrom),
    ]
    .into_iter()
    .flatten()
    .collect();
    filters.shuffle(random);
    filters.truncate(random.random_range(1..=3));
    filters
}

/// The words of a name without its legal form, which users do not type.
fn words(name: &str) -> Vec<String> {
    const FORMS: [&str; 16] = [
        "aktiengesellschaft",
        "gmbh",
        "ltd",
        "llc",
        "inc",
        "plc",
        "sarl",
        "sagl",
        "snc",
        "klg",
        "kmg",
        "sicav",
        "kmag",
        "liquidation",
        "liquidazione",
        "limited",
    ];
    let is_typed = |word: &&str| {
        let folded = fold(word);
        folded.len() > 2 && !folded.contains(' ') && !FORMS.contains(&folded.as_str())
    };
    name.split_whitespace().filter(is_typed).map(str::to_owned).collect()
}

/// Shortens the last word to its first half, at least three letters.
fn unfinish(words: &mut [String]) -> Option<()> {
    let last = words.last_mut()?;
    let letters = last.chars().count();
    if letters < 4 {
        return None;
    }
    *last = last.chars().take(letters.div_ceil(2).max(3)).collect();
    Some(())
}

/// Makes this many typos in one word. The word is long enough for the index to tolerate them even if each typo
/// removes a letter: one typo needs four remaining letters, two need eight.
fn mistype(words: &mut [String], typos: usize, random: &mut StdRng) -> Option<()> {
    let minimum = 4 * typos + typos;
    let is_long =
        |it: &&mut String| it.chars().all(char::is_alphabetic) && fold(it).len() >= minimum;
    let mut long: Vec<&mut String> = words.iter_mut().filter(is_long).collect();
    let at = random.random_range(0..long.len().max(1));
    let word = long.get_mut(at)?;
    let correct = fold(word);
    // Try again where typos cancel each other or folding removes them.
    for _ in 0..20 {
        let mut letters: Vec<char> = word.chars().collect();
        (0..typos).for_each(|_| make_typo(&mut letters, random));
        let typed: String = letters.into_iter().collect();
        if strsim::osa_distance(&correct, &fold(&typed)) == typos {
            **word = typed;
            return Some(());
        }
    }
    None
}

/// Makes one typo: a letter swapped with its neighbour, missing, doubled or replaced.
fn make_typo(letters: &mut Vec<char>, random: &mut StdRng) {
    let at = random.random_range(0..letters.len() - 1);
    match random.random_range(0..4) {
        0 => letters.swap(at, at + 1),
        1 => drop(letters.remove(at)),
        2 => letters.insert(at, letters[at]),
        _ => letters[at] = char::from(random.random_range(b'a'..=b'z')),
    }
}

impl Question {
    /// The query for our index. `None` where the question is not a list of companies.
    pub(crate) fn query(&self) -> Option<CompanyQuery> {
        let mut query = CompanyQuery::default();
        let filters = match self {
            Self::Name { text, filters, .. } => {
                query.search = Some(text.clone());
                filters
            }
            Self::List { filters, by_capital } => {
                if *by_capital {
                    (query.sort_by, query.sort_desc) = (SortBy::ShareCapital, true);
                }
                filters
            }
            _ => return None,
        };
        for filter in filters {
            match filter {
                Filter::Canton(canton) => query.canton = [*canton].into(),
                Filter::LegalForm(form) => query.legal_form = [WantedLegalForm(form)].into(),
                Filter::Active => query.status = [WantedStatus(Status::Active)].into(),
                Filter::Division(digits) => query.noga_division = Some(NogaPrefix(digits.clone())),
                Filter::CapitalFrom(units) => {
                    query.capital_min = Some(Bound(Amount::units(*units)));
                }
            }
        }
        Some(query)
    }

    /// The path of the API request.
    pub(crate) fn path(&self) -> String {
        let parameters = |filters: &[Filter]| -> String {
            let parameter = |it: &Filter| match it {
                Filter::Canton(canton) => format!("&canton={}", canton.code()),
                Filter::LegalForm(form) => format!("&legalForm={}", form.code),
                Filter::Active => "&status=ACTIVE".to_owned(),
                Filter::Division(digits) => format!("&nogaDivision={digits}"),
                Filter::CapitalFrom(units) => format!("&capitalMin={units}"),
            };
            filters.iter().map(parameter).collect()
        };
        match self {
            Self::Name { text, filters, .. } => {
                let text = utf8_percent_encode(text, NON_ALPHANUMERIC);
                format!("/v1/companies?search={text}{}", parameters(filters))
            }
            Self::List { filters, by_capital } => {
                let order =
                    if *by_capital { "sortBy=shareCapital&sortDesc=true" } else { "page=1" };
                format!("/v1/companies?{order}{}", parameters(filters))
            }
            Self::Statistics => "/v1/companies/statistics".to_owned(),
            Self::Nearby { latitude, longitude, radius_km } => {
                format!("/v1/companies/nearby?lat={latitude}&lng={longitude}&radiusKm={radius_km}")
            }
            Self::One(uid) => format!("/v1/companies/{uid}"),
        }
    }
}

/// The first twenty companies and, where the query asks for it, the total.
#[derive(Clone, Debug, Default)]
pub(crate) struct Answer {
    pub(crate) uids: Vec<Uid>,
    pub(crate) total: Option<u64>,
}

/// Number of companies on the first page of every list.
pub(crate) const PAGE: usize = 20;

impl Answer {
    /// The answer of our index, in process and without the records.
    pub(crate) fn of(index: &Companies, question: &Question) -> Result<Self, text_index::Error> {
        if let Some(query) = question.query() {
            let hits = index.search(&query)?;
            return Ok(Self { uids: hits.uids, total: Some(hits.total) });
        }
        match question {
            Question::Statistics => {
                let mut total = 0;
                for facet in [Facet::Status, Facet::Canton, Facet::LegalForm] {
                    total = index.totals(facet).iter().map(|(_, count)| count).sum();
                }
                Ok(Self { uids: Vec::new(), total: Some(total) })
            }
            Question::Nearby { latitude, longitude, radius_km } => {
                let near = index.nearby(*latitude, *longitude, *radius_km, PAGE)?;
                Ok(Self { uids: near.into_iter().map(|it| it.uid).collect(), total: None })
            }
            // Records are in the table, not in the index.
            _ => Ok(Self::default()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mistyped_words_have_the_requested_number_of_typos() {
        let mut random = StdRng::seed_from_u64(7);
        for typos in [1, 2] {
            for _ in 0..500 {
                let mut typed = vec!["Zürcher".to_owned(), "Maschinenbau".to_owned()];
                mistype(&mut typed, typos, &mut random).expect("a long word");
                let distance =
                    strsim::osa_distance(&fold(&typed.join(" ")), "zurcher maschinenbau");
                assert_eq!(distance, typos, "{typed:?}");
                assert!(typos == 1 || typed[0] == "Zürcher", "{typed:?}");
            }
        }
        assert_eq!(mistype(&mut ["Abbe".to_owned()], 1, &mut random), None);
    }

    #[test]
    fn words_leave_out_the_legal_form() {
        assert_eq!(words("Nestlé S.A."), ["Nestlé"]);
        assert_eq!(words("Müller & Söhne GmbH in Liquidation"), ["Müller", "Söhne"]);
        let mut name = words("Muster Maschinenbau AG");
        unfinish(&mut name).expect("a long word");
        assert_eq!(name, ["Muster", "Maschi"]);
    }

    #[test]
    fn questions_are_the_same_in_every_run() {
        let companies = companies(500, 200);
        for kind in Kind::ALL {
            let searches = questions(kind, &companies, 100);
            assert_eq!(searches.len(), 100, "{kind:?}");
            let paths = |searches: &[Search]| {
                searches.iter().map(|it| it.question.path()).collect::<Vec<_>>()
            };
            assert_eq!(paths(&searches), paths(&questions(kind, &companies, 100)));
        }
    }
}
