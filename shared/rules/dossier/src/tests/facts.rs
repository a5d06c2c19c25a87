//! What the rows say about owners, lists and the audit.

use std::collections::BTreeSet;

use auth::Language;
use domain::{
    ChangeKind, Event, Provenance, Status,
    auditors::Tenure,
    changes::LegalEvent,
    company::{ParentException, ParentLevel, StatusReason},
    history::Recorded,
    persons::RoleCategory,
    terms::{capitalised, reasons_for_no_parent},
};
use jiff::civil::{Date, date};
use obligations::{Addressee, Answer};
use ownership::{Form, Link, LinkKind, Party, Percent, Profile, Share, UnknownShare};
use teams::DossierLevel;
use uuid::Uuid;

use super::support::{Case, source};
use crate::{Brief, Facts, Section, terms};

fn text(case: &Case) -> String {
    let brief = case.brief(DossierLevel::Standard, Language::En);
    let written = brief.checked(&brief.composed());
    assert_eq!(written.dropped, 0, "{}", brief.composed());
    written.text.content
}

fn link(owner: Party, owned: Party, kind: LinkKind, share: Share) -> Link {
    Link { owner, owned, kind, share, since: None, source: source("shab"), confidence: 1.0 }
}

fn shares(owner: Party, owned: Party, percent: f64) -> Link {
    link(owner, owned, LinkKind::Shares, Share::Known(Percent::new(percent).expect("a share")))
}

fn board(owner: Party, owned: Party) -> Link {
    let share = Share::Unknown(UnknownShare::NoShare);
    link(owner, owned, LinkKind::Office(RoleCategory::Board), share)
}

fn event(case: &Case, day: Date) -> Event {
    Event {
        id: Uuid::from_u128(1),
        uid: case.company.uid,
        company_name: case.company.name.clone(),
        canton: None,
        kind: ChangeKind::BoardChange,
        field: None,
        old_value: None,
        new_value: None,
        summary: String::new(),
        date: day,
        source: source("shab"),
        subject: None,
        legal_event: None,
        journal_date: None,
        decision_date: None,
        currencies: None,
        transfer: None,
    }
}

/// An event that was entered in the journal on one day and published on another.
fn entered_on(journal: (i16, i8, i8), published: (i16, i8, i8)) -> impl Fn(&Case) -> Recorded {
    let [journal, published] =
        [journal, published].map(|(year, month, day)| date(year, month, day));
    move |case| Event { journal_date: Some(journal), ..event(case, published) }.into()
}

fn profile(name: &str, form: Form) -> Profile {
    Profile { name: name.to_owned(), form, ..Profile::default() }
}

#[test]
fn a_dossier_says_whether_lists_were_searched() {
    let searched = text(&Case::new());
    assert!(searched.contains("Sanctions lists were searched for the company, its officers"));
    assert!(!searched.contains("not searched"), "{searched}");
    let all = ["Lärche Holding plc".to_owned()];
    let partly = text(&Case { owners_not_searched: Some(all.into()), ..Case::new() });
    assert!(partly.contains("were not searched for one owner: Lärche Holding plc"), "{partly}");
    let both = ["Lärche Holding plc".to_owned(), "Eibe Holding plc".to_owned()];
    let both = text(&Case { owners_not_searched: Some(both.into()), ..Case::new() });
    let named = "were not searched for these owners: Lärche Holding plc and Eibe Holding plc";
    assert!(both.contains(named), "{both}");
    let not = text(&Case { owners_not_searched: None, ..Case::new() });
    assert!(not.contains("Sanctions lists were not searched for this dossier"), "{not}");
}

#[test]
fn a_foundation_that_owns_the_company_has_no_owners_but_the_company_has() {
    let mut case = Case::new();
    let root = Party::Company(case.company.uid);
    let foundation = Party::Company("CHE-101.049.653".parse().expect("a number"));
    let person = |it| Party::Person(Uuid::from_u128(it));
    case.links = vec![shares(foundation, root, 60.0), board(person(8), foundation)];
    case.profiles = [
        (root, profile("Muster & Co. Treuhand AG", Form::WithOwners)),
        (foundation, profile("Stiftung Lärche", Form::WithoutOwners)),
        (person(8), profile("Berta Beispiel", Form::WithOwners)),
    ]
    .into();
    let text = text(&case);
    for expected in [
        "Stiftung Lärche holds 60 % of the capital, controls the company and has no owners by law",
        "Named instead, because this person directs Stiftung Lärche: Berta Beispiel",
    ] {
        assert!(text.contains(expected), "{expected}\n{text}");
    }
    assert!(!text.contains("The legal form has no owners"), "{text}");
}

#[test]
fn who_holds_less_than_half_is_not_said_to_control() {
    let mut case = Case::new();
    let root = Party::Company(case.company.uid);
    let foundation = Party::Company("CHE-101.049.653".parse().expect("a number"));
    let director = Party::Person(Uuid::from_u128(8));
    case.links = vec![shares(foundation, root, 33.2), board(director, foundation)];
    case.profiles = [
        (root, profile("Muster & Co. Treuhand AG", Form::WithOwners)),
        (foundation, profile("Stiftung Lärche", Form::WithoutOwners)),
        (director, profile("Berta Beispiel", Form::WithOwners)),
    ]
    .into();
    let text = text(&case);
    assert!(
        text.contains("Stiftung Lärche holds 33.2 % of the capital and has no owners"),
        "{text}"
    );
    assert!(!text.contains("controls the company"), "{text}");
}

#[test]
fn an_office_is_named_with_its_organ_its_presidency_and_its_days() {
    let mut case = Case::new();
    let mandate = &mut case.history.mandates[0];
    mandate.role = "Präsidentin des Verwaltungsrates".into();
    let on = |day| Some(Provenance { date: Some(day), ..source("shab") });
    mandate.since = Some(date(2003, 5, 6));
    mandate.role_source = on(date(2003, 5, 6));
    mandate.signature_source = on(date(2021, 2, 4));
    // What no journal dates has the day of its publication only.
    for (language, published, entered) in [
        (
            Language::De,
            "ist eingetragen als Mitglied des Verwaltungsrats (Präsidium) (publiziert am 6. Mai 2003), mit Einzelunterschrift (publiziert am 4. Februar 2021)",
            "ist eingetragen als Mitglied des Verwaltungsrats (Präsidium) seit 1. Mai 2003, mit Einzelunterschrift seit 1. Februar 2021",
        ),
        (
            Language::Fr,
            "figure au registre comme membre du conseil d’administration (présidence) (publication du 6 mai 2003), avec signature individuelle (publication du 4 février 2021)",
            "figure au registre comme membre du conseil d’administration (présidence) depuis le 1er mai 2003, avec signature individuelle depuis le 1er février 2021",
        ),
        (
            Language::It,
            "figura nel registro come membro del consiglio d’amministrazione (presidenza) (pubblicazione del 6 maggio 2003), con firma individuale (pubblicazione del 4 febbraio 2021)",
            "figura nel registro come membro del consiglio d’amministrazione (presidenza) dal 1º maggio 2003, con firma individuale dal 1º febbraio 2021",
        ),
        (
            Language::En,
            "is entered as member of the board of directors (president) (published on 6 May 2003), with sole signature (published on 4 February 2021)",
            "is entered as member of the board of directors (president) since 1 May 2003, with sole signature since 1 February 2021",
        ),
    ] {
        case.history.events.clear();
        for (events, expected) in [
            (Vec::new(), published),
            (
                vec![
                    entered_on((2003, 5, 1), (2003, 5, 6)),
                    entered_on((2021, 2, 1), (2021, 2, 4)),
                ],
                entered,
            ),
        ] {
            case.history.events = events.into_iter().map(|it| it(&case)).collect();
            let brief = case.brief(DossierLevel::Standard, language);
            let written = brief.checked(&brief.composed());
            assert_eq!(written.dropped, 0, "{}", brief.composed());
            assert!(written.text.content.contains(expected), "{}", written.text.content);
        }
    }
}

