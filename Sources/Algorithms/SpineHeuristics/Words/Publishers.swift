/// Publishers and their imprints, as spines name them.
enum Publishers {
  /// Names, folded as ``Lexicon/key(of:)`` does.
  static let names = Set(
    """
    D&Q, Back Bay, Back Bay Books, The Friday Project, Friday Project, Friday Books, Cengage, \
    Thomson Computer Press, Computer Press, International Thomson, Universitext, Wadsworth, \
    Brooks Cole, Jones & Bartlett, Packt, Pragmatic Bookshelf, Sams, Peachpit, \
    New Riders, Sybex, Osborne, Birlinn, Mainstream, Polygon, Faber Academic, \
    Bodleian Library, Algora, Zero Books, Seagull, Juggernaut, Rupa, Aleph, HarperTeen, \
    Delacorte Press, Balzer & Bray, Kodansha, Seven Seas, Vertical, Shogakukan, Dargaud, \
    Casterman, Delcourt, Glénat, Dupuis, Soleil, L'Association, Rivages, Stock, Belfond, \
    Presses de la Cité, Zulma, Verdier, Armand Colin, Vuibert, Nathan, Bordas, Campus, Econ, \
    Eichborn, Ravensburger, Arena, Oetinger, Cornelsen, Duden, Brockhaus, Hogrefe, \
    Vandenhoeck & Ruprecht, Mohr Siebeck, Böhlau, Salani, Neri Pozza, Minimum Fax, \
    Sperling & Kupfer, Rusconi, Akal, Cátedra, Crítica, Espasa, Grijalbo, Plaza & Janés, \
    Salamandra, Impedimenta, Libros del Asteroide, Agora, Prószyński i S-ka, W.A.B., \
    Media Rodzina, Wilga, Nowa Era, WSiP, Wolters Kluwer, Amber, Albatros, Sonia Draga, \
    superNOWA, Muza SA, \
    Abacus, Abrams, Academic Press, Acantilado, Ace, Ace Books, Actes Sud, Adams Media, \
    Addison, Addison Wesley, Adelphi, Aladdin, Albatros, Albin Michel, Alfaguara, \
    Alfred A Knopf, Algonquin, Alianza, Alianza Editorial, Allen & Unwin, Allen Lane, \
    Allison & Busby, Almqvist, American Library, Amistad, Anagrama, Anchor, Anchor Books, \
    Andersen Press, André Deutsch, Angry Robot, Apress, Ariel, Arrow, Arrow Books, \
    Artech House, Artemis, Arthaud, Aufbau, Aufbau Verlag, Aurum, Avon, Ballantine, \
    Ballantine Books, Bantam, Bantam Books, Bantam Press, Barnes & Noble, Barron's, \
    Basic Books, Bastei Lübbe, Batsford, BBC Books, Beacon, Beacon Press, Beck, Belknap, \
    Belknap Harvard, Beltz, Berkley, Berkley Books, Berlin Verlag, Bertelsmann, Bertrand, \
    Birkhäuser, Black Inc, Black Library, Black Swan, Blackie, Blackwell, Blanvalet, Bloodaxe, \
    Bloomsbury, Bodley, Bodley Head, Bompiani, Boom Studios, Boydell, Brill, Btb, \
    Burns & Oates, Butterworth, Butterworth Heinemann, Calmann Lévy, Cambridge, \
    Cambridge University Press, Candlewick, Canongate, Cape, Carcanet, Carl Hanser, Carlsen, \
    Carlton, Cassell, Castermann, Century, Chapman & Hall, Charnwood, Chatto, Chatto & Windus, \
    Chelsea Green, Chicago, Chicken House, Chronicle Books, City Lights, Clarendon, \
    Clarendon Press, Coach House, Collier, Collier Macmillan, Collins, Columbia, \
    Columbia University Press, Constable, Continuum, Corgi, Corgi Books, Cornell, \
    Cornell University Press, Coronet, Counterpoint, CRC, CRC Press, Crest, Crime Club, \
    Crossway, Crown, Czarne, Czytelnik, Dark Horse, Dark Horse Books, David & Charles, DAW, \
    DAW Books, DC Comics, De Gruyter, Debate, Debolsillo, Del Rey, Delacorte, Dell, Dent, \
    Destino, Deutsch, Deutscher Taschenbuch Verlag, Dial, Dial Press, Diogenes, DK, \
    Dolnośląskie, Dorling Kindersley, Doubleday, Dover, Dover Publications, Drawn & Quarterly, \
    Droemer, Droemer Knaur, DTV, Duckworth, Dumont, Dunod, Dutton, DVA, Ebury, Ebury Press, \
    Edhasa, Editions du Seuil, Egmont, Einaudi, Elliott & Thompson, Elsevier, Emecé, \
    Europa Editions, Evergreen, Everyman, Everyman's Library, Eyre & Spottiswoode, Faber, \
    Faber & Faber, Faber and Faber, Fantagraphics, Farrar Straus and Giroux, \
    Farrar Straus Giroux, Fayard, Feltrinelli, Firefly, First Second, Fischer, \
    Fischer Taschenbuch, Fitzcarraldo Editions, Flamingo, Flammarion, Flatiron Books, Folio, \
    Folio Society, Fontana, Four Square, Fourth Estate, Free Press, Freeman, FSG, \
    Gallery Books, Gallimard, Garamond, Garland, Garzanti, George Allen & Unwin, GeraMond, \
    Gibbs Smith, Ginn, Goldmann, Gollancz, Granada, Granta, Granta Books, Graphic Universe, \
    Grasset, Graywolf, Graywolf Press, Greenwood, Greg, Griffin, Grosset & Dunlap, Grove, \
    Grove Press, Gruner, Guanda, Guild Publishing, Hachette, Hackett, Hamish Hamilton, Hamlyn, \
    Hanser, Harcourt, Harcourt Brace, Harlequin, Harper, Harper & Row, Harper Perennial, \
    Harper Voyager, HarperCollins, HarperOne, Harrap, Hart Davis, Harvard, Harvard Business, \
    Harvard Business Review Press, Harvard University Press, Harvester, Harvill, \
    Harvill Secker, Hatier, Hay House, Headline, Headline Review, Heinemann, Henry \
    Herder, Heyne, Hodder, Hodder & Stoughton, Hoepli, Hoffmann und Campe, Hogarth, \
    Hogarth Press, Holt Rinehart Winston, Houghton Mifflin, Hueber, Humanitas, \
    Hutchinson, Hyperion, Icon, Icon Books, IDW, IEEE, Image, Image Comics, Insel, \
    Insel Verlag, Iskry, Island Press, Ivy, J'ai Lu, Jacana, John John Wiley, \
    Jonathan Cape, John Murray, Jossey Bass, Jove, Julliard, Kein & Aber, Kiepenheuer & Witsch, Kindler, \
    Klett, Klett Cotta, Klincksieck, Kluwer, Knaur, Knopf, Kogan Page, Kohlhammer, Kösel, \
    L'Harmattan, La Découverte, Ladybird, Langenscheidt, Larousse, Laterza, Le Livre de Poche, \
    Les Éditions de Minuit, Letts, Lippincott, Little Brown, Livre de Poche, Lonely Planet, \
    Longanesi, Longman, Longmans, Louisiana, Luchterhand, Lumen, Lutterworth, Lübbe, \
    Macdonald, MacLehose, MacLehose Press, Macmillan, Manchester University Press, Mandarin, \
    Manesse, Manning, Mariner, Mariner Books, Marsilio, Marvel, McClelland & Stewart, \
    McFarland, McGraw Hill, McSweeney's, Melville House, Merve, Methuen, Metropolitan, \
    Michael Joseph, Michelin, Microsoft, Microsoft Press, Mills & Boon, Minerva, Minuit, \
    MIT Press, Mondadori, Morgan Kaufmann, Morrow, Mouton, Muza, Nasza Księgarnia, \
    National Geographic, Naxos, Nick Hern, No Exit Press, No Starch Press, \
    Noir sur Blanc, North Holland, Northwestern, Norton, NYRB, O'Reilly, Odile Jacob, Olms, \
    Oneworld, Oni Press, Open University Press, Orbit, Orchard, OReilly, Orion, Osprey, OUP, \
    Oxford, Oxford University Press, Pan, Pan Books, Pan Macmillan, Panini, Pantheon, \
    Pantheon Books, Panther, Papermac, Parlophone, Payot, Państwowy Instytut Wydawniczy, \
    Pearson, Pearson Education, Pelican, Pelican Books, Pendo, Penguin, Penguin Books, \
    Penguin Press, Perennial, Pergamon, Persephone, Perseus, Phaidon, Phoenix, Piatkus, \
    Picador, Picus, Piper, Pitman, Piw, PIW, Planeta, Plenum, Plume, Pluto Press, Pocket, \
    Pocket Books, Pocket Star, Polity, Polity Press, Portfolio, Prentice, Prentice Hall, \
    Presses Universitaires de France, Prestel, Princeton, Princeton University Press, Profile, \
    Profile Books, Prometheus, Propyläen, Puffin, Puffin Books, Pushkin Press, Putnam, PWN, \
    Quadrille, Quantum, Quarto, Quercus, Quirk, Quirk Books, Random House, RBA, Reaktion, \
    Reaktion Books, Rebis, Reclam, Red Globe, Rider, Riverhead, Rizzoli, Roc, Rockport, \
    Rororo, Rosetta, Rough Guides, Routledge, Routledge & Kegan Paul, Rowman & Littlefield, \
    Rowohlt, S Fischer, Sage, Saint Martin's, Sceptre, Schirmer, Schocken, Scholastic, Scribe, \
    Scribner, Scribners, Secker, Secker & Warburg, Seix Barral, Sellerio, Semiotexte, \
    Serpent's Tail, Seuil, Severn House, Shambhala, Sheldon Press, Short Books, Shueisha, \
    SIAM, Siedler, Signet, Simon & Schuster, Simon and Schuster, Siruela, Skyhorse, Slovart, \
    Soho, Souvenir Press, Sphere, Springer, Springer Verlag, Square Peg, St Martin's Press, \
    St Martins, Stanford, Stanford University Press, Sterling, Suhrkamp, Suhrkamp Taschenbuch, \
    Suma, Summersdale, Susaeta, Tachyon, Taschen, Taurus, Taylor & Francis, TED Books, \
    Teubner, Thames & Hudson, Thames and Hudson, The MIT Press, Thieme, Thienemann, Thomson, \
    Thorndike, Thorsons, Ticknor, Time Life, Time Out, Titan, Titan Books, Titan Comics, \
    Tokyopop, Tor, Tor Books, Touchstone, Transworld, Triad, Tusquets, Tuttle, \
    Twentieth Century, Ullstein, University of Chicago Press, Unwin, Unwin Hyman, \
    Unwin Paperbacks, UTB, Vanguard, Verlag, Verso, Vertigo, Victor Gollancz, Viking, Vintage, \
    Vintage Books, Vintage Classics, Virago, Virgin, Virgin Books, Virgin Publishing, Viz, \
    Viz Media, Voyager, Vrin, W H Allen, W H Freeman, W W Norton, WAB, Wagenbach, Walker, \
    Walker Books, Ward Lock, Warner, Warner Books, Washington Square Press, Weidenfeld, \
    Weidenfeld & Nicolson, Wesleyan, Westview, White Lion, Wiley, Wiley Interscience, \
    William Heinemann, William Morrow, Windmill, Wordsworth, Workman, Wrox, \
    Wydawnictwo Literackie, Yale, Yale University Press, Yen Press, Zanichelli, Zed, \
    Zed Books, Znak, Zsolnay, Zysk, Świat Książki
    """.split(separator: ",").map { Lexicon.key(of: $0) })

  /// What follows the name of a company.
  static let companies: Set<String> = [
    "inc", "ltd", "limited", "llc", "co", "company", "corp", "corporation", "plc", "gmbh", "ag",
    "kg", "sa",
    "associates", "sons", "group",
  ]

  /// Words by which the name of a publisher ends or begins, in several languages.
  static let words: Set<String> = [
    "press", "books", "publishing", "publishers", "publications", "comics", "verlag", "buchverlag",
    "taschenbuch", "éditions", "editions", "editorial", "ediciones", "editore", "edizioni",
    "editora",
    "wydawnictwo", "oficyna", "librairie", "libreria", "presses", "bookstore", "media",
  ]
}
