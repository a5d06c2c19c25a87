//! The words that names and purposes are made of: trades, people, syllables, sentences.
//!
//! All of it is written for this register; a name that a real company bears is a coincidence.

/// A language of the register.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Language {
    German,
    French,
    Italian,
    English,
}

/// Something in each language, in the order of [`Language`].
pub(crate) type InEachLanguage<T> = [T; 4];

/// What a company does.
pub(crate) struct Trade {
    /// NOGA 2008, six digits.
    pub(crate) code: &'static str,
    /// How common it is among companies; 0 for what only associations and the like do.
    pub(crate) weight: u32,
    /// How it is called in a name.
    pub(crate) words: InEachLanguage<&'static [&'static str]>,
    /// What it is in a purpose: a noun phrase, in the accusative and with its article.
    pub(crate) activity: InEachLanguage<&'static str>,
}

impl Trade {
    /// The trade with this code.
    pub(crate) fn by_code(code: &str) -> Option<&'static Self> {
        TRADES.iter().find(|it| it.code == code)
    }

    /// The NOGA division: two digits.
    pub(crate) fn division(&self) -> &'static str {
        &self.code[..2]
    }
}

const fn trade(
    code: &'static str,
    weight: u32,
    words: InEachLanguage<&'static [&'static str]>,
    activity: InEachLanguage<&'static str>,
) -> Trade {
    Trade { code, weight, words, activity }
}

