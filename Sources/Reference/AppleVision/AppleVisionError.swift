#if canImport(Vision)
  /// Why Vision, Core ML or Core Graphics could not do what was asked.
  public enum AppleVisionError: Error, Equatable, CustomStringConvertible {
    /// An image could not be read or made.
    case image(reason: String)
    /// A pixel buffer has a format that is not read; its four letters, such as `x420`.
    case pixelFormat(String)
    /// A request of Vision failed.
    case request(name: String, reason: String)
    /// A model's prediction failed.
    case prediction(reason: String)
    /// A model does another job than it was loaded for; `found` lists its inputs and outputs.
    case model(reason: String, found: String)
    /// A detector named a class that is not among its labels.
    case unknownLabel(String, labels: [String])

    /// What was wrong, and what would be right, in one line.
    public var description: String {
      switch self {
      case .image(let reason): "the image cannot be used: \(reason)"
      case .pixelFormat(let format):
        "a pixel buffer of format \(format); it must be BGRA, 420v or 420f"
      case .request(let name, let reason): "Vision's request for \(name) failed: \(reason)"
      case .prediction(let reason): "Core ML's prediction failed: \(reason)"
      case .model(let reason, let found): "the model does not fit: \(reason); it has \(found)"
      case .unknownLabel(let label, let labels):
        "the detector found '\(label)', which is not one of its \(labels.count) labels"
      }
    }
  }
#endif
