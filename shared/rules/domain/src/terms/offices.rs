//! What somebody is in a company, and the organs, as the law names them for each legal form. Wording that fits women, men and
//! firms.

use super::Text;
use crate::{
    Language,
    persons::{Mandate, RoleCategory},
    text::fold,
    wording::list,
};

/// An organ: its name, and what its members are.
struct Organ {
    name: Text,
    member: Text,
}

/// The organ in which a category of roles is, in a company of this legal form (eCH-0097). `None`: the category is no organ.
fn organ(category: RoleCategory, legal_form: Option<&str>) -> Option<Organ> {
    let organ = |name, member| Some(Organ { name, member });
    match (category, legal_form.unwrap_or_default()) {
        (RoleCategory::Board, "0106" | "0115" | "0116") => organ(
            [
                "Verwaltungsrat",
                "conseil d’administration",
                "consiglio d’amministrazione",
                "board of directors",
            ],
            [
                "Mitglied des Verwaltungsrats",
                "membre du conseil d’administration",
                "membro del consiglio d’amministrazione",
                "member of the board of directors",
            ],
        ),
        // Partners with unlimited liability are the administration of a partnership limited by shares (CO 765).
        (RoleCategory::Board, "0105" | "0108") => organ(
            ["Verwaltung", "administration", "amministrazione", "administration"],
            [
                "Mitglied der Verwaltung",
                "membre de l’administration",
                "membro dell’amministrazione",
                "member of the administration",
            ],
        ),
        (RoleCategory::Board, "0109") => organ(
            ["Vorstand", "direction de l’association", "direzione dell’associazione", "committee"],
            [
                "Mitglied des Vorstands",
                "membre de la direction de l’association",
                "membro della direzione dell’associazione",
                "member of the committee",
            ],
        ),
        (RoleCategory::Board, "0110") => organ(
            ["Stiftungsrat", "conseil de fondation", "consiglio di fondazione", "foundation board"],
            [
                "Mitglied des Stiftungsrats",
                "membre du conseil de fondation",
                "membro del consiglio di fondazione",
                "member of the foundation board",
            ],
        ),
        (RoleCategory::Board, _) => organ(
            [
                "oberstes Leitungsorgan",
                "organe supérieur de direction",
                "organo superiore di direzione",
                "board",
            ],
            [
                "Mitglied des obersten Leitungsorgans",
                "membre de l’organe supérieur de direction",
                "membro dell’organo superiore di direzione",
                "member of the board",
            ],
        ),
        (RoleCategory::Management, "0107") => organ(
            ["Geschäftsführung", "gérance", "gerenza", "management"],
            [
                "Mitglied der Geschäftsführung",
                "membre de la gérance",
                "membro della gerenza",
                "member of the management",
            ],
        ),
        (RoleCategory::Management, _) => organ(
            ["Geschäftsleitung", "direction", "direzione", "management"],
            [
                "Mitglied der Geschäftsleitung",
                "membre de la direction",
                "membro della direzione",
                "member of the management",
            ],
        ),
        _ => None,
    }
}

/// The heading of those with roles of a category, in a company of this legal form.
pub fn heading(category: RoleCategory, legal_form: Option<&str>) -> Text {
    if let Some(organ) = organ(category, legal_form) {
        return organ.name;
    }
    match category {
        RoleCategory::Partner => [
            "Gesellschafterinnen und Gesellschafter",
            "associées et associés",
            "socie e soci",
            "partners",
        ],
        RoleCategory::Liquidator => [
            "Liquidatorinnen und Liquidatoren",
            "liquidatrices et liquidateurs",
            "liquidatrici e liquidatori",
            "liquidators",
        ],
        RoleCategory::Signatory => [
            "Zeichnungsberechtigte",
            "personnes autorisées à signer",
            "persone autorizzate a firmare",
            "signatories",
        ],
        RoleCategory::Other => {
            ["weitere Funktionen", "autres fonctions", "altre funzioni", "other roles"]
        }
        // There is usually one.
        RoleCategory::Board
        | RoleCategory::Management
        | RoleCategory::Owner
        | RoleCategory::Auditor
        | RoleCategory::Supervisor => role(category, legal_form),
    }
}

