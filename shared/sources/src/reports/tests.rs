use jiff::civil::date;
use proptest::prelude::*;

use super::*;

const TABLE: &str = "uid;lei;fiscalYear;periodEnd;currency;revenue;operatingIncome;netIncome;totalAssets;equity;employees;sourceUrl;publicationDate\n\
    CHE-600.000.026;;2025;2025-12-31;CHF;1'200'000;150000.50;-20000;3000000;1500000;42;https://muster.example/2025.pdf;2026-03-01\n\
    ;506700GE1G29325QX363;2025;;EUR;1;;;;;;;\n\
    ;;2025;;CHF;1;;;;;;;\n\
    CHE-600.000.026;;2025;;;1;;;;;;;\n\
    CHE-600.000.026;;2025;2024-12-31;CHF;1;;;;;;;\n\
    CHE-600.000.026;;2025;;CHF;viel;;;;;;;\n\
    CHE-600.000.026;;2025;;CHF;;;;;;;;\n\
    CHE-600.000.026;;2025;;CHF;;;;-1;;;;\n\
    CHE-600.000.026;;2025;;Fr.;1;;;;;;;\n\
    CHE-600.000.026;;25;;CHF;1;;;;;;file:///etc/passwd;\n";

const JSON: &str = r#"{"reports": [
    {"uid": "CHE-600.000.026", "fiscalYear": 2024, "currency": "CHF", "revenue": 1200000, "employees": 40},
    {"company": "Muster AG", "fiscalYear": 2024, "employees": 3},
    {"uid": "CHE-600.000.026", "fiscalYear": 2024, "umsatz": 1},
    {"uid": "CHE-600.000.026", "fiscalYear": "x"}]}"#;

/// Two years, a segment, a rounded duplicate, a contradiction, an amount per share.
const XBRL_JSON: &str = r#"{"documentInfo": {"documentType": "https://xbrl.org/2021/xbrl-json",
    "namespaces": {"ifrs-full": "https://xbrl.ifrs.org/taxonomy/2024-03-27/ifrs-full", "lei": "http://standards.iso.org/iso/17442",
                   "own": "https://muster.example/own"}},
  "facts": {
    "a": {"value": "91354000000", "decimals": -6, "dimensions": {"concept": "ifrs-full:Revenue", "entity": "lei:506700GE1G29325QX363", "period": "2025-01-01T00:00:00/2026-01-01T00:00:00", "unit": "iso4217:CHF"}},
    "b": {"value": "91.4e9", "decimals": -8, "dimensions": {"concept": "ifrs-full:Revenue", "entity": "lei:506700GE1G29325QX363", "period": "2025-01-01T00:00:00/2026-01-01T00:00:00", "unit": "iso4217:CHF"}},
    "c": {"value": "1", "decimals": -6, "dimensions": {"concept": "ifrs-full:Revenue", "entity": "lei:506700GE1G29325QX363", "period": "2024-01-01T00:00:00/2025-01-01T00:00:00", "unit": "iso4217:CHF"}},
    "d": {"value": "5", "decimals": -6, "dimensions": {"concept": "ifrs-full:Revenue", "ifrs-full:SegmentsAxis": "own:Milk", "entity": "lei:506700GE1G29325QX363", "period": "2025-01-01T00:00:00/2026-01-01T00:00:00", "unit": "iso4217:CHF"}},
    "e": {"value": "-12", "dimensions": {"concept": "ifrs-full:ProfitLoss", "entity": "lei:506700GE1G29325QX363", "period": "2025-01-01T00:00:00/2026-01-01T00:00:00", "unit": "iso4217:CHF"}},
    "f": {"value": "100", "dimensions": {"concept": "ifrs-full:Assets", "entity": "lei:506700GE1G29325QX363", "period": "2026-01-01T00:00:00", "unit": "iso4217:CHF"}},
    "g": {"value": "7", "dimensions": {"concept": "ifrs-full:Equity", "entity": "lei:506700GE1G29325QX363", "period": "2026-01-01T00:00:00", "unit": "iso4217:CHF"}},
    "h": {"value": "8", "dimensions": {"concept": "ifrs-full:Equity", "entity": "lei:506700GE1G29325QX363", "period": "2026-01-01T00:00:00", "unit": "iso4217:CHF"}},
    "i": {"value": "3", "dimensions": {"concept": "own:Revenue", "entity": "lei:506700GE1G29325QX363", "period": "2025-01-01T00:00:00/2026-01-01T00:00:00", "unit": "iso4217:CHF"}},
    "j": {"value": "250", "dimensions": {"concept": "ifrs-full:NumberOfEmployees", "entity": "lei:506700GE1G29325QX363", "period": "2026-01-01T00:00:00"}},
    "k": {"value": "3", "dimensions": {"concept": "ifrs-full:ProfitLossFromOperatingActivities", "entity": "lei:506700GE1G29325QX363", "period": "2025-07-01T00:00:00/2026-01-01T00:00:00", "unit": "iso4217:CHF"}}
  }}"#;

