//! What is known about a company: the input of an assessment.

use domain::{
    Amount, Provenance, Status, changes::LegalEvent, company::StatusReason, wording::Translations,
};
use jiff::civil::Date;
use ownership::{Party, Percent, ReportingException, flags::Flag};

/// What is known about a company, by factor. A factor whose facts are `None` was not looked up, and stays at its prior.
///
/// The facts of a factor change no other factor. The order of lists does not matter.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Facts {
    /// Day of the deletion from the register, on which all periods end. `None` if the company is not deleted.
    pub deleted_on: Option<Date>,
    /// Who owns the company.
    pub ownership: Option<OwnershipFacts>,
    /// Hits on lists of sanctions, warnings and politically exposed persons.
    pub listings: Option<Vec<ListHit>>,
    /// Names of owners that were not compared with lists: holders known by name only, and entities abroad that no record of a company
    /// names as its parent.
    pub owners_not_searched: Vec<String>,
    /// Countries of owners and officers.
    pub countries: Option<Vec<CountryLink>>,
    /// Industry and supervision.
    pub industry: Option<IndustryFacts>,
    /// The auditor.
    pub audit: Option<AuditFacts>,
    /// The board.
    pub board: Option<BoardFacts>,
    /// The address.
    pub address: Option<AddressFacts>,
    /// Legal form and capital.
    pub capital: Option<CapitalFacts>,
    /// Age and status.
    pub status: Option<StatusFacts>,
}

impl Facts {
    /// How many factors other than that of lists have facts.
    pub(crate) fn known_factors(&self) -> usize {
        let Self {
            deleted_on: _,
            ownership,
            listings: _,
            owners_not_searched: _,
            countries,
            industry,
            audit,
            board,
            address,
            capital,
            status,
        } = self;
        let known = [
            ownership.is_some(),
            countries.is_some(),
            industry.is_some(),
            audit.is_some(),
            board.is_some(),
            address.is_some(),
            capital.is_some(),
            status.is_some(),
        ];
        known.into_iter().filter(|it| *it).count()
    }
}

/// Something that happened on a day, with its source.
#[derive(Clone, Debug, PartialEq)]
pub struct Dated {
    /// The day of the publication.
    pub on: Date,
    /// What happened, in one sentence.
    pub summary: Translations,
    /// The source.
    pub source: Provenance,
}

/// Who owns a company, as `ownership` resolved it.
#[derive(Clone, Debug, PartialEq)]
pub struct OwnershipFacts {
    /// The company.
    pub company: Party,
    /// The flags of the company and its owners.
    pub flags: Vec<Flag>,
    /// The reasons for naming no parent that the company and its owners reported to GLEIF, each with the name of who did.
    pub exceptions: Vec<(String, ReportingException)>,
    /// Whether a person counts as an owner because of an equal name.
    pub has_holders_by_name: bool,
    /// Whether the company has a capital, of which shares are parts.
    pub has_capital: bool,
    /// The part of the capital, or of a company without one, whose last owners are natural persons.
    pub held_by_persons: Percent,
    /// The statement that shows the owners; the record of the company if there is no other.
    pub source: Provenance,
}

/// Why a name is on a list.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Concern {
    /// Sanctions.
    Sanction,
    /// Warning of a supervisor.
    Warning,
    /// Politically exposed person.
    PoliticallyExposed,
    /// Relative or close associate of a politically exposed person.
    Associate,
}

/// Whose name was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Subject {
    /// The company.
    Company,
    /// An owner.
    Owner,
    /// An officer.
    Officer,
}

/// How sure it is that the subject is the listed one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Identity {
    /// A number agrees, or the team confirmed the hit.
    Confirmed,
    /// The names resemble each other, with this score from 0 to 1.
    Possible(f64),
}

/// A hit on a list.
#[derive(Clone, Debug, PartialEq)]
pub struct ListHit {
    /// Why the listed name is on the list.
    pub concern: Concern,
    /// Whose name was found.
    pub subject: Subject,
    /// Name of the subject.
    pub name: String,
    /// How sure the hit is.
    pub identity: Identity,
    /// The list and the entry.
    pub source: Provenance,
    /// The day of the list that was searched, or on which the service published it. `None`: not known.
    pub list_date: Option<Date>,
}

