import Counting
import Foundation
import ImageFiles
import Raster
import TestSupport
import Testing

@testable import CommandKit
@testable import CountCommands

@Suite("tally count")
struct CountCommandTests {
  struct Count: Decodable, Equatable {
    struct Detection: Decodable, Equatable {
      let box: [Float]
      let score, objectness, classScore: Float
      let classID, cluster: Int
      let main: Bool
    }

    let width, height, count: Int
    let mainCluster: Int?
    let clusters, stages: [String: Int]
    let detections: [Detection]
  }

  private func decoded(_ text: String) throws -> Count {
    try JSONDecoder().decode(Count.self, from: Data(text.utf8))
  }

  @Test(
    "The count is the Python reference's, in every field", arguments: [Squares.png, Squares.jpeg])
  func reference(image: String) async throws {
    let run = await Squares.count(image, "--json")
    #expect(run.code == .success)
    #expect(run.errors.isEmpty)
    let found = try decoded(run.output)
    let expected: Count = try Folders.golden("TallyCommands/count.json")
    #expect(found.count == expected.count)
    #expect(found.mainCluster == expected.mainCluster)
    #expect(found.clusters == expected.clusters)
    #expect(found.stages == expected.stages)
    #expect(found.width == expected.width && found.height == expected.height)
    // A JPEG's pixels differ a little from the PNG's that the reference saw, and so do the scores.
    guard image == Squares.png else { return }
    try #require(found.detections.count == expected.detections.count)
    for (found, expected) in zip(found.detections, expected.detections) {
      #expect(found.box == expected.box)
      #expect(abs(found.score - expected.score) < 1e-4)
      #expect(abs(found.objectness - expected.objectness) < 1e-4)
      #expect(found.classScore == expected.classScore)
      #expect(found.classID == expected.classID)
      #expect(found.cluster == expected.cluster)
      #expect(found.main == expected.main)
    }
  }

  @Test("JSON is one object a line, its keys in the order of the contract")
  func layout() async throws {
    let run = await Squares.count(Squares.png, Squares.jpeg, "--json", "--verbose")
    #expect(run.outputLines.count == 2)
    let number = "[0-9]+(\\.[0-9]+)?"
    let seconds = ["detecting", "filtering", "embedding", "clustering", "merging", "total"]
      .map { "\"\($0)\":\(number)" }.joined(separator: ",")
    let detection =
      "\\{\"box\":\\[16,16,24,24\\],\"score\":\(number),\"objectness\":\(number),"
      + "\"classScore\":1,\"classID\":0,\"cluster\":0,\"main\":true,\"number\":[0-9]+\\}"
    let pattern =
      "^\\{\"image\":\"[^\"]*squares.png\",\"width\":128,\"height\":128,\"count\":12,"
      + "\"mainCluster\":0,\"clusters\":\\{\"0\":12,\"1\":5\\},\"stages\":\\{\"detected\":17,"
      + "\"size\":17,\"aspect\":17,\"area\":17,\"embedded\":17,\"merged\":17\\},"
      + "\"seconds\":\\{\(seconds)\\},\"detections\":\\[\(detection),.*\\]\\}$"
    #expect(run.outputLines[0].range(of: pattern, options: .regularExpression) != nil)
  }

