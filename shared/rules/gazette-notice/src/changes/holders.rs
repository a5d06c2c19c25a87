//! Sentences about a firm or person that holds an office or shares, and not about the company.

use crate::words::{FUNCTION, SHAREHOLDER, is_legal_form, strip_any_prefix};

/// Whether the subject of a sentence is a firm that holds an office or shares: its name, seat and deletion are not those of
/// the company. `L'organe de révision Modèle SA a transféré son siège à Sion`
pub(super) fn is_about_holder(text: &str) -> bool {
    #[rustfmt::skip]
    const HOLDERS: [&str; 26] = [
        "organe de révision", "organe de contrôle", "réviseur", "associé", "associée", "administrateur", "administratrice", "gérante", "gérant", "commanditaire",
        "Revisionsstelle", "Kontrollstelle", "Gesellschafterin", "Geschäftsführerin", "Kommanditärin", "Kommanditär", "Aktionärin", "Verwaltungsrätin",
        "ufficio di revisione", "organo di revisione", "socia", "amministratrice", "gerente", "accomandante", "liquidatrice", "Liquidatorin",
    ];
    const ARTICLES: [&str; 9] = ["L'", "L’", "La ", "Le ", "Il ", "Die ", "Der ", "Lo ", "Als "];
    let start = &text[..text.floor_char_boundary(120)];
    // Fast path: few sentences start with a holder.
    if !FUNCTION.occur_in(start) && !SHAREHOLDER.occur_in(text) {
        return false;
    }
    let has_form = || {
        let mut words = text.split([' ', ',', '(']).take(14);
        words.any(is_legal_form)
    };
    let starts = |it: &str| {
        let next = |rest: &str| rest.is_empty() || rest.starts_with([' ', ',', ')']);
        HOLDERS.iter().any(|holder| strip_any_prefix(it, &[holder]).is_some_and(next))
    };
    let first = strip_any_prefix(text, &ARTICLES).unwrap_or(text);
    // `Muster Treuhand AG, Revisionsstelle, …`, `Muster Treuhand AG (Revisionsstelle)`
    let is_beside = || start.split([',', '(']).skip(1).any(|it| starts(it.trim_start()));
    ((starts(first) || is_beside()) && has_form())
        || seats(start).any(starts)
        || is_proceeding_about_holder(text)
}

/// What follows the words for a seat and `of`: `Muster Treuhand AG …` in `Der Sitz der Muster Treuhand AG …`.
fn seats(text: &str) -> impl Iterator<Item = &str> {
    const SEATS: [&str; 6] = ["siège ", "sede ", "Sitz ", "Sitzes ", "Sitzverlegung ", "Firma "];
    const OF: [&str; 9] =
        ["de l'", "de l’", "de la ", "du ", "der ", "des ", "dell'", "dell’", "della "];
    let after = SEATS.iter().flat_map(|it| text.match_indices(it)).map(|(at, it)| at + it.len());
    after.filter_map(|it| strip_any_prefix(&text[it..], &OF))
}

/// Whether a proceeding is that of a holder of shares or an office: `Über den Gesellschafter Hans Keller ist der Konkurs eröffnet
/// worden`. The proceeding about the owner of a sole proprietorship is that of the company.
fn is_proceeding_about_holder(text: &str) -> bool {
    #[rustfmt::skip]
    const HOLDERS: [&str; 18] = [
        "Gesellschafter ", "Gesellschafterin ", "Gesellschafters ", "Kommanditär ", "Kommanditärs ", "Kommanditärin ", "Aktionär ", "Aktionärin ", "Aktionärs ",
        "associé ", "associée ", "actionnaire ", "commanditaire ", "socio ", "socia ", "azionista ", "accomandante ", "accomandatario ",
    ];
    const ARTICLES: [&str; 4] = ["L'", "Il ", "Der ", "La "];
    #[rustfmt::skip]
    const BEFORE: [&str; 19] = [
        "Über den ", "Über die ", "über den ", "über die ", "Konkurs des ", "Konkurs der ", "Konkurses des ", "Konkurses der ", "Nachlassstundung des ", "Nachlassstundung der ",
        "faillite de l'", "faillite d'un ", "faillite d'une ", "sursis de l'", "fallimento del ", "fallimento della ", "fallimento dell'", "moratoria del ", "moratoria della ",
    ];
    // Fast path: few sentences name one.
    if !SHAREHOLDER.occur_in(text) {
        return false;
    }
    // A name follows, not `unique` or a verb.
    let is_holder = |it: &str| {
        strip_any_prefix(it, &HOLDERS).is_some_and(|name| name.starts_with(char::is_uppercase))
    };
    // An article begins the subject of the sentence only at its start.
    ARTICLES.iter().find_map(|it| text.strip_prefix(it)).is_some_and(is_holder)
        || BEFORE
            .iter()
            .flat_map(|it| text.match_indices(it))
            .any(|(at, before)| is_holder(&text[at + before.len()..]))
}
