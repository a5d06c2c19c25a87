//! `dataQualityScore`: the weighted share of a record that is filled.

use crate::Company;

/// The share of the weights below whose members are filled, 0 to 1, to two decimals.
///
/// What identifies a company weighs most, what a user filters by next, what is merely useful least.
pub fn score(company: &Company) -> f64 {
    let members = members(company);
    let total: u32 = members.iter().map(|(weight, _)| weight).sum();
    let filled: u32 = members.iter().filter(|(_, filled)| *filled).map(|(weight, _)| weight).sum();
    (f64::from(filled) / f64::from(total) * 100.0).round() / 100.0
}

#[rustfmt::skip]
fn members(company: &Company) -> [(u32, bool); 20] {
    [
        (3, !company.name.is_empty()),
        (3, company.status.is_some()),
        (3, company.canton.is_some()),
        (3, company.legal_form.is_some()),
        (2, company.legal_seat.is_some()),
        (2, company.address_zip_code.is_some() && company.address_city.is_some()),
        (2, company.address_street.is_some() || company.address_po_box.is_some()),
        (2, company.purpose.is_some()),
        (2, company.registration_date.is_some() || company.founding_date.is_some()),
        (2, company.share_capital.is_some() || !has_capital(company)),
        (2, company.industry.is_some()),
        (2, company.auditor_name.is_some() || company.auditor_opt_out.is_some()),
        (1, company.latitude.is_some()),
        (1, company.noga_code.is_some()),
        (1, company.employee_count.is_some()),
        (1, company.website.is_some()),
        (1, company.lei.is_some()),
        (1, company.ehraid.is_some()),
        (1, company.chid.is_some()),
        (1, company.cantonal_excerpt_url.is_some()),
    ]
}

/// Whether the legal form has a nominal capital at all (eCH-0097: limited partnership with shares,
/// corporation, limited liability company): a sole trader does not lose points for having none.
fn has_capital(company: &Company) -> bool {
    matches!(company.legal_form_code.as_deref(), Some("0105" | "0106" | "0107"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_record_gains_with_what_is_known() {
        let uid = "CHE-107.787.577".parse().expect("well-formed");
        let mut company = Company::new(uid, "Muster AG");
        let bare = score(&company);
        company.canton = Some(crate::Canton::Zh);
        assert!(score(&company) > bare);
        assert!((0.0..=1.0).contains(&score(&company)));
    }
}
