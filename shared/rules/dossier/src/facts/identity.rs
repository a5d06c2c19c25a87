//! Names, numbers, dates and activity.

use domain::{
    Source,
    wording::{self, say},
};

use super::RowWriter;
use crate::row::{Rows, Section, clean, cut};

/// Maximum length of a quoted purpose in characters.
const PURPOSE: usize = 400;
/// Maximum number of former names.
const NAMES: usize = 5;

impl RowWriter<'_> {
    pub(super) fn identity(&self, rows: &mut Rows) {
        self.dates(rows);
        self.capital(rows);
        self.address(rows);
        if self.is_summary() {
            return;
        }
        self.identifiers(rows);
        self.activity(rows);
    }

    fn dates(&self, rows: &mut Rows) {
        let (language, company) = (self.language, self.facts.company);
        if let Some(day) = company.registration_date {
            let day = wording::date(language, day);
            let text = say!(
                language,
                "Die erste Eintragung im Handelsregister datiert vom {day}.",
                "La première inscription au registre du commerce date du {day}.",
                "La prima iscrizione nel registro di commercio risale al {day}.",
                "The first entry in the commercial register is of {day}.",
            );
            rows.add(Section::Identity, text, [day], &self.source_of("registrationDate"));
        }
        if let Some(day) = company.founding_date.filter(|_| !self.is_summary()) {
            let day = wording::date(language, day);
            let source = self.source_of("foundingDate");
            let text = match source.source == Source::Gleif.name() {
                true => say!(
                    language,
                    "Gemäss GLEIF besteht das Unternehmen seit dem {day}.",
                    "Selon la GLEIF, l’entreprise existe depuis le {day}.",
                    "Secondo la GLEIF l’impresa esiste dal {day}.",
                    "According to GLEIF, the company has existed since {day}.",
                ),
                false if company.legal_form_code.as_deref() == Some("0110") => say!(
                    language,
                    "Die Stiftungsurkunde datiert vom {day}.",
                    "L’acte de fondation date du {day}.",
                    "L’atto di fondazione risale al {day}.",
                    "The foundation deed is of {day}.",
                ),
                false => say!(
                    language,
                    "Die ersten Statuten datieren vom {day}.",
                    "Les premiers statuts datent du {day}.",
                    "Il primo statuto risale al {day}.",
                    "The first articles of association are of {day}.",
                ),
            };
            rows.add(Section::Identity, text, [day], &source);
        }
        if let Some(day) = company.deletion_date.filter(|_| self.is_deleted()) {
            let day = wording::date(language, day);
            let text = say!(
                language,
                "Die Löschung datiert vom {day}.",
                "La radiation date du {day}.",
                "La cancellazione risale al {day}.",
                "The deletion is of {day}.",
            );
            rows.add(Section::Identity, text, [day], &self.source_of("deletionDate"));
        }
    }

    fn capital(&self, rows: &mut Rows) {
        let (language, company) = (self.language, self.facts.company);
        let Some(capital) = company.share_capital else { return };
        let currency = clean(company.currency.as_deref().unwrap_or("CHF"));
        let amount = wording::amount(language, capital);
        let text = match self.is_deleted() {
            false => say!(
                language,
                "Das Nominalkapital beträgt {currency} {amount}.",
                "Le capital nominal s’élève à {currency} {amount}.",
                "Il capitale nominale ammonta a {currency} {amount}.",
                "The nominal capital is {currency} {amount}.",
            ),
            true => say!(
                language,
                "Das Nominalkapital betrug zuletzt {currency} {amount}.",
                "Le capital nominal s’élevait en dernier lieu à {currency} {amount}.",
                "Il capitale nominale ammontava da ultimo a {currency} {amount}.",
                "The nominal capital was last {currency} {amount}.",
            ),
        };
        rows.add(Section::Identity, text, [], &self.source_of("shareCapital"));
    }

    fn address(&self, rows: &mut Rows) {
        let (language, company) = (self.language, self.facts.company);
        let part = |it: &Option<String>| it.as_deref().map(clean).unwrap_or_default();
        let joined = |parts: [String; 2]| {
            let parts: Vec<String> = parts.into_iter().filter(|it| !it.is_empty()).collect();
            parts.join(" ")
        };
        let lines = [
            wording::care_of(&part(&company.address_care_of)),
            part(&company.address_addon),
            joined([part(&company.address_street), part(&company.address_house_number)]),
            wording::po_box(language, &part(&company.address_po_box)),
            joined([part(&company.address_zip_code), part(&company.address_city)]),
        ];
        let lines: Vec<String> = lines.into_iter().filter(|it| !it.is_empty()).collect();
        if lines.is_empty() {
            return;
        }
        let address = lines.join(", ");
        let text = match self.is_deleted() {
            false => say!(
                language,
                "Die Adresse lautet: {address}.",
                "L’adresse est: {address}.",
                "L’indirizzo è: {address}.",
                "The address is: {address}.",
            ),
            true => say!(
                language,
                "Die letzte Adresse lautete: {address}.",
                "La dernière adresse était: {address}.",
                "L’ultimo indirizzo era: {address}.",
                "The last address was: {address}.",
            ),
        };
        rows.add(Section::Identity, text, [address], &self.source_of("addressStreet"));
    }

    fn identifiers(&self, rows: &mut Rows) {
        let (language, company) = (self.language, self.facts.company);
        if let Some(lei) = company.lei {
            let text = say!(
                language,
                "Die internationale Kennung des Rechtsträgers (LEI) lautet {lei}.",
                "L’identifiant international de l’entité (LEI) est {lei}.",
                "L’identificativo internazionale dell’entità (LEI) è {lei}.",
                "The international identifier of the legal entity (LEI) is {lei}.",
            );
            rows.add(Section::Identity, text, [], &self.source_of("lei"));
        }
        let names: Vec<String> = company.old_names.iter().flatten().map(|it| clean(it)).collect();
        if !names.is_empty() {
            let former = wording::shortened(language, &names, NAMES);
            let text = say!(
                language,
                "Früher hiess das Unternehmen: {former}.",
                "L’entreprise s’appelait auparavant: {former}.",
                "L’impresa si chiamava in precedenza: {former}.",
                "The company was formerly called: {former}.",
            );
            rows.add(Section::Identity, text, names, &self.source_of("oldNames"));
        }
        if company.is_finma_regulated == Some(true) {
            let text = say!(
                language,
                "Das Unternehmen hat eine Bewilligung der FINMA.",
                "L’entreprise dispose d’une autorisation de la FINMA.",
                "L’impresa dispone di un’autorizzazione della FINMA.",
                "The company is authorised by FINMA.",
            );
            rows.add(Section::Identity, text, [], &self.source_of("isFinmaRegulated"));
        }
        if let Some(employees) = company.employee_count {
            let number = wording::number(language, employees.into());
            let of_number = wording::in_number(
                language,
                employees.into(),
                [
                    ["beschäftigte Person", "personne employée", "persona occupata", "employee"],
                    ["Beschäftigte", "personnes employées", "persone occupate", "employees"],
                ],
            );
            let employees = format!("{number} {of_number}");
            let text = say!(
                language,
                "Der letzte Jahresbericht nennt {employees}.",
                "Le dernier rapport annuel indique {employees}.",
                "L’ultimo rapporto annuale indica {employees}.",
                "The latest annual report states {employees}.",
            );
            rows.add(Section::Identity, text, [], &self.source_of("employeeCount"));
        }
    }

    fn activity(&self, rows: &mut Rows) {
        let (language, company) = (self.language, self.facts.company);
        if let Some(code) = company.noga_code.as_deref().map(clean) {
            let text = say!(
                language,
                "Die Tätigkeit hat in der Systematik NOGA den Code {code}.",
                "L’activité porte le code {code} de la nomenclature NOGA.",
                "L’attività ha il codice {code} della nomenclatura NOGA.",
                "The activity has the code {code} of the nomenclature NOGA.",
            );
            rows.add(Section::Identity, text, [], &self.source_of("nogaCode"));
        }
        if let Some(purpose) = company.purpose.as_deref() {
            let purpose = cut(purpose, PURPOSE);
            let text = say!(
                language,
                "Der im Register eingetragene Zweck lautet wörtlich: «{purpose}».",
                "Le but inscrit au registre est textuellement: «{purpose}».",
                "Lo scopo iscritto nel registro è testualmente: «{purpose}».",
                "The purpose in the register reads literally: «{purpose}».",
            );
            rows.quote(Section::Identity, text, &self.source_of("purpose"));
        }
    }
}
