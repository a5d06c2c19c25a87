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
        | erholung | erholt sich | +durchbruch | spitzenplatz | nachhaltig* | gerettet | rettung \
        | *preis | *preises | neue stellen | schwarze zahlen | erhalt bewilligung | bewilligung fur @ | auftrag fur @ | gewinn | gewinnt preis | \
        stellt * ein mitarbeiter | schafft | eroffnet neu* | verdoppelt | rekordjahr",
    "succes | +benefice record | +chiffre d affaires record | croissance | progresse* | en hausse | benefice | ameliore* | amelioration* | distingue* \
        | recompense* | cree des emplois | creation d emplois | nouveaux emplois | embauche* | developpe* | developpement | +percee | confiant* | redressement \
        | depasse les attentes | innovant* | sauve* | contrat majeur \
        | engage | recrute | remporte | prix de | decroche | obtient une licence | obtient l autorisation | benefices | recoit le prix | triple | \
        double son",
    "successo | crescita | cresce | crescono | in aumento | utile record | +ricavi record | utile | migliora* | miglioramento* | premiato* | premiata* \
        | crea posti | nuovi posti di lavoro | espansione | ripresa | +svolta | supera le attese | innovativo* | fiducioso* | salvata* | salvato* | grande commessa \
        | assume | vince | premio | fatturato record | utili | raddoppia | ottiene la licenza | ottiene l autorizzazione | nuovi posti | commessa",
    "+record profit* | +record sales | record revenue* | success* | grows | growth | growing | rises | rising | profit* | improves | improved | improvement* | award* | wins | won \
        | outperform* | beats expectations | exceeds expectations | creates jobs | new jobs | hires | hiring | expands | expansion | +breakthrough | recovery | recovers \
        | confident | upgrade* | innovative | rescued | strong results | strong demand \
        | to hire | rise in | grants licence | grants license | licence to @ | receives approval | approval | surges | doubles | wins major | \
        record turnover | raises forecast | prize",
];

