//! What somebody is in a company, and the organs, as the law names them for each legal form. Wording that fits women, men and
//! firms.

use super::Text;
use crate::{
    Language,
    persons::{Mandate, RoleCategory},
    text::fold,
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
        (RoleCategory::Board, "0105" | "0106" | "0115" | "0116") => organ(
            [
                "Verwaltungsrat",
                "Conseil d’administration",
                "Consiglio d’amministrazione",
                "Board of directors",
            ],
            [
                "Mitglied des Verwaltungsrats",
                "Membre du conseil d’administration",
                "Membro del consiglio d’amministrazione",
                "Member of the board of directors",
            ],
        ),
        (RoleCategory::Board, "0108") => organ(
            ["Verwaltung", "Administration", "Amministrazione", "Administration"],
            [
                "Mitglied der Verwaltung",
                "Membre de l’administration",
                "Membro dell’amministrazione",
                "Member of the administration",
            ],
        ),
        (RoleCategory::Board, "0109") => organ(
            ["Vorstand", "Direction de l’association", "Direzione dell’associazione", "Committee"],
            [
                "Mitglied des Vorstands",
                "Membre de la direction de l’association",
                "Membro della direzione dell’associazione",
                "Member of the committee",
            ],
        ),
        (RoleCategory::Board, "0110") => organ(
            ["Stiftungsrat", "Conseil de fondation", "Consiglio di fondazione", "Foundation board"],
            [
                "Mitglied des Stiftungsrats",
                "Membre du conseil de fondation",
                "Membro del consiglio di fondazione",
                "Member of the foundation board",
            ],
        ),
        (RoleCategory::Board, _) => organ(
            [
                "Oberstes Leitungsorgan",
                "Organe supérieur de direction",
                "Organo superiore di direzione",
                "Board",
            ],
            [
                "Mitglied des obersten Leitungsorgans",
                "Membre de l’organe supérieur de direction",
                "Membro dell’organo superiore di direzione",
                "Member of the board",
            ],
        ),
        (RoleCategory::Management, "0107") => organ(
            ["Geschäftsführung", "Gérance", "Gerenza", "Management"],
            [
                "Mitglied der Geschäftsführung",
                "Membre de la gérance",
                "Membro della gerenza",
                "Member of the management",
            ],
        ),
        (RoleCategory::Management, _) => organ(
            ["Geschäftsleitung", "Direction", "Direzione", "Management"],
            [
                "Mitglied der Geschäftsleitung",
                "Membre de la direction",
                "Membro della direzione",
                "Member of the management",
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
            "Associées et associés",
            "Socie e soci",
            "Partners",
        ],
        RoleCategory::Liquidator => [
            "Liquidatorinnen und Liquidatoren",
            "Liquidatrices et liquidateurs",
            "Liquidatrici e liquidatori",
            "Liquidators",
        ],
        RoleCategory::Signatory => [
            "Zeichnungsberechtigte",
            "Personnes autorisées à signer",
            "Persone autorizzate a firmare",
            "Signatories",
        ],
        RoleCategory::Other => {
            ["Weitere Funktionen", "Autres fonctions", "Altre funzioni", "Other roles"]
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
            "Personne exerçant une autre fonction",
            "Persona con un’altra funzione",
            "Holder of another office",
        ],
        RoleCategory::Partner => ["Gesellschafter/in", "Associé/e", "Socio/a", "Partner"],
        RoleCategory::Owner => ["Inhaber/in", "Titulaire", "Titolare", "Owner"],
        RoleCategory::Liquidator => {
            ["Liquidator/in", "Liquidateur/trice", "Liquidatore/trice", "Liquidator"]
        }
        RoleCategory::Auditor => {
            ["Revisionsstelle", "Organe de révision", "Ufficio di revisione", "Auditor"]
        }
        RoleCategory::Supervisor => [
            "Aufsichtsbehörde",
            "Autorité de surveillance",
            "Autorità di vigilanza",
            "Supervisory authority",
        ],
        RoleCategory::Signatory => [
            "Zeichnungsberechtigte Person",
            "Personne autorisée à signer",
            "Persona autorizzata a firmare",
            "Signatory",
        ],
    }
}

