//! Compares the index with a scan of the same companies.

use domain::{
    Amount, AuditorCategory, Canton, Company, Status,
    legal_forms::{LegalForm, WantedLegalForm},
    search::{
        Bound, CURRENCIES, CompanyQuery, Day, NogaPrefix, Share, WantedAuditor, WantedCurrency,
        WantedStatus, changes::UtcDay,
    },
    text::fold,
};
use jiff::{Timestamp, civil::Date, tz::TimeZone};
use proptest::{collection::vec, option, prelude::*, sample::select};

use super::{Register, company, uid};

const FORMS: [&str; 3] = ["0106", "0107", "0110"];
const NOGAS: [&str; 5] = ["62", "6201", "620100", "41", "412001"];
const AUDITORS: [&str; 2] = ["Prüf & Partner AG", "Revisa GmbH"];
const NAMES: [&str; 6] =
    ["Alpha AG", "Alpha Beta", "Beta GmbH", "Gamma Alphabet", "Delta", "Älpha"];

fn date(year: i16) -> Date {
    Date::new(year, 6, 15).expect("a date")
}

/// Start of the day with this number, counted from 1 January 1970.
fn midnight(day: i64) -> Timestamp {
    Timestamp::from_second(day * 86_400).expect("a moment")
}

fn day_of(moment: Timestamp) -> Date {
    TimeZone::UTC.to_datetime(moment).date()
}

prop_compose! {
    fn companies()(
        name in select(&NAMES),
        canton in option::of(select(&Canton::ALL[..3])),
        status in option::of(select(&Status::ALL[..])),
        form in option::of(select(&FORMS[..])),
        capital in option::of(0i64..10),
        auditor in option::of(select(&AuditorCategory::ALL[..])),
        founding in option::of(1990i16..2000),
        registration in option::of(1990i16..2000),
        (deletion, currency, firm) in (
            option::of(1990i16..2000), option::of(select(&["CHF", "EUR", "SEK"][..])), option::of(0u32..4),
        ),
        updated in option::of(0i64..10),
        noga in option::of(select(&NOGAS[..])),
        quality in option::of(0u8..=20),
    ) -> Company {
        Company {
            canton,
            status,
            legal_form_code: form.map(str::to_owned),
            share_capital: capital.map(Amount::units),
            auditor_category: auditor,
            founding_date: founding.map(date),
            registration_date: registration.map(date),
            deletion_date: deletion.map(date),
            currency: currency.map(str::to_owned),
            // Two firms have the same name, and of one only the name is known.
            auditor_name: firm.map(|it| AUDITORS[it as usize % 2].to_owned()),
            auditor_uid: firm.filter(|it| *it > 0).map(|it| uid(100_000_900 + it)),
            updated_at: updated.map(midnight),
            noga_code: noga.map(str::to_owned),
            data_quality_score: quality.map(|it| f64::from(it) / 20.0),
            ..company(1, name)
        }
    }
}

prop_compose! {
    fn queries()(
        search in option::of(select(&["alpha", "beta", "ag", "del", "gamma a"])),
        canton in vec(select(&Canton::ALL[..3]), 0..2),
        status in vec(select(&Status::ALL[..]), 0..2),
        forms in vec(select(&FORMS[..]), 0..2),
        capital in (option::weighted(0.2, 0i64..10), option::weighted(0.2, 0i64..10)),
        has_auditor in option::weighted(0.2, any::<bool>()),
        founded in (option::weighted(0.2, 1990i16..2000), option::weighted(0.2, 1990i16..2000)),
        (registered, deleted, currency, auditor) in (
            (option::weighted(0.2, 1990i16..2000), option::weighted(0.2, 1990i16..2000)),
            (option::weighted(0.2, 1990i16..2000), option::weighted(0.2, 1990i16..2000)),
            vec(select(&CURRENCIES[..2]), 0..2),
            option::weighted(0.2, auditors()),
        ),
        since in option::weighted(0.2, 0i64..10),
        noga in option::weighted(0.2, select(&NOGAS[..])),
        quality in (option::weighted(0.2, 0u8..=20), option::weighted(0.2, 0u8..=20)),
    ) -> CompanyQuery {
        let form = |it: &str| WantedLegalForm(LegalForm::by_code(it).expect("a form"));
        CompanyQuery {
            search: search.map(str::to_owned),
            canton: canton.into_iter().collect(),
            status: status.into_iter().map(WantedStatus).collect(),
            legal_form_code: forms.into_iter().map(form).collect(),
            capital_min: capital.0.map(|it| Bound(Amount::units(it))),
            capital_max: capital.1.map(|it| Bound(Amount::units(it))),
            has_auditor,
            founded_after: founded.0.map(|it| Day(date(it))),
            founded_before: founded.1.map(|it| Day(date(it))),
            registered_after: registered.0.map(|it| Day(date(it))),
            registered_before: registered.1.map(|it| Day(date(it))),
            deleted_after: deleted.0.map(|it| Day(date(it))),
            deleted_before: deleted.1.map(|it| Day(date(it))),
            currency: currency.into_iter().map(WantedCurrency).collect(),
            auditor,
            changed_since: since.map(|it| UtcDay(day_of(midnight(it)))),
            noga_code: noga.map(|it| NogaPrefix(it.to_owned())),
            data_quality_min: quality.0.map(|it| Share(f64::from(it) / 20.0)),
            data_quality_max: quality.1.map(|it| Share(f64::from(it) / 20.0)),
            ..Default::default()
        }
    }
}

