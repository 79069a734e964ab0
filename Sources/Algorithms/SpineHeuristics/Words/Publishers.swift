/// Publishers and their imprints, as spines name them.
enum Publishers {
  /// Names, folded as ``Lexicon/key(of:)`` does.
  static let names = Set(written.map { Lexicon.key(of: $0) })

  /// Names as they are written, with spaces around them.
  static let written =
    """
    Abacus, Abrams, Academic Press, Acantilado, Ace, Ace Books, Actes Sud, Adams Media, Addison, \
    Addison Wesley, Adelphi, Agora, Akal, Aladdin, Albatros, Albin Michel, Aleph, Alfaguara, \
    Alfred A Knopf, Algonquin, Algora, Alianza, Alianza Editorial, Allen & Unwin, Allen Lane, \
    Allison & Busby, Almqvist, Amber, American Library, Amistad, Anagrama, Anchor, Anchor Books, \
    Andersen Press, André Deutsch, Angry Robot, Apress, Arena, Ariel, Armand Colin, Arrow, \
    Arrow Books, Artech House, Artemis, Arthaud, Aufbau, Aufbau Verlag, Aurum, Avon, Back Bay, \
    Back Bay Books, Ballantine, Ballantine Books, Balzer & Bray, Bantam, Bantam Books, \
    Bantam Press, Barnes & Noble, Barron's, Basic Books, Bastei Lübbe, Batsford, BBC Books, \
    Beacon, Beacon Press, Beck, Belfond, Belknap, Belknap Harvard, Beltz, Berkley, Berkley Books, \
    Berlin Verlag, Bertelsmann, Bertrand, Birkhäuser, Birlinn, Black Inc, Black Library, \
    Black Swan, Blackie, Blackwell, Blanvalet, Bloodaxe, Bloomsbury, Bodleian Library, Bodley, \
    Bodley Head, Böhlau, Bompiani, Boom Studios, Bordas, Boydell, Brill, Brockhaus, Brooks Cole, \
    Btb, Burns & Oates, Butterworth, Butterworth Heinemann, Calmann Lévy, Cambridge, \
    Cambridge University Press, Campus, Candlewick, Canongate, Cape, Carcanet, Carl Hanser, \
    Carlsen, Carlton, Cassell, Casterman, Castermann, Cátedra, Cengage, Century, Chapman & Hall, \
    Charnwood, Chatto, Chatto & Windus, Chelsea Green, Chicago, Chicken House, Chronicle Books, \
    City Lights, Clarendon, Clarendon Press, Coach House, Collier, Collier Macmillan, Collins, \
    Columbia, Columbia University Press, Computer Press, Constable, Continuum, Corgi, \
    Corgi Books, Cornell, Cornell University Press, Cornelsen, Coronet, Counterpoint, CRC, \
    CRC Press, Crest, Crime Club, Crítica, Crossway, Crown, Czarne, Czytelnik, D&Q, Dargaud, \
    Dark Horse, Dark Horse Books, David & Charles, DAW, DAW Books, DC Comics, De Gruyter, Debate, \
    Debolsillo, Del Rey, Delacorte, Delacorte Press, Delcourt, Dell, Dent, Destino, Deutsch, \
    Deutscher Taschenbuch Verlag, Dial, Dial Press, Diogenes, DK, Dolnośląskie, \
    Dorling Kindersley, Doubleday, Dover, Dover Publications, Drawn & Quarterly, Droemer, \
    Droemer Knaur, DTV, Duckworth, Duden, Dumont, Dunod, Dupuis, Dutton, DVA, Ebury, Ebury Press, \
    Econ, Edhasa, Editions du Seuil, Egmont, Eichborn, Einaudi, Elliott & Thompson, Elsevier, \
    Emecé, Espasa, Europa Editions, Evergreen, Everyman, Everyman's Library, Eyre & Spottiswoode, \
    Faber, Faber & Faber, Faber Academic, Faber and Faber, Fantagraphics, \
    Farrar Straus and Giroux, Farrar Straus Giroux, Fayard, Feltrinelli, Firefly, First Second, \
    Fischer, Fischer Taschenbuch, Fitzcarraldo Editions, Flamingo, Flammarion, Flatiron Books, \
    Folio, Folio Society, Fontana, Four Square, Fourth Estate, Free Press, Freeman, Friday Books, \
    Friday Project, FSG, Gallery Books, Gallimard, Garamond, Garland, Garzanti, \
    George Allen & Unwin, GeraMond, Gibbs Smith, Ginn, Glénat, Goldmann, Gollancz, Granada, \
    Granta, Granta Books, Graphic Universe, Grasset, Graywolf, Graywolf Press, Greenwood, Greg, \
    Griffin, Grijalbo, Grosset & Dunlap, Grove, Grove Press, Gruner, Guanda, Guild Publishing, \
    Hachette, Hackett, Hamish Hamilton, Hamlyn, Hanser, Harcourt, Harcourt Brace, Harlequin, \
    Harper, Harper & Row, Harper Perennial, Harper Voyager, HarperCollins, HarperOne, HarperTeen, \
    Harrap, Hart Davis, Harvard, Harvard Business, Harvard Business Review Press, \
    Harvard University Press, Harvester, Harvill, Harvill Secker, Hatier, Hay House, Headline, \
    Headline Review, Heinemann, Henry Herder, Heyne, Hodder, Hodder & Stoughton, Hoepli, \
    Hoffmann und Campe, Hogarth, Hogarth Press, Hogrefe, Holt Rinehart Winston, Houghton Mifflin, \
    Hueber, Humanitas, Hutchinson, Hyperion, Icon, Icon Books, IDW, IEEE, Image, Image Comics, \
    Impedimenta, Insel, Insel Verlag, International Thomson, Iskry, Island Press, Ivy, J'ai Lu, \
    Jacana, John John Wiley, John Murray, Jonathan Cape, Jones & Bartlett, Jossey Bass, Jove, \
    Juggernaut, Julliard, Kein & Aber, Kiepenheuer & Witsch, Kindler, Klett, Klett Cotta, \
    Klincksieck, Kluwer, Knaur, Knopf, Kodansha, Kogan Page, Kohlhammer, Kösel, L'Association, \
    L'Harmattan, La Découverte, Ladybird, Langenscheidt, Larousse, Laterza, Le Livre de Poche, \
    Les Éditions de Minuit, Letts, Libros del Asteroide, Lippincott, Little Brown, \
    Livre de Poche, Lonely Planet, Longanesi, Longman, Longmans, Louisiana, Lübbe, Luchterhand, \
    Lumen, Lutterworth, Macdonald, MacLehose, MacLehose Press, Macmillan, Mainstream, \
    Manchester University Press, Mandarin, Manesse, Manning, Mariner, Mariner Books, Marsilio, \
    Marvel, McClelland & Stewart, McFarland, McGraw Hill, McSweeney's, Media Rodzina, \
    Melville House, Merve, Methuen, Metropolitan, Michael Joseph, Michelin, Microsoft, \
    Microsoft Press, Mills & Boon, Minerva, Minimum Fax, Minuit, MIT Press, Mohr Siebeck, \
    Mondadori, Morgan Kaufmann, Morrow, Mouton, Muza, Muza SA, Nasza Księgarnia, Nathan, \
    National Geographic, Naxos, Neri Pozza, New Riders, Nick Hern, No Exit Press, \
    No Starch Press, Noir sur Blanc, North Holland, Northwestern, Norton, Nowa Era, NYRB, \
    O'Reilly, Odile Jacob, Oetinger, Olms, Oneworld, Oni Press, Open University Press, Orbit, \
    Orchard, OReilly, Orion, Osborne, Osprey, OUP, Oxford, Oxford University Press, Packt, Pan, \
    Pan Books, Pan Macmillan, Panini, Państwowy Instytut Wydawniczy, Pantheon, Pantheon Books, \
    Panther, Papermac, Parlophone, Payot, Peachpit, Pearson, Pearson Education, Pelican, \
    Pelican Books, Pendo, Penguin, Penguin Books, Penguin Press, Perennial, Pergamon, Persephone, \
    Perseus, Phaidon, Phoenix, Piatkus, Picador, Picus, Piper, Pitman, PIW, Piw, Planeta, \
    Plaza & Janés, Plenum, Plume, Pluto Press, Pocket, Pocket Books, Pocket Star, Polity, \
    Polity Press, Polygon, Portfolio, Pragmatic Bookshelf, Prentice, Prentice Hall, \
    Presses de la Cité, Presses Universitaires de France, Prestel, Princeton, \
    Princeton University Press, Profile, Profile Books, Prometheus, Propyläen, Prószyński i S-ka, \
    Puffin, Puffin Books, Pushkin Press, Putnam, PWN, Quadrille, Quantum, Quarto, Quercus, Quirk, \
    Quirk Books, Random House, Ravensburger, RBA, Reaktion, Reaktion Books, Rebis, Reclam, \
    Red Globe, Rider, Rivages, Riverhead, Rizzoli, Roc, Rockport, Rororo, Rosetta, Rough Guides, \
    Routledge, Routledge & Kegan Paul, Rowman & Littlefield, Rowohlt, Rupa, Rusconi, S Fischer, \
    Sage, Saint Martin's, Salamandra, Salani, Sams, Sceptre, Schirmer, Schocken, Scholastic, \
    Scribe, Scribner, Scribners, Seagull, Secker, Secker & Warburg, Seix Barral, Sellerio, \
    Semiotexte, Serpent's Tail, Seuil, Seven Seas, Severn House, Shambhala, Sheldon Press, \
    Shogakukan, Short Books, Shueisha, SIAM, Siedler, Signet, Simon & Schuster, \
    Simon and Schuster, Siruela, Skyhorse, Slovart, Soho, Soleil, Sonia Draga, Souvenir Press, \
    Sperling & Kupfer, Sphere, Springer, Springer Verlag, Square Peg, St Martin's Press, \
    St Martins, Stanford, Stanford University Press, Sterling, Stock, Suhrkamp, \
    Suhrkamp Taschenbuch, Suma, Summersdale, superNOWA, Susaeta, Świat Książki, Sybex, Tachyon, \
    Taschen, Taurus, Taylor & Francis, TED Books, Teubner, Thames & Hudson, Thames and Hudson, \
    The Friday Project, The MIT Press, Thieme, Thienemann, Thomson, Thomson Computer Press, \
    Thorndike, Thorsons, Ticknor, Time Life, Time Out, Titan, Titan Books, Titan Comics, \
    Tokyopop, Tor, Tor Books, Touchstone, Transworld, Triad, Tusquets, Tuttle, Twentieth Century, \
    Ullstein, Universitext, University of Chicago Press, Unwin, Unwin Hyman, Unwin Paperbacks, \
    UTB, Vandenhoeck & Ruprecht, Vanguard, Verdier, Verlag, Verso, Vertical, Vertigo, \
    Victor Gollancz, Viking, Vintage, Vintage Books, Vintage Classics, Virago, Virgin, \
    Virgin Books, Virgin Publishing, Viz, Viz Media, Voyager, Vrin, Vuibert, W H Allen, \
    W H Freeman, W W Norton, W.A.B., WAB, Wadsworth, Wagenbach, Walker, Walker Books, Ward Lock, \
    Warner, Warner Books, Washington Square Press, Weidenfeld, Weidenfeld & Nicolson, Wesleyan, \
    Westview, White Lion, Wiley, Wiley Interscience, Wilga, William Heinemann, William Morrow, \
    Windmill, Wolters Kluwer, Wordsworth, Workman, Wrox, WSiP, Wydawnictwo Literackie, Yale, \
    Yale University Press, Yen Press, Zanichelli, Zed, Zed Books, Zero Books, Znak, Zsolnay, \
    Zulma, Zysk
    """.split(separator: ",")

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
