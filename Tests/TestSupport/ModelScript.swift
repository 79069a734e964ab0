/// The models that a test and the process that it kills agree on.
public enum ModelScript {
  /// What the model is called.
  public static let name = "model"

  /// The bytes of a version.
  public static func bytes(of version: Int, count: Int) -> [UInt8] {
    var generator = SeededGenerator(seed: UInt64(version))
    return (0..<count).map { _ in UInt8(truncatingIfNeeded: generator.next()) }
  }
}