/// What somebody is who has a role of a category, in a company of this legal form.
pub fn role(category: RoleCategory, legal_form: Option<&str>) -> Text {
    if let Some(organ) = organ(category, legal_form) {
        return organ.member;
    }
    match category {
        RoleCategory::Board | RoleCategory::Management | RoleCategory::Other => [
            "Person mit einer anderen Funktion",
            "personne exerçant une autre fonction",
            "persona con un’altra funzione",
            "holder of another office",
        ],
        RoleCategory::Partner => ["Gesellschafter/in", "associé/e", "socio/a", "partner"],
        RoleCategory::Owner => ["Inhaber/in", "titulaire", "titolare", "owner"],
        RoleCategory::Liquidator => {
            ["Liquidator/in", "liquidateur/trice", "liquidatore/trice", "liquidator"]
        }
        RoleCategory::Auditor => {
            ["Revisionsstelle", "organe de révision", "ufficio di revisione", "auditor"]
        }
        RoleCategory::Supervisor => [
            "Aufsichtsbehörde",
            "autorité de surveillance",
            "autorità di vigilanza",
            "supervisory authority",
        ],
        RoleCategory::Signatory => [
            "zeichnungsberechtigte Person",
            "personne autorisée à signer",
            "persona autorizzata a firmare",
            "signatory",
        ],
    }
}

/// A partner of a limited partnership who is liable without limit.
pub const GENERAL_PARTNER: Text = [
    "Komplementär/in",
    "associé/e indéfiniment responsable",
    "accomandatario/a",
    "general partner",
];
/// A partner of a limited partnership who is liable up to an amount.
pub const LIMITED_PARTNER: Text =
    ["Kommanditär/in", "commanditaire", "accomandante", "limited partner"];

/// Beginnings of folded words in published roles.
const LIMITED: [&str; 3] = ["kommanditar", "commanditaire", "accomandant"];
const GENERAL: [&str; 6] = [
    "komplementar",
    "unbeschrankt",
    "commandite",
    "indefiniment",
    "illimitatamente",
    "accomandatari",
];
const PRESIDENT: [&str; 3] = ["prasident", "president", "vorsitz"];
const VICE: [&str; 2] = ["vize", "vice"];
/// Deputies and honorary presidents do not preside.
const NOT_IN_OFFICE: [&str; 8] =
    ["stellv", "stv", "suppleant", "supplente", "ehren", "honneur", "onorari", "honorary"];
/// Whether a published role is that of a deputy, or honorary.
pub fn is_deputy_or_honorary(published: &str) -> bool {
    let folded = fold(published);
    folded.split(' ').any(|word| NOT_IN_OFFICE.iter().any(|it| word.starts_with(it)))
}

