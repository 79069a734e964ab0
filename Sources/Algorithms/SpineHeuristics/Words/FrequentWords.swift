/// Frequent English words and words of titles, for text whose spaces were lost.
///
/// The most frequent come first, by the counts in `frequency_dictionary_en_82_765.txt` of
/// symspellpy 6.10.1. The last ones were added from well-known titles. That file's licence:
///
/// ```text
/// MIT License
///
/// Copyright (c) 2025 mmb L (Python port https://github.com/mammothb/symspellpy)
/// Copyright (c) 2021 Wolf Garbe (Original C# implementation https://github.com/wolfgarbe/SymSpell)
///
/// Permission is hereby granted, free of charge, to any person obtaining a copy
/// of this software and associated documentation files (the "Software"), to deal
/// in the Software without restriction, including without limitation the rights
/// to use, copy, modify, merge, publish, distribute, sublicense, and/or sell
/// copies of the Software, and to permit persons to whom the Software is
/// furnished to do so, subject to the following conditions:
///
/// The above copyright notice and this permission notice shall be included in all
/// copies or substantial portions of the Software.
///
/// THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR
/// IMPLIED, INCLUDING BUT NOT LIMITED TO THE WARRANTIES OF MERCHANTABILITY,
/// FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE
/// AUTHORS OR COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM, DAMAGES OR OTHER
/// LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR OTHERWISE, ARISING FROM,
/// OUT OF OR IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN THE
/// SOFTWARE.
/// ```
enum FrequentWords {
  /// Words with spaces between.
  static let text = """
    the of and to a in for is on that by this with i you it not or be are from at as your all \
    have new more an was we will home can us about if page my has search free but our one other \
    do no information time they site he up may what which their news out use any there see only \
    so his when contact here business who web also now help get view online first am been would \
    how were me services some these click its like service than find price date back top people \
    had list name just over state year day into email two health world next used go work last \
    most products music buy data make them should product system post her city add policy number \
    such please available copyright support message after best software then good video well \
    where info rights public books high school through each links she review years order very \
    privacy book items company read group sex need many user said does set under general \
    research university january mail full map reviews program life know games way days \
    management part could great united hotel real item international ebay must store travel \
    comments made development report off member details line terms before hotels did send right \
    type because local those using results office education national car design take posted \
    internet address community within states area want phone shipping reserved subject between \
    forum family long based code show even black check special prices website index being women \
    much sign file link open today technology south case project same pages version section own \
    found sports house related security both county american photo game members power while care \
    network down computer systems three total place end following download him without per \
    access think north resources current posts big media law control water history pictures size \
    art personal since including guide shop directory board location change white text small \
    rating rate government children during return students shopping account times sites level \
    digital profile previous form events love old john main call hours image department title \
    description non insurance another why shall property class still money quality every listing \
    content country private little visit save tools low reply customer december compare movies \
    include college value article york man card jobs provide food source author different press \
    learn sale around print course job canada process teen room stock training too credit point \
    join science men categories advanced west sales look english left team estate box conditions \
    select windows photos gay thread week category note live large gallery table register \
    however june october november market library really action start series model features air \
    industry plan human provided yes required second hot accessories cost movie forums march \
    september better say questions july yahoo going medical test friend come server study \
    application cart staff articles san feedback again play looking issues april never users \
    complete street topic comment financial things working against standard tax person below \
    mobile less got blog party payment equipment login student let programs offers legal above \
    recent park stores side act problem red give memory performance social august quote language \
    story sell options experience rates create key body young america important field few east \
    paper single age activities club example girls additional password latest something road \
    gift question changes night hard texas pay four poker status issue range building seller \
    court february always result audio light write war offer blue groups easy given files event \
    release analysis request china making picture needs possible might professional yet month \
    major star areas future space committee hand sun cards problems london washington meeting \
    become interest child keep enter california porn share similar garden schools million added \
    reference companies listed baby learning energy run delivery popular term film stories put \
    computers journal reports try welcome central images president notice god original head \
    radio until cell self council away includes track australia discussion archive once others \
    entertainment agreement format least society months log safety friends sure trade edition \
    cars messages marketing tell further updated association able having provides david fun \
    already green studies close common drive specific several gold living collection called \
    short arts lot ask display limited powered solutions means director daily beach past natural \
    whether due electronics five upon period planning database says official weather land \
    average done technical window france pro region island record direct microsoft conference \
    environment records district calendar costs style front statement update parts ever \
    downloads early miles sound resource present applications either ago document word works \
    material bill written talk federal hosting rules final adult tickets thing centre center \
    requirements via cheap nude kids finance true minutes else mark third rock gifts europe \
    reading topics bad individual tips plus auto cover usually edit together videos percent fast \
    function fact unit getting global tech meet far economic player projects lyrics often \
    subscribe submit germany amount watch included feel though bank risk thanks everything deals \
    various words linux production commercial james weight town heart advertising received \
    choose treatment newsletter archives points knowledge magazine error camera girl currently \
    construction toys registered clear golf receive domain methods chapter makes protection \
    policies loan wide beauty manager india position taken sort listings models michael known \
    half cases step engineering florida simple quick none wireless license paul friday lake \
    whole annual published later basic sony shows corporate google church method purchase \
    customers active response practice hardware figure materials fire holiday chat enough \
    designed along among death writing speed countries loss face brand discount higher effects \
    created remember standards oil bit yellow political increase advertise kingdom base near \
    environmental thought stuff french storage japan doing loans shoes entry stay nature orders \
    availability africa summary turn mean growth notes agency king monday european activity copy \
    although drug western income force cash employment overall bay river commission package \
    contents seen players engine port album regional stop supplies started administration bar \
    institute views plans double dog build screen exchange types soon sponsored lines electronic \
    continue across benefits needed season apply someone held anything printer condition \
    effective believe organization effect asked mind sunday selection casino lost tour menu \
    volume cross anyone mortgage hope silver corporation wish inside solution mature role rather \
    weeks addition came supply nothing certain executive running lower necessary union according \
    clothing particular fine names robert homepage hour gas skills six bush islands advice \
    career military rental decision leave british teens huge woman facilities kind sellers \
    middle move cable opportunities taking values division coming tuesday object lesbian \
    appropriate machine logo length actually nice score statistics client returns capital follow \
    sample investment sent shown saturday christmas england culture band flash lead george \
    choice went starting registration thursday courses consumer airport foreign artist outside \
    furniture levels channel letter mode phones ideas wednesday structure fund summer allow \
    degree contract button releases homes super male matter custom virginia almost took located \
    multiple asian distribution editor industrial cause potential song focus late fall featured \
    idea rooms female responsible communications win associated thomas primary cancer numbers \
    reason tool browser spring foundation answer voice friendly schedule documents communication \
    purpose feature bed comes police everyone independent approach cameras brown physical \
    operating hill maps medicine deal hold ratings chicago forms glass happy smith wanted \
    developed thank safe unique survey prior telephone sport ready feed animal sources mexico \
    population regular secure navigation operations therefore simply evidence station christian \
    round understand option master valley recently probably sea built publications blood cut \
    worldwide improve connection publisher hall larger anti networks earth parents nokia impact \
    transfer introduction kitchen strong carolina wedding properties hospital ground overview \
    ship accommodation owners disease excellent paid italy perfect hair opportunity classic \
    basis command cities william express anal award distance tree peter assessment ensure thus \
    wall involved extra especially interface partners budget rated guides success maximum \
    operation existing quite selected boy amazon patients restaurants beautiful warning wine \
    locations horse vote forward flowers stars significant lists technologies owner retail \
    animals useful directly manufacturer ways son providing rule mac housing takes iii bring \
    searches max trying mother authority considered told traffic programme joined input strategy \
    feet agent valid bin modern senior ireland sexy teaching door grand testing trial charge \
    units instead canadian cool normal wrote enterprise ships entire educational leading metal \
    positive fitness chinese opinion asia football abstract uses output funds greater likely \
    develop employees artists alternative processing responsibility resolution java guest seems \
    publication pass relations trust contains session multi photography republic fees components \
    vacation century academic assistance completed skin graphics indian mary expected ring grade \
    dating pacific mountain organizations pop filter mailing vehicle longer consider northern \
    behind panel floor german buying match proposed default require iraq boys outdoor deep \
    morning otherwise allows rest protein plant reported hit transportation pool mini politics \
    partner authors boards faculty parties fish membership mission eye string sense modified \
    pack released stage internal goods recommended born unless richard detailed japanese race \
    approved background target except character maintenance ability maybe functions moving \
    brands places pretty trademarks spain southern yourself winter rape battery youth pressure \
    submitted boston incest debt medium television interested core break purposes throughout \
    sets dance wood itself defined papers playing awards studio reader virtual device \
    established answers rent remote dark programming external apple regarding instructions \
    offered theory enjoy remove aid surface minimum visual host variety teachers martin manual \
    block subjects agents increased repair fair civil steel understanding songs fixed wrong \
    beginning hands associates finally updates desktop classes paris ohio gets sector capacity \
    requires jersey fat fully father electric saw instruments quotes officer driver businesses \
    dead respect unknown specified restaurant mike trip worth procedures poor teacher eyes \
    relationship workers farm fucking georgia peace traditional campus tom showing creative \
    coast benefit progress funding devices lord grant sub agree fiction hear sometimes watches \
    careers beyond goes families led museum themselves fan transport interesting blogs wife \
    evaluation accepted former implementation ten hits zone complex cat galleries references \
    presented jack flat flow agencies literature respective parent spanish michigan columbia \
    setting scale stand economy highest helpful monthly critical frame musical definition \
    secretary angeles networking path australian employee chief gives bottom magazines packages \
    detail francisco laws changed pet heard begin individuals colorado royal clean switch \
    russian largest african guy titles relevant guidelines justice connect bible cup basket \
    applied weekly installation described demand suite vegas square chris attention advance skip \
    diet army auction gear lee difference allowed correct charles nation selling lots piece \
    sheet firm seven older illinois regulations elements species jump cells module resort \
    facility random pricing certificate minister motion looks fashion directions visitors \
    documentation monitor trading forest calls whose coverage couple giving chance vision ball \
    ending clients actions listen discuss accept automotive naked goal successful sold wind \
    communities clinical situation sciences markets lowest highly publishing appear emergency \
    developing lives currency leather determine temperature palm announcements patient actual \
    historical stone bob commerce perhaps persons difficult scientific satellite fit tests \
    village accounts amateur met pain particularly factors coffee settings buyer cultural steve \
    easily oral ford poster edge functional root closed holidays ice pink zealand balance \
    monitoring graduate replies shot architecture initial label thinking scott recommend canon \
    hardcore league waste minute bus provider optional dictionary cold accounting manufacturing \
    sections chair fishing effort phase fields bag fantasy letters motor professor context \
    install shirt generally continued foot mass crime count breast techniques johnson quickly \
    dollars websites religion claim driving permission surgery patch heat wild measures \
    generation kansas miss chemical doctor task reduce brought himself nor component enable \
    exercise santa mid guarantee leader diamond israel processes soft servers alone meetings \
    seconds jones arizona keyword interests flight congress fuel username walk fuck produced \
    italian paperback wait supported pocket saint rose freedom argument competition creating jim \
    drugs joint premium providers fresh characters attorney upgrade factor growing thousands \
    stream apartments pick hearing eastern therapy entries dates generated signed upper \
    administrative serious prime samsung limit began louis steps errors shops efforts informed \
    thoughts creek worked quantity urban practices sorted reporting essential myself tours \
    platform load affiliate immediately admin nursing machines designated tags heavy covered \
    recovery joe guys integrated configuration merchant comprehensive expert universal protect \
    drop solid presentation languages became orange compliance vehicles prevent theme rich \
    campaign marine improvement guitar finding pennsylvania examples ipod saying spirit claims \
    challenge motorola acceptance strategies seem affairs touch intended towards goals hire \
    election suggest branch charges serve affiliates reasons magic mount smart talking gave ones \
    latin multimedia avoid certified manage corner rank computing oregon element birth virus \
    abuse interactive requests separate quarter procedure leadership tables define racing \
    religious facts breakfast kong column plants faith chain developer identify avenue missing \
    died approximately domestic recommendations moved houston reach comparison mental viewed \
    moment extended sequence inch attack sorry opening damage reserve recipes gamma plastic \
    produce snow placed truth counter failure follows weekend dollar camp ontario automatically \
    minnesota films bridge native fill williams movement printing baseball owned approval draft \
    chart played contacts jesus readers clubs jackson equal adventure matching offering shirts \
    profit leaders posters institutions assistant variable advertisement expect parking \
    headlines yesterday compared determined wholesale workshop russia gone codes kinds extension \
    seattle statements golden completely teams fort lighting senate forces funny brother gene \
    turned portable tried electrical applicable disc returned pattern boat named theatre laser \
    earlier manufacturers sponsor classical icon warranty dedicated indiana direction harry \
    basketball objects ends delete evening assembly nuclear taxes mouse signal criminal issued \
    brain sexual wisconsin powerful dream obtained false cast flower felt personnel passed \
    supplied identified falls soul aids opinions promote stated stats hawaii professionals \
    appears carry flag decided covers advantage hello designs maintain tourism priority adults \
    clips savings graphic atom payments estimated binding brief ended winning eight anonymous \
    iron straight script served wants prepared void dining alert integration atlanta dakota tag \
    interview mix framework disk installed queen credits clearly fix handle sweet desk criteria \
    dave massachusetts diego hong vice associate truck ray frequently revenue measure changing \
    votes duty looked discussions bear gain festival laboratory ocean flights experts signs lack \
    depth iowa whatever logged laptop vintage train exactly dry explore maryland concept nearly \
    eligible reality forgot handling origin knew gaming feeds billion destination scotland \
    faster intelligence dallas bought nations route followed specifications broken frank alaska \
    blow battle residential anime speak decisions industries protocol query clip partnership \
    editorial expression equity provisions speech wire principles suggestions rural shared \
    sounds replacement tape strategic judge spam economics acid bytes cent forced compatible \
    fight apartment height null zero speaker filed netherlands obtain consulting recreation \
    offices designer remain managed failed marriage roll korea banks participants secret bath \
    kelly leads negative austin toronto springs missouri andrew perform healthy translation \
    estimates font assets injury joseph ministry drivers lawyer figures married protected \
    proposal sharing philadelphia portal waiting birthday beta fail banking officials brian \
    toward won slightly assist conduct contained legislation calling parameters jazz serving \
    bags profiles miami comics matters houses postal relationships tennessee wear controls \
    breaking combined ultimate wales representative frequency introduced minor finish \
    departments residents noted displayed reduced physics rare spent performed extreme samples \
    davis daniel bars reviewed row forecast removed helps singles administrator cycle amounts \
    contain accuracy dual rise sleep bird pharmacy brazil creation static scene hunter addresses \
    lady crystal famous writer chairman violence fans oklahoma speakers drink academy dynamic \
    gender eat permanent agriculture dell cleaning constitutes portfolio practical delivered \
    infrastructure exclusive seat concerns colour color originally intel utilities philosophy \
    regulation officers reduction aim bids referred supports nutrition recording regions junior \
    toll cape rings meaning tip secondary wonderful mine ladies henry ticket announced guess \
    agreed prevention whom soccer import posting presence instant mentioned automatic healthcare \
    viewing maintained increasing majority connected christ dan dogs directors aspects austria \
    ahead moon participation scheme utility preview fly manner matrix containing combination \
    amendment despite strength guaranteed turkey libraries proper distributed degrees singapore \
    enterprises delta fear seeking inches phoenix convention shares principal daughter standing \
    comfort wars ordering kept alpha appeal cruise bonus certification previously buildings \
    specials beat disney household batteries adobe smoking becomes drives arms alabama tea \
    improved trees achieve positions dress subscription dealer contemporary sky utah nearby \
    carried happen exposure hide signature gambling refer miller provision outdoors clothes \
    caused luxury frames certainly indeed newspaper toy circuit layer printed slow removal \
    easier liability trademark hip printers nine adding kentucky mostly eric spot taylor prints \
    spend factory interior revised grow americans optical promotion relative amazing clock \
    identity suites conversion feeling hidden reasonable victoria serial relief revision \
    influence ratio importance rain onto planet copies recipe permit seeing proof diff tennis \
    bass prescription bedroom empty instance hole pets ride licensed orlando specifically tim \
    bureau maine represent conservation pair ideal recorded don pieces finished parks dinner \
    lawyers sydney stress cream runs trends discover patterns boxes louisiana hills javascript \
    fourth advisor marketplace evil aware wilson shape evolution irish certificates objectives \
    stations suggested remains greatest firms concerned euro operator structures generic \
    encyclopedia usage cap ink charts continuing mixed census peak competitive exist wheel \
    transit dick suppliers salt compact poetry lights tracking angel bell keeping preparation \
    attempt receiving matches accordance width noise engines forget array discussed accurate \
    stephen elizabeth climate pin playstation alcohol greek instruction managing sister raw \
    differences walking explain smaller newest establish gnu happened expressed jeff extent \
    sharp lesbians lane paragraph kill mathematics compensation export managers aircraft modules \
    sweden conflict conducted versions employer occur percentage knows mississippi describe \
    concern backup requested citizens connecticut heritage immediate holding trouble spread \
    coach kevin agricultural expand supporting audience assigned jordan collections ages \
    participate plug specialist cook affect virgin experienced investigation raised hat \
    institution directed searching sporting helping affected bike totally plate expenses \
    indicate blonde proceedings favourite transmission anderson characteristics lose organic \
    seek experiences albums extremely contracts guests hosted diseases concerning developers \
    equivalent chemistry tony nevada kits thailand variables agenda anyway continues tracks \
    advisory curriculum logic template prince circle soil grants anywhere psychology responses \
    atlantic wet circumstances edward identification ram leaving wildlife appliances matt \
    elementary cooking speaking sponsors fox unlimited respond sizes plain exit entered iran arm \
    keys launch wave checking costa belgium holy acts guidance mesh trail enforcement symbol \
    crafts highway buddy observed dean setup poll fiscal celebrity styles denver unix filled \
    bond channels appendix notify blues chocolate portion scope hampshire supplier cables cotton \
    bluetooth controlled requirement authorities biology dental killed border ancient debate \
    representatives starts pregnancy causes arkansas biography leisure attractions learned \
    transactions notebook explorer historic attached opened husband disabled authorized crazy \
    upcoming britain concert retirement scores financing efficiency comedy adopted efficient \
    linear commitment bears jean hop carrier edited constant visa mouth jewish meter linked \
    portland interviews concepts gun reflect pure deliver wonder hell lessons fruit begins \
    qualified reform lens alerts treated discovery draw classified relating assume confidence \
    alliance confirm warm neither lewis howard offline leaves engineer lifestyle consistent \
    replace clearance connections inventory converter suck organisation babe checks reached \
    becoming safari objective indicated sugar crew legs sam stick securities allen relation \
    enabled genre slide montana volunteer tested rear democratic enhance switzerland exact bound \
    parameter adapter processor node formal dimensions contribute lock hockey storm micro \
    colleges laptops mile showed challenges editors threads bowl supreme brothers recognition \
    presents tank submission dolls estimate encourage navy kid regulatory inspection consumers \
    cancel limits territory transaction manchester weapons paint delay pilot outlet \
    contributions continuous czech resulting cambridge initiative novel pan execution disability \
    increases ultra winner idaho episode examination potter dish plays bulletin indicates modify \
    oxford adam truly painting committed extensive affordable universe candidate databases \
    patent slot outstanding eating perspective planned watching lodge messenger mirror \
    tournament consideration sterling sessions kernel stocks buyers journals gray catalogue \
    jennifer antonio charged broad taiwan chosen demo greece swiss sarah clark labour hate \
    terminal publishers nights behalf caribbean liquid rice nebraska loop salary reservation \
    foods guard properly orleans saving remaining empire resume twenty newly raise prepare \
    avatar gary depending illegal expansion vary hundreds rome arab lincoln helped premier \
    tomorrow purchased milk decide consent drama visiting performing downtown keyboard contest \
    collected bands boot suitable absolutely millions lunch dildo push chamber guinea findings \
    muscle featuring implement clicking scheduled polls typical tower yours sum calculator \
    significantly chicken temporary attend shower alan sending jason tonight dear sufficient \
    shell province catholic oak awareness vancouver governor beer seemed contribution \
    measurement swimming spyware formula constitution packaging solar jose catch jane pakistan \
    reliable northwest sir doubt earn unable periods classroom tasks democracy attacks kim \
    wallpaper merchandise resistance doors symptoms resorts biggest memorial visitor twin forth \
    insert baltimore gateway alumni drawing candidates charlotte ordered biological fighting \
    transition happens preferences romance instrument bruce split themes powers heaven bits \
    pregnant twice classification focused egypt physician hollywood wikipedia cellular norway \
    vermont asking blocks normally spiritual hunting diabetes suit shift chip res sit bodies \
    photographs cutting simon writers marks flexible loved mapping numerous relatively birds \
    satisfaction represents pittsburgh superior preferred saved paying cartoon shots \
    intellectual moore granted choices carbon spending comfortable magnetic interaction \
    listening effectively registry crisis outlook massive denmark employed bright treat header \
    poverty formed piano echo grid sheets patrick experimental puerto revolution consolidation \
    displays plasma allowing earnings mystery landscape dependent mechanical journey delaware \
    bidding consultants risks banner applicant charter barbara cooperation counties acquisition \
    ports implemented recognized dreams licensing stands teach occurred textbooks rapid pull \
    hairy diversity cleveland reverse deposit investments latina wheels specify accessibility \
    dutch sensitive templates formats depends boots holds router concrete editing poland folder \
    completion upload pulse universities technique voting courts notices calculate detroit \
    alexander broadcast converted metro toshiba anniversary improvements strip specification \
    pearl accident nick accessible accessory resident plot possibly airline typically \
    representation regard pump exists arrangements smooth conferences strike consumption \
    birmingham flashing narrow afternoon threat surveys sitting putting consultant controller \
    ownership committees penis legislative researchers vietnam trailer anne castle gardens \
    missed malaysia antique labels willing molecular acting heads stored exam logos residence \
    density hundred ryan operators strange sustainable philippines statistical beds breasts \
    mention innovation employers grey parallel honda amended operate bills bold bathroom stable \
    opera definitions doctors lesson cinema asset scan elections drinking reaction blank \
    enhanced entitled severe generate stainless newspapers hospitals deluxe aged monitors \
    exception lived duration bulk successfully indonesia fabric visits primarily tight domains \
    capabilities contrast recommendation flying recruitment sin berlin cute organized para \
    siemens adoption improving expensive meant capture pounds buffalo organisations plane \
    explained seed programmes desire expertise mechanism camping jewellery meets welfare peer \
    caught eventually marked driven measured bottle agreements considering innovative marshall \
    rubber conclusion closing tampa thousand meat legend grace susan adams python monster alex \
    bang villa bone columns disorders bugs collaboration hamilton detection cookies inner \
    formation engineers entity gate holder proposals settlement portugal lawrence roman duties \
    valuable erotic tone ethics forever dragon busy captain fantastic imagine brings heating leg \
    neck wing governments purchasing scripts stereo appointed taste dealing commit tiny \
    operational rail airlines liberal jay trips gap sides tube turns corresponding descriptions \
    cache belt jacket determination animation oracle matthew lease productions aviation hobbies \
    proud excess disaster console commands telecommunications instructor giant achieved injuries \
    shipped seats approaches alarm voltage anthony nintendo usual loading stamps appeared \
    franklin angle rob vinyl highlights mining designers melbourne ongoing worst imaging betting \
    scientists liberty wyoming argentina era convert possibility analyst commissioner dangerous \
    garage exciting reliability unfortunately respectively volunteers attachment finland morgan \
    derived pleasure honor oriented eagle pants columbus nurse prayer appointment workshops \
    hurricane quiet luck postage producer represented dial responsibilities cheese comic \
    carefully jet productivity investors crown underground diagnosis maker crack principle picks \
    gang semester calculated applies casinos appearance smoke apache filters incorporated craft \
    cake notebooks apart fellow blind lounge mad algorithm semi coins andy gross strongly cafe \
    valentine hilton proteins horror familiar capable douglas debian till involving pen \
    investing christopher admission shoe elected carrying victory sand madison terrorism \
    editions mainly ethnic ran parliament actor finds seal situations fifth allocated citizen \
    vertical corrections structural municipal describes prize occurs jon absolute disabilities \
    consists anytime substance prohibited addressed lies pipe soldiers guardian lecture \
    simulation layout initiatives ill concentration classics lay interpretation horses dirty \
    deck wayne donate taught bankruptcy worker optimization alive temple substances prove \
    discovered wings breaks genetic restrictions participating waters promise thin exhibition \
    prefer ridge cabinet modem harris mph bringing sick dose evaluate tiffany tropical collect \
    composition toyota streets nationwide vector definitely turning buffer purple existence \
    commentary larry developments immigration destinations lets mutual pipeline necessarily \
    syntax attribute prison skill chairs everyday apparently surrounding mountains moves \
    popularity inquiry ethernet checked exhibit throw trend sierra visible cats desert oldest \
    rhode coordinator obviously mercury steven handbook greg navigate worse summit victims \
    spaces fundamental burning escape somewhat receiver substantial progressive boats glance \
    scottish championship arcade richmond sacramento impossible russell tells obvious depression \
    graph covering platinum judgment talks filing foster passing awarded trials tissue clinton \
    masters bonds cartridge alberta explanation folk commons cincinnati fraud electricity \
    permitted spectrum arrival okay pottery emphasis roger aspect workplace mexican confirmed \
    counts priced crash lift desired inter closer assumes heights shadow riding infection \
    firefox lisa expense grove venture clinic korean healing princess mall entering packet spray \
    studios involvement buttons placement observations funded thompson winners extend roads \
    subsequent dublin rolling fell motorcycle yard establishment memories nelson arrived creates \
    faces tourist mayor murder sean adequate senator yield presentations grades cartoons pour \
    digest dust hence wiki entirely replaced radar rescue undergraduate losses combat reducing \
    stopped occupation lakes butt donations associations closely radiation diary seriously kings \
    shooting kent adds ear flags baker launched elsewhere pollution conservative shock \
    effectiveness walls abroad tie ward drawn arthur ian visited roof walker demonstrate \
    atmosphere suggests kiss beast operated experiment targets overseas purchases dodge counsel \
    federation pizza invited yards assignment chemicals gordon farmers queries rush ukraine \
    absence nearest cluster vendors whereas yoga serves woods surprise lamp rico partial phil \
    everybody couples nashville ranking jokes simpson palace acceptable satisfied glad wins \
    measurements verify globe trusted copper milwaukee rack medication warehouse kerry supposed \
    ordinary nobody ghost violation configure stability applying southwest boss pride \
    institutional expectations independence knowing reporter metabolism keith champion cloudy \
    linda ross personally chile anna plenty solo sentence throat ignore maria uniform excellence \
    wealth tall somewhere vacuum dancing attributes recognize brass writes plaza outcomes \
    survival quest publish sri screening thumbnail trans jonathan whenever nova lifetime pioneer \
    forgotten plates acres venue athletic thermal essays behaviour behavior vital telling moby \
    gatsby dracula frankenstein hobbit wizard witch witches dragons vampire ghosts wolf wolves \
    raven throne thrones sword swords sorcerer magician alchemist prophet pilgrim pirate pirates \
    treasure towers dungeon labyrinth maze lantern candle shadows whisper whispers thunder \
    lightning tempest winds autumn midnight twilight dawn dusk sunrise sunset moons planets \
    galaxy robot robots android androids martian martians alien aliens invisible invaders \
    odyssey iliad aeneid utopia paradise inferno purgatory angels demon demons devil devils \
    satan saints sinner sinners monsters murders killer mysteries detective sherlock holmes \
    poirot hound clue corpse widow orphan bastard stranger strangers outsider outsiders exile \
    fugitive prisoner hostage spy spies traitor assassin warrior warriors knight knights samurai \
    ninja emperor empress queens duke duchess lords gentleman gentlemen daughters sisters lover \
    lovers mistress bride grave graves tomb coffin skull bones bloody flesh hearts souls spirits \
    nightmare nightmares sleeping awakening silence secrets betrayal revenge vengeance \
    redemption sacrifice destiny fate fortune despair sorrow joy happiness sadness madness folly \
    wisdom consolation meditations confessions memoirs diaries journeys voyage voyages travels \
    adventures expedition hunt hunters hunted hunger feast famine plague pestilence outbreak \
    cholera apocalypse doomsday extinction genome selfish cosmos relativity quantum gravity \
    chaos fractal algorithms compiler compilers automata calculus algebra topology geometry \
    probability econometrics macroeconomics microeconomics investor intelligent entrepreneur \
    startup startups innovator dilemma habits persuasion negotiation branding salesman cookbook \
    baking bread gardening knitting watercolour anatomy physiology pharmacology cardiology \
    neurology psychiatry cognitive behavioral mindfulness anxiety addiction zen buddha buddhism \
    tao koran testament gospel catechism shakespeare hamlet macbeth othello lear romeo juliet \
    tragedy comedies sonnets poems verse ballads fairy fairies tales fables legends myths \
    mythology folklore nursery rhymes alice wonderland pinocchio gulliver crusoe quixote \
    karenina bovary copperfield twist prejudice sensibility mansfield northanger abbey emma eyre \
    wuthering vanity tess punishment idiot gambler remembrance metamorphosis steppenwolf \
    siddhartha tin drum perfume unbearable lightness solitude cuckoo nest catcher rye mice \
    grapes wrath mockingbird slaughterhouse clockwork brave dune neuromancer hitchhiker \
    hitchhikers sheep ender darkness handmaid testaments lighthouse dalloway waves rainbow sons \
    ulysses dubliners portrait godot streetcar crucible pygmalion earnest dorian wilde jekyll \
    hyde baskervilles jungle kipling moonstone rebecca jamaica inn orient nile mousetrap \
    goldfinger royale thunderball jackal odessa ipcress smiley honourable schoolboy tinker \
    tailor soldier leopard dolphin falcon sparrow nightingale lamb lambs bull tiger lion \
    elephant crow crows rat rats foxes snake serpent spider butterfly bee bees ant ants whale \
    shark guerrilla gorilla sapiens homo deus trainspotting fahrenheit cabaret gothic vegetarian \
    vegan kite runner tattoo hornet bridget shopaholic sisterhood traveling jar beloved chocolat \
    inheritance possession atonement amsterdam enduring regeneration birdsong corelli mandolin \
    snowman oryx crake flood circe achilles madeline sourdough miniaturist goldfinch beards
    """
}
