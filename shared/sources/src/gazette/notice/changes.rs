//! What a notice states of the company itself.

use domain::{Amount, Uid};
use jiff::civil::Date;
use serde::{Deserialize, Serialize};
use serde_with::skip_serializing_none;

use super::{
    amount, date,
    markup::Plain,
    pieces,
    sentences::Sentence,
    words::{LIFE, after_any, begins, names_a_firm},
};

/// Something that becomes of a company.
#[skip_serializing_none]
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum Change {
    /// Entered in the register for the first time.
    NewEntry,
    ReEntry,
    Deletion,
    Name {
        to: String,
    },
    LegalForm {
        to: String,
    },
    Seat {
        to: Option<String>,
        from: Option<String>,
    },
    Address {
        to: String,
    },
    Purpose {
        to: String,
    },
    Capital {
        capital: CapitalKind,
        currency: Option<String>,
        to: Amount,
        from: Option<Amount>,
    },
    /// The limited audit is waived, or no more.
    OptingOut {
        waived: bool,
    },
    Combination {
        combination: Combination,
        party: Party,
    },
    Proceeding {
        affair: Affair,
        proceeding: Proceeding,
    },
    Statutes {
        on: Date,
    },
    /// Corrects or supplements an earlier notice.
    Correction,
}

/// Which capital a change is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum CapitalKind {
    /// Of a company limited by shares.
    Shares,
    /// Of a limited liability company.
    Quotas,
    Participation,
    /// As much of the capital as is paid in.
    Paid,
}

/// How two companies become one, or parts of one another's.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Combination {
    /// The company takes the other one over.
    TakesOver,
    /// The other one takes the company over.
    IsTakenOverBy,
    Demerger,
    /// Assets go to the other company, or come from it.
    AssetTransfer,
}

/// The other company of a combination, as the notice names it.
#[skip_serializing_none]
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Party {
    pub name: String,
    pub uid: Option<Uid>,
    pub seat: Option<String>,
}

/// What ends a company.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Affair {
    Liquidation,
    /// For a lack in its organisation (OR 731b) or of a domicile (HRegV 153b).
    OrganisationalDefect,
    Bankruptcy,
    Moratorium,
}

/// How far it has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Proceeding {
    Opened,
    /// Undone: the company goes on.
    Revoked,
    /// For want of assets.
    Suspended,
    Resumed,
    Closed,
}

/// An earlier notice, as a later one names it.
#[skip_serializing_none]
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Reference {
    pub date: Option<Date>,
    /// The number of the publication, from 2001 on.
    pub publication: Option<u64>,
}

/// A member by the words its label begins with.
#[derive(Clone, Copy)]
enum Member {
    Name,
    LegalForm,
    Seat,
    Address,
    Purpose,
    Statutes,
    Capital(CapitalKind),
    Combination(Combination),
    /// A conversion says the new form in its last words.
    Conversion,
}