/// Who has one of these titles need not be a member of the organ (Code of Obligations, art. 712 and 718).
const SECRETARY: (&[&str], Text) = (
    &["sekret", "secret", "segret", "aktuar"],
    ["Sekretär/in", "secrétaire", "segretario/a", "secretary"],
);
const DEPUTY_DIRECTOR: (&[&str], Text) = (
    &["vizedirekt", "vicedirett", "sousdirect"],
    ["Vizedirektor/in", "directeur/trice adjoint/e", "vicedirettore/trice", "deputy director"],
);
const DIRECTOR: (&[&str], Text) = (
    &["direktor", "directeur", "directrice", "director", "direttor", "direttrice"],
    ["Direktor/in", "directeur/trice", "direttore/trice", "director"],
);
const HEAD: (&[&str], Text) = (
    &["leiter", "responsable", "responsabile", "head"],
    [
        "Person mit Leitungsfunktion",
        "personne exerçant une fonction dirigeante",
        "persona con funzione dirigente",
        "head of a unit",
    ],
);
/// Beginnings of folded words that name a branch, and of those that make somebody its head: who runs it is called so too.
const BRANCH: [&str; 4] = ["zweigniederlassung", "succursal", "branch", "filialleit"];
const OF_BRANCH: [(&[&str], Text); 3] = [
    (
        DEPUTY_DIRECTOR.0,
        [
            "Vizedirektor/in der Zweigniederlassung",
            "directeur/trice adjoint/e de la succursale",
            "vicedirettore/trice della succursale",
            "deputy director of the branch",
        ],
    ),
    (
        DIRECTOR.0,
        [
            "Direktor/in der Zweigniederlassung",
            "directeur/trice de la succursale",
            "direttore/trice della succursale",
            "director of the branch",
        ],
    ),
    (
        &[
            "leiter",
            "zweigniederlassungsleit",
            "filialleit",
            "geschaftsfuhrer",
            "responsab",
            "gerant",
            "gerent",
            "chef",
            "head",
            "manager",
        ],
        [
            "Leiter/in der Zweigniederlassung",
            "responsable de la succursale",
            "responsabile della succursale",
            "head of the branch",
        ],
    ),
];
/// Words that say that somebody is a member of an organ.
const MEMBER: [&str; 6] = ["mitglied", "membre", "membro", "member", "prasident", "president"];
const NO_MEMBER: [&str; 6] =
    ["nicht mitglied", "nichtmitglied", "non membre", "hors conseil", "non membro", "not a member"];
const OF_MANAGEMENT: [&str; 6] =
    ["gesch", "direktion", "direction", "direzione", "geran", "gerenza"];

/// What somebody is in a company of this legal form, as within a sentence: for each category of the mandate one term, with the
/// presidency.
pub fn offices(language: Language, mandate: &Mandate, legal_form: Option<&str>) -> Vec<String> {
    let presidencies: Vec<Presidency> = presidencies(&mandate.role).collect();
    let is_single = mandate.other_categories.is_empty();
    let office = |category: RoleCategory| {
        let name = match category {
            RoleCategory::Partner => partner(&mandate.role, legal_form),
            RoleCategory::Board | RoleCategory::Management => {
                title(category, &mandate.role).unwrap_or_else(|| role(category, legal_form))
            }
            _ => role(category, legal_form),
        };
        let name = language.of(name);
        let presides = presidencies.iter().find(|it| match category {
            RoleCategory::Board => is_single || !it.of_management,
            RoleCategory::Management => is_single || it.of_management,
            _ => false,
        });
        match presides {
            Some(it) => format!("{name} ({})", language.of(it.name)),
            None => name.to_owned(),
        }
    };
    mandate.categories().map(office).collect()
}

/// What somebody is, as within a sentence: the offices in words, or, where the terms say only that there is one (an administrator of
/// a moratorium, the head of a department), the role as the register publishes it.
pub fn in_words(language: Language, mandate: &Mandate, legal_form: Option<&str>) -> String {
    let is_vague = mandate.other_categories.is_empty()
        && match mandate.category {
            RoleCategory::Other => true,
            RoleCategory::Management => title(mandate.category, &mandate.role) == Some(HEAD.1),
            _ => false,
        };
    match mandate.role.trim() {
        published if is_vague && !["", UNKNOWN].contains(&published) => published.to_owned(),
        _ => list(language, &offices(language, mandate, legal_form)),
    }
}

/// The role of somebody whose entry names neither function nor signature.
pub const UNKNOWN: &str = "unknown";

