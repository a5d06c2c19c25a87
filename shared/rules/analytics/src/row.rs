//! The rows of a company: from its record and its history.

use domain::{
    Amount, Canton, ChangeKind, Company, Event, History,
    auditors::{Tenure, firm_key},
    changes::LegalEvent,
    history,
    persons::{Mandate, SigningAuthority},
};
use jiff::civil::Date;
use obligations::{AuditRegime, Basis, RegimeKind, waiver_for_later_years};

use crate::{
    Count, Currency, Day, FirmId, LegalFormCode, Noga, Window,
    columns::{ChangeRow, CompanyRow, Firm, Firms, Leading},
};

impl CompanyRow {
    /// The row of a company with so many rows of changes. `at_address`: number of companies at its address, with itself.
    pub fn of(
        company: &Company,
        history: &History,
        firms: &mut Firms,
        at_address: Option<u32>,
        changes: &[ChangeRow],
    ) -> Self {
        let tenures = history::tenures(company, history, None);
        let tenure = tenures.iter().find(|it| it.is_current() && company.names_auditor_of(it));
        let named = !history.mandates.is_empty();
        let officers = |condition: fn(&Mandate) -> bool| {
            named.then(|| counted(history.current_mandates().filter(|it| condition(it)).count()))
        };
        let (audit_kind, audit_basis) = audit(company, history).unzip();
        let percent = |part: f64| (part.clamp(0.0, 1.0) * 100.0).round() as u8;
        let noga = company.noga_code.as_deref().and_then(Noga::new).or_else(|| {
            let name = company.industry.as_deref()?;
            Noga::new(domain::noga::division_named(name)?.code)
        });
        Self {
            uid: company.uid,
            status: company.status,
            reason: company.status_reason,
            canton: company.canton,
            legal_form: company.legal_form_code.as_deref().and_then(LegalFormCode::new),
            noga,
            capital: company.share_capital.map(Into::into),
            currency: company.currency.as_deref().and_then(Currency::new),
            founding: company.founding_date.map(Day::from),
            registration: company.registration_date.map(Day::from),
            deletion: company.deletion_date.map(Day::from),
            officers: officers(|_| true),
            leaders: officers(Mandate::leads),
            signers: officers(can_sign),
            sole_signers: officers(|it| it.signing_authority == Some(SigningAuthority::Sole)),
            auditor: auditor(company).map(|it| firms.add(it)),
            auditor_category: company.auditor_category,
            auditor_since: tenure.and_then(|it| it.appointed_at).map(Day::from),
            opted_out: company.auditor_opt_out,
            employees: company.employee_count.map(Count::new),
            finma: company.is_finma_regulated,
            last_change: changes.last().map(|it| it.day),
            at_address: at_address.map(Count::new),
            quality: company.data_quality_score.map(percent),
            industry_confidence: company.industry_confidence.map(percent),
            audit_kind,
            audit_basis,
            waiver_since: waiver_for_later_years(company, history).map(Day::from),
            changes: u32::try_from(changes.len()).unwrap_or(u32::MAX),
        }
    }
}

/// The audit firm of the record, by which a search finds the company. That of a deleted company is its last one.
fn auditor(company: &Company) -> Option<Firm> {
    let name = company.auditor_name.clone()?;
    Some(Firm { key: firm_key(company.auditor_uid, &name), name })
}

fn counted(number: usize) -> Count {
    Count::new(u32::try_from(number).unwrap_or(u32::MAX))
}

fn can_sign(mandate: &Mandate) -> bool {
    !matches!(mandate.signing_authority, None | Some(SigningAuthority::None))
}

/// The audit that the law would require without a waiver, from record and history alone. `None` if it is unknown.
fn audit(company: &Company, history: &History) -> Option<(RegimeKind, Basis)> {
    let regime = AuditRegime::without_waiver(company, history);
    (regime.kind != RegimeKind::Unknown).then_some((regime.kind, regime.basis))
}

impl ChangeRow {
    /// The rows of the changes of a company: those that are published and not internal, by day, then by sequence number.
    pub fn all_of(company: &Company, history: &History, firms: &mut Firms) -> Vec<Self> {
        let counts = |it: &&history::Recorded| it.sequence.is_some() && !it.event.is_internal();
        let mut recorded: Vec<&history::Recorded> = history.events.iter().filter(counts).collect();
        recorded.sort_by_key(|it| (it.event.date, it.sequence));
        let events: Vec<&Event> = recorded.into_iter().map(|it| &it.event).collect();
        let mut rows: Vec<Self> = events.iter().map(|it| Self::of(it, history)).collect();
        set_moves(&events, &mut rows);
        set_auditors(company, history, firms, &mut rows);
        rows
    }

