//! Shares, capital that the board may create, contributions in kind, missing auditors and blocked deletions.

use crate::*;

const HEADERS: [&str; 3] = [
    "Muster AG, in Bern, CHE-600.000.012, Aktiengesellschaft (SHAB Nr. 2 vom 06.01.2026, Publ. 1000000001). ",
    "Muster SA, à Genève, CHE-600.000.012 (FOSC du 06.01.2026, p. 0/1000000001). ",
    "Muster SA, in Lugano, CHE-600.000.012 (FUSC no. 2 del 06.01.2026, Pubbl. 1000000001). ",
];

/// The changes of each variant of a text: after each header, and before another sentence.
fn variants(text: &str) -> Vec<(String, Vec<Change>)> {
    let texts = HEADERS
        .iter()
        .flat_map(|header| [format!("{header}{text}"), format!("{header}{text} Sitz neu: Thun.")]);
    texts
        .map(|text| {
            let changes = read(&text).changes.into_iter();
            let changes = changes.filter(|it| {
                !matches!(
                    it,
                    Change::Seat { .. } | Change::Statutes { .. } | Change::Capital { .. }
                )
            });
            (text, changes.collect())
        })
        .collect()
}

fn assert_states(text: &str, expected: &[Change]) {
    for (text, changes) in variants(text) {
        assert_eq!(changes, expected, "{text}");
    }
}

#[test]
fn bearer_shares_become_registered_shares() {
    let change = Change::Shares { measure: ShareMeasure::BearerToRegistered };
    for text in [
        "Die bisherigen 100 Inhaberaktien zu CHF 1'000.00 wurden in 100 Namenaktien zu CHF 1'000.00 umgewandelt.",
        "Umwandlung der bisherigen Inhaberaktien in Namenaktien.",
        "Aktien neu: 100 Namenaktien zu CHF 1'000.00 [bisher: 100 Inhaberaktien zu CHF 1'000.00].",
        "Die Inhaberaktien sind am 01.05.2021 von Gesetzes wegen in Namenaktien umgewandelt worden.",
        "In Namenaktien umgewandelt wurden sämtliche Inhaberaktien.",
        "Les 100 actions de CHF 1'000, au porteur, ont été converties en 100 actions nominatives de CHF 1'000.",
        "Conversion des actions au porteur en actions nominatives.",
        "Transformation de toutes les actions au porteur en actions nominatives.",
        "Le 100 azioni al portatore da CHF 1'000.00 sono state convertite in 100 azioni nominative da CHF 1'000.00.",
        "Conversione delle azioni al portatore in azioni nominative.",
        "Azioni: 100 azioni nominative da CHF 1'000.00 [finora: 100 azioni al portatore da CHF 1'000.00].",
    ] {
        assert_states(text, std::slice::from_ref(&change));
    }
    let change = Change::Shares { measure: ShareMeasure::RegisteredToBearer };
    for text in [
        "Die Namenaktien wurden in Inhaberaktien umgewandelt.",
        "Aktien neu: 100 Inhaberaktien zu CHF 1'000.00 [bisher: 100 Namenaktien zu CHF 1'000.00].",
        "Les actions nominatives ont été converties en actions au porteur.",
        "Conversion des actions nominatives en actions au porteur.",
        "Le azioni nominative sono state trasformate in azioni al portatore.",
        "Conversione delle azioni nominative in azioni al portatore.",
    ] {
        assert_states(text, std::slice::from_ref(&change));
    }
}

