//! The obligations of a company on a day.

use crate::{
    Addressee, Answer, Application, CATALOGUE, Obligation, Profile, Reason, Rule, Version,
};

/// Which obligations apply to a company, and which do not.
#[derive(Debug)]
pub struct Scope {
    /// Obligations in force that apply, or of which it is not known whether they do, in the order of the catalogue.
    pub applied: Vec<Applied>,
    /// Obligations in force that do not apply, with the reasons.
    pub excluded: Vec<(&'static Obligation, Vec<Reason>)>,
}

/// An obligation that applies to a company, or may apply.
#[derive(Debug)]
pub struct Applied {
    /// The obligation.
    pub obligation: &'static Obligation,
    /// Its version on the day.
    pub version: &'static Version,
    /// To whom it applies, and why.
    pub to: Vec<AppliedTo>,
}

impl Applied {
    /// Whether it applies to someone. Otherwise it is not known whether it does.
    pub fn is_certain(&self) -> bool {
        self.to.iter().any(|it| it.answer == Answer::Yes)
    }
}

/// To whom an obligation applies, and why.
#[derive(Debug)]
pub struct AppliedTo {
    /// Who has to act.
    pub addressee: Addressee,
    /// The rule.
    pub rule: Rule,
    /// [`Answer::Yes`] or [`Answer::Unknown`].
    pub answer: Answer,
    /// Why, or what is missing to decide.
    pub reasons: Vec<Reason>,
}

/// The obligations in force on the day of the profile.
pub fn scope(profile: &Profile) -> Scope {
    let mut scope = Scope { applied: Vec::new(), excluded: Vec::new() };
    for obligation in &CATALOGUE.obligations {
        let Some(version) = obligation.version(profile.day) else { continue };
        let mut to = Vec::new();
        let mut against: Vec<Reason> = Vec::new();
        for Application { addressee, rule } in obligation.applications.iter().copied() {
            let finding = rule.evaluate(profile);
            match finding.answer {
                Answer::No => against.extend(finding.reasons),
                answer => to.push(AppliedTo { addressee, rule, answer, reasons: finding.reasons }),
            }
        }
        match to.is_empty() {
            true => scope.excluded.push((obligation, against)),
            false => scope.applied.push(Applied { obligation, version, to }),
        }
    }
    scope
}
