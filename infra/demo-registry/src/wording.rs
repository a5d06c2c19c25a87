//! How the offices write: functions, powers, shares, headings and sentences in three languages, and
//! the prose of Geneva, Vaud and Neuchâtel.

use domain::{Canton, Uid, legal_forms::LegalForm};
use jiff::civil::Date;

use crate::{
    board::{Change, Office, Officer, Power, Share},
    forms,
    life::{Address, Firm, Matter, Notice},
    localities::Locality,
    people::{Home, Person},
    random::Random,
    vocabulary::Language,
};

/// Whether the register office of this place writes sentences where others write lists.
pub(crate) fn is_prose(place: &Locality) -> bool {
    place.language == Language::French
        && matches!(place.canton, Canton::Ge | Canton::Vd | Canton::Ne)
}

/// One of three, by the language.
fn said<T>(language: Language, german: T, french: T, italian: T) -> T {
    match language {
        Language::French => french,
        Language::Italian => italian,
        Language::German | Language::English => german,
    }
}

/// What a text is written about.
pub(crate) struct Writer<'a> {
    pub(crate) form: &'static str,
    pub(crate) place: &'static Locality,
    pub(crate) uid: Uid,
    pub(crate) notice: &'a Notice,
    /// When the company decided what is published.
    pub(crate) decided: Date,
    /// The day, the issue and the number of the notice before.
    pub(crate) previous: (Date, i32, Option<u64>),
}

