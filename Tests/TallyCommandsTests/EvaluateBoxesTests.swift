import ABTesting
import Foundation
import TestSupport
import Testing

@testable import CommandKit

@Suite("tally evaluate")
struct EvaluateBoxesTests {
  private static func golden(_ name: String) -> String {
    Folders.goldens.appendingPathComponent("Evaluation/\(name)").path
  }

  private static func evaluate(_ arguments: String...) async -> CommandRun {
    await tally(["evaluate"] + arguments)
  }

  private func number(_ value: Any?) -> Double? { value as? Double }

  // MARK: Figures

  struct COCOSummary: Decodable {
    let truth, predictions: String
    let limit: Int
    let mean, at50, at75: Double
    let classes: [String: Double]
  }

  @Test("Average precision of COCO's files is pycocotools'")
  func coco() async throws {
    let goldens: [COCOSummary] = try Folders.golden("Evaluation/coco.json")
    for golden in goldens {
      let run = await Self.evaluate(
        "--truth", Self.golden(golden.truth), "--predictions", Self.golden(golden.predictions),
        "--max-detections", "\(golden.limit)", "--json")
      #expect(run.code == .success && run.errors.isEmpty)
      let result = try #require(try run.json()["predictions"] as? [String: Any])
      for (key, expected) in [("ap", golden.mean), ("ap50", golden.at50), ("ap75", golden.at75)] {
        #expect(abs((number(result[key]) ?? -1) - expected) < 1e-12, "\(key)")
      }
      let classes = try #require(result["apByClass"] as? [String: Double])
      #expect(classes.count == golden.classes.count)
      for (id, expected) in golden.classes {
        let name = "kind \((Int(id) ?? 0) / 2)"
        #expect(abs((classes[name] ?? -1) - expected) < 1e-12, "\(name)")
      }
    }
  }

  /// Two images: three of four objects found, one prediction wrong.
  private static let truth = """
    {"images": [
      {"image": "a.jpg", "boxes": [[0, 0, 10, 10], [20, 0, 30, 10], [40, 0, 50, 10]]},
      {"image": "b.jpg", "boxes": [{"box": [0, 0, 10, 10]}]},
      {"image": "c.jpg", "boxes": []}]}
    """

  static let predictions: [(name: String, text: String)] = [
    (
      "lines",
      """
      {"image": "b.jpg", "boxes": [{"box": [0, 0, 10, 10], "score": 0.6}]}

      {"image": "a.jpg", "boxes": [{"box": [0, 0, 10, 9], "score": 0.9}, {"box": [20, 0, 30, 10], \
      "score": 0.8}, {"box": [70, 0, 80, 10], "score": 0.7}]}
      """
    ),
    (
      "what tally detect prints",
      """
      {"image":"photos/a.jpg","width":90,"height":20,"detections":[{"box":[0,0,10,9],"score":0.9,"objectness":0.9,\
      "classScore":1,"classID":0},{"box":[20,0,30,10],"score":0.8},{"box":[70,0,80,10],"score":0.7}]}
      {"image":"photos/b.jpg","width":90,"height":20,"detections":[{"box":[0,0,10,10],"score":0.6}]}
      {"image":"photos/c.jpg","width":90,"height":20,"detections":[]}
      """
    ),
    (
      "an array of images",
      """
      [{"image": "a.jpg", "spines": [{"box": [0, 0, 10, 9], "confidence": 0.9},
        {"box": [20, 0, 30, 10], "confidence": 0.8}, {"box": [70, 0, 80, 10], "confidence": 0.7}]},
       {"image": "b.jpg", "boxes": [{"box": [0, 0, 10, 10], "score": 0.6, "class": 3}]}]
      """
    ),
    (
      "the table that tally count writes",
      """
      image,category,left,top,right,bottom,score,origin
      a.jpg,object,0.0,0.0,10.0,9.0,0.9,machine
      a.jpg,object,20.0,0.0,30.0,10.0,0.8,machine
      b.jpg,object,0.0,0.0,10.0,10.0,0.6,machine
      a.jpg,object,70.0,0.0,80.0,10.0,0.7,machine
      """
    ),
  ]

