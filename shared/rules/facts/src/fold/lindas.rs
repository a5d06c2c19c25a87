//! What the register's linked data (LINDAS) states.

use domain::{
    Canton, Company, Source, company::chid, legal_forms::LegalForm,
    statements::lindas::Organisation,
};

/// Overwrites the members that the linked data states. It states no status; the fold derives that from the
/// registration and the company's name.
pub(super) fn apply(record: &Organisation, company: &mut Company) {
    company.name.clone_from(&record.legal_name);
    if !record.names.is_empty() {
        company.translations = Some(record.names.iter().cloned().collect());
    }
    if let Some(code) = &record.legal_form {
        company.legal_form = LegalForm::by_code(code).map(|it| it.name().to_owned());
        company.legal_form_code = Some(code.clone());
    }
    company.ehraid = record.ehraid.or(company.ehraid);
    company.chid = record.chid.as_deref().and_then(chid).or(company.chid.take());
    if record.municipality.is_some() || record.municipality_name.is_some() {
        company.legal_seat_id = record.municipality;
        company.legal_seat = record.municipality_name.clone().or(company.legal_seat.take());
        company.municipality = None;
    }
    company.purpose = record.purpose.clone().or(company.purpose.take());
    apply_address(record, company);
    company.canton = canton(record).or(company.canton);
    company.data_source = Some(Source::Lindas.name().to_owned());
}

/// Replaces the whole address, unless the record has the same one: the record may contain more members of it.
fn apply_address(record: &Organisation, company: &mut Company) {
    let (street, number) = match &record.street_address {
        Some(address) => street_and_number(address),
        None => (None, None),
    };
    let known = (&company.address_street, &company.address_house_number);
    let is_same = known == (&street, &number)
        && company.address_zip_code == record.postal_code
        && company.address_city == record.locality;
    let is_stated = street.is_some() || record.postal_code.is_some() || record.locality.is_some();
    if is_stated && !is_same {
        company.address_care_of = None;
        company.address_street = street;
        company.address_house_number = number;
        company.address_addon = None;
        company.address_po_box = None;
        company.address_zip_code.clone_from(&record.postal_code);
        company.address_city.clone_from(&record.locality);
        company.address_canton = None;
    }
    company.address_canton = canton(record).or(company.address_canton);
}

/// The canton of the seat, which is also that of the address: a company must have its address in the
/// municipality of its seat. `None` if the address names no valid canton.
fn canton(record: &Organisation) -> Option<Canton> {
    record.region.as_deref().and_then(|it| it.parse().ok())
}

/// Splits `Seestrasse 1a` into street and house number. Only a last word that starts with a digit is a house
/// number; French addresses that begin with the number are not split.
fn street_and_number(address: &str) -> (Option<String>, Option<String>) {
    match address.rsplit_once(' ') {
        Some((street, number))
            if number.starts_with(|it: char| it.is_ascii_digit()) && !street.trim().is_empty() =>
        {
            (Some(street.trim().to_owned()), Some(number.to_owned()))
        }
        _ => (Some(address.to_owned()), None),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{facts, fold};

    #[test]
    fn only_a_trailing_number_is_split_from_the_street() {
        for (address, street, number) in [
            ("Rue du Lac 12", "Rue du Lac", Some("12")),
            ("12, rue du Lac", "12, rue du Lac", None),
            ("Postfach", "Postfach", None),
        ] {
            let (read, house) = street_and_number(address);
            assert_eq!((read.as_deref(), house.as_deref()), (Some(street), number));
        }
    }

    #[test]
    fn all_rows_of_a_company_become_one_record() {
        let page = include_str!("../../../sources/fixtures/lindas/page.json");
        let batch = sources::lindas::read(page.as_bytes()).expect("valid JSON");
        let company = fold(&facts(batch.statements)).expect("company record");
        assert_eq!(company.name, "Muster Uhren AG");
        assert_eq!(
            company.translations,
            Some(vec!["Muster Montres SA".into(), "Muster Watches Ltd".into()])
        );
        assert_eq!(company.legal_form.as_deref(), Some("Aktiengesellschaft"));
        assert_eq!(company.legal_seat_id, Some(371));
        assert_eq!(company.canton, Some(Canton::Be));
        assert_eq!(company.address_street.as_deref(), Some("Seestrasse"));
        assert_eq!(company.address_house_number.as_deref(), Some("1a"));
        assert_eq!(company.ehraid, Some(999_001));
        assert_eq!(company.status, Some(domain::Status::Active));
        assert_eq!(company.data_source.as_deref(), Some("lindas"));
        assert_eq!(
            company.sources[0].reference.as_deref(),
            Some("https://register.ld.admin.ch/zefix/company/999001")
        );
    }
}
