//! The steps of dissolutions, bankruptcies and moratoria, as formulas: which words together state which step.

use super::{
    Change, Step,
    concepts::{Concept, Concept::*, Concepts, Found},
    decisions::{date_of_end, decision_date},
};

/// A formula: it matches a clause that has all words of `needs` and at least one of `one_of` (if there are any), but none
/// of `unless`. `None`: the clause states no step.
struct Formula {
    step: Option<Step>,
    needs: &'static [Concept],
    one_of: &'static [Concept],
    unless: &'static [Concept],
}

const fn formula(
    step: Step,
    needs: &'static [Concept],
    one_of: &'static [Concept],
    unless: &'static [Concept],
) -> Formula {
    Formula { step: Some(step), needs, one_of, unless }
}

const fn nothing(needs: &'static [Concept], one_of: &'static [Concept]) -> Formula {
    Formula { step: None, needs, one_of, unless: &[] }
}

/// A company dissolved for a defect in its organisation: all that states it.
const DEFECTS: &[Concept] = &[Defect, DomicileLaw];

/// The formulas. The first that matches counts: the sentence about the end of a proceeding also has the words of its
/// opening, so the end is before the opening.
#[rustfmt::skip]
const FORMULAS: [Formula; 45] = [
    nothing(&[Negated], &[]),
    // The suspensive effect of an appeal (art. 36 of the Debt Enforcement and Bankruptcy Act).
    nothing(&[SuspensiveEffect], &[Revoked, Rejected]),
    formula(Step::BankruptcyStayed, &[SuspensiveEffect, Bankruptcy], &[], &[]),
    nothing(&[SuspensiveEffect], &[]),
    nothing(&[Rejected], &[]),

    formula(Step::BankruptcyPostponementEnded, &[Postponement], &[Revoked, Expired, Closed], &[]),
    formula(Step::BankruptcyPostponed, &[Postponement], &[Granted, Opened, Ordered, Extended], &[]),
    nothing(&[Postponement], &[]),

    // Moratorium: art. 293 to 296 of the Debt Enforcement and Bankruptcy Act.
    // `a mis fin au sursis provisoire et accordé un sursis définitif`
    formula(Step::MoratoriumDefinitive, &[MoratoriumOver, Moratorium, Definitive], &[Granted, Opened, Ordered], &[Revoked]),
    formula(Step::MoratoriumEnded, &[MoratoriumOver], &[], &[]),
    formula(Step::MoratoriumExtended, &[Moratorium, Extended], &[], &[Revoked]),
    formula(Step::MoratoriumEnded, &[Moratorium, Revoked], &[], &[]),
    // `nach Ablauf der provisorischen wurde die definitive Nachlassstundung bewilligt`
    formula(Step::MoratoriumDefinitive, &[Moratorium, Definitive, Provisional], &[Granted, Opened, Ordered], &[]),
    formula(Step::MoratoriumEnded, &[Moratorium], &[Expired, Closed], &[]),
    formula(Step::MoratoriumDefinitive, &[Moratorium, Definitive], &[Granted, Opened, Ordered], &[Provisional]),
    formula(Step::MoratoriumProvisional, &[Moratorium, Provisional], &[Granted, Opened, Ordered], &[]),
    formula(Step::MoratoriumGranted, &[Moratorium], &[Granted, Opened, Ordered], &[]),
    nothing(&[Moratorium], &[]),

    // Composition: art. 305, 313 and 317 of the same act.
    nothing(&[Composition], &[Revoked]),
    formula(Step::CompositionWithAssignment, &[Composition, Assignment], &[Confirmed, Opened], &[Closed]),
    formula(Step::CompositionWithAssignment, &[Assignment], &[Confirmed, Opened], &[Closed]),
    formula(Step::Closed, &[Assignment, Closed], &[], &[]),
    formula(Step::CompositionConfirmed, &[Composition, Confirmed], &[], &[]),
    nothing(&[Composition], &[]),
    nothing(&[Assignment], &[]),

    // Proceedings suspended for lack of assets: art. 230.
    formula(Step::Resumed, &[Resumed], &[Bankruptcy, Defect, NoAssets, Suspended], &[]),
    formula(Step::BankruptcyRevoked, &[Bankruptcy, Revoked], &[], &[Defect, DomicileLaw, Suspended]),
    // `suspendue faute d'actif, a été clôturée`: it is not certain which of them is new.
    nothing(&[Suspended, Closed], &[]),
    formula(Step::Suspended, &[NoAssets, Suspended], &[], &[Deleted]),
    formula(Step::Suspended, &[Suspended], &[Bankruptcy, Defect], &[Deleted, Revoked]),
    formula(Step::Closed, &[Closed], &[Bankruptcy], &[]),
    formula(Step::Closed, &[Closed, Defect], &[], &[Revoked]),

    // Dissolution for a defect in the organisation: art. 731b of the Code of Obligations.
    formula(Step::DissolutionRevoked, &[Revoked], DEFECTS, &[]),
    formula(Step::DissolvedWithoutDomicile, &[DomicileLaw], &[Dissolution, Liquidation], &[]),
    // The court can also appoint somebody (art. 731b para. 1bis no. 1 and 2).
    Formula { step: None, needs: &[Defect, Appointed], one_of: &[], unless: &[Dissolution, Liquidation] },
    formula(Step::DissolvedForDefect, &[Defect], &[Dissolution, Ordered, Liquidation], &[]),

    // Bankruptcy: art. 171, 190 to 193 of the Debt Enforcement and Bankruptcy Act.
    formula(Step::BankruptcyOpened, &[Bankruptcy], &[Opened, Dissolution, Granted], &[]),
    nothing(&[Bankruptcy], &[]),

    // Dissolution: art. 736 of the Code of Obligations. A merger also dissolves a company.
    nothing(&[], &[Merger, Demerger, SplitUp, SpinOff, Transfer]),
    formula(Step::DissolutionRevoked, &[Dissolution, Revoked], &[], &[]),
    formula(Step::DissolvedByResolution, &[Dissolution, Resolution], &[], &[Court, Branch]),
    formula(Step::DissolvedByCourt, &[Dissolution, Court], &[], &[Resolution, Branch]),
    formula(Step::DissolvedByResolution, &[Dissolution], &[Company, Resolution], &[Branch]),
    formula(Step::LiquidationCompleted, &[Liquidation, Closed], &[], &[Deleted]),
    formula(Step::LiquidationCompleted, &[Liquidation, Closed, Blocked], &[], &[]),
];

