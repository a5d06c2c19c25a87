//! Sentences whose words are those of a statement about the company, but which say something else.
//!
//! A wrong statement is worse than a missing one: most of them state nothing about the company.

use jiff::civil::date;

use crate::*;

fn changes(statement: &str) -> Vec<Change> {
    let text = format!(
        "Muster AG, in Bern, CHE-600.000.012, Aktiengesellschaft (SHAB Nr. 2 vom 06.01.2016, Publ. 1000000001). {statement}"
    );
    read(&text).changes
}

/// Reports all sentences that say something else than what is expected.
fn assert_say(expected: &[Change], sentences: &[&str]) {
    let wrong: Vec<String> = sentences
        .iter()
        .map(|it| (it, changes(it)))
        .filter(|(_, said)| said != expected)
        .map(|(it, said)| format!("{it}\n    {said:?}"))
        .collect();
    assert!(wrong.is_empty(), "expected {expected:?}:\n{}", wrong.join("\n"));
}

fn proceeding(step: Step, on: Option<jiff::civil::Date>) -> Change {
    Change::Proceeding { step, on }
}

#[test]
fn proceedings_about_a_holder_of_an_office_or_shares_are_not_those_of_the_company() {
    assert_say(
        &[],
        &[
            "L'organe de révision Fidu SA, déclaré en faillite, est radié.",
            "Die Revisionsstelle Alt Treuhand AG, über die der Konkurs eröffnet wurde, ist ausgeschieden.",
            "L'ufficio di revisione Fidu SA, dichiarato in fallimento, è cancellato.",
            "Über den Gesellschafter Hans Keller, von Chur, in Chur, ist mit Entscheid vom 3. Mai 2024 der Konkurs eröffnet worden.",
            "Über die Gesellschafterin Holz Bau GmbH, in Chur, ist der Konkurs eröffnet worden.",
            "La faillite de l'associé Jean Dupont, de Sion, à Sierre, a été prononcée le 3 mai 2024.",
            "La faillite de l'associée Bois SA, à Sierre, a été prononcée.",
            "Il fallimento del socio Mario Rossi, da Lugano, in Lugano, è stato decretato il 3 maggio 2024.",
            "L'associé Jean Dupont, de Sion, à Sierre, a été déclaré en faillite.",
        ],
    );
}

#[test]
fn refusals_grant_nothing() {
    assert_say(
        &[],
        &[
            "Dem Rekurs gegen die Konkurseröffnung wurde die aufschiebende Wirkung nicht erteilt.",
            "Dem Rekurs gegen die Konkurseröffnung wurde die aufschiebende Wirkung verweigert.",
            "L'effet suspensif n'a pas été accordé au recours contre le prononcé de la faillite.",
            "L'effet suspensif a été refusé au recours contre le prononcé de la faillite.",
            "Al ricorso contro il fallimento non è stato concesso l'effetto sospensivo.",
            "Die definitive Nachlassstundung wurde nicht verlängert.",
            "Le sursis concordataire n'a pas été prolongé.",
            "La moratoria concordataria non è stata prorogata.",
            "Das Bezirksgericht hat die Bestätigung des Nachlassvertrags verweigert.",
            "Der Nachlassvertrag wurde nicht bestätigt.",
            "Le Tribunal a refusé d'homologuer le concordat.",
            "Le concordat n'a pas été homologué.",
            "La Pretura di Lugano ha rifiutato l'omologazione del concordato.",
            "Il concordato non è stato omologato.",
            "Das Gesuch um Nachlassstundung wurde abgelehnt.",
            "La demande de sursis concordataire a été refusée.",
        ],
    );
}

#[test]
fn a_bankruptcy_that_a_higher_court_takes_back_is_revoked() {
    let on = Some(date(2024, 6, 3));
    assert_say(
        &[proceeding(Step::BankruptcyRevoked, on)],
        &[
            "La rétractation de la faillite a été prononcée par arrêt du 3 juin 2024.",
            "Par arrêt du 3 juin 2024, le Tribunal cantonal a admis le recours contre le prononcé de faillite.",
            "Par arrêt du 3 juin 2024, le recours contre la faillite a été admis.",
            "Con sentenza del 3 giugno 2024 la Camera ha accolto il ricorso contro il fallimento.",
            "Mit Urteil vom 3. Juni 2024 hat das Obergericht die Beschwerde gegen die Konkurseröffnung gutgeheissen.",
        ],
    );
}