#[test]
fn shares_are_split_or_consolidated() {
    let change = Change::Shares { measure: ShareMeasure::Split };
    for text in [
        "Aktien neu: 1'000 Namenaktien zu CHF 100.00 [bisher: 100 Namenaktien zu CHF 1'000.00].",
        "Die 100 Namenaktien zu CHF 1'000.00 wurden in 10'000 Namenaktien zu CHF 10.00 aufgeteilt.",
        "Aktiensplit im Verhältnis 1 zu 10.",
        "Les 100 actions de CHF 1'000 ont été divisées en 1'000 actions de CHF 100.",
        "Fractionnement des actions.",
        "Actions: 1'000 actions nominatives de CHF 100.00 [auparavant: 100 actions nominatives de CHF 1'000.00].",
        "Le 100 azioni da CHF 1'000.00 sono state suddivise in 1'000 azioni da CHF 100.00.",
        "Frazionamento delle azioni.",
        "Nouvelles actions: 1'000 actions nominatives de CHF 100 [précédemment: 100 actions nominatives de CHF 1'000].",
        "Nuove azioni: 1'000 azioni nominative da CHF 100 [finora: 100 azioni nominative da CHF 1'000].",
    ] {
        assert_states(text, std::slice::from_ref(&change));
    }
    let change = Change::Shares { measure: ShareMeasure::Consolidated };
    for text in [
        "Die 1'000 Namenaktien zu CHF 100.00 wurden in 100 Namenaktien zu CHF 1'000.00 zusammengelegt.",
        "Aktien neu: 100 Namenaktien zu CHF 1'000.00 [bisher: 1'000 Namenaktien zu CHF 100.00].",
        "Regroupement des actions.",
        "Nouvelles actions: 100 actions nominatives de CHF 1'000 [précédemment: 1'000 actions nominatives de CHF 100].",
        "Raggruppamento delle azioni.",
        "Le 1'000 azioni da CHF 100.00 sono state raggruppate in 100 azioni da CHF 1'000.00.",
    ] {
        assert_states(text, std::slice::from_ref(&change));
    }
}

#[test]
fn capital_that_the_board_may_create_begins_and_ends() {
    use PossibleCapital::*;
    for (text, capital, ended) in [
        (
            "Die Gesellschaft hat mit Beschluss vom 03.05.2024 ein Kapitalband gemäss näherer Umschreibung in den Statuten eingeführt.",
            Band,
            false,
        ),
        ("Kapitalband: Das Kapitalband ist in den Statuten näher umschrieben.", Band, false),
        ("Die Bestimmung über das Kapitalband ist aufgehoben worden.", Band, true),
        (
            "L'assemblée générale du 3 mai 2024 a introduit une marge de fluctuation du capital.",
            Band,
            false,
        ),
        ("La clause relative à la marge de fluctuation du capital est supprimée.", Band, true),
        ("L'assemblea generale ha introdotto un margine di variazione del capitale.", Band, false),
        (
            "Kapitalband neu: Ermächtigung bis 03.05.2029 gemäss näherer Umschreibung in den Statuten.",
            Band,
            false,
        ),
        (
            "Die Generalversammlung hat ein Kapitalband mit Aufhebung des Bezugsrechts eingeführt.",
            Band,
            false,
        ),
        ("Marge de fluctuation du capital selon décision du 3 mai 2024 et statuts.", Band, false),
        (
            "Margine di variazione del capitale secondo decisione del 3 maggio 2024 e statuto.",
            Band,
            false,
        ),
        ("Das mit Beschluss vom 03.05.2023 eingeführte Kapitalband wurde aufgehoben.", Band, true),
        ("Die Frist für das Kapitalband ist abgelaufen.", Band, true),
        ("La marge de fluctuation du capital introduite le 3 mai 2023 est supprimée.", Band, true),
        (
            "Il margine di variazione del capitale introdotto il 3 maggio 2023 è stato soppresso.",
            Band,
            true,
        ),
        (
            "L'assemblée générale a introduit un capital-actions autorisé selon les statuts.",
            Authorised,
            false,
        ),
        (
            "L'assemblea ha deciso un aumento autorizzato del capitale secondo lo statuto.",
            Authorised,
            false,
        ),
        ("Die Bestimmung über das genehmigte Kapital ist gestrichen worden.", Authorised, true),
        ("Die Bestimmung über das bedingte Kapital ist aufgehoben worden.", Conditional, true),
        ("Le capital-actions conditionnel est supprimé.", Conditional, true),
        ("Il capitale azionario condizionale è stato soppresso.", Conditional, true),
        ("La disposizione sul margine di variazione del capitale è stata soppressa.", Band, true),
        (
            "Mit Beschluss vom 03.05.2019 wurde ein genehmigtes Kapital geschaffen.",
            Authorised,
            false,
        ),
        ("Le capital-actions autorisé est supprimé.", Authorised, true),
        ("Il capitale azionario autorizzato è scaduto.", Authorised, true),
        (
            "Bedingtes Kapital: Die Generalversammlung hat am 03.05.2024 ein bedingtes Kapital gemäss näherer Umschreibung in den Statuten beschlossen.",
            Conditional,
            false,
        ),
        (
            "L'assemblée générale a décidé une augmentation conditionnelle du capital selon les statuts.",
            Conditional,
            false,
        ),
        (
            "L'assemblea ha deciso un aumento condizionale del capitale secondo lo statuto.",
            Conditional,
            false,
        ),
    ] {
        assert_states(text, &[Change::PossibleCapital { capital, ended }]);
    }
}

