//! Labelled changes: `Firma neu: Muster AG`, `Aktienkapital neu: CHF 2 [bisher: CHF 1]`.

use super::{
    AssetTransfer, CapitalKind, Change,
    combinations::combinations,
    concepts::{self, Concept},
    firm_names::without_translations,
    formalities::labelled_statutes,
    holders::is_about_holder,
};
use crate::{
    amount, punctuation,
    words::{strip_any_prefix, strip_prefix},
};

/// The meaning of a label.
#[derive(Clone, Copy)]
pub(super) enum Label {
    Name,
    LegalForm,
    Seat,
    Address,
    /// An address without a word for new: that of a new company, or the new one of another company.
    StatedAddress,
    Purpose,
    Statutes,
    Capital(CapitalKind),
    /// A merger, demerger or asset transfer.
    Combination(Concept),
    /// The last words of a conversion name the new legal form.
    Conversion,
    /// The consideration for the assets of the transfer before it.
    Consideration,
}

#[rustfmt::skip]
const LABELS: [(Label, &[&str]); 20] = [
    (Label::Name, &["Firma neu", "Name neu", "Neue Firma", "Neuer Name", "Nouvelle raison sociale", "Nouvelle raison de commerce", "Nouveau nom", "Raison sociale nouvelle", "Sa raison sociale devient", "La raison sociale devient", "Nuova ragione sociale", "Nuova ditta", "Nuovo nome", "Nuova denominazione"]),
    (Label::LegalForm, &["Rechtsform neu", "Neue Rechtsform", "Nouvelle forme juridique", "Nuova forma giuridica", "Rechtsnatur neu", "Nouvelle nature juridique", "Nuova natura giuridica"]),
    (Label::Seat, &["Sitz neu", "Neuer Sitz", "Nouveau siège", "Nuova sede", "Siège transféré à", "Sitzverlegung nach"]),
    (Label::Address, &["Domizil neu", "Neues Domizil", "Adresse neu", "Neue Adresse", "Nouvelle adresse", "Adresse actuelle", "Adresse désormais", "Locaux transférés", "Bureaux transférés", "Nouveaux locaux", "Nouveaux bureaux", "Nouveau domicile", "Nouveau domicile légal", "Transfert de l'adresse", "Transfert d'adresse", "Changement d'adresse", "Adressänderung", "Neue Geschäftsadresse", "Cambiamento d'indirizzo", "Nuovo recapito", "Nuovo indirizzo", "Rechtsdomizil neu"]),
    (Label::Purpose, &["Zweck neu", "Neuer Zweck", "Nouveau but", "But modifié", "Nuovo scopo", "Nouveau genre d'activité", "But nouveau"]),
    (Label::Statutes, &["Statutenänderung", "Statutendatum", "Statutendaten", "Urkundenänderung", "Urkundendatum", "Statuten", "Neue Statuten", "Statutenrevision", "Änderung der Statuten", "Änderung der Stiftungsurkunde", "Stiftungsurkunde", "Statuts", "Statuts modifiés", "Nouveaux statuts", "Modification des statuts", "Date des statuts", "Nouvelle date des statuts", "Acte de fondation", "Modification de l'acte de fondation", "Statuto", "Statuti", "Nuovo statuto", "Nuovi statuti", "Statuti modificati", "Data dello statuto", "Nuova data dello statuto", "Modifica dello statuto", "Modifica degli statuti", "Atto di fondazione", "Modifica dell'atto di fondazione"]),
    (Label::Capital(CapitalKind::PaidParticipation), &["Liberierung Partizipationskapital", "Nachliberierung Partizipationskapital", "Libération du capital-participation", "Capital-participation libéré", "Nouveau capital-participation libéré", "Capitale di partecipazione liberato", "Nuovo capitale di partecipazione liberato"]),
    (Label::Capital(CapitalKind::Paid), &["Liberierung", "Nachliberierung", "Capital-actions libéré", "Capital social libéré", "Capital libéré", "Libération du capital", "Nouveau capital-actions libéré", "Nouveau capital social libéré", "Nouveau capital libéré", "Capitale azionario liberato", "Capitale sociale liberato", "Nuovo capitale azionario liberato", "Nuovo capitale sociale liberato"]),
    (Label::Capital(CapitalKind::Participation), &["Partizipationskapital", "Capital-participation", "Nouveau capital-participation", "Capitale di partecipazione", "Nuovo capitale di partecipazione"]),
    (Label::Capital(CapitalKind::Shares), &["Aktienkapital neu", "Nouveau capital-actions", "Nuovo capitale azionario", "Nouveau capital", "Aktienkapital", "Capital-actions", "Capitale azionario"]),
    (Label::Capital(CapitalKind::Quotas), &["Stammkapital neu", "Nouveau capital social", "Nuovo capitale sociale", "Stammkapital", "Capital social", "Capital", "Capitale sociale"]),
    (Label::Combination(Concept::Combining), &["Kombinationsfusion", "Fusion par combinaison", "Fusione mediante combinazione"]),
    (Label::Combination(Concept::Merger), &["Fusion", "Fusione", "Absorptionsfusion"]),
    (Label::Combination(Concept::SplitUp), &["Aufspaltung", "Spaltung (Aufspaltung", "Scission (division", "Scissione (divisione", "Scission par division", "Scissione per divisione", "Scissione mediante divisione"]),
    (Label::Combination(Concept::SpinOff), &["Abspaltung", "Spaltung (Abspaltung", "Scission (séparation", "Scissione (separazione", "Scission par séparation", "Scissione per separazione", "Scissione mediante separazione"]),
    (Label::Combination(Concept::Demerger), &["Spaltung", "Scission", "Scissione"]),
    (Label::Combination(Concept::Transfer), &["Vermögensübertragung", "Transfert de patrimoine", "Trasferimento di patrimonio"]),
    (Label::Conversion, &["Umwandlung", "Transformation", "Trasformazione"]),
    (Label::LegalForm, &["Forme juridique nouvelle"]),
    (Label::Consideration, &["Gegenleistung", "Contre-prestation", "Contreprestation", "Controprestazione"]),
];

