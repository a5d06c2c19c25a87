//! Signing authorities. What an office published is translated only if the translation says the same: a restriction that is
//! left out would state wider powers than the register.

use domain::{
    persons::SigningAuthority,
    terms::{self, Text},
    text::fold,
};

use super::{
    format::{SHORT, cut},
    words::Words,
};

const SOLE: Text = terms::signing(SigningAuthority::Sole);
const JOINT_BY_TWO: Text = terms::signing(SigningAuthority::CollectiveTwo);
const JOINT: Text = terms::signing(SigningAuthority::Collective);
const SOLE_PROCURATION: Text = terms::signing(SigningAuthority::SoleProcuration);
const JOINT_PROCURATION_BY_TWO: Text = [
    "Kollektivprokura zu zweien",
    "procuration collective à deux",
    "procura collettiva a due",
    "joint procuration of two",
];
const JOINT_PROCURATION: Text = terms::signing(SigningAuthority::CollectiveProcuration);
const NONE: Text = terms::signing(SigningAuthority::None);

/// Signing authorities without restrictions. Offices publish them in these words, in one of the first three languages.
const FORMULAS: [Text; 7] = [
    JOINT_BY_TWO,
    SOLE,
    JOINT_PROCURATION_BY_TWO,
    SOLE_PROCURATION,
    NONE,
    JOINT,
    JOINT_PROCURATION,
];

/// Other formulas, each with the one that says the same.
const OTHER_FORMULAS: [(&str, Text); 11] = [
    ("Einzelzeichnungsberechtigung", SOLE),
    ("droit de signature individuelle", SOLE),
    ("diritto di firma individuale", SOLE),
    ("Kollektivzeichnungsberechtigung zu zweien", JOINT_BY_TWO),
    ("droit de signature collective à deux", JOINT_BY_TWO),
    ("diritto di firma collettiva a due", JOINT_BY_TWO),
    ("ohne Unterschrift", NONE),
    ("ohne Zeichnungsrecht", NONE),
    ("nicht zeichnungsberechtigt", NONE),
    ("sans droit de signature", NONE),
    ("senza firma", NONE),
];

/// How somebody signs: translated if the published text is one of the usual formulas. Any other text is printed as
/// published, after the name of the authority unless the text contains it.
pub(super) fn signature(
    authority: Option<SigningAuthority>,
    published: Option<&str>,
    words: Words,
) -> String {
    let Some(published) = published else {
        return authority.map(|it| words.term(terms::signing(it))).unwrap_or_default();
    };
    if let Some(same) = formula(published) {
        return words.term(same);
    }
    let published = cut(published, SHORT);
    // `Collective` includes what is not understood, so its name may be wrong.
    let authority = authority.filter(|it| *it != SigningAuthority::Collective);
    match authority.map(|it| words.term(terms::signing(it))) {
        Some(name) if !fold(&published).contains(&fold(&name)) => format!("{name} ({published})"),
        _ => published,
    }
}

/// The texts of the formula that a published text consists of, with or without a preposition.
fn formula(published: &str) -> Option<Text> {
    let folded = fold(published);
    let without = ["mit ", "avec ", "con "].iter().find_map(|it| folded.strip_prefix(it));
    let plain = without.unwrap_or(&folded);
    let published = |it: &Text| it[..3].iter().any(|it| fold(it) == plain);
    let other = || OTHER_FORMULAS.iter().find(|it| fold(it.0) == plain).map(|it| it.1);
    FORMULAS.into_iter().find(published).or_else(other)
}

#[cfg(test)]
mod tests {
    use auth::Language::{De, En, Fr, It};
    use domain::persons::SigningAuthority as S;

    use super::*;

    #[test]
    fn usual_formulas_are_translated() {
        for (published, authority, language, expected) in [
            ("mit Einzelunterschrift", S::Sole, Fr, "Signature individuelle"),
            ("Signature individuelle", S::Sole, De, "Einzelunterschrift"),
            ("con diritto di firma individuale", S::Sole, En, "Sole signature"),
            ("mit Kollektivunterschrift zu zweien", S::CollectiveTwo, It, "Firma collettiva a due"),
            ("con firma collettiva a due", S::CollectiveTwo, De, "Kollektivunterschrift zu zweien"),
            // The authority does not say of how many.
            ("mit Kollektivunterschrift", S::CollectiveTwo, Fr, "Signature collective"),
            (
                "avec procuration collective à deux",
                S::CollectiveProcuration,
                De,
                "Kollektivprokura zu zweien",
            ),
            ("Kollektivprokura", S::CollectiveProcuration, En, "Joint procuration"),
            ("senza firma", S::None, De, "Ohne Zeichnungsberechtigung"),
        ] {
            let shown = signature(Some(authority), Some(published), Words(language));
            assert_eq!(shown, expected, "{published}");
        }
    }

    #[test]
    fn restrictions_are_printed_as_published() {
        let limited = "mit Kollektivunterschrift zu zweien, beschränkt auf den Hauptsitz";
        let with_president = "avec signature collective à deux avec le président";
        let by_three = "mit Kollektivunterschrift zu dreien";
        for (published, authority, language, expected) in [
            (limited, S::CollectiveTwo, De, limited),
            (
                limited,
                S::CollectiveTwo,
                En,
                "Joint signature of two (mit Kollektivunterschrift zu zweien, beschränkt auf den Hauptsitz)",
            ),
            (with_president, S::CollectiveTwo, Fr, with_president),
            (
                with_president,
                S::CollectiveTwo,
                De,
                "Kollektivunterschrift zu zweien (avec signature collective à deux avec le président)",
            ),
            ("mit Kollektivprokura zu dreien", S::Collective, En, "mit Kollektivprokura zu dreien"),
            (by_three, S::Collective, It, by_three),
        ] {
            let shown = signature(Some(authority), Some(published), Words(language));
            assert_eq!(shown, expected, "{published} {language:?}");
        }
    }

    #[test]
    fn what_is_missing_is_left_out() {
        assert_eq!(signature(Some(S::Sole), None, Words(It)), "Firma individuale");
        assert_eq!(signature(None, Some("zeichnet  wie bisher"), Words(It)), "zeichnet wie bisher");
        assert_eq!(signature(None, None, Words(It)), "");
    }

    /// The translation of a formula that another one contains would leave out words.
    #[test]
    fn every_formula_is_recognised_as_itself() {
        for texts in FORMULAS {
            for published in &texts[..3] {
                assert_eq!(formula(published), Some(texts), "{published}");
            }
        }
    }
}
