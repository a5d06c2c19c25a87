//! The sources against which a name is screened, and their lists.

use domain::lists::{List, ListSource};
use problem_details::{Problem, SERVICE_UNAVAILABLE};
use teams::screening::Screening;

/// The sources whose lists are all among these.
fn complete(lists: &[List]) -> Vec<ListSource> {
    let is_complete = |source: &ListSource| source.lists().all(|it| lists.contains(&it));
    ListSource::ALL.into_iter().filter(is_complete).collect()
}

/// The names of the sources that a screening has searched.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SourcesChecked {
    /// Those that were searched completely.
    pub fully: Vec<&'static str>,
    /// Those of which some records cannot be read, so that a subject without a hit may be on the list nevertheless.
    pub not_fully: Vec<&'static str>,
}

impl SourcesChecked {
    /// The sources that a screening has searched.
    pub fn of(screening: &Screening) -> Self {
        let lists: Vec<List> = screening.lists.iter().map(|it| it.list).collect();
        let is_readable = |it: &ListSource| {
            !screening.lists.iter().any(|list| list.list.source() == *it && list.unsearched > 0)
        };
        let (checked, partly): (Vec<_>, Vec<_>) =
            complete(&lists).into_iter().partition(is_readable);
        let names = |it: Vec<ListSource>| it.into_iter().map(ListSource::name).collect();
        Self { fully: names(checked), not_fully: names(partly) }
    }
}

/// The lists to search: those of the wanted sources, or else all lists of the service, `published`.
///
/// # Errors
/// 400 for a wanted source that the service does not have: the result would otherwise look complete. 503 if it has none.
pub fn selected(wanted: Option<Vec<ListSource>>, published: &[List]) -> Result<Vec<List>, Problem> {
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
    let is_wanted = |it: &List| wanted.contains(&it.source());
    Ok(List::ALL.into_iter().filter(is_wanted).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn source_counts_as_searched_only_with_all_its_lists() {
        assert_eq!(complete(&[List::Seco, List::FinmaWarning]), [ListSource::Seco]);
        assert_eq!(
            complete(&[List::Seco, List::FinmaWarning, List::FinmaAuthorised]),
            [ListSource::Seco, ListSource::Finma]
        );
    }

    #[test]
    fn unavailable_source_is_refused_instead_of_left_out() {
        let published = [List::Seco, List::FinmaWarning, List::FinmaAuthorised];
        assert_eq!(selected(None, &published).ok(), Some(published.to_vec()));
        assert_eq!(selected(Some(vec![ListSource::Seco]), &published).ok(), Some(vec![List::Seco]));
        assert!(
            selected(Some(vec![ListSource::Seco, ListSource::Opensanctions]), &published).is_err()
        );
        let warnings = [List::FinmaWarning];
        assert_eq!(selected(None, &warnings).ok(), Some(warnings.to_vec()));
        assert!(selected(None, &[]).is_err());
    }
}