/// How a country is linked to the company.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum CountryRole {
    /// An owner has its seat or residence there.
    Owner,
    /// An officer lives there.
    Officer,
}

/// A country of an owner or an officer.
#[derive(Clone, Debug, PartialEq)]
pub struct CountryLink {
    /// ISO 3166-1 alpha-2 code.
    pub country: String,
    /// Who is there.
    pub role: CountryRole,
    /// Name of the owner or officer.
    pub name: String,
    /// The statement.
    pub source: Provenance,
}

/// Industry and supervision.
#[derive(Clone, Debug, PartialEq)]
pub struct IndustryFacts {
    /// NOGA 2008 code, two to six digits. `None` if the industry is unknown.
    pub noga_code: Option<String>,
    /// English name of the industry.
    pub name: Option<String>,
    /// Whether FINMA has authorised the company.
    pub is_supervised: bool,
    /// The statement from which the industry follows.
    pub source: Provenance,
    /// The statement about the licence.
    pub licence: Provenance,
}

/// The auditor.
#[derive(Clone, Debug, PartialEq)]
pub struct AuditFacts {
    /// Name of the current auditor.
    pub auditor: Option<String>,
    /// Day since which the current auditor is known to be in office.
    pub since: Option<Date>,
    /// Whether the company waived the limited audit. `None` if no source states it.
    pub opted_out: Option<bool>,
    /// The ends of earlier tenures.
    pub ended: Vec<Dated>,
    /// Whether the company is registered and not in liquidation: only then it needs an auditor.
    pub is_active: bool,
    /// The statement about the current state.
    pub source: Provenance,
}

/// The board and the management.
#[derive(Clone, Debug, PartialEq)]
pub struct BoardFacts {
    /// Number of current members of board and management.
    pub members: usize,
    /// Members who left.
    pub departures: Vec<Dated>,
    /// Day since which the publications about the board are known. `None` if none is known.
    pub known_since: Option<Date>,
    /// Officers with their mandates in other companies. Empty if it was not looked up.
    pub mandates: Vec<OfficerMandates>,
    /// Whether the company is registered and not in liquidation.
    pub is_active: bool,
    /// The statement about the current state.
    pub source: Provenance,
}

/// Number of mandates of an officer.
#[derive(Clone, Debug, PartialEq)]
pub struct OfficerMandates {
    /// Name.
    pub name: String,
    /// Current mandates in other companies.
    pub others: usize,
    /// The statement about the mandate in this company.
    pub source: Provenance,
}

/// The address.
#[derive(Clone, Debug, PartialEq)]
pub struct AddressFacts {
    /// Changes of address or seat.
    pub changes: Vec<Dated>,
    /// Number of other companies at the address. `None` if it was not counted.
    pub neighbours: Option<usize>,
    /// Day since which the publications about the company are known. `None` if none is known.
    pub known_since: Option<Date>,
    /// The statement about the current address.
    pub source: Provenance,
}

/// Legal form and capital.
#[derive(Clone, Debug, PartialEq)]
pub struct CapitalFacts {
    /// Code of the legal form in eCH-0097.
    pub legal_form: Option<String>,
    /// Nominal capital.
    pub amount: Option<Amount>,
    /// ISO 4217 code.
    pub currency: Option<String>,
    /// Reductions of the capital.
    pub reductions: Vec<Dated>,
    /// Increases of the capital.
    pub increases: Vec<Dated>,
    /// The statement about the current capital.
    pub source: Provenance,
}

/// Age and status.
#[derive(Clone, Debug, PartialEq)]
pub struct StatusFacts {
    /// Day of the first entry in the register.
    pub registered: Option<Date>,
    /// The statement about the first entry.
    pub entry: Provenance,
    /// Status. `None` if no source states it.
    pub status: Option<Status>,
    /// Reason for the status.
    pub reason: Option<StatusReason>,
    /// Legal events of the past.
    pub events: Vec<(LegalEvent, Dated)>,
    /// Days on which name, purpose and officers changed together.
    pub sales_of_shell: Vec<Dated>,
    /// The statement about the status.
    pub source: Provenance,
}
