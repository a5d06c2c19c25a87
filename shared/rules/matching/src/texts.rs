//! The texts of explanations in four languages.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};

use crate::subject::{Identifier, Kind};

/// A text in four languages.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Text {
    /// German.
    pub de: String,
    /// French.
    pub fr: String,
    /// Italian.
    pub it: String,
    /// English.
    pub en: String,
}

/// A value in a text: as it is written, or with what it is in each language.
pub(crate) struct Shown<'a>([Cow<'a, str>; 4]);

impl<'a> Shown<'a> {
    fn as_written(value: &'a str) -> Self {
        Self(std::array::from_fn(|_| Cow::Borrowed(value)))
    }

    /// A number with its kind.
    pub(crate) fn identifier(identifier: &'a Identifier) -> Self {
        let (scheme, value) = (&identifier.scheme, identifier.written());
        let names = match scheme.as_str() {
            "passport" => ["Pass", "passeport", "passaporto", "passport"],
            "national-id" => ["Ausweis", "carte d’identité", "carta d’identità", "identity card"],
            "registration" => [
                "Registernummer",
                "numéro de registre",
                "numero di registro",
                "registration number",
            ],
            "tax" => ["Steuernummer", "numéro fiscal", "numero fiscale", "tax number"],
            "wallet" => {
                ["Wallet-Adresse", "adresse de wallet", "indirizzo di wallet", "wallet address"]
            }
            "uid" => ["UID", "IDE", "IDI", "UID"],
            // International abbreviations.
            _ => {
                return Self(std::array::from_fn(|_| {
                    Cow::Owned(format!("{} {value}", scheme.to_uppercase()))
                }));
            }
        };
        Self(names.map(|name| Cow::Owned(format!("{name} {value}"))))
    }

    /// What a subject is.
    pub(crate) fn kind(kind: Kind) -> Self {
        let names = match kind {
            Kind::Person => ["Person", "personne", "persona", "person"],
            Kind::Organisation => {
                ["Organisation", "organisation", "organizzazione", "organisation"]
            }
            Kind::Vessel => ["Schiff", "navire", "nave", "ship"],
            Kind::Other => ["anderes", "autre", "altro", "other"],
        };
        Self(names.map(Cow::Borrowed))
    }
}

/// What an explanation says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(test, derive(Hash))]
pub(crate) enum Finding {
    EqualWord,
    Spelling,
    Familiar,
    Translated,
    Similar,
    Sound,
    Initial,
    Joined,
    Acronym,
    OtherWords,
    Rarity,
    Differences,
    OnlyInQuery,
    OnlyInList,
    Aside,
    State,
    EqualNumber,
    OtherNumber,
    OtherFather,
    OtherOrder,
    SameLegalForm,
    OtherLegalForm,
    LegalFormOnlyInQuery,
    LegalFormOnlyInList,
    WeakAlias,
    EqualDate,
    SimilarDate,
    OtherDate,
    SameCountry,
    OtherCountry,
    SameIdentifier,
    OtherIdentifier,
    OtherKind,
}