/// Only the new office began with the latest change of the role.
#[test]
fn each_of_several_offices_has_its_own_beginning() {
    let mut case = Case::new();
    let mandate = &mut case.history.mandates[0];
    mandate.role = "Mitglied und Liquidatorin".into();
    mandate.category = RoleCategory::Liquidator;
    mandate.other_categories = vec![RoleCategory::Board];
    mandate.earlier_categories = vec![RoleCategory::Board];
    mandate.since = Some(date(2016, 12, 12));
    mandate.role_source = Some(Provenance { date: Some(date(2026, 11, 11)), ..source("shab") });
    let entered =
        [entered_on((2016, 12, 7), (2016, 12, 12)), entered_on((2026, 11, 6), (2026, 11, 11))];
    case.history.events = entered.map(|it| it(&case)).into();
    for (language, expected) in [
        (
            Language::De,
            "als Liquidator/in seit 6. November 2026 und Mitglied des Verwaltungsrats, mit Einzelunterschrift; im Register seit 7. Dezember 2016",
        ),
        (
            Language::Fr,
            "comme liquidateur/trice depuis le 6 novembre 2026 et membre du conseil d’administration, avec signature individuelle; au registre depuis le 7 décembre 2016",
        ),
        (
            Language::It,
            "come liquidatore/trice dal 6 novembre 2026 e membro del consiglio d’amministrazione, con firma individuale; nel registro dal 7 dicembre 2016",
        ),
        (
            Language::En,
            "as liquidator since 6 November 2026 and member of the board of directors, with sole signature; in the register since 7 December 2016",
        ),
    ] {
        let brief = case.brief(DossierLevel::Standard, language);
        let written = brief.checked(&brief.composed());
        assert_eq!(written.dropped, 0, "{}", brief.composed());
        assert!(written.text.content.contains(expected), "{}", written.text.content);
    }
}

/// Who becomes president was on the board before.
#[test]
fn a_presidency_does_not_begin_the_office() {
    let mut case = Case::new();
    let mandate = &mut case.history.mandates[0];
    mandate.role = "Präsidentin".into();
    mandate.earlier_categories = vec![RoleCategory::Board];
    mandate.since = Some(date(2013, 8, 5));
    mandate.role_source = Some(Provenance { date: Some(date(2014, 2, 12)), ..source("shab") });
    let entered =
        [entered_on((2013, 7, 31), (2013, 8, 5)), entered_on((2014, 2, 7), (2014, 2, 12))];
    case.history.events = entered.map(|it| it(&case)).into();
    assert_says(
        &case,
        [
            "als Mitglied des Verwaltungsrats (Präsidium), mit Einzelunterschrift; im Register seit 31. Juli 2013; in dieser Funktion seit 7. Februar 2014",
            "comme membre du conseil d’administration (présidence), avec signature individuelle; au registre depuis le 31 juillet 2013; dans cette fonction depuis le 7 février 2014",
            "come membro del consiglio d’amministrazione (presidenza), con firma individuale; nel registro dal 31 luglio 2013; in questa funzione dal 7 febbraio 2014",
            "as member of the board of directors (president), with sole signature; in the register since 31 July 2013; in this capacity since 7 February 2014",
        ],
        &["(president) since"],
    );
}

/// A mandate ends with the day of the journal, never after its company.
#[test]
fn an_auditor_begins_and_ends_on_the_day_of_the_journal_or_is_said_to_be_published() {
    let mut case = Case::new();
    let tenure = |name: &str, appointed_at, resigned_at| Tenure {
        auditor_name: name.into(),
        auditor_uid: None,
        appointed_as: None,
        appointed_at,
        resigned_at,
        source: source("shab"),
    };
    let (first, second) = (date(2005, 9, 22), date(2014, 7, 9));
    case.history.tenures = vec![
        tenure("Alt Revision AG", Some(first), Some(second)),
        tenure("Neu Revision AG", Some(second), None),
    ];
    for (language, published, entered) in [
        (
            Language::De,
            [
                "Revisionsstelle ist Neu Revision AG (publiziert am 9. Juli 2014)",
                "Alt Revision AG wurde am 9. Juli 2014 publiziert",
            ],
            [
                "Revisionsstelle ist seit dem 4. Juli 2014 Neu Revision AG",
                "Alt Revision AG endete am 4. Juli 2014",
            ],
        ),
        (
            Language::Fr,
            [
                "L’organe de révision est Neu Revision AG (publication du 9 juillet 2014)",
                "Alt Revision AG a été publiée le 9 juillet 2014",
            ],
            [
                "L’organe de révision est depuis le 4 juillet 2014 Neu Revision AG",
                "Alt Revision AG a pris fin le 4 juillet 2014",
            ],
        ),
        (
            Language::It,
            [
                "L’ufficio di revisione è Neu Revision AG (pubblicazione del 9 luglio 2014)",
                "Alt Revision AG è stata pubblicata il 9 luglio 2014",
            ],
            [
                "L’ufficio di revisione è dal 4 luglio 2014 Neu Revision AG",
                "Alt Revision AG è terminato il 4 luglio 2014",
            ],
        ),
        (
            Language::En,
            [
                "The auditor is Neu Revision AG (published on 9 July 2014)",
                "Alt Revision AG was published on 9 July 2014",
            ],
            [
                "The auditor since 4 July 2014 is Neu Revision AG",
                "Alt Revision AG ended on 4 July 2014",
            ],
        ),
    ] {
        for (events, expected) in [
            (Vec::new(), published),
            (vec![entered_on((2014, 7, 4), (2014, 7, 9))(&case)], entered),
        ] {
            case.history.events = events;
            let brief = case.brief(DossierLevel::Standard, language);
            let content = brief.checked(&brief.composed()).text.content;
            for expected in expected {
                assert!(content.contains(expected), "{expected}\n{content}");
            }
        }
    }
}

