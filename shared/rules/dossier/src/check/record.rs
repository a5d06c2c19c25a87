//! What the record and the history say: no sentence may contradict them, whatever it cites. The rules look for the phrases of our
//! own rows, so that a mistake in a row does not reach a text either.

use std::collections::BTreeSet;

use auth::Language;
use domain::{
    Status,
    company::StatusReason,
    persons::RoleCategory,
    terms::{Text, offices},
    text,
};
use jiff::civil::Date;
use ownership::{Form, Reason};

use super::figures::Figures;
use crate::{Facts, row::Section, terms};

/// What the record and the history of a company say.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Record {
    status: Option<Status>,
    legal_form: Option<String>,
    /// The reason for the status, in each language.
    reason: Option<Text>,
    /// Days on which something happened or was published.
    days: BTreeSet<Date>,
    /// Normalised names of those in office, with their offices.
    officers: Vec<(String, RoleCategory)>,
    /// Normalised names of those who have left an office.
    former: Vec<String>,
    /// Normalised names of entities without owners by law.
    without_owners: Vec<String>,
    /// Who owns the company, by its legal form.
    form: Form,
    has_beneficial_owner: bool,
}

impl Record {
    pub(crate) fn of(facts: Facts<'_>) -> Self {
        let Facts { company, history, structure, resolution, .. } = facts;
        let name = |it: &domain::persons::Mandate| text::fold(&it.person.full_name());
        let (current, ended): (Vec<_>, Vec<_>) =
            history.mandates.iter().partition(|it| it.is_current());
        let profiles = structure.depths().keys().filter_map(|it| structure.profile(*it));
        let without_owners = profiles.filter(|it| !it.form.can_have_owners());
        let is_owner = |it: &Reason| !matches!(it, Reason::StatutoryFallback { .. });
        let owners = &resolution.beneficial_owners;
        Self {
            status: company.status,
            legal_form: company.legal_form_code.clone(),
            reason: company
                .status_reason
                .map(|reason| Language::ALL.map(|it| terms::status_reason_of(it, reason, history))),
            days: days(facts),
            officers: current
                .into_iter()
                .flat_map(|it| it.categories().map(move |office| (name(it), office)))
                .collect(),
            former: ended.into_iter().map(name).collect(),
            without_owners: without_owners.map(|it| text::fold(&it.name)).collect(),
            form: structure.form(structure.root()),
            has_beneficial_owner: owners.iter().any(|it| it.reasons.iter().any(is_owner)),
        }
    }

    /// Whether a sentence of a section contradicts nothing.
    pub(crate) fn agrees(&self, section: Section, said: &str, language: Language) -> bool {
        let figures = Figures::of(said, language);
        let said = format!(" {} ", text::fold(said));
        figures.have_days_in(&Figures::of_days(self.days.iter().copied()))
            // A sign of the risk names several states at once.
            && (section == Section::Risk || self.agrees_on_status(&said, language))
            && self.agrees_on_owners(&said, language)
            && (section != Section::Board || self.agrees_on_organs(&said, language))
    }

    fn agrees_on_status(&self, said: &str, language: Language) -> bool {
        let mut stated =
            Status::ALL.into_iter().filter(|it| says(said, terms::status(language, *it)));
        let Some(status) = stated.next() else { return true };
        let own = self.reason.as_ref().map(|it| language.of(it.each_ref()));
        // The reason can contain the words of another one: the end of a bankruptcy those of a bankruptcy.
        let rest = own.map_or_else(|| said.to_owned(), |it| said.replace(&text::fold(it), ""));
        let mut reasons = StatusReason::ALL.iter().map(|it| terms::status_reason(language, *it));
        self.status == Some(status) && stated.next().is_none() && !reasons.any(|it| says(&rest, it))
    }

    fn agrees_on_owners(&self, said: &str, language: Language) -> bool {
        let has_owners = self.form.can_have_owners();
        let names_entity = self.without_owners.iter().any(|it| says(said, it));
        let denials = [
            (terms::no_owners(language), names_entity),
            (terms::form_without_owners(language), !has_owners),
            (terms::members_not_registered(language), self.form == Form::Cooperative),
            (terms::no_beneficial_owner(language), !self.has_beneficial_owner),
        ];
        denials.into_iter().all(|(denial, is_true)| is_true || !says(said, denial))
    }

    /// Whether somebody who has left is named as in office, or somebody in office with another office.
    fn agrees_on_organs(&self, said: &str, language: Language) -> bool {
        let named: Vec<_> = self.officers.iter().filter(|it| says(said, &it.0)).collect();
        if named.is_empty() {
            let says_that_they_left = self.status == Some(Status::Cancelled)
                && [1, 2].iter().any(|it| says(said, terms::until_deletion(language, *it)));
            return says_that_they_left || !self.former.iter().any(|it| says(said, it));
        }
        let legal_form = self.legal_form.as_deref();
        let own = RoleCategory::ALL.map(|it| (language.of(offices::role(it, legal_form)), it));
        let partners = [offices::GENERAL_PARTNER, offices::LIMITED_PARTNER];
        let partners = partners.map(|it| (language.of(it), RoleCategory::Partner));
        let all = own.into_iter().chain(partners);
        let mut offices: Vec<_> = all.map(|(name, it)| (text::fold(name), it)).collect();
        // The longest first: an office can contain the words of another one.
        offices.sort_by_key(|it| std::cmp::Reverse(it.0.len()));
        let mut rest = said.to_owned();
        for (office, category) in &offices {
            if says(&rest, office) {
                rest = rest.replace(office.as_str(), "");
                if !named.iter().any(|it| it.1 == *category) {
                    return false;
                }
            }
        }
        true
    }
}

/// Whether normalised text between spaces contains these words.
fn says(said: &str, words: &str) -> bool {
    said.contains(&format!(" {} ", text::fold(words)))
}

/// Every day that the record, the history and the news state.
fn days(facts: Facts<'_>) -> BTreeSet<Date> {
    let Facts { company, history, risk, news, day, .. } = facts;
    let mut days: BTreeSet<Date> = [day, risk.as_of].into();
    days.extend(
        [company.registration_date, company.founding_date, company.deletion_date].iter().flatten(),
    );
    days.extend(history.events.iter().map(|it| it.event.date));
    days.extend(history.events.iter().filter_map(|it| it.event.journal_date));
    days.extend(
        history
            .mandates
            .iter()
            .flat_map(|it| [it.since, it.role_since(), it.signature_since(), it.until])
            .flatten(),
    );
    days.extend(history.tenures.iter().flat_map(|it| [it.appointed_at, it.resigned_at]).flatten());
    days.extend(news.iter().map(|it| it.date));
    days
}
