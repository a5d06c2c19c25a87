//! What the record states about the company.

use domain::{Company, legal_forms::LegalForm, noga, relationships::head_office_of, wording};
use jiff::tz::TimeZone;
use serde::Serialize;

use super::{
    format::{LONG, SHORT, cut},
    words::{Words, filled},
};

/// Maximum number of former names, and of translations.
const MAX_NAMES: usize = 20;

#[derive(Debug, Serialize)]
pub(super) struct Overview {
    /// Labels and values.
    facts: Vec<(&'static str, String)>,
    purpose: Option<String>,
}

impl Overview {
    pub(super) fn of(company: &Company, words: Words) -> Self {
        let text = |it: &Option<String>| it.as_deref().map(|it| cut(it, SHORT));
        let date = |it: Option<jiff::civil::Date>| it.map(|it| words.date(it));
        let count = |it: &Option<Vec<String>>| it.as_ref().map_or(0, Vec::len);
        let supervised =
            (company.is_finma_regulated == Some(true)).then(|| words.finma().to_owned());
        let facts = [
            (words.company_number(), Some(company.uid.to_string())),
            (words.legal_form(), legal_form(company, words)),
            (words.head_office(), head_office(company)),
            (words.seat(), seat(company)),
            (words.address(), address(company, words)),
            (words.capital(), capital(company, words)),
            (words.founded(), date(company.founding_date)),
            (words.registered(), date(company.registration_date)),
            (words.deleted(), date(company.deletion_date)),
            (words.industry(), industry(company, words)),
            (words.employees(), company.employee_count.map(|it| words.grouped(it.into()))),
            (words.auditor_now(), auditor(company, words)),
            (words.supervision(), supervised),
            (words.sanctions(), sanctions(company, words)),
            (words.parent(), text(&company.ultimate_parent_name)),
            ("LEI", company.lei.map(|it| it.to_string())),
            ("ISIN", company.isin.map(|it| it.to_string())),
            // An address in the web is not a text.
            (words.website(), company.website.as_ref().map(|it| it.chars().take(SHORT).collect())),
            (
                words.translations(count(&company.translations)),
                names(company.translations.as_deref()),
            ),
            (words.former_names(count(&company.old_names)), names(company.old_names.as_deref())),
        ];
        let known = facts.into_iter().filter_map(|(label, value)| Some((label, value?)));
        Self { facts: known.collect(), purpose: company.purpose.as_deref().map(|it| cut(it, LONG)) }
    }
}

/// The name of the legal form in the language, or as the record states it.
pub(super) fn legal_form(company: &Company, words: Words) -> Option<String> {
    let known = company.legal_form_code.as_deref().and_then(LegalForm::by_code);
    let name = known.map(|it| words.of(it.names).to_owned());
    name.or_else(|| company.legal_form.as_deref().map(|it| cut(it, SHORT)))
}

/// The head office of a branch, with its number.
fn head_office(company: &Company) -> Option<String> {
    let head_office = head_office_of(company)?;
    let name = cut(&head_office.name, SHORT);
    Some(match head_office.uid {
        Some(uid) => format!("{name} ({uid})"),
        None => name,
    })
}

/// Seat and canton: `Baden (AG)`.
pub(super) fn seat(company: &Company) -> Option<String> {
    let seat = company.legal_seat.as_deref().or(company.municipality.as_deref());
    let seat = seat.map(|it| cut(it, SHORT));
    match (seat, company.canton) {
        // The register writes `Wil (SG)` for places of which there are several.
        (Some(seat), Some(canton)) if !seat.ends_with(')') => {
            Some(format!("{seat} ({})", canton.code()))
        }
        (Some(seat), _) => Some(seat),
        (None, canton) => canton.map(|it| it.code().to_owned()),
    }
}

fn address(company: &Company, words: Words) -> Option<String> {
    let joined = |parts: [&Option<String>; 2]| {
        let parts: Vec<&str> = parts.into_iter().filter_map(|it| it.as_deref()).collect();
        (!parts.is_empty()).then(|| parts.join(" "))
    };
    let lines = [
        company.address_care_of.as_deref().map(wording::care_of),
        company.address_addon.clone(),
        joined([&company.address_street, &company.address_house_number]),
        company.address_po_box.as_deref().map(|it| wording::po_box(words.0, it)),
        joined([&company.address_zip_code, &company.address_city]),
    ];
    let lines: Vec<String> = lines.into_iter().flatten().map(|it| cut(&it, SHORT)).collect();
    (!lines.is_empty()).then(|| lines.join(", "))
}

fn capital(company: &Company, words: Words) -> Option<String> {
    let amount = words.amount(company.share_capital?);
    Some(match &company.currency {
        Some(currency) => format!("{} {amount}", cut(currency, 10)),
        None => amount,
    })
}

/// The name of the industry, and its code. In English the name is that of the class; in other languages it is the official
/// one of the division, whose code comes first.
fn industry(company: &Company, words: Words) -> Option<String> {
    let name = company.sub_industry.as_deref().or(company.industry.as_deref())?;
    let Some(code) = &company.noga_code else { return Some(cut(name, SHORT)) };
    let official = noga::division(code).and_then(|it| {
        let [de, fr, italian] = it.official.map(Some);
        Some((words.0.of([de, fr, italian, None])?, it.code))
    });
    Some(match official {
        Some((name, division)) if division != code => format!("{name} (NOGA {division}, {code})"),
        Some((name, _)) => format!("{name} (NOGA {code})"),
        None => format!("{} (NOGA {code})", cut(name, SHORT)),
    })
}

fn auditor(company: &Company, words: Words) -> Option<String> {
    let name = company.auditor_name.as_deref().map(|it| cut(it, SHORT));
    name.or_else(|| (company.auditor_opt_out == Some(true)).then(|| words.opted_out()))
}

/// Whether the company is on a list of sanctions. In every tier: a file without the risk assessment would look clean.
fn sanctions(company: &Company, words: Words) -> Option<String> {
    let screened = company.last_screened_at?.to_zoned(TimeZone::UTC).date();
    let result = if company.sanctions_hit? { words.hit() } else { words.no_hit() };
    Some(filled(result, &words.date(screened)))
}

fn names(names: Option<&[String]>) -> Option<String> {
    let names = names.filter(|it| !it.is_empty())?;
    let mut shown: Vec<String> = names.iter().take(MAX_NAMES).map(|it| cut(it, SHORT)).collect();
    if names.len() > MAX_NAMES {
        shown.push(filled("… (+{})", &(names.len() - MAX_NAMES).to_string()));
    }
    Some(shown.join("; "))
}