const STATED_ADDRESS: [&str; 4] = ["Adresse", "Geschäftsadresse", "Indirizzo", "Recapito"];

/// Whether the text is the label of a new address inside a sentence: `le siège est transféré à Nyon, nouvelle adresse: …`.
pub(super) fn is_new_address(text: &str) -> bool {
    #[rustfmt::skip]
    const LABELS: [&str; 7] = [
        "nouvelle adresse", "nouveaux bureaux", "nouveaux locaux", "neue adresse", "neues domizil", "nuovo recapito", "nuovo indirizzo",
    ];
    LABELS.contains(&text.to_lowercase().as_str())
}

/// The meaning of a label; `None` if it labels no change.
pub(super) fn label(text: &str) -> Option<Label> {
    // Fast path: most sentences have no label.
    if text.is_empty() {
        return None;
    }
    if STATED_ADDRESS.contains(&text) {
        return Some(Label::StatedAddress);
    }
    // A long label is a sentence that only starts with such a word.
    let matches = |name: &&str| {
        strip_prefix(text, name)
            .is_some_and(|rest| rest.len() <= 40 && !rest.starts_with(char::is_alphanumeric))
    };
    let label = LABELS.iter().find(|(_, names)| names.iter().any(matches));
    match label.map(|(label, _)| *label) {
        // `Capitale azionario condizionale`: what the capital may become.
        Some(Label::Capital(_)) if is_possible_capital(text) => None,
        Some(label) => Some(label),
        None => clause_label(text),
    }
}

/// The label of a capital after another label: `Aus genehmigtem Kapital: Aktienkapital neu: CHF 150'000.00`. With its name and the
/// text after it.
pub(super) fn inner_capital<'a>(outer: &str, text: &'a str) -> Option<(Label, &'a str, &'a str)> {
    // Fast path: most sentences have no label.
    if outer.is_empty() {
        return None;
    }
    let (name, _) = text[..text.floor_char_boundary(90)].split_once(": ")?;
    let capital = label(name).filter(|it| matches!(it, Label::Capital(_)))?;
    Some((capital, name, &text[name.len() + 2..]))
}

/// Whether a label is that of a conditional or authorised capital, or of a capital band.
fn is_possible_capital(label: &str) -> bool {
    const KINDS: [&str; 7] =
        ["bedingt", "genehmigt", "condition", "autoris", "condizional", "autorizzat", "marge"];
    let label = label.to_lowercase();
    KINDS.iter().any(|it| label.contains(it))
}

/// The meaning of a label that is a clause: `Der Zweck lautet neu`, `La raison sociale est désormais`.
fn clause_label(text: &str) -> Option<Label> {
    #[rustfmt::skip]
    const ARTICLES: [&str; 14] =
        ["Die ", "Der ", "Das ", "Le ", "La ", "L'", "L’", "Il ", "Lo ", "Ihr ", "Ihre ", "Son ", "Sa ", "Neue "];
    #[rustfmt::skip]
    const NOUNS: [(Label, &[&str]); 4] = [
        (Label::Name, &["Firma ", "raison sociale ", "ragione sociale ", "ditta "]),
        (Label::Seat, &["Sitz ", "siège ", "sede "]),
        (Label::Address, &["Adresse ", "Geschäftsadresse ", "Domizil ", "Rechtsdomizil ", "adresse ", "recapito ", "indirizzo "]),
        (Label::Purpose, &["Zweck ", "but ", "scopo "]),
    ];
    #[rustfmt::skip]
    const NEW: [&str; 17] = [
        " nouve", " nuov",
        " neu", " nun", " désormais", " maintenant", " actuel", " devient", " ora", " attuale", " diventa", " geändert", " modifié", " modifiée", " modificato",
        " modificata", " changé",
    ];
    let noun = ARTICLES.iter().find_map(|it| text.strip_prefix(it))?;
    #[rustfmt::skip]
    const CHANGED: [(Label, &str); 6] = [
        (Label::Purpose, "a modifié son but"), (Label::Purpose, "hat ihren Zweck geändert"), (Label::Purpose, "ha modificato lo scopo"),
        (Label::Purpose, "ha modificato il proprio scopo"), (Label::Name, "a modifié sa raison sociale"), (Label::Name, "hat ihre Firma geändert"),
    ];
    if let Some((label, _)) = CHANGED.iter().find(|(_, it)| text.contains(it)) {
        return Some(*label);
    }
    const ADJECTIVES: [&str; 6] = ["neue ", "neuer ", "nouvelle ", "nouveau ", "nuovo ", "nuova "];
    let noun = ADJECTIVES.iter().find_map(|it| noun.strip_prefix(it)).unwrap_or(noun);
    let padded = format!(" {text}");
    let is_short = text.split(' ').count() <= 9 && !text.contains([',', ';']);
    let is_new = NEW.iter().any(|it| padded.contains(it));
    let found = NOUNS.iter().find(|(_, nouns)| nouns.iter().any(|it| noun.starts_with(it)));
    let found = found.filter(|_| is_short && is_new).map(|(label, _)| *label);
    found.filter(|_| !is_about_holder(text))
}

