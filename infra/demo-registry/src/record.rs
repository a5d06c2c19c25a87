//! The record of a company in the JSON of the register's REST API (Zefix).

use domain::{
    Amount, Company, Status,
    company::{Affiliation, AffiliationKind},
    statements::demo,
};
use serde_json::{Map, Value, json};

use crate::{
    calendar::{Shift, days_of},
    notice::{AuditFirm, Notice},
};

/// A record with identity facts only.
pub(crate) fn identity(company: &Company) -> Value {
    json!({
        "name": company.name,
        "uid": company.uid.to_string(),
        "canton": company.canton,
        "legalSeat": company.legal_seat,
        "legalForm": {"uid": company.legal_form_code},
        "status": company.status,
        "zefixDetailWeb": {"en": format!("{}{}", demo::ID_PREFIX, company.uid)},
    })
}

/// The record after the last of these notices.
pub(crate) fn record(company: &Company, notices: &[Notice], shift: Shift) -> Value {
    let mut record = identity(company);
    let mut set = |name: &str, value: Value| {
        if !value.is_null() {
            record[name] = value;
        }
    };
    set("ehraid", json!(company.ehraid));
    set("chid", json!(company.chid));
    set("legalSeatId", json!(company.legal_seat_id));
    set("registryOfCommerceId", json!(company.registry_of_commerce_id));
    set("sogcDate", json!(notices.last().map(|it| shift.published(it.day))));
    set("deletionDate", json!(company.deletion_date.map(|it| shift.entered(days_of(it)))));
    set("purpose", json!(company.purpose));
    set("translation", json!(company.translations));
    set("oldNames", company.old_names.iter().flatten().map(|it| json!({"name": it})).collect());
    set("capitalNominal", json!(company.share_capital.map(whole)));
    set("capitalCurrency", json!(company.currency));
    set("address", address(company));
    for (name, kind) in [
        ("headOffices", AffiliationKind::HeadOffice),
        ("branchOffices", AffiliationKind::BranchOffice),
        ("hasTakenOver", AffiliationKind::HasTakenOver),
        ("wasTakenOverBy", AffiliationKind::WasTakenOverBy),
    ] {
        let of_kind = company.affiliations.iter().filter(|it| it.kind == kind);
        set(name, of_kind.map(|Affiliation { name, uid, .. }| named(name, *uid)).collect());
    }
    let auditor =
        notices.last().and_then(|it| it.after.as_ref()).and_then(|it| it.auditor.as_ref());
    if let Some(AuditFirm { name, uid, .. }) = auditor
        && company.status != Some(Status::Cancelled)
    {
        set("auditCompanies", json!([named(name, *uid)]));
    }
    // Only the day of the entry: the notice itself is one of the gazette's.
    let entry = company.registration_date.map(|registered| {
        json!([{
            "registryOfCommerceJournalDate": shift.entered(days_of(registered)),
            "mutationTypes": [{"id": 2, "key": "status.neu"}],
        }])
    });
    set("sogcPub", json!(entry));
    record
}

fn named(name: &str, uid: Option<domain::Uid>) -> Value {
    json!({"name": name, "uid": uid.map(|it| it.to_string())})
}

/// An amount without decimals.
fn whole(amount: Amount) -> i64 {
    amount.ten_thousandths() / Amount::units(1).ten_thousandths()
}

fn address(company: &Company) -> Value {
    let members = [
        ("careOf", &company.address_care_of),
        ("street", &company.address_street),
        ("houseNumber", &company.address_house_number),
        ("poBox", &company.address_po_box),
        ("swissZipCode", &company.address_zip_code),
        ("city", &company.address_city),
    ];
    let stated = members.into_iter().filter_map(|(name, it)| Some((name, it.as_deref()?)));
    stated.map(|(name, it)| (name.to_owned(), json!(it))).collect::<Map<_, _>>().into()
}
