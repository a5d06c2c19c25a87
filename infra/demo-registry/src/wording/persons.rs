//! Officers and auditors in notices.

use super::{Writer, add, capitalised, ended, grouped, money, phrases};
use crate::{
    board::{Change, Firm, Officer, Role, Share, Signature},
    forms,
    localities::Style,
    notice::{AuditFirm, Topic},
    people::{Citizenship, Person},
};

impl Writer<'_> {
    pub(super) fn write_persons(&self, text: &mut String) {
        let (former, new) = self.auditors();
        if self.is_prose() {
            for change in &self.notice.board {
                let sentence = match change {
                    Change::Left(it) => self.left_in_prose(it),
                    Change::Entered(it) => self.entered_in_prose(it),
                    Change::Changed(before, it) => self.changed_in_prose(before, it),
                    Change::FirmEntered(it) | Change::FirmChanged(_, it) => {
                        format!("{}.", self.listed_firm(it))
                    }
                };
                add(text, &sentence);
            }
            if let Some(firm) = former {
                self.add(text, "former auditor in prose", &[("firm", &self.firm(firm))]);
            }
            if let Some(firm) = new {
                let is_entry = self.notice.has(Topic::Entry);
                let key = if is_entry { "first auditor in prose" } else { "new auditor in prose" };
                self.add(text, key, &[("firm", &ended(&self.firm(firm)))]);
            }
            return;
        }
        let mut left: Vec<String> = Vec::new();
        let mut entered: Vec<String> = Vec::new();
        for change in &self.notice.board {
            match change {
                Change::Left(it) => left.push(self.listed(it)),
                Change::Entered(it) => entered.push(self.listed(it)),
                Change::Changed(before, it) => {
                    let (listed, earlier) = (self.listed(it), self.earlier(before, it));
                    entered.push(format!("{listed} [{}: {earlier}]", self.phrase("before")));
                }
                Change::FirmEntered(it) => entered.push(self.listed_firm(it)),
                Change::FirmChanged(before, it) => {
                    let (listed, earlier) = (self.listed_firm(it), self.share(&before.share));
                    entered.push(format!("{listed} [{}: {earlier}]", self.phrase("before")));
                }
            }
        }
        let auditor = self.phrase("auditor");
        left.extend(former.map(|it| format!("{}, {auditor}", self.firm(it))));
        entered.extend(new.map(|it| format!("{}, {auditor}", self.firm(it))));
        if !left.is_empty() {
            self.add(text, "persons who left", &[("persons", &left.join("; "))]);
        }
        if !entered.is_empty() {
            let is_entry = self.notice.has(Topic::Entry);
            let key = if is_entry { "first persons" } else { "new persons" };
            self.add(text, key, &[("persons", &entered.join("; "))]);
        }
    }

    /// The former and the new auditor, where the notice is about them.
    fn auditors(&self) -> (Option<&AuditFirm>, Option<&AuditFirm>) {
        let notice = self.notice;
        let former = notice.before.as_ref().and_then(|it| it.auditor.as_ref());
        let new = notice.after.as_ref().and_then(|it| it.auditor.as_ref());
        let topics = [Topic::Entry, Topic::Auditor, Topic::OptingOut];
        let is_topic = topics.iter().any(|it| notice.has(*it));
        if is_topic && former != new { (former, new) } else { (None, None) }
    }

    fn firm(&self, firm: &AuditFirm) -> String {
        let at = self.phrase("in");
        match firm.uid {
            Some(uid) => format!("{} ({uid}), {at} {}", firm.name, firm.seat),
            None => format!("{}, {at} {}", firm.name, firm.seat),
        }
    }

    /// An officer in a list.
    fn listed(&self, officer: &Officer) -> String {
        let Person { last_name, first_name, residence, .. } = &officer.person;
        let (at, origin) = (self.phrase("in"), self.citizenship(&officer.person));
        let mut listed = format!("{last_name}, {first_name}, {origin}, {at} {residence}");
        let parts = [
            &self.role_name(officer),
            self.signature(officer.signature),
            &self.share(&officer.share),
        ];
        for part in parts.iter().filter(|it| !it.is_empty()) {
            listed.push_str(", ");
            listed.push_str(part);
        }
        listed
    }

    /// A partner that is a firm.
    fn listed_firm(&self, firm: &Firm) -> String {
        let Firm { name, uid, seat, share } = firm;
        let (at, share) = (self.phrase("in"), self.share(share));
        let role = phrases::role_name(Role::Partner, self.form, self.style(), true);
        format!("{name} ({uid}), {at} {seat}, {role}, {share}")
    }

    /// The earlier role, signature, share and residence of an officer, where they differ.
    fn earlier(&self, before: &Officer, after: &Officer) -> String {
        let mut parts: Vec<String> = Vec::new();
        if before.person.residence != after.person.residence {
            parts.push(format!("{} {}", self.phrase("in"), before.person.residence));
        }
        let office = |it: &Officer| (it.role, it.liquidates, it.signature);
        if office(before) != office(after) {
            parts.push(self.role_name(before));
            parts.push(self.signature(before.signature).to_owned());
        }
        if before.share != after.share {
            parts.push(self.share(&before.share));
        }
        parts.retain(|it| !it.is_empty());
        parts.join(", ")
    }

    fn citizenship(&self, person: &Person) -> String {
        let nation = match person.citizenship {
            Citizenship::Origin(place) => {
                let is_vowel = place.starts_with(['A', 'E', 'I', 'O', 'U', 'Y', 'É']);
                return match self.style() {
                    Style::German => format!("von {place}"),
                    Style::Italian => format!("da {place}"),
                    Style::French | Style::Prose if is_vowel => format!("d'{place}"),
                    Style::French | Style::Prose => format!("de {place}"),
                };
            }
            Citizenship::Nation(nation) => nation,
        };
        match (self.style(), person.is_woman) {
            (Style::German, true) => format!("{} Staatsangehörige", nation.german),
            (Style::German, false) => format!("{}r Staatsangehöriger", nation.german),
            (Style::French, true) => format!("ressortissante {}", nation.french[1]),
            (Style::French, false) => format!("ressortissant {}", nation.french[0]),
            (Style::Italian, true) => format!("cittadina {}", nation.italian[1]),
            (Style::Italian, false) => format!("cittadino {}", nation.italian[0]),
            (Style::Prose, _) => nation.country.to_owned(),
        }
    }

    fn role_name(&self, officer: &Officer) -> String {
        let name =
            |role| phrases::role_name(role, self.form, self.style(), officer.person.is_woman);
        let role = name(officer.role);
        if !officer.liquidates {
            return role.to_owned();
        }
        // `Gesellschafter, Geschäftsführer und Liquidator`
        let and = match self.style() {
            Style::German => " und ",
            Style::French | Style::Prose => " et ",
            Style::Italian => " e ",
        };
        [&role.replace(and, ", "), name(Role::Liquidator)].join(and)
    }

    fn signature(&self, signature: Signature) -> &'static str {
        self.phrase(match signature {
            Signature::Sole => "sole signature",
            Signature::JointByTwo => "joint signature",
            Signature::JointProcuration => "joint procuration",
            Signature::SoleProcuration => "sole procuration",
            Signature::None => "no signature",
        })
    }

    fn share(&self, share: &Option<Share>) -> String {
        let Some(Share { count, each, currency }) = share else { return String::new() };
        let key = match count {
            _ if self.form == forms::LIMITED_PARTNERSHIP => "partnership contribution",
            1 => "one quota",
            _ if currency == "CHF" => "quotas held",
            _ => "foreign quotas held",
        };
        let money = money(*each, currency, self.style());
        phrases::fill(self.phrase(key), &[("count", &grouped(*count)), ("money", &money)])
    }

    /// Name, origin and residence as prose has them.
    fn full_name_in_prose(&self, person: &Person) -> String {
        let Person { last_name, first_name, residence, .. } = person;
        format!("{last_name} {first_name}, {}, à {residence}", self.citizenship(person))
    }

    fn left_in_prose(&self, officer: &Officer) -> String {
        let Person { last_name, first_name, .. } = &officer.person;
        let role = self.role_name(officer);
        if !role.is_empty() {
            return format!(
                "{last_name} {first_name} n'est plus {role}; ses pouvoirs sont radiés."
            );
        }
        let signature = match officer.signature {
            Signature::JointProcuration | Signature::SoleProcuration => "procuration",
            _ => "signature",
        };
        format!("La {signature} de {last_name} {first_name} est radiée.")
    }

    fn entered_in_prose(&self, officer: &Officer) -> String {
        let full_name = self.full_name_in_prose(&officer.person);
        let role = self.role_name(officer);
        let signature = self.signature(officer.signature);
        if role.is_empty() {
            let signature = signature.trim_start_matches("avec ");
            return format!("{} est conférée à {full_name}.", capitalised(signature));
        }
        let is_entry = self.notice.has(Topic::Entry);
        let share = self.share(&officer.share);
        if share.is_empty() && !is_entry {
            return format!("{full_name}, est {role} {signature}.");
        }
        let new_role = match (is_entry, officer.person.is_woman, role.starts_with('a')) {
            (true, ..) => capitalised(&role),
            (_, true, _) => format!("Nouvelle {role}"),
            (_, _, true) => format!("Nouvel {role}"),
            _ => format!("Nouveau {role}"),
        };
        match share.is_empty() {
            true => format!("{new_role}: {full_name}, {signature}."),
            false => format!("{new_role}: {full_name}, {share} {signature}."),
        }
    }

    fn changed_in_prose(&self, before: &Officer, after: &Officer) -> String {
        let full_name = self.full_name_in_prose(&after.person);
        let role = self.role_name(after);
        let signature = self.signature(after.signature);
        let share = self.share(&after.share);
        let earlier = self.earlier(before, after);
        match share.is_empty() {
            true => format!("{full_name}, jusqu'ici {earlier}, est maintenant {role} {signature}.")
                .replacen(", avec signature", " avec signature", 1),
            false => format!(
                "{}: {full_name}, {share} {signature} [jusqu'ici: {earlier}].",
                capitalised(&role)
            ),
        }
    }
}