/// In the order of the codes; the weights add up to about twelve hundred.
#[rustfmt::skip]
pub(crate) static TRADES: [Trade; 164] = [
    trade("011300", 3, [&["Gemüsebau", "Gemüsekulturen"], &["Cultures maraîchères", "Maraîchers"], &["Orticoltura", "Ortaggi"], &["Farms"]],
        ["den Anbau und Verkauf von Gemüse", "la culture et la vente de légumes", "la coltivazione e la vendita di ortaggi", "the growing and sale of vegetables"]),
    trade("012101", 3, [&["Weinbau", "Reben"], &["Domaine viticole", "Vignobles"], &["Vigneti", "Azienda vinicola"], &["Vineyards"]],
        ["die Bewirtschaftung von Rebbergen und den Verkauf der Trauben", "l'exploitation de vignobles", "la gestione di vigneti", "the operation of vineyards"]),
    trade("015000", 6, [&["Hofgut", "Landwirtschaft", "Biohof"], &["Domaine agricole", "Ferme"], &["Azienda agricola", "Fattoria"], &["Farming"]],
        ["den Betrieb eines Landwirtschaftsbetriebes mit Ackerbau und Tierhaltung", "l'exploitation d'un domaine agricole", "la gestione di un'azienda agricola", "the operation of a mixed farm"]),
    trade("022000", 3, [&["Forst", "Forstunternehmen", "Holzschlag"], &["Travaux forestiers", "Exploitation forestière"], &["Selvicoltura", "Lavori forestali"], &["Forestry"]],
        ["die Ausführung von Forst- und Holzerntearbeiten", "l'exécution de travaux forestiers", "l'esecuzione di lavori forestali", "the provision of forestry services"]),
    trade("032200", 1, [&["Fischzucht", "Forellenzucht"], &["Pisciculture"], &["Piscicoltura"], &["Aquaculture"]],
        ["den Betrieb einer Fischzucht", "l'exploitation d'une pisciculture", "la gestione di una piscicoltura", "the operation of fish farms"]),
    trade("081200", 1, [&["Kies", "Kieswerk", "Kies und Beton"], &["Gravières", "Sables et graviers"], &["Ghiaia e sabbia", "Cave"], &["Aggregates"]],
        ["den Abbau und die Aufbereitung von Kies und Sand", "l'extraction et le traitement de gravier et de sable", "l'estrazione e la lavorazione di ghiaia e sabbia", "the extraction of sand and gravel"]),
    trade("101300", 2, [&["Metzgerei", "Fleischwaren"], &["Boucherie", "Salaisons"], &["Macelleria", "Salumificio"], &["Meats"]],
        ["die Herstellung und den Vertrieb von Fleisch- und Wurstwaren", "la fabrication et la vente de produits carnés", "la produzione e la vendita di salumi e carni", "the production of meat products"]),
    trade("105102", 2, [&["Käserei", "Molkerei"], &["Fromagerie", "Laiterie"], &["Caseificio"], &["Dairy"]],
        ["die Herstellung und den Verkauf von Käse und anderen Milcherzeugnissen", "la fabrication et la vente de fromages", "la produzione e la vendita di formaggi", "the production of cheese"]),
    trade("107100", 5, [&["Bäckerei", "Bäckerei-Konditorei", "Backwaren"], &["Boulangerie", "Boulangerie-Pâtisserie"], &["Panetteria", "Panificio"], &["Bakery"]],
        ["den Betrieb einer Bäckerei mit Konditorei", "l'exploitation d'une boulangerie-pâtisserie", "la gestione di una panetteria-pasticceria", "the operation of a bakery"]),
    trade("108900", 2, [&["Feinkost", "Lebensmittel"], &["Produits du terroir", "Saveurs"], &["Specialità alimentari"], &["Foods"]],
        ["die Herstellung von Nahrungsmitteln und Feinkostprodukten", "la fabrication de denrées alimentaires et de spécialités", "la produzione di generi alimentari e specialità", "the development and production of foodstuffs"]),
    trade("110500", 2, [&["Brauerei", "Braumanufaktur"], &["Brasserie artisanale", "Brasserie"], &["Birrificio"], &["Brewing"]],
        ["das Brauen und den Vertrieb von Bier", "le brassage et la vente de bières", "la produzione e la vendita di birra", "the brewing and sale of beer"]),
    trade("120000", 1, [&["Tabak", "Zigarrenmanufaktur"], &["Tabacs", "Cigares"], &["Tabacchi"], &["Cigars"]],
        ["die Herstellung und den Vertrieb von Tabakwaren", "la fabrication et la vente de produits du tabac", "la produzione e la vendita di tabacchi", "the manufacture of tobacco products"]),
    trade("139203", 1, [&["Textil", "Weberei"], &["Textiles", "Tissages"], &["Tessuti", "Tessitura"], &["Fabrics"]],
        ["die Herstellung und den Vertrieb von Textilien", "la fabrication et la vente de textiles", "la produzione e la vendita di tessuti", "the manufacture of textiles"]),
    trade("141302", 2, [&["Couture", "Modeatelier"], &["Couture", "Atelier de mode"], &["Sartoria", "Moda"], &["Fashion"]],
        ["die Gestaltung und Herstellung von Bekleidung", "la création et la confection de vêtements", "la creazione e la confezione di abbigliamento", "the design and manufacture of clothing"]),
    trade("151200", 1, [&["Sattlerei", "Lederwaren"], &["Maroquinerie", "Sellerie"], &["Pelletteria"], &["Leather"]],
        ["die Herstellung von Lederwaren und Sattlerarbeiten", "la fabrication d'articles de maroquinerie", "la produzione di articoli in pelle", "the manufacture of leather goods"]),
    trade("161001", 1, [&["Sägewerk", "Sägerei"], &["Scierie"], &["Segheria"], &["Timber"]],
        ["den Betrieb eines Sägewerks und den Handel mit Holz", "l'exploitation d'une scierie et le commerce de bois", "la gestione di una segheria e il commercio di legname", "the operation of a sawmill"]),
    trade("162301", 9, [&["Schreinerei", "Fensterbau", "Innenausbau"], &["Menuiserie", "Menuiserie-ébénisterie"], &["Falegnameria", "Serramenti"], &["Joinery"]],
        ["den Betrieb einer Schreinerei und die Ausführung von Innenausbauten", "l'exploitation d'une menuiserie et la pose de fenêtres et de portes", "la gestione di una falegnameria e la posa di serramenti", "the manufacture of windows, doors and fittings"]),
    trade("172100", 1, [&["Verpackungen", "Kartonagen"], &["Emballages", "Cartonnages"], &["Imballaggi"], &["Packaging"]],
        ["die Herstellung von Verpackungen aus Papier und Karton", "la fabrication d'emballages en papier et en carton", "la produzione di imballaggi in carta e cartone", "the manufacture of paper and cardboard packaging"]),
    trade("181201", 4, [&["Druckerei", "Druck", "Print"], &["Imprimerie", "Arts graphiques"], &["Tipografia", "Arti grafiche"], &["Print"]],
        ["den Betrieb einer Druckerei", "l'exploitation d'une imprimerie", "la gestione di una tipografia", "the operation of a printing business"]),
    trade("192000", 1, [&["Mineralöl", "Schmierstoffe"], &["Lubrifiants", "Produits pétroliers"], &["Lubrificanti"], &["Petroleum"]],
        ["die Verarbeitung von Mineralölerzeugnissen", "le traitement de produits pétroliers", "la lavorazione di prodotti petroliferi", "the processing of petroleum products"]),
    trade("204200", 2, [&["Naturkosmetik", "Kosmetikmanufaktur"], &["Cosmétiques", "Laboratoires"], &["Cosmetici"], &["Cosmetics"]],
        ["die Entwicklung und Herstellung von Körperpflegemitteln", "le développement et la fabrication de produits cosmétiques", "lo sviluppo e la produzione di cosmetici", "the development and manufacture of cosmetics"]),
    trade("205900", 2, [&["Chemie", "Spezialitätenchemie"], &["Chimie", "Chimie fine"], &["Chimica"], &["Chemicals"]],
        ["die Herstellung von chemischen Erzeugnissen und den Handel damit", "la fabrication et le commerce de produits chimiques", "la produzione e il commercio di prodotti chimici", "the manufacture of and trade in chemical products"]),
    trade("212000", 2, [&["Pharma", "Arzneimittel"], &["Pharma", "Thérapeutiques"], &["Farmaceutici"], &["Pharma", "Therapeutics"]],
        ["die Entwicklung, Herstellung und Vermarktung von Arzneimitteln", "le développement, la fabrication et la commercialisation de médicaments", "lo sviluppo, la produzione e la commercializzazione di medicamenti", "the development, manufacture and marketing of medicines"]),
    trade("222900", 2, [&["Kunststofftechnik", "Kunststoffe"], &["Plastiques", "Injection plastique"], &["Materie plastiche", "Stampaggio"], &["Plastics"]],
        ["die Herstellung von Kunststoffteilen", "la fabrication de pièces en matière plastique", "la produzione di componenti in materia plastica", "the manufacture of plastic parts"]),
    trade("236300", 2, [&["Beton", "Betonwerk", "Baustoffe"], &["Béton", "Préfabriqués"], &["Calcestruzzi"], &["Concrete"]],
        ["die Herstellung und Lieferung von Beton und Betonwaren", "la fabrication et la livraison de béton", "la produzione e la fornitura di calcestruzzo", "the manufacture and supply of concrete"]),
    trade("237000", 2, [&["Natursteine", "Bildhauerei", "Steinwerk"], &["Marbrerie", "Pierres naturelles"], &["Graniti", "Marmi"], &["Stone"]],
        ["die Bearbeitung von Natursteinen", "le travail de la pierre naturelle", "la lavorazione della pietra naturale", "the processing of natural stone"]),
    trade("245300", 1, [&["Giesserei", "Metallguss"], &["Fonderie"], &["Fonderia"], &["Castings"]],
        ["den Betrieb einer Giesserei", "l'exploitation d'une fonderie", "la gestione di una fonderia", "the operation of a foundry"]),
    trade("251100", 5, [&["Metallbau", "Stahlbau"], &["Constructions métalliques", "Serrurerie"], &["Costruzioni metalliche", "Carpenteria metallica"], &["Steelworks"]],
        ["die Planung und Ausführung von Metall- und Stahlbauten", "la conception et l'exécution de constructions métalliques", "la progettazione e l'esecuzione di costruzioni metalliche", "the design and construction of steel structures"]),
    trade("256201", 6, [&["Mechanik", "Präzisionsmechanik", "CNC-Technik"], &["Mécanique", "Décolletage"], &["Meccanica", "Officina meccanica"], &["Precision"]],
        ["den Betrieb einer mechanischen Werkstätte und die Fertigung von Präzisionsteilen", "l'exploitation d'un atelier de mécanique de précision", "la gestione di un'officina meccanica di precisione", "the manufacture of precision parts"]),
    trade("261200", 3, [&["Elektronik", "Sensorik"], &["Électronique", "Microtechnique"], &["Elettronica"], &["Electronics", "Sensors"]],
        ["die Entwicklung und Herstellung elektronischer Baugruppen", "le développement et la fabrication de composants électroniques", "lo sviluppo e la produzione di componenti elettronici", "the development and manufacture of electronic assemblies"]),
    trade("265201", 4, [&["Uhrenmanufaktur", "Uhren"], &["Horlogerie", "Manufacture horlogère"], &["Orologeria"], &["Watches"]],
        ["die Entwicklung, Herstellung und Vermarktung von Uhren", "la conception, la fabrication et la vente de montres", "lo sviluppo, la produzione e la vendita di orologi", "the design, manufacture and sale of watches"]),
    trade("271200", 2, [&["Schaltanlagen", "Energietechnik"], &["Équipements électriques"], &["Quadri elettrici"], &["Power Systems"]],
        ["die Herstellung von Schaltanlagen und elektrischen Ausrüstungen", "la fabrication d'équipements électriques", "la produzione di quadri e apparecchi elettrici", "the manufacture of electrical equipment"]),
    trade("284100", 4, [&["Maschinenbau", "Werkzeugmaschinen"], &["Machines", "Machines-outils"], &["Macchine utensili"], &["Machines"]],
        ["die Entwicklung, Herstellung und den Vertrieb von Werkzeugmaschinen", "le développement, la fabrication et la vente de machines-outils", "lo sviluppo, la produzione e la vendita di macchine utensili", "the development, manufacture and sale of machine tools"]),
    trade("289902", 4, [&["Anlagenbau", "Automation", "Robotik"], &["Automation", "Robotique"], &["Automazione", "Impianti"], &["Automation", "Robotics"]],
        ["die Entwicklung und den Bau von Maschinen und Automationsanlagen", "le développement et la construction de machines et d'installations automatisées", "lo sviluppo e la costruzione di macchine e impianti automatici", "the development and construction of automation systems"]),
    trade("292000", 1, [&["Fahrzeugbau", "Aufbauten"], &["Carrosserie industrielle"], &["Allestimenti veicoli"], &["Vehicles"]],
        ["den Bau von Fahrzeugaufbauten und Anhängern", "la construction de carrosseries et de remorques", "la costruzione di carrozzerie e rimorchi", "the construction of vehicle bodies and trailers"]),
    trade("301200", 1, [&["Bootsbau", "Werft"], &["Chantier naval"], &["Cantiere nautico"], &["Boats"]],
        ["den Bau und Unterhalt von Booten", "la construction et l'entretien de bateaux", "la costruzione e la manutenzione di barche", "the building and maintenance of boats"]),
    trade("310200", 3, [&["Küchen", "Küchenbau", "Möbel"], &["Cuisines", "Agencement"], &["Cucine", "Mobili"], &["Kitchens"]],
        ["die Herstellung, Lieferung und Montage von Küchen und Möbeln", "la fabrication et l'installation de cuisines et de meubles", "la produzione e il montaggio di cucine e mobili", "the manufacture and installation of kitchens"]),
    trade("321202", 3, [&["Goldschmiede", "Schmuckatelier"], &["Bijouterie", "Joaillerie"], &["Oreficeria", "Gioielli"], &["Jewellery"]],
        ["die Gestaltung und Herstellung von Schmuck", "la création et la fabrication de bijoux", "la creazione e la produzione di gioielli", "the design and manufacture of jewellery"]),
    trade("325001", 4, [&["Medizintechnik", "Implantate"], &["Technologies médicales", "Dispositifs médicaux"], &["Tecnica medicale"], &["Medical", "Medtech"]],
        ["die Entwicklung und Herstellung medizintechnischer Produkte", "le développement et la fabrication de dispositifs médicaux", "lo sviluppo e la produzione di dispositivi medici", "the development and manufacture of medical devices"]),
    trade("325003", 3, [&["Dentallabor", "Zahntechnik"], &["Laboratoire dentaire", "Prothèses dentaires"], &["Laboratorio odontotecnico"], &["Dental"]],
        ["den Betrieb eines zahntechnischen Labors", "l'exploitation d'un laboratoire dentaire", "la gestione di un laboratorio odontotecnico", "the operation of a dental laboratory"]),
    trade("331200", 4, [&["Maschinenservice", "Industriemontagen", "Instandhaltung"], &["Maintenance industrielle", "Montage industriel"], &["Manutenzioni industriali"], &["Industrial Services"]],
        ["die Reparatur und den Unterhalt von Maschinen", "la réparation et l'entretien de machines", "la riparazione e la manutenzione di macchine", "the repair and maintenance of machinery"]),
    trade("351100", 4, [&["Solarstrom", "Energie", "Wasserkraft"], &["Énergies", "Énergie solaire"], &["Energia", "Energie rinnovabili"], &["Energy", "Renewables"]],
        ["die Erzeugung und den Vertrieb von Strom aus erneuerbaren Quellen", "la production et la vente d'électricité d'origine renouvelable", "la produzione e la vendita di energia elettrica rinnovabile", "the generation and sale of renewable electricity"]),
    trade("353000", 1, [&["Wärmeverbund", "Fernwärme"], &["Chauffage à distance", "Réseau thermique"], &["Teleriscaldamento"], &["Heat Networks"]],
        ["den Bau und Betrieb eines Wärmeverbundes", "la construction et l'exploitation d'un réseau de chauffage à distance", "la costruzione e la gestione di una rete di teleriscaldamento", "the operation of district heating networks"]),
    trade("360000", 1, [&["Wasserversorgung", "Brunnengenossen"], &["Distribution d'eau", "Eaux"], &["Acquedotto"], &["Water"]],
        ["die Versorgung mit Trink- und Brauchwasser", "l'approvisionnement en eau potable", "l'approvvigionamento di acqua potabile", "the supply of drinking water"]),
    trade("370000", 1, [&["Kanalreinigung", "Kanalservice"], &["Curage de canalisations", "Assainissement"], &["Spurgo canalizzazioni"], &["Drainage"]],
        ["die Reinigung und den Unterhalt von Kanalisationen", "le curage et l'entretien de canalisations", "lo spurgo e la manutenzione di canalizzazioni", "the cleaning and maintenance of drains"]),
    trade("383200", 3, [&["Recycling", "Entsorgung", "Muldenservice"], &["Recyclage", "Récupération"], &["Riciclaggio", "Smaltimenti"], &["Recycling"]],
        ["die Sammlung und Verwertung von Wertstoffen", "la collecte et la valorisation de matériaux recyclables", "la raccolta e il riciclaggio di materiali", "the collection and recovery of recyclable materials"]),
    trade("390000", 1, [&["Altlastensanierung", "Asbestsanierung"], &["Désamiantage", "Dépollution"], &["Bonifiche"], &["Remediation"]],
        ["die Sanierung von Altlasten und Schadstoffen", "l'assainissement de sites et le désamiantage", "la bonifica di siti inquinati", "the remediation of contaminated sites"]),
    trade("411000", 12, [&["Projektentwicklung", "Immobilienentwicklung", "Wohnbau"], &["Promotion immobilière", "Développement immobilier"], &["Promozioni immobiliari", "Sviluppo immobiliare"], &["Developments"]],
        ["die Entwicklung und Realisierung von Bauprojekten", "le développement et la réalisation de projets immobiliers", "lo sviluppo e la realizzazione di progetti immobiliari", "the development of building projects"]),
    trade("412001", 16, [&["Bau", "Hochbau", "Bauunternehmung"], &["Construction", "Entreprise de construction"], &["Costruzioni", "Impresa di costruzioni"], &["Construction"]],
        ["die Ausführung von Hochbauten, Umbauten und Renovationen", "l'exécution de travaux de construction, de transformation et de rénovation", "l'esecuzione di lavori di costruzione, trasformazione e rinnovo", "the construction and renovation of buildings"]),
    trade("412002", 6, [&["Generalbau", "Totalunternehmung", "Bauleitungen"], &["Entreprise générale"], &["Impresa generale", "Direzione lavori"], &["Contracting"]],
        ["die Tätigkeit als General- und Totalunternehmung im Bauwesen", "l'activité d'entreprise générale de construction", "l'attività di impresa generale di costruzione", "the activity of a general contractor"]),
    trade("421100", 4, [&["Tiefbau", "Strassenbau"], &["Génie civil", "Travaux publics"], &["Genio civile", "Pavimentazioni stradali"], &["Civil Works"]],
        ["die Ausführung von Strassen- und Tiefbauarbeiten", "l'exécution de travaux de génie civil et de routes", "l'esecuzione di lavori di genio civile e stradali", "the construction of roads and civil works"]),
    trade("431200", 3, [&["Aushub", "Erdbau", "Rückbau"], &["Terrassement", "Démolition"], &["Scavi", "Demolizioni"], &["Groundworks"]],
        ["die Ausführung von Aushub- und Rückbauarbeiten", "l'exécution de travaux de terrassement et de démolition", "l'esecuzione di scavi e demolizioni", "the execution of earthworks and demolition"]),
    trade("432100", 15, [&["Elektro", "Elektroinstallationen", "Elektrotechnik"], &["Électricité", "Installations électriques"], &["Impianti elettrici", "Elettricità"], &["Electrical"]],
        ["die Planung und Ausführung elektrischer Installationen", "l'exécution d'installations électriques et de télécommunication", "l'esecuzione di impianti elettrici", "the planning and execution of electrical installations"]),
    trade("432203", 15, [&["Haustechnik", "Sanitär Heizung", "Heizungen"], &["Chauffage et sanitaire", "Installations sanitaires"], &["Impianti sanitari", "Riscaldamenti"], &["Building Services"]],
        ["die Ausführung von Sanitär- und Heizungsinstallationen", "l'exécution d'installations sanitaires et de chauffage", "l'esecuzione di impianti sanitari e di riscaldamento", "the installation of sanitary and heating systems"]),
    trade("433100", 7, [&["Gipsergeschäft", "Trockenbau", "Fassaden"], &["Plâtrerie", "Façades et isolation"], &["Gessatura", "Facciate"], &["Plastering"]],
        ["die Ausführung von Gipser- und Fassadenarbeiten", "l'exécution de travaux de plâtrerie et de façades", "l'esecuzione di lavori di gessatura e facciate", "the execution of plastering and façade work"]),
    trade("433302", 10, [&["Bodenbeläge", "Plattenbeläge", "Parkett"], &["Carrelages", "Revêtements de sols"], &["Pavimenti", "Piastrelle"], &["Flooring"]],
        ["das Verlegen von Boden- und Wandbelägen", "la pose de carrelages et de revêtements de sols", "la posa di pavimenti e rivestimenti", "the laying of floor and wall coverings"]),
    trade("433401", 13, [&["Malergeschäft", "Malerei", "Maler"], &["Peinture", "Plâtrerie-peinture"], &["Pittura", "Imbiancatura"], &["Painting"]],
        ["die Ausführung von Maler- und Tapeziererarbeiten", "l'exécution de travaux de peinture et de papiers peints", "l'esecuzione di lavori di pittura e tappezzeria", "the execution of painting and decorating work"]),
    trade("439101", 9, [&["Holzbau", "Zimmerei"], &["Charpente", "Charpente et construction bois"], &["Carpenteria", "Costruzioni in legno"], &["Timber Construction"]],
        ["die Ausführung von Zimmerei- und Holzbauarbeiten", "l'exécution de travaux de charpente", "l'esecuzione di lavori di carpenteria", "the execution of timber construction"]),
    trade("439102", 7, [&["Bedachungen", "Spenglerei", "Dach und Wand"], &["Ferblanterie-couverture", "Toitures"], &["Lattoneria", "Coperture"], &["Roofing"]],
        ["die Ausführung von Dachdecker- und Spenglerarbeiten", "l'exécution de travaux de ferblanterie et de couverture", "l'esecuzione di lavori di lattoneria e copertura", "the execution of roofing work"]),
    trade("439902", 4, [&["Gerüstbau", "Gerüste"], &["Échafaudages"], &["Ponteggi"], &["Scaffolding"]],
        ["die Erstellung und Vermietung von Gerüsten", "le montage et la location d'échafaudages", "il montaggio e il noleggio di ponteggi", "the erection and hire of scaffolding"]),
    trade("439903", 7, [&["Maurergeschäft", "Kundenmaurer", "Betonsanierungen"], &["Maçonnerie", "Rénovation"], &["Opere murarie", "Risanamenti"], &["Masonry"]],
        ["die Ausführung von Maurer- und Sanierungsarbeiten", "l'exécution de travaux de maçonnerie et de rénovation", "l'esecuzione di opere murarie e di risanamento", "the execution of masonry work"]),
    trade("451102", 12, [&["Automobile", "Autohandel", "Auto"], &["Automobiles", "Autos"], &["Automobili", "Auto"], &["Motors"]],
        ["den Handel mit Fahrzeugen sowie deren Import und Export", "le commerce, l'importation et l'exportation de véhicules", "il commercio, l'importazione e l'esportazione di veicoli", "the purchase and sale of motor vehicles"]),
    trade("452001", 15, [&["Garage", "Autowerkstatt", "Garage und Carrosserie"], &["Garage", "Carrosserie"], &["Garage", "Carrozzeria"], &["Garage"]],
        ["den Betrieb einer Garage mit Reparaturwerkstätte", "l'exploitation d'un garage et d'un atelier de réparation", "la gestione di un garage con officina", "the operation of a garage and repair workshop"]),
    trade("453200", 4, [&["Pneu", "Autoteile", "Pneuhaus"], &["Pneus", "Pièces auto"], &["Pneumatici"], &["Auto Parts"]],
        ["den Handel mit Reifen und Autozubehör", "le commerce de pneus et d'accessoires pour automobiles", "il commercio di pneumatici e accessori per auto", "the trade in tyres and car accessories"]),
    trade("454000", 3, [&["Motos", "Zweirad", "Motorrad"], &["Motos", "Deux-roues"], &["Moto"], &["Motorcycles"]],
        ["den Handel mit Motorrädern und deren Reparatur", "le commerce et la réparation de motocycles", "il commercio e la riparazione di motociclette", "the trade in motorcycles"]),
    trade("461900", 12, [&["Handels", "Agentur", "Vertretungen"], &["Représentations", "Agence commerciale"], &["Rappresentanze", "Agenzia commerciale"], &["Agency", "Trading"]],
        ["die Vermittlung von Waren aller Art und die Übernahme von Vertretungen", "le courtage de marchandises et la représentation commerciale", "la mediazione di merci e la rappresentanza commerciale", "the brokerage of goods and commercial agency"]),
    trade("463401", 6, [&["Weine", "Weinhandel", "Weinkellerei"], &["Vins", "Vins et spiritueux"], &["Vini"], &["Wines"]],
        ["den Handel mit Wein und Spirituosen", "le commerce de vins et de spiritueux", "il commercio di vini e distillati", "the trade in wines and spirits"]),
    trade("463900", 8, [&["Lebensmittelhandel", "Food", "Früchte und Gemüse"], &["Alimentation", "Primeurs"], &["Alimentari", "Prodotti alimentari"], &["Food Trading"]],
        ["den Import von Lebensmitteln und Getränken und den Grosshandel damit", "l'importation et le commerce de gros de denrées alimentaires", "l'importazione e il commercio all'ingrosso di derrate alimentari", "the import and wholesale of food and beverages"]),
    trade("464201", 5, [&["Mode", "Textilhandel"], &["Mode", "Textiles"], &["Moda", "Tessili"], &["Apparel"]],
        ["den Grosshandel mit Bekleidung und Accessoires", "le commerce de gros de vêtements et d'accessoires", "il commercio all'ingrosso di abbigliamento e accessori", "the wholesale of clothing and accessories"]),
    trade("464602", 6, [&["Medizinalbedarf", "Medical"], &["Matériel médical", "Médical"], &["Forniture mediche"], &["Healthcare", "Medical Supplies"]],
        ["den Handel mit medizinischen Geräten und Verbrauchsmaterial", "le commerce de matériel médical", "il commercio di materiale medico", "the trade in medical equipment and supplies"]),
    trade("465101", 6, [&["Informatikhandel", "Computer"], &["Informatique", "Matériel informatique"], &["Computer"], &["Hardware"]],
        ["den Handel mit Computern und Peripheriegeräten", "le commerce de matériel informatique", "il commercio di computer e periferiche", "the trade in computers and peripherals"]),
    trade("466900", 9, [&["Maschinen", "Industriebedarf", "Technik"], &["Équipements", "Fournitures industrielles"], &["Macchinari", "Forniture industriali"], &["Equipment"]],
        ["den Handel mit Maschinen, Anlagen und Ersatzteilen", "le commerce de machines, d'installations et de pièces de rechange", "il commercio di macchine, impianti e pezzi di ricambio", "the trade in machinery and spare parts"]),
    trade("467200", 6, [&["Rohstoffe", "Metallhandel"], &["Matières premières", "Négoce"], &["Materie prime", "Metalli"], &["Commodities", "Metals"]],
        ["den internationalen Handel mit Rohstoffen und Metallen", "le négoce international de matières premières", "il commercio internazionale di materie prime", "the international trade in raw materials"]),
    trade("467302", 7, [&["Baumaterial", "Baubedarf"], &["Matériaux", "Matériaux de construction"], &["Materiali edili"], &["Building Materials"]],
        ["den Handel mit Baumaterialien", "le commerce de matériaux de construction", "il commercio di materiali da costruzione", "the trade in building materials"]),
    trade("469000", 16, [&["Import Export", "Handel", "Trading"], &["Import-Export", "Commerce"], &["Import-Export", "Commercio"], &["Trading", "International"]],
        ["den Import, Export und Handel mit Waren aller Art", "l'importation, l'exportation et le commerce de marchandises de toute nature", "l'importazione, l'esportazione e il commercio di merci di ogni genere", "the import, export and trade of goods of all kinds"]),
    trade("471105", 10, [&["Dorfladen", "Lebensmittel", "Minimarkt"], &["Épicerie", "Alimentation générale"], &["Negozio", "Minimarket"], &["Convenience"]],
        ["den Betrieb eines Lebensmittelgeschäfts", "l'exploitation d'un commerce d'alimentation", "la gestione di un negozio di alimentari", "the operation of a food shop"]),
    trade("474100", 4, [&["Computershop", "PC-Center"], &["Boutique informatique"], &["Informatica"], &["Digital Store"]],
        ["den Detailhandel mit Computern, Telefonen und Zubehör", "le commerce de détail d'ordinateurs, de téléphones et d'accessoires", "la vendita al dettaglio di computer, telefoni e accessori", "the retail of computers and phones"]),
    trade("475902", 6, [&["Wohnen", "Einrichtungen", "Möbelhaus"], &["Ameublement", "Décoration"], &["Arredamenti", "Arredo"], &["Interiors"]],
        ["den Verkauf von Möbeln und Einrichtungsgegenständen", "la vente de meubles et d'articles de décoration", "la vendita di mobili e oggetti d'arredo", "the sale of furniture and furnishings"]),
    trade("476100", 2, [&["Buchhandlung"], &["Librairie"], &["Libreria"], &["Books"]],
        ["den Betrieb einer Buchhandlung", "l'exploitation d'une librairie", "la gestione di una libreria", "the operation of a bookshop"]),
    trade("476402", 7, [&["Sport", "Velo", "Sport und Mode"], &["Sports", "Cycles"], &["Sport", "Cicli"], &["Sports"]],
        ["den Verkauf und die Vermietung von Sportartikeln und Fahrrädern", "la vente et la location d'articles de sport et de cycles", "la vendita e il noleggio di articoli sportivi e biciclette", "the sale and hire of sports equipment"]),
    trade("477101", 10, [&["Boutique", "Mode", "Fashion"], &["Boutique", "Prêt-à-porter"], &["Boutique", "Vestiti"], &["Fashion"]],
        ["den Detailhandel mit Bekleidung, Schuhen und Accessoires", "le commerce de détail de vêtements, de chaussures et d'accessoires", "la vendita al dettaglio di abbigliamento, calzature e accessori", "the retail of clothing, shoes and accessories"]),
    trade("477300", 4, [&["Apotheke", "Drogerie"], &["Pharmacie", "Droguerie"], &["Farmacia"], &["Pharmacy"]],
        ["den Betrieb einer Apotheke", "l'exploitation d'une pharmacie", "la gestione di una farmacia", "the operation of a pharmacy"]),
    trade("477602", 6, [&["Blumen", "Gärtnerei", "Floristik"], &["Fleurs", "Horticulture"], &["Fiori"], &["Flowers"]],
        ["den Verkauf von Blumen und Pflanzen", "la vente de fleurs et de plantes", "la vendita di fiori e piante", "the sale of flowers and plants"]),
    trade("477802", 4, [&["Optik", "Augenoptik"], &["Optique", "Opticiens"], &["Ottica"], &["Optics"]],
        ["den Betrieb eines Augenoptikergeschäfts", "l'exploitation d'un magasin d'optique", "la gestione di un negozio di ottica", "the operation of an optician's shop"]),
    trade("479100", 18, [&["Onlineshop", "Versand", "E-Commerce"], &["Boutique en ligne", "E-commerce"], &["E-commerce", "Vendite online"], &["Online", "Digital Commerce"]],
        ["den Betrieb von Onlineshops und den Versandhandel mit Waren aller Art", "l'exploitation de boutiques en ligne et la vente par correspondance", "la gestione di negozi online e la vendita per corrispondenza", "the operation of online shops"]),
    trade("493200", 7, [&["Taxi", "Fahrdienst", "Limousinen"], &["Taxis", "Transports de personnes"], &["Taxi", "Trasporto persone"], &["Limousine"]],
        ["die Beförderung von Personen mit Taxis und Mietwagen", "le transport de personnes en taxi et en limousine", "il trasporto di persone con taxi e limousine", "the transport of passengers"]),
    trade("494100", 14, [&["Transporte", "Logistik", "Kipper"], &["Transports", "Transports et logistique"], &["Trasporti", "Autotrasporti"], &["Transport"]],
        ["die Ausführung von Gütertransporten im In- und Ausland", "l'exécution de transports de marchandises", "l'esecuzione di trasporti di merci", "the transport of goods by road"]),
    trade("494200", 5, [&["Umzüge", "Umzug und Reinigung"], &["Déménagements"], &["Traslochi"], &["Removals"]],
        ["die Ausführung von Umzügen und die Einlagerung von Mobiliar", "l'exécution de déménagements et le garde-meubles", "l'esecuzione di traslochi e il deposito di mobili", "the execution of removals"]),
    trade("503000", 1, [&["Schifffahrt", "Bootsvermietung"], &["Navigation", "Croisières"], &["Navigazione"], &["Shipping", "Marine"]],
        ["die Durchführung von Schifffahrten und die Vermietung von Booten", "l'exploitation de bateaux et de croisières", "la gestione di battelli e crociere", "the operation of ships"]),
    trade("511000", 2, [&["Helikopter", "Luftfahrt"], &["Aviation", "Hélicoptères"], &["Aviazione"], &["Aviation", "Jets"]],
        ["die Durchführung von Flügen und die Vermittlung von Fluggerät", "l'exploitation de vols et le courtage d'aéronefs", "l'esercizio di voli e la mediazione di aeromobili", "the operation of flights and the brokerage of aircraft"]),
    trade("522900", 7, [&["Spedition", "Lagerhaus", "Logistik"], &["Logistique", "Entrepôts"], &["Spedizioni", "Logistica"], &["Logistics", "Forwarding"]],
        ["die Spedition und Lagerung von Gütern", "l'expédition et l'entreposage de marchandises", "la spedizione e il deposito di merci", "the forwarding and storage of goods"]),
    trade("532000", 5, [&["Kurier", "Express"], &["Courrier", "Express"], &["Corriere"], &["Courier"]],
        ["den Betrieb eines Kurier- und Expressdienstes", "l'exploitation d'un service de courrier express", "la gestione di un servizio di corriere espresso", "the operation of a courier service"]),
    trade("551001", 11, [&["Hotel", "Gasthof", "Hotel Restaurant"], &["Hôtel", "Auberge"], &["Albergo", "Hotel"], &["Hotels", "Hospitality"]],
        ["den Betrieb eines Hotels mit Restaurant", "l'exploitation d'un hôtel-restaurant", "la gestione di un albergo con ristorante", "the operation of a hotel"]),
    trade("552001", 4, [&["Ferienwohnungen", "Chalets"], &["Chalets", "Appartements de vacances"], &["Case di vacanza"], &["Chalets", "Stays"]],
        ["die Vermietung und Verwaltung von Ferienwohnungen", "la location et la gestion d'appartements de vacances", "la locazione e la gestione di case di vacanza", "the letting of holiday homes"]),
    trade("561001", 42, [&["Restaurant", "Gastronomie", "Pizzeria", "Gastro"], &["Restaurant", "Café-Restaurant", "Restauration"], &["Ristorante", "Osteria", "Gastronomia"], &["Restaurants", "Kitchen"]],
        ["den Betrieb von Restaurants und anderen Gastronomiebetrieben", "l'exploitation de restaurants et de cafés", "la gestione di ristoranti e altri esercizi pubblici", "the operation of restaurants"]),
    trade("562100", 6, [&["Catering", "Partyservice"], &["Traiteur"], &["Catering"], &["Catering"]],
        ["die Erbringung von Catering-Dienstleistungen", "les prestations de traiteur", "i servizi di catering", "the provision of catering services"]),
    trade("563001", 10, [&["Bar", "Café Bar", "Lounge"], &["Bar", "Bar à vins"], &["Bar", "Caffè"], &["Bars"]],
        ["den Betrieb von Bars und Cafés", "l'exploitation de bars et de cafés", "la gestione di bar e caffè", "the operation of bars and cafés"]),
    trade("581100", 5, [&["Verlag", "Buchverlag", "Medien"], &["Éditions", "Presse"], &["Edizioni", "Editore"], &["Publishing"]],
        ["die Herausgabe von Büchern und Zeitschriften", "l'édition de livres et de revues", "la pubblicazione di libri e riviste", "the publication of books and magazines"]),
    trade("591100", 7, [&["Film", "Filmproduktion", "Video"], &["Productions", "Films"], &["Produzioni", "Film"], &["Pictures", "Media"]],
        ["die Produktion von Filmen und audiovisuellen Werken", "la production de films et d'œuvres audiovisuelles", "la produzione di film e opere audiovisive", "the production of films and audiovisual works"]),
    trade("601000", 1, [&["Radio", "Rundfunk"], &["Radio"], &["Radio"], &["Broadcasting"]],
        ["die Veranstaltung von Radioprogrammen", "la diffusion de programmes radiophoniques", "la diffusione di programmi radiofonici", "the broadcasting of radio programmes"]),
    trade("619000", 4, [&["Telecom", "Netzwerke"], &["Télécom", "Réseaux"], &["Telecomunicazioni"], &["Telecom", "Networks"]],
        ["die Erbringung von Telekommunikationsdienstleistungen", "les prestations de télécommunication", "i servizi di telecomunicazione", "the provision of telecommunication services"]),
    trade("620100", 26, [&["Software", "Informatik", "Digital", "Apps"], &["Logiciels", "Informatique", "Digital"], &["Software", "Digitale"], &["Software", "Labs", "Technologies"]],
        ["die Entwicklung und den Vertrieb von Software", "le développement et la commercialisation de logiciels", "lo sviluppo e la commercializzazione di software", "the development and licensing of software"]),
    trade("620200", 24, [&["IT Services", "Informatik", "IT Consulting"], &["Conseil informatique", "Services informatiques"], &["Consulenza informatica", "Informatica"], &["IT Consulting", "Solutions", "Systems"]],
        ["die Beratung und Erbringung von Dienstleistungen im Bereich der Informatik", "le conseil et les services dans le domaine de l'informatique", "la consulenza e i servizi nel campo dell'informatica", "the provision of consulting and services in information technology"]),
    trade("631100", 7, [&["Hosting", "Cloud", "Data"], &["Hébergement", "Données"], &["Hosting", "Dati"], &["Cloud", "Data"]],
        ["den Betrieb von Rechenzentren und Internetplattformen", "l'exploitation de centres de données et de plateformes internet", "la gestione di centri dati e piattaforme internet", "the operation of data centres and internet platforms"]),
    trade("642001", 14, [&["Holding", "Finanz", "Capital"], &["Holding", "Finance"], &["Holding", "Finanziaria"], &["Holding", "Capital"]],
        ["den Erwerb, die Verwaltung und die Veräusserung von Finanzbeteiligungen", "l'acquisition, la gestion et l'aliénation de participations financières", "l'acquisizione, la gestione e l'alienazione di partecipazioni finanziarie", "the acquisition, management and disposal of financial holdings"]),
    trade("642002", 34, [&["Holding", "Beteiligungen", "Invest", "Group"], &["Holding", "Participations", "Groupe"], &["Holding", "Partecipazioni"], &["Holding", "Group", "Ventures"]],
        ["den Erwerb, die Verwaltung und den Verkauf von Beteiligungen an Unternehmen aller Art", "l'acquisition, la détention et la vente de participations dans toutes entreprises", "l'acquisto, la gestione e la vendita di partecipazioni in società di ogni genere", "the acquisition, holding and sale of interests in companies of all kinds"]),
    trade("649901", 9, [&["Invest", "Kapital", "Private Equity"], &["Investissements", "Patrimoine"], &["Investimenti"], &["Investments", "Partners"]],
        ["die Anlage von Kapital und die Finanzierung von Unternehmen", "le placement de capitaux et le financement d'entreprises", "l'investimento di capitali e il finanziamento di imprese", "the investment of capital and the financing of companies"]),
    trade("652000", 1, [&["Rück", "Rückversicherung"], &["Réassurance"], &["Riassicurazioni"], &["Reinsurance"]],
        ["die Übernahme von Rückversicherungen", "la réassurance", "la riassicurazione", "the provision of reinsurance"]),
    trade("653000", 0, [&["Vorsorge"], &["Prévoyance"], &["Previdenza"], &["Pensions"]],
        ["die Durchführung der beruflichen Vorsorge", "la prévoyance professionnelle", "la previdenza professionale", "the provision of occupational pensions"]),
    trade("661900", 9, [&["Finanzberatung", "Finanzdienste"], &["Conseil financier", "Services financiers"], &["Consulenza finanziaria"], &["Advisory", "Payments"]],
        ["die Erbringung von Finanzdienstleistungen und die Vermittlung von Finanzierungen", "les services financiers et le courtage de financements", "i servizi finanziari e la mediazione di finanziamenti", "the provision of financial services"]),
    trade("662200", 8, [&["Versicherungsberatung", "Vorsorgeberatung", "Broker"], &["Courtage en assurances", "Assurances conseils"], &["Brokeraggio assicurativo"], &["Brokers"]],
        ["die Vermittlung von Versicherungen und die Vorsorgeberatung", "le courtage en assurances et le conseil en prévoyance", "la mediazione assicurativa e la consulenza previdenziale", "the brokerage of insurance"]),
    trade("663002", 8, [&["Vermögensverwaltung", "Asset Management"], &["Gestion de fortune", "Gestion"], &["Gestione patrimoniale"], &["Asset Management", "Wealth"]],
        ["die Verwaltung von Vermögen und die Anlageberatung", "la gestion de fortune et le conseil en placements", "la gestione patrimoniale e la consulenza in investimenti", "the management of assets and investment advice"]),
    trade("681000", 18, [&["Immobilien", "Liegenschaften", "Real Estate"], &["Immobilier", "Foncière"], &["Immobiliare", "Immobili"], &["Real Estate", "Properties"]],
        ["den Kauf, Verkauf und die Überbauung von Grundstücken", "l'achat, la vente et la mise en valeur d'immeubles", "l'acquisto, la vendita e la valorizzazione di immobili", "the purchase, sale and development of real estate"]),
    trade("682001", 32, [&["Immobilien", "Liegenschaften", "Wohnbau"], &["Immobilière", "Immeubles"], &["Immobiliare", "Stabili"], &["Properties", "Estates"]],
        ["das Halten und Vermieten von Liegenschaften", "la détention et la location d'immeubles", "la detenzione e la locazione di immobili", "the holding and letting of real estate"]),
    trade("683200", 20, [&["Immobilien Treuhand", "Liegenschaftsverwaltung", "Immobilienverwaltung"], &["Régie", "Gérance immobilière"], &["Amministrazione immobiliare", "Fiduciaria immobiliare"], &["Property Management"]],
        ["die Verwaltung und Vermittlung von Liegenschaften", "la gérance et le courtage d'immeubles", "l'amministrazione e la mediazione di immobili", "the management and brokerage of real estate"]),
    trade("691001", 10, [&["Rechtsanwälte", "Advokatur", "Advokatur und Notariat"], &["Avocats", "Étude d'avocats"], &["Studio legale", "Avvocati"], &["Legal"]],
        ["die Erbringung von Anwalts- und Notariatsdienstleistungen", "la fourniture de services juridiques", "la fornitura di servizi legali", "the provision of legal services"]),
    trade("692000", 27, [&["Treuhand", "Revision", "Buchhaltung", "Steuerberatung"], &["Fiduciaire", "Comptabilité", "Audit"], &["Fiduciaria", "Contabilità", "Revisioni"], &["Accounting", "Tax"]],
        ["die Erbringung von Treuhand-, Buchhaltungs- und Steuerberatungsdienstleistungen", "l'exploitation d'une fiduciaire, la tenue de comptabilités et le conseil fiscal", "la gestione di una fiduciaria, la tenuta di contabilità e la consulenza fiscale", "the provision of accounting and tax services"]),
    trade("701002", 12, [&["Management", "Services", "Verwaltungs"], &["Management", "Services"], &["Management", "Servizi"], &["Management", "Services"]],
        ["die Erbringung von Führungs- und Verwaltungsdienstleistungen für verbundene Gesellschaften", "la fourniture de services de direction à des sociétés liées", "la fornitura di servizi direzionali a società del gruppo", "the provision of management services to group companies"]),
    trade("702200", 58, [&["Consulting", "Unternehmensberatung", "Beratung", "Coaching"], &["Conseils", "Consulting", "Conseil en entreprise"], &["Consulenza", "Consulting", "Consulenze aziendali"], &["Consulting", "Advisors", "Strategy"]],
        ["die Unternehmens- und Organisationsberatung", "le conseil aux entreprises en organisation et en gestion", "la consulenza aziendale e organizzativa", "the provision of business and management consulting"]),
    trade("711101", 17, [&["Architektur", "Architekten", "Architekturbüro"], &["Architecture", "Architectes"], &["Architettura", "Studio d'architettura"], &["Architecture"]],
        ["den Betrieb eines Architekturbüros", "l'exploitation d'un bureau d'architecture", "la gestione di uno studio d'architettura", "the operation of an architecture practice"]),
    trade("711203", 22, [&["Ingenieure", "Engineering", "Ingenieurbüro", "Planung"], &["Ingénieurs", "Ingénierie", "Bureau technique"], &["Ingegneria", "Studio d'ingegneria"], &["Engineering"]],
        ["die Erbringung von Ingenieur- und Planungsleistungen", "les prestations d'ingénierie et d'études techniques", "i servizi d'ingegneria e progettazione", "the provision of engineering and design services"]),
    trade("712000", 3, [&["Prüftechnik", "Labor", "Messtechnik"], &["Laboratoire d'analyses", "Contrôles techniques"], &["Analisi", "Collaudi"], &["Testing", "Inspection"]],
        ["die Durchführung technischer Prüfungen und Analysen", "l'exécution d'analyses et de contrôles techniques", "l'esecuzione di analisi e collaudi tecnici", "the performance of technical testing and analysis"]),
    trade("721100", 5, [&["Biotech", "Life Sciences"], &["Biotech", "Sciences de la vie"], &["Biotech"], &["Biotech", "Bio", "Sciences"]],
        ["die Forschung und Entwicklung auf dem Gebiet der Biotechnologie", "la recherche et le développement en biotechnologie", "la ricerca e lo sviluppo nel campo della biotecnologia", "the research and development of biotechnology"]),
    trade("721900", 4, [&["Forschung", "Innovation"], &["Recherche", "Innovation"], &["Ricerca"], &["Research", "Quantum"]],
        ["die Forschung und Entwicklung in Naturwissenschaft und Technik", "la recherche et le développement en sciences et techniques", "la ricerca e lo sviluppo scientifico e tecnico", "the research and development in science and engineering"]),
    trade("731100", 19, [&["Werbung", "Werbeagentur", "Marketing", "Kommunikation"], &["Communication", "Publicité", "Marketing"], &["Comunicazione", "Pubblicità"], &["Marketing", "Brands"]],
        ["die Konzeption und Umsetzung von Werbung und Kommunikation", "la conception et la réalisation de campagnes de publicité et de communication", "l'ideazione e la realizzazione di pubblicità e comunicazione", "the provision of marketing and communication services"]),
    trade("741002", 12, [&["Design", "Grafik", "Gestaltung"], &["Design", "Graphisme"], &["Design", "Grafica"], &["Design", "Studio"]],
        ["die grafische Gestaltung und das Design", "le graphisme et le design", "la grafica e il design", "the provision of graphic and product design"]),
    trade("742001", 5, [&["Fotografie", "Fotostudio"], &["Photographie", "Studio photo"], &["Fotografia"], &["Photography"]],
        ["den Betrieb eines Fotostudios", "l'exploitation d'un studio de photographie", "la gestione di uno studio fotografico", "the operation of a photography studio"]),
    trade("743000", 4, [&["Übersetzungen", "Sprachdienste"], &["Traductions"], &["Traduzioni"], &["Translations"]],
        ["die Erstellung von Übersetzungen und das Dolmetschen", "la traduction et l'interprétation", "la traduzione e l'interpretariato", "the provision of translations"]),
    trade("750000", 3, [&["Tierarztpraxis", "Kleintierpraxis"], &["Cabinet vétérinaire"], &["Studio veterinario"], &["Veterinary"]],
        ["den Betrieb einer Tierarztpraxis", "l'exploitation d'un cabinet vétérinaire", "la gestione di uno studio veterinario", "the operation of a veterinary practice"]),
    trade("773900", 8, [&["Vermietungen", "Mietservice", "Rent"], &["Location", "Locations"], &["Noleggi", "Noleggio"], &["Rentals", "Leasing"]],
        ["die Vermietung von Fahrzeugen, Maschinen und Geräten", "la location de véhicules, de machines et d'appareils", "il noleggio di veicoli, macchine e apparecchi", "the hire of vehicles and machinery"]),
    trade("782000", 10, [&["Personal", "Stellenvermittlung", "Jobs"], &["Placement", "Ressources humaines", "Emploi"], &["Personale", "Collocamento"], &["Recruitment", "Talent"]],
        ["die Vermittlung und den Verleih von Personal", "le placement et la location de services de personnel", "il collocamento e la fornitura di personale a prestito", "the placement and hiring out of staff"]),
    trade("791100", 7, [&["Reisen", "Reisebüro", "Tours"], &["Voyages", "Tourisme"], &["Viaggi", "Turismo"], &["Travel"]],
        ["den Betrieb eines Reisebüros und die Veranstaltung von Reisen", "l'exploitation d'une agence de voyages", "la gestione di un'agenzia di viaggi", "the operation of a travel agency"]),
    trade("801000", 5, [&["Security", "Sicherheit", "Bewachung"], &["Sécurité", "Surveillance"], &["Sicurezza"], &["Security"]],
        ["die Erbringung von Bewachungs- und Sicherheitsdienstleistungen", "les prestations de surveillance et de sécurité", "i servizi di sorveglianza e sicurezza", "the provision of security services"]),
    trade("812100", 20, [&["Reinigungen", "Facility Services", "Hauswartungen"], &["Nettoyages", "Conciergerie"], &["Pulizie", "Custodie"], &["Cleaning", "Facility Services"]],
        ["die Reinigung und den Unterhalt von Gebäuden", "le nettoyage et l'entretien de bâtiments", "la pulizia e la manutenzione di edifici", "the cleaning and maintenance of buildings"]),
    trade("813000", 13, [&["Gartenbau", "Gärten", "Gartenunterhalt"], &["Paysagiste", "Parcs et jardins", "Jardins"], &["Giardini", "Giardinaggio"], &["Gardens"]],
        ["die Planung, Ausführung und Pflege von Gartenanlagen", "l'aménagement et l'entretien de parcs et de jardins", "la realizzazione e la manutenzione di giardini", "the design and maintenance of gardens"]),
    trade("823000", 8, [&["Events", "Eventagentur", "Kongresse"], &["Événements", "Évènementiel"], &["Eventi"], &["Events"]],
        ["die Organisation und Durchführung von Veranstaltungen", "l'organisation d'événements", "l'organizzazione di eventi", "the organisation of events"]),
    trade("829900", 16, [&["Services", "Dienstleistungen", "Administration"], &["Services", "Services aux entreprises"], &["Servizi", "Servizi aziendali"], &["Services", "Office"]],
        ["die Erbringung von Dienstleistungen für Unternehmen", "les services aux entreprises", "i servizi alle imprese", "the provision of business services"]),
    trade("841100", 0, [&["Zweckverband"], &["Association de communes"], &["Consorzio"], &["Public Services"]],
        ["die Erfüllung öffentlicher Aufgaben mehrerer Gemeinden", "l'accomplissement de tâches publiques de plusieurs communes", "l'adempimento di compiti pubblici di più comuni", "the performance of public tasks"]),
    trade("853200", 0, [&["Berufsbildung"], &["Formation professionnelle"], &["Formazione professionale"], &["Vocational Training"]],
        ["die Förderung der Berufsbildung", "la promotion de la formation professionnelle", "la promozione della formazione professionale", "the promotion of vocational training"]),
    trade("855300", 4, [&["Fahrschule", "Verkehrsschule"], &["Auto-école"], &["Scuola guida"], &["Driving School"]],
        ["den Betrieb einer Fahrschule", "l'exploitation d'une auto-école", "la gestione di una scuola guida", "the operation of a driving school"]),
    trade("855903", 16, [&["Akademie", "Weiterbildung", "Schulungen", "Bildung"], &["Formations", "Académie", "École"], &["Formazione", "Scuola"], &["Academy", "Learning"]],
        ["die Durchführung von Kursen und Weiterbildungen", "l'organisation de cours et de formations continues", "l'organizzazione di corsi e formazioni continue", "the provision of courses and further training"]),
    trade("861002", 1, [&["Klinik", "Rehaklinik"], &["Clinique"], &["Clinica"], &["Clinics"]],
        ["den Betrieb einer Klinik", "l'exploitation d'une clinique", "la gestione di una clinica", "the operation of a clinic"]),
    trade("862200", 14, [&["Praxis", "Arztpraxis", "Ärztezentrum"], &["Cabinet médical", "Centre médical"], &["Studio medico", "Centro medico"], &["Medical Centre"]],
        ["den Betrieb einer Arztpraxis", "l'exploitation d'un cabinet médical", "la gestione di uno studio medico", "the operation of a medical practice"]),
    trade("862300", 7, [&["Zahnarztpraxis", "Zahnmedizin"], &["Cabinet dentaire", "Clinique dentaire"], &["Studio dentistico"], &["Dental Care"]],
        ["den Betrieb einer Zahnarztpraxis", "l'exploitation d'un cabinet dentaire", "la gestione di uno studio dentistico", "the operation of a dental practice"]),
    trade("869002", 9, [&["Physiotherapie", "Physio"], &["Physiothérapie"], &["Fisioterapia"], &["Physio"]],
        ["den Betrieb einer Praxis für Physiotherapie", "l'exploitation d'un cabinet de physiothérapie", "la gestione di uno studio di fisioterapia", "the operation of a physiotherapy practice"]),
    trade("869003", 4, [&["Spitex", "Pflegedienst"], &["Soins à domicile"], &["Cure a domicilio"], &["Home Care"]],
        ["die Pflege und Betreuung von Personen zu Hause", "les soins et l'aide à domicile", "le cure e l'assistenza a domicilio", "the provision of home care"]),
    trade("869007", 9, [&["Naturheilpraxis", "Gesundheitspraxis", "Therapie"], &["Thérapies", "Ostéopathie"], &["Terapie", "Naturopatia"], &["Health"]],
        ["die Erbringung therapeutischer Leistungen und die Gesundheitsberatung", "les prestations thérapeutiques et le conseil en santé", "le prestazioni terapeutiche e la consulenza sanitaria", "the provision of therapies"]),
    trade("873001", 2, [&["Alterszentrum", "Pflegezentrum", "Seniorenresidenz"], &["Résidence", "Établissement médico-social"], &["Casa per anziani", "Residenza"], &["Residences"]],
        ["den Betrieb eines Alters- und Pflegeheims", "l'exploitation d'un établissement médico-social", "la gestione di una casa per anziani", "the operation of residential homes"]),
    trade("889100", 4, [&["Kita", "Kinderkrippe", "Kinderhaus"], &["Crèche", "Garderie"], &["Asilo nido"], &["Childcare"]],
        ["den Betrieb von Kindertagesstätten", "l'exploitation de structures d'accueil de la petite enfance", "la gestione di asili nido", "the operation of day nurseries"]),
    trade("889902", 1, [&["Betreuung", "Sozialberatung"], &["Action sociale", "Aide sociale"], &["Assistenza sociale"], &["Social Care"]],
        ["die Unterstützung und Begleitung von Menschen in Not", "le soutien de personnes en difficulté", "il sostegno di persone in difficoltà", "the support of people in need"]),
    trade("900102", 6, [&["Musik", "Klangwerk", "Orchester"], &["Musique", "Orchestre"], &["Musica"], &["Music"]],
        ["die Aufführung von Musik und die Organisation von Konzerten", "l'organisation de concerts et la création musicale", "l'organizzazione di concerti e la creazione musicale", "the performance of music"]),
    trade("900301", 6, [&["Atelier", "Kunst", "Galerie"], &["Atelier", "Galerie"], &["Atelier", "Galleria"], &["Arts"]],
        ["die Schaffung und Vermittlung von Kunst", "la création et la diffusion d'œuvres d'art", "la creazione e la diffusione di opere d'arte", "the creation and promotion of works of art"]),
    trade("910200", 0, [&["Museum"], &["Musée"], &["Museo"], &["Museum"]],
        ["den Unterhalt eines Museums", "l'entretien d'un musée", "la gestione di un museo", "the maintenance of a museum"]),
    trade("920000", 1, [&["Spielautomaten", "Gaming"], &["Jeux"], &["Giochi"], &["Gaming"]],
        ["den Betrieb von Spielautomaten und die Durchführung von Spielen", "l'exploitation d'appareils à sous et de jeux", "la gestione di apparecchi da gioco", "the operation of games"]),
    trade("931200", 0, [&["Sportverein"], &["Club sportif"], &["Società sportiva"], &["Sports Club"]],
        ["die Förderung des Sports", "la promotion du sport", "la promozione dello sport", "the promotion of sport"]),
    trade("931300", 9, [&["Fitness", "Training", "Yoga"], &["Fitness", "Yoga"], &["Fitness", "Palestra"], &["Fitness"]],
        ["den Betrieb von Fitness- und Bewegungszentren", "l'exploitation de centres de fitness", "la gestione di centri fitness", "the operation of fitness centres"]),
    trade("932900", 5, [&["Freizeit", "Erlebnis"], &["Loisirs"], &["Tempo libero"], &["Leisure"]],
        ["die Entwicklung und den Betrieb von Freizeitangeboten", "l'exploitation d'activités de loisirs", "la gestione di attività per il tempo libero", "the operation of leisure activities"]),
    trade("949101", 0, [&["Kirchliche"], &["Œuvre"], &["Opera"], &["Faith"]],
        ["die Förderung des kirchlichen und gemeinnützigen Lebens", "le soutien de la vie religieuse et d'œuvres d'utilité publique", "il sostegno della vita religiosa e di opere di pubblica utilità", "the support of religious life"]),
    trade("949901", 0, [&["Kultur"], &["Culture"], &["Cultura"], &["Culture"]],
        ["die Förderung von Kultur, Bildung und Wissenschaft", "la promotion de la culture, de la formation et de la science", "la promozione della cultura, della formazione e della scienza", "the promotion of culture, education and science"]),
    trade("949904", 0, [&["Gemeinnützige"], &["Intérêts"], &["Interessi"], &["Community"]],
        ["die Wahrung gemeinsamer Interessen seiner Mitglieder", "la défense des intérêts communs de ses membres", "la tutela degli interessi comuni dei membri", "the protection of the common interests of members"]),
    trade("951100", 4, [&["Computerservice", "Handyreparatur"], &["Dépannage informatique", "Réparations"], &["Riparazioni"], &["Repairs"]],
        ["die Reparatur von Computern und Telefonen", "la réparation d'ordinateurs et de téléphones", "la riparazione di computer e telefoni", "the repair of computers and phones"]),
    trade("960101", 3, [&["Wäscherei", "Textilreinigung"], &["Blanchisserie", "Pressing"], &["Lavanderia"], &["Laundry"]],
        ["den Betrieb einer Wäscherei", "l'exploitation d'une blanchisserie", "la gestione di una lavanderia", "the operation of a laundry"]),
    trade("960201", 22, [&["Coiffeur", "Coiffure", "Hairstyling", "Coiffeur Studio"], &["Coiffure", "Salon de coiffure"], &["Parrucchieri", "Salone"], &["Hair"]],
        ["den Betrieb eines Coiffeursalons", "l'exploitation d'un salon de coiffure", "la gestione di un salone di parrucchiere", "the operation of a hair salon"]),
    trade("960202", 10, [&["Kosmetik", "Beauty", "Nails"], &["Institut de beauté", "Esthétique"], &["Estetica", "Istituto di bellezza"], &["Beauty"]],
        ["den Betrieb eines Kosmetikstudios", "l'exploitation d'un institut de beauté", "la gestione di un istituto di bellezza", "the operation of a beauty salon"]),
];

