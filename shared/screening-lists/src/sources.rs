//! The sources against which a name is screened, and their lists.

use accounts::screening::Screening;
use domain::lists::List;
use problem_details::{Problem, SERVICE_UNAVAILABLE};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// A source of lists. `seco`: sanctions of Switzerland. `opensanctions`: sanctions, politically exposed persons and other
/// lists, collected by OpenSanctions. `finma`: warnings and authorised institutions of the Swiss financial market
/// supervisor.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Source {
    Seco,
    Opensanctions,
    Finma,
}

impl Source {
    const ALL: [Self; 3] = [Self::Seco, Self::Opensanctions, Self::Finma];

    fn lists(self) -> impl Iterator<Item = List> {
        List::ALL.into_iter().filter(move |it| it.source() == self.name())
    }

    /// Name of the source in requests and responses.
    pub fn name(self) -> &'static str {
        match self {
            Self::Seco => "seco",
            Self::Opensanctions => "opensanctions",
            Self::Finma => "finma",
        }
    }
}

/// The sources whose lists are all among these.
fn complete(lists: &[List]) -> Vec<Source> {
    let is_complete = |source: &Source| source.lists().all(|it| lists.contains(&it));
    Source::ALL.into_iter().filter(is_complete).collect()
}

/// The names of the sources that a screening has searched completely.
pub fn sources_checked(screening: &Screening) -> Vec<&'static str> {
    let lists: Vec<List> = screening.lists.iter().map(|it| it.list).collect();
    complete(&lists).into_iter().map(Source::name).collect()
}

/// The lists to search: those of the wanted sources, or else all lists of the service, `published`.
///
/// # Errors
/// 400 for a wanted source that the service does not have: the result would otherwise look complete. 503 if it has none.
pub fn selected(wanted: Option<Vec<Source>>, published: &[List]) -> Result<Vec<List>, Problem> {
    let available = complete(published);
    if published.is_empty() {
        let detail = "no screening list has been loaded yet";
        return Err(Problem::new(&SERVICE_UNAVAILABLE, detail));
    }
    let Some(wanted) = wanted else {
        // Also a list whose source is not complete: its hits count, although the source is not named as searched.
        return Ok(published.to_vec());
    };
    if let Some(missing) = wanted.iter().find(|it| !available.contains(it)) {
        let names: Vec<&str> = available.iter().map(|it| it.name()).collect();
        let names = if names.is_empty() { "none".to_owned() } else { names.join(", ") };
        let missing = missing.name();
        let detail = format!("`{missing}` is not available on this service; available: {names}");
        return Err(Problem::invalid("sources", detail));
    }
    let is_wanted = |it: &List| wanted.iter().any(|source| source.name() == it.source());
    Ok(List::ALL.into_iter().filter(is_wanted).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn source_counts_as_searched_only_with_all_its_lists() {
        assert_eq!(complete(&[List::Seco, List::FinmaWarning]), [Source::Seco]);
        assert_eq!(
            complete(&[List::Seco, List::FinmaWarning, List::FinmaAuthorised]),
            [Source::Seco, Source::Finma]
        );
    }

    #[test]
    fn unavailable_source_is_refused_instead_of_left_out() {
        let published = [List::Seco, List::FinmaWarning, List::FinmaAuthorised];
        assert_eq!(selected(None, &published).ok(), Some(published.to_vec()));
        assert_eq!(selected(Some(vec![Source::Seco]), &published).ok(), Some(vec![List::Seco]));
        assert!(selected(Some(vec![Source::Seco, Source::Opensanctions]), &published).is_err());
        let warnings = [List::FinmaWarning];
        assert_eq!(selected(None, &warnings).ok(), Some(warnings.to_vec()));
        assert!(selected(None, &[]).is_err());
    }
}
