//! What is written beside the name of a company: its state, its legal form, and words for a branch.
//!
//! Screening compares names with these words; a search that finds nothing as it is written is read without them.

use std::{
    collections::{BTreeSet, HashMap},
    sync::LazyLock,
};

use crate::{legal_forms, text::fold};

/// States, and other words that are no part of a name. See the comments in the file.
pub const STATES: &str = include_str!("additions/states.tsv");

/// Legal forms by family. See the comments in the file.
pub const LEGAL_FORMS: &str = include_str!("additions/legal_forms.tsv");

/// Maximum number of words of an addition that [`addition`] looks up.
pub const LONGEST_ADDITION: usize = 6;

/// What is written beside a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Addition {
    /// The state of the company: in liquidation, bankrupt, deleted.
    State,
    /// Its legal form.
    LegalForm,
    /// A word for a branch, which its place may follow.
    Branch,
    /// A word before a former name.
    Former,
}

/// The word for partners who are not named: `& Co.`, `& Cie`.
const PARTNERS: [&str; 4] = ["co", "cie", "compagnie", "compagnia"];

/// Folded words of names that are one word in another language: [`PARTNERS`], and the last one of each legal form that is part of the
/// name (`Société coopérative`).
static TRANSLATED: LazyLock<Vec<BTreeSet<String>>> = LazyLock::new(|| {
    let last = |name: &str| fold(name).rsplit(' ').next().map(str::to_owned);
    let forms = legal_forms::LEGAL_FORMS.iter().filter(|it| it.is_part_of_name());
    let forms = forms.map(|it| it.names.iter().filter_map(|it| last(it)).collect());
    forms.chain([PARTNERS.map(str::to_owned).into()]).collect()
});

/// The same word of a name in other languages. Empty: it is written in one way.
pub fn translations(folded: &str) -> impl Iterator<Item = &'static str> {
    let words = TRANSLATED.iter().find(|it| it.contains(folded));
    words.into_iter().flatten().map(String::as_str).filter(move |it| *it != folded)
}

static ADDITIONS: LazyLock<HashMap<String, Addition>> = LazyLock::new(|| {
    let mut additions = HashMap::new();
    let mut add = |text: &str, kind| {
        additions.entry(fold(text)).or_insert(kind);
    };
    for (kind, phrases) in entries(STATES).chain(entries(LEGAL_FORMS)) {
        let kind = match kind {
            "state" => Addition::State,
            "branch" => Addition::Branch,
            "former" => Addition::Former,
            "stock" | "limited" | "partnership" | "sole" => Addition::LegalForm,
            // Words of the name itself: `Stiftung`, `Verein`, `Genossenschaft`, `Anstalt`.
            _ => continue,
        };
        phrases.for_each(|it| add(it, kind));
    }
    for form in legal_forms::LEGAL_FORMS.iter().filter(|it| it.is_beside_name()) {
        form.names.iter().chain(&form.short_names).for_each(|it| add(it, Addition::LegalForm));
    }
    additions.remove("");
    additions
});

/// The lines of a file of words that are not comments: what the phrases are, and the phrases.
pub fn entries(
    file: &'static str,
) -> impl Iterator<Item = (&'static str, impl Iterator<Item = &'static str>)> {
    let lines = file.lines().filter(|it| !it.starts_with('#'));
    lines.filter_map(|it| it.split_once('\t')).map(|(kind, phrases)| (kind, phrases.split('|')))
}

/// What a folded phrase is beside a name. `None`: it may be part of one.
pub fn addition(folded: &str) -> Option<Addition> {
    ADDITIONS.get(folded).copied()
}

/// What the name of a branch says of its head office: name and place, which stand before the designation as a branch (CO 952
/// para. 2). `None` if no comma separates that designation.
pub fn head_office(branch: &str) -> Option<&str> {
    let designates = |part: &str| {
        let folded = fold(part);
        let words: Vec<&str> = folded.split(' ').collect();
        let phrases = words.windows(1).chain(words.windows(2));
        phrases.map(|it| it.join(" ")).any(|it| addition(&it) == Some(Addition::Branch))
    };
    let mut rest = branch;
    while let Some((before, part)) = rest.rsplit_once(',') {
        if designates(part) {
            return Some(before.trim()).filter(|it| !it.is_empty());
        }
        rest = before;
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn additions_are_known_in_each_language() {
        for (phrase, expected) in [
            ("i.L.", Addition::State),
            ("in provisorischer Nachlassstundung", Addition::State),
            ("aufgelöst", Addition::State),
            ("gelöscht", Addition::State),
            ("en faillite", Addition::State),
            ("in fallimento", Addition::State),
            ("Kollektivgesellschaft", Addition::LegalForm),
            ("KlG", Addition::LegalForm),
            ("société en commandite", Addition::LegalForm),
            ("Gesellschaft mit beschränkter Haftung", Addition::LegalForm),
            ("Zweigniederlassung", Addition::Branch),
            ("succursale", Addition::Branch),
            ("Filiale", Addition::Branch),
            ("vormals", Addition::Former),
            ("anciennement", Addition::Former),
            ("già", Addition::Former),
        ] {
            assert_eq!(addition(&fold(phrase)), Some(expected), "{phrase}");
        }
        for name in ["Stiftung", "Verein", "Genossenschaft", "Handel", "Immobilien", ""] {
            assert_eq!(addition(&fold(name)), None, "{name}");
        }
    }

    #[test]
    fn name_of_a_branch_contains_that_of_its_head_office() {
        for (branch, expected) in [
            (
                "Muster Trading Inc., Wilmington, Zweigniederlassung Stäfa",
                Some("Muster Trading Inc., Wilmington"),
            ),
            (
                "Muster (Europe) SA, Luxembourg, succursale de Genève",
                Some("Muster (Europe) SA, Luxembourg"),
            ),
            ("Muster S.p.A., Milano, sede secondaria di Lugano", Some("Muster S.p.A., Milano")),
            (
                "Agence Muster SA, Paris, Zurich Branch, Switzerland",
                Some("Agence Muster SA, Paris"),
            ),
            ("Muster plc, London (GB), Zürich Branch", Some("Muster plc, London (GB)")),
            // Nothing shows where the name of the head office ends.
            ("Muster Representation plc, London", None),
            ("Zweigniederlassung Zürich der Muster GmbH, Berlin", None),
            ("Muster Ltd Zweigniederlassung Basel", None),
        ] {
            assert_eq!(head_office(branch), expected, "{branch}");
        }
    }
}
