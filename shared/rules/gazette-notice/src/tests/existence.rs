//! The formulas about the existence of a company, in the wordings of several offices.

use jiff::civil::{Date, date};

use crate::*;

/// A notice with this statement, in the layout of an office.
fn notice(statement: &str) -> String {
    format!(
        "Muster AG, in Bern, CHE-600.000.012, Aktiengesellschaft (SHAB Nr. 2 vom 06.01.2016, Publ. 1000000001). {statement}"
    )
}

fn changes(statement: &str) -> Vec<Change> {
    read(&notice(statement)).changes
}

/// The statements with the placeholders replaced by each of several names, dates and places.
fn variants(template: &str) -> Vec<(String, Date)> {
    let days = [
        (["03.05.2016", "3 mai 2016", "3 maggio 2016"], date(2016, 5, 3)),
        (["3. Mai 2016", "03.05.2016", "03.05.2016"], date(2016, 5, 3)),
        (["1. 12. 2019", "1er décembre 2019", "1° dicembre 2019"], date(2019, 12, 1)),
    ];
    let courts = [
        ["Bezirksgericht Zürich", "Tribunal d'arrondissement de Lausanne", "Pretura di Lugano"],
        [
            "Handelsgericht des Kantons Bern",
            "Président du Tribunal civil de la Glâne",
            "Pretore del Distretto di Bellinzona",
        ],
        [
            "Einzelrichter am Kantonsgericht Zug",
            "Tribunal de première instance de Genève",
            "Pretura della Giurisdizione di Locarno-Città",
        ],
    ];
    let companies = [
        ["Die Gesellschaft", "La société", "La società"],
        ["Die Genossenschaft", "La coopérative", "La cooperativa"],
        ["Die Stiftung", "La fondation", "La fondazione"],
    ];
    let mut made = Vec::new();
    for at in 0..3 {
        let mut text = template.to_owned();
        for (language, suffix) in ["de", "fr", "it"].into_iter().enumerate() {
            text = text.replace(&format!("{{{suffix} day}}"), days[at].0[language]);
            text = text.replace(&format!("{{{suffix} court}}"), courts[at][language]);
            text = text.replace(&format!("{{{suffix} company}}"), companies[at][language]);
            text = text
                .replace(&format!("{{{suffix} the company}}"), &lowercase(companies[at][language]));
        }
        made.push((text, days[at].1));
    }
    made
}

fn lowercase(text: &str) -> String {
    let mut characters = text.chars();
    characters.next().map_or_else(String::new, |it| it.to_lowercase().chain(characters).collect())
}

fn assert_step(step: Step, templates: &[&str]) {
    let mut failures = Vec::new();
    for template in templates {
        for (text, day) in variants(template) {
            let on = template.contains("day}").then_some(day);
            let found = changes(&text);
            if found != [Change::Proceeding { step, on }] {
                failures.push(format!("{text}\n    {found:?}"));
            }
        }
    }
    assert!(failures.is_empty(), "expected {step:?}:\n{}", failures.join("\n"));
}