#[test]
fn a_court_that_appoints_somebody_for_a_defect_does_not_dissolve_the_company() {
    assert_say(
        &[],
        &[
            "Mit Entscheid vom 3. Mai 2024 hat das Kreisgericht gestützt auf Art. 731b OR die Einsetzung von Hans Keller als Sachwalter angeordnet.",
            "Das Gericht hat wegen Mängeln in der Organisation einen Sachwalter ernannt.",
            "En raison de carences dans l'organisation, le Tribunal a ordonné la nomination d'un commissaire.",
            "Con decisione del 3 maggio 2024 la Pretura di Lugano ha ordinato, a motivo di lacune nell'organizzazione, la nomina di un commissario.",
        ],
    );
}

#[test]
fn the_end_of_a_moratorium_is_not_its_beginning() {
    assert_say(
        &[proceeding(Step::MoratoriumEnded, None)],
        &[
            "Le Tribunal a prononcé la fin du sursis concordataire.",
            "Das Gericht hat das Ende der Nachlassstundung angeordnet.",
            "La Pretura ha decretato la fine della moratoria concordataria.",
        ],
    );
}

#[test]
fn a_remark_that_is_deleted_states_no_loss_of_the_domicile() {
    assert_say(
        &[],
        &[
            "Der Hinweis, wonach die Gesellschaft über kein Rechtsdomizil verfügt, ist gelöscht.",
            "Die Bemerkung, dass die Gesellschaft ohne Domizil ist, wird gestrichen.",
            "La mention selon laquelle la société est sans domicile est radiée.",
            "La mention selon laquelle la société n'a plus d'adresse est supprimée.",
            "L'annotazione secondo cui la società è priva di recapito è cancellata.",
        ],
    );
}

#[test]
fn a_branch_that_moves_moves_nothing_of_its_company() {
    assert_say(
        &[],
        &[
            "Die Zweigniederlassung in Winterthur wird infolge Sitzverlegung nach Uster gelöscht.",
            "La succursale de Vevey est radiée par suite de transfert de son siège à Montreux.",
            "La succursale di Locarno è cancellata in seguito al trasferimento della sede a Lugano.",
        ],
    );
    assert_say(
        &[],
        &[
            "La limitation à la succursale de Sion est levée.",
            "Die Beschränkung auf die Zweigniederlassung in Brig ist aufgehoben.",
            "La limitazione alla succursale di Locarno è revocata.",
        ],
    );
}

#[test]
fn a_deletion_after_a_move_keeps_a_cause_of_its_own() {
    let said = changes("Transfert du siège à Sion. La société est radiée par suite de fusion.");
    assert!(matches!(said[..], [Change::Deletion { cause: Some(DeletionCause::Merger), .. }]));
    // A procuration is deleted, not the entry of the company.
    assert_say(&[], &["Sitzverlegung nach Wil (SG). Löschung der Prokura von Hans Muster."]);
}

#[test]
fn the_seat_of_a_holder_of_an_office_or_shares_is_not_that_of_the_company() {
    assert_say(
        &[],
        &[
            "Le siège de l'organe de révision Alpha Fiduciaire SA est transféré à Carouge (GE).",
            "Transfert du siège de l'organe de révision Alpha Fiduciaire SA à Carouge.",
            "Le siège de l'associée Bois Sàrl est désormais à Nyon.",
            "Le siège de l'associée Bois Sàrl est désormais: Nyon.",
            "Der Sitz der Revisionsstelle Alpha Treuhand AG wurde nach Zug verlegt.",
            "Der Sitz der Revisionsstelle befindet sich neu in Zug.",
            "Sitzverlegung der Gesellschafterin Holz GmbH nach Zug.",
            "Die Alpha Treuhand AG (Revisionsstelle) hat ihren Sitz nach Zug verlegt.",
            "La sede dell'ufficio di revisione Alfa SA è trasferita a Lugano.",
            "La sede della socia Alfa Sagl è ora a Lugano.",
        ],
    );
    let seat = |to: &str| Change::Seat { to: Some(to.to_owned()), from: None };
    assert_say(&[seat("Carouge")], &["Le siège de la société est transféré à Carouge."]);
    assert_say(&[seat("Zug")], &["Der Sitz der Gesellschaft wurde nach Zug verlegt."]);
    assert_say(&[seat("Lugano")], &["La sede della società è trasferita a Lugano."]);
}

