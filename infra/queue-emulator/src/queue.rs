//! One queue: when a message is visible, in flight, delayed, gone.

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
    time::Duration,
};

use base64::{Engine, prelude::BASE64_STANDARD};
use tokio::{sync::Notify, time::Instant};
use uuid::Uuid;

use crate::{
    message::{Attributes, Draft},
    refusal::Refusal,
    settings::Settings,
    state::{ACCOUNT, REGION},
};

/// A message's place in its queue.
type Place = u64;

pub(crate) struct Queue {
    pub(crate) name: String,
    pub(crate) settings: Settings,
    /// Told whenever a message may have become visible sooner than was known.
    pub(crate) changed: Arc<Notify>,
    pub(crate) created: u64,
    pub(crate) modified: u64,
    purged: Option<Instant>,
    /// Tells this queue's receipt handles from those of another, or of an earlier one of its name.
    id: Uuid,
    messages: BTreeMap<Place, Message>,
    visible: BTreeSet<Place>,
    /// Delayed or in flight, until then.
    hidden: BTreeSet<(Instant, Place)>,
    next: Place,
}

#[derive(Clone, Debug)]
pub(crate) struct Message {
    pub(crate) id: Uuid,
    pub(crate) body: String,
    pub(crate) attributes: Attributes,
    pub(crate) system_attributes: Attributes,
    /// In milliseconds since 1970, as is every time that a client sees.
    pub(crate) sent: u64,
    pub(crate) first_received: Option<u64>,
    pub(crate) receives: u32,
    /// The ARN of the queue that gave it up.
    pub(crate) source: Option<String>,
    hidden_until: Option<Instant>,
}

/// How many messages are in which state.
pub(crate) struct Counts {
    pub(crate) visible: usize,
    pub(crate) in_flight: usize,
    pub(crate) delayed: usize,
}

impl Message {
    pub(crate) fn new(draft: Draft, now: u64) -> Self {
        Self {
            id: Uuid::new_v4(),
            body: draft.message_body,
            attributes: draft.message_attributes,
            system_attributes: draft.message_system_attributes,
            sent: now,
            first_received: None,
            receives: 0,
            source: None,
            hidden_until: None,
        }
    }
}

impl Queue {
    pub(crate) fn new(name: String, settings: Settings, now: u64) -> Self {
        Self {
            name,
            settings,
            changed: Arc::default(),
            created: now,
            modified: now,
            purged: None,
            id: Uuid::new_v4(),
            messages: BTreeMap::new(),
            visible: BTreeSet::new(),
            hidden: BTreeSet::new(),
            next: 0,
        }
    }

    pub(crate) fn arn(&self) -> String {
        format!("arn:aws:sqs:{REGION}:{ACCOUNT}:{}", self.name)
    }

    /// Does what time has done: what was hidden long enough is visible, what was kept long enough
    /// is gone.
    pub(crate) fn settle(&mut self, now: u64) {
        let instant = Instant::now();
        while let Some(&(until, place)) = self.hidden.first().filter(|it| it.0 <= instant) {
            self.hidden.remove(&(until, place));
            self.show(place);
        }
        let kept = self.settings.number("MessageRetentionPeriod") * 1_000;
        while let Some(entry) = self.messages.first_entry().filter(|it| it.get().sent + kept <= now)
        {
            let place = *entry.key();
            self.take(place);
        }
    }

    pub(crate) fn push(&mut self, message: Message, delay: Duration) {
        let place = self.next;
        self.next += 1;
        self.messages.insert(place, message);
        self.hide(place, delay);
    }

    /// The next visible messages, in flight from now on, each with its receipt handle.
    pub(crate) fn receive(
        &mut self,
        most: usize,
        hidden: Duration,
        now: u64,
    ) -> Vec<(String, &Message)> {
        let places: Vec<Place> = self.visible.iter().copied().take(most).collect();
        for &place in &places {
            if let Some(message) = self.messages.get_mut(&place) {
                message.receives += 1;
                message.first_received.get_or_insert(now);
            }
            self.hide(place, hidden);
        }
        let receipt =
            |place, receives| BASE64_STANDARD.encode(format!("{} {place} {receives}", self.id));
        let messages = places.into_iter().filter_map(|it| Some((it, self.messages.get(&it)?)));
        messages.map(|(place, it)| (receipt(place, it.receives), it)).collect()
    }

