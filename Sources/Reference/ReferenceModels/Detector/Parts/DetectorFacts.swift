import Foundation
import ONNXRunner
import Raster

/// The known facts of a model that may be a detector.
final class DetectorFacts: @unchecked Sendable {
  // Unchecked: `answer` is only touched under `lock`.
  private let lock = NSLock()
  private var answer: [String: Tensor]?

  let session: InferenceSession
  let image: DetectorImageInput
  /// The inputs besides the photo.
  let furtherInputs: [ValueDescription]
  /// What the writer of the file said.
  let properties: [String: String]
  /// The files beside the model that say more.
  let companions: DetectorCompanions
  /// The names of the classes, given or written in the model.
  let names: ClassLabels?
  /// The rule that the caller asks for.
  let askedPreprocessing: DetectorPreprocessing?
  /// The size that the caller asks for.
  private let askedSize: PixelSize?

  init(
    session: InferenceSession, companions: DetectorCompanions, names: ClassLabels?,
    preprocessing: DetectorPreprocessing?, size: PixelSize?
  ) throws {
    self.session = session
    self.companions = companions
    self.names = names
    askedPreprocessing = preprocessing
    askedSize = size
    properties = session.metadata.properties
    image = try DetectorImageInput(of: session.inputs)
    let name = image.description.name
    furtherInputs = session.inputs.filter { $0.name != name }
  }

  /// The input's size, if the model fixes it, the caller asks for it or its metadata says it.
  ///
  /// - Throws: ``ReferenceModelError/inputSize(asked:found:)`` if the caller asks for another than
  ///   the model fixes.
  func size() throws -> PixelSize? {
    let fixed = (image.fixedWidth, image.fixedHeight)
    if let askedSize {
      guard fixed.0 ?? askedSize.width == askedSize.width,
        fixed.1 ?? askedSize.height == askedSize.height
      else {
        throw ReferenceModelError.inputSize(
          asked: "\(askedSize.width) x \(askedSize.height)", found: session.signature)
      }
      return askedSize
    }
    if let width = fixed.0, let height = fixed.1 {
      guard let size = PixelSize(width: width, height: height) else {
        throw UnfitModel(reason: "its input is \(width) x \(height) pixels")
      }
      return size
    }
    // Ultralytics writes `[height, width]`.
    let sides = (properties["imgsz"] ?? "").split { !$0.isNumber }.compactMap { Int($0) }
    guard let height = sides.first, let width = sides.last, sides.count <= 2,
      max(height, width) <= Self.largestSaidSide
    else { return nil }
    return PixelSize(width: width, height: height)
  }

  /// The longest side that metadata is believed: a text must not make a trial run of gigabytes.
  private static let largestSaidSide = 4096

  /// The input's size; without one the model cannot be used.
  func neededSize() throws -> PixelSize {
    guard let size = try size() else {
      throw ReferenceModelError.openInputSize(found: session.signature)
    }
    return size
  }

  /// The only output, or a reason.
  func onlyOutput() throws(UnfitModel) -> ValueDescription {
    guard session.outputs.count == 1 else {
      throw UnfitModel(reason: "it has \(session.outputs.count) outputs")
    }
    return session.outputs[0]
  }

  /// The output of a name, or a reason.
  func output(named name: String) throws(UnfitModel) -> ValueDescription {
    guard let found = session.outputs.first(where: { $0.name == name }) else {
      throw UnfitModel(reason: "it has no output \(name)")
    }
    return found
  }

  /// The shape of an output: as declared, or as a trial run shows it.
  func shape(of output: ValueDescription) throws -> [Int] {
    if let shape = output.fixedShape { return shape }
    return try trial()[output.name]?.shape ?? []
  }

  /// What the model answers to a picture that is nothing.
  ///
  /// - Throws: ``UnfitModel`` if the model has further inputs, whose meaning only a family knows.
  func trial() throws -> [String: Tensor] {
    guard furtherInputs.isEmpty else {
      throw UnfitModel(reason: "it has \(session.inputs.count) inputs")
    }
    let size = try neededSize()
    return try lock.withLock {
      if let answer { return answer }
      let new = try session.run([
        image.description.name: image.trial(width: size.width, height: size.height)
      ])
      answer = new
      return new
    }
  }

