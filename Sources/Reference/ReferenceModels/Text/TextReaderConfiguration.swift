import TextDecode

/// How a ``TextReader`` reads.
public struct TextReaderConfiguration: Hashable, Sendable {
  /// Images whose longer side exceeds this many pixels are made smaller first; at least 32.
  public var maximumSide = 2000
  /// The same if the spines in an image are known, because each is also read by itself; at least
  /// 32.
  ///
  /// It bounds the time and memory that text beside the spines takes. Such text is found in the
  /// smaller image, and read in the full one.
  public var maximumShelfSide = 1280
  /// Images whose shorter side is below this many pixels are made larger for the detector; at
  /// least 32.
  public var detectionSide = 736
  /// How thick the picture of a spine is for the detector, in pixels; 16...1024.
  ///
  /// A spine is enlarged to it, up to three times, unless it becomes too long. Time grows with its
  /// square.
  public var spineThickness = 144
  /// How the detector's map becomes regions.
  public var decoder = TextMapDecoder()
  /// Lines read with less confidence are left out, 0...1; RapidOCR's is 0.5.
  public var minimumConfidence: Float = 0
  /// How sure the orientation network must be, exclusive, to turn a line by half a turn; 0...1.
  public var orientationConfidence: Float = 0.9
  /// How many lines go through a network at once, at least 1.
  ///
  /// Lines are sorted by their proportions, and each is filled up to the width of the widest of its
  /// batch, which the network notices a little: another number gives slightly other answers.
  public var batchSize = 6
  /// Lines that are read with less confidence, or without a letter or digit, are also read turned by
  /// half a turn, and the better reading is kept; 0...1, 0 for none.
  ///
  /// If there is no orientation network, any number above 0 means all lines. Otherwise lines that
  /// run up or down are first read downwards, and others as they lie, unless the network is sure of
  /// the contrary. It knows the letters on spines badly. A line on a known spine is read once if
  /// another line on that spine runs the same way and is read surely.
  ///
  /// A reading of a line that is upside down rarely has a confidence above 0.8.
  public var bothTurnsBelow: Float = 0

  /// How lines are read by a beam search, with a list of words if it has one; nil to take the most
  /// likely class of each step, as RapidOCR does.
  ///
  /// A list decides what letters that look alike are, and where words end, by the words that it has.
  /// The caller brings it, so that it suits the language and the kind of text. Confidences mean the
  /// same in both cases. Spaces at the ends of a line are dropped.
  public var beamSearch: CTCBeamConfiguration?

  /// RapidOCR's settings, but that every line is kept.
  public init() {}

  /// What RapidOCR 1.4.4 does by default.
  public static var rapidOCR: TextReaderConfiguration {
    var configuration = TextReaderConfiguration()
    configuration.minimumConfidence = 0.5
    return configuration
  }

  /// For photos of shelves and stacks: lines that are not read surely are read both ways.
  public static var spines: TextReaderConfiguration {
    var configuration = TextReaderConfiguration()
    configuration.bothTurnsBelow = 0.8
    return configuration
  }

  /// For spines in the frames of a camera: like ``spines``, but with smaller pictures of them and
  /// fewer lines at once, which bounds the memory.
  public static var frames: TextReaderConfiguration {
    var configuration = TextReaderConfiguration.spines
    configuration.spineThickness = 64
    configuration.batchSize = 2
    return configuration
  }

  /// Throws if a setting is out of range.
  func check() throws(ReferenceModelError) {
    let whole = [
      ("maximumSide", maximumSide, 32...16384),
      ("maximumShelfSide", maximumShelfSide, 32...16384),
      ("detectionSide", detectionSide, 32...16384), ("batchSize", batchSize, 1...4096),
      ("spineThickness", spineThickness, 16...1024),
    ]
    for (field, value, range) in whole where !range.contains(value) {
      throw .textSetting(field: field, value: "\(value)", range: "\(range)")
    }
    let shares = [
      ("minimumConfidence", minimumConfidence), ("orientationConfidence", orientationConfidence),
      ("bothTurnsBelow", bothTurnsBelow),
    ]
    for (field, value) in shares where !(0...1).contains(value) {
      throw .textSetting(field: field, value: "\(value)", range: "0...1")
    }
    do {
      try beamSearch?.check()
    } catch {
      // Only settings can be wrong here.
      guard case .setting(let field, let value, let range) = error else { return }
      throw .textSetting(field: field, value: "\(value)", range: range)
    }
  }
}
