//! The companies that every register begins with, so that even a small one has something to show: groups with companies
//! abroad, firms that are partners of each other, listed companies, a merger, a moratorium, bankruptcies, a liquidation, an
//! opting-out, and dozens of companies at one address with the same director. The first of them are the rows of the table `showcase.csv`; those with the same address follow.

use std::sync::LazyLock;

use domain::{
    Amount, Canton, Company, Status, Uid,
    company::{Affiliation, AffiliationKind},
    statements::{
        demo,
        gleif::{Category, Exception, Group, ParentAbroad, RelatedEntity},
        six::Shareholding,
    },
};
use jiff::civil::Date;

use crate::{
    REAL,
    calendar::{Shift, days_of},
    data::{self, filled},
    forms, identifiers,
    letterbox::Letterbox,
    localities::{self, Locality},
    random::Random,
    trades::Trade,
};

/// How many companies have a row in the table.
const ROWS: usize = 26;
/// How many companies share one address.
const LETTERBOXES: usize = 40;
/// How many companies at the beginning of the register are part of the showcase.
pub(crate) const COUNT: usize = ROWS + LETTERBOXES;
/// Where the companies with the same address are.
pub(crate) const LETTERBOX_CANTON: Canton = Canton::Zg;

/// What a company at the beginning of the register is there to show.
#[derive(Clone, Copy)]
pub(crate) enum Slot {
    /// What its row of the table says.
    Company(&'static Showcase),
    /// One of many companies at an address, with this legal form.
    Letterbox(&'static str),
}

/// What the company with this index is there to show; `None` for all after the showcase.
pub(crate) fn slot(index: usize) -> Option<Slot> {
    match index.checked_sub(REAL.len())? {
        row @ 0..ROWS => Some(Slot::Company(&TABLE[row])),
        row @ ROWS..COUNT if row % 6 == 0 => Some(Slot::Letterbox(forms::LIMITED_LIABILITY)),
        ROWS..COUNT => Some(Slot::Letterbox(forms::CORPORATION)),
        _ => None,
    }
}

/// A row of the table.
pub(crate) struct Showcase {
    pub(crate) index: usize,
    /// What other rows, and the tables of news and reports, call it.
    pub(crate) key: &'static str,
    pub(crate) form: &'static str,
    pub(crate) place: &'static Locality,
    pub(crate) trade: &'static Trade,
    pub(crate) name: &'static str,
    /// Its number, where published clients ask for it.
    number: Option<u32>,
    pub(crate) registered: Date,
    pub(crate) newest_notice: Date,
    story: &'static str,
    /// The key of the other company of the story.
    other: Option<&'static str>,
    /// In whole francs.
    capital: Option<i64>,
    employees: Option<u32>,
    auditor: Option<&'static str>,
    /// The key of the direct parent.
    parent: Option<&'static str>,
    /// Names; each belongs to the next.
    parents_abroad: Vec<&'static str>,
    subsidiaries_abroad: Vec<&'static str>,
    /// The keys of the firms that are partners.
    partners: Vec<&'static str>,
    /// The reason that it reports for naming no parent.
    no_parent: Option<&'static str>,
    /// Who disclosed voting rights to the exchange, with the percentage.
    holders: Vec<(&'static str, f64)>,
}

/// What the newest notices of a company are about.
#[derive(Clone, Copy)]
pub(crate) enum Story {
    TakesOver(&'static Showcase),
    TakenOverBy(&'static Showcase),
    OptingOut,
    Moratorium,
    Bankruptcy,
    Liquidation,
    /// The business or branch has ceased.
    Closure,
    /// The company has neither business nor assets any more.
    Inactivity,
}

static TABLE: LazyLock<Vec<Showcase>> = LazyLock::new(|| {
    let rows = data::rows::<19>(include_str!("../data/showcase.csv"));
    rows.enumerate().map(|(row, fields)| Showcase::read(REAL.len() + row, fields)).collect()
});

/// The row with this key.
pub(crate) fn by_key(key: &str) -> &'static Showcase {
    let row = TABLE.iter().find(|it| it.key == key);
    row.unwrap_or_else(|| panic!("`{key}` is not in the table of the showcase"))
}

/// The fiduciary at the address of the letterbox companies.
pub(crate) fn letterbox_host() -> &'static Showcase {
    let host = TABLE.iter().find(|it| it.story == "letterbox host");
    host.expect("the table has a letterbox host")
}

/// A trade of a letterbox company.
pub(crate) fn letterbox_trade(random: &mut Random) -> &'static Trade {
    const CODES: [&str; 6] = ["642001", "642002", "649901", "467200", "469000", "701002"];
    Trade::by_code(random.pick(&CODES))
}

impl Showcase {
    fn read(index: usize, fields: [&'static str; 19]) -> Self {
        let [
            key,
            form,
            zip_code,
            trade,
            name,
            number,
            registered,
            newest_notice,
            story,
            other,
            capital,
            employees,
            auditor,
            parent,
            parents_abroad,
            subsidiaries,
            partners,
            no_parent,
            holders,
        ] = fields;
        let holder = |it: &'static str| {
            let (name, percent) = it.rsplit_once(' ').expect("a name and a percentage");
            (name, percent.parse().expect("a percentage"))
        };
        let several = |field| data::values(field).filter(|it| !it.is_empty());
        Self {
            index,
            key,
            form,
            place: localities::by_zip_code(zip_code),
            trade: Trade::by_code(trade),
            name,
            number: filled(number).map(data::number),
            registered: registered.parse().expect("a date"),
            newest_notice: newest_notice.parse().expect("a date"),
            story,
            other: filled(other),
            capital: filled(capital).map(data::number),
            employees: filled(employees).map(data::number),
            auditor: filled(auditor),
            parent: filled(parent),
            parents_abroad: several(parents_abroad).collect(),
            subsidiaries_abroad: several(subsidiaries).collect(),
            partners: several(partners).collect(),
            no_parent: filled(no_parent),
            holders: several(holders).map(holder).collect(),
        }
    }

    pub(crate) fn uid(&self) -> Uid {
        self.number.map_or_else(|| identifiers::uid(self.index), identifiers::uid_of)
    }

    pub(crate) fn status(&self) -> Status {
        match self.story() {
            Some(Story::Bankruptcy | Story::Liquidation) => Status::BeingCancelled,
            Some(Story::TakenOverBy(_)) => Status::Cancelled,
            _ => Status::Active,
        }
    }

    pub(crate) fn story(&self) -> Option<Story> {
        match (self.story, self.other) {
            ("takes over", Some(other)) => Some(Story::TakesOver(by_key(other))),
            ("taken over", Some(other)) => Some(Story::TakenOverBy(by_key(other))),
            ("opting-out", None) => Some(Story::OptingOut),
            ("moratorium", None) => Some(Story::Moratorium),
            ("bankruptcy", None) => Some(Story::Bankruptcy),
            ("liquidation", None) => Some(Story::Liquidation),
            _ => None,
        }
    }

    /// The company that this is a branch of.
    pub(crate) fn head_office(&self) -> Option<&'static Self> {
        self.other.filter(|_| self.story == "branch").map(by_key)
    }

    /// The firms that are partners of this `GmbH`.
    pub(crate) fn partners(&self) -> Vec<&'static Self> {
        self.partners.iter().map(|it| by_key(it)).collect()
    }