/// Divisions that are not a sole trader's.
pub(crate) const CORPORATE_DIVISIONS: [&str; 15] =
    ["08", "12", "19", "21", "24", "29", "35", "36", "51", "60", "61", "64", "65", "68", "70"];

/// The divisions whose companies may be under supervision of the financial market authority.
pub(crate) const FINANCIAL_DIVISIONS: [&str; 3] = ["64", "65", "66"];

/// What associations do, by trade code.
pub(crate) const ASSOCIATION_TRADES: [(u32, &str); 10] = [
    (22, "949901"),
    (20, "949904"),
    (18, "931200"),
    (10, "900102"),
    (8, "889100"),
    (8, "889902"),
    (5, "855903"),
    (4, "869003"),
    (3, "949101"),
    (2, "910200"),
];

/// What foundations do, by trade code.
pub(crate) const FOUNDATION_TRADES: [(u32, &str); 10] = [
    (42, "653000"),
    (16, "949901"),
    (12, "889902"),
    (8, "873001"),
    (6, "949101"),
    (5, "853200"),
    (4, "910200"),
    (3, "721900"),
    (2, "889100"),
    (2, "682001"),
];

/// What cooperatives do, by trade code.
pub(crate) const COOPERATIVE_TRADES: [(u32, &str); 9] = [
    (40, "682001"),
    (12, "105102"),
    (12, "015000"),
    (10, "360000"),
    (8, "353000"),
    (8, "471105"),
    (4, "351100"),
    (4, "463900"),
    (2, "022000"),
];

