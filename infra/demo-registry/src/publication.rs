//! Notices in the JSON of the gazette's portal.

use domain::{Company, company::AffiliationKind, statements::demo};
use jiff::civil::Date;
use serde_json::{Map, Value, json};

use crate::{
    calendar::{Shift, days_before, days_of, entered, last_working_day},
    company::Background,
    forms, history,
    language::Language,
    notice::{Notice, State, Topic},
    random::Random,
    wording::{self, Previous, Writer},
};

pub(crate) fn publication(
    index: usize,
    company: &Company,
    background: &Background,
    notice: &Notice,
    shift: Shift,
) -> Value {
    let random = &mut Random::for_key(history::number(index, notice.day) | 6 << 60);
    let place = background.business.place;
    let entered = shift.entered(entered(notice.day));
    let decided = |days: i32| last_working_day(days_before(entered, days));
    let days = random.between(1, 15);
    let (rubric, title) = if notice.has(Topic::Entry) {
        ("HR01", ["Neueintragung", "Nouvelle inscription", "Nuova iscrizione"])
    } else if notice.has(Topic::Deletion) {
        ("HR03", ["Löschung", "Radiation", "Cancellazione"])
    } else {
        ("HR02", ["Mutation", "Mutation", "Mutazione"])
    };
    let number = history::number(index, notice.day);
    let state = notice.state();
    let office = wording::register_office(place.style());
    let canton = place.canton.names()[place.language as usize];
    let titles: Map<String, Value> = Language::ALL
        .iter()
        .zip(title)
        .map(|(language, title)| {
            let title = format!("{title} {}, {}", state.name, state.seat);
            (language.code().to_owned(), title.into())
        })
        .collect();
    let (previous_day, previous_number) = notice.previous;
    let previous_day = shift.published(previous_day);
    let issue = issue(previous_day);
    let writer = Writer {
        form: background.business.form,
        place,
        uid: company.uid,
        notice,
        decided: match (notice.has(Topic::Entry), company.founding_date) {
            (true, Some(founded)) => decided(background.life.registered - days_of(founded)),
            _ => decided(days),
        },
        previous: Previous { day: previous_day, issue, number: previous_number },
    };
    let mut content = json!({
        "publicationText": writer.text(random),
        "journalNumber": (number % 29_989).to_string(),
        "journalDate": midnight(entered),
        "senderOffice": {"officeName": format!("{office} {canton}")},
        "transaction": transaction(notice, entered),
    });
    if !notice.has(Topic::Entry) {
        let mut last = json!({"lastFoscDate": midnight(previous_day), "lastFoscNumber": issue});
        if let Some(number) = previous_number {
            last["lastFoscSequence"] = number.to_string().into();
        }
        content["lastFosc"] = last;
    }
    if let Some(before) = &notice.before {
        content["commonsActual"] = commons(before, company, background);
    }
    if let Some(after) = &notice.after {
        content["commonsNew"] = commons(after, company, background);
    }
    json!({
        "meta": {
            "id": format!("{}{number}", demo::ID_PREFIX),
            "rubric": "HR",
            "subRubric": rubric,
            "language": place.language.code(),
            "publicationNumber": format!("{rubric}-{number}"),
            "publicationState": "PUBLISHED",
            "publicationDate": midnight(shift.published(notice.day)),
            "primaryTenantCode": "shab",
            "cantons": [place.canton.code()],
            "title": titles,
        },
        "content": content,
    })
}

fn transaction(notice: &Notice, entered: Date) -> Value {
    if notice.has(Topic::Entry) {
        return json!({"registration": true});
    }
    if notice.has(Topic::Deletion) {
        return json!({"delete": {"deletionDate": midnight(entered)}});
    }
    let ends = notice.has(Topic::Dissolution) || notice.has(Topic::Bankruptcy);
    let is_about_persons = notice.has(Topic::Board) || notice.has(Topic::Auditor);
    let mut changements = json!({
        "others": is_about_persons
            || [Topic::OptingOut, Topic::TakesOver, Topic::Moratorium].iter().any(|it| notice.has(*it)),
        "nameChanged": ends || notice.has(Topic::Name),
        "uidChanged": false,
        "legalStatusChanged": false,
        "seatChanged": notice.has(Topic::Seat),
        "addressChanged": notice.has(Topic::Address) || notice.has(Topic::Seat),
        "purposeChanged": notice.has(Topic::Purpose),
    });
    if notice.has(Topic::Capital) {
        changements["capitalChanged"] = json!({"nominal": true, "paid": true, "other": false});
    }
    if ends {
        changements["statusChanged"] = json!({
            "bankruptcy": {"dissolution": notice.has(Topic::Bankruptcy)},
            "liquidation": {"dissolution": {"nonExceptional": notice.has(Topic::Dissolution)}},
        });
    }
    json!({"update": {"changements": changements}})
}

fn commons(state: &State, company: &Company, background: &Background) -> Value {
    let mut address = Map::new();
    let mut set = |name: &str, value: &Option<String>| {
        if let Some(value) = value {
            address.insert(name.to_owned(), value.as_str().into());
        }
    };
    set("addressLine1", &state.address.care_of);
    set("street", &state.address.street);
    set("houseNumber", &state.address.house_number);
    set("postOfficeBoxNumber", &state.address.po_box);
    set("swissZipCode", &Some(state.address.zip_code.clone()));
    set("town", &Some(state.address.city.clone()));
    let mut block = json!({
        "company": {
            "name": state.name,
            "uid": company.uid.to_string(),
            "uidOrganisationId": company.uid.number().to_string(),
            "uidOrganisationIdCategorie": "CHE",
            "seat": state.seat,
            "legalForm": background.business.form,
            "noAddress": false,
            "address": address,
        },
        "purpose": state.purpose,
    });
    if let Some(chid) = &company.chid {
        block["company"]["code13"] = chid.replace(['-', '.'], "").into();
    }
    if !state.translations.is_empty() {
        let all: Vec<String> = state.translations.iter().map(|it| format!("({it})")).collect();
        block["company"]["translations"] = all.join(" ").into();
    }
    if let Some((units, currency)) = &state.capital {
        let mut capital = json!({"nominal": units, "paid": units});
        if currency != "CHF" {
            capital["currency"] = currency.as_str().into();
        }
        block["capital"] = json!([capital]);
    }
    if let Some(firm) = &state.auditor {
        let mut named = json!({"name": firm.name, "country": "CH"});
        if let Some(uid) = firm.uid {
            named["uid"] = format!("CHE{}", uid.number()).into();
        }
        block["revision"] = json!({"optingOut": false, "revisionCompany": [named]});
    } else if forms::may_waive_audit(background.business.form) {
        block["revision"] = json!({"optingOut": state.has_opted_out});
    }
    let head_office = company.affiliations.iter().find(|it| it.kind == AffiliationKind::HeadOffice);
    if let Some(head) = head_office {
        let mut named = json!({"name": head.name, "country": "CH"});
        if let Some(uid) = head.uid {
            named["uid"] = format!("CHE{}", uid.number()).into();
        }
        block["headOffice"] = named;
    }
    block
}

/// The number of the gazette's issue in the year. There is one issue each working day.
fn issue(day: Date) -> i32 {
    i32::from(day.day_of_year()) * 5 / 7 + 1
}

fn midnight(day: Date) -> String {
    format!("{day}T00:00:00.000Z")
}
