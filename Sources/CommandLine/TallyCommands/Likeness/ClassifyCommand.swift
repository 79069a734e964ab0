import CommandKit
import CountCommands
import Foundation
import ReferenceModels
import VisionProtocols

/// `tally classify`: what kind of thing each photo shows.
enum ClassifyCommand: Command {
  static let specification = CommandSpecification(
    words: ["classify"],
    summary: "Classify photos with your own model",
    discussion: [
      "Prints the predicted class of each photo, if its probability is high enough, and the next "
        + "classes. The model is an image classifier in ONNX, such as a ResNet, "
        + "MobileNet or EfficientNet of ImageNet's classes: one photo in, one number for each class "
        + "out.",
      "Classes have the names of --labels, or of the model's metadata ('names', 'classes' or "
        + "'labels'), or else their numbers.",
    ],
    operands: BatchOptions.operands(),
    requiredUsage: "--model FILE",
    groups: [
      OptionGroup("Model", [model] + modelOptions),
      OptionGroup("What the model sees", sightOptions),
      OptionGroup("Answer", [threshold, top]),
      OptionGroup(
        "Output", [StandardOptions.json, StandardOptions.quiet, StandardOptions.threads]),
      BatchOptions.group,
    ],
    examples: [
      Example(
        "What is it?", "tally classify photo.jpg --model mobilenet.onnx --labels imagenet.txt"),
      Example(
        "The five most probable classes of each photo, as JSON.",
        "tally classify photos/*.jpg --model mobilenet.onnx --top 5 --json"),
    ])

  static let model = Option(
    "model", .path("FILE"), help: "The ONNX model that names classes.")
  static let labels = Option(
    "labels", .path("FILE"),
    help: "The names of the classes: one per line, or JSON, a list or an object by number.",
    fallback: "what the model's metadata says")
  static let scores = Option(
    "scores", .choice("FORM", ClassScoreForm.allCases.map { (word: $0.rawValue, value: $0) }),
    help: "The outputs of the model: probabilities, logits of one right class (softmax), or logits "
      + "of several right classes (sigmoid).",
    fallback: "automatic, probabilities if they sum to 1, otherwise logits")
  static let size = Option(
    "input-size", .pixelSize,
    help: "The model's input in pixels, if the model leaves it open.", fallback: "224x224")
  static let preset = Option(
    "preset",
    .choice(
      "NAME", ClassifierPreprocessing.Preset.allCases.map { (word: $0.rawValue, value: $0) }),
    help: "How photos are prepared: as for ImageNet (the shorter side to 256 of 224, bilinear or "
      + "bicubic, its mean and deviation) or as for CLIP. Or only the range of values: 0 to 1 "
      + "(unit), -1 to 1 (signed) or 0 to 255 (raw).",
    fallback: "imagenet; unit for grey models, raw for models of bytes")
  static let stretch = Flag(
    "stretch",
    help:
      "Stretch the whole photo to the model's input, instead of cropping its middle. This is "
      + "always done if the input is not a square.")
  static let bgr = Flag("bgr", help: "The model expects BGR instead of RGB, as OpenCV does.")
  static let threshold = Option(
    "threshold", .number("X", in: 0...1),
    help: "A class is the answer if its probability is at least this.", fallback: "0.7")
  static let top = Option(
    "top", .integer("K", in: 1...1_000_000),
    help: "How many classes to print, most probable first.",
    fallback: "4, the answer and three alternatives")

  /// What the model answers, and how large a photo it takes.
  static var modelOptions: [any OptionDeclaration] { [labels, scores, size] }
  /// What a photo is made into for it.
  static var sightOptions: [any OptionDeclaration] { [preset, stretch, bgr] }