impl Writer<'_> {
    fn language(&self) -> Language {
        self.place.language
    }

    fn is_prose(&self) -> bool {
        is_prose(self.place)
    }

    fn said<T>(&self, german: T, french: T, italian: T) -> T {
        said(self.language(), german, french, italian)
    }

    /// The text of the publication.
    pub(crate) fn text(&self, random: &mut Random) -> String {
        let mut text = self.opening();
        if self.notice.has(Matter::Entry) {
            self.entry(&mut text, random);
        } else {
            self.mutation(&mut text, random);
        }
        self.persons(&mut text);
        text
    }

    fn opening(&self) -> String {
        let state = self.notice.state();
        let mut name = state.name.clone();
        for other in &state.translations {
            name.push_str(&format!(" ({other})"));
        }
        let seat = &state.seat;
        let at = self.said("in", "à", "in");
        let form =
            LegalForm::by_code(self.form).map_or("", |it| it.names[self.language() as usize]);
        let uid = self.uid;
        let lower = || form.to_lowercase();
        if self.notice.has(Matter::Entry) {
            let address = line(&state.address, self.language());
            return match (self.language(), self.is_prose()) {
                (Language::French, true) => {
                    let new = if lower().starts_with("institut") { "Nouvel" } else { "Nouvelle" };
                    format!("{name}, {at} {seat}, {address}, {uid}. {new} {}.", lower())
                }
                (Language::French, _) => {
                    format!(
                        "{name}, {at} {seat}, {uid}, {address}, {} (Nouvelle inscription).",
                        lower()
                    )
                }
                (Language::Italian, _) => {
                    format!(
                        "{name}, {at} {seat}, {uid}, {address}, {} (Nuova iscrizione).",
                        lower()
                    )
                }
                _ => format!("{name}, {at} {seat}, {uid}, {address}, {form} (Neueintragung)."),
            };
        }
        let (day, issue, number) = self.previous;
        let day = written(day);
        let known = match (self.language(), number) {
            (Language::French, Some(number)) => format!("(FOSC du {day}, p. 0/{number})"),
            (Language::French, None) => format!("(FOSC du {day}, p. {})", issue * 31),
            (Language::Italian, Some(number)) => {
                format!("(FUSC no. {issue} del {day}, Pubbl. {number})")
            }
            (Language::Italian, None) => {
                format!("(FUSC no. {issue} del {day}, pag. {})", issue * 31)
            }
            (_, Some(number)) => format!("(SHAB Nr. {issue} vom {day}, Publ. {number})"),
            (_, None) => format!("(SHAB Nr. {issue} vom {day}, S. {})", issue * 31),
        };
        match (self.language(), self.is_prose()) {
            (Language::French, true) => format!("{name}, {at} {seat}, {uid} {known}."),
            (Language::French | Language::Italian, _) => {
                format!("{name}, {at} {seat}, {uid}, {} {known}.", lower())
            }
            _ => format!("{name}, {at} {seat}, {uid}, {form} {known}."),
        }
    }

    fn entry(&self, text: &mut String, random: &mut Random) {
        let state = self.notice.state();
        let has_statutes = !matches!(
            self.form,
            forms::SOLE_TRADER
                | forms::GENERAL_PARTNERSHIP
                | forms::LIMITED_PARTNERSHIP
                | forms::BRANCH
                | forms::FOREIGN_BRANCH
        );
        let decided = written(self.decided);
        if has_statutes {
            let statutes = if self.is_prose() {
                format!("Statuts du {decided}.")
            } else {
                let label = self.said("Statutendatum", "Date des statuts", "Data dello statuto");
                format!("{label}: {decided}.")
            };
            add(text, &statutes);
        }
        let label = self.said("Zweck", "But", "Scopo");
        add(text, &ended(&format!("{label}: {}", state.purpose)));
        if let Some((units, currency)) = &state.capital {
            let money = money(*units, currency, self.language());
            let is_shares = self.form == forms::CORPORATION;
            let sentence = match (self.language(), is_shares) {
                (Language::German | Language::English, true) => format!(
                    "Aktienkapital: {money}. Liberierung Aktienkapital: {money}. Aktien: {} Namenaktien zu {}.",
                    grouped(units / 100),
                    self::money(100, currency, Language::German),
                ),
                (Language::German | Language::English, false) => format!("Stammkapital: {money}."),
                (Language::French, true) => format!(
                    "Capital-actions: {money}, entièrement libéré, divisé en {} actions de {} nominatives.",
                    grouped(units / 100),
                    self::money(100, currency, Language::French),
                ),
                (Language::French, false) => format!("Capital: {money}."),
                (Language::Italian, true) => format!(
                    "Capitale azionario: {money}. Azioni: {} azioni nominative da {}.",
                    grouped(units / 100),
                    self::money(100, currency, Language::Italian),
                ),
                (Language::Italian, false) => format!("Capitale sociale: {money}."),
            };
            add(text, &sentence);
            let organ = self.said(
                "Publikationsorgan: SHAB.",
                "Organe de publication: FOSC.",
                "Organo di pubblicazione: FUSC.",
            );
            add(text, organ);
            if random.chance(600) {
                let notices = self.said(
                    "Mitteilungen erfolgen per Brief oder E-Mail.",
                    "Communications par écrit ou par courriel.",
                    "Comunicazioni per scritto o per posta elettronica.",
                );
                add(text, notices);
            }
        }
        if state.waives_audit {
            let waived = self.said(
                "Gemäss Erklärung bei der Gründung wird auf eine eingeschränkte Revision verzichtet.",
                "Selon déclaration à la constitution, il est renoncé à un contrôle restreint.",
                "Con dichiarazione alla costituzione la società ha rinunciato alla revisione limitata.",
            );
            add(text, waived);
        }
    }

    fn mutation(&self, text: &mut String, random: &mut Random) {
        let notice = self.notice;
        let (Some(before), after) = (&notice.before, &notice.after) else { return };
        let decided = written(self.decided);
        self.end(text, random);
        let Some(after) = after else { return };
        let is_statute = matches!(self.form, forms::CORPORATION | forms::LIMITED_LIABILITY)
            && [Matter::Name, Matter::Seat, Matter::Purpose, Matter::Capital]
                .iter()
                .any(|it| notice.has(*it));
        if is_statute {
            let sentence = if self.is_prose() {
                format!("Statuts modifiés le {decided}.")
            } else {
                let label =
                    self.said("Statutenänderung", "Modification des statuts", "Statuti modificati");
                format!("{label}: {decided}.")
            };
            add(text, &sentence);
        }
        let member = |text: &mut String, label: [&str; 3], value: &str| {
            let [german, french, italian] = label;
            let label = self.said(german, french, italian);
            add(text, &ended(&format!("{label}: {value}")));
        };
        if notice.has(Matter::Name) {
            let label = ["Firma neu", "Nouvelle raison sociale", "Nuova ragione sociale"];
            member(text, label, &after.name);
        }
        if notice.has(Matter::Seat) {
            member(text, ["Sitz neu", "Nouveau siège", "Nuova sede"], &after.seat);
        }
        if notice.has(Matter::Seat) || notice.has(Matter::Address) {
            let label = ["Domizil neu", "Nouvelle adresse", "Nuovo recapito"];
            member(text, label, &line(&after.address, self.language()));
        }
        if notice.has(Matter::Purpose) {
            member(text, ["Zweck neu", "Nouveau but", "Nuovo scopo"], &after.purpose);
        }
        if notice.has(Matter::Capital)
            && let (Some((old, currency)), Some((new, _))) = (&before.capital, &after.capital)
        {
            let (old, new) =
                (money(*old, currency, self.language()), money(*new, currency, self.language()));
            let is_shares = self.form == forms::CORPORATION;
            let sentence = match (self.language(), is_shares) {
                (Language::German | Language::English, true) => format!(
                    "Aktienkapital neu: {new} [bisher: {old}]. Liberierung Aktienkapital neu: {new} [bisher: {old}]."
                ),
                (Language::German | Language::English, false) => {
                    format!("Stammkapital neu: {new} [bisher: {old}].")
                }
                (Language::French, true) if self.is_prose() => {
                    format!("Capital-actions porté de {old} à {new}.")
                }
                (Language::French, false) if self.is_prose() => {
                    format!("Capital social porté de {old} à {new}.")
                }
                (Language::French, true) => {
                    format!("Nouveau capital-actions: {new} [précédemment: {old}].")
                }
                (Language::French, false) => {
                    format!("Nouveau capital social: {new} [précédemment: {old}].")
                }
                (Language::Italian, true) => {
                    format!("Nuovo capitale azionario: {new} [finora: {old}].")
                }
                (Language::Italian, false) => {
                    format!("Nuovo capitale sociale: {new} [finora: {old}].")
                }
            };
            add(text, &sentence);
        }
        if notice.has(Matter::OptingOut) {
            let sentence = self.said(
                format!("Mit Erklärung vom {decided} wurde auf die eingeschränkte Revision verzichtet."),
                format!("Selon déclaration du {decided}, il est renoncé à un contrôle restreint."),
                format!("Con dichiarazione del {decided} la società ha rinunciato alla revisione limitata."),
            );
            add(text, &sentence);
        }
    }

    /// Dissolution, bankruptcy, deletion.
    fn end(&self, text: &mut String, random: &mut Random) {
        let notice = self.notice;
        let decided = written(self.decided);
        let [german, french, italian] = subject(self.form);
        let e = if french.starts_with("La ") || french.starts_with("L'") { "e" } else { "" };
        let a =
            if italian.starts_with("Il ") || italian.starts_with("L'istituto") { "o" } else { "a" };
        if notice.has(Matter::Dissolved) {
            let sentence = self.said(
                format!("{german} ist mit Beschluss vom {decided} aufgelöst."),
                format!("{french} est dissout{e} par décision du {decided}."),
                format!("{italian} è sciolt{a} con decisione del {decided}."),
            );
            add(text, &sentence);
        }
        if notice.has(Matter::Bankrupt) {
            let hour = random.between(8, 16);
            let sentence = self.said(
                format!(
                    "Mit Entscheid des Konkursgerichts vom {decided} ist mit Wirkung ab dem {decided}, {hour:02}.00 Uhr, der Konkurs eröffnet worden; demnach ist {} aufgelöst.",
                    lowered(german)
                ),
                format!(
                    "{french} est dissout{e} par suite de faillite prononcée par jugement du {decided}, à {hour:02}h00."
                ),
                format!(
                    "Con decreto della Pretura del {decided} è stato dichiarato il fallimento a far tempo dal {decided}, ore {hour:02}.00. Di conseguenza {} è sciolt{a}.",
                    lowered(italian)
                ),
            );
            add(text, &sentence);
        }
        if (notice.has(Matter::Dissolved) || notice.has(Matter::Bankrupt))
            && let Some(after) = &notice.after
        {
            let sentence = match self.is_prose() {
                true => format!("Par conséquent, sa raison sociale devient: {}", after.name),
                false => format!(
                    "{}: {}",
                    self.said("Firma neu", "Nouvelle raison sociale", "Nuova ragione sociale"),
                    after.name
                ),
            };
            add(text, &ended(&sentence));
        }
        if notice.has(Matter::Deleted) {
            let sentence = match self.form {
                forms::SOLE_TRADER | forms::BRANCH | forms::FOREIGN_BRANCH => self.said(
                    format!("{german} wird infolge Aufgabe des Geschäftsbetriebes gelöscht."),
                    format!("{french} est radié{e} par suite de cessation de l'exploitation."),
                    format!("{italian} è cancellat{a} per cessazione dell'attività."),
                ),
                _ => self.said(
                    format!(
                        "{german} weist keine Geschäftstätigkeit mehr auf und hat keine verwertbaren Aktiven mehr. {german} wird gemäss Art. 934 Abs. 2 OR von Amtes wegen gelöscht."
                    ),
                    format!("{french} est radié{e} d'office en application de l'art. 934 al. 2 CO."),
                    format!("{italian} è cancellat{a} d'ufficio in applicazione dell'art. 934 cpv. 2 CO."),
                ),
            };
            add(text, &sentence);
        }
    }

    fn persons(&self, text: &mut String) {
        let (gone, come) = self.auditors();
        let mut left: Vec<String> = Vec::new();
        let mut entered: Vec<String> = Vec::new();
        for change in &self.notice.board {
            match (change, self.is_prose()) {
                (Change::Left(it), true) => add(text, &self.left(it)),
                (Change::Entered(it), true) => add(text, &self.entered(it)),
                (Change::Changed(before, it), true) => add(text, &self.changed(before, it)),
                (Change::Left(it), false) => left.push(self.item(it)),
                (Change::Entered(it), false) => entered.push(self.item(it)),
                (Change::Changed(before, it), false) => {
                    let mark = self.said("bisher", "précédemment", "finora");
                    entered.push(format!(
                        "{} [{mark}: {}]",
                        self.item(it),
                        self.earlier(before, it)
                    ));
                }
            }
        }
        if self.is_prose() {
            if let Some(firm) = gone {
                add(text, &format!("{} n'est plus organe de révision.", self.firm(firm)));
            }
            if let Some(firm) = come {
                let new = if self.notice.has(Matter::Entry) { "Organe" } else { "Nouvel organe" };
                add(text, &ended(&format!("{new} de révision: {}", self.firm(firm))));
            }
            return;
        }
        let office = self.said("Revisionsstelle", "organe de révision", "ufficio di revisione");
        left.extend(gone.map(|it| format!("{}, {office}", self.firm(it))));
        entered.extend(come.map(|it| format!("{}, {office}", self.firm(it))));
        if !left.is_empty() {
            let heading = self.said(
                "Ausgeschiedene Personen und erloschene Unterschriften",
                "Personne(s) et signature(s) radiée(s)",
                "Persone dimissionarie e firme cancellate",
            );
            add(text, &format!("{heading}: {}.", left.join("; ")));
        }
        if !entered.is_empty() {
            let heading = match self.notice.has(Matter::Entry) {
                true => self.said(
                    "Eingetragene Personen",
                    "Personne(s) inscrite(s)",
                    "Persone iscritte",
                ),
                false => self.said(
                    "Eingetragene Personen neu oder mutierend",
                    "Inscription ou modification de personne(s)",
                    "Nuove persone iscritte o modifiche",
                ),
            };
            add(text, &format!("{heading}: {}.", entered.join("; ")));
        }
    }

    /// Who audits no more, and who does from now on.
    fn auditors(&self) -> (Option<&Firm>, Option<&Firm>) {
        let notice = self.notice;
        let gone = notice.before.as_ref().and_then(|it| it.auditor.as_ref());
        let come = notice.after.as_ref().and_then(|it| it.auditor.as_ref());
        let is_told = [Matter::Entry, Matter::Auditor, Matter::OptingOut];
        let is_told = is_told.iter().any(|it| notice.has(*it));
        if is_told && gone != come { (gone, come) } else { (None, None) }
    }

    fn firm(&self, firm: &Firm) -> String {
        let at = self.said("in", "à", "in");
        match firm.uid {
            Some(uid) => format!("{} ({uid}), {at} {}", firm.name, firm.seat),
            None => format!("{}, {at} {}", firm.name, firm.seat),
        }
    }

    /// Somebody in a list.
    fn item(&self, officer: &Officer) -> String {
        let Person { last_name, first_name, residence, .. } = &officer.person;
        let at = self.said("in", "à", "in");
        let mut item =
            format!("{last_name}, {first_name}, {}, {at} {residence}", self.home(&officer.person));
        for part in
            [self.function(officer), power(officer.power, self.language()), &self.share(officer)]
        {
            if !part.is_empty() {
                item.push_str(", ");
                item.push_str(part);
            }
        }
        item
    }

    /// What somebody was, as far as it is something else.
    fn earlier(&self, before: &Officer, after: &Officer) -> String {
        let mut parts: Vec<String> = Vec::new();
        if before.person.residence != after.person.residence {
            parts.push(format!("{} {}", self.said("in", "à", "in"), before.person.residence));
        }
        if before.office != after.office || before.power != after.power {
            let function = self.function(before);
            parts.extend((!function.is_empty()).then(|| function.to_owned()));
            parts.push(power(before.power, self.language()).to_owned());
        }
        if before.share != after.share {
            parts.push(self.share(before));
        }
        parts.retain(|it| !it.is_empty());
        parts.join(", ")
    }

    /// Where somebody is a citizen.
    fn home(&self, person: &Person) -> String {
        match (person.home, self.language()) {
            (Home::Origin(place), Language::French) => {
                let elides = place.starts_with(['A', 'E', 'I', 'O', 'U', 'Y', 'É']);
                if elides { format!("d'{place}") } else { format!("de {place}") }
            }
            (Home::Origin(place), Language::Italian) => format!("da {place}"),
            (Home::Origin(place), _) => format!("von {place}"),
            (Home::Nation(nation), Language::French) if self.is_prose() => nation.from.to_owned(),
            (Home::Nation(nation), Language::French) if person.is_woman => {
                format!("ressortissante {}", nation.french[1])
            }
            (Home::Nation(nation), Language::French) => {
                format!("ressortissant {}", nation.french[0])
            }
            (Home::Nation(nation), Language::Italian) if person.is_woman => {
                format!("cittadina {}", nation.italian[1])
            }
            (Home::Nation(nation), Language::Italian) => format!("cittadino {}", nation.italian[0]),
            (Home::Nation(nation), _) if person.is_woman => {
                format!("{} Staatsangehörige", nation.german)
            }
            (Home::Nation(nation), _) => format!("{}r Staatsangehöriger", nation.german),
        }
    }

    fn function(&self, officer: &Officer) -> &'static str {
        let is_woman = officer.person.is_woman;
        if officer.office == Office::Liquidator && officer.share.is_some() {
            let by = |man, woman| if is_woman { woman } else { man };
            return self.said(
                by("Gesellschafter und Liquidator", "Gesellschafterin und Liquidatorin"),
                by("associé et liquidateur", "associée et liquidatrice"),
                by("socio e liquidatore", "socia e liquidatrice"),
            );
        }
        function(officer.office, self.form, self.place, is_woman)
    }

    fn share(&self, officer: &Officer) -> String {
        let Some(Share { count, each, currency }) = &officer.share else { return String::new() };
        let money = money(*each, currency, self.language());
        let is_sum = officer.office == Office::LimitedPartner;
        let many = grouped(*count);
        match (self.language(), is_sum, count) {
            (Language::French, true, _) => format!("pour une commandite de {money}"),
            (Language::Italian, true, _) => format!("con un'accomandita di {money}"),
            (_, true, _) => format!("mit einer Kommanditsumme von {money}"),
            (Language::French, _, 1) => format!("pour une part sociale de {money}"),
            (Language::French, ..) if currency == "CHF" => format!("pour {many} parts de {money}"),
            (Language::French, ..) => format!("pour {many} parts sociales de {money}"),
            (Language::Italian, _, 1) => format!("con una quota da {money}"),
            (Language::Italian, ..) => format!("con {many} quote da {money}"),
            (_, _, 1) => format!("mit einem Stammanteil zu {money}"),
            _ => format!("mit {many} Stammanteilen zu je {money}"),
        }
    }

    /// The name, home and residence as prose has them.
    fn full(&self, person: &Person) -> String {
        let Person { last_name, first_name, residence, .. } = person;
        format!("{last_name} {first_name}, {}, à {residence}", self.home(person))
    }

    fn left(&self, officer: &Officer) -> String {
        let Person { last_name, first_name, .. } = &officer.person;
        let function = self.function(officer);
        if !function.is_empty() {
            return format!(
                "{last_name} {first_name} n'est plus {function}; ses pouvoirs sont radiés."
            );
        }
        let power = match officer.power {
            Power::JointProcuration | Power::SoleProcuration => "procuration",
            _ => "signature",
        };
        format!("La {power} de {last_name} {first_name} est radiée.")
    }

    fn entered(&self, officer: &Officer) -> String {
        let full = self.full(&officer.person);
        let function = self.function(officer);
        let power = power(officer.power, Language::French);
        if function.is_empty() {
            let power = power.trim_start_matches("avec ");
            return format!("{} est conférée à {full}.", capitalised(power));
        }
        let is_entry = self.notice.has(Matter::Entry);
        let share = self.share(officer);
        if share.is_empty() && !is_entry {
            return format!("{full}, est {function} {power}.");
        }
        let new = match (is_entry, officer.person.is_woman, function.starts_with('a')) {
            (true, ..) => capitalised(function),
            (_, true, _) => format!("Nouvelle {function}"),
            (_, _, true) => format!("Nouvel {function}"),
            _ => format!("Nouveau {function}"),
        };
        match share.is_empty() {
            true => format!("{new}: {full}, {power}."),
            false => format!("{new}: {full}, {share} {power}."),
        }
    }

    fn changed(&self, before: &Officer, after: &Officer) -> String {
        let full = self.full(&after.person);
        let function = self.function(after);
        let power = power(after.power, Language::French);
        let share = self.share(after);
        let earlier = self.earlier(before, after);
        match share.is_empty() {
            true => format!("{full}, jusqu'ici {earlier}, est maintenant {function} {power}.")
                .replacen(", avec signature", " avec signature", 1),
            false => format!(
                "{}: {full}, {share} {power} [jusqu'ici: {earlier}].",
                capitalised(function)
            ),
        }
    }
}

