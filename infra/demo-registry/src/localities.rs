//! Where companies are: the larger localities of every canton.
//!
//! Names, postal codes, communes and positions are facts of the official directory of localities
//! (swisstopo), the positions turned into WGS84; the weights are ours.

use domain::Canton::{self, *};

use crate::{
    random::Random,
    vocabulary::Language::{self, *},
};

/// A locality: what a postal code calls.
pub(crate) struct Locality {
    pub(crate) name: &'static str,
    pub(crate) zip_code: &'static str,
    /// The commune's official name, and its number at the Federal Statistical Office.
    pub(crate) commune: &'static str,
    pub(crate) bfs_number: u32,
    pub(crate) canton: Canton,
    /// WGS84 degrees.
    pub(crate) latitude: f64,
    /// WGS84 degrees.
    pub(crate) longitude: f64,
    pub(crate) language: Language,
    /// How many companies it has beside the others of its canton.
    pub(crate) weight: u32,
}

impl Locality {
    /// The name without the letters of a canton that some carry: `Wetzikon` for `Wetzikon ZH`.
    pub(crate) fn plain_name(&self) -> &'static str {
        match self.name.rsplit_once(' ') {
            Some((name, canton)) if canton == self.canton.code() => name,
            _ => self.name,
        }
    }
}

impl Locality {
    /// The commune as a notice calls where somebody lives; the canton's first one instead of those
    /// whose article would be written in three ways.
    pub(crate) fn residence(&self) -> &'static str {
        if has_article(self.commune) { of_canton(self.canton)[0].commune } else { self.commune }
    }

    /// Another commune of the same canton and language; `None` where there is none.
    pub(crate) fn other(&self, random: &mut Random) -> Option<&'static Self> {
        let is_other = |it: &&Self| it.commune != self.commune && it.language == self.language;
        let mut drawn = (0..6).map(|_| random.weighted(of_canton(self.canton), |it| it.weight));
        drawn.find(is_other)
    }
}

/// A place of origin.
pub(crate) fn origin(random: &mut Random) -> &'static str {
    let mut drawn =
        (0..9).map(|_| LOCALITIES[random.below(LOCALITIES.len() as u64) as usize].commune);
    drawn.find(|it| !has_article(it)).unwrap_or("Zürich")
}

/// A locality where this language is spoken, each as likely.
pub(crate) fn speaking(language: Language, random: &mut Random) -> &'static Locality {
    let mut drawn = (0..40).map(|_| &LOCALITIES[random.below(LOCALITIES.len() as u64) as usize]);
    drawn.find(|it| it.language == language).unwrap_or(&LOCALITIES[0])
}

fn has_article(commune: &str) -> bool {
    ["La ", "Le ", "Les "].iter().any(|it| commune.starts_with(it))
}

/// The localities of a canton.
pub(crate) fn of_canton(canton: Canton) -> &'static [Locality] {
    let from = LOCALITIES.partition_point(|it| it.canton < canton);
    let to = LOCALITIES.partition_point(|it| it.canton <= canton);
    &LOCALITIES[from..to]
}

/// How many companies of ten thousand are in which canton, and the number of its register office.
/// Where a canton has had several offices, that of today's seat.
#[rustfmt::skip]
pub(crate) const CANTONS: [(u32, Canton, u32); 26] = [
    (1750, Zh,  20), (920, Be,  36), (450, Lu, 100), ( 30, Ur, 120), (270, Sz, 130), ( 40, Ow, 140),
    (  50, Nw, 150), ( 40, Gl, 160), (430, Zg, 170), (350, Fr, 217), (240, So, 241), (300, Bs, 270),
    ( 310, Bl, 280), ( 90, Sh, 290), ( 60, Ar, 300), ( 30, Ai, 310), (570, Sg, 320), (270, Gr, 350),
    ( 670, Ag, 400), (290, Tg, 440), (530, Ti, 501), (880, Vd, 550), (430, Vs, 600), (170, Ne, 645),
    ( 760, Ge, 660), ( 70, Ju, 670),
];

// One argument a column: the table below is what one reads.
#[expect(clippy::too_many_arguments, reason = "the columns of a table")]
const fn place(
    name: &'static str,
    zip_code: &'static str,
    commune: &'static str,
    bfs_number: u32,
    canton: Canton,
    latitude: f64,
    longitude: f64,
    language: Language,
    weight: u32,
) -> Locality {
    Locality { name, zip_code, commune, bfs_number, canton, latitude, longitude, language, weight }
}