  @Test("People get a paragraph for one photo")
  func text() async {
    let plain = await Squares.count(Squares.png)
    #expect(
      plain.output == """
        \(Squares.png): 12 objects
          chance  not known: only the adaptive set has an interval
          kinds   main kind: 12, kind 2: 5
          wrong?  look and correct with --report page.html

        """)
    let run = await Squares.count(Squares.png, "-v")
    #expect(run.errors.isEmpty)
    let time = "[0-9]+\\.[0-9]{2}"
    let text = run.output.replacingOccurrences(
      of: time, with: "0.00", options: .regularExpression)
    #expect(
      text == """
        \(Squares.png): 12 objects
          photo   128 x 128 pixels
          chance  not known: only the adaptive set has an interval
          kinds   main kind: 12, kind 2: 5
          wrong?  look and correct with --report page.html
          stages  17 detected, 17 after size, 17 after aspect, 17 after area, 17
                  embedded, 17 after merging
          time    0.00 s: detecting 0.00, filtering 0.00, embedding 0.00, clustering
                  0.00, merging 0.00

        """)
  }

  @Test("People get a line for each of several photos")
  func lines() async {
    let run = await Squares.count(Squares.png, Squares.jpeg)
    #expect(
      run.output == """
        \(Squares.png): 12 objects, 5 others
        \(Squares.jpeg): 12 objects, 5 others

        """)
  }

  @Test("A photo that cannot be read has its error line, and the others are counted")
  func oneBad() async throws {
    let folder = try TemporaryFolder()
    let text = try folder.write("text.jpg", text: "no photo")
    let run = await Squares.count(
      Squares.png, text, folder.path("none.jpg"), Squares.jpeg, "--json")
    #expect(run.code == .badData, "that of the first failure")
    #expect(run.outputLines.count == 4)
    #expect(run.outputLines.count { $0.contains("\"error\":") } == 2)
    #expect(run.errorLines.count == 2)
    #expect(run.errors.hasPrefix("tally: error: \(text): "))
  }

  @Test("Nothing found is a count of 0 with a hint")
  func nothing() async throws {
    let folder = try TemporaryFolder()
    let black = folder.path("black.png")
    try ImageFile.write(
      Raster(width: 64, height: 64, channels: 3), to: URL(fileURLWithPath: black))
    let json = await Squares.count(black, "--json")
    #expect(json.code == .success)
    #expect(json.output.contains("\"count\":0,\"mainCluster\":null,\"clusters\":{},"))
    #expect(json.output.contains("\"detections\":[],\"hint\":\"No objects were found."))
    let text = await Squares.count(black)
    #expect(
      text.output.hasPrefix(
        "\(black): no objects\n  hint  No objects"))
  }

  @Test("Options change what they say they change")
  func options() async throws {
    func stages(_ arguments: String...) async throws -> [String: Int] {
      let run = await tally(["count", Squares.png, "--json"] + Squares.models + arguments)
      #expect(run.code == .success, "\(run.errors)")
      return try decoded(run.output).stages
    }
    #expect(try await stages("--set", "standard", "--confidence", "0.9")["detected"] == 17)
    #expect(try await stages("--aspect-range", "2:3")["aspect"] == 0)
    #expect(try await stages("--aspect-range", "0.5:2")["aspect"] == 17)
    #expect(try await stages("--size-sigma", "off", "--area-sigma", "off")["merged"] == 17)
    let one = await tally(
      ["count", Squares.png, "--json", "--similarity", "0.6", "--threads", "1"] + Squares.models)
    #expect(one.code == .success)
  }

  @Test("The thread count does not change the result")
  func threads() async throws {
    let one = try decoded(await Squares.count(Squares.png, "--json", "--threads", "1").output)
    for threads in ["2", "3", "7"] {
      let run = await Squares.count(Squares.png, "--json", "--threads", threads)
      #expect(try decoded(run.output) == one)
    }
  }

  @Test("Counts at the same time do not disturb one another")
  func concurrency() async throws {
    let expected = try decoded(await Squares.count(Squares.png, "--json").output)
    try await withThrowingTaskGroup(of: CommandRun.self) { group in
      for _ in 0..<8 {
        group.addTask { await Squares.count(Squares.png, "--json", "--threads", "2") }
      }
      for try await run in group { #expect(try decoded(run.output) == expected) }
    }
  }

  @Test("A cancelled count ends with an error line")
  func cancellation() async {
    let task = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      return await Squares.count(Squares.png)
    }
    #expect(await task.value.failed(.software))
  }

  @Test("A configuration file goes over the set, and options over the file")
  func configuration() async throws {
    let folder = try TemporaryFolder()
    let file = try folder.write(
      "c.json", text: #"{"aspect": {"range": [2, 3]}, "sizeSigma": "off"}"#)
    let run = await Squares.count(Squares.png, "--config", file, "--json")
    #expect(try decoded(run.output).stages["aspect"] == 0)
    let over = await Squares.count(
      Squares.png, "--config", file, "--aspect-sigma", "off", "--json")
    #expect(try decoded(over.output).stages["aspect"] == 17)
    let named = try folder.write("s.json", text: #"{"set": "generous"}"#)
    #expect(await Squares.count(Squares.png, "--config", named).code == .success)
    let twice = await Squares.count(Squares.png, "--config", named, "--set", "precise")
    #expect(twice.failed(.usage))
    #expect(twice.errors.contains("name a set; leave one of them out"))
  }

  @Test("Bundled models get what suits them, however the adaptive set is named")
  func bundledModels() throws {
    let folder = try TemporaryFolder()
    let file = try folder.write("a.json", text: #"{"set": "adaptive"}"#)
    func settings(_ options: String...) throws -> CountingConfiguration {
      let parser = ArgumentParser(specification: CountCommand.specification)
      return try CountingConfiguration(parser.parse(["photo.jpg"] + options))
    }
    let suited = CountingConfiguration.adaptive.suitedToBundledModels()
    #expect(try settings() == suited)
    #expect(try settings("--set", "adaptive") == suited)
    #expect(try settings("--config", file) == suited)
    let others = try settings("--detector", "d.onnx", "--embedder", "e.onnx", "--config", file)
    #expect(others == .adaptive)
    let embedder = CountingConfiguration.adaptive.suitedToBundledModels(detector: false)
    #expect(try settings("--detector", "d.onnx") == embedder)
    let bands = CountingConfiguration.standard.suitedToBundledModels()
    #expect(try settings("--merge-iou", "0.5") == bands)
    #expect(try settings("--set", "standard") == .standard)
  }

  @Test(
    "A bad configuration file is bad data, and the line says what is wrong",
    arguments: [
      (#"{"confidense": 0.2}"#, "unknown field \"confidense\""),
      (#"{"aspect": {"sigma": 1, "sigmas": 2}}"#, "unknown field \"aspect.sigmas\""),
      (#"{"confidence": 7}"#, "confidence is 7.0; it must be in 0.001...0.9"),
      (#"{"confidence": "high"}"#, "confidence must be a number"),
      (#"{"similarity": 0.2}"#, "similarity is 0.2; it must be in 0.6...0.95"),
      (#"{"set": "best"}"#, "set must be one of"),
      (#"[1, 2]"#, "not a JSON object"), (#"{"confidence": "#, "not a JSON object"),
      ("", "not a JSON object"), ("\u{0}", "not a JSON object"),
      (#"{"aspect": {"range": [3, 2]}}"#, "aspect.range"),
      (#"{"confidence": 1e999}"#, "confidence"),
    ])
  func badConfiguration(text: String, message: String) async throws {
    let folder = try TemporaryFolder()
    let file = try folder.write("c.json", text: text)
    let run = await Squares.count(Squares.png, "--config", file)
    #expect(run.failed(.badData), "\(run)")
    #expect(run.errors.contains("\(file): "))
    #expect(run.errors.contains(message), "\(run.errors)")
  }

  @Test("A deeply nested configuration file is bad data")
  func nestedConfiguration() async throws {
    let folder = try TemporaryFolder()
    let file = try folder.write("c.json", text: String(repeating: "[", count: 200_000))
    #expect(await Squares.count(Squares.png, "--config", file).failed(.badData))
  }

  @Test("A configuration file that is not there is no input")
  func missingConfiguration() async {
    #expect(await Squares.count(Squares.png, "--config", "/none.json").failed(.noInput))
    #expect(await Squares.count(Squares.png, "--config", "/tmp").failed(.noInput))
  }

  @Test(
    "Options out of range are usage errors that name the range",
    arguments: [
      ("confidence", "0", "from 0.001 to 0.9"), ("confidence", "0.91", "from 0.001 to 0.9"),
      ("confidence", "nan", "from 0.001 to 0.9"), ("nms", "1.5", "from 0 to 1"),
      ("nms", "-0.1", "from 0 to 1"), ("similarity", "0.5", "from 0.6 to 0.95"),
      ("similarity", "inf", "from 0.6 to 0.95"), ("size-sigma", "-1", "from 0 to 100, or off"),
      ("size-sigma", "on", "from 0 to 100, or off"), ("aspect-sigma", "101", "or off"),
      ("area-sigma", "nan", "or off"), ("aspect-range", "2:1", "the lower one first"),
      ("aspect-range", "1", "with a colon between"), ("merge-iou", "2", "from 0 to 1"),
      ("merge-first", "size", "main or score"), ("threads", "0", "from 1 to 256"),
      ("threads", "1e3", "from 1 to 256"), ("set", "std", "must be adaptive"),
      ("embedder-preset", "resnet", "clip or imagenet"), ("overlay", "x.gif", ".png"),
      ("detector-size", "640", "as 640x640"), ("thumbnail", "x.png", ".jpg or .jpeg"),
    ])
  func ranges(option: String, value: String, message: String) async {
    let run = await Squares.count(Squares.png, "--\(option)", value)
    #expect(run.failed(.usage), "\(run)")
    #expect(run.errors.contains(message), "\(run.errors)")
    #expect(run.errors.contains("--\(option)"))
  }

  @Test("Options that contradict each other are usage errors")
  func contradictions() async {
    #expect(
      await Squares.count(Squares.png, "--aspect-sigma", "1", "--aspect-range", "1:2")
        .failed(.usage))
    #expect(await tally("count", Squares.png, "--head", "yolox").failed(.usage))
    #expect(await tally("count", Squares.png, "--embedder-preset", "clip").failed(.usage))
  }

  @Test("A progress line is shown to a watcher, erased, and silenced by --quiet")
  func progress() async {
    let watched = await Squares.count(Squares.png, "--json", isWatched: true)
    #expect(watched.errors.contains("detecting"))
    #expect(watched.errors.hasSuffix("\r"))
    #expect(!watched.errors.contains("\n"))
    let quiet = await Squares.count(Squares.png, "--json", "--quiet", isWatched: true)
    #expect(quiet.errors.isEmpty)
  }
}
