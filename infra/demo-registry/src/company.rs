//! What is drawn of an invented company: the members of its record, from which the statements of the sources are written.

use std::sync::LazyLock;

use domain::{
    Amount, Company, Status,
    company::{Affiliation, AffiliationKind},
    legal_forms::LegalForm,
};
use jiff::civil::{Date, date};

use crate::{
    business::Business,
    calendar::{day, working_day},
    data, forms, identifiers,
    identity::Identity,
    letterbox::Letterbox,
    life::Life,
    localities::{CantonShare, Locality},
    names::{self, NamedPerson},
    random::Random,
    showcase::{self, Showcase, Story},
    size::{self, Size},
    trades::Trade,
    words::AUDIT_WORDS,
};

/// Companies can have a capital in another currency since 2023 (Code of Obligations, Art. 621 and 773). Holidays move the days that
/// are drawn by a few.
const FOREIGN_CAPITAL: Date = date(2023, 1, 9);

/// What a record does not say, and its history needs.
pub(crate) struct Background {
    pub(crate) business: Business,
    /// The owner or partners whom the name contains.
    pub(crate) named_persons: Vec<NamedPerson>,
    /// The name without the addition of companies in liquidation.
    pub(crate) name: String,
    pub(crate) letterbox: Option<Letterbox>,
    /// The firms that are partners of a `GmbH`.
    pub(crate) firms: Vec<&'static Showcase>,
    /// Whether the company is in the table of the showcase.
    pub(crate) is_showcase: bool,
    pub(crate) life: Life,
}

impl Background {
    /// Whether the company shows something special, so that it has all of its notices in a register of any size.
    pub(crate) fn is_of_showcase(&self, index: usize) -> bool {
        self.is_showcase || showcase::slot(index).is_some()
    }
}

/// The company with this index, which is not one of the real ones.
pub(crate) fn invented(index: usize) -> (Company, Background) {
    let random = &mut Random::for_company(index);
    let identity = Identity::draw(index, random);
    let Business { form, place, trade, .. } = identity.business;
    let mut company = Company::new(identity.uid(index), "");
    let office = CantonShare::of(place.canton).register_office;

    set_form(&mut company, form);
    company.canton = Some(place.canton);
    company.status = Some(identity.life.status);
    company.legal_seat = Some(place.commune.to_owned());
    company.legal_seat_id = Some(place.commune_number);
    company.registry_of_commerce_id = Some(office);
    company.ehraid = Some(5_000_000 + index as u64);
    company.chid = Some(identifiers::chid(index, office, form));

    set_address(&mut company, random, place, identity.letterbox.as_ref());
    set_dates(&mut company, random, form, &identity.life);
    // Companies that share an address have nobody there.
    let size = match identity.letterbox {
        Some(_) => Size::Tiny,
        None => Size::draw(random, form, trade),
    };
    set_capital(&mut company, random, size, form, trade);
    let is_supervised = trade.is_financial() && random.chance(50);
    if is_supervised || trade.is_bank_or_insurer() {
        company.is_finma_regulated = Some(true);
    }
    let is_registered = identity.life.status != Status::Cancelled;
    if identity.letterbox.is_none() && random.chance(615) && is_registered {
        company.employee_count = Some(size.employees(random));
    }
    set_auditor(&mut company, random, size, form, place);

    let is_old = company.registration_date < Some(date(2022, 1, 1));
    if identity.head_office.is_none() && random.chance(80) && is_old {
        let old_name = identity.business.former_name(&identity.named_persons, random);
        company.old_names = (old_name != identity.name).then(|| vec![old_name]);
    }
    if random.chance(63) {
        company.translations = identity.business.translations(&identity.name);
    }
    let lei_share = match form {
        forms::CORPORATION => 70,
        forms::LIMITED_LIABILITY => 15,
        _ => 7,
    };
    if random.chance(lei_share) && is_registered {
        company.lei = Some(identifiers::lei(company.uid));
    }
    let second = trade.similar(random);
    company.purpose = Some(identity.business.purpose(random, second));
    if let Some((uid, name)) = identity.head_office {
        let kind = AffiliationKind::HeadOffice;
        company.affiliations = vec![Affiliation { kind, uid, name }];
    }
    if let Some(showcase) = identity.showcase {
        showcase.describe(&mut company);
    }
    company.name.clone_from(&identity.name);
    // The name of a sole trader is not that of an entity that is wound up.
    let has_addition = identity.business.form != forms::SOLE_TRADER;
    if matches!(identity.life.story, Some(Story::Bankruptcy | Story::Liquidation)) && has_addition {
        company.name = identity.business.in_liquidation(&identity.name);
    }
    let background = Background {
        business: identity.business,
        named_persons: identity.named_persons,
        name: identity.name,
        letterbox: identity.letterbox,
        firms: identity.showcase.map(|it| it.partners()).unwrap_or_default(),
        is_showcase: identity.showcase.is_some(),
        life: identity.life,
    };
    (company, background)
}