/// What public-law institutions do, by trade code.
pub(crate) const PUBLIC_TRADES: [(u32, &str); 4] =
    [(50, "841100"), (20, "360000"), (20, "873001"), (10, "853200")];

/// Family names by the language of the place.
#[rustfmt::skip]
pub(crate) const FAMILY_NAMES: [&[&str]; 3] = [
    &["Müller", "Meier", "Schmid", "Keller", "Weber", "Huber", "Schneider", "Brunner", "Baumann", "Fischer", "Gerber", "Widmer", "Zimmermann", "Moser", "Graf", "Wyss", "Roth", "Suter", "Baumgartner", "Bachmann", "Studer", "Berger", "Kaufmann", "Kunz", "Hofer", "Lehmann", "Lüthi", "Christen", "Koch", "Egli", "Arnold", "Frei", "Schwarz", "Hofmann", "Käser", "Blum", "Stalder", "Zürcher", "Flückiger", "Portmann", "Odermatt", "Gisler", "Hess", "Bühler", "Wüthrich", "Aeschlimann", "Rüegg", "Hunziker", "Siegrist", "Ott", "Sutter", "Fuchs", "Furrer", "Küng", "Stocker", "Tanner", "Scherrer", "Hauser", "Peter", "Wirth", "Imhof", "Zbinden", "Amstutz", "Schärer", "Kälin", "Betschart", "Schuler", "Ulrich", "Ziegler", "Rohner", "Eugster", "Koller", "Fässler", "Inauen", "Breitenmoser", "Hutter", "Hasler", "Eberle", "Bürgi", "Gasser", "Jost", "Kohler", "Leuenberger", "Mathys", "Nussbaum", "Oberli", "Reber", "Rickli", "Sommer", "Stucki", "Thommen", "Vogel", "Wagner", "Walther", "Winkler", "Zaugg", "Zingg", "Abderhalden", "Ackermann", "Bieri", "Bolliger", "Burkhard", "Caduff", "Camenzind", "Derungs", "Dubs", "Eichenberger", "Elmer", "Felder", "Freiburghaus", "Gfeller", "Grob", "Gubler", "Gygax", "Haldimann", "Hochuli", "Iten", "Jäggi", "Krummenacher", "Lustenberger", "Maurer", "Niederberger", "Nyffenegger", "Räber", "Rindlisbacher", "Röthlisberger", "Ruckstuhl", "Rutishauser", "Salzmann", "Sägesser", "Schürch", "Spörri", "Staub", "Streit", "Tschudi", "Uebersax", "Vögeli", "Vonlanthen", "Waser", "Wettstein", "Wicki", "Zemp", "Zgraggen", "Zollinger", "Zumstein", "Zwahlen"],
    &["Favre", "Cornu", "Blanc", "Dubois", "Jaquet", "Martin", "Perret", "Monnier", "Bonvin", "Rey", "Cuénoud", "Chappuis", "Girard", "Fournier", "Jaccard", "Dupraz", "Morel", "Nicolet", "Aubert", "Barras", "Baeriswyl", "Bovay", "Bourquin", "Carrard", "Chevalley", "Clerc", "Corboz", "Crausaz", "Delacrétaz", "Desponds", "Droz", "Ducret", "Dumas", "Duvanel", "Emery", "Fardel", "Fleury", "Froidevaux", "Gaillard", "Gavillet", "Genoud", "Gigon", "Gremaud", "Guex", "Huguenin", "Humair", "Jacot", "Jeanneret", "Jolidon", "Joye", "Juillerat", "Lambert", "Magnin", "Maillard", "Maret", "Masson", "Mayor", "Menoud", "Meylan", "Michaud", "Mottier", "Nanchen", "Oberson", "Paratte", "Pasche", "Pahud", "Pellet", "Perrenoud", "Perrin", "Pilloud", "Pittet", "Pochon", "Python", "Quartenoud", "Ramseyer", "Rapin", "Reymond", "Richard", "Robert", "Rossier", "Ruffieux", "Savary", "Schaller", "Simonin", "Tâche", "Theytaz", "Tinguely", "Udry", "Vallat", "Vauthier", "Veuthey", "Viret", "Vuilleumier", "Vuille", "Yersin", "Zufferey", "Zwahlen"],
    &["Rossi", "Bernasconi", "Bianda", "Cattaneo", "Fontana", "Galli", "Crivelli", "Colombo", "Pedrazzini", "Ghirlanda", "Lepori", "Bernardi", "Albertini", "Ambrosini", "Arrigoni", "Balestra", "Bettelini", "Bianchetti", "Bordoni", "Caccia", "Camponovo", "Canonica", "Casanova", "Ceppi", "Chiesa", "Conti", "Corti", "Croci", "Delcò", "Dotta", "Fumagalli", "Gabutti", "Genini", "Giudici", "Grassi", "Guidotti", "Jelmini", "Leoni", "Locatelli", "Maggi", "Mariotti", "Martinoni", "Meroni", "Molinari", "Moretti", "Muschietti", "Notari", "Ortelli", "Pagnamenta", "Pellandini", "Poncini", "Quadri", "Rezzonico", "Riva", "Robbiani", "Romano", "Sala", "Scolari", "Soldini", "Solari", "Spinelli", "Tami", "Tettamanti", "Togni", "Valsangiacomo", "Vanini", "Varini", "Zanetti", "Zanini", "Zoppi"],
];

