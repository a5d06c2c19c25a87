//! Beneficial ownership: who owns and controls a company, as far as public sources show.
//!
//! Invariant: no I/O, no clock. Results depend on the arguments only, and not on the order of the links.
//!
//! # Model
//!
//! A [`Link`] is one statement of a source: this party owns that one, with this share, or the share is unknown for this
//! reason. [`links`] makes links from what the sources state. A [`Structure`] contains the links above one company, up to
//! a depth. A [`Resolution`] says who owns and controls this company.
//!
//! **Integrated ownership.** A share of a share is a smaller share: percentages multiply along a path of owners, and add
//! up over several paths. If companies own each other in a circle, there are infinitely many paths. Their sum is finite
//! and has a closed form (F. Brioschi, L. Buzzacchi, M. G. Colombo, "Risk capital financing and the separation of
//! ownership and control in business groups", Journal of Banking & Finance 13, 1989). With `a_ij` the share of company j
//! that i holds, and `N = (I − A)⁻¹`, the integrated share of i in j is `n_ij / n_ii`, and in itself `(n_ii − 1) / n_ii`. In
//! words: the sum over all paths from i to j that do not return to i.
//!
//! Companies are processed from the company to its owners, one group of companies that own each other at a time
//! (strongly connected components). Without circles, everything is a sum of products. For each circle, a small dense block
//! is solved without any subtraction, so that nothing cancels; see `resolution/circle_solver.rs`.
//!
//! **What is not attributed.** An unknown share counts as 0, and is never distributed over the known owners. All of a
//! company is accounted for: what ends at natural persons, what ends at parties without owners (foundations, the state),
//! and what is unattributed, with the entity whose owners are unknown. Companies whose known shares exceed 100 %, and
//! circles in which nothing is held outside (I − A is singular), are reported and their shares are unattributed.
//!
//! **Control** is different from ownership: half of a company that owns half of another is a quarter of the other, but
//! can be all of the control. A party controls a company if it and what it controls hold more than half of the votes, or if
//! a link says so: consolidation, sole proprietorship, head office, merger. Own shares have no votes.
//!
//! **Beneficial owners** are the natural persons with an integrated share of 25 % or more, or with control. If there are
//! none, the law names the persons who direct the company; such rows say that they are this fallback.
//!
//! [`flags`] lists what deserves attention, with evidence; [`analytics`] measures opacity and the position in a network;
//! [`bods`] writes the structure in a standard format.
//!
//! Reading order: `party`, `share`, `link`, `structure`, `resolution`.

pub mod analytics;
pub mod bods;
pub mod flags;
mod link;
pub mod links;
mod party;
mod profile;
mod resolution;
mod same_owner;
mod share;
mod structure;

pub use link::{Link, LinkKind};
pub use party::{Party, PartyKind};
pub use profile::{Form, MassDomicile, Profile, ReportingException, has_undisclosed_holders};
pub use resolution::{
    BeneficialOwner, CircularOwnership, ControlMeans, ControlStep, Controller, Criteria,
    FallbackCause, Holder, Part, Reason, Resolution,
};
pub use same_owner::unify;
pub use share::{Percent, Share, UnknownShare};
pub use structure::{MaxDepth, Structure};
