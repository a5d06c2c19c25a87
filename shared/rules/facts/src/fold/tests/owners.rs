use domain::{Amount, company::HolderKind, persons::HoldingPeriod};

use super::*;

/// The wording of one language: heading of entries and of exits, shares, function, former details, and change of capital.
struct Wording {
    entered: &'static str,
    left: &'static str,
    partner: &'static str,
    manager: &'static str,
    many: &'static str,
    one: &'static str,
    former: &'static str,
    capital: &'static str,
}

const WORDINGS: [Wording; 3] = [
    Wording {
        entered: "Eingetragene Personen neu oder mutierend",
        left: "Ausgeschiedene Personen und erloschene Unterschriften",
        partner: "Gesellschafter und Geschäftsführer",
        manager: "Geschäftsführer",
        many: "mit {n} Stammanteilen zu je CHF {v}",
        one: "mit einem Stammanteil von CHF {v}",
        former: "bisher",
        capital: "Stammkapital neu: CHF {v} [bisher: CHF 20'000.00].",
    },
    Wording {
        entered: "Inscription ou modification de personnes",
        left: "Personnes et signatures radiées",
        partner: "associé-gérant",
        manager: "gérant",
        many: "avec {n} parts sociales de CHF {v}",
        one: "avec une part sociale de CHF {v}",
        former: "précédemment",
        capital: "Nouveau capital social: CHF {v} [précédemment: CHF 20'000.00].",
    },
    Wording {
        entered: "Nuove persone iscritte o modifiche",
        left: "Persone dimissionarie e firme cancellate",
        partner: "socio e gerente",
        manager: "gerente",
        many: "con {n} quote da CHF {v}",
        one: "con una quota da CHF {v}",
        former: "finora",
        capital: "Nuovo capitale sociale: CHF {v} [finora: CHF 20'000.00].",
    },
];

impl Wording {
    fn many(&self, number: u32, value: &str) -> String {
        self.many.replace("{n}", &number.to_string()).replace("{v}", value)
    }

    fn one(&self, value: &str) -> String {
        self.one.replace("{v}", value)
    }

    fn person(&self, name: &str, shares: &str) -> String {
        format!("{name}, von Chur, in Thun, {}, {shares}", self.partner)
    }

    fn entries(&self, entries: &[String]) -> String {
        format!("{}: {}.", self.entered, entries.join("; "))
    }

    fn exits(&self, entries: &[String]) -> String {
        format!("{}: {}.", self.left, entries.join("; "))
    }
}

const ANNA: &str = "Meier, Anna";
const HANS: &str = "Muster, Hans";

/// The registration of a limited liability company with a capital of CHF 20,000.
fn founded(day: &str, text: &str) -> Publication {
    in_luzern(Publication::limited_company(UID, "Muster AG"), 1, day, text)
}

/// A later notice whose text alone states what changes.
fn changed(number: u64, day: &str, text: &str) -> Publication {
    mutation(number, day, text).legal_form("0107").without_block_after()
}

/// An owner with number, total value and share.
type Owner = (String, Option<u64>, Option<Amount>, Option<f64>);

fn owners(company: &Company) -> Vec<Owner> {
    let holders = company.quota_holders.iter();
    holders.map(|it| (it.name.clone(), it.count, it.total, it.percentage)).collect()
}

fn owner(name: &str, count: u64, total: i64, percentage: f64) -> Owner {
    (name.into(), Some(count), Some(Amount::units(total)), Some(percentage))
}

/// A period: first day, last day, number and share.
type Period = (String, String, u64, Option<f64>);

fn periods(history: &History, name: &str) -> Vec<Period> {
    let day = |it: Option<jiff::civil::Date>| it.map(|it| it.to_string()).unwrap_or_default();
    let mandates = history.mandates.iter().filter(|it| it.person.full_name() == name);
    let periods = mandates.flat_map(|it| &it.holdings);
    periods
        .map(|it: &HoldingPeriod| {
            (day(it.since), day(it.until), it.count.unwrap_or_default(), it.percentage)
        })
        .collect()
}