#[test]
fn a_moratorium_is_named_as_it_was_granted() {
    let mut case = Case::new();
    case.company.status_reason = Some(StatusReason::Moratorium);
    let mut event = event(&case, date(2026, 9, 1));
    event.kind = ChangeKind::Bankruptcy;
    event.legal_event = Some(LegalEvent::MoratoriumProvisional);
    case.history.events = vec![event.into()];
    for (language, expected) in [
        (
            Language::De,
            [
                "Das Unternehmen ist aktiv; vermerkt ist: provisorische Nachlassstundung",
                "Warnung: provisorische Nachlassstundung",
                "Am 1. September 2026 wurde publiziert: provisorische Nachlassstundung",
            ],
        ),
        (
            Language::En,
            [
                "The company is active; the register notes: provisional moratorium",
                "Warning: provisional moratorium",
                "Published on 1 September 2026: provisional moratorium",
            ],
        ),
    ] {
        let brief = case.brief(DossierLevel::Standard, language);
        let text = brief.checked(&brief.composed()).text.content;
        for expected in expected {
            assert!(text.contains(expected), "{expected}\n{text}");
        }
        assert!(!text.contains("Konkurs") && !text.contains("bankruptcy"), "{text}");
    }
}

/// A high level and a sentence that nothing grave was found contradict each other.
#[test]
fn a_high_level_names_what_raises_it() {
    let mut case = Case::new();
    case.company.status = Some(Status::BeingCancelled);
    case.company.status_reason = Some(StatusReason::Voluntary);
    case.company.registration_date = Some(date(2026, 3, 2));
    case.company.auditor_opt_out = Some(true);
    let brief = case.brief(DossierLevel::Standard, Language::De);
    let text = brief.checked(&brief.composed()).text.content;
    assert!(text.contains("damit die Stufe hoch"), "{text}");
    assert!(text.contains("Was ihn am meisten erhöht: Alter und Status"), "{text}");
    assert!(!text.contains("keines der schweren Warnzeichen"), "{text}");
}

#[test]
fn disclosed_holders_are_named_although_they_may_be_no_persons() {
    let mut case = Case::new();
    let root = Party::Company(case.company.uid);
    let holder = Party::unidentified_named("Carla Keller", case.company.uid);
    case.links = vec![shares(holder, root, 30.0)];
    case.profiles = [(holder, profile("Carla Keller", Form::WithOwners))].into();
    let text = text(&case);
    assert!(text.contains("without saying whether it is a person: Carla Keller"), "{text}");
    assert!(text.contains("The public sources name no other beneficial owner"), "{text}");
}

/// Whoever holds less than 25 % is no beneficial owner (AMLA 2a para. 3), whether or not it is known who that is.
#[test]
fn holders_below_the_threshold_are_named_with_their_shares_and_are_no_beneficial_owners() {
    let mut case = Case::new();
    let root = Party::Company(case.company.uid);
    let holder = |name| Party::unidentified_named(name, case.company.uid);
    let [foundation, manager] = [holder("Stiftung Lärche"), holder("Eibe Asset Management Ltd")];
    let president = Party::Person(Uuid::from_u128(8));
    let votes = |owner, it| {
        let share = Share::Known(Percent::new(it).expect("a share"));
        link(owner, root, LinkKind::VotingRights, share)
    };
    case.links = vec![votes(foundation, 6.1), votes(manager, 3.4), votes(president, 14.2)];
    case.profiles = [
        (foundation, profile("Stiftung Lärche", Form::WithOwners)),
        (manager, profile("Eibe Asset Management Ltd", Form::WithOwners)),
        (president, profile("F. S. Schwarz", Form::WithOwners)),
    ]
    .into();
    for language in Language::ALL {
        let brief = case.brief(DossierLevel::Standard, language);
        let written = brief.checked(&brief.composed());
        assert_eq!(written.dropped, 0, "{}", brief.composed());
        let content = written.text.content;
        let and = language.of(["und", "et", "e", "and"]);
        let of = language.of(["der Stimmen", "des voix", "dei voti", "of the votes"]);
        let held = format!(
            ": F. S. Schwarz (14.2 % {of}), Stiftung Lärche (6.1 % {of}) {and} Eibe Asset Management Ltd (3.4 % {of}) [["
        );
        for expected in [held.as_str(), terms::no_beneficial_owner(language)] {
            assert!(content.contains(expected), "{expected}\n{content}");
        }
    }
}

/// A branch has a head office (CO 931 para. 2), a sole proprietorship an owner; neither has a capital or a parent.
#[test]
fn what_is_a_part_of_its_owner_has_neither_a_capital_nor_a_parent() {
    let mut case = Case::new();
    let root = Party::Company(case.company.uid);
    let head_office = Party::Company("CHE-101.049.653".parse().expect("a number"));
    let person = Party::Person(Uuid::from_u128(8));
    let whole = Share::Known(Percent::WHOLE);
    let profiles = [
        (root, profile("Muster", Form::Part)),
        (head_office, profile("Muster Holding GmbH", Form::WithOwners)),
        (person, profile("Berta Beispiel", Form::WithOwners)),
    ];
    case.profiles = profiles.into();
    let capital = ["Kapitals", "du capital", "del capitale", "the capital"];
    let parents = ["Muttergesellschaft", "société mère", "società madre", "ultimate known parent"];
    let part = [
        "50 % des Unternehmens",
        "50 % de l’entreprise",
        "50 % dell’impresa",
        "50 % of the company",
    ];
    let office = [
        "Hauptsitz ist Muster Holding GmbH",
        "L’établissement principal est Muster Holding GmbH",
        "La sede principale è Muster Holding GmbH",
        "The head office is Muster Holding GmbH",
    ];
    for language in Language::ALL {
        let owners = |case: &Case, parent| {
            let brief = case.with_facts(|facts| {
                Brief::of(
                    Facts { ultimate_parent: parent, ..facts },
                    DossierLevel::Detailed,
                    language,
                )
            });
            let rows = brief.rows().iter();
            let of_owners =
                rows.filter(|it| [Section::Owners, Section::Risk].contains(&it.section));
            let text = of_owners.map(|it| it.text.as_str()).collect::<Vec<_>>().join(" ");
            for wrong in [capital, parents].map(|it| language.of(it)) {
                assert!(!text.contains(wrong), "{wrong}\n{text}");
            }
            text
        };
        case.links = vec![
            link(head_office, root, LinkKind::HeadOffice, whole),
            shares(person, head_office, 50.0),
        ];
        let text = owners(&case, Some(head_office));
        for expected in [part, office].map(|it| language.of(it)) {
            assert!(text.contains(expected), "{expected}\n{text}");
        }
        case.links = vec![link(person, root, LinkKind::SoleProprietor, whole)];
        let text = owners(&case, None);
        assert!(text.contains(&language.of(part).replace("50 %", "100 %")), "{text}");
    }
}

#[test]
fn an_assumed_audit_is_not_explained_by_the_size_alone() {
    let mut case = Case::new();
    case.company.auditor_name = Some("Revision AG".into());
    let text = text(&case);
    assert!(
        text.contains("this is an assumption, because the sources do not show everything"),
        "{text}"
    );
}

/// Nobody waives the audit of a foundation: an authority exempts it.
#[test]
fn an_exempt_foundation_is_said_to_be_exempted_in_each_language() {
    let mut case = Case::new();
    case.company.legal_form_code = Some("0110".into());
    case.company.auditor_opt_out = Some(true);
    for (language, sentence) in [
        (
            Language::De,
            "hat die Stiftung von der Pflicht befreit, eine Revisionsstelle zu bezeichnen",
        ),
        (Language::Fr, "a dispensé la fondation de l’obligation de désigner un organe de révision"),
        (
            Language::It,
            "ha dispensato la fondazione dall’obbligo di designare un ufficio di revisione",
        ),
        (Language::En, "has exempted the foundation from the duty to have an auditor"),
    ] {
        let brief = case.brief(DossierLevel::Detailed, language);
        let text = brief.checked(&brief.composed()).text.content;
        assert!(text.contains(sentence), "{text}");
    }
}