/// Compares what the texts say with what is expected, and reports all differences.
fn assert_all<T: PartialEq + std::fmt::Debug>(
    cases: impl IntoIterator<Item = (&'static str, T)>,
    said: impl Fn(&str) -> T,
) {
    let mut failures = Vec::new();
    for (text, expected) in cases {
        let said = said(text);
        if said != expected {
            failures.push(format!("{text}\n    {said:?} instead of {expected:?}"));
        }
    }
    assert!(failures.is_empty(), "\n{}", failures.join("\n"));
}

#[test]
fn dissolution_by_resolution() {
    assert_step(
        Step::DissolvedByResolution,
        &[
            "{de company} ist mit Beschluss der Generalversammlung vom {de day} aufgelöst.",
            "{de company} hat sich durch Beschluss vom {de day} aufgelöst und ist in Liquidation getreten.",
            "Mit Beschluss der Gesellschafterversammlung vom {de day} wurde {de the company} aufgelöst.",
            "Die Generalversammlung hat am {de day} die Auflösung der Gesellschaft beschlossen.",
            "{de company} tritt in Liquidation.",
            "Gemäss öffentlicher Urkunde über den Auflösungsbeschluss vom {de day} wird {de the company} aufgelöst.",
            "{fr company} est dissoute par décision de l'assemblée générale du {fr day}.",
            "L'assemblée générale du {fr day} a prononcé la dissolution de la société.",
            "Dissolution de la société selon décision des associés du {fr day}.",
            "{fr company} est entrée en liquidation.",
            "Par décision du {fr day}, {fr the company} a été dissoute; elle est entrée en liquidation.",
            "{it company} è sciolta per decisione dell'assemblea generale del {it day}.",
            "L'assemblea dei soci del {it day} ha deciso lo scioglimento della società.",
            "Con decisione del {it day} {it the company} è stata sciolta.",
            "{it company} è posta in liquidazione.",
        ],
    );
}

#[test]
fn dissolution_for_a_defect_in_the_organisation_is_not_a_bankruptcy() {
    assert_step(
        Step::DissolvedForDefect,
        &[
            "Mit Entscheid vom {de day} hat das {de court} {de the company} gemäss Art. 731b OR aufgelöst und ihre Liquidation nach den Vorschriften über den Konkurs angeordnet.",
            "Das {de court} hat mit Urteil vom {de day} {de the company} in Anwendung von Art. 731b Abs. 1bis Ziff. 3 OR aufgelöst.",
            "{de company} wurde durch Entscheid des Gerichts vom {de day} wegen Mängeln in der gesetzlich vorgeschriebenen Organisation aufgelöst; die Liquidation erfolgt durch das Konkursamt.",
            "Mit Verfügung vom {de day} ordnete das Gericht die Liquidation {de the company} nach den Bestimmungen über den Konkurs an: sie wurde angeordnet.",
            "Die Liquidation der Gesellschaft auf dem Konkursweg wurde mit Urteil vom {de day} angeordnet.",
            "Par jugement du {fr day}, le {fr court} a prononcé la dissolution de la société en application de l'art. 731b CO et ordonné sa liquidation selon les dispositions applicables à la faillite.",
            "Le {fr court} a ordonné le {fr day} la liquidation de la société selon les règles de la faillite.",
            "{fr company} est dissoute par suite de carences dans l'organisation impérativement prescrite par la loi (art. 731b CO), selon jugement du {fr day}.",
            "En application de l'art. 731b al. 1bis ch. 3 CO, {fr the company} a été dissoute et sa liquidation ordonnée d'après les dispositions sur la faillite par décision du {fr day}.",
            "Con sentenza del {it day} la {it court} ha ordinato lo scioglimento della società e la sua liquidazione secondo le prescrizioni applicabili al fallimento (art. 731b CO).",
            "Le {fr court} a dissous la société le {fr day} et ordonné sa liquidation par voie de faillite.",
            "Il {it day} la {it court} ha ordinato lo scioglimento della società e la sua liquidazione in via di fallimento.",
            "{it company} è sciolta per lacune nell'organizzazione imposta dalla legge, giusta la decisione del {it day}.",
            "Il giudice ha decretato il {it day} lo scioglimento ai sensi dell'art. 731b CO; la liquidazione in via di fallimento secondo le disposizioni sul fallimento è ordinata.",
        ],
    );
    assert_step(
        Step::DissolvedWithoutDomicile,
        &[
            "{de company} wurde mit Verfügung vom {de day} gemäss Art. 153b HRegV von Amtes wegen aufgelöst.",
            "{fr company} est dissoute d'office en application de l'art. 153b ORC par décision du {fr day}.",
            "{it company} è sciolta d'ufficio ai sensi dell'art. 153b ORC con decisione del {it day}.",
        ],
    );
}

#[test]
fn dissolution_by_a_court() {
    assert_step(
        Step::DissolvedByCourt,
        &[
            "Das {de court} hat {de the company} mit Urteil vom {de day} aufgelöst.",
            "Par jugement du {fr day}, le {fr court} a prononcé la dissolution de la société.",
            "Con sentenza del {it day} la {it court} ha pronunciato lo scioglimento della società.",
        ],
    );
}

#[test]
fn revoked_and_lapsed_dissolutions() {
    assert_step(
        Step::DissolutionRevoked,
        &[
            "Die Auflösung der Gesellschaft wurde mit Beschluss der Generalversammlung vom {de day} widerrufen.",
            "Die Generalversammlung hat am {de day} den Widerruf der Auflösung beschlossen.",
            "Der Auflösungsbeschluss ist mit Beschluss vom {de day} rückgängig gemacht worden.",
            "Die Verfügung betreffend Auflösung gemäss Art. 153b HRegV wird aufgehoben.",
            "Die mit Urteil vom 12.02.2015 gemäss Art. 731b OR angeordnete Auflösung ist mit Verfügung vom {de day} hinfällig geworden.",
            "Damit ist die Auflösung dahingefallen.",
            "Nachdem der rechtmässige Zustand wiederhergestellt wurde, ist die Auflösung der Gesellschaft dahingefallen.",
            "L'assemblée générale du {fr day} a révoqué la dissolution de la société.",
            "La dissolution de la société est révoquée selon décision du {fr day}.",
            "La dissolution prononcée selon l'art. 731b CO est devenue sans objet.",
            "La dissolution de la société, décidée le 12 février 2015, a été annulée par décision du {fr day}.",
            "Lo scioglimento della società è revocato con decisione dell'assemblea del {it day}.",
            "L'assemblea generale del {it day} ha deciso la revoca dello scioglimento.",
            "Lo scioglimento ai sensi dell'art. 731b CO è annullato.",
        ],
    );
}

#[test]
fn bankruptcy() {
    assert_step(
        Step::BankruptcyOpened,
        &[
            "Über {de the company} ist mit Entscheid des Konkursrichters vom {de day} der Konkurs eröffnet worden; demnach ist {de the company} aufgelöst.",
            "Mit Urteil vom {de day} hat das {de court} über {de the company} mit Wirkung ab dem 04.05.2016, 09.00 Uhr, den Konkurs eröffnet.",
            "{de company} ist infolge Konkurses aufgelöst, eröffnet durch Verfügung vom {de day}.",
            "Das {de court} eröffnete am {de day} den Konkurs über {de the company}.",
            "Le {fr court} a prononcé la faillite de la société par jugement du {fr day}.",
            "{fr company} a été déclarée en faillite par décision du {fr court} du {fr day}.",
            "{fr company} est dissoute par suite de faillite prononcée par jugement du {fr day}, à 09h00.",
            "Par jugement du {fr day}, la faillite de la société a été prononcée avec effet dès le 4 mai 2016; par conséquent, elle est dissoute.",
            "Con decreto del {it day} la {it court} ha dichiarato il fallimento della società a far tempo dal 4 maggio 2016, ore 10.00.",
            "{de company} wurde mit Entscheid des {de court}s vom {de day} in Konkurs erklärt.",
            "Durch Urteil vom {de day} ist {de the company} in Konkurs gefallen.",
            "Über {de the company} ist am {de day} der Konkurs verhängt worden.",
            "È stato aperto il fallimento della società con decreto del {it day}.",
            "{it company} è stata dichiarata fallita con sentenza del {it day}.",
            "{it company} è sciolta in seguito a fallimento pronunciato con decreto del {it day}.",
        ],
    );
    assert_step(
        Step::BankruptcyRevoked,
        &[
            "Der Konkurs wurde mit Entscheid vom {de day} widerrufen.",
            "Das Obergericht hat mit Entscheid vom {de day} die Konkurseröffnung aufgehoben; {de the company} besteht weiter.",
            "Die am 01.02.2015 ausgesprochene Konkurseröffnung ist mit Urteil vom {de day} aufgehoben worden.",
            "La faillite a été révoquée par jugement du {fr day}.",
            "Par arrêt du {fr day}, la Cour de justice a annulé le jugement prononçant la faillite.",
            "Il fallimento è stato revocato con decreto del {it day}.",
            "Con sentenza del {it day} la Camera di esecuzione ha annullato il fallimento.",
        ],
    );
    assert_step(
        Step::BankruptcyStayed,
        &[
            "Der Beschwerde gegen die Konkurseröffnung wurde mit Verfügung vom {de day} die aufschiebende Wirkung erteilt.",
            "Par décision du {fr day}, l'effet suspensif a été accordé au recours contre la faillite.",
            "Al reclamo contro il fallimento è stato concesso effetto sospensivo con decreto del {it day}.",
        ],
    );
}

#[test]
fn proceedings_suspended_resumed_and_closed() {
    assert_step(
        Step::Suspended,
        &[
            "Das Konkursverfahren ist mit Verfügung vom {de day} mangels Aktiven eingestellt worden.",
            "Das am 01.02.2015 über {de the company} eröffnete Konkursverfahren wurde mit Entscheid des Konkursrichters vom {de day} mangels Aktiven eingestellt.",
            "Mangels Aktiven wurde das Verfahren mit Verfügung vom {de day} eingestellt.",
            "La procédure de faillite a été suspendue faute d'actif par jugement du {fr day}.",
            "Par décision du {fr day}, le {fr court} a prononcé la suspension de la faillite pour défaut d'actifs.",
            "Suspension de la procédure de faillite faute d'actifs, selon jugement du {fr day}.",
            "La procedura di fallimento è stata sospesa per mancanza di attivi con decreto del {it day}.",
            "Con decreto del {it day} la {it court} ha ordinato la sospensione del fallimento per mancanza di attivo.",
        ],
    );
    assert_step(
        Step::Resumed,
        &[
            "Das mangels Aktiven eingestellte Konkursverfahren wird nun durchgeführt, da die erforderliche Sicherheit geleistet wurde.",
            "Das Konkursverfahren wird gemäss Verfügung vom {de day} wieder aufgenommen.",
            "La procédure de faillite est rouverte selon décision du {fr day}.",
            "La procedura di fallimento è stata riaperta con decreto del {it day}.",
        ],
    );
    assert_step(
        Step::Closed,
        &[
            "Das Konkursverfahren wurde mit Verfügung des Konkursrichters vom {de day} als geschlossen erklärt.",
            "Mit Entscheid vom {de day} hat das {de court} das Konkursverfahren geschlossen.",
            "La procédure de faillite a été clôturée par jugement du {fr day}.",
            "Par jugement du {fr day}, la clôture de la faillite a été prononcée.",
            "La procedura di fallimento è stata chiusa con decreto del {it day}.",
            "Con decreto del {it day} la {it court} ha dichiarato chiusa la procedura fallimentare.",
        ],
    );
}

#[test]
fn moratorium_and_composition() {
    assert_step(
        Step::MoratoriumProvisional,
        &[
            "Das {de court} hat {de the company} mit Entscheid vom {de day} die provisorische Nachlassstundung bewilligt.",
            "Der Gesellschaft wurde mit Verfügung vom {de day} eine provisorische Nachlassstundung gewährt.",
            "Par décision du {fr day}, le {fr court} a accordé à la société un sursis concordataire provisoire.",
            "Un sursis provisoire a été octroyé à la société par jugement du {fr day}.",
            "Con decreto del {it day} la {it court} ha concesso alla società una moratoria concordataria provvisoria.",
            "La moratoria provvisoria è stata concessa con decisione del {it day}.",
        ],
    );
    assert_step(
        Step::MoratoriumDefinitive,
        &[
            "Das {de court} hat mit Entscheid vom {de day} die definitive Nachlassstundung bewilligt.",
            "Nach Ablauf der provisorischen Nachlassstundung wurde mit Entscheid vom {de day} die definitive Nachlassstundung gewährt.",
            "Par jugement du {fr day}, un sursis concordataire définitif a été accordé.",
            "Con decisione del {it day} è stata concessa la moratoria definitiva.",
        ],
    );
    assert_step(
        Step::MoratoriumGranted,
        &[
            "Der Gesellschaft ist mit Entscheid vom {de day} eine Nachlassstundung bewilligt worden.",
            "Par jugement du {fr day}, un sursis concordataire a été accordé à la société.",
            "La società è stata ammessa al beneficio della moratoria concordataria con decreto del {it day}.",
        ],
    );
    assert_step(
        Step::MoratoriumExtended,
        &[
            "Die definitive Nachlassstundung wurde mit Entscheid vom {de day} verlängert.",
            "Das {de court} hat mit Verfügung vom {de day} die bewilligte provisorische Nachlassstundung erstreckt.",
            "Le sursis concordataire a été prolongé par décision du {fr day}.",
            "La moratoria concordataria è stata prorogata con decisione del {it day}.",
        ],
    );
    assert_step(
        Step::MoratoriumEnded,
        &[
            "Die Nachlassstundung wurde mit Entscheid vom {de day} widerrufen.",
            "Die definitive Nachlassstundung ist abgelaufen.",
            "Le sursis concordataire a été révoqué par jugement du {fr day}.",
            "Le sursis définitif a pris fin.",
            "La moratoria concordataria è stata revocata con decreto del {it day}.",
            "La moratoria è scaduta.",
        ],
    );
    assert_step(
        Step::CompositionWithAssignment,
        &[
            "Das {de court} hat mit Entscheid vom {de day} den Nachlassvertrag mit Vermögensabtretung bestätigt.",
            "Par jugement du {fr day}, le concordat par abandon d'actifs a été homologué.",
            "Con decreto del {it day} è stato omologato il concordato con abbandono dell'attivo.",
        ],
    );
    assert_step(
        Step::CompositionConfirmed,
        &[
            "Der Nachlassvertrag ist mit Entscheid vom {de day} gerichtlich bestätigt worden.",
            "Le concordat a été homologué par jugement du {fr day}.",
            "Il concordato è stato omologato con decreto del {it day}.",
        ],
    );
    assert_step(
        Step::BankruptcyPostponed,
        &[
            "Das {de court} hat mit Entscheid vom {de day} einen Konkursaufschub gewährt.",
            "Par jugement du {fr day}, le {fr court} a accordé un ajournement de la faillite.",
            "Con decreto del {it day} è stato concesso il differimento del fallimento.",
        ],
    );
}

#[test]
fn two_steps_in_one_sentence() {
    for text in [
        "Die provisorische Nachlassstundung wurde widerrufen und über die Gesellschaft der Konkurs eröffnet.",
        "Die Nachlassstundung ist aufgehoben worden; über die Gesellschaft wurde der Konkurs eröffnet.",
        "Le sursis concordataire a été révoqué et la faillite de la société prononcée.",
        "Le sursis concordataire est révoqué, la faillite de la société est prononcée.",
        "La moratoria concordataria è stata revocata e il fallimento della società dichiarato.",
        "Il fallimento della società è stato dichiarato; la moratoria concordataria è revocata.",
    ] {
        let mut steps: Vec<Step> = changes(text)
            .into_iter()
            .map(|it| match it {
                Change::Proceeding { step, .. } => step,
                other => panic!("{text}: {other:?}"),
            })
            .collect();
        if steps.first() == Some(&Step::BankruptcyOpened) {
            steps.reverse();
        }
        assert_eq!(steps, [Step::MoratoriumEnded, Step::BankruptcyOpened], "{text}");
    }
}

#[test]
fn completed_liquidation_without_deletion() {
    assert_step(
        Step::LiquidationCompleted,
        &[
            "Die Liquidation ist beendet. Die Löschung kann mangels Zustimmung der Steuerbehörden noch nicht erfolgen.",
            "Die Liquidation ist beendet, die Gesellschaft kann aber mangels Zustimmung der Steuerbehörden nicht gelöscht werden.",
            "La liquidation est terminée. La radiation ne peut être opérée, le consentement des administrations fiscales faisant défaut.",
            "La liquidazione è terminata ma la società non può essere cancellata, mancando il consenso delle autorità fiscali.",
        ],
    );
}

#[test]
fn deletions_with_their_cause() {
    let causes: &[(Option<DeletionCause>, &[&str])] = &[
        (
            Some(DeletionCause::Liquidation),
            &[
                "Die Liquidation ist beendet; die Gesellschaft wird gelöscht.",
                "Die Gesellschaft wird nach beendigter Liquidation gelöscht.",
                "Nach durchgeführter Liquidation ist die Firma erloschen.",
                "Die Liquidation ist durchgeführt. Die Gesellschaft wird gelöscht.",
                "La liquidation étant terminée, la société est radiée.",
                "La liquidation de la société étant terminée, cette raison sociale est radiée.",
                "La liquidation est close. La société est radiée.",
                "La società è cancellata, la liquidazione essendo terminata.",
                "Terminata la liquidazione, la società viene cancellata.",
                "La liquidazione è terminata. La società è cancellata.",
            ],
        ),
        (
            Some(DeletionCause::Bankruptcy),
            &[
                "Die Gesellschaft wird nach Abschluss des Konkurses von Amtes wegen gelöscht.",
                "La société est radiée d'office après sa faillite.",
                "La società è cancellata d'ufficio a dipendenza del fallimento.",
            ],
        ),
        (
            Some(DeletionCause::NoAssets),
            &[
                "Nachdem kein begründeter Einspruch gegen die Löschung erhoben wurde, wird die Gesellschaft im Sinne von Art. 159 Abs. 5 lit. a HRegV von Amtes wegen gelöscht.",
                "Da das Konkursverfahren mangels Aktiven eingestellt wurde, wird die Gesellschaft von Amtes wegen gelöscht.",
                "Aucune opposition motivée n'ayant été formée, la société est radiée d'office conformément à l'art. 159 al. 5 let. a ORC.",
                "La procédure de faillite ayant été suspendue faute d'actifs, la société est radiée d'office.",
                "Non essendo stata presentata opposizione motivata, la società è cancellata d'ufficio in virtù dell'art. 159 cpv. 5 lett. a ORC.",
                "Il fallimento essendo stato sospeso per mancanza di attivi, la società è cancellata d'ufficio.",
            ],
        ),
        (
            Some(DeletionCause::ExOfficio),
            &[
                "Die Gesellschaft wird gemäss Art. 934 Abs. 2 OR von Amtes wegen gelöscht.",
                "Von Amtes wegen wird die Gesellschaft gelöscht.",
                "La société est d'office radiée.",
                "La raison individuelle est radiée d'office.",
                "La società è d'ufficio cancellata.",
                "La ditta è stata cancellata d'ufficio.",
            ],
        ),
        (
            Some(DeletionCause::Ceased),
            &[
                "Die Firma ist infolge Geschäftsaufgabe erloschen.",
                "Das Einzelunternehmen wird infolge Geschäftsaufgabe gelöscht.",
                "L'inscription est radiée par suite de cessation d'activité.",
                "La raison individuelle est radiée par suite de remise de commerce.",
                "La ditta è cancellata per cessazione dell'attività.",
                "La ditta individuale è radiata per cessata attività.",
            ],
        ),
        (
            Some(DeletionCause::Merger),
            &[
                "Die Gesellschaft wird infolge Fusion gelöscht.",
                "La société est radiée par suite de fusion.",
                "La società è cancellata in seguito a fusione.",
            ],
        ),
        (
            Some(DeletionCause::Application),
            &[
                "Die Stiftung wird auf Antrag der Aufsichtsbehörde gelöscht.",
                "L'association est radiée sur requête.",
                "L'associazione è cancellata su richiesta.",
            ],
        ),
        (
            None,
            &[
                "Die Gesellschaft ist gelöscht worden.",
                "Cette raison sociale est radiée.",
                "Questa ragione sociale è cancellata avendo le autorità fiscali dato il loro consenso.",
            ],
        ),
    ];
    let cases = causes.iter().flat_map(|(cause, texts)| {
        texts.iter().map(|it| (*it, vec![Change::Deletion { cause: *cause, on: None }]))
    });
    // The closing of a bankruptcy is a change of its own.
    assert_all(cases, |it| {
        let mut found = changes(it);
        found.retain(|it| !matches!(it, Change::Proceeding { step: Step::Closed, .. }));
        found
    });
}

#[test]
fn seat_moved_to_another_canton_is_no_deletion() {
    let departure = |text: &str| match &changes(text)[..] {
        [Change::Departure { to, abroad }] => Some((to.clone(), *abroad)),
        [Change::Seat { .. }, Change::Departure { to, abroad }] => Some((to.clone(), *abroad)),
        _ => None,
    };
    let within = [
        (
            "Die Gesellschaft wird infolge Verlegung des Sitzes nach Zürich im Handelsregister des Kantons Zug von Amtes wegen gelöscht.",
            "Zürich",
        ),
        (
            "Infolge Verlegung des Sitzes nach Zürich im Handelsregister des Kantons Zug von Amtes wegen gelöscht.",
            "Zürich",
        ),
        (
            "Im Handelsregister des Kantons Zug wird die Gesellschaft infolge Sitzverlegung nach St. Gallen von Amtes wegen gelöscht.",
            "St. Gallen",
        ),
        (
            "Die Gesellschaft wird von Amtes wegen gelöscht, da sie den Sitz nach La Chaux-de-Fonds verlegt hat.",
            "La Chaux-de-Fonds",
        ),
        (
            "Die Gesellschaft hat ihren Sitz nach Chur verlegt. Sie wird daher im Handelsregister des Kantons Zürich von Amtes wegen gelöscht.",
            "Chur",
        ),
        ("Sitz neu: Chur. Die Gesellschaft wird im hiesigen Handelsregister gelöscht.", "Chur"),
        (
            "Transfert du siège à Lausanne. La société est radiée d'office du registre du commerce de Genève.",
            "Lausanne",
        ),
        (
            "Siège transféré à Lausanne. La société est inscrite au registre du commerce du canton de Vaud. Elle est en conséquence radiée d'office du registre du commerce de Genève.",
            "Lausanne",
        ),
        (
            "Transfert du siège à Sion. Radiation d'office du registre du commerce de Genève.",
            "Sion",
        ),
        (
            "Trasferimento della sede a Zugo. La società è iscritta nel registro di commercio del Cantone di Zugo e viene cancellata d'ufficio dal registro di commercio del Cantone Ticino.",
            "Zugo",
        ),
        (
            "Trasferimento della sede a Bellinzona. Cancellazione d'ufficio dal registro di commercio del Cantone dei Grigioni.",
            "Bellinzona",
        ),
        (
            "Sitzverlegung nach Wil (SG). Löschung von Amtes wegen im Handelsregister des Kantons Zürich.",
            "Wil",
        ),
        (
            "Sitz neu: Wil (SG). Eintragung im Handelsregister des Kantons St. Gallen. Löschung von Amtes wegen in Zürich.",
            "Wil (SG)",
        ),
        ("Verlegung des Sitzes nach Chur. Löschung im Handelsregister des Kantons Zürich.", "Chur"),
        (
            "La société est radiée d'office du registre du commerce du canton de Vaud par suite de transfert du siège à Genève.",
            "Genève",
        ),
        (
            "Par suite de transfert de son siège à Fribourg, la société est radiée d'office.",
            "Fribourg",
        ),
        (
            "Le siège ayant été transféré à Sion, la société est radiée d'office du registre de Lausanne.",
            "Sion",
        ),
        (
            "La società è cancellata d'ufficio dal registro di commercio del Cantone Ticino in seguito al trasferimento della sede a Coira.",
            "Coira",
        ),
        (
            "In seguito al trasferimento della sede a Zugo, la società è stata cancellata d'ufficio.",
            "Zugo",
        ),
        (
            "A seguito di trasferimento della sede a Berna viene cancellata d'ufficio nel registro del Cantone Ticino.",
            "Berna",
        ),
    ];
    assert_all(within.map(|(text, to)| (text, Some((Some(to.to_owned()), false)))), departure);
    let abroad = [
        "Die Gesellschaft hat ihren Sitz nach Vaduz (Liechtenstein) verlegt und wird im Handelsregister gelöscht.",
        "Infolge Verlegung des Sitzes ins Ausland nach Art. 163 IPRG wird die Gesellschaft gelöscht.",
        "La société est radiée par suite de transfert du siège à Luxembourg.",
        "Transfert du siège à l'étranger: la société est radiée d'office.",
        "La società è cancellata in seguito al trasferimento della sede all'estero.",
        "In seguito al trasferimento della sede a Milano (Italia), la società è cancellata.",
    ];
    assert_all(abroad.map(|it| (it, Some(true))), |it| departure(it).map(|(_, abroad)| abroad));
}

#[test]
fn re_entry_is_no_second_deletion() {
    let cases = [
        (
            "Die am 12.03.2015 gelöschte Gesellschaft wird auf Anordnung des Gerichts wieder in das Handelsregister eingetragen.",
            false,
        ),
        (
            "Die Gesellschaft wurde von Amtes wegen gelöscht. Sie wird gemäss Urteil vom 03.05.2016 wieder eingetragen.",
            false,
        ),
        ("Die gelöschte Gesellschaft wird zum Zwecke der Liquidation wieder eingetragen.", true),
        (
            "Wiedereintragung der Gesellschaft gemäss Entscheid des Bezirksgerichts Zürich vom 03.05.2016.",
            false,
        ),
        (
            "La société, radiée le 12 mars 2015, est réinscrite d'office par décision du 3 mai 2016.",
            false,
        ),
        (
            "Par jugement du 3 mai 2016, la société est réinscrite au registre du commerce aux fins de liquidation.",
            true,
        ),
        ("La société a été radiée d'office par erreur. Elle est inscrite à nouveau.", false),
        ("La società, cancellata il 12 marzo 2015, è reiscritta nel registro di commercio.", false),
        ("La società è nuovamente iscritta ai fini della liquidazione.", true),
        ("Con decreto del 3 maggio 2016 la società è stata reiscritta in liquidazione.", true),
    ];
    assert_all(cases.map(|(text, it)| (text, Some(it))), |it| match changes(it)[..] {
        [Change::ReEntry { in_liquidation, .. }] => Some(in_liquidation),
        _ => None,
    });
}

#[test]
fn the_date_of_what_ends_is_not_that_of_its_end() {
    let revoked = |text: &str| match changes(text)[..] {
        [Change::Proceeding { step, on: None }] => Some(step),
        _ => None,
    };
    let cases = [
        (
            "Die mit Urteil vom 12.02.2015 gemäss Art. 731b OR angeordnete Auflösung ist hinfällig geworden.",
            Step::DissolutionRevoked,
        ),
        (
            "Die mit Verfügung vom 12.02.2015 angeordnete Auflösung der Gesellschaft wird widerrufen.",
            Step::DissolutionRevoked,
        ),
        (
            "La dissolution de la société, décidée le 12 février 2015, a été annulée.",
            Step::DissolutionRevoked,
        ),
        ("La décision de dissolution du 12 février 2015 est révoquée.", Step::DissolutionRevoked),
        (
            "Lo scioglimento della società deciso il 12 febbraio 2015 è revocato.",
            Step::DissolutionRevoked,
        ),
        ("Die am 12.02.2015 verfügte Konkurseröffnung ist aufgehoben.", Step::BankruptcyRevoked),
        ("La faillite prononcée le 12 février 2015 est annulée.", Step::BankruptcyRevoked),
        ("Il fallimento decretato il 12 febbraio 2015 è stato annullato.", Step::BankruptcyRevoked),
        (
            "Das mit Verfügung vom 12.02.2015 mangels Aktiven eingestellte Konkursverfahren wird nun durchgeführt.",
            Step::Resumed,
        ),
    ];
    assert_all(cases.map(|(text, step)| (text, Some(step))), revoked);
}

#[test]
fn re_entry_has_the_date_of_its_decision() {
    let re_entry = |text: &str| match changes(text)[..] {
        [Change::ReEntry { in_liquidation, on }] => Some((in_liquidation, on)),
        _ => None,
    };
    let decided = Some(date(2021, 3, 3));
    let cases = [
        (
            "Die Gesellschaft, welche am 26.02.2021 gelöscht wurde, wird gemäss Verfügung des Bezirksgerichts Zürich wieder eingetragen.",
            (false, None),
        ),
        (
            "Die am 26.02.2021 gelöschte Gesellschaft wird gemäss Verfügung vom 03.03.2021 wieder eingetragen.",
            (false, decided),
        ),
        ("La società, cancellata il 26 febbraio 2021, viene reiscritta.", (false, None)),
        (
            "La société, radiée le 26 février 2021, est réinscrite selon jugement du 3 mars 2021.",
            (false, decided),
        ),
        ("Wiedereintragung gemäss Verfügung des Obergerichts vom 03.03.2021.", (false, decided)),
        (
            "Die Gesellschaft wurde am 26.02.2021 gelöscht. Auf Anordnung des Gerichts vom 03.03.2021 wird sie wieder ins Handelsregister eingetragen.",
            (false, decided),
        ),
        (
            "Mit Verfügung vom 03.03.2021 wird die Löschung der Gesellschaft vom 26.02.2021 widerrufen.",
            (false, decided),
        ),
        ("Par décision du 3 mars 2021, la radiation de la société est annulée.", (false, decided)),
        ("Réinscription d'office selon jugement du 3 mars 2021.", (false, decided)),
        (
            "Réinscription ordonnée par jugement du Tribunal civil du 3 mars 2021. La société est en liquidation.",
            (true, decided),
        ),
        (
            "Reiscrizione ordinata con decreto della Pretura di Lugano del 3 marzo 2021. La società è in liquidazione.",
            (true, decided),
        ),
        (
            "Die Gesellschaft wird wieder eingetragen. Sie befindet sich in Liquidation.",
            (true, None),
        ),
        (
            "Die Gesellschaft wird wieder eingetragen. Die Gesellschaft befindet sich in Liquidation.",
            (true, None),
        ),
        (
            "Par jugement du 3 mars 2021, le Tribunal a ordonné la réinscription de la société; celle-ci est réinscrite; sa raison sociale est Muster SA en liquidation.",
            (true, decided),
        ),
    ];
    assert_all(cases.map(|(text, it)| (text, Some(it))), re_entry);
    // In brackets after the legal form, with the decision in another sentence.
    let text = "Muster AG, in Bern, CHE-600.000.012, Aktiengesellschaft (Wiedereintragung). Die Gesellschaft wird gemäss Urteil \
                vom 03.03.2021 wieder eingetragen.";
    assert_eq!(read(text).changes, [Change::ReEntry { in_liquidation: false, on: decided }]);
}

#[test]
fn a_deletion_that_does_not_count_is_a_re_entry() {
    let re_entry = Some(Change::ReEntry { in_liquidation: false, on: None });
    let only = |text: &str| match &changes(text)[..] {
        [only] => Some(only.clone()),
        _ => None,
    };
    let cases = [
        "Die Löschung der Gesellschaft wird widerrufen.",
        "Die am 26.02.2021 eingetragene Löschung der Gesellschaft wird rückgängig gemacht.",
        "La radiation de la société est annulée. L'inscription est rétablie.",
        "La radiation de la société, opérée le 26 février 2021, est annulée.",
        "La cancellazione della società è annullata.",
        "La cancellazione della società è revocata.",
        "Das Obergericht hat die Löschung der Gesellschaft aufgehoben.",
    ];
    assert_all(cases.map(|text| (text, re_entry.clone())), only);
    let others = [
        "Der Antrag auf Löschung der Gesellschaft wurde widerrufen.",
        "Die Einsprache gegen die Löschung der Gesellschaft wurde gutgeheissen.",
        "La procédure de radiation de la société est devenue sans objet.",
        "La domanda di cancellazione della società è annullata.",
        "Das Gesuch um Wiedereintragung der Gesellschaft wurde abgewiesen.",
        "Réinscription de Jean Dupont, administrateur.",
        "Die Löschung der Prokura von Hans Muster wird widerrufen.",
    ];
    assert_all(others.map(|text| (text, false)), |text| {
        changes(text).iter().any(|it| matches!(it, Change::ReEntry { .. }))
    });
}

#[test]
fn domicile_is_lost_and_restored() {
    let cases = [
        ("Die Gesellschaft hat kein Rechtsdomizil mehr.", false),
        ("Die Gesellschaft verfügt nicht mehr über ein Rechtsdomizil am Sitz.", false),
        ("Domizil neu: ohne Domizil.", false),
        ("Das bisherige Domizil ist erloschen, die Gesellschaft ist ohne Domizil.", false),
        ("Domizil neu: Rechtsdomizil erloschen.", false),
        ("Domizil neu: unbekannt.", false),
        ("Nouvelle adresse: inconnue.", false),
        ("Nuovo recapito: sconosciuto.", false),
        ("Das Rechtsdomizil ist erloschen.", false),
        ("Domicile légal supprimé.", false),
        ("Le domicile légal de la société est supprimé.", false),
        ("La società non ha più recapito.", false),
        ("Il recapito della società è soppresso.", false),
        ("La société n'a plus de domicile légal.", false),
        ("La société est sans adresse au siège.", false),
        ("La società è priva di recapito.", false),
        ("La società non dispone più di un domicilio legale.", false),
        ("Die Gesellschaft verfügt wieder über ein Rechtsdomizil.", true),
        ("La société dispose à nouveau d'un domicile légal.", true),
        ("La società dispone nuovamente di un domicilio legale.", true),
    ];
    assert_all(cases.map(|(text, exists)| (text, vec![Change::Domicile { exists }])), changes);
    let address = Change::Address { to: "Seestrasse 1, 3600 Thun".into() };
    let replaced =
        "Das bisherige Rechtsdomizil ist erloschen. Domizil neu: Seestrasse 1, 3600 Thun.";
    assert_eq!(changes(replaced), std::slice::from_ref(&address));
    let returned = changes("Domizil neu: Seestrasse 1, 3600 Thun [bisher: ohne Domizil].");
    assert_eq!(returned, [Change::Domicile { exists: true }, address]);
}

#[test]
fn branches_are_entered_and_closed() {
    let cases = [
        ("Neue Zweigniederlassung: Thun (CHE-600.000.029).", true),
        ("Die Gesellschaft hat in Thun eine Zweigniederlassung errichtet.", true),
        ("Nouvelle succursale: à Sion (CHE-600.000.029).", true),
        ("La société a créé une succursale à Sion.", true),
        ("Nuova succursale: a Chiasso (CHE-600.000.029).", true),
        ("La società ha aperto una succursale a Chiasso.", true),
        ("Die Zweigniederlassung in Thun ist aufgehoben.", false),
        ("Die Zweigniederlassung Thun wird gelöscht.", false),
        ("La succursale de Sion est radiée.", false),
        ("La succursale de la société à Sion a été radiée.", false),
        ("La succursale di Chiasso è cancellata.", false),
        ("La società comunica che la succursale di Chiasso è stata cancellata.", false),
    ];
    assert_all(cases.map(|(text, is_new)| (text, vec![Change::Branch { is_new }])), changes);
    let branch = "Muster AG, Zweigniederlassung Thun, in Thun, CHE-600.000.029, schweizerische Zweigniederlassung (SHAB Nr. 2 vom 06.01.2016). \
                  Die Zweigniederlassung wird gelöscht.";
    assert_eq!(read(branch).changes, [Change::Deletion { cause: None, on: None }]);
}

fn combination(text: &str) -> Option<(Combination, Option<AssetTransfer>)> {
    match changes(text).into_iter().next() {
        Some(Change::Combination { combination, transfer, party })
            if party.uid == CompanyNumber::parse("CHE-600.000.029") =>
        {
            Some((combination, transfer))
        }
        _ => None,
    }
}

#[test]
fn combinations_have_a_direction() {
    use Combination::*;
    let cases = [
        (
            "Fusion: Übernahme der Aktiven und Passiven der Probe GmbH, in Thun (CHE-600.000.029), gemäss Fusionsvertrag vom 03.05.2016.",
            TakesOver,
        ),
        (
            "Die Gesellschaft übernimmt infolge Fusion die Aktiven und Passiven der Probe GmbH, in Thun (CHE-600.000.029).",
            TakesOver,
        ),
        (
            "Die Gesellschaft hat gemäss Fusionsvertrag vom 03.05.2016 Aktiven und Passiven der Probe GmbH, in Thun (CHE-600.000.029), übernommen.",
            TakesOver,
        ),
        (
            "Fusion: reprise des actifs et passifs de Essai SA, à Sion (CHE-600.000.029), selon contrat de fusion du 3 mai 2016.",
            TakesOver,
        ),
        (
            "Fusione: ripresa di attivi e passivi della Prova SA, in Lugano (CHE-600.000.029), secondo contratto di fusione.",
            TakesOver,
        ),
        (
            "Aktiven und Passiven gehen infolge Fusion auf die Probe AG, in Thun (CHE-600.000.029), über.",
            IsTakenOverBy,
        ),
        (
            "Die Aktiven und Passiven werden gemäss Fusionsvertrag von der Probe AG, in Thun (CHE-600.000.029), übernommen.",
            IsTakenOverBy,
        ),
        (
            "Les actifs et passifs sont repris par Essai SA, à Sion (CHE-600.000.029), par suite de fusion.",
            IsTakenOverBy,
        ),
        (
            "Attivi e passivi sono ripresi da Prova SA, in Lugano (CHE-600.000.029), a seguito di fusione.",
            IsTakenOverBy,
        ),
        (
            "Kombinationsfusion: Übernahme der Aktiven und Passiven der Probe AG, in Thun (CHE-600.000.029).",
            Combines,
        ),
        (
            "Fusion par combinaison: reprise des actifs et passifs de Essai SA, à Sion (CHE-600.000.029).",
            Combines,
        ),
        (
            "Fusione mediante combinazione: ripresa di attivi e passivi della Prova SA, in Lugano (CHE-600.000.029).",
            Combines,
        ),
        (
            "Aufspaltung: Aktiven und Passiven gehen gemäss Spaltungsplan auf die Probe AG, in Thun (CHE-600.000.029), über.",
            SplitsUp,
        ),
        (
            "Scission par division: des actifs et passifs passent à Essai SA, à Sion (CHE-600.000.029).",
            SplitsUp,
        ),
        (
            "Abspaltung: Die Gesellschaft überträgt gemäss Spaltungsvertrag einen Teil der Aktiven auf die Probe AG, in Thun (CHE-600.000.029).",
            SpinsOff,
        ),
        (
            "Scission par séparation: la société transfère une part de ses actifs à Essai SA, à Sion (CHE-600.000.029).",
            SpinsOff,
        ),
        (
            "Scissione mediante separazione: la società trasferisce parte degli attivi a Prova SA, in Lugano (CHE-600.000.029).",
            SpinsOff,
        ),
        (
            "Spaltung: Übernahme von Aktiven und Passiven der Probe AG, in Thun (CHE-600.000.029), gemäss Spaltungsvertrag.",
            ReceivesByDemerger,
        ),
        (
            "Scission: reprise d'une part des actifs de Essai SA, à Sion (CHE-600.000.029), selon contrat de scission.",
            ReceivesByDemerger,
        ),
        (
            "Scissione: ripresa di parte degli attivi della Prova SA, in Lugano (CHE-600.000.029).",
            ReceivesByDemerger,
        ),
        (
            "Spaltung: Gemäss Spaltungsvertrag mit der Probe AG, in Thun (CHE-600.000.029).",
            Demerger,
        ),
        (
            "Vermögensübertragung: Die Gesellschaft überträgt gemäss Vertrag vom 03.05.2016 Aktiven auf die Probe AG, in Thun (CHE-600.000.029).",
            TransfersAssets,
        ),
        (
            "Transfert de patrimoine: la société transfère selon contrat du 3 mai 2016 des actifs à Essai SA, à Sion (CHE-600.000.029).",
            TransfersAssets,
        ),
        (
            "Trasferimento di patrimonio: la società trasferisce attivi a Prova SA, in Lugano (CHE-600.000.029).",
            TransfersAssets,
        ),
        (
            "Vermögensübertragung: Übernahme von Aktiven der Probe AG, in Thun (CHE-600.000.029).",
            ReceivesAssets,
        ),
        (
            "Transfert de patrimoine: la société reprend des actifs de Essai SA, à Sion (CHE-600.000.029).",
            ReceivesAssets,
        ),
        (
            "Trasferimento di patrimonio: la società riprende attivi della Prova SA, in Lugano (CHE-600.000.029).",
            ReceivesAssets,
        ),
    ];
    assert_all(cases.map(|(text, it)| (text, Some(it))), |it| combination(it).map(|it| it.0));
}

#[test]
fn amounts_of_asset_transfers_are_read() {
    let amount = |it: i64| Some(super::decimal(it));
    let cases = [
        (
            "Vermögensübertragung: Die Gesellschaft überträgt gemäss Vertrag Aktiven von CHF 1'200'000.00 und Passiven von CHF 300'000.00 auf die Probe AG, in Thun (CHE-600.000.029). Gegenleistung: CHF 900'000.00.",
            amount(300_000),
            amount(900_000),
        ),
        (
            "Transfert de patrimoine: la société transfère des actifs de CHF 1'200'000 et des passifs envers les tiers de CHF 300'000 à Essai SA, à Sion (CHE-600.000.029). Contre-prestation: CHF 900'000.",
            amount(300_000),
            amount(900_000),
        ),
        (
            "Trasferimento di patrimonio: la società trasferisce attivi per CHF 1'200'000.-- a Prova SA, in Lugano (CHE-600.000.029). Controprestazione: nessuna.",
            None,
            None,
        ),
    ];
    let cases = cases.map(|(text, liabilities, consideration)| {
        let (assets, currency) = (amount(1_200_000), "CHF".into());
        (text, Some(AssetTransfer { assets, liabilities, consideration, currency }))
    });
    assert_all(cases, |it| combination(it).and_then(|it| it.1));
}

#[test]
fn what_is_not_surely_understood_is_left_out() {
    let texts = [
        // Something else is deleted, dissolved or suspended.
        "Die Bemerkung betreffend Sacheinlage ist gelöscht.",
        "Die Gesellschaft hat Reserven aufgelöst.",
        "Durch Auflösung von Reserven gemäss Beschluss der Generalversammlung wurden Aktien liberiert.",
        "La signature de Modèle Jean est radiée.",
        "La mention relative à l'apport en nature est radiée du registre de la société.",
        "L'annotazione relativa ai conferimenti in natura della società è cancellata.",
        // A request or an appeal without success.
        "Das Gesuch der Gesellschaft um Nachlassstundung wurde abgewiesen.",
        "Die Beschwerde gegen die Konkurseröffnung wurde abgewiesen.",
        "Le recours contre la faillite de la société a été rejeté.",
        "Il ricorso contro il fallimento della società è stato respinto.",
        "Die Gesellschaft bleibt aufgelöst.",
        "La società non è più sciolta.",
        "La procédure de faillite, suspendue faute d'actif, a été clôturée.",
        // An announcement.
        "Die Gesellschaft wird von Amtes wegen gelöscht, sofern kein Einspruch erhoben wird.",
        "Sauf opposition dans les trois mois, la société est radiée d'office.",
        "Salvo opposizione entro tre mesi, la società è cancellata d'ufficio.",
        // What is in brackets was so before.
        "Die Gesellschaft hat die Probe AG (gelöscht) als Aktionärin [gestrichen: aufgelöst, Konkurs eröffnet].",
        // Purposes.
        "Die Gesellschaft kann Zweigniederlassungen errichten und die Liquidation anderer Gesellschaften durchführen.",
        "Sie bezweckt die Übernahme von Gesellschaften, über die der Konkurs eröffnet wurde.",
        "La société peut reprendre des sociétés en faillite, dissoutes ou radiées.",
        "La società può assumere la liquidazione di altre società sciolte o in fallimento.",
        // Offices and laws.
        "Die Gesellschaft untersteht dem Bundesgesetz über Schuldbetreibung und Konkurs.",
        "Als Sachwalter im Sinne von Art. 731b OR ist das Konkursamt Zürich ernannt worden.",
    ];
    assert_all(texts.map(|it| (it, vec![])), changes);
}

#[test]
fn a_moratorium_that_a_court_ends_is_not_granted() {
    for (statement, step) in [
        (
            "Par décision du 3 mai 2016, le Tribunal a mis fin au sursis concordataire provisoire accordé le 4 janvier 2016.",
            Step::MoratoriumEnded,
        ),
        (
            "Mit Entscheid vom 3. Mai 2016 hat das Gericht die am 4. Januar 2016 bewilligte provisorische Nachlassstundung aufgehoben.",
            Step::MoratoriumEnded,
        ),
        (
            "Con decisione del 3 maggio 2016 la Pretura ha posto fine alla moratoria provvisoria concessa il 4 gennaio 2016.",
            Step::MoratoriumEnded,
        ),
        (
            "Par décision du 3 mai 2016, le Tribunal a mis fin au sursis provisoire et accordé à la société un sursis définitif de six mois.",
            Step::MoratoriumDefinitive,
        ),
    ] {
        let on = Some(date(2016, 5, 3));
        assert_eq!(changes(statement), [Change::Proceeding { step, on }], "{statement}");
    }
}
