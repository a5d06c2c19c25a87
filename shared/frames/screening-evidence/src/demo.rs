//! What answers say about invented lists.

use teams::screening::Screening;

/// What an answer says if a list is invented.
const NOTICE: &str = "Lists with `demo` are invented, for trying out: nobody on them exists. They contain no real person or \
                      company, so a result without a hit says nothing about anybody.";

/// The notice, if one of the lists that were searched is invented.
pub fn notice_of(screening: &Screening) -> Option<&'static str> {
    notice(screening.lists.iter().any(|it| it.demo))
}

/// The notice, if the list is invented.
pub fn notice(is_demo: bool) -> Option<&'static str> {
    is_demo.then_some(NOTICE)
}