#[test]
fn founders_own_shares_of_the_capital() {
    for it in WORDINGS {
        let shares = [it.many(15, "1'000.00"), it.one("5'000.00")];
        let text = it.entries(&[it.person(ANNA, &shares[0]), it.person(HANS, &shares[1])]);
        let facts = gazette_facts([founded("2020-03-02", &text)]);
        let company = fold(&facts).expect("company record");
        assert_eq!(
            owners(&company),
            [owner("Anna Meier", 15, 15_000, 75.0), owner("Hans Muster", 1, 5_000, 25.0)],
            "{text}"
        );
        assert_eq!(company.quota_holder_count, Some(2));
        let anna = &company.quota_holders[0];
        assert_eq!(
            (anna.kind, anna.nominal_value),
            (HolderKind::Person, Some(Amount::units(1_000)))
        );
        assert_eq!(anna.since, "2020-03-02".parse().ok());
    }
}

#[test]
fn transfer_moves_shares_and_ends_the_ownership_of_who_has_none_left() {
    for it in WORDINGS {
        let both = it.entries(&[
            it.person(ANNA, &it.many(10, "1'000.00")),
            it.person(HANS, &it.many(10, "1'000.00")),
        ]);
        let part = format!(
            "{} [{}: {}]",
            it.person(HANS, &it.many(16, "1'000.00")),
            it.former,
            it.many(10, "1'000.00")
        );
        let rest = it.person(ANNA, &it.many(4, "1'000.00"));
        let sold = it.entries(&[part, rest]);
        let all = it.entries(&[it.person(HANS, &it.many(20, "1'000.00"))]);
        let gone = format!("{} {all}", it.exits(&[it.person(ANNA, &it.many(4, "1'000.00"))]));
        let facts = gazette_facts([
            founded("2020-03-02", &both),
            changed(2, "2021-05-03", &sold),
            changed(3, "2022-06-07", &gone),
        ]);
        let (company, history) = fold_with_history(&facts).expect("company record");
        assert_eq!(owners(&company), [owner("Hans Muster", 20, 20_000, 100.0)], "{gone}");
        assert_eq!(
            periods(&history, "Anna Meier"),
            [
                ("2020-03-02".into(), "2021-05-03".into(), 10, Some(50.0)),
                ("2021-05-03".into(), "2022-06-07".into(), 4, Some(20.0)),
            ]
        );
        let past = as_of(&facts, "2021-12-31").expect("company record").company;
        assert_eq!(
            owners(&past),
            [owner("Hans Muster", 16, 16_000, 80.0), owner("Anna Meier", 4, 4_000, 20.0)]
        );
    }
}

#[test]
fn entry_that_does_not_mention_the_shares_keeps_them() {
    for it in WORDINGS {
        let text = it.entries(&[it.person(ANNA, &it.many(20, "1'000.00"))]);
        let moved = format!("{ANNA}, von Chur, in Basel, {} [{}: in Thun]", it.partner, it.former);
        let facts = gazette_facts([
            founded("2020-03-02", &text),
            changed(2, "2021-05-03", &it.entries(&[moved])),
        ]);
        let (company, history) = fold_with_history(&facts).expect("company record");
        assert_eq!(owners(&company), [owner("Anna Meier", 20, 20_000, 100.0)]);
        assert_eq!(
            periods(&history, "Anna Meier"),
            [("2020-03-02".into(), String::new(), 20, Some(100.0))]
        );
    }
}

#[test]
fn partner_who_stays_as_manager_owns_nothing() {
    for it in WORDINGS {
        let text = it.entries(&[it.person(ANNA, &it.many(20, "1'000.00"))]);
        let former = format!("{}, {}", it.partner, it.many(20, "1'000.00"));
        let manager =
            format!("{ANNA}, von Chur, in Thun, {} [{}: {former}]", it.manager, it.former);
        let facts = gazette_facts([
            founded("2020-03-02", &text),
            changed(2, "2021-05-03", &it.entries(&[manager])),
        ]);
        let (company, history) = fold_with_history(&facts).expect("company record");
        assert_eq!(owners(&company), []);
        assert_eq!(history.current_mandates().count(), 1);
        assert_eq!(
            periods(&history, "Anna Meier"),
            [("2020-03-02".into(), "2021-05-03".into(), 20, Some(100.0))]
        );
    }
}

