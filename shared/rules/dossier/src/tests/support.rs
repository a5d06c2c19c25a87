use std::collections::BTreeMap;

use auth::Language;
use domain::{
    Company, History, Provenance, Status,
    persons::{Mandate, Person, RoleCategory, SigningAuthority},
};
use jiff::civil::{Date, date};
use obligations::{AuditRegime, Group, Profile, scope};
use ownership::{Criteria, Link, MaxDepth, Party, Resolution, Structure};
use risk::{Priors, Registered, assess};
use teams::DossierLevel;
use uuid::Uuid;

use crate::{Brief, Facts, NewsItem, check::Sentence};

const DAY: Date = date(2026, 11, 25);

pub(super) fn source(name: &str) -> Provenance {
    let date = Some(date(2026, 10, 1));
    Provenance { source: name.into(), reference: Some("https://example.ch/1".into()), date }
}

/// A company with an officer, a purpose and a news item.
pub(super) struct Case {
    pub(super) company: Company,
    pub(super) history: History,
    pub(super) news: Vec<NewsItem>,
    pub(super) links: Vec<Link>,
    pub(super) profiles: BTreeMap<Party, ownership::Profile>,
    pub(super) owners_not_searched: Option<Vec<String>>,
}

impl Case {
    pub(super) fn new() -> Self {
        let uid = "CHE-600.000.012".parse().expect("a number");
        let mut company = Company::new(uid, "Muster & Co. Treuhand AG".to_owned());
        company.status = Some(Status::Active);
        company.legal_form_code = Some("0106".into());
        company.legal_seat = Some("Zürich".into());
        company.share_capital = Some("100000".parse().expect("an amount"));
        company.currency = Some("CHF".into());
        company.registration_date = Some(date(2001, 5, 3));
        company.purpose = Some("Führung eines Treuhandbüros.".into());
        company.sources = vec![source("zefix")];
        let person = Person {
            first_name: Some("Anna".into()),
            last_name: "Beispiel".into(),
            origin: Some("Bern".into()),
            residence: Some("Winterthur".into()),
            ..Person::default()
        };
        let mandate = Mandate {
            person_id: Uuid::from_u128(7),
            confidence: 0.95,
            person,
            role: "Mitglied".into(),
            category: RoleCategory::Board,
            other_categories: Vec::new(),
            signature: None,
            signing_authority: Some(SigningAuthority::Sole),
            holding: None,
            holdings: Vec::new(),
            since: Some(date(2019, 5, 3)),
            until: None,
            entry_source: None,
            role_source: None,
            earlier_categories: Vec::new(),
            signature_source: None,
            source: source("shab"),
        };
        let history = History { mandates: vec![mandate], ..History::default() };
        let news = NewsItem {
            publisher: Some("Muster Zeitung".into()),
            title: "Treuhandbüro zieht um".into(),
            date: date(2026, 9, 1),
            source: source("news"),
        };
        Self {
            company,
            history,
            news: vec![news],
            links: Vec::new(),
            profiles: BTreeMap::new(),
            owners_not_searched: Some(Vec::new()),
        }
    }

    pub(super) fn brief(&self, level: DossierLevel, language: Language) -> Brief {
        self.with_facts(|facts| Brief::of(facts, level, language))
    }

    pub(super) fn with_facts<T>(&self, of_facts: impl FnOnce(Facts) -> T) -> T {
        let Self { company, history, news, .. } = self;
        let root = Party::Company(company.uid);
        let structure =
            Structure::above(root, self.links.clone(), self.profiles.clone(), MaxDepth::default());
        let resolution = Resolution::of(&structure, &Criteria::default());
        let registered = Registered { company, history, proofs: None };
        let facts = risk::Facts::of_register(registered).with_ownership(&structure, &resolution);
        let risk = assess(&facts, &Priors::published(), DAY);
        let profile = Profile {
            company,
            history,
            proofs: None,
            figures: &[],
            listing: None,
            securities: None,
            licences: &[],
            group: &Group::default(),
            day: DAY,
        };
        let (scope, regime) = (scope(&profile), AuditRegime::of(&profile));
        let facts = Facts {
            company,
            history,
            proofs: None,
            structure: &structure,
            resolution: &resolution,
            ultimate_parent: None,
            risk: &risk,
            owners_not_searched: self.owners_not_searched.as_deref(),
            scope: &scope,
            regime: &regime,
            news,
            day: DAY,
        };
        of_facts(facts)
    }
}

/// The sentences of a text, each of which ends with its tags and a full stop, and the lines of its tables, whose tag ends the first
/// cell.
pub(super) fn sentences(content: &str) -> Vec<Sentence> {
    let paragraphs = content.lines().filter(|it| !it.is_empty() && !it.starts_with("## "));
    let mut sentences = Vec::new();
    for paragraph in paragraphs {
        if paragraph.starts_with('|') {
            if let Some((text, rest)) = paragraph.split_once(" [[obl:") {
                let (id, cells) = rest.split_once("]]").expect("a tag");
                sentences
                    .push(Sentence { text: format!("{text}{cells}"), ids: vec![id.to_owned()] });
            }
            continue;
        }
        let mut rest = paragraph;
        while let Some(end) = rest.find("]].") {
            let (sentence, after) = rest.split_at(end + 3);
            let (text, tags) = sentence.split_once("[[obl:").unwrap_or((sentence, ""));
            let tags = tags.trim_end_matches("]].").split("]][[obl:");
            let ids = tags.filter(|it| !it.is_empty()).map(str::to_owned).collect();
            sentences.push(Sentence { text: text.trim().to_owned(), ids });
            rest = after.trim_start();
        }
        // What has no tag is a sentence too.
        if !rest.is_empty() {
            sentences.push(Sentence { text: rest.to_owned(), ids: Vec::new() });
        }
    }
    sentences
}

/// The text without what is quoted.
pub(super) fn unquoted(content: &str) -> String {
    let mut text = String::new();
    let mut depth = 0;
    for character in content.chars() {
        match character {
            '«' => depth += 1,
            '»' => depth -= 1,
            other if depth == 0 => text.push(other),
            _ => {}
        }
    }
    assert_eq!(depth, 0, "{content}");
    text
}
