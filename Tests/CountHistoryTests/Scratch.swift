import Foundation
import TestSupport
import Testing

@testable import CountHistory

/// A folder of a test's own, removed with the value.
final class ScratchFolder: Sendable {
  let url = FileManager.default.temporaryDirectory
    .appendingPathComponent("tally-history-\(UUID().uuidString)")

  init() throws {
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  }

  deinit {
    try? FileManager.default.removeItem(at: url)
  }

  /// A history that may be made.
  var history: HistoryFile { HistoryFile(file("history.sqlite")) }

  func file(_ name: String) -> URL { url.appendingPathComponent(name) }

  func read(_ name: String = "history.sqlite") throws -> Data { try Data(contentsOf: file(name)) }

  func write(_ bytes: Data, _ name: String = "history.sqlite") throws {
    try bytes.write(to: file(name))
  }

  /// Writes the bytes at some places of a file in place.
  func patch(_ places: [Int], of bytes: Data) throws {
    let handle = try FileHandle(forUpdating: file("history.sqlite"))
    for place in places {
      try handle.seek(toOffset: UInt64(place))
      try handle.write(contentsOf: bytes[place...place])
    }
    try handle.close()
  }

  /// The names of the files in the folder, sorted.
  func names() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: url.path).sorted()
  }

  /// Changes a file by SQL, as another program can.
  func edit(_ statements: String..., name: String = "history.sqlite") throws {
    let database = try Database(file(name).path, .shared)
    for statement in statements { try database.run(statement) }
  }
}

extension HistoryEntry {
  /// Entry of a number, as ``HistoryScript`` has it.
  static func sample(_ number: Int, isFavorite: Bool = false) throws -> HistoryEntry {
    try HistoryEntry(HistoryScript.Entry(number: number, isFavorite: isFavorite))
  }

  init(_ entry: HistoryScript.Entry) throws {
    try self.init(
      id: entry.id, time: entry.time, count: entry.number, imageName: entry.name,
      thresholds: ["number": entry.number], thumbnail: entry.thumbnail,
      isFavorite: entry.isFavorite)
  }
}

extension HistoryFile {
  /// Adds entries of these numbers.
  func fill(_ numbers: some Sequence<Int>, isFavorite: Bool = false) async throws {
    for number in numbers { try await add(.sample(number, isFavorite: isFavorite)) }
  }

  /// All entries, or why there are none to be had.
  func outcome() async -> Result<[HistoryEntry], HistoryError> {
    do {
      return .success(try await entries())
    } catch {
      return .failure(error)
    }
  }

  /// The numbers of all entries, newest first.
  func numbers() async throws -> [Int] { try await entries().map(\.count) }
}

/// The program that changes a history in a process of its own.
enum Writer {
  /// Starts it; its standard output is a pipe.
  static func start(
    _ history: URL, done: Int, changes: Int, _ more: String...
  ) throws -> (process: Process, output: FileHandle) {
    let folder = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
    let program = folder.appendingPathComponent("CountHistoryWriter")
    try #require(
      FileManager.default.isExecutableFile(atPath: program.path), "build the whole package")
    let process = Process()
    process.executableURL = program
    process.arguments = [history.path, "\(done)", "\(changes)"] + more
    let pipe = Pipe()
    process.standardOutput = pipe
    try process.run()
    return (process, pipe.fileHandleForReading)
  }
}
