//! What sources other than the register and its gazette state about a company: GLEIF, FINMA, the exchange, annual reports and
//! news.

use std::{collections::BTreeSet, sync::LazyLock};

use domain::{
    Amount, Company, Source,
    statements::{
        CompanyStatement, Statement, demo,
        finma::{Licence, Licensee},
        gleif::Entity,
        news::{Item, SourceType},
        reports::Report,
        six::Shareholding,
    },
};
use jiff::{
    ToSpan,
    civil::{Date, date, time},
    tz::TimeZone,
};

use crate::{
    DEMO_DATE,
    calendar::{Shift, day, days_of},
    data,
    random::Random,
    showcase::Showcase,
};

/// The first day on which GLEIF had identifiers.
const FIRST_IDENTIFIERS: Date = date(2014, 1, 20);

/// The statements about a company that do not depend on its board.
pub(crate) fn statements(
    company: &Company,
    showcase: Option<&'static Showcase>,
    shift: Shift,
) -> Vec<CompanyStatement> {
    let state = |source, published, statement| CompanyStatement {
        uid: company.uid,
        source,
        published,
        statement,
    };
    let mut all = Vec::new();
    if let Some(entity) = entity(company, showcase, shift) {
        let published = entity.last_update;
        all.push(state(Source::Gleif, published, Statement::Gleif(Box::new(entity))));
    }
    if let Some(licensee) = licensee(company) {
        let listed = company.registration_date.map(|it| shift.entered(days_of(it)));
        all.push(state(Source::Finma, listed, Statement::Finma(Box::new(licensee))));
    }
    all.extend(reports(company, showcase, shift).into_iter().map(|it| {
        let published = it.publication_date;
        state(Source::Reports, published, Statement::Report(Box::new(it)))
    }));
    all.extend(showcase.into_iter().flat_map(|it| news(it, shift)).map(|it| {
        let published = it.published_at.to_zoned(TimeZone::UTC).date();
        state(Source::News, Some(published), Statement::News(Box::new(it)))
    }));
    all
}

/// What was disclosed to the exchange about a company. `director`: the first member of its board.
pub(crate) fn disclosures(
    company: &Showcase,
    director: &str,
    shift: Shift,
) -> Vec<CompanyStatement> {
    let statement = |it: Shareholding| CompanyStatement {
        uid: company.uid(),
        source: Source::Six,
        published: Some(it.published),
        statement: Statement::Shareholding(Box::new(it)),
    };
    company.disclosures(director, shift).into_iter().map(statement).collect()
}

/// The record of GLEIF: the identifier, and the group of the companies that are in one.
fn entity(company: &Company, showcase: Option<&Showcase>, shift: Shift) -> Option<Entity> {
    let registered = company.registration_date?;
    // The group has not changed since, so the company has it on every day.
    let since = Some(shift.entered(days_of(registered)).max(FIRST_IDENTIFIERS));
    Some(Entity {
        lei: company.lei?,
        legal_name: company.name.clone(),
        other_names: BTreeSet::new(),
        jurisdiction: Some("CH".to_owned()),
        // The commercial register.
        registered_at: Some("RA000549".to_owned()),
        registered_as: Some(company.uid.to_string()),
        legal_form: None,
        category: Some("GENERAL".to_owned()),
        status: Some("ACTIVE".to_owned()),
        creation_date: None,
        successor: None,
        registration_status: Some("ISSUED".to_owned()),
        initial_registration: since,
        last_update: since,
        next_renewal: None,
        isins: BTreeSet::new(),
        has_many_isins: false,
        group: showcase.and_then(Showcase::group),
    })
}

fn licensee(company: &Company) -> Option<Licensee> {
    company.is_finma_regulated?;
    let [en, de, fr, it] = match company.purpose.as_deref().unwrap_or_default() {
        it if ["ersicherung", "assurance", "assicura", "nsurance"]
            .iter()
            .any(|word| it.contains(word)) =>
        {
            [
                "Insurance company",
                "Versicherungsunternehmen",
                "Entreprise d’assurance",
                "Impresa di assicurazione",
            ]
        }
        it if ["Bank", "banque", "banca", "bank"].iter().any(|word| it.contains(word)) => {
            ["Bank", "Bank", "Banque", "Banca"]
        }
        _ => [
            "Portfolio manager",
            "Vermögensverwalter",
            "Gestionnaire de fortune",
            "Gestore patrimoniale",
        ],
    };
    let [de, fr, it] = [de, fr, it].map(|it| Some(it.to_owned()));
    Some(Licensee {
        name: Some(company.name.clone()),
        city: company.legal_seat.clone(),
        licences: BTreeSet::from([Licence { en: en.to_owned(), de, fr, it }]),
        page: Some(format!("{}finma", demo::ID_PREFIX)),
    })
}

