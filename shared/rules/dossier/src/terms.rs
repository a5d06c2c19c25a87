//! The terms of the register, of the law and of the method in four languages.

use std::{collections::BTreeMap, sync::LazyLock};

use auth::Language;
use domain::{
    Event, History, Status, changes::LegalEvent, company::StatusReason, legal_forms::LegalForm,
    persons::SigningAuthority, terms, wording::in_number,
};
use obligations::{Addressee, Obligation, RegimeKind};
use risk::{Direction, FactorKind, RiskLevel, Sign};

/// German, French and Italian texts by id. English ones are part of the catalogues.
type Translations = BTreeMap<String, [String; 3]>;

static OBLIGATIONS: LazyLock<Translations> =
    LazyLock::new(|| read(include_str!("../data/obligations.json")));

fn read(text: &str) -> Translations {
    serde_json::from_str(text).expect("a file of this crate is valid, as its tests show")
}

fn translated<'a>(
    texts: &'a Translations,
    id: &str,
    language: Language,
    english: &'a str,
) -> &'a str {
    let known = texts.get(id).map(|[de, fr, it]| [de.as_str(), fr, it]);
    match (language, known) {
        (Language::En, _) | (_, None) => english,
        (_, Some([de, fr, it])) => language.of([de, fr, it, english]),
    }
}

/// What an obligation is about, as a noun phrase; in English one sentence.
pub(crate) fn topic(language: Language, obligation: &'static Obligation) -> String {
    // Some English ones have two sentences.
    let english = obligation.excerpt.trim_end_matches('.').replace(". ", "; ");
    translated(&OBLIGATIONS, &obligation.id, language, &english).to_owned()
}

/// What was observed, at a company that is deleted or not.
pub(crate) fn sign(language: Language, sign: Sign, is_deleted: bool) -> &'static str {
    language.of(match is_deleted {
        false => risk::terms::sign(sign),
        true => risk::terms::sign_of_deleted(sign),
    })
}

/// Short name of a regulation, as it is cited in the language.
pub(crate) fn regulation(language: Language, id: &str) -> String {
    let names = match id {
        "CO" => ["OR", "CO", "CO", "CO"],
        "CC" => ["ZGB", "CC", "CC", "CC"],
        "AMLA" => ["GwG", "LBA", "LRD", "AMLA"],
        "AMLO-FINMA" => ["GwV-FINMA", "OBA-FINMA", "ORD-FINMA", "AMLO-FINMA"],
        "LETA" => ["TJPG", "LTPM", "LTPG", "LETA"],
        "SCC" => ["StGB", "CP", "CP", "SCC"],
        "ORC" => ["HRegV", "ORC", "ORC", "ORC"],
        "EmbA" => ["EmbG", "LEmb", "LEmb", "EmbA"],
        "FIAA" => ["SRVG", "LVP", "LVP", "FIAA"],
        "FinMIA" => ["FinfraG", "LIMF", "LInFi", "FinMIA"],
        "SIX-LR" => ["KR SIX", "RC SIX", "RQ SIX", "SIX-LR"],
        "FADP" => ["DSG", "LPD", "LPD", "FADP"],
        "DEBA" => ["SchKG", "LP", "LEF", "DEBA"],
        "FATF" => ["FATF", "GAFI", "GAFI", "FATF"],
        other => return other.to_owned(),
    };
    language.of(names).to_owned()
}

/// The number of an article, as it is written in the language.
pub(crate) fn article(language: Language, article: &str) -> String {
    match language {
        Language::De => article.replace("para.", "Abs."),
        Language::Fr => article.replace("para.", "al.").replace("Art.", "art."),
        Language::It => article.replace("para.", "cpv.").replace("Art.", "art."),
        Language::En => article.to_owned(),
    }
}

