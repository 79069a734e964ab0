/// `tally count --stream`: a line out for every line in, until there are no more.
struct CountStream {
  private let console: Console
  private let counter: PhotoCounter

  /// Loads the models.
  init(_ arguments: ParsedArguments, console: Console) throws {
    self.console = console
    counter = try PhotoCounter(arguments, console: console)
  }

  /// Answers all lines.
  ///
  /// - Returns: success, for a line that cannot be counted has its answer too.
  func run() async throws -> ExitCode {
    let lines = LineFeed(LineReader(console.input, limit: StreamLine.limit))
    let counter = counter
    _ = try await PhotoCrew(workers: counter.jobs).work(
      into: StreamSink(console: console), next: { try await lines.next() },
      row: { line, _ in
        switch StreamLine(line) {
        case .photo(let path): return try await counter.row(ofPhoto: path)
        case .image(let data, let name): return try await counter.row(ofImage: data, called: name)
        case .refused(let name, let error): return PhotoRow(path: name, outcome: .failed(error))
        }
      })
    return .success
  }
}

/// Prints rows as JSON, each with one write.
private struct StreamSink: RowSink {
  let console: Console

  func put(_ row: PhotoRow) throws { try console.print(row.json) }
}