#[test]
fn one_possible_capital_replaces_another() {
    use PossibleCapital::*;
    let both = [
        Change::PossibleCapital { capital: Band, ended: false },
        Change::PossibleCapital { capital: Authorised, ended: true },
    ];
    for text in [
        "Die Generalversammlung hat das genehmigte Aktienkapital aufgehoben und ein Kapitalband eingeführt.",
        "Das genehmigte Kapital wurde aufgehoben und ein Kapitalband geschaffen.",
        "Le capital autorisé est supprimé et une marge de fluctuation du capital est introduite.",
        "Il capitale autorizzato è soppresso ed è introdotto un margine di variazione del capitale.",
    ] {
        for (text, changes) in variants(text) {
            assert!(changes.iter().all(|it| both.contains(it)), "{text}: {changes:?}");
            assert!(!changes.is_empty(), "{text}");
        }
    }
    for text in [
        "Kapitalband: Der Verwaltungsrat ist ermächtigt, das Kapital zu erhöhen; das Bezugsrecht der Aktionäre kann aufgehoben werden.",
        "Das Kapitalband wird verlängert, nachdem die bisherige Ermächtigung abgelaufen ist.",
        "Die Aufhebung des Kapitalbandes wurde abgelehnt.",
    ] {
        let ended = Change::PossibleCapital { capital: Band, ended: true };
        for (text, changes) in variants(text) {
            assert!(!changes.contains(&ended), "{text}: {changes:?}");
        }
    }
}

#[test]
fn contributions_in_kind_keep_their_terms() {
    for text in [
        "Sacheinlage: Die Gesellschaft übernimmt gemäss Vertrag vom 12.02.2024 Aktiven von CHF 250'000.00 und Passiven von CHF 50'000.00, wofür 100 Namenaktien ausgegeben werden.",
        "Apport en nature: selon contrat du 12 février 2024, actifs de CHF 250'000 et passifs de CHF 50'000, contre remise de 100 actions.",
        "Conferimento in natura: secondo contratto del 12.02.2024, attivi per CHF 250'000.00, in cambio di 100 azioni.",
        "Reprise de biens: la société reprend un immeuble pour le prix de CHF 900'000.",
    ] {
        let (_, terms) = text.split_once(": ").expect("a label");
        let terms = terms.trim_end_matches('.').to_owned();
        assert_states(text, &[Change::Contribution { terms }]);
    }
    for text in [
        "Bei der Kapitalerhöhung vom 12.02.2024 übernimmt die Gesellschaft gemäss Sacheinlagevertrag vom 12.02.2024 ein Grundstück, wofür 50 Namenaktien ausgegeben werden.",
        "Lors de l'augmentation du capital, la société reçoit par apport en nature un immeuble, libéré contre 50 actions.",
        "Assunzione di beni: la società riprende un fondo al prezzo di CHF 100'000.",
    ] {
        for (text, changes) in variants(text) {
            assert!(matches!(changes[..], [Change::Contribution { .. }]), "{text}: {changes:?}");
        }
    }
}

#[test]
fn a_company_without_auditor_is_distinguished_from_one_that_needs_none() {
    for text in [
        "Die Gesellschaft hat keine Revisionsstelle.",
        "Die Gesellschaft verfügt zurzeit über keine Revisionsstelle.",
        "La société n'a plus d'organe de révision.",
        "La société ne dispose plus d'un organe de révision.",
        "La società è priva di ufficio di revisione.",
        "La società non dispone più di un ufficio di revisione.",
        "Die Gesellschaft ist zurzeit ohne Revisionsstelle.",
        "Zurzeit ohne Revisionsstelle.",
        "La société est dépourvue d'organe de révision.",
        "La société est actuellement dépourvue d'un organe de révision.",
        "La società è attualmente priva dell'ufficio di revisione.",
        "Attualmente senza ufficio di revisione.",
    ] {
        assert_states(text, &[Change::NoAuditor]);
    }
    for text in [
        "Die Gesellschaft hat keine Revisionsstelle, da sie auf die eingeschränkte Revision verzichtet.",
        "Die Stiftung ist von der Pflicht befreit und hat keine Revisionsstelle.",
        "La fondation n'a pas d'organe de révision, en étant dispensée par l'autorité de surveillance.",
        "La società è priva di ufficio di revisione, rinunciando alla revisione limitata.",
        "La société n'a plus d'organe de révision (opting-out du 1er février 2024).",
        "Die Gesellschaft hat keine Revisionsstelle, da sie die Voraussetzungen von Art. 727 OR nicht erfüllt.",
        "Gesellschaft ohne Revisionsstelle.",
        "Die Gesellschaft ist zurzeit ohne Revisionsstelle, da sie keine benötigt.",
    ] {
        for (text, changes) in variants(text) {
            assert!(!changes.contains(&Change::NoAuditor), "{text}: {changes:?}");
        }
    }
}

