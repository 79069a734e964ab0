import Foundation
import TestSupport
import Testing

@testable import CommandKit

// C44, C46: the figures of dates, and of what else was recognized.

@Suite("tally evaluate texts, barcodes and dates")
struct EvaluateTextsTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  private func evaluate(
    _ kind: String, _ truth: String, _ predictions: String, _ options: String...
  ) async throws -> CommandRun {
    await tally(
      [
        "evaluate", kind, "--truth", try folder.write("truth", text: truth),
        "--predictions", try folder.write("found", text: predictions),
      ] + options)
  }

  // MARK: Texts

  private static let texts = """
    image,text
    a.jpg,"The Histories
    Herodotus"
    b.jpg,caf\u{E9}
    c.jpg,
    """
  /// What `tally text --json` prints.
  private static let readings = """
    {"image":"p/a.jpg","width":9,"height":9,"lines":[{"quad":[],"text":"The  Histones","confidence":1},\
    {"quad":[],"text":"Herodotus","confidence":1}]}
    {"image":"p/b.jpg","width":9,"height":9,"lines":[{"quad":[],"text":"CAFE\u{301}","confidence":1}]}
    {"image":"p/c.jpg","width":9,"height":9,"lines":[]}
    """

  @Test("Error rates by hand: ends of lines and the encoding of accents are no errors")
  func texts() async throws {
    let run = try await evaluate("texts", Self.texts, Self.readings, "--ignore-case", "--json")
    #expect(run.code == .success && run.errors.isEmpty, "\(run)")
    let json = try run.json()
    // 23 characters of the first and 4 of the second image, 3 words and 1.
    #expect(json["cer"] as? Double == 2.0 / 27 && json["wer"] as? Double == 0.25)
    #expect(json["exact"] as? Int == 2 && json["ignoresCase"] as? Bool == true)
    let characters = try #require(json["characters"] as? [String: Int])
    #expect(
      characters == ["true": 27, "right": 25, "substituted": 1, "missing": 1, "tooMany": 0])
    let images = try #require(json["images"] as? [[String: Any]])
    #expect(images.map { $0["image"] as? String } == ["a.jpg", "b.jpg", "c.jpg"])
    #expect(images[0]["text"] as? String == "the histones herodotus")
    #expect(images[1]["cer"] as? Double == 0 && images[2]["cer"] is NSNull)

    let text = try await evaluate("texts", Self.texts, Self.readings)
    #expect(
      text.output == """
                    true  right  substituted  missing  too many  error rate
        characters    27     21            5        1         0       0.222
        words          4      2            2        0         0       0.500

        1 of 3 images read without an error

        errors, the most first:
        b.jpg: CER 1.000, WER 1.000
          true: caf\u{E9}
          read: CAF\u{C9}
        a.jpg: CER 0.087, WER 0.333
          true: The Histories Herodotus
          read: The Histones Herodotus

        """)
  }

  @Test("What text and recognize print is read, and so are plain forms")
  func readTexts() async throws {
    let models = try TinyTextModels.write(in: folder)
    let paper = try TinyTextModels.photo(in: folder)
    let name = try #require(paper.split(separator: "/").last)
    let truth = #"{"image": "\#(name)", "text": "r"}"#
    for run in [
      await tally("text", paper, "--models", models, "--confidence", "0", "--json"),
      await tally(
        "recognize", paper, "--models", models, "--minimum-text", "0", "--budget", "600", "--json"),
      await tally("text", paper, "--models", models, "--confidence", "0", "--format", "csv"),
    ] {
      let json = try (try await evaluate("texts", truth, run.output, "--json")).json()
      #expect(json["cer"] as? Double == 0, "\(run)")
    }
    for found in [
      #"{"image": "a", "text": "x y"}"#, #"{"image": "a", "lines": ["x", "y"]}"#,
      "image,text\na,x\na,y\n",
    ] {
      let run = try await evaluate("texts", #"{"image": "a", "text": "x\ny"}"#, found, "--json")
      #expect(try run.json()["cer"] as? Double == 0, "\(found)")
    }
  }

  @Test("A truth without any text has no rate, and a missing image is all wrong")
  func noText() async throws {
    let blank = try await evaluate(
      "texts", #"{"image": "a", "text": ""}"#, #"{"image": "a", "text": "x"}"#)
    #expect(blank.output.contains("characters     0      0            0        0         1"))
    #expect(blank.output.contains("a: CER -, WER -\n"))
    let failed = try await evaluate(
      "texts", #"{"image": "a", "text": ""}"#, #"{"image": "a", "error": "broken"}"#)
    #expect(failed.output.contains("0 of 1 image read without an error"))
    let missing = try await evaluate("texts", #"{"image": "a", "text": "xyz"}"#, "[]")
    #expect(missing.output.contains("a: CER 1.000, WER 1.000\n"))
    #expect(
      missing.output.hasSuffix("missing from the predictions, and counted as wrong:\n  a\n"))
  }

  // MARK: Barcodes

  @Test("Barcodes by hand: each payload counts as often as it is there")
  func barcodes() async throws {
    let truth = "image,payload\na.jpg,111\na.jpg,111\na.jpg,222\nb.jpg,\nc.jpg,333\n"
    let found = """
      {"image":"p/a.jpg","barcodes":[{"payload":"111","addOn":null},{"payload":"222"},{"payload":"222"}]}
      {"image":"p/b.jpg","barcodes":[]}
      """
    let run = try await evaluate("barcodes", truth, found, "--json")
    #expect(run.code == .success && run.errors.isEmpty, "\(run)")
    let json = try run.json()
    #expect(json["right"] as? Int == 2 && json["wrong"] as? Int == 1 && json["missed"] as? Int == 2)
    #expect(json["precision"] as? Double == 2.0 / 3 && json["recall"] as? Double == 0.5)
    #expect(json["exact"] as? Int == 1 && json["missing"] as? [String] == ["c.jpg"])
    let images = try #require(json["images"] as? [[String: Any]])
    #expect(images[0]["missedValues"] as? [String] == ["111"])
    #expect(images[0]["wrongValues"] as? [String] == ["222"])

    let text = try await evaluate("barcodes", truth, found)
    #expect(
      text.output == """
        barcodes
        true           4
        read           3
        right          2
        wrong          1
        missed         2
        precision  0.667
        recall     0.500
        F1         0.571

        1 of 3 images with exactly the true barcodes

        errors:
          a.jpg: missed 111; wrong 222
          c.jpg: missed 333

        missing from the predictions, and counted as wrong:
          c.jpg

        """)
  }

  @Test("What barcode and recognize print is read")
  func readBarcodes() async throws {
    let code = Folders.goldens.appendingPathComponent("Barcodes/ean13.png").path
    let truth = #"{"image": "ean13.png", "payloads": ["9780306406157"]}"#
    for run in [
      await tally("barcode", code, "--json"), await tally("barcode", code, "--format", "csv"),
      await tally(["recognize", code, "--budget", "600", "--json"], environment: [:]),
    ] {
      let json = try (try await evaluate("barcodes", truth, run.output, "--json")).json()
      #expect(json["f1"] as? Double == 1, "\(run)")
    }
  }

  // MARK: Dates

  @Test("Dates by hand: one that is read twice counts once")
  func dates() async throws {
    let truth = """
      {"image": "a.jpg", "dates": ["2027-05-31", "2026-11"]}
      {"image": "b.jpg", "date": "2027-01-02"}
      {"image": "c.jpg", "dates": []}
      """
    let found = """
      {"image":"p/a.jpg","recognized":true,"method":"text","object":{"lines":[],"isbns":[],"dates":[\
      {"line":0,"date":"2027-05-31","label":"bestBefore","alternatives":[]},\
      {"line":2,"date":"2027-05-31","label":null,"alternatives":["2031-05-27"]}]},"steps":[]}
      {"image":"p/b.jpg","recognized":true,"method":"text","object":{"lines":[],"isbns":[],"dates":[\
      {"line":0,"date":"2027-02-01","label":null,"alternatives":["2027-01-02"]}]},"steps":[]}
      {"image":"p/c.jpg","recognized":false,"method":null,"object":null,"steps":[]}
      """
    let run = try await evaluate("dates", truth, found, "--json")
    #expect(run.code == .success && run.errors.isEmpty, "\(run)")
    let json = try run.json()
    #expect(json["right"] as? Int == 1 && json["wrong"] as? Int == 1 && json["missed"] as? Int == 2)
    #expect(json["exact"] as? Int == 1)
    let table = try await evaluate(
      "dates", "image,date\na,2027-05\nb,\n", "image,date\na,2027-05\n")
    #expect(table.output.contains("recall     1.000"))
    // An image that was not looked at is not right, even if there is nothing to find.
    #expect(table.output.contains("1 of 2 images with exactly the true dates"))
    #expect(table.output.hasSuffix("counted as wrong:\n  b\n"))
  }

  @Test("Dates that do not exist or are written in another form are bad data")
  func badDates() async throws {
    for date in ["2027-02-30", "31.05.2027", "May 2027", "2027-5-31"] {
      for isTruth in [true, false] {
        let (bad, good) = (#"{"image": "a", "date": "\#(date)"}"#, #"{"image": "a", "dates": []}"#)
        let run = try await evaluate("dates", isTruth ? bad : good, isTruth ? good : bad)
        #expect(run.failed(.badData) && run.errors.contains("\"a\" has the date \"\(date)\""))
      }
    }
  }

  @Test("Files of another kind are bad data", arguments: ["texts", "barcodes", "dates"])
  func otherKinds(kind: String) async throws {
    let run = try await evaluate(kind, #"{"image": "a", "label": "x"}"#, "[]")
    #expect(run.failed(.badData) && run.errors.contains("\"a\" has no \""), "\(run)")
    #expect(await tally("evaluate", kind).errors.contains("--truth is needed"))
  }

  @Test("Files cut or with a changed byte, in 200 places, are bad data or are compared")
  func changedFiles() async throws {
    var generator = SeededGenerator(seed: 62)
    let whole = Data(Self.readings.utf8)
    let truth = try folder.write("truth", text: Self.texts)
    var failures = 0
    for round in 0..<200 {
      var changed = whole
      let place = Int(generator.next() % UInt64(whole.count))
      if round % 2 == 0 {
        changed = changed.prefix(place)
      } else {
        changed[place] = UInt8(truncatingIfNeeded: generator.next())
      }
      let path = try folder.write("changed", changed)
      let run = await tally(
        "evaluate", "texts", "--truth", truth, "--predictions", path, "--json")
      if run.code == .success {
        #expect(try !run.json().isEmpty && run.errors.isEmpty)
      } else {
        #expect(run.failed(.badData), "\(run)")
        failures += 1
      }
    }
    #expect(failures > 50)
  }
}
