/// The order of the numbers in a region's dates.
public enum DateOrder: String, Hashable, Sendable, Codable, CaseIterable {
  /// 12/31/2025, as in the United States.
  case monthFirst
  /// 31/12/2025, as in most of the world.
  case dayFirst
  /// 2025/12/31, as in East Asia; if the year is last, the day is first.
  case yearFirst

  /// The order of a locale such as `en_US`, `de-DE` or `zh-Hant-TW`, by its region.
  ///
  /// Without a region, it is that of the region where the language is spoken most. An unknown
  /// locale has ``dayFirst``. Source: the short patterns of Unicode's CLDR.
  public init(localeIdentifier: String) {
    let fields = localeIdentifier.prefix { $0 != "@" && $0 != "." }
      .split { $0 == "_" || $0 == "-" }.map { $0.uppercased() }
    // The first is the language; a script has four letters, a region two or three digits.
    let region = fields.dropFirst().first { $0.utf8.count == 2 }
    switch region {
    case "US", "AS", "FM", "GU", "MH", "MP", "PH", "PR", "PW", "UM", "VI": self = .monthFirst
    case "CN", "HU", "IR", "JP", "KP", "KR", "LT", "MN", "TW": self = .yearFirst
    case "CA": self = fields.first == "EN" || fields.first == "FR" ? .yearFirst : .dayFirst
    case "SE": self = .yearFirst
    case "ZA": self = fields.first == "EN" || fields.first == "AF" ? .yearFirst : .dayFirst
    case nil:
      switch fields.first {
      case "EN", "FIL", "CHR", "HAW", "LKT": self = .monthFirst
      case "ZH", "JA", "KO", "HU", "LT", "MN", "SV", "FA", "EU": self = .yearFirst
      default: self = .dayFirst
      }
    default: self = .dayFirst
    }
  }
}
