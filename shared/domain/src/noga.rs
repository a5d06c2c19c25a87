//! NOGA 2008, the Swiss nomenclature of economic activities: its sections and divisions, with names
//! of ours.
//!
//! Structure and codes are those of the Federal Statistical Office, and down to the four-digit class
//! those of the European NACE Rev. 2. The official names are long; these are what a filter shows and
//! what `industry` says.

/// A section: the coarsest grouping, by letter.
#[derive(Debug, PartialEq)]
pub struct Section {
    /// `A` to `U`.
    pub code: char,
    /// In plain English.
    pub name: &'static str,
}

/// A division: the first two digits of every NOGA code.
#[derive(Debug, PartialEq)]
pub struct Division {
    /// Two digits, such as `62`.
    pub code: &'static str,
    /// The letter of the section it belongs to.
    pub section: char,
    /// In plain English: the `industry` of a company.
    pub name: &'static str,
}

/// The section with this letter.
pub fn section(code: char) -> Option<&'static Section> {
    SECTIONS.iter().find(|it| it.code == code)
}

/// The division of a code of two digits or more, such as `62`, `6201` and `620100`.
pub fn division(code: &str) -> Option<&'static Division> {
    let digits = code.get(..2)?;
    DIVISIONS.iter().find(|it| it.code == digits)
}

/// Every section, in the order of the letters.
#[rustfmt::skip]
pub const SECTIONS: [Section; 21] = [
    Section { code: 'A', name: "Farming, forestry and fishing" },
    Section { code: 'B', name: "Mining and extraction" },
    Section { code: 'C', name: "Manufacturing industry" },
    Section { code: 'D', name: "Energy" },
    Section { code: 'E', name: "Water and waste" },
    Section { code: 'F', name: "Building trades" },
    Section { code: 'G', name: "Trade and vehicle repair" },
    Section { code: 'H', name: "Transport and logistics" },
    Section { code: 'I', name: "Hotels and restaurants" },
    Section { code: 'J', name: "Media, telecoms and IT" },
    Section { code: 'K', name: "Finance and insurance" },
    Section { code: 'L', name: "Property" },
    Section { code: 'M', name: "Professional and technical services" },
    Section { code: 'N', name: "Business support services" },
    Section { code: 'O', name: "Public sector" },
    Section { code: 'P', name: "Education and training" },
    Section { code: 'Q', name: "Health and social care" },
    Section { code: 'R', name: "Arts and leisure" },
    Section { code: 'S', name: "Associations and personal services" },
    Section { code: 'T', name: "Private households" },
    Section { code: 'U', name: "Foreign missions" },
];