/// To whom a provision is addressed, in the form that follows "for".
pub(crate) fn addressee(language: Language, addressee: Addressee) -> &'static str {
    language.of(match addressee {
        Addressee::Company => ["das Unternehmen", "l’entreprise", "l’impresa", "the company"],
        Addressee::FinancialIntermediary => [
            "Finanzintermediäre mit dem Unternehmen als Kunden",
            "les intermédiaires financiers dont l’entreprise est cliente",
            "gli intermediari finanziari di cui l’impresa è cliente",
            "financial intermediaries that have the company as a customer",
        ],
        Addressee::Holder => [
            "Inhaber von Beteiligungen am Unternehmen",
            "les détenteurs de participations dans l’entreprise",
            "i detentori di partecipazioni nell’impresa",
            "holders of shares of the company",
        ],
        Addressee::Auditor => {
            ["die Revisionsstelle", "l’organe de révision", "l’ufficio di revisione", "the auditor"]
        }
        Addressee::Authority => ["Behörden", "les autorités", "le autorità", "authorities"],
        Addressee::State => ["Staaten", "les États", "gli Stati", "states"],
    })
}

/// The heads of the columns of the table of provisions.
pub(crate) fn columns(language: Language) -> [&'static str; 4] {
    language.of([
        ["Bestimmung", "Gegenstand", "Adressaten", "Gilt"],
        ["Disposition", "Objet", "Destinataires", "S’applique"],
        ["Disposizione", "Oggetto", "Destinatari", "Si applica"],
        ["Provision", "Subject", "Addressees", "Applies"],
    ])
}

/// Whether a provision applies, or the sources do not show it.
pub(crate) fn applies(language: Language, is_certain: bool) -> &'static str {
    match is_certain {
        true => language.of(["ja", "oui", "sì", "yes"]),
        false => language.of(["offen", "incertain", "incerto", "uncertain"]),
    }
}

/// That an entity has no owners, in the form that follows its name.
pub(crate) fn no_owners(language: Language) -> &'static str {
    language.of([
        "hat nach dem Gesetz keine Eigentümer",
        "n’a pas de propriétaires selon la loi",
        "per legge non ha proprietari",
        "has no owners by law",
    ])
}

/// That the company has no owners: a sentence.
pub(crate) fn form_without_owners(language: Language) -> &'static str {
    language.of([
        "Die Rechtsform kennt keine Eigentümer",
        "La forme juridique ne connaît pas de propriétaires",
        "La forma giuridica non conosce proprietari",
        "The legal form has no owners",
    ])
}

/// That the members of an entity are not registered, after its name.
pub(crate) fn unregistered_members(language: Language) -> &'static str {
    language.of([
        "hat Mitglieder, die nicht eingetragen sind",
        "a des membres qui ne sont pas inscrits",
        "ha membri che non sono iscritti",
        "has members who are not registered",
    ])
}

/// That the members of the company are not registered: a sentence.
pub(crate) fn members_not_registered(language: Language) -> &'static str {
    language.of([
        "Die Mitglieder von Genossenschaften sind nicht eingetragen",
        "Les membres des sociétés coopératives ne sont pas inscrits",
        "I membri delle società cooperative non sono iscritti",
        "The members of cooperatives are not registered",
    ])
}

/// That an entry ended with the company: the beginning of a sentence.
pub(crate) fn until_deletion(language: Language, entries: usize) -> &'static str {
    let texts = [
        [
            "Bis zur Löschung eingetragen",
            "Inscription jusqu’à la radiation",
            "Iscrizione fino alla cancellazione",
            "Entered until the deletion",
        ],
        [
            "Bis zur Löschung eingetragen",
            "Inscriptions jusqu’à la radiation",
            "Iscrizioni fino alla cancellazione",
            "Entered until the deletion",
        ],
    ];
    in_number(language, entries as u64, texts)
}

