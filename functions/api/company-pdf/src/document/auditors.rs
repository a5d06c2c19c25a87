//! Current and former auditors, each with a bar on a common axis of years.

use domain::auditors::Tenure;
use jiff::civil::Date;
use serde::Serialize;

use super::{
    MAX_AUDITORS, Profile,
    format::{SHORT, cut},
    words::{Words, filled},
};

#[derive(Debug, Serialize)]
pub(super) struct Auditors {
    rows: Vec<Row>,
    /// What the section says without rows.
    empty: String,
    /// That the company has no auditor now.
    note: Option<String>,
    /// Labels of the ends of the axis. Absent if no start is known: there are no bars.
    from: Option<String>,
    to: Option<String>,
    /// How many auditors are left out.
    more: Option<String>,
}

#[derive(Debug, Serialize)]
struct Row {
    name: String,
    period: String,
    years: String,
    /// Start and end of the bar, 0 to 1. Absent if the start is unknown.
    start: Option<f64>,
    end: Option<f64>,
    current: bool,
}

impl Auditors {
    pub(super) fn of(profile: &Profile, words: Words) -> Self {
        let Profile { company, tenures, today, .. } = profile;
        let shown = &tenures[..tenures.len().min(MAX_AUDITORS)];
        let axis = Axis::of(shown, *today);
        let left_out = tenures.len() - shown.len();
        let more = || filled(words.more_auditors(left_out), &words.grouped(left_out as u64));
        let has_waived = company.auditor_opt_out == Some(true) && company.auditor_name.is_none();
        Self {
            rows: shown.iter().map(|it| Row::of(it, axis, *today, words)).collect(),
            empty: if has_waived { words.opted_out() } else { words.no_auditor().to_owned() },
            note: (has_waived && !shown.is_empty()).then(|| words.opted_out()),
            from: axis.map(|it| it.from.year().to_string()),
            to: axis.map(|it| it.to.year().to_string()),
            more: (left_out > 0).then(more),
        }
    }
}

/// The period that bars show.
#[derive(Clone, Copy)]
struct Axis {
    from: Date,
    to: Date,
}

impl Axis {
    /// `None` if no start is known.
    fn of(tenures: &[Tenure], today: Date) -> Option<Self> {
        let bars = tenures
            .iter()
            .filter_map(|it| Some((it.appointed_at?, it.resigned_at.unwrap_or(today))));
        let from = bars.clone().map(|it| it.0).min()?;
        let to = bars.map(|it| it.1).max()?;
        Some(Self { from, to: to.max(from) })
    }

    /// The place of a day, 0 to 1.
    fn place(self, day: Date) -> f64 {
        let days = |it: Date| f64::from((it - self.from).get_days());
        let length = days(self.to);
        let place = if length > 0.0 { days(day) / length } else { 0.0 };
        (place.clamp(0.0, 1.0) * 1_000.0).round() / 1_000.0
    }
}

impl Row {
    fn of(tenure: &Tenure, axis: Option<Axis>, today: Date, words: Words) -> Self {
        let date = |it: Date| words.date(it);
        let period = match (tenure.appointed_at, tenure.resigned_at) {
            (Some(from), Some(to)) => filled(&filled(words.period(), &date(from)), &date(to)),
            (Some(from), None) => filled(words.since_day(), &date(from)),
            (None, Some(to)) => filled(words.until_day(), &date(to)),
            (None, None) => words.unknown_period().to_owned(),
        };
        // A bar without a start would state a term that no source states.
        let bar = axis.zip(tenure.appointed_at).map(|(axis, from)| {
            (axis.place(from), axis.place(tenure.resigned_at.unwrap_or(today)))
        });
        Self {
            name: cut(&tenure.auditor_name, SHORT),
            period,
            years: tenure.years(today).map(|it| format!("{it:.1}")).unwrap_or_default(),
            start: bar.map(|it| it.0),
            end: bar.map(|it| it.1),
            current: tenure.is_current(),
        }
    }
}
