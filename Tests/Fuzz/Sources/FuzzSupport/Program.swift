import Foundation

/// A program with several targets, of which the environment's `TALLY_FUZZ_TARGET` names one.
public struct Program: Sendable {
  private let target: Target

  /// Chooses the target.
  public init(_ targets: [Target]) {
    let name = ProcessInfo.processInfo.environment["TALLY_FUZZ_TARGET"]
    guard let target = targets.first(where: { $0.name == name }) else {
      fatalError("TALLY_FUZZ_TARGET must be one of \(targets.map(\.name))")
    }
    self.target = target
  }

  /// Writes the seeds and ends, if `TALLY_FUZZ_SEEDS` names a folder for them.
  public func begin() -> CInt {
    guard let folder = ProcessInfo.processInfo.environment["TALLY_FUZZ_SEEDS"] else { return 0 }
    do {
      for (index, seed) in try target.seeds().enumerated() {
        try Data(seed).write(to: URL(fileURLWithPath: "\(folder)/seed-\(index)"))
      }
    } catch {
      fatalError("the seeds cannot be written: \(error)")
    }
    exit(0)
  }

  /// Gives the target some bytes.
  public func run(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    guard let bytes, count > 0 else { return 0 }
    do {
      try target.body(Array(UnsafeBufferPointer(start: bytes, count: count)))
    } catch {
      fatalError("an error of another kind: \(error)")
    }
    return 0
  }
}
