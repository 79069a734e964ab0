/// Words that look like several of ``FrequentWords``, and are one.
///
/// The most frequent ones of symspellpy's list (MIT License, see ``FrequentWords``), after some names and titles.
enum CompoundWords {
  /// Words with spaces between.
  static let text = """
    bluebeard middlemarch watership earthsea neverland redwall moonraker starship stargate \
    winslow lovecraft vonnegut skywalker silverstone blackmore woodhouse waterhouse stillwater \
    heartstopper spellbound underworld discworld ringworld riverworld dragonlance warcraft \
    dreamtime spacetime treehouse sanditon brideshead gormenghast silmarillion shipwreck \
    clockmaker bookseller goldsmith wordsworth hemingway steinbeck longfellow whitehead \
    blackwood greenwood sherwood underwood holland wolfhound snowdrop stormbringer windhaven \
    nightwatch daybreak nightfall homeland homecoming timeline lifeline northland outlander \
    keywords bondage newsletters bookmark hardcover contractor bargain massage \
    moderator blackjack ringtone bedrooms subsection awesome wallpapers guestbook campbell \
    regardless republican attendance outcome centres indoor shopper sealed capability herself \
    passion overnight generator correction bandwidth earrings analog offset payday deadline \
    broadway southeast teenage partnerships toolbar wearing firewall herein carpet besides \
    collector interfaces bestsellers memphis lookup seasons interactions plugin moderate outline \
    moreover handheld inform furthermore township rankings robinson transformation israeli \
    bookstore donation commonwealth workforce everywhere somebody slideshow passage transferred \
    headset photograph oakland arabia projection panama payable automobile northeast railway \
    translate norfolk artwork bearing connector underwear considerable anymore anybody starring \
    highlight hopefully termination thereof households projector norman suggestion justin \
    spotlight proportion filename weekends screenshots supervision upgrades harrison toilet \
    outreach queensland footwear newport antivirus pickup iceland springfield newcastle baseline \
    brazilian belong soundtrack dominican friendship heather passport somehow homework \
    downloadable accountability railroad microwave showcase generating christina photographic \
    fellowship invalid copyrights mastercard updating airports nevertheless myspace \
    extraordinary hottest widescreen meetup downloading payroll americas techno incorrect \
    thereby threesome protest nickname inline playlist intake informal reflection assure \
    meanwhile innocent adidas undertaken statewide semiconductor mainland interact transparent \
    handled inappropriate davidson developmental windsor keyboards mainstream invoice \
    subcommittee indirect toolbox overcome brighton bookmarks riverside bathrooms midwest \
    nonprofit hereby amanda screenshot seafood playboy referring transform gotten notion \
    powerpoint incorporate lightweight sponsorship headphones breakdown battlefield overhead \
    championships incoming assign armstrong carroll incomplete nightlife footage egyptian \
    headline subdivision livestock tenant weblogs civilian highland microphone brandon hawaiian \
    thanksgiving metadata handbags interstate makeup troubleshooting richardson webmasters \
    postcards cardiff transsexual citizenship lawsuit girlfriend checklist hearings textbook \
    intersection passwords occurring widespread peterson homeless proposition performs postcard \
    newfoundland mileage prostate angela softball musician restored bedford antibody pastor \
    webpage motherboard robertson prototype guyana highways workstation fairfield suburban \
    tomato waterproof undertake nowhere cancelled demographic disclose washer beside metres \
    performer workout greenhouse endless cannon fireplace paintball playback hometown handmade \
    mailman workflow carmen thereafter hardwood erotica portsmouth generates inexpensive \
    snowboard webcast antibodies examinations mandate cleanup crossword redhead insertion \
    groundwater newman outlets notable inland nonfiction homeowners greenland countryside \
    bestselling insure packaged forthcoming carson courtyard tenants underwater transformed \
    landlord assorted booklet turnover inadequate useless northwestern manages oceania \
    insufficient enjoyable handbag bypass freshman playground logout boyfriend pathway \
    newsgroups mailbox sometime whatsoever airways headsets alongside freeman residual \
    profitable postgraduate wastewater incorporation assistants counselor waterfront woodland \
    iranian inactive accession therein postcode withdraw landmark georgetown postscript \
    interviewed augusta infantry motherboards inherent romanian usability backyard pathways \
    newsroom withdrawn backpack outgoing sheraton taxable progression capita guideline \
    demographics allison outlines hotline accountants upstream wheelchair pentagon subset \
    followup wherein lotion beaten homemade freshwater parkway timeout accountant offender \
    pentax restart overstock daylight fireworks memberships ticketmaster willis childcare \
    soundtracks superstore undertaking notwithstanding multiplayer shareholder freestyle \
    southwestern smartphone profound microbiology protector understands firearms overtime outfit \
    aboard perfection superman chairperson handset maxwell churchill mentoring keynote \
    classrooms deadlines bookshop nonetheless conductor grandfather indirectly asleep whoever \
    subway mankind paramount upright selector subtotal herman underway newborn shortage \
    inability transplant scoreboard straightforward footnote southeastern rainfall hardback \
    inconsistent backward markup breakthrough williamson handsome homeowner warsaw nonlinear \
    objection radioactive birthdays grandmother downstream midway viewpoint conception overflow \
    whereby outpatient switchboard nonsense timetable workstations meantime midland goodman \
    subunit awaiting offspring dishwasher wallis theatres accountable novice spreadsheet \
    christchurch weston onsite lifestyles ultrasound homosexual spacecraft deposition lifelong \
    interchange autobiography microphones roundup campuses forgive usable readable firewalls \
    waterford transferring clearwater honorable handicap iraqis shortcut sunlight profitability \
    evergreen bearings sixteen newsgroup successor grandchildren trafficking protests daytime \
    residue upward throughput whichever percentages addison americana inverse dickinson christi \
    ballroom stevenson knowledgeable hatred behave getaway angelina claimant countless landfill \
    wavelength entrepreneurship linkage clipboard sirius dominion wolfgang frameworks milestone \
    wetland fourteen capacities someday northeastern multicultural candid schoolgirl microscope \
    countdown checksum towing rosemary paperwork succession lineup worksheet override prototypes \
    proactive goodwill bulldogs worthwhile overlooking blackwell standby subtitle manson \
    pastoral crossroads autonomy housewife christie legion overland backbone runway townsend \
    speedway sundays upside debtor supermarket anyways passages exhibitor sportswear incomes \
    restoring behold subtitles workload highlighting masterpiece cellphone donkey intercourse \
    armour uploading thunderbird bylaws samson sidebar awhile overlay pakistani showroom carpets \
    submarine blackpool hallmark counterparts parkinson abandon transformer crossover runoff \
    moderated allowable instability sonata bookstores inaccurate armani inbound withheld \
    shortlist headphone invaluable keystone workspace softcover subsystem grandparents cardboard \
    skyline perimeter playoff payload toilets congressman downward superstar closeout inflatable \
    coursework profiling undergo airmail skincare workbook timeshare woodward timeless arabian \
    cornerstone manifold disneyland lawson frontline anthem nowadays woodstock campground \
    halfway amending railways wildcats redwood thereto martini songwriter woodworking alexis \
    sanford questionable seaside suitability forrest aftermarket fellowships freeway safeguard \
    subclass interacting undergoing jameson interpersonal uptake newsweek ideals gateways \
    overweight amusing guidebook backstreet bloodhound madame interviewing playlists subversion \
    indoors flashlight rockford lineage supernatural overlooked dragonfly manpower billboard \
    hopper abstraction watchdog midtown protestant courthouse theresa housekeeping overload \
    moonlight affection dealership multinational footnotes attendant roadside travelled lakewood \
    electronica inpatient partisan tomcat fashionable overdose standalone antitrust fireplaces \
    signage sidewalk blueprint shotgun surveyor rivera sandbox premiership driveway fairbanks \
    greenfield handsets inorganic withholding getaways landmarks seventeen bulldog downhill \
    outward earring datatype sunflower isolate streamline infamous waterfall goldman \
    bodybuilding portage yellowstone portability yearbook contention bangor postfix incompatible \
    roadway teamwork blackboard pinball footprint labelled horsepower ineffective scorecard \
    makeover cookbooks barrow posterior thereon checkpoint needless lakeside interconnection \
    carton transforms outlaw landlords townhouse pipelines lakeland lookout injustice backstage \
    autograph overcoming firearm birthplace understandable showdown multifunction \
    rollover shockwave touchdown eastman offended horseback callback creditor outback mandates \
    secretion linkages bitmap undermine athena turnaround rockwell screenplay endpoint heartland \
    blowout oversee waveform wonderfully whitewater noticeable heavyweight storytelling barred \
    counterpart viewpoints craftsman nightclub flagship openoffice respectfully \
    merchantability bridgeport assigns pointless jamestown walkman midget saltwater herring \
    comeback sinking downtime takeover outright mainframe heartbeat timezone waterways \
    childbirth shortages outbound breakout restless workaround cation flagstaff turnout firefly \
    tabletop freshmen israelis headlights hereinafter subcategories quarterback upscale runaway \
    payout interconnect chinatown mindless supermarkets underage timeshares hardship carleton \
    weekday outpost subgroup assays backdrop sweetheart businessman clubhouse greyhound \
    transgender helpline noncommercial overcast videotape digestion dustin soaring transverse \
    withstand subsections homepages statesman informs briefcase hereafter paranormal artisan \
    preferable catalan spreadsheets farmhouse courtroom goodwin subchapter \
    augustus hillside standpoint nationalist oneself contraction undercover joystick underline \
    countrywide snowmobile uptown subparagraph worksheets diffuse overdrive helpless flatbed \
    transnational paralegal underwriting collectable barking voicemail handwriting playhouse \
    daycare chilean coastline booksellers faction shellfish ascertain inward reflector \
    meaningless melinda godfather expandable antony hereford dickson transferable centred \
    originator householder overlook graveyard superbowl artworks outset insecure longtime \
    handbooks discourage hallway eastwood handspring doorway grandson showcases offending \
    forgetting guesthouse barlow metaphysical insignificant microprocessor handout cutoff \
    railroads martina headlight showtime oceanfront allentown electrician parasites louisa \
    stephenson incapable undergone inversion thankfully hatfield landowners giveaway nightclubs \
    checkbox weekdays camelot storyline airway anyhow waterfalls upheld subsets typewriter \
    upland hardin outage pilgrimage booklets ascent rowland footsteps indefinitely worthless \
    matchmaking abound filmmaker sandstone smartphones bookkeeping inefficient parasite moreno \
    horseshoe bedtime catfish doubletree hotpoint skipper extracellular pageant stockport \
    overdue firebird girlfriends songbook friendships kindred amends stereotypes nineteen \
    storefront outsource clipper priceless underwent faceplate discouraged inherit gladstone \
    beforehand checklists upstate airbus austen roberta outbreaks subcontractor giveaways \
    turntable passports propositions outboard respectable pinpoint homeschool microwaves \
    passover sideways fairway platelet setback subcategory turnkey intermediary dealerships \
    rosewood mailboxes farmland rampage persona macarthur powerhouse witchcraft stopper \
    photocopy stardust motorway sportsman springsteen transports viewable watermark forage \
    dearborn payoff bandit crossfire tearing foothills darkroom beatrice policeman flashlights \
    crystalline goodyear peacekeeping selectable woodbridge intersections hopeless manageable \
    uphold pullman readership groundbreaking villain formidable chatroom wentworth transplants \
    armageddon fallout oceanside bestseller downside patchwork heinrich microfilm allstate \
    wartime faithfully hairstyles boardwalk ineligible wheelchairs insensitive greenpeace \
    schoolgirls armchair candida cheesecake pantry wolfram resultant nestled offend sleepwear \
    sponsorships screenwriter hiphop insecurity amused suitcase metaphysics fearless workmanship \
    shipper microelectronics carpentry mideast interchangeable dietrich rankin amadeus redneck \
    beachfront crosswords clickable onward terminus permeability starred bookcase offeror \
    blackout mayfair cellphones withhold paycheck claimants upbeat handicrafts healed clueless \
    southport radiotherapy newsflash orbits flashback photometry mindset audiovisual queenstown \
    robbed carmichael subtype frankfort orwell closeup hereunder attendants shortfall matchbox \
    businessmen jordanian tagalog indifferent secondhand masterpieces raceway timelines \
    whitehall timetables workplaces hereof freestanding procession offsite maytag watercraft \
    andres footprints subgroups bobcats hostages contestants snowboards ingrid interacts \
    flashcards commentator overseeing assent roundabout cupboard topper sentimental oversize \
    craftsmanship undertook winfield portray expressway steelhead turntables canaan motorbike \
    upfront battlefront domaine drywall careless councilman slowdown partridge newmarket \
    livingstone wildfire bedside robson wildcard sunsets forgiven fieldwork christophe bootleg \
    wildwood germantown tapered subsurface underscore chainsaw gearbox campfire southland \
    goodnight painfully fillmore greenhouses spotlights birthstone summertime airbag cottonwood \
    overwrite resonant postmodern indifference borderline incarnation sunless nonstop backlog \
    filmmaking waterway atrial superstars playable midday interconnected sunbeam subsystems \
    interplay mainline tiered metastatic insofar methadone offsets tallinn starlight airflow \
    doorstep wavelet drawback keyring westward conduction parton snowfall newsstand songwriting \
    nighttime outages frontage ration therefor dateline midterm campsite resend huntingdon \
    backdoor proclaim dropout lockout townhouses blueprints endnote overriding inaccessible \
    soaking bedrock atwood interfaith thunderstorm intermediaries attest sunscreen peacefully \
    fireman interactivity parkland werewolf midwestern intercultural readability transatlantic \
    seaman withdrawing sonora freehold payback endpoints coolant halftime belinda handwritten \
    sandman undersigned restores castor restraining hamiltonian wildcat troublesome hereto \
    clinician craftsmen salesperson superfamily airfield inflow whiteboard protesting heartfelt \
    subclasses floodplain alistair newline underdog copywriting blacklist rooftop goldfish \
    modelled campsites lighthouses landowner ramona intakes peerless atypical haircare mailbag \
    postwar edwardian policemen supernova thanking multipurpose filenames medial underwriters \
    pancake lunchtime outlay airing ramadan lowercase gracefully overthrow firestone letterhead \
    airspace convertor workable groundwork
    """
}