    fn of(event: &Event, history: &History) -> Self {
        let (old_capital, new_capital) = capitals(event);
        Self {
            legal_event: event.legal_event,
            old_capital: old_capital.map(Into::into),
            new_capital: new_capital.map(Into::into),
            leading: leading(event, history),
            ..Self::new(event.date.into(), event.kind)
        }
    }
}

/// The capital before and after a change of it, in francs.
fn capitals(event: &Event) -> (Option<Amount>, Option<Amount>) {
    let is_capital =
        event.kind == ChangeKind::CapitalChange && event.field.as_deref() == Some("shareCapital");
    let are_francs = event.currencies.as_ref().is_none_or(|it| it.iter().all(|it| it == "CHF"));
    if !is_capital || !are_francs {
        return (None, None);
    }
    let amount = |text: &Option<String>| text.as_deref().and_then(|it| it.parse().ok());
    (amount(&event.old_value), amount(&event.new_value))
}

/// Whether a leading person entered or left with this event.
fn leading(event: &Event, history: &History) -> Option<Leading> {
    let person =
        event.subject.as_ref()?.person_id.filter(|_| event.kind == ChangeKind::BoardChange)?;
    let mandates = history.mandates.iter().filter(|it| it.person_id == person && it.leads());
    let find = |wanted: fn(&Mandate) -> Option<Date>| {
        mandates.clone().any(|it| wanted(it) == Some(event.date))
    };
    if find(|it| it.until) {
        return Some(Leading::Left);
    }
    find(|it| it.since).then_some(Leading::Entered)
}

/// Sets the cantons of moves. The canton before is that of the newest publication of an earlier day. The former canton publishes
/// the same move, too, which does not count; nor does a move within a canton.
fn set_moves(events: &[&Event], rows: &mut [ChangeRow]) {
    let mut before: Option<Canton> = None;
    for (events, rows) in days(events, rows) {
        let leaves = |it: &&&Event| it.legal_event == Some(LegalEvent::SeatMovedOut);
        let from = before.or_else(|| events.iter().find(leaves)?.canton);
        let is_move = |it: &Event| {
            let comes = it.legal_event == Some(LegalEvent::SeatMovedIn);
            it.kind == ChangeKind::SeatChange
                && !leaves(&&it)
                && it.canton.is_some_and(|to| from.map_or(comes, |from| from != to))
        };
        if let Some(at) = events.iter().position(|it| is_move(it)) {
            (rows[at].from_canton, rows[at].to_canton) = (from, events[at].canton);
        }
        // The former canton says last where the company was, not where it is.
        let stays = events.iter().rev().filter(|it| !leaves(it)).find_map(|it| it.canton);
        before = stays.or(from);
    }
}

/// The events of each day with their rows.
fn days<'a, 'b>(
    mut events: &'a [&'a Event],
    mut rows: &'b mut [ChangeRow],
) -> Vec<(&'a [&'a Event], &'b mut [ChangeRow])> {
    let mut days = Vec::new();
    while let Some(first) = events.first() {
        let count = events.partition_point(|it| it.date <= first.date);
        let (of_day, rest) = std::mem::take(&mut rows).split_at_mut(count);
        days.push((&events[..count], of_day));
        (events, rows) = (&events[count..], rest);
    }
    days
}

/// Sets the firms of changes of the auditor: those of tenures that begin or end on the day.
fn set_auditors(company: &Company, history: &History, firms: &mut Firms, rows: &mut [ChangeRow]) {
    let mut tenures = history::tenures(company, history, None);
    tenures.reverse();
    for (at, tenure) in tenures.iter().enumerate() {
        let next = tenures.get(at + 1).filter(|it| follows(tenure, it));
        let is_first = at.checked_sub(1).is_none_or(|it| !follows(&tenures[it], tenure));
        let id = firms.id(tenure);
        if is_first {
            set_firms(rows, tenure.appointed_at, None, Some(id));
        }
        match next {
            Some(next) => {
                let next_id = firms.id(next);
                set_firms(rows, next.appointed_at, Some(id), Some(next_id));
            }
            None => set_firms(rows, tenure.resigned_at, Some(id), None),
        }
    }
}

/// Days between the end of a tenure and the beginning of the next one, up to which one firm follows the other.
const GAP_DAYS: i32 = 365;

/// Whether a tenure follows another one directly.
fn follows(tenure: &Tenure, next: &Tenure) -> bool {
    let days = tenure
        .resigned_at
        .zip(next.appointed_at)
        .map(|(end, start)| Day::from(start).since(end.into()));
    days.is_some_and(|it| it <= GAP_DAYS)
}