    /// Replaces what is drawn at random for other companies.
    pub(crate) fn describe(&self, company: &mut Company) {
        if self.story == "letterbox host" {
            let letterbox = Letterbox::of(self.index, LETTERBOX_CANTON);
            company.address_street = Some(letterbox.street.to_owned());
            company.address_house_number = Some(letterbox.house_number);
        }
        (company.address_po_box, company.address_care_of, company.old_names) = (None, None, None);
        company.share_capital = self.capital.map(Amount::units);
        company.currency = self.capital.map(|_| "CHF".to_owned());
        company.employee_count = self.employees;
        company.auditor_name = self.auditor.map(str::to_owned);
        let has_opted_out = forms::may_waive_audit(self.form) && self.auditor.is_none();
        company.auditor_opt_out = has_opted_out.then_some(true);
        company.is_finma_regulated = self.trade.is_bank_or_insurer().then_some(true);
        match self.story() {
            Some(Story::TakesOver(other)) => {
                company.affiliations.push(other.affiliation(AffiliationKind::HasTakenOver));
            }
            Some(Story::TakenOverBy(other)) => {
                company.affiliations.push(other.affiliation(AffiliationKind::WasTakenOverBy));
            }
            _ => {}
        }
        let is_branch = |it: &&Self| it.head_office().is_some_and(|head| head.key == self.key);
        let branches = TABLE.iter().filter(is_branch);
        company
            .affiliations
            .extend(branches.map(|it| it.affiliation(AffiliationKind::BranchOffice)));
        if self.group().is_some() {
            company.lei = Some(identifiers::lei(self.uid()));
        }
    }

    fn affiliation(&self, kind: AffiliationKind) -> Affiliation {
        Affiliation { kind, uid: Some(self.uid()), name: self.name.to_owned() }
    }

