//! The demonstration register: as many invented companies as one asks for, distributed like those
//! of Switzerland, behind six real ones with nothing but their identity; and what the gazette would have
//! published of the invented ones, in its own format.
//!
//! Invariants: no clock, no I/O, one seed. A company depends on its index alone, so a smaller
//! register is the beginning of a larger one. The number of an invented company has a valid check
//! digit and lies between `CHE-600.000.000` and `CHE-899.999.999`, where the office assigns none.
//!
//! | Read this | To learn |
//! |---|---|
//! | here | what a record says, and how often |
//! | `forms`, `localities`, `vocabulary` | the tables |
//! | `names` | how names and purposes are put together |
//! | `people` | who may hold an office, and who is met in several companies |
//! | `life`, `board` | what became of a company until its record, and who came and went |
//! | `wording`, `publication` | how the offices write that, and the gazette's JSON around it |
//! | `random` | the seeded generator |

mod board;
mod forms;
mod life;
mod localities;
mod names;
mod people;
mod publication;
mod random;
mod vocabulary;
mod wording;

use domain::{
    Amount, Canton, Company, Provenance, Status, Uid,
    company::{Affiliation, AffiliationKind, GeoPrecision},
    legal_forms::LegalForm,
    noga, text,
};
use jiff::{
    Timestamp, ToSpan,
    civil::{Date, date},
};

use serde_json::Value;

use crate::{
    localities::Locality,
    names::{Holder, Subject},
    random::Random,
    vocabulary::{
        ASSOCIATION_TRADES, AUDIT_FIRMS, AUDIT_WORDS, COOPERATIVE_TRADES, CORPORATE_DIVISIONS,
        FINANCIAL_DIVISIONS, FOUNDATION_TRADES, Language, PUBLIC_TRADES, TRADES, Trade,
    },
};

/// The most companies there can be: one for every seven leading digits of the range of numbers.
pub const CAPACITY: usize = 3_000_000;

/// The day of the register: no record says anything later.
pub const DEMO_DATE: Date = date(2026, 10, 31);

/// The source that every record names.
pub const SOURCE: &str = "demo";

/// The first `count` companies of the register, at most [`CAPACITY`].
pub fn companies(count: usize) -> impl ExactSizeIterator<Item = Company> {
    (0..count.min(CAPACITY)).map(company)
}

/// Real companies: number, name, canton, seat. All are corporations.
#[rustfmt::skip]
const REAL: [(u32, &str, Canton, &str); 6] = [
    (101_049_653, "ABB SA",                            Canton::Zh, "Zürich"),
    (101_329_561, "UBS SA",                            Canton::Zh, "Zürich"),
    (103_011_259, "Novartis Overseas Investments SA",  Canton::Bs, "Basel"),
    (103_000_037, "Roche Finance SA",                  Canton::Bs, "Basel"),
    (101_236_480, "Zurich Insurance Group SA",         Canton::Zh, "Zürich"),
    (105_909_036, "Nestlé S.A.",                       Canton::Vd, "Vevey"),
];

/// What the gazette published of the company with this index, oldest first, in the portal's JSON:
/// from its entry on if there shall be `plenty`, otherwise the newest publication alone. Nothing of
/// the real ones.
///
/// The identifiers begin with `demo-`, and no portal has them.
pub fn publications(index: usize, plenty: bool) -> Vec<Value> {
    company_with_publications(index, plenty).1
}

/// The company with this index, and its [`publications`].
pub fn company_with_publications(index: usize, plenty: bool) -> (Company, Vec<Value>) {
    if index < REAL.len() {
        return (company(index), Vec::new());
    }
    let (company, past) = invented(index);
    let company = with_source(company);
    let publications = publication::publications(index, &company, &past, plenty);
    (company, publications)
}

fn company(index: usize) -> Company {
    let company = match REAL.get(index) {
        Some((number, name, canton, seat)) => {
            let mut company = Company::new(uid(*number), *name);
            company.canton = Some(*canton);
            company.legal_seat = Some((*seat).to_owned());
            company.status = Some(Status::Active);
            set_form(&mut company, forms::CORPORATION);
            company
        }
        None => invented(index).0,
    };
    with_source(company)
}

