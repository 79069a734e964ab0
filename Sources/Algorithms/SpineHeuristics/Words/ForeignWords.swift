/// Words that are frequent in titles in languages other than English.
///
/// They help to distinguish titles from names.
enum ForeignWords {
  /// All of them, folded as ``Lexicon/key(of:)`` does.
  static let all = Set(written.map { Lexicon.key(of: $0) })

  /// All of them, with the marks on their letters.
  static let written = [german, french, spanish, italian, polish]
    .flatMap { $0.split(separator: " ") }

  private static let german = """
    abend abenteuer alles alte anfang angst arbeit arm atlas auge augen baum bericht besuch \
    biographie blau blick blume blut brief briefe bruder buch bücher deutsch deutsche \
    deutschen deutschland dichtung dorf einführung ende engel erde erinnerungen erste \
    erzählungen essen europa faust feuer flucht frau frauen freiheit fremde freund freunde \
    frieden fuchs garten gast geheimnis geist geld gesammelte geschichte geschichten \
    gesellschaft glück gott grammatik grundlagen grün gut handbuch haus heimat herbst herr \
    herz himmel hund insel jahr jahre jahrhundert jugend junge kaiser kampf kein kind kinder \
    kirche kleine kochbuch kraft krieg kultur kunst könig körper land leben lehrbuch letzte \
    licht liebe lied macht mann medizin meer mensch menschen mond mord musik mutter mädchen \
    märchen nacht natur neue norden ohne ort philosophie physik recht reise rosen rot ruhe \
    rätsel sache schatten schiff schloss schnee schule schwarz schwarze schwester schöne seele \
    sehnsucht sommer sonne spiel sprache stadt stein stern stille straße stunde sturm \
    sämtliche süden tag tage teufel tier tiere tochter tod tote traum träume turm vater \
    verbrechen verlorene vogel volk wahrheit wald wand wasser weg wein weiße welt werke westen \
    wind winter wirtschaft wissenschaft wolf wort wunder wörterbuch zauberberg zeit zimmer zug \
    zukunft zweite
    """

  private static let french = """
    affaire ami amis amour ange anglais année années art aube autre aventures beau belle bleu \
    bois bonheur bonjour bout bête carnets chambre chanson chat chemin cheval chien chose \
    choses château ciel cinq cité code coeur comment condition confessions conte contes corps \
    couleur cour crime cuisine cuisinier côté cœur dernier dernière deux dictionnaire dieu \
    désert eau enfance enfant enfants famille femme femmes feu fille filles fils fin fleur \
    fleurs folie fous france français française frère grammaire grand grande guerre géographie \
    histoire histoires hiver homme hommes invitation jardin jeu jeune jeunes jour journal \
    jours langue lettre lettres liaisons littérature lumière lune madame main mains maison mal \
    malheur maître mer misérables monde mort mots musique mystère mère mémoires naissance \
    nature neige noir noire nom notre nouveau nouvelle nuit oeuvres oiseau ombre or pain paix \
    papillon parfum paroles passion passé pays peau peinture petit petite petits peur \
    philosophie pierre plaisir porte pouvoir poésies premier première prince princesse \
    printemps père quatre quête rivière roi rose rouge route rue rêve saison sang secret sept \
    siècle soir soleil songe temps terre théâtre tour train traité travail trois tête usage \
    vache vent vers vie vieux ville vin voix vol voyage voyages vérité yeux école économie \
    étoile étranger étude être île œuvres
    """

  private static let spanish = """
    abuela agua alma almas amante amigo amor arte azul años barco bosque cabeza calle camino \
    campo canción capitán carta cartas casa castillo cielo cien ciencia ciudad ciudades cocina \
    colmena colores corazón coronel cosas crimen crónica cuatro cuento cuerpo cuerpos cólera \
    destino diablo diario diccionario dios domingo día días edad ensayos escritos españa \
    española espíritus familia fiesta fiestas flor flores fuego gato general gramática grande \
    guerra hermano hija hijo hijos historia historias hombre hombres hoy infierno invierno \
    isla jardín juego juventud laberinto lengua letras libertad libros llama luna luz madre \
    mal mano manos mar maravillas mañana memoria memorias mentira miedo mil misterio muerte \
    muerto muertos mujer mujeres mundo máquina música naranja niebla niña niño noche noches \
    nombre nuevo obras ojos oro otoño padre palabra palabras patria paz país pedro perro \
    perros piel pintor plata poder poemas política primavera princesa puerta pájaro rayuela \
    regreso reina reino revolución rey rojo ruido río sangre santos señor señora siglo \
    silencio sobre sol soledad sombra sombras sueño sueños tango teatro tiempo tierra todo \
    todos tormenta torre traición tres viaje viajes vida vidas viejo viento virgen voz ángel \
    árbol última
    """

  private static let italian = """
    acqua amica amico amore anima anni arte bambino barone bella bello bosco buio casa cielo \
    città cose cucina cultura cuore deserto dio dizionario donna donne due economia estate età \
    famiglia figlia figlio fiore fiori fuoco gattopardo geniale giardino gioco giorni giorno \
    giovane guerra inverno isola italia italiana italiano lettere libri lingua linguaggio luce \
    luna madre mare mente mille mondo morte musica natura neve nome notte notti nove nuovo \
    occhi ombra ora padre paese pane parole pensiero pietra poesie porta potere primo promessi \
    quattro ragazza ragazzi ragione re rosa rosso sangue sentieri sette silenzio sogno sole \
    solitudine sorelle spada spazio sposi storia storie strada tempo terra tre tutti ultima \
    ultimo uomini uomo vento verità viaggi viaggio vita voce
    """

  private static let polish = """
    angielski angielskiego anglia anglik baśnie bez biały biologia biologiczny brat bóg chłopi \
    chłopiec cień cisza czarny czas człowiek córka dolina dolinie doliny dom droga drugi \
    drzewo dzieci dziecko dzieje dziennik dziewczyna dzieła dzień ferdydurke fizyka francuski \
    geografia gra gramatyka głos historia imię język języka językowy kobieta kobiety koniec \
    kot krew król księga księżyc kuchnia kwiat kwiaty lalka las lata lato leksykon lektury \
    list listy literatura literatury ludzie lód matematyka matka mała małe mały miasto mistrz \
    miłość morze most muzyka młody nad nagroda narodowa niebo niemiecki niemieckiego nieznany \
    noc nocy nowe nowy ocean oczy ogień ogniem ojciec ojczyzna opowiadania opowieści opowieść \
    ortograficzny ostatni ostatnie pamiętnik pamiętniki pan pani panna pierwsza pierwszy pies \
    pieśń pod podróż podróże podręcznik poezje pokój polityka polska polski polskie polskiego \
    polsku potop powszechna powszechny pożegnanie prawda prawo przed przedwiośnie przygody \
    ptak ptaki quo rodzina rok rosyjski róża saga serce siostra spotkanie stary szkolny szkoła \
    sąd słowa słownik słowo słońce tajemnica talizman to traktat trylogia trzy twarz ucznia \
    ulica vadis wesele wiedźmin wielka wielki wielkie wiersze wiosna woda wojna wolność \
    wszystkie wybrane wybór zabić zbrodni zbrodnia zemsta ziemi ziemia zimowy złota złoty \
    śmierć śnieg świat świata światło życia życie
    """
}
