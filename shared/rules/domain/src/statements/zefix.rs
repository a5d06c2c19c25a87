//! A company in the public REST API of the commercial register (Zefix).

use crate::{Amount, Canton, Status, Uid};
use jiff::civil::Date;
use serde::{Deserialize, Serialize};
use serde_with::skip_serializing_none;

/// A full record (`CompanyFull` in the API's description). Members that the project does not use are left out.
#[skip_serializing_none]
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct CompanyFull {
    pub name: String,
    pub uid: Uid,
    pub canton: Option<Canton>,
    pub ehraid: Option<u64>,
    pub chid: Option<String>,
    pub legal_seat_id: Option<u32>,
    pub legal_seat: Option<String>,
    pub registry_of_commerce_id: Option<u32>,
    pub legal_form: Option<LegalFormEntry>,
    pub status: Option<Status>,
    pub sogc_date: Option<Date>,
    #[serde(alias = "deleteDate")]
    pub deletion_date: Option<Date>,
    pub translation: Option<Vec<String>>,
    pub purpose: Option<String>,
    pub sogc_pub: Option<Vec<Publication>>,
    pub address: Option<Address>,
    pub capital_nominal: Option<Amount>,
    pub capital_currency: Option<String>,
    pub head_offices: Option<Vec<CompanyShort>>,
    pub further_head_offices: Option<Vec<CompanyShort>>,
    pub branch_offices: Option<Vec<CompanyShort>>,
    pub has_taken_over: Option<Vec<CompanyShort>>,
    pub was_taken_over_by: Option<Vec<CompanyShort>>,
    pub audit_companies: Option<Vec<CompanyShort>>,
    pub old_names: Option<Vec<OldName>>,
    pub cantonal_excerpt_web: Option<String>,
    pub zefix_detail_web: Option<DetailWeb>,
}

/// A legal form.
#[skip_serializing_none]
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct LegalFormEntry {
    pub id: Option<u32>,
    /// Code of the legal form (eCH-0097), such as `0106`.
    pub uid: Option<String>,
    pub name: Option<Names>,
}

/// The name of a legal form; only the German name is used.
#[skip_serializing_none]
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Names {
    pub de: Option<String>,
}

/// The postal address of the company.
#[skip_serializing_none]
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Address {
    pub organisation: Option<String>,
    pub care_of: Option<String>,
    pub street: Option<String>,
    pub house_number: Option<String>,
    pub addon: Option<String>,
    pub po_box: Option<String>,
    #[serde(alias = "town")]
    pub city: Option<String>,
    pub swiss_zip_code: Option<String>,
}

/// Another company that a record names. Some have no UID; only the name is required.
#[skip_serializing_none]
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct CompanyShort {
    pub name: String,
    pub uid: Option<Uid>,
}

/// A former name. `sequenceNr` is not interpreted: according to the API's description a larger number is older,
/// but the responses do not confirm it.
#[skip_serializing_none]
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct OldName {
    pub name: String,
    pub sequence_nr: Option<i64>,
    pub translation: Option<Vec<String>>,
}

/// A publication in the gazette that the record quotes.
#[skip_serializing_none]
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Publication {
    pub sogc_date: Option<Date>,
    pub sogc_id: Option<u64>,
    pub registry_of_commerce_id: Option<u32>,
    pub registry_of_commerce_canton: Option<Canton>,
    pub registry_of_commerce_journal_id: Option<u64>,
    pub registry_of_commerce_journal_date: Option<Date>,
    pub message: Option<String>,
    #[serde(default, deserialize_with = "null_is_empty")]
    pub mutation_types: Vec<MutationType>,
}

/// The kind of a publication: `2`, `status.neu` is a registration, `7`, `status.loeschung` a deletion.
#[skip_serializing_none]
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct MutationType {
    pub id: Option<u32>,
    pub key: Option<String>,
}

/// The company's page on the website of the register.
#[skip_serializing_none]
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct DetailWeb {
    pub en: Option<String>,
}

fn null_is_empty<'de, D, T>(deserializer: D) -> Result<Vec<T>, D::Error>
where
    D: serde::Deserializer<'de>,
    T: Deserialize<'de>,
{
    Ok(Option::deserialize(deserializer)?.unwrap_or_default())
}
