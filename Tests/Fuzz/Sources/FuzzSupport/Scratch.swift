import Foundation

/// Files for what reads files, in a folder of the process's own.
public enum Scratch {
  /// The folder: `TALLY_FUZZ_SCRATCH` says in which it is.
  public static let folder: URL = {
    let parent =
      ProcessInfo.processInfo.environment["TALLY_FUZZ_SCRATCH"] ?? NSTemporaryDirectory()
    let folder = URL(fileURLWithPath: parent).appendingPathComponent("fuzz.\(getpid())")
    do {
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    } catch {
      fatalError("\(folder.path) cannot be made: \(error)")
    }
    return folder
  }()

  /// Writes a file, and answers where it is.
  @discardableResult
  public static func write(_ bytes: some Collection<UInt8>, to name: String) throws -> URL {
    let file = folder.appendingPathComponent(name)
    try Data(bytes).write(to: file)
    return file
  }

  /// A folder with nothing in it.
  public static func emptyFolder(_ name: String) throws -> URL {
    let url = path(name)
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    return url
  }

  /// A place where nothing is.
  public static func path(_ name: String) -> URL {
    let url = folder.appendingPathComponent(name)
    try? FileManager.default.removeItem(at: url)
    return url
  }
}

/// Waits for what is asynchronous: the fuzzer's own loop is not.
public func waiting<Value: Sendable>(
  for body: @escaping @Sendable () async throws -> Value
) throws -> Value {
  let box = Box<Value>()
  Task.detached {
    do {
      box.result = .success(try await body())
    } catch {
      box.result = .failure(error)
    }
    box.isDone.signal()
  }
  box.isDone.wait()
  guard let result = box.result else { fatalError("nothing came of it") }
  return try result.get()
}

/// Safe to share: the semaphore orders the one write before the one read.
private final class Box<Value>: @unchecked Sendable {
  let isDone = DispatchSemaphore(value: 0)
  var result: Result<Value, any Error>?
}
