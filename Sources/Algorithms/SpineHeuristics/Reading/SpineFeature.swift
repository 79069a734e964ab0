/// What speaks for or against a reading of a spine.
///
/// Each has a weight in ``weights``; a reading's score is the sum of values times weights.
enum SpineFeature: Int, CaseIterable {
  // A title by itself.
  case title, titleSize, titleKnownWords, titleFunctionWords, titlePublisher, titleEdition
  case titleSeriesLarge, titleSeriesSmall, titleVolume, titleIntroduces, titleName
  case titleNameIntroduced, titleOneLetter, titleInitials, titleLong, titleVeryLong
  case titleNonsense, titleStrange, titleQuotation, titleDoubt, titleShort
  // A subtitle.
  case subtitle, subtitleLong, subtitleSize, subtitleNonsense, subtitleKnown, subtitleName
  case subtitleStrange, subtitleQuotation, subtitleVeryLong, subtitleDoubt
  // An author.
  case author, authorName, authorIntroduced, authorSizeSure, authorSizeUnsure, authorPublisher
  case authorSeries, authorStrange, authorQuotation, authorDoubt, authorOneWord
  // What is known by its words: volume, publisher, series, edition.
  case known, knownLikelihood, knownSize, seriesLarge
  // Nothing of these.
  case other, otherSize, otherMark, otherNonsense, otherStrange, otherQuotation, otherLong
  case otherDoubt, otherName, otherEnd
  // A part after another.
  case joinsFirst, joinsSame, joinsDifferent, danglesSame, danglesOther, danglesDifferent
  case besideSameLike, besideSame, besideDifferentLike, nextSameLike, turnedSame, gapSame
  case caseSame, caseDiffers, gapDifferent
  // Lines that are parted or joined.
  case cut, cutAtMark, cutAtCase, cutBeforeSmall, cutBeforeSmallOnly, joinedName, joinedKnown
  case columns, columnsApart, columnsCase
  // A whole.
  case noTitle, titleSmaller, titleSmallerBeside, titleMuchSmaller, titleLittleWords
  case subtitleSmaller, subtitleLarger, noAuthor, authorLarger, authorTooLarge, authorAtEnd
  case authorInside, publisherLast, publisherInside, titleApartByAuthor, titleApartByNothing
  case titleApart, authorApartByNothing, authorApart, partApart, subtitleFirst, authorMore
  case authorMoreUnsure, titleShare, titleEndsOpen
}

/// What was found for and against something, summed up.
struct SpineEvidence {
  /// The sum of values times weights: a logarithm of odds, about.
  private(set) var score = 0.0
  /// The values themselves, by the feature's number; nil unless somebody wants to fit weights to
  /// them.
  private(set) var values: [Int: Double]?

  init(keepingValues: Bool) {
    values = keepingValues ? [:] : nil
  }

  mutating func add(_ feature: SpineFeature, _ value: Double = 1) {
    guard value != 0 else { return }
    score += SpineFeature.weights[feature.rawValue] * value
    values?[feature.rawValue, default: 0] += value
  }

  static func += (first: inout SpineEvidence, second: SpineEvidence) {
    first.score += second.score
    for (feature, value) in second.values ?? [:] {
      first.values?[feature, default: 0] += value
    }
  }
}
