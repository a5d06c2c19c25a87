//! Common given names, used to distinguish `Hans Muster` from `Muster Hans`.

use std::sync::LazyLock;

use crate::word_hash::WordSet;

/// The names, in lower case, separated by white space.
const GIVEN: &str = "abdul adelheid adem admir adnan adrian adriana adrien afrim agim agnes agnieszka agron ahmed ahmet aisha alain alban \
albana albert alberto albin albina aldo alen alessandra alessandro alex alexander alexandra alexandre alexia alexis \
alfons alfred alice alicia aline alma alois amanda amir amra amélie ana anabela anais anastasia anaïs andrea andreas \
andreia andrej andres andrzej andré andrée aneta angela angelika angelo angélique anita anja anka ann anna anne \
annelies anneliese annemarie annette annie anouk anthony antoine antoinette anton antonella antonio antónio apolline \
arben ariane arianna armando armin arnaud arsim artan arthur arturo asim astrid astrit attila august augusto aurelia \
aurelio aurore aurélie axel baptiste barbara bashkim bastien beat beatrice beatrix bekim benedikt benjamin benoît \
bernadette bernard bernhard bertrand bettina brigitte bruna bruno bujar burim béatrice camille carina carla carlo \
carlos carmen carole carolina caroline catherine chantal charles charlotte chiara chloé christa christel christelle \
christian christiane christina christine christof christoph christophe ciro claire clara claude claudia claudine \
claudio clelia clementina clémence coralie corinne cornelia cosimo cristian cristiano cristina cyril cyrill cécile \
cédric céline dagmar daisy dalia damian damien daniel daniela daniele danielle danijel danilo danièle dario darko \
david davide dejan delphine denis denisa denise desirée detlef diana didier diego dieter dimitri dino dominic dominik \
dominique donato doriana doris dorothea dragan dragana dritan duarte duccio edgar edi edina edith edmond edoardo \
edouard eduard edwin egon elena eleonora eliana eliane elias elio elisa elisabeth elisabetta elke elmar elsa elsbeth \
elvira emanuel emanuela emil emilia emilie emilio emina emma emmanuel enis enrico enver enzo erald eric erica erich \
erik erika erjon ermanno ernesto ernst ersin erwin estelle esther eugen eugenio eugène eva evelina eveline evelyn \
fabian fabiana fabien fabienne fabio fabiola fabrice fabrizio fadil faruk fatima fatmir fatos federico felicitas felix \
ferdinand fernanda fernando filippo fiona fiorenza flamur flavia flavio flora florence florent florian florim \
fortunato francesca francesco francine francis franco frank franz françois françoise fredy frida friedrich fritz \
frédéric fulvio félix gabriel gabriela gabriele gabrielle gaston gaël gaëlle georg georges gerda gerhard germano \
gertrud ghislain ghislaine giacomo gian gianfranco gianluca gianmarco gianni gilbert gilles gina gino giorgia giorgio \
giovanni gisela gisèle giulia giuliana giuliano giulio giuseppe goran gottfried grazia graziano graziella gregor greta \
grégoire guido guillaume guillermo gustav guy gérald géraldine gérard günter hana hannes hans hansjörg hanspeter \
hansruedi hasan hatice hedwig heidi heike heinrich heinz helen helena helene helga helmut henri henrique herbert \
hermann hervé hildegard hubert hugo huguette hélène ibrahim ida ignazio igor ilaria ilir ilona imer ines ingo ingrid \
inês ioana irena irene iris irma irène isabel isabella isabelle isidor ismail ivan ivana ivano ivo jacob jacqueline \
jacques jadranka jakob jan jana janine janko jannick jasmin jasmina jasmine javier jean jeanne jeannette jelena jens \
jeremias jessica jetmir joachim joana joanna joao joaquim jochen joelle johann johanna johannes jolanda jonas jonathan \
jordan jorge jose josef josefina joseph josephine josiane josip josua josé joséphine joël joëlle juan judit judith \
jules julia juliana juliane julie julien juliette justine jérémie jérémy jérôme jörg jürg jürgen kai karim karin \
karina karl karoline kaspar katarina katharina kathleen kathrin katja katrin kemal kevin kilian klara klaus konrad \
kristian kristina kurt lara larissa lars laura laure laurence laurent lea leandro leila lejla lena leo leonardo leonie \
leonora liam liliana liliane lina linda lino lionel lisa livia loredana lorella lorena lorenz lorenzo loris louis \
louise loïc luc luca lucas lucia luciana luciano lucie lucrezia ludovic ludwig luigi luis luisa lukas lulzim luzia \
lydia lydie léa léon léonie madeleine madlaina magali magdalena maik maja malgorzata manfred manuel manuela mara marc \
marcel marcela marcelle marcello marcin marco marcus margarita margherita margrethe margrit margrith maria marianne \
marie marika marina marino mario marion marisa marko markus marlies marlis marlène marta martha martin martina martine \
mascha massimo matej mathias mathieu mathilde mathis matteo matthias mattia maurice maurizio mauro maurus max maxime \
maya mehmet melanie melinda melissa mentor meret micaela michael michaela michal michel michele michelle michèle \
miguel mihai mika milan milena milos mina mira miranda mirella mirjam mirjana mirko mirsad mohamed monica monika \
monique morena moreno moritz muhamed murat mustafa myriam mélanie nadia nadine nadège naim nando naser natalia natalie \
natascha nathalie nathan nathanaël naïm nebojsa nello nelly nenad nevio nicola nicolai nicolas nicole nicoletta nicolò \
niels niklaus nikola nils nina noah noel nora norbert norma noémie noël nuno nuria olga oliver olivier oliviero oriana \
orlando oscar oskar osman othmar otmar ottavio otto pablo pamela paola paolo pascal pascale pasquale patric patricia \
patrick patrik patrizia patrizio paul paula paulo pedro pelin pero petar peter petra philip philipp philippe pia \
pierangelo pierluigi piero pierre pietro pius priska quentin rachel rafael raffaele rahel raimund rainer ralf ralph \
ramiz ramona raoul raphael raphaël raymond rebecca rebekka regina regis regula reinhard remigio remo renata renate \
renato renaud renzo rené renée reto rezia ricardo riccardo richard rico rina rino rita robert roberta roberto robin \
rocco rodolfo rodrigo roger roland rolando rolf romain roman romeo romy rosa rosanna rosario rosemarie rosmarie \
rossana roswitha rudolf ruedi rui ruth régine régis sabina sabine sabri sabrina sacha safet samir samira samuel \
samuele sandra sandro sanja sara sarah sasa sascha saverio sebastian sebastiano selim selina sepp serena serge sergej \
sergio severin severine shpend shqipe sibylle sigrid silja silva silvan silvia silvio simon simona simone simonetta \
sina slavica slobodan sofia sokol solange sonia sonja sophia sophie stanislav stefan stefania stefano stela stephan \
stephanie steve steven stéphane stéphanie sulejman susanna susanne suzanne sven svetlana sylvain sylvia sylvie \
sébastien séverine sílvia tamara tamás tania tanja tatiana tatjana telma teodoro teresa thea theo theodor theres \
theresa therese theresia thierry thomas thérèse tiago tibor till tim timo timothée tina tino tiziana tiziano tobias \
tom tomas tomasz tommaso toni tony tristan ubaldo ueli ugo ulrich umberto urban urs ursula ute valbona valentin \
valentina valentine valeria valerio valon valérie vanessa vasco vedat vera verena veronika verónica victor viktor \
vincent vincenzo viola violeta violetta virginia virginie vito vittoria vittorio vivian viviane vjosa vladimir vlado \
vreni véronique walburga walter wanda wendelin werner wilhelm willi willy wolfgang xaver xavier yann yannick ylli \
yolanda yvan yves yvette yvonne zana zdenka zeljko zoran zorica zoé zuzana álvaro édouard élisabeth élodie émilie éric";

