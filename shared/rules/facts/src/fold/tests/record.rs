use domain::Source;
use sources::{Batch, description, finma};

use super::*;

#[test]
fn deletion_date_is_the_date_stated_by_the_register_office() {
    let deletion = deletion(1, "2026-03-05", "Die Gesellschaft wird im Handelsregister gelöscht.")
        .deletion_date("2026-03-02");
    let facts = [gazette_facts([deletion]), vec![zefix_fact("Muster AG", "2024-01-01")]].concat();
    let company = fold(&facts).expect("company record");
    assert_eq!(company.status, Some(Status::Cancelled));
    assert_eq!(company.deletion_date, "2026-03-02".parse().ok());
}

#[test]
fn newest_record_wins_regardless_of_order() {
    let (old, new) = (zefix_fact("Alt AG", "2024-01-01"), zefix_fact("Neu AG", "2026-01-01"));
    let forward = fold(&[old.clone(), new.clone()]).expect("company record");
    let backward = fold(&[new, old]).expect("company record");
    assert_eq!(forward, backward);
    assert_eq!(forward.name, "Neu AG");
}

#[test]
fn licences_and_employees_enter_the_record_and_news_do_not() {
    let list = |row: &str| format!("Name,UID,AuthorisationTypeEN\n{row}");
    let day = |text: &str| text.parse().ok();
    let licensed = finma::read(list("Muster AG,CHE107251578,Bank").as_bytes());
    let licensed = licensed.expect("valid table").dated(day("2026-01-01"));
    let uids = licensed.statements.iter().map(|it| it.uid);
    let gone = description(Source::Finma).coverage.removals(Source::Finma, uids, []);
    let gone = Batch { statements: gone, ..Batch::default() }.dated(day("2026-02-01"));
    let reports = "uid,fiscalYear,employees\nCHE107251578,2024,40\nCHE107251578,2023,30\n";
    let reports = sources::read(Source::Reports, reports.as_bytes()).expect("valid table");
    let feed = "<rss><channel><item><title>Nachricht</title><link>https://a.example/</link>\
        <category domain=\"uid\">CHE107251578</category><pubDate>2026-03-01</pubDate></item></channel></rss>";
    let news = sources::read(Source::News, feed.as_bytes()).expect("valid RSS");
    assert_eq!((reports.statements.len(), news.statements.len()), (2, 1));

    let mut facts = vec![zefix_fact("Muster AG", "2024-01-01")];
    facts.extend(facts_from(licensed.statements));
    facts.extend(facts_from(reports.statements));
    facts.extend(facts_from(news.statements));
    let company = fold(&facts).expect("company record");
    assert_eq!((company.is_finma_regulated, company.employee_count), (Some(true), Some(40)));
    let sources: Vec<&str> = company.sources.iter().map(|it| it.source.as_str()).collect();
    assert_eq!(sources, ["zefix", "finma", "reports"]);
    assert_eq!(company.updated_at.map(|it| it.to_string()), Some("2026-01-01T00:00:00Z".into()));
    facts.extend(facts_from(gone.statements));
    assert_eq!(fold(&facts).expect("company record").is_finma_regulated, Some(false));
}

#[test]
fn no_facts_yield_no_record() {
    assert_eq!(fold(&[]), None);
}