/// The company as the subject of a sentence, by its form.
fn subject(form: &str) -> [&'static str; 3] {
    match form {
        forms::SOLE_TRADER => {
            ["Das Einzelunternehmen", "L'entreprise individuelle", "L'impresa individuale"]
        }
        forms::COOPERATIVE => ["Die Genossenschaft", "La société", "La società"],
        forms::ASSOCIATION => ["Der Verein", "L'association", "L'associazione"],
        forms::FOUNDATION => ["Die Stiftung", "La fondation", "La fondazione"],
        forms::BRANCH | forms::FOREIGN_BRANCH => {
            ["Die Zweigniederlassung", "La succursale", "La succursale"]
        }
        forms::PUBLIC_INSTITUTION => ["Die Rechtseinheit", "L'entité", "L'entità"],
        _ => ["Die Gesellschaft", "La société", "La società"],
    }
}

fn function(office: Office, form: &str, place: &Locality, is_woman: bool) -> &'static str {
    use Language::{French, Italian};
    let language = place.language;
    let by = |man: &'static str, woman: &'static str| if is_woman { woman } else { man };
    let is_prose = is_prose(place);
    match (office, form, language) {
        (Office::Signatory, ..) => "",
        (Office::President, forms::FOUNDATION, French) => {
            by("président du conseil de fondation", "présidente du conseil de fondation")
        }
        (Office::President, forms::FOUNDATION, Italian) => "presidente del consiglio di fondazione",
        (Office::President, forms::FOUNDATION, _) => {
            by("Präsident des Stiftungsrates", "Präsidentin des Stiftungsrates")
        }
        (Office::President, forms::ASSOCIATION, French) => {
            by("président du comité", "présidente du comité")
        }
        (Office::President, forms::ASSOCIATION, Italian) => "presidente del comitato",
        (Office::President, forms::ASSOCIATION, _) => {
            by("Präsident des Vorstandes", "Präsidentin des Vorstandes")
        }
        (Office::President, forms::COOPERATIVE, French) => {
            by("président de l'administration", "présidente de l'administration")
        }
        (Office::President, forms::COOPERATIVE, Italian) => "presidente dell'amministrazione",
        (Office::President, forms::COOPERATIVE, _) => {
            by("Präsident der Verwaltung", "Präsidentin der Verwaltung")
        }
        (Office::President, _, French) if is_prose => {
            by("administrateur président", "administratrice présidente")
        }
        (Office::President, _, French) => {
            by("président du conseil d'administration", "présidente du conseil d'administration")
        }
        (Office::President, _, Italian) => "presidente del consiglio di amministrazione",
        (Office::President, ..) => {
            by("Präsident des Verwaltungsrates", "Präsidentin des Verwaltungsrates")
        }
        (Office::VicePresident, forms::FOUNDATION, French) => {
            by("vice-président du conseil de fondation", "vice-présidente du conseil de fondation")
        }
        (Office::VicePresident, forms::FOUNDATION, Italian) => {
            "vicepresidente del consiglio di fondazione"
        }
        (Office::VicePresident, forms::FOUNDATION, _) => {
            by("Vizepräsident des Stiftungsrates", "Vizepräsidentin des Stiftungsrates")
        }
        (Office::VicePresident, forms::ASSOCIATION, French) => {
            by("vice-président du comité", "vice-présidente du comité")
        }
        (Office::VicePresident, forms::ASSOCIATION, Italian) => "vicepresidente del comitato",
        (Office::VicePresident, forms::ASSOCIATION, _) => {
            by("Vizepräsident des Vorstandes", "Vizepräsidentin des Vorstandes")
        }
        (Office::VicePresident, forms::COOPERATIVE, French) => {
            by("vice-président de l'administration", "vice-présidente de l'administration")
        }
        (Office::VicePresident, forms::COOPERATIVE, Italian) => {
            "vicepresidente dell'amministrazione"
        }
        (Office::VicePresident, forms::COOPERATIVE, _) => {
            by("Vizepräsident der Verwaltung", "Vizepräsidentin der Verwaltung")
        }
        (Office::VicePresident, _, French) if is_prose => {
            by("administrateur vice-président", "administratrice vice-présidente")
        }
        (Office::VicePresident, _, French) => by(
            "vice-président du conseil d'administration",
            "vice-présidente du conseil d'administration",
        ),
        (Office::VicePresident, _, Italian) => "vicepresidente del consiglio di amministrazione",
        (Office::VicePresident, ..) => {
            by("Vizepräsident des Verwaltungsrates", "Vizepräsidentin des Verwaltungsrates")
        }
        (Office::Member, forms::FOUNDATION, French) => "membre du conseil de fondation",
        (Office::Member, forms::FOUNDATION, Italian) => "membro del consiglio di fondazione",
        (Office::Member, forms::FOUNDATION, _) => "Mitglied des Stiftungsrates",
        (Office::Member, forms::ASSOCIATION, French) => "membre du comité",
        (Office::Member, forms::ASSOCIATION, Italian) => "membro del comitato",
        (Office::Member, forms::ASSOCIATION, _) => "Mitglied des Vorstandes",
        (Office::Member, forms::COOPERATIVE, French) => "membre de l'administration",
        (Office::Member, forms::COOPERATIVE, Italian) => "membro dell'amministrazione",
        (Office::Member, forms::COOPERATIVE, _) => "Mitglied der Verwaltung",
        (Office::Member, _, French) if is_prose => by("administrateur", "administratrice"),
        (Office::Member, _, French) => "membre du conseil d'administration",
        (Office::Member, _, Italian) => "membro del consiglio di amministrazione",
        (Office::Member, ..) => "Mitglied des Verwaltungsrates",
        (Office::ChairingPartner, _, French) if is_prose => {
            by("associé-gérant président", "associée-gérante présidente")
        }
        (Office::ChairingPartner, _, French) => {
            by("associé et président des gérants", "associée et présidente des gérants")
        }
        (Office::ChairingPartner, _, Italian) => {
            by("socio e presidente della gerenza", "socia e presidente della gerenza")
        }
        (Office::ChairingPartner, ..) => by(
            "Gesellschafter und Vorsitzender der Geschäftsführung",
            "Gesellschafterin und Vorsitzende der Geschäftsführung",
        ),
        (Office::ManagingPartner, _, French) if is_prose => {
            by("associé-gérant", "associée-gérante")
        }
        (Office::ManagingPartner, _, French) => by("associé et gérant", "associée et gérante"),
        (Office::ManagingPartner, _, Italian) => by("socio e gerente", "socia e gerente"),
        (Office::ManagingPartner, ..) => {
            by("Gesellschafter und Geschäftsführer", "Gesellschafterin und Geschäftsführerin")
        }
        (Office::Partner, _, French) => by("associé", "associée"),
        (Office::Partner, _, Italian) => by("socio", "socia"),
        (Office::Partner, ..) => by("Gesellschafter", "Gesellschafterin"),
        (Office::Manager, _, French) => by("gérant", "gérante"),
        (Office::Manager, _, Italian) => "gerente",
        (Office::Manager, ..) => by("Geschäftsführer", "Geschäftsführerin"),
        (Office::UnlimitedPartner, _, French) => {
            by("associé indéfiniment responsable", "associée indéfiniment responsable")
        }
        (Office::UnlimitedPartner, _, Italian) => {
            by("socio illimitatamente responsabile", "socia illimitatamente responsabile")
        }
        (Office::UnlimitedPartner, ..) => {
            by("unbeschränkt haftender Gesellschafter", "unbeschränkt haftende Gesellschafterin")
        }
        (Office::LimitedPartner, _, French) => {
            by("associé commanditaire", "associée commanditaire")
        }
        (Office::LimitedPartner, _, Italian) => by("socio accomandante", "socia accomandante"),
        (Office::LimitedPartner, ..) => by("Kommanditär", "Kommanditärin"),
        (Office::Owner, _, French) => "titulaire",
        (Office::Owner, _, Italian) => "titolare",
        (Office::Owner, ..) => by("Inhaber", "Inhaberin"),
        (Office::Head, _, French) => {
            by("directeur de la succursale", "directrice de la succursale")
        }
        (Office::Head, _, Italian) => {
            by("direttore della succursale", "direttrice della succursale")
        }
        (Office::Head, ..) => {
            by("Leiter der Zweigniederlassung", "Leiterin der Zweigniederlassung")
        }
        (Office::Liquidator, _, French) => by("liquidateur", "liquidatrice"),
        (Office::Liquidator, _, Italian) => by("liquidatore", "liquidatrice"),
        (Office::Liquidator, ..) => by("Liquidator", "Liquidatorin"),
    }
}

