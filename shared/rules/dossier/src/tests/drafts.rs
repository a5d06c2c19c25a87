//! Drafts of a model that misbehaves.

use auth::Language;
use ownership::{Link, LinkKind, Party, Percent, Profile, Share};
use proptest::prelude::*;
use teams::DossierLevel;
use uuid::Uuid;

use super::support::{Case, sentences, source};
use crate::Brief;

fn brief(language: Language) -> Brief {
    Case::new().brief(DossierLevel::Standard, language)
}

fn id_of(brief: &Brief, beginning: &str) -> String {
    let row = brief.rows().iter().find(|it| it.text.starts_with(beginning));
    row.unwrap_or_else(|| panic!("no row begins with {beginning}")).id.clone()
}

/// Whether the only sentence of a draft stays.
fn stays(brief: &Brief, sentence: &str) -> bool {
    let written = brief.checked(&format!("# identity\n{sentence}\n"));
    // Quotations and provisions are added to every text.
    let is_added = |it: &&crate::Row| it.is_quotation || it.cells.is_some();
    let added = brief.rows().iter().filter(is_added).count();
    let kept = sentences(&written.text.content).len().saturating_sub(added);
    assert!(kept == 0 || written.dropped == 0, "{sentence}");
    kept == 1
}

#[test]
fn paraphrases_that_keep_to_the_rows_stay() {
    let brief = brief(Language::En);
    let (name, status, capital) =
        (id_of(&brief, "Muster"), id_of(&brief, "The company is"), id_of(&brief, "The nominal"));
    let first = id_of(&brief, "The first entry");
    for sentence in [
        format!("The company Muster & Co. Treuhand AG has its seat in Zürich [[obl:{name}]]."),
        format!(
            "The company is active [[obl:{status}]] and its nominal capital is CHF 100,000 [[obl:{capital}]]."
        ),
        format!("Since 2001 there is an entry in the commercial register [[obl:{first}]]."),
        format!("The nominal capital is CHF 100'000. [[obl:{capital}]]"),
    ] {
        assert!(stays(&brief, &sentence), "{sentence}");
    }
}

#[test]
fn a_name_backs_no_claim() {
    for (name, language, beginning, true_sentence, claims) in [
        (
            "Konkurs Beratung AG",
            Language::De,
            "Konkurs Beratung AG",
            "Konkurs Beratung AG hat den Sitz in Zürich",
            &["Das Unternehmen ist in Konkurs", "Konkurs in Zürich"][..],
        ),
        (
            "Safe Invest AG",
            Language::En,
            "Safe Invest AG",
            "Safe Invest AG has its seat in Zürich",
            &["The company is safe", "Safe Invest AG is safe"],
        ),
        (
            "Faillite Conseil SA",
            Language::Fr,
            "Faillite Conseil SA",
            "Faillite Conseil SA a son siège à Zürich",
            &["La société est en faillite"],
        ),
    ] {
        let mut case = Case::new();
        case.company.name = name.to_owned();
        let brief = case.brief(DossierLevel::Standard, language);
        let id = id_of(&brief, beginning);
        assert!(stays(&brief, &format!("{true_sentence} [[obl:{id}]].")), "{true_sentence}");
        for claim in claims {
            assert!(!stays(&brief, &format!("{claim} [[obl:{id}]].")), "{claim}");
        }
    }
}

