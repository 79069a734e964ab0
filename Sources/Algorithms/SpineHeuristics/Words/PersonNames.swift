/// Names of people, by which an author is told from a title.
enum PersonNames {
  /// Frequent given names of English-speaking and European countries, and of well-known writers from elsewhere.
  static let given = words(
    """
    tennessee evan gerry \
    mil divita surabhi ángel ambrose ananya anil anjali arun ashley augusten avery bao barney \
    basil bea benito bettina blanche bogdan brett brigid bronwyn callum candice cedric \
    charlene clemence clementine conor cora corinne corinna dag deirdre delphine dolores \
    dominik dorota dragan duong edmond elana elio elspeth emanuel emre esme etgar eugenia ewan \
    farah farid felipe femi fergus finn fleur gaspard gino giselle gwen habib halldór hamish \
    hana haruka hedwig henning hideo hiro hugues ilya imogen ingmar isla ivana jarvis jitka \
    joost jurek kader kamal kasia katya keiko keira khalil kirill klara kristof lauri lazlo \
    leopoldo lidia lilian linus livia ljudmila lucinda mahmud maja malin manu mariam matilde \
    mehmet mei merle mikael milena milo min miroslav nadia nikola nikita noemi octavio odette \
    ottilie paavo padma pema pilar pramod radek raj rowan sabina sabrina sandor saskia shirin \
    sinead siobhan stefania taiye tibor torsten trudi ulla uma urszula vanya vikas violetta \
    xiaolu yasmin yoshiko zdenek zhang \
    aaron abigail abraham ada adaeze adam adele adolf adrian adriana agatha agnes agnieszka \
    ahmed aidan akira akwaeke alain alan albert alberto alejandro aleksandr alessandro alessia \
    alex alexander alexandra alexandre alexandros alexei alfonso alfred alfredo ali alice alison \
    alistair allan allen almudena alvaro amanda amelia amin amit amy ana anand anatoly anaïs \
    anders andrea andreas andrei andrew andreï andrzej andy angel angela angelo anita anja ann \
    anna anne annie anthony antoine anton antonia antonio antony anya aravind archibald ariel \
    aristide arjun arnold art arthur arturo arundhati ashok astrid audrey august augustine \
    aurora aurélie ava ayn barack barbara barry bart bartholomew beatrice beatrix begoña ben \
    benedict benjamin benoît bernadette bernard bernardo bernhard bernie bertolt bertrand bessie \
    beth betty bill billy birgit björn bob bohumil boris borja brandon brenda brendan brené \
    brian bridget britt bruce bruno bryan bryce buchi caitlin caleb cameron camille carl carla \
    carlo carlos carmen carol carole caroline carolyn carrie caspar cass cassandra catherine \
    cathy cecelia cecil cecilia celeste celia cesar chaim charles charlie charlotte chester \
    chigozie chimamanda chinua chloe chris christa christian christina christine christoph \
    christophe christopher cindy claire clara clarence clarice claude claudia claudio clemens \
    clement cliff clifford clive colin colleen colm colson connie constance cormac cornelia \
    craig curtis cynthia cyril cécile césar dacher daisy dale damian damon dan dana daniel \
    daniela danielle daphne dario dariusz darren dave david dawn dean debbie deborah deepa \
    deepak delia denis denise dennis derek desmond detlef diana diane dick didier diego dieter \
    dietrich dimitri dimitry dino dirk dmitri dmitry dominic dominique don donald donna dora \
    doris dorothy doug douglas duncan dylan eckhart ed edgar edith edmund eduardo edward edwin \
    eiji eileen elaine eleanor elena elfriede elias elie elif elijah elisabeth eliza elizabeth \
    ella ellen elliot elliott elmore elsa elvira emil emile emilia emily emma emmanuel enid \
    enrico enrique eoin eric erica erich erik erika erin ernest ernesto ernst erwin estelle \
    esther ethan eudora eugene eugène eva evan evelyn evgeny ewa ezra fabienne fabio fabrice \
    fabrizio fatima federico felicity felix fermín fernand fernando fiona flann flannery \
    florence ford frances francesca francesco francine francis francisco franco frank frankie \
    franz françois françoise frauke fred freda freddie frederic frederick friedrich fritz \
    frédéric fumiko fyodor gabriel gabriela gabriele gail galina gareth garth gary gavin gene \
    geoff geoffrey george georges georgia georgina gerald geraldine gerard gerd gerhard germaine \
    gertrude gianluca gianni gilbert giles gillian gina giorgio giovanni gisela giulia giuseppe \
    glen glenn gloria gordon grace graham grant greg gregor gregory greta grzegorz gudrun \
    guenter guillaume guillermo gustav gustave guy gwendolyn gérard günter günther hal hamid \
    hank hanna hannah hans harald harold harper harriet harry hartmut haruki harvey hassan \
    heather hector heidi heike heinrich heinz helen helena helene helga helmut henri henriette \
    henrik henry henryk herbert herman hermann hervé hilary hilda hiroshi hisashi holly homer \
    honoré horace howard hubert hugh hugo humphrey hélène iain ian ibrahim ida ignacio ignasi \
    igor ilaria ilse imre ina indira ines ingeborg ingrid ira irena irene irina iris irvine \
    irving irène isaac isabel isabella isabelle isaiah ismail italo ivan ivo jacek jack jackie \
    jacob jacqueline jacques jadwiga jaime jake james jamie jan jane janet janice janina janusz \
    jared jaroslav jarosław jasmine jason jasper javier jay jean jeanette jeanne jeff jeffery \
    jeffrey jennifer jenny jens jeremy jerome jerry jerzy jess jesse jessica jesús jhumpa jill \
    jim jimmy jo joachim joan joanna joanne joaquin joaquín jocelyn jodi joe joel johan johann \
    johanna johannes john johnny jojo jon jonas jonathan jordi jorge jose josef joseph josephine \
    josh joshua josé joyce joël juan juana judith judy jules julia julian julie juliet julio \
    julius jun junot justin jutta jérôme jörg jürgen kai kamila karel karen karim karin karl \
    karol karolina katarzyna kate katherine kathleen kathryn kathy katie katja kazuo keith kelly \
    ken kenji kenneth kenzaburo kerry kerstin kevin khaled kim kingsley kiran kirsten klaus knut \
    kobo konstantin kristen kristin krystyna krzysztof kurt kyle laetitia lance lars laura \
    lauren laurence laurent laurie lawrence lee leif leigh leila len leo leon leonard leonardo \
    leonora leopold leslie leszek lev lewis leïla liane lillian lily linda lindsay lionel lisa \
    liz lloyd lois lorenzo lorraine louis louisa louise lucas lucia luciano lucien lucille lucy \
    lucyna ludmila ludwig luigi luis luisa luke luther lydia lynda lyndon lynn lynne lyudmila \
    macarena maciej mackenzie madeleine madeline maeve magda magdalena maggie mahmoud malala \
    malcolm mandy manfred manuel marc marcel marcello marcia marcin marco marcus marek margaret \
    margarita margery margo margot marguerite mari maria marian marianne mariano marie marilyn \
    marilynne marina mario marion mariusz marjane marjorie mark markus marlon marta martha \
    martin martina martyn mary maryanne massimo mateusz mathias mathilde matt matteo matthew \
    matthias maureen maurice maurizio max maxim maxime maxine maya małgorzata meera megan mehdi \
    mel melanie melissa melvin mercedes meredith merlin mervyn meryl michael michaela michał \
    michel michelle michiko michèle miguel mihail mike mikhail milan mildred miles milton \
    minette miranda miriam mirosław mitch mo mohamed mohammed mohsin moira molly mona monica \
    monika monique morgan moritz morris muhammad muriel murray nadezhda nadine naguib nancy \
    naomi nassim natalia natalie natasha nathalie nathan nathaniel natsuo nawal neal ned neel \
    neil nell nelson neville ngaio ngugi niall niccolò nicholas nick nicola nicolas nicole \
    nicolò niels nigel nikhil nikki nikolai nikos nina nnedi noah noam noel nora norbert norman \
    nuria octavia odile okey olaf oleg olga oliver olivia olivier omar ondjaki orhan oriana \
    orson osamu oscar oswald otto owen pablo paddy pamela paola paolo pascal pascale pat \
    patricia patrick patti paul paula paulina paulo pavel paweł pearl pedro peggy penelope per \
    percy perry pete peter petra phil philip philippa philippe phillip phyllis pierre piers \
    piotr polly primo priya quentin quintin rachel rafael rafał raffaele rahul rainer rainier \
    rajesh ralph ramon ramón rana randall raphael rashid ravi ray raymond rebecca regina \
    reginald reinhard reinhold renata renate renee rené rex rhonda ricardo richard rick ricky \
    rita rob robert roberta roberto robin robyn rocío roddy roderick rodrigo roger rohinton \
    rohit roland romain roman ron ronald rory rosa rosalind rosamund rosario rose rosemary ross \
    roxane roy ruben rudolf rudyard rupert russell ruth ryan ryszard ryu sabine sadie salim \
    sally salman salvador sam samantha samuel sandra sandrine sanjay santiago sara sarah saul \
    sayaka scott sean sebastian selina selma serge sergei sergey sergio seth shane shannon \
    sharon shashi shaun sheila shelley sheryl shirley sidney siegfried sigmund sigrid silke \
    silvia simon simone sinclair siri slavoj sofia soledad solène sonia sophia sophie spencer \
    stan stanislav stanislaw stanisław stanley stef stefan stefano stella stephanie stephen \
    steve steven stewart stieg stuart sue suketu susan susanna susanne suzanne sven svetlana \
    sybil sydney sylvia sylvie søren sławomir tadeusz tamara tana tanya tariq tatiana tatyana \
    ted teju terence teresa terrence terry tess tessa thea thelma theo theodor theodore theresa \
    thierry thomas thor thornton thorsten tim timothy tina tobias toby todd tom tomas tomasz \
    tommy toni tony tove tracy trevor tristan truman umberto upton ursula uwe vaclav valentin \
    valeria valerie vandana vanessa varlam vasily vera vernon veronica veronika vicki victor \
    victoria vidiadhar vijay vikram viktor vincent vincenzo viola virginia virginie vita vivian \
    vivien vladimir volker václav waclaw wallace wally walt walter wanda warren wayne wendell \
    wendy werner wiesław wilbur wilfred wilhelm wilkie will willa willard willem william wilma \
    winifred winston wisława wojciech wojtek wole wolf wolfgang woody xavier yaa yael yann \
    yasmina yasunari yasushi yevgeny yoko yoshua yukio yuri yusuf yuval yves yvonne zachary \
    zadie zbigniew zoe zofia zora émile étienne íñigo łukasz
    """)

  /// Family names of well-known writers, and frequent ones, but for those that are as often words of titles.
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

  private static func words(_ text: String) -> Set<String> {
    Set(text.split(separator: " ").map(String.init))
  }
}