fn with_source(mut company: Company) -> Company {
    company.data_source = Some(SOURCE.to_owned());
    company.sources =
        vec![Provenance { source: SOURCE.to_owned(), reference: None, date: Some(DEMO_DATE) }];
    company.completed()
}

fn set_form(company: &mut Company, code: &'static str) {
    company.legal_form = LegalForm::by_code(code).map(|it| it.name().to_owned());
    company.legal_form_code = Some(code.to_owned());
}

fn uid(number: u32) -> Uid {
    Uid::from_number(number).expect("every number here has nine digits")
}

/// The number of an invented company: its first seven digits are a permutation of the index, so
/// that no two companies share them.
fn invented_uid(index: usize) -> Uid {
    // Odd, and divisible by neither 3 nor 5: coprime to the capacity. Far apart for neighbours.
    const STRIDE: usize = 1_854_101;
    let seven = 6_000_000 + index * STRIDE % CAPACITY;
    let eighths = (0..10).map(|step| (index + step) % 10);
    // Of ten neighbours, at most one has no check digit (eCH-0108).
    let mut numbers = eighths.filter_map(|eighth| {
        let eight = u32::try_from(seven * 10 + eighth).ok()?;
        Some(eight * 10 + Uid::check_digit(eight)?)
    });
    uid(numbers.next().expect("nine of ten neighbours have a check digit"))
}

/// What decides a name, drawn first, so that a branch can look at its head office.
struct Identity {
    subject: Subject,
    status: Status,
    canton_share: &'static (u32, Canton, u32),
    name: String,
    holders: Vec<Holder>,
    head_office: Option<(Option<Uid>, String)>,
}

fn form_and_status(random: &mut Random) -> (&'static str, Status) {
    let form = random.one_of(&forms::FORMS);
    let status =
        random.one_of(&[(93, Status::Active), (3, Status::BeingCancelled), (4, Status::Cancelled)]);
    (form, status)
}

impl Identity {
    fn draw(index: usize, random: &mut Random) -> Self {
        let (form, status) = form_and_status(random);
        let canton_share = random.weighted(&localities::CANTONS, |it| it.0);
        let place = random.weighted(localities::of_canton(canton_share.1), |it| it.weight);
        let trade = trade(random, form);
        let international = match canton_share.1 {
            Canton::Zg | Canton::Ge => 180,
            Canton::Zh | Canton::Bs | Canton::Vd => 110,
            _ => 50,
        };
        let companies = matches!(form, forms::CORPORATION | forms::LIMITED_LIABILITY);
        let language = match companies && random.chance(international) {
            true => Language::English,
            false => place.language,
        };
        let subject = Subject { form, place, language, trade };
        let mut identity = Self {
            subject,
            status,
            canton_share,
            name: String::new(),
            holders: Vec::new(),
            head_office: None,
        };
        match form {
            forms::BRANCH => identity.branch(index, random),
            _ => (identity.name, identity.holders) = identity.subject.name_and_holders(random),
        }
        identity
    }

    /// Becomes a branch of an earlier company, or of one outside the register if none is found.
    fn branch(&mut self, index: usize, random: &mut Random) {
        let earlier = |it: &usize| {
            let (form, status) = form_and_status(&mut Random::for_company(*it));
            matches!(form, forms::CORPORATION | forms::LIMITED_LIABILITY)
                && status == Status::Active
        };
        let invented = index - REAL.len();
        let mut candidates = (0..8)
            .filter(|_| invented > 0)
            .map(|_| REAL.len() + random.below(invented as u64) as usize);
        let found = candidates.find(earlier);
        let head = match found {
            Some(at) => {
                let head = Self::draw(at, &mut Random::for_company(at));
                self.subject.trade = head.subject.trade;
                (Some(invented_uid(at)), head.name)
            }
            None => {
                let form = forms::CORPORATION;
                (None, Subject { form, ..self.subject }.name(random))
            }
        };
        self.name = self.subject.branch_of(&head.1);
        self.head_office = Some(head);
    }
}

