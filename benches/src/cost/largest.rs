//! The largest companies and persons: a company with thousands of notices and officers, a group with more members than
//! an answer lists, and a person with a thousand roles. All are invented.

use domain::{
    Company, Source, Status, Uid,
    company::{Affiliation, AffiliationKind},
    persons::Person,
    statements::{CompanyStatement, Statement, news},
};
use jiff::{Timestamp, ToSpan, civil::date};
use local::cloud::Cloud;
use publications::Publication;
use serde_json::Value;
use sources::Batch;

use super::{requests::Subjects, team::Kept};
use crate::{Error, machine};

/// Number of notices of the largest company. Each names one new officer, and some name many.
const NOTICES: u32 = 5_000;
/// Every so many notices, one replaces a group of signatories.
const GROUP_INTERVAL: u32 = 100;
/// Number of signatories in a group.
const GROUP: u32 = 50;
/// Number of its current officers. With every later notice, the oldest one leaves.
const OFFICERS: u32 = 1_000;
/// Number of its branches, which are also subsidiaries of one parent abroad.
const BRANCHES: u32 = 1_000;
/// Number of companies in which one person and some officers of the largest company have a role.
const MANDATES: u32 = 1_000;
/// Number of officers of the largest company in each of them.
const SHARED_OFFICERS: u32 = 3;
/// Number of its news items: as many as a request covers.
const NEWS: u32 = 5_000;

/// No company of the demo register has a number from 900,000,000.
const LARGEST: u32 = 900_000_001;
const FIRST_BRANCH: u32 = 900_010_000;
const FIRST_MANDATE: u32 = 900_020_000;
const NAME: &str = "Grossbank Beispiel AG";
const PARENT: &str = "549300AAAAAAAAAAAA08";
const BUSY: &str = "Vielamt, Eva, von Chur, in Bern, Mitglied, mit Einzelunterschrift";

/// Stores these companies in a register.
pub(super) async fn load(cloud: &Cloud) -> Result<(), Error> {
    cloud.registry.put_companies((0..BRANCHES).map(branch).collect::<Result<_, _>>()?).await?;
    let mandates = (0..MANDATES).map(mandate);
    let publications: Vec<Value> = (0..NOTICES).map(notice).chain(mandates).collect();
    let file = sources::read(Source::Shab, &serde_json::to_vec(&publications)?)?;
    if file.statements.len() != publications.len() {
        return Err(format!("{} notices cannot be read", file.rejected.len()).into());
    }
    ingest(cloud, Source::Shab, file).await?;
    let statements = (0..NEWS).map(news_item).collect::<Result<_, _>>()?;
    ingest(cloud, Source::News, Batch { statements, ..Batch::default() }).await?;
    Ok(())
}

/// What the requests are about.
pub(super) fn subjects() -> Result<Subjects, Error> {
    let busy = Person {
        first_name: Some("Eva".into()),
        last_name: "Vielamt".into(),
        origin: Some("Chur".into()),
        residence: Some("Bern".into()),
        ..Person::default()
    };
    let companies = [LARGEST, FIRST_BRANCH, FIRST_MANDATE];
    Ok(Subjects {
        kept: Kept::default(),
        companies: companies.map(number).into(),
        persons: vec![busy.identity(uid(FIRST_MANDATE)?).id.to_string()],
        uids: (0..100).map(|it| number(FIRST_BRANCH + it)).collect(),
    })
}

async fn ingest(cloud: &Cloud, source: Source, batch: Batch) -> Result<(), Error> {
    ingest::ingest(&cloud.registry, &cloud.objects, source, batch, machine::now()).await?;
    Ok(())
}

fn number(digits: u32) -> String {
    Uid::from_number(digits).map(|it| it.to_string()).unwrap_or_default()
}

fn uid(digits: u32) -> Result<Uid, Error> {
    Uid::from_number(digits).ok_or_else(|| format!("{digits} is not a company number").into())
}