/// Sets the firms of the first change of the auditor on a day.
fn set_firms(rows: &mut [ChangeRow], day: Option<Date>, from: Option<FirmId>, to: Option<FirmId>) {
    let Some(day) = day.map(Day::from) else { return };
    let of_day = Window { since: day, until: day };
    let is_free = |it: &&mut ChangeRow| {
        let is_of_auditor = it.kind == ChangeKind::AuditorChange && of_day.contains(it.day);
        is_of_auditor && it.from_auditor.is_none() && it.to_auditor.is_none()
    };
    if let Some(row) = rows.iter_mut().find(is_free) {
        (row.from_auditor, row.to_auditor) = (from, to);
    }
}

#[cfg(test)]
mod tests {
    use domain::{Provenance, Uid, changes::Subject, history::Recorded};

    use super::*;
    use crate::columns::{Changes, Companies};

    fn uid(text: &str) -> Uid {
        text.parse().expect("well-formed")
    }

    fn event(
        kind: ChangeKind,
        on: &str,
        canton: Option<Canton>,
        legal: Option<LegalEvent>,
    ) -> Event {
        Event {
            id: uuid::Uuid::nil(),
            uid: uid("CHE-600.000.012"),
            company_name: String::new(),
            canton,
            kind,
            field: None,
            old_value: None,
            new_value: None,
            summary: String::new(),
            date: on.parse().expect("a day"),
            source: source(),
            subject: None,
            legal_event: legal,
            journal_date: None,
            decision_date: None,
            currencies: None,
            transfer: None,
        }
    }

    fn source() -> Provenance {
        Provenance { source: "shab".into(), reference: None, date: None }
    }

    fn history(events: Vec<Event>) -> History {
        let recorded = (1..).zip(events).map(|(sequence, event)| Recorded {
            sequence: Some(sequence),
            ..Recorded::from(event)
        });
        History { events: recorded.collect(), ..History::default() }
    }

    fn company() -> Company {
        Company::new(uid("CHE-600.000.012"), "Muster AG")
    }

    fn rows(history: &History) -> Vec<ChangeRow> {
        ChangeRow::all_of(&company(), history, &mut Firms::default())
    }

    fn moves(events: Vec<Event>) -> Vec<(Option<Canton>, Option<Canton>)> {
        let rows = rows(&history(events));
        rows.iter()
            .filter(|it| it.to_canton.is_some())
            .map(|it| (it.from_canton, it.to_canton))
            .collect()
    }

    #[test]
    fn a_move_between_cantons_counts_once() {
        use Canton::{Be, Zg, Zh};
        use LegalEvent::{SeatMoved, SeatMovedIn, SeatMovedOut};
        let seat = |on, canton, legal| event(ChangeKind::SeatChange, on, Some(canton), Some(legal));
        let other = |on, canton| event(ChangeKind::NameChange, on, Some(canton), None);
        let first = other("2020-01-01", Zh);
        // The former canton publishes before or after, and the new one several changes in one notice.
        for days in [
            ["2021-03-01", "2021-03-04"],
            ["2021-03-04", "2021-03-01"],
            ["2021-03-01", "2021-03-01"],
        ] {
            let mut events = vec![
                first.clone(),
                other(days[0], Zg),
                seat(days[0], Zg, SeatMovedIn),
                seat(days[1], Zh, SeatMovedOut),
                seat("2022-01-01", Zg, SeatMoved),
            ];
            events.sort_by_key(|it| it.date);
            assert_eq!(moves(events), [(Some(Zh), Some(Zg))], "{days:?}");
        }
        let there_and_back = vec![
            first.clone(),
            seat("2021-03-01", Be, SeatMovedIn),
            seat("2021-03-04", Zh, SeatMovedOut),
            seat("2023-03-01", Zh, SeatMovedIn),
        ];
        assert_eq!(moves(there_and_back), [(Some(Zh), Some(Be)), (Some(Be), Some(Zh))]);
        assert_eq!(moves(vec![seat("2021-03-01", Zg, SeatMovedIn)]), [(None, Some(Zg))]);
        assert_eq!(
            moves(vec![seat("2021-03-01", Zg, SeatMoved)]),
            [],
            "within a canton, for all we know"
        );
        assert_eq!(
            moves(vec![first, seat("2021-03-01", Zh, SeatMovedOut)]),
            [],
            "not known where to"
        );
    }

