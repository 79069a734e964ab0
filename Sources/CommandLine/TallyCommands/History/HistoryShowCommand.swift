import CountHistory

/// `tally history show`: all that is known of a count.
enum HistoryShowCommand: Command {
  static let specification = CommandSpecification(
    words: ["history", "show"],
    summary: "Print all of one saved count, and write its thumbnail",
    discussion: [
      "Prints one of the counts that were saved, with the thresholds that it was made with."
    ],
    operands: Operands(
      metavar: "ID", help: "The UUID of an entry, as 'tally history list' prints it.",
      isList: false),
    groups: [
      OptionGroup("History", [HistoryInputs.file]),
      OptionGroup("Output", [StandardOptions.json, thumbnail]),
    ],
    examples: [
      Example(
        "How was it counted?", "tally history show 6f1c2d1e-0a3b-4c5d-8e9f-001122334455"),
      Example(
        "Look at what was counted.",
        "tally history show 6f1c2d1e-0a3b-4c5d-8e9f-001122334455 --thumbnail one.jpg"),
    ])

  static let thumbnail = Option(
    "thumbnail", .outputPath("FILE.jpg"), help: "Write the entry's thumbnail, a JPEG.")

  static func run(_ arguments: ParsedArguments, console: Console) async throws -> ExitCode {
    let id = try IndexInputs.id(arguments.operands[0], "ID")
    let target = try arguments[thumbnail].map {
      try OutputPattern(
        $0, option: thumbnail.name, extensions: ["jpg", "jpeg"],
        inputs: [HistoryInputs.text(of: id)])
    }
    let history = try HistoryInputs.existing(arguments, console)
    guard let entry = try await history.entry(id) else {
      throw HistoryInputs.missing(id, in: history)
    }
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
    report.add("count", "\(entry.count)")
    report.add("time", HistoryInputs.text(of: entry.time, milliseconds: true))
    report.add("favourite", entry.isFavorite ? "yes" : "no")
    report.add("thumbnail", size == 0 ? "none" : "\(size) bytes")
    report.add("thresholds", thresholds.text)
    try console.print(
      ([HistoryInputs.text(of: id)] + report.lines).joined(separator: "\n"))
    return .success
  }
}
