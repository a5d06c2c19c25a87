//! What is asked, of whomever. Every question is made of a company of the register, so that there is
//! something to find.

use domain::{
    Amount, Canton, Company, Status, Uid,
    company::WantedStatus,
    legal_forms::{LegalForm, WantedLegalForm},
    search::{Bound, CompanyQuery, NogaPrefix, SortBy},
    text::fold,
};
use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};
use rand::{
    Rng, SeedableRng,
    rngs::StdRng,
    seq::{IndexedRandom, SliceRandom},
};
use text_index::companies::{Companies, Facet};

/// A kind of question, whose figures stand in one row.
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
            Self::NameInCanton => "a word of a name, canton and legal form",
            Self::List => "filtered list, exact total",
            Self::ByCapital => "the same, sorted by capital",
            Self::Statistics => "statistics by status, canton, legal form",
            Self::Nearby => "nearby, within 1, 5 or 20 km",
            Self::One => "one record",
        }
    }
}

#[derive(Clone, Debug)]
pub(crate) enum Question {
    Name {
        text: String,
        /// Whether the last word may be the beginning of one.
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

/// What a list is narrowed by.
#[derive(Clone, Debug)]
pub(crate) enum Filter {
    Canton(Canton),
    LegalForm(&'static LegalForm),
    Active,
    /// The first two digits of the NOGA code.
    Division(String),
    /// In whole units.
    CapitalFrom(i64),
}

/// A question, and the company that whoever asks has in mind; `None` where many would do.
#[derive(Clone, Debug)]
pub(crate) struct Asked {
    pub(crate) question: Question,
    pub(crate) meant: Option<Uid>,
}

/// Companies spread evenly over a register of this size, in random order.
pub(crate) fn companies(register: usize, wanted: usize) -> Vec<Company> {
    let every = (register / wanted).max(1);
    let mut companies: Vec<Company> = demo_registry::companies(register).step_by(every).collect();
    companies.shuffle(&mut StdRng::seed_from_u64(1));
    companies
}

/// So many questions of a kind about these companies.
pub(crate) fn questions(kind: Kind, companies: &[Company], count: usize) -> Vec<Asked> {
    let mut random = StdRng::seed_from_u64(kind as u64);
    let mut made = Vec::with_capacity(count);
    // A company that gives no such question, because its name is too short, is passed over.
    for company in companies.iter().cycle().take(100 * (count + companies.len())) {
        if made.len() == count {
            break;
        }
        // Half of those who search write the whole name, half one word of it.
        let whole = made.len().is_multiple_of(2);
        if let Some(question) = question(kind, company, whole, &mut random) {
            let names_one =
                matches!(kind, Kind::Words | Kind::Beginning | Kind::OneTypo | Kind::TwoTypos);
            let meant = (names_one && whole).then_some(company.uid);
            made.push(Asked { question, meant });
        }
    }
    made
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

/// One to three filters that the company passes.
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

/// The words of a name as they are written, without its legal form, which nobody types.
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
    let said = |word: &&str| {
        let folded = fold(word);
        folded.len() > 2 && !folded.contains(' ') && !FORMS.contains(&folded.as_str())
    };
    name.split_whitespace().filter(said).map(str::to_owned).collect()
}

/// Leaves the first half of the last word, at least three letters.
fn unfinish(words: &mut [String]) -> Option<()> {
    let last = words.last_mut()?;
    let letters = last.chars().count();
    if letters < 4 {
        return None;
    }
    *last = last.chars().take(letters.div_ceil(2).max(3)).collect();
    Some(())
}

/// Puts so many typos into one word that is long enough for them to be forgiven: four letters must be
/// left for one, eight for two.
fn mistype(words: &mut [String], typos: usize, random: &mut StdRng) -> Option<()> {
    let least = 4 * typos + typos;
    let is_long = |it: &&mut String| it.chars().all(char::is_alphabetic) && fold(it).len() >= least;
    let mut long: Vec<&mut String> = words.iter_mut().filter(is_long).collect();
    let at = random.random_range(0..long.len().max(1));
    let word = long.get_mut(at)?;
    let right = fold(word);
    // Typos that undo each other, or that folding takes away, are none.
    for _ in 0..20 {
        let mut letters: Vec<char> = word.chars().collect();
        (0..typos).for_each(|_| slip(&mut letters, random));
        let typed: String = letters.into_iter().collect();
        if strsim::osa_distance(&right, &fold(&typed)) == typos {
            **word = typed;
            return Some(());
        }
    }
    None
}

/// One slip of the finger: a letter swapped with its neighbour, left out, doubled, or another one.
fn slip(letters: &mut Vec<char>, random: &mut StdRng) {
    let at = random.random_range(0..letters.len() - 1);
    match random.random_range(0..4) {
        0 => letters.swap(at, at + 1),
        1 => drop(letters.remove(at)),
        2 => letters.insert(at, letters[at]),
        _ => letters[at] = char::from(random.random_range(b'a'..=b'z')),
    }
}

impl Question {
    /// What our index is asked; `None` for what is no list.
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
                Filter::Canton(canton) => query.canton = vec![*canton],
                Filter::LegalForm(form) => query.legal_form = vec![WantedLegalForm(form)],
                Filter::Active => query.status = vec![WantedStatus(Status::Active)],
                Filter::Division(digits) => query.noga_division = Some(NogaPrefix(digits.clone())),
                Filter::CapitalFrom(units) => {
                    query.capital_min = Some(Bound(Amount::units(*units)));
                }
            }
        }
        Some(query)
    }

    /// What a client of the API asks.
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

/// An answer: the first twenty companies, and how many there are in all, where that is asked.
#[derive(Clone, Debug, Default)]
pub(crate) struct Answer {
    pub(crate) uids: Vec<Uid>,
    pub(crate) total: Option<u64>,
}

/// How many companies the first page of every list has.
pub(crate) const PAGE: usize = 20;

impl Answer {
    /// Our index's answer, in process: without the records, which are elsewhere.
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
            // The record is in the table, the index has nothing to do with it.
            _ => Ok(Self::default()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_typo_is_one_that_is_forgiven() {
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
    fn nobody_types_the_legal_form() {
        assert_eq!(words("Nestlé S.A."), ["Nestlé"]);
        assert_eq!(words("Müller & Söhne GmbH in Liquidation"), ["Müller", "Söhne"]);
        let mut name = words("Muster Maschinenbau AG");
        unfinish(&mut name).expect("a long word");
        assert_eq!(name, ["Muster", "Maschi"]);
    }

    #[test]
    fn every_kind_asks_the_same_each_time() {
        let companies = companies(500, 200);
        for kind in Kind::ALL {
            let asked = questions(kind, &companies, 100);
            assert_eq!(asked.len(), 100, "{kind:?}");
            let paths =
                |asked: &[Asked]| asked.iter().map(|it| it.question.path()).collect::<Vec<_>>();
            assert_eq!(paths(&asked), paths(&questions(kind, &companies, 100)));
        }
    }
}
