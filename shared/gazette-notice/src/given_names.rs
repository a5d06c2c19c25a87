//! Common given names, used to distinguish `Hans Muster` from `Muster Hans`.

/// The names, in lower case, separated by white space.
const GIVEN: &str = "adelheid adrian adriana adrien agnes alain albert alberto alessandra alessandro alex \
alexander alexandra alexandre alfons alfred alice alois amélie andré andrea andreas andrée andres angela angelo \
anita ann anna anne anneliese annemarie annette annie anton antoine antonella antonio armin arnaud arthur astrid \
aurélie barbara bastien beat beatrice béatrice beatrix benedikt benjamin benoît bernadette bernard bernhard bertrand \
bettina brigitte bruno camille carla carlo carmen carole caroline catherine cécile céline chantal charles charlotte \
chiara christa christian christiane christina christine christof christoph christophe claire claude claudia claudine \
claudio clémence corinne cornelia cyril cyrill damian damien daniel daniela daniele danièle danielle dario david davide \
denis denise diana didier dieter dominic dominik dominique donato doris dorothea edgar edith eduard edwin eliane elio \
elisabeth élisabeth élodie elsbeth emanuel emil emma emmanuel enrico enzo eric éric erica erich erik erika ernst erwin \
esther eugen eva evelyn eveline fabian fabien fabienne fabio fabrice federico felix ferdinand filippo flavio florence \
florian françois françoise francesca francesco francine francis franco frank franz frédéric fredy friedrich fritz gabriel \
gabriela gabriele gabrielle gaston georg georges gérald gérard gerhard gertrud ghislaine giacomo gian gianni gilbert gilles \
giorgio giovanni gisela giuseppe gottfried grégoire gregor guido guillaume günter guy hannes hans hansjörg hanspeter \
hansruedi heidi heinrich heinz helen helena helene hélène helmut henri herbert hermann hervé hildegard hubert hugo huguette \
igor ingrid irene irène iris isabel isabella isabelle ivan ivo jacob jacqueline jacques jakob jan janine jasmin jean \
jeanne jeannette jérôme jessica joachim joao joël johann johanna johannes jonas jonathan jörg jose josé josef joseph \
josiane judith julia julie julien jürg jürgen karin karl kathrin katharina katja klaus kurt lara larissa laura laurence \
laurent léa lena léon leo leonardo liliane lino lisa livia lorenz lorenzo louis luc luca lucas lucia lucie ludovic \
ludwig luigi luis lukas lydia madeleine maja manfred manuel manuela marc marcel marcello marco marcus margrit margrith \
maria marianne marie mario marion markus marlène marlies marlis martha martin martina martine massimo mathias mathieu \
matteo matthias maurice mauro max maxime maya melanie mélanie michael michaela michel michele michèle michelle mirjam \
monica monika monique moritz myriam nadia nadine natalia natalie nathalie nicola nicolas nicole niklaus noah nora norbert \
nuno olivier oscar oskar othmar otto paola paolo pascal pascale patric patricia patrick patrik paul paula paulo pedro \
peter petra philip philipp philippe pia pierre pius quentin rachel rafael raffaele ralf ralph raoul raphael raphaël \
raymond regina régine regula reinhard remo renata renate renato rené renée renzo reto ricardo riccardo richard rico rita \
robert roberta roberto robin roger roland rolf romain roman romeo romy rosa rosmarie roswitha rudolf ruedi ruth sabina \
sabine sabrina samuel sandra sandro sara sarah sébastien sebastian sepp serge sergio severin sibylle silvan silvia silvio \
simon simone simonetta sonia sonja sophie stefan stefania stefano stephan stephanie stéphane stéphanie steve steven susanna \
susanne suzanne sven sylvain sylvia sylvie tamara tania tanja teresa theo theodor theres theresa therese thérèse theresia \
thierry thomas tiziana tobias tommaso toni ulrich urban urs ursula ueli valentin valentina valérie valerio vanessa verena \
véronique veronika victor viktor vincent vincenzo virginie vittorio vreni walter werner wilhelm willi willy wolfgang xavier \
yann yannick yolanda yves yvette yvonne";

/// Whether the word, or the first of its hyphenated parts, is a common given name.
pub(super) fn is_given_name(word: &str) -> bool {
    let lower = word.to_lowercase();
    let first = lower.split('-').next().unwrap_or_default();
    GIVEN_NAMES.contains(first)
}

static GIVEN_NAMES: std::sync::LazyLock<std::collections::HashSet<&str>> =
    std::sync::LazyLock::new(|| GIVEN.split_ascii_whitespace().collect());

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
