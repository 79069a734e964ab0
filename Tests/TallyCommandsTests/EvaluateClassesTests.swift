import Foundation
import TestSupport
import Testing

@testable import CommandKit

// C17, C42: the figures of a classifier, top 1 and top 3.

@Suite("tally evaluate classes")
struct EvaluateClassesTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  private func evaluate(
    _ truth: String, _ predictions: String, _ options: String...
  ) async throws -> CommandRun {
    await tally(
      [
        "evaluate", "classes", "--truth", try folder.write("truth", text: truth),
        "--predictions", try folder.write("found", text: predictions),
      ] + options)
  }

  /// What `tally classify --json` prints for five photos.
  private static let printed = """
    {"image":"photos/a.jpg","answer":{"label":"cat","index":0,"confidence":0.9},\
    "alternatives":[{"label":"dog","index":1,"confidence":0.1}]}
    {"image":"photos/b.jpg","answer":{"label":"dog","index":1,"confidence":0.8},\
    "alternatives":[{"label":"fox","index":2,"confidence":0.1},{"label":"cat","index":0,"confidence":0.05}]}
    {"image":"photos/c.jpg","answer":null,\
    "alternatives":[{"label":"dog","index":1,"confidence":0.4},{"label":"fox","index":2,"confidence":0.3}]}
    {"image":"photos/d.jpg","error":"this is a folder; it must be a file","code":66}
    {"image":"photos/x.jpg","answer":{"label":"cat","index":0,"confidence":1},"alternatives":[]}
    """
  private static let truth = """
    {"image": "a.jpg", "label": "cat"}
    {"image": "b.jpg", "label": "cat"}
    {"image": "c.jpg", "label": "dog"}
    {"image": "d.jpg", "label": "dog"}
    {"image": "e.jpg", "label": "cat"}
    """

  @Test("Figures by hand, with what is missing, failed and surplus")
  func figures() async throws {
    let run = try await evaluate(Self.truth, Self.printed, "--json", "--top", "1,2,3")
    #expect(run.code == .success && run.errors.isEmpty, "\(run)")
    let json = try run.json()
    #expect(json["images"] as? Int == 5 && json["right"] as? Int == 1)
    #expect(json["unanswered"] as? Int == 3 && json["accuracy"] as? Double == 0.2)
    #expect(json["balancedAccuracy"] as? Double == 1.0 / 6)
    let top = try #require(json["top"] as? [[String: Any]])
    #expect(top.map { $0["k"] as? Int } == [1, 2, 3])
    // The best guess for c.jpg is right, although it is no answer.
    #expect(top.map { $0["accuracy"] as? Double } == [0.4, 0.4, 0.6])
    let classes = try #require(json["classes"] as? [[String: Any]])
    #expect(classes.map { $0["class"] as? String } == ["cat", "dog"])
    #expect(classes.map { $0["images"] as? Int } == [3, 2])
    #expect(classes.map { $0["predicted"] as? Int } == [1, 1])
    #expect(classes[0]["precision"] as? Double == 1 && classes[0]["f1"] as? Double == 0.5)
    #expect(classes[1]["precision"] as? Double == 0 && classes[1]["recall"] as? Double == 0)
    let confusions = try #require(json["confusions"] as? [[String: Any]])
    #expect(confusions.count == 1 && confusions[0]["truth"] as? String == "cat")
    #expect(confusions[0]["predicted"] as? String == "dog")
    let wrong = try #require(json["wrong"] as? [[String: Any]])
    #expect(wrong.map { $0["image"] as? String } == ["b.jpg", "c.jpg", "d.jpg", "e.jpg"])
    #expect(wrong.map { $0["predicted"] as? String } == ["dog", nil, nil, nil])
    #expect(wrong.map { $0["rank"] as? Int } == [3, 1, nil, nil])
    #expect(json["missing"] as? [String] == ["e.jpg"])
    #expect(json["surplus"] as? [String] == ["photos/x.jpg"])
    let failed = try #require(json["failed"] as? [[String: String]])
    #expect(failed == [["image": "d.jpg", "error": "this is a folder; it must be a file"]])
  }

  @Test("People get tables, and lists of what is wrong")
  func text() async throws {
    let run = try await evaluate(Self.truth, Self.printed)
    #expect(run.code == .success && run.errors.isEmpty, "\(run)")
    #expect(
      run.output == """
        class             images  predicted  right  precision  recall     F1
        cat                    3          1      1      1.000   0.333  0.500
        dog                    2          1      0      0.000   0.000  0.000
        macro average                                   0.500   0.167  0.250
        weighted average                                0.600   0.200  0.300

        figure                value
        accuracy              0.200
        balanced accuracy     0.167
        Cohen's kappa         0.000
        Matthews correlation  0.000
        top-1 accuracy        0.400
        top-3 accuracy        0.600

        1 of 5 images right, 3 without an answer

        mixed up most often:
        truth  predicted  images
        cat    dog             1

        wrong:
        image  truth  predicted  rank of the truth
        b.jpg  cat    dog                        3
        c.jpg  dog    -                          1
        d.jpg  dog    -                          -
        e.jpg  cat    -                          -

        missing from the predictions, and counted as wrong:
          e.jpg

        failed, and counted as wrong:
          d.jpg: this is a folder; it must be a file

        not in the truth, and left out:
          photos/x.jpg

        """)
  }

  @Test(
    "Plain files of several forms say the same",
    arguments: [
      "image,label\na.jpg,cat\nb.jpg,dog\nc.jpg,\n",
      "\u{FEFF}label;image\r\ncat;photos/a.jpg\r\ndog;photos/b.jpg\r\n;photos/c.jpg\r\n",
      #"[{"image": "a.jpg", "label": "cat"}, {"image": "b.jpg", "label": "dog"}, "#
        + #"{"image": "c.jpg", "label": null}]"#,
      "{\"image\": \"a.jpg\", \"labels\": [\"cat\", \"dog\"]}\n"
        + "{\"image\": \"b.jpg\", \"labels\": [\"dog\"]}\n{\"image\": \"c.jpg\", \"labels\": []}",
      "image,width,height,label,index,confidence,alternatives,error,code\na.jpg,9,9,cat,0,1,,,\n"
        + "b.jpg,9,9,dog,1,1,,,\nc.jpg,,,,,,,it is broken,65\n",
    ])
  func forms(predictions: String) async throws {
    let truth = "image,label\na.jpg,cat\nb.jpg,cat\nc.jpg,dog\n"
    let json = try (try await evaluate(truth, predictions, "--json")).json()
    #expect(json["right"] as? Int == 1 && json["unanswered"] as? Int == 1, "\(json)")
    let confusions = try #require(json["confusions"] as? [[String: Any]])
    #expect(confusions.map { $0["predicted"] as? String } == ["dog"])
  }

  @Test("Labels may be numbers")
  func numbers() async throws {
    let json = try
      (try await evaluate(
        #"{"image": "a", "label": 3}"#, #"{"image": "a", "label": "3"}"#, "--json")).json()
    #expect(json["accuracy"] as? Double == 1)
  }

  @Test("What classify and recognize print is read")
  func printed() async throws {
    let photo = ClassifyCommandTests.photo
    let model = ClassifyCommandTests.model("classifier_softmax")
    let classified = await tally(
      "classify", photo, "--model", model, "--threshold", "0", "--json")
    let label = try #require((try classified.json()["answer"] as? [String: Any])?["label"])
    let truth = "image,label\nclassified.png,\(label)\n"
    let recognized = await tally(
      [
        "recognize", photo, "--classifier", model, "--minimum-class", "0", "--budget", "600",
        "--json",
      ],
      environment: [:])
    #expect(recognized.output.contains(#""method":"classification""#), "\(recognized)")
    for run in [classified, recognized] {
      let json = try (try await evaluate(truth, run.output, "--json", "--top", "1")).json()
      #expect(json["accuracy"] as? Double == 1, "\(run)")
    }
    let unsure = await tally(
      [
        "recognize", photo, "--classifier", model, "--minimum-class", "1", "--budget", "600",
        "--json",
      ],
      environment: [:])
    let json = try (try await evaluate(truth, unsure.output, "--json")).json()
    #expect(json["unanswered"] as? Int == 1, "\(unsure)")
  }

  @Test("Long lists are cut for people, and not for machines")
  func long() async throws {
    let names = (10..<60).map { "\($0).jpg" }
    let truth = "image,label\n" + names.map { "\($0),a\n" }.joined()
    let found = "image,label\n" + names.map { "\($0),b\n" }.joined()
    let text = try await evaluate(truth, found)
    #expect(text.output.contains("29.jpg") && !text.output.contains("30.jpg"))
    #expect(text.output.contains("\n... and 30 more; --json has all\n"))
    let json = try (try await evaluate(truth, found, "--json")).json()
    #expect((json["wrong"] as? [Any])?.count == 50)
  }

  // MARK: Bad input

  @Test("Names in files do not act on a terminal")
  func hostileNames() async throws {
    let row = #"{"image": "a\u001b[2J\n.jpg", "label": "x\u0007"}"#
    let run = try await evaluate(row, #"{"image": "b\u001b.jpg", "label": "y"}"#)
    #expect(run.code == .success && !run.output.contains("\u{1B}") && !run.output.contains("\u{7}"))
  }

  @Test(
    "Bad files are bad data, whichever they are",
    arguments: [
      ("", "is empty; it must have images"), (" \n", "is empty; it must have images"),
      ("Dear Sir", "does not name the columns image and label"),
      ("17", "does not name the columns"), ("image,text\na,b\n", "columns image and label"),
      (#"{"image": "a.jpg", "lable": "x"}"#, "\"a.jpg\" has no \"label\""),
      (#"{"label": "x"}"#, "has no \"image\""), (#"{"image": "a.jpg", "label": "x"} {"#, "line 1"),
      (#"{"image": "a.jpg", "label": {"x": 1}}"#, "\"label\" has the wrong type"),
      (#"{"image": "a.jpg", "label": 1.5}"#, "\"label\""), ("[1, 2]", "wrong type"),
      ("{\"image\": \"a\", \"label\": \"x\"}\n{\"image\": \"a\", \"label\": \"x\"}", "there twice"),
      ("image,label\na,x\na,y\n", "\"a\" is there twice"),
      ("image,label\na,x,y\n", "line 2 has 3 fields, and the header 2"),
      ("image,label\n\"a,x\n", "line 2 has quotes that do not end"),
    ])
  func bad(text: String, message: String) async throws {
    let good = #"{"image": "a.jpg", "label": "x"}"#
    for (truth, predictions) in [(text, good), (good, text)] {
      let run = try await evaluate(truth, predictions)
      #expect(run.failed(.badData) && run.errors.contains(message), "\(run)")
    }
  }

  @Test("A truth needs images with one label each")
  func badTruth() async throws {
    for (truth, message) in [
      ("[]", "names no image"), ("image,label\n", "names no image"),
      ("image,label\na,\n", "\"a\" has 0 labels; it must have one"),
      (#"{"image": "a", "labels": ["x", "y"]}"#, "has 2 labels"),
      (#"{"image": "a", "error": "broken", "code": 65}"#, "an error in place of the truth: broken"),
    ] {
      let run = try await evaluate(truth, "[]")
      #expect(run.failed(.badData) && run.errors.contains(message), "\(run)")
    }
  }

  @Test("Wrong arguments, missing files, and two entries for one image")
  func arguments() async throws {
    let good = try folder.write("good", text: #"{"image": "a.jpg", "label": "x"}"#)
    for (arguments, code, message) in [
      ([], ExitCode.usage, "--truth is needed"), (["--truth", good], .usage, "--predictions is"),
      (["--truth", good, "--predictions", good, "--top", "0"], .usage, "whole numbers from 1"),
      (["--truth", good, "--predictions", good, "--top", "1,,2"], .usage, "with commas"),
      (["--truth", good, "--predictions", good, "--top", ""], .usage, "with commas"),
      (["--truth", good, "--predictions", folder.path("none")], .noInput, "no such file"),
      (["--truth", folder.url.path, "--predictions", good], .noInput, "is a folder"),
    ] as [([String], ExitCode, String)] {
      let run = await tally(["evaluate", "classes"] + arguments)
      #expect(run.failed(code) && run.errors.contains(message), "\(run)")
    }
    let twins = try await evaluate(
      #"{"image": "a.jpg", "label": "x"}"#, "image,label\nx/a.jpg,x\ny/a.jpg,x\n")
    #expect(twins.failed(.badData) && twins.errors.contains("which are one image of"), "\(twins)")
  }
}
