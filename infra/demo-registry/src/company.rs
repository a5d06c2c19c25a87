//! What is drawn of an invented company: the members of its record, from which the statements of the sources are written.

use std::sync::LazyLock;

use domain::{
    Amount, Company, Status,
    company::{Affiliation, AffiliationKind},
    legal_forms::LegalForm,
};
use jiff::{Timestamp, civil::date};

use crate::{
    DEMO_DATE,
    business::Business,
    calendar::{day, days_of},
    data, forms, identifiers,
    identity::Identity,
    letterbox::Letterbox,
    localities::{CantonShare, Locality},
    names::{self, NamedPerson},
    random::Random,
    showcase::{self, Showcase, Story},
    size::{self, Size},
    trades::Trade,
    words::AUDIT_WORDS,
};

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
    /// What the newest notice is about, where that is not drawn at random.
    pub(crate) story: Option<Story>,
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
    company.status = Some(identity.status);
    company.legal_seat = Some(place.commune.to_owned());
    company.legal_seat_id = Some(place.commune_number);
    company.registry_of_commerce_id = Some(office);
    company.ehraid = Some(5_000_000 + index as u64);
    company.chid = Some(identifiers::chid(index, office, form));

    set_address(&mut company, random, place, identity.letterbox.as_ref());
    set_dates(&mut company, random, form, identity.status);
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
    let is_registered = identity.status != Status::Cancelled;
    if identity.letterbox.is_none() && random.chance(615) && is_registered {
        company.employee_count = Some(size.employees(random));
    }
    set_auditor(&mut company, random, size, form, place);

    let is_old = company.registration_date < Some(date(2022, 1, 1));
    if identity.head_office.is_none() && random.chance(80) && is_old {
        let old_name = identity.business.name(random);
        company.old_names = (old_name != identity.name).then(|| vec![old_name]);
    }
    if random.chance(63) {
        company.translations = identity.business.translations(&identity.name);
    }
    let lei_share = match form {
        forms::CORPORATION => 70,
        forms::LIMITED_LIABILITY => 15,
        forms::INVESTMENT_COMPANY => 1000,
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
    if identity.status == Status::BeingCancelled {
        company.name = identity.business.in_liquidation(&identity.name);
    }
    let background = Background {
        business: identity.business,
        named_persons: identity.named_persons,
        name: identity.name,
        letterbox: identity.letterbox,
        firms: identity.showcase.map(|it| it.partners()).unwrap_or_default(),
        is_showcase: identity.showcase.is_some(),
        story: identity.showcase.and_then(|it| it.story()),
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
        if random.chance(985) {
            company.address_street = Some(names::street(random, place).to_owned());
            let letter =
                ["a", "b", "c"].get(random.below(40) as usize).copied().unwrap_or_default();
            company.address_house_number = Some(format!("{}{letter}", random.between(1, 140)));
        }
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

/// Sets the days of founding, registration, deletion and last change.
fn set_dates(company: &mut Company, random: &mut Random, form: &str, status: Status) {
    let demo = days_of(DEMO_DATE);
    // Most companies were founded in the last 40 years, a few when the first registers were opened in 1883.
    let span = random.one_of(&[(86, 38 * 365), (10, 75 * 365), (4, 52_400)]);
    // Drawn twice, so that six in ten are younger than a quarter of the span.
    let most = random.below(span);
    let age = random.below(most + 1) as i32;
    let founding = demo - 20 - age;
    let registration = founding + random.between(3, 14);
    company.founding_date = forms::has_statutes(form).then(|| day(founding));
    company.registration_date = Some(day(registration));

    let from = registration.max(days_of(date(2015, 1, 5)));
    let changed = if status == Status::Cancelled {
        let deletion = random.between(from.saturating_add(2), demo - 1).min(demo - 1);
        company.deletion_date = Some(day(deletion));
        deletion
    } else {
        random.between(from, demo - 1).max(random.between(from, demo - 1))
    };
    let second = i64::from(changed) * 86_400 + i64::from(random.between(0, 86_399));
    company.updated_at = Timestamp::from_second(second).ok();
}

fn set_capital(company: &mut Company, random: &mut Random, size: Size, form: &str, trade: &Trade) {
    let Some(francs) = size.capital(random, form, trade) else { return };
    let currency = random.one_of(&[(980, "CHF"), (13, "EUR"), (7, "USD")]);
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
    let may_opt_out = matches!(form, forms::CORPORATION | forms::LIMITED_LIABILITY);
    let share = match (form, size) {
        // Only companies with ten employees or fewer may waive the audit.
        (forms::CORPORATION | forms::LIMITED_LIABILITY, it) if it >= Size::Small => 1000,
        (forms::CORPORATION, _) => 420,
        (forms::LIMITED_LIABILITY, _) => 15,
        (forms::FOUNDATION | forms::INVESTMENT_COMPANY, _) => 900,
        (forms::COOPERATIVE, _) => 400,
        _ => 0,
    };
    if random.chance(share) {
        company.auditor_name = Some(audit_firm(random, place));
    } else if may_opt_out && random.chance(850) {
        company.auditor_opt_out = Some(true);
    }
}
