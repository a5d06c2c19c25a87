//! Prints an error together with its causes.
//!
//! Rule for every error of this workspace: its `Display` does not repeat its source. A log line or a
//! command line prints [`chain`], which adds the sources. `tests/it/errors.rs` checks the rule.
//!
//! Invariant: pure. No I/O, no clock, no dependencies.

use std::{error::Error, fmt, io, iter::successors};

/// The message of an error, then the message of each of its sources, separated by `: `.
///
/// A source with the same message as the error around it is skipped: the AWS SDK wraps some errors in
/// others of the same text.
pub fn chain(error: &(dyn Error + 'static)) -> String {
    let mut messages: Vec<String> =
        successors(Some(error), |&it| it.source()).map(ToString::to_string).collect();
    messages.dedup();
    messages.join(": ")
}

/// As [`chain`], but a failure of the operating system in words only: its number says nothing to a customer.
pub fn reason(error: &(dyn Error + 'static)) -> String {
    let mut sources = successors(Some(error), |&it| it.source());
    let by_system = sources
        .find_map(|it| it.downcast_ref::<io::Error>().filter(|it| it.raw_os_error().is_some()));
    by_system.map_or_else(|| chain(error), |it| it.kind().to_string())
}

/// A service refuses a request because it has more to do than it may: nothing is wrong with the code that has sent it.
#[derive(Debug)]
pub struct Overload(pub Box<dyn Error + Send + Sync>);

impl fmt::Display for Overload {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("overloaded")
    }
}

impl Error for Overload {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        Some(&*self.0)
    }
}

/// Whether an [`Overload`] has caused an error.
pub fn is_overload(error: &(dyn Error + 'static)) -> bool {
    successors(Some(error), |&it| it.source()).any(|it| it.is::<Overload>())
}

#[cfg(test)]
mod tests {

    use super::*;

    #[derive(Debug)]
    struct Layer(&'static str, Option<Box<Layer>>);

    impl fmt::Display for Layer {
        fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str(self.0)
        }
    }

    impl Error for Layer {
        fn source(&self) -> Option<&(dyn Error + 'static)> {
            self.1.as_deref().map(|it| it as &(dyn Error + 'static))
        }
    }

    fn layers(messages: &[&'static str]) -> Layer {
        let (first, rest) = messages.split_first().expect("at least one message");
        let source = (!rest.is_empty()).then(|| Box::new(layers(rest)));
        Layer(first, source)
    }

    #[test]
    fn prints_every_source_in_order() {
        let error = layers(&["the table did not answer", "dispatch failure", "connection refused"]);
        assert_eq!(chain(&error), "the table did not answer: dispatch failure: connection refused");
    }

    #[derive(Debug)]
    struct NotConnected(io::Error);

    impl fmt::Display for NotConnected {
        fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("not connected")
        }
    }

    impl Error for NotConnected {
        fn source(&self) -> Option<&(dyn Error + 'static)> {
            Some(&self.0)
        }
    }

    #[test]
    fn failures_of_the_operating_system_are_named_in_words() {
        let refused = || io::Error::from_raw_os_error(111);
        assert_eq!(reason(&refused()), "connection refused");
        assert_eq!(reason(&NotConnected(refused())), "connection refused");
        assert_eq!(
            reason(&layers(&["not connected", "unknown issuer"])),
            "not connected: unknown issuer"
        );
    }

    #[test]
    fn prints_an_error_without_source_alone() {
        assert_eq!(chain(&layers(&["no object `a`"])), "no object `a`");
    }

    #[test]
    fn prints_a_message_once_when_the_source_repeats_it() {
        let error = layers(&["service error", "unhandled error", "unhandled error", "denied"]);
        assert_eq!(chain(&error), "service error: unhandled error: denied");
    }

    #[test]
    fn an_overload_is_found_among_the_causes() {
        let overload = Overload("ThrottlingException".into());
        assert_eq!(chain(&overload), "overloaded: ThrottlingException");
        assert!(is_overload(&overload));
        assert!(!is_overload(&layers(&["the table did not answer", "overloaded"])));
    }
}
