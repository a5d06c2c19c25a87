//! The commercial register's public REST interface: `CompanyFull` records.
//!
//! Format: `ZefixPublicREST` 2.6 (`/api/v1/company/uid/{uid}` answers an array,
//! `/api/v1/company/ehraid/{id}` an object). Where its description and its answers differ, both are
//! read: numbers come without punctuation, capital as number or text, empty lists as `null`.

use std::borrow::Cow;

use domain::{
    Amount, Canton, Company, Provenance, Status, Uid,
    company::{Affiliation, AffiliationKind},
    legal_forms::LegalForm,
};
use jiff::civil::Date;
use serde::{Deserialize, Serialize};
use serde_json::{Value, value::RawValue};
use serde_with::skip_serializing_none;
use sha2::{Digest, Sha256};

mod api;

pub use api::{companies, day_request, joined, request};

use crate::{
    Batch, Fact, Rejected, Source, Statement, Unreadable,
    fold::Announced,
    gazette::notice::{self, Change},
    repair::repair_and_trim,
};

/// A full record, as the register answers it. Members that we never use are not kept.
#[skip_serializing_none]
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct CompanyFull {
    name: String,
    uid: Uid,
    // Present in every full record and in no short one: a short record must not pass for a full
    // one and wipe out what is known.
    canton: Canton,
    ehraid: Option<u64>,
    chid: Option<String>,
    legal_seat_id: Option<u32>,
    legal_seat: Option<String>,
    registry_of_commerce_id: Option<u32>,
    legal_form: Option<LegalFormEntry>,
    status: Option<Status>,
    sogc_date: Option<Date>,
    #[serde(alias = "deleteDate")]
    deletion_date: Option<Date>,
    translation: Option<Vec<String>>,
    purpose: Option<String>,
    sogc_pub: Option<Vec<Publication>>,
    address: Option<Address>,
    capital_nominal: Option<Amount>,
    capital_currency: Option<String>,
    head_offices: Option<Vec<CompanyShort>>,
    further_head_offices: Option<Vec<CompanyShort>>,
    branch_offices: Option<Vec<CompanyShort>>,
    has_taken_over: Option<Vec<CompanyShort>>,
    was_taken_over_by: Option<Vec<CompanyShort>>,
    audit_companies: Option<Vec<CompanyShort>>,
    old_names: Option<Vec<OldName>>,
    cantonal_excerpt_web: Option<String>,
    zefix_detail_web: Option<DetailWeb>,
}

#[skip_serializing_none]
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct LegalFormEntry {
    id: Option<u32>,
    /// eCH-0097.
    uid: Option<String>,
    name: Option<Names>,
}

#[skip_serializing_none]
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Names {
    de: Option<String>,
}

#[skip_serializing_none]
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Address {
    organisation: Option<String>,
    care_of: Option<String>,
    street: Option<String>,
    house_number: Option<String>,
    addon: Option<String>,
    po_box: Option<String>,
    #[serde(alias = "town")]
    city: Option<String>,
    swiss_zip_code: Option<String>,
}

/// A company as another one's record names it. Some have no number: only the name is required.
#[skip_serializing_none]
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct CompanyShort {
    name: String,
    uid: Option<Uid>,
}

/// `sequenceNr` is kept as it comes: the description says that bigger is older, the answers do not
/// bear it out.
#[skip_serializing_none]
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct OldName {
    name: String,
    sequence_nr: Option<i64>,
    translation: Option<Vec<String>>,
}

#[skip_serializing_none]
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Publication {
    sogc_date: Option<Date>,
    sogc_id: Option<u64>,
    registry_of_commerce_id: Option<u32>,
    registry_of_commerce_canton: Option<Canton>,
    registry_of_commerce_journal_id: Option<u64>,
    registry_of_commerce_journal_date: Option<Date>,
    message: Option<String>,
    #[serde(default, deserialize_with = "null_is_empty")]
    mutation_types: Vec<MutationType>,
}

#[skip_serializing_none]
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct MutationType {
    id: Option<u32>,
    key: Option<String>,
}

