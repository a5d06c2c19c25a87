//! The words of prose about persons, in German, French and Italian, and what each contributes to its clause.

use std::sync::LazyLock;

use crate::word_hash::{WordMap, WordSet};

/// What a clause says about its persons. A clause can contain several of these.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Meaning {
    /// `ist`, `est`, `è`: the rest of the clause decides.
    Is,
    /// `hat`, `a`, `ha`.
    Has,
    /// Elected, appointed, entered.
    Appoints,
    /// `bleibt`, `reste`, `rimane`.
    Keeps,
    /// Resigned, left, died.
    Leaves,
    /// A signature or power ends; a person is deleted.
    Ends,
    /// `zeichnet`, `signe`, `firma`.
    Signs,
    /// A signature is given, or somebody receives it.
    Grants,
    /// Somebody else follows, or another signature.
    Replaces,
    /// Follows somebody in an office.
    Succeeds,
    /// A signature becomes another one.
    Alters,
    /// Was something until now.
    Was,
    /// Adds nothing to the verb: a resignation that is `remise`, `erklärt`.
    States,
    /// Gives shares to somebody.
    Cedes,
    /// Takes over shares.
    Acquires,
    /// Holds shares.
    Holds,
    /// Lives in a place.
    Resides,
    /// Has a place of origin.
    Originates,
    /// Has a new name.
    IsNamed,
    /// A limit of a signature.
    Restricts,
}

/// The part of a word in its sentence.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Part {
    /// A conjugated verb: every clause has one.
    Finite(Meaning),
    /// A participle, an adjective or a noun that gives the verb its meaning.
    Means(Meaning),
    /// A noun that is the predicate of a clause without a verb: `Inscription de X en qualité d'administrateur`.
    Nominal(Meaning),
    /// `mehr`, `plus`, `più`: no longer, together with the negation of the verb.
    Negation,
    /// `und`, `et`, `e`.
    And,
    /// `jedoch`, `mais`, `ma`.
    But,
    /// `dont`, `qui`, `welcher`, `cui`.
    Relative,
    /// `er`, `elle`, `egli`.
    Pronoun,
    /// `seine`, `ses`, `suoi`.
    Possessive,
    /// `neu`, `désormais`, `ora`.
    Adverb,
    /// `weiterhin`, `toujours`, `tuttora`: the function stays.
    Still,
    Article,
    Preposition,
}

use Meaning::*;