#[test]
fn a_place_ends_before_what_follows_it() {
    let seat = |place: &str| Change::Seat { to: Some(place.to_owned()), from: None };
    for (text, place) in [
        ("Le siège de la société a été transféré à Sierre selon décision du 3 mai 2024.", "Sierre"),
        (
            "Die Gesellschaft hat ihren Sitz nach Stein am Rhein laut Beschluss vom 3. Mai 2024 verlegt.",
            "Stein am Rhein",
        ),
        (
            "La società ha trasferito la sede a Riva San Vitale secondo la decisione del 3 maggio 2024.",
            "Riva San Vitale",
        ),
        ("Le siège est transféré au Mont-sur-Lausanne.", ""),
        (
            "Le siège de la société a été transféré à Villars-sur-Glâne avec effet au 1er mai 2024.",
            "Villars-sur-Glâne",
        ),
        (
            "Der Sitz der Gesellschaft wurde nach Wil SG mit Wirkung ab 3. Mai 2024 verlegt.",
            "Wil SG",
        ),
        ("Der Sitz wurde nach Wangen an der Aare verlegt.", "Wangen an der Aare"),
        ("Le siège a été transféré à La Chaux-de-Fonds, rue de la Paix 1.", "La Chaux-de-Fonds"),
    ] {
        let said = changes(text);
        let seats: Vec<&Change> =
            said.iter().filter(|it| matches!(it, Change::Seat { .. })).collect();
        match place {
            "" => {
                assert!(seats.iter().all(|it| !format!("{it:?}").contains("transféré")), "{said:?}")
            }
            place => assert_eq!(seats, [&seat(place)], "{text}"),
        }
    }
}

#[test]
fn a_company_of_another_register_has_moved_in() {
    for (text, moves_in) in [
        (
            "Muster AG, bisher in Zug, CHE-600.000.012, bisher im Handelsregister des Kantons Zug eingetragen. Sitz neu: Bern.",
            true,
        ),
        (
            "Modèle SA, jusqu'ici à Lausanne, CHE-600.000.012, jusqu'ici inscrite au registre du commerce du canton de Vaud. Nouveau siège: Genève.",
            true,
        ),
        (
            "Esempio SA, finora in Lugano, CHE-600.000.012, finora iscritta nel registro di commercio del Cantone Ticino. Nuova sede: Coira.",
            true,
        ),
        ("Muster AG, bisher in Thun, CHE-600.000.012. Sitz neu: Bern.", false),
        (
            "Modèle SA, à Lausanne, CHE-600.000.012. La société est radiée du registre du commerce du canton de Vaud par suite de transfert de son siège à Genève.",
            false,
        ),
    ] {
        assert_eq!(
            read(text).changes.contains(&Change::MovedIn),
            moves_in,
            "{text}: {:?}",
            read(text).changes
        );
    }
}

#[test]
fn a_person_who_is_entered_again_is_no_company() {
    assert_say(
        &[],
        &[
            "Dupont Jean, radié par erreur, est réinscrit comme administrateur de la société avec signature individuelle.",
            "Keller, Hans, irrtümlich gelöscht, wird als Mitglied der Gesellschaft mit Einzelunterschrift wieder eingetragen.",
            "Rossi Mario è reiscritto quale amministratore della società con firma individuale.",
        ],
    );
}

#[test]
fn the_direction_of_a_combination_is_that_of_the_company() {
    let combination = |combination, statement: &str| {
        let said = changes(statement);
        let [Change::Combination { combination: read, .. }] = said.as_slice() else {
            panic!("{statement}: {said:?}")
        };
        assert_eq!(*read, combination, "{statement}");
    };
    use Combination::*;
    combination(
        IsTakenOverBy,
        "La société a fusionné avec Modèle Holding SA, à Fribourg (CHE-123.456.788), société absorbante.",
    );
    combination(
        TakesOver,
        "La société a fusionné avec Modèle Holding SA, à Fribourg (CHE-123.456.788), société absorbée.",
    );
    combination(
        IsTakenOverBy,
        "Die Gesellschaft hat mit der Muster Holding AG, in Chur (CHE-123.456.788), als übernehmender Gesellschaft fusioniert (Fusion).",
    );
    combination(
        ReceivesAssets,
        "Modèle SA, à Neuchâtel (CHE-123.456.788), transfère à la société, selon contrat de transfert de patrimoine du 3 mai 2024, des actifs de CHF 500'000.",
    );
    combination(
        TransfersAssets,
        "La société transfère à Modèle SA, à Neuchâtel (CHE-123.456.788), selon contrat de transfert de patrimoine du 3 mai 2024, des actifs de CHF 500'000.",
    );
    // Nobody says who takes over whom.
    combination(
        Merger,
        "La société a fusionné avec Modèle Holding SA, à Fribourg (CHE-123.456.788).",
    );
    // The auditor is taken over.
    assert_say(
        &[],
        &[
            "Die Revisionsstelle Alt Treuhand AG ist infolge Fusion durch die Neu Treuhand AG, in Zug (CHE-123.456.788), übernommen worden.",
        ],
    );
}

