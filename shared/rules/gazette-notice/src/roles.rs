//! Maps functions as written to roles and bodies.

use std::sync::LazyLock;

use serde::{Deserialize, Serialize};

use super::words::{FUNCTION, WordTable};

/// The role of a person or firm in a company.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Role {
    President,
    VicePresident,
    /// Delegate of the board (Delegierter).
    Delegate,
    Member,
    Secretary,
    Treasurer,
    /// The chair of the management of a limited liability company.
    ManagementChair,
    /// A partner of a limited liability company who manages it.
    ManagingPartner,
    /// A partner of a limited liability company.
    Partner,
    /// A partner of a partnership with unlimited liability.
    GeneralPartner,
    LimitedPartner,
    Manager,
    Director,
    /// Owner of a sole proprietorship.
    Owner,
    Liquidator,
    Auditor,
    SupervisoryAuthority,
    /// Authorised signatory (Prokurist, Bevollmächtigter).
    AuthorisedOfficer,
    /// A function that none of the other roles covers.
    Other,
}

/// The body of a company that a function belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Organ {
    BoardOfDirectors,
    FoundationCouncil,
    /// Board of an association or a cooperative (Vorstand, comité).
    Committee,
    Management,
}

/// The role and the body that a function names.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Office {
    pub(super) role: Role,
    pub(super) organ: Option<Organ>,
}

/// The words of each role, in order of precedence: the first role with a match counts.
///
/// Words match inside other words, because German functions are compounds.
const ROLES: [(Role, &[&str]); 17] = [
    (
        Role::Auditor,
        &[
            "revisionsstelle",
            "revisor",
            "kontrollstelle",
            "de révision",
            "réviseu",
            "organe de contrôle",
            "di revisione",
            "revisore",
        ],
    ),
    (
        Role::SupervisoryAuthority,
        &[
            "aufsichtsbehörde",
            "aufsichtsstelle",
            "autorité de surveillance",
            "autorità di vigilanza",
        ],
    ),
    (Role::Liquidator, &["liquidat"]),
    (Role::LimitedPartner, &["kommanditär", "commanditaire", "accomandante"]),
    (
        Role::GeneralPartner,
        &[
            "komplementär",
            "unbeschränkt haftend",
            "indéfiniment responsable",
            "illimitatamente responsabile",
            "accomandatari",
        ],
    ),
    (Role::ManagementChair, &["vorsitzende"]),
    (
        Role::VicePresident,
        &[
            "vizepräsident",
            "vize-präsident",
            "vice-président",
            "vice président",
            "vice-president",
            "vicepresident",
            "vizeobmann",
        ],
    ),
    (
        Role::President,
        &[
            "präsident",
            "président",
            "presidente",
            "präsidium",
            "présidence",
            "presidenza",
            "obmann",
            "obfrau",
        ],
    ),
    (Role::Delegate, &["delegiert", "délégué", "delegat"]),
    (Role::Owner, &["inhaber", "titulaire", "titolare"]),
    (Role::Secretary, &["sekretär", "aktuar", "protokollführ", "secrétaire", "segretari"]),
    (Role::Treasurer, &["kassier", "quästor", "rechnungsführ", "trésori", "caissi", "cassier"]),
    (Role::Manager, &["geschäftsführ", "geschäftsleit", "gérant", "gérance", "gerent", "gerenza"]),
    (
        Role::Member,
        &[
            "mitglied",
            "verwaltungsr",
            "stiftungsrat",
            "stiftungsrät",
            "beisitz",
            "administrat",
            "membre",
            "membro",
            "membri",
            "amministrat",
            "amministrazione",
            "verwaltung",
        ],
    ),
    (Role::Partner, &["gesellschafter", "associé", "socio", "socia", "soci "]),
    (
        Role::Director,
        &[
            "direktor",
            "direkt",
            "directeur",
            "directrice",
            "direction",
            "direttor",
            "direttric",
            "leiter",
        ],
    ),
    (
        Role::AuthorisedOfficer,
        &[
            "prokurist",
            "bevollmächtigt",
            "fondé de pouvoir",
            "fondé de procuration",
            "fondée de procuration",
            "fondée de pouvoir",
            "procurator",
            "zeichnungsberechtigt",
        ],
    ),
];

/// The words of each body, in order of precedence.
const ORGANS: [(Organ, &[&str]); 4] = [
    (
        Organ::BoardOfDirectors,
        &[
            "verwaltungsrat",
            "verwaltungsrät",
            "conseil d'administration",
            "administrateur",
            "administratrice",
            "consiglio d'amministrazione",
            "consiglio di amministrazione",
            "amministrat",
        ],
    ),
    (
        Organ::FoundationCouncil,
        &["stiftungsrat", "stiftungsrät", "conseil de fondation", "consiglio di fondazione"],
    ),
    (Organ::Committee, &["vorstand", "comité", "comitato", "verwaltung"]),
    (
        Organ::Management,
        &[
            "geschäftsführ",
            "geschäftsleit",
            "direktion",
            "direction",
            "direzione",
            "gérant",
            "gérance",
            "gerent",
            "gerenza",
        ],
    ),
];

static ROLE_WORDS: LazyLock<WordTable> =
    LazyLock::new(|| WordTable::of(ROLES.iter().map(|(_, it)| *it)));
