import CommandKit
import CountHistory
import Counting
import Foundation

/// What all commands of `tally history` share.
enum HistoryInputs {
  static let file = Option(
    "history", .path("FILE"), help: "The file of the history.",
    fallback: "tally/history.sqlite in $XDG_DATA_HOME or ~/.local/share")
  static let name = Option(
    "name", .path("TEXT"), help: "Only photos with TEXT in their names; case does not matter.")
  static let since = Option(
    "since", .time,
    help: "Only counts from this time on: a day as the list shows it, or a time in UTC.")
  static let until = Option(
    "until", .time,
    help: "Only counts up to this time: a day, which means 00:00, or a time in UTC.")
  static let favorites = Flag("favorites", help: "Only favourites.")

  /// The options that say which entries are wanted.
  static let filters: [any OptionDeclaration] = [name, since, until, favorites]
  /// One or more ids as operands.
  static let ids = Operands(metavar: "ID", help: helpOfID, isList: true)
  /// What stands for an entry.
  static let helpOfID =
    "The id of an entry, as 'tally history list' prints it, or the start of its UUID, at least "
    + "\(EntryReference.shortest) characters, if it is unique."

  /// The history that a command line or the environment says.
  static func history(
    _ arguments: ParsedArguments, _ console: Console
  ) throws(UsageError) -> HistoryFile {
    if let path = arguments[file] { return HistoryFile(URL(fileURLWithPath: path)) }
    guard let history = HistoryFile.usual(environment: console.environment) else {
      throw UsageError(
        "there is no place for a history: give --history, or set XDG_DATA_HOME or HOME")
    }
    return history
  }

  /// The history, whose file is there if the command line names it.
  ///
  /// Nothing at the usual place is a history without entries; a name that is given is one of
  /// something.
  static func existing(
    _ arguments: ParsedArguments, _ console: Console
  ) throws -> HistoryFile {
    if let path = arguments[file] { _ = try InputFile.existing(path) }
    return try history(arguments, console)
  }

  /// Which entries the command line asks for.
  static func filter(_ arguments: ParsedArguments) -> HistoryFilter {
    HistoryFilter(
      name: arguments[name], earliest: arguments[since], latest: arguments[until],
      favoritesOnly: arguments[favorites])
  }

  // MARK: Printing

  static func text(of id: UUID) -> String { id.uuidString.lowercased() }

  /// A time as ISO 8601 in UTC.
  static func text(of time: Date, milliseconds: Bool) -> String {
    time.formatted(
      Date.ISO8601FormatStyle(includingFractionalSeconds: milliseconds))
  }

  /// A time as a clock on the wall shows it, to the second.
  static func localText(of time: Date, in zone: TimeZone = .current) -> String {
    time.formatted(
      Date.VerbatimFormatStyle(
        format: """
          \(year: .padded(4))-\(month: .twoDigits)-\(day: .twoDigits) \
          \(hour: .twoDigits(clock: .twentyFourHour, hourCycle: .zeroBased)):\
          \(minute: .twoDigits):\(second: .twoDigits)
          """,
        locale: Locale(identifier: "en_US_POSIX"), timeZone: zone,
        calendar: Calendar(identifier: .gregorian)))
  }

  /// The beginning of a day in a zone, of its beginning in UTC.
  static func beginning(ofDay day: Date, in zone: TimeZone) -> Date {
    var there = Calendar(identifier: .gregorian)
    there.timeZone = zone
    var utc = Calendar(identifier: .gregorian)
    utc.timeZone = .gmt
    // Of a day whose first hour a change of clocks leaves out, the first moment that there is.
    return there.date(from: utc.dateComponents([.era, .year, .month, .day], from: day)) ?? day
  }

  /// The interval of a count as `12 to 26`; empty if it is not known.
  static func interval(of entry: HistoryEntry) -> String {
    entry.interval.map { "\($0.lowerBound) to \($0.upperBound)" } ?? ""
  }

  /// The members of an entry that every JSON of one begins with.
  static func members(_ entry: HistoryEntry) -> [(String, JSONText)] {
    [
      ("id", .string(text(of: entry.id))),
      ("time", .string(text(of: entry.time, milliseconds: true))),
      ("count", .integer(entry.finalCount)),
      ("machineCount", .optional(entry.correctedCount) { _ in .integer(entry.count) }),
      (
        "countInterval",
        .optional(entry.interval) {
          .array([.integer($0.lowerBound), .integer($0.upperBound)])
        }
      ),
      ("favorite", .bool(entry.isFavorite)),
      ("image", .optional(entry.imageName) { .string($0) }),
      ("folder", .optional(entry.imageFolder) { .string($0) }),
    ]
  }

  /// The thresholds, on one line: those of a count as an object, what another program kept as a
  /// text.
  static func thresholds(_ entry: HistoryEntry) -> JSONText {
    guard let configuration = try? entry.thresholds(as: CountingConfiguration.self) else {
      return .string(entry.thresholdsJSON)
    }
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys]
    guard let data = try? encoder.encode(configuration) else {
      return .string(entry.thresholdsJSON)
    }
    return .encoded(String(decoding: data, as: UTF8.self))
  }
}

extension ValueKind where Value == Date {
  /// The beginning of a day as clocks on the wall have it, or a time in UTC.
  static var time: ValueKind {
    ValueKind(
      metavar: "TIME", expectation: "a time as 2026-11-22 or 2026-11-22T18:30:00Z",
      parse: { text in
        // Nothing is put right, such as the 31st of a month with 30 days, which parsing would do.
        let isDay = text.count == 10
        let whole = isDay ? "\(text)T00:00:00Z" : text
        guard let time = try? Date(whole, strategy: Date.ISO8601FormatStyle()),
          HistoryInputs.text(of: time, milliseconds: false) == whole
        else { return nil }
        return isDay ? HistoryInputs.beginning(ofDay: time, in: .current) : time
      })
  }
}