fn trade(random: &mut Random, form: &str) -> &'static Trade {
    let some: &[(u32, &str)] = match form {
        forms::ASSOCIATION => &ASSOCIATION_TRADES,
        forms::FOUNDATION => &FOUNDATION_TRADES,
        forms::COOPERATIVE => &COOPERATIVE_TRADES,
        forms::PUBLIC_INSTITUTION => &PUBLIC_TRADES,
        forms::INVESTMENT_COMPANY => &[(1, "649901")],
        _ => &[],
    };
    if !some.is_empty() {
        let code = random.one_of(some);
        return Trade::by_code(code).expect("a code of the table of trades");
    }
    let trades = &vocabulary::TRADES;
    match form {
        forms::SOLE_TRADER | forms::GENERAL_PARTNERSHIP => random.weighted(trades, |it| {
            if CORPORATE_DIVISIONS.contains(&it.division()) { 0 } else { it.weight }
        }),
        _ => random.weighted(trades, |it| it.weight),
    }
}

/// What a record does not tell.
struct Past {
    subject: Subject,
    /// Whom the name names.
    holders: Vec<Holder>,
    /// The name without what is added to it in liquidation.
    name: String,
}

fn invented(index: usize) -> (Company, Past) {
    let random = &mut Random::for_company(index);
    let Identity { subject, status, canton_share, name, holders, head_office } =
        Identity::draw(index, random);
    let &Subject { form, place, trade, .. } = &subject;
    let mut company = Company::new(invented_uid(index), "");

    set_form(&mut company, form);
    company.canton = Some(place.canton);
    company.status = Some(status);
    company.legal_seat = Some(place.commune.to_owned());
    company.legal_seat_id = Some(place.bfs_number);
    company.registry_of_commerce_id = Some(canton_share.2);
    company.ehraid = Some(5_000_000 + index as u64);
    company.chid = Some(chid(index, canton_share.2, form));

    set_address(&mut company, random, place);
    let registration = set_dates(&mut company, random, form, status);
    set_capital(&mut company, random, form);
    set_industry(&mut company, random, trade);
    set_employees(&mut company, random, form);
    set_auditor(&mut company, random, form, place);

    if head_office.is_none() && random.chance(60) && registration < days_of(date(2022, 1, 1)) {
        company.old_names = Some(vec![subject.name(random)]);
    }
    if random.chance(63) {
        company.translations = subject.translations(&name);
    }
    if random.chance(300) {
        company.website = Some(website(&name));
    }
    let lei_share = match form {
        forms::CORPORATION => 70,
        forms::LIMITED_LIABILITY => 15,
        forms::INVESTMENT_COMPANY => 1000,
        _ => 7,
    };
    if random.chance(lei_share) {
        company.lei = Some(lei(company.uid));
    }
    let second = random
        .weighted(&TRADES, |it| if it.division() == trade.division() { it.weight } else { 0 });
    company.purpose = Some(subject.purpose(random, second));
    if let Some((uid, name)) = head_office {
        let kind = AffiliationKind::HeadOffice;
        company.affiliations = vec![Affiliation { kind, uid, name }];
    }
    let liquidation = match place.language {
        Language::French => " en liquidation",
        Language::Italian => " in liquidazione",
        _ => " in Liquidation",
    };
    company.name.clone_from(&name);
    if status == Status::BeingCancelled {
        company.name.push_str(liquidation);
    }
    (company, Past { subject, holders, name })
}