/// Who owned a company when the register deleted it, before the names.
pub(crate) fn owners_until_deletion(language: Language, owners: usize) -> &'static str {
    let texts = [
        [
            "Als Eigentümer bis zur Löschung eingetragen",
            "Inscription comme propriétaire jusqu’à la radiation",
            "Iscrizione come proprietario fino alla cancellazione",
            "Entered as owner until the deletion",
        ],
        [
            "Als Eigentümer bis zur Löschung eingetragen",
            "Inscriptions comme propriétaires jusqu’à la radiation",
            "Iscrizioni come proprietari fino alla cancellazione",
            "Entered as owners until the deletion",
        ],
    ];
    in_number(language, owners as u64, texts)
}

/// Whom disclosures to the exchange name, before the names.
pub(crate) fn disclosed_holders(language: Language, holders: usize) -> &'static str {
    let texts = [
        [
            "Eine Offenlegung an die Börse nennt im Aktionariat",
            "Une annonce à la bourse nomme dans l’actionnariat",
            "Una pubblicazione alla borsa nomina nell’azionariato",
            "A disclosure to the exchange names among the shareholders",
        ],
        [
            "Offenlegungen an die Börse nennen im Aktionariat",
            "Les annonces à la bourse nomment dans l’actionnariat",
            "Le pubblicazioni alla borsa nominano nell’azionariato",
            "Disclosures to the exchange name among the shareholders",
        ],
    ];
    in_number(language, holders as u64, texts)
}

/// Who may be a beneficial owner according to disclosures, before the names.
pub(crate) fn disclosed_candidates(language: Language, holders: usize) -> &'static str {
    let texts = [
        [
            "Die Schwelle einer wirtschaftlich berechtigten Person erreicht, ohne dass die Offenlegung sagt, ob es eine Person ist",
            "Atteint le seuil d’un ayant droit économique, sans que l’annonce dise s’il s’agit d’une personne",
            "Raggiunge la soglia di un avente economicamente diritto, senza che la pubblicazione dica se è una persona",
            "A disclosure names at the threshold of a beneficial owner or above it, without saying whether it is a person",
        ],
        [
            "Die Schwelle einer wirtschaftlich berechtigten Person erreichen, ohne dass die Offenlegungen sagen, ob es Personen sind",
            "Atteignent le seuil d’un ayant droit économique, sans que les annonces disent s’il s’agit de personnes",
            "Raggiungono la soglia di un avente economicamente diritto, senza che le pubblicazioni dicano se sono persone",
            "Disclosures name at the threshold of a beneficial owner or above it, without saying whether they are persons",
        ],
    ];
    in_number(language, holders as u64, texts)
}

/// Why no person is a beneficial owner of a company whose chain of owners ends at owners without owners.
pub(crate) fn ends_without_owners(language: Language, last: usize) -> &'static str {
    let texts = [
        [
            "Alle Eigentümer sind bekannt; die Kette endet bei einem Eigentümer ohne eigene Eigentümer, und keine Person erreicht die Schwelle einer wirtschaftlich berechtigten Person",
            "Tous les propriétaires sont connus; la chaîne s’arrête à un propriétaire qui n’en a pas lui-même, et aucune personne n’atteint le seuil d’un ayant droit économique",
            "Tutti i proprietari sono noti; la catena termina a un proprietario che non ne ha a sua volta, e nessuna persona raggiunge la soglia di un avente economicamente diritto",
            "All owners are known; the chain ends at an owner without owners of its own, and no person reaches the threshold of a beneficial owner",
        ],
        [
            "Alle Eigentümer sind bekannt; die Kette endet bei Eigentümern ohne eigene Eigentümer, und keine Person erreicht die Schwelle einer wirtschaftlich berechtigten Person",
            "Tous les propriétaires sont connus; la chaîne s’arrête à des propriétaires qui n’en ont pas eux-mêmes, et aucune personne n’atteint le seuil d’un ayant droit économique",
            "Tutti i proprietari sono noti; la catena termina a proprietari che non ne hanno a loro volta, e nessuna persona raggiunge la soglia di un avente economicamente diritto",
            "All owners are known; the chain ends at owners without owners of their own, and no person reaches the threshold of a beneficial owner",
        ],
    ];
    in_number(language, last as u64, texts)
}