  static func run(_ arguments: ParsedArguments, console: Console) async throws -> ExitCode {
    try BatchOptions.check(arguments)
    guard let path = arguments[model] else {
      throw UsageError("--model is missing (see '\(specification.invocation) --help')")
    }
    let photos = try PhotoList(arguments, console: console)
    let capacity = PhotoCapacity(arguments, photos: photos.paths.count)
    let classifier = try classifier(at: path, capacity.shared(arguments), console)
    let loop = try PhotoLoop<ClassificationReport>(
      arguments, photos: photos, capacity: capacity, activity: "classifying", console: console
    ) {
      var files = [("modelFile", try ModelReference.file(path, console: console))]
      if let path = arguments[labels] {
        files.append(("labelsFile", URL(fileURLWithPath: path)))
      }
      return try ResultsSettings(of: specification, arguments, files: files)
    }
    return try await loop.run { photo in
      PhotoAnswer(
        ClassificationReport(
          path: photo.path, width: photo.image.width, height: photo.image.height,
          seen: try await classifier.classification(
            of: photo.image, threshold: Float(arguments[threshold] ?? 0.7),
            maximumCount: arguments[top] ?? 4)))
    }
  }

  /// A classifier as the options of ``modelOptions`` and ``sightOptions`` say.
  static func classifier(
    at path: String, _ arguments: ParsedArguments, _ console: Console
  ) throws -> ImageClassificationModel {
    let url = try ModelReference.file(path, console: console)
    let names = try arguments[labels].map { file in
      ImageClassificationModel.LabelSource.given(try ClassLabelFile.labels(file), source: file)
    }
    do {
      let session = try LoadedModels.session(url, arguments)
      func classifier(_ rule: ClassifierPreprocessing?) throws -> ImageClassificationModel {
        try ImageClassificationModel(
          session: session, labels: names ?? .model, preprocessing: rule,
          scores: arguments[scores] ?? .automatic, inputSize: arguments[size])
      }
      let plain = try classifier(nil)
      guard arguments.has(preset) || arguments[stretch] || arguments[bgr] else { return plain }
      var rule = arguments[preset].map { ClassifierPreprocessing($0) } ?? plain.preprocessing
      if arguments[stretch] || plain.inputSize.width != plain.inputSize.height {
        rule.framing = .stretched
      }
      if arguments[bgr] { rule.order = .bgr }
      return try classifier(rule)
    } catch let error as ClassifierError {
      if case .labelCount = error { throw Failure.of(error) }
      throw Failure.of(error, at: path)
    } catch {
      throw Failure.of(error, at: path)
    }
  }
}

/// The classes of a photo, as text for people and as JSON for machines.
struct ClassificationReport: PhotoReport {
  let path: String
  let width: Int
  let height: Int
  let seen: ImageClassification

  /// 1 if there is an answer, else 0.
  var found: Int { seen.answer == nil ? 0 : 1 }

  /// One object.
  var json: JSONText {
    .object([
      ("image", .string(path)), ("answer", .optional(seen.answer, Self.object)),
      ("alternatives", .array(seen.alternatives.map(Self.object))),
    ])
  }

  private static func object(_ classification: Classification) -> JSONText {
    .object([
      ("label", .string(classification.label)), ("index", .integer(classification.index)),
      ("confidence", .float(classification.confidence)),
    ])
  }

  static let isList = false
  static let columns = ["label", "index", "confidence", "alternatives"]

  /// The answer, empty if there is none, and the names of the alternatives.
  var records: [[String]] {
    let others = seen.alternatives.map(\.label).joined(separator: "; ")
    return [
      [
        CSVText.text(seen.answer?.label ?? ""), seen.answer.map { "\($0.index)" } ?? "",
        seen.answer.map { JSONText.float($0.confidence).text } ?? "", CSVText.text(others),
      ]
    ]
  }

  /// `photo.jpg: cat 91.2 %; dog 5.0 %, fox 1.1 %`.
  var lines: [String] {
    func words(_ classification: Classification) -> String {
      let share = NumberText.fixed(100 * Double(classification.confidence), digits: 1)
      return "\(PrintableText.of(classification.label)) \(share) %"
    }
    let answer = seen.answer.map(words) ?? "not sure"
    let others = seen.alternatives.map(words).joined(separator: ", ")
    return ["\(PrintableText.of(path)): \(answer)" + (others.isEmpty ? "" : "; \(others)")]
  }
}