#[rustfmt::skip]
const LEXICON: &[(Part, &str)] = &[
    (Part::Finite(Is), "gehört gehören setzt setzen besteht bestehen compose composent compone compongono ist sind wird werden wurde wurden est sont sera seront fut furent n'est s'est è sono viene vengono venne vennero devient \
        deviennent diventa diventano diviene divengono étant n'étant essendo"),
    (Part::Finite(Is), "fait font fa fanno beträgt betragen bilden bildet forment forme formano forma s'élève ammonta"),
    (Part::Finite(Was), "war waren était étaient era erano hielt hielten besass besassen détenait détenaient possédait possédaient disposait disposaient \
        deteneva detenevano possedeva possedevano"),
    (Part::Finite(Has), "hat haben ont n'a n'ont ayant n'ayant avendo ha hanno gibt geben nimmt nehmen tritt treten scheidet scheiden legt legen prend prennent"),
    (Part::Finite(Appoints), "subentra subentrano entra entrano assume assumono entrent übernimmt übernehmen amtet amten fungiert fungieren fonctionne \
        fonctionnent funge fungono"),
    (Part::Finite(Succeeds), "succède succèdent succede succedono remplace remplacent sostituisce sostituiscono"),
    (Part::Means(Appoints), "wiedereingetragen réinscrit réinscrite réinscrits réinscrites reiscritto reiscritta reiscritti gewählt ernannt bestellt bestimmt bezeichnet befördert eingesetzt berufen eingetragen beigetreten eingetreten ein Einsitz nommé nommée nommés \
        nommées élu élue élus élues désigné désignée désignés désignées appelé appelée appelés appelées inscrit inscrite inscrits inscrites entré entrée \
        entrés entrées nominato nominata nominati nominate eletto eletta eletti elette designato designata designati designate iscritto iscritta iscritti \
        iscritte subentrato subentrata subentrati subentrate entrato entrata entrati entrate assunto assunta promu promue promus promosso promossa \
        confié confiée confiés confiées affidato affidata affidati affidate anvertraut composé composée composto composta composti"),
    (Part::Means(Alters), "umgewandelt abgeändert modifié modifiée modifiés modifiées transformé transformée converti convertie convertito convertita convertiti modificato modificata modificati modificate \
        trasformato trasformata mutato mutata étendu étendue estesa"),
    (Part::Means(States), "erklärt eingereicht mitgeteilt remis présenté presentato inoltrato dato"),
    (Part::Finite(Keeps), "bleibt bleiben verbleibt verbleiben behält behalten reste restent demeure demeurent continue continuent conserve conservent garde \
        gardent maintient rimane rimangono resta restano conserva conservano mantiene mantengono permane permangono continua continuano \
        rimanendo restando mantenendo conservando"),
    (Part::Means(Keeps), "renouvelé renouvelée renouvelés confirmé confirmée confirmés confirmées reconduit reconduite reconduits réélu réélue réélus réélues \
        bestätigt wiedergewählt verlängert rinnovato rinnovata rinnovati confermato confermata confermati rieletto rieletta rieletti"),
    (Part::Finite(Leaves), "rassegna rassegnano verlässt verlassen quitte quittent démissionne démissionnent retire retirent esce escono lascia lasciano cessa cessano"),
    (Part::Means(Leaves), "relevé relevée relevés relevées abgesetzt enthoben destitué destituée destitués destituées destituito destituita destituiti ausgeschieden zurückgetreten zurück aus ausgetreten abberufen abgewählt verstorben gestorben entlassen weggefallen niedergelegt nieder \
        demissioniert ausscheidet démissionné démissionnaire démissionnaires quitté retiré retirée retirés retirées décédé décédée décédés \
        décédées sorti sortie sortis sorties révoqué révoquée révoqués révoquées cessé dimissionato dimissionata dimissionati dimesso dimessa dimessi dimesse dimissionario dimissionaria \
        dimissionari dimissionarie uscito uscita usciti uscite cessato cessata cessati cessate revocato revocata revocati revocate deceduto deceduta \
        deceduti decedute ritirato ritirata ritirati ritirate lasciato"),
    (Part::Finite(Ends), "erlischt erlöschen s'éteint s'éteignent decade decadono estingue estinguono"),
    (Part::Means(Ends), "erloschen gelöscht gestrichen widerrufen entzogen aufgehoben zurückgezogen radié radiée radiés radiées éteint éteinte éteints éteintes \
        supprimé supprimée supprimés supprimées annulé annulée annulés annulées estinto estinta estinti estinte cancellato cancellata cancellati \
        cancellate radiato radiata radiati radiate soppresso soppressa soppressi soppresse terminé terminée terminés terminées terminato terminata terminati beendet abgelaufen échu échue scaduto scaduta decaduto decaduta decaduti decadute"),
    (Part::Finite(Signs), "zeichnet zeichnen zeichne führt führen vertritt vertreten signe signent signera signeront engage engagent représente \
        représentent n'exerce l'engage l'engagent exerce exercent esercita esercitano firmano firmerà rappresenta rappresentano"),
    (Part::Means(Signs), "signer firmare"),
    (Part::Finite(Grants), "erhält erhalten reçoit reçoivent obtient obtiennent riceve ricevono ottiene ottengono verfügt verfügen dispose disposent \
        dispone dispongono"),
    (Part::Means(Grants), "erteilt verliehen eingeräumt conféré conférée conférés conférées conférer donné donnée données accordé accordée accordées \
        attribué attribuée attribuées octroyé octroyée conferito conferita conferiti conferite attribuito attribuita concesso concessa \
        concesse accordato accordata"),
    (Part::Finite(Cedes), "passe passent passa passano gingen gehen ging cedendo trasferendo vendendo cédant cède cèdent vend vendent transfère transfèrent überträgt übertragen verkauft verkaufen veräussert veräussern cede cedono vende \
        vendono trasferisce trasferiscono"),
    (Part::Means(Cedes), "cédé cédée cédés cédées vendu vendue vendus vendues transféré transférée transférés transférées ceduto ceduta ceduti cedute venduto \
        venduta venduti vendute trasferito trasferita trasferiti trasferite verlegt abgetreten übergegangen ab"),
    (Part::Finite(Acquires), "acquistando rilevando acquiert acquièrent reprend reprennent achète achètent erwirbt erwerben acquista acquistano acquisisce acquisiscono rileva \
        rilevano riprende riprendono"),
    (Part::Means(Acquires), "acquis acquise acquises repris reprise reprises acheté achetée achetées erworben übernommen acquistato acquistata acquistate \
        acquisito acquisita acquisite rilevato rilevata rilevate ripreso ripresa riprese"),
    (Part::Finite(Holds), "détient détiennent possède possèdent hält halten besitzt besitzen detiene detengono possiede possiedono"),
    (Part::Finite(Resides), "wohnt wohnen réside résident habite habitent risiede risiedono abita abitano"),
    (Part::Means(Resides), "wohnhaft Wohnsitz Wohnort domicilié domiciliée domiciliés domiciliées domicile domiciliato domiciliata domiciliati domiciliate \
        domicilio residente residenti residenza"),
    (Part::Means(Originates), "originaire originaires heimatberechtigt Bürger Bürgerin Heimatort origine attinente attinenti attinenza"),
    (Part::Finite(IsNamed), "firmiert firmieren heisst heissen s'appelle s'appellent nennt chiama chiamano nomme porte portent trägt tragen porta portano"),
    (Part::Means(IsNamed), "Namen Name Nachnamen Familiennamen nom nom: cognome nome"),
    (Part::Means(Replaces), "sostituito sostituita sostituiti sostituite remplacé remplacée remplacés remplacées ersetzt abgelöst"),
    (Part::Nominal(Appoints), "inscription inscriptions nomination nominations élection élections désignation Wahl Wahlen Neuwahl Ernennung Ernennungen \
        Eintragung Bestellung iscrizione nomina nomine elezione elezioni designazione"),
    (Part::Nominal(Leaves), "démission démissions révocation décès départ Rücktritt Rücktritte Austritt Ausscheiden Abberufung Abwahl dimissioni decesso uscita"),
    (Part::Nominal(Restricts), "limitation limitations restriction restrictions Beschränkung Beschränkungen Einschränkung limitazione limitazioni \
        restrizione restrizioni"),
    (Part::Nominal(Ends), "radiation radiations extinction suppression Löschung Erlöschen Widerruf cancellazione radiazione estinzione revoca soppressione"),
    (Part::Nominal(Grants), "octroi attribution Erteilung Verleihung conferimento attribuzione concessione"),
    (Part::Nominal(Cedes), "cession vente Abtretung Übertragung Verkauf cessione trasferimento vendita"),
    (Part::Negation, "mehr plus più länger"),
    (Part::And, "und sowie et ainsi e ed nonché"),
    (Part::But, "aber jedoch sondern mais toutefois ma però bensì hingegen"),
    (Part::Relative, "dont qui lequel laquelle lesquels lesquelles welcher welche welches dessen deren che cui quale quali"),
    (Part::Pronoun, "er sie es il elle ils elles egli ella essi esse lui celui-ci celle-ci ceux-ci dieser diese questi quest'ultimo quest'ultima ce dernier \
        cette dernière letzterer letztere"),
    (Part::Possessive, "ihre ihr ihrer ihren ihrem seine sein seiner seinen seinem sa son ses leur leurs suo sua suoi sue loro"),
    (Part::Adverb, "nouvellement neuerdings déjà neu neuer neue neues neuen nun nunmehr jetzt künftig auch zudem ebenfalls ausserdem désormais maintenant dorénavant actuellement \
        également aussi nouveau nouvel nouvelle nouveaux nouvelles ora adesso nuovo nuova nuovi nuove inoltre anche pure zugleich zusätzlich gleichzeitig unicamente uniquement été stato stata stati state \
        worden geworden devenu devenue diventato diventata divenuto divenuta"),
    (Part::Still, "weiterhin toujours tuttora ancora encore unverändert inchangé inchangée invariato"),
    (Part::Article, "die der das dem den des le la les l' il lo gli i gl' un une eine einen einem einer ein una uno"),
    (Part::Preposition, "in im à au aux a ad al alla ai alle allo all' an am von vom de d' du di da dal dalla dai del della dello dei delle dell' mit con \
        avec für pour per als zum zur comme quale quali durch par selon gemäss secondo nel nella nello nei en dans aus auf bei nach seit dès depuis \
        sur su ab unter sous sotto ohne sans senza zu chez presso infolge wegen aufgrund laut suite ensuite seguito nachdem"),
];

