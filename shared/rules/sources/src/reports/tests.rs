use jiff::civil::date;
use proptest::prelude::*;
use serde_json::json;

use super::*;

const TABLE: &str = include_str!("../../fixtures/reports/table.csv");

const JSON: &str = include_str!("../../fixtures/reports/reports.json");

/// Two years, a segment, a rounded duplicate, a contradiction, an amount per share.
const XBRL_JSON: &str = include_str!("../../fixtures/reports/xbrl.json");

const INLINE: &str = include_str!("../../fixtures/reports/inline_xbrl.xhtml");

fn report(unresolved: &Unresolved) -> &Report {
    let Statement::Report(report) = &unresolved.statement else { panic!("{unresolved:?}") };
    report
}

fn amount(text: &str) -> Option<Amount> {
    Some(text.parse().expect("an amount"))
}

#[test]
fn table_is_read() {
    let pending = read(TABLE.as_bytes()).expect("a table");
    assert_eq!(pending.unresolved.len(), 2);
    let first = report(&pending.unresolved[0]);
    assert_eq!(first.report_type, "annual");
    assert_eq!(first.revenue, amount("1200000"));
    assert_eq!(first.operating_income, amount("150000.5"));
    assert_eq!(first.net_income, amount("-20000"));
    assert_eq!(first.employees, Some(42));
    assert_eq!(pending.unresolved[0].published, Some(date(2026, 3, 1)));
    let lei = "999900MUSTERAGCH0105".parse().expect("valid");
    assert_eq!(pending.unresolved[1].mentions, [Mention::Lei(lei)]);
}

#[test]
fn invalid_record_is_rejected_with_its_column() {
    let pending = read(TABLE.as_bytes()).expect("a table");
    let reasons: Vec<&str> = pending.rejected.iter().map(|it| it.reason.as_str()).collect();
    assert_eq!(
        reasons,
        [
            "uid: one of uid, lei, isin and company is required",
            "currency: is missing, but there are amounts; contains no figure",
            "periodEnd: 2024-12-31 is not in the year 2025",
            "revenue: must be an amount such as `100000` or `0.5`, with at most four decimals; got `viel`; contains no figure",
            "contains no figure",
            "totalAssets: is negative; contains no figure",
            "currency: `Fr.` is not a code of three capital letters; contains no figure",
            "fiscalYear: 25 is not a year",
        ]
    );
    let pending = read(JSON.as_bytes()).expect("json");
    assert_eq!(pending.unresolved.len(), 2);
    let reasons: Vec<&str> = pending.rejected.iter().map(|it| it.reason.as_str()).collect();
    assert!(reasons[0].contains("unknown field `umsatz`"), "{reasons:?}");
    assert!(reasons[1].starts_with("fiscalYear: "), "{reasons:?}");
}

#[test]
fn unknown_column_is_an_error() {
    let refusal = read(b"uid,fiscalYear,netIncom\n").expect_err("misspelt");
    assert_eq!(
        refusal.to_string(),
        "not a reports file: the header has the unknown column `netincom`"
    );
}

#[test]
fn xbrl_json_gives_the_figures_of_the_last_full_year() {
    let pending =
        read_from(Some("https://muster.example/r.json"), XBRL_JSON.as_bytes()).expect("json");
    let read = report(&pending.unresolved[0]);
    assert_eq!((read.fiscal_year, read.period_end), (2025, Some(date(2025, 12, 31))));
    assert_eq!(read.currency.as_deref(), Some("CHF"));
    assert_eq!(read.revenue, amount("12345000000"));
    assert_eq!(read.net_income, amount("-12"));
    assert_eq!(read.total_assets, amount("100"));
    // Contradicting values with the same precision; half a year; absent.
    assert_eq!((read.equity, read.operating_income), (None, None));
    assert_eq!(read.employees, Some(250));
    assert_eq!(read.source_url.as_deref(), Some("https://muster.example/r.json"));
}

