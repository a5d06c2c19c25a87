//! The words of the statements about a company's existence, in German, French and Italian.
//!
//! Sources of the words: the Code of Obligations (art. 731b, 736–747, 934–939), the Commercial Register Ordinance
//! (art. 121–126, 152–164), the Debt Enforcement and Bankruptcy Act (art. 171–176, 230, 268, 293–332), the Merger Act, and
//! the formulas of the register offices.

use std::sync::LazyLock;

use aho_corasick::{AhoCorasick, AhoCorasickKind, MatchKind};

use crate::punctuation;

/// What a word means in a statement about the company's existence.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Concept {
    /// A word that contains another one without its meaning: `Konkursamt`.
    Neutral,
    Company,
    Signature,
    /// Something else that can be deleted, dissolved or revoked.
    OtherThing,
    Branch,
    Bankruptcy,
    /// `nach den Vorschriften`: directly before [`Concept::Bankruptcy`] it names the kind of a liquidation.
    Rules,
    Moratorium,
    /// Postponement of the bankruptcy (former art. 725a of the Code of Obligations).
    Postponement,
    Composition,
    /// Composition with assignment of assets (art. 317 of the Debt Enforcement and Bankruptcy Act).
    Assignment,
    /// Defect in the organisation (art. 731b of the Code of Obligations and the articles that refer to it).
    Defect,
    /// Dissolution by the office for a missing domicile (former art. 153b of the Commercial Register Ordinance).
    DomicileLaw,
    Dissolution,
    Liquidation,
    NoAssets,
    Opened,
    Granted,
    Ordered,
    Extended,
    Expired,
    Closed,
    Suspended,
    Resumed,
    Revoked,
    Rejected,
    SuspensiveEffect,
    Confirmed,
    Provisional,
    Definitive,
    Negated,
    /// Somebody who is appointed for the company.
    Appointed,
    /// `fin du sursis`: the words of a moratorium that is over.
    MoratoriumOver,
    Court,
    Resolution,
    Deleted,
    /// The deletion cannot take place yet.
    Blocked,
    /// What a company may do, as its purpose states it.
    Possible,
    ExOfficio,
    OnApplication,
    /// The business has ceased or has passed to someone else.
    Ceased,
    ReEntry,
    ForLiquidation,
    Seat,
    Moved,
    /// `im Handelsregister des Kantons`.
    OtherRegister,
    Abroad,
    NoDomicile,
    DomicileAgain,
    Founded,
    Merger,
    /// A merger that founds a new company.
    Combining,
    SplitUp,
    SpinOff,
    Demerger,
    Transfer,
    Receives,
    Gives,
}

use Concept::*;