#[test]
fn share_follows_the_capital_of_the_day() {
    for it in WORDINGS {
        let text = it.entries(&[it.person(ANNA, &it.many(20, "1'000.00"))]);
        let raised = format!(
            "{} {}",
            it.capital.replace("{v}", "40'000.00"),
            it.entries(&[it.person(HANS, &it.many(20, "1'000.00"))])
        );
        let facts =
            gazette_facts([founded("2020-03-02", &text), changed(2, "2021-05-03", &raised)]);
        let (company, history) = fold_with_history(&facts).expect("company record");
        assert_eq!(
            owners(&company),
            [owner("Anna Meier", 20, 20_000, 50.0), owner("Hans Muster", 20, 20_000, 50.0)],
            "{raised}"
        );
        assert_eq!(
            periods(&history, "Anna Meier"),
            [
                ("2020-03-02".into(), "2021-05-03".into(), 20, Some(100.0)),
                ("2021-05-03".into(), String::new(), 20, Some(50.0)),
            ]
        );
        // The shares are the same, and so is the day since which they are held.
        assert_eq!(company.quota_holders[0].since, "2020-03-02".parse().ok());
    }
}

#[test]
fn shares_above_the_capital_have_no_percentage() {
    let it = &WORDINGS[0];
    let text = it.entries(&[
        it.person(ANNA, &it.many(20, "1'000.00")),
        it.person(HANS, &it.many(20, "1'000.00")),
    ]);
    let facts = gazette_facts([founded("2020-03-02", &text)]);
    let company = fold(&facts).expect("company record");
    assert!(company.quota_holders.iter().all(|it| it.percentage.is_none()));
    assert_eq!(company.quota_holder_count, Some(2));
}

#[test]
fn shares_end_with_the_legal_form_and_with_the_company() {
    let it = &WORDINGS[0];
    let text = it.entries(&[it.person(ANNA, &it.many(20, "1'000.00"))]);
    let first = founded("2020-03-02", &text);
    let converted = mutation(2, "2021-05-03", "Rechtsform neu: Aktiengesellschaft.")
        .legal_form("0107")
        .new_legal_form("0106");
    for (end, day) in [(converted, "2021-05-03"), (deletion(2, "2021-05-03", ""), "2021-05-03")] {
        let facts = gazette_facts([first.clone(), end]);
        let (company, history) = fold_with_history(&facts).expect("company record");
        assert_eq!(owners(&company), []);
        assert_eq!(company.quota_holder_count, None);
        assert_eq!(
            periods(&history, "Anna Meier"),
            [("2020-03-02".into(), day.into(), 20, Some(100.0))]
        );
    }
}

#[test]
fn company_that_is_a_partner_is_known_by_its_number() {
    for it in WORDINGS {
        let firm = format!(
            "Holding AG (CHE-107.787.577), in Zug, {}, {}",
            it.partner,
            it.many(20, "1'000.00")
        );
        let facts = gazette_facts([founded("2020-03-02", &it.entries(&[firm]))]);
        let company = fold(&facts).expect("company record");
        let [holder] = company.quota_holders.as_slice() else { panic!("{company:?}") };
        assert_eq!((holder.kind, holder.name.as_str()), (HolderKind::Company, "Holding AG"));
        assert_eq!(holder.uid, "CHE-107.787.577".parse().ok());
        let relations = domain::relationships::relations_of(&company, &[]);
        let [parent] = relations.as_slice() else { panic!("{relations:?}") };
        assert!(parent.is_above(), "it holds more than half");
        assert_eq!((parent.uid, parent.percentage), (holder.uid, Some(100.0)));
    }
}

#[test]
fn start_is_unknown_for_a_partner_who_was_entered_before_the_known_notices() {
    let it = &WORDINGS[0];
    let entry = format!("{} [bisher: in Bern]", it.person(ANNA, &it.many(20, "1'000.00")));
    let facts = gazette_facts([changed(2, "2021-05-03", &it.entries(&[entry]))]);
    let company = fold(&facts).expect("company record");
    let [holder] = company.quota_holders.as_slice() else { panic!("{company:?}") };
    assert_eq!((holder.since, holder.source.date), (None, "2021-05-03".parse().ok()));
}

#[test]
fn amount_for_which_a_limited_partner_answers_is_no_share() {
    for amount in [
        "Kommanditärin, mit einer Kommanditsumme von CHF 20'000.00",
        "commanditaire, avec une commandite de CHF 20'000.00",
        "accomandante, con una quota accomandita di CHF 20'000.00",
    ] {
        let entry = entered(&format!("{ANNA}, von Chur, in Thun, {amount}"));
        let notice = changed(1, "2020-03-02", &entry).without_legal_form();
        let (company, history) = fold_with_history(&gazette_facts([notice])).expect("a record");
        assert_eq!(owners(&company), [], "{amount}");
        assert_eq!(periods(&history, "Anna Meier"), [], "{amount}");
    }
}

