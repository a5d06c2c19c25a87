use std::{
    io::{Cursor, Read},
    process::Command,
};

use super::*;

/// A column of every kind.
const COLUMNS: [&str; 8] = [
    "uid",
    "name",
    "shareCapital",
    "foundingDate",
    "isFinmaRegulated",
    "ehraid",
    "latitude",
    "updatedAt",
];

/// A workbook with values of every kind, three companies.
fn workbook() -> Vec<u8> {
    let columns = Selection::try_from(COLUMNS.map(str::to_owned).to_vec()).expect("columns");
    let mut table = XlsxTable::new(columns, Timestamp::UNIX_EPOCH).expect("started");
    let company = |uid: &str, name| Company::new(uid.parse().expect("well-formed"), name);
    let mut first = company("CHE-107.787.577", "=1+1, Söhne & \"Co\" AG\nIn Liquidation; 日本😀");
    first.share_capital = "100000.5".parse().ok();
    first.founding_date = Some(jiff::civil::date(2001, 2, 3));
    first.is_finma_regulated = Some(true);
    first.ehraid = Some(1_234_567);
    first.latitude = Some(46.948_271);
    first.updated_at = "2026-11-26T07:08:09Z".parse().ok();
    let mut second = company("CHE-105.909.036", "007");
    second.founding_date = Some(jiff::civil::date(1856, 7, 5));
    let mut third = company("CHE-109.322.551", "Dritte AG");
    third.founding_date = Some(jiff::civil::date(1900, 2, 28));
    for company in [&first, &second, &third] {
        table.push(company).expect("written");
    }
    table.finish(&[("Companies".to_owned(), "3".to_owned())]).expect("written")
}

#[test]
fn the_header_stays_visible_and_has_filters_and_columns_have_widths() {
    let mut files = zip::ZipArchive::new(Cursor::new(workbook())).expect("a ZIP file");
    let mut sheet = String::new();
    let mut file = files.by_name("xl/worksheets/sheet1.xml").expect("a sheet");
    file.read_to_string(&mut sheet).expect("UTF-8");
    let pane = r#"<pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/>"#;
    assert!(sheet.contains(pane), "{sheet}");
    assert!(sheet.contains(r#"<autoFilter ref="A1:H4"/>"#), "{sheet}");
    let widths = sheet.matches(r#"customWidth="1""#).count();
    assert!((2..=8).contains(&widths), "neighbours with one width are together: {sheet}");
    assert!(!sheet.contains("<f>"), "{sheet}");
}

/// As a person sees it. `cargo test -p spreadsheet -- --ignored` needs `LibreOffice` (Debian: `libreoffice-calc-nogui`).
#[test]
#[ignore = "needs LibreOffice"]
fn libreoffice_reads_the_same_values() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("companies.xlsx");
    std::fs::write(&file, workbook()).expect("written");
    // Commas, quotation marks, UTF-8, numbers with all digits, the first sheet.
    let format = "csv:Text - txt - csv (StarCalc):44,34,76,1,,0,false,true,false,false,false,1";
    let converted = Command::new("soffice")
        .arg(format!("-env:UserInstallation=file://{}/profile", folder.path().display()))
        .args(["--headless", "--convert-to", format, "--outdir"])
        .arg(folder.path())
        .arg(&file)
        .output()
        .expect("LibreOffice");
    assert!(converted.status.success(), "{converted:?}");
    let table = std::fs::read_dir(folder.path()).expect("listed").filter_map(Result::ok);
    let table = table.map(|it| it.path()).find(|it| it.extension().is_some_and(|it| it == "csv"));
    let table = std::fs::read_to_string(table.expect("a table")).expect("UTF-8");
    let mut reader = csv::ReaderBuilder::new().has_headers(false).from_reader(table.as_bytes());
    let rows: Vec<Vec<String>> =
        reader.records().map(|it| it.expect("a row").iter().map(str::to_owned).collect()).collect();
    assert_eq!(
        rows,
        [
            COLUMNS,
            [
                "CHE-107.787.577",
                "=1+1, Söhne & \"Co\" AG\nIn Liquidation; 日本😀",
                "100000.5",
                "2001-02-03",
                "TRUE",
                "1234567",
                "46.948271",
                "2026-11-26 07:08:09",
            ],
            ["CHE-105.909.036", "007", "", "1856-07-05", "", "", "", ""],
            ["CHE-109.322.551", "Dritte AG", "", "1900-02-28", "", "", "", ""],
        ]
    );
}

#[test]
fn long_texts_are_cut_where_a_cell_ends() {
    assert_eq!(shortened("Zürich"), "Zürich");
    for letter in ["a", "ü", "😀"] {
        let cut = shortened(&letter.repeat(MAX_CHARACTERS + 1));
        let length = cut.encode_utf16().count();
        assert!(cut.ends_with('…') && (MAX_CHARACTERS - 1..=MAX_CHARACTERS).contains(&length));
    }
}

#[test]
fn days_before_march_1900_are_text() {
    for (month, day) in [(1, 1), (1, 31), (2, 28)] {
        assert!(excel_date(jiff::civil::date(1900, month, day)).is_none());
    }
    assert!(excel_date(jiff::civil::date(1899, 12, 31)).is_none());
    assert!(excel_date(jiff::civil::date(1900, 3, 1)).is_some());
    assert!(excel_date(jiff::civil::date(1901, 1, 1)).is_some());
}