/// Sets the legal form with this eCH-0097 code.
pub(crate) fn set_form(company: &mut Company, code: &'static str) {
    company.legal_form = LegalForm::by_code(code).map(|it| it.name().to_owned());
    company.legal_form_code = Some(code.to_owned());
}

fn set_address(
    company: &mut Company,
    random: &mut Random,
    place: &Locality,
    letterbox: Option<&Letterbox>,
) {
    company.address_city = Some(place.name.to_owned());
    company.address_zip_code = Some(place.zip_code.to_owned());
    company.address_canton = Some(place.canton);
    if let Some(letterbox) = letterbox {
        company.address_street = Some(letterbox.street.to_owned());
        company.address_house_number = Some(letterbox.house_number.clone());
        company.address_care_of = Some(format!("c/o {}", letterbox.host));
    } else {
        // A domicile has a street and a number (ORC 2 let. b, 117), in some cases with a letter.
        let letters = if random.chance(985) { 40 } else { 3 };
        company.address_street = Some(names::street(random, place).to_owned());
        let letter =
            ["a", "b", "c"].get(random.below(letters) as usize).copied().unwrap_or_default();
        company.address_house_number = Some(format!("{}{letter}", random.between(1, 140)));
        if random.chance(20) {
            company.address_po_box = Some(random.between(10, 990).to_string());
        }
        if random.chance(50) {
            let (first, family) =
                (names::first_name(random, place), names::family_name(random, place));
            company.address_care_of = Some(format!("c/o {first} {family}"));
        }
    }
}

/// Sets the days of founding, registration and deletion.
fn set_dates(company: &mut Company, random: &mut Random, form: &str, life: &Life) {
    let founding = working_day(life.registered - random.between(4, 14));
    company.founding_date = forms::has_statutes(form).then(|| day(founding));
    company.registration_date = Some(day(life.registered));
    let is_deleted = life.status == Status::Cancelled;
    company.deletion_date = is_deleted.then(|| day(life.newest));
}

fn set_capital(company: &mut Company, random: &mut Random, size: Size, form: &str, trade: &Trade) {
    let Some(francs) = size.capital(random, form, trade) else { return };
    let currency = random.one_of(match company.founding_date >= Some(FOREIGN_CAPITAL) {
        true => &[(940, "CHF"), (39, "EUR"), (21, "USD")],
        false => &[(1_000, "CHF")],
    });
    let units = if currency == "CHF" { francs } else { size::in_foreign_currency(francs) };
    company.share_capital = Some(Amount::units(units));
    company.currency = Some(currency.to_owned());
}

/// How common the large audit firms are, by name. The empty name is every other firm.
static AUDIT_FIRMS: LazyLock<Vec<(u32, &'static str)>> = LazyLock::new(|| {
    let rows = data::rows(include_str!("../data/audit_firms.csv"));
    rows.map(|[weight, name]| (data::number(weight), name)).collect()
});

/// Whether the audit firm with this name exists.
pub(crate) fn is_real_audit_firm(name: &str) -> bool {
    AUDIT_FIRMS.iter().any(|(_, it)| *it == name)
}

/// The name of an audit firm.
pub(crate) fn audit_firm(random: &mut Random, place: &Locality) -> String {
    match random.one_of(&AUDIT_FIRMS) {
        "" => {
            let words = &AUDIT_WORDS[place.language as usize];
            format!("{} {}", names::family_name(random, place), random.pick(words))
        }
        large => large.to_owned(),
    }
}

fn set_auditor(
    company: &mut Company,
    random: &mut Random,
    size: Size,
    form: &str,
    place: &Locality,
) {
    let may_waive = forms::may_waive_audit(form);
    let share = match (form, size) {
        // Only companies with ten employees or fewer may waive the audit.
        (_, it) if may_waive && it >= Size::Small => 1000,
        (forms::CORPORATION, _) => 420,
        (forms::LIMITED_LIABILITY, _) => 15,
        (forms::FOUNDATION, _) => 900,
        (forms::COOPERATIVE, _) => 400,
        _ => 0,
    };
    if random.chance(share) {
        company.auditor_name = Some(audit_firm(random, place));
    } else if may_waive {
        company.auditor_opt_out = Some(true);
    }
}
