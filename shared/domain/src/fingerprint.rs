//! A company at a glance: its key figures, its size, and a profile in two or three sentences.
//!
//! Everything follows from the record, its history and its newest annual report; what none of them
//! says is left out, and nothing is estimated but the size, whose rule is [`size`].

use jiff::{Timestamp, ToSpan, civil::Date, tz::TimeZone};
use serde::{Deserialize, Serialize};
use serde_with::skip_serializing_none;
use utoipa::ToSchema;

use crate::{
    Amount, AuditorCategory, Company, History, Provenance, Status, Uid,
    classification::{Level, Levels},
    company::AffiliationKind,
    legal_forms::LegalForm,
};

/// The version of these rules.
pub const VERSION: &str = "1.0";

/// How many days of changes are counted.
const DAYS: i64 = 365;

/// The key figures of a company.
#[skip_serializing_none]
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Fingerprint {
    pub company_uid: Uid,
    pub name: String,
    /// The NOGA section, in words.
    pub industry_sector: Option<String>,
    /// The NOGA division, in words.
    pub industry_group: Option<String>,
    /// As in the record: the NOGA division, in words.
    pub industry: Option<String>,
    /// The NOGA class, in words.
    pub sub_industry: Option<String>,
    /// By employees: fewer than 10, 50, 250, or more. Where their number is not known: `micro` after a
    /// waiver of the audit, which the law allows up to ten employees; `large` from a capital of ten
    /// million or with one of the four largest auditors; `medium` from one million or with one of their
    /// competitors; else `small` where a capital or an auditor is known.
    pub size_category: Option<SizeCategory>,
    /// What the size rests on.
    pub size_basis: Option<SizeBasis>,
    /// As the newest annual report that counts them says.
    pub employee_count_estimate: Option<u32>,
    /// In whole units of `capitalCurrency`.
    pub capital_amount: Option<Amount>,
    /// ISO 4217.
    pub capital_currency: Option<String>,
    /// Of `fiscalYear`, in whole units of `figuresCurrency`.
    pub revenue: Option<Amount>,
    /// Of `fiscalYear`, in whole units of `figuresCurrency`.
    pub net_income: Option<Amount>,
    /// ISO 4217.
    pub figures_currency: Option<String>,
    /// The year of the report that revenue and net income come from.
    pub fiscal_year: Option<i16>,
    pub auditor_tier: Option<AuditorTier>,
    /// How many changes were published in the last 365 days, those left out that change nothing that
    /// is kept here.
    pub change_frequency: u32,
    /// Who holds an office or signs today.
    pub board_size: u32,
    /// Whole years since the entry in the register, or else since the foundation, until today or the
    /// deletion; 0 where neither day is known.
    pub company_age: u32,
    /// Empty where it is not known.
    pub canton: String,
    /// The German name; empty where it is not known.
    pub legal_form: String,
    /// Whether it reports a parent company or the register names a head office.
    pub has_parent_company: bool,
    /// The branch offices that the register names; who holds shares of whom is not public.
    pub subsidiary_count: u32,
    /// The beginning of the day, in Switzerland, for which this was computed.
    pub generated_at: Timestamp,
    #[schema(example = "1.0")]
    pub fingerprint_version: &'static str,
    pub registration_date: Option<Date>,
    /// Two or three sentences made of these facts alone.
    pub summary: String,
    /// The sources of the record and of the figures.
    pub sources: Vec<Provenance>,
}

/// The category of the auditor, the four largest as one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub enum AuditorTier {
    #[serde(rename = "big4")]
    BigFour,
    Big4Competitor,
    Other,
    None,
}

/// How large a company is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum SizeCategory {
    Micro,
    Small,
    Medium,
    Large,
}

impl SizeCategory {
    /// The name on the wire.
    pub fn name(self) -> &'static str {
        match self {
            Self::Micro => "micro",
            Self::Small => "small",
            Self::Medium => "medium",
            Self::Large => "large",
        }
    }
}

/// What a size rests on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub enum SizeBasis {
    Employees,
    AuditOptOut,
    Capital,
    Auditor,
}