  @Test("Figures by hand, in whichever format", arguments: predictions.indices)
  func formats(index: Int) async throws {
    let folder = try TemporaryFolder()
    let truth = try folder.write("truth.json", text: Self.truth)
    let predictions = try folder.write("p.json", text: Self.predictions[index].text)
    let run = await Self.evaluate("--truth", truth, "--predictions", predictions, "--json")
    #expect(run.code == .success && run.errors.isEmpty, "\(run)")
    let json = try run.json()
    let result = try #require(json["predictions"] as? [String: Any])
    #expect(number(result["precision"]) == 0.75 && number(result["recall"]) == 0.75)
    #expect(number(result["f1"]) == 0.75)
    // Both images with objects count 3 of 3 and 1 of 1, the third none of none.
    #expect(number(result["countAccuracy"]) == 1 && number(result["countMAE"]) == 0)
    #expect(number(result["exactCounts"]) == 1 && number(result["countBias"]) == 0)
    // Recalls up to 0.5 at precision 1, those up to 0.75 at 3/4, the others at 0.
    #expect(abs((number(result["ap50"]) ?? 0) - (51 + 25 * 0.75) / 101) < 1e-12)
    let images = try #require(result["images"] as? [[String: Any]])
    #expect(images.map { $0["image"] as? String } == ["a.jpg", "b.jpg", "c.jpg"])
    #expect(images.map { $0["right"] as? Int } == [2, 1, 0])
    #expect(images.map { $0["wrong"] as? Int } == [1, 0, 0])
    #expect(images.map { $0["missed"] as? Int } == [1, 0, 0])
    let recall = try #require(
      (json["recall"] as? [String: Any])?["predictions"] as? [String: Any])
    let interval = try WilsonInterval(Proportion(successes: 3, trials: 4))
    #expect(recall["interval"] as? [Double] == [interval.lower, interval.upper])