/// The annual reports of a company: those of the table for the showcase, and otherwise the newest, with the employees only.
fn reports(company: &Company, showcase: Option<&Showcase>, shift: Shift) -> Vec<Report> {
    let Some(employees) = company.employee_count else { return Vec::new() };
    // A year is reported in the spring of the next.
    let today = shift.date(DEMO_DATE);
    let is_reported = today >= date(today.year(), 6, 10);
    let last = today.year() - if is_reported { 1 } else { 2 };
    let days_after = Random::for_key(u64::from(company.uid.number())).between(0, 100);
    let report = |year: i16, employees: u32| Report {
        report_type: "annual".to_owned(),
        fiscal_year: year,
        period_end: Some(date(year, 12, 31)),
        employees: Some(employees),
        source_url: Some(format!("{}reports/{}/{year}", demo::SITE, company.uid)),
        publication_date: Some(date(year + 1, 3, 1).saturating_add(days_after.days())),
        ..Report::default()
    };
    let rows = REPORTS.iter().filter(|it| showcase.is_some_and(|of| of.key == it.key));
    let mut reports: Vec<Report> = rows
        .map(|row| {
            let amount = |thousands: i64| Some(Amount::units(thousands * 1_000));
            let share = 100 - 3 * i64::from(row.years_before);
            let employees = i64::from(employees) * share / 100;
            Report {
                currency: Some("CHF".to_owned()),
                revenue: amount(row.revenue),
                operating_income: amount(row.operating_income),
                net_income: amount(row.net_income),
                total_assets: amount(row.total_assets),
                equity: amount(row.equity),
                ..report(last - row.years_before, u32::try_from(employees).unwrap_or_default())
            }
        })
        .collect();
    let registered = company.registration_date.map(|it| shift.entered(days_of(it)));
    let is_founded = registered.is_some_and(|it| it.year() <= last);
    if reports.is_empty() && is_founded {
        reports.push(report(last, employees));
    }
    reports
}

/// A row of the table of reports. Amounts are in thousands of francs.
struct ReportRow {
    key: &'static str,
    years_before: i16,
    revenue: i64,
    operating_income: i64,
    net_income: i64,
    total_assets: i64,
    equity: i64,
}

static REPORTS: LazyLock<Vec<ReportRow>> = LazyLock::new(|| {
    let rows = data::rows::<7>(include_str!("../data/reports.csv"));
    rows.map(|[key, years_before, amounts @ ..]| {
        let [revenue, operating_income, net_income, total_assets, equity] =
            amounts.map(data::number);
        let years_before = data::number(years_before);
        ReportRow { key, years_before, revenue, operating_income, net_income, total_assets, equity }
    })
    .collect()
});

/// A row of the table of news.
struct NewsRow {
    key: &'static str,
    days_before: i32,
    title: &'static str,
    summary: &'static str,
}

static NEWS: LazyLock<Vec<NewsRow>> = LazyLock::new(|| {
    let rows = data::rows::<4>(include_str!("../data/news.csv"));
    rows.map(|[key, days, title, summary]| NewsRow {
        key,
        days_before: data::number(days),
        title,
        summary,
    })
    .collect()
});

fn news(company: &'static Showcase, shift: Shift) -> impl Iterator<Item = Item> {
    let rows = NEWS.iter().filter(|it| it.key == company.key);
    rows.map(move |row| {
        let drawn = days_of(DEMO_DATE) - row.days_before;
        let hour = Random::for_key(drawn.unsigned_abs().into()).between(6, 17);
        let at = shift.date(day(drawn)).to_datetime(time(hour as i8, 30, 0, 0));
        let published_at = at.to_zoned(TimeZone::UTC).expect("a time without offset").timestamp();
        let address = format!("{}news/{}/{}", demo::SITE, company.key, row.days_before);
        Item {
            id: address.clone(),
            title: row.title.to_owned(),
            summary: Some(row.summary.to_owned()),
            source: Some("Musterzeitung".to_owned()),
            source_type: SourceType::Press,
            published_at,
            source_url: Some(address),
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::showcase;

    #[test]
    fn every_row_names_a_company_of_the_showcase() {
        for key in NEWS.iter().map(|it| it.key).chain(REPORTS.iter().map(|it| it.key)) {
            // Panics if there is none.
            let _ = showcase::by_key(key);
        }
    }
}