  /// Refuses further inputs.
  func requireNoFurtherInputs() throws(UnfitModel) {
    guard let input = furtherInputs.first else { return }
    throw UnfitModel(reason: "it also wants \(input)")
  }

  /// Refuses inputs of bytes, of pixels or of one image, which no network of most families has.
  func requirePlanes() throws(UnfitModel) {
    guard image.layout == .planes, image.description.elementType != .uint8 else {
      throw UnfitModel(reason: "its photo is \(image.description)")
    }
  }

  /// How many candidates there are for each place of the grid; nil if that is not one or three.
  func anchors(ofCandidates count: Int, size: PixelSize) -> Int? {
    for grid in DetectorGrid.all(size) {
      for anchors in [1, 3] where anchors * grid.placeCount == count { return anchors }
    }
    return nil
  }
}

/// The places from which a YOLO network proposes candidates: some maps, each with its stride.
struct DetectorGrid {
  /// How far places of a map are apart, and how many there are in each direction.
  let maps: [(stride: Int, columns: Int, rows: Int)]

  /// How many places there are.
  var placeCount: Int { maps.reduce(0) { $0 + $1.columns * $1.rows } }

  /// The grids of the networks that are known, on an input of some size: P5, P6, P2 and the tiny
  /// ones.
  static func all(_ size: PixelSize) -> [DetectorGrid] {
    [[8, 16, 32], [8, 16, 32, 64], [4, 8, 16, 32], [16, 32]].map { strides in
      DetectorGrid(
        maps: strides.map {
          ($0, (size.width + $0 - 1) / $0, (size.height + $0 - 1) / $0)
        })
    }
  }
}

/// The files of a model's folder that say what it is, as transformers writes them.
struct DetectorCompanions: Sendable {
  /// `model_type` of `config.json`.
  var modelType: String?
  /// `id2label` of `config.json`.
  var labels: ClassLabels?
  /// What `preprocessor_config.json` says.
  var processor: Processor?

  /// The part of `preprocessor_config.json` that detectors need.
  struct Processor: Sendable, Decodable {
    struct Size: Sendable, Decodable {
      var height: Int?
      var width: Int?
      var shortestEdge: Int?
      var longestEdge: Int?
    }
    var doNormalize: Bool?
    var imageMean: [Float]?
    var imageStd: [Float]?
    var size: Size?
    var resample: Int?

    /// What it says about pixels.
    var normalization: PixelNormalization {
      guard doNormalize != false, let imageMean, let imageStd else {
        return PixelNormalization(divisor: 255)
      }
      return PixelNormalization(divisor: 255, mean: imageMean, deviation: imageStd)
    }
  }

  /// Nothing known.
  init() {}

  /// Reads the files beside a model, or in the parent folder if the model's folder is `onnx`.
  ///
  /// Files that are missing, too large or not as expected are ignored.
  init(beside url: URL) {
    var folder = url.deletingLastPathComponent()
    if folder.lastPathComponent == "onnx" { folder = folder.deletingLastPathComponent() }
    struct Configuration: Decodable {
      var modelType: String?
    }
    let decoder = JSONDecoder()
    decoder.keyDecodingStrategy = .convertFromSnakeCase
    func bytes(_ name: String) -> Data? {
      let file = folder.appendingPathComponent(name)
      guard
        let size = try? FileManager.default.attributesOfItem(atPath: file.path)[.size] as? Int,
        size <= 1 << 22
      else { return nil }
      return try? Data(contentsOf: file)
    }
    if let data = bytes("config.json") {
      modelType = try? decoder.decode(Configuration.self, from: data).modelType
      if modelType != nil { labels = try? Self.labels(in: data) }
    }
    if let data = bytes("preprocessor_config.json") {
      processor = try? decoder.decode(Processor.self, from: data)
    }
  }

  private static func labels(in data: Data) throws -> ClassLabels? {
    struct Named: Decodable {
      var id2label: [String: String]?
    }
    guard let named = try JSONDecoder().decode(Named.self, from: data).id2label else { return nil }
    let names = (0..<named.count).compactMap { named[String($0)] }
    return names.count == named.count ? try ClassLabels(names) : nil
  }
}
