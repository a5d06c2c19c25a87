//! The profile of a company in one to three English sentences.

use super::{DAYS, Fingerprint};
use crate::{Amount, Company, Status, history::HistoryOutline, legal_forms::LegalForm};

/// The profile. A clause is left out if its fact is not known.
pub(super) fn summary(
    company: &Company,
    history: &HistoryOutline,
    fingerprint: &Fingerprint,
) -> String {
    let mut sentences = vec![identity(company)];
    sentences.extend(business(company, fingerprint));
    sentences.extend(recent(history, fingerprint));
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
        // Some names of municipalities contain the canton: `Gossau (SG)`.
        (Some(seat), Some(canton)) if !seat.ends_with(&format!("({})", canton.code())) => {
            sentence += &format!(" in {seat} ({})", canton.code());
        }
        (Some(seat), _) => sentence += &format!(" in {seat}"),
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
        possessions.push(match fingerprint.board_size {
            1 => "1 officer or signatory".to_owned(),
            persons => format!("{persons} officers and signatories"),
        });
    }
    if !possessions.is_empty() {
        clauses.push(format!("{has} {}", listed(&possessions)));
    }
    if let Some(auditor) = &company.auditor_name {
        clauses.push(format!("{is} audited by {auditor}"));
    }
    (!clauses.is_empty()).then(|| format!("It {}.", listed(&clauses)))
}

fn recent(history: &HistoryOutline, fingerprint: &Fingerprint) -> Option<String> {
    let mut clauses = Vec::new();
    let currency = fingerprint.figures_currency.as_deref().unwrap_or_default();
    let amount = |it: Amount| format!("{currency} {}", grouped(it)).trim().to_owned();
    let revenue = fingerprint.revenue.map(|it| format!("revenue of {}", amount(it)));
    let income = fingerprint.net_income.map(|it| format!("net income of {}", amount(it)));
    let figures: Vec<String> = revenue.into_iter().chain(income).collect();
    if let (Some(year), false) = (fingerprint.fiscal_year, figures.is_empty()) {
        clauses.push(format!("for {year} it reported {}", listed(&figures)));
    }
    // Without any publication, a count of 0 would be misleading.
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

/// Joins items as in `one, two and three`.
fn listed(items: &[String]) -> String {
    match items {
        [] => String::new(),
        [one] => one.clone(),
        [first @ .., last] => format!("{} and {last}", first.join(", ")),
    }
}

/// Formats an amount as in `1,234,567.5`.
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
    use jiff::civil::Date;

    use super::*;
    use crate::{
        Canton, Provenance,
        fingerprint::{Figures, fingerprint},
    };

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
    fn summary_states_known_facts_only() {
        let today = day("2026-11-20");
        let bare = Company::new(company().uid, "Muster AG");
        let summary =
            |it: &Company| fingerprint(it, &HistoryOutline::default(), None, 0, today).summary;
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
        let with_figures = fingerprint(&bare, &HistoryOutline::default(), Some(&figures), 0, today);
        assert_eq!(
            with_figures.summary,
            "Muster AG is a company. For 2025 it reported revenue of CHF 5,000 and net income of \
             CHF -12.5."
        );
        assert_eq!(with_figures.sources, [figures.source]);
        full.status = Some(Status::Cancelled);
        full.deletion_date = Some(day("2024-02-03"));
        assert!(summary(&full).starts_with("Muster AG was a corporation in Zürich (ZH), in the register since 2003-05-01, deleted on 2024-02-03. It worked in"));
    }
}
