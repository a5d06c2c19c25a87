//! Conversion between the numbers of `gazette_notice`, which depends on no crate of ours, and those of `domain`.

use domain::{Amount, Uid};
use gazette_notice::{CompanyNumber, Decimal};

/// `None` also for the number that stands for an erased company: it is not one company, but any.
pub(crate) fn uid(number: CompanyNumber) -> Option<Uid> {
    Uid::from_number(number.digits()).filter(|it| *it != Uid::ERASED)
}

pub(crate) fn company_number(uid: Uid) -> Option<CompanyNumber> {
    CompanyNumber::from_digits(uid.number()).filter(|_| uid != Uid::ERASED)
}

pub(crate) fn amount(number: Decimal) -> Amount {
    Amount::from_ten_thousandths(number.ten_thousandths())
}

#[cfg(test)]
mod tests {
    use gazette_notice::Change;

    use super::*;

    #[test]
    fn notices_and_domain_parse_the_same_company_numbers() {
        for text in [
            "CHE-107.787.577",
            "che107787577",
            "107 787 577",
            "CHE 107.787.577 MWST",
            "CHE-107.787.577tva",
            "CHE-107.787.57a",
            "CHE-10.7787.577",
            "CH-020.3.000.000-2",
            "",
        ] {
            let parsed = CompanyNumber::parse(text);
            assert_eq!(parsed.and_then(uid), text.parse().ok(), "{text}");
            assert_eq!(parsed.and_then(uid).and_then(company_number), parsed, "{text}");
        }
        // What people type, and no office prints.
        for text in ["CHE-107-787-577", "CHE--107787577"] {
            assert_eq!(CompanyNumber::parse(text), None);
            assert_eq!(text.parse().ok(), Uid::from_number(107_787_577));
        }
    }

    #[test]
    fn notices_and_domain_parse_the_same_amounts() {
        for text in ["100'000.00", "0,5", "1’000", "3.2500000", "1.00001", "922337203685477.5808"]
        {
            let notice = gazette_notice::read(&format!("Aktienkapital neu: CHF {text}"));
            let to = notice.changes.into_iter().find_map(|it| match it {
                Change::Capital { to, .. } => Some(amount(to)),
                _ => None,
            });
            assert_eq!(to, text.parse().ok(), "{text}");
        }
    }
}
