import CommandKit
import CountHistory

/// `tally history show`: all data of a count.
enum HistoryShowCommand: Command {
  static let specification = CommandSpecification(
    words: ["history", "show"],
    summary: "Print all of one saved count, and write its thumbnail",
    discussion: [
      "Prints one of the counts that were saved, with the thresholds that it was made with."
    ],
    operands: Operands(metavar: "ID", help: HistoryInputs.helpOfID, isList: false),
    groups: [
      OptionGroup("History", [HistoryInputs.file]),
      OptionGroup("Output", [StandardOptions.json, thumbnail]),
    ],
    examples: [
      Example("How was it counted?", "tally history show 6f1c2d1e"),
      Example("Look at what was counted.", "tally history show 6f1c2d1e --thumbnail one.jpg"),
    ])

  static let thumbnail = Option(
    "thumbnail", .outputPath("FILE.jpg"), help: "Write the entry's thumbnail, a JPEG.")

  static func run(_ arguments: ParsedArguments, console: Console) async throws -> ExitCode {
    let reference = try EntryReference(arguments.operands[0])
    let target = try arguments[thumbnail].map {
      try OutputPattern(
        $0, option: thumbnail.name, extensions: ["jpg", "jpeg"],
        inputs: [reference.text])
    }
    let history = try HistoryInputs.existing(arguments, console)
    let entry = try reference.entry(among: try await history.entries(), of: history)
    let id = entry.id
    if let path = target?.paths.first {
      guard let bytes = entry.thumbnail else {
        throw CommandError(
          .noInput, at: history.url.path, "entry \(HistoryInputs.text(of: id)) has no thumbnail")
      }
      try target?.makeFolders()
      try OutputFile.write(bytes, to: path)
    }
    let thresholds = HistoryInputs.thresholds(entry)
    let size = entry.thumbnail?.count ?? 0
    if arguments[StandardOptions.json] {
      try console.print(
        JSONText.object(
          HistoryInputs.members(entry) + [
            ("thumbnailBytes", .integer(size)), ("thresholds", thresholds),
          ]
        ).text)
      return .success
    }
    var report = ReportText()
    report.add("image", entry.imageName ?? "-")
    report.add("folder", entry.imageFolder ?? "-")
    let corrected =
      entry.correctedCount == nil
      ? "" : ", corrected by a person (the machine counted \(entry.count))"
    report.add("count", "\(entry.finalCount)\(corrected)")
    let interval = HistoryInputs.interval(of: entry)
    report.add("interval", interval.isEmpty ? "-" : interval)
    report.add(
      "time",
      "\(HistoryInputs.localText(of: entry.time)) "
        + "(\(HistoryInputs.text(of: entry.time, milliseconds: true)))")
    report.add("favourite", entry.isFavorite ? "yes" : "no")
    report.add("thumbnail", size == 0 ? "none" : "\(size) bytes")
    report.add("thresholds", thresholds.text)
    try console.print(
      ([HistoryInputs.text(of: id)] + report.lines).joined(separator: "\n"))
    return .success
  }
}