/// What an annual report says of a company's business.
#[derive(Clone, Debug, PartialEq)]
pub struct Figures {
    pub fiscal_year: i16,
    pub currency: Option<String>,
    pub revenue: Option<Amount>,
    pub net_income: Option<Amount>,
    pub source: Provenance,
}

/// The fingerprint of a company on a day.
pub fn fingerprint(
    company: &Company,
    history: &History,
    figures: Option<&Figures>,
    today: Date,
) -> Fingerprint {
    let levels = Levels::of(company);
    let name = |level: &Option<Level>| level.as_ref().and_then(|it| it.name).map(str::to_owned);
    let size = size(company);
    let mut fingerprint = Fingerprint {
        company_uid: company.uid,
        name: company.name.clone(),
        industry_sector: name(&levels.section),
        industry_group: name(&levels.division),
        industry: company.industry.clone(),
        sub_industry: company.sub_industry.clone(),
        size_category: size.map(|(size, _)| size),
        size_basis: size.map(|(_, basis)| basis),
        employee_count_estimate: company.employee_count,
        capital_amount: company.share_capital,
        capital_currency: company.currency.clone().filter(|_| company.share_capital.is_some()),
        revenue: figures.and_then(|it| it.revenue),
        net_income: figures.and_then(|it| it.net_income),
        figures_currency: figures.and_then(|it| it.currency.clone()),
        fiscal_year: figures.map(|it| it.fiscal_year),
        auditor_tier: company.auditor_category.map(tier),
        change_frequency: count(newest(history, today)),
        board_size: count(history.current_mandates()),
        company_age: age(company, today).unwrap_or(0),
        canton: company.canton.map(|it| it.code().to_owned()).unwrap_or_default(),
        legal_form: company.legal_form.clone().unwrap_or_default(),
        has_parent_company: has_parent(company),
        subsidiary_count: count(company.affiliations.iter().filter(|it| is_below(it.kind))),
        generated_at: beginning(today),
        fingerprint_version: VERSION,
        registration_date: company.registration_date,
        summary: String::new(),
        sources: company.sources.clone(),
    };
    if let Some(figures) = figures.filter(|it| !company.sources.contains(&it.source)) {
        fingerprint.sources.push(figures.source.clone());
    }
    fingerprint.summary = summary(company, history, &fingerprint);
    fingerprint
}

/// How large a company is, and what that rests on. The limits of employees are those of the Federal
/// Statistical Office. Only companies of up to ten employees may waive the audit (OR 727a). Capital
/// counts at par in the currencies of which a unit is worth about a franc.
pub fn size(company: &Company) -> Option<(SizeCategory, SizeBasis)> {
    use SizeCategory::{Large, Medium, Micro, Small};
    if let Some(employees) = company.employee_count {
        let size = match employees {
            ..10 => Micro,
            10..50 => Small,
            50..250 => Medium,
            250.. => Large,
        };
        return Some((size, SizeBasis::Employees));
    }
    if company.auditor_opt_out == Some(true) && company.auditor_name.is_none() {
        return Some((Micro, SizeBasis::AuditOptOut));
    }
    let at_par = ["CHF", "EUR", "USD", "GBP"];
    let currency = company.currency.as_deref().unwrap_or("CHF");
    let by_capital =
        company.share_capital.filter(|_| at_par.contains(&currency)).map(|it| match it {
            it if it >= Amount::units(10_000_000) => Large,
            it if it >= Amount::units(1_000_000) => Medium,
            _ => Small,
        });
    let by_auditor = company.auditor_category.and_then(|it| match it {
        it if AuditorCategory::BIG_FOUR.contains(&it) => Some(Large),
        AuditorCategory::Big4Competitor => Some(Medium),
        AuditorCategory::None => None,
        _ => Some(Small),
    });
    let rank = |it: &(SizeCategory, SizeBasis)| it.0 as u8;
    let capital = by_capital.map(|it| (it, SizeBasis::Capital));
    let auditor = by_auditor.map(|it| (it, SizeBasis::Auditor));
    // The larger of both; of equals the capital, which the company itself has decided on.
    auditor.into_iter().chain(capital).max_by_key(rank)
}