/// The waiver is stated; open is whether a law requires an ordinary audit.
#[test]
fn a_waiver_of_a_licensed_company_is_no_assumption() {
    let mut case = Case::new();
    case.company.auditor_opt_out = Some(true);
    case.company.is_finma_regulated = Some(true);
    let text = text(&case);
    let sentence = "The company has waived the limited audit; the sources do not show whether the law requires an ordinary audit";
    assert!(text.contains(sentence) && !text.contains("this is an assumption"), "{text}");
}

#[test]
fn the_reason_for_naming_no_parent_is_said_in_each_language() {
    let mut case = Case::new();
    case.company.parent_exceptions = [ParentLevel::Direct, ParentLevel::Ultimate]
        .map(|parent| ParentException { parent, reasons: vec!["NATURAL_PERSONS".into()] })
        .into();
    for (language, reason) in [
        (Language::De, ": natürliche Personen kontrollieren das Unternehmen ["),
        (Language::Fr, ": des personnes physiques contrôlent l’entreprise ["),
        (Language::It, ": persone fisiche controllano l’impresa ["),
        (Language::En, ": natural persons control the company ["),
    ] {
        let brief = case.brief(DossierLevel::Standard, language);
        let text = brief.checked(&brief.composed()).text.content;
        assert!(text.contains("GLEIF") && text.contains(reason), "{text}");
    }
    for code in ["NON_CONSOLIDATING", "NO_KNOWN_PERSON", "NO_LEI", "NON_PUBLIC", "NEW_CODE"] {
        case.company.parent_exceptions[0].reasons = vec![code.into()];
        for language in Language::ALL {
            let brief = case.brief(DossierLevel::Detailed, language);
            let written = brief.checked(&brief.composed());
            assert_eq!(written.dropped, 0, "{}", brief.composed());
            let said = reasons_for_no_parent(language, &[code]);
            assert!(written.text.content.contains(&said), "{}", written.text.content);
        }
    }
}

#[test]
fn the_audit_of_a_pension_foundation_is_that_of_its_own_law() {
    let mut case = Case::new();
    case.company.legal_form_code = Some("0110".into());
    case.company.purpose = Some("Durchführung der beruflichen Vorsorge.".into());
    for (language, sentence) in [
        (Language::De, "richtet sich nach dem Recht der beruflichen Vorsorge ["),
        (Language::Fr, "est régi par le droit de la prévoyance professionnelle ["),
        (Language::It, "è retta dal diritto della previdenza professionale ["),
        (
            Language::En,
            "The law on occupational pensions decides about the audit of the foundation [",
        ),
    ] {
        let brief = case.brief(DossierLevel::Detailed, language);
        let text = brief.checked(&brief.composed()).text.content;
        assert!(text.contains(sentence), "{text}");
    }
}

/// CO 727a para. 2: the year in which the waiver was filed keeps its audit.
#[test]
fn a_waiver_is_said_to_hold_for_later_financial_years_in_each_language() {
    let mut case = Case::new();
    case.company.auditor_opt_out = Some(true);
    case.history.tenures = vec![Tenure {
        auditor_name: "Prüf AG".into(),
        auditor_uid: None,
        appointed_as: None,
        appointed_at: None,
        resigned_at: Some(date(2026, 9, 4)),
        source: source("shab"),
    }];
    for (entered, texts) in [
        (
            date(2026, 9, 1),
            [
                "im laufenden Geschäftsjahr vermutlich noch der eingeschränkten Revision, auf die es für die Geschäftsjahre \
                 verzichtet hat, die nach dem 1. September 2026 beginnen; dies ist eine Annahme",
                "pour les exercices qui commencent après le 1er septembre 2026; c’est une hypothèse",
                "per gli esercizi che iniziano dopo il 1º settembre 2026; è un’ipotesi",
                "it has waived that of financial years that begin after 1 September 2026; this is an assumption",
            ],
        ),
        (
            date(2025, 12, 9),
            [
                "hat für die Geschäftsjahre, die nach dem 9. Dezember 2025 beginnen, auf die eingeschränkte Revision verzichtet [",
                "a renoncé au contrôle restreint pour les exercices qui commencent après le 9 décembre 2025 [",
                "ha rinunciato alla revisione limitata per gli esercizi che iniziano dopo il 9 dicembre 2025 [",
                "has waived the limited audit of financial years that begin after 9 December 2025 [",
            ],
        ),
    ] {
        let waiver = domain::Event {
            kind: ChangeKind::AuditOptOut,
            new_value: Some("true".into()),
            date: entered,
            ..event(&case, entered)
        };
        case.history.events = vec![waiver.into()];
        for (language, expected) in Language::ALL.into_iter().zip(texts) {
            let brief = case.brief(DossierLevel::Detailed, language);
            let text = brief.checked(&brief.composed()).text.content;
            assert!(text.contains(expected), "{expected}\n\n{text}");
        }
    }
}

/// The register does not state whether shares are listed, so no text may.
#[test]
fn duties_of_unlisted_companies_are_open_for_a_corporation() {
    let case = Case::new();
    let text = text(&case);
    assert!(!text.contains("For the company, Art. 9-11 LETA applies"), "{text}");
    assert!(text.contains("Art. 9-11 LETA"), "{text}");
}

#[test]
fn a_row_that_contradicts_the_record_or_the_history_reaches_no_text() {
    let mut case = Case::new();
    case.company.status = Some(Status::BeingCancelled);
    case.company.status_reason = Some(StatusReason::Bankruptcy);
    let mut former = case.history.mandates[0].clone();
    former.person.last_name = "Gegangen".into();
    former.until = Some(jiff::civil::date(2024, 2, 1));
    case.history.mandates.push(former);
    for (section, said, agrees) in [
        (Section::Overview, "The company is in liquidation; the reason is: bankruptcy", true),
        (Section::Overview, "The company is in liquidation; the reason is: merger", false),
        (Section::Overview, "The company is active", false),
        (Section::Overview, "The company is in liquidation and was once active", true),
        (Section::Identity, "The first entry in the commercial register is of 3 May 2001", true),
        (Section::Identity, "The first entry in the commercial register is of 4 May 2001", false),
        (Section::Board, "Anna Beispiel is entered as member of the board of directors", true),
        (Section::Board, "Anna Beispiel is entered as liquidator", false),
        (Section::Board, "Anna Gegangen is entered as member of the board of directors", false),
        (Section::Owners, "The legal form has no owners", false),
        (Section::Owners, "Muster & Co. Treuhand AG has no owners by law", false),
        (Section::Owners, "The public sources name no beneficial owner", true),
    ] {
        let mut brief = case.brief(DossierLevel::Standard, Language::En);
        let row = brief.rows.iter_mut().find(|it| it.section == section && it.cells.is_none());
        row.expect("a row").text = format!("{said}.");
        let written = brief.checked(&brief.composed());
        assert_eq!(written.text.content.contains(said), agrees, "{said}");
        assert_eq!(written.dropped, u32::from(!agrees), "{said}");
    }
}

