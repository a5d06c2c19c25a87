//! Capital, age and status.

use domain::{
    Amount, Language, Status,
    changes::LegalEvent,
    company::StatusReason,
    terms::{self, capitalised},
    wording::{self, Translations, say},
};
use jiff::civil::Date;

use super::{dated, is_years_before};
use crate::{
    Sign,
    evidence::Observation,
    facts::{CapitalFacts, StatusFacts},
};

/// Years of registration below which a company is young.
const YOUNG: i32 = 2;
/// Years of registration from which a company is long-standing.
const LONG_STANDING: i32 = 10;

/// The least nominal capital in francs of a company that is founded today: 100,000 for a corporation (CO 621), 20,000 for a
/// limited liability company (CO 773). Older companies can have less: it was lower when they were founded.
fn least_capital(legal_form: &str) -> Option<Amount> {
    match legal_form {
        "0105" | "0106" => Some(Amount::units(100_000)),
        "0107" => Some(Amount::units(20_000)),
        _ => None,
    }
}

pub(super) fn capital(facts: &CapitalFacts, deleted_on: Option<Date>) -> Vec<Observation> {
    let reduced = facts.reductions.iter().map(|it| dated(Sign::CapitalReduced, it));
    let increased = facts.increases.iter().map(|it| dated(Sign::CapitalIncreased, it));
    let mut observations: Vec<Observation> = reduced.chain(increased).collect();
    let least = facts.legal_form.as_deref().and_then(least_capital);
    // Since 2023 the capital can be in another currency, for which the law states no amount.
    if let (Some(amount), Some(least), Some("CHF")) =
        (facts.amount, least, facts.currency.as_deref())
        && amount <= least
    {
        let summary = Translations::of(|language| {
            let [shown, required] = [amount, least].map(|it| wording::amount(language, it));
            let is = match deleted_on {
                None => say!(language, "beträgt", "est de", "è di", "is"),
                Some(_) => say!(
                    language,
                    "betrug zuletzt",
                    "était en dernier lieu de",
                    "era da ultimo di",
                    "was last"
                ),
            };
            match amount < least {
                true => say!(
                    language,
                    "Das Kapital {is} CHF {shown}, weniger als die CHF {required}, die das Gesetz von einer neuen Gesellschaft verlangt.",
                    "Le capital {is} CHF {shown}, moins que les CHF {required} que la loi exige d’une nouvelle société.",
                    "Il capitale {is} CHF {shown}, meno dei CHF {required} che la legge esige da una nuova società.",
                    "The capital {is} CHF {shown}, less than the CHF {required} that the law requires of a new company.",
                ),
                false => say!(
                    language,
                    "Das Kapital {is} CHF {shown}, das Minimum, das das Gesetz von einer neuen Gesellschaft verlangt.",
                    "Le capital {is} CHF {shown}, le minimum que la loi exige d’une nouvelle société.",
                    "Il capitale {is} CHF {shown}, il minimo che la legge esige da una nuova società.",
                    "The capital {is} CHF {shown}, the least that the law requires of a new company.",
                ),
            }
        });
        observations.push(Observation::new(Sign::LeastCapital, &facts.source, summary));
    }
    observations
}

pub(super) fn status(facts: &StatusFacts, as_of: Date) -> Vec<Observation> {
    let mut observations: Vec<Observation> = facts
        .events
        .iter()
        .filter(|(event, it)| !is_revoked(*event, it.on, facts, as_of))
        .filter_map(|(event, it)| Some(dated(Sign::of_event(*event)?, it)))
        .chain(facts.sales_of_shell.iter().map(|it| dated(Sign::ShelfCompany, it)))
        .collect();
    let mut add = |sign, source, said: &dyn Fn(Language) -> String| {
        observations.push(Observation::new(sign, source, Translations::of(said)));
    };
    let state = state_sign(facts.status, facts.reason);
    if let Some(sign) = state {
        add(sign, &facts.source, &|language| of_state(language, facts));
    }
    let Some(registered) = facts.registered.filter(|it| *it <= as_of) else { return observations };
    if facts.status != Some(Status::Cancelled) && !is_years_before(registered, YOUNG, as_of) {
        add(Sign::Young, &facts.entry, &|language| {
            let day = wording::date(language, registered);
            say!(
                language,
                "Das Unternehmen ist seit dem {day} eingetragen.",
                "L’entreprise est inscrite depuis le {day}.",
                "L’impresa è iscritta dal {day}.",
                "The company has been registered since {day}.",
            )
        });
    }
    if state.is_none()
        && facts.status == Some(Status::Active)
        && is_years_before(registered, LONG_STANDING, as_of)
    {
        add(Sign::LongStanding, &facts.entry, &|language| {
            let day = wording::date(language, registered);
            say!(
                language,
                "Das Unternehmen ist seit dem {day} eingetragen und aktiv.",
                "L’entreprise est inscrite depuis le {day} et active.",
                "L’impresa è iscritta dal {day} e attiva.",
                "The company has been registered since {day} and is active.",
            )
        });
    }
    observations
}