/// The words of each concept, by language: German, French, Italian. Of overlapping words, the first counts, and of
/// those that start together, the longest. German words may be part of a longer word; the others start one.
#[rustfmt::skip]
const WORDS: [(Concept, [&[&str]; 3]); 58] = [
    (Neutral, [
        &["konkursamt", "konkursgericht", "konkursrichter", "konkursmasse", "konkursverwalt", "konkursbegehren", "schuldbetreibung und konkurs", "betreibungs- und konkurs", "gelöschte", "aufgelöste", "fusionierte", "ohne liquidation", "ohne auflösung", "ohne aufgelöst", "rechtskonkurs", "nicht wieder eingetragen"],
        &["poursuite pour dettes et la faillite", "poursuites et faillites", "poursuites et des faillites", "office des faillites", "juge de la faillite", "requête de faillite", "réquisition de faillite", "sans liquidation", "sans dissolution", "sans être dissoute", "sans entrer en liquidation", "société dissoute", "masse en faillite", "commissaire au sursis"],
        &["esecuzione e sul fallimento", "esecuzioni e fallimenti", "ufficio fallimenti", "ufficio dei fallimenti", "giudice del fallimento", "domanda di fallimento", "istanza di fallimento", "senza liquidazione", "senza scioglimento", "massa fallimentare", "commissario della moratoria", "commissario del concordato"]]),
    (Company, [
        &["gesellschaft", "firma", "stiftung", "verein", "genossenschaft", "einzelunternehm", "rechtseinheit", "rechtsträger", "institut des öffentlichen"],
        &["société", "raison sociale", "raison de commerce", "raison individuelle", "raison est", "cette raison", "fondation", "association", "entreprise", "entité", "l'inscription", "coopérative"],
        &["società", "ditta", "ragione sociale", "fondazione", "associazione", "l'iscrizione", "impresa", "cooperativa", "ente giuridico"]]),
    (Signature, [
        &["unterschrift", "prokura", "zeichnungs"],
        &["signature", "procuration", "pouvoirs", "ses droits"],
        &["firma di", "firma individual", "firma collettiv", "diritto di firma", "procura "]]),
    (OtherThing, [
        &["bemerkung", "vermerk", "hinweis", "klausel", "statutenbestimmung", "übersetzung", "firmenbezeichnung", "genussschein", "sacheinlage", "sachübernahme", "revisionsstelle", "domiziladresse", "domizil", "reserve", "rückstellung", "anleihe", "stammanteil", "vinkulierung", "nebenleistung", "revision", "verzicht"],
        &["observation", "remarque", "mention", "clause", "indication", "traduction", "apport en nature", "bon de jouissance", "bons de jouissance", "organe de révision", "adresse", "réserve", "emprunt", "contrôle restreint", "contrôle ordinaire"],
        &["osservazion", "menzione", "annotazione", "clausola", "traduzione", "conferimento in natura", "buoni di godimento", "ufficio di revisione", "recapito", "indirizzo", "riserv", "prestito", "revisione limitata"]]),
    (Branch, [&["zweigniederlassung"], &["succursale"], &["filiale della"]]),
    (Bankruptcy, [
        &["konkurs", "eröffnete konkurs", "eröffneten konkurs"],
        &["faillite"],
        &["fallimento", "fallimentare", "fallita"]]),
    (Rules, [
        &["vorschriften", "bestimmungen"],
        &["dispositions", "règles", "prescriptions"],
        &["prescrizioni", "disposizioni", "norme", "regole"]]),
    (Moratorium, [
        &["nachlassstundung", "nachlass-stundung", "notstundung", "stundung", "gewährte nachlassstundung", "bewilligte nachlassstundung"],
        &["sursis concordataire", "sursis"],
        &["moratoria concordataria", "moratoria"]]),
    (Postponement, [
        &["konkursaufschub", "aufschub des konkurses", "aufschub der konkurseröffnung", "konkurseröffnung aufgeschoben", "konkurs aufgeschoben"],
        &["ajournement de la faillite", "ajournement de faillite", "ajournement du prononcé", "ajournement", "faillite ajournée", "faillite est ajournée", "faillite a été ajournée"],
        &["differimento del fallimento", "differimento della dichiarazione", "differimento", "fallimento è differito", "fallimento è stato differito"]]),
    (Composition, [&["nachlassvertrag"], &["concordat"], &["concordato"]]),
    (Assignment, [
        &["vermögensabtretung", "nachlassliquidation"],
        &["abandon d'actif", "par abandon", "liquidation concordataire"],
        &["abbandono dell'attivo", "abbandono di attivi", "abbandono degli attivi", "abbandono dei beni", "liquidazione concordataria"]]),
    (Defect, [
        &["731b", "organisationsmangel", "organisationsmängel", "mängel in der", "mangel in der", "mängeln in der", "mangels in der", "fehlens vorgeschriebener organe", "art. 83d", "art. 69c", "konkursamtlich"],
        &["carences dans l'organisation", "carence dans l'organisation", "carences d'organisation", "carences organisationnelles"],
        &["lacune nell'organizzazione", "lacuna nell'organizzazione", "carenze nell'organizzazione", "carenza nell'organizzazione", "carenze organizzative", "lacune organizzative"]]),
    (DomicileLaw, [&["153b"], &[], &[]]),
    (Dissolution, [
        &["aufgelöst", "aufgeloest", "auflösung", "in liquidation getreten", "tritt in liquidation", "in liquidation versetzt", "in liquidation gesetzt", "befindet sich in liquidation", "stiftung aufgehoben", "stiftung ist aufgehoben", "aufhebung der stiftung", "stiftung damit aufgehoben", "stiftung somit aufgehoben"],
        &["dissoute", "dissous", "dissolution", "entrée en liquidation", "entre en liquidation", "mise en liquidation"],
        &["sciolta", "sciolto", "scioglimento", "posta in liquidazione", "messa in liquidazione", "entrata in liquidazione", "entra in liquidazione"]]),
    (Liquidation, [&["liquidation", "liquidiert"], &["liquidation", "liquidée"], &["liquidazione", "liquidata"]]),
    (NoAssets, [
        &["mangels aktiv", "mangels verwertbarer aktiv", "mangels vermögen", "keine aktiven", "keine verwertbaren aktiv", "fehlender aktiv", "159 abs. 5 lit. a", "159a abs. 1 lit. a"],
        &["défaut d'actif", "faute d'actif", "manque d'actif", "insuffisance d'actif", "absence d'actif", "plus d'actif", "pas d'actif", "159 al. 5 let. a", "159a al. 1 let. a"],
        &["mancanza di attiv", "mancanza d'attiv", "assenza di attiv", "difetto di attiv", "insufficienza di attiv", "più attivi", "alcun attivo", "159 cpv. 5 lett. a", "159a cpv. 1 lett. a"]]),
    (Opened, [
        &["eröffnet", "ausgesprochen", " gesetzt", " erklärt", " gefallen", " verhängt", "konkurs erkannt"],
        &["prononc", "ouvert", "déclaré", "en état de", "mise en"],
        &["apert", "decretat", "dichiarat", "pronunciat"]]),
    (Granted, [
        &["gewähr", "bewillig", "erteilt", "eingeräumt", "zugestanden"],
        &["accord", "octroy", "obtenu"],
        &["concess", "accordat", "ottenut", "ammess"]]),
    (Ordered, [&["angeordnet", "anordnung", "anordnete"], &["ordonn"], &["ordinat"]]),
    (Extended, [&["verlänger", "erstreck"], &["prolong", "prorog"], &["prolung", "prorog"]]),
    (Expired, [&["abgelaufen", "ablauf"], &["expir", "pris fin", "échu"], &["scadut", "cessat"]]),
    (Closed, [
        &["geschlossen", "beendet", "beendigt", "beendigung", "durchgeführter", "durchgeführt worden", "ist durchgeführt", "durchgeführt ist", "durchgeführt wurde", "vollzogener", "schluss des", "abschluss"],
        &["clôtur", "close", "clos par", "terminée", "achevée"],
        &["chius", "conclusa", "ultimata", "terminat"]]),
    (Suspended, [&["eingestellt", "einstellung"], &["suspen"], &["sospes", "sospensione"]]),
    (Resumed, [
        &["wieder aufgenommen", "wiederaufgenommen", "wird nun durchgeführt", "wird durchgeführt", "durchgeführt, da", "wiedereröffn", "wieder eröffn"],
        &["reprise de la procédure", "procédure est reprise", "procédure a été reprise", "procédure de faillite est reprise", "rouvert", "réouvert", "réouverture", "reprise de la liquidation"],
        &["ripresa della procedura", "procedura è ripresa", "procedura è stata ripresa", "riapert"]]),
    (Revoked, [
        &["widerruf", "aufgehoben", "aufhebung", "dahingefallen", "dahin gefallen", "dahinfäll", "rückgängig", "hinfällig", "nichtig", "annulliert", "gutgeheissen", "gutheissung"],
        &["révoqu", "révocation", "rapporté", "annul", "caduque", "caduc", "sans objet", "levée", "rétract", "mis à néant", "mise à néant", "admis le recours", "recours est admis", "recours a été admis", "recours admis", "admission du recours", "a été admis", "est admis"],
        &["revoc", "annull", "caduc", "decadut", "priva d'oggetto", "priva di oggetto", "accolto il ricorso", "ricorso accolto", "ricorso è accolto", "ricorso è stato accolto", "accoglimento del ricorso", "stato accolto"]]),
    (Rejected, [&["abgewiesen", "abweisung", "nicht eingetreten", "verworfen", "verweiger", "abgelehnt", "ablehnung"], &["rejet", "irrecevable", "refus"], &["respint", "irricevibile", "rifiut", "negato", "negata", "denegat"]]),
    (SuspensiveEffect, [&["aufschiebende wirkung", "aufschiebender wirkung", "aufschiebenden wirkung", "suspensivwirkung"], &["effet suspensif"], &["effetto sospensivo"]]),
    (Confirmed, [&["bestätig", "genehmig"], &["homolog", "confirm", "ratifi"], &["omolog", "conferm", "ratific"]]),
    (Provisional, [&["provisorisch", "gewährte provisorisch", "bewilligte provisorisch"], &["provisoire"], &["provvisori"]]),
    (Definitive, [&["definitiv", "gewährte definitiv", "bewilligte definitiv"], &["définiti"], &["definitiv"]]),
    (Negated, [&["nicht aufgelöst", "nicht mehr aufgelöst", "bleibt aufgelöst", "nicht eröffnet", "nicht bewilligt", "nicht gewährt", "kein konkurs", "nicht erteilt", "nicht zuerkannt", "nicht verlängert", "nicht erstreckt", "nicht bestätigt", "nicht genehmigt"], &["n'est pas dissoute", "n'est plus dissoute", "reste dissoute", "pas été prononc", "pas prononc", "pas été accord", "pas accord", "pas été octroy", "pas octroy", "pas été prolong", "pas prolong", "pas été homolog", "pas homolog"], &["non è sciolta", "non è più sciolta", "rimane sciolta", "non è stato dichiarat", "non è stato aperto", "non è stato concess", "non è stata concess", "non è stato accordat", "non è stata accordat", "non è stata prorogat", "non è stata prolungat", "non è stato omologat"]]),
    (Appointed, [&["sachwalter", "ernenn", "ernannt", "einsetzung", "eingesetzt"], &["commissaire", "nomination", "nommé", "désign"], &["commissario", "nomina", "designa"]]),
    (MoratoriumOver, [&["ende der nachlassstundung", "ende der provisorischen nachlassstundung", "ende der definitiven nachlassstundung"], &["fin du sursis", "fin au sursis", "fin à ce sursis", "terme au sursis"], &["fine della moratoria", "fine alla moratoria"]]),
    (Court, [
        &["gericht", "richter", "urteil", "entscheid", "dekret"],
        &["tribunal", "juge", "ordonnance", "arrêt"],
        &["pretura", "pretore", "giudice", "tribunale", "sentenza", "decreto"]]),
    (Resolution, [
        &["generalversammlung", "gesellschafterversammlung", "mitgliederversammlung", "hauptversammlung", "delegiertenversammlung", "beschluss", "beschlüsse", "beschlossen", "gesellschafter haben"],
        &["assemblée", "décision", "décidé", "résolution"],
        &["assemblea", "decisione", "deciso", "deliberat", "delibera", "risoluzione"]]),
    (Deleted, [
        &["gelöscht", "geloescht", "erloschen", "löschung infolge", "löschung von amtes wegen"],
        &["est radiée", "dissoute et radiée", "dissout et radié", "est donc radiée", "est ainsi radiée", "est dès lors radiée", "est par conséquent radiée", "est en conséquence radiée", "est d'office radiée", "a été radiée", "a été d'office radiée", "est radié d'office", "est radié par suite", "est radié ensuite", "radiée d'office", "radiée par suite", "radiation d'office", "radiation par suite"],
        &["è cancellat", "è quindi cancellat", "è pertanto cancellat", "è dunque cancellat", "è di conseguenza cancellat", "è d'ufficio cancellat", "è stata cancellat", "è stato cancellat", "viene cancellat", "viene d'ufficio cancellat", "è radiat", "è stata radiat", "viene radiat", "è estinta", "sciolta e cancellat", "sciolta e radiat", "cancellata d'ufficio", "cancellazione d'ufficio", "cancellazione in seguito"]]),
    (Blocked, [
        &["noch nicht", "vorläufig nicht", "kann nicht", "nicht gelöscht", "nicht erfolgen", "nicht vorgenommen", "verschoben", "steht noch aus", "sofern", "falls kein", "es sei denn", "mangels zustimmung", "fehlender zustimmung", "fehlt", "vorbehältlich", "einsprache erhoben", "widersetzt", "nicht zugestimmt"],
        &["ne peut", "ne pourra", "pas encore", "n'est pas radiée", "différée", "en suspens", "faisant défaut", "fait défaut", "à moins que", "sauf opposition", "si aucune opposition", "s'est opposé", "s'oppose", "s'y oppose", "s'y est opposé", "s'y étant opposé", "a fait opposition", "a formé opposition"],
        &["non può", "non potrà", "non ancora", "non è cancellat", "differita", "in sospeso", "mancando il consenso", "salvo opposizione", "qualora", "si è oppost", "si oppone", "ha fatto opposizione"]]),
    (Possible, [&["kann ", "können", "bezweckt"], &["peut ", "pourra", "a pour but"], &["può ", "potrà", "ha per scopo"]]),
    (ExOfficio, [&["von amtes wegen"], &["d'office"], &["d'ufficio"]]),
    (OnApplication, [&["auf antrag", "auf begehren", "auf gesuch", "auf anmeldung", "auf ersuchen"], &["sur requête", "sur réquisition", "sur demande", "à la requête", "à la demande"], &["su richiesta", "su istanza", "a richiesta", "su notificazione"]]),
    (Ceased, [
        &["geschäftsaufgabe", "aufgabe des geschäft", "geschäftsübergang", "übergang des geschäfts", "übergangs des geschäfts", "aufgabe der geschäftstätigkeit", "geschäftsbetrieb aufgegeben", "infolge todes", "verzichts des inhabers"],
        &["cessation d", "cessation de l'", "remise de commerce", "remise d'exploitation", "abandon de l'exploitation", "décès du titulaire"],
        &["cessazione", "cessata attività", "cessione dell'azienda", "decesso del titolare"]]),
    (ReEntry, [
        &["wieder eingetragen", "wiedereingetragen", "wiedereintragung", "wieder in das handelsregister", "wieder ins handelsregister", "wieder im handelsregister", "neuerlich eingetragen", "erneut eingetragen"],
        &["réinscri", "ré-inscri", "inscrite à nouveau", "inscrit à nouveau", "à nouveau inscrit", "de nouveau inscrit", "inscrite de nouveau"],
        &["reiscri", "iscritta nuovamente", "nuovamente iscritt", "di nuovo iscritt", "iscritta di nuovo"]]),
    (ForLiquidation, [
        &["zwecke der liquidation", "zwecks liquidation", "zwecks durchführung der liquidation", "zwecke der durchführung der liquidation", "zur durchführung der liquidation", "in liquidation eingetragen", "liquidationszweck", "nachliquidation", "mit dem zusatz in liquidation"],
        &["fins de liquidation", "vue de sa liquidation", "vue de la liquidation", "vue de liquidation", "pour liquidation", "en liquidation"],
        &["fini della liquidazione", "fini di liquidazione", "vista della liquidazione", "scopo di liquidazione", "in liquidazione"]]),
    (Seat, [&["der sitz", "den sitz", "ihren sitz", "des sitzes", "sitz nach", "sitz ins"], &["siège"], &["sede"]]),
    (Moved, [&["verleg", "sitzverleg", "wegzug"], &["transfert", "transfér", "déplac"], &["trasferi", "spostament"]]),
    (OtherRegister, [
        &["register des kantons", "register von", "register des amtes", "hiesigen register", "hiesigen handelsregister", "registerbezirk", "register des bezirks"],
        &["registre du canton", "registre du commerce du canton", "registre du commerce de", "registre de"],
        &["registro del cantone", "registro di commercio del cantone", "registro di commercio di", "registro di"]]),
    (Abroad, [&["ins ausland", "im ausland", "163 iprg", "164 iprg", "ausländische"], &["à l'étranger", "163 ldip", "164 ldip", "registre étranger"], &["all'estero", "163 ldip", "registro estero"]]),
    (NoDomicile, [
        &["kein rechtsdomizil", "kein domizil", "kein gültiges domizil", "kein gültiges rechtsdomizil", "keine domiziladresse", "ohne rechtsdomizil", "ohne domizil", "domizillos", "nicht mehr über ein rechtsdomizil", "nicht mehr über ein domizil", "fehlt das rechtsdomizil", "fehlt ein rechtsdomizil", "fehlendes rechtsdomizil", "fehlendes domizil", "rechtsdomizil fehlt", "domizil fehlt", "domizil erloschen", "domizil ist erloschen", "domizil: erloschen", "domizil aufgehoben", "domizil ist aufgehoben", "domizil wurde aufgehoben", "domizil gelöscht", "domizil ist gelöscht", "domizil wurde gelöscht", "domizil ist weggefallen", "domizil weggefallen"],
        &["sans domicile", "sans adresse", "plus de domicile", "plus d'adresse", "pas de domicile", "pas d'adresse", "plus d'un domicile", "plus un domicile", "aucun domicile", "aucune adresse", "dépourvue de domicile", "dépourvue d'adresse", "privée de domicile", "plus d'une adresse", "domicile supprimé", "domicile légal supprimé", "domicile est supprimé", "domicile légal est supprimé", "domicile de la société est supprimé", "domicile légal de la société est supprimé", "domicile légal a été supprimé", "domicile légal radié", "domicile légal est radié"],
        &["senza domicilio", "senza recapito", "senza indirizzo", "priva di domicilio", "priva di recapito", "priva di indirizzo", "più un domicilio", "più di un domicilio", "più un recapito", "più di un recapito", "più alcun domicilio", "più alcun recapito", "alcun domicilio", "alcun recapito", "più recapito", "più domicilio", "recapito soppresso", "recapito è soppresso", "recapito è stato soppresso", "recapito cancellato", "recapito è cancellato", "recapito è stato cancellato", "recapito della società è soppresso", "recapito della società è cancellato"]]),
    (DomicileAgain, [
        &["wieder über ein rechtsdomizil", "wieder über ein domizil", "wieder über ein gültiges", "wieder ein rechtsdomizil", "wieder ein domizil", "wieder ein gültiges"],
        &["à nouveau d'un domicile", "à nouveau un domicile", "de nouveau un domicile", "de nouveau d'un domicile", "à nouveau d'une adresse", "à nouveau une adresse", "de nouveau d'une adresse"],
        &["nuovamente un domicilio", "nuovamente di un domicilio", "nuovamente un recapito", "nuovamente di un recapito", "di nuovo un domicilio", "di nuovo di un domicilio", "di nuovo un recapito"]]),
    (Founded, [
        &["neue zweigniederlassung", "zweigniederlassung neu", "weitere zweigniederlassung", "errichtet", "errichtung"],
        &["nouvelle succursale", "a créé une succursale", "a ouvert une succursale", "création d'une succursale"],
        &["nuova succursale", "ha istituito una succursale", "ha aperto una succursale", "istituzione di una succursale"]]),
    (Merger, [
        &["fusion"],
        &["fusion", "absorption"],
        &["fusione", "incorporazione"]]),
    (Combining, [&["kombinationsfusion"], &["fusion par combinaison", "fusion par voie de combinaison"], &["fusione mediante combinazione", "fusione per combinazione"]]),
    (SplitUp, [&["aufspaltung"], &["scission par division", "par division", "par voie de division"], &["mediante divisione", "per divisione", "scissione per divisione", "scissione mediante divisione"]]),
    (SpinOff, [&["abspaltung"], &["scission par séparation", "par séparation", "par voie de séparation"], &["mediante separazione", "per separazione", "scissione per separazione", "scissione mediante separazione"]]),
    (Demerger, [&["spaltungsvertrag", "spaltungsplan", "spaltung", "spaltet sich", "spaltet einen"], &["scission", "se scinde", "s'est scindée"], &["scissione", "si scinde", "si è scissa"]]),
    (Transfer, [&["vermögensübertragung", "übertragungsvertrag", "Übertragungsvertrag"], &["transfert de patrimoine", "contrat de transfert"], &["trasferimento di patrimonio", "contratto di trasferimento"]]),
    (Receives, [
        &["übernahme", "Übernahme", "übernimmt", "Übernimmt", "erhält"],
        &["reprise", "reprend", "a repris", "absorbe", "a absorbé", "absorption de", "reçoit"],
        &["ripresa", "riprende", "assume", "assunzione", "ha assorbito", "ha incorporato", "ha ripreso", "riceve", "incorpora ", "incorporazione di"]]),
    (Gives, [
        &["gehen", "geht", "überträgt", "Überträgt", "übertragen", "übergegangen", "übernommen"],
        &["passent", "passe à", "transfère", "sont transférés", "ont été transférés", "reprise par", "reprises par", "repris par", "sont repris", "ont été repris", "a été reprise", "est reprise", "absorbée", "ont passé", "absorption par"],
        &["passano", "passati", "ripresi da", "ripresi dalla", "ripresa da", "ripresa dalla", "è stata ripresa", "è ripresa", "assorbita da", "riprese da", "sono ripresi", "trasferisce", "sono trasferiti", "trasferiti", "incorporata", "assunti da"]]),
];