/// A partner of a limited partnership who is liable without limit.
pub const GENERAL_PARTNER: Text = [
    "Komplementär/in",
    "Associé/e indéfiniment responsable",
    "Accomandatario/a",
    "General partner",
];
/// A partner of a limited partnership who is liable up to an amount.
pub const LIMITED_PARTNER: Text =
    ["Kommanditär/in", "Commanditaire", "Accomandante", "Limited partner"];

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
/// Who has one of these titles need not be a member of the organ (Code of Obligations, art. 712 and 718).
const SECRETARY: (&[&str], Text) = (
    &["sekret", "secret", "segret", "aktuar"],
    ["Sekretär/in", "Secrétaire", "Segretario/a", "Secretary"],
);
const DEPUTY_DIRECTOR: (&[&str], Text) = (
    &["vizedirekt", "vicedirett", "sousdirect"],
    ["Vizedirektor/in", "Directeur/trice adjoint/e", "Vicedirettore/trice", "Deputy director"],
);
const DIRECTOR: (&[&str], Text) = (
    &["direktor", "directeur", "directrice", "director", "direttor", "direttrice"],
    ["Direktor/in", "Directeur/trice", "Direttore/trice", "Director"],
);
const HEAD: (&[&str], Text) = (
    &["leiter", "responsable", "responsabile", "head"],
    [
        "Person mit Leitungsfunktion",
        "Personne exerçant une fonction dirigeante",
        "Persona con funzione dirigente",
        "Head of a unit",
    ],
);
/// Words that say that somebody is a member of an organ.
const MEMBER: [&str; 6] = ["mitglied", "membre", "membro", "member", "prasident", "president"];
const NO_MEMBER: [&str; 6] =
    ["nicht mitglied", "nichtmitglied", "non membre", "hors conseil", "non membro", "not a member"];
const OF_MANAGEMENT: [&str; 6] =
    ["gesch", "direktion", "direction", "direzione", "geran", "gerenza"];

/// What somebody is in a company of this legal form: for each category of the mandate one term, with the presidency.
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

/// The title of somebody in the category of an organ, if the published role does not say that they are a member of it.
fn title(category: RoleCategory, published: &str) -> Option<Text> {
    let folded = fold(published);
    let has = |beginnings: &[&str]| {
        folded.split(' ').any(|word| beginnings.iter().any(|it| word.starts_with(it)))
    };
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
    let mut held = titles.iter().filter(|it| !is_member && has(it.0));
    held.next().map(|it| it.1)
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
    words.split(|it| is_and(&it)).map(|it| it.join(" ")).collect()
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
            ("président", &[Board], "0106", Fr, "Membre du conseil d’administration (présidence)"),
            (
                "vicepresidente",
                &[Board],
                "0110",
                It,
                "Membro del consiglio di fondazione (vicepresidenza)",
            ),
            ("vice-président", &[Board], "0109", En, "Member of the committee (vice-president)"),
            ("Vizepräsident", &[Board], "0108", De, "Mitglied der Verwaltung (Vizepräsidium)"),
            ("Mitglied", &[Board], "0106", En, "Member of the board of directors"),
            ("Geschäftsführer", &[Management], "0107", De, "Mitglied der Geschäftsführung"),
            (
                "Vorsitzende der Geschäftsführung",
                &[Management],
                "0107",
                De,
                "Mitglied der Geschäftsführung (Präsidium)",
            ),
            ("directrice", &[Management], "0106", Fr, "Directeur/trice"),
            ("membre de la direction", &[Management], "0106", Fr, "Membre de la direction"),
            (
                "Direktor, Mitglied der Geschäftsleitung",
                &[Management],
                "0106",
                De,
                "Mitglied der Geschäftsleitung",
            ),
            ("Vizedirektorin", &[Management], "0106", De, "Vizedirektor/in"),
            ("Leiter Verkauf", &[Management], "0106", De, "Person mit Leitungsfunktion"),
            ("Sekretär (nicht Mitglied)", &[Board], "0106", De, "Sekretär/in"),
            ("segretaria", &[Board], "0106", It, "Segretario/a"),
            ("membre et secrétaire", &[Board], "0106", Fr, "Membre du conseil d’administration"),
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
                "Associé/e indéfiniment responsable",
            ),
            ("accomandatario", &[Partner], "0104", It, "Accomandatario/a"),
            ("accomandante", &[Partner], "0104", It, "Accomandante"),
            ("associée", &[Partner], "0107", Fr, "Associé/e"),
            ("titolare", &[Owner], "0101", It, "Titolare"),
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

    #[test]
    fn terms_of_a_legal_form_differ() {
        for form in [
            None,
            Some("0103"),
            Some("0105"),
            Some("0106"),
            Some("0107"),
            Some("0108"),
            Some("0109"),
            Some("0110"),
        ] {
            for language in Language::ALL {
                for texts in [
                    RoleCategory::ALL.map(|it| role(it, form)),
                    RoleCategory::ALL.map(|it| heading(it, form)),
                ] {
                    let mut names = texts.map(|it| language.of(it));
                    names.sort_unstable();
                    assert!(names.windows(2).all(|it| it[0] != it[1]), "{form:?}: {names:?}");
                }
            }
        }
    }
}