    /// Takes out visible messages that were received so often already, as far as they stand before
    /// the next `most` to be received.
    pub(crate) fn take_exhausted(&mut self, receives: u32, most: usize) -> Vec<Message> {
        let mut exhausted = Vec::new();
        let mut others = 0;
        for place in &self.visible {
            if self.messages.get(place).is_some_and(|it| it.receives >= receives) {
                exhausted.push(*place);
            } else if others + 1 == most {
                break;
            } else {
                others += 1;
            }
        }
        exhausted.into_iter().filter_map(|it| self.take(it)).collect()
    }

    /// Takes out all visible messages.
    pub(crate) fn take_visible(&mut self) -> Vec<Message> {
        let visible = std::mem::take(&mut self.visible);
        visible.into_iter().filter_map(|it| self.messages.remove(&it)).collect()
    }

    /// Deletes a message. The handle of an older receive changes nothing, as AWS documents it; nor
    /// does that of a message that is gone.
    pub(crate) fn delete(&mut self, receipt: &str) -> Result<(), Refusal> {
        let (place, receive) = self.understand(receipt)?;
        if self.messages.get(&place).is_some_and(|it| it.receives == receive) {
            self.take(place);
        }
        Ok(())
    }

    /// Hides a message in flight for so long from now.
    pub(crate) fn change_visibility(
        &mut self,
        receipt: &str,
        hidden: Duration,
    ) -> Result<(), Refusal> {
        let (place, receive) = self.understand(receipt)?;
        let Some(message) = self.messages.get(&place) else {
            let reason =
                "Message does not exist or is not available for visibility timeout change.";
            return Err(Refusal::value("ReceiptHandle", receipt, reason));
        };
        if message.hidden_until.is_none() || message.receives != receive {
            let message = "The specified message referred to isn't in flight.";
            return Err(Refusal::new("MessageNotInflight", message));
        }
        self.hide(place, hidden);
        Ok(())
    }

    /// Forgets every message; not twice within a minute.
    pub(crate) fn purge(&mut self) -> Result<(), Refusal> {
        let minute = Duration::from_secs(60);
        if self.purged.is_some_and(|it| it.elapsed() < minute) {
            let message = format!(
                "Only one PurgeQueue operation on {} is allowed every 60 seconds.",
                self.name
            );
            return Err(Refusal::new("PurgeQueueInProgress", message));
        }
        self.purged = Some(Instant::now());
        self.messages.clear();
        self.visible.clear();
        self.hidden.clear();
        Ok(())
    }

    /// When the next hidden message becomes visible.
    pub(crate) fn next_visible(&self) -> Option<Instant> {
        self.hidden.first().map(|it| it.0)
    }

    pub(crate) fn counts(&self) -> Counts {
        let is_delayed = |place| self.messages.get(place).is_some_and(|it| it.receives == 0);
        let delayed = self.hidden.iter().filter(|(_, place)| is_delayed(place)).count();
        Counts { visible: self.visible.len(), in_flight: self.hidden.len() - delayed, delayed }
    }

    fn understand(&self, receipt: &str) -> Result<(Place, u32), Refusal> {
        let parse = || {
            let text = String::from_utf8(BASE64_STANDARD.decode(receipt).ok()?).ok()?;
            let (place, receive) = text.strip_prefix(&format!("{} ", self.id))?.split_once(' ')?;
            Some((place.parse().ok()?, receive.parse().ok()?))
        };
        parse().ok_or_else(|| {
            let message =
                format!("The input receipt handle \"{receipt}\" is not a valid receipt handle.");
            Refusal::new("ReceiptHandleIsInvalid", message)
        })
    }

    fn hide(&mut self, place: Place, time: Duration) {
        if time.is_zero() {
            return self.show(place);
        }
        let until = Instant::now() + time;
        let Some(message) = self.messages.get_mut(&place) else { return };
        if let Some(before) = message.hidden_until.replace(until) {
            self.hidden.remove(&(before, place));
        }
        self.visible.remove(&place);
        self.hidden.insert((until, place));
        // Whoever waits knows of a later moment, or of none.
        if self.next_visible() == Some(until) {
            self.changed.notify_waiters();
        }
    }

    fn show(&mut self, place: Place) {
        let Some(message) = self.messages.get_mut(&place) else { return };
        if let Some(until) = message.hidden_until.take() {
            self.hidden.remove(&(until, place));
        }
        self.visible.insert(place);
        self.changed.notify_waiters();
    }

    fn take(&mut self, place: Place) -> Option<Message> {
        let message = self.messages.remove(&place)?;
        self.visible.remove(&place);
        if let Some(until) = message.hidden_until {
            self.hidden.remove(&(until, place));
        }
        Some(message)
    }
}