fn tier(category: AuditorCategory) -> AuditorTier {
    match category {
        AuditorCategory::Kpmg
        | AuditorCategory::Ey
        | AuditorCategory::Pwc
        | AuditorCategory::Deloitte => AuditorTier::BigFour,
        AuditorCategory::Big4Competitor => AuditorTier::Big4Competitor,
        AuditorCategory::Other => AuditorTier::Other,
        AuditorCategory::None => AuditorTier::None,
    }
}

fn count(items: impl Iterator) -> u32 {
    u32::try_from(items.count()).unwrap_or(u32::MAX)
}

/// The changes of the last days.
fn newest(history: &History, today: Date) -> impl Iterator {
    let first = today.checked_sub(DAYS.days()).unwrap_or(today);
    history.newest_events(false).filter(move |it| it.event.date > first && it.event.date <= today)
}

fn age(company: &Company, today: Date) -> Option<u32> {
    let since = company.registration_date.or(company.founding_date)?;
    let until = company.deletion_date.map_or(today, |it| it.min(today));
    let anniversary = (until.month(), until.day()) >= (since.month(), since.day());
    let years = until.year() - since.year() - i16::from(!anniversary);
    Some(u32::try_from(years).unwrap_or(0))
}

fn is_below(kind: AffiliationKind) -> bool {
    matches!(kind, AffiliationKind::BranchOffice | AffiliationKind::Consolidates)
}

fn has_parent(company: &Company) -> bool {
    let parents = [&company.direct_parent_lei, &company.ultimate_parent_lei];
    let reports = parents.into_iter().any(|it| it.is_some() && *it != company.lei);
    let is_head =
        |kind| matches!(kind, AffiliationKind::HeadOffice | AffiliationKind::FurtherHeadOffice);
    reports || company.affiliations.iter().any(|it| is_head(it.kind))
}

fn beginning(day: Date) -> Timestamp {
    let zurich = TimeZone::get("Europe/Zurich").unwrap_or(TimeZone::UTC);
    day.to_zoned(zurich).map(|it| it.timestamp()).unwrap_or_default()
}

/// The profile in words. Each clause is left out where its fact is not known.
fn summary(company: &Company, history: &History, fingerprint: &Fingerprint) -> String {
    let mut sentences = vec![identity(company)];
    sentences.extend(business(company, fingerprint));
    sentences.extend(lately(history, fingerprint));
    sentences.join(" ")
}

fn identity(company: &Company) -> String {
    let form = company.legal_form_code.as_deref().and_then(LegalForm::by_code);
    let form = form.or_else(|| company.legal_form.as_deref().and_then(LegalForm::named));
    let form = match (form, &company.legal_form) {
        (Some(form), _) => form.names[3].to_lowercase(),
        (None, Some(name)) => name.clone(),
        (None, None) => "company".to_owned(),
    };
    let what = match company.status {
        Some(Status::Active) => format!("is an active {form}"),
        Some(Status::BeingCancelled) => format!("is {} {form} in liquidation", article(&form)),
        Some(Status::Cancelled) => format!("was {} {form}", article(&form)),
        None => format!("is {} {form}", article(&form)),
    };
    let mut sentence = format!("{} {what}", company.name);
    match (&company.legal_seat, company.canton) {
        (Some(seat), Some(canton)) => sentence += &format!(" in {seat} ({})", canton.code()),
        (Some(seat), None) => sentence += &format!(" in {seat}"),
        (None, Some(canton)) => sentence += &format!(" in the canton of {}", canton.names()[3]),
        (None, None) => {}
    }
    match (company.registration_date, company.founding_date) {
        (Some(day), _) => sentence += &format!(", in the register since {day}"),
        (None, Some(day)) => sentence += &format!(", founded on {day}"),
        (None, None) => {}
    }
    if let (Some(Status::Cancelled), Some(day)) = (company.status, company.deletion_date) {
        sentence += &format!(", deleted on {day}");
    }
    sentence + "."
}

