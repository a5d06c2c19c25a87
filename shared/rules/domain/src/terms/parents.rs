//! Why a company names no parent, by the codes of GLEIF.

use std::borrow::Borrow;

use super::Text;
use crate::Language;

/// The reasons that a company reported to GLEIF for naming no parent, as they follow a colon. A code that is not known stays as
/// it is.
pub fn reasons_for_no_parent(language: Language, codes: &[impl Borrow<str>]) -> String {
    let said = codes.iter().map(|code| {
        let code = code.borrow();
        reason(code).map_or(code, |it| language.of(it))
    });
    said.collect::<Vec<_>>().join(", ")
}

fn reason(code: &str) -> Option<Text> {
    Some(match code {
        "NATURAL_PERSONS" => [
            "natürliche Personen kontrollieren das Unternehmen",
            "des personnes physiques contrôlent l’entreprise",
            "persone fisiche controllano l’impresa",
            "natural persons control the company",
        ],
        "NON_CONSOLIDATING" => [
            "keine Muttergesellschaft muss das Unternehmen konsolidieren",
            "aucune société mère ne doit consolider l’entreprise",
            "nessuna società madre deve consolidare l’impresa",
            "no parent has to consolidate the company",
        ],
        "NO_KNOWN_PERSON" => [
            "es ist niemand bekannt, der das Unternehmen kontrolliert",
            "aucune personne contrôlant l’entreprise n’est connue",
            "non è noto chi controlla l’impresa",
            "nobody is known who controls the company",
        ],
        "NO_LEI" => [
            "die Muttergesellschaft hat keinen LEI",
            "la société mère n’a pas de LEI",
            "la società madre non ha un LEI",
            "the parent has no LEI",
        ],
        "NON_PUBLIC" => [
            "die Angabe ist nicht öffentlich",
            "l’information n’est pas publique",
            "l’informazione non è pubblica",
            "the information is not public",
        ],
        "BINDING_LEGAL_COMMITMENTS" => [
            "rechtliche Verpflichtungen verhindern die Angabe",
            "des engagements juridiques empêchent la divulgation",
            "impegni giuridici impediscono la comunicazione",
            "legal commitments prevent the disclosure",
        ],
        "LEGAL_OBSTACLES" => [
            "das Recht verhindert die Angabe",
            "le droit empêche la divulgation",
            "il diritto impedisce la comunicazione",
            "the law prevents the disclosure",
        ],
        "CONSENT_NOT_OBTAINED" => [
            "die Zustimmung fehlt",
            "le consentement fait défaut",
            "manca il consenso",
            "there is no consent",
        ],
        "DETRIMENT_NOT_EXCLUDED" => [
            "ein Nachteil durch die Angabe ist nicht ausgeschlossen",
            "un préjudice causé par la divulgation n’est pas exclu",
            "un danno dovuto alla comunicazione non è escluso",
            "harm by the disclosure cannot be excluded",
        ],
        "DISCLOSURE_DETRIMENTAL" => [
            "die Angabe wäre nachteilig",
            "la divulgation serait préjudiciable",
            "la comunicazione sarebbe dannosa",
            "the disclosure would be harmful",
        ],
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::typography::{is_within_sentence, misprint};

    #[test]
    fn reasons_are_words_in_every_language_and_unknown_codes_stay() {
        let codes = [
            "NATURAL_PERSONS",
            "NON_CONSOLIDATING",
            "NO_KNOWN_PERSON",
            "NO_LEI",
            "NON_PUBLIC",
            "BINDING_LEGAL_COMMITMENTS",
            "LEGAL_OBSTACLES",
            "CONSENT_NOT_OBTAINED",
            "DETRIMENT_NOT_EXCLUDED",
            "DISCLOSURE_DETRIMENTAL",
        ];
        for language in Language::ALL {
            for code in codes {
                let said = reasons_for_no_parent(language, &[code]);
                assert!(!said.contains('_'), "{said}");
                assert_eq!(misprint(&said), None, "{said}");
                assert!(is_within_sentence(language, &said), "{said}");
            }
        }
        let said = reasons_for_no_parent(Language::En, &["NO_LEI", "NEW_CODE"]);
        assert_eq!(said, "the parent has no LEI, NEW_CODE");
    }
}