/// Family names that are at home in every part of the country.
#[rustfmt::skip]
pub(crate) const FAMILY_NAMES_EVERYWHERE: [&str; 60] = [
    "Krasniqi", "Silva", "Berisha", "Ferreira", "Gashi", "Pereira", "Morina", "Santos", "Shala", "Costa", "Yilmaz", "Kaya", "Jovanović", "Petrović", "Nikolić", "Kovačević", "Hoxha", "Bajrami", "Ramadani", "Osmani", "García", "López", "Fernández", "Oliveira", "Almeida", "Marques", "Lopes", "Sousa", "Nguyen", "Tran", "Kumar", "Singh", "Özdemir", "Demir", "Çelik", "Şahin", "Popescu", "Nowak", "Kowalski", "Novák", "Horvat", "Babić", "Marić", "Ilić", "Zeqiri", "Halimi", "Rexhepi", "Sadiku", "Tesfay", "Haile", "Ahmadi", "Rahimi", "Hassan", "Ali", "Dias", "Teixeira", "Carvalho", "Bytyqi", "Selimi", "Jashari",
];

/// First names by the language of the place.
#[rustfmt::skip]
pub(crate) const FIRST_NAMES: [&[&str]; 3] = [
    &["Daniel", "Peter", "Thomas", "Hans", "Christian", "Martin", "Andreas", "Michael", "Markus", "Marco", "Patrick", "Stefan", "Urs", "René", "Beat", "Bruno", "Simon", "Lukas", "Reto", "Fabian", "Matthias", "Jonas", "Adrian", "Roland", "Samuel", "Tobias", "Florian", "Pascal", "Rolf", "Kurt", "Maria", "Anna", "Ursula", "Ruth", "Sandra", "Monika", "Claudia", "Nicole", "Barbara", "Karin", "Andrea", "Daniela", "Sarah", "Laura", "Lea", "Nina", "Julia", "Corinne", "Esther", "Franziska", "Regula", "Silvia", "Brigitte", "Manuela", "Petra", "Eva", "Céline", "Rahel", "Selina", "Vreni", "Jürg", "Heinz", "Ueli", "Niklaus", "Silvan", "Remo", "Dominik", "Manuel", "Yannick", "Cornelia"],
    &["Philippe", "Pierre", "Michel", "Jean", "Nicolas", "Laurent", "Olivier", "Christophe", "Alain", "Patrick", "Stéphane", "Yves", "Vincent", "Antoine", "Julien", "Sébastien", "Bernard", "Claude", "Didier", "Frédéric", "Gilles", "Guillaume", "Jérôme", "Loïc", "Mathieu", "Maxime", "Pascal", "Thierry", "Xavier", "Marie", "Catherine", "Isabelle", "Nathalie", "Sylvie", "Anne", "Christine", "Sophie", "Véronique", "Céline", "Valérie", "Sandrine", "Aurélie", "Camille", "Chantal", "Corinne", "Élodie", "Fabienne", "Florence", "Joëlle", "Laurence", "Manon", "Martine", "Mélanie", "Mireille", "Nadia", "Stéphanie", "Virginie", "Yvette", "Jean-Luc", "Jean-Marc"],
    &["Marco", "Andrea", "Luca", "Giovanni", "Paolo", "Roberto", "Stefano", "Alessandro", "Fabio", "Claudio", "Davide", "Matteo", "Daniele", "Fabrizio", "Giorgio", "Mauro", "Massimo", "Renato", "Sergio", "Tiziano", "Anna", "Maria", "Laura", "Francesca", "Paola", "Elena", "Chiara", "Silvia", "Barbara", "Simona", "Monica", "Cristina", "Daniela", "Giulia", "Alessia", "Sara", "Ornella", "Nadia", "Sabrina", "Veronica", "Loris", "Moreno", "Nicola", "Omar", "Raffaele", "Samuele", "Ivano", "Flavio", "Enrico", "Dario"],
];