/// Negative phrases.
pub(super) const NEGATIVE: [&str; 4] = [
    "+konkurs* | +insolven* | +pleite* | +nachlassstundung* | +konkursaufschub* | zahlungsunfahig* | verlust* | reinverlust | verluste | ruckgang* | bricht ein | einbruch | eingebrochen \
        | entlass* | kundigung* | stellenabbau | baut stellen ab | abbau | schliesst standort | schliessung* | gewinnwarnung* | +betrug* | +korruption* | bestechung* | geldwasche* \
        | strafverfahren | strafanzeige* | anklage* | angeklagt* | verurteilt* | busse | bussen | gebusst | klage gegen | razzia | ermittelt gegen | ermittlungen | skandal* | krise | krisen* \
        | ruckruf* | unfall* | mangel | schulden | uberschuld* | sanktion* | herabgestuft | herabstufung | verfehlt | cyberangriff* | hackerangriff* | datenleck* | streik* | scheitert | gescheitert | liquidation \
        | meldet konkurs | muss schliessen | +warnt vor | warnung vor | eroffnet verfahren gegen | verfahren gegen | verweigert* | +testat | stehlen | \
        gestohlen | sperren konten | sperrt die konten | konten gesperrt | datendiebstahl | diebstahl | sperrt konten | gesperrt | beschlagnahmt* | blockiert konten | verliert bewilligung | verliert lizenz | \
        entzieht | bewilligung entzogen | busst | preisabsprache* | @ ruft | fordern millionen | stellt betrieb ein | stellt den betrieb ein | \
        stellt geschaftstatigkeit ein | bricht | lohne nicht bezahlt | unbezahlte lohne | beschwerde der @ ab | beschwerde von @ ab | +rote zahlen | \
        in den roten zahlen | streicht | stellen gestrichen | stuft @ herab | veruntreu* | verhaftet* | festgenommen | explosion | verletzte | tote | \
        vor dem aus | betreibung* | nachlassverfahren | massenentlassung* | kurzarbeit | kursrutsch | aktie sturzt* | brand in | grossbrand | \
        unterschlag* | insiderhandel | kartell* | klagen gegen | sammelklage* | vorwurfe gegen | zahlt nicht | ermittlung | in der kritik | am pranger | \
        sturzt* | schreibt verlust | vor gericht | klagt gegen | verklagt* | eingeklagt | rechtsstreit* | streit um | zivilklage* | schadenersatzklage*",
    "+faillite* | +insolvab* | +depose son bilan | +depot de bilan | +sursis concordataire | +sursis provisoire | +sursis definitif | perte | pertes | recul* | en baisse | chute* | licenci* | suppression d emplois | suppressions d emplois \
        | supprime des emplois | ferme son site | fermeture* | avertissement sur resultats | +fraude* | +escroquer* | corrupt* | blanchiment | procedure penale | plainte* | accuse | accusee | accuses \
        | condamne* | amende* | perquisition* | enquete* | scandale* | crise* | rappel de produits | accident* | dette* | surendett* | sanction | sanctions | sanctionne* | degrade* | cyberattaque* | greve* | echec* | echoue* \
        | +met en garde contre | mise en garde contre | supprime | suppressions | perquisitionne* | pollution | ouvre une enquete | \
        ouverture d une enquete | vol de donnees | fuite de donnees | donnees volees | sequestre* | gele* | dans le rouge | perd sa licence | \
        perd son autorisation | retire l autorisation | retire sa licence | refuse d attester | refuse de certifier | refusent de certifier | ont ete saisis | comptes saisis | avoirs saisis | saisie des comptes | saisie des avoirs | refus d attester | salaires impayes | impayes | \
        ferme son usine | ferme ses portes | ferme | arrete pour | arretee pour | arretes | detournement* | rappelle | blesses | poursuites | inculpe* | \
        mis en examen | deficit* | piratage | rancongiciel | escroquerie | malversation* | deboute* | recours de @ rejete | en difficulte | au bord de | \
        cessation de paiement* | interdit* | avertissement | assigne | assignee | assignes | poursuivi | poursuivie | devant le tribunal | devant la justice | en justice | litige*",
    "+fallimento | +fallita | +insolvenz* | +moratoria concordataria | +moratoria provvisoria | +moratoria definitiva | perdita | perdite | calo | in calo | crollo | crolla | licenziament* | licenzia | taglio di posti | taglia posti | chiusura* | chiude la sede \
        | +frode | frodi | +truffa* | corruzione | riciclaggio | procedimento penale | denuncia* | accusato* | accusata* | condannat* | multa | multe | multato* | perquisizion* | inchiesta | inchieste | scandalo* | crisi \
        | richiamo di prodotti | incidente* | debiti | sovraindebit* | sanzion* | declassat* | attacco informatico | sciopero* | fallisce \
        | +dichiarata fallita | inchiesta penale | indagine | indagat* | indagini | revoca l autorizzazione | revoca la licenza | perde la licenza | \
        perde l autorizzazione | furto di dati | dati rubati | sequestrat* | sequestro | conti bloccati | congelat* | stipendi non pagati | \
        salari non pagati | chiude lo stabilimento | chiude i battenti | arrestato | arrestata | arrestati | mette in guardia | avvertimento | \
        in rosso | rifiuta di attestare | rifiutano di attestare | rifiuta di certificare | rifiutano di certificare | rifiuta l attestazione | ritira dal mercato | richiama | taglia | tagli | tracollo | esplosione | feriti | \
        ricorso di @ respinto | appropriazione indebita | malversazion* | hacker | esubero | esuberi | liquidazione | inquinamento | in difficolta | querela* | citata in giudizio | citato in giudizio | causa contro | causa a @ | causa alla @ | causa civile | fa causa | in tribunale | davanti al tribunale | vertenza | contenzioso",
    "+bankrupt* | +insolvent* | +insolvency | +receivership | +debt moratorium | +debt restructuring moratorium | +provisional moratorium | +definitive moratorium | loss | losses | decline* | declining | falling | plunge* | slump* | layoff* | lay off* | laid off | job cuts | cuts jobs | closure* | closes site \
        | shuts down | profit warning* | +fraud* | +embezzle* | bribe* | corrupt practices | money laundering | lawsuit* | sued | indict* | convicted | fined | raid* | investigation* | probe into | scandal* | crisis \
        | product recall* | recalls | debts | overindebt* | sanctioned | downgrade* | misses expectations | cyberattack* | data breach* | data leak* | strike* | fails | failed | failure* \
        | +issues warning | +warns against | warns about | warns of @ | warning about | warning against | +warning list | refuses to sign* | \
        refuses to certify | auditor resigns | qualified opinion | adverse opinion | ransomware | cyber attack | hacked | hackers | stolen | \
        data theft | theft | freeze accounts | freezes accounts | frozen | seized | seizes | misleading | cut * jobs | to cut | cuts | axes | \
        loses licence | loses license | loses banking licence | revokes | revoked | stripped of | accused | bribing | bribery | tumble* | shares fall | \
        sue @ | sues @ | faulty | defaults | default on | arrested | charged with | charges against | embezzlement | laundering | unpaid | winding up | \
        evacuat* | injured | fire at | penalty | misconduct | ponzi | complaint against | plummet* | in the red | under investigation | fraudulent | taken to court | takes @ to court | in court | before court | legal dispute | litigation | legal action against",
];

