/// What is fuzzed: any bytes go in, and what a module promises of them is looked at.
public struct Target: Sendable {
  /// What `Tests/Fuzz/run` calls it.
  public let name: String
  let seeds: @Sendable () throws -> [[UInt8]]
  let body: @Sendable ([UInt8]) throws -> Void

  /// Makes a target.
  ///
  /// - Parameters:
  ///   - name: what it is called.
  ///   - seeds: makes what the first corpus begins with.
  ///   - body: looks at some bytes. An error that it throws is a finding, as is a trap.
  public init(
    _ name: String, seeds: @escaping @Sendable () throws -> [[UInt8]],
    body: @escaping @Sendable ([UInt8]) throws -> Void
  ) {
    self.name = name
    self.seeds = seeds
    self.body = body
  }
}

/// Ends the process, which is what the fuzzer looks for, unless a promise is kept.
public func expect(
  _ condition: Bool, _ promise: @autoclosure () -> String, file: StaticString = #file,
  line: UInt = #line
) {
  if !condition { fatalError(promise(), file: file, line: line) }
}

/// Does something that may be refused by an error of a module's own; any other is a finding.
public func refusable<Refusal: Error>(_ kind: Refusal.Type, _ body: () throws -> Void) rethrows {
  do { try body() } catch is Refusal {}
}
