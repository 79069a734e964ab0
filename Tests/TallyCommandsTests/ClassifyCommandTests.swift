import Foundation
import TestSupport
import Testing

@testable import CommandKit

@Suite("tally classify")
struct ClassifyCommandTests {
  static let models = Folders.goldens.appendingPathComponent("ReferenceModels/models")
  static let photo = Folders.goldens.appendingPathComponent("ReferenceModels/classified.png").path

  static func model(_ name: String) -> String {
    models.appendingPathComponent("\(name).onnx").path
  }

  @Test("One line of JSON for each photo: answer and alternatives")
  func json() async throws {
    let run = await tally(
      "classify", Self.photo, Squares.png, "--model", Self.model("classifier_softmax"),
      "--threshold", "0", "--json")
    #expect(run.code == .success && run.errors.isEmpty, "\(run)")
    #expect(run.outputLines.count == 2)
    let first = try #require(
      try JSONSerialization.jsonObject(with: Data(run.outputLines[0].utf8)) as? [String: Any])
    #expect(first["image"] as? String == Self.photo)
    let answer = try #require(first["answer"] as? [String: Any])
    #expect(Set(answer.keys) == ["label", "index", "confidence"])
    let others = try #require(first["alternatives"] as? [[String: Any]])
    #expect(others.count == 3)
    let confidences = ([answer] + others).compactMap { $0["confidence"] as? Double }
    #expect(confidences == confidences.sorted(by: >) && confidences.count == 4)
    // The golden of the same model, photo and preprocessing.
    let labels = ["cat", "dog", "green 'tea'", "café", "owl"]
    for entry in [answer] + others {
      let index = try #require(entry["index"] as? Int)
      #expect(entry["label"] as? String == labels[index])
    }
  }

  @Test("Below the threshold there is no answer, and --top counts all classes")
  func threshold() async throws {
    let run = await tally(
      "classify", Self.photo, "--model", Self.model("classifier_softmax"), "--threshold", "1",
      "--top", "2", "--json")
    #expect(run.output.contains("\"answer\":null,\"alternatives\":[{\"label\":"), "\(run)")
    #expect((try run.json()["alternatives"] as? [Any])?.count == 2)
    let text = await tally(
      "classify", Self.photo, "--model", Self.model("classifier_softmax"), "--threshold", "1",
      "--top", "1")
    #expect(text.output.hasPrefix("\(Self.photo): not sure; "), "\(text)")
    let sure = await tally(
      "classify", Self.photo, "--model", Self.model("classifier_softmax"), "--threshold", "0",
      "--top", "1")
    #expect(sure.output.hasSuffix(" %\n") && !sure.output.contains(";"), "\(sure)")
  }

  @Test("Labels of a file, of the model, or none")
  func labels() async throws {
    let folder = try TemporaryFolder()
    let arguments = ["classify", Self.photo, "--threshold", "0", "--top", "5", "--model"]
    let own = try folder.write("own.json", text: "{0: 'v', 1: 'w', 2: 'x', 3: 'y', 4: 'a\\nb'}")
    let named = await tally(arguments + [Self.model("classifier_softmax"), "--labels", own])
    #expect(named.code == .success && named.outputLines.count == 1, "\(named)")
    for name in ["v", "w", "x", "y", "a\\nb"] { #expect(named.output.contains(" \(name) ")) }
    let numbered = await tally(arguments + [Self.model("classifier")])
    for index in 0..<5 { #expect(numbered.output.contains(" class \(index) ")) }
  }

  @Test("What the model sees, and what its outputs are, can be said")
  func options() async throws {
    let path = Self.model("classifier")
    var outputs: Set<String> = []
    for options in [
      [], ["--preset", "imagenet-bicubic"], ["--preset", "clip"], ["--preset", "unit"],
      ["--preset", "signed"], ["--preset", "raw"], ["--stretch"], ["--bgr"],
      ["--scores", "sigmoid"],
    ] {
      let run = await tally(["classify", Self.photo, "--model", path, "--json"] + options)
      #expect(run.code == .success, "\(run)")
      outputs.insert(run.output)
    }
    #expect(outputs.count == 9)
    let same = await tally(
      "classify", Self.photo, "--model", path, "--json", "--preset", "imagenet")
    #expect(outputs.contains(same.output))
    let wrong = await tally(
      "classify", Self.photo, "--model", path, "--scores", "probabilities")
    #expect(wrong.failed(.badData) && wrong.errors.contains("a probability is in 0...1"))
  }

  // MARK: Bad input

  @Test("Models and labels that do not fit, for each reason its code and line")
  func badModels() async throws {
    let folder = try TemporaryFolder()
    let good = Self.model("classifier")
    let three = try folder.write("three.txt", text: "a\nb\nc\n")
    let bad = try folder.write("bad.json", text: "[\"a\", ")
    let bytes = try folder.write("bytes.txt", [0xFF, 0xFE, 0x00])
    let empty = try folder.write("empty.txt", text: "")
    let cases: [([String], ExitCode, String)] = [
      ([], .usage, "--model is missing"),
      (["--model", folder.path("none")], .noInput, "there is no such file"),
      (["--model", folder.url.path], .noInput, "is a folder"),
      (["--model", empty], .badData, "empty.txt: this is empty"),
      (["--model", three], .badData, "three.txt"),
      (["--model", Self.model("detector")], .badData, "not an image classifier"),
      (["--model", Self.model("classifier_none")], .badData, "it has 0 classes"),
      (["--model", Self.model("classifier_nan")], .badData, "class 0 that is not a finite number"),
      (["--model", Self.model("classifier_few_labels")], .badData, "'classes': 2 labels"),
      (["--model", Self.model("classifier_bad_labels")], .badData, "give labels of your own"),
      (["--model", good, "--labels", three], .badData, "three.txt: 3 labels, and the model has 5"),
      (["--model", good, "--labels", bad], .badData, "bad.json: labels, byte 6: it breaks off"),
      (["--model", good, "--labels", bytes], .badData, "bytes.txt: these labels are not text"),
      (["--model", good, "--labels", empty], .badData, "empty.txt: there are no labels"),
      (["--model", good, "--labels", folder.path("no.txt")], .noInput, "no.txt"),
      (["--model", good, "--labels", folder.url.path], .noInput, "is a folder"),
      (["--model", good, "--labels", "/dev/zero"], .noInput, "neither a file nor a folder"),
      (["--model", good, "--input-size", "64x64"], .usage, "64 x 64"),
      (["--model", good, "--preset", "imgnet"], .usage, "did you mean 'imagenet'?"),
      (["--model", good, "--threshold", "1.5"], .usage, "a number from 0 to 1"),
      (["--model", good, "--top", "0"], .usage, "a whole number from 1"),
      (
        ["--model", Self.model("classifier_grey"), "--preset", "clip"], .badData,
        "values of the mean for 1 channels"
      ),
    ]
    for (options, code, message) in cases {
      let run = await tally(["classify", Self.photo] + options)
      #expect(run.failed(code), "\(options): \(run)")
      #expect(run.errors.contains(message), "\(run.errors)")
    }
  }

  @Test("A bad photo among good ones gets its line, and the others their answer")
  func mixed() async throws {
    let run = await tally(
      "classify", Self.photo, "none.jpg", Squares.png, "--model", Self.model("classifier"))
    #expect(run.code == .noInput && run.outputLines.count == 2 && run.errorLines.count == 1)
  }

  @Test("A model with a changed byte is bad data or answers, in 200 places")
  func changed() async throws {
    let folder = try TemporaryFolder()
    let whole = try Data(contentsOf: URL(fileURLWithPath: Self.model("classifier_softmax")))
    var generator = SeededGenerator(seed: 91)
    for place in 0..<200 {
      var changed = whole
      let range = place % 2 == 0 ? changed.indices : changed.indices.suffix(400)
      changed[Int.random(in: range, using: &generator)] ^= UInt8.random(
        in: 1...255, using: &generator)
      let path = try folder.write("changed.onnx", changed)
      let run = await tally("classify", Squares.png, "--json", "--model", path)
      if run.code == .success {
        #expect(run.errors.isEmpty && run.outputLines.count == 1)
      } else {
        #expect(run.failedPhoto(.badData), "\(run)")
      }
    }
  }
}