/// The state of a company with a sign, and its reason.
fn of_state(language: Language, facts: &StatusFacts) -> String {
    match (facts.reason, facts.status) {
        (Some(reason), _) if language == Language::En && reason != StatusReason::Moratorium => {
            reason.meaning().to_owned()
        }
        (Some(reason), _) => {
            let mut events: Vec<_> = facts.events.iter().collect();
            events.sort_by_key(|(_, it)| std::cmp::Reverse(it.on));
            let events = events.into_iter().map(|it| it.0);
            let term = terms::status_reason_by(reason, events);
            format!("{}.", capitalised(language.of(term)))
        }
        (None, Some(Status::Cancelled)) => say!(
            language,
            "Das Unternehmen ist gelöscht; ein Grund ist nicht bekannt.",
            "L’entreprise est radiée; aucun motif n’est connu.",
            "L’impresa è cancellata; nessun motivo è noto.",
            "The company was deleted; no reason is known.",
        ),
        (None, _) => say!(
            language,
            "Das Unternehmen ist in Liquidation; ein Grund ist nicht bekannt.",
            "L’entreprise est en liquidation; aucun motif n’est connu.",
            "L’impresa è in liquidazione; nessun motivo è noto.",
            "The company is in liquidation; no reason is known.",
        ),
    }
}

fn state_sign(status: Option<Status>, reason: Option<StatusReason>) -> Option<Sign> {
    use StatusReason as Reason;
    match reason {
        Some(
            Reason::Bankruptcy
            | Reason::Composition
            | Reason::DeletedAfterBankruptcy
            | Reason::DeletedNoAssets,
        ) => Some(Sign::Insolvent),
        Some(Reason::Moratorium) => Some(Sign::Moratorium),
        Some(Reason::Court731b | Reason::NoDomicile | Reason::DeletedExOfficio) => {
            Some(Sign::DissolvedForDefect)
        }
        Some(Reason::Court) => Some(Sign::DissolvedByCourt),
        Some(
            Reason::Voluntary
            | Reason::ReEntered
            | Reason::DeletedAfterLiquidation
            | Reason::DeletedBusinessCeased
            | Reason::DeletedOnApplication,
        ) => Some(Sign::Ending),
        // The business goes on elsewhere.
        Some(Reason::Merged | Reason::Demerged | Reason::Moved) => None,
        None => match status {
            Some(Status::BeingCancelled | Status::Cancelled) => Some(Sign::Ending),
            Some(Status::Active) | None => None,
        },
    }
}

/// Whether it was revoked or repaired until the day of the assessment: then it shows nothing about the company any more.
fn is_revoked(event: LegalEvent, on: Date, facts: &StatusFacts, as_of: Date) -> bool {
    let revocation = match event {
        LegalEvent::BankruptcyOpened => LegalEvent::BankruptcyRevoked,
        LegalEvent::DissolvedForDefect | LegalEvent::DissolvedWithoutDomicile => {
            LegalEvent::DissolutionRevoked
        }
        LegalEvent::NoDomicile => LegalEvent::DomicileRestored,
        _ => return false,
    };
    facts.events.iter().any(|(it, dated)| *it == revocation && (on..=as_of).contains(&dated.on))
}