#[test]
fn what_shortens_a_list_says_how_much_is_missing() {
    let mut case = Case::new();
    let mandate = case.history.mandates[0].clone();
    case.history.mandates = (0..20)
        .map(|number| {
            let mut mandate = mandate.clone();
            mandate.person_id = Uuid::from_u128(number);
            mandate.person.last_name = format!("Beispiel{number}");
            mandate
        })
        .collect();
    let names = ["Eins", "Zwei", "Drei", "Vier", "Fünf", "Sechs", "Sieben"];
    case.company.old_names = Some(names.map(|it| format!("{it} AG")).to_vec());
    let text = text(&case);
    for expected in [
        "Current entries of officers and signatories: 20 (Board of directors: 20)",
        "Entries not listed here: 5",
        "The company was formerly called: Eins AG, Zwei AG, Drei AG, Vier AG, Fünf AG and 2 other names",
    ] {
        assert!(text.contains(expected), "{expected}\n{text}");
    }
}

/// A company that Übernahme AG took over, which Berta Beispiel directs.
fn taken_over() -> Case {
    let mut case = Case::new();
    let root = Party::Company(case.company.uid);
    let other = Party::Company("CHE-101.049.653".parse().expect("a number"));
    let share = Share::Unknown(UnknownShare::NoShare);
    case.links = vec![
        link(other, root, LinkKind::Merger, share),
        board(Party::Person(Uuid::from_u128(8)), other),
    ];
    case.profiles = [
        (root, profile("Muster & Co. Treuhand AG", Form::WithOwners)),
        (other, profile("Übernahme AG", Form::WithOwners)),
        (Party::Person(Uuid::from_u128(8)), profile("Berta Beispiel", Form::WithOwners)),
    ]
    .into();
    case
}

/// A company that was taken over belongs to another one, whose owners are not known: this does not make it ownerless.
#[test]
fn only_who_has_no_owners_by_law_is_said_to_have_none() {
    let case = taken_over();
    let text = text(&case);
    assert!(!text.contains("no owners by law"), "{text}");
    assert!(text.contains("The company belongs to Übernahme AG"), "{text}");
}

/// A company that a merger dissolved has neither owners nor a parent.
#[test]
fn absorbed_company_has_no_owners_but_a_successor() {
    let mut case = taken_over();
    case.company.status = Some(Status::Cancelled);
    case.company.status_reason = Some(StatusReason::Merged);
    let never = ["belongs to", "Berta Beispiel", "last owners", "they direct", "parent"];
    assert_says(
        &case,
        [
            "Übernahme AG hat es durch eine Fusion übernommen",
            "Übernahme AG l’a reprise par une fusion",
            "Übernahme AG l’ha ripresa mediante una fusione",
            "Übernahme AG took it over in a merger",
        ],
        &never,
    );
    assert!(text(&case).contains("has no owners any more"), "{}", text(&case));
}

/// A share that passes through other companies, or through a circle, is not what the register states of the holder.
#[test]
fn share_over_several_levels_is_said_to_be_so() {
    let part = |it: f64| Share::Known(Percent::new(it).expect("a share"));
    let root = Party::Company("CHE-600.000.012".parse().expect("a number"));
    let other = Party::Company("CHE-101.049.653".parse().expect("a number"));
    let foundation = Party::Company("CHE-101.049.654".parse().expect("a number"));
    for (indirect, expected) in [
        (false, "Stiftung Muster holds 40 % of the capital and"),
        (true, "Stiftung Muster holds 60 % of the capital over all levels"),
    ] {
        let mut case = Case::new();
        case.links = vec![link(foundation, root, LinkKind::Shares, part(40.0))];
        if indirect {
            case.links.push(link(other, root, LinkKind::Shares, part(20.0)));
            case.links.push(link(foundation, other, LinkKind::Shares, part(100.0)));
        }
        case.links.push(board(Party::Person(Uuid::from_u128(8)), foundation));
        case.profiles = [
            (root, profile("Muster & Co. Treuhand AG", Form::WithOwners)),
            (other, profile("Zwischen AG", Form::WithOwners)),
            (foundation, profile("Stiftung Muster", Form::WithoutOwners)),
            (Party::Person(Uuid::from_u128(8)), profile("Berta Beispiel", Form::WithOwners)),
        ]
        .into();
        let text = text(&case);
        assert!(text.contains(expected), "{expected}\n{text}");
    }
}

/// The bankruptcy administration acts in place of the board (DEBA 204, 240).
#[test]
fn board_of_a_bankrupt_company_does_not_direct_it() {
    let mut case = Case::new();
    case.company.status = Some(Status::BeingCancelled);
    case.company.status_reason = Some(StatusReason::Bankruptcy);
    let root = Party::Company(case.company.uid);
    let anna = Party::Person(Uuid::from_u128(8));
    case.links = vec![board(anna, root)];
    case.profiles = [
        (root, profile("Muster & Co. Treuhand AG", Form::WithOwners)),
        (anna, profile("Berta Beispiel", Form::WithOwners)),
    ]
    .into();
    assert_says(
        &case,
        [
            "an deren Stelle die Konkursverwaltung handelt: Berta Beispiel",
            "à la place de laquelle agit l’administration de la faillite: Berta Beispiel",
            "al posto della quale agisce l’amministrazione del fallimento: Berta Beispiel",
            "in whose place the bankruptcy administration acts: Berta Beispiel",
        ],
        &["because they direct", "because this person directs"],
    );
    case.company.status_reason = Some(StatusReason::Voluntary);
    assert!(text(&case).contains("because this person directs"), "{}", text(&case));
}

/// The text in each language, after the check.
fn texts(case: &Case) -> Vec<String> {
    let text = |language| {
        let brief = case.brief(DossierLevel::Detailed, language);
        let written = brief.checked(&brief.composed());
        assert_eq!(written.dropped, 0, "{}", brief.composed());
        written.text.content
    };
    Language::ALL.map(text).into()
}

#[track_caller]
fn assert_says(case: &Case, expected: [&str; 4], never: &[&str]) {
    for (text, expected) in texts(case).iter().zip(expected) {
        assert!(text.contains(expected), "{expected}\n{text}");
    }
    let english = texts(case).pop().expect("English is the last");
    for never in never {
        assert!(!english.contains(never), "{never}\n{english}");
    }
}

