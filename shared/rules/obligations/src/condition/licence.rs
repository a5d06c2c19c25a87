//! The conditions about licences of FINMA.

use super::{Answer, Basis, FactName, Finding, finding};
use crate::Profile;

/// What the law attaches to a licence.
struct Licence {
    /// Its English name in the list of FINMA, in small letters.
    name: &'static str,
    /// Whether its holders are financial intermediaries in any case (AMLA 2 para. 2).
    is_intermediary: bool,
    /// The law that requires an ordinary audit of its holders, and a supervisory audit, whatever their size.
    audited_by: Option<&'static str>,
}

const fn licence(
    name: &'static str,
    is_intermediary: bool,
    audited_by: Option<&'static str>,
) -> Licence {
    Licence { name, is_intermediary, audited_by }
}

const BANKS: Option<&str> = Some("Banking Act 18");
const INSTITUTIONS: Option<&str> = Some("Financial Institutions Act 63");
const INSURERS: Option<&str> = Some("Insurance Supervision Act 28");

/// The names are those of the list, in small letters. Insurers are intermediaries in any case if they offer life insurance.
const LICENCES: [Licence; 13] = [
    licence("bank", true, BANKS),
    licence("raiffeisen bank", true, BANKS),
    licence("persons under article 1b of the banking act", true, None),
    licence("fund management company", true, INSTITUTIONS),
    licence("manager of collective assets", true, INSTITUTIONS),
    licence("securities firm", true, INSTITUTIONS),
    licence("portfolio manager", true, None),
    licence("trustee", true, None),
    licence("life insurance company", true, INSURERS),
    licence("non-life insurer", false, INSURERS),
    licence("professional reinsurer", false, INSURERS),
    licence("health insurance company under ica", false, INSURERS),
    // Of the demo register.
    licence("insurance company", false, INSURERS),
];

/// The licence that is meant by a name in the list of FINMA.
fn known(name: &str) -> Option<&'static Licence> {
    let name = name.trim().to_lowercase();
    LICENCES.iter().find(|it| it.name == name)
}

/// Decides by the first licence of which the law decides it.
fn evaluate(
    profile: &Profile,
    without: &'static str,
    open: &'static str,
    decides: impl Fn(&Licence) -> Option<String>,
) -> Finding {
    let fact = FactName::Licence;
    let source = profile.source_of("isFinmaRegulated");
    match profile.company.is_finma_regulated {
        Some(true) => {}
        Some(false) => {
            let text = "The list of FINMA does not name it any more.";
            return finding(Answer::No, fact, Basis::Stated, text, source);
        }
        None => {
            let text = format!(
                "No known list of FINMA names it; it is assumed to have no licence{without}."
            );
            return finding(Answer::No, fact, Basis::Assumed, text, None);
        }
    }
    let decided = profile.licences.iter().find_map(|name| Some((name, decides(known(name)?)?)));
    match decided {
        Some((name, why)) => {
            let text = format!("FINMA has authorised it ({name}). {why}");
            finding(Answer::Yes, fact, Basis::Stated, text, source)
        }
        None => {
            let names = match profile.licences {
                [] => String::new(),
                names => format!(" ({})", names.join(", ")),
            };
            let text = format!("FINMA has authorised it{names}. {open}");
            finding(Answer::Unknown, fact, Basis::Unknown, text, source)
        }
    }
}

/// Whether a licence makes it a financial intermediary.
pub(super) fn intermediary(profile: &Profile) -> Finding {
    let open = "Not every licence makes its holder a financial intermediary (AMLA 2 para. 2); whether this one does is not known.";
    evaluate(profile, "", open, |it| {
        let why = "Holders of this licence are financial intermediaries (AMLA 2 para. 2).";
        it.is_intermediary.then(|| why.to_owned())
    })
}

/// Whether a licence requires an ordinary audit, and a supervisory audit.
pub(super) fn audited(profile: &Profile) -> Finding {
    let open = "Laws on supervision require an ordinary audit of banks, insurers and other institutions, regardless of their \
                size; whether they do for its licence is not known.";
    evaluate(profile, " that requires an ordinary audit", open, |it| {
        let law = it.audited_by?;
        Some(format!("Its holders have an ordinary audit, regardless of their size ({law})."))
    })
}
