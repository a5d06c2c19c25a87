//! Common given names, used to distinguish `Hans Muster` from `Muster Hans`.

use std::sync::LazyLock;

use crate::word_hash::WordSet;

/// The names, in lower case, separated by white space.
const GIVEN: &str = "aarón abdul abdülkadir abeba abrehet adalbert adele adelheid adelina adem adil adina adisa admir \
admira adnan adolfo adrian adriana adrien aferdita afewerki afrim afërdita agim agnes agnese agnieszka agostino agron \
agustín ahmed ahmet aida aimé aisha aitor ajla alain alban albana albert alberto albin albina albion albulena aldo \
alejandra alejandro aleksandar aleksandr aleksandra alen alessandra alessandro alessio alex alexander alexandra \
alexandre alexandrina alexia alexis alfons alfonso alfred alfredo alganesh ali alice alicia alida alija aline alison \
aliénor alma almaz almedina almir alois alpaslan altin alwin amadou amalia amanda amanuel ambros amela amelia amin \
amina aminata amir amra amélia amélie américo ana anabel anabela anais anastasia anastasios anatole anaïs andjela \
andrea andreas andreia andrej andres andrin andrzej andré andrée andrés aneta angela angele angelika angelo angèle \
angélique anic anina anisa anita anja anka ann anna annabelle annalena annalisa anne anneke annelies anneliese \
annemarie annemieke annette annie annika annina anouk ansgar anthony antje antoine antoinette anton antonella antonino \
antonio antónia antónio aníbal anđela apolline apollonia aravinthan arben arbnor arbnora arbër ardian ardit ardita \
argjend ariane arianit arianna aristide arjen arjeta arlette arlind armand armando armelle armend armin armindo arnaud \
arno arnold arsim artan artem arthur artin artur arturo arzu asif asim aslan asllan aslı asmerom asmir assunta aster \
astou astri astrid astrit athina atilla attila august augusta auguste augustin augusto aurel aurelia aurelio aurore \
aurèle aurélie avdyl avni awet axel axelle aygül aylin aynur ayse ayten ayşe azem aziz azra babette balthasar baptiste \
barbara barbora bardh bardha bartholomé bartosz bashir bashkim basil basile bastian bastien beat beata beatrice \
beatrix beatriz bedia bedri begoña behar behxhet bekim bekir belmiro benedikt beni benito benjamin benno benoit benoît \
berat bereket berit berk berkay bernadette bernard bernardo bernhard bersant berta bertha berthe bertrand besart \
besfort besian besim besime besnik betim bettina betül biagio bianca biljana biniam birgit birol björn blagoje blaise \
blanche bleona blerim blerina bleron blerta blertë bogdan bojan boris bożena božidar bram branislav branislava branka \
branko bratislav brenda brhane brian brice brigitte brikena bruce bruna bruno brígida bujar burak burcu burhan burim \
burkhard butrint béatrice bülent camila camille canan carina carl carla carlo carlos carlotta carmela carmelo carmen \
carmine carole carolina caroline carsten casimir caspar casper catarina caterina catherine cecile cecilia celia cemal \
cengiz cesare ceyda chaim chantal charles charlotte cheikh chiara chloé christa christel christelle christen christian \
christiane christina christine christof christoph christophe christy cihan cindy cinzia ciro claas claire clara \
clarisse claude claudia claudine claudio clelia clementina clotilde cláudia cláudio clémence clément colette \
concepción concetta conrad consuelo coralie corina corinna corinne cornelia cornelis corrado cosima cosimo costanza \
cristian cristiano cristina cristóbal cristóvão custódia cyril cyrill cyrille cyrus cármen cátia cândida cécile cédric \
célia céline césar daan dagmar daisy dalia dalibor damaris damian damiano damien damir dana danica daniel daniela \
daniele danielle danijel danilo danièle danny danuta daphné darija dario dariusz darko david davide davor davut dawit \
debora deborah dejan dejana delfina delia delphine denis denisa denise deniz denny deolinda derya desiree desirée \
detlef diana diane didier diego dieter dietmar dietrich dijana dilan dilara dilek dimitri dimitrios dina dino diogo \
djamila dolores domenica domenico dominic dominik dominique donat donato donika donjeta dora doreen doriana doris \
dorothea dorothy dorothée dragan dragana dragica dragoljub dragomir dražen draženka drenusha drita dritan driton \
duarte duccio dusan dušan dušanka duško désiré džemal ebru edgar edgard edi edin edina edita edite edith edmilson \
edmond edmund edoardo edon edona edouard eduard eduarda eduardo edvin edwige edwin egon egzon egzona eileen ekrem \
elena eleonora eliana eliane elias elif elin eline elio eliott elisa elisabet elisabeth elisabetta elke ellen elmar \
elmedina elmi elmira elodie eloise eloïse elsa elsbeth elvedin elvir elvira elvis elísio emanuel emanuela emanuele \
emel emerenzia emil emilia emiliano emilie emilien emilio emin emina emine emir emira emma emmanuel emre emília emílio \
encarnación endrit enea enes engelbert engjëll enis ennio enrica enrico enrique enver enzo erald erblin ercan ercole \
erdal erdem erhan eric erica erich erik erika erion erjon erkan ermal ermanno ermelinda ermias ermin ermira erna \
ernesto ernst erol ersan ersin erwan erwin esad esat esin esma esmeralda esra estefania estelle esther etienne eugen \
eugenia eugenio eugène eugénie eulalia eusébio eva evelina eveline evelyn evelyne ewa ewald eyasu eyob eşref fabia \
fabian fabiana fabien fabienne fabio fabiola fabrice fabrizia fabrizio fadil fadime fahri faouzi farid faruk fatbardha \
fatih fatiha fatima fatime fatlum fatma fatmir fatmire faton fatos fatoş fausto faysal federico fehmi felicitas felipe \
felix femke ferat ferdi ferdinand ferenc ferhat fermín fernand fernanda fernando fernão ferruccio festim fethi feti \
feven fevzi feyza fidan figen fikre fikret fikri fikrije filip filipa filippo filmon filomena fiona fiorenza fisnik \
flakron flamur flavia flavien flavienne flavio fllanza flora florence florent florian florije florim florin flurin \
flurina flávia flávio fortunato franca francesc francesca francesco francine francis francisca francisco franck franco \
franjo frank frans franz franziska françois françoise fred freddy frederic frederik fredrik fredy freek freweini frida \
fridolin frieda friedrich fritz frédéric fulvio furio fábio fátima félicien félicité félix gabriel gabriela gabriele \
gabrielle gaby gaetano gallus gamze ganesh gani gaspard gaston gazmend gaétan gaël gaëlle geert genc genevieve \
geneviève gennaro gentian gentiana geoffrey georg georges gerardo gerda gerhard gerlinde germain germaine germano \
gerrit gertrud gertrude ghebrehiwet ghirmay ghislain ghislaine giacomo gian gianfranco gianluca gianmarco gianna \
gianni gianpaolo gianpiero gijs gilbert gilberte gilles gina gino gion giordano giorgia giorgio giovanna giovanni \
girmay gisela gisèle gitte giulia giuliana giuliano giulio giuseppe giuseppina gizem gladys gloria godefroy gonzalo \
gonçalo goran goranka gordana gottfried gracinda graham grazia graziano graziella grażyna greg gregor gregory greta \
griselda grzegorz grégoire grégory gudrun guido guilherme guilhermina guillaume guillermina guillermo gunilla gunnar \
gustav gustave gustavo guy gzim gérald géraldine gérard gëzim gökhan gülay gülcan güler gülsüm gülten günter gürkan \
habip habtom hacer hadas hajar hajdin hajrije hajrullah hakan hakim halide halil halim halime halit haluk hamdi hamid \
hamza hana hande hanife hanna hanneke hannelore hannes hanni hans hansjörg hanspeter hansruedi harald haris harry \
hasan hashim hassan hatice hatidza havva hayriye hector hedwig heidi heike heinrich heinz heitor hekuran helder helen \
helena helene helga helmut helmuth hendrik henk henri henriette henrique henry herbert hermann hermine hermínia \
hermínio hernâni hervé hidayet hilda hilde hildegard horst hrvoje hubert hubertus hugh hugo hugues huguette humbert \
husein husnija hyrije hysen hélder hélène hülya hüseyin hüsnü ian ibrahim ibrahima ida idalina idriz idália ignace \
ignacio ignaz ignazio igor ihsan ilaria ilario ilda ilhan ilija ilir ilirjana ilkay ilker ilknur ilona ilse imer imran \
ina indira ineke ines inge ingeborg ingo ingrid inmaculada inês ioana ioannis irena irene irina iris irma irvin irène \
isa isaac isabel isabella isabelle isak isaline isaura isidor isidoro isidro ismail ismaël ismet israel istvan itziar \
iva ivan ivana ivano ivica ivo ivone ivonne iwona izet işıl jaap jacek jacinta jacob jacobo jacobus jacqueline jacques \
jadran jadranka jakob jakub james jamila jan jana janick janine janis janko jannick jannis jaqueline jaroslav jarosław \
jasenka jasmin jasmina jasmine jasna jason javier jean jeanne jeannette jeannine jeffrey jegan jehona jelena jennifer \
jenny jens jeremias jeremy jeroen jerónimo jerôme jesper jessica jessika jesús jetmir jeton jill jim jimmy jiří \
joachim joan joana joanna joao joaquim joaquina joaquín jochen joel joelle johan johann johanna johannes john johnny \
jolanda jolanta jon jonas jonathan joost jordan jorge joris jose josef josefa josefina josefine joseline joseph \
josephine josette josiane josip josua josé joséphine jovan jovana jovica jovo joy joyce jozef joão joël joëlle juan \
juana judit judith juergen jules julia juliana juliane julianne julie julien juliette julio julius julián justine \
justyna jusuf jutta jérémie jérémy jérôme jörg jörgen júlia júlio jürg jürgen kadir kadri kadriye kai kaltrina kamal \
kamila karen karim karin karina karl karola karolina karoline karsten karthik kasim kasimir kaspar kastriot katarina \
katarzyna kate katharina katharine kathleen kathrin kathrine kathy katia katica katja katrin kaya kees kemal kenan \
kenneth kerem kerstin kevin keziban kibrom kidist kilian kirsten kirupa klaas klara klaudia klaus klemens kléber koen \
konrad korab koray krenar kreshnik kristian kristin kristina kristoffer krzysztof ksenija kugan kujtim kurt kushtrim \
kübra labinot ladina ladislav laetitia laila lamine lara larissa lars lasse laszlo laura laure laurence laurent laurie \
laurinda laurène lavan lavdim lavinia lea leandra leandro leif leila lejla lemlem lena lenka lennart leo leonardo \
leonhard leonie leonor leonora leontine leopold leopoldo leotrim letebrhan leyla lia liam liane liburn lidia lidija \
lieke lilian liliana liliane lilly lily lina linda lindita linnea lino lionel liridon liridona lirije lirim lisa \
lisbeth liselotte livia ljiljana ljubica ljubo ljubomir ljupčo loana loredana lorella lorena lorenz lorenzo lorette \
loris lothar lotte lotti louis louisa louise loïc loïs luam luan luana luc luca lucas lucia luciana luciano lucie \
lucien lucienne lucile lucio lucrezia lucy ludmila ludovic ludovica ludwig luigi luigia luis luisa luisella lukas \
luljeta lulzim lulëzim lumnije lumturije lurdes luwam luzia luzius luís luísa lydia lydie lyne léa léo léon léonard \
léonie léopold lília lúcia lúcio maarten maartje maciej maddalena madeleine madlaina mafalda magali magda magdalena \
magdalene magnus mahir mahmoud mahmut maik maira maja malgorzata malika mamadou mandy manfred manfredo manolo manon \
manuel manuela manuele mara marc marcel marcela marceline marcelino marcelle marcelline marcello marcia marcin marco \
marcus marek margaretha margarida margarita margaux margherita margot margret margrethe margrit margrith marguerite \
maria mariam mariana marianne mariano marie marieke mariella marija marijan marijana marijke marijo marika marilena \
marina marinette marinko marino mario marion marisa marit mariusz marjan marjorie marko markus marleen marlene marlies \
marlis marlène marta martha martin martina martine martino maryline marylène maryse marília mascha massimiliano \
massimo matej mateo mathan mathias mathieu mathijs mathilda mathilde mathis matija matilde mats matteo matthew \
matthias matthieu matthijs matthäus mattia mattias mattéo maud maurice maurizio mauro maurus maurício max maxence \
maxim maxime maximilian maya mayra mazlum maïté małgorzata mebrahtu medina mehari mehdi mehmet meinrad mejdi mekonen \
melanie melanija melchior melike melinda melissa meltem mensur mentor meral meret mergim merhawi merita merlin meron \
mersad mersiha mert mesut metin mevlida mevlide mevlüt micaela michael michaela michal michaël michał michel michela \
michele michelle michèle mick miguel mihai mika mikael milan milena milenko milica milivoje miljan miljana milorad \
milos milovan miloš milutin mimoza mina minh miodrag mira miranda mirela mirella miriam mirjam mirjana mirjeta mirko \
mirnes miroslav mirosław mirsad mirsada mirvete mirza mladen moana mohamed mohammed mohanraj moira momir mona monica \
monika monique montserrat morena moreno morgane moritz mounir mourad moïse muammer muhamed muhammed muhammet muharrem \
mulugeta munir murat muriel musa musli mussie mustaf mustafa mustapha myriam myrna myrta myrtha márcia márcio márcos \
mário médéric mélanie mélissa mónica mürsel müslüm nabil nada nadia nadine nadja nadège nael naim nando nanna nanthini \
naser natacha natale natalia natalie natascha nataša nathalia nathalie nathan nathanael nathanaël natnael nazan nazif \
nazlı nazmi nazmije naïm nebahat nebojsa nebojša necati necla nedeljko nedžad neil nela nello nelly nelson nemanja \
nenad nermin nermina neslihan nesrin nevena nevin nevio nevzat nexhat nexhmedin nexhmije nezahat niccolo nicholas nick \
nico nicodemo nicola nicolai nicolas nicole nicoletta nicolò niels nienke nihad nihada nihat nijaz nik niklas niklaus \
niko nikola nikolai nikolaos nikolina nilgün nils nilüfer nina nirosha niroshan njomza noah noe noel noemi nolan nora \
norbert norberto norma noureddine noé noélia noémi noémie noël noëlle nuno nuray nurcan nuri nuria nurten nélson obrad \
octave octávio odete odette odile ognjen okan oktay olaf oleg olena olga oliver olivera olivia olivier oliviero olof \
olívia omar ondine ondřej oreste orhan oriana orlanda orlando ornella osama oscar oskar osman othmane othmar otmar \
ottavio ottilia ottilie otto ousmane pablo pajtim palmira paloma pamela paola paolo paride pascal pascale pascaline \
pasquale patric patrice patricia patrick patrik patrizia patrizio patrícia paul paula paule paulette paulina pauline \
paulo pavel pavle paweł pedrag pedro peggy pelin pellegrino perica pero perparim perrine petar peter petra petrit \
petronella petter philip philipe philipp philippe pia pierangelo pierluigi piero pierre piet pieter pietra pietro pina \
piotr pirakash piratheepan pius placido plácido prasanna pratheepan predrag prisca priska prosper purificación \
përparim pınar qamil qendrim quentin quirin qëndrim rachel radica radmila radomir radoslav radovan rafael rafał rafet \
raffaele ragip rahel rahim rahwa raimund raimundo rainer rajan rajeswary rajini ralf ralph rama ramadan ramesh ramiz \
ramon ramona ramón ranko raoul raphael raphaela raphaele raphaël raquel rashid rasmus ratko raul raymond raïssa raúl \
rebeca rebecca rebekka recep refik regina regine regis regula reiner reinhard reinhold rejhan remi remigio remo remzi \
remzija renaldo renata renate renato renaud renzo rené renée reto rexhep reynald rezia ricardo riccardo richard rico \
rifat rina rino rinor rita robel robert roberta roberto robin rocco rocio rocío rodolfo rodrigo roel roger rogério \
roland rolando rolf romain romaine roman romana romano romaric romeo romina romuald romy ronald ronny rosa rosalba \
rosalie rosanna rosaria rosario rosella rosemarie rosmarie rossana rossella roswitha roxana roxane rrahman rrezarta \
rrustem ruben rubén rudi rudolf ruedi rufus ruggero rui ruslan ruth ruud régine régis rémi rémy rúben rüdiger rıza \
sabahattin sabedin sabina sabine sabit sabri sabrina sacha sadete sadik safet safeta safete safia salih salome salomé \
salvatore samantha sami samiel samir samira samra samuel samuele sandra sandrine sandro sandy sanel sanela sanja \
santino sara sarah sasa sascha sasikala sasitharan saskia sathees satheesh saul saverio saša sead sebastian sebastiano \
sebastián seda sedat sefer sejad selahattin selajdin selam selamawit selami selda selim selina selma selman selvete \
selçuk semere semih semir semra senad senada senait senka senthuran sepp serafin serafina serdar serena serge sergej \
sergio serhat serife serkan serpil servane sevda sevdije severin severine severino sevgi sevgül sevim seyit sezai \
shaban shaip shana shanthi sharon shefqet sheila shemsi shemsije shkelqim shkumbin shkëlqim shpejtim shpend shpresa \
shpresim shqipe shukri shukrije sibel sibylle sidonie siegfried siegrid sigmund sigrid silas silja silke silva silvan \
silvana silvano silvia silvie silvio simeon simon simona simone simonetta simonne simret simão sina sinan sinem siro \
sjoerd skender skënder slaven slavica slavko slađan slađana slobodan slobodanka smilja snežana sofia sofie sokol \
solange solène soner songül sonia sonja sonya sophia sophie soraya spasoje sreten srđan stacy stanislas stanislav \
stanisław stanka stanko stefan stefania stefano steffen stela stella stephan stephane stephanie stephen stevan steve \
steven stijn stipe stjepan stojan stéphan stéphane stéphanie suad suada suat sugan suganthan sugirtha sujatha sulejman \
sundar sunil suresh susan susana susann susanna susanne susi sutharsan suzana suzanne sven sverre svetislav svetlana \
sybille sylejman sylvain sylvana sylvester sylvia sylvie sylwia sébastian sébastien sérgio séverine sílvia sónia søren \
süleyman sławomir tabea tadeusz tahir tahsin tamar tamara tamás tancredi taner tania tanja tarek tarık tatiana tatjana \
tayfun tea ted tedros tefik teklit telma telmo temesgen teo teodoro teresa teresina terry tesfalem tesfamariam tess \
tessa teun teuta tevfik teófilo thaddäus tharani thayalan thea theo theobald theodoor theodor theres theresa therese \
theresia thibaud thibault thierry thijs thomas thusyanthan théo théodore thérèse tiago tiberio tibor tihana tihomir \
tijana tijs tilda till tilo tim timo timon timothée tina tino titus tiziana tiziano tobias tolga tom tomas tomasz \
tomislav tommaso tommy tomás tomáš toni tonia tony torben torsten tosca traude tristan trudi tsehay tsige tullio \
tuncay tuğba tülay türkan ubaldo ueli ugo ulla ulrich ulrika ulrike ulysse umashankar umberto umut urbain urban urs \
ursin ursina ursula urszula usha ute uwe uğur vahap vahid vahit valbona valdemar valdete valdrin valentin valentina \
valentine valentino valeria valerie valerio valmir valon valère valérian valérie vanda vanessa vasanthan vasanthi \
vasco vasile vedat vedran vehbi velimir vera veronika verónica vesel veselin vesna veton veysel vianney victor \
victoria vidal vidoje vijay viktor viktoria vilma vimal vincent vincenz vincenza vincenzo vinko vinoth viola violeta \
violetta viorel virgile virginia virginie virginio visar vito vittoria vittorio vivian viviane vivien višnja vjollca \
vjosa vladan vladica vladimir vlado vlatko vlora vojislav volkan volker vreni václav véra véronique víctor vítor \
walburga waldemar walter walther waltraud wanda wendelin werner wiesław wietse wilfred wilfried wilhelm wilhelmina \
willem willemijn willi william willy wilma wim winfried winta wojciech wolfgang wout wouter xaver xavier xenia xhavit \
xhemail xhemal xhevahire xhevat xhevdet yael yann yannick yannis yasemin yasmin yasmina yasmine yassin yeliz ylber \
ylli ylva ymer ymran yogan yohan yohannes yolanda yolande yonas yordanos yosief youssef yunus yuri yusuf yvan yves \
yvette yvo yvonne zahra zaim zaira zana zarife zbigniew zdenka zdeněk zdravko zef zehra zejnije zekarias zekeriya zeki \
zeliha zeljko zenel zeray zeynep zijadin zita zlata zlatan zlatko zofia zora zoran zorica zouhair zoé zsolt zuhal \
zulmira zuzana zvonimir zvonko zylfije zymer zélie züleyha álvaro ángel ángela åsa édouard élisabeth élodie émilie \
éric étienne íñigo óscar ömer önder özden özgür özlem ümit ćamil đorđe łukasz şaban şefik şükran şükrü šaban šefik \
šemsudin žarko željka željko živko";

