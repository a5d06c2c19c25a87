//! What a record of the register's REST API (Zefix) states.

use domain::{
    Company, Provenance, Source, Uid,
    company::{Affiliation, AffiliationKind, chid},
    legal_forms::LegalForm,
    statements::zefix::{CompanyFull, CompanyShort, Publication},
};
use gazette_notice::Change;
use jiff::civil::Date;
use sha2::{Digest, Sha256};

use super::ParsedPublication;

/// The publications that the record quotes. Publications without a date are left out, because they cannot be
/// put in order.
pub(super) fn publications(record: &CompanyFull, uid: Uid) -> Vec<ParsedPublication> {
    let publications = record.sogc_pub.iter().flatten();
    let parsed = publications.filter_map(|publication| {
        let date = publication.sogc_date?;
        let message = publication.message.as_deref().unwrap_or_default();
        let mut notice = gazette_notice::read(message);
        let has_type = |id: u32, key: &str| {
            let mut kinds = publication.mutation_types.iter();
            kinds.any(|it| it.id == Some(id) || it.key.as_deref() == Some(key))
        };
        let number = publication.sogc_id.map(|it| it.to_string());
        // The text decides only if the register does not state the kind of the publication.
        let is_deletion = |it: &Change| {
            matches!(it, Change::Deletion { .. } | Change::Departure { abroad: true, .. })
        };
        let is_deleted = match publication.mutation_types.is_empty() {
            true => notice.changes.iter().any(is_deletion),
            false => has_type(7, "status.loeschung"),
        };
        if !is_deleted {
            notice.changes.retain(|it| !matches!(it, Change::Deletion { .. }));
        }
        let stays =
            notice.changes.iter().any(|it| matches!(it, Change::Departure { abroad: false, .. }));
        let journal_date = publication.registry_of_commerce_journal_date;
        Some(ParsedPublication {
            uid,
            company_name: notice.name.clone().unwrap_or_else(|| record.name.clone()),
            canton: publication.registry_of_commerce_canton.or(record.canton),
            key: number.clone().unwrap_or_else(|| hex::encode(Sha256::digest(message))),
            date,
            source: Provenance {
                source: Source::Shab.name().to_owned(),
                reference: number,
                date: Some(date),
            },
            previous: notice.previous.as_ref().and_then(|it| it.date),
            is_cancelled: false,
            is_registration: has_type(2, "status.neu")
                || notice.changes.contains(&Change::NewEntry),
            deleted: (is_deleted && !stays).then(|| journal_date.unwrap_or(date)),
            journal_date,
            notice,
            auditor: None,
            before: None,
            after: None,
        })
    });
    parsed.collect()
}

/// The company as the record describes it. Derived members and provenance are left to the fold.
/// `source`: the name of the source.
pub(super) fn company(record: &CompanyFull, uid: Uid, source: &str) -> Company {
    let mut company = Company::new(uid, &record.name);
    let form = record.legal_form.as_ref();
    let code = form.and_then(|it| it.uid.clone());
    let known = code.as_deref().and_then(LegalForm::by_code);
    company.legal_form = known
        .map(|it| it.name().to_owned())
        .or_else(|| form.and_then(|it| it.name.as_ref()).and_then(|it| it.de.clone()));
    company.legal_form_code = code;
    company.canton = record.canton;
    company.status = record.status;
    company.share_capital = record.capital_nominal;
    company.currency = record.capital_nominal.and(record.capital_currency.clone());
    company.purpose = record.purpose.clone().filter(|it| !it.is_empty());
    company.registration_date = registration_date(record);
    company.deletion_date = record.deletion_date;
    company.legal_seat = record.legal_seat.clone();
    company.legal_seat_id = record.legal_seat_id;
    company.data_source = Some(source.to_owned());
    company.ehraid = record.ehraid;
    company.chid = record.chid.as_deref().and_then(chid);
    company.registry_of_commerce_id = record.registry_of_commerce_id;
    company.cantonal_excerpt_url = record.cantonal_excerpt_web.clone();
    let old_names = record.old_names.iter().flatten();
    company.old_names = names(
        old_names.flat_map(|it| [&it.name].into_iter().chain(it.translation.iter().flatten())),
    );
    company.translations = names(record.translation.iter().flatten());
    if let Some(address) = &record.address {
        company.address_care_of = address.care_of.clone();
        company.address_street = address.street.clone();
        company.address_house_number = address.house_number.clone();
        company.address_addon = address.addon.clone();
        company.address_po_box = address.po_box.clone();
        company.address_zip_code = address.swiss_zip_code.clone();
        company.address_city = address.city.clone();
        // The record names only the canton of the seat. It is that of the address too if the address is in
        // the municipality of the seat.
        let is_at_seat = address.city.is_some() && address.city == record.legal_seat;
        company.address_canton = record.canton.filter(|_| is_at_seat);
    }
    if let Some(auditor) = record.audit_companies.iter().flatten().next() {
        company.auditor_name = Some(auditor.name.clone());
        company.auditor_uid = auditor.uid;
        company.auditor_source = Some(source.to_owned());
    }
    company.affiliations = affiliations(record);
    company
}

/// The date of registration, from the publication of the registration: records have no such member.
fn registration_date(record: &CompanyFull) -> Option<Date> {
    let enters = |it: &&Publication| {
        it.mutation_types.iter().any(|kind| kind.key.as_deref() == Some("status.neu"))
    };
    let entries = record.sogc_pub.iter().flatten().filter(enters);
    entries.filter_map(|it| it.registry_of_commerce_journal_date.or(it.sogc_date)).min()
}

fn affiliations(record: &CompanyFull) -> Vec<Affiliation> {
    let lists = [
        (AffiliationKind::HeadOffice, &record.head_offices),
        (AffiliationKind::FurtherHeadOffice, &record.further_head_offices),
        (AffiliationKind::BranchOffice, &record.branch_offices),
        (AffiliationKind::HasTakenOver, &record.has_taken_over),
        (AffiliationKind::WasTakenOverBy, &record.was_taken_over_by),
        (AffiliationKind::AuditedBy, &record.audit_companies),
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

/// The names as a list; `None` if there are none.
fn names<'a>(names: impl Iterator<Item = &'a String>) -> Option<Vec<String>> {
    let names: Vec<String> = names.cloned().collect();
    (!names.is_empty()).then_some(names)
}

#[cfg(test)]
mod tests;
