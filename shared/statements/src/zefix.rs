//! A company in the commercial register's public REST interface.

use domain::{Amount, Canton, Status, Uid};
use jiff::civil::Date;
use serde::{Deserialize, Serialize};
use serde_with::skip_serializing_none;

/// A full record, as the register answers it. Members that we never use are not kept.
#[skip_serializing_none]
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct CompanyFull {
    pub name: String,
    pub uid: Uid,
    // Present in every full record and in no short one: a short record must not pass for a full
    // one and wipe out what is known.
    pub canton: Canton,
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

#[skip_serializing_none]
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct LegalFormEntry {
    pub id: Option<u32>,
    /// eCH-0097.
    pub uid: Option<String>,
    pub name: Option<Names>,
}

#[skip_serializing_none]
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Names {
    pub de: Option<String>,
}

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

/// A company as another one's record names it. Some have no number: only the name is required.
#[skip_serializing_none]
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct CompanyShort {
    pub name: String,
    pub uid: Option<Uid>,
}

/// `sequenceNr` is kept as it comes: the description says that bigger is older, the answers do not
/// bear it out.
#[skip_serializing_none]
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct OldName {
    pub name: String,
    pub sequence_nr: Option<i64>,
    pub translation: Option<Vec<String>>,
}

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

#[skip_serializing_none]
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct MutationType {
    pub id: Option<u32>,
    pub key: Option<String>,
}

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
