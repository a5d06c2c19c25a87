//! The conditions about licences of FINMA.

use Intermediary::{Always, Insurer, InsurerWithoutLife};

use super::{Answer, Basis, FactName, Finding, finding, purpose};
use crate::Profile;

/// What the law attaches to a licence.
struct Licence {
    /// Its English name in the list of FINMA, in small letters.
    name: &'static str,
    /// Whether its holders are financial intermediaries (AMLA 2 para. 2).
    intermediary: Intermediary,
    /// The law that requires an ordinary audit of its holders, and a supervisory audit, whatever their size.
    audited_by: Option<&'static str>,
}

/// Whether the holders of a licence are financial intermediaries. Of insurers, only those that offer direct life insurance or
/// units of collective investment schemes are (AMLA 2 para. 2 let. c).
#[derive(Clone, Copy, PartialEq, Eq)]
enum Intermediary {
    Always,
    /// An insurer without direct life insurance.
    InsurerWithoutLife,
    /// An insurer of any kind: its purpose decides.
    Insurer,
}

const fn licence(
    name: &'static str,
    intermediary: Intermediary,
    audited_by: Option<&'static str>,
) -> Licence {
    Licence { name, intermediary, audited_by }
}

const BANKS: Option<&str> = Some("Banking Act 18");
const INSTITUTIONS: Option<&str> = Some("Financial Institutions Act 63");
const INSURERS: Option<&str> = Some("Insurance Supervision Act 28");

/// The names are those of the list, in small letters.
const LICENCES: [Licence; 13] = [
    licence("bank", Always, BANKS),
    licence("raiffeisen bank", Always, BANKS),
    licence("persons under article 1b of the banking act", Always, None),
    licence("fund management company", Always, INSTITUTIONS),
    licence("manager of collective assets", Always, INSTITUTIONS),
    licence("securities firm", Always, INSTITUTIONS),
    licence("portfolio manager", Always, None),
    licence("trustee", Always, None),
    licence("life insurance company", Always, INSURERS),
    licence("non-life insurer", InsurerWithoutLife, INSURERS),
    licence("professional reinsurer", InsurerWithoutLife, INSURERS),
    licence("health insurance company under ica", InsurerWithoutLife, INSURERS),
    // Of the demo register.
    licence("insurance company", Insurer, INSURERS),
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

/// That it is an insurer without life insurance, which is no financial intermediary. `None` for others.
pub(super) fn insurer_without_life(profile: &Profile) -> Option<Finding> {
    if profile.company.is_finma_regulated != Some(true) || profile.licences.is_empty() {
        return None;
    }
    let offers_life = |it: &String| match known(it).map(|it| it.intermediary) {
        Some(InsurerWithoutLife) => false,
        Some(Insurer) => !purpose::is_non_life_insurance(profile),
        Some(Always) | None => true,
    };
    if profile.licences.iter().any(offers_life) {
        return None;
    }
    let text = format!(
        "FINMA has authorised it ({}). Of insurers, only those that offer direct life insurance or units of collective investment \
         schemes are financial intermediaries (AMLA 2 para. 2 let. c). Its licence or its purpose is for other insurance, and it is \
         assumed to offer no such units.",
        profile.licences.join(", ")
    );
    let source = profile.source_of("isFinmaRegulated");
    Some(finding(Answer::No, FactName::Licence, Basis::Assumed, text, source))
}

/// Whether a licence makes it a financial intermediary.
pub(super) fn intermediary(profile: &Profile) -> Finding {
    if let Some(insurer) = insurer_without_life(profile) {
        return insurer;
    }
    let open = "Not every licence makes its holder a financial intermediary (AMLA 2 para. 2); whether this one does is not known.";
    evaluate(profile, "", open, |it| {
        let why = "Holders of this licence are financial intermediaries (AMLA 2 para. 2).";
        (it.intermediary == Always).then(|| why.to_owned())
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
