//! How the identifiers and addresses of the demo register begin. They keep invented data from being attributed to the gazette, the
//! register, GLEIF or any other source.

/// Identifiers of publications, records and disclosures.
pub const ID_PREFIX: &str = "demo-";
/// Legal entity identifiers. No issuer has this prefix.
pub const LEI_PREFIX: &str = "DEMO00";
/// Addresses of news and reports. Nobody can own a name below `.example`.
pub const SITE: &str = "https://demo.example/";

/// Whether an identifier or address is one of the demo register.
pub fn is_invented(reference: &str) -> bool {
    [ID_PREFIX, LEI_PREFIX, SITE].iter().any(|it| reference.starts_with(it))
}
