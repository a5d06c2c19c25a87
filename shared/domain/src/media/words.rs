//! Word lists for sentiment and topics in German, French, Italian and English. This project's own choice.
//!
//! Phrases are separated by `|` and are normalised by [`text::fold`](crate::text::fold). `*` at an end
//! matches longer words, `+` gives weight 2. Words with another meaning in one of the languages are left
//! out: German `Fall`, `brand` and `die`, Italian `fine`, French `mai`.

/// Positive phrases.
pub(super) const POSITIVE: [&str; 4] = [
    "+rekord* | erfolg* | steigert* | gesteigert* | wachst | wachstum* | zulegen | legt zu | gewinnt* | ausgezeichnet* \
    | auszeichnung* | reingewinn | gewinnsprung | verbessert* | verbesserung* | +gewinnsteigerung | ubertrifft | innovativ* | +turnaround \
    | schafft arbeitsplatze | neue arbeitsplatze | baut aus | ausbau | expandiert* | grossauftrag* | auftragseingang steigt | zuversichtlich* \
    | erholung | erholt sich | +durchbruch | spitzenplatz | nachhaltig* | gerettet | rettung | freigesprochen | freispruch",
    "succes | +benefice record | +chiffre d affaires record | croissance | progresse* | en hausse | benefice | ameliore* | amelioration* | distingue* \
    | recompense* | cree des emplois | creation d emplois | nouveaux emplois | embauche* | developpe* | developpement | +percee | confiant* | redressement \
    | depasse les attentes | innovant* | acquitte* | sauve* | contrat majeur",
    "successo | crescita | cresce | crescono | in aumento | utile record | +ricavi record | utile | migliora* | miglioramento* | premiato* | premiata* \
    | crea posti | nuovi posti di lavoro | espansione | ripresa | +svolta | supera le attese | innovativo* | fiducioso* | salvata* | salvato* | assolto* | grande commessa",
    "+record profit* | +record sales | record revenue* | success* | grows | growth | growing | rises | rising | profit* | improves | improved | improvement* | award* | wins | won \
    | outperform* | beats expectations | exceeds expectations | creates jobs | new jobs | hires | hiring | expands | expansion | +breakthrough | recovery | recovers \
    | confident | upgrade* | innovative | acquitted | rescued | strong results | strong demand",
];

/// Negative phrases.
pub(super) const NEGATIVE: [&str; 4] = [
    "+konkurs* | +insolven* | +pleite* | nachlassstundung* | zahlungsunfahig* | verlust* | reinverlust | verluste | ruckgang* | bricht ein | einbruch | eingebrochen \
    | entlass* | kundigung* | stellenabbau | baut stellen ab | abbau | schliesst standort | schliessung* | gewinnwarnung* | +betrug* | +korruption* | bestechung* | geldwasche* \
    | strafverfahren | strafanzeige* | anklage* | angeklagt* | verurteilt* | busse | bussen | gebusst | klage gegen | razzia | ermittelt gegen | ermittlungen | skandal* | krise | krisen* \
    | ruckruf* | unfall* | mangel | schulden | uberschuld* | sanktion* | herabgestuft | herabstufung | verfehlt | cyberangriff* | hackerangriff* | datenleck* | streik* | scheitert | gescheitert | liquidation",
    "+faillite* | +insolvab* | depose son bilan | depot de bilan | sursis concordataire | perte | pertes | recul* | en baisse | chute* | licenci* | suppression d emplois | suppressions d emplois \
    | supprime des emplois | ferme son site | fermeture* | avertissement sur resultats | +fraude* | +escroquer* | corrupt* | blanchiment | procedure penale | plainte* | accuse | accusee | accuses \
    | condamne* | amende* | perquisition* | enquete* | scandale* | crise* | rappel de produits | accident* | dette* | surendett* | sanction | sanctions | sanctionne* | degrade* | cyberattaque* | greve* | echec* | echoue*",
    "+fallimento | +fallita | +insolvenz* | moratoria concordataria | perdita | perdite | calo | in calo | crollo | crolla | licenziament* | licenzia | taglio di posti | taglia posti | chiusura* | chiude la sede \
    | +frode | frodi | +truffa* | corruzione | riciclaggio | procedimento penale | denuncia* | accusato* | accusata* | condannat* | multa | multe | multato* | perquisizion* | inchiesta | inchieste | scandalo* | crisi \
    | richiamo di prodotti | incidente* | debiti | sovraindebit* | sanzion* | declassat* | attacco informatico | sciopero* | fallisce",
    "+bankrupt* | +insolvent* | +insolvency | receivership | debt moratorium | loss | losses | decline* | declining | falling | plunge* | slump* | layoff* | lay off* | laid off | job cuts | cuts jobs | closure* | closes site \
    | shuts down | profit warning* | +fraud* | +embezzle* | bribe* | corrupt practices | money laundering | lawsuit* | sued | indict* | convicted | fined | raid* | investigation* | probe into | scandal* | crisis \
    | product recall* | recalls | debts | overindebt* | sanctioned | downgrade* | misses expectations | cyberattack* | data breach* | data leak* | strike* | fails | failed | failure*",
];

