//! NOGA 2008 classification of a company: section, division, group and class.

use crate::{
    Company,
    noga::{self, DIVISIONS},
};

/// One level of the nomenclature.
#[derive(Clone, Debug, PartialEq)]
pub struct Level {
    /// Code of the level.
    pub code: String,
    /// English name. `None` if this project has no name for the code.
    pub name: Option<&'static str>,
}

/// The known levels of a company's industry.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Levels {
    /// Section: a letter.
    pub section: Option<Level>,
    /// Division: two digits.
    pub division: Option<Level>,
    /// Group: three digits.
    pub group: Option<Level>,
    /// Class: four digits.
    pub class: Option<Level>,
}

impl Levels {
    /// The levels of a company: from its NOGA code, or else from the division that `industry` names.
    pub fn of(company: &Company) -> Self {
        let by_name = || {
            let name = company.industry.as_deref()?;
            Some(DIVISIONS.iter().find(|it| it.name == name)?.code)
        };
        match company.noga_code.as_deref().or_else(by_name) {
            Some(code) => Self::of_code(code),
            None => Self::default(),
        }
    }

    /// The levels of a code of two to six digits. Empty for any other text.
    pub fn of_code(code: &str) -> Self {
        let Some(division) = noga::division(code) else { return Self::default() };
        let section = noga::section(division.section);
        let level = |digits: usize, name: fn(&str) -> Option<&'static str>| {
            let code = code.get(..digits)?.to_owned();
            Some(Level { name: name(&code), code })
        };
        Self {
            section: section.map(|it| Level { code: it.code.to_string(), name: Some(it.name) }),
            division: Some(Level { code: division.code.to_owned(), name: Some(division.name) }),
            group: level(3, group_name),
            class: level(4, |code| noga::class(code).map(|it| it.name)),
        }
    }
}

/// Name of a group: its own, or that of its only class (whose code is the group's with a 0 appended).
fn group_name(code: &str) -> Option<&'static str> {
    match GROUPS.binary_search_by(|(group, _)| (*group).cmp(code)) {
        Ok(at) => GROUPS.get(at).map(|(_, name)| *name),
        Err(_) => noga::class(&format!("{code}0")).map(|it| it.name),
    }
}

/// Names of the groups that have several classes. This project's own names.
#[rustfmt::skip]
const GROUPS: [(&str, &str); 92] = [
    ("011", "Annual crops"),
    ("012", "Perennial crops"),
    ("014", "Livestock"),
    ("016", "Farm support"),
    ("081", "Stone, sand and clay"),
    ("101", "Meat processing"),
    ("103", "Fruit and vegetable processing"),
    ("105", "Dairy processing"),
    ("106", "Milling and starch"),
    ("107", "Bread, cakes and pasta"),
    ("108", "Foods of other kinds"),
    ("109", "Feed for animals"),
    ("110", "Making of drinks"),
    ("141", "Clothing"),
    ("151", "Leather and luggage"),
    ("162", "Wood products"),
    ("204", "Soap, detergents and cosmetics"),
    ("236", "Concrete, cement and plaster products"),
    ("251", "Structural metal"),
    ("256", "Metal working"),
    ("265", "Instruments and watches"),
    ("284", "Machine tools"),
    ("289", "Machinery for special purposes"),
    ("293", "Parts for motor vehicles"),
    ("301", "Ships and boats"),
    ("309", "Other vehicles"),
    ("310", "Furniture"),
    ("321", "Jewellery and coins"),
    ("331", "Repair of products and machines"),
    ("351", "Electricity"),
    ("352", "Gas"),
    ("431", "Demolition and site preparation"),
    ("432", "Building installation"),
    ("433", "Building completion"),
    ("439", "Other specialised building"),
    ("451", "Trade in motor vehicles"),
    ("453", "Trade in vehicle parts"),
    ("461", "Trade agents"),
    ("462", "Wholesale of raw farm products and animals"),
    ("463", "Wholesale of food, drinks and tobacco"),
    ("464", "Wholesale of household goods"),
    ("465", "Wholesale of information technology"),
    ("466", "Wholesale of machinery"),
    ("467", "Other specialised wholesale"),
    ("471", "General shops"),
    ("472", "Food, drink and tobacco shops"),
    ("474", "Information technology shops"),
    ("475", "Household shops"),
    ("476", "Culture and leisure shops"),
    ("477", "Other specialised shops"),
    ("478", "Stalls and markets"),
    ("479", "Trade outside shops and markets"),
    ("493", "Passenger transport by land"),
    ("494", "Goods transport by road"),
    ("522", "Transport support"),
    ("562", "Catering"),
    ("581", "Publishing of books and periodicals"),
    ("582", "Publishing of software"),
    ("591", "Film and television"),
    ("620", "Information technology services"),
    ("631", "Data processing and web portals"),
    ("639", "Other information services"),
    ("641", "Monetary institutions"),
    ("649", "Other financing"),
    ("651", "Insurance"),
    ("661", "Support of financial services"),
    ("662", "Support of insurance"),
    ("683", "Property agents and managers"),
    ("702", "Advice to management"),
    ("711", "Architecture and engineering"),
    ("721", "Research in science and engineering"),
    ("731", "Advertising"),
    ("771", "Hire of motor vehicles"),
    ("772", "Hire of personal goods"),
    ("773", "Hire of machinery and equipment"),
    ("812", "Cleaning"),
    ("821", "Administration and office support"),
    ("829", "Other support of businesses"),
    ("841", "Administration of state and society"),
    ("842", "Foreign affairs, defence and safety"),
    ("853", "Secondary schools"),
    ("854", "Tertiary education"),
    ("855", "Other teaching"),
    ("862", "Medical and dental practices"),
    ("889", "Other social work without lodging"),
    ("900", "Arts and entertainment"),
    ("931", "Sport"),
    ("941", "Business and professional bodies"),
    ("949", "Other membership bodies"),
    ("951", "Repair of computers and phones"),
    ("952", "Repair of household goods"),
    ("960", "Personal services"),
];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::noga::CLASSES;

    fn codes(levels: &Levels) -> Vec<&str> {
        let all = [&levels.section, &levels.division, &levels.group, &levels.class];
        all.into_iter().flatten().map(|it| it.code.as_str()).collect()
    }

    #[test]
    fn number_of_levels_follows_from_the_number_of_digits() {
        assert_eq!(codes(&Levels::of_code("620100")), ["J", "62", "620", "6201"]);
        assert_eq!(codes(&Levels::of_code("620")), ["J", "62", "620"]);
        assert_eq!(codes(&Levels::of_code("62")), ["J", "62"]);
        for code in ["", "6", "04", "é2", "x"] {
            assert_eq!(Levels::of_code(code), Levels::default(), "{code}");
        }
    }

    #[test]
    fn division_is_found_by_name_when_there_is_no_code() {
        let uid = "CHE-107.787.577".parse().expect("well-formed");
        let mut company = Company::new(uid, "Muster AG");
        assert_eq!(Levels::of(&company), Levels::default());
        company.industry = Some("Software and IT services".to_owned());
        assert_eq!(codes(&Levels::of(&company)), ["J", "62"]);
    }

    #[test]
    fn every_class_belongs_to_a_group_with_a_name() {
        assert!(GROUPS.is_sorted_by(|one, other| one.0 < other.0));
        for class in &CLASSES {
            let levels = Levels::of_code(class.code);
            let group = levels.group.expect("three digits");
            assert!(group.name.is_some(), "{class:?}");
            assert_eq!(levels.class.and_then(|it| it.name), Some(class.name));
        }
    }
}