#[test]
fn invented_numbers_dates_names_tags_and_claims_are_dropped() {
    let brief = brief(Language::En);
    let (name, status, capital) =
        (id_of(&brief, "Muster"), id_of(&brief, "The company is"), id_of(&brief, "The nominal"));
    let first = id_of(&brief, "The first entry");
    let purpose = id_of(&brief, "The purpose");
    for sentence in [
        // Numbers
        format!("The nominal capital is CHF 200,000 [[obl:{capital}]]."),
        format!("The nominal capital is CHF 100,000,000 [[obl:{capital}]]."),
        format!("The nominal capital is one hundred thousand [[obl:{capital}]]."),
        format!("The nominal capital is USD 100,000 [[obl:{capital}]]."),
        // Dates
        format!("The first entry in the commercial register is of 4 May 2001 [[obl:{first}]]."),
        format!("The first entry in the commercial register is of May 2002 [[obl:{first}]]."),
        // Names
        format!("Phantasie Holding AG has its seat in Zürich [[obl:{name}]]."),
        format!("The company has its seat in Basel [[obl:{name}]]."),
        format!("The company (CHE-101.049.653) is active [[obl:{name}]]."),
        format!("Treuhand Zürich AG has its seat in Zürich [[obl:{name}]]."),
        // Tags
        "The company is active.".to_owned(),
        "The company is active [[obl:ev-999]].".to_owned(),
        "The company is active [[obl:co-1]].".to_owned(),
        format!("The company is active [[obl:{status}]][[obl:ev-999]]."),
        format!("The company is active [[obl:{status}]."),
        format!("The company is active [obl:{status}]."),
        // A quotation cannot be cited by a model.
        format!("The purpose in the register is wide [[obl:{purpose}]]."),
        // Claims
        format!("The company is not active [[obl:{status}]]."),
        format!("The company is active and was never bankrupt [[obl:{status}]]."),
        format!("The company is active and safe [[obl:{status}]]."),
        format!("You should transfer money to the company [[obl:{status}]]."),
        format!("The company is a scam [[obl:{status}]]."),
        format!("The company is inactive [[obl:{status}]]."),
        format!("The company is active and suspicious [[obl:{status}]]."),
        format!("The company is active and owned by phantasie [[obl:{status}]]."),
        format!("The weather stays pleasant everywhere around [[obl:{status}]]."),
        // Several sentences, of which one has no tag
        format!("The company is active. It is well managed [[obl:{status}]]."),
        format!("It is well managed [[obl:{status}]]. The company is active."),
        // Markup
        format!("The company is active, see https://example.ch [[obl:{status}]]."),
        format!("The company is <b>active</b> [[obl:{status}]]."),
        format!("The company is “active” [[obl:{status}]]."),
    ] {
        assert!(!stays(&brief, &sentence), "{sentence}");
    }
}

#[test]
fn inventions_are_dropped_in_every_language() {
    for (language, beginning, sentence) in [
        (Language::De, "Das Nominalkapital", "Das Nominalkapital beträgt CHF 900'000"),
        (Language::De, "Das Nominalkapital", "Das Nominalkapital beträgt fünfhundert Franken"),
        (Language::De, "Muster", "Die Phantasie GmbH hat den Sitz in Zürich"),
        (Language::De, "Das Unternehmen ist aktiv", "Das Unternehmen ist in Konkurs"),
        (Language::Fr, "Le capital", "Le capital nominal s'élève à CHF 900'000"),
        (Language::Fr, "Muster", "La société Phantasie a son siège à Zürich"),
        (Language::Fr, "L’entreprise est active", "L’entreprise est en faillite"),
        (Language::Fr, "L’entreprise est active", "L’entreprise est inactive"),
        (Language::De, "Das Unternehmen ist aktiv", "Das Unternehmen ist inaktiv"),
        (Language::It, "L’impresa è attiva", "L’impresa è inattiva"),
        (Language::It, "Il capitale", "Il capitale nominale ammonta a CHF 900'000"),
        (Language::It, "Muster", "La società Fantasia ha la sede a Zürich"),
        (Language::It, "L’impresa è attiva", "L’impresa è in fallimento"),
    ] {
        let brief = brief(language);
        let id = id_of(&brief, beginning);
        assert!(!stays(&brief, &format!("{sentence} [[obl:{id}]].")), "{sentence}");
    }
}

#[test]
fn sentences_without_a_known_section_and_repetitions_are_dropped() {
    let brief = brief(Language::En);
    let id = id_of(&brief, "The company is");
    let line = format!("The company is active [[obl:{id}]].\n");
    assert_eq!(brief.checked(&line).dropped, 1);
    assert_eq!(brief.checked(&format!("# advice\n{line}")).dropped, 2);
    assert_eq!(brief.checked(&format!("# identity\n{line}{line}")).dropped, 1);
    let written = brief.checked("Sure! Here is the dossier:\n");
    assert_eq!((written.dropped, written.text.content.contains("Sure")), (2, false));
}