#[test]
fn inline_xbrl_applies_scale_and_sign() {
    let pending = read(INLINE.as_bytes()).expect("xhtml");
    let read = report(&pending.unresolved[0]);
    assert_eq!(read.revenue, amount("1234500000"));
    assert_eq!(read.net_income, amount("-12500000"));
    assert_eq!(read.total_assets, amount("1000"));
    assert_eq!(read.operating_income, amount("0"));
    // An amount per share; an unknown number format.
    assert_eq!(read.equity, None);
    assert!(matches!(pending.unresolved[0].mentions[..], [Mention::Lei(_)]));
}

#[test]
fn texts_that_are_too_long_are_left_out() {
    let report = |member: &str, text: &str| {
        let mut report = json!({ "uid": "CHE-100.000.014", "fiscalYear": 2025, "employees": 5 });
        report[member] = text.into();
        read(json!([report]).to_string().as_bytes()).expect("json")
    };
    let of_length = |length: usize| "ä".repeat(length);
    assert_eq!(report("description", &of_length(2_000)).unresolved.len(), 1);
    let address = format!("https://muster.example/{}", of_length(2_000));
    for (member, text, reason) in [
        ("description", of_length(2_001), "description: is longer than 2000 characters"),
        ("sourceUrl", address, "sourceUrl: is longer than 2000 characters"),
    ] {
        let read = report(member, &text).unresolved.remove(0);
        assert_eq!(read.left_out.reason().as_deref(), Some(reason));
    }
    let of_type = report("reportType", &of_length(51));
    assert_eq!(of_type.rejected[0].reason, "reportType: is longer than 50 characters");
}

#[test]
fn figures_in_two_currencies_are_rejected() {
    let mixed = XBRL_JSON.replacen(
        "\"value\": \"100\", \"dimensions\"",
        "\"value\": \"100\", \"x\": 1, \"dimensions\"",
        1,
    );
    let mixed = mixed.replace(
        "\"period\": \"2026-01-01T00:00:00\", \"unit\": \"iso4217:CHF\"",
        "\"period\": \"2026-01-01T00:00:00\", \"unit\": \"iso4217:USD\"",
    );
    let pending = read(mixed.as_bytes()).expect("json");
    assert_eq!(pending.rejected[0].reason, "the figures are in several currencies: CHF and USD");
}

#[test]
fn entity_with_an_unknown_scheme_is_rejected() {
    let other = INLINE.replace("http://standards.iso.org/iso/17442", "http://www.sec.gov/CIK");
    let pending = read(other.as_bytes()).expect("xhtml");
    assert!(pending.rejected[0].reason.starts_with("entity: `999900"), "{:?}", pending.rejected);
}

#[test]
fn scaled_number_is_exact_or_none() {
    use figures::scaled;
    assert_eq!(scaled("1.5", 3), Some(15_000_000));
    assert_eq!(scaled("-2e3", 0), Some(-20_000_000));
    assert_eq!(scaled("12345", -8), None);
    for text in ["", "-", "1.2.3", "one", "1e99999999999", "99999999999999999999999999"] {
        assert_eq!(scaled(text, 6), None, "{text}");
    }
    assert_eq!(scaled("1", i32::MAX), None);
}

#[test]
fn file_in_another_format_is_an_error() {
    for text in ["", "<html/>", "{}", "[", "a,b\n1,2\n", "<!DOCTYPE x [<!ENTITY a 'b'>]><html/>"] {
        assert!(read(text.as_bytes()).is_err(), "{text}");
    }
}

proptest! {
    #[test]
    fn changing_one_character_never_panics(at in 0usize..6_000, with in any::<char>()) {
        for text in [TABLE, JSON, XBRL_JSON, INLINE] {
            let mut text: Vec<char> = text.chars().collect();
            let at = at % text.len();
            text[at] = with;
            let _ = read(text.into_iter().collect::<String>().as_bytes());
        }
    }

    #[test]
    fn scaling_never_panics(text in "[-0-9.eE]{0,40}", power in any::<i32>()) {
        let _ = figures::scaled(&text, power);
    }
}
