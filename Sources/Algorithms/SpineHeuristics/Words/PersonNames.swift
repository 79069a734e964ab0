/// Names of people, which help to distinguish an author from a title.
enum PersonNames {
  /// Frequent given names of English-speaking and European countries, and of well-known writers from elsewhere.
  static let given = words(
    """
    aaron abigail abraham ada adaeze adam adele adolf adrian adriana agatha agnes agnieszka ahmed \
    aidan akira akwaeke alain alan albert alberto alejandro aleksandr alessandro alessia alex \
    alexander alexandra alexandre alexandros alexei alfonso alfred alfredo ali alice alison \
    alistair allan allen almudena alvaro amanda ambrose amelia amin amit amy ana anaïs anand \
    ananya anatoly anders andrea andreas andreï andrei andrew andrzej andy ángel angel angela \
    angelo anil anita anja anjali ann anna anne annie anthony antoine anton antonia antonio \
    antony anya aravind archibald ariel aristide arjun arnold art arthur arturo arun arundhati \
    ashley ashok astrid audrey august augusten augustine aurélie aurora ava avery ayn bao barack \
    barbara barney barry bart bartholomew basil bea beatrice beatrix begoña ben benedict benito \
    benjamin benoît bernadette bernard bernardo bernhard bernie bertolt bertrand bessie beth \
    bettina betty bill billy birgit björn blanche bob bogdan bohumil boris borja brandon brenda \
    brendan brené brett brian bridget brigid britt bronwyn bruce bruno bryan bryce buchi caitlin \
    caleb callum cameron camille candice carl carla carlo carlos carmen carol carole caroline \
    carolyn carrie caspar cass cassandra catherine cathy cecelia cecil cécile cecilia cedric \
    celeste celia césar cesar chaim charlene charles charlie charlotte chester chigozie \
    chimamanda chinua chloe chris christa christian christina christine christoph christophe \
    christopher cindy claire clara clarence clarice claude claudia claudio clemence clemens \
    clement clementine cliff clifford clive colin colleen colm colson connie conor constance cora \
    corinna corinne cormac cornelia craig curtis cynthia cyril dacher dag daisy dale damian damon \
    dan dana daniel daniela danielle daphne dario dariusz darren dave david dawn dean debbie \
    deborah deepa deepak deirdre delia delphine denis denise dennis derek desmond detlef diana \
    diane dick didier diego dieter dietrich dimitri dimitry dino dirk divita dmitri dmitry \
    dolores dominic dominik dominique don donald donna dora doris dorota dorothy doug douglas \
    dragan duncan duong dylan eckhart ed edgar edith edmond edmund eduardo edward edwin eiji \
    eileen elaine elana eleanor elena elfriede elias elie elif elijah elio elisabeth eliza \
    elizabeth ella ellen elliot elliott elmore elsa elspeth elvira emanuel emil emile émile \
    emilia emily emma emmanuel emre enid enrico enrique eoin eric erica erich erik erika erin \
    ernest ernesto ernst erwin esme estelle esther etgar ethan étienne eudora eugène eugene \
    eugenia eva evan evelyn evgeny ewa ewan ezra fabienne fabio fabrice fabrizio farah farid \
    fatima federico felicity felipe felix femi fergus fermín fernand fernando finn fiona flann \
    flannery fleur florence ford frances francesca francesco francine francis francisco franco \
    françois françoise frank frankie franz frauke fred freda freddie frederic frédéric frederick \
    friedrich fritz fumiko fyodor gabriel gabriela gabriele gail galina gareth garth gary gaspard \
    gavin gene geoff geoffrey george georges georgia georgina gerald geraldine gerard gérard gerd \
    gerhard germaine gerry gertrude gianluca gianni gilbert giles gillian gina gino giorgio \
    giovanni gisela giselle giulia giuseppe glen glenn gloria gordon grace graham grant greg \
    gregor gregory greta grzegorz gudrun guenter guillaume guillermo günter günther gustav \
    gustave guy gwen gwendolyn habib hal halldór hamid hamish hana hank hanna hannah hans harald \
    harold harper harriet harry hartmut haruka haruki harvey hassan heather hector hedwig heidi \
    heike heinrich heinz helen helena helene hélène helga helmut henning henri henriette henrik \
    henry henryk herbert herman hermann hervé hideo hilary hilda hiro hiroshi hisashi holly homer \
    honoré horace howard hubert hugh hugo hugues humphrey iain ian ibrahim ida ignacio ignasi \
    igor ilaria ilse ilya imogen imre ina indira ines ingeborg ingmar ingrid íñigo ira irena \
    irene irène irina iris irvine irving isaac isabel isabella isabelle isaiah isla ismail italo \
    ivan ivana ivo jacek jack jackie jacob jacqueline jacques jadwiga jaime jake james jamie jan \
    jane janet janice janina janusz jared jaroslav jarosław jarvis jasmine jason jasper javier \
    jay jean jeanette jeanne jeff jeffery jeffrey jennifer jenny jens jeremy jérôme jerome jerry \
    jerzy jess jesse jessica jesús jhumpa jill jim jimmy jitka jo joachim joan joanna joanne \
    joaquín joaquin jocelyn jodi joe joel joël johan johann johanna johannes john johnny jojo jon \
    jonas jonathan joost jordi jörg jorge josé jose josef joseph josephine josh joshua joyce juan \
    juana judith judy jules julia julian julie juliet julio julius jun junot jurek jürgen justin \
    jutta kader kai kamal kamila karel karen karim karin karl karol karolina kasia katarzyna kate \
    katherine kathleen kathryn kathy katie katja katya kazuo keiko keira keith kelly ken kenji \
    kenneth kenzaburo kerry kerstin kevin khaled khalil kim kingsley kiran kirill kirsten klara \
    klaus knut kobo konstantin kristen kristin kristof krystyna krzysztof kurt kyle laetitia \
    lance lars laura lauren laurence laurent lauri laurie lawrence lazlo lee leif leigh leila \
    leïla len leo leon leonard leonardo leonora leopold leopoldo leslie leszek lev lewis liane \
    lidia lilian lillian lily linda lindsay linus lionel lisa livia liz ljudmila lloyd lois \
    lorenzo lorraine louis louisa louise lucas lucia luciano lucien lucille lucinda lucy lucyna \
    ludmila ludwig luigi luis luisa łukasz luke luther lydia lynda lyndon lynn lynne lyudmila \
    macarena maciej mackenzie madeleine madeline maeve magda magdalena maggie mahmoud mahmud maja \
    malala malcolm małgorzata malin mandy manfred manu manuel marc marcel marcello marcia marcin \
    marco marcus marek margaret margarita margery margo margot marguerite mari maria mariam \
    marian marianne mariano marie marilyn marilynne marina mario marion mariusz marjane marjorie \
    mark markus marlon marta martha martin martina martyn mary maryanne massimo mateusz mathias \
    mathilde matilde matt matteo matthew matthias maureen maurice maurizio max maxim maxime \
    maxine maya meera megan mehdi mehmet mei mel melanie melissa melvin mercedes meredith merle \
    merlin mervyn meryl michael michaela michał michel michèle michelle michiko miguel mihail \
    mikael mike mikhail mil milan mildred milena miles milo milton min minette miranda miriam \
    miroslav mirosław mitch mo mohamed mohammed mohsin moira molly mona monica monika monique \
    morgan moritz morris muhammad muriel murray nadezhda nadia nadine naguib nancy naomi nassim \
    natalia natalie natasha nathalie nathan nathaniel natsuo nawal neal ned neel neil nell nelson \
    neville ngaio ngugi niall niccolò nicholas nick nicola nicolas nicole nicolò niels nigel \
    nikhil nikita nikki nikola nikolai nikos nina nnedi noah noam noel noemi nora norbert norman \
    nuria octavia octavio odette odile okey olaf oleg olga oliver olivia olivier omar ondjaki \
    orhan oriana orson osamu oscar oswald ottilie otto owen paavo pablo paddy padma pamela paola \
    paolo pascal pascale pat patricia patrick patti paul paula paulina paulo pavel paweł pearl \
    pedro peggy pema penelope per percy perry pete peter petra phil philip philippa philippe \
    phillip phyllis pierre piers pilar piotr polly pramod primo priya quentin quintin rachel \
    radek rafael rafał raffaele rahul rainer rainier raj rajesh ralph ramon ramón rana randall \
    raphael rashid ravi ray raymond rebecca regina reginald reinhard reinhold renata renate rené \
    renee rex rhonda ricardo richard rick ricky rita rob robert roberta roberto robin robyn rocío \
    roddy roderick rodrigo roger rohinton rohit roland romain roman ron ronald rory rosa rosalind \
    rosamund rosario rose rosemary ross rowan roxane roy ruben rudolf rudyard rupert russell ruth \
    ryan ryszard ryu sabina sabine sabrina sadie salim sally salman salvador sam samantha samuel \
    sandor sandra sandrine sanjay santiago sara sarah saskia saul sayaka scott sean sebastian \
    selina selma serge sergei sergey sergio seth shane shannon sharon shashi shaun sheila shelley \
    sheryl shirin shirley sidney siegfried sigmund sigrid silke silvia simon simone sinclair \
    sinead siobhan siri slavoj sławomir sofia soledad solène sonia sophia sophie søren spencer \
    stan stanislav stanislaw stanisław stanley stef stefan stefania stefano stella stephanie \
    stephen steve steven stewart stieg stuart sue suketu surabhi susan susanna susanne suzanne \
    sven svetlana sybil sydney sylvia sylvie tadeusz taiye tamara tana tanya tariq tatiana \
    tatyana ted teju tennessee terence teresa terrence terry tess tessa thea thelma theo theodor \
    theodore theresa thierry thomas thor thornton thorsten tibor tim timothy tina tobias toby \
    todd tom tomas tomasz tommy toni tony torsten tove tracy trevor tristan trudi truman ulla uma \
    umberto upton ursula urszula uwe václav vaclav valentin valeria valerie vandana vanessa vanya \
    varlam vasily vera vernon veronica veronika vicki victor victoria vidiadhar vijay vikas \
    vikram viktor vincent vincenzo viola violetta virginia virginie vita vivian vivien vladimir \
    volker waclaw wallace wally walt walter wanda warren wayne wendell wendy werner wiesław \
    wilbur wilfred wilhelm wilkie will willa willard willem william wilma winifred winston \
    wisława wojciech wojtek wole wolf wolfgang woody xavier xiaolu yaa yael yann yasmin yasmina \
    yasunari yasushi yevgeny yoko yoshiko yoshua yukio yuri yusuf yuval yves yvonne zachary zadie \
    zbigniew zdenek zhang zoe zofia zora
    """)

