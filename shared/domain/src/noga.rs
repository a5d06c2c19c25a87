//! NOGA 2008, the Swiss nomenclature of economic activities: its sections and divisions, and the
//! classes that can be told from a purpose, with names of ours.
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

/// A class: the first four digits. Only those are here that [`industry`](crate::industry) can tell.
#[derive(Debug, PartialEq)]
pub struct Class {
    /// Four digits, such as `6201`.
    pub code: &'static str,
    /// In plain English: the `subIndustry` of a company.
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

/// The class of a code of four digits or more, such as `6201` and `620100`, where it is one of
/// [`CLASSES`].
pub fn class(code: &str) -> Option<&'static Class> {
    let digits = code.get(..4)?;
    let at = CLASSES.binary_search_by(|it| it.code.cmp(digits)).ok()?;
    CLASSES.get(at)
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

/// The classes, in the order of the codes.
#[rustfmt::skip]
pub const CLASSES: [Class; 277] = [
    Class { code: "0111", name: "Grain and pulses" },
    Class { code: "0113", name: "Vegetable growing" },
    Class { code: "0119", name: "Flower growing" },
    Class { code: "0121", name: "Vineyards" },
    Class { code: "0130", name: "Nurseries" },
    Class { code: "0149", name: "Animal breeding" },
    Class { code: "0150", name: "Mixed farms" },
    Class { code: "0161", name: "Farm services" },
    Class { code: "0812", name: "Gravel and sand pits" },
    Class { code: "1013", name: "Meat products" },
    Class { code: "1020", name: "Fish products" },
    Class { code: "1039", name: "Fruit and vegetable products" },
    Class { code: "1051", name: "Dairies and cheese makers" },
    Class { code: "1061", name: "Flour mills" },
    Class { code: "1071", name: "Bakeries" },
    Class { code: "1082", name: "Chocolate and sweets makers" },
    Class { code: "1083", name: "Coffee and tea processing" },
    Class { code: "1089", name: "Other food products" },
    Class { code: "1091", name: "Animal feed" },
    Class { code: "1101", name: "Distilleries" },
    Class { code: "1102", name: "Wine making" },
    Class { code: "1105", name: "Breweries" },
    Class { code: "1200", name: "Cigars and cigarettes" },
    Class { code: "1413", name: "Garments" },
    Class { code: "1512", name: "Bags and saddlery" },
    Class { code: "1520", name: "Shoe making" },
    Class { code: "1610", name: "Sawmills" },
    Class { code: "1623", name: "Joinery and windows" },
    Class { code: "1920", name: "Fuels and lubricants" },
    Class { code: "2041", name: "Cleaning agents" },
    Class { code: "2042", name: "Perfumes and cosmetics" },
    Class { code: "2120", name: "Medicines" },
    Class { code: "2363", name: "Ready-mixed concrete" },
    Class { code: "2370", name: "Stone working" },
    Class { code: "2511", name: "Metal construction" },
    Class { code: "2540", name: "Weapons and ammunition" },
    Class { code: "2561", name: "Metal coating and treatment" },
    Class { code: "2562", name: "Machining" },
    Class { code: "2620", name: "Computers and peripherals" },
    Class { code: "2630", name: "Communication equipment" },
    Class { code: "2640", name: "Home electronics" },
    Class { code: "2651", name: "Measuring instruments" },
    Class { code: "2652", name: "Watches and clocks" },
    Class { code: "2670", name: "Optical instruments" },
    Class { code: "2830", name: "Farm machinery" },
    Class { code: "2841", name: "Machine tools for metal" },
    Class { code: "2892", name: "Construction machinery" },
    Class { code: "2920", name: "Vehicle bodies and trailers" },
    Class { code: "2932", name: "Vehicle parts" },
    Class { code: "3012", name: "Boat building" },
    Class { code: "3030", name: "Aircraft building" },
    Class { code: "3091", name: "Motorcycle building" },
    Class { code: "3092", name: "Bicycles and wheelchairs" },
    Class { code: "3102", name: "Kitchen furniture" },
    Class { code: "3212", name: "Jewellery making" },
    Class { code: "3220", name: "Musical instruments" },
    Class { code: "3230", name: "Sports goods" },
    Class { code: "3240", name: "Games and toys" },
    Class { code: "3250", name: "Medical and dental devices" },
    Class { code: "3311", name: "Repair of metal products" },
    Class { code: "3312", name: "Repair of machinery" },
    Class { code: "3313", name: "Repair of electronic and optical devices" },
    Class { code: "3314", name: "Repair of electrical equipment" },
    Class { code: "3315", name: "Repair of boats" },
    Class { code: "3316", name: "Repair of aircraft" },
    Class { code: "3511", name: "Electricity generation" },
    Class { code: "3522", name: "Gas distribution" },
    Class { code: "3530", name: "District heating" },
    Class { code: "3600", name: "Drinking water" },
    Class { code: "3700", name: "Sewerage" },
    Class { code: "3900", name: "Decontamination" },
    Class { code: "4110", name: "Property development" },
    Class { code: "4120", name: "Construction of buildings" },
    Class { code: "4311", name: "Demolition" },
    Class { code: "4312", name: "Excavation" },
    Class { code: "4321", name: "Electricians" },
    Class { code: "4322", name: "Plumbing, heating and ventilation" },
    Class { code: "4329", name: "Insulation and lifts" },
    Class { code: "4331", name: "Plasterers" },
    Class { code: "4332", name: "Fitting of doors and windows" },
    Class { code: "4333", name: "Floor and wall covering" },
    Class { code: "4334", name: "Painters and glaziers" },
    Class { code: "4391", name: "Roofers and carpenters" },
    Class { code: "4399", name: "Masonry and scaffolding" },
    Class { code: "4511", name: "Car dealers" },
    Class { code: "4520", name: "Garages" },
    Class { code: "4531", name: "Car parts wholesale" },
    Class { code: "4532", name: "Car parts shops" },
    Class { code: "4540", name: "Motorcycle trade and repair" },
    Class { code: "4614", name: "Agents for machinery and aircraft" },
    Class { code: "4619", name: "General trade agents" },
    Class { code: "4621", name: "Grain and feed wholesale" },
    Class { code: "4622", name: "Flower wholesale" },
    Class { code: "4623", name: "Livestock wholesale" },
    Class { code: "4631", name: "Fruit and vegetable wholesale" },
    Class { code: "4632", name: "Meat wholesale" },
    Class { code: "4633", name: "Dairy wholesale" },
    Class { code: "4634", name: "Beverage wholesale" },
    Class { code: "4635", name: "Tobacco wholesale" },
    Class { code: "4636", name: "Sweets wholesale" },
    Class { code: "4637", name: "Coffee and spice wholesale" },
    Class { code: "4638", name: "Fish and other food wholesale" },
    Class { code: "4639", name: "General food wholesale" },
    Class { code: "4641", name: "Textile wholesale" },
    Class { code: "4642", name: "Clothing and shoe wholesale" },
    Class { code: "4643", name: "Electrical goods wholesale" },
    Class { code: "4644", name: "Glassware and detergent wholesale" },
    Class { code: "4645", name: "Cosmetics wholesale" },
    Class { code: "4646", name: "Medical and pharmaceutical wholesale" },
    Class { code: "4647", name: "Furniture wholesale" },
    Class { code: "4648", name: "Watch and jewellery wholesale" },
    Class { code: "4649", name: "Other household goods wholesale" },
    Class { code: "4651", name: "Computer and software wholesale" },
    Class { code: "4652", name: "Electronics and phone wholesale" },
    Class { code: "4661", name: "Farm machinery wholesale" },
    Class { code: "4662", name: "Machine tool wholesale" },
    Class { code: "4663", name: "Construction machinery wholesale" },
    Class { code: "4669", name: "Other machinery wholesale" },
    Class { code: "4671", name: "Fuel wholesale" },
    Class { code: "4672", name: "Metals and ores wholesale" },
    Class { code: "4673", name: "Building material wholesale" },
    Class { code: "4674", name: "Hardware and plumbing wholesale" },
    Class { code: "4675", name: "Chemicals wholesale" },
    Class { code: "4676", name: "Paper and plastics wholesale" },
    Class { code: "4690", name: "General wholesale" },
    Class { code: "4711", name: "Grocers and supermarkets" },
    Class { code: "4719", name: "Department stores" },
    Class { code: "4721", name: "Greengrocers" },
    Class { code: "4722", name: "Butcher shops" },
    Class { code: "4723", name: "Fishmongers" },
    Class { code: "4724", name: "Bread and sweet shops" },
    Class { code: "4725", name: "Wine and drink shops" },
    Class { code: "4726", name: "Tobacconists" },
    Class { code: "4729", name: "Other food shops" },
    Class { code: "4730", name: "Filling stations" },
    Class { code: "4741", name: "Computer shops" },
    Class { code: "4742", name: "Phone shops" },
    Class { code: "4743", name: "Hi-fi and television shops" },
    Class { code: "4751", name: "Fabric shops" },
    Class { code: "4752", name: "Hardware and paint shops" },
    Class { code: "4754", name: "Household appliance shops" },
    Class { code: "4759", name: "Furniture and home shops" },
    Class { code: "4761", name: "Book shops" },
    Class { code: "4762", name: "Stationery shops" },
    Class { code: "4764", name: "Sports and bicycle shops" },
    Class { code: "4765", name: "Toy shops" },
    Class { code: "4771", name: "Clothes shops" },
    Class { code: "4772", name: "Shoe and leather shops" },
    Class { code: "4773", name: "Pharmacies and drugstores" },
    Class { code: "4774", name: "Medical supply shops" },
    Class { code: "4775", name: "Perfumeries" },
    Class { code: "4776", name: "Flower and pet shops" },
    Class { code: "4777", name: "Watch and jewellery shops" },
    Class { code: "4778", name: "Opticians and other new goods" },
    Class { code: "4779", name: "Second-hand shops" },
    Class { code: "4789", name: "Market stalls" },
    Class { code: "4791", name: "Online and mail-order trade" },
    Class { code: "4932", name: "Taxis" },
    Class { code: "4939", name: "Coaches and cable cars" },
    Class { code: "4941", name: "Road haulage" },
    Class { code: "4942", name: "Removals" },
    Class { code: "5210", name: "Storage" },
    Class { code: "5221", name: "Parking and transport hubs" },
    Class { code: "5229", name: "Forwarding agents" },
    Class { code: "5510", name: "Hotels" },
    Class { code: "5520", name: "Holiday homes" },
    Class { code: "5530", name: "Camp sites" },
    Class { code: "5610", name: "Restaurants and takeaways" },
    Class { code: "5621", name: "Event catering" },
    Class { code: "5629", name: "Canteens" },
    Class { code: "5630", name: "Bars and clubs" },
    Class { code: "5811", name: "Book publishing" },
    Class { code: "5813", name: "Newspaper publishing" },
    Class { code: "5814", name: "Magazine publishing" },
    Class { code: "5821", name: "Computer games" },
    Class { code: "5911", name: "Film and video makers" },
    Class { code: "5914", name: "Cinemas" },
    Class { code: "5920", name: "Recording and music publishing" },
    Class { code: "6201", name: "Programming" },
    Class { code: "6202", name: "IT consulting" },
    Class { code: "6203", name: "Running IT systems" },
    Class { code: "6311", name: "Hosting and data processing" },
    Class { code: "6312", name: "Web portals" },
    Class { code: "6391", name: "News agencies" },
    Class { code: "6419", name: "Banks" },
    Class { code: "6420", name: "Holding companies" },
    Class { code: "6430", name: "Investment funds" },
    Class { code: "6491", name: "Finance leasing" },
    Class { code: "6492", name: "Lending" },
    Class { code: "6499", name: "Financing and venture capital" },
    Class { code: "6511", name: "Life insurers" },
    Class { code: "6512", name: "General insurers" },
    Class { code: "6520", name: "Reinsurers" },
    Class { code: "6530", name: "Pension funds" },
    Class { code: "6612", name: "Securities dealers" },
    Class { code: "6619", name: "Payment and financial intermediaries" },
    Class { code: "6622", name: "Insurance brokers" },
    Class { code: "6630", name: "Fund and portfolio managers" },
    Class { code: "6810", name: "Trade in property" },
    Class { code: "6820", name: "Letting of property" },
    Class { code: "6831", name: "Estate agents" },
    Class { code: "6832", name: "Property managers" },
    Class { code: "6910", name: "Lawyers and notaries" },
    Class { code: "6920", name: "Accountants and tax advisers" },
    Class { code: "7010", name: "Head offices" },
    Class { code: "7021", name: "Public relations" },
    Class { code: "7022", name: "Management consultants" },
    Class { code: "7111", name: "Architects" },
    Class { code: "7112", name: "Engineers" },
    Class { code: "7120", name: "Testing and analysis" },
    Class { code: "7211", name: "Biotechnology" },
    Class { code: "7219", name: "Research in science and technology" },
    Class { code: "7220", name: "Research in humanities" },
    Class { code: "7311", name: "Advertising agencies" },
    Class { code: "7320", name: "Market research" },
    Class { code: "7410", name: "Designers" },
    Class { code: "7420", name: "Photographers" },
    Class { code: "7430", name: "Translators" },
    Class { code: "7490", name: "Other technical advice" },
    Class { code: "7500", name: "Veterinary practices" },
    Class { code: "7711", name: "Car hire" },
    Class { code: "7721", name: "Hire of sports goods" },
    Class { code: "7729", name: "Hire of household goods" },
    Class { code: "7731", name: "Hire of farm machinery" },
    Class { code: "7732", name: "Hire of construction machinery" },
    Class { code: "7733", name: "Hire of office equipment" },
    Class { code: "7735", name: "Hire of aircraft" },
    Class { code: "7739", name: "Hire of other machinery" },
    Class { code: "7740", name: "Licensing of rights" },
    Class { code: "8110", name: "Caretaking" },
    Class { code: "8121", name: "Building cleaners" },
    Class { code: "8130", name: "Landscape gardeners" },
    Class { code: "8211", name: "Office services" },
    Class { code: "8220", name: "Call centres" },
    Class { code: "8230", name: "Event organisers" },
    Class { code: "8291", name: "Debt collection" },
    Class { code: "8299", name: "Other business services" },
    Class { code: "8411", name: "Public administration" },
    Class { code: "8425", name: "Fire brigades" },
    Class { code: "8430", name: "Compulsory social insurance" },
    Class { code: "8510", name: "Kindergartens" },
    Class { code: "8520", name: "Primary schools" },
    Class { code: "8532", name: "Vocational schools" },
    Class { code: "8542", name: "Universities" },
    Class { code: "8551", name: "Sports teaching" },
    Class { code: "8552", name: "Music and dance schools" },
    Class { code: "8553", name: "Driving schools" },
    Class { code: "8559", name: "Courses and further training" },
    Class { code: "8610", name: "Hospitals and clinics" },
    Class { code: "8621", name: "General practitioners" },
    Class { code: "8622", name: "Specialist doctors" },
    Class { code: "8623", name: "Dentists" },
    Class { code: "8690", name: "Therapists and home care" },
    Class { code: "8891", name: "Day nurseries" },
    Class { code: "8899", name: "Social work" },
    Class { code: "9003", name: "Artists" },
    Class { code: "9311", name: "Sports facilities" },
    Class { code: "9312", name: "Sports clubs" },
    Class { code: "9313", name: "Fitness centres" },
    Class { code: "9411", name: "Employers' associations" },
    Class { code: "9412", name: "Professional associations" },
    Class { code: "9420", name: "Trade unions" },
    Class { code: "9491", name: "Religious bodies" },
    Class { code: "9492", name: "Political parties" },
    Class { code: "9499", name: "Other associations" },
    Class { code: "9511", name: "Computer repair" },
    Class { code: "9512", name: "Phone repair" },
    Class { code: "9521", name: "Home electronics repair" },
    Class { code: "9523", name: "Shoe repair" },
    Class { code: "9524", name: "Furniture repair" },
    Class { code: "9525", name: "Watch and jewellery repair" },
    Class { code: "9529", name: "Other household repair" },
    Class { code: "9601", name: "Laundries" },
    Class { code: "9602", name: "Hairdressers and beauty salons" },
    Class { code: "9603", name: "Undertakers" },
    Class { code: "9604", name: "Massage and saunas" },
    Class { code: "9609", name: "Other personal services" },
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
    fn every_class_belongs_to_a_division_and_is_found_by_its_code() {
        assert!(CLASSES.is_sorted_by(|a, b| a.code < b.code));
        for it in &CLASSES {
            assert!(it.code.len() == 4 && division(it.code).is_some(), "{it:?}");
            assert_eq!(class(it.code), Some(it));
        }
        assert_eq!(class("620100").map(|it| it.name), Some("Programming"));
        for code in ["", "62", "6299", "é201"] {
            assert_eq!(class(code), None, "{code}");
        }
        let names: HashSet<String> = CLASSES.iter().map(|it| fold(it.name)).collect();
        assert_eq!(names.len(), CLASSES.len());
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