/// Whether the word, or the first of its hyphenated parts, is a common given name.
pub(super) fn is_given_name(word: &str) -> bool {
    let first = word.split('-').next().unwrap_or_default();
    GIVEN_NAMES.contains(first)
        // `Tomáš` is written as `Tomas` too.
        || (!first.is_ascii()
            && without_accents(first).is_some_and(|it| GIVEN_NAMES.contains(it.as_str())))
        // Names are rarely written in any other way.
        || (first.chars().nth(1).is_some_and(char::is_uppercase)
            && GIVEN_NAMES.contains(first.to_lowercase().as_str()))
}

/// The word without accents; `None` if it has none. German vowels with two points stay: `Hänni` is a surname, `Hanni` a given
/// name.
fn without_accents(word: &str) -> Option<String> {
    // Spanish surnames, which often follow another one.
    const SURNAMES: [&str; 3] = ["Martín", "Román", "Simón"];
    if SURNAMES.contains(&word) {
        return None;
    }
    let plain = |letter: char| match letter {
        'á' | 'à' | 'â' | 'ã' | 'å' => 'a',
        'Á' | 'À' | 'Â' => 'A',
        'é' | 'è' | 'ê' | 'ë' | 'ę' => 'e',
        'É' | 'È' => 'E',
        'í' | 'ì' | 'î' | 'ï' | 'ı' => 'i',
        'ó' | 'ò' | 'ô' | 'õ' => 'o',
        'ú' | 'ù' | 'û' => 'u',
        'ç' | 'č' | 'ć' => 'c',
        'ñ' | 'ń' => 'n',
        'š' | 'ş' | 'ș' => 's',
        'Š' | 'Ş' => 'S',
        'ž' => 'z',
        'Ž' => 'Z',
        'ğ' => 'g',
        'ł' => 'l',
        'ý' => 'y',
        other => other,
    };
    let without: String = word.chars().map(plain).collect();
    (without != word).then_some(without)
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

    #[test]
    fn names_of_other_languages_are_known_with_and_without_accents() {
        for name in ["João", "Joao", "Tomáš", "Željko", "Gökhan", "Liridona", "Willem"] {
            assert!(is_given_name(name), "{name}");
        }
        assert!(!is_given_name("Hänni") && is_given_name("Hanni"));
    }
}
