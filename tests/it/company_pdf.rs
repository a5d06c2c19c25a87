//! The profile of a company: as JSON, and as a PDF file.

use access::Tier;
use bytes::Bytes;
use http::{Method, StatusCode, header};
use serde_json::json;
use sha2::{Digest, Sha256};
use tests::{Answer, Service, bearing, company, request};

use crate::two_companies::{self, EINS};

const PATH: &str = "/v1/companies/CHE-600.000.012/pdf";
const FILE: &str = "/v1/companies/CHE-600.000.012/profile.pdf";

async fn service() -> Service {
    let service = Service::start().await;
    service.ingest_publications(two_companies::publications()).await;
    service.publish().await;
    service
}

async fn accepting(service: &Service, path: &str, accepted: &str) -> Answer {
    service.send(request(&Method::GET, path).header(header::ACCEPT, accepted)).await
}

/// The bytes of an answer, which must be a PDF file.
fn file(answer: &Answer) -> Bytes {
    assert_eq!(answer.status, StatusCode::OK, "{}", answer.text);
    assert_eq!(answer.header("content-type"), Some("application/pdf"));
    assert!(answer.bytes.starts_with(b"%PDF-1.7"), "{}", answer.text);
    assert!(answer.bytes.trim_ascii_end().ends_with(b"%%EOF"), "the end of the file");
    answer.bytes.clone()
}

#[tokio::test]
async fn the_profile_as_json_has_the_members_of_the_published_clients() {
    let service = service().await;
    for accepted in ["*/*", "application/json"] {
        let answer = accepting(&service, PATH, accepted).await;
        assert_eq!(answer.status, StatusCode::OK, "{answer:?}");
        assert_eq!(answer.header("content-type"), Some("application/json"));
        let body = &answer.body;
        assert_eq!(body["company"]["uid"], EINS);
        assert_eq!(body["company"]["name"], "Eins Holding AG");
        let expected = json!({
            "firstName": "Regula",
            "lastName": "Musterfrau",
            "role": "Mitglied des Verwaltungsrates",
            "signingAuthority": "sole",
            "since": "2020-03-02",
        });
        assert_eq!(body["boardMembers"][0], expected);
        let newest = &body["recentEvents"][0];
        assert_eq!(
            (&newest["sourceDate"], &newest["severity"]),
            (&json!("2023-05-02"), &json!("medium"))
        );
        let auditors = body["auditorHistory"].as_array().expect("auditors");
        assert_eq!(auditors.len(), 2);
        assert_eq!(auditors[0]["auditorName"], "Zweite Revision AG");
        assert_eq!(
            (&auditors[0]["isCurrent"], &auditors[1]["resignedAt"]),
            (&json!(true), &json!("2022-01-10"))
        );
        assert!(body["generatedAt"].is_string(), "{body}");
    }
}

#[tokio::test]
async fn a_program_gets_the_representation_that_it_asks_for() {
    let service = service().await;
    let pdf = format!("{PATH}?format=pdf");
    for (path, accepted) in [
        (PATH, "application/pdf"),
        (PATH, "text/html,application/xhtml+xml,*/*;q=0.8"),
        (PATH, "text/html"),
        (&pdf, "*/*"),
        (&pdf, "application/json"),
        (FILE, "*/*"),
        (FILE, "application/json"),
    ] {
        let answer = accepting(&service, path, accepted).await;
        file(&answer);
        let name = "attachment; filename=\"CHE-600.000.012-profile.pdf\"";
        assert_eq!(answer.header("content-disposition"), Some(name), "{path} {accepted}");
    }
    let json = format!("{PATH}?format=json");
    for (path, accepted) in [
        (json.as_str(), "application/pdf"),
        // As every operation: what cannot be answered is not refused.
        (PATH, "image/png"),
        (PATH, "text/html;q=0, */*"),
        (PATH, "application/pdf;q=0, */*"),
    ] {
        let answer = accepting(&service, path, accepted).await;
        assert_eq!(answer.header("content-type"), Some("application/json"), "{accepted}");
        assert_eq!(answer.body["company"]["uid"], EINS);
    }
}

#[tokio::test]
async fn the_file_is_an_accessible_archive_file_in_the_preferred_language() {
    let service = service().await;
    let mut files = Vec::new();
    for (preferred, language) in
        [("de-CH,en;q=0.5", "de"), ("fr", "fr"), ("it", "it"), ("en", "en"), ("es", "en")]
    {
        let preferred = request(&Method::GET, FILE).header(header::ACCEPT_LANGUAGE, preferred);
        let answer = service.send(preferred).await;
        files.push(file(&answer));
        assert_eq!(answer.header("content-language"), Some(language));
        assert!(
            answer.header("vary").is_some_and(|it| it.contains("accept-language")),
            "{answer:?}"
        );
        for metadata in [
            "<pdfaid:part>2</pdfaid:part>",
            "<pdfaid:conformance>A</pdfaid:conformance>",
            "<pdfuaid:part>1</pdfuaid:part>",
            "Eins Holding AG",
            &format!("<rdf:li>{language}-CH</rdf:li>"),
        ] {
            assert!(answer.text.contains(metadata), "{language}: no {metadata}");
        }
    }
    assert_eq!(files[3], files[4], "English is the language of all others");
    for pair in files[..4].windows(2) {
        assert_ne!(pair[0], pair[1]);
    }
}

