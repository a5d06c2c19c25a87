//! The group of a company, as far as the register shows it.

use domain::{Company, Provenance, wording};
use jiff::civil::Date;

use crate::{
    AnnualFigures, Answer,
    legal_form::{AG, KMAG, KMGK, SICAF, SICAV, SPECIAL},
    size::{exceeds_two_of_three, newest, ordinary_audit},
};

/// A company of the group that is in the register.
#[derive(Clone, Debug, PartialEq)]
pub struct GroupMember {
    /// Name.
    pub name: String,
    /// Whether its legal form has shares that an exchange can list.
    pub has_shares: bool,
    /// The newest disclosure of a holder of its shares to the exchange until the day. `None` if none is known.
    pub listing: Option<Provenance>,
    /// Figures of its annual reports that were published until the day, in any order.
    pub figures: Vec<AnnualFigures>,
    /// The statement that connects it with the company.
    pub source: Provenance,
}

/// The companies above and below a company. What the register does not show is missing: an empty list does not mean that there is
/// none.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Group {
    /// Companies in the register that control the company.
    pub above: Vec<GroupMember>,
    /// Companies in the register that the company controls itself.
    pub below: Vec<GroupMember>,
    /// The newest statement about its owners, if the owners of all its capital are known over all levels, and all of those who
    /// control it are persons or in the register.
    pub all_owners: Option<Provenance>,
}

/// What is known about the part that a company has in the consolidated accounts of a listed company above it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Part {
    /// At least 20 % of assets or turnover of the two companies together. Others of the group may lower it.
    Large,
    /// Less than 20 % of both.
    Small,
    /// Not known.
    Unknown,
}

/// Percentage of assets or turnover from which the law calls a company of a group public (CO 727 para. 1 no. 1 let. c).
const LARGE_PART: f64 = 20.0;

impl Group {
    /// The listed company that controls the company on the day, with the day of the disclosure that shows it.
    pub(crate) fn listed(&self, is_recent: impl Fn(&Provenance) -> bool) -> Option<&GroupMember> {
        self.above.iter().find(|it| it.listing.as_ref().is_some_and(&is_recent))
    }
}

/// Legal forms whose shares an exchange can list: corporations and investment companies, and special legal forms.
const WITH_SHARES: [&str; 6] = [KMAG, AG, SPECIAL, KMGK, SICAV, SICAF];

impl GroupMember {
    /// A company of the group by its record. The other members as those of the type.
    pub fn of(
        record: &Company,
        listing: Option<Provenance>,
        figures: Vec<AnnualFigures>,
        source: Provenance,
    ) -> Self {
        let has_shares =
            record.legal_form_code.as_deref().is_none_or(|it| WITH_SHARES.contains(&it));
        Self { name: record.name.clone(), has_shares, listing, figures, source }
    }

    /// The part that a company below with these figures has in the accounts of this one on a day, and how it was computed.
    pub(crate) fn part_of(&self, own: &[AnnualFigures], day: Date) -> (Part, Option<String>) {
        let pair = newest(&self.figures, day).and_then(|whole| {
            let own = own.iter().find(|it| it.fiscal_year == whole.fiscal_year)?;
            Some((own, whole))
        });
        let Some((own, whole)) = pair else { return (Part::Unknown, None) };
        let ratios = [
            ("assets", own.balance_in_francs(), whole.balance_in_francs()),
            ("turnover", own.revenue_in_francs(), whole.revenue_in_francs()),
        ];
        let mut most = Vec::new();
        for (what, own, whole) in ratios {
            let (Some(own), Some(whole)) = (own, whole) else { continue };
            let (own, whole) = (own.approximate(), whole.approximate());
            if whole <= 0.0 {
                continue;
            }
            // The figures of the listed company may leave out those of this one.
            let least = 100.0 * own / (own + whole);
            if least >= LARGE_PART {
                let share = wording::percent(least / 100.0);
                let text =
                    format!("{share} of the {what} of the two companies together are its own");
                return (Part::Large, Some(text));
            }
            most.push((what, 100.0 * own / whole));
        }
        let is_small = most.len() == 2 && most.iter().all(|it| it.1 < LARGE_PART);
        match is_small {
            true => {
                let text = "its annual report states less than 20 % of the assets and of the turnover of the listed company";
                (Part::Small, Some(text.to_owned()))
            }
            false => (Part::Unknown, None),
        }
    }
}

/// The sum of figures in francs for each financial year. Amounts between the companies are not deducted, and what is not known does
/// not count.
fn summed<'a>(figures: impl Iterator<Item = &'a AnnualFigures>) -> Vec<AnnualFigures> {
    let mut years: Vec<AnnualFigures> = Vec::new();
    for figures in figures.map(AnnualFigures::in_francs) {
        match years.iter_mut().find(|it| it.fiscal_year == figures.fiscal_year) {
            Some(sum) => sum.add(&figures),
            None => years.push(figures),
        }
    }
    years
}

/// Whether the companies that a company controls exceed two of three thresholds of CO 963a together, in two consecutive years.
pub(crate) fn controlled_are_large(group: &Group, day: Date) -> bool {
    let years = summed(group.below.iter().flat_map(|it| &it.figures));
    exceeds_two_of_three(&years, ordinary_audit(day), day).answer == Answer::Yes
}

/// The figures of a company together with those of the companies that it controls and of which the newest year is known, in the
/// years in which all of these are known. `None` if none is known.
pub(crate) fn with_controlled(
    own: &[AnnualFigures],
    group: &Group,
    day: Date,
) -> Option<Vec<AnnualFigures>> {
    let last = newest(own, day)?.fiscal_year;
    let has = |it: &GroupMember, year| it.figures.iter().any(|it| it.fiscal_year == year);
    let controlled: Vec<_> = group.below.iter().filter(|it| has(it, last)).collect();
    if controlled.is_empty() {
        return None;
    }
    let all = own.iter().chain(controlled.iter().flat_map(|it| &it.figures));
    let mut years = summed(all);
    let is_complete = |year| controlled.iter().all(|it| has(it, year));
    years.retain(|it| own.iter().any(|own| own.fiscal_year == it.fiscal_year));
    years.retain(|it| is_complete(it.fiscal_year));
    Some(years)
}