fn set_address(company: &mut Company, random: &mut Random, place: &Locality) {
    company.address_city = Some(place.name.to_owned());
    company.address_zip_code = Some(place.zip_code.to_owned());
    company.address_canton = Some(place.canton);
    if random.chance(985) {
        company.address_street = Some(names::street(random, place).to_owned());
        let letter = ["a", "b", "c"].get(random.below(40) as usize).copied().unwrap_or_default();
        company.address_house_number = Some(format!("{}{letter}", random.between(1, 140)));
    }
    if random.chance(20) {
        company.address_po_box = Some(random.between(10, 990).to_string());
    }
    if random.chance(50) {
        let (first, family) = (names::first_name(random, place), names::family_name(random, place));
        company.address_care_of = Some(format!("c/o {first} {family}"));
    }
    // At most 900 m either way, a kilometre and a quarter in all, that a map shows no stacks.
    let mut offset = |reach: i32| f64::from(random.between(-reach, reach)) / 100_000.0;
    let rounded = |degrees: f64| (degrees * 100_000.0).round() / 100_000.0;
    company.latitude = Some(rounded(place.latitude + offset(810)));
    company.longitude = Some(rounded(place.longitude + offset(1180)));
    company.geo_precision = Some(GeoPrecision::Locality);
}

/// Founding, registration, deletion and last change. Answers the day of registration.
fn set_dates(company: &mut Company, random: &mut Random, form: &str, status: Status) -> i32 {
    let demo = days_of(DEMO_DATE);
    // Most companies are younger than a generation; a few go back to the first registers of 1883.
    let span = random.one_of(&[(86, 38 * 365), (10, 75 * 365), (4, 52_400)]);
    let eldest = random.below(span);
    // Below a number below: six of ten are younger than a quarter of the span.
    let age = random.below(eldest + 1) as i32;
    let founding = demo - 20 - age;
    let registration = founding + random.between(3, 14);
    let statutes = !matches!(
        form,
        forms::SOLE_TRADER
            | forms::GENERAL_PARTNERSHIP
            | forms::LIMITED_PARTNERSHIP
            | forms::BRANCH
            | forms::FOREIGN_BRANCH
    );
    company.founding_date = statutes.then(|| day(founding));
    company.registration_date = Some(day(registration));

    let from = registration.max(days_of(date(2015, 1, 5)));
    let changed = if status == Status::Cancelled {
        let deletion = random.between(from.saturating_add(2), demo - 1).min(demo - 1);
        company.deletion_date = Some(day(deletion));
        deletion
    } else {
        random.between(from, demo - 1).max(random.between(from, demo - 1))
    };
    let second = i64::from(changed) * 86_400 + i64::from(random.between(0, 86_399));
    company.updated_at = Timestamp::from_second(second).ok();
    registration
}

fn set_capital(company: &mut Company, random: &mut Random, form: &str) {
    #[rustfmt::skip]
    const CORPORATION: [(u32, i64); 12] = [
        (620, 100_000), (50, 150_000), (80, 200_000), (45, 250_000), (35, 300_000), (60, 500_000),
        (45, 1_000_000), (20, 2_000_000), (15, 5_000_000), (15, 10_000_000), (4, 25_000_000), (1, 100_000_000),
    ];
    #[rustfmt::skip]
    const LIMITED_LIABILITY: [(u32, i64); 8] = [
        (820, 20_000), (20, 25_000), (40, 30_000), (40, 40_000), (40, 50_000), (30, 100_000),
        (8, 200_000), (2, 1_000_000),
    ];
    let steps: &[(u32, i64)] = match form {
        forms::CORPORATION => &CORPORATION,
        forms::LIMITED_LIABILITY => &LIMITED_LIABILITY,
        _ => return,
    };
    let step = random.one_of(steps);
    // The tail is not round: up to nine times the step, by thousands.
    let units = match step {
        10_000_000.. => step + i64::from(random.between(0, 80_000)) * (step / 10_000),
        _ => step,
    };
    company.share_capital = Some(Amount::units(units));
    let currency = random.one_of(&[(980, "CHF"), (13, "EUR"), (7, "USD")]);
    company.currency = Some(currency.to_owned());
}

