//! One FIFO queue.
//!
//! A message is visible, delayed (sent, but not visible yet), or in flight (received, but neither deleted nor
//! visible again). The messages of a group are received in the order in which they were sent. While one of
//! them is in flight, no other message of its group can be received.

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
    time::Duration,
};

use base64::{Engine, prelude::BASE64_STANDARD};
use tokio::{sync::Notify, time::Instant};
use uuid::Uuid;

use crate::sqs::{
    address,
    deduplication::{Deduplication, Key, Sent},
    error::Refusal,
    settings::Settings,
};

/// The position of a message in its queue: its sequence number. A message keeps it when it is received
/// again.
type Position = u64;

pub(crate) struct Queue {
    pub(crate) name: String,
    pub(crate) settings: Settings,
    /// Notified when a message may have become receivable earlier than expected.
    pub(crate) changed: Arc<Notify>,
    /// Distinguishes the receipt handles of this queue from those of other queues, and of a queue with the
    /// same name in an emulator that has ended.
    id: Uuid,
    messages: BTreeMap<Position, Message>,
    groups: BTreeMap<String, Group>,
    /// The delayed messages and those in flight, by the time at which they become visible.
    hidden: BTreeSet<(Instant, Position)>,
    deduplication: Deduplication,
    next_position: Position,
}

/// A message group with at least one message.
#[derive(Default)]
struct Group {
    positions: BTreeSet<Position>,
    in_flight: usize,
}

#[derive(Clone, Debug)]
pub(crate) struct Message {
    pub(crate) id: Uuid,
    pub(crate) body: String,
    pub(crate) group: String,
    pub(crate) deduplication_id: String,
    /// The trace header with which it was sent.
    pub(crate) trace: Option<String>,
    /// Unix time in milliseconds, as all times that a client sees.
    pub(crate) sent: u64,
    pub(crate) first_received: Option<u64>,
    pub(crate) receives: u32,
    /// In a dead-letter queue: the ARN of the queue from which the message was moved.
    pub(crate) source: Option<String>,
    hidden_until: Option<Instant>,
}

/// A received message.
pub(crate) struct Received<'a> {
    pub(crate) receipt_handle: String,
    pub(crate) sequence_number: u64,
    pub(crate) message: &'a Message,
}

/// Number of messages in each state.
pub(crate) struct Counts {
    pub(crate) visible: usize,
    pub(crate) in_flight: usize,
    pub(crate) delayed: usize,
}

impl Message {
    fn is_in_flight(&self) -> bool {
        self.hidden_until.is_some() && self.receives > 0
    }
}

impl Queue {
    pub(crate) fn new(name: String, settings: Settings) -> Self {
        Self {
            name,
            settings,
            changed: Arc::default(),
            id: Uuid::new_v4(),
            messages: BTreeMap::new(),
            groups: BTreeMap::new(),
            hidden: BTreeSet::new(),
            deduplication: Deduplication::default(),
            next_position: 0,
        }
    }

    pub(crate) fn arn(&self) -> String {
        address::arn(&self.name)
    }

    /// Applies the passing of time: shows hidden messages and deletes expired ones.
    pub(crate) fn update(&mut self, now: u64) {
        let instant = Instant::now();
        while let Some(&(_, position)) = self.hidden.first().filter(|it| it.0 <= instant) {
            self.set_hidden_until(position, None);
        }
        let retention = self.settings.number("MessageRetentionPeriod") * 1_000;
        while let Some((&position, _)) =
            self.messages.first_key_value().filter(|(_, it)| it.sent + retention <= now)
        {
            self.remove(position);
        }
    }

    /// Sends a message, unless it is a duplicate.
    pub(crate) fn send(
        &mut self,
        body: String,
        group: String,
        deduplication_id: String,
        trace: Option<String>,
        now: u64,
    ) -> Sent {
        let by_group = self.settings.deduplicates_by_group();
        let key = Key { group: by_group.then(|| group.clone()), id: deduplication_id.clone() };
        if let Some(first) = self.deduplication.find(&key) {
            return first.clone();
        }
        let sent = Sent { message_id: Uuid::new_v4(), sequence_number: self.next_position };
        self.deduplication.insert(key, sent.clone());
        let message = Message {
            id: sent.message_id,
            body,
            group,
            deduplication_id,
            trace,
            sent: now,
            first_received: None,
            receives: 0,
            source: None,
            hidden_until: None,
        };
        let delay = self.settings.number("DelaySeconds");
        self.push(message, Duration::from_secs(delay));
        sent
    }

    /// Appends a message that another queue has given up.
    pub(crate) fn push_dead_letter(&mut self, message: Message) {
        self.push(message, Duration::ZERO);
    }

    fn push(&mut self, message: Message, delay: Duration) {
        let position = self.next_position;
        self.next_position += 1;
        self.groups.entry(message.group.clone()).or_default().positions.insert(position);
        self.messages.insert(position, message);
        self.hide(position, delay);
    }