static PARTS: LazyLock<WordMap<Part>> = LazyLock::new(|| {
    let mut parts = WordMap::default();
    for (part, words) in LEXICON {
        for word in words.split_ascii_whitespace() {
            parts.entry(word).or_insert(*part);
        }
    }
    parts
});

/// The part of a word. Only the first word of a sentence is also looked up in lower case: later, a capital letter is
/// part of the word.
pub(super) fn part(word: &str, is_first: bool) -> Option<Part> {
    let straight = word.contains('’').then(|| word.replace('’', "'"));
    let plain = straight.as_deref().unwrap_or(word);
    match PARTS.get(plain) {
        None if is_first => PARTS.get(plain.to_lowercase().as_str()).copied(),
        found => found.copied(),
    }
}

/// Nouns with a capital letter that are no names, and forms of address.
#[rustfmt::skip]
const COMMON_NOUNS: &str = "Gesellschaft Gesellschaften Firma Generalversammlung Versammlung Universalversammlung Zweigniederlassung Hauptsitz Sitz \
    Beschluss Beschlüsse Wirkung Amt Ämter Funktion Eigenschaft Person Personen Wohnsitz Wohnort Namen Name Nachfolger Nachfolgerin Stelle Anteil Anteile Anteilen \
    Abtretung Vertrag Tod Rücktritt Liquidation Konkurs Kanton Handelsregister Bürger Bürgerin Heimatort Vollmacht Statuten Herr Herrn Frau Frauen Herren Firmen Kantons Kanton Handelsregister \
    Organ Organe Eintrag Eintragung Datum Zeit Dauer Jahr Jahre Monat Art Rechte Pflichten Tagen Erben Ersatz Kauf Verkauf Übertragung \
    Januar Februar März April Mai Juni Juli August September Oktober November Dezember Sämtliche Alle Beide Nicht Non Weder Nie Aktiengesellschaft Genossenschaft Stiftung Verein \
    Madame Monsieur Mesdames Messieurs M. Mme Mlle MM. Mmes Conseil Comité Tribunal Office Registre Société Fondation Assemblée Etat État Signor Signora Sig. \
    Sig.ra Sigg. Consiglio Comitato Tribunale Ufficio Registro Società Fondazione Assemblea Pretura Pretore CHF Fr. EUR Tous Toutes Entrambi Entrambe Tutti \
    Tutte Ambedue Konkursamt Bezirksgericht Gericht Nachlassverwaltung Todes Ablebens Rücktritts Ausscheidens Demission Aufgabe Stammkapital Aktienkapital Kapital Nennwert Restanz Mandat Mandate Mandats Ausscheiden Erlöschen Löschung Erteilung Widerruf Beendigung Befugnis Befugnisse Zeichnungsbefugnis \
    Ferner Weiter Sodann Hierauf Daraufhin Gleichentags Anschliessend Schliesslich Ebenso Dagegen Demgegenüber Enfin Ensuite Puis Parallèlement Quant Infine Successivamente Poi \
    Contestualmente Ingénieur Ingenieur Notar Notaire Notaio Avocat Avocate Avvocato Avvocata Architecte Architetto Architekt Rechtsanwalt Rechtsanwältin Fiduciario Treuhänder \
    Hoirie Erbengemeinschaft";