/// Owners for whom sanctions lists were not searched, before the names.
pub(crate) fn not_searched(language: Language, owners: usize) -> &'static str {
    let texts = [
        [
            "Nach einem Eigentümer wurden sie nicht durchsucht",
            "Elles n’ont pas été consultées pour un propriétaire",
            "Non sono state consultate per un proprietario",
            "They were not searched for one owner",
        ],
        [
            "Nach diesen Eigentümern wurden sie nicht durchsucht",
            "Elles n’ont pas été consultées pour ces propriétaires",
            "Non sono state consultate per questi proprietari",
            "They were not searched for these owners",
        ],
    ];
    in_number(language, owners as u64, texts)
}

/// Factors without evidence, before their names.
pub(crate) fn unchanged_factors(language: Language, factors: usize) -> &'static str {
    let texts = [
        [
            "Ohne Hinweise in den Quellen bleibt dieser Faktor beim Ausgangswert",
            "Faute d’indices dans les sources, ce facteur reste à la valeur de départ",
            "In mancanza di indizi nelle fonti, questo fattore resta al valore iniziale",
            "Without evidence in the sources, this factor stays at its prior",
        ],
        [
            "Ohne Hinweise in den Quellen bleiben diese Faktoren beim Ausgangswert",
            "Faute d’indices dans les sources, ces facteurs restent à la valeur de départ",
            "In mancanza di indizi nelle fonti, questi fattori restano al valore iniziale",
            "Without evidence in the sources, these factors stay at their prior",
        ],
    ];
    in_number(language, factors as u64, texts)
}

/// Observations that raise the risk or lower it, before their number.
pub(crate) fn observations(
    language: Language,
    direction: Direction,
    observations: usize,
) -> &'static str {
    let texts = match direction {
        Direction::Adverse => [
            ["Erhöhend wirkt", "Facteur aggravant", "Elemento aggravante", "Adverse observation"],
            [
                "Erhöhend wirken",
                "Facteurs aggravants",
                "Elementi aggravanti",
                "Adverse observations",
            ],
        ],
        Direction::Mitigating => [
            [
                "Mindernd wirkt",
                "Facteur atténuant",
                "Elemento attenuante",
                "Mitigating observation",
            ],
            [
                "Mindernd wirken",
                "Facteurs atténuants",
                "Elementi attenuanti",
                "Mitigating observations",
            ],
        ],
    };
    in_number(language, observations as u64, texts)
}

/// That nobody is known who counts as a beneficial owner: a sentence.
pub(crate) fn no_beneficial_owner(language: Language) -> &'static str {
    language.of([
        "Die öffentlichen Quellen nennen keine wirtschaftlich berechtigte Person",
        "Les sources publiques ne nomment aucun ayant droit économique",
        "Le fonti pubbliche non nominano alcun avente economicamente diritto",
        "The public sources name no beneficial owner",
    ])
}

/// Name of a legal form.
pub(crate) fn legal_form(language: Language, code: &str) -> Option<String> {
    let form = LegalForm::by_code(code)?;
    let name = language.of(form.names);
    match language {
        // Official names begin with a capital letter.
        Language::De => Some(name.to_owned()),
        Language::Fr | Language::It | Language::En => {
            let mut letters = name.chars();
            let first = letters.next().into_iter().flat_map(char::to_lowercase);
            Some(first.chain(letters).collect())
        }
    }
}

/// What the register says of the status: a sentence about the company.
pub(crate) fn status(language: Language, status: Status) -> &'static str {
    language.of(match status {
        Status::Active => [
            "Das Unternehmen ist aktiv",
            "L’entreprise est active",
            "L’impresa è attiva",
            "The company is active",
        ],
        Status::BeingCancelled => [
            "Das Unternehmen ist in Liquidation",
            "L’entreprise est en liquidation",
            "L’impresa è in liquidazione",
            "The company is in liquidation",
        ],
        Status::Cancelled => [
            "Das Unternehmen ist im Handelsregister gelöscht",
            "L’entreprise est radiée du registre du commerce",
            "L’impresa è cancellata dal registro di commercio",
            "The company is deleted from the commercial register",
        ],
    })
}