/// The title of somebody in the category of an organ, if the published role does not say that they are a member of it.
fn title(category: RoleCategory, published: &str) -> Option<Text> {
    let folded = fold(published);
    let has = |beginnings: &[&str]| {
        folded.split(' ').any(|word| beginnings.iter().any(|it| word.starts_with(it)))
    };
    if category == RoleCategory::Management && has(&BRANCH) && !has(&MEMBER) {
        let [deputy, ..] = OF_BRANCH;
        let mut held = OF_BRANCH.into_iter().filter(|it| has(it.0)).map(|it| it.1);
        return held.next().map(|it| match it {
            director if director == OF_BRANCH[1].1 && is_deputy_or_honorary(published) => deputy.1,
            other => other,
        });
    }
    let is_no_member = NO_MEMBER.iter().any(|it| folded.contains(it));
    let titles: &[(&[&str], Text)] = match category {
        RoleCategory::Board => &[SECRETARY],
        RoleCategory::Management => &[DEPUTY_DIRECTOR, DIRECTOR, HEAD],
        _ => &[],
    };
    let is_member = !is_no_member
        && match category {
            RoleCategory::Management => has(&OF_MANAGEMENT),
            _ => has(&MEMBER),
        };
    let mut held = titles.iter().filter(|it| !is_member && has(it.0)).map(|it| it.1);
    match held.next()? {
        title if title == DIRECTOR.1 && is_deputy_or_honorary(published) => Some(DEPUTY_DIRECTOR.1),
        title => Some(title),
    }
}

/// What a partner is: the law knows two kinds in limited partnerships.
fn partner(published: &str, legal_form: Option<&str>) -> Text {
    let folded = fold(published);
    let begins = |beginnings: &[&str]| {
        folded.split(' ').any(|word| beginnings.iter().any(|it| word.starts_with(it)))
    };
    match legal_form {
        _ if begins(&LIMITED) => LIMITED_PARTNER,
        Some("0104" | "0105" | "0114") if begins(&GENERAL) => GENERAL_PARTNER,
        _ => role(RoleCategory::Partner, legal_form),
    }
}

/// That somebody presides over an organ, or would in place of the president.
#[derive(Clone, Copy)]
struct Presidency {
    name: Text,
    of_management: bool,
}

/// Whether a published role is that of a president, in any of the languages of the register.
pub fn is_president(published: &str) -> bool {
    presidencies(published).any(|it| it.name == PRESIDENCY)
}

const PRESIDENCY: Text = ["Präsidium", "présidence", "presidenza", "president"];
const VICE_PRESIDENCY: Text =
    ["Vizepräsidium", "vice-présidence", "vicepresidenza", "vice-president"];

/// The offices that words for "and" join, folded: who is `Präsident und Geschäftsführer` presides over the board.
fn of_one_or_several(offices: &str) -> Vec<String> {
    let folded = fold(offices);
    let words: Vec<&str> = folded.split(' ').collect();
    let is_and = |word: &&str| ["und", "sowie", "et", "e", "ed", "and"].contains(word);
    words.split(|it| is_and(it)).map(|it| it.join(" ")).collect()
}

fn presidencies(published: &str) -> impl Iterator<Item = Presidency> {
    published.split([',', ';']).flat_map(of_one_or_several).filter_map(|folded| {
        let words: Vec<&str> = folded.split(' ').collect();
        let any = |beginnings: &[&str]| {
            words.iter().any(|word| beginnings.iter().any(|it| word.starts_with(it)))
        };
        // `vice-président` is two words, `Vizepräsident` one.
        let is_vice = any(&VICE);
        let presides =
            (any(&PRESIDENT) || any(&["vizeprasident", "vicepresident"])) && !any(&NOT_IN_OFFICE);
        let name = if is_vice { VICE_PRESIDENCY } else { PRESIDENCY };
        presides.then_some(Presidency { name, of_management: any(&OF_MANAGEMENT) })
    })
}

/// The terms that no category has by itself.
#[cfg(test)]
pub(super) const TITLES: [Text; 11] = [
    OF_BRANCH[0].1,
    OF_BRANCH[1].1,
    OF_BRANCH[2].1,
    GENERAL_PARTNER,
    LIMITED_PARTNER,
    SECRETARY.1,
    DEPUTY_DIRECTOR.1,
    DIRECTOR.1,
    HEAD.1,
    PRESIDENCY,
    VICE_PRESIDENCY,
];