#[test]
fn deletion_that_is_not_possible_yet_is_no_deletion() {
    for (text, is_branch) in [
        (
            "Die Löschung der Zweigniederlassung kann mangels Zustimmung der Steuerbehörden noch nicht erfolgen.",
            true,
        ),
        (
            "La radiation de la succursale ne peut être opérée, le consentement des autorités fiscales faisant défaut.",
            true,
        ),
        (
            "La cancellazione della succursale non può ancora avvenire, mancando il consenso delle autorità fiscali.",
            true,
        ),
        (
            "Die Löschung kann noch nicht erfolgen, da die Zustimmung der Steuerverwaltung fehlt.",
            false,
        ),
        ("La radiation de la société ne peut pas encore être opérée.", false),
        ("La cancellazione della società non può ancora essere effettuata.", false),
        ("L'administration fiscale s'est opposée à la radiation de la succursale.", true),
        (
            "L'amministrazione delle contribuzioni si è opposta alla cancellazione della succursale.",
            true,
        ),
        (
            "Die Steuerverwaltung hat gegen die Löschung der Zweigniederlassung Einsprache erhoben.",
            true,
        ),
        ("Die Steuerverwaltung hat gegen die Löschung der Gesellschaft Einsprache erhoben.", false),
        (
            "La radiation de la société ne peut pas être opérée, l'administration fiscale s'y étant opposée.",
            false,
        ),
        ("L'administration fiscale a fait opposition à la radiation de la société.", false),
    ] {
        assert_states(text, &[Change::DeletionBlocked { is_branch }]);
    }
    for text in [
        "Die Gesellschaft wird gelöscht, sofern innert Frist keine Einsprache erhoben wird.",
        "Die Gesellschaft wird gelöscht, wenn keine Einsprache erhoben wird.",
        "La société sera radiée d'office si aucune opposition motivée n'est formée.",
        "La società sarà cancellata d'ufficio qualora non sia fatta opposizione.",
    ] {
        assert_states(text, &[]);
    }
}

#[test]
fn what_only_mentions_such_words_states_nothing() {
    for text in [
        "Zweck: Die Gesellschaft kann Sacheinlagen übernehmen und Inhaberaktien in Namenaktien umwandeln.",
        "Die Namenaktien können auf Verlangen in Inhaberaktien umgewandelt werden.",
        "Die Inhaberaktien wurden nicht in Namenaktien umgewandelt.",
        "Les actions nominatives peuvent être converties en actions au porteur.",
        "Le capital-actions est divisé en 100 actions de CHF 1'000, nominatives.",
        "Aktien: 100 Namenaktien zu CHF 1'000.00.",
        "Aktien neu: 200 Namenaktien zu CHF 1'000.00 [bisher: 100 Namenaktien zu CHF 1'000.00].",
        "Die Statutenbestimmung über die Sacheinlage ist aufgehoben worden.",
        "Wegfall der Sacheinlage gemäss Vertrag vom 12.02.2014.",
        "Die Umwandlung der Inhaberaktien in Namenaktien wird rückgängig gemacht.",
        "La clause statutaire relative à l'apport en nature est supprimée.",
        "La clausola statutaria sul conferimento in natura è soppressa.",
        "Das Aktienkapital wird im Rahmen des Kapitalbandes auf CHF 200'000.00 erhöht.",
        "Le capital est porté à CHF 200'000 dans le cadre de la marge de fluctuation.",
    ] {
        assert_states(text, &[]);
    }
}
