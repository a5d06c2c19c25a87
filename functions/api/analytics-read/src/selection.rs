//! The companies of a request: their rows, their columns, and the search that finds them.

use std::sync::Arc;

use analytics::{
    InvalidRequest, Needs, Rows,
    columns::{Companies, CompanyColumn},
    groups::Group,
};
use columns::Tables;
use company_reader::{refuse_misspelled_municipality, tagged_companies};
use domain::{Uid, legal_forms::LegalForm, search::CompanyFilters};
use generations::Generation;
use http_service::Tenant;
use problem_details::{INTERNAL, Problem};
use teams::SearchParams;
use url::form_urlencoded::Serializer;

/// Which companies are analysed if the filters name no status.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Population {
    /// Those in the register, because deleted companies would dominate a market.
    Registered,
    /// All, because beginnings and ends are the subject.
    All,
}

/// The companies of a request.
pub(crate) struct Selection {
    pub(crate) generation: Arc<Generation>,
    pub(crate) tables: Tables,
    pub(crate) rows: Rows,
    pub(crate) search: Search,
}

/// The search that finds the companies of a selection.
#[derive(Clone, Debug)]
pub(crate) struct Search {
    public_url: String,
    given: Vec<(String, String)>,
}

impl Selection {
    /// Reads the columns that an analysis needs, and selects the companies.
    pub(crate) async fn read(
        state: &crate::State,
        tenant: Option<Tenant>,
        filters: CompanyFilters,
        population: Population,
        needs: Needs,
    ) -> Result<Self, Problem> {
        let is_whole = filters.given().next().is_none();
        let filters = match population {
            Population::Registered => filters.of_registered(),
            Population::All => filters,
        };
        let generation = state.generations.serving().await?;
        let (rows, tables) = if is_whole {
            // The index is not needed.
            let tables = generation.columns(&needs.and(needs_of_status())).await?;
            (all_rows(&tables.companies, population), tables)
        } else {
            let query = filters.query();
            let team = tenant.as_ref().map(|it| &it.team);
            let tagged = tagged_companies(&state.tenants, team, query).await?;
            refuse_misspelled_municipality(&state.registry, &generation, query).await?;
            let rows = generation.selection(query, tagged).await?;
            (rows, generation.columns(&needs).await?)
        };
        let given = filters.given().map(|(name, value)| (name.to_owned(), value.to_owned()));
        let search = Search { public_url: state.public_url.to_string(), given: given.collect() };
        Ok(Self { generation, tables, rows, search })
    }

    /// The numbers of companies with these rows.
    pub(crate) async fn uids(&self, rows: &[u32]) -> Result<Vec<Uid>, Problem> {
        let needs = Needs { companies: [CompanyColumn::Uid].into(), ..Needs::default() };
        let tables = self.generation.columns(&needs).await?;
        Ok(rows.iter().map(|it| tables.companies.uid[*it as usize]).collect())
    }

    /// Runs an analysis on a thread of its own, because it may take seconds.
    pub(crate) async fn analyse<T: Send + 'static>(
        &self,
        analysis: impl FnOnce(&Tables, &Rows) -> Result<T, InvalidRequest> + Send + 'static,
    ) -> Result<T, Problem> {
        let (tables, rows) = (self.tables.clone(), self.rows.clone());
        let run = tokio::task::spawn_blocking(move || analysis(&tables, &rows)).await;
        match run {
            Ok(analysed) => analysed.map_err(|it| refused(&it)),
            Err(failure) => {
                tracing::error!(failure = failure.to_string(), "an analysis has failed");
                Err(Problem::new(&INTERNAL, "the analysis failed because of an internal error"))
            }
        }
    }
}

/// The filters in the body of a request.
///
/// # Errors
/// 400 with every invalid filter.
pub(crate) fn filters_of(filter: &SearchParams) -> Result<CompanyFilters, Problem> {
    filter.filters().map_err(|it| Problem::all_invalid(it.within("filter").errors("filter")))
}

/// The columns by which companies that are in the register are selected.
fn needs_of_status() -> Needs {
    Needs { companies: [CompanyColumn::Status].into(), ..Needs::default() }
}

/// All rows of a population.
fn all_rows(companies: &Companies, population: Population) -> Rows {
    let all = Rows::all(companies.rows);
    match population {
        Population::All => all,
        Population::Registered => all.filter(|it| companies.is_registered(it) == Some(true)),
    }
}

/// The problem of a request that cannot be answered.
pub(crate) fn refused(invalid: &InvalidRequest) -> Problem {
    Problem::invalid(invalid.member(), invalid)
}

/// Filters by group. The companies of a group match a filter of the same name that the request gives, so that it can be replaced.
const OF_GROUPS: [&str; 3] = ["canton", "nogaDivision", "legalFormCode"];

/// Names and values of filters.
pub(crate) type Filters = Vec<(&'static str, String)>;

/// The filter that finds the companies of a group. `None` if there is none.
pub(crate) fn filter_of(group: Group) -> Option<Filters> {
    match group {
        Group::Canton(canton) => Some(vec![("canton", canton.code().to_owned())]),
        Group::Industry(division) => Some(vec![("nogaDivision", division.code())]),
        Group::LegalForm(form) => {
            LegalForm::by_code(&form.code()).map(|it| vec![("legalFormCode", it.code.to_owned())])
        }
        // By the first entry or else the foundation, which no filter does.
        Group::Year(_) | Group::Quarter(..) | Group::Unknown => None,
    }
}

impl Search {
    /// The list of these companies.
    pub(crate) fn companies(&self) -> String {
        self.url(&[])
    }

    /// The list of those of these companies that are in a group. `None` if no search can find exactly them.
    pub(crate) fn of_group(&self, group: Group) -> Option<String> {
        self.narrowed(&filter_of(group)?)
    }

    /// The list of those of these companies that match other filters, too. `None` if the request gives one of these already, so that
    /// both would have to match.
    pub(crate) fn narrowed(&self, filters: &[(&'static str, String)]) -> Option<String> {
        let is_given = |name: &str| self.given.iter().any(|(given, _)| given == name);
        let contradicts = |name: &str| is_given(name) && !OF_GROUPS.contains(&name);
        (!filters.iter().any(|(name, _)| contradicts(name))).then(|| self.url(filters))
    }

    fn url(&self, filters: &[(&'static str, String)]) -> String {
        let is_replaced = |name: &str| filters.iter().any(|(other, _)| *other == name);
        let kept = self.given.iter().filter(|(name, _)| !is_replaced(name));
        let mut query = Serializer::new(String::new());
        query.extend_pairs(kept).extend_pairs(filters);
        let query = query.finish();
        let mark = if query.is_empty() { "" } else { "?" };
        format!("{}/v1/companies{mark}{query}", self.public_url)
    }
}