/// Verbs of loss: what follows is lost, or does not come.
pub(super) const LOSSES: &str = "verliert | verlieren | verlor | verlust des | verlust eines | verlust von | verlust der | verlust einer | busst | entgeht | entgehen | entging | entgingen | storniert | stornieren | kundigt \
    | perd | perdent | perdu | perte de | perte d un | perte du | annule | annulent | resilie | resilient \
    | perde | perdono | perso | perdita di | perdita del | perdita della | annulla | annullano | disdice | disdicono \
    | sfuma | sfumano | sfumato | sfumata | sfumati | sfumate | annullato | annullata | annullati | annullate | disdetto | disdetta | disdetti | disdette \
    | loses | lose | lost | losing | loss of | misses out on | missed out on | cancels | cancelled | canceled | terminates | terminated | withdraws";

/// Participles and verbs of loss: what precedes is lost, or does not come.
pub(super) const LOST: &str = "verloren | verlieren | entgangen | bleibt aus | bleiben aus | blieb aus | blieben aus | ausgeblieben | storniert | gekundigt | entzogen | geplatzt | platzt | platzen | zuruckgezogen \
    | perdu | perdue | perdus | perdues | echappe | echappent | annule | annulee | annules | annulees | resilie | resiliee | resilies | resiliees | rompu | rompus \
    | perso | persa | persi | perse | sfuma | sfumano | sfumato | sfumata | sfumati | sfumate | annullato | annullata | annullati | annullate | disdetto | disdetta | disdetti | disdette \
    | lost | cancelled | canceled | terminated | withdrawn | falls through | fell through | fall through";

/// What a company has or gets, and can lose.
pub(super) const GAINS: &str = "auftrag | auftrage | auftragen | auftrags | *grossauftrag* | *auftrag | *auftrage | *kunde | kunden | *kunden | *kundin | mandat | mandate | *preis | *auszeichnung | bewilligung* | lizenz* | marktanteil* | gewinn | *gewinn \
    | contrat | contrats | contrat majeur | commande | commandes | client | clients | cliente | clientes | mandats | marche public | marches publics | prix | licence | autorisation | parts de marche | benefice \
    | contratto | contratti | commessa | commesse | grande commessa | grandi commesse | appalto | appalti | ordine | ordini | clienti | mandato | mandati | premio | licenza | autorizzazione | quote di mercato | utile \
    | contract | contracts | order | orders | customer | customers | mandate | award | awards | licences | license | approval | market share | deal | deals";

