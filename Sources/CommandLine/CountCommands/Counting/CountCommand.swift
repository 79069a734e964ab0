import CommandKit

/// `tally count`: the whole pipeline on each photo.
enum CountCommand: Command {
  static let specification = CommandSpecification(
    words: ["count"],
    summary: "Count the objects of the main kind in photos",
    discussion: [
      "Counts similar objects in each photo: finds objects, leaves out those of unusual size or "
        + "shape, groups the rest by similarity, and counts the largest group.",
      "The adaptive set estimates from the photo itself the size of the objects, the number of "
        + "tiles and the number of kinds. The other sets keep objects in bands around the median "
        + "and group them by a fixed similarity.",
    ],
    operands: BatchOptions.operands(replacement: BatchOptions.stream),
    groups: [
      OptionGroup(
        "Output",
        [
          StandardOptions.json, CountOptions.overlay, CountOptions.thumbnail,
          CountOptions.report, CountOptions.labels, CountOptions.labelFormat,
          CountOptions.labelKinds, CountOptions.crops, CountOptions.correction,
          CountOptions.save, HistoryInputs.file, StandardOptions.verbose, StandardOptions.quiet,
          StandardOptions.threads,
        ]),
      CountOptions.groupOfGuide,
      OptionGroup("Many photos", BatchOptions.all),
      OptionGroup("Drawings", CountPlots.options),
    ] + CountOptions.groupsOfCounting,
    firstOptions: [
      CountOptions.overlay, CountOptions.report, StandardOptions.json, BatchOptions.format,
      CountOptions.labels, CountOptions.save, CountOptions.like, CountOptions.unlike,
      CountOptions.region, CountOptions.template,
    ] + CountOptions.confidence + [
      BatchOptions.recursive, BatchOptions.results, StandardOptions.verbose, StandardOptions.help,
    ],
    examples: [
      Example("Count one photo.", "tally count tartlets.jpg"),
      Example(
        "Look at what was counted.", "tally count tartlets.jpg --overlay counted.png"),
      Example(
        "See each step of the count, and correct it.",
        "tally count tartlets.jpg --report tartlets.html"),
      Example(
        "Draw the similarity map and histograms of sizes, for print.",
        "tally count tartlets.jpg --map looks.pdf --histograms sizes.pdf"),
      Example(
        "Count objects similar to one in a box, and leave out those like another.",
        "tally count sweets.jpg --like 310,220,64,60 --unlike 20,35,60,60"),
      Example(
        "Count in a part of the photo only.", "tally count tray.jpg --region 0,0,800,1200"),
      Example(
        "Count what another photo taught.", "tally count trays --template sweets"),
      Example(
        "Count many photos, one line of JSON each.",
        "tally count photos/*.jpg --json --overlay 'checked/{name}.png'"),
      Example(
        "Count a folder, and continue after an interruption.",
        "tally count photos --recursive --results counts.jsonl"),
      Example("Count for another program.", "find . -name '*.jpg' | tally count --stream"),
      Example("Keep the count, for 'tally history'.", "tally count tartlets.jpg --save"),
      Example(
        "Bring your own models.",
        "tally count shelf.jpg --detector yolox_s.onnx --embedder tinyclip.onnx"),
    ])

  static func run(_ arguments: ParsedArguments, console: Console) async throws -> ExitCode {
    if arguments[BatchOptions.stream] { try CountStream.check(arguments) }
    try BatchOptions.check(arguments)
    if arguments[BatchOptions.stream] {
      return try await CountStream(arguments, console: console).run()
    }
    let photos = try PhotoList(arguments, console: console)
    let drawings = try CountDrawings(arguments, images: photos.paths)
    let counter = try PhotoCounter(
      arguments, photos: photos.paths.count, isTraced: drawings.needTrace, console: console)
    let saved = try SavedCounts(
      arguments, configuration: counter.configuration, console: console)
    try drawings.makeFolders()
    let loop = try PhotoLoop<CountSummary>(
      arguments, photos: photos, capacity: counter.capacity, activity: "counting",
      console: console
    ) {
      try ResultsSettings(
        arguments, configuration: counter.configuration, guide: counter.guide,
        correction: drawings.correctionDigest(), console: console)
    }
    try SettingsInputs.tell(arguments, console)
    let isVerbose = arguments[StandardOptions.verbose]
    let code = try await loop.run { photo in
      let count = try await counter.count(in: photo.image, at: photo.path, show: photo.show)
      let summary = CountSummary(
        path: photo.path, result: count.result,
        corrected: try drawings.corrected(count.result), isVerbose: isVerbose)
      return try await PhotoAnswer(summary) { summary in
        summary.written = try await drawings.draw(
          count, of: photo, configuration: counter.configuration)
        try await saved?.add(
          count.result, of: photo.image, at: photo.path, corrected: summary.corrected?.count)
        summary.history = saved?.path
      }
    }
    if let path = try await drawings.finish(counter.configuration) {
      console.note("wrote \(path)")
    }
    return code
  }
}