/// Adds the steps that a sentence states.
pub(super) fn read(text: &str, found: &[Found], all: Concepts, changes: &mut Vec<Change>) {
    let clauses = clauses(text, found);
    let mut date = None;
    for (at, clause) in clauses.iter().enumerate() {
        let mut concepts = Concepts::of(clause);
        // The subject of a sentence is that of all its clauses.
        if all.has(Company) {
            concepts = concepts.with(Company);
        }
        let Some(step) = step(concepts, text, clause) else { continue };
        let from = if at == 0 { 0 } else { clause[0].start };
        let to = clauses.get(at + 1).map_or(text.len(), |it| it[0].start);
        let of_decision = if ends(step) { date_of_end } else { decision_date };
        date = of_decision(&text[from..to]).or(date);
        changes.push(Change::Proceeding { step, on: date });
    }
}

/// Whether a step ends or continues what an earlier decision began, whose date can be named too.
fn ends(step: Step) -> bool {
    matches!(
        step,
        Step::DissolutionRevoked
            | Step::BankruptcyRevoked
            | Step::BankruptcyStayed
            | Step::BankruptcyPostponementEnded
            | Step::Suspended
            | Step::Resumed
            | Step::Closed
            | Step::MoratoriumEnded
            | Step::MoratoriumExtended
    )
}