/// Negations of what follows.
pub(super) const NEGATIONS: &str = "kein | keine | keinen | keiner | keinem | keinerlei | nicht | ohne | nie | niemals | weder \
    | pas | aucun | aucune | sans | jamais | ni | non | senza | nessun | nessuna | nessuno | no | not | without | never";

/// Negations of what directly precedes.
pub(super) const NEGATIONS_AFTER: &str = "nicht | pas";

/// The company denies an accusation. The negative phrases of the clause do not count.
pub(super) const DENIALS: &str = "bestreite* | dementier* | *vorwurfe zuruck | weist zuruck | weist vorwurf* | weist die vorwurf* | weist den vorwurf | weist anschuldigung* | weist kritik | widerspricht | wehrt sich gegen | conteste* | dement | dementi* | refute* | nie les | rejette les \
    | respinge | smentisce | smentita | nega | denies | deny | denied | rejects | refutes | disputes";

/// An accusation or a danger no longer exists. The negative phrases of the clause count as a positive one.
pub(super) const CLEARINGS: &str = "freigesprochen | freispruch* | entlastet* | verfahren eingestellt | *verfahren eingestellt | *untersuchung eingestellt | untersuchung eingestellt | ermittlungen eingestellt | verfahren ist eingestellt | verfahren wurde eingestellt | *verfahren ist eingestellt | *verfahren wurde eingestellt | ermittlungen wurden eingestellt | ermittlungen sind eingestellt | gegen @ eingestellt | gegen @ ist eingestellt | gegen @ wurde eingestellt | gegen @ wurden eingestellt | gegen @ sind eingestellt | stellt verfahren | stellt das verfahren | stellt strafverfahren | stellt das strafverfahren | stellt ermittlungen | stellt die ermittlungen | gegen @ ab | wendet | abgewendet | abwenden | vermeidet | verhindert | entgeht | gibt @ recht | schulden ab | gewinnt prozess | gewinnt rechtsstreit | reduziert verlust* | verringert verlust* | weniger verlust \
    | acquitte* | lave de tout soupcon | lavee de tout soupcon | laves de tout soupcon | blanchi | blanchie | classe la plainte | classe l affaire | classe l enquete | classe la procedure | plainte classee | affaire classee | enquete classee | procedure classee | classee sans suite | classe sans suite | contre @ classee | non lieu | relaxe* | echappe | evite | evitee | donne raison a @ | reduit ses pertes | reduit ses dettes | disculpe* | abandonne les poursuites | abandonne la procedure | abandonne l enquete | poursuites abandonnees | accusations abandonnees | procedure abandonnee | enquete abandonnee | contre @ abandonnees | contre @ abandonnee | abandon des poursuites \
    | assolt* | prosciolt* | proscioglie | prosciolgono | scagiona | archiviat* | evita | evitato | scongiura* | ragione a @ | ragione alla @ | riduce le perdite | riduce i debiti | scagionat* \
    | cleared | acquitted | prosecutors drop | prosecutors dropped | court drops | to drop charges | exonerated | court dismisses | judge dismisses | tribunal dismisses | case dismissed | lawsuit dismissed | complaint dismissed | charges dismissed | claim dismissed | against @ dismissed | charges dropped | case dropped | lawsuit dropped | complaint dropped | probe dropped | investigation dropped | against @ dropped | into @ dropped | drops charges | drops case | drops lawsuit | drops probe | drops investigation | averts | averted | avoids | narrows | wins case | wins lawsuit | sides with @ | rules in favour of @ | reduces debt";

