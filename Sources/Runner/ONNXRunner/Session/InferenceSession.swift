import Foundation

/// A loaded model, ready to run: load once, run from as many tasks as you like.
public final class InferenceSession: Sendable {
  /// What the model takes.
  public let inputs: [ValueDescription]

  /// What the model gives.
  public let outputs: [ValueDescription]

  /// What the model says about itself.
  public let metadata: ModelMetadata

  /// Loads the model in a file; weights kept beside it are found relative to its folder.
  ///
  /// The file stays mapped while the session lives, and must not be shortened meanwhile.
  ///
  /// - Throws: ``ModelError``.
  public convenience init(contentsOf url: URL, options: SessionOptions = .init()) throws {
    try self.init(
      data: try Data(contentsOf: url), folder: url.deletingLastPathComponent(), options: options)
  }

  /// Loads a model from bytes; `folder` is where weights kept outside are, if any are.
  ///
  /// - Throws: ``ModelError``.
  public init(data: Data, folder: URL? = nil, options: SessionOptions = .init()) throws {
    throw ModelError.malformed(reason: "not there yet")
  }

  /// Runs the model: tensors by input name in, tensors by output name out.
  ///
  /// Any dimension the model leaves open may be chosen. Safe to call from several threads at once.
  ///
  /// - Throws: ``ModelError``, or `CancellationError` where the options' hook asks for it.
  public func run(
    _ inputs: [String: Tensor], options: RunOptions = .init()
  ) throws -> [String: Tensor] {
    [:]
  }
}