/// First names that are at home in every part of the country.
#[rustfmt::skip]
pub(crate) const FIRST_NAMES_EVERYWHERE: [&str; 30] = [
    "Arben", "Ana", "Bujar", "Carlos", "Dragan", "Elif", "Emir", "Fatmir", "Goran", "Ivana", "João", "José", "Jelena", "Luis", "Mehmet", "Milan", "Mirjana", "Mustafa", "Nuno", "Paulo", "Pedro", "Rui", "Sofia", "Valon", "Vesna", "Yusuf", "Zoran", "Aleksandra", "Arta", "Samir",
];

/// The first, middle and last syllables of coined names.
#[rustfmt::skip]
pub(crate) const SYLLABLES: [&[&str]; 3] = [
    &["Vel", "Cor", "Tal", "Mer", "Lum", "Ner", "Sol", "Ald", "Brel", "Cal", "Dor", "Elv", "Fal", "Gar", "Hel", "Ist", "Jor", "Kel", "Lar", "Mal", "Nev", "Orl", "Pel", "Quin", "Riv", "Sar", "Ter", "Ulv", "Var", "Wes", "Xan", "Zer", "Ark", "Bel", "Cyr", "Del", "Fen", "Gal", "Hal", "Ilm", "Kor", "Lev", "Mon", "Ost", "Par", "Ras", "Sil", "Tor", "Ver", "Wil"],
    &["an", "or", "ev", "ir", "on", "al", "ent", "ar", "im", "av", "ol", "er", "in", "em", "un", "es"],
    &["tis", "dia", "ra", "no", "vis", "ga", "lon", "nex", "tec", "via", "go", "ris", "za", "lia", "sia", "mo", "dur", "cor", "ven", "tum", "da", "vera", "lis", "nova"],
];