#[test]
fn a_branch_belongs_to_a_head_office_of_which_nothing_is_known() {
    let mut case = Case::new();
    let root = Party::Company(case.company.uid);
    let head = Party::firm_named("Muster Trading Inc., Wilmington", case.company.uid);
    let manager = Party::Person(Uuid::from_u128(8));
    let management = LinkKind::Office(RoleCategory::Management);
    case.links = vec![
        link(head, root, LinkKind::HeadOffice, Share::Known(Percent::WHOLE)),
        link(manager, root, management, Share::Unknown(UnknownShare::NoShare)),
    ];
    case.profiles = [
        (root, profile("Muster Trading Inc., Wilmington, Zweigniederlassung Stäfa", Form::Part)),
        (head, profile("Muster Trading Inc., Wilmington", Form::WithOwners)),
        (manager, profile("Berta Beispiel", Form::WithOwners)),
    ]
    .into();
    assert_says(
        &case,
        [
            "Die Zweigniederlassung gehört zu Muster Trading Inc., Wilmington; deren Eigentümer und Leitung sind nicht bekannt",
            "La succursale appartient à Muster Trading Inc., Wilmington; ses propriétaires et sa direction ne sont pas connus",
            "La succursale appartiene a Muster Trading Inc., Wilmington; i suoi proprietari e la sua direzione non sono noti",
            "The branch belongs to Muster Trading Inc., Wilmington; its owners and its management are not known",
        ],
        &["Named instead", "of the capital", "name no beneficial owner", "last owners"],
    );
    // Without a head office.
    case.links.clear();
    let text = text(&case);
    assert!(text.contains("To whom the company belongs is not known"), "{text}");
    assert!(!text.contains("of the capital"), "{text}");
}

#[test]
fn members_of_a_cooperative_are_not_registered() {
    let mut case = Case::new();
    let root = Party::Company(case.company.uid);
    case.profiles = [(root, profile("Muster Genossenschaft", Form::Cooperative))].into();
    assert_says(
        &case,
        [
            "Die Mitglieder von Genossenschaften sind nicht eingetragen",
            "Les membres des sociétés coopératives ne sont pas inscrits",
            "I membri delle società cooperative non sono iscritti",
            "The members of cooperatives are not registered",
        ],
        &["has no owners", "of the capital", "last owners"],
    );
    let holder = Party::Company("CHE-101.049.653".parse().expect("a number"));
    let director = Party::Person(Uuid::from_u128(8));
    case.links = vec![shares(holder, root, 60.0), board(director, holder)];
    case.profiles = [
        (root, profile("Muster & Co. Treuhand AG", Form::WithOwners)),
        (holder, profile("Lärche Genossenschaft", Form::Cooperative)),
        (director, profile("Berta Beispiel", Form::WithOwners)),
    ]
    .into();
    assert_says(
        &case,
        [
            "Lärche Genossenschaft hält 60 % des Kapitals, kontrolliert damit das Unternehmen und hat Mitglieder, die nicht eingetragen sind",
            "contrôle ainsi l’entreprise et a des membres qui ne sont pas inscrits",
            "controlla così l’impresa e ha membri che non sono iscritti",
            "controls the company and has members who are not registered",
        ],
        &["has no owners", "not registered by law"],
    );
}

#[test]
fn partners_are_known_although_their_shares_are_not() {
    let mut case = Case::new();
    let root = Party::Company(case.company.uid);
    let persons = [8, 9].map(|it| Party::Person(Uuid::from_u128(it)));
    let of_kind = |kind, reason| persons.map(|it| link(it, root, kind, Share::Unknown(reason)));
    let office = LinkKind::Office(RoleCategory::Partner);
    let partners = of_kind(LinkKind::Partnership, UnknownShare::NotRegistered);
    let offices = of_kind(office, UnknownShare::NoShare);
    case.links = [partners, offices.clone()].concat();
    let named = [(persons[0], "Berta Beispiel"), (persons[1], "Carla Keller")];
    let named = named.map(|(it, name)| (it, profile(name, Form::WithOwners)));
    case.profiles = [(root, profile("Beispiel & Keller", Form::Partnership))].into();
    case.profiles.extend(named);
    let never = ["last owners", "Not all shares", "of the capital", "name no beneficial owner"];
    assert_says(
        &case,
        [
            "Wie sich die Anteile auf die bekannten Eigentümer verteilen, ist nicht bekannt",
            "La répartition des parts entre les propriétaires connus n’est pas connue",
            "La ripartizione delle quote tra i proprietari noti non è nota",
            "How the shares are divided among the known owners is not known",
        ],
        &never,
    );
    // A limited liability company has a capital.
    case.links = [of_kind(LinkKind::Shares, UnknownShare::NotStated), offices].concat();
    case.profiles.insert(root, profile("Beispiel GmbH", Form::WithOwners));
    assert_says(
        &case,
        [
            "Wie sich 100 % des Kapitals auf die bekannten Eigentümer verteilen, ist nicht bekannt",
            "La répartition de 100 % du capital entre les propriétaires connus n’est pas connue",
            "La ripartizione di 100 % del capitale tra i proprietari noti non è nota",
            "How 100 % of the capital is divided among the known owners is not known",
        ],
        &["last owners", "Not all shares", "name no beneficial owner"],
    );
    // One owner divides nothing.
    case.links.retain(|it| it.owner == persons[0]);
    assert_says(
        &case,
        [
            "Welchen Teil von 100 % des Kapitals der einzige bekannte Eigentümer hält, ist nicht bekannt",
            "La partie de 100 % du capital que détient le seul propriétaire connu n’est pas connue",
            "La parte di 100 % del capitale detenuta dall’unico proprietario noto non è nota",
            "What part of 100 % of the capital the only known owner holds is not known",
        ],
        &["among the known owners", "last owners"],
    );
}

#[test]
fn a_deleted_company_had_officers_and_owners() {
    let mut case = Case::new();
    let deleted_on = date(2017, 9, 27);
    case.company.status = Some(Status::Cancelled);
    case.company.legal_form_code = Some("0101".into());
    let mandate = &mut case.history.mandates[0];
    (mandate.role, mandate.category) = ("Inhaberin".into(), RoleCategory::Owner);
    mandate.since = Some(date(2008, 5, 1));
    mandate.until = Some(deleted_on);
    // Who left before was neither in the end.
    let mut former = mandate.clone();
    former.person.last_name = "Vorgänger".into();
    former.until = Some(date(2010, 1, 5));
    case.history.mandates.push(former);
    let mut deletion = with_old_change_of_capital("1", "2").history.events.remove(0);
    deletion.event.kind = ChangeKind::Deletion;
    deletion.event.date = deleted_on;
    (deletion.event.field, deletion.event.new_value) = (None, None);
    case.history.events.push(deletion);
    let root = Party::Company(case.company.uid);
    case.profiles = [(root, profile("Anna Beispiel", Form::Part))].into();
    let never =
        ["name no officers", "of the capital", "last owners", "name no beneficial", "belongs"];
    assert_says(
        &case,
        [
            "Bis zur Löschung eingetragen: Anna Beispiel (Inhaber",
            "Inscription jusqu’à la radiation: Anna Beispiel (",
            "Iscrizione fino alla cancellazione: Anna Beispiel (",
            "Entered until the deletion: Anna Beispiel (",
        ],
        &never,
    );
    assert_says(
        &case,
        [
            "Das Unternehmen ist gelöscht und hat keine Eigentümer mehr",
            "L’entreprise est radiée et n’a plus de propriétaires",
            "L’impresa è cancellata e non ha più proprietari",
            "The company is deleted and has no owners any more",
        ],
        &never,
    );
    assert_says(
        &case,
        [
            "Als Eigentümer bis zur Löschung eingetragen: Anna Beispiel",
            "Inscription comme propriétaire jusqu’à la radiation: Anna Beispiel",
            "Iscrizione come proprietario fino alla cancellazione: Anna Beispiel",
            "Entered as owner until the deletion: Anna Beispiel",
        ],
        &never,
    );
    let mut partner = case.history.mandates[0].clone();
    partner.person.first_name = Some("Rita".into());
    case.history.mandates.push(partner);
    assert_says(
        &case,
        [
            "Bis zur Löschung eingetragen: Anna Beispiel (Inhaber",
            "Inscriptions jusqu’à la radiation: Anna Beispiel (",
            "Iscrizioni fino alla cancellazione: Anna Beispiel (",
            "Entered until the deletion: Anna Beispiel (",
        ],
        &never,
    );
    assert_says(
        &case,
        [
            "Als Eigentümer bis zur Löschung eingetragen: Anna Beispiel und Rita Beispiel",
            "Inscriptions comme propriétaires jusqu’à la radiation: Anna Beispiel et Rita Beispiel",
            "Iscrizioni come proprietari fino alla cancellazione: Anna Beispiel e Rita Beispiel",
            "Entered as owners until the deletion: Anna Beispiel and Rita Beispiel",
        ],
        &never,
    );
}

