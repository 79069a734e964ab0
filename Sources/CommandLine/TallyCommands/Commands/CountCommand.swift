import Counting
import Foundation
import ImageFiles

/// `tally count`: the whole pipeline on each photo.
enum CountCommand: Command {
  static let specification = CommandSpecification(
    words: ["count"],
    summary: "Count the objects of the main kind in photos",
    discussion: [
      "Counts similar objects in each photo: finds objects, keeps those whose size and shape are "
        + "like the others', groups them by how alike they look, and counts the largest group.",
      "The adaptive set finds out from the photo itself how large its objects are, how closely to "
        + "look, and how many kinds there are. The other sets keep what lies in bands around the "
        + "median and group by a given similarity.",
    ],
    operands: Operands(
      metavar: "IMAGE",
      help: "A JPEG, PNG or HEIC file; a folder of such files; a pattern in quotes, as "
        + "'photos/*.jpg'; or - for a list of paths on standard input, one a line.",
      isList: true, replacement: BatchOptions.stream),
    groups: [CountOptions.groupOfGuide] + CountOptions.groupsOfCounting + [
      OptionGroup(
        "Output",
        [
          StandardOptions.json, CountOptions.overlay, CountOptions.thumbnail,
          CountOptions.report, CountOptions.labels, CountOptions.correction,
          CountOptions.save, HistoryInputs.file, StandardOptions.quiet, StandardOptions.threads,
        ]),
      OptionGroup("Drawings", CountPlots.options),
      OptionGroup("Many photos", BatchOptions.all),
    ],
    examples: [
      Example("Count one photo.", "tally count tartlets.jpg"),
      Example(
        "Look at what was counted.", "tally count tartlets.jpg --overlay counted.png"),
      Example(
        "See how the count came about, and correct it.",
        "tally count tartlets.jpg --report tartlets.html"),
      Example(
        "Draw what looks alike, and what was kept, for print.",
        "tally count tartlets.jpg --map looks.pdf --histograms sizes.pdf"),
      Example(
        "Count what is like one object, in a box of 64 x 60 pixels, and not like another.",
        "tally count sweets.jpg --like 310,220,64,60 --unlike 20,35,60,60"),
      Example(
        "Count in a part of the photo only.", "tally count tray.jpg --region 0,0,800,1200"),
      Example(
        "Count what another photo taught.", "tally count trays --template sweets"),
      Example(
        "Count many photos, one line of JSON each.",
        "tally count photos/*.jpg --json --overlay 'checked/{name}.png'"),
      Example(
        "Count a folder, and go on where it was cut off.",
        "tally count photos --recursive --results counts.jsonl"),
      Example("Count for another program.", "find . -name '*.jpg' | tally count --stream"),
      Example("Keep the count, for 'tally history'.", "tally count tartlets.jpg --save"),
      Example(
        "Bring your own models.",
        "tally count shelf.jpg --detector yolox_s.onnx --embedder tinyclip.onnx"),
    ])

  static func run(_ arguments: ParsedArguments, console: Console) async throws -> ExitCode {
    try BatchOptions.check(arguments)
    if arguments[BatchOptions.stream] {
      return try await CountStream(arguments, console: console).run()
    }
    let list = try PhotoList(arguments, console: console)
    if !list.isLiteral || BatchOptions.askForMany(arguments) {
      return try await CountBatch(arguments, photos: list, console: console).run()
    }
    let images = arguments.operands
    let drawings = try CountDrawings(arguments, images: images)
    let guide = try PhotoGuide(arguments, console: console)
    let settings = try SettingsInputs.inForce(arguments, console)
    let counter = try LoadedModels.counter(arguments, settings: settings, console: console)
    let saved = try SavedCounts(
      arguments, configuration: counter.configuration, console: console)
    try drawings.makeFolders()

    let progress = ProgressLine(on: console, isQuiet: arguments[StandardOptions.quiet])
    let loop = InputLoop(console: console, progress: progress)
    return try await loop.forEach(images) { index, path in
      loop.show("reading", index, of: images)
      let image = try ImageFile.load(contentsOf: InputFile.existing(path))
      let show: @Sendable (CountingProgress) -> Void = { report in
        guard report.stage != .done else { return }
        let percent = Int((report.fraction * 100).rounded())
        loop.show("\(report.stage.rawValue) \(percent) %", index, of: images)
      }
      let count = try await counter.count(
        in: image, guide: guide.checked(for: image, at: path), isTraced: drawings.needTrace,
        progress: show)
      progress.erase()
      let report = CountSummary(
        path: path, result: count.result, corrected: try drawings.corrected(count.result))
      if arguments[StandardOptions.json] {
        try console.print(report.json().text)
      } else if images.count == 1 {
        try console.print(
          (report.lines + settings.reminder(of: count.result)).joined(separator: "\n"))
      } else {
        try console.print(report.line)
      }
      try drawings.draw(
        count, of: image, configuration: counter.configuration, at: index)
      try await saved?.add(count.result, of: image, at: path)
    }
  }
}