/// The company acts on somebody else, or is the victim of a fraud: what follows concerns the other company or the public. After these
/// phrases, negative ones do not count if the company precedes them.
pub(super) const ACTIONS: &str = "ubernimmt | opfer von betrug* | opfer eines betrug* | opfer einer betrug* | kauft | erwirbt | pruft | reicht klage | klagt gegen | verklagt | zieht vor gericht | geht vor gericht | erstattet anzeige | als liquidatorin | als liquidator | liquidatorin | liquidator | sachwalter* | vertritt | verteidigt | berat | lanciert | bietet | warnt | zahl der | studie | konkursamt \
    | rachete | reprend | victime d une escroquerie | victime d escroquerie | victime d une fraude | victime de fraude* | acquiert | depose plainte | porte plainte | assigne | saisit la justice | agit en justice | defend | represente | nommee liquidatrice | liquidatrice | liquidateur | conseille | lance | publie | assure contre \
    | rileva | acquisisce | vittima di una truffa | vittima di truffa | vittima di una frode | vittima di frode | acquista | compra | sporge denuncia | sporge querela | fa causa | cita in giudizio | difende | rappresenta | liquidatore | lancia | pubblica \
    | buys | acquires | victim of fraud | victim of a fraud | victim of a scam | victim of scam* | takes over | to acquire | to buy | sues | goes to court | takes legal action | files suit | acts as | appointed liquidator | represents | defends | advises | launches | publishes | study | offers | insures";

/// Another company that is only described by its relation to the named one. The tone of the clause concerns it.
pub(super) const RELATIVES: &str = "konkurrent der @ | konkurrentin der @ | konkurrent von @ | kunde der @ | kundin der @ | lieferant der @ | zulieferer der @ | mieter der @ \
    | concurrent de @ | concurrente de @ | client de @ | cliente de @ | fournisseur de @ | concorrente di @ | concorrente della @ | cliente di @ | cliente della @ | fornitore di @ | fornitore della @ \
    | rival of @ | competitor of @ | customer of @ | client of @ | supplier of @ | supplier to @ | @ rival | @ competitor | @ supplier | @ customer";

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
        "konkurs* | insolven* | pleite* | nachlassstundung* | zahlungsunfahig* | uberschuld* | faillite* | insolvab* | konkursaufschub* | depose son bilan | depot de bilan | sursis concordataire | sursis provisoire | sursis definitif \
        | surendett* | fallimento | fallita | fallisce | moratoria concordataria | moratoria provvisoria | moratoria definitiva | sovraindebit* \
        | bankrupt* | insolvency | insolvent | receivership | debt moratorium | debt restructuring moratorium | provisional moratorium | definitive moratorium | overindebt*",
    ),
    topic(
        "sanctions",
        0.8,
        "sanktion* | embargo* | sanction | sanctions | sanctionne* | sanctioned | sanzion*",
    ),
    topic(
        "litigation",
        0.6,
        "strafverfahren | strafanzeige* | anklage* | angeklagt* | gerichtsverfahren | prozess gegen | verurteilt* | gebusst | ermittelt gegen | ermittlungen | razzia | betrug* | korruption* | bestechung* | geldwasche* | vor gericht | klagt gegen | klage* | verklagt* | eingeklagt | rechtsstreit* | zivilklage* | schadenersatzklage* | sammelklage* \
        | procedure penale | plainte* | proces | tribunal | condamne* | amende* | perquisition* | enquete penale | fraude* | escroquer* | blanchiment | assigne | assignee | assignes | poursuivi | poursuivie | en justice | devant la justice | litige* \
        | procedimento penale | denuncia* | processo contro | tribunale | condannat* | multa | multato* | perquisizion* | inchiesta | frode | truffa* | corruzione | riciclaggio | querela* | citata in giudizio | citato in giudizio | causa contro | causa a @ | causa alla @ | causa civile | fa causa | vertenza | contenzioso \
        | lawsuit* | sued | sues | suing | in court | before court | taken to court | takes @ to court | legal dispute | litigation | legal action | court case | indict* | convicted | fined | investigation* | probe into | fraud* | bribe* | money laundering",
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