#[tokio::test]
async fn sections_are_chosen_by_a_parameter() {
    let service = service().await;
    let answer = service.get(&format!("{PATH}?sections=board,%20Auditor")).await;
    let body = &answer.body;
    assert_eq!(body["company"], json!({ "uid": EINS, "name": "Eins Holding AG" }));
    assert_eq!(body["boardMembers"].as_array().map(Vec::len), Some(2));
    assert_eq!(body["auditorHistory"].as_array().map(Vec::len), Some(2));
    assert_eq!(body["recentEvents"], json!([]));
    let chosen =
        async |sections: &str| file(&service.get(&format!("{FILE}?sections={sections}")).await);
    let one = chosen("board,risk").await;
    assert_eq!(one, chosen("risk,board,risk").await, "order and repetition have no effect");
    assert_ne!(one, chosen("board").await);
    let everything = file(&service.get(FILE).await);
    assert_eq!(everything, chosen("overview,changes,board,auditor,risk").await);
}

#[tokio::test]
async fn wrong_parameters_get_the_nearest_section() {
    let service = service().await;
    for (path, member, said) in [
        (format!("{PATH}?sections=overview,boad"), "sections", "Did you mean `board`?"),
        (format!("{FILE}?sections=ownership"), "sections", "got `ownership`"),
        (format!("{PATH}?format=docx"), "format", "got `docx`. Accepted: `json`, `pdf`"),
        (format!("{FILE}?format=pdf"), "format", "format"),
        (format!("{PATH}?section=board"), "section", "sections"),
    ] {
        let answer = service.get(&path).await;
        assert_eq!(answer.status, StatusCode::BAD_REQUEST, "{path}: {answer:?}");
        assert_eq!(answer.body["errors"][0]["member"], member, "{path}: {answer:?}");
        assert!(answer.text.contains(said), "{path}: {}", answer.text);
    }
}

#[tokio::test]
async fn unknown_companies_have_no_profile() {
    let service = service().await;
    for path in ["/v1/companies/CHE-109.322.551/pdf", "/v1/companies/CHE-109.322.551/profile.pdf"] {
        for accepted in ["*/*", "application/pdf"] {
            let answer = accepting(&service, path, accepted).await;
            assert_eq!(answer.status, StatusCode::NOT_FOUND, "{answer:?}");
            assert_eq!(answer.header("content-type"), Some("application/problem+json"));
        }
    }
}

#[tokio::test]
async fn the_risk_assessment_is_for_tiers_that_include_it() {
    let service = service().await;
    let path = format!("{FILE}?sections=risk");
    let anonymous = file(&service.get(&path).await);
    let mut files = Vec::new();
    for tier in Tier::ALL {
        let key = service.key(tier).await;
        files.push(file(&service.get_as(&key, &path).await));
    }
    assert_eq!((&files[0], &files[1]), (&anonymous, &anonymous), "a note");
    assert_eq!(files[2], files[3], "the same assessment for both");
    assert!(files[2].len() > anonymous.len() + 2_000, "nine factors with evidence");
    // The other sections do not depend on the tier.
    let path = format!("{FILE}?sections=overview,board");
    let key = service.key(Tier::Enterprise).await;
    assert_eq!(file(&service.get(&path).await), file(&service.get_as(&key, &path).await));
}

#[tokio::test]
async fn a_file_is_stored_and_a_damaged_one_is_rendered_again() {
    let service = service().await;
    let objects = &service.cloud.objects;
    let stored = async || objects.keys("company-pdfs/").await.expect("keys");
    assert_eq!(stored().await, [""; 0]);
    let first = service.get(FILE).await;
    let keys = stored().await;
    assert_eq!(keys.len(), 1, "{keys:?}");
    assert!(keys[0].starts_with("company-pdfs/CHE-600.000.012/"), "{keys:?}");
    assert_eq!(file(&service.get(FILE).await), file(&first), "the stored file");

    // What is stored is answered: nothing is rendered twice.
    let marked = Bytes::from_static(b"%PDF-1.7 stored %%EOF");
    let object = [Sha256::digest(&marked).as_slice(), &marked].concat();
    objects.put(&keys[0], object).await.expect("put");
    assert_eq!(file(&service.get(FILE).await), marked);

    for damaged in [&b""[..], b"%PDF", &[0; 40]] {
        objects.put(&keys[0], damaged.to_vec()).await.expect("put");
        assert_eq!(file(&service.get(FILE).await), file(&first));
        let whole = objects.get(&keys[0]).await.expect("read").expect("an object");
        assert_eq!(whole[32..], file(&first), "replaced");
    }

    // A new publication is a new file.
    let moved = publications::Publication::mutation(EINS, "Eins Holding AG")
        .number(1_000_000_009)
        .on("2026-07-01")
        .new_seat("Bern");
    service.ingest_publications([moved]).await;
    assert_ne!(file(&service.get(FILE).await), file(&first));
    assert_eq!(stored().await.len(), 2);
}

#[tokio::test]
async fn a_client_that_has_the_file_does_not_get_it_again() {
    let service = service().await;
    let answer = service.get(FILE).await;
    let tag = answer.header("etag").expect("a tag").to_owned();
    let same = request(&Method::GET, FILE).header(header::IF_NONE_MATCH, tag);
    assert_eq!(service.send(same).await.status, StatusCode::NOT_MODIFIED);
}

#[tokio::test]
async fn names_are_never_read_as_markup() {
    let hostile = "#panic() $x$ *b* \\ @c [d] `e` <f> // AG";
    let mut one = company(EINS, hostile);
    one.purpose = Some("#read(\"/etc/passwd\") 北京 \u{202e}\u{0}\u{e000} Москва".into());
    let service = Service::with([one]).await;
    let key = service.key(Tier::Professional).await;
    let answer = service.send(bearing(&key, request(&Method::GET, FILE))).await;
    file(&answer);
    assert!(
        answer.text.contains("#panic() $x$ *b* \\ @c [d] `e` &lt;f"),
        "the title in the metadata"
    );
}
