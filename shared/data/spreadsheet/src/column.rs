use std::fmt::Display;

use domain::{Company, Language, wording};
use serde::Serialize;

use crate::{Cell, Kind};

/// A column of a table of companies.
#[derive(Clone, Copy, Debug)]
pub struct Column {
    /// Name of the member of the company record, as in `GET /v1/companies/{uid}`; or `address`.
    pub name: &'static str,
    /// The kind of its values.
    pub kind: Kind,
    value: fn(&Company) -> Cell<'_>,
}

const fn column(name: &'static str, kind: Kind, value: fn(&Company) -> Cell<'_>) -> Column {
    Column { name, kind, value }
}

/// Every column: the members of the record in its order, and the address in one line. A list of texts is one text, a list of
/// objects is JSON. Those of members that nothing fills yet are in [`UNFILLED`].
pub(crate) const COLUMNS: &[Column] = &[
    column("uid", Kind::Text, |it| shown(Some(it.uid))),
    column("name", Kind::Text, |it| text(Some(&it.name))),
    column("canton", Kind::Text, |it| word(it.canton)),
    column("status", Kind::Text, |it| word(it.status)),
    column("statusCanonical", Kind::Text, |it| word(it.status_canonical)),
    column("statusReason", Kind::Text, |it| word(it.status_reason)),
    column("legalForm", Kind::Text, |it| text(it.legal_form.as_deref())),
    column("legalFormCode", Kind::Text, |it| text(it.legal_form_code.as_deref())),
    column("shareCapital", Kind::Amount, |it| it.share_capital.map_or(Cell::Empty, Cell::Amount)),
    column("currency", Kind::Text, |it| text(it.currency.as_deref())),
    column("purpose", Kind::Text, |it| text(it.purpose.as_deref())),
    column("foundingDate", Kind::Date, |it| it.founding_date.map_or(Cell::Empty, Cell::Date)),
    column("registrationDate", Kind::Date, |it| {
        it.registration_date.map_or(Cell::Empty, Cell::Date)
    }),
    column("deletionDate", Kind::Date, |it| it.deletion_date.map_or(Cell::Empty, Cell::Date)),
    column("legalSeat", Kind::Text, |it| text(it.legal_seat.as_deref())),
    column("legalSeatId", Kind::Integer, |it| integer(it.legal_seat_id)),
    column("municipality", Kind::Text, |it| text(it.municipality.as_deref())),
    column("addressCareOf", Kind::Text, |it| text(it.address_care_of.as_deref())),
    column("addressStreet", Kind::Text, |it| text(it.address_street.as_deref())),
    column("addressHouseNumber", Kind::Text, |it| text(it.address_house_number.as_deref())),
    column("addressAddon", Kind::Text, |it| text(it.address_addon.as_deref())),
    column("addressPoBox", Kind::Text, |it| text(it.address_po_box.as_deref())),
    column("addressZipCode", Kind::Text, |it| text(it.address_zip_code.as_deref())),
    column("addressCity", Kind::Text, |it| text(it.address_city.as_deref())),
    column("addressCanton", Kind::Text, |it| word(it.address_canton)),
    column("website", Kind::Text, |it| text(it.website.as_deref())),
    column("industry", Kind::Text, |it| text(it.industry.as_deref())),
    column("subIndustry", Kind::Text, |it| text(it.sub_industry.as_deref())),
    column("nogaCode", Kind::Text, |it| text(it.noga_code.as_deref())),
    column("industrySource", Kind::Text, |it| text(it.industry_source.as_deref())),
    column("industryConfidence", Kind::Decimal, |it| {
        it.industry_confidence.map_or(Cell::Empty, Cell::Decimal)
    }),
    column("industryClassifiedAt", Kind::Time, |it| {
        it.industry_classified_at.map_or(Cell::Empty, Cell::Time)
    }),
    column("employeeCount", Kind::Integer, |it| integer(it.employee_count)),
    column("auditorName", Kind::Text, |it| text(it.auditor_name.as_deref())),
    column("auditorUid", Kind::Text, |it| shown(it.auditor_uid)),
    column("auditorCategory", Kind::Text, |it| word(it.auditor_category)),
    column("auditorOptOut", Kind::Boolean, |it| {
        it.auditor_opt_out.map_or(Cell::Empty, Cell::Boolean)
    }),
    column("auditorSource", Kind::Text, |it| text(it.auditor_source.as_deref())),
    column("latitude", Kind::Decimal, |it| it.latitude.map_or(Cell::Empty, Cell::Decimal)),
    column("longitude", Kind::Decimal, |it| it.longitude.map_or(Cell::Empty, Cell::Decimal)),
    column("geoPrecision", Kind::Text, |it| word(it.geo_precision)),
    column("sanctionsHit", Kind::Boolean, |it| it.sanctions_hit.map_or(Cell::Empty, Cell::Boolean)),
    column("lastScreenedAt", Kind::Time, |it| it.last_screened_at.map_or(Cell::Empty, Cell::Time)),
    column("isFinmaRegulated", Kind::Boolean, |it| {
        it.is_finma_regulated.map_or(Cell::Empty, Cell::Boolean)
    }),
    column("ehraid", Kind::Integer, |it| integer(it.ehraid)),
    column("chid", Kind::Text, |it| text(it.chid.as_deref())),
    column("registryOfCommerceId", Kind::Integer, |it| integer(it.registry_of_commerce_id)),
    column("cantonalExcerptUrl", Kind::Text, |it| text(it.cantonal_excerpt_url.as_deref())),
    column("oldNames", Kind::Text, |it| list(it.old_names.as_deref())),
    column("translations", Kind::Text, |it| list(it.translations.as_deref())),
    column("lei", Kind::Text, |it| shown(it.lei)),
    column("isin", Kind::Text, |it| shown(it.isin)),
    column("directParentLei", Kind::Text, |it| shown(it.direct_parent_lei)),
    column("ultimateParentLei", Kind::Text, |it| shown(it.ultimate_parent_lei)),
    column("ultimateParentName", Kind::Text, |it| text(it.ultimate_parent_name.as_deref())),
    column("directParentPercentage", Kind::Decimal, |it| {
        it.direct_parent_percentage.map_or(Cell::Empty, Cell::Decimal)
    }),
    column("parentExceptions", Kind::Text, |it| json(&it.parent_exceptions)),
    column("gleifParentEnrichedAt", Kind::Time, |it| {
        it.gleif_parent_enriched_at.map_or(Cell::Empty, Cell::Time)
    }),
    column("supersededBy", Kind::Text, |it| shown(it.superseded_by)),
    column("dataQualityScore", Kind::Decimal, |it| {
        it.data_quality_score.map_or(Cell::Empty, Cell::Decimal)
    }),
    column("affiliations", Kind::Text, |it| json(&it.affiliations)),
    column("quotaHolders", Kind::Text, |it| json(&it.quota_holders)),
    column("quotaHolderCount", Kind::Integer, |it| integer(it.quota_holder_count)),
    column("sources", Kind::Text, |it| json(&it.sources)),
    column("dataSource", Kind::Text, |it| text(it.data_source.as_deref())),
    column("enrichmentLevel", Kind::Text, |it| word(it.enrichment_level)),
    column("updatedAt", Kind::Time, |it| it.updated_at.map_or(Cell::Empty, Cell::Time)),
    column("address", Kind::Text, address),
];