#[skip_serializing_none]
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct DetailWeb {
    en: Option<String>,
}

fn null_is_empty<'de, D, T>(deserializer: D) -> Result<Vec<T>, D::Error>
where
    D: serde::Deserializer<'de>,
    T: Deserialize<'de>,
{
    Ok(Option::deserialize(deserializer)?.unwrap_or_default())
}

/// Reads one record or an array of records.
pub fn read(bytes: &[u8]) -> Result<Batch, Unreadable> {
    let unreadable = |reason: String| Unreadable { source_name: Source::Zefix, reason };
    // The byte order mark that some editors leave is not JSON.
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    // One record in another encoding does not keep the others out: it is told by the mark that is put
    // in place of what cannot be read.
    let text = String::from_utf8_lossy(bytes);
    let is_damaged = |record: &str| matches!(text, Cow::Owned(_)) && record.contains('\u{fffd}');
    let json = |it: serde_json::Error| unreadable(it.to_string());
    let whole: &RawValue = serde_json::from_str(&text).map_err(json)?;
    let records: Vec<&RawValue> = match whole.get().as_bytes().first() {
        Some(b'[') => serde_json::from_str(whole.get()).map_err(json)?,
        Some(b'{') => vec![whole],
        _ => return Err(unreadable("neither a record nor an array of records".into())),
    };
    let mut batch = Batch::default();
    for record in records {
        let read = if is_damaged(record.get()) {
            Err("is not valid UTF-8".to_owned())
        } else {
            fact(record.get())
        };
        match read {
            Ok(fact) => batch.facts.push(fact),
            Err(reason) => {
                batch.rejected.push(Rejected { record: record.get().to_owned(), reason })
            }
        }
    }
    Ok(batch)
}

fn fact(json: &str) -> Result<Fact, String> {
    let mut json: Value = serde_json::from_str(json).map_err(|it| it.to_string())?;
    tidy(&mut json);
    let record: CompanyFull = serde_path_to_error::deserialize(json).map_err(|it| {
        match it.path().to_string().as_str() {
            "." => it.inner().to_string(),
            member => format!("{member}: {}", it.inner()),
        }
    })?;
    if record.name.is_empty() {
        return Err("name: is empty".into());
    }
    if record.capital_nominal.is_some_and(|it| it < Amount::default()) {
        return Err("capitalNominal: is negative".into());
    }
    let publications = || record.sogc_pub.iter().flatten();
    let most = notice::LONGEST;
    let lengths = publications().map(|it| it.message.as_ref().map_or(0, String::len));
    if let Some((at, length)) = lengths.enumerate().find(|(_, length)| *length > most) {
        return Err(format!("sogcPub[{at}].message: {length} bytes are more than {most}"));
    }
    let written = serde_json::to_vec(&record).map_err(|it| it.to_string())?;
    Ok(Fact {
        uid: record.uid,
        source: Source::Zefix,
        published: record.sogc_date.or_else(|| publications().filter_map(|it| it.sogc_date).max()),
        publication: publications().filter_map(|it| it.sogc_id).max(),
        fingerprint: hex::encode(Sha256::digest(&written)),
        read_at: None,
        statement: Statement::Zefix(Box::new(record)),
    })
}

/// Repairs every text, and makes an empty list what the register also writes for it: `null`. Neither
/// is a difference between two records.
fn tidy(json: &mut Value) {
    match json {
        Value::String(text) => repair_and_trim(text),
        Value::Array(items) if items.is_empty() => *json = Value::Null,
        Value::Array(items) => items.iter_mut().for_each(tidy),
        Value::Object(members) => members.values_mut().for_each(tidy),
        _ => {}
    }
}

impl CompanyFull {
    /// The register's own page of the company.
    pub(crate) fn reference(&self) -> Option<String> {
        self.zefix_detail_web.as_ref().and_then(|it| it.en.clone())
    }

