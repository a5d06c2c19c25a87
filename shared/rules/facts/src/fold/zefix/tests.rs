use domain::{
    Amount, AuditorCategory, Canton, Company, company::CanonicalStatus, statements::Statement,
};
use gazette_notice::Subject;
use jiff::civil::date;

use super::publications;
use crate::{Fact, facts, fold};

const RECORD: &str = include_str!("../../../../sources/fixtures/zefix/company.json");

fn read(json: &str) -> Vec<Fact> {
    facts(sources::zefix::read(json.as_bytes()).expect("valid JSON").statements)
}

fn company(json: &str) -> Company {
    fold(&read(json)).expect("company record")
}

#[test]
fn full_record_becomes_a_company_with_source_and_date() {
    let company = company(RECORD);
    assert_eq!(company.uid.to_string(), "CHE-600.000.012");
    assert_eq!(company.legal_form.as_deref(), Some("Aktiengesellschaft"));
    assert_eq!(company.status_canonical, Some(CanonicalStatus::InLiquidation));
    assert_eq!(company.share_capital, "100000.5".parse().ok());
    assert_eq!(company.purpose.as_deref(), Some("Handel mit Maschinen aller Art in Zürich."));
    assert_eq!(company.registration_date, Some(date(2010, 2, 1)));
    assert_eq!(company.auditor_category, Some(AuditorCategory::Kpmg));
    assert_eq!(company.old_names, Some(vec!["Muster AG".to_owned()]));
    assert_eq!(company.address_canton, Some(Canton::Zh));
    assert_eq!(company.affiliations.len(), 2);
    assert_eq!(company.sources[0].source, "zefix");
    assert_eq!(company.sources[0].reference.as_deref(), Some("https://zefix.example/en"));
    assert_eq!(company.updated_at.map(|it| it.to_string()), Some("2026-03-24T00:00:00Z".into()));
}

#[test]
fn capital_can_be_a_number_or_a_text() {
    let text = RECORD.replace("100000.5", "\"100000.50\"");
    assert_eq!(company(&text).share_capital, company(RECORD).share_capital);
    let none = RECORD.replace("100000.5", "null");
    assert_eq!((company(&none).share_capital, company(&none).currency), (None, None));
}

#[test]
fn translations_of_old_names_are_old_names() {
    let translated = RECORD.replace(
        "\"sequenceNr\": 930, \"translation\": null",
        "\"sequenceNr\": 930, \"translation\": [\"Muster SA\"]",
    );
    assert_eq!(company(&translated).old_names, Some(vec!["Muster AG".into(), "Muster SA".into()]));
}

#[test]
fn messages_of_a_record_are_parsed_as_notices() {
    let message = r#"<FT TYPE=\"F\">Muster &amp; Co AG</FT>, in <FT TYPE=\"S\">ZÃ¼rich</FT>. Eingetragene Personen: Muster, JÃ¼rg, von Chur, in Thun, Mitglied."#;
    let record = RECORD.replace("\"message\": \"…\"", &format!("\"message\": \"{message}\""));
    assert_ne!(record, RECORD);
    let fact = read(&record).remove(0);
    let Statement::Zefix(record) = fact.statement else { unreachable!("not a Zefix record") };
    let notices = publications(&record, fact.uid);
    let [first, second] = notices.as_slice() else { panic!("expected two notices: {notices:?}") };
    assert_eq!((first.key.as_str(), second.key.as_str()), ("1", "2"));
    let Subject::Person { first_name, .. } = &second.notice.entries[0].subject else {
        panic!("expected a person: {second:?}")
    };
    assert_eq!(first_name, "Jürg");
}

#[test]
fn record_with_the_higher_publication_number_is_newer_on_the_same_day() {
    let later = RECORD.replace("\"sogcId\": 2", "\"sogcId\": 7").replace("100000.5", "200000");
    let mut facts = read(RECORD);
    facts.extend(read(&later));
    for _ in 0..2 {
        facts.reverse();
        assert_eq!(
            fold(&facts).expect("company record").share_capital,
            Some(Amount::units(200_000))
        );
    }
}

#[test]
fn unknown_legal_form_keeps_the_name_in_the_record() {
    let other =
        RECORD.replace("\"0106\"", "\"0999\"").replace("\"Aktiengesellschaft\"", "\"Neue Form\"");
    assert_eq!(company(&other).legal_form.as_deref(), Some("Neue Form"));
}

#[test]
fn garbled_encoding_is_repaired() {
    let garbled = RECORD.replace("KPMG AG", "TreuhÃ¤nder AG");
    assert_eq!(company(&garbled).auditor_name.as_deref(), Some("Treuhänder AG"));
}
