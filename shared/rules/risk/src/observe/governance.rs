//! Auditor, board and address.

use domain::{
    Language,
    wording::{self, Translations, say},
};
use jiff::{ToSpan, civil::Date};

use super::{dated, is_years_before};
use crate::{
    Sign,
    evidence::Observation,
    facts::{AddressFacts, AuditFacts, BoardFacts, Dated, OfficerMandates},
};

/// Years in office after which a firm's tenure is long: the lead auditor of an ordinary audit rotates after seven (CO 730a).
const LONG_TENURE: i32 = 7;
/// Years without a change after which a board or an address is stable.
const STABLE: i32 = 5;
/// Number of mandates in other companies from which an officer has many.
const MANY_MANDATES: usize = 20;
/// Number of members up to which each departure counts fully. On a larger board it counts for as many members as a third of
/// the board, so that boards of any size are comparable.
const SMALL_BOARD: usize = 3;
/// Number of other companies from which an address is shared by many.
pub const SHARED_ADDRESS: usize = 20;
/// Number of other companies from which a shared address has its full weight.
const FULLY_SHARED: f64 = 100.0;

pub(super) fn audit(facts: &AuditFacts, as_of: Date) -> Vec<Observation> {
    let ended = facts.ended.iter().filter(|it| it.on <= as_of);
    let mut observations: Vec<Observation> =
        ended.clone().map(|it| dated(Sign::AuditorEnded, it)).collect();
    let mut add = |sign, said: &dyn Fn(Language) -> String| {
        observations.push(Observation::new(sign, &facts.source, Translations::of(said)));
    };
    if let Some(auditor) = &facts.auditor {
        add(Sign::Audited, &|language| {
            say!(
                language,
                "{auditor} prüft das Unternehmen.",
                "{auditor} contrôle l’entreprise.",
                "{auditor} verifica l’impresa.",
                "{auditor} audits the company.",
            )
        });
        // More than seven years: those who began seven years ago to the day have just completed them.
        let limit = as_of.checked_sub(LONG_TENURE.years()).ok();
        let is_long = |it: &Date| limit.is_some_and(|limit| *it < limit);
        if let Some(since) = facts.since.filter(is_long) {
            add(Sign::LongTenure, &|language| {
                let published = wording::published(language, since);
                say!(
                    language,
                    "{auditor} prüft das Unternehmen seit mehr als {LONG_TENURE} Jahren {published}. Ein Hinweis, kein Verstoss.",
                    "{auditor} contrôle l’entreprise depuis plus de {LONG_TENURE} ans {published}. Un indice, pas une infraction.",
                    "{auditor} verifica l’impresa da più di {LONG_TENURE} anni {published}. Un indizio, non una violazione.",
                    "{auditor} has audited the company for more than {LONG_TENURE} years {published}. An indicator, not a breach.",
                )
            });
        }
    } else if facts.opted_out == Some(true) {
        add(Sign::OptedOut, &|language| {
            say!(
                language,
                "Das Unternehmen hat auf die eingeschränkte Revision verzichtet.",
                "L’entreprise a renoncé au contrôle restreint.",
                "L’impresa ha rinunciato alla revisione limitata.",
                "The company waived the limited audit.",
            )
        });
    } else if facts.is_active && ended.count() > 0 {
        add(Sign::AuditorLeft, &|language| {
            say!(
                language,
                "Die letzte bekannte Revisionsstelle ist ausgeschieden, und keine andere ist bekannt.",
                "Le dernier organe de révision connu est sorti, et aucun autre n’est connu.",
                "L’ultimo ufficio di revisione noto è uscito e nessun altro è noto.",
                "The last known auditor left, and no other is known.",
            )
        });
    }
    observations
}