    /// The publications that the record quotes. What is not dated cannot be placed, and is left out.
    pub(crate) fn announced(&self, uid: Uid) -> Vec<Announced> {
        let publications = self.sogc_pub.iter().flatten();
        let announced = publications.filter_map(|publication| {
            let date = publication.sogc_date?;
            let message = publication.message.as_deref().unwrap_or_default();
            let notice = notice::read(message);
            let is_of = |id: u32, key: &str| {
                let mut kinds = publication.mutation_types.iter();
                kinds.any(|it| it.id == Some(id) || it.key.as_deref() == Some(key))
            };
            let number = publication.sogc_id.map(|it| it.to_string());
            let is_deleted =
                is_of(7, "status.loeschung") || notice.changes.contains(&Change::Deletion);
            Some(Announced {
                uid,
                company_name: notice.name.clone().unwrap_or_else(|| self.name.clone()),
                canton: publication.registry_of_commerce_canton.or(Some(self.canton)),
                key: number.clone().unwrap_or_else(|| hex::encode(Sha256::digest(message))),
                date,
                source: Provenance {
                    source: Source::Shab.name().to_owned(),
                    reference: number,
                    date: Some(date),
                },
                previous: notice.previous.as_ref().and_then(|it| it.date),
                is_cancelled: false,
                is_registration: is_of(2, "status.neu")
                    || notice.changes.contains(&Change::NewEntry),
                deleted: is_deleted.then_some(date),
                notice,
                before: None,
                after: None,
            })
        });
        announced.collect()
    }

    /// The record in our words; derived members and provenance are the fold's.
    pub(crate) fn company(&self, uid: Uid) -> Company {
        let mut company = Company::new(uid, &self.name);
        let form = self.legal_form.as_ref();
        let code = form.and_then(|it| it.uid.clone());
        let known = code.as_deref().and_then(LegalForm::by_code);
        company.legal_form = known
            .map(|it| it.name().to_owned())
            .or_else(|| form.and_then(|it| it.name.as_ref()).and_then(|it| it.de.clone()));
        company.legal_form_code = code;
        company.canton = Some(self.canton);
        company.status = self.status;
        company.share_capital = self.capital_nominal;
        company.currency = self.capital_nominal.and(self.capital_currency.clone());
        company.purpose = self.purpose.clone().filter(|it| !it.is_empty());
        company.registration_date = self.registration_date();
        company.deletion_date = self.deletion_date;
        company.legal_seat = self.legal_seat.clone();
        company.legal_seat_id = self.legal_seat_id;
        company.data_source = Some(Source::Zefix.name().to_owned());
        company.ehraid = self.ehraid;
        company.chid = self.chid.clone();
        company.registry_of_commerce_id = self.registry_of_commerce_id;
        company.cantonal_excerpt_url = self.cantonal_excerpt_web.clone();
        let old_names = self.old_names.iter().flatten();
        company.old_names = names(
            old_names.flat_map(|it| [&it.name].into_iter().chain(it.translation.iter().flatten())),
        );
        company.translations = names(self.translation.iter().flatten());
        if let Some(address) = &self.address {
            company.address_care_of = address.care_of.clone();
            company.address_street = address.street.clone();
            company.address_house_number = address.house_number.clone();
            company.address_addon = address.addon.clone();
            company.address_po_box = address.po_box.clone();
            company.address_zip_code = address.swiss_zip_code.clone();
            company.address_city = address.city.clone();
            // The record names the canton of the seat only; the address lies there if it is in the
            // commune of the seat.
            company.address_canton =
                (address.city.is_some() && address.city == self.legal_seat).then_some(self.canton);
        }
        if let Some(auditor) = self.audit_companies.iter().flatten().next() {
            company.auditor_name = Some(auditor.name.clone());
            company.auditor_uid = auditor.uid;
            company.auditor_source = Some(Source::Zefix.name().to_owned());
        }
        company.affiliations = self.affiliations();
        company
    }

    /// The day of the publication that entered the company; records have no such member.
    fn registration_date(&self) -> Option<Date> {
        let enters = |it: &&Publication| {
            it.mutation_types.iter().any(|kind| kind.key.as_deref() == Some("status.neu"))
        };
        let entries = self.sogc_pub.iter().flatten().filter(enters);
        entries.filter_map(|it| it.registry_of_commerce_journal_date.or(it.sogc_date)).min()
    }