/// The combinations in a sentence with the names of the parties.
fn combinations(text: &str) -> Vec<(Combination, String)> {
    let of = |it| match it {
        Change::Combination { combination, party, .. } => Some((combination, party.name)),
        _ => None,
    };
    changes(text).into_iter().filter_map(of).collect()
}

#[test]
fn amounts_are_no_parties_and_articles_no_part_of_their_names() {
    use Combination::*;
    for (text, combination, name) in [
        (
            "Abspaltung: Ein Teil der Aktiven (CHF 1'500'000.00) und Passiven (CHF 400'000.00) geht gemäss Spaltungsplan vom 01.06.2024 auf die Probe AG, in Bern (CHE-123.456.788), über.",
            SpinsOff,
            "Probe AG",
        ),
        (
            "Transfert de patrimoine: selon contrat du 3 mai 2024, la société a transféré des actifs (CHF 500'000) et des passifs (CHF 100'000) à Essai SA, à Sion.",
            TransfersAssets,
            "Essai SA",
        ),
        (
            "Trasferimento di patrimonio: attivi (CHF 500'000) e passivi (CHF 100'000) della Prova SA, a Lugano (CHE-123.456.788), sono trasferiti alla società.",
            ReceivesAssets,
            "Prova SA",
        ),
        (
            "Vermögensübertragung: Die Probe AG, in Bern (CHE-123.456.788), überträgt Aktiven von CHF 100'000 auf die Gesellschaft.",
            ReceivesAssets,
            "Probe AG",
        ),
        (
            "Trasferimento di patrimonio: la Prova SA, a Lugano (CHE-123.456.788), trasferisce alla società attivi per CHF 100'000.",
            ReceivesAssets,
            "Prova SA",
        ),
        (
            "Fusione: assunzione di attivi e passivi, della Prova SA, a Lugano (CHE-123.456.788).",
            TakesOver,
            "Prova SA",
        ),
        (
            "Transfert de patrimoine: reprise des actifs de CHF 100'000 et passifs de CHF 50'000 de la raison individuelle Dupont Bois, à Sion (CHE-123.456.788).",
            ReceivesAssets,
            "Dupont Bois",
        ),
        (
            "Transfert de patrimoine: la société a transféré ses actifs et passifs à sa filiale Essai SA, à Sion (CHE-123.456.788).",
            TransfersAssets,
            "Essai SA",
        ),
        (
            "Fusion: reprise des actifs et passifs de Genossenschaft Migros Probe, à Berne (CHE-123.456.788).",
            TakesOver,
            "Genossenschaft Migros Probe",
        ),
    ] {
        assert_eq!(combinations(text), [(combination, name.to_owned())], "{text}");
    }
}