#[rustfmt::skip]
const MEMBERS: [(Member, &[&str]); 15] = [
    (Member::Name, &["Firma neu", "Name neu", "Neue Firma", "Neuer Name", "Nouvelle raison sociale", "Nouvelle raison de commerce", "Nouveau nom", "Raison sociale nouvelle", "Nuova ragione sociale", "Nuova ditta", "Nuovo nome", "Nuova denominazione"]),
    (Member::LegalForm, &["Rechtsform neu", "Neue Rechtsform", "Nouvelle forme juridique", "Nuova forma giuridica", "Rechtsnatur neu", "Nouvelle nature juridique", "Nuova natura giuridica"]),
    (Member::Seat, &["Sitz neu", "Neuer Sitz", "Nouveau siège", "Nuova sede", "Siège transféré à", "Sitzverlegung nach"]),
    (Member::Address, &["Domizil neu", "Neues Domizil", "Adresse neu", "Neue Adresse", "Nouvelle adresse", "Nuovo recapito", "Nuovo indirizzo", "Rechtsdomizil neu"]),
    (Member::Purpose, &["Zweck neu", "Neuer Zweck", "Nouveau but", "But modifié", "Nuovo scopo", "Nouveau genre d'activité", "But nouveau"]),
    (Member::Statutes, &["Statutenänderung", "Statutendatum", "Statutendaten", "Urkundenänderung", "Urkundendatum", "Statuts", "Statuts modifiés", "Modification des statuts", "Date des statuts", "Statuti modificati", "Data dello statuto", "Modifica dello statuto"]),
    (Member::Capital(CapitalKind::Paid), &["Liberierung", "Capital-actions libéré", "Libération du capital", "Nouveau capital-actions libéré", "Capitale azionario liberato", "Nuovo capitale azionario liberato"]),
    (Member::Capital(CapitalKind::Participation), &["Partizipationskapital", "Nouveau capital-participation", "Nuovo capitale di partecipazione"]),
    (Member::Capital(CapitalKind::Shares), &["Aktienkapital neu", "Nouveau capital-actions", "Nuovo capitale azionario", "Nouveau capital", "Aktienkapital", "Capital-actions", "Capitale azionario"]),
    (Member::Capital(CapitalKind::Quotas), &["Stammkapital neu", "Nouveau capital social", "Nuovo capitale sociale", "Stammkapital", "Capital social", "Capital", "Capitale sociale"]),
    (Member::Combination(Combination::TakesOver), &["Fusion", "Fusione", "Absorptionsfusion"]),
    (Member::Combination(Combination::Demerger), &["Spaltung", "Abspaltung", "Aufspaltung", "Scission", "Scissione"]),
    (Member::Combination(Combination::AssetTransfer), &["Vermögensübertragung", "Transfert de patrimoine", "Trasferimento di patrimonio"]),
    (Member::Conversion, &["Umwandlung", "Transformation", "Trasformazione"]),
    (Member::LegalForm, &["Forme juridique nouvelle"]),
];