#[test]
fn head_office_of_a_branch_is_the_same_from_gazette_and_register() {
    let entry = registration(1, "2026-03-02", "").head_office("CHE600000029", "Probe AG");
    let facts = gazette_facts([entry.clone()]);
    let record = format!(
        r#"{{"uid": "{UID}", "name": "Muster AG", "canton": "LU",
            "headOffices": [{{"name": "Probe AG", "uid": "CHE600000029"}}]}}"#
    );
    let record = facts_from(zefix::read(record.as_bytes()).expect("valid JSON").statements);
    let branch = fold(&facts).expect("company record");
    assert_eq!(branch.affiliations.len(), 1);
    assert_eq!(branch.affiliations, fold(&record).expect("company record").affiliations);
    let then = as_of(&facts, "2026-03-02").expect("company record");
    assert_eq!(proof(&then, "affiliations").as_deref(), Some("2026-03-02"));
    // A branch has one head office; the same one keeps its UID.
    let named = |name: &str| {
        let later = mutation(2, "2026-04-01", "").head_office("CHE600000029", "Probe AG");
        let later = later.new_head_office(name);
        fold(&gazette_facts([later, entry.clone()])).expect("company record").affiliations
    };
    assert_eq!(named("PROBE AG")[0].uid, "CHE-600.000.029".parse().ok());
    let [other] = named("Neue AG").try_into().expect("one head office");
    assert_eq!((other.name.as_str(), other.uid), ("Neue AG", None));
    // A publication that names no head office does not change it.
    let silent = mutation(2, "2026-04-01", "");
    let branch = fold(&gazette_facts([entry, silent])).expect("company record");
    assert_eq!(branch.affiliations[0].name, "Probe AG");
}

#[test]
fn deleted_company_has_no_current_officers_and_no_auditor() {
    let board = "Musterfrau, Regula, von Bern, in Bern, Mitglied, mit Einzelunterschrift";
    let entry = registration(1, "2020-01-06", &entered(&format!("{board}; {AUDITOR}")));
    let end = deletion(2, "2026-03-02", "Die Gesellschaft wird gelöscht.");
    let facts = gazette_facts([entry, end]);
    let (company, history) = fold_with_history(&facts).expect("company record");
    assert_eq!((company.status, company.auditor_name), (Some(Status::Cancelled), None));
    assert_eq!(history.current_mandates().count(), 0);
    assert_eq!(history.tenures[0].resigned_at, "2026-03-02".parse().ok());
    assert_eq!(
        as_of(&facts, "2026-03-01").expect("company record").history.current_mandates().count(),
        1
    );
}

#[test]
fn result_does_not_depend_on_the_order_of_facts() {
    let mut facts = lifetime();
    facts.push(lindas_fact("2023-01-01"));
    let whole = fold_with_history(&facts).expect("company record");
    let then = as_of(&facts, "2023-06-01");
    // All orders of four facts.
    for mut at in 0..24 {
        let mut left = facts.clone();
        let mut shuffled = Vec::new();
        for count in (1..=left.len()).rev() {
            shuffled.push(left.remove(at % count));
            at /= count;
        }
        assert_eq!(fold_with_history(&shuffled).as_ref(), Some(&whole));
        assert_eq!(as_of(&shuffled, "2023-06-01"), then);
    }
}

/// Whether what the source states is part of the record. News and shareholdings are listed separately.
fn is_in_record(source: Source) -> bool {
    match source {
        Source::Zefix | Source::Shab | Source::Lindas => true,
        Source::Gleif | Source::Finma | Source::Reports => true,
        Source::Six | Source::News => false,
    }
}

#[test]
fn record_names_each_source_that_is_part_of_it() {
    for source in Source::ALL {
        let folder = format!("{}/../sources/fixtures/{source}", env!("CARGO_MANIFEST_DIR"));
        let paths = std::fs::read_dir(folder).expect("a folder").map(|it| it.expect("file").path());
        let files = paths.filter(|it| it.is_file()).map(|it| std::fs::read(it).expect("a file"));
        let batches = files.map(|it| sources::read(source, &it).expect("a file of the source"));
        let is_named = batches.flat_map(|it| facts_from(it.statements)).any(|fact| {
            let registration = Fact { uid: fact.uid, ..zefix_fact("Muster AG", "2024-01-01") };
            let register = (source != Source::Lindas).then_some(registration);
            let facts: Vec<Fact> = register.into_iter().chain([fact]).collect();
            let company = fold(&facts).expect("company record");
            company.sources.iter().any(|it| it.source == source.name())
        });
        assert_eq!(is_named, is_in_record(source), "{source}");
    }
}