/// German, French, Italian and English; `{q}` is the value of the query, `{l}` that of the list.
fn templates(finding: Finding) -> [&'static str; 4] {
    match finding {
        Finding::EqualWord => [
            "«{q}» steht in beiden Namen.",
            "«{q}» figure dans les deux noms.",
            "«{q}» figura in entrambi i nomi.",
            "“{q}” is in both names.",
        ],
        Finding::Spelling => [
            "«{q}» und «{l}» sind Schreibweisen desselben Namens.",
            "«{q}» et «{l}» sont des graphies du même nom.",
            "«{q}» e «{l}» sono grafie dello stesso nome.",
            "“{q}” and “{l}” are spellings of the same name.",
        ],
        Finding::Familiar => [
            "«{q}» und «{l}» sind Formen desselben Vornamens.",
            "«{q}» et «{l}» sont des formes du même prénom.",
            "«{q}» e «{l}» sono forme dello stesso nome di battesimo.",
            "“{q}” and “{l}” are forms of the same given name.",
        ],
        Finding::Translated => [
            "«{q}» und «{l}» bedeuten dasselbe in verschiedenen Sprachen.",
            "«{q}» et «{l}» ont le même sens dans des langues différentes.",
            "«{q}» e «{l}» hanno lo stesso significato in lingue diverse.",
            "“{q}” and “{l}” mean the same in different languages.",
        ],
        Finding::Similar => [
            "«{q}» und «{l}» unterscheiden sich in wenigen Buchstaben.",
            "«{q}» et «{l}» diffèrent de quelques lettres.",
            "«{q}» e «{l}» differiscono per poche lettere.",
            "“{q}” and “{l}” differ in a few letters.",
        ],
        Finding::Sound => [
            "«{q}» und «{l}» klingen ähnlich.",
            "«{q}» et «{l}» se prononcent de manière semblable.",
            "«{q}» e «{l}» hanno un suono simile.",
            "“{q}” and “{l}” sound similar.",
        ],
        Finding::Initial => [
            "«{q}» und «{l}»: Das eine ist die Abkürzung des anderen.",
            "«{q}» et «{l}»: l’un est l’abréviation de l’autre.",
            "«{q}» e «{l}»: uno è l’abbreviazione dell’altro.",
            "“{q}” and “{l}”: one is an abbreviation of the other.",
        ],
        Finding::Joined => [
            "«{q}» und «{l}» unterscheiden sich vor allem in den Wortgrenzen.",
            "«{q}» et «{l}» diffèrent surtout par la séparation des mots.",
            "«{q}» e «{l}» differiscono soprattutto nella separazione delle parole.",
            "“{q}” and “{l}” differ mainly in where words are separated.",
        ],
        Finding::Acronym => [
            "«{q}» und «{l}»: Das eine besteht aus den Anfangsbuchstaben des anderen.",
            "«{q}» et «{l}»: l’un est formé des initiales de l’autre.",
            "«{q}» e «{l}»: uno è formato dalle iniziali dell’altro.",
            "“{q}” and “{l}”: one consists of the first letters of the other.",
        ],
        Finding::OtherWords => [
            "«{q}» und «{l}» sind verschieden.",
            "«{q}» et «{l}» sont différents.",
            "«{q}» e «{l}» sono diversi.",
            "“{q}” and “{l}” are different.",
        ],
        Finding::Rarity => [
            "Nach der Seltenheit der übereinstimmenden Wörter beträgt der Wert der Namen allein höchstens {q}.",
            "Selon la rareté des mots qui concordent, la valeur des seuls noms est d’au plus {q}.",
            "In base alla rarità delle parole che coincidono, il valore dei soli nomi è al massimo {q}.",
            "By the rarity of the words that agree, the score of the names alone is at most {q}.",
        ],
        Finding::Differences => [
            "Die Unterschiede senken den Wert der Namen zusätzlich um {q} %.",
            "Les différences réduisent encore la valeur des noms de {q} %.",
            "Le differenze riducono ulteriormente il valore dei nomi del {q} %.",
            "The differences lower the score of the names by a further {q} %.",
        ],
        Finding::OnlyInQuery => [
            "«{q}» steht nur im gesuchten Namen.",
            "«{q}» ne figure que dans le nom recherché.",
            "«{q}» figura solo nel nome cercato.",
            "“{q}” is only in the queried name.",
        ],
        Finding::OnlyInList => [
            "«{l}» steht nur im Namen auf der Liste.",
            "«{l}» ne figure que dans le nom de la liste.",
            "«{l}» figura solo nel nome della lista.",
            "“{l}” is only in the listed name.",
        ],
        Finding::Aside => [
            "«{q}{l}» steht nur in einem der Namen und sagt wenig darüber, wer gemeint ist (Ort, Land, Zahl oder allgemeine Tätigkeit).",
            "«{q}{l}» ne figure que dans l’un des noms et dit peu de qui il s’agit (lieu, pays, nombre ou activité générale).",
            "«{q}{l}» figura solo in uno dei nomi e dice poco di chi si tratta (luogo, Paese, numero o attività generica).",
            "“{q}{l}” is only in one of the names and says little about who is meant (place, country, number or general activity).",
        ],
        Finding::State => [
            "«{q}{l}» ist der Zustand der Firma und kein Teil ihres Namens.",
            "«{q}{l}» est l’état de l’entreprise et ne fait pas partie de son nom.",
            "«{q}{l}» è lo stato dell’impresa e non fa parte del suo nome.",
            "“{q}{l}” is the state of the company and no part of its name.",
        ],
        Finding::EqualNumber => [
            "Die Zahlen in den Namen stimmen überein ({q}).",
            "Les nombres des noms concordent ({q}).",
            "I numeri nei nomi coincidono ({q}).",
            "The numbers in the names agree ({q}).",
        ],
        Finding::OtherNumber => [
            "Die Zahlen in den Namen sind verschieden («{q}», «{l}»).",
            "Les nombres des noms sont différents («{q}», «{l}»).",
            "I numeri nei nomi sono diversi («{q}», «{l}»).",
            "The numbers in the names differ (“{q}”, “{l}”).",
        ],
        Finding::OtherFather => [
            "Die Namen des Vaters sind verschieden.",
            "Les noms du père sont différents.",
            "I nomi del padre sono diversi.",
            "The names of the father differ.",
        ],
        Finding::OtherOrder => [
            "Die Wörter stehen in anderer Reihenfolge.",
            "Les mots sont dans un autre ordre.",
            "Le parole sono in un ordine diverso.",
            "The words are in a different order.",
        ],
        Finding::SameLegalForm => [
            "Die Rechtsformen «{q}» und «{l}» sind vereinbar.",
            "Les formes juridiques «{q}» et «{l}» sont compatibles.",
            "Le forme giuridiche «{q}» e «{l}» sono compatibili.",
            "The legal forms “{q}” and “{l}” are compatible.",
        ],
        Finding::OtherLegalForm => [
            "Die Rechtsformen «{q}» und «{l}» sind verschieden.",
            "Les formes juridiques «{q}» et «{l}» sont différentes.",
            "Le forme giuridiche «{q}» e «{l}» sono diverse.",
            "The legal forms “{q}” and “{l}” differ.",
        ],
        Finding::LegalFormOnlyInQuery => [
            "Nur der gesuchte Name enthält eine Rechtsform («{q}»).",
            "Seul le nom recherché contient une forme juridique («{q}»).",
            "Solo il nome cercato contiene una forma giuridica («{q}»).",
            "Only the queried name contains a legal form (“{q}”).",
        ],
        Finding::LegalFormOnlyInList => [
            "Nur der Name auf der Liste enthält eine Rechtsform («{l}»).",
            "Seul le nom de la liste contient une forme juridique («{l}»).",
            "Solo il nome della lista contiene una forma giuridica («{l}»).",
            "Only the listed name contains a legal form (“{l}”).",
        ],
        Finding::WeakAlias => [
            "Einer der Namen ist ein Alias von geringer Verlässlichkeit.",
            "L’un des noms est un alias peu fiable.",
            "Uno dei nomi è un alias poco affidabile.",
            "One of the names is a weak alias.",
        ],
        Finding::EqualDate => [
            "Die bekannten Teile der Datumsangaben stimmen überein ({q}, {l}).",
            "Les parties connues des dates concordent ({q}, {l}).",
            "Le parti note delle date coincidono ({q}, {l}).",
            "The known parts of the dates agree ({q}, {l}).",
        ],
        Finding::SimilarDate => [
            "Die Datumsangaben {q} und {l} sind ähnlich.",
            "Les dates {q} et {l} sont semblables.",
            "Le date {q} e {l} sono simili.",
            "The dates {q} and {l} are similar.",
        ],
        Finding::OtherDate => [
            "Die Datumsangaben {q} und {l} sind verschieden.",
            "Les dates {q} et {l} sont différentes.",
            "Le date {q} e {l} sono diverse.",
            "The dates {q} and {l} differ.",
        ],
        Finding::SameCountry => [
            "Ein Land stimmt überein ({q}; {l}).",
            "Un pays concorde ({q}; {l}).",
            "Un Paese coincide ({q}; {l}).",
            "A country agrees ({q}; {l}).",
        ],
        Finding::OtherCountry => [
            "Kein Land stimmt überein ({q}; {l}).",
            "Aucun pays ne concorde ({q}; {l}).",
            "Nessun Paese coincide ({q}; {l}).",
            "No country agrees ({q}; {l}).",
        ],
        Finding::SameIdentifier => [
            "Die Nummer stimmt überein: {q}.",
            "Le numéro concorde: {q}.",
            "Il numero coincide: {q}.",
            "The number agrees: {q}.",
        ],
        Finding::OtherIdentifier => [
            "Die Nummern sind verschieden: {q}; {l}.",
            "Les numéros sont différents: {q}; {l}.",
            "I numeri sono diversi: {q}; {l}.",
            "The numbers differ: {q}; {l}.",
        ],
        Finding::OtherKind => [
            "Gesucht ist: {q}; auf der Liste steht: {l}.",
            "Recherché: {q}; sur la liste: {l}.",
            "Cercato: {q}; sulla lista: {l}.",
            "Queried: {q}; on the list: {l}.",
        ],
    }
}

