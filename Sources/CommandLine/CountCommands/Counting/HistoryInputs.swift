import CommandKit
import CountHistory
import Counting
import Foundation

/// The common part of all commands of `tally history`.
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

  /// The options that select entries.
  static let filters: [any OptionDeclaration] = [name, since, until, favorites]
  /// One or more ids as operands.
  static let ids = Operands(metavar: "ID", help: helpOfID, isList: true)
  /// The help text for an id.
  static let helpOfID =
    "The id of an entry, as 'tally history list' prints it, or the start of its UUID, at least "
    + "\(EntryReference.shortest) characters, if it is unique."

  /// The history that the command line or the environment names.
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

  /// The history, whose file must exist if the command line names it.
  ///
  /// If there is no file at the usual place, the history is empty.
  static func existing(
    _ arguments: ParsedArguments, _ console: Console
  ) throws -> HistoryFile {
    if let path = arguments[file] { _ = try InputFile.existing(path) }
    return try history(arguments, console)
  }

  /// The filter of the command line.
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

  /// A time as local clock time, to the second.
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

  /// The start of a day in a zone, from its start in UTC.
  static func beginning(ofDay day: Date, in zone: TimeZone) -> Date {
    var there = Calendar(identifier: .gregorian)
    there.timeZone = zone
    var utc = Calendar(identifier: .gregorian)
    utc.timeZone = .gmt
    // If a change of clocks skips the first hour of a day, it is the first moment that exists.
    return there.date(from: utc.dateComponents([.era, .year, .month, .day], from: day)) ?? day
  }

  /// The interval of a count as `12 to 26`; empty if it is not known, or a person corrected the
  /// count.
  static func interval(of entry: HistoryEntry) -> String {
    interval(of: entry, ofMachine: false).map { "\($0.lowerBound) to \($0.upperBound)" } ?? ""
  }

  /// The interval of the count that leads, or of the machine's beside a person's.
  static func interval(of entry: HistoryEntry, ofMachine: Bool) -> ClosedRange<Int>? {
    (entry.correctedCount != nil) == ofMachine ? entry.interval : nil
  }

  /// The common members of every JSON of an entry.
  static func members(_ entry: HistoryEntry) -> [(String, JSONText)] {
    [
      ("id", .string(text(of: entry.id))),
      ("time", .string(text(of: entry.time, milliseconds: true))),
      ("count", .integer(entry.finalCount)),
      ("machineCount", .optional(entry.correctedCount) { _ in .integer(entry.count) }),
      (
        "countInterval",
        .optional(interval(of: entry, ofMachine: false)) {
          .array([.integer($0.lowerBound), .integer($0.upperBound)])
        }
      ),
      (
        "machineCountInterval",
        .optional(interval(of: entry, ofMachine: true)) {
          .array([.integer($0.lowerBound), .integer($0.upperBound)])
        }
      ),
      ("favorite", .bool(entry.isFavorite)),
      ("image", .optional(entry.imageName) { .string($0) }),
      ("folder", .optional(entry.imageFolder) { .string($0) }),
    ]
  }

  /// The thresholds, on one line: an object for those of a count, a text for those of another
  /// program.
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
  /// The start of a day in local time, or a time in UTC.
  static var time: ValueKind {
    ValueKind(
      metavar: "TIME", expectation: "a time as 2026-11-22 or 2026-11-22T18:30:00Z",
      parse: { text in
        // Invalid dates are refused; parsing would change, for example, the 31st of a month with 30
        // days.
        let isDay = text.count == 10
        let whole = isDay ? "\(text)T00:00:00Z" : text
        guard let time = try? Date(whole, strategy: Date.ISO8601FormatStyle()),
          HistoryInputs.text(of: time, milliseconds: false) == whole
        else { return nil }
        return isDay ? HistoryInputs.beginning(ofDay: time, in: .current) : time
      })
  }
}
