/// English words that are less frequent than ``FrequentWords``, and no names.
///
/// The next most frequent ones of symspellpy's list (MIT License, see ``FrequentWords``) that are not forms of
/// those. They tell words from names; words that stand together are not parted by them.
enum RarerWords {
  /// All of them.
  static let all = Set(text.split(separator: " ").map(String.init))

  private static let text = """
    browse pics prev apparel sitemap miscellaneous enlarge checkout zoom gratis collectibles \
    vendor cisco panasonic faqs broadband webmaster specs yeah annotation perl cheats printable \
    glossary ericsson weblog gourmet audit misc consultation char blogger notification seminar \
    pursuant tutorial epson limousines coupons testimonials memorabilia hist eligibility \
    disclosure ebony sublime shareware receipt acrobat charity edinburgh excel obligation wake \
    stupid hungary segment realize enemy puzzle insight restricted lucky latter thick repeat \
    syndrome philips penalty iraqi vista ease arena pupils announcement tabs appreciate casual \
    grown polish clause smile troops bulgaria broker pine tend gulf divorce tokyo nikon \
    customize tradition candy pills sensor exposed deputy indicators thai emissions complaint \
    afghanistan boost scholarship governance mill supplements chronic moral catering finger \
    pound locate camcorder burn labs ourselves tobacco wooden tough incident gonna conversation \
    decrease chest pension emerging worship precision solve minority diverse ingredients sole \
    franchise rehabilitation sight laid clay defence defense weak divided blvd reception wise \
    cyprus odds consequences geography integrity worry discrimination legacy danger vitamin \
    phrase genuine implications functionality hybrid intermediate emotional leaf glory bigger \
    diesel versus combine exceed saudi fault cuba preliminary introduce silk chevrolet compiled \
    romantic revealed examine suspension bristol compaq authentication communicate rugby \
    supplement infant fluid kick meal hurt machinery equation dimension proven slip studied \
    involves grass comply florist illustrated cherry continental alternate achievement \
    limitations kenya webcam funeral automated quebec passenger convenient mars manga socket \
    silent literary orientation pill theft childhood swing meta facial talent flexibility shoot \
    boundary mint elite spin swedish jurisdiction witness equipped powder acquired assess wash \
    entrance gnome declaration gadgets glasgow automation shore induced loose recipient islamic \
    pending lebanon personalized soap triple destruction migration routine basically axis \
    sought habitat median scanner animated judicial adjustment hero integer bachelor engaged \
    montreal binary difficulty punk collective coalition dropped pace wage advertisers atlas \
    observation torture coat restoration convenience opposition defendant confirmation embedded \
    supervisor corps peripherals liable brochure eminem antenna departure minneapolis belief \
    decor diameter ottawa doll podcast peru bidder herald literacy aging nike intervention \
    attraction diving invite modification suppose involve terror thirty opposite understood \
    temp intro assurance clerk vast compilation verification wrap mood veterans quiz sigma \
    attractive occasion victim careful beam arrive orchestra minimal polyphonic lottery aside \
    licence adjustable allocation essay discipline dialogue alphabetical declared trace \
    disposal shut voluntary thou consult blogging mask turkish coal pentium intent pleasant \
    announce constructed spoke engagement weird inspired blade suddenly oxygen cookie canyon \
    merely arrangement bibliography compatibility stretch durham cooperative muslim sleeve \
    netscape cricket beef stroke jacksonville strap headquarters crowd surf olympic personality \
    hook roulette decline gloves medicare cord skiing cloud facilitate valve hewlett proceed \
    knife shelf adopt denied incredible britney freeware crop pharmaceutical manhattan katrina \
    islam thumbs cited lite skype twelve decade dispute portuguese tired adverse excerpt steam \
    acute halloween climbing stood sing tons honest albany hazardous stack methodology \
    housewares reputation resistant democrats hang curve creator amber qualifications variation \
    trunk hiking damn colombia camel distributor underlying hood wrestling suicide gathering \
    juice chase mathematical sauce fame extract specialized diagnostic indianapolis courtesy \
    criticism confidential statutory athens detected arising nissan bracelet eggs juvenile \
    injection yorkshire protective afraid acoustic cassette indicator eliminate fusion mineral \
    sunglasses ruby steering beads preference canvas threshold parish cemetery planner croatia \
    stadium venezuela exploration coupon stem proxy astronomy lanka drew costume tagged \
    berkeley adjusted tune bishop corn compression grew slave trek encoding litigation \
    horizontal cosmetic ethical mobility floral struggle suffering neutral spears prospective \
    bedding artificial spectacular coordination brad combo guilty activation haven tablet jury \
    subscribers charm lawn violent mitsubishi basin soup ranch constraints inclusive cottage \
    drunk mozilla byte nose latex delhi locator broke nepal zimbabwe complexity barcelona \
    presidential moscow thesis thru jews nylon palestinian rocky trim nigeria ceiling pixels \
    hispanic legislature hospitality procurement fleet bunch marriott theoretical afford \
    referral surveillance optimal quit distinct lung inclusion brilliant reuters spoken omega \
    civic grill redeem grain authentic regime wanna architectural louisville depend macintosh \
    breath amenities cole mart authorization tale verified situated comparative herbal strictly \
    docs psychological elegant genealogy opposed deemed expenditure brooklyn liverpool critics \
    connectivity hacker madrid margin coin fake salon collaborative excluding turbo voters cure \
    madonna arch bomb harm interval tricks reset brush investigate assault spare logistics deer \
    kodak tongue danish monkey skirt invest honey significance scenario atomic approx symposium \
    arabic gauge junction transmitted oven intensive kingston sixth engage deviant noon \
    correspondence cheat bronze sandy separation testimony suspect macro mandatory crucial \
    syndication celebration adjacent tuition spouse exotic luxembourg cams receptor laugh \
    surgical destroy citation pitch premises offensive imperial dozen deployment teeth cloth \
    colleagues stamp lotus salmon olympus proc cargo directive salem mate pepper weapon luggage \
    burden chef isle stylish slim maple grocery offshore governing depot comp blend \
    occasionally emission spec finest realty penn recruiting apparent probe midi biotechnology \
    excited tied lopez prescribed debug chuck explicit calculation consolidated exclude peeing \
    sept bingo whilst spatial respondents unto ceramic prompt precious sunny necklace leeds \
    composite cedar arranged lang advocacy raleigh stud fold qualify mason diagram beijing \
    attach advised brunswick phys sensitivity preservation calgary interim divine approve chose \
    compound intensity technological syndicate abortion dialog blast calcium pole shield \
    harvest membrane prague bangladesh concluded desperate demonstration manufactured \
    graduation mega bend sailing sacred morocco chrome refused brake exterior greeting ecology \
    congo botswana synthesis olive verizon enhancement clone velocity lambda relay composed \
    tears oasis silicon identical petroleum compete norwegian honolulu beatles lips retention \
    pond malta daddy ferry rabbit profession omaha tire participant chad electron motel \
    treasury warrant frozen occupied royalty rally observer sunshine strain drag ceremony \
    arrested provincial ripe yamaha rely hebrew rochester dying laundry stuck solomon adjust \
    encryption sophisticated imposed soviet treaty vocal organ vegetables lemon toxic nuts nail \
    vienna implied span stockings joke respondent statute rejected satisfy shelter chapel \
    manufacture vulnerability celebrate accredited appliance compressed bahamas mixture bench \
    univ radius mortality logging hampton pads bobby impressive architect cheapest contributors \
    salad monroe foam paste discretion tanzania preserve poem repository praise venice estonia \
    christianity veteran executed realistic integral relax namibia congressional synopsis \
    prairie composer bean absent ecuador coral pixel float bias bubble acquire contrary \
    millennium tribune vessel admitted dairy admit fancy equality samoa fisheries companion \
    squad ashley scroll swim suffer martial victorian retain execute tunnel cambodia lithuania \
    wheat chronicles beaver distribute decorative confused enlargement accused unity loud \
    conjunction indigenous begun brunette socks validation parade corruption stat trigger \
    incentives cholesterol gathered slovenia notified differential dramatic terrible cruz \
    pendant baptist scientist arthritis bios taxation fever cuisine transcript theorem \
    inflation thee pray stylus pope reasonably jeep chicks bare hung cattle radical rover \
    controlling flame monetary elderly arlington mono particles tile bolivia spell coordinate \
    kuwait alleged limitation compile squirting struck illustration plymouth construct apps \
    bridal annex inspiration tribal curious freight rebate eclipse sudan shuttle aggregate \
    stunning detect ciao knee prep complicated chem fastest injured decorating courier hints \
    collapse beverage tribute elvis immune latvia forestry barriers cant infected genesis \
    barrier argue bicycle furnishings letting arise guatemala celtic particle perception advise \
    humidity bangkok renaissance pathology ordinance chess brisbane survive duck reveal amino \
    herbs manitoba lying strict dive saddam circulation drill assumption jerusalem hobby tries \
    invention fiji technician enquiries audi trick enquiry closure raid timber volt intense \
    registrar steady dirt myers predicted saskatchewan cancellation enrolled screw blame geneva \
    veterinary dist relevance incentive tucson mechanics heavily fifty numerical geek uncle \
    sink accompanied invitation devoted sodium randy spirituality hormone proprietary brick \
    grip naval medieval porcelain watt decent dayton columnists reno diploma cabin scanning \
    consensus polo valium horn eddie uganda prot trivia perth frog grammar intention syria \
    hazard retro boolean circular anger snap bizarre auckland identifier ribbon suzuki trinidad \
    handy swap exempt accomplished impression slovakia flip correlation gorgeous capitol \
    barbados chrysler nervous refuse fragrance mcdonald replica plumbing brussels tribe superb \
    buzz nuke trinity charleston calm exhaust shanghai vocational copied scotia fork troy batch \
    organize alter latino ghana fitted albuquerque harmony distinguished asthma regulated \
    triangle amend anticipated zambia hydrogen sprint comparable chick advocate sims confusion \
    tray medal harbour knives vulnerable arrange artistic booth indie unified breed detector \
    polar fallen precise respiratory gather maternity colonial embassy cave journalists danny \
    slight amongst wool arrest volleyball horizon bosnia patio tolerance creativity optics \
    pursue eyed quotations grab inspector attract succeed lending oops initiated sullivan \
    karaoke trap fool lancaster suspended observe collar simultaneously racial integrate \
    bermuda sociology confident retrieved consortium dies terrace bacteria replied ought \
    delicious jail finite kidney periodically durable mazda allied moisture hungarian roster \
    wichita uruguay educators vegetable humanities custody scratch alignment britannica comm \
    rocket bullet lace nasty visibility consciousness ugly beverly encounter trustees forty \
    priest floyd queue trance locale biol bundle hammer invasion administered fujitsu arctic \
    beneath strengthen defend medicaid infrared seventh belly aggressive stolen soonest haiti \
    disturbed sculpture poly fist motivation lenders fitting fixtures mere petersburg cons \
    surplus elder sonic obituaries cheers taxi appreciation belarus providence thumb \
    restriction essence ethiopia mighty athletes humanity transcription complications scholars \
    snapshot worn synthetic expo dominant itunes stomach buried newbie minimize wilderness \
    debut deny bali fraction trio cube defects volkswagen uncertainty subsidiary clarity rugs \
    adelaide furnished monaco settled emirates terrorists airfare beneficial vaccine belize \
    crap volvo penny robust bookings threatened minolta ivory alpine prediction fabulous remix \
    alias thesaurus literally ecological spice oval implies soma appraisal consisting maritime \
    periodic submitting prospect shipment geographical donor mozambique tension benz trash wifi \
    tier earl manor envelope disco sheffield bailey emotions wellington bulgarian eternal \
    cashiers guam cite aboriginal remarkable rotation productive boulevard metric compliant \
    minus imagination refurbished armenia varied closest activated actress mess politicians \
    accommodate premiere lender shade chorus rhythm digit dietary symphony sudden precipitation \
    lyric isolation sustained approximate rope dump fountain chubby legitimate investigator \
    plaintiff finnish gentle hose mediterranean worthy freelance excessive devon screensaver \
    valuation cigarette characteristic lobby tunisia metallica consequently punch gotta cowboy \
    narrative bahrain enormous karma pubs defeat distinction honduras naughty exemption \
    sustainability shake formatting silly mercy hartford wrapping mild nicaragua readily \
    affiliation fence nudist infinite clan shame satisfactory revolutionary sync telephony mesa \
    remedy realtors genius aerospace meaningful adapted wherever democrat borough marble hull \
    surrey accreditation blackberry meditation modular macedonia shed balloon memo tide \
    kazakhstan funk qatar magnet porsche cayman jaguar reel commodity posing wang bind rand \
    urgent cylinder buck indication puppy acre surround expires aqua chen consultancy patrol \
    smell pest carnival roughly reef divide stakeholders consecutive satin deserve promo chan \
    worried garbage peninsula boring schema sofa vacancies quizzes parliamentary prefix \
    savannah barrel nerve deficit boulder renew viii myanmar floppy texture somerset incurred \
    acknowledge thoroughly antigua nottingham tent caution questionnaire qualification \
    modelling miniature dept hack dare aerial hawk consequence rebel systematic perceived \
    textile madagascar tobago uzbekistan magnitude hindu vocabulary licking earthquake \
    fundraising albania geological wicked roommate computational junk impressed slope reggae \
    poet conspiracy surname theology evident rehab epic saturn allergy sake preceding merit \
    enzyme edmonton tackle condo pokemon amplifier arbitrary prominent retrieve lexington shaft \
    lean casio kitty dude drain monte algeria blessed cornwall potato panic leone excuse \
    basement onion strand sandwich alto informative cheque hierarchy reject italic merry scuba \
    gore complement cult dash passive mauritius cage courage verde gazette hitachi extraction \
    batman elevation utilization calibration anaheim ping dried entertaining prerequisite \
    frontier settle stopping refugees hypothesis flux derby peaceful pontiac regression \
    doctrine scenic renewable sewing consistency conclude recognised munich oman celebs propose \
    azerbaijan rage astrology pavilion tactics travelling pillow induction harley paraguay \
    steal parcel fifteen incidence predict boutique acrylic toddler flavor alike horrible \
    hungry metallic acne interference palestine undo cadillac atmospheric malawi halo publicity \
    marathon gasoline scout belfast exec dealt niagara catalyst allowance denial designation \
    thrown prepaid duplicate electro criterion badge wrist civilization vietnamese heath \
    tremendous ballot lexus validity trustee maui angola squirt realm helmet yemen tsunami \
    scholar nickel geology creatures wallet accomplish drainage rouge yeast ambassador intend \
    vegetation doom kenny hitting yukon bite aquatic reliance myth infectious singh ferrari \
    continuity brook phenomenon ensemble insulin biblical weed conscious accent eleven wives \
    ambient utilize adaptor auburn hyundai pledge nitrogen xerox dice merger quad dock mods \
    organised rwanda papua hint riders chargers rendered charitable annotated convinced \
    burlington watershed nudity kruger granny pork equilibrium viral inquire characterized \
    laden aruba realtor merge privilege chassis dubai estimation barn fleece fare pierce sperm \
    bald fuji mold dame yacht herb breach traveller appropriations benchmark beginners \
    stationery idle mustang competent momentum calvin contributor grateful emerald gradually \
    desirable tract ballet bumper afterwards garlic hostels shine senegal explosion banned cove \
    mumbai ozone casa tariff opponent pasta simplified serum wrapped inbox focal bibliographic \
    eden distant incl champagne decimal deviation superintendent samba hostel housewives employ \
    mongolia irrigation miracle reid hydraulic flex penetration wound belle conviction hash \
    omissions hamburg lazy retrieval lolita apparatus terrain gossip rangers nomination \
    empirical rotary worm dependence discrete beginner polyester cubic deaf sapphire kinase \
    mats remainder crawford specializing serbia sheriff blah mime elect concentrate intimate \
    preston cunt bunny chevy molecules longest refrigerator dentists exclusion holocaust keen \
    peas dosage urls customise variance navigator cameroon marijuana adaptive computed needle \
    cathedral nirvana sticky generous emacs climb fascinating lafayette computation \
    cardiovascular cardiac salvation accompanying vatican brutal selective arbitration token \
    zinc guru removable convergence gibraltar levy numeric anthropology skating kinda aberdeen \
    grad malpractice bras educated necessity rendering obesity vertex andorra expired flush \
    waiver pale humanitarian delight survivor garcia alexandria bacterial moses declare \
    impaired tear jewel teddy convertible painful velvet tribunal funky secretariat gale \
    adolescent scary mattress brunei likewise banana introductory slovak reservoir occurrence \
    idol worcester tooth disciplinary annoying affair drove upset logan mentor interpreted \
    fought baghdad elimination hypothetical immigrants complimentary helicopter pencil freeze \
    moss concord endorsed walnut ladder italia dramatically liberia sherman cork maximize \
    hansen mali yugoslavia bleeding colon likelihood purse contamination endangered compromise \
    optimize dome expiration align peripheral bless triumph nominated electoral welding \
    deferred heel alloy yang gently greensboro tulsa casey controversial fridge blanket fraser \
    justify surge trauma tahoe advert possess defensive subaru forbidden vanilla programmers \
    deutschland picnic motivated dumb smithsonian hollow vault groove revelation pursuit \
    delegation transparency travis niger bacon colony circus forbes moldova descending spine \
    trout enclosed feat temporarily thriller transmit fatty scanned municipality surgeon cement \
    endorsement missile intranet persistent conf glow auditor aquarium violin bracket oxide \
    magnificent colleague naples adaptation harmful prozac enclosure dividend newark glucose \
    phantom norm westminster turtle absorption warned neural ware fossil apollo persian \
    continually communist collectible grenada jade scoop foul keno biodiversity excitement \
    somalia movers verbal blink mysterious novelty bryant librarian stockholm tamil pose fuzzy \
    indonesian grams therapist toolkit relaxation goat render temporal sail forge dense awful \
    southampton istanbul impose organisms sega telescope asbestos meyer savage advancement \
    harassment willow bolt gage wagon barbie favour favor knock urge thorough replication \
    optimum neon quilt huntington creature syracuse internship lone aluminium evanescence \
    subtle maldives firmware antarctica cope shepherd canberra cradle chancellor mambo lime \
    kirk flour controversy legendary sympathy choir blond polymer hygiene poultry virtue burst \
    bouquet immunology spas corpus terminology fibre fiber convicted indices adware threatening \
    spokesman zoloft activists frankfurt halifax cursor assembled earliest insects crude maiden \
    myrtle bored yarn knit budapest conceptual bhutan liechtenstein compute translator tractor \
    allah continent longitude pike constraint cologne smallest insulation marsh scared theta \
    infringement bent laos subjective asylum robbie stake swaziland poison ethnicity dominated \
    derivatives lesotho rifle severity warfare judiciary embroidery mama racism interpret \
    accord modest gamers licensee liaison bulbs consuming sandals clarify activate waist \
    seychelles fatigue patriot sewer bosch detention complementary cosponsors gallon coil \
    traders bitter memorandum cardinal burundi incredibly delegates turks roma psychiatric \
    teenagers depart cuban distinctive resin allies monterey linen ascending nominal alicia \
    decay weaknesses quartz eighth usher authorised phenomena buffet skate vanuatu joey tilt \
    supportive granite repeatedly lynch athlete franc bead enforce preschool similarity leak \
    compelling vouchers megapixel cancun reimbursement urine cheryl capri towel ginger \
    italicized suburbs imagery chromosome sears flies competence crying crane deployed governed \
    considerably rotten popup garnet habit bulb scattered honour coupe benin bach erosion \
    abundance carpenter khan fertility formulation clever fresno crescent negotiate sixty \
    exploit orgies distinguish hogtied spark illustrate patience shallow stir spike ingredient \
    togo spectra curtain tactical copenhagen pile operative humour maturity distortion \
    prosecution tonga imprint sanctions goodbye viable emerged defect goddess spacious loyalty \
    ballard faithful hunks appellant libya offence terminated lithium sedan pony comprises leap \
    bolton covenant dropping calories archaeology reagan sailor banquet sanctuary flora \
    einstein statue quotation caravan harness manipulation vascular yankees toxicity \
    transmitter denim andre scat delphi trophy emotion buick slipknot nets asterisk versatile \
    liquor kindergarten clayton bash derivative suffolk occupancy educate baked glove \
    herzegovina constructor probable issuance evolutionary decoration trojan enacted tenure \
    plush diagnosed biotech turkmenistan nelly brent kyoto definitive lansing adapt regulator \
    carriage terminate brett anchorage neat stern shawn lacrosse dentist eritrea tutor \
    comprised winnipeg mickey debit domino dwelling slice tanning gambia aspen symbolic \
    objectionable lemma kyrgyzstan mediation venus bump primitive dolby ecosystem dashboard \
    norwich alzheimer pause simplicity periodicals infinity gabon notation aunt semantic \
    concurrent caption globalization atari complain pulmonary adhesive toledo compass closet \
    reebok couch evolved rogue electronically wilmington renowned corridor philosophical \
    scripture sahara justification vacant manuscript gram alphabet shelves toes optic insect \
    grief leicester sweat ventilation celeb bust assoc quake alley telegraph pertaining \
    memorable monument taxpayer cola boise nevis saab lavender justified breeze gems cert buffy \
    tajikistan yankee snacks deficiency saddle malaria loyal torrent dentistry renal fedora \
    spite nero imply inaccuracies tendency caledonia wholly chill embrace binoculars manila \
    auxiliary initiate elevated vivid allegations stationary corresponds daemon foil whitney \
    stairs steroids pogo amps critique coefficient continuation carnegie servant comprising \
    tick terrier hussein variant riley biochemistry duplication equatorial critic sediment \
    scottsdale avalon vans voucher honeymoon percussion glue cone spinning epidemiology \
    spectral diabetic prevalence dominica contaminated fragment biomedical embroidered bucket \
    steak cobra gucci threw sutton djibouti authorize cheney zombie decorated cherokee recruit \
    gals simulator dessert dissertation ninth mutant marry enthusiasm confusing bounce spiral \
    specializes mauritania drake ramp jakarta roosevelt surprisingly della laurel fried cairo \
    ambulance domination shrimp jensen chords impairment scooter molecule dedication \
    cheerleader cried psychic substrate sincerely ashanti antilles ukrainian efficacy prestige \
    cocaine accelerated pinnacle tucker responsive supra omitted proximity pear suriname \
    collision supplementary palau scandal duff scam scream discrepancies willie rival simulated \
    culinary fairfax beige rolex propaganda waterloo warwick coli executable mitigation tome \
    prof dependency dioxide genus cutter aperture dixon elastic melody cousin hath torque \
    burial balcony prop camden oncology neglect emerge winchester clutch woven auditorium maid \
    canterbury trent barber intuitive rigid degradation orthodox holistic salsa encarta mariana \
    qualitative diffusion baton polynesia barton umbrella napster rods wong stimulation pigs \
    debugging rechargeable refugee lancashire headache stained marital slavery evite feasible \
    micronesia credibility fest montenegro deed sauna whirlpool sustain mechanic bauer \
    rejection dissemination cosmic dawson defective deletion hoover macau elective forensic \
    botanical quartet suspense cruel commencement conform organizers eager hypertension vacancy \
    papa strawberry chang counselling elevator pupil canton warn bonnie cops fedex strive \
    martinique ankle peso lego easiest borrow bamboo denotes vibration stepped vent blunt hamas \
    react insane colonel mozart acceleration sketch visualization pitt deduction capsules dots \
    aston mugs brokerage resonance mosaic fiesta vase flute durability boeing meadows hindi \
    presley harsh burma cease paradigm overwhelming linguistics standardized lyon nutrients \
    kosovo altogether dignity barbuda cheshire descriptive inst feasibility pier sioux cote \
    jenna lutheran syllabus valencia rodriguez activism splash fargo equip saga leverage \
    probation gran hedge anguilla fender violet dancers mutation compulsory curry oblique \
    activist dewey pouch advent exploitation mayo tasmania mansion surrender schneider arsenal \
    pyramid knoxville como lisp limousine affirmative residency spoon niche fortunately cigar \
    erie berkshire credentials deprecated chin squash expectation spotted curse ajax coconut \
    interrupt wont liberation luxurious lumber illustrator potassium shout rationale hubs \
    pasadena presidency abnormal bissau delicate convince straw citrus reuse sightseeing \
    alcoholic bakery lieutenant orchid widget renault variability comoros suede observatory \
    soda preventive peach breathe diaper dunn ounces economically uncut intact duplex delegate \
    congestion stove refuge brady guadeloupe nutrient carved freak obstacles govt preferably \
    bluff formatted sadly avail regulate inhibitors prestigious deploy trousers hatch spill \
    drift autism martinez crisp coronary bldg mediated prom reinforced johannesburg buddhist \
    inevitable etiquette rookie environ theatrical cubs ritual kerala pulp onset specimens \
    initiation assay jacuzzi reconciliation pots parser slam plaque lowe crib snack autonomous \
    appropriation condensed philippine theological scenery coca peugeot bollywood horoscopes \
    noun xmas silicone collateral swallow tara proliferation usenet squid trilogy crab brooke \
    consumed hike bore depreciation pharmacist marley enjoyment cows austrian correspond slate \
    confined inhabitants morton peel jupiter simultaneous monopoly debris robotics pagan \
    chopped vibrant evolving approximation skies barrett init canoe sovereign corrupt violated \
    correspondent drought bake oslo symptom laughter foreclosures propagation ignorance \
    pesticides explosive inventor juicy fave ashlee moody vicinity thyroid purification heal \
    horoscope invasive prosperity helsinki vuitton pedal plantation tote seemingly narnia \
    passionate staples sour combustion scrap administer bilateral bella beneficiaries \
    disposable sock copier terra literal charcoal beware aloud glorious overlap foreclosure \
    clarification bail goose espresso judgement hendrix esteem cascade endorse shelby ancestry \
    nucleus tees detached mist verb chic hydro spokane phosphate playa noisy abide sentinel \
    vest economist grooming meridian regret validate rotating brigade movable bliss filmography \
    humiliation litter reflective outerwear abbreviations greenwich parse rugged jelly \
    renovation puma appoint attendees panthers ignition humble petrol mania accelerator clare \
    recognise tacoma hostile aphrodite radiology rant trapped diplomatic fringe linguistic \
    planetary tungsten desc shutdown gaza influenza gill rude sang steele peptide sweatshirt \
    hassle regents exeter docket amusement nordic curl albanian geometric subsidies taxonomy \
    deli intern implicit patriotic simplify darling ornaments oppose terrific definite \
    bangalore congregation regiment cheer everett clutter marty predator vine vale deceased \
    belgian coventry falkland clamp mammals madden russ inequality educator premature tripod \
    immigrant alright limo obsolete rust pesticide interfere shuffle wardrobe fabrication guilt \
    sweep avid bladder inflammatory immunity encrypted bets wholesalers vince neighbourhood \
    carr fade fluorescent cookware scrutiny lunar invented gradient programmable chemotherapy \
    gwen expose precautions dysfunction lisbon monk diazepam weigh rodeo clerical hobart moose \
    dorset corrosion conscience crush mystic solicitation rectangular pooh enthusiast afghan \
    inspire torn revival lever redundant regency tasty informatics oakley heck tarot bark \
    purdue cocoa cushion lynx figurines maternal specimen jedi seamless ancestors ghetto \
    vineyard meadow panty mercer chloride kane becker councillor hurry influential carlson \
    beneficiary hanson panorama kiribati telnet clash fidelity castro flew peanut holden nauru \
    rhapsody trumpet solitaire kaiser neurons emergence feminist apex crimson compassion \
    pronounced stain transient curb gadget reign trivial deco coke baron sensible unlawful \
    bates brasil thrust unicode prod hewitt delightful cane fury discography stiff encoded wore \
    rabbi sushi puffy asap headings ridiculous scattering elbow stark strongest hammond \
    swimwear padded applet circa revise proficiency quinn uranium consolidate antigen stafford \
    procedural labrador refusal lima suppression weaver readiness secular majesty fishery \
    outdated aussie pewter belmont distress pumpkin notably garment bilingual barbecue \
    localization razor cough cerebral grandma customization gigs lori arrows montserrat \
    presumably coatings eureka plea constructive tibet pres systemic garrett abundant \
    deductible accompany hesitate specialize prey zodiac pavement pedestrian bloomington artery \
    inlet violate stimulate realise lick stealth nucleotide ness bronx canopy gloss panda whip \
    porch pertinent collegiate construed concise isuzu handful eaten indigo kelley prohibition \
    tuvalu shampoo emphasize excite neoplasms hilarious salisbury pseudo steep dinar dynasty \
    creed carat nobel elegance volatile sensory scrapbook dummies magnesium unfortunate seized \
    territorial consisted randolph faxes plump alkaline expire midst methyl borne ramada \
    neighbours marvin tempo getty almanac conway denote slayer payne prog tibetan consumables \
    rodney fulton nationality torch zurich depressed haunted symmetry bout cont olympia \
    negligence carlisle aromatherapy rancho stockton stepping attic sensation airborne morality \
    wealthy skinny sewage endowment amos wretch racist ventura convey govern feather fond sore \
    aaliyah fiat traits intrusion guiana underneath prohibit metabolic sarasota avery tenth \
    anthology prosecutor capsule relied suspend eternity michele aide cutie notch mapped \
    resurrection lieu decree seoul tuberculosis elaborate contour gamble descent gravel \
    disturbing shutter illusion ambitious notorious ibid sequential assert goodies fluctuations \
    bowie auth archaeological inspect thrice babylon edison casualty musings whistler \
    huntsville mushroom designate scent sequel gymnastics knob exquisite herpes dundee principe \
    contractual akron grasp streak ounce thirteen tragic irrelevant compressor toast happily \
    shrink knox carcinoma taipei stance exodus compartment gemini kinky brittany dove testified \
    derive affinity presbyterian supervisory pretend amnesty chiropractic gloucester owens coll \
    quota discreet versa mack sung starr tuscany jigsaw jumbo tickling turbine advisers \
    physiological lett maths generalized unprecedented frustration flint dummy awake sanitation \
    swivel ally cleanliness varsity croatian inhibition burnt solidarity frustrated alma \
    hanover clifton isis verdict nominee proton recurring rhetoric incubus impulse dull \
    commenced coherent beetle majestic roast complainant inhibitor localities hummer reciprocal \
    accelerate putative manifest petty permitting hyperlink robbins zeppelin shiny carmel \
    encore smash kimberly braun destructive dinosaur ample repealed royce abusive sophomore \
    antibiotics scarf riviera apprentice obscure napoleon glamour slashdot sigh trolley spicy \
    chronological itinerary beard percentile wedge mock bats ruins ripper benton chateau \
    homestead burger microscopy sergeant melt syrian hyper cypress courtney prospectus \
    encouragement pollutants directorate faux supervised savvy serenity pant sheridan \
    attainment sanitary terri cooperate implants fortunate hype silva grease urinary cairns \
    premise epidemic condoms rite cinnamon zelda alba fetal lattice dong realization absorbed \
    chord turf asphalt improper livingston tangible placebo comet berg baltic corrective \
    competency muse tyne lotto youngest contingent syrup warmth hawkins lust correlated \
    nanotechnology astronomical solvent toggle luna amplitude aesthetic dion irregular \
    filtration certify jude eighteen singular incremental jennings corr baxter abdominal erase \
    lien prose vein scalable hale swear clown spontaneous taboo equestrian olson malicious \
    consume amazed legislators volcano fremont skeleton honesty dwarf battalion caesar savers \
    stellar davenport monogram ornament graffiti tiff refrigeration threaten natl bait extern \
    enron kitten glossy alterations lethal biographical cavity probate terrestrial decals \
    incense formulated dough stool millionaire turquoise archival seismic baccarat boone horde \
    mommy nanny suburb smokers cohort bellevue glacier pueblo rigorous gigabit allocate relieve \
    aftermath roach clarion angus enthusiastic lame squeeze burgundy farewell ashes natal locus \
    hillary factual spectroscopy gemstone elton purity cellar gonzalez friction prone dior \
    equitable fuse lobster judaism goldberg atlantis amid preteen insurers corinthians furnace \
    malaysian inflammation ideology anxious norris cervical baptism cutlery tallahassee knot \
    attribution staffordshire evolve yuan suspicious tate dartmouth brewing coop blossom scare \
    bergen kris thief feminine grabbed nichols fulfilled nautical imprisonment gutenberg ashton \
    muscular motif illnesses plum saloon prophecy loft historian identifiable facsimile ethanol \
    cannabis dynamically comprise grenadines lump constr chestnut engraved halt alta locality \
    substantive spear referee ethereal aero bury williamsburg insist birch supp slash snyder \
    howell digestive scalar entertain cinderella sesame duct seiko lend corvette stacy annotate \
    mont misuse helix speculation dixie biomass assertion hierarchical lesions shook \
    lincolnshire allergic prolonged unanimously sausage addict matte centralized slaughter \
    enlightenment pistol seymour genetically zebra arithmetic bombay enrichment chennai buckle \
    fetch ions divers faroe glendale admiral patron boiler anticipate logon induce annapolis \
    padding popcorn diagonal unite polk niue shear mortal sovereignty cleansing genomic gown \
    archery sabbath ruin trump nate precursor avian matrices cereal comprehension mellon champ \
    personalised hospice harrisburg augmentation annuity assortment credible deliberately recap \
    crawl chanel sparkling jabber rotate flaws este amortization fragile jeremiah olsen serbian \
    radiator sanchez amherst alteration trainee nielsen centennial tuna bluegrass hazel wipe \
    ledger scarlet acronyms referendum modulation communion caldwell latency messy squadron \
    rupee subsidy demolition empowerment felony vinci haul acupuncture acknowledgment duly \
    grassroots mick gentoo mustard strait obey conceived boasts multiply radial mare instructed \
    stole kirby summarized avalanche northampton managerial cary disciples shaving humorous \
    tonnes corona heap griffith investigative erection quasi energetic disturbance saunders \
    breastfeeding mccartney anglo cashier randomized flea pals gerry hail armenian longitudinal \
    kappa neuroscience optimistic decoder genocide acclaimed seldom indy glitter snoop winery \
    contingency photon wiltshire vague rusty herd handicapped fayetteville champaign sting \
    bravo believers diagnose dispersion curiosity trivium persistence coarse blessings \
    prevailing originated intrinsic thoughtful hertfordshire calf basil dominate contra \
    populated boiling splitting mclean derbyshire rave encoder inference weiss chattanooga \
    maroon excursions jerk shack marrow kawasaki bose tavern lambert epilepsy goggles foregoing \
    specificity certainty sleek osteoporosis antarctic successive monty jukebox classmates \
    hitch fracture nexus foremost nineteenth chesapeake tango mahogany garner nassau flap \
    ignorant karate marcos carte canned endurance teaspoon insulated dupont philosopher \
    rectangle queer decatur wrapper buchanan drummer symmetric appellate comma conformity \
    insightful fulfilling diva seminary emulation lengthy fortress contiguous perez explanatory \
    settlers ministerial torah busch bipolar sermon ferdinand taps thrill lagoon undoubtedly \
    menopause gainesville eclectic reluctant ramsey oath pigeon xemacs constrained parrot \
    magnum invoked inclined gala cheek traction utterly illuminated psychologist dane perpetual \
    kinetic caffeine solicitor glimpse verbatim innocence attributable tertiary attain calorie \
    inconvenience tang graphite vaccination stroller farther bowel mafia riot predictable lilly \
    shire susceptible mosquito kashmir lipid speedy ming quot ritz lush clyde honorary irwin \
    brewer adhere fran merrill oldsmobile enquire misty lindsey parity grim conserved hubbard \
    vending prism flop aggregation batting toss depicted ripped cobalt pity recombinant ubuntu \
    kayaking synergy aspire garfield groom saturated quincy accidentally doughty dudley oprah \
    fixture glassware canary steadily darby woke clergy kayak mayotte altar salvage stanton \
    orbital kilometres cuff lithuanian reps oyster sturdy massacre panoramic risen rhino \
    polynomial imperative stakeholder digging evangelical eaton signifies stochastic santana \
    kidding swept swansea seventy problematic troop arose decomposition chatham becky farrell \
    conquest heroin assemble hogan whistle dresden diversified oldies fertilizer predominantly \
    amethyst debra concerto adorable ambition torres apologize restraint eddy condemned parole \
    corey kendall ninety stewardship cues kerr flock chung hypnosis ammunition vega shortest \
    shave disruption galway colt artillery furnish precedence applicability volatility grinding \
    rubbish missionary swamp bordeaux tornado upstairs manipulate hickory renovated inmates \
    conformance bittorrent cody beethoven faint collaborate tentative peterborough fierce \
    authenticity rene gland wigs resignation zion fraternity hunk lymphoma tapestry originating \
    chap inevitably freebies converse winnie stoke warwickshire penguins jeeves harp phat \
    escrow denton tack sack inferior jockey kauai
    """
}