/// What lasted until the deletion does not last today.
#[test]
fn what_a_deleted_company_kept_ended_with_its_deletion() {
    let mut case = Case::new();
    let entry = Event { kind: ChangeKind::NewRegistration, ..event(&case, date(2001, 5, 3)) };
    case.history.events.push(entry.into());
    case.history.mandates[0].since = Some(date(2001, 5, 3));
    case.company.noga_code = Some("561001".into());
    let lasting = ["has not changed", "has left", "The capital is at most", "The company runs"];
    let english = texts(&case).pop().expect("English is the last");
    assert!(lasting.iter().all(|it| english.contains(it)), "{english}");
    case.company.status = Some(Status::Cancelled);
    case.company.deletion_date = Some(date(2017, 9, 27));
    for expected in [
        [
            "unveränderte Adresse in den fünf Jahren vor der Löschung",
            "adresse inchangée pendant les cinq ans avant la radiation",
            "indirizzo invariato nei cinque anni prima della cancellazione",
            "At the deletion, the address had not changed for five years",
        ],
        [
            "kein Ausscheiden aus der Leitung in den fünf Jahren vor der Löschung",
            "aucun départ des organes dirigeants pendant les cinq ans avant la radiation",
            "nessuna uscita dagli organi direttivi nei cinque anni prima della cancellazione",
            "At the deletion, no member of the board or the management had left for five years",
        ],
        ["letztes Kapital von", "dernier capital", "ultimo capitale", "The last capital was"],
        ["frühere Tätigkeit", "ancienne activité", "precedente attività", "The company ran"],
    ] {
        assert_says(&case, expected, &lasting);
    }
}

/// A capital that was increased or reduced long ago: the evidence changes no decimal.
fn with_old_change_of_capital(old: &str, new: &str) -> Case {
    let mut case = Case::new();
    case.company.status = Some(Status::BeingCancelled);
    case.company.status_reason = Some(StatusReason::Voluntary);
    case.company.registration_date = Some(date(1970, 3, 2));
    case.company.auditor_opt_out = Some(true);
    case.company.share_capital = new.parse().ok();
    let event = domain::Event {
        id: Uuid::from_u128(1),
        uid: case.company.uid,
        company_name: case.company.name.clone(),
        canton: None,
        kind: ChangeKind::CapitalChange,
        field: Some("shareCapital".into()),
        old_value: Some(old.into()),
        new_value: Some(new.into()),
        summary: String::new(),
        date: date(1975, 3, 2),
        source: source("shab"),
        subject: None,
        legal_event: None,
        journal_date: None,
        decision_date: None,
        currencies: Some(["CHF".into(), "CHF".into()]),
        transfer: None,
    };
    // The age of an event is that of its source.
    let source = Provenance { date: Some(event.date), ..event.source.clone() };
    case.history.events = vec![domain::Event { source, ..event }.into()];
    case
}

#[test]
fn a_factor_whose_written_value_does_not_change_is_no_driver_and_keeps_its_reason() {
    for (old, new, reason) in [
        ("900000", "500000", "Adverse observation (1): The capital was reduced"),
        ("300000", "500000", "Mitigating observation (1): The capital was increased"),
    ] {
        let case = with_old_change_of_capital(old, new);
        let brief = case.brief(DossierLevel::Detailed, Language::En);
        let text = brief.checked(&brief.composed()).text.content;
        let driver = text.split("What raises it most: ").nth(1).expect("drivers");
        let driver = driver.split("[[").next().unwrap_or_default();
        assert!(driver.contains("age and status"), "{driver}");
        assert!(!driver.contains("capital"), "{driver}");
        assert!(text.contains("The factor legal form and capital stays at"), "{text}");
        assert!(text.contains(reason), "{text}");
    }
}

#[test]
fn a_published_role_without_a_term_is_named_and_ends_no_sentence() {
    for (role, category) in [
        ("Sachwalter", RoleCategory::Other),
        ("prov. Sachwalterin", RoleCategory::Other),
        ("Leiter Verkauf", RoleCategory::Management),
    ] {
        let mut case = Case::new();
        case.history.mandates[0].role = role.into();
        case.history.mandates[0].category = category;
        assert!(text(&case).contains(&format!("is entered as {role}")), "{}", text(&case));
    }
    let mut branch = Case::new();
    branch.history.mandates[0].role = "directrice de la succursale".into();
    branch.history.mandates[0].category = RoleCategory::Management;
    assert_says(
        &branch,
        [
            "Direktor/in der Zweigniederlassung",
            "directeur/trice de la succursale",
            "direttore/trice della succursale",
            "director of the branch",
        ],
        &["directrice"],
    );
    let mut hostile = Case::new();
    hostile.history.mandates[0].role = format!("A [[obl:ev-1]]. {}", "B".repeat(500));
    hostile.history.mandates[0].category = RoleCategory::Other;
    assert!(text(&hostile).contains("is entered as A ((obl:ev-1)). BBB"), "{}", text(&hostile));
    assert!(!text(&hostile).contains(&"B".repeat(121)), "{}", text(&hostile));
}

#[test]
fn an_address_names_the_post_office_box_and_with_whom_it_is() {
    let mut case = Case::new();
    case.company.address_care_of = Some("Sébastien Reymond".into());
    case.company.address_street = Some("Rue des Alpes".into());
    case.company.address_house_number = Some("103".into());
    case.company.address_po_box = Some("877".into());
    case.company.address_zip_code = Some("1815".into());
    case.company.address_city = Some("Clarens".into());
    let brief = case.brief(DossierLevel::Standard, Language::Fr);
    let text = brief.checked(&brief.composed()).text.content;
    let address = "c/o Sébastien Reymond, Rue des Alpes 103, Case postale 877, 1815 Clarens";
    assert!(text.contains(address), "{text}");
}