/// The columns of members that nothing fills yet. A table has them only if they are chosen.
const UNFILLED: &[Column] = &[column("duns", Kind::Text, |it| text(it.duns.as_deref()))];

/// Other names of columns, which the published clients use.
const SHORT_NAMES: [(&str, &str); 2] = [("capital", "shareCapital"), ("auditor", "auditorName")];

impl Column {
    /// The column with this name: that of the record, the same in snake case, or `capital` or `auditor`.
    pub fn named(name: &str) -> Option<Self> {
        let name = SHORT_NAMES.iter().find(|it| it.0 == name).map_or(name, |it| it.1);
        let mut known = COLUMNS.iter().chain(UNFILLED);
        known.find(|it| it.name == name || snake_case(it.name) == name).copied()
    }

    /// The name of a column that is similar to this text.
    pub(crate) fn near(name: &str) -> Option<&'static str> {
        let names = COLUMNS.iter().chain(UNFILLED).map(|it| it.name);
        let names = names.chain(SHORT_NAMES.iter().map(|it| it.0));
        domain::text::near(name, names.map(|it| (it, it)))
    }

    /// The value of a company.
    pub fn value<'a>(&self, company: &'a Company) -> Cell<'a> {
        (self.value)(company)
    }
}

fn snake_case(name: &str) -> String {
    let letter = |it: char| match it.is_ascii_uppercase() {
        true => vec!['_', it.to_ascii_lowercase()],
        false => vec![it],
    };
    name.chars().flat_map(letter).collect()
}

fn text(value: Option<&str>) -> Cell<'_> {
    value.map_or(Cell::Empty, |it| Cell::Text(it.into()))
}

