//! Changes of the address in prose.

use super::after_any;
use crate::changes::Change;

/// Words between a formula and an address.
#[rustfmt::skip]
const TO_ADDRESS: [&str; 16] = [
    "à la ", "à l'", "à ", "an der ", "an die ", "am ", "an den ", "an ", "in der ", "in die ", "in ", "bei ", "alla ", "a ", "au ", "all'",
];

/// Reads `Die neue Adresse lautet Seestrasse 1, 3600 Thun`.
pub(super) fn address(text: &str) -> Option<Change> {
    #[rustfmt::skip]
    const FORMULAS: [&str; 64] = [
        "a désormais ses bureaux ", "a maintenant ses bureaux ", "a ses bureaux désormais ", "a transféré ses locaux ", "a transféré son domicile ", "Bureaux transférés ",
        "Locaux transférés ", "Geschäftsadresse lautet neu ", "Geschäftsadresse lautet nun ", "Die Adresse lautet nun ", "Neue Adresse ist ",
        "Uffici trasferiti ",
        "bureaux se trouvent désormais ", "société est désormais domiciliée ", "association est désormais domiciliée ", "fondation est désormais domiciliée ",
        "adresse du siège est désormais ", "adresse de la société est désormais ", "à sa nouvelle adresse, ", "Gesellschaft befindet sich neu ", "Gesellschaft ist neu ",
        "Geschäftsräume befinden sich neu ", "propri uffici in ", "nuovo indirizzo della società è ",
        "domicile légal est désormais ", "Das Domizil lautet neu ", "Das Domizil befindet sich neu ", "Das Domizil ist neu ", "Das Domizil wurde ", "Rechtsdomizil befindet sich neu ",
        "ihr Domizil neu ", "ihr Rechtsdomizil neu ", "ihre Adresse neu ", "Die Adresse lautet neu ", "Die neue Adresse lautet ",
        "Das neue Domizil lautet ", "Das neue Domizil ist ", "L'adresse est désormais ", "L'adresse est maintenant ", "La nouvelle adresse est ",
        "L'adresse a été transférée ", "L'adresse est transférée ", "a transféré son adresse ", "transfère son adresse ", "a désormais son adresse ",
        "a maintenant son adresse ", "Les bureaux sont transférés ", "bureaux ont été transférés ", "a transféré ses bureaux ", "L'indirizzo è ora ",
        "Il nuovo indirizzo è ", "Il recapito è ora ", "recapito della società è ora ", "Il nuovo recapito è ", "Il recapito è stato trasferito ",
        "ha ora il proprio recapito ", "ha ora recapito ", "ha trasferito il recapito ", "ha trasferito il proprio recapito ", "ha ora il recapito ", "ihr Domizil ", "recapito della società è ", "recapito dell'associazione è ", "ihre Adresse ",
    ];
    let address = after_any(text, &FORMULAS)?.trim_start_matches([':', ' ']);
    let address = TO_ADDRESS.iter().find_map(|it| address.strip_prefix(it)).unwrap_or(address);
    let address = [", verlegt", " verlegt", ", transferiert", ", domiziliert", " domiziliert"]
        .iter()
        .find_map(|it| address.strip_suffix(it))
        .unwrap_or(address);
    let is_address =
        address.contains(|it: char| it.is_ascii_digit()) || address.starts_with(char::is_uppercase);
    is_address.then(|| Change::Address { to: address.to_owned() })
}

