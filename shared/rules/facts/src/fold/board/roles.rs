//! The names and categories of roles and signatures, as entries state them.

use domain::{
    persons::{Mandate, RoleCategory, SigningAuthority},
    terms::offices::UNKNOWN,
};
use gazette_notice::{Entry, Organ, Role, SignatureKind};

/// The role that is left when one of the offices of a person ends: the others, or membership of the body, since only its members
/// can preside over it (art. 712 of the Code of Obligations). `None` if the role does not contain the office.
pub(super) fn role_without(before: &Mandate, ended: &str) -> Option<String> {
    let ended_role = gazette_notice::role(ended)?;
    let all: Vec<&str> = before.role.split(", ").collect();
    let is_ended = |it: &&str| gazette_notice::role(it) == Some(ended_role);
    let rest: Vec<&str> = all.iter().copied().filter(|it| !is_ended(it)).collect();
    if rest.len() == all.len() {
        return None;
    }
    if !rest.is_empty() {
        return Some(rest.join(", "));
    }
    let is_of_member = matches!(
        ended_role,
        Role::President | Role::VicePresident | Role::Delegate | Role::Secretary | Role::Treasurer
    );
    if !is_of_member || before.category != RoleCategory::Board {
        return None;
    }
    let lower = ended.to_lowercase();
    let has = |words: &[&str]| words.iter().any(|it| lower.contains(it));
    let member = if has(&["präsident", "delegiert", "sekretär", "aktuar", "kassier"]) {
        "Mitglied"
    } else if has(&["presidente", "delegat", "segretari", "cassier"]) {
        "membro"
    } else {
        "membre"
    };
    Some(member.to_owned())
}

/// The signature as written, if it says how the person signs. `Die Unterschriften von A und B sind erloschen` does not.
pub(crate) fn signature(entry: &Entry) -> Option<&String> {
    #[rustfmt::skip]
    const BARE: [&str; 9] = [
        "unterschrift", "unterschriften", "zeichnungsberechtigung", "zeichnungsrecht", "signature", "signatures", "la signature", "firma", "firme",
    ];
    entry.signature.as_ref().filter(|it| !BARE.contains(&it.to_lowercase().as_str()))
}

/// The function as written. A person with a signature but without a function is an authorised
/// signatory, in the language of the signature.
pub(super) fn role(entry: &Entry) -> String {
    match (&entry.function, &entry.signature) {
        (Some(function), _) => nominative(function),
        (None, Some(signature)) => authorised_signatory(signature).to_owned(),
        (None, None) => UNKNOWN.to_owned(),
    }
}

/// A German office with an adjective, as `als provisorischen Sachwalter eingesetzt` names it, in the nominative.
fn nominative(function: &str) -> String {
    let parts = function.split_once("en ").filter(|(adjective, noun)| {
        let is_word = |it: &str| it.len() > 3 && it.chars().all(char::is_alphabetic);
        adjective.starts_with(char::is_lowercase)
            && noun.starts_with(char::is_uppercase)
            && is_word(adjective)
            && is_word(noun)
            && (noun.ends_with("in") || !noun.ends_with('n'))
    });
    match parts {
        Some((adjective, noun)) if noun.ends_with("in") => format!("{adjective}e {noun}"),
        Some((adjective, noun)) => format!("{adjective}er {noun}"),
        None => function.to_owned(),
    }
}

/// "Authorised signatory" in the language of a signature as written: `Einzelprokura`, `signature
/// individuelle`, `firma collettiva a due`. Notices are in German, French or Italian.
fn authorised_signatory(signature: &str) -> &'static str {
    let signature = signature.to_lowercase();
    let contains = |words: &[&str]| words.iter().any(|it| signature.contains(it));
    if contains(&["unterschrift", "prokura", "zeichnung"]) {
        "Zeichnungsberechtigte Person"
    } else if contains(&["signature", "procuration"]) {
        "personne autorisée à signer"
    } else if contains(&["firma", "procura"]) {
        "persona autorizzata a firmare"
    } else {
        "authorised signatory"
    }
}

/// The office of a person as events describe it: the function, or else the signature, as written.
pub(crate) fn function_or_signature(entry: &Entry) -> String {
    match (&entry.function, signature(entry)) {
        (None, Some(signature)) => signature.clone(),
        _ => role(entry),
    }
}

pub(super) fn category(entry: &Entry) -> RoleCategory {
    match (entry.role, entry.organ) {
        (Some(Role::Auditor), _) => RoleCategory::Auditor,
        (Some(Role::SupervisoryAuthority), _) => RoleCategory::Supervisor,
        (Some(Role::Liquidator), _) => RoleCategory::Liquidator,
        (Some(Role::Owner), _) => RoleCategory::Owner,
        (Some(Role::ManagingPartner | Role::Partner | Role::GeneralPartner), _)
        | (Some(Role::LimitedPartner), _) => RoleCategory::Partner,
        (Some(Role::ManagementChair | Role::Manager | Role::Director), _)
        | (Some(_), Some(Organ::Management)) => RoleCategory::Management,
        (
            Some(
                Role::President
                | Role::VicePresident
                | Role::Delegate
                | Role::Member
                | Role::Secretary
                | Role::Treasurer,
            ),
            _,
        )
        | (_, Some(Organ::BoardOfDirectors | Organ::FoundationCouncil | Organ::Committee)) => {
            RoleCategory::Board
        }
        (Some(Role::AuthorisedOfficer), _) | (None, None) if entry.signature.is_some() => {
            RoleCategory::Signatory
        }
        _ => RoleCategory::Other,
    }
}