    fn affiliations(&self) -> Vec<Affiliation> {
        let lists = [
            (AffiliationKind::HeadOffice, &self.head_offices),
            (AffiliationKind::FurtherHeadOffice, &self.further_head_offices),
            (AffiliationKind::BranchOffice, &self.branch_offices),
            (AffiliationKind::HasTakenOver, &self.has_taken_over),
            (AffiliationKind::WasTakenOverBy, &self.was_taken_over_by),
            (AffiliationKind::AuditedBy, &self.audit_companies),
        ];
        let affiliation = |kind, company: &CompanyShort| Affiliation {
            kind,
            uid: company.uid,
            name: company.name.clone(),
        };
        lists
            .into_iter()
            .flat_map(|(kind, list)| list.iter().flatten().map(move |it| affiliation(kind, it)))
            .collect()
    }
}

/// A list of names, or nothing where there are none.
fn names<'a>(names: impl Iterator<Item = &'a String>) -> Option<Vec<String>> {
    let names: Vec<String> = names.cloned().collect();
    (!names.is_empty()).then_some(names)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::fold;

    /// An invented record with every trap of the real answers.
    const RECORD: &str = r#"{
        "name": "Muster Maschinenbau AG in Liquidation", "ehraid": 999001, "uid": "CHE600000012",
        "chid": "CH02030000001", "legalSeatId": 261, "legalSeat": "Zürich",
        "registryOfCommerceId": 20, "status": "BEING_CANCELLED", "sogcDate": "2026-03-24",
        "deletionDate": null, "translation": ["Muster Construction SA en liquidation"],
        "purpose": "Handel mit Maschinen aller Art in ZÃ¼rich.",
        "sogcPub": [
            {"sogcDate": "2010-02-05", "sogcId": 1, "registryOfCommerceJournalDate": "2010-02-01",
             "message": "<FT TYPE=\"N\">Muster AG</FT>", "mutationTypes": [{"id": 2, "key": "status.neu"}]},
            {"sogcDate": "2026-03-24", "sogcId": 2, "message": "…", "mutationTypes": null}
        ],
        "canton": "ZH", "capitalNominal": 100000.5, "capitalCurrency": "CHF",
        "headOffices": null, "furtherHeadOffices": null,
        "branchOffices": [{"name": "Muster Maschinenbau AG, Zweigniederlassung Bern", "uid": "CHE600000029"}],
        "hasTakenOver": null, "wasTakenOverBy": null,
        "auditCompanies": [{"name": "KPMG AG", "uid": "CHE106084881", "legalSeat": "Zürich"}],
        "oldNames": [{"name": "Muster AG", "sequenceNr": 930, "translation": null}],
        "cantonalExcerptWeb": "https://zh.example/excerpt",
        "legalForm": {"id": 3, "uid": "0106", "name": {"de": "Aktiengesellschaft", "fr": "Société anonyme"}},
        "address": {"organisation": null, "careOf": "c/o Treuhand", "street": "Seestrasse", "houseNumber": "1a",
                    "addon": null, "poBox": null, "city": "Zürich", "swissZipCode": "8002"},
        "zefixDetailWeb": {"de": "https://zefix.example/de", "en": "https://zefix.example/en"}
    }"#;

    fn company(json: &str) -> Company {
        fold(&read(json.as_bytes()).expect("json").facts).expect("a record")
    }

    #[test]
    fn a_full_record_becomes_a_company_with_its_source_and_date() {
        let company = company(RECORD);
        assert_eq!(company.uid.to_string(), "CHE-600.000.012");
        assert_eq!(company.legal_form.as_deref(), Some("Aktiengesellschaft"));
        assert_eq!(company.status_canonical, Some(domain::company::CanonicalStatus::InLiquidation));
        assert_eq!(company.share_capital, "100000.5".parse().ok());
        assert_eq!(company.purpose.as_deref(), Some("Handel mit Maschinen aller Art in Zürich."));
        assert_eq!(company.registration_date, Some(jiff::civil::date(2010, 2, 1)));
        assert_eq!(company.auditor_category, Some(domain::AuditorCategory::Kpmg));
        assert_eq!(company.old_names, Some(vec!["Muster AG".to_owned()]));
        assert_eq!(company.address_canton, Some(Canton::Zh));
        assert_eq!(company.affiliations.len(), 2);
        assert_eq!(company.sources[0].source, "zefix");
        assert_eq!(company.sources[0].reference.as_deref(), Some("https://zefix.example/en"));
        assert_eq!(
            company.updated_at.map(|it| it.to_string()),
            Some("2026-03-24T00:00:00Z".into())
        );
    }

    #[test]
    fn capital_is_read_from_number_and_text_alike() {
        let text = RECORD.replace("100000.5", "\"100000.50\"");
        assert_eq!(company(&text).share_capital, company(RECORD).share_capital);
        let none = RECORD.replace("100000.5", "null");
        assert_eq!((company(&none).share_capital, company(&none).currency), (None, None));
    }

    #[test]
    fn the_layout_of_a_file_does_not_make_another_fact() {
        let one = read(RECORD.as_bytes()).expect("json");
        let compact = RECORD.replace('\n', " ");
        let array = read(format!("\u{feff}[{compact}]").as_bytes()).expect("json");
        assert_eq!(one.facts, array.facts);
    }

    #[test]
    fn a_record_in_another_encoding_is_rejected_and_the_others_stand() {
        let (before, after) = ("[", ", {\"name\": \"Caf");
        let latin1 = [before.as_bytes(), RECORD.as_bytes(), after.as_bytes(), b"\xe9\"}]"].concat();
        let batch = read(&latin1).expect("json");
        assert_eq!((batch.facts.len(), batch.rejected.len()), (1, 1));
        assert_eq!(batch.rejected[0].reason, "is not valid UTF-8");
    }

    #[test]
    fn a_record_without_a_day_has_that_of_its_newest_publication() {
        let dated = RECORD
            .replace("\"BEING_CANCELLED\", \"sogcDate\": \"2026-03-24\"", "\"BEING_CANCELLED\"");
        assert_ne!(dated, RECORD);
        let facts = read(dated.as_bytes()).expect("json").facts;
        assert_eq!(facts[0].published, Some(jiff::civil::date(2026, 3, 24)));
    }

    #[test]
    fn an_old_name_has_its_translations_beside_it() {
        let translated = RECORD.replace(
            "\"sequenceNr\": 930, \"translation\": null",
            "\"sequenceNr\": 930, \"translation\": [\"Muster SA\"]",
        );
        assert_eq!(
            company(&translated).old_names,
            Some(vec!["Muster AG".into(), "Muster SA".into()])
        );
    }

    #[test]
    fn the_messages_of_a_record_are_read_as_notices() {
        let message = r#"<FT TYPE=\"F\">Muster &amp; Co AG</FT>, in <FT TYPE=\"S\">ZÃ¼rich</FT>. Eingetragene Personen: Muster, JÃ¼rg, von Chur, in Thun, Mitglied."#;
        let record = RECORD.replace("\"message\": \"…\"", &format!("\"message\": \"{message}\""));
        assert_ne!(record, RECORD);
        let fact = read(record.as_bytes()).expect("json").facts.remove(0);
        let Statement::Zefix(record) = fact.statement else { unreachable!("read as a record") };
        let notices = record.announced(fact.uid);
        let [first, second] = notices.as_slice() else { panic!("two notices: {notices:?}") };
        assert_eq!((first.key.as_str(), second.key.as_str()), ("1", "2"));
        let notice::Subject::Person { first_name, .. } = &second.notice.entries[0].subject else {
            panic!("a person: {second:?}")
        };
        assert_eq!(first_name, "Jürg");
    }

    #[test]
    fn a_negative_capital_is_rejected() {
        let negative = RECORD.replace("100000.5", "-5");
        assert_eq!(
            read(negative.as_bytes()).expect("json").rejected[0].reason,
            "capitalNominal: is negative"
        );
    }

    #[test]
    fn a_message_that_is_longer_than_any_notice_is_rejected() {
        let message = |text: &str| RECORD.replace("\"…\"", &format!("\"{text}\""));
        let most = notice::LONGEST;
        let batch = read(message(&"x".repeat(most)).as_bytes()).expect("json");
        assert_eq!(batch.rejected, []);
        let batch = read(message(&"x".repeat(most + 1)).as_bytes()).expect("json");
        let expected = format!("sogcPub[1].message: {} bytes are more than {most}", most + 1);
        assert_eq!((batch.facts.len(), &batch.rejected[0].reason), (0, &expected));
    }

    #[test]
    fn an_empty_list_is_no_list() {
        let empty = RECORD.replace("\"headOffices\": null", "\"headOffices\": []");
        assert_eq!(
            read(empty.as_bytes()).expect("json").facts,
            read(RECORD.as_bytes()).expect("json").facts
        );
    }

    #[test]
    fn of_two_records_of_one_day_the_later_publication_is_the_newer() {
        let later = RECORD.replace("\"sogcId\": 2", "\"sogcId\": 7").replace("100000.5", "200000");
        let mut facts = read(RECORD.as_bytes()).expect("json").facts;
        facts.extend(read(later.as_bytes()).expect("json").facts);
        for _ in 0..2 {
            facts.reverse();
            assert_eq!(fold(&facts).expect("a record").share_capital, Some(Amount::units(200_000)));
        }
    }

    #[test]
    fn every_text_is_repaired() {
        let garbled = RECORD.replace("KPMG AG", "TreuhÃ¤nder AG");
        assert_eq!(company(&garbled).auditor_name.as_deref(), Some("Treuhänder AG"));
    }

    #[test]
    fn a_record_that_cannot_be_read_is_rejected_with_its_member_and_the_others_stand() {
        let bad = RECORD.replace("\"BEING_CANCELLED\"", "\"SLEEPING\"");
        let short = r#"{"name": "Muster AG", "uid": "CHE600000012", "legalSeat": "Zürich"}"#;
        let error = r#"{"error": {"code": "404"}}"#;
        let batch =
            read(format!("[{bad}, {short}, {error}, 7, {RECORD}]").as_bytes()).expect("json");
        assert_eq!(batch.facts.len(), 1);
        let reasons: Vec<&str> = batch.rejected.iter().map(|it| it.reason.as_str()).collect();
        assert!(reasons[0].starts_with("status: unknown variant `SLEEPING`"), "{reasons:?}");
        assert!(reasons[1].contains("canton"), "{reasons:?}");
        assert!(reasons[2].contains("name"), "{reasons:?}");
        assert_eq!(batch.rejected[0].record, bad);
        assert_eq!(reasons.len(), 4);
    }

    #[test]
    fn a_torn_file_is_refused_whole() {
        for torn in ["", "[", "{\"name\": ", "[1,]", "null", "\"text\""] {
            assert!(read(torn.as_bytes()).is_err(), "{torn}");
        }
    }

    #[test]
    fn a_legal_form_that_the_list_lacks_keeps_its_own_name() {
        let other = RECORD
            .replace("\"0106\"", "\"0999\"")
            .replace("\"Aktiengesellschaft\"", "\"Neue Form\"");
        assert_eq!(company(&other).legal_form.as_deref(), Some("Neue Form"));
    }

    proptest! {
        #[test]
        fn no_bytes_make_the_reader_panic(bytes in proptest::collection::vec(any::<u8>(), 0..200)) {
            let _ = read(&bytes);
        }

        #[test]
        fn no_change_of_one_character_makes_the_reader_panic(at in 0usize..2_000, with in any::<char>()) {
            let mut text: Vec<char> = RECORD.chars().collect();
            let at = at % text.len();
            text[at] = with;
            let _ = read(text.into_iter().collect::<String>().as_bytes());
        }
    }
}