fn business(company: &Company, fingerprint: &Fingerprint) -> Option<String> {
    let was = company.status == Some(Status::Cancelled);
    let (has, works, is) = if was { ("had", "worked", "was") } else { ("has", "works", "is") };
    let mut clauses = Vec::new();
    if let Some(industry) = &company.industry {
        let class = company.sub_industry.as_ref().filter(|it| *it != industry);
        let class = class.map(|it| format!(" ({it})")).unwrap_or_default();
        clauses.push(format!("{works} in {industry}{class}"));
    }
    let currency = fingerprint.capital_currency.as_deref().unwrap_or("CHF");
    let mut possessions = Vec::new();
    if let Some(capital) = company.share_capital.filter(|it| *it > Amount::default()) {
        possessions.push(format!("a capital of {currency} {}", grouped(capital)));
    }
    if let Some(employees) = company.employee_count {
        possessions.push(counted(employees, "employee"));
    }
    if fingerprint.board_size > 0 {
        possessions.push(format!("{} in office", counted(fingerprint.board_size, "person")));
    }
    if !possessions.is_empty() {
        clauses.push(format!("{has} {}", listed(&possessions)));
    }
    if let Some(auditor) = &company.auditor_name {
        clauses.push(format!("{is} audited by {auditor}"));
    }
    (!clauses.is_empty()).then(|| format!("It {}.", listed(&clauses)))
}

fn lately(history: &History, fingerprint: &Fingerprint) -> Option<String> {
    let mut clauses = Vec::new();
    let currency = fingerprint.figures_currency.as_deref().unwrap_or_default();
    let amount = |it: Amount| format!("{currency} {}", grouped(it)).trim().to_owned();
    let revenue = fingerprint.revenue.map(|it| format!("revenue of {}", amount(it)));
    let income = fingerprint.net_income.map(|it| format!("net income of {}", amount(it)));
    let figures: Vec<String> = revenue.into_iter().chain(income).collect();
    if let (Some(year), false) = (fingerprint.fiscal_year, figures.is_empty()) {
        clauses.push(format!("for {year} it reported {}", listed(&figures)));
    }
    // Of a company without any publication nothing can be told.
    if !history.events.is_empty() {
        let changes = match fingerprint.change_frequency {
            0 => "no change was published".to_owned(),
            1 => "1 change was published".to_owned(),
            more => format!("{more} changes were published"),
        };
        clauses.push(format!("in the last {DAYS} days {changes}"));
    }
    let sentence = clauses.join("; ");
    let (first, rest) = sentence.split_at_checked(1)?;
    Some(format!("{}{rest}.", first.to_uppercase()))
}

fn article(word: &str) -> &'static str {
    match word.chars().next().map(|it| it.to_ascii_lowercase()) {
        Some('a' | 'e' | 'i' | 'o' | 'u') => "an",
        _ => "a",
    }
}

fn counted(number: u32, word: &str) -> String {
    let ending = if number == 1 { "" } else { "s" };
    format!("{} {word}{ending}", grouped(Amount::units(number.into())))
}

/// `one, two and three`.
fn listed(items: &[String]) -> String {
    match items {
        [] => String::new(),
        [one] => one.clone(),
        [first @ .., last] => format!("{} and {last}", first.join(", ")),
    }
}

