//! How often functions have run in a chain of messages.
//!
//! On Lambda, the SDKs pass on a trace header in which Lambda counts the calls of each function, and Lambda ends the chain of a
//! function that feeds itself. The local server counts in the same header, so that such a chain also ends there.

use std::{collections::BTreeMap, fmt};

/// Number of calls of a function in a chain ("about 16") after which Lambda handles no further message of the chain.
const MAX_CALLS: u32 = 16;
/// Before the calls in the header. Between them stand commas.
const LINEAGE: &str = "Lineage=";

/// A function, as far as it matters for the chains in which it runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Function {
    /// That of its folder.
    pub name: &'static str,
    /// Whether it may feed itself as often as it likes (`RecursiveLoop: Allow`).
    pub may_loop: bool,
}

/// Number of calls of each function.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Chain(BTreeMap<String, u32>);

tokio::task_local! {
    /// The chain of the job that runs.
    pub(crate) static CHAIN: Chain;
}

/// The trace header for what the running job sends: a client of the local server adds it to its requests. `None` outside of jobs.
pub fn trace_header() -> Option<String> {
    CHAIN.try_with(ToString::to_string).ok()
}

impl Chain {
    /// The chain with this trace header. A new one if there is none.
    pub(crate) fn read(header: Option<&str>) -> Self {
        let calls = header.and_then(|it| it.strip_prefix(LINEAGE)).unwrap_or_default();
        let calls = calls.split(',').filter_map(|it| it.split_once(':'));
        Self(calls.filter_map(|(name, it)| Some((name.to_owned(), it.parse().ok()?))).collect())
    }

    /// The chain with another call of a function, and whether Lambda makes that call.
    pub(crate) fn called(mut self, function: Function) -> (Self, bool) {
        let calls = self.0.entry(function.name.to_owned()).or_default();
        *calls += 1;
        let is_made = function.may_loop || *calls <= MAX_CALLS;
        (self, is_made)
    }
}

impl fmt::Display for Chain {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(LINEAGE)?;
        for (position, (name, calls)) in self.0.iter().enumerate() {
            let separator = if position == 0 { "" } else { "," };
            write!(f, "{separator}{name}:{calls}")?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn calls_are_counted_by_function_and_only_one_that_may_loop_is_called_without_end() {
        let (feeding, allowed) = (
            Function { name: "Feeding", may_loop: false },
            Function { name: "Allowed", may_loop: true },
        );
        let mut chain = Chain::read(None);
        for number in 1..=MAX_CALLS + 1 {
            let read = Chain::read(Some(&chain.to_string()));
            assert_eq!(read, chain);
            let (next, is_made) = read.called(allowed);
            assert!(is_made);
            let (next, is_made) = next.called(feeding);
            assert_eq!(is_made, number <= MAX_CALLS);
            chain = next;
        }
        assert_eq!(chain.to_string(), "Lineage=Allowed:17,Feeding:17");
        assert_eq!(Chain::read(Some("Root=1-5759e988-bd862e3fe1be46a994272793")), Chain::default());
    }
}
