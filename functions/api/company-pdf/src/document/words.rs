//! The words of the document in four languages. A missing translation does not compile.

use auth::Language;
use domain::{
    ChangeKind, DEMO, History, LOCALITIES, Source, Status,
    company::StatusReason,
    lists::List,
    terms::{self, Text, capitalised},
    wording::in_number,
};
use risk::{FactorKind, RiskLevel};
use serde::Serialize;

/// Chooses the texts of one language.
#[derive(Clone, Copy, Debug)]
pub(super) struct Words(pub(super) Language);

/// A method for each text that Rust uses.
macro_rules! words {
    ($($name:ident $de:literal $fr:literal $it:literal $en:literal)*) => {
        #[cfg(test)]
        const WORDS: &[Text] = &[$([$de, $fr, $it, $en]),*];

        impl Words {
            $(pub(super) fn $name(self) -> &'static str { self.of([$de, $fr, $it, $en]) })*
        }
    };
}

/// A method for each text that is about one thing or about several.
macro_rules! counted {
    ($($name:ident [$($one:literal)*] [$($several:literal)*])*) => {
        #[cfg(test)]
        const COUNTED: &[[Text; 2]] = &[$([[$($one),*], [$($several),*]]),*];

        impl Words {
            $(pub(super) fn $name(self, count: usize) -> &'static str {
                in_number(self.0, count as u64, [[$($one),*], [$($several),*]])
            })*
        }
    };
}