/// Every change that the notice states, in order.
pub(super) fn changes(plain: &Plain, sentences: &[Sentence<'_>]) -> Vec<Change> {
    let mut found = Vec::new();
    let mut head = true;
    for sentence in sentences {
        match member(sentence.label) {
            Some(member) => labelled(member, sentence.text, &mut found),
            None if sentence.label.is_empty() => {
                if head {
                    opening(sentence.text, &mut found);
                }
                unlabelled(sentence.text, &mut found);
            }
            None => {}
        }
        head = false;
    }
    // Old notices mark what is new, in prose too.
    if let Some(to) = &plain.new_name
        && !found.iter().any(|it| matches!(it, Change::Name { .. }))
    {
        found.push(Change::Name { to: to.clone() });
    }
    if let Some(to) = &plain.new_seat
        && !found.iter().any(|it| matches!(it, Change::Seat { to: Some(_), .. }))
    {
        found.push(Change::Seat { to: Some(to.clone()), from: plain.seat.clone() });
    }
    join_seats(&mut found);
    // A conversion and the new form are one change, said twice.
    let mut forms = 0;
    found.retain(|it| {
        forms += usize::from(matches!(it, Change::LegalForm { .. }));
        forms < 2 || !matches!(it, Change::LegalForm { .. })
    });
    found
}

fn member(label: &str) -> Option<Member> {
    // Their name and little else: `Fusion` is no member where a sentence begins with it.
    let is_member = |name: &&str| {
        super::words::after(label, name)
            .is_some_and(|rest| rest.len() <= 40 && !rest.starts_with(char::is_alphanumeric))
    };
    MEMBERS
        .iter()
        .find(|(_, names)| names.iter().any(|it| is_member(&it)))
        .map(|(member, _)| *member)
}

fn labelled(member: Member, text: &str, found: &mut Vec<Change>) {
    let value = || pieces::without(text, |it| it.starts_with('[')).trim().to_owned();
    let value = match member {
        Member::Statutes => {
            found.extend(
                pieces::clauses(text).into_iter().map_while(date).map(|on| Change::Statutes { on }),
            );
            return;
        }
        Member::Capital(capital) => return found.extend(capital_change(capital, text)),
        Member::Combination(combination) => return found.extend(combined(combination, text)),
        Member::Conversion => return found.extend(converted(text)),
        _ => value(),
    };
    if value.is_empty() {
        return;
    }
    found.push(match member {
        Member::Name => Change::Name { to: untranslated(&value).to_owned() },
        Member::LegalForm => Change::LegalForm { to: value },
        Member::Seat => Change::Seat { to: Some(value), from: former(text) },
        Member::Address => Change::Address { to: value },
        _ => Change::Purpose { to: value },
    });
}

/// A name without the translations in brackets behind it; `(Europe)` is none.
fn untranslated(name: &str) -> &str {
    let mut name = name.trim();
    for (open, close) in pieces::groups(name).into_iter().rev() {
        let inner = &name[open + 1..close];
        let is_translation = names_a_firm(inner) || inner.to_lowercase().contains("liquida");
        if close + 1 != name.len() || !is_translation || open == 0 {
            break;
        }
        name = name[..open].trim_end();
    }
    name
}

/// `Capital-actions porté de CHF 100'000 à CHF 200'000`.
fn raised(text: &str) -> Option<Change> {
    let verbs = ["porté de ", "ramené de ", "réduit de "];
    let at = verbs.iter().find_map(|it| Some(text.find(it)? + it.len()))?;
    let about = text[..at].to_lowercase();
    about.contains("capital").then_some(())?;
    let capital = if about.contains("action") { CapitalKind::Shares } else { CapitalKind::Quotas };
    let (currency, from) = amount(&text[at..])?;
    let (_, rest) = text[at..].split_once(" à ")?;
    let (_, to) = amount(rest)?;
    Some(Change::Capital { capital, currency, to, from: Some(from) })
}

/// The value in `[bisher: …]`.
fn former(text: &str) -> Option<String> {
    let (open, close) =
        pieces::groups(text).into_iter().find(|(open, _)| text.as_bytes()[*open] == b'[')?;
    let (_, value) = text[open + 1..close].split_once(':')?;
    Some(value.trim().to_owned()).filter(|it| !it.is_empty())
}

fn capital_change(capital: CapitalKind, text: &str) -> Option<Change> {
    let (currency, to) = amount(text)?;
    let from = former(text).and_then(|it| amount(&it)).map(|(_, amount)| amount);
    Some(Change::Capital { capital, currency, to, from })
}

/// `… wird in eine Aktiengesellschaft umgewandelt`, `… transformée en société anonyme`.
fn converted(text: &str) -> Option<Change> {
    const INTO: [&str; 8] = [
        "in eine ",
        "in einen ",
        "in ein ",
        "transformée en ",
        "en une ",
        "transformé en ",
        "trasformata in ",
        "in una ",
    ];
    let (at, length) = INTO.iter().filter_map(|it| Some((text.rfind(it)?, it.len()))).max()?;
    let form = &text[at + length..];
    let end = [" umgewandelt", ",", ";", " (", " selon", " conformément", " gemäss", " secondo"]
        .iter()
        .filter_map(|it| form.find(it))
        .min()
        .unwrap_or(form.len());
    let to = form[..end].trim();
    (!to.is_empty() && to.len() <= 80).then(|| Change::LegalForm { to: to.to_owned() })
}

/// The firms with a number in the text of a merger, demerger or transfer.
fn combined(combination: Combination, text: &str) -> Vec<Change> {
    let taken = [
        "übernommen",
        "aufgelöst",
        "reprise par",
        "est absorbée",
        "sont repris par",
        "ripresi da",
        "gehen auf",
        "passent à",
        "infolge Fusion auf",
    ];
    let combination = match combination {
        Combination::TakesOver if is_absorbed(text, &taken) => Combination::IsTakenOverBy,
        other => other,
    };
    let change = |party| Change::Combination { combination, party };
    parties(text).into_iter().map(change).collect()
}

/// Whether the company goes: `Die Aktiven und Passiven gehen … über auf`, and not `Übernahme der …`.
fn is_absorbed(text: &str, taken: &[&str]) -> bool {
    !begins(text, &["Übernahme", "Reprise", "Ripresa", "Assunzione"])
        && taken.iter().any(|it| text.contains(it))
}

/// Every `Name, in Seat (CHE-…)` of a text.
fn parties(text: &str) -> Vec<Party> {
    let mut parties = Vec::new();
    let mut from = 0;
    for (open, close) in pieces::groups(text) {
        let inner = text[open + 1..close].trim();
        let numbered = inner.starts_with("CH");
        if !numbered {
            continue;
        }
        let before = text[from..open].trim();
        from = close + 1;
        let clauses = pieces::clauses(before);
        let seat =
            clauses.last().and_then(|it| after_any(it, &["in ", "à ", "a "])).map(str::to_owned);
        let name = match (&seat, clauses.as_slice()) {
            (Some(_), [.., name, _]) => *name,
            (_, [.., name]) => *name,
            _ => continue,
        };
        // What leads up to the name: `Übernahme der Aktiven und Passiven der`.
        let lead = [
            " der ",
            " von ",
            " durch ",
            " die ",
            " auf ",
            " de la société ",
            " de l'entreprise ",
            " de la ",
            " de ",
            " à ",
            " par ",
            " della ",
            " di ",
        ];
        let cut = lead.iter().filter_map(|it| Some(name.rfind(it)? + it.len())).max().unwrap_or(0);
        let name = name[cut..].trim().trim_matches(['"', '«', '»', ' ']);
        if !name.is_empty() {
            parties.push(Party { name: name.to_owned(), uid: inner.parse().ok(), seat });
        }
    }
    parties
}

/// What the first sentence says beside the name: a new entry, a move from elsewhere.
fn opening(text: &str, found: &mut Vec<Change>) {
    let moved = [
        "bisher in ",
        "Sitz: [bisher: ",
        "précédemment à ",
        "jusqu'ici à ",
        "finora in ",
        "finora a ",
    ];
    if let Some(from) = moved.iter().find_map(|it| Some(&text[text.find(it)? + it.len()..])) {
        let end = from.find([',', ']', '(']).unwrap_or(from.len());
        let from = from[..end].trim();
        found.push(Change::Seat { to: None, from: (!from.is_empty()).then(|| from.to_owned()) });
    }
}

/// A seat's two ends may be told in two places.
fn join_seats(found: &mut Vec<Change>) {
    let start = found.iter().find_map(|it| match it {
        Change::Seat { to: None, from } => Some(from.clone()),
        _ => None,
    });
    let Some(start) = start else { return };
    let has_end = found.iter().any(|it| matches!(it, Change::Seat { to: Some(_), .. }));
    if !has_end {
        return;
    }
    found.retain(|it| !matches!(it, Change::Seat { to: None, .. }));
    for change in found {
        if let Change::Seat { from, .. } = change {
            *from = from.take().or_else(|| start.clone());
        }
    }
}

fn unlabelled(text: &str, found: &mut Vec<Change>) {
    if text.len() > 4_000 || !LIFE.are_in(text) {
        return;
    }
    let has = |words: &[&str]| words.iter().any(|it| text.contains(it));
    if has(&[
        "(Neueintragung)",
        "(Nuova iscrizione)",
        "(nuova iscrizione)",
        "(nouvelle inscription)",
        "(Nouvelle inscription)",
        "neue Einzelfirma",
        "neues Einzelunternehmen",
    ]) || begins(
        text,
        &[
            "Nouvelle société",
            "Nouvelle entreprise",
            "Nouvelle raison",
            "Nouvelle fondation",
            "Nouvelle association",
            "Nouvelle coopérative",
            "Nouvelle succursale",
            "Nuova iscrizione",
        ],
    ) {
        found.push(Change::NewEntry);
    }
    if has(&[
        "Berichtigung des ",
        "Berichtigung der ",
        "Nachtrag zum ",
        "Rectification de ",
        "Rettifica ",
    ]) {
        found.push(Change::Correction);
    }
    // The words of a bracket are those of an earlier notice.
    let said = pieces::without(text, |it| it.starts_with('['));
    if let Some(to) = ["raison sociale devient: ", "raison sociale devient ", "devient: "]
        .iter()
        .find_map(|it| Some(&said[said.find(it)? + it.len()..]))
        && text.contains("raison sociale")
    {
        found.push(Change::Name { to: untranslated(to).to_owned() });
    }
    const STATUTES: [&str; 4] =
        ["Statuts du ", "Statuts modifiés le ", "Statuten vom ", "Nouveaux statuts du "];
    let statutes = after_any(&said, &STATUTES);
    found.extend(statutes.and_then(date).map(|on| Change::Statutes { on }));
    found.extend(raised(&said));
    found.extend(opting_out(&said));
    found.extend(proceeding(&said));
    if let Some(combination) = combination(&said) {
        found.extend(combined(combination, &said));
    }
    if is_deletion(&said) {
        found.push(Change::Deletion);
    }
    let reenters = [
        "wieder eingetragen",
        "wiedereingetragen",
        "Wiedereintragung",
        "réinscrit",
        "réinscription",
        "reiscri",
    ];
    if reenters.iter().any(|it| said.contains(it)) {
        found.push(Change::ReEntry);
    }
}

fn opting_out(text: &str) -> Option<Change> {
    let is_about = [
        "eingeschränkte Revision",
        "contrôle restreint",
        "contrôle ordinaire et",
        "revisione limitata",
    ];
    if !is_about.iter().any(|it| text.contains(it)) {
        return None;
    }
    let ends = [
        "nicht mehr verzichtet",
        "Verzicht widerrufen",
        "n'est plus renoncé",
        "ne renonce plus",
        "non rinuncia più",
        "non si rinuncia più",
        "Verzicht auf die eingeschränkte Revision wurde widerrufen",
    ];
    if ends.iter().any(|it| text.contains(it)) {
        return Some(Change::OptingOut { waived: false });
    }
    let waives = ["verzichtet", "Verzicht", "renonc", "rinunci"];
    waives.iter().any(|it| text.contains(it)).then_some(Change::OptingOut { waived: true })
}

fn proceeding(text: &str) -> Option<Change> {
    let has = |words: &[&str]| words.iter().any(|it| text.contains(it));
    let is_bankruptcy = has(&["Konkurs", "faillite", "fallimento"]);
    let is_moratorium =
        has(&["Nachlassstundung", "sursis concordataire", "moratoria concordataria"]);
    let is_defect = has(&[
        "731b",
        "153b",
        "carences dans l'organisation",
        "Mängel in der",
        "lacune nell'organizzazione",
    ]);
    let is_liquidation = has(&[
        "aufgelöst",
        "Auflösung",
        "est dissoute",
        "est dissous",
        "dissolution",
        "è sciolta",
        "scioglimento",
        "est entrée en liquidation",
        "in Liquidation getreten",
    ]);
    let affair = if is_bankruptcy {
        Affair::Bankruptcy
    } else if is_moratorium {
        Affair::Moratorium
    } else if is_defect {
        Affair::OrganisationalDefect
    } else if is_liquidation {
        Affair::Liquidation
    } else {
        return None;
    };
    let proceeding = if has(&[
        "widerrufen",
        "Widerruf",
        "révoqué",
        "révocation",
        "aufgehoben worden",
        "rapporté",
        "annulé",
        "revocat",
        "revoca ",
        "gutgeheissen",
    ]) {
        Proceeding::Revoked
    } else if has(&[
        "durchgeführt, da",
        "wird nun durchgeführt",
        "wieder aufgenommen",
        "reprise de la procédure",
        "effet suspensif",
        "aufschiebende Wirkung",
    ]) {
        Proceeding::Resumed
    } else if has(&[
        "mangels Aktiven",
        "défaut d'actif",
        "faute d'actif",
        "mancanza di attivi",
        "eingestellt",
    ]) {
        Proceeding::Suspended
    } else if has(&["geschlossen", "clôtur", "clos par", "chius", "beendet"]) {
        Proceeding::Closed
    } else if has(&[
        "eröffnet",
        "prononcé",
        "dissoute",
        "dissous",
        "aufgelöst",
        "aperto",
        "decretat",
        "dichiarat",
        "déclaré",
        "accordé",
        "gewährt",
        "bewilligt",
        "ouvert",
        "sciolta",
        "pronunciat",
        "Auflösung",
        "dissolution",
        "scioglimento",
        "getreten",
        "entrée en",
    ]) {
        Proceeding::Opened
    } else {
        return None;
    };
    Some(Change::Proceeding { affair, proceeding })
}

fn is_deletion(text: &str) -> bool {
    const DELETED: [&str; 20] = [
        "wird gelöscht",
        "gelöscht worden",
        "wurde gelöscht",
        "wird von Amtes wegen gelöscht",
        "werden gelöscht",
        "daher gelöscht",
        "ist erloschen infolge",
        "est radiée",
        "est donc radiée",
        "a été radiée",
        "est radié d'office",
        "est radiée d'office",
        "est radié par suite",
        "radiée par suite",
        "è cancellata",
        "è cancellato",
        "viene cancellata",
        "viene cancellato",
        "è radiata",
        "Löschung infolge",
    ];
    // Of the company: a person's power is struck out in the same words.
    const COMPANY: [&str; 25] = [
        "Gesellschaft",
        "Firma",
        "Stiftung",
        "Verein",
        "Genossenschaft",
        "Einzelunternehmen",
        "Einzelfirma",
        "Rechtseinheit",
        "Zweigniederlassung wird",
        "société",
        "raison sociale",
        "raison de commerce",
        "raison individuelle",
        "fondation",
        "association",
        "entreprise",
        "entité",
        "succursale",
        "società",
        "ditta",
        "ragione sociale",
        "fondazione",
        "associazione",
        "L'inscription",
        "impresa",
    ];
    const POWER: [&str; 9] = [
        "nterschrift",
        "rokura",
        "signature",
        "procuration",
        "pouvoirs",
        "firma di",
        "procura",
        "ses droits",
        "Firma gelöscht wird die Unterschrift",
    ];
    let has = |words: &[&str]| words.iter().any(|it| text.contains(it));
    has(&DELETED) && has(&COMPANY) && !has(&POWER)
}

fn combination(text: &str) -> Option<Combination> {
    let has = |words: &[&str]| words.iter().any(|it| text.contains(it));
    if has(&[
        "Fusionsvertrag",
        "contrat de fusion",
        "contratto di fusione",
        "infolge Fusion",
        "suite de fusion",
        "seguito di fusione",
    ]) {
        let goes =
            has(&[
                "übernommen",
                "gehen",
                "sont repris",
                "a été reprise",
                "ont passé",
                "ripresi",
                "infolge Fusion",
                "par suite de fusion",
            ]) && !has(&["Übernahme der Aktiven", "Reprise des actifs", "reprend", "übernimmt"]);
        return Some(if goes { Combination::IsTakenOverBy } else { Combination::TakesOver });
    }
    if has(&["Spaltungsvertrag", "Spaltungsplan", "contrat de scission", "projet de scission"]) {
        return Some(Combination::Demerger);
    }
    has(&[
        "Vermögensübertragung",
        "contrat de transfert",
        "transfert de patrimoine",
        "contratto di trasferimento",
    ])
    .then_some(Combination::AssetTransfer)
}

/// The notice before: `(SHAB Nr. 2 vom 06.01.2026, Publ. 1006529604)`, `(FOSC du 25.03.2026, p. 0/1006606590)`.
pub(super) fn previous(text: &str) -> Option<Reference> {
    let (at, name) = ["(SHAB ", "(FOSC ", "(FUSC "]
        .iter()
        .filter_map(|it| text.find(it).map(|at| (at, it)))
        .min_by_key(|(at, _)| *at)?;
    let inner = &text[at + name.len()..];
    let inner = &inner[..inner.find(')').unwrap_or(inner.len())];
    let day =
        ["vom ", "du ", "del "].iter().find_map(|it| date(&inner[inner.find(it)? + it.len()..]));
    let number =
        ["Publ. ", "Pubbl. ", "pubbl. ", "publ. ", "p. 0/", "S. 0/", "pag. 0/", "pagina 0/"]
            .iter()
            .find_map(|it| Some(&inner[inner.find(it)? + it.len()..]));
    let digits = number.map(|it| &it[..it.bytes().take(12).take_while(u8::is_ascii_digit).count()]);
    Some(Reference { date: day, publication: digits.and_then(|it| it.parse().ok()) })
}
