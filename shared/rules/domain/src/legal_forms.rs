//! Legal forms (eCH-0097) with names and short names in German, French, Italian and English.

use serde::Deserialize;
use utoipa::{
    PartialSchema, ToSchema,
    openapi::{RefOr, Schema},
};

use crate::{
    choice::{Choice, UnknownValue, sign_around},
    text,
};

/// Branch of a foreign company.
pub const FOREIGN_BRANCH: &str = "0111";
/// Branch of a Swiss company.
pub const SWISS_BRANCH: &str = "0151";
/// Establishment or representation of a foreign company, without an entry in the commercial register.
pub const FOREIGN_ESTABLISHMENT: &str = "0312";
/// What is a part of another company, and no legal person: it has neither a capital nor organs of its own, and often the name
/// of its company.
pub const BRANCHES: [&str; 3] = [FOREIGN_BRANCH, SWISS_BRANCH, FOREIGN_ESTABLISHMENT];

/// A legal form of the register. Responses contain its German name.
#[derive(Debug, PartialEq)]
pub struct LegalForm {
    /// eCH-0097 code, such as `0106`.
    pub code: &'static str,
    /// Names in German, French, Italian and English.
    pub names: [&'static str; 4],
    /// Short names in German, French, Italian and English. Empty if there is none.
    pub short_names: [&'static str; 4],
}

impl LegalForm {
    /// The legal form with this eCH-0097 code.
    pub fn by_code(code: &str) -> Option<&'static Self> {
        LEGAL_FORMS.iter().find(|it| it.code == code)
    }

    /// The legal form with exactly this German name.
    pub fn with_name(name: &str) -> Option<&'static Self> {
        LEGAL_FORMS.iter().find(|it| it.name() == name)
    }

    /// The legal form with this code, short name or name in any of the four languages, normalised by
    /// [`text::fold`]. Short names may follow the name, as in the linked-data register.
    pub fn named(given: &str) -> Option<&'static Self> {
        let wanted = text::fold(given);
        LEGAL_FORMS.iter().find(|form| {
            form.code == wanted
                || form.short_names.iter().any(|it| text::fold(it) == wanted && !it.is_empty())
                || form.names.iter().any(|name| match wanted.strip_prefix(&text::fold(name)) {
                    Some(rest) => rest.split(' ').all(|word| {
                        word.is_empty() || form.short_names.iter().any(|it| text::fold(it) == word)
                    }),
                    None => false,
                })
        })
    }

    /// Whether it is written beside names, and is no part of them as `Stiftung` and `Genossenschaft` are.
    pub(crate) fn is_beside_name(&self) -> bool {
        matches!(
            self.code,
            "0101" | "0103" | "0104" | "0105" | "0106" | "0107" | "0114" | "0115" | "0116"
        )
    }

    /// Whether names contain it: a cooperative, an association, a foundation.
    pub(crate) fn is_part_of_name(&self) -> bool {
        matches!(self.code, "0108" | "0109" | "0110")
    }

    /// German name, which the API uses.
    pub fn name(&self) -> &'static str {
        self.names[0]
    }
}