#[test]
fn the_company_receives_what_another_one_transfers_to_it() {
    use Combination::*;
    for (text, combination) in [
        (
            "Vermögensübertragung: Das Einzelunternehmen Bau Muster, in Aarau (CHE-123.456.788), überträgt Aktiven von CHF 100'000 und Passiven von CHF 50'000 auf die Gesellschaft.",
            ReceivesAssets,
        ),
        (
            "Vermögensübertragung: Übertragung von Aktiven von CHF 100'000 und Passiven von CHF 50'000 der Probe AG, in Bern (CHE-123.456.788), auf die Gesellschaft.",
            ReceivesAssets,
        ),
        (
            "Transfert de patrimoine: l'entreprise individuelle Bois Dupont, à Sion (CHE-123.456.788), transfère à la société des actifs de CHF 100'000.",
            ReceivesAssets,
        ),
        (
            "Transfert de patrimoine: Essai SA, à Sion (CHE-123.456.788), a transféré des actifs de CHF 100'000 à la société.",
            ReceivesAssets,
        ),
        (
            "Trasferimento di patrimonio: la ditta individuale Legno Rossi, a Lugano (CHE-123.456.788), ha trasferito attivi per CHF 100'000 alla società.",
            ReceivesAssets,
        ),
        (
            "Transfert de patrimoine: la société a transféré des actifs de CHF 500'000 à Essai SA, à Sion (CHE-123.456.788).",
            TransfersAssets,
        ),
        (
            "Trasferimento di patrimonio: la società ha trasferito attivi per CHF 500'000 alla Prova SA, a Lugano (CHE-123.456.788).",
            TransfersAssets,
        ),
        (
            "Trasferimento di patrimonio: una parte degli attivi e passivi è trasferita alla Prova SA, a Lugano (CHE-123.456.788).",
            TransfersAssets,
        ),
        (
            "Transfert de patrimoine: la société transfère à la société des Eaux SA, à Sion (CHE-123.456.788), des actifs de CHF 500'000.",
            TransfersAssets,
        ),
        (
            "Die Gesellschaft überträgt Aktiven von CHF 100'000 und Passiven von CHF 50'000 auf die Probe AG, in Bern (CHE-123.456.788).",
            TransfersAssets,
        ),
        (
            "Scission (séparation): des actifs de CHF 500'000 passent à Essai SA, à Sion (CHE-123.456.788).",
            SpinsOff,
        ),
        (
            "Spaltung (Abspaltung): Aktiven von CHF 100'000 gehen auf die Probe AG, in Bern (CHE-123.456.788), über.",
            SpinsOff,
        ),
        (
            "Scissione (separazione): attivi per CHF 500'000 passano alla Prova SA, a Lugano (CHE-123.456.788).",
            SpinsOff,
        ),
    ] {
        let found: Vec<Combination> = combinations(text).into_iter().map(|it| it.0).collect();
        assert_eq!(found, [combination], "{text}");
    }
    for text in [
        "La société se scinde: elle transfère à Essai SA, à Sion (CHE-123.456.788), des actifs de CHF 500'000.",
        "La società si scinde: attivi per CHF 500'000 passano alla Prova SA, a Lugano (CHE-123.456.788).",
        "Die Gesellschaft spaltet sich: Aktiven von CHF 100'000 gehen auf die Probe AG, in Bern (CHE-123.456.788), über.",
    ] {
        // The kind of the demerger is not stated.
        let found: Vec<Combination> = combinations(text).into_iter().map(|it| it.0).collect();
        assert_eq!(found, [Demerger], "{text}");
    }
}

#[test]
fn the_company_is_taken_over_where_another_one_is_the_subject() {
    use Combination::*;
    for (text, combination) in [
        ("Fusion: Essai SA, à Sion (CHE-123.456.788), absorbe la société.", IsTakenOverBy),
        (
            "Fusion: Essai SA, à Sion (CHE-123.456.788), a repris les actifs et passifs de la société.",
            IsTakenOverBy,
        ),
        (
            "Fusion: Die Probe AG, in Bern (CHE-123.456.788), übernimmt Aktiven und Passiven.",
            IsTakenOverBy,
        ),
        (
            "Fusione: la Prova SA, a Lugano (CHE-123.456.788), riprende attivi e passivi della società.",
            IsTakenOverBy,
        ),
        (
            "Fusion: Die Gesellschaft übernimmt Aktiven und Passiven der Probe AG, in Bern (CHE-123.456.788).",
            TakesOver,
        ),
        (
            "Fusion: Gemäss Fusionsvertrag mit der Probe AG, in Bern (CHE-123.456.788), übernimmt die Gesellschaft deren Aktiven und Passiven.",
            TakesOver,
        ),
        (
            "Fusion: la société reprend les actifs et passifs d'Essai SA, à Sion (CHE-123.456.788).",
            TakesOver,
        ),
        (
            "Fusione: la società riprende attivi e passivi della Prova SA, a Lugano (CHE-123.456.788).",
            TakesOver,
        ),
    ] {
        let found: Vec<Combination> = combinations(text).into_iter().map(|it| it.0).collect();
        assert_eq!(found, [combination], "{text}");
    }
}