static NOUNS: LazyLock<WordSet> = LazyLock::new(|| COMMON_NOUNS.split_ascii_whitespace().collect());

/// Whether a capitalised word is no part of a name.
pub(super) fn is_common_noun(word: &str) -> bool {
    NOUNS.contains(word)
}

/// Whether the word is a share of the capital.
pub(super) fn is_share(word: &str) -> bool {
    #[rustfmt::skip]
    const SHARES: [&str; 15] = [
        "part", "parts", "Stammanteil", "Stammanteile", "Stammanteilen", "Anteil", "Anteile", "Anteilen", "Stammeinlage", "Stammeinlagen", "quota", "quote",
        "Gesellschaftsanteil", "Gesellschaftsanteile", "Gesellschaftsanteilen",
    ];
    SHARES.contains(&word)
}

pub(super) fn is_holder(word: &str) -> bool {
    #[rustfmt::skip]
    const HOLDERS: [&str; 14] = [
        "titulaire", "titulaires", "Inhaber", "Inhaberin", "titolare", "titolari", "propriétaire", "propriétaires", "proprietario", "proprietaria",
        "détenteur", "détentrice", "Eigentümer", "Eigentümerin",
    ];
    HOLDERS.contains(&word)
}

/// Whether a text states the shares of a person by the word for their holder: `titulaire de 15 parts`.
pub(super) fn states_holder(text: &str) -> bool {
    text.split(' ').any(is_holder) && text.split(' ').any(is_share)
}