/// `1,234,567.5`.
fn grouped(amount: Amount) -> String {
    let text = amount.to_string();
    let (units, decimals) = text.split_once('.').unwrap_or((&text, ""));
    let (sign, digits) = units.split_at(usize::from(units.starts_with('-')));
    let mut grouped = sign.to_owned();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            grouped.push(',');
        }
        grouped.push(digit);
    }
    if !decimals.is_empty() {
        grouped.push('.');
        grouped += decimals;
    }
    grouped
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Canton;

    fn day(text: &str) -> Date {
        text.parse().expect("a date")
    }

    fn company() -> Company {
        let mut company =
            Company::new("CHE-107.787.577".parse().expect("well-formed"), "Muster AG");
        company.status = Some(Status::Active);
        company
    }

    #[test]
    fn a_size_rests_on_employees_then_on_a_waiver_then_on_capital_and_auditor() {
        use SizeBasis::{AuditOptOut, Auditor, Capital, Employees};
        use SizeCategory::{Large, Medium, Micro, Small};
        let of = |change: &dyn Fn(&mut Company)| {
            let mut company = company();
            change(&mut company);
            size(&company.completed())
        };
        assert_eq!(of(&|_| {}), None);
        for (employees, size) in [(0, Micro), (9, Micro), (10, Small), (50, Medium), (250, Large)] {
            let found = of(&|it| it.employee_count = Some(employees));
            assert_eq!(found, Some((size, Employees)), "{employees}");
        }
        assert_eq!(of(&|it| it.auditor_opt_out = Some(true)), Some((Micro, AuditOptOut)));
        let capital = |units| of(&|it| it.share_capital = Some(Amount::units(units)));
        assert_eq!(capital(100_000), Some((Small, Capital)));
        assert_eq!(capital(1_000_000), Some((Medium, Capital)));
        assert_eq!(capital(10_000_000), Some((Large, Capital)));
        let audited = of(&|it| {
            it.share_capital = Some(Amount::units(100_000));
            it.auditor_name = Some("KPMG AG".to_owned());
        });
        assert_eq!(audited, Some((Large, Auditor)));
        let yen = of(&|it| {
            it.share_capital = Some(Amount::units(100_000_000));
            it.currency = Some("JPY".to_owned());
        });
        assert_eq!(yen, None);
    }

    #[test]
    fn an_age_is_whole_years_and_ends_with_the_company() {
        let mut company = company();
        assert_eq!(age(&company, day("2026-11-20")), None);
        company.registration_date = Some(day("2020-11-21"));
        assert_eq!(age(&company, day("2026-11-20")), Some(5));
        assert_eq!(age(&company, day("2026-11-21")), Some(6));
        assert_eq!(age(&company, day("2019-01-01")), Some(0));
        company.deletion_date = Some(day("2022-12-31"));
        assert_eq!(age(&company, day("2026-11-20")), Some(2));
    }

    #[test]
    fn a_summary_says_what_is_known_and_nothing_else() {
        let today = day("2026-11-20");
        let bare = Company::new(company().uid, "Muster AG");
        let summary = |it: &Company| fingerprint(it, &History::default(), None, today).summary;
        assert_eq!(summary(&bare), "Muster AG is a company.");
        let mut full = company();
        full.legal_form_code = Some("0106".to_owned());
        full.legal_seat = Some("Zürich".to_owned());
        full.canton = Some(Canton::Zh);
        full.registration_date = Some(day("2003-05-01"));
        full.industry = Some("Software and IT services".to_owned());
        full.sub_industry = Some("Programming".to_owned());
        full.share_capital = Some(Amount::units(1_234_567));
        full.currency = Some("CHF".to_owned());
        full.employee_count = Some(1);
        full.auditor_name = Some("Prüf AG".to_owned());
        assert_eq!(
            summary(&full),
            "Muster AG is an active corporation in Zürich (ZH), in the register since 2003-05-01. \
             It works in Software and IT services (Programming), has a capital of CHF 1,234,567 and \
             1 employee and is audited by Prüf AG."
        );
        let figures = Figures {
            fiscal_year: 2025,
            currency: Some("CHF".to_owned()),
            revenue: Some(Amount::units(5_000)),
            net_income: "-12.5".parse().ok(),
            source: Provenance { source: "reports".to_owned(), reference: None, date: None },
        };
        let told = fingerprint(&bare, &History::default(), Some(&figures), today);
        assert_eq!(
            told.summary,
            "Muster AG is a company. For 2025 it reported revenue of CHF 5,000 and net income of \
             CHF -12.5."
        );
        assert_eq!(told.sources, [figures.source]);
        full.status = Some(Status::Cancelled);
        full.deletion_date = Some(day("2024-02-03"));
        assert!(summary(&full).starts_with("Muster AG was a corporation in Zürich (ZH), in the register since 2003-05-01, deleted on 2024-02-03. It worked in"));
    }

    #[test]
    fn a_parent_is_another_than_the_company_itself() {
        let mut company = company();
        company.lei = Some("A".to_owned());
        company.ultimate_parent_lei = Some("A".to_owned());
        assert!(!has_parent(&company));
        company.direct_parent_lei = Some("B".to_owned());
        assert!(has_parent(&company));
    }
}
