import CountTemplates
import Counting
import Foundation
import TestSupport
import Testing

@testable import CommandKit

@Suite("tally template")
struct TemplateCommandTests {
  private func template(_ folder: TemporaryFolder, _ arguments: String...) async -> CommandRun {
    let isAdd = arguments.first == "add"
    return await tally(
      ["template"] + arguments + ["--templates", folder.path("t")]
        + (isAdd ? ["--tiles", "1"] + Squares.models : []))
  }

  private func stored(_ folder: TemporaryFolder, _ name: String) throws -> StoredTemplate {
    try TemplateFolder(folder.url.appendingPathComponent("t")).template(name)
  }

  @Test("What is learnt is listed, shown, used and removed")
  func life() async throws {
    let folder = try TemporaryFolder()
    #expect(await template(folder, "list").output.hasSuffix("/t: there are no templates\n"))
    let added = await template(folder, "add", "squares", Squares.png)
    #expect(added.code == .success && added.errors.isEmpty, "\(added)")
    let learnt = try stored(folder, "squares")
    #expect(
      added.output.hasPrefix(
        "squares: learnt from 12 objects of \(Squares.png), and 5 others to leave out\n"))
    #expect(learnt.objects == 12 && learnt.template.unlike.count == 5)
    #expect(learnt.photo == "squares.png")
    #expect(learnt.template.like.count == 12)
    #expect(learnt.template.like.allSatisfy { $0.count == 16 })

    let list = await template(folder, "list")
    #expect(list.outputLines.count == 2)
    #expect(list.output.hasPrefix("template  objects  others  photo        made\nsquares "))
    #expect(list.output.hasSuffix("squares.png  2026-11-22T22:47:34Z\n"))
    let json = try await template(folder, "list", "--json").json()
    #expect(json["name"] as? String == "squares")
    #expect(json["dimension"] as? Int == 16)
    let show = await template(folder, "show", "squares")
    #expect(show.code == .success)
    #expect(show.output.hasPrefix("squares\n  photo     squares.png\n  made      2026-11-22T22"))
    #expect(show.output.contains(learnt.template.models.detector))
    let shown = try await template(folder, "show", "squares", "--json").json()
    #expect(shown["file"] as? String == folder.path("t/squares.json"))
    #expect(shown["embedder"] as? String == learnt.template.models.embedder)

    for name in ["squares", folder.path("t/squares.json")] {
      let counted = await tally(
        ["count", Squares.png, "--template", name, "--templates", folder.path("t")]
          + Squares.models)
      #expect(counted.code == .success, "\(counted)")
    }
    let many = await tally(
      ["count", Squares.png, Squares.jpeg, "--jobs", "2", "--template", "squares"]
        + Squares.models, environment: ["TALLY_TEMPLATES": folder.path("t")])
    #expect(many.code == .success && many.outputLines.count == 2, "\(many)")