    #[test]
    fn only_published_changes_that_are_not_internal_have_rows() {
        let mut history = history(vec![
            event(ChangeKind::NameChange, "2021-01-01", None, None),
            event(ChangeKind::Other, "2021-01-02", None, None),
            event(ChangeKind::NameChange, "2021-01-03", None, None),
        ]);
        history.events[2].sequence = None;
        assert_eq!(rows(&history).len(), 1);
    }

    #[test]
    fn capitals_are_read_in_francs_only() {
        let change = |field: &str, currency: Option<&str>| {
            let mut event = event(ChangeKind::CapitalChange, "2021-01-01", None, None);
            event.field = Some(field.into());
            event.old_value = Some("100000".into());
            event.new_value = Some("250000.5".into());
            event.currencies = currency.map(|it| [it.to_owned(), it.to_owned()]);
            let row = &rows(&history(vec![event]))[0];
            row.old_capital
                .zip(row.new_capital)
                .map(|(old, new)| (old.approximate(), new.approximate()))
        };
        assert_eq!(change("shareCapital", None), Some((100_000.0, 250_000.5)));
        assert_eq!(change("shareCapital", Some("CHF")), Some((100_000.0, 250_000.5)));
        assert_eq!(change("shareCapital", Some("EUR")), None);
        assert_eq!(change("participationCapital", None), None);
    }

    fn tenure(name: &str, from: Option<&str>, until: Option<&str>) -> Tenure {
        let date = |it: Option<&str>| it.map(|it| it.parse().expect("a day"));
        Tenure {
            auditor_name: name.into(),
            auditor_uid: None,
            appointed_as: None,
            appointed_at: date(from),
            resigned_at: date(until),
            source: source(),
        }
    }

    #[test]
    fn firms_follow_each_other_unless_years_are_between_them() {
        let on = |day| event(ChangeKind::AuditorChange, day, None, None);
        let mut history =
            history(vec![on("2010-01-01"), on("2015-01-01"), on("2018-01-01"), on("2022-01-01")]);
        history.tenures = vec![
            tenure("A AG", Some("2010-01-01"), Some("2015-01-01")),
            tenure("B AG", Some("2015-01-01"), Some("2018-01-01")),
            tenure("C AG", Some("2022-01-01"), None),
        ];
        let mut firms = Firms::default();
        let rows = ChangeRow::all_of(&company(), &history, &mut firms);
        let names: Vec<_> = rows
            .iter()
            .map(|it| {
                [it.from_auditor, it.to_auditor]
                    .map(|it| it.map_or("-", |it| firms.get(it).name.as_str()))
            })
            .collect();
        assert_eq!(names, [["-", "A AG"], ["A AG", "B AG"], ["B AG", "-"], ["-", "C AG"]]);
        let audited = Company { auditor_name: Some("C AG".into()), ..company() };
        let row = CompanyRow::of(&audited, &history, &mut firms, None, &rows);
        assert_eq!(row.auditor_since, Some("2022-01-01".parse::<Date>().expect("a day").into()));
        assert_eq!(row.auditor.map(|it| firms.get(it).name.as_str()), Some("C AG"));
        assert_eq!((row.changes, firms.len()), (4, 3));
        assert_eq!(row.last_change, rows.last().map(|it| it.day));
    }

    fn mandate(
        person: u128,
        authority: Option<SigningAuthority>,
        from: &str,
        until: Option<&str>,
    ) -> Mandate {
        let json = serde_json::json!({
            "personId": uuid::Uuid::from_u128(person),
            "confidence": 1.0,
            "person": { "firstName": "Anna", "lastName": "Muster", "isEntity": false },
            "role": "Mitglied",
            "category": "board",
            "since": from,
            "until": until,
            "source": source(),
        });
        let mut mandate: Mandate = serde_json::from_value(json).expect("a mandate");
        mandate.signing_authority = authority;
        mandate
    }

