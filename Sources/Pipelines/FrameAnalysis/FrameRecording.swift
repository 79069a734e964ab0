import Tracking

/// One thing that happens to a ``FrameSession``.
public enum FrameInput: Hashable, Sendable, Codable {
  /// A frame was offered.
  case offered(FrameTime)
  /// A frame was analysed.
  case observed(FrameObservations)
  /// Text was read on an object.
  case readObject(ObjectReading)
  /// The barcodes of a frame were read beside the frames.
  case readBarcodes(BarcodeReading)
  /// The device became this hot.
  case thermalState(ThermalState)
  /// Frames come again after a pause.
  case resumed
  /// A frame was dropped before it was offered.
  case dropped
  /// The session was switched on or off.
  case enabled(Bool)
  /// What was seen was forgotten.
  case cleared
  /// The session was reset.
  case reset
}

/// A session's answer to an input.
public enum FrameOutput: Hashable, Sendable, Codable {
  /// Whether the offered frame is to be analysed.
  case admission(FrameAdmission)
  /// What the frame shows.
  case analysis(AnalyzedFrame)
}

extension FrameSession {
  /// Does what the input says; nil for inputs without an answer.
  @discardableResult
  public mutating func handle(_ input: FrameInput) -> FrameOutput? {
    switch input {
    case .offered(let time):
      return .admission(admit(frameAt: time))
    case .observed(let observations):
      return .analysis(analyze(observations))
    case .readObject(let reading):
      add(reading)
    case .readBarcodes(let reading):
      add(reading)
    case .thermalState(let state):
      thermalState = state
    case .resumed:
      resume()
    case .dropped:
      dropFrame()
    case .enabled(let isOn):
      isEnabled = isOn
    case .cleared:
      clear()
    case .reset:
      reset()
    }
    return nil
  }
}

/// All events of a session, to replay them later, for example to test an error from the field.
public struct FrameRecording: Hashable, Sendable, Codable {
  /// The session's configuration.
  public var configuration: FrameConfiguration
  /// What happened, in order.
  public var inputs: [FrameInput]

  /// Starts a recording.
  public init(configuration: FrameConfiguration = FrameConfiguration(), inputs: [FrameInput] = []) {
    self.configuration = configuration
    self.inputs = inputs
  }

  /// The answers of a new session to all inputs that have one.
  ///
  /// They are the same on every run.
  public func replay() throws(FrameConfigurationError) -> [FrameOutput] {
    var session = try FrameSession(configuration: configuration)
    return inputs.compactMap { session.handle($0) }
  }
}