/// The reason for a status, within a sentence.
pub(crate) fn status_reason(language: Language, reason: StatusReason) -> &'static str {
    language.of(terms::status_reason(reason))
}

/// The reason for the status of a company as its history states it, within a sentence.
pub(crate) fn status_reason_of(
    language: Language,
    reason: StatusReason,
    history: &History,
) -> &'static str {
    language.of(terms::status_reason_by(reason, history.newest_legal_events()))
}

/// What an event is, within a sentence: its legal event, or else its kind.
pub(crate) fn event(language: Language, event: &Event, legal_form: Option<&str>) -> &'static str {
    let legal = event.legal_event.filter(|it| !is_completed_by_a_name(*it));
    language.of(legal.map_or_else(|| terms::change_of(event.kind, legal_form), terms::legal_event))
}

fn is_completed_by_a_name(event: LegalEvent) -> bool {
    use LegalEvent as E;
    matches!(
        event,
        E::Absorbs
            | E::IsAbsorbed
            | E::Combines
            | E::SplitsUp
            | E::SpinsOff
            | E::ReceivesByDemerger
            | E::TransfersAssets
            | E::ReceivesAssets
    )
}

/// A signing authority, in the form that follows "with". `None`: there is none.
pub(crate) fn signing(language: Language, authority: SigningAuthority) -> Option<&'static str> {
    let signs = authority != SigningAuthority::None;
    signs.then(|| language.of(terms::signing(authority)))
}

/// Name of a factor of the risk, within a sentence.
pub(crate) fn factor(language: Language, factor: FactorKind) -> &'static str {
    language.of(risk::terms::factor(factor))
}

/// Name of a risk level.
pub(crate) fn risk_level(language: Language, level: RiskLevel) -> &'static str {
    language.of(risk::terms::level(level))
}

/// Which audit the law requires: a sentence about the company.
pub(crate) fn regime(language: Language, kind: RegimeKind) -> &'static str {
    language.of(match kind {
        RegimeKind::Ordinary => [
            "Das Unternehmen untersteht der ordentlichen Revision",
            "L’entreprise est soumise au contrôle ordinaire",
            "L’impresa è soggetta alla revisione ordinaria",
            "The company has to have an ordinary audit",
        ],
        // No source shows everything that decides, so it is always assumed.
        RegimeKind::Limited => [
            "Das Unternehmen untersteht vermutlich der eingeschränkten Revision",
            "L’entreprise est présumée soumise au contrôle restreint",
            "L’impresa è presumibilmente soggetta alla revisione limitata",
            "The company probably has to have a limited audit",
        ],
        RegimeKind::OptingOut => [
            "Das Unternehmen hat auf die eingeschränkte Revision verzichtet",
            "L’entreprise a renoncé au contrôle restreint",
            "L’impresa ha rinunciato alla revisione limitata",
            "The company has waived the limited audit",
        ],
        RegimeKind::None => [
            "Für das Unternehmen schreibt das Gesetz keine Revision vor",
            "La loi n’exige aucun contrôle des comptes de l’entreprise",
            "La legge non prescrive alcuna revisione per l’impresa",
            "The law requires no audit of the company",
        ],
        RegimeKind::Unknown => [
            "Die Quellen zeigen nicht, welche Revision das Gesetz für das Unternehmen vorschreibt",
            "Les sources ne montrent pas quel contrôle des comptes la loi exige de l’entreprise",
            "Le fonti non mostrano quale revisione la legge prescriva per l’impresa",
            "The sources do not show which audit the law requires of the company",
        ],
    })
}

/// That an ordinary audit is only assumed: a sentence.
pub(crate) fn assumed_ordinary(language: Language) -> &'static str {
    language.of([
        "Das Unternehmen untersteht vermutlich der ordentlichen Revision",
        "L’entreprise est présumée soumise au contrôle ordinaire",
        "L’impresa è presumibilmente soggetta alla revisione ordinaria",
        "The company probably has to have an ordinary audit",
    ])
}

