import Foundation
import Geometry
import ImageFiles
import ONNXRunner
import Raster
import ReferenceModels
import TestSupport
import Testing
import VisionProtocols

@Suite("Image classification model")
struct ImageClassificationModelTests {
  /// What ONNX Runtime answers behind Pillow's preprocessing; see `Fixtures/generate/classification.py`.
  struct Golden: Decodable, Sendable, CustomTestStringConvertible {
    struct Class: Decodable {
      let index: Int
      let confidence: Float
    }
    let model: String
    let picture: String
    let preset: String
    let stretch: Bool
    let bgr: Bool
    let form: ClassScoreForm
    let size: [Int]?
    let classes: [Class]

    var testDescription: String { "\(model), \(picture), \(preset), \(form)" }

    func image() throws -> Raster {
      let goldens = Folders.goldens.appendingPathComponent("ReferenceModels/\(picture)")
      let images = Folders.package.appendingPathComponent("Fixtures/Images/\(picture)")
      let isGolden = FileManager.default.fileExists(atPath: goldens.path)
      return try ImageFile.load(contentsOf: isGolden ? goldens : images)
    }

    func rule() throws -> ClassifierPreprocessing {
      var rule = ClassifierPreprocessing(
        try #require(ClassifierPreprocessing.Preset(rawValue: preset)))
      if stretch { rule.framing = .stretched }
      if bgr { rule.order = .bgr }
      return rule
    }

    func check(_ url: URL, within tolerance: Float) async throws {
      let model = try ImageClassificationModel(
        contentsOf: url, labels: .none, preprocessing: try rule(), scores: form,
        inputSize: size.flatMap { PixelSize(width: $0[1], height: $0[0]) })
      let found = try await model.classifications(of: try image(), maximumCount: 5)
      #expect(found.map(\.index) == classes.map(\.index))
      for (a, b) in zip(found, classes) {
        #expect(abs(a.confidence - b.confidence) <= tolerance, "\(a) \(b)")
        #expect(a.label == "class \(a.index)")
      }
    }
  }

  static let goldens: [Golden] =
    (try? Folders.golden("ReferenceModels/classification.json")) ?? []
  static let real: [Golden] =
    (try? Folders.golden("ReferenceModels/classification_real.json")) ?? []

  // Sums of at most 192 products of values up to 3 (255 for raw), in another order: some units of
  // float32's last place in logits of about 5. Half precision keeps three digits.
  @Test("as ONNX Runtime behind Pillow, in every form of model", arguments: goldens)
  func parity(golden: Golden) async throws {
    let tolerance: Float = golden.model == "classifier_half" ? 5e-3 : 2e-5
    try await golden.check(tinyModel(golden.model), within: tolerance)
  }

  @Test("there are as many goldens as there should be")
  func counts() {
    #expect(Self.goldens.count == 17 && Self.real.count == 4)
  }

  @Test("real classifiers of two and of a thousand classes", arguments: real)
  func realParity(golden: Golden) async throws {
    guard let url = try Requirements.model("\(golden.model).onnx") else { return }
    // Fifty layers of sums in another order.
    try await golden.check(url, within: 2e-4)
  }

  @Test("the model names its classes and its preprocessing, unless one does so oneself")
  func ownWords() async throws {
    let image = try plain([200, 30, 90], width: 40, height: 40)
    let dictionary = try ImageClassificationModel(contentsOf: tinyModel("classifier_softmax"))
    #expect(dictionary.labels?.names == ["cat", "dog", "green 'tea'", "café", "owl"])
    #expect(dictionary.preprocessing == ClassifierPreprocessing(.imageNet))
    let list = try ImageClassificationModel(contentsOf: tinyModel("classifier_last"))
    #expect(list.labels == dictionary.labels)
    #expect(list.preprocessing == ClassifierPreprocessing(.signed))
    let own = try ClassLabels(["a", "b", "", "d", "e"])
    let named = try ImageClassificationModel(
      contentsOf: tinyModel("classifier_softmax"), labels: .given(own, source: "mine"))
    let found = try await named.classifications(of: image, maximumCount: 10)
    #expect(found.count == 5)
    #expect(Set(found.map(\.label)) == ["a", "b", "class 2", "d", "e"])
    for (name, preset) in [("classifier_grey", "unit"), ("classifier_bytes", "raw")] {
      let model = try ImageClassificationModel(contentsOf: tinyModel(name))
      let wanted = try #require(ClassifierPreprocessing.Preset(rawValue: preset))
      #expect(model.preprocessing == ClassifierPreprocessing(wanted))
    }
    let wide = try ImageClassificationModel(contentsOf: tinyModel("classifier_wide"))
    #expect(wide.preprocessing.framing == .stretched)
    #expect(wide.inputSize == PixelSize(width: 48, height: 16) && wide.classCount == 5)
  }

  @Test("automatic scores take probabilities for what they are, and logits too")
  func automatic() async throws {
    let image = try plain([10, 130, 250], width: 50, height: 30)
    for (name, form) in [
      ("classifier", ClassScoreForm.logits), ("classifier_softmax", .probabilities),
      ("classifier_half", .probabilities), ("classifier_one", .sigmoid),
    ] {
      let guessed = try ImageClassificationModel(contentsOf: tinyModel(name))
      let told = try ImageClassificationModel(contentsOf: tinyModel(name), scores: form)
      let found = try await guessed.classifications(of: image, maximumCount: 5)
      #expect(try await told.classifications(of: image, maximumCount: 5) == found)
      let sum = found.reduce(0) { $0 + $1.confidence }
      #expect(name == "classifier_one" || abs(sum - 1) < 5e-3)
    }
  }