/// A company of which Anna holds 30 % and Peter 60 %.
fn with_two_owners() -> Brief {
    let mut case = Case::new();
    let root = Party::Company(case.company.uid);
    for (number, name, percent) in [(8, "Anna Keller", 30.0), (9, "Peter Meier", 60.0)] {
        let owner = Party::Person(Uuid::from_u128(number));
        let share = Share::Known(Percent::new(percent).expect("a share"));
        let source = source("shab");
        let kind = LinkKind::Shares;
        case.links.push(Link {
            owner,
            owned: root,
            kind,
            share,
            since: None,
            source,
            confidence: 1.0,
        });
        case.profiles.insert(owner, Profile { name: name.into(), ..Profile::default() });
    }
    case.brief(DossierLevel::Standard, Language::En)
}

#[test]
fn facts_of_two_rows_do_not_become_a_third_one() {
    let brief = with_two_owners();
    let (anna, peter) = (id_of(&brief, "Anna Keller"), id_of(&brief, "Peter Meier"));
    let tags = format!("[[obl:{anna}]][[obl:{peter}]]");
    for said in [
        "Anna Keller has 60 % of the capital and Peter Meier has 30 % of the capital",
        "Anna Keller has 60 % of the capital",
        "Anna Keller and Peter Meier have 60 % of the capital",
        "Anna Keller has CHF 30 of the capital and Peter Meier has 60 % of the capital",
    ] {
        assert!(!stays(&brief, &format!("{said} {tags}.")), "{said}");
    }
    let said = "Anna Keller has 30 % of the capital and Peter Meier has 60 % of the capital";
    assert!(stays(&brief, &format!("{said} {tags}.")), "{said}");
}

#[test]
fn years_and_units_are_not_quantities_of_something_else() {
    let brief = brief(Language::En);
    let (first, capital) = (id_of(&brief, "The first entry"), id_of(&brief, "The nominal"));
    for sentence in [
        format!("The first entry in the commercial register is of 2001 persons [[obl:{first}]]."),
        format!("The nominal capital is 100,000 % [[obl:{capital}]]."),
    ] {
        assert!(!stays(&brief, &sentence), "{sentence}");
    }
}

proptest! {
    /// Whatever a model answers, every sentence has tags, and each tag names a citation.
    #[test]
    fn no_draft_adds_a_sentence_without_a_known_tag(
        parts in prop::collection::vec(
            prop_oneof![
                Just("# identity\n".to_owned()),
                Just("# risk\n".to_owned()),
                (0_u8..40).prop_map(|it| format!(" [[obl:ev-{it}]].")),
                Just(" [[obl:co-957]]".to_owned()),
                Just("[[obl:".to_owned()),
                Just("]]".to_owned()),
                Just(". ".to_owned()),
                Just("The company is active".to_owned()),
                Just("\n".to_owned()),
                "\\PC{0,20}",
            ],
            0..30,
        )
    ) {
        let brief = brief(Language::En);
        let written = brief.checked(&parts.concat());
        for sentence in sentences(&written.text.content) {
            prop_assert!(!sentence.ids.is_empty(), "{}", written.text.content);
            for id in &sentence.ids {
                prop_assert!(written.text.citations.iter().any(|it| it.id == *id), "{id}");
            }
            prop_assert!(!sentence.text.contains("[["), "{}", sentence.text);
        }
    }
}

#[test]
fn an_obligation_turns_no_denial_around_and_says_nothing_about_the_company() {
    let brief = brief(Language::En);
    let (evidence, obligations): (Vec<_>, Vec<_>) =
        brief.rows().iter().partition(|it| it.id.starts_with("ev-"));
    let any = &obligations.first().expect("an obligation").id;
    let denied = evidence.iter().find(|it| it.text.contains(" not "));
    let denied = denied.expect("a row that denies something");
    let turned = denied.text.trim_end_matches('.').replace(" not ", " ");
    assert!(!stays(&brief, &format!("{turned} [[obl:{}]][[obl:{any}]].", denied.id)), "{turned}");
    for claim in
        ["The company is overindebted", "The company is bankrupt", "The company is audited"]
    {
        for row in &obligations {
            assert!(!stays(&brief, &format!("{claim} [[obl:{}]].", row.id)), "{claim} {}", row.id);
        }
    }
}