/// Whether the word, or the first of its hyphenated parts, is a common given name.
pub(super) fn is_given_name(word: &str) -> bool {
    let first = word.split('-').next().unwrap_or_default();
    GIVEN_NAMES.contains(first)
        // Names are rarely written in any other way.
        || (first.chars().nth(1).is_some_and(char::is_uppercase)
            && GIVEN_NAMES.contains(first.to_lowercase().as_str()))
}

/// The names in lower case, and with a capital letter.
static GIVEN_NAMES: LazyLock<WordSet> = LazyLock::new(|| {
    let names = GIVEN.split_ascii_whitespace();
    let capitalised = CAPITALISED.split_ascii_whitespace();
    names.chain(capitalised).collect()
});

static CAPITALISED: LazyLock<String> = LazyLock::new(|| {
    let capitalised = GIVEN.split_ascii_whitespace().map(|name| {
        let mut letters = name.chars();
        let first = letters.next().map(|it| it.to_uppercase().to_string()).unwrap_or_default();
        first + letters.as_str()
    });
    capitalised.collect::<Vec<_>>().join(" ")
});

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn first_part_of_hyphenated_name_decides() {
        assert!(
            is_given_name("Jean-Claude") && is_given_name("ÉLODIE") && !is_given_name("Muster")
        );
    }
}