/// Legal form to filter by: a code, short name or name. Case and accents do not matter.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize)]
#[serde(try_from = "String")]
pub struct WantedLegalForm(pub &'static LegalForm);

impl PartialSchema for WantedLegalForm {
    fn schema() -> RefOr<Schema> {
        let codes = LEGAL_FORMS.iter().map(|it| it.code);
        let short_names =
            LEGAL_FORMS.iter().flat_map(|it| it.short_names).filter(|it| !it.is_empty());
        let mut names: Vec<&str> = codes.chain(short_names).collect();
        names.sort_unstable();
        names.dedup();
        text::one_of(names)
    }
}

impl ToSchema for WantedLegalForm {}

const LEGAL_FORM: Choice =
    Choice::of("a legal form such as `AG` or `0106`").listed_at("/v1/reference/legal-forms");

impl TryFrom<String> for WantedLegalForm {
    type Error = UnknownValue;

    fn try_from(given: String) -> Result<Self, UnknownValue> {
        if sign_around(&given).is_none()
            && let Some(form) = LegalForm::named(&given)
        {
            return Ok(Self(form));
        }
        let known = LEGAL_FORMS.iter().flat_map(|form| {
            let names = form.short_names.iter().chain(&form.names).filter(|it| !it.is_empty());
            names.map(move |name| (*name, form)).chain([(form.code, form)])
        });
        let usual =
            USUAL.iter().filter_map(|(name, code)| Some((*name, LegalForm::by_code(code)?)));
        LEGAL_FORM.read(&given, known.chain(usual)).map(Self)
    }
}

/// Other usual names of legal forms, and their codes.
const USUAL: [(&str, &str); 5] = [
    ("Einzelfirma", "0101"),
    ("Raison individuelle", "0101"),
    ("Ditta individuale", "0101"),
    ("Stock corporation", "0106"),
    ("Company limited by shares", "0106"),
];

const fn form(
    code: &'static str,
    names: [&'static str; 4],
    short_names: [&'static str; 4],
) -> LegalForm {
    LegalForm { code, names, short_names }
}

/// The legal forms of eCH-0097: first those of the commercial register, then those of public law and
/// others.
#[rustfmt::skip]
pub const LEGAL_FORMS: [LegalForm; 38] = [
    form("0101", ["Einzelunternehmen", "Entreprise individuelle", "Impresa individuale", "Sole proprietorship"], ["EIU", "EI", "DI", "SP"]),
    form("0103", ["Kollektivgesellschaft", "Société en nom collectif", "Società in nome collettivo", "General partnership"], ["KlG", "SNC", "SNC", "GP"]),
    form("0104", ["Kommanditgesellschaft", "Société en commandite", "Società in accomandita", "Limited partnership"], ["KmG", "SCm", "SAc", "LP"]),
    form("0105", ["Kommanditaktiengesellschaft", "Société en commandite par actions", "Società in accomandita per azioni", "Corporation with unlimited partners"], ["KmAG", "SCmA", "SAcA", "CUP"]),
    form("0106", ["Aktiengesellschaft", "Société anonyme", "Società anonima", "Corporation"], ["AG", "SA", "SA", "Ltd"]),
    form("0107", ["Gesellschaft mit beschränkter Haftung", "Société à responsabilité limitée", "Società a garanzia limitata", "Limited liability company"], ["GmbH", "Sàrl", "Sagl", "LLC"]),
    form("0108", ["Genossenschaft", "Société coopérative", "Società cooperativa", "Cooperative"], ["Gen", "SCoop", "SCoop", "Coop"]),
    form("0109", ["Verein", "Association", "Associazione", "Association"], ["Verein", "Ass", "Ass", "Assn"]),
    form("0110", ["Stiftung", "Fondation", "Fondazione", "Foundation"], ["Stiftung", "Fond", "Fond", "Foundation"]),
    form("0111", ["Zweigniederlassung eines ausländischen Unternehmens", "Succursale d’une entreprise étrangère", "Succursale di un’impresa straniera", "Branch of a foreign company"], ["", "", "", ""]),
    form("0113", ["Besondere Rechtsform", "Forme juridique particulière", "Forma giuridica speciale", "Special legal form"], ["", "", "", ""]),
    form("0114", ["Kommanditgesellschaft für kollektive Kapitalanlagen", "Société en commandite de placements collectifs", "Società in accomandita per investimenti collettivi di capitale", "Limited partnership for collective investment"], ["KmGK", "SCmPC", "SAcCol", "LPCI"]),
    form("0115", ["Investmentgesellschaft mit variablem Kapital", "Société d’investissement à capital variable", "Società d’investimento a capitale variabile", "Investment company with variable capital"], ["SICAV", "SICAV", "SICAV", "SICAV"]),
    form("0116", ["Investmentgesellschaft mit festem Kapital", "Société d’investissement à capital fixe", "Società d’investimento a capitale fisso", "Investment company with fixed capital"], ["SICAF", "SICAF", "SICAF", "SICAF"]),
    form("0117", ["Institut des öffentlichen Rechts", "Institut de droit public", "Istituto di diritto pubblico", "Public-law institution"], ["", "", "", ""]),
    form("0118", ["Nichtkaufmännische Prokura", "Procuration non-commerciale", "Procura non commerciale", "Non-commercial power of attorney"], ["", "", "", ""]),
    form("0119", ["Haupt von Gemeinderschaft", "Représentant d’indivision", "Rappresentanti dell’indivisione", "Representative of the community of property"], ["", "", "", ""]),
    form("0151", ["Zweigniederlassung", "Succursale", "Succursale", "Branch"], ["ZN", "Succ", "Succ", "Branch"]),
    form("0220", ["Verwaltungseinheit des Bundes", "Unité de l’administration fédérale", "Unità amministrativa della Confederazione", "Administrative unit of the Confederation"], ["", "", "", ""]),
    form("0221", ["Verwaltungseinheit des Kantons", "Unité de l’administration cantonale", "Unità amministrativa del cantone", "Administrative unit of the canton"], ["", "", "", ""]),
    form("0222", ["Verwaltungseinheit des Bezirks", "Unité de l’administration du district", "Unità amministrativa del distretto", "Administrative unit of the district"], ["", "", "", ""]),
    form("0223", ["Verwaltungseinheit der Gemeinde", "Unité de l’administration communale", "Unità amministrativa del comune", "Administrative unit of the commune"], ["", "", "", ""]),
    form("0224", ["Andere öffentlich-rechtliche Verwaltungseinheit", "Autre unité de l’administration de droit public", "Altra unità amministrativa di diritto pubblico", "Other public-law administrative unit"], ["", "", "", ""]),
    form("0230", ["Einrichtung des öffentlichen Rechts des Bundes", "Institution de droit public fédérale", "Istituzione di diritto pubblico della Confederazione", "Public-law institution of the Confederation"], ["", "", "", ""]),
    form("0231", ["Einrichtung des öffentlichen Rechts des Kantons", "Institution de droit public cantonale", "Istituzione di diritto pubblico del cantone", "Public-law institution of the canton"], ["", "", "", ""]),
    form("0232", ["Einrichtung des öffentlichen Rechts des Bezirks", "Institution de droit public du district", "Istituzione di diritto pubblico del distretto", "Public-law institution of the district"], ["", "", "", ""]),
    form("0233", ["Einrichtung des öffentlichen Rechts der Gemeinde", "Institution de droit public communale", "Istituzione di diritto pubblico del comune", "Public-law institution of the commune"], ["", "", "", ""]),
    form("0234", ["Andere Einrichtung des öffentlichen Rechts", "Autre institution de droit public", "Altra istituzione di diritto pubblico", "Other public-law institution"], ["", "", "", ""]),
    form("0302", ["Einfache Gesellschaft", "Société simple", "Società semplice", "Simple partnership"], ["", "", "", ""]),
    form("0312", ["Betriebsstätte oder Schweizer Vertretung eines ausländischen Unternehmens", "Établissement stable ou représentant suisse d’une entreprise étrangère", "Stabilimento o rappresentanza svizzera di un’impresa straniera", "Permanent establishment or swiss representation of a foreign company"], ["", "", "", ""]),
    form("0327", ["Ausländisches öffentliches Unternehmen", "Entreprise publique étrangère", "Impresa pubblica estera", "Foreign public company"], ["", "", "", ""]),
    form("0328", ["Ausländische öffentliche Verwaltung", "Administration publique étrangère", "Amministrazione pubblica estera", "Foreign public administration"], ["", "", "", ""]),
    form("0329", ["Internationale Organisation", "Organisation internationale", "Organizzazione internazionale", "International organisation"], ["", "", "", ""]),
    form("0355", ["Übrige Genossenschaft", "Autre société coopérative", "Altra società cooperativa", "Other cooperative"], ["", "", "", ""]),
    form("0361", ["Trust", "Trust", "Trust", "Trust"], ["", "", "", ""]),
    form("0362", ["Fonds", "Fonds", "Fondo", "Fund"], ["", "", "", ""]),
    form("0441", ["Ausländisches Unternehmen", "Entreprise étrangère", "Impresa estera", "Foreign company"], ["", "", "", ""]),
    form("0571", ["Rechtsform unbestimmt oder unbekannt", "Forme juridique non déterminée ou inconnue", "Forma giuridica indefinita o sconosciuta", "Legal form undefined or unknown"], ["", "", "", ""]),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn legal_form_is_found_by_code_short_name_and_name() {
        for name in [
            "0107",
            "GmbH",
            "gmbh",
            "Sàrl",
            "sarl",
            "Sagl",
            "LLC",
            "Limited Liability Company",
            "gesellschaft mit beschraenkter haftung",
            "Gesellschaft mit beschränkter Haftung GMBH / SARL",
        ] {
            assert_eq!(LegalForm::named(name).map(|it| it.code), Some("0107"), "{name}");
        }
        assert_eq!(LegalForm::named("AG").map(|it| it.name()), Some("Aktiengesellschaft"));
        assert_eq!(LegalForm::named(""), None);
    }

    #[test]
    fn unknown_legal_form_gives_an_error_with_a_suggestion() {
        let error = WantedLegalForm::try_from("GmbHH".to_owned()).expect_err("no form");
        assert_eq!(
            error.to_string(),
            "must be a legal form such as `AG` or `0106`; got `GmbHH`. Did you mean `GmbH`?"
        );
    }
}