/// The letters of initials. Without vowels and `B`, `S`, `X`: no well-known short name comes out,
/// but for those in [`KNOWN_INITIALS`].
pub(crate) const INITIALS: [char; 15] =
    ['C', 'D', 'F', 'G', 'H', 'J', 'K', 'L', 'M', 'N', 'P', 'R', 'T', 'V', 'W'];

/// Initials that would come out and are taken.
#[rustfmt::skip]
pub(crate) const KNOWN_INITIALS: [&str; 22] = [
    "CFF", "CNN", "DHL", "DPD", "FCL", "FCN", "GPT", "HRC", "HPC", "JPM", "KKR", "KKL", "KLM", "KTM", "LVM", "NDR", "RTL", "TCL", "VTG", "WWF", "NFL", "LGT",
];

/// Regions of names such as `Menuiserie du Jorat`, with their preposition, by language of the place.
#[rustfmt::skip]
pub(crate) const REGIONS: [&[&str]; 3] = [
    &["am See", "am Rhein", "Seeland", "Emmental", "Oberland", "Mittelland", "Fürstenland", "Rheintal", "Limmattal", "Glattal", "Freiamt", "Seetal", "Fricktal", "Laufental", "Toggenburg", "Linth", "Säuliamt", "Unterland", "Oberaargau", "Napf"],
    &["du Jorat", "de la Broye", "du Léman", "des Alpes", "de Lavaux", "du Chablais", "de la Gruyère", "de la Sarine", "du Jura", "de la Côte", "du Vully", "du Rhône", "de l'Orbe", "du Lac", "de la Gare", "du Château", "des Vergers", "du Mont", "de la Plaine", "du Midi"],
    &["del Ceresio", "del Verbano", "della Valle", "del Sole", "delle Alpi", "del Lago", "del Monte", "della Riviera", "del Mendrisiotto", "del Malcantone", "della Leventina", "del Gambarogno", "della Capriasca", "del Generoso", "della Torre", "del Ponte", "della Stazione", "del Parco", "del Castello", "della Piazza"],
];

/// Names of fields and houses, for associations, cooperatives and homes, by language of the place.
#[rustfmt::skip]
pub(crate) const FIELDS: [&[&str]; 3] = [
    &["Sonnenhalde", "Rosengarten", "Lindenhof", "Bergblick", "Seeblick", "Birkenweg", "Mattenhof", "Rebhalde", "Steinacker", "Waldegg", "Brunnmatt", "Hofacker", "Kirchfeld", "Mühlebach", "Neuhof", "Oberdorf", "Quellenhof", "Riedmatt", "Schlossberg", "Talacker", "Unterfeld", "Weiherhof", "Ziegelhof", "Erlenmatt", "Föhrenhain", "Grünau", "Haldenrain", "Im Moos", "Lerchenfeld", "Obstgarten"],
    &["Les Tilleuls", "Le Verger", "Beau-Site", "La Colline", "Les Cèdres", "Bellevue", "Les Sources", "Le Moulin", "La Prairie", "Les Peupliers", "Mon Repos", "Le Clos", "La Fontaine", "Les Érables", "Champ-Fleuri", "La Vigne", "Le Ruisseau", "Les Marronniers", "Belle-Rive", "La Forêt"],
    &["La Quercia", "Bel Sole", "Il Castagno", "Al Lago", "La Fonte", "I Pini", "Il Mulino", "Campagnola", "La Vigna", "Bellavista", "Il Roseto", "Al Ronco", "La Collina", "I Platani", "La Serra"],
];

