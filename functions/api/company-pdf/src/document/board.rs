//! Officers and signatories.

use std::collections::BTreeMap;

use domain::{
    persons::{Mandate, RoleCategory},
    terms::offices,
};
use serde::Serialize;

use super::{
    MAX_PEOPLE, Profile,
    format::{SHORT, cut},
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
    signature: String,
    since: String,
}

impl Board {
    pub(super) fn of(profile: &Profile, words: Words) -> Self {
        let board = profile.history.board();
        let form = profile.company.legal_form_code.as_deref();
        let shown = &board[..board.len().min(MAX_PEOPLE)];
        let mut groups: BTreeMap<RoleCategory, Vec<Row>> = BTreeMap::new();
        for mandate in shown {
            groups.entry(mandate.category).or_default().push(Row::of(mandate, words));
        }
        let groups = groups
            .into_iter()
            .map(|(category, rows)| Group {
                title: words.term(offices::heading(category, form)),
                rows,
            })
            .collect();
        let left_out = profile.total_people.saturating_sub(shown.len());
        let more = || filled(words.more_people(), &words.grouped(left_out as u64));
        Self { groups, empty: words.no_board(), more: (left_out > 0).then(more) }
    }
}

impl Row {
    fn of(mandate: &Mandate, words: Words) -> Self {
        let person = &mandate.person;
        let origin = person.origin.as_ref().or(person.nationality.as_ref());
        let origin = [origin, person.residence.as_ref()].into_iter().flatten();
        let origin: Vec<String> = origin.map(|it| cut(it, SHORT)).collect();
        let published = mandate.signature.as_deref();
        let signature = signature(mandate.signing_authority, published, words);
        let since = mandate.role_since().or(mandate.since);
        // The column of the dates is about the role.
        let signs_since = mandate.signature_since().filter(|it| Some(*it) != since);
        Self {
            name: cut(&person.full_name(), SHORT),
            origin: origin.join(" · "),
            role: cut(&mandate.role, SHORT),
            signature: match signs_since.filter(|_| !signature.is_empty()) {
                Some(day) => {
                    format!("{signature}, {}", filled(words.since_day(), &words.date(day)))
                }
                None => signature,
            },
            since: since.map(|it| words.date(it)).unwrap_or_default(),
        }
    }
}