fn shown<'a>(value: Option<impl Display>) -> Cell<'a> {
    value.map_or(Cell::Empty, |it| Cell::Text(it.to_string().into()))
}

fn integer<'a>(value: Option<impl Into<u64>>) -> Cell<'a> {
    value.map_or(Cell::Empty, |it| Cell::Integer(it.into()))
}

/// A value of a fixed set, as it is called in the record.
fn word<'a>(value: Option<impl Serialize>) -> Cell<'a> {
    match serde_json::to_value(value) {
        Ok(serde_json::Value::String(word)) => Cell::Text(word.into()),
        _ => Cell::Empty,
    }
}

fn list(values: Option<&[String]>) -> Cell<'_> {
    match values {
        None | Some([]) => Cell::Empty,
        Some(values) => Cell::Text(values.join("; ").into()),
    }
}

/// A list of objects as in the record.
fn json<'a>(values: &[impl Serialize]) -> Cell<'a> {
    match (values, serde_json::to_string(values)) {
        ([], _) | (_, Err(_)) => Cell::Empty,
        (_, Ok(json)) => Cell::Text(json.into()),
    }
}

/// The address in one line: care of, street and number, addition, PO box, postal code and town.
fn address(it: &Company) -> Cell<'_> {
    let together = |one: &Option<String>, other: &Option<String>| {
        let parts = [one.as_deref(), other.as_deref()];
        parts.into_iter().flatten().collect::<Vec<_>>().join(" ")
    };
    let po_box = it.address_po_box.as_deref().map(|it| wording::po_box(Language::De, it));
    let lines = [
        it.address_care_of.clone().unwrap_or_default(),
        together(&it.address_street, &it.address_house_number),
        it.address_addon.clone().unwrap_or_default(),
        po_box.unwrap_or_default(),
        together(&it.address_zip_code, &it.address_city),
    ];
    let lines: Vec<String> = lines.into_iter().filter(|it| !it.is_empty()).collect();
    match lines.is_empty() {
        true => Cell::Empty,
        false => Cell::Text(lines.join(", ").into()),
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use domain::Provenance;

    use super::*;

    const LISTS: [&str; 6] =
        ["oldNames", "translations", "parentExceptions", "affiliations", "quotaHolders", "sources"];

    fn company() -> Company {
        let uid = "CHE-107.787.577".parse().expect("well-formed");
        Company::new(uid, "Muster AG")
    }

    #[test]
    fn columns_have_different_names_and_are_found_in_both_spellings() {
        let names: BTreeSet<&str> = COLUMNS.iter().map(|it| it.name).collect();
        assert_eq!(names.len(), COLUMNS.len());
        for column in COLUMNS {
            for name in [column.name.to_owned(), snake_case(column.name)] {
                assert_eq!(Column::named(&name).map(|it| it.name), Some(column.name));
            }
        }
        assert_eq!(Column::named("capital").map(|it| it.name), Some("shareCapital"));
        assert_eq!(Column::named("legal_form").map(|it| it.name), Some("legalForm"));
        assert!(Column::named("Name").is_none());
        assert_eq!(Column::near("capitl"), Some("capital"));
        assert_eq!(Column::near("legal-form"), Some("legalForm"));
    }

    #[test]
    fn the_column_of_a_member_that_nothing_fills_can_be_chosen() {
        let duns = Column::named("duns").expect("a column");
        let mut company = company();
        assert_eq!(duns.value(&company), Cell::Empty);
        company.duns = Some("480000000".to_owned());
        assert_eq!(duns.value(&company).into_csv(), "480000000");
    }

    /// Filled with the values of a record, so that a column that reads another member is seen.
    #[test]
    fn the_value_of_a_column_is_the_member_with_its_name() {
        let stored: serde_json::Value = serde_json::from_str(r#"{
            "uid": "CHE-107.787.577", "name": "Muster AG", "canton": "ZH", "status": "BEING_CANCELLED",
            "statusCanonical": "in_liquidation", "statusReason": "bankruptcy", "legalForm": "Aktiengesellschaft",
            "legalFormCode": "0106", "shareCapital": 100000.5, "currency": "CHF", "purpose": "Handel",
            "foundingDate": "2001-02-03", "registrationDate": "2001-02-04", "deletionDate": "2025-01-02",
            "legalSeat": "Zürich", "legalSeatId": 261, "municipality": "Zürich (ZH)", "addressCareOf": "c/o Treuhand",
            "addressStreet": "Bahnhofstrasse", "addressHouseNumber": "1a", "addressAddon": "Hof", "addressPoBox": "Postfach",
            "addressZipCode": "8001", "addressCity": "Zürich 1", "addressCanton": "AG", "website": "https://muster.example",
            "industry": "Trade", "subIndustry": "Retail", "nogaCode": "47", "industrySource": "keyword_match",
            "industryConfidence": 0.5, "industryClassifiedAt": "2026-01-02T00:00:00Z", "employeeCount": 12,
            "auditorName": "Revisor AG", "auditorUid": "CHE-105.909.036", "auditorCategory": "Other", "auditorOptOut": false,
            "auditorSource": "shab", "latitude": 47.1, "longitude": 8.2, "geoPrecision": "locality",
            "sanctionsHit": false, "lastScreenedAt": "2026-01-05T06:07:08Z",
            "isFinmaRegulated": true, "ehraid": 123, "chid": "CH-020.3.000.000-0", "registryOfCommerceId": 20,
            "cantonalExcerptUrl": "https://excerpt.example", "lei": "506700GE1G29325QX363", "isin": "CH0012032048",
            "directParentLei": "506700GE1G29325QX363", "ultimateParentLei": "506700GE1G29325QX363",
            "ultimateParentName": "Parent Ltd", "directParentPercentage": 51.0,
            "gleifParentEnrichedAt": "2026-01-03T00:00:00Z", "quotaHolderCount": 3, "supersededBy": "CHE-105.909.036", "dataQualityScore": 0.9,
            "dataSource": "zefix", "enrichmentLevel": "enriched", "updatedAt": "2026-01-04T00:00:00Z"}"#).expect("JSON");
        let company: Company = serde_json::from_value(stored.clone()).expect("a record");
        let is_value = |it: &&Column| it.name != "address" && !LISTS.contains(&it.name);
        for column in COLUMNS.iter().filter(is_value) {
            let expected = match &stored[column.name] {
                serde_json::Value::String(text) => text.clone(),
                value => value.to_string().trim_end_matches(".0").to_owned(),
            };
            assert_eq!(column.value(&company).into_csv(), expected, "{}", column.name);
            assert_eq!(column.value(&company).kind(), Some(column.kind), "{}", column.name);
        }
        let address = Column::named("address").expect("a column").value(&company).into_csv();
        assert_eq!(address, "c/o Treuhand, Bahnhofstrasse 1a, Hof, Postfach, 8001 Zürich 1");
    }

    #[test]
    fn a_po_box_that_is_only_a_number_is_named_in_the_address() {
        let address = |po_box: &str| {
            let mut company = company();
            company.address_po_box = Some(po_box.to_owned());
            company.address_city = Some("Zürich".to_owned());
            Column::named("address").expect("a column").value(&company).into_csv()
        };
        assert_eq!(address("123"), "Postfach 123, Zürich");
        assert_eq!(address("Case postale 123"), "Case postale 123, Zürich");
        assert_eq!(address("Postfach"), "Postfach, Zürich");
        assert_eq!(address(""), "Zürich");
    }

    /// A member that is added to the record becomes a column, too.
    #[test]
    fn every_member_of_the_record_is_a_column() {
        let schema = serde_json::to_value(<Company as utoipa::PartialSchema>::schema());
        let schema = schema.expect("JSON");
        let members = schema["properties"].as_object().expect("an object").keys();
        let members: BTreeSet<&str> = members.map(String::as_str).collect();
        let columns = COLUMNS.iter().map(|it| it.name).filter(|it| *it != "address");
        let unfilled = UNFILLED.iter().map(|it| it.name);
        assert!(columns.clone().all(|it| unfilled.clone().all(|other| it != other)));
        let columns: BTreeSet<&str> = columns.chain(unfilled).collect();
        assert_eq!(columns, members);
    }

    #[test]
    fn lists_are_one_text_and_missing_members_are_empty() {
        let mut company = company();
        company.old_names = Some(vec!["Alt AG".into(), "Älter AG".into()]);
        let date = Some(jiff::civil::date(2026, 3, 4));
        company.sources = vec![Provenance { source: "zefix".into(), reference: None, date }];
        let value = |name| Column::named(name).expect("a column").value(&company).into_csv();
        assert_eq!(value("oldNames"), "Alt AG; Älter AG");
        assert_eq!(value("sources"), r#"[{"source":"zefix","date":"2026-03-04"}]"#);
        let known = ["uid", "name", "oldNames", "sources"];
        for column in COLUMNS.iter().filter(|it| !known.contains(&it.name)) {
            assert_eq!(column.value(&company), Cell::Empty, "{}", column.name);
        }
    }
}