    /// Receives up to `max` messages, oldest group first. The messages are then in flight for `timeout`.
    pub(crate) fn receive(&mut self, max: usize, timeout: Duration, now: u64) -> Vec<Received<'_>> {
        let positions: Vec<Position> = self.receivable().take(max).collect();
        for &position in &positions {
            if let Some(message) = self.messages.get_mut(&position) {
                message.receives += 1;
                message.first_received.get_or_insert(now);
            }
            self.hide(position, timeout);
        }
        let received = positions.into_iter().filter_map(|position| {
            let message = self.messages.get(&position)?;
            let handle = format!("{} {position} {}", self.id, message.receives);
            let receipt_handle = BASE64_STANDARD.encode(handle);
            Some(Received { receipt_handle, sequence_number: position, message })
        });
        received.collect()
    }

    /// Removes the messages that would be among the next `max` to be received, but have already been
    /// received `max_receives` times.
    pub(crate) fn take_dead_letters(&mut self, max_receives: u32, max: usize) -> Vec<Message> {
        let mut exhausted = Vec::new();
        let mut others = 0;
        for position in self.receivable() {
            if others == max {
                break;
            }
            match self.messages.get(&position) {
                Some(message) if message.receives >= max_receives => exhausted.push(position),
                _ => others += 1,
            }
        }
        exhausted.into_iter().filter_map(|it| self.remove(it)).collect()
    }

    /// The messages that can be received now, in the order in which they are received.
    fn receivable(&self) -> impl Iterator<Item = Position> {
        let free = self.groups.values().filter(|it| it.in_flight == 0);
        let mut groups: Vec<&BTreeSet<Position>> = free.map(|it| &it.positions).collect();
        groups.sort_unstable_by_key(|it| it.first());
        let is_visible = move |it: &Position| {
            self.messages.get(it).is_some_and(|message| message.hidden_until.is_none())
        };
        // A delayed message delays those after it.
        groups.into_iter().flat_map(move |it| it.iter().copied().take_while(is_visible))
    }

    /// Deletes a message. The receipt handle of an older receive deletes nothing, and neither does that of a
    /// deleted message; both are no errors.
    pub(crate) fn delete(&mut self, receipt_handle: &str) -> Result<(), Refusal> {
        let (position, receive) = self.parse_receipt_handle(receipt_handle)?;
        if self.messages.get(&position).is_some_and(|it| it.receives == receive) {
            self.remove(position);
        }
        Ok(())
    }

    /// Changes the visibility timeout of a message in flight. The timeout starts now.
    pub(crate) fn change_visibility(
        &mut self,
        receipt_handle: &str,
        timeout: Duration,
    ) -> Result<(), Refusal> {
        let (position, receive) = self.parse_receipt_handle(receipt_handle)?;
        let Some(message) = self.messages.get(&position) else {
            let reason =
                "Message does not exist or is not available for visibility timeout change.";
            return Err(Refusal::invalid_value("ReceiptHandle", receipt_handle, reason));
        };
        if !message.is_in_flight() || message.receives != receive {
            let message = "The specified message referred to isn't in flight.";
            return Err(Refusal::new("MessageNotInflight", message));
        }
        self.hide(position, timeout);
        Ok(())
    }

    /// When the next hidden message becomes visible.
    pub(crate) fn next_visible(&self) -> Option<Instant> {
        self.hidden.first().map(|it| it.0)
    }

    pub(crate) fn counts(&self) -> Counts {
        let in_flight = self.groups.values().map(|it| it.in_flight).sum();
        let hidden = self.hidden.len();
        Counts { visible: self.messages.len() - hidden, in_flight, delayed: hidden - in_flight }
    }

    fn parse_receipt_handle(&self, receipt_handle: &str) -> Result<(Position, u32), Refusal> {
        let parse = || {
            let text = String::from_utf8(BASE64_STANDARD.decode(receipt_handle).ok()?).ok()?;
            let (position, receive) =
                text.strip_prefix(&format!("{} ", self.id))?.split_once(' ')?;
            Some((position.parse().ok()?, receive.parse().ok()?))
        };
        parse().ok_or_else(|| {
            let message = format!(
                "The input receipt handle \"{receipt_handle}\" is not a valid receipt handle."
            );
            Refusal::new("ReceiptHandleIsInvalid", message)
        })
    }

    /// Hides a message for this time. Zero shows it.
    fn hide(&mut self, position: Position, time: Duration) {
        let until = (!time.is_zero()).then(|| Instant::now() + time);
        self.set_hidden_until(position, until);
    }

    fn set_hidden_until(&mut self, position: Position, until: Option<Instant>) {
        let Some(message) = self.messages.get_mut(&position) else { return };
        if let Some(before) = message.hidden_until {
            self.hidden.remove(&(before, position));
        }
        self.hidden.extend(until.map(|it| (it, position)));
        let was_in_flight = message.is_in_flight();
        message.hidden_until = until;
        if let Some(group) = self.groups.get_mut(&message.group) {
            group.in_flight -= usize::from(was_in_flight);
            group.in_flight += usize::from(message.is_in_flight());
        }
        self.changed.notify_waiters();
    }

    fn remove(&mut self, position: Position) -> Option<Message> {
        let message = self.messages.remove(&position)?;
        if let Some(until) = message.hidden_until {
            self.hidden.remove(&(until, position));
        }
        if let Some(group) = self.groups.get_mut(&message.group) {
            group.positions.remove(&position);
            group.in_flight -= usize::from(message.is_in_flight());
            if group.positions.is_empty() {
                self.groups.remove(&message.group);
            }
        }
        // The next message of the group may be receivable now.
        self.changed.notify_waiters();
        Some(message)
    }
}
