//! What the server prints when it is ready: its address, API keys, and three commands to try.

use std::{
    io::{self, Write},
    path::Path,
};

use domain::{Company, Uid};
use indicatif::HumanCount;
use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};
use store::Registry;

use crate::{CommandError, Context, data_directory::ServerInfo, teams::MEMBERS_DOMAIN};

/// A demo company with board, history, auditor and relationships.
const EXAMPLE_COMPANY: u32 = 812_460_660;

/// The company that the printed commands ask for. `None` if the register does not contain it.
pub(super) async fn example_company(registry: &Registry) -> Result<Option<Company>, CommandError> {
    let Some(uid) = Uid::from_number(EXAMPLE_COMPANY) else { return Ok(None) };
    let company = registry.company(uid).await;
    company.context("cannot read the example company")
}

pub(super) struct Start<'a> {
    pub(super) server: &'a ServerInfo,
    /// The path of the file that contains `server`.
    pub(super) server_info: &'a Path,
    /// Number of companies in the register.
    pub(super) companies: u64,
    pub(super) example: Option<Company>,
    /// Time from the start of the process until the server was ready.
    pub(super) seconds: f64,
}

impl Start<'_> {
    pub(super) fn print(&self) -> io::Result<()> {
        let mut out = io::stdout().lock();
        let ServerInfo { url, keys, .. } = self.server;
        let companies = HumanCount(self.companies);
        writeln!(
            out,
            "\nGotthard is ready: {companies} companies at {url} (started in {:.1} s)\n",
            self.seconds
        )?;
        writeln!(out, "API keys (requests without a key are in the free tier):")?;
        for (name, key) in keys.named() {
            writeln!(out, "  {name:<13} {key}")?;
        }
        let with_key = format!(" -H 'Authorization: Bearer {}'", keys.starter);
        writeln!(out, "\nTry:")?;
        for (comment, path) in self.examples() {
            writeln!(out, "  # {comment}\n  curl '{url}{path}'{with_key}")?;
        }
        writeln!(out, "\nDocumentation: README.md, {url}/openapi.json")?;
        let outbox = url.strip_suffix("/api").unwrap_or(url);
        writeln!(out, "Mails with sign-in links: {outbox}/local/outbox")?;
        writeln!(
            out,
            "Users who can sign in: TIER@{MEMBERS_DOMAIN} (owner of the team of a tier), admin@ and member@{MEMBERS_DOMAIN}"
        )?;
        writeln!(out, "This address and the keys as JSON: {}", self.server_info.display())?;
        writeln!(out, "Press Ctrl-C to stop.")
    }

    /// Comment and path of each command.
    fn examples(&self) -> [(&'static str, String); 3] {
        match &self.example {
            Some(Company { uid, name, .. }) => {
                let name = utf8_percent_encode(name, NON_ALPHANUMERIC);
                [
                    ("Find a company by name", format!("/v1/companies?search={name}&pageSize=3")),
                    (
                        "Its record, board, auditor, recent changes and relationships",
                        format!("/v1/companies/{uid}/full"),
                    ),
                    ("Its history", format!("/v1/companies/{uid}/timeline")),
                ]
            }
            None => [
                ("List companies", "/v1/companies?pageSize=3".to_owned()),
                ("List the newest changes", "/v1/changes?pageSize=3".to_owned()),
                ("Show how much of each rate limit is used", "/v1/usage/current".to_owned()),
            ],
        }
    }
}