const INLINE: &str = r#"<?xml version="1.0"?><!DOCTYPE html>
<html xmlns="http://www.w3.org/1999/xhtml" xmlns:ix="http://www.xbrl.org/2013/inlineXBRL" xmlns:xbrli="http://www.xbrl.org/2003/instance"
  xmlns:iso4217="http://www.xbrl.org/2003/iso4217" xmlns:ifrs-full="http://xbrl.ifrs.org/taxonomy/2024-03-27/ifrs-full"
  xmlns:ixt="http://www.xbrl.org/inlineXBRL/transformation/2020-02-12"><body>
  <ix:header><ix:resources>
    <xbrli:context id="year"><xbrli:entity><xbrli:identifier scheme="http://standards.iso.org/iso/17442">506700GE1G29325QX363</xbrli:identifier></xbrli:entity>
      <xbrli:period><xbrli:startDate>2025-01-01</xbrli:startDate><xbrli:endDate>2025-12-31</xbrli:endDate></xbrli:period></xbrli:context>
    <xbrli:context id="end"><xbrli:entity><xbrli:identifier scheme="http://standards.iso.org/iso/17442">506700GE1G29325QX363</xbrli:identifier></xbrli:entity>
      <xbrli:period><xbrli:instant>2025-12-31</xbrli:instant></xbrli:period></xbrli:context>
    <xbrli:context id="part"><xbrli:entity><xbrli:identifier scheme="http://standards.iso.org/iso/17442">506700GE1G29325QX363</xbrli:identifier>
      <xbrli:segment><xbrldi:explicitMember dimension="ifrs-full:SegmentsAxis" xmlns:xbrldi="x">own:Milk</xbrldi:explicitMember></xbrli:segment></xbrli:entity>
      <xbrli:period><xbrli:instant>2025-12-31</xbrli:instant></xbrli:period></xbrli:context>
    <xbrli:unit id="chf"><xbrli:measure>iso4217:CHF</xbrli:measure></xbrli:unit>
    <xbrli:unit id="pershare"><xbrli:divide><xbrli:unitNumerator><xbrli:measure>iso4217:CHF</xbrli:measure></xbrli:unitNumerator>
      <xbrli:unitDenominator><xbrli:measure>xbrli:shares</xbrli:measure></xbrli:unitDenominator></xbrli:divide></xbrli:unit>
  </ix:resources></ix:header>
  <p>Umsatz <ix:nonFraction name="ifrs-full:Revenue" contextRef="year" unitRef="chf" decimals="-6" scale="6" format="ixt:num-dot-decimal"><b>1,234.5</b><ix:exclude> (1)</ix:exclude></ix:nonFraction>
  Verlust (<ix:nonFraction name="ifrs-full:ProfitLoss" contextRef="year" unitRef="chf" decimals="-6" scale="6" sign="-" format="ixt:num-comma-decimal">12,5</ix:nonFraction>)
  <ix:nonFraction name="ifrs-full:Assets" contextRef="end" unitRef="chf" decimals="0">1000</ix:nonFraction>
  <ix:nonFraction name="ifrs-full:Assets" contextRef="part" unitRef="chf" decimals="0">10</ix:nonFraction>
  <ix:nonFraction name="ifrs-full:Equity" contextRef="end" unitRef="pershare" decimals="0">10</ix:nonFraction>
  <ix:nonFraction name="ifrs-full:Equity" contextRef="end" unitRef="chf" decimals="0" format="ixt:num-unit-decimal">10</ix:nonFraction>
  <ix:nonFraction name="ifrs-full:ProfitLossFromOperatingActivities" contextRef="year" unitRef="chf" decimals="0" format="ixt:fixed-zero">—</ix:nonFraction></p>
</body></html>"#;

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
    let lei = "506700GE1G29325QX363".parse().expect("valid");
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
            "currency: is missing, but there are amounts",
            "periodEnd: 2024-12-31 is not in the year 2025",
            "revenue: must be an amount such as `100000` or `0.5`, with at most four decimals; got `viel`",
            "contains no figure",
            "totalAssets: is negative",
            "currency: `Fr.` is not a code of three capital letters",
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
    assert_eq!(read.revenue, amount("91354000000"));
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
    assert!(pending.rejected[0].reason.starts_with("entity: `506700"), "{:?}", pending.rejected);
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