/// Lower-case words beside a function: `administrateur unique`, `stellvertretender Direktor`.
pub(super) fn is_office_adjective(word: &str) -> bool {
    #[rustfmt::skip]
    const ADJECTIVES: [&str; 23] = [
        "unique", "unico", "unica", "einziger", "einzige", "einziges", "bisherige", "bisheriger", "bisherigen", "ancien", "ancienne", "anciens", "précédent",
        "precedente", "geschäftsführende", "geschäftsführender", "seul", "seule", "solo", "sola", "deux", "trois", "due",
    ];
    ADJECTIVES.contains(&word)
}

/// Words that start a note about the person replaced: `en remplacement de`, `anstelle von`.
#[rustfmt::skip]
pub(super) const REPLACEMENT: &[&str] = &[
    "remplacement", "anstelle", "Anstelle", "Stelle", "sostituzione", "posto", "Nachfolge", "Ersatz", "succède", "remplace", "remplacent", "ersetzen",
    "sostituisce", "sostituiscono", "succession", "Nachfolger", "Nachfolgerin", "luogo", "succede", "lieu", "vece", "invece", "statt", "anstatt",
];

/// Words for all persons named before.
#[rustfmt::skip]
pub(super) const ALL: &[&str] = &[
    "beide ", "alle ", "sämtliche ", "tous deux ", "toutes deux ", "tous trois ", "toutes trois ", "tous ", "toutes ", "les deux ", "les trois ", "ambedue ",
    "entrambi ", "entrambe ", "tutti ", "tutte ", "tutti e due ", "tutti e tre ", "chacun ", "chacune ", "ciascuno ", "ciascuna ", "je ", "jeder ", "ognuno ",
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn first_word_of_a_sentence_is_known_in_upper_case() {
        assert_eq!(part("È", true), Some(Part::Finite(Is)));
        assert_eq!(part("Sont", true), Some(Part::Finite(Is)));
        assert_eq!(part("Sont", false), None);
        assert_eq!(part("n’est", false), Some(Part::Finite(Is)));
    }
}
