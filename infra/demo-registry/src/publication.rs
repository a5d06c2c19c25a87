//! Notices in the shape of the gazette's portal.

use domain::Company;
use jiff::civil::Date;
use serde_json::{Map, Value, json};

use crate::{
    Past, day, forms,
    life::{self, Matter, Notice, State},
    random::Random,
    vocabulary::Language,
    wording::Writer,
};

/// How the identifiers begin, by which a reader knows that no portal has them.
const INVENTED: &str = "demo-";

/// The publications of a company, oldest first.
pub(crate) fn publications(
    index: usize,
    company: &Company,
    past: &Past,
    plenty: bool,
) -> Vec<Value> {
    let notices = life::notices(index, company, past, plenty);
    notices.iter().map(|it| publication(index, company, past, it)).collect()
}

fn publication(index: usize, company: &Company, past: &Past, notice: &Notice) -> Value {
    let random = &mut Random::for_person(life::number(index, notice.day) | 6 << 60);
    let place = past.subject.place;
    let decided = day(notice.day - random.between(6, 20));
    let entered = day(notice.day - 3);
    let (rubric, title) = if notice.has(Matter::Entry) {
        ("HR01", ["Neueintragung", "Nouvelle inscription", "Nuova iscrizione"])
    } else if notice.has(Matter::Deleted) {
        ("HR03", ["Löschung", "Radiation", "Cancellazione"])
    } else {
        ("HR02", ["Mutation", "Mutation", "Mutazione"])
    };
    let number = life::number(index, notice.day);
    let state = notice.state();
    let (language, office) = match place.language {
        Language::French => ("fr", "Registre du commerce du Canton de"),
        Language::Italian => ("it", "Ufficio del registro di commercio del Cantone"),
        _ => ("de", "Handelsregisteramt des Kantons"),
    };
    let canton = place.canton.names()[place.language as usize];
    let titles: Map<String, Value> = ["de", "fr", "it"]
        .iter()
        .zip(title)
        .map(|(language, title)| {
            ((*language).to_owned(), format!("{title} {}, {}", state.name, state.seat).into())
        })
        .collect();
    let previous = (day(notice.previous.0), issue(notice.previous.0), notice.previous.1);
    let writer = Writer {
        form: past.subject.form,
        place,
        uid: company.uid,
        notice,
        decided: match (notice.has(Matter::Entry), company.founding_date) {
            (true, Some(founded)) => founded,
            _ => decided,
        },
        previous,
    };
    let mut content = json!({
        "publicationText": writer.text(random),
        "journalNumber": (number % 29_989).to_string(),
        "journalDate": midnight(entered),
        "senderOffice": {"officeName": format!("{office} {canton}")},
        "transaction": transaction(notice, company, entered),
    });
    if !notice.has(Matter::Entry) {
        let mut last = json!({"lastFoscDate": midnight(previous.0), "lastFoscNumber": previous.1});
        if let Some(number) = previous.2 {
            last["lastFoscSequence"] = number.to_string().into();
        }
        content["lastFosc"] = last;
    }
    if let Some(before) = &notice.before {
        content["commonsActual"] = commons(before, company, past);
    }
    if let Some(after) = &notice.after {
        content["commonsNew"] = commons(after, company, past);
    }
    json!({
        "meta": {
            "id": format!("{INVENTED}{number}"),
            "rubric": "HR",
            "subRubric": rubric,
            "language": language,
            "publicationNumber": format!("{rubric}-{number}"),
            "publicationState": "PUBLISHED",
            "publicationDate": midnight(day(notice.day)),
            "primaryTenantCode": "shab",
            "cantons": [place.canton.code()],
            "title": titles,
        },
        "content": content,
    })
}

fn transaction(notice: &Notice, company: &Company, entered: Date) -> Value {
    if notice.has(Matter::Entry) {
        return json!({"registration": true});
    }
    if notice.has(Matter::Deleted) {
        let deleted = company.deletion_date.unwrap_or(entered);
        return json!({"delete": {"deletionDate": midnight(deleted)}});
    }
    let ends = notice.has(Matter::Dissolved) || notice.has(Matter::Bankrupt);
    let is_persons = notice.has(Matter::Board) || notice.has(Matter::Auditor);
    let mut changements = json!({
        "others": is_persons || notice.has(Matter::OptingOut),
        "nameChanged": ends || notice.has(Matter::Name),
        "uidChanged": false,
        "legalStatusChanged": false,
        "seatChanged": notice.has(Matter::Seat),
        "addressChanged": notice.has(Matter::Address) || notice.has(Matter::Seat),
        "purposeChanged": notice.has(Matter::Purpose),
    });
    if notice.has(Matter::Capital) {
        changements["capitalChanged"] = json!({"nominal": true, "paid": true, "other": false});
    }
    if ends {
        changements["statusChanged"] = json!({
            "bankruptcy": {"dissolution": notice.has(Matter::Bankrupt)},
            "liquidation": {"dissolution": {"nonExceptional": notice.has(Matter::Dissolved)}},
        });
    }
    json!({"update": {"changements": changements}})
}

fn commons(state: &State, company: &Company, past: &Past) -> Value {
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
            "legalForm": past.subject.form,
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
    } else if matches!(past.subject.form, forms::CORPORATION | forms::LIMITED_LIABILITY) {
        block["revision"] = json!({"optingOut": state.waives_audit});
    }
    if let Some(head) = company.affiliations.first() {
        let mut named = json!({"name": head.name, "country": "CH"});
        if let Some(uid) = head.uid {
            named["uid"] = format!("CHE{}", uid.number()).into();
        }
        block["headOffice"] = named;
    }
    block
}

/// The issue of the gazette on this day: there is one every working day.
fn issue(days: i32) -> i32 {
    let day = day(days);
    i32::from(day.day_of_year()) * 5 / 7 + 1
}

fn midnight(day: Date) -> String {
    format!("{day}T00:00:00.000Z")
}