    /// The group that GLEIF would state. `None` if the company is in no group.
    pub(crate) fn group(&self) -> Option<Group> {
        let in_register = TABLE.iter().filter(|it| it.parent == Some(self.key));
        let abroad = self.subsidiaries_abroad.iter().enumerate();
        // The identifiers of parents abroad have lower numbers.
        let abroad = abroad.map(|(at, name)| related_abroad(1_000 + self.index * 10 + at, name));
        let mut children: Vec<_> = in_register.map(Self::related).chain(abroad).collect();
        children.sort_by_key(|it| it.lei);
        let direct_parent = self.direct_parent();
        if direct_parent.is_none() && children.is_empty() {
            return None;
        }
        let mut top = self;
        while let Some(parent) = top.parent {
            top = by_key(parent);
        }
        let ultimate_parent = top.above().pop().or_else(|| Some(top.related()));
        let reason = |category| Exception {
            lei: identifiers::lei(self.uid()),
            category,
            reasons: self.no_parent.iter().map(|it| (*it).to_owned()).collect(),
            references: Vec::new(),
        };
        let parents = [Category::DirectParent, Category::UltimateParent];
        let exceptions = parents.into_iter().filter(|_| self.no_parent.is_some());
        Some(Group {
            ultimate_parent: ultimate_parent.filter(|_| direct_parent.is_some()),
            direct_parent,
            children,
            parents_abroad: self.parents_abroad(),
            exceptions: exceptions.map(reason).collect(),
            ..Group::default()
        })
    }

    fn direct_parent(&self) -> Option<RelatedEntity> {
        let abroad = || self.above().into_iter().next();
        self.parent.map(|it| by_key(it).related()).or_else(abroad)
    }

    /// The entities abroad above this company, nearest first.
    fn above(&self) -> Vec<RelatedEntity> {
        let parents = self.parents_abroad.iter().enumerate();
        parents.map(|(at, name)| related_abroad(self.index * 10 + at, name)).collect()
    }

    /// What the entities abroad above this company report.
    fn parents_abroad(&self) -> Vec<ParentAbroad> {
        let above = self.above();
        let report = |(at, it): (usize, &RelatedEntity)| ParentAbroad {
            lei: it.lei,
            direct_parent: above.get(at + 1).cloned(),
            ultimate_parent: above.last().filter(|top| top.lei != it.lei).cloned(),
            exceptions: match at + 1 < above.len() {
                true => Vec::new(),
                // The one at the top says why it has no parent.
                false => vec![Exception {
                    lei: it.lei,
                    category: Category::UltimateParent,
                    reasons: vec!["NO_KNOWN_PERSON".to_owned()],
                    references: Vec::new(),
                }],
            },
            is_incomplete: false,
        };
        above.iter().enumerate().map(report).collect()
    }

    /// Whether it is listed at the exchange: somebody disclosed voting rights.
    pub(crate) fn is_listed(&self) -> bool {
        !self.holders.is_empty()
    }

    /// What was disclosed to the exchange. `director`: the first member of the board.
    pub(crate) fn disclosures(&self, director: &str, shift: Shift) -> Vec<Shareholding> {
        let disclosure = |(at, (holder, percent)): (usize, &(&str, f64))| Shareholding {
            id: format!("{}{}-{at}", demo::ID_PREFIX, self.uid()),
            issuer: self.name.to_owned(),
            issuer_id: None,
            published: shift.published(days_of(self.newest_notice)),
            transaction: None,
            purchase_rate: Some(*percent),
            sale_rate: None,
            below_threshold: None,
            shareholders: Vec::new(),
            beneficial_owners: vec![match *holder {
                "director" => director.to_owned(),
                name => name.to_owned(),
            }],
            reasons: Vec::new(),
        };
        self.holders.iter().enumerate().map(disclosure).collect()
    }

    /// This company as the parent or child of another.
    fn related(&self) -> RelatedEntity {
        RelatedEntity {
            lei: identifiers::lei(self.uid()),
            name: Some(self.name.to_owned()),
            jurisdiction: None,
            uid: Some(self.uid()),
            since: None,
            percentage: None,
        }
    }
}

/// A company abroad. The number identifies it.
fn related_abroad(number: usize, name: &str) -> RelatedEntity {
    RelatedEntity {
        lei: identifiers::foreign_lei(number),
        name: Some(name.to_owned()),
        jurisdiction: None,
        uid: None,
        since: None,
        percentage: None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_row_names_what_exists() {
        assert_eq!(TABLE.len(), ROWS);
        for row in TABLE.iter() {
            let is_known = row.story.is_empty()
                || row.story().is_some()
                || row.head_office().is_some()
                || row.story == "letterbox host";
            assert!(is_known, "{}: {}", row.key, row.story);
            assert!(row.registered < row.newest_notice && row.newest_notice < crate::DEMO_DATE);
            // Panics if the parent is not in the table.
            let _ = row.direct_parent();
            assert!(
                row.partners().is_empty() || row.form == forms::LIMITED_LIABILITY,
                "{}",
                row.key
            );
        }
    }

    #[test]
    fn both_companies_of_a_merger_name_each_other() {
        for row in TABLE.iter() {
            match row.story() {
                Some(Story::TakesOver(other)) => {
                    assert!(
                        matches!(other.story(), Some(Story::TakenOverBy(it)) if it.key == row.key)
                    );
                }
                Some(Story::TakenOverBy(other)) => {
                    assert!(
                        matches!(other.story(), Some(Story::TakesOver(it)) if it.key == row.key)
                    );
                }
                _ => {}
            }
        }
    }
}
