//! Notifying the teams that watch a company of a new risk level.

use company_reader::risk::risk_levels_around;
use domain::{Uid, changes::PublishedEvent};
use store::{TeamKey, Wanted, WatchingTeams};
use teams::{
    Watcher,
    watch::{RiskChange, risk_notifications},
};

use crate::worker::{Error, Outbox, Worker, has_risk};

/// Of a history, the newest events. More than this are not published about a company on one day.
const EVENTS: Wanted = Wanted { board: 0, former: 0, events: 100, mergers: false };

impl Worker {
    /// Notifies the teams that watch a company and whose tier includes its risk, if what was published on the day of this change
    /// has moved the company to another risk level.
    ///
    /// Both levels are those of the same facts and rates, on the day before and on the day: what is known only today, such as
    /// entries on screening lists, is not part of them.
    pub(crate) async fn compare_risk(&self, company: Uid, change: u64) -> Result<(), Error> {
        let watchers = self.tenants.watchers(company).await?;
        let teams = self.teams_with_risk(&watchers).await?;
        if teams.is_empty() {
            return Ok(());
        }
        let Some((_, history)) = self.registry.company_with(company, EVENTS).await? else {
            return Ok(());
        };
        let published: Vec<PublishedEvent> =
            history.events.iter().filter_map(|it| it.published()).collect();
        // A change that was replaced meanwhile has no day any more.
        let Some(changed) = published.iter().find(|it| it.sequence == change) else {
            return Ok(());
        };
        let day = changed.event.date;
        let of_day = published.iter().filter(|it| it.event.date == day);
        let Some(first) = of_day.min_by_key(|it| it.sequence) else { return Ok(()) };
        let generation = self.generations.current().await?;
        let levels = risk_levels_around(&self.assessments, &generation, company, day).await;
        let levels = levels.map_err(|problem| Error::Risk { company, problem: problem.detail })?;
        // A new company had no level before.
        let Some([before, after]) = levels else { return Ok(()) };
        // That more is known of a company without signs is no news.
        if before == after || !(before.is_raised() || after.is_raised()) {
            return Ok(());
        }
        // A team that began to watch later than the first change of the day sees the others.
        let event = PublishedEvent { sequence: change, ..first.clone() };
        let risk_change = RiskChange { event, before, after };
        let mut outbox = Outbox::default();
        let team_of = |it: &Watcher| teams.get(&TeamKey::of_watcher(it));
        for notified in risk_notifications(&risk_change, &watchers, team_of) {
            outbox.add(notified, &teams);
        }
        self.deliver(outbox, first.recorded_at).await?;
        Ok(())
    }

    /// What is known of the teams of these watchers whose tier includes the risk of a company.
    async fn teams_with_risk(&self, watchers: &[Watcher]) -> Result<WatchingTeams, Error> {
        let mut teams = self.tenants.watching_teams(watchers, self.now()).await?;
        teams.retain(|_, team| has_risk(team));
        Ok(teams)
    }
}
