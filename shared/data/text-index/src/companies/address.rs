//! Companies at the same address.

use std::hash::{DefaultHasher, Hash, Hasher};

use domain::{Company, Status, text::fold};

/// Ends of street names in long and short form.
const STREET: (&str, &str) = ("strasse", "str");

/// The address of a company that is not deleted, as a number: street with house number, or PO box, and the town. Case, accents,
/// punctuation and `Strasse`/`Str.` make no difference. `None` without a house number or the number of a box: all houses of a
/// village would be one address.
pub(super) fn address(company: &Company) -> Option<u64> {
    if company.status == Some(Status::Cancelled) {
        return None;
    }
    let street = company.address_street.as_deref().unwrap_or_default();
    let number = company.address_house_number.as_deref().unwrap_or_default();
    let street = [street, number].join(" ");
    let has_number = |it: &str| it.bytes().any(|it| it.is_ascii_digit());
    let place = [street.as_str(), company.address_po_box.as_deref().unwrap_or_default()]
        .into_iter()
        .find(|it| has_number(it))?;
    let town = fold(company.address_city.as_deref()?);
    let words = fold(place);
    let words = words.split(' ').map(|word| match word.strip_suffix(STREET.0) {
        Some(name) => [name, STREET.1].concat(),
        None => word.to_owned(),
    });
    // Compared within one run only, so another run may use another function.
    let mut hasher = DefaultHasher::new();
    // `Bahnhof Str. 5` is `Bahnhofstr. 5`.
    (words.collect::<String>(), town).hash(&mut hasher);
    Some(hasher.finish())
}