    #expect(await template(folder, "remove", "squares").output == "squares: removed\n")
    #expect(await template(folder, "remove", "squares").failed(.noInput))
  }

  @Test("A name is not taken twice without --replace, and then nothing is counted")
  func exists() async throws {
    let folder = try TemporaryFolder()
    #expect(await template(folder, "add", "a", Squares.png).code == .success)
    let again = await template(folder, "add", "a", folder.path("none.png"))
    #expect(again.failed(.inputOutput), "\(again)")
    #expect(again.errors.contains("there is a template 'a' in \(folder.path("t")) already"))
    #expect(again.errors.contains("--replace"))
    let like = ["--replace", "--like", "16,16,8,8"]
    let run = await template(folder, "add", "a", Squares.png, like[0], like[1], like[2])
    #expect(run.code == .success, "\(run)")
    #expect(try folder.names(in: "t") == ["a.json"])
  }

  @Test(
    "What cannot be learnt is refused",
    arguments: [
      (["../a", Squares.png], ExitCode.usage, "cannot name a template"),
      (["a.json", Squares.png], .usage, "cannot name a template"),
      (["a"], .usage, "no PHOTO is given"),
      (["a", Squares.png, Squares.jpeg], .usage, "expected one PHOTO, got a second"),
      (["a", "/none.png"], .noInput, "/none.png: there is no such file"),
      (["a", Squares.png, "--like", "1,2,3"], .usage, "has 3 numbers"),
      (["a", Squares.png, "--like", "900,2,3,4"], .usage, "lies outside the photo"),
      (["a", Squares.png, "--set", "standard"], .usage, "the adaptive set"),
      (["a", Squares.png, "--from-correction", "/none.json"], .noInput, "/none.json"),
      (["a", Squares.png, "--from-correction", Squares.png], .badData, "correction"),
      (["a", Squares.png, "--template", "b"], .usage, "unknown option"),
    ])
  func refused(arguments: [String], code: ExitCode, message: String) async throws {
    let folder = try TemporaryFolder()
    let run = await tally(
      ["template", "add"] + arguments + ["--templates", folder.path("t")] + Squares.models)
    #expect(run.failed(code), "\(run)")
    #expect(run.errors.contains(message), "\(run.errors)")
    #expect(!folder.has("t/a.json"))
  }

  @Test("A corrected count teaches what is right, and what is not")
  func correction() async throws {
    let folder = try TemporaryFolder()
    let options = ["--tiles", "1"] + Squares.models
    let count = try await tally(["count", Squares.png, "--json"] + options).json()
    let number = try #require(count["count"] as? Int)
    let detections = try #require(count["detections"] as? [[String: Any]])
    let main = detections.filter { $0["main"] as? Bool == true }
      .compactMap { $0["box"] as? [Double] }
    try #require(main.count == number && number > 4)
    func add(_ name: String, removed: [[Double]], width: Int = 128) async throws -> CommandRun {
      let file = try folder.write(
        "c.json",
        text: """
          {"tallyCorrection": 1, "width": \(width), "height": 128, "count": \(number),
           "removed": \(removed), "moved": [], "added": [[2, 2, 10, 10]]}
          """)
      return await tally(
        ["template", "add", name, Squares.png, "--from-correction", file, "--templates"]
          + [folder.path("t")] + options)
    }
    let run = try await add("squares", removed: Array(main.prefix(2)))
    #expect(run.code == .success, "\(run)")
    #expect(
      run.output == "squares: learnt from \(number - 1) objects of \(Squares.png), and 2 others to "
        + "leave out\n")
    let learnt = try stored(folder, "squares")
    #expect(learnt.objects == number - 1)
    #expect(learnt.template.unlike.count == 2)
    let other = try await add("b", removed: [[1, 1, 3, 3]])
    #expect(other.failed(.badData) && other.errors.contains("c.json: "), "\(other)")
    #expect(try await add("b", removed: [], width: 99).failed(.badData))
    // All of it taken out: there is nothing to learn but what was added.
    #expect(try await add("few", removed: main).code == .success)
    #expect(try stored(folder, "few").objects == 1)
  }

  @Test("A template of other models is refused, and the line says which and what to do")
  func otherModels() async throws {
    let folder = try TemporaryFolder()
    #expect(await template(folder, "add", "a", Squares.png).code == .success)
    let place = ["--templates", folder.path("t")]
    let embedder = await tally(
      ["count", Squares.png, "--template", "a", "--detector", Squares.detector] + place)
    #expect(embedder.failed(.badData))
    #expect(
      embedder.errors.contains(
        "t/a.json: the template was made with another embedder; make it again"))
    let detector = await tally(
      ["count", Squares.png, "--template", "a", "--embedder", Squares.embedder] + place)
    #expect(detector.failed(.badData))
    #expect(detector.errors.contains("made with another detector"))
    #expect(detector.errors.contains("--detector"))
    let preset = await tally(
      ["count", Squares.png, "--template", "a", "--embedder-preset", "clip"] + place
        + Squares.models)
    #expect(preset.failed(.badData))
    #expect(preset.errors.contains("no --embedder-preset"))
  }

  @Test("A name that is not there is no input, and a near one is proposed")
  func unknown() async throws {
    let folder = try TemporaryFolder()
    #expect(await template(folder, "add", "sweets", Squares.png).code == .success)
    let place = ["--templates", folder.path("t")]
    for arguments in [
      ["count", Squares.png, "--template", "sweats"], ["template", "show", "sweats"],
      ["template", "remove", "sweats"],
    ] {
      let run = await tally(arguments + place)
      #expect(run.failed(.noInput), "\(run)")
      #expect(run.errors.contains("there is no template 'sweats' in \(folder.path("t"))"))
      #expect(run.errors.contains("did you mean 'sweets'?"))
    }
    let far = await tally(["count", Squares.png, "--template", "xyz"] + place)
    #expect(far.failed(.noInput) && far.errors.contains("see 'tally template list'"))
    let none = await tally("count", Squares.png, "--template", "a")
    #expect(none.failed(.usage) && none.errors.contains("TALLY_TEMPLATES"), "\(none)")
    let unused = await tally(["count", Squares.png] + place)
    #expect(unused.failed(.usage) && unused.errors.contains("--templates is about --template"))
  }

  @Test("A damaged template is bad data wherever it is met, and the others are listed")
  func damaged() async throws {
    let folder = try TemporaryFolder()
    #expect(await template(folder, "add", "good", Squares.png).code == .success)
    let text = try String(contentsOfFile: folder.path("t/good.json"), encoding: .utf8)
    for (name, damaged) in [
      ("cut", String(text.dropLast(text.count / 2))), ("empty", ""),
      ("later", text.replacing("\"tallyTemplate\": 1", with: "\"tallyTemplate\": 9")),
      ("rows", text.replacing("\"like\": [\n    [", with: "\"like\": [\n    [0.5], [")),
    ] {
      try folder.write("t/\(name).json", text: damaged)
      let place = ["--templates", folder.path("t")]
      for arguments in [
        ["count", Squares.png, "--template", name] + place + Squares.models,
        ["count", Squares.png, "--template", folder.path("t/\(name).json")] + Squares.models,
        ["template", "show", name] + place,
      ] {
        let run = await tally(arguments)
        #expect(run.failed(.badData), "\(run)")
        #expect(run.errors.contains("t/\(name).json: "), "\(run.errors)")
      }
      let list = await template(folder, "list")
      #expect(list.code == .badData && list.output.contains("good"), "\(list)")
      #expect(list.errorLines.count == 1)
      #expect(await template(folder, "remove", name).code == .success)
    }
    let missing = await tally("count", Squares.png, "--template", folder.path("none.json"))
    #expect(missing.failed(.noInput))
  }
}
