/// The evidence for or against a reading of a spine.
///
/// Each feature has a weight in ``weights``; a reading's score is the sum of values times weights.
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
  // Text with known words: volume, publisher, series, edition.
  case known, knownLikelihood, knownSize, seriesLarge
  // Text with no other role.
  case other, otherSize, otherMark, otherNonsense, otherStrange, otherQuotation, otherLong
  case otherDoubt, otherName, otherEnd
  // A part after another.
  case joinsFirst, joinsSame, joinsDifferent, danglesSame, danglesOther, danglesDifferent
  case besideSameLike, besideSame, besideDifferentLike, nextSameLike, turnedSame, gapSame
  case caseSame, caseDiffers, gapDifferent
  // Lines that are divided or joined.
  case cut, cutAtMark, cutAtCase, cutBeforeSmall, cutBeforeSmallOnly, joinedName, joinedKnown
  case columns, columnsApart, columnsCase
  // A whole reading.
  case noTitle, titleSmaller, titleSmallerBeside, titleMuchSmaller, titleLittleWords
  case subtitleSmaller, subtitleLarger, noAuthor, authorLarger, authorTooLarge, authorAtEnd
  case authorInside, publisherLast, publisherInside, titleApartByAuthor, titleApartByNothing
  case titleApart, authorApartByNothing, authorApart, partApart, subtitleFirst, authorMore
  case authorMoreUnsure, titleShare, titleEndsOpen
}

/// The sum of evidence for and against something.
struct SpineEvidence {
  /// The sum of values times weights: approximately a logarithm of odds.
  private(set) var score = 0.0
  /// The values by the feature's number; nil unless they are needed for fitting weights.
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