  @Test("an answer needs the threshold; alternatives are the others")
  func threshold() async throws {
    let model = try ImageClassificationModel(contentsOf: tinyModel("classifier_softmax"))
    let image = try plain([255, 0, 0], width: 32, height: 32)
    let all = try await model.classifications(of: image, maximumCount: 5)
    let best = try #require(all.first)
    #expect(all.map(\.confidence) == all.map(\.confidence).sorted(by: >))
    let sure = try await model.classification(of: image, threshold: best.confidence)
    #expect(sure.answer == best && sure.alternatives == Array(all[1...3]))
    let unsure = try await model.classification(
      of: image, threshold: best.confidence.nextUp, maximumCount: 2)
    #expect(unsure.answer == nil && unsure.alternatives == Array(all.prefix(2)))
    for threshold in [-0.1, 1.1, Float.nan, .infinity] {
      await #expect(throws: ClassifierError.self) {
        _ = try await model.classification(of: image, threshold: threshold)
      }
    }
    for count in [0, -1, .min] {
      await #expect(throws: ClassifierError.self) {
        _ = try await model.classifications(of: image, maximumCount: count)
      }
    }
    #expect(try await model.classifications(of: image, maximumCount: .max).count == 5)
  }

  @Test("outputs that are no numbers, or no probabilities, are errors that name the class")
  func outputs() async throws {
    let image = try plain([255, 40, 0], width: 32, height: 32)
    for name in ["classifier_nan", "classifier_infinite"] {
      for form in ClassScoreForm.allCases {
        let model = try ImageClassificationModel(contentsOf: tinyModel(name), scores: form)
        let error = await #expect(throws: ClassifierError.self) {
          _ = try await model.classifications(of: image, maximumCount: 3)
        }
        #expect(error == .nonFinite(name: "scores", index: 0))
      }
    }
    let logits = try ImageClassificationModel(
      contentsOf: tinyModel("classifier"), scores: .probabilities)
    let error = await #expect(throws: ClassifierError.self) {
      _ = try await logits.classifications(of: image, maximumCount: 3)
    }
    guard case .notProbability("scores", _, _)? = error else {
      Issue.record("\(String(describing: error))")
      return
    }
  }

  @Test(
    "models that are no classifiers, and labels that do not fit, are refused",
    arguments: [
      ("classifier_none", "it has 0 classes"), ("classifier_planes", "answers no rows"),
      ("classifier_few_labels", "'classes': 2 labels, and the model has 5 classes"),
      ("classifier_bad_labels", "'labels' names no classes: labels, byte 18"),
      ("detector", "answers no rows of classes"),
    ])
  func refused(name: String, words: String) throws {
    let error = #expect(throws: ClassifierError.self) {
      _ = try ImageClassificationModel(contentsOf: tinyModel(name))
    }
    let text = try #require(error?.description)
    #expect(text.contains(words) && !text.contains("\n"), "\(text)")
  }

  @Test("labels and sizes of one's own have to fit, and help where the model's do not")
  func given() throws {
    let three = try ClassLabels(["a", "b", "c"])
    #expect(throws: ClassifierError.labelCount(labels: 3, classes: 5, source: "f.txt")) {
      _ = try ImageClassificationModel(
        contentsOf: tinyModel("classifier"), labels: .given(three, source: "f.txt"))
    }
    let five = try ClassLabels(["a", "b", "c", "d", "e"])
    for name in ["classifier_few_labels", "classifier_bad_labels"] {
      let model = try ImageClassificationModel(
        contentsOf: tinyModel(name), labels: .given(five, source: "f.txt"))
      #expect(model.labels == five)
      #expect(
        try ImageClassificationModel(contentsOf: tinyModel(name), labels: .none).labels == nil)
    }
    let error = #expect(throws: ClassifierError.self) {
      _ = try ImageClassificationModel(
        contentsOf: tinyModel("classifier"), inputSize: PixelSize(width: 64, height: 64))
    }
    guard case .inputSize("64 x 64", _)? = error else {
      Issue.record("\(String(describing: error))")
      return
    }
  }

  @Test("images of every size and number of channels are classified; crops of nonsense are not")
  func images() async throws {
    let model = try ImageClassificationModel(contentsOf: tinyModel("classifier"))
    for (width, height) in [(1, 1), (1, 5000), (5000, 1), (31, 33)] {
      for channels in 1...4 {
        let image = try Raster(width: width, height: height, channels: channels, fill: 90)
        #expect(try await model.classifications(of: image, maximumCount: 5).count == 5)
      }
    }
    let image = try plain([1, 2, 3], width: 9, height: 9)
    for share in [0, -1, 1.5, .nan, .infinity] {
      var rule = ClassifierPreprocessing(.unit)
      rule.cropShare = share
      let bad = try ImageClassificationModel(
        contentsOf: tinyModel("classifier"), preprocessing: rule)
      await #expect(throws: ClassifierError.self) {
        _ = try await bad.classifications(of: image, maximumCount: 1)
      }
    }
  }

  @Test("many tasks may use one model at once, and one that is cancelled stops")
  func tasks() async throws {
    let model = try ImageClassificationModel(contentsOf: tinyModel("classifier"))
    let image = try plain([20, 200, 90], width: 60, height: 40)
    let alone = try await model.classifications(of: image, maximumCount: 5)
    let all = try await withThrowingTaskGroup(of: [Classification].self) { group in
      for _ in 0..<16 {
        group.addTask { try await model.classifications(of: image, maximumCount: 5) }
      }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    #expect(all.count == 16 && all.allSatisfy { $0 == alone })
    let task = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      return try await model.classifications(of: image, maximumCount: 5)
    }
    await #expect(throws: CancellationError.self) { _ = try await task.value }
  }
}