/// What associations call themselves after, by language of the place.
#[rustfmt::skip]
pub(crate) const CAUSES: [&[&str]; 3] = [
    &["Quartierleben", "Kulturbühne", "Jugendtreff", "Nachbarschaftshilfe", "Tierfreunde", "Wanderwege", "Freilichtspiele", "Chorfestival", "Ludothek", "Elternforum", "Naturschutz", "Ortsgeschichte", "Gewerbe", "Standortförderung", "Turnfest", "Jazzkeller", "Integration", "Solidarität", "Seniorennetz", "Kleinkunst"],
    &["Vie de quartier", "Scène ouverte", "Jeunesse", "Entraide", "Amis des animaux", "Patrimoine", "Festival de chant", "Ludothèque", "Parents d'élèves", "Nature", "Commerçants", "Intégration", "Solidarité", "Aînés", "Danse", "Lecture"],
    &["Vita di quartiere", "Palco aperto", "Gioventù", "Mutuo aiuto", "Amici degli animali", "Patrimonio", "Coro", "Ludoteca", "Genitori", "Natura", "Commercianti", "Integrazione", "Solidarietà", "Anziani", "Danza"],
];

/// Street names by language of the place.
#[rustfmt::skip]
pub(crate) const STREETS: [&[&str]; 3] = [
    &["Bahnhofstrasse", "Hauptstrasse", "Dorfstrasse", "Industriestrasse", "Kirchweg", "Schulstrasse", "Poststrasse", "Gartenstrasse", "Bergstrasse", "Seestrasse", "Ringstrasse", "Gewerbestrasse", "Oberdorfstrasse", "Mühleweg", "Lindenstrasse", "Sonnenweg", "Rosenweg", "Birkenstrasse", "Feldstrasse", "Wiesenweg", "Talstrasse", "Marktgasse", "Rathausgasse", "Kantonsstrasse", "Buchenweg", "Steinacherstrasse", "Schlossgasse", "Neuweg", "Bachstrasse", "Waldweg"],
    &["Rue de la Gare", "Grand-Rue", "Rue du Midi", "Avenue de la Gare", "Chemin des Vignes", "Route Cantonale", "Rue du Lac", "Rue de l'Industrie", "Chemin du Moulin", "Rue des Alpes", "Rue du Marché", "Avenue du Léman", "Route de Berne", "Chemin de la Colline", "Rue du Temple", "Rue de l'Hôpital", "Place du Village", "Rue Neuve", "Chemin des Fleurs", "Rue du Stand", "Route de la Plaine", "Rue des Écoles", "Rue du Château", "Chemin du Verger", "Avenue des Tilleuls"],
    &["Via Cantonale", "Via Stazione", "Via San Gottardo", "Via al Lago", "Via Industria", "Via Nuova", "Via Motta", "Via delle Scuole", "Piazza Grande", "Via Cattedrale", "Via Franscini", "Via al Ponte", "Via della Posta", "Via Campagna", "Via dei Pioppi", "Via Vignola", "Via Sorengo", "Via Lugano", "Via Bellinzona", "Via dei Fiori"],
];

/// Firms that audit, invented but for those of the tiers that `domain::auditors` tells apart.
#[rustfmt::skip]
pub(crate) const AUDIT_FIRMS: [(u32, &str); 6] = [
    (70, "KPMG AG"), (80, "Ernst & Young AG"), (90, "PricewaterhouseCoopers AG"), (35, "Deloitte AG"), (95, "BDO AG"),
    // Any other: a firm with a name from the words below.
    (630, ""),
];

/// What invented audit firms call their trade, by language of the place.
#[rustfmt::skip]
pub(crate) const AUDIT_WORDS: [&[&str]; 3] = [
    &["Revision AG", "Treuhand AG", "Wirtschaftsprüfung AG", "Audit GmbH"],
    &["Révision SA", "Fiduciaire SA", "Audit SA", "Expertise comptable Sàrl"],
    &["Revisioni SA", "Fiduciaria SA", "Audit Sagl"],
];

/// Form and seat of foreign head offices.
#[rustfmt::skip]
pub(crate) const FOREIGN_SEATS: [(&str, &str); 10] = [
    ("GmbH", "München"), ("GmbH", "Wien"), ("Ltd", "London"), ("SAS", "Paris"), ("S.r.l.", "Milano"), ("B.V.", "Amsterdam"), ("Inc.", "Wilmington"), ("S.à r.l.", "Luxembourg"), ("AG", "Vaduz"), ("SE", "Hamburg"),
];

/// What a purpose may go on with.
#[rustfmt::skip]
pub(crate) const FURTHER_SENTENCES: InEachLanguage<&[&str]> = [
    &[
        "Die Gesellschaft kann Zweigniederlassungen errichten und sich an anderen Unternehmen beteiligen.",
        "Sie kann Grundstücke erwerben, verwalten und veräussern.",
        "Sie kann alle Geschäfte tätigen, die mit dem Zweck zusammenhängen oder ihn fördern.",
        "Sie kann Marken, Patente und andere Rechte erwerben und verwerten.",
        "Sie kann Finanzierungen gewähren und Sicherheiten für verbundene Gesellschaften stellen.",
    ],
    &[
        "La société peut créer des succursales et prendre des participations dans d'autres entreprises.",
        "Elle peut acquérir, gérer et vendre des immeubles.",
        "Elle peut faire toutes les opérations en rapport avec son but.",
        "Elle peut acquérir et exploiter des marques, des brevets et d'autres droits.",
        "Elle peut accorder des financements et des garanties à des sociétés liées.",
    ],
    &[
        "La società può aprire succursali e partecipare ad altre imprese.",
        "Può acquistare, gestire e vendere immobili.",
        "Può compiere tutte le operazioni connesse con il suo scopo.",
        "Può acquistare e sfruttare marchi, brevetti e altri diritti.",
        "Può concedere finanziamenti e garanzie a società collegate.",
    ],
    &[
        "The company may open branches and hold interests in other companies.",
        "It may acquire, manage and sell real estate.",
        "It may carry out all transactions that serve its purpose.",
        "It may acquire and exploit trade marks, patents and other rights.",
        "It may grant loans and guarantees to affiliated companies.",
    ],
];

/// The first names of women among those above. `Andrea` is a man's in Italian.
#[rustfmt::skip]
pub(crate) const WOMEN: [&str; 83] = [
    "Maria", "Anna", "Ursula", "Ruth", "Sandra", "Monika", "Claudia", "Nicole", "Barbara", "Karin", "Andrea", "Daniela", "Sarah", "Laura", "Lea", "Nina", "Julia", "Corinne", "Esther", "Franziska", "Regula", "Silvia", "Brigitte", "Manuela", "Petra", "Eva", "Céline", "Rahel", "Selina", "Vreni", "Cornelia",
    "Marie", "Catherine", "Isabelle", "Nathalie", "Sylvie", "Anne", "Christine", "Sophie", "Véronique", "Valérie", "Sandrine", "Aurélie", "Camille", "Chantal", "Élodie", "Fabienne", "Florence", "Joëlle", "Laurence", "Manon", "Martine", "Mélanie", "Mireille", "Nadia", "Stéphanie", "Virginie", "Yvette",
    "Francesca", "Paola", "Elena", "Chiara", "Simona", "Monica", "Cristina", "Giulia", "Alessia", "Sara", "Ornella", "Sabrina", "Veronica",
    "Ana", "Elif", "Ivana", "Jelena", "Mirjana", "Sofia", "Vesna", "Aleksandra", "Arta",
    "Angela", "Rita", "Irene",
];

/// Family names that are given names too.
pub(crate) const GIVEN_LIKE: [&str; 7] =
    ["Peter", "Arnold", "Ulrich", "Martin", "Robert", "Richard", "Lambert"];

/// A citizenship other than the Swiss.
#[derive(Debug, PartialEq)]
pub(crate) struct Nation {
    pub(crate) weight: u32,
    /// The adjective before `Staatsangehörige`, in the feminine.
    pub(crate) german: &'static str,
    /// Behind `ressortissant` and `ressortissante`.
    pub(crate) french: [&'static str; 2],
    /// Behind `cittadino` and `cittadina`.
    pub(crate) italian: [&'static str; 2],
    /// The country with its preposition, as Geneva and Vaud write it.
    pub(crate) from: &'static str,
    /// Whose names its citizens bear, where it is a language of the register.
    pub(crate) language: Option<Language>,
}

const fn nation(
    weight: u32,
    german: &'static str,
    french: [&'static str; 2],
    italian: [&'static str; 2],
    from: &'static str,
    language: Option<Language>,
) -> Nation {
    Nation { weight, german, french, italian, from, language }
}

/// Those that are met most often.
#[rustfmt::skip]
pub(crate) static NATIONS: [Nation; 13] = [
    nation(26, "deutsche", ["allemand", "allemande"], ["germanico", "germanica"], "d'Allemagne", Some(Language::German)),
    nation( 7, "österreichische", ["autrichien", "autrichienne"], ["austriaco", "austriaca"], "d'Autriche", Some(Language::German)),
    nation(18, "französische", ["français", "française"], ["francese", "francese"], "de France", Some(Language::French)),
    nation( 4, "belgische", ["belge", "belge"], ["belga", "belga"], "de Belgique", Some(Language::French)),
    nation(19, "italienische", ["italien", "italienne"], ["italiano", "italiana"], "d'Italie", Some(Language::Italian)),
    nation( 8, "portugiesische", ["portugais", "portugaise"], ["portoghese", "portoghese"], "du Portugal", None),
    nation( 5, "kosovarische", ["kosovar", "kosovare"], ["kosovaro", "kosovara"], "du Kosovo", None),
    nation( 4, "serbische", ["serbe", "serbe"], ["serbo", "serba"], "de Serbie", None),
    nation( 4, "türkische", ["turc", "turque"], ["turco", "turca"], "de Turquie", None),
    nation( 3, "spanische", ["espagnol", "espagnole"], ["spagnolo", "spagnola"], "d'Espagne", None),
    nation( 3, "kroatische", ["croate", "croate"], ["croato", "croata"], "de Croatie", None),
    nation( 2, "polnische", ["polonais", "polonaise"], ["polacco", "polacca"], "de Pologne", None),
    nation( 2, "rumänische", ["roumain", "roumaine"], ["rumeno", "rumena"], "de Roumanie", None),
];

/// Towns across the border, by the language of the places on this side.
#[rustfmt::skip]
pub(crate) const FOREIGN_TOWNS: [&[&str]; 3] = [
    &["Lörrach (DE)", "Konstanz (DE)", "Waldshut-Tiengen (DE)", "Vaduz (LI)", "Bregenz (AT)", "Freiburg im Breisgau (DE)", "München (DE)"],
    &["Annecy (FR)", "Annemasse (FR)", "Thonon-les-Bains (FR)", "Pontarlier (FR)", "Divonne-les-Bains (FR)", "Lyon (FR)"],
    &["Como (IT)", "Varese (IT)", "Milano (IT)", "Luino (IT)"],
];