#[test]
fn a_waiver_of_the_audit_that_ends_is_not_declared() {
    assert_say(
        &[Change::OptingOut { waived: false }],
        &[
            "Die Gesellschaft verzichtet nicht mehr auf eine eingeschränkte Revision.",
            "Auf eine eingeschränkte Revision wird nicht mehr verzichtet.",
            "Der Verzicht auf die eingeschränkte Revision ist hinfällig.",
            "La renonciation au contrôle restreint, déclarée le 12 mars 2012, est annulée.",
            "La société ne renonce plus au contrôle restreint.",
            "La rinuncia alla revisione limitata è stata annullata.",
            "La società non rinuncia più alla revisione limitata.",
        ],
    );
    assert_say(
        &[Change::OptingOut { waived: true }],
        &[
            "Die Gesellschaft untersteht nicht mehr der ordentlichen Revision und verzichtet auf eine eingeschränkte Revision.",
            "La société n'est plus soumise au contrôle ordinaire et renonce au contrôle restreint.",
        ],
    );
}

#[test]
fn the_capital_after_a_reduction_and_an_increase_is_the_last_amount() {
    let capital = |statement: &str| {
        let said = changes(statement);
        let [Change::Capital { to, .. }] = said.as_slice() else { panic!("{said:?}") };
        assert_eq!(*to, super::decimal(100_000), "{statement}");
    };
    capital(
        "Das Aktienkapital von CHF 100'000.00 ist auf CHF 0.00 herabgesetzt und gleichzeitig wieder auf CHF 100'000.00 erhöht worden.",
    );
    capital("Le capital-actions a été réduit à CHF 0.00 puis augmenté à CHF 100'000.00.");
    capital(
        "Il capitale azionario è stato ridotto a CHF 0.00 e contemporaneamente aumentato a CHF 100'000.00.",
    );
    // The conditional capital is not the capital.
    let capital = PossibleCapital::Conditional;
    assert_say(
        &[Change::PossibleCapital { capital, ended: false }],
        &[
            "Capitale azionario condizionale: CHF 50'000.00.",
            "Bedingtes Aktienkapital: CHF 50'000.00.",
            "Capital-actions conditionnel: CHF 50'000.00.",
        ],
    );
}

/// Function, signature and number of shares of the only entry.
/// The change of the capital in a sentence: kind, new and former amount in francs.
fn capital(text: &str) -> Vec<(CapitalKind, i64, Option<i64>)> {
    let francs = |it: Decimal| it.ten_thousandths() / 10_000;
    let of = |it| match it {
        Change::Capital { capital, to, from, .. } => Some((capital, francs(to), from.map(francs))),
        _ => None,
    };
    changes(text).into_iter().filter_map(of).collect()
}