fn power(power: Power, language: Language) -> &'static str {
    match power {
        Power::Sole => said(
            language,
            "mit Einzelunterschrift",
            "avec signature individuelle",
            "con firma individuale",
        ),
        Power::JointByTwo => said(
            language,
            "mit Kollektivunterschrift zu zweien",
            "avec signature collective à deux",
            "con firma collettiva a due",
        ),
        Power::JointProcuration => said(
            language,
            "mit Kollektivprokura zu zweien",
            "avec procuration collective à deux",
            "con procura collettiva a due",
        ),
        Power::SoleProcuration => said(
            language,
            "mit Einzelprokura",
            "avec procuration individuelle",
            "con procura individuale",
        ),
        Power::None => said(
            language,
            "ohne Zeichnungsberechtigung",
            "sans droit de signature",
            "senza diritto di firma",
        ),
    }
}

/// The address in one line, as behind `Domizil neu`.
fn line(address: &Address, language: Language) -> String {
    let Address { care_of, street, house_number, po_box, zip_code, city } = address;
    let mut parts: Vec<String> = care_of.iter().cloned().collect();
    if let Some(street) = street {
        let number = house_number.as_deref().unwrap_or_default();
        parts.push(format!("{street} {number}").trim_end().to_owned());
    }
    let post = said(language, "Postfach", "case postale", "casella postale");
    parts.extend(po_box.as_ref().map(|it| format!("{post} {it}")));
    parts.push(format!("{zip_code} {city}"));
    parts.join(", ")
}

/// `CHF 100'000.00`, in the Romance languages `CHF 100'000`.
fn money(units: i64, currency: &str, language: Language) -> String {
    let cents = said(language, ".00", "", "");
    format!("{currency} {}{cents}", grouped(units))
}

fn grouped(number: i64) -> String {
    let digits = number.to_string();
    let mut grouped = String::with_capacity(digits.len() * 4 / 3 + 1);
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            grouped.push('\'');
        }
        grouped.push(digit);
    }
    grouped
}

/// `02.03.2026`.
pub(crate) fn written(day: Date) -> String {
    format!("{:02}.{:02}.{}", day.day(), day.month(), day.year())
}

fn add(text: &mut String, sentence: &str) {
    if !text.is_empty() {
        text.push(' ');
    }
    text.push_str(sentence);
}

/// With a full stop, and one only.
fn ended(sentence: &str) -> String {
    if sentence.ends_with('.') { sentence.to_owned() } else { format!("{sentence}.") }
}

fn capitalised(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |it| it.to_uppercase().chain(letters).collect())
}

fn lowered(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |it| it.to_lowercase().chain(letters).collect())
}