fn step(concepts: Concepts, text: &str, clause: &[Found]) -> Option<Step> {
    let matches = |it: &&Formula| {
        concepts.has_all(it.needs)
            && (it.one_of.is_empty() || concepts.has_any(it.one_of))
            && !concepts.has_any(it.unless)
    };
    let step = FORMULAS.iter().find(matches)?.step?;
    let is_dissolution = matches!(
        step,
        Step::DissolvedByResolution | Step::DissolvedByCourt | Step::DissolutionRevoked
    );
    (!is_dissolution || !is_about_another_thing(text, clause)).then_some(step)
}

/// Whether something other than the company is dissolved: `Auflösung von Reserven`, `Reserven aufgelöst`.
fn is_about_another_thing(text: &str, clause: &[Found]) -> bool {
    let is_other = |it: &Found| matches!(it.concept, OtherThing | Branch | Signature);
    clause.iter().zip(clause.iter().skip(1)).any(|(one, next)| {
        let between = &text[one.end..next.start];
        (one.concept == Dissolution
            && is_other(next)
            && between.len() <= 25
            && !between.contains([',', ';']))
            || (is_other(one) && next.concept == Dissolution && between.len() <= 4)
    })
}

/// Splits the words of a sentence that states several steps: `Die Nachlassstundung wurde widerrufen und der Konkurs
/// eröffnet`. A clause ends before the first word about another proceeding, if the clause and the rest of the sentence are
/// complete without each other.
fn clauses<'a>(text: &str, found: &'a [Found]) -> Vec<&'a [Found]> {
    let mut clauses = Vec::new();
    let mut from = 0;
    for at in 1..found.len() {
        let clause = &found[from..at];
        let Some(new) = subject(found[at].concept) else { continue };
        let is_other = clause.iter().filter_map(|it| subject(it.concept)).all(|it| it != new);
        if is_other
            && is_complete(clause)
            && is_complete(&found[at..])
            && has_boundary(&text[last_word(clause)..found[at].start])
        {
            clauses.push(clause);
            from = at;
        }
    }
    if from < found.len() {
        clauses.push(&found[from..]);
    }
    clauses
}

/// The end of the last word of a clause that says what happens in a proceeding.
fn last_word(clause: &[Found]) -> usize {
    let last = clause.iter().rev().find(|it| subject(it.concept).is_some() || is_step(it.concept));
    last.map_or(0, |it| it.end)
}

fn has_boundary(between: &str) -> bool {
    between.contains([';', ','])
        || [" und ", " sowie ", " et ", " e ", " ed "].iter().any(|it| between.contains(it))
}

/// The proceedings that a sentence can be about.
#[derive(PartialEq)]
enum Proceeding {
    Bankruptcy,
    Moratorium,
    Postponement,
    Composition,
    Dissolution,
    Defect,
}

fn subject(concept: Concept) -> Option<Proceeding> {
    Some(match concept {
        Bankruptcy | NoAssets => Proceeding::Bankruptcy,
        Moratorium => Proceeding::Moratorium,
        Postponement => Proceeding::Postponement,
        Composition | Assignment => Proceeding::Composition,
        Dissolution | Liquidation => Proceeding::Dissolution,
        Defect | DomicileLaw => Proceeding::Defect,
        _ => return None,
    })
}

/// Whether a clause names a proceeding and what happens in it.
fn is_complete(clause: &[Found]) -> bool {
    clause.iter().any(|it| subject(it.concept).is_some())
        && clause.iter().any(|it| is_step(it.concept))
}

/// Whether a word says what happens in a proceeding.
fn is_step(concept: Concept) -> bool {
    matches!(
        concept,
        Opened
            | Granted
            | Ordered
            | Extended
            | Expired
            | Closed
            | Suspended
            | Resumed
            | Revoked
            | Confirmed
            | Rejected
            | Dissolution
    )
}