/// The text of a finding about values as they are written.
pub(crate) fn text(finding: Finding, query: &str, list: &str) -> Text {
    text_about(finding, &Shown::as_written(query), &Shown::as_written(list))
}

/// The text of a finding with its values.
pub(crate) fn text_about(finding: Finding, query: &Shown<'_>, list: &Shown<'_>) -> Text {
    let templates = templates(finding);
    let [de, fr, it, en] =
        std::array::from_fn(|at| filled(templates[at], &query.0[at], &list.0[at]));
    Text { de, fr, it, en }
}

/// Replaces the placeholders in one pass, because values may contain braces.
fn filled(template: &str, query: &str, list: &str) -> String {
    let mut filled = String::with_capacity(template.len() + query.len() + list.len());
    let mut parts = template.split('{');
    filled.push_str(parts.next().unwrap_or_default());
    for part in parts {
        let (value, rest) = if let Some(rest) = part.strip_prefix("q}") {
            (query, rest)
        } else {
            (list, part.strip_prefix("l}").unwrap_or(part))
        };
        filled.push_str(value);
        filled.push_str(rest);
    }
    filled
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn company_numbers_are_written_as_people_write_them() {
        for value in ["107787577", "CHE107787577", "CHE-107.787.577"] {
            let number = Identifier { scheme: "uid".to_owned(), value: value.to_owned() };
            let shown = Shown::identifier(&number);
            let text = text_about(Finding::SameIdentifier, &shown, &shown);
            assert_eq!(text.fr, "Le numéro concorde: IDE CHE-107.787.577.");
        }
    }

    #[test]
    fn values_that_look_like_placeholders_are_not_replaced() {
        let text = text(Finding::Similar, "{l}", "{q}");
        assert_eq!(text.en, "“{l}” and “{q}” differ in a few letters.");
        assert_eq!(text.de, "«{l}» und «{q}» unterscheiden sich in wenigen Buchstaben.");
    }
}