    let text = await Self.evaluate("--truth", truth, "--predictions", predictions)
    let row = text.outputLines[1].split(separator: " ").joined(separator: " ")
    #expect(row == "a.jpg 3 3 2 1 1 0.667 0.667 0.667")
    #expect(text.output.contains("objects found: 3 of 4 (0.301 to 0.954)\n"))
  }

  @Test("Thresholds change what they say")
  func thresholds() async throws {
    let folder = try TemporaryFolder()
    let truth = try folder.write("truth.json", text: Self.truth)
    let predictions = try folder.write("p.json", text: Self.predictions[0].text)
    func figures(_ options: String...) async throws -> [String: Any] {
      let run = await tally(
        ["evaluate", "--truth", truth, "--predictions", predictions, "--json"] + options)
      return try #require(try run.json()["predictions"] as? [String: Any])
    }
    // The first box overlaps by 0.9.
    #expect(number(try await figures("--iou", "0.91")["recall"]) == 0.5)
    let sure = try await figures("--confidence", "0.75")
    #expect(number(sure["precision"]) == 1 && number(sure["recall"]) == 0.5)
    #expect(number(sure["countMAE"]) == 2.0 / 3)
    let all = try await figures()
    #expect(number(sure["ap"]) == number(all["ap"]))
    #expect(number(try await figures("--max-detections", "1")["ap50"]) == 51.0 / 101)
  }

  @Test("Predictions without scores have no average precision, and the rest")
  func withoutScores() async throws {
    let folder = try TemporaryFolder()
    let truth = try folder.write("truth.json", text: Self.truth)
    let predictions = try folder.write(
      "p.json", text: #"{"image": "a.jpg", "boxes": [[0, 0, 10, 10], [20, 0, 30, 10]]}"#)
    let run = await Self.evaluate("--truth", truth, "--predictions", predictions, "--json")
    let result = try #require(try run.json()["predictions"] as? [String: Any])
    #expect(result["ap"] is NSNull && number(result["recall"]) == 0.5)
    #expect(number(result["precision"]) == 1)
    let empty = try folder.write("empty.json", text: "[]")
    let none = await Self.evaluate("--truth", truth, "--predictions", empty, "--json")
    let nothing = try #require(try none.json()["predictions"] as? [String: Any])
    #expect(number(nothing["ap"]) == 0 && number(nothing["recall"]) == 0)
    #expect(nothing["precision"] is NSNull)
  }

  @Test("Classes are told apart where the truth has them, unless it is told not to")
  func classes() async throws {
    let folder = try TemporaryFolder()
    let truth = try folder.write(
      "truth.json",
      text: #"""
        {"image": "a.jpg", "boxes": [{"box": [0, 0, 9, 9], "class": "x"},
         {"box": [20, 0, 29, 9], "class": "y"}, {"box": [40, 0, 49, 9], "class": "y", "crowd": true},
         {"box": [60, 0, 69, 9], "class": "x", "ignore": true}]}
        """#)
    let predictions = try folder.write(
      "p.json",
      text: #"""
        {"image": "a.jpg", "boxes": [{"box": [0, 0, 9, 9], "class": "y", "score": 1},
         {"box": [20, 0, 29, 9], "class": "y", "score": 1},
         {"box": [41, 1, 45, 5], "class": "y", "score": 1}, {"box": [44, 4, 48, 8], "class": "y", "score": 1},
         {"box": [60, 0, 69, 9], "class": "x", "score": 1}]}
        """#)
    func score(_ options: String...) async throws -> [Int?] {
      let run = await tally(
        ["evaluate", "--truth", truth, "--predictions", predictions, "--json"] + options)
      let result = try run.json()["predictions"] as? [String: Any]
      let image = (result?["images"] as? [[String: Any]])?.first
      return ["right", "wrong", "missed"].map { image?[$0] as? Int }
    }
    #expect(try await score() == [1, 1, 1])
    #expect(try await score("--any-class") == [2, 0, 0])
  }

  @Test("Two predictions side by side, with a verdict that turns when they change places")
  func against() async throws {
    let folder = try TemporaryFolder()
    let boxes = (0..<100).map { "[\($0 * 20), 0, \($0 * 20 + 10), 10]" }
    func write(_ name: String, _ rows: some Sequence<String>) throws -> String {
      try folder.write(
        name, text: "{\"image\": \"a\", \"boxes\": [\(rows.joined(separator: ", "))]}")
    }
    let truth = try write("truth.json", boxes)
    let good = try write("good.json", boxes.prefix(90))
    let poor = try write("poor.json", boxes.prefix(70) + ["[0, 50, 9, 59]"])
    for (first, second, verdict) in [
      (good, poor, "better"), (poor, good, "worse"), (good, good, "no difference shown"),
    ] {
      let run = await Self.evaluate(
        "--truth", truth, "--predictions", first, "--against", second, "--json")
      let recall = try #require(try run.json()["recall"] as? [String: Any])
      #expect(recall["verdict"] as? String == verdict)
      let counts = [first == good ? 90 : 70, second == good ? 90 : 70]
      let test = try TwoProportionTest(
        Proportion(successes: counts[0], trials: 100),
        against: Proportion(successes: counts[1], trials: 100))
      // Foundation reads long decimals to the last place but one.
      for (key, expected) in [("pValue", test?.pValue), ("z", test?.z)] {
        let difference = (number(recall[key]) ?? .nan) - (expected ?? .nan)
        #expect(abs(difference) <= 1e-15 * abs(expected ?? 0), "\(key)")
      }
      // 70 of 71 right against 90 of 90: one failure is no ground to judge on.
      let precision = try run.json()["precision"] as? [String: Any]
      #expect(precision?["verdict"] as? String == "too few")
      #expect(try run.json()["against"] != nil)
    }
    let text = await Self.evaluate("--truth", truth, "--predictions", good, "--against", poor)
    #expect(text.output.contains("90 of 100 (0.826 to 0.945) against 70 of 100"))
    #expect(text.output.contains(": better, p = 0.0004\n"))
    #expect(text.output.contains("recall at IoU 0.5       0.900   0.700  +0.200\n"))
  }

  // MARK: Bad input

  struct Bad: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let text: String
    let message: String

    init(_ testDescription: String, _ text: String, _ message: String) {
      self.testDescription = testDescription
      self.text = text
      self.message = message
    }
  }

  private static func image(_ boxes: String) -> String {
    "{\"image\": \"a.jpg\", \"boxes\": \(boxes)}"
  }

  static let bad: [Bad] = [
    Bad("empty", "", "is empty"), Bad("blank", " \n ", "is not JSON"),
    Bad("text", "Dear Sir or Madam", "is not JSON"),
    Bad("a number", "17", "is not JSON"), Bad("cut", image("[[0, 0, 1, 1]]") + "{", "line 1"),
    Bad("no image", "{\"boxes\": []}", "has no \"image\""),
    Bad("no boxes", "{\"image\": \"a.jpg\", \"boxs\": []}", "has no \"boxes\""),
    Bad("NaN", image("[[0, 0, NaN, 1]]"), "is not JSON"),
    Bad("too large a number", image("[[0, 0, 1e300, 1]]"), "not finite"),
    Bad("an infinite number", image("[[0, 0, 1e999, 1]]"), "a.json"),
    Bad("three numbers", image("[[0, 0, 1]]"), "box 0 of \"a.jpg\" has 3 numbers"),
    Bad("negative width", image("[[0, 0, 1, 1], [5, 0, 1, 1]]"), "box 1 of \"a.jpg\" is [5.0"),
    Bad("negative height", image("[[0, 5, 1, 1]]"), "must not be less"),
    Bad("a box of text", image("[[\"0\", 0, 1, 1]]"), "\"boxes\" [0]"),
    Bad("an image twice", "[\(image("[]")), \(image("[]"))]", "\"a.jpg\" is there twice"),
    Bad("an image twice in lines", "\(image("[]"))\n\(image("[]"))", "is there twice"),
    Bad("a list of numbers", "[1, 2]", "wrong type"),
    Bad("a cut table", "image,left,top,right,bottom\na,1,2,3", "line 2 has 4 fields"),
  ]

  @Test("Bad files are bad data, whichever they are", arguments: bad)
  func badFiles(bad: Bad) async throws {
    let folder = try TemporaryFolder()
    let good = try folder.write("good.json", text: Self.image("[[0, 0, 1, 1]]"))
    let path = try folder.write("a.json", text: bad.text)
    for arguments in [
      ["--truth", path, "--predictions", good], ["--truth", good, "--predictions", path],
      ["--truth", good, "--predictions", good, "--against", path],
    ] {
      let run = await tally(["evaluate"] + arguments)
      #expect(run.failed(.badData), "\(run)")
      #expect(run.errors.contains(path) && run.errors.contains(bad.message), "\(run.errors)")
    }
  }

  @Test(
    "COCO's files with faults are bad data",
    arguments: [
      (#"{"images":[],"annotations":[]}"#, "names no image"),
      (#"{"images":[{"id":1},{"id":1}],"annotations":[]}"#, "is there twice"),
      (
        #"{"images":[{"id":1,"file_name":"x"},{"id":2,"file_name":"x"}],"annotations":[]}"#,
        "is there twice"
      ),
      (#"{"images":[{"id":1}],"annotations":[{"image_id":2,"bbox":[0,0,1,1]}]}"#, "of image 2"),
      (#"{"images":[{"id":1}],"annotations":[{"image_id":1,"bbox":[0,0,-1,1]}]}"#, "at least 0"),
      (#"{"images":[{"id":1}],"annotations":[{"image_id":1,"bbox":[0,0,1]}]}"#, "3 numbers"),
      (#"{"images":[{"id":1}],"annotations":[{"image_id":1}]}"#, "has no \"bbox\""),
      (
        #"{"images":[{"id":1}],"annotations":[],"categories":[{"id":1},{"id":1}]}"#,
        "category 1 is there twice"
      ),
      (#"[{"image_id":1,"bbox":[0,0,1,1],"score":1}]"#, "the truth must have its annotations"),
    ])
  func badCOCO(text: String, message: String) async throws {
    let folder = try TemporaryFolder()
    let path = try folder.write("truth.json", text: text)
    let predictions = try folder.write("p.json", text: "[]")
    let run = await Self.evaluate("--truth", path, "--predictions", predictions)
    #expect(run.failed(.badData) && run.errors.contains(message), "\(run)")
  }

  @Test("Predictions that do not fit the truth are bad data")
  func misfits() async throws {
    let folder = try TemporaryFolder()
    let truth = try folder.write(
      "truth.json", text: #"{"image": "a.jpg", "boxes": [{"box": [0, 0, 1, 1], "class": "x"}]}"#)
    for (text, message) in [
      (#"{"image": "b.jpg", "boxes": []}"#, "\"b.jpg\", which is not an image of"),
      (
        "{\"image\": \"x/a.jpg\", \"boxes\": []}\n{\"image\": \"y/a.jpg\", \"boxes\": []}",
        "are one image"
      ),
      (#"{"image": "a.jpg", "boxes": [[0, 0, 1, 1]]}"#, "--any-class"),
      (
        #"{"image": "a.jpg", "boxes": [{"box": [0, 0, 1, 1], "score": 1}, [0, 0, 1, 1]]}"#,
        "box 1 of \"a.jpg\" has no score"
      ),
      (#"{"image": "a.jpg", "boxes": [{"box": [0, 0, 1, 1], "score": 1e300}]}"#, "not finite"),
      (#"[{"image_id": 7, "bbox": [0, 0, 1, 1], "score": 1}]"#, "\"7\", which is not an image"),
    ] {
      let path = try folder.write("p.json", text: text)
      let run = await Self.evaluate("--truth", truth, "--predictions", path)
      #expect(run.failed(.badData) && run.errors.contains(message), "\(run)")
    }
  }

  @Test("Wrong arguments and missing files")
  func arguments() async throws {
    let folder = try TemporaryFolder()
    let good = try folder.write("good.json", text: Self.image("[]"))
    for (arguments, code, message) in [
      ([], ExitCode.usage, "--truth is needed"), (["--truth", good], .usage, "--predictions is"),
      (["--predictions", good], .usage, "--truth is needed"),
      (["--truth", good, "--predictions", good, "--iou", "1.1"], .usage, "from 0 to 1"),
      (["--truth", good, "--predictions", good, "--iou", "nan"], .usage, "from 0 to 1"),
      (["--truth", good, "--predictions", good, "x"], .usage, "only options are taken"),
      (["--truth", good, "--predictions", good, "--significance", "0"], .usage, "--significance"),
      (["cuonts"], .usage, "did you mean 'counts'?"),
      (["--truth", folder.path("none"), "--predictions", good], .noInput, "no such file"),
      (["--truth", good, "--predictions", folder.url.path], .noInput, "is a folder"),
    ] as [([String], ExitCode, String)] {
      let run = await tally(["evaluate"] + arguments)
      #expect(run.failed(code) && run.errors.contains(message), "\(run)")
    }
    // The command below it is still there.
    #expect(await tally("evaluate", "counts", folder.path("none")).failed(.noInput))
    #expect(await tally("evaluate", "counts").errors.contains("no DIR is given"))
  }

  @Test("Files cut or with a changed byte, in 400 places, are bad data or are compared")
  func changedFiles() async throws {
    let folder = try TemporaryFolder()
    var generator = SeededGenerator(seed: 60)
    let truth = Self.golden("coco_truth_9.json")
    let wholes = try [
      (truth, Self.golden("coco_results_9.json")),
      (
        try folder.write("truth.json", text: Self.truth),
        try folder.write("lines.json", text: Self.predictions[0].text)
      ),
    ].flatMap { truth, predictions in
      try [truth, predictions].map {
        ($0 == truth, truth, predictions, try Data(contentsOf: URL(fileURLWithPath: $0)))
      }
    }
    var failures = 0
    for round in 0..<400 {
      let (isTruth, truth, predictions, whole) = wholes[round % 4]
      var changed = whole
      let place = Int(generator.next() % UInt64(whole.count))
      if round % 8 < 4 {
        changed = changed.prefix(place)
      } else {
        changed[place] = UInt8(truncatingIfNeeded: generator.next())
      }
      let path = try folder.write("changed.json", changed)
      let run = await Self.evaluate(
        "--truth", isTruth ? path : truth, "--predictions", isTruth ? predictions : path, "--json")
      if run.code == .success {
        #expect(try !run.json().isEmpty && run.errors.isEmpty)
      } else {
        #expect(run.failed(.badData), "\(run)")
        failures += 1
      }
    }
    #expect(failures > 200)
  }
}
