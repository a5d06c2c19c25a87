//! Changes of the capital, the name, the seat, the address and the purpose in prose.

mod address;
mod capital;
mod name;

use self::{
    address::{address, address_after_noun, address_of_seat},
    capital::capital,
    name::named,
};
use super::Change;
use crate::words::ABOUT_COMPANY;

/// Adds what a sentence says about the capital, the name, the seat, the address or the purpose of the company.
pub(super) fn read(text: &str, found: &mut Vec<Change>) {
    // Fast path: these sentences name what changes.
    if !ABOUT_COMPANY.occur_in(text) {
        return;
    }
    // Sentences in the form of a label can also list the new shares.
    if text.len() <= 600 || text.starts_with("Capital") {
        found.extend(capital(text).or_else(|| named(text)));
        found.extend(seat(text));
        let address = address(text).or_else(|| address_of_seat(text));
        found.extend(address.or_else(|| address_after_noun(text)));
    }
    found.extend(purpose(text));
}

/// Reads `Le siège est désormais à Nyon`. Moves are read with the company's existence.
fn seat(text: &str) -> Option<Change> {
    #[rustfmt::skip]
    const FORMULAS: [&str; 20] = [
        "siège de la société est désormais à ", "siège de la société est maintenant à ", "siège de l'association est désormais à ", "siège de la fondation est désormais à ",
        "sede della società è ora a ", "Sitz der Gesellschaft ist neu in ",
        "Sitz ist neu in ", "Sitz ist neu ", "Sitz befindet sich neu in ", "Sitz ist nun in ", "hat ihren Sitz neu in ", "siège est désormais à ",
        "siège est maintenant à ", "a désormais son siège à ", "nouveau siège est à ", "sede è ora a ", "nuova sede è a ", "ha ora la sede a ",
        "ha ora sede a ", "sede è ora in ",
    ];
    let place = after_any(text, &FORMULAS)?;
    let place = place.split([',', ';', '(']).next().unwrap_or_default().trim();
    let is_place = place.starts_with(char::is_uppercase) && place.len() <= 60;
    is_place.then(|| Change::Seat { to: Some(place.to_owned()), from: None })
}

/// Reads `Die Gesellschaft bezweckt neu den Handel mit Weinen`.
fn purpose(text: &str) -> Option<Change> {
    #[rustfmt::skip]
    const FORMULAS: [&str; 11] = [
        "bezweckt neu ", "bezweckt nun ", "bezweckt nunmehr ", "a désormais pour but ", "a maintenant pour but ", "but de la société est désormais ",
        "but est désormais ", "ha ora per scopo ", "ha ora lo scopo ", "scopo della società è ora ", "scopo è ora ",
    ];
    let purpose = after_any(text, &FORMULAS)?.trim_start_matches([':', ' ']);
    (!purpose.is_empty()).then(|| Change::Purpose { to: purpose.to_owned() })
}

fn after_any<'a>(text: &'a str, formulas: &[&str]) -> Option<&'a str> {
    let straight = |it: &&str| text.find(*it).map(|at| at + it.len());
    formulas.iter().find_map(straight).map(|at| text[at..].trim())
}