/// Reads the text after the label, which is written as `name`.
pub(super) fn read_labelled(label: Label, name: &str, text: &str, found: &mut Vec<Change>) {
    let value = || punctuation::remove_groups(text, |it| it.starts_with('[')).trim().to_owned();
    let value = match label {
        Label::Address => return read_address(text, value(), found),
        Label::StatedAddress if found.iter().any(is_entry) => return,
        Label::StatedAddress => return read_address(text, value(), found),
        Label::Statutes => return found.extend(labelled_statutes(name, text)),
        Label::Capital(capital) => return found.extend(capital_change(capital, text)),
        Label::Combination(kind) => return found.extend(combinations(Some(kind), text)),
        Label::Consideration => return add_consideration(text, found),
        Label::Conversion => return found.extend(converted(text)),
        _ => value(),
    };
    if value.is_empty() {
        return;
    }
    found.push(match label {
        Label::Name => Change::Name { to: without_translations(&value).to_owned() },
        Label::LegalForm => Change::LegalForm { to: value },
        Label::Seat => Change::Seat { to: Some(value), from: former_value(text) },
        _ => Change::Purpose { to: value },
    });
}

/// Whether the company or a branch is entered, so that its address is no new one.
fn is_entry(change: &Change) -> bool {
    matches!(change, Change::NewEntry | Change::ReEntry { .. } | Change::Branch { .. })
}

/// Reads `Domizil neu: Seestrasse 1, 3600 Thun [bisher: ohne Domizil]` and `Domizil neu: ohne Domizil`.
fn read_address(text: &str, to: String, found: &mut Vec<Change>) {
    #[rustfmt::skip]
    const MISSING: [&str; 17] = [
        "fehlt", "keines", "keine", "keins", "unbekannt", "erloschen", "aufgehoben", "aucune", "aucun", "manque", "inconnue", "inconnu", "supprimée", "nessuno", "manca", "sconosciuto",
        "soppresso",
    ];
    let is_missing = |it: &str| {
        concepts::find(it).iter().any(|it| it.concept == Concept::NoDomicile)
            || MISSING.contains(&it)
    };
    // `Adresse: désormais rue du Lac 4`
    let to = strip_any_prefix(&to, &["désormais ", "maintenant ", "neu ", "nun ", "ora "])
        .map_or(to.as_str(), str::trim_start)
        .to_owned();
    if is_missing(&to) {
        return found.push(Change::Domicile { exists: false });
    }
    if former_value(text).is_some_and(|it| is_missing(&it)) {
        found.push(Change::Domicile { exists: true });
    }
    if !to.is_empty() {
        found.push(Change::Address { to });
    }
}

/// Adds the consideration to the asset transfer before it: `Gegenleistung: CHF 900'000.00`.
fn add_consideration(text: &str, found: &mut [Change]) {
    let currency_at = ["CHF ", "Fr. ", "EUR ", "USD "].iter().filter_map(|it| text.find(it)).min();
    let Some((Some(currency), number)) = currency_at.and_then(|at| amount(&text[at..])) else {
        return;
    };
    for change in found.iter_mut().rev() {
        let Change::Combination { transfer, .. } = change else { break };
        let transfer = transfer.get_or_insert_with(|| AssetTransfer::in_currency(&currency));
        if transfer.currency == currency {
            transfer.consideration.get_or_insert(number);
        }
    }
}

/// The former value in `[bisher: …]`.
fn former_value(text: &str) -> Option<String> {
    let (open, close) = punctuation::bracket_groups(text)
        .into_iter()
        .find(|(open, _)| text.as_bytes()[*open] == b'[')?;
    let (_, value) = text[open + 1..close].split_once(':')?;
    Some(value.trim().to_owned()).filter(|it| !it.is_empty())
}

fn capital_change(capital: CapitalKind, text: &str) -> Option<Change> {
    let (currency, to) = amount(text)?;
    let from = former_value(text).and_then(|it| amount(&it)).map(|(_, amount)| amount);
    Some(Change::Capital { capital, currency, to, from })
}

/// Reads the new legal form of a conversion: `… wird in eine Aktiengesellschaft umgewandelt`, `… transformée en société anonyme`.
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