  /// Family names of well-known writers, and frequent family names.
  ///
  /// Names that are as often words of titles are left out.
  static let family = words(
    """
    abbott achebe ackroyd adams adichie adler aguilar akhmatova alcott allende allison amado \
    amis anderson angelou anouilh aquinas arendt aristotle armstrong arnold ashby asimov atkins \
    atkinson attenborough atwood auden austen auster baker baldwin balzac barker barnes barnett \
    barrie bartlett baudelaire beckett bellow bennett benson bentley berger bergson berlitz \
    bernhard berry blackburn blackman blair blake bloom blyton boccaccio bolaño borges boswell \
    bourdieu bowen boyd boyle bradbury bradford bradley bradshaw brecht brennan bronte brontë \
    brooks brown browning bryson buchan bukowski bulgakov burgess burke burnett burns burroughs \
    burton butler byatt byrne byron calvino cameron campbell camus capote carey carlyle carroll \
    carson cartland carver cather cervantes chandler chatwin chaucer chekhov chesterton chomsky \
    christie churchill clancy clark clarke clavell coben coelho coetzee cohen coleman coleridge \
    collins conrad cooper cormen cornwell coupland cox crichton cronin cunningham cussler dahl \
    dante darwin davidson davies davis dawkins defoe deighton deleuze delillo dennett derrida \
    descartes dexter dick dickens dickinson diderot didion doctorow donne dostoevsky dostojewski \
    dostoyevsky douglas doyle drabble dreiser dumas durrell dürrenmatt eco edwards eliot ellis \
    ellison ellroy emerson engels enright epstein erdrich euripides evans evaristo faulkner \
    ferguson ferrante feynman fielding finch findler fischer fisher fitzgerald flatt flaubert \
    fleming fletcher follett forester forster forsyth foster foucault fowler fowles francis \
    franklin franzen frazer freud friedman frisch frost fry fuentes fukuyama gaddis gaiman \
    galbraith galsworthy garcía gardner garland gaskell gibbon gibbons gibson gide gilbert \
    gladwell goethe gogol golding goleman goodman goodwin gordimer gordon gould graham grahame \
    grant green greene gregory grisham grossman hadley haggard hailey hamilton hammett hamsun \
    handke harari hardy harper harris harrison hartley harvey hastings hawking hawthorne hayek \
    hayes hašek heaney hegel heidegger heinlein heller hemingway henderson herbert herodotus \
    herriot hesse heyer hicks higgins highsmith hobbes hobsbawm hoffman hoffmann hofstadter \
    holland hopkins hornby horowitz hosseini houellebecq housman hudson hughes hugo hume hurston \
    huxley ibsen ingram ionesco irving isaacson isherwood ishiguro jackson jacobs james jansson \
    jefferson jelinek jenkins johnson johnston jones joyce judt jung kafka kahneman kant \
    kapuściński kawabata keats keller kelly kennedy kernighan kerouac keynes kierkegaard \
    kingsolver kipling klein knausgaard knuth koestler koontz krugman kundera lagerlöf lahiri \
    larkin larsson lawrence leary leavitt lee lem lenin leonard lessing lethem levi lewis \
    lindgren lindsay livesey llosa locke longfellow lorca lovecraft lowell lowry lucas ludlum \
    mailer malamud malory mann mantel marlowe marquez marshall martel martin marx maugham \
    maupassant mccall mccarthy mccullers mccullough mcewan mckay mcmurtry melville miller milton \
    mishima mitchell mitford modiano molière montaigne montgomery moorcock moore moravia morris \
    morrison mortimer munro murakami murdoch murphy murray musil márquez nabokov naipaul nash \
    nelson neruda nesbit nesbø newman newton nietzsche niven nixon norton norvig o'brien \
    o'connor oates obama orwell osborne ovid owen packard paine palmer pamuk parker parsons \
    pascal pasternak paton patterson pepys perec perkins peters phillips picoult piketty pinker \
    pinter pirandello pirsig plath plato plutarch poe popper porter potter powell pratchett \
    priestley pritchett proulx proust pullman pushkin pynchon queneau raine rankin rawls reed \
    remarque rendell reynolds rhys rice richards richardson rilke rimbaud roberts robinson \
    rogers rossetti roth rothfuss rousseau rowling roy rushdie ruskin russell rutherfurd sacks \
    sagan saint-exupéry salinger sallis sanders sanderson sappho saramago sartre sayers schiller \
    schmidt schopenhauer schulz schwartz scott sebald sebestyen sedaris sedgewick seneca shaw \
    sheldon shelley shute sienkiewicz simenon simmons simpson singer skinner smith solzhenitsyn \
    sontag sophocles spenser spinoza stein steinbeck stendhal stephenson sterne stevens \
    stevenson stewart stoker stoppard stowe strindberg stroustrup styron suetonius sussman swift \
    szymborska tacitus taleb tanenbaum tartt taylor tennyson thackeray theroux thomas thompson \
    thoreau thucydides tocqueville tokarczuk tolkien tolstoy townsend trollope truss tuchman \
    turgenev turner twain tyler unsworth updike uris verne vidal virgil voltaire vonnegut wade \
    wagner walker wallace walpole walsh walters walton warner warren watson watts waugh webb \
    webster weinberg weir welch wells welsh welty wesley westlake wharton wheeler white \
    whitehead whitman wiesel wilde wilder williams williamson willis wilson winston winterson \
    wittgenstein wodehouse wolfe wolff woods woodward woolf wordsworth wright wyndham yalom \
    yates yeats yourcenar zafón zola zweig
    """)

  /// Frequent Chinese family names, simplified and traditional, without signs that often begin another word.
  static let chineseFamily = Set<Character>(
    """
    王李张刘陈杨黄赵周吴徐孙朱马胡郭林何高梁郑罗宋谢唐韩曹许邓萧冯曾程蔡彭潘袁于董余苏叶吕魏蒋田杜丁沈姜范江傅\
    钟卢汪戴崔任陆廖姚方金邱夏谭韦贾邹石熊孟秦阎薛侯雷白龙段郝孔邵史毛万顾赖武康贺严尹钱施牛洪龚邢樊颜倪殷阮俞聂\
    梅庄柯兰霍翁柳甘祝葛鲁艾翟裴涂乔鲍凌邬苗靳骆伍纪覃耿舒張劉陳楊黃趙吳孫馬鄭羅謝韓許鄧蕭馮蘇葉呂蔣鍾盧陸譚韋賈\
    鄒閻龍賀嚴錢龔顏聶莊蘭魯喬鮑駱紀
    """)

  private static func words(_ text: String) -> Set<String> {
    Set(text.split(separator: " ").map(String.init))
  }
}