/// In the official order of the cantons.
#[rustfmt::skip]
static LOCALITIES: [Locality; 294] = [
    place("Zürich", "8001", "Zürich", 261, Zh, 47.37293, 8.54137, German, 60),
    place("Zürich", "8002", "Zürich", 261, Zh, 47.36017, 8.53130, German, 30),
    place("Zürich", "8004", "Zürich", 261, Zh, 47.37800, 8.52337, German, 35),
    place("Zürich", "8005", "Zürich", 261, Zh, 47.38676, 8.52068, German, 30),
    place("Zürich", "8006", "Zürich", 261, Zh, 47.38576, 8.54317, German, 18),
    place("Zürich", "8008", "Zürich", 261, Zh, 47.35624, 8.56264, German, 30),
    place("Zürich", "8032", "Zürich", 261, Zh, 47.36669, 8.56444, German, 14),
    place("Zürich", "8037", "Zürich", 261, Zh, 47.39849, 8.52426, German, 12),
    place("Zürich", "8045", "Zürich", 261, Zh, 47.35161, 8.50571, German, 14),
    place("Zürich", "8047", "Zürich", 261, Zh, 47.37389, 8.48702, German, 12),
    place("Zürich", "8048", "Zürich", 261, Zh, 47.38674, 8.48387, German, 22),
    place("Zürich", "8050", "Zürich", 261, Zh, 47.41193, 8.55080, German, 28),
    place("Zürich", "8051", "Zürich", 261, Zh, 47.39965, 8.57882, German, 10),
    place("Zürich", "8057", "Zürich", 261, Zh, 47.39992, 8.54739, German, 10),
    place("Winterthur", "8400", "Winterthur", 230, Zh, 47.48885, 8.72948, German, 36),
    place("Winterthur", "8404", "Winterthur", 230, Zh, 47.50747, 8.75922, German, 14),
    place("Winterthur", "8406", "Winterthur", 230, Zh, 47.48322, 8.70062, German, 14),
    place("Uster", "8610", "Uster", 198, Zh, 47.35275, 8.72272, German, 16),
    place("Dübendorf", "8600", "Dübendorf", 191, Zh, 47.39276, 8.62095, German, 14),
    place("Dietikon", "8953", "Dietikon", 243, Zh, 47.40004, 8.39814, German, 13),
    place("Kloten", "8302", "Kloten", 62, Zh, 47.45875, 8.58209, German, 12),
    place("Glattbrugg", "8152", "Opfikon", 66, Zh, 47.43257, 8.56229, German, 11),
    place("Bülach", "8180", "Bülach", 53, Zh, 47.53066, 8.54563, German, 10),
    place("Wetzikon ZH", "8620", "Wetzikon (ZH)", 121, Zh, 47.31917, 8.80746, German, 11),
    place("Wädenswil", "8820", "Wädenswil", 293, Zh, 47.22061, 8.65498, German, 11),
    place("Horgen", "8810", "Horgen", 295, Zh, 47.24636, 8.61259, German, 9),
    place("Küsnacht ZH", "8700", "Küsnacht (ZH)", 154, Zh, 47.32144, 8.59621, German, 9),
    place("Meilen", "8706", "Meilen", 156, Zh, 47.28146, 8.64605, German, 8),
    place("Stäfa", "8712", "Stäfa", 158, Zh, 47.24925, 8.72881, German, 8),
    place("Regensdorf", "8105", "Regensdorf", 96, Zh, 47.43193, 8.46583, German, 8),
    place("Schlieren", "8952", "Schlieren", 247, Zh, 47.39419, 8.44962, German, 12),
    place("Wallisellen", "8304", "Wallisellen", 69, Zh, 47.42121, 8.59627, German, 10),
    place("Adliswil", "8134", "Adliswil", 131, Zh, 47.30791, 8.52186, German, 7),
    place("Affoltern am Albis", "8910", "Affoltern am Albis", 2, Zh, 47.27879, 8.45439, German, 6),
    place("Bern", "3011", "Bern", 351, Be, 46.94724, 7.44796, German, 30),
    place("Bern", "3012", "Bern", 351, Be, 46.96158, 7.42603, German, 16),
    place("Bern", "3007", "Bern", 351, Be, 46.93938, 7.43409, German, 14),
    place("Bern", "3008", "Bern", 351, Be, 46.94510, 7.41390, German, 14),
    place("Bern", "3014", "Bern", 351, Be, 46.96220, 7.45841, German, 12),
    place("Bern", "3018", "Bern", 351, Be, 46.93389, 7.38912, German, 10),
    place("Köniz", "3098", "Köniz", 355, Be, 46.91283, 7.43456, German, 10),
    place("Ostermundigen", "3072", "Ostermundigen", 363, Be, 46.95348, 7.49251, German, 8),
    place("Muri b. Bern", "3074", "Muri bei Bern", 356, Be, 46.92660, 7.48638, German, 7),
    place("Biel/Bienne", "2502", "Biel/Bienne", 371, Be, 47.14198, 7.24573, German, 20),
    place("Biel/Bienne", "2503", "Biel/Bienne", 371, Be, 47.13169, 7.25856, German, 10),
    place("Thun", "3600", "Thun", 942, Be, 46.75552, 7.62371, German, 16),
    place("Thun", "3604", "Thun", 942, Be, 46.74051, 7.61749, German, 5),
    place("Burgdorf", "3400", "Burgdorf", 404, Be, 47.05756, 7.61785, German, 8),
    place("Langenthal", "4900", "Langenthal", 329, Be, 47.21754, 7.79513, German, 8),
    place("Interlaken", "3800", "Interlaken", 581, Be, 46.68421, 7.87863, German, 5),
    place("Lyss", "3250", "Lyss", 306, Be, 47.07540, 7.31076, German, 7),
    place("Münsingen", "3110", "Münsingen", 616, Be, 46.87638, 7.56000, German, 5),
    place("Zollikofen", "3052", "Zollikofen", 361, Be, 46.99667, 7.45332, German, 5),
    place("Langnau im Emmental", "3550", "Langnau im Emmental", 902, Be, 46.93492, 7.78617, German, 4),
    place("Moutier", "2740", "Moutier", 700, Be, 47.27686, 7.37097, French, 4),
    place("St-Imier", "2610", "Saint-Imier", 443, Be, 47.14801, 6.98781, French, 3),
    place("Spiez", "3700", "Spiez", 768, Be, 46.68081, 7.67157, German, 4),
    place("Gstaad", "3780", "Saanen", 843, Be, 46.47563, 7.29428, German, 3),
    place("Luzern", "6003", "Luzern", 1061, Lu, 47.05002, 8.29706, German, 22),
    place("Luzern", "6004", "Luzern", 1061, Lu, 47.06021, 8.29814, German, 18),
    place("Luzern", "6005", "Luzern", 1061, Lu, 47.03854, 8.31440, German, 12),
    place("Kriens", "6010", "Kriens", 1059, Lu, 47.01632, 8.26898, German, 9),
    place("Emmenbrücke", "6020", "Emmen", 1024, Lu, 47.07617, 8.26150, German, 10),
    place("Ebikon", "6030", "Ebikon", 1054, Lu, 47.08093, 8.34289, German, 6),
    place("Horw", "6048", "Horw", 1058, Lu, 47.01349, 8.31277, German, 6),
    place("Sursee", "6210", "Sursee", 1103, Lu, 47.17732, 8.10444, German, 9),
    place("Hochdorf", "6280", "Hochdorf", 1031, Lu, 47.16975, 8.28501, German, 5),
    place("Willisau", "6130", "Willisau", 1151, Lu, 47.11423, 7.98123, German, 5),
    place("Rothenburg", "6023", "Rothenburg", 1040, Lu, 47.10330, 8.26716, German, 4),
    place("Gisikon", "6038", "Gisikon", 1055, Lu, 47.12688, 8.40016, German, 2),
    place("Altdorf UR", "6460", "Altdorf (UR)", 1201, Ur, 46.88762, 8.64125, German, 10),
    place("Erstfeld", "6472", "Erstfeld", 1206, Ur, 46.81271, 8.60101, German, 3),
    place("Andermatt", "6490", "Andermatt", 1202, Ur, 46.61745, 8.61434, German, 3),
    place("Schwyz", "6430", "Schwyz", 1372, Sz, 47.02824, 8.66631, German, 8),
    place("Pfäffikon SZ", "8808", "Freienbach", 1322, Sz, 47.19068, 8.78380, German, 12),
    place("Freienbach", "8807", "Freienbach", 1322, Sz, 47.20187, 8.75488, German, 6),
    place("Wollerau", "8832", "Wollerau", 1323, Sz, 47.18982, 8.70731, German, 6),
    place("Einsiedeln", "8840", "Einsiedeln", 1301, Sz, 47.13349, 8.73692, German, 6),
    place("Brunnen", "6440", "Ingenbohl", 1364, Sz, 46.99439, 8.61543, German, 4),
    place("Küssnacht am Rigi", "6403", "Küssnacht (SZ)", 1331, Sz, 47.08448, 8.44748, German, 6),
    place("Lachen SZ", "8853", "Lachen", 1344, Sz, 47.19313, 8.85809, German, 6),
    place("Sarnen", "6060", "Sarnen", 1407, Ow, 46.90128, 8.25053, German, 10),
    place("Kerns", "6064", "Kerns", 1404, Ow, 46.90646, 8.30226, German, 3),
    place("Engelberg", "6390", "Engelberg", 1402, Ow, 46.81660, 8.43353, German, 3),
    place("Stans", "6370", "Stans", 1509, Nw, 46.95580, 8.36488, German, 9),
    place("Hergiswil NW", "6052", "Hergiswil (NW)", 1507, Nw, 46.98605, 8.27879, German, 6),
    place("Buochs", "6374", "Buochs", 1502, Nw, 46.96371, 8.41738, German, 4),
    place("Stansstad", "6362", "Stansstad", 1510, Nw, 46.97344, 8.34131, German, 4),
    place("Glarus", "8750", "Glarus", 1632, Gl, 47.03895, 9.05593, German, 9),
    place("Näfels", "8752", "Glarus Nord", 1630, Gl, 47.08208, 9.01083, German, 4),
    place("Schwanden GL", "8762", "Glarus Süd", 1631, Gl, 46.96720, 9.09965, German, 3),
    place("Zug", "6300", "Zug", 1711, Zg, 47.16918, 8.52692, German, 60),
    place("Baar", "6340", "Baar", 1701, Zg, 47.19776, 8.53667, German, 28),
    place("Cham", "6330", "Cham", 1702, Zg, 47.19618, 8.45315, German, 16),
    place("Rotkreuz", "6343", "Risch", 1707, Zg, 47.14492, 8.43285, German, 12),
    place("Steinhausen", "6312", "Steinhausen", 1708, Zg, 47.19832, 8.48725, German, 10),
    place("Unterägeri", "6314", "Unterägeri", 1709, Zg, 47.11778, 8.58151, German, 5),
    place("Fribourg", "1700", "Fribourg", 2196, Fr, 46.80422, 7.16495, French, 26),
    place("Bulle", "1630", "Bulle", 2125, Fr, 46.59769, 7.00774, French, 18),
    place("Villars-sur-Glâne", "1752", "Villars-sur-Glâne", 2228, Fr, 46.79615, 7.12297, French, 9),
    place("Düdingen", "3186", "Düdingen", 2293, Fr, 46.84449, 7.18925, German, 6),
    place("Murten", "3280", "Murten", 2275, Fr, 46.92862, 7.13664, German, 6),
    place("Romont FR", "1680", "Romont (FR)", 2096, Fr, 46.69705, 6.92405, French, 5),
    place("Estavayer-le-Lac", "1470", "Estavayer", 2054, Fr, 46.84978, 6.85876, French, 5),
    place("Châtel-St-Denis", "1618", "Châtel-Saint-Denis", 2325, Fr, 46.53381, 6.94352, French, 5),
    place("Granges-Paccot", "1763", "Granges-Paccot", 2198, Fr, 46.82210, 7.15338, French, 5),
    place("Marly", "1723", "Marly", 2206, Fr, 46.77680, 7.14736, French, 4),
    place("Flamatt", "3175", "Wünnewil-Flamatt", 2309, Fr, 46.88739, 7.30643, German, 3),
    place("Solothurn", "4500", "Solothurn", 2601, So, 47.20806, 7.52827, German, 12),
    place("Olten", "4600", "Olten", 2581, So, 47.34112, 7.90210, German, 12),
    place("Grenchen", "2540", "Grenchen", 2546, So, 47.20311, 7.38613, German, 8),
    place("Biberist", "4562", "Biberist", 2513, So, 47.18147, 7.54470, German, 4),
    place("Oensingen", "4702", "Oensingen", 2407, So, 47.29027, 7.71849, German, 4),
    place("Dornach", "4143", "Dornach", 2473, So, 47.47615, 7.62524, German, 4),
    place("Zuchwil", "4528", "Zuchwil", 2534, So, 47.20543, 7.56253, German, 4),
    place("Schönenwerd", "5012", "Schönenwerd", 2583, So, 47.37373, 8.00984, German, 3),
    place("Basel", "4001", "Basel", 2701, Bs, 47.55637, 7.58888, German, 14),
    place("Basel", "4051", "Basel", 2701, Bs, 47.55419, 7.58671, German, 18),
    place("Basel", "4052", "Basel", 2701, Bs, 47.54503, 7.60912, German, 14),
    place("Basel", "4053", "Basel", 2701, Bs, 47.53833, 7.60102, German, 9),
    place("Basel", "4054", "Basel", 2701, Bs, 47.55049, 7.56895, German, 7),
    place("Basel", "4055", "Basel", 2701, Bs, 47.56373, 7.56398, German, 7),
    place("Basel", "4056", "Basel", 2701, Bs, 47.56951, 7.57355, German, 8),
    place("Basel", "4057", "Basel", 2701, Bs, 47.57607, 7.59967, German, 9),
    place("Basel", "4058", "Basel", 2701, Bs, 47.56771, 7.61350, German, 9),
    place("Riehen", "4125", "Riehen", 2703, Bs, 47.58046, 7.65305, German, 7),
    place("Allschwil", "4123", "Allschwil", 2762, Bl, 47.54170, 7.53434, German, 10),
    place("Reinach BL", "4153", "Reinach (BL)", 2773, Bl, 47.49152, 7.58696, German, 8),
    place("Muttenz", "4132", "Muttenz", 2770, Bl, 47.52276, 7.64786, German, 9),
    place("Pratteln", "4133", "Pratteln", 2831, Bl, 47.51738, 7.69408, German, 8),
    place("Liestal", "4410", "Liestal", 2829, Bl, 47.48295, 7.72546, German, 8),
    place("Binningen", "4102", "Binningen", 2765, Bl, 47.53670, 7.56770, German, 7),
    place("Münchenstein", "4142", "Münchenstein", 2769, Bl, 47.51749, 7.61152, German, 6),
    place("Arlesheim", "4144", "Arlesheim", 2763, Bl, 47.49617, 7.62815, German, 5),
    place("Birsfelden", "4127", "Birsfelden", 2766, Bl, 47.55295, 7.64255, German, 4),
    place("Sissach", "4450", "Sissach", 2861, Bl, 47.47298, 7.80568, German, 4),
    place("Laufen", "4242", "Laufen", 2787, Bl, 47.40728, 7.48450, German, 4),
    place("Oberwil BL", "4104", "Oberwil (BL)", 2771, Bl, 47.51911, 7.54534, German, 5),
    place("Therwil", "4106", "Therwil", 2775, Bl, 47.49645, 7.55656, German, 3),
    place("Schaffhausen", "8200", "Schaffhausen", 2939, Sh, 47.71766, 8.62594, German, 14),
    place("Schaffhausen", "8207", "Schaffhausen", 2939, Sh, 47.72347, 8.67276, German, 3),
    place("Neuhausen am Rheinfall", "8212", "Neuhausen am Rheinfall", 2937, Sh, 47.67879, 8.60517, German, 5),
    place("Thayngen", "8240", "Thayngen", 2920, Sh, 47.73954, 8.71057, German, 2),
    place("Stein am Rhein", "8260", "Stein am Rhein", 2964, Sh, 47.66535, 8.85653, German, 2),
    place("Herisau", "9100", "Herisau", 3001, Ar, 47.37928, 9.28751, German, 8),
    place("Teufen AR", "9053", "Teufen (AR)", 3024, Ar, 47.38945, 9.40072, German, 5),
    place("Heiden", "9410", "Heiden", 3032, Ar, 47.45444, 9.53910, German, 3),
    place("Speicher", "9042", "Speicher", 3023, Ar, 47.40729, 9.44124, German, 2),
    place("Appenzell", "9050", "Appenzell", 3101, Ai, 47.32283, 9.40891, German, 9),
    place("Oberegg", "9413", "Oberegg", 3111, Ai, 47.42351, 9.57978, German, 2),
    place("St. Gallen", "9000", "St. Gallen", 3203, Sg, 47.42364, 9.36223, German, 24),
    place("St. Gallen", "9008", "St. Gallen", 3203, Sg, 47.44182, 9.39185, German, 7),
    place("St. Gallen", "9014", "St. Gallen", 3203, Sg, 47.40926, 9.33548, German, 7),
    place("St. Gallen", "9015", "St. Gallen", 3203, Sg, 47.41038, 9.30894, German, 6),
    place("Wil SG", "9500", "Wil (SG)", 3427, Sg, 47.46318, 9.04956, German, 12),
    place("Rapperswil SG", "8640", "Rapperswil-Jona", 3340, Sg, 47.22785, 8.82434, German, 9),
    place("Jona", "8645", "Rapperswil-Jona", 3340, Sg, 47.23288, 8.85213, German, 7),
    place("Gossau SG", "9200", "Gossau (SG)", 3443, Sg, 47.42033, 9.25710, German, 8),
    place("Buchs SG", "9470", "Buchs (SG)", 3271, Sg, 47.16516, 9.47577, German, 7),
    place("Rorschach", "9400", "Rorschach", 3215, Sg, 47.47544, 9.49385, German, 5),
    place("Altstätten SG", "9450", "Altstätten", 3251, Sg, 47.36939, 9.54670, German, 5),
    place("Uzwil", "9240", "Uzwil", 3408, Sg, 47.43637, 9.13614, German, 5),
    place("Heerbrugg", "9435", "Au (SG)", 3231, Sg, 47.41289, 9.62727, German, 4),
    place("Sargans", "7320", "Sargans", 3296, Sg, 47.05431, 9.44878, German, 3),
    place("Walenstadt", "8880", "Walenstadt", 3298, Sg, 47.11894, 9.30486, German, 2),
    place("Wattwil", "9630", "Wattwil", 3379, Sg, 47.29159, 9.06859, German, 3),
    place("Uznach", "8730", "Uznach", 3339, Sg, 47.22653, 8.98233, German, 3),
    place("Chur", "7000", "Chur", 3901, Gr, 46.85901, 9.53310, German, 18),
    place("Davos Platz", "7270", "Davos", 3851, Gr, 46.78548, 9.81326, German, 7),
    place("St. Moritz", "7500", "St. Moritz", 3787, Gr, 46.48553, 9.83353, German, 8),
    place("Landquart", "7302", "Landquart", 3955, Gr, 46.96147, 9.57498, German, 4),
    place("Domat/Ems", "7013", "Domat/Ems", 3722, Gr, 46.81977, 9.45077, German, 4),
    place("Ilanz", "7130", "Ilanz/Glion", 3619, Gr, 46.76560, 9.19944, German, 3),
    place("Arosa", "7050", "Arosa", 3921, Gr, 46.77168, 9.67530, German, 2),
    place("Thusis", "7430", "Thusis", 3668, Gr, 46.68531, 9.43158, German, 2),
    place("Scuol", "7550", "Scuol", 3762, Gr, 46.73244, 10.32780, German, 2),
    place("Roveredo GR", "6535", "Roveredo (GR)", 3834, Gr, 46.20131, 9.15069, Italian, 2),
    place("Poschiavo", "7742", "Poschiavo", 3561, Gr, 46.34261, 10.02530, Italian, 2),
    place("Samedan", "7503", "Samedan", 3786, Gr, 46.53513, 9.84614, German, 2),
    place("Aarau", "5000", "Aarau", 4001, Ag, 47.38901, 8.04867, German, 14),
    place("Baden", "5400", "Baden", 4021, Ag, 47.46987, 8.29213, German, 14),
    place("Wettingen", "5430", "Wettingen", 4045, Ag, 47.46269, 8.34183, German, 9),
    place("Lenzburg", "5600", "Lenzburg", 4201, Ag, 47.38036, 8.17439, German, 7),
    place("Brugg AG", "5200", "Brugg", 4095, Ag, 47.48276, 8.20375, German, 7),
    place("Zofingen", "4800", "Zofingen", 4289, Ag, 47.28727, 7.95751, German, 7),
    place("Rheinfelden", "4310", "Rheinfelden", 4258, Ag, 47.55092, 7.79768, German, 7),
    place("Wohlen AG", "5610", "Wohlen (AG)", 4082, Ag, 47.35069, 8.28577, German, 8),
    place("Spreitenbach", "8957", "Spreitenbach", 4040, Ag, 47.41742, 8.36666, German, 6),
    place("Fislisbach", "5442", "Fislisbach", 4027, Ag, 47.43636, 8.29058, German, 3),
    place("Oberentfelden", "5036", "Oberentfelden", 4010, Ag, 47.35410, 8.03960, German, 4),
    place("Oftringen", "4665", "Oftringen", 4280, Ag, 47.31313, 7.94246, German, 6),
    place("Seon", "5703", "Seon", 4209, Ag, 47.34874, 8.15891, German, 3),
    place("Reinach AG", "5734", "Reinach (AG)", 4141, Ag, 47.26351, 8.17483, German, 4),
    place("Muri AG", "5630", "Muri (AG)", 4236, Ag, 47.27667, 8.33864, German, 5),
    place("Bremgarten AG", "5620", "Bremgarten (AG)", 4063, Ag, 47.35501, 8.32945, German, 4),
    place("Frick", "5070", "Frick", 4163, Ag, 47.50786, 8.01198, German, 4),
    place("Stein AG", "4332", "Stein (AG)", 4260, Ag, 47.54069, 7.94986, German, 2),
    place("Nussbaumen AG", "5415", "Obersiggenthal", 4038, Ag, 47.49536, 8.29567, German, 3),
    place("Buchs AG", "5033", "Buchs (AG)", 4003, Ag, 47.39310, 8.07561, German, 4),
    place("Frauenfeld", "8500", "Frauenfeld", 4566, Tg, 47.56030, 8.90384, German, 13),
    place("Kreuzlingen", "8280", "Kreuzlingen", 4671, Tg, 47.64053, 9.17553, German, 11),
    place("Arbon", "9320", "Arbon", 4401, Tg, 47.51143, 9.42601, German, 6),
    place("Amriswil", "8580", "Amriswil", 4461, Tg, 47.54063, 9.29674, German, 6),
    place("Weinfelden", "8570", "Weinfelden", 4946, Tg, 47.56860, 9.10741, German, 7),
    place("Romanshorn", "8590", "Romanshorn", 4436, Tg, 47.56503, 9.35785, German, 5),
    place("Bischofszell", "9220", "Bischofszell", 4471, Tg, 47.49605, 9.24337, German, 2),
    place("Eschlikon TG", "8360", "Eschlikon", 4724, Tg, 47.46008, 8.96555, German, 2),
    place("Lugano", "6900", "Lugano", 5192, Ti, 46.01335, 8.95413, Italian, 40),
    place("Viganello", "6962", "Lugano", 5192, Ti, 46.01209, 8.96920, Italian, 5),
    place("Bellinzona", "6500", "Bellinzona", 5002, Ti, 46.19699, 9.03553, Italian, 16),
    place("Giubiasco", "6512", "Bellinzona", 5002, Ti, 46.17217, 9.00046, Italian, 5),
    place("Locarno", "6600", "Locarno", 5113, Ti, 46.16287, 8.79312, Italian, 10),
    place("Ascona", "6612", "Ascona", 5091, Ti, 46.15610, 8.77053, Italian, 5),
    place("Chiasso", "6830", "Chiasso", 5250, Ti, 45.83370, 9.02534, Italian, 13),
    place("Mendrisio", "6850", "Mendrisio", 5254, Ti, 45.87808, 8.97936, Italian, 12),
    place("Manno", "6928", "Manno", 5194, Ti, 46.03059, 8.91795, Italian, 7),
    place("Bioggio", "6934", "Bioggio", 5151, Ti, 46.01602, 8.91186, Italian, 6),
    place("Paradiso", "6900", "Paradiso", 5210, Ti, 45.98880, 8.94696, Italian, 9),
    place("Biasca", "6710", "Biasca", 5281, Ti, 46.36265, 9.02747, Italian, 3),
    place("Tenero", "6598", "Tenero-Contra", 5131, Ti, 46.17541, 8.85051, Italian, 3),
    place("Balerna", "6828", "Balerna", 5242, Ti, 45.84289, 9.00784, Italian, 3),
    place("Vezia", "6943", "Vezia", 5231, Ti, 46.02492, 8.93568, Italian, 2),
    place("Ponte Tresa", "6988", "Tresa", 5239, Ti, 45.97136, 8.85881, Italian, 2),
    place("Lausanne", "1003", "Lausanne", 5586, Vd, 46.52001, 6.63010, French, 28),
    place("Lausanne", "1004", "Lausanne", 5586, Vd, 46.52849, 6.61867, French, 14),
    place("Lausanne", "1005", "Lausanne", 5586, Vd, 46.51987, 6.64249, French, 8),
    place("Lausanne", "1006", "Lausanne", 5586, Vd, 46.51122, 6.63710, French, 10),
    place("Lausanne", "1007", "Lausanne", 5586, Vd, 46.51720, 6.61040, French, 10),
    place("Lausanne", "1012", "Lausanne", 5586, Vd, 46.52628, 6.65693, French, 6),
    place("Lausanne", "1018", "Lausanne", 5586, Vd, 46.53877, 6.62863, French, 6),
    place("Renens VD", "1020", "Renens (VD)", 5591, Vd, 46.53644, 6.58953, French, 9),
    place("Morges", "1110", "Morges", 5642, Vd, 46.51356, 6.49501, French, 9),
    place("Nyon", "1260", "Nyon", 5724, Vd, 46.38298, 6.22695, French, 14),
    place("Yverdon-les-Bains", "1400", "Yverdon-les-Bains", 5938, Vd, 46.77561, 6.64230, French, 13),
    place("Vevey", "1800", "Vevey", 5890, Vd, 46.46428, 6.84790, French, 9),
    place("Montreux", "1820", "Montreux", 5886, Vd, 46.43504, 6.91227, French, 9),
    place("Gland", "1196", "Gland", 5721, Vd, 46.41448, 6.27514, French, 6),
    place("Pully", "1009", "Pully", 5590, Vd, 46.51230, 6.65672, French, 8),
    place("Prilly", "1008", "Prilly", 5589, Vd, 46.53699, 6.60405, French, 5),
    place("Ecublens VD", "1024", "Ecublens (VD)", 5635, Vd, 46.52939, 6.56008, French, 6),
    place("Crissier", "1023", "Crissier", 5583, Vd, 46.55530, 6.57753, French, 6),
    place("Echallens", "1040", "Echallens", 5518, Vd, 46.63791, 6.63516, French, 4),
    place("Payerne", "1530", "Payerne", 5822, Vd, 46.82559, 6.93143, French, 5),
    place("Aigle", "1860", "Aigle", 5401, Vd, 46.31388, 6.96895, French, 5),
    place("Rolle", "1180", "Rolle", 5861, Vd, 46.45980, 6.32782, French, 4),
    place("Clarens", "1815", "Montreux", 5886, Vd, 46.44647, 6.88991, French, 4),
    place("Lutry", "1095", "Lutry", 5606, Vd, 46.50614, 6.69225, French, 4),
    place("Moudon", "1510", "Moudon", 5678, Vd, 46.67047, 6.79124, French, 2),
    place("Sion", "1950", "Sion", 6266, Vs, 46.23013, 7.35638, French, 16),
    place("Martigny", "1920", "Martigny", 6136, Vs, 46.10635, 7.09931, French, 11),
    place("Monthey", "1870", "Monthey", 6153, Vs, 46.21287, 6.82209, French, 9),
    place("Sierre", "3960", "Sierre", 6248, Vs, 46.28912, 7.55927, French, 9),
    place("Brig", "3900", "Brig-Glis", 6002, Vs, 46.31441, 7.99717, German, 6),
    place("Visp", "3930", "Visp", 6297, Vs, 46.29370, 7.86146, German, 5),
    place("Zermatt", "3920", "Zermatt", 6300, Vs, 45.99045, 7.80598, German, 5),
    place("Le Châble VS", "1934", "Val de Bagnes", 6037, Vs, 46.08244, 7.20913, French, 3),
    place("Crans-Montana", "3963", "Crans-Montana", 6253, Vs, 46.34121, 7.49289, French, 5),
    place("Conthey", "1964", "Conthey", 6023, Vs, 46.21786, 7.30219, French, 5),
    place("Fully", "1926", "Fully", 6133, Vs, 46.15507, 7.11722, French, 3),
    place("Susten", "3952", "Leuk", 6110, Vs, 46.28583, 7.63327, German, 1),
    place("Saas-Fee", "3906", "Saas-Fee", 6290, Vs, 46.08838, 7.90200, German, 2),
    place("Verbier", "1936", "Val de Bagnes", 6037, Vs, 46.10075, 7.22368, French, 3),
    place("Naters", "3904", "Naters", 6007, Vs, 46.33553, 7.98220, German, 3),
    place("Neuchâtel", "2000", "Neuchâtel", 6458, Ne, 47.00087, 6.92736, French, 16),
    place("La Chaux-de-Fonds", "2300", "La Chaux-de-Fonds", 6421, Ne, 47.11468, 6.82923, French, 15),
    place("Le Locle", "2400", "Le Locle", 6436, Ne, 47.05010, 6.74800, French, 4),
    place("Cortaillod", "2016", "Cortaillod", 6408, Ne, 46.94277, 6.84647, French, 3),
    place("Marin-Epagnier", "2074", "La Tène", 6461, Ne, 47.00794, 7.01061, French, 3),
    place("Peseux", "2034", "Neuchâtel", 6458, Ne, 46.99427, 6.88705, French, 3),
    place("Fleurier", "2114", "Val-de-Travers", 6512, Ne, 46.89594, 6.59247, French, 2),
    place("Genève", "1201", "Genève", 6621, Ge, 46.20981, 6.14378, French, 22),
    place("Genève", "1202", "Genève", 6621, Ge, 46.22145, 6.13664, French, 16),
    place("Genève", "1203", "Genève", 6621, Ge, 46.20860, 6.12359, French, 10),
    place("Genève", "1204", "Genève", 6621, Ge, 46.20230, 6.14475, French, 28),
    place("Genève", "1205", "Genève", 6621, Ge, 46.19524, 6.14362, French, 18),
    place("Genève", "1206", "Genève", 6621, Ge, 46.18718, 6.15879, French, 12),
    place("Genève", "1207", "Genève", 6621, Ge, 46.20545, 6.16359, French, 16),
    place("Genève", "1208", "Genève", 6621, Ge, 46.19858, 6.16542, French, 10),
    place("Carouge GE", "1227", "Carouge (GE)", 6608, Ge, 46.17960, 6.14237, French, 14),
    place("Meyrin", "1217", "Meyrin", 6630, Ge, 46.23338, 6.07235, French, 10),
    place("Vernier", "1214", "Vernier", 6643, Ge, 46.21338, 6.08089, French, 6),
    place("Petit-Lancy", "1213", "Lancy", 6628, Ge, 46.19305, 6.11577, French, 6),
    place("Grand-Lancy", "1212", "Lancy", 6628, Ge, 46.17739, 6.12102, French, 8),
    place("Plan-les-Ouates", "1228", "Plan-les-Ouates", 6633, Ge, 46.16421, 6.11819, French, 10),
    place("Le Grand-Saconnex", "1218", "Le Grand-Saconnex", 6623, Ge, 46.23497, 6.12191, French, 6),
    place("Versoix", "1290", "Versoix", 6644, Ge, 46.29392, 6.14914, French, 5),
    place("Thônex", "1226", "Thônex", 6640, Ge, 46.19520, 6.20800, French, 5),
    place("Chêne-Bourg", "1225", "Chêne-Bourg", 6613, Ge, 46.19521, 6.19525, French, 4),
    place("Châtelaine", "1219", "Vernier", 6643, Ge, 46.21222, 6.10973, French, 5),
    place("Cologny", "1223", "Cologny", 6617, Ge, 46.21616, 6.18536, French, 4),
    place("Delémont", "2800", "Delémont", 6711, Ju, 47.36893, 7.33244, French, 9),
    place("Porrentruy", "2900", "Porrentruy", 6800, Ju, 47.42063, 7.06861, French, 6),
    place("Saignelégier", "2350", "Saignelégier", 6757, Ju, 47.24586, 7.02791, French, 2),
    place("Courroux", "2822", "Courroux", 6709, Ju, 47.36620, 7.38125, French, 2),
];
