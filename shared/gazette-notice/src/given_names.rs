//! Common given names, used to distinguish `Hans Muster` from `Muster Hans`.

use std::sync::LazyLock;

use crate::word_hash::WordSet;

/// The names, in lower case, separated by white space.
const GIVEN: &str = "abdul adalbert adele adelheid adelina adem adil adina admir adnan adrian adriana adrien aferdita afrim agim agnes \
agnese agnieszka agostino agron ahmed ahmet aida aimé aisha alain alban albana albert alberto albin albina aldo \
aleksandar aleksandra alen alessandra alessandro alessio alex alexander alexandra alexandre alexia alexis alfons \
alfonso alfred alfredo ali alice alicia alida aline alison aliénor alma alois altin alwin amadou amalia amanda ambros \
amelia amin amina aminata amir amra amélie ana anabel anabela anais anastasia anastasios anatole anaïs andjela andrea \
andreas andreia andrej andres andrin andrzej andré andrée aneta angela angele angelika angelo angèle angélique anic \
anina anisa anita anja anka ann anna annabelle annalena annalisa anne annelies anneliese annemarie annette annie \
annika annina anouk ansgar anthony antje antoine antoinette anton antonella antonino antonio antónio apolline \
apollonia arben ardian ariane arianit arianna aristide arlette armand armando armelle armin arnaud arno arnold arsim \
artan artem arthur artin arturo asif asim aslan asllan asmir assunta astou astrid astrit athina attila august augusta \
auguste augustin augusto aurel aurelia aurelio aurore aurèle aurélie avni axel axelle ayse aziz babette balthasar \
baptiste barbara barbora bartholomé bashir bashkim basil basile bastian bastien beat beata beatrice beatrix bedri \
behar bekim benedikt beni benito benjamin benno benoit benoît berat berit bernadette bernard bernhard berta bertha \
berthe bertrand besnik betim bettina biagio bianca birgit blaise blanche blerim blerta bojan boris branko brenda brian \
brice brigitte bruce bruna bruno bujar burak burim burkhard béatrice camille carina carl carla carlo carlos carlotta \
carmela carmen carmine carole carolina caroline carsten casimir caspar catarina caterina catherine cecile cecilia \
celia cesare chaim chantal charles charlotte cheikh chiara chloé christa christel christelle christen christian \
christiane christina christine christof christoph christophe christy cindy cinzia ciro claas claire clara claude \
claudia claudine claudio clelia clementina clotilde clémence clément colette concetta conrad coralie corina corinna \
corinne cornelia corrado cosima cosimo costanza cristian cristiano cristina cyril cyrill cyrille cyrus cécile cédric \
céline dagmar daisy dalia damaris damian damiano damien damir dana daniel daniela daniele danielle danijel danilo \
danièle danny danuta daphné dario darko david davide davor debora deborah dejan delia delphine denis denisa denise \
deniz denny derya desiree desirée detlef diana diane didier diego dieter dietmar dietrich dilan dimitri dimitrios dina \
dino djamila dolores domenica domenico dominic dominik dominique donat donato dora doreen doriana doris dorothea \
dorothy dorothée dragan dragana drita dritan duarte duccio dusan désiré edgar edgard edi edina edita edith edmilson \
edmond edmund edoardo edouard eduard edwige edwin egon egzon eileen elena eleonora eliana eliane elias elio eliott \
elisa elisabeth elisabetta elke elmar elmira elodie eloise eloïse elsa elsbeth elvira elvis emanuel emanuela emanuele \
emerenzia emil emilia emiliano emilie emilien emilio emin emina emira emma emmanuel endrit enea engelbert enis ennio \
enrica enrico enver enzo erald ercan ercole erdem eric erica erich erik erika erjon ermanno erna ernesto ernst ersin \
erwan erwin esad esra estefania estelle esther etienne eugen eugenia eugenio eugène eugénie eulalia eva evelina \
eveline evelyn evelyne ewald fabia fabian fabiana fabien fabienne fabio fabiola fabrice fabrizia fabrizio fadil faouzi \
farid faruk fatiha fatima fatma fatmir fatmire faton fatos fausto faysal federico felicitas felipe felix ferdi \
ferdinand ferenc fernand fernanda fernando ferruccio feti fevzi fidan filip filipa filippo filomena fiona fiorenza \
flamur flavia flavien flavienne flavio flora florence florent florian florim flurin flurina fortunato franca francesc \
francesca francesco francine francis franck franco franjo frank franz franziska françois françoise fred freddy \
frederic frederik fredy frida fridolin frieda friedrich fritz frédéric fulvio furio félicien félicité félix gabriel \
gabriela gabriele gabrielle gaby gaetano gallus gani gaspard gaston gaétan gaël gaëlle genc genevieve geneviève \
gennaro geoffrey georg georges gerardo gerda gerhard gerlinde germain germaine germano gertrud gertrude ghislain \
ghislaine giacomo gian gianfranco gianluca gianmarco gianna gianni gianpaolo gianpiero gilbert gilberte gilles gina \
gino gion giordano giorgia giorgio giovanna giovanni gisela gisèle giulia giuliana giuliano giulio giuseppe giuseppina \
gladys gloria godefroy gonzalo gonçalo goran gottfried graham grazia graziano graziella greg gregor gregory greta \
griselda grégoire grégory gudrun guido guillaume guillermina guillermo gunnar gustav gustave gustavo guy gérald \
géraldine gérard günter hajar hakim halil halim hamid hamza hana hanna hannelore hannes hanni hans hansjörg hanspeter \
hansruedi harald haris harry hasan hassan hatice hatidza hector hedwig heidi heike heinrich heinz hekuran helder helen \
helena helene helga helmut helmuth hendrik henri henriette henrique henry herbert hermann hermine hervé hilda hilde \
hildegard horst hubert hubertus hugh hugo hugues huguette humbert husein hélder hélène hüseyin ian ibrahim ibrahima \
ida idriz ignace ignaz ignazio igor ilaria ilario ilda ilija ilir ilona ilse imer imran ina indira ines inge ingeborg \
ingo ingrid inês ioana ioannis irena irene irina iris irma irvin irène isa isaac isabel isabella isabelle isak isaline \
isidor ismail ismaël ismet israel istvan itziar iva ivan ivana ivano ivo ivone ivonne jacek jacob jacqueline jacques \
jadranka jakob jakub james jamila jan jana janick janine janis janko jannick jannis jaqueline jaroslav jasmin jasmina \
jasmine jasna jason javier jean jeanne jeannette jeannine jeffrey jelena jennifer jenny jens jeremias jeremy jerôme \
jessica jessika jetmir jill jim jimmy joachim joan joana joanna joao joaquim joaquín jochen joel joelle johann johanna \
johannes john johnny jolanda jon jonas jonathan jordan jorge jose josef josefina josefine joseline joseph josephine \
josette josiane josip josua josé joséphine joy joyce jozef joël joëlle juan judit judith juergen jules julia juliana \
juliane julianne julie julien juliette julio julius julián justine jutta jérémie jérémy jérôme jörg jürg jürgen kadir \
kai kamal karen karim karin karina karl karola karoline karsten kasimir kaspar katarina katarzyna kate katharina \
katharine kathleen kathrin kathrine kathy katia katica katja katrin kaya kemal kenan kenneth kerstin kevin kilian \
kirsten klara klaudia klaus klemens kléber konrad korab krenar kreshnik kristian kristina krzysztof kurt kushtrim \
ladina ladislav laetitia laila lamine lara larissa lars lasse laszlo laura laure laurence laurent laurie laurène \
lavinia lea leandra leandro leif leila lejla lena lenka leo leonardo leonhard leonie leonora leontine leopold leyla \
lia liam liane liburn lidia lidija lilian liliana liliane lilly lily lina linda lino lionel lirim lisa lisbeth \
liselotte livia loana loredana lorella lorena lorenz lorenzo lorette loris lothar lotti louis louisa louise loïc loïs \
luan luana luc luca lucas lucia luciana luciano lucie lucien lucienne lucile lucio lucrezia lucy ludmila ludovic \
ludovica ludwig luigi luigia luis luisa luisella lukas luljeta lulzim lumturije luzia luzius lydia lydie lyne léa léo \
léon léonard léonie léopold maddalena madeleine madlaina mafalda magali magdalena magdalene mahmoud maik maira maja \
malgorzata malika mamadou mandy manfred manfredo manon manuel manuela manuele mara marc marcel marcela marceline \
marcelino marcelle marcelline marcello marcia marcin marco marcus marek margaretha margarita margaux margherita margot \
margret margrethe margrit margrith marguerite maria mariam mariana marianne mariano marie mariella marijana marika \
marilena marina marinette marino mario marion marisa marjan marjorie marko markus marlene marlies marlis marlène marta \
martha martin martina martine martino maryline marylène maryse mascha massimiliano massimo matej mateo mathias mathieu \
mathilda mathilde mathis matteo matthew matthias matthieu matthäus mattia mattias mattéo maud maurice maurizio mauro \
maurus max maxence maxim maxime maximilian maya mayra maïté medina mehdi mehmet meinrad melanie melanija melchior \
melinda melissa mensur mentor meret merlin mersiha mesut metin mevlida micaela michael michaela michal michaël michel \
michela michele michelle michèle mick miguel mihai mika milan milena milica miljana milos mimoza mina minh miodrag \
mira miranda mirella miriam mirjam mirjana mirjeta mirko mirsad mirza mladen moana mohamed mohammed moira mona monica \
monika monique morena moreno morgane moritz mounir mourad moïse muhamed muhammed muharrem murat muriel musa mustafa \
mustapha myriam myrna myrta myrtha médéric mélanie mélissa nabil nada nadia nadine nadja nadège nael naim nando naser \
natacha natale natalia natalie natascha nathalia nathalie nathan nathanael nathanaël nazmi naïm nebojsa neil nello \
nelly nelson nemanja nenad nevio niccolo nicholas nick nico nicodemo nicola nicolai nicolas nicole nicoletta nicolò \
niels nihad nik niklaus niko nikola nikolai nikolaos nils nina noah noe noel noemi nolan nora norbert norma noureddine \
noé noémi noémie noël noëlle nuno nuria octave odette odile olaf oleg olena olga oliver olivia olivier oliviero omar \
ondine oreste oriana orlando ornella osama oscar oskar osman othmane othmar otmar ottavio ottilia ottilie otto ousmane \
pablo pamela paola paolo paride pascal pascale pascaline pasquale patric patrice patricia patrick patrik patrizia \
patrizio paul paula paule paulette pauline paulo pavel pedrag pedro peggy pelin pellegrino pero perrine petar peter \
petra petrit petronella philip philipe philipp philippe pia pierangelo pierluigi piero pierre pietra pietro pina pius \
placido predrag prisca priska prosper quentin quirin rachel radica radmila radovan rafael raffaele rahel rahim raimund \
rainer ralf ralph rama ramadan ramiz ramon ramona raoul raphael raphaela raphaele raphaël rashid raul raymond raïssa \
raúl rebeca rebecca rebekka regina regine regis regula reiner reinhard reinhold rejhan remi remigio remo renaldo \
renata renate renato renaud renzo rené renée reto rexhep reynald rezia ricardo riccardo richard rico rina rino rita \
robert roberta roberto robin rocco rocio rodolfo rodrigo roger roland rolando rolf romain romaine roman romana romano \
romaric romeo romina romuald romy ronald ronny rosa rosalba rosalie rosanna rosaria rosario rosella rosemarie rosmarie \
rossana rossella roswitha roxana roxane ruben rudi rudolf ruedi rufus ruggero rui ruslan ruth régine régis rémi rémy \
rüdiger sabina sabine sabri sabrina sacha sadik safet safia salih salome salomé salvatore samantha sami samir samira \
samuel samuele sandra sandrine sandro sandy sanel sanja santino sara sarah sasa sascha saskia saul saverio saša sead \
sebastian sebastiano sebastián sefer selim selina selma selman semir senad sepp serafin serafina serena serge sergej \
sergio serife servane severin severine severino shaban shana sharon sheila shpend shpresa shqipe sibylle sidonie \
siegfried siegrid sigmund sigrid silas silja silke silva silvan silvana silvano silvia silvie silvio simeon simon \
simona simone simonetta simonne simão sina sinan siro skender slavica slobodan slobodanka sofia sokol solange solène \
sonia sonja sonya sophia sophie soraya stacy stanislas stanislav stefan stefania stefano steffen stela stella stephan \
stephane stephanie stephen stevan steve steven stéphan stéphane stéphanie sulejman sunil susan susana susann susanna \
susanne susi suzanne sven sverre svetlana sybille sylvain sylvana sylvester sylvia sylvie sébastian sébastien séverine \
sílvia tabea tahir tamar tamara tamás tancredi tania tanja tarek tatiana tatjana tea ted telma telmo teo teodoro \
teresa teresina terry tessa teuta thaddäus thea theo theobald theodor theres theresa therese theresia thibaud thibault \
thierry thomas théo théodore thérèse tiago tiberio tibor tilda till tilo tim timo timon timothée tina tino titus \
tiziana tiziano tobias tom tomas tomasz tommaso tommy toni tonia tony torsten tosca traude tristan trudi tullio ubaldo \
ueli ugo ulla ulrich ulrike ulysse umberto umut urbain urban urs ursin ursina ursula ute uwe vahid valbona valentin \
valentina valentine valentino valeria valerie valerio valmir valon valère valérian valérie vanda vanessa vasco vasile \
vedat vera verena veronika verónica vesna vianney victor victoria vidal viktor viktoria vilma vincent vincenz vincenza \
vincenzo viola violeta violetta viorel virgile virginia virginie virginio vito vittoria vittorio vivian viviane vivien \
vjollca vjosa vladimir vlado volker vreni véra véronique walburga waldemar walter walther waltraud wanda wendelin \
werner wilfred wilfried wilhelm wilhelmina willi william willy wilma wim winfried wolfgang xaver xavier xenia xhevdet \
yael yann yannick yannis yasmin yasmina yasmine yassin ylli yohan yolanda yolande youssef yuri yusuf yvan yves yvette \
yvo yvonne zahra zaira zana zarife zdenka zeljko zita zlatko zora zoran zorica zouhair zoé zsolt zuhal zuzana zvonimir \
zélie álvaro édouard élisabeth élodie émilie éric étienne";

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