/// A branch of the largest company, with a parent abroad.
fn branch(at: u32) -> Result<Company, Error> {
    let mut branch = Company::new(uid(FIRST_BRANCH + at)?, format!("Filiale {at}"));
    branch.status = Some(Status::Active);
    branch.direct_parent_lei = Some(PARENT.parse()?);
    let affiliation = |kind, uid, name: &str| Affiliation { kind, uid, name: name.to_owned() };
    branch.affiliations = vec![
        affiliation(AffiliationKind::HeadOffice, Some(uid(LARGEST)?), NAME),
        affiliation(AffiliationKind::ConsolidatedBy, None, "Example Group plc"),
    ];
    Ok(branch)
}

/// A notice of the largest company, one a day.
fn notice(at: u32) -> Value {
    let day = date(2012, 1, 1).saturating_add(i64::from(at).days());
    let (mut entered, mut left) = (vec![officer(at)], Vec::new());
    if at + 1 == NOTICES {
        entered.push(BUSY.to_owned());
    }
    left.extend(at.checked_sub(OFFICERS).map(officer));
    if at.is_multiple_of(GROUP_INTERVAL) {
        entered.extend(group(at));
        left.extend(at.checked_sub(GROUP_INTERVAL).into_iter().flat_map(group));
    }
    let notice = Publication::mutation(&number(LARGEST), NAME).number(u64::from(at) + 1);
    let notice = notice.on(&day.to_string());
    let notice = match left.is_empty() {
        true => notice,
        false => notice.persons_left(&left.join("; ")),
    };
    notice.persons_entered(&entered.join("; ")).json()
}

/// The registration of a company with a busy member of the board, and some of the largest company.
fn mandate(at: u32) -> Value {
    let (number, name) = (number(FIRST_MANDATE + at), format!("Mandat {at} AG"));
    let current = |it: u32| NOTICES - OFFICERS + (at * SHARED_OFFICERS + it) % OFFICERS;
    let officers: Vec<String> = (0..SHARED_OFFICERS).map(|it| officer(current(it))).collect();
    Publication::registration(&number, &name)
        .number(u64::from(NOTICES + at) + 1)
        .on("2025-11-03")
        .persons_entered(&format!("{BUSY}; {}", officers.join("; ")))
        .json()
}

/// An officer with a family name of their own.
fn officer(at: u32) -> String {
    let name = letters(at);
    format!("Muster{name}, Rolf, von Thun, in Thun, mit Kollektivunterschrift zu zweien")
}

/// The signatories that a notice enters together.
fn group(notice: u32) -> impl Iterator<Item = String> {
    (0..GROUP).map(move |it| {
        let name = letters(notice / GROUP_INTERVAL * GROUP + it);
        format!("Beispiel{name}, Anna, von Chur, in Bern, mit Kollektivprokura zu zweien")
    })
}

/// Three letters for each number.
fn letters(number: u32) -> String {
    let letter = |it: u32| char::from(b'a' + (it % 26) as u8);
    [number / 676, number / 26, number].map(letter).into_iter().collect()
}

fn news_item(at: u32) -> Result<CompanyStatement, Error> {
    let published_at = Timestamp::from_second(1_760_000_000 + i64::from(at) * 3_600)?;
    let item = news::Item {
        id: format!("{at}"),
        title: format!("{NAME} meldet Ergebnis Nummer {at}"),
        summary: Some("Die Bank hat im Quartal mehr Gewinn erzielt als erwartet. ".repeat(15)),
        source: Some("Beispielzeitung".into()),
        source_type: news::SourceType::Press,
        published_at,
        source_url: Some(format!("https://news.example/{at}")),
    };
    let published = Some(date(2025, 10, 9).saturating_add(i64::from(at / 24).days()));
    let statement = Statement::News(Box::new(item));
    Ok(CompanyStatement { uid: uid(LARGEST)?, source: Source::News, published, statement })
}