    #[test]
    fn officers_are_counted_and_their_changes_recognised() {
        let board = |person, on| Event {
            subject: Some(Subject {
                person_id: Some(uuid::Uuid::from_u128(person)),
                uid: None,
                name: String::new(),
            }),
            ..event(ChangeKind::BoardChange, on, None, None)
        };
        let mut history = history(vec![
            board(1, "2020-01-01"),
            board(2, "2020-01-01"),
            board(2, "2021-01-01"),
            board(1, "2021-05-05"),
        ]);
        let nobody = CompanyRow::of(&company(), &history, &mut Firms::default(), Some(3), &[]);
        assert_eq!(
            (nobody.officers, nobody.at_address),
            (None, Some(Count::new(3))),
            "nobody was ever named"
        );
        history.mandates = vec![
            mandate(1, Some(SigningAuthority::Sole), "2020-01-01", None),
            mandate(2, None, "2020-01-01", Some("2021-01-01")),
            mandate(3, Some(SigningAuthority::CollectiveTwo), "2019-01-01", None),
            mandate(4, None, "2019-01-01", None),
        ];
        let rows = rows(&history);
        let leading: Vec<_> = rows.iter().map(|it| it.leading).collect();
        assert_eq!(
            leading,
            [Some(Leading::Entered), Some(Leading::Entered), Some(Leading::Left), None]
        );
        let row = CompanyRow::of(&company(), &history, &mut Firms::default(), None, &rows);
        let counts = [row.officers, row.leaders, row.signers, row.sole_signers];
        assert_eq!(counts.map(|it| it.map(Count::get)), [Some(3), Some(3), Some(2), Some(1)]);
    }

    #[test]
    fn audit_is_that_of_the_law_without_the_waiver() {
        let kind = |form: &str, opted_out| {
            let mut company = company();
            company.status = Some(domain::Status::Active);
            company.legal_form_code = Some(form.into());
            company.auditor_opt_out = opted_out;
            let row = CompanyRow::of(
                &company.completed(),
                &History::default(),
                &mut Firms::default(),
                None,
                &[],
            );
            (row.audit_kind, row.opted_out)
        };
        assert_eq!(kind("0106", Some(true)), (Some(RegimeKind::Limited), Some(true)));
        assert_eq!(kind("0106", Some(false)), (Some(RegimeKind::Limited), Some(false)));
        assert_eq!(kind("0106", None), (None, None), "whether it was waived is not known");
        assert_eq!(kind("0101", None), (Some(RegimeKind::None), None));
        assert_eq!(kind("0110", Some(true)), (Some(RegimeKind::None), Some(true)), "exempt");
    }

    #[test]
    fn the_division_is_found_by_its_name_where_there_is_no_code() {
        let mut company = company();
        company.industry = Some("Software and IT services".into());
        let row = CompanyRow::of(&company, &History::default(), &mut Firms::default(), None, &[]);
        assert_eq!(row.noga, Noga::new("62"));
    }

    /// Board size, changes, age and size are those that the fingerprint of the same company states.
    #[test]
    fn figures_are_those_of_the_fingerprint() {
        let today: Date = "2026-11-30".parse().expect("a day");
        let events = ["2015-01-01", "2025-11-30", "2025-12-01", "2026-11-30", "2026-12-01"];
        let events = events.map(|it| event(ChangeKind::NameChange, it, None, None));
        let mut history = history(events.into());
        history.mandates = vec![
            mandate(1, None, "2015-01-01", None),
            mandate(2, None, "2015-01-01", Some("2020-01-01")),
            mandate(3, None, "2019-01-01", None),
        ];
        let outline = |it: &Recorded| history::EventOutline {
            date: it.event.date,
            kind: it.event.kind,
            size: 0,
        };
        let outline = history::HistoryOutline {
            events: history.events.iter().map(outline).collect(),
            current_mandates: 2,
        };
        let of_each = [
            (Some("2010-03-01"), None, Some(12), Some("CHF"), None),
            (None, Some("2020-05-05"), None, Some("EUR"), Some(true)),
            (Some("2026-11-30"), None, None, Some("JPY"), Some(false)),
        ];
        for (registration, founding, employees, currency, opted_out) in of_each {
            let mut company = company();
            company.share_capital = Some(Amount::units(2_000_000));
            company.currency = currency.map(str::to_owned);
            company.registration_date = registration.map(|it| it.parse().expect("a day"));
            company.founding_date = founding.map(|it| it.parse().expect("a day"));
            company.employee_count = employees;
            company.auditor_opt_out = opted_out;
            let company = company.completed();
            let print = domain::fingerprint::fingerprint(&company, &outline, &[], None, 0, today);
            let (mut companies, mut changes) = (Companies::default(), Changes::default());
            let rows = rows(&history);
            companies.push(CompanyRow::of(&company, &history, &mut Firms::default(), None, &rows));
            rows.into_iter().for_each(|it| changes.push(it));
            let window = Window::last(365, today.into());
            let frequency = changes.count(companies.places_of_changes().of(0), window);
            let age = f64::from(companies.age_in_days(0, today.into()).expect("known")) / 365.25;
            assert_eq!(companies.officers[0].map(Count::get), Some(print.board_size));
            assert_eq!((frequency, age as u32), (print.change_frequency, print.company_age));
            assert_eq!(companies.size(0), print.size_category, "{currency:?}");
        }
    }
}