/// The address in a sentence about the seat: `Le siège est transféré à Nyon, rue du Lac 5, 1260 Nyon`.
pub(super) fn address_of_seat(text: &str) -> Option<Change> {
    const SEATS: [&str; 4] = ["Sitz", "siège", "Siège", "sede"];
    #[rustfmt::skip]
    const MOVES: [&str; 8] = ["verlegt", "transf", "trasfer", " désormais ", " maintenant ", " neu ", " ora ", " nun "];
    let moves =
        SEATS.iter().any(|it| text.contains(it)) && MOVES.iter().any(|it| text.contains(it));
    let comma = moves.then(|| comma_before_zip(text))??;
    let from = text[..comma].rfind(", ").map(|it| it + 2)?;
    let street = &text[from..comma];
    let after_preposition = TO_ADDRESS.iter().filter_map(|it| {
        let at = street.rfind(&format!(" {it}"))? + 1 + it.len();
        street[at..].starts_with(char::is_uppercase).then_some(at)
    });
    let is_clause = street.starts_with(char::is_lowercase) && street.split(' ').count() > 4;
    let skipped = if is_clause { after_preposition.min()? } else { 0 };
    let town = &text[comma + 2..];
    let end = town.find([',', ';']).unwrap_or(town.len());
    let end = town[..end].find(" verlegt").unwrap_or(end);
    let to = text[from + skipped..comma + 2 + end].trim();
    street.contains(|it: char| it.is_ascii_digit()).then(|| Change::Address { to: to.to_owned() })
}

/// The address after its noun, in any wording: `il nuovo recapito è Via Nassa 5, 6900 Lugano`, `adresse: rue du Lac 5, 1260
/// Nyon`. Only with a post code.
pub(super) fn address_after_noun(text: &str) -> Option<Change> {
    #[rustfmt::skip]
    const NOUNS: [&str; 8] = ["Adresse", "adresse", "Domizil", "domizil", "domicile", "recapito", "Recapito", "indirizzo"];
    #[rustfmt::skip]
    const NEW: [&str; 16] = [
        "neu ", "Neu", "neue", "nun", "lautet", "verlegt", "désormais", "maintenant", "nouvel", "Nouvel", "transf", "nuov", "Nuov", " ora ", "trasfer", "devient",
    ];
    #[rustfmt::skip]
    const LEADS: [&str; 24] = [
        ": ", " ist ", " lautet ", " est ", " è ", " neu ", " nun ", " nunmehr ", " désormais ", " maintenant ", " ora ", " devient ", " à ", " à la ", " à l'", " au ", " an der ",
        " an die ", " am ", " an ", " in ", " in der ", " alla ", " a ",
    ];
    text.split("; ").find_map(|part| {
        let (noun_at, noun) = NOUNS.iter().find_map(|it| Some((part.find(it)?, *it)))?;
        let is_label = part[noun_at + noun.len()..].starts_with(':');
        let is_new = is_label || NEW.iter().any(|it| part.contains(it));
        // Where the liquidators or a person can be reached is not the address of the company.
        let is_other = ["iquid", "omicilié", "itulaire"].iter().any(|it| part.contains(it));
        if !is_new || is_other {
            return None;
        }
        let after = noun_at + noun.len();
        let comma = after + comma_before_zip(&part[after..])?;
        let street = &part[after..comma];
        let starts = LEADS.iter().filter_map(|it| Some(street.rfind(it)? + it.len()));
        let street = street[starts.max()?..].trim();
        let is_street = street.ends_with(|it: char| it.is_ascii_digit() || it.is_ascii_lowercase())
            && street.contains(|it: char| it.is_ascii_digit())
            && street.starts_with(char::is_alphabetic);
        let town = &part[comma + 2..];
        let town = &town[..town.find([',', '(']).unwrap_or(town.len())].trim_end_matches('.');
        is_street.then(|| Change::Address { to: format!("{street}, {town}") })
    })
}

/// The first comma that a post code and a town follow.
fn comma_before_zip(text: &str) -> Option<usize> {
    let mut commas = text.match_indices(", ").map(|it| it.0);
    commas.find(|at| starts_with_zip(&text[at + 2..]))
}

/// Whether the text starts with a post code and a town: `1260 Nyon`.
fn starts_with_zip(text: &str) -> bool {
    let (zip, town) = text.split_once(' ').unwrap_or_default();
    zip.len() == 4
        && zip.bytes().all(|it| it.is_ascii_digit())
        && town.starts_with(char::is_uppercase)
}
