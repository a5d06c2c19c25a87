//! Officers and signatories.

use std::collections::BTreeMap;

use domain::{
    Company,
    company::QuotaHolder,
    persons::{Mandate, RoleCategory},
    terms::offices,
    wording::{self, say},
};
use serde::Serialize;

use super::{
    MAX_PEOPLE, Profile,
    format::{SHORT, cut},
    roles::role,
    signatures::signature,
    words::{Words, filled},
};

#[derive(Debug, Serialize)]
pub(super) struct Board {
    groups: Vec<Group>,
    /// What the section says without groups.
    empty: &'static str,
    /// How many people are left out.
    more: Option<String>,
}

#[derive(Debug, Serialize)]
struct Group {
    title: String,
    rows: Vec<Row>,
}

#[derive(Debug, Serialize)]
struct Row {
    name: String,
    /// Place of origin or nationality, and residence.
    origin: String,
    role: String,
    /// The shares of a partner.
    shares: String,
    signature: String,
    since: String,
}

impl Board {
    pub(super) fn of(profile: &Profile, words: Words) -> Self {
        let board = profile.history.board();
        let form = profile.company.legal_form_code.as_deref();
        let shown = &board[..board.len().min(MAX_PEOPLE)];
        let mut groups: BTreeMap<RoleCategory, Vec<Row>> = BTreeMap::new();
        // Who has several offices is in the group of each.
        for mandate in shown {
            for category in mandate.categories() {
                let row = Row::of(mandate, category, &profile.company, words);
                groups.entry(category).or_default().push(row);
            }
        }
        let groups = groups
            .into_iter()
            .map(|(category, rows)| Group {
                title: words.term(offices::heading(category, form)),
                rows,
            })
            .collect();
        let left_out = profile.total_people.saturating_sub(shown.len());
        let more = || filled(words.more_people(left_out), &words.grouped(left_out as u64));
        Self { groups, empty: words.no_board(), more: (left_out > 0).then(more) }
    }
}

impl Row {
    /// Somebody with an office of a category, perhaps among others.
    fn of(mandate: &Mandate, category: RoleCategory, company: &Company, words: Words) -> Self {
        let person = &mandate.person;
        let origin = person.origin.as_ref().or(person.nationality.as_ref());
        let origin = [origin, person.residence.as_ref()].into_iter().flatten();
        let origin: Vec<String> = origin.map(|it| cut(it, SHORT)).collect();
        let published = mandate.signature.as_deref();
        let signature = signature(mandate.signing_authority, published, words);
        // The latest change of the role did not begin an office that the person had before.
        let is_earlier = mandate.role_since().is_some() && mandate.office_since(category).is_none();
        let since = mandate.role_since().or(mandate.since);
        // The column of the dates is about the role.
        let signs_since = mandate.signature_since().filter(|it| Some(*it) != since);
        Self {
            name: cut(&person.full_name(), SHORT),
            origin: origin.join(" · "),
            role: cut(&role(mandate, company.legal_form_code.as_deref(), words), SHORT),
            shares: shares(mandate, company, words),
            signature: match signs_since.filter(|_| !signature.is_empty()) {
                Some(day) => {
                    format!("{signature}, {}", filled(words.published(), &words.date(day)))
                }
                None => signature,
            },
            since: match is_earlier {
                false => since.map(|it| words.date(it)).unwrap_or_default(),
                true => {
                    let entry = mandate.since.map(|it| (words.entry(), it));
                    // Which of several offices a change is about is said at the new ones.
                    let changed = since.filter(|_| mandate.other_categories.is_empty());
                    let changed = changed.map(|it| (words.this_role(), it));
                    let days = [entry, changed].into_iter().flatten();
                    let days = days.map(|(phrase, it)| filled(phrase, &words.date(it)));
                    days.collect::<Vec<_>>().join(", ")
                }
            },
        }
    }
}

/// The shares of a partner, with their part of the capital. Of a limited partner, the sum for which the partner answers, as published.
fn shares(mandate: &Mandate, company: &Company, words: Words) -> String {
    let mut holders = company.quota_holders.iter();
    let Some(holder) = holders.find(|it| it.person_id == mandate.person_id) else {
        return mandate.holding.as_ref().map(|it| cut(&it.text, SHORT)).unwrap_or_default();
    };
    let mut text = number_of_shares(holder, words);
    // Less than the last decimal is not nothing.
    if let Some(percentage) = holder.percentage.filter(|it| *it >= 0.01) {
        let share = wording::percent(percentage / 100.0);
        text.push_str(&say!(
            words.0,
            " ({share} des Kapitals)",
            " ({share} du capital)",
            " ({share} del capitale)",
            " ({share} of the capital)",
        ));
    }
    if let Some(day) = holder.since {
        text.push_str(&format!(", {}", filled(words.published(), &words.date(day))));
    }
    text
}

fn number_of_shares(holder: &QuotaHolder, words: Words) -> String {
    let language = words.0;
    let currency = holder.currency.as_deref().unwrap_or_default();
    let money = |it| format!("{currency} {}", words.amount(it)).trim().to_owned();
    let count = words.grouped(holder.count.unwrap_or_default());
    match (holder.count, holder.nominal_value.map(money), holder.total.map(money)) {
        (Some(1), Some(value), _) | (Some(1), None, Some(value)) => say!(
            language,
            "1 Stammanteil zu {value}",
            "1 part sociale de {value}",
            "1 quota sociale da {value}",
            "1 share of {value}",
        ),
        (Some(_), Some(value), _) => say!(
            language,
            "{count} Stammanteile zu je {value}",
            "{count} parts sociales de {value} chacune",
            "{count} quote sociali da {value} ciascuna",
            "{count} shares of {value} each",
        ),
        (Some(_), None, Some(total)) => say!(
            language,
            "{count} Stammanteile von zusammen {total}",
            "{count} parts sociales totalisant {total}",
            "{count} quote sociali per un totale di {total}",
            "{count} shares of {total} in total",
        ),
        (Some(_), None, None) => say!(
            language,
            "Stammanteile: {count}",
            "parts sociales: {count}",
            "quote sociali: {count}",
            "shares: {count}",
        ),
        (None, _, Some(total)) => say!(
            language,
            "Stammanteile von zusammen {total}",
            "parts sociales totalisant {total}",
            "quote sociali per un totale di {total}",
            "shares of {total} in total",
        ),
        (None, _, None) => say!(
            language,
            "Stammanteile, Zahl unbekannt",
            "parts sociales, nombre inconnu",
            "quote sociali, numero sconosciuto",
            "shares, number unknown",
        ),
    }
}