/// The texts that a template uses, by name.
macro_rules! labels {
    ($labels:ident: $($name:ident $de:literal $fr:literal $it:literal $en:literal)*) => {
        /// The texts that the template itself uses.
        #[derive(Debug, Serialize)]
        pub(super) struct $labels { $($name: &'static str,)* }

        impl $labels {
            #[cfg(test)]
            const ALL: &[Text] = &[$([$de, $fr, $it, $en]),*];

            pub(super) fn of(words: Words) -> Self {
                Self { $($name: words.of([$de, $fr, $it, $en]),)* }
            }
        }
    };
}

labels! { Labels:
    profile "Firmenprofil" "Profil d’entreprise" "Profilo aziendale" "Company profile"
    page "Seite" "Page" "Pagina" "Page"
    purpose "Zweck" "But" "Scopo" "Purpose"
    name "Name" "Nom" "Nome" "Name"
    role "Funktion" "Fonction" "Funzione" "Role"
    signature "Zeichnungsberechtigung" "Signature" "Firma" "Signature"
    since "Seit (Publikation)" "Depuis (publication)" "Dal (pubblicazione)" "Since (publication)"
    date "Datum" "Date" "Data" "Date"
    change "Änderung" "Modification" "Modifica" "Change"
    content "Inhalt" "Contenu" "Contenuto" "Content"
    source "Quelle" "Source" "Fonte" "Source"
    auditor "Revisionsstelle" "Organe de révision" "Ufficio di revisione" "Auditor"
    period "Dauer (Publikationen)" "Période (publications)" "Periodo (pubblicazioni)" "Period (publications)"
    years "Jahre" "Années" "Anni" "Years"
    factor "Faktor" "Facteur" "Fattore" "Factor"
    effect "Wirkung" "Effet" "Effetto" "Effect"
    evidence "Hinweise" "Indices" "Indizi" "Evidence"
}

labels! { IndustryLabels:
    report "Branchenbericht" "Rapport de branche" "Rapporto di settore" "Industry report"
    page "Seite" "Page" "Pagina" "Page"
    figures "Kennzahlen" "Chiffres clés" "Cifre chiave" "Key figures"
    largest "Höchste Kapitale in Franken" "Capitaux en francs les plus élevés" "Capitali in franchi più elevati" "Largest capitals in francs"
    name "Name" "Nom" "Nome" "Name"
    number "UID" "IDE" "IDI" "UID"
    canton "Kanton" "Canton" "Cantone" "Canton"
    capital "Kapital (CHF)" "Capital (CHF)" "Capitale (CHF)" "Capital (CHF)"
    cantons "Unternehmen nach Kanton" "Entreprises par canton" "Imprese per cantone" "Companies by canton"
    statuses "Unternehmen nach Status, mit gelöschten" "Entreprises par statut, radiées comprises" "Imprese per stato, cancellate comprese" "Companies by status, with deleted ones"
    status "Status" "Statut" "Stato" "Status"
    companies "Unternehmen" "Entreprises" "Imprese" "Companies"
    share "Verglichen mit der grössten Zahl" "Comparé au plus grand nombre" "Rispetto al numero più alto" "Compared with the largest number"
    auditors "Revisionsstellen mit den meisten Unternehmen" "Organes de révision du plus grand nombre d’entreprises" "Uffici di revisione del maggior numero di imprese" "Auditors with the most companies"
    auditor "Revisionsstelle" "Organe de révision" "Ufficio di revisione" "Auditor"
    trends "Entwicklung nach Quartal" "Évolution par trimestre" "Evoluzione per trimestre" "Trends by quarter"
    quarter "Quartal" "Trimestre" "Trimestre" "Quarter"
    entries "Einträge" "Inscriptions" "Iscrizioni" "Entries"
    dissolutions "Löschungen" "Radiations" "Cancellazioni" "Deletions"
    others "Fusion, Wegzug" "Fusion, départ" "Fusione, partenza" "Merger, move abroad"
    bankruptcies "Konkurse" "Faillites" "Fallimenti" "Bankruptcies"
    turnover "Abgänge (%)" "Départs (%)" "Partenze (%)" "Leavers (%)"
    age "Alter" "Âge" "Età" "Age"
    increases "Kapitalerhöhungen" "Augmentations de capital" "Aumenti di capitale" "Capital increases"
    increased "Summe (CHF)" "Somme (CHF)" "Somma (CHF)" "Sum (CHF)"
    gained "Neu mit Revisionsstelle" "Nouvellement avec organe de révision" "Nuove con ufficio di revisione" "Newly with an auditor"
    lost "Neu ohne Revisionsstelle" "Nouvellement sans organe de révision" "Nuove senza ufficio di revisione" "Newly without an auditor"
    explained "Das letzte Quartal läuft noch. Abgänge: Mitglieder von Verwaltung und Geschäftsleitung, die ausschieden, in Prozent jener am Anfang. Alter: Median in Jahren am Ende des Quartals. Löschungen ohne jene nach Fusion, Spaltung oder Wegzug." "Le dernier trimestre est en cours. Départs: membres de l’administration et de la direction sortis, en pour cent de ceux du début. Âge: médiane en années à la fin du trimestre. Radiations sans celles qui suivent une fusion, une scission ou un départ à l’étranger." "L’ultimo trimestre è in corso. Partenze: membri dell’amministrazione e della direzione usciti, in percento di quelli all’inizio. Età: mediana in anni alla fine del trimestre. Cancellazioni senza quelle dopo una fusione, una scissione o una partenza per l’estero." "The last quarter is still running. Leavers: members of boards and managements who left, in percent of those at the start. Age: median in years at the end of the quarter. Deletions without those after a merger, a demerger or a move abroad."
    nothing "Keine Angaben." "Aucune donnée." "Nessun dato." "Nothing is known."
}

words! {
    overview "Übersicht" "Aperçu" "Panoramica" "Overview"
    board "Organe und Zeichnungsberechtigte" "Organes et personnes autorisées à signer" "Organi e persone autorizzate a firmare" "Officers and signatories"
    changes "Änderungen" "Modifications" "Modifiche" "Changes"
    auditors "Revisionsstellen" "Organes de révision" "Uffici di revisione" "Auditors"
    risk "Risiko" "Risque" "Rischio" "Risk"

    company_number "Unternehmensnummer (UID)" "Numéro d’entreprise (IDE)" "Numero d’impresa (IDI)" "Company number (UID)"
    legal_form "Rechtsform" "Forme juridique" "Forma giuridica" "Legal form"
    seat "Sitz" "Siège" "Sede" "Seat"
    address "Adresse" "Adresse" "Indirizzo" "Address"
    capital "Kapital" "Capital" "Capitale" "Capital"
    head_office "Hauptsitz" "Établissement principal" "Sede principale" "Head office"
    founded "Gründung oder erste Statuten" "Fondation ou premiers statuts" "Costituzione o primo statuto" "Foundation or first articles"
    registered "Eintragung im Handelsregister" "Inscription au registre du commerce" "Iscrizione nel registro di commercio" "Entry in the register"
    deleted "Löschung im Handelsregister" "Radiation du registre du commerce" "Cancellazione dal registro di commercio" "Deletion from the register"
    industry "Branche" "Branche" "Settore" "Industry"
    employees "Beschäftigte" "Effectif" "Dipendenti" "Employees"
    website "Website" "Site web" "Sito web" "Website"
    supervision "Aufsicht" "Surveillance" "Vigilanza" "Supervision"
    finma "von der FINMA bewilligt" "autorisée par la FINMA" "autorizzata dalla FINMA" "authorised by FINMA"
    sanctions "Abgleich mit Sanktionslisten" "Comparaison avec les listes de sanctions" "Confronto con le liste delle sanzioni" "Comparison with sanctions lists"
    hit "Treffer: seltener Name oder Nummer gleich ({})" "Concordance: nom rare ou numéro identique ({})" "Corrispondenza: nome raro o numero identico ({})" "Hit: the same rare name or number ({})"
    no_hit "Kein Treffer ({})" "Aucune concordance ({})" "Nessuna corrispondenza ({})" "No hit ({})"
    parent "Oberste Muttergesellschaft" "Société mère ultime" "Società madre ultima" "Ultimate parent"
    auditor_now "Aktuelle Revisionsstelle" "Organe de révision actuel" "Ufficio di revisione attuale" "Current auditor"
    yes "ja" "oui" "sì" "yes"
    no "nein" "non" "no" "no"
    demo "Erfundene Daten eines Demonstrationsregisters" "Données fictives d’un registre de démonstration" "Dati inventati di un registro dimostrativo" "Invented data of a demonstration register"

    map "Lage in der Schweiz (vereinfachte Karte): {}" "Situation en Suisse (carte simplifiée): {}" "Ubicazione in Svizzera (carta semplificata): {}" "Location in Switzerland (simplified map): {}"
    as_of "Stand der Angaben: {}." "État des données: {}." "Stato dei dati: {}." "Record as of {}."
    created "Erstellt am {}." "Établi le {}." "Creato il {}." "Created on {}."
    no_effect "Rechtlich massgebend ist allein das Handelsregister." "Seul le registre du commerce fait foi." "Fa stato unicamente il registro di commercio." "Only the commercial register itself has legal effect."
    no_board "Keine Quelle nennt aktuelle Organe oder Zeichnungsberechtigte." "Aucune source ne mentionne d’organes ni de personnes autorisées à signer actuels." "Nessuna fonte indica organi o persone autorizzate a firmare attuali." "No source names current officers or signatories."
    no_changes "Es ist keine Veröffentlichung bekannt." "Aucune publication n’est connue." "Nessuna pubblicazione è nota." "No publication is known."
    no_auditor "Keine Quelle nennt eine Revisionsstelle." "Aucune source ne mentionne d’organe de révision." "Nessuna fonte indica un ufficio di revisione." "No source names an auditor."
    period "{} – {}" "{} – {}" "{} – {}" "{} – {}"
    since_day "seit {}" "depuis le {}" "dal {}" "since {}"
    published "publiziert {}" "publication {}" "pubblicazione {}" "published {}"
    entry "Eintrag {}" "inscription {}" "iscrizione {}" "entry {}"
    this_role "diese Funktion {}" "cette fonction {}" "questa funzione {}" "this role {}"
    until_day "bis {}" "jusqu’au {}" "fino al {}" "until {}"
    unknown_period "Beginn unbekannt" "début inconnu" "inizio sconosciuto" "start unknown"

    risk_locked "Die Risikobeurteilung ist in den Abonnements Professional und Enterprise enthalten." "L’évaluation des risques est comprise dans les abonnements Professional et Enterprise." "La valutazione del rischio è compresa negli abbonamenti Professional ed Enterprise." "The risk assessment is included in the tiers Professional and Enterprise."
    assessed "Beurteilt am {}" "Évalué le {}" "Valutato il {}" "Assessed on {}"
    risk_meaning "Wert von 0 bis 1 aus neun Faktoren. Er vergleicht Unternehmen und ist keine gemessene Wahrscheinlichkeit: Die Gewichte sind Einschätzungen. Wirkung: Beitrag des Faktors in Log-Odds; ein positiver Wert erhöht das Risiko." "Valeur de 0 à 1 fondée sur neuf facteurs. Elle compare des entreprises et n’est pas une probabilité mesurée: les poids sont des appréciations. Effet: contribution du facteur en log-odds; une valeur positive accroît le risque." "Valore da 0 a 1 basato su nove fattori. Confronta le imprese e non è una probabilità misurata: i pesi sono valutazioni. Effetto: contributo del fattore in log-odds; un valore positivo aumenta il rischio." "A value from 0 to 1 of nine factors. It compares companies and is no measured probability: its weights are judgements. Effect: contribution of the factor in log-odds; a positive value raises the risk."
    noga "NOGA 2008, {}" "NOGA 2008, {}" "NOGA 2008, {}" "NOGA 2008, {}"
    registered_companies "Eingetragene Unternehmen" "Entreprises inscrites" "Imprese iscritte" "Registered companies"
    with_capital "davon mit Kapital in Franken" "dont avec un capital en francs" "di cui con capitale in franchi" "of these with a capital in francs"
    mean_capital "Mittleres Kapital" "Capital moyen" "Capitale medio" "Mean capital"
    median_capital "Median des Kapitals" "Capital médian" "Capitale mediano" "Median capital"
    with_auditor "mit bekannter Revisionsstelle" "avec organe de révision connu" "con ufficio di revisione noto" "with a known auditor"
    recent "Änderungen in den letzten 30 Tagen" "Modifications des 30 derniers jours" "Modifiche negli ultimi 30 giorni" "Changes in the last 30 days"
    unknown "unbekannt" "inconnu" "sconosciuto" "unknown"
    complete_from "{} weitgehend vollständig ab {}" "{} largement complètes depuis le {}" "{} in gran parte completi dal {}" "{} mostly complete from {}"
    classified "Die Zuordnung zur Branche und zum Kanton ist die heutige." "L’attribution à la branche et au canton est celle d’aujourd’hui." "L’attribuzione al settore e al cantone è quella odierna." "Industry and canton are those of today."

    no_evidence "Kein Hinweis: Der Faktor bleibt beim Ausgangswert." "Aucun indice: le facteur garde sa valeur de départ." "Nessun indizio: il fattore mantiene il valore iniziale." "No evidence: the factor stays at its prior."
}

counted! {
    sources
        ["Quelle: {}." "Source: {}." "Fonte: {}." "Source: {}."]
        ["Quellen: {}." "Sources: {}." "Fonti: {}." "Sources: {}."]
    former_names
        ["Früherer Name" "Ancien nom" "Nome precedente" "Former name"]
        ["Frühere Namen" "Anciens noms" "Nomi precedenti" "Former names"]
    translations
        ["Name in einer anderen Sprache" "Nom dans une autre langue" "Nome in un’altra lingua" "Name in another language"]
        ["Name in anderen Sprachen" "Nom dans d’autres langues" "Nome in altre lingue" "Name in other languages"]
    more_people
        ["Nicht aufgeführt: weitere Person ({})." "Non mentionnée: autre personne ({})." "Non elencata: altra persona ({})." "Not listed: another person ({})."]
        ["Nicht aufgeführt: weitere Personen ({})." "Non mentionnées: autres personnes ({})." "Non elencate: altre persone ({})." "Not listed: more people ({})."]
    more_changes
        ["Nicht aufgeführt: ältere Änderung ({})." "Non mentionnée: modification plus ancienne ({})." "Non elencata: modifica precedente ({})." "Not listed: older change ({})."]
        ["Nicht aufgeführt: ältere Änderungen ({})." "Non mentionnées: modifications plus anciennes ({})." "Non elencate: modifiche precedenti ({})." "Not listed: older changes ({})."]
    more_auditors
        ["Nicht aufgeführt: früheres Mandat ({})." "Non mentionné: mandat antérieur ({})." "Non elencato: mandato precedente ({})." "Not listed: earlier tenure ({})."]
        ["Nicht aufgeführt: frühere Mandate ({})." "Non mentionnés: mandats antérieurs ({})." "Non elencati: mandati precedenti ({})." "Not listed: earlier tenures ({})."]
    more_evidence
        ["Nicht aufgeführt: weiterer Hinweis ({})." "Non mentionné: autre indice ({})." "Non elencato: altro indizio ({})." "Not listed: more evidence ({})."]
        ["Nicht aufgeführt: weitere Hinweise ({})." "Non mentionnés: autres indices ({})." "Non elencati: altri indizi ({})." "Not listed: more evidence ({})."]
}

impl Words {
    /// That the company has waived the limited audit, in place of its auditor.
    pub(super) fn opted_out(self) -> String {
        let none = self.of(["keine", "aucun", "nessuno", "none"]);
        format!("{none}: {}", self.of(terms::change(ChangeKind::AuditOptOut)))
    }

    /// The text in this language.
    pub(super) fn of(self, text: Text) -> &'static str {
        self.0.of(text)
    }

    pub(super) fn status_name(self, status: Status) -> &'static str {
        self.of(terms::status(status))
    }

    /// Why a company has its status, as it follows the status.
    pub(super) fn status_reason(self, reason: StatusReason, history: &History) -> &'static str {
        self.of(terms::status_reason_by(reason, history.newest_legal_events()))
    }

    /// A term by itself.
    pub(super) fn term(self, term: Text) -> String {
        capitalised(self.of(term))
    }

    /// A kind of change of a company of this legal form, by itself.
    pub(super) fn change(self, kind: ChangeKind, legal_form: Option<&str>) -> String {
        self.term(terms::change_of(kind, legal_form))
    }

    pub(super) fn risk_level(self, level: RiskLevel) -> &'static str {
        self.of(risk::terms::level(level))
    }

    pub(super) fn factor(self, factor: FactorKind) -> String {
        self.term(risk::terms::factor(factor))
    }

    /// The name of a source, as readers of a document know it.
    pub(super) fn source(self, source: &str) -> String {
        let name = match source.parse() {
            Ok(Source::Shab) => ["SHAB", "FOSC", "FUSC", "SOGC"],
            Ok(Source::Zefix) => ["Zefix", "Zefix", "Zefix", "Zefix"],
            Ok(Source::Lindas) => ["LINDAS", "LINDAS", "LINDAS", "LINDAS"],
            Ok(Source::Gleif) => ["GLEIF", "GLEIF", "GLEIF", "GLEIF"],
            Ok(Source::Finma) => ["FINMA", "FINMA", "FINMA", "FINMA"],
            Ok(Source::Six) => ["SIX", "SIX", "SIX", "SIX"],
            Ok(Source::News) => ["Medien", "Médias", "Media", "Media"],
            Ok(Source::Reports) => {
                ["Geschäftsberichte", "Rapports annuels", "Rapporti annuali", "Annual reports"]
            }
            Err(_) if source == LOCALITIES => ["swisstopo", "swisstopo", "swisstopo", "swisstopo"],
            Err(_) if source == List::Seco.name() => [
                "Sanktionsliste des SECO",
                "liste des sanctions du SECO",
                "lista delle sanzioni della SECO",
                "SECO sanctions list",
            ],
            Err(_) if source == List::Opensanctions.name() => {
                ["OpenSanctions", "OpenSanctions", "OpenSanctions", "OpenSanctions"]
            }
            Err(_) if source == List::FinmaWarning.name() => [
                "Warnliste der FINMA",
                "liste d’alerte de la FINMA",
                "lista di allerta della FINMA",
                "FINMA warning list",
            ],
            Err(_) if source == List::FinmaAuthorised.name() => {
                ["FINMA", "FINMA", "FINMA", "FINMA"]
            }
            Err(_) if source == DEMO => [
                "Demoregister",
                "registre de démonstration",
                "registro dimostrativo",
                "demo register",
            ],
            Err(_) => return source.to_owned(),
        };
        self.of(name).to_owned()
    }
}

/// The phrase with its place `{}` filled.
pub(super) fn filled(phrase: &str, value: &str) -> String {
    phrase.replacen("{}", value, 1)
}

#[cfg(test)]
mod tests {
    use domain::typography::misprint;

    use super::*;

    #[test]
    fn every_text_keeps_the_rules_of_typography() {
        for text in Labels::ALL
            .iter()
            .chain(IndustryLabels::ALL)
            .chain(WORDS)
            .chain(COUNTED.as_flattened())
            .flatten()
        {
            assert_eq!(misprint(text), None, "{text}");
        }
    }

    #[test]
    fn what_is_counted_is_in_the_grammatical_number() {
        for [one, several] in COUNTED {
            for (at, language) in Language::ALL.into_iter().enumerate() {
                let texts = [1, 2].map(|it| in_number(language, it, [*one, *several]));
                assert_eq!(texts, [one[at], several[at]]);
                // Evidence has no plural in English.
                assert!(texts[0] != texts[1] || texts[0].contains("evidence"), "{texts:?}");
            }
        }
        assert_eq!(Words(Language::En).more_people(1), "Not listed: another person ({}).");
        assert_eq!(Words(Language::Fr).sources(1), "Source: {}.");
    }
}
