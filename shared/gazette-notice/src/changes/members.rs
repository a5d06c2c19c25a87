//! Labelled members: `Firma neu: Muster AG`, `Aktienkapital neu: CHF 2 [bisher: CHF 1]`.

use super::{CapitalKind, Change, Combination, parties::combined};
use crate::{
    amount, date, pieces,
    words::{after, names_a_firm},
};

/// A member by the words its label begins with.
#[derive(Clone, Copy)]
pub(super) enum Member {
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
const MEMBERS: [(Member, &[&str]); 16] = [
    (Member::Name, &["Firma neu", "Name neu", "Neue Firma", "Neuer Name", "Nouvelle raison sociale", "Nouvelle raison de commerce", "Nouveau nom", "Raison sociale nouvelle", "Sa raison sociale devient", "La raison sociale devient", "Nuova ragione sociale", "Nuova ditta", "Nuovo nome", "Nuova denominazione"]),
    (Member::LegalForm, &["Rechtsform neu", "Neue Rechtsform", "Nouvelle forme juridique", "Nuova forma giuridica", "Rechtsnatur neu", "Nouvelle nature juridique", "Nuova natura giuridica"]),
    (Member::Seat, &["Sitz neu", "Neuer Sitz", "Nouveau siège", "Nuova sede", "Siège transféré à", "Sitzverlegung nach"]),
    (Member::Address, &["Domizil neu", "Neues Domizil", "Adresse neu", "Neue Adresse", "Nouvelle adresse", "Nuovo recapito", "Nuovo indirizzo", "Rechtsdomizil neu"]),
    (Member::Purpose, &["Zweck neu", "Neuer Zweck", "Nouveau but", "But modifié", "Nuovo scopo", "Nouveau genre d'activité", "But nouveau"]),
    (Member::Statutes, &["Statutenänderung", "Statutendatum", "Statutendaten", "Urkundenänderung", "Urkundendatum", "Statuts", "Statuts modifiés", "Modification des statuts", "Date des statuts", "Statuti modificati", "Data dello statuto", "Modifica dello statuto"]),
    (Member::Capital(CapitalKind::PaidParticipation), &["Liberierung Partizipationskapital", "Nachliberierung Partizipationskapital", "Libération du capital-participation", "Capital-participation libéré", "Nouveau capital-participation libéré", "Capitale di partecipazione liberato", "Nuovo capitale di partecipazione liberato"]),
    (Member::Capital(CapitalKind::Paid), &["Liberierung", "Nachliberierung", "Capital-actions libéré", "Capital social libéré", "Capital libéré", "Libération du capital", "Nouveau capital-actions libéré", "Nouveau capital social libéré", "Nouveau capital libéré", "Capitale azionario liberato", "Capitale sociale liberato", "Nuovo capitale azionario liberato", "Nuovo capitale sociale liberato"]),
    (Member::Capital(CapitalKind::Participation), &["Partizipationskapital", "Capital-participation", "Nouveau capital-participation", "Capitale di partecipazione", "Nuovo capitale di partecipazione"]),
    (Member::Capital(CapitalKind::Shares), &["Aktienkapital neu", "Nouveau capital-actions", "Nuovo capitale azionario", "Nouveau capital", "Aktienkapital", "Capital-actions", "Capitale azionario"]),
    (Member::Capital(CapitalKind::Quotas), &["Stammkapital neu", "Nouveau capital social", "Nuovo capitale sociale", "Stammkapital", "Capital social", "Capital", "Capitale sociale"]),
    (Member::Combination(Combination::TakesOver), &["Fusion", "Fusione", "Absorptionsfusion"]),
    (Member::Combination(Combination::Demerger), &["Spaltung", "Abspaltung", "Aufspaltung", "Scission", "Scissione"]),
    (Member::Combination(Combination::AssetTransfer), &["Vermögensübertragung", "Transfert de patrimoine", "Trasferimento di patrimonio"]),
    (Member::Conversion, &["Umwandlung", "Transformation", "Trasformazione"]),
    (Member::LegalForm, &["Forme juridique nouvelle"]),
];

/// The member with this label.
pub(super) fn member(label: &str) -> Option<Member> {
    // Most sentences have none, and there are many names to compare it with.
    if label.is_empty() {
        return None;
    }
    // Their name and little else: `Fusion` is no member where a sentence begins with it.
    let is_member = |name: &&str| {
        after(label, name)
            .is_some_and(|rest| rest.len() <= 40 && !rest.starts_with(char::is_alphanumeric))
    };
    MEMBERS.iter().find(|(_, names)| names.iter().any(is_member)).map(|(member, _)| *member)
}

/// Reads what stands behind the label.
pub(super) fn labelled(member: Member, text: &str, found: &mut Vec<Change>) {
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
pub(super) fn untranslated(name: &str) -> &str {
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
    #[rustfmt::skip]
    const INTO: [&str; 8] = [
        "in eine ", "in einen ", "in ein ", "transformée en ", "en une ", "transformé en ",
        "trasformata in ", "in una ",
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