#[cfg(test)]
mod tests {
    use Language::{De, En, Fr, It};

    use super::*;
    use crate::persons::officer_of;

    fn mandate(role: &str, categories: &[RoleCategory]) -> Mandate {
        let mut mandate = officer_of(1, &[100_000_006]).roles.remove(0).mandate;
        mandate.role = role.into();
        mandate.category = categories[0];
        mandate.other_categories = categories[1..].to_vec();
        mandate
    }

    #[test]
    fn offices_are_named_as_the_legal_form_has_them() {
        use RoleCategory::{Board, Management, Owner, Partner};
        for (role, categories, form, language, expected) in [
            (
                "Präsidentin des Verwaltungsrates",
                &[Board][..],
                "0106",
                De,
                "Mitglied des Verwaltungsrats (Präsidium)",
            ),
            ("président", &[Board], "0106", Fr, "membre du conseil d’administration (présidence)"),
            (
                "vicepresidente",
                &[Board],
                "0110",
                It,
                "membro del consiglio di fondazione (vicepresidenza)",
            ),
            ("vice-président", &[Board], "0109", En, "member of the committee (vice-president)"),
            ("Vizepräsident", &[Board], "0108", De, "Mitglied der Verwaltung (Vizepräsidium)"),
            ("Mitglied", &[Board], "0106", En, "member of the board of directors"),
            ("Geschäftsführer", &[Management], "0107", De, "Mitglied der Geschäftsführung"),
            (
                "Vorsitzende der Geschäftsführung",
                &[Management],
                "0107",
                De,
                "Mitglied der Geschäftsführung (Präsidium)",
            ),
            ("directrice", &[Management], "0106", Fr, "directeur/trice"),
            ("membre de la direction", &[Management], "0106", Fr, "membre de la direction"),
            (
                "Direktor, Mitglied der Geschäftsleitung",
                &[Management],
                "0106",
                De,
                "Mitglied der Geschäftsleitung",
            ),
            ("Vizedirektorin", &[Management], "0106", De, "Vizedirektor/in"),
            ("stellvertretender Direktor", &[Management], "0106", En, "deputy director"),
            ("Mitglied", &[Board], "0105", De, "Mitglied der Verwaltung"),
            ("Leiter Verkauf", &[Management], "0106", De, "Person mit Leitungsfunktion"),
            ("Sekretär (nicht Mitglied)", &[Board], "0106", De, "Sekretär/in"),
            ("segretaria", &[Board], "0106", It, "segretario/a"),
            ("membre et secrétaire", &[Board], "0106", Fr, "membre du conseil d’administration"),
            (
                "stellvertretende Vorsitzende der Geschäftsführung",
                &[Management],
                "0107",
                De,
                "Mitglied der Geschäftsführung",
            ),
            ("Ehrenpräsident", &[Board], "0109", De, "Mitglied des Vorstands"),
            ("Kommanditärin", &[Partner], "0104", De, "Kommanditär/in"),
            ("unbeschränkt haftender Gesellschafter", &[Partner], "0104", De, "Komplementär/in"),
            ("unbeschränkt haftender Gesellschafter", &[Partner], "0103", De, "Gesellschafter/in"),
            (
                "associée indéfiniment responsable",
                &[Partner],
                "0104",
                Fr,
                "associé/e indéfiniment responsable",
            ),
            ("accomandatario", &[Partner], "0104", It, "accomandatario/a"),
            ("accomandante", &[Partner], "0104", It, "accomandante"),
            ("associée", &[Partner], "0107", Fr, "associé/e"),
            ("titolare", &[Owner], "0101", It, "titolare"),
        ] {
            let named = offices(language, &mandate(role, categories), Some(form));
            assert_eq!(named, [expected], "{role}");
        }
        let both = mandate(
            "Mitglied des Verwaltungsrates, Vorsitzender der Geschäftsleitung",
            &[Board, Management],
        );
        assert_eq!(
            offices(De, &both, Some("0106")),
            ["Mitglied des Verwaltungsrats", "Mitglied der Geschäftsleitung (Präsidium)"]
        );
        let both = mandate("Präsident und Geschäftsführer", &[Management, Board]);
        assert_eq!(
            offices(De, &both, Some("0106")),
            ["Mitglied der Geschäftsleitung", "Mitglied des Verwaltungsrats (Präsidium)"]
        );
        let both =
            mandate("Gesellschafter und Vorsitzender der Geschäftsführung", &[Partner, Management]);
        assert_eq!(
            offices(De, &both, Some("0107")),
            ["Gesellschafter/in", "Mitglied der Geschäftsführung (Präsidium)"]
        );
    }