/// Every division, in the order of the codes.
#[rustfmt::skip]
pub const DIVISIONS: [Division; 88] = [
    Division { code: "01", section: 'A', name: "Agriculture" },
    Division { code: "02", section: 'A', name: "Forestry" },
    Division { code: "03", section: 'A', name: "Fishing and fish farming" },
    Division { code: "05", section: 'B', name: "Coal mining" },
    Division { code: "06", section: 'B', name: "Oil and gas extraction" },
    Division { code: "07", section: 'B', name: "Metal ore mining" },
    Division { code: "08", section: 'B', name: "Quarries, gravel and salt" },
    Division { code: "09", section: 'B', name: "Mining services" },
    Division { code: "10", section: 'C', name: "Food production" },
    Division { code: "11", section: 'C', name: "Beverage production" },
    Division { code: "12", section: 'C', name: "Tobacco products" },
    Division { code: "13", section: 'C', name: "Textiles" },
    Division { code: "14", section: 'C', name: "Clothing manufacture" },
    Division { code: "15", section: 'C', name: "Leather goods and shoes" },
    Division { code: "16", section: 'C', name: "Timber and joinery products" },
    Division { code: "17", section: 'C', name: "Paper and cardboard" },
    Division { code: "18", section: 'C', name: "Printing" },
    Division { code: "19", section: 'C', name: "Oil refining" },
    Division { code: "20", section: 'C', name: "Chemicals" },
    Division { code: "21", section: 'C', name: "Pharmaceuticals" },
    Division { code: "22", section: 'C', name: "Plastics and rubber" },
    Division { code: "23", section: 'C', name: "Glass, ceramics and concrete" },
    Division { code: "24", section: 'C', name: "Steel and metal production" },
    Division { code: "25", section: 'C', name: "Metal products" },
    Division { code: "26", section: 'C', name: "Electronics, optics and watches" },
    Division { code: "27", section: 'C', name: "Electrical equipment makers" },
    Division { code: "28", section: 'C', name: "Mechanical engineering" },
    Division { code: "29", section: 'C', name: "Vehicle manufacture" },
    Division { code: "30", section: 'C', name: "Rail, ship and aircraft building" },
    Division { code: "31", section: 'C', name: "Furniture making" },
    Division { code: "32", section: 'C', name: "Jewellery, medical devices and other goods" },
    Division { code: "33", section: 'C', name: "Machine repair and installation" },
    Division { code: "35", section: 'D', name: "Power, gas and heat supply" },
    Division { code: "36", section: 'E', name: "Water supply" },
    Division { code: "37", section: 'E', name: "Wastewater" },
    Division { code: "38", section: 'E', name: "Waste and recycling" },
    Division { code: "39", section: 'E', name: "Environmental clean-up" },
    Division { code: "41", section: 'F', name: "Building construction and development" },
    Division { code: "42", section: 'F', name: "Roads, tunnels and utilities construction" },
    Division { code: "43", section: 'F', name: "Specialist building trades" },
    Division { code: "45", section: 'G', name: "Car trade and garages" },
    Division { code: "46", section: 'G', name: "Wholesale" },
    Division { code: "47", section: 'G', name: "Retail" },
    Division { code: "49", section: 'H', name: "Road and rail transport" },
    Division { code: "50", section: 'H', name: "Shipping" },
    Division { code: "51", section: 'H', name: "Aviation" },
    Division { code: "52", section: 'H', name: "Warehousing and forwarding" },
    Division { code: "53", section: 'H', name: "Post and couriers" },
    Division { code: "55", section: 'I', name: "Hotels and lodging" },
    Division { code: "56", section: 'I', name: "Restaurants, bars and catering" },
    Division { code: "58", section: 'J', name: "Publishing" },
    Division { code: "59", section: 'J', name: "Film, video and music production" },
    Division { code: "60", section: 'J', name: "Radio and television" },
    Division { code: "61", section: 'J', name: "Telecoms" },
    Division { code: "62", section: 'J', name: "Software and IT services" },
    Division { code: "63", section: 'J', name: "Data hosting and information services" },
    Division { code: "64", section: 'K', name: "Financial services" },
    Division { code: "65", section: 'K', name: "Insurance and pension funds" },
    Division { code: "66", section: 'K', name: "Asset managers and insurance brokers" },
    Division { code: "68", section: 'L', name: "Real estate" },
    Division { code: "69", section: 'M', name: "Law, tax and accounting" },
    Division { code: "70", section: 'M', name: "Head offices and management consulting" },
    Division { code: "71", section: 'M', name: "Architecture, engineering and testing" },
    Division { code: "72", section: 'M', name: "Research and development" },
    Division { code: "73", section: 'M', name: "Advertising and market research agencies" },
    Division { code: "74", section: 'M', name: "Design, photography and translation" },
    Division { code: "75", section: 'M', name: "Vets" },
    Division { code: "77", section: 'N', name: "Rental and leasing" },
    Division { code: "78", section: 'N', name: "Recruitment and temporary staffing" },
    Division { code: "79", section: 'N', name: "Travel agencies and tour operators" },
    Division { code: "80", section: 'N', name: "Security services" },
    Division { code: "81", section: 'N', name: "Cleaning, facilities and gardening" },
    Division { code: "82", section: 'N', name: "Office services, events and call centres" },
    Division { code: "84", section: 'O', name: "Government and social security" },
    Division { code: "85", section: 'P', name: "Schools and training" },
    Division { code: "86", section: 'Q', name: "Doctors, hospitals and therapists" },
    Division { code: "87", section: 'Q', name: "Nursing and residential homes" },
    Division { code: "88", section: 'Q', name: "Social services and childcare" },
    Division { code: "90", section: 'R', name: "Arts and performance" },
    Division { code: "91", section: 'R', name: "Museums, libraries and zoos" },
    Division { code: "92", section: 'R', name: "Casinos, lotteries and betting" },
    Division { code: "93", section: 'R', name: "Sports and recreation" },
    Division { code: "94", section: 'S', name: "Associations, churches and parties" },
    Division { code: "95", section: 'S', name: "Repair of household goods and computers" },
    Division { code: "96", section: 'S', name: "Hairdressing, beauty and personal services" },
    Division { code: "97", section: 'T', name: "Household staff" },
    Division { code: "98", section: 'T', name: "Household production for own use" },
    Division { code: "99", section: 'U', name: "Embassies and international organisations" },
];

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;
    use crate::text::fold;

    #[test]
    fn every_division_belongs_to_a_section_and_every_section_has_divisions() {
        for it in &DIVISIONS {
            assert!(section(it.section).is_some(), "{it:?}");
        }
        for it in &SECTIONS {
            assert!(DIVISIONS.iter().any(|division| division.section == it.code), "{it:?}");
        }
    }

    #[test]
    fn codes_and_sections_ascend() {
        assert!(SECTIONS.iter().map(|it| it.code).eq('A'..='U'));
        assert!(DIVISIONS.is_sorted_by(|a, b| a.code < b.code && a.section <= b.section));
        assert!(DIVISIONS.iter().all(|it| it.code.len() == 2));
    }

    #[test]
    fn folded_names_are_unique() {
        let divisions: HashSet<String> = DIVISIONS.iter().map(|it| fold(it.name)).collect();
        let sections: HashSet<String> = SECTIONS.iter().map(|it| fold(it.name)).collect();
        assert_eq!((divisions.len(), sections.len()), (DIVISIONS.len(), SECTIONS.len()));
    }

    #[test]
    fn names_can_stand_in_an_address_as_they_are() {
        let names = DIVISIONS.iter().map(|it| it.name).chain(SECTIONS.iter().map(|it| it.name));
        for name in names {
            assert!(!name.contains(['/', '?', '#', '%']) && name.trim() == name, "{name}");
        }
    }

    #[test]
    fn the_division_of_a_longer_code_is_that_of_its_first_two_digits() {
        for code in ["62", "620", "6201", "620100"] {
            assert_eq!(
                division(code).map(|it| it.name),
                Some("Software and IT services"),
                "{code}"
            );
        }
        for code in ["", "6", "04", "J", "é2"] {
            assert_eq!(division(code), None, "{code}");
        }
        assert_eq!(section('J').map(|it| it.name), Some("Media, telecoms and IT"));
        assert_eq!(section('V'), None);
    }
}