/// Negations of what follows.
pub(super) const NEGATIONS: &str = "kein | keine | keinen | keiner | keinem | keinerlei | nicht | ohne | nie | niemals | weder \
    | pas | aucun | aucune | sans | jamais | ni | non | senza | nessun | nessuna | nessuno | no | not | without | never | denies | avoids | averts | vermeidet | verhindert | evite | evita";

/// Negations of what directly precedes.
pub(super) const NEGATIONS_AFTER: &str = "nicht | pas | abgewendet | evitee | evitato | averted";

/// A topic of news items.
pub(super) struct Topic {
    /// Name in responses.
    pub(super) name: &'static str,
    /// Risk relevance for business partners of the company, 0 to 1.
    pub(super) risk: f64,
    pub(super) phrases: &'static str,
}

const fn topic(name: &'static str, risk: f64, phrases: &'static str) -> Topic {
    Topic { name, risk, phrases }
}

/// The topics, highest risk relevance first.
pub(super) const TOPICS: [Topic; 9] = [
    topic(
        "bankruptcy",
        0.9,
        "konkurs* | insolven* | pleite* | nachlassstundung* | zahlungsunfahig* | uberschuld* | faillite* | insolvab* | depose son bilan | depot de bilan | sursis concordataire \
        | surendett* | fallimento | fallita | moratoria concordataria | sovraindebit* | bankrupt* | receivership | debt moratorium | overindebt*",
    ),
    topic(
        "sanctions",
        0.8,
        "sanktion* | embargo* | sanction | sanctions | sanctionne* | sanctioned | sanzion*",
    ),
    topic(
        "litigation",
        0.6,
        "strafverfahren | strafanzeige* | anklage* | angeklagt* | klage | klagen | gerichtsverfahren | prozess gegen | verurteilt* | gebusst | ermittelt gegen | ermittlungen | razzia | betrug* | korruption* | bestechung* | geldwasche* \
        | procedure penale | plainte* | proces | tribunal | condamne* | amende* | perquisition* | enquete penale | fraude* | escroquer* | blanchiment \
        | procedimento penale | denuncia* | processo contro | tribunale | condannat* | multa | multato* | perquisizion* | inchiesta | frode | truffa* | corruzione | riciclaggio \
        | lawsuit* | sued | court case | indict* | convicted | fined | investigation* | probe into | fraud* | bribe* | money laundering",
    ),
    topic(
        "incident",
        0.5,
        "cyberangriff* | hackerangriff* | datenleck* | unfall* | ruckruf* | brandfall | cyberattaque* | fuite de donnees | rappel de produits | accident* | attacco informatico | incidente* | richiamo di prodotti \
        | cyberattack* | data breach* | data leak* | product recall*",
    ),
    topic(
        "restructuring",
        0.4,
        "entlass* | stellenabbau | baut stellen ab | restrukturier* | schliessung* | massenentlassung* | licenci* | suppression d emplois | suppressions d emplois | restructur* | fermeture* \
        | licenziament* | taglio di posti | ristruttur* | chiusura* | layoff* | lay off* | laid off | job cuts | cuts jobs | closure*",
    ),
    topic(
        "merger",
        0.0,
        "fusion* | ubernimmt | ubernahme* | zusammenschluss | kauft | verkauft | beteiligt sich an | rachat | rachete* | acquiert | reprend | acquisizione | acquisisce | rileva | fusione | fusioni \
        | merger* | merges | acquires | acquisition* | takeover* | takes over | buys",
    ),
    topic(
        "results",
        0.0,
        "jahresergebnis* | halbjahresergebnis* | quartalszahlen | gewinn | reingewinn | *gewinn | umsatz* | *umsatz | verlust* | reinverlust | gewinnwarnung* | dividende* | ebit* \
        | resultat annuel | resultats | benefice* | chiffre d affaires | perte | pertes | utile | ricavi | fatturato | perdita | perdite | dividendo | risultati \
        | results | profit* | revenue* | turnover | loss | losses | dividend* | earnings",
    ),
    topic(
        "personnel",
        0.0,
        "verwaltungsrat* | geschaftsleitung | geschaftsfuhrer* | neuer chef | neue chefin | ceo | cfo | finanzchef* | tritt zuruck | rucktritt* | ernennt | ernannt | ernennung* | nachfolg* | prasident* | prasidium \
        | conseil d administration | directeur* | directrice* | nomme | nommee | nomination* | demission* | successeur* | consiglio di amministrazione | direttore | direttrice | nominato | nominata | nomina | dimission* \
        | board of directors | appoints | appointed | appointment* | resigns | resignation* | steps down | chief executive | chief financial",
    ),
    topic(
        "expansion",
        0.0,
        "expandiert* | expansion | baut aus | ausbau | neuer standort | neue filiale | neubau | investiert* | nouveau site | nouvelle succursale | investit* | s implante | espansione \
        | nuova sede | nuova filiale | investe | expands | new site | new office | new plant | invests",
    ),
];