#[test]
fn a_foundation_has_a_deed_and_an_association_articles() {
    for (form, [founded, changed]) in [
        ("0110", ["Die Stiftungsurkunde datiert vom", "Änderung der Stiftungsurkunde"]),
        ("0109", ["Die ersten Statuten datieren vom", "Änderung der Statuten"]),
        ("0106", ["Die ersten Statuten datieren vom", "Änderung der Statuten"]),
    ] {
        let mut case = with_old_change_of_capital("300000", "500000");
        case.company.legal_form_code = Some(form.into());
        case.company.founding_date = Some(date(2006, 12, 8));
        let mut event = case.history.events[0].event.clone();
        event.kind = ChangeKind::StatutesChange;
        event.field = None;
        case.history.events = vec![event.into()];
        let brief = case.brief(DossierLevel::Standard, Language::De);
        let text = brief.checked(&brief.composed()).text.content;
        for expected in [founded, changed] {
            assert!(text.contains(expected), "{form}: {expected}\n{text}");
        }
    }
}

/// Every sentence with a list is right for a list of one too.
#[test]
fn one_item_of_a_list_is_no_plural() {
    let mut case = Case::new();
    let root = Party::Company(case.company.uid);
    let director = Party::Person(Uuid::from_u128(8));
    case.company.old_names = Some(vec!["Eins AG".into()]);
    case.owners_not_searched = Some(vec!["Lärche Holding plc".into()]);
    case.links = vec![board(director, root)];
    case.profiles = [
        (root, profile("Muster & Co. Treuhand AG", Form::WithOwners)),
        (director, profile("Giulia Martinoni", Form::WithOwners)),
    ]
    .into();
    for (language, expected) in [
        (
            Language::De,
            [
                "Früher hiess das Unternehmen: Eins AG",
                "Nach einem Eigentümer wurden sie nicht durchsucht: Lärche Holding plc",
                "als Leitung von Muster & Co. Treuhand AG: Giulia Martinoni",
            ],
        ),
        (
            Language::Fr,
            [
                "L’entreprise s’appelait auparavant: Eins AG",
                "pour un propriétaire: Lärche Holding plc",
                "À défaut, indication de la direction (Muster & Co. Treuhand AG): Giulia Martinoni",
            ],
        ),
        (
            Language::It,
            [
                "L’impresa si chiamava in precedenza: Eins AG",
                "per un proprietario: Lärche Holding plc",
                "In mancanza, indicazione della direzione (Muster & Co. Treuhand AG): Giulia Martinoni",
            ],
        ),
    ] {
        let brief = case.brief(DossierLevel::Standard, language);
        let text = brief.checked(&brief.composed()).text.content;
        for expected in expected {
            assert!(text.contains(expected), "{expected}\n{text}");
        }
    }
}

/// A "yes" of one addressee says nothing about another: each duty of the company has its own line, in every language.
#[test]
fn the_table_has_a_line_for_each_addressee_of_a_provision() {
    let mut case = Case::new();
    case.company.purpose = Some("Führung eines Treuhandbüros und Vermögensverwaltung.".into());
    let applied: Vec<(&str, Addressee, bool)> = case.with_facts(|facts| {
        let scope = facts.scope.applied.iter();
        let applied = scope.flat_map(|it| it.to.iter().map(move |to| (it.obligation, to)));
        let answers = applied.map(|(it, to)| (&*it.id, to.addressee, to.answer == Answer::Yes));
        answers.collect()
    });
    let own = |wanted| {
        let own = applied.iter().filter(|it| it.1 == Addressee::Company && it.2 == wanted);
        own.map(|it| it.0).collect::<BTreeSet<_>>()
    };
    let (certain, open) = (own(true), &own(false) - &own(true));
    let covered =
        applied.iter().any(|it| it.1 != Addressee::Company && it.2 && open.contains(it.0));
    assert!(covered, "an open duty of the company is certain for somebody else: {applied:?}");
    for language in Language::ALL {
        let company = capitalised(terms::addressee(language, Addressee::Company));
        for level in [DossierLevel::Standard, DossierLevel::Detailed] {
            let brief = case.brief(level, language);
            let lines = |is_certain| {
                let answer = terms::applies(language, is_certain);
                let lines = brief.rows().iter().filter(|it| {
                    it.cells.as_ref().is_some_and(|it| it[2] == company && it[3] == answer)
                });
                lines.map(|it| it.id.as_str()).collect::<Vec<_>>()
            };
            assert_eq!(lines(true).into_iter().collect::<BTreeSet<_>>(), certain);
            assert_eq!(lines(false).into_iter().collect::<BTreeSet<_>>(), open);
            assert_eq!(lines(false).len(), open.len(), "each once");
            let written = brief.checked(&brief.composed());
            assert_eq!(written.dropped, 0, "{}", brief.composed());
            let table = written.text.content.matches(&format!("| {company} | ")).count();
            assert_eq!(table, certain.len() + open.len(), "{}", written.text.content);
        }
    }
}

/// That somebody left and that nobody left for five years are both true, if it is said when.
#[test]
fn counted_events_carry_their_years_and_states_do_not() {
    let mut case = Case::new();
    case.history.events = vec![event(&case, date(2003, 5, 1)).into()];
    for (id, year) in [(8, 2010), (9, 2015)] {
        let mut former = case.history.mandates[0].clone();
        former.person_id = Uuid::from_u128(id);
        former.since = Some(date(2003, 5, 1));
        former.until = Some(date(year, 2, 1));
        former.source = Provenance { date: former.until, ..source("shab") };
        case.history.mandates.push(former);
    }
    for (language, left, stayed) in [
        (
            Language::De,
            "(2): Ausscheiden einer Person aus der Leitung (publiziert: 2010 und 2015)",
            "kein Ausscheiden aus der Leitung seit fünf Jahren [[",
        ),
        (
            Language::Fr,
            "(2): départ d’un membre des organes dirigeants (publication: 2010 et 2015)",
            "aucun départ des organes dirigeants depuis cinq ans [[",
        ),
        (
            Language::It,
            "(2): uscita di un membro degli organi direttivi (pubblicazione: 2010 e 2015)",
            "nessuna uscita dagli organi direttivi da cinque anni [[",
        ),
        (Language::En, "(published: 2010 and 2015)", "for five years [["),
    ] {
        let brief = case.brief(DossierLevel::Detailed, language);
        let written = brief.checked(&brief.composed());
        assert_eq!(written.dropped, 0, "{}", brief.composed());
        for expected in [left, stayed] {
            assert!(
                written.text.content.contains(expected),
                "{expected}\n{}",
                written.text.content
            );
        }
    }
}

/// Of each number of employees, also none and one.
#[test]
fn counted_employees_are_in_the_grammatical_number() {
    let mut case = Case::new();
    for (language, counted) in [
        (Language::De, ["0 Beschäftigte", "1 beschäftigte Person", "2 Beschäftigte"]),
        (Language::Fr, ["0 personne employée", "1 personne employée", "2 personnes employées"]),
        (Language::It, ["0 persone occupate", "1 persona occupata", "2 persone occupate"]),
        (Language::En, ["0 employees", "1 employee", "2 employees"]),
    ] {
        for (employees, counted) in (0..).zip(counted) {
            case.company.employee_count = Some(employees);
            let brief = case.brief(DossierLevel::Detailed, language);
            let written = brief.checked(&brief.composed());
            assert_eq!(written.dropped, 0, "{}", brief.composed());
            let sentence = format!(" {counted} [[");
            assert!(written.text.content.contains(&sentence), "{}", written.text.content);
        }
    }
}