    /// In whichever language the register names it: the head of a branch directs no more than the branch.
    #[test]
    fn heads_of_a_branch_are_named_with_the_branch() {
        let head = OF_BRANCH[2].1;
        let director = OF_BRANCH[1].1;
        for (role, expected) in [
            ("Leiterin der Zweigniederlassung", head),
            ("Leiter Zweigniederlassung", head),
            ("Zweigniederlassungsleiter", head),
            ("Filialleiterin", head),
            ("Geschäftsführer der Zweigniederlassung", head),
            ("responsable de la succursale", head),
            ("gérante de la succursale", head),
            ("responsabile della succursale", head),
            ("branch manager", head),
            ("directrice de la succursale", director),
            ("Direktor der Zweigniederlassung", director),
            ("direttore della succursale", director),
            ("vicedirettrice della succursale", OF_BRANCH[0].1),
            ("stellvertretender Direktor der Zweigniederlassung", OF_BRANCH[0].1),
            ("directeur", DIRECTOR.1),
        ] {
            let of_branch = mandate(role, &[RoleCategory::Management]);
            for language in Language::ALL {
                let named = in_words(language, &of_branch, Some("0111"));
                assert_eq!(named, language.of(expected), "{role}");
            }
        }
        let member =
            mandate("Mitglied der Leitung der Zweigniederlassung", &[RoleCategory::Management]);
        assert_eq!(in_words(En, &member, None), "member of the management");
    }

    #[test]
    fn a_role_without_a_term_is_told_as_published() {
        use RoleCategory::{Board, Management, Other};
        for (role, categories, expected) in [
            ("Sachwalter", &[Other][..], "Sachwalter"),
            ("commissaire au sursis", &[Other], "commissaire au sursis"),
            ("Leiterin Verkauf", &[Management], "Leiterin Verkauf"),
            // What has a term is told in the language of the reader.
            ("Direktorin", &[Management], "direttore/trice"),
            ("Mitglied", &[Board], "membro del consiglio d’amministrazione"),
            (
                "Mitglied des Verwaltungsrates, Leiter Verkauf",
                &[Board, Management],
                "membro del consiglio d’amministrazione e persona con funzione dirigente",
            ),
            ("unknown", &[Other], "persona con un’altra funzione"),
            (" ", &[Other], "persona con un’altra funzione"),
        ] {
            assert_eq!(in_words(It, &mandate(role, categories), Some("0106")), expected, "{role}");
        }
    }

    #[test]
    fn presidents_are_recognised_in_all_languages_and_their_deputies_are_none() {
        for role in [
            "Präsident des Verwaltungsrates",
            "présidente du conseil",
            "presidente",
            "Mitglied und Präsidentin",
        ] {
            assert!(is_president(role), "{role}");
        }
        for role in
            ["Vizepräsident", "vice-président", "Vize-Präsident", "Mitglied", "vicepresidente"]
        {
            assert!(!is_president(role), "{role}");
        }
    }
}
