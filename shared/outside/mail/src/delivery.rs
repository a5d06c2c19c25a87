//! How mails are delivered.

use std::{
    path::{Path, PathBuf},
    sync::Arc,
};

use aws::{Limits, SdkConfig};
use aws_sdk_sesv2::{
    Client,
    types::{Body, Content, Destination, EmailContent, Message, MessageHeader},
};
use components::{Component, Components};
use mail_builder::{MessageBuilder, headers::raw::Raw};
use uuid::Uuid;

use crate::Mail;

/// Sends mails.
#[derive(Clone, Debug)]
pub struct Mailer {
    from: Arc<str>,
    /// Name of the configuration set of Amazon SES that reports what happens to the mails.
    configuration_set: Option<Arc<str>>,
    delivery: Delivery,
}

#[derive(Clone, Debug)]
enum Delivery {
    /// Amazon SES.
    Ses(Client),
    /// A directory, into which each mail is written as a file `*.eml`.
    Outbox(Arc<PathBuf>),
    /// No sender is configured.
    None,
}

/// A mail was not sent.
#[derive(Debug, thiserror::Error)]
pub enum NotSent {
    /// It may succeed later.
    #[error("the mail was not sent")]
    Failed(#[source] Box<dyn std::error::Error + Send + Sync>),
    /// It would be refused again.
    #[error("the mail was refused")]
    Refused(#[source] Box<dyn std::error::Error + Send + Sync>),
}

/// The header that identifies a mail which is sent again. Amazon SES replaces `Message-ID`, which has the same id in local
/// mails.
const REFERENCE: &str = "X-Entity-Ref-ID";
/// The headers that let mail programs unsubscribe (RFC 2369 and RFC 8058).
const UNSUBSCRIBE: &str = "List-Unsubscribe";
const UNSUBSCRIBE_POST: (&str, &str) = ("List-Unsubscribe-Post", "List-Unsubscribe=One-Click");

/// How long sending may take. An attempt without an answer is not repeated, because SES may have sent the mail: the job is, later.
const LIMITS: Limits = Limits::of_seconds(5, 5);

#[expect(clippy::disallowed_methods, reason = "the one place that creates this client")]
fn client(environment: &SdkConfig) -> Client {
    Client::new(&LIMITS.of(environment))
}

/// Sends with Amazon SES from the address in `MAIL_FROM`, with the configuration set in `MAIL_CONFIGURATION_SET`. On a developer's
/// machine: as [`Mailer::outbox`], into the directory in `MAIL_OUTBOX`. Without either, no mail is sent.
impl Component for Mailer {
    fn open(components: &Components) -> Self {
        match (components.setting("MAIL_FROM"), components.setting("MAIL_OUTBOX")) {
            (Some(from), _) => {
                let configuration_set =
                    components.setting("MAIL_CONFIGURATION_SET").map(Into::into);
                Self { configuration_set, ..Self::with_client(components.client(client), &from) }
            }
            (None, Some(directory)) => Self::outbox(directory.into()),
            (None, None) => Self::none(),
        }
    }
}

impl Mailer {
    /// Sends with Amazon SES from this address.
    pub fn ses(environment: &SdkConfig, from: &str) -> Self {
        Self::with_client(client(environment), from)
    }

    fn with_client(client: Client, from: &str) -> Self {
        let delivery = Delivery::Ses(client);
        Self { from: from.into(), configuration_set: None, delivery }
    }

    /// Sends no mail.
    pub fn none() -> Self {
        Self { from: "".into(), configuration_set: None, delivery: Delivery::None }
    }

    /// Writes each mail into a directory, which is created with the first one.
    pub fn outbox(directory: PathBuf) -> Self {
        let from = "Gotthard <noreply@gotthard.example>".into();
        let delivery = Delivery::Outbox(Arc::new(directory));
        Self { from, configuration_set: None, delivery }
    }

    /// Sends a mail.
    pub async fn send(&self, mail: &Mail) -> Result<(), NotSent> {
        match &self.delivery {
            Delivery::Ses(client) => self.send_with_ses(client, mail).await,
            Delivery::Outbox(directory) => self.write(directory, mail).await,
            Delivery::None => Err(NotSent::Failed("MAIL_FROM is not set".into())),
        }
    }

    /// Whether mails can be sent: a sender is configured.
    pub fn can_send(&self) -> bool {
        !matches!(self.delivery, Delivery::None)
    }

    async fn send_with_ses(&self, client: &Client, mail: &Mail) -> Result<(), NotSent> {
        let content = |text: &str| Content::builder().data(text).charset("UTF-8").build();
        let failed = |it: aws_sdk_sesv2::error::BuildError| NotSent::Failed(it.into());
        let (text, html) =
            (content(&mail.text).map_err(failed)?, content(&mail.html).map_err(failed)?);
        let mut message = Message::builder()
            .subject(content(&mail.subject).map_err(failed)?)
            .body(Body::builder().text(text).html(html).build());
        for (name, value) in headers(mail) {
            let header = MessageHeader::builder().name(name).value(value);
            message = message.headers(header.build().map_err(failed)?);
        }
        let request = client
            .send_email()
            .from_email_address(&*self.from)
            .set_configuration_set_name(self.configuration_set.as_deref().map(str::to_owned))
            .destination(Destination::builder().to_addresses(mail.to.as_str()).build())
            .content(EmailContent::builder().simple(message.build()).build());
        // Only the messages: the SDK's error may hold the answer.
        request.send().await.map(drop).map_err(|it| {
            let text = errors::chain(&it).into();
            match it.as_service_error() {
                Some(error) if error.is_message_rejected() || error.is_bad_request_exception() => {
                    NotSent::Refused(text)
                }
                _ => NotSent::Failed(text),
            }
        })
    }

    async fn write(&self, directory: &Path, mail: &Mail) -> Result<(), NotSent> {
        let (name, address) = match self.from.split_once('<') {
            Some((name, address)) => (name.trim(), address.trim_end_matches('>')),
            None => ("", &*self.from),
        };
        let mut message = MessageBuilder::new()
            .from((name, address))
            .to(mail.to.as_str())
            .subject(&*mail.subject)
            .text_body(&*mail.text)
            .html_body(&*mail.html);
        if let Some(id) = mail.id {
            let domain = address.rsplit('@').next().unwrap_or_default();
            message = message.message_id(format!("{id}@{domain}"));
        }
        for (name, value) in headers(mail) {
            message = message.header(name, Raw::new(value));
        }
        let failed = |it: std::io::Error| NotSent::Failed(it.into());
        let bytes = message.write_to_vec().map_err(failed)?;
        tokio::fs::create_dir_all(directory).await.map_err(failed)?;
        // The id sorts mails by time.
        let file = directory.join(format!("{}.eml", Uuid::now_v7()));
        let partial = file.with_extension("partial");
        tokio::fs::write(&partial, bytes).await.map_err(failed)?;
        tokio::fs::rename(&partial, &file).await.map_err(failed)
    }
}

/// The headers of a mail besides sender, recipient and subject.
fn headers(mail: &Mail) -> Vec<(&'static str, String)> {
    let mut headers = Vec::new();
    if let Some(id) = mail.id {
        // Nobody answers with an automatic reply.
        headers.push(("Auto-Submitted", "auto-generated".to_owned()));
        headers.push((REFERENCE, id.to_string()));
    }
    if let Some(link) = &mail.unsubscribe {
        let (name, value) = UNSUBSCRIBE_POST;
        headers.push((UNSUBSCRIBE, format!("<{link}>")));
        headers.push((name, value.to_owned()));
    }
    headers
}