struct Finder {
    automaton: Option<AhoCorasick>,
    /// The concept of each word, and whether the word must start a word of the text.
    meanings: Vec<(Concept, bool)>,
}

static FINDER: LazyLock<Finder> = LazyLock::new(|| {
    let rows = WORDS.iter().flat_map(|(concept, languages)| {
        let of_language = languages.iter().enumerate();
        of_language.flat_map(move |(at, words)| words.iter().map(move |it| (*it, *concept, at > 0)))
    });
    let automaton = AhoCorasick::builder()
        .ascii_case_insensitive(true)
        .kind(Some(AhoCorasickKind::DFA))
        .match_kind(MatchKind::LeftmostLongest)
        .build(rows.clone().map(|(word, _, _)| word));
    // Building fails only if there are too many words.
    Finder { automaton: automaton.ok(), meanings: rows.map(|(_, it, at)| (it, at)).collect() }
});

/// A word of the table in a text, with its start and end offsets.
#[derive(Clone, Copy, Debug)]
pub(super) struct Found {
    pub(super) concept: Concept,
    pub(super) start: usize,
    pub(super) end: usize,
}

/// The words of the table in a text, in its order. In round brackets, only references to the law count:
/// `(Art. 731b OR)`, but not `(gelöscht)`.
pub(super) fn find(text: &str) -> Vec<Found> {
    let Some(automaton) = &FINDER.automaton else { return Vec::new() };
    let mut found: Vec<Found> = Vec::new();
    for it in automaton.find_iter(text) {
        let (concept, starts_word) = FINDER.meanings[it.pattern().as_usize()];
        let before = text[..it.start()].chars().next_back();
        if concept != Neutral && !(starts_word && before.is_some_and(char::is_alphabetic)) {
            found.push(Found { concept, start: it.start(), end: it.end() });
        }
    }
    if !found.is_empty() {
        let groups = punctuation::bracket_groups(text);
        let is_inside = |it: &Found| {
            let before = groups.partition_point(|(from, _)| *from < it.start);
            before > 0 && groups[before - 1].1 > it.start
        };
        let is_reference = |it: Concept| matches!(it, Defect | DomicileLaw | NoAssets | Abroad);
        found.retain(|it| is_reference(it.concept) || !is_inside(it));
    }
    mark_bankruptcy_rules(text, &mut found);
    found
}