/// The offices in a role, between commas and words for "and".
pub(crate) fn single_offices(role: &str) -> Vec<&str> {
    let mut offices = vec![role];
    for join in [" und ", " sowie ", " et ", " e ", " ed ", ","] {
        offices = offices.iter().flat_map(|it| it.split(join)).collect();
    }
    offices.into_iter().map(str::trim).filter(|it| !it.is_empty()).collect()
}

/// The categories beside `first` of a role that consists of several offices: whoever is `Gesellschafter und Geschäftsführer` is a
/// partner and a manager, and a delegate of the board, who manages the company for it (art. 716b of the Code of Obligations), is
/// a member of both.
pub(super) fn other_categories(role: &str, first: RoleCategory) -> Vec<RoleCategory> {
    let Some((roles, organ)) = gazette_notice::offices(role) else { return Vec::new() };
    let is_of_board = matches!(
        organ,
        Some(Organ::BoardOfDirectors | Organ::FoundationCouncil | Organ::Committee)
    );
    let mut others: Vec<RoleCategory> = roles
        .into_iter()
        .filter_map(|it| match it {
            Role::Partner | Role::GeneralPartner | Role::LimitedPartner => {
                Some(RoleCategory::Partner)
            }
            Role::Manager | Role::Director => Some(RoleCategory::Management),
            Role::ManagementChair => {
                (organ == Some(Organ::Management)).then_some(RoleCategory::Management)
            }
            Role::Delegate => (first == RoleCategory::Board).then_some(RoleCategory::Management),
            Role::Liquidator => Some(RoleCategory::Liquidator),
            Role::President
            | Role::VicePresident
            | Role::Member
            | Role::Secretary
            | Role::Treasurer => {
                let is_on_board = is_of_board || presides_beside_managing(role, first);
                is_on_board.then_some(RoleCategory::Board)
            }
            Role::ManagingPartner
            | Role::Owner
            | Role::Auditor
            | Role::SupervisoryAuthority
            | Role::AuthorisedOfficer
            | Role::Other => None,
        })
        .filter(|it| *it != first)
        .collect();
    others.sort_unstable();
    others.dedup();
    others
}

/// Whether one office is that of a president of the board and another one belongs to the management: `Präsident und
/// Geschäftsführer`. Whoever is `Präsident und Mitglied der Geschäftsleitung` presides over the management.
fn presides_beside_managing(role: &str, first: RoleCategory) -> bool {
    let offices = single_offices(role);
    let presides = |it: &&str| {
        let office = gazette_notice::offices(it);
        office.is_some_and(|(roles, organ)| roles.contains(&Role::President) && organ.is_none())
    };
    let is_of_member = |it: &&str| {
        let office = gazette_notice::offices(it);
        office.is_some_and(|(roles, organ)| {
            roles.contains(&Role::Member) && organ == Some(Organ::Management)
        })
    };
    first == RoleCategory::Management
        && offices.iter().any(presides)
        && !offices.iter().any(is_of_member)
        && !gazette_notice::offices(role).is_some_and(|(roles, _)| roles.contains(&Role::Partner))
}

pub(crate) fn signing_authority(kind: SignatureKind) -> SigningAuthority {
    match kind {
        SignatureKind::Sole => SigningAuthority::Sole,
        SignatureKind::JointByTwo => SigningAuthority::CollectiveTwo,
        SignatureKind::SoleProcuration => SigningAuthority::SoleProcuration,
        SignatureKind::JointProcuration => SigningAuthority::CollectiveProcuration,
        SignatureKind::None => SigningAuthority::None,
        SignatureKind::Other => SigningAuthority::Collective,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn roles_of_several_offices_have_several_categories() {
        use RoleCategory::*;
        for (role, first, others) in [
            ("Präsident und Delegierter des Verwaltungsrates", Board, vec![Management]),
            ("Delegierter", Board, vec![Management]),
            ("administrateur-délégué", Board, vec![Management]),
            ("Mitglied des Verwaltungsrates und Direktor", Board, vec![Management]),
            ("presidente e direttore", Board, vec![Management]),
            ("Gesellschafter und Geschäftsführer", Partner, vec![Management]),
            ("associé-gérant", Partner, vec![Management]),
            ("associée gérante présidente", Management, vec![Partner]),
            ("socio e gerente", Partner, vec![Management]),
            ("Gesellschafter und Vorsitzender der Geschäftsführung", Management, vec![Partner]),
            ("Geschäftsführer und Mitglied des Verwaltungsrates", Management, vec![Board]),
            ("Präsident und Geschäftsführer", Management, vec![Board]),
            ("Mitglied des Verwaltungsrates und Liquidator", Liquidator, vec![Board]),
            ("Gesellschafterin und Liquidatorin", Liquidator, vec![Partner]),
            ("associé-gérant et liquidateur", Liquidator, vec![Management, Partner]),
            ("Inhaber und Geschäftsführer", Owner, vec![Management]),
            // One office each.
            ("Präsident und Mitglied der Geschäftsleitung", Management, vec![]),
            ("Mitglied der Geschäftsleitung", Management, vec![]),
            ("Präsident und Mitglied des Verwaltungsrates", Board, vec![]),
            ("Sekretär des Verwaltungsrates", Board, vec![]),
            ("membre du conseil de fondation", Board, vec![]),
            ("Gesellschafter", Partner, vec![]),
            ("Mitglied", Management, vec![]),
            ("Vorsitzender des Stiftungsrates", Board, vec![]),
            ("Zeichnungsberechtigte Person", Signatory, vec![]),
            ("Revisionsstelle", Auditor, vec![]),
        ] {
            assert_eq!(other_categories(role, first), others, "{role}");
        }
    }
}