fn set_industry(company: &mut Company, random: &mut Random, trade: &Trade) {
    if random.chance(850) {
        company.industry = noga::division(trade.code).map(|it| it.name.to_owned());
        company.noga_code = Some(trade.code.to_owned());
        company.industry_source = Some(SOURCE.to_owned());
        company.industry_confidence = Some(1.0);
        // Pension funds have supervisors of their own.
        let supervised = FINANCIAL_DIVISIONS.contains(&trade.division()) && trade.code != "653000";
        if supervised && random.chance(50) {
            company.is_finma_regulated = Some(true);
        }
    }
}

fn set_employees(company: &mut Company, random: &mut Random, form: &str) {
    #[rustfmt::skip]
    const SIZES: [(u32, (i32, i32)); 7] = [
        (600, (1, 3)), (240, (4, 9)), (110, (10, 30)), (40, (31, 120)), (8, (121, 500)),
        (2, (501, 2_500)), (1, (2_501, 12_000)),
    ];
    if random.chance(600) {
        let (low, high) = match form {
            forms::SOLE_TRADER => (1, 4),
            forms::LIMITED_LIABILITY => random.one_of(&SIZES[..4]),
            _ => random.one_of(&SIZES),
        };
        company.employee_count = Some(random.between(low, high).unsigned_abs());
    }
}

fn set_auditor(company: &mut Company, random: &mut Random, form: &str, place: &Locality) {
    let share = match form {
        forms::CORPORATION => 550,
        forms::LIMITED_LIABILITY => 100,
        forms::FOUNDATION | forms::INVESTMENT_COMPANY => 900,
        forms::COOPERATIVE => 400,
        _ => 0,
    };
    if random.chance(share) {
        let firm = match random.one_of(&AUDIT_FIRMS) {
            "" => {
                let words = AUDIT_WORDS[place.language as usize];
                format!("{} {}", names::family_name(random, place), random.pick(words))
            }
            large => large.to_owned(),
        };
        company.auditor_name = Some(firm);
        company.auditor_source = Some(SOURCE.to_owned());
    } else if matches!(form, forms::CORPORATION | forms::LIMITED_LIABILITY) && random.chance(850) {
        company.auditor_opt_out = Some(true);
        company.auditor_source = Some(SOURCE.to_owned());
    }
}

/// The register number in the form of before 2014: office, kind, running number, a last digit.
fn chid(index: usize, office: u32, form: &str) -> String {
    let kind = match form {
        forms::SOLE_TRADER => 1,
        forms::GENERAL_PARTNERSHIP | forms::LIMITED_PARTNERSHIP => 2,
        forms::CORPORATION => 3,
        forms::LIMITED_LIABILITY => 4,
        forms::COOPERATIVE => 5,
        forms::ASSOCIATION => 6,
        forms::FOUNDATION => 7,
        _ => 9,
    };
    format!("CH-{office:03}.{kind}.{:03}.{:03}-{}", index / 1_000 % 1_000, index % 1_000, index % 7)
}

/// An address under the domain that nobody can own.
fn website(name: &str) -> String {
    let mut slug = text::fold(name).replace(' ', "-");
    // A label of a domain has 63 characters at most.
    slug.truncate(60);
    format!("https://www.{}.example", slug.trim_end_matches('-'))
}

/// A legal entity identifier with the prefix of no issuer and the check digits of ISO 17442.
fn lei(uid: Uid) -> String {
    let eighteen = format!("DEMO00CHE{:09}", uid.number());
    let remainder = format!("{eighteen}00").chars().fold(0, |rest, it| {
        let value = it.to_digit(36).unwrap_or_default();
        (rest * if value < 10 { 10 } else { 100 } + value) % 97
    });
    format!("{eighteen}{:02}", 98 - remainder)
}

const EPOCH: Date = date(1970, 1, 1);

/// The day so many days after the first of 1970.
fn day(days: i32) -> Date {
    EPOCH.saturating_add(days.days())
}

/// How many days the day is after the first of 1970.
fn days_of(day: Date) -> i32 {
    day.duration_since(EPOCH).as_hours() as i32 / 24
}

#[cfg(test)]
mod tests;