/// Replaces `Konkurs` in `nach den Vorschriften über den Konkurs`: it names the rules of a liquidation that the court
/// orders for a defect in the organisation (art. 731b para. 1bis no. 3 of the Code of Obligations).
fn mark_bankruptcy_rules(text: &str, found: &mut [Found]) {
    const LINKS: [&str; 13] = [
        " über ",
        " des ",
        " zum ",
        " betreffend ",
        " à ",
        " sur ",
        " de la ",
        " du droit ",
        " relatives ",
        " al ",
        " sul ",
        " del ",
        " in materia ",
    ];
    for at in 1..found.len() {
        let (rules, bankruptcy) = (found[at - 1], found[at]);
        if rules.concept == Rules && bankruptcy.concept == Bankruptcy {
            let between = &text[rules.end..bankruptcy.start];
            let is_linked = LINKS.iter().any(|it| between.contains(it));
            if is_linked && between.len() <= 60 && !between.contains([',', ';']) {
                found[at].concept = Defect;
            }
        }
    }
    // `auf dem Konkursweg`, `par voie de faillite`
    const BY_WAY_OF: [&str; 6] = [
        "par voie de ",
        "par la voie de ",
        "par la voie de la ",
        "in via di ",
        "in via ",
        "per via di ",
    ];
    for it in found.iter_mut().filter(|it| it.concept == Bankruptcy) {
        let (before, rest) = (&text[..it.start], &text[it.end..]);
        let is_way = ["weg", "amtlich", "rechtlich"].iter().any(|way| rest.starts_with(way))
            || BY_WAY_OF.iter().any(|way| before.ends_with(way));
        if is_way {
            it.concept = Defect;
        }
    }
}

/// A set of concepts.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Concepts(u64);

impl Concepts {
    pub(super) fn of(found: &[Found]) -> Self {
        Self(found.iter().fold(0, |set, it| set | 1 << it.concept as u64))
    }

    #[must_use]
    pub(super) fn with(self, concept: Concept) -> Self {
        Self(self.0 | 1 << concept as u64)
    }

    pub(super) fn has(self, concept: Concept) -> bool {
        self.0 >> concept as u64 & 1 == 1
    }

    pub(super) fn has_any(self, concepts: &[Concept]) -> bool {
        concepts.iter().any(|it| self.has(*it))
    }

    pub(super) fn has_all(self, concepts: &[Concept]) -> bool {
        concepts.iter().all(|it| self.has(*it))
    }
}
