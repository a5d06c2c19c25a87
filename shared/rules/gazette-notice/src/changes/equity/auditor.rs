//! The statement that the company has no auditor.

use super::has_any;

/// Whether a sentence says that the company has no auditor, and not that it needs none.
pub(super) fn is_without_auditor(current: &str) -> bool {
    #[rustfmt::skip]
    const NOW: [&str; 9] = [
        "zurzeit ", "zur zeit ", "derzeit ", "momentan ", "gegenwärtig ", "actuellement ", "à l'heure actuelle ", "attualmente ", "al momento ",
    ];
    const WITHOUT_NOW: [&str; 4] = [
        "ohne revisionsstelle",
        "ohne zugelassene revisionsstelle",
        "sans organe de révision",
        "senza ufficio di revisione",
    ];
    #[rustfmt::skip]
    const WITHOUT: [&str; 27] = [
        "hat keine revisionsstelle", "hat keine zugelassene revisionsstelle", "hat keine eingetragene revisionsstelle", "verfügt über keine revisionsstelle",
        "verfügt über keine zugelassene revisionsstelle", "verfügt über keine eingetragene revisionsstelle", "ist ohne revisionsstelle", "ist ohne zugelassene revisionsstelle",
        "n'a plus d'organe de révision", "n'a pas d'organe de révision", "ne dispose plus d'un organe de révision", "ne dispose plus d'organe de révision", "ne dispose pas d'un organe de révision",
        "ne dispose pas d'organe de révision", "dépourvue d'organe de révision", "dépourvue d'un organe de révision", "dépourvue de l'organe de révision", "est sans organe de révision",
        "priva di ufficio di revisione", "priva dell'ufficio di revisione", "priva di un ufficio di revisione", "non ha più un ufficio di revisione", "non ha più ufficio di revisione",
        "non dispone più di un ufficio di revisione", "non dispone di un ufficio di revisione", "è senza ufficio di revisione", "sprovvista di ufficio di revisione",
    ];
    // A company without duty of audit needs none.
    #[rustfmt::skip]
    const FREE: [&str; 23] = [
        "opting", "art. 727", "art 727", "voraussetzung", "ne remplit pas", "non adempie",
        "verzicht", "befrei", "pflicht", "braucht", "benötigt", "renonc", "dispens", "libéré de", "pas soumis", "pas tenu", "obligation", "rinunc", "esonerat", "esent", "dispensat", "obbligo",
        "nicht mehr erforderlich",
    ];
    let without_adverb = NOW.iter().fold(current.to_owned(), |it, now| it.replace(now, ""));
    // `Zurzeit ohne Revisionsstelle`: without the adverb, it can also be a company that needs none.
    let is_now = without_adverb.len() < current.len() && has_any(&without_adverb, &WITHOUT_NOW);
    (is_now || has_any(&without_adverb, &WITHOUT)) && !has_any(current, &FREE)
}