static ORGAN_WORDS: LazyLock<WordTable> =
    LazyLock::new(|| WordTable::of(ORGANS.iter().map(|(_, it)| *it)));

/// The role and body that the text names; `None` if it names no known function.
pub(super) fn office(function: &str) -> Option<Office> {
    if !FUNCTION.occur_in(function) {
        return None;
    }
    let first_row = |rows: u64| rows.trailing_zeros() as usize;
    let roles = ROLE_WORDS.matching_rows(function);
    let organs = ORGAN_WORDS.matching_rows(function);
    let role = ROLES.get(first_row(roles)).map_or(Role::Other, |(role, _)| *role);
    let organ = ORGANS.get(first_row(organs)).map(|(organ, _)| *organ);
    let has_role = |wanted| {
        ROLES.iter().position(|(it, _)| *it == wanted).is_some_and(|it| roles >> it & 1 == 1)
    };
    let (is_partner, is_manager) = (has_role(Role::Partner), has_role(Role::Manager));
    let role = if is_partner && is_manager && matches!(role, Role::Manager | Role::Partner) {
        Role::ManagingPartner
    } else {
        role
    };
    Some(Office { role, organ })
}

/// All roles whose words the text contains.
pub(super) fn all(function: &str) -> Vec<Role> {
    let rows = ROLE_WORDS.matching_rows(function);
    let found = ROLES.iter().enumerate().filter(|(at, _)| rows >> at & 1 == 1);
    found.map(|(_, (role, _))| *role).collect()
}

/// Words for a member of a body or a manager, with or without an office in it.
const MEMBERS: [&str; 10] = [
    "mitglied",
    "administrateur",
    "administratrice",
    "membre",
    "membro",
    "membri",
    "amministrator",
    "amministratric",
    "gérant",
    "gerent",
];

fn names_member(function: &str) -> bool {
    let lower = function.to_lowercase();
    MEMBERS.iter().any(|it| lower.contains(it)) || lower.contains("geschäftsführ")
}

/// Whether the text names a member of a body or a manager without an office: `administrateur`, `membre du comité`, `gérant`.
pub(super) fn is_membership(function: &str) -> bool {
    let role = office(function).map(|it| it.role);
    matches!(role, Some(Role::Member | Role::Manager | Role::ManagingPartner))
        && names_member(function)
}

/// Whether the text names a partner.
pub(super) fn is_partner(function: &str) -> bool {
    let role = office(function).map(|it| it.role);
    matches!(role, Some(Role::Partner | Role::GeneralPartner | Role::LimitedPartner))
}

/// Whether the text names an office of a member, and not the membership: `président`, `secrétaire`, but not `administrateur
/// président`.
pub(super) fn is_office_of_member(function: &str) -> bool {
    let role = office(function).map(|it| it.role);
    let is_office = matches!(
        role,
        Some(
            Role::President
                | Role::VicePresident
                | Role::Secretary
                | Role::Treasurer
                | Role::Delegate
        )
    );
    is_office && !names_member(function)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn functions_map_to_roles_and_bodies_in_three_languages() {
        use Organ::*;
        for (function, role, organ) in [
            ("Präsidentin des Verwaltungsrates", Role::President, Some(BoardOfDirectors)),
            ("Vizepräsident des Stiftungsrates", Role::VicePresident, Some(FoundationCouncil)),
            ("administratrice présidente", Role::President, Some(BoardOfDirectors)),
            ("administrateur", Role::Member, Some(BoardOfDirectors)),
            ("membre du conseil de fondation", Role::Member, Some(FoundationCouncil)),
            ("Gesellschafter und Geschäftsführer", Role::ManagingPartner, Some(Management)),
            ("associé-gérant", Role::ManagingPartner, Some(Management)),
            ("socio e gerente", Role::ManagingPartner, Some(Management)),
            (
                "Gesellschafter und Vorsitzender der Geschäftsführung",
                Role::ManagementChair,
                Some(Management),
            ),
            ("Gesellschafterin", Role::Partner, None),
            ("unbeschränkt haftender Gesellschafter", Role::GeneralPartner, None),
            ("Kommanditärin", Role::LimitedPartner, None),
            ("titulaire", Role::Owner, None),
            ("ufficio di revisione", Role::Auditor, None),
            ("Aufsichtsbehörde", Role::SupervisoryAuthority, None),
            ("stellvertretender Direktor", Role::Director, None),
        ] {
            assert_eq!(office(function), Some(Office { role, organ }), "{function}");
        }
        assert_eq!(office("Chef Unterhalt"), None);
    }

    #[test]
    fn members_and_their_offices_are_distinguished() {
        for membership in [
            "Administrateur",
            "administratrice unique",
            "membre du comité",
            "Mitglied des Verwaltungsrates",
            "membro del consiglio direttivo",
            "associé-gérant",
            "Gesellschafterin und Geschäftsführerin",
        ] {
            assert!(is_membership(membership), "{membership}");
            assert!(!is_office_of_member(membership), "{membership}");
        }
        for office in ["présidente", "Kassierin", "segretario", "vice-président", "délégué"] {
            assert!(is_office_of_member(office) && !is_membership(office), "{office}");
        }
        for other in ["administrateur président", "conseil d'administration", "directrice"] {
            assert!(!is_office_of_member(other) && !is_membership(other), "{other}");
        }
    }
}