/// Which audit the law requires of a pension foundation: a sentence.
pub(crate) fn pension_foundation(language: Language) -> &'static str {
    language.of([
        "Die Revision der Stiftung richtet sich nach dem Recht der beruflichen Vorsorge",
        "Le contrôle des comptes de la fondation est régi par le droit de la prévoyance professionnelle",
        "La revisione della fondazione è retta dal diritto della previdenza professionale",
        "The law on occupational pensions decides about the audit of the foundation",
    ])
}

/// That an authority exempted a foundation from the duty to have an auditor (CC 83b para. 2): a sentence.
pub(crate) fn exempt_foundation(language: Language) -> &'static str {
    language.of([
        "Die Aufsichtsbehörde hat die Stiftung von der Pflicht befreit, eine Revisionsstelle zu bezeichnen",
        "L’autorité de surveillance a dispensé la fondation de l’obligation de désigner un organe de révision",
        "L’autorità di vigilanza ha dispensato la fondazione dall’obbligo di designare un ufficio di revisione",
        "The supervisory authority has exempted the foundation from the duty to have an auditor",
    ])
}

#[cfg(test)]
mod tests {
    use domain::typography::misprint;
    use obligations::CATALOGUE;

    use super::*;

    #[test]
    fn every_obligation_has_a_text_in_each_language() {
        assert_eq!(OBLIGATIONS.len(), CATALOGUE.obligations.len());
        for obligation in &CATALOGUE.obligations {
            assert!(OBLIGATIONS.contains_key(&obligation.id), "{}", obligation.id);
        }
    }

    /// What announces a list is right for a list of one and for a longer one.
    #[test]
    fn lists_are_announced_in_the_grammatical_number() {
        type Announcement = fn(Language, usize) -> &'static str;
        let announcements: [(Announcement, [&str; 2]); 9] = [
            (until_deletion, ["Inscription ", "Inscriptions "]),
            (owners_until_deletion, ["propriétaire ", "propriétaires "]),
            (disclosed_holders, ["Une annonce", "Les annonces"]),
            (disclosed_candidates, ["l’annonce dise", "les annonces disent"]),
            (ends_without_owners, ["un propriétaire qui", "des propriétaires qui"]),
            (not_searched, ["un propriétaire", "ces propriétaires"]),
            (unchanged_factors, ["ce facteur reste", "ces facteurs restent"]),
            (
                |language, it| observations(language, Direction::Adverse, it),
                ["Facteur aggravant", "Facteurs aggravants"],
            ),
            (
                |language, it| observations(language, Direction::Mitigating, it),
                ["Facteur atténuant", "Facteurs atténuants"],
            ),
        ];
        for (announced, expected) in announcements {
            for (count, expected) in [1, 2].into_iter().zip(expected) {
                let french = announced(Language::Fr, count);
                assert!(french.contains(expected), "{french}");
            }
            let italian = [1, 2].map(|it| announced(Language::It, it));
            assert_ne!(italian[0], italian[1]);
        }
        for direction in [Direction::Adverse, Direction::Mitigating] {
            let texts = [1, 2].map(|it| observations(Language::En, direction, it));
            assert_eq!(format!("{}s", texts[0]), texts[1]);
        }
        assert_eq!(owners_until_deletion(Language::En, 1), "Entered as owner until the deletion");
    }

    #[test]
    fn no_term_contains_a_full_stop_that_ends_a_sentence() {
        for texts in OBLIGATIONS.values() {
            assert!(texts.iter().all(|it| !it.contains(". ") && !it.ends_with('.')), "{texts:?}");
            assert!(texts.iter().all(|it| misprint(it).is_none()), "{texts:?}");
        }
        for obligation in &CATALOGUE.obligations {
            let english = topic(Language::En, obligation);
            assert!(!english.contains(". ") && !english.ends_with('.'), "{english}");
        }
    }
}
