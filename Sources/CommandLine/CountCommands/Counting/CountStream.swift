import CommandKit
import Raster

/// `tally count --stream`: one output line per input line, up to the end of the input.
struct CountStream {
  private let console: Console
  private let counter: PhotoCounter

  /// Loads the models.
  init(_ arguments: ParsedArguments, console: Console) throws {
    self.console = console
    counter = try PhotoCounter(arguments, console: console)
  }

  /// Throws for options that a stream does not allow.
  static func check(_ arguments: ParsedArguments) throws(UsageError) {
    let others: [any OptionDeclaration] =
      CountPlots.options + [
        BatchOptions.recursive, BatchOptions.null, BatchOptions.format, BatchOptions.results,
        BatchOptions.retryFailed, StandardOptions.atLeast, CountOptions.overlay,
        CountOptions.thumbnail, CountOptions.report, CountOptions.labels, CountOptions.correction,
        CountOptions.save, HistoryInputs.file, StandardOptions.verbose,
      ]
    if let option = others.first(where: { arguments.has($0) }) {
      throw UsageError(
        "--stream answers each line of standard input by one of JSON, and --\(option.name) has no "
          + "place there")
    }
  }

  /// Answers all lines.
  ///
  /// - Returns: success, because a line that cannot be counted has an answer too.
  func run() async throws -> ExitCode {
    var reader = LineReader(console.input, limit: StreamLine.limit)
    reader.skipsByteOrderMark = true
    let lines = LineFeed(reader)
    let counter = counter
    let answer: @Sendable (Raster, String) async throws -> PhotoAnswer<CountSummary> = {
      let count = try await counter.count(in: $0, at: $1)
      return PhotoAnswer(CountSummary(path: $1, result: count.result))
    }
    _ = try await PhotoCrew.work(
      counter.capacity.jobs, into: StreamSink(console: console), next: { try await lines.next() },
      row: { line, _ in
        switch StreamLine(line) {
        case .photo(let path):
          return try await PhotoRow.of(path) {
            try await counter.capacity.withPhoto(at: path) { photo in
              try await answer(photo.image, path)
            }
          }
        case .image(let data, let name):
          return try await PhotoRow.of(name) {
            try await counter.capacity.withPhoto(data) { photo in
              try await answer(photo.image, name)
            }
          }
        case .refused(let name, let error): return .failed(name, error)
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
