//! `dataQualityScore`: how complete a record is.

use super::Company;

/// Completeness of a record, 0 to 1 with two decimals: the weight of the filled members divided by the
/// weight of all members.
///
/// Members that identify a company have weight 3, members used in filters 2, other members 1.
pub(super) fn score(company: &Company) -> f64 {
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

/// Whether the legal form has a nominal capital: partnership limited by shares, corporation or limited
/// liability company (eCH-0097). Other companies lose no points for a missing capital.
fn has_capital(company: &Company) -> bool {
    matches!(company.legal_form_code.as_deref(), Some("0105" | "0106" | "0107"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn score_rises_with_filled_members_and_stays_between_0_and_1() {
        let uid = "CHE-107.787.577".parse().expect("well-formed");
        let mut company = Company::new(uid, "Muster AG");
        let bare = score(&company);
        company.canton = Some(crate::Canton::Zh);
        assert!(score(&company) > bare);
        assert!((0.0..=1.0).contains(&score(&company)));
    }
}