pub(super) fn board(facts: &BoardFacts, as_of: Date, deleted_on: Option<Date>) -> Vec<Observation> {
    let end = deleted_on.unwrap_or(as_of);
    let part = SMALL_BOARD as f64 / facts.members.max(SMALL_BOARD) as f64;
    let departures: Vec<&Dated> = facts.departures.iter().filter(|it| it.on <= as_of).collect();
    let mut observations: Vec<Observation> =
        departures.iter().map(|it| dated(Sign::Departure, it).with_strength(part)).collect();
    for OfficerMandates { name, others, source } in
        facts.mandates.iter().filter(|it| it.others >= MANY_MANDATES)
    {
        let summary = Translations::of(|language| {
            say!(
                language,
                "{name} hat {others} Mandate in anderen Gesellschaften.",
                "{name} a {others} mandats dans d’autres sociétés.",
                "{name} ha {others} mandati in altre società.",
                "{name} has {others} mandates in other companies.",
            )
        });
        observations.push(Observation::new(Sign::ManyMandates, source, summary));
    }
    let is_recent = |it: &&Dated| !is_years_before(it.on, STABLE, end);
    let is_known_for_long = facts.known_since.is_some_and(|it| is_years_before(it, STABLE, end));
    if facts.members == 0 && facts.is_active && !departures.is_empty() {
        let summary = Translations::of(|language| {
            say!(
                language,
                "Alle bekannten Mitglieder der Leitung sind ausgeschieden.",
                "Tous les membres connus des organes dirigeants ont quitté leur fonction.",
                "Tutti i membri noti degli organi direttivi hanno lasciato la carica.",
                "All known members of the board and the management have left.",
            )
        });
        observations.push(Observation::new(Sign::NoBoard, &facts.source, summary));
    } else if facts.members > 0
        && is_known_for_long
        && !departures.iter().copied().any(|it| is_recent(&it))
    {
        let summary = Translations::of(|language| match deleted_on {
            None => say!(
                language,
                "Seit {STABLE} Jahren ist kein Mitglied der Leitung ausgeschieden.",
                "Aucun membre des organes dirigeants n’a quitté sa fonction depuis {STABLE} ans.",
                "Da {STABLE} anni nessun membro degli organi direttivi ha lasciato la carica.",
                "No member of the board or the management has left for {STABLE} years.",
            ),
            Some(_) => say!(
                language,
                "Bei der Löschung war seit {STABLE} Jahren kein Mitglied der Leitung ausgeschieden.",
                "À la radiation, aucun membre des organes dirigeants n’avait quitté sa fonction depuis {STABLE} ans.",
                "Alla cancellazione nessun membro degli organi direttivi aveva lasciato la carica da {STABLE} anni.",
                "At the deletion, no member of the board or the management had left for {STABLE} years.",
            ),
        });
        observations.push(Observation::new(Sign::StableBoard, &facts.source, summary));
    }
    observations
}

pub(super) fn address(
    facts: &AddressFacts,
    as_of: Date,
    deleted_on: Option<Date>,
) -> Vec<Observation> {
    let end = deleted_on.unwrap_or(as_of);
    let changes: Vec<&Dated> = facts.changes.iter().filter(|it| it.on <= as_of).collect();
    let mut observations: Vec<Observation> =
        changes.iter().map(|it| dated(Sign::Moved, it)).collect();
    if let Some(neighbours) = facts.neighbours.filter(|it| *it >= SHARED_ADDRESS) {
        let summary = Translations::of(|language| {
            let others = wording::number(language, neighbours as u64);
            say!(
                language,
                "{others} andere Gesellschaften haben dieselbe Adresse.",
                "{others} autres sociétés ont la même adresse.",
                "{others} altre società hanno lo stesso indirizzo.",
                "{others} other companies have the same address.",
            )
        });
        let shared = Observation::new(Sign::SharedAddress, &facts.source, summary);
        observations.push(shared.with_strength(neighbours as f64 / FULLY_SHARED));
    }
    let is_known_for_long = facts.known_since.is_some_and(|it| is_years_before(it, STABLE, end));
    if is_known_for_long && changes.iter().all(|it| is_years_before(it.on, STABLE, end)) {
        let summary = Translations::of(|language| match deleted_on {
            None => say!(
                language,
                "Die Adresse ist seit {STABLE} Jahren unverändert.",
                "L’adresse n’a pas changé depuis {STABLE} ans.",
                "L’indirizzo non è cambiato da {STABLE} anni.",
                "The address has not changed for {STABLE} years.",
            ),
            Some(_) => say!(
                language,
                "Die Adresse war bei der Löschung seit {STABLE} Jahren unverändert.",
                "À la radiation, l’adresse n’avait pas changé depuis {STABLE} ans.",
                "Alla cancellazione l’indirizzo non era cambiato da {STABLE} anni.",
                "At the deletion, the address had not changed for {STABLE} years.",
            ),
        });
        observations.push(Observation::new(Sign::StableAddress, &facts.source, summary));
    }
    observations
}