#[test]
fn sale_without_the_number_that_is_left_changes_the_number_that_was_known() {
    const BUYER: &str = "Keller Eva, de Sion, à Sion";
    let anna = |it: &str| format!("{ANNA}, von Chur, in Thun, Gesellschafterin, {it}");
    let hans = |it: &str| format!("{HANS}, von Chur, in Thun, Gesellschafter, {it}");
    let many = |count: u32| format!("mit {count} Stammanteilen zu je CHF 100.00");
    let text = format!("Eingetragene Personen: {}; {}.", anna(&many(150)), hans(&many(50)));
    for (sale, expected) in [
        (
            "Meier Anna cède 20 parts de CHF 100 à Muster Hans.".to_owned(),
            vec![("Anna Meier", 130), ("Hans Muster", 70)],
        ),
        (
            format!(
                "Meier Anna et Muster Hans cèdent chacun 25 parts à {BUYER}, nouvelle associée pour 50 parts de CHF 100."
            ),
            vec![("Anna Meier", 125), ("Hans Muster", 25), ("Eva Keller", 50)],
        ),
        (
            format!(
                "Muster Hans a cédé ses 50 parts de CHF 100 à raison de 30 à Meier Anna et de 20 à {BUYER}, nouvelle associée."
            ),
            vec![("Anna Meier", 180), ("Eva Keller", 20)],
        ),
        (
            "Meier Anna hat 20 Stammanteile zu CHF 100.00 an Muster Hans abgetreten.".to_owned(),
            vec![("Anna Meier", 130), ("Hans Muster", 70)],
        ),
        (
            "Meier Anna cede 20 quote da CHF 100 a Muster Hans.".to_owned(),
            vec![("Anna Meier", 130), ("Hans Muster", 70)],
        ),
        // How many each of them gave is not stated: what they have now is not known.
        (
            format!(
                "Meier Anna et Muster Hans cèdent 60 parts de CHF 100 à {BUYER}, nouvelle associée."
            ),
            vec![("Eva Keller", 60)],
        ),
    ] {
        let facts = gazette_facts([founded("2020-03-02", &text), changed(2, "2021-05-03", &sale)]);
        let company = fold(&facts).expect("company record");
        let held: Vec<(&str, u64)> = company
            .quota_holders
            .iter()
            .filter_map(|it| Some((it.name.as_str(), it.count?)))
            .collect();
        let sorted = |mut it: Vec<(String, u64)>| {
            it.sort();
            it
        };
        let owned = |it: Vec<(&str, u64)>| {
            sorted(it.into_iter().map(|(name, count)| (name.to_owned(), count)).collect())
        };
        assert_eq!(owned(held), owned(expected), "{sale}");
    }
}

#[test]
fn partner_who_sells_shares_stays_manager_and_the_value_of_the_rest_is_known() {
    let text = format!(
        "Eingetragene Personen: {ANNA}, von Chur, in Thun, Gesellschafterin und Geschäftsführerin, mit Einzelunterschrift, mit 120 Stammanteilen zu je CHF 100.00; {HANS}, von Chur, in Thun, Gesellschafter, mit 80 Stammanteilen zu je CHF 100.00."
    );
    for sale in [
        "L'associée Meier Anna cède 100 de ses 120 parts à Muster Hans.",
        "L'associée Meier Anna cède 100 parts à Muster Hans et reste titulaire de 20 parts.",
        "Die Gesellschafterin Meier Anna tritt 100 ihrer 120 Stammanteile an Muster Hans ab.",
    ] {
        let facts = gazette_facts([founded("2020-03-02", &text), changed(2, "2021-05-03", sale)]);
        let (company, history) = fold_with_history(&facts).expect("a record");
        let anna = history.current_mandates().find(|it| it.person.last_name == "Meier");
        let role = anna.map(|it| it.role.as_str());
        assert_eq!(role, Some("Gesellschafterin und Geschäftsführerin"), "{sale}");
        let owner = owners(&company).into_iter().find(|it| it.0 == "Anna Meier");
        assert_eq!(owner, Some(self::owner("Anna Meier", 20, 2_000, 10.0)), "{sale}");
    }
}