#[test]
fn the_nominal_value_of_a_share_is_not_the_capital() {
    let reduced = (CapitalKind::Shares, 50_000, Some(100_000));
    for text in [
        "Das Aktienkapital wurde durch Reduktion des Nennwertes jeder Namenaktie von CHF 1'000.00 auf CHF 500.00 von CHF 100'000.00 auf CHF 50'000.00 herabgesetzt.",
        "Das Aktienkapital wurde durch Herabsetzung des Nennwertes jeder Aktie um CHF 500.00 von CHF 100'000.00 auf CHF 50'000.00 herabgesetzt.",
        "Das Aktienkapital wird durch Nennwertrückzahlung von CHF 100'000.00 auf CHF 50'000.00 herabgesetzt.",
        "Par réduction de la valeur nominale des actions de CHF 1'000 à CHF 500, le capital-actions a été ramené de CHF 100'000 à CHF 50'000.",
        "Le capital-actions a été ramené de CHF 100'000 à CHF 50'000 par réduction de la valeur nominale des actions de CHF 1'000 à CHF 500.",
        "Le capital-actions est réduit, par réduction de CHF 500 de la valeur nominale de chaque action, de CHF 100'000 à CHF 50'000.",
        "Il capitale azionario è stato ridotto, mediante riduzione del valore nominale delle azioni da CHF 1'000.-- a CHF 500.--, da CHF 100'000.-- a CHF 50'000.--.",
        "Il capitale azionario è stato ridotto da CHF 100'000.-- a CHF 50'000.-- mediante riduzione del valore nominale delle azioni da CHF 1'000.-- a CHF 500.--.",
    ] {
        assert_eq!(capital(text), [reduced], "{text}");
    }
    for text in [
        "Das Aktienkapital wurde durch Herabsetzung des Nennwertes der 100 Namenaktien von bisher CHF 1'000.00 auf CHF 500.00 um CHF 50'000.00 auf CHF 50'000.00 herabgesetzt.",
        "La valeur nominale des 100 actions a été réduite de CHF 1'000 à CHF 500; le capital-actions est désormais de CHF 50'000.",
        "Der Nennwert der Aktien wurde auf CHF 500 herabgesetzt und das Aktienkapital auf CHF 50'000.",
    ] {
        assert_eq!(capital(text), [(CapitalKind::Shares, 50_000, None)], "{text}");
    }
    let text = "Das Stammkapital wurde durch Erhöhung des Nennwertes der Stammanteile von CHF 100.00 auf CHF 200.00 von CHF 20'000.00 auf CHF 40'000.00 erhöht.";
    assert_eq!(capital(text), [(CapitalKind::Quotas, 40_000, Some(20_000))]);
    let text = "Das Aktienkapital wurde durch Ausgabe von 100 Namenaktien zum Nennwert von CHF 1'000 auf CHF 200'000 erhöht.";
    assert_eq!(capital(text), [(CapitalKind::Shares, 200_000, None)]);
    // Only the nominal values are stated.
    let text = "Das Aktienkapital wurde durch Herabsetzung des Nennwertes der 100 Namenaktien von CHF 1'000.00 auf CHF 500.00 herabgesetzt.";
    assert_eq!(capital(text), []);
}

#[test]
fn no_capital_stays_at_zero() {
    for (text, to, from) in [
        (
            "Herabsetzung des Aktienkapitals von CHF 100'000.00 auf CHF 0.00 und gleichzeitige Wiedererhöhung auf CHF 100'000.00.",
            100_000,
            None,
        ),
        (
            "Capital-actions réduit de CHF 100'000 à CHF 0, puis porté à CHF 100'000 par l'émission de 100 actions nominatives de CHF 1'000.",
            100_000,
            None,
        ),
        (
            "Capital-actions réduit de CHF 100'000 à CHF 0 et simultanément porté à CHF 250'000 par l'émission de 100 actions à CHF 2'500.",
            250_000,
            Some(100_000),
        ),
        (
            "Capital-actions ramené de CHF 100'000 à CHF 0 et porté simultanément de CHF 0 à CHF 100'000.",
            100_000,
            None,
        ),
        (
            "Réduction du capital-actions à CHF 0 et augmentation simultanée à CHF 100'000.",
            100_000,
            None,
        ),
        (
            "Riduzione del capitale azionario a CHF 0.-- e contemporaneo aumento a CHF 100'000.--.",
            100_000,
            None,
        ),
    ] {
        assert_eq!(capital(text), [(CapitalKind::Shares, to, from)], "{text}");
    }
    assert_eq!(capital("Das Aktienkapital wurde von CHF 100'000 auf CHF 0 herabgesetzt."), []);
}

#[test]
fn a_change_of_the_capital_is_stated_once() {
    use CapitalKind::*;
    for (text, expected) in [
        ("Capital-actions réduit de CHF 200'000 à CHF 100'000.", (Shares, 100_000, Some(200_000))),
        ("Capital-actions porté de CHF 100'000 à CHF 200'000.", (Shares, 200_000, Some(100_000))),
        (
            "Capital-actions entièrement libéré porté de CHF 100'000 à CHF 200'000.",
            (Shares, 200_000, Some(100_000)),
        ),
        (
            "Capital-actions libéré porté de CHF 50'000 à CHF 100'000.",
            (Paid, 100_000, Some(50_000)),
        ),
        ("Capital porté de CHF 20'000 à CHF 50'000.", (Quotas, 50_000, Some(20_000))),
        (
            "Das Aktienkapital wurde von CHF 100'000 auf CHF 200'000 erhöht und vollständig liberiert.",
            (Shares, 200_000, Some(100_000)),
        ),
        (
            "Aus genehmigtem Kapital: Aktienkapital neu: CHF 150'000.00 [bisher: CHF 100'000.00].",
            (Shares, 150_000, Some(100_000)),
        ),
        (
            "Augmentation ordinaire: Nouveau capital-actions: CHF 150'000 [jusqu'ici: CHF 100'000].",
            (Shares, 150_000, Some(100_000)),
        ),
        (
            "Nachliberierung: Liberierung Aktienkapital neu: CHF 100'000.00 [bisher: CHF 50'000.00].",
            (Paid, 100_000, Some(50_000)),
        ),
    ] {
        assert_eq!(capital(text), [expected], "{text}");
    }
}