/// Whether the company matches the filters, as the documentation of the query defines them.
fn passes(company: &Company, query: &CompanyQuery) -> bool {
    let any = |wanted: bool, none: bool| wanted || none;
    let founded = company.founding_date.or(company.registration_date);
    let has_auditor = company.auditor_name.is_some()
        || !matches!(company.auditor_category, None | Some(AuditorCategory::None));
    let noga = |wanted: &NogaPrefix<6>| {
        company.noga_code.as_ref().is_some_and(|it| it.starts_with(&wanted.0))
    };
    any(company.canton.is_some_and(|it| query.canton.contains(&it)), query.canton.is_empty())
        && any(
            company.status.is_some_and(|it| query.status.contains(&WantedStatus(it))),
            query.status.is_empty(),
        )
        && any(
            query
                .legal_form_code
                .iter()
                .any(|it| Some(it.0.code) == company.legal_form_code.as_deref()),
            query.legal_form_code.is_empty(),
        )
        && query
            .capital_min
            .is_none_or(|least| company.share_capital.is_some_and(|it| it >= least.0))
        && query.capital_max.is_none_or(|most| company.share_capital.is_some_and(|it| it <= most.0))
        && query.has_auditor.is_none_or(|wanted| wanted == has_auditor)
        && within(founded, query.founded_after, query.founded_before)
        && within(company.registration_date, query.registered_after, query.registered_before)
        && within(company.deletion_date, query.deleted_after, query.deleted_before)
        && any(
            query.currency.iter().any(|it| Some(it.0) == company.currency.as_deref()),
            query.currency.is_empty(),
        )
        && query.auditor.as_ref().is_none_or(|wanted| match wanted {
            WantedAuditor::Number(number) => company.auditor_uid == Some(*number),
            WantedAuditor::Name(name) => {
                company.auditor_name.as_deref().map(fold).as_ref() == Some(name)
            }
        })
        && query
            .changed_since
            .is_none_or(|since| company.updated_at.is_some_and(|it| day_of(it) >= since.0))
        && query.noga_code.as_ref().is_none_or(noga)
        && query
            .data_quality_min
            .is_none_or(|least| company.data_quality_score.is_some_and(|it| it >= least.0))
        && query
            .data_quality_max
            .is_none_or(|most| company.data_quality_score.is_some_and(|it| it <= most.0))
}

/// Whether the day is known and in the period, if one is given.
fn within(day: Option<Date>, first: Option<Day>, last: Option<Day>) -> bool {
    first.is_none_or(|first| day.is_some_and(|it| it >= first.0))
        && last.is_none_or(|last| day.is_some_and(|it| it <= last.0))
}

fn auditors() -> impl Strategy<Value = WantedAuditor> {
    let number = (901u32..904).prop_map(|it| WantedAuditor::Number(uid(100_000_000 + it)));
    let name = select(&AUDITORS[..]).prop_map(|it| WantedAuditor::Name(fold(it)));
    prop_oneof![number, name]
}

/// Whether the name contains every word of the search; the last word may be incomplete. The names are
/// chosen so that no word is a typo of another.
fn is_found(company: &Company, search: &str) -> bool {
    let name = fold(&company.name);
    let words: Vec<String> = fold(search).split(' ').map(str::to_owned).collect();
    let (last, before) = words.split_last().expect("a word");
    before.iter().all(|word| name.split(' ').any(|it| it == word))
        && name.split(' ').any(|it| it.starts_with(last.as_str()))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn a_total_is_what_a_scan_counts(
        companies in vec(companies(), 0..40),
        queries in vec(queries(), 20),
    ) {
        let companies: Vec<Company> =
            (1..).zip(companies).map(|(number, it)| Company { uid: uid(number), ..it }).collect();
        let register = Register::of(companies.clone());
        for query in queries {
            let found = companies.iter().filter(|it| {
                passes(it, &query) && query.search.as_ref().is_none_or(|search| is_found(it, search))
            });
            prop_assert_eq!(register.hits(&query).total, found.count() as u64, "{:?}", query);
        }
    }
}
