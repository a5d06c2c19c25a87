//! Vocabulary of the classifier: phrases for trades, names of goods, and activities with goods.
//!
//! Written for this project. The codes are those of NOGA 2008. `trades.tsv` has a code and phrases in each
//! line; `goods.tsv` has words, then the codes of manufacturing, wholesale, retail, repair and rental.
//! Phrases are separated by `|`, in any of the four languages, and are normalised by
//! [`text::fold`](crate::text::fold). `*` at an end matches longer words, `+` gives a phrase a larger weight
//! and `-` a smaller one.

use std::sync::LazyLock;

/// A NOGA code (two digits, or more if the phrases are specific enough) with its phrases.
pub(super) static TRADES: LazyLock<Vec<(&'static str, &'static str)>> = LazyLock::new(|| {
    include_str!("trades.tsv").lines().filter_map(|it| it.split_once('\t')).collect()
});

/// Goods. They indicate an industry only together with an activity.
pub(super) struct Goods {
    /// Words in any language.
    pub(super) words: &'static str,
    /// NOGA codes of manufacturing, wholesale, retail, repair and rental. Empty if there is none. If trade
    /// in the goods is an industry of its own, as with cars, the codes are those of that industry.
    pub(super) make: &'static str,
    pub(super) wholesale: &'static str,
    pub(super) retail: &'static str,
    pub(super) repair: &'static str,
    pub(super) rent: &'static str,
}

/// The goods.
pub(super) static GOODS: LazyLock<Vec<Goods>> =
    LazyLock::new(|| include_str!("goods.tsv").lines().filter_map(goods).collect());

fn goods(line: &'static str) -> Option<Goods> {
    let mut cells = line.split('\t');
    let mut cell = || cells.next();
    Some(Goods {
        words: cell()?,
        make: cell()?,
        wholesale: cell()?,
        retail: cell()?,
        repair: cell()?,
        rent: cell()?,
    })
}

/// An activity with goods.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Activity {
    Make,
    Wholesale,
    Retail,
    /// Wholesale or retail.
    Trade,
    Repair,
    Rent,
    /// An activity that is independent of the goods, such as advice, installation or operation.
    Else,
}

/// The activities with their words in any language.
#[rustfmt::skip]
pub(super) const ACTIVITIES: [(Activity, &str); 7] = [
    (Activity::Make, "herstellung* | *herstellung | hergestellt | herstellen | herstellt | fabrikation* | *fabrikation | produktion* | *produktion | produzieren | fertigung* | *fertigung | entwicklung | konstruktion | *fabrik | bau von | den bau | *manufaktur \
        | fabrication | fabriquer | production | producteur | manufacture | construction de | conception | developpement | confection \
        | produzione | fabbricazione | fabbrica | confezione | costruzione di | sviluppo | lavorazione | creazione \
        | manufactur* | production | producing | making of | development | design and manufacture | design and construction | manufacture and marketing | manufacture and sale | construction et | costruzione e | gestaltung und herstellung | brauen | brassage | brewing"),
    (Activity::Wholesale, "grosshandel* | *grosshandel | commerce de gros | vente en gros | grossiste* | all ingrosso | wholesale*"),
    (Activity::Retail, "detailhandel* | einzelhandel* | *detailhandel | verkauf | verkauft | verkaufsgeschaft* | *geschaft | *geschafts | *laden | ladengeschaft* | fachgeschaft* | commerce de detail | vente | magasin* | boutique* | vendita | al dettaglio | negozio | negozi | retail* | sale | sales | shop | shops | store"),
    (Activity::Trade, "handel | handels | *handel | handeln | vertrieb | *vertrieb | import* | export* | an und verkauf | vermarktung | marketing und vertrieb | marketing et vente | marketing e vendita | marketing and sale | vertrieb und marketing | verkauf und marketing | kauf und verkauf | einkauf und verkauf | commerce | negoce | distribution | commercialisation | achat et vente | commercio | distribuzione | commercializzazione | compravendita | trade | trading | distribution of | purchase and sale"),
    (Activity::Repair, "reparatur* | *reparatur | *reparaturen | reparieren | unterhalt | wartung | wartungs* | instandhaltung | revision von | reparation* | entretien | maintenance | depannage | riparazion* | manutenzione | repair* | servicing"),
    (Activity::Rent, "vermietung | vermieten | vermietet | verleih | *vermietung | *verleih | location | louer | leasing | noleggio | noleggiare | hire | hiring | rental | renting | letting"),
    (Activity::Else, "beratung | *beratung | montage | installation* | betrieb | planung | vermittlung | conseil* | pose | installation | exploitation | courtage | consulenza | posa | gestione | mediazione | consulting | advice | operation | brokerage | verwaltung | reinigung | transport*"),
];