#[test]
fn what_is_paid_in_is_read_in_prose() {
    for (text, to, from) in [
        ("Le capital-actions de CHF 100'000 est maintenant entièrement libéré.", 100_000, None),
        (
            "Le capital-actions de CHF 100'000 est libéré à concurrence de CHF 50'000 (jusqu'ici CHF 20'000).",
            50_000,
            Some(20_000),
        ),
        ("Il capitale azionario di CHF 100'000 è ora interamente liberato.", 100_000, None),
        (
            "Il capitale azionario è liberato nella misura di CHF 50'000 (finora CHF 20'000).",
            50_000,
            Some(20_000),
        ),
        ("Das Aktienkapital von CHF 100'000 ist neu vollständig liberiert.", 100_000, None),
        (
            "Das Aktienkapital ist im Umfang von CHF 50'000 (bisher CHF 20'000) liberiert.",
            50_000,
            Some(20_000),
        ),
    ] {
        assert_eq!(capital(text), [(CapitalKind::Paid, to, from)], "{text}");
    }
    // The amount is not stated.
    assert_eq!(capital("Le capital-actions est maintenant entièrement libéré."), []);
}

fn entry(text: &str) -> (Option<String>, Option<String>, bool) {
    let notice = read(text);
    let [entry] = notice.entries.as_slice() else { panic!("{notice:?}") };
    (entry.function.clone(), entry.signature.clone(), entry.quota.is_some())
}

#[test]
fn each_of_two_functions_has_its_signature() {
    for (text, function, signature) in [
        (
            "Eingetragene Personen neu oder mutierend: Keller, Anna, von Wil, in Gossau, Gesellschafterin, ohne Zeichnungsberechtigung, Geschäftsführerin, mit Einzelunterschrift.",
            "Gesellschafterin, Geschäftsführerin",
            "mit Einzelunterschrift",
        ),
        (
            "Personne(s) inscrite(s): Dupont, Anne, de Sion, à Sierre, associée, sans droit de signature, gérante, avec signature individuelle.",
            "associée, gérante",
            "avec signature individuelle",
        ),
        (
            "Persone iscritte nuove o modificanti: Rossi, Anna, da Lugano, in Lugano, socia, senza diritto di firma, gerente, con firma individuale.",
            "socia, gerente",
            "con firma individuale",
        ),
        (
            "Eingetragene Personen neu oder mutierend: Keller, Anna, von Wil, in Gossau, Geschäftsführerin, mit Einzelunterschrift, Gesellschafterin, ohne Zeichnungsberechtigung.",
            "Geschäftsführerin, Gesellschafterin",
            "mit Einzelunterschrift",
        ),
    ] {
        let (said, signed, _) = entry(text);
        assert_eq!(
            (said.as_deref(), signed.as_deref()),
            (Some(function), Some(signature)),
            "{text}"
        );
    }
}

#[test]
fn a_usufructuary_holds_no_shares() {
    for text in [
        "Eingetragene Personen: Caduff, Anna, von Chur, in Chur, Nutzniesserin an 20 Stammanteilen zu je CHF 1'000.00, ohne Zeichnungsberechtigung.",
        "Personne(s) inscrite(s): Dupont, Anne, de Sion, à Sierre, usufruitière de 20 parts de CHF 1'000.00, sans droit de signature.",
        "Persone iscritte: Rossi, Anna, da Lugano, in Lugano, usufruttuaria di 20 quote da CHF 1'000.00, senza diritto di firma.",
    ] {
        let (_, _, holds) = entry(text);
        assert!(!holds, "{text}");
    }
}

#[test]
fn nobody_is_not_an_auditor() {
    for text in [
        "Organe de révision: Aucun.",
        "Revisionsstelle: keine.",
        "Ufficio di revisione: nessuno.",
        "Revisionsstelle: -",
        "Organe de révision: néant.",
    ] {
        assert_eq!(read(text).entries, [], "{text}");
    }
}
